-- create_entity_view: one entity type as a view with typed columns, which can be changed.
\pset format unaligned
\pset null '(null)'
\set VERBOSITY terse

CREATE SCHEMA tools;
SELECT create_item_table('tools."Shop"', 'PK', 'SK');
SELECT create_item_index('tools."Shop"', 'by_status', 'status', 'placed');
SELECT put_item('tools."Shop"', '{"PK": "CUSTOMER#1", "SK": "PROFILE", "name": "Ann", "vip": true, "photo": {"B": "AQI="}}');
SELECT put_item('tools."Shop"', '{"PK": "CUSTOMER#1", "SK": "ORDER#2026-06-01#A1", "status": "OPEN", "placed": "2026-06-01T10:00:00Z", "total": 9.95, "lines": [{"S": "x"}, null], "secret": {"a": [1]}}');
SELECT put_item('tools."Shop"', '{"PK": "CUSTOMER#1", "SK": "ORDER#draft", "total": "none"}');
SELECT put_item('tools."Shop"', '{"PK": "CUSTOMER#1#x", "SK": "ORDER#2026-06-01#A1"}');

SELECT create_entity_view('tools."Shop"', 'tools.orders', '{"PK": "CUSTOMER#*", "SK": "ORDER#*#*"}', '{"status": "text", "placed": "timestamptz", "total": "numeric", "lines": "jsonb", "paid": "boolean"}');
SELECT create_entity_view('tools."Shop"', 'tools."All orders"', '{"PK": "CUSTOMER#**", "SK": "ORDER#**"}', '{"total": "integer"}');
SELECT create_entity_view('tools."Shop"', 'tools.customer', '{"PK": "CUSTOMER#*", "SK": "PROFILE"}', '{"name": "text", "vip": "boolean", "photo": "bytea", "born": "date"}');
SELECT create_entity_view('tools."Shop"', 'tools.open_order', '{"status": "OPEN", "placed": "**"}', '{"total": "numeric"}');
SELECT pg_get_viewdef('tools.orders'::regclass);
SET timezone = 'UTC';
SELECT * FROM tools.orders ORDER BY 1, 2;
SELECT * FROM tools."All orders" ORDER BY 1, 2;
SELECT * FROM tools.customer;
-- The keys are conditions of the primary key, or of an index.
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT total FROM tools.orders WHERE "PK" = 'CUSTOMER#1' AND begins_with("SK", 'ORDER#2026-06');
EXPLAIN (COSTS OFF) SELECT count(*) FROM tools.orders;
EXPLAIN (COSTS OFF) SELECT total FROM tools.open_order;
RESET enable_seqscan;

-- INSERT: a pattern without * is a default; nested JSON is not taken for typed values; NULL is no attribute.
INSERT INTO tools.customer ("PK", name, vip, photo, born) VALUES ('CUSTOMER#2', 'Bob', false, '\x00ff', '2000-02-29'), ('CUSTOMER#3', 'Cy', NULL, NULL, NULL) RETURNING *;
SELECT scan_items('tools."Shop"', '#n <> :a', '{":a": "Ann"}', '{"#n": "name"}');
INSERT INTO tools.orders VALUES ('CUSTOMER#2', 'ORDER#2026-06-02#B1', 'OPEN', '2026-06-02 12:00+02', 5, '[{"S": "x", "n": null}, {"S": "y"}]', true);
SELECT get_item('tools."Shop"', '{"PK": "CUSTOMER#2", "SK": "ORDER#2026-06-02#B1"}');
INSERT INTO tools.customer ("PK") VALUES ('CUSTOMER#2');
INSERT INTO tools.customer ("PK") VALUES ('NOBODY');
INSERT INTO tools.customer ("PK", "SK") VALUES ('CUSTOMER#4', 'OTHER');
INSERT INTO tools.orders ("PK", "SK") VALUES ('CUSTOMER#4', 'ORDER#1');
INSERT INTO tools.customer (name) VALUES ('none');
SELECT count(*) FROM tools."Shop";
-- UPDATE: what the view does not show stays; NULL removes; keys cannot be changed; indexes follow.
UPDATE tools.orders SET total = total * 2, status = 'PAID', paid = true WHERE "SK" = 'ORDER#2026-06-01#A1' RETURNING *;
UPDATE tools.orders SET lines = NULL, placed = NULL WHERE "PK" = 'CUSTOMER#1';
SELECT get_item('tools."Shop"', '{"PK": "CUSTOMER#1", "SK": "ORDER#2026-06-01#A1"}');
SELECT count(*) FROM tools.open_order;
UPDATE tools.customer SET photo = '\xabcd', born = '1999-12-31' WHERE name = 'Ann' RETURNING photo, born;
UPDATE tools.orders SET "SK" = 'ORDER#2026-06-09#Z' WHERE "PK" = 'CUSTOMER#1';
UPDATE tools.orders SET total = total WHERE "PK" = 'CUSTOMER#1';
-- DELETE, and names that change.
DELETE FROM tools.customer WHERE name = 'Cy' RETURNING "PK";
ALTER TABLE tools."Shop" RENAME TO store;
ALTER VIEW tools.orders RENAME TO order_view;
DELETE FROM tools.order_view WHERE "PK" = 'CUSTOMER#2';
SELECT "PK", "SK" FROM tools.store ORDER BY 1, 2;
-- Wrong arguments.
SELECT create_entity_view('tools.store', 'tools.customer', '{}', '{}');
SELECT create_entity_view('tools.store', 'tools.bad', '{"name": "x"}', '{}');
SELECT create_entity_view('tools.store', 'tools.bad', '{"PK": "x"}', '{"a": "nosuch"}');
SELECT create_entity_view('pg_class', 'tools.bad', '{"PK": "x"}', '{}');
-- Characters that mean something elsewhere.
SELECT create_entity_view('tools.store', 'tools.odd', '{"PK": "A.+(''\\*#*", "SK": "%"}', '{"a''b\"c": "text"}');
INSERT INTO tools.odd ("PK", "a'b""c") VALUES ('A.+(''\1#2', 'odd') RETURNING *;
SELECT full_item(s) FROM tools.store s WHERE "SK" = '%';

-- Types keep their modifiers; arrays are sets; types and triggers mean what the caller means; the item column has any name.
SET search_path = tools, public;
CREATE DOMAIN short AS text CHECK (length(value) < 5);
CREATE TABLE "Things" (id text COLLATE "C" PRIMARY KEY, size numeric, tags text COLLATE "C", "the rest" item NOT NULL DEFAULT '{}');
CREATE TABLE audit (n serial, id text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit (id) VALUES (coalesce(NEW.id, OLD.id)); RETURN coalesce(NEW, OLD); END $$;
CREATE TRIGGER note BEFORE INSERT OR UPDATE OR DELETE ON "Things" FOR EACH ROW EXECUTE FUNCTION note();
SELECT create_entity_view('"Things"', 'thing', '{"id": "THING#*"}', '{"code": "varchar(3)", "price": "numeric(6, 2)", "at": "timestamp(0) with time zone", "span": "interval day to second(0)", "letters": "char(2)[]",
	"tags": "SS", "sizes": "ns", "blobs": "BS", "counts": "integer[]", "size": "numeric(4,1)", "nick": "short", "note": "text"}');
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'thing'::regclass AND attnum > 0 ORDER BY attnum;
INSERT INTO thing VALUES ('THING#1', 'abc', 12.345, '2026-01-01 00:00:00.6Z', '1 day 02:00:00.4', '{ab,c}', '{z,a,"{}"}', '{2,10,1.50}', '{"\\x00ff",NULL}'::bytea[]);
INSERT INTO thing VALUES ('THING#1', 'abc', 12.345, '2026-01-01 00:00:00.6Z', '1 day 02:00:00.4', '{ab,c}', '{z,a,"{}"}', '{2,10,1.50}', '{"\\x00ff","\\x"}'::bytea[], '{3,-1}', 7.25, 'Ann', 'x') RETURNING *;
SELECT get_item('"Things"', '{"id": "THING#1"}');
SELECT * FROM thing;
UPDATE thing SET tags = tags || '{new}', sizes = '{7}', counts = NULL WHERE id = 'THING#1';
SELECT get_item('"Things"', '{"id": "THING#1"}', 'tags, sizes, counts, blobs, #s', '{"#s": "size"}');
UPDATE thing SET tags = '{}';
UPDATE thing SET code = 'abcd';
UPDATE thing SET price = 123456;
UPDATE thing SET nick = 'toolong';
-- What has another type, or does not fit.
SELECT put_item('"Things"', '{"id": "THING#2", "tags": ["a"], "sizes": {"SS": ["1"]}, "blobs": {"B": "AQ=="}, "code": "abcdef", "price": "x", "size": {"NS": ["1"]}}');
SELECT id, code, price, tags, sizes, blobs, size FROM thing ORDER BY id;
DELETE FROM thing WHERE id = 'THING#2';
SELECT id, count(*) FROM audit GROUP BY 1 ORDER BY 1;
SHOW search_path;
SET search_path = public;
UPDATE tools.thing SET note = 'y';
RESET search_path;
SELECT entity_view_type('VARCHAR(3)'), entity_view_type('interval day to second(0)'), entity_view_type('tools.short[]');
SELECT entity_view_type('nosuch(3)');
SELECT entity_view_type('integer; DROP TABLE x');
SELECT t, entity_view_set(t::regtype) FROM unnest(ARRAY['text[]', 'varchar[]', 'float8[]', 'bytea[]', 'date[]', 'text', 'item']) AS t;
SELECT create_entity_view('tools."Things"', 'tools.bad', '{"id": "x"}', '{"a": "integer AS b, 1"}');

SET client_min_messages = warning;
DROP SCHEMA tools CASCADE;
