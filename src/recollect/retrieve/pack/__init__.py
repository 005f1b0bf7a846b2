"""Which candidates fit the budget."""
