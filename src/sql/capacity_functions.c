/*
 * src/sql/capacity_functions.c
 *		session_capacity, reset_session_capacity, write_capacity_units: capacity units for SQL.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "base/compat.h"
#include "sql/sql_functions.h"

/* Half units as units, with one decimal. */
static Datum
make_units(uint64 halves)
{
	return NumericGetDatum(int64_div_fast_to_numeric((int64) halves * 5, 1));
}

static TupleDesc
get_row_type(FunctionCallInfo fcinfo)
{
	TupleDesc	tupdesc;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(tupdesc);
}

SQL_FUNCTION(singletable_session_capacity);
Datum
singletable_session_capacity(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	const SessionCapacity *entry;
	Datum		values[4];
	bool		nulls[4] = {false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;
		int			count;

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		funcctx->tuple_desc = get_row_type(fcinfo);
		funcctx->user_fctx = SessionCapacityList(&count);
		funcctx->max_calls = count;
		MemoryContextSwitchTo(old_context);
	}

	funcctx = SRF_PERCALL_SETUP();
	if (funcctx->call_cntr >= funcctx->max_calls)
		SRF_RETURN_DONE(funcctx);
	entry = (const SessionCapacity *) funcctx->user_fctx + funcctx->call_cntr;
	nulls[0] = !OidIsValid(entry->key.table);
	nulls[1] = !OidIsValid(entry->key.index);
	values[0] = ObjectIdGetDatum(entry->key.table);
	values[1] = CStringGetTextDatum(entry->index_name);
	values[2] = make_units(entry->read_halves);
	values[3] = make_units(entry->write_halves);
	SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
}

SQL_FUNCTION(singletable_reset_session_capacity);
Datum
singletable_reset_session_capacity(PG_FUNCTION_ARGS)
{
	SessionCapacityReset();
	PG_RETURN_VOID();
}

/* The state of write_capacity_units between its rows. */
typedef struct WriteUnits
{
	Capacity	capacity;
	int			position;		/* of the index to look at next, -1 for the table */
} WriteUnits;

SQL_FUNCTION(singletable_write_capacity_units);
Datum
singletable_write_capacity_units(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	WriteUnits *state;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;
		const SingletableItem *items[2];

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		for (int i = 0; i < 2; i++)
			items[i] = PG_ARGISNULL(i + 1) ? NULL : (SingletableItem *) PG_DETOAST_DATUM(PG_GETARG_DATUM(i + 1));
		funcctx->tuple_desc = get_row_type(fcinfo);
		funcctx->user_fctx = state = palloc(sizeof(WriteUnits));
		CapacityInit(&state->capacity, TableOpen(PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0), AccessShareLock));
		CapacityAddWrite(&state->capacity, items[0], items[1], false);
		state->position = -1;
		MemoryContextSwitchTo(old_context);
	}

	funcctx = SRF_PERCALL_SETUP();
	state = funcctx->user_fctx;
	for (; state->position < state->capacity.table->index_count; state->position++)
	{
		const SecondaryIndex *index = state->position < 0 ? NULL : &state->capacity.table->indexes[state->position];
		uint64		halves = index == NULL ? state->capacity.table_halves : state->capacity.index_halves[state->position];
		Datum		values[2];
		bool		nulls[2] = {index == NULL, false};

		if (halves == 0)
			continue;
		state->position++;
		values[0] = index != NULL ? CStringGetTextDatum(index->name) : (Datum) 0;
		values[1] = make_units(halves);
		SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
	}
	SRF_RETURN_DONE(funcctx);
}
