-- The two maps: names and values.  Source: reference/expressions, section 4, rows 4 to 14; data-model, sections 6 and 7.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

CREATE FUNCTION try(expression text, attribute_values text, attribute_names text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_matches('{"a": 1}', expression, attribute_values::item, attribute_names::jsonb);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Row by row.
SELECT t.line, t.attribute_names, t.attribute_values, try('#a = :a', t.attribute_values, t.attribute_names) FROM (VALUES
	('4', '{":a": 1}', '{}'),
	('6', '{":a": 1}', '{"a": "a"}'),
	('6', '{":a": 1}', '{"#": "a"}'),
	('6', '{":a": 1}', '{"": "a"}'),
	('6', '{":a": 1}', '{":a": "a"}'),
	('6', '{":a": 1}', '{"#a.b": "a"}'),
	('6', '{":a": 1}', '{"#a ": "a"}'),
	('6', '{":a": 1}', '{" #a": "a"}'),
	('6', '{":a": 1}', '{"##a": "a"}'),
	('6', '{":a": 1}', '{"#é": "a"}'),
	('6', '{":a": 1}', '{"#a-b": "a"}'),
	('7', '{":a": 1}', '{"#a": ""}'),
	('8', '{}', '{"#a": "a"}'),
	('10', '{"a": 1}', '{"#a": "a"}'),
	('10', '{"b": 1}', NULL),
	('10', '{"#a": 1}', '{"#a": "a"}'),
	('10', '{":": 1}', '{"#a": "a"}'),
	('10', '{":a:": 1}', '{"#a": "a"}'),
	('10', '{": a": 1}', '{"#a": "a"}'),
	('10', '{"a:": 1}', '{"#a": "a"}'),
	('12', '{":b": 1}', '{"#a": "a"}'),
	('12', '{":a": 1}', '{"#b": "a"}'),
	('13', '{":a": 1}', '{"#a": "a", "#b": "b"}'),
	('13', '{":a": 1, ":b": 2}', '{"#a": "a", "#b": "b"}'),
	('13', '{":a": 1}', '{"#a": "a", "#A": "a"}'),
	('14', '{":a": 1, ":b": 2}', '{"#a": "a"}'),
	('14', '{":a": 1, ":b": 2, ":aa": 3}', '{"#a": "a"}'),
	('fine', '{":a": 1}', '{"#a": "a"}'),
	('fine', '{":a": 1}', '{"#a": " "}'),
	('names', '{":a": 1}', '[]'),
	('names', '{":a": 1}', '"#a"'),
	('names', '{":a": 1}', 'null'),
	('names', '{":a": 1}', '{"#a": 1}'),
	('names', '{":a": 1}', '{"#b": "b", "#a": null}'),
	('names', '{":a": 1}', '{"#a": {"#a": "a"}}'),
	('names', '{":a": 1}', '{"#a": ["a"]}')
	) AS t (line, attribute_values, attribute_names);
-- Rows 5 and 9: 255 bytes with # or : are allowed.
SELECT try(format('#%s = :%s', long, long), format('{":%s": 1}', long), format('{"#%s": "a"}', long)) FROM repeat('x', 254) AS long;
SELECT try('#a = :a', '{":a": 1}', format('{"#%s": "a"}', repeat('x', 255)));
SELECT try('#a = :a', format('{":%s": 1}', repeat('x', 255)), '{"#a": "a"}');
-- Names have 1 to 65535 bytes.
SELECT try('#a <> :a', '{":a": 1}', format('{"#a": "%s"}', repeat('x', 65535)));
SELECT try('#a <> :a', '{":a": 1}', format('{"#a": "%s"}', repeat('x', 65536)));
SELECT try('#a <> :a', '{":a": 1}', format('{"#a": "%s"}', repeat('é', 32768)));

-- Order: names before values, each row in turn, maps before expressions, names unused before values unused.
SELECT t.expression, t.attribute_names, t.attribute_values, try(t.expression, t.attribute_values, t.attribute_names) FROM (VALUES
	('syntax error', '{}', '{}'),
	('syntax error', '{":a": 1}', '{"#a": "", "b": "x"}'),
	('syntax error', '{"a": 1}', '{"#a": ""}'),
	('syntax error', '{"a": 1}', NULL),
	('syntax error', '{":a": 1}', '{"#a": "a"}'),
	('#a = :b AND abort = :c', '{":a": 1}', '{"#a": "a"}'),
	('#a = :b', '{":a": 1}', '{"#a": "a", "#b": "b"}'),
	('a = :a', '{":a": 1, ":b": 2}', '{"#a": "a"}')
	) AS t (expression, attribute_values, attribute_names);
SELECT try('', '{":a": 1}', NULL), try('syntax error', format('{":%s": 1, "a": 2}', repeat('x', 255)), NULL);

-- Any number of uses; names and values may share letters; many entries; what an update does not look at is used all the same.
SELECT try('#a = :a AND :a IN (#a, :a) AND attribute_exists(#a) AND NOT #a[0].#a = :a', '{":a": 1}', '{"#a": "a"}');
SELECT item_matches('{"a": 1}', string_agg(format('(#n%s = :v%s OR a <> :v%s)', i, i, i), ' AND '),
	format('{%s}', string_agg(format('":v%s": %s', i, CASE WHEN i = 75 THEN 2 ELSE 1 END), ','))::item, jsonb_object_agg('#n' || i, CASE WHEN i = 75 THEN 'b' ELSE 'a' END))
FROM generate_series(1, 75) AS i;
SELECT item_update('{"a": 1}', 'SET b = if_not_exists(a, :unused)', '{":unused": 2}');
SELECT item_update('{"a": 1}', 'SET #b = #a', NULL, '{"#a": "a", "#b": "b", "#c": "c"}');
SELECT item_update('{"a": 1}', 'SET b = a', '{":c": "c"}');
SELECT item_project('{"a": 1}', '#a', '{"#a": "a", "#b": "b"}');
SELECT item_project('{"a": 1}', 'a', '{}');
DROP FUNCTION try;
