-- Key conditions: what query_items accepts as one.  Source: reference/expressions, section 7, rows 1 to 8.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

CREATE TABLE keyed (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
INSERT INTO keyed SELECT 'a', n FROM generate_series(1, 5) AS n;
INSERT INTO keyed VALUES ('b', 1);
-- The sort keys that match, or the error.
CREATE FUNCTION try(key_condition text, attribute_values text, attribute_names text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT string_agg(item_numeric(item, 'sk')::text, ' ')
			FROM query_items('keyed', key_condition, attribute_values::item, attribute_names::jsonb) AS item);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

SELECT t.line, t.expression, try(t.expression, t.attribute_values, t.attribute_names) FROM (VALUES
	-- Accepted.
	('fine', 'pk = :a', '{":a": "a"}', NULL),
	('fine', ':a = pk', '{":a": "a"}', NULL),
	('fine', 'pk = :a AND sk = :n', '{":a": "a", ":n": 2}', NULL),
	('fine', 'sk >= :n AND pk = :a', '{":a": "a", ":n": 4}', NULL),
	('fine', 'pk = :a AND sk < :n', '{":a": "a", ":n": 3}', NULL),
	('fine', 'pk = :a AND :n < sk', '{":a": "a", ":n": 3}', NULL),
	('fine', 'pk = :a AND :n <= sk', '{":a": "a", ":n": 3}', NULL),
	('fine', 'pk = :a AND :n > sk', '{":a": "a", ":n": 3}', NULL),
	('fine', 'pk = :a AND :n >= sk', '{":a": "a", ":n": 3}', NULL),
	('fine', ':n = sk AND :a = pk', '{":a": "a", ":n": 3}', NULL),
	('fine', 'pk = :a AND sk BETWEEN :n AND :m', '{":a": "a", ":n": 2, ":m": 4}', NULL),
	('fine', '(pk = :a) and (sk > :n)', '{":a": "a", ":n": 2}', NULL),
	('fine', '(pk = :a AND sk > :n)', '{":a": "a", ":n": 2}', NULL),
	('fine', '((pk) = (:a) AND (sk > (:n)))', '{":a": "a", ":n": 2}', NULL),
	('fine', '#p = :a AND #s = :n', '{":a": "a", ":n": 2}', '{"#p": "pk", "#s": "sk"}'),
	-- What is wrong with any condition.
	('1', '', '{":a": "a"}', NULL),
	('1', 'pk', '{":a": "a"}', NULL),
	('1', 'pk = :a,', '{":a": "a"}', NULL),
	('1', '((pk = :a))', '{":a": "a"}', NULL),
	('1', 'dog(pk)', '{":a": "a"}', NULL),
	('1', 'size(pk)', '{":a": "a"}', NULL),
	('1', 'user = :a', '{":a": "a"}', NULL),
	('1', '#p = :a', '{":a": "a"}', NULL),
	('1', 'pk = :b', '{":a": "a"}', NULL),
	('1', 'pk = pk', NULL, NULL),
	('1', 'pk = :a AND begins_with(sk)', '{":a": "a"}', NULL),
	('1', 'pk = :a AND begins_with(sk, :n)', '{":a": "a", ":n": 2}', NULL),
	('1', 'pk = :a AND sk < :n', '{":a": "a", ":n": null}', NULL),
	('1', 'pk = :a AND sk BETWEEN :n AND :m', '{":a": "a", ":n": 2, ":m": 1}', NULL),
	('1', 'pk = :a AND sk BETWEEN :n AND :m', '{":a": "a", ":n": 2, ":m": "x"}', NULL),
	('1', 'pk = :a AND sk BETWEEN :n AND :m OR a <> b', '{":a": "a", ":n": 2, ":m": "x"}', NULL),
	-- Operators.
	('2', 'pk = :a OR sk = :n', '{":a": "a", ":n": 1}', NULL),
	('2', 'NOT pk = :a', '{":a": "a"}', NULL),
	('2', 'pk IN (:a)', '{":a": "a"}', NULL),
	('2', 'pk <> :a', '{":a": "a"}', NULL),
	('2', 'attribute_exists(pk)', NULL, NULL),
	('2', 'attribute_not_exists(pk)', NULL, NULL),
	('2', 'attribute_type(pk, :a)', '{":a": "S"}', NULL),
	('2', 'pk = :a AND contains(sk, :n)', '{":a": "a", ":n": 1}', NULL),
	('2', 'pk = :a AND NOT (sk = :n OR sk <> :n)', '{":a": "a", ":n": 1}', NULL),
	('2', 'pk <> :a OR sk = :n', '{":a": "a", ":n": 1}', NULL),
	('2', 'pk = :a OR sk <> :n', '{":a": "a", ":n": 1}', NULL),
	-- Operands.
	('3', 'pk = :a AND size(sk) = :n', '{":a": "a", ":n": 1}', NULL),
	('3', 'pk = :a AND sk = size(a)', '{":a": "a"}', NULL),
	('3', 'pk = :a AND sk BETWEEN :n AND size(a)', '{":a": "a", ":n": 1}', NULL),
	('4', 'pk = :a AND :n BETWEEN sk AND :n', '{":a": "a", ":n": 1}', NULL),
	('4', 'pk = :a AND begins_with(:a, sk)', '{":a": "a"}', NULL),
	('5', 'pk = sk', NULL, NULL),
	('5', 'pk = :a AND sk BETWEEN :n AND a', '{":a": "a", ":n": 1}', NULL),
	('5', 'pk = :a AND begins_with(sk, a)', '{":a": "a"}', NULL),
	('6', 'pk.x = :a', '{":a": "a"}', NULL),
	('6', 'pk = :a AND sk[0] = :n', '{":a": "a", ":n": 1}', NULL),
	('7', ':a = :a', '{":a": "a"}', NULL),
	('7', 'pk = :a AND :n < :m', '{":a": "a", ":n": 1, ":m": 2}', NULL),
	('8', 'pk = :a AND pk = :b', '{":a": "a", ":b": "b"}', NULL),
	('8', 'pk = :a AND sk > :n AND sk < :m', '{":a": "a", ":n": 1, ":m": 4}', NULL),
	('8', 'sk > :n AND #s < :n', '{":n": 1}', '{"#s": "sk"}'),
	-- Which comes first.
	('order', 'size(pk) = :n AND sk <> :n', '{":n": 1}', NULL),
	('order', ':n BETWEEN sk AND :n AND size(pk) = :n', '{":n": 1}', NULL),
	('order', 'pk = sk AND :n BETWEEN sk AND :n', '{":n": 1}', NULL),
	('order', 'pk.x = :a AND pk = sk', '{":a": "a"}', NULL),
	('order', ':a = :a AND pk.x = :a', '{":a": "a"}', NULL),
	('order', 'pk = :a AND pk = :a AND :a = :a', '{":a": "a"}', NULL)
	) AS t (line, expression, attribute_values, attribute_names);
DROP TABLE keyed;
DROP FUNCTION try;
