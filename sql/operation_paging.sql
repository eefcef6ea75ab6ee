-- start_key: pages put together are the whole, in both directions, on table, LSI and GSI, with many equal index keys.
\pset format unaligned
\pset tuples_only on

CREATE TABLE t (pk text COLLATE "C", sk numeric, l text COLLATE "C", gp text COLLATE "C", gs numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX by_l ON t USING lsi (pk, l, sk);
CREATE INDEX by_g ON t USING gsi (gp, gs, pk, sk);
CREATE INDEX by_gp ON t USING gsi (gp, pk, sk);
CREATE INDEX inverted ON t USING gsi (sk, pk);
-- 200 items, 5 partitions, of the index keys each many times over.
INSERT INTO t SELECT 'p' || i % 5, i, 'l' || i % 3, 'g' || i % 2, i % 4, jsonb_build_object('i', i, 'odd', i % 2)::item FROM generate_series(1, 200) i;
INSERT INTO t SELECT 'p' || i, 0, NULL, NULL, NULL, '{"i": 0, "odd": 0}' FROM generate_series(0, 4) i;

/*
 * Reads page by page, each beginning after the last item of the one before, and compares what the pages hold together with the whole.
 * The start key is made of the last item's key attributes, as a client makes it.
 */
CREATE FUNCTION pg_temp.read(condition text, attribute_values item, index text, filter text, forward boolean, page bigint, start_key item)
RETURNS item[] LANGUAGE plpgsql AS $$
BEGIN
	IF condition IS NULL THEN
		RETURN (SELECT coalesce(array_agg(i ORDER BY n), '{}') FROM scan_items('t', read.filter, read.attribute_values,
			index => read.index, max_items => page, start_key => read.start_key) WITH ORDINALITY q(i, n));
	END IF;
	RETURN (SELECT coalesce(array_agg(i ORDER BY n), '{}') FROM query_items('t', read.condition, read.attribute_values, index => read.index,
		filter => read.filter, forward => read.forward, max_items => page, start_key => read.start_key) WITH ORDINALITY q(i, n));
END $$;
CREATE FUNCTION pg_temp.pages(keys text, condition text, attribute_values item, index text DEFAULT NULL, filter text DEFAULT NULL)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	whole item[];
	items item[];
	found item[];
	start_key item;
	pages int;
	page bigint;
	forward boolean;
BEGIN
	FOREACH forward IN ARRAY CASE WHEN condition IS NULL THEN ARRAY[true] ELSE ARRAY[true, false] END LOOP
		whole := pg_temp.read(condition, attribute_values, index, filter, forward, NULL, NULL);
		FOREACH page IN ARRAY ARRAY[1, 7, 1000] LOOP
			items := '{}';
			pages := 0;
			start_key := NULL;
			LOOP
				found := pg_temp.read(condition, attribute_values, index, filter, forward, page, start_key);
				EXIT WHEN found = '{}';
				pages := pages + 1;
				items := items || found;
				start_key := item_project(found[cardinality(found)], keys);
			END LOOP;
			RETURN NEXT format('%s %s: %s pages of %s, %s of %s items, %s', CASE WHEN forward THEN 'up' ELSE 'down' END,
				coalesce(condition, 'scan'), pages, page, cardinality(items), cardinality(whole),
				CASE WHEN items = whole THEN 'the same' ELSE 'NOT THE SAME' END);
		END LOOP;
	END LOOP;
END $$;

\echo the table
SELECT pg_temp.pages('pk, sk', 'pk = :p', '{":p": "p1"}');
SELECT pg_temp.pages('pk, sk', 'pk = :p AND sk > :n', '{":p": "p1", ":n": 100}');
SELECT pg_temp.pages('pk, sk', 'pk = :p AND sk <= :n', '{":p": "p1", ":n": 101}');
SELECT pg_temp.pages('pk, sk', 'pk = :p AND sk BETWEEN :m AND :n', '{":p": "p1", ":m": 21, ":n": 101}');
SELECT pg_temp.pages('pk, sk', NULL, NULL);
\echo the local index
SELECT pg_temp.pages('pk, sk, l', 'pk = :p', '{":p": "p1"}', 'by_l');
SELECT pg_temp.pages('pk, sk, l', 'pk = :p AND l = :l', '{":p": "p1", ":l": "l1"}', 'by_l');
SELECT pg_temp.pages('pk, sk, l', 'pk = :p AND l >= :l', '{":p": "p1", ":l": "l1"}', 'by_l');
SELECT pg_temp.pages('pk, sk, l', 'pk = :p AND begins_with(l, :l)', '{":p": "p1", ":l": "l"}', 'by_l');
SELECT pg_temp.pages('pk, sk, l', NULL, NULL, 'by_l');
\echo the global index
SELECT pg_temp.pages('pk, sk, gp, gs', 'gp = :g', '{":g": "g0"}', 'by_g');
SELECT pg_temp.pages('pk, sk, gp, gs', 'gp = :g AND gs = :n', '{":g": "g0", ":n": 2}', 'by_g');
SELECT pg_temp.pages('pk, sk, gp, gs', 'gp = :g AND gs < :n', '{":g": "g0", ":n": 2}', 'by_g');
SELECT pg_temp.pages('pk, sk, gp, gs', NULL, NULL, 'by_g');
\echo a global index without sort key, an inverted one
SELECT pg_temp.pages('pk, sk, gp', 'gp = :g', '{":g": "g1"}', 'by_gp');
SELECT pg_temp.pages('pk, sk', 'sk = :z', '{":z": 0}', 'inverted');
\echo with a filter
SELECT pg_temp.pages('pk, sk', 'pk = :p', '{":p": "p1", ":o": 1}', NULL, 'odd = :o');
SELECT pg_temp.pages('pk, sk', NULL, '{":o": 1}', NULL, 'odd = :o');

-- A start key need not be the key of an item; it may stand before the range's first or after its last item.
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('t', 'pk = :p', '{":p": "p1"}', max_items => 2, start_key => '{"pk": "p1", "sk": 100.5}') WITH ORDINALITY q(i, n);
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('t', 'pk = :p', '{":p": "p1"}', max_items => 2, forward => false, start_key => '{"pk": "p1", "sk": 100.5}') WITH ORDINALITY q(i, n);
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('t', 'pk = :p', '{":p": "p1"}', max_items => 2, start_key => '{"pk": "p1", "sk": -5}') WITH ORDINALITY q(i, n);
SELECT count(*) FROM query_items('t', 'pk = :p', '{":p": "p1"}', start_key => '{"pk": "p1", "sk": 1e100}');
SELECT count(*) FROM query_items('t', 'pk = :p', '{":p": "p1"}', start_key => '{"pk": "p1", "sk": -5}', forward => false);
-- Its item may be gone meanwhile.
DELETE FROM t WHERE pk = 'p1' AND sk = 101;
SELECT array_agg((i ->> 'i')::int ORDER BY n) FROM query_items('t', 'pk = :p', '{":p": "p1"}', max_items => 2, start_key => '{"pk": "p1", "sk": 101}') WITH ORDINALITY q(i, n);
-- Keys of one attribute: a scan goes on, segment by segment too.
CREATE TABLE single (pk bytea PRIMARY KEY, item item NOT NULL DEFAULT '{}');
INSERT INTO single SELECT int4send(i) FROM generate_series(1, 10) i;
SELECT i FROM scan_items('single', start_key => '{"pk": {"B": "AAAACA=="}}') i;
SELECT count(*) FROM generate_series(0, 2) g,
	LATERAL (SELECT i FROM scan_items('single', segment => g, total_segments => 3, max_items => 1) i) first,
	LATERAL scan_items('single', segment => g, total_segments => 3, start_key => first.i) AS rest;

-- The same by statements.
SET singletable.force_statements = on;
SELECT pg_temp.pages('pk, sk', 'pk = :p', '{":p": "p1"}');
SELECT pg_temp.pages('pk, sk, l', 'pk = :p AND begins_with(l, :l)', '{":p": "p1", ":l": "l"}', 'by_l');
SELECT pg_temp.pages('pk, sk, gp, gs', 'gp = :g', '{":g": "g0"}', 'by_g');
SELECT pg_temp.pages('pk, sk', 'sk = :z', '{":z": 0}', 'inverted');
SELECT pg_temp.pages('pk, sk', NULL, NULL);
RESET singletable.force_statements;

DROP TABLE t, single;
