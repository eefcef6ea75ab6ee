-- Secondary indexes with all three projections: what queries and scans return, filter and refuse.
\pset format unaligned
\pset tuples_only on

CREATE TABLE t (pk text COLLATE "C", sk text COLLATE "C", g text COLLATE "C", l numeric, extra text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX g_all ON t USING gsi (g, pk, sk);
CREATE INDEX g_keys ON t USING gsi (g, pk, sk) WITH (projection = 'KEYS_ONLY');
CREATE INDEX g_some ON t USING gsi (g, pk, sk) WITH (projection = 'INCLUDE', non_key_attributes = '["a", "extra", "not there"]');
CREATE INDEX l_all ON t USING lsi (pk, l, sk);
CREATE INDEX l_keys ON t USING lsi (pk, l, sk) WITH (projection = 'KEYS_ONLY');
CREATE INDEX l_some ON t USING lsi (pk, l, sk) WITH (projection = 'INCLUDE', non_key_attributes = '["a"]');
SELECT put_item('t', '{"pk": "p", "sk": "1", "g": "G", "l": 10, "extra": "E", "a": {"x": 1, "y": [1, 2]}, "b": "B1"}');
SELECT put_item('t', '{"pk": "p", "sk": "2", "g": "G", "l": 5, "extra": 5, "b": "B2"}');
SELECT put_item('t', '{"pk": "p", "sk": "3", "g": "G", "a": "only in the global ones"}');
SELECT put_item('t', '{"pk": "p", "sk": "4", "l": 7, "a": "only in the local ones"}');

-- By default an index returns what it projects: all, its keys and the table's, or those and some more.
SELECT i, query_items('t', 'g = :g', '{":g": "G"}', index => i) FROM unnest(ARRAY['g_all', 'g_keys', 'g_some']) i;
SELECT i, query_items('t', 'pk = :p', '{":p": "p"}', index => i, forward => false) FROM unnest(ARRAY['l_all', 'l_keys', 'l_some']) i;
SELECT i, scan_items('t', index => i) FROM unnest(ARRAY['g_all', 'g_keys', 'g_some', 'l_all', 'l_keys', 'l_some']) i;
-- Projections of what is there; paths into projected maps.
SELECT query_items('t', 'g = :g', '{":g": "G"}', index => 'g_some', projection => 'a.x, sk');
SELECT query_items('t', 'g = :g', '{":g": "G"}', index => 'g_keys', projection => 'sk');
-- A global index does not give more; a local one fetches it from the table.
SELECT query_items('t', 'g = :g', '{":g": "G"}', index => 'g_some', projection => 'sk, b');
SELECT query_items('t', 'g = :g', '{":g": "G"}', index => 'g_keys', projection => 'sk, b, a.x, l');
SELECT query_items('t', 'pk = :p', '{":p": "p"}', index => 'l_keys', projection => 'sk, b, a.y[1]');
SELECT query_items('t', 'pk = :p', '{":p": "p"}', index => 'l_some', projection => 'sk, a');
SELECT scan_items('t', index => 'l_some', projection => 'sk, b');
-- Filters see what the index holds: a query refuses others, a scan takes them for absent.
SELECT query_items('t', 'g = :g', '{":g": "G", ":e": "E"}', index => 'g_some', filter => 'extra = :e', projection => 'sk');
SELECT query_items('t', 'g = :g', '{":g": "G", ":b": "B1"}', index => 'g_some', filter => 'b = :b');
SELECT query_items('t', 'pk = :p', '{":p": "p", ":b": "B1"}', index => 'l_keys', filter => 'b = :b');
SELECT query_items('t', 'pk = :p', '{":p": "p", ":g": "G"}', index => 'l_all', filter => 'g = :g AND attribute_not_exists(b)');
SELECT scan_items('t', 'attribute_exists(b)', index => 'g_all', projection => 'sk');
SELECT count(*) FROM scan_items('t', 'attribute_exists(b)', index => 'g_keys');
SELECT scan_items('t', 'attribute_exists(a) AND attribute_not_exists(b)', index => 'g_some', projection => 'sk');
SELECT scan_items('t', 'attribute_not_exists(b)', index => 'l_keys', projection => 'sk, b');
-- The table itself shows everything.
SELECT query_items('t', 'pk = :p', '{":p": "p"}', projection => 'sk, b, l');
-- The same by statements.
SET singletable.force_statements = on;
SELECT i, query_items('t', 'g = :g', '{":g": "G"}', index => i) FROM unnest(ARRAY['g_all', 'g_keys', 'g_some']) i;
SELECT query_items('t', 'pk = :p', '{":p": "p"}', index => 'l_keys', projection => 'sk, b, a.y[1]');
SELECT scan_items('t', 'attribute_not_exists(b)', index => 'l_keys', projection => 'sk, b');
RESET singletable.force_statements;

-- Keys alone: after VACUUM the index answers without the table, and the answer is the same.
VACUUM t;
SELECT query_items('t', 'g = :g', '{":g": "G"}', index => 'g_keys', forward => false);

-- An item and its entries in all local indexes share one limit of 400 KB; global indexes have no part in it.
CREATE FUNCTION pg_temp.put(bytes int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM put_item('t', jsonb_build_object('pk', 'q', 'sk', '1', 'g', 'G', 'l', 1, 'a', repeat('x', bytes))::item);
	RETURN 'ok';
EXCEPTION WHEN SQLSTATE 'KV001' THEN
	RETURN SQLERRM;
END $$;
-- The item 3 + 3 + 2 + 3 + 1 + n (g weighs 2), l_all the same, l_keys 3 + 3 + 3, l_some 3 + 3 + 3 + 1 + n: 43 + 3n.
SELECT n, pg_temp.put(n) FROM unnest(ARRAY[(409600 - 43) / 3, (409600 - 43) / 3 + 1]) n;
SELECT update_item('t', '{"pk": "q", "sk": "1"}', 'SET b = :b', attribute_values => '{":b": "12345678"}');
-- Without the local index key it is in no local index.
SELECT update_item('t', '{"pk": "q", "sk": "1"}', 'SET b = :b REMOVE l', attribute_values => '{":b": "12345678"}');

DROP TABLE t;
