-- Conditions: static checks, their order, and evaluation.  Source: reference/expressions, sections 5, 6, 11 and 12.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

-- true, false, or the error without its beginning.
CREATE FUNCTION matches(expression text, attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL, item item DEFAULT '{}')
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_matches(item, expression, attribute_values, attribute_names);
EXCEPTION WHEN OTHERS THEN
	RETURN replace(SQLSTATE || ' ' || SQLERRM, 'KV001 Invalid ConditionExpression: ', '');
END $$;

-- The table of truth.
SELECT t.expression, matches(t.expression, t.attribute_values::item, NULL,
	'{"pk": "k", "n": 5, "s": "abc", "l": [1, "x"], "m": {"a": 1}, "ss": {"SS": ["x", "y"]}, "z": null}') AS result,
	t.expected
FROM (VALUES
	(1, 'n = :five', '{":five": 5}', true),
	(2, 'n <> :str', '{":str": "5"}', true),
	(3, 'NOT nope = :five', '{":five": 5}', true),
	(4, 'nope <> nope2', NULL, true),
	(5, 'NOT n < :str', '{":str": "5"}', true),
	(6, 's BETWEEN :five AND :five', '{":five": 5}', false),
	(7, 'attribute_exists(z)', NULL, true),
	(8, 'attribute_exists(m.b)', NULL, false),
	(9, 'attribute_exists(l[2])', NULL, false),
	(10, 'contains(ss, :x)', '{":x": "x"}', true),
	(11, 'contains(m, :x)', '{":x": "x"}', false),
	(12, 'begins_with(s, :ab)', '{":ab": "ab"}', true),
	(13, 'size(ss) = :two', '{":two": 2}', true),
	(14, 'size(n) <> :five', '{":five": 5}', true),
	(15, 'attribute_type(z, :t)', '{":t": "NULL"}', true),
	(16, 'n = :str', '{":str": "5"}', false),
	(17, 'nope <> :five', '{":five": 5}', true),
	(18, 'nope = nope2', NULL, false),
	(19, 'n < :str', '{":str": "5"}', false),
	(20, 'n BETWEEN :five AND :five', '{":five": 5}', true),
	(21, ':five IN (n, nope)', '{":five": 5}', true),
	(22, 'attribute_exists(m.a)', NULL, true),
	(23, 'attribute_exists(l[1])', NULL, true),
	(24, 'attribute_not_exists(n.a)', NULL, true),
	(25, 'contains(l, :x)', '{":x": "x"}', true),
	(26, 'contains(s, :ab)', '{":ab": "ab"}', true),
	(27, 'begins_with(n, :ab)', '{":ab": "ab"}', false),
	(28, 'size(n) = :five', '{":five": 5}', false),
	(29, 'size(s) > size(l)', NULL, true),
	(30, 'attribute_type(nope, :t)', '{":t": "NULL"}', false)
	) AS t (number, expression, attribute_values, expected) ORDER BY t.number;

-- Static checks, row by row.
SELECT t.line, t.expression, matches(t.expression, t.attribute_values::item, t.attribute_names::jsonb) FROM (VALUES
	('1', '((a = :b))', NULL, NULL),
	('2', 'dog(a)', NULL, NULL),
	('2', 'SIZE(a) = :b', NULL, NULL),
	('2', 'Contains(a, :b)', NULL, NULL),
	('2', 'a = dog(b)', NULL, NULL),
	('2', 'abort(a) = :b', NULL, NULL),
	('3', 'size(a)', NULL, NULL),
	('3', '(size(a))', NULL, NULL),
	('3', 'NOT size(a)', NULL, NULL),
	('3', 'a = :b AND size(c) OR a = :b', NULL, NULL),
	('3', 'attribute_exists(a) = :b', NULL, NULL),
	('3', 'a = attribute_not_exists(b)', NULL, NULL),
	('3', 'a = (attribute_type(b, :c))', NULL, NULL),
	('3', 'a < begins_with(b, :c)', NULL, NULL),
	('3', 'contains(contains(a, :b), :c)', NULL, NULL),
	('3', 'size(begins_with(a, :b)) = :c', NULL, NULL),
	('3', 'a IN (:b, attribute_exists(a))', NULL, NULL),
	('3', 'contains(a, :b) IN (:b)', NULL, NULL),
	('3', 'a BETWEEN :b AND contains(a, :b)', NULL, NULL),
	('3', 'a BETWEEN begins_with(a, :b) AND :b', NULL, NULL),
	('3', 'contains(a, :b) BETWEEN :b AND :c', NULL, NULL),
	('3b', 'if_not_exists(a, :b)', NULL, NULL),
	('3b', 'a = if_not_exists(a, :b)', NULL, NULL),
	('3b', 'a = list_append(a, :b)', NULL, NULL),
	('4', 'abOrt = :b', NULL, NULL),
	('4', 'a.b[1].table = :b', NULL, NULL),
	('4', 'size(list) = :b', NULL, NULL),
	('5', 'a[2147483648] = :b', NULL, NULL),
	('5', 'a[99999999999999] = :b', NULL, NULL),
	('5', 'a[0].b[123456789012345678901234567890] = :b', NULL, NULL),
	('6', '#a = :b', '{":b": 1}', NULL),
	('6', 'a.#b[1] = :b', '{":b": 1}', '{"#a": "x"}'),
	('6', 'size(#a) > :b', '{":b": 1}', '{"#A": "x"}'),
	('7', 'a = :a', NULL, NULL),
	('7', 'a = :a', '{":b": 1}', NULL),
	('7', 'contains(a, :a)', '{":A": 1}', NULL),
	('8', 'size(a, b) = :a', '{":a": 1}', NULL),
	('8', 'attribute_exists(a, b)', NULL, NULL),
	('8', 'attribute_not_exists(a, b, c)', NULL, NULL),
	('8', 'attribute_type(a)', NULL, NULL),
	('8', 'begins_with(a)', NULL, NULL),
	('8', 'begins_with(a, b, c)', NULL, NULL),
	('8', 'contains(a)', NULL, NULL),
	('8', 'contains(a, :a, :a)', '{":a": 1}', NULL),
	('9', 'a = a', NULL, NULL),
	('9', 'a <> a', NULL, NULL),
	('9', 'a < a', NULL, NULL),
	('9', 'a <= (a)', NULL, NULL),
	('9', 'a.b[1] > a.b[1]', NULL, NULL),
	('9', 'ab.bc[1].a >= #ab.bc[1].#a', NULL, '{"#ab": "ab", "#a": "a"}'),
	('9', 'a = #x', NULL, '{"#x": "a"}'),
	('9', 'a BETWEEN :a AND a', '{":a": 1}', NULL),
	('9', 'a BETWEEN a AND :a', '{":a": 1}', NULL),
	('9', 'a IN (:a, b, a)', '{":a": 1}', NULL),
	('9', 'contains(a, a)', NULL, NULL),
	('9', 'begins_with(a.b, a.b)', NULL, NULL),
	('9', 'attribute_type(a, a)', NULL, NULL),
	('9, allowed', ':a = :a', '{":a": 1}', NULL),
	('9, allowed', 'a.b = #ab', NULL, '{"#ab": "a.b"}'),
	('9, allowed', 'a[0] = #a0', NULL, '{"#a0": "[0]"}'),
	('9, allowed', 'a BETWEEN b AND b', NULL, NULL),
	('9, allowed', 'size(a) = size(a)', NULL, NULL),
	('9, allowed', 'size(a) = a', NULL, NULL),
	('10', 'attribute_exists(:a)', '{":a": 1}', NULL),
	('10', 'attribute_exists(size(a))', NULL, NULL),
	('10', 'attribute_not_exists(:a)', '{":a": 1}', NULL),
	('10', 'attribute_not_exists((size(a)))', NULL, NULL),
	('10', 'attribute_type(:a, :a)', '{":a": "S"}', NULL),
	('11', 'begins_with(a, :a)', '{":a": 1}', NULL),
	('11', 'begins_with(:a, a)', '{":a": {"SS": ["x"]}}', NULL),
	('11', 'begins_with(a, size(b))', NULL, NULL),
	('11', 'begins_with(size(b), a)', NULL, NULL),
	('11', 'a < :a', '{":a": true}', NULL),
	('11', ':a <= a', '{":a": null}', NULL),
	('11', 'a > :a', '{":a": [1]}', NULL),
	('11', 'a >= :a', '{":a": {"x": 1}}', NULL),
	('11', 'a BETWEEN :a AND b', '{":a": {"BS": [""]}}', NULL),
	('11', 'a BETWEEN b AND :a', '{":a": {"NS": ["1"]}}', NULL),
	('11', ':a BETWEEN b AND c', '{":a": {"SS": ["x"]}}', NULL),
	('11', 'contains(:a, b)', '{":a": 1}', NULL),
	('11', 'contains(:a, b)', '{":a": true}', NULL),
	('11', 'contains(:a, b)', '{":a": null}', NULL),
	('11', 'contains(:a, b)', '{":a": {"x": 1}}', NULL),
	('11', 'contains(size(a), :a)', '{":a": 1}', NULL),
	('11', 'size(:a) = :a', '{":a": 1}', NULL),
	('11', 'size(:a) = b', '{":a": true}', NULL),
	('11', 'size(:a) = b', '{":a": null}', NULL),
	('11', 'size(size(a)) = b', NULL, NULL),
	('11', 'attribute_type(a, :a)', '{":a": 1}', NULL),
	('11', 'attribute_type(a, size(b))', NULL, NULL),
	('11', 'attribute_type(a, b)', NULL, NULL),
	('11, allowed', 'a = :a AND a <> :a AND :a IN (a)', '{":a": {"x": [1]}}', NULL),
	('11, allowed', 'a < size(b) AND a BETWEEN size(b) AND size(c)', NULL, NULL),
	('11, allowed', 'size(:a) = b', '{":a": {"x": 1}}', NULL),
	('11, allowed', 'contains(:a, :b)', '{":a": [1], ":b": {"x": 1}}', NULL),
	('12', 'attribute_type(a, :a)', '{":a": "DOG"}', NULL),
	('12', 'attribute_type(a, :a)', '{":a": "s"}', NULL),
	('12', 'attribute_type(a, :a)', '{":a": ""}', NULL),
	('12', 'attribute_type(a, :a)', '{":a": "BOOLEAN"}', NULL),
	('13', 'a BETWEEN :a AND :b', '{":a": 1, ":b": "a"}', NULL),
	('13', 'a BETWEEN :a AND :b', '{":a": {"B": "AQID"}, ":b": -1.50}', NULL),
	('14', 'a BETWEEN :a AND :b', '{":a": "b", ":b": "a"}', NULL),
	('14', 'a BETWEEN :a AND :b', '{":a": 10, ":b": 9}', NULL),
	('14', 'a BETWEEN :a AND :b', '{":a": {"B": "/w=="}, ":b": {"B": "AQID"}}', NULL),
	('14, allowed', 'a BETWEEN :a AND :b', '{":a": 1, ":b": 1.0}', NULL),
	('14, allowed', 'a BETWEEN :a AND b', '{":a": 1}', NULL)
	) AS t (line, expression, attribute_values, attribute_names);
-- Rows 15 to 17: expression_limits.

-- Rows 1 to 5 look at the whole expression, each in turn; 6 and later at one condition after the other.
SELECT t.expression, matches(t.expression, t.attribute_values::item, t.attribute_names::jsonb) FROM (VALUES
	('dog(a) AND ((b = :c))', NULL, NULL),
	('size(a) AND dog(b)', NULL, NULL),
	('abort = :b AND dog(a)', NULL, NULL),
	('abort = :b AND size(a)', NULL, NULL),
	('a = if_not_exists(a, :b) AND size(a)', NULL, NULL),
	('abort = :b AND a = list_append(a, :b)', NULL, NULL),
	('a[2147483648] = :b AND abort = :c', NULL, NULL),
	('#a = :b AND c[2147483648] = :d', NULL, NULL),
	('abort = :undefined', NULL, NULL),
	('#a = :a', NULL, NULL),
	(':a = #a', NULL, NULL),
	('a = :a AND #a = b', NULL, NULL),
	('#a = b AND a = :a', NULL, NULL),
	('a IN (:a, #a)', NULL, NULL),
	('a IN (#a, :a)', NULL, NULL),
	('contains(size(#a), :a)', NULL, NULL),
	('a = a AND b = :b', NULL, NULL),
	('b = :b AND a = a', NULL, NULL),
	('size(a, b) = :b', NULL, NULL),
	('attribute_exists(:a) OR begins_with(a)', '{":a": 1}', NULL),
	('begins_with(a) OR attribute_exists(:a)', '{":a": 1}', NULL),
	('a BETWEEN :a AND :b OR c < :c', '{":a": 2, ":b": 1, ":c": true}', NULL),
	('c < :c OR a BETWEEN :a AND :b', '{":a": 2, ":b": 1, ":c": true}', NULL)
	) AS t (expression, attribute_values, attribute_names);

-- Comparisons: types, values, what is missing.  A row a value, compared with every other.
CREATE TABLE operand (name text COLLATE "C", value item);
INSERT INTO operand VALUES
	('b1', '{"v": {"B": "YWJj"}}'), ('b2', '{"v": {"B": "/w=="}}'), ('bool1', '{"v": true}'), ('bool2', '{"v": false}'), ('bs', '{"v": {"BS": ["YQ==", "Yg=="]}}'),
	('l1', '{"v": [1, {"a": "x"}]}'), ('l2', '{"v": [{"a": "x"}, 1]}'), ('m1', '{"v": {"a": [1], "b": null}}'), ('m2', '{"v": {}}'), ('missing', '{}'),
	('n1', '{"v": 5}'), ('n2', '{"v": -0.5}'), ('ns', '{"v": {"NS": ["1.0", "2"]}}'), ('null', '{"v": null}'), ('s1', '{"v": "abc"}'), ('s2', '{"v": ""}'),
	('ss', '{"v": {"SS": ["a", "b"]}}');
-- Exactly the same values are equal, and <> is the negation everywhere.
SELECT a.name, string_agg(b.name, ' ' ORDER BY b.name) FILTER (WHERE item_matches(pair.item, 'a = b')) AS equals,
	bool_and(item_matches(pair.item, 'a = b') <> item_matches(pair.item, 'a <> b')) AS negated,
	bool_and(item_matches(pair.item, 'a = b') = item_matches(pair.item, 'a IN (x, b)')) AS same_as_in,
	string_agg(b.name, ' ' ORDER BY b.name) FILTER (WHERE item_matches(pair.item, 'a < b')) AS less,
	string_agg(b.name, ' ' ORDER BY b.name) FILTER (WHERE item_matches(pair.item, 'a >= b')) AS not_less,
	bool_and(item_matches(pair.item, 'a < b') = item_matches(pair.item, 'b > a') AND
			 item_matches(pair.item, 'a <= b') = item_matches(pair.item, 'b >= a') AND
			 item_matches(pair.item, 'a BETWEEN b AND b') = item_matches(pair.item, 'a <= b AND a >= b')) AS consistent
FROM operand a, operand b,
	LATERAL (SELECT item_update(item_update('{}', CASE WHEN a.name = 'missing' THEN 'REMOVE a' ELSE 'SET a = :v' END, CASE WHEN a.name = 'missing' THEN NULL ELSE replace(a.value::text, '"v"', '":v"')::item END),
					CASE WHEN b.name = 'missing' THEN 'REMOVE b' ELSE 'SET b = :v' END, CASE WHEN b.name = 'missing' THEN NULL ELSE replace(b.value::text, '"v"', '":v"')::item END) AS item) AS pair
GROUP BY a.name ORDER BY a.name;
DROP TABLE operand;

-- Deep equality: numbers by value, sets and maps without order.
SELECT t.a, t.b, matches('a = b', NULL, NULL, format('{"a": %s, "b": %s}', t.a, t.b)::item) FROM (VALUES
	(1, '1', '1.0'), (2, '1e2', '100'), (3, '-0', '0'), (4, '0.1', '0.10000000000000000000000000000000000001'), (5, '{"NS": ["1", "2"]}', '{"NS": ["2.0", "1e0"]}'),
	(6, '{"SS": ["b", "a"]}', '{"SS": ["a", "b"]}'), (7, '{"SS": ["a"]}', '{"SS": ["a", "b"]}'), (8, '[1, {"x": [1, {"SS": ["b", "a"]}]}]', '[1.0, {"x": [1e0, {"SS": ["a", "b"]}]}]'),
	(9, '{"x": 1, "y": [2]}', '{"y": [2], "x": 1}'), (10, '{"x": 1}', '{"x": 1, "y": 1}'), (11, '[1, 2]', '[2, 1]'), (12, '[1]', '[1, 1]'), (13, '[]', '{}'), (14, '[null]', '[null]'),
	(15, '{"SS": ["1"]}', '{"NS": ["1"]}'), (16, '{"B": "YQ=="}', '"a"')
	) AS t (number, a, b) ORDER BY t.number;

-- Order: strings by UTF-8 bytes (not UTF-16: U+FFFD < U+10000), binaries unsigned, numbers by value.
SELECT t.a, t.b, matches('a < b', NULL, NULL, format('{"a": %s, "b": %s}', t.a, t.b)::item) AS less,
	matches('a > b', NULL, NULL, format('{"a": %s, "b": %s}', t.a, t.b)::item) AS greater FROM (VALUES
	(1, '"Z"', '"a"'), (2, '"a"', '"á"'), (3, '"\uFFFD"', '"\uD800\uDC00"'), (4, '"a"', '"a\u0000"'), (5, '"a\u0000"', '"a\u0001"'), (6, '""', '"a"'), (7, '"10"', '"9"'),
	(8, '10', '9'), (9, '-10', '-9'), (10, '-1e-130', '1e-130'), (11, '9.9e125', '1e125'), (12, '0.99999999999999999999999999999999999999', '1'),
	(13, '{"B": "fw=="}', '{"B": "gA=="}'), (14, '{"B": "YQ=="}', '{"B": "YWE="}')
	) AS t (number, a, b) ORDER BY t.number;

-- BETWEEN and IN with operands from the item.
SELECT t.expression, matches(t.expression, '{":n": 5}', NULL, '{"low": 1, "high": 9, "s": "x", "five": 5, "l": [5, 6]}') FROM (VALUES
	(1, ':n BETWEEN low AND high'), (2, ':n BETWEEN high AND low'), (3, ':n BETWEEN low AND nope'), (4, ':n BETWEEN nope AND high'), (5, 'nope BETWEEN low AND :n'), (6, ':n BETWEEN five AND l[0]'),
	(7, ':n BETWEEN low AND s'), (8, ':n IN (five)'), (9, ':n IN (s, low, l[0])'), (10, ':n IN (s, nope, low)'), (11, 'nope IN (:n, nope2)'), (12, 'five IN (:n)'), (13, 'NOT (:n IN (s, low))'),
	(14, ':n IN (l)'), (15, 'size(l) IN (five, low) OR :n = :n'), (16, 'size(l) BETWEEN low AND :n'), (17, ':n BETWEEN :n AND five')
	) AS t (number, expression) ORDER BY t.number;

-- Paths that lead nowhere yield nothing.
SELECT t.path, matches(format('attribute_exists(%s)', t.path), NULL, NULL, '{"m": {"l": [1, {"x": null}], "e": {}}, "s": "abc", "l": [[[7]]], "n": 1, "a.b": 1}') FROM (VALUES
	(1, 'm'), (2, 'm.l'), (3, 'm.l[0]'), (4, 'm.l[1].x'), (5, 'm.l[1].x.y'), (6, 'm.l[2]'), (7, 'm.l.x'), (8, 'm[0]'), (9, 's[0]'), (10, 's.x'), (11, 'l[0][0][0]'), (12, 'l[0][0][0][0]'), (13, 'l[0][1]'),
	(14, 'l[2147483647]'), (15, 'n.x'), (16, 'm.e'), (17, 'm.e.x'), (18, 'M'), (19, 'a.b')
	) AS t (number, path) ORDER BY t.number;
SELECT matches('attribute_exists(#d)', NULL, '{"#d": "a.b"}', '{"a.b": 1}'), matches('attribute_exists(#d)', NULL, '{"#d": "a.b"}', '{"a": {"b": 1}}'),
	matches('attribute_exists(#d.#d)', NULL, '{"#d": "#d"}', '{"#d": {"#d": 1}}'), matches('attribute_exists(#d)', NULL, '{"#d": "é \" ."}', '{"é \" .": 1}');

-- Functions.
SELECT t.expression, t.attribute_values, matches(t.expression, t.attribute_values::item, NULL,
	'{"s": "abcab", "b": {"B": "AQIDAQ=="}, "n": 123, "ss": {"SS": ["a", "bc"]}, "ns": {"NS": ["1", "2.50"]}, "bs": {"BS": ["AQ==", ""]}, "l": ["a", 1, [2], {"x": 1}, {"SS": ["q"]}, null], "m": {"a": "a"}, "t": true, "z": null, "e": "", "p": "ab"}')
FROM (VALUES
	(1, 'begins_with(s, :v)', '{":v": "abc"}'), (2, 'begins_with(s, :v)', '{":v": "abcab"}'), (3, 'begins_with(s, :v)', '{":v": "abcabc"}'), (4, 'begins_with(s, :v)', '{":v": ""}'), (5, 'begins_with(s, :v)', '{":v": "b"}'),
	(6, 'begins_with(s, p)', NULL), (7, 'begins_with(p, s)', NULL), (8, 'begins_with(:v, p)', '{":v": "abx"}'), (9, 'begins_with(b, :v)', '{":v": {"B": "AQI="}}'), (10, 'begins_with(b, :v)', '{":v": "a"}'), (11, 'begins_with(s, :v)', '{":v": {"B": "YQ=="}}'),
	(12, 'begins_with(l, :v)', '{":v": "a"}'), (13, 'begins_with(nope, :v)', '{":v": ""}'), (14, 'begins_with(s, nope)', NULL), (15, 'begins_with(s, n)', NULL),
	(20, 'contains(s, :v)', '{":v": "ca"}'), (21, 'contains(s, :v)', '{":v": ""}'), (22, 'contains(s, :v)', '{":v": "abcab"}'), (23, 'contains(s, :v)', '{":v": "abd"}'), (24, 'contains(e, :v)', '{":v": ""}'), (25, 'contains(s, :v)', '{":v": {"B": "YQ=="}}'),
	(26, 'contains(b, :v)', '{":v": {"B": "AwE="}}'), (27, 'contains(b, :v)', '{":v": {"B": "AwI="}}'), (28, 'contains(n, :v)', '{":v": 2}'), (29, 'contains(s, :v)', '{":v": 1}'),
	(30, 'contains(ss, :v)', '{":v": "a"}'), (31, 'contains(ss, :v)', '{":v": "b"}'), (32, 'contains(ns, :v)', '{":v": 2.5}'), (33, 'contains(ns, :v)', '{":v": "1"}'), (34, 'contains(bs, :v)', '{":v": {"B": ""}}'), (35, 'contains(bs, :v)', '{":v": ""}'), (36, 'contains(ss, :v)', '{":v": {"SS": ["a"]}}'),
	(37, 'contains(l, :v)', '{":v": 1.0}'), (38, 'contains(l, :v)', '{":v": 2}'), (39, 'contains(l, :v)', '{":v": [2]}'), (40, 'contains(l, :v)', '{":v": {"x": 1}}'), (41, 'contains(l, :v)', '{":v": {"SS": ["q"]}}'), (42, 'contains(l, :v)', '{":v": null}'), (43, 'contains(l, :v)', '{":v": "q"}'),
	(44, 'contains(m, :v)', '{":v": "a"}'), (45, 'contains(t, :v)', '{":v": true}'), (46, 'contains(nope, :v)', '{":v": "a"}'), (47, 'contains(:v, p)', '{":v": "xxab"}'), (48, 'contains(s, nope)', NULL), (49, 'contains(:v, n)', '{":v": {"NS": ["123", "4"]}}'),
	(50, 'contains(l, size(p)) OR contains(:v, size(p))', '{":v": {"NS": ["2"]}}'),
	(60, 'size(s) = :v', '{":v": 5}'), (61, 'size(b) = :v', '{":v": 4}'), (62, 'size(ss) = :v AND size(ns) = :v AND size(bs) = :v', '{":v": 2}'), (63, 'size(l) = :v', '{":v": 6}'), (64, 'size(m) = :v', '{":v": 1}'), (65, 'size(e) = :v', '{":v": 0}'),
	(66, 'size(n) >= :v', '{":v": 0}'), (67, 'size(t) >= :v', '{":v": 0}'), (68, 'size(z) >= :v', '{":v": 0}'), (69, 'size(nope) >= :v', '{":v": 0}'), (70, 'NOT size(nope) = :v', '{":v": 0}'), (71, 'size(n) <> size(n)', NULL), (72, 'size(n) = size(n)', NULL),
	(73, 'size(:v) = size(:w)', '{":v": "é𝄞", ":w": {"SS": ["a", "b", "c"]}}'), (74, 'size(:v) = :n', '{":v": "€𝄞𝄞é", ":n": 6}'), (75, 'size(:v) BETWEEN size(e) AND size(s)', '{":v": [1, 2, 3]}'), (76, 'size(l[2]) = size(m)', NULL),
	(80, 'attribute_type(s, :v)', '{":v": "S"}'), (81, 'attribute_type(b, :v)', '{":v": "B"}'), (82, 'attribute_type(n, :v)', '{":v": "N"}'), (83, 'attribute_type(ss, :v)', '{":v": "SS"}'), (84, 'attribute_type(ns, :v)', '{":v": "NS"}'), (85, 'attribute_type(bs, :v)', '{":v": "BS"}'),
	(86, 'attribute_type(l, :v)', '{":v": "L"}'), (87, 'attribute_type(m, :v)', '{":v": "M"}'), (88, 'attribute_type(t, :v)', '{":v": "BOOL"}'), (89, 'attribute_type(z, :v)', '{":v": "NULL"}'), (90, 'attribute_type(s, :v)', '{":v": "N"}'), (91, 'attribute_type(l[3], :v)', '{":v": "M"}'),
	(92, 'NOT attribute_type(nope, :v)', '{":v": "S"}')
	) AS t (number, expression, attribute_values) ORDER BY t.number;
-- A long search that would be slow character by character.
SELECT item_matches(format('{"s": "%s"}', repeat('a', 300000))::item, 'contains(s, :v)', format('{":v": "%s"}', repeat('a', 100000) || 'b')::item);

-- Precedence, against SQL's: NOT, AND and OR of comparisons that may be missing, generated.
CREATE TABLE generated AS
SELECT n, format('{%s}', concat_ws(', ', CASE WHEN n % 4 < 3 THEN format('"a": %s', n % 4) END, CASE WHEN n / 4 % 4 < 3 THEN format('"b": %s', n / 4 % 4) END,
	CASE WHEN n / 16 % 4 < 3 THEN format('"c": %s', n / 16 % 4) END))::item AS item,
	CASE WHEN n % 4 < 3 THEN n % 4 END AS a, CASE WHEN n / 4 % 4 < 3 THEN n / 4 % 4 END AS b, CASE WHEN n / 16 % 4 < 3 THEN n / 16 % 4 END AS c
FROM generate_series(0, 63) AS n;
-- In SQL a comparison with NULL is made false by IS TRUE, as DynamoDB has it; <> is true then.
CREATE FUNCTION check_against_sql(expression text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	statement text := expression;
	result bigint;
BEGIN
	statement := regexp_replace(statement, '([abc]) BETWEEN (\S+) AND (\w+)', '((\1 BETWEEN \2 AND \3) IS TRUE)', 'g');
	statement := regexp_replace(statement, '([abc]) IN (\([^)]*\))', '((\1 IN \2) IS TRUE)', 'g');
	statement := regexp_replace(statement, '([abc]) (=|<|<=|>|>=) ([abc]|:\w+)', '((\1 \2 \3) IS TRUE)', 'g');
	statement := regexp_replace(statement, '([abc]) <> ([abc]|:\w+)', '((\1 = \2) IS NOT TRUE)', 'g');
	statement := regexp_replace(statement, 'attribute_exists\(([abc])\)', '(\1 IS NOT NULL)', 'g');
	statement := regexp_replace(statement, 'attribute_not_exists\(([abc])\)', '(\1 IS NULL)', 'g');
	statement := replace(replace(replace(statement, ':zero', '0'), ':one', '1'), ':two', '2');
	EXECUTE format('SELECT count(*) FROM generated WHERE item_matches(item, %L, %L) <> (%s)', expression,
		(SELECT item_project('{":zero": 0, ":one": 1, ":two": 2}', string_agg('#' || name, ', '), jsonb_object_agg('#' || name, ':' || name))
		 FROM unnest('{zero,one,two}'::text[]) AS name WHERE expression ~ (':' || name)), statement) INTO result;
	RETURN result;
END $$;
SELECT t.expression, check_against_sql(t.expression) AS differences FROM (VALUES
	(1, 'a = b OR b = c AND c = :one'), (2, '(a = b OR b = c) AND c = :one'), (3, 'NOT a = b AND b = c'), (4, 'NOT (a = b AND b = c)'), (5, 'NOT a < b OR NOT b < c AND a <> c'),
	(6, 'NOT NOT a = b OR NOT (b <> c OR c > :zero) AND attribute_exists(a)'), (7, 'a BETWEEN :zero AND :one AND b = c'), (8, 'a BETWEEN b AND c OR NOT b BETWEEN a AND c AND c = :two'),
	(9, 'a IN (b, c) AND NOT b IN (:one, :two) OR c >= :one'), (10, 'attribute_not_exists(a) OR a < b AND NOT (b < c OR NOT (a = c AND b <> :two))')
	) AS t (number, expression) ORDER BY t.number;
-- Random ones.
CREATE FUNCTION random_condition(depth integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	kind integer := floor(random() * CASE WHEN depth > 0 THEN 10 ELSE 5 END);
	names text[] := (SELECT array_agg(name ORDER BY random()) FROM unnest('{a,b,c}'::text[]) AS name);
	inner_text text;
BEGIN
	CASE kind
		WHEN 0 THEN RETURN format('%s %s %s', names[1], ('{=,<>,<,<=,>,>=}'::text[])[1 + floor(random() * 6)], names[2]);
		WHEN 1 THEN RETURN format('%s %s %s', names[1], ('{=,<>,<,<=,>,>=}'::text[])[1 + floor(random() * 6)], ('{:zero,:one,:two}'::text[])[1 + floor(random() * 3)]);
		WHEN 2 THEN RETURN format('%s BETWEEN %s AND %s', names[1], names[2], names[3]);
		WHEN 3 THEN RETURN format('%s IN (:one, %s)', names[1], names[2]);
		WHEN 4 THEN RETURN format('attribute_exists(%s)', names[1]);
		WHEN 5, 6 THEN RETURN format('%s AND %s', random_condition(depth - 1), random_condition(depth - 1));
		WHEN 7 THEN RETURN format('%s OR %s', random_condition(depth - 1), random_condition(depth - 1));
		WHEN 8 THEN RETURN format('NOT %s', random_condition(depth - 1));
		ELSE
			inner_text := random_condition(depth - 1);
			-- Parentheses twice are an error.
			RETURN CASE WHEN inner_text LIKE '(%' THEN inner_text ELSE format('(%s)', inner_text) END;
	END CASE;
END $$;
SELECT setseed(0.25) IS NOT NULL AS seeded;
SELECT count(*) AS conditions, sum(check_against_sql(expression)) AS differences, max(length(expression)) > 200 AS long_ones
FROM (SELECT random_condition(8) AS expression FROM generate_series(1, 300) OFFSET 0) AS conditions;

-- Filters over a table, against jsonb.
CREATE TABLE goods AS
SELECT n AS id, jsonb_strip_nulls(jsonb_build_object('price', CASE WHEN n % 7 > 0 THEN n % 50 + 0.25 END, 'name', 'good ' || n % 13,
	'size_', jsonb_build_object('w', n % 5, 'h', CASE WHEN n % 3 = 0 THEN n % 11 END), 'tags', (SELECT jsonb_agg('t' || n % t) FROM generate_series(2, 2 + n % 4) AS t))) AS document
FROM generate_series(1, 2000) AS n;
ALTER TABLE goods ADD item item;
UPDATE goods SET item = document::text::item;
SELECT count(*) AS rows, count(*) FILTER (WHERE item_matches(item, 'price > :p AND begins_with(#n, :n)', '{":p": 20, ":n": "good 1"}', '{"#n": "name"}')
			<> ((document ->> 'price')::numeric > 20 AND document ->> 'name' LIKE 'good 1%') IS TRUE) AS prices,
	count(*) FILTER (WHERE item_matches(item, 'size_.w < size_.h OR contains(tags, :t) AND NOT size(tags) > :n', '{":t": "t1", ":n": 2}')
			<> (((document #>> '{size_,w}')::numeric < (document #>> '{size_,h}')::numeric) IS TRUE
				OR (document -> 'tags' @> '["t1"]' AND NOT jsonb_array_length(document -> 'tags') > 2))) AS sizes,
	count(*) FILTER (WHERE item_matches(item, 'attribute_not_exists(price) OR tags[1] IN (:t, :u)', '{":t": "t1", ":u": "t2"}')
			<> (NOT document ? 'price' OR (document #>> '{tags,1}' IN ('t1', 't2')) IS TRUE)) AS elements
FROM goods;
-- The prepared expression of a call site follows its arguments.
SELECT count(*) FROM goods WHERE item_matches(item, 'price = :p', format('{":p": %s.25}', id % 3)::item)
	<> ((document ->> 'price')::numeric = id % 3 + 0.25) IS TRUE;
SELECT count(*) FROM goods WHERE item_matches(item, format('%s = :p', CASE WHEN id % 2 = 0 THEN 'price' ELSE '#w.w' END),
		'{":p": 1}', CASE WHEN id % 2 = 1 THEN '{"#w": "size_"}'::jsonb END)
	<> (CASE WHEN id % 2 = 0 THEN (document ->> 'price')::numeric = 1 ELSE (document #>> '{size_,w}')::numeric = 1 END) IS TRUE;
DROP TABLE goods, generated;

-- NULL arguments, and where SQL lets functions be used.
SELECT item_matches(NULL, 'a = :a') IS NULL, item_matches('{}', NULL) IS NULL, item_matches('{}', 'attribute_exists(a)', NULL, NULL);
CREATE TABLE checked (item item CHECK (item_matches(item, 'size(pk) > :zero AND (attribute_not_exists(n) OR n > :zero)', '{":zero": 0}')),
	is_big boolean GENERATED ALWAYS AS (item_matches(item, 'n >= :n', '{":n": 100}')) STORED);
INSERT INTO checked VALUES ('{"pk": "a", "n": 100}'), ('{"pk": "b"}');
INSERT INTO checked VALUES ('{"pk": "c", "n": 0}');
INSERT INTO checked VALUES ('{"pk": "", "n": 1}');
CREATE INDEX ON checked (is_big) WHERE item_matches(item, 'attribute_exists(n)');
ALTER TABLE checked ENABLE ROW LEVEL SECURITY;
CREATE POLICY only_big ON checked USING (item_matches(item, 'n >= :n', '{":n": 100}'));
CREATE ROLE regress_expression_reader;
GRANT SELECT ON checked TO regress_expression_reader;
SELECT * FROM checked ORDER BY is_big;
SET ROLE regress_expression_reader;
SELECT * FROM checked ORDER BY is_big;
RESET ROLE;
DROP TABLE checked;
DROP ROLE regress_expression_reader;
-- A toasted item.
CREATE TABLE toasted (item item);
INSERT INTO toasted SELECT format('{"a": %s, "long": "%s"}', n, repeat(md5(n::text), 2000))::item FROM generate_series(1, 20) AS n;
SELECT count(*) FROM toasted WHERE item_matches(item, 'a > :a AND size(#l) = :s', '{":a": 10, ":s": 64000}', '{"#l": "long"}');
DROP TABLE toasted;
DROP FUNCTION matches, check_against_sql, random_condition;
