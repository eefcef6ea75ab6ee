-- Bodies of requests: malformed ones, wrong kinds of JSON, and what is forgiven.
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

CREATE TABLE request_table (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');

-- no JSON, or no object: the exception has no message on the wire; it comes before an unknown operation
SELECT pg_temp.try('GetItem', '');
SELECT pg_temp.try('GetItem', '   ');
SELECT pg_temp.try('GetItem', '{');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table"');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table",}');
SELECT pg_temp.try('GetItem', '{TableName: 1}');
SELECT pg_temp.try('GetItem', '{} {}');
SELECT pg_temp.try('GetItem', '[]');
SELECT pg_temp.try('GetItem', 'null');
SELECT pg_temp.try('GetItem', '"GetItem"');
SELECT pg_temp.try('GetItem', '{"TableName": 1, "Unknown": tru}');
SELECT pg_temp.try('GetItem', '{"a": "\x"}');
SELECT pg_temp.try('GetItem', '{"a": "\ud800"}');
SELECT pg_temp.try('NoSuchOperation', '{');
SELECT pg_temp.try('NoSuchOperation', '{}');
SELECT pg_temp.try('getitem', '{}');
SELECT pg_temp.try('', '{}');
SELECT dynamodb(NULL, '{}'), dynamodb('GetItem', NULL::text);

-- wrong kinds: every kind for every type of member
SELECT target, value, pg_temp.try('GetItem', format('{%s: %s}', target, value))
FROM (VALUES ('"TableName"'), ('"Key"'), ('"ConsistentRead"'), ('"AttributesToGet"'), ('"ExpressionAttributeNames"')) t(target),
	(VALUES ('1'), ('1.5'), ('-0'), ('true'), ('false'), ('"text"'), ('[]'), ('{}'), ('null')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('Query', format('{%s: %s}', target, value))
FROM (VALUES ('"Limit"'), ('"KeyConditions"')) t(target),
	(VALUES ('1'), ('1.5'), ('true'), ('"text"'), ('[]'), ('{}')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('Query', replace(target, '?', value))
FROM (VALUES ('{"KeyConditions": {"a": ?}}'), ('{"KeyConditions": {"a": {"AttributeValueList": ?}}}'), ('{"KeyConditions": {"a": {"AttributeValueList": [?]}}}')) t(target),
	(VALUES ('1'), ('"text"'), ('[]'), ('{}')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('PutItem', replace(target, '?', value))
FROM (VALUES ('{"Item": ?}'), ('{"Item": {"a": ?}}'), ('{"Expected": ?}'), ('{"Expected": {"a": ?}}'), ('{"Expected": {"a": {"Value": ?}}}'), ('{"Expected": {"a": {"Exists": ?}}}'), ('{"ExpressionAttributeValues": ?}')) t(target),
	(VALUES ('1'), ('1.5'), ('false'), ('"text"'), ('[]')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT type, value, pg_temp.try('PutItem', format('{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": {"%s": %s}}}', type, value))
FROM (VALUES ('S'), ('N'), ('B'), ('BOOL'), ('NULL'), ('SS'), ('NS'), ('BS'), ('L'), ('M')) t(type),
	(VALUES ('1'), ('1.5'), ('true'), ('"dog"'), ('[]'), ('{}'), ('[1]'), ('[true]'), ('[[]]'), ('[{}]')) v(value) ORDER BY type COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('BatchGetItem', replace(target, '?', value))
FROM (VALUES ('{"RequestItems": ?}'), ('{"RequestItems": {"t": ?}}'), ('{"RequestItems": {"t": {"Keys": ?}}}'), ('{"RequestItems": {"t": {"Keys": [?]}}}')) t(target),
	(VALUES ('1'), ('"text"'), ('[]'), ('{}')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('BatchWriteItem', replace(target, '?', value))
FROM (VALUES ('{"RequestItems": ?}'), ('{"RequestItems": {"t": ?}}'), ('{"RequestItems": {"t": [?]}}'), ('{"RequestItems": {"t": [{"PutRequest": ?}]}}')) t(target),
	(VALUES ('1'), ('"text"'), ('[]'), ('{}')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
SELECT target, value, pg_temp.try('TransactWriteItems', replace(target, '?', value))
FROM (VALUES ('{"TransactItems": ?}'), ('{"TransactItems": [?]}'), ('{"TransactItems": [{"Put": ?}]}')) t(target),
	(VALUES ('1'), ('"text"'), ('[]'), ('{}')) v(value) ORDER BY target COLLATE "C", value COLLATE "C";
-- base64 and words for booleans
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "b"}, "a": {"B": "abc"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "b"}, "a": {"B": "ab!="}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "b"}}, "ConsistentRead": "YES", "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "b"}}, "ConsistentRead": "0", "ReturnConsumedCapacity": "TOTAL"}');
-- structures before scalars, wherever they stand; kinds before values, names and constraints
SELECT pg_temp.try('GetItem', '{"TableName": 1, "Key": []}');
SELECT pg_temp.try('PutItem', '{"Item": {"a": {"N": "dog"}, "b": {"S": 1}}, "TableName": ""}');
SELECT pg_temp.try('PutItem', '{"TableName": true, "Item": {"a": {"S": 1}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "", "ReturnValues": 1}');
SELECT pg_temp.try('TransactWriteItems', '{"ClientRequestToken": 1, "TransactItems": [{"Put": {"TableName": [], "Item": {"a": {"M": {"b": {"L": [{"BOOL": 1}]}}}}}}]}');

-- null is absent, unknown members are ignored at every level, of repeated members the last wins
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x", "Z": {"S": 1}, "N": null}, "a": {"M": {"b": {"S": "old"}, "b": {"S": "new"}}}, "a2": {"S": "old"}, "a2": {"N": "2"}}, "Expected": null, "ReturnValues": null, "Z": [{"Item": 1}], "": 0}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": null}}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": null}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "x"}}, "TableName": null}');
SELECT pg_temp.try('GetItem', '{"Key": {"pk": {"N": "dog"}}, "Key": {"pk": {"S": "x"}}, "TableName": 1, "TableName": "request_table"}');
SELECT pg_temp.try('GetItem', '{"Key": {"pk": {"N": "dog"}}, "Key": {"pk": {"S": "x"}}, "TableName": "request_table"}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "x"}}, "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "z", "#b": "z", "#a": "a", "#b": null}}');
-- \u escapes in names of members, U+0000 in values and names, surrogates
SELECT pg_temp.try('PutItem', '{"\u0054ableName": "request_table", "Item": {"pk": {"\u0053": "\u0075"}, "\u0000\ud834\udd1e": {"S": "a\u0000b"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "u"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "request\u0000table", "Key": {"pk": {"S": "u"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "u\u0000"}}}');

-- nested thousands deep, in an item and in a member nobody knows
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": ' || repeat('{"L": [', 31) || '{"S": "x"}' || repeat(']}', 31) || '}}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": ' || repeat('{"L": [', 32) || '{"S": "x"}' || repeat(']}', 32) || '}}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": ' || repeat('{"M": {"m": ', 5000) || '{"S": "x"}' || repeat('}}', 5000) || '}}');
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Unknown": ' || repeat('[', 100000) || repeat(']', 100000) || '}');
SELECT pg_temp.try('PutItem', repeat('{"TransactItems": ', 100000));
SELECT pg_temp.try('PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": ' || repeat('[', 100000));
-- 16 MB: in one string, and in a hundred thousand members
SELECT pg_temp.try('PutItem', format('{"TableName": "request_table", "Item": {"pk": {"S": "x"}, "a": {"S": "%s"}}}', repeat('x', 16 * 1024 * 1024)));
SELECT pg_temp.try('GetItem', '{' || string_agg(format('"x%s": {"y": [%s, "%s"]}', i, i, repeat('z', 100)), ', ') || ', "TableName": "request_table", "Key": {"pk": {"S": "none"}}}') FROM generate_series(1, 100000) i;
SELECT left(pg_temp.try('GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "none"}}, "ProjectionExpression": "#n1", "ExpressionAttributeNames": {' || string_agg(format('"#n%s": "a"', i % 50000), ', ') || '}}'), 110) FROM generate_series(1, 100000) i;
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [' || string_agg('{}', ',') || ']}') FROM generate_series(1, 200000) i;
SELECT pk, item FROM request_table ORDER BY pk;

-- several requests in one statement: each sees what those before it did
SELECT number, dynamodb(operation, body) FROM (VALUES
	(1, 'PutItem', '{"TableName": "request_table", "Item": {"pk": {"S": "s"}, "n": {"N": "1"}}}'),
	(2, 'GetItem', '{"TableName": "request_table", "Key": {"pk": {"S": "s"}}}'),
	(3, 'UpdateItem', '{"TableName": "request_table", "Key": {"pk": {"S": "s"}}, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}'),
	(4, 'Query', '{"TableName": "request_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "s"}}}'),
	(5, 'DeleteItem', '{"TableName": "request_table", "Key": {"pk": {"S": "s"}}}'),
	(6, 'TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "request_table", "Key": {"pk": {"S": "s"}}}}]}')) r(number, operation, body)
ORDER BY number;

DROP TABLE request_table;
