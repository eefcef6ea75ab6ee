-- GetItem: request and whole response, and every message that belongs to it.
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


CREATE TABLE get_plain (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE get_sorted (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
INSERT INTO get_plain VALUES ('a', '{"s": "text", "n": 1.50, "b": {"B": "AQID"}, "t": true, "z": null, "l": [1, "x", [2]], "m": {"x": {"y": 1}},
	"ss": {"SS": ["b", "a"]}, "ns": {"NS": ["10", "9"]}, "bs": {"BS": ["AQ=="]}, "q\"\\\n\u0000": "\u0001é"}');
INSERT INTO get_sorted VALUES ('a', 1, '{"v": 1}'), ('a', 10, '{"v": 2, "status": "new"}');

-- found, not found, by name and by ARN
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "b"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_sorted", "Key": {"pk": {"S": "a"}, "sk": {"N": "1e1"}}, "ConsistentRead": true}');
SELECT pg_temp.try('GetItem', '{"TableName": "arn:aws:dynamodb:eu-west-1:123456789012:table/get_sorted", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}, "ReturnConsumedCapacity": "TOTAL"}');
-- null is absent, unknown members are ignored, of a repeated member the last wins
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "TableName": "get_sorted", "Unknown": [{"x": {}}], "ProjectionExpression": null, "Key": {"pk": {"S": "b"}}, "Key": {"sk": {"N": "1"}, "pk": {"S": "a"}}}');
-- json as well as text
SELECT dynamodb('GetItem', '{"TableName": "get_sorted", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}}'::json);
-- projections
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "m.x.y, l[2][0], l[0], #q", "ExpressionAttributeNames": {"#q": "q\"\\\n\u0000"}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "nothing"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "b"}}, "ProjectionExpression": "nothing"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "AttributesToGet": ["s", "status", "a.b"]}');
-- capacity: consistent reads cost twice, an absent item as one of no size
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "b"}}, "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "b"}}, "ReturnConsumedCapacity": "INDEXES", "ConsistentRead": true}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "b"}}, "ReturnConsumedCapacity": "NONE"}');
-- 4,096 bytes: pk and a are two names of 3 bytes in all, with a key of 4; one more byte is one more block, whatever the projection
INSERT INTO get_plain VALUES ('4096', jsonb_build_object('a', repeat('x', 4096 - 3 - 4))::text::item), ('4097', jsonb_build_object('a', repeat('x', 4097 - 3 - 4))::text::item);
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "4096"}}, "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "pk"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "4097"}}, "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "pk"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "4097"}}, "ReturnConsumedCapacity": "TOTAL", "ConsistentRead": true, "AttributesToGet": ["pk"]}');

-- the table's name is reported alone
SELECT pg_temp.try('GetItem', '{}');
SELECT pg_temp.try('GetItem', '{"TableName": "", "ReturnConsumedCapacity": "x"}');
SELECT pg_temp.try('GetItem', '{"TableName": "a;b", "ReturnConsumedCapacity": "x"}');
SELECT left(pg_temp.try('GetItem', format('{"TableName": "%s"}', repeat('x', 256))), 60), right(pg_temp.try('GetItem', format('{"TableName": "%s"}', repeat('x', 256))), 90);
SELECT pg_temp.try('GetItem', '{"TableName": "arn:aws:dynamodb:eu-west-1:1:index/get_sorted", "Key": {}}');
-- other constraints are reported together
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "ReturnConsumedCapacity": "total", "AttributesToGet": []}');
-- legacy and expression parameters
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"X": 1}}, "AttributesToGet": ["a"], "ProjectionExpression": "a"}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "ExpressionAttributeNames": {"#a": "a"}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "ExpressionAttributeNames": {"#a": "a"}, "AttributesToGet": ["a"]}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "AttributesToGet": ["a", "b", "a"]}');
-- values of the key
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a", "N": "1"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a", "N": "x"}}}');
-- placeholders and expressions come before the table
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a", "ExpressionAttributeNames": {}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a", "ExpressionAttributeNames": {"a": "a"}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": ""}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "b"}}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": ""}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a,,b"}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "abs, Status"}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "#a"}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a.b, a"}');
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "a.b, a[1]"}');
-- then the table
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "n", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "pg_class", "Key": {"pk": {"S": "a"}}}');
-- then the key
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"N": "1"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}, "x": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": ""}}}');
SELECT pg_temp.try('GetItem', format('{"TableName": "get_plain", "Key": {"pk": {"S": "%s"}}}', repeat('x', 2049)));
SELECT pg_temp.try('GetItem', '{"TableName": "get_plain", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "pk.a"}');

DROP TABLE get_plain, get_sorted;
