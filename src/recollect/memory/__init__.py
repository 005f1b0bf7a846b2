"""Memories: written as they were said, recalled with their neighbours, changed openly, forgotten for good."""
