-- Writes do what plain SQL does: triggers, defaults, constraints, foreign keys, partitions and names of any kind.
CREATE SCHEMA storage_write;
SET search_path = storage_write, public;

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
	id integer GENERATED ALWAYS AS IDENTITY,
	pk text COLLATE "C",
	sk text COLLATE "C",
	gsi1pk text COLLATE "C",
	amount numeric,
	created timestamptz DEFAULT '2026-01-01 00:00:00Z',
	item item NOT NULL DEFAULT '{}',
	doubled numeric GENERATED ALWAYS AS (amount * 2) STORED,
	PRIMARY KEY (pk, sk)
) WITH (fillfactor = 50);
CREATE INDEX shop_gsi1 ON shop USING gsi (gsi1pk, pk, sk);
CREATE VIEW rows AS SELECT id, pk, sk, gsi1pk, amount, to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS created, doubled, item FROM shop;

-- What goes where; columns of other types keep their defaults, and their values when the item is replaced.
SELECT put_item('shop', '{"pk": "a", "sk": "1", "gsi1pk": "g", "amount": 1.50, "n": 1}');
SELECT put_item('shop', '{"pk": "a", "sk": "2", "amount": 2, "created": "text", "id": {"l": [1]}, "doubled": null}', 'attribute_not_exists(pk)');
SELECT * FROM rows ORDER BY sk;
UPDATE shop SET created = '2026-02-02 00:00:00Z';
SELECT put_item('shop', '{"pk": "a", "sk": "1", "other": true}', return_values => 'ALL_OLD');
SELECT update_item('shop', '{"pk": "a", "sk": "2"}', 'SET gsi1pk = :g, n = :n REMOVE amount', NULL, '{":g": "x", ":n": 5}', return_values => 'ALL_NEW');
SELECT update_item('shop', '{"pk": "a", "sk": "3"}', 'SET n = :n', NULL, '{":n": 5}', return_values => 'ALL_NEW');
SELECT * FROM rows ORDER BY sk;
SELECT delete_item('shop', '{"pk": "a", "sk": "2"}', return_values => 'ALL_OLD'), delete_item('shop', '{"pk": "a", "sk": "3"}'), delete_item('shop', '{"pk": "a", "sk": "4"}');
SELECT * FROM rows ORDER BY sk;

-- A promoted attribute that is no key may have any type: it stays in the rest then, and goes back.
SELECT put_item('shop', '{"pk": "b", "sk": "1", "amount": "many"}');
SELECT update_item('shop', '{"pk": "b", "sk": "1"}', 'SET a2 = amount', return_values => 'ALL_NEW');
SELECT * FROM rows WHERE pk = 'b';
SELECT update_item('shop', '{"pk": "b", "sk": "1"}', 'SET amount = :n REMOVE a2', NULL, '{":n": 7}', return_values => 'ALL_NEW');
SELECT * FROM rows WHERE pk = 'b';
-- An update of other attributes writes the item column alone, and is HOT; so is one of a column without an index.
BEGIN;
CREATE TEMP TABLE before AS SELECT pg_stat_get_xact_tuples_updated('shop'::regclass) AS updated, pg_stat_get_xact_tuples_hot_updated('shop'::regclass) AS hot;
SELECT update_item('shop', '{"pk": "b", "sk": "1"}', 'SET n' || i || ' = :n', NULL, '{":n": 7}') FROM generate_series(1, 3) i;
SELECT update_item('shop', '{"pk": "b", "sk": "1"}', 'SET amount = :n', NULL, '{":n": 8}');
SELECT update_item('shop', '{"pk": "b", "sk": "1"}', 'SET gsi1pk = :n', NULL, '{":n": "x"}');
SELECT pg_stat_get_xact_tuples_updated('shop'::regclass) - updated AS updated, pg_stat_get_xact_tuples_hot_updated('shop'::regclass) - hot AS hot FROM before;
COMMIT;

-- Attributes that are in the rest though they have a column: it was added later.  No update loses them.
CREATE TABLE later (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL);
SELECT put_item('later', jsonb_build_object('pk', i::text, 'status', 'open', 'n', i)::item) FROM generate_series(1, 4) i;
SELECT update_item('later', '{"pk": "1"}', 'SET a = :a', NULL, '{":a": 1}', return_values => 'ALL_NEW');
ALTER TABLE later ADD COLUMN status text COLLATE "C", ADD COLUMN n numeric;
SELECT get_item('later', '{"pk": "1"}'), full_item(l) FROM later l WHERE pk = '1';
SELECT update_item('later', '{"pk": "1"}', 'SET a = :a', NULL, '{":a": 2}', return_values => 'ALL_NEW');
SELECT update_item('later', '{"pk": "2"}', 'SET a = :a REMOVE n', NULL, '{":a": 2}', return_values => 'ALL_NEW');
SELECT update_item('later', '{"pk": "3"}', 'SET #s = :a', NULL, '{":a": "done"}', '{"#s": "status"}', return_values => 'ALL_NEW');
UPDATE later SET status = 'column' WHERE pk = '4';
SELECT update_item('later', '{"pk": "4"}', 'SET a = :a', NULL, '{":a": 2}', return_values => 'ALL_NEW');
SELECT * FROM later ORDER BY pk;

-- Values that are in a column, and could not be keys of the index that it got later: a write takes them away.
CREATE TABLE before_index (pk text COLLATE "C" PRIMARY KEY, status text COLLATE "C", item item NOT NULL);
SELECT put_item('before_index', jsonb_build_object('pk', i::text, 'status', CASE WHEN i % 2 = 0 THEN '' ELSE repeat('long', 1000) END)::item) FROM generate_series(1, 6) i;
CREATE INDEX before_index_status ON before_index USING gsi (status, pk);
SET singletable.force_statements = on;
SELECT put_item('before_index', '{"pk": "1"}', 'attribute_exists(pk)'), put_item('before_index', '{"pk": "2"}', 'attribute_exists(pk)');
SELECT update_item('before_index', jsonb_build_object('pk', i::text)::item, 'REMOVE #s', NULL, NULL, '{"#s": "status"}', return_values => 'ALL_NEW') FROM generate_series(3, 4) i;
SELECT left(update_item('before_index', jsonb_build_object('pk', i::text)::item, 'SET n = :n', NULL, '{":n": 1}', return_values => 'ALL_NEW')::text, 60) FROM generate_series(5, 6) i;
RESET singletable.force_statements;
SELECT pk, status IS NULL AS is_null, left(item::text, 60) AS item FROM before_index ORDER BY pk;
SELECT * FROM check_item_index('before_index_status');

-- Triggers of all kinds see plain rows; they may change them.
CREATE TABLE log (id integer GENERATED ALWAYS AS IDENTITY, what text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log (what) VALUES (format('%s %s %s %s', TG_NAME, TG_OP, CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'INSERT' THEN OLD.item END,
		CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'DELETE' THEN NEW.item END));
	IF TG_WHEN = 'BEFORE' AND TG_OP <> 'DELETE' THEN
		NEW.item := NEW.item || '{"touched": true}';
	END IF;
	RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER before_row BEFORE INSERT OR UPDATE OR DELETE ON shop FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER after_row AFTER INSERT OR UPDATE OR DELETE ON shop FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER gsi1pk_row AFTER UPDATE OF gsi1pk ON shop FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER after_statement AFTER INSERT OR UPDATE OR DELETE ON shop FOR EACH STATEMENT EXECUTE FUNCTION note();
SELECT put_item('shop', '{"pk": "t", "sk": "1", "n": 1}', 'attribute_not_exists(pk)');
SELECT update_item('shop', '{"pk": "t", "sk": "1"}', 'SET n = :n', NULL, '{":n": 2}', return_values => 'ALL_NEW');
SELECT update_item('shop', '{"pk": "t", "sk": "1"}', 'SET gsi1pk = :n', NULL, '{":n": "g"}');
SELECT put_item('shop', '{"pk": "t", "sk": "1", "n": 3}');
SELECT delete_item('shop', '{"pk": "t", "sk": "1"}');
SELECT what FROM log ORDER BY id;
DROP TRIGGER before_row ON shop;
DROP TRIGGER after_row ON shop;
DROP TRIGGER after_statement ON shop;
DROP TRIGGER gsi1pk_row ON shop;

-- A trigger that keeps a row from being written has the last word, as in SQL.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON shop FOR EACH ROW EXECUTE FUNCTION refuse();
SELECT put_item('shop', '{"pk": "t", "sk": "2"}');
SELECT put_item('shop', '{"pk": "t", "sk": "2"}', 'attribute_not_exists(pk)');
SELECT update_item('shop', '{"pk": "t", "sk": "2"}', 'SET n = :n', NULL, '{":n": 2}');
SELECT update_item('shop', '{"pk": "a", "sk": "1"}', 'SET n = :n', NULL, '{":n": 2}');
SELECT delete_item('shop', '{"pk": "a", "sk": "1"}');
SELECT check_item('shop', '{"pk": "t", "sk": "2"}', 'attribute_not_exists(pk)');
SELECT * FROM rows WHERE pk IN ('a', 't') ORDER BY pk, sk;
DROP TRIGGER refuse ON shop;

-- A trigger that writes to another item table, or to the same one.
CREATE TABLE counters (name text COLLATE "C" PRIMARY KEY, item item);
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM update_item('storage_write.counters', jsonb_build_object('name', NEW.pk)::item, 'ADD c :one', NULL, '{":one": 1}');
	IF NEW.sk <> 'summary' THEN
		PERFORM update_item('storage_write.shop', jsonb_build_object('pk', NEW.pk, 'sk', 'summary')::item, 'ADD c :one', NULL, '{":one": 1}');
	END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER count_row AFTER INSERT ON shop FOR EACH ROW EXECUTE FUNCTION count_row();
SELECT put_item('shop', jsonb_build_object('pk', 'c', 'sk', i::text)::item, 'attribute_not_exists(pk)') FROM generate_series(1, 3) i;
SELECT get_item('counters', '{"name": "c"}'), get_item('shop', '{"pk": "c", "sk": "summary"}');
DROP TRIGGER count_row ON shop;

-- Constraints: the server's errors, with their SQLSTATE.
CREATE TABLE strict (pk text COLLATE "C" PRIMARY KEY, status text COLLATE "C" NOT NULL CHECK (status <> 'bad'), n numeric UNIQUE, item item NOT NULL);
CREATE TABLE child (parent text COLLATE "C" REFERENCES strict, id integer);
SELECT error_of($$SELECT put_item('strict', '{"pk": "a"}')$$) ~ '^23502: null value in column "status"' AS not_null;
SELECT error_of($$SELECT put_item('strict', '{"pk": "a", "status": "bad"}')$$) ~ '^23514:.*strict_status_check' AS check;
SELECT put_item('strict', '{"pk": "a", "status": "good", "n": 1}'), put_item('strict', '{"pk": "b", "status": "good", "n": 2}');
SELECT error_of($$SELECT put_item('strict', '{"pk": "c", "status": "good", "n": 1}', 'attribute_not_exists(pk)')$$);
SELECT error_of($$SELECT update_item('strict', '{"pk": "b"}', 'SET n = :n', NULL, '{":n": 1}')$$);
INSERT INTO child VALUES ('a', 1);
SELECT error_of($$SELECT delete_item('strict', '{"pk": "a"}')$$) ~ '^23503:.*still referenced' AS referenced;
SELECT update_item('strict', '{"pk": "a"}', 'SET n = :n', NULL, '{":n": 3}', return_values => 'ALL_NEW');
SELECT error_of($$SELECT check_item('strict', '{"pk": "zz"}', 'attribute_exists(pk)')$$), check_item('strict', '{"pk": "zz"}', 'attribute_not_exists(pk)');
SELECT full_item(s) FROM strict s ORDER BY pk;

-- The lock of an absent key leaves nothing behind, whatever columns there are.
SELECT check_item('shop', '{"pk": "none", "sk": "1"}', 'attribute_not_exists(pk)'), check_item('later', '{"pk": "none"}', 'attribute_not_exists(pk)');
BEGIN;
SELECT check_item('shop', '{"pk": "none", "sk": "1"}', 'attribute_not_exists(pk)');
SELECT put_item('shop', '{"pk": "none", "sk": "1"}', 'attribute_not_exists(pk)');
SELECT check_item('shop', '{"pk": "none", "sk": "1"}', 'attribute_exists(pk)');
ROLLBACK;
SELECT count(*) FROM shop WHERE pk = 'none';

-- Keys that DynamoDB allows and a btree cannot hold in one row, unless it compresses them.
SELECT error_of(format('SELECT put_item(''shop'', jsonb_build_object(''pk'', %L, ''sk'', %L)::item)', left(long, 2048), right(long, 1024)))
FROM (SELECT string_agg(md5(i::text), '') AS long FROM generate_series(1, 200) i) l;
SELECT error_of(format('SELECT put_item(''shop'', jsonb_build_object(''pk'', ''x'', ''sk'', %L, ''gsi1pk'', %L)::item)', right(long, 1024), left(long, 2048)))
FROM (SELECT string_agg(md5(i::text), '') AS long FROM generate_series(1, 200) i) l;
SELECT put_item('shop', jsonb_build_object('pk', repeat('p', 2048), 'sk', repeat('s', 1024))::item);
SELECT length(pk), length(sk) FROM shop WHERE pk LIKE 'pp%';

-- Rules and read-only transactions: the server's errors.
CREATE RULE no_delete AS ON DELETE TO later DO INSTEAD NOTHING;
SELECT delete_item('later', '{"pk": "1"}'), get_item('later', '{"pk": "1"}') IS NOT NULL AS is_there;
CREATE RULE no_insert AS ON INSERT TO later DO INSTEAD NOTHING;
SELECT put_item('later', '{"pk": "9"}'), get_item('later', '{"pk": "9"}') IS NOT NULL AS is_there;
CREATE OR REPLACE RULE no_insert AS ON INSERT TO later DO INSTEAD INSERT INTO log (what) VALUES ('rule');
SELECT error_of($$SELECT put_item('later', '{"pk": "9"}')$$);
BEGIN READ ONLY;
SELECT error_of($$SELECT put_item('shop', '{"pk": "a", "sk": "1"}')$$);
SELECT error_of($$SELECT put_item('shop', '{"pk": "a", "sk": "1"}', 'attribute_exists(pk)')$$);
SELECT get_item('shop', '{"pk": "a", "sk": "1"}');
COMMIT;

-- Partitions: a row goes where it belongs, or nowhere.
CREATE TABLE parts (pk text COLLATE "C", sk numeric, g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) PARTITION BY LIST (pk);
CREATE TABLE parts_a PARTITION OF parts FOR VALUES IN ('a') PARTITION BY RANGE (sk);
CREATE TABLE parts_a_low PARTITION OF parts_a FOR VALUES FROM (MINVALUE) TO (10);
CREATE TABLE parts_a_high PARTITION OF parts_a FOR VALUES FROM (10) TO (MAXVALUE);
CREATE TABLE parts_b PARTITION OF parts FOR VALUES IN ('b');
CREATE INDEX ON parts USING gsi (g, pk, sk);
SELECT put_item('parts', '{"pk": "a", "sk": 1, "g": "x"}'), put_item('parts', '{"pk": "a", "sk": 11}', 'attribute_not_exists(pk)'), put_item('parts', '{"pk": "b", "sk": 1}');
SELECT put_item('parts', '{"pk": "a", "sk": 1, "g": "y"}', return_values => 'ALL_OLD');
SELECT update_item('parts', '{"pk": "a", "sk": 11}', 'SET g = :g', NULL, '{":g": "y"}', return_values => 'ALL_NEW');
SELECT tableoid::regclass, full_item(p) FROM parts p ORDER BY pk, sk;
SELECT query_items('parts', 'g = :g', '{":g": "y"}', index => 'parts_g_pk_sk_idx');
SELECT error_of($$SELECT put_item('parts', '{"pk": "c", "sk": 1}')$$);
SELECT error_of($$SELECT put_item('parts_b', '{"pk": "a", "sk": 1}')$$);
SELECT put_item('parts_b', '{"pk": "b", "sk": 2}'), check_item('parts', '{"pk": "b", "sk": 3}', 'attribute_not_exists(pk)');
SELECT delete_item('parts', '{"pk": "a", "sk": 1}', return_values => 'ALL_OLD'), delete_item('parts', '{"pk": "a", "sk": 2}');
SELECT tableoid::regclass, full_item(p) FROM parts p ORDER BY pk, sk;

-- Names that need quotes; operators of the same names in the search path; a search path without the table's schema.
CREATE SCHEMA "Sche""ma";
CREATE TABLE "Sche""ma"."T able" ("p k" text COLLATE "C", "select" numeric, "gsi$1" bytea, "it'em" item, PRIMARY KEY ("p k", "select"));
CREATE INDEX "i ""x" ON "Sche""ma"."T able" USING gsi ("gsi$1", "select", "p k");
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION hostile.never(numeric, numeric) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.never);
CREATE OPERATOR hostile.= (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = hostile.never);
CREATE OPERATOR hostile.> (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = hostile.never);
CREATE OPERATOR hostile.>= (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = hostile.never);
SET search_path = hostile, pg_catalog, public;
SET singletable.force_statements = on;
SELECT put_item('"Sche""ma"."T able"', '{"p k": "a", "select": 1, "gsi$1": {"B": "AA=="}, "x": 1}');
SELECT put_item('"Sche""ma"."T able"', '{"p k": "a", "select": 2, "gsi$1": {"B": "AA=="}, "x": 1}', 'attribute_not_exists(x)');
SELECT update_item('"Sche""ma"."T able"', '{"p k": "a", "select": 1}', 'SET x = x + :one', NULL, '{":one": 1}', return_values => 'ALL_NEW');
SELECT update_item('"Sche""ma"."T able"', '{"p k": "a", "select": 1}', 'SET #g = :one', NULL, '{":one": {"B": "Ag=="}}', '{"#g": "gsi$1"}', return_values => 'ALL_NEW');
SELECT get_item('"Sche""ma"."T able"', '{"p k": "a", "select": 1}');
SELECT query_items('"Sche""ma"."T able"', '#p = :p AND #s > :s', '{":p": "a", ":s": 1}', '{"#p": "p k", "#s": "select"}');
SELECT query_items('"Sche""ma"."T able"', '#g = :p', '{":p": {"B": "AA=="}}', '{"#g": "gsi$1"}', index => 'i "x', forward => false,
	start_key => '{"p k": "a", "select": 3, "gsi$1": {"B": "AA=="}}');
SELECT delete_item('"Sche""ma"."T able"', '{"p k": "a", "select": 1}', return_values => 'ALL_OLD');
RESET singletable.force_statements;
SET search_path = storage_write, public;

-- Schemas that change their names: the session knows both tables, and writes to the right one.
CREATE SCHEMA red;
CREATE SCHEMA blue;
CREATE TABLE red.t (pk text COLLATE "C" PRIMARY KEY, item item);
CREATE TABLE blue.t (pk text COLLATE "C" PRIMARY KEY, item item);
SELECT put_item('red.t', '{"pk": "red"}'), put_item('blue.t', '{"pk": "blue"}');
ALTER SCHEMA red RENAME TO green;
ALTER SCHEMA blue RENAME TO red;
ALTER SCHEMA green RENAME TO blue;
SELECT put_item('red.t', '{"pk": "blue now red"}'), put_item('blue.t', '{"pk": "red now blue"}');
SELECT (SELECT array_agg(pk ORDER BY pk) FROM red.t) AS red, (SELECT array_agg(pk ORDER BY pk) FROM blue.t) AS blue;
ALTER TABLE red.t SET SCHEMA hostile;
SELECT update_item('hostile.t', '{"pk": "blue"}', 'SET n = :n', NULL, '{":n": 1}', return_values => 'ALL_NEW');

-- Writes in functions with exception blocks, in SQL functions, in procedures that commit.
CREATE FUNCTION put_twice(key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM put_item('hostile.t', jsonb_build_object('pk', key)::item, 'attribute_not_exists(pk)');
	BEGIN
		PERFORM put_item('hostile.t', jsonb_build_object('pk', key || '+')::item);
		PERFORM put_item('hostile.t', jsonb_build_object('pk', key)::item, 'attribute_not_exists(pk)');
		RETURN 'put';
	EXCEPTION WHEN SQLSTATE 'KV002' THEN
		RETURN 'refused: ' || SQLERRM;
	END;
END $$;
SELECT put_twice('twice'), put_twice('again');
CREATE FUNCTION put_sql(key text, OUT old item, OUT new item) LANGUAGE sql AS $$
	SELECT put_item('hostile.t', jsonb_build_object('pk', key, 'n', 1)::item, return_values => 'ALL_OLD'),
		update_item('hostile.t', jsonb_build_object('pk', key)::item, 'ADD n :n', NULL, '{":n": 1}', return_values => 'ALL_NEW')
$$;
SELECT * FROM put_sql('sql');
CREATE PROCEDURE put_many() LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. 3 LOOP
		PERFORM put_item('hostile.t', jsonb_build_object('pk', 'p' || i)::item, 'attribute_not_exists(pk)');
		COMMIT;
		PERFORM update_item('hostile.t', jsonb_build_object('pk', 'p' || i)::item, 'ADD n :n', NULL, '{":n": 1}');
		ROLLBACK;
	END LOOP;
END $$;
CALL put_many();
SELECT full_item(t) FROM hostile.t t ORDER BY pk;

-- One statement that puts, reads and updates: a read sees the snapshot of its statement, a write what is there.
WITH written AS (SELECT put_item('hostile.t', '{"pk": "s", "n": 1}') IS NULL AS done)
SELECT done, get_item('hostile.t', '{"pk": "s"}') FROM written;
SELECT get_item('hostile.t', '{"pk": "s"}');

SET client_min_messages = warning;
DROP SCHEMA storage_write, hostile, red, blue, "Sche""ma" CASCADE;
