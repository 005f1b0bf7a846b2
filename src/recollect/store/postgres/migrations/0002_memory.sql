-- Memories. Times are milliseconds since 1970; what is NULL was never set; names compare byte by byte.
CREATE TABLE label (
  space bigint NOT NULL,
  number bigint NOT NULL,
  sort smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (space, number)
);
-- Not by the name itself, which may be longer than a key.
CREATE UNIQUE INDEX label_name ON label (space, sort, sha256(name::bytea));

CREATE TABLE memory (
  space bigint NOT NULL,
  number bigint NOT NULL,
  uid bigint NOT NULL,
  kind smallint NOT NULL,
  layer smallint NOT NULL,
  priority smallint NOT NULL,
  status smallint NOT NULL,
  importance smallint NOT NULL,
  trust smallint NOT NULL,
  session bigint,
  position bigint,
  author bigint,
  source bigint,
  created bigint NOT NULL,
  updated bigint,
  accessed bigint,
  valid_from bigint,
  valid_until bigint,
  expires bigint,
  seen bigint NOT NULL,
  words bigint NOT NULL,
  signs integer NOT NULL,
  sketch bigint NOT NULL,
  sketch_too bigint NOT NULL,
  pinned smallint NOT NULL,
  tags text COLLATE "C",
  metadata text COLLATE "C",
  text text COLLATE "C" NOT NULL,
  PRIMARY KEY (space, number)
);
CREATE UNIQUE INDEX memory_uid ON memory (space, uid);
CREATE INDEX memory_sketch ON memory (space, sketch);
CREATE INDEX memory_sketch_too ON memory (space, sketch_too);

CREATE TABLE tagged (
  space bigint NOT NULL, tag bigint NOT NULL, memory bigint NOT NULL, PRIMARY KEY (space, tag, memory)
);
CREATE INDEX tagged_memory ON tagged (space, memory);
CREATE TABLE mention (
  space bigint NOT NULL, entity bigint NOT NULL, memory bigint NOT NULL, PRIMARY KEY (space, entity, memory)
);
CREATE INDEX mention_memory ON mention (space, memory);

CREATE TABLE link (
  space bigint NOT NULL,
  source bigint NOT NULL,
  type smallint NOT NULL,
  target bigint NOT NULL,
  created bigint NOT NULL,
  detail text,
  PRIMARY KEY (space, source, type, target)
);
CREATE INDEX link_target ON link (space, target);
CREATE INDEX link_type ON link (space, type);

CREATE TABLE history (
  space bigint NOT NULL,
  number bigint NOT NULL,
  uid bigint NOT NULL,
  memory bigint NOT NULL,
  time bigint NOT NULL,
  action text NOT NULL,
  detail text,
  PRIMARY KEY (space, number)
);
CREATE INDEX history_uid ON history (space, uid);

CREATE TABLE dream (
  space bigint NOT NULL, number bigint NOT NULL, time bigint NOT NULL, undone bigint, report text NOT NULL,
  PRIMARY KEY (space, number)
);
CREATE TABLE dreamt (
  space bigint NOT NULL, dream bigint NOT NULL, place integer NOT NULL, uid bigint NOT NULL, action text NOT NULL,
  detail text, PRIMARY KEY (space, dream, place)
);
CREATE INDEX dreamt_uid ON dreamt (space, uid);

CREATE TABLE memory_meta (space bigint NOT NULL, key text NOT NULL, value text NOT NULL, PRIMARY KEY (space, key));

CREATE TABLE memory_model (
  space bigint NOT NULL, number bigint NOT NULL, id text NOT NULL, dimensions integer NOT NULL, type text NOT NULL,
  PRIMARY KEY (space, number)
);
CREATE TABLE memory_vector (
  space bigint NOT NULL, model bigint NOT NULL, content bytea NOT NULL, scale real NOT NULL, data bytea NOT NULL,
  PRIMARY KEY (space, model, content)
);

CREATE TABLE event (
  space bigint NOT NULL,
  number bigint NOT NULL,
  query_id text NOT NULL,
  uid bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('retrieved', 'shown', 'selected', 'used', 'discarded')),
  time double precision NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (space, number)
);
CREATE INDEX event_query ON event (space, query_id);
CREATE INDEX event_uid ON event (space, uid);

-- Where each stem stands: numbers of memories as 32-bit integers, once for each time, in parts that are merged.
CREATE TABLE posting (
  space bigint NOT NULL,
  stem text COLLATE "C" NOT NULL,
  level smallint NOT NULL,
  part bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  numbers bytea NOT NULL,
  PRIMARY KEY (space, stem, level, part)
);
CREATE INDEX posting_young ON posting (space, level) WHERE level < 3;
ALTER TABLE posting SET (autovacuum_vacuum_scale_factor = 0.05);

SELECT guard(name::regclass) FROM unnest(ARRAY[
  'label', 'memory', 'tagged', 'mention', 'link', 'history', 'dream', 'dreamt', 'memory_meta', 'memory_model',
  'memory_vector', 'event', 'posting'
]) AS name;
