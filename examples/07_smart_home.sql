-- A smart home: DeviceStatus is polled and overwritten, DeviceActivity grows with a numeric timestamp as its sort key.
--
--	psql -f examples/07_smart_home.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS smart_home CASCADE;
CREATE SCHEMA smart_home;
SET search_path = smart_home, public;

SELECT create_item_table('"DeviceStatus"', 'deviceid');
SELECT create_item_table('"DeviceActivity"', 'deviceid', 'timestamp', sort_key_type => 'N');
\echo '-- a day of events of two devices, one a minute; the status is the last of them'
SELECT count(put_item('"DeviceActivity"', jsonb_build_object('deviceid', 'lamp-' || d, 'timestamp', 1780272000 + m * 60, 'on', m % 3 = 0)::item, return_values => 'ALL_OLD')) AS replaced
FROM generate_series(1, 2) AS d, generate_series(0, 1439) AS m;
SELECT count(put_item('"DeviceStatus"', jsonb_build_object('deviceid', 'lamp-1', 'on', m % 3 = 0, 'seen', 1780272000 + m * 60)::item,
	'attribute_not_exists(deviceid) OR seen < :s', jsonb_build_object(':s', 1780272000 + m * 60)::item, return_values => 'ALL_OLD')) AS overwritten FROM generate_series(1430, 1439) AS m;
\echo '-- state of a device'
SELECT get_item('"DeviceStatus"', '{"deviceid": "lamp-1"}')::jsonb;
\echo '-- the last three events, newest first'
SELECT i -> 'timestamp' AS ts, i -> 'on' AS is_on FROM query_items('"DeviceActivity"', 'deviceid = :d', '{":d": "lamp-1"}', forward => false, max_items => 3) AS i;
\echo '-- events of ten minutes, and by hour in SQL'
SELECT count(*) AS events, count(*) FILTER (WHERE item_boolean(i, 'on')) AS switched_on
FROM query_items('"DeviceActivity"', 'deviceid = :d AND #t BETWEEN :a AND :b', '{":d": "lamp-1", ":a": 1780275600, ":b": 1780276199}', '{"#t": "timestamp"}') AS i;
SELECT date_trunc('hour', to_timestamp("timestamp"::float8) AT TIME ZONE 'UTC') AS hour, count(*) FROM "DeviceActivity" WHERE deviceid = 'lamp-2' AND "timestamp" < 1780279200 GROUP BY 1 ORDER BY 1;
\echo '-- the partitions are even'
SELECT partition_key, items, bytes, skew, problem FROM partition_report('"DeviceActivity"', exact => true, hot_share => 0.6) ORDER BY 1;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('"DeviceActivity"', '[
	{"name": "newest events", "by": {"deviceid": "lamp-1"}, "order_by": "timestamp", "forward": false, "max_items": 20},
	{"name": "events of a period", "by": {"deviceid": "lamp-1", "timestamp": {"BETWEEN": [1780275600, 1780276199]}}},
	{"name": "an event and the new status", "transact": [
		{"Put": {"Item": {"deviceid": "lamp-1", "timestamp": 1780358400, "on": true}}},
		{"Put": {"TableName": "DeviceStatus", "Item": {"deviceid": "lamp-1", "seen": 1780358400, "on": true}, "ConditionExpression": "attribute_not_exists(deviceid) OR seen < :s", "ExpressionAttributeValues": {":s": 1780358400}}}]},
	{"name": "events of all devices in a period", "by": {"timestamp": {"BETWEEN": [1780275600, 1780276199]}}}]');
