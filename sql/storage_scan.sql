-- Scans live from call to call: cursors, savepoints, errors in between, early ends.  Nothing may be left open (a leak is a WARNING).
CREATE SCHEMA storage_scan;
SET search_path = storage_scan, public;

CREATE TABLE shop (pk text COLLATE "C", sk numeric, g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX ON shop USING gsi (g, sk, pk) WITH (name = 'by_g', sort_keys = 1, projection = 'KEYS_ONLY');
INSERT INTO shop SELECT 'a', i, 'g' || i % 2, jsonb_build_object('text', repeat('x', 100 * (i % 5)))::item FROM generate_series(1, 1000) i;
CREATE INDEX ON shop USING gsi (g, sk, pk) WITH (name = 'by_g_1', sort_keys = 1);
CREATE INDEX ON shop USING gsi (g, sk, pk) WITH (name = 'by_g_2', sort_keys = 1);
CREATE INDEX ON shop USING gsi (g, sk, pk) WITH (name = 'by_g_3', sort_keys = 1);
CREATE TABLE parts (LIKE shop INCLUDING ALL) PARTITION BY LIST (pk);
CREATE TABLE parts_a PARTITION OF parts FOR VALUES IN ('a');
INSERT INTO parts SELECT * FROM shop;

CREATE FUNCTION check_cursors() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	rows refcursor; row record; result text := '';
BEGIN
	-- Rows of a snapshot, whatever happens to them after it was taken; a cursor that goes on in and after a block that fails.
	OPEN rows FOR SELECT item ->> 'sk' AS sk FROM (SELECT query_items('parts', 'pk = :p AND sk > :s', '{":p": "a", ":s": 995}') AS item) q;
	FETCH rows INTO row;
	result := result || row.sk;
	BEGIN
		FETCH rows INTO row;
		result := result || ' ' || row.sk;
		UPDATE parts SET item = '{"changed": true}' WHERE sk = 998;
		DELETE FROM parts WHERE sk = 999;
		FETCH rows INTO row;
		result := result || ' ' || row.sk;
		RAISE EXCEPTION 'back';
	EXCEPTION WHEN raise_exception THEN
		result := result || ' ' || SQLERRM;
	END;
	FETCH rows INTO row;
	result := result || ' ' || row.sk;
	CLOSE rows;
	RETURN NEXT result;
	-- Loops that end early, inside and outside.
	result := '';
	FOR row IN SELECT query_items('shop', 'pk = :p', '{":p": "a"}') ->> 'sk' AS sk LOOP
		EXIT WHEN row.sk::numeric > 3;
		FOR rows IN SELECT 1 LOOP NULL; END LOOP;
		result := result || row.sk || ' ';
	END LOOP;
	RETURN NEXT result;
END $$;

-- SQL cursors on the three ways: the access methods, the index alone, statements.
CREATE FUNCTION scans() RETURNS TABLE (name text, query text) LANGUAGE sql AS $$
	VALUES ('direct', 'SELECT query_items(''shop'', ''pk = :p'', ''{":p": "a"}'') ->> ''sk'' AS sk'),
		('keys', 'SELECT query_items(''shop'', ''g = :p'', ''{":p": "g1"}'', index => ''by_g'') ->> ''sk'' AS sk'),
		('statement', 'SELECT query_items(''parts'', ''pk = :p'', ''{":p": "a"}'') ->> ''sk'' AS sk')
$$;
BEGIN;
SELECT format('DECLARE c_%s CURSOR FOR %s', name, query) FROM scans() \gexec
FETCH 2 FROM c_direct;
FETCH 2 FROM c_keys;
FETCH 2 FROM c_statement;
DELETE FROM shop WHERE sk < 10;
DELETE FROM parts WHERE sk < 10;
FETCH 2 FROM c_direct;
FETCH 2 FROM c_keys;
FETCH 2 FROM c_statement;
-- A savepoint that goes away with what was fetched in it.
SAVEPOINT s;
FETCH 2 FROM c_direct;
FETCH 2 FROM c_keys;
FETCH 2 FROM c_statement;
SELECT format('DECLARE d_%s CURSOR FOR %s', name, query) FROM scans() \gexec
FETCH 2 FROM d_direct;
FETCH 2 FROM d_keys;
FETCH 2 FROM d_statement;
SELECT 1 / 0;
ROLLBACK TO s;
FETCH 2 FROM c_direct;
FETCH 2 FROM c_keys;
FETCH 2 FROM c_statement;
FETCH 2 FROM d_direct;
ROLLBACK TO s;
-- One that was opened in a savepoint and outlives it.
SELECT format('DECLARE e_%s CURSOR FOR %s', name, query) FROM scans() \gexec
FETCH 1 FROM e_direct;
FETCH 1 FROM e_keys;
FETCH 1 FROM e_statement;
RELEASE s;
FETCH 2 FROM e_direct;
FETCH 2 FROM e_keys;
FETCH 2 FROM e_statement;
CLOSE c_direct;
COMMIT;
-- Cursors that are open when the transaction ends, one way or the other; that are held over its end.
BEGIN;
SELECT format('DECLARE c_%s CURSOR FOR %s', name, query) FROM scans() \gexec
FETCH 1 FROM c_direct;
FETCH 1 FROM c_keys;
FETCH 1 FROM c_statement;
ROLLBACK;
BEGIN;
SELECT format('DECLARE c_%s CURSOR WITH HOLD FOR %s', name, query) FROM scans() \gexec
FETCH 1 FROM c_direct;
FETCH 1 FROM c_keys;
FETCH 1 FROM c_statement;
COMMIT;
FETCH 2 FROM c_direct;
FETCH 2 FROM c_keys;
FETCH 2 FROM c_statement;
CLOSE ALL;
BEGIN;
INSERT INTO shop SELECT 'a', i, 'g' || i % 2 FROM generate_series(1, 9) i;
INSERT INTO parts SELECT 'a', i, 'g' || i % 2 FROM generate_series(1, 9) i;
COMMIT;
SELECT * FROM check_cursors();

-- Early ends, rescans, several scans at once, an error in the middle of each.
SELECT query_items('shop', 'pk = :p', '{":p": "a"}') ->> 'sk' AS sk LIMIT 2;
SELECT i, (SELECT (SELECT query_items('shop', 'pk = :p AND sk > :s', jsonb_build_object(':p', 'a', ':s', i)::item) LIMIT 1) ->> 'sk') AS next FROM generate_series(1, 3) i;
SELECT query_items('shop', 'pk = :p', '{":p": "a"}') ->> 'sk' AS a, query_items('parts', 'pk = :p', '{":p": "a"}', forward => false) ->> 'sk' AS b,
	query_items('shop', 'g = :p', '{":p": "g1"}', index => 'by_g') ->> 'sk' AS c LIMIT 3;
SELECT count(*) FROM generate_series(1, 20) i, query_items('shop', 'pk = :p AND sk < :s', '{":p": "a", ":s": 11}') a, query_items('parts', 'pk = :p AND sk < :s', '{":p": "a", ":s": 11}') b;
SELECT format('SELECT 1 / (sk::numeric - 3) FROM (%s) q', query) FROM scans() \gexec
DO $$
DECLARE
	failed integer := 0; scan record;
BEGIN
	FOR i IN 1 .. 100 LOOP
		FOR scan IN SELECT * FROM scans() LOOP
			BEGIN
				EXECUTE format('SELECT 1 / (sk::numeric - 5) FROM (%s) q', scan.query);
				EXECUTE format('SELECT count(*) FROM (SELECT 1 / (sk::numeric - 5) FROM (%s) q) r', scan.query);
				EXECUTE format('SELECT count(x) FROM (SELECT 1 / (sk::numeric - 5) AS x FROM (%s) q) r', scan.query);
			EXCEPTION WHEN division_by_zero THEN
				failed := failed + 1;
			END;
		END LOOP;
	END LOOP;
	RAISE NOTICE '% failed', failed;
END $$;
-- In a procedure that commits between its scans.
CREATE PROCEDURE commit_between() LANGUAGE plpgsql AS $$
DECLARE
	row record; result text := '';
BEGIN
	FOR row IN SELECT query_items('shop', 'pk = :p AND sk < :s', '{":p": "a", ":s": 4}') ->> 'sk' AS sk LOOP
		result := result || row.sk || ' ';
		UPDATE parts SET item = item || '{"seen": true}' WHERE sk = row.sk::numeric;
		COMMIT;
	END LOOP;
	RAISE NOTICE '%', result;
END $$;
CALL commit_between();

-- Changes of a table that is being read are refused, as for any cursor; a new name is known to the next call.
BEGIN;
SELECT format('DECLARE c_%s CURSOR FOR %s', name, query) FROM scans() \gexec
FETCH 1 FROM c_direct;
FETCH 1 FROM c_statement;
SAVEPOINT s;
ALTER TABLE shop DROP COLUMN g;
ROLLBACK TO s;
ALTER TABLE parts DROP COLUMN g;
ROLLBACK TO s;
DROP TABLE shop;
ROLLBACK TO s;
ALTER TABLE shop RENAME COLUMN sk TO number;
FETCH 1 FROM c_direct;
SELECT query_items('shop', 'pk = :p', '{":p": "a"}') ->> 'number' AS number LIMIT 1;
ROLLBACK;

-- Memory does not grow with the number of scans: the session's contexts, before and after.
CREATE FUNCTION context_bytes() RETURNS bigint LANGUAGE sql AS $$ SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts $$;
CREATE FUNCTION work(rounds integer) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM generate_series(1, rounds) i, query_items('shop', 'pk = :p AND sk = :s', '{":p": "a", ":s": 11}') a, query_items('parts', 'pk = :p AND sk = :s', '{":p": "a", ":s": 11}') b
$$;
SELECT work(100);
SELECT context_bytes() AS before \gset
SELECT work(3000);
SELECT context_bytes() - :before < 100000 AS is_bounded;

-- More kinds of scans than a table keeps statements for.
SELECT tbl, count(*) FROM unnest(array['shop'::regclass, 'parts']) tbl, generate_series(1, 12) i, unnest(array['>', '>=', '<', '<=', '=']) operator,
	unnest(array[NULL, 'by_g', 'by_g_1', 'by_g_2', 'by_g_3']) index_name,
	query_items(tbl, format('%s = :p AND sk %s :s', CASE WHEN index_name IS NULL THEN 'pk' ELSE 'g' END, operator),
		jsonb_build_object(':p', CASE WHEN index_name IS NULL THEN 'a' ELSE 'g1' END, ':s', i)::item, index => index_name, forward => i % 2 = 0,
		start_key => CASE WHEN i % 3 = 0 AND operator LIKE '>%' THEN jsonb_build_object('pk', 'a', 'sk', i + 1)::item || CASE WHEN index_name IS NULL THEN '{}'::item ELSE '{"g": "g1"}'::item END END)
GROUP BY tbl ORDER BY tbl;

-- The same in SERIALIZABLE, where reads leave predicate locks.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SET LOCAL singletable.force_statements = off;
SELECT count(*) FROM query_items('shop', 'pk = :p AND sk < :s', '{":p": "a", ":s": 11}');
SELECT count(*) FROM query_items('shop', 'g = :p AND sk < :s', '{":p": "g1", ":s": 11}', index => 'by_g');
SELECT get_item('shop', '{"pk": "a", "sk": 1}') IS NOT NULL AS found;
SELECT relation::regclass, count(*) > 0 AS has_locks FROM pg_locks WHERE mode = 'SIReadLock' AND pid = pg_backend_pid() GROUP BY 1 ORDER BY 1::text;
COMMIT;
VACUUM shop;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SET LOCAL singletable.force_statements = off;
SELECT count(*) FROM query_items('shop', 'g = :p AND sk < :s', '{":p": "g1", ":s": 11}', index => 'by_g');
SELECT relation::regclass, count(*) > 0 AS has_locks FROM pg_locks WHERE mode = 'SIReadLock' AND pid = pg_backend_pid() GROUP BY 1 ORDER BY 1::text;
COMMIT;

SET client_min_messages = warning;
DROP SCHEMA storage_scan CASCADE;
