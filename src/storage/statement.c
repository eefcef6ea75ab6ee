/*
 * src/storage/statement.c
 *		The statements of a table: their texts, and their plans, which are kept with the table's descriptor.
 *
 * A statement names everything by qualified and quoted names, and operators by their schema, so that search_path means nothing.  The
 * descriptor is dropped when the table or one of its columns is renamed, and the plans with it; privileges, policies and changes of
 * role are the server's plan cache's to notice.
 *
 * Plans are generic from the first call on: a statement by key has one sensible plan, and on a table with partitions planning
 * takes several times as long as running.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "storage/storage_internal.h"

/* Scan statements that a table keeps: as many as a program has kinds of queries on it, in one direction or both. */
#define MAX_SCAN_PLANS 64

/* The SQLSTATE of nbtree's error for a row that does not fit; other errors have it too, so the text is looked at as well. */
#define INDEX_ROW_SIZE_MESSAGE "index row size"

Oid
StatementColumnType(const TableDescriptor *table, int position)
{
	if (position == table->attribute_count)
		return table->item_type;
	switch (table->attributes[position].type)
	{
		case ATTRIBUTE_S:
			return TEXTOID;
		case ATTRIBUTE_N:
			return NUMERICOID;
		default:
			return BYTEAOID;
	}
}

static const char *
get_column_name(const TableDescriptor *table, int position)
{
	return quote_identifier(position == table->attribute_count ? table->item_column : table->attributes[position].name);
}

static void
free_statements(void *plans)
{
	KeptStatements *statements = plans;
	dlist_mutable_iter iter;

	for (int i = 0; i < STATEMENT_COUNT; i++)
		if (statements->plans[i] != NULL)
			SPI_freeplan(statements->plans[i]);
	dlist_foreach_modify(iter, &statements->scans)
		SPI_freeplan(dlist_container(ScanPlan, recently_used, iter.cur)->plan);
}

/*
 * StatementsOfTable
 *		What is kept of a table's statements, in the descriptor's own context.
 */
KeptStatements *
StatementsOfTable(TableDescriptor *table)
{
	KeptStatements *statements = table->plans;
	MemoryContext old_context;
	TupleDesc	tupdesc;

	if (statements != NULL)
		return statements;

	old_context = MemoryContextSwitchTo(table->context);
	statements = palloc0(sizeof(KeptStatements));
	dlist_init(&statements->scans);
	tupdesc = CreateTemplateTupleDesc(table->attribute_count + 1);
	for (int i = 0; i <= table->attribute_count; i++)
		TupleDescInitEntry(tupdesc, i + 1, i < table->attribute_count ? table->attributes[i].name : table->item_column,
						   StatementColumnType(table, i), -1, 0);
	statements->result_tupdesc = tupdesc;
	table->free_plans = free_statements;
	table->plans = statements;
	MemoryContextSwitchTo(old_context);
	return statements;
}

/* WHERE the key is the parameters from number first on. */
static void
append_key_condition(StringInfo sql, const TableDescriptor *table, int first)
{
	for (int i = 0; i < table->key_count; i++)
		appendStringInfo(sql, "%s%s OPERATOR(pg_catalog.=) $%d", i == 0 ? " WHERE " : " AND ",
						 quote_identifier(TableKeyAttribute(table, i)->name), first + i);
}

/* The same of a statement whose parameters are a row. */
static void
append_row_key_condition(StringInfo sql, const TableDescriptor *table)
{
	for (int i = 0; i < table->key_count; i++)
		appendStringInfo(sql, "%s%s OPERATOR(pg_catalog.=) $%d", i == 0 ? " WHERE " : " AND ",
						 quote_identifier(TableKeyAttribute(table, i)->name), table->keys[i] + 1);
}

void
StatementAppendColumns(StringInfo sql, const TableDescriptor *table, const ScanBounds *only_keys)
{
	for (int i = 0; i <= table->attribute_count; i++)
	{
		bool		is_wanted = (only_keys == NULL);

		for (int j = 0; only_keys != NULL && j < only_keys->column_count; j++)
			is_wanted |= (only_keys->columns[j] == i);
		appendStringInfoString(sql, i == 0 ? "" : ", ");
		if (is_wanted)
			appendStringInfoString(sql, get_column_name(table, i));
		else
			appendStringInfo(sql, "NULL::%s", format_type_extended(StatementColumnType(table, i), -1, FORMAT_TYPE_FORCE_QUALIFY));
	}
}

/* SET every column that is no key, from the parameters of a row or (is_excluded) from the row that could not be inserted. */
static void
append_assignments(StringInfo sql, const TableDescriptor *table, bool is_excluded)
{
	const char *separator = " SET ";

	for (int i = 0; i <= table->attribute_count; i++)
	{
		const char *column = get_column_name(table, i);

		if (i < table->attribute_count && table->attributes[i].key_position >= 0)
			continue;
		if (is_excluded)
			appendStringInfo(sql, "%s%s = excluded.%s", separator, column, column);
		else
			appendStringInfo(sql, "%s%s = $%d", separator, column, i + 1);
		separator = ", ";
	}
}

static void
append_insert(StringInfo sql, const TableDescriptor *table)
{
	appendStringInfo(sql, "INSERT INTO %s (", table->qualified_name);
	StatementAppendColumns(sql, table, NULL);
	appendStringInfoString(sql, ") VALUES (");
	for (int i = 0; i <= table->attribute_count; i++)
		appendStringInfo(sql, "%s$%d", i == 0 ? "" : ", ", i + 1);
	appendStringInfoChar(sql, ')');
}

static void
append_conflict_target(StringInfo sql, const TableDescriptor *table)
{
	appendStringInfoString(sql, " ON CONFLICT (");
	for (int i = 0; i < table->key_count; i++)
		appendStringInfo(sql, "%s%s", i == 0 ? "" : ", ", quote_identifier(TableKeyAttribute(table, i)->name));
	appendStringInfoString(sql, ") DO ");
}

static void
append_statement(StringInfo sql, const TableDescriptor *table, StatementKind kind)
{
	switch (kind)
	{
		case STATEMENT_GET:
		case STATEMENT_LOCK:
			appendStringInfoString(sql, "SELECT ");
			StatementAppendColumns(sql, table, NULL);
			appendStringInfo(sql, " FROM %s", table->qualified_name);
			append_key_condition(sql, table, 1);
			if (kind == STATEMENT_LOCK)
				appendStringInfoString(sql, " FOR NO KEY UPDATE");
			break;
		case STATEMENT_EXISTS:
			appendStringInfo(sql, "SELECT 1 FROM %s", table->qualified_name);
			append_key_condition(sql, table, 1);
			break;
		case STATEMENT_DELETE:
			appendStringInfo(sql, "DELETE FROM %s", table->qualified_name);
			append_key_condition(sql, table, 1);
			break;
		case STATEMENT_UPDATE_ITEM:
			appendStringInfo(sql, "UPDATE %s SET %s = $%d", table->qualified_name, quote_identifier(table->item_column),
							 table->key_count + 1);
			append_key_condition(sql, table, 1);
			break;
		case STATEMENT_UPDATE_ROW:
			appendStringInfo(sql, "UPDATE %s", table->qualified_name);
			append_assignments(sql, table, false);
			append_row_key_condition(sql, table);
			break;
		case STATEMENT_INSERT:
			append_insert(sql, table);
			break;
		case STATEMENT_INSERT_ABSENT:
			append_insert(sql, table);
			append_conflict_target(sql, table);
			appendStringInfoString(sql, "NOTHING");
			break;
		case STATEMENT_UPSERT:
			append_insert(sql, table);
			append_conflict_target(sql, table);
			appendStringInfoString(sql, "UPDATE");
			append_assignments(sql, table, true);
			break;
	}
}

/* Parameter types of a statement; types has room for attribute_count + 1 and TABLE_MAX_KEYS + 1. */
static int
get_parameter_types(const TableDescriptor *table, StatementKind kind, Oid *types)
{
	int			count = 0;

	if (kind >= STATEMENT_UPDATE_ROW)
	{
		for (int i = 0; i <= table->attribute_count; i++)
			types[count++] = StatementColumnType(table, i);
		return count;
	}
	for (int i = 0; i < table->key_count; i++)
		types[count++] = StatementColumnType(table, table->keys[i]);
	if (kind == STATEMENT_UPDATE_ITEM)
		types[count++] = table->item_type;
	return count;
}

static SPIPlanPtr
prepare(const char *text, int parameter_count, Oid *parameter_types, int options)
{
	SPIPlanPtr	plan = SPI_prepare_cursor(text, parameter_count, parameter_types, CURSOR_OPT_GENERIC_PLAN | options);

	if (plan == NULL || SPI_keepplan(plan) != 0)
		elog(ERROR, "could not prepare \"%s\": %s", text, SPI_result_code_string(SPI_result));
	return plan;
}

SPIPlanPtr
StatementPrepare(TableDescriptor *table, StatementKind kind)
{
	KeptStatements *statements = StatementsOfTable(table);

	if (statements->plans[kind] == NULL)
	{
		Oid		   *types = palloc((table->attribute_count + 1 + TABLE_MAX_KEYS + 1) * sizeof(Oid));
		int			count = get_parameter_types(table, kind, types);
		StringInfoData sql;

		initStringInfo(&sql);
		append_statement(&sql, table, kind);
		statements->plans[kind] = prepare(sql.data, count, types, 0);
	}
	return statements->plans[kind];
}

/*
 * StatementPrepareScan
 *		The plan of a range scan, which differs by the bounds it has.
 */
SPIPlanPtr
StatementPrepareScan(TableDescriptor *table, const char *text, int parameter_count, Oid *parameter_types)
{
	KeptStatements *statements = StatementsOfTable(table);
	ScanPlan   *scan;
	SPIPlanPtr	plan;
	dlist_iter	iter;

	dlist_foreach(iter, &statements->scans)
	{
		scan = dlist_container(ScanPlan, recently_used, iter.cur);
		if (strcmp(scan->text, text) == 0)
		{
			dlist_move_head(&statements->scans, &scan->recently_used);
			return scan->plan;
		}
	}

	if (statements->scan_count >= MAX_SCAN_PLANS)
	{
		scan = dlist_tail_element(ScanPlan, recently_used, &statements->scans);
		dlist_delete(&scan->recently_used);
		statements->scan_count--;
		SPI_freeplan(scan->plan);
		pfree(scan->text);
		pfree(scan);
	}
	plan = prepare(text, parameter_count, parameter_types, CURSOR_OPT_FAST_PLAN);
	scan = MemoryContextAlloc(table->context, sizeof(ScanPlan));
	scan->text = MemoryContextStrdup(table->context, text);
	scan->plan = plan;
	dlist_push_head(&statements->scans, &scan->recently_used);
	statements->scan_count++;
	return plan;
}

/*
 * DynamoDB allows a partition key of 2048 bytes beside a sort key of 1024: more than a btree holds in one row, unless it compresses.
 * So the btree decides, and its refusal is reported as what it is, a bad value.
 */
void
StatementRaise(MemoryContext context)
{
	ErrorData  *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	if (error->sqlerrcode == ERRCODE_PROGRAM_LIMIT_EXCEEDED && error->message_id != NULL &&
		strncmp(error->message_id, INDEX_ROW_SIZE_MESSAGE, strlen(INDEX_ROW_SIZE_MESSAGE)) == 0)
	{
		FlushErrorState();
		error->sqlerrcode = ERRCODE_KV_VALIDATION;
		error->detail = error->message;
		error->message = pstrdup("One or more parameter values were invalid: The key attributes are together too long for an index");
		ReThrowError(error);
	}
	PG_RE_THROW();
}

uint64
StatementRun(SPIPlanPtr plan, Datum *values, const char *nulls, bool read_only)
{
	MemoryContext context = CurrentMemoryContext;
	int			result = 0;

	if (read_only)
		result = SPI_execute_plan(plan, values, nulls, true, 0);
	else
	{
		PG_TRY();
		{
			result = SPI_execute_plan(plan, values, nulls, false, 0);
		}
		PG_CATCH();
		{
			StatementRaise(context);
		}
		PG_END_TRY();
	}
	if (result < 0)
		elog(ERROR, "could not run a statement: %s", SPI_result_code_string(result));
	return SPI_processed;
}
