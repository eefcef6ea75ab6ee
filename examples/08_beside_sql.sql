-- Beside SQL: customers and addresses in normal tables joined to items; the same copied into the items; an aggregate that a trigger
-- keeps in the same transaction.
--
--	psql -f examples/08_beside_sql.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS beside_sql CASCADE;
CREATE SCHEMA beside_sql;
SET search_path = beside_sql, public;

CREATE TABLE address (zipcode text PRIMARY KEY, city text NOT NULL, country text NOT NULL);
CREATE TABLE customer (id text PRIMARY KEY, name text NOT NULL, zipcode text REFERENCES address);
INSERT INTO address VALUES ('98001', 'Bellevue', 'USA'), ('98004', 'Seattle', 'USA');
INSERT INTO customer VALUES ('cust1', 'Ann', '98001'), ('cust2', 'Bob', '98004');
SELECT create_item_table('purchase', 'Custid', 'Transaction_Id');
SELECT create_item_table('total', 'day');

-- The aggregate: the difference of each change, in the transaction that makes it.
CREATE FUNCTION keep_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		PERFORM update_item('total', jsonb_build_object('day', full_item(OLD) ->> 'Order_date')::item, 'ADD amount :a', attribute_values => jsonb_build_object(':a', - item_numeric(full_item(OLD), 'Price'))::item);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM update_item('total', jsonb_build_object('day', full_item(NEW) ->> 'Order_date')::item, 'ADD amount :a', attribute_values => jsonb_build_object(':a', item_numeric(full_item(NEW), 'Price'))::item);
	END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER keep_total AFTER INSERT OR UPDATE OR DELETE ON purchase FOR EACH ROW EXECUTE FUNCTION keep_total();

SELECT put_item('purchase', '{"Custid": "cust1", "Transaction_Id": "T-0001", "Price": 200, "Order_date": "2013-10-01"}');
SELECT put_item('purchase', '{"Custid": "cust1", "Transaction_Id": "T-0004", "Price": 1000, "Order_date": "2013-09-12"}');
SELECT put_item('purchase', '{"Custid": "cust2", "Transaction_Id": "T-0005", "Price": 50, "Order_date": "2013-10-01"}');
\echo '-- normalised: a join of tables and items'
SELECT p."Transaction_Id", p.item -> 'Price' AS price, c.name, a.city
FROM purchase p JOIN customer c ON c.id = p."Custid" JOIN address a USING (zipcode) ORDER BY 1;
\echo '-- denormalised: the address is copied into the items, and one query has it all'
SELECT count(update_item('purchase', jsonb_build_object('Custid', "Custid", 'Transaction_Id', "Transaction_Id")::item, 'SET City_name = :c, Country = :l',
	attribute_values => jsonb_build_object(':c', a.city, ':l', a.country)::item, return_values => 'UPDATED_NEW')) AS updated
FROM purchase p JOIN customer c ON c.id = p."Custid" JOIN address a USING (zipcode);
SELECT i::jsonb FROM query_items('purchase', 'Custid = :c', '{":c": "cust1"}') AS i;
\echo '-- the aggregate follows puts, updates and deletes, and a transaction that is undone'
SELECT update_item('purchase', '{"Custid": "cust2", "Transaction_Id": "T-0005"}', 'SET Price = :p', attribute_values => '{":p": 70}');
SELECT delete_item('purchase', '{"Custid": "cust1", "Transaction_Id": "T-0004"}');
BEGIN;
SELECT put_item('purchase', '{"Custid": "cust2", "Transaction_Id": "T-0006", "Price": 1, "Order_date": "2013-10-01"}');
ROLLBACK;
SELECT day, item -> 'amount' AS amount FROM total ORDER BY 1;
SELECT bool_and((t.item ->> 'amount')::numeric = coalesce(s.amount, 0)) AS equal
FROM total t LEFT JOIN (SELECT item ->> 'Order_date' AS day, sum((item ->> 'Price')::numeric) AS amount FROM purchase GROUP BY 1) AS s USING (day);

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('purchase', '[
	{"name": "orders of a customer with city", "by": {"Custid": "cust1"}},
	{"name": "one order", "by": {"Custid": "cust1", "Transaction_Id": "T-0001"}},
	{"name": "a new order", "put": {"Custid": "cust1", "Transaction_Id": "T-0009", "Price": 5, "Order_date": "2013-10-02"}, "condition": "attribute_not_exists(Custid)"},
	{"name": "orders to a city", "filter": "City_name = :c", "attribute_values": {":c": "Seattle"}}]');
