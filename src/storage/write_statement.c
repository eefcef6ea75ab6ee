/*
 * src/storage/write_statement.c
 *		Writes, and the locks before them, by kept statements, each a command of its own with a snapshot of its own.
 *
 * In READ COMMITTED each sees what is committed when it starts; in REPEATABLE READ and above a row that changed since the
 * transaction's snapshot gives 40001.
 *
 * An absent key is locked by inserting a row with it and deleting that row again.  Until our transaction ends the dead
 * row stays in the primary key's index, inserted by a transaction in progress: whoever inserts the same key finds it there
 * (the check for duplicates looks at all row versions, HeapTupleSatisfiesDirty), waits for us, and then goes on, since we
 * commit a deleted row or abort.  So no row with that key can come into being before our end; a reader sees neither.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "storage/storage_internal.h"

/* Rounds of an insert that finds a row in its way which is gone, or hidden, when it is looked for. */
#define INSERT_ROUNDS 10

/* Runs a statement whose parameters are the key. */
static uint64
run_for_key(TableDescriptor *table, StatementKind kind, const TableKey *key)
{
	return StatementRun(StatementPrepare(table, kind), (Datum *) key->values, NULL, false);
}

/* A row as parameters. */
typedef struct RowParameters
{
	Datum	   *values;
	bool	   *nulls;
	char	   *null_flags;		/* 'n' and ' ', as SPI wants them */
} RowParameters;

static void
allocate_parameters(const TableDescriptor *table, RowParameters *row)
{
	row->values = palloc0((table->attribute_count + 1) * sizeof(Datum));
	row->nulls = palloc0((table->attribute_count + 1) * sizeof(bool));
	row->null_flags = palloc((table->attribute_count + 1) * sizeof(char));
}

static void
set_parameters(const TableDescriptor *table, const SingletableItem *item, RowParameters *row)
{
	allocate_parameters(table, row);
	TableSplitItem(table, item, row->values, row->nulls);
}

static uint64
run_for_row(TableDescriptor *table, StatementKind kind, RowParameters *row)
{
	for (int i = 0; i <= table->attribute_count; i++)
		row->null_flags[i] = row->nulls[i] ? 'n' : ' ';
	return StatementRun(StatementPrepare(table, kind), row->values, row->null_flags, false);
}

SingletableItem *
StatementLock(TableDescriptor *table, const TableKey *key)
{
	MemoryContext caller_context = CurrentMemoryContext;
	SingletableItem *item = NULL;

	SPI_connect();
	if (run_for_key(table, STATEMENT_LOCK, key) > 0)
	{
		TupleTableSlot *slot = MakeSingleTupleTableSlot(StatementsOfTable(table)->result_tupdesc, &TTSOpsHeapTuple);
		RowSource	source;

		ExecStoreHeapTuple(SPI_tuptable->vals[0], slot, false);
		RowSourceInit(&source, table, caller_context);
		source.is_result_row = true;
		RowSourceSet(&source, slot);
		item = RowSourceItem(&source);
		StatementsOfTable(table)->is_misplaced |= source.is_misplaced;
	}
	SPI_finish();
	return item;
}

/*
 * Inserts a row unless one with its key is there, between SPI_connect and SPI_finish.
 *
 * Where nothing was inserted and no row is to be seen either, the row that was in the way may be gone again (so: once more), or
 * row-level security hides it, or a trigger refused the new one.  A plain INSERT tells: it raises the unique violation of the hidden
 * row, or leaves the matter to the trigger, which has the last word as in any statement.
 */
static bool
insert_absent(TableDescriptor *table, const TableKey *key, RowParameters *row)
{
	for (int i = 0; i < INSERT_ROUNDS; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (run_for_row(table, STATEMENT_INSERT_ABSENT, row) > 0)
			return true;
		if (run_for_key(table, STATEMENT_EXISTS, key) > 0)
			return false;
	}
	run_for_row(table, STATEMENT_INSERT, row);
	return true;
}

/* The key among the parameters of a row; its attributes are not needed. */
static void
get_key(const TableDescriptor *table, const RowParameters *row, TableKey *key)
{
	for (int i = 0; i < table->key_count; i++)
		key->values[i] = row->values[table->keys[i]];
}

bool
StatementInsert(TableDescriptor *table, const SingletableItem *item)
{
	RowParameters row;
	TableKey	key;
	bool		inserted;

	SPI_connect();
	set_parameters(table, item, &row);
	get_key(table, &row, &key);
	inserted = insert_absent(table, &key, &row);
	SPI_finish();
	return inserted;
}

void
StatementUpsert(TableDescriptor *table, const SingletableItem *item)
{
	RowParameters row;

	SPI_connect();
	set_parameters(table, item, &row);
	run_for_row(table, STATEMENT_UPSERT, &row);
	SPI_finish();
}

/*
 * StatementUpdate
 *		Mostly writes the item column alone.
 *
 * What stands in the rest but belongs into a column (the column was added later, or plain SQL put it there) is in old_item like
 * everything else, so that it cannot be seen here: once StatementLock has met such a row, all columns are written.
 */
bool
StatementUpdate(TableDescriptor *table, const TableKey *key, const SingletableItem *old_item,
				const SingletableItem *new_item, bool columns_differ)
{
	RowParameters row;
	uint64		count;

	SPI_connect();
	set_parameters(table, new_item, &row);
	if (columns_differ || StatementsOfTable(table)->is_misplaced || TableColumnsDiffer(table, old_item, new_item))
		count = run_for_row(table, STATEMENT_UPDATE_ROW, &row);
	else
	{
		Datum		values[TABLE_MAX_KEYS + 1];

		for (int i = 0; i < table->key_count; i++)
			values[i] = key->values[i];
		values[table->key_count] = row.values[table->attribute_count];
		count = StatementRun(StatementPrepare(table, STATEMENT_UPDATE_ITEM), values, NULL, false);
	}
	SPI_finish();
	return count > 0;
}

bool
StatementDelete(TableDescriptor *table, const TableKey *key)
{
	uint64		count;

	SPI_connect();
	count = run_for_key(table, STATEMENT_DELETE, key);
	SPI_finish();
	return count > 0;
}

/*
 * A row with the key and as little else as possible: columns that must not be NULL get an empty value, since the row is deleted at
 * once.
 */
static void
set_placeholder(const TableDescriptor *table, const TableKey *key, RowParameters *row)
{
	char		zero[ITEM_NUMBER_MAX];

	allocate_parameters(table, row);
	for (int i = 0; i < table->attribute_count; i++)
	{
		const PromotedAttribute *attribute = &table->attributes[i];

		row->nulls[i] = !TupleDescAttr(table->tupdesc, attribute->attno - 1)->attnotnull;
		if (attribute->key_position >= 0)
			row->values[i] = key->values[attribute->key_position];
		else if (!row->nulls[i])
		{
			AttributeValue value = {.type = attribute->type, .length = 0, .data = zero};

			if (attribute->type == ATTRIBUTE_N)
				value.length = ItemNumberFromInt64(0, zero);
			row->values[i] = AttributeValueGetDatum(&value);
		}
	}
	row->values[table->attribute_count] = PointerGetDatum(ItemEmpty());
}

bool
StatementLockAbsent(TableDescriptor *table, const TableKey *key)
{
	RowParameters row;
	bool		is_absent;

	SPI_connect();
	set_placeholder(table, key, &row);
	is_absent = insert_absent(table, key, &row);
	if (is_absent)
		run_for_key(table, STATEMENT_DELETE, key);
	SPI_finish();
	return is_absent;
}
