-- UpdateItem: request and whole response, and every message that belongs to it.
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


CREATE TABLE update_table (pk text COLLATE "C" NOT NULL PRIMARY KEY, g text COLLATE "C", item item NOT NULL DEFAULT '{}');
CREATE INDEX update_gsi ON update_table USING gsi (g, pk);
INSERT INTO update_table VALUES ('a', NULL, '{"n": 1, "l": [1, 2, 3], "m": {"x": 1, "y": 2}, "ss": {"SS": ["a", "b"]}}');

-- all return values of one update
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET n = n + :one, m.z = :one, l[1] = :one REMOVE m.x DELETE ss :a", "ExpressionAttributeValues": {":one": {"N": "1"}, ":a": {"SS": ["a"]}}, "ReturnValues": "UPDATED_OLD"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET n = n + :one, m.z = :one, l[1] = :one REMOVE m.x DELETE ss :a", "ExpressionAttributeValues": {":one": {"N": "1"}, ":a": {"SS": ["b"]}}, "ReturnValues": "UPDATED_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "ALL_OLD"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "NONE"}');
-- an absent item is created by SET and ADD, and by no update at all; not by REMOVE and DELETE
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET c2 = pk", "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "c"}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "d"}}, "UpdateExpression": "REMOVE x.y DELETE s :s", "ExpressionAttributeValues": {":s": {"SS": ["a"]}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "e"}}, "UpdateExpression": "SET x = :s", "ConditionExpression": "attribute_exists(pk)", "ExpressionAttributeValues": {":s": {"SS": ["a"]}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "c"}}, "ReturnValues": "UPDATED_NEW"}');
SELECT pk FROM update_table ORDER BY pk;
-- conditions
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET v = :v", "ConditionExpression": "attribute_not_exists(pk)", "ExpressionAttributeValues": {":v": {"N": "1"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
-- capacity of a change of index keys, and of an attribute beside them
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET g = :v", "ExpressionAttributeValues": {":v": {"S": "x"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET g = :v", "ExpressionAttributeValues": {":v": {"S": "y"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET w = :v", "ExpressionAttributeValues": {":v": {"S": "y"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET w = :v", "ExpressionAttributeValues": {":v": {"S": "y"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "REMOVE g", "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "none"}}, "UpdateExpression": "REMOVE g", "ReturnConsumedCapacity": "TOTAL"}');
-- no local index: no item collections
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "b"}}, "ReturnItemCollectionMetrics": "SIZE"}');

-- constraints, mixing, values, placeholders, expressions
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "ReturnConsumedCapacity": "a", "ReturnItemCollectionMetrics": "b", "ReturnValues": "c"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {}}, "AttributeUpdates": {}, "Expected": {}, "UpdateExpression": "", "ConditionExpression": ""}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {}}, "Expected": {}, "UpdateExpression": ""}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {}}, "UpdateExpression": ""}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ExpressionAttributeNames": {"#a": "a"}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "", "ConditionExpression": ""}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = b", "ConditionExpression": "x !"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = :a SET b = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = b, a.b = c"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD a :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = b"}');
-- the key, index keys, key attributes
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"x": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": ""}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET g = :a", "ExpressionAttributeValues": {":a": {"N": "1"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET g = :a", "ExpressionAttributeValues": {":a": {"S": ""}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET g = n"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET g.x = n"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = pk.y"}');
-- evaluation, after the condition
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x.y = n", "ConditionExpression": "attribute_not_exists(pk)"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x.y = n"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = y"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = m + n"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "9e125"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "update_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET k = :k, k2 = :k", "ExpressionAttributeValues": {":k": {"S": "' || repeat('x', 205000) || '"}}}');
SELECT pk, g, item FROM update_table ORDER BY pk;

DROP TABLE update_table;
