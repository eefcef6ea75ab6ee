-- Privileges and row-level security hold as in plain SQL, whichever way rows are read, and whoever asked before.
CREATE SCHEMA storage_privileges;
SET search_path = storage_privileges, public;

-- SQLSTATE and message of a statement that fails.
CREATE FUNCTION error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
CREATE ROLE regress_singletable_reader;
CREATE ROLE regress_singletable_columns;
CREATE ROLE regress_singletable_writer;
CREATE ROLE regress_singletable_nobody;
CREATE ROLE regress_singletable_bypass BYPASSRLS;
GRANT USAGE ON SCHEMA storage_privileges TO PUBLIC;

CREATE TABLE shop (pk text COLLATE "C", sk text COLLATE "C", gsi1pk text COLLATE "C", secret integer DEFAULT 42, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX by_gsi1 ON shop USING gsi (gsi1pk, pk, sk) WITH (name = 'by_gsi1');
INSERT INTO shop (pk, sk, gsi1pk, item) SELECT 'tenant' || t, i::text, 'g', jsonb_build_object('n', i)::item FROM generate_series(1, 3) t, generate_series(1, 3) i;
GRANT SELECT ON shop TO regress_singletable_reader;
GRANT SELECT (pk, sk, gsi1pk, item) ON shop TO regress_singletable_columns;
GRANT SELECT, INSERT, UPDATE ON shop TO regress_singletable_writer;

-- Everything that reads or writes, and the error it gives.
CREATE FUNCTION try_all() RETURNS TABLE (statement text, result text) LANGUAGE sql AS $$
	SELECT s, error_of('SELECT ' || s) FROM unnest(array[
		$x$get_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "1"}')$x$,
		$x$query_items('storage_privileges.shop', 'pk = :p', '{":p": "tenant1"}')$x$,
		$x$query_items('storage_privileges.shop', 'gsi1pk = :p', '{":p": "g"}', index => 'by_gsi1')$x$,
		$x$scan_items('storage_privileges.shop', total_segments => 2, segment => 1)$x$,
		$x$batch_get_items('{"storage_privileges.shop": {"Keys": [{"pk": "tenant1", "sk": "1"}]}}')$x$,
		$x$put_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "9"}')$x$,
		$x$put_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "9"}', 'attribute_exists(pk)')$x$,
		$x$update_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "9"}', 'SET a = :a', NULL, '{":a": 1}')$x$,
		$x$check_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "9"}', 'attribute_exists(pk)')$x$,
		$x$delete_item('storage_privileges.shop', '{"pk": "tenant1", "sk": "9"}')$x$]) s
$$;
SET ROLE regress_singletable_nobody;
SELECT result, statement FROM try_all();
SET ROLE regress_singletable_reader;
SELECT result, statement FROM try_all();
SET ROLE regress_singletable_columns;
SELECT result, statement FROM try_all();
SET ROLE regress_singletable_writer;
SELECT result, statement FROM try_all();
RESET ROLE;
SELECT result, statement FROM try_all();
-- The same statements, kept from before, for those who may not.
SET ROLE regress_singletable_nobody;
SELECT DISTINCT result FROM try_all();
SET singletable.force_statements = on;
SELECT DISTINCT result FROM try_all();
SET ROLE regress_singletable_reader;
SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}');
RESET singletable.force_statements;
SET ROLE regress_singletable_columns;
SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}');
SELECT count(*) FROM query_items('shop', 'gsi1pk = :p', '{":p": "g"}', index => 'by_gsi1');
RESET ROLE;
REVOKE SELECT (item) ON shop FROM regress_singletable_columns;
SET ROLE regress_singletable_columns;
SELECT error_of($$SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}')$$);
RESET ROLE;
-- A privilege that is taken away, and a role that has it, as one may do in a session.
REVOKE SELECT ON shop FROM regress_singletable_reader;
SET ROLE regress_singletable_reader;
SELECT error_of($$SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}')$$);
RESET ROLE;
CREATE FUNCTION get_as_owner(pk text) RETURNS item LANGUAGE sql SECURITY DEFINER AS $$ SELECT get_item('storage_privileges.shop', jsonb_build_object('pk', pk, 'sk', '1')::item) $$;
SET ROLE regress_singletable_reader;
SELECT get_as_owner('tenant1');
RESET ROLE;
GRANT regress_singletable_writer TO regress_singletable_reader;
SET ROLE regress_singletable_reader;
SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}');
RESET ROLE;
REVOKE regress_singletable_writer FROM regress_singletable_reader;
GRANT pg_read_all_data TO regress_singletable_reader;
SET ROLE regress_singletable_reader;
SELECT get_item('shop', '{"pk": "tenant1", "sk": "1"}');
RESET ROLE;
REVOKE pg_read_all_data FROM regress_singletable_reader;

-- Row-level security: one policy by a setting, with the item's own attributes.
GRANT SELECT ON shop TO regress_singletable_reader, regress_singletable_bypass;
GRANT DELETE ON shop TO regress_singletable_writer;
UPDATE shop SET item = item || '{"hidden": true}' WHERE sk = '3';
ALTER TABLE shop ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON shop USING (pk = current_setting('my.tenant') AND NOT full_item(shop) ? 'hidden')
	WITH CHECK (pk = current_setting('my.tenant') AND NOT item_matches(full_item(shop), 'n > :max', '{":max": 100}'));
SET my.tenant = 'tenant1';
CREATE FUNCTION count_all() RETURNS TABLE (reads text, rows bigint) LANGUAGE sql AS $$
	SELECT 'get', count(get_item('storage_privileges.shop', jsonb_build_object('pk', 'tenant' || t, 'sk', i::text)::item)) FROM generate_series(1, 3) t, generate_series(1, 3) i
	UNION ALL SELECT 'query', count(*) FROM generate_series(1, 3) t, query_items('storage_privileges.shop', 'pk = :p', jsonb_build_object(':p', 'tenant' || t)::item)
	UNION ALL SELECT 'index', count(*) FROM query_items('storage_privileges.shop', 'gsi1pk = :p', '{":p": "g"}', index => 'by_gsi1')
	UNION ALL SELECT 'scan', count(*) FROM scan_items('storage_privileges.shop')
	UNION ALL SELECT 'batch', count(*) FROM batch_get_items((SELECT json_build_object('storage_privileges.shop', json_build_object('Keys', json_agg(json_build_object('pk', 'tenant' || t, 'sk', i::text)))) FROM generate_series(1, 3) t, generate_series(1, 3) i))
$$;
SELECT * FROM count_all();
SET ROLE regress_singletable_reader;
SELECT * FROM count_all();
SET my.tenant = 'tenant2';
SELECT * FROM count_all();
SELECT scan_items('shop');
SET ROLE regress_singletable_bypass;
SELECT * FROM count_all();
RESET ROLE;
SELECT * FROM count_all();
SET ROLE regress_singletable_reader;
SET row_security = off;
SELECT error_of($$SELECT get_item('shop', '{"pk": "tenant2", "sk": "1"}')$$), error_of($$SELECT scan_items('shop')$$);
RESET row_security;
SELECT * FROM count_all();
RESET ROLE;
SELECT * FROM count_all();
ALTER TABLE shop FORCE ROW LEVEL SECURITY;
ALTER TABLE shop OWNER TO regress_singletable_bypass;
ALTER ROLE regress_singletable_bypass NOBYPASSRLS;
SET ROLE regress_singletable_bypass;
SELECT * FROM count_all();
RESET ROLE;
ALTER TABLE shop NO FORCE ROW LEVEL SECURITY;
SET ROLE regress_singletable_bypass;
SELECT * FROM count_all();
RESET ROLE;

-- Writes under policies: of rows that are hidden, and to rows that would be.
SET ROLE regress_singletable_writer;
SET my.tenant = 'tenant2';
SELECT put_item('shop', '{"pk": "tenant2", "sk": "4", "n": 4}'), put_item('shop', '{"pk": "tenant2", "sk": "5", "n": 5}', 'attribute_not_exists(pk)');
SELECT update_item('shop', '{"pk": "tenant2", "sk": "4"}', 'ADD n :one', NULL, '{":one": 1}', return_values => 'ALL_NEW');
SELECT error_of($$SELECT update_item('shop', '{"pk": "tenant2", "sk": "4"}', 'ADD n :one', NULL, '{":one": 1000}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant1", "sk": "8"}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant1", "sk": "8"}', 'attribute_not_exists(pk)')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant1", "sk": "1"}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant1", "sk": "1"}', 'attribute_not_exists(pk)')$$);
-- A row of one's own that is hidden: it is there all the same.
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant2", "sk": "3"}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "tenant2", "sk": "3"}', 'attribute_not_exists(pk)')$$);
SELECT error_of($$SELECT check_item('shop', '{"pk": "tenant2", "sk": "3"}', 'attribute_not_exists(pk)')$$);
SELECT error_of($$SELECT update_item('shop', '{"pk": "tenant2", "sk": "3"}', 'SET a = :a', NULL, '{":a": 1}')$$);
SELECT delete_item('shop', '{"pk": "tenant1", "sk": "1"}', return_values => 'ALL_OLD'), delete_item('shop', '{"pk": "tenant2", "sk": "1"}', return_values => 'ALL_OLD');
RESET ROLE;
SELECT full_item(s) FROM shop s ORDER BY pk, sk;

SET client_min_messages = warning;
DROP SCHEMA storage_privileges CASCADE;
DROP ROLE regress_singletable_reader, regress_singletable_columns, regress_singletable_writer, regress_singletable_nobody, regress_singletable_bypass;
