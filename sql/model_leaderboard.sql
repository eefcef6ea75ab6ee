-- Race results: PK, SK, an LSI on PK + Numeric, a GSI on SK + Numeric; the access patterns of reference/modelling, example C.
\pset format unaligned
\pset tuples_only on

SELECT create_item_table('races', 'PK', 'SK');
SELECT create_item_index('races', 'LSI1', 'PK', 'Numeric', sort_key_type => 'N', local => true);
SELECT create_item_index('races', 'GSI1', 'SK', 'Numeric');

-- Three classes, four races, thirty racers; each racer takes part in each race of a class.
SELECT count(put_item('races', json_build_object('PK', 'class-' || c, 'SK', 'race-' || c * 10 + r, 'Numeric', 20260000 + r * 100 + c, 'title', 'Race ' || r || ' of class ' || c)::item, return_values => 'ALL_OLD'))
FROM generate_series(1, 3) c, generate_series(1, 4) r;
SELECT count(put_item('races', json_build_object('PK', 'class-' || 1 + n % 3, 'SK', 'racer-' || n, 'best', 100 + n * 37 % 50)::item, return_values => 'ALL_OLD')) FROM generate_series(1, 30) n;
SELECT count(put_item('races', json_build_object('PK', 'racer-' || n, 'SK', 'race-' || (1 + n % 3) * 10 + r, 'Numeric', n * 7919 % 1000 + r * 3, 'r', json_build_object('0', 0))::item, return_values => 'ALL_OLD'))
FROM generate_series(1, 30) n, generate_series(1, 4) r;
SELECT count(put_item('races', json_build_object('PK', 'race-' || c * 10 + r, 'SK', 'details', 'distance', 2000)::item, return_values => 'ALL_OLD')) FROM generate_series(1, 3) c, generate_series(1, 4) r;
SELECT count(*) FROM races;

-- 1. Results of a racer in all races.
SELECT query_items('races', 'PK = :r AND begins_with(SK, :race)', '{":r": "racer-2", ":race": "race-"}', projection => 'SK, #n', attribute_names => '{"#n": "Numeric"}');
-- 2. Races of a class in order of time: only items with Numeric are in the index, so the racers of the class are not.
SELECT query_items('races', 'PK = :c', '{":c": "class-1"}', index => 'LSI1');
SELECT query_items('races', 'PK = :c AND #n >= :from', '{":c": "class-1", ":from": 20260300}', '{"#n": "Numeric"}', 'LSI1', projection => 'title', forward => false, max_items => 1);
-- 3. Best output per racer in a class.
SELECT query_items('races', 'PK = :c AND begins_with(SK, :r)', '{":c": "class-3", ":r": "racer-"}', projection => 'SK, best');
-- 4. The leaderboard of a race: the race's own item has a number too and stands on top, so filter by a table key that is no key of the index.
SELECT query_items('races', 'SK = :race', '{":race": "race-31", ":racer": "racer-"}', index => 'GSI1', filter => 'begins_with(PK, :racer)', forward => false, max_items => 3,
	projection => 'PK, #n', attribute_names => '{"#n": "Numeric"}');
SELECT query_items('races', 'SK = :race', '{":race": "race-31"}', index => 'GSI1', forward => false, max_items => 1, projection => 'title');
-- Page by page: the next one begins after the last item, whose key in the index is made by item_key.
CREATE FUNCTION pg_temp.leaderboard(race text, page int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	found item[];
	start_key item;
BEGIN
	LOOP
		SELECT array_agg(q.i ORDER BY q.n) INTO found
		FROM query_items('races', 'SK = :race', jsonb_build_object(':race', race, ':racer', 'racer-')::item, index => 'GSI1',
						 filter => 'begins_with(PK, :racer)', forward => false, max_items => page, start_key => start_key) WITH ORDINALITY q(i, n);
		EXIT WHEN found IS NULL;
		RETURN NEXT (SELECT string_agg(f ->> 'PK', ' ' ORDER BY n) FROM unnest(found) WITH ORDINALITY u(f, n));
		start_key := item_key('races', found[cardinality(found)], 'GSI1');
	END LOOP;
END $$;
SELECT pg_temp.leaderboard('race-31', 4);
-- 5. Second by second: an update in place moves the racer in the leaderboard.
SELECT update_item('races', '{"PK": "racer-2", "SK": "race-31"}', 'SET #n = :n, r.#s = :n', attribute_values => '{":n": 9999}', attribute_names => '{"#n": "Numeric", "#s": "17"}', return_values => 'UPDATED_NEW');
SELECT query_items('races', 'SK = :race', '{":race": "race-31", ":racer": "racer-"}', index => 'GSI1', filter => 'begins_with(PK, :racer)', forward => false, max_items => 1, projection => 'PK, #n, r',
	attribute_names => '{"#n": "Numeric"}');
-- A better personal best is kept, a worse one refused.
SELECT update_item('races', '{"PK": "class-3", "SK": "racer-2"}', 'SET best = :b', 'attribute_not_exists(best) OR best < :b', '{":b": 500}', return_values => 'UPDATED_OLD');
SELECT update_item('races', '{"PK": "class-3", "SK": "racer-2"}', 'SET best = :b', 'attribute_not_exists(best) OR best < :b', '{":b": 499}', return_values_on_condition_check_failure => 'ALL_OLD');

-- The same in plain SQL, on the same indexes.
SELECT "PK", "Numeric" FROM races WHERE "SK" = 'race-31' AND "PK" ^@ 'racer-' AND "Numeric" IS NOT NULL ORDER BY "Numeric" DESC LIMIT 3;
SELECT (SELECT array_agg(i ORDER BY n) FROM query_items('races', 'SK = :race', '{":race": "race-12"}', index => 'GSI1') WITH ORDINALITY q(i, n)) =
	(SELECT array_agg(full_item(r) ORDER BY "Numeric", "PK") FROM races r WHERE "SK" = 'race-12' AND "Numeric" IS NOT NULL);
SELECT substring("PK" from '^[a-z]+') AS kind, count(*), count("Numeric") FROM races GROUP BY 1 ORDER BY 1;

DROP TABLE races;
