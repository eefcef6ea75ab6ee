-- Query: request and whole response, pages, and every message that belongs to it.
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

CREATE TABLE query_table (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, g text COLLATE "C", h numeric, n numeric,
	item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX query_gsi ON query_table USING gsi (g, h, pk, sk) WITH (projection = 'INCLUDE', non_key_attributes = '["v"]');
CREATE INDEX query_all ON query_table USING gsi (g, pk, sk);
CREATE INDEX query_lsi ON query_table USING lsi (pk, n, sk) WITH (projection = 'KEYS_ONLY');
CREATE TABLE query_single (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
INSERT INTO query_table SELECT 'a', 'k' || i, CASE WHEN i % 2 = 0 THEN 'even' END, i, 10 - i,
	jsonb_build_object('v', i, 'w', 'w' || i)::text::item FROM generate_series(1, 9) i;
INSERT INTO query_single VALUES ('a', '{"v": 1}');

-- forwards, backwards, each operator
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 2}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 2, "ScanIndexForward": false}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p AND sk BETWEEN :a AND :b", "ExpressionAttributeValues": {":p": {"S": "a"}, ":a": {"S": "k3"}, ":b": {"S": "k4"}}, "ProjectionExpression": "sk"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "begins_with(sk, :a) AND #p = :p", "ExpressionAttributeNames": {"#p": "pk"}, "ExpressionAttributeValues": {":p": {"S": "a"}, ":a": {"S": "k9"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p AND :a > sk", "ExpressionAttributeValues": {":p": {"S": "a"}, ":a": {"S": "k2"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "none"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_single", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}');
-- filter, count, projection
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "FilterExpression": "v > :v", "ExpressionAttributeValues": {":p": {"S": "a"}, ":v": {"N": "7"}}, "ProjectionExpression": "v, nothing"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "FilterExpression": "v > :v", "ExpressionAttributeValues": {":p": {"S": "a"}, ":v": {"N": "7"}}, "Limit": 8, "Select": "COUNT"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 1, "ProjectionExpression": "nothing"}');
-- indexes: what they project; an LSI fetches the rest
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_gsi", "KeyConditionExpression": "g = :g AND h <= :h", "ExpressionAttributeValues": {":g": {"S": "even"}, ":h": {"N": "4.0"}}, "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_all", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "even"}}, "Limit": 1, "Select": "ALL_ATTRIBUTES"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_lsi", "KeyConditionExpression": "pk = :p AND n = :n", "ExpressionAttributeValues": {":p": {"S": "a"}, ":n": {"N": "3"}}, "ReturnConsumedCapacity": "INDEXES", "ConsistentRead": true}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_lsi", "KeyConditionExpression": "pk = :p AND n = :n", "ExpressionAttributeValues": {":p": {"S": "a"}, ":n": {"N": "3"}}, "ReturnConsumedCapacity": "INDEXES", "Select": "ALL_ATTRIBUTES"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_lsi", "KeyConditionExpression": "pk = :p AND n = :n", "ExpressionAttributeValues": {":p": {"S": "a"}, ":n": {"N": "3"}}, "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "w"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_lsi", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Select": "ALL_PROJECTED_ATTRIBUTES", "Limit": 1}');
-- pages: each start key leads to the next page, on table, GSI and LSI, until there is none
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
SELECT page FROM pg_temp.pages('{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 4, "ProjectionExpression": "v"}') page;
SELECT page FROM pg_temp.pages('{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 4, "ScanIndexForward": false, "ProjectionExpression": "v"}') page;
SELECT page FROM pg_temp.pages('{"TableName": "query_table", "IndexName": "query_gsi", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "even"}}, "Limit": 2, "ProjectionExpression": "v"}') page;
SELECT page FROM pg_temp.pages('{"TableName": "query_table", "IndexName": "query_lsi", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "Limit": 4, "ProjectionExpression": "v"}') page;
-- a page of 1 MB: the item that crosses it is the last; units are those of all that was evaluated
INSERT INTO query_table SELECT 'big', 'k' || lpad(i::text, 2, '0'), NULL, NULL, NULL, jsonb_build_object('v', repeat('x', 300000))::text::item FROM generate_series(1, 5) i;
SELECT page - 'Items' FROM pg_temp.pages('{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "big"}}, "ProjectionExpression": "sk", "ReturnConsumedCapacity": "TOTAL"}') page;
SELECT page FROM pg_temp.pages('{"TableName": "query_table", "KeyConditionExpression": "pk = :p", "FilterExpression": "size(v) < :p", "ExpressionAttributeValues": {":p": {"S": "big"}}, "ReturnConsumedCapacity": "TOTAL", "ConsistentRead": true}') page;
-- legacy parameters
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}, "sk": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "k2"}, {"S": "k5"}]}}, "QueryFilter": {"v": {"ComparisonOperator": "GE", "AttributeValueList": [{"N": "4"}]}, "w": {"ComparisonOperator": "NE", "AttributeValueList": [{"S": "w5"}]}}, "AttributesToGet": ["v"]}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}, "sk": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": "k"}]}}, "QueryFilter": {"v": {"ComparisonOperator": "GE", "AttributeValueList": [{"N": "9"}]}, "w": {"ComparisonOperator": "IN", "AttributeValueList": [{"S": "w5"}, {"S": "w6"}]}}, "ConditionalOperator": "OR", "Select": "COUNT"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}, "FilterExpression": "v = :v", "ExpressionAttributeValues": {":v": {"N": "4"}}, "ProjectionExpression": "v"}');

-- messages, in the order of the checks
SELECT pg_temp.try('Query', '{"Select": "x"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "Select": "x", "IndexName": "!", "ReturnConsumedCapacity": "x", "QueryFilter": {"a": {}, "b": {"ComparisonOperator": "x"}}, "ConditionalOperator": "x", "AttributesToGet": [], "Limit": 0, "KeyConditions": {"a": {}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "Limit": -1}');
SELECT pg_temp.try('Query', '{"TableName": "none", "AttributesToGet": ["a"], "QueryFilter": {}, "ConditionalOperator": "AND", "KeyConditions": {}, "ProjectionExpression": "", "FilterExpression": "", "KeyConditionExpression": ""}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {}, "KeyConditionExpression": ""}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExpressionAttributeNames": {}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExpressionAttributeValues": {}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExpressionAttributeValues": {}, "ProjectionExpression": "a"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"S": "a", "N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"NULL": false}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"SS": []}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"BS": []}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"NS": []}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"N": "x"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "ExclusiveStartKey": {"a": {"SS": ["a", "a"]}}}');
SELECT pg_temp.try('Query', '{"TableName": "none"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "", "FilterExpression": ""}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "FilterExpression": "", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a OR b = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Select": "ALL_PROJECTED_ATTRIBUTES"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Select": "SPECIFIC_ATTRIBUTES"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Select": "ALL_ATTRIBUTES", "ProjectionExpression": "a"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}, "Select": "ALL_ATTRIBUTES", "AttributesToGet": ["a"]}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}, "Select": "COUNT", "AttributesToGet": ["a"]}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Select": "COUNT", "ProjectionExpression": "a"}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "none", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_gsi", "ConsistentRead": true, "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "ExclusiveStartKey": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a AND b = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk > :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_single", "KeyConditionExpression": "pk = :a AND b = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"N": "1"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": ""}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "ExclusiveStartKey": {"pk": {"S": "b"}, "sk": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a AND sk < :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "b"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditionExpression": "pk = :a", "FilterExpression": "sk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_gsi", "KeyConditionExpression": "g = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "Select": "ALL_ATTRIBUTES"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "IndexName": "query_gsi", "KeyConditionExpression": "g = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}, "ProjectionExpression": "v, w, x"}');
-- legacy messages
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ"}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}, {"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "none", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}, "ConditionalOperator": "OR"}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"sk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}, "x": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_single", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}, "x": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "NULL"}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "GT", "AttributeValueList": [{"S": "a"}]}}}');
SELECT pg_temp.try('Query', '{"TableName": "query_table", "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}, "QueryFilter": {"sk": {"ComparisonOperator": "NULL"}}}');

DROP TABLE query_table, query_single;
