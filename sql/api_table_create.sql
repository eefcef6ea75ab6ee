-- CreateTable: whole answers, and every message of its request.  Source: reference/tables-and-indexes, sections 1 and 2.
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

-- The simplest request, changed: members of the second JSON replace those of the first, null takes one away.
CREATE FUNCTION pg_temp.create_with(change text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('CreateTable', ('{"TableName": "refused", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'::jsonb || change::jsonb)::text)
$$;

-- the least that a table needs
SELECT pg_temp.api('CreateTable', '{"TableName": "Music.2026-a_b",
	"AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}],
	"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}}');

-- everything
SELECT pg_temp.api('CreateTable', '{"TableName": "shop", "BillingMode": "PROVISIONED",
	"AttributeDefinitions": [{"AttributeName": "sk", "AttributeType": "N"}, {"AttributeName": "pk", "AttributeType": "B"},
		{"AttributeName": "b", "AttributeType": "S"}, {"AttributeName": "a", "AttributeType": "N"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
	"LocalSecondaryIndexes": [{"IndexName": "byB", "Projection": {"ProjectionType": "KEYS_ONLY"},
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}]}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "z-first", "KeySchema": [{"AttributeName": "b", "KeyType": "HASH"}],
			"Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["y", "x"]},
			"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}},
		{"IndexName": "a.second", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
			"Projection": {"ProjectionType": "ALL"}, "WarmThroughput": {"ReadUnitsPerSecond": 30, "WriteUnitsPerSecond": 40},
			"ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
	"SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "arn:aws:kms:us-east-1:000000000000:key/k"},
	"Tags": [{"Key": "stage", "Value": "dev"}, {"Key": "owner", "Value": ""}],
	"TableClass": "STANDARD_INFREQUENT_ACCESS", "DeletionProtectionEnabled": true,
	"WarmThroughput": {"ReadUnitsPerSecond": 50, "WriteUnitsPerSecond": 60}}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "shop"}');
SELECT pg_temp.api('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop"}');

-- on demand, keys of several attributes, limits
SELECT pg_temp.api('CreateTable', '{"TableName": "events", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "tenant", "AttributeType": "S"},
		{"AttributeName": "region", "AttributeType": "S"}, {"AttributeName": "status", "AttributeType": "S"},
		{"AttributeName": "ts", "AttributeType": "N"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"GlobalSecondaryIndexes": [{"IndexName": "byPlace", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "tenant", "KeyType": "HASH"}, {"AttributeName": "region", "KeyType": "HASH"},
			{"AttributeName": "status", "KeyType": "RANGE"}, {"AttributeName": "ts", "KeyType": "RANGE"}],
		"OnDemandThroughput": {"MaxReadRequestUnits": 7}}],
	"OnDemandThroughput": {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": -1}, "DeletionProtectionEnabled": false,
	"StreamSpecification": {"StreamEnabled": false}, "SSESpecification": {"Enabled": false}, "Tags": [],
	"WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 4000}, "ResourcePolicy": "{}", "Unknown": [1]}');
SELECT pg_temp.api('DescribeTable', '{"TableName": "events"}');

-- odd, but accepted
SELECT pg_temp.api('CreateTable', '{"TableName": "odd", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "item", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "item", "KeyType": "RANGE"}],
	"LocalSecondaryIndexes": [{"IndexName": "odd", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "item", "KeyType": "RANGE"}]}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "same", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["pk", "item"]},
			"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "item", "KeyType": "RANGE"}]},
		{"IndexName": "same2", "Projection": {"ProjectionType": "KEYS_ONLY"},
			"KeySchema": [{"AttributeName": "item", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]},
		{"IndexName": "same3", "Projection": {"ProjectionType": "KEYS_ONLY"},
			"KeySchema": [{"AttributeName": "item", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}]}');

-- a key of an index that is called like the column of the other attributes
SELECT substr(pg_temp.api('CreateTable', '{"TableName": "clash", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "item", "AttributeType": "N"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"GlobalSecondaryIndexes": [{"IndexName": "byItem", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "item", "KeyType": "HASH"}]}]}'), 1, 20);
SELECT attname FROM pg_attribute WHERE attrelid = 'clash'::regclass AND attnum > 0 ORDER BY attnum;

-- ordinary item tables for SQL
\d shop
INSERT INTO events (pk, tenant, region, status, ts, item) VALUES ('a', 't', 'r', 's', 1, '{"x": 1}');
SELECT full_item(events) FROM events;
SELECT pg_temp.api('GetItem', '{"TableName": "events", "Key": {"pk": {"S": "a"}}}');

-- the name
SELECT pg_temp.create_with('{"TableName": null}');
SELECT pg_temp.create_with('{"TableName": ""}');
SELECT pg_temp.create_with('{"TableName": "ab"}');
SELECT pg_temp.create_with('{"TableName": "x!"}');
SELECT pg_temp.create_with('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/refused"}');
SELECT replace(pg_temp.create_with(format('{"TableName": "%s"}', repeat('n', 256))), repeat('n', 256), '<256 times n>');
-- errors of the name come alone
SELECT pg_temp.create_with('{"TableName": "ab", "KeySchema": null, "BillingMode": "x"}');

-- JSON types
SELECT pg_temp.create_with('{"TableName": 1}');
SELECT pg_temp.create_with('{"KeySchema": {}}');
SELECT pg_temp.create_with('{"KeySchema": ["pk"]}');
SELECT pg_temp.create_with('{"KeySchema": [[]]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": "pk"}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [1]}');
SELECT pg_temp.create_with('{"ProvisionedThroughput": []}');
SELECT pg_temp.create_with('{"ProvisionedThroughput": {"ReadCapacityUnits": "5"}}');
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": [{"Projection": 1}]}');
SELECT pg_temp.create_with('{"StreamSpecification": {"StreamEnabled": "maybe"}}');
SELECT pg_temp.create_with('{"SSESpecification": true}');
SELECT pg_temp.create_with('{"Tags": [{"Key": 1}]}');
SELECT pg_temp.create_with('{"DeletionProtectionEnabled": 1}');
SELECT pg_temp.create_with('{"OnDemandThroughput": {"MaxReadRequestUnits": true}}');

-- shape
SELECT pg_temp.create_with('{"KeySchema": null}');
SELECT pg_temp.create_with('{"KeySchema": []}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"},
	{"AttributeName": "extra", "KeyType": "RANGE"}]}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "INVALID"}]}');
SELECT pg_temp.create_with('{"KeySchema": [{}]}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "", "KeyType": "HASH"}]}');
SELECT replace(pg_temp.create_with(format('{"KeySchema": [{"AttributeName": "%s", "KeyType": "HASH"}]}', repeat('n', 256))),
	repeat('n', 256), '<256 times n>');
SELECT pg_temp.create_with('{"AttributeDefinitions": null}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "INVALID"}]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeType": "S"}, {"AttributeName": "pk"}]}');
SELECT pg_temp.create_with('{"BillingMode": "x"}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {}}');
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": [{}]}');
SELECT pg_temp.create_with('{"LocalSecondaryIndexes": [{}]}');
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": [{"IndexName": "x", "Projection": {"ProjectionType": "all"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}');
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": [{"IndexName": "x!", "Projection": {"NonKeyAttributes": []},
	"KeySchema": [], "ProvisionedThroughput": {"ReadCapacityUnits": -1}}]}');
SELECT regexp_replace(pg_temp.create_with(format('{"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"NonKeyAttributes": %s},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}', (SELECT json_agg('n' || n) FROM generate_series(1, 21) n))), '\[n1,.*n21\]', '[n1, ... n21]');
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"NonKeyAttributes": ["a", ""]},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}');
SELECT pg_temp.create_with('{"LocalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "a", "KeyType": "RANGE"}, {"AttributeName": "b", "KeyType": "RANGE"}]}]}');
SELECT regexp_replace(pg_temp.create_with(format('{"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"}, "KeySchema": %s}]}',
	(SELECT json_agg(json_build_object('AttributeName', 'k' || n, 'KeyType', 'HASH')) FROM generate_series(1, 9) n))), 'Value ''\[.*\]''', 'Value ''[...]''');
SELECT pg_temp.create_with('{"StreamSpecification": {"StreamViewType": "ALL"}}');
SELECT pg_temp.create_with('{"SSESpecification": {"Enabled": true, "SSEType": "X"}}');
-- in order, at most ten
SELECT replace(pg_temp.create_with('{"BillingMode": "x", "ProvisionedThroughput": {"ReadCapacityUnits": 0},
	"KeySchema": [{"KeyType": "x"}], "AttributeDefinitions": [{"AttributeName": ""}],
	"LocalSecondaryIndexes": [{"IndexName": "ab"}], "GlobalSecondaryIndexes": [{}, {}]}'), '; ', E';\n  ');

-- billing mode and throughput
SELECT pg_temp.create_with('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}');
SELECT pg_temp.create_with('{"BillingMode": "PROVISIONED"}');
SELECT pg_temp.create_with('{"BillingMode": null}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1000000000001}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 99999999999999999999}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 50000, "WriteCapacityUnits": 1}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 40001}}');

-- key schema and definitions
SELECT pg_temp.create_with('{"AttributeDefinitions": []}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"}]}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"}]}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "RANGE"}]}');
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"}]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "pk", "AttributeType": "N"}]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"}]}');
SELECT pg_temp.create_with('{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "c", "AttributeType": "S"},
	{"AttributeName": "b", "AttributeType": "S"}], "GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "b", "KeyType": "HASH"}]}]}');
-- a column cannot have such a name
SELECT pg_temp.create_with(format('{"KeySchema": [{"AttributeName": "%1$s", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "%1$s", "AttributeType": "S"}]}', repeat('k', 64)));
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "ctid", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "ctid", "AttributeType": "S"}]}');
SELECT pg_temp.api('CreateTable', '{"TableName": "refused", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "a\u0000b", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "a\u0000b", "AttributeType": "S"}]}');

-- local secondary indexes
CREATE FUNCTION pg_temp.create_with_local(indexes text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.create_with(format('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
		"LocalSecondaryIndexes": %s}', indexes))
$$;
SELECT pg_temp.create_with_local('[]');
SELECT pg_temp.create_with('{"LocalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}');
SELECT pg_temp.create_with_local('[{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]');
SELECT pg_temp.create_with_local('[{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}]');
SELECT pg_temp.create_with_local('[{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "HASH"}]}]');
SELECT pg_temp.create_with_local('[{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "RANGE"}]}]');
SELECT pg_temp.create_with_local('[{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "z", "KeyType": "RANGE"}]}]');
SELECT pg_temp.create_with_local((SELECT json_agg(json_build_object('IndexName', 'idx' || n % 2, 'Projection', '{"ProjectionType": "ALL"}'::json,
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]'::json)) FROM generate_series(1, 3) n)::text);
SELECT pg_temp.create_with_local((SELECT json_agg(json_build_object('IndexName', 'idx' || n, 'Projection', '{"ProjectionType": "ALL"}'::json,
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]'::json)) FROM generate_series(1, 6) n)::text);

-- projections
CREATE FUNCTION pg_temp.create_with_projection(projection text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.create_with(format('{"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": %s,
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}', projection))
$$;
SELECT pg_temp.create_with_projection('{}');
SELECT pg_temp.create_with_projection('{"ProjectionType": "ALL", "NonKeyAttributes": ["a"]}');
SELECT pg_temp.create_with_projection('{"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["a"]}');
SELECT pg_temp.create_with_projection('{"ProjectionType": "INCLUDE"}');
SELECT pg_temp.create_with_projection('{"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b", "a"]}');

-- global secondary indexes
CREATE FUNCTION pg_temp.create_with_global(key_schema text, more text DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.create_with((json_build_object('AttributeDefinitions',
		(SELECT json_agg(json_build_object('AttributeName', name, 'AttributeType', 'S')) FROM unnest('{pk,a,b,c,d,e}'::text[]) name
		 WHERE name = 'pk' OR key_schema LIKE '%"' || name || '"%'),
		'GlobalSecondaryIndexes', json_build_array(json_build_object('IndexName', 'idx', 'Projection', '{"ProjectionType": "ALL"}'::json,
			'KeySchema', key_schema::json)::jsonb || more::jsonb)))::text)
$$;
SELECT pg_temp.create_with('{"GlobalSecondaryIndexes": []}');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "RANGE"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "z", "KeyType": "HASH"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "a", "KeyType": "RANGE"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "a", "KeyType": "HASH"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}, {"AttributeName": "c", "KeyType": "HASH"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "HASH"}, {"AttributeName": "c", "KeyType": "HASH"},
	{"AttributeName": "d", "KeyType": "HASH"}, {"AttributeName": "e", "KeyType": "HASH"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}, {"AttributeName": "c", "KeyType": "RANGE"},
	{"AttributeName": "d", "KeyType": "RANGE"}, {"AttributeName": "e", "KeyType": "RANGE"}, {"AttributeName": "pk", "KeyType": "RANGE"}]');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}]', '{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}');
SELECT pg_temp.create_with('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
	"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}]}');
SELECT pg_temp.create_with((SELECT json_build_object('GlobalSecondaryIndexes', json_agg(json_build_object('IndexName', 'idx' || n,
	'Projection', '{"ProjectionType": "ALL"}'::json, 'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}]'::json))) FROM generate_series(1, 21) n)::text);
SELECT pg_temp.create_with((SELECT json_build_object('GlobalSecondaryIndexes', json_agg(json_build_object('IndexName', 'idx' || n,
	'Projection', json_build_object('ProjectionType', 'INCLUDE', 'NonKeyAttributes', (SELECT json_agg('n' || m) FROM generate_series(1, 17) m)),
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}]'::json))) FROM generate_series(1, 6) n)::text);
-- a name used by both kinds
SELECT pg_temp.create_with('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
	"LocalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}],
	"GlobalSecondaryIndexes": [{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}]}]}');

-- streams, encryption, class, limits, tags
SELECT pg_temp.create_with('{"StreamSpecification": {"StreamEnabled": true}}');
SELECT pg_temp.create_with('{"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.create_with('{"SSESpecification": {"Enabled": false, "SSEType": "KMS"}}');
SELECT pg_temp.create_with('{"SSESpecification": {"Enabled": false, "KMSMasterKeyId": "k"}}');
SELECT pg_temp.create_with('{"SSESpecification": {"Enabled": true, "KMSMasterKeyId": "k"}}');
SELECT pg_temp.create_with('{"SSESpecification": {"Enabled": true, "SSEType": "AES256"}}');
SELECT pg_temp.create_with('{"TableClass": "COLD"}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "OnDemandThroughput": {"MaxReadRequestUnits": 1}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "OnDemandThroughput": {"MaxWriteRequestUnits": 1}}');
SELECT pg_temp.create_with('{"OnDemandThroughput": {"MaxReadRequestUnits": 0}}');
SELECT pg_temp.create_with('{"OnDemandThroughput": {"MaxWriteRequestUnits": -2}}');
SELECT pg_temp.create_with_global('[{"AttributeName": "a", "KeyType": "HASH"}]', '{"OnDemandThroughput": {"MaxReadRequestUnits": 0}}');
SELECT pg_temp.create_with('{"WarmThroughput": {"ReadUnitsPerSecond": 11999}}');
SELECT pg_temp.create_with('{"WarmThroughput": {"WriteUnitsPerSecond": 3999}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}, "WarmThroughput": {"ReadUnitsPerSecond": 4}}');
SELECT pg_temp.create_with('{"BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}, "WarmThroughput": {"WriteUnitsPerSecond": 4}}');
SELECT pg_temp.create_with('{"Tags": [{"Key": "", "Value": "x"}]}');
SELECT pg_temp.create_with('{"Tags": [{"Key": "a", "Value": "x"}, {"Key": "a", "Value": "y"}]}');

-- existence; a refused request makes nothing
SELECT pg_temp.create_with('{"TableName": "shop"}');
SELECT pg_temp.create_with('{"TableName": "shop", "BillingMode": null, "ProvisionedThroughput": {"ReadCapacityUnits": 50000, "WriteCapacityUnits": 1}}');
CREATE VIEW taken AS SELECT 1 AS a;
SELECT pg_temp.create_with('{"TableName": "taken"}');
SELECT to_regclass('refused'), count(*) FROM item_table_settings WHERE tbl::text = 'refused';

DROP VIEW taken;
DROP TABLE "Music.2026-a_b", shop, events, odd, clash;
