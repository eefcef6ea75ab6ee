-- transact_write_items and transact_get_items: all or nothing, every reason.
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

CREATE TABLE acc (id text COLLATE "C" PRIMARY KEY, g text COLLATE "C", item item NOT NULL DEFAULT '{}');
CREATE INDEX by_g ON acc USING gsi (g, id);
CREATE TABLE led (pk text COLLATE "C", sk numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));

-- A failed transaction prints its message and reasons.
CREATE FUNCTION pg_temp.try(call text, argument text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows bigint;
	detail text;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s(%L)', call, argument) INTO rows;
	RETURN rows || ' rows';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ': ' || SQLERRM || CASE WHEN detail <> '' AND SQLSTATE = 'KV005' THEN E'\n    ' || detail::json::text ELSE '' END;
END $$;
CREATE FUNCTION pg_temp.write(actions text) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.try('transact_write_items', actions) $$;
CREATE FUNCTION pg_temp.get(actions text) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.try('transact_get_items', actions) $$;

-- All four actions, over two tables, with plain and typed values.
SELECT put_item('acc', '{"id": "a", "balance": 100}'), put_item('acc', '{"id": "b", "balance": 0}'), put_item('acc', '{"id": "old"}');
SELECT transact_write_items('[
	{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET balance = balance - :m", "ConditionExpression": "balance >= :m",
				"ExpressionAttributeValues": {":m": 30}}},
	{"Update": {"TableName": "acc", "Key": {"id": {"S": "b"}}, "UpdateExpression": "ADD #b :m", "ExpressionAttributeNames": {"#b": "balance"},
				"ExpressionAttributeValues": {":m": {"N": "30"}}}},
	{"Put": {"TableName": "led", "Item": {"pk": "a", "sk": 1, "amount": -30}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Put": {"TableName": "public.led", "Item": {"pk": {"S": "b"}, "sk": {"N": "1"}, "amount": {"N": "30"}}}},
	{"Delete": {"TableName": "acc", "Key": {"id": "old"}, "ConditionExpression": "attribute_exists(id)"}},
	{"ConditionCheck": {"TableName": "acc", "Key": {"id": "frozen"}, "ConditionExpression": "attribute_not_exists(id)"}}]');
SELECT full_item(acc) FROM acc ORDER BY id;
SELECT full_item(led) FROM led ORDER BY pk, sk;

-- Any failure: nothing is written, and every failing action says why, in the order of the request.
SELECT pg_temp.write('[
	{"Put": {"TableName": "led", "Item": {"pk": "new", "sk": 1}}},
	{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET balance = balance - :m", "ConditionExpression": "balance >= :m",
				"ExpressionAttributeValues": {":m": 1000}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
	{"Delete": {"TableName": "acc", "Key": {"id": "b"}}},
	{"Put": {"TableName": "acc", "Item": {"id": "none"}, "ConditionExpression": "attribute_exists(id)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
	{"ConditionCheck": {"TableName": "led", "Key": {"pk": "a", "sk": 1}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "acc", "Key": {"id": "zzz"}, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": 1}}}]');
SELECT full_item(acc) FROM acc ORDER BY id;
SELECT full_item(led) FROM led ORDER BY pk, sk;
-- Updates that do not fit the item are reasons too.
SELECT pg_temp.write('[
	{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET x.y = :v", "ExpressionAttributeValues": {":v": 1}}},
	{"Put": {"TableName": "acc", "Item": {"id": "c"}}},
	{"Update": {"TableName": "acc", "Key": {"id": "b"}, "UpdateExpression": "SET balance = nope"}},
	{"ConditionCheck": {"TableName": "acc", "Key": {"id": "d"}, "ConditionExpression": "attribute_exists(id)"}}]');
SELECT pg_temp.write('[{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "ADD balance :s", "ExpressionAttributeValues": {":s": {"SS": ["x"]}}}}]');
SELECT pg_temp.write('[{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET g = balance"}}]');
SELECT pg_temp.write(json_build_array(json_build_object('Update', json_build_object('TableName', 'acc', 'Key', json_build_object('id', 'a'),
	'UpdateExpression', 'SET v = :v', 'ExpressionAttributeValues', json_build_object(':v', repeat('x', 409600)))))::text);
SELECT count(*) FROM acc;
-- One that a single update measures too heavy, 22 bytes of its action, passes here.
SELECT pg_temp.write(json_build_array(json_build_object('Update', json_build_object('TableName', 'acc', 'Key', json_build_object('id', 'x'),
	'UpdateExpression', 'SET v = :v', 'ExpressionAttributeValues', json_build_object(':v', repeat('x', 409600 - 3 - 1)))))::text);
SELECT item_size(get_item('acc', '{"id": "x"}'));
SELECT delete_item('acc', '{"id": "x"}');

-- Keys, index keys and targets are checked before anything else: the first such error alone, conditions are not looked at.
SELECT left(a, 150) || E'\n    ' || pg_temp.write(a) FROM unnest(ARRAY[
	'[{"Put": {"TableName": "acc", "Item": {"id": 5}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"x": 5}}}]',
	'[{"Delete": {"TableName": "acc", "Key": {}}}]',
	'[{"Delete": {"TableName": "acc", "Key": {"id": 5}}}]',
	'[{"Update": {"TableName": "acc", "Key": {"id": "a", "x": 1}, "UpdateExpression": "REMOVE x"}}]',
	'[{"ConditionCheck": {"TableName": "acc", "Key": {"pk": "a"}, "ConditionExpression": "attribute_exists(id)"}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "a", "g": 5}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "a", "g": ""}}}]',
	'[{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET id = :v", "ExpressionAttributeValues": {":v": "b"}}}]',
	'[{"Update": {"TableName": "acc", "Key": {"id": "a"}, "UpdateExpression": "SET g = :v", "ExpressionAttributeValues": {":v": 5}}}]',
	'[{"ConditionCheck": {"TableName": "acc", "Key": {"id": "a"}, "ConditionExpression": "attribute_exists(id.x)"}}]',
	'[{"ConditionCheck": {"TableName": "acc", "Key": {"id": "a"}, "ConditionExpression": "attribute_not_exists(id)"}}, {"Delete": {"TableName": "acc", "Key": {"id": 5}}}, {"Delete": {"TableName": "led", "Key": {"pk": 5}}}]'
]) a;
SELECT pg_temp.write(json_build_array(json_build_object('Delete', json_build_object('TableName', 'led', 'Key', json_build_object('pk', repeat('x', 2049), 'sk', 1))))::text);

-- Errors of the request as a whole.
SELECT left(a, 170) || E'\n    ' || pg_temp.write(a) FROM unnest(ARRAY[
	'null', '[]', '{}', '"x"', '[1]', '[[]]', '[{}]', '[{"Put": null}]', '[{"Put": 5}]', '[{"Put": []}]',
	'[{"Put": {}}]', '[{"Update": {}}]', '[{"ConditionCheck": {"TableName": "acc", "Key": {"id": "a"}}}]', '[{"Delete": {"TableName": "acc"}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}}}, {"Put": {"TableName": "acc", "Item": null, "ReturnValuesOnConditionCheckFailure": "dog"}}]',
	'[{"Get": {"TableName": "acc", "Key": {"id": "a"}}}]', '[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "Key": {"id": "n"}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "Conditionexpression": "attribute_not_exists(id)"}}]', '[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "Expected": {}}}]',
	'[{"Put": {"TableName": 5, "Item": {"id": "n"}}}]', '[{"Put": {"TableName": "acc", "Item": {"id": {"S": true}}}}]', '[{"Put": {"TableName": "acc", "Item": {"id": "n", "x": {"NS": ["1", "1.0"]}}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}}, "Delete": {"TableName": "acc", "Key": {"id": "a"}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "ConditionExpression": "hello!"}}]', '[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "ConditionExpression": ""}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "ConditionExpression": "attribute_exists(a)", "ExpressionAttributeNames": {"#xyz": "a"}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}, "ExpressionAttributeNames": {"#xyz": "a"}}}]',
	'[{"Delete": {"TableName": "acc", "Key": {"id": "n"}, "ExpressionAttributeValues": {":v": "a"}}}]',
	'[{"Delete": {"TableName": "acc", "Key": {"id": "n"}, "ConditionExpression": "a = :v", "ExpressionAttributeValues": {"v": "a"}}}]',
	'[{"Update": {"TableName": "acc", "Key": {"id": "n"}, "UpdateExpression": "SET a = :v"}}]',
	'[{"Put": {"TableName": "nowhere", "Item": {"id": "n"}}}]', '[{"Put": {"TableName": "acc", "Item": {"id": 5}}}, {"Delete": {"TableName": "nowhere", "Key": {"id": "n"}}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": "n"}}}, {"ConditionCheck": {"TableName": "public.acc", "Key": {"id": "n"}, "ConditionExpression": "attribute_exists(id)"}}]',
	'[{"Put": {"TableName": "acc", "Item": {"id": 5}}}, {"Delete": {"TableName": "led", "Key": {"pk": "a", "sk": 1000}}}, {"Delete": {"TableName": "led", "Key": {"pk": "a", "sk": {"N": "1e3"}}}}]',
	'[{"Delete": {"TableName": "led", "Key": {"pk": 5, "sk": 1}}}, {"Delete": {"TableName": "led", "Key": {"pk": "", "sk": 1}}}]',
	'[{"Put": {"TableName": "led", "Item": {"pk": "", "sk": 1}}}]', '[{"Put": {"TableName": "led", "Item": {"pk": 1, "sk": ""}}}]'
]) a;
SELECT pg_temp.write(NULL);
SELECT pg_temp.write(json_build_array(json_build_object('Put', json_build_object('TableName', 'acc', 'Item', json_build_object('id', 'a', 'v', repeat('x', 409600)))))::text);
SELECT full_item(acc) FROM acc ORDER BY id;

-- The messages and details as a client sees them.
SELECT transact_write_items('[{"Put": {"TableName": "acc", "Item": {"id": "a"}, "ConditionExpression": "attribute_not_exists(id)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
	{"ConditionCheck": {"TableName": "acc", "Key": {"id": "b"}, "ConditionExpression": "attribute_exists(id)"}}]');

-- All actions see the state before the transaction.
SELECT transact_write_items('[{"Put": {"TableName": "acc", "Item": {"id": "new"}, "ConditionExpression": "attribute_not_exists(id)"}},
	{"ConditionCheck": {"TableName": "acc", "Key": {"id": "new2"}, "ConditionExpression": "attribute_not_exists(id)"}},
	{"Update": {"TableName": "acc", "Key": {"id": "new3"}, "UpdateExpression": "REMOVE x"}},
	{"Delete": {"TableName": "acc", "Key": {"id": "new4"}}}]');
SELECT full_item(acc) FROM acc ORDER BY id;
-- Several in one SQL transaction.
BEGIN;
SELECT transact_write_items('[{"Update": {"TableName": "acc", "Key": {"id": "new"}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": 1}}}]') FROM generate_series(1, 3);
SELECT transact_write_items('[{"ConditionCheck": {"TableName": "acc", "Key": {"id": "new"}, "ConditionExpression": "n = :three", "ExpressionAttributeValues": {":three": 3}}}]');
SAVEPOINT s;
SELECT transact_write_items('[{"Delete": {"TableName": "acc", "Key": {"id": "new"}}}, {"ConditionCheck": {"TableName": "acc", "Key": {"id": "none"}, "ConditionExpression": "attribute_exists(id)"}}]');
ROLLBACK TO s;
COMMIT;
SELECT get_item('acc', '{"id": "new"}');
-- Any size.
SELECT transact_write_items((SELECT json_agg(json_build_object('Put', json_build_object('TableName', 'led', 'Item', json_build_object('pk', 'many', 'sk', i), 'ConditionExpression', 'attribute_not_exists(pk)'))) FROM generate_series(1, 2000) i));
SELECT count(*) FROM led WHERE pk = 'many';
SELECT left(pg_temp.write((SELECT json_agg(json_build_object('Put', json_build_object('TableName', 'led', 'Item', json_build_object('pk', 'many', 'sk', i), 'ConditionExpression', 'attribute_not_exists(pk)'))) FROM generate_series(2000, 2003) i)::text), 200);
SELECT count(*) FROM led WHERE pk = 'many';

-- Reads: a row for each Get, in order.
SELECT transact_get_items('[{"Get": {"TableName": "acc", "Key": {"id": "a"}}}, {"Get": {"TableName": "acc", "Key": {"id": "none"}}},
	{"Get": {"TableName": "led", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}, "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "amount"}}},
	{"Get": {"TableName": "acc", "Key": {"id": "b"}, "ProjectionExpression": "nope"}}, {"Get": {"TableName": "acc", "Key": {"id": "new"}}}]');
SELECT left(a, 150) || E'\n    ' || pg_temp.get(a) FROM unnest(ARRAY[
	'null', '[]', '{}', '[{}]', '[{"Get": {}}]', '[{"Put": {}}]', '[{"Get": {"TableName": "acc", "Key": {"id": "a"}, "ConsistentRead": true}}]', '[{"Get": {"TableName": "acc", "Key": {"id": "a"}, "ProjectionExpression": "!!"}}]',
	'[{"Get": {"TableName": "acc", "Key": {"id": "a"}, "ExpressionAttributeNames": {"#a": "b"}}}]', '[{"Get": {"TableName": "acc", "Key": {"id": "a"}, "ProjectionExpression": "id.x"}}]',
	'[{"Get": {"TableName": "nowhere", "Key": {"id": "a"}}}]', '[{"Get": {"TableName": "acc", "Key": {}}}]', '[{"Get": {"TableName": "acc", "Key": {"id": "a"}}}, {"Get": {"TableName": "acc", "Key": {"id": 5}}}]',
	'[{"Get": {"TableName": "acc", "Key": {"id": ""}}}]', '[{"Get": {"TableName": "acc", "Key": {"id": "a"}}}, {"Get": {"TableName": "public.acc", "Key": {"id": "a"}}}]'
]) a;
SELECT pg_temp.get(NULL);

DROP TABLE acc, led;
