-- Goods and containers: a transaction over two tables, and its two ways to fail.
--
--	psql -f examples/containers.sql
\set QUIET on
\pset pager off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP TABLE IF EXISTS goods, containers;
SELECT create_item_table('goods', 'id');
SELECT create_item_table('containers', 'id');
SELECT put_item('containers', '{"id": "cx1", "shipmentlist": [], "freecapacity": 100}');
SELECT put_item('goods', '{"id": "item001", "description": {"weight": 80}}');
SELECT put_item('goods', '{"id": "item002", "description": {"weight": 30}}');

-- Goods that are in no container yet go into one that has room for them.
CREATE OR REPLACE FUNCTION pg_temp.ship(goods text, container text) RETURNS void LANGUAGE sql AS $$
	SELECT transact_write_items(json_build_array(
		json_build_object('Update', json_build_object('TableName', 'goods', 'Key', json_build_object('id', goods),
			'UpdateExpression', 'SET container_id = :c',
			'ConditionExpression', 'attribute_exists(id) AND attribute_not_exists(container_id)',
			'ExpressionAttributeValues', json_build_object(':c', container))),
		json_build_object('Update', json_build_object('TableName', 'containers', 'Key', json_build_object('id', container),
			'UpdateExpression', 'SET shipmentlist = list_append(shipmentlist, :g), freecapacity = freecapacity - :w',
			'ConditionExpression', 'freecapacity >= :w',
			'ExpressionAttributeValues', json_build_object(':g', json_build_array(goods),
				':w', get_item('goods', jsonb_build_object('id', goods)::item) -> 'description' -> 'weight')))))
$$;
SELECT pg_temp.ship('item001', 'cx1');
\echo '-- it is shipped already: the first action fails, and nothing changes'
\set ON_ERROR_STOP off
SELECT pg_temp.ship('item001', 'cx1');
\echo '-- there is no room: the second one does'
SELECT pg_temp.ship('item002', 'cx1');
\set ON_ERROR_STOP on
SELECT item::jsonb FROM scan_items('containers') AS item;
SELECT item::jsonb FROM scan_items('goods') AS item;
