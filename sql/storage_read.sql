-- Reads by the access methods and reads by statements give the answers of plain SQL: on a plain table and on one with partitions.
CREATE SCHEMA storage_read;
SET search_path = storage_read, public;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 0;

CREATE TABLE plain (
	dropped integer,
	g1 text COLLATE "C",
	pk text COLLATE "C",
	item item NOT NULL DEFAULT '{}',
	sk numeric,
	note timestamptz DEFAULT '2026-01-01 00:00:00Z',
	g2 bytea,
	PRIMARY KEY (pk, sk)
);
ALTER TABLE plain DROP COLUMN dropped;
CREATE TABLE parts (LIKE plain INCLUDING ALL) PARTITION BY HASH (pk);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 3, REMAINDER 1);
-- A partition may have its columns in another order.
CREATE TABLE parts_2 (x integer, g2 bytea, note timestamptz, sk numeric NOT NULL, item item NOT NULL, pk text COLLATE "C" NOT NULL, g1 text COLLATE "C");
ALTER TABLE parts_2 DROP COLUMN x;
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES WITH (MODULUS 3, REMAINDER 2);

DO $$
DECLARE
	tbl text;
BEGIN
	FOREACH tbl IN ARRAY array['plain', 'parts'] LOOP
		EXECUTE format('CREATE INDEX ON %s USING gsi (g1, g2, pk, sk) WITH (name = ''by_g'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (g2, pk, sk) WITH (name = ''by_g2'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (sk, pk) WITH (name = ''inverted'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING lsi (pk, g2, sk) WITH (name = ''local'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (g1, sk, pk) WITH (name = ''keys'', projection = ''KEYS_ONLY'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (g1, pk, sk) WITH (name = ''some'', projection = ''INCLUDE'', non_key_attributes = ''["n", "g2"]'')', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (g1, sk, pk) WITH (name = ''partial'', sort_keys = 1) WHERE g2 IS NULL OR g2 > ''\x40''', tbl);
		EXECUTE format('CREATE INDEX ON %s USING gsi (g1, g2, sk, pk) WITH (name = ''both'', partition_keys = 2, sort_keys = 1)', tbl);
	END LOOP;
END $$;

-- Few different values, so that most of them come together; strings of several bytes a character, binaries that end in 0xFF.
INSERT INTO plain (pk, sk, g1, g2, item)
SELECT (array['a', 'ab', 'é', 'éé', '𝄞', 'Z'])[1 + i * 7 % 6], (array[0, -1, 1.5, 10, 100, -0.001, 1e30])[1 + i % 7] + i / 42,
	(array['x', 'xy', 'ÿ', NULL])[1 + i * 5 % 4], (array['\x00', '\x00ff', '\xff', '\xffff', '\x41', NULL]::bytea[])[1 + i * 11 % 6],
	jsonb_build_object('n', i, 'long', repeat(md5(i::text), CASE i % 50 WHEN 0 THEN 100 ELSE i % 3 END), 'g1', CASE WHEN i % 11 = 0 THEN to_jsonb(i) END)::item
FROM generate_series(1, 600) i ON CONFLICT DO NOTHING;
INSERT INTO parts (pk, sk, g1, g2, item) SELECT pk, sk, g1, g2, item FROM plain;
SELECT count(*) AS rows, count(DISTINCT tableoid) AS tables FROM parts;
VACUUM ANALYZE plain;
-- Some pages are known to be visible to everyone, others are not.
DELETE FROM plain WHERE sk = 10;
DELETE FROM parts WHERE sk = 10;
ANALYZE parts;

-- A literal of a row's column, and the column as a typed value.
CREATE FUNCTION show(r jsonb, name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT quote_literal(r ->> name) $$;
CREATE FUNCTION typed(r jsonb, name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE name WHEN 'sk' THEN jsonb_build_object('N', r ->> name)
		WHEN 'g2' THEN jsonb_build_object('B', encode((r ->> name)::bytea, 'base64'))
		ELSE jsonb_build_object('S', r ->> name) END
$$;
-- The shorter value that a string or binary begins with.
CREATE FUNCTION shorten(r jsonb, name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT r || jsonb_build_object(name, CASE name WHEN 'g2' THEN substr((r ->> name)::bytea, 1, 1)::text ELSE left(r ->> name, 1) END)
$$;

/*
 * Queries with random keys, conditions, directions, start positions and limits, each by query_items and by a SELECT.
 * Result: how many, how many of them gave something, and those that differ.
 */
CREATE FUNCTION check_queries(tbl regclass, rounds integer, OUT queries integer, OUT with_rows integer, OUT wrong text[]) LANGUAGE plpgsql AS $$
DECLARE
	index_name text; columns text[]; partitions integer; a jsonb; b jsonb; from_row jsonb; bound integer; operator text; condition text;
	clause text; sql text; got text[]; want text[]; forward boolean; max_items bigint; start_key item; call text; attribute_values jsonb;
	composed text;
BEGIN
	queries := 0;
	with_rows := 0;
	FOR i IN 1 .. rounds LOOP
		index_name := (array[NULL, NULL, 'by_g', 'by_g2', 'inverted', 'local', 'keys', 'some', 'partial', 'both'])[1 + floor(random() * 10)];
		columns := CASE index_name WHEN 'by_g' THEN array['g1', 'g2', 'pk', 'sk'] WHEN 'by_g2' THEN array['g2', 'pk', 'sk'] WHEN 'inverted' THEN array['sk', 'pk']
			WHEN 'local' THEN array['pk', 'g2', 'sk'] WHEN 'keys' THEN array['g1', 'sk', 'pk'] WHEN 'some' THEN array['g1', 'pk', 'sk']
			WHEN 'partial' THEN array['g1', 'sk', 'pk'] WHEN 'both' THEN array['g1', 'g2', 'sk', 'pk'] ELSE array['pk', 'sk'] END;
		partitions := CASE index_name WHEN 'both' THEN 2 ELSE 1 END;
		-- The key attributes behind the partition key, as far as a condition may name them.
		bound := CASE WHEN index_name IN ('by_g2', 'keys', 'some') THEN 0 ELSE 1 END;
		clause := (SELECT string_agg(format('%I IS NOT NULL', c), ' AND ') FROM unnest(columns) c);
		IF index_name = 'partial' THEN
			clause := clause || ' AND (g2 IS NULL OR g2 > ''\x40'')';
		END IF;
		EXECUTE format('SELECT to_jsonb(r) FROM (SELECT pk, sk, g1, g2 FROM %s WHERE %s ORDER BY random() LIMIT 1) r', tbl, clause) INTO a;
		EXECUTE format('SELECT to_jsonb(r) FROM (SELECT pk, sk, g1, g2 FROM %s WHERE %s ORDER BY random() LIMIT 1) r', tbl, clause) INTO b;

		condition := '';
		attribute_values := '{}';
		FOR k IN 1 .. partitions LOOP
			condition := condition || format('%s%s = :p%s', CASE WHEN k > 1 THEN ' AND ' END, columns[k], k);
			attribute_values := attribute_values || jsonb_build_object(':p' || k, typed(a, columns[k]));
			clause := clause || format(' AND %I = %s', columns[k], show(a, columns[k]));
		END LOOP;
		operator := CASE WHEN bound = 0 THEN 'none'
			ELSE (array['none', '=', '<', '<=', '>', '>=', 'between', 'begins_with'])[1 + floor(random() * 8)] END;
		IF operator = 'begins_with' AND columns[partitions + 1] = 'sk' THEN
			operator := 'none';
		END IF;
		IF operator = 'between' THEN
			EXECUTE format('SELECT %s::%s > %s::%2$s', show(a, columns[partitions + 1]),
				CASE columns[partitions + 1] WHEN 'sk' THEN 'numeric' WHEN 'g2' THEN 'bytea' ELSE 'text COLLATE "C"' END, show(b, columns[partitions + 1])) INTO forward;
			IF forward THEN
				attribute_values := attribute_values || jsonb_build_object(':v', typed(b, columns[partitions + 1]), ':w', typed(a, columns[partitions + 1]));
				clause := clause || format(' AND %I BETWEEN %s AND %s', columns[partitions + 1], show(b, columns[partitions + 1]), show(a, columns[partitions + 1]));
			ELSE
				attribute_values := attribute_values || jsonb_build_object(':v', typed(a, columns[partitions + 1]), ':w', typed(b, columns[partitions + 1]));
				clause := clause || format(' AND %I BETWEEN %s AND %s', columns[partitions + 1], show(a, columns[partitions + 1]), show(b, columns[partitions + 1]));
			END IF;
			condition := condition || format(' AND %s BETWEEN :v AND :w', columns[partitions + 1]);
		ELSIF operator = 'begins_with' THEN
			a := shorten(a, columns[partitions + 1]);
			attribute_values := attribute_values || jsonb_build_object(':v', typed(a, columns[partitions + 1]));
			condition := condition || format(' AND begins_with(%s, :v)', columns[partitions + 1]);
			clause := clause || format(' AND substring(%1$I FROM 1 FOR length(%2$s%3$s)) = %2$s%3$s', columns[partitions + 1], show(a, columns[partitions + 1]),
				CASE columns[partitions + 1] WHEN 'g2' THEN '::bytea' ELSE '::text' END);
		ELSIF operator <> 'none' THEN
			attribute_values := attribute_values || jsonb_build_object(':v', typed(a, columns[partitions + 1]));
			condition := condition || format(' AND %s %s :v', columns[partitions + 1], operator);
			clause := clause || format(' AND %I %s %s', columns[partitions + 1], operator, show(a, columns[partitions + 1]));
		END IF;

		-- A start position is that of any item that the query could have ended at.
		forward := random() < 0.5;
		start_key := NULL;
		IF random() < 0.5 AND NOT (index_name IS NULL AND operator = '=') THEN
			EXECUTE format('SELECT to_jsonb(r) FROM (SELECT pk, sk, g1, g2 FROM %s WHERE %s ORDER BY random() LIMIT 1) r', tbl, clause) INTO from_row;
			IF from_row IS NOT NULL THEN
				start_key := (SELECT jsonb_object_agg(c, typed(from_row, c)) FROM unnest(columns || array['pk', 'sk']) c)::text::item;
				clause := clause || format(' AND ROW(%s) %s ROW(%s)', (SELECT string_agg(quote_ident(c), ', ') FROM unnest(columns) c),
					CASE WHEN forward THEN '>' ELSE '<' END, (SELECT string_agg(show(from_row, c), ', ' ORDER BY position) FROM unnest(columns) WITH ORDINALITY u (c, position)));
			END IF;
		END IF;
		max_items := CASE WHEN random() < 0.5 THEN 1 + floor(random() * 5) END;

		composed := CASE index_name WHEN 'keys' THEN 'item_project(full_item(t), ''pk, sk, g1'')'
			WHEN 'some' THEN 'item_project(full_item(t), ''pk, sk, g1, n, g2'')' ELSE 'full_item(t)' END;
		sql := format('SELECT %s::text FROM %s t WHERE %s ORDER BY %s LIMIT %s', composed, tbl, clause,
			(SELECT string_agg(quote_ident(c) || CASE WHEN forward THEN '' ELSE ' DESC' END, ', ') FROM unnest(columns) c), coalesce(max_items::text, 'ALL'));
		EXECUTE format('SELECT array(%s)', sql) INTO want;
		got := array(SELECT q::text FROM query_items(tbl, condition, attribute_values::text::item, NULL, index_name, NULL, NULL, forward, max_items, start_key) q);
		queries := queries + 1;
		with_rows := with_rows + (got <> '{}')::integer;
		IF got <> want THEN
			wrong := wrong || format('%s | %s | %s | %s | %s', index_name, condition, attribute_values, start_key, sql);
		END IF;
	END LOOP;
END $$;

SELECT setseed(0.25);
SELECT queries, with_rows > queries / 2 AS many_with_rows, wrong FROM check_queries('plain', 400);
SELECT queries, with_rows > queries / 2 AS many_with_rows, wrong FROM check_queries('parts', 200);
SET singletable.force_statements = on;
SELECT queries, with_rows > queries / 2 AS many_with_rows, wrong FROM check_queries('plain', 200);
RESET singletable.force_statements;

-- Scans, whole and in segments: the segments share no partition key, and are the table (or the index) together, in its order.
CREATE FUNCTION check_scans(tbl regclass) RETURNS TABLE (index_name text, rows bigint, equal boolean, in_segments boolean, disjoint boolean, some_segments boolean) LANGUAGE plpgsql AS $$
DECLARE
	columns text[]; want text[]; got text[]; filter text;
BEGIN
	FOREACH index_name IN ARRAY array[NULL, 'by_g', 'by_g2', 'inverted', 'local', 'keys', 'some', 'partial', 'both'] LOOP
		columns := CASE index_name WHEN 'by_g' THEN array['g1', 'g2', 'pk', 'sk'] WHEN 'by_g2' THEN array['g2', 'pk', 'sk'] WHEN 'inverted' THEN array['sk', 'pk']
			WHEN 'local' THEN array['pk', 'g2', 'sk'] WHEN 'keys' THEN array['g1', 'sk', 'pk'] WHEN 'some' THEN array['g1', 'pk', 'sk']
			WHEN 'partial' THEN array['g1', 'sk', 'pk'] WHEN 'both' THEN array['g1', 'g2', 'sk', 'pk'] ELSE array['pk', 'sk'] END;
		filter := (SELECT string_agg(format('%I IS NOT NULL', c), ' AND ') FROM unnest(columns) c) ||
			CASE index_name WHEN 'partial' THEN ' AND (g2 IS NULL OR g2 > ''\x40'')' ELSE '' END;
		EXECUTE format('SELECT array(SELECT %s::text FROM %s t WHERE %s ORDER BY %s)', CASE index_name WHEN 'keys' THEN 'item_project(full_item(t), ''pk, sk, g1'')'
			WHEN 'some' THEN 'item_project(full_item(t), ''pk, sk, g1, n, g2'')' ELSE 'full_item(t)' END, tbl, filter, array_to_string(columns, ', ')) INTO want;
		got := array(SELECT q::text FROM scan_items(tbl, index => index_name) q);
		rows := cardinality(got);
		equal := (got = want);
		CREATE TEMP TABLE pieces AS SELECT segment, position, q::text AS item FROM generate_series(0, 4) segment,
			LATERAL scan_items(tbl, index => index_name, segment => segment, total_segments => 5) WITH ORDINALITY s (q, position);
		in_segments := (SELECT array_agg(item ORDER BY item) FROM pieces) = (SELECT array_agg(item ORDER BY item) FROM unnest(want) item)
			AND NOT EXISTS (SELECT FROM (SELECT array_position(want, item) AS place, lag(array_position(want, item)) OVER (PARTITION BY segment ORDER BY position) AS before FROM pieces) p WHERE place <= before);
		disjoint := NOT EXISTS (SELECT FROM pieces GROUP BY item::jsonb -> columns[1], CASE WHEN index_name = 'both' THEN item::jsonb -> 'g2' END HAVING count(DISTINCT segment) > 1);
		some_segments := (SELECT count(DISTINCT segment) > 1 FROM pieces);
		DROP TABLE pieces;
		RETURN NEXT;
	END LOOP;
END $$;
SELECT * FROM check_scans('plain');
SELECT * FROM check_scans('parts');
SET singletable.force_statements = on;
SELECT * FROM check_scans('plain');
RESET singletable.force_statements;

-- Page by page, each from the key of the last item before it, forward over a scan and backward over a query.
CREATE FUNCTION pages(tbl regclass, index_name text, page_items integer) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}'; page item[]; start_key item;
BEGIN
	LOOP
		page := array(SELECT scan_items(tbl, index => index_name, max_items => page_items, start_key => start_key));
		EXIT WHEN cardinality(page) = 0;
		result := result || page::text[];
		start_key := item_key(tbl, get_item(tbl, item_key(tbl, page[cardinality(page)])), index_name);
	END LOOP;
	RETURN result;
END $$;
SELECT tbl, index_name, pages(tbl, index_name, 7) = array(SELECT q::text FROM scan_items(tbl, index => index_name) q) AS equal
FROM (VALUES ('plain'::regclass), ('parts')) t (tbl), unnest(array[NULL, 'by_g', 'by_g2', 'inverted', 'local', 'keys', 'both']) index_name ORDER BY 1, 2;

-- Point reads, one by one and in one batch: present and absent keys.
SELECT count(*), count(*) FILTER (WHERE get_item('plain', item_key('plain', full_item(t)))::text = full_item(t)::text) AS equal FROM plain t;
SELECT count(*), count(*) FILTER (WHERE get_item('parts', item_key('parts', full_item(t)))::text = full_item(t)::text) AS equal FROM parts t;
SELECT get_item('plain', '{"pk": "a", "sk": 12345}') IS NULL AS absent, get_item('parts', '{"pk": "a", "sk": 12345}') IS NULL AS absent_part;
SELECT get_item('plain', '{"pk": "a\u0000", "sk": 1}');
SELECT tbl, count(*) FROM batch_get_items((SELECT json_build_object('storage_read.plain', json_build_object('Keys', json_agg(json_build_object('pk', pk, 'sk', sk)))) FROM
	(SELECT pk, sk FROM plain UNION ALL SELECT 'absent', i FROM generate_series(1, 10) i) k)) GROUP BY tbl;
SET singletable.force_statements = on;
SELECT count(*), count(*) FILTER (WHERE get_item('plain', item_key('plain', full_item(t)))::text = full_item(t)::text) AS equal FROM plain t;
SELECT get_item('plain', '{"pk": "a", "sk": 12345}') IS NULL AS absent;
SELECT tbl, count(*) FROM batch_get_items((SELECT json_build_object('storage_read.plain', json_build_object('Keys', json_agg(json_build_object('pk', pk, 'sk', sk)))) FROM
	(SELECT pk, sk FROM plain UNION ALL SELECT 'absent', i FROM generate_series(1, 10) i) k)) GROUP BY tbl;
RESET singletable.force_statements;

SET client_min_messages = warning;
DROP SCHEMA storage_read CASCADE;
