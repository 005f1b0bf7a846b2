"""From a task to a ranked, packed and explained answer: one pipeline, whose stages a profile names."""
