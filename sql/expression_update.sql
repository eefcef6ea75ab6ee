-- Updates: static checks, their order, and evaluation.  Source: reference/expressions, sections 8, 9 and 11.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

-- The new item, or the error without its beginning.
CREATE FUNCTION try(old item, expression text, attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_update(old, expression, attribute_values, attribute_names);
EXCEPTION WHEN OTHERS THEN
	RETURN replace(SQLSTATE || ' ' || SQLERRM, 'KV001 Invalid UpdateExpression: ', '');
END $$;

-- Static checks, row by row.
SELECT t.line, t.expression, try('{"a": 1}', t.expression, t.attribute_values::item, t.attribute_names::jsonb) FROM (VALUES
	('2', 'SET abOrt = :a', NULL, NULL),
	('2', 'REMOVE a.b.Status', NULL, NULL),
	('2', 'SET a = user', NULL, NULL),
	('3', 'SET a = f(b)', NULL, NULL),
	('3', 'SET a = If_Not_Exists(a, :a)', NULL, NULL),
	('3', 'SET a = list_append(LIST_APPEND(a, b), c)', NULL, NULL),
	('3b', 'SET a = size(a)', NULL, NULL),
	('3b', 'SET a = if_not_exists(a, size(b))', NULL, NULL),
	('3b', 'SET a = attribute_exists(a)', NULL, NULL),
	('3b', 'SET a = contains(a, b) + :a', NULL, NULL),
	('3c', 'SET a = list_append(list_append(a, b), c)', NULL, NULL),
	('3c', 'SET a = list_append(a, (list_append(b, c)))', NULL, NULL),
	('4', 'SET a=:b SET c=:d', NULL, NULL),
	('4', 'REMOVE a SET b = :b remove c', NULL, NULL),
	('4', 'ADD a :a REMOVE b Add c :c REMOVE d', NULL, NULL),
	('4', 'DELETE a :a DELETE b :b', NULL, NULL),
	('index', 'SET a[2147483648] = :b', NULL, NULL),
	('index', 'SET a = b[99999999999999]', NULL, NULL),
	('5', 'SET #a = :b', '{":b": 1}', NULL),
	('5', 'SET a = #b.c', NULL, '{"#a": "a"}'),
	('5', 'SET a = :b', NULL, NULL),
	('5', 'ADD a :b', '{":c": 1}', NULL),
	('6', 'SET a = :a, a = :a', '{":a": 1}', NULL),
	('6', 'REMOVE a.b, a', NULL, NULL),
	('6', 'REMOVE a, a.b', NULL, NULL),
	('6', 'SET a = :a REMOVE a.b.c', '{":a": 1}', NULL),
	('6', 'SET c[1].a = :a, c = :a', '{":a": 1}', NULL),
	('6', 'REMOVE a.b[0], #a', NULL, '{"#a": "a"}'),
	('6', 'ADD a :a DELETE a :s', '{":a": 1, ":s": {"SS": ["x"]}}', NULL),
	('6', 'REMOVE b, c, x.y, d, x, e', NULL, NULL),
	('6, allowed', 'REMOVE #a, a.b', NULL, '{"#a": "a.b"}'),
	('6, allowed', 'SET b = a REMOVE a', NULL, NULL),
	('7', 'SET a.c = :a, a[1] = :a', '{":a": 1}', NULL),
	('7', 'REMOVE a[1], b, a.c', NULL, NULL),
	('7', 'REMOVE x.y[0].z, x.y.#z', NULL, '{"#z": "z"}'),
	('8', 'ADD a :a', '{":a": "x"}', NULL),
	('8', 'ADD a :a', '{":a": {"B": ""}}', NULL),
	('8', 'ADD a :a', '{":a": true}', NULL),
	('8', 'ADD a :a', '{":a": null}', NULL),
	('8', 'ADD a :a', '{":a": [1]}', NULL),
	('8', 'ADD a :a', '{":a": {"x": 1}}', NULL),
	('8b', 'DELETE a :a', '{":a": 1}', NULL),
	('8b', 'DELETE a :a', '{":a": "x"}', NULL),
	('8b', 'DELETE a :a', '{":a": []}', NULL),
	('9', 'SET a = if_not_exists(a)', NULL, NULL),
	('9', 'SET a = if_not_exists(a, b, c)', NULL, NULL),
	('9', 'SET a = list_append(a)', NULL, NULL),
	('9', 'SET a = list_append(a, b, c)', NULL, NULL),
	('9', 'SET a = if_not_exists(a, if_not_exists(b)) + c', NULL, NULL),
	('10', 'SET a = if_not_exists(:a, b)', '{":a": 1}', NULL),
	('10', 'SET a = if_not_exists(if_not_exists(a, b), c)', NULL, NULL),
	('11', 'SET a = a + :a', '{":a": "x"}', NULL),
	('11', 'SET a = :a - a', '{":a": {"NS": ["1"]}}', NULL),
	('11', 'SET a = list_append(:a, a)', '{":a": 1}', NULL),
	('11', 'SET a = list_append(a, :a)', '{":a": {"SS": ["x"]}}', NULL),
	('11', 'SET a = if_not_exists(a, b) - :a', '{":a": null}', NULL)
	) AS t (line, expression, attribute_values, attribute_names);

-- Which comes first.
SELECT t.expression, try('{"a": 1}', t.expression, t.attribute_values::item, t.attribute_names::jsonb) FROM (VALUES
	('SET a = ((:a)), abort = :b', NULL, NULL),
	('SET a = f(b), abort = :b', NULL, NULL),
	('SET a = size(b), c = f(b)', NULL, NULL),
	('SET a = list_append(list_append(a, b), c), d = size(e)', NULL, NULL),
	('SET a = :a SET b = list_append(list_append(a, b), c)', NULL, NULL),
	('SET #a = :a SET b = :b', NULL, NULL),
	('SET b = :b, #a = :a', NULL, NULL),
	('SET a = :a, a = :b', '{":b": 1}', NULL),
	('SET a.c = :a, a[1] = :a, b = :a, b = :a', '{":a": 1}', NULL),
	('ADD a.c :a REMOVE a[1]', '{":a": "x"}', NULL),
	('DELETE a :a ADD b :a', '{":a": "x"}', NULL),
	('SET a = if_not_exists(a) ADD b :a', '{":a": "x"}', NULL),
	('SET a = if_not_exists(:a, b), c = if_not_exists(d)', '{":a": "x"}', NULL),
	('SET a = b + :a, c = if_not_exists(:a, d)', '{":a": "x"}', NULL)
	) AS t (expression, attribute_values, attribute_names);

-- Evaluation.
CREATE FUNCTION run(old text, expression text, attribute_values text) RETURNS text LANGUAGE sql AS
	'SELECT try(old::item, expression, attribute_values::item)';
SELECT t.old, t.expression, t.attribute_values, run(t.old, t.expression, t.attribute_values) FROM (VALUES
	-- SET
	(1, '{"a": 1, "b": 2}', 'SET a = :v', '{":v": "x"}'),
	(2, '{"a": 1, "b": 2}', 'SET c = :v, aa = :v', '{":v": [1]}'),
	(3, '{}', 'SET a = :v', '{":v": {"x": 1}}'),
	(4, '{"a": 1, "b": 2}', 'SET a = b, b = a', NULL),
	(5, '{"a": 1}', 'SET x = :v, y = x', '{":v": 1}'),
	(6, '{"a": 1}', 'REMOVE a SET b = a', NULL),
	(7, '{"m": {"x": 1}}', 'SET m.y = :v, m.x = m.x + :v', '{":v": 1}'),
	(8, '{"m": {"x": {"y": {"z": 1}}}}', 'SET m.x.y.z = m, m.x.w = m.x.y.z', NULL),
	(9, '{"m": {}}', 'SET m.x = :v', '{":v": 1}'),
	(10, '{"m": {}}', 'SET m.x.y = :v', '{":v": 1}'),
	(11, '{"m": {}}', 'SET n.x = :v', '{":v": 1}'),
	(12, '{"m": []}', 'SET m.x = :v', '{":v": 1}'),
	(13, '{"m": {}}', 'SET m[0] = :v', '{":v": 1}'),
	(14, '{"m": "s"}', 'SET m.x = :v', '{":v": 1}'),
	(15, '{"m": {"SS": ["x"]}}', 'SET m[0] = :v', '{":v": 1}'),
	-- lists
	(20, '{"l": [0, 1, 2]}', 'SET l[1] = :v', '{":v": "x"}'),
	(21, '{"l": [0, 1, 2]}', 'SET l[3] = :v', '{":v": "x"}'),
	(22, '{"l": [0, 1, 2]}', 'SET l[30] = :v', '{":v": "x"}'),
	(23, '{"l": [0, 1, 2]}', 'SET l[30] = :v, l[7] = :w, l[100] = :x', '{":v": "thirty", ":w": "seven", ":x": "hundred"}'),
	(24, '{"l": []}', 'SET l[5] = :v', '{":v": "x"}'),
	(25, '{"l": [0, 1]}', 'SET l[0] = l[1], l[1] = l[0], l[2] = l[0]', NULL),
	(26, '{"l": [[0], [1]]}', 'SET l[1][0] = :v, l[0][9] = :v', '{":v": "x"}'),
	(27, '{"l": [{"x": 1}]}', 'SET l[0].y = :v', '{":v": "x"}'),
	(28, '{"l": [{"x": 1}]}', 'SET l[1].y = :v', '{":v": "x"}'),
	(29, '{"l": [0, 1, 2, 3]}', 'REMOVE l[1] SET l[3] = :v', '{":v": "x"}'),
	(30, '{"l": [0, 1, 2, 3]}', 'REMOVE l[0], l[1]', NULL),
	(31, '{"l": [0, 1, 2]}', 'REMOVE l[0] SET l[2] = :v, l[9] = :w', '{":v": "x", ":w": "y"}'),
	(32, '{"l": [0, 1]}', 'REMOVE l[0], l[1]', NULL),
	(33, '{"l": [0, 1]}', 'REMOVE l[2], l[100]', NULL),
	(34, '{"l": [0, 1]}', 'REMOVE l[5] SET l[4] = :v, l[6] = :w', '{":v": "x", ":w": "y"}'),
	(35, '{"l": [{"a": 1, "b": 2}, {"a": 3}, 5]}', 'REMOVE l[0].a, l[1] SET l[0].c = l[1].a, l[9] = l[2]', NULL),
	-- arithmetic
	(40, '{"a": 1}', 'SET a = a + :v', '{":v": 2.5}'),
	(41, '{"a": 1}', 'SET a = :v - a', '{":v": 0.1}'),
	(42, '{"a": 1, "b": 2}', 'SET c = (a) + b, d = a - b', NULL),
	(43, '{"a": 1}', 'SET a = a + b', NULL),
	(44, '{"a": 1}', 'SET b = b + :v', '{":v": 1}'),
	(45, '{"a": "x"}', 'SET a = a + :v', '{":v": 1}'),
	(46, '{"a": {"NS": ["1"]}}', 'SET a = a - :v', '{":v": 1}'),
	(47, '{"a": 0.1}', 'SET a = a + :v', '{":v": 0.2}'),
	(48, '{"a": 99999999999999999999999999999999999999}', 'SET a = a + :v', '{":v": 1}'),
	(49, '{"a": 99999999999999999999999999999999999999}', 'SET a = a + :v', '{":v": 0.1}'),
	(50, '{"a": 9e125}', 'SET a = a + a', NULL),
	(51, '{"a": 1e50}', 'SET a = a + :v', '{":v": 1}'),
	(52, '{"a": 1.1e-130}', 'SET a = a - :v', '{":v": 1e-130}'),
	(53, '{"a": -5}', 'SET a = a + :v', '{":v": 5}'),
	(54, '{}', 'SET a = if_not_exists(a, :z) + :v', '{":z": 0, ":v": 5}'),
	(55, '{"a": 7}', 'SET a = if_not_exists(a, :z) + :v', '{":z": 0, ":v": 5}'),
	(56, '{"a": "x"}', 'SET a = if_not_exists(a, :z) + :v', '{":z": 0, ":v": 5}'),
	-- if_not_exists
	(60, '{"a": 1}', 'SET a = if_not_exists(a, :v), b = if_not_exists(b, :v)', '{":v": 2}'),
	(61, '{"a": 1}', 'SET c = if_not_exists(b, a), d = if_not_exists(b, if_not_exists(a, :v)), e = if_not_exists(b, if_not_exists(c, :v))', '{":v": 2}'),
	(62, '{"a": 1}', 'SET c = if_not_exists(b, d)', NULL),
	(63, '{"a": 1}', 'SET c = if_not_exists(a, d)', NULL),
	(64, '{"a": {"x": [7]}}', 'SET c = if_not_exists(a.x[0], :v), d = if_not_exists(a.x[1], :v), e = if_not_exists(a[0], :v)', '{":v": 2}'),
	(65, '{"a": null}', 'SET b = if_not_exists(a, :v)', '{":v": 2}'),
	-- list_append
	(70, '{"l": [1]}', 'SET l = list_append(l, :v)', '{":v": ["x", {"y": 1}]}'),
	(71, '{"l": [1]}', 'SET l = list_append(:v, l)', '{":v": []}'),
	(72, '{"l": [1]}', 'SET m = list_append(l, l)', NULL),
	(73, '{"l": [1]}', 'SET m = list_append(if_not_exists(m, :v), l)', '{":v": ["x"]}'),
	(74, '{"l": [1]}', 'SET l = list_append(l, n)', NULL),
	(75, '{"l": [1], "n": 1}', 'SET l = list_append(l, n)', NULL),
	(76, '{"l": [1], "n": "x"}', 'SET l = list_append(n, l)', NULL),
	(77, '{"l": [[1], 2]}', 'SET l[0] = list_append(l[0], l)', NULL),
	(78, '{"a": 1}', 'SET l = list_append(:v, :v) + a', '{":v": [1]}'),
	-- REMOVE
	(80, '{"a": 1, "b": 2, "c": 3}', 'REMOVE b', NULL),
	(81, '{"a": 1}', 'REMOVE a', NULL),
	(82, '{"a": 1}', 'REMOVE b', NULL),
	(83, '{"m": {"x": 1}}', 'REMOVE m.x', NULL),
	(84, '{"m": {"x": 1}}', 'REMOVE m.y', NULL),
	(85, '{"m": {"x": 1}}', 'REMOVE m.y.z', NULL),
	(86, '{"m": {"x": 1}}', 'REMOVE n.x', NULL),
	(87, '{"m": {"x": 1}}', 'REMOVE m[0]', NULL),
	(88, '{"m": {"x": 1, "y": {"a": 1, "b": [1, 2, 3]}}}', 'REMOVE m.x, m.y.a, m.y.b[1], m.y.c', NULL),
	-- ADD
	(90, '{"a": 1}', 'ADD a :v', '{":v": -3}'),
	(91, '{"a": 1}', 'ADD b :v, m :w', '{":v": 3, ":w": {"NS": ["1"]}}'),
	(92, '{"m": {"n": 1}}', 'ADD m.n :v, m.o :v', '{":v": 3}'),
	(93, '{"m": {"n": 1}}', 'ADD x.n :v', '{":v": 3}'),
	(94, '{"m": [1]}', 'ADD m[0] :v, m[5] :v', '{":v": 3}'),
	(95, '{"a": {"SS": ["b", "a"]}}', 'ADD a :v', '{":v": {"SS": ["c", "a"]}}'),
	(96, '{"a": {"NS": ["1"]}}', 'ADD a :v', '{":v": {"NS": ["1.0", "-1"]}}'),
	(97, '{"a": {"BS": ["YQ=="]}}', 'ADD a :v', '{":v": {"BS": ["Yg=="]}}'),
	(98, '{"a": {"SS": ["1"]}}', 'ADD a :v', '{":v": {"NS": ["1"]}}'),
	(99, '{"a": {"NS": ["1"]}}', 'ADD a :v', '{":v": 1}'),
	(100, '{"a": "1"}', 'ADD a :v', '{":v": 1}'),
	(101, '{"a": [1]}', 'ADD a :v', '{":v": {"NS": ["1"]}}'),
	(102, '{"a": 9e125}', 'ADD a :v', '{":v": 9e125}'),
	-- DELETE
	(110, '{"a": {"SS": ["a", "b", "c"]}}', 'DELETE a :v', '{":v": {"SS": ["c", "a", "x"]}}'),
	(111, '{"a": {"SS": ["a", "b"]}, "b": 1}', 'DELETE a :v', '{":v": {"SS": ["a", "b"]}}'),
	(112, '{"a": {"NS": ["1", "2"]}}', 'DELETE a :v', '{":v": {"NS": ["1.00"]}}'),
	(113, '{"a": {"NS": ["1", "2"]}}', 'DELETE a :v', '{":v": {"SS": ["1"]}}'),
	(114, '{"a": 1}', 'DELETE a :v', '{":v": {"SS": ["1"]}}'),
	(115, '{"a": 1}', 'DELETE b :v', '{":v": {"SS": ["1"]}}'),
	(116, '{"m": {"s": {"SS": ["1"]}, "t": 1}}', 'DELETE m.s :v, m.u :v', '{":v": {"SS": ["1"]}}'),
	(117, '{"m": {"s": {"SS": ["1"]}}}', 'DELETE n.s :v', '{":v": {"SS": ["1"]}}'),
	(118, '{"l": [{"SS": ["1", "2"]}, {"SS": ["1"]}, 3]}', 'DELETE l[0] :v, l[1] :v, l[7] :v', '{":v": {"SS": ["1"]}}'),
	(119, '{"a": {"BS": ["YQ==", ""]}}', 'DELETE a :v', '{":v": {"BS": [""]}}'),
	-- all at once
	(120, '{"a": 1, "b": {"SS": ["x", "y"]}, "c": "gone", "d": [1, 2], "z": null}', 'SET d[0] = a, e = d ADD a :n DELETE b :s REMOVE c, d[1]', '{":n": 1, ":s": {"SS": ["x"]}}'),
	-- a parent error outranks a missing operand
	(130, '{"a": 1}', 'SET b = nope, c.d = a', NULL),
	(131, '{"a": "x"}', 'SET b = a + a REMOVE c.d', NULL),
	(132, '{"a": "x"}', 'ADD a :v SET c[0] = a', '{":v": 1}')
	) AS t (number, old, expression, attribute_values) ORDER BY t.number;

-- Untouched values are kept to the byte, whatever they are, and names in their order.
SELECT item_update(item, 'SET b = :b REMOVE d ADD m.n :b', '{":b": 1}') = expected, item_update(item, 'SET b = :b REMOVE d ADD m.n :b', '{":b": 1}')::text = expected::text
FROM (SELECT '{"a": {"B": "AAEC"}, "c": {"NS": ["3", "1e10", "-2"]}, "d": 1, "m": {"z": {"BS": ["", "YQ=="]}, "a": null}, "é": true, "z": [[], {}, ""]}'::item AS item,
			 '{"a": {"B": "AAEC"}, "b": 1, "c": {"NS": ["3", "1e10", "-2"]}, "m": {"z": {"BS": ["", "YQ=="]}, "a": null, "n": 1}, "é": true, "z": [[], {}, ""]}'::item AS expected) AS items;
-- Names with anything in them.
SELECT try('{"a.b": {"#": 1, ":v": 2}, " ": [0]}', 'SET #a.#b = #a.#c + :v, #d[0] = :v REMOVE #a.#c', '{":v": 5}', '{"#a": "a.b", "#b": "#", "#c": ":v", "#d": " "}');

-- Nesting of the result: 32 levels, counted from the top.
CREATE FUNCTION nested(levels integer, innermost text DEFAULT '1') RETURNS text LANGUAGE sql AS
	$$SELECT repeat('{"x": ', levels - 1) || innermost || repeat('}', levels - 1)$$;
SELECT length(item_update(format('{"a": %s}', nested(31, '{}'))::item, 'SET a' || repeat('.x', 31) || ' = :v', '{":v": 1}')::text) > 0 AS level_32;
SELECT try(format('{"a": %s}', nested(32, '{}'))::item, 'SET a' || repeat('.x', 31) || ' = :v', '{":v": {}}') NOT LIKE 'KV%' AS level_32_map;
SELECT try(format('{"a": %s}', nested(31, '{}'))::item, 'SET a' || repeat('.x', 31) || ' = :v', '{":v": {"y": 1}}') AS level_33;
SELECT try(format('{"a": %s}', nested(31, '[]'))::item, 'SET a' || repeat('.x', 30) || '[0] = :v', '{":v": [1]}') AS level_33;
SELECT try('{"m": {}}', 'SET m.a = :v', format('{":v": %s}', nested(32))::item) AS level_33;
SELECT try('{"m": {}}', 'SET a = :v', format('{":v": %s}', nested(32))::item) NOT LIKE 'KV%' AS level_32;
SELECT try(format('{"a": %s}', nested(31))::item, 'SET b = :v, b2 = a', '{":v": {}}') NOT LIKE 'KV%' AS deep_elsewhere;
-- Size of the result.
SELECT item_size(item_update(format('{"a": "%s"}', repeat('x', 409598))::item, 'SET b = :v', '{":v": ""}'));
SELECT try(format('{"a": "%s"}', repeat('x', 409598))::item, 'SET b = :v', '{":v": "x"}');

-- Against jsonb_set and #-.
CREATE TABLE document AS
SELECT n, jsonb_build_object('a', n, 'm', jsonb_build_object('x', n % 3, 'y', jsonb_build_object('z', jsonb_build_array(1, n, jsonb_build_object('w', n)))),
	'l', (SELECT coalesce(jsonb_agg(i * n), '[]') FROM generate_series(1, n % 5) AS i), 's', 'text ' || n) AS document
FROM generate_series(1, 100) AS n;
CREATE TABLE target (path text, json_path text[]);
INSERT INTO target VALUES ('a', '{a}'), ('b', '{b}'), ('m.x', '{m,x}'), ('m.newer', '{m,newer}'), ('m.y.z[0]', '{m,y,z,0}'), ('m.y.z[2].w', '{m,y,z,2,w}'), ('m.y.z[2].v', '{m,y,z,2,v}'),
	('l', '{l}'), ('m.y', '{m,y}'), ('#s', '{s}'), ('m.y.z[3]', '{m,y,z,3}'), ('m.y.z[9]', '{m,y,z,9}');
SELECT count(*) AS compared,
	count(*) FILTER (WHERE item_update(document::text::item, format('SET %s = :v', path), '{":v": {"new": [1, null]}}', CASE WHEN path LIKE '#%' THEN '{"#s": "s"}'::jsonb END)::jsonb
			<> jsonb_set(document, json_path, '{"new": [1, null]}')) AS sets,
	count(*) FILTER (WHERE item_update(document::text::item, format('REMOVE %s', path), NULL, CASE WHEN path LIKE '#%' THEN '{"#s": "s"}'::jsonb END)::jsonb
			<> document #- json_path) AS removals,
	count(*) FILTER (WHERE path <> '#s' AND item_update(document::text::item, format('SET copy_ = if_not_exists(%s, :v)', path), '{":v": "none"}')::jsonb
			<> document || jsonb_build_object('copy_', coalesce(document #> json_path, '"none"'))) AS reads
FROM document, target;
-- Several targets at once, one after the other in jsonb: the order does not matter as long as positions do not move.
SELECT count(*) AS compared,
	count(*) FILTER (WHERE item_update(document::text::item, format('SET %s = :v, %s = :w', a.path, b.path), '{":v": [], ":w": "x"}')::jsonb
			<> jsonb_set(jsonb_set(document, a.json_path, '[]'), b.json_path, '"x"')) AS sets,
	count(*) FILTER (WHERE item_update(document::text::item, format('SET %s = :v REMOVE %s', a.path, b.path), '{":v": []}')::jsonb
			<> jsonb_set(document, a.json_path, '[]') #- b.json_path) AS removals
FROM document, target a, target b
WHERE a.path !~ '#' AND b.path !~ '#' AND NOT a.json_path[1:array_length(b.json_path, 1)] = b.json_path AND NOT b.json_path[1:array_length(a.json_path, 1)] = a.json_path
  AND NOT (a.path ~ 'z\[[39]' AND b.path ~ 'z\[') AND NOT (b.path ~ 'z\[[039]' AND a.path ~ 'z\[');
-- Lists of every length up to 6, all sets of removed positions and appended numbers, against arrays.
SELECT count(*) AS compared, count(*) FILTER (WHERE updated <> expected) AS different
FROM generate_series(0, 6) AS length, generate_series(0, 127) AS removed, generate_series(0, 9) AS set_at,
	LATERAL (SELECT coalesce(jsonb_agg(i), '[]') AS list FROM generate_series(0, length - 1) AS i) AS lists,
	LATERAL (SELECT string_agg(format('l[%s]', i), ', ') AS removals FROM generate_series(0, 6) AS i WHERE removed & (1 << i) > 0) AS removals,
	LATERAL (SELECT item_update(format('{"l": %s}', list)::item, format('SET l[%s] = :v REMOVE %s', set_at, coalesce(removals, 'nope')), '{":v": "x"}')::jsonb -> 'l' AS updated) AS updated,
	LATERAL (SELECT coalesce(jsonb_agg(CASE WHEN i = set_at OR i = length THEN '"x"'::jsonb ELSE to_jsonb(i) END ORDER BY i), '[]') AS expected
			 FROM generate_series(0, CASE WHEN set_at < length THEN length - 1 ELSE length END) AS i
			 WHERE i = length OR removed & (1 << i) = 0) AS expected
WHERE removed & (1 << set_at) = 0 OR set_at > 6;
-- Sums against numeric.
SELECT setseed(0.5) IS NOT NULL AS seeded;
SELECT count(*) AS compared, count(*) FILTER (WHERE (updated ->> 'sum')::numeric <> a + b OR (updated ->> 'difference')::numeric <> a - b OR (updated ->> 'a')::numeric <> a + b) AS different
FROM (SELECT a, b, item_update(format('{"a": %s}', a)::item, 'SET #s = a + :b, difference = a - :b ADD a :b', format('{":b": %s}', b)::item, '{"#s": "sum"}')::jsonb AS updated
	  FROM (SELECT ((random() - 0.5) * 10 ^ (random() * 14))::numeric(30, 10) AS a, ((random() - 0.5) * 10 ^ (random() * 14))::numeric(30, 10) AS b FROM generate_series(1, 1000)) AS numbers) AS sums;
DROP TABLE document, target;

-- An item that does not exist: REMOVE and DELETE of what is inside it do nothing, SET and ADD create it from its key.
CREATE TABLE thing (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE FUNCTION try_table(key text, expression text, attribute_values text, return_values text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN update_item('thing', format('{"pk": "%s"}', key)::item, expression, NULL, attribute_values::item, NULL, return_values);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT t.expression, try_table('absent' || t.number, t.expression, t.attribute_values, 'ALL_NEW') FROM (VALUES
	(1, 'REMOVE x.y', NULL), (2, 'DELETE x.y :s', '{":s": {"SS": ["a"]}}'), (3, 'REMOVE x[0], y, z.a.b', NULL), (4, 'SET x.y = :v', '{":v": 1}'), (5, 'ADD x.y :v', '{":v": 1}'),
	(6, 'SET x = :v REMOVE y.z DELETE q[0] :s', '{":v": 1, ":s": {"SS": ["a"]}}'), (7, 'SET x = y', NULL), (8, 'SET x = if_not_exists(y, pk)', NULL), (9, 'ADD n :v, s :s', '{":v": 1, ":s": {"SS": ["a"]}}'),
	(10, 'DELETE s :s', '{":s": {"SS": ["a"]}}')
	) AS t (number, expression, attribute_values) ORDER BY t.number;
SELECT pk FROM thing ORDER BY length(pk), pk;
-- What the targets select of the old and of the new item.
CREATE FUNCTION both_sides(expression text, attribute_values text) RETURNS TABLE (updated_old text, updated_new text) LANGUAGE plpgsql AS $$
DECLARE
	old item := '{"pk": "x", "a": 1, "m": {"x": 1, "y": {"z": 2}}, "l": [10, 11, 12, {"q": 13}], "s": {"SS": ["a", "b"]}, "gone": true}';
BEGIN
	PERFORM put_item('thing', old);
	updated_old := try_table('x', expression, attribute_values, 'UPDATED_OLD');
	PERFORM put_item('thing', old);
	updated_new := try_table('x', expression, attribute_values, 'UPDATED_NEW');
	RETURN NEXT;
END $$;
SELECT t.expression, sides.* FROM (VALUES
	(1, 'SET a = a + :v', '{":v": 1}'), (2, 'SET n = :v', '{":v": 1}'), (3, 'REMOVE gone', NULL), (4, 'REMOVE nope', NULL), (5, 'SET m.x = :v, m.w = :v, m.y.z = :v', '{":v": 1}'), (6, 'SET l[1] = :v', '{":v": 1}'),
	(7, 'SET l[2] = :v, l[0] = :v, l[3].q = :v, l[3].r = :v', '{":v": 1}'), (8, 'REMOVE l[1]', NULL), (9, 'SET l[100] = :v', '{":v": 1}'), (10, 'REMOVE l[3]', NULL), (11, 'ADD a :v, m.c :v DELETE s :s', '{":v": 1, ":s": {"SS": ["a"]}}'),
	(12, 'DELETE s :s REMOVE m.y.z', '{":s": {"SS": ["a", "b"]}}'), (13, 'SET a = a', NULL)
	) AS t (number, expression, attribute_values), both_sides(t.expression, t.attribute_values) AS sides ORDER BY t.number;
DROP FUNCTION try_table, both_sides;
DROP TABLE thing;

-- NULL arguments, and inside SQL.
SELECT item_update(NULL, 'SET a = :a') IS NULL, item_update('{}', NULL) IS NULL, item_update('{"a": 1}', 'REMOVE a', NULL, NULL);
CREATE TABLE counter (name text, item item);
INSERT INTO counter VALUES ('a', '{}'), ('b', '{"hits": 5}');
UPDATE counter SET item = item_update(item, 'ADD hits :one SET #l = :l', '{":one": 1, ":l": "now"}', '{"#l": "last"}');
UPDATE counter SET item = item_update(item, format('ADD %s :n', name), format('{":n": %s}', length(name))::item) WHERE item_matches(item, 'hits > :n', '{":n": 1}');
SELECT * FROM counter ORDER BY name;
DROP TABLE counter;
DROP FUNCTION try, run, nested;
