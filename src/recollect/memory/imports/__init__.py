"""Takes in what other programs keep: one module a format, each from a file to rows, links and notes."""
