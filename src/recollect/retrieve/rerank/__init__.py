"""The final order of the head."""
