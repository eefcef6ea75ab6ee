-- Text input in both forms, canonical text output, and everything that is refused.
CREATE FUNCTION pg_temp.attempt(input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	RETURN input::item;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || SQLERRM || CASE WHEN detail <> '' THEN ' [' || detail || ']' ELSE '' END;
END $$;

-- Plain JSON.
SELECT item '{}', item ' { } ';
SELECT item '{"name": "Ann", "age": 31, "gone": null, "tags": ["a", 2.50, true, [], {}, false], "address": {"zip": "1", "A": -0e9}}';
-- DynamoDB JSON.
SELECT item '{"z": {"M": {"a": {"L": [{"N": "1"}, {"BOOL": false}, {"NULL": true}]}}}}';
SELECT item '{"n": {"NS": ["10", "-2.50", "1e3"]}, "b": {"B": "aGVsbG8="}, "s": {"SS": ["b", "", "a"]}, "bs": {"BS": ["Yg==", ""]},
  "empty": {"S": ""}, "nothing": {"B": ""}, "l": {"L": []}, "m": {"M": {}}, "t": {"BOOL": true}}';
-- Both: an object with exactly one member, named as a type, is a typed value; the top level is none, whatever its names.
SELECT input, pg_temp.attempt(input) AS item FROM unnest(ARRAY[
  '{"S": "x"}', '{"S": {"S": "x"}}', '{"S": {"S": {"S": "x"}}}', '{"a": {"S": "x", "N": "1"}}', '{"a": {"S": "x", "b": 1}}', '{"a": {"b": 1, "S": "x"}}',
  '{"a": {"s": "x"}}', '{"a": {"SN": "x"}}', '{"a": {"": 1}}', '{"a": [{"S": "x"}, "y", {"L": [{"S": "z"}]}]}', '{"a": {"b": {"N": "1"}}}',
  '{"a": {"M": {"b": {"N": "1"}}}}', '{"a": {"M": {"b": 1}}}', '{"a": {"L": [1]}}', '{"a": {"M": {"M": {"M": {}}}}}', '{"a": {"L": {"L": []}, "b": 1}}',
  '{"a": {"S": "x", "S": "y"}}', '{"a": {"NULL": true}, "b": {"NULL": 1, "x": 1}}'
]) WITH ORDINALITY AS c(input, n) ORDER BY n;
-- Of a repeated name the last value stays.
SELECT item '{"a": 1, "a": 2, "b": 3, "a": 4}', item '{"m": {"M": {"x": {"N": "1"}, "w": {"N": "2"}, "x": {"S": "3"}}}}';
SELECT item_from_dynamodb_json('{"a": {"S": "x", "S": "y"}, "b": {"S": "x", "S": null}, "c": {"zz": [1, {"S": 2}], "S": "x", "N": null}}');
-- Strings: escapes, characters beyond the BMP, U+0000.
SELECT item '{"a": "\"\\\/\b\f\n\r\t", "b": "\u00e9\u20ac\ud83d\ude00é€😀", "c": "\u0000\u001f\u007f", "é": {"S": "\u0041"}, "\ud83d\ude00": 1}';
SELECT item_size('{"a": "\u00e9\u20ac\ud83d\ude00é€😀\u0000"}') - 1 AS utf8_bytes;
-- The names' bytes order them.
SELECT item '{"b": 1, "a": 1, "B": 1, "aa": 1, "é": 1, "_": 1, "\u0000": 1, "z": 1, "😀": 1, "￿": 1, " ": 1}';
-- What comes out goes in as the same.
SELECT count(*) FILTER (WHERE item::text::item <> item OR item_send(item::text::item) <> item_send(item)) AS changed, count(*)
FROM unnest(ARRAY['{}', '{"a": {"B": "/+8="}, "b": {"NS": ["1"]}, "c": "\u0000\"\\", "d": [[[]]], "e": {"S": {"x": 1}, "y": 1}}', '{"M": {"M": {}}, "x": 1e-130}']::item[]) AS item;

-- Malformed JSON.
SELECT input, pg_temp.attempt(input) AS error FROM unnest(ARRAY[
  '', ' ', '{', '{"a"', '{"a":', '{"a": 1', '{"a": 1,', '{"a": 1,}', '{,}', '{"a": 1 "b": 2}', '{"a" 1}', '{a: 1}', '{"a": 1}}', '{"a": 1} x', '{"a": 1}{}',
  '{"a": [}', '{"a": [1', '{"a": [1,', '{"a": [1,]}', '{"a": [,1]}', '{"a": [1 2]}', '{"a": [1}', '{"a": tru}', '{"a": True}', '{"a": NaN}', '{"a": 01}', '{"a": +1}',
  '{"a": .5}', '{"a": 5.}', '{"a": 1e}', '{"a": -}', '{"a": 0x10}', '{"a": "x}', '{"a": ''x''}', '{"a": "\x"}', '{"a": "\u12"}', '{"a": "\u12g4"}', '{"a": "\ud83d"}',
  '{"a": "\ude00"}', '{"a": "\ud83dx"}', '{"a": "\ud83d\n"}', '{"a": "\ud83d\u0041"}', '{"\ud83d": 1}', E'{"a": "tab\there"}', E'{"a": "\nline"}', '{"a": "\', '{1: 2}', '{null: 2}', '{"a": 1, 2}',
  '{"a": {"S": "x"}', '{"a": {"S": "x"}]', '{"a": {"S"}}', '/* c */ {}', 'x', '{"a": {"N": "x"}, "b": }', E'\uFEFF{}'
]) WITH ORDINALITY AS c(input, n) ORDER BY n;

-- JSON of the wrong kind: a map of attributes, and typed values.  Every kind in every place.
SELECT json AS "in place of an item", pg_temp.attempt(json) AS error
FROM unnest(ARRAY['1', '1.5', '"x"', 'true', 'false', 'null', '[]', '[{}]']) WITH ORDINALITY AS c(json, n) ORDER BY n;
SELECT type, json, pg_temp.attempt(format('{"a": {"%s": %s}}', type, json)) AS result
FROM unnest(ARRAY['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS']) WITH ORDINALITY AS t(type, m),
  unnest(ARRAY['1', '1.5', '1e2', 'true', 'false', 'null', '[]', '[1]', '[1e0]', '[true]', '[false]', '[null]', '[[]]', '[{}]', '{}', '{"a": 1}', '{"a": []}', '"x"']) WITH ORDINALITY AS c(json, n)
ORDER BY m, n;
SELECT json AS "in place of a typed value", pg_temp.attempt(format('{"a": {"M": {"b": %s}}}', json)) = pg_temp.attempt(format('{"a": {"L": [%s]}}', json)) AS same_in_list,
  pg_temp.attempt(format('{"a": {"L": [%s]}}', json)) AS error
FROM unnest(ARRAY['1', '1.5', 'true', '"x"', '[]', 'null', '{}', '{"zz": 1}', '{"S": null}']) WITH ORDINALITY AS c(json, n) ORDER BY n;

-- Booleans as strings.
SELECT text, pg_temp.attempt(format('{"a": {"BOOL": "%s"}}', text)) AS bool, pg_temp.attempt(format('{"a": {"NULL": "%s"}}', text)) AS "null"
FROM unnest('{true,TRUE,1,yes,Yes,false,False,0,no,NO,"",t,on,"true ","true\\u0000"}'::text[]) WITH ORDINALITY AS c(text, n) ORDER BY n;

-- Base64: alphabet, padding, spare bits.
SELECT base64, pg_temp.attempt(format('{"a": {"B": "%s"}}', base64)) AS result
FROM unnest(ARRAY['', 'AA==', 'AAA=', 'AAAA', '/+8=', 'aGVsbG8gd29ybGQ=', 'A', 'AA', 'AAA', 'AAAAA', 'AA=', '=', '==', '===', '====', 'A===', 'AB==', 'AAB=', 'AA=A', '=AAA', 'A=AA',
  'AA==AAAA', 'AAAAAA==AAAA', 'AAA=AAA=', 'AA AA==', '_-8=', 'AA\nA', 'AA\n==', 'A A=', 'ÄA==', '\u0000AA=', 'AAAÄ', 'AA==AA==']) WITH ORDINALITY AS c(base64, n) ORDER BY n;
SELECT count(*) FILTER (WHERE decode(encode(bytes, 'hex'), 'hex') <> item_bytea(format('{"a": {"B": "%s"}}', translate(encode(bytes, 'base64'), E'\n', ''))::item, 'a')) AS wrong, count(*)
FROM (SELECT substring(decode(repeat(md5(n::text), 4), 'hex') FOR n % 65) AS bytes FROM generate_series(0, 300) AS n) AS s;

-- The order of the checks, whatever the order of the members.
SELECT json, pg_temp.attempt(replace('{"a": {"M": {"x": %}}}', '%', json)) AS error FROM unnest(ARRAY[
  '{"S": "a", "N": "b"}', '{"N": "b", "S": "a"}', '{"S": "a", "N": "1"}', '{"S": "a", "N": 5}', '{"NULL": false, "N": "b"}', '{"SS": [], "NULL": false}', '{"NS": ["x"], "SS": []}',
  '{"SS": ["a", "a"], "NS": ["x"]}', '{"M": {"y": {"N": "x"}}, "SS": ["a", "a"]}', '{"M": {"y": {"N": "x"}}, "S": "a"}', '{"L": [{"N": ""}, {"N": "y"}], "S": "a"}',
  '{"M": {"y": {"S": "a", "N": "1"}, "z": {"N": "x"}}}', '{"NS": ["1", "1", "x"]}', '{"NS": ["x", "1", 1]}', '{"N": "x", "N": "1"}', '{"N": "1", "N": "x"}', '{"BS": ["Yg==", "Yg==", "x"]}'
]) WITH ORDINALITY AS c(json, n) ORDER BY n;
-- Wrong kinds, and malformed JSON, win over wrong values before them; of wrong values the first wins.
SELECT input, pg_temp.attempt(input) AS error FROM unnest(ARRAY['{"a": {"N": "x"}, "b": {"S": 5}}', '{"a": {"N": "x"}, "b": {"NULL": false}}', '{"a": {"N": "x"}, "b": 1', '{"": {"S": 5}}', '{"a": {"N": "x"}}}',
  '{"a": {"SS": []}, "b": 1e999}']) WITH ORDINALITY AS c(input, n) ORDER BY n;

-- Names.
SELECT pg_temp.attempt('{"": 1}') AS empty, pg_temp.attempt('{"a": {"": 1}}') AS nested, pg_temp.attempt('{"a": {"M": {"": {"S": "x"}}}}') AS typed;
SELECT length(pg_temp.attempt(format('{"%s": 1}', repeat('é', 32767) || 'a'))) AS longest, pg_temp.attempt(format('{"%s": 1}', repeat('é', 32768))) AS too_long,
  pg_temp.attempt(format('{"a": {"M": {"%s": {"S": ""}}}}', repeat('a', 65536))) AS nested;
SELECT pg_temp.attempt('{"a.b": 1, "c d": 2, "\"": 3, "\n": 4, "#x": 5, ":y": 6, "\u0000": 7}') AS any_characters;

-- Only typed values.
CREATE FUNCTION pg_temp.attempt_typed(input json) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_from_dynamodb_json(input);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT input, pg_temp.attempt_typed(input::json) AS result
FROM unnest(ARRAY['{}', '{"a": "x"}', '{"a": 1}', '{"a": []}', '{"a": {}}', '{"a": null}', '{"a": {"b": {"S": "x"}}}', '{"a": {"S": "x", "zz": 1}}', '{"a": {"S": "x"}, "a": {"N": "1"}}', '[]', '1',
  '{"a": {"SS": [null]}}', '{"a": {"SS": ["x", null]}}', '{"a": {"L": [null]}}', '{"a": {"M": null}}']) WITH ORDINALITY AS c(input, n) ORDER BY n;
