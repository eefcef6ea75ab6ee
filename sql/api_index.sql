-- Indexes whose keys are several attributes: conditions, pages and capacity.
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

CREATE TABLE index_table (pk text COLLATE "C" NOT NULL PRIMARY KEY, a text COLLATE "C", b numeric, c text COLLATE "C", d bytea,
	e numeric, f text COLLATE "C", g numeric, h bytea, item item NOT NULL DEFAULT '{}');
CREATE INDEX index_eight ON index_table USING gsi (a, b, c, d, e, f, g, h, pk) WITH (partition_keys = 4, sort_keys = 4, projection = 'KEYS_ONLY');
CREATE INDEX index_two ON index_table USING gsi (a, b, e, f, pk) WITH (partition_keys = 2, sort_keys = 2);
INSERT INTO index_table SELECT 'k' || i, 'a', 1, 'c', '\x01', i % 3, 'f' || i % 2, i, '\x02', jsonb_build_object('v', i)::text::item FROM generate_series(1, 12) i;
INSERT INTO index_table VALUES ('partial', 'a', 1, 'c', '\x01', 1, NULL, 1, '\x02');

SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_eight", "KeyConditionExpression": "a = :a AND b = :b AND c = :c AND d = :d AND e = :e AND f = :f AND g BETWEEN :x AND :y",
	"ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}, ":c": {"S": "c"}, ":d": {"B": "AQ=="}, ":e": {"N": "1"}, ":f": {"S": "f1"}, ":x": {"N": "2"}, ":y": {"N": "8"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b AND e = :e AND begins_with(f, :f)", "ProjectionExpression": "pk, e, f",
	"ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}, ":e": {"N": "2"}, ":f": {"S": "f"}}, "ScanIndexForward": false}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b AND e > :e", "Select": "COUNT", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}, ":e": {"N": "0"}}, "Limit": 3}');
-- pages
CREATE FUNCTION pg_temp.pages(request jsonb) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
DECLARE
    page jsonb;
BEGIN
    LOOP
        page := dynamodb('Query', request::text)::jsonb;
        RETURN NEXT page;
        EXIT WHEN NOT page ? 'LastEvaluatedKey';
        request := request || jsonb_build_object('ExclusiveStartKey', page -> 'LastEvaluatedKey');
    END LOOP;
END $$;
SELECT page FROM pg_temp.pages('{"TableName": "index_table", "IndexName": "index_eight", "KeyConditionExpression": "a = :a AND b = :b AND c = :c AND d = :d", "ProjectionExpression": "pk",
	"ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}, ":c": {"S": "c"}, ":d": {"B": "AQ=="}}, "Limit": 5}') page;
-- capacity of writes: an entry needs all eight; it moves when one of them changes
SELECT pg_temp.try('UpdateItem', '{"TableName": "index_table", "Key": {"pk": {"S": "partial"}}, "UpdateExpression": "SET f = :f", "ExpressionAttributeValues": {":f": {"S": "f9"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "index_table", "Key": {"pk": {"S": "partial"}}, "UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": {"N": "7"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "index_table", "Key": {"pk": {"S": "partial"}}, "UpdateExpression": "SET v = :g", "ExpressionAttributeValues": {":g": {"N": "7"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "index_table", "Key": {"pk": {"S": "partial"}}, "ReturnConsumedCapacity": "INDEXES"}');
-- messages
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b > :b", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b AND f = :a", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b AND e > :b AND f = :a", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b AND g = :b", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "index_table", "IndexName": "index_two", "KeyConditionExpression": "a = :a AND b = :b", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "1"}}, "ExclusiveStartKey": {"a": {"S": "a"}, "b": {"N": "1"}, "pk": {"S": "k1"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "index_table", "Item": {"pk": {"S": "x"}, "d": {"S": "x"}, "e": {"S": "x"}}}');

DROP TABLE index_table;
