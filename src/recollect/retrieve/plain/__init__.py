"""What names alone tell: definitions of a name; shared by stages."""
