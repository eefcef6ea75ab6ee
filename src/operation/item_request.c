/*
 * src/operation/item_request.c
 *		A request on one item: checked, evaluated, written.
 *
 * The steps are those of reference/item-operations section 3, in its order; the functions are called one after the other, so that
 * batches and transactions can do one step for all their requests before the next step of any.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "base/settings.h"
#include "operation/operation_internal.h"

/*
 * Another writer may insert the key between our look and our insert, or delete it, again and again; nobody does so a hundred
 * times.  What is left then is a row that can be neither seen nor inserted.
 */
#define MAX_ATTEMPTS 100

/* What an update weighs beside the item it makes: reference/data-model section 11. */
#define UPDATE_BASE_SIZE 3
#define UPDATE_SET_SIZE 19
#define UPDATE_REMOVE_SIZE 2

static const struct
{
	const char *name;
	ReturnValues value;
}			return_values_names[] =
{
	{"NONE", RETURN_NONE},
	{"ALL_OLD", RETURN_ALL_OLD},
	{"UPDATED_OLD", RETURN_UPDATED_OLD},
	{"ALL_NEW", RETURN_ALL_NEW},
	{"UPDATED_NEW", RETURN_UPDATED_NEW}
};

bool
ReturnValuesParse(const char *text, uint32 length, ReturnValues *return_values)
{
	for (int i = 0; i < lengthof(return_values_names); i++)
	{
		const char *name = return_values_names[i].name;

		if (strlen(name) == length && memcmp(name, text, length) == 0)
		{
			*return_values = return_values_names[i].value;
			return true;
		}
	}
	return false;
}

ReturnValues
ReturnValuesFromText(const char *text, uint32 length)
{
	ReturnValues result;

	if (!ReturnValuesParse(text, length, &result))
		validation_error("1 validation error detected: Value '%s' at 'returnValues' failed to satisfy constraint: "
						 "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
						 pnstrdup(text, length));
	return result;
}

/*
 * OperationCheckArguments
 *		Steps 4, 6 and 7: what needs neither the placeholders' contents nor the table.
 *
 * Errors	KV001
 * Source	reference/expressions, section 4, rows 2 and 3; reference/item-operations, section 3
 */
void
OperationCheckArguments(ItemAction action, ItemRequest *request)
{
	bool		has_condition = request->condition.data != NULL;
	bool		has_update = request->update.data != NULL;

	if (request->placeholders.has_names && !has_condition && !has_update && request->projection.data == NULL)
		validation_error("ExpressionAttributeNames can only be specified when using expressions");
	if (request->placeholders.has_values && !has_condition && !has_update)
		validation_error("ExpressionAttributeValues can only be specified when using expressions: %s",
						 action == ACTION_UPDATE ? "UpdateExpression and ConditionExpression are null" :
						 "ConditionExpression is null");

	if ((action == ACTION_PUT || action == ACTION_DELETE) &&
		request->return_values != RETURN_NONE && request->return_values != RETURN_ALL_OLD)
		validation_error("ReturnValues can only be ALL_OLD or NONE");
	if (action == ACTION_PUT)
		ItemCheckSize(request->item, false);
	request->arguments_checked = true;
}

/* The table of a request: KV003 if its name is nobody's. */
Oid
RequestResolveTable(Oid relid, Oid (*resolve_table) (void *state), void *state)
{
	if (!OidIsValid(relid) && resolve_table != NULL)
		relid = resolve_table(state);
	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_NOT_FOUND),
				 errmsg(MESSAGE_NO_TABLE)));
	return relid;
}

PreparedExpression *
RequestPrepareExpression(ExpressionKind kind, const ExpressionText *text, Placeholders *placeholders)
{
	if (text->prepared != NULL)
		return text->prepared;
	if (text->data == NULL)
		return NULL;
	return ExpressionPrepare(kind, text->data, text->length, placeholders);
}

/*
 * ItemOperationPrepare
 *		All that needs no table: arguments, expressions, unused placeholders.
 */
void
ItemOperationPrepare(ItemOperation *operation, ItemAction action, ItemRequest *request)
{
	memset(operation, 0, sizeof(ItemOperation));
	operation->action = action;
	operation->request = request;
	operation->key_use = action == ACTION_PUT ? KEY_OF_ITEM : KEY_ALONE;

	if (!request->arguments_checked)
		OperationCheckArguments(action, request);
	operation->update = RequestPrepareExpression(EXPRESSION_UPDATE, &request->update, &request->placeholders);
	operation->condition = RequestPrepareExpression(EXPRESSION_CONDITION, &request->condition, &request->placeholders);
	operation->projection = RequestPrepareExpression(EXPRESSION_PROJECTION, &request->projection, &request->placeholders);
	PlaceholdersCheckUnused(&request->placeholders);
}

/*
 * ActionLockMode
 *		The lock on the table that the strongest of an action's statements takes.
 *
 * Taken at once, since a write's first statement only locks a row: a weak lock first and the strong one later would deadlock with
 * whoever came between (REINDEX, CREATE INDEX), where a plain UPDATE just waits.
 */
LOCKMODE
ActionLockMode(ItemAction action)
{
	return action == ACTION_GET ? AccessShareLock : RowExclusiveLock;
}

void
ItemOperationOpenTable(ItemOperation *operation)
{
	ItemRequest *request = operation->request;

	operation->table = TableOpen(RequestResolveTable(request->relid, request->resolve_table, request->resolve_state),
								 ActionLockMode(operation->action));
}

/* Step 11. */
void
ItemOperationCheckKey(ItemOperation *operation)
{
	AttributeContainer map;

	ItemOpen(operation->action == ACTION_PUT ? operation->request->item : operation->request->key, &map);
	TableCheckKey(operation->table, &map, operation->key_use, &operation->key);
}

bool
PathStartsAt(const DocumentPath *path, const PromotedAttribute *attribute)
{
	return path->steps[0].name_length == attribute->name_length &&
		memcmp(path->steps[0].name, attribute->name, attribute->name_length) == 0;
}

/* Does any of the paths go into this attribute? */
static bool
path_goes_into(const DocumentPath *paths, uint32 count, const PromotedAttribute *attribute)
{
	for (uint32 i = 0; i < count; i++)
		if (paths[i].step_count > 1 && PathStartsAt(&paths[i], attribute))
			return true;
	return false;
}

/*
 * TableCheckPaths
 *		Refuses document paths into key attributes, of the table first, then of its indexes.
 *
 * Errors	KV001
 * Source	reference/expressions, section 6, last paragraph
 */
void
TableCheckPaths(const TableDescriptor *table, const PreparedExpression *expression)
{
	const DocumentPath *paths;
	uint32		count;

	if (expression == NULL)
		return;
	paths = ExpressionPaths(expression, &count);

	for (int i = 0; i < table->key_count; i++)
		if (path_goes_into(paths, count, TableKeyAttribute(table, i)))
			validation_error("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
							 "Key: %s", TableKeyAttribute(table, i)->name);
	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		if (index->defect != NULL)
			continue;
		for (int j = 0; j < index->partition_count + index->sort_count; j++)
			if (path_goes_into(paths, count, IndexKeyAttribute(table, index, j)))
				validation_error("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
								 "IndexKey: %s", IndexKeyAttribute(table, index, j)->name);
	}
}

/* Index key attributes that the update sets to a placeholder: their types are known before any item is read. */
static void
check_index_key_placeholders(const ItemOperation *operation)
{
	uint32		count;
	uint32		found = 0;
	const UpdateTarget *targets = ExpressionTargets(operation->update, &count);
	Attribute  *attributes;
	AttributeContainer map;

	if (operation->table->index_count == 0)
		return;
	attributes = palloc(sizeof(Attribute) * count);
	for (uint32 i = 0; i < count; i++)
	{
		const UpdateTarget *target = &targets[i];
		const PathStep *step = &target->path.steps[0];
		const PromotedAttribute *promoted;

		if (target->clause != UPDATE_SET || target->value == NULL || target->path.step_count != 1)
			continue;
		promoted = TableFindAttribute(operation->table, step->name, step->name_length);
		if (promoted == NULL || !promoted->is_index_key || promoted->key_position >= 0)
			continue;
		attributes[found].name = step->name;
		attributes[found].name_length = step->name_length;
		attributes[found].value = *target->value;
		found++;
	}
	if (found == 0)
		return;
	found = AttributesSort(attributes, found);
	ItemOpen(ItemFromAttributes(attributes, found), &map);
	TableCheckIndexKeys(operation->table, &map, true);
}

/* No clause touches the table's key. */
static void
check_targets(const ItemOperation *operation)
{
	uint32		count;
	const UpdateTarget *targets = ExpressionTargets(operation->update, &count);

	for (int i = 0; i < operation->table->key_count; i++)
		for (uint32 j = 0; j < count; j++)
			if (PathStartsAt(&targets[j].path, TableKeyAttribute(operation->table, i)))
				validation_error("One or more parameter values were invalid: Cannot update attribute %s. "
								 "This attribute is part of the key", TableKeyAttribute(operation->table, i)->name);
}

/* Bytes of an item's entry in an index; 0 if it has none. */
static uint64
measure_entry(const TableDescriptor *table, const SecondaryIndex *index, const AttributeContainer *map)
{
	uint64		size = 0;

	for (int i = 0; i < index->partition_count + index->sort_count; i++)
	{
		const PromotedAttribute *promoted = IndexKeyAttribute(table, index, i);
		AttributeValue value;

		if (!AttributeMapFind(map, promoted->name, promoted->name_length, &value) || value.type != promoted->type)
			return 0;
	}
	if (index->projection == PROJECTION_ALL)
		return AttributeMapSize(map);
	for (uint32 i = 0; i < map->count; i++)
	{
		Attribute	attribute;

		AttributeMapGet(map, i, &attribute);
		if (IndexProjects(table, index, attribute.name, attribute.name_length))
			size += attribute.name_length + AttributeValueSize(&attribute.value);
	}
	return size;
}

/*
 * An item and its entries in all local indexes together have one limit.
 * Source	reference/limits, section 1
 */
static void
check_collection_size(const TableDescriptor *table, const SingletableItem *item, bool is_update)
{
	AttributeContainer map;
	uint64		size = 0;
	bool		has_local = false;

	for (int i = 0; i < table->index_count; i++)
	{
		if (!table->indexes[i].is_local || table->indexes[i].defect != NULL)
			continue;
		if (!has_local)
		{
			has_local = true;
			ItemOpen(item, &map);
			size = AttributeMapSize(&map);
		}
		size += measure_entry(table, &table->indexes[i], &map);
	}
	if (has_local && size > ItemSizeLimit())
		validation_error(is_update ? MESSAGE_UPDATE_SIZE : MESSAGE_ITEM_SIZE);
}

/*
 * ItemOperationCheckSchema
 *		Steps 12 and 13: index keys of what is written, targets and paths that touch keys.
 */
void
ItemOperationCheckSchema(ItemOperation *operation)
{
	if (operation->action == ACTION_PUT)
	{
		AttributeContainer map;

		ItemOpen(operation->request->item, &map);
		TableCheckIndexKeys(operation->table, &map, false);
		check_collection_size(operation->table, operation->request->item, false);
	}
	if (operation->update != NULL)
	{
		check_index_key_placeholders(operation);
		check_targets(operation);
	}
	TableCheckPaths(operation->table, operation->update);
	TableCheckPaths(operation->table, operation->condition);
	TableCheckPaths(operation->table, operation->projection);
}

/*
 * The size of an updated item is measured twice: as it is, and without its key but with what the update's actions weigh.  An
 * action of a transaction is measured the first way only.
 * Source	reference/data-model, section 11
 */
static void
check_updated_size(const ItemOperation *operation, const SingletableItem *item)
{
	const TableDescriptor *table = operation->table;
	uint64		size;
	uint32		count;
	const UpdateTarget *targets;

	ItemCheckSize(item, true);
	check_collection_size(table, item, true);
	if (operation->is_in_transaction)
		return;

	targets = ExpressionTargets(operation->update, &count);
	size = ItemSize(item) + UPDATE_BASE_SIZE;
	for (int i = 0; i < table->key_count; i++)
		size -= TableKeyAttribute(table, i)->name_length + AttributeValueSize(&operation->key.attributes[i]);
	for (uint32 i = 0; i < count; i++)
		size += targets[i].clause == UPDATE_SET || targets[i].clause == UPDATE_ADD ? UPDATE_SET_SIZE : UPDATE_REMOVE_SIZE;
	if (size > ItemSizeLimit())
		validation_error(MESSAGE_UPDATE_SIZE);
}

/*
 * The item as the update leaves it, checked.
 * Result	NULL when there is none and none is to be made; old_item itself when there is nothing to do
 */
static const SingletableItem *
compute_update(const ItemOperation *operation, const SingletableItem *old_item)
{
	const SingletableItem *base = old_item;
	SingletableItem *new_item;
	ItemSource	source;
	AttributeContainer old_map;
	AttributeContainer new_map;

	if (base == NULL)
	{
		if (operation->update != NULL && !ExpressionCreatesItem(operation->update))
			return NULL;
		base = TableKeyItem(operation->table, &operation->key);
	}
	if (operation->update == NULL)
		return base;

	ItemSourceInit(&source, base);
	new_item = ExpressionUpdate(operation->update, &source.source, old_item != NULL);
	ItemOpen(base, &old_map);
	ItemOpen(new_item, &new_map);
	TableCheckUpdatedIndexKeys(operation->table, &old_map, &new_map);
	check_updated_size(operation, new_item);
	return new_item;
}

typedef struct UpdateStep
{
	const ItemOperation *operation;
	const SingletableItem *old_item;
	const SingletableItem *new_item;
} UpdateStep;

static void
run_update_step(void *state)
{
	UpdateStep *step = state;

	step->new_item = compute_update(step->operation, step->old_item);
}

/*
 * ValidationErrorCatch
 *		The message of a step's KV001 instead of the error itself: a cancelled transaction reports the failures of all its actions.
 *
 * This is safe without a subtransaction because the steps given here only compute: they check and build values in palloc'd
 * memory, and hold no lock, pin, open relation or SPI connection when they fail.  Every other error goes on.
 */
const char *
ValidationErrorCatch(void (*step) (void *state), void *state)
{
	MemoryContext context = CurrentMemoryContext;
	const char *volatile message = NULL;

	PG_TRY();
	{
		step(state);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (error->sqlerrcode != ERRCODE_KV_VALIDATION)
			PG_RE_THROW();
		FlushErrorState();
		message = error->message;
	}
	PG_END_TRY();
	return message;
}

/* Does the condition hold for the old item, or for none? */
static bool
condition_holds(const ItemOperation *operation, const SingletableItem *old_item)
{
	ItemSource	source;

	if (operation->condition == NULL)
		return true;
	if (old_item != NULL)
		ItemSourceInit(&source, old_item);
	else
		ItemSourceInitEmpty(&source);
	return ExpressionMatches(operation->condition, &source.source);
}

/* What the operation makes of the item: NULL for none, old_item itself for no change. */
static WriteOutcome
compute_new_item(const ItemOperation *operation, WriteResult *result)
{
	UpdateStep	step = {operation, result->old_item, NULL};

	switch (operation->action)
	{
		case ACTION_PUT:
			result->new_item = operation->request->item;
			break;
		case ACTION_UPDATE:
			if (!operation->is_in_transaction)
				result->new_item = compute_update(operation, result->old_item);
			else
			{
				result->message = ValidationErrorCatch(run_update_step, &step);
				if (result->message != NULL)
					return OUTCOME_INVALID;
				result->new_item = step.new_item;
			}
			break;
		case ACTION_DELETE:
			result->new_item = NULL;
			break;
		case ACTION_CHECK:
		case ACTION_GET:
			result->new_item = result->old_item;
			break;
	}
	return OUTCOME_DONE;
}

/*
 * ItemOperationWrite
 *		Locks the item, decides on its latest version, and writes.
 *
 * keep_absent	an item that is absent, and stays so, is kept absent until the transaction ends
 * decide_only	only locks and decides: the transaction is known to fail
 * Result	OUTCOME_DONE, or why nothing was written; old and new item in result, in the current context.  An update that does not
 *			fit raises KV001, unless the operation is part of a transaction.
 * Errors	KV006 when the key can be neither locked nor inserted; those of the server
 */
WriteOutcome
ItemOperationWrite(ItemOperation *operation, bool keep_absent, bool decide_only, WriteResult *result)
{
	TableDescriptor *table = operation->table;
	const TableKey *key = &operation->key;

	for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
	{
		WriteOutcome outcome;
		StorageRow	row;

		CHECK_FOR_INTERRUPTS();
		memset(result, 0, sizeof(WriteResult));
		result->old_item = StorageLock(table, key, &row);
		if (!condition_holds(operation, result->old_item))
			return OUTCOME_CONDITION_FAILED;
		outcome = compute_new_item(operation, result);
		if (outcome != OUTCOME_DONE || decide_only)
			return outcome;

		if (result->old_item != NULL)
		{
			/* A trigger or rule that keeps the row as it is has its way, as with any UPDATE or DELETE. */
			if (result->new_item == NULL)
				(void) StorageDelete(table, key, &row);
			else if (result->new_item != result->old_item)
				(void) StorageUpdate(table, key, &row, result->old_item, result->new_item);
			return OUTCOME_DONE;
		}

		/* Absent when we looked: if another writer's row is there by now, lock that and decide again. */
		if (result->new_item != NULL ? StorageInsert(table, result->new_item) :
			!keep_absent || StorageLockAbsent(table, key))
			return OUTCOME_DONE;
	}
	ereport(ERROR,
			(errcode(ERRCODE_KV_TRANSACTION_CONFLICT),
			 errmsg(MESSAGE_TRANSACTION_CONFLICT),
			 errhint("The row can be neither read nor inserted. A trigger, a rule or a row-level security policy of table "
					 "\"%s\" may be the cause.", table->name)));
	return OUTCOME_DONE;		/* not reached */
}

/*
 * ItemOperationCountRead
 *		Adds the read of one item to the session's total; item is NULL when there is none, which costs a block all the same.
 */
void
ItemOperationCountRead(const ItemOperation *operation, const SingletableItem *item)
{
	Capacity	capacity;

	CapacityInit(&capacity, operation->table);
	CapacityAddRead(&capacity, item != NULL ? ItemSize(item) : 0, operation->request->charge);
	SessionCapacityAdd(&capacity, false);
}
