-- entity_map, partition_report, key_shape: what is in a table, against plain SQL over the same rows.
\pset format unaligned
\pset null '(null)'
\set VERBOSITY terse

SELECT key, key_shape(key) FROM unnest(ARRAY['CUSTOMER#42', 'ORDER#2026-06-01#A1', 'PROFILE', 'racer-2', 'race-1#1', 'v0', 'Cust1:Book1xxx:pdf',
	'2026-06-01T12:00:00.5Z', '2026-06-01', '550e8400-e29b-41d4-a716-446655440000', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'EMAIL#a@x.org', 'Mara Vance', '', '42',
	'T-0001', '#', '##', 'a1b2', 'STATUS#OPEN#3', '0123456789abcdef', '#a', 'LOG#']) AS key;

CREATE SCHEMA tools;
SELECT create_item_table('tools."Shop"', 'PK', 'SK');
SELECT create_item_index('tools."Shop"', 'by_status', 'status', 'n', sort_key_type => 'N', projection => 'KEYS_ONLY');
SELECT create_item_index('tools."Shop"', 'by_number', 'PK', 'n', local => true, projection => 'INCLUDE', non_key_attributes => '{total}');
SELECT * FROM item_table_keys('tools."Shop"');
SELECT count(put_item('tools."Shop"', jsonb_build_object('PK', 'CUSTOMER#' || c, 'SK', 'PROFILE', 'name', repeat('x', c))::item, return_values => 'ALL_OLD')) FROM generate_series(1, 10) AS c;
SELECT count(put_item('tools."Shop"', (jsonb_build_object('PK', 'CUSTOMER#' || c, 'SK', 'ORDER#2026-06-01#' || o, 'n', o, 'total', CASE WHEN o = 1 THEN to_jsonb(1) ELSE '"free"' END)
	|| CASE WHEN o % 2 = 0 THEN '{"status": "OPEN"}' ELSE '{}' END::jsonb)::item, return_values => 'ALL_OLD')) FROM generate_series(1, 10) AS c, generate_series(1, c) AS o;

SELECT * FROM entity_map('tools."Shop"');
-- The same by plain SQL.
SELECT CASE "SK" WHEN 'PROFILE' THEN 'PROFILE' ELSE 'ORDER' END AS entity, count(*), min(item_size(full_item(s))), round(avg(item_size(full_item(s)))), max(item_size(full_item(s))),
	count(*) FILTER (WHERE status IS NOT NULL AND n IS NOT NULL) AS by_status, count(*) FILTER (WHERE item_type(item, 'total') = 'N') AS total_n
FROM tools."Shop" s GROUP BY 1 ORDER BY 1;

SELECT * FROM partition_report('tools."Shop"', max_partitions => 3);
SELECT "PK", count(*), sum(item_size(full_item(s))), round(count(*) / sum(count(*)) OVER (), 4) AS share
FROM tools."Shop" s GROUP BY 1 ORDER BY 3 DESC LIMIT 3;
SELECT * FROM partition_report('tools."Shop"', 'by_status', hot_share => 2);
SELECT status, count(*), sum(item_size(item_project(full_item(s), 'PK, SK, #s, n', '{"#s": "status"}'))) FROM tools."Shop" s WHERE status IS NOT NULL GROUP BY 1;
SELECT sum(bytes) = (SELECT sum(item_size(item_project(full_item(s), 'PK, SK, n, #t', '{"#t": "total"}'))) FROM tools."Shop" s WHERE n IS NOT NULL) AS equal FROM partition_report('tools."Shop"', 'by_number');
SELECT * FROM partition_report('tools."Shop"', 'nosuch');
CREATE TABLE tools.plain (a int);
SELECT * FROM entity_map('tools.plain');

-- Words that vary are values; numbers and bytes are, too; no sort key.
SELECT create_item_table('tools.people', 'name');
SELECT count(put_item('tools.people', jsonb_build_object('name', chr(97 + n / 26) || chr(97 + n % 26))::item, return_values => 'ALL_OLD')) FROM generate_series(0, 59) AS n;
SELECT * FROM entity_map('tools.people');
SELECT create_item_table('tools.typed', 'n', 'b', 'N', 'B');
SELECT put_item('tools.typed', '{"n": 1, "b": {"B": "AQ=="}}');
SELECT partition_key, sort_key, items, attributes FROM entity_map('tools.typed');

-- A sample of a big table: the types are found, the numbers are about right; exact ones when asked.
SELECT create_item_table('tools.big', 'pk', 'sk');
INSERT INTO tools.big (pk, sk, item) SELECT 'USER#' || n % 1000, CASE WHEN n <= 1000 THEN 'PROFILE' ELSE 'EVENT#' || n END, '{"a": 1}' FROM generate_series(1, 10000) AS n;
ANALYZE tools.big;
SELECT round(item_sample_percent('tools.big', 1000)) AS percent, item_sample_percent('tools.big', 5001) AS whole;
SELECT sort_key, items BETWEEN 6000 AND 10000 AS plausible FROM entity_map('tools.big', sample_size => 1000) WHERE sort_key <> 'PROFILE';
SELECT partition_key, sort_key, items FROM entity_map('tools.big', true);
-- Partitions of a big table by its index alone: items and shares are true, bytes too where items are alike; no sequential scan, and few rows read.
SELECT create_item_index('tools.big', 'by_kind', ARRAY['kind', 'code'], ARRAY['sk'], ARRAY['S', 'N'], ARRAY['S'], projection => 'KEYS_ONLY');
SELECT create_item_index('tools.big', 'by_bytes', 'b', 'sk', 'B');
UPDATE tools.big SET kind = CASE WHEN sk ~ '0$' THEN 'odd "kind"' ELSE '' END || (length(sk) + ascii(right(sk, 2)) % 7)::text, code = ascii(right(sk, 2)) % 3 + 0.50, b = CASE WHEN sk ~ '[12]$' THEN convert_to(right(sk, 1), 'UTF8') WHEN sk ~ '3$' THEN sha256(right(sk, 2)::bytea) END
WHERE sk <> 'PROFILE';
UPDATE tools.big SET pk = 'HOT' WHERE sk ~ 'EVENT#[1-4]...$';
UPDATE tools.big SET item = item || jsonb_build_object('note', repeat('x', 1000))::item WHERE pk = 'USER#7';
VACUUM ANALYZE tools.big;
CREATE FUNCTION tools.compare(index text, max_partitions integer) RETURNS TABLE (partitions bigint, items numeric, same_items boolean, bytes_about_right boolean, no_scan boolean, problems text) LANGUAGE plpgsql AS $$
DECLARE
	scans bigint := pg_stat_get_xact_numscans('tools.big'::regclass);
	estimated jsonb;
BEGIN
	SELECT jsonb_object_agg(r.partition_key::text, to_jsonb(r)) INTO estimated FROM partition_report('tools.big', index, sample_size => 1000, max_partitions => max_partitions) AS r;
	no_scan := pg_stat_get_xact_numscans('tools.big'::regclass) = scans;
	RETURN QUERY SELECT count(*), sum(r.items), bool_and((e -> 'items')::numeric = r.items AND (e -> 'share')::numeric = r.share AND (e -> 'skew')::numeric = r.skew),
		abs(sum((e -> 'bytes')::numeric) / sum(r.bytes) - 1) < 0.25, no_scan, string_agg(e ->> 'problem', ', ')
	FROM partition_report('tools.big', index, exact => true, max_partitions => NULL) AS r, LATERAL (SELECT estimated -> r.partition_key::text AS e) AS x
	WHERE max_partitions IS NULL OR e IS NOT NULL;
END $$;
SELECT * FROM tools.compare(NULL, NULL);
SELECT * FROM tools.compare(NULL, 5);
SELECT * FROM tools.compare('by_kind', NULL);
SELECT * FROM tools.compare('by_bytes', NULL);
SELECT partition_key, items, share, problem FROM partition_report('tools.big', sample_size => 1000, max_partitions => 1);
SELECT count(*) AS differences FROM (SELECT pk, count(*) AS items FROM tools.big GROUP BY pk) AS b FULL JOIN partition_report('tools.big', sample_size => 1000, max_partitions => NULL) AS r ON r.partition_key ->> 'pk' = pk
WHERE b.items IS DISTINCT FROM r.items;
-- The other tools do not scan a big table either, but for the pattern that is a Scan, of which 1,000 items are read.
SELECT shard_key('HOT', 2, 'x') ~ '^HOT#[01]$' AS shard, create_entity_view('tools.big', 'tools.event', '{"pk": "USER#*", "sk": "EVENT#*"}', '{"a": "integer"}');
SET enable_bitmapscan = off;
BEGIN;
SELECT pg_stat_get_xact_tuples_fetched('tools.big'::regclass) AS fetched, pg_stat_get_xact_numscans('tools.big'::regclass) AS scans \gset
SELECT name, operation, verdict FROM check_access_patterns('tools.big', '[{"name": "user", "by": {"pk": "USER#8"}}, {"name": "of a kind", "by": {"kind": "9", "code": 0.5}}, {"name": "by note", "filter": "attribute_exists(note)"}]', 5000);
SELECT updated FROM fan_out_update('tools.big', 'pk = :p', 'SET a = :a', 'a <> :a', '{":p": "USER#9", ":a": 2}');
SELECT count(*) FROM drift_report('tools.big', '{"pk": "USER#9", "sk": "PROFILE"}', 'a', NULL, 'pk = :p', '{":p": "USER#9"}');
SELECT count(*) FROM query_sharded_items('tools.big', 'HOT', 2);
SELECT count(*) FROM tools.event WHERE pk = 'USER#9';
SELECT pg_stat_get_xact_tuples_fetched('tools.big'::regclass) - :fetched < 4000 AS few, pg_stat_get_xact_numscans('tools.big'::regclass) - :scans AS scans;
ROLLBACK;
RESET enable_bitmapscan;
-- Few but huge items: more than a share of the bytes.
SELECT put_item('tools.big', jsonb_build_object('pk', 'HUGE', 'sk', 'x', 'note', repeat('x', 300000))::item);
SELECT partition_key, items, bytes, problem FROM partition_report('tools.big', exact => true, max_partitions => 1);
SHOW enable_seqscan;
SELECT * FROM partition_report('tools.big', 'nosuch', sample_size => 1000);
SELECT count(*) FROM partition_report('tools.people', 'nosuch', max_partitions => 0);
SELECT count(*), sum(items) FROM partition_report('tools.people', max_partitions => NULL);
-- Of the rows that a policy shows, not of all.
CREATE ROLE regress_tools_reader;
GRANT USAGE ON SCHEMA tools TO regress_tools_reader;
GRANT SELECT ON tools.big TO regress_tools_reader;
CREATE POLICY hot ON tools.big USING (pk = 'HOT');
ALTER TABLE tools.big ENABLE ROW LEVEL SECURITY;
SET ROLE regress_tools_reader;
SELECT sum(items) BETWEEN 500 AND 9000 AS plausible FROM entity_map('tools.big', sample_size => 2000);
SELECT partition_key, items, share FROM partition_report('tools.big', sample_size => 1000);
RESET ROLE;
ALTER TABLE tools.big DISABLE ROW LEVEL SECURITY;
-- More than 10 GB as DynamoDB counts them, of few bytes here: the server copies compressed values as they are.
SELECT create_item_table('tools.huge', 'pk', 'sk');
SELECT put_item('tools.huge', jsonb_build_object('pk', 'BIG', 'sk', '0', 'n', repeat('x', 409000))::item);
INSERT INTO tools.huge SELECT 'BIG', n::text, h.item FROM tools.huge h, generate_series(1, 26999) AS n WHERE h.sk = '0';
INSERT INTO tools.huge SELECT 'SMALL', n::text, '{"a": 1}' FROM generate_series(1, 3000) AS n;
VACUUM ANALYZE tools.huge;
SELECT partition_key, items, bytes / 1000 AS kb, share, skew, problem FROM partition_report('tools.huge');
DROP TABLE tools.huge;
-- Nothing depends on the caller's search_path, and nothing in it is run.
CREATE FUNCTION tools.item_size(item) RETURNS integer LANGUAGE sql AS 'SELECT 1 / 0';
SET search_path = tools, public;
SELECT sort_key, items FROM public.entity_map('big', true);
RESET search_path;

DROP SCHEMA tools CASCADE;
DROP ROLE regress_tools_reader;
