/*
 * src/storage/write_direct.c
 *		Writes of rows through the index and table access methods, without statements.
 *
 * What is written here is a new row, a row's next version, or the end of a row, in a table where that is all that there is to do
 * (is_plainly_written).  Each function is a command, as the statement that it stands for: it begins with the next command number and
 * a snapshot of its own.  It finds the row as the executor's index scan does, and changes that very version.
 *
 * Where anything else is met, nothing has been changed yet (or was taken back), and the function declines: the statement, which begins
 * anew, follows the row to its latest version, looks at it again, waits for whoever inserts it, or raises what is to be raised.  So
 * the rules for writers that meet are the executor's, and here is only the case in which none does.
 *
 * StorageLock's row stays the latest version until our transaction ends, unless we write it ourselves; so the write after it needs no
 * second search.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "storage/storage_internal.h"

/*
 * Must a statement write this table?  One reason a line.
 */
static bool
declines_write(const TableDescriptor *table, AclMode privileges)
{
	return !table->is_plainly_written
		|| XactReadOnly			/* an error, but for temporary tables */
		|| IsInParallelMode()
		|| DirectDeclines(table, privileges);
}

/* As SPI before each statement: a snapshot that sees what this transaction did, and, in READ COMMITTED, what others have committed. */
static void
begin_command(void)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
}

static void
end_command(void)
{
	PopActiveSnapshot();
	CommandCounterIncrement();
}

bool
DirectLock(TableDescriptor *table, const TableKey *key, TupleTableSlot **row, SingletableItem **item)
{
	Relation	heap;
	TupleTableSlot *slot;
	bool		is_done;

	if (declines_write(table, ACL_SELECT | ACL_UPDATE))
		return false;

	begin_command();
	heap = table_open(table->relid, NoLock);
	slot = DirectMakeSlot(table, heap);
	*item = NULL;
	if (DirectFindRow(table, heap, key, slot, &is_done))
	{
		ItemPointerData tid = slot->tts_tid;
		TM_FailureData failure;
		RowSource	source;

		ExecClearTuple(slot);
		/* A version that is not the latest, or is gone, has been waited for: the statement finds what there is now. */
		is_done = table_tuple_lock(heap, &tid, GetActiveSnapshot(), slot, GetCurrentCommandId(false), LockTupleNoKeyExclusive,
								   LockWaitBlock, TUPLE_LOCK_FLAG_LOCK_UPDATE_IN_PROGRESS, &failure) == TM_Ok;
		if (is_done)
		{
			/* The row outlives the pin of its buffer. */
			ExecMaterializeSlot(slot);
			*row = slot;
			RowSourceInit(&source, table, CurrentMemoryContext);
			RowSourceSet(&source, slot);
			*item = RowSourceItem(&source);
		}
		else
			ExecClearTuple(slot);
	}
	table_close(heap, NoLock);
	end_command();
	return is_done;
}

/*
 * Is this column of a row what the item has there?  A numeric may be written in another way and be the same number.
 */
static bool
column_is(const PromotedAttribute *attribute, TupleTableSlot *slot, Datum value, bool is_null)
{
	bool		old_is_null;
	Datum		old_value = slot_getattr(slot, attribute->attno, &old_is_null);
	struct varlena *bytes;
	struct varlena *old_bytes;

	if (is_null || old_is_null)
		return is_null && old_is_null;
	if (attribute->type == ATTRIBUTE_N)
		return DatumGetBool(DirectFunctionCall2(numeric_eq, old_value, value));
	bytes = (struct varlena *) DatumGetPointer(value);
	old_bytes = PG_DETOAST_DATUM_PACKED(old_value);
	return VARSIZE_ANY_EXHDR(bytes) == VARSIZE_ANY_EXHDR(old_bytes) &&
		memcmp(VARDATA_ANY(bytes), VARDATA_ANY(old_bytes), VARSIZE_ANY_EXHDR(bytes)) == 0;
}

/*
 * A row's next version, which holds this item.
 *
 * columns_differ	set: does a column other than the item's change?
 * Result	NULL if a column that is to have a value has none, which is an error of the server's
 */
static TupleTableSlot *
make_version(const TableDescriptor *table, TupleTableSlot *old_slot, const SingletableItem *item, bool *columns_differ)
{
	Datum	   *values = palloc((table->attribute_count + 1) * sizeof(Datum));
	bool	   *nulls = palloc((table->attribute_count + 1) * sizeof(bool));
	TupleTableSlot *slot = MakeSingleTupleTableSlot(table->tupdesc, &TTSOpsVirtual);

	TableSplitItem(table, item, values, nulls);
	slot_getallattrs(old_slot);
	memcpy(slot->tts_values, old_slot->tts_values, table->column_count * sizeof(Datum));
	memcpy(slot->tts_isnull, old_slot->tts_isnull, table->column_count * sizeof(bool));
	/* As the executor does: what a dropped column held need not be copied on. */
	for (int i = 0; i < table->column_count; i++)
		slot->tts_isnull[i] |= TupleDescAttr(table->tupdesc, i)->attisdropped;

	*columns_differ = false;
	for (int i = 0; i < table->attribute_count; i++)
	{
		const PromotedAttribute *attribute = &table->attributes[i];

		if (column_is(attribute, old_slot, values[i], nulls[i]))
			continue;
		if (nulls[i] && TupleDescAttr(table->tupdesc, attribute->attno - 1)->attnotnull)
			return NULL;
		slot->tts_values[attribute->attno - 1] = values[i];
		slot->tts_isnull[attribute->attno - 1] = nulls[i];
		*columns_differ = true;
	}
	slot->tts_values[table->item_attno - 1] = values[table->attribute_count];
	slot->tts_isnull[table->item_attno - 1] = false;
	return ExecStoreVirtualTuple(slot);
}

/*
 * A new row, which holds this item.
 * Result	NULL if a statement must insert it: a column that is to have a value has none, which is an error of the server's, or columns have
 *			defaults, or another unique index may refuse the row.  The statement looks for its key before, and waits for whoever
 *			inserts that, where the index would raise an error for what turns out to be no new row.
 */
static TupleTableSlot *
make_row(const TableDescriptor *table, const SingletableItem *item)
{
	Datum	   *values = palloc((table->attribute_count + 1) * sizeof(Datum));
	bool	   *nulls = palloc((table->attribute_count + 1) * sizeof(bool));
	TupleTableSlot *slot;

	if (table->has_other_columns || table->has_other_unique)
		return NULL;
	slot = MakeSingleTupleTableSlot(table->tupdesc, &TTSOpsVirtual);
	TableSplitItem(table, item, values, nulls);
	memset(slot->tts_isnull, true, table->column_count * sizeof(bool));
	for (int i = 0; i <= table->attribute_count; i++)
	{
		AttrNumber	attno = i < table->attribute_count ? table->attributes[i].attno : table->item_attno;

		if (nulls[i] && TupleDescAttr(table->tupdesc, attno - 1)->attnotnull)
			return NULL;
		slot->tts_values[attno - 1] = values[i];
		slot->tts_isnull[attno - 1] = nulls[i];
	}
	return ExecStoreVirtualTuple(slot);
}

/*
 * The index entries of a row that was written.
 *
 * keys_are_old	no index has another key for it than for the row's last version, as far as is known: a hint for the btree
 * arbiters	NIL, or the unique indexes that are asked and not obeyed
 * Result	false if an arbiter has another row with that key, or may come to have one
 * Errors	23505, 23P01; KV001 for a key that is too long
 */
static bool
insert_index_entries(Relation heap, TupleTableSlot *slot, bool keys_are_old, IndexUpdates updates, List *arbiters)
{
	MemoryContext context = CurrentMemoryContext;
	EState	   *estate = CreateExecutorState();
	ResultRelInfo *result_relation = makeNode(ResultRelInfo);
	bool		conflict = false;

	PG_TRY();
	{
		InitResultRelInfo(result_relation, heap, 0, NULL, 0);
		ExecOpenIndices(result_relation, arbiters != NIL);
		(void) InsertIndexEntries(result_relation, slot, estate, keys_are_old, updates, arbiters != NIL ? &conflict : NULL, arbiters);
		ExecCloseIndices(result_relation);
	}
	PG_CATCH();
	{
		StatementRaise(context);
	}
	PG_END_TRY();
	FreeExecutorState(estate);
	return !conflict;
}

/*
 * Inserts a row, unless its key is there or another transaction is inserting it.
 *
 * This is what INSERT ON CONFLICT does, without its search before: the row is inserted as a promise, which others that meet it wait for,
 * and is kept or taken back when the primary key has answered.
 */
static bool
insert_row(const TableDescriptor *table, Relation heap, TupleTableSlot *slot)
{
	TransactionId transaction = GetCurrentTransactionId();
	uint32		token = SpeculativeInsertionLockAcquire(transaction);
	bool		is_kept;

	table_tuple_insert_speculative(heap, slot, GetCurrentCommandId(true), 0, NULL, token);
	is_kept = insert_index_entries(heap, slot, false, INDEX_UPDATES_ALL, list_make1_oid(table->primary_key));
	table_tuple_complete_speculative(heap, slot, token, is_kept);
	SpeculativeInsertionLockRelease(transaction);
	return is_kept;
}

/*
 * Puts a version in the place of another one, if that is still the latest.
 */
static TM_Result
write_version(Relation heap, ItemPointer tid, TupleTableSlot *slot, bool columns_differ)
{
	TM_FailureData failure;
	LockTupleMode lock_mode;
	IndexUpdates updates;
	TM_Result	result;

	CheckCmdReplicaIdentity(heap, CMD_UPDATE);
	result = table_tuple_update(heap, tid, slot, GetCurrentCommandId(true), GetActiveSnapshot(), InvalidSnapshot, true, &failure,
								&lock_mode, &updates);
	if (result == TM_Ok && updates != INDEX_UPDATES_NONE)
		(void) insert_index_entries(heap, slot, !columns_differ, updates, NIL);
	return result;
}

bool
DirectUpdate(TableDescriptor *table, TupleTableSlot *row, const SingletableItem *new_item)
{
	Relation	heap;
	TupleTableSlot *slot;
	bool		columns_differ;

	/* What a direct write demands was looked at when the row was locked. */
	slot = make_version(table, row, new_item, &columns_differ);
	if (slot == NULL)
		return false;

	begin_command();
	heap = table_open(table->relid, NoLock);
	if (write_version(heap, &row->tts_tid, slot, columns_differ) != TM_Ok)
		elog(ERROR, "a locked row of table \"%s\" was changed", table->name);
	table_close(heap, NoLock);
	end_command();
	return true;
}

/*
 * DirectInsert
 *		Inserts a row whose key is absent; declines, too, if it is not.
 */
bool
DirectInsert(TableDescriptor *table, const SingletableItem *item)
{
	Relation	heap;
	TupleTableSlot *slot;
	bool		is_done;

	if (declines_write(table, ACL_SELECT | ACL_INSERT))
		return false;
	slot = make_row(table, item);
	if (slot == NULL)
		return false;

	begin_command();
	heap = table_open(table->relid, NoLock);
	is_done = insert_row(table, heap, slot);
	table_close(heap, NoLock);
	end_command();
	return is_done;
}

/*
 * DirectUpsert
 *		Gives the row of a key a new item, whatever its old one is, or inserts it.
 *
 * The statement, INSERT ON CONFLICT, reads no row that it would have to be told of when somebody else changes it; so a serializable
 * transaction leaves it to that.
 */
bool
DirectUpsert(TableDescriptor *table, const TableKey *key, const SingletableItem *item)
{
	Relation	heap;
	TupleTableSlot *old_slot;
	TupleTableSlot *slot;
	bool		columns_differ;
	bool		is_done;

	if (IsolationIsSerializable() || declines_write(table, ACL_SELECT | ACL_INSERT | ACL_UPDATE))
		return false;

	begin_command();
	heap = table_open(table->relid, NoLock);
	old_slot = DirectMakeSlot(table, heap);
	if (DirectFindRow(table, heap, key, old_slot, &is_done))
	{
		slot = make_version(table, old_slot, item, &columns_differ);
		is_done = slot != NULL && write_version(heap, &old_slot->tts_tid, slot, columns_differ) == TM_Ok;
	}
	else if (is_done)
	{
		slot = make_row(table, item);
		is_done = slot != NULL && insert_row(table, heap, slot);
	}
	ExecClearTuple(old_slot);
	table_close(heap, NoLock);
	end_command();
	return is_done;
}

bool
DirectDelete(TableDescriptor *table, const TableKey *key, TupleTableSlot *row, bool *deleted)
{
	Relation	heap;
	bool		is_done = true;

	if (declines_write(table, ACL_SELECT | ACL_DELETE))
		return false;

	begin_command();
	heap = table_open(table->relid, NoLock);
	*deleted = true;
	if (row == NULL)
	{
		row = DirectMakeSlot(table, heap);
		*deleted = DirectFindRow(table, heap, key, row, &is_done);
	}
	if (*deleted)
	{
		TM_FailureData failure;

		CheckCmdReplicaIdentity(heap, CMD_DELETE);
		is_done = table_tuple_delete(heap, &row->tts_tid, GetCurrentCommandId(true), GetActiveSnapshot(), InvalidSnapshot, true,
									 &failure, false) == TM_Ok;
	}
	ExecClearTuple(row);
	table_close(heap, NoLock);
	end_command();
	return is_done;
}
