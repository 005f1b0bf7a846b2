"""What changes a score, and why."""
