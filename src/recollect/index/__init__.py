"""Keeps the index of a project in step with its files."""
