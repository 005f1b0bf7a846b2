"""The command line: reads arguments, calls the engine, prints; the only part that prints."""
