"""One row where several say the same."""
