-- Names: those that no relation can have, those that are taken, search_path, renamed and restored tables.
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

CREATE FUNCTION pg_temp.create_table(name text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN answer ~ '^{"TableDescription"' THEN 'created' ELSE answer END
	FROM pg_temp.api('CreateTable', (json_build_object('TableName', name)::jsonb || '{"BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"GlobalSecondaryIndexes": [{"IndexName": "gsi1", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}]}'::jsonb)::text) answer
$$;

-- 63 bytes are a name, more are a shortened one
SELECT pg_temp.create_table(repeat('a', 63));
SELECT pg_temp.create_table(repeat('b', 64));
SELECT pg_temp.create_table(repeat('b', 65));
SELECT pg_temp.create_table(repeat('c', 255));
SELECT pg_temp.create_table(repeat('c', 255));
SELECT regexp_replace(tbl::text, '_[0-9a-f]{16}$', '_<hash>'), length(tbl::text), length(name) FROM item_table_settings ORDER BY name COLLATE "C" NULLS FIRST;
SELECT name, length(name) FROM json_array_elements_text(dynamodb('ListTables', '{}') -> 'TableNames') name;
SELECT pg_temp.api('DescribeTable', format('{"TableName": "%s"}', repeat('b', 64)));
SELECT pg_temp.api('PutItem', format('{"TableName": "%s", "Item": {"pk": {"S": "1"}, "g": {"S": "2"}}}', repeat('b', 64)));
SELECT pg_temp.api('Scan', format('{"TableName": "%s", "IndexName": "gsi1"}', repeat('b', 64)));
SELECT pg_temp.api('GetItem', format('{"TableName": "%s", "Key": {"pk": {"S": "1"}}}', repeat('b', 66)));
SELECT substr(pg_temp.api('UpdateTable', format('{"TableName": "%s", "DeletionProtectionEnabled": false}', repeat('b', 64))), 1, 20);
SELECT pg_temp.api('UpdateTimeToLive', format('{"TableName": "%s", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "t"}}', repeat('b', 64)));
SELECT pg_temp.api('TagResource', format('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/%s", "Tags": [{"Key": "a", "Value": "b"}]}', repeat('b', 64)));
SELECT pg_temp.api('ListTagsOfResource', format('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/%s"}', repeat('b', 64)));
SELECT substr(pg_temp.api('DeleteTable', format('{"TableName": "%s"}', name)), 1, 20)
FROM unnest(ARRAY[repeat('a', 63), repeat('b', 64), repeat('b', 65), repeat('c', 255)]) name;
SELECT count(*) FROM item_table_settings;

-- a name that an index, a type or a table of another kind has
SELECT pg_temp.create_table('shop');
SELECT pg_temp.create_table(relname) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'shop'::regclass;
SELECT pg_temp.create_table('item');
CREATE TYPE color AS ENUM ('red');
SELECT pg_temp.create_table('color');
CREATE SEQUENCE counter;
SELECT pg_temp.create_table('counter');
SELECT name = 'color' OR name = 'item' OR name = 'shop' OR EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
	WHERE indrelid = 'shop'::regclass AND relname = name)
FROM json_array_elements_text(dynamodb('ListTables', '{}') -> 'TableNames') name;
SELECT regexp_matches(pg_temp.api('DescribeTable', '{"TableName": "item"}'), '"(?:TableName|TableArn|IndexArn)": "[^"]*"', 'g');
SELECT pg_temp.api('PutItem', '{"TableName": "item", "Item": {"pk": {"S": "1"}}}');
SELECT pg_temp.api('Scan', '{"TableName": "item"}');
SELECT substr(pg_temp.api('DeleteTable', json_build_object('TableName', name)::text), 1, 20)
FROM json_array_elements_text(dynamodb('ListTables', '{}') -> 'TableNames') name;
DROP SEQUENCE counter;
DROP TYPE color;

-- names are case-sensitive and need no quotes
SELECT pg_temp.create_table('Select'), pg_temp.create_table('select'), pg_temp.create_table('a"b'), pg_temp.create_table('-.-');
SELECT tbl FROM item_table_settings ORDER BY tbl::text COLLATE "C";
DROP TABLE "Select", "select", "-.-";

-- search_path: made in the first schema, found in all of them
CREATE SCHEMA tenant1;
CREATE SCHEMA tenant2;
SELECT pg_temp.create_table('common');
SET search_path = tenant1, public;
SELECT pg_temp.create_table('own'), pg_temp.create_table('common'), pg_temp.create_table(repeat('l', 70));
SELECT pg_temp.api('ListTables', '{}');
SET search_path = tenant2, public;
SELECT pg_temp.create_table('own'), pg_temp.create_table(repeat('l', 70));
SELECT pg_temp.api('ListTables', '{}');
SELECT regexp_replace(tbl::text, '_[0-9a-f]{16}$', '_<hash>'), name FROM item_table_settings ORDER BY tbl::text COLLATE "C";
SET search_path = tenant1, tenant2, public;
SELECT pg_temp.api('ListTables', '{}');
SELECT substr(pg_temp.api('DeleteTable', json_build_object('TableName', name)::text), 1, 20) FROM unnest(ARRAY['own', repeat('l', 70)]) name;
RESET search_path;
SELECT regexp_replace(tbl::text, '_[0-9a-f]{16}$', '_<hash>'), left(name, 5) FROM item_table_settings ORDER BY tbl::text COLLATE "C";
SET search_path = nowhere;
SELECT public.dynamodb('ListTables', '{}');
SELECT public.dynamodb('CreateTable', '{"TableName": "new", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}');
RESET search_path;

-- the settings follow a table that is renamed or moved
SELECT pg_temp.api('TagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/common", "Tags": [{"Key": "a", "Value": "b"}]}');
ALTER TABLE common RENAME TO renamed;
SELECT pg_temp.api('DescribeTable', '{"TableName": "common"}');
SELECT pg_temp.api('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/renamed"}');
ALTER TABLE renamed SET SCHEMA tenant1;
SET search_path = tenant1, public;
SELECT pg_temp.api('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/renamed"}');
RESET search_path;

SET client_min_messages = warning;
DROP SCHEMA tenant1, tenant2 CASCADE;
