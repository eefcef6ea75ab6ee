-- begins_with, prefix_end and ^@ for bytea as plain functions.
SELECT begins_with('ORDER#1', 'ORDER#'), begins_with('ORDER#1', 'ORDER#1'), begins_with('ORDER#1', 'ORDER#12'),
       begins_with('ORDER#1', ''), begins_with('', ''), begins_with('', 'a'), begins_with(NULL, 'a') IS NULL, begins_with('a', NULL) IS NULL;
SELECT begins_with('\x0102ff'::bytea, '\x0102'), begins_with('\x0102ff'::bytea, '\x0102fe'), begins_with('\x01'::bytea, ''),
       '\x0102ff'::bytea ^@ '\x01', '\x0102ff'::bytea ^@ '\x02', '\xffff'::bytea ^@ '\xff';
-- Bytes are compared, whatever the collation.
SELECT begins_with('straße' COLLATE "C", 'stra'), begins_with('éa', 'é'), begins_with('E', 'e');
-- Long values, compressed and out of line.
CREATE TEMP TABLE long_values (kind text, t text, b bytea);
ALTER TABLE long_values ALTER t SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
INSERT INTO long_values VALUES ('external', repeat('a', 9000) || 'b', decode(repeat('61', 9000) || '62', 'hex'));
ALTER TABLE long_values ALTER t SET STORAGE EXTENDED, ALTER b SET STORAGE EXTENDED;
INSERT INTO long_values VALUES ('compressed', repeat('a', 9000) || 'b', decode(repeat('61', 9000) || '62', 'hex'));
SELECT kind, begins_with(t, 'aaa'), begins_with(t, repeat('a', 9000) || 'b'), begins_with(t, repeat('a', 9001)), begins_with(t, t), begins_with(t, t || 'x'),
       begins_with(b, '\x6161'), begins_with(b, b), begins_with(b, b || '\x00'), b ^@ '\x62'
FROM long_values ORDER BY kind;

-- The end of a prefix: the last character that is not the last of all gives way to the next.
SELECT prefix, prefix_end(prefix)
FROM (VALUES ('a'), ('ORDER#'), ('az'), ('a' || chr(127)), ('é'), (chr(2047)), ('x' || chr(65535)), ('a' || chr(1114111)), (chr(1114110))) v (prefix)
ORDER BY prefix COLLATE "C";
-- Surrogates are no characters.
SELECT prefix_end(chr(55295)) = chr(57344) AS skips_surrogates, prefix_end(chr(127)) = chr(128) AS grows, prefix_end('a' || chr(1114111) || chr(1114111)) = 'b' AS cuts;
SELECT prefix_end('\x01'::bytea), prefix_end('\x01ff'::bytea), prefix_end('\x00'::bytea), prefix_end('\xfeffff'::bytea), prefix_end('a'::bytea);
-- Where there is none, a value that no key in an index reaches.
SELECT length(prefix_end('')) AS characters, prefix_end('') = prefix_end(chr(1114111)) AS same,
       replace(prefix_end(''), chr(1114111), '') = '' AS last_characters_only,
       length(prefix_end(''::bytea)) AS bytes, prefix_end(''::bytea) = prefix_end('\xffff'::bytea) AS same_bytea;
SELECT prefix_end(NULL::text) IS NULL, prefix_end(NULL::bytea) IS NULL;

-- Differential: for every pair of strings over characters of all lengths, the range is the prefix test, and its end is tight.
WITH characters (c) AS (VALUES (''), ('a'), (chr(127)), (chr(128)), (chr(2047)), (chr(55295)), (chr(57344)), (chr(65535)), (chr(65536)), (chr(1114111))),
strings (s) AS MATERIALIZED (SELECT DISTINCT a.c || b.c || d.c COLLATE "C" FROM characters a, characters b, characters d)
SELECT count(*) AS pairs, count(*) FILTER (WHERE (k.s >= p.s AND k.s < prefix_end(p.s)) <> starts_with(k.s, p.s)) AS different,
       count(*) FILTER (WHERE begins_with(k.s, p.s) <> starts_with(k.s, p.s)) AS different_function
FROM strings k, (SELECT s FROM strings WHERE length(s) BETWEEN 1 AND 2 AND s <> repeat(chr(1114111), length(s))) p;
WITH bytes (b) AS (VALUES (''::bytea), ('\x00'), ('\x01'), ('\x7f'), ('\x80'), ('\xfe'), ('\xff')),
strings (s) AS MATERIALIZED (SELECT DISTINCT a.b || b.b || c.b FROM bytes a, bytes b, bytes c)
SELECT count(*) AS pairs, count(*) FILTER (WHERE (k.s >= p.s AND k.s < prefix_end(p.s)) <> (substr(k.s, 1, length(p.s)) = p.s)) AS different,
       count(*) FILTER (WHERE (k.s ^@ p.s) <> (substr(k.s, 1, length(p.s)) = p.s)) AS different_operator
FROM strings k, (SELECT s FROM strings WHERE length(s) BETWEEN 1 AND 2 AND s NOT IN ('\xff', '\xffff')) p;
