-- Mutated bytes into item_recv.  Whatever comes in, the answer is an item that sends the same bytes, or an error of class KV or 22.
--
--   psql -v count=20000 -v seed=1 -f test/fuzz/item_recv.sql
--
-- The bytes go to the server as a file of COPY BINARY, so this needs a superuser.  The file lies in memory where the system has that:
-- truncating a file on disk again and again takes a hundred times as long as all the rest.
-- Fails (ON_ERROR_STOP) with the input that broke a promise.  The same seed makes the same inputs.
SET client_min_messages = notice;
SELECT set_config('fuzz.count', :'count', false), setseed(mod(:seed, 1000003) / 1000003.0) \g /dev/null

CREATE TEMP TABLE corpus (n serial, bytes bytea);
INSERT INTO corpus (bytes) SELECT item_send(item) FROM unnest(ARRAY[
	'{}', '{"a": "x"}', '{"name": "Ann", "age": 31, "gone": null, "tags": ["a", 2.50, true, [], {}], "address": {"zip": "1"}}',
	'{"ss": {"SS": ["b", "", "a"]}, "ns": {"NS": ["10", "-2.50", "1e3"]}, "bs": {"BS": ["Yg==", "YWE=", ""]}, "b": {"B": "aGVsbG8="}}',
	'{"é": "é€😀\u0000", "n": -9.9999999999999999999999999999999999999e125, "m": 1e-130, "z": 0, "f": false}',
	('{"deep": ' || repeat('[', 32) || repeat(']', 32) || ', "m": ' || repeat('{"a": ', 31) || '1' || repeat('}', 31) || '}'),
	('{"wide": "' || repeat('x', 300) || '", "l": [' || repeat('1, ', 150) || '2]}'), ('{"wider": {"B": "' || repeat('AAAA', 18000) || '"}}')]::item[]) AS item;
CREATE TEMP TABLE received (item item);

CREATE FUNCTION pg_temp.pick(low integer, high integer) RETURNS integer LANGUAGE sql VOLATILE AS 'SELECT low + floor(random() * (high - low + 1))::integer';

CREATE FUNCTION pg_temp.mutate(input bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	inputs bytea[] := ARRAY(SELECT bytes FROM corpus ORDER BY n);
	pieces bytea[] := ARRAY['\x00', '\x01', '\x02', '\x03', '\x04', '\x05', '\x06', '\x07', '\x08', '\x09', '\x0a', '\x0b', '\x10', '\x7f', '\x80', '\xff', '\xffff', '\xffffffff', '\xffffff7f',
		'\x00000080', '\x0100', '\x040100', '\x0900', '\x090100', '\x0a0100', '\x090101010a', '\x07010101', '\xc3', '\xeda080', '\xf09f9880', '\xc102', '\x3efdff'];
	size integer;
	place integer;
	span integer;
BEGIN
	FOR round IN 1..pg_temp.pick(1, 3) LOOP
		size := length(input);
		place := pg_temp.pick(1, CASE WHEN random() < 0.5 THEN least(size, 40) ELSE size END + 1);
		span := pg_temp.pick(0, CASE WHEN random() < 0.8 THEN 2 ELSE size END);
		CASE pg_temp.pick(1, 8)
			WHEN 1 THEN			-- flip a bit
				IF size > 0 THEN
					input := set_byte(input, least(place, size) - 1, get_byte(input, least(place, size) - 1) # (1 << pg_temp.pick(0, 7)));
				END IF;
			WHEN 2 THEN			-- one more or less
				IF size > 0 THEN
					input := set_byte(input, least(place, size) - 1, (get_byte(input, least(place, size) - 1) + pg_temp.pick(-2, 2)) & 255);
				END IF;
			WHEN 3, 4 THEN		-- overwrite
				input := overlay(input PLACING pieces[pg_temp.pick(1, array_length(pieces, 1))] FROM place FOR span);
			WHEN 5 THEN			-- insert
				input := overlay(input PLACING pieces[pg_temp.pick(1, array_length(pieces, 1))] FROM place FOR 0);
			WHEN 6 THEN			-- delete
				input := overlay(input PLACING '' FROM place FOR span);
			WHEN 7 THEN			-- repeat
				input := overlay(input PLACING substr(input, place, span) || substr(input, place, span) FROM place FOR span);
			ELSE				-- another input, or its end
				input := substr(input, 1, place - 1) || substr(inputs[pg_temp.pick(1, array_length(inputs, 1))], pg_temp.pick(1, 20));
		END CASE;
	END LOOP;
	RETURN input;
END $$;

DO $$
DECLARE
	file text := CASE WHEN pg_stat_file('/dev/shm', true) IS NULL THEN current_setting('data_directory') ELSE '/dev/shm' END || '/fuzz_item_recv_' || pg_backend_pid();
	inputs bytea[] := ARRAY(SELECT bytes FROM corpus ORDER BY n);
	input bytea;
	item item;
	accepted integer := 0;
	refused integer := 0;
BEGIN
	FOR round IN 1..current_setting('fuzz.count')::integer LOOP
		-- Each input as it is first.
		input := CASE WHEN round <= array_length(inputs, 1) THEN inputs[round] ELSE pg_temp.mutate(inputs[1 + floor(random() ^ 1.5 * array_length(inputs, 1))::integer]) END;
		EXECUTE format('COPY (SELECT %L::bytea) TO %L (FORMAT binary)', input, file);
		BEGIN
			item := NULL;
			EXECUTE format('COPY received FROM %L (FORMAT binary)', file);
			DELETE FROM received RETURNING received.item INTO STRICT item;
			accepted := accepted + 1;
		EXCEPTION WHEN OTHERS THEN
			IF SQLSTATE !~ '^(KV001|22...)$' OR round <= array_length(inputs, 1) THEN
				RAISE EXCEPTION 'item_recv: % % for %', SQLSTATE, SQLERRM, left(input::text, 5000);
			END IF;
			refused := refused + 1;
		END;
		IF item IS NOT NULL THEN
			BEGIN
				ASSERT item_send(item) = input, 'sends the same bytes';
				ASSERT item = item AND item_cmp(item, item) = 0 AND item @> item, 'equal to itself';
				ASSERT item::text::item = item AND item_send(item::text::item) = input, 'text reads back as the same item';
				ASSERT item_size(item) BETWEEN 0 AND 409600 AND (item_size(item) = 0) = (item = '{}'), 'size';
				ASSERT item || '{}' = item AND item || item = item, 'merge';
				BEGIN
					ASSERT item::jsonb = item::json::jsonb, 'jsonb';
				EXCEPTION WHEN untranslatable_character THEN
					ASSERT item::text LIKE '%\\u0000%', 'untranslatable without U+0000';
				END;
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				RAISE EXCEPTION 'item_recv: % % for %', SQLSTATE, SQLERRM, left(input::text, 5000);
			END;
		END IF;
	END LOOP;
	EXECUTE format('COPY (SELECT) TO PROGRAM %L', 'rm -f ' || file);
	RAISE NOTICE 'item_recv: % inputs, % accepted, % refused', accepted + refused, accepted, refused;
	IF current_setting('fuzz.count')::integer >= 1000 AND accepted < refused / 50 THEN
		RAISE EXCEPTION 'the mutations are too wild to find anything';
	END IF;
END $$;
