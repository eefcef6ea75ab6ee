/*
 * src/sql/query_functions.c
 *		query_items and scan_items: one item a call, read as the caller asks for it.
 *
 * The scan stays open between the calls.  It is closed when the range or max_items is reached, when the executor gives up the
 * set earlier (LIMIT, a closed cursor, a rescan), or with the transaction's resources on error.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "base/compat.h"
#include "base/error.h"
#include "sql/sql_functions.h"

#define MAX_TOTAL_SEGMENTS 1000000

/* Arguments live as long as the scan, so they are copied into the current context. */
static ExpressionText
copy_text_argument(FunctionCallInfo fcinfo, int argument)
{
	ExpressionText result = {NULL, 0};

	if (!PG_ARGISNULL(argument))
	{
		text	   *value = PG_GETARG_TEXT_P_COPY(argument);

		result.data = VARDATA(value);
		result.length = VARSIZE(value) - VARHDRSZ;
	}
	return result;
}

static SingletableItem *
copy_item_argument(FunctionCallInfo fcinfo, int argument)
{
	return PG_ARGISNULL(argument) ? NULL : (SingletableItem *) PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(argument));
}

/* What Query and Scan have in common.  Positions are those of the arguments. */
static void
read_common_arguments(FunctionCallInfo fcinfo, QueryRequest *request, int index, int filter, int projection,
					  int max_items, int start_key, ConstraintErrors *errors)
{
	ExpressionText index_name = copy_text_argument(fcinfo, index);

	if (PG_ARGISNULL(0))
		validation_error("1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
						 "Member must not be null");
	request->relid = PG_GETARG_OID(0);
	request->index_name = index_name.data;
	request->index_name_length = index_name.length;
	request->filter = copy_text_argument(fcinfo, filter);
	request->projection = copy_text_argument(fcinfo, projection);
	request->start_key = copy_item_argument(fcinfo, start_key);
	if (!PG_ARGISNULL(max_items))
	{
		int64		value = PG_GETARG_INT64(max_items);

		if (value < 0)
			ConstraintErrorsAdd(errors, "Value '" INT64_FORMAT "' at 'maxItems' failed to satisfy constraint: "
								"Member must have value greater than or equal to 0", value);
		request->max_items = value > 0 ? value : -1;
	}
}

/* The placeholders, once all that comes before them is checked. */
static void
read_placeholders(FunctionCallInfo fcinfo, QueryRequest *request, int attribute_values, int attribute_names)
{
	request->placeholders.has_values = !PG_ARGISNULL(attribute_values);
	request->placeholders.has_names = !PG_ARGISNULL(attribute_names);
	OperationCheckQueryArguments(request);
	if (request->placeholders.has_names || request->placeholders.has_values)
		PlaceholdersFromSql(&request->placeholders,
							PG_ARGISNULL(attribute_names) ? NULL : PG_GETARG_JSONB_P_COPY(attribute_names),
							copy_item_argument(fcinfo, attribute_values));
}

static void
read_query_arguments(FunctionCallInfo fcinfo, QueryRequest *request)
{
	ConstraintErrors errors;

	ConstraintErrorsInit(&errors);
	request->key_condition = copy_text_argument(fcinfo, 1);
	read_common_arguments(fcinfo, request, 4, 5, 6, 8, 9, &errors);
	request->is_backward = !PG_ARGISNULL(7) && !PG_GETARG_BOOL(7);
	ConstraintErrorsReport(&errors);
	read_placeholders(fcinfo, request, 2, 3);
}

static void
read_scan_arguments(FunctionCallInfo fcinfo, QueryRequest *request)
{
	ConstraintErrors errors;
	bool		has_segment = !PG_ARGISNULL(6);
	bool		has_total_segments = !PG_ARGISNULL(7);

	ConstraintErrorsInit(&errors);
	request->is_scan = true;
	read_common_arguments(fcinfo, request, 4, 1, 5, 8, 9, &errors);
	if (has_total_segments)
	{
		request->total_segments = PG_GETARG_INT32(7);
		if (request->total_segments < 1)
			ConstraintErrorsAdd(&errors, "Value '%d' at 'totalSegments' failed to satisfy constraint: "
								"Member must have value greater than or equal to 1", request->total_segments);
		else if (request->total_segments > MAX_TOTAL_SEGMENTS)
			ConstraintErrorsAdd(&errors, "Value '%d' at 'totalSegments' failed to satisfy constraint: "
								"Member must have value less than or equal to %d", request->total_segments, MAX_TOTAL_SEGMENTS);
	}
	if (has_segment)
	{
		request->segment = PG_GETARG_INT32(6);
		if (request->segment < 0)
			ConstraintErrorsAdd(&errors, "Value '%d' at 'segment' failed to satisfy constraint: "
								"Member must have value greater than or equal to 0", request->segment);
		else if (request->segment >= MAX_TOTAL_SEGMENTS)
			ConstraintErrorsAdd(&errors, "Value '%d' at 'segment' failed to satisfy constraint: "
								"Member must have value less than or equal to %d", request->segment, MAX_TOTAL_SEGMENTS - 1);
	}
	ConstraintErrorsReport(&errors);
	if (has_segment && !has_total_segments)
		validation_error("The TotalSegments parameter is required but was not present in the request when Segment parameter "
						 "is present");
	if (has_total_segments && !has_segment)
		validation_error("The Segment parameter is required but was not present in the request when parameter TotalSegments "
						 "is present");
	read_placeholders(fcinfo, request, 2, 3);
}

static void
close_query(Datum state)
{
	OperationQueryEnd((QueryState *) DatumGetPointer(state));
}

/* The set-returning function that both are. */
static Datum
return_items(FunctionCallInfo fcinfo, void (*read_function) (FunctionCallInfo fcinfo, QueryRequest *request))
{
	FuncCallContext *funcctx;
	ExprContext *econtext = ((ReturnSetInfo *) fcinfo->resultinfo)->econtext;
	QueryState *state;
	SingletableItem *item;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;
		QueryRequest request = {0};

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		read_function(fcinfo, &request);
		funcctx->user_fctx = OperationQueryBegin(&request);
		MemoryContextSwitchTo(old_context);

		/* Called before the set's memory goes: callbacks run in the opposite order of their registration. */
		RegisterExprContextCallback(econtext, close_query, PointerGetDatum(funcctx->user_fctx));
	}

	funcctx = SRF_PERCALL_SETUP();
	state = funcctx->user_fctx;
	item = OperationQueryNext(state);
	if (item != NULL)
		SRF_RETURN_NEXT(funcctx, PointerGetDatum(item));

	UnregisterExprContextCallback(econtext, close_query, PointerGetDatum(state));
	OperationQueryEnd(state);
	SRF_RETURN_DONE(funcctx);
}

SQL_FUNCTION(singletable_query_items);
Datum
singletable_query_items(PG_FUNCTION_ARGS)
{
	return return_items(fcinfo, read_query_arguments);
}

SQL_FUNCTION(singletable_scan_items);
Datum
singletable_scan_items(PG_FUNCTION_ARGS)
{
	return return_items(fcinfo, read_scan_arguments);
}
