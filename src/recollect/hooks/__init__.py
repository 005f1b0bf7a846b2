"""What an agent runs at certain moments: it is told what it should know, and what it did is learned from."""
