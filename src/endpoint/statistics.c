/*
 * src/endpoint/statistics.c
 *		Counts and latencies of the endpoint by operation, and the state of its workers, in shared memory and as SQL functions.
 *
 * A latency's class: four in each power of two of microseconds, so that a percentile is known to a quarter of its value.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "api/api.h"
#include "base/compat.h"
#include "endpoint/endpoint_internal.h"

#define SUBCLASS_BITS 2
#define SUBCLASSES (1 << SUBCLASS_BITS)
#define MAX_COLUMNS 10

static int
latency_class(uint64 microseconds)
{
	int			power;
	int			class;

	if (microseconds < SUBCLASSES)
		return (int) microseconds;
	power = pg_leftmost_one_pos64(microseconds);
	class = (power - SUBCLASS_BITS + 1) * SUBCLASSES + (int) ((microseconds >> (power - SUBCLASS_BITS)) & (SUBCLASSES - 1));
	return Min(class, ENDPOINT_LATENCY_CLASSES - 1);
}

/* The first latency above a class, us. */
static uint64
latency_bound(int class)
{
	int			power;

	class++;
	if (class < SUBCLASSES)
		return class;
	power = class / SUBCLASSES + SUBCLASS_BITS - 1;
	return (uint64) (SUBCLASSES + class % SUBCLASSES) << (power - SUBCLASS_BITS);
}

/* Operations of the API, and one for requests that came to none. */
static int
operation_count(void)
{
	return ApiOperationCount() + 1;
}

Size
StatisticsSize(void)
{
	return offsetof(EndpointShared, counts) + operation_count() * sizeof(EndpointOperationCounts);
}

/* In memory that is new. */
void
StatisticsInit(EndpointShared *shared)
{
	for (int i = 0; i < operation_count(); i++)
	{
		EndpointOperationCounts *counts = &shared->counts[i];

		pg_atomic_init_u64(&counts->requests, 0);
		pg_atomic_init_u64(&counts->client_errors, 0);
		pg_atomic_init_u64(&counts->server_errors, 0);
		pg_atomic_init_u64(&counts->total_time, 0);
		pg_atomic_init_u64(&counts->max_time, 0);
		for (int j = 0; j < ENDPOINT_LATENCY_CLASSES; j++)
			pg_atomic_init_u64(&counts->latencies[j], 0);
	}
	pg_atomic_init_u64(&shared->statistics_since, (uint64) GetCurrentTimestamp());
}

void
StatisticsReset(EndpointShared *shared)
{
	for (int i = 0; i < operation_count(); i++)
	{
		EndpointOperationCounts *counts = &shared->counts[i];

		pg_atomic_write_u64(&counts->requests, 0);
		pg_atomic_write_u64(&counts->client_errors, 0);
		pg_atomic_write_u64(&counts->server_errors, 0);
		pg_atomic_write_u64(&counts->total_time, 0);
		pg_atomic_write_u64(&counts->max_time, 0);
		for (int j = 0; j < ENDPOINT_LATENCY_CLASSES; j++)
			pg_atomic_write_u64(&counts->latencies[j], 0);
	}
	pg_atomic_write_u64(&shared->statistics_since, (uint64) GetCurrentTimestamp());
}

void
StatisticsCount(int operation, int status, int64 microseconds)
{
	EndpointOperationCounts *counts = &endpoint_shared->counts[operation];
	uint64		time = Max(microseconds, 0);
	uint64		max_time = pg_atomic_read_u64(&counts->max_time);

	pg_atomic_fetch_add_u64(&counts->requests, 1);
	if (status >= 500)
		pg_atomic_fetch_add_u64(&counts->server_errors, 1);
	else if (status >= 400)
		pg_atomic_fetch_add_u64(&counts->client_errors, 1);
	pg_atomic_fetch_add_u64(&counts->total_time, time);
	pg_atomic_fetch_add_u64(&counts->latencies[latency_class(time)], 1);
	while (time > max_time && !pg_atomic_compare_exchange_u64(&counts->max_time, &max_time, time))
		;
}

/* The latency (us) that a part of the requests do not exceed. */
static double
percentile(EndpointOperationCounts *counts, double part)
{
	uint64		latencies[ENDPOINT_LATENCY_CLASSES];
	uint64		total = 0;
	uint64		seen = 0;

	for (int i = 0; i < ENDPOINT_LATENCY_CLASSES; i++)
		total += latencies[i] = pg_atomic_read_u64(&counts->latencies[i]);
	for (int i = 0; i < ENDPOINT_LATENCY_CLASSES; i++)
	{
		seen += latencies[i];
		if (seen >= part * total)
			return Min(latency_bound(i), pg_atomic_read_u64(&counts->max_time));
	}
	return pg_atomic_read_u64(&counts->max_time);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * SQL functions
 */

/* Makes the row of a number; false if there is none. */
typedef bool (*MakeRow) (int number, Datum *values);

/*
 * return_rows
 *		One row for each number below count that has one.  None where the library was not preloaded.
 */
static Datum
return_rows(FunctionCallInfo fcinfo, int count, MakeRow make_row)
{
	FuncCallContext *funcctx;
	Datum		values[MAX_COLUMNS];
	bool		nulls[MAX_COLUMNS] = {false};
	int		   *next;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext previous;
		TupleDesc	tupdesc;

		funcctx = SRF_FIRSTCALL_INIT();
		previous = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		funcctx->tuple_desc = BlessTupleDesc(tupdesc);
		funcctx->user_fctx = palloc0_object(int);
		MemoryContextSwitchTo(previous);
	}

	funcctx = SRF_PERCALL_SETUP();
	next = funcctx->user_fctx;
	while (endpoint_shared != NULL && *next < count)
		if (make_row((*next)++, values))
			SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
	SRF_RETURN_DONE(funcctx);
}

static bool
make_operation_row(int number, Datum *values)
{
	EndpointOperationCounts *counts = &endpoint_shared->counts[number];
	uint64		requests = pg_atomic_read_u64(&counts->requests);
	double		total_time = (double) pg_atomic_read_u64(&counts->total_time);

	if (requests == 0)
		return false;
	values[0] = CStringGetTextDatum(number < ApiOperationCount() ? ApiOperationName(number) : "(none)");
	values[1] = Int64GetDatum((int64) requests);
	values[2] = Int64GetDatum((int64) pg_atomic_read_u64(&counts->client_errors));
	values[3] = Int64GetDatum((int64) pg_atomic_read_u64(&counts->server_errors));
	values[4] = Float8GetDatum(total_time / 1000);
	values[5] = Float8GetDatum(total_time / requests / 1000);
	values[6] = Float8GetDatum(percentile(counts, 0.5) / 1000);
	values[7] = Float8GetDatum(percentile(counts, 0.99) / 1000);
	values[8] = Float8GetDatum((double) pg_atomic_read_u64(&counts->max_time) / 1000);
	values[9] = TimestampTzGetDatum((TimestampTz) pg_atomic_read_u64(&endpoint_shared->statistics_since));
	return true;
}

static bool
make_worker_row(int number, Datum *values)
{
	EndpointWorkerState *state = WorkerState(number);
	int64		busy_since = (int64) pg_atomic_read_u64(&state->busy_since);

	if (pg_atomic_read_u32(&state->is_serving) == 0)
		return false;
	values[0] = Int32GetDatum(number + 1);
	values[1] = Int32GetDatum((int32) pg_atomic_read_u32(&state->pid));
	values[2] = BoolGetDatum(number < EndpointActiveWorkers());
	values[3] = Int32GetDatum((int32) pg_atomic_read_u32(&state->owned));
	values[4] = Float8GetDatum(busy_since == 0 ? 0 : (double) Max(EndpointNow() - busy_since, 0) / 1000);
	return true;
}

/*
 * endpoint_operations()
 *		One row an operation that was asked for: counts and latencies since the last reset.
 */
SQL_FUNCTION(singletable_endpoint_operations);
Datum
singletable_endpoint_operations(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, operation_count(), make_operation_row);
}

/*
 * endpoint_workers()
 *		One row a worker that serves.
 */
SQL_FUNCTION(singletable_endpoint_workers);
Datum
singletable_endpoint_workers(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, EndpointWorkerCount(), make_worker_row);
}

/*
 * reset_endpoint_statistics()
 *		Begin counting anew.
 */
SQL_FUNCTION(singletable_reset_endpoint_statistics);
Datum
singletable_reset_endpoint_statistics(PG_FUNCTION_ARGS)
{
	if (endpoint_shared != NULL)
		StatisticsReset(endpoint_shared);
	PG_RETURN_VOID();
}
