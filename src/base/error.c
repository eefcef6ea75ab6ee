/*
 * src/base/error.c
 *		The table of DynamoDB's exceptions, for programs and for readers.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/error.h"

typedef struct ExceptionEntry
{
	int			sqlerrcode;
	const char *name;
	int			status;			/* HTTP status */
	bool		retry;			/* may the same request be sent again? */
} ExceptionEntry;

#define X(symbol, a, b, c, name, status, retry) {MAKE_SQLSTATE('K', 'V', a, b, c), name, status, retry},
static const ExceptionEntry exceptions[] = {SINGLETABLE_EXCEPTIONS(X)};
#undef X

const char *
ExceptionName(int sqlerrcode)
{
	for (int i = 0; i < lengthof(exceptions); i++)
		if (exceptions[i].sqlerrcode == sqlerrcode)
			return exceptions[i].name;
	return NULL;
}

int
ExceptionStatus(int sqlerrcode)
{
	for (int i = 0; i < lengthof(exceptions); i++)
		if (exceptions[i].sqlerrcode == sqlerrcode)
			return exceptions[i].status;
	return 500;
}

/*
 * dynamodb_exceptions()
 *		One row an exception: sqlstate, name, HTTP status, whether a retry makes sense.
 */
SQL_FUNCTION(singletable_dynamodb_exceptions);
Datum
singletable_dynamodb_exceptions(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	const ExceptionEntry *entry;
	Datum		values[4];
	bool		nulls[4] = {false, false, false, false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext oldcontext;
		TupleDesc	tupdesc;

		funcctx = SRF_FIRSTCALL_INIT();
		oldcontext = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		funcctx->tuple_desc = BlessTupleDesc(tupdesc);
		funcctx->max_calls = lengthof(exceptions);
		MemoryContextSwitchTo(oldcontext);
	}

	funcctx = SRF_PERCALL_SETUP();
	if (funcctx->call_cntr >= funcctx->max_calls)
		SRF_RETURN_DONE(funcctx);

	entry = &exceptions[funcctx->call_cntr];
	values[0] = CStringGetTextDatum(unpack_sql_state(entry->sqlerrcode));
	values[1] = CStringGetTextDatum(entry->name);
	values[2] = Int32GetDatum(entry->status);
	values[3] = BoolGetDatum(entry->retry);
	SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
}
