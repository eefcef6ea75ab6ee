-- Conditions of writes: create once, optimistic locking, state machines, budgets; what fails changes nothing.
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

CREATE TABLE t (pk text COLLATE "C", sk text COLLATE "C", g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));

-- Create once: only the item of the very same key counts.
SELECT put_item('t', '{"pk": "u", "sk": "1", "v": 1}', 'attribute_not_exists(pk)');
SELECT put_item('t', '{"pk": "u", "sk": "1", "v": 2}', 'attribute_not_exists(pk)');
SELECT put_item('t', '{"pk": "u", "sk": "2", "v": 2}', 'attribute_not_exists(pk)');
SELECT put_item('t', '{"pk": "u", "sk": "1", "v": 3}', 'attribute_exists(sk)', return_values => 'ALL_OLD');
SELECT put_item('t', '{"pk": "u", "sk": "3"}', 'attribute_exists(pk)');
-- The failed item, when it was asked for and there is one.
SELECT put_item('t', '{"pk": "u", "sk": "1"}', 'v = :v', '{":v": 0}', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT put_item('t', '{"pk": "u", "sk": "1"}', 'v = :v', '{":v": 0}', return_values_on_condition_check_failure => 'NONE');
SELECT put_item('t', '{"pk": "u", "sk": "3"}', 'v = :v', '{":v": 0}', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT update_item('t', '{"pk": "u", "sk": "1"}', 'SET w = :v', 'v = :v', '{":v": 0}', return_values_on_condition_check_failure => 'ALL_OLD');
-- It is ignored where the write succeeds or has no condition.
SELECT put_item('t', '{"pk": "u", "sk": "4"}', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT pk, sk, item FROM t ORDER BY pk, sk;

-- Conditions may name keys, promoted attributes and the rest.
SELECT put_item('t', '{"pk": "n", "sk": "1", "g": "G", "list": [1, {"a": "b"}], "set": {"SS": ["x"]}}');
SELECT update_item('t', '{"pk": "n", "sk": "1"}', 'SET ok = :two',
	'pk = :pk AND g = :G AND contains(#set, :x) AND size(#list) = :two AND #list[1].a = :b AND attribute_type(g, :s) AND size(pk) < :two',
	'{":pk": "n", ":G": "G", ":x": "x", ":two": 2, ":b": "b", ":s": "S"}', '{"#set": "set", "#list": "list"}', 'UPDATED_NEW');
-- A key of another type is no error in a condition, only false.
SELECT update_item('t', '{"pk": "n", "sk": "1"}', 'SET ok = :n', 'pk = :n', '{":n": 1}');
SELECT update_item('t', '{"pk": "n", "sk": "1"}', 'SET ok = :n', 'NOT pk = :n', '{":n": 1}');

-- Optimistic locking.
SELECT update_item('t', '{"pk": "doc", "sk": "1"}', 'SET body = :b, version = :one', 'attribute_not_exists(version)', '{":b": "one", ":one": 1}');
SELECT update_item('t', '{"pk": "doc", "sk": "1"}', 'SET body = :b ADD version :one', 'version = :read', '{":b": "two", ":one": 1, ":read": 1}', return_values => 'ALL_NEW');
SELECT update_item('t', '{"pk": "doc", "sk": "1"}', 'SET body = :b ADD version :one', 'version = :read', '{":b": "lost", ":one": 1, ":read": 1}',
	return_values_on_condition_check_failure => 'ALL_OLD');

-- A state machine; a budget that cannot be overdrawn.
SELECT put_item('t', '{"pk": "order", "sk": "1", "status": "OPEN", "stock": 5}');
SELECT update_item('t', '{"pk": "order", "sk": "1"}', 'SET #s = :next', '#s IN (:a, :b)', '{":next": "PAID", ":a": "OPEN", ":b": "HELD"}', '{"#s": "status"}', 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "order", "sk": "1"}', 'SET #s = :next', '#s IN (:a, :b)', '{":next": "PAID", ":a": "OPEN", ":b": "HELD"}', '{"#s": "status"}', 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "order", "sk": "1"}', 'SET stock = stock - :q', 'stock >= :q', '{":q": 3}', return_values => 'UPDATED_NEW');
SELECT update_item('t', '{"pk": "order", "sk": "1"}', 'SET stock = stock - :q', 'stock >= :q', '{":q": 3}', return_values => 'UPDATED_NEW');

-- A lease: taken, refused, renewed by its owner, taken over when it has expired.
CREATE FUNCTION pg_temp.take(who text, now int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM put_item('t', jsonb_build_object('pk', 'LOCK', 'sk', 'x', 'owner', who, 'expires', now + 10)::item,
		'attribute_not_exists(pk) OR expires < :now OR #o = :me', jsonb_build_object(':now', now, ':me', who)::item, '{"#o": "owner"}');
	RETURN 'taken by ' || who;
EXCEPTION WHEN SQLSTATE 'KV002' THEN
	RETURN 'refused to ' || who;
END $$;
SELECT pg_temp.take('a', 0);
SELECT pg_temp.take('b', 5);
SELECT pg_temp.take('a', 6);
SELECT pg_temp.take('b', 16);
SELECT pg_temp.take('b', 17);

-- In a transaction a failed condition ends it; nothing is kept.
BEGIN;
SELECT put_item('t', '{"pk": "tx", "sk": "1"}');
SELECT put_item('t', '{"pk": "tx", "sk": "2"}', 'attribute_exists(pk)');
SELECT put_item('t', '{"pk": "tx", "sk": "3"}');
COMMIT;
SELECT count(*) FROM t WHERE pk = 'tx';
-- Conditions on what the same transaction wrote.
BEGIN;
SELECT put_item('t', '{"pk": "tx", "sk": "1", "n": 1}', 'attribute_not_exists(pk)');
SELECT update_item('t', '{"pk": "tx", "sk": "1"}', 'ADD n :one', 'n = :one', '{":one": 1}');
SELECT delete_item('t', '{"pk": "tx", "sk": "1"}', 'n = :two', '{":two": 2}');
SELECT put_item('t', '{"pk": "tx", "sk": "1", "n": 9}', 'attribute_not_exists(pk)');
COMMIT;
SELECT item FROM t WHERE pk = 'tx';

DROP TABLE t;
