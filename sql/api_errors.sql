-- Errors of the server behind the API: those that DynamoDB has a notion of are translated, the others pass.
-- An error shows as its exception, message and further members.
CREATE FUNCTION pg_temp.try(operation text, request text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text;
BEGIN
    RETURN dynamodb(operation, request);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(E'\n    ', coalesce((SELECT exception FROM dynamodb_exceptions() e WHERE e.sqlstate = state), state) || ': ' || message, nullif(detail, ''));
END $$;
\pset format unaligned
\pset tuples_only on

CREATE TABLE error_table (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE FUNCTION error_raise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.pk = 'table' THEN
        PERFORM FROM error_no_such_table;
    ELSIF NEW.pk ~ '^[0-9A-Z]{5}$' THEN
        RAISE EXCEPTION USING ERRCODE = NEW.pk, MESSAGE = 'raised by a trigger', HINT = 'a hint';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER error_trigger BEFORE INSERT ON error_table FOR EACH ROW EXECUTE FUNCTION error_raise();
ALTER TABLE error_table ADD CONSTRAINT error_check CHECK (pk <> 'bad');
INSERT INTO error_table VALUES ('a', '{"v": 1}');

-- serialization failure and deadlock are conflicts, an undefined table is none
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "40001"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "40P01"}}}');
SELECT pg_temp.try('BatchWriteItem', '{"RequestItems": {"error_table": [{"PutRequest": {"Item": {"pk": {"S": "40001"}}}}]}}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "error_table", "Item": {"pk": {"S": "40P01"}}}}]}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "table"}}}');
-- the rest passes as it is: constraints, data, cancelled statements, exceptions of class KV
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "bad"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "P0001"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "55P03"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "KV015"}}}');
BEGIN READ ONLY;
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "x"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "error_table", "Key": {"pk": {"S": "a"}}}');
ROLLBACK;

-- privileges: nothing, then reading, then all
CREATE ROLE error_role;
SET ROLE error_role;
SELECT pg_temp.try('GetItem', '{"TableName": "error_table", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('Query', '{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/error_table", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "error_table"}');
SELECT pg_temp.try('PutItem', '{"TableName": "error_table", "Item": {"pk": {"S": "b"}}}');
SELECT pg_temp.try('TransactWriteItems', '{"TransactItems": [{"Delete": {"TableName": "error_table", "Key": {"pk": {"S": "a"}}}}]}');
RESET ROLE;
GRANT SELECT ON error_table TO error_role;
SET ROLE error_role;
SELECT pg_temp.try('GetItem', '{"TableName": "error_table", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "error_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "REMOVE v"}');
SELECT pg_temp.try('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "error_table", "Key": {"pk": {"S": "a"}}}}]}');
RESET ROLE;
GRANT INSERT, UPDATE, DELETE ON error_table TO error_role;
SET ROLE error_role;
SELECT pg_temp.try('UpdateItem', '{"TableName": "error_table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "REMOVE v", "ReturnValues": "ALL_NEW"}');
RESET ROLE;

-- what is found: tables on the search path; no views, no indexes, nothing without an item
CREATE VIEW error_view AS SELECT * FROM error_table;
SELECT pg_temp.try('GetItem', '{"TableName": "error_view", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "error_table_pkey", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "public.error_table", "Key": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "ERROR_TABLE", "Key": {"pk": {"S": "a"}}}');
CREATE SCHEMA error_schema;
CREATE TABLE error_schema.hidden_table (LIKE error_table INCLUDING ALL);
INSERT INTO error_schema.hidden_table VALUES ('h');
SELECT pg_temp.try('GetItem', '{"TableName": "hidden_table", "Key": {"pk": {"S": "h"}}}');
SET search_path = public, error_schema;
SELECT pg_temp.try('GetItem', '{"TableName": "hidden_table", "Key": {"pk": {"S": "h"}}}');
SET ROLE error_role;
SELECT pg_temp.try('GetItem', '{"TableName": "hidden_table", "Key": {"pk": {"S": "h"}}}');
RESET ROLE;
RESET search_path;
-- names that need quotes
CREATE TABLE "My.Table-1" (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
SELECT pg_temp.try('PutItem', '{"TableName": "My.Table-1", "Item": {"pk": {"S": "a"}, "v": {"S": "''\""}}}');
SELECT pg_temp.try('GetItem', '{"TableName": "My.Table-1", "Key": {"pk": {"S": "a"}}, "ReturnConsumedCapacity": "TOTAL"}');

-- nothing of what failed is there
SELECT pk, item FROM error_table ORDER BY pk;
DROP SCHEMA error_schema CASCADE;
DROP VIEW error_view;
DROP TABLE error_table, "My.Table-1";
DROP FUNCTION error_raise;
DROP ROLE error_role;
