-- What query_items and scan_items refuse, and in which order.
\pset format unaligned
\pset tuples_only on

CREATE TABLE t (pk text COLLATE "C", sk numeric, l text COLLATE "C", gp text COLLATE "C", gs bytea, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX by_l ON t USING lsi (pk, l, sk);
CREATE INDEX by_g ON t USING gsi (gp, gs, pk, sk);
CREATE INDEX by_keys ON t USING gsi (gp, pk, sk) WITH (projection = 'KEYS_ONLY');
CREATE INDEX by_some ON t USING gsi (l, pk, sk) WITH (projection = 'INCLUDE', non_key_attributes = '["a", "b"]');
CREATE INDEX l_keys ON t USING lsi (pk, l, sk) WITH (projection = 'KEYS_ONLY');
CREATE INDEX by_many ON t USING gsi (gp, l, gs, sk, pk) WITH (partition_keys = 2, sort_keys = 2);
CREATE TABLE single (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE no_items (pk text PRIMARY KEY);

CREATE FUNCTION pg_temp.try(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM ' || call INTO rows;
	RETURN rows || ' rows';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
CREATE FUNCTION pg_temp.q(arguments text) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.try('query_items(''t'', ' || arguments || ')') $$;
CREATE FUNCTION pg_temp.s(arguments text) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.try('scan_items(' || arguments || ')') $$;

-- Arguments.
SELECT pg_temp.try($$query_items(NULL, 'pk = :p', '{":p": "a"}')$$);
SELECT pg_temp.q($$NULL$$);
SELECT pg_temp.q($$''$$);
SELECT pg_temp.q($$NULL, '{":p": "a"}'$$);
SELECT pg_temp.q($$NULL, filter => 'a = b', attribute_names => '{"#a": "b"}'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', max_items => -1$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a", ":unused": 1}'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', '{"#unused": "x"}'$$);
SELECT pg_temp.q($$'pk = :p', '{}'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', '{}'$$);
SELECT pg_temp.q($$'pk = :p', '{"p": "a"}'$$);
SELECT pg_temp.q($$'pk = :p'$$);
-- Key conditions without the table: its structure.
SELECT pg_temp.q(quote_literal(c) || $$, '{":p": "a", ":q": "b", ":n": 1, ":m": 2}'$$) FROM unnest(ARRAY[
	'pk = :p OR sk = :n', 'NOT pk = :p', 'pk IN (:p)', 'pk <> :p', 'pk = :p AND attribute_exists(sk)', 'pk = :p AND contains(sk, :p)',
	'pk = :p AND size(sk) = :n', 'pk = :p AND :n BETWEEN sk AND :m', 'pk = :p AND begins_with(:p, sk)', 'pk = sk', ':p = :q',
	'pk = :p AND sk.a = :n', 'pk = :p AND pk = :q', 'pk = :p AND begins_with(sk, :n)', 'pk = :p AND sk BETWEEN :m AND :n',
	'pk = :p AND sk BETWEEN :p AND :n', 'pk ! :p', 'pk = :p AND status = :q', 'pk = :p AND ((sk = :n))']) c;
-- The same on a table that is not there: expression errors come first.
SELECT pg_temp.try($$query_items('no_items', 'pk = :p OR sk = :p', '{":p": "a"}')$$);
SELECT pg_temp.try($$query_items('no_items', 'pk = :p', '{":p": "a"}')$$);
SELECT pg_temp.try($$query_items(0, 'pk = :p', '{":p": "a"}')$$);
SELECT pg_temp.try($$scan_items('pg_class')$$);
-- The index.
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', index => 'nope'$$);
SELECT pg_temp.q($$'pk = :p OR sk = :p', '{":p": "a"}', index => 'nope'$$);
SELECT pg_temp.s($$'t', index => 'nope'$$);
SELECT pg_temp.s($$'single', index => 'by_l'$$);
-- Key conditions against the schema.
SELECT c.index || ': ' || c.condition || E'\n    ' || pg_temp.q(quote_literal(c.condition) || ', ' || quote_literal('{":p": "a", ":n": 1}') || CASE WHEN c.index <> '-' THEN ', index => ' || quote_literal(c.index) ELSE '' END)
FROM (VALUES
	('-', 'pk = :p AND sk = :n'), ('-', 'sk = :n AND gp = :p'), ('-', 'gp = :p AND pk = :n'), ('-', 'pk > :p AND sk = :n'), ('-', 'pk = :n AND sk = :p'),
	('-', 'pk = :p AND sk = :n AND gp = :p'),
	('by_l', 'pk = :p AND sk = :n'), ('by_l', 'pk = :p AND l = :n'), ('by_l', 'l = :p AND sk = :n'),
	('by_g', 'pk = :p AND sk = :n'), ('by_g', 'gp = :p AND gs = :n'), ('by_g', 'gp = :p AND pk = :n'),
	('by_keys', 'gp = :p AND pk = :n'), ('by_keys', 'gp = :p AND sk = :n'),
	('by_many', 'gp = :p AND sk = :n'), ('by_many', 'gp = :p AND gs = :n'), ('by_many', 'l > :p AND gp = :n')
) c(index, condition);
SELECT pg_temp.q($$'pk = :p', '{":p": 1}'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": ["a"]}'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": ""}'$$);
SELECT pg_temp.q($$'pk > :p', '{":p": "a"}'$$);
SELECT pg_temp.q($$'begins_with(pk, :p)', '{":p": "a"}'$$);
SELECT pg_temp.q($$'sk = :n', '{":n": 1}'$$);
SELECT pg_temp.q($$'nope = :n', '{":n": 1}'$$);
SELECT pg_temp.q($$'pk = :p AND sk BETWEEN :a AND :b', '{":p": "a", ":a": "x", ":b": "y"}'$$);
SELECT pg_temp.q($$'gp = :p AND gs = :b', '{":p": "a", ":b": {"B": ""}}', index => 'by_g'$$);
SELECT pg_temp.q($$'gp = :p AND begins_with(gs, :b)', '{":p": "a", ":b": {"B": ""}}', index => 'by_g'$$);
SELECT pg_temp.q($$'gp = :p AND l = :q AND gs > :b AND sk = :n', '{":p": "a", ":q": "a", ":n": 1, ":b": {"B": "YQ=="}}', index => 'by_many'$$);
SELECT pg_temp.q($$'gp = :p AND l = :q AND sk = :n', '{":p": "a", ":q": "a", ":n": 1}', index => 'by_many'$$);
SELECT pg_temp.q($$'gp = :p AND l = :q AND gs = :b AND sk > :n', '{":p": "a", ":q": "a", ":n": 1, ":b": {"B": "YQ=="}}', index => 'by_many'$$);
SELECT pg_temp.try($$query_items('single', 'pk = :p AND sk = :p', '{":p": "a"}')$$);
SELECT pg_temp.try($$query_items('single', 'sk = :p', '{":p": "a"}')$$);
SELECT pg_temp.try($$query_items('single', 'pk = :p', '{":p": "a"}')$$);

-- Filters: no key attributes of what is read on a query, by whatever name; on a scan all are allowed.
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'pk = :p'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', '{"#k": "sk"}', filter => 'attribute_exists(#k)'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'a = b.c OR size(sk) > :p'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'pk.a = :p'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'gp.a = :p'$$);
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', filter => 'gp = :p', index => 'by_g'$$);
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', filter => 'pk = :p AND sk > :p AND l = :p', index => 'by_g'$$);
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', filter => 'a = :p', index => 'by_keys'$$);
SELECT pg_temp.q($$'l = :p', '{":p": "a"}', filter => 'a = :p AND x = :p OR y.z = x', index => 'by_some'$$);
SELECT pg_temp.q($$'l = :p', '{":p": "a"}', filter => 'a = :p AND b = :p', index => 'by_some'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'a = :p', index => 'l_keys'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => ''$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', filter => 'size(a)'$$);
SELECT pg_temp.s($$'t', 'pk = :p AND sk = :p AND gp = :p', '{":p": "a"}'$$);
SELECT pg_temp.s($$'t', 'sk[0] = :p', '{":p": "a"}'$$);
SELECT pg_temp.s($$'t', 'a = :p', '{":p": "a"}', index => 'by_keys'$$);
SELECT pg_temp.s($$'t', attribute_values => '{":p": "a"}'$$);
SELECT pg_temp.s($$'t', attribute_names => '{"#p": "a"}'$$);
-- Projections.
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', projection => 'pk.a'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', projection => 'a, gs[0]'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', projection => 'a, a.b'$$);
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', projection => 'gp, pk, a.x, sk, b.c, a.y', index => 'by_keys'$$);
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', projection => 'gp, pk, sk', index => 'by_keys'$$);
SELECT pg_temp.q($$'l = :p', '{":p": "a"}', projection => 'l, a, b.c, c', index => 'by_some'$$);
SELECT pg_temp.q($$'pk = :p', '{":p": "a"}', projection => 'l, a, c', index => 'l_keys'$$);
SELECT pg_temp.s($$'t', index => 'by_keys', projection => 'a'$$);

-- Start keys.
CREATE FUNCTION pg_temp.start(arguments text, start_key text) RETURNS text LANGUAGE sql AS $$
	SELECT start_key || E'\n    ' || pg_temp.q(arguments || ', start_key => ' || quote_literal(start_key))
$$;
SELECT pg_temp.start($$'pk = :p', '{":p": "a"}'$$, s) FROM unnest(ARRAY['{}', '{"pk": "a"}', '{"pk": "a", "sk": 1, "x": 1}', '{"pk": "a", "x": 1}', '{"pk": 1, "sk": 1}',
	'{"pk": "a", "sk": "1"}', '{"pk": "", "sk": 1}', '{"pk": "b", "sk": 1}', '{"pk": "a", "sk": 1}']) s;
SELECT pg_temp.start($$'pk = :p AND sk > :n', '{":p": "a", ":n": 5}'$$, s) FROM unnest(ARRAY['{"pk": "a", "sk": 5}', '{"pk": "b", "sk": 5}', '{"pk": "b", "sk": 6}', '{"pk": "a", "sk": 6}']) s;
SELECT pg_temp.start($$'pk = :p AND sk BETWEEN :n AND :m', '{":p": "a", ":n": 5, ":m": 7}'$$, s) FROM unnest(ARRAY['{"pk": "a", "sk": 4}', '{"pk": "a", "sk": 5}', '{"pk": "a", "sk": 7}', '{"pk": "a", "sk": 8}']) s;
SELECT pg_temp.start($$'pk = :p AND sk = :n', '{":p": "a", ":n": 5}'$$, s) FROM unnest(ARRAY['{"pk": "a", "sk": 5}', '{"pk": "a", "sk": 6}', '{"pk": "b", "sk": 5}']) s;
SELECT pg_temp.start($$'pk = :p AND begins_with(l, :x)', '{":p": "a", ":x": "or"}', index => 'by_l'$$, s) FROM unnest(ARRAY['{"pk": "a", "sk": 1}', '{"pk": "a", "l": "order", "x": 1}',
	'{"pk": "a", "l": "order", "sk": "x"}', '{"pk": "a", "l": 1, "sk": 1}', '{"pk": "a", "l": "o", "sk": 1}', '{"pk": "a", "l": "order", "sk": 1}']) s;
SELECT pg_temp.start($$'gp = :p', '{":p": "a"}', index => 'by_g'$$, s) FROM unnest(ARRAY['{"gp": "a", "gs": {"B": "YQ=="}, "pk": "x"}', '{"gp": "a", "gs": "x", "pk": "x", "sk": 1}',
	'{"gp": "a", "gs": {"B": "YQ=="}, "pk": 1, "sk": 1}', '{"gp": "b", "gs": {"B": "YQ=="}, "pk": "x", "sk": 1}', '{"gp": "a", "gs": {"B": "YQ=="}, "pk": "x", "sk": 1}']) s;
SELECT pg_temp.try($$query_items('single', 'pk = :p', '{":p": "a"}', start_key => '{"pk": "a"}')$$);
SELECT pg_temp.try($$query_items('single', 'pk = :p', '{":p": "a"}', start_key => '{"pk": "b"}')$$);
SELECT pg_temp.s($$'t', start_key => '{"pk": "a"}'$$);
SELECT pg_temp.s($$'t', start_key => '{"pk": "a", "x": 1}'$$);
SELECT pg_temp.s($$'t', start_key => '{"pk": "a", "sk": "x"}'$$);
SELECT pg_temp.s($$'t', start_key => '{"pk": "a", "sk": 1}'$$);
SELECT pg_temp.s($$'t', index => 'by_keys', start_key => '{"pk": "a", "sk": 1}'$$);
SELECT pg_temp.s($$'t', index => 'by_keys', start_key => '{"gp": "x", "pk": "a", "sk": "x"}'$$);
-- A scan goes on in its own segment.
SELECT n || ': ' || (SELECT count(*) FROM generate_series(0, n - 1) s WHERE pg_temp.s(format($$'t', segment => %s, total_segments => %s, start_key => '{"pk": "a", "sk": 1}'$$, s, n)) = '0 rows')
FROM unnest(ARRAY[1, 2, 3, 10]) n;
SELECT pg_temp.s(format($$'t', segment => %s, total_segments => 2, start_key => '{"pk": "a", "sk": 1}'$$, s)) FROM generate_series(0, 1) s ORDER BY 1 LIMIT 1 OFFSET 1;

-- Segments.
SELECT pg_temp.s($$'t', segment => 0$$);
SELECT pg_temp.s($$'t', total_segments => 1$$);
SELECT pg_temp.s($$'t', segment => 5, total_segments => 5$$);
SELECT pg_temp.s($$'t', segment => -1, total_segments => 5$$);
SELECT pg_temp.s($$'t', segment => 0, total_segments => 0$$);
SELECT pg_temp.s($$'t', segment => 0, total_segments => 1000001$$);
SELECT pg_temp.s($$'t', segment => 1000000, total_segments => 1000000$$);
SELECT pg_temp.s($$'t', segment => -1, total_segments => 0, max_items => -5$$);
SELECT pg_temp.s($$'t', segment => 999999, total_segments => 1000000$$);

-- An index that is not built yet.
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'by_keys'::regclass;
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', index => 'by_keys'$$);
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'by_keys'::regclass;
SELECT pg_temp.q($$'gp = :p', '{":p": "a"}', index => 'by_keys'$$);

DROP TABLE t, single, no_items;
