-- Sizes as DynamoDB counts them, to the byte; reference/data-model, section 11.
CREATE FUNCTION pg_temp.attempt(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE command INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- Numbers; the attribute's name has one byte.
SELECT number, item_size(json_build_object('a', json_build_object('N', number))::text::item) - 1 AS size, expected
FROM (VALUES ('0', 1), ('-0', 1), ('1', 2), ('100', 2), ('1E125', 2), ('1E-100', 2), ('12', 2), ('0.15', 2), ('0042', 2), ('123', 3), ('1234', 3),
  ('1010', 3), ('1.5', 3), ('1.200', 3), ('1.234', 4), ('100.5', 4), ('3.14159', 5), ('-42', 3), ('-0.15', 3), ('-1E125', 3), ('-12345', 5),
  ('12345678901234567890123456789012345678', 20), ('0.0000001', 2), ('1.0005', 4), ('9.9999999999999999999999999999999999999E+125', 20),
  ('-1.2345678901234567890123456789012345678', 22)) AS v(number, expected);
-- Every type.
SELECT value, item_size(('{"name": ' || value || '}')::item) - 4 AS size, expected
FROM (VALUES ('""', 0), ('"abc"', 3), ('"é€😀"', 9), ('"\u0000"', 1), ('{"B": ""}', 0), ('{"B": "aGVsbG8="}', 5), ('true', 1), ('false', 1), ('null', 1),
  ('{"SS": [""]}', 0), ('{"SS": ["a", "bc", ""]}', 3), ('{"NS": ["1", "-42", "0"]}', 6), ('{"BS": ["YQ==", "YmM="]}', 3),
  ('[]', 3), ('[""]', 4), ('["a", 1, true, null]', 3 + 2 + 3 + 2 + 2), ('[[]]', 7), ('{}', 3), ('{"k": ""}', 5), ('{"key": "a", "é": 1}', 3 + 5 + 5),
  ('{"k": {"k": {}}}', 3 + 2 + 3 + 2 + 3), ('{"M": {"l": {"L": [{"SS": ["a"]}]}}}', 3 + 2 + 3 + 2)) AS v(value, expected);
SELECT item_size('{}') AS empty, item_size('{"shirt-color": {"S": "R"}, "shirt-size": {"S": "M"}}') AS example;
-- An item's size does not depend on how its numbers are written.
SELECT item_size('{"a": 1.50e1}') = item_size('{"a": 15}') AS same;

-- The limit is 409,600 bytes, inclusive, in input of every kind.
CREATE TEMP TABLE sized AS SELECT bytes, '{"a": {"S": "' || repeat('x', bytes - 1) || '"}}' AS json FROM unnest('{409599,409600,409601}'::int[]) AS bytes;
SELECT bytes, pg_temp.attempt(format('SELECT item_size(%L::item)', json)) AS input, pg_temp.attempt(format('SELECT item_size(item_from_dynamodb_json(%L))', json)) AS dynamodb_json,
  pg_temp.attempt(format('SELECT item_size(%L::json::item)', replace(replace(json, '{"S": ', ''), '"}}', '"}'))) AS from_json FROM sized ORDER BY bytes;
SELECT pg_temp.attempt(format('SELECT item_size(%L::item)', '{"é": {"B": "' || translate(encode(decode(repeat('00', 409598), 'hex'), 'base64'), E'\n', '') || '"}}')) AS binary_fits;
SELECT pg_temp.attempt(format('SELECT item_size(%L::item)', '{"é": {"B": "' || translate(encode(decode(repeat('00', 409599), 'hex'), 'base64'), E'\n', '') || '"}}')) AS binary_does_not;
-- It can be changed.
SET singletable.max_item_size = '1kB';
SELECT pg_temp.attempt(format('SELECT item_size(%L::item)', '{"a": "' || repeat('x', 1023) || '"}')) AS fits, pg_temp.attempt(format('SELECT item_size(%L::item)', '{"a": "' || repeat('x', 1024) || '"}')) AS does_not;
SET singletable.max_item_size = '1MB';
SELECT bytes, pg_temp.attempt(format('SELECT item_size(%L::item)', json)) AS input FROM sized WHERE bytes > 409600;
RESET singletable.max_item_size;
-- What is stored stays readable whatever the limit, but nothing larger is made of it.
CREATE TEMP TABLE stored AS SELECT item FROM (SELECT ('{"a": "' || repeat('x', 2000) || '"}')::item AS item) AS i;
SET singletable.max_item_size = '1kB';
SELECT item_size(item), length(item ->> 'a') AS attribute, item - 'a' AS removed FROM stored;
SELECT item || '{"b": 1}' FROM stored;
RESET singletable.max_item_size;
SELECT item_size(item || '{"b": 1}') FROM stored;
