-- Customers, orders and order lines in one table, with an overloaded index and an inverted one.
--
--	psql -f examples/orders.sql
--
--	items					pk				sk							gsi1pk				gsi1sk
--	customer				CUSTOMER#42		PROFILE
--	order					CUSTOMER#42		ORDER#2026-06-01#A1			STATUS#SHIPPED		ORDER#2026-06-01#A1
--	line of an order		ORDER#A1		ITEM#sku-9
--
--	access pattern					operation
--	customer by id					get_item
--	orders, newest first			query_items, key prefix, backward
--	orders of a month				query_items, a longer prefix
--	lines of an order				query_items
--	orders in a status, by date		query_items on gsi1
--	orders that hold a product		query_items on inverted
--	place an order					transact_write_items
--	ship it							update_item, moves it to another place of gsi1
\set QUIET on
\pset pager off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP TABLE IF EXISTS orders;
SELECT create_item_table('orders', 'pk', 'sk');
SELECT create_item_index('orders', 'gsi1', partition_key => 'gsi1pk', sort_key => 'gsi1sk');
SELECT create_item_index('orders', 'inverted', partition_key => 'sk', sort_key => 'pk', projection => 'KEYS_ONLY');

SELECT put_item('orders', '{"pk": "CUSTOMER#42", "sk": "PROFILE", "name": "Ann", "email": "ann@example.org"}');

-- A function of one's own is a good place for the shape of a transaction: an order with its lines, only for a customer that exists.
CREATE OR REPLACE FUNCTION pg_temp.place_order(customer text, day date, order_id text, lines jsonb) RETURNS void LANGUAGE sql AS $$
	SELECT transact_write_items((
		jsonb_build_array(
			jsonb_build_object('ConditionCheck', jsonb_build_object('TableName', 'orders',
				'Key', jsonb_build_object('pk', 'CUSTOMER#' || customer, 'sk', 'PROFILE'), 'ConditionExpression', 'attribute_exists(pk)')),
			jsonb_build_object('Put', jsonb_build_object('TableName', 'orders', 'ConditionExpression', 'attribute_not_exists(pk)',
				'Item', jsonb_build_object('pk', 'CUSTOMER#' || customer, 'sk', 'ORDER#' || day || '#' || order_id, 'status', 'OPEN',
					'gsi1pk', 'STATUS#OPEN', 'gsi1sk', 'ORDER#' || day || '#' || order_id,
					'total', (SELECT sum((line ->> 'price')::numeric * (line ->> 'quantity')::numeric) FROM jsonb_array_elements(lines) AS line)))))
		|| (SELECT jsonb_agg(jsonb_build_object('Put', jsonb_build_object('TableName', 'orders', 'ConditionExpression', 'attribute_not_exists(pk)',
				'Item', line || jsonb_build_object('pk', 'ORDER#' || order_id, 'sk', 'ITEM#' || (line ->> 'sku')))))
			FROM jsonb_array_elements(lines) AS line))::json)
$$;
SELECT pg_temp.place_order('42', '2026-05-20', 'B7', '[{"sku": "sku-1", "price": 12.50, "quantity": 2}]');
SELECT pg_temp.place_order('42', '2026-05-28', 'C3', '[{"sku": "sku-9", "price": 3, "quantity": 10}, {"sku": "sku-1", "price": 12.50, "quantity": 1}]');
SELECT pg_temp.place_order('42', '2026-06-01', 'A1', '[{"sku": "sku-9", "price": 3, "quantity": 1}]');

\echo '-- a customer that does not exist gets no order; the reasons say which action failed'
\set ON_ERROR_STOP off
SELECT pg_temp.place_order('43', '2026-06-02', 'D1', '[{"sku": "sku-9", "price": 3, "quantity": 1}]');
\set ON_ERROR_STOP on

\echo '-- customer by id'
SELECT get_item('orders', '{"pk": "CUSTOMER#42", "sk": "PROFILE"}')::jsonb;
\echo '-- orders, newest first'
SELECT item ->> 'sk' AS sk, item -> 'total' AS total
FROM query_items('orders', 'pk = :p AND begins_with(sk, :o)', '{":p": "CUSTOMER#42", ":o": "ORDER#"}', forward => false) AS item;
\echo '-- orders of May 2026'
SELECT item ->> 'sk' AS sk, item -> 'total' AS total
FROM query_items('orders', 'pk = :p AND begins_with(sk, :o)', '{":p": "CUSTOMER#42", ":o": "ORDER#2026-05"}') AS item;
\echo '-- lines of an order'
SELECT item ->> 'sku' AS sku, item -> 'quantity' AS quantity
FROM query_items('orders', 'pk = :p AND begins_with(sk, :i)', '{":p": "ORDER#C3", ":i": "ITEM#"}') AS item;
\echo '-- ship an order: only an open one, and it moves in the index'
SELECT update_item('orders', '{"pk": "CUSTOMER#42", "sk": "ORDER#2026-05-28#C3"}', 'SET #s = :shipped, gsi1pk = :g', condition => '#s = :open',
	attribute_values => '{":shipped": "SHIPPED", ":open": "OPEN", ":g": "STATUS#SHIPPED"}', attribute_names => '{"#s": "status"}',
	return_values => 'UPDATED_NEW')::jsonb;
\echo '-- open orders by date; shipped since the end of May'
SELECT item ->> 'gsi1sk' AS open FROM query_items('orders', 'gsi1pk = :g', '{":g": "STATUS#OPEN"}', index => 'gsi1') AS item;
SELECT item ->> 'gsi1sk' AS shipped
FROM query_items('orders', 'gsi1pk = :g AND gsi1sk >= :d', '{":g": "STATUS#SHIPPED", ":d": "ORDER#2026-05-25"}', index => 'gsi1') AS item;
\echo '-- orders that hold a product'
SELECT item ->> 'pk' AS order_id FROM query_items('orders', 'sk = :s', '{":s": "ITEM#sku-9"}', index => 'inverted') AS item;
\echo '-- and in SQL: what each product sold'
SELECT item_text(item, 'sku') AS sku, sum(item_numeric(item, 'quantity')) AS quantity, sum(item_numeric(item, 'quantity') * item_numeric(item, 'price')) AS total
FROM orders WHERE sk ^@ 'ITEM#' GROUP BY 1 ORDER BY 1;
