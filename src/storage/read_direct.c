/*
 * src/storage/read_direct.c
 *		Reads of plain tables through the index and table access methods, without a statement.
 *
 * Each step stands for one of a plain SELECT: the table is locked and described by TableOpen (parse analysis), DirectDeclines
 * looks at privileges and policies (executor start), and the active snapshot decides what is seen.  Serializable transactions need
 * nothing more: index_getnext_slot and the btree set the predicate locks; only a row that is answered from the index alone needs
 * one here.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/visibilitymap.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/settings.h"
#include "storage/storage_internal.h"

struct DirectScan
{
	Relation	heap;
	Relation	index;
	Snapshot	snapshot;
	IndexScanDesc scan;
	TupleTableSlot *slot;		/* for rows of the heap */
	TupleTableSlot *key_slot;	/* for rows from the index alone; NULL without keys_only */
	Buffer		visibility_buffer;	/* of the visibility map */
};

/*
 * DirectDeclines
 *		Must a statement touch this table?  One reason a line.
 *
 * privileges	what the user must have on all of the table: with less there may still be privileges on columns
 */
bool
DirectDeclines(const TableDescriptor *table, AclMode privileges)
{
	return singletable_force_statements /* a test asks for it */
		|| table->kind != TABLE_PLAIN	/* its rows are in partitions */
		|| ExecutorCheckPerms_hook != NULL	/* an extension watches what statements read: auditing, labels */
		|| pg_class_aclmask(table->relid, GetUserId(), privileges, ACLMASK_ALL) != privileges
		|| check_enable_rls(table->relid, InvalidOid, true) == RLS_ENABLED; /* policies hide rows */
}

/*
 * May a scan with this snapshot use the index?  The planner asks the same (get_relation_info): an index that is not finished has
 * not all rows, and one that was built over broken HOT chains lacks row versions that an old snapshot sees.
 */
static bool
index_is_usable(Relation index)
{
	return index->rd_index->indisvalid &&
		(!index->rd_index->indcheckxmin ||
		 TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data), TransactionXmin));
}

/* The function that compares values of a type the way a strategy says; strategy 0 is the btree's three-way comparison. */
static RegProcedure
get_comparison(AttributeType type, StrategyNumber strategy)
{
	static const RegProcedure functions[3][BTMaxStrategyNumber + 1] = {
		{F_BTTEXTCMP, F_TEXT_LT, F_TEXT_LE, F_TEXTEQ, F_TEXT_GE, F_TEXT_GT},
		{F_NUMERIC_CMP, F_NUMERIC_LT, F_NUMERIC_LE, F_NUMERIC_EQ, F_NUMERIC_GE, F_NUMERIC_GT},
		{F_BYTEACMP, F_BYTEALT, F_BYTEALE, F_BYTEAEQ, F_BYTEAGE, F_BYTEAGT},
	};

	return functions[type == ATTRIBUTE_S ? 0 : type == ATTRIBUTE_N ? 1 : 2][strategy];
}

static void
init_scan_key(ScanKey key, int flags, Relation index, int column, AttributeType type, StrategyNumber strategy,
			  bool is_row_member, Datum value)
{
	ScanKeyEntryInitialize(key, flags, column + 1, strategy, InvalidOid, index->rd_indcollation[column],
						   get_comparison(type, is_row_member ? 0 : strategy), value);
}

/* The scan keys of a primary key. */
static void
init_primary_keys(const TableDescriptor *table, Relation index, const TableKey *key, ScanKeyData *scan_keys)
{
	for (int i = 0; i < table->key_count; i++)
		init_scan_key(&scan_keys[i], 0, index, i, TableKeyAttribute(table, i)->type, BTEqualStrategyNumber, false, key->values[i]);
}

/*
 * A slot with the descriptor's tuple description: the relation's own is reference-counted, and rows are used after the relation was
 * closed.
 */
TupleTableSlot *
DirectMakeSlot(const TableDescriptor *table, Relation heap)
{
	return MakeSingleTupleTableSlot(table->tupdesc, table_slot_callbacks(heap));
}

bool
DirectFindRow(const TableDescriptor *table, Relation heap, const TableKey *key, TupleTableSlot *slot, bool *is_usable)
{
	Relation	index = index_open(table->primary_key, AccessShareLock);
	bool		found = false;

	*is_usable = index_is_usable(index);
	if (*is_usable)
	{
		ScanKeyData scan_keys[TABLE_MAX_KEYS];
		IndexScanDesc scan = IndexBeginScan(heap, index, GetActiveSnapshot(), table->key_count);

		init_primary_keys(table, index, key, scan_keys);
		index_rescan(scan, scan_keys, table->key_count, NULL, 0);
		found = index_getnext_slot(scan, ForwardScanDirection, slot);
		index_endscan(scan);
	}
	index_close(index, NoLock);
	return found;
}

bool
DirectGet(TableDescriptor *table, const TableKey *key, RowSource **row)
{
	Relation	heap;
	TupleTableSlot *slot;
	bool		is_usable;

	if (DirectDeclines(table, ACL_SELECT))
		return false;

	heap = table_open(table->relid, NoLock);
	slot = DirectMakeSlot(table, heap);
	*row = NULL;
	if (DirectFindRow(table, heap, key, slot, &is_usable))
	{
		/* The row outlives the pin of its buffer. */
		ExecMaterializeSlot(slot);
		*row = palloc(sizeof(RowSource));
		RowSourceInit(*row, table, CurrentMemoryContext);
		RowSourceSet(*row, slot);
	}
	table_close(heap, NoLock);
	return is_usable;
}

bool
DirectGetMany(TableDescriptor *table, const TableKey *keys, int key_count, StorageGetCallback callback, void *state)
{
	Relation	heap;
	Relation	index;
	bool		is_usable;

	if (DirectDeclines(table, ACL_SELECT))
		return false;

	heap = table_open(table->relid, NoLock);
	index = index_open(table->primary_key, AccessShareLock);
	is_usable = index_is_usable(index);
	if (is_usable)
	{
		MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "singletable row", ALLOCSET_DEFAULT_SIZES);
		TupleTableSlot *slot = DirectMakeSlot(table, heap);
		IndexScanDesc scan = IndexBeginScan(heap, index, GetActiveSnapshot(), table->key_count);
		RowSource	source;

		RowSourceInit(&source, table, row_context);
		for (int i = 0; i < key_count; i++)
		{
			ScanKeyData scan_keys[TABLE_MAX_KEYS];
			bool		found;

			CHECK_FOR_INTERRUPTS();
			MemoryContextReset(row_context);
			init_primary_keys(table, index, &keys[i], scan_keys);
			index_rescan(scan, scan_keys, table->key_count, NULL, 0);
			found = index_getnext_slot(scan, ForwardScanDirection, slot);
			if (found)
				RowSourceSet(&source, slot);
			callback(state, i, found ? &source : NULL);
		}
		index_endscan(scan);
		ExecDropSingleTupleTableSlot(slot);
		MemoryContextDelete(row_context);
	}
	index_close(index, NoLock);
	table_close(heap, NoLock);
	return is_usable;
}

/*
 * The columns from number equal_count on as one row that is greater (backwards: less) than the start position: a row comparison,
 * the key that the executor makes of ROW(a, b) > ROW(x, y).  The members live as long as the scan.
 */
static void
init_row_comparison(ScanKey key, const StorageScan *scan, Relation index)
{
	const ScanBounds *bounds = &scan->bounds;
	StrategyNumber strategy = scan->is_forward ? BTGreaterStrategyNumber : BTLessStrategyNumber;
	int			member_count = bounds->column_count - bounds->equal_count;
	ScanKey		members;

	if (member_count == 1)
	{
		init_scan_key(key, 0, index, bounds->equal_count, bounds->start[bounds->equal_count].type, strategy, false,
					  ScanValueGetDatum(&bounds->start[bounds->equal_count]));
		return;
	}

	members = palloc(member_count * sizeof(ScanKeyData));
	for (int i = 0; i < member_count; i++)
	{
		int			column = bounds->equal_count + i;

		init_scan_key(&members[i], SK_ROW_MEMBER | (i == member_count - 1 ? SK_ROW_END : 0), index, column,
					  bounds->start[column].type, strategy, true, ScanValueGetDatum(&bounds->start[column]));
	}
	MemSet(key, 0, sizeof(ScanKeyData));
	key->sk_flags = SK_ROW_HEADER;
	key->sk_attno = members[0].sk_attno;
	key->sk_strategy = strategy;
	key->sk_argument = PointerGetDatum(members);
}

/*
 * Scan keys in the order of the columns.
 * Result	their number; keys has room for INDEX_MAX_COLUMNS + 3
 */
static int
init_range_keys(const StorageScan *scan, Relation index, ScanKeyData *keys)
{
	const ScanBounds *bounds = &scan->bounds;
	int			count = 0;

	for (int i = 0; i < bounds->equal_count; i++)
		init_scan_key(&keys[count++], 0, index, i, bounds->equal[i].type, BTEqualStrategyNumber, false,
					  ScanValueGetDatum(&bounds->equal[i]));
	if (bounds->has_lower)
		init_scan_key(&keys[count++], 0, index, bounds->equal_count, bounds->lower.type,
					  bounds->lower_inclusive ? BTGreaterEqualStrategyNumber : BTGreaterStrategyNumber, false,
					  ScanValueGetDatum(&bounds->lower));
	if (bounds->has_upper)
		init_scan_key(&keys[count++], 0, index, bounds->equal_count, bounds->upper.type,
					  bounds->upper_inclusive ? BTLessEqualStrategyNumber : BTLessStrategyNumber, false,
					  ScanValueGetDatum(&bounds->upper));
	if (bounds->has_start)
		init_row_comparison(&keys[count++], scan, index);
	return count;
}

bool
DirectBeginScan(StorageScan *scan)
{
	TableDescriptor *table = scan->table;
	Relation	heap;
	Relation	index;
	DirectScan *direct;
	ScanKeyData keys[INDEX_MAX_COLUMNS + 3];
	int			key_count;

	if (DirectDeclines(table, ACL_SELECT))
		return false;

	heap = table_open(table->relid, NoLock);
	index = index_open(scan->index != NULL ? scan->index->oid : table->primary_key, AccessShareLock);
	if (!index_is_usable(index))
	{
		index_close(index, NoLock);
		table_close(heap, NoLock);
		return false;
	}

	direct = palloc0(sizeof(DirectScan));
	direct->heap = heap;
	direct->index = index;
	direct->slot = DirectMakeSlot(table, heap);
	if (scan->keys_only)
		direct->key_slot = MakeSingleTupleTableSlot(table->tupdesc, &TTSOpsVirtual);
	direct->visibility_buffer = InvalidBuffer;
	direct->snapshot = RegisterSnapshot(GetActiveSnapshot());

	key_count = init_range_keys(scan, index, keys);
	direct->scan = IndexBeginScan(heap, index, direct->snapshot, key_count);
	direct->scan->xs_want_itup = scan->keys_only || scan->total_segments > 0;
	index_rescan(direct->scan, keys, key_count, NULL, 0);
	scan->direct = direct;
	return true;
}

/* Does the index tuple's partition key belong to the scan's segment? */
static bool
tuple_is_in_segment(const StorageScan *scan, const Datum *values)
{
	char		numbers[INDEX_MAX_PARTITION_KEYS][ITEM_NUMBER_MAX];
	AttributeValue partition_key[INDEX_MAX_PARTITION_KEYS];
	MemoryContext old_context = MemoryContextSwitchTo(scan->row_context);
	bool		result;

	/* A long value may be compressed. */
	for (int i = 0; i < scan->bounds.partition_count; i++)
		AttributeValueFromDatum(values[i], scan->table->attributes[scan->bounds.columns[i]].type, numbers[i], &partition_key[i]);
	result = ScanSegmentContains(scan, partition_key);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(scan->row_context);
	return result;
}

/*
 * Is the row that an index tuple points to visible?  As in nodeIndexonlyscan.c: the heap is visited unless its page is known to hold
 * visible rows only.
 */
static bool
tuple_is_visible(DirectScan *direct, ItemPointer tid)
{
	BlockNumber block = ItemPointerGetBlockNumber(tid);

	if (VM_ALL_VISIBLE(direct->heap, block, &direct->visibility_buffer))
	{
		/* Nobody else locks what we read, since we do not read it from the heap. */
		PredicateLockPage(direct->heap, block, direct->snapshot);
		return true;
	}
	if (!index_fetch_heap(direct->scan, direct->slot))
		return false;
	ExecClearTuple(direct->slot);
	return true;
}

/* A row with the key columns of an index tuple, all others NULL. */
static TupleTableSlot *
store_keys(const StorageScan *scan, const Datum *values)
{
	const TableDescriptor *table = scan->table;
	TupleTableSlot *slot = scan->direct->key_slot;

	ExecClearTuple(slot);
	memset(slot->tts_isnull, true, table->column_count * sizeof(bool));
	for (int i = 0; i < scan->bounds.column_count; i++)
	{
		AttrNumber	attno = table->attributes[scan->bounds.columns[i]].attno;

		slot->tts_values[attno - 1] = values[i];
		slot->tts_isnull[attno - 1] = false;
	}
	return ExecStoreVirtualTuple(slot);
}

/* The next row of a scan that looks at the index tuple before it visits the heap. */
static TupleTableSlot *
next_by_index_tuple(StorageScan *scan, ScanDirection direction)
{
	DirectScan *direct = scan->direct;
	ItemPointer tid;

	while ((tid = index_getnext_tid(direct->scan, direction)) != NULL)
	{
		Datum		values[INDEX_MAX_KEYS];
		bool		nulls[INDEX_MAX_KEYS];

		CHECK_FOR_INTERRUPTS();
		index_deform_tuple(direct->scan->xs_itup, direct->scan->xs_itupdesc, values, nulls);
		if (scan->total_segments > 0 && !tuple_is_in_segment(scan, values))
			continue;
		if (scan->keys_only)
		{
			if (tuple_is_visible(direct, tid))
				return store_keys(scan, values);
		}
		else if (index_fetch_heap(direct->scan, direct->slot))
			return direct->slot;
	}
	return NULL;
}

TupleTableSlot *
DirectNext(StorageScan *scan)
{
	DirectScan *direct = scan->direct;
	ScanDirection direction = scan->is_forward ? ForwardScanDirection : BackwardScanDirection;

	if (direct->scan->xs_want_itup)
		return next_by_index_tuple(scan, direction);
	return index_getnext_slot(direct->scan, direction, direct->slot) ? direct->slot : NULL;
}

void
DirectEndScan(StorageScan *scan)
{
	DirectScan *direct = scan->direct;

	index_endscan(direct->scan);
	ExecDropSingleTupleTableSlot(direct->slot);
	if (direct->visibility_buffer != InvalidBuffer)
		ReleaseBuffer(direct->visibility_buffer);
	UnregisterSnapshot(direct->snapshot);
	index_close(direct->index, NoLock);
	table_close(direct->heap, NoLock);
}
