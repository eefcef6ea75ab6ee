-- query_items against plain SQL: every operator, both directions, table, LSI and GSI, keys of all three types.
\pset format unaligned
\pset tuples_only on

-- One table for each type of sort key, with the same shape: 4 partitions of 60 rows, an LSI and a GSI on columns of that type.
CREATE TABLE q_s (pk text COLLATE "C", sk text COLLATE "C", l text COLLATE "C", gp text COLLATE "C", gs text COLLATE "C",
	item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX lsi_s ON q_s USING lsi (pk, l, sk);
CREATE INDEX gsi_s ON q_s USING gsi (gp, gs, pk, sk);
CREATE TABLE q_n (pk text COLLATE "C", sk numeric, l numeric, gp numeric, gs numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX lsi_n ON q_n USING lsi (pk, l, sk);
CREATE INDEX gsi_n ON q_n USING gsi (gp, gs, pk, sk);
CREATE TABLE q_b (pk text COLLATE "C", sk bytea, l bytea, gp bytea, gs bytea, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX lsi_b ON q_b USING lsi (pk, l, sk);
CREATE INDEX gsi_b ON q_b USING gsi (gp, gs, pk, sk);

-- Strings share prefixes, hold every length, multibyte characters and the highest bytes; some attributes are missing (sparse).
CREATE FUNCTION pg_temp.word(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT (ARRAY['ORDER#', 'ORDER', 'order#', 'Ä', '𝄞', 'x', 'ORDER#2026-'])[1 + i % 7] || CASE WHEN i % 5 = 0 THEN '' ELSE to_hex(i * 7919 % 97) END
$$;
CREATE FUNCTION pg_temp.bytes(i int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT (ARRAY['\xff'::bytea, '\xffff', '\x00', '\x01', '\x80ff', '\x7f'])[1 + i % 6] || set_byte('\x00'::bytea, 0, i * 31 % 256)
$$;
CREATE FUNCTION pg_temp.number(i int) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
	SELECT ((i * 7919 % 101 - 50) * (ARRAY[1, 0.01, 1e20, 1e-20])[1 + i % 4])::numeric
$$;
INSERT INTO q_s SELECT 'p' || i % 4, pg_temp.word(i) || i, CASE WHEN i % 3 <> 0 THEN pg_temp.word(i / 2) || 'l' END, 'g' || i % 3,
	CASE WHEN i % 4 <> 0 THEN pg_temp.word(i / 3) || 'g' END, jsonb_build_object('i', i, 'third', i % 3)::item FROM generate_series(1, 240) i;
INSERT INTO q_n SELECT 'p' || i % 4, pg_temp.number(i) + i / 1000.0, CASE WHEN i % 3 <> 0 THEN pg_temp.number(i / 2) END, i % 3,
	CASE WHEN i % 4 <> 0 THEN pg_temp.number(i / 3) END, jsonb_build_object('i', i, 'third', i % 3)::item FROM generate_series(1, 240) i;
INSERT INTO q_b SELECT 'p' || i % 4, pg_temp.bytes(i) || int4send(i), CASE WHEN i % 3 <> 0 THEN pg_temp.bytes(i / 2) END, set_byte('\x00', 0, i % 3),
	CASE WHEN i % 4 <> 0 THEN pg_temp.bytes(i / 3) END, jsonb_build_object('i', i, 'third', i % 3)::item FROM generate_series(1, 240) i;

/*
 * Runs one query both ways and compares the items in order.  condition is SQL over the columns; expression the same as a key
 * condition.  Values are given as SQL literals of their attributes in typed JSON.
 */
CREATE FUNCTION pg_temp.same(tbl regclass, condition text, order_by text, expression text, attribute_values item, index text, forward boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	expected item[];
	found item[];
	direction text := CASE WHEN forward THEN 'ASC' ELSE 'DESC' END;
BEGIN
	EXECUTE format('SELECT coalesce(array_agg(full_item(s) ORDER BY %s), ''{}'') FROM %s s WHERE %s',
		(SELECT string_agg(c || ' ' || direction, ', ') FROM unnest(string_to_array(order_by, ', ')) c), tbl, condition) INTO expected;
	SELECT coalesce(array_agg(i ORDER BY n), '{}') INTO found
	FROM query_items(tbl, expression, attribute_values, index => same.index, forward => same.forward) WITH ORDINALITY q(i, n);
	IF found IS DISTINCT FROM expected THEN
		RAISE NOTICE '% % %: expected %, found %', tbl, expression, attribute_values, cardinality(expected), cardinality(found);
	END IF;
	RETURN found IS NOT DISTINCT FROM expected;
END $$;

-- All operators on what is read: the table, the LSI, the GSI.
CREATE TEMP TABLE reads (tbl regclass, kind text, partition text, partition_value text, sort text, order_by text, index text);
INSERT INTO reads
SELECT ('q_' || k)::regclass, k, 'pk', 'p1', 'sk', 'pk, sk', NULL FROM unnest('{s,n,b}'::text[]) k
UNION ALL
SELECT ('q_' || k)::regclass, k, 'pk', 'p2', 'l', 'pk, l, sk', 'lsi_' || k FROM unnest('{s,n,b}'::text[]) k
UNION ALL
SELECT ('q_' || k)::regclass, k, 'gp', CASE k WHEN 's' THEN 'g1' WHEN 'n' THEN '1' ELSE '\x01' END, 'gs', 'gp, gs, pk, sk', 'gsi_' || k FROM unnest('{s,n,b}'::text[]) k;

CREATE TEMP TABLE bounds (kind text, low text, high text);
INSERT INTO bounds SELECT 's', a, b FROM unnest(ARRAY['ORDER#', 'ORDER#3', 'ORDER', 'order#z', 'x', 'Ä', '𝄞', 'zzz', 'A']) a, unnest(ARRAY['ORDER#9', 'x', '𝄞', '~']) b WHERE a <= b COLLATE "C";
INSERT INTO bounds SELECT 'n', a::text, b::text FROM unnest(ARRAY[-1e30, -50, -0.5, 0, 1e-21, 3, 40]) a, unnest(ARRAY[0, 7, 1e20, 1e40]) b WHERE a <= b;
INSERT INTO bounds SELECT 'b', a::text, b::text FROM unnest(ARRAY['\x00', '\x7f', '\x80', '\xff', '\xffff', '\xffffff', '\x01']::bytea[]) a, unnest(ARRAY['\x01ff', '\xff', '\xffffffff']::bytea[]) b WHERE a <= b;

-- A value of a column's type as an attribute value.
CREATE FUNCTION pg_temp.attribute(kind text, literal text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE kind WHEN 's' THEN json_build_object('S', literal) WHEN 'n' THEN json_build_object('N', literal)
		ELSE json_build_object('B', encode(literal::bytea, 'base64')) END::text
$$;
CREATE FUNCTION pg_temp.literal(kind text, literal text) RETURNS text LANGUAGE sql AS $$
	SELECT quote_literal(literal) || CASE kind WHEN 's' THEN '::text' WHEN 'n' THEN '::numeric' ELSE '::bytea' END
$$;
CREATE TEMP VIEW cases AS
SELECT r.*, low, high, pg_temp.literal(kind, low) AS l, pg_temp.literal(kind, high) AS h,
	CASE WHEN r.partition = 'pk' THEN 's' ELSE kind END AS partition_kind
FROM reads r JOIN bounds USING (kind);
CREATE TEMP VIEW all_cases AS
SELECT c.*, o.op, format(o.sql, sort, l, h) AS sql_condition, format(o.expression, sort) AS sort_condition, o.uses_high
FROM cases c, (VALUES
	('=', '%1$s = %2$s', '%1$s = :low', false),
	('<', '%1$s < %2$s', '%1$s < :low', false),
	('<=', '%1$s <= %2$s', '%1$s <= :low', false),
	('>', '%1$s > %2$s', '%1$s > :low', false),
	('>=', '%1$s >= %2$s', '%1$s >= :low', false),
	('turned', '%1$s > %2$s', ':low < %1$s', false),
	('between', '%1$s BETWEEN %2$s AND %3$s', '%1$s BETWEEN :low AND :high', true),
	('prefix', 'substring(%1$s from 1 for length(%2$s)) = %2$s', 'begins_with(%1$s, :low)', false)
) o(op, sql, expression, uses_high)
WHERE op <> 'prefix' OR kind <> 'n';

SELECT kind || ' ' || coalesce(index, 'table') || ' ' || op || ': ' || count(*) || ' queries, ' || count(*) FILTER (WHERE is_same) || ' as plain SQL'
FROM (
	SELECT kind, index, op, forward,
		pg_temp.same(tbl, partition || ' = ' || pg_temp.literal(partition_kind, partition_value) || ' AND ' || sql_condition, order_by,
			partition || ' = :p AND ' || sort_condition,
			format('{":p": %s, ":low": %s%s}', pg_temp.attribute(partition_kind, partition_value), pg_temp.attribute(kind, low),
				CASE WHEN uses_high THEN ', ":high": ' || pg_temp.attribute(kind, high) ELSE '' END)::item,
			index, forward) AS is_same
	FROM (SELECT DISTINCT kind, tbl, partition, partition_kind, partition_value, sort, order_by, index, op, sql_condition, sort_condition, uses_high, low,
			CASE WHEN uses_high THEN high END AS high FROM all_cases) d,
		unnest(ARRAY[true, false]) forward
) s GROUP BY kind, index, op ORDER BY kind, index NULLS FIRST, op;

-- The partition alone; rows without an index key are not in the index.
SELECT kind || ' ' || coalesce(index, 'table') || ' ' || forward || ': ' ||
	pg_temp.same(tbl, partition || ' = ' || pg_temp.literal(partition_kind, partition_value) || ' AND ' || sort || ' IS NOT NULL', order_by,
		partition || ' = :p', format('{":p": %s}', pg_temp.attribute(partition_kind, partition_value))::item, index, forward)
FROM (SELECT DISTINCT kind, tbl, partition, partition_kind, partition_value, sort, order_by, index FROM cases) d, unnest(ARRAY[true, false]) forward
ORDER BY kind, index NULLS FIRST, forward;

-- The two conditions in either order and in parentheses; operators in any case; a name and a value may be used twice.
SELECT count(*) FROM query_items('q_s', '(begins_with(sk, :o)) and (#p = :p)', '{":p": "p1", ":o": "ORDER#"}', '{"#p": "pk"}');
SELECT count(*) FROM query_items('q_s', '(:p = pk AND sk between :o AND :o)', '{":p": "p1", ":o": "ORDER#"}');
-- No such partition.
SELECT count(*) FROM query_items('q_s', 'pk = :p', '{":p": "none"}');
SELECT count(*) FROM query_items('q_n', 'gp = :p', '{":p": 77}', index => 'gsi_n');
-- Numbers are compared as numbers.
SELECT count(*) = (SELECT count(*) FROM q_n WHERE gp = 1 AND gs IS NOT NULL) FROM query_items('q_n', 'gp = :p', '{":p": {"N": "1.000e0"}}', index => 'gsi_n');

-- max_items counts what is returned, filters work on what is not.
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('q_s', 'pk = :p', '{":p": "p1"}', max_items => 3) WITH ORDINALITY q(i, n);
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('q_s', 'pk = :p', '{":p": "p1", ":t": 1}', filter => 'third = :t', max_items => 3) WITH ORDINALITY q(i, n);
SELECT (SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('q_s', 'pk = :p', '{":p": "p1", ":t": 1}', filter => 'third = :t', forward => false) WITH ORDINALITY q(i, n)) =
	(SELECT array_agg((item ->> 'i')::int ORDER BY sk DESC) FROM q_s WHERE pk = 'p1' AND (item ->> 'third')::int = 1);
SELECT count(*) FROM query_items('q_s', 'pk = :p', '{":p": "p1"}', max_items => 0);
SELECT count(*) FROM query_items('q_s', 'pk = :p', '{":p": "p1"}', max_items => 1000);
-- The table's key may be filtered on when an index is read that does not have it as key.
SELECT count(*) = (SELECT count(*) FROM q_s WHERE gp = 'g1' AND pk = 'p1' AND gs IS NOT NULL) FROM query_items('q_s', 'gp = :g', '{":g": "g1", ":p": "p1"}', index => 'gsi_s', filter => 'pk = :p');
-- Projections; an item that shows nothing counts.
SELECT q FROM query_items('q_n', 'pk = :p AND sk > :n', '{":p": "p2", ":n": 1e21}', projection => 'i, pk', max_items => 2) q;
SELECT count(*) FROM query_items('q_n', 'pk = :p', '{":p": "p1"}', projection => 'nope');

-- Streaming: in the select list with LIMIT, in cursors both ways, in a lateral join, abandoned, rescanned.
SELECT (query_items('q_s', 'pk = :p', '{":p": "p1"}') ->> 'i')::int LIMIT 2;
BEGIN;
DECLARE c NO SCROLL CURSOR FOR SELECT (query_items('q_s', 'pk = :p', '{":p": "p1"}') ->> 'i')::int;
FETCH 2 FROM c;
-- What is deleted meanwhile is still in the cursor's snapshot.
DELETE FROM q_s WHERE pk = 'p1';
FETCH 2 FROM c;
SAVEPOINT s;
FETCH 1 FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
CLOSE c;
ROLLBACK;
BEGIN;
SAVEPOINT s;
DECLARE c CURSOR FOR SELECT (query_items('q_s', 'pk = :p', '{":p": "p1"}') ->> 'i')::int;
FETCH 1 FROM c;
RELEASE s;
FETCH 1 FROM c;
COMMIT;
SELECT p, (SELECT count(*) FROM query_items('q_s', 'pk = :p', jsonb_build_object(':p', p)::item)) FROM unnest(ARRAY['p0', 'p1', 'none', 'p3']) p;
SELECT p, q ->> 'i' FROM unnest(ARRAY['p0', 'p1']) p, LATERAL query_items('q_s', 'pk = :p', jsonb_build_object(':p', p)::item, max_items => 2) q;
SELECT count(*) FROM generate_series(1, 50) g WHERE EXISTS (SELECT query_items('q_s', 'pk = :p', jsonb_build_object(':p', 'p' || g % 4)::item) LIMIT 1);
-- An error in the middle closes everything.
SELECT 1 / ((query_items('q_s', 'pk = :p', '{":p": "p1"}') ->> 'third')::int);
DO $$
BEGIN
	FOR n IN 1..20 LOOP
		BEGIN
			PERFORM 1 / ((q ->> 'third')::int) FROM (SELECT query_items('q_s', 'pk = :p', '{":p": "p1"}') q) s;
		EXCEPTION WHEN division_by_zero THEN
			NULL;
		END;
	END LOOP;
END $$;

-- Both ways of reading: the same results by statements.
SET singletable.force_statements = on;
SELECT kind || ' ' || coalesce(index, 'table') || ': ' || count(*) || ' queries, ' || count(*) FILTER (WHERE is_same) || ' as plain SQL by statements'
FROM (
	SELECT kind, index,
		pg_temp.same(tbl, partition || ' = ' || pg_temp.literal(partition_kind, partition_value) || ' AND ' || sql_condition, order_by,
			partition || ' = :p AND ' || sort_condition,
			format('{":p": %s, ":low": %s%s}', pg_temp.attribute(partition_kind, partition_value), pg_temp.attribute(kind, low),
				CASE WHEN uses_high THEN ', ":high": ' || pg_temp.attribute(kind, high) ELSE '' END)::item,
			index, forward) AS is_same
	FROM (SELECT DISTINCT kind, tbl, partition, partition_kind, partition_value, sort, order_by, index, op, sql_condition, sort_condition, uses_high, low,
			CASE WHEN uses_high THEN high END AS high FROM all_cases) d,
		unnest(ARRAY[true, false]) forward
) s GROUP BY kind, index ORDER BY kind, index NULLS FIRST;
RESET singletable.force_statements;

-- A GSI with several key attributes: = on all partition attributes, sort attributes from the left, a range on the last.
CREATE TABLE q_m (id text COLLATE "C" PRIMARY KEY, tenant text COLLATE "C", place text COLLATE "C", status text COLLATE "C", ts numeric,
	item item NOT NULL DEFAULT '{}');
CREATE INDEX by_place ON q_m USING gsi (tenant, place, status, ts, id) WITH (partition_keys = 2, sort_keys = 2);
INSERT INTO q_m SELECT 'id' || i, 't' || i % 2, 'r' || i % 3, (ARRAY['OPEN', 'PAID', 'OPENED'])[1 + i / 3 % 3], i FROM generate_series(1, 90) i;
SELECT pg_temp.same('q_m', 'tenant = ''t1'' AND place = ''r2''', 'status, ts, id', 'place = :r AND tenant = :t', '{":t": "t1", ":r": "r2"}', 'by_place', forward) FROM unnest(ARRAY[true, false]) forward;
SELECT count(*) = (SELECT count(*) FROM q_m WHERE tenant = 't1' AND place = 'r2' AND starts_with(status, 'OPEN'))
FROM query_items('q_m', 'place = :r AND tenant = :t AND begins_with(#s, :s)', '{":t": "t1", ":r": "r2", ":s": "OPEN"}', '{"#s": "status"}', index => 'by_place');
SELECT array_agg((q ->> 'ts')::int ORDER BY n) = (SELECT array_agg(ts::int ORDER BY ts DESC) FROM q_m WHERE tenant = 't1' AND place = 'r2' AND status = 'OPEN' AND ts BETWEEN 10 AND 70)
FROM query_items('q_m', 'place = :r AND tenant = :t AND ts BETWEEN :a AND :b AND #s = :s', '{":t": "t1", ":r": "r2", ":s": "OPEN", ":a": 10, ":b": 70}', '{"#s": "status"}', index => 'by_place', forward => false) WITH ORDINALITY q(q, n);

DROP TABLE q_s, q_n, q_b, q_m;
