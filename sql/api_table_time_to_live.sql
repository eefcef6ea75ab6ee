-- UpdateTimeToLive, DescribeTimeToLive, and expire_items(), which does what they say.
-- Source: reference/tables-and-indexes, section 11; reference/streams-and-ttl, section 10.
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

CREATE FUNCTION pg_temp.set_ttl(enabled boolean, attribute text, name text DEFAULT 'shop') RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('UpdateTimeToLive', json_build_object('TableName', name,
		'TimeToLiveSpecification', json_build_object('Enabled', enabled, 'AttributeName', attribute))::text)
$$;
-- As if so much time had passed since the last change.
CREATE FUNCTION pg_temp.wait(passed interval) RETURNS void LANGUAGE sql AS $$
	UPDATE item_table_settings SET time_to_live_changed = now() - passed
$$;
-- Seconds since 1970, so many seconds from now.
CREATE FUNCTION pg_temp.seconds(ahead numeric) RETURNS numeric LANGUAGE sql AS $$
	SELECT floor(extract(epoch FROM clock_timestamp())) + ahead
$$;
CREATE TABLE shop (pk text COLLATE "C", sk numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));

-- the request
SELECT pg_temp.api('UpdateTimeToLive', '{}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "ab"}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop"}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {}}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": ""}}');
SELECT replace(pg_temp.set_ttl(true, repeat('n', 256)), repeat('n', 256), '<256 times n>');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": []}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {"Enabled": "maybe"}}');
SELECT pg_temp.api('UpdateTimeToLive', '{"TableName": "shop", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "a\u0000b"}}');
SELECT pg_temp.set_ttl(true, 'expires', 'missing');

-- on and off
SELECT pg_temp.api('DescribeTimeToLive', '{"TableName": "shop"}');
SELECT pg_temp.set_ttl(false, 'expires');
SELECT pg_temp.set_ttl(true, 'expires');
SELECT pg_temp.api('DescribeTimeToLive', '{"TableName": "shop"}');
SELECT pg_temp.set_ttl(true, 'expires');
SELECT pg_temp.set_ttl(true, 'other');
SELECT pg_temp.set_ttl(false, 'other');
-- not twice in half an hour
SELECT pg_temp.set_ttl(false, 'expires');
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(false, 'expires');
SELECT pg_temp.api('DescribeTimeToLive', '{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/shop"}');
SELECT pg_temp.set_ttl(true, 'expires');

-- nothing expires while it is off
INSERT INTO shop VALUES ('off', 1, '{"expires": 1}'), ('off', 2, jsonb_build_object('expires', pg_temp.seconds(-10))::item);
SELECT expire_items('shop'), expire_items();

-- what expires, and what does not
DELETE FROM shop;
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(true, 'expires');
INSERT INTO shop (pk, sk, item) VALUES
	('gone', 1, jsonb_build_object('expires', pg_temp.seconds(-1))::item),
	('gone', 2, jsonb_build_object('expires', pg_temp.seconds(-1.5), 'more', '{1, 2}')::item),
	('gone', 3, format('{"expires": {"N": "%sE1"}}', pg_temp.seconds(-1000) / 10)::item),
	('gone', 4, jsonb_build_object('expires', pg_temp.seconds(-5 * 365 * 86400 + 1000))::item),
	('kept', 1, jsonb_build_object('expires', pg_temp.seconds(1000))::item),
	('kept', 2, jsonb_build_object('expires', pg_temp.seconds(-10) * 1000)::item),
	('kept', 3, jsonb_build_object('expires', pg_temp.seconds(-5 * 365 * 86400 - 1000))::item),
	('kept', 4, '{"expires": 0}'), ('kept', 5, '{"expires": -1}'), ('kept', 6, '{}'),
	('kept', 7, jsonb_build_object('expires', pg_temp.seconds(-10)::text)::item),
	('kept', 8, jsonb_build_object('expires', jsonb_build_array(pg_temp.seconds(-10)))::item),
	('kept', 9, jsonb_build_object('nested', jsonb_build_object('expires', pg_temp.seconds(-10)))::item),
	('kept', 10, format('{"expires": {"NS": ["%s"]}}', pg_temp.seconds(-10))::item);
SELECT expire_items('shop');
SELECT pk, sk FROM shop ORDER BY pk, sk;
SELECT expire_items('shop');

-- in batches, and at most so many
INSERT INTO shop SELECT 'many', i, jsonb_build_object('expires', pg_temp.seconds(-10))::item FROM generate_series(1, 2500) i;
SELECT expire_items('shop', 7), expire_items(max_items => 1001), expire_items('shop'), expire_items();
SELECT expire_items('shop', 0);
DELETE FROM shop;

-- an attribute with a column, a key of an index, the sort key, a type that no number has
ALTER TABLE shop ADD COLUMN expires numeric;
CREATE INDEX shop_expires ON shop USING gsi (expires, pk, sk);
INSERT INTO shop (pk, sk, expires) VALUES ('a', 1, pg_temp.seconds(-10)), ('a', 2, pg_temp.seconds(10)), ('a', 3, NULL);
SELECT expire_items('shop');
SELECT pk, sk FROM shop ORDER BY pk, sk;
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(false, 'expires');
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(true, 'sk');
INSERT INTO shop (pk, sk) VALUES ('b', pg_temp.seconds(-10)), ('b', pg_temp.seconds(10));
SELECT expire_items();
SELECT pk, sk < 100 FROM shop ORDER BY pk, sk;
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(false, 'sk');
SELECT pg_temp.wait('31 minutes');
SELECT pg_temp.set_ttl(true, 'pk');
SELECT expire_items();
-- a column of another type: the numbers are in the item column
CREATE TABLE texts (pk text COLLATE "C" PRIMARY KEY, "it's" text COLLATE "C", item item NOT NULL DEFAULT '{}');
SELECT pg_temp.set_ttl(true, 'it''s', 'texts');
INSERT INTO texts (pk, "it's", item) VALUES ('a', pg_temp.seconds(-10), '{}'), ('b', NULL, jsonb_build_object('it''s', pg_temp.seconds(-10))::item);
SELECT expire_items('texts');
SELECT pk FROM texts;

-- an index on the number serves
CREATE TABLE "Sessions" (id bytea PRIMARY KEY, "All" item NOT NULL DEFAULT '{}');
SELECT pg_temp.set_ttl(true, 'until', 'Sessions');
INSERT INTO "Sessions" SELECT int4send(i), jsonb_build_object('until', pg_temp.seconds(i - 10))::item FROM generate_series(1, 2000) i;
CREATE INDEX ON "Sessions" (item_numeric("All", 'until'));
ANALYZE "Sessions";
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM "Sessions" WHERE item_numeric("All", 'until') < 1 AND item_numeric("All", 'until') >= 0 FOR UPDATE SKIP LOCKED;
SELECT expire_items('"Sessions"') BETWEEN 9 AND 600;
RESET enable_seqscan;
SELECT count(*) FROM "Sessions" WHERE item_numeric("All", 'until') < pg_temp.seconds(-60);

-- triggers run, and keep rows
CREATE FUNCTION keep_even() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE WHEN OLD.pk::integer % 2 = 1 THEN OLD END;
END $$;
CREATE TABLE watched (pk numeric PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TRIGGER keep_even BEFORE DELETE ON watched FOR EACH ROW EXECUTE FUNCTION keep_even();
SELECT pg_temp.set_ttl(true, 'e', 'watched');
INSERT INTO watched SELECT i, jsonb_build_object('e', pg_temp.seconds(-10))::item FROM generate_series(1, 9) i;
SELECT expire_items('watched');
SELECT pk FROM watched ORDER BY pk;

-- partitions
CREATE TABLE parted (pk text COLLATE "C", sk text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) PARTITION BY HASH (pk);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT pg_temp.set_ttl(true, 'e', 'parted');
INSERT INTO parted SELECT i, i % 3, jsonb_build_object('e', pg_temp.seconds(CASE WHEN i > 10 THEN 1000 ELSE -10 END))::item FROM generate_series(1, 20) i;
SELECT expire_items('parted');
SELECT count(*) FROM parted;

-- all tables at once; tables that SQL has dropped are passed over
INSERT INTO parted SELECT 'x' || i, '', jsonb_build_object('e', pg_temp.seconds(-10))::item FROM generate_series(1, 5) i;
INSERT INTO watched VALUES (101, jsonb_build_object('e', pg_temp.seconds(-10))::item);
DROP TABLE texts;
SELECT expire_items() BETWEEN 6 AND 100;

-- and what is no item table any more
INSERT INTO parted SELECT 'y' || i, '', jsonb_build_object('e', pg_temp.seconds(-10))::item FROM generate_series(1, 5) i;
ALTER TABLE watched DROP COLUMN item;
SELECT expire_items();

-- what is no item table
SELECT expire_items('watched');
SELECT expire_items('pg_class');
CREATE VIEW on_shop AS SELECT * FROM shop;
SELECT expire_items('on_shop');

DROP TABLE shop, "Sessions", watched, parted CASCADE;
DROP FUNCTION keep_even;
