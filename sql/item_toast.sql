-- Large items out of line, compressed or not: one attribute is found as in an item that is not toasted.
CREATE TABLE toasted (n integer, plain item, external item, compressed item);
ALTER TABLE toasted ALTER plain SET STORAGE PLAIN, ALTER external SET STORAGE EXTERNAL, ALTER compressed SET STORAGE EXTENDED;
-- Many small attributes; one large attribute first, in the middle and last; large names; both kinds of text, that compress well and badly.
CREATE TEMP TABLE source AS
SELECT n, item FROM (
  SELECT 1 AS n, ('{' || string_agg(format('"attribute %s": %s', lpad(i::text, 5, '0'), i), ', ') || '}')::item AS item FROM generate_series(1, 200) AS i
  UNION ALL SELECT 2, ('{' || string_agg(format('"attribute %s": {"S": "%s"}', lpad(i::text, 5, '0'), md5(i::text)), ', ') || '}')::item FROM generate_series(1, 5000) AS i
  UNION ALL SELECT 3, ('{' || string_agg(format('"k%s": %s', i, i), ', ') || format(', "A": "%s", "l": "%s", "z": "%s"}', repeat('a', 100000), repeat('m', 100000), repeat('z', 100000)))::item
    FROM generate_series(1, 50) AS i
  UNION ALL SELECT 4, format('{"a": 1, "b": {"B": "%s"}, "c": {"L": [{"S": "%s"}]}, "d": {"NULL": true}}', translate(encode((SELECT string_agg(decode(md5(i::text), 'hex'), ''::bytea ORDER BY i) FROM generate_series(1, 10000) AS i), 'base64'), E'\n', ''),
      (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 2000) AS i))::item
  UNION ALL SELECT 5, ('{' || string_agg(format('"%s%s": %s', repeat(chr(97 + i), 3000), i, i), ', ') || '}')::item FROM generate_series(0, 20) AS i
  UNION ALL SELECT 6, '{"only": "small", "n": 5}'::item
  UNION ALL SELECT 7, format('{"x": "%s"}', (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 12000) AS i))::item
  UNION ALL SELECT 8, '{}'::item
) AS s;
-- A value that is stored already is stored again as it is, so these are made anew.
INSERT INTO toasted SELECT n, CASE WHEN item_size(item) < 4000 THEN item || '{}' END, item || '{}', item || '{}' FROM source;
SELECT n, item_size(external) AS size, plain IS NOT NULL AS plain,
  pg_column_size(external) > 2000 AS is_large, pg_column_size(compressed) < pg_column_size(external) AS is_compressed, pg_column_size(compressed) > 2000 AS is_large_compressed FROM toasted ORDER BY n;
-- Every attribute that is there, and names before, between and behind them.
CREATE TEMP TABLE name AS
SELECT n, attribute AS name FROM source, item_attributes(item)
UNION ALL SELECT n, name FROM source, unnest(ARRAY['', ' ', 'A', 'AA', 'a', 'attribute', 'attribute 00000', 'attribute 02500x', 'attribute 99999', 'k', 'k1', 'k25x', 'l', 'z', 'zz', 'é', repeat('x', 70000), repeat('c', 3000)]) AS name;
SELECT s.n, count(*) AS names, count(*) FILTER (WHERE external -> name IS DISTINCT FROM item -> name) AS external_differs, count(*) FILTER (WHERE compressed -> name IS DISTINCT FROM item -> name) AS compressed_differs,
  count(*) FILTER (WHERE (item -> name) IS DISTINCT FROM (SELECT value FROM item_attributes(item) WHERE attribute = name)) AS find_differs
FROM source AS s JOIN toasted USING (n) JOIN (SELECT *, row_number() OVER (PARTITION BY n ORDER BY md5(name)) AS r FROM name) AS name USING (n) WHERE r <= 300 GROUP BY s.n ORDER BY s.n;
SELECT count(*) AS names, count(*) FILTER (WHERE external ->> name IS DISTINCT FROM item ->> name) AS text_differs, count(*) FILTER (WHERE (external ? name) IS DISTINCT FROM (item ? name) OR (compressed ? name) IS DISTINCT FROM (item ? name)) AS exists_differs,
  count(*) FILTER (WHERE item_type(external, name) IS DISTINCT FROM item_type(item, name) OR item_type(compressed, name) IS DISTINCT FROM item_type(item, name)) AS type_differs,
  count(*) FILTER (WHERE item_text(external, name) IS DISTINCT FROM item_text(item, name)) AS item_text_differs, count(*) FILTER (WHERE item_numeric(compressed, name) IS DISTINCT FROM item_numeric(item, name)) AS item_numeric_differs,
  count(*) FILTER (WHERE item_bytea(external, name) IS DISTINCT FROM item_bytea(item, name)) AS item_bytea_differs
FROM source AS s JOIN toasted USING (n) JOIN (SELECT *, row_number() OVER (PARTITION BY n ORDER BY md5(name)) AS r FROM name) AS name USING (n) WHERE r <= 300;
-- Whole items.
SELECT n, external = item AS equal, compressed = external AS equal_across, item_cmp(external, item) AS cmp, item_hash(compressed) = item_hash(item) AS hash, item_size(external) = item_size(item) AS size,
  external::text = item::text AS text, item_send(compressed) = item_send(item) AS send, compressed @> external AS contains, external - 'a' = item - 'a' AS remove, compressed || '{}' = item AS merge
FROM source JOIN toasted USING (n) ORDER BY n;
SELECT a.n, b.n FROM toasted AS a JOIN toasted AS b ON a.external = b.compressed WHERE a.n <> b.n;
-- What is read of an item: blocks, in comparison with all of it.  Workers start with cold caches of the catalog.
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION pg_temp.blocks(expression text, item_number integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT %s FROM toasted WHERE n = %s', expression, item_number) INTO plan;
	RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
END $$;
SELECT expression, n, pg_temp.blocks(expression, n) < pg_temp.blocks('item_size(external)', n) / 2 AS less_than_half
FROM (VALUES ('external -> ''a''', 4), ('external -> ''d''', 4), ('external ->> ''none''', 4), ('external ? ''c''', 4), ('item_type(external, ''b'')', 4),
  ('item_boolean(external, ''d'')', 4), ('external ->> ''k7''', 3), ('external ? ''x''', 7), ('external ->> ''y''', 7)) AS v(expression, n);
DROP TABLE toasted;
