-- What makes a table an item table, and what the session knows of it while it changes.
CREATE SCHEMA table_descriptor;
SET search_path = table_descriptor, public;

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
-- The reason why a relation is no item table.
CREATE FUNCTION defect_of(relation regclass) RETURNS text LANGUAGE sql AS $$
	SELECT error_of(format('SELECT item_key(%s, ''{}'')', relation::oid))
$$;

-- Item tables: one key or two, of each type, in any order of columns, with an INCLUDE column, unlogged, temporary, partitioned, a partition.
CREATE TABLE good_1 (item item, pk text COLLATE "C" PRIMARY KEY);
CREATE TABLE good_2 (n numeric, data item NOT NULL, b bytea, PRIMARY KEY (b, n));
CREATE UNLOGGED TABLE good_3 (other text, i item, pk text COLLATE "POSIX", PRIMARY KEY (pk) INCLUDE (other));
CREATE TEMP TABLE good_4 (pk bytea PRIMARY KEY, item item);
CREATE TABLE good_5 (pk text COLLATE "C" PRIMARY KEY, item item) PARTITION BY LIST (pk);
CREATE TABLE good_6 PARTITION OF good_5 FOR VALUES IN ('a', 'b');
SELECT relation, error_of(format('SELECT item_key(%L, %L)', relation, key)) FROM (VALUES
	('good_1', '{"pk": "a"}'), ('good_2', '{"b": {"B": "AA=="}, "n": 1}'), ('good_3', '{"pk": "a"}'), ('good_4', '{"pk": {"B": "AA=="}}'),
	('good_5', '{"pk": "a"}'), ('good_6', '{"pk": "a"}')) AS v (relation, key) ORDER BY 1;

-- All others, with the reason.
CREATE TABLE bad_01 (pk text COLLATE "C" PRIMARY KEY, a jsonb);
CREATE TABLE bad_02 (pk text COLLATE "C" PRIMARY KEY, a item, b item);
CREATE TABLE bad_03 (pk text COLLATE "C", item item);
CREATE TABLE bad_04 (pk text COLLATE "C", item item, PRIMARY KEY (pk) DEFERRABLE);
CREATE TABLE bad_05 (a text COLLATE "C", b text COLLATE "C", c text COLLATE "C", item item, PRIMARY KEY (a, b, c));
CREATE TABLE bad_06 (id integer PRIMARY KEY, item item);
CREATE TABLE bad_07 (pk varchar(10) COLLATE "C" PRIMARY KEY, item item);
CREATE TABLE bad_08 (pk numeric(10, 2) PRIMARY KEY, item item);
CREATE TABLE bad_09 (a text COLLATE "C", pk text COLLATE "C" GENERATED ALWAYS AS (upper(a)) STORED PRIMARY KEY, item item);
CREATE COLLATION by_character (locale = 'C.UTF-8');
CREATE TABLE bad_10 (pk text COLLATE by_character PRIMARY KEY, item item);
CREATE TABLE bad_11 (pk text COLLATE "C" PRIMARY KEY, a text, item item GENERATED ALWAYS AS (('{"a": 1}'::item)) STORED);
CREATE TABLE bad_12 (LIKE good_1 INCLUDING ALL);
CREATE TABLE bad_12_child () INHERITS (bad_12);
CREATE VIEW bad_13 AS SELECT * FROM good_1;
CREATE MATERIALIZED VIEW bad_14 AS SELECT * FROM good_1;
CREATE SEQUENCE bad_15;
CREATE TYPE bad_16 AS (pk text, item item);
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE bad_17 (pk text COLLATE "C", item item) SERVER nowhere;
CREATE DOMAIN item_domain AS item;
CREATE TABLE bad_18 (pk text COLLATE "C" PRIMARY KEY, item item_domain);
CREATE TABLE bad_19 (pk text COLLATE "C", item item);
CREATE UNIQUE INDEX ON bad_19 (pk);
SELECT relname AS relation, defect_of(oid) FROM pg_class
WHERE relnamespace = 'table_descriptor'::regnamespace AND relname ~ '^bad_[0-9]*$' ORDER BY relname COLLATE "C";
SELECT defect_of('good_1_pkey'), defect_of('pg_class'), defect_of(0), defect_of(4294967295);
SELECT error_of('SELECT item_key(''nowhere'', ''{}'')');
-- A child that inherits no longer is no obstacle.
ALTER TABLE bad_12_child NO INHERIT bad_12;
SELECT item_key('bad_12', '{"pk": "a"}');

-- A shard of a distributed table: Citus tells, here a function in its place.
SET allow_system_table_mods = on;
CREATE FUNCTION pg_catalog.relation_is_a_known_shard(regclass) RETURNS boolean LANGUAGE sql AS
$$ SELECT $1 = 'table_descriptor.good_2'::regclass $$;
ALTER TABLE good_2 ADD COLUMN x text;
ALTER TABLE good_1 ADD COLUMN x text;
SELECT defect_of('good_2'), item_key('good_1', '{"pk": "a"}');
DROP FUNCTION pg_catalog.relation_is_a_known_shard(regclass);
RESET allow_system_table_mods;
ALTER TABLE good_2 DROP COLUMN x;

-- The type is known by what it is, not by its name: item in another schema, another type of its name.
CREATE TYPE table_descriptor.item AS (a integer);
CREATE TABLE other_item (pk text COLLATE "C" PRIMARY KEY, item table_descriptor.item);
SELECT defect_of('other_item');
DROP TABLE other_item;
DROP TYPE table_descriptor.item;

-- Indexes: which of them the operations can use, and why not the others.
CREATE TABLE shop (
	pk text COLLATE "C", sk text COLLATE "C", a text COLLATE "C", b numeric, c bytea, v varchar(10) COLLATE "C", n numeric(5, 1),
	item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX i_plain ON shop (a, pk, sk);
CREATE INDEX i_01 ON shop USING gsi (a, pk, sk);
CREATE INDEX i_02 ON shop USING gsi (a, b, pk, sk);
CREATE INDEX i_03 ON shop USING gsi (sk, pk);
CREATE INDEX i_04 ON shop USING lsi (pk, b, sk);
CREATE INDEX i_05 ON shop USING gsi (a, b, c, pk, sk) WITH (partition_keys = 2, sort_keys = 1);
CREATE INDEX i_06 ON shop USING gsi (a, b, pk, sk) WHERE a > 'm';
CREATE INDEX i_07 ON shop USING gsi (a, pk, sk) INCLUDE (item, b);
CREATE INDEX i_51 ON shop USING gsi (a, b);
CREATE INDEX i_52 ON shop USING gsi (a, b DESC, pk, sk);
CREATE INDEX i_53 ON shop USING gsi (v, pk, sk);
CREATE INDEX i_54 ON shop USING gsi (n, pk, sk);
CREATE INDEX i_55 ON shop USING gsi ((upper(a)), pk, sk);
CREATE INDEX i_56 ON shop USING lsi (a, b, pk, sk);
CREATE INDEX i_57 ON shop USING gsi (a, b, c, pk, sk);
CREATE INDEX i_59 ON shop USING gsi (a, a, pk, sk);
SELECT name, error_of(format('SELECT item_key(''shop'', ''{"pk": "p", "sk": "s", "a": "a", "b": 1, "c": {"B": "AA=="}}'', %L)', name))
FROM (SELECT relname AS name FROM pg_class WHERE relname ~ '^i_' AND relnamespace = 'table_descriptor'::regnamespace) i
ORDER BY name COLLATE "C";
SELECT item_key('shop', '{"pk": "p", "sk": "s", "a": "a", "b": 1, "c": {"B": "AA=="}, "d": 1}', name) AS key, name
FROM unnest(array['i_01', 'i_02', 'i_03', 'i_04', 'i_05', 'i_07']) name ORDER BY name;
-- Index keys are partition key and sort key; the table's key behind them is none, so no longer than it may be in the table.
SELECT error_of($$SELECT put_item('shop', jsonb_build_object('pk', repeat('p', 1025), 'sk', 's', 'a', 'a', 'b', 1)::item)$$);
DROP INDEX i_03;
SELECT error_of($$SELECT put_item('shop', jsonb_build_object('pk', repeat('p', 1025), 'sk', 's', 'a', 'a', 'b', 1)::item)$$);
DELETE FROM shop;

-- Changes while the table is known to the session: each is seen by the next call.
INSERT INTO shop (pk, sk, a, b, item) VALUES ('p', 's', 'a', 1, '{"x": 1}');
SELECT full_item(s) FROM shop s;
ALTER TABLE shop RENAME COLUMN a TO aa;
SELECT full_item(s) FROM shop s;
ALTER TABLE shop ADD COLUMN later text DEFAULT 'default', ADD COLUMN empty text, ADD COLUMN other integer DEFAULT 5;
SELECT full_item(s) FROM shop s;
ALTER TABLE shop ALTER COLUMN b TYPE text COLLATE "C" USING 'text ' || b;
SELECT full_item(s) FROM shop s;
ALTER TABLE shop DROP COLUMN b;
SELECT full_item(s) FROM shop s;
ALTER TABLE shop RENAME COLUMN item TO rest;
ALTER TABLE shop RENAME TO store;
SELECT full_item(s) FROM store s;
ALTER TABLE store RENAME COLUMN pk TO partition;
SELECT error_of('SELECT item_key(''store'', ''{"pk": "p", "sk": "s"}'')');
ALTER TABLE store DROP CONSTRAINT shop_pkey;
SELECT defect_of('store');
ALTER TABLE store ADD PRIMARY KEY (sk);
SELECT item_key('store', '{"sk": "s", "partition": "p"}');
ALTER TABLE store DROP CONSTRAINT store_pkey, ADD PRIMARY KEY (sk, partition);
SELECT item_key('store', '{"sk": "s", "partition": "p"}');
ALTER TABLE store ADD COLUMN second item;
SELECT defect_of('store');
ALTER TABLE store DROP COLUMN second;
SELECT full_item(s) FROM store s;
-- Of indexes too, which have messages of their own.
SELECT error_of('SELECT item_key(''store'', ''{"sk": "s", "partition": "p", "aa": 1}'')');
CREATE INDEX store_1 ON store USING gsi (aa, sk, partition);
SELECT item_key('store', '{"sk": "s", "partition": "p", "aa": "x"}', 'store_1');
ALTER INDEX store_1 RENAME TO store_2;
SELECT error_of('SELECT item_key(''store'', ''{"sk": "s", "partition": "p", "aa": "x"}'', ''store_1'')'), item_key('store', '{"sk": "s", "partition": "p", "aa": "x"}', 'store_2');
ALTER INDEX store_2 SET (name = 'By "aa"');
SELECT error_of('SELECT item_key(''store'', ''{"sk": "s", "partition": "p", "aa": "x"}'', ''store_2'')'), item_key('store', '{"sk": "s", "partition": "p", "aa": "x"}', 'By "aa"');
ALTER INDEX store_2 SET (sort_keys = 1);
SELECT error_of(format('SELECT put_item(''store'', ''{"sk": "%s", "partition": "p", "aa": "x"}'')', repeat('x', 1025)));
ALTER INDEX store_2 RESET (name, sort_keys);
SELECT error_of(format('SELECT put_item(''store'', ''{"sk": "%s", "partition": "p", "aa": "x"}'')', repeat('x', 1025)));
DELETE FROM store WHERE sk LIKE 'x%';
REINDEX TABLE CONCURRENTLY store;
SELECT item_key('store', '{"sk": "s", "partition": "p", "aa": "x"}', 'store_2');
DROP INDEX CONCURRENTLY store_2;
SELECT error_of('SELECT item_key(''store'', ''{"sk": "s", "partition": "p", "aa": "x"}'', ''store_2'')');
-- What a transaction changed and rolled back.
BEGIN;
ALTER TABLE store RENAME COLUMN aa TO bb;
CREATE INDEX store_3 ON store USING gsi (bb, sk, partition);
SELECT full_item(s), item_key('store', full_item(s), 'store_3') FROM store s;
ROLLBACK;
SELECT full_item(s), error_of('SELECT item_key(''store'', ''{"sk": "s", "partition": "p", "aa": "x"}'', ''store_3'')') FROM store s;
-- A table of the same name.
BEGIN;
DROP TABLE store;
CREATE TABLE store (one bytea PRIMARY KEY, item item);
SELECT item_key('store', '{"one": {"B": "AQ=="}}');
ROLLBACK;
SELECT item_key('store', '{"sk": "s", "partition": "p"}');

-- The session keeps as many descriptors as it is told, whatever it has seen: 200 tables, each looked at 50 times.  (Those of parallel
-- workers go with them.)
SET max_parallel_workers_per_gather = 0;
SET client_min_messages = warning;
DO $$
BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('CREATE TABLE many_%s (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C", item item)', i);
	END LOOP;
END $$;
CREATE INDEX ON many_1 USING gsi (a, pk);
CREATE TABLE names AS SELECT oid::regclass AS name FROM pg_class WHERE relname ~ '^many_[0-9]+$' AND relnamespace = 'table_descriptor'::regnamespace;
SET singletable.table_cache_size = 20;
CREATE VIEW kept AS SELECT count(*) AS tables, sum(total_bytes) < 20 * 32 * 1024 AS is_small FROM pg_backend_memory_contexts WHERE name = 'singletable table';
SELECT count(item_key(name, '{"pk": "a"}')) FROM generate_series(1, 10) i, names;
SELECT tables, is_small FROM kept;
SELECT count(item_key(name, '{"pk": "a"}')) FROM generate_series(1, 40) i, names;
SELECT tables, is_small FROM kept;
-- One that changes again and again replaces itself.
DO $$
BEGIN
	FOR i IN 1 .. 500 LOOP
		EXECUTE format('COMMENT ON TABLE many_1 IS %L', i);
		ALTER TABLE many_1 ALTER COLUMN a SET STATISTICS 10;
		PERFORM item_key('many_1', '{"pk": "a"}');
	END LOOP;
END $$;
SELECT tables, is_small FROM kept;
-- Pinned ones are not thrown out, and not trusted twice when they were marked.
SET singletable.table_cache_size = 1;
SELECT count(item_key(a.name, '{"pk": "a"}')), count(item_key(b.name, '{"pk": "a"}')) FROM names a, names b;
SELECT tables FROM kept;
RESET singletable.table_cache_size;

DROP SCHEMA table_descriptor CASCADE;
-- Those of dropped tables go when another one comes.
CREATE TEMP TABLE last (pk text COLLATE "C" PRIMARY KEY, item item);
SELECT item_key('last', '{"pk": "a"}');
SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'singletable table';
