-- delete_item and check_item.
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

CREATE TABLE t (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
SELECT put_item('t', '{"pk": "a", "n": 1}'), put_item('t', '{"pk": "b", "n": 2}'), put_item('t', '{"pk": "c", "n": 3}');

SELECT delete_item('t', '{"pk": "a"}');
SELECT delete_item('t', '{"pk": "b"}', return_values => 'ALL_OLD');
-- Deleting nothing is no error.
SELECT delete_item('t', '{"pk": "a"}');
SELECT delete_item('t', '{"pk": "a"}', return_values => 'ALL_OLD');
SELECT pk FROM t ORDER BY pk;
-- Conditions see an item without attributes where there is none.
SELECT delete_item('t', '{"pk": "a"}', 'attribute_exists(pk)');
SELECT delete_item('t', '{"pk": "a"}', 'attribute_not_exists(pk)');
SELECT delete_item('t', '{"pk": "a"}', 'n <> :n', '{":n": 1}');
SELECT delete_item('t', '{"pk": "c"}', 'n < :n', '{":n": 3}');
SELECT delete_item('t', '{"pk": "c"}', '#n < :n', '{":n": 3}', '{"#n": "n"}', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT delete_item('t', '{"pk": "c"}', 'n = :n', '{":n": 3}', return_values => 'ALL_OLD');
SELECT count(*) FROM t;

-- check_item returns nothing and writes nothing.
SELECT put_item('t', '{"pk": "p", "n": 1}');
SELECT check_item('t', '{"pk": "p"}', 'n = :n', '{":n": 1}');
SELECT check_item('t', '{"pk": "p"}', '#n = :n', '{":n": 2}', '{"#n": "n"}');
SELECT check_item('t', '{"pk": "p"}', 'n = :n', '{":n": 2}', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT check_item('t', '{"pk": "absent"}', 'attribute_not_exists(pk)');
SELECT check_item('t', '{"pk": "absent"}', 'attribute_exists(pk)');
SELECT check_item('t', '{"pk": "absent"}', 'attribute_exists(pk)', return_values_on_condition_check_failure => 'ALL_OLD');
SELECT pk, item FROM t ORDER BY pk;

-- A parent is checked and its child is written, or neither.
BEGIN;
SELECT check_item('t', '{"pk": "p"}', 'attribute_exists(pk)');
SELECT put_item('t', '{"pk": "p/child"}');
COMMIT;
BEGIN;
SELECT put_item('t', '{"pk": "q/child"}');
SELECT check_item('t', '{"pk": "q"}', 'attribute_exists(pk)');
COMMIT;
-- What was kept absent can be written by the same transaction.
BEGIN;
SELECT check_item('t', '{"pk": "r"}', 'attribute_not_exists(pk)');
SELECT put_item('t', '{"pk": "r", "n": 1}', 'attribute_not_exists(pk)');
SELECT check_item('t', '{"pk": "r"}', 'n = :n', '{":n": 1}');
SELECT delete_item('t', '{"pk": "r"}', return_values => 'ALL_OLD');
SELECT check_item('t', '{"pk": "r"}', 'attribute_not_exists(pk)');
SELECT check_item('t', '{"pk": "r"}', 'attribute_not_exists(pk)');
COMMIT;
SELECT pk FROM t ORDER BY pk;

DROP TABLE t;
