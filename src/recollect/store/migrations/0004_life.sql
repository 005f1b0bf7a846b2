-- What must not fade, and what dreams did: enough to take any of it back, and no text.
ALTER TABLE memory ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
CREATE TABLE dream (
  number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, undone INTEGER, report TEXT NOT NULL
);
CREATE TABLE dreamt (dream INTEGER NOT NULL, uid INTEGER NOT NULL, action TEXT NOT NULL, detail TEXT);
CREATE INDEX dreamt_dream ON dreamt (dream);
CREATE INDEX dreamt_uid ON dreamt (uid);
