/*
 * src/storage/read_statement.c
 *		Reads by kept plans, for what the direct way declines: the executor does policies, column privileges and partitions.
 *
 * A scan is a cursor over a SELECT with the bounds as conditions and the key columns as its order; the planner finds the index, or
 * sorts.  It is run with the snapshot that was active when it was opened, as the direct way is.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/xact.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "storage/storage_internal.h"

#define BATCH_ROWS 100			/* rows fetched from the cursor at a time */

struct StatementScan
{
	Portal		portal;
	char	   *portal_name;	/* who has the portal no longer finds it by this */
	MemoryContext batch_context;	/* of the rows fetched last */
	HeapTuple  *rows;
	int			row_count;
	int			next_row;
	bool		is_at_end;
	TupleTableSlot *slot;
};

/* A statement's row as a source of attributes; its slot has the columns that the statement selected. */
static TupleTableSlot *
make_result_slot(TableDescriptor *table)
{
	return MakeSingleTupleTableSlot(StatementsOfTable(table)->result_tupdesc, &TTSOpsHeapTuple);
}

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
		TupleTableSlot *slot = make_result_slot(table);

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
 * The columns after the bound ones, as a row, beyond the start position.  The condition on the first of them alone says nothing new, but
 * is one that any index can use.
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

/* In the scan's context. */
void
StatementBeginScan(StorageScan *scan)
{
	StatementScan *statement_scan = palloc0(sizeof(StatementScan));
	ScanStatement statement;
	Portal		portal;

	statement_scan->batch_context = AllocSetContextCreate(scan->context, "singletable batch", ALLOCSET_DEFAULT_SIZES);
	statement_scan->slot = make_result_slot(scan->table);
	scan->source.is_result_row = true;

	SPI_connect();
	build_statement(&statement, scan);
	portal = SPI_cursor_open(NULL, StatementPrepareScan(scan->table, statement.sql.data, statement.parameter_count, statement.types),
							 statement.values, NULL, true);
	SPI_finish();

	statement_scan->portal = portal;
	statement_scan->portal_name = pstrdup(portal->name);
	scan->statement = statement_scan;
}

/* Fetches the next rows and copies them; nothing of SPI outlives this call. */
static void
fetch_batch(StatementScan *statement)
{
	MemoryContext old_context;

	MemoryContextReset(statement->batch_context);
	statement->row_count = statement->next_row = 0;
	if (GetPortalByName(statement->portal_name) != statement->portal)
		elog(ERROR, "the transaction of this scan has ended");

	SPI_connect();
	SPI_cursor_fetch(statement->portal, true, BATCH_ROWS);
	old_context = MemoryContextSwitchTo(statement->batch_context);
	statement->rows = palloc(Max(SPI_processed, 1) * sizeof(HeapTuple));
	for (uint64 i = 0; i < SPI_processed; i++)
		statement->rows[statement->row_count++] = heap_copytuple(SPI_tuptable->vals[i]);
	MemoryContextSwitchTo(old_context);
	SPI_finish();
	statement->is_at_end = statement->row_count < BATCH_ROWS;
}

static bool
row_is_in_segment(StorageScan *scan, TupleTableSlot *slot)
{
	AttributeValue partition_key[INDEX_MAX_PARTITION_KEYS];

	RowSourceSet(&scan->source, slot);
	for (int i = 0; i < scan->bounds.partition_count; i++)
		RowSourceColumn(&scan->source, scan->bounds.columns[i], &partition_key[i]);
	return ScanSegmentContains(scan, partition_key);
}

TupleTableSlot *
StatementNext(StorageScan *scan)
{
	StatementScan *statement = scan->statement;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		ExecClearTuple(statement->slot);
		if (statement->next_row >= statement->row_count)
		{
			if (!statement->is_at_end)
				fetch_batch(statement);
			if (statement->row_count == 0 || statement->next_row >= statement->row_count)
				return NULL;
		}
		ExecStoreHeapTuple(statement->rows[statement->next_row++], statement->slot, false);
		if (scan->total_segments == 0 || row_is_in_segment(scan, statement->slot))
			return statement->slot;
	}
}

/*
 * The portal belongs to the transaction, which drops it after an error; it is gone already when a subtransaction was rolled back.
 */
void
StatementEndScan(StorageScan *scan)
{
	StatementScan *statement = scan->statement;

	if (IsTransactionState() && GetPortalByName(statement->portal_name) == statement->portal)
		SPI_cursor_close(statement->portal);
}
