-- TransactWriteItems: request and whole response, tokens, and every message that belongs to it.
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

CREATE TABLE transact_one (pk text COLLATE "C" NOT NULL PRIMARY KEY, g text COLLATE "C", item item NOT NULL DEFAULT '{}');
CREATE INDEX transact_gsi ON transact_one USING gsi (g, pk);
CREATE TABLE transact_two (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, l numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX transact_lsi ON transact_two USING lsi (pk, l, sk);
INSERT INTO transact_one VALUES ('a', NULL, '{"v": 1}'), ('b', NULL, '{"v": 2}'), ('big', NULL, ('{"v": "' || repeat('x', 3000) || '"}')::item);

-- all four actions
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [
	{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "new"}, "g": {"S": "x"}}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET v = v + :one", "ConditionExpression": "v = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}},
	{"Delete": {"TableName": "transact_one", "Key": {"pk": {"S": "big"}}}},
	{"ConditionCheck": {"TableName": "transact_two", "Key": {"pk": {"S": "none"}, "sk": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "transact_two", "Key": {"pk": {"S": "made"}, "sk": {"N": "1"}}, "UpdateExpression": "SET #l = :l", "ExpressionAttributeNames": {"#l": "l"}, "ExpressionAttributeValues": {":l": {"N": "5"}}}}],
	"ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}');
SELECT pk, g, item FROM transact_one ORDER BY pk;
SELECT pk, sk, l, item FROM transact_two ORDER BY pk, sk;
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "b"}}}}]}');

-- a failed condition: every reason, nothing is written
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [
	{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "new2"}}}},
	{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET v = v + :one", "ConditionExpression": "v = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
	{"Delete": {"TableName": "transact_one", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_exists(v)"}},
	{"ConditionCheck": {"TableName": "transact_two", "Key": {"pk": {"S": "none"}, "sk": {"N": "1"}}, "ConditionExpression": "attribute_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]}');
-- errors of one action that need the table or the item
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "new2"}}}}, {"Put": {"TableName": "transact_one", "Item": {"pk": {"N": "1"}}}}, {"Put": {"TableName": "transact_one", "Item": {"x": {"N": "1"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Delete": {"TableName": "transact_one", "Key": {"x": {"S": "a"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "c"}, "g": {"N": "1"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET pk = v"}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x.y = v"}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD v :s", "ExpressionAttributeValues": {":s": {"SS": ["a"]}}}}]}');
SELECT pg_temp.try('TransactWriteItems', format('{"TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = :x, y = :x", "ExpressionAttributeValues": {":x": {"S": "%s"}}}}]}', repeat('x', 205000)));
SELECT pk, g, item FROM transact_one ORDER BY pk;

-- tokens: the same request is done once, whatever its spelling; another one is refused
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-1", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n, #m :m", "ExpressionAttributeNames": {"#m": "m"}, "ExpressionAttributeValues": {":n": {"N": "1"}, ":m": {"N": "10"}}}}], "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-1", "TransactItems": [{"Update": {"ExpressionAttributeValues": {":m": {"N": "1e1"}, ":n": {"N": "1.0"}}, "TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n, #m :m", "ExpressionAttributeNames": {"#m": "m"}}}], "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-1", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n, #m :m", "ExpressionAttributeNames": {"#m": "m"}, "ExpressionAttributeValues": {":n": {"N": "1"}, ":m": {"N": "11"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-2", "TransactItems": [{"Put": {"TableName": "transact_two", "Item": {"pk": {"S": "t"}, "sk": {"N": "1"}}}}], "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-2", "TransactItems": [{"Put": {"TableName": "transact_two", "Item": {"pk": {"S": "t"}, "sk": {"N": "1"}}}}], "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}');
SELECT item FROM transact_one WHERE pk = 'count';
-- a cancelled transaction leaves its token free
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-3", "TransactItems": [{"Delete": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "ConditionExpression": "n = :n", "ExpressionAttributeValues": {":n": {"N": "2"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-3", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}}]}');
-- after ten minutes a token is new, and old ones are removed on the way
UPDATE dynamodb_request_token SET finished = finished - interval '11 minutes';
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-3", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}}]}');
SELECT item FROM transact_one WHERE pk = 'count';
SELECT role::regrole = current_user::regrole AS mine, token, length(digest) FROM dynamodb_request_token ORDER BY token;
-- tokens of two roles are two, and nobody sees another's
CREATE ROLE transact_user;
GRANT SELECT, INSERT, UPDATE, DELETE ON transact_one TO transact_user;
SET ROLE transact_user;
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-3", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "100"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-3", "TransactItems": [{"Update": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "100"}}}}]}');
SELECT token FROM dynamodb_request_token;
SELECT current_user;
RESET ROLE;
SELECT item FROM transact_one WHERE pk = 'count';
-- a transaction that is rolled back takes its token along
BEGIN;
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-4", "TransactItems": [{"Delete": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": "token-4", "TransactItems": [{"Delete": {"TableName": "transact_one", "Key": {"pk": {"S": "count"}}}}]}');
ROLLBACK;
SELECT count(*) FROM dynamodb_request_token WHERE token = 'token-4';

-- messages
SELECT pg_temp.try('TransactWriteItems', '{}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [], "ClientRequestToken": ""}');
SELECT pg_temp.try('TransactWriteItems', (SELECT jsonb_build_object('TransactItems', jsonb_agg('{}'::jsonb)) FROM generate_series(1, 101))::text);
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{}], "ClientRequestToken": "1234567890123456789012345678901234567", "ReturnConsumedCapacity": "x", "ReturnItemCollectionMetrics": "x"}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"ConditionCheck": {"TableName": "none", "Key": {}}}, {"Update": {"TableName": "none", "Key": {}, "ReturnValuesOnConditionCheckFailure": "dog"}}, {"Put": {}}, {"Delete": {"TableName": ""}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {}}, "Delete": {"TableName": "none", "Key": {}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {"a": {"N": "x"}}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {}, "ConditionExpression": "hello!"}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {}, "ConditionExpression": "attribute_exists(a)", "ExpressionAttributeNames": {"#xyz": "a"}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {}, "ExpressionAttributeNames": {"#xyz": "a"}}}]}');
SELECT pg_temp.try('TransactWriteItems', format('{"TransactItems": [{"Put": {"TableName": "none", "Item": {"pk": {"S": "a"}, "a": {"S": "%s"}}}}]}', repeat('x', 409597)));
SELECT pg_temp.try('TransactWriteItems', (SELECT jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Put', jsonb_build_object('TableName', 'none', 'Item', jsonb_build_object('pk', jsonb_build_object('S', repeat('x', 400000))))))) FROM generate_series(1, 11) i)::text);
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "none", "Item": {}}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "a"}}}}, {"ConditionCheck": {"TableName": "transact_one", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_exists(pk)"}}]}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": ""}}}}]}');
-- legacy parameters are unknown members here
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "transact_one", "Item": {"pk": {"S": "count"}}, "Expected": {"pk": {"Exists": false}}, "ReturnValues": "dog"}}]}');

DROP TABLE transact_one, transact_two;
DROP ROLE transact_user;
