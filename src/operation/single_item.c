/*
 * src/operation/single_item.c
 *		GetItem, PutItem, UpdateItem, DeleteItem, and ConditionCheck on its own.
 *
 * Source: reference/item-operations.
 */
#include "postgres.h"

#include "base/error.h"
#include "base/settings.h"
#include "item/json.h"
#include "operation/operation_internal.h"

/* All checks of one item's request, in the service's order. */
static void
begin_operation(ItemOperation *operation, ItemAction action, ItemRequest *request, ItemResult *result)
{
	memset(result, 0, sizeof(ItemResult));
	if (singletable_track_capacity)
		request->read_old_item = true;
	ItemOperationPrepare(operation, action, request);
	ItemOperationOpenTable(operation);
	ItemOperationCheckKey(operation);
	ItemOperationCheckSchema(operation);
	result->table = operation->table;
}

/*
 * Raises ConditionalCheckFailedException, with the old item in DETAIL where it was asked for and there is one.
 * Source	reference/item-operations, section 7
 */
static void
report_condition_failed(const ItemRequest *request, const SingletableItem *old_item)
{
	StringInfoData detail;

	if (!request->return_old_on_failure || old_item == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_KV_CONDITIONAL_CHECK_FAILED),
				 errmsg(MESSAGE_CONDITION_FAILED)));
	else
	{
		AttributeContainer map;

		initStringInfo(&detail);
		appendStringInfoString(&detail, "{\"Item\": ");
		ItemOpen(old_item, &map);
		JsonWriteItem(&detail, &map);
		appendStringInfoChar(&detail, '}');
		ereport(ERROR,
				(errcode(ERRCODE_KV_CONDITIONAL_CHECK_FAILED),
				 errmsg(MESSAGE_CONDITION_FAILED),
				 errdetail_internal("%s", detail.data)));
	}
}

/* Adds a write, or one whose condition is false, to the session's total. */
static void
count_write(const ItemOperation *operation, const WriteResult *write, bool is_done)
{
	Capacity	capacity;

	CapacityInit(&capacity, operation->table);
	if (operation->action == ACTION_CHECK)
		CapacityAddCheck(&capacity, write->old_item);
	else if (is_done)
		CapacityAddWrite(&capacity, write->old_item, write->new_item, false);
	else
		CapacityAddFailedWrite(&capacity, write->old_item);
	SessionCapacityAdd(&capacity, true);
}

/* Locks, decides, writes; raises when the condition is false. */
static void
write_item(ItemOperation *operation, ItemResult *result)
{
	WriteResult write;
	bool		is_done;

	/* A check promises that the item stays as it was seen, an absent one too; of the others only what they wrote is locked. */
	is_done = ItemOperationWrite(operation, operation->action == ACTION_CHECK, false, &write) == OUTCOME_DONE;
	if (singletable_track_capacity)
		count_write(operation, &write, is_done);
	if (!is_done)
		report_condition_failed(operation->request, write.old_item);
	result->old_item = write.old_item;
	result->new_item = write.new_item;
}

/* Can the write do without the old item? */
static bool
is_blind(const ItemOperation *operation)
{
	return operation->condition == NULL && operation->request->return_values == RETURN_NONE &&
		!operation->request->read_old_item;
}

/*
 * OperationGetItem
 *		The item of a key, or what its projection leaves; attributes is NULL when there is no item.
 *
 * Errors	KV001, KV003; 42501 without SELECT privilege
 */
void
OperationGetItem(ItemRequest *request, ItemResult *result)
{
	ItemOperation operation;
	RowSource  *row;

	begin_operation(&operation, ACTION_GET, request, result);
	row = StorageGet(operation.table, &operation.key);
	if (row != NULL && (operation.projection == NULL || request->read_old_item))
		result->attributes = RowSourceItem(row);
	result->old_item = result->attributes;
	if (singletable_track_capacity)
		ItemOperationCountRead(&operation, result->old_item);
	if (row == NULL)
		return;
	if (operation.projection != NULL)
		result->attributes = ExpressionProject(operation.projection, &row->source);
}

/*
 * OperationPutItem
 *		Stores an item whole, in place of one that may be there.
 *
 * Errors	KV001, KV002, KV003, KV006
 */
void
OperationPutItem(ItemRequest *request, ItemResult *result)
{
	ItemOperation operation;

	begin_operation(&operation, ACTION_PUT, request, result);
	if (is_blind(&operation))
	{
		StorageUpsert(operation.table, &operation.key, request->item);
		result->new_item = request->item;
		return;
	}
	write_item(&operation, result);
	if (request->return_values == RETURN_ALL_OLD)
		result->attributes = unconstify(SingletableItem *, result->old_item);
}

/*
 * OperationUpdateItem
 *		Changes an item, or makes it of its key.
 *
 * Errors	KV001, KV002, KV003, KV006
 */
void
OperationUpdateItem(ItemRequest *request, ItemResult *result)
{
	ItemOperation operation;
	const SingletableItem *shown = NULL;

	begin_operation(&operation, ACTION_UPDATE, request, result);
	write_item(&operation, result);

	switch (request->return_values)
	{
		case RETURN_NONE:
			return;
		case RETURN_ALL_OLD:
		case RETURN_UPDATED_OLD:
			shown = result->old_item;
			break;
		case RETURN_ALL_NEW:
		case RETURN_UPDATED_NEW:
			shown = result->new_item;
			break;
	}
	if (shown == NULL)
		return;
	if (request->return_values == RETURN_ALL_OLD || request->return_values == RETURN_ALL_NEW)
		result->attributes = unconstify(SingletableItem *, shown);
	else if (operation.update != NULL)
	{
		ItemSource	source;

		ItemSourceInit(&source, shown);
		result->attributes = ExpressionProjectTargets(operation.update, &source.source);
	}
}

/*
 * OperationDeleteItem
 *		Removes an item; no error when there is none.
 *
 * Errors	KV001, KV002, KV003
 */
void
OperationDeleteItem(ItemRequest *request, ItemResult *result)
{
	ItemOperation operation;

	begin_operation(&operation, ACTION_DELETE, request, result);
	if (is_blind(&operation))
	{
		(void) StorageDelete(operation.table, &operation.key, NULL);
		return;
	}
	write_item(&operation, result);
	if (request->return_values == RETURN_ALL_OLD)
		result->attributes = unconstify(SingletableItem *, result->old_item);
}

/*
 * OperationCheckItem
 *		Locks an item, or the absence of one, until the transaction ends.
 *
 * Errors	KV001, KV002 when the condition is false, KV003, KV006
 */
void
OperationCheckItem(ItemRequest *request, ItemResult *result)
{
	ItemOperation operation;

	begin_operation(&operation, ACTION_CHECK, request, result);
	write_item(&operation, result);
}
