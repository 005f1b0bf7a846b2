"""Cheap retrievers that anything worth shipping must beat; each is plain and complete in one file."""
