"""Finds code that nothing seems to use, and says how sure that is."""
