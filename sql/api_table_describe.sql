-- DescribeTable, DeleteTable, ListTables and the operations that describe the service.  Source: reference/tables-and-indexes, sections 6, 9, 12.
\set QUIET on
\pset format unaligned
\pset tuples_only on

-- The response with one group of members a line, volatile values masked; or SQLSTATE, exception and message.
CREATE FUNCTION pg_temp.api(operation text, request text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	answer := dynamodb(operation, request)::text;
	answer := regexp_replace(answer, '"TableId": "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"', '"TableId": "<id>"');
	answer := regexp_replace(answer, '"(\w*DateTime)": [1-9][0-9]*\.[0-9]{3}', '"\1": <time>', 'g');
	answer := regexp_replace(answer, '\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}', '<label>', 'g');
	RETURN regexp_replace(answer, ' ("(KeySchema|Projection|IndexStatus|ProvisionedThroughput|TableSizeBytes|TableArn|TableId'
		'|\w+Summary|\w+SecondaryIndexes|StreamSpecification|LatestStreamLabel|SSEDescription|OnDemandThroughput|WarmThroughput'
		'|DeletionProtectionEnabled)":)', E'\n  \\1', 'g');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || coalesce(' ' || (SELECT name FROM dynamodb_exceptions() e(code, name) WHERE code = SQLSTATE), '') || ': ' || SQLERRM;
END $$;

CREATE FUNCTION pg_temp.create_table(name text, more text DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT substr(pg_temp.api('CreateTable', (json_build_object('TableName', name)::jsonb || '{"BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'::jsonb || more::jsonb)::text), 1, 100)
$$;

-- the service
SELECT pg_temp.api('DescribeLimits', '{}');
SELECT pg_temp.api('DescribeEndpoints', '{"Unknown": 1}');
SELECT pg_temp.api('ListTables', '{}');

-- names of tables that are not there
SELECT operation, pg_temp.api(operation, request)
FROM unnest('{DescribeTable,DeleteTable,DescribeTimeToLive,DescribeContinuousBackups}'::text[]) operation,
	unnest(ARRAY['{}', '{"TableName": null}', '{"TableName": ""}', '{"TableName": "ab"}', '{"TableName": "x!"}', '{"TableName": "missing"}',
		'{"TableName": 1}', '{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/missing"}']) WITH ORDINALITY r(request, position)
ORDER BY operation, position;
SELECT pg_temp.api('DescribeTable', format('{"TableName": "%s"}', repeat('n', 256)));
SELECT pg_temp.api('DeleteTable', format('{"TableName": "%s"}', repeat('n', 256)));

-- tables of SQL
CREATE TABLE plain (
	id numeric PRIMARY KEY,
	country text COLLATE "C",
	city text COLLATE "C",
	added timestamptz,
	attributes item NOT NULL DEFAULT '{}'
);
CREATE INDEX plain_by_city ON plain USING gsi (city, id);
CREATE INDEX plain_by_place ON plain USING gsi (country, city, id) WITH (name = 'by-place', projection = 'INCLUDE', non_key_attributes = '["z", "a"]');
CREATE INDEX ON plain (added);
SELECT pg_temp.api('DescribeTable', '{"TableName": "plain"}');
-- its TableId is always the same one
SELECT dynamodb('DescribeTable', '{"TableName": "plain"}')::text = dynamodb('DescribeTable', '{"TableName": "plain"}')::text;
-- the API changes it like its own
SELECT pg_temp.api('UpdateTable', '{"TableName": "plain", "DeletionProtectionEnabled": true}') ~ '"DeletionProtectionEnabled": true';
SELECT pg_temp.api('DeleteTable', '{"TableName": "plain"}');
SELECT pg_temp.api('UpdateTable', '{"TableName": "plain", "DeletionProtectionEnabled": false}') ~ '"DeletionProtectionEnabled": false';
-- counts and sizes are those of the last VACUUM or ANALYZE
INSERT INTO plain SELECT i, 'x', CASE WHEN i <= 10 THEN 'y' END FROM generate_series(1, 100) i;
SELECT regexp_matches(regexp_replace(pg_temp.api('DescribeTable', '{"TableName": "plain"}'), 'Bytes": [1-9][0-9]*', 'Bytes": <size>', 'g'),
	'"(?:TableSizeBytes|ItemCount|IndexName|IndexSizeBytes)": [^,}]*', 'g');
VACUUM ANALYZE plain;
SELECT regexp_matches(regexp_replace(pg_temp.api('DescribeTable', '{"TableName": "plain"}'), 'Bytes": [1-9][0-9]*', 'Bytes": <size>', 'g'),
	'"(?:TableSizeBytes|ItemCount|IndexName|IndexSizeBytes)": [^,}]*', 'g');

-- an index that CREATE INDEX CONCURRENTLY has not finished
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'plain_by_city'::regclass;
SELECT regexp_matches(pg_temp.api('DescribeTable', '{"TableName": "plain"}'), '"(?:IndexName|IndexStatus|Backfilling)": [^,}]*', 'g');
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'plain_by_city'::regclass;

-- what is no item table is not there
CREATE TABLE without_item (pk text COLLATE "C" PRIMARY KEY);
CREATE TABLE without_key (pk text COLLATE "C", item item);
CREATE TABLE two_items (pk text COLLATE "C" PRIMARY KEY, item item, item2 item);
CREATE TABLE long_key (pk text COLLATE "C", sk text COLLATE "C", x text COLLATE "C", item item, PRIMARY KEY (pk, sk, x));
CREATE TABLE integer_key (pk integer PRIMARY KEY, item item);
CREATE TABLE other_collation (pk text COLLATE "POSIX" PRIMARY KEY, item item);
CREATE VIEW view_of_items AS SELECT * FROM plain;
CREATE TYPE type_of_items AS (item item);
CREATE TABLE partitioned (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL) PARTITION BY HASH (pk);
CREATE TABLE partition_0 PARTITION OF partitioned FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SELECT pg_temp.api('ListTables', '{}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "without_item"}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "two_items"}');
SELECT pg_temp.api('DeleteTable', '{"TableName": "view_of_items"}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "partition_0"}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "partitioned"}');

-- ListTables: bytewise order, pages
SELECT pg_temp.create_table(name) ~ '^{"Table' FROM unnest('{Zebra,apple,a-b,a_b,a.b,123,Apple}'::text[]) name;
SELECT pg_temp.api('ListTables', '{}');
SELECT pg_temp.api('ListTables', '{"Limit": 3}');
SELECT pg_temp.api('ListTables', '{"Limit": 3, "ExclusiveStartTableName": "Zebra"}');
SELECT pg_temp.api('ListTables', '{"Limit": 4, "ExclusiveStartTableName": "a_c"}');
SELECT pg_temp.api('ListTables', '{"Limit": 1.9, "ExclusiveStartTableName": "partitioned"}');
SELECT pg_temp.api('ListTables', '{"ExclusiveStartTableName": "zzz"}');
SELECT count(pg_temp.create_table('many' || i)) FROM generate_series(1000, 1100) i;
SELECT json_array_length(answer -> 'TableNames'), answer ->> 'LastEvaluatedTableName' FROM dynamodb('ListTables', '{}') answer;
SELECT json_array_length(answer -> 'TableNames'), answer ->> 'LastEvaluatedTableName'
FROM dynamodb('ListTables', '{"ExclusiveStartTableName": "many"}') answer;
SELECT json_array_length(answer -> 'TableNames'), answer ->> 'LastEvaluatedTableName'
FROM dynamodb('ListTables', '{"ExclusiveStartTableName": "many1000", "Limit": 100}') answer;
SELECT pg_temp.api('ListTables', '{"Limit": 101}');
SELECT pg_temp.api('ListTables', '{"Limit": 0}');
SELECT pg_temp.api('ListTables', '{"Limit": "1"}');
SELECT pg_temp.api('ListTables', '{"ExclusiveStartTableName": "x!"}');
SELECT pg_temp.api('ListTables', '{"ExclusiveStartTableName": "", "Limit": -1}');
SELECT pg_temp.api('ListTables', format('{"ExclusiveStartTableName": "%s"}', repeat('n', 256)));
SELECT count(pg_temp.api('DeleteTable', format('{"TableName": "many%s"}', i))) FROM generate_series(1000, 1100) i;

-- DeleteTable
SELECT pg_temp.create_table('doomed', '{"DeletionProtectionEnabled": true, "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"},
	"Tags": [{"Key": "a", "Value": "b"}]}') ~ '^{"Table';
SELECT pg_temp.api('DeleteTable', '{"TableName": "doomed"}');
SELECT pg_temp.api('UpdateTable', '{"TableName": "doomed", "DeletionProtectionEnabled": false}') ~ '^{"Table';
SELECT pg_temp.api('DeleteTable', '{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/doomed"}');
SELECT pg_temp.api('DeleteTable', '{"TableName": "doomed"}');
SELECT to_regclass('doomed');
-- a new table of the same name is another one
SELECT pg_temp.create_table('doomed') ~ '^{"Table';
SELECT pg_temp.api('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/doomed"}');
-- what SQL has built on the table stays
CREATE VIEW on_doomed AS SELECT * FROM doomed;
SELECT pg_temp.api('DeleteTable', '{"TableName": "doomed"}');
DROP VIEW on_doomed;
-- a transaction takes everything back
BEGIN;
SELECT substr(dynamodb('DeleteTable', '{"TableName": "doomed"}')::text, 1, 42);
SELECT dynamodb('ListTables', '{"ExclusiveStartTableName": "dooLess", "Limit": 1}');
ROLLBACK;
SELECT dynamodb('ListTables', '{"ExclusiveStartTableName": "dooLess", "Limit": 1}');
-- a row of the settings is no longer there once a table is dropped by SQL and another one made
DROP TABLE doomed, "Zebra", apple, "a-b", a_b, "a.b", "123", "Apple";
SELECT pg_temp.create_table('last') ~ '^{"Table';
SELECT tbl, name, billing_mode FROM item_table_settings ORDER BY tbl::text;

-- backups are none of the API
SELECT pg_temp.api('DescribeContinuousBackups', '{"TableName": "last"}');

DROP TABLE last, plain, without_item, without_key, two_items, long_key, integer_key, other_collation, partitioned CASCADE;
DROP TYPE type_of_items;
