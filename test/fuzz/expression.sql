-- Mutations of valid expressions of all kinds: whatever the text, the answer is a value or an error of class KV.
--
--	psql -v count=20000 -v seed=1 -f test/fuzz/expression.sql
--
-- Where an expression is accepted: NOT of a condition negates it, an updated item reads back from its text as the same bytes, a
-- projection without list steps has the same projection again.
\set QUIET on
SET client_min_messages = warning;
\pset tuples_only on
CREATE SCHEMA fuzz_expression;
SET search_path = fuzz_expression, public;

CREATE TABLE sample (kind text, expression text);
INSERT INTO sample VALUES
	('condition', 'a = :v'), ('condition', 'a <> :v AND b < :w OR NOT c >= :x'), ('condition', '(a = :v) AND (b.c[0] = :w OR size(d) > :x)'),
	('condition', 'a BETWEEN :v AND :w AND b IN (:x, c, :y)'), ('condition', 'attribute_exists(a.b) AND attribute_not_exists(#n[1].#m)'),
	('condition', 'attribute_type(a, :t) OR begins_with(#n, :s)'), ('condition', 'contains(l, :v) AND NOT contains(:s, s)'), ('condition', 'NOT (NOT (a < b) OR (c) = (:v))'),
	('condition', 'size(l[2].x) <= size(:w) AND m.a.b.c.d <> :x'), ('condition', ':v IN (a, b, c) AND :w BETWEEN a AND b'),
	('update', 'SET a = :v'), ('update', 'SET a = b + :v, m.x = if_not_exists(m.y, :w) - c'), ('update', 'SET l[0] = l[1], l[9] = :v REMOVE l[2], m.a'),
	('update', 'SET l = list_append(l, :l), #n.#m = (a) ADD n :v DELETE ss :set'), ('update', 'REMOVE a, b.c, l[0].x ADD ss :set'), ('update', 'ADD a :v, ns :set DELETE bs :set2'),
	('update', 'SET a = list_append(if_not_exists(x, :l), :l2)'), ('update', 'DELETE ss :set REMOVE #n SET m.z.q = :v'), ('update', 'SET a = (b + :v)'),
	('projection', 'a'), ('projection', 'a, b.c, l[0], l[2].x'), ('projection', '#n.#m, m.a, m.b[1][2]'), ('projection', 'l[1], l[0], s, #x[3].y');
CREATE TABLE token AS SELECT unnest('{AND,OR,NOT,BETWEEN,IN,SET,REMOVE,ADD,DELETE,and,Set,=,<>,<,<=,>,>=,+,-,(,),[,],",",.,a,b,l,m,s,ss,size,size(,contains(,begins_with(,attribute_exists(,attribute_type(,if_not_exists(,list_append(,dog(,:v,:w,:t,:l,:set,#n,#m,:,#,0,1,9,00,2147483647,99999999999,!,_,é,𝄞,"\"",$,status,"((","))",[0],.x}'::text[]) AS text;
CREATE TABLE item_sample AS SELECT unnest(ARRAY[
	'{}', '{"a": 1, "b": 2, "c": 3}', '{"a": "abc", "b": {"c": [1, "x"]}, "l": [1, {"x": 1}, {"x": "y"}], "m": {"a": {"b": {"c": {"d": 1}}}, "x": 5, "y": 6, "z": {}}, "s": "text", "ss": {"SS": ["a", "b"]}, "n": 7}',
	'{"a": {"B": "AAEC"}, "b": true, "c": null, "d": [], "l": [], "m": {}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA=="]}, "x": [[1], [2, [3]]]}',
	'{"a": 99999999999999999999999999999999999999, "b": 1e125, "c": -1e-130, "n": {"m": {"n": {"m": 1}}}, "l": [[[[[0]]]]]}']::item[]) AS item;
CREATE TABLE value_sample AS SELECT jsonb_array_elements('[1, -1, 0.5, 1e125, 1e-130, "x", "", "S", "NULL", "text", true, null, [], [1, "x"], {"SS": ["a"]},
	{"SS": ["b", "a"]}, {"NS": ["1"]}, {"BS": ["AA=="]}, {"B": "AAE="}, {}, {"a": [1]}]')::text AS json;
CREATE TABLE name_sample AS SELECT unnest('{a,b,c,l,m,n,s,ss,a.b,status,""}'::text[]) AS name;

CREATE FUNCTION pick(choices text[]) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT choices[1 + floor(random() * array_length(choices, 1))::integer]';

-- One change.
CREATE FUNCTION mutate(expression text, other text, tokens text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	length integer := length(expression);
	at integer := floor(random() * (length + 1));
	size integer := floor(random() * least(8, length - at + 1));
	words text[];
	one integer;
	two integer;
	word text;
BEGIN
	CASE floor(random() * 9)::integer
		WHEN 0 THEN RETURN left(expression, at) || substr(expression, at + size + 1);
		WHEN 1 THEN RETURN left(expression, at) || ' ' || pick(tokens) || ' ' || substr(expression, at + 1);
		WHEN 2 THEN RETURN left(expression, at) || pick(tokens) || substr(expression, at + size + 1);
		WHEN 3 THEN RETURN left(expression, at) || chr(32 + floor(random() * 95)::integer) || substr(expression, at + 2);
		WHEN 4 THEN RETURN left(expression, at) || substr(other, floor(random() * length(other))::integer + 1);
		WHEN 5 THEN RETURN left(expression, at) || repeat(substr(expression, at + 1, size + 1), floor(random() * 4)::integer) || substr(expression, at + 1);
		WHEN 6 THEN RETURN '(' || expression || ')';
		WHEN 7 THEN RETURN expression || pick('{" AND "," OR ",", "," "}') || other;
		ELSE
			-- Two words change places.
			words := regexp_split_to_array(expression, '\s+');
			one := 1 + floor(random() * array_length(words, 1));
			two := 1 + floor(random() * array_length(words, 1));
			word := words[one];
			words[one] := words[two];
			words[two] := word;
			RETURN array_to_string(words, ' ');
	END CASE;
END $$;

CREATE FUNCTION run(count integer, seed integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	expressions text[] := (SELECT array_agg(expression) FROM sample);
	tokens text[] := (SELECT array_agg(text) FROM token);
	items item[] := (SELECT array_agg(item) FROM item_sample);
	json_values text[] := (SELECT array_agg(json) FROM value_sample);
	names text[] := (SELECT array_agg(name) FROM name_sample);
	expression text;
	old item;
	new item;
	matches boolean;
	attribute_values item;
	attribute_names jsonb;
	operation text;
	accepted integer := 0;
	refused integer := 0;
	state text;
	message text;
BEGIN
	PERFORM setseed((seed % 10000) / 10000.0);
	FOR i IN 1 .. count LOOP
		expression := pick(expressions);
		FOR j IN 1 .. floor(random() * random() * 5)::integer LOOP
			expression := mutate(expression, pick(expressions), tokens);
		END LOOP;
		old := items[1 + floor(random() * array_length(items, 1))];
		-- Nearly always the placeholders that the text names.
		SELECT nullif(format('{%s}', string_agg(format('%s: %s', to_json(key), value), ', ') FILTER (WHERE key LIKE ':%')), '{}')::item,
			jsonb_object_agg(key, name) FILTER (WHERE key LIKE '#%')
		INTO attribute_values, attribute_names
		FROM (SELECT DISTINCT ON (match[1]) match[1] AS key, CASE WHEN random() < 0.2 THEN pick(json_values) ELSE CASE match[1]
				WHEN ':t' THEN '"S"' WHEN ':s' THEN '"text"' WHEN ':l' THEN '[1, "x"]' WHEN ':l2' THEN '[[]]' WHEN ':set' THEN '{"SS": ["b"]}' WHEN ':set2' THEN '{"BS": ["AA=="]}' ELSE '1' END END AS value, pick(names) AS name
			  FROM regexp_matches(expression, '[:#][A-Za-z0-9_]+', 'g') AS match WHERE random() < 0.98) AS keys;

		FOREACH operation IN ARRAY '{condition,update,projection}'::text[] LOOP
			BEGIN
				CASE operation
					WHEN 'condition' THEN
						matches := item_matches(old, expression, attribute_values, attribute_names);
						accepted := accepted + 1;
						IF item_matches(old, format('NOT (%s)', expression), attribute_values, attribute_names) = matches THEN
							RAISE EXCEPTION 'NOT does not negate' USING ERRCODE = 'XX000';
						END IF;
					WHEN 'update' THEN
						new := item_update(old, expression, attribute_values, attribute_names);
						accepted := accepted + 1;
						IF item_send(new::text::item) <> item_send(new) THEN
							RAISE EXCEPTION 'the new item does not read back: %', new USING ERRCODE = 'XX000';
						END IF;
					ELSE
						new := item_project(old, expression, attribute_names);
						accepted := accepted + 1;
						IF item_send(new::text::item) <> item_send(new) OR
							(expression NOT LIKE '%[%' AND item_send(item_project(new, expression, attribute_names)) <> item_send(new)) THEN
							RAISE EXCEPTION 'the projection is wrong: %', new USING ERRCODE = 'XX000';
						END IF;
				END CASE;
			EXCEPTION WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
				IF state !~ '^KV' THEN
					RAISE EXCEPTION 'mutation % of seed %: % %', i, seed, state, message
						USING DETAIL = format('%s %L, item %s, values %s, names %s', operation, expression, old, attribute_values, attribute_names);
				END IF;
				refused := refused + 1;
			END;
		END LOOP;
	END LOOP;
	RETURN format('%s mutations: %s accepted, %s refused', count, accepted, refused);
END $$;
SELECT run(:count, :seed);
DROP SCHEMA fuzz_expression CASCADE;
