-- Freight: goods and containers, one transaction with two conditions over two tables.
--
--	psql -f examples/06_freight.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS freight CASCADE;
CREATE SCHEMA freight;
SET search_path = freight, public;

SELECT create_item_table('goods', 'id');
SELECT create_item_index('goods', 'of_container', 'container_id');
SELECT create_item_table('containers', 'id');
SELECT count(put_item('goods', jsonb_build_object('id', 'item00' || n)::item, return_values => 'ALL_OLD')) AS replaced FROM generate_series(1, 3) AS n;
SELECT put_item('containers', '{"id": "cx1", "shipmentlist": [], "freecapacity": 2}');
SELECT put_item('containers', '{"id": "cx2", "shipmentlist": [], "freecapacity": 5}');

CREATE FUNCTION pg_temp.load(good text, container text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail json;
BEGIN
	PERFORM transact_write_items(json_build_array(
		json_build_object('Update', json_build_object('TableName', 'goods', 'Key', json_build_object('id', good), 'UpdateExpression', 'SET container_id = :c',
			'ConditionExpression', 'attribute_exists(id) AND attribute_not_exists(container_id)', 'ExpressionAttributeValues', json_build_object(':c', container))),
		json_build_object('Update', json_build_object('TableName', 'containers', 'Key', json_build_object('id', container),
			'UpdateExpression', 'SET freecapacity = freecapacity - :one, shipmentlist = list_append(shipmentlist, :i)', 'ConditionExpression', 'freecapacity > :zero',
			'ExpressionAttributeValues', json_build_object(':one', 1, ':zero', 0, ':i', json_build_array(good))))));
	RETURN good || ' is in ' || container;
EXCEPTION WHEN SQLSTATE 'KV005' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN good || ' is not: ' || (SELECT string_agg(r ->> 'Code', ', ' ORDER BY n) FROM json_array_elements(detail -> 'CancellationReasons') WITH ORDINALITY AS x(r, n));
END $$;
\echo '-- loaded; loaded already; not known'
SELECT pg_temp.load('item001', 'cx1');
SELECT pg_temp.load('item001', 'cx1');
SELECT pg_temp.load('item999', 'cx1');
\echo '-- one place is left, and two want it: one gets it (test/specs/freight.spec has two sessions at once)'
SELECT pg_temp.load('item002', 'cx1');
SELECT pg_temp.load('item003', 'cx1');
SELECT i::jsonb FROM scan_items('containers') AS i;
SELECT i::jsonb FROM scan_items('goods') AS i;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('goods', '[
	{"name": "one piece", "by": {"id": "item001"}},
	{"name": "what is in a container", "by": {"container_id": "cx1"}},
	{"name": "put a piece into a container", "transact": [
		{"Update": {"Key": {"id": "item003"}, "UpdateExpression": "SET container_id = :c", "ConditionExpression": "attribute_exists(id) AND attribute_not_exists(container_id)", "ExpressionAttributeValues": {":c": "cx2"}}},
		{"Update": {"TableName": "containers", "Key": {"id": "cx2"}, "UpdateExpression": "SET freecapacity = freecapacity - :one, shipmentlist = list_append(shipmentlist, :i)",
			"ConditionExpression": "freecapacity > :zero", "ExpressionAttributeValues": {":one": 1, ":zero": 0, ":i": ["item003"]}}}]},
	{"name": "what is in none", "filter": "attribute_not_exists(container_id)"}]');
