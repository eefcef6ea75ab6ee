-- Unique attributes by claim items, orders that may be sent twice, and a version attribute.
--
--	item	PK				SK
--	user	USER#123		METADATA
--	claim	EMAIL#a@x.org	EMAIL#a@x.org	owner
--
--	psql -f examples/11_unique.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS uniqueness CASCADE;
CREATE SCHEMA uniqueness;
SET search_path = uniqueness, public;

SELECT create_item_table('account', 'PK', 'SK');
CREATE FUNCTION pg_temp.attempt(actions json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail json;
BEGIN
	PERFORM transact_write_items(actions);
	RETURN 'done';
EXCEPTION WHEN SQLSTATE 'KV005' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN (SELECT string_agg(r ->> 'Code', ', ' ORDER BY n) FROM json_array_elements(detail -> 'CancellationReasons') WITH ORDINALITY AS x(r, n));
END $$;
CREATE FUNCTION pg_temp.sign_up(id text, email text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.attempt(json_build_array(
		json_build_object('Put', json_build_object('TableName', 'account', 'ConditionExpression', 'attribute_not_exists(PK)',
			'Item', json_build_object('PK', 'USER#' || id, 'SK', 'METADATA', 'email', email, 'version', 1))),
		json_build_object('Put', json_build_object('TableName', 'account', 'ConditionExpression', 'attribute_not_exists(PK)',
			'Item', json_build_object('PK', 'EMAIL#' || email, 'SK', 'EMAIL#' || email, 'owner', 'USER#' || id)))))
$$;
\echo '-- sign up; the address is taken; the user is'
SELECT pg_temp.sign_up('1', 'ann@x.org');
SELECT pg_temp.sign_up('2', 'ann@x.org');
SELECT pg_temp.sign_up('1', 'other@x.org');
\echo '-- change the address: the user, the old claim, the new claim'
SELECT pg_temp.attempt('[
	{"Update": {"TableName": "account", "Key": {"PK": "USER#1", "SK": "METADATA"}, "UpdateExpression": "SET email = :new ADD version :one", "ConditionExpression": "email = :old AND version = :v",
		"ExpressionAttributeValues": {":new": "ann@y.org", ":old": "ann@x.org", ":one": 1, ":v": 1}}},
	{"Delete": {"TableName": "account", "Key": {"PK": "EMAIL#ann@x.org", "SK": "EMAIL#ann@x.org"}, "ConditionExpression": "#o = :me", "ExpressionAttributeNames": {"#o": "owner"},
		"ExpressionAttributeValues": {":me": "USER#1"}}},
	{"Put": {"TableName": "account", "Item": {"PK": "EMAIL#ann@y.org", "SK": "EMAIL#ann@y.org", "owner": "USER#1"}, "ConditionExpression": "attribute_not_exists(PK)"}}]');
SELECT pg_temp.sign_up('2', 'ann@x.org');
SELECT i::jsonb FROM scan_items('account') AS i;
\echo '-- an order that is sent twice: the id of the request is an item of the same transaction'
SELECT pg_temp.attempt(actions) FROM (SELECT '[
	{"Put": {"TableName": "account", "Item": {"PK": "REQUEST#r-77", "SK": "REQUEST#r-77"}, "ConditionExpression": "attribute_not_exists(PK)"}},
	{"Update": {"TableName": "account", "Key": {"PK": "USER#1", "SK": "METADATA"}, "UpdateExpression": "ADD orders :one", "ExpressionAttributeValues": {":one": 1}}}]'::json AS actions) AS x, generate_series(1, 2);
SELECT get_item('account', '{"PK": "USER#1", "SK": "METADATA"}') -> 'orders' AS orders;
\echo '-- the same by a ClientRequestToken of the API: the second one succeeds and does nothing'
SELECT json_build_object('ClientRequestToken', gen_random_uuid(), 'TransactItems', '[{"Update": {"TableName": "account", "Key": {"PK": {"S": "USER#1"}, "SK": {"S": "METADATA"}},
	"UpdateExpression": "ADD orders :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}]'::json) AS request \gset
SELECT dynamodb('TransactWriteItems', :'request'::json);
SELECT dynamodb('TransactWriteItems', :'request'::json);
SELECT get_item('account', '{"PK": "USER#1", "SK": "METADATA"}') -> 'orders' AS orders;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('account', '[
	{"name": "user", "by": {"PK": "USER#1", "SK": "METADATA"}},
	{"name": "who has an address", "by": {"PK": "EMAIL#ann@y.org", "SK": "EMAIL#ann@y.org"}},
	{"name": "was a request seen", "key": {"PK": "REQUEST#r-77", "SK": "REQUEST#r-77"}, "consistent": true},
	{"name": "sign up", "transact": [
		{"Put": {"Item": {"PK": "USER#3", "SK": "METADATA", "email": "cy@x.org", "version": 1}, "ConditionExpression": "attribute_not_exists(PK)"}},
		{"Put": {"Item": {"PK": "EMAIL#cy@x.org", "SK": "EMAIL#cy@x.org", "owner": "USER#3"}, "ConditionExpression": "attribute_not_exists(PK)"}}]},
	{"name": "next version of a user", "key": {"PK": "USER#1", "SK": "METADATA"}, "update": "SET #n = :n ADD version :one", "condition": "version = :v", "attribute_names": {"#n": "name"},
		"attribute_values": {":n": "Ann", ":one": 1, ":v": 2}},
	{"name": "users by address, without claims", "filter": "email = :e", "attribute_values": {":e": "ann@y.org"}}]');
