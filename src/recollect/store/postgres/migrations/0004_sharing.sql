-- Memories are shared one by one. What is shared is read through the space that it was shared with, live: nothing is
-- copied, so taking it back, changing or forgetting it holds at once.
DELETE FROM share;
ALTER TABLE share ADD COLUMN uid bigint NOT NULL;
ALTER TABLE share DROP CONSTRAINT share_pkey;
ALTER TABLE share ADD PRIMARY KEY (space, target, uid);
DELETE FROM shared;
ALTER TABLE shared ADD COLUMN uid bigint NOT NULL, ADD COLUMN given_by text NOT NULL,
  ADD COLUMN created timestamptz NOT NULL DEFAULT now();
ALTER TABLE shared DROP CONSTRAINT shared_pkey;
ALTER TABLE shared ADD PRIMARY KEY (space, source, uid);

-- Whether whoever is connected is a login, or in a group of logins.
CREATE FUNCTION plays(called text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN called = session_user
    OR coalesce((SELECT pg_has_role(session_user, r.oid, 'MEMBER') FROM pg_roles r WHERE r.rolname = called), false);
END
$$;
-- The functions below are in PL/pgSQL because Citus plans no others with parameters.
CREATE FUNCTION level_in(wanted bigint) RETURNS integer
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  one record;
BEGIN
  -- Whoever is connected is known here and not where the rows may lie, so rows are fetched and then looked at.
  FOR one IN SELECT m.login, m.level FROM member m WHERE m.space = wanted ORDER BY m.level DESC LOOP
    IF plays(one.login) THEN
      RETURN one.level;
    END IF;
  END LOOP;
  RETURN 0;
END
$$;
REVOKE ALL ON FUNCTION level_in(bigint) FROM PUBLIC;

-- The space of this transaction when the login is at least of this level in it, else NULL; never one that is read
-- through another.
CREATE OR REPLACE FUNCTION current_space(wanted integer) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
BEGIN
  IF nullif(current_setting('recollect.through', true), '') IS NULL AND level_in(here) >= wanted THEN
    RETURN here;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION enter_space(wanted bigint, called text, may_begin boolean) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
BEGIN
  IF may_begin AND pg_has_role(session_user, 'recollect_writer', 'MEMBER') THEN
    INSERT INTO space (space, name) VALUES (wanted, called) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO member (space, login, level) VALUES (wanted, session_user, 3);
    END IF;
  END IF;
  RETURN level_in(wanted);
END
$$;

-- What the space of this transaction shares with the space through which it is read, when the login is a member there.
CREATE FUNCTION shared_uids() RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
  reading bigint := nullif(current_setting('recollect.through', true), '')::bigint;
BEGIN
  IF level_in(reading) < 1 THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT array_agg(s.uid) FROM share s WHERE s.space = here AND s.target = reading);
END
$$;
CREATE FUNCTION shared_labels() RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
  uids bigint[] := shared_uids();
BEGIN
  RETURN (
    SELECT array_agg(l.number) FROM memory m, LATERAL (VALUES (m.session), (m.author), (m.source)) AS l (number)
    WHERE m.space = here AND m.uid = ANY (uids)
  );
END
$$;
REVOKE ALL ON FUNCTION shared_uids(), shared_labels() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shared_uids(), shared_labels() TO recollect_reader;
CREATE POLICY reading_shared ON memory FOR SELECT TO recollect_reader USING (
  space = nullif(current_setting('recollect.space', true), '')::bigint AND uid = ANY ((SELECT shared_uids())::bigint[])
);
CREATE POLICY reading_shared ON label FOR SELECT TO recollect_reader USING (
  space = nullif(current_setting('recollect.space', true), '')::bigint
  AND number = ANY ((SELECT shared_labels())::bigint[])
);

-- Lists in the space of this transaction that a memory was shared with it, or that it is no longer. The one who shares
-- need not be a member here, but must have shared it there.
CREATE FUNCTION list_shared(giver bigint, memory bigint, called text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := nullif(current_setting('recollect.space', true), '')::bigint;
BEGIN
  DELETE FROM shared t WHERE t.space = here AND t.source = giver AND t.uid = memory
    AND NOT EXISTS (SELECT 1 FROM share s WHERE s.space = giver AND s.target = here AND s.uid = memory);
  INSERT INTO shared (space, source, name, uid, given_by)
    SELECT here, giver, called, memory, s.given_by FROM share s
    WHERE s.space = giver AND s.target = here AND s.uid = memory
      AND EXISTS (SELECT 1 FROM space p WHERE p.space = here)
  ON CONFLICT DO NOTHING;
END
$$;
REVOKE ALL ON FUNCTION list_shared(bigint, bigint, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_shared(bigint, bigint, text) TO recollect_reader;

-- Tells whether a space was ever begun; nothing else of it is told to strangers.
CREATE FUNCTION is_space(wanted bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM space s WHERE s.space = wanted);
END
$$;
REVOKE ALL ON FUNCTION is_space(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_space(bigint) TO recollect_reader;

-- Lets a login into the space of this transaction and gives it the role that this level works with.
CREATE FUNCTION admit(called text, wanted integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := current_space(3);
  role text := (ARRAY['recollect_reader', 'recollect_writer', 'recollect_owner'])[wanted];
BEGIN
  IF here IS NULL THEN
    RAISE EXCEPTION 'only owners of a space let others in' USING ERRCODE = '42501';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = called) THEN
    RAISE EXCEPTION 'there is no login or group "%" on this server; create it with CREATE ROLE', called
      USING ERRCODE = '22023';
  END IF;
  INSERT INTO member (space, login, level) VALUES (here, called, wanted)
    ON CONFLICT (space, login) DO UPDATE SET level = excluded.level;
  IF NOT pg_has_role(called, role, 'MEMBER') THEN
    EXECUTE format('GRANT %I TO %I', role, called);
  END IF;
  IF NOT EXISTS (SELECT 1 FROM member m WHERE m.space = here AND m.level = 3) THEN
    RAISE EXCEPTION 'a space needs an owner' USING ERRCODE = '22023';
  END IF;
END
$$;
CREATE FUNCTION dismiss(called text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = recollect, pg_temp AS $$
DECLARE
  here bigint := current_space(3);
  known boolean;
BEGIN
  IF here IS NULL THEN
    RAISE EXCEPTION 'only owners of a space put others out' USING ERRCODE = '42501';
  END IF;
  DELETE FROM member m WHERE m.space = here AND m.login = called;
  known := FOUND;
  IF NOT EXISTS (SELECT 1 FROM member m WHERE m.space = here AND m.level = 3) THEN
    RAISE EXCEPTION 'a space needs an owner' USING ERRCODE = '22023';
  END IF;
  RETURN known;
END
$$;
REVOKE ALL ON FUNCTION admit(text, integer), dismiss(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admit(text, integer), dismiss(text) TO recollect_owner;
