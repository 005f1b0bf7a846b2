-- Who may do what where. Applied by the login that sets the store up, which then owns the schema.
CREATE TABLE migration (number integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());

CREATE TABLE space (
  space bigint PRIMARY KEY,
  name text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);
-- level: 1 reads, 2 writes, 3 owns. login is a login or a group of logins.
CREATE TABLE member (
  space bigint NOT NULL,
  login text NOT NULL,
  level smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
  PRIMARY KEY (space, login)
);
-- A space lets another space read its memories; the other space keeps a row of its own to list it.
CREATE TABLE share (
  space bigint NOT NULL,
  target bigint NOT NULL,
  name text NOT NULL,
  given_by text NOT NULL DEFAULT session_user,
  created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space, target)
);
CREATE TABLE shared (
  space bigint NOT NULL,
  source bigint NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (space, source)
);
-- Whoever writes a family of tables of a space locks its row, so numbers follow the order of commits.
CREATE TABLE turn (
  space bigint NOT NULL,
  family text NOT NULL,
  counters jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (space, family)
);
-- One row for each transaction that was committed of late; tells after a cut whether the commit went through.
CREATE TABLE receipt (
  space bigint NOT NULL,
  token bigint NOT NULL,
  written timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (space, token)
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['recollect_reader', 'recollect_writer', 'recollect_owner'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this server was faster
      END;
    END IF;
  END LOOP;
  BEGIN
    IF NOT pg_has_role('recollect_writer', 'recollect_reader', 'MEMBER') THEN
      GRANT recollect_reader TO recollect_writer;
    END IF;
    IF NOT pg_has_role('recollect_owner', 'recollect_writer', 'MEMBER') THEN
      GRANT recollect_writer TO recollect_owner;
    END IF;
    IF NOT pg_has_role(session_user, 'recollect_owner', 'MEMBER') THEN
      EXECUTE format('GRANT recollect_owner TO %I', session_user);
    END IF;
  EXCEPTION WHEN internal_error THEN NULL; -- "tuple concurrently updated": the other one grants the same
  END;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO recollect_reader', current_schema());
END
$$;
REVOKE ALL ON SCHEMA recollect FROM PUBLIC;

-- The space of this transaction when the login is at least of this level in it, else NULL. A space that is read
-- through another one must have been shared with it, and the login must be a member there.
CREATE FUNCTION current_space(wanted integer) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
  SELECT asked.space FROM (
    SELECT nullif(current_setting('recollect.space', true), '')::bigint AS space,
           nullif(current_setting('recollect.through', true), '')::bigint AS through
  ) asked
  WHERE EXISTS (
    SELECT 1 FROM member m JOIN pg_roles r ON r.rolname = m.login
    WHERE m.space = coalesce(asked.through, asked.space)
      AND m.level >= CASE WHEN asked.through IS NULL THEN wanted ELSE 1 END
      AND (m.login = session_user OR pg_has_role(session_user, r.oid, 'MEMBER'))
  )
  AND (asked.through IS NULL OR (wanted = 1 AND EXISTS (
    SELECT 1 FROM share s WHERE s.space = asked.space AND s.target = asked.through
  )))
$$;
REVOKE ALL ON FUNCTION current_space(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_space(integer) TO recollect_reader;

-- Begins a space that is new; whoever begins it owns it. Returns the level of the login in it, 0 when it has none.
CREATE FUNCTION enter_space(wanted bigint, called text, may_begin boolean) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  found_level integer;
BEGIN
  IF may_begin AND pg_has_role(session_user, 'recollect_writer', 'MEMBER') THEN
    INSERT INTO space (space, name) VALUES (wanted, called) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO member (space, login, level) VALUES (wanted, session_user, 3);
    END IF;
  END IF;
  SELECT max(m.level) INTO found_level FROM member m JOIN pg_roles r ON r.rolname = m.login
  WHERE m.space = wanted AND (m.login = session_user OR pg_has_role(session_user, r.oid, 'MEMBER'));
  RETURN coalesce(found_level, 0);
END
$$;
REVOKE ALL ON FUNCTION enter_space(bigint, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enter_space(bigint, text, boolean) TO recollect_reader;

-- Gives a table its rights and row policies: readers see their space, writers also change it.
CREATE FUNCTION guard(name regclass, changer text DEFAULT 'recollect_writer', level integer DEFAULT 2)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('GRANT SELECT ON %s TO recollect_reader', name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %s TO %I', name, changer);
  EXECUTE format('CREATE POLICY reading ON %s FOR SELECT TO recollect_reader USING (space = (SELECT current_space(1)))', name);
  EXECUTE format('CREATE POLICY adding ON %s FOR INSERT TO %I WITH CHECK (space = (SELECT current_space(%s)))', name, changer, level);
  EXECUTE format('CREATE POLICY changing ON %s FOR UPDATE TO %I USING (space = (SELECT current_space(%s)))', name, changer, level);
  EXECUTE format('CREATE POLICY removing ON %s FOR DELETE TO %I USING (space = (SELECT current_space(%s)))', name, changer, level);
END
$$;
REVOKE ALL ON FUNCTION guard(regclass, text, integer) FROM PUBLIC;
GRANT SELECT ON migration TO recollect_reader;
SELECT guard('space', 'recollect_owner', 3);
SELECT guard('member', 'recollect_owner', 3);
SELECT guard('share', 'recollect_owner', 3);
SELECT guard('shared', 'recollect_owner', 3);
SELECT guard('turn');
SELECT guard('receipt');
