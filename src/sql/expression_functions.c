/*
 * src/sql/expression_functions.c
 *		item_matches, item_update, item_project: expressions in any SQL.
 *
 * A call site keeps its prepared expression as long as the arguments that make it are the same bytes, so that a scan prepares
 * once.
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "expression/expression.h"

/* What a call site keeps in fn_extra. */
typedef struct ExpressionCall
{
	bool		is_constant;	/* the arguments are constants of the statement and need no second look */
	MemoryContext context;		/* of all that follows; reset when an argument changes */
	PreparedExpression *prepared;	/* NULL: nothing yet */
	struct varlena *text;		/* copies of the arguments, with long headers; NULL if not given */
	struct varlena *values;
	struct varlena *names;
} ExpressionCall;

/*
 * The bytes of an argument, detoasted; NULL if it is not given.
 */
static struct varlena *
get_argument(FunctionCallInfo fcinfo, int number)
{
	if (number < 0 || PG_ARGISNULL(number))
		return NULL;
	return PG_GETARG_VARLENA_PP(number);
}

static bool
is_same(const struct varlena *argument, const struct varlena *kept)
{
	if (argument == NULL || kept == NULL)
		return argument == NULL && kept == NULL;
	return VARSIZE_ANY_EXHDR(argument) == VARSIZE_ANY_EXHDR(kept) &&
		memcmp(VARDATA_ANY(argument), VARDATA_ANY(kept), VARSIZE_ANY_EXHDR(kept)) == 0;
}

static struct varlena *
copy_argument(const struct varlena *argument)
{
	struct varlena *copy;
	Size		length;

	if (argument == NULL)
		return NULL;
	length = VARSIZE_ANY_EXHDR(argument);
	copy = palloc(VARHDRSZ + length);
	SET_VARSIZE(copy, VARHDRSZ + length);
	memcpy(VARDATA(copy), VARDATA_ANY(argument), length);
	return copy;
}

/*
 * Are all arguments but the item constants?  A parameter is none: where PL/pgSQL evaluates an expression again and again, its
 * value changes between calls of one call site.
 */
static bool
has_constant_arguments(FunctionCallInfo fcinfo)
{
	Node	   *expression = fcinfo->flinfo->fn_expr;
	List	   *arguments;

	if (expression == NULL || !IsA(expression, FuncExpr))
		return false;
	arguments = ((FuncExpr *) expression)->args;
	for (int i = 1; i < list_length(arguments); i++)
		if (!IsA(list_nth(arguments, i), Const))
			return false;
	return true;
}

/*
 * The prepared expression of this call: the text is argument 1, values and names those numbers (-1: the function has none).
 */
static const PreparedExpression *
prepare_call(FunctionCallInfo fcinfo, ExpressionKind kind, int values_number, int names_number)
{
	ExpressionCall *call = fcinfo->flinfo->fn_extra;
	struct varlena *text;
	struct varlena *values;
	struct varlena *names;
	PreparedExpression *prepared;
	Placeholders placeholders;
	MemoryContext oldcontext;

	if (call != NULL && call->is_constant && call->prepared != NULL)
		return call->prepared;

	text = get_argument(fcinfo, 1);
	values = get_argument(fcinfo, values_number);
	names = get_argument(fcinfo, names_number);
	if (call != NULL && call->prepared != NULL &&
		is_same(text, call->text) && is_same(values, call->values) && is_same(names, call->names))
		return call->prepared;

	if (call == NULL)
	{
		call = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(ExpressionCall));
		call->is_constant = has_constant_arguments(fcinfo);
		call->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "singletable expression call", ALLOCSET_SMALL_SIZES);
		fcinfo->flinfo->fn_extra = call;
	}
	call->prepared = NULL;
	MemoryContextReset(call->context);
	oldcontext = MemoryContextSwitchTo(call->context);
	call->text = copy_argument(text);
	call->values = copy_argument(values);
	call->names = copy_argument(names);
	PlaceholdersFromSql(&placeholders, (Jsonb *) call->names, call->values);
	prepared = ExpressionPrepare(kind, VARDATA(call->text), VARSIZE(call->text) - VARHDRSZ, &placeholders);
	PlaceholdersCheckUnused(&placeholders);
	MemoryContextSwitchTo(oldcontext);
	call->prepared = prepared;
	return prepared;
}

/*
 * item_matches(item, condition, attribute_values, attribute_names)
 */
SQL_FUNCTION(singletable_item_matches);
Datum
singletable_item_matches(PG_FUNCTION_ARGS)
{
	const PreparedExpression *prepared;
	SingletableItem *item;
	ItemSource	source;
	bool		matches;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	prepared = prepare_call(fcinfo, EXPRESSION_CONDITION, 2, 3);
	item = PG_GETARG_ITEM(0);
	ItemSourceInit(&source, item);
	matches = ExpressionMatches(prepared, &source.source);
	PG_FREE_IF_COPY(item, 0);
	PG_RETURN_BOOL(matches);
}

/*
 * item_update(item, update, attribute_values, attribute_names)
 */
SQL_FUNCTION(singletable_item_update);
Datum
singletable_item_update(PG_FUNCTION_ARGS)
{
	const PreparedExpression *prepared;
	SingletableItem *item;
	ItemSource	source;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	prepared = prepare_call(fcinfo, EXPRESSION_UPDATE, 2, 3);
	ItemSourceInit(&source, PG_GETARG_ITEM(0));
	item = ExpressionUpdate(prepared, &source.source, true);
	ItemCheckSize(item, true);
	PG_RETURN_ITEM(item);
}

/*
 * item_project(item, projection, attribute_names)
 */
SQL_FUNCTION(singletable_item_project);
Datum
singletable_item_project(PG_FUNCTION_ARGS)
{
	const PreparedExpression *prepared;
	ItemSource	source;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	prepared = prepare_call(fcinfo, EXPRESSION_PROJECTION, -1, 2);
	ItemSourceInit(&source, PG_GETARG_ITEM(0));
	PG_RETURN_ITEM(ExpressionProject(prepared, &source.source));
}
