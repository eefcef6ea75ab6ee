-- What the planner makes of key prefixes and of sparse indexes.  Methods other than index scans are off, so that no statistics matter.
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; SET enable_memoize = off;
SET jit = off;
CREATE TABLE shop (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, gsi1pk text COLLATE "C", gsi1sk text COLLATE "C",
                   kind text COLLATE "C", rank numeric, token bytea, PRIMARY KEY (pk, sk));
INSERT INTO shop
SELECT 'CUSTOMER#' || i % 50, 'ORDER#' || i, CASE WHEN i % 4 = 0 THEN 'STATUS#' || i % 3 END, CASE WHEN i % 4 = 0 THEN 'DATE#' || i END,
       'order', i, decode(lpad(to_hex(i), 4, '0'), 'hex')
FROM generate_series(1, 2000) i;
CREATE INDEX shop_gsi1 ON shop USING gsi (gsi1pk, gsi1sk, pk, sk);
CREATE INDEX shop_rank ON shop USING lsi (pk, rank, sk);
CREATE INDEX shop_token ON shop USING gsi (token, pk, sk);
CREATE TABLE prefixes (customer text COLLATE "C", prefix text COLLATE "C", status text COLLATE "C", bytes bytea);
INSERT INTO prefixes VALUES ('CUSTOMER#3', 'ORDER#1', 'STATUS#1', '\x00'), ('CUSTOMER#4', '', 'STATUS#2', '\x07'), ('CUSTOMER#5', NULL, 'STATUS#0', NULL);
ANALYZE shop, prefixes;

-- Constants.
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE gsi1pk = 'STATUS#1' AND gsi1sk ^@ 'DATE#1';
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE gsi1pk = 'STATUS#1' AND begins_with(gsi1sk, 'DATE#1');
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, 'ORDER#1');
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, '');
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, 'a' || chr(1114111)); -- the end is b
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE token ^@ '\x01';
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE begins_with(token, '\x01') ORDER BY token DESC LIMIT 2;
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE gsi1pk = 'STATUS#1' AND gsi1sk ^@ ANY (ARRAY['DATE#1', 'DATE#2']);
-- Generic plans.
SET plan_cache_mode = force_generic_plan;
PREPARE operator_on_gsi (text, text) AS SELECT sk FROM shop WHERE gsi1pk = $1 AND gsi1sk ^@ $2 ORDER BY gsi1sk LIMIT 3;
EXPLAIN (COSTS OFF) EXECUTE operator_on_gsi ('STATUS#1', 'DATE#1');
EXECUTE operator_on_gsi ('STATUS#1', 'DATE#1');
PREPARE function_on_gsi (text, text) AS SELECT sk FROM shop WHERE gsi1pk = $1 AND begins_with(gsi1sk, $2) ORDER BY gsi1sk DESC LIMIT 3;
EXPLAIN (COSTS OFF) EXECUTE function_on_gsi ('STATUS#1', 'DATE#1');
EXECUTE function_on_gsi ('STATUS#1', 'DATE#1');
PREPARE function_on_key (text, text) AS SELECT sk FROM shop WHERE pk = $1 AND begins_with(sk, $2) ORDER BY sk LIMIT 3;
EXPLAIN (COSTS OFF) EXECUTE function_on_key ('CUSTOMER#3', 'ORDER#1');
EXECUTE function_on_key ('CUSTOMER#3', 'ORDER#1');
PREPARE function_on_bytea (bytea) AS SELECT token FROM shop WHERE begins_with(token, $1) ORDER BY token LIMIT 2;
EXPLAIN (COSTS OFF) EXECUTE function_on_bytea ('\x01');
EXECUTE function_on_bytea ('\x01');
RESET plan_cache_mode;
-- Joins.
EXPLAIN (COSTS OFF) SELECT count(*) FROM prefixes p JOIN shop s ON s.gsi1pk = p.status AND s.gsi1sk ^@ p.prefix;
EXPLAIN (COSTS OFF) SELECT count(*) FROM prefixes p JOIN shop s ON s.gsi1pk = p.status AND begins_with(s.gsi1sk, p.prefix);
EXPLAIN (COSTS OFF) SELECT p.customer, count(s.sk) FROM prefixes p LEFT JOIN shop s ON s.pk = p.customer AND begins_with(s.sk, p.prefix) GROUP BY 1;
SELECT p.customer, count(s.sk) FROM prefixes p LEFT JOIN shop s ON s.pk = p.customer AND begins_with(s.sk, p.prefix) GROUP BY 1 ORDER BY 1;
SELECT p.customer, count(s.sk) FROM prefixes p LEFT JOIN shop s ON s.pk = p.customer AND starts_with(s.sk, p.prefix) GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS OFF) SELECT count(*) FROM prefixes p JOIN shop s ON begins_with(s.token, p.bytes);
EXPLAIN (COSTS OFF) SELECT count(*) FROM prefixes p JOIN shop s ON begins_with(p.prefix, s.pk); -- the other way round: no index
-- A prefix that changes from row to row of the same table, or from call to call, is none.
EXPLAIN (COSTS OFF) SELECT count(*) FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, kind);
EXPLAIN (COSTS OFF) SELECT count(*) FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, random()::text);
EXPLAIN (COSTS OFF) SELECT count(*) FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, current_setting('work_mem'));
EXPLAIN (COSTS OFF) SELECT count(*) FROM shop WHERE pk = 'CUSTOMER#3' AND begins_with(sk, (SELECT max(prefix) FROM prefixes));
-- A btree whose order is not that of the bytes is of no use, one by text_pattern_ops is.
CREATE TABLE other_order (t text COLLATE "en-x-icu", v varchar(20) COLLATE "C");
CREATE INDEX other_order_t ON other_order (t);
EXPLAIN (COSTS OFF) SELECT count(*) FROM other_order WHERE begins_with(t, 'a');
DROP INDEX other_order_t;
CREATE INDEX other_order_pattern ON other_order (t text_pattern_ops);
EXPLAIN (COSTS OFF) SELECT count(*) FROM other_order WHERE begins_with(t, 'a');
CREATE INDEX other_order_v ON other_order (v);
EXPLAIN (COSTS OFF) SELECT count(*) FROM other_order WHERE begins_with(v, 'a');
DROP INDEX other_order_v;
CREATE INDEX other_order_v ON other_order USING gsi (v);
EXPLAIN (COSTS OFF) SELECT count(*) FROM other_order WHERE begins_with(v, 'a');
DROP TABLE other_order;

-- Sparse: the index answers only queries that exclude rows which are not in it.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
SELECT condition, EXISTS (SELECT FROM plan_of('SELECT * FROM shop WHERE ' || condition) p WHERE p ~ 'shop_gsi1') AS uses_index
FROM (VALUES (1, 'gsi1pk = ''STATUS#1'''), (2, 'gsi1pk = ''STATUS#1'' AND gsi1sk IS NOT NULL'), (3, 'gsi1pk = ''STATUS#1'' AND gsi1sk > ''A'''),
             (4, 'gsi1pk = ''STATUS#1'' AND gsi1sk IN (''DATE#4'', ''DATE#8'')'), (5, 'gsi1pk = ''STATUS#1'' AND gsi1sk IS NULL'), (6, 'gsi1pk IS NULL'),
             (7, 'gsi1pk = ''STATUS#1'' AND (gsi1sk > ''A'' OR gsi1sk IS NULL)'), (8, 'gsi1pk = ''STATUS#1'' AND gsi1sk IS DISTINCT FROM ''A'''),
             (9, 'gsi1pk = ''STATUS#1'' AND coalesce(gsi1sk, '''') > ''A'''), (10, 'gsi1pk = ''STATUS#1'' AND length(gsi1sk) > 3'), (11, 'gsi1sk ^@ ''DATE#1'''),
             (12, 'gsi1sk ^@ ''DATE#1'' AND gsi1pk IS NOT NULL'), (13, 'gsi1pk = ''STATUS#1'' AND pk ^@ ''C'''), (14, 'gsi1pk IN (''STATUS#1'', NULL) AND gsi1sk ^@ ''D''')) c (n, condition)
ORDER BY n;
-- For order alone, and for an extreme value.
EXPLAIN (COSTS OFF) SELECT gsi1pk, gsi1sk FROM shop WHERE gsi1pk IS NOT NULL AND gsi1sk IS NOT NULL ORDER BY gsi1pk DESC, gsi1sk DESC, pk DESC, sk DESC LIMIT 5;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT gsi1pk, gsi1sk FROM shop WHERE gsi1pk = 'STATUS#1' ORDER BY gsi1sk LIMIT 5;
RESET enable_sort;
EXPLAIN (COSTS OFF) SELECT min(gsi1sk), max(gsi1sk) FROM shop WHERE gsi1pk = 'STATUS#1';
SELECT min(gsi1sk), max(gsi1sk) FROM shop WHERE gsi1pk = 'STATUS#1';
-- The user's own predicate is a further condition.
CREATE INDEX shop_ranked ON shop USING gsi (kind, rank, sk) WHERE rank > 1000;
SELECT condition, EXISTS (SELECT FROM plan_of('SELECT * FROM shop WHERE ' || condition) p WHERE p ~ 'shop_ranked') AS uses_index
FROM (VALUES ('kind = ''order'' AND rank > 900'), ('kind = ''order'' AND rank > 1100'), ('kind IS NULL AND rank > 1100')) c (condition);
-- An index-only scan, and columns that are included.
SET enable_indexonlyscan = on;
EXPLAIN (COSTS OFF) SELECT gsi1sk, pk, sk FROM shop WHERE gsi1pk = 'STATUS#1' AND begins_with(gsi1sk, 'DATE#1');
CREATE INDEX shop_kind ON shop USING gsi (kind, sk) INCLUDE (rank, token);
EXPLAIN (COSTS OFF) SELECT rank, token FROM shop WHERE kind = 'order' AND sk ^@ 'ORDER#1';
SET enable_indexonlyscan = off;
-- Estimates: of NULLs, and of begins_with as of the operator.
CREATE FUNCTION estimated_rows(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan; RETURN plan -> 0 -> 'Plan' -> 'Plan Rows'; END $$;
SELECT estimated_rows('SELECT * FROM shop WHERE gsi1pk IS NOT NULL AND gsi1sk IS NOT NULL') BETWEEN 100 AND 600 AS sparse,
       estimated_rows('SELECT * FROM shop WHERE begins_with(sk, ''ORDER#19'')') = estimated_rows('SELECT * FROM shop WHERE sk ^@ ''ORDER#19''') AS as_the_operator,
       estimated_rows('SELECT * FROM shop WHERE begins_with(token, ''\x01'')') = estimated_rows('SELECT * FROM shop WHERE token ^@ ''\x01''') AS as_the_operator_of_bytea;
-- Inheritance, and a partitioned table: every child has its own index.
CREATE TABLE parts (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", PRIMARY KEY (pk, sk)) PARTITION BY HASH (pk);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE INDEX parts_a ON parts USING gsi (a, pk, sk) WITH (projection = 'KEYS_ONLY');
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT 'P' || i, 'S', CASE WHEN i % 2 = 0 THEN 'A' || i END FROM generate_series(1, 200) i;
ANALYZE parts;
EXPLAIN (COSTS OFF) SELECT * FROM parts WHERE begins_with(a, 'A10') ORDER BY a;
SELECT * FROM parts WHERE begins_with(a, 'A10') ORDER BY a;
EXPLAIN (COSTS OFF) SELECT * FROM parts WHERE pk = 'P4' AND begins_with(sk, 'S');
EXPLAIN (COSTS OFF) SELECT * FROM parts WHERE a IS NULL AND sk = 'X';
DROP TABLE parts;
-- Row-level security: begins_with reveals nothing, so it may go before the policy.
CREATE ROLE regress_reader;
CREATE POLICY own ON shop FOR SELECT TO regress_reader USING (kind = current_setting('singletable_test.kind'));
ALTER TABLE shop ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON shop TO regress_reader;
SET ROLE regress_reader;
SET singletable_test.kind = 'order';
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE gsi1pk = 'STATUS#1' AND begins_with(gsi1sk, 'DATE#1');
EXPLAIN (COSTS OFF) SELECT * FROM shop WHERE token ^@ '\x01';
RESET ROLE;
-- Another schema first in the search path does not matter.
CREATE SCHEMA shadow;
CREATE FUNCTION shadow.prefix_end(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '' $$;
SET search_path = shadow, public;
EXPLAIN (COSTS OFF) SELECT count(*) FROM prefixes p JOIN shop s ON s.pk = p.customer AND begins_with(s.sk, p.prefix);
SELECT count(*) FROM prefixes p JOIN shop s ON s.pk = p.customer AND begins_with(s.sk, p.prefix);
RESET search_path;
DROP SCHEMA shadow CASCADE;
DROP TABLE shop, prefixes;
DROP ROLE regress_reader;
DROP FUNCTION plan_of, estimated_rows;
