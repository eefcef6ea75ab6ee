-- Rows of item tables as whole items, and the keys of items.
CREATE SCHEMA table_full_item;
SET search_path = table_full_item, public;

-- SQLSTATE, message and detail of a statement that fails.
CREATE FUNCTION error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text; message text; detail text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN state || ': ' || message || CASE WHEN detail <> '' THEN ' / ' || detail ELSE '' END;
END $$;

CREATE TABLE shop (
	pk text COLLATE "C" NOT NULL,
	sk text COLLATE "C" NOT NULL,
	gsi1pk text COLLATE "C",
	amount numeric,
	"Weird ""name" bytea,
	created timestamptz DEFAULT '2026-01-01 00:00:00Z',
	item item NOT NULL DEFAULT '{}',
	doubled numeric GENERATED ALWAYS AS (amount * 2) STORED,
	price numeric(10, 2),
	PRIMARY KEY (pk, sk)
);
CREATE INDEX shop_gsi1 ON shop USING gsi (gsi1pk, amount, pk, sk);

-- Columns and rest; numbers in normal form; other types, generated columns and numerics with a scale are no attributes.
INSERT INTO shop VALUES
	('a', '1', NULL, NULL, NULL, DEFAULT, DEFAULT, DEFAULT, DEFAULT),
	('a', '2', 'g', 1.10, '\x00ff', DEFAULT, '{"name": "Ann", "age": 31, "deep": {"l": [1, "x", null]}}', DEFAULT, DEFAULT),
	('b', '1', '', 0.0, '', DEFAULT, '{"zz": 1, "aa": 2}', DEFAULT, DEFAULT),
	('b', '2', 'ü€𝄞', -12345678901234567890.5, '\x80', NULL, DEFAULT, DEFAULT, 9.99);
SELECT full_item(s) FROM shop s ORDER BY pk, sk;

-- An attribute in the rest that has a column: the column is looked at first, the rest if it is NULL, whatever the type.
INSERT INTO shop (pk, sk, gsi1pk, item) VALUES
	('c', '1', 'column', '{"gsi1pk": "rest", "amount": 5}'),
	('c', '2', NULL, '{"gsi1pk": 7, "amount": "text", "pk": "rest"}');
SELECT full_item(s) FROM shop s WHERE pk = 'c' ORDER BY pk, sk;

-- The same as jsonb composed by SQL, over generated rows, long values and all.
INSERT INTO shop (pk, sk, gsi1pk, amount, item)
SELECT 'gen#' || i % 10, lpad(i::text, 5, '0'), CASE WHEN i % 3 = 0 THEN repeat('x', i * 20) END,
	CASE WHEN i % 4 = 0 THEN i / 7.0::numeric(20, 5) END,
	jsonb_build_object('n', i, 'long', repeat(md5(i::text), (i % 7) * 200), 'list', jsonb_build_array(i, i::text))::item
FROM generate_series(1, 200) i;
SELECT count(*), count(*) FILTER (WHERE full_item(s)::jsonb =
	item::jsonb || jsonb_strip_nulls(jsonb_build_object('pk', pk, 'sk', sk, 'gsi1pk', gsi1pk, 'amount', trim_scale(amount)))) AS equal
FROM shop s WHERE pk LIKE 'gen#%';
-- Every column may hold a number that no item can.
INSERT INTO shop (pk, sk, amount) VALUES ('n', '1', 'NaN'), ('n', '2', 'Infinity'), ('n', '3', 1e126), ('n', '4', 1e-131),
	('n', '5', 123456789012345678901234567890123456789);
SELECT sk, error_of(format('SELECT full_item(s) FROM shop s WHERE pk = ''n'' AND sk = %L', sk)) FROM shop WHERE pk = 'n' ORDER BY sk;
DELETE FROM shop WHERE pk = 'n';

-- Where rows come from: joins, subqueries that carry the row, lateral, outer joins, arrays, aggregates, views that carry it.
SELECT full_item(a) AS a, full_item(b) AS b FROM shop a LEFT JOIN shop b ON b.pk = a.pk AND b.sk > a.sk WHERE a.pk = 'a' ORDER BY a.sk, b.sk;
SELECT full_item(q.s) FROM (SELECT s FROM shop s WHERE pk = 'a' OFFSET 0) q ORDER BY (q.s).sk;
SELECT full_item(x) FROM shop s, LATERAL (SELECT (array_agg(t ORDER BY sk))[1] AS x FROM shop t WHERE t.pk = s.pk) l WHERE s.pk = 'b' AND s.sk = '2';
SELECT full_item(ROW('p', 's', NULL, 1, NULL, NULL, '{"a": 1}', NULL, NULL)::shop);
SELECT full_item(NULL::shop) IS NULL AS is_null;
CREATE VIEW shop_rows AS SELECT s AS row, pk, sk FROM shop s;
SELECT full_item(row) FROM shop_rows WHERE pk = 'a' ORDER BY sk;
SELECT full_item(r) FROM (SELECT unnest(array_agg(s ORDER BY sk)) AS r FROM shop s WHERE pk = 'a') q;

-- No rows of item tables.
CREATE VIEW shop_view AS SELECT * FROM shop;
CREATE TYPE pair AS (a text, b item);
CREATE TABLE plain (id integer PRIMARY KEY, t text);
INSERT INTO plain VALUES (1, 'x');
SELECT error_of('SELECT full_item(ROW(1, 2))');
SELECT error_of('SELECT full_item(q) FROM (SELECT * FROM shop) q');
SELECT error_of('SELECT full_item(v) FROM shop_view v');
SELECT error_of('SELECT full_item(ROW(''a'', ''{}'')::pair)');
SELECT error_of('SELECT full_item(p) FROM plain p');

-- In triggers, in policies, in CHECK constraints, in SQL and PL/pgSQL functions.
CREATE TABLE log (old item, new item, id integer GENERATED ALWAYS AS IDENTITY);
CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log (old, new) VALUES (CASE WHEN TG_OP <> 'INSERT' THEN full_item(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN full_item(NEW) END);
	RETURN NEW;
END $$;
CREATE TRIGGER log_change AFTER INSERT OR UPDATE OR DELETE ON shop FOR EACH ROW EXECUTE FUNCTION log_change();
INSERT INTO shop (pk, sk, item) VALUES ('t', '1', '{"n": 1}');
UPDATE shop SET item = item || '{"n": 2}', gsi1pk = 'x' WHERE pk = 't';
DELETE FROM shop WHERE pk = 't';
SELECT old, new FROM log ORDER BY id;
DROP TRIGGER log_change ON shop;
CREATE FUNCTION name_of(s shop) RETURNS text LANGUAGE sql STABLE AS $$ SELECT full_item(s) ->> 'name' $$;
SELECT s.name_of FROM shop s WHERE pk = 'a' ORDER BY sk;
ALTER TABLE shop ADD CONSTRAINT no_secret CHECK (NOT full_item(shop) ? 'secret');
SELECT error_of($$INSERT INTO shop (pk, sk, item) VALUES ('s', '1', '{"secret": 1}')$$) ~ '^23514.*no_secret' AS refused;
ALTER TABLE shop DROP CONSTRAINT no_secret;

-- Partitions: rows of the root and of a partition, whose columns may stand in another order.
CREATE TABLE parts (pk text COLLATE "C", item item NOT NULL DEFAULT '{}', n numeric, PRIMARY KEY (pk)) PARTITION BY HASH (pk);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 (n numeric, dropped integer, item item NOT NULL DEFAULT '{}', pk text COLLATE "C" NOT NULL);
ALTER TABLE parts_1 DROP COLUMN dropped;
ALTER TABLE parts ATTACH PARTITION parts_1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT 'p' || i, '{"x": "y"}', i FROM generate_series(1, 4) i;
SELECT full_item(p) FROM parts p ORDER BY pk;
SELECT full_item(p) FROM parts_1 p ORDER BY pk;
SELECT full_item(p) FROM parts_0 p ORDER BY pk;

-- item_key: the table's, an index's; NULL when the item is not in the index.
SELECT item_key('shop', '{"pk": "a", "sk": "b", "n": 1}');
SELECT item_key('shop', '{"pk": "a", "sk": "b", "n": 1, "gsi1pk": "g", "amount": 5}', 'shop_gsi1');
SELECT item_key('shop', '{"pk": "a", "sk": "b", "gsi1pk": "g"}', 'shop_gsi1') IS NULL AS not_in_index;
SELECT item_key('shop', NULL) IS NULL AS is_null;

-- Texts of reference/data-model, section 8: presence, type, emptiness, size, in schema order.
CREATE TABLE keys_snb (s text COLLATE "C", n numeric, b bytea, b2 bytea, PRIMARY KEY (s, b), item item);
CREATE INDEX keys_snb_z ON keys_snb USING gsi (n, b2, s, b) WITH (name = 'aaa');
CREATE INDEX keys_snb_a ON keys_snb USING gsi (b2, n, s, b) WITH (name = 'zzz');
SELECT item, error_of(format('SELECT item_key(''keys_snb'', %L)', item)) FROM (VALUES
	(1, '{"x": 1}'), (2, '{"s": 1}'), (3, '{"s": ""}'), (4, '{"s": "a"}'), (5, '{"s": "a", "b": "x"}'), (6, '{"s": "a", "b": {"B": ""}}'),
	(7, '{"s": null}'), (8, '{"s": ["a"], "b": 1}'), (9, '{"s": "a", "b": {"SS": ["x"]}}'), (10, '{"s": "\u0000", "b": {"B": "AA=="}}'),
	(11, '{"s": "a", "b": {"B": "AA=="}}')) AS v (id, item) ORDER BY id;
SELECT size, error_of(format('SELECT item_key(''keys_snb'', jsonb_build_object(''s'', repeat(''x'', %s), ''b'',
	jsonb_build_object(''B'', encode(decode(repeat(''00'', %s), ''hex''), ''base64'')))::text::item)', size, bytes)) FROM
	(VALUES (2048, 3), (2049, 3), (1, 6)) AS v (size, bytes) ORDER BY size DESC;
SELECT size, error_of(format('SELECT item_key(''shop'', jsonb_build_object(''pk'', repeat(''ü'', %s), ''sk'', repeat(''ü'', %s))::item)', pk, sk)) FROM
	(VALUES (1, 1024, 512), (2, 1025, 512), (3, 1024, 513)) AS v (size, pk, sk) ORDER BY size;
-- Index keys: the alphabetically first index is named; both the index's and the table's.
SELECT attribute, error_of(format('SELECT put_item(''keys_snb'', ''{"s": "a", "b": {"B": "AA=="}, %s}'')', attribute)) FROM (VALUES
	('"n": "x"'), ('"b2": 1'), ('"b2": {"B": ""}'), ('"n": null, "b2": {"B": ""}'), ('"n": {"M": {}}')) AS v (attribute) ORDER BY attribute COLLATE "C";
SELECT size, error_of(format('SELECT put_item(''shop'', jsonb_build_object(''pk'', ''a'', ''sk'', ''b'', ''gsi1pk'', repeat(''x'', %s))::item)', size))
FROM (VALUES (0), (2048), (2049)) AS v (size) ORDER BY size;
SELECT error_of($$SELECT put_item('shop', '{"pk": "a", "sk": "b", "gsi1pk": "x\u0000"}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "a", "sk": "b", "amount": "x"}')$$);
-- In item_key such an item is not in the index.
SELECT item_key('shop', '{"pk": "a", "sk": "b", "gsi1pk": "x\u0000", "amount": 1}', 'shop_gsi1') IS NULL AS not_in_index;
SELECT item_key('shop', '{"pk": "a", "sk": "b", "gsi1pk": "x", "amount": "1"}', 'shop_gsi1') IS NULL AS not_in_index;
SELECT error_of($$SELECT item_key('shop', '{"pk": "a", "sk": "b"}', 'shop_gsi2')$$);

\set VERBOSITY terse
SET client_min_messages = warning;
DROP SCHEMA table_full_item CASCADE;
