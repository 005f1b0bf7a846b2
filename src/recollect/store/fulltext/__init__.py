"""Full text without SQL: FTS5's own words and expressions, packed postings, and the scores that FTS5 gives."""
