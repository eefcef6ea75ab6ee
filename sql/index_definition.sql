-- CREATE INDEX ... USING gsi and lsi: what is accepted, what is refused, what is kept in the catalog.
CREATE FUNCTION failure(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
	EXECUTE statement;
	RETURN 'passed';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', state, message, nullif(detail, ''), nullif(hint, ''));
END $$;
-- The operator classes are complete.
SELECT amname, opcname, opcintype::regtype, opcdefault, amvalidate(o.oid) FROM pg_opclass o JOIN pg_am a ON a.oid = opcmethod WHERE amname IN ('gsi', 'lsi') ORDER BY 1, 2;
SELECT amname, amopstrategy, amopopr::regoperator FROM pg_amop JOIN pg_am a ON a.oid = amopmethod WHERE amname IN ('gsi', 'lsi') ORDER BY 1, 2, amopopr::regoperator::text COLLATE "C";
SELECT amname, amproclefttype::regtype AS type, amprocnum, amproc::regprocedure FROM pg_amproc JOIN pg_opfamily f ON f.oid = amprocfamily JOIN pg_am a ON a.oid = opfmethod
WHERE amname = 'gsi' ORDER BY amproclefttype::regtype::text COLLATE "C", 3;
SELECT amname, p, pg_indexam_has_property(a.oid, p) FROM pg_am a, unnest(ARRAY['can_order', 'can_unique', 'can_multi_col', 'can_exclude', 'can_include']) p WHERE amname IN ('gsi', 'lsi') ORDER BY 1, 2;
-- An incomplete class of a user is seen.
CREATE OPERATOR CLASS half_ops FOR TYPE text USING gsi AS OPERATOR 1 <, OPERATOR 6 ^@, FUNCTION 1 bttextcmp(text, text);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'half_ops';
DROP OPERATOR FAMILY half_ops USING gsi;
SELECT failure('CREATE OPERATOR CLASS odd_ops FOR TYPE text USING gsi AS OPERATOR 7 ^@, FUNCTION 1 bttextcmp(text, text)');

CREATE TABLE defined (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", b text, v varchar(20) COLLATE "POSIX", n numeric, i int, y bytea, j jsonb, PRIMARY KEY (pk, sk));
-- Every form is printed as it was written.
CREATE INDEX defined_1 ON defined USING gsi (a, n DESC NULLS LAST, pk, sk) INCLUDE (j, b) WITH (name = 'GSI-1 "x"', projection = 'INCLUDE', non_key_attributes = '["b", "it''s"]', fillfactor = 70, deduplicate_items = off);
CREATE INDEX defined_2 ON defined USING lsi (pk, n, sk) WITH (partition_keys = 1, sort_keys = 1, projection = 'KEYS_ONLY');
CREATE INDEX defined_3 ON defined USING gsi (b COLLATE "C", lower(v), (n + i)) WHERE i > 3;
CREATE INDEX defined_4 ON defined USING gsi (y DESC NULLS FIRST) WITH (name = 'ключ');
CREATE INDEX CONCURRENTLY defined_5 ON defined USING gsi (v, a) WITH (partition_keys = 2, sort_keys = 0);
SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'defined'::regclass ORDER BY indexrelid::regclass::text COLLATE "C";
\d defined_1
-- The text can be run again.
SELECT pg_get_indexdef('defined_1'::regclass) AS definition \gset
DROP INDEX defined_1;
:definition;
SELECT pg_get_indexdef('defined_1'::regclass) = :'definition' AS same;

-- Refused.
SELECT failure(statement) FROM unnest(ARRAY[
	'CREATE UNIQUE INDEX ON defined USING gsi (a)',
	'CREATE INDEX ON defined USING gsi (b)',
	'CREATE INDEX ON defined USING gsi (a COLLATE "en-x-icu")',
	'CREATE INDEX ON defined USING gsi (a, (b || ''x''))',
	'CREATE INDEX ON defined USING gsi (i)',
	'CREATE INDEX ON defined USING gsi (j)',
	'CREATE INDEX ON defined USING gsi ((a IS NULL))',
	'CREATE INDEX ON defined USING gsi (a text_pattern_ops)',
	'CREATE INDEX ON defined USING gsi (a) WITH (unknown = 1)',
	'CREATE INDEX ON defined USING gsi (a) WITH (projection = ''SOME'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (partition_keys = 0)',
	'CREATE INDEX ON defined USING gsi (a) WITH (partition_keys = 5)',
	'CREATE INDEX ON defined USING gsi (a) WITH (sort_keys = 5)',
	'CREATE INDEX ON defined USING gsi (a) WITH (partition_keys = 2)',
	'CREATE INDEX ON defined USING gsi (a, pk) WITH (partition_keys = 1, sort_keys = 2)',
	'CREATE INDEX ON defined USING gsi (a) WITH (name = '''')',
	format('CREATE INDEX ON defined USING gsi (a) WITH (name = %L)', repeat('n', 256)),
	'CREATE INDEX ON defined USING gsi (a) WITH (non_key_attributes = ''{"a": 1}'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (non_key_attributes = ''["a", 1]'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (non_key_attributes = ''["a", ""]'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (non_key_attributes = ''"a"'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (non_key_attributes = ''a, b'')',
	'CREATE INDEX ON defined USING gsi (a) WITH (fillfactor = 5)',
	'CREATE INDEX ON defined USING gsi (a) WITH (vacuum_cleanup_index_scale_factor = 5)',
	'CREATE INDEX ON defined (a) WITH (projection = ''ALL'')',
	'CLUSTER defined USING defined_2',
	'ALTER TABLE defined CLUSTER ON defined_2',
	'ALTER TABLE defined ADD CONSTRAINT u UNIQUE USING INDEX defined_2',
	'ALTER TABLE defined REPLICA IDENTITY USING INDEX defined_2',
	'INSERT INTO defined (pk, sk) VALUES (''p'', ''s'') ON CONFLICT (a) DO NOTHING']) statement;
-- Options may be changed; none of them changes what the index contains, and counts that exceed the columns do not keep it from being rebuilt.
ALTER INDEX defined_2 SET (name = 'other', projection = 'ALL', partition_keys = 4, sort_keys = 4);
ALTER INDEX defined_2 RESET (fillfactor);
SELECT reloptions FROM pg_class WHERE oid = 'defined_2'::regclass;
SELECT failure('ALTER INDEX defined_2 SET (projection = ''none'')');
REINDEX INDEX defined_2;
TRUNCATE defined;
ALTER INDEX defined_2 RESET (partition_keys, sort_keys, name);
-- A column that loses its collation is seen when the index is built anew.
SELECT failure('ALTER TABLE defined ALTER a TYPE text COLLATE "en-x-icu"');
ALTER TABLE defined ALTER a TYPE varchar(100) COLLATE "C";
SELECT pg_get_indexdef('defined_1'::regclass);

-- Partitioned: definitions and options go to the partitions.
CREATE TABLE split (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", b text, PRIMARY KEY (pk, sk)) PARTITION BY LIST (pk);
CREATE TABLE split_1 PARTITION OF split FOR VALUES IN ('1');
CREATE INDEX split_a ON split USING gsi (a, pk, sk) WITH (name = 'by a', projection = 'KEYS_ONLY');
CREATE TABLE split_2 PARTITION OF split FOR VALUES IN ('2');
CREATE TABLE split_3 (LIKE split);
CREATE INDEX split_3_own ON split_3 USING gsi (a, pk, sk);
ALTER TABLE split ATTACH PARTITION split_3 FOR VALUES IN ('3');
SELECT c.oid::regclass AS index, relkind, reloptions, i.inhparent::regclass AS parent FROM pg_class c LEFT JOIN pg_inherits i ON inhrelid = c.oid
WHERE c.relam = (SELECT oid FROM pg_am WHERE amname = 'gsi') AND c.relname ~ '^split' ORDER BY 1::text COLLATE "C";
SELECT failure('CREATE INDEX ON split USING gsi (b)');
-- Dependencies: the extension cannot go while an index is there.
SELECT split_part(failure('DROP EXTENSION singletable'), E'\n', 1);
DROP TABLE split, defined;
DROP FUNCTION failure;
