-- A time series: one table for each month, of which old ones are dropped whole; the same as one partitioned table.
--
--	psql -f examples/09_time_series.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS time_series CASCADE;
CREATE SCHEMA time_series;
SET search_path = time_series, public;

\echo '-- one table a month'
SELECT create_item_table('events_' || m, 'device', 'at') FROM unnest(ARRAY['2026_04', '2026_05', '2026_06']) AS m;
CREATE TEMP TABLE event AS SELECT 'device-' || n % 3 AS device, to_char(timestamp '2026-04-01' + n * interval '7 hours', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at, n AS v FROM generate_series(0, 300) AS n;
SELECT translate(left(at, 7), '-', '_') AS month, count(put_item(('events_' || translate(left(at, 7), '-', '_'))::regclass, jsonb_build_object('device', device, 'at', at, 'v', v)::item, return_values => 'ALL_OLD')) AS replaced, count(*) AS events
FROM event GROUP BY 1 ORDER BY 1;
\echo '-- the program picks the tables of the period'
SELECT m AS month, count(*) AS events, min(i ->> 'at') AS first_event FROM unnest(ARRAY['2026_05', '2026_06']) AS m,
	query_items(('events_' || m)::regclass, 'device = :d AND #at >= :from', '{":d": "device-1", ":from": "2026-05-20"}', '{"#at": "at"}') AS i GROUP BY 1 ORDER BY 1;
\echo '-- the oldest month goes at once'
DROP TABLE events_2026_04;

\echo '-- the same as one table, partitioned by the time in its sort key'
CREATE TABLE series (device text COLLATE "C" NOT NULL, at text COLLATE "C" NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (device, at)) PARTITION BY RANGE (at);
CREATE TABLE series_2026_04 PARTITION OF series FOR VALUES FROM ('2026-04') TO ('2026-05');
CREATE TABLE series_2026_05 PARTITION OF series FOR VALUES FROM ('2026-05') TO ('2026-06');
CREATE TABLE series_2026_06 PARTITION OF series FOR VALUES FROM ('2026-06') TO ('2026-07');
SELECT count(put_item('series', jsonb_build_object('device', device, 'at', at, 'v', v)::item, return_values => 'ALL_OLD')) AS replaced FROM event;
SELECT tableoid::regclass AS part, count(*) FROM series GROUP BY 1 ORDER BY 1;
SELECT count(*) AS events, min(i ->> 'at') AS first_event FROM query_items('series', 'device = :d AND #at >= :from', '{":d": "device-1", ":from": "2026-05-20"}', '{"#at": "at"}') AS i;
DROP TABLE series_2026_04;
SELECT i ->> 'at' AS oldest FROM query_items('series', 'device = :d', '{":d": "device-1"}', max_items => 1) AS i;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('series', '[
	{"name": "events of a device since", "by": {"device": "device-1", "at": {">=": "2026-05-20"}}},
	{"name": "newest event", "by": {"device": "device-1"}, "order_by": "at", "forward": false, "max_items": 1},
	{"name": "write an event", "put": {"device": "device-1", "at": "2026-06-30T00:00:00Z", "v": 1}},
	{"name": "events of a day, all devices", "by": {"at": {"begins_with": "2026-06-01"}}}]');
