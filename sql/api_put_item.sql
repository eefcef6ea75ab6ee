-- PutItem: request and whole response, and every message that belongs to it.
-- An error shows as its exception, message and further members.
CREATE FUNCTION pg_temp.try(operation text, request text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text;
BEGIN
    RETURN dynamodb(operation, request);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(E'\n    ', coalesce((SELECT exception FROM dynamodb_exceptions() e WHERE e.sqlstate = state), state) || ': ' || message, nullif(detail, ''));
END $$;
\pset format unaligned
\pset tuples_only on


CREATE TABLE put_table (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, g text COLLATE "C", n numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX put_gsi ON put_table USING gsi (g, pk, sk) WITH (projection = 'KEYS_ONLY');
CREATE INDEX put_lsi ON put_table USING lsi (pk, n, sk);

SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "v": {"N": "1"}}}');
-- replaced, not merged
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "w": {"N": "2"}}, "ReturnValues": "ALL_OLD"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "2"}, "w": {"N": "2"}}, "ReturnValues": "ALL_OLD"}');
SELECT pk, sk, g, n, item FROM put_table ORDER BY pk, sk;
-- conditions
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}}, "ConditionExpression": "attribute_not_exists(pk)"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "3"}}, "ConditionExpression": "attribute_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "w": {"N": "3"}}, "ConditionExpression": "#w = :w", "ExpressionAttributeNames": {"#w": "w"}, "ExpressionAttributeValues": {":w": {"N": "2.0"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "w": {"N": "4"}}, "Expected": {"w": {"Value": {"N": "3"}}, "x": {"Exists": false}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "w": {"N": "4"}}, "Expected": {"w": {"Value": {"N": "3"}}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
-- capacity: table, then an entry that appears, stays, moves, disappears
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "g": {"S": "x"}}, "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "g": {"S": "x"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "g": {"S": "x"}, "v": {"S": "y"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "g": {"S": "z"}, "n": {"N": "1"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "n": {"N": "1.0"}, "v": {"N": "1"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('PutItem', format('{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}, "v": {"S": "%s"}}, "ReturnConsumedCapacity": "INDEXES"}', repeat('x', 3000)));
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "c"}, "sk": {"S": "1"}}, "ReturnConsumedCapacity": "TOTAL"}');
-- item collections
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "d"}, "sk": {"S": "1"}}, "ReturnItemCollectionMetrics": "SIZE"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "d"}, "sk": {"S": "1"}}, "ReturnItemCollectionMetrics": "NONE"}');

-- constraints, then mixing, then values, then return values, then size
SELECT pg_temp.try('PutItem', '{"TableName": "put_table"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "ReturnConsumedCapacity": "a", "ReturnValues": "b", "ReturnItemCollectionMetrics": "c", "ReturnValuesOnConditionCheckFailure": "d", "ConditionalOperator": "e", "Expected": {"a": {"ComparisonOperator": "f"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {}}, "Expected": {}, "ConditionExpression": "a"}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}, "b": {"NULL": false}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"SS": []}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"NS": []}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"BS": []}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"SS": ["a", "a"]}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"NS": ["1", "1.0"]}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"BS": ["Yg==", "Yg=="]}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"N": "1e126"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"N": "1e-131"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"N": ""}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"N": "dog"}}}');
SELECT pg_temp.try('PutItem', format('{"TableName": "none", "Item": {"a": {"N": "%s"}}}', repeat('1', 39)));
SELECT pg_temp.try('PutItem', format('{"TableName": "none", "Item": {"a": %s{"S": "x"}%s}}', repeat('{"L": [', 32), repeat(']}', 32)));
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ReturnValues": "UPDATED_NEW", "ConditionExpression": ""}');
SELECT pg_temp.try('PutItem', format('{"TableName": "none", "Item": {"pk": {"S": "a"}, "a": {"S": "%s"}}}', repeat('x', 409600 - 4 + 1)));
-- placeholders without expressions; values; expressions; unused
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ExpressionAttributeNames": {}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ExpressionAttributeValues": {}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {"a": {"S": "a"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a =", "ExpressionAttributeValues": {":a": {"SS": []}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a =", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a = :b", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"S": "b"}}}');
-- the table, the key, the index keys
SELECT pg_temp.try('PutItem', '{"TableName": "none", "Item": {"a": {"S": "a"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"N": "1"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": ""}, "sk": {"S": ""}}}');
SELECT pg_temp.try('PutItem', format('{"TableName": "put_table", "Item": {"pk": {"S": "%s"}, "sk": {"S": "a"}}}', repeat('x', 2049)));
SELECT pg_temp.try('PutItem', format('{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "%s"}}}', repeat('x', 1025)));
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"N": "1"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": ""}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "n": {"L": []}}, "ConditionExpression": "a = pk"}');
SELECT pg_temp.try('PutItem', '{"TableName": "put_table", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}}, "ConditionExpression": "attribute_exists(pk.x)"}');
-- nothing of all that was written
SELECT pk, sk, g, n, item FROM put_table ORDER BY pk, sk;

DROP TABLE put_table;
