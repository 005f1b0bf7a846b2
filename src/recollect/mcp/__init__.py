"""The agent server: a handful of tools over the engine; no ranking and no rules of its own."""
