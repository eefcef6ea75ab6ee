/*
 * src/operation/table_index.c
 *		Creating an index of an item table: its key columns, what existing items have in them, the index.
 *
 * An attribute becomes a key by getting a column.  For a table (pk, sk, item) and an index on gsi1pk and rank:
 *
 *		ALTER TABLE shop ADD COLUMN gsi1pk text COLLATE "C", ADD COLUMN rank numeric
 *		UPDATE shop SET gsi1pk = item_text(item, 'gsi1pk'), rank = ..., item = item - '{gsi1pk, rank}' WHERE ...
 *		CREATE INDEX shop_gsi1 ON shop USING gsi (gsi1pk, rank, pk, sk) WITH (name = 'gsi1', sort_keys = 1)
 *
 * Items whose attribute cannot be a key (another type, empty, too long) are not in the index, as in DynamoDB: such a value stays in
 * the item column, or goes back there from a column that no index had as its key until now.
 *
 * On a large table in use, do the same by hand: ADD COLUMN, the UPDATE in batches, CREATE INDEX CONCURRENTLY.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/error.h"
#include "operation/table_operations.h"

#define INVALID_PARAMETER "One or more parameter values were invalid: "

#define MAX_LOCAL_INDEXES 5
#define MAX_GLOBAL_INDEXES 20

/* Source: reference/tables-and-indexes, 2.3 and 5 */
static void
check_key_schema(const CreateIndexRequest *request)
{
	int			key_count = request->partition_count + request->sort_count;

	if (request->partition_count > INDEX_MAX_PARTITION_KEYS)
		validation_error(INVALID_PARAMETER "The KeySchema exceeds the maximum allowed number of HASH key attributes");
	if (request->sort_count > INDEX_MAX_SORT_KEYS)
		validation_error(INVALID_PARAMETER "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
	for (int i = 0; i < key_count; i++)
		for (int j = 0; j < i; j++)
			if (strcmp(request->keys[i].name, request->keys[j].name) == 0)
				validation_error(key_count == 2 && request->sort_count == 1 ?
								 "Both the Hash Key and the Range Key element in the KeySchema have the same name" :
								 "The KeySchema contains multiple key attributes with the same name");
}

static void
check_local_keys(const CreateIndexRequest *request, const TableDescriptor *table)
{
	const char *partition_key = TableKeyAttribute(table, 0)->name;

	if (table->key_count < 2)
		validation_error(INVALID_PARAMETER "Table KeySchema does not have a range key, which is required when specifying a "
						 "LocalSecondaryIndex");
	if (request->sort_count == 0)
		validation_error(INVALID_PARAMETER "Index KeySchema does not have a range key for index: %s", request->name);
	if (strcmp(request->keys[0].name, partition_key) != 0)
		validation_error(INVALID_PARAMETER "Index KeySchema does not have the same leading hash key as table KeySchema for index: "
						 "%s. index hash key: %s, table hash key: %s", request->name, request->keys[0].name, partition_key);
}

static void
check_projection(const CreateIndexRequest *request)
{
	if (!request->has_projection)
		validation_error(INVALID_PARAMETER "Unknown ProjectionType: null");
	if (request->projection != PROJECTION_INCLUDE && request->non_key_attribute_count > 0)
		validation_error(INVALID_PARAMETER "ProjectionType is %s, but NonKeyAttributes is specified",
						 request->projection == PROJECTION_ALL ? "ALL" : "KEYS_ONLY");
	if (request->projection == PROJECTION_INCLUDE && request->non_key_attribute_count == 0)
		validation_error(INVALID_PARAMETER "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
	for (int i = 0; i < request->non_key_attribute_count; i++)
		for (int j = 0; j < i; j++)
			if (strcmp(request->non_key_attributes[i], request->non_key_attributes[j]) == 0)
				validation_error(INVALID_PARAMETER "Duplicate element in NonKeyAttributes: %s", request->non_key_attributes[i]);
}

/* CREATE INDEX knows no such limits; who needs more indexes than DynamoDB has may use it. */
static void
check_other_indexes(const CreateIndexRequest *request, const TableDescriptor *table)
{
	int			count = 0;

	for (int i = 0; i < table->index_count; i++)
	{
		if (strcmp(table->indexes[i].name, request->name) == 0)
			validation_error(INVALID_PARAMETER "Duplicate index name: %s", request->name);
		if (table->indexes[i].is_local == request->is_local)
			count++;
	}
	if (request->is_local && count >= MAX_LOCAL_INDEXES)
		validation_error(INVALID_PARAMETER "Number of LocalSecondaryIndexes exceeds per-table limit of %d", MAX_LOCAL_INDEXES);
	if (!request->is_local && count >= MAX_GLOBAL_INDEXES)
		validation_error(INVALID_PARAMETER "GlobalSecondaryIndex count exceeds the per-table limit of %d", MAX_GLOBAL_INDEXES);
}

/*
 * The types of the index's key attributes, and which of them have no column yet (attributes[i] is NULL).
 */
static void
resolve_keys(const CreateIndexRequest *request, const TableDescriptor *table,
			 AttributeType *types, const PromotedAttribute **attributes)
{
	for (int i = 0; i < request->partition_count + request->sort_count; i++)
	{
		const char *name = request->keys[i].name;
		AttributeType type = request->keys[i].type;
		const PromotedAttribute *attribute = TableFindAttribute(table, name, strlen(name));

		if (attribute == NULL)
		{
			CheckKeyColumnName(name);
			if (get_attnum(table->relid, name) != InvalidAttrNumber)
				ereport(ERROR,
						(errcode(ERRCODE_KV_VALIDATION),
						 errmsg(INVALID_PARAMETER "Attribute %s cannot be a key", name),
						 strcmp(name, table->item_column) == 0 ?
						 errdetail("The column of this name holds all other attributes.") :
						 errdetail("The column of this name is not a plain column of type text, numeric (without precision) or bytea."),
						 errhint("ALTER TABLE %s RENAME COLUMN %s TO ... makes the name free.",
								 table->qualified_name, quote_identifier(name))));
		}
		else if (type != 0 && type != attribute->type)
		{
			const char *key_type = i < request->partition_count ? "HASH" : "RANGE";

			validation_error(INVALID_PARAMETER "Attributes cannot be redefined. Please check that your attribute has the same type as "
							 "previously defined. Existing schema: Schema:[SchemaElement: key{%s:%s:%s}] "
							 "New schema: Schema:[SchemaElement: key{%s:%s:%s}]",
							 name, AttributeTypeName(attribute->type), key_type, name, AttributeTypeName(type), key_type);
		}
		attributes[i] = attribute;
		types[i] = attribute != NULL ? attribute->type : type != 0 ? type : ATTRIBUTE_S;
	}
}

/*
 * lock_table
 *		Locks the table as strongly as will be needed, before anything is looked at, so that the lock need not be upgraded.
 */
static void
lock_table(const CreateIndexRequest *request)
{
	/* No relation at all: TableOpen says it. */
	if (get_rel_name(request->relid) == NULL)
		return;
	if (!RelationIsOwnedBy(request->relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(request->relid));

	for (int i = 0; i < request->partition_count + request->sort_count; i++)
		if (get_attnum(request->relid, request->keys[i].name) == InvalidAttrNumber)
		{
			LockRelationOid(request->relid, AccessExclusiveLock);
			return;
		}
	LockRelationOid(request->relid, ShareRowExclusiveLock);
}

static void
add_columns(const CreateIndexRequest *request, const TableDescriptor *table,
			const AttributeType *types, const PromotedAttribute **attributes)
{
	StringInfoData statement;
	bool		is_first = true;

	initStringInfo(&statement);
	appendStringInfo(&statement, "ALTER TABLE %s", table->qualified_name);
	for (int i = 0; i < request->partition_count + request->sort_count; i++)
		if (attributes[i] == NULL)
		{
			appendStringInfoString(&statement, is_first ? " ADD COLUMN " : ", ADD COLUMN ");
			AppendKeyColumn(&statement, request->keys[i].name, types[i]);
			is_first = false;
		}
	if (!is_first)
		RunStatement(statement.data);
}

/* What the statement that moves values says of one key column.  All as SQL. */
typedef struct KeyMove
{
	char	   *column;			/* t."gsi1pk" */
	char	   *name;			/* 'gsi1pk' */
	char	   *is_movable;		/* the item column has a value that the key can have */
	char	   *value;			/* that value */
	char	   *is_unfit;		/* the column has one that it cannot have; NULL: it never has */
	char	   *unfit;			/* that value, as an item of this attribute */
} KeyMove;

/*
 * describe_move
 *		Fills move for one key.  schema is the extension's, quoted; item the item column, quoted and qualified.
 *
 * Every name in the statement is qualified: it runs under the search_path of the caller, which his triggers may need.
 */
static void
describe_move(KeyMove *move, const char *name, AttributeType type, bool may_be_unfit, int max_bytes, const char *schema,
			  const char *item)
{
	StringInfoData names;
	char	   *fits = NULL;
	char	   *stored;

	move->column = psprintf("t.%s", quote_identifier(name));
	move->name = quote_literal_cstr(name);
	move->is_unfit = move->unfit = NULL;
	switch (type)
	{
		case ATTRIBUTE_N:
			/* Every number can be a key. */
			move->value = psprintf("%s.item_numeric(%s, %s)", schema, item, move->name);
			move->is_movable = psprintf("(%s IS NULL AND %s.item_type(%s, %s) OPERATOR(pg_catalog.=) 'N')",
										move->column, schema, item, move->name);
			return;
		case ATTRIBUTE_S:
			move->value = psprintf("%s.item_text(%s, %s)", schema, item, move->name);
			/* A text cannot hold U+0000, and item_text() would raise an error. */
			initStringInfo(&names);
			appendStringInfoString(&names, "{\"#a\": ");
			escape_json(&names, name);
			appendStringInfoChar(&names, '}');
			fits = psprintf(" AND NOT %s.item_matches(%s, 'contains(#a, :u0000)', %s::%s.item, %s::pg_catalog.jsonb)",
							schema, item, quote_literal_cstr("{\":u0000\": {\"S\": \"\\u0000\"}}"), schema,
							quote_literal_cstr(names.data));
			stored = psprintf("%s::pg_catalog.text", move->column);
			break;
		default:
			move->value = psprintf("%s.item_bytea(%s, %s)", schema, item, move->name);
			/* encode() breaks lines. */
			stored = psprintf("pg_catalog.replace(pg_catalog.encode(%s, 'base64'), E'\\n', '')", move->column);
			break;
	}
	/* CASE: the order of AND is the planner's. */
	move->is_movable = psprintf("(CASE WHEN %s IS NULL AND %s.item_type(%s, %s) OPERATOR(pg_catalog.=) '%s'%s "
								"THEN pg_catalog.octet_length(%s) OPERATOR(pg_catalog.>=) 1 AND "
								"pg_catalog.octet_length(%s) OPERATOR(pg_catalog.<=) %d ELSE false END)",
								move->column, schema, item, move->name, AttributeTypeName(type), fits ? fits : "",
								move->value, move->value, max_bytes);
	if (may_be_unfit)
	{
		move->is_unfit = psprintf("(%s IS NOT NULL AND (pg_catalog.octet_length(%s) OPERATOR(pg_catalog.<) 1 OR "
								  "pg_catalog.octet_length(%s) OPERATOR(pg_catalog.>) %d))",
								  move->column, move->column, move->column, max_bytes);
		move->unfit = psprintf("%s.item_from_dynamodb_json(pg_catalog.json_build_object(%s, pg_catalog.json_build_object('%s', %s)))",
							   schema, move->name, AttributeTypeName(type), stored);
	}
}

/*
 * append_item_value
 *		The new value of the item column: without what moved into columns, with what came back.
 */
static void
append_item_value(StringInfo statement, const KeyMove *moves, int count, const char *schema, const char *item)
{
	StringInfoData value;

	initStringInfo(&value);
	appendStringInfo(&value, "%s.item_remove(%s, ARRAY[", schema, item);
	for (int i = 0; i < count; i++)
		appendStringInfo(&value, "%sCASE WHEN %s THEN %s END", i > 0 ? ", " : "", moves[i].is_movable, moves[i].name);
	appendStringInfoString(&value, "]::pg_catalog.text[])");
	for (int i = 0; i < count; i++)
		if (moves[i].is_unfit != NULL)
		{
			char	   *inner = pstrdup(value.data);

			resetStringInfo(&value);
			appendStringInfo(&value, "%s.item_merge(%s, CASE WHEN %s THEN %s ELSE '{}'::%s.item END)",
							 schema, inner, moves[i].is_unfit, moves[i].unfit, schema);
		}
	appendStringInfoString(statement, value.data);
}

/* The extension's schema, where its functions are, is that of its type. */
static Oid
get_type_schema(Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Oid			result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", type);
	result = ((Form_pg_type) GETSTRUCT(tuple))->typnamespace;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * move_values
 *		Moves the values of the index's key attributes between the item column and their own, in one statement.
 */
static void
move_values(const CreateIndexRequest *request, const TableDescriptor *table,
			const AttributeType *types, const PromotedAttribute **attributes)
{
	const char *schema = quote_identifier(get_namespace_name(get_type_schema(table->item_type)));
	const char *item = psprintf("t.%s", quote_identifier(table->item_column));
	KeyMove		moves[INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS];
	int			count = 0;
	StringInfoData statement;

	for (int i = 0; i < request->partition_count + request->sort_count; i++)
	{
		const PromotedAttribute *attribute = attributes[i];

		if (attribute != NULL && attribute->key_position >= 0)
			continue;
		describe_move(&moves[count++], request->keys[i].name, types[i], attribute != NULL && !attribute->is_index_key,
					  i < request->partition_count ? KEY_MAX_PARTITION_BYTES : KEY_MAX_SORT_BYTES, schema, item);
	}
	if (count == 0)
		return;

	initStringInfo(&statement);
	appendStringInfo(&statement, "UPDATE %s AS t SET ", table->qualified_name);
	for (int i = 0; i < count; i++)
	{
		/* The target column is not qualified. */
		appendStringInfo(&statement, "%s = CASE WHEN %s THEN %s", moves[i].column + strlen("t."), moves[i].is_movable,
						 moves[i].value);
		if (moves[i].is_unfit != NULL)
			appendStringInfo(&statement, " WHEN %s THEN NULL", moves[i].is_unfit);
		appendStringInfo(&statement, " ELSE %s END, ", moves[i].column);
	}
	appendStringInfo(&statement, "%s = ", item + strlen("t."));
	append_item_value(&statement, moves, count, schema, item);
	for (int i = 0; i < count; i++)
	{
		appendStringInfo(&statement, " %s %s", i == 0 ? "WHERE" : "OR", moves[i].is_movable);
		if (moves[i].is_unfit != NULL)
			appendStringInfo(&statement, " OR %s", moves[i].is_unfit);
	}
	RunStatement(statement.data);
}

/* The name of the index relation: table_name, made to fit and unique as the server does it. */
static char *
choose_relation_name(const char *table_name, const char *name, Oid schema)
{
	for (int number = 0;; number++)
	{
		char	   *result = makeObjectName(table_name, name, number > 0 ? psprintf("%d", number) : NULL);

		if (!OidIsValid(get_relname_relid(result, schema)))
			return result;
	}
}

static void
append_options(StringInfo statement, const CreateIndexRequest *request)
{
	appendStringInfo(statement, " WITH (name = %s", quote_literal_cstr(request->name));
	if (request->partition_count != 1)
		appendStringInfo(statement, ", partition_keys = %d", request->partition_count);
	appendStringInfo(statement, ", sort_keys = %d", request->sort_count);
	if (request->projection != PROJECTION_ALL)
		appendStringInfo(statement, ", projection = '%s'", request->projection == PROJECTION_KEYS_ONLY ? "KEYS_ONLY" : "INCLUDE");
	if (request->non_key_attribute_count > 0)
	{
		StringInfoData names;

		initStringInfo(&names);
		for (int i = 0; i < request->non_key_attribute_count; i++)
		{
			appendStringInfoString(&names, i == 0 ? "[" : ", ");
			escape_json(&names, request->non_key_attributes[i]);
		}
		appendStringInfoChar(&names, ']');
		appendStringInfo(statement, ", non_key_attributes = %s", quote_literal_cstr(names.data));
	}
	appendStringInfoChar(statement, ')');
}

/* The index's columns: its own keys, then those of the table that are not among them. */
static void
append_columns(StringInfo statement, const CreateIndexRequest *request, const TableDescriptor *table)
{
	int			key_count = request->partition_count + request->sort_count;

	for (int i = 0; i < key_count; i++)
		appendStringInfo(statement, "%s%s", i > 0 ? ", " : "", quote_identifier(request->keys[i].name));
	for (int i = 0; i < table->key_count; i++)
	{
		const char *name = TableKeyAttribute(table, i)->name;
		bool		found = false;

		for (int j = 0; j < key_count; j++)
			found |= strcmp(request->keys[j].name, name) == 0;
		if (!found)
			appendStringInfo(statement, ", %s", quote_identifier(name));
	}
}

Oid
OperationCreateIndex(const CreateIndexRequest *request)
{
	const PromotedAttribute *attributes[INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS];
	AttributeType types[INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS];
	const TableDescriptor *table;
	Oid			schema;
	char	   *relation_name;
	StringInfoData statement;

	check_key_schema(request);
	lock_table(request);
	table = TableOpen(request->relid, AccessShareLock);
	if (request->is_local)
		check_local_keys(request, table);
	check_projection(request);
	check_other_indexes(request, table);
	resolve_keys(request, table, types, attributes);

	/* A policy that hides rows from their owner would leave them out of the index, silently and for good. */
	if (check_enable_rls(request->relid, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row-level security of table \"%s\" may hide items that belong into the index", table->name),
				 errhint("Create the index as a role with BYPASSRLS, or after ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.")));

	add_columns(request, table, types, attributes);
	move_values(request, table, types, attributes);

	schema = get_rel_namespace(request->relid);
	relation_name = choose_relation_name(table->name, request->name, schema);
	initStringInfo(&statement);
	appendStringInfo(&statement, "CREATE INDEX %s ON %s USING %s (", quote_identifier(relation_name), table->qualified_name,
					 request->is_local ? "lsi" : "gsi");
	append_columns(&statement, request, table);
	appendStringInfoChar(&statement, ')');
	append_options(&statement, request);
	RunStatement(statement.data);

	return get_relname_relid(relation_name, schema);
}
