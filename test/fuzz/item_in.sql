-- Mutated text into item_in.  Whatever comes in, the answer is an item or an error of class KV or 22, and an item keeps its promises.
--
--   psql -v count=20000 -v seed=1 -f test/fuzz/item_in.sql
--
-- Fails (ON_ERROR_STOP) with the input that broke a promise.  The same seed makes the same inputs.
SET client_min_messages = notice;
SELECT set_config('fuzz.count', :'count', false), setseed(mod(:seed, 1000003) / 1000003.0) \g /dev/null

CREATE TEMP TABLE corpus (n serial, text text);
INSERT INTO corpus (text) VALUES
	('{}'),
	('{"name": "Ann", "age": 31, "gone": null, "tags": ["a", 2.50, true, [], {}], "address": {"zip": "1", "lines": [{"a": 1e3}, {"b": -0.25}]}}'),
	('{"s": {"S": "x"}, "n": {"N": "-12.50e3"}, "b": {"B": "aGVsbG8="}, "t": {"BOOL": true}, "z": {"NULL": true}}'),
	('{"ss": {"SS": ["b", "", "a"]}, "ns": {"NS": ["10", "-2.50", "1e3"]}, "bs": {"BS": ["Yg==", "YWE=", ""]}}'),
	('{"m": {"M": {"l": {"L": [{"N": "1"}, {"M": {}}, {"L": [{"S": "x"}]}]}, "S": {"S": "tag"}}}}'),
	('{"S": "x", "M": {"M": {"M": {"M": {}}}}, "L": {"L": []}, "N": {"N": "0"}}'),
	('{"e": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000é€😀", "\u0000": 1, "é😀": 2}'),
	('{"big": 9.9999999999999999999999999999999999999E+125, "small": 1E-130, "digits": 12345678901234567890123456789012345678, "neg": -1e-130}'),
	('{"mixed": [{"S": "x", "y": 1}, {"S": {"a": 1}, "b": 2}, {"N": "1"}, {"zz": {"N": "1"}}, [[[[[[]]]]]]]}'),
	('{"deep": ' || repeat('{"M": {"a": ', 15) || '{"N": "1"}' || repeat('}}', 15) || ', "lists": ' || repeat('[', 31) || repeat(']', 31) || '}'),
	('{"long": "' || repeat('x', 300) || '", "' || repeat('k', 300) || '": [' || repeat('1, ', 150) || '2]}');

-- What inputs are made of: mutations paste these in.
CREATE TEMP TABLE piece AS
SELECT row_number() OVER () AS n, text
FROM unnest(ARRAY['{', '}', '[', ']', '"', ':', ',', '\', ' ', '0', '9', '-', '.', 'e', 'E+', 'e-', '1e125', '1e126', '1E-130', '1e-131', 'true', 'false', 'null', '""', '{}', '[]', '"S"', '"N"', '"B"',
	'"SS"', '"NS"', '"BS"', '"M"', '"L"', '"BOOL"', '"NULL"', '{"S": "x"}', '{"N": "1"}', '{"NULL": true}', '{"M": {', '{"L": [', '\u0000', '\ud83d', '\ude00', '\u', 'é', '😀', E'\n', E'\u0001', 'YQ==', '=', 'a',
	'00000000000000000000000000000000000000000', '123456789012345678901234567890', repeat('[', 40), repeat('{"a":', 40), repeat('{"M":', 300)]) AS text;

-- And these are JSON values, to put in place of others.
CREATE TEMP TABLE value AS
SELECT row_number() OVER () AS n, text
FROM unnest(ARRAY['""', '"a"', '"S"', '"N"', '"B"', '"SS"', '"NS"', '"BS"', '"M"', '"L"', '"BOOL"', '"NULL"', '"YQ=="', '"YWI="', '"YWJj"', '"YR=="', '"12"', '"1.50"', '"-0"', '"1e126"', '"x\u0000"', '"\ud83d\ude00"',
	'0', '1', '-1', '1.0', '1e3', '0.001', '1e126', '1E-130', '123456789012345678901234567890123456789', '99999999999999999999999999999999999999', 'true', 'false', 'null', '[]', '{}', '["a", "b"]', '["1", "2"]', '["YQ==", ""]',
	'["a", "a"]', '{"a": 1}', '{"": 1}', '{"S": "x"}', '{"N": "7"}', '{"B": ""}', '{"BOOL": true}', '{"NULL": true}', '{"SS": ["x", "y"]}', '{"NS": ["1", "01"]}', '{"BS": ["YQ=="]}', '{"L": []}', '{"M": {}}',
	'{"L": [{"S": "x"}]}', '{"M": {"a": {"N": "1"}}}', '{"S": "x", "N": "1"}', '{"L": [1]}', '[{"S": "x"}, [1]]']) AS text;

CREATE FUNCTION pg_temp.pick(low integer, high integer) RETURNS integer LANGUAGE sql VOLATILE AS 'SELECT low + floor(random() * (high - low + 1))::integer';

CREATE FUNCTION pg_temp.mutate(input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	pieces text[] := ARRAY(SELECT text FROM piece ORDER BY n);
	values text[] := ARRAY(SELECT text FROM value ORDER BY n);
	inputs text[] := ARRAY(SELECT text FROM corpus ORDER BY n);
	token text := '"([^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|\[\]|\{\}';
	size integer;
	place integer;
	span integer;
	other text;
BEGIN
	-- Most often only tokens, so that most of the input stays JSON.
	IF random() < 0.7 THEN
		FOR round IN 1..pg_temp.pick(1, 3) LOOP
			input := regexp_replace(input, token, replace(values[pg_temp.pick(1, array_length(values, 1))], '\', '\\'), 1, pg_temp.pick(1, greatest(regexp_count(input, token), 1)));
		END LOOP;
		RETURN input;
	END IF;
	FOR round IN 1..pg_temp.pick(1, 3) LOOP
		size := length(input);
		place := pg_temp.pick(1, size + 1);
		span := pg_temp.pick(0, CASE WHEN random() < 0.7 THEN 3 ELSE size END);
		CASE pg_temp.pick(1, 8)
			WHEN 1, 2 THEN		-- overwrite
				input := overlay(input PLACING pieces[pg_temp.pick(1, array_length(pieces, 1))] FROM place FOR span);
			WHEN 3 THEN			-- insert
				input := overlay(input PLACING pieces[pg_temp.pick(1, array_length(pieces, 1))] FROM place FOR 0);
			WHEN 4 THEN			-- delete
				input := overlay(input PLACING '' FROM place FOR span);
			WHEN 5 THEN			-- repeat
				input := overlay(input PLACING repeat(substr(input, place, span), pg_temp.pick(2, 3)) FROM place FOR span);
			WHEN 6 THEN			-- go on with another input
				other := inputs[pg_temp.pick(1, array_length(inputs, 1))];
				input := left(input, place) || substr(other, pg_temp.pick(1, length(other)));
			WHEN 7 THEN			-- another input in its place
				input := overlay(input PLACING inputs[pg_temp.pick(1, array_length(inputs, 1))] FROM place FOR span);
			ELSE				-- any character
				input := overlay(input PLACING chr(CASE WHEN random() < 0.8 THEN pg_temp.pick(1, 127) ELSE pg_temp.pick(128, 55000) END) FROM place FOR pg_temp.pick(0, 1));
		END CASE;
		EXIT WHEN length(input) > 20000;
	END LOOP;
	RETURN input;
END $$;

-- What any item promises.
CREATE FUNCTION pg_temp.check_item(item item) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	ASSERT item = item AND item_cmp(item, item) = 0 AND NOT item < item AND item @> item, 'equal to itself';
	ASSERT item::text::item = item AND item_send(item::text::item) = item_send(item), 'text reads back as the same item';
	ASSERT item_from_dynamodb_json(item_to_dynamodb_json(item)) = item, 'DynamoDB JSON reads back as the same item';
	ASSERT item_size(item) BETWEEN 0 AND 409600 AND (item_size(item) = 0) = (item = '{}'), 'size';
	ASSERT item || '{}' = item AND item || item = item AND '{}' || item = item, 'merge';
	ASSERT json_typeof(item::json) = 'object', 'plain JSON is JSON';
	BEGIN
		ASSERT item::jsonb = item::json::jsonb, 'jsonb';
		ASSERT item::jsonb::item::jsonb = item::jsonb, 'jsonb reads back as the same jsonb';
		ASSERT (SELECT count(*) = count(*) FILTER (WHERE item ? attribute AND item_type(item, attribute) = type AND item -> attribute = value) AND
			coalesce(jsonb_object_agg(attribute, value), '{}') = item::jsonb FROM item_attributes(item)), 'attributes';
	EXCEPTION WHEN untranslatable_character THEN
		ASSERT item::text LIKE '%\\u0000%', 'untranslatable without U+0000';
	END;
END $$;

DO $$
DECLARE
	inputs text[] := ARRAY(SELECT text FROM corpus ORDER BY n);
	input text;
	item item;
	accepted integer := 0;
	refused integer := 0;
	malformed integer := 0;
BEGIN
	FOREACH input IN ARRAY inputs LOOP
		PERFORM pg_temp.check_item(input::item);
	END LOOP;
	FOR round IN 1..current_setting('fuzz.count')::integer LOOP
		input := pg_temp.mutate(inputs[pg_temp.pick(1, array_length(inputs, 1))]);
		BEGIN
			item := NULL;
			item := input::item;
			accepted := accepted + 1;
		EXCEPTION WHEN OTHERS THEN
			IF SQLSTATE !~ '^(KV001|KV011|22...)$' THEN
				RAISE EXCEPTION 'item_in: % % for %', SQLSTATE, SQLERRM, left(input, 5000);
			END IF;
			refused := refused + 1;
			malformed := malformed + (SQLERRM = 'malformed JSON')::integer;
		END;
		IF item IS NOT NULL THEN
			BEGIN
				PERFORM pg_temp.check_item(item);
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				RAISE EXCEPTION 'item_in: % % for %', SQLSTATE, SQLERRM, left(input, 5000);
			END;
		END IF;
	END LOOP;
	RAISE NOTICE 'item_in: % inputs, % accepted, % refused (% of them malformed JSON)', accepted + refused, accepted, refused, malformed;
	IF current_setting('fuzz.count')::integer >= 1000 AND (accepted < refused / 50 OR refused - malformed < refused / 20) THEN
		RAISE EXCEPTION 'the mutations are too wild to find anything';
	END IF;
END $$;
