-- create_item_table, create_item_index, describe_item_table.
CREATE FUNCTION failure(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
	EXECUTE statement;
	RETURN 'passed';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', state, message, nullif(detail, ''), nullif(hint, ''));
END $$;

-- The DDL that a person would write.
SELECT create_item_table('shop', 'pk', 'sk');
\d shop
SELECT create_item_table('by_number', 'id', partition_key_type => 'N');
SELECT create_item_table('by_bytes', 'id', 'at', 'B', 'N');
\d by_number
\d by_bytes
CREATE TABLE written (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
SELECT describe_item_table('written') - 'TableName' = describe_item_table('shop') - 'TableName' AS same_as_written_by_hand;
-- Names are SQL's: folded, qualified, quoted.
CREATE SCHEMA "my schema";
SELECT create_item_table('FOLDED', 'pk'), create_item_table('"Quoted.Name"', 'pk'), create_item_table('"my schema".t', 'pk'), create_item_table(' public . "a""b" ', 'pk'), create_item_table('my-table', 'pk');
SET search_path = "my schema", public;
SELECT create_item_table('first_in_path', 'pk')::oid::regclass;
RESET search_path;
SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = '"my schema"'::regnamespace ORDER BY relname COLLATE "C";
SELECT create_item_table('pg_temp.fleeting', 'pk') IS NOT NULL AS temporary;
-- Attribute names are as written, of any case and characters.
SELECT create_item_table('names', 'My Key', 'a"b');
\d names
SELECT put_item('names', '{"My Key": "1", "a\"b": "2", "ключ": "3", "select": 4}');
SELECT create_item_index('names', 'by-key', 'ключ', 'select', sort_key_type => 'N');
SELECT create_item_index('names', 'apos', 'it''s \ "odd"', '日本語');
SELECT update_item('names', '{"My Key": "1", "a\"b": "2"}', 'SET #a = :a, #b = :b', attribute_values => '{":a": "x", ":b": "y"}', attribute_names => '{"#a": "it''s \\ \"odd\"", "#b": "日本語"}');
\d names
SELECT * FROM names;
SELECT * FROM query_items('names', '#k = :k', '{":k": "3"}', '{"#k": "ключ"}', index => 'by-key');
SELECT * FROM query_items('names', '#k = :k', '{":k": "x"}', '{"#k": "it''s \\ \"odd\""}', index => 'apos');
-- A key called item, or item_1 as well: the other attributes go elsewhere.
SELECT create_item_table('holds_items', 'item', 'item_1', 'N');
\d holds_items
SELECT put_item('holds_items', '{"item": 1, "item_1": "one", "other": true}');
SELECT full_item(h) FROM holds_items h;

-- Refused.
SELECT failure(format('SELECT create_item_table(%s)', arguments)) FROM unnest(ARRAY[
	'NULL, ''pk''', '''t'', NULL', '''t'', NULL, ''sk''', '''t'', ''''', '''t'', ''pk'', ''''', format('''t'', %L', repeat('x', 256)), format('''t'', ''pk'', %L', repeat('x', 64)),
	format('''t'', %L', repeat('я', 32)), '''t'', ''pk'', ''pk''', '''t'', ''pk'', ''sk'', ''X''', '''t'', ''pk'', ''sk'', ''s'', ''NUMBER''', '''t'', ''pk'', partition_key_type => NULL',
	'''t'', ''pk'', partition_key_type => ''''', '''t'', '''', '''', ''SS'', ''NULL''',
	'''t'', ''ctid''', '''t'', ''pk'', ''xmin''', '''t'', ''tableoid''', '''shop'', ''pk''', '''written'', ''pk''', '''shop_pkey'', ''pk''', '''SHOP'', ''pk''', '''"my schema".t'', ''pk''',
	''''', ''pk''', '''a b'', ''pk''', '''nowhere.t'', ''pk''', '''a.b.c.d'', ''pk''', '''pg_catalog.t'', ''pk''', '''"unfinished'', ''pk''',
	format('%L, ''pk''', repeat('t', 64)), format('%L, ''pk''', '"' || repeat('t', 60) || '""""xx"')]) arguments;
SELECT create_item_table(repeat('t', 63), 'pk'), create_item_table('"my schema".' || repeat('u', 63), repeat('k', 63)) IS NOT NULL;
-- Who may not create a table, does not.
CREATE ROLE regress_customer;
SET ROLE regress_customer;
SELECT failure('SELECT create_item_table(''"my schema".other'', ''pk'')');
SELECT failure('SELECT create_item_index(''shop'', ''gsi1'', ''gsi1pk'')');
RESET ROLE;

-- An index on a table that holds items.
SELECT create_item_table('orders', 'customer', 'number', sort_key_type => 'N');
SELECT count(*) AS items, count(put_item('orders', i)) AS old_items FROM unnest(ARRAY[
	'{"customer": "ann", "number": 1, "status": "open", "total": 10, "tag": {"B": "AQI="}}',
	'{"customer": "ann", "number": 2, "status": "open", "total": 9.5}',
	'{"customer": "ann", "number": 3, "status": "closed", "total": 1e3}',
	'{"customer": "bob", "number": 1, "status": "open"}',
	'{"customer": "bob", "number": 2, "total": 4}',
	'{"customer": "bob", "number": 3, "status": 5, "total": "many"}',
	'{"customer": "bob", "number": 4, "status": "", "total": 5}',
	'{"customer": "bob", "number": 5, "status": {"S": "a\u0000b"}, "total": 6}',
	'{"customer": "bob", "number": 6, "status": null, "total": [7]}',
	'{"customer": "bob", "number": 7, "status": {"SS": ["open"]}, "total": {"NS": ["8"]}}']::item[]) i;
SELECT put_item('orders', jsonb_build_object('customer', 'cat', 'number', 1, 'status', repeat('s', 2048), 'total', 1, 'note', repeat('n', 1024))::item),
       put_item('orders', jsonb_build_object('customer', 'cat', 'number', 2, 'status', repeat('s', 2049), 'total', 1, 'note', repeat('n', 1025))::item),
       put_item('orders', jsonb_build_object('customer', 'cat', 'number', 3, 'status', repeat('я', 1025), 'total', 1, 'note', repeat('я', 512))::item);
CREATE TABLE before AS SELECT customer, number, full_item(o) AS item FROM orders o;
SELECT create_item_index('orders', 'by_status', 'status', 'total', sort_key_type => 'N');
SELECT pg_get_indexdef('orders_by_status'::regclass);
-- Nothing is lost; what can be a key has moved, the rest is where it was.
SELECT count(*) AS changed_items FROM orders o JOIN before b USING (customer, number) WHERE full_item(o) <> b.item;
SELECT customer, number, left(status, 8) AS status, total, item_type(item, 'status') AS kept_status, item_type(item, 'total') AS kept_total FROM orders ORDER BY customer, number;
SELECT item_project(q, 'customer, #n, #t', '{"#n": "number", "#t": "total"}') FROM query_items('orders', '#s = :s', '{":s": "open"}', '{"#s": "status"}', index => 'by_status') q;
SELECT index_tuples, table_rows FROM check_item_index('orders_by_status');
-- Long sort keys stay out, long partition keys too.
SELECT create_item_index('orders', 'by_note', 'status', 'note', projection => 'KEYS_ONLY');
SELECT customer, number, octet_length(status) AS status, octet_length(note) AS note, item_size(item) > 1000 AS kept FROM orders WHERE customer = 'cat' ORDER BY number;
SELECT index_tuples, table_rows FROM check_item_index('orders_by_note');
SELECT count(*) AS changed_items FROM orders o JOIN before b USING (customer, number) WHERE full_item(o) <> b.item;
-- Binary keys; several key attributes, and types that the table knows.
SELECT create_item_index('orders', 'by_tag', 'tag', partition_key_type => 'B');
SELECT create_item_index('orders', 'many', ARRAY['customer', 'status'], ARRAY['number', 'note', 'total'], projection => 'INCLUDE', non_key_attributes => ARRAY['x', 'a "quoted" name', 'b\c']);
SELECT create_item_index('orders', 'typed', ARRAY['a1', 'a2', 'a3', 'a4'], ARRAY['b1', 'b2', 'b3', 'b4'], ARRAY['S', 'N', NULL, 'B'], ARRAY['N']);
-- Inverted, local, and the table's own key.
SELECT create_item_index('orders', 'inverted', 'number', 'customer');
SELECT create_item_index('orders', 'local_total', 'customer', 'total', local => true);
SELECT create_item_index('orders', 'same', 'customer', 'number', 'S', 'N');
SELECT create_item_index('orders', 'only_customer', 'customer');
SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'orders'::regclass ORDER BY indexrelid::regclass::text COLLATE "C";
SELECT number, customer FROM orders WHERE item_exists(item, 'tag') OR tag IS NOT NULL;
SELECT count(*) AS changed_items FROM orders o JOIN before b USING (customer, number) WHERE full_item(o) <> b.item;
SELECT item_project(q, 'customer, #n', '{"#n": "number"}') FROM query_items('orders', '#n = :n AND begins_with(customer, :c)', '{":n": 1, ":c": "b"}', '{"#n": "number"}', index => 'inverted') q;
SELECT item_project(q, 'customer, #t', '{"#t": "total"}') FROM query_items('orders', 'customer = :c AND #t > :t', '{":c": "ann", ":t": 9}', '{"#t": "total"}', index => 'local_total', forward => false) q;

-- A column that SQL filled before it became a key: what cannot be a key goes into the item.
CREATE TABLE filled (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C", y bytea, n numeric, rest item NOT NULL DEFAULT '{"other": 1}');
INSERT INTO filled VALUES ('fits', 'a', '\x01', 1), ('empty', '', '', 2), ('long', repeat('a', 2049), decode(repeat('ab', 1025), 'hex'), 3), ('null', NULL, NULL, NULL),
	('longest', repeat('a', 2048), NULL, 4), ('mixed', 'b', '', 5);
CREATE TABLE before_filled AS SELECT pk, full_item(f) AS item FROM filled f;
SELECT create_item_index('filled', 'a-y', 'a', 'y');
SELECT pk, octet_length(a) AS a, octet_length(y) AS y, item_type(rest, 'a') AS kept_a, item_type(rest, 'y') AS kept_y FROM filled ORDER BY pk;
SELECT count(*) AS changed_items FROM filled f JOIN before_filled b USING (pk) WHERE full_item(f) <> b.item;
SELECT index_tuples, table_rows FROM check_item_index('"filled_a-y"');
-- An attribute that is in items although it has a column: the index wants it there.
CREATE TABLE late (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
INSERT INTO late VALUES ('1', '{"a": "x", "b": 1}'), ('2', '{"a": "y"}');
ALTER TABLE late ADD COLUMN a text COLLATE "C";
INSERT INTO late VALUES ('3', '{}', 'z');
SELECT create_item_index('late', 'a-index', 'a');
SELECT * FROM late ORDER BY pk;

-- Refused: shape.
SELECT failure(format('SELECT create_item_index(%s)', arguments)) FROM unnest(ARRAY[
	'NULL, ''idx'', ''a''', '''shop'', NULL, ''a''', '''shop'', ''ab'', ''a''', '''shop'', ''a b!'', ''a''', format('''shop'', %L, ''a''', repeat('i', 256)), '''shop'', '''', ''a''', '''shop'', ''ключ'', ''a''',
	'''shop'', ''idx'', NULL', '''shop'', ''idx'', ''''', '''shop'', ''idx'', ''a'', ''''', format('''shop'', ''idx'', %L', repeat('x', 256)),
	'''shop'', ''idx'', ''a'', ''b'', ''X'', ''s''', '''shop'', ''idx'', ''{}''::text[]', '''shop'', ''idx'', ''{a,NULL}''::text[]', '''shop'', ''idx'', ARRAY[''a''], ARRAY[''b''], ARRAY[''S'', ''S'']',
	'''shop'', ''idx'', ''a'', projection => ''all''', '''shop'', ''idx'', ''a'', projection => ''INCLUDE'', non_key_attributes => ''{}''',
	'''shop'', ''idx'', ''a'', projection => ''INCLUDE'', non_key_attributes => ARRAY(SELECT ''n'' || i FROM generate_series(1, 21) i)',
	'''shop'', ''idx'', ''a'', projection => ''INCLUDE'', non_key_attributes => ARRAY[''n'', '''']', '''shop'', ''idx'', ''a'', projection => ''INCLUDE'', non_key_attributes => ARRAY[''n'', NULL]',
	'''shop'', ''idx'', ARRAY[''pk'', ''a''], ARRAY[''b''], local => true', '''shop'', ''x'', '''', '''', ''Q'', projection => ''some'', non_key_attributes => ''{}''']) arguments;
-- Refused: meaning.
SELECT failure(format('SELECT create_item_index(%s)', arguments)) FROM unnest(ARRAY[
	'''shop'', ''idx'', ''a'', ''a''', '''shop'', ''idx'', ARRAY[''a'', ''b''], ARRAY[''a'']', '''shop'', ''idx'', ARRAY[''a'', ''a'']',
	'''shop'', ''idx'', ARRAY[''a'', ''b'', ''c'', ''d'', ''e'']', '''shop'', ''idx'', ARRAY[''a''], ARRAY[''1'', ''2'', ''3'', ''4'', ''5'']',
	'''shop'', ''idx'', ''a'', projection => NULL', '''shop'', ''idx'', ''a'', non_key_attributes => ARRAY[''n'']', '''shop'', ''idx'', ''a'', projection => ''KEYS_ONLY'', non_key_attributes => ARRAY[''n'']',
	'''shop'', ''idx'', ''a'', projection => ''INCLUDE''', '''shop'', ''idx'', ''a'', projection => ''INCLUDE'', non_key_attributes => ARRAY[''n'', ''m'', ''n'']',
	'''shop'', ''idx'', ''pk'', local => true', '''shop'', ''idx'', ''a'', ''b'', local => true', '''by_number'', ''idx'', ''id'', ''b'', local => true',
	'''orders'', ''by_status'', ''a''', '''orders'', ''local_total'', ''a''', '''orders'', ''idx'', ''total'', partition_key_type => ''S''', '''orders'', ''idx'', ''a'', ''number'', sort_key_type => ''B''',
	'''shop'', ''idx'', ''item''', '''shop'', ''idx'', ''ctid''', format('''shop'', ''idx'', %L', repeat('x', 64)), '''failure'', ''idx'', ''a''', '''0'', ''idx'', ''a''', '''before'', ''idx'', ''a''', '''shop_pkey'', ''idx'', ''a''']) arguments;
ALTER TABLE shop ADD COLUMN created timestamptz, ADD COLUMN upper text COLLATE "C" GENERATED ALWAYS AS (upper(pk)) STORED, ADD COLUMN locale text COLLATE "en-x-icu", ADD COLUMN price numeric(10, 2);
SELECT failure(format('SELECT create_item_index(''shop'', ''idx'', %L)', attribute)) FROM unnest(ARRAY['created', 'upper', 'locale', 'price']) attribute;
-- A refusal has changed nothing.
SELECT count(*) AS columns FROM pg_attribute WHERE attrelid = 'shop'::regclass AND attnum > 0 AND NOT attisdropped;
SELECT describe_item_table('shop') ? 'GlobalSecondaryIndexes' AS has_indexes;
-- Limits of DynamoDB, which CREATE INDEX does not know.
SELECT create_item_table('limits', 'pk', 'sk');
SELECT count(create_item_index('limits', 'gsi' || i, 'a' || i % 3)) FROM generate_series(1, 20) i;
SELECT count(create_item_index('limits', 'lsi' || i, 'pk', 'a' || i % 3, local => true)) FROM generate_series(1, 5) i;
SELECT failure('SELECT create_item_index(''limits'', ''one_more'', ''a0'')'), failure('SELECT create_item_index(''limits'', ''one_more'', ''pk'', ''a0'', local => true)');
CREATE INDEX limits_one_more ON limits USING gsi (a0, pk, sk);
SELECT jsonb_array_length(describe_item_table('limits') -> 'GlobalSecondaryIndexes') AS gsi, jsonb_array_length(describe_item_table('limits') -> 'LocalSecondaryIndexes') AS lsi;
-- Relation names that are long or taken.
CREATE TABLE orders_taken ();
SELECT create_item_index('orders', 'taken', 'a1');
SELECT create_item_table(repeat('long_name_', 6), 'pk');
SELECT create_item_index(repeat('long_name_', 6)::regclass, repeat('index_', 40) || i, 'a') FROM generate_series(1, 2) i;
-- In another schema, on a partitioned table, with triggers.
SELECT create_item_index('"my schema".t', 'idx', 'a');
CREATE TABLE split (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) PARTITION BY HASH (pk);
CREATE TABLE split_0 PARTITION OF split FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE split_1 PARTITION OF split FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO split SELECT 'P' || i, 'S', jsonb_build_object('a', 'A' || i % 3)::item FROM generate_series(1, 30) i;
SELECT create_item_index('split', 'by-a', 'a', 'pk');
SELECT count(*), count(a) FROM split;
SELECT count(*) FROM query_items('split', 'a = :a', '{":a": "A1"}', index => 'by-a');
CREATE FUNCTION count_updates() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO updates VALUES (NEW.pk); RETURN NEW; END $$;
CREATE TABLE updates (pk text);
CREATE TRIGGER counting BEFORE UPDATE ON late FOR EACH ROW EXECUTE FUNCTION count_updates();
SELECT create_item_index('late', 'b-index', 'b', partition_key_type => 'N');
SELECT * FROM updates;
-- Row-level security that binds the owner would keep items out.
ALTER TABLE late OWNER TO regress_customer;
ALTER TABLE late ENABLE ROW LEVEL SECURITY;
ALTER TABLE late FORCE ROW LEVEL SECURITY;
GRANT CREATE ON SCHEMA public TO regress_customer;
GRANT INSERT ON updates TO regress_customer;
SET ROLE regress_customer;
SELECT failure('SELECT create_item_index(''late'', ''c-index'', ''c'')');
ALTER TABLE late NO FORCE ROW LEVEL SECURITY;
SELECT create_item_index('late', 'c-index', 'c');
RESET ROLE;

-- Descriptions.
VACUUM ANALYZE orders;
SELECT jsonb_pretty(jsonb_set(jsonb_set(describe_item_table('orders'), '{GlobalSecondaryIndexes}', (SELECT jsonb_agg(i - 'IndexSizeBytes' ORDER BY n) FROM jsonb_array_elements(describe_item_table('orders') -> 'GlobalSecondaryIndexes') WITH ORDINALITY e (i, n)
	WHERE i ->> 'IndexName' IN ('by_status', 'many'))), '{LocalSecondaryIndexes,0,IndexSizeBytes}', '"..."') - 'TableSizeBytes');
SELECT (describe_item_table('orders') ->> 'TableSizeBytes')::bigint = pg_relation_size('orders') + (SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = 'orders'::regclass) AS size_of_table,
       (describe_item_table('orders') #>> '{GlobalSecondaryIndexes,0,IndexSizeBytes}')::bigint = pg_relation_size('orders_by_note') AS size_of_index;
-- By plain DDL: names, projections and key counts come from options and columns.
CREATE TABLE plain (id numeric PRIMARY KEY, other text COLLATE "C", rest item NOT NULL DEFAULT '{}', at timestamptz DEFAULT now(), b text COLLATE "C");
CREATE INDEX plain_other ON plain USING gsi (other, id) WITH (name = 'Named', projection = 'INCLUDE', non_key_attributes = '["z", "b", "a"]');
CREATE INDEX plain_unfit ON plain USING gsi (other);
CREATE INDEX plain_btree ON plain (b);
INSERT INTO plain (id, other) VALUES (1, 'x'), (2, NULL);
ANALYZE plain;
SELECT jsonb_pretty((describe_item_table('plain') - 'TableSizeBytes') #- '{GlobalSecondaryIndexes,0,IndexSizeBytes}');
-- An index that is still being built is not active.
BEGIN;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'plain_other'::regclass;
SELECT (describe_item_table('plain') #> '{GlobalSecondaryIndexes,0}') - 'IndexSizeBytes' AS index;
ROLLBACK;
SELECT describe_item_table('split') -> 'ItemCount' AS items, describe_item_table('fleeting') ->> 'TableName' AS temporary;
ANALYZE split;
SELECT describe_item_table('split') -> 'ItemCount' AS items, describe_item_table(NULL) IS NULL AS null_of_null;
SELECT failure(format('SELECT describe_item_table(%L)', relation)) FROM unnest(ARRAY['before', 'shop_pkey', '0', 'nowhere']) relation;

-- A value that is no key of a later index (empty, too long) stays out of it, also when another attribute of the item is updated.
CREATE TABLE unfit (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
SELECT count(put_item('unfit', jsonb_build_object('pk', pk, 'a', a, 'n', 1)::item)) FROM (VALUES ('empty', ''), ('long', repeat('x', 2049)), ('fits', repeat('x', 2048))) v (pk, a);
SELECT create_item_index('unfit', 'by_a', 'a');
SELECT pk, update_item('unfit', jsonb_build_object('pk', pk)::item, 'ADD n :one', attribute_values => '{":one": 1}', return_values => 'ALL_NEW') ->> 'n' AS n FROM unnest(ARRAY['empty', 'fits', 'long']) pk;
SELECT pk, length(a) AS in_column, length(item_text(item, 'a')) AS in_rest, length(full_item(u) ->> 'a') AS read FROM unfit u ORDER BY pk;
SELECT index_tuples, table_rows FROM check_item_index('unfit_by_a');

DROP TABLE shop, by_number, by_bytes, written, folded, "Quoted.Name", "a""b", "my-table", names, holds_items, orders, before, filled, before_filled, late, limits, orders_taken, split, updates, plain, fleeting, unfit;
SELECT format('DROP TABLE %I', repeat('t', 63)), format('DROP TABLE %I', repeat('long_name_', 6)) \gexec
DROP SCHEMA "my schema" CASCADE;
DROP FUNCTION failure, count_updates;
REVOKE CREATE ON SCHEMA public FROM regress_customer;
DROP ROLE regress_customer;
