-- Who may do what: an ordinary role creates, changes and drops its own tables, and no others.
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

CREATE ROLE regress_owner;
CREATE ROLE regress_reader;
CREATE ROLE regress_stranger;
CREATE SCHEMA regress_schema AUTHORIZATION regress_owner;
GRANT USAGE ON SCHEMA regress_schema TO regress_reader, regress_stranger;
SET search_path = regress_schema, public;
CREATE FUNCTION pg_temp.try_all() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT operation || ': ' || left(pg_temp.api(operation, request), 150)
	FROM (VALUES
		('ListTables', '{}'),
		('DescribeTable', '{"TableName": "shop"}'),
		('DescribeTimeToLive', '{"TableName": "shop"}'),
		('DescribeContinuousBackups', '{"TableName": "shop"}'),
		('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop"}'),
		('TagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "Tags": [{"Key": "a", "Value": "b"}]}'),
		('UntagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "TagKeys": ["a"]}'),
		('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "e"}}'),
		('UpdateTable', '{"TableName": "shop", "DeletionProtectionEnabled": false}'),
		('UpdateTable', '{"TableName": "shop", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}], "GlobalSecondaryIndexUpdates": [{"Create":
			{"IndexName": "gsi1", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}}]}'),
		('DeleteTable', '{"TableName": "shop"}')) t(operation, request)
$$;

SET ROLE regress_owner;
SELECT left(pg_temp.api('CreateTable', '{"TableName": "shop", "BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": true,
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'), 20);
RESET ROLE;

-- a stranger
SET ROLE regress_stranger;
SELECT pg_temp.try_all();
SELECT pg_temp.api('CreateTable', '{"TableName": "mine", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}');
SELECT expire_items('shop');
SELECT expire_items();
-- the settings can be read, and written by nobody
SELECT tbl, deletion_protection FROM item_table_settings;
UPDATE item_table_settings SET deletion_protection = false;
DELETE FROM item_table_settings;
INSERT INTO item_table_settings (tbl, table_id, billing_mode, deletion_protection) VALUES ('pg_class', '00000000-0000-4000-8000-000000000000', 'PROVISIONED', false);
RESET ROLE;

-- a reader
GRANT SELECT ON shop TO regress_reader;
SET ROLE regress_reader;
SELECT pg_temp.try_all();
RESET ROLE;

-- the owner, who cannot write the settings either
SET ROLE regress_owner;
UPDATE item_table_settings SET deletion_protection = false;
SELECT pg_temp.try_all();
-- a member of the owner
RESET ROLE;
GRANT regress_owner TO regress_stranger;
SET ROLE regress_stranger;
SELECT left(pg_temp.api('CreateTable', '{"TableName": "shop", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'), 20);
SELECT pg_temp.api('TagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "Tags": [{"Key": "a", "Value": "b"}]}');
RESET ROLE;

-- nothing in a read-only transaction
BEGIN READ ONLY;
SELECT left(dynamodb('DescribeTable', '{"TableName": "shop"}')::text, 40);
SELECT dynamodb('TagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "Tags": [{"Key": "a", "Value": "c"}]}');
ROLLBACK;

-- a search_path with other operators changes nothing: no SQL runs with more than the rights of the caller
CREATE SCHEMA regress_trap;
CREATE FUNCTION regress_trap.always(oid, oid) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR regress_trap.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = regress_trap.always);
CREATE FUNCTION regress_trap.never(numeric, numeric) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR regress_trap.< (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = regress_trap.never);
SET search_path = regress_schema, regress_trap, public, pg_catalog;
SELECT dynamodb('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "e"}}');
INSERT INTO shop VALUES ('a', jsonb_build_object('e', floor(extract(epoch FROM clock_timestamp())) OPERATOR(pg_catalog.-) 10)::item);
SELECT expire_items('shop');
SELECT dynamodb('ListTables', '{}');

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA regress_schema, regress_trap CASCADE;
DROP ROLE regress_owner, regress_reader, regress_stranger;
