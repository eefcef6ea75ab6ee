-- Customers, orders and their lines in one table: an overloaded index by status, and an inverted one for many-to-many.
--
--	item		PK				SK						GSI1PK			GSI1SK
--	customer	CUSTOMER#42		PROFILE
--	order		CUSTOMER#42		ORDER#2026-06-01#A1		STATUS#SHIPPED	ORDER#2026-06-01#A1
--	line		ORDER#A1		ITEM#sku-9
--
--	psql -f examples/03_orders.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS orders CASCADE;
CREATE SCHEMA orders;
SET search_path = orders, public;

SELECT create_item_table('shop', 'PK', 'SK');
SELECT create_item_index('shop', 'GSI1', 'GSI1PK', 'GSI1SK');
SELECT create_item_index('shop', 'inverted', 'SK', 'PK');
SELECT batch_write_items('{"shop": [
	{"PutRequest": {"Item": {"PK": "CUSTOMER#42", "SK": "PROFILE", "name": "Ann"}}},
	{"PutRequest": {"Item": {"PK": "CUSTOMER#42", "SK": "ORDER#2026-05-20#B7", "status": "OPEN", "total": 19.90, "GSI1PK": "STATUS#OPEN", "GSI1SK": "ORDER#2026-05-20#B7"}}},
	{"PutRequest": {"Item": {"PK": "CUSTOMER#42", "SK": "ORDER#2026-06-01#A1", "status": "OPEN", "total": 109.95, "GSI1PK": "STATUS#OPEN", "GSI1SK": "ORDER#2026-06-01#A1"}}},
	{"PutRequest": {"Item": {"PK": "ORDER#A1", "SK": "ITEM#sku-1", "qty": 1, "price": 9.95}}},
	{"PutRequest": {"Item": {"PK": "ORDER#A1", "SK": "ITEM#sku-9", "qty": 1, "price": 100}}},
	{"PutRequest": {"Item": {"PK": "ORDER#B7", "SK": "ITEM#sku-1", "qty": 2, "price": 9.95}}}]}') AS items;

\echo '-- customer by id'
SELECT get_item('shop', '{"PK": "CUSTOMER#42", "SK": "PROFILE"}')::jsonb;
\echo '-- orders, newest first'
SELECT i ->> 'SK' AS sk, i -> 'total' AS total FROM query_items('shop', 'PK = :c AND begins_with(SK, :o)', '{":c": "CUSTOMER#42", ":o": "ORDER#"}', forward => false) AS i;
\echo '-- lines of an order'
SELECT i ->> 'SK' AS sk, i -> 'qty' AS qty FROM query_items('shop', 'PK = :o AND begins_with(SK, :i)', '{":o": "ORDER#A1", ":i": "ITEM#"}') AS i;
\echo '-- ship an order, once: it moves in the index'
SELECT update_item('shop', '{"PK": "CUSTOMER#42", "SK": "ORDER#2026-06-01#A1"}', 'SET #s = :new, GSI1PK = :g', '#s = :old', '{":new": "SHIPPED", ":g": "STATUS#SHIPPED", ":old": "OPEN"}', '{"#s": "status"}',
	'UPDATED_NEW')::jsonb;
\set ON_ERROR_STOP off
SELECT update_item('shop', '{"PK": "CUSTOMER#42", "SK": "ORDER#2026-06-01#A1"}', 'SET #s = :new, GSI1PK = :g', '#s = :old', '{":new": "SHIPPED", ":g": "STATUS#SHIPPED", ":old": "OPEN"}', '{"#s": "status"}');
\set ON_ERROR_STOP on
SELECT i ->> 'GSI1PK' AS status, i ->> 'GSI1SK' AS sk FROM unnest(ARRAY['STATUS#OPEN', 'STATUS#SHIPPED']) AS s, query_items('shop', 'GSI1PK = :s', jsonb_build_object(':s', s)::item, index => 'GSI1') AS i;
\echo '-- orders that hold a product'
SELECT i ->> 'PK' AS order_id FROM query_items('shop', 'SK = :i', '{":i": "ITEM#sku-1"}', index => 'inverted') AS i;
\echo '-- orders as a view with types'
SELECT create_entity_view('shop', 'customer_order', '{"PK": "CUSTOMER#*", "SK": "ORDER#*#*"}', '{"status": "text", "total": "numeric"}');
SELECT * FROM customer_order ORDER BY "SK";

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('shop', '[
	{"name": "customer by id", "by": {"PK": "CUSTOMER#42", "SK": "PROFILE"}},
	{"name": "orders, newest first", "by": {"PK": "CUSTOMER#42", "SK": {"begins_with": "ORDER#"}}, "order_by": "SK", "forward": false},
	{"name": "lines of an order", "by": {"PK": "ORDER#A1", "SK": {"begins_with": "ITEM#"}}},
	{"name": "shipped since June", "by": {"GSI1PK": "STATUS#SHIPPED", "GSI1SK": {">=": "ORDER#2026-06-01"}}, "order_by": "GSI1SK"},
	{"name": "orders with a product", "by": {"SK": "ITEM#sku-1"}},
	{"name": "place an order", "transact": [
		{"Put": {"Item": {"PK": "CUSTOMER#42", "SK": "ORDER#2026-06-09#C3", "status": "OPEN", "GSI1PK": "STATUS#OPEN", "GSI1SK": "ORDER#2026-06-09#C3"}, "ConditionExpression": "attribute_not_exists(PK)"}},
		{"Put": {"Item": {"PK": "ORDER#C3", "SK": "ITEM#sku-1", "qty": 1}, "ConditionExpression": "attribute_not_exists(PK)"}},
		{"ConditionCheck": {"Key": {"PK": "CUSTOMER#42", "SK": "PROFILE"}, "ConditionExpression": "attribute_exists(PK)"}}]},
	{"name": "ship it", "key": {"PK": "CUSTOMER#42", "SK": "ORDER#2026-05-20#B7"}, "update": "SET #s = :new, GSI1PK = :g", "condition": "#s = :old", "attribute_names": {"#s": "status"},
		"attribute_values": {":new": "SHIPPED", ":old": "OPEN", ":g": "STATUS#SHIPPED"}},
	{"name": "orders above 100", "filter": "#t > :t", "attribute_values": {":t": 100}, "attribute_names": {"#t": "total"}}]');
