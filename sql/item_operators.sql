-- Operators, typed extraction, operator classes; jsonb is the oracle where it has the same operator.
CREATE FUNCTION pg_temp.attempt(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE command INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- One attribute of each type.
CREATE TEMP TABLE sample (item item);
INSERT INTO sample VALUES ('{"s": "text", "empty": "", "n": -1.50, "b": {"B": "AP8="}, "t": true, "f": {"BOOL": false}, "z": null,
  "l": [1, "a", [2]], "m": {"x": {"y": 1}, "w": []}, "ss": {"SS": ["b", "a"]}, "ns": {"NS": ["10", "9"]}, "bs": {"BS": ["Yg=="]}}');
SELECT name, item_type(item, name) AS type, item -> name AS "->", item ->> name AS "->>", item ? name AS "?",
  item_text(item, name) AS text, item_numeric(item, name) AS "numeric", item_bytea(item, name) AS bytea, item_boolean(item, name) AS "boolean"
FROM sample, unnest('{b,bs,empty,f,l,m,n,ns,s,ss,t,z,none}'::text[]) AS name ORDER BY name COLLATE "C";
SELECT attribute, type, value FROM sample, item_attributes(item);
SELECT count(*) FROM item_attributes('{}');
SELECT (SELECT jsonb_object_agg(attribute, value) FROM item_attributes(item)) = item::jsonb AS agrees FROM sample;
SELECT item ?| '{none,s}' AS any, item ?| '{none,null}' AS no, item ?| '{}' AS any_of_nothing,
  item ?& '{s,n}' AS all, item ?& '{s,none}' AS not_all, item ?& '{}' AS all_of_nothing, item ?& ARRAY['s', NULL] AS null_is_left_out FROM sample;
SELECT item -> NULL::text IS NULL AS null_name, NULL::item -> 'a' IS NULL AS null_item FROM sample;

-- U+0000 is a character of an item, but of no text.
CREATE TEMP TABLE zero AS SELECT item '{"s": "a\u0000b", "m": {"k\u0000": 1}, "l": ["\u0000"], "x\u0000y": 1}' AS item;
SELECT item, item_size(item) FROM zero;
SELECT item_to_dynamodb_json(item), item::json FROM zero;
SELECT command, pg_temp.attempt('SELECT ' || command || ' FROM zero') AS result
FROM unnest(ARRAY['item -> ''s''', 'item ->> ''s''', 'item_text(item, ''s'')', 'item -> ''m''', 'item ->> ''m''', 'item -> ''l''',
  'item::jsonb', '(SELECT max(attribute) FROM item_attributes(item))', 'item_type(item, ''s'')']) WITH ORDINALITY AS c(command, n) ORDER BY n;

-- Casts.
SELECT item::jsonb, item::json FROM sample;
SELECT '{"a": {"S": "plain, no typed value"}, "b": [1e3, 1.0, {"N": "x"}]}'::jsonb::item;
SELECT '{"a": {"S": "plain, no typed value"}, "b": [1e3, 1.0, {"N": "x"}], "a": {}, "z": "\u0000"}'::json::item;
SELECT item_from_dynamodb_json('{"a": {"S": "x"}, "b": {"L": [{"N": "1"}, {"M": {"S": {"S": "x"}}}]}}');
CREATE TEMP TABLE assigned (item item);
INSERT INTO assigned SELECT jsonb_build_object('a', 1);
INSERT INTO assigned SELECT json_build_object('a', 1);
SELECT item, count(*) FROM assigned GROUP BY item;
SELECT pg_temp.attempt('SELECT item_size(jsonb_build_object())') AS not_implicit;
SELECT CASE WHEN length(json) < 60 THEN json ELSE left(json, 20) || '...' END AS json,
  left(pg_temp.attempt(format('SELECT %L::jsonb::item', json)), 130) AS jsonb,
  CASE WHEN pg_temp.attempt(format('SELECT %L::jsonb::item', json)) = pg_temp.attempt(format('SELECT %L::json::item', json)) THEN 'the same' END AS json
FROM unnest(ARRAY['1', '"a"', 'null', 'true', '[]', '[{}]', '{"": 1}', '{"a": {"": 1}}', '{"a": 1e200}', '{"a": [1e-200]}',
  '{"a": 123456789012345678901234567890123456789}', '{"a": {"b": 12345678901234567890123456789012345678}}',
  '{"a":' || repeat('{"a":', 31) || '1' || repeat('}', 32), '{"a":' || repeat('{"a":', 32) || '1' || repeat('}', 33),
  '{"a":' || repeat('[', 32) || repeat(']', 32) || '}', '{"a":' || repeat('[', 33) || repeat(']', 33) || '}']) WITH ORDINALITY AS c(json, n) ORDER BY n;
SELECT pg_temp.attempt(format('SELECT length((%L::jsonb::item)::text)', jsonb_build_object(repeat('a', 65535), 1))) AS longest_name,
  pg_temp.attempt(format('SELECT length((%L::jsonb::item)::text)', jsonb_build_object(repeat('a', 65536), 1))) AS too_long,
  pg_temp.attempt(format('SELECT item_size(%L::jsonb::item)', jsonb_build_object('a', repeat('a', 409599)))) AS largest,
  pg_temp.attempt(format('SELECT item_size(%L::jsonb::item)', jsonb_build_object('a', repeat('a', 409600)))) AS too_large,
  pg_temp.attempt(format('SELECT item_size(%L::json::item)', jsonb_build_object('a', repeat('a', 409600)))) AS too_large_json;

-- Many documents without what jsonb lacks, for which jsonb is the oracle.
CREATE TEMP TABLE document AS
SELECT n, doc, doc::item AS item
FROM generate_series(0, 399) AS n,
  LATERAL (SELECT jsonb_strip_nulls(jsonb_build_object(
    'a', n % 3, 'b' || n % 2, CASE WHEN n % 5 > 0 THEN jsonb_build_array(n % 4, 'x', n % 7 = 0, jsonb_build_array(n % 2)) END,
    'long name ' || n % 6, jsonb_build_object('x', n % 2, 'y', CASE WHEN n % 3 = 0 THEN jsonb_build_object('z', n % 5, 'é', 0.5) END),
    'c', CASE n % 4 WHEN 0 THEN '"text"' WHEN 1 THEN 'true'::jsonb WHEN 2 THEN '{}' ELSE '[]' END)) AS doc) AS d;
SELECT count(*) AS documents, count(DISTINCT doc) AS different FROM document;
SELECT count(*) FILTER (WHERE item::jsonb <> doc) AS jsonb_differs, count(*) FILTER (WHERE item::json::jsonb <> doc) AS json_differs,
  count(*) FILTER (WHERE item::text::item <> item) AS text_differs,
  count(*) FILTER (WHERE item_from_dynamodb_json(item_to_dynamodb_json(item)) <> item) AS dynamodb_json_differs FROM document;
SELECT count(*) AS found, count(*) FILTER (WHERE item -> key IS DISTINCT FROM doc -> key) AS arrow_differs,
  count(*) FILTER (WHERE item ->> key IS DISTINCT FROM doc ->> key AND jsonb_typeof(doc -> key) NOT IN ('array', 'object')) AS text_differs,
  count(*) FILTER (WHERE (item ? key) <> (doc ? key)) AS exists_differs
FROM document, unnest('{a,b,b0,b1,c,"long name 0","long name 5",none}'::text[]) AS key;
SELECT count(*) AS pairs,
  count(*) FILTER (WHERE (a.item = b.item) <> (a.doc = b.doc)) AS equal_differs,
  count(*) FILTER (WHERE (a.item <> b.item) <> (a.doc <> b.doc)) AS unequal_differs,
  count(*) FILTER (WHERE (a.item @> b.item) <> (a.doc @> b.doc)) AS contains_differs,
  count(*) FILTER (WHERE (a.item <@ b.item) <> (a.doc <@ b.doc)) AS contained_differs,
  count(*) FILTER (WHERE (a.item || b.item)::jsonb <> a.doc || b.doc) AS merge_differs,
  count(*) FILTER (WHERE (a.item < b.item)::int + (a.item = b.item)::int + (a.item > b.item)::int <> 1) AS not_one_order,
  count(*) FILTER (WHERE (a.item <= b.item) <> (NOT a.item > b.item) OR (a.item >= b.item) <> (NOT a.item < b.item)) AS order_differs,
  count(*) FILTER (WHERE sign(item_cmp(a.item, b.item)) <> -sign(item_cmp(b.item, a.item))) AS not_antisymmetric,
  count(*) FILTER (WHERE a.item = b.item AND item_hash(a.item) <> item_hash(b.item)) AS hash_differs
FROM document AS a, document AS b WHERE b.n % 3 = 0;
SELECT count(*) FILTER (WHERE (item - key)::jsonb <> doc - key) AS remove_differs,
  count(*) FILTER (WHERE (item - ARRAY[key, 'c', NULL, 'none'])::jsonb <> doc - ARRAY[key, 'c', 'none']) AS remove_many_differs
FROM document, unnest('{a,b0,b1,c,"long name 0",none}'::text[]) AS key;
SELECT item '{"a": 1, "b": 2}' - 'a' AS untyped_name, item '{"a": 1}' - '{}'::text[] AS nothing_removed, item '{"a": 1}' - 'a'::text AS all_removed, item '{}' || '{}' AS nothing_merged;

-- Containment where it holds, and where it just does not.
SELECT a, b, a::item @> b::item AS contains, b::item <@ a::item AS contained, a::jsonb @> b::jsonb AS jsonb
FROM (VALUES ('{"l": [1, 2, [3, 4]]}', '{"l": [2, 1, 1]}'), ('{"l": [1, 2, [3, 4]]}', '{"l": [[4]]}'), ('{"l": [1, 2, [3, 4]]}', '{"l": [4]}'),
  ('{"l": [{"x": 1, "y": 2}]}', '{"l": [{"y": 2}]}'), ('{"m": {"x": 1, "y": {"z": [1]}}}', '{"m": {"y": {"z": []}}}'),
  ('{"m": {"x": 1}}', '{"m": {"x": 2}}'), ('{"a": null}', '{"a": null}'), ('{"a": "1"}', '{"a": 1}'), ('{"a": 1}', '{}'), ('{}', '{"a": 1}')) AS v(a, b);
SELECT a, b, a::item @> b::item AS contains
FROM (VALUES ('{"s": {"SS": ["a", "b"]}}', '{"s": {"SS": ["b"]}}'), ('{"s": {"SS": ["a", "b"]}}', '{"s": {"SS": ["b", "c"]}}'),
  ('{"s": {"NS": ["1", "2"]}}', '{"s": {"NS": ["1.0"]}}'), ('{"s": {"BS": ["YQ==", ""]}}', '{"s": {"BS": [""]}}'),
  ('{"s": {"SS": ["a", "b"]}}', '{"s": "a"}'), ('{"s": {"SS": ["a", "b"]}}', '{"s": ["a"]}')) AS v(a, b);

-- The order of values of different types, and of values of one type.
SELECT string_agg(item ->> 'a', ' < ' ORDER BY item) AS bytewise FROM unnest('{é,a,B,aa,"",z,a b}'::text[]) AS s, LATERAL (SELECT jsonb_build_object('a', s)::item AS item) AS i;
SELECT item FROM (VALUES (item '{"a": {"M": {}}}'), ('{"a": {"L": []}}'), ('{"a": {"BS": [""]}}'), ('{"a": {"SS": ["a"]}}'), ('{"a": {"SS": ["a", "b"]}}'),
  ('{"a": {"SS": ["b"]}}'), ('{"a": {"NS": ["1"]}}'), ('{"a": {"B": ""}}'), ('{"a": "x"}'), ('{"a": -1}'), ('{"a": 0}'), ('{"a": false}'), ('{"a": true}'),
  ('{"a": null}'), ('{}'), ('{"a": null, "b": 1}'), ('{"A": {}}'), ('{"a": [1]}'), ('{"a": [1, 2]}'), ('{"a": [[]]}'), ('{"a": {"x": 1}}')) AS v(item) ORDER BY item;

-- DISTINCT, GROUP BY, indexes, hash join and merge join.
SELECT count(*) = (SELECT count(DISTINCT doc) FROM document) AS distinct_agrees FROM (SELECT DISTINCT item FROM document) AS d;
SELECT count(*) = (SELECT count(*) FROM document AS a JOIN document AS b ON a.doc - 'a' = b.doc - 'a') AS join_agrees
FROM document AS a JOIN document AS b ON a.item - 'a'::text = b.item - 'a'::text;
SET enable_hashjoin = off;
SET enable_nestloop = off;
SET enable_hashagg = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM document AS a JOIN document AS b USING (item);
SELECT count(*) FROM document AS a JOIN document AS b USING (item);
SELECT count(*) = (SELECT count(DISTINCT doc) FROM document) AS distinct_agrees FROM (SELECT DISTINCT item FROM document) AS d;
RESET enable_hashjoin;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM document AS a JOIN document AS b USING (item);
SELECT count(*) FROM document AS a JOIN document AS b USING (item);
RESET ALL;
SELECT count(*) FROM document AS a JOIN document AS b USING (doc);
CREATE INDEX document_btree ON document (item);
CREATE INDEX document_hash ON document USING hash (item);
ANALYZE document;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) AS wrong FROM document AS a WHERE (SELECT count(*) FROM document AS b WHERE b.item = a.item) <> (SELECT count(*) FROM document AS b WHERE b.doc = a.doc);
EXPLAIN (COSTS OFF) SELECT n FROM document WHERE item >= '{"a": 2}' ORDER BY item DESC LIMIT 3;
SELECT bool_and(item >= previous) AS ordered FROM (SELECT item, lag(item) OVER (ORDER BY item) AS previous FROM document) AS o;
RESET ALL;
CREATE TEMP TABLE partitioned (item item) PARTITION BY HASH (item);
CREATE TEMP TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE partition_1 PARTITION OF partitioned FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO partitioned SELECT item FROM document;
SELECT count(*) FROM partitioned WHERE item = (SELECT item FROM document WHERE n = 7);
SELECT amname, opcname, amvalidate(c.oid) AS valid
FROM pg_opclass AS c JOIN pg_am AS m ON m.oid = opcmethod
WHERE opcintype = 'item'::regtype ORDER BY 1;
