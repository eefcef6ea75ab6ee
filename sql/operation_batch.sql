-- batch_get_items and batch_write_items.
\pset format unaligned
\pset tuples_only on

CREATE TABLE shop (pk text COLLATE "C", sk text COLLATE "C", g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX by_g ON shop USING gsi (g, pk, sk);
CREATE TABLE "Other-Table" (id numeric PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere."other.table" (id numeric PRIMARY KEY, item item NOT NULL DEFAULT '{}');

-- Plain and typed values, several tables, named as in the API or as in SQL.
SELECT batch_write_items('{
	"shop": [{"PutRequest": {"Item": {"pk": "a", "sk": "1", "n": 1}}},
			 {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": "2"}, "ss": {"SS": ["x"]}}}},
			 {"DeleteRequest": {"Key": {"pk": "a", "sk": "nothing there"}}}],
	"Other-Table": [{"PutRequest": {"Item": {"id": 1, "v": "one"}}}, {"PutRequest": {"Item": {"id": {"N": "2e0"}, "v": "two"}}}],
	"elsewhere.\"other.table\"": [{"PutRequest": {"Item": {"id": 1, "v": "quoted"}}}]}');
SELECT full_item(shop) FROM shop ORDER BY pk, sk;
SELECT full_item(o) FROM "Other-Table" o ORDER BY id;
SELECT full_item(o) FROM elsewhere."other.table" o;

-- Found items in the order of the keys, missing ones left out; a projection a table; keys are not added to it.
SELECT tbl, item FROM batch_get_items('{
	"shop": {"Keys": [{"pk": "a", "sk": "2"}, {"pk": "a", "sk": "none"}, {"sk": {"S": "1"}, "pk": {"S": "a"}}], "ConsistentRead": true},
	"Other-Table": {"Keys": [{"id": 2}, {"id": 1}], "ProjectionExpression": "#v", "ExpressionAttributeNames": {"#v": "v"}},
	"elsewhere.\"other.table\"": {"Keys": [{"id": 7}]}}');
SELECT tbl, item FROM batch_get_items('{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "nope"}}');
SELECT count(*) FROM batch_get_items('{"shop": {"Keys": [{"pk": "x", "sk": "1"}]}}');

-- Replaced and deleted.
SELECT batch_write_items('{"shop": [{"DeleteRequest": {"Key": {"pk": "a", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a", "sk": "2", "g": "G"}}}]}');
SELECT full_item(shop) FROM shop;
SELECT query_items('shop', 'g = :g', '{":g": "G"}', index => 'by_g');

-- Any number of items.
SELECT batch_write_items(json_build_object('shop', (SELECT json_agg(json_build_object('PutRequest', json_build_object('Item', json_build_object('pk', 'many', 'sk', i::text, 'i', i)))) FROM generate_series(1, 5000) i)));
SELECT count(*), sum((item ->> 'i')::int) FROM shop WHERE pk = 'many';
SELECT count(*), sum((item ->> 'i')::int) FROM batch_get_items(json_build_object('shop', json_build_object('Keys', (SELECT json_agg(json_build_object('pk', 'many', 'sk', i::text)) FROM generate_series(0, 6000) i))));
-- Errors: nothing is written at all.
CREATE FUNCTION pg_temp.try(call text, argument text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s(%L)', call, argument) INTO rows;
	RETURN rows || ' rows';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
SELECT left(a, 200) || E'\n    ' || pg_temp.try('batch_write_items', a) FROM unnest(ARRAY[
	'null', '{}', '[]', '"x"', '{"shop": []}', '{"shop": null}', '{"shop": {}}', '{"shop": "x"}', '{"shop": [1]}', '{"shop": [[]]}', '{"shop": [{}]}', '{"shop": [{"PutRequest": null}]}',
	'{"shop": [{"PutRequest": []}]}', '{"shop": [{"PutRequest": {}}]}', '{"shop": [{"DeleteRequest": {}}]}', '{"shop": [{"PutRequest": {"Key": {"pk": "a"}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}, "DeleteRequest": {"Key": {"pk": "a", "sk": "1"}}}]}',
	'{"shop": [{"Put": {"Item": {"pk": "a", "sk": "1"}}}]}',
	'{"shop": [{"PutRequest": {"Item": "x"}}]}', '{"shop": [{"PutRequest": {"Item": {"pk": {"S": 5}}}}]}', '{"shop": [{"PutRequest": {"Item": {"pk": {"SS": []}}}}]}',
	'{"nowhere": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}', '{"": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}', '{"a..b": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}',
	'{"other_db.public.shop": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}', '{"pg_class": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}', '{"sh\u0000op": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}], "nowhere": [{"PutRequest": {"Item": {"pk": "a", "sk": "1"}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a"}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a", "sk": 1}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a", "sk": ""}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a", "sk": "1", "g": 5}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"DeleteRequest": {"Key": {"pk": "a", "sk": "1", "x": 1}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"DeleteRequest": {"Key": {"pk": "new", "sk": "1"}}}]}',
	'{"shop": [{"DeleteRequest": {"Key": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}, {"PutRequest": {"Item": {"pk": "a"}}}]}',
	'{"shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}], "public.shop": [{"PutRequest": {"Item": {"pk": "new", "sk": "1"}}}]}',
	'{"Other-Table": [{"PutRequest": {"Item": {"id": 1000}}}, {"DeleteRequest": {"Key": {"id": {"N": "1e3"}}}}]}'
]) a;
SELECT pg_temp.try('batch_write_items', NULL);
-- Of a table named twice the last list counts, as of any repeated member.
SELECT batch_write_items('{"shop": [{"PutRequest": {"Item": {"pk": "twice", "sk": "1"}}}], "shop": [{"PutRequest": {"Item": {"pk": "twice", "sk": "2"}}}]}');
SELECT pk, sk FROM shop WHERE pk <> 'many' ORDER BY pk, sk;
SELECT pg_temp.try('batch_write_items', json_build_object('shop', json_build_array(json_build_object('PutRequest', json_build_object('Item', json_build_object('pk', 'big', 'sk', '1', 'v', repeat('x', 409600))))))::text);

SELECT left(a, 200) || E'\n    ' || pg_temp.try('batch_get_items', a) FROM unnest(ARRAY[
	'null', '{}', '[]', '5', '{"shop": {}}', '{"shop": null}', '{"shop": []}', '{"shop": {"Keys": []}}', '{"shop": {"Keys": null}}', '{"shop": {"Keys": {}}}', '{"shop": {"Keys": "x"}}',
	'{"shop": {"Keys": ["x"]}}', '{"shop": {"Keys": [{"pk": {"S": 1}}]}}', '{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "AttributesToGet": ["a"]}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ExpressionAttributeNames": {"#a": "b"}}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": 5}}', '{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "a b"}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "b"}}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "#a", "ExpressionAttributeNames": {}}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": 5}}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "#a", "ExpressionAttributeNames": ["#a"]}}',
	'{"nowhere": {"Keys": [{"pk": "a", "sk": "1"}, {"sk": "1", "pk": {"S": "a"}}]}}', '{"nowhere": {"Keys": [{"pk": "a", "sk": "1"}]}}',
	'{"shop": {"Keys": [{"pk": "a"}]}}', '{"shop": {"Keys": [{"pk": "a", "sk": 1}]}}', '{"shop": {"Keys": [{"pk": "a", "sk": "1", "x": 1}]}}', '{"shop": {"Keys": [{"pk": "", "sk": "1"}]}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "1"}], "ProjectionExpression": "pk.a"}}',
	'{"shop": {"Keys": [{"pk": "a", "sk": "2"}, {"pk": "a", "sk": "2"}]}}'
]) a;
SELECT pg_temp.try('batch_get_items', NULL);
SELECT left(pg_temp.try('batch_get_items', json_build_object('shop', json_build_object('Keys', json_build_array(json_build_object('pk', repeat('k', n), 'sk', repeat('s', m)))))::text), 200)
FROM (VALUES (2048, 1024), (2049, 1), (1, 1025)) v(n, m);

DROP TABLE shop, "Other-Table", elsewhere."other.table";
DROP SCHEMA elsewhere;
