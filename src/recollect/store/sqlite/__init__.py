"""The store on SQLite, one module per family of tables."""
