-- BatchWriteItem: request and whole response, and every message that belongs to it.
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

CREATE TABLE batch_one (pk text COLLATE "C" NOT NULL PRIMARY KEY, g numeric, item item NOT NULL DEFAULT '{}');
CREATE INDEX batch_gsi ON batch_one USING gsi (g, pk);
CREATE TABLE batch_two (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, l text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX batch_lsi ON batch_two USING lsi (pk, l, sk);
INSERT INTO batch_one VALUES ('old', 1, '{"v": 1}'), ('gone', 2, '{"v": 2}');

SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "new"}, "v": {"N": "1"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "gone"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "never"}}}}, {"PutRequest": {"Item": {"pk": {"S": "old"}, "g": {"N": "3"}}}}],
	"arn:aws:dynamodb:us-east-1:000000000000:table/batch_two": [{"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"N": "2"}, "l": {"S": "x"}}}}, {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"N": "1"}}}}]},
	"ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"}');
SELECT pk, g, item FROM batch_one ORDER BY pk;
SELECT pk, sk, l, item FROM batch_two ORDER BY pk, sk;
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_two": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}, "sk": {"N": "2"}}}}]}, "ReturnConsumedCapacity": "TOTAL"}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "p"}}}}]}, "ReturnItemCollectionMetrics": "SIZE"}');

-- messages; nothing is written by an invalid batch
SELECT pg_temp.try('BatchWriteItem', '{}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": []}, "ReturnItemCollectionMetrics": "hi", "ReturnConsumedCapacity": "hi"}');
SELECT pg_temp.try('BatchWriteItem', (SELECT jsonb_build_object('RequestItems', jsonb_build_object('batch_one', jsonb_agg('{}'::jsonb))) FROM generate_series(1, 26))::text);
SELECT pg_temp.try('BatchWriteItem', (SELECT jsonb_build_object('RequestItems', jsonb_build_object('batch_one', jsonb_agg('{}'::jsonb), 'batch_two', jsonb_agg('{}'::jsonb))) FROM generate_series(1, 13))::text);
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"a b": [{}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"none": [{"PutRequest": {}}, {"DeleteRequest": {}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"none": [{}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"none": [null]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"none": [{"PutRequest": {"Item": {}}, "DeleteRequest": {"Key": {}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"none": [{"PutRequest": {"Item": {"a": {"NS": ["1", "1"]}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', format('{"RequestItems": {"none": [{"PutRequest": {"Item": {"pk": {"S": "a"}, "a": {"S": "%s"}}}}]}}', repeat('x', 409597)));
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}], "none": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"PutRequest": {"Item": {"v": {"S": "a"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"PutRequest": {"Item": {"pk": {"N": "1"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "a"}, "x": {"S": "a"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": ""}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"PutRequest": {"Item": {"pk": {"S": "a"}, "g": {"S": "a"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_one": [{"PutRequest": {"Item": {"pk": {"S": "z"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "z"}}}}]}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"batch_two": [{"PutRequest": {"Item": {"pk": {"S": "z"}, "sk": {"N": "1000"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "z"}, "sk": {"N": "1e3"}}}}]}}');
SELECT pk FROM batch_one ORDER BY pk;
SELECT pk, sk FROM batch_two ORDER BY pk, sk;

DROP TABLE batch_one, batch_two;
