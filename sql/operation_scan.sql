-- scan_items: order, filters, indexes, segments that partition the table exactly.
\pset format unaligned
\pset tuples_only on

CREATE TABLE t (pk text COLLATE "C", sk numeric, g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX by_g ON t USING gsi (g, pk, sk);
INSERT INTO t SELECT 'p' || i % 37, i, CASE WHEN i % 2 = 0 THEN 'g' || i % 11 END, jsonb_build_object('i', i, 'third', i % 3)::item FROM generate_series(1, 1000) i;

-- In the order of the key.
SELECT (SELECT array_agg(s ORDER BY n) FROM scan_items('t') WITH ORDINALITY x(s, n)) = (SELECT array_agg(full_item(t) ORDER BY pk, sk) FROM t);
SELECT (SELECT array_agg(s ORDER BY n) FROM scan_items('t', index => 'by_g') WITH ORDINALITY x(s, n)) = (SELECT array_agg(full_item(t) ORDER BY g, pk, sk) FROM t WHERE g IS NOT NULL);
-- Filters, on keys too; projections; max_items.
SELECT (SELECT array_agg((s ->> 'i')::int ORDER BY n) FROM scan_items('t', 'third = :t AND begins_with(pk, :p) AND sk < :s', '{":t": 1, ":p": "p1", ":s": 500}') WITH ORDINALITY x(s, n)) =
	(SELECT array_agg((item ->> 'i')::int ORDER BY pk, sk) FROM t WHERE (item ->> 'third')::int = 1 AND pk ^@ 'p1' AND sk < 500);
SELECT s FROM scan_items('t', '#t = :t', '{":t": 2}', '{"#t": "third"}', projection => '#t, pk, sk', max_items => 3) s;
SELECT count(*) FROM scan_items('t', max_items => 0);
SELECT count(*) FROM scan_items('t', 'attribute_not_exists(g)');
SELECT count(*) FROM scan_items('t', 'attribute_not_exists(g)', index => 'by_g');
-- Streaming.
SELECT scan_items('t', projection => 'i') LIMIT 2;

-- Segments: each item in exactly one, all items of one partition key together, of the table and of an index, as often as it is cut.
CREATE FUNCTION pg_temp.partitions(total integer, index_name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	items bigint;
	distinct_items bigint;
	split_keys bigint;
	expected bigint;
	key text := CASE WHEN index_name IS NULL THEN 'pk' ELSE 'g' END;
BEGIN
	SELECT count(*), count(DISTINCT s) INTO items, distinct_items
	FROM generate_series(0, total - 1) g, LATERAL scan_items('t', segment => g, total_segments => total, index => index_name) s;
	SELECT count(*) INTO split_keys FROM (
		SELECT s ->> key FROM generate_series(0, total - 1) g, LATERAL scan_items('t', segment => g, total_segments => total, index => index_name) s
		GROUP BY s ->> key HAVING count(DISTINCT g) > 1) x;
	SELECT count(*) INTO expected FROM t WHERE index_name IS NULL OR g IS NOT NULL;
	RETURN format('%s segments: %s of %s items, %s distinct, %s keys split', total, items, expected, distinct_items, split_keys);
END $$;
SELECT pg_temp.partitions(n, NULL) FROM unnest(ARRAY[1, 2, 3, 4, 5, 7, 8, 16, 31, 64]) n;
SELECT pg_temp.partitions(n, 'by_g') FROM unnest(ARRAY[1, 2, 3, 10, 33]) n;
-- Work is spread: of 4 segments each has some of the 37 keys.
SELECT bool_and((SELECT count(*) FROM scan_items('t', segment => g, total_segments => 4)) > 0) FROM generate_series(0, 3) g;
-- Where a key belongs is not for the session to choose: stable numbers.
SELECT g, (SELECT string_agg(DISTINCT s ->> 'pk', ' ' ORDER BY s ->> 'pk') FROM scan_items('t', segment => g, total_segments => 8) s) FROM generate_series(0, 7) g ORDER BY g;
-- A numeric partition key belongs to one segment, whatever its spelling.
CREATE TABLE n (pk numeric PRIMARY KEY, item item NOT NULL DEFAULT '{}');
INSERT INTO n VALUES (1.10), (-5), (0), (1e20), (100.000), (1e-20);
SELECT g, (SELECT string_agg(s ->> 'pk', ' ') FROM scan_items('n', segment => g, total_segments => 3) s) FROM generate_series(0, 2) g ORDER BY g;
UPDATE n SET pk = 1.1000 WHERE pk = 1.1;
UPDATE n SET pk = 100 WHERE pk = 100;
SELECT g, (SELECT string_agg(s ->> 'pk', ' ') FROM scan_items('n', segment => g, total_segments => 3) s) FROM generate_series(0, 2) g ORDER BY g;

-- Empty tables.
TRUNCATE t;
SELECT count(*) FROM scan_items('t');
SELECT count(*) FROM scan_items('t', index => 'by_g');
SELECT count(*) FROM query_items('t', 'pk = :p', '{":p": "p1"}');

DROP TABLE t, n;
