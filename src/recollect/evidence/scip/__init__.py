"""Reads index files of the SCIP protocol."""
