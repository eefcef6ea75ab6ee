-- The ISO codes of countries, their subdivisions, languages, scripts and currencies in one table: about 14,000 items.
--
--	make demo								in a throw-away cluster
--	psql -f examples/demo.sql				in a database of yours, as a superuser (it reads server files), which keeps two tables
--
-- The files are those of Debian's package iso-codes; another folder: psql -v folder=/path/to/json -f examples/demo.sql
--
--	items								pk					sk
--	countries (ISO 3166-1)				COUNTRY#DE			COUNTRY
--	their subdivisions (3166-2)			COUNTRY#DE			SUBDIVISION#DE-BY
--	withdrawn countries (3166-3)		COUNTRY#DD			WITHDRAWN#DDDE		status, withdrawal_date
--	languages (639-3)					LANGUAGE#deu		LANGUAGE
--	the older list (639-2)				LANGUAGE#deu		ISO-639-2
--	families of languages (639-5)		LANGUAGE#gem		FAMILY
--	scripts (15924)						SCRIPT#Latn			SCRIPT
--	currencies (4217)					CURRENCY#EUR		CURRENCY
\set QUIET on
\pset pager off
\pset null ''
\if :{?folder}
\else
\set folder /usr/share/iso-codes/json
\endif
SET client_min_messages = warning;

CREATE EXTENSION IF NOT EXISTS singletable;
DROP TABLE IF EXISTS world, passport;

\echo '== 1. A table, an inverted index (sk, pk), and a sparse one that holds what is withdrawn'
SELECT create_item_table('world', 'pk', 'sk');
SELECT create_item_index('world', 'inverted', partition_key => 'sk', sort_key => 'pk');
SELECT create_item_index('world', 'withdrawn', partition_key => 'status', sort_key => 'withdrawal_date');

\echo '== 2. Eight files of JSON, put item by item'
CREATE TEMP TABLE record AS
SELECT list, jsonb_array_elements(pg_read_file(:'folder' || '/iso_' || list || '.json')::jsonb -> list) AS data
FROM unnest(ARRAY['3166-1', '3166-2', '3166-3', '639-2', '639-3', '639-5', '15924', '4217']) AS list;

SELECT list, count(*) AS items, count(put_item('world', (data || CASE list
		WHEN '3166-1' THEN jsonb_build_object('pk', 'COUNTRY#' || (data ->> 'alpha_2'), 'sk', 'COUNTRY')
		WHEN '3166-2' THEN jsonb_build_object('pk', 'COUNTRY#' || split_part(data ->> 'code', '-', 1), 'sk', 'SUBDIVISION#' || (data ->> 'code'))
		WHEN '3166-3' THEN jsonb_build_object('pk', 'COUNTRY#' || (data ->> 'alpha_2'), 'sk', 'WITHDRAWN#' || (data ->> 'alpha_4'), 'status', 'WITHDRAWN')
		WHEN '639-2' THEN jsonb_build_object('pk', 'LANGUAGE#' || (data ->> 'alpha_3'), 'sk', 'ISO-639-2')
		WHEN '639-3' THEN jsonb_build_object('pk', 'LANGUAGE#' || (data ->> 'alpha_3'), 'sk', 'LANGUAGE')
		WHEN '639-5' THEN jsonb_build_object('pk', 'LANGUAGE#' || (data ->> 'alpha_3'), 'sk', 'FAMILY')
		WHEN '15924' THEN jsonb_build_object('pk', 'SCRIPT#' || (data ->> 'alpha_4'), 'sk', 'SCRIPT')
		WHEN '4217' THEN jsonb_build_object('pk', 'CURRENCY#' || (data ->> 'alpha_3'), 'sk', 'CURRENCY')
	END)::item, return_values => 'ALL_OLD')) AS replaced
FROM record
GROUP BY ROLLUP (list)
ORDER BY grouping(list), list;
ANALYZE world;

\echo '== 3. GetItem: one item by its key'
SELECT get_item('world', '{"pk": "COUNTRY#DE", "sk": "COUNTRY"}')::jsonb;

\echo '== 4. Query: a partition, by the prefix of the sort key, forward and backward'
SELECT item ->> 'code' AS code, item ->> 'name' AS name
FROM query_items('world', 'pk = :country AND begins_with(sk, :what)', '{":country": "COUNTRY#DE", ":what": "SUBDIVISION#"}', max_items => 4) AS item;
SELECT item ->> 'code' AS code, item ->> 'name' AS name
FROM query_items('world', 'pk = :country AND begins_with(sk, :what)', '{":country": "COUNTRY#DE", ":what": "SUBDIVISION#"}', max_items => 4,
	forward => false) AS item;

\echo '== 5. Query of an index: what was withdrawn since 1990, the last first; and whose subdivision AT-9 is'
SELECT item ->> 'withdrawal_date' AS date, item ->> 'name' AS name
FROM query_items('world', '#s = :s AND withdrawal_date >= :since', '{":s": "WITHDRAWN", ":since": "1990"}', '{"#s": "status"}',
	index => 'withdrawn', forward => false, max_items => 5) AS item;
SELECT item_text(item, 'pk') AS country, item ->> 'name' AS subdivision
FROM query_items('world', 'sk = :sk', '{":sk": "SUBDIVISION#AT-9"}', index => 'inverted') AS item;

\echo '== 6. Query with a filter and a projection: the autonomous regions and communities of Spain'
SELECT item::jsonb
FROM query_items('world', 'pk = :country AND begins_with(sk, :what)',
	'{":country": "COUNTRY#ES", ":what": "SUBDIVISION#", ":a": "Autonomous", ":m": "M"}', '{"#n": "name", "#t": "type"}',
	filter => 'begins_with(#t, :a) AND contains(#n, :m)', projection => 'code, #n') AS item;

\echo '== 7. A conditional update that succeeds, and one that fails'
SELECT update_item('world', '{"pk": "COUNTRY#DE", "sk": "COUNTRY"}', 'SET capital = :c ADD visits :one',
	condition => 'attribute_not_exists(capital)', attribute_values => '{":c": "Berlin", ":one": 1}', return_values => 'UPDATED_NEW');
\set ON_ERROR_STOP off
SELECT update_item('world', '{"pk": "COUNTRY#DE", "sk": "COUNTRY"}', 'SET capital = :c ADD visits :one',
	condition => 'attribute_not_exists(capital)', attribute_values => '{":c": "Bonn", ":one": 1}', return_values => 'UPDATED_NEW');
\echo 'SQLSTATE' :SQLSTATE
\set ON_ERROR_STOP on

\echo '== 8. A transaction over two tables: a stamp in a passport, if the country exists, and its visits counted'
SELECT create_item_table('passport', 'holder', 'stamp');
SELECT transact_write_items('[
	{"ConditionCheck": {"TableName": "world", "Key": {"pk": "CURRENCY#EUR", "sk": "CURRENCY"}, "ConditionExpression": "attribute_exists(pk)"}},
	{"Update": {"TableName": "world", "Key": {"pk": "COUNTRY#AT", "sk": "COUNTRY"}, "UpdateExpression": "ADD visits :one",
		"ConditionExpression": "attribute_exists(pk)", "ExpressionAttributeValues": {":one": 1}}},
	{"Put": {"TableName": "passport", "Item": {"holder": "Ann", "stamp": "2026-03-01#AT"}}}]');
\set ON_ERROR_STOP off
SELECT transact_write_items('[
	{"Update": {"TableName": "world", "Key": {"pk": "COUNTRY#ZZ", "sk": "COUNTRY"}, "UpdateExpression": "ADD visits :one",
		"ConditionExpression": "attribute_exists(pk)", "ExpressionAttributeValues": {":one": 1}}},
	{"Put": {"TableName": "passport", "Item": {"holder": "Ann", "stamp": "2026-03-02#ZZ"}}}]');
\set ON_ERROR_STOP on
SELECT item::jsonb FROM query_items('passport', 'holder = :h', '{":h": "Ann"}') AS item;

\echo '== 9. The same items in SQL: a join, and an aggregate'
SELECT full_item(c) ->> 'name' AS country, count(*) AS subdivisions, count(DISTINCT s.item ->> 'type') AS kinds
FROM world c JOIN world s ON s.pk = c.pk AND s.sk ^@ 'SUBDIVISION#'
WHERE c.sk = 'COUNTRY'
GROUP BY c.pk, full_item(c) ->> 'name'
ORDER BY subdivisions DESC, country
LIMIT 5;
SELECT split_part(pk, '#', 1) AS kind, count(*) AS items, round(avg(item_size(full_item(w)))) AS average_bytes
FROM world w
GROUP BY 1
ORDER BY 2 DESC;

\echo '== 10. How PostgreSQL reads an index: a condition on the key is a condition of the index, a prefix too'
EXPLAIN (COSTS OFF)
SELECT full_item(w) FROM world w WHERE status = 'WITHDRAWN' AND withdrawal_date ^@ '199' ORDER BY withdrawal_date DESC;
EXPLAIN (COSTS OFF)
SELECT full_item(w) FROM world w WHERE pk = 'COUNTRY#DE' AND begins_with(sk, 'SUBDIVISION#') ORDER BY sk;
