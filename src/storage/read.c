/*
 * src/storage/read.c
 *		Reads: settles the bounds of a range, and chooses the way.
 *
 * The direct way is asked first.  It declines what only the executor can do right (see read_direct.c), and the statement way does
 * that.
 *
 * A scan outlives the call that opened it (a set-returning function gives its rows one by one), so its relations, snapshot and
 * buffer pins belong to the resource owner that was current then.  It is ended by its memory context's end.  After an error the
 * resource owner may come first and release them; a callback tells us, because we must not do it again.
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/hashfn.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "storage/storage_internal.h"

static dlist_head open_scans = DLIST_STATIC_INIT(open_scans);

RowSource *
StorageGet(TableDescriptor *table, const TableKey *key)
{
	RowSource  *row;

	if (DirectGet(table, key, &row))
		return row;
	return StatementGet(table, key);
}

void
StorageGetMany(TableDescriptor *table, const TableKey *keys, int key_count, StorageGetCallback callback, void *state)
{
	MemoryContext caller_context = CurrentMemoryContext;
	MemoryContext row_context;

	if (DirectGetMany(table, keys, key_count, callback, state))
		return;

	row_context = AllocSetContextCreate(caller_context, "singletable row", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < key_count; i++)
	{
		RowSource  *row;

		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(row_context);
		MemoryContextSwitchTo(row_context);
		row = StatementGet(table, &keys[i]);
		MemoryContextSwitchTo(caller_context);
		callback(state, i, row);
	}
	MemoryContextDelete(row_context);
}

uint32
StorageSegmentHash(const AttributeValue *partition_key, int count)
{
	uint32		hash = 0;

	for (int i = 0; i < count; i++)
		hash = hash_combine(hash, hash_bytes((const unsigned char *) partition_key[i].data, partition_key[i].length));
	return hash;
}

bool
ScanSegmentContains(const StorageScan *scan, const AttributeValue *values)
{
	return StorageSegmentHash(values, scan->bounds.partition_count) % scan->total_segments == scan->segment;
}

/* A value becomes a scan key or parameter of the column's type. */
static void
check_type(const TableDescriptor *table, const ScanBounds *bounds, int column, const AttributeValue *value)
{
	if (column >= bounds->column_count || value->type != table->attributes[bounds->columns[column]].type)
		elog(ERROR, "value of type %s does not fit key column %d", AttributeTypeName(value->type), column);
}

/* Copies a value that the caller keeps only for this call. */
static AttributeValue
copy_value(const TableDescriptor *table, const ScanBounds *bounds, int column, const AttributeValue *value)
{
	AttributeValue copy = *value;
	char	   *data = palloc(Max(value->length, 1));

	check_type(table, bounds, column, value);
	memcpy(data, value->data, value->length);
	copy.data = data;
	return copy;
}

/* The bounds of all strings with a prefix: the prefix itself, and the next string that has another one. */
static void
set_prefix_bounds(const TableDescriptor *table, ScanBounds *bounds, const AttributeValue *prefix)
{
	char	   *upper = palloc(Max(prefix->length, 1));
	uint32		length = PrefixUpperBound(prefix->data, prefix->length, upper);

	if (prefix->type == ATTRIBUTE_N)
		elog(ERROR, "a number has no prefix");
	bounds->has_lower = bounds->lower_inclusive = true;
	bounds->lower = copy_value(table, bounds, bounds->equal_count, prefix);
	bounds->has_upper = length > 0;
	bounds->upper_inclusive = false;
	bounds->upper = (AttributeValue) {.type = prefix->type, .length = length, .data = upper};
}

/*
 * ScanValueGetDatum
 *		A bound as scan key or parameter.
 *
 * Unlike a column's value it may be a text with zero bytes, or one that is cut within a character: it is only compared, byte by byte.
 */
Datum
ScanValueGetDatum(const AttributeValue *value)
{
	if (value->type == ATTRIBUTE_N)
		return AttributeValueGetDatum(value);
	return PointerGetDatum(cstring_to_text_with_len(value->data, value->length));
}

/*
 * Does a start position lie before every value on its side of the bound, so that it excludes nothing?  Otherwise it excludes
 * all that the bound does.
 */
static bool
is_before_bound(const AttributeValue *start, const AttributeValue *bound, bool is_inclusive, bool is_forward)
{
	int			comparison = AttributeValueCompare(start, bound);

	if (!is_forward)
		comparison = -comparison;
	return comparison < 0 || (comparison == 0 && !is_inclusive);
}

/*
 * The start position is a row of all key columns; a position outside the range means what its place in the order says.
 */
static void
set_start(ScanBounds *bounds, const AttributeValue *start, bool is_forward)
{
	int			column = bounds->equal_count;
	int			comparison = 0;

	for (int i = 0; i < column && comparison == 0; i++)
		comparison = AttributeValueCompare(&start[i], &bounds->equal[i]);
	if (!is_forward)
		comparison = -comparison;
	if (comparison < 0)
		return;
	if (comparison > 0 || column == bounds->column_count)
	{
		bounds->is_empty = true;
		return;
	}

	if (is_forward && bounds->has_lower)
	{
		if (is_before_bound(&start[column], &bounds->lower, bounds->lower_inclusive, true))
			return;
		bounds->has_lower = false;
	}
	if (!is_forward && bounds->has_upper)
	{
		if (is_before_bound(&start[column], &bounds->upper, bounds->upper_inclusive, false))
			return;
		bounds->has_upper = false;
	}
	bounds->has_start = true;
	memcpy(bounds->start, start, bounds->column_count * sizeof(AttributeValue));
}

static void
set_bounds(StorageScan *scan, const StorageRange *range)
{
	const TableDescriptor *table = scan->table;
	ScanBounds *bounds = &scan->bounds;

	if (range->index != NULL)
	{
		bounds->column_count = range->index->key_count;
		bounds->columns = range->index->keys;
		bounds->partition_count = range->index->partition_count;
	}
	else
	{
		bounds->column_count = table->key_count;
		bounds->columns = table->keys;
		bounds->partition_count = 1;
	}
	bounds->equal_count = range->equal_count;
	for (int i = 0; i < range->equal_count; i++)
		bounds->equal[i] = copy_value(table, bounds, i, &range->equal[i]);
	if (range->prefix != NULL)
		set_prefix_bounds(table, bounds, range->prefix);
	else
	{
		if (range->lower != NULL)
		{
			bounds->has_lower = true;
			bounds->lower_inclusive = range->lower_inclusive;
			bounds->lower = copy_value(table, bounds, range->equal_count, range->lower);
		}
		if (range->upper != NULL)
		{
			bounds->has_upper = true;
			bounds->upper_inclusive = range->upper_inclusive;
			bounds->upper = copy_value(table, bounds, range->equal_count, range->upper);
		}
	}
	if (range->start != NULL)
	{
		AttributeValue start[INDEX_MAX_COLUMNS];

		for (int i = 0; i < bounds->column_count; i++)
			start[i] = copy_value(table, bounds, i, &range->start[i]);
		set_start(bounds, start, range->is_forward);
	}
}

/*
 * A resource owner has released all it owned, our scans' relations, pins and snapshots among it.
 */
static void
resources_released(ResourceReleasePhase phase, bool is_commit, bool is_top_level, void *arg)
{
	dlist_mutable_iter iter;

	if (phase != RESOURCE_RELEASE_BEFORE_LOCKS)
		return;
	dlist_foreach_modify(iter, &open_scans)
	{
		StorageScan *scan = dlist_container(StorageScan, open_scan, iter.cur);

		if (scan->owner == CurrentResourceOwner)
		{
			dlist_delete(&scan->open_scan);
			scan->owner = NULL;
		}
	}
}

static void
watch_resource_owners(void)
{
	static bool is_watching = false;

	if (!is_watching)
		RegisterResourceReleaseCallback(resources_released, NULL);
	is_watching = true;
}

/*
 * The scan's context goes away, by StorageEndScan or with the one it was opened in.  In an abort its resource owner has
 * released what it owned, or is about to.
 */
static void
release_scan(void *arg)
{
	StorageScan *scan = arg;
	ResourceOwner old_owner = CurrentResourceOwner;
	bool		is_ours = scan->owner != NULL && IsTransactionState();

	if (scan->owner != NULL)
		dlist_delete(&scan->open_scan);
	if (is_ours)
	{
		CurrentResourceOwner = scan->owner;
		if (scan->direct != NULL)
			DirectEndScan(scan);
		if (scan->statement != NULL)
			StatementEndScan(scan);
		CurrentResourceOwner = old_owner;
	}
	else if (scan->statement != NULL)
		StatementAbandonScan(scan);
}

StorageScan *
StorageBeginScan(TableDescriptor *table, const StorageRange *range)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "singletable scan", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	StorageScan *scan = palloc0(sizeof(StorageScan));
	MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));

	scan->table = table;
	scan->index = range->index;
	scan->is_forward = range->is_forward;
	scan->keys_only = range->keys_only;
	scan->segment = range->segment;
	scan->total_segments = range->total_segments > 1 ? range->total_segments : 0;
	scan->context = context;
	scan->row_context = AllocSetContextCreate(context, "singletable row", ALLOCSET_DEFAULT_SIZES);
	set_bounds(scan, range);
	RowSourceInit(&scan->source, table, scan->row_context);

	watch_resource_owners();
	if (!scan->bounds.is_empty && !DirectBeginScan(scan))
		StatementBeginScan(scan);
	/* An error before this leaves everything to the resource owner and to the parent contexts. */
	scan->owner = CurrentResourceOwner;
	dlist_push_head(&open_scans, &scan->open_scan);
	callback->func = release_scan;
	callback->arg = scan;
	MemoryContextRegisterResetCallback(context, callback);
	MemoryContextSwitchTo(old_context);
	return scan;
}

RowSource *
StorageNext(StorageScan *scan)
{
	MemoryContext old_context = MemoryContextSwitchTo(scan->context);
	ResourceOwner old_owner = CurrentResourceOwner;
	TupleTableSlot *slot = NULL;

	if (scan->owner == NULL)
		elog(ERROR, "the transaction of this scan has ended");

	/* Pins of buffers are to belong to whom the scan belongs. */
	CurrentResourceOwner = scan->owner;
	MemoryContextReset(scan->row_context);
	if (scan->direct != NULL)
		slot = DirectNext(scan);
	else if (scan->statement != NULL)
		slot = StatementNext(scan);
	CurrentResourceOwner = old_owner;
	MemoryContextSwitchTo(old_context);

	scan->has_row = (slot != NULL);
	if (slot == NULL)
		return NULL;
	RowSourceSet(&scan->source, slot);
	return &scan->source;
}

void
StorageScanPosition(StorageScan *scan, AttributeValue *position)
{
	if (!scan->has_row)
		elog(ERROR, "scan has no current row");
	for (int i = 0; i < scan->bounds.column_count; i++)
		if (!RowSourceColumn(&scan->source, scan->bounds.columns[i], &position[i]))
			elog(ERROR, "key column %d is NULL", i);
}

void
StorageEndScan(StorageScan *scan)
{
	MemoryContextDelete(scan->context);
}
