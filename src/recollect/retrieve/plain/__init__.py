"""What names and spans alone tell: definitions of a name, and chunks that show a symbol; shared by stages."""
