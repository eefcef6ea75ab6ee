-- Projections: static checks, their order, and results.  Source: reference/expressions, sections 8 (rows 6 and 7), 10 and 11.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

-- What is left of the item, or the error without its beginning.
CREATE FUNCTION try(whole item, expression text, attribute_names jsonb DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_project(whole, expression, attribute_names);
EXCEPTION WHEN OTHERS THEN
	RETURN replace(SQLSTATE || ' ' || SQLERRM, 'KV001 Invalid ProjectionExpression: ', '');
END $$;

-- Static checks, in their order: also when the item has nothing of it.
SELECT t.expression, try('{}', t.expression, t.attribute_names::jsonb) FROM (VALUES
	(1, 'a, Status', NULL),
	(2, 'a[2147483648], status', NULL),
	(3, 'a[2147483648], #a', NULL),
	(4, '#a, a, a', NULL),
	(5, '#a.#b', '{"#a": "x"}'),
	(6, 'a[1], a.b, c, c', NULL),
	(7, 'a, a', NULL),
	(8, 'a, b, #a', '{"#a": "a"}'),
	(9, 'a.b.c, a.b', NULL),
	(10, 'a, x, a.b', NULL),
	(11, 'a[1], b, a[1]', NULL),
	(12, 'a[1].b, a[1]', NULL),
	(13, 'a.c, a[1]', NULL),
	(14, 'a[0].b, x, a[0][1]', NULL),
	(15, 'a.b, a.c, a[0]', NULL),
	(16, 'a, b, a.b, c[0], c.d, d, d', NULL)
	) AS t (number, expression, attribute_names) ORDER BY t.number;
-- What is no overlap.
SELECT t.expression, try('{"a": {"b": 1, "c": 2}, "a.b": 3, "[0]": 4, "l": [5, 6]}', t.expression, t.attribute_names::jsonb) FROM (VALUES
	(1, 'a.b, a.c', NULL),
	(2, 'a.b, #ab', '{"#ab": "a.b"}'),
	(3, 'l[0], #l', '{"#l": "[0]"}'),
	(4, 'l[0], l[1]', NULL),
	(5, 'a, A', NULL)
	) AS t (number, expression, attribute_names) ORDER BY t.number;

-- Results.
SELECT t.expression, try('{"a": {"b": 1, "c": 2, "d": {"e": [], "f": "x"}}, "l": [10, 11, {"x": 1, "y": 2}, [30, 31, 32], {"SS": ["p"]}], "s": "text", "z": null, "m": {"a": 1}, "e": {}}', t.expression) FROM (VALUES
	(1, 's'), (2, 'z, s'), (3, 'nope'), (4, 'nope, s'), (5, 'a.b'), (6, 'a.c, a.b'), (7, 'a.d.f, s, a.b'), (8, 'a.d'), (9, 'a.nope'), (10, 'a.nope, a.b'), (11, 'a.nope.x, s'), (12, 'a.b.x'), (13, 'a.d.nope, l[9]'),
	(14, 'l[2], l[0]'), (15, 'l[3], l[0], l[4], l[1]'), (16, 'l[2].x, l[2].y'), (17, 'l[2].y, l[0]'), (18, 'l[3][2], l[3][0]'), (19, 'l[3][1], l[2].x'), (20, 'l[3][9], l[2].x'), (21, 'l[3][9]'), (22, 'l[5]'), (23, 'l.x'), (24, 'a[0]'), (25, 's[0]'),
	(26, 's.x'), (27, 'l[4][0]'), (28, 'e'), (29, 'e.x'), (30, 'a.d.e'), (31, 'a.d.e[0]'), (32, 'a, l, s, z, m, e'), (33, 'm.a, a.b, l[1], s, a.d.f'), (34, 'l[2].x, l[2].z'), (35, 'l[2147483647], s')
	) AS t (number, expression) ORDER BY t.number;
SELECT try('{"a.b": {"c d": [1, 2]}, "é": 1}', '#a.#c[1], #e', '{"#a": "a.b", "#c": "c d", "#e": "é"}');

-- Types and bytes are kept.
SELECT item_project(item, 'b, bs, ns, n, t, deep.x') = item AS same FROM (SELECT
	'{"b": {"B": "AAE="}, "bs": {"BS": ["", "AA=="]}, "ns": {"NS": ["1e100", "-1", "0"]}, "n": 0.10, "t": false, "deep": {"x": [[[{"y": {"SS": ["q"]}}]], null]}}'::item) AS items;
-- 32 steps, and a projection of all attributes of a large item.
SELECT item_project(item, 'a' || repeat('.x', 31)) = item AS same FROM (SELECT format('{"a": %s1%s}', repeat('{"x": ', 31), repeat('}', 31))::item AS item) AS items;
SELECT count(*) FILTER (WHERE item_project(item, expression) <> item) AS different FROM (
	SELECT string_agg(format('a%s', i), ',' ORDER BY random()) AS expression, format('{%s}', string_agg(format('"a%s": %s', i, i), ','))::item AS item FROM generate_series(1, 600) AS i) AS items;

-- Against jsonb: of a path without list steps, jsonb_set on an empty document of the same nesting.
CREATE TABLE document AS
SELECT jsonb_build_object('a', n, 'm', jsonb_build_object('x', n % 3, 'y', jsonb_build_object('z', n, 'w', jsonb_build_array(n, n + 1, jsonb_build_object('q', n)))), 's', 'text') AS document
FROM generate_series(1, 20) AS n;
SELECT count(*) AS compared,
	count(*) FILTER (WHERE item_project(document::text::item, 'm.y.z')::jsonb <> jsonb_build_object('m', jsonb_build_object('y', jsonb_build_object('z', document #> '{m,y,z}')))) AS one,
	count(*) FILTER (WHERE item_project(document::text::item, 'm.y, a')::jsonb <> jsonb_build_object('a', document -> 'a', 'm', jsonb_build_object('y', document #> '{m,y}'))) AS two,
	count(*) FILTER (WHERE item_project(document::text::item, 'm.y.w[2].q, m.y.w[0]')::jsonb <> jsonb_build_object('m', jsonb_build_object('y', jsonb_build_object('w', jsonb_build_array(document #> '{m,y,w,0}', document #> '{m,y,w,2}'))))) AS list,
	-- What is left out by REMOVE and what is projected are the item together.
	count(*) FILTER (WHERE item_project(document::text::item, 'a, s') || item_update(document::text::item, 'REMOVE a, s') <> document::text::item) AS complement
FROM document;
DROP TABLE document;

-- NULL arguments, and inside SQL.
SELECT item_project(NULL, 'a') IS NULL, item_project('{}', NULL) IS NULL, item_project('{}', 'a', NULL);
CREATE TABLE person (item item);
INSERT INTO person SELECT format('{"pk": "p%s", "name": {"first": "F%s", "last": "L%s"}, "age": %s}', n, n, n, n)::item FROM generate_series(1, 3) AS n;
SELECT item_project(item, 'pk, #n.#l', '{"#n": "name", "#l": "last"}') FROM person ORDER BY item_text(item, 'pk');
DROP TABLE person;
DROP FUNCTION try;
