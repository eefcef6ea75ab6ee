-- Binary input: what item_send sends, and nothing else; every byte is verified.
SELECT set_config('test.file', CASE WHEN pg_stat_file('/dev/shm', true) IS NULL THEN current_setting('data_directory') ELSE '/dev/shm' END || '/item_recv_' || pg_backend_pid(), false) AS file \gset
CREATE TEMP TABLE sent (n serial, item item);
INSERT INTO sent (item) VALUES ('{}'), ('{"a": "x", "n": -1.5, "b": {"B": "AP8="}, "t": true, "z": null, "l": [1, "é", [2]], "m": {"x": {}}, "ss": {"SS": ["b", "a"]}, "ns": {"NS": ["10", "9"]}, "bs": {"BS": ["Yg==", ""]}}'),
  ('{"z": "\u0000"}'), (('{"long": "' || repeat('x', 70000) || '"}')::item), (('{"l": [' || repeat('[],', 300) || '1]}')::item),
  (('{"a": ' || repeat('[', 32) || repeat(']', 32) || '}')::item), ('{"a": 1e-130, "b": -9.9999999999999999999999999999999999999e125}');
COPY sent (item) TO :'file' (FORMAT binary);
CREATE TEMP TABLE received (n serial, item item);
COPY received (item) FROM :'file' (FORMAT binary);
SELECT n, s.item = r.item AS same, item_size(r.item) FROM sent AS s JOIN received AS r USING (n) ORDER BY n;

-- Any bytes: sent as bytea, received as an item.
CREATE FUNCTION pg_temp.receive(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	file text := current_setting('test.file');
	detail text;
	result text;
BEGIN
	CREATE TEMP TABLE one (item item) ON COMMIT DROP;
	EXECUTE format('COPY (SELECT %L::bytea) TO %L (FORMAT binary)', bytes, file);
	EXECUTE format('COPY one FROM %L (FORMAT binary)', file);
	SELECT item INTO result FROM one;
	DROP TABLE one;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || SQLERRM || CASE WHEN detail <> '' THEN ' [' || detail || ']' ELSE '' END;
END $$;
-- The format, spelled out: version; width, count, ends of names and values; names, types and payloads.
SELECT bytes, pg_temp.receive(bytes) AS result FROM (VALUES
  (1, '\x10 01 00'::text), (2, '\x10 01 01 01 03  61 04 78'), (3, '\x10 01 02 01 02 03 05  61 01  62 02 01'), (4, '\x10 01 01 01 04  61 03 c1 02'), (5, '\x10 01 01 01 08  61 06 01 02 01 02 31 32'),
  -- versions and flags
  (10, '\x'), (11, '\x10'), (12, '\x1001'), (13, '\x00 01 00'), (14, '\x20 01 00'), (15, '\x11 01 00'), (16, '\x10 00 00'), (17, '\x10 03 00 00 00'), (18, '\x10 ff 00'),
  -- counts and offsets
  (20, '\x10 01 00 00'), (21, '\x10 01 01'), (22, '\x10 01 01 01'), (23, '\x10 01 ff 01 03'), (24, '\x10 04 ff ff ff ff'), (25, '\x10 04 ff ff ff 7f 00 00 00 00'), (26, '\x10 02 00 00'), (27, '\x10 02 01 00 01 00 03 00 61 04 78'),
  (28, '\x10 01 01 01 04  61 04 78'), (29, '\x10 01 01 01 02  61 04 78'), (30, '\x10 01 01 02 01  61 04 78'), (31, '\x10 01 01 01 01  61'), (32, '\x10 01 01 00 02  04 78'), (33, '\x10 01 02 01 03 02 06  61 04 78 62 04 79'),
  -- order and names
  (40, '\x10 01 02 01 02 03 04  62 01  61 01'), (41, '\x10 01 02 01 02 03 04  61 01  61 01'), (42, '\x10 01 01 01 02  ff 01'), (43, '\x10 01 01 02 03  c3 28 01'), (44, '\x10 01 01 01 02  00 01'),
  -- types and payloads
  (50, '\x10 01 01 01 02  61 00'), (51, '\x10 01 01 01 02  61 0b'), (52, '\x10 01 01 01 02  61 ff'), (53, '\x10 01 01 01 03  61 01 00'), (54, '\x10 01 01 01 02  61 02'), (55, '\x10 01 01 01 03  61 02 02'), (56, '\x10 01 01 01 04  61 02 01 01'),
  (57, '\x10 01 01 01 03  61 04 80'), (58, '\x10 01 01 01 05  61 04 ed a0 80'), (59, '\x10 01 01 01 06  61 04 f4 90 80 80'), (60, '\x10 01 01 01 03  61 04 00'), (61, '\x10 01 01 01 04  61 04 c0 80'), (62, '\x10 01 01 01 03  61 05 ff'),
  -- numbers: empty, not normal, digits of base 100 out of range, negative without its end, too many digits
  (70, '\x10 01 01 01 02  61 03'), (71, '\x10 01 01 01 03  61 03 80'), (72, '\x10 01 01 01 03  61 03 81'), (73, '\x10 01 01 01 04  61 03 c1 01'), (74, '\x10 01 01 01 05  61 03 c1 02 01'), (75, '\x10 01 01 01 04  61 03 c1 00'),
  (76, '\x10 01 01 01 04  61 03 c1 65'), (77, '\x10 01 01 01 04  61 03 c1 64'), (78, '\x10 01 01 01 05  61 03 3e fd ff'), (79, '\x10 01 01 01 04  61 03 3e fd'), (80, '\x10 01 01 01 04  61 03 3e ff'), (81, '\x10 01 01 01 03  61 03 3e'),
  (82, '\x10 01 01 01 04  61 03 80 02'), (83, '\x10 01 01 01 04  61 03 ff 64'), (84, '\x10 01 01 01 17  61 03 c1' || repeat('02', 20)), (85, '\x10 01 01 01 17  61 03 c1' || repeat('64', 20)), (86, '\x10 01 01 01 18  61 03 c1' || repeat('02', 21)),
  (87, '\x10 01 01 01 19  61 03 3e' || repeat('fd', 21) || 'ff'), (88, '\x10 01 01 01 04  61 03 7f ff'),
  -- containers
  (90, '\x10 01 01 01 04  61 09 01 00'), (91, '\x10 01 01 01 06  61 09 01 01 01 01'), (92, '\x10 01 01 01 05  61 09 01 01 00'), (93, '\x10 01 01 01 05  61 09 01 00 00'), (94, '\x10 01 01 01 04  61 09 01 01'), (95, '\x10 01 01 01 02  61 09'),
  (96, '\x10 01 01 01 04  61 07 01 00'), (97, '\x10 01 01 01 05  61 07 01 01 00'), (98, '\x10 01 01 01 08  61 07 01 02 01 02 62 61'), (99, '\x10 01 01 01 08  61 07 01 02 01 02 61 61'), (100, '\x10 01 01 01 06  61 07 01 01 01 ff'),
  (101, '\x10 01 01 01 06  61 08 01 01 01 ff'), (102, '\x10 01 01 01 06  61 06 01 01 01 80'), (103, '\x10 01 01 01 05  61 06 01 01 00'), (104, '\x10 01 01 01 06  61 06 01 01 01 81'), (105, '\x10 01 01 01 08  61 0a 01 01 01 02 62 01'),
  (106, '\x10 01 01 01 08  61 0a 01 01 01 02 62 00'), (107, '\x10 01 01 01 0b  61 0a 02 01 00 01 00 02 00 62 01')
) AS v(n, text), LATERAL (SELECT decode(replace(substr(text, 3), ' ', ''), 'hex') AS bytes) AS b ORDER BY n;
-- Nesting and size.
CREATE FUNCTION pg_temp.nested(levels integer) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	value bytea := '\x01';
BEGIN
	FOR level IN 2..levels LOOP
		value := '\x090101'::bytea || decode(lpad(to_hex(length(value)), 2, '0'), 'hex') || value;
	END LOOP;
	RETURN '\x10010101'::bytea || decode(lpad(to_hex(length(value) + 1), 2, '0'), 'hex') || '\x61'::bytea || value;
END $$;
SELECT levels, left(pg_temp.receive(pg_temp.nested(levels)), 120) AS result FROM unnest('{1,2,32,33,50}'::int[]) AS levels ORDER BY levels;
SET singletable.max_item_size = '500kB';
CREATE TEMP TABLE large AS SELECT item_send(('{"a": "' || repeat('x', 409600) || '"}')::item) AS bytes;
SELECT length(pg_temp.receive(bytes)) AS accepted FROM large;
RESET singletable.max_item_size;
SELECT pg_temp.receive(bytes) FROM large;
-- Every item with one byte changed, cut or added is refused, or is another item that sends back the same bytes.
SELECT length(item_send(item)) AS bytes, item FROM sent WHERE n = 2;
CREATE TEMP TABLE damaged (n serial, bytes bytea);
INSERT INTO damaged (bytes) SELECT set_byte(bytes, i, get_byte(bytes, i) # change) FROM sent, LATERAL (SELECT item_send(item) AS bytes) AS b, generate_series(0, length(bytes) - 1) AS i, unnest('{1,2,128,255}'::int[]) AS change WHERE n IN (1, 2, 3, 7);
INSERT INTO damaged (bytes) SELECT substr(bytes, 1, i) FROM sent, LATERAL (SELECT item_send(item) AS bytes) AS b, generate_series(0, length(bytes) - 1) AS i WHERE n = 2;
INSERT INTO damaged (bytes) SELECT bytes || '\x00' FROM sent, LATERAL (SELECT item_send(item) AS bytes) AS b;
DO $$
DECLARE
	damage record;
	text text;
	refused integer := 0;
	accepted integer := 0;
BEGIN
	FOR damage IN SELECT * FROM damaged ORDER BY n LOOP
		text := pg_temp.receive(damage.bytes);
		IF text LIKE '22P03 %' THEN
			refused := refused + 1;
		ELSIF item_send(text::item) = damage.bytes THEN
			accepted := accepted + 1;
		ELSE
			RAISE WARNING '%: %', damage.bytes, text;
		END IF;
	END LOOP;
	RAISE NOTICE 'refused %, another item %', refused, accepted;
END $$;
DO $$ BEGIN EXECUTE format('COPY (SELECT) TO PROGRAM %L', 'cat >/dev/null; rm -f ' || current_setting('test.file')); END $$;
