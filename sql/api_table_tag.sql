-- Tags: answers, pages and every message.  Source: reference/tables-and-indexes, section 10.
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

\set shop 'arn:aws:dynamodb:us-east-1:000000000000:table/shop'
CREATE FUNCTION pg_temp.tag(tags text, arn text DEFAULT 'arn:aws:dynamodb:us-east-1:000000000000:table/shop') RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('TagResource', json_build_object('ResourceArn', arn, 'Tags', tags::json)::text)
$$;
CREATE FUNCTION pg_temp.untag(keys text, arn text DEFAULT 'arn:aws:dynamodb:us-east-1:000000000000:table/shop') RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('UntagResource', json_build_object('ResourceArn', arn, 'TagKeys', keys::json)::text)
$$;
CREATE FUNCTION pg_temp.list(token text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('ListTagsOfResource', json_build_object('ResourceArn', 'arn:aws:dynamodb:us-east-1:000000000000:table/shop', 'NextToken', token)::text)
$$;
CREATE TABLE shop (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');

SELECT pg_temp.list();
SELECT pg_temp.tag('[{"Key": "stage", "Value": "dev"}, {"Key": "Übung", "Value": ""}, {"Key": "+ -=._:/@9", "Value": "+ -=._:/@9"}]');
SELECT pg_temp.list();
-- tagging again overwrites
SELECT pg_temp.tag('[{"Key": "stage", "Value": "prod"}]');
SELECT pg_temp.untag('["Übung", "unknown", "+ -=._:/@9"]');
SELECT pg_temp.list();
SELECT pg_temp.untag('["stage"]'), pg_temp.untag('["stage"]'), pg_temp.list();

-- lengths are those of characters
SELECT pg_temp.tag(format('[{"Key": "%s", "Value": "%s"}]', repeat('ü', 128), repeat('ü', 256)));
SELECT regexp_replace(pg_temp.tag(format('[{"Key": "%s", "Value": ""}]', repeat('ü', 129))), 'ü+', '<too long>');
SELECT regexp_replace(pg_temp.tag(format('[{"Key": "a", "Value": "%s"}]', repeat('ü', 257))), 'ü+', '<too long>');
SELECT pg_temp.untag(format('["%s"]', repeat('ü', 128)));

-- 50 of them, ten a page
SELECT pg_temp.tag((SELECT json_agg(json_build_object('Key', 'k' || i, 'Value', i::text)) FROM generate_series(10, 59) i)::text);
SELECT pg_temp.tag('[{"Key": "k10", "Value": "ten"}]');
SELECT pg_temp.tag('[{"Key": "one", "Value": "more"}]');
SELECT pg_temp.list();
SELECT pg_temp.list('k19');
SELECT pg_temp.list('k49');
SELECT pg_temp.tag((SELECT json_agg(json_build_object('Key', 'k' || i, 'Value', i::text)) FROM generate_series(10, 60) i)::text);

-- the ARN
SELECT pg_temp.api('TagResource', '{"Tags": [{"Key": "a", "Value": "b"}]}');
SELECT pg_temp.api('UntagResource', '{"TagKeys": ["a"]}');
SELECT pg_temp.api('ListTagsOfResource', '{}');
SELECT arn, pg_temp.tag('[{"Key": "a", "Value": "b"}]', arn)
FROM unnest(ARRAY['', 'shop', 'arn:', 'arn:aws:s3:::bucket', 'arn:aws:dynamodb:us-east-1', 'arn:aws:dynamodb:eu-west-1:000000000000:table/shop',
	'arn:aws:dynamodb:us-east-1:111111111111:table/shop', 'arn:aws:dynamodb:us-east-1:000000000000:shop',
	'arn:aws:dynamodb:us-east-1:000000000000:table/', 'arn:aws:dynamodb:us-east-1:000000000000:table/missing',
	'arn:aws:dynamodb:us-east-1:000000000000:table/shop/index/gsi1', 'arn:aws:dynamodb:us-east-1:000000000000:table/shop/stream/x']) arn;
SELECT pg_temp.untag('["a"]', 'arn:aws:dynamodb:us-east-1:000000000000:table/missing');
SELECT pg_temp.api('ListTagsOfResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/missing"}');

-- the tags
SELECT pg_temp.tag('null');
SELECT pg_temp.untag('null');
SELECT pg_temp.tag('[]');
SELECT pg_temp.untag('[]');
SELECT pg_temp.tag('{}');
SELECT pg_temp.tag('["a"]');
SELECT pg_temp.untag('[1]');
SELECT pg_temp.tag('[{"Value": "b"}]');
SELECT pg_temp.tag('[{"Key": "", "Value": "b"}]');
SELECT pg_temp.tag('[{"Key": "a*", "Value": "b"}]');
SELECT pg_temp.api('TagResource', '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/shop", "Tags": [{"Key": "a\u0000b", "Value": "b"}]}');
SELECT pg_temp.tag('[{"Key": "a"}]');
SELECT pg_temp.tag('[{"Key": "a", "Value": "b*"}]');
SELECT pg_temp.tag('[{"Key": "aws:a", "Value": "b"}]');
SELECT pg_temp.tag('[{"Key": "awsa", "Value": "b"}, {"Key": "a", "Value": "b"}, {"Key": "a", "Value": "b"}]');
-- nothing of a refused request stays
SELECT pg_temp.list('k49');

DROP TABLE shop;
