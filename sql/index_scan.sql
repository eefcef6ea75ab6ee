-- gsi and lsi scans against sequential scans of the same query: same rows, and the same order where one is asked for.
SET jit = off;
CREATE TABLE keys (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", b text COLLATE "C",
                   n numeric, y bytea, PRIMARY KEY (pk, sk));
-- Strings over characters of one to four bytes, the empty one, and the last character of all; NULLs in every key.
INSERT INTO keys
SELECT 'P' || i % 7, 'S' || to_char(i, 'FM0000'),
       (ARRAY['x', 'y', '', NULL])[1 + i % 4],
       CASE WHEN i % 11 = 0 THEN NULL ELSE c[1 + i % 9] || c[1 + i / 9 % 9] || c[1 + i / 81 % 9] END,
       CASE WHEN i % 13 = 0 THEN NULL WHEN i % 17 = 0 THEN 'NaN' ELSE (i * 37 % 101 - 50) / 4.0 END,
       CASE WHEN i % 5 = 0 THEN NULL ELSE d[1 + i % 6] || d[1 + i / 6 % 6] || d[1 + i / 36 % 6] END
FROM generate_series(1, 1500) i,
     (SELECT ARRAY['', 'a', 'b', 'O#', chr(127), 'é', chr(65535), chr(65536), chr(1114111)] AS c,
             ARRAY['', '\x00', '\x01', '\x7f', '\xfe', '\xff']::bytea[] AS d) s;
-- Many small pages, so that ranges span them.
CREATE INDEX keys_ab ON keys USING gsi (a, b, pk, sk) WITH (fillfactor = 10);
CREATE INDEX keys_descending ON keys USING gsi (a, b DESC, n DESC NULLS LAST, pk, sk);
CREATE INDEX keys_n ON keys USING gsi (a, n, pk, sk);
CREATE INDEX keys_y ON keys USING lsi (y, n, pk, sk) INCLUDE (b);
ANALYZE keys;

-- Runs a query without any index and in three ways with one.
CREATE FUNCTION rows_of(query text, setting text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE result text[];
BEGIN
	PERFORM set_config('enable_seqscan', CASE WHEN setting = 'seq' THEN 'on' ELSE 'off' END, true),
	        set_config('enable_indexscan', CASE WHEN setting = 'index' THEN 'on' ELSE 'off' END, true),
	        set_config('enable_indexonlyscan', CASE WHEN setting = 'index only' THEN 'on' ELSE 'off' END, true),
	        set_config('enable_bitmapscan', CASE WHEN setting = 'bitmap' THEN 'on' ELSE 'off' END, true);
	EXECUTE 'SELECT array_agg(q::text) FROM (' || query || ') q' INTO result;
	RETURN result;
END $$;
CREATE FUNCTION uses_index(query text, setting text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE line text; result boolean := false;
BEGIN
	PERFORM rows_of('SELECT 1', setting);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		result := result OR line ~ '(using|Index Scan on|Scan Backward using) keys_(ab|descending|n|y)';
	END LOOP;
	RETURN result;
END $$;
CREATE FUNCTION compare(queries text[], is_ordered boolean)
RETURNS TABLE (setting text, compared bigint, different bigint, first_difference text, some_used_an_index boolean, some_returned_rows boolean)
LANGUAGE sql AS $$
	SELECT s, count(*),
	       count(*) FILTER (WHERE result IS DISTINCT FROM expected),
	       min(q) FILTER (WHERE result IS DISTINCT FROM expected),
	       bool_or(uses_index(q, s)), bool_or(expected IS NOT NULL)
	FROM (SELECT s, q, CASE WHEN is_ordered THEN r ELSE (SELECT array_agg(x ORDER BY x) FROM unnest(r) x) END AS result,
	             CASE WHEN is_ordered THEN e ELSE (SELECT array_agg(x ORDER BY x) FROM unnest(e) x) END AS expected
	      FROM unnest(queries) q, LATERAL rows_of(q, 'seq') e,
	           unnest(ARRAY['index', 'index only', 'bitmap']) s, LATERAL rows_of(q, s) r) c
	GROUP BY s ORDER BY s
$$;

CREATE TABLE conditions (condition text);
INSERT INTO conditions
SELECT format('b ^@ %L', p) FROM unnest(ARRAY['', 'a', 'O', 'O#', 'é', chr(127), chr(65535), chr(65536), chr(1114111), repeat(chr(1114111), 2), 'zz', repeat('a', 20000)]) p
UNION ALL SELECT format('begins_with(b, %L)', p) FROM unnest(ARRAY['', 'a', 'O#', chr(1114111), 'aé']) p
UNION ALL SELECT format('b %s %L', o, v) FROM unnest(ARRAY['<', '<=', '=', '>=', '>']) o, unnest(ARRAY['', 'a', 'ab', 'é', chr(1114111)]) v
UNION ALL SELECT format('b ^@ %L AND b %s %L', p, o, v) FROM unnest(ARRAY['a', '', chr(1114111)]) p, unnest(ARRAY['<', '<=', '=', '>=', '>', '^@']) o, unnest(ARRAY['a', 'ab', 'b']) v
UNION ALL SELECT unnest(ARRAY['b BETWEEN ''a'' AND ''b''', 'b IN (''ab'', ''O#a'', ''é'', ''nowhere'')', 'b ^@ ANY (ARRAY[''a'', ''O''])', 'b ^@ ANY (ARRAY[''O#a'', NULL, ''O#''])',
	'b ^@ ANY (ARRAY[''aé'', ''''])', 'b ^@ ANY (ARRAY[NULL]::text[])', 'b ^@ ANY (''{}''::text[])', 'b ^@ ANY (ARRAY[''ab''])', 'b ^@ ANY (NULL::text[])', 'b ^@ NULL',
	'b ^@ ALL (ARRAY[''a'', ''ab''])', 'b IS NOT NULL', 'b IS NULL', 'b ^@ ''a'' OR b ^@ ''é''', 'b LIKE ''a%''', 'starts_with(b, ''O'')', 'NOT b ^@ ''a''', 'true']);
SELECT * FROM compare((SELECT array_agg(format('SELECT * FROM keys WHERE a = %L AND %s', a, condition)) FROM conditions, unnest(ARRAY['x', '']) a), false);
SELECT * FROM compare((SELECT array_agg('SELECT a, b, pk, sk FROM keys WHERE ' || condition) FROM conditions), false);
-- The first column as prefix, several columns, arrays of both.
SELECT * FROM compare(ARRAY(SELECT format('SELECT a, b, pk, sk FROM keys WHERE a %s AND %s', c, condition)
	FROM unnest(ARRAY['^@ ''x''', '^@ ''''', 'IN (''x'', ''y'')', '^@ ANY (ARRAY[''x'', ''''])', 'IS NOT NULL', '> ''''']) c, conditions), false);
SELECT * FROM compare(ARRAY(SELECT format('SELECT pk, sk FROM keys WHERE a = ''x'' AND b ^@ %L AND pk %s', p, c)
	FROM unnest(ARRAY['', 'a', 'O']) p, unnest(ARRAY['= ''P3''', 'IN (''P1'', ''P5'')', '^@ ''P''', '> ''P4''', '^@ ''P3'' AND sk ^@ ''S00''']) c), false);
-- Order, both ways, with limits.
SELECT * FROM compare(ARRAY(SELECT format('SELECT a, b, pk, sk FROM keys WHERE a = ''x'' AND %s ORDER BY b %s, pk %2$s, sk %2$s LIMIT %s', condition, d, l)
	FROM conditions, unnest(ARRAY['ASC', 'DESC']) d, unnest(ARRAY['1', '7', 'ALL']) l), true);
SELECT * FROM compare(ARRAY(SELECT format('SELECT a, b, n, pk, sk FROM keys WHERE a = ''y'' AND n IS NOT NULL AND %s ORDER BY b %s, n %2$s %s, pk %s, sk %4$s LIMIT %s',
	condition, d[1], d[2], d[3], l)
	FROM conditions, (VALUES (ARRAY['DESC', 'NULLS LAST', 'ASC']), (ARRAY['ASC', 'NULLS FIRST', 'DESC'])) v (d), unnest(ARRAY['3', 'ALL']) l), true);
-- Numbers.
SELECT * FROM compare(ARRAY(SELECT format('SELECT a, n, pk, sk FROM keys WHERE a = ''x'' AND %s ORDER BY n %s, pk %2$s, sk %2$s LIMIT %s', condition, d, l)
	FROM unnest(ARRAY['n = 1.50', 'n < 0', 'n BETWEEN -1 AND 3.25', 'n > 11', 'n >= ''NaN''', 'n IN (0.25, 0.250, 7, ''NaN'')', 'n > 2 AND n < 1', 'n = 3 AND pk ^@ ''P''', 'n IS NOT NULL']) condition,
	     unnest(ARRAY['ASC', 'DESC']) d, unnest(ARRAY['2', 'ALL']) l), true);
-- Binaries.
SELECT * FROM compare(ARRAY(SELECT format('SELECT y, n, pk, sk, b FROM keys WHERE %s AND n IS NOT NULL ORDER BY y %s, n %2$s, pk %2$s, sk %2$s LIMIT %s', condition, d, l)
	FROM unnest(ARRAY['y ^@ ''''', 'y ^@ ''\x00''', 'y ^@ ''\xff''', 'y ^@ ''\xffff''', 'y ^@ ''\xffffff''', 'y ^@ ''\x7ffe''', 'begins_with(y, ''\xfe'')', 'y = ''\x00ff''', 'y > ''\xfe''', 'y < ''\x00''',
	                  'y ^@ ANY (ARRAY[''\xff'', ''\x00'']::bytea[])', 'y ^@ ''\x01'' AND y >= ''\x0101''', 'y IN (''\x00'', ''\xff'')', 'y ^@ ''\xff'' AND n > 3']) condition,
	     unnest(ARRAY['ASC', 'DESC']) d, unnest(ARRAY['2', 'ALL']) l), true);
-- Joins whose inner side is searched by a column of the outer one.
SELECT * FROM compare(ARRAY(SELECT format('SELECT v.p, k.pk, k.sk FROM (VALUES (''a''), (''O#''), (''''), (%L), (NULL)) v (p) JOIN keys k ON k.a = ''x'' AND %s', chr(1114111), c)
	FROM unnest(ARRAY['k.b ^@ v.p', 'begins_with(k.b, v.p)', 'k.b ^@ ANY (ARRAY[v.p, ''é''])', 'k.b > v.p AND k.b ^@ ''a''']) c), false);
SELECT * FROM compare(ARRAY[
	'SELECT l.pk, l.sk, r.pk AS rpk, r.sk AS rsk FROM keys l JOIN keys r ON l.a = r.a AND l.b = r.b WHERE l.a = ''x'' AND l.b ^@ ''a'' AND r.n > 3',
	'SELECT l.sk FROM keys l WHERE EXISTS (SELECT FROM keys r WHERE r.a = l.a AND begins_with(r.b, l.b || ''a''))',
	'SELECT l.sk FROM keys l WHERE NOT EXISTS (SELECT FROM keys r WHERE r.a = l.a AND r.b ^@ (l.b || ''a''))',
	'SELECT l.sk, (SELECT r.sk FROM keys r WHERE r.a = l.a AND r.b ^@ l.b AND r.sk <> l.sk ORDER BY r.b DESC, r.n DESC NULLS LAST, r.pk, r.sk LIMIT 1) AS next FROM keys l'], false);
-- Mark and restore in a merge join, also with an array of prefixes (whose bounds are not what the executor counts as keys).
SET enable_hashjoin = off; SET enable_nestloop = off; SET enable_material = off;
SELECT * FROM compare(ARRAY[
	'SELECT l.sk, r.sk AS rsk FROM keys l JOIN keys r ON l.b = r.b WHERE l.a = ''x'' AND r.a = ''y'' AND l.b ^@ ''a'' AND r.b ^@ ''''',
	'SELECT l.sk, r.sk AS rsk FROM keys l JOIN keys r ON l.b = r.b WHERE l.a = ''x'' AND r.a = ''x'' AND l.b ^@ '''' AND r.b ^@ ANY (ARRAY[''a'', ''é'']) AND r.pk IN (''P1'', ''P2'')',
	'SELECT l.sk, r.sk AS rsk FROM keys l JOIN keys r ON l.a = r.a WHERE l.a IN (''x'', ''y'', '''') AND r.a IN (''x'', ''y'', '''') AND l.b ^@ ''O'' AND r.b ^@ ''a'''], false);
RESET enable_hashjoin; RESET enable_nestloop; RESET enable_material;

-- Parameters of generic plans, for every prefix and both access methods' types.
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION compare_parameters(query text, type text, parameters text[])
RETURNS TABLE (setting text, compared bigint, different bigint) LANGUAGE plpgsql AS $$
DECLARE p text; expected text[]; result text[]; tries bigint; wrong bigint;
BEGIN
	FOREACH setting IN ARRAY ARRAY['index', 'index only', 'bitmap'] LOOP
		tries := 0; wrong := 0;
		FOREACH p IN ARRAY parameters LOOP
			PERFORM rows_of('SELECT 1', 'seq');
			EXECUTE format('PREPARE with_seq (%s) AS SELECT array_agg(q::text) FROM (%s) q', type, query);
			EXECUTE format('EXECUTE with_seq (%L)', p) INTO expected;
			PERFORM rows_of('SELECT 1', setting);
			EXECUTE format('PREPARE with_index (%s) AS SELECT array_agg(q::text) FROM (%s) q', type, query);
			EXECUTE format('EXECUTE with_index (%L)', p) INTO result;
			DEALLOCATE with_seq;
			DEALLOCATE with_index;
			tries := tries + 1;
			wrong := wrong + (result IS DISTINCT FROM expected)::int;
		END LOOP;
		compared := tries; different := wrong;
		RETURN NEXT;
	END LOOP;
END $$;
SELECT * FROM compare_parameters('SELECT sk FROM keys WHERE a = ''x'' AND b ^@ $1 ORDER BY b, pk, sk', 'text',
	ARRAY['', 'a', 'O#', 'é', chr(127), chr(65535), chr(1114111), repeat(chr(1114111), 2), 'zz', NULL]);
SELECT * FROM compare_parameters('SELECT sk FROM keys WHERE a = ''x'' AND begins_with(b, $1) ORDER BY b DESC, pk DESC, sk DESC', 'text',
	ARRAY['', 'a', 'O#', 'é', chr(127), chr(65535), chr(1114111), repeat(chr(1114111), 2), 'zz', NULL]);
SELECT * FROM compare_parameters('SELECT sk FROM keys WHERE begins_with(y, $1) AND n > 0 ORDER BY y, n, pk, sk', 'bytea',
	ARRAY['', '\x00', '\x7f', '\xfe', '\xff', '\xffff', '\xffffff', '\xffffffff', NULL]);
-- The same on plain btrees, where the end of the range is computed: of text "C", of text in another order, and of bytea.
CREATE TABLE plain_keys AS SELECT pk, sk, b, b COLLATE "POSIX" AS p, b::varchar(40) COLLATE "C" AS v, y FROM keys;
INSERT INTO plain_keys SELECT 'x', i::text, repeat(chr(1114111), i), repeat(chr(1114111), i), repeat(chr(1114111), i), decode(repeat('ff', i), 'hex') FROM generate_series(1, 40, 13) i;
CREATE INDEX ON plain_keys (b); CREATE INDEX ON plain_keys (p text_pattern_ops); CREATE INDEX ON plain_keys (v DESC); CREATE INDEX ON plain_keys (y); ANALYZE plain_keys;
SELECT c AS column, r.* FROM unnest(ARRAY['b', 'p', 'v']) c,
	compare_parameters(format('SELECT sk FROM plain_keys WHERE begins_with(%s, $1) ORDER BY pk, sk', c), 'text',
		ARRAY['', 'a', 'O#', 'é', chr(127), chr(55295), chr(65535), chr(1114110), chr(1114111), repeat(chr(1114111), 14), repeat(chr(1114111), 41), 'a' || chr(1114111), 'zz', NULL]) r;
SELECT * FROM compare_parameters('SELECT sk FROM plain_keys WHERE begins_with(y, $1) ORDER BY pk, sk', 'bytea',
	ARRAY['', '\x00', '\x7f', '\xfe', '\xff', '\xffff', '\x' || repeat('ff', 14), '\x' || repeat('ff', 41), '\x00ff', NULL]);
RESET plan_cache_mode;
-- The longest key that fits into an index, through compression, is still inside an open range.
CREATE TABLE long_keys (t text COLLATE "C", y bytea, id int);
INSERT INTO long_keys VALUES (repeat(chr(1114111), 40000), decode(repeat('ff', 150000), 'hex'), 1), ('a', '\x61', 2);
CREATE INDEX ON long_keys (t); CREATE INDEX ON long_keys (y); CREATE INDEX ON long_keys USING gsi (t); CREATE INDEX ON long_keys USING gsi (y);
SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
PREPARE by_text (text) AS SELECT id FROM long_keys WHERE begins_with(t, $1) ORDER BY id;
PREPARE by_bytea (bytea) AS SELECT id FROM long_keys WHERE begins_with(y, $1) ORDER BY id;
EXECUTE by_text (''); EXECUTE by_text (chr(1114111)); EXECUTE by_bytea (''); EXECUTE by_bytea ('\xff');
DROP INDEX long_keys_t_idx, long_keys_y_idx; -- those of btree
EXECUTE by_text (''); EXECUTE by_text (chr(1114111)); EXECUTE by_bytea (''); EXECUTE by_bytea ('\xff');
DEALLOCATE ALL; RESET enable_seqscan; RESET plan_cache_mode;

-- A scrollable cursor turns round in the middle.
BEGIN;
SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off;
DECLARE c SCROLL CURSOR FOR SELECT sk, b FROM keys WHERE a = 'x' AND b ^@ 'a' ORDER BY b, pk, sk;
FETCH 3 FROM c; FETCH BACKWARD 2 FROM c; FETCH LAST FROM c; FETCH BACKWARD 1 FROM c; FETCH FORWARD ALL FROM c; FETCH ABSOLUTE 2 FROM c;
COMMIT;
-- Parallel scans.
BEGIN;
SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_index_scan_size = 0; SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT count(*), count(n) FROM keys WHERE a = 'x' AND b ^@ '';
SELECT count(*), count(n) FROM keys WHERE a = 'x' AND b ^@ '';
SELECT count(*) FROM keys WHERE a IN ('x', 'y') AND b ^@ ANY (ARRAY['a', 'é', 'O']);
SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_seqscan = on;
SELECT count(*), count(n) FROM keys WHERE a = 'x' AND b ^@ '';
SELECT count(*) FROM keys WHERE a IN ('x', 'y') AND b ^@ ANY (ARRAY['a', 'é', 'O']);
COMMIT;
DROP TABLE keys, plain_keys, long_keys, conditions;
DROP FUNCTION compare, compare_parameters, uses_index, rows_of;
