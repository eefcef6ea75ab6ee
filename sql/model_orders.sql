-- Customers, orders and their lines in one table: GSI1 by status, an inverted GSI for products; reference/modelling, example A.
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'gsi1', 'gsi1pk', 'gsi1sk');
SELECT create_item_index('shop', 'inverted', 'sk', 'pk');

SELECT put_item('shop', '{"pk": "CUSTOMER#42", "sk": "PROFILE", "name": "Ann", "email": "ann@example.com"}', 'attribute_not_exists(pk)');
SELECT put_item('shop', '{"pk": "CUSTOMER#43", "sk": "PROFILE", "name": "Bob", "email": "bob@example.com"}', 'attribute_not_exists(pk)');

-- Placing an order: the customer is there, the order and its lines are not; all in one transaction.
CREATE FUNCTION pg_temp.place(customer text, day text, id text, lines jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM transact_write_items((SELECT json_agg(action) FROM (
		SELECT json_build_object('ConditionCheck', json_build_object('TableName', 'shop', 'Key', json_build_object('pk', 'CUSTOMER#' || customer, 'sk', 'PROFILE'),
			'ConditionExpression', 'attribute_exists(pk)')) AS action
		UNION ALL
		SELECT json_build_object('Put', json_build_object('TableName', 'shop', 'ConditionExpression', 'attribute_not_exists(pk)', 'Item', json_build_object(
			'pk', 'CUSTOMER#' || customer, 'sk', 'ORDER#' || day || '#' || id, 'status', 'OPEN', 'gsi1pk', 'STATUS#OPEN', 'gsi1sk', 'ORDER#' || day || '#' || id,
			'total', (SELECT sum((l ->> 'qty')::int * (l ->> 'price')::numeric) FROM jsonb_array_elements(lines) l))))
		UNION ALL
		SELECT json_build_object('Put', json_build_object('TableName', 'shop', 'ConditionExpression', 'attribute_not_exists(pk)', 'Item',
			jsonb_build_object('pk', 'ORDER#' || id, 'sk', 'ITEM#' || (l ->> 'sku')) || l))
		FROM jsonb_array_elements(lines) l) a));
	RETURN id || ' placed';
EXCEPTION WHEN SQLSTATE 'KV005' THEN
	RETURN SQLERRM;
END $$;
SELECT pg_temp.place('42', '2026-05-20', 'B7', '[{"sku": "sku-1", "qty": 2, "price": 9.95}]');
SELECT pg_temp.place('42', '2026-06-01', 'A1', '[{"sku": "sku-9", "qty": 1, "price": 100}, {"sku": "sku-1", "qty": 1, "price": 9.95}]');
SELECT pg_temp.place('42', '2026-06-03', 'A2', '[{"sku": "sku-9", "qty": 3, "price": 100}]');
SELECT pg_temp.place('43', '2026-06-02', 'C1', '[{"sku": "sku-9", "qty": 1, "price": 90}]');
-- The same order again; a customer that is not there: nothing is written.
SELECT pg_temp.place('42', '2026-06-01', 'A1', '[{"sku": "sku-9", "qty": 1, "price": 100}, {"sku": "sku-2", "qty": 1, "price": 1}]');
SELECT pg_temp.place('99', '2026-06-04', 'D1', '[{"sku": "sku-9", "qty": 1, "price": 100}]');
SELECT count(*) FROM shop;

-- Customer by id; with all orders; orders newest first; orders of a month; lines of an order.
SELECT get_item('shop', '{"pk": "CUSTOMER#42", "sk": "PROFILE"}');
SELECT query_items('shop', 'pk = :c', '{":c": "CUSTOMER#42"}', projection => 'sk');
SELECT query_items('shop', 'pk = :c AND begins_with(sk, :o)', '{":c": "CUSTOMER#42", ":o": "ORDER#"}', forward => false, max_items => 2, projection => 'sk, #t', attribute_names => '{"#t": "total"}');
SELECT query_items('shop', 'pk = :c AND begins_with(sk, :o)', '{":c": "CUSTOMER#42", ":o": "ORDER#2026-05"}');
SELECT query_items('shop', 'pk = :o AND begins_with(sk, :i)', '{":o": "ORDER#A1", ":i": "ITEM#"}', projection => 'sk, qty, price');
-- Shipping moves the order in the index by status, once.
SELECT update_item('shop', '{"pk": "CUSTOMER#42", "sk": "ORDER#2026-06-01#A1"}', 'SET #s = :shipped, gsi1pk = :g', '#s = :open',
	'{":shipped": "SHIPPED", ":g": "STATUS#SHIPPED", ":open": "OPEN"}', '{"#s": "status"}', 'UPDATED_OLD');
SELECT update_item('shop', '{"pk": "CUSTOMER#42", "sk": "ORDER#2026-06-01#A1"}', 'SET #s = :shipped, gsi1pk = :g', '#s = :open',
	'{":shipped": "SHIPPED", ":g": "STATUS#SHIPPED", ":open": "OPEN"}', '{"#s": "status"}', 'UPDATED_OLD');
SELECT query_items('shop', 'gsi1pk = :s', '{":s": "STATUS#OPEN"}', index => 'gsi1', projection => 'pk, gsi1sk');
SELECT query_items('shop', 'gsi1pk = :s AND gsi1sk >= :d', '{":s": "STATUS#SHIPPED", ":d": "ORDER#2026-06-01"}', index => 'gsi1', projection => 'pk, sk');
-- Closed orders leave the index (sparse).
SELECT update_item('shop', '{"pk": "CUSTOMER#42", "sk": "ORDER#2026-06-01#A1"}', 'SET #s = :closed REMOVE gsi1pk, gsi1sk', attribute_values => '{":closed": "CLOSED"}', attribute_names => '{"#s": "status"}');
SELECT count(*) FROM query_items('shop', 'gsi1pk = :s', '{":s": "STATUS#SHIPPED"}', index => 'gsi1');
-- Orders that hold a product: the inverted index.
SELECT query_items('shop', 'sk = :i', '{":i": "ITEM#sku-9"}', index => 'inverted', projection => 'pk, qty');
SELECT query_items('shop', 'sk = :i AND begins_with(pk, :a)', '{":i": "ITEM#sku-9", ":a": "ORDER#A"}', index => 'inverted', forward => false, projection => 'pk');
-- A unique e-mail address: the claim and the profile change together.
SELECT transact_write_items('[
	{"Put": {"TableName": "shop", "Item": {"pk": "EMAIL#ann@new.example", "sk": "EMAIL#ann@new.example", "owner": "CUSTOMER#42"}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "shop", "Key": {"pk": "CUSTOMER#42", "sk": "PROFILE"}, "UpdateExpression": "SET email = :new", "ConditionExpression": "email = :old",
				"ExpressionAttributeValues": {":new": "ann@new.example", ":old": "ann@example.com"}}}]');
SELECT transact_write_items('[
	{"Put": {"TableName": "shop", "Item": {"pk": "EMAIL#ann@new.example", "sk": "EMAIL#ann@new.example", "owner": "CUSTOMER#43"}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "shop", "Key": {"pk": "CUSTOMER#43", "sk": "PROFILE"}, "UpdateExpression": "SET email = :new", "ExpressionAttributeValues": {":new": "ann@new.example"}}}]');
SELECT transact_get_items('[{"Get": {"TableName": "shop", "Key": {"pk": "CUSTOMER#42", "sk": "PROFILE"}, "ProjectionExpression": "email"}},
	{"Get": {"TableName": "shop", "Key": {"pk": "CUSTOMER#43", "sk": "PROFILE"}, "ProjectionExpression": "email"}}]');

-- SQL beside it: a join and an aggregate over the same items.
SELECT c.item ->> 'name', count(*), sum((o.item ->> 'total')::numeric)
FROM shop c JOIN shop o ON o.pk = c.pk AND begins_with(o.sk, 'ORDER#')
WHERE c.sk = 'PROFILE' GROUP BY c.pk, c.item ORDER BY 1;

DROP TABLE shop;
