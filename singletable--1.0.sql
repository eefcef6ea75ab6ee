/* singletable--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION singletable" to load this file. \quit

-- ==================================================================================================================
-- Layer 0, base: errors
-- ==================================================================================================================

/*
 * dynamodb_exceptions()
 * Returns     DynamoDB's exceptions: the SQLSTATE that the functions of this extension raise, the exception's name in the API,
 *             its HTTP status, and whether a client may send the same request again
 * Source      reference/errors, section 2
 */
CREATE FUNCTION dynamodb_exceptions(OUT sqlstate text, OUT exception text, OUT http_status integer, OUT retry boolean)
RETURNS SETOF record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_dynamodb_exceptions';
COMMENT ON FUNCTION dynamodb_exceptions() IS 'DynamoDB''s exceptions and the SQLSTATEs they are raised with';

-- ==================================================================================================================
-- Layer 1, item: the type, its casts, operators and operator classes
-- ==================================================================================================================

-- (end of layer 1)

-- ==================================================================================================================
-- Layer 2, expressions: item_matches, item_update, item_project
-- ==================================================================================================================

-- (end of layer 2)

-- ==================================================================================================================
-- Layer 3, indexes: key-prefix operators, access methods gsi and lsi
-- ==================================================================================================================

-- (end of layer 3)

-- ==================================================================================================================
-- Layer 4, tables: rows as items
-- ==================================================================================================================

-- (end of layer 4)

-- ==================================================================================================================
-- Layers 6 and 7, operations on tables: create, index, describe
-- ==================================================================================================================

-- (end of table operations)

-- ==================================================================================================================
-- Layers 6 and 7, operations on items: get, put, update, delete, check, query, scan, batches, transactions
-- ==================================================================================================================

-- (end of item operations)

-- ==================================================================================================================
-- Layer 7, the JSON API
-- ==================================================================================================================

/*
 * dynamodb(operation, request)
 * operation   name of the operation, case-sensitive: GetItem, PutItem, CreateTable, ...
 * request     body of the request, DynamoDB JSON
 * Returns     body of the response
 * Errors      class KV, see dynamodb_exceptions(): DynamoDB's message, further members of the exception as a JSON object in DETAIL
 * Source      reference/errors and the page of the operation
 */
CREATE FUNCTION dynamodb(operation text, request text)
RETURNS json LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_dynamodb';
COMMENT ON FUNCTION dynamodb(text, text) IS 'run one operation of the DynamoDB API';

CREATE FUNCTION dynamodb(operation text, request json)
RETURNS json LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_dynamodb';
COMMENT ON FUNCTION dynamodb(text, json) IS 'run one operation of the DynamoDB API';

-- (end of the data plane of the JSON API)

-- (end of the control plane of the JSON API)
