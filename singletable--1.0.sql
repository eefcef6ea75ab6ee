/* singletable--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION singletable" to load this file. \quit

/*
 * check_database_encoding()
 * Errors      0A000 the database's encoding is not UTF8 (nor SQL_ASCII); where the library is preloaded nothing else looks at it
 */
CREATE FUNCTION check_database_encoding()
RETURNS void LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_check_database_encoding';
COMMENT ON FUNCTION check_database_encoding() IS 'only for this script';
SELECT check_database_encoding();
DROP FUNCTION check_database_encoding();

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

CREATE TYPE item;

/*
 * item_in(text)
 * text        one JSON object, the attributes of the item.  A value that is an object with exactly one member named S, N, B, SS,
 *             NS, BS, M, L, BOOL or NULL is DynamoDB JSON and must be well-formed as such, inside M and L too; any other value is
 *             plain JSON: a string is S, a number N, a boolean BOOL, null NULL, an array L, an object M
 * Returns     the item
 * Errors      KV011 SerializationException: malformed JSON, or JSON of the wrong kind; KV001 ValidationException: numbers, sets,
 *             names or nesting that DynamoDB refuses, an item larger than singletable.max_item_size
 * Source      reference/data-model
 */
CREATE FUNCTION item_in(cstring)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_in(cstring) IS 'input of item: DynamoDB JSON or plain JSON';

/*
 * item_out(item)
 * Returns     the item as DynamoDB JSON, attributes in the order of their names' bytes; item_in reads it as the same item
 */
CREATE FUNCTION item_out(item)
RETURNS cstring LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_out(item) IS 'output of item: DynamoDB JSON';

/*
 * item_recv(bytes)
 * bytes       what item_send has sent
 * Returns     the item; every byte is verified
 * Errors      22P03 other bytes than an item's; KV001 ValidationException: larger than singletable.max_item_size
 */
CREATE FUNCTION item_recv(internal)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_recv(internal) IS 'binary input of item';

/*
 * item_send(item)
 * Returns     the bytes of the item as they are stored
 */
CREATE FUNCTION item_send(item)
RETURNS bytea LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_send(item) IS 'binary output of item';

CREATE TYPE item (
	INPUT = item_in,
	OUTPUT = item_out,
	RECEIVE = item_recv,
	SEND = item_send,
	INTERNALLENGTH = VARIABLE,
	STORAGE = extended
);
COMMENT ON TYPE item IS 'a map of typed attributes, as DynamoDB stores it';

/*
 * item_to_jsonb(item), item_to_json(item); the casts to jsonb and json
 * Returns     the item as plain JSON: S is a string, N a number, B a string in base64, sets and L are arrays, NULL is null
 * Errors      22P05 jsonb only: a string or name with U+0000
 */
CREATE FUNCTION item_to_jsonb(item)
RETURNS jsonb LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_to_jsonb(item) IS 'the item as plain JSON';
CREATE FUNCTION item_to_json(item)
RETURNS json LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_to_json(item) IS 'the item as plain JSON';

/*
 * item_from_jsonb(jsonb), item_from_json(json); the casts from jsonb and json
 * Returns     the item of plain JSON: unlike in the input of item, no object is taken for a typed value
 * Errors      KV011 SerializationException: no object; KV001 ValidationException: numbers, names, nesting or size that DynamoDB refuses
 */
CREATE FUNCTION item_from_jsonb(jsonb)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_from_jsonb(jsonb) IS 'the item of plain JSON';
CREATE FUNCTION item_from_json(json)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_from_json(json) IS 'the item of plain JSON';

-- From JSON nothing is lost, so a column of type item can be assigned it; to JSON the types are lost, so that must be asked for.
CREATE CAST (item AS jsonb) WITH FUNCTION item_to_jsonb(item);
CREATE CAST (item AS json) WITH FUNCTION item_to_json(item);
CREATE CAST (jsonb AS item) WITH FUNCTION item_from_jsonb(jsonb) AS ASSIGNMENT;
CREATE CAST (json AS item) WITH FUNCTION item_from_json(json) AS ASSIGNMENT;

/*
 * item_to_dynamodb_json(item)
 * Returns     the item as DynamoDB JSON, whatever it holds
 */
CREATE FUNCTION item_to_dynamodb_json(item)
RETURNS json LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_to_dynamodb_json(item) IS 'the item as DynamoDB JSON';

/*
 * item_from_dynamodb_json(json)
 * json        an object whose every value is a typed value; plain values are errors
 * Returns     the item
 * Errors      as item_in
 */
CREATE FUNCTION item_from_dynamodb_json(json)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_from_dynamodb_json(json) IS 'the item of DynamoDB JSON';

/*
 * item_attribute(item, attribute); item -> attribute
 * attribute   name of a top-level attribute
 * Returns     the attribute as plain JSON; NULL if the item has none
 * Errors      22P05 a string or name with U+0000
 */
CREATE FUNCTION item_attribute(item, attribute text)
RETURNS jsonb LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_attribute(item, text) IS 'item -> attribute: the attribute as plain JSON';

/*
 * item_attribute_text(item, attribute); item ->> attribute
 * attribute   name of a top-level attribute
 * Returns     the attribute as text: S without quotes, B in base64, of any other type its plain JSON; NULL if the item has none or
 *             it is of the type NULL
 * Errors      22P05 a string with U+0000
 */
CREATE FUNCTION item_attribute_text(item, attribute text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_attribute_text(item, text) IS 'item ->> attribute: the attribute as text';

/*
 * item_exists(item, attribute); item ? attribute
 * Returns     whether the item has the top-level attribute, of whatever type
 */
CREATE FUNCTION item_exists(item, attribute text)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_exists(item, text) IS 'item ? attribute: does the item have the attribute?';

/*
 * item_exists_any(item, attributes); item ?| attributes
 * Returns     whether the item has one of the top-level attributes at least; NULLs among them do not count
 */
CREATE FUNCTION item_exists_any(item, attributes text[])
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_exists_any(item, text[]) IS 'item ?| attributes: does the item have one of the attributes?';

/*
 * item_exists_all(item, attributes); item ?& attributes
 * Returns     whether the item has all of the top-level attributes; NULLs among them do not count
 */
CREATE FUNCTION item_exists_all(item, attributes text[])
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_exists_all(item, text[]) IS 'item ?& attributes: does the item have all of the attributes?';

/*
 * item_merge(item, item); item || item
 * Returns     an item with the top-level attributes of both; where both have one, the second's
 * Errors      KV001 ValidationException: the result is larger than singletable.max_item_size
 */
CREATE FUNCTION item_merge(item, item)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_merge(item, item) IS 'item || item: the attributes of both, the second''s win';

/*
 * item_remove(item, attribute); item - attribute
 * Returns     the item without this top-level attribute
 */
CREATE FUNCTION item_remove(item, attribute text)
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_remove(item, text) IS 'item - attribute: the item without the attribute';

/*
 * item_remove(item, attributes); item - attributes
 * Returns     the item without these top-level attributes; NULLs among them do not count
 */
CREATE FUNCTION item_remove(item, attributes text[])
RETURNS item LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'item_remove_array';
COMMENT ON FUNCTION item_remove(item, text[]) IS 'item - attributes: the item without the attributes';

/*
 * item_contains(item, item); item @> item
 * Returns     whether the first item has every attribute of the second, containing its value.  A value contains only values of its
 *             own type: a map contains a map whose every member it has, containing that member; a list contains a list of
 *             whose every element some element of it contains (order and repetition do not count, as in jsonb); a set
 *             contains its subsets; any other value contains its equal
 */
CREATE FUNCTION item_contains(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_contains(item, item) IS 'item @> item: does the first contain the second?';

/*
 * item_contained(item, item); item <@ item
 * Returns     whether the second item contains the first, see item_contains
 */
CREATE FUNCTION item_contained(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_contained(item, item) IS 'item <@ item: is the first contained in the second?';

CREATE OPERATOR -> (LEFTARG = item, RIGHTARG = text, FUNCTION = item_attribute);
CREATE OPERATOR ->> (LEFTARG = item, RIGHTARG = text, FUNCTION = item_attribute_text);
CREATE OPERATOR ? (LEFTARG = item, RIGHTARG = text, FUNCTION = item_exists, RESTRICT = matchingsel, JOIN = matchingjoinsel);
CREATE OPERATOR ?| (LEFTARG = item, RIGHTARG = text[], FUNCTION = item_exists_any, RESTRICT = matchingsel, JOIN = matchingjoinsel);
CREATE OPERATOR ?& (LEFTARG = item, RIGHTARG = text[], FUNCTION = item_exists_all, RESTRICT = matchingsel, JOIN = matchingjoinsel);
CREATE OPERATOR || (LEFTARG = item, RIGHTARG = item, FUNCTION = item_merge);
CREATE OPERATOR - (LEFTARG = item, RIGHTARG = text, FUNCTION = item_remove);
CREATE OPERATOR - (LEFTARG = item, RIGHTARG = text[], FUNCTION = item_remove);
CREATE OPERATOR @> (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_contains, COMMUTATOR = <@, RESTRICT = matchingsel, JOIN = matchingjoinsel
);
CREATE OPERATOR <@ (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_contained, COMMUTATOR = @>, RESTRICT = matchingsel, JOIN = matchingjoinsel
);
COMMENT ON OPERATOR -> (item, text) IS 'attribute as plain JSON';
COMMENT ON OPERATOR ->> (item, text) IS 'attribute as text';
COMMENT ON OPERATOR ? (item, text) IS 'does the item have the attribute?';
COMMENT ON OPERATOR ?| (item, text[]) IS 'does the item have one of the attributes?';
COMMENT ON OPERATOR ?& (item, text[]) IS 'does the item have all of the attributes?';
COMMENT ON OPERATOR || (item, item) IS 'attributes of both, the second''s win';
COMMENT ON OPERATOR - (item, text) IS 'without the attribute';
COMMENT ON OPERATOR - (item, text[]) IS 'without the attributes';
COMMENT ON OPERATOR @> (item, item) IS 'contains';
COMMENT ON OPERATOR <@ (item, item) IS 'is contained by';

/*
 * item_eq(item, item), item_ne(item, item), item_lt(item, item), item_le(item, item), item_gt(item, item), item_ge(item, item)
 * Returns     the comparison: = <> < <= > >=.  Equal are items with equal attributes, numbers by value, sets whatever the order of their members.
 *             The order is for sorting and has no meaning in DynamoDB: attribute by attribute, by name, then by type (NULL, BOOL, N,
 *             S, B, NS, SS, BS, L, M), then by value
 */
CREATE FUNCTION item_eq(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_eq(item, item) IS 'item = item';
CREATE FUNCTION item_ne(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_ne(item, item) IS 'item <> item';
CREATE FUNCTION item_lt(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_lt(item, item) IS 'item < item';
CREATE FUNCTION item_le(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_le(item, item) IS 'item <= item';
CREATE FUNCTION item_gt(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_gt(item, item) IS 'item > item';
CREATE FUNCTION item_ge(item, item)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_ge(item, item) IS 'item >= item';

/*
 * item_cmp(item, item)
 * Returns     less than, equal to or greater than 0, in the order above
 */
CREATE FUNCTION item_cmp(item, item)
RETURNS integer LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_cmp(item, item) IS 'order of items';

/*
 * item_hash(item), item_hash_extended(item, seed)
 * Returns     hash of an item, equal for equal items
 */
CREATE FUNCTION item_hash(item)
RETURNS integer LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_hash(item) IS 'hash of an item';
CREATE FUNCTION item_hash_extended(item, bigint)
RETURNS bigint LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_hash_extended(item, bigint) IS 'hash of an item with a seed';

CREATE OPERATOR = (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_eq, COMMUTATOR = =, NEGATOR = <>,
	RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
CREATE OPERATOR <> (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_ne, COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR < (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_lt, COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_le, COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR > (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_gt, COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR >= (
	LEFTARG = item, RIGHTARG = item, FUNCTION = item_ge, COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR = (item, item) IS 'equal';
COMMENT ON OPERATOR <> (item, item) IS 'not equal';
COMMENT ON OPERATOR < (item, item) IS 'less than';
COMMENT ON OPERATOR <= (item, item) IS 'less than or equal';
COMMENT ON OPERATOR > (item, item) IS 'greater than';
COMMENT ON OPERATOR >= (item, item) IS 'greater than or equal';

-- Equal items are equal bytes, so a btree may deduplicate them.
CREATE OPERATOR CLASS item_ops DEFAULT FOR TYPE item USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
	FUNCTION 1 item_cmp(item, item), FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS item_ops DEFAULT FOR TYPE item USING hash AS
	OPERATOR 1 =, FUNCTION 1 item_hash(item), FUNCTION 2 item_hash_extended(item, bigint);

/*
 * item_text(item, attribute)
 * attribute   name of a top-level attribute
 * Returns     its value; NULL if the item has none or it is of another type than S
 * Errors      22P05 a string with U+0000, which text cannot hold
 */
CREATE FUNCTION item_text(item, attribute text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_text(item, text) IS 'the value of an attribute of type S';

/*
 * item_numeric(item, attribute)
 * attribute   name of a top-level attribute
 * Returns     its value; NULL if the item has none or it is of another type than N
 */
CREATE FUNCTION item_numeric(item, attribute text)
RETURNS numeric LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_numeric(item, text) IS 'the value of an attribute of type N';

/*
 * item_bytea(item, attribute)
 * attribute   name of a top-level attribute
 * Returns     its value; NULL if the item has none or it is of another type than B
 */
CREATE FUNCTION item_bytea(item, attribute text)
RETURNS bytea LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_bytea(item, text) IS 'the value of an attribute of type B';

/*
 * item_boolean(item, attribute)
 * attribute   name of a top-level attribute
 * Returns     its value; NULL if the item has none or it is of another type than BOOL
 */
CREATE FUNCTION item_boolean(item, attribute text)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_boolean(item, text) IS 'the value of an attribute of type BOOL';

/*
 * item_type(item, attribute)
 * attribute   name of a top-level attribute
 * Returns     S, N, B, BOOL, NULL, M, L, SS, NS or BS; NULL if the item has no such attribute
 */
CREATE FUNCTION item_type(item, attribute text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_type(item, text) IS 'the type of an attribute';

/*
 * item_size(item)
 * Returns     the size of the item as DynamoDB counts it, bytes; the limit is singletable.max_item_size
 * Source      reference/data-model, section 11
 */
CREATE FUNCTION item_size(item)
RETURNS integer LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_size(item) IS 'the size of an item as DynamoDB counts it';

/*
 * item_attributes(item)
 * Returns     one row per top-level attribute, in the order of their names' bytes: its name, its type, its value as plain JSON
 * Errors      22P05 a string or name with U+0000
 */
CREATE FUNCTION item_attributes(item, OUT attribute text, OUT type text, OUT value jsonb)
RETURNS SETOF record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10 AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION item_attributes(item) IS 'the attributes of an item, one a row';

-- (end of layer 1)

-- ==================================================================================================================
-- Layer 2, expressions: item_matches, item_update, item_project
-- ==================================================================================================================

/*
 * item_matches(item, condition, attribute_values, attribute_names)
 * condition         a condition expression, such as 'price BETWEEN :low AND :high AND attribute_exists(#d)'
 * attribute_values  an item whose attributes are the :placeholders, such as '{":low": 5, ":high": 9}'
 * attribute_names   a JSON object of strings, such as '{"#d": "date"}'
 * Returns           whether the condition holds: never unknown, a missing attribute makes a comparison false; NULL if item or
 *                   condition is NULL
 * Errors            KV001 ValidationException: the expression, the placeholders, or a placeholder that is not used
 * Source            reference/expressions, sections 4 to 6
 */
CREATE FUNCTION item_matches(item item, condition text, attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL)
RETURNS boolean LANGUAGE C IMMUTABLE PARALLEL SAFE COST 2 AS 'MODULE_PATHNAME', 'singletable_item_matches';
COMMENT ON FUNCTION item_matches(item, text, item, jsonb) IS 'does a condition expression hold for an item?';

/*
 * item_update(item, update, attribute_values, attribute_names)
 * update            an update expression, such as 'SET price = price - :p REMOVE #d ADD views :one DELETE tags :t'
 * attribute_values  as for item_matches
 * attribute_names   as for item_matches
 * Returns           the new item; NULL if item or update is NULL
 * Errors            KV001 ValidationException: the expression or its placeholders; a path, an operand or a number of the update;
 *                   nesting or size of the new item
 * Source            reference/expressions, sections 8 and 9
 */
CREATE FUNCTION item_update(item item, update text, attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL)
RETURNS item LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5 AS 'MODULE_PATHNAME', 'singletable_item_update';
COMMENT ON FUNCTION item_update(item, text, item, jsonb) IS 'an item changed by an update expression';

/*
 * item_project(item, projection, attribute_names)
 * projection        a projection expression, such as 'name, prices[0], address.city'
 * attribute_names   as for item_matches
 * Returns           what is left of the item, maybe an empty item; NULL if item or projection is NULL
 * Errors            KV001 ValidationException: the expression or its placeholders
 * Source            reference/expressions, section 10
 */
CREATE FUNCTION item_project(item item, projection text, attribute_names jsonb DEFAULT NULL)
RETURNS item LANGUAGE C IMMUTABLE PARALLEL SAFE COST 3 AS 'MODULE_PATHNAME', 'singletable_item_project';
COMMENT ON FUNCTION item_project(item, text, jsonb) IS 'an item reduced by a projection expression';

-- (end of layer 2)

-- ==================================================================================================================
-- Layer 3, indexes: key-prefix operators, access methods gsi and lsi
-- ==================================================================================================================

/*
 * begins_with_support(request), for the planner
 * Returns     the index conditions that a call of begins_with stands for, or its selectivity, which is that of ^@
 */
CREATE FUNCTION begins_with_support(internal)
RETURNS internal LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_begins_with_support';
COMMENT ON FUNCTION begins_with_support(internal) IS 'planner support for begins_with';

/*
 * begins_with(key, prefix), for text and for bytea
 * Returns     whether the first bytes of key are those of prefix; every key begins with the empty prefix
 * Planner     an index condition, also where prefix is a parameter or a column of another table: key ^@ prefix on gsi and lsi,
 *             key >= prefix AND key < prefix_end(prefix) on a btree of text COLLATE "C" or of bytea, so on the primary key too
 * Source      reference/expressions, begins_with
 */
CREATE FUNCTION begins_with(key text, prefix text)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT begins_with_support
AS 'MODULE_PATHNAME', 'singletable_begins_with';
COMMENT ON FUNCTION begins_with(text, text) IS 'does key begin with prefix?';
CREATE FUNCTION begins_with(key bytea, prefix bytea)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT begins_with_support
AS 'MODULE_PATHNAME', 'singletable_begins_with';
COMMENT ON FUNCTION begins_with(bytea, bytea) IS 'does key begin with prefix?';

/*
 * prefix_end(prefix), for text and for bytea
 * Returns     the end of the range of keys that begin with prefix, that is the smallest value greater than all of them in the order
 *             of bytes: key >= prefix AND key < prefix_end(prefix) is begins_with(key, prefix).  Where there is none (prefix is empty,
 *             all U+10FFFF, or all 0xFF bytes) a value that is longer than, and greater than, every key that fits into an index.
 */
CREATE FUNCTION prefix_end(prefix text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_prefix_end_text';
COMMENT ON FUNCTION prefix_end(text) IS 'end of the range of keys that begin with prefix';
CREATE FUNCTION prefix_end(prefix bytea)
RETURNS bytea LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_prefix_end_bytea';
COMMENT ON FUNCTION prefix_end(bytea) IS 'end of the range of keys that begin with prefix';

/*
 * bytea_starts_with(key, prefix); key ^@ prefix
 * Returns     whether the left operand begins with the right one, as PostgreSQL's own ^@ does for text
 */
CREATE FUNCTION bytea_starts_with(bytea, bytea)
RETURNS boolean LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_begins_with';
COMMENT ON FUNCTION bytea_starts_with(bytea, bytea) IS 'implementation of ^@ operator';
CREATE OPERATOR ^@ (LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = bytea_starts_with,
	RESTRICT = prefixsel, JOIN = prefixjoinsel);
COMMENT ON OPERATOR ^@ (bytea, bytea) IS 'starts with';

/*
 * gsi_handler(internal) and lsi_handler(internal): access methods gsi and lsi
 * Returns     the routines of a btree that leaves out rows with NULL in a key column, and that searches by ^@
 * Options     of their indexes: name, partition_keys, sort_keys, projection ('ALL', 'KEYS_ONLY', 'INCLUDE'), non_key_attributes (JSON
 *             array), fillfactor, deduplicate_items
 */
CREATE FUNCTION gsi_handler(internal)
RETURNS index_am_handler LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_gsi_handler';
COMMENT ON FUNCTION gsi_handler(internal) IS 'handler of index access method gsi';
CREATE FUNCTION lsi_handler(internal)
RETURNS index_am_handler LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_lsi_handler';
COMMENT ON FUNCTION lsi_handler(internal) IS 'handler of index access method lsi';
CREATE ACCESS METHOD gsi TYPE INDEX HANDLER gsi_handler;
COMMENT ON ACCESS METHOD gsi IS 'global secondary index: sparse btree with key-prefix search';
CREATE ACCESS METHOD lsi TYPE INDEX HANDLER lsi_handler;
COMMENT ON ACCESS METHOD lsi IS 'local secondary index: sparse btree with key-prefix search, partitioned as its table';

CREATE OPERATOR CLASS text_ops DEFAULT FOR TYPE text USING gsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>, OPERATOR 6 pg_catalog.^@,
	FUNCTION 1 pg_catalog.bttextcmp(text, text),
	FUNCTION 2 (text, text) pg_catalog.bttextsortsupport(internal),
	FUNCTION 4 (text, text) pg_catalog.btvarstrequalimage(oid);
CREATE OPERATOR CLASS numeric_ops DEFAULT FOR TYPE numeric USING gsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>,
	FUNCTION 1 pg_catalog.numeric_cmp(numeric, numeric),
	FUNCTION 2 (numeric, numeric) pg_catalog.numeric_sortsupport(internal);
CREATE OPERATOR CLASS bytea_ops DEFAULT FOR TYPE bytea USING gsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>, OPERATOR 6 ^@,
	FUNCTION 1 pg_catalog.byteacmp(bytea, bytea),
	FUNCTION 2 (bytea, bytea) pg_catalog.bytea_sortsupport(internal),
	FUNCTION 4 (bytea, bytea) pg_catalog.btequalimage(oid);
CREATE OPERATOR CLASS text_ops DEFAULT FOR TYPE text USING lsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>, OPERATOR 6 pg_catalog.^@,
	FUNCTION 1 pg_catalog.bttextcmp(text, text),
	FUNCTION 2 (text, text) pg_catalog.bttextsortsupport(internal),
	FUNCTION 4 (text, text) pg_catalog.btvarstrequalimage(oid);
CREATE OPERATOR CLASS numeric_ops DEFAULT FOR TYPE numeric USING lsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>,
	FUNCTION 1 pg_catalog.numeric_cmp(numeric, numeric),
	FUNCTION 2 (numeric, numeric) pg_catalog.numeric_sortsupport(internal);
CREATE OPERATOR CLASS bytea_ops DEFAULT FOR TYPE bytea USING lsi AS
	OPERATOR 1 pg_catalog.<, OPERATOR 2 pg_catalog.<=, OPERATOR 3 pg_catalog.=, OPERATOR 4 pg_catalog.>=, OPERATOR 5 pg_catalog.>, OPERATOR 6 ^@,
	FUNCTION 1 pg_catalog.byteacmp(bytea, bytea),
	FUNCTION 2 (bytea, bytea) pg_catalog.bytea_sortsupport(internal),
	FUNCTION 4 (bytea, bytea) pg_catalog.btequalimage(oid);

/*
 * check_item_index(index)
 * Verifies    a gsi, lsi or btree index against its table, without blocking anybody: every row that belongs into the index has exactly
 *             one entry with the row's values, no other row has one, and the entries are in order.  If the extension amcheck
 *             is installed and the caller may execute its bt_index_check(), that function verifies the pages too.
 * Returns     one row: entries found, rows of the table (what a new snapshot sees of both), and whether amcheck was asked
 * Errors      XX002 index_corrupted with what is wrong in DETAIL; 42501 unless the caller owns the table; 42809 no such index
 */
CREATE FUNCTION check_item_index(index regclass, OUT index_tuples bigint, OUT table_rows bigint, OUT structure_checked boolean)
RETURNS record LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_check_item_index';
COMMENT ON FUNCTION check_item_index(regclass) IS 'verify an index against its table';

-- (end of layer 3)

-- ==================================================================================================================
-- Layer 4, tables: rows as items
-- ==================================================================================================================

/*
 * full_item(record)
 * record      a row of an item table, as in SELECT full_item(s) FROM shop s, or NEW and OLD in a trigger
 * Returns     the whole item: the attributes that have columns of their own, and those in the item column.  STABLE and not IMMUTABLE:
 *             the names of the attributes are the names of the columns, which ALTER TABLE changes
 * Errors      42804 the row is of no table's type (a subquery's or a join's own row); KV003 ResourceNotFoundException: the table is no
 *             item table; 22003 a numeric column holds NaN or an infinity
 * Source      design, section 2
 */
CREATE FUNCTION full_item(record) RETURNS item LANGUAGE C STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'singletable_full_item';
COMMENT ON FUNCTION full_item(record) IS 'the whole item of a row of an item table';

/*
 * item_key(tbl, item, index)
 * index       name of a secondary index; NULL for the table's own key
 * Returns     the key attributes of the item, as a start_key of query_items and scan_items has them: the table's, or those of the index
 *             and the table; NULL when the item is not in the index, because it lacks one of its key attributes or has it with
 *             another type
 * Errors      KV001 ValidationException: a key attribute of the table is missing, of a wrong type, empty or too long; no such index;
 *             KV003 ResourceNotFoundException: tbl is no item table
 * Source      reference/query-and-scan, section 7; reference/data-model, section 8
 */
CREATE FUNCTION item_key(tbl regclass, item item, index text DEFAULT NULL) RETURNS item LANGUAGE C STABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'singletable_item_key';
COMMENT ON FUNCTION item_key(regclass, item, text) IS 'the key attributes of an item in a table or in one of its indexes';

-- (end of layer 4)

-- ==================================================================================================================
-- Layers 6 and 7, operations on tables: create, index, describe
-- ==================================================================================================================
/*
 * create_item_table(name, partition_key, sort_key, partition_key_type, sort_key_type)
 * name           SQL name of the new table, as in CREATE TABLE: 'shop', 'app.shop', '"My Shop"' (folded to lower case unless quoted)
 * partition_key  attribute names, exactly as written, of 1 to 63 bytes; each becomes a column of the same name
 * sort_key       NULL: the table has none
 * ..._type       S (text COLLATE "C"), N (numeric) or B (bytea)
 * Returns        the new table: the key columns, a column of type item for all other attributes, a primary key
 * Errors         KV001 ValidationException: names and types; KV004 ResourceInUseException: there is a relation of that name
 * Source         reference/tables-and-indexes, section 2
 */
CREATE FUNCTION create_item_table(name text, partition_key text, sort_key text DEFAULT NULL, partition_key_type text DEFAULT 'S',
	sort_key_type text DEFAULT 'S')
RETURNS regclass LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_create_item_table';
COMMENT ON FUNCTION create_item_table(text, text, text, text, text) IS 'create a table of items';

/*
 * create_item_index(tbl, name, partition_key, sort_key, partition_key_type, sort_key_type, projection, non_key_attributes, local)
 * name                API name of the index: 3 to 255 of a-z A-Z 0-9 _ . -; the relation is called tbl_name
 * partition_key       attribute name or, in the second form, one to four names
 * sort_key            likewise, or NULL
 * ..._type            S, N or B; NULL: the type that the attribute has in the table, S for a new one
 * projection          ALL, KEYS_ONLY, or INCLUDE with non_key_attributes
 * local               a local index: its partition key is the table's
 * Returns             the new index.  Attributes that have no column yet get one, with what existing items have in them; items whose
 *                     value cannot be a key (another type, empty, too long) are not in the index.  All in one transaction, during
 *                     which the table is locked; on a large table in use rather add the columns, fill them in batches, and
 *                     CREATE INDEX CONCURRENTLY
 * Errors              KV001 ValidationException; KV003 ResourceNotFoundException: tbl is no item table; 42501 unless its owner calls
 * Source              reference/tables-and-indexes, sections 2, 5 and 8
 */
CREATE FUNCTION create_item_index(tbl regclass, name text, partition_key text, sort_key text DEFAULT NULL,
	partition_key_type text DEFAULT NULL, sort_key_type text DEFAULT NULL, projection text DEFAULT 'ALL',
	non_key_attributes text[] DEFAULT NULL, local boolean DEFAULT false)
RETURNS regclass LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_create_item_index';
COMMENT ON FUNCTION create_item_index(regclass, text, text, text, text, text, text, text[], boolean) IS 'create an index of a table of items';
CREATE FUNCTION create_item_index(tbl regclass, name text, partition_key text[], sort_key text[] DEFAULT NULL,
	partition_key_type text[] DEFAULT NULL, sort_key_type text[] DEFAULT NULL, projection text DEFAULT 'ALL',
	non_key_attributes text[] DEFAULT NULL, local boolean DEFAULT false)
RETURNS regclass LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_create_item_index_array';
COMMENT ON FUNCTION create_item_index(regclass, text, text[], text[], text[], text[], text, text[], boolean)
IS 'create an index of a table of items, on several key attributes';

/*
 * describe_item_table(tbl)
 * Returns     the table as DynamoDB's DescribeTable shows it: names, key schema, key attributes, indexes with projection and status;
 *             sizes in bytes and numbers of items are the server's estimates, as of the last VACUUM or ANALYZE
 * Errors      KV003 ResourceNotFoundException: tbl is no item table
 * Source      reference/tables-and-indexes, section 6
 */
CREATE FUNCTION describe_item_table(tbl regclass)
RETURNS jsonb LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_describe_item_table';
COMMENT ON FUNCTION describe_item_table(regclass) IS 'keys, indexes and sizes of a table of items';

-- (end of table operations)

-- ==================================================================================================================
-- Layers 6 and 7, operations on items: get, put, update, delete, check, query, scan, batches, transactions
-- ==================================================================================================================
--
-- Arguments that several of them have:
--   tbl               the item table
--   key               an item of exactly the key attributes of tbl
--   condition         condition expression that the stored item must fulfil (none: an item without attributes)
--   projection        projection expression; NULL for the whole item
--   attribute_values  item whose attributes are the :name values of the expressions
--   attribute_names   jsonb object of #name to attribute name
--   return_values     what a write returns: NONE (the default), ALL_OLD; update_item also UPDATED_OLD, ALL_NEW, UPDATED_NEW
--   return_values_on_condition_check_failure   ALL_OLD: the DETAIL of KV002 is {"Item": {...}}, the item that failed the condition
-- The placeholders, items and keys are checked in the order of reference/item-operations, section 3.

/*
 * get_item(tbl, key, projection, attribute_names)
 * Returns     the item, NULL if there is none; sees the snapshot of the calling statement
 * Errors      KV001 ValidationException; KV003 ResourceNotFoundException: tbl is no item table; 42501 no SELECT privilege
 * Source      reference/item-operations, "GetItem"
 */
CREATE FUNCTION get_item(tbl regclass, key item, projection text DEFAULT NULL, attribute_names jsonb DEFAULT NULL)
RETURNS item LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_get_item';
COMMENT ON FUNCTION get_item(regclass, item, text, jsonb) IS 'read one item by its key';

/*
 * put_item(tbl, item, condition, attribute_values, attribute_names, return_values, return_values_on_condition_check_failure)
 * item        the whole item, its key attributes among the others; it takes the place of one that is there
 * Returns     with ALL_OLD the old item, if there was one; else NULL
 * Errors      KV001; KV002 ConditionalCheckFailedException; KV003; KV006 TransactionConflictException: the row can be neither
 *             seen nor inserted; those of an INSERT or UPDATE
 * Source      reference/item-operations, "PutItem"
 */
CREATE FUNCTION put_item(tbl regclass, item item, condition text DEFAULT NULL, attribute_values item DEFAULT NULL,
						 attribute_names jsonb DEFAULT NULL, return_values text DEFAULT NULL,
						 return_values_on_condition_check_failure text DEFAULT NULL)
RETURNS item LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_put_item';
COMMENT ON FUNCTION put_item(regclass, item, text, item, jsonb, text, text) IS 'store an item, replacing one of the same key';

/*
 * update_item(tbl, key, update, condition, attribute_values, attribute_names, return_values,
 *             return_values_on_condition_check_failure)
 * update      update expression; NULL makes an item of the key alone if there is none
 * Returns     what return_values asks for; UPDATED_OLD and UPDATED_NEW are the paths of the update, nesting kept; else NULL
 * Errors      KV001; KV002; KV003; KV006; those of an INSERT or UPDATE
 * Source      reference/item-operations, "UpdateItem"; reference/expressions, sections 8 and 9
 */
CREATE FUNCTION update_item(tbl regclass, key item, update text DEFAULT NULL, condition text DEFAULT NULL,
							attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL,
							return_values text DEFAULT NULL, return_values_on_condition_check_failure text DEFAULT NULL)
RETURNS item LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_update_item';
COMMENT ON FUNCTION update_item(regclass, item, text, text, item, jsonb, text, text) IS 'change an item, or make it of its key';

/*
 * delete_item(tbl, key, condition, attribute_values, attribute_names, return_values, return_values_on_condition_check_failure)
 * Returns     with ALL_OLD the old item, if there was one; else NULL
 * Errors      KV001; KV002; KV003; those of a DELETE
 * Source      reference/item-operations, "DeleteItem"
 */
CREATE FUNCTION delete_item(tbl regclass, key item, condition text DEFAULT NULL, attribute_values item DEFAULT NULL,
							attribute_names jsonb DEFAULT NULL, return_values text DEFAULT NULL,
							return_values_on_condition_check_failure text DEFAULT NULL)
RETURNS item LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_delete_item';
COMMENT ON FUNCTION delete_item(regclass, item, text, item, jsonb, text, text) IS 'remove an item';

/*
 * check_item(tbl, key, condition, attribute_values, attribute_names, return_values_on_condition_check_failure)
 *
 * Locks the key until the transaction ends, also where there is no item, so that what the condition found stays true: DynamoDB's
 * ConditionCheck for a SQL transaction.
 * Returns     nothing
 * Errors      KV001; KV002: the condition does not hold; KV003; KV006; 42501 without SELECT and UPDATE privilege, for an absent key
 *             also INSERT and DELETE: its row is inserted and deleted again
 * Source      reference/batch-and-transactions, section 4
 */
CREATE FUNCTION check_item(tbl regclass, key item, condition text, attribute_values item DEFAULT NULL,
						   attribute_names jsonb DEFAULT NULL, return_values_on_condition_check_failure text DEFAULT NULL)
RETURNS void LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_check_item';
COMMENT ON FUNCTION check_item(regclass, item, text, item, jsonb, text) IS 'lock a key and check a condition on its item';

/*
 * query_items(tbl, key_condition, attribute_values, attribute_names, index, filter, projection, forward, max_items, start_key)
 * key_condition  key condition expression: the partition key equal to a value, and perhaps a condition on the sort key
 * index       name of a secondary index; NULL for the table
 * filter      filter expression over attributes that are no key of what is read
 * forward     false: in descending order of the sort key
 * max_items   number of items to return, after the filter; NULL for all
 * start_key   item of the key attributes of what is read and of the table: begins with the item after it
 * Returns     the items in the order of the sort key, one at a time: in the select list with LIMIT, or by a cursor, no more are read
 *             than are asked for; in FROM the server collects the whole set first, so say there how many with max_items
 * Errors      KV001; KV003; 42501 no SELECT privilege
 * Source      reference/query-and-scan
 */
CREATE FUNCTION query_items(tbl regclass, key_condition text, attribute_values item DEFAULT NULL,
							attribute_names jsonb DEFAULT NULL, index text DEFAULT NULL, filter text DEFAULT NULL,
							projection text DEFAULT NULL, forward boolean DEFAULT true, max_items bigint DEFAULT NULL,
							start_key item DEFAULT NULL)
RETURNS SETOF item LANGUAGE C STABLE PARALLEL SAFE ROWS 100 AS 'MODULE_PATHNAME', 'singletable_query_items';
COMMENT ON FUNCTION query_items(regclass, text, item, jsonb, text, text, text, boolean, bigint, item)
IS 'items of one partition key, in the order of the sort key';

/*
 * scan_items(tbl, filter, attribute_values, attribute_names, index, projection, segment, total_segments, max_items, start_key)
 * segment     one of total_segments parts of the table, from 0; the parts share no partition key and are the table together
 * (the others as in query_items)
 * Returns     the items of the table in the order of its key, or those of an index in the order of that
 * Errors      KV001; KV003; 42501 no SELECT privilege
 * Source      reference/query-and-scan
 */
CREATE FUNCTION scan_items(tbl regclass, filter text DEFAULT NULL, attribute_values item DEFAULT NULL,
						   attribute_names jsonb DEFAULT NULL, index text DEFAULT NULL, projection text DEFAULT NULL,
						   segment integer DEFAULT NULL, total_segments integer DEFAULT NULL, max_items bigint DEFAULT NULL,
						   start_key item DEFAULT NULL)
RETURNS SETOF item LANGUAGE C STABLE PARALLEL SAFE ROWS 1000 AS 'MODULE_PATHNAME', 'singletable_scan_items';
COMMENT ON FUNCTION scan_items(regclass, text, item, jsonb, text, text, integer, integer, bigint, item)
IS 'all items of a table or of an index';

/*
 * batch_get_items(request_items)
 * request_items  {table: {"Keys": [key, ...], "ProjectionExpression": text, "ExpressionAttributeNames": object}, ...}; keys in
 *             plain or typed form; a table is named as a relation in the search path, or as a SQL identifier
 * Returns     a row for each item that is there, in the order of the keys; all of one snapshot
 * Errors      KV001; KV003; KV011 SerializationException: a member is of the wrong kind; 42501 no SELECT privilege
 * Source      reference/batch-and-transactions, section 2
 */
CREATE FUNCTION batch_get_items(request_items json)
RETURNS TABLE (tbl regclass, item item) LANGUAGE C STABLE PARALLEL SAFE ROWS 100 AS 'MODULE_PATHNAME', 'singletable_batch_get_items';
COMMENT ON FUNCTION batch_get_items(json) IS 'read many items of any tables by their keys';

/*
 * batch_write_items(request_items)
 * request_items  {table: [{"PutRequest": {"Item": item}}, {"DeleteRequest": {"Key": key}}, ...], ...}, named and written as in
 *             batch_get_items
 * Returns     the number of writes; all of them are done, or none
 * Errors      KV001; KV003; KV011; those of INSERT, UPDATE and DELETE
 * Source      reference/batch-and-transactions, section 3
 */
CREATE FUNCTION batch_write_items(request_items json)
RETURNS bigint LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_batch_write_items';
COMMENT ON FUNCTION batch_write_items(json) IS 'put and delete many items of any tables';

/*
 * transact_get_items(transact_items)
 * transact_items  [{"Get": {"TableName": table, "Key": key, "ProjectionExpression": text, "ExpressionAttributeNames": object}}, ...]
 * Returns     a row for each Get, in order; NULL where there is no item, or the projection leaves nothing of it; all of one snapshot
 * Errors      KV001; KV003; KV005 TransactionCanceledException: a key does not fit; KV011; 42501 no SELECT privilege
 * Source      reference/batch-and-transactions, section 5
 */
CREATE FUNCTION transact_get_items(transact_items json)
RETURNS SETOF item LANGUAGE C STABLE PARALLEL SAFE ROWS 10 AS 'MODULE_PATHNAME', 'singletable_transact_get_items';
COMMENT ON FUNCTION transact_get_items(json) IS 'read many items of any tables as of one moment';

/*
 * transact_write_items(transact_items)
 * transact_items  list of {"Put": ...}, {"Update": ...}, {"Delete": ...} and {"ConditionCheck": ...}, with the members of the API
 * Returns     nothing; all actions are done, or none
 * Errors      KV001, KV003, KV011: the request as a whole; KV005 TransactionCanceledException: the DETAIL is
 *             {"CancellationReasons": [...]}, one for each action; 40001 in REPEATABLE READ and above
 * Source      reference/batch-and-transactions, section 4
 */
CREATE FUNCTION transact_write_items(transact_items json)
RETURNS void LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_transact_write_items';
COMMENT ON FUNCTION transact_write_items(json) IS 'write and check many items of any tables, all or nothing';

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

/*
 * dynamodb_request_token
 * The transactions of the last ten minutes that were sent with a ClientRequestToken: role and token, a digest of the transaction, when
 * it was carried out.  dynamodb() writes it as its owner; nobody else has a right to it, since a token is as good as a look into
 * another user's transactions.  It is no configuration table: a dump that is restored later has no use for tokens of another time.
 */
CREATE TABLE dynamodb_request_token (
    role     oid NOT NULL,
    token    text COLLATE "C" NOT NULL,
    digest   bytea NOT NULL,
    finished timestamptz NOT NULL,
    PRIMARY KEY (role, token)
);
CREATE INDEX dynamodb_request_token_finished ON dynamodb_request_token (finished);
REVOKE ALL ON dynamodb_request_token FROM PUBLIC;
COMMENT ON TABLE dynamodb_request_token IS 'transactions of the last ten minutes that have a ClientRequestToken';

-- (end of the data plane of the JSON API)

-- ------------------------------------------------------------------------------------------------------------------
-- Layer 7, JSON API: control plane
-- ------------------------------------------------------------------------------------------------------------------

/*
 * item_table_settings
 *
 * What the API says of a table and PostgreSQL has no place for.  A table made by SQL has no row until the API changes something
 * of it.  Everybody may read it, as the server's catalogs; only C code writes it, for the owner of the table that the row is about,
 * so no role is granted more.  pg_dump carries the rows of tables that exist: a dropped table's row would restore as an OID.
 */
CREATE TABLE item_table_settings (
	tbl regclass PRIMARY KEY,
	name text COLLATE "C",
	table_id uuid NOT NULL,
	created timestamptz,
	billing_mode text NOT NULL,
	on_demand_since timestamptz,
	throughput item,
	stream_view_type text,
	stream_created timestamptz,
	deletion_protection boolean NOT NULL,
	table_class text,
	table_class_changed timestamptz,
	encryption_key text,
	time_to_live_attribute text,
	time_to_live_changed timestamptz,
	tags item,
	indexes item
);
CREATE INDEX item_table_settings_name ON item_table_settings (name);
GRANT SELECT ON item_table_settings TO PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('item_table_settings',
	'WHERE EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = tbl)');

COMMENT ON TABLE item_table_settings IS 'what the JSON API stores of a table beside its relation; written by the API''s control plane';
COMMENT ON COLUMN item_table_settings.name IS 'name in the API where the relation has another one, else NULL';
COMMENT ON COLUMN item_table_settings.created IS 'CreationDateTime; NULL when not made by CreateTable';
COMMENT ON COLUMN item_table_settings.on_demand_since IS 'last change to PAY_PER_REQUEST';
COMMENT ON COLUMN item_table_settings.throughput IS 'units and the times of their last changes, in microseconds since 2000-01-01 UTC';
COMMENT ON COLUMN item_table_settings.stream_view_type IS 'NULL when no stream is enabled';
COMMENT ON COLUMN item_table_settings.stream_created IS 'when the last stream was enabled: its label';
COMMENT ON COLUMN item_table_settings.encryption_key IS 'SSESpecification, stored only; NULL without KMS';
COMMENT ON COLUMN item_table_settings.time_to_live_attribute IS 'the attribute that expire_items() looks at; NULL when time to live is off';
COMMENT ON COLUMN item_table_settings.tags IS 'key and value of each tag';
COMMENT ON COLUMN item_table_settings.indexes IS 'by API name: the position in listings, and throughput as of the table';

/*
 * expire_items(tbl, max_items)
 * tbl         table; NULL for every table whose time to live is on and which the caller may SELECT, UPDATE and DELETE
 * max_items   how many items to delete at most; NULL for all that have expired
 * Returns     how many items were deleted: those whose TTL attribute (UpdateTimeToLive) is a number of seconds since 1970 that is
 *             past, though not by more than five years.  Items that another transaction has locked are left for the next call
 * Errors      KV003 ResourceNotFoundException: tbl is no item table; 42501 privileges; 22023 max_items below 1
 * Source      reference/streams-and-ttl, section 10
 */
CREATE FUNCTION expire_items(tbl regclass DEFAULT NULL, max_items bigint DEFAULT NULL)
RETURNS bigint LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_expire_items';
COMMENT ON FUNCTION expire_items(regclass, bigint) IS 'delete the items whose time to live has passed';

-- (end of the control plane of the JSON API)

-- ==================================================================================================================
-- Layer 7, design tools: does a table serve its access patterns, what is in it, is it balanced, are its copies right
-- ==================================================================================================================
--
-- They are written in SQL and PL/pgSQL on the functions above, run as the caller, and depend on nobody's search_path; but what they
-- write is written in the caller's, for the triggers of the table.
-- Arguments that several of them have:
--   exact        read every item; false: of a table of more than twice sample_size items read some, and estimate
--   sample_size  about how many items to read then

/*
 * item_table_keys(tbl)
 * Returns     a row for the table (index is NULL), then one for each local and each global index: names of the key attributes in
 *             order (sort_key is empty where there is none), and what the index projects; non_key_attributes of INCLUDE
 * Errors      KV003 ResourceNotFoundException: tbl is no item table
 */
CREATE FUNCTION item_table_keys(tbl regclass, OUT index text, OUT local boolean, OUT partition_key text[], OUT sort_key text[],
	OUT projection text, OUT non_key_attributes text[])
RETURNS SETOF record LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5 SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	WITH description AS (SELECT describe_item_table(tbl) AS d),
	key_schema AS (
		SELECT 0 AS place, NULL AS name, NULL::boolean AS is_local, d -> 'KeySchema' AS attributes, NULL::jsonb AS projection FROM description
		UNION ALL
		SELECT 1, i ->> 'IndexName', true, i -> 'KeySchema', i -> 'Projection' FROM description, jsonb_array_elements(d -> 'LocalSecondaryIndexes') AS i
		UNION ALL
		SELECT 2, i ->> 'IndexName', false, i -> 'KeySchema', i -> 'Projection' FROM description, jsonb_array_elements(d -> 'GlobalSecondaryIndexes') AS i)
	SELECT s.name, s.is_local,
		ARRAY(SELECT a ->> 'AttributeName' FROM jsonb_array_elements(s.attributes) WITH ORDINALITY AS x(a, n) WHERE a ->> 'KeyType' = 'HASH' ORDER BY n),
		ARRAY(SELECT a ->> 'AttributeName' FROM jsonb_array_elements(s.attributes) WITH ORDINALITY AS x(a, n) WHERE a ->> 'KeyType' = 'RANGE' ORDER BY n),
		s.projection ->> 'ProjectionType',
		CASE WHEN s.projection ? 'NonKeyAttributes' THEN ARRAY(SELECT jsonb_array_elements_text(s.projection -> 'NonKeyAttributes')) END
	FROM key_schema s
	ORDER BY s.place, s.name COLLATE "C"
$$;
COMMENT ON FUNCTION item_table_keys(regclass) IS 'key attributes and projections of a table of items and its indexes';

/*
 * expression_values(attribute_values, expressions), expression_names(attribute_names, expressions)
 * Returns     those of the placeholders that occur in the expressions (NULLs among them do not count); NULL if none does.  An
 *             operation refuses placeholders that it does not use, and these tools divide one set among several operations
 */
CREATE FUNCTION expression_values(attribute_values item, VARIADIC expressions text[])
RETURNS item LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	SELECT CASE WHEN a.used < a.known THEN nullif(attribute_values - a.unused, '{}'::item) ELSE attribute_values END
	FROM (SELECT count(*) AS known, count(*) FILTER (WHERE u.used) AS used, array_agg(v.attribute) FILTER (WHERE NOT u.used) AS unused
		FROM item_attributes(attribute_values) AS v,
			LATERAL (SELECT EXISTS (SELECT FROM unnest(expressions) AS e, regexp_matches(e, ':[A-Za-z0-9_]+', 'g') AS m WHERE m[1] = v.attribute) AS used) AS u) AS a
$$;
COMMENT ON FUNCTION expression_values(item, text[]) IS 'the :values that expressions use';
CREATE FUNCTION expression_names(attribute_names jsonb, VARIADIC expressions text[])
RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	SELECT jsonb_object_agg(n.key, n.value)
	FROM jsonb_each(attribute_names) AS n
	WHERE EXISTS (SELECT FROM unnest(expressions) AS e, regexp_matches(e, '#[A-Za-z0-9_]+', 'g') AS m WHERE m[1] = n.key)
$$;
COMMENT ON FUNCTION expression_names(jsonb, text[]) IS 'the #names that expressions use';

/*
 * item_sample_percent(tbl, sample_size)
 * Returns     the part of the table to read for about sample_size items, for TABLESAMPLE SYSTEM; NULL for a small table, which is
 *             read whole.  From the server's statistics, or the size of a table that has none
 */
CREATE FUNCTION item_sample_percent(tbl regclass, sample_size integer)
RETURNS double precision LANGUAGE sql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	SELECT CASE WHEN e.items > 2.0 * sample_size THEN 100.0 * greatest(sample_size, 1) / e.items END
	FROM (SELECT sum(CASE WHEN c.reltuples >= 0 THEN c.reltuples ELSE 30 * pg_relation_size(c.oid) / current_setting('block_size')::integer END) AS items
		FROM pg_class c
		WHERE c.relkind = 'r' AND (c.oid = tbl OR c.oid IN (SELECT relid FROM pg_partition_tree(tbl)))) AS e
$$;
COMMENT ON FUNCTION item_sample_percent(regclass, integer) IS 'part of a table to read for a sample of its items';

/*
 * key_shape(key)
 * Returns     the shape of a key: words stay, what varies from item to item becomes *.  The parts between # : / | after the first are
 *             taken for values; the first one stays if it is a word, keeps its word if an id follows (racer-2 is racer-*), and
 *             is a value otherwise (numbers, dates, UUID, ULID, hexadecimal ids)
 * Example     CUSTOMER#42 is CUSTOMER#*, ORDER#2026-06-01#A1 is ORDER#*#*, PROFILE is PROFILE
 */
CREATE FUNCTION key_shape(key text)
RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	-- Without a search_path of its own, as that would keep it from being inlined; so every name is qualified.
	SELECT pg_catalog.concat(CASE
			WHEN p.head OPERATOR(pg_catalog.~) '^[A-Za-z_-]{0,30}$' THEN p.head
			WHEN p.head OPERATOR(pg_catalog.~) '^([0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|[0-9A-HJKMNP-TV-Z]{26}|[0-9A-Fa-f]{16,})$' THEN '*'
			ELSE pg_catalog.concat(COALESCE(substring(p.head FROM '^([A-Za-z_]{2,}[-_.]?|[A-Za-z][-_.])[^ ]*[0-9]'), substring(p.head FROM '^([A-Za-z])[0-9]+$')), '*')
		END, pg_catalog.regexp_replace(pg_catalog.substr(p.dated, pg_catalog.length(p.head) OPERATOR(pg_catalog.+) 1), '[^#:/|]+', '*', 'g'))
	FROM (SELECT d.dated, pg_catalog.split_part(pg_catalog.translate(d.dated, ':/|', '###'), '#', 1) AS head
		FROM (SELECT CASE WHEN pg_catalog.strpos(key, ':') OPERATOR(pg_catalog.=) 0 THEN key
			ELSE pg_catalog.regexp_replace(key, '\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?', '*', 'g') END AS dated) AS d) AS p
$$;
COMMENT ON FUNCTION key_shape(text) IS 'the shape of a key: CUSTOMER#42 is CUSTOMER#*';

/*
 * entity_map(tbl, exact, sample_size)
 * Returns     a row for each entity type, that is each pair of shapes (key_shape) of the table's key: number of items, their sizes in
 *             bytes as DynamoDB counts them, how many have each attribute with each type ({"total": {"N": 3}}), and how many are
 *             in each index.  A key attribute with more than 50 words as shapes holds values and not types: those become *.
 *             Keys of the types N and B are *.  Without exact, pages of a big table are read at random and the numbers scaled up: rare
 *             types may be missing
 * Errors      KV003 ResourceNotFoundException: tbl is no item table; 42501 no SELECT privilege
 */
CREATE FUNCTION entity_map(tbl regclass, exact boolean DEFAULT false, sample_size integer DEFAULT 5000)
RETURNS TABLE (partition_key text, sort_key text, items bigint, min_size integer, avg_size integer, max_size integer, attributes jsonb,
	indexes jsonb)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp SET jit = off AS $$
#variable_conflict use_column
DECLARE
	percent double precision := CASE WHEN NOT exact THEN item_sample_percent(tbl, sample_size) END;
	partition_name text;
	sort_name text;
BEGIN
	SELECT k.partition_key[1], k.sort_key[1] INTO STRICT partition_name, sort_name FROM item_table_keys(tbl) AS k WHERE k.index IS NULL;
	RETURN QUERY EXECUTE format($query$
		WITH source AS MATERIALIZED (
			SELECT full_item(r) AS i FROM %s AS r %s),
		shaped AS MATERIALIZED (
			SELECT i, item_size(i) AS size, coalesce(key_shape(item_text(i, $1)), '*') AS p,
				CASE WHEN $2 IS NOT NULL THEN coalesce(key_shape(item_text(i, $2)), '*') END AS s
			FROM source),
		words AS (
			SELECT count(DISTINCT p) FILTER (WHERE p !~ '[#:/|]') > 50 AS p_varies, count(DISTINCT s) FILTER (WHERE s !~ '[#:/|]') > 50 AS s_varies
			FROM shaped),
		entity AS MATERIALIZED (
			SELECT i, size, CASE WHEN p_varies AND p !~ '[#:/|]' THEN '*' ELSE p END AS p, CASE WHEN s_varies AND s !~ '[#:/|]' THEN '*' ELSE s END AS s
			FROM shaped, words),
		scale AS (
			SELECT CASE WHEN $3 IS NULL THEN 1 WHEN row_security_active($4::oid) THEN $5 ELSE $3 / nullif(count(*), 0) END AS factor FROM source),
		attribute AS (
			SELECT p, s, jsonb_object_agg(attribute, types) AS attributes
			FROM (SELECT p, s, attribute, jsonb_object_agg(type, round(n * factor)) AS types
				FROM scale, (SELECT p, s, a.attribute, a.type, count(*) AS n FROM entity, item_attributes(i) AS a GROUP BY 1, 2, 3, 4) AS counted
				GROUP BY 1, 2, 3) AS by_name
			GROUP BY 1, 2),
		entry AS (
			SELECT p, s, jsonb_object_agg(name, round(n * factor)) AS indexes
			FROM scale, (SELECT p, s, k.index AS name, count(*) AS n FROM entity, item_table_keys($4) AS k
				WHERE k.index IS NOT NULL AND item_key($4, i, k.index) IS NOT NULL GROUP BY 1, 2, 3) AS counted
			GROUP BY 1, 2)
		SELECT e.p, e.s, round(count(*) * min(factor))::bigint, min(size), round(avg(size))::integer, max(size), a.attributes, coalesce(x.indexes, '{}')
		FROM scale, entity AS e
			JOIN attribute AS a ON a.p = e.p AND a.s IS NOT DISTINCT FROM e.s
			LEFT JOIN entry AS x ON x.p = e.p AND x.s IS NOT DISTINCT FROM e.s
		GROUP BY e.p, e.s, a.attributes, x.indexes
		ORDER BY e.p COLLATE "C", e.s COLLATE "C"$query$,
		tbl, CASE WHEN percent IS NOT NULL THEN format('TABLESAMPLE SYSTEM (%s)', percent) END)
	USING partition_name, sort_name, 100.0 * sample_size / percent, tbl, 100.0 / percent;
END
$$;
COMMENT ON FUNCTION entity_map(regclass, boolean, integer) IS 'entity types of a table of items, by the shape of their keys';

/*
 * partition_report(tbl, index, exact, sample_size, hot_share, max_partitions)
 * index           name of a secondary index: the partitions of that, with what it projects
 * exact           measure every item; false: of a table of more than twice sample_size items count the entries of the primary key or
 *                 of index, by index-only scans, and estimate bytes
 * sample_size     about how many items to measure then
 * hot_share       part of the items or bytes, 0 to 1, that makes a partition a problem
 * max_partitions  rows to return, those with the most bytes; NULL: all
 * Returns     a row for each partition: its key, items, bytes as DynamoDB counts them, its share of all items, its items as a
 *             multiple of the mean of all partitions (skew), the read units of a Query of the whole partition (eventually
 *             consistent), and what is wrong with it, NULL if nothing: more than 10 GB, or at least hot_share of the items or
 *             bytes.  Items, share and skew are always true.  Estimated bytes are items times a mean size: that of some items from
 *             both ends of the partition for the partitions with the most items and for a hundred others, and the mean of
 *             these others for the rest.  So a partition of few but huge items may be missed: ask for exact
 * Errors      KV001 ValidationException: no such index; KV003 ResourceNotFoundException: tbl is no item table; 42501 no SELECT privilege
 */
CREATE FUNCTION partition_report(tbl regclass, index text DEFAULT NULL, exact boolean DEFAULT false, sample_size integer DEFAULT 5000,
	hot_share numeric DEFAULT 0.1, max_partitions integer DEFAULT 20)
RETURNS TABLE (partition_key item, items bigint, bytes bigint, share numeric, skew numeric, read_units numeric, problem text)
LANGUAGE plpgsql STABLE PARALLEL UNSAFE SET search_path = pg_catalog, @extschema@, pg_temp SET jit = off SET enable_seqscan = off
SET singletable.track_capacity = off AS $$
#variable_conflict use_column
DECLARE
	is_counted boolean := NOT coalesce(exact, false) AND item_sample_percent(tbl, sample_size) IS NOT NULL;
	measured integer := least(5 * coalesce(max_partitions, 200), 1000);
	own_key text[];
	keys record;
	part record;
	entry_names jsonb;
	counted text;
BEGIN
	SELECT k.partition_key || k.sort_key INTO own_key FROM item_table_keys(tbl) AS k WHERE k.index IS NULL;
	SELECT k.* INTO keys FROM item_table_keys(tbl) AS k WHERE k.index IS NOT DISTINCT FROM partition_report.index;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'KV001', MESSAGE = 'The table does not have the specified index: ' || partition_report.index;
	END IF;
	-- The columns of the partition key as k1, k2 and so on, as placeholders #k1 and :k1, and as an item.
	SELECT string_agg(format('r.%I AS k%s', x.a, x.n), ', ' ORDER BY x.n) AS columns, string_agg('k' || x.n, ', ' ORDER BY x.n) AS names,
		string_agg(format('%L, %s', x.a, x.typed), ', ' ORDER BY x.n) AS key, string_agg(format('%L, %s', ':k' || x.n, x.typed), ', ' ORDER BY x.n) AS vals,
		string_agg(format('#k%1$s = :k%1$s', x.n), ' AND ') AS condition, jsonb_object_agg('#k' || x.n, x.a) AS attribute_names,
		CASE WHEN partition_report.index IS NULL THEN 'true' ELSE (SELECT string_agg(format('r.%I IS NOT NULL', c), ' AND ') FROM unnest(keys.partition_key || keys.sort_key) AS c) END AS is_entry
	INTO part
	FROM (SELECT a.a, a.n, format(CASE c.atttypid WHEN 'text'::regtype THEN 'json_build_object(''S'', k%s)' WHEN 'numeric'::regtype THEN 'json_build_object(''N'', k%s::text)'
			ELSE 'json_build_object(''B'', translate(encode(k%s, ''base64''), E''\n'', ''''))' END, a.n) AS typed
		FROM unnest(keys.partition_key) WITH ORDINALITY AS a(a, n) JOIN pg_attribute AS c ON c.attrelid = tbl AND c.attname = a.a) AS x;

	IF is_counted THEN
		counted := format($query$
			WITH counted AS MATERIALIZED (
				SELECT %s, count(*) AS items, row_number() OVER () AS n FROM %s AS r WHERE %s GROUP BY %s),
			biggest AS MATERIALIZED (
				SELECT * FROM counted ORDER BY items DESC, n LIMIT $1),
			chosen AS (
				SELECT b.*, true AS is_big FROM biggest AS b
				UNION ALL
				SELECT c.*, false FROM counted AS c
				WHERE c.n %% (SELECT greatest(count(*) / 100, 1) FROM counted) = 0 AND NOT EXISTS (SELECT FROM biggest AS b WHERE b.n = c.n)),
			measured AS MATERIALIZED (
				SELECT c.n, c.items, c.is_big, (
					SELECT avg(item_size(q.i))
					FROM (SELECT query_items($2, $3, v.vals, $4, $5, max_items => $6) AS i
						UNION ALL
						SELECT query_items($2, $3, v.vals, $4, $5, forward => false, max_items => least($6, greatest(c.items - $6, 0)))) AS q) AS size
				FROM chosen AS c, LATERAL (SELECT json_build_object(%s)::text::item AS vals) AS v),
			other AS (
				SELECT coalesce(sum(size * items) FILTER (WHERE NOT is_big) / sum(items) FILTER (WHERE NOT is_big), sum(size * items) / sum(items)) AS size FROM measured)
			SELECT %s, c.items, round(c.items * coalesce(m.size, o.size)) AS bytes
			FROM counted AS c LEFT JOIN measured AS m ON m.n = c.n, other AS o$query$,
			part.columns, tbl, part.is_entry, part.names, part.vals, part.names);
	ELSE
		PERFORM set_config('enable_seqscan', 'on', true);
		IF keys.projection IN ('KEYS_ONLY', 'INCLUDE') THEN
			-- Attributes as #1, #2, ...: any name will do.
			SELECT jsonb_object_agg('#' || n, a) INTO entry_names
			FROM (SELECT a, row_number() OVER () AS n
				FROM (SELECT DISTINCT unnest(own_key || keys.partition_key || keys.sort_key || coalesce(keys.non_key_attributes, '{}')) AS a) AS d) AS x;
		END IF;
		counted := format($query$
			SELECT %s, count(*) AS items, sum(item_size(CASE WHEN $7 IS NULL THEN full_item(r) ELSE item_project(full_item(r), $8, $7) END))::numeric AS bytes
			FROM %s AS r WHERE %s GROUP BY %s$query$,
			part.columns, tbl, part.is_entry, part.names);
	END IF;
	RETURN QUERY EXECUTE format($query$
		WITH report AS (
			SELECT c.*, items / sum(items) OVER () AS share, bytes / nullif(sum(bytes) OVER (), 0) AS bytes_share, items / avg(items) OVER () AS skew FROM (%s) AS c)
		SELECT json_build_object(%s)::text::item, items, bytes::bigint, round(share, 4), round(skew, 2), round(ceil(bytes / 4096) / 2, 1),
			nullif(concat_ws('; ', CASE WHEN bytes > 10 * 1024 ^ 3 THEN 'more than 10 GB' END,
				CASE WHEN share >= $9 THEN format('%%s %%%% of all items under one key', round(100 * share))
					WHEN bytes_share >= $9 THEN format('%%s %%%% of all bytes under one key', round(100 * bytes_share)) END), '')
		FROM report
		ORDER BY bytes DESC, items DESC, %s
		LIMIT $10$query$, counted, part.key, part.names)
	USING measured, tbl, part.condition, part.attribute_names, partition_report.index, greatest(sample_size / (measured + 100) / 2, 1),
		entry_names, (SELECT string_agg(n, ', ') FROM jsonb_object_keys(entry_names) AS n), hot_share, max_partitions;
END
$$;
COMMENT ON FUNCTION partition_report(regclass, text, boolean, integer, numeric, integer) IS 'partitions of a table or index by size and share';

/*
 * shard_key(key, shards, by)
 * by          what the shard follows from, as the id of the item; gen_random_uuid()::text for a shard at random
 * Returns     key#n, n from 0 to shards - 1: the first four bytes of the SHA-256 of by (UTF-8), a number in network order, modulo shards
 * Errors      22023 shards is less than 1
 */
CREATE FUNCTION shard_key(key text, shards integer, by text)
RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
BEGIN
	IF shards < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'number of shards must be at least 1';
	END IF;
	RETURN key || '#' || ('x' || encode(substring(sha256(convert_to(by, 'UTF8')) FROM 1 FOR 4), 'hex'))::bit(32)::bigint % shards;
END
$$;
COMMENT ON FUNCTION shard_key(text, integer, text) IS 'a partition key divided into shards';

/*
 * query_sharded_items(tbl, key, shards, sort_condition, attribute_values, attribute_names, index, filter, projection, forward, max_items)
 * key             partition key without its shard; the partition key of what is read must be one attribute of type S
 * shards          as in shard_key
 * sort_condition  condition on the sort key; NULL: all items
 * (the others as in query_items)
 * Returns     the items of all shards in the order of the sort key; those with equal sort keys in the order of the shards.  A Query
 *             of each shard is run, of max_items at most
 * Errors      as query_items
 */
CREATE FUNCTION query_sharded_items(tbl regclass, key text, shards integer, sort_condition text DEFAULT NULL,
	attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL, index text DEFAULT NULL, filter text DEFAULT NULL,
	projection text DEFAULT NULL, forward boolean DEFAULT true, max_items bigint DEFAULT NULL)
RETURNS SETOF item LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	keys record;
	direction text := CASE WHEN forward THEN 'ASC' ELSE 'DESC' END;
	sort_order text;
BEGIN
	SELECT k.* INTO keys FROM item_table_keys(tbl) AS k WHERE k.index IS NOT DISTINCT FROM query_sharded_items.index;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'KV001', MESSAGE = 'The table does not have the specified index: ' || query_sharded_items.index;
	END IF;
	-- A sort key has one of three types, all items of the index the same.
	SELECT coalesce(string_agg(format('item_numeric(q.i, %1$L) %2$s, item_text(q.i, %1$L) COLLATE "C" %2$s, item_bytea(q.i, %1$L) %2$s, ', a, direction), '' ORDER BY n), '')
	INTO sort_order FROM unnest(keys.sort_key) WITH ORDINALITY AS x(a, n);
	RETURN QUERY EXECUTE format($query$
		SELECT CASE WHEN $1 IS NULL THEN q.i ELSE item_project(q.i, $1, $2) END
		FROM generate_series(0, $3 - 1) AS shard,
			LATERAL query_items($4, $5, $6 || jsonb_build_object(':singletable_shard', $7 || '#' || shard)::item, $8, $9, $10, NULL, $11, $12) WITH ORDINALITY AS q(i, n)
		ORDER BY %s shard, q.n
		LIMIT $12$query$, sort_order)
	USING projection, expression_names(attribute_names, projection), shards, tbl,
		concat_ws(' AND ', '#singletable_shard = :singletable_shard', sort_condition),
		coalesce(expression_values(attribute_values, sort_condition, filter), '{}'::item), key,
		coalesce(expression_names(attribute_names, sort_condition, filter), '{}') || jsonb_build_object('#singletable_shard', keys.partition_key[1]),
		query_sharded_items.index, filter, forward, max_items;
END
$$;
COMMENT ON FUNCTION query_sharded_items(regclass, text, integer, text, item, jsonb, text, text, text, boolean, bigint)
IS 'items of all shards of a partition key, in the order of the sort key';

/*
 * fan_out_update(tbl, key_condition, update, condition, attribute_values, attribute_names, index, max_items, start_key)
 * key_condition   key condition that finds the copies, in the table or in index
 * update          update expression for each
 * condition       the guard, which each item must still fulfil when it is updated: 'authorName = :old'; required, since it makes
 *                 the call safe to repeat and keeps it from overwriting what is newer
 * attribute_values, attribute_names  placeholders of all of them
 * max_items       copies to look at in this call; NULL for all
 * start_key       where to begin, the next_key of the call before
 * Returns     copies updated, copies skipped because of the guard or because they are gone by now, and where the next call begins:
 *             NULL when there are no more.  Each item is locked, so that the guard sees its latest version; one with a false guard is
 *             not touched.  Call it again with the same arguments after an error, or until nothing is updated.  In session_capacity()
 *             the lock and the look at each item count too
 * Errors      KV001; KV003; those of an UPDATE; 22004 without condition; 40001 in REPEATABLE READ and above
 * Source      reference/modelling, section 5
 */
CREATE FUNCTION fan_out_update(tbl regclass, key_condition text, update text, condition text, attribute_values item DEFAULT NULL,
	attribute_names jsonb DEFAULT NULL, index text DEFAULT NULL, max_items bigint DEFAULT NULL, start_key item DEFAULT NULL,
	OUT updated bigint, OUT skipped bigint, OUT next_key item)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $$
#variable_conflict use_variable
DECLARE
	-- Without a search_path of its own, as triggers of the table mean names as the caller does; so every name is qualified.
	copy @extschema@.item;
	key @extschema@.item;
	last @extschema@.item;
	latest @extschema@.item;
	lock_names pg_catalog.jsonb;
	values_of_condition @extschema@.item := @extschema@.expression_values(attribute_values, condition);
	names_of_condition pg_catalog.jsonb := @extschema@.expression_names(attribute_names, condition);
	values_of_update @extschema@.item := @extschema@.expression_values(attribute_values, update, condition);
	names_of_update pg_catalog.jsonb := @extschema@.expression_names(attribute_names, update, condition);
BEGIN
	IF condition IS NULL OR update IS NULL OR key_condition IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'key condition, update and condition must not be null';
	END IF;
	SELECT pg_catalog.jsonb_build_object('#k', k.partition_key[1]) INTO lock_names FROM @extschema@.item_table_keys(tbl) AS k WHERE k.index IS NULL;
	updated := 0;
	skipped := 0;
	FOR copy IN
		SELECT @extschema@.query_items(tbl, key_condition, @extschema@.expression_values(attribute_values, key_condition),
			@extschema@.expression_names(attribute_names, key_condition), fan_out_update.index, max_items => max_items, start_key => start_key)
	LOOP
		last := copy;
		key := @extschema@.item_key(tbl, copy);
		-- Locks it whether it is there or not; then a new snapshot sees the version that is locked.
		PERFORM @extschema@.check_item(tbl, key, 'attribute_exists(#k) OR attribute_not_exists(#k)', attribute_names => lock_names);
		latest := @extschema@.get_item(tbl, key);
		IF latest IS NOT NULL AND @extschema@.item_matches(latest, condition, values_of_condition, names_of_condition) THEN
			PERFORM @extschema@.update_item(tbl, key, update, condition, values_of_update, names_of_update);
			updated := updated OPERATOR(pg_catalog.+) 1;
		ELSE
			skipped := skipped OPERATOR(pg_catalog.+) 1;
		END IF;
	END LOOP;
	IF max_items OPERATOR(pg_catalog.>) 0 AND updated OPERATOR(pg_catalog.+) skipped OPERATOR(pg_catalog.=) max_items THEN
		next_key := @extschema@.item_key(tbl, last, fan_out_update.index);
	END IF;
END
$$;
COMMENT ON FUNCTION fan_out_update(regclass, text, text, text, item, jsonb, text, bigint, item) IS 'guarded update of all copies of a value';

/*
 * drift_report(tbl, source_key, source_attribute, copy_attribute, key_condition, attribute_values, attribute_names, index, source_condition,
 *		source_index, source_values)
 * source_key        key of the item that has the canonical value; NULL: there are many, those that source_condition finds
 * source_attribute  name of its attribute, top-level, as it is (not a placeholder)
 * copy_attribute    name of the attribute in the copies; NULL: the same
 * key_condition     finds the copies of a source, in the table or in index
 * attribute_values, attribute_names  placeholders of both conditions
 * source_condition  key condition that finds the sources, in the table or in source_index
 * source_values     placeholders of key_condition that differ from source to source: {":a": "PK"} gives :a the value that the
 *                   source's attribute PK has.  An item without such an attribute is no source and is passed over
 * Returns     the copies whose value is another, by value or by type, or missing: keys and values of both (plain JSON, NULL where
 *             there is none).  Without the source all of its copies are orphans and are returned
 * Errors      KV001; KV003; 22023 neither or both of source_key and source_condition; 42501 no SELECT privilege
 * Source      reference/modelling, section 5
 */
CREATE FUNCTION drift_report(tbl regclass, source_key item, source_attribute text, copy_attribute text, key_condition text,
	attribute_values item DEFAULT NULL, attribute_names jsonb DEFAULT NULL, index text DEFAULT NULL, source_condition text DEFAULT NULL,
	source_index text DEFAULT NULL, source_values jsonb DEFAULT NULL)
RETURNS TABLE (source item, source_value jsonb, copy item, copy_value jsonb)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	source_item item;
	known item;
	copy_item item;
	copy_name text := coalesce(copy_attribute, source_attribute);
	copy_values item := attribute_values;
	copy_names jsonb := attribute_names;
BEGIN
	IF (source_key IS NULL) = (source_condition IS NULL) THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'either source_key or source_condition must be given';
	END IF;
	IF source_condition IS NOT NULL THEN
		copy_values := expression_values(attribute_values, key_condition);
		copy_names := expression_names(attribute_names, key_condition);
	END IF;
	FOR source IN
		SELECT source_key WHERE source_key IS NOT NULL
		UNION ALL
		SELECT item_key(tbl, q) FROM query_items(tbl, source_condition, expression_values(attribute_values, source_condition), expression_names(attribute_names, source_condition), source_index) AS q
		WHERE source_condition IS NOT NULL
	LOOP
		source_item := get_item(tbl, source);
		source_value := source_item -> source_attribute;
		-- An orphan's source has at least its key.
		known := coalesce(source_item, source);
		CONTINUE WHEN EXISTS (SELECT FROM jsonb_each_text(source_values) AS v WHERE NOT known ? v.value);
		FOR copy IN
			SELECT item_key(tbl, q)
			FROM query_items(tbl, key_condition, nullif(coalesce(copy_values, '{}'::item)
				|| coalesce((SELECT json_object_agg(v.key, item_to_dynamodb_json(known) -> v.value)::text::item FROM jsonb_each_text(source_values) AS v), '{}'::item), '{}'::item),
				copy_names, drift_report.index) AS q
		LOOP
			-- The whole item, as an index may not have the attribute.
			copy_item := get_item(tbl, copy);
			copy_value := copy_item -> copy_name;
			IF copy <> source AND (copy_value IS DISTINCT FROM source_value
					OR item_type(copy_item, copy_name) IS DISTINCT FROM item_type(source_item, source_attribute) OR source_value IS NULL) THEN
				RETURN NEXT;
			END IF;
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON FUNCTION drift_report(regclass, item, text, text, text, item, jsonb, text, text, text, jsonb)
IS 'copies whose value differs from their sources';

/*
 * access_pattern_rows(tbl, patterns, max_read, caller_path)
 * caller_path  search_path in which table names of transactions are meant
 * Returns      as check_access_patterns, which is below
 */
CREATE FUNCTION access_pattern_rows(tbl regclass, patterns json, max_read integer, caller_path text)
RETURNS TABLE (name text, operation text, index text, key_condition text, items_read bigint, items_returned bigint, filter_efficiency numeric,
	capacity_units numeric, verdict text, reason text, hint text)
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE SET singletable.track_capacity = off SET search_path = pg_catalog, @extschema@, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	pattern json;
	problem text;
	own record;
	candidate record;
	keys record;
	key item;
	filter text;
	projection text;
	names jsonb;
	vals item;
	current_item item;
	stored item;
	forward boolean;
	consistent boolean;
	max_items bigint;
	bytes bigint;
	fetched bigint;
	estimate bigint;
	average numeric;
	reads_whole boolean;
	shown text;
	order_by text;
	served text;
BEGIN
	IF json_typeof(patterns) <> 'array' THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'access patterns must be a list of objects';
	END IF;
	SELECT k.* INTO STRICT own FROM item_table_keys(tbl) AS k WHERE k.index IS NULL;
	FOR pattern IN SELECT p FROM json_array_elements(patterns) WITH ORDINALITY AS x(p, n) ORDER BY n LOOP
		IF json_typeof(pattern) <> 'object' THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'access patterns must be a list of objects';
		END IF;
		-- A member that is null is none.
		SELECT coalesce(json_object_agg(m.key, m.value), '{}') INTO pattern FROM json_each(pattern) AS m WHERE json_typeof(m.value) <> 'null' AND (m.key <> 'by' OR m.value::text !~ '^\{\s*\}$');
		SELECT coalesce(min('has an unknown member "' || m.key || '"') FILTER (WHERE f.type IS NULL),
			min('has a member "' || m.key || '" that is no ' || f.type) FILTER (WHERE json_typeof(m.value) <> f.type),
			CASE WHEN count(*) FILTER (WHERE f.is_form) > 1 AND NOT (count(*) FILTER (WHERE f.is_form) = 2 AND bool_or(m.key = 'key') AND bool_or(m.key = 'update'))
				THEN 'has more than one of ' || string_agg(m.key, ', ' ORDER BY m.key COLLATE "C") FILTER (WHERE f.is_form) END)
		INTO problem
		FROM json_each(pattern) AS m LEFT JOIN (VALUES ('key', 'object', true), ('keys', 'array', true), ('key_condition', 'string', true), ('by', 'object', true), ('put', 'object', true),
			('update', 'string', true), ('delete', 'object', true), ('transact', 'array', true), ('order_by', 'string', false), ('filter', 'string', false), ('index', 'string', false), ('projection', 'string', false),
			('condition', 'string', false), ('attribute_values', 'object', false), ('attribute_names', 'object', false), ('forward', 'boolean', false), ('consistent', 'boolean', false), ('max_items', 'number', false)) AS f(key, type, is_form)
			ON f.key = m.key
		WHERE m.key <> 'name';
		IF problem IS NOT NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('access pattern "%s" %s', pattern ->> 'name', problem);
		END IF;
		name := pattern ->> 'name';
		index := pattern ->> 'index';
		key_condition := pattern ->> 'key_condition';
		key := coalesce(pattern -> 'key', pattern -> 'delete')::text::item;
		order_by := pattern ->> 'order_by';
		filter := pattern ->> 'filter';
		projection := pattern ->> 'projection';
		names := (pattern -> 'attribute_names')::jsonb;
		vals := (pattern -> 'attribute_values')::text::item;
		forward := coalesce((pattern ->> 'forward')::boolean, true);
		consistent := coalesce((pattern ->> 'consistent')::boolean, false);
		max_items := (pattern ->> 'max_items')::bigint;
		items_read := 0;
		items_returned := 0;
		capacity_units := NULL;
		filter_efficiency := NULL;
		hint := NULL;
		reason := NULL;
		bytes := 0;
		fetched := 0;
		shown := NULL;
		verdict := 'ok';
		operation := CASE WHEN pattern -> 'put' IS NOT NULL THEN 'PutItem' WHEN pattern -> 'update' IS NOT NULL THEN 'UpdateItem' WHEN pattern -> 'delete' IS NOT NULL THEN 'DeleteItem'
			WHEN pattern -> 'transact' IS NOT NULL THEN 'TransactWriteItems' WHEN pattern -> 'keys' IS NOT NULL THEN 'BatchGetItem'
			WHEN key IS NOT NULL THEN 'GetItem' WHEN key_condition IS NULL THEN 'Scan' WHEN filter IS NULL THEN 'Query' ELSE 'Query + filter' END;

		IF pattern -> 'by' IS NOT NULL THEN
			-- Each condition as an expression; then the table or index that leaves fewest of them to a filter.
			WITH given AS (
				SELECT b.n, b.key AS attribute, coalesce(c.operator, '=') AS operator, format(CASE c.operator
					WHEN 'begins_with' THEN 'begins_with(#given%1$s, :given%1$s)' WHEN 'BETWEEN' THEN '#given%1$s BETWEEN :given%1$s AND :to%1$s'
					ELSE '#given%1$s ' || coalesce(c.operator, '=') || ' :given%1$s' END, b.n) AS condition,
					format(CASE c.operator WHEN 'begins_with' THEN 'begins_with(%1$s, %2$s)' WHEN 'BETWEEN' THEN '%1$s BETWEEN %3$s AND %4$s'
						ELSE '%1$s ' || coalesce(c.operator, '=') || ' %2$s' END, b.key, coalesce(c.value, b.value), c.value -> 0, c.value -> 1) AS shown,
					CASE WHEN c.operator IS NULL THEN json_build_object(':given' || b.n, b.value)
						WHEN c.operator = 'BETWEEN' THEN json_build_object(':given' || b.n, c.value -> 0, ':to' || b.n, c.value -> 1)
						ELSE json_build_object(':given' || b.n, c.value) END AS operands
				FROM json_each(pattern -> 'by') WITH ORDINALITY AS b(key, value, n)
					LEFT JOIN LATERAL (SELECT o.key AS operator, o.value FROM json_each(CASE WHEN json_typeof(b.value) = 'object' THEN b.value ELSE '{}' END) AS o
						WHERE o.key IN ('<', '<=', '>', '>=', 'begins_with', 'BETWEEN')) AS c ON true),
			way AS (
				SELECT k.index, k.local, k.partition_key || k.sort_key AS key_attributes,
					CASE WHEN k.projection IN ('KEYS_ONLY', 'INCLUDE') THEN k.partition_key || k.sort_key || own.partition_key || own.sort_key || coalesce(k.non_key_attributes, '{}') END AS projected,
					k.partition_key || coalesce((SELECT array_agg(s.a ORDER BY s.n) FROM unnest(k.sort_key) WITH ORDINALITY AS s(a, n)
						WHERE EXISTS (SELECT FROM given AS g WHERE g.attribute = s.a)
							-- Sort keys from the left, all but the last with equality.
							AND NOT EXISTS (SELECT FROM unnest(k.sort_key) WITH ORDINALITY AS b(a, n)
								WHERE b.n < s.n AND NOT EXISTS (SELECT FROM given AS g WHERE g.attribute = b.a AND g.operator = '='))), '{}') AS used
				FROM item_table_keys(tbl) AS k
				WHERE NOT EXISTS (SELECT FROM unnest(k.partition_key) AS p WHERE NOT EXISTS (SELECT FROM given AS g WHERE g.attribute = p AND g.operator = '='))
					AND NOT (consistent AND k.index IS NOT NULL AND NOT k.local)
					AND (pattern ->> 'index' IS NULL OR pattern ->> 'index' = k.index)),
			best AS (
				SELECT w.*, (SELECT count(*) FROM given AS g WHERE g.attribute <> ALL (w.used)) AS left_over
				FROM way AS w
				WHERE NOT EXISTS (SELECT FROM given AS g WHERE g.attribute = ANY (w.key_attributes) AND g.attribute <> ALL (w.used))
				ORDER BY (w.index IS NULL AND w.used @> (own.partition_key || own.sort_key) AND NOT EXISTS (SELECT FROM given AS g WHERE g.operator <> '=')) DESC,
					EXISTS (SELECT FROM given AS g WHERE g.attribute <> ALL (w.used) AND g.attribute <> ALL (w.projected)),
					(order_by IS NULL OR order_by = (SELECT k.a FROM unnest(w.key_attributes) WITH ORDINALITY AS k(a, n)
						WHERE k.a = order_by OR NOT EXISTS (SELECT FROM given AS g WHERE g.attribute = k.a AND g.operator = '=') ORDER BY k.n LIMIT 1)) IS NOT TRUE,
					left_over, w.index IS NOT NULL, w.local DESC, w.index COLLATE "C"
				LIMIT 1)
			SELECT b.used IS NOT NULL AS is_found, b.index, b.used,
				b.used IS NOT NULL AND b.index IS NULL AND b.left_over = 0 AND b.used @> (own.partition_key || own.sort_key)
					AND NOT EXISTS (SELECT FROM given AS g WHERE g.operator <> '=') AS is_get,
				(SELECT string_agg(g.condition, ' AND ' ORDER BY array_position(b.used, g.attribute)) FROM given AS g WHERE g.attribute = ANY (b.used)) AS key_condition,
				(SELECT string_agg(g.shown, ' AND ' ORDER BY array_position(b.used, g.attribute)) FROM given AS g WHERE g.attribute = ANY (b.used)) AS shown,
				(SELECT string_agg(g.condition, ' AND ' ORDER BY g.n) FROM given AS g WHERE b.used IS NULL OR g.attribute <> ALL (b.used)) AS filter,
				(SELECT jsonb_object_agg('#given' || g.n, g.attribute) FROM given AS g) AS names,
				(SELECT json_object_agg(o.key, o.value)::text::item FROM given AS g, json_each(g.operands) AS o) AS vals,
				(SELECT json_object_agg(g.attribute, g.operands -> (':given' || g.n))::text::item FROM given AS g) AS key,
				(SELECT string_agg(g.attribute, ', ' ORDER BY g.n) FROM given AS g) AS attributes,
				(SELECT g.attribute FROM given AS g WHERE g.operator = '=' ORDER BY g.n LIMIT 1) AS equal_attribute,
				(SELECT g.attribute FROM given AS g WHERE g.operator <> '=' ORDER BY g.n LIMIT 1) AS range_attribute
			INTO candidate
			FROM (SELECT) AS one LEFT JOIN best AS b ON true;
			names := coalesce(names, '{}') || candidate.names;
			vals := coalesce(vals, '{}'::item) || candidate.vals;
			IF candidate.is_get AND filter IS NULL THEN
				operation := 'GetItem';
				key := candidate.key;
			ELSIF candidate.is_found THEN
				index := candidate.index;
				key_condition := candidate.key_condition;
				shown := candidate.shown;
				filter := nullif(concat_ws(' AND ', candidate.filter, '(' || filter || ')'), '');
				operation := CASE WHEN filter IS NULL THEN 'Query' ELSE 'Query + filter' END;
			ELSE
				filter := nullif(concat_ws(' AND ', candidate.filter, '(' || filter || ')'), '');
				operation := 'Scan';
				reason := 'no key fits what is given (' || candidate.attributes || '): all of a partition key with =, then sort key attributes from the left';
				hint := CASE
					WHEN consistent THEN 'a strongly consistent read needs the table or a local index'
					WHEN candidate.equal_attribute IS NOT NULL THEN format('an index with partition key %s%s', candidate.equal_attribute, ' and sort key ' || coalesce(candidate.range_attribute, order_by))
					ELSE format('a partition key takes only =; an index whose partition key is the entity type, with sort key %s', candidate.range_attribute) END;
			END IF;
		END IF;

		BEGIN
			SELECT k.* INTO keys FROM item_table_keys(tbl) AS k WHERE k.index IS NOT DISTINCT FROM access_pattern_rows.index;
			IF NOT FOUND THEN
				RAISE EXCEPTION USING ERRCODE = 'KV001', MESSAGE = 'The table does not have the specified index: ' || index;
			ELSIF consistent AND NOT keys.local THEN
				RAISE EXCEPTION USING ERRCODE = 'KV001', MESSAGE = 'Consistent reads are not supported on global secondary indexes';
			END IF;
			IF operation IN ('PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems') THEN
				SELECT w.capacity_units, w.verdict, w.reason, w.hint INTO capacity_units, verdict, reason, hint FROM access_pattern_write(tbl, pattern, caller_path) AS w;
				items_read := NULL;
				items_returned := NULL;
				key_condition := CASE WHEN operation <> 'TransactWriteItems' THEN (SELECT string_agg(a || ' = ' || (coalesce(key, (pattern -> 'put')::text::item) -> a)::text, ' AND ' ORDER BY n)
					FROM unnest(own.partition_key || own.sort_key) WITH ORDINALITY AS x(a, n)) END;
				RETURN NEXT;
				CONTINUE;
			ELSIF operation = 'BatchGetItem' THEN
				SELECT count(*) INTO items_returned
				FROM batch_get_items(json_build_object(tbl, json_strip_nulls(json_build_object('Keys', pattern -> 'keys', 'ProjectionExpression', projection, 'ExpressionAttributeNames', names))));
				SELECT count(*), sum(ceil(greatest(item_size(get_item(tbl, k::text::item)), 1) / 4096.0)) INTO items_read, capacity_units FROM json_array_elements(pattern -> 'keys') AS k;
				capacity_units := round(capacity_units / CASE WHEN consistent THEN 1 ELSE 2 END, 1);
				reason := format('%s whole primary keys are given', items_read);
				IF items_read > 100 THEN
					verdict := 'large';
					reason := format('%s keys: a BatchGetItem takes at most 100', items_read);
					hint := 'items that are read together belong under one partition key';
				END IF;
				RETURN NEXT;
				CONTINUE;
			ELSIF operation = 'GetItem' THEN
				current_item := get_item(tbl, key, projection, expression_names(names, projection));
				stored := get_item(tbl, key);
				items_read := CASE WHEN stored IS NULL THEN 0 ELSE 1 END;
				items_returned := CASE WHEN current_item IS NULL THEN 0 ELSE 1 END;
				bytes := coalesce(item_size(stored), 0);
				reason := 'the whole primary key is given';
				key_condition := (SELECT string_agg(a || ' = ' || (key -> a)::text, ' AND ' ORDER BY n) FROM unnest(own.partition_key || own.sort_key) WITH ORDINALITY AS x(a, n));
			ELSIF operation LIKE 'Query%' THEN
				-- The request as it stands, for all of its checks.
				PERFORM query_items(tbl, key_condition, expression_values(vals, key_condition, filter), expression_names(names, key_condition, filter, projection), index,
					filter, projection, forward, 1) LIMIT 1;
				reads_whole := keys.local AND projection IS NOT NULL;
				FOR current_item IN SELECT query_items(tbl, key_condition, expression_values(vals, key_condition), expression_names(names, key_condition), index, forward => forward) LOOP
					items_read := items_read + 1;
					bytes := bytes + item_size(current_item);
					IF reads_whole THEN
						-- A local index fetches from the table what it lacks, whole items of whole units each.
						stored := get_item(tbl, item_key(tbl, current_item));
						IF item_project(stored, projection, expression_names(names, projection)) <> item_project(current_item, projection, expression_names(names, projection)) THEN
							fetched := fetched + (item_size(stored) + 4095) / 4096;
						END IF;
						current_item := stored;
					END IF;
					IF filter IS NULL OR item_matches(current_item, filter, expression_values(vals, filter), expression_names(names, filter)) THEN
						items_returned := items_returned + 1;
						EXIT WHEN items_returned >= max_items;
					END IF;
					EXIT WHEN items_read >= max_read;
				END LOOP;
				reason := 'one partition of ' || coalesce('index ' || index, 'the table')
					|| CASE WHEN bytes > 1024 * 1024 THEN format(', %s pages of 1 MB', ceil(bytes / (1024.0 * 1024))) ELSE '' END;
				filter_efficiency := round(items_returned::numeric / nullif(items_read, 0), 3);
				IF items_read >= max_read THEN
					verdict := 'large';
					reason := format('more than %s items are read', max_read - 1);
					hint := 'max_items, a narrower condition on the sort key, or more partitions (shard_key)';
				ELSIF filter IS NOT NULL AND bytes > 4096 AND filter_efficiency < 0.5 THEN
					verdict := 'filter';
					reason := format('the filter drops %s of %s items, after they are read and paid for', items_read - items_returned, items_read);
					hint := 'an index with what the filter tests in its key; a sparse one holds only the items wanted';
				END IF;
				-- Items come in the order of the first key attribute that is not held by =.
				SELECT k.a INTO served FROM unnest(keys.partition_key || keys.sort_key) WITH ORDINALITY AS k(a, n)
				WHERE k.a = order_by OR NOT EXISTS (SELECT FROM unnest(k.a || ARRAY(SELECT e.key FROM jsonb_each_text(names) AS e WHERE e.value = k.a)) AS spelling
					WHERE concat(' ', key_condition) ~ concat('[^A-Za-z0-9_.#:-]', regexp_replace(spelling, '([^A-Za-z0-9_#])', '\\\1', 'g'), '\s*='))
				ORDER BY k.n LIMIT 1;
				IF served IS DISTINCT FROM order_by AND order_by IS NOT NULL THEN
					verdict := 'order';
					reason := CASE WHEN served IS NULL THEN format('%s has no sort key by which items come in order', coalesce('index ' || index, 'the table'))
						ELSE format('items come in the order of %s, not of %s', served, order_by) END;
					hint := format('an index with partition key %s and sort key %s; otherwise all items are read before the first is known',
						(SELECT string_agg(a, ', ') FROM unnest(keys.partition_key) AS a), order_by);
				END IF;
			ELSE
				verdict := 'scan';
				reason := coalesce(reason, 'no key is given') || coalesce('; items come in no order by ' || order_by, '');
				hint := coalesce(hint, 'give the partition key; an index whose partition key the filter tests');
				PERFORM scan_items(tbl, filter, expression_values(vals, filter), expression_names(names, filter, projection), index, projection, max_items => 0);
				SELECT sum(greatest(c.reltuples, 0)) INTO estimate FROM pg_class AS c
				WHERE c.relkind = 'r' AND (c.oid = tbl OR c.oid IN (SELECT relid FROM pg_partition_tree(tbl)));
				IF estimate > max_read THEN
					SELECT avg(item_size(s)) INTO average FROM scan_items(tbl, index => index, max_items => 1000) AS s;
					items_read := estimate;
					items_returned := NULL;
					bytes := round(average * estimate);
				ELSE
					SELECT count(*), coalesce(sum(item_size(s)), 0),
						count(*) FILTER (WHERE filter IS NULL OR item_matches(s, filter, expression_values(vals, filter), expression_names(names, filter)))
					INTO items_read, bytes, items_returned
					FROM scan_items(tbl, index => index) AS s;
					filter_efficiency := round(items_returned::numeric / nullif(items_read, 0), 3);
				END IF;
			END IF;
			capacity_units := round((greatest(ceil(bytes / 4096.0), 1) + fetched) / CASE WHEN consistent THEN 1 ELSE 2 END, 1);
		EXCEPTION WHEN SQLSTATE 'KV001' THEN
			items_read := NULL;
			items_returned := NULL;
			reason := SQLERRM;
			IF SQLERRM ~ '^Query (condition missed key schema element|key condition not supported)' THEN
				operation := 'Scan';
				verdict := 'scan';
				hint := 'a Query needs = on the partition key, and at most one condition on the sort key; another order or attribute needs an index';
			ELSE
				verdict := 'error';
				hint := CASE WHEN SQLERRM LIKE '%does not match the schema%' THEN 'all attributes of the primary key and no other; to find them, a Query first'
					WHEN SQLERRM LIKE '%does not project%' THEN 'project the attribute into the index, or read the item with a GetItem'
					WHEN SQLERRM LIKE 'Consistent reads%' THEN 'read the table or a local index' END;
			END IF;
		END;
		IF shown IS NOT NULL AND operation <> 'GetItem' THEN
			key_condition := shown;
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION access_pattern_rows(regclass, json, integer, text) IS 'the rows of check_access_patterns';

/*
 * access_pattern_write(tbl, pattern, caller_path)
 * pattern     one of check_access_patterns that writes
 * Returns     the write units, verdict, reason and hint of it; the write is done and undone
 * Errors      KV001, KV003, KV011, and those of a write but for its condition
 */
CREATE FUNCTION access_pattern_write(tbl regclass, pattern json, caller_path text, OUT capacity_units numeric, OUT verdict text, OUT reason text, OUT hint text)
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE SET search_path = pg_catalog, @extschema@, pg_temp SET singletable.track_capacity = off AS $$
#variable_conflict use_variable
DECLARE
	old_item item;
	new_item item;
	key item := coalesce(pattern -> 'key', pattern -> 'delete')::text::item;
	condition text := pattern ->> 'condition';
	vals item := (pattern -> 'attribute_values')::text::item;
	names jsonb := (pattern -> 'attribute_names')::jsonb;
	is_put boolean := pattern -> 'put' IS NOT NULL;
	update text := pattern ->> 'update';
	own_path text := current_setting('search_path');
	actions jsonb;
	action record;
	tables regclass[];
	keys item[];
	old_items item[];
	units numeric := 0;
	failed_units numeric := 0;
	detail text;
BEGIN
	verdict := 'ok';
	IF pattern -> 'transact' IS NULL THEN
		BEGIN
			IF is_put THEN
				new_item := (pattern -> 'put')::text::item;
				-- The old item of a put whose condition is false, too; an item without a key is refused by the put.
				key := item_key(tbl, new_item);
			END IF;
			IF key IS NOT NULL THEN
				old_item := get_item(tbl, key);
			END IF;
			-- As the caller would write, with triggers that find what they name.  Undone with the write.
			PERFORM set_config('search_path', caller_path, true);
			IF is_put THEN
				PERFORM @extschema@.put_item(tbl, new_item, condition, vals, names);
			ELSIF update IS NOT NULL THEN
				new_item := @extschema@.update_item(tbl, key, update, condition, vals, names, 'ALL_NEW');
			ELSE
				PERFORM @extschema@.delete_item(tbl, key, condition, vals, names);
			END IF;
			RAISE EXCEPTION USING ERRCODE = 'KVUND', MESSAGE = 'undo the write';
		EXCEPTION
			WHEN SQLSTATE 'KVUND' THEN
				capacity_units := (SELECT sum(w.capacity_units) FROM write_capacity_units(tbl, old_item, new_item) AS w);
				reason := CASE WHEN old_item IS NULL AND new_item IS NULL THEN 'there is no such item now'
					WHEN old_item IS NULL THEN 'one new item' WHEN is_put THEN 'one item, in place of another' ELSE 'one item by its key' END;
			WHEN SQLSTATE 'KV002' THEN
				capacity_units := round(greatest(ceil(item_size(old_item) / 1024.0), 1), 1);
				reason := 'one item; its condition is false now';
		END;
		RETURN;
	END IF;

	-- A transaction: its actions with the tables that the caller means, tbl where none is named; what they find; what they leave.
	actions := (pattern -> 'transact')::jsonb;
	BEGIN
		IF jsonb_typeof(actions) = 'array' THEN
			FOR place IN 0 .. jsonb_array_length(actions) - 1 LOOP
				SELECT o.key AS operation, o.value AS members INTO action FROM jsonb_each(CASE WHEN jsonb_typeof(actions -> place) = 'object' THEN actions -> place END) AS o LIMIT 1;
				CONTINUE WHEN jsonb_typeof(action.members) IS DISTINCT FROM 'object';
				tables[place] := tbl;
				IF action.members ? 'TableName' THEN
					PERFORM set_config('search_path', caller_path, true);
					tables[place] := COALESCE(pg_catalog.to_regclass(pg_catalog.quote_ident(pg_catalog.jsonb_extract_path_text(action.members, 'TableName'))),
						pg_catalog.to_regclass(pg_catalog.jsonb_extract_path_text(action.members, 'TableName')));
					PERFORM pg_catalog.set_config('search_path', own_path, true);
					IF tables[place] IS NULL THEN
						RAISE EXCEPTION USING ERRCODE = 'KV003', MESSAGE = 'Requested resource not found: Table: ' || (action.members ->> 'TableName') || ' not found';
					END IF;
				END IF;
				actions := jsonb_set(actions, ARRAY[place::text, action.operation, 'TableName'], to_jsonb(tables[place]::text));
				keys[place] := CASE WHEN action.operation = 'Put' THEN item_key(tables[place], (action.members ->> 'Item')::item) ELSE (action.members ->> 'Key')::item END;
				old_items[place] := get_item(tables[place], keys[place]);
				failed_units := failed_units + 2 * greatest(ceil(item_size(old_items[place]) / 1024.0), 1);
			END LOOP;
		END IF;
		PERFORM set_config('search_path', caller_path, true);
		PERFORM @extschema@.transact_write_items(actions::pg_catalog.json);
		PERFORM pg_catalog.set_config('search_path', own_path, true);
		FOR place IN 0 .. jsonb_array_length(actions) - 1 LOOP
			units := units + CASE WHEN actions -> place ? 'ConditionCheck' THEN 2 * greatest(ceil(item_size(old_items[place]) / 1024.0), 1)
				ELSE (SELECT sum(w.capacity_units * CASE WHEN w.index IS NULL THEN 2 ELSE 1 END) FROM write_capacity_units(tables[place], old_items[place], get_item(tables[place], keys[place])) AS w) END;
		END LOOP;
		RAISE EXCEPTION USING ERRCODE = 'KVUND', MESSAGE = 'undo the write';
	EXCEPTION
		WHEN SQLSTATE 'KVUND' THEN
			capacity_units := round(units, 1);
			reason := format('%s actions, all or none', jsonb_array_length(actions));
			IF jsonb_array_length(actions) > 100 THEN
				verdict := 'large';
				reason := format('%s actions: a transaction takes at most 100', jsonb_array_length(actions));
				hint := 'several transactions, each with conditions that make it safe to repeat';
			END IF;
		WHEN SQLSTATE 'KV003' THEN
			verdict := 'error';
			reason := SQLERRM;
		WHEN SQLSTATE 'KV005' THEN
			capacity_units := round(failed_units, 1);
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			SELECT CASE WHEN bool_or(r ->> 'Code' <> 'ConditionalCheckFailed') THEN 'error' ELSE 'ok' END,
				string_agg(CASE r ->> 'Code' WHEN 'ConditionalCheckFailed' THEN format('the condition of action %s is false now', n) ELSE format('action %s: %s', n, r ->> 'Message') END, '; ' ORDER BY n)
			INTO verdict, reason FROM jsonb_array_elements(detail::jsonb -> 'CancellationReasons') WITH ORDINALITY AS x(r, n) WHERE r ->> 'Code' <> 'None';
	END;
END
$$;
COMMENT ON FUNCTION access_pattern_write(regclass, json, text) IS 'a write of check_access_patterns, done and undone';

/*
 * check_access_patterns(tbl, patterns, max_read)
 * patterns    list of objects, one for each access pattern, in one of these forms; the members are the arguments of the operations of
 *             SQL, with typical values in place:
 *               {"name": ..., "key": {...}}                                    one item by its key
 *               {"name": ..., "keys": [{...}, ...]}                            several
 *               {"name": ..., "key_condition": ..., "attribute_values": {...}} items of a partition
 *               {"name": ..., "by": {"status": "OPEN", "day": {">=": "2026"}}}  what is given: the tool finds the way.  A condition
 *                                                                              is a value, or one of < <= > >= begins_with BETWEEN
 *               {"name": ..., "filter": ...}                                   anything else
 *               {"name": ..., "put": {...}}, {..., "key": {...}, "update": "SET ..."}, {..., "delete": {...}}, each perhaps with a
 *                                                                              condition: one write
 *               {"name": ..., "transact": [{"Put": {...}}, ...]}               the list of transact_write_items; TableName is tbl
 *                                                                              where it is not given
 *             and besides, in reads: index, filter, projection, attribute_values, attribute_names, forward, max_items, consistent (a
 *             strongly consistent read), and order_by, the attribute that the items must be ordered by; forward false: descending
 * max_read    items of one pattern to read at most; bigger results are called large, and a Scan beyond it is estimated
 * Returns     a row for each pattern: the operation it needs (GetItem, BatchGetItem, Query, Query + filter, Scan, PutItem, UpdateItem,
 *             DeleteItem, TransactWriteItems), the index (NULL: the table) and the key condition of it, items it reads and
 *             returns, returned / read, read units or a write's write units, and a verdict with its reason and what to do about it:
 *               ok      one GetItem, BatchGetItem, Query or write, also one whose condition is false now
 *               filter  a Query whose filter drops more than half of what is read, and more than one read unit is read
 *               large   a Query that reads more than max_read items; more than 100 keys or actions in one request
 *               order   a Query whose index has its items in another order than order_by
 *               scan    no key or index serves it
 *               error   the request is refused; the reason is the message
 *             SELECT * FROM check_access_patterns(...) WHERE verdict <> 'ok' returns no row in a test of the design.
 *             Writes are carried out and undone, with their locks held until the transaction ends; triggers see them fail
 * Errors      22023 patterns is no list of objects, or one has an unknown member, a member of a wrong type, or more than one operation;
 *             KV003 ResourceNotFoundException: tbl is no item table;
 *             KV011 SerializationException: malformed values; 42501 no privilege; 25006 writes in a read-only transaction
 * Source      reference/modelling, section 1
 */
CREATE FUNCTION check_access_patterns(tbl regclass, patterns json, max_read integer DEFAULT 100000)
RETURNS TABLE (name text, operation text, index text, key_condition text, items_read bigint, items_returned bigint, filter_efficiency numeric,
	capacity_units numeric, verdict text, reason text, hint text)
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE AS $$
	-- Without a search_path of its own: the actions of a transaction mean tables as the caller does.
	SELECT * FROM @extschema@.access_pattern_rows(tbl, patterns, max_read, pg_catalog.current_setting('search_path'))
$$;
COMMENT ON FUNCTION check_access_patterns(regclass, json, integer) IS 'does each access pattern need one GetItem or Query, or a Scan?';

/*
 * capacity_units(operation, request)
 * operation, request  as for dynamodb(): an operation on items, and its body
 * Returns     what the request would consume, a row for each table and each index that is charged (index is NULL for the table):
 *             read or write units.  The request is carried out and undone, with its locks held until the transaction ends: a write
 *             writes nothing, and triggers, sequences and the like see it as one that failed
 * Errors      those of the request; KV001 the operation consumes no units
 * Source      reference/modelling, section 7
 */
CREATE FUNCTION capacity_units(operation text, request json)
RETURNS TABLE (tbl text, index text, capacity_units numeric)
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE AS $$
DECLARE
	response jsonb;
	consumed jsonb;
BEGIN
	-- No search_path of its own: the request means tables as the caller does.
	BEGIN
		PERFORM pg_catalog.set_config('singletable.track_capacity', 'off', true);	-- undone with the request
		response := @extschema@.dynamodb(operation, pg_catalog.jsonb_set(request::pg_catalog.jsonb, '{ReturnConsumedCapacity}', '"INDEXES"')::pg_catalog.json)::pg_catalog.jsonb;
		RAISE EXCEPTION USING ERRCODE = 'KVUND', MESSAGE = 'undo the request';
	EXCEPTION WHEN SQLSTATE 'KVUND' THEN
		consumed := pg_catalog.jsonb_extract_path(response, 'ConsumedCapacity');
	END;
	IF pg_catalog.jsonb_typeof(consumed) OPERATOR(pg_catalog.=) 'object' THEN
		consumed := pg_catalog.jsonb_build_array(consumed);
	END IF;
	RETURN QUERY
		SELECT pg_catalog.jsonb_extract_path_text(c, 'TableName'), NULL::pg_catalog.text, pg_catalog.jsonb_extract_path_text(c, 'Table', 'CapacityUnits')::pg_catalog.numeric
		FROM pg_catalog.jsonb_array_elements(consumed) AS c
		UNION ALL
		SELECT pg_catalog.jsonb_extract_path_text(c, 'TableName'), i.key, pg_catalog.jsonb_extract_path_text(i.value, 'CapacityUnits')::pg_catalog.numeric
		FROM pg_catalog.jsonb_array_elements(consumed) AS c,
			LATERAL (SELECT l.key, l.value FROM pg_catalog.jsonb_each(pg_catalog.jsonb_extract_path(c, 'LocalSecondaryIndexes')) AS l
				UNION ALL SELECT g.key, g.value FROM pg_catalog.jsonb_each(pg_catalog.jsonb_extract_path(c, 'GlobalSecondaryIndexes')) AS g) AS i
		ORDER BY 1, 2 NULLS FIRST;
END
$$;
COMMENT ON FUNCTION capacity_units(text, json) IS 'units that a request would consume';

/*
 * session_capacity()
 * Returns     what the session's operations have consumed while singletable.track_capacity was on, and since the last reset: a row for
 *             each table (index is NULL) and each index, read units and write units.  Operations of SQL functions and of dynamodb()
 *             are counted alike, as DynamoDB would charge them: a write whose condition is false and a transaction that is
 *             cancelled too, a request that is refused for its form not.  A read that does not say (those of SQL functions cannot)
 *             is charged as eventually consistent, one that reads on as pages of 1 MB.  The total belongs to the session and not to
 *             its transactions: ROLLBACK takes nothing back.  What parallel workers read is not counted.  Beyond 1,000 tables and
 *             indexes the rest is one row whose tbl is NULL.  check_access_patterns and capacity_units are not counted
 * Source      reference/item-operations, section 8; reference/batch-and-transactions, section 4.4
 */
CREATE FUNCTION session_capacity(OUT tbl regclass, OUT index text, OUT read_units numeric, OUT write_units numeric)
RETURNS SETOF record LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 20 AS 'MODULE_PATHNAME', 'singletable_session_capacity';
COMMENT ON FUNCTION session_capacity() IS 'units that the session''s operations have consumed';

/*
 * reset_session_capacity()
 * Begins the total of session_capacity() anew.
 */
CREATE FUNCTION reset_session_capacity()
RETURNS void LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'singletable_reset_session_capacity';
COMMENT ON FUNCTION reset_session_capacity() IS 'begin the total of session_capacity() anew';

/*
 * write_capacity_units(tbl, old_item, new_item)
 * old_item    the item before a write, NULL if there is none; new_item likewise the item after it
 * Returns     the write units of putting one in place of the other: a row for the table (index is NULL) and each index that is charged.
 *             In a transaction the table's count twice
 * Errors      KV003 ResourceNotFoundException: tbl is no item table
 * Source      reference/modelling, section 7
 */
CREATE FUNCTION write_capacity_units(tbl regclass, old_item item, new_item item, OUT index text, OUT capacity_units numeric)
RETURNS SETOF record LANGUAGE C STABLE PARALLEL SAFE ROWS 3 AS 'MODULE_PATHNAME', 'singletable_write_capacity_units';
COMMENT ON FUNCTION write_capacity_units(regclass, item, item) IS 'units of a write, by the item before and after it';

/*
 * create_entity_view(tbl, name, key_patterns, attributes)
 * name         SQL name of the new view, as in CREATE VIEW
 * key_patterns  {"pk": "CUSTOMER#*", "sk": "ORDER#*#*"}: for attributes of type S that have columns (keys of the table and its
 *              indexes), what their values look like: * stands for one part, any text without #; ** at the end for anything.  An
 *              index serves when each of its key attributes has a pattern, if only **: items without them are not in it
 * attributes   {"total": "numeric(8, 2)", "placed": "timestamptz", "tags": "SS"}: names of attributes and SQL types, in the order of
 *              the columns.  A numeric, boolean or bytea column shows attributes of the types N, BOOL and B; arrays of strings,
 *              numbers and bytea, also called SS, NS and BS, show sets; jsonb and json any; text S, and other types what they make of
 *              the text of S and N.  What is written has the same types.  A value is cast to the type, so varchar(3) shows
 *              three characters
 * Returns      the new view: the table's key attributes, then the attributes; what an item has not or has with another type is NULL.
 *              Its rows are the items that fit the patterns, found by the primary key or an index, since each pattern is a
 *              condition of = or begins_with.  INSERT, UPDATE and DELETE call put_item, update_item and delete_item: NULL is no
 *              attribute, attributes that the view does not show stay as they are, and columns of patterns without * have a default
 * Errors       42P07 there is a relation of that name; KV003 ResourceNotFoundException: tbl is no item table; 42703 a pattern for an
 *              attribute that has no column; 42704 no such type.  Changing rows: KV014 DuplicateItemException: INSERT of an item
 *              that is there; KV001 ValidationException: UPDATE of a key; 40001 the columns to change changed since they were
 *              read; 44000 the row would not fit the patterns
 */
CREATE FUNCTION create_entity_view(tbl regclass, name text, key_patterns json, attributes json)
RETURNS regclass LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE AS $$
DECLARE
	columns pg_catalog.text[];
	conditions pg_catalog.text;
	pattern record;
BEGIN
	-- Types mean what they mean to the caller.
	SELECT d.columns, d.conditions INTO columns, conditions
	FROM (SELECT COALESCE(pg_catalog.json_object_agg(a.key, @extschema@.entity_view_type(CASE pg_catalog.upper(a.value) WHEN 'SS' THEN 'text[]' WHEN 'NS' THEN 'numeric[]' WHEN 'BS' THEN 'bytea[]' ELSE a.value END)
			ORDER BY a.n), '{}') AS types FROM pg_catalog.json_each_text(attributes) WITH ORDINALITY AS a(key, value, n)) AS t,
		LATERAL @extschema@.entity_view_parts(tbl, key_patterns, t.types) AS d;
	-- The caller's search_path: where the view goes, and what its name means.
	EXECUTE pg_catalog.concat('CREATE VIEW ', name, ' AS SELECT ', pg_catalog.array_to_string(columns, ', '), ' FROM ', tbl, ' AS r WHERE ', conditions);
	EXECUTE pg_catalog.concat('CREATE TRIGGER entity_view_change INSTEAD OF INSERT OR UPDATE OR DELETE ON ', name,
		' FOR EACH ROW EXECUTE FUNCTION @extschema@.entity_view_change()');
	FOR pattern IN
		SELECT p.key, p.value FROM pg_catalog.json_each_text(key_patterns) AS p, pg_catalog.pg_attribute AS a
		WHERE a.attrelid OPERATOR(pg_catalog.=) name::pg_catalog.regclass AND a.attname OPERATOR(pg_catalog.=) p.key::pg_catalog.name AND pg_catalog.strpos(p.value, '*') OPERATOR(pg_catalog.=) 0
	LOOP
		EXECUTE pg_catalog.format('ALTER VIEW %s ALTER COLUMN %I SET DEFAULT %L', name, pattern.key, pattern.value);
	END LOOP;
	RETURN name::pg_catalog.regclass;
END
$$;
COMMENT ON FUNCTION create_entity_view(regclass, text, json, json) IS 'create a view of one entity type with typed columns';

/*
 * entity_view_type(name)
 * Returns     a type's name with its modifier, as any search_path understands it: varchar(3) is character varying(3)
 * Errors      42704 no such type; 42601 name is none of a type
 */
CREATE FUNCTION entity_view_type(name text)
RETURNS text LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_entity_view_type';
COMMENT ON FUNCTION entity_view_type(text) IS 'a type by its full name, with its modifier';

/*
 * entity_view_set(type)
 * Returns     SS, NS or BS: the sets that an array type shows; NULL for any other type
 */
CREATE FUNCTION entity_view_set(type regtype)
RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	SELECT CASE WHEN e.oid = 'bytea'::regtype THEN 'BS' WHEN e.typcategory = 'S' THEN 'SS' WHEN e.typcategory = 'N' THEN 'NS' END
	FROM pg_type AS t JOIN pg_type AS e ON e.oid = t.typelem
	WHERE t.oid = type AND t.typcategory = 'A'
$$;
COMMENT ON FUNCTION entity_view_set(regtype) IS 'the type of the sets that an array type shows';

/*
 * entity_view_parts(tbl, key_patterns, attributes)
 * Returns     what create_entity_view makes a view of: expressions of the columns, of a row called r, and the WHERE clause
 * Errors      as create_entity_view
 */
CREATE FUNCTION entity_view_parts(tbl regclass, key_patterns json, attributes json, OUT columns text[], OUT conditions text)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
DECLARE
	own_schema text := '@extschema@';	-- quoted; no part of a format, as it may have a percent sign
	own_key text[];
	item_column text;
	attribute record;
	type_oid regtype;
	set_type text;
	column_type regtype;
	stored text;
	value text;
	value_type regtype;
	regular text;
	clauses text[];
BEGIN
	SELECT k.partition_key || k.sort_key INTO STRICT own_key FROM item_table_keys(tbl) AS k WHERE k.index IS NULL;
	SELECT a.attname INTO STRICT item_column FROM pg_attribute AS a WHERE a.attrelid = tbl AND a.atttypid = 'item'::regtype AND a.attnum > 0 AND NOT a.attisdropped;
	FOR attribute IN
		SELECT a.name, NULL AS type FROM unnest(own_key) AS a(name)
		UNION ALL
		SELECT a.key, a.value FROM json_each_text(attributes) AS a WHERE a.key <> ALL (own_key)
	LOOP
		SELECT a.atttypid INTO column_type FROM pg_attribute AS a WHERE a.attrelid = tbl AND a.attname = attribute.name AND a.attnum > 0 AND NOT a.attisdropped
			AND a.atttypid IN ('text'::regtype, 'numeric'::regtype, 'bytea'::regtype);
		type_oid := coalesce(attribute.type::regtype, column_type);
		set_type := entity_view_set(type_oid);
		stored := format('r.%I, %L', item_column, attribute.name);
		-- What the value is before it is cast.
		value_type := CASE WHEN set_type IS NOT NULL THEN NULL
			WHEN column_type IS NOT NULL THEN column_type
			WHEN type_oid IN ('integer'::regtype, 'bigint'::regtype, 'smallint'::regtype, 'real'::regtype, 'double precision'::regtype) THEN 'numeric'::regtype
			WHEN type_oid = 'json'::regtype THEN 'jsonb'::regtype
			WHEN type_oid IN ('text'::regtype, 'numeric'::regtype, 'boolean'::regtype, 'bytea'::regtype, 'jsonb'::regtype) THEN type_oid END;
		value := CASE
			WHEN set_type IS NOT NULL THEN format('CASE WHEN %4$s.item_type(%1$s) = %2$L THEN ARRAY(SELECT %3$s FROM pg_catalog.jsonb_array_elements_text(%4$s.item_attribute(%1$s)) AS e) END',
				stored, set_type, CASE set_type WHEN 'SS' THEN 'e' WHEN 'NS' THEN 'e::numeric' ELSE 'pg_catalog.decode(e, ''base64'')' END, own_schema)
			WHEN column_type IS NOT NULL THEN format('r.%I', attribute.name)
			WHEN value_type = 'text'::regtype THEN format('%s.item_text(%s)', own_schema, stored)
			WHEN value_type = 'numeric'::regtype THEN format('%s.item_numeric(%s)', own_schema, stored)
			WHEN value_type = 'boolean'::regtype THEN format('%s.item_boolean(%s)', own_schema, stored)
			WHEN value_type = 'bytea'::regtype THEN format('%s.item_bytea(%s)', own_schema, stored)
			WHEN value_type = 'jsonb'::regtype THEN format('%s.item_attribute(%s)', own_schema, stored)
			ELSE format('%s.item_attribute_text(%s)', own_schema, stored) END;
		columns := columns || format('%s%s AS %I', value, CASE WHEN attribute.type IS NOT NULL AND (value_type IS NULL OR attribute.type <> entity_view_type(value_type::text)) THEN '::' || attribute.type END,
			attribute.name);
	END LOOP;
	FOR attribute IN SELECT p.key AS name, p.value AS pattern FROM json_each_text(key_patterns) AS p LOOP
		PERFORM FROM pg_attribute AS a WHERE a.attrelid = tbl AND a.attname = attribute.name AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype;
		IF NOT FOUND THEN
			RAISE EXCEPTION USING ERRCODE = 'undefined_column', MESSAGE = format('attribute "%s" is no key of type S of table %s or its indexes', attribute.name, tbl);
		END IF;
		IF strpos(attribute.pattern, '*') = 0 THEN
			clauses := clauses || format('r.%I OPERATOR(pg_catalog.=) %L', attribute.name, attribute.pattern);
		ELSE
			clauses := clauses || format('%s.begins_with(r.%I, %L)', own_schema, attribute.name, split_part(attribute.pattern, '*', 1));
			-- More than a prefix: everything that has a meaning in a regular expression is escaped.
			IF strpos(attribute.pattern, '**') <> length(split_part(attribute.pattern, '*', 1)) + 1 THEN
				regular := regexp_replace(attribute.pattern, '([][(){}.+?^$|\\])', '\\\1', 'g');
				regular := '^' || replace(regexp_replace(regular, '\*\*$', '.+'), '*', '[^#]+') || '$';
				clauses := clauses || format('r.%I OPERATOR(pg_catalog.~) %L', attribute.name, regular);
			END IF;
		END IF;
	END LOOP;
	conditions := coalesce(array_to_string(clauses, ' AND '), 'true');
END
$$;
COMMENT ON FUNCTION entity_view_parts(regclass, json, json) IS 'columns and conditions of an entity view';

/*
 * entity_view_change()
 * The trigger of the views of create_entity_view, which makes changes of their rows changes of items.
 */
CREATE FUNCTION entity_view_change()
RETURNS trigger LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE AS $$
DECLARE
	-- The work is done in a search_path of its own; the write itself in the caller's, as triggers of the table mean names.
	caller_path pg_catalog.text := pg_catalog.current_setting('search_path');
	own_path pg_catalog.text := 'pg_catalog, @extschema@, pg_temp';
	tbl pg_catalog.regclass;
	own_key pg_catalog.text[];
	old_row pg_catalog.jsonb;
	new_row pg_catalog.jsonb;
	current_row pg_catalog.jsonb;
	key @extschema@.item;
	new_item @extschema@.item;
	changed pg_catalog.text[];
	removed pg_catalog.text[];
	assigned pg_catalog.text[];
	names pg_catalog.jsonb;
	update pg_catalog.text;
	is_changed boolean := true;
	fits boolean := true;
BEGIN
	PERFORM pg_catalog.set_config('search_path', own_path, true);
	-- From the catalog, so that table and view may be renamed.
	SELECT d.refobjid INTO STRICT tbl
	FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
	WHERE r.ev_class = TG_RELID AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> TG_RELID
	LIMIT 1;
	SELECT k.partition_key || k.sort_key INTO STRICT own_key FROM item_table_keys(tbl) AS k WHERE k.index IS NULL;
	-- Without columns that are NULL: what an item has not.
	IF TG_OP <> 'INSERT' THEN
		old_row := to_jsonb(OLD);
		old_row := old_row - ARRAY(SELECT o.key FROM jsonb_each(old_row) AS o WHERE o.value = 'null');
	END IF;
	IF TG_OP <> 'DELETE' THEN
		new_row := to_jsonb(NEW);
		new_row := new_row - ARRAY(SELECT n.key FROM jsonb_each(new_row) AS n WHERE n.value = 'null');
	END IF;
	IF TG_OP <> 'INSERT' THEN
		SELECT entity_view_item(TG_RELID, jsonb_object_agg(o.key, o.value)) INTO key FROM jsonb_each(old_row) AS o WHERE o.key = ANY (own_key);
	END IF;

	IF TG_OP = 'DELETE' THEN
		PERFORM set_config('search_path', caller_path, true);
		is_changed := @extschema@.delete_item(tbl, key, return_values => 'ALL_OLD') IS NOT NULL;
		PERFORM pg_catalog.set_config('search_path', own_path, true);
	ELSIF TG_OP = 'INSERT' THEN
		new_item := entity_view_item(TG_RELID, new_row);
		names := jsonb_build_object('#k', own_key[1]);
		BEGIN
			PERFORM set_config('search_path', caller_path, true);
			PERFORM @extschema@.put_item(tbl, new_item, 'attribute_not_exists(#k)', attribute_names => names);
			PERFORM pg_catalog.set_config('search_path', own_path, true);
		EXCEPTION WHEN SQLSTATE 'KV002' THEN
			RAISE EXCEPTION USING ERRCODE = 'KV014', MESSAGE = 'Duplicate primary key exists in table';
		END;
	ELSE
		-- Locked first, read then: the latest version must have what this statement has read and means to change.
		names := jsonb_build_object('#k', own_key[1]);
		PERFORM set_config('search_path', caller_path, true);
		PERFORM @extschema@.check_item(tbl, key, 'attribute_exists(#k) OR attribute_not_exists(#k)', attribute_names => names);
		PERFORM pg_catalog.set_config('search_path', own_path, true);
		EXECUTE format('SELECT to_jsonb(v) FROM %s AS v WHERE %s', TG_RELID::regclass,
			(SELECT string_agg(format('v.%1$I = ($1).%1$I', a), ' AND ') FROM unnest(own_key) AS a)) INTO current_row USING OLD;
		is_changed := current_row IS NOT NULL;
		current_row := current_row - ARRAY(SELECT c.key FROM jsonb_each(current_row) AS c WHERE c.value = 'null');
		SELECT array_agg(k ORDER BY k) INTO changed
		FROM (SELECT jsonb_object_keys(old_row) UNION SELECT jsonb_object_keys(new_row)) AS x(k) WHERE old_row -> k IS DISTINCT FROM new_row -> k;
		IF is_changed AND changed IS NOT NULL THEN
			PERFORM FROM unnest(changed) AS k WHERE current_row -> k IS DISTINCT FROM old_row -> k;
			IF FOUND THEN
				RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'could not serialize access due to concurrent update';
			END IF;
			SELECT array_agg(format('#a%1$s = :a%1$s', n) ORDER BY n) FILTER (WHERE new_row ? k), array_agg('#a' || n ORDER BY n) FILTER (WHERE NOT new_row ? k), jsonb_object_agg('#a' || n, k)
			INTO assigned, removed, names FROM unnest(changed) WITH ORDINALITY AS x(k, n);
			IF assigned IS NOT NULL THEN
				SELECT entity_view_item(TG_RELID, jsonb_object_agg(k, new_row -> k), jsonb_object_agg(k, ':a' || n)) INTO new_item FROM unnest(changed) WITH ORDINALITY AS x(k, n) WHERE new_row ? k;
			END IF;
			update := concat_ws(' ', 'SET ' || array_to_string(assigned, ', '), 'REMOVE ' || array_to_string(removed, ', '));
			PERFORM set_config('search_path', caller_path, true);
			PERFORM @extschema@.update_item(tbl, key, update, attribute_values => new_item, attribute_names => names);
			PERFORM pg_catalog.set_config('search_path', own_path, true);
		END IF;
	END IF;
	IF is_changed AND TG_OP <> 'DELETE' AND (TG_OP = 'INSERT' OR changed IS NOT NULL) THEN
		EXECUTE format('SELECT EXISTS (SELECT FROM %s AS v WHERE %s)', TG_RELID::regclass,
			(SELECT string_agg(format('v.%1$I = ($1).%1$I', a), ' AND ') FROM unnest(own_key) AS a)) INTO fits USING NEW;
	END IF;
	IF NOT fits THEN
		RAISE EXCEPTION USING ERRCODE = 'with_check_option_violation', MESSAGE = format('new item does not fit the key patterns of view %s', TG_RELID::regclass);
	END IF;
	PERFORM set_config('search_path', caller_path, true);
	IF NOT is_changed THEN
		RETURN NULL;
	ELSIF TG_OP = 'DELETE' THEN
		RETURN OLD;
	ELSE
		RETURN NEW;
	END IF;
END
$$;
COMMENT ON FUNCTION entity_view_change() IS 'trigger of the views of create_entity_view';

/*
 * entity_view_item(view, columns, names)
 * columns     values of columns of the view, as to_jsonb makes them of a row
 * names       {column: attribute}: what the attributes are called; NULL: as the columns
 * Returns     the item of them: numbers are N, bytea is B, arrays are sets, json is of whatever type it is, the text of any other type is S
 */
CREATE FUNCTION entity_view_item(view regclass, columns jsonb, names jsonb DEFAULT NULL)
RETURNS item LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, @extschema@, pg_temp AS $$
	SELECT coalesce(jsonb_object_agg(v.name, v.value) FILTER (WHERE v.type IS NULL), '{}')::item
		|| coalesce(json_object_agg(v.name, json_build_object(v.type, CASE v.type
				WHEN 'B' THEN to_json(translate(encode((v.value #>> '{}')::bytea, 'base64'), E'\n', ''))
				ELSE (SELECT coalesce(json_agg(CASE v.type WHEN 'BS' THEN translate(encode(e::bytea, 'base64'), E'\n', '') ELSE e END), '[]') FROM jsonb_array_elements_text(v.value) AS e) END))
			FILTER (WHERE v.type IS NOT NULL), '{}')::text::item
	FROM (SELECT coalesce(names ->> c.key, c.key) AS name, c.value, CASE WHEN a.atttypid = 'bytea'::regtype THEN 'B' ELSE entity_view_set(a.atttypid) END AS type
		FROM jsonb_each(columns) AS c JOIN pg_attribute AS a ON a.attrelid = view AND a.attname = c.key) AS v
$$;
COMMENT ON FUNCTION entity_view_item(regclass, jsonb, jsonb) IS 'the item of a row of an entity view';

-- (end of the design tools)

-- ==================================================================================================================
-- Layer 8, the endpoint: access keys
-- ==================================================================================================================

/*
 * singletable_access_key
 *
 * The access keys that requests over HTTP are signed with.  A signature can only be checked with the secret itself, so it is here in clear;
 * row-level security without a policy hides the rows from everybody but the owner and superusers, even after GRANT ... ON ALL TABLES and
 * from pg_read_all_data.  Only C code reads and writes it for others (create_access_key, list_access_keys, revoke_access_key, the endpoint).
 * It is no configuration table: a dump is copied, mailed and restored elsewhere, and should hold no passwords in clear (those of roles are in
 * pg_dumpall's, and hashed).  Physical backups, replicas and pg_upgrade keep it.  Its owner may change it by SQL.
 */
CREATE TABLE singletable_access_key (
	key_id text COLLATE "C" PRIMARY KEY CHECK (key_id ~ '^[!-~]{1,128}$'),
	secret text NOT NULL,
	role regrole NOT NULL,
	role_name name NOT NULL,
	description text,
	created timestamptz NOT NULL,
	created_by name NOT NULL,
	revoked timestamptz
);
CREATE INDEX singletable_access_key_role ON singletable_access_key (role);
ALTER TABLE singletable_access_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE singletable_access_key ALTER COLUMN secret SET STATISTICS 0;
REVOKE ALL ON singletable_access_key FROM PUBLIC;

COMMENT ON TABLE singletable_access_key IS 'access keys of the HTTP endpoint, with their secrets';
COMMENT ON COLUMN singletable_access_key.role_name IS 'the name of the role when the key was made: void under another name';
COMMENT ON COLUMN singletable_access_key.created_by IS 'the role that made the key';
COMMENT ON COLUMN singletable_access_key.revoked IS 'since when the key is void; NULL: it is not';

/*
 * access_key_changed()
 * The trigger of singletable_access_key: the workers of the endpoint forget what they have read of it.
 */
CREATE FUNCTION access_key_changed()
RETURNS trigger LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_access_key_changed';
COMMENT ON FUNCTION access_key_changed() IS 'trigger of singletable_access_key';

CREATE TRIGGER singletable_access_key_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON singletable_access_key
	FOR EACH STATEMENT EXECUTE FUNCTION access_key_changed();
ALTER TABLE singletable_access_key ENABLE ALWAYS TRIGGER singletable_access_key_changed;

/*
 * create_access_key(role, description)
 * role         a role that may log in, and whose privileges the caller has: its own, a role it is a member of; superusers: any
 * description  for people, shown by list_access_keys
 * Returns      the id of a new access key, and its secret, which is never shown again
 * Errors       42501 the caller does not have the privileges of role; 28000 the role may not log in; 54000 the role has 100 keys that are not
 *              revoked; 42704 no such role; 22004 role is NULL
 */
CREATE FUNCTION create_access_key(role regrole, description text DEFAULT NULL, OUT access_key_id text, OUT secret_access_key text)
RETURNS record LANGUAGE C VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_create_access_key';
COMMENT ON FUNCTION create_access_key(regrole, text) IS 'make an access key of the HTTP endpoint for a role';

/*
 * list_access_keys()
 * Returns     the access keys that the caller may revoke, in the order of their making: those of roles whose privileges it has, to the owner
 *             of the extension all; status is active, revoked, or why the key is void: role dropped, role renamed, role may not log in,
 *             role expired, role may not connect
 */
CREATE FUNCTION list_access_keys()
RETURNS TABLE (access_key_id text, role name, status text, description text, created timestamptz, created_by name, revoked timestamptz)
LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_list_access_keys';
COMMENT ON FUNCTION list_access_keys() IS 'access keys of the HTTP endpoint, without their secrets';

/*
 * revoke_access_key(access_key_id)
 * Returns     nothing; the key is void as soon as the transaction has committed, and stays in the list.  A revoked key stays as it is
 * Errors      42704 there is no such key among those that list_access_keys shows the caller
 */
CREATE FUNCTION revoke_access_key(access_key_id text)
RETURNS void LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'singletable_revoke_access_key';
COMMENT ON FUNCTION revoke_access_key(text) IS 'make an access key of the HTTP endpoint void';

-- (end of the access keys)

-- ------------------------------------------------------------------------------------------------------------------
-- Layer 8, the endpoint: statistics
-- ------------------------------------------------------------------------------------------------------------------

/*
 * endpoint_operations()
 * Returns     what the view endpoint_statistics shows
 */
CREATE FUNCTION endpoint_operations(OUT operation text, OUT requests bigint, OUT client_errors bigint, OUT server_errors bigint,
	OUT total_time double precision, OUT mean_time double precision, OUT median_time double precision, OUT p99_time double precision,
	OUT max_time double precision, OUT since timestamptz)
RETURNS SETOF record LANGUAGE C VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_endpoint_operations';
COMMENT ON FUNCTION endpoint_operations() IS 'behind the view endpoint_statistics';

/*
 * endpoint_statistics
 * Requests to the HTTP endpoint by operation since the last reset, "(none)" being those that came to no operation: requests, those answered with
 * a status of 4xx and 5xx, and milliseconds from the last byte of a request to its answer.  median_time and p99_time are at most a quarter too
 * large.  Without rows: no requests, or the library is not preloaded.
 */
CREATE VIEW endpoint_statistics AS SELECT * FROM endpoint_operations();
GRANT SELECT ON endpoint_statistics TO PUBLIC;
COMMENT ON VIEW endpoint_statistics IS 'requests to the HTTP endpoint and their latencies in milliseconds, by operation';

/*
 * endpoint_workers()
 * Returns     one row a worker of the HTTP endpoint: its number and pid, whether it is active or of the reserve, the connections it owns,
 *             and for how many milliseconds it has been executing its current request (0: none)
 */
CREATE FUNCTION endpoint_workers(OUT worker integer, OUT pid integer, OUT is_active boolean, OUT connections integer, OUT busy_time double precision)
RETURNS SETOF record LANGUAGE C VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_endpoint_workers';
COMMENT ON FUNCTION endpoint_workers() IS 'workers of the HTTP endpoint and their connections';

/*
 * reset_endpoint_statistics()
 * Makes endpoint_statistics begin anew; for superusers, and roles that they grant it to.
 */
CREATE FUNCTION reset_endpoint_statistics()
RETURNS void LANGUAGE C VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'singletable_reset_endpoint_statistics';
REVOKE EXECUTE ON FUNCTION reset_endpoint_statistics() FROM PUBLIC;
COMMENT ON FUNCTION reset_endpoint_statistics() IS 'begin the counts of endpoint_statistics anew';
