-- How the server plans. What it knows of how often a space occurs says nothing of one that was begun since, which it
-- then takes for empty and reads whole for every key; knowing nothing, it takes every space for a small part of a table.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'recollect'::regnamespace
    AND c.relkind = 'r' AND c.relname <> 'migration'
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN space SET STATISTICS 0', name);
    EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_scale_factor = 0.02)', name);
  END LOOP;
END
$$;

-- Beside the key, no index of a memory begins with the space: none is then ever taken for one that finds by another.
CREATE INDEX memory_sketch_in ON memory (sketch, space, number);
CREATE INDEX memory_sketch_too_in ON memory (sketch_too, space, number);
CREATE UNIQUE INDEX memory_uid_in ON memory (uid, space);
CREATE INDEX tagged_memory_in ON tagged (memory, space);
CREATE INDEX mention_memory_in ON mention (memory, space);
DROP INDEX memory_uid, memory_sketch, memory_sketch_too, tagged_memory, mention_memory;

-- Where rows are guarded, only a comparison that can tell nothing of them finds by an index: not lower(), not sha256().
ALTER TABLE label ADD COLUMN key bigint GENERATED ALWAYS AS (hashtextextended(name, sort)) STORED;
DROP INDEX label_name;
CREATE INDEX label_name ON label (key, space);
ALTER TABLE code_item ADD COLUMN folded text COLLATE "C" GENERATED ALWAYS AS (left(lower(name), 200)) STORED;
DROP INDEX code_item_name;
CREATE INDEX code_item_name ON code_item (space, tree, folded) WHERE folded IS NOT NULL;

-- Asked by the policies of every statement; most read through no other space, and are told so at once.
CREATE OR REPLACE FUNCTION shared_uids() RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
  reading bigint := nullif(current_setting('recollect.through', true), '')::bigint;
BEGIN
  IF reading IS NULL OR level_in(reading) < 1 THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT array_agg(s.uid) FROM share s WHERE s.space = here AND s.target = reading);
END
$$;
CREATE OR REPLACE FUNCTION shared_labels() RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
  uids bigint[] := shared_uids();
BEGIN
  IF uids IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT array_agg(l.number) FROM memory m, LATERAL (VALUES (m.session), (m.author), (m.source)) AS l (number)
    WHERE m.space = here AND m.uid = ANY (uids)
  );
END
$$;

-- Lists the members of the space of this transaction to whoever is one.
CREATE FUNCTION list_members() RETURNS TABLE (login text, level smallint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := current_space(1);
BEGIN
  RETURN QUERY SELECT m.login, m.level FROM member m WHERE m.space = here ORDER BY m.level DESC, m.login;
END
$$;
REVOKE ALL ON FUNCTION list_members() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_members() TO recollect_reader;
