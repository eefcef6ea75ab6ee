-- session_capacity: what the session's operations have consumed; write_capacity_units: what a write costs.
\pset format unaligned
\pset null '(null)'
\set VERBOSITY terse

-- What a parallel worker reads is not counted.
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA tools;
SET search_path = tools, public;
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'by_status', 'status', 'day');
SELECT create_item_index('shop', 'by_total', 'pk', 'total', sort_key_type => 'N', local => true, projection => 'KEYS_ONLY');
SELECT create_item_table('other', 'id');
CREATE VIEW total AS SELECT * FROM session_capacity() ORDER BY tbl::text, index NULLS FIRST;

-- Off, nothing is counted; the total of a session that counts nothing has no rows.
SELECT put_item('shop', '{"pk": "a", "sk": "0"}');
SELECT * FROM total;
SELECT reset_session_capacity();
SET singletable.track_capacity = on;
SELECT * FROM total;

-- SQL functions: a put and its indexes; blind ones too; what a failed condition costs; deletes and updates.
SELECT put_item('shop', jsonb_build_object('pk', 'a', 'sk', '1', 'status', 'OPEN', 'day', '2026-06-01', 'total', 5, 'note', repeat('x', 3000))::item);
SELECT * FROM total;
SELECT put_item('shop', '{"pk": "a", "sk": "1", "total": 5}');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT put_item('shop', '{"pk": "a", "sk": "2"}', 'attribute_exists(pk)');
SELECT update_item('shop', '{"pk": "a", "sk": "1"}', 'SET #t = :x', 'nosuch = :x', '{":x": 1}', '{"#t": "total"}');
SELECT update_item('shop', '{"pk": "a", "sk": "1"}', 'SET #t = :x', NULL, '{":x": 6}', '{"#t": "total"}');
SELECT delete_item('shop', '{"pk": "a", "sk": "nosuch"}');
SELECT * FROM total;
-- A request that is refused costs nothing.
SELECT put_item('shop', '{"pk": "a"}');
SELECT update_item('shop', '{"pk": "a", "sk": "1"}', 'SET');
SELECT get_item('nosuch', '{"pk": "a"}');
SELECT * FROM total;
-- ROLLBACK takes nothing back, also of a savepoint.
SELECT reset_session_capacity();
BEGIN;
SELECT put_item('other', '{"id": "1"}');
SAVEPOINT s;
SELECT put_item('other', '{"id": "2"}');
ROLLBACK TO s;
ROLLBACK;
SELECT * FROM total;

-- Reads: present, absent, with a projection; a set that is given up early costs what was read of it.
SELECT reset_session_capacity();
SELECT count(put_item('shop', jsonb_build_object('pk', 'q', 'sk', lpad(n::text, 3, '0'), 'status', 'Q', 'day', n::text, 'total', n, 'note', repeat('y', 4000))::item, return_values => 'ALL_OLD')) FROM generate_series(1, 20) AS n;
SELECT reset_session_capacity();
SELECT get_item('shop', '{"pk": "q", "sk": "001"}', 'sk'), get_item('shop', '{"pk": "q", "sk": "nosuch"}');
SELECT count(*) FROM batch_get_items('{"shop": {"Keys": [{"pk": "q", "sk": "001"}, {"pk": "q", "sk": "002"}, {"pk": "q", "sk": "x"}], "ProjectionExpression": "sk"}}');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT count(*) FROM transact_get_items('[{"Get": {"TableName": "shop", "Key": {"pk": "q", "sk": "001"}}}, {"Get": {"TableName": "other", "Key": {"id": "x"}}}]');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT count(*) FROM query_items('shop', 'pk = :p', '{":p": "q"}', filter => 'attribute_not_exists(note)');
SELECT read_units = ceil((SELECT sum(item_size(full_item(s))) FROM shop s WHERE pk = 'q') / 4096.0) / 2 AS equal FROM total;
SELECT reset_session_capacity();
SELECT query_items('shop', 'pk = :p', '{":p": "q"}', projection => 'sk') LIMIT 2;
SELECT count(*) FROM query_items('shop', 'pk = :p', '{":p": "nobody"}');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT count(*) FROM query_items('shop', '#s = :s', '{":s": "Q"}', '{"#s": "status"}', 'by_status');
SELECT count(*) FROM query_items('shop', 'pk = :p AND #t > :t', '{":p": "q", ":t": 15}', '{"#t": "total"}', 'by_total', projection => 'note');
SELECT count(*) FROM scan_items('shop', index => 'by_total');
SELECT * FROM total;
-- The pages of a long read: each rounded alone.
SELECT reset_session_capacity();
SELECT count(put_item('other', jsonb_build_object('id', n::text, 'note', repeat('z', 100000))::item, return_values => 'ALL_OLD')) FROM generate_series(1, 25) AS n;
SELECT reset_session_capacity();
SELECT count(*) FROM scan_items('other');
SELECT read_units, (SELECT sum(ceil(bytes / 4096.0)) / 2 FROM (SELECT sum(size) AS bytes
	FROM (SELECT item_size(full_item(o)) AS size, (row_number() OVER (ORDER BY id) - 1) / 11 AS page FROM other o) AS y GROUP BY page) AS x) AS expected FROM total;

-- Batches and transactions.
SELECT reset_session_capacity();
SELECT batch_write_items('{"shop": [{"PutRequest": {"Item": {"pk": "b", "sk": "1", "total": 1}}}, {"DeleteRequest": {"Key": {"pk": "q", "sk": "001"}}}]}');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT transact_write_items('[{"Put": {"TableName": "shop", "Item": {"pk": "b", "sk": "2", "total": 1}}}, {"ConditionCheck": {"TableName": "shop", "Key": {"pk": "q", "sk": "002"}, "ConditionExpression": "attribute_exists(pk)"}},
	{"Delete": {"TableName": "other", "Key": {"id": "x"}}}]');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT transact_write_items('[{"Put": {"TableName": "shop", "Item": {"pk": "b", "sk": "3", "total": 1}}}, {"ConditionCheck": {"TableName": "shop", "Key": {"pk": "q", "sk": "002"}, "ConditionExpression": "attribute_not_exists(pk)"}}]');
SELECT * FROM total;
SELECT reset_session_capacity();
SELECT check_item('shop', '{"pk": "q", "sk": "002"}', 'attribute_exists(pk)');
SELECT * FROM total;

-- dynamodb(): the same as its own ConsumedCapacity, request by request; asking for that changes nothing.
CREATE FUNCTION compare(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	response jsonb;
	answered text;
	counted text;
BEGIN
	FOREACH detail IN ARRAY ARRAY['NONE', 'INDEXES'] LOOP
		BEGIN
			PERFORM reset_session_capacity();
			response := dynamodb(operation, (request || jsonb_build_object('ReturnConsumedCapacity', detail))::text)::jsonb;
			RAISE EXCEPTION USING ERRCODE = 'XX999';
		EXCEPTION WHEN SQLSTATE 'XX999' THEN
			counted := concat(counted, CASE WHEN detail = 'INDEXES' THEN ' = ' END, (SELECT string_agg(concat_ws(' ', tbl, index, nullif(read_units, 0) || 'r', nullif(write_units, 0) || 'w'), ', ') FROM total));
		END;
	END LOOP;
	SELECT string_agg(concat_ws(' ', c ->> 'TableName', a.index, (a.units::numeric + 0.0) || CASE WHEN operation ~ 'Get|Query|Scan' THEN 'r' ELSE 'w' END), ', ' ORDER BY c ->> 'TableName', a.index NULLS FIRST) INTO answered
	FROM jsonb_array_elements(CASE WHEN jsonb_typeof(response -> 'ConsumedCapacity') = 'array' THEN response -> 'ConsumedCapacity' ELSE jsonb_build_array(response -> 'ConsumedCapacity') END) AS c,
		LATERAL (SELECT NULL AS index, c -> 'Table' ->> 'CapacityUnits' AS units
			UNION ALL SELECT key, value ->> 'CapacityUnits' FROM jsonb_each(coalesce(c -> 'GlobalSecondaryIndexes', '{}') || coalesce(c -> 'LocalSecondaryIndexes', '{}'))) AS a
	WHERE a.units::numeric > 0;
	RETURN CASE WHEN counted = answered || ' = ' || answered THEN 'equal: ' || answered ELSE counted || ' differs from ' || answered END;
END $$;
SELECT compare(operation, request) FROM (VALUES
	(1, 'GetItem', '{"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "002"}}, "ProjectionExpression": "sk"}'::jsonb),
	(2, 'GetItem', '{"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "none"}}, "ConsistentRead": true}'),
	(3, 'PutItem', '{"TableName": "shop", "Item": {"pk": {"S": "q"}, "sk": {"S": "002"}, "status": {"S": "R"}, "day": {"S": "1"}}}'),
	(4, 'UpdateItem', '{"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "002"}}, "UpdateExpression": "REMOVE #s", "ExpressionAttributeNames": {"#s": "status"}}'),
	(5, 'DeleteItem', '{"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "002"}}}'),
	(6, 'Query', '{"TableName": "shop", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "q"}}, "ConsistentRead": true, "Limit": 7}'),
	(7, 'Query', '{"TableName": "shop", "IndexName": "by_total", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "q"}}, "Select": "ALL_ATTRIBUTES"}'),
	(8, 'Scan', '{"TableName": "shop", "IndexName": "by_status", "Select": "COUNT"}'),
	(9, 'Scan', '{"TableName": "other"}'),
	(10, 'BatchGetItem', '{"RequestItems": {"other": {"Keys": [{"id": {"S": "1"}}, {"id": {"S": "none"}}]}, "shop": {"Keys": [{"pk": {"S": "q"}, "sk": {"S": "002"}}], "ConsistentRead": true, "ProjectionExpression": "pk"}}}'),
	(11, 'BatchWriteItem', '{"RequestItems": {"other": [{"DeleteRequest": {"Key": {"id": {"S": "1"}}}}], "shop": [{"PutRequest": {"Item": {"pk": {"S": "q"}, "sk": {"S": "002"}}}}]}}'),
	(12, 'TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "002"}}}}, {"Get": {"TableName": "other", "Key": {"id": {"S": "1"}}, "ProjectionExpression": "id"}}]}'),
	(13, 'TransactWriteItems', '{"TransactItems": [{"Delete": {"TableName": "shop", "Key": {"pk": {"S": "q"}, "sk": {"S": "002"}}}}, {"ConditionCheck": {"TableName": "other", "Key": {"id": {"S": "1"}}, "ConditionExpression": "attribute_exists(id)"}}]}')
) AS x(n, operation, request) ORDER BY n;
-- A transaction that is sent twice is charged for reading the second time.
SELECT reset_session_capacity();
SELECT dynamodb('TransactWriteItems', jsonb_build_object('ClientRequestToken', token, 'TransactItems', '[{"Put": {"TableName": "other", "Item": {"id": {"S": "t"}}}}]'::jsonb)::text) FROM gen_random_uuid() AS token, generate_series(1, 2);
SELECT * FROM total;

-- Statements instead of the access methods count the same.
SET singletable.force_statements = on;
SELECT reset_session_capacity();
SELECT count(*) FROM query_items('shop', '#s = :s', '{":s": "Q"}', '{"#s": "status"}', 'by_status');
SELECT get_item('shop', '{"pk": "q", "sk": "003"}', 'sk');
SELECT * FROM total;
RESET singletable.force_statements;

-- The tools that only try are not counted, and leave the setting alone.
SELECT reset_session_capacity();
SELECT * FROM capacity_units('GetItem', '{"TableName": "other", "Key": {"id": {"S": "1"}}}');
SELECT items_read FROM check_access_patterns('other', '[{"name": "one", "key": {"id": "1"}}, {"name": "all"}]');
SELECT * FROM total;
SHOW singletable.track_capacity;
-- A table that is renamed keeps its units; one that is dropped is a number.
SELECT get_item('other', '{"id": "none"}');
ALTER TABLE other RENAME TO another;
SELECT * FROM total;
DROP TABLE another;
SELECT tbl::text ~ '^\d+$' AS is_number, read_units FROM total;
-- Without end: beyond 1,000 entries one row has the rest.
SELECT reset_session_capacity();
DO $$
BEGIN
	FOR n IN 1..1010 LOOP
		PERFORM create_item_table('many', 'id');
		PERFORM get_item('many', '{"id": "none"}');
		DROP TABLE many;
		COMMIT;
	END LOOP;
END $$;
SELECT tbl IS NULL AS rest, count(*), sum(read_units) AS read_units FROM total GROUP BY 1 ORDER BY 1;
SET singletable.track_capacity = off;
SELECT get_item('shop', '{"pk": "none", "sk": "x"}');
SELECT sum(read_units) FROM total;

-- A write, by what it leaves.
SELECT * FROM write_capacity_units('shop', NULL, '{"pk": "a", "sk": "1"}');
SELECT * FROM write_capacity_units('shop', '{"pk": "a", "sk": "1", "total": 1, "status": "OPEN", "day": "1"}', '{"pk": "a", "sk": "1", "total": 2, "status": "OPEN", "day": "1"}');
SELECT * FROM write_capacity_units('shop', '{"pk": "a", "sk": "1", "total": 1}', NULL);
SELECT * FROM write_capacity_units('shop', NULL, NULL);
SELECT * FROM write_capacity_units('pg_class', NULL, NULL);
SELECT * FROM write_capacity_units(NULL, NULL, NULL);

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA tools CASCADE;
