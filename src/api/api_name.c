/*
 * src/api/api_name.c
 *		Table names of the API: their form, and the relations they stand for.
 *
 * Source: reference/errors, section 6; reference/tables-and-indexes, section 1.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "utils/lsyscache.h"

#include "api/api_internal.h"
#include "operation/table_settings.h"

#define NAME_MAX_LENGTH 255		/* characters */

/*
 * ApiTableNameFromArn
 *		arn:aws:dynamodb:<region>:<account>:table/<name>
 */
void
ApiTableNameFromArn(ApiString *name)
{
	static const char prefix[] = "arn:aws:dynamodb:";
	const char *position;

	if (name->data == NULL || strlen(name->data) != name->length || strncmp(name->data, prefix, sizeof(prefix) - 1) != 0)
		return;
	/* Whatever region and account it names: there is one of each here. */
	position = strchr(name->data + sizeof(prefix) - 1, ':');
	if (position != NULL)
		position = strchr(position + 1, ':');
	if (position == NULL || strncmp(position, ":table/", 7) != 0 ||
		!ApiNameIsValid(position + 7, strlen(position + 7)))
		return;
	name->length -= position + 7 - name->data;
	name->data = position + 7;
}

void
ApiTableNameCheck(ApiString *name)
{
	ApiConstraints constraints = {0};

	ApiTableNameFromArn(name);
	if (name->data == NULL)
		ApiCheckNotNull(&constraints, false, "tableName");
	else if (name->length == 0)
		ApiCheckLength(&constraints, name, "tableName", 1, 0);
	else if (!ApiNameIsValid(name->data, name->length))
		ApiCheckPattern(&constraints, name, "tableName");
	else
		ApiCheckLength(&constraints, name, "tableName", 1, NAME_MAX_LENGTH);
	ApiConstraintsRaise(&constraints);
}

Oid
ApiTableLookup(const char *name, uint32 length)
{
	if (length < NAMEDATALEN)
	{
		Oid			relid = RelnameGetRelid(name);
		char		relkind = OidIsValid(relid) ? get_rel_relkind(relid) : '\0';

		/* An index may have the name that the API gives to a table. */
		if (relkind != '\0' && relkind != RELKIND_INDEX && relkind != RELKIND_PARTITIONED_INDEX && relkind != RELKIND_COMPOSITE_TYPE)
			return relid;
	}
	return ItemTableNamed(name, length);
}

char *
ApiTableName(Oid relid)
{
	char	   *name = ItemTableMappedName(relid);

	return name ? name : get_rel_name(relid);
}

void
ApiWriteTableArn(StringInfo out, const char *name)
{
	appendStringInfo(out, "arn:aws:dynamodb:%s:%s:table/%s", API_REGION, API_ACCOUNT, name);
}

Oid
ApiTableResolve(void *state)
{
	ApiTable   *table = state;
	Oid			relid;

	table->request->resource = table->name;
	relid = ApiTableLookup(table->name, table->length);
	if (!OidIsValid(relid))
		ereport(ERROR, (errcode(ERRCODE_KV_RESOURCE_NOT_FOUND), errmsg(MESSAGE_NO_TABLE)));
	return relid;
}
