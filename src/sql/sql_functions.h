/*
 * src/sql/sql_functions.h
 *		What the SQL functions share: arguments to requests.
 */
#ifndef SINGLETABLE_SQL_FUNCTIONS_H
#define SINGLETABLE_SQL_FUNCTIONS_H

#include "item/json.h"
#include "operation/operation.h"

/*
 * Failed constraints of a request's members, which are reported together.
 * Source	reference/errors, section 6
 */
typedef struct ConstraintErrors
{
	int			count;
	StringInfoData text;
} ConstraintErrors;

extern void ConstraintErrorsInit(ConstraintErrors *errors);
/* Adds "Value ... at '...' failed to satisfy constraint: ...", given as format and arguments. */
extern void ConstraintErrorsAdd(ConstraintErrors *errors, const char *format,...) pg_attribute_printf(2, 3);
/* KV001 if there is any. */
extern void ConstraintErrorsReport(const ConstraintErrors *errors);

/* A text argument as an expression; absent when it is NULL. */
extern ExpressionText ExpressionTextFromArgument(FunctionCallInfo fcinfo, int argument);

/* A table's name as a request gives it. */
typedef struct TableName
{
	const char *name;			/* not NUL-terminated */
	uint32		length;
} TableName;

/*
 * The table of that name, for ItemRequest.resolve_table: a relation of exactly this name in the search path, else what the name
 * means as a SQL identifier (qualified, quoted).  InvalidOid if there is neither.
 */
extern Oid	TableNameResolve(void *name);

/* JSON members, as the service binds them: KV011 with its texts for a wrong kind of value.  The next value is read. */
extern char *JsonStringMember(JsonReader *reader, uint32 *length);
extern void JsonEnterStructure(JsonReader *reader, const char *type_name, bool is_element);
extern void JsonEnterMap(JsonReader *reader, const char *type_name);
extern void JsonEnterList(JsonReader *reader);
/* Consumes a null: JSON null is an absent member. */
extern bool JsonSkipNull(JsonReader *reader);
/* ExpressionAttributeNames and ExpressionAttributeValues. */
extern void JsonReadNames(JsonReader *reader, Placeholders *placeholders);
extern void JsonReadValues(JsonReader *reader, Placeholders *placeholders);

#endif							/* SINGLETABLE_SQL_FUNCTIONS_H */
