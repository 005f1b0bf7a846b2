"""The local page: search, graph, memories, freshness, bench and settings, for a person with a browser."""
