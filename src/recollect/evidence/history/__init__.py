"""Reads git's history in the background: when symbols were changed, by whom, and what changes together."""
