-- TransactGetItems: request and whole response, and every message that belongs to it.
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

CREATE TABLE transact_one (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE transact_two (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
INSERT INTO transact_one VALUES ('a', '{"v": 1}'), ('b', '{"v": 2}');
INSERT INTO transact_two SELECT 'a', 1, jsonb_build_object('v', repeat('x', 5000))::text::item;

-- in the order of the request; absent items and items of which nothing is left are empty
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "b"}}}}, {"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "none"}}}}, {"Get": {"TableName": "transact_two", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}, "ProjectionExpression": "#p", "ExpressionAttributeNames": {"#p": "pk"}}}, {"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "nothing"}}], "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "b"}}}}], "ReturnConsumedCapacity": "TOTAL"}');

-- messages
SELECT pg_temp.try('TransactGetItems', '{}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": []}');
SELECT pg_temp.try('TransactGetItems', (SELECT jsonb_build_object('TransactItems', jsonb_agg('{}'::jsonb)) FROM generate_series(1, 101))::text);
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{}, {"Get": {}}, {"Get": {"TableName": "a;b", "Key": {}}}], "ReturnConsumedCapacity": "x"}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "none", "Key": {"a": {}}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "none", "Key": {}, "ProjectionExpression": "!!"}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "none", "Key": {}, "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "a"}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "none", "Key": {}, "ExpressionAttributeNames": {"#a": "a"}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {}}}, {"Get": {"TableName": "none", "Key": {}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}}}, {"Get": {"TableName": "transact_one", "Key": {}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {"pk": {"S": ""}}}}]}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}}}, {"Get": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}}}]}');
INSERT INTO transact_one SELECT 'big' || i, jsonb_build_object('v', repeat('x', 400000))::text::item FROM generate_series(1, 11) i;
SELECT pg_temp.try('TransactGetItems', (SELECT jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Get', jsonb_build_object('TableName', 'transact_one', 'Key', jsonb_build_object('pk', jsonb_build_object('S', 'big' || i)))))) FROM generate_series(1, 11) i)::text);

DROP TABLE transact_one, transact_two;
