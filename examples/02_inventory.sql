-- E-commerce: users, their orders and the stock in one table without an index; then the same in three tables.
--
--	item		PK					SK
--	user		USER#123			METADATA
--	order		USER#123			ORDER#20240401#A1
--	stock		INVENTORY#SKU456	METADATA
--
--	psql -f examples/02_inventory.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS inventory CASCADE;
CREATE SCHEMA inventory;
SET search_path = inventory, public;

SELECT create_item_table('store', 'PK', 'SK');
SELECT put_item('store', '{"PK": "USER#123", "SK": "METADATA", "name": "Ann", "email": "ann@example.org"}');
SELECT put_item('store', '{"PK": "INVENTORY#SKU456", "SK": "METADATA", "stock": 3}');

-- An order and the stock it takes: both or neither.
CREATE FUNCTION pg_temp.buy(user_id text, order_id text, quantity integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail json;
BEGIN
	PERFORM transact_write_items(json_build_array(
		json_build_object('Put', json_build_object('TableName', 'store', 'ConditionExpression', 'attribute_not_exists(PK)',
			'Item', json_build_object('PK', 'USER#' || user_id, 'SK', 'ORDER#' || order_id, 'sku', 'SKU456', 'qty', quantity))),
		json_build_object('Update', json_build_object('TableName', 'store', 'Key', json_build_object('PK', 'INVENTORY#SKU456', 'SK', 'METADATA'),
			'UpdateExpression', 'SET stock = stock - :q', 'ConditionExpression', 'stock >= :q', 'ExpressionAttributeValues', json_build_object(':q', quantity)))));
	RETURN 'bought';
EXCEPTION WHEN SQLSTATE 'KV005' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN (SELECT string_agg(r ->> 'Code', ', ' ORDER BY n) FROM json_array_elements(detail -> 'CancellationReasons') WITH ORDINALITY AS x(r, n));
END $$;
\echo '-- two are bought; the same order again is refused, and so are more than there are'
SELECT pg_temp.buy('123', '20240401#A1', 2);
SELECT pg_temp.buy('123', '20240401#A1', 1);
SELECT pg_temp.buy('123', '20240402#A2', 2);
SELECT pg_temp.buy('123', '20240502#A3', 1);
\echo '-- a user and all orders with one query'
SELECT i::jsonb FROM query_items('store', 'PK = :u', '{":u": "USER#123"}') AS i;
\echo '-- orders of April; the stock'
SELECT i ->> 'SK' AS sk FROM query_items('store', 'PK = :u AND SK BETWEEN :a AND :b', '{":u": "USER#123", ":a": "ORDER#20240401", ":b": "ORDER#20240430~"}') AS i;
SELECT get_item('store', '{"PK": "INVENTORY#SKU456", "SK": "METADATA"}') -> 'stock' AS stock;

\echo '-- the same in three tables: the user and the orders are two requests'
SELECT create_item_table('users', 'userId');
SELECT create_item_table('orders', 'orderId');
SELECT create_item_index('orders', 'of_user', 'userId', 'date');
SELECT count(put_item('users', jsonb_build_object('userId', split_part("PK", '#', 2), 'name', item -> 'name')::item, return_values => 'ALL_OLD')) AS replaced
FROM store WHERE begins_with("PK", 'USER#') AND "SK" = 'METADATA';
SELECT count(put_item('orders', jsonb_build_object('orderId', split_part("SK", '#', 3), 'userId', split_part("PK", '#', 2), 'date', split_part("SK", '#', 2), 'qty', item -> 'qty')::item, return_values => 'ALL_OLD')) AS replaced
FROM store WHERE begins_with("SK", 'ORDER#');
SELECT get_item('users', '{"userId": "123"}')::jsonb;
SELECT i::jsonb FROM query_items('orders', 'userId = :u', '{":u": "123"}', index => 'of_user') AS i;
SELECT name, operation, index, verdict FROM check_access_patterns('orders', '[{"name": "order", "by": {"orderId": "A1"}}, {"name": "orders of a user since", "by": {"userId": "123", "date": {">=": "20240401"}}}]');

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('store', '[
	{"name": "user with all orders", "by": {"PK": "USER#123"}},
	{"name": "only the orders", "by": {"PK": "USER#123", "SK": {"begins_with": "ORDER#"}}},
	{"name": "orders of a month", "by": {"PK": "USER#123", "SK": {"BETWEEN": ["ORDER#20240401", "ORDER#20240430~"]}}},
	{"name": "stock of a product", "by": {"PK": "INVENTORY#SKU456", "SK": "METADATA"}, "consistent": true},
	{"name": "order and take stock", "transact": [
		{"Put": {"Item": {"PK": "USER#123", "SK": "ORDER#20240503#A4", "sku": "SKU456", "qty": 1}, "ConditionExpression": "attribute_not_exists(PK)"}},
		{"Update": {"Key": {"PK": "INVENTORY#SKU456", "SK": "METADATA"}, "UpdateExpression": "SET stock = stock - :q", "ConditionExpression": "stock >= :q", "ExpressionAttributeValues": {":q": 1}}}]},
	{"name": "all users", "by": {"PK": {"begins_with": "USER#"}}}]');
