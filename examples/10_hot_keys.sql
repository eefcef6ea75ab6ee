-- Hot keys: writes of one busy key are divided among N suffixes, and read back merged in order.
--
--	psql -f examples/10_hot_keys.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS hot_keys CASCADE;
CREATE SCHEMA hot_keys;
SET search_path = hot_keys, public;

SELECT create_item_table('log', 'pk', 'sk');
\echo '-- one key has nearly everything'
SELECT count(put_item('log', jsonb_build_object('pk', CASE WHEN n % 10 = 0 THEN 'TENANT#2' ELSE 'TENANT#1' END, 'sk', 'E#' || lpad(n::text, 4, '0'))::item, return_values => 'ALL_OLD')) AS replaced FROM generate_series(1, 200) AS n;
SELECT partition_key ->> 'pk' AS pk, items, share, skew, problem FROM partition_report('log', hot_share => 0.5);
\echo '-- the same over four shards; the shard follows from the id, so one item is still one GetItem'
SELECT create_item_table('sharded', 'pk', 'sk');
SELECT count(put_item('sharded', jsonb_build_object('pk', shard_key('TENANT#1', 4, 'E#' || lpad(n::text, 4, '0')), 'sk', 'E#' || lpad(n::text, 4, '0'))::item, return_values => 'ALL_OLD')) AS replaced
FROM generate_series(1, 200) AS n WHERE n % 10 <> 0;
SELECT partition_key ->> 'pk' AS pk, items, problem FROM partition_report('sharded', hot_share => 0.5) ORDER BY 1;
SELECT get_item('sharded', jsonb_build_object('pk', shard_key('TENANT#1', 4, 'E#0042'), 'sk', 'E#0042')::item);
\echo '-- read back in order, newest first; and all of it is the same as before'
SELECT i ->> 'sk' AS sk FROM query_sharded_items('sharded', 'TENANT#1', 4, forward => false, max_items => 5) AS i;
SELECT (SELECT array_agg(i ->> 'sk' ORDER BY n) FROM query_sharded_items('sharded', 'TENANT#1', 4) WITH ORDINALITY AS q(i, n))
	= (SELECT array_agg(i ->> 'sk' ORDER BY n) FROM query_items('log', 'pk = :p', '{":p": "TENANT#1"}') WITH ORDINALITY AS q(i, n)) AS equal;
\echo '-- a hot counter: N items, added to at random, summed by queries'
SELECT count(update_item('sharded', jsonb_build_object('pk', shard_key('VIEWS', 4, gen_random_uuid()::text), 'sk', 'COUNTER')::item, 'ADD n :one', attribute_values => '{":one": 1}', return_values => 'UPDATED_NEW')) AS visits FROM generate_series(1, 100);
SELECT sum(item_numeric(i, 'n')) AS total FROM query_sharded_items('sharded', 'VIEWS', 4) AS i;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('sharded', '[
	{"name": "one event", "by": {"pk": "TENANT#1#0", "sk": "E#0042"}},
	{"name": "events of a shard since", "by": {"pk": "TENANT#1#0", "sk": {">=": "E#0100"}}},
	{"name": "write an event", "put": {"pk": "TENANT#1#3", "sk": "E#0201"}, "condition": "attribute_not_exists(pk)"},
	{"name": "count a visit", "key": {"pk": "VIEWS#2", "sk": "COUNTER"}, "update": "ADD n :one", "attribute_values": {":one": 1}},
	{"name": "events of a tenant without its shards", "by": {"pk": {"begins_with": "TENANT#1#"}}}]');
