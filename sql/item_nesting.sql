-- Nesting: 32 levels, and deep or long JSON that must neither crash nor take long.
CREATE FUNCTION pg_temp.attempt(input text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN length((input::item)::text);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION pg_temp.attempt_typed(input text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN length((item_from_dynamodb_json(input::json))::text);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- A scalar on level n: n - 1 containers around it.
SELECT levels, pg_temp.attempt('{"a": ' || repeat('{"b": ', levels - 1) || '1' || repeat('}', levels - 1) || '}') AS maps,
  pg_temp.attempt('{"a": ' || repeat('[', levels - 1) || '1' || repeat(']', levels - 1) || '}') AS lists,
  pg_temp.attempt('{"a": ' || repeat('[', levels) || repeat(']', levels) || '}') AS empty_lists,
  pg_temp.attempt('{"a": ' || repeat('{"b": [', levels / 2) || CASE WHEN levels % 2 = 1 THEN '{}' ELSE '' END || repeat(']}', levels / 2) || '}') AS mixed
FROM unnest('{1,31,32,33,34}'::int[]) AS levels ORDER BY levels;
SELECT levels, pg_temp.attempt('{"a": ' || typed || '}') AS mixed_form, pg_temp.attempt_typed('{"a": ' || typed || '}') AS typed_form, pg_temp.attempt('{"a": ' || sets || '}') AS sets
FROM unnest('{1,31,32,33,34}'::int[]) AS levels, LATERAL (SELECT repeat('{"L": [{"M": {"b": ', (levels - 1) / 2) || CASE levels % 2 WHEN 0 THEN '{"L": [{"N": "1"}]}' ELSE '{"N": "1"}' END || repeat('}}]}', (levels - 1) / 2) AS typed,
  repeat('{"L": [', levels - 1) || '{"SS": ["a"]}' || repeat(']}', levels - 1) AS sets) AS t ORDER BY levels;
-- Depth of thousands, closed or not.
SELECT what, pg_temp.attempt(input) AS result FROM (VALUES
  ('[', repeat('[', 10000)), ('{', repeat('{', 10000)), ('{"a": [', '{"a": ' || repeat('[', 10000)), ('{"a": [ closed', '{"a": ' || repeat('[', 10000) || repeat(']', 10000) || '}'),
  ('{"a":', repeat('{"a":', 10000)), ('{"a": closed', repeat('{"a":', 10000) || '1' || repeat('}', 10000)), ('{"S":', repeat('{"S":', 10000)), ('{"M":', repeat('{"M":', 10000)),
  ('{"a":{"L":[', '{"a":' || repeat('{"L":[', 10000)), ('{"a":{"M":{"a":', repeat('{"a":{"M":', 10000)), ('ignored member', '{"a": {"S": "x", "zz": ' || repeat('[', 10000) || repeat(']', 10000) || '}}'),
  ('1,000,000 [', '{"a": ' || repeat('[', 1000000)), ('1,000,000 {"S":', repeat('{"S":', 1000000))) AS v(what, input);
SELECT pg_temp.attempt_typed('{"a": {"S": "x", "zz": ' || repeat('[', 256) || repeat(']', 256) || '}}') AS ignored, pg_temp.attempt_typed('{"a": {"S": "x", "zz": ' || repeat('[', 5000) || repeat(']', 5000) || '}}') AS ignored_not;
-- What looks typed is read twice, on each level: still linear.
SELECT pg_temp.attempt('{"a": ' || repeat('{"S": ', 30) || '[' || repeat('1, ', 20000) || '1]' || repeat(', "x": 1}', 30) || '}') AS looks_typed;
-- Long lists and maps.
SET singletable.max_item_size = '10MB';
SELECT item_size(item), jsonb_array_length(item -> 'l') AS elements, (item -> 'l') -> 99999 AS last
FROM (SELECT ('{"l": [' || string_agg(n::text, ',' ORDER BY n) || ']}')::item AS item FROM generate_series(1, 100000) AS n) AS i;
SELECT item_size(item), jsonb_array_length(item -> 'l') AS elements FROM (SELECT ('{"l": {"L": [' || repeat('{"S": ""},', 99999) || '{"S": ""}]}}')::item AS item) AS i;
SELECT item_size(item), item ->> 'k777' AS found, item ->> 'k100001' AS absent
FROM (SELECT ('{' || string_agg(format('"k%s": %s', n, n), ',' ORDER BY n DESC) || '}')::item AS item FROM generate_series(1, 100000) AS n) AS i;
SELECT item, item_size(item) FROM (SELECT ('{' || repeat('"k": 1, ', 100000) || '"k": 2}')::item AS item) AS i;
RESET singletable.max_item_size;
SELECT pg_temp.attempt('{"l": [' || repeat('[],', 200000) || '[]]}') AS too_large;
-- Nesting of what is built from items counts from the top; || and - change only the top level.
SELECT length((item || ('{"b": ' || repeat('[', 32) || repeat(']', 32) || '}')::item)::text) AS merged FROM (SELECT ('{"a": ' || repeat('[', 32) || repeat(']', 32) || '}')::item AS item) AS i;
