-- Names that many memories share: sessions, authors, sources, tags and entities, by sort.
CREATE TABLE label (number INTEGER PRIMARY KEY, sort INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (sort, name));

-- Times are milliseconds since 1970; what is NULL was never set. importance and trust are percent.
CREATE TABLE memory (
  number INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL UNIQUE,
  kind INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  status INTEGER NOT NULL,
  importance INTEGER NOT NULL,
  trust INTEGER NOT NULL,
  session INTEGER,
  position INTEGER,
  author INTEGER,
  source INTEGER,
  created INTEGER NOT NULL,
  updated INTEGER,
  accessed INTEGER,
  valid_from INTEGER,
  valid_until INTEGER,
  expires INTEGER,
  seen INTEGER NOT NULL,
  words INTEGER NOT NULL,
  asks INTEGER NOT NULL,
  sketch INTEGER NOT NULL,
  sketch_too INTEGER NOT NULL,
  tags TEXT,
  metadata TEXT,
  text TEXT NOT NULL
);
CREATE INDEX memory_sketch ON memory (sketch);
CREATE INDEX memory_sketch_too ON memory (sketch_too);
CREATE INDEX memory_source ON memory (source) WHERE source IS NOT NULL;

CREATE TABLE tagged (tag INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (tag, memory)) WITHOUT ROWID;
CREATE TABLE mention (entity INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (entity, memory)) WITHOUT ROWID;
CREATE INDEX mention_memory ON mention (memory);

-- Both ends are uids, because the target may be an item of the index.
CREATE TABLE link (
  source INTEGER NOT NULL,
  type INTEGER NOT NULL,
  target INTEGER NOT NULL,
  created INTEGER NOT NULL,
  detail TEXT,
  PRIMARY KEY (source, type, target)
) WITHOUT ROWID;
CREATE INDEX link_target ON link (target);

-- What changed after a memory was written; also tells readers which memories to read again.
CREATE TABLE history (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  uid INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  time INTEGER NOT NULL,
  action TEXT NOT NULL,
  detail TEXT
);
CREATE INDEX history_uid ON history (uid);

CREATE VIRTUAL TABLE text_memory USING fts5 (
  text, tags, content = 'memory', content_rowid = 'number', tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE word_memory USING fts5vocab (text_memory, 'instance');
INSERT INTO text_memory (text_memory, rank) VALUES ('secure-delete', 1);
INSERT INTO text_memory (text_memory, rank) VALUES ('pgsz', 8100);
