-- check_item_index: passes on what PostgreSQL maintains, and sees every kind of damage.
CREATE TABLE checked (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL, a text COLLATE "C", n numeric, y bytea, PRIMARY KEY (pk, sk));
CREATE FUNCTION checked_value(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN lower($1); END $$;
CREATE INDEX checked_a ON checked USING gsi (a, pk, sk);
CREATE INDEX checked_n ON checked USING lsi (pk, n DESC, sk) INCLUDE (a);
CREATE INDEX checked_y ON checked USING gsi (y) WHERE n > 10;
CREATE INDEX checked_e ON checked USING gsi (checked_value(a) COLLATE "C", sk);
INSERT INTO checked SELECT 'P' || i % 10, 'S' || i, CASE WHEN i % 3 > 0 THEN 'A' || i % 20 END, CASE WHEN i % 4 > 0 THEN i / 8.0 END, decode(lpad(to_hex(i), 4, '0'), 'hex')
FROM generate_series(1, 1000) i;
CREATE FUNCTION check_all() RETURNS TABLE (index name, index_tuples bigint, table_rows bigint, structure_checked boolean) LANGUAGE sql AS $$
	SELECT c.relname, x.* FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid, check_item_index(c.oid) x WHERE i.indrelid = 'checked'::regclass ORDER BY c.relname COLLATE "C"
$$;
-- Without amcheck, the rows only.
SELECT * FROM check_all();
SELECT count(a) AS a, count(n) AS n, count(y) FILTER (WHERE n > 10) AS y FROM checked;
CREATE SCHEMA elsewhere;
CREATE EXTENSION amcheck SCHEMA elsewhere;
SELECT * FROM check_all();
UPDATE checked SET a = NULL WHERE pk = 'P1';
UPDATE checked SET a = 'moved', n = 1 WHERE pk = 'P2';
UPDATE checked SET y = NULL WHERE pk = 'P3';
DELETE FROM checked WHERE pk = 'P4';
SELECT * FROM check_all();
VACUUM checked;
INSERT INTO checked SELECT 'P4', 'S' || i, 'again', i FROM generate_series(1, 100) i;
-- What this transaction has done, and what another subtransaction has undone.
BEGIN;
INSERT INTO checked VALUES ('new', 'new', 'new', 99);
SAVEPOINT s;
UPDATE checked SET a = 'undone';
ROLLBACK TO s;
SELECT * FROM check_all();
ROLLBACK;
SELECT * FROM check_all();
REINDEX TABLE checked;
SELECT * FROM check_all();

-- Damage.  Messages with the detail, without the row's position.
CREATE FUNCTION failure(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text;
BEGIN
	EXECUTE statement;
	RETURN 'passed';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', state, message, regexp_replace(nullif(detail, ''), '\(\d+,\d+\)', '(block,line)'));
END $$;
-- Without amcheck, so that it is our own check that finds it.
DROP EXTENSION amcheck;
-- A row without an entry.
BEGIN;
UPDATE pg_index SET indisready = false WHERE indexrelid = 'checked_a'::regclass;
INSERT INTO checked VALUES ('x', 'missing', 'A', 1);
UPDATE pg_index SET indisready = true WHERE indexrelid = 'checked_a'::regclass;
SELECT failure('SELECT check_item_index(''checked_a'')');
SELECT failure('SELECT check_item_index(''checked_n'')');
ROLLBACK;
-- An entry with another value than the row's.
BEGIN;
CREATE OR REPLACE FUNCTION checked_value(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN lower($1) || 'x'; END $$;
SELECT failure('SELECT check_item_index(''checked_e'')');
ROLLBACK;
-- An entry of a row that does not belong into the index: its key is NULL.
BEGIN;
CREATE OR REPLACE FUNCTION checked_value(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN NULL; END $$;
SELECT failure('SELECT check_item_index(''checked_e'')');
ROLLBACK;
-- Entries in another order than the index says.
BEGIN;
UPDATE pg_index SET indoption = '0 0 0' WHERE indexrelid = 'checked_n'::regclass;
SELECT failure('SELECT check_item_index(''checked_n'')');
ROLLBACK;
-- With amcheck the same damage is found there first.
CREATE EXTENSION amcheck SCHEMA elsewhere;
BEGIN;
UPDATE pg_index SET indisready = false WHERE indexrelid = 'checked_a'::regclass;
INSERT INTO checked VALUES ('x', 'missing', 'A', 1);
UPDATE pg_index SET indisready = true WHERE indexrelid = 'checked_a'::regclass;
SELECT regexp_replace(failure('SELECT check_item_index(''checked_a'')'), '\|.*', '');
ROLLBACK;
-- An error in amcheck leaves no trace in the session: the index is still what it was.
SELECT * FROM check_all();
SET enable_seqscan = off; SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM checked WHERE a = 'A1';
RESET enable_seqscan; RESET enable_bitmapscan;

-- What cannot be checked.
CREATE TABLE checked_parts (pk text COLLATE "C" NOT NULL, a text COLLATE "C") PARTITION BY LIST (pk);
CREATE TABLE checked_part PARTITION OF checked_parts DEFAULT;
CREATE INDEX checked_parts_a ON checked_parts USING gsi (a, pk);
CREATE INDEX checked_hash ON checked USING hash (a);
CREATE INDEX checked_invalid ON checked USING gsi (a);
BEGIN;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'checked_invalid'::regclass;
SELECT relation, failure(format('SELECT check_item_index(%L)', relation))
FROM unnest(ARRAY['checked', 'checked_parts_a', 'checked_part_a_pk_idx', 'checked_hash', 'checked_invalid', 'checked_view', '0']) relation;
ROLLBACK;
DROP INDEX checked_hash, checked_invalid;
-- The owner may check, others not; amcheck only if its administrator allows it.  What the owner put into the index runs as the owner.
CREATE ROLE regress_checker;
CREATE ROLE regress_stranger;
GRANT USAGE ON SCHEMA elsewhere TO regress_checker;
GRANT CREATE ON SCHEMA public TO regress_checker;
CREATE FUNCTION who_am_i(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN CASE WHEN current_user = 'regress_checker' THEN $1 ELSE current_user::text END; END $$;
ALTER TABLE checked OWNER TO regress_checker;
SET ROLE regress_checker;
CREATE INDEX checked_w ON checked USING gsi (who_am_i(a) COLLATE "C");
SELECT * FROM check_all();
RESET ROLE;
SELECT * FROM check_item_index('checked_w');
GRANT EXECUTE ON FUNCTION elsewhere.bt_index_check(regclass, boolean) TO regress_checker;
SET ROLE regress_checker;
SELECT * FROM check_item_index('checked_w');
SET ROLE regress_stranger;
SELECT failure('SELECT check_item_index(''checked_a'')');
RESET ROLE;
DROP TABLE checked, checked_parts;
DROP FUNCTION check_all, failure, checked_value, who_am_i;
REVOKE CREATE ON SCHEMA public FROM regress_checker;
REVOKE ALL ON FUNCTION elsewhere.bt_index_check(regclass, boolean) FROM regress_checker;
DROP EXTENSION amcheck;
DROP SCHEMA elsewhere;
DROP ROLE regress_checker, regress_stranger;
