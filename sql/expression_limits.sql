-- How large and how deep expressions may be.  Source: reference/expressions, sections 3 and 5; limits, section 2.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

CREATE FUNCTION try(sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE sql INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || CASE WHEN length(SQLERRM) > 200 THEN left(SQLERRM, 100) || '...' ELSE SQLERRM END;
END $$;
CREATE FUNCTION condition(expression text, attribute_values text DEFAULT '{":b": 1}') RETURNS text LANGUAGE sql AS
	$$SELECT try(format('SELECT item_matches(%L, %L, %L)', '{"a": 1}', expression, attribute_values))$$;
CREATE FUNCTION update_text(expression text, attribute_values text DEFAULT NULL) RETURNS text LANGUAGE sql AS
	$$SELECT try(format('SELECT item_update(%L, %L, %L)', '{"a": 1}', expression, attribute_values))$$;
CREATE FUNCTION projection(expression text) RETURNS text LANGUAGE sql AS
	$$SELECT try(format('SELECT item_project(%L, %L)', '{"a": 1}', expression))$$;

-- Nesting of parentheses and calls is bounded by the 4096 bytes alone, and needs no stack.
SET max_stack_depth = '100kB';
SELECT condition(repeat('(', 4096));
SELECT condition(repeat('(', 2046) || 'a=:b' || repeat(')', 2046));
SELECT condition(repeat('(', 2046) || 'a' || repeat(')', 2046));
SELECT condition(repeat('f(', 1355) || 'a' || repeat(')', 1355));
SELECT condition(repeat('f(', 2048));
SELECT condition(repeat('size(', 680) || 'a' || repeat(')', 680) || '=:b');
SELECT condition(repeat('NOT ', 300) || 'a=:b');
SELECT condition(repeat('NOT ', 301) || 'a=:b');
SELECT condition(repeat('NOT ', 1023) || 'a=b');
SELECT condition(repeat('NOT(', 815) || 'a=:b' || repeat(')', 815));
SELECT condition(repeat('NOT(', 300) || 'a=:b' || repeat(')', 300));
SELECT update_text('SET a=' || repeat('(', 4090));
SELECT update_text('SET a=' || repeat('(', 2040) || 'b' || repeat(')', 2040));
SELECT update_text('SET a=' || repeat('f(', 1355) || 'b' || repeat(')', 1355));
SELECT update_text('SET c=' || repeat('if_not_exists(b,', 240) || 'a' || repeat(')', 240));
SELECT projection('a' || repeat('[0]', 1365));
SELECT projection(repeat('(', 4096));
RESET max_stack_depth;

-- 300 operators.
SELECT condition(string_agg('a=:b', ' AND ')) FROM generate_series(1, 150);
SELECT condition('NOT ' || string_agg('a=:b', ' AND ')) FROM generate_series(1, 150);
SELECT condition('NOT ' || string_agg('a=:b', ' AND ') || ' OR contains(a,:b)') FROM generate_series(1, 150);
SELECT condition(string_agg('a=:b', ' OR ')) FROM generate_series(1, 151);
SELECT condition(string_agg('a BETWEEN :b AND :b', ' OR ')) FROM generate_series(1, 150);
SELECT condition(string_agg('a IN(:b,:b,:b)', ' OR ')) FROM generate_series(1, 151);
SELECT condition(string_agg('contains(a,:b)', ' OR '), '{":b": "x"}') FROM generate_series(1, 227);
SELECT condition('a<b' || repeat(' or (a<b', 149) || repeat(')', 149), NULL);
SELECT condition('a<b' || repeat(' or (a<b', 150) || repeat(')', 150), NULL);
-- The one too many is met in its place: what is wrong before it comes first.
SELECT condition(string_agg('a=:b', ' OR ') || ' OR a = :x') FROM generate_series(1, 150);
SELECT condition(string_agg('a=:b', ' OR ') || ' OR a = :x') FROM generate_series(1, 151);
SELECT condition('a = :x OR ' || string_agg('a=:b', ' OR ')) FROM generate_series(1, 151);
SELECT left(update_text('SET ' || string_agg(format('a%s=a+:b', i), ','), '{":b": 1}'), 60) FROM generate_series(1, 300) AS i;
SELECT update_text('SET ' || string_agg(format('a%s=a+:b', i), ','), '{":b": 1}') FROM generate_series(1, 301) AS i;
SELECT left(update_text('SET ' || string_agg(format('a%s=a', i), ',')), 60) FROM generate_series(1, 301) AS i;

-- 100 operands of IN.
SELECT condition(format('a IN (%s)', string_agg(':b', ','))) FROM generate_series(1, 100);
SELECT condition(format('a IN (%s)', string_agg(':b', ','))) FROM generate_series(1, 101);
SELECT condition(format('a IN (%s)', string_agg(':b', ','))) FROM generate_series(1, 163);
SELECT condition(format('a IN (%s)', string_agg('b' || i, ',')), NULL) FROM generate_series(1, 100) AS i;

-- 32 steps of a path.
SELECT condition('a' || repeat('.b', 31) || ' = :b');
SELECT condition('a' || repeat('.b', 32) || ' = :b');
SELECT condition('a' || repeat('[0]', 99) || ' = :b');
SELECT condition('size(a' || repeat('[0]', 32) || ') = :b');
SELECT condition('a = :x AND a' || repeat('[0]', 32) || ' = :b');
SELECT update_text('REMOVE a' || repeat('.b', 31));
SELECT update_text('REMOVE a' || repeat('.b', 32));
SELECT update_text('SET c = a' || repeat('.b', 32));
SELECT update_text('SET c = a' || repeat('.b', 32) || ', c = :c', '{":c": 1}');
SELECT projection('a' || repeat('[0]', 31));
SELECT projection('a' || repeat('[0]', 32));
SELECT projection('a' || repeat('.b', 32) || ', a');

-- List indexes.
SELECT condition('a[2147483647] = :b'), condition('a[2147483648] = :b'), condition('a[4294967296] = :b'), condition('a[18446744073709551616] = :b');
-- As many pieces as 4096 bytes can have.
SELECT projection(string_agg(format('a%s', i), ',')) FROM generate_series(1, 830) AS i;
SELECT condition(string_agg(format('contains(a,:v%s)', i), ' OR '), format('{%s}', string_agg(format('":v%s": %s', i, i), ','))) FROM generate_series(1, 180) AS i;
SELECT update_text('REMOVE ' || string_agg(format('a%s', i), ',')) FROM generate_series(1, 830) AS i;

-- What a session keeps does not grow with the number of expressions: here 10,000 of each kind.
CREATE FUNCTION kept() RETURNS TABLE (contexts bigint, bytes bigint) LANGUAGE sql AS
	$$SELECT count(*), sum(total_bytes) FROM pg_backend_memory_contexts WHERE name LIKE 'singletable expression%'$$;
CREATE FUNCTION use_many(first integer, last integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	wrong bigint := 0;
BEGIN
	FOR i IN first .. last LOOP
		wrong := wrong + (NOT item_matches('{"a": 1}', format('a%s <> :v AND a = :v', i), '{":v": 1}'))::integer
			+ (item_project('{"a": 1}', format('a, a%s', i)) <> '{"a": 1}'::item)::integer
			+ (item_update('{"a": 1}', format('REMOVE a%s', i)) <> '{"a": 1}'::item)::integer;
		-- Errors leave nothing behind either.
		BEGIN
			PERFORM item_matches('{"a": 1}', format('a%s = :undefined', i));
			wrong := wrong + 1;
		EXCEPTION WHEN SQLSTATE 'KV001' THEN
		END;
		BEGIN
			PERFORM item_update('{"a": 1}', format('SET a%s', i));
			wrong := wrong + 1;
		EXCEPTION WHEN SQLSTATE 'KV001' THEN
		END;
	END LOOP;
	RETURN wrong;
END $$;
SELECT use_many(1, 1000) AS wrong;
SELECT contexts BETWEEN 1000 AND 1010 AS bounded, bytes < 4000000 AS small FROM kept();
CREATE TEMPORARY TABLE before AS SELECT * FROM kept();
SELECT use_many(1001, 10000) AS wrong;
SELECT kept.contexts <= before.contexts + 10 AS same_contexts, kept.bytes <= before.bytes * 1.2 AS same_bytes FROM kept(), before;
-- The bound is a setting.
SET singletable.expression_cache_size = 10;
SELECT use_many(1, 100) AS wrong;
SELECT contexts BETWEEN 10 AND 20 AS bounded FROM kept();
-- More in use at a time than the bound: none is freed, and all work.
CREATE FUNCTION use_together(many integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE (SELECT format('SELECT count(*) FILTER (WHERE %s) FROM (SELECT format(''{"a": %%s}'', n)::item AS item FROM generate_series(1, 5) AS n OFFSET 0) AS items',
			string_agg(format('item_matches(item, ''a <> a%s AND a > :v'', ''{":v": 2}'')', i), ' AND ')) FROM generate_series(1, many) AS i) INTO result;
	RETURN result;
END $$;
SELECT use_together(50);
SELECT use_many(1, 20) AS wrong;
SELECT contexts BETWEEN 10 AND 20 AS bounded FROM kept();
RESET singletable.expression_cache_size;
SET singletable.expression_cache_size = 0;
-- One text of several kinds.
SELECT item_project('{"a": 1, "b": 2}', 'a'), try($$SELECT item_matches('{}', 'a')$$), try($$SELECT item_update('{}', 'a')$$);
DROP FUNCTION try, condition, update_text, projection, kept, use_many, use_together;
