"""Shows what is true of the code by other means than reading it: language servers, indexes, runs and history."""
