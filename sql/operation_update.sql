-- update_item: creation, all return values with nested paths, counters, sets, lists, index keys, sizes.
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

CREATE TABLE t (pk text COLLATE "C", sk numeric, g text COLLATE "C", gn numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX t_g ON t USING gsi (g, gn, pk, sk);

-- An absent item: created from its key by SET and ADD, or by no expression at all.
SELECT update_item('t', '{"pk": "a", "sk": 1}', 'SET x = :x', attribute_values => '{":x": 1}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 2}', 'ADD x :x', attribute_values => '{":x": 1}', return_values => 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 3}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 4}', return_values => 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 5}', 'SET x = :x', attribute_values => '{":x": 1}', return_values => 'ALL_OLD');
SELECT update_item('t', '{"pk": "a", "sk": 6}', 'SET x = :x REMOVE y', attribute_values => '{":x": 1}', return_values => 'UPDATED_OLD');
-- Not by REMOVE and DELETE.
SELECT update_item('t', '{"pk": "a", "sk": 7}', 'REMOVE x', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 8}', 'REMOVE x.y DELETE z :s', attribute_values => '{":s": {"SS": ["a"]}}', return_values => 'ALL_NEW');
SELECT pk, sk, item FROM t ORDER BY pk, sk;
-- The condition sees an absent item, the update the key.
SELECT update_item('t', '{"pk": "k", "sk": 1}', 'SET same = pk, n = sk + :one', 'attribute_not_exists(pk)', '{":one": 1}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "k", "sk": 1}', 'SET same = pk', 'attribute_not_exists(pk)');
SELECT update_item('t', '{"pk": "k", "sk": 2}', 'SET same = pk', 'attribute_exists(pk)');
SELECT update_item('t', '{"pk": "k", "sk": 2}', 'SET x.y = :v', attribute_values => '{":v": 1}');
SELECT update_item('t', '{"pk": "k", "sk": 2}', 'ADD x.y :v', attribute_values => '{":v": 1}');
SELECT get_item('t', '{"pk": "k", "sk": 2}');
-- No expression, an item that is there: no change.
SELECT update_item('t', '{"pk": "a", "sk": 1}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "a", "sk": 1}', return_values => 'ALL_OLD');

-- The five return values, with nested paths.
SELECT put_item('t', '{"pk": "r", "sk": 1, "a": {"b": 1, "c": [10, 11, 12], "keep": true}, "s": "old", "n": 5, "ss": {"SS": ["x", "y"]}, "gone": "g"}');
CREATE FUNCTION pg_temp.show(expression text, attribute_values item DEFAULT NULL)
RETURNS TABLE (return_values text, returned item) LANGUAGE plpgsql AS $$
DECLARE
	before item := get_item('t', '{"pk": "r", "sk": 1}');
BEGIN
	FOR return_values IN SELECT unnest(ARRAY['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW']) LOOP
		returned := update_item('t', '{"pk": "r", "sk": 1}', expression, attribute_values => show.attribute_values,
								return_values => show.return_values);
		RETURN NEXT;
		PERFORM put_item('t', before);
	END LOOP;
END $$;
SELECT * FROM pg_temp.show('SET a.b = :v', '{":v": 2}');
SELECT * FROM pg_temp.show('SET a.c[1] = :v', '{":v": "new"}');
SELECT * FROM pg_temp.show('SET a.c[2] = :v, a.c[0] = :v', '{":v": "new"}');
SELECT * FROM pg_temp.show('SET a.c[100] = :v', '{":v": "appended"}');
SELECT * FROM pg_temp.show('REMOVE a.c[1]');
SELECT * FROM pg_temp.show('REMOVE gone, nope');
SELECT * FROM pg_temp.show('SET fresh = :v', '{":v": {"x": [1]}}');
SELECT * FROM pg_temp.show('SET s = s');
SELECT * FROM pg_temp.show('ADD n :one, ss :z DELETE gone_too :z', '{":one": 1, ":z": {"SS": ["z"]}}');
SELECT * FROM pg_temp.show('DELETE ss :all', '{":all": {"SS": ["x", "y"]}}');
SELECT * FROM pg_temp.show('SET a = :v, s = if_not_exists(s, :v), l = list_append(if_not_exists(l, :e), :e) REMOVE n',
						   '{":v": {"b": 0}, ":e": [1]}');
-- Key attributes of an index are attributes as any other.
SELECT * FROM pg_temp.show('SET g = :g, gn = :n', '{":g": "G", ":n": 7}');

-- Counters, exact in 38 digits.
SELECT update_item('t', '{"pk": "c", "sk": 1}', 'ADD hits :one', attribute_values => '{":one": 1}', return_values => 'UPDATED_NEW') FROM generate_series(1, 3);
SELECT update_item('t', '{"pk": "c", "sk": 1}', 'SET hits = hits + :d', attribute_values => '{":d": 0.0000000000000000000000000000000000001}', return_values => 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "c", "sk": 1}', 'SET hits = hits - :d', attribute_values => '{":d": 0.0000000000000000000000000000000000001}', return_values => 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "c", "sk": 1}', 'SET hits = hits + :d', attribute_values => '{":d": 1e50}');
-- Swap and move: right sides see the old item.
SELECT update_item('t', '{"pk": "c", "sk": 2}', 'SET a = :a, b = :b', attribute_values => '{":a": 1, ":b": 2}');
SELECT update_item('t', '{"pk": "c", "sk": 2}', 'SET a = b, b = a', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "c", "sk": 2}', 'SET c = a REMOVE a', return_values => 'ALL_NEW');

-- Index keys: set, changed, removed.
SELECT update_item('t', '{"pk": "i", "sk": 1}', 'SET g = :g, gn = :n', attribute_values => '{":g": "open", ":n": 1}');
SELECT query_items('t', 'g = :g', '{":g": "open"}', index => 't_g');
SELECT pk, sk, g, gn, item FROM t WHERE pk = 'i';
SELECT update_item('t', '{"pk": "i", "sk": 1}', 'ADD gn :n', attribute_values => '{":n": 41}');
SELECT query_items('t', 'g = :g AND gn = :n', '{":g": "open", ":n": 42}', index => 't_g');
SELECT update_item('t', '{"pk": "i", "sk": 1}', 'REMOVE gn', return_values => 'UPDATED_OLD');
SELECT query_items('t', 'g = :g', '{":g": "open"}', index => 't_g');
SELECT pk, sk, g, gn, item FROM t WHERE pk = 'i';

-- Errors leave the item as it was; the condition comes before the evaluation.
SELECT put_item('t', '{"pk": "e", "sk": 1, "n": 1, "s": "x", "m": {}, "wrong": 5, "blank": ""}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET pk = :v', attribute_values => '{":v": "x"}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'REMOVE sk');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET pk.a = :v', 'attribute_exists(nope)', '{":v": "x"}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET a = pk.b');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g.x = :v', attribute_values => '{":v": "x"}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET a = :v', 'sk[0] = :v', '{":v": "x"}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = :v', 'attribute_exists(nope)', '{":v": 5}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = :v', attribute_values => '{":v": ""}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = wrong');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = blank');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET x.y = :v', attribute_values => '{":v": 1}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET x.y = :v', 'n = :v', '{":v": 2}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET x = nope');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET x = s + :v', attribute_values => '{":v": 1}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'ADD s :v', attribute_values => '{":v": 1}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET n = n + :v', 'n = :one', '{":v": 9.9e125, ":one": 1}');
SELECT get_item('t', '{"pk": "e", "sk": 1}');
-- Only index keys that the update changes are checked: an item from before its index keeps its other type.
UPDATE t SET item = '{"g": 5, "n": 1}' WHERE pk = 'e';
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET n = :v', attribute_values => '{":v": 2}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = :v', attribute_values => '{":v": 6}');
SELECT update_item('t', '{"pk": "e", "sk": 1}', 'SET g = :v', attribute_values => '{":v": "six"}', return_values => 'ALL_NEW');
SELECT pk, g, item FROM t WHERE pk = 'e';

-- Nesting counts from the top of the item: 32 levels, not 33.
SELECT put_item('t', '{"pk": "d", "sk": 1, "a": {"b": {}}}');
SELECT update_item('t', '{"pk": "d", "sk": 1}', 'SET a.b.c = :v', attribute_values => format('{":v": %s}', repeat('[', 30) || repeat(']', 30))::item) IS NULL;
SELECT update_item('t', '{"pk": "d", "sk": 1}', 'SET a.b.c = :v', attribute_values => format('{":v": %s}', repeat('[', 31) || repeat(']', 31))::item) IS NULL;
-- Attributes called like columns that are none.
SELECT update_item('t', '{"pk": "d", "sk": 2}', 'SET #i = :v, ctid = :v, tableoid = :v', attribute_values => '{":v": "x"}', attribute_names => '{"#i": "item"}', return_values => 'ALL_NEW');

-- Sizes.  The item: key pk 2 + 1, sk 2 + 2, v 1 + n; the update: that without the key's 7 bytes, + 3 + 19 per SET.
CREATE FUNCTION pg_temp.fill(sort_key int, bytes int, extra text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM update_item('t', jsonb_build_object('pk', 's', 'sk', sort_key)::item, 'SET v = :v' || extra,
						attribute_values => jsonb_build_object(':v', repeat('x', bytes))::item);
	RETURN item_size(get_item('t', jsonb_build_object('pk', 's', 'sk', sort_key)::item));
EXCEPTION WHEN SQLSTATE 'KV001' THEN
	RETURN SQLERRM;
END $$;
-- 409600 - 3 - 19 - 1 is the most that the second figure allows.
SELECT pg_temp.fill(1, 409600 - 22 - 1);
SELECT pg_temp.fill(1, 409600 - 22);
-- A REMOVE weighs 2.
SELECT pg_temp.fill(2, 409600 - 24 - 1, ' REMOVE w');
SELECT pg_temp.fill(2, 409600 - 24, ' REMOVE w');
SELECT update_item('t', '{"pk": "s", "sk": 1}', 'SET w = :w', attribute_values => '{":w": "0123456789abcdef"}');
SELECT item_size(get_item('t', '{"pk": "s", "sk": 1}'));

DROP TABLE t;
