-- Writes of all kinds to two tables, one of them by statements: results, errors and rows are the same.
--
--	psql -v count=20000 -v seed=1 -f test/fuzz/storage.sql
--
-- Subtransactions are rolled back, and definitions change in between: columns, indexes, triggers, constraints.
\set QUIET on
SET client_min_messages = warning;
\pset tuples_only on
CREATE SCHEMA fuzz_storage;
SET search_path = fuzz_storage, public;

CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.item ->> 'x' = '3' THEN
		RETURN NULL;
	END IF;
	NEW.item := NEW.item || '{"seen": true}'::item;
	RETURN NEW;
END $$;

-- NAME is the table.
CREATE TABLE definition AS SELECT unnest(array[
	'ALTER TABLE NAME ADD late text COLLATE "C" DEFAULT ''late''', 'ALTER TABLE NAME DROP late', 'ALTER TABLE NAME ADD id integer DEFAULT 7', 'ALTER TABLE NAME DROP id',
	'ALTER TABLE NAME ADD must text COLLATE "C" NOT NULL DEFAULT ''must''', 'ALTER TABLE NAME DROP must', 'ALTER TABLE NAME ADD n numeric', 'ALTER TABLE NAME DROP n',
	'ALTER TABLE NAME ALTER n TYPE numeric(10, 2)', 'ALTER TABLE NAME ALTER n TYPE numeric', 'CREATE INDEX NAME_x ON NAME ((item ->> ''x'')) WHERE item ->> ''x'' <> ''2''',
	'DROP INDEX NAME_x', 'CREATE UNIQUE INDEX NAME_u ON NAME ((item ->> ''u''))', 'DROP INDEX NAME_u', 'CREATE INDEX NAME_gsi ON NAME USING gsi (status, pk, sk)', 'DROP INDEX NAME_gsi',
	'ALTER TABLE NAME ADD EXCLUDE USING btree ((item ->> ''e'') WITH =)', 'ALTER TABLE NAME DROP CONSTRAINT NAME_expr_excl', 'ALTER TABLE NAME ADD CONSTRAINT c CHECK (item ->> ''x'' IS DISTINCT FROM ''1'')',
	'ALTER TABLE NAME DROP CONSTRAINT c', 'CREATE TRIGGER note BEFORE INSERT OR UPDATE ON NAME FOR EACH ROW EXECUTE FUNCTION note()', 'DROP TRIGGER note ON NAME',
	'REINDEX TABLE NAME', 'CLUSTER NAME USING NAME_pkey', 'TRUNCATE NAME', 'ALTER TABLE NAME REPLICA IDENTITY FULL', 'ALTER TABLE NAME ALTER item SET STORAGE external', 'ALTER TABLE NAME SET (fillfactor = 60)']) AS text;

CREATE FUNCTION pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT choices[1 + floor(random() * array_length(choices, 1))::integer]';

CREATE FUNCTION make_key() RETURNS jsonb LANGUAGE sql VOLATILE AS $$ SELECT jsonb_build_object('pk', pick('a', 'b', repeat('k', 2000)), 'sk', pick('1', '2', '3')::integer) $$;

CREATE FUNCTION make_item(key jsonb) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT key || coalesce(jsonb_object_agg(name, pick('1', '2', '3', '"s"', 'null', '[1, {"a": 2}]', to_json(repeat('L', pick('10', '2500', '20000')::integer))::text)::jsonb) FILTER (WHERE random() < 0.3), '{}')
	FROM unnest('{x,u,n,e,status,late,must,id,y}'::text[]) AS name
$$;

-- A call with NAME for the table.
CREATE FUNCTION make_call() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	key jsonb := make_key();
	other jsonb := make_key();
	condition text := pick('NULL', 'NULL', quote_literal('attribute_exists(pk)'), quote_literal('attribute_not_exists(pk)'), quote_literal('attribute_exists(x)'));
BEGIN
	CASE pick('put', 'put', 'update', 'update', 'delete', 'check', 'batch', 'transaction')
		WHEN 'put' THEN
			RETURN format('put_item(%L, %L, %s, return_values => %L)', 'NAME', make_item(key), condition, pick('NONE', 'ALL_OLD'));
		WHEN 'update' THEN
			RETURN format('update_item(%L, %L, %L, %s, %L, %L, return_values => %L)', 'NAME', key, pick('SET x = :v, #s = :s', 'SET u = :v, y = :s', 'SET n = :v, #s = :s', 'ADD n :v SET y = :s', 'SET late = :s, e = :v'),
				condition, jsonb_build_object(':v', pick('1', '2', '3')::integer, ':s', pick('s', 't', repeat('L', 3000))), '{"#s": "status"}', pick('NONE', 'ALL_NEW'));
		WHEN 'delete' THEN
			RETURN format('delete_item(%L, %L, %s, return_values => %L)', 'NAME', key, condition, pick('NONE', 'ALL_OLD'));
		WHEN 'check' THEN
			RETURN format('check_item(%L, %L, %L)', 'NAME', key, pick('attribute_exists(pk)', 'attribute_not_exists(pk)'));
		WHEN 'batch' THEN
			RETURN format('batch_write_items(%L)', jsonb_build_object('NAME', jsonb_build_array(jsonb_build_object('PutRequest', jsonb_build_object('Item', make_item(key))),
				jsonb_build_object('DeleteRequest', jsonb_build_object('Key', other)))));
		ELSE
			RETURN format('transact_write_items(%L)', jsonb_build_array(jsonb_build_object('Put', jsonb_build_object('TableName', 'NAME', 'Item', make_item(key))),
				jsonb_build_object(pick('Delete', 'ConditionCheck'), jsonb_build_object('TableName', 'NAME', 'Key', other, 'ConditionExpression', pick('attribute_exists(pk)', 'attribute_not_exists(pk)')))));
	END CASE;
END $$;

-- What a statement gives, or its error.  With undo its work is rolled back.
CREATE FUNCTION try(statement text, name text, undo boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := 'done';
BEGIN
	IF statement ~ '^SELECT' THEN
		EXECUTE replace(statement, 'NAME', name) INTO result;
	ELSE
		EXECUTE replace(statement, 'NAME', name);
	END IF;
	IF undo THEN
		RAISE EXCEPTION USING ERRCODE = 'FZ001', MESSAGE = 'undone ' || coalesce(result, 'NULL');
	END IF;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	IF SQLSTATE = 'XX000' THEN
		RAISE;
	END IF;
	RETURN replace(SQLSTATE || ' ' || SQLERRM, name, 'NAME');
END $$;

CREATE PROCEDURE run(count integer, seed integer) LANGUAGE plpgsql AS $$
DECLARE
	names text[] := '{plain_d,plain_s}';
	statement text;
	undo boolean;
	results text[];
	rows text[];
	content text;
	index regclass;
BEGIN
	PERFORM setseed((seed % 10000) / 10000.0);
	FOR i IN 1 .. count LOOP
		IF i % 200 = 1 THEN
			FOR j IN 1 .. 2 LOOP
				EXECUTE format('DROP TABLE IF EXISTS %I', names[j]);
				EXECUTE format('CREATE TABLE %I (pk text COLLATE "C", sk numeric, status text COLLATE "C", item item NOT NULL, PRIMARY KEY (pk, sk))', names[j]);
			END LOOP;
		END IF;
		statement := CASE WHEN random() < 0.06 THEN (SELECT text FROM definition ORDER BY random() LIMIT 1) ELSE 'SELECT ' || make_call() || pick('', '', ' FROM generate_series(1, 3)') END;
		undo := random() < 0.1;
		FOR j IN 1 .. 2 LOOP
			PERFORM set_config('singletable.force_statements', CASE j WHEN 1 THEN 'off' ELSE 'on' END, true);
			results[j] := try(statement, names[j], undo);
			EXECUTE format('SELECT string_agg(md5(t::text), '' '' ORDER BY pk, sk) FROM %I t', names[j]) INTO content;
			rows[j] := content;
		END LOOP;
		IF results[1] IS DISTINCT FROM results[2] OR rows[1] IS DISTINCT FROM rows[2] THEN
			RAISE EXCEPTION 'step % of seed %: % and not %', i, seed, left(results[1], 200), left(results[2], 200) USING DETAIL = left(statement, 1000);
		END IF;
		IF i % 50 = 0 THEN
			FOR index IN SELECT indexrelid FROM pg_index JOIN pg_class ON oid = indexrelid JOIN pg_am a ON a.oid = relam WHERE indrelid = 'plain_d'::regclass AND (indisprimary OR amname = 'gsi') LOOP
				PERFORM check_item_index(index);
			END LOOP;
			-- Temporary memory of one transaction should not be that of thousands.
			COMMIT;
		END IF;
	END LOOP;
END $$;
CALL run(:count, :seed);
DROP SCHEMA fuzz_storage CASCADE;
