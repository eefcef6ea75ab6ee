-- What the server does for a table holds for the operations: partitions, triggers, row-level security, cursors, parallel plans.
\pset format unaligned
\pset tuples_only on
\set SHOW_CONTEXT never

-- Partitions: the operations name the parent.
CREATE TABLE parted (pk text COLLATE "C", sk numeric, g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) PARTITION BY HASH (pk);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX parted_g ON parted USING gsi (g, pk, sk);
SELECT count(put_item('parted', jsonb_build_object('pk', 'p' || i % 10, 'sk', i, 'g', 'g' || i % 3)::item, 'attribute_not_exists(pk)', return_values => 'ALL_OLD')) FROM generate_series(1, 100) i;
SELECT put_item('parted', '{"pk": "p1", "sk": 1}', 'attribute_not_exists(pk)');
SELECT (SELECT array_agg(i ORDER BY n) FROM query_items('parted', 'pk = :p AND sk < :n', '{":p": "p1", ":n": 50}') WITH ORDINALITY q(i, n)) =
	(SELECT array_agg(full_item(s) ORDER BY sk) FROM parted s WHERE pk = 'p1' AND sk < 50);
SELECT (SELECT array_agg(i ORDER BY n) FROM query_items('parted', 'g = :g', '{":g": "g1"}', index => 'parted_g', forward => false) WITH ORDINALITY q(i, n)) =
	(SELECT array_agg(full_item(s) ORDER BY g DESC, pk DESC, sk DESC) FROM parted s WHERE g = 'g1');
SELECT count(*), count(DISTINCT s) FROM generate_series(0, 2) g, LATERAL scan_items('parted', segment => g, total_segments => 3) s;
SELECT array_agg((i ->> 'sk')::int ORDER BY n) FROM query_items('parted', 'pk = :p', '{":p": "p1"}', max_items => 3, start_key => '{"pk": "p1", "sk": 31}') WITH ORDINALITY q(i, n);
SELECT update_item('parted', '{"pk": "p1", "sk": 1}', 'SET g = :g ADD n :one', 'attribute_exists(g)', '{":g": "x", ":one": 1}', return_values => 'ALL_NEW');
SELECT check_item('parted', '{"pk": "none", "sk": 1}', 'attribute_not_exists(pk)');
SELECT transact_write_items('[{"Put": {"TableName": "parted", "Item": {"pk": "a", "sk": 1}}},
	{"ConditionCheck": {"TableName": "parted", "Key": {"pk": "p2", "sk": 2}, "ConditionExpression": "attribute_not_exists(pk)"}}]');
SELECT delete_item('parted', '{"pk": "p1", "sk": 1}', return_values => 'ALL_OLD');
SELECT count(*) FROM parted;

-- Triggers see what each operation does to the row; a read-only check and a write of nothing do nothing.
CREATE TABLE watched (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE log (n serial, op text, old_item item, new_item item);
CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log (op, old_item, new_item)
	VALUES (TG_OP, CASE WHEN TG_OP <> 'INSERT' THEN full_item(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN full_item(NEW) END);
	RETURN NULL;
END $$;
CREATE TRIGGER log_change AFTER INSERT OR UPDATE OR DELETE ON watched FOR EACH ROW EXECUTE FUNCTION log_change();
SELECT put_item('watched', '{"pk": "a", "n": 1}');
SELECT update_item('watched', '{"pk": "a"}', 'ADD n :one', attribute_values => '{":one": 1}');
SELECT put_item('watched', '{"pk": "a", "n": 5}', 'n = :two', '{":two": 2}');
SELECT put_item('watched', '{"pk": "a", "n": 6}');
SELECT update_item('watched', '{"pk": "a"}');
SELECT check_item('watched', '{"pk": "a"}', 'attribute_exists(pk)');
SELECT delete_item('watched', '{"pk": "a"}');
SELECT delete_item('watched', '{"pk": "a"}');
SELECT update_item('watched', '{"pk": "a"}', 'REMOVE n');
SELECT op, old_item, new_item FROM log ORDER BY n;
-- A trigger may change what is stored.
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.item := NEW.item || '{"stamped": true}'; RETURN NEW; END $$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION stamp();
SELECT put_item('watched', '{"pk": "s"}', 'attribute_not_exists(pk)');
SELECT update_item('watched', '{"pk": "s"}', 'SET a = :a REMOVE stamped', attribute_values => '{":a": 1}', return_values => 'UPDATED_OLD');
SELECT get_item('watched', '{"pk": "s"}');
-- And it may refuse the row, without an error, as in any INSERT; nobody waits for ever.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION refuse();
SELECT put_item('watched', '{"pk": "x"}'), put_item('watched', '{"pk": "x"}', 'attribute_not_exists(pk)'), update_item('watched', '{"pk": "x"}');
SELECT pk FROM watched;

-- Row-level security: a row that the user does not see is not there for conditions, and cannot be overwritten.
CREATE TABLE tenants (pk text COLLATE "C" PRIMARY KEY, tenant text COLLATE "C", item item NOT NULL DEFAULT '{}');
INSERT INTO tenants VALUES ('a', 'mine', '{}'), ('b', 'yours', '{}');
CREATE ROLE regress_singletable_tenant;
GRANT ALL ON tenants TO regress_singletable_tenant;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON tenants USING (tenant = 'mine') WITH CHECK (tenant = 'mine');
SET ROLE regress_singletable_tenant;
SELECT get_item('tenants', '{"pk": "a"}'), get_item('tenants', '{"pk": "b"}');
SELECT scan_items('tenants');
SELECT batch_get_items('{"tenants": {"Keys": [{"pk": "a"}, {"pk": "b"}]}}');
SELECT put_item('tenants', '{"pk": "c", "tenant": "mine"}', 'attribute_not_exists(pk)');
SELECT put_item('tenants', '{"pk": "d", "tenant": "yours"}', 'attribute_not_exists(pk)');
SELECT put_item('tenants', '{"pk": "b", "tenant": "mine"}');
SELECT delete_item('tenants', '{"pk": "b"}', return_values => 'ALL_OLD');
SELECT update_item('tenants', '{"pk": "a"}', 'SET tenant = :yours', attribute_values => '{":yours": "yours"}');
SELECT update_item('tenants', '{"pk": "a"}', 'SET x = :one', attribute_values => '{":one": 1}', return_values => 'ALL_NEW');
RESET ROLE;
SELECT full_item(s) FROM tenants s ORDER BY pk;

-- Cursors: held beyond the transaction, read backward, abandoned by an error.
BEGIN;
DECLARE held SCROLL CURSOR WITH HOLD FOR SELECT query_items('parted', 'pk = :p', '{":p": "p2"}', projection => 'sk');
FETCH 2 FROM held;
COMMIT;
FETCH 2 FROM held;
FETCH BACKWARD 3 FROM held;
CLOSE held;
BEGIN;
DECLARE scrolled SCROLL CURSOR FOR SELECT scan_items('tenants', projection => 'pk');
FETCH 2 FROM scrolled;
FETCH BACKWARD 1 FROM scrolled;
MOVE BACKWARD ALL IN scrolled;
FETCH ALL FROM scrolled;
COMMIT;
BEGIN;
SAVEPOINT s;
DECLARE lost CURSOR FOR SELECT scan_items('tenants', projection => 'pk');
FETCH 1 FROM lost;
ROLLBACK TO s;
FETCH 1 FROM lost;
ROLLBACK;
BEGIN;
DECLARE busy CURSOR FOR SELECT scan_items('tenants', projection => 'pk');
FETCH 1 FROM busy;
ALTER TABLE tenants ADD COLUMN more text COLLATE "C";
ROLLBACK;
-- Between two reads of one session the table changes.
PREPARE all_items AS SELECT scan_items('tenants');
EXECUTE all_items;
ALTER TABLE tenants ADD COLUMN x numeric;
SELECT update_item('tenants', '{"pk": "a"}', 'ADD x :one', attribute_values => '{":one": 1}');
EXECUTE all_items;
SELECT pk, x, item FROM tenants ORDER BY pk;

-- Reads in parallel workers.
SET force_parallel_mode = on;
SELECT get_item('watched', '{"pk": "s"}');
SELECT count(*) FROM scan_items('parted');
SELECT count(*) FROM query_items('parted', 'g = :g', '{":g": "g1"}', index => 'parted_g');
SELECT count(*) FROM batch_get_items('{"tenants": {"Keys": [{"pk": "a"}, {"pk": "b"}]}}');
RESET force_parallel_mode;

DROP TABLE parted, watched, log, tenants;
DROP FUNCTION log_change(), stamp(), refuse();
DROP ROLE regress_singletable_tenant;
