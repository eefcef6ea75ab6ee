-- Goods and containers: a transaction over two tables; reference/modelling, example D.
\pset format unaligned
\pset tuples_only on

SELECT create_item_table('goods', 'id');
SELECT create_item_index('goods', 'goods_of_container', 'container_id');
SELECT create_item_table('containers', 'id');
SELECT batch_write_items('{
	"goods": [{"PutRequest": {"Item": {"id": "item001", "description": {"kg": 10}}}}, {"PutRequest": {"Item": {"id": "item002"}}}, {"PutRequest": {"Item": {"id": "item003"}}}],
	"containers": [{"PutRequest": {"Item": {"id": "cx1", "shipmentlist": [], "freecapacity": 2}}}, {"PutRequest": {"Item": {"id": "cx2", "shipmentlist": [], "freecapacity": 1}}}]}');

CREATE FUNCTION pg_temp.load(good text, container text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail json;
BEGIN
	PERFORM transact_write_items(json_build_array(
		json_build_object('Update', json_build_object('TableName', 'goods', 'Key', json_build_object('id', good),
			'UpdateExpression', 'SET container_id = :c',
			'ConditionExpression', 'attribute_exists(id) AND attribute_not_exists(container_id)',
			'ExpressionAttributeValues', json_build_object(':c', container))),
		json_build_object('Update', json_build_object('TableName', 'containers', 'Key', json_build_object('id', container),
			'UpdateExpression', 'SET freecapacity = freecapacity - :one, shipmentlist = list_append(shipmentlist, :i)',
			'ConditionExpression', 'freecapacity > :zero',
			'ExpressionAttributeValues', json_build_object(':one', 1, ':zero', 0, ':i', json_build_array(good))))));
	RETURN good || ' is in ' || container;
EXCEPTION WHEN SQLSTATE 'KV005' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN (SELECT string_agg(r ->> 'Code', ', ' ORDER BY n) FROM json_array_elements(detail -> 'CancellationReasons') WITH ORDINALITY x(r, n));
END $$;
SELECT pg_temp.load('item001', 'cx1');
-- Taken already; unknown goods; both.
SELECT pg_temp.load('item001', 'cx2');
SELECT pg_temp.load('item999', 'cx2');
SELECT pg_temp.load('item002', 'cx1');
-- Full.
SELECT pg_temp.load('item003', 'cx1');
SELECT pg_temp.load('item001', 'cx1');
SELECT pg_temp.load('item003', 'nowhere');
SELECT pg_temp.load('item003', 'cx2');
SELECT scan_items('goods');
SELECT scan_items('containers');
SELECT query_items('goods', 'container_id = :c', '{":c": "cx1"}', index => 'goods_of_container');

-- The same as a SQL transaction of single operations: a failed condition ends it, nothing is kept.
SELECT put_item('goods', '{"id": "item004"}'), put_item('containers', '{"id": "cx3", "shipmentlist": [], "freecapacity": 0}');
BEGIN;
SELECT update_item('goods', '{"id": "item004"}', 'SET container_id = :c', 'attribute_exists(id) AND attribute_not_exists(container_id)', '{":c": "cx3"}', return_values => 'UPDATED_NEW');
SELECT update_item('containers', '{"id": "cx3"}', 'SET freecapacity = freecapacity - :one', 'freecapacity > :zero', '{":one": 1, ":zero": 0}');
COMMIT;
SELECT get_item('goods', '{"id": "item004"}');

DROP TABLE goods, containers;
