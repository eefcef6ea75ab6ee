-- What the operations on one item refuse: SQLSTATE, message, and the order of the checks.
\pset format unaligned
\pset tuples_only on

CREATE TABLE t (pk text COLLATE "C", sk bytea, g text COLLATE "C", h numeric, b bytea, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX idx ON t USING gsi (g, h, pk, sk);
CREATE INDEX zidx ON t USING gsi (g, pk, sk);
CREATE INDEX bidx ON t USING gsi (b, pk, sk);
CREATE TABLE n (pk numeric PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE plain (a int);
CREATE VIEW v AS SELECT * FROM n;

CREATE FUNCTION pg_temp.try(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT ' || call INTO result;
	RETURN coalesce(result, 'null');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
CREATE FUNCTION pg_temp.each(calls text[]) RETURNS SETOF text LANGUAGE sql AS $$ SELECT left(c, 200) || E'\n    ' || pg_temp.try(c) FROM unnest(calls) c $$;

-- Arguments that are not there: the table alone, the others together.
SELECT pg_temp.each(ARRAY[
	$$get_item(NULL, '{"pk": "a"}')$$, $$put_item(NULL, NULL, return_values => 'x')$$, $$get_item('t', NULL)$$, $$put_item('t', NULL)$$, $$update_item('t', NULL)$$, $$delete_item('t', NULL)$$,
	$$check_item('t', NULL, NULL)$$, $$check_item('t', '{"pk": "a"}', NULL)$$, $$check_item('t', NULL, 'attribute_exists(pk)')$$,
	$$put_item('t', NULL, return_values => 'x')$$, $$update_item('t', NULL, return_values => 'x', return_values_on_condition_check_failure => 'y')$$,
	$$delete_item('t', '{"pk": "a"}', return_values => '')$$, $$put_item('t', '{"pk": "a"}', return_values => 'all_old')$$, $$put_item('t', '{"pk": "a"}', return_values_on_condition_check_failure => 'ALL_NEW')$$]);
-- ReturnValues that the operation does not have.
SELECT pg_temp.each(ARRAY(SELECT format($$%s('t', '{"pk": "a"}', return_values => '%s')$$, f, r) FROM unnest(ARRAY['put_item', 'delete_item']) f, unnest(ARRAY['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']) r));
-- Placeholders without expression, before ReturnValues, before the placeholders themselves.
SELECT pg_temp.each(ARRAY[
	$$get_item('t', '{"pk": "a"}', attribute_names => '{"#a": "b"}')$$, $$get_item('t', '{"pk": "a"}', attribute_names => '{}')$$,
	$$put_item('t', '{"pk": "a"}', attribute_names => '{"#a": "b"}', return_values => 'ALL_NEW')$$, $$put_item('t', '{"pk": "a"}', attribute_values => '{":a": 1}')$$,
	$$delete_item('t', '{"pk": "a"}', attribute_values => '{}')$$, $$update_item('t', '{"pk": "a"}', attribute_values => '{":a": 1}')$$, $$update_item('t', '{"pk": "a"}', attribute_names => '{"#a": "b"}')$$]);
SELECT pg_temp.each(ARRAY[
	$$put_item('t', '{"pk": "a"}', 'a = :a', '{":a": 1}', return_values => 'ALL_NEW')$$, $$put_item('t', '{"pk": "a"}', 'a = :a', '{}')$$, $$put_item('t', '{"pk": "a"}', 'a = #a', NULL, '{}')$$,
	$$put_item('t', '{"pk": "a"}', 'a = :a', '{"a": 1}')$$, $$put_item('t', '{"pk": "a"}', 'a = #a', NULL, '{"a": "b"}')$$, $$put_item('t', '{"pk": "a"}', 'a = #a', NULL, '{"#a": ""}')$$, $$put_item('t', '{"pk": "a"}', 'a = #a', NULL, '["#a"]')$$,
	$$put_item('t', '{"pk": "a"}', 'a = #a', NULL, '{"#a": 5}')$$,
	$$put_item('t', '{"pk": "a"}', 'a = :a', '{":a": 1, ":b": 1}')$$, $$put_item('t', '{"pk": "a"}', 'a = :a', '{":a": 1, ":b": 1}', '{"#x": "y"}')$$, $$put_item('t', '{"pk": "a"}', 'a = :a')$$, $$put_item('t', '{"pk": "a"}', 'a = #a')$$]);
-- Expressions, before the table.
SELECT pg_temp.each(ARRAY[
	$$get_item('plain', '{"pk": "a"}', '')$$, $$get_item('plain', '{"pk": "a"}', 'a b')$$, $$get_item('plain', '{"pk": "a"}', 'a, a')$$, $$put_item('plain', '{"pk": "a"}', 'foo')$$, $$put_item('plain', '{"pk": "a"}', '')$$,
	$$update_item('plain', '{"pk": "a"}', '')$$, $$update_item('plain', '{"pk": "a"}', 'SET status = a', 'b')$$, $$update_item('plain', '{"pk": "a"}', 'SET a = b', 'c')$$, $$update_item('plain', '{"pk": "a"}', 'SET a = a.b, a.b = c')$$,
	$$delete_item('plain', '{"pk": "a"}', 'size(a)')$$, $$check_item('plain', '{"pk": "a"}', '')$$]);
-- Tables that are none.
SELECT pg_temp.each(ARRAY[
	$$get_item('plain', '{"pk": "a"}')$$, $$put_item('v', '{"pk": 1}')$$, $$delete_item('idx', '{"pk": "a"}')$$, $$update_item(0, '{"pk": "a"}')$$, $$check_item(4294967295, '{"pk": "a"}', 'attribute_exists(a)')$$, $$get_item('pg_class', '{"pk": "a"}')$$,
	$$get_item('nowhere', '{"pk": "a"}')$$]);

-- Keys: missing, mistyped, too many, empty; of an item by their names, of a key by one text.  Partition key before sort key.
SELECT pg_temp.each(ARRAY(SELECT format('%s(''t'', %L%s)', f, i, CASE WHEN f = 'check_item' THEN ', ''attribute_exists(pk)''' ELSE '' END)
	FROM unnest(ARRAY['put_item', 'get_item', 'update_item', 'delete_item', 'check_item']) WITH ORDINALITY f(f, n),
		unnest(ARRAY['{}', '{"pk": "a"}', '{"sk": {"B": "YQ=="}}', '{"pk": 1, "sk": {"B": "YQ=="}}', '{"pk": ["a"], "sk": {"B": "YQ=="}}', '{"pk": null, "sk": {"B": "YQ=="}}',
			'{"pk": "a", "sk": "a"}', '{"pk": "", "sk": {"B": "YQ=="}}', '{"pk": "a", "sk": {"B": ""}}', '{"pk": "", "sk": 1}', '{"pk": 1, "sk": {"B": ""}}']) WITH ORDINALITY i(i, m) ORDER BY n, m));
SELECT pg_temp.each(ARRAY[
	$$get_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "x": 1}')$$, $$update_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "g": "x"}')$$, $$delete_item('t', '{"pk": "a", "x": {"B": "YQ=="}}')$$, $$get_item('n', '{"pk": "1"}')$$, $$put_item('n', '{"pk": true}')$$]);
-- Key sizes, to the byte.
SELECT what, pg_temp.try(format('put_item(''t'', %L)', jsonb_build_object('pk', repeat('x', p)) || jsonb_build_object('sk', jsonb_build_object('B', replace(encode(convert_to(repeat('x', s), 'UTF8'), 'base64'), E'\n', '')))))
FROM (VALUES ('2048 and 1024', 2048, 1024), ('2049', 2049, 1), ('1025', 1, 1025), ('both', 2049, 1025)) v(what, p, s);
SELECT pg_temp.try(format('get_item(''t'', %L)', jsonb_build_object('pk', repeat('Ä', 1025)) || '{"sk": {"B": "YQ=="}}'));
SELECT length(pg_temp.try(format('get_item(''t'', %L)', jsonb_build_object('pk', repeat('x', 2048)) || jsonb_build_object('sk', jsonb_build_object('B', replace(encode(convert_to(repeat('x', 1024), 'UTF8'), 'base64'), E'\n', ''))))));
-- A string key cannot hold U+0000: PostgreSQL's text does not.
SELECT pg_temp.each(ARRAY[$$put_item('t', '{"pk": "a\u0000", "sk": {"B": "YQ=="}}')$$, $$get_item('t', '{"pk": "a\u0000", "sk": {"B": "YQ=="}}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "AAAA"}}')$$]);

-- Index keys of a put: type, emptiness, size; the index whose name is first is named.
SELECT pg_temp.each(ARRAY(SELECT format('put_item(''t'', %L)', '{"pk": "a", "sk": {"B": "YQ=="}, ' || i || '}')
	FROM unnest(ARRAY['"g": 5', '"g": {"a": 1}', '"g": null', '"h": "5"', '"g": "", "h": 1', '"b": {"B": ""}', '"b": "text", "h": "text"', '"g": "x"', '"h": 1']) WITH ORDINALITY i(i, m) ORDER BY m));
SELECT pg_temp.try(format('put_item(''t'', %L)', jsonb_build_object('pk', 'a', 'g', repeat('x', n)) || '{"sk": {"B": "YQ=="}}')) FROM unnest(ARRAY[2048, 2049]) n;
-- The table's key comes before index keys, those before paths and conditions.
SELECT pg_temp.each(ARRAY[
	$$put_item('t', '{"pk": "a", "sk": 5, "g": 5}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "g": 5}', 'pk.x = :v', '{":v": 1}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'pk.x = :v', '{":v": 1}')$$,
	$$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'g[0] = :v AND attribute_exists(sk.x)', '{":v": 1}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'g[0] = :v', '{":v": 1}')$$,
	$$get_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'x, pk[1]')$$, $$get_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'h.x')$$, $$delete_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', '#k.x = :v', '{":v": 1}', '{"#k": "b"}')$$]);
-- Sizes: before the table.
SELECT pg_temp.try(format('put_item(''plain'', %L)', jsonb_build_object('pk', repeat('x', 409600))));
-- Too deep, too long: values themselves.
SELECT pg_temp.each(ARRAY[
	format($$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "d": %s}')$$, repeat('[', 33) || repeat(']', 33)),
	$$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "n": {"N": "1e126"}}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "n": {"N": "123456789012345678901234567890123456789"}}')$$,
	$$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "n": {"SS": ["a", "a"]}}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}, "": 1}')$$, $$put_item('t', 'no json')$$]);
-- Nothing of all this was written but what says so.
SELECT pk ^@ 'x' AS long, length(pk), length(sk), length(g), h FROM t ORDER BY 1, 2, 4;

-- What the server refuses keeps its own state: privileges, constraints, read-only transactions.
CREATE TABLE guarded (pk text COLLATE "C" PRIMARY KEY CHECK (pk <> 'bad'), ref text COLLATE "C" REFERENCES guarded, item item NOT NULL DEFAULT '{}' CHECK (item_matches(item, 'attribute_not_exists(secret)')));
SELECT pg_temp.each(ARRAY[$$put_item('guarded', '{"pk": "bad"}')$$, $$put_item('guarded', '{"pk": "good", "ref": "nobody"}')$$, $$put_item('guarded', '{"pk": "good", "secret": 1}')$$, $$put_item('guarded', '{"pk": "good", "ref": "good"}')$$,
	$$delete_item('guarded', '{"pk": "good"}')$$]);
BEGIN READ ONLY;
SELECT pg_temp.each(ARRAY[$$get_item('guarded', '{"pk": "good"}')$$, $$put_item('guarded', '{"pk": "good"}')$$, $$update_item('guarded', '{"pk": "good"}', 'REMOVE x')$$, $$delete_item('guarded', '{"pk": "good"}')$$]);
COMMIT;
CREATE ROLE regress_singletable_reader;
GRANT SELECT ON t TO regress_singletable_reader;
GRANT USAGE ON SCHEMA public TO regress_singletable_reader;
SET ROLE regress_singletable_reader;
SELECT pg_temp.each(ARRAY[$$get_item('t', '{"pk": "a", "sk": {"B": "AAAA"}}')$$, $$get_item('n', '{"pk": 1}')$$, $$put_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}')$$, $$update_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'REMOVE x')$$,
	$$delete_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}')$$, $$check_item('t', '{"pk": "a", "sk": {"B": "YQ=="}}', 'attribute_exists(pk)')$$,
	$$query_items('n', 'pk = :p', '{":p": 1}')$$, $$scan_items('n')$$, $$batch_get_items('{"n": {"Keys": [{"pk": 1}]}}')$$, $$transact_get_items('[{"Get": {"TableName": "n", "Key": {"pk": 1}}}]')$$,
	$$batch_write_items('{"t": [{"DeleteRequest": {"Key": {"pk": "a", "sk": {"B": "YQ=="}}}}]}')$$, $$transact_write_items('[{"Delete": {"TableName": "t", "Key": {"pk": "a", "sk": {"B": "YQ=="}}}}]')$$]);
RESET ROLE;
REVOKE ALL ON t FROM regress_singletable_reader;
REVOKE USAGE ON SCHEMA public FROM regress_singletable_reader;
DROP ROLE regress_singletable_reader;

DROP VIEW v;
DROP TABLE t, n, plain, guarded;
