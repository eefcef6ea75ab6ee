-- A racing league: classes, races and racers in one table; LSI on (PK, Numeric), GSI on (SK, Numeric).
--
--	item								PK			SK				Numeric
--	race of a class						class-1		race-1			time of its start
--	best output of a racer in a class	class-1		racer-2
--	result of a racer in a race			racer-2		race-1			output so far
--	an hour of results, in six parts	racer-2		race-9#1 ... 6	on the first part only
--
--	psql -f examples/01_racing.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS racing CASCADE;
CREATE SCHEMA racing;
SET search_path = racing, public;

SELECT create_item_table('race', 'PK', 'SK');
SELECT create_item_index('race', 'by_number', 'PK', 'Numeric', sort_key_type => 'N', local => true);
SELECT create_item_index('race', 'board', 'SK', 'Numeric', sort_key_type => 'N');

\echo '-- two classes with three races each, six racers, and 300 results a race, second by second, nested in one item'
CREATE TEMP TABLE output AS
SELECT 'racer-' || n AS racer, 'race-' || (n % 2) * 3 + r AS race, (SELECT jsonb_object_agg(s, (n * 7919 + r * 104729 + s * 31) % 400) FROM generate_series(1, 300) AS s) AS results,
	(n * 7919 + r * 104729) % 1000 AS total
FROM generate_series(1, 6) AS n, generate_series(1, 3) AS r;
SELECT batch_write_items(json_build_object('race', json_agg(json_build_object('PutRequest', json_build_object('Item', i))))) AS items
FROM (
	SELECT jsonb_build_object('PK', 'class-' || c, 'SK', 'race-' || c * 3 + r, 'Numeric', 20260600 + r, 'title', format('Race %s of class %s', r, c)) AS i
	FROM generate_series(0, 1) AS c, generate_series(1, 3) AS r
	UNION ALL
	SELECT jsonb_build_object('PK', 'class-' || n % 2, 'SK', 'racer-' || n, 'best', 100 + n) FROM generate_series(1, 6) AS n
	UNION ALL
	SELECT jsonb_build_object('PK', racer, 'SK', race, 'Numeric', total, 'r', results) FROM output) AS x;

\echo '-- 1. results of a racer in all races'
SELECT i ->> 'SK' AS race, i -> 'Numeric' AS output FROM query_items('race', 'PK = :r AND begins_with(SK, :race)', '{":r": "racer-2", ":race": "race-"}') AS i;
\echo '-- 2. races of a class in the order of time: what has no Numeric is not in the index'
SELECT i ->> 'title' AS title FROM query_items('race', 'PK = :c', '{":c": "class-1"}', index => 'by_number') AS i;
\echo '-- 3. best output of each racer of a class'
SELECT i ->> 'SK' AS racer, i -> 'best' AS best FROM query_items('race', 'PK = :c AND begins_with(SK, :r)', '{":c": "class-1", ":r": "racer-"}') AS i;
\echo '-- 4. leaderboard of a race: the best first; the race itself has a number too, so the filter is on a key that is none of the index'
SELECT i ->> 'PK' AS racer, i -> 'Numeric' AS output
FROM query_items('race', 'SK = :race', '{":race": "race-4", ":racer": "racer-"}', index => 'board', filter => 'begins_with(PK, :racer)', forward => false, max_items => 3) AS i;
\echo '-- 5. one second of one racer; the numbers are the same as those that were put'
SELECT get_item('race', '{"PK": "racer-1", "SK": "race-4"}', 'r.#s', '{"#s": "17"}') AS second_17;
SELECT bool_and(get_item('race', jsonb_build_object('PK', racer, 'SK', race)::item) -> 'r' = results) AS all_as_put FROM output;

\echo '-- a new result: the score is updated, and so is the place on the board'
SELECT update_item('race', '{"PK": "racer-1", "SK": "race-4"}', 'SET #n = :n, r.#s = :v', attribute_values => '{":n": 5000, ":v": 399}', attribute_names => '{"#n": "Numeric", "#s": "300"}',
	return_values => 'UPDATED_NEW');
SELECT i ->> 'PK' AS leader FROM query_items('race', 'SK = :race AND #n < :starts', '{":race": "race-4", ":starts": 20000000}', '{"#n": "Numeric"}', 'board', forward => false, max_items => 1) AS i;

\echo '-- a race of an hour: six items of 600 seconds, put together again in the order of their sort keys'
CREATE TEMP TABLE hour AS SELECT s, (s * 7919) % 400 AS v FROM generate_series(1, 3600) AS s;
SELECT count(put_item('race', (jsonb_build_object('PK', 'racer-1', 'SK', 'race-9#' || part, 'r', results) || CASE part WHEN 1 THEN '{"Numeric": 77}' ELSE '{}' END::jsonb)::item, 'attribute_not_exists(PK)',
	return_values => 'ALL_OLD')) AS replaced
FROM (SELECT 1 + (s - 1) / 600 AS part, jsonb_agg(v ORDER BY s) AS results FROM hour GROUP BY 1) AS p;
SELECT array_agg(v::int ORDER BY q.n, e.n) = (SELECT array_agg(h.v ORDER BY s) FROM hour h) AS same_hour, count(DISTINCT q.n) AS parts, count(*) AS seconds
FROM query_items('race', 'PK = :r AND begins_with(SK, :race)', '{":r": "racer-1", ":race": "race-9#"}') WITH ORDINALITY AS q(i, n), jsonb_array_elements_text(i -> 'r') WITH ORDINALITY AS e(v, n);

\echo '-- the same results in fewer bytes: the program compresses them (here the shell does), the table stores an attribute of type B'
SELECT results AS points FROM output WHERE racer = 'racer-2' AND race = 'race-1' \gset
\setenv POINTS :points
\set packed `printf %s "$POINTS" | gzip -n | base64 | tr -d '\n'`
SELECT put_item('race', json_build_object('PK', json_build_object('S', 'racer-2'), 'SK', json_build_object('S', 'race-1.gz'), 'enc', json_build_object('S', 'gzip'),
	'r', json_build_object('B', :'packed'))::text::item) AS old;
SELECT encode(item_bytea(i, 'r'), 'base64') AS packed, item_type(i, 'r') AS type FROM get_item('race', '{"PK": "racer-2", "SK": "race-1.gz"}') AS i \gset read_
\setenv PACKED :read_packed
\set unpacked `printf %s "$PACKED" | base64 -d | gzip -d`
SELECT :'read_type' AS type, :'unpacked'::jsonb = :'points'::jsonb AS same,
	item_size(get_item('race', '{"PK": "racer-2", "SK": "race-1.gz"}')) < item_size(get_item('race', '{"PK": "racer-2", "SK": "race-1"}')) AS smaller;

\echo '-- what is in the table'
SELECT partition_key, sort_key, items, indexes FROM entity_map('race');

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('race', '[
	{"name": "results of a racer", "by": {"PK": "racer-2", "SK": {"begins_with": "race-"}}},
	{"name": "races of a class by time", "by": {"PK": "class-1"}, "order_by": "Numeric"},
	{"name": "best outputs of a class", "by": {"PK": "class-1", "SK": {"begins_with": "racer-"}}},
	{"name": "leaderboard", "key_condition": "SK = :r AND #n < :starts", "index": "board", "attribute_values": {":r": "race-4", ":starts": 20000000},
		"attribute_names": {"#n": "Numeric"}, "forward": false, "max_items": 10},
	{"name": "seconds of a race", "by": {"PK": "racer-2", "SK": "race-1"}},
	{"name": "an hour in parts", "by": {"PK": "racer-1", "SK": {"begins_with": "race-9#"}}},
	{"name": "new result", "key": {"PK": "racer-1", "SK": "race-4"}, "update": "SET #n = :n, r.#s = :v", "attribute_names": {"#n": "Numeric", "#s": "300"}, "attribute_values": {":n": 5001, ":v": 400}},
	{"name": "personal best", "key": {"PK": "class-1", "SK": "racer-1"}, "update": "SET best = :b", "condition": "attribute_not_exists(best) OR best < :b", "attribute_values": {":b": 400}},
	{"name": "who ever had 400", "filter": "best >= :b", "attribute_values": {":b": 400}}]');
