/*
 * src/sql/arguments.c
 *		Arguments of the SQL functions, and members of the JSON that some of them take, as parts of requests.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "commands/dbcommands.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/value.h"
#include "utils/builtins.h"
#include "utils/varlena.h"

#include "base/error.h"
#include "sql/sql_functions.h"

/* The service lists no more of them. */
#define MAX_CONSTRAINT_ERRORS 10

void
ConstraintErrorsInit(ConstraintErrors *errors)
{
	errors->count = 0;
	initStringInfo(&errors->text);
}

void
ConstraintErrorsAdd(ConstraintErrors *errors, const char *format,...)
{
	if (errors->count >= MAX_CONSTRAINT_ERRORS)
		return;
	if (errors->count > 0)
		appendStringInfoString(&errors->text, "; ");
	errors->count++;
	for (;;)
	{
		va_list		arguments;
		int			needed;

		va_start(arguments, format);
		needed = appendStringInfoVA(&errors->text, format, arguments);
		va_end(arguments);
		if (needed == 0)
			break;
		enlargeStringInfo(&errors->text, needed);
	}
}

void
ConstraintErrorsReport(const ConstraintErrors *errors)
{
	if (errors->count > 0)
		validation_error("%d validation %s detected: %s",
						 errors->count, errors->count == 1 ? "error" : "errors", errors->text.data);
}

ExpressionText
ExpressionTextFromArgument(FunctionCallInfo fcinfo, int argument)
{
	ExpressionText result = {NULL, 0};

	if (!PG_ARGISNULL(argument))
	{
		text	   *value = PG_GETARG_TEXT_PP(argument);

		result.data = VARDATA_ANY(value);
		result.length = VARSIZE_ANY_EXHDR(value);
	}
	return result;
}

/* The relation that a SQL identifier means, or InvalidOid. */
static Oid
resolve_identifier(const char *name)
{
	char	   *copy = pstrdup(name);
	List	   *parts;
	List	   *names = NIL;
	ListCell   *cell;
	RangeVar   *range;

	if (!SplitIdentifierString(copy, '.', &parts) || parts == NIL || list_length(parts) > 3)
		return InvalidOid;
	foreach(cell, parts)
		names = lappend(names, makeString(lfirst(cell)));
	range = makeRangeVarFromNameList(names);
	/* RangeVarGetRelid would raise an error of its own. */
	if (range->catalogname != NULL && strcmp(range->catalogname, get_database_name(MyDatabaseId)) != 0)
		return InvalidOid;
	return RangeVarGetRelid(range, NoLock, true);
}

Oid
TableNameResolve(void *name_pointer)
{
	const TableName *table_name = name_pointer;
	char	   *name = pnstrdup(table_name->name, table_name->length);
	Oid			relid = InvalidOid;

	/* U+0000 ends no name of PostgreSQL. */
	if (strlen(name) != table_name->length || table_name->length == 0)
		return InvalidOid;
	if (table_name->length < NAMEDATALEN)
		relid = RelnameGetRelid(name);
	if (!OidIsValid(relid))
		relid = resolve_identifier(name);
	return relid;
}

static const char *
name_scalar_kind(JsonKind kind)
{
	switch (kind)
	{
		case JSON_KIND_TRUE:
			return "TRUE_VALUE";
		case JSON_KIND_FALSE:
			return "FALSE_VALUE";
		case JSON_KIND_INTEGER:
			return "NUMBER_VALUE";
		case JSON_KIND_FRACTION:
			return "DECIMAL_VALUE";
		default:
			return "STRING_VALUE";
	}
}

char *
JsonStringMember(JsonReader *reader, uint32 *length)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_ARRAY)
		serialization_error("Unrecognized collection type class java.lang.String");
	if (kind == JSON_KIND_OBJECT)
		serialization_error("Start of structure or map found where not expected");
	if (kind != JSON_KIND_STRING)
		serialization_error("%s cannot be converted to String", name_scalar_kind(kind));
	JsonReaderString(reader);
	*length = reader->string.len;
	return pnstrdup(reader->string.data, reader->string.len);
}

void
JsonEnterStructure(JsonReader *reader, const char *type_name, bool is_element)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_ARRAY)
		serialization_error("Unrecognized collection type class com.amazonaws.dynamodb.v20120810.%s", type_name);
	if (kind != JSON_KIND_OBJECT)
		serialization_error(is_element ? "Unexpected value type in payload" : "Unexpected field type");
	JsonReaderEnterObject(reader);
}

void
JsonEnterMap(JsonReader *reader, const char *type_name)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_ARRAY)
		serialization_error("Unrecognized collection type java.util.Map<java.lang.String, %s>", type_name);
	if (kind != JSON_KIND_OBJECT)
		serialization_error("Unexpected field type");
	JsonReaderEnterObject(reader);
}

void
JsonEnterList(JsonReader *reader)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_OBJECT)
		serialization_error("Start of structure or map found where not expected");
	if (kind != JSON_KIND_ARRAY)
		serialization_error("Unexpected field type");
	JsonReaderEnterArray(reader);
}

bool
JsonSkipNull(JsonReader *reader)
{
	if (JsonReaderPeek(reader) != JSON_KIND_NULL)
		return false;
	JsonReaderSkip(reader);
	return true;
}

void
JsonReadNames(JsonReader *reader, Placeholders *placeholders)
{
	uint32		allocated = 8;
	uint32		count = 0;
	Attribute  *attributes = palloc(sizeof(Attribute) * allocated);
	bool		first = true;

	JsonEnterMap(reader, "java.lang.String");
	while (JsonReaderNextMember(reader, &first))
	{
		Attribute  *attribute;

		CHECK_FOR_INTERRUPTS();
		if (count == allocated)
		{
			allocated *= 2;
			attributes = repalloc(attributes, sizeof(Attribute) * allocated);
		}
		attribute = &attributes[count];
		attribute->name_length = reader->string.len;
		attribute->name = pnstrdup(reader->string.data, reader->string.len);
		if (JsonSkipNull(reader))
			continue;
		attribute->value.type = ATTRIBUTE_S;
		attribute->value.data = JsonStringMember(reader, &attribute->value.length);
		count++;
	}

	/* Of a repeated member the last one stays. */
	count = AttributesSort(attributes, count);
	placeholders->has_names = true;
	placeholders->name_count = count;
	placeholders->names = palloc0(sizeof(Placeholder) * Max(count, 1));
	for (uint32 i = 0; i < count; i++)
	{
		placeholders->names[i].key = attributes[i].name;
		placeholders->names[i].key_length = attributes[i].name_length;
		placeholders->names[i].name = attributes[i].value.data;
		placeholders->names[i].name_length = attributes[i].value.length;
	}
}

void
JsonReadValues(JsonReader *reader, Placeholders *placeholders)
{
	AttributeContainer map;

	ItemOpen(JsonReadItem(reader), &map);
	placeholders->has_values = true;
	placeholders->value_count = map.count;
	placeholders->values = palloc0(sizeof(Placeholder) * Max(map.count, 1));
	for (uint32 i = 0; i < map.count; i++)
	{
		Attribute	attribute;

		AttributeMapGet(&map, i, &attribute);
		placeholders->values[i].key = attribute.name;
		placeholders->values[i].key_length = attribute.name_length;
		placeholders->values[i].value = attribute.value;
	}
}
