-- Access keys of the HTTP endpoint: who may make, see and revoke them, and that nobody can read a secret.
\set VERBOSITY terse
CREATE ROLE regress_key_ann LOGIN;
CREATE ROLE regress_key_ben LOGIN;
CREATE ROLE regress_key_team LOGIN;
CREATE ROLE regress_key_group NOLOGIN;
GRANT regress_key_team TO regress_key_ben;
GRANT pg_read_all_data TO regress_key_ben;

-- What a key looks like.
SELECT * FROM create_access_key('regress_key_ann', 'the shop') \gset first_
SELECT :'first_access_key_id' ~ '^AKIA[A-Z2-7]{16}$' AS id, :'first_secret_access_key' ~ '^[A-Za-z0-9+/]{40}$' AS secret;
SELECT count(DISTINCT (k).access_key_id), count(DISTINCT (k).secret_access_key)
FROM (SELECT create_access_key('regress_key_team') AS k FROM generate_series(1, 20)) AS made;

-- Bad arguments.
SELECT set_config('regress.key', :'first_access_key_id', false) <> '' AS kept, session_user AS superuser \gset
SELECT create_access_key(NULL);
SELECT create_access_key('regress_key_nobody');
SELECT create_access_key(4000000000::oid::regrole);
SELECT create_access_key('regress_key_group');
SELECT revoke_access_key('AKIANONE');
SELECT revoke_access_key('');
SELECT revoke_access_key(NULL) IS NULL AS nothing;
BEGIN TRANSACTION READ ONLY;
SELECT create_access_key('regress_key_ann');
ROLLBACK;
BEGIN TRANSACTION READ ONLY;
SELECT revoke_access_key(:'first_access_key_id');
ROLLBACK;
SELECT access_key_changed();

-- A role makes keys of its own, sees them, and those of no other.
SET ROLE regress_key_ann;
SELECT access_key_id <> :'first_access_key_id' AS made FROM create_access_key(current_user::regrole);
SELECT create_access_key('regress_key_ben');
DO $$BEGIN PERFORM create_access_key(quote_ident(session_user)::regrole); EXCEPTION WHEN insufficient_privilege THEN RAISE NOTICE 'not permitted'; END$$;
SELECT role, status, description, created_by = :'superuser' AS by_superuser, revoked FROM list_access_keys();
RESET ROLE;

-- A member of a role too.
SET ROLE regress_key_ben;
SELECT count(*) AS made FROM create_access_key('regress_key_team', 'made by a member');
SELECT role, status, description, count(*) FROM list_access_keys() GROUP BY 1, 2, 3 ORDER BY 3;
DO $$BEGIN PERFORM revoke_access_key(current_setting('regress.key')); EXCEPTION WHEN undefined_object THEN RAISE NOTICE 'not known'; END$$;

-- Nobody reads or writes the table, whatever is granted.
RESET ROLE;
GRANT ALL ON singletable_access_key TO regress_key_ann;
SET ROLE regress_key_ann;
SELECT count(*) FROM singletable_access_key;
INSERT INTO singletable_access_key (key_id, secret, role, role_name, created, created_by) VALUES ('A', 'b', 'regress_key_ann', 'regress_key_ann', now(), 'regress_key_ann');
UPDATE singletable_access_key SET secret = 'known';
DELETE FROM singletable_access_key;
SELECT count(*) FROM list_access_keys();
SET ROLE regress_key_ben;
SELECT count(*) FROM singletable_access_key;
RESET ROLE;
REVOKE ALL ON singletable_access_key FROM regress_key_ann;
SET ROLE regress_key_ann;
SELECT count(*) FROM singletable_access_key;
RESET ROLE;
ANALYZE singletable_access_key;
SELECT attname FROM pg_stats WHERE tablename = 'singletable_access_key' AND attname = 'secret';
SELECT c.relacl IS NULL OR NOT EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner) AS for_nobody
FROM pg_class AS c WHERE oid = 'singletable_access_key'::regclass;
SELECT 'singletable_access_key'::regclass = ANY (extconfig) IS NOT TRUE AS not_dumped FROM pg_extension WHERE extname = 'singletable';

-- Revoked keys stay in the list; revoking twice changes nothing.
SET ROLE regress_key_ann;
SELECT revoke_access_key(:'first_access_key_id');
SELECT status, description, revoked >= created AS since FROM list_access_keys();
SELECT revoked AS revoked_at FROM list_access_keys() WHERE access_key_id = :'first_access_key_id' \gset
SELECT revoke_access_key(:'first_access_key_id');
SELECT revoked = :'revoked_at' AS same FROM list_access_keys() WHERE access_key_id = :'first_access_key_id';
RESET ROLE;

-- Why a key is void.
CREATE FUNCTION pg_temp.ann_keys() RETURNS TABLE (role name, status text) LANGUAGE sql AS
	$$SELECT role, status FROM list_access_keys() WHERE role = 'regress_key_ann' AND revoked IS NULL$$;
ALTER ROLE regress_key_ann NOLOGIN;
SELECT * FROM pg_temp.ann_keys();
ALTER ROLE regress_key_ann LOGIN VALID UNTIL '2020-01-01';
SELECT * FROM pg_temp.ann_keys();
ALTER ROLE regress_key_ann VALID UNTIL 'infinity';
SELECT * FROM pg_temp.ann_keys();
REVOKE CONNECT ON DATABASE :DBNAME FROM PUBLIC;
SELECT * FROM pg_temp.ann_keys();
GRANT CONNECT ON DATABASE :DBNAME TO PUBLIC;
SELECT * FROM pg_temp.ann_keys();
ALTER ROLE regress_key_ann RENAME TO regress_key_anna;
SELECT * FROM pg_temp.ann_keys();
ALTER ROLE regress_key_anna RENAME TO regress_key_ann;
SELECT * FROM pg_temp.ann_keys();
-- A role of the same name is another role.
DROP ROLE regress_key_ann;
SELECT * FROM pg_temp.ann_keys();
CREATE ROLE regress_key_ann LOGIN;
SELECT * FROM pg_temp.ann_keys();
SET ROLE regress_key_ann;
SELECT count(*) FROM list_access_keys();
RESET ROLE;

-- A role has 100 keys at most; the one that was revoked first makes room.
DELETE FROM singletable_access_key WHERE role_name = 'regress_key_team';
SELECT count(k) FROM (SELECT create_access_key('regress_key_team', i::text) AS k FROM generate_series(1, 100) AS i) AS made;
SELECT create_access_key('regress_key_team');
SELECT revoke_access_key(access_key_id) FROM list_access_keys() WHERE description = '7';
SELECT revoke_access_key(access_key_id) FROM list_access_keys() WHERE description = '3';
SELECT count(*) AS made FROM create_access_key('regress_key_team', 'one more');
SELECT status, count(*), max(description) FILTER (WHERE status = 'revoked') FROM list_access_keys()
WHERE role = 'regress_key_team' GROUP BY status ORDER BY status;

-- The constraint of the id, for its owner.
INSERT INTO singletable_access_key (key_id, secret, role, role_name, created, created_by)
VALUES ('two words', 'b', 'regress_key_ann', 'regress_key_ann', now(), 'regress_key_ann');

DELETE FROM singletable_access_key WHERE role_name LIKE 'regress_key_%';
DROP FUNCTION pg_temp.ann_keys();
DROP ROLE regress_key_ann, regress_key_ben, regress_key_team, regress_key_group;
