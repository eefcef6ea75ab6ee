/*
 * src/operation/table.c
 *		Creating an item table: the DDL that a person could write as well.
 *
 *		CREATE TABLE shop (pk text COLLATE "C" NOT NULL, sk text COLLATE "C" NOT NULL,
 *						   item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk))
 */
#include "postgres.h"

#include "catalog/heap.h"
#include "catalog/namespace.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "base/error.h"
#include "operation/table_operations.h"

void
RunStatement(const char *statement)
{
	int			result;

	SPI_connect();
	result = SPI_execute(statement, false, 0);
	if (result < 0)
		elog(ERROR, "%s: %s", SPI_result_code_string(result), statement);
	SPI_finish();
}

void
CheckKeyColumnName(const char *name)
{
	if (strlen(name) >= NAMEDATALEN)
		ereport(ERROR,
				(errcode(ERRCODE_KV_VALIDATION),
				 errmsg("One or more parameter values were invalid: Attribute %s cannot be a key", name),
				 errdetail("A key attribute is a column, and the name of a column has at most %d bytes.", NAMEDATALEN - 1)));
	if (SystemAttributeByName(name) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_KV_VALIDATION),
				 errmsg("One or more parameter values were invalid: Attribute %s cannot be a key", name),
				 errdetail("A key attribute is a column, and \"%s\" is the name of a system column.", name)));
}

void
AppendKeyColumn(StringInfo statement, const char *name, AttributeType type)
{
	const char *type_name = type == ATTRIBUTE_S ? "pg_catalog.text COLLATE pg_catalog.\"C\"" :
		type == ATTRIBUTE_N ? "pg_catalog.numeric" : "pg_catalog.bytea";

	appendStringInfo(statement, "%s %s", quote_identifier(name), type_name);
}

/* The name of the item column: one that no key has. */
static const char *
choose_item_column(const CreateTableRequest *request)
{
	const char *name = "item";
	int			number = 1;

	for (int i = 0; i < request->key_count; i++)
		if (strcmp(request->keys[i].name, name) == 0)
		{
			name = psprintf("item_%d", number++);
			i = -1;
		}
	return name;
}

Oid
OperationCreateTable(const CreateTableRequest *request)
{
	Oid			schema;
	const char *name = request->relation->relname;
	const char *extension_schema = quote_identifier(get_namespace_name(request->extension_schema));
	StringInfoData statement;

	if (request->key_count == 2 && strcmp(request->keys[0].name, request->keys[1].name) == 0)
		validation_error("Both the Hash Key and the Range Key element in the KeySchema have the same name");
	for (int i = 0; i < request->key_count; i++)
		CheckKeyColumnName(request->keys[i].name);

	schema = RangeVarGetCreationNamespace(request->relation);
	if (OidIsValid(get_relname_relid(name, schema)))
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_IN_USE),
				 errmsg("Table already exists: %s", name)));

	initStringInfo(&statement);
	appendStringInfo(&statement, "CREATE TABLE %s (", quote_qualified_identifier(get_namespace_name(schema), name));
	for (int i = 0; i < request->key_count; i++)
	{
		AppendKeyColumn(&statement, request->keys[i].name, request->keys[i].type);
		appendStringInfoString(&statement, " NOT NULL, ");
	}
	appendStringInfo(&statement, "%s %s.item NOT NULL DEFAULT '{}'::%s.item, PRIMARY KEY (%s",
					 quote_identifier(choose_item_column(request)), extension_schema, extension_schema,
					 quote_identifier(request->keys[0].name));
	if (request->key_count == 2)
		appendStringInfo(&statement, ", %s", quote_identifier(request->keys[1].name));
	appendStringInfoString(&statement, "))");
	RunStatement(statement.data);

	return get_relname_relid(name, schema);
}
