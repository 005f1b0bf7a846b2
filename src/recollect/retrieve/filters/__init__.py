"""What may not be in an answer."""
