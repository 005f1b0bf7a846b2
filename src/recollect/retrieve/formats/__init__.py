"""How a packed answer is written out, one file a format."""
