-- Race results: an adjacency list whose numbers are the order of two indexes, a local and a global one.
--
--	psql -f examples/races.sql
--
--	items							pk			sk			numeric
--	race of a class					class-1		race-1		time of the start
--	best output in a class			class-1		racer-2
--	result of a racer in a race		racer-2		race-1		output so far
--	a race as a whole				race-1		details
--
--	by_number	lsi (pk, numeric)			the races of a class in the order of time
--	board		gsi (sk, numeric)			the leaderboard of a race: the order changes with each result
\set QUIET on
\pset pager off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP TABLE IF EXISTS races;
SELECT create_item_table('races', 'pk', 'sk');
SELECT create_item_index('races', 'by_number', partition_key => 'pk', sort_key => 'numeric', sort_key_type => 'N', local => true);
SELECT create_item_index('races', 'board', partition_key => 'sk', sort_key => 'numeric', sort_key_type => 'N');

SELECT batch_write_items('{"races": [
	{"PutRequest": {"Item": {"pk": "class-1", "sk": "race-2", "numeric": 1780000000, "title": "Hill climb"}}},
	{"PutRequest": {"Item": {"pk": "class-1", "sk": "race-1", "numeric": 1770000000, "title": "Sprint"}}},
	{"PutRequest": {"Item": {"pk": "class-1", "sk": "racer-1", "best": 410}}},
	{"PutRequest": {"Item": {"pk": "class-1", "sk": "racer-2", "best": 377.5}}},
	{"PutRequest": {"Item": {"pk": "race-1", "sk": "details", "starters": 3}}}]}');
SELECT put_item('races', jsonb_build_object('pk', 'racer-' || racer, 'sk', 'race-1', 'numeric', 0, 'r', '{}'::jsonb)::item)
FROM generate_series(1, 3) AS racer;

-- Three seconds of a race: each result is one update, and moves the racer in the leaderboard.
CREATE OR REPLACE FUNCTION pg_temp.result(racer int, race int, second int, output numeric) RETURNS item LANGUAGE sql AS $$
	SELECT update_item('races', jsonb_build_object('pk', 'racer-' || racer, 'sk', 'race-' || race)::item, 'SET r.#second = :o ADD #n :o',
		attribute_values => jsonb_build_object(':o', output)::item,
		attribute_names => jsonb_build_object('#second', second::text, '#n', 'numeric'), return_values => 'UPDATED_NEW')
$$;
SELECT pg_temp.result(racer, 1, second, 100 + (racer * 37 * second) % 23 + racer / 10.0)
FROM generate_series(1, 3) AS second, generate_series(1, 3) AS racer;

\echo '-- results of a racer in all races'
SELECT item::jsonb FROM query_items('races', 'pk = :p AND begins_with(sk, :r)', '{":p": "racer-2", ":r": "race-"}') AS item;
\echo '-- races of a class in the order of time'
SELECT item ->> 'title' AS title, item -> 'numeric' AS start FROM query_items('races', 'pk = :p', '{":p": "class-1"}', index => 'by_number') AS item;
\echo '-- best output of the racers in a class'
SELECT item ->> 'sk' AS racer, item -> 'best' AS best
FROM query_items('races', 'pk = :p AND begins_with(sk, :r)', '{":p": "class-1", ":r": "racer-"}') AS item;
\echo '-- the leaderboard of a race (the race itself stands in the same partition: a filter leaves it out)'
SELECT item ->> 'pk' AS racer, item -> 'numeric' AS output
FROM query_items('races', 'sk = :race', '{":race": "race-1", ":racer": "racer-"}', index => 'board', filter => 'begins_with(pk, :racer)',
	forward => false, max_items => 10) AS item;
\echo '-- a better personal best, and one that is none'
SELECT update_item('races', '{"pk": "class-1", "sk": "racer-2"}', 'SET best = :b', condition => 'attribute_not_exists(best) OR best < :b',
	attribute_values => '{":b": 399}', return_values => 'UPDATED_OLD')::jsonb AS old;
\set ON_ERROR_STOP off
SELECT update_item('races', '{"pk": "class-1", "sk": "racer-1"}', 'SET best = :b', condition => 'attribute_not_exists(best) OR best < :b',
	attribute_values => '{":b": 399}', return_values => 'UPDATED_OLD')::jsonb AS old;
\set ON_ERROR_STOP on
