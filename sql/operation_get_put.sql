-- get_item and put_item: whole items, every type, replacement, return values, key types.
\pset format unaligned
\pset tuples_only on

CREATE TABLE music (artist text COLLATE "C", song text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (artist, song));

-- An absent item is NULL; a put of a new one returns nothing.
SELECT get_item('music', '{"artist": "Nina", "song": "Sinnerman"}') IS NULL;
SELECT put_item('music', '{"artist": "Nina", "song": "Sinnerman", "year": 1965, "length": 622, "live": false}') IS NULL;
SELECT get_item('music', '{"artist": "Nina", "song": "Sinnerman"}');
-- The key attributes are in their columns, the others in the item column.
SELECT artist, song, item FROM music;

-- A put replaces: what the new item lacks is gone.
SELECT put_item('music', '{"artist": "Nina", "song": "Sinnerman", "year": 1966}');
SELECT get_item('music', '{"artist": "Nina", "song": "Sinnerman"}');
-- ALL_OLD is the replaced item; nothing if there was none.
SELECT put_item('music', '{"artist": "Nina", "song": "Sinnerman", "plays": 1}', return_values => 'ALL_OLD');
SELECT put_item('music', '{"artist": "Nina", "song": "Feeling Good"}', return_values => 'ALL_OLD') IS NULL;
SELECT put_item('music', '{"artist": "Nina", "song": "Feeling Good"}', return_values => 'NONE') IS NULL;
-- An item of its key alone.
SELECT get_item('music', '{"artist": "Nina", "song": "Feeling Good"}');

-- Every type, nested, comes back as it was put.
SELECT put_item('music', '{
	"artist": {"S": "types"}, "song": {"S": "all"},
	"s": {"S": "text"}, "empty": {"S": ""}, "n": {"N": "1.50"}, "b": {"B": "AAEC"}, "t": {"BOOL": true}, "f": {"BOOL": false},
	"z": {"NULL": true}, "m": {"M": {"a": {"L": [{"N": "1"}, {"M": {"deep": {"S": "x"}}}]}, "e": {"M": {}}}},
	"l": {"L": []}, "ss": {"SS": ["b", "a"]}, "ns": {"NS": ["10", "9.0"]}, "bs": {"BS": ["Yg==", "YQ=="]}}');
SELECT get_item('music', '{"artist": "types", "song": "all"}');
-- A stored U+0000 is kept outside of keys.
SELECT put_item('music', '{"artist": "types", "song": "zero", "v": "a\u0000b"}');
SELECT get_item('music', '{"artist": "types", "song": "zero"}');

-- A key may be given typed or plain, its attributes in any order.
SELECT get_item('music', '{"song": {"S": "Feeling Good"}, "artist": {"S": "Nina"}}');

-- Projection.
SELECT get_item('music', '{"artist": "types", "song": "all"}', 's, n');
SELECT get_item('music', '{"artist": "types", "song": "all"}', 'm.a[1].deep, #l, song', '{"#l": "live"}');
-- Nothing to show of an item that is there is an empty item; of one that is not, NULL.
SELECT get_item('music', '{"artist": "types", "song": "all"}', 'nope');
SELECT get_item('music', '{"artist": "types", "song": "none"}', 'nope') IS NULL;

-- Plain SQL and the functions see one and the same data.
INSERT INTO music VALUES ('Bob', 'Jokerman', '{"year": 1983}');
SELECT get_item('music', '{"artist": "Bob", "song": "Jokerman"}');
SELECT put_item('music', '{"artist": "Bob", "song": "Jokerman", "year": 1984}');
SELECT item FROM music WHERE artist = 'Bob';
UPDATE music SET item = '{"year": 1985}' WHERE artist = 'Bob';
SELECT get_item('music', '{"artist": "Bob", "song": "Jokerman"}');
DELETE FROM music WHERE artist = 'Bob';
SELECT get_item('music', '{"artist": "Bob", "song": "Jokerman"}') IS NULL;

-- Numeric and binary keys: a number is one key whatever its spelling, bytes are bytes.
CREATE TABLE readings (device bytea, at numeric, item item NOT NULL DEFAULT '{}', PRIMARY KEY (device, at));
SELECT put_item('readings', '{"device": {"B": "AP8="}, "at": {"N": "1e3"}, "v": 1}');
SELECT put_item('readings', '{"device": {"B": "AP8="}, "at": {"N": "+1000.0"}, "v": 2}', return_values => 'ALL_OLD');
SELECT get_item('readings', '{"device": {"B": "AP8="}, "at": 1000}');
SELECT put_item('readings', '{"device": {"B": "AP8="}, "at": {"N": "-0.000000000000000000000000000000000000000000000000001"}, "v": 3}');
SELECT put_item('readings', '{"device": {"B": "AP8="}, "at": {"N": "9.9999999999999999999999999999999999999E+125"}, "v": 4}');
SELECT get_item('readings', '{"device": {"B": "AP8="}, "at": -1e-51}') ->> 'v',
	   get_item('readings', '{"device": {"B": "AP8="}, "at": 9.9999999999999999999999999999999999999E+125}') ->> 'v';
SELECT device, count(*) FROM readings GROUP BY device;

-- A table without sort key; names that need quotes; columns that hold no attribute are left alone.
CREATE TABLE "Odd ""Name" ("Id-1" text COLLATE "C" PRIMARY KEY, created timestamptz DEFAULT '2026-01-01 UTC', "the item" item NOT NULL,
	note text DEFAULT 'promoted');
SELECT put_item('"Odd ""Name"', '{"Id-1": "a", "x y": 1}');
SELECT get_item('"Odd ""Name"', '{"Id-1": "a"}');
SELECT "Id-1", created AT TIME ZONE 'UTC', "the item", note FROM "Odd ""Name";
-- A promoted attribute that is no key may hold another type: it stays in the rest.
SELECT put_item('"Odd ""Name"', '{"Id-1": "a", "note": "text"}');
SELECT put_item('"Odd ""Name"', '{"Id-1": "b", "note": 5}');
SELECT "Id-1", note, "the item" FROM "Odd ""Name" ORDER BY 1;
SELECT get_item('"Odd ""Name"', '{"Id-1": "a"}'), get_item('"Odd ""Name"', '{"Id-1": "b"}');
SELECT put_item('"Odd ""Name"', '{"Id-1": "b", "note": "text"}', return_values => 'ALL_OLD');
SELECT get_item('"Odd ""Name"', '{"Id-1": "b"}');

-- Sizes: 400 KB are allowed, one byte more is not.
SELECT put_item('music', jsonb_build_object('artist', 'big', 'song', '1', 'v', repeat('x', 409600 - 6 - 3 - 4 - 1 - 1))::item);
SELECT item_size(get_item('music', '{"artist": "big", "song": "1"}'));
SELECT put_item('music', jsonb_build_object('artist', 'big', 'song', '2', 'v', repeat('x', 409600 - 6 - 3 - 4 - 1))::item);
SELECT put_item('music', jsonb_build_object('artist', 'big', 'song', '2', 'v', repeat('x', 409600 - 6 - 3 - 4 - 1 + 1))::item);
SET singletable.max_item_size = '1MB';
SELECT put_item('music', jsonb_build_object('artist', 'big', 'song', '3', 'v', repeat('x', 1000000))::item);
RESET singletable.max_item_size;
SELECT length(get_item('music', '{"artist": "big", "song": "3"}') ->> 'v');

-- Many puts in one statement; reads in any expression.
SELECT count(put_item('music', jsonb_build_object('artist', 'many', 'song', lpad(i::text, 4, '0'), 'i', i)::item, return_values => 'ALL_OLD'))
FROM generate_series(1, 1000) i;
SELECT count(*), sum((get_item('music', jsonb_build_object('artist', 'many', 'song', lpad(i::text, 4, '0'))::item) ->> 'i')::int)
FROM generate_series(1, 1000) i;
-- A function that reads sees the snapshot of its statement, not what the statement itself writes.
SELECT get_item('music', '{"artist": "late", "song": "x"}') IS NULL
FROM (SELECT put_item('music', '{"artist": "late", "song": "x"}') OFFSET 0) p;
SELECT get_item('music', '{"artist": "late", "song": "x"}');

-- A failed transaction keeps nothing, a savepoint neither.
BEGIN;
SELECT put_item('music', '{"artist": "tx", "song": "1"}');
SAVEPOINT s;
SELECT put_item('music', '{"artist": "tx", "song": "2"}');
ROLLBACK TO s;
COMMIT;
SELECT song FROM music WHERE artist = 'tx';

DROP TABLE music, readings, "Odd ""Name";
