/*
 * src/api/api_transaction.c
 *		TransactWriteItems and TransactGetItems.
 *
 * Source: reference/batch-and-transactions, sections 4 and 5.
 */
#include "postgres.h"

#include "api/api_request.h"
#include "base/settings.h"

#define TRANSACTION_MAX 100		/* actions */
#define TRANSACTION_BYTES (4 * 1024 * 1024) /* of a request's payload, and of the items read */
#define TOKEN_MAX 36			/* characters */

typedef struct TransactItemBody
{
	bool		is_present;
	ApiItemRequest condition_check;
	ApiItemRequest put;
	ApiItemRequest update;
	ApiItemRequest delete;
	ApiItemRequest get;
} TransactItemBody;

typedef struct TransactBody
{
	bool		is_present;
	ApiList		items;			/* of TransactItemBody */
	ApiString	token;
	ApiString	return_consumed_capacity;
	ApiString	return_item_collection_metrics;
} TransactBody;

#define ACTION_MEMBERS \
	API_MEMBER(ApiItemRequest, table_name, "TableName", ApiStringType), \
	API_MEMBER(ApiItemRequest, condition, "ConditionExpression", ApiStringType), \
	API_MEMBER(ApiItemRequest, names, "ExpressionAttributeNames", ApiStringMapType), \
	API_MEMBER(ApiItemRequest, values, "ExpressionAttributeValues", ApiValueMapType), \
	API_MEMBER(ApiItemRequest, return_values_on_failure, "ReturnValuesOnConditionCheckFailure", ApiStringType)

static const ApiMember put_members[] = {
	API_MEMBER(ApiItemRequest, item, "Item", ApiItemType),
	ACTION_MEMBERS,
};
static const ApiType put_type = API_STRUCTURE_TYPE("Put", ApiItemRequest, put_members);

static const ApiMember update_members[] = {
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	API_MEMBER(ApiItemRequest, update, "UpdateExpression", ApiStringType),
	ACTION_MEMBERS,
};
static const ApiType update_type = API_STRUCTURE_TYPE("Update", ApiItemRequest, update_members);

static const ApiMember key_members[] = {
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	ACTION_MEMBERS,
};
static const ApiType delete_type = API_STRUCTURE_TYPE("Delete", ApiItemRequest, key_members);
static const ApiType check_type = API_STRUCTURE_TYPE("ConditionCheck", ApiItemRequest, key_members);

static const ApiMember write_item_members[] = {
	API_MEMBER(TransactItemBody, condition_check, "ConditionCheck", check_type),
	API_MEMBER(TransactItemBody, put, "Put", put_type),
	API_MEMBER(TransactItemBody, update, "Update", update_type),
	API_MEMBER(TransactItemBody, delete, "Delete", delete_type),
};
static const ApiType write_item_type = API_STRUCTURE_TYPE("TransactWriteItem", TransactItemBody, write_item_members);
static const ApiType write_list_type = API_LIST_TYPE(write_item_type);

static const ApiMember write_members[] = {
	API_MEMBER(TransactBody, items, "TransactItems", write_list_type),
	API_MEMBER(TransactBody, token, "ClientRequestToken", ApiStringType),
	API_MEMBER(TransactBody, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType),
	API_MEMBER(TransactBody, return_item_collection_metrics, "ReturnItemCollectionMetrics", ApiStringType),
};
const ApiType ApiTransactWriteItemsType = API_STRUCTURE_TYPE("TransactWriteItemsInput", TransactBody, write_members);

static const ApiMember get_members[] = {
	API_MEMBER(ApiItemRequest, table_name, "TableName", ApiStringType),
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	API_MEMBER(ApiItemRequest, projection, "ProjectionExpression", ApiStringType),
	API_MEMBER(ApiItemRequest, names, "ExpressionAttributeNames", ApiStringMapType),
};
static const ApiType get_type = API_STRUCTURE_TYPE("Get", ApiItemRequest, get_members);
static const ApiMember get_item_members[] = {API_MEMBER(TransactItemBody, get, "Get", get_type)};
static const ApiType get_item_type = API_STRUCTURE_TYPE("TransactGetItem", TransactItemBody, get_item_members);
static const ApiType get_list_type = API_LIST_TYPE(get_item_type);

static const ApiMember get_request_members[] = {
	API_MEMBER(TransactBody, items, "TransactItems", get_list_type),
	API_MEMBER(TransactBody, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType),
};
const ApiType ApiTransactGetItemsType = API_STRUCTURE_TYPE("TransactGetItemsInput", TransactBody, get_request_members);

/* ---- constraints ---- */

/*
 * check_action
 *		Constraints of one action; path is that of its member.
 */
static void
check_action(ApiConstraints *constraints, ApiItemRequest *action, const char *path, ItemAction kind)
{
	ApiString  *name = &action->table_name;
	char	   *name_path = psprintf("%s.tableName", path);

	if (!action->is_present)
		return;
	ApiTableNameFromArn(name);
	ApiCheckNotNull(constraints, name->data != NULL, name_path);
	if (name->data != NULL && name->length > 0)
		ApiCheckPattern(constraints, name, name_path);
	ApiCheckLength(constraints, name, name_path, 1, 255);
	if (kind == ACTION_PUT)
		ApiCheckNotNull(constraints, action->item.is_present, psprintf("%s.item", path));
	else
		ApiCheckNotNull(constraints, action->key.is_present, psprintf("%s.key", path));
	if (kind == ACTION_UPDATE)
		ApiCheckNotNull(constraints, action->update.data != NULL, psprintf("%s.updateExpression", path));
	if (kind == ACTION_CHECK)
		ApiCheckNotNull(constraints, action->condition.data != NULL, psprintf("%s.conditionExpression", path));
	ApiCheckEnum(constraints, &action->return_values_on_failure, psprintf("%s.returnValuesOnConditionCheckFailure", path),
				 API_SET_RETURN_VALUES_ON_FAILURE);
}

/* Step 1. */
static void
check_members(TransactBody *body, bool is_get, ApiCapacityDetail *capacity, bool *collection_metrics)
{
	ApiConstraints constraints = {0};

	*capacity = ApiCheckCapacityDetail(&constraints, &body->return_consumed_capacity);
	*collection_metrics = ApiCheckCollectionMetrics(&constraints, &body->return_item_collection_metrics);
	ApiCheckLength(&constraints, &body->token, "clientRequestToken", 1, TOKEN_MAX);
	ApiCheckNotNull(&constraints, body->items.is_present, "transactItems");
	if (body->items.is_present && body->items.count == 0)
		ApiConstraintFail(&constraints, &(ApiString) {"[]", 2}, "transactItems", "Member must have length greater than or equal to 1");
	if (body->items.count > TRANSACTION_MAX)
	{
		ApiConstraintFail(&constraints, &(ApiString) {"[...]", 5}, "transactItems",
						  psprintf("Member must have length less than or equal to %d", TRANSACTION_MAX));
		ApiConstraintsRaise(&constraints);
	}
	for (int i = 0; i < body->items.count; i++)
	{
		TransactItemBody *item = ApiListElement(&body->items, TransactItemBody, i);
		char	   *path = psprintf("transactItems.%d.member", i + 1);

		if (is_get)
		{
			ApiCheckNotNull(&constraints, item->get.is_present, psprintf("%s.get", path));
			check_action(&constraints, &item->get, psprintf("%s.get", path), ACTION_GET);
			continue;
		}
		check_action(&constraints, &item->condition_check, psprintf("%s.conditionCheck", path), ACTION_CHECK);
		check_action(&constraints, &item->put, psprintf("%s.put", path), ACTION_PUT);
		check_action(&constraints, &item->delete, psprintf("%s.delete", path), ACTION_DELETE);
		check_action(&constraints, &item->update, psprintf("%s.update", path), ACTION_UPDATE);
	}
	ApiConstraintsRaise(&constraints);
}

/* ---- one action ---- */

/* Step 2: the one action of an element. */
static ApiItemRequest *
choose_action(TransactItemBody *item, WriteAction *action)
{
	int			count = item->condition_check.is_present + item->put.is_present + item->update.is_present + item->delete.is_present;

	if (count > 1)
		validation_error("TransactItems can only contain one of Check, Put, Update or Delete");
	if (item->condition_check.is_present)
	{
		*action = WRITE_CHECK;
		return &item->condition_check;
	}
	if (item->put.is_present)
	{
		*action = WRITE_PUT;
		return &item->put;
	}
	if (item->update.is_present)
	{
		*action = WRITE_UPDATE;
		return &item->update;
	}
	if (item->delete.is_present)
	{
		*action = WRITE_DELETE;
		return &item->delete;
	}
	validation_error("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
}

/* Steps 3 and 4 for one action, except for the expressions themselves. */
static void
prepare_action(ApiRequest *request, ApiItemRequest *body, ItemAction action, ApiTable *table, bool measure, ItemRequest *target)
{
	ApiSetItemRequest(request, body, table, target);
	target->return_old_on_failure = body->return_values_on_failure.data != NULL &&
		strcmp(body->return_values_on_failure.data, "ALL_OLD") == 0;
	target->read_old_item = measure;
	OperationCheckArguments(action, target);
	ApiCheckPlaceholders(&target->placeholders, &body->values);
}

/* Bytes of an action that count against the limit of the payload. */
static uint64
measure_action(const ItemRequest *request)
{
	uint64		bytes = request->condition.length + request->update.length;

	if (request->key != NULL)
		bytes += ItemSize(request->key);
	if (request->item != NULL)
		bytes += ItemSize(request->item);
	for (int i = 0; i < request->placeholders.name_count; i++)
		bytes += request->placeholders.names[i].key_length + request->placeholders.names[i].name_length;
	for (int i = 0; i < request->placeholders.value_count; i++)
		bytes += request->placeholders.values[i].key_length + AttributeValueSize(&request->placeholders.values[i].value);
	return bytes;
}

/* ---- responses: grouped by table, in the order of their first appearance ---- */

/* Is this the first action on its table? */
static bool
is_first_of_table(const ItemResult *results, int position)
{
	for (int i = 0; i < position; i++)
		if (results[i].table->relid == results[position].table->relid)
			return false;
	return true;
}

typedef void (*AddCapacity) (Capacity *capacity, const WriteRequest *write, const ItemResult *result);

static void
add_write_capacity(Capacity *capacity, const WriteRequest *write, const ItemResult *result)
{
	if (write->action == WRITE_CHECK)
		CapacityAddCheck(capacity, result->old_item);
	else
		CapacityAddWrite(capacity, result->old_item, result->new_item, true);
}

static void
add_read_capacity(Capacity *capacity, const WriteRequest *write, const ItemResult *result)
{
	CapacityAddRead(capacity, result->old_item ? ItemSize(result->old_item) : 0, READ_CHARGE_TRANSACTIONAL);
}

static void
write_capacities(StringInfo response, const WriteRequest *writes, const ItemResult *results, const ApiTable *tables, int count,
				 AddCapacity add, ApiCapacityDetail detail, ApiCapacityKind kind)
{
	ApiWriteMember(response, "ConsumedCapacity");
	appendStringInfoChar(response, '[');
	for (int i = 0; i < count; i++)
	{
		Capacity	capacity;

		if (!is_first_of_table(results, i))
			continue;
		CapacityInit(&capacity, results[i].table);
		for (int j = i; j < count; j++)
			if (results[j].table->relid == results[i].table->relid)
				add(&capacity, writes ? &writes[j] : NULL, &results[j]);
		ApiWriteElement(response);
		ApiWriteCapacity(response, &capacity, tables[i].name, detail, kind);
	}
	appendStringInfoChar(response, ']');
}

/* Of tables with a local index, and of partitions that something was written to. */
static void
write_collection_metrics(StringInfo response, const WriteRequest *writes, const ItemResult *results, const ApiTable *tables, int count)
{
	const SingletableItem *items[TRANSACTION_MAX];
	bool		is_open = false;

	for (int i = 0; i < count; i++)
	{
		int			item_count = 0;

		if (!is_first_of_table(results, i) || !ApiHasLocalIndex(results[i].table))
			continue;
		for (int j = i; j < count; j++)
			if (results[j].table->relid == results[i].table->relid && writes[j].action != WRITE_CHECK)
				items[item_count++] = writes[j].request.key ? writes[j].request.key : writes[j].request.item;
		if (item_count == 0)
			continue;
		if (!is_open)
		{
			ApiWriteMember(response, "ItemCollectionMetrics");
			appendStringInfoChar(response, '{');
			is_open = true;
		}
		ApiWriteMemberOf(response, tables[i].name, tables[i].length);
		ApiWriteCollectionMetricsList(response, results[i].table, items, item_count);
	}
	if (is_open)
		appendStringInfoChar(response, '}');
}

/*
 * read_written_items
 *		The items that a transaction's actions are about, as they are now: what its repetition is charged for.
 */
static void
read_written_items(WriteRequest *writes, int count, ItemResult *results)
{
	for (int i = 0; i < count; i++)
	{
		ItemRequest get = {0};

		get.resolve_table = writes[i].request.resolve_table;
		get.resolve_state = writes[i].request.resolve_state;
		get.key = writes[i].request.key;
		get.charge = READ_CHARGE_TRANSACTIONAL;
		if (get.key == NULL)
		{
			TableDescriptor *table = TableOpen(ApiTableResolve(get.resolve_state), AccessShareLock);
			AttributeContainer map;
			TableKey	key;

			ItemOpen(writes[i].request.item, &map);
			TableCheckKey(table, &map, KEY_OF_ITEM, &key);
			get.key = TableKeyItem(table, &key);
		}
		OperationGetItem(&get, &results[i]);
	}
}

void
ApiTransactWriteItems(ApiRequest *request, StringInfo response)
{
	TransactBody *body = request->bound;
	int			count = body->items.count;
	ApiCapacityDetail detail;
	bool		collection_metrics;
	WriteRequest *writes;
	ItemResult *results;
	ApiTable   *tables;
	uint64		bytes = 0;
	bool		is_repetition = false;

	check_members(body, false, &detail, &collection_metrics);
	writes = palloc0(count * sizeof(WriteRequest));
	results = palloc0(count * sizeof(ItemResult));
	tables = palloc0(count * sizeof(ApiTable));
	for (int i = 0; i < count; i++)
		(void) choose_action(ApiListElement(&body->items, TransactItemBody, i), &writes[i].action);
	for (int i = 0; i < count; i++)
	{
		ApiItemRequest *action = choose_action(ApiListElement(&body->items, TransactItemBody, i), &writes[i].action);

		prepare_action(request, action, (ItemAction) writes[i].action, &tables[i], detail != API_CAPACITY_NONE, &writes[i].request);
		bytes += measure_action(&writes[i].request);
	}
	if (bytes > TRANSACTION_BYTES)
		validation_error("Transaction payload size cannot exceed 4 MB");

	if (body->token.data != NULL)
		is_repetition = ApiTokenBegin(body->token.data, writes, count);
	if (is_repetition)
	{
		if (detail != API_CAPACITY_NONE || collection_metrics || singletable_track_capacity)
			read_written_items(writes, count, results);
	}
	else
	{
		OperationTransactWriteItems(writes, count, true, results);
		if (body->token.data != NULL)
			ApiTokenEnd(body->token.data, writes, count);
	}

	appendStringInfoChar(response, '{');
	if (detail != API_CAPACITY_NONE)
		write_capacities(response, writes, results, tables, count, is_repetition ? add_read_capacity : add_write_capacity, detail,
						 is_repetition ? API_CAPACITY_TRANSACTION_READ : API_CAPACITY_TRANSACTION_WRITE);
	if (collection_metrics)
		write_collection_metrics(response, writes, results, tables, count);
	appendStringInfoChar(response, '}');
}

void
ApiTransactGetItems(ApiRequest *request, StringInfo response)
{
	TransactBody *body = request->bound;
	int			count = body->items.count;
	ApiCapacityDetail detail;
	bool		collection_metrics;
	ItemRequest *gets;
	ItemResult *results;
	ApiTable   *tables;
	uint64		bytes = 0;

	check_members(body, true, &detail, &collection_metrics);
	gets = palloc0(count * sizeof(ItemRequest));
	results = palloc0(count * sizeof(ItemResult));
	tables = palloc0(count * sizeof(ApiTable));
	for (int i = 0; i < count; i++)
		prepare_action(request, &ApiListElement(&body->items, TransactItemBody, i)->get, ACTION_GET, &tables[i], true, &gets[i]);
	OperationTransactGetItems(gets, count, results);
	for (int i = 0; i < count; i++)
		if (results[i].old_item != NULL)
			bytes += ItemSize(results[i].old_item);
	if (bytes > TRANSACTION_BYTES)
		validation_error("Transaction item size cannot exceed 4 MB");

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Responses");
	appendStringInfoChar(response, '[');
	for (int i = 0; i < count; i++)
	{
		AttributeContainer map = {0};

		ApiWriteElement(response);
		appendStringInfoChar(response, '{');
		if (results[i].attributes != NULL)
			ItemOpen(results[i].attributes, &map);
		/* An item of which the projection leaves nothing is as an absent one here. */
		if (map.count > 0)
		{
			ApiWriteMember(response, "Item");
			JsonWriteItem(response, &map);
		}
		appendStringInfoChar(response, '}');
	}
	appendStringInfoChar(response, ']');
	if (detail != API_CAPACITY_NONE)
		write_capacities(response, NULL, results, tables, count, add_read_capacity, detail, API_CAPACITY_TRANSACTION_READ);
	appendStringInfoChar(response, '}');
}
