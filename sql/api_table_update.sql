-- UpdateTable: whole answers, what it does to the table, and every message.  Source: reference/tables-and-indexes, section 8.
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

CREATE FUNCTION pg_temp.update_with(members text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('UpdateTable', ('{"TableName": "shop"}'::jsonb || members::jsonb)::text)
$$;
CREATE FUNCTION pg_temp.create_index(create_members text, more text DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.update_with((json_build_object('GlobalSecondaryIndexUpdates', json_build_array(json_build_object('Create',
		'{"IndexName": "new", "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}'::jsonb ||
		create_members::jsonb)))::jsonb ||
		'{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "S"}]}'::jsonb || more::jsonb)::text)
$$;

SELECT left(pg_temp.api('CreateTable', '{"TableName": "shop",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}, {"AttributeName": "x", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
	"LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "x", "KeyType": "RANGE"}]}],
	"GlobalSecondaryIndexes": [{"IndexName": "byX", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "x", "KeyType": "HASH"}],
		"ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}]}'), 20);

-- the name and JSON types
SELECT pg_temp.api('UpdateTable', '{}');
SELECT pg_temp.api('UpdateTable', '{"TableName": "ab"}');
SELECT replace(pg_temp.api('UpdateTable', format('{"TableName": "%s"}', repeat('n', 256))), repeat('n', 256), '<256 times n>');
SELECT pg_temp.api('UpdateTable', '{"TableName": "a/b/c"}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Create": 1}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": []}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": []}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [[]]}');

-- shape
SELECT pg_temp.update_with('{"BillingMode": "x", "ProvisionedThroughput": {"ReadCapacityUnits": 0}, "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "x"}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Create": {}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"ProvisionedThroughput": {"ReadCapacityUnits": 1}}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "x"}}]}');
SELECT pg_temp.update_with('{"StreamSpecification": {}}');

-- nothing to change
SELECT pg_temp.update_with('{}');
SELECT pg_temp.update_with('{"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": []}');
SELECT pg_temp.update_with('{"TableName": "missing"}');

-- elements of GlobalSecondaryIndexUpdates
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [], "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}, "Update": {"IndexName": "byX"}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}}, {"Update": {"IndexName": "byX"}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}}, {"Delete": {"IndexName": "byY"}}]}');

-- what cannot be together
SELECT pg_temp.update_with('{"SSESpecification": {"Enabled": true}, "TableClass": "STANDARD"}');
SELECT pg_temp.update_with('{"TableClass": "STANDARD", "DeletionProtectionEnabled": true}');
SELECT pg_temp.update_with('{"DeletionProtectionEnabled": true, "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.update_with('{"WarmThroughput": {"ReadUnitsPerSecond": 10}, "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.update_with('{"OnDemandThroughput": {"MaxReadRequestUnits": 10}, "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6}, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}}]}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6}, "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byX"}}]}');
SELECT pg_temp.update_with('{"ReplicaUpdates": [{"Create": {"RegionName": "eu-west-1"}}]}');
SELECT pg_temp.update_with('{"MultiRegionConsistency": "STRONG"}');

-- unknown table
SELECT pg_temp.update_with('{"TableName": "missing", "BillingMode": "PAY_PER_REQUEST"}');

-- throughput
SELECT pg_temp.update_with('{"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6}}');
SELECT pg_temp.update_with('{"BillingMode": "PROVISIONED"}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 5}}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 40001}}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byY", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "local", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}');
SELECT pg_temp.update_with('{"OnDemandThroughput": {"MaxReadRequestUnits": 10}}');
SELECT pg_temp.update_with('{"WarmThroughput": {"ReadUnitsPerSecond": 4}}');
SELECT pg_temp.update_with('{"WarmThroughput": {"WriteUnitsPerSecond": 4}}');
-- the answer has the old numbers, the description after it the new ones
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 4},
	"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 3}}}]}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
-- the fifth decrease of a day
SELECT substr(pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 9, "WriteCapacityUnits": 4}}'), 1, 20);
SELECT substr(pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 8, "WriteCapacityUnits": 4}}'), 1, 20);
SELECT substr(pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 4}}'), 1, 20);
SELECT regexp_replace(pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 4}}'),
	'at (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [A-Z][a-z]+ [0-9]{1,2}, 20[0-9]{2} [0-9]{1,2}:[0-9]{2}:[0-9]{2} [AP]M UTC$', 'at <date>');
-- yet an increase, and decreases of an index
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 8, "WriteCapacityUnits": 4},
	"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}]}');

-- billing mode
SELECT pg_temp.update_with('{"BillingMode": "PAY_PER_REQUEST", "OnDemandThroughput": {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20}}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
SELECT pg_temp.update_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 4}}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}');
SELECT substr(pg_temp.update_with('{"BillingMode": "PAY_PER_REQUEST"}'), 1, 20);
SELECT pg_temp.update_with('{"OnDemandThroughput": {"MaxReadRequestUnits": 0}}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "OnDemandThroughput": {"MaxReadRequestUnits": -2}}}]}');
SELECT pg_temp.update_with('{"WarmThroughput": {"ReadUnitsPerSecond": 11999}}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "WarmThroughput": {"WriteUnitsPerSecond": 3999}}}]}');
SELECT substr(pg_temp.update_with('{"WarmThroughput": {"ReadUnitsPerSecond": 13000}}'), 1, 20);
SELECT substr(pg_temp.update_with('{"OnDemandThroughput": {"MaxReadRequestUnits": -1}}'), 1, 20);
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "OnDemandThroughput": {"MaxReadRequestUnits": 3},
	"WarmThroughput": {"WriteUnitsPerSecond": 5000}}}]}'), 1, 20);
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
SELECT pg_temp.update_with('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}');
SELECT substr(pg_temp.update_with('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
	"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byX", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}'), 1, 20);
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');

-- streams
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": true}}');
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": false}}');
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}');
SELECT substr(pg_temp.update_with('{"StreamSpecification": {"StreamEnabled": false}}'), 1, 20);
-- the label of the last stream stays
SELECT regexp_matches(pg_temp.api('DescribeTable', '{"TableName": "shop"}'), '"(?:StreamSpecification|LatestStreamLabel|LatestStreamArn)": [^,]*', 'g');

-- protection, class, encryption
SELECT regexp_matches(pg_temp.update_with('{"DeletionProtectionEnabled": true}'), '"DeletionProtectionEnabled": [a-z]*');
SELECT regexp_matches(pg_temp.update_with('{"DeletionProtectionEnabled": true}'), '"DeletionProtectionEnabled": [a-z]*');
SELECT pg_temp.update_with('{"TableClass": "X"}');
SELECT regexp_matches(pg_temp.update_with('{"TableClass": "STANDARD_INFREQUENT_ACCESS"}'), '"TableClassSummary": {[^}]*}');
SELECT pg_temp.update_with('{"SSESpecification": {"Enabled": true, "SSEType": "AES256"}}');
SELECT regexp_matches(pg_temp.update_with('{"SSESpecification": {"Enabled": true, "SSEType": "KMS"}}'), '"SSEDescription": {[^}]*}');
SELECT pg_temp.update_with('{"SSESpecification": {"Enabled": false}}') ~ 'SSEDescription';

-- Create: messages
SELECT pg_temp.create_index('{}', '{"AttributeDefinitions": null}');
SELECT pg_temp.create_index('{}', '{"AttributeDefinitions": [{"AttributeName": "y", "AttributeType": "S"}]}');
SELECT pg_temp.create_index('{"KeySchema": [{"AttributeName": "n", "KeyType": "RANGE"}]}');
SELECT pg_temp.create_index('{"Projection": {"ProjectionType": "INCLUDE"}}');
SELECT pg_temp.create_index('{"KeySchema": [{"AttributeName": "x", "KeyType": "HASH"}]}', '{"AttributeDefinitions": [{"AttributeName": "x", "AttributeType": "N"}]}');
SELECT pg_temp.create_index('{"KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}',
	'{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}, {"AttributeName": "pk", "AttributeType": "B"}]}');
SELECT pg_temp.create_index('{"IndexName": "byX"}');
SELECT pg_temp.create_index('{"IndexName": "local"}');
SELECT pg_temp.create_index('{}');
SELECT pg_temp.create_index('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}', '{"BillingMode": "PAY_PER_REQUEST"}');

-- Create: existing items are indexed, but for those whose attribute cannot be a key
INSERT INTO shop (pk, sk, item) VALUES ('a', '1', '{"n": "red", "v": 1}'), ('a', '2', '{"n": 2}'), ('a', '3', '{"n": ""}'), ('a', '4', '{}'),
	('a', '5', jsonb_build_object('n', repeat('x', 2049))::item), ('a', '6', jsonb_build_object('n', repeat('x', 2048))::item);
SELECT pg_temp.create_index('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
	"KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}',
	'{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}, {"AttributeName": "pk", "AttributeType": "N"}]}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
SELECT sk, left(n, 10), length(n), left(item::text, 20) FROM shop ORDER BY sk;
-- the whole items are what they were
SELECT sk, left(full_item(shop)::text, 60) FROM shop ORDER BY sk;
-- beside a change of the billing mode, and an update of another index
SELECT substr(pg_temp.create_index('{"IndexName": "second"}', '{"BillingMode": "PAY_PER_REQUEST"}'), 1, 20);
SELECT pg_temp.update_with('{"AttributeDefinitions": [{"AttributeName": "m", "AttributeType": "N"}], "GlobalSecondaryIndexUpdates": [
	{"Update": {"IndexName": "second", "OnDemandThroughput": {"MaxReadRequestUnits": 9}}},
	{"Create": {"IndexName": "third", "KeySchema": [{"AttributeName": "m", "KeyType": "HASH"}], "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["b", "a"]}}}]}');

-- Delete
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "nope"}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "local"}}]}');
SELECT pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "third"}}]}');
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "new"}}]}'), 1, 20);
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "second"}}]}'), 1, 20);
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
SELECT regexp_replace(indexes::text, '"[0-9]{15,}"', '<time>', 'g') FROM item_table_settings WHERE tbl = 'shop'::regclass;
-- an attribute that is no key any more may become one of another type: its column goes, its values stay
SELECT substr(pg_temp.create_index('{}', '{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}]}'), 1, 20);
SELECT sk, n, left(full_item(shop)::text, 60) FROM shop ORDER BY sk;
SELECT pg_temp.api('Query', '{"TableName": "shop", "IndexName": "new", "KeyConditionExpression": "n = :n", "ExpressionAttributeValues": {":n": {"N": "2"}}}');
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "new"}}]}'), 1, 20);
SELECT substr(pg_temp.create_index('{}', '{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "B"}]}'), 1, 20);
SELECT pg_temp.api('PutItem', '{"TableName": "shop", "Item": {"pk": {"S": "a"}, "sk": {"S": "7"}, "n": {"B": "/+//"}}}');
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "new"}}]}'), 1, 20);
SELECT substr(pg_temp.create_index('{}', '{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "S"}]}'), 1, 20);
SELECT sk, left(n, 10), left(full_item(shop)::text, 60) FROM shop ORDER BY sk;
SELECT substr(pg_temp.update_with('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "new"}}]}'), 1, 20);
-- a column that other objects need stays, and so does every column of a table that SQL made
CREATE VIEW on_shop AS SELECT n FROM shop;
SELECT pg_temp.create_index('{}', '{"AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}]}');
DROP VIEW on_shop;
CREATE TABLE plain (pk text COLLATE "C" PRIMARY KEY, n text COLLATE "C", item item NOT NULL DEFAULT '{}');
SELECT pg_temp.create_index('{}', '{"TableName": "plain", "AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}]}');
DROP TABLE plain;
-- what no column can be called
SELECT pg_temp.create_index('{"KeySchema": [{"AttributeName": "ctid", "KeyType": "HASH"}]}', '{"AttributeDefinitions": [{"AttributeName": "ctid", "AttributeType": "S"}]}');
SELECT pg_temp.create_index('{"KeySchema": [{"AttributeName": "item", "KeyType": "HASH"}]}', '{"AttributeDefinitions": [{"AttributeName": "item", "AttributeType": "S"}]}');

-- the 21st
SELECT count(*) FROM generate_series(1, 19) i, pg_temp.create_index(format('{"IndexName": "index%s"}', i)) answer WHERE answer ~ '^{"TableDescription"';
SELECT pg_temp.create_index('{"IndexName": "index20"}');
-- by ARN
SELECT substr(pg_temp.api('UpdateTable', '{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "DeletionProtectionEnabled": false}'), 1, 20);

DROP TABLE shop;
