/*
 * src/storage/read_statement.c
 *		Reads by kept plans, for what the direct way declines: the executor does policies, column privileges and partitions.
 *
 * A scan is a SELECT with the bounds as conditions and the key columns as its order; the planner finds the index, or sorts.  The
 * executor runs it row by row with the snapshot that was active when it was opened, as the direct way does.  It is no
 * cursor of the server: a transaction that commits drops those in any order, also before the cursor WITH HOLD that needs one more row.
 */
#include "postgres.h"

#include "access/genam.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/params.h"
#include "tcop/dest.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "storage/storage_internal.h"

/* Takes the executor's row as it is: it stays valid until the executor runs again. */
typedef struct RowReceiver
{
	DestReceiver receiver;		/* must be first */
	TupleTableSlot *slot;
} RowReceiver;

struct StatementScan
{
	MemoryContext context;		/* of the executor; not below the scan's, whose children are gone when its end is told */
	CachedPlan *plan;
	QueryDesc  *query;
	RowReceiver receiver;
	bool		is_at_end;
};

RowSource *
StatementGet(TableDescriptor *table, const TableKey *key)
{
	MemoryContext caller_context = CurrentMemoryContext;
	HeapTuple	tuple = NULL;
	RowSource  *row = NULL;

	SPI_connect();
	if (StatementRun(StatementPrepare(table, STATEMENT_GET), (Datum *) key->values, NULL, true) > 0)
		tuple = SPI_copytuple(SPI_tuptable->vals[0]);
	SPI_finish();

	Assert(CurrentMemoryContext == caller_context);
	if (tuple != NULL)
	{
		TupleTableSlot *slot = MakeSingleTupleTableSlot(StatementsOfTable(table)->result_tupdesc, &TTSOpsHeapTuple);

		ExecStoreHeapTuple(tuple, slot, false);
		row = palloc(sizeof(RowSource));
		RowSourceInit(row, table, caller_context);
		row->is_result_row = true;
		RowSourceSet(row, slot);
	}
	return row;
}

/* A scan's statement as it is built. */
typedef struct ScanStatement
{
	const StorageScan *scan;
	StringInfoData sql;
	bool		has_condition;	/* WHERE is written */
	int			parameter_count;
	Datum		values[2 * INDEX_MAX_COLUMNS + 4];
	Oid			types[2 * INDEX_MAX_COLUMNS + 4];
} ScanStatement;

static const char *
quote_column(const StorageScan *scan, int column)
{
	return quote_identifier(scan->table->attributes[scan->bounds.columns[column]].name);
}

/* Adds a parameter for a value of a key column; returns its number. */
static int
add_parameter(ScanStatement *statement, int column, const AttributeValue *value)
{
	statement->types[statement->parameter_count] =
		StatementColumnType(statement->scan->table, statement->scan->bounds.columns[column]);
	statement->values[statement->parameter_count] = ScanValueGetDatum(value);
	return ++statement->parameter_count;
}

static void
append_and(ScanStatement *statement)
{
	appendStringInfoString(&statement->sql, statement->has_condition ? " AND " : " WHERE ");
	statement->has_condition = true;
}

static void
append_comparison(ScanStatement *statement, int column, const char *operator, const AttributeValue *value)
{
	append_and(statement);
	appendStringInfo(&statement->sql, "%s OPERATOR(pg_catalog.%s) $%d", quote_column(statement->scan, column), operator,
					 add_parameter(statement, column, value));
}

/*
 * The columns after the bound ones, as a row, beyond the start position.  The condition on the first of them alone says nothing new,
 * but is one that any index can use.
 */
static void
append_start(ScanStatement *statement)
{
	const StorageScan *scan = statement->scan;
	const ScanBounds *bounds = &scan->bounds;
	int			first = bounds->equal_count;

	append_comparison(statement, first, scan->is_forward ? ">=" : "<=", &bounds->start[first]);
	append_and(statement);
	appendStringInfoString(&statement->sql, "ROW(");
	for (int i = first; i < bounds->column_count; i++)
		appendStringInfo(&statement->sql, "%s%s", i == first ? "" : ", ", quote_column(scan, i));
	appendStringInfo(&statement->sql, ") OPERATOR(pg_catalog.%s) ROW(", scan->is_forward ? ">" : "<");
	for (int i = first; i < bounds->column_count; i++)
		appendStringInfo(&statement->sql, "%s$%d", i == first ? "" : ", ", add_parameter(statement, i, &bounds->start[i]));
	appendStringInfoChar(&statement->sql, ')');
}

/*
 * What rows are in a secondary index: those without a NULL in its columns that fulfil its own WHERE clause, if it has one.
 */
static void
append_index_predicate(ScanStatement *statement)
{
	const StorageScan *scan = statement->scan;
	Relation	index = index_open(scan->index->oid, AccessShareLock);
	List	   *predicate = RelationGetIndexPredicate(index);

	for (int i = 0; i < scan->bounds.column_count; i++)
	{
		append_and(statement);
		appendStringInfo(&statement->sql, "%s IS NOT NULL", quote_column(scan, i));
	}
	if (predicate != NIL)
	{
		List	   *context = deparse_context_for(scan->table->name, scan->table->relid);
		int			nest_level = NewGUCNestLevel();

		/* Names are to be qualified: the statement is kept, and may meet another search_path. */
		set_config_option("search_path", "pg_catalog", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
		append_and(statement);
		appendStringInfo(&statement->sql, "(%s)",
						 deparse_expression((Node *) make_ands_explicit(predicate), context, false, false));
		AtEOXact_GUC(false, nest_level);
	}
	index_close(index, NoLock);
}

static void
build_statement(ScanStatement *statement, const StorageScan *scan)
{
	const ScanBounds *bounds = &scan->bounds;

	statement->scan = scan;
	statement->has_condition = false;
	statement->parameter_count = 0;
	initStringInfo(&statement->sql);
	appendStringInfoString(&statement->sql, "SELECT ");
	StatementAppendColumns(&statement->sql, scan->table, scan->keys_only ? bounds : NULL);
	appendStringInfo(&statement->sql, " FROM %s", scan->table->qualified_name);

	for (int i = 0; i < bounds->equal_count; i++)
		append_comparison(statement, i, "=", &bounds->equal[i]);
	if (bounds->has_lower)
		append_comparison(statement, bounds->equal_count, bounds->lower_inclusive ? ">=" : ">", &bounds->lower);
	if (bounds->has_upper)
		append_comparison(statement, bounds->equal_count, bounds->upper_inclusive ? "<=" : "<", &bounds->upper);
	if (bounds->has_start)
		append_start(statement);
	if (scan->index != NULL)
		append_index_predicate(statement);

	for (int i = 0; i < bounds->column_count; i++)
		appendStringInfo(&statement->sql, "%s%s%s", i == 0 ? " ORDER BY " : ", ", quote_column(scan, i),
						 scan->is_forward ? "" : " DESC");
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *receiver)
{
	((RowReceiver *) receiver)->slot = slot;
	return true;
}

static void
start_receiver(DestReceiver *receiver, int operation, TupleDesc tupdesc)
{
}

static void
end_receiver(DestReceiver *receiver)
{
}

/* The executor's memory went away with the transaction. */
static void
forget_executor(void *arg)
{
	StatementScan *statement = arg;

	statement->context = NULL;
}

/* In the executor's context: the parameters as the executor takes them. */
static ParamListInfo
make_parameters(const ScanStatement *statement)
{
	ParamListInfo parameters = makeParamList(statement->parameter_count);

	for (int i = 0; i < statement->parameter_count; i++)
	{
		parameters->params[i].value = statement->values[i];
		parameters->params[i].isnull = false;
		parameters->params[i].pflags = PARAM_FLAG_CONST;
		parameters->params[i].ptype = statement->types[i];
	}
	return parameters;
}

void
StatementBeginScan(StorageScan *scan)
{
	StatementScan *statement_scan = palloc0(sizeof(StatementScan));
	MemoryContextCallback *callback;
	MemoryContext old_context;
	ScanStatement statement;
	CachedPlanSource *source;
	ParamListInfo parameters;

	statement_scan->context = AllocSetContextCreate(TopTransactionContext, "singletable statement", ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(statement_scan->context);
	callback = palloc0(sizeof(MemoryContextCallback));
	callback->func = forget_executor;
	callback->arg = statement_scan;
	scan->source.is_result_row = true;

	build_statement(&statement, scan);
	SPI_connect();
	source = linitial(SPI_plan_get_plan_sources(StatementPrepareScan(scan->table, statement.sql.data, statement.parameter_count,
																	 statement.types)));
	SPI_finish();
	parameters = make_parameters(&statement);
	statement_scan->plan = GetCachedPlan(source, parameters, CurrentResourceOwner, NULL);

	statement_scan->receiver.receiver.receiveSlot = receive_row;
	statement_scan->receiver.receiver.rStartup = start_receiver;
	statement_scan->receiver.receiver.rShutdown = end_receiver;
	statement_scan->receiver.receiver.rDestroy = end_receiver;
	statement_scan->receiver.receiver.mydest = DestNone;
	/* The text is our own copy: the kept statement may be dropped before the scan ends. */
	statement_scan->query = CreateQueryDesc(linitial_node(PlannedStmt, statement_scan->plan->stmt_list), statement.sql.data,
											GetActiveSnapshot(), InvalidSnapshot, &statement_scan->receiver.receiver,
											parameters, NULL, 0);
	ExecutorStart(statement_scan->query, 0);
	MemoryContextRegisterResetCallback(statement_scan->context, callback);
	MemoryContextSwitchTo(old_context);
	scan->statement = statement_scan;
}

static bool
row_is_in_segment(StorageScan *scan, TupleTableSlot *slot)
{
	AttributeValue partition_key[INDEX_MAX_PARTITION_KEYS];

	MemoryContextReset(scan->row_context);
	RowSourceSet(&scan->source, slot);
	for (int i = 0; i < scan->bounds.partition_count; i++)
		RowSourceColumn(&scan->source, scan->bounds.columns[i], &partition_key[i]);
	return ScanSegmentContains(scan, partition_key);
}

TupleTableSlot *
StatementNext(StorageScan *scan)
{
	StatementScan *statement = scan->statement;

	while (!statement->is_at_end)
	{
		CHECK_FOR_INTERRUPTS();
		statement->receiver.slot = NULL;
		PushActiveSnapshot(statement->query->snapshot);
		ExecutorFetch(statement->query, 1);
		PopActiveSnapshot();
		if (statement->receiver.slot == NULL)
			statement->is_at_end = true;
		else if (scan->total_segments == 0 || row_is_in_segment(scan, statement->receiver.slot))
			return statement->receiver.slot;
	}
	return NULL;
}

void
StatementEndScan(StorageScan *scan)
{
	StatementScan *statement = scan->statement;

	ExecutorFinish(statement->query);
	ExecutorEnd(statement->query);
	FreeQueryDesc(statement->query);
	ReleaseCachedPlan(statement->plan, CurrentResourceOwner);
	StatementAbandonScan(scan);
}

void
StatementAbandonScan(StorageScan *scan)
{
	if (scan->statement->context != NULL)
		MemoryContextDelete(scan->statement->context);
}
