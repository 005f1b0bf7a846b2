"""What else belongs to the candidates found."""
