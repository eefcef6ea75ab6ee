-- BatchGetItem: request and whole response, and every message that belongs to it.
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

CREATE TABLE batch_one (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE batch_two (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
INSERT INTO batch_one SELECT 'k' || i, jsonb_build_object('v', i, 'w', i)::text::item FROM generate_series(1, 3) i;
INSERT INTO batch_two SELECT 'k', i, jsonb_build_object('v', i, 'w', repeat('x', 5000))::text::item FROM generate_series(1, 3) i;

-- two tables, one by its ARN, each with its own projection; absent items are left out, a table without any has an empty list
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": "k2"}}, {"pk": {"S": "none"}}, {"pk": {"S": "k1"}}]},
	"arn:aws:dynamodb:us-east-1:000000000000:table/batch_two": {"Keys": [{"pk": {"S": "k"}, "sk": {"N": "3"}}, {"pk": {"S": "k"}, "sk": {"N": "1e0"}}], "ProjectionExpression": "#s, v", "ExpressionAttributeNames": {"#s": "sk"}, "ConsistentRead": true}},
	"ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": "none"}}], "AttributesToGet": ["v"]}, "batch_two": {"Keys": [{"pk": {"S": "k"}, "sk": {"N": "3"}}], "AttributesToGet": ["v", "nothing"]}}, "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": "k1"}}], "ProjectionExpression": "nothing"}, "batch_two": null}}');

-- 16 MB: what does not fit comes back, with the options of its table, as the next request
INSERT INTO batch_one SELECT 'big' || lpad(i::text, 2, '0'), jsonb_build_object('v', repeat('x', 400000))::text::item FROM generate_series(1, 45) i;
CREATE FUNCTION pg_temp.get_all(request jsonb) RETURNS TABLE (items int, bytes int, unprocessed jsonb) LANGUAGE plpgsql AS $$
DECLARE
    response jsonb;
BEGIN
    LOOP
        response := dynamodb('BatchGetItem', request::text)::jsonb;
        items := jsonb_array_length(response #> '{Responses,batch_one}');
        bytes := (SELECT sum(length(i #>> '{v,S}') + 1 + length('big00') + 2) FROM jsonb_array_elements(response #> '{Responses,batch_one}') i);
        unprocessed := response -> 'UnprocessedKeys';
        RETURN NEXT;
        EXIT WHEN unprocessed = '{}';
        request := jsonb_build_object('RequestItems', unprocessed);
    END LOOP;
END $$;
SELECT * FROM pg_temp.get_all((SELECT jsonb_build_object('RequestItems', jsonb_build_object('batch_one', jsonb_build_object('ConsistentRead', false, 'Keys',
	jsonb_agg(jsonb_build_object('pk', jsonb_build_object('S', 'big' || lpad(i::text, 2, '0')))  ORDER BY i)))) FROM generate_series(1, 45) i));
SELECT * FROM pg_temp.get_all((SELECT jsonb_build_object('RequestItems', jsonb_build_object('batch_one', jsonb_build_object('ProjectionExpression', '#v', 'ExpressionAttributeNames', '{"#v": "v"}'::jsonb, 'Keys',
	jsonb_agg(jsonb_build_object('pk', jsonb_build_object('S', 'big' || lpad(i::text, 2, '0')))  ORDER BY i)))) FROM generate_series(3, 45) i));
SELECT * FROM pg_temp.get_all((SELECT jsonb_build_object('RequestItems', jsonb_build_object('batch_one', jsonb_build_object('AttributesToGet', '["v"]'::jsonb, 'Keys',
	jsonb_agg(jsonb_build_object('pk', jsonb_build_object('S', 'big' || lpad(i::text, 2, '0')))  ORDER BY i)))) FROM generate_series(3, 45) i));

-- messages
SELECT pg_temp.try('BatchGetItem', '{}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": null, "ReturnConsumedCapacity": "x"}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": []}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {}}, "ReturnConsumedCapacity": "x"}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [null], "AttributesToGet": []}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"a;b": {"Keys": [{}]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{}]}, "arn:aws:dynamodb:us-east-1:000000000000:table/batch_one": {"Keys": [{}]}}}');
SELECT pg_temp.try('BatchGetItem', (SELECT jsonb_build_object('RequestItems', jsonb_build_object('none', jsonb_build_object('Keys', jsonb_agg('{}'::jsonb)))) FROM generate_series(1, 101))::text);
SELECT pg_temp.try('BatchGetItem', (SELECT jsonb_build_object('RequestItems', jsonb_build_object('none', jsonb_build_object('Keys', jsonb_agg('{}'::jsonb)), 'nine', jsonb_build_object('Keys', jsonb_agg('{}'::jsonb)))) FROM generate_series(1, 51))::text);
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}], "AttributesToGet": ["a"], "ProjectionExpression": "a"}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}], "ExpressionAttributeNames": {}}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}], "AttributesToGet": ["a", "a"]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}], "ProjectionExpression": "a,"}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}], "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "a"}}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {}}, {}, {}]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"a": {"S": "a"}}, {"a": {"S": "b"}}, {"a": {"S": "a"}}]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"none": {"Keys": [{"pk": {"S": "a"}}]}, "batch_one": {"Keys": [{}]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": "a"}}, {}]}}}');
SELECT pg_temp.try('BatchGetItem', '{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": ""}}]}}}');
SELECT pg_temp.try('BatchGetItem', format('{"RequestItems": {"batch_one": {"Keys": [{"pk": {"S": "%s"}}]}}}', repeat('x', 2049)));

DROP TABLE batch_one, batch_two;
