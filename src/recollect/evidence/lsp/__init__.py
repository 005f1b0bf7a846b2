"""Speaks the Language Server Protocol with whatever server a table names."""
