CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tally (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE code (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

CREATE TABLE folder (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  number INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  stem TEXT NOT NULL,
  folder TEXT NOT NULL,
  content BLOB NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  language TEXT NOT NULL,
  lines INTEGER NOT NULL,
  test INTEGER NOT NULL,
  generated INTEGER NOT NULL,
  skipped TEXT NOT NULL,
  package TEXT NOT NULL
);
CREATE INDEX file_stem ON file (stem);
CREATE INDEX file_folder ON file (folder);
CREATE TABLE export (file INTEGER PRIMARY KEY, keys BLOB NOT NULL);

-- container is NULL when qualified equals name; owner is NULL when it equals container.
CREATE TABLE item (
  number INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL UNIQUE,
  file INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT,
  container TEXT,
  owner TEXT,
  owner_key INTEGER,
  parent INTEGER,
  start_line INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  visibility INTEGER NOT NULL,
  test INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  texts INTEGER NOT NULL,
  signature TEXT NOT NULL,
  doc TEXT NOT NULL,
  shape BLOB NOT NULL
);
CREATE INDEX item_file ON item (file);
CREATE INDEX item_name ON item (name COLLATE NOCASE) WHERE name IS NOT NULL;
CREATE INDEX item_owner ON item (owner_key) WHERE owner_key IS NOT NULL;

CREATE TABLE external (
  number INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL UNIQUE,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  uses INTEGER NOT NULL
);
CREATE TABLE segment (
  unit TEXT NOT NULL UNIQUE,
  digest INTEGER NOT NULL,
  count INTEGER NOT NULL,
  dependencies BLOB NOT NULL,
  edges BLOB NOT NULL
);

CREATE TABLE model (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL, type TEXT NOT NULL);
CREATE TABLE vector (
  model INTEGER NOT NULL,
  content BLOB NOT NULL,
  scale REAL NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (model, content)
) WITHOUT ROWID;

CREATE TABLE event (
  number INTEGER PRIMARY KEY,
  query_id TEXT NOT NULL,
  uid INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('retrieved', 'shown', 'selected', 'used', 'discarded')),
  time REAL NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX event_query ON event (query_id);
CREATE INDEX event_uid ON event (uid);

CREATE VIRTUAL TABLE text_symbol USING fts5 (
  name, concepts, qualified, signature, path, doc,
  content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);
CREATE VIRTUAL TABLE text_chunk USING fts5 (
  title, body,
  content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2"
);

-- A larger page and a larger table of pending terms: 20 % less time, fewer segments (tests/store/rates.py).
INSERT INTO text_symbol (text_symbol, rank) VALUES ('pgsz', 8100);
INSERT INTO text_symbol (text_symbol, rank) VALUES ('hashsize', 16777216);
INSERT INTO text_chunk (text_chunk, rank) VALUES ('pgsz', 8100);
INSERT INTO text_chunk (text_chunk, rank) VALUES ('hashsize', 16777216);
