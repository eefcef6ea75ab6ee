/*
 * src/operation/batch.c
 *		BatchGetItem and BatchWriteItem.
 *
 * Source: reference/batch-and-transactions, sections 2 and 3.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "base/settings.h"
#include "operation/operation_internal.h"

/* Do two requests name their table in the same words? */
static bool
same_table(const ItemRequest *a, const ItemRequest *b)
{
	if (OidIsValid(a->relid) || OidIsValid(b->relid))
		return a->relid == b->relid;
	return a->resolve_table == b->resolve_table && a->resolve_state == b->resolve_state;
}

/* Have two reads one projection?  Those of one table share it, so that it is prepared once. */
static bool
same_options(const ItemRequest *a, const ItemRequest *b)
{
	return same_table(a, b) && a->projection.data == b->projection.data && a->projection.prepared == b->projection.prepared &&
		a->placeholders.names == b->placeholders.names;
}

/* The table of operation i, which is that of the operation before it when they name it alike. */
static void
open_table(ItemOperation *operations, int i)
{
	if (i > 0 && same_table(operations[i].request, operations[i - 1].request))
		operations[i].table = operations[i - 1].table;
	else
		ItemOperationOpenTable(&operations[i]);
}

static int
compare_key_items(const void *a, const void *b)
{
	return ItemCompare(*(const SingletableItem *const *) a, *(const SingletableItem *const *) b);
}

/* A key twice in one table, before any table is looked at. */
static void
check_duplicate_keys(ItemRequest *requests, int count)
{
	const SingletableItem **keys = palloc(sizeof(SingletableItem *) * count);
	int			end;

	for (int start = 0; start < count; start = end)
	{
		end = start;
		do
		{
			keys[end] = requests[end].key;
			end++;
		} while (end < count && same_table(&requests[start], &requests[end]));

		qsort(keys + start, end - start, sizeof(SingletableItem *), compare_key_items);
		for (int i = start + 1; i < end; i++)
			if (ItemCompare(keys[i - 1], keys[i]) == 0)
				validation_error("Provided list of item keys contains duplicates");
	}
	pfree(keys);
}

/* Where the rows of one table's keys go. */
typedef struct GetState
{
	ItemOperation *operations;	/* the first of the table */
	ItemResult *results;
	MemoryContext result_context;
} GetState;

static void
store_row(void *state_pointer, int position, RowSource *source)
{
	GetState   *state = state_pointer;
	ItemOperation *operation = &state->operations[position];
	ItemResult *result = &state->results[position];
	MemoryContext old_context;

	if (source == NULL)
	{
		if (singletable_track_capacity)
			ItemOperationCountRead(operation, NULL);
		return;
	}
	old_context = MemoryContextSwitchTo(state->result_context);
	if (operation->projection == NULL || operation->request->read_old_item)
		result->attributes = ItemCopy(RowSourceItem(source));	/* the row goes with the next key */
	result->old_item = result->attributes;
	if (singletable_track_capacity)
		ItemOperationCountRead(operation, result->old_item);
	if (operation->projection != NULL)
		result->attributes = ExpressionProject(operation->projection, &source->source);
	MemoryContextSwitchTo(old_context);
}

/*
 * ItemOperationsGet
 *		Reads the items of operations whose keys are checked, table by table.
 */
void
ItemOperationsGet(ItemOperation *operations, int count, ItemResult *results)
{
	GetState	state;
	TableKey   *keys = palloc(sizeof(TableKey) * count);
	int			end;

	state.result_context = CurrentMemoryContext;
	for (int start = 0; start < count; start = end)
	{
		end = start;
		do
		{
			keys[end] = operations[end].key;
			results[end].table = operations[end].table;
			end++;
		} while (end < count && operations[start].table == operations[end].table);

		for (int i = start; i < end && singletable_track_capacity; i++)
			operations[i].request->read_old_item = true;
		state.operations = operations + start;
		state.results = results + start;
		StorageGetMany(operations[start].table, keys + start, end - start, store_row, &state);
	}
	pfree(keys);
}

/*
 * OperationBatchGetItem
 *		Reads many items, of one snapshot.
 *
 * Errors	KV001, KV003; 42501 without SELECT privilege
 */
void
OperationBatchGetItem(ItemRequest *requests, int count, ItemResult *results)
{
	ItemOperation *operations = palloc(sizeof(ItemOperation) * count);

	memset(results, 0, sizeof(ItemResult) * count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0 && same_options(&requests[i], &requests[i - 1]))
		{
			operations[i] = operations[i - 1];
			operations[i].request = &requests[i];
		}
		else
			ItemOperationPrepare(&operations[i], ACTION_GET, &requests[i]);
	}
	check_duplicate_keys(requests, count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		open_table(operations, i);
		ItemOperationCheckKey(&operations[i]);
		ItemOperationCheckSchema(&operations[i]);
	}
	ItemOperationsGet(operations, count, results);
}

/*
 * count_write
 *		Adds a put or delete, which is about to be done, to the session's total; result may be NULL.
 */
static void
count_write(ItemOperation *operation, const ItemResult *result)
{
	const SingletableItem *old_item = result != NULL && operation->request->read_old_item ? result->old_item :
		StorageLock(operation->table, &operation->key, NULL);
	Capacity	capacity;

	CapacityInit(&capacity, operation->table);
	CapacityAddWrite(&capacity, old_item, operation->action == ACTION_PUT ? operation->request->item : NULL, false);
	SessionCapacityAdd(&capacity, true);
}

/*
 * OperationBatchWriteItem
 *		Puts and deletes without conditions: all of them, or an error.
 *
 * Rows are written in the order of their keys, so that two batches do not lock each other out.
 * Errors	KV001, KV003
 */
void
OperationBatchWriteItem(WriteRequest *writes, int count, ItemResult *results)
{
	ItemOperation *operations = palloc(sizeof(ItemOperation) * count);
	ItemOperation **sorted;
	KeySet	   *keys = KeySetCreate(count);
	MemoryContext write_context;
	MemoryContext old_context;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ItemOperationPrepare(&operations[i], (ItemAction) writes[i].action, &writes[i].request);
		if (operations[i].action == ACTION_PUT)
			operations[i].key_use = KEY_OF_BATCH_ITEM;
	}
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		open_table(operations, i);
		ItemOperationCheckKey(&operations[i]);
		ItemOperationCheckSchema(&operations[i]);
		if (!KeySetAdd(keys, operations[i].table, &operations[i].key))
			validation_error("Provided list of item keys contains duplicates");
	}

	sorted = ItemOperationsSort(operations, count);
	write_context = AllocSetContextCreate(CurrentMemoryContext, "singletable batch write", ALLOCSET_DEFAULT_SIZES);
	old_context = CurrentMemoryContext;
	for (int i = 0; i < count; i++)
	{
		ItemOperation *operation = sorted[i];
		ItemRequest *request = operation->request;
		ItemResult *result = results != NULL ? &results[operation - operations] : NULL;

		CHECK_FOR_INTERRUPTS();
		if (result != NULL)
		{
			memset(result, 0, sizeof(ItemResult));
			result->table = operation->table;
			if (request->read_old_item)
				result->old_item = StorageLock(operation->table, &operation->key, NULL);
			if (operation->action == ACTION_PUT)
				result->new_item = request->item;
		}
		MemoryContextSwitchTo(write_context);
		if (singletable_track_capacity)
			count_write(operation, result);
		if (operation->action == ACTION_PUT)
			StorageUpsert(operation->table, &operation->key, request->item);
		else
			(void) StorageDelete(operation->table, &operation->key, NULL);
		MemoryContextSwitchTo(old_context);
		MemoryContextReset(write_context);
	}
	MemoryContextDelete(write_context);
}
