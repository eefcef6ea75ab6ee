-- DeleteItem: request and whole response, and every message that belongs to it.
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


CREATE TABLE delete_table (pk text COLLATE "C" NOT NULL, sk bytea NOT NULL, n numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX delete_lsi ON delete_table USING lsi (pk, n, sk);
INSERT INTO delete_table SELECT 'a', int4send(i), i, jsonb_build_object('v', repeat('x', 1000 * (i % 4)))::text::item FROM generate_series(1, 8) i;

SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAABA=="}}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAABA=="}}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAABA=="}}, "ReturnValues": "ALL_OLD"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAACA=="}}, "ReturnValues": "ALL_OLD"}');
-- capacity and item collections
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAw=="}}, "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAw=="}}, "ReturnConsumedCapacity": "TOTAL"}');
-- conditions, the item present and absent
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAQ=="}}, "ConditionExpression": "size(v) = :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAQ=="}}, "ConditionExpression": "size(v) = :n", "ExpressionAttributeValues": {":n": {"N": "1000"}}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAQ=="}}, "ConditionExpression": "attribute_exists(pk)"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAAAQ=="}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": "AAAABQ=="}}, "Expected": {"n": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "4"}]}, "v": {"ComparisonOperator": "NULL"}}, "ConditionalOperator": "OR", "ReturnValues": "NONE"}');
-- messages
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "ReturnValues": "x", "ReturnConsumedCapacity": "x", "ReturnItemCollectionMetrics": "x"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {}, "ReturnValues": "UPDATED_OLD"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {"a": {"N": ""}}, "ReturnValues": "UPDATED_OLD"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {}, "ConditionExpression": "a", "Expected": {}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {}, "ConditionExpression": "a"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {}, "ExpressionAttributeValues": {}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "delete_table", "Key": {"pk": {"S": "a"}, "sk": {"B": ""}}}');
SELECT pk, sk, n FROM delete_table ORDER BY pk, sk;

DROP TABLE delete_table;
