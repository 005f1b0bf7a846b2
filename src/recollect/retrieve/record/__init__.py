"""What is remembered of an answer."""
