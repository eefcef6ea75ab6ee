-- Race results: PK, SK, an LSI on PK + Numeric, a GSI on SK + Numeric; the access patterns of reference/modelling, example C.
\pset format unaligned
\pset tuples_only on

CREATE TABLE races (
	"PK" text COLLATE "C" NOT NULL,
	"SK" text COLLATE "C" NOT NULL,
	"Numeric" numeric,
	item item NOT NULL DEFAULT '{}',
	PRIMARY KEY ("PK", "SK")
);
CREATE INDEX "LSI1" ON races USING lsi ("PK", "Numeric", "SK");
CREATE INDEX "GSI1" ON races USING gsi ("SK", "Numeric", "PK") WITH (sort_keys = 1);

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
-- A page further: the start key is all key attributes of the index and the table.
SELECT q.i ->> 'PK' FROM query_items('races', 'SK = :race', '{":race": "race-31", ":racer": "racer-"}', index => 'GSI1', filter => 'begins_with(PK, :racer)', forward => false, max_items => 2,
	start_key => '{"SK": "race-31", "Numeric": 854, "PK": "racer-26"}') q(i);
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
