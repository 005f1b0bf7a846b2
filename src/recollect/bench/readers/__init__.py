"""One reader for each layout of a data set."""
