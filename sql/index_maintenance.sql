-- What happens to a gsi index in its life: each step is followed by a check of every index against the table.
CREATE EXTENSION amcheck;
CREATE TABLE life (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", n numeric, item jsonb NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) WITH (fillfactor = 50);
CREATE INDEX life_a ON life USING gsi (a, n, pk, sk);
CREATE INDEX life_n ON life USING lsi (pk, n DESC, sk) INCLUDE (item);
CREATE INDEX life_e ON life USING gsi ((item ->> 'e') COLLATE "C", sk);
CREATE FUNCTION check_life(tbl text DEFAULT 'life') RETURNS TABLE (index name, index_tuples bigint, table_rows bigint) LANGUAGE sql AS $$
	SELECT c.relname, x.index_tuples, x.table_rows FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid, check_item_index(c.oid) x
	WHERE i.indrelid = tbl::regclass AND indisvalid ORDER BY c.relname COLLATE "C"
$$;
INSERT INTO life SELECT 'P' || i % 7, 'S' || i, CASE WHEN i % 2 = 0 THEN 'A' || i % 10 END, CASE WHEN i % 3 > 0 THEN i END, CASE WHEN i % 5 = 0 THEN jsonb_build_object('e', i) ELSE '{}' END FROM generate_series(1, 700) i;
SELECT * FROM check_life();
SELECT count(*) FILTER (WHERE a IS NOT NULL AND n IS NOT NULL) AS a, count(n) AS n, count(item ->> 'e') AS e FROM life;

-- In, out, and moved.
UPDATE life SET a = 'in' WHERE a IS NULL AND pk = 'P1';
UPDATE life SET n = NULL WHERE pk = 'P2';
UPDATE life SET a = NULL, n = NULL, item = '{}' WHERE pk = 'P3';
UPDATE life SET pk = 'P9', a = a || 'x' WHERE pk = 'P4';
DELETE FROM life WHERE pk = 'P5';
SELECT * FROM check_life();
SELECT count(*) FILTER (WHERE a IS NOT NULL AND n IS NOT NULL) AS a, count(n) AS n, count(item ->> 'e') AS e FROM life;
-- Undone.
BEGIN; UPDATE life SET a = 'gone', n = 0; INSERT INTO life VALUES ('X', 'X', 'X', 1); ROLLBACK;
BEGIN;
UPDATE life SET a = 'kept' WHERE pk = 'P6';
SAVEPOINT s; UPDATE life SET a = NULL; ROLLBACK TO s;
SAVEPOINT t; UPDATE life SET n = 7 WHERE pk = 'P6'; RELEASE t;
SELECT * FROM check_life();
COMMIT;
SELECT * FROM check_life();
SELECT count(*) FILTER (WHERE a IS NOT NULL AND n IS NOT NULL) AS a, count(n) AS n, count(item ->> 'e') AS e FROM life;

-- An update of other columns is HOT.
CREATE TABLE hot (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C", note text) WITH (fillfactor = 40);
CREATE INDEX hot_a ON hot USING gsi (a, pk);
INSERT INTO hot SELECT i::text, CASE WHEN i % 2 = 0 THEN 'A' END, 'old' FROM generate_series(1, 200) i;
BEGIN;
SELECT pg_stat_get_xact_tuples_updated('hot'::regclass) AS updated, pg_stat_get_xact_tuples_hot_updated('hot'::regclass) AS hot \gset
UPDATE hot SET note = 'new';
SELECT pg_stat_get_xact_tuples_updated('hot'::regclass) - :updated AS updated, pg_stat_get_xact_tuples_hot_updated('hot'::regclass) - :hot AS hot;
COMMIT;
SELECT * FROM check_life('hot');
BEGIN;
SELECT pg_stat_get_xact_tuples_updated('hot'::regclass) AS updated, pg_stat_get_xact_tuples_hot_updated('hot'::regclass) AS hot \gset
UPDATE hot SET a = 'B' WHERE a IS NULL;
SELECT pg_stat_get_xact_tuples_updated('hot'::regclass) - :updated AS updated, pg_stat_get_xact_tuples_hot_updated('hot'::regclass) - :hot AS hot;
COMMIT;
SELECT * FROM check_life('hot');
DROP TABLE hot;

-- ON CONFLICT on the primary key, and an exclusion constraint, which a NULL escapes as everywhere.
INSERT INTO life VALUES ('P6', 'S6', 'new', 1), ('P6', 'S1', 'new', 2) ON CONFLICT (pk, sk) DO UPDATE SET a = 'updated', n = excluded.n;
INSERT INTO life VALUES ('P6', 'S6', 'new', 1) ON CONFLICT DO NOTHING;
SELECT pk, sk, a, n FROM life WHERE pk = 'P6' AND sk IN ('S6', 'S1') ORDER BY sk;
SELECT * FROM check_life();
CREATE TABLE exclusive (a text COLLATE "C", b text COLLATE "C", EXCLUDE USING gsi (a WITH =, b WITH =));
INSERT INTO exclusive VALUES ('a', 'b'), ('a', NULL), ('a', NULL), (NULL, 'b'), ('a', 'c');
INSERT INTO exclusive VALUES ('a', 'b');
INSERT INTO exclusive VALUES ('a', 'b') ON CONFLICT DO NOTHING;
SELECT count(*) FROM exclusive;
DROP TABLE exclusive;

-- Maintenance.
VACUUM life;
SELECT * FROM check_life();
DELETE FROM life WHERE n < 300;
VACUUM (PARALLEL 2, INDEX_CLEANUP ON) life;
VACUUM (FREEZE) life;
SELECT * FROM check_life();
VACUUM FULL life;
SELECT * FROM check_life();
REINDEX TABLE life;
REINDEX TABLE CONCURRENTLY life;
REINDEX INDEX CONCURRENTLY life_a;
SELECT * FROM check_life();
CREATE INDEX CONCURRENTLY life_c ON life USING gsi (sk, a);
SELECT * FROM check_life();
DROP INDEX CONCURRENTLY life_c;
CLUSTER life USING life_pkey;
SELECT * FROM check_life();
ALTER TABLE life ALTER a TYPE varchar(50) COLLATE "C";
ALTER TABLE life ALTER sk TYPE text COLLATE "C" USING sk || '!';
SELECT * FROM check_life();
-- NOT NULL comes and goes: the rows in the index are the same.
CREATE TABLE nullable (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C" NOT NULL, b text COLLATE "C");
INSERT INTO nullable VALUES ('1', 'a', 'b'), ('2', 'a', NULL), ('3', 'a', 'c');
CREATE INDEX nullable_ab ON nullable USING gsi (b, a);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM nullable WHERE b = 'b';
ALTER TABLE nullable ALTER a DROP NOT NULL;
INSERT INTO nullable VALUES ('4', NULL, 'b');
EXPLAIN (COSTS OFF) SELECT * FROM nullable WHERE b = 'b';
SELECT * FROM nullable WHERE b = 'b' ORDER BY pk;
EXPLAIN (COSTS OFF) SELECT * FROM nullable WHERE b = 'b' AND a > '';
SELECT * FROM nullable WHERE b = 'b' AND a > '' ORDER BY pk;
SELECT * FROM check_life('nullable');
UPDATE nullable SET a = 'z' WHERE a IS NULL;
ALTER TABLE nullable ALTER a SET NOT NULL;
EXPLAIN (COSTS OFF) SELECT * FROM nullable WHERE b = 'b';
SELECT * FROM nullable WHERE b = 'b' ORDER BY pk;
SELECT * FROM check_life('nullable');
RESET enable_seqscan;
DROP TABLE nullable;
-- Emptied in the transaction that fills it again.
BEGIN; TRUNCATE life; INSERT INTO life VALUES ('t', 't', 't', 1), ('u', 'u', NULL, 1); SELECT * FROM check_life(); ROLLBACK;
SELECT count(*) > 0 AS all_back FROM life;
TRUNCATE life;
SELECT * FROM check_life();
COPY life (pk, sk, a, n) FROM stdin;
1	1	a	1
2	2	\N	2
3	3	a	\N
\.
SELECT * FROM check_life();
DROP TABLE life;

-- Unlogged and temporary tables, tables with other storage.
CREATE UNLOGGED TABLE fleeting (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C");
CREATE INDEX fleeting_a ON fleeting USING gsi (a, pk);
INSERT INTO fleeting SELECT i::text, CASE WHEN i % 2 = 0 THEN 'A' || i END FROM generate_series(1, 50) i;
SELECT * FROM check_life('fleeting');
ALTER TABLE fleeting SET LOGGED;
SELECT * FROM check_life('fleeting');
DROP TABLE fleeting;
CREATE TEMP TABLE fleeting (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C") ON COMMIT DELETE ROWS;
CREATE INDEX fleeting_a ON fleeting USING gsi (a, pk);
BEGIN;
INSERT INTO fleeting SELECT i::text, CASE WHEN i % 2 = 0 THEN 'A' || i END FROM generate_series(1, 50) i;
SELECT * FROM check_life('fleeting');
COMMIT;
SELECT * FROM check_life('fleeting');
DROP TABLE fleeting;
-- A key that is too long for a page is refused by nbtree, and the row is not there.
CREATE TABLE wide (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C");
CREATE INDEX wide_a ON wide USING gsi (a, pk);
\set VERBOSITY terse
INSERT INTO wide SELECT '1', string_agg(md5(i::text), '') FROM generate_series(1, 200) i;
\set VERBOSITY default
SELECT count(*) FROM wide;
SELECT * FROM check_life('wide');
DROP TABLE wide;
-- Many equal keys are stored once (deduplication), as in a btree.
CREATE TABLE equal (pk int PRIMARY KEY, a text COLLATE "C");
INSERT INTO equal SELECT i, 'the same value for everybody' FROM generate_series(1, 5000) i;
CREATE INDEX equal_gsi ON equal USING gsi (a);
CREATE INDEX equal_btree ON equal (a);
SELECT pg_relation_size('equal_gsi') = pg_relation_size('equal_btree') AS same_size, pg_relation_size('equal_gsi') < 10 * 8192 AS small;
SELECT * FROM check_life('equal');
DROP TABLE equal;
-- Foreign keys, triggers and generated columns see nothing of it.
CREATE TABLE parent (pk text COLLATE "C" PRIMARY KEY, a text COLLATE "C", up text COLLATE "C" GENERATED ALWAYS AS (upper(a)) STORED);
CREATE TABLE child (pk text COLLATE "C" PRIMARY KEY, parent text COLLATE "C" REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX child_parent ON child USING gsi (parent, pk);
CREATE INDEX parent_up ON parent USING gsi (up, pk);
INSERT INTO parent VALUES ('1', 'a'), ('2', NULL), ('3', 'c');
INSERT INTO child VALUES ('1', '1'), ('2', '1'), ('3', NULL), ('4', '3');
DELETE FROM parent WHERE pk = '1';
UPDATE parent SET pk = '33', a = 'x' WHERE pk = '3';
SELECT * FROM child ORDER BY pk;
SELECT * FROM check_life('parent') UNION ALL SELECT * FROM check_life('child');
DROP TABLE child, parent;
DROP FUNCTION check_life;
DROP EXTENSION amcheck;
