/*
 * src/sql/type_functions.c
 *		entity_view_type: a type as SQL spells it, with its modifier.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/compat.h"

SQL_FUNCTION(singletable_entity_view_type);
Datum
singletable_entity_view_type(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Oid			type;
	int32		modifier;

	ParseTypeString(name, &type, &modifier);
	PG_RETURN_TEXT_P(cstring_to_text(format_type_extended(type, modifier, FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY)));
}
