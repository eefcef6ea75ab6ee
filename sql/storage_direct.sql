-- Writes without statements: when they are chosen, and that they leave the same behind as statements do.
CREATE SCHEMA storage_direct;
SET search_path = storage_direct, public;
SET client_min_messages = error;
SET singletable.force_statements = off;

-- The statements that the session has kept for a table, by their first words: none where rows were locked and changed directly.
CREATE FUNCTION statements_of(name text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(verb, ' ' ORDER BY verb), 'none') FROM (
		SELECT DISTINCT CASE WHEN ident LIKE '%FOR NO KEY UPDATE' THEN 'LOCK' WHEN ident LIKE '% DO UPDATE %' THEN 'UPSERT' ELSE split_part(ident, ' ', 1) END AS verb
		FROM pg_backend_memory_contexts
		WHERE name = 'CachedPlanSource' AND ident ~ ('^(SELECT .* FROM|INSERT INTO|UPDATE|DELETE FROM) storage_direct\.' || statements_of.name || '\M')) s
$$;

-- SQLSTATE and message of a statement that fails.
CREATE FUNCTION error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

CREATE FUNCTION rows_of(name text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT t::text FROM %I t', name);
END $$;

-- Every kind of write; the errors that come of it.
CREATE FUNCTION write_all(name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	errors text := '';
	operation text;
BEGIN
	FOREACH operation IN ARRAY array[
		$x$put_item('NAME', '{"pk": "a", "sk": 1, "n": 1}')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 2, "n": 2, "parts": [1, {"deep": true}]}')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 3, "n": 3}', 'attribute_exists(pk)')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 4, "n": 1e400}')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 10, "n": 10}')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 11, "n": 11}', 'attribute_not_exists(pk)')$x$,
		$x$put_item('NAME', '{"pk": "a", "sk": 12, "n": 3}', return_values => 'ALL_OLD')$x$,
		$x$update_item('NAME', '{"pk": "a", "sk": 13}', 'SET n = :n', attribute_values => '{":n": 13}')$x$,
		$x$put_item('NAME', jsonb_build_object('pk', (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 64) i), 'sk', 1)::item)$x$,
		$x$update_item('NAME', '{"pk": "a", "sk": 4}', 'ADD n :n', 'n > :n', '{":n": 1}')$x$,
		$x$update_item('NAME', '{"pk": "a", "sk": 2}', 'SET parts[1].deep = :d REMOVE parts[0]', attribute_values => '{":d": [false]}')$x$,
		$x$update_item('NAME', '{"pk": "a", "sk": 5}', 'SET a.b.c = :n', attribute_values => '{":n": 1}')$x$,
		$x$update_item('NAME', '{"pk": "a", "sk": 5}', 'SET #t = :t', attribute_values => jsonb_build_object(':t', repeat('five', 3000))::item, attribute_names => '{"#t": "text"}')$x$,
		$x$delete_item('NAME', '{"pk": "a", "sk": 6}')$x$,
		$x$delete_item('NAME', '{"pk": "a", "sk": 7}', 'n = :n', '{":n": 7}')$x$,
		$x$batch_write_items('{"NAME": [{"PutRequest": {"Item": {"pk": "a", "sk": 8, "n": 80}}}, {"DeleteRequest": {"Key": {"pk": "a", "sk": 9}}}]}')$x$,
		$x$transact_write_items('[{"Update": {"TableName": "NAME", "Key": {"pk": "a", "sk": 8}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": 1}}}]')$x$]
	LOOP
		errors := errors || replace(error_of('SELECT ' || replace(operation, 'NAME', name)), name, 'NAME') || E'\n';
	END LOOP;
	RETURN errors;
END $$;

-- Two tables of one kind, one written by statements.
CREATE FUNCTION try_kind(kind text, definition text) RETURNS TABLE (statements text, rows bigint, differences bigint, errors integer, other_errors boolean, index_differs boolean) LANGUAGE plpgsql AS $$
DECLARE
	names text[] := array[kind || '_d', kind || '_s'];
	messages text[];
	entries bigint[];
	count bigint;
BEGIN
	FOR i IN 1 .. 2 LOOP
		EXECUTE replace(definition, 'NAME', names[i]);
		EXECUTE format($x$INSERT INTO %I (pk, sk, item) SELECT 'a', s, jsonb_build_object('n', s)::item FROM generate_series(1, 9) s$x$, names[i]);
		EXECUTE format('CREATE INDEX ON %I ((item ->> %L)) WITH (fillfactor = 50)', names[i], 'n');
		PERFORM set_config('singletable.force_statements', CASE i WHEN 1 THEN 'off' ELSE 'on' END, true);
		messages[i] := write_all(names[i]);
		PERFORM set_config('singletable.force_statements', 'off', true);
		SET LOCAL enable_seqscan = off;
		EXECUTE format('SELECT count(*) FROM %I WHERE item ->> %L IN (SELECT item ->> %L FROM %I OFFSET 0)', names[i], 'n', 'n', names[i]) INTO count;
		entries[i] := count;
		SET LOCAL enable_seqscan = on;
	END LOOP;
	RETURN QUERY SELECT statements_of(names[1]), (SELECT count(*) FROM rows_of(names[1])),
		(SELECT count(*) FROM rows_of(names[1]) a FULL JOIN rows_of(names[2]) b ON a = b WHERE a IS NULL OR b IS NULL),
		(SELECT count(*)::integer FROM regexp_matches(messages[1], '^(?!no error).+$', 'gn')), messages[1] <> messages[2], entries[1] <> entries[2];
END $$;

CREATE FUNCTION trigger_function() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'DELETE' AND TG_WHEN = 'BEFORE' THEN
		NEW.item := NEW.item || '{"seen": true}'::item;
		RETURN NEW;
	END IF;
	RETURN OLD;
END $$;
\set table 'CREATE TABLE NAME (pk text COLLATE "C", sk numeric, item item NOT NULL, PRIMARY KEY (pk, sk))'
SELECT kind, t.* FROM (VALUES
	(1, 'plain', :'table'),
	(2, 'full', :'table' || ' WITH (fillfactor = 100)'),
	(3, 'unlogged', replace(:'table', 'CREATE', 'CREATE UNLOGGED')),
	(4, 'dropped', replace(:'table', 'sk numeric', 'gone text DEFAULT ''long'', sk numeric') || '; ALTER TABLE NAME DROP gone'),
	(5, 'other', replace(:'table', 'sk numeric', 'id integer DEFAULT 7, note text DEFAULT ''n'', long json DEFAULT to_json(repeat(''some'', 4000)), sk numeric')),
	(6, 'promoted', replace(:'table', 'sk numeric', 'text text COLLATE "C", n numeric, sk numeric') || '; CREATE INDEX ON NAME USING gsi (n, pk, sk)'),
	(7, 'added', :'table' || '; ALTER TABLE NAME ADD later text COLLATE "C" DEFAULT ''default'''),
	(8, 'unique', :'table' || '; CREATE UNIQUE INDEX NAME_n ON NAME ((item ->> ''n'')) WHERE item ->> ''n'' <> ''80'''),
	(9, 'exclusion', :'table' || '; ALTER TABLE NAME ADD EXCLUDE USING btree ((item_numeric(item, ''n'')) WITH =)'),
	(10, 'identity', :'table' || '; ALTER TABLE NAME REPLICA IDENTITY FULL'),
	(11, 'before', :'table' || '; CREATE TRIGGER t BEFORE INSERT OR UPDATE ON NAME FOR EACH ROW EXECUTE FUNCTION trigger_function()'),
	(12, 'after', :'table' || '; CREATE TRIGGER t AFTER DELETE ON NAME FOR EACH STATEMENT EXECUTE FUNCTION trigger_function()'),
	(13, 'rule', :'table' || '; CREATE RULE r AS ON DELETE TO NAME DO INSTEAD NOTHING'),
	(14, 'checked', :'table' || '; ALTER TABLE NAME ADD CHECK (item_numeric(item, ''n'') < 80)'),
	(15, 'generated', :'table' || '; ALTER TABLE NAME ADD doubled numeric GENERATED ALWAYS AS (item_numeric(item, ''n'') * 2) STORED'),
	(16, 'referenced', :'table' || '; CREATE TABLE NAME_r (pk text, sk numeric, FOREIGN KEY (pk, sk) REFERENCES NAME ON DELETE CASCADE)'),
	(17, 'deferred', :'table' || '; ALTER TABLE NAME ADD u integer UNIQUE DEFERRABLE'),
	(18, 'required', replace(:'table', 'sk numeric', 'status text COLLATE "C" NOT NULL DEFAULT ''new'', sk numeric')),
	(19, 'part', replace(:'table', 'NAME', 'NAME_parts') || ' PARTITION BY LIST (pk); CREATE TABLE NAME PARTITION OF NAME_parts FOR VALUES IN (''a'')'),
	(20, 'guarded', :'table' || '; ALTER TABLE NAME ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY')
) k (number, kind, definition), try_kind(kind, definition) t ORDER BY number;
SELECT * FROM check_item_index('promoted_d_n_pk_sk_idx');
-- What the errors are.
SELECT write_all('plain_d');
-- The superuser is above policies; others are not.
CREATE TEMP TABLE temporary (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL);
SELECT put_item('temporary', '{"pk": "a", "n": 1}');
SELECT put_item('temporary', '{"pk": "a", "n": 2}'), update_item('temporary', '{"pk": "a"}', 'ADD n :n', attribute_values => '{":n": 1}', return_values => 'ALL_NEW');
SELECT * FROM temporary;

-- Every version has its entries: more updates than a page has room for, in and out of HOT, with an index on what changes and without.
CREATE TABLE chain (pk text COLLATE "C" PRIMARY KEY, status text COLLATE "C", item item NOT NULL);
CREATE INDEX chain_status ON chain USING gsi (status, pk);
SELECT count(put_item('chain', jsonb_build_object('pk', i::text, 'status', (i % 2)::text, 'n', 0)::item)) FROM generate_series(1, 20) i;
SELECT count(update_item('chain', jsonb_build_object('pk', i::text)::item, 'ADD n :n SET filler = :f', attribute_values => jsonb_build_object(':n', 1, ':f', repeat('x', j))::item))
FROM generate_series(1, 50) j, generate_series(1, 20) i;
SELECT count(*) FILTER (WHERE n = 50), min(length(filler)), max(length(filler)) FROM (SELECT item_numeric(item, 'n') AS n, item ->> 'filler' AS filler FROM chain) s;
SELECT count(*) FROM query_items('chain', '#s = :s', '{":s": "1"}', '{"#s": "status"}', index => 'chain_status');
SELECT count(update_item('chain', jsonb_build_object('pk', i::text)::item, CASE WHEN i % 3 = 0 THEN 'REMOVE #s' ELSE 'SET #s = :s' END, attribute_names => '{"#s": "status"}',
	attribute_values => CASE WHEN i % 3 > 0 THEN jsonb_build_object(':s', (i * j % 5)::text)::item END)) FROM generate_series(1, 30) j, generate_series(1, 20) i;
SELECT count(put_item('chain', new_item)) FROM (SELECT full_item(c) || jsonb_build_object('status', 'put')::item AS new_item FROM chain c WHERE pk < '15') s;
SELECT status, count(*), count(*) FILTER (WHERE NOT full_item(c) ? 'status') AS without FROM chain c GROUP BY status ORDER BY status;
SELECT * FROM check_item_index('chain_status');
SELECT * FROM check_item_index('chain_pkey');
CREATE INDEX chain_n ON chain (item_numeric(item, 'n'));
SELECT count(update_item('chain', jsonb_build_object('pk', i::text)::item, 'SET n = :n', attribute_values => jsonb_build_object(':n', 100 + i)::item)) FROM generate_series(1, 20) i;
SET enable_seqscan = off;
SELECT count(*), sum(item_numeric(item, 'n')) FROM chain WHERE item_numeric(item, 'n') > 50;
SELECT count(*) FROM chain WHERE item_numeric(item, 'n') <= 50;
RESET enable_seqscan;
SELECT statements_of('chain');

-- Each write sees the ones before it, in one statement too, and in a transaction that is rolled back in part.
BEGIN;
SELECT update_item('chain', '{"pk": "1"}', 'ADD n :n', attribute_values => '{":n": 1}', return_values => 'UPDATED_NEW') FROM generate_series(1, 3);
SAVEPOINT s;
SELECT update_item('chain', '{"pk": "1"}', 'ADD n :n', 'n = :old', '{":n": 10, ":old": 104}', return_values => 'UPDATED_NEW');
SELECT delete_item('chain', '{"pk": "2"}'), put_item('chain', '{"pk": "3", "n": 1}'), put_item('chain', '{"pk": "x"}'), put_item('chain', '{"pk": "3", "n": 2}', return_values => 'ALL_OLD');
ROLLBACK TO s;
SELECT update_item('chain', '{"pk": "1"}', 'ADD n :n', 'n = :old', '{":n": 1, ":old": 104}', return_values => 'UPDATED_NEW');
SELECT get_item('chain', '{"pk": "2"}', 'n'), get_item('chain', '{"pk": "3"}', 'n');
COMMIT;
-- A statement that reads the rows which it writes sees them as they were.
SELECT count(update_item('chain', jsonb_build_object('pk', pk)::item, 'SET n = :n', attribute_values => '{":n": 7}')), max(item_numeric(item, 'n')) > 7 AS old FROM chain;
DECLARE before CURSOR WITH HOLD FOR SELECT DISTINCT item -> 'n' FROM chain;
SELECT count(delete_item('chain', jsonb_build_object('pk', i::text)::item)) FROM generate_series(1, 20) i;
FETCH ALL FROM before;
SELECT count(*) FROM chain;

-- Where writing is not allowed.
BEGIN READ ONLY;
SELECT put_item('plain_d', '{"pk": "a", "sk": 1}');
ROLLBACK;
BEGIN READ ONLY;
SELECT delete_item('plain_d', '{"pk": "a", "sk": 1}');
ROLLBACK;
BEGIN READ ONLY;
SELECT update_item('temporary', '{"pk": "a"}', 'ADD n :n', attribute_values => '{":n": 1}', return_values => 'ALL_NEW');
ROLLBACK;
ALTER TABLE plain_d REPLICA IDENTITY NOTHING;
CREATE PUBLICATION storage_direct FOR TABLE plain_d;
SELECT error_of(s) FROM unnest(array[$x$SELECT put_item('plain_d', '{"pk": "a", "sk": 1}')$x$, $x$SELECT update_item('plain_d', '{"pk": "a", "sk": 1}', 'REMOVE n')$x$,
	$x$SELECT delete_item('plain_d', '{"pk": "a", "sk": 1}')$x$]) s;
DROP PUBLICATION storage_direct;

-- Privileges of each write, on the table and on columns, and policies.
CREATE ROLE regress_singletable_direct;
GRANT USAGE ON SCHEMA storage_direct TO regress_singletable_direct;
CREATE TABLE owned (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL);
CREATE FUNCTION try_granted(grants text) RETURNS TABLE (operation text, result text) LANGUAGE plpgsql AS $$
DECLARE
	forced text;
BEGIN
	EXECUTE 'REVOKE ALL ON owned FROM regress_singletable_direct';
	EXECUTE format('GRANT %s ON owned TO regress_singletable_direct', grants);
	FOREACH operation IN ARRAY array[$x$put_item('owned', '{"pk": "a"}')$x$, $x$update_item('owned', '{"pk": "a"}', 'SET n = :n', attribute_values => '{":n": 1}')$x$,
		$x$delete_item('owned', '{"pk": "a"}')$x$]
	LOOP
		DELETE FROM owned;
		INSERT INTO owned VALUES ('a', '{}');
		SET LOCAL ROLE regress_singletable_direct;
		result := error_of('SELECT ' || operation);
		RESET ROLE;
		DELETE FROM owned;
		INSERT INTO owned VALUES ('a', '{}');
		SET LOCAL singletable.force_statements = on;
		SET LOCAL ROLE regress_singletable_direct;
		forced := error_of('SELECT ' || operation);
		RESET ROLE;
		SET LOCAL singletable.force_statements = off;
		IF forced <> result THEN
			result := result || ', but by a statement ' || forced;
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
SELECT grants, t.* FROM unnest(array['SELECT', 'SELECT, UPDATE', 'SELECT, INSERT', 'SELECT, DELETE', 'UPDATE', 'INSERT, UPDATE, DELETE', 'SELECT, INSERT, UPDATE', 'SELECT, UPDATE, DELETE', 'ALL',
	'SELECT, UPDATE (item)', 'SELECT (pk, item), UPDATE (pk, item), INSERT (pk, item)']) WITH ORDINALITY g (grants, number), try_granted(grants) WITH ORDINALITY t (operation, result, step) ORDER BY number, step;
GRANT ALL ON owned TO regress_singletable_direct;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
CREATE POLICY reading ON owned FOR SELECT USING (true);
CREATE POLICY writing ON owned FOR UPDATE USING (pk < 'm');
TRUNCATE owned;
INSERT INTO owned VALUES ('a', '{}'), ('z', '{}');
SET ROLE regress_singletable_direct;
SELECT storage_direct.error_of(format($x$SELECT update_item('owned', '{"pk": "%s"}', 'SET n = :n', 'attribute_exists(pk)', '{":n": 1}')$x$, k)) FROM unnest(array['a', 'z']) k;
SELECT storage_direct.error_of(format($x$SELECT delete_item('owned', '{"pk": "%s"}')$x$, k)) FROM unnest(array['a', 'z']) k;
RESET ROLE;
SELECT * FROM owned ORDER BY pk;
-- A trigger that comes is seen by the next write.
ALTER TABLE owned DISABLE ROW LEVEL SECURITY;
SELECT put_item('owned', '{"pk": "a"}');
CREATE TRIGGER t BEFORE UPDATE ON owned FOR EACH ROW EXECUTE FUNCTION trigger_function();
SELECT put_item('owned', '{"pk": "a"}');
SELECT * FROM owned WHERE pk = 'a';
DROP TRIGGER t ON owned;
SELECT put_item('owned', '{"pk": "a"}');
SELECT * FROM owned WHERE pk = 'a';

-- Numbers that plain SQL wrote: in another way, and such as no item has.
CREATE TABLE numbers (pk numeric PRIMARY KEY, n numeric, item item NOT NULL);
INSERT INTO numbers VALUES (1.00, 2.000, '{"a": 1}'), (2.0, 'NaN', '{"a": 2}'), (3, 'Infinity', '{"a": 3}');
SELECT put_item('numbers', '{"pk": 1, "n": 2, "b": 1}'), put_item('numbers', '{"pk": 2, "b": 1}'), put_item('numbers', '{"pk": 3, "n": 4, "b": 1}');
SELECT * FROM numbers ORDER BY pk;

DROP OWNED BY regress_singletable_direct;
DROP ROLE regress_singletable_direct;
DROP SCHEMA storage_direct CASCADE;
