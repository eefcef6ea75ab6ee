/*
 * src/sql/table_functions.c
 *		create_item_table, create_item_index, describe_item_table: arguments to requests.
 *
 * The shape of the arguments is checked here, with the texts and in the order of DynamoDB's CreateTable (reference/tables-and-indexes,
 * 2.1 and 2.2), whose members the arguments stand for.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "nodes/value.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "base/compat.h"
#include "base/error.h"
#include "operation/table_operations.h"
#include "sql/sql_functions.h"

#define INDEX_NAME_MIN 3
#define INDEX_NAME_MAX 255
#define KEY_NAME_MAX 255
#define NON_KEY_ATTRIBUTES_MAX 20

#define FAILED " failed to satisfy constraint: "

/* Strings of a text or text[] argument; a NULL among them is NULL. */
typedef struct StringList
{
	int			count;
	const char **strings;
} StringList;

static StringList
get_strings(FunctionCallInfo fcinfo, int argument, bool is_array)
{
	StringList	result = {0, NULL};

	if (PG_ARGISNULL(argument))
		return result;
	if (is_array)
	{
		Datum	   *members;
		bool	   *nulls;

		deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument), TEXTOID, -1, false, TYPALIGN_INT, &members, &nulls, &result.count);
		result.strings = palloc(Max(result.count, 1) * sizeof(char *));
		for (int i = 0; i < result.count; i++)
			result.strings[i] = nulls[i] ? NULL : TextDatumGetCString(members[i]);
	}
	else
	{
		result.count = 1;
		result.strings = palloc(sizeof(char *));
		result.strings[0] = text_to_cstring(PG_GETARG_TEXT_PP(argument));
	}
	return result;
}

static bool
parse_type(const char *text, AttributeType *type)
{
	if (strlen(text) != 1 || strchr("SNB", text[0]) == NULL)
		return false;
	return AttributeTypeFromName(text, 1, type);
}

/* One key attribute's name.  path is that of the key schema, position counts from 1. */
static void
check_key_name(ConstraintErrors *errors, const char *path, int position, const char *name)
{
	if (name == NULL)
		ConstraintErrorsAdd(errors, "Value null at '%s.%d.member.attributeName'" FAILED "Member must not be null", path, position);
	else if (name[0] == '\0')
		ConstraintErrorsAdd(errors, "Value '' at '%s.%d.member.attributeName'" FAILED
							"Member must have length greater than or equal to 1", path, position);
	else if (strlen(name) > KEY_NAME_MAX)
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.%d.member.attributeName'" FAILED
							"Member must have length less than or equal to %d", name, path, position, KEY_NAME_MAX);
}

/*
 * check_type
 *		The type of the key attribute at position, counted from 1; NULL only where it may be left out.
 */
static AttributeType
check_type(ConstraintErrors *errors, int position, const char *text, bool is_optional)
{
	AttributeType type = 0;

	if (text == NULL)
	{
		if (!is_optional)
			ConstraintErrorsAdd(errors, "Value null at 'attributeDefinitions.%d.member.attributeType'" FAILED
								"Member must not be null", position);
	}
	else if (!parse_type(text, &type))
		ConstraintErrorsAdd(errors, "Value '%s' at 'attributeDefinitions.%d.member.attributeType'" FAILED
							"Member must satisfy enum value set: [B, N, S]", text, position);
	return type;
}

/*
 * check_identifier_length
 *		KV001 if a part of a SQL name is longer than the server can keep: it would be cut without a word.
 */
static void
check_identifier_length(const char *text)
{
	int			length = 0;
	bool		is_quoted = false;

	for (const char *c = text; *c != '\0'; c++)
	{
		if (*c == '"')
		{
			/* A doubled quote counts once. */
			if (is_quoted && c[1] == '"')
			{
				c++;
				length++;
			}
			else
				is_quoted = !is_quoted;
			continue;
		}
		if (*c == '.' && !is_quoted)
			length = 0;
		else if (is_quoted || !isspace((unsigned char) *c))
			length++;
		if (length >= NAMEDATALEN)
			ereport(ERROR,
					(errcode(ERRCODE_KV_VALIDATION),
					 errmsg("table name is too long: %s", text),
					 errdetail("The name of a table has at most %d bytes.", NAMEDATALEN - 1)));
	}
}

/*
 * create_item_table(name, partition_key, sort_key, partition_key_type, sort_key_type)
 */
SQL_FUNCTION(singletable_create_item_table);
Datum
singletable_create_item_table(PG_FUNCTION_ARGS)
{
	CreateTableRequest request = {0};
	ConstraintErrors errors;
	char	   *name;

	if (PG_ARGISNULL(0))
		validation_error("The parameter 'TableName' is required but was not present in the request");
	name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	check_identifier_length(name);

	ConstraintErrorsInit(&errors);
	if (PG_ARGISNULL(1))
		ConstraintErrorsAdd(&errors, "Value null at 'keySchema'" FAILED "Member must not be null");
	request.key_count = PG_ARGISNULL(2) ? 1 : 2;
	for (int i = 0; i < request.key_count; i++)
		if (!PG_ARGISNULL(1 + i))
		{
			request.keys[i].name = text_to_cstring(PG_GETARG_TEXT_PP(1 + i));
			check_key_name(&errors, "keySchema", i + 1, request.keys[i].name);
		}
	for (int i = 0; i < request.key_count; i++)
		request.keys[i].type = check_type(&errors, i + 1,
										  PG_ARGISNULL(3 + i) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(3 + i)), false);
	ConstraintErrorsReport(&errors);

	request.relation = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(name)));
	request.extension_schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	PG_RETURN_OID(OperationCreateTable(&request));
}

/* The name of an index.  path is "localSecondaryIndexes.1.member" or the like. */
static void
check_index_name(ConstraintErrors *errors, const char *path, const char *name)
{
	if (name == NULL)
	{
		ConstraintErrorsAdd(errors, "Value null at '%s.indexName'" FAILED "Member must not be null", path);
		return;
	}
	if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") != strlen(name))
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.indexName'" FAILED
							"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+", name, path);
	if (strlen(name) < INDEX_NAME_MIN)
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.indexName'" FAILED
							"Member must have length greater than or equal to %d", name, path, INDEX_NAME_MIN);
	if (strlen(name) > INDEX_NAME_MAX)
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.indexName'" FAILED
							"Member must have length less than or equal to %d", name, path, INDEX_NAME_MAX);
}

static void
check_projection(ConstraintErrors *errors, const char *path, const char *text, CreateIndexRequest *request)
{
	request->has_projection = text != NULL;
	if (text == NULL)
		return;
	if (strcmp(text, "ALL") == 0)
		request->projection = PROJECTION_ALL;
	else if (strcmp(text, "KEYS_ONLY") == 0)
		request->projection = PROJECTION_KEYS_ONLY;
	else if (strcmp(text, "INCLUDE") == 0)
		request->projection = PROJECTION_INCLUDE;
	else
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.projection.projectionType'" FAILED
							"Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]", text, path);
}

/* "[a, b]", as the service prints a list. */
static char *
format_strings(const StringList *list)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoChar(&text, '[');
	for (int i = 0; i < list->count; i++)
		appendStringInfo(&text, "%s%s", i > 0 ? ", " : "", list->strings[i] ? list->strings[i] : "null");
	appendStringInfoChar(&text, ']');
	return text.data;
}

static void
check_non_key_attributes(ConstraintErrors *errors, const char *path, const StringList *names)
{
	if (names->count == 0)
		ConstraintErrorsAdd(errors, "Value '[]' at '%s.projection.nonKeyAttributes'" FAILED
							"Member must have length greater than or equal to 1", path);
	if (names->count > NON_KEY_ATTRIBUTES_MAX)
		ConstraintErrorsAdd(errors, "Value '%s' at '%s.projection.nonKeyAttributes'" FAILED
							"Member must have length less than or equal to %d", format_strings(names), path, NON_KEY_ATTRIBUTES_MAX);
	for (int i = 0; i < names->count; i++)
		if (names->strings[i] == NULL || names->strings[i][0] == '\0' || strlen(names->strings[i]) > KEY_NAME_MAX)
		{
			ConstraintErrorsAdd(errors, "Value '%s' at '%s.projection.nonKeyAttributes'" FAILED
								"Member must satisfy constraint: [Member must have length less than or equal to %d, "
								"Member must have length greater than or equal to 1]", format_strings(names), path, KEY_NAME_MAX);
			break;
		}
}

/* A local index has a partition key and a sort key, no more. */
static void
check_local_key_count(ConstraintErrors *errors, const char *path, const StringList *partition_keys, const StringList *sort_keys)
{
	StringInfoData text;

	if (partition_keys->count + sort_keys->count <= TABLE_MAX_KEYS)
		return;
	initStringInfo(&text);
	for (int i = 0; i < partition_keys->count + sort_keys->count; i++)
	{
		bool		is_partition_key = i < partition_keys->count;
		const char *name = is_partition_key ? partition_keys->strings[i] : sort_keys->strings[i - partition_keys->count];

		appendStringInfo(&text, "%sKeySchemaElement(attributeName=%s, keyType=%s)", i > 0 ? ", " : "", name ? name : "null",
						 is_partition_key ? "HASH" : "RANGE");
	}
	ConstraintErrorsAdd(errors, "Value '[%s]' at '%s.keySchema'" FAILED "Member must have length less than or equal to %d",
						text.data, path, TABLE_MAX_KEYS);
}

/* is_array: keys and their types are text[], otherwise text. */
static Oid
create_index(FunctionCallInfo fcinfo, bool is_array)
{
	CreateIndexRequest request = {0};
	ConstraintErrors errors;
	StringList	names[2] = {get_strings(fcinfo, 2, is_array), get_strings(fcinfo, 3, is_array)};
	StringList	types[2] = {get_strings(fcinfo, 4, is_array), get_strings(fcinfo, 5, is_array)};
	StringList	non_key_attributes = get_strings(fcinfo, 7, true);
	KeyDefinition *keys = palloc0((names[0].count + names[1].count + 1) * sizeof(KeyDefinition));
	const char *path;
	char	   *key_path;
	int			key_count = 0;

	if (PG_ARGISNULL(0))
		validation_error("The parameter 'TableName' is required but was not present in the request");
	request.relid = PG_GETARG_OID(0);
	request.name = PG_ARGISNULL(1) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(1));
	request.is_local = !PG_ARGISNULL(8) && PG_GETARG_BOOL(8);
	path = request.is_local ? "localSecondaryIndexes.1.member" : "globalSecondaryIndexes.1.member";
	key_path = psprintf("%s.keySchema", path);

	ConstraintErrorsInit(&errors);
	for (int part = 0; part < 2; part++)
		for (int i = 0; i < names[part].count; i++)
		{
			keys[key_count].name = names[part].strings[i];
			keys[key_count].type = check_type(&errors, key_count + 1, i < types[part].count ? types[part].strings[i] : NULL, true);
			key_count++;
		}
	check_index_name(&errors, path, request.name);
	if (names[0].count == 0)
		ConstraintErrorsAdd(&errors, "Value %s at '%s'" FAILED "%s", PG_ARGISNULL(2) ? "null" : "'[]'", key_path,
							PG_ARGISNULL(2) ? "Member must not be null" : "Member must have length greater than or equal to 1");
	for (int i = 0; i < key_count; i++)
		check_key_name(&errors, key_path, i + 1, keys[i].name);
	if (request.is_local)
		check_local_key_count(&errors, path, &names[0], &names[1]);
	check_projection(&errors, path, PG_ARGISNULL(6) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(6)), &request);
	if (!PG_ARGISNULL(7))
		check_non_key_attributes(&errors, path, &non_key_attributes);
	ConstraintErrorsReport(&errors);
	for (int part = 0; part < 2; part++)
		if (types[part].count > names[part].count)
			ereport(ERROR,
					(errcode(ERRCODE_KV_VALIDATION),
					 errmsg("there are more types than %s key attributes", part == 0 ? "partition" : "sort")));

	request.partition_count = names[0].count;
	request.sort_count = names[1].count;
	request.keys = keys;
	request.non_key_attribute_count = non_key_attributes.count;
	request.non_key_attributes = non_key_attributes.strings;
	return OperationCreateIndex(&request);
}

/*
 * create_item_index(tbl, name, partition_key, sort_key, partition_key_type, sort_key_type, projection, non_key_attributes, local)
 */
SQL_FUNCTION(singletable_create_item_index);
Datum
singletable_create_item_index(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(create_index(fcinfo, false));
}

/*
 * The same with arrays of keys and types.
 */
SQL_FUNCTION(singletable_create_item_index_array);
Datum
singletable_create_item_index_array(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(create_index(fcinfo, true));
}

/*
 * describe_item_table(tbl)
 */
SQL_FUNCTION(singletable_describe_item_table);
Datum
singletable_describe_item_table(PG_FUNCTION_ARGS)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	OperationDescribeTable(PG_GETARG_OID(0), &json);
	appendStringInfoChar(&json, '}');
	PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data)));
}
