-- Sets: members distinct by value, in one order; reference/data-model, sections 1 and 5.
CREATE FUNCTION pg_temp.attempt(input text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN input::item;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- Members in order: strings and binaries by bytes, numbers by value.
SELECT item '{"s": {"SS": ["b", "B", "aa", "a", "é", "", "z"]}, "n": {"NS": ["10", "9", "-1", "0", "-10", "1.5", "1e3", "-0.5"]}, "b": {"BS": ["Yg==", "", "/w==", "YQ==", "YWE="]}}';
SELECT item '{"s": {"SS": ["a", "b", "c"]}}' = item '{"s": {"SS": ["c", "a", "b"]}}' AS order_does_not_matter,
  item '{"s": {"NS": ["1.0", "20"]}}' = item '{"s": {"NS": ["2e1", "01"]}}' AS numbers_by_value,
  item '{"s": {"SS": ["1"]}}' = item '{"s": {"NS": ["1"]}}' AS types_matter, item '{"s": {"SS": ["a"]}}' = item '{"s": ["a"]}' AS a_list_is_no_set;
-- One member, the empty member, members with U+0000.
SELECT item '{"s": {"SS": [""]}, "b": {"BS": [""]}, "n": {"NS": ["0"]}, "z": {"SS": ["\u0000", "a\u0000", "a", "\u0000b"]}}';
-- Empty sets and duplicates are errors, at every depth.
SELECT value, pg_temp.attempt(format('{"x": %s}', value)) AS error,
  pg_temp.attempt(format('{"x": {"L": [{"M": {"y": %s}}]}}', value)) = pg_temp.attempt(format('{"x": %s}', value)) AS same_nested
FROM unnest(ARRAY['{"SS": []}', '{"NS": []}', '{"BS": []}', '{"SS": ["a", "a"]}', '{"SS": ["", ""]}', '{"SS": ["b", "a", "c", "a", "b"]}', '{"SS": ["\u0061", "a", "x, y"]}',
  '{"BS": ["Yg==", "Yg=="]}', '{"BS": ["", "YQ==", ""]}', '{"NS": ["1", "1"]}', '{"NS": ["1", "1.0"]}', '{"NS": ["1e2", "7", "100"]}', '{"NS": ["0", "-0"]}', '{"NS": ["-1", "1"]}',
  '{"SS": ["a", "A"]}', '{"SS": ["é", "e\u0301"]}', '{"SS": ["a\u0000", "a", "a\u0000"]}']) WITH ORDINALITY AS c(value, n) ORDER BY n;
-- Many members.
SELECT item_size(item), jsonb_array_length(item -> 's') AS members, (item -> 's') -> 0 AS first, (item -> 's') -> -1 AS last
FROM (SELECT ('{"s": {"SS": ' || json_agg('m' || lpad(((n * 7919) % 30000)::text, 6, '0') ORDER BY n) || '}}')::item AS item FROM generate_series(1, 30000) AS n) AS i;
SELECT left(pg_temp.attempt('{"s": {"NS": ' || json_agg((n % 29999)::text ORDER BY n) || '}}'), 60) AS one_duplicate FROM generate_series(1, 30000) AS n;
