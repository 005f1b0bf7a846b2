"""Shortens source but not its structure: boilerplate collapses, what tells least goes, repetition is dropped."""
