/*
 * src/api/api_batch.c
 *		BatchGetItem and BatchWriteItem.
 *
 * A batch is one statement here, so that it is all or nothing: nothing is ever left in UnprocessedItems, and UnprocessedKeys holds
 * only what does not fit into one response.
 *
 * Source: reference/batch-and-transactions, sections 2 and 3.
 */
#include "postgres.h"

#include "api/api_request.h"

#define BATCH_GET_MAX 100		/* keys */
#define BATCH_WRITE_MAX 25		/* requests */
#define BATCH_GET_BYTES (16 * 1024 * 1024)	/* of items in one response */

#define TABLE_NAME_MAX 255		/* characters */
#define TABLE_NAME_CONSTRAINT \
	"Map keys must satisfy constraint: [Member must have length less than or equal to 255, " \
	"Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"

/* ---- BatchGetItem ---- */

typedef struct KeysAndAttributes
{
	bool		is_present;
	ApiList		keys;			/* of ApiItem */
	ApiBoolean	consistent_read;
	ApiString	projection;
	ApiMap		names;			/* of ApiString */
	ApiList		attributes_to_get;	/* of ApiString */
} KeysAndAttributes;

static const ApiMember keys_members[] = {
	API_MEMBER(KeysAndAttributes, keys, "Keys", ApiItemListType),
	API_MEMBER(KeysAndAttributes, consistent_read, "ConsistentRead", ApiBooleanType),
	API_MEMBER(KeysAndAttributes, projection, "ProjectionExpression", ApiStringType),
	API_MEMBER(KeysAndAttributes, names, "ExpressionAttributeNames", ApiStringMapType),
	API_MEMBER(KeysAndAttributes, attributes_to_get, "AttributesToGet", ApiStringListType),
};
static const ApiType keys_type = API_STRUCTURE_TYPE("KeysAndAttributes", KeysAndAttributes, keys_members);
static const ApiType keys_map_type = API_MAP_TYPE(keys_type);

/* ---- BatchWriteItem ---- */

typedef struct PutRequestBody
{
	bool		is_present;
	ApiItem		item;
} PutRequestBody;

typedef struct DeleteRequestBody
{
	bool		is_present;
	ApiItem		key;
} DeleteRequestBody;

typedef struct WriteRequestBody
{
	bool		is_present;
	PutRequestBody put;
	DeleteRequestBody delete;
} WriteRequestBody;

static const ApiMember put_request_members[] = {API_MEMBER(PutRequestBody, item, "Item", ApiItemType)};
static const ApiType put_request_type = API_STRUCTURE_TYPE("PutRequest", PutRequestBody, put_request_members);
static const ApiMember delete_request_members[] = {API_MEMBER(DeleteRequestBody, key, "Key", ApiItemType)};
static const ApiType delete_request_type = API_STRUCTURE_TYPE("DeleteRequest", DeleteRequestBody, delete_request_members);
static const ApiMember write_request_members[] = {
	API_MEMBER(WriteRequestBody, put, "PutRequest", put_request_type),
	API_MEMBER(WriteRequestBody, delete, "DeleteRequest", delete_request_type),
};
static const ApiType write_request_type = API_STRUCTURE_TYPE("WriteRequest", WriteRequestBody, write_request_members);
static const ApiType write_list_type = API_LIST_TYPE(write_request_type);
static const ApiType write_map_type = API_MAP_TYPE(write_list_type);

/* ---- both ---- */

typedef struct BatchBody
{
	bool		is_present;
	ApiMap		request_items;	/* of KeysAndAttributes; of ApiList of WriteRequestBody */
	ApiString	return_consumed_capacity;
	ApiString	return_item_collection_metrics;
} BatchBody;

static const ApiMember batch_get_members[] = {
	API_MEMBER(BatchBody, request_items, "RequestItems", keys_map_type),
	API_MEMBER(BatchBody, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType),
};
const ApiType ApiBatchGetItemType = API_STRUCTURE_TYPE("BatchGetItemInput", BatchBody, batch_get_members);

static const ApiMember batch_write_members[] = {
	API_MEMBER(BatchBody, request_items, "RequestItems", write_map_type),
	API_MEMBER(BatchBody, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType),
	API_MEMBER(BatchBody, return_item_collection_metrics, "ReturnItemCollectionMetrics", ApiStringType),
};
const ApiType ApiBatchWriteItemType = API_STRUCTURE_TYPE("BatchWriteItemInput", BatchBody, batch_write_members);

/* Names of the map's tables: ARNs are replaced by bare names; one that is wrong is a failed constraint. */
static void
check_table_names(ApiConstraints *constraints, ApiMap *request_items)
{
	for (int i = 0; i < request_items->count; i++)
	{
		ApiString  *name = &request_items->keys[i];

		ApiTableNameFromArn(name);
		if (!ApiNameIsValid(name->data, name->length) || name->length > TABLE_NAME_MAX)
		{
			ApiConstraintFailText(constraints, psprintf("Value '{%s=...}' at 'requestItems' failed to satisfy constraint: %s",
														name->data, TABLE_NAME_CONSTRAINT));
			return;
		}
		/* A name and an ARN of one table: the response could hold only one of them. */
		for (int j = 0; j < i; j++)
			if (strcmp(request_items->keys[j].data, name->data) == 0)
				validation_error("One or more parameter values were invalid: Duplicate table in RequestItems: %s", name->data);
	}
}

static void
write_capacities(StringInfo response, const Capacity *capacities, const ApiMap *request_items, ApiCapacityDetail detail)
{
	ApiWriteMember(response, "ConsumedCapacity");
	appendStringInfoChar(response, '[');
	for (int i = 0; i < request_items->count; i++)
	{
		ApiWriteElement(response);
		ApiWriteCapacity(response, &capacities[i], request_items->keys[i].data, detail, API_CAPACITY_PLAIN);
	}
	appendStringInfoChar(response, ']');
}

/* Steps 1 to 3 of BatchGetItem.  Returns the number of keys. */
static int
check_get_members(BatchBody *body, ApiCapacityDetail *capacity)
{
	ApiConstraints constraints = {0};
	int			count = 0;

	if (body->request_items.count == 0)
		validation_error("The requestItems parameter is required for BatchGetItem");
	check_table_names(&constraints, &body->request_items);
	*capacity = ApiCheckCapacityDetail(&constraints, &body->return_consumed_capacity);
	for (int i = 0; i < body->request_items.count; i++)
	{
		const KeysAndAttributes *table = ApiMapValue(&body->request_items, KeysAndAttributes, i);
		const char *name = body->request_items.keys[i].data;
		char	   *path = psprintf("requestItems.%s.member.keys", name);

		ApiCheckNotNull(&constraints, table->keys.is_present, path);
		if (table->keys.is_present && table->keys.count == 0)
			ApiConstraintFailText(&constraints, psprintf("Value at '%s' failed to satisfy constraint: "
														 "Member must have length greater than or equal to 1", path));
		for (int j = 0; j < table->keys.count; j++)
			ApiCheckNotNull(&constraints, ApiListElement(&table->keys, ApiItem, j)->is_present, psprintf("%s.%d.member", path, j + 1));
		ApiCheckAttributesToGet(&constraints, &table->attributes_to_get, psprintf("requestItems.%s.member.attributesToGet", name));
	}
	ApiConstraintsRaise(&constraints);

	for (int i = 0; i < body->request_items.count; i++)
	{
		const KeysAndAttributes *table = ApiMapValue(&body->request_items, KeysAndAttributes, i);

		if (table->keys.count > BATCH_GET_MAX)
			validation_error("1 validation error detected: Value at 'RequestItems.%s.member.Keys' failed to satisfy constraint: "
							 "Member must have length less than or equal to %d", body->request_items.keys[i].data, BATCH_GET_MAX);
		count += table->keys.count;
	}
	if (count > BATCH_GET_MAX)
		validation_error("Too many items requested for the BatchGetItem call");
	return count;
}

/*
 * prepare_gets
 *		Steps 4 to 7 for one table: projection and keys.  Fills one request per key; they share one prepared projection.
 */
static void
prepare_gets(const KeysAndAttributes *body, ApiTable *table, ItemRequest *requests)
{
	ItemRequest common = {0};

	ApiCheckMixing((ApiMemberPresence[]) {{"AttributesToGet", body->attributes_to_get.is_present}}, 1,
				   (ApiMemberPresence[]) {{"ProjectionExpression", body->projection.data != NULL}}, 1);
	common.resolve_table = ApiTableResolve;
	common.resolve_state = table;
	common.read_old_item = true;	/* its size counts, whatever is projected */
	common.charge = body->consistent_read.value ? READ_CHARGE_CONSISTENT : READ_CHARGE_EVENTUAL;
	ApiSetText(&common.projection, &body->projection);
	ApiSetPlaceholders(&common.placeholders, &body->names, &(ApiMap) {0});
	OperationCheckArguments(ACTION_GET, &common);
	ApiLegacyProjection(&body->attributes_to_get, &common.projection);
	ApiCheckPlaceholders(&common.placeholders, &(ApiMap) {0});
	if (body->projection.data != NULL)
		common.projection.prepared = ExpressionPrepare(EXPRESSION_PROJECTION, body->projection.data, body->projection.length,
													   &common.placeholders);
	PlaceholdersCheckUnused(&common.placeholders);

	for (int i = 0; i < body->keys.count; i++)
	{
		const ApiItem *key = ApiListElement(&body->keys, ApiItem, i);

		ApiItemCheck(key);
		requests[i] = common;
		requests[i].key = key->item;
	}
	for (int i = 0; i < body->keys.count; i++)
		for (int j = 0; j < i; j++)
			if (ItemCompare(requests[i].key, requests[j].key) == 0)
				validation_error("Provided list of item keys contains duplicates");
}

/* An entry of UnprocessedKeys: the keys from one on, and the options of the table's entry. */
static void
write_unprocessed_keys(StringInfo response, const KeysAndAttributes *body, int first)
{
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Keys");
	appendStringInfoChar(response, '[');
	for (int i = first; i < body->keys.count; i++)
	{
		ApiWriteElement(response);
		ApiWriteItem(response, ApiListElement(&body->keys, ApiItem, i)->item);
	}
	appendStringInfoChar(response, ']');
	if (body->consistent_read.is_present)
	{
		ApiWriteMember(response, "ConsistentRead");
		appendStringInfoString(response, body->consistent_read.value ? "true" : "false");
	}
	if (body->projection.data != NULL)
	{
		ApiWriteMember(response, "ProjectionExpression");
		JsonWriteString(response, body->projection.data, body->projection.length);
	}
	if (body->names.is_present)
	{
		ApiWriteMember(response, "ExpressionAttributeNames");
		appendStringInfoChar(response, '{');
		for (int i = 0; i < body->names.count; i++)
		{
			const ApiString *name = ApiMapValue(&body->names, ApiString, i);

			ApiWriteMemberOf(response, body->names.keys[i].data, body->names.keys[i].length);
			JsonWriteString(response, name->data, name->length);
		}
		appendStringInfoChar(response, '}');
	}
	if (body->attributes_to_get.is_present)
	{
		ApiWriteMember(response, "AttributesToGet");
		appendStringInfoChar(response, '[');
		for (int i = 0; i < body->attributes_to_get.count; i++)
		{
			const ApiString *name = ApiListElement(&body->attributes_to_get, ApiString, i);

			ApiWriteElement(response);
			JsonWriteString(response, name->data, name->length);
		}
		appendStringInfoChar(response, ']');
	}
	appendStringInfoChar(response, '}');
}

void
ApiBatchGetItem(ApiRequest *request, StringInfo response)
{
	BatchBody  *body = request->bound;
	ApiMap	   *tables = &body->request_items;
	ApiCapacityDetail detail;
	int			count = check_get_members(body, &detail);
	ItemRequest *requests = palloc0(count * sizeof(ItemRequest));
	ItemResult *results = palloc0(count * sizeof(ItemResult));
	ApiTable   *names = palloc0(tables->count * sizeof(ApiTable));
	Capacity   *capacities = palloc0(tables->count * sizeof(Capacity));
	int		   *processed = palloc0(tables->count * sizeof(int));	/* keys of each table */
	uint64		bytes = 0;
	bool		is_full = false;
	int			position = 0;

	for (int i = 0; i < tables->count; i++)
	{
		const KeysAndAttributes *table = ApiMapValue(tables, KeysAndAttributes, i);

		ApiUseTable(request, &tables->keys[i], &names[i]);
		prepare_gets(table, &names[i], &requests[position]);
		position += table->keys.count;
	}
	OperationBatchGetItem(requests, count, results);

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Responses");
	appendStringInfoChar(response, '{');
	position = 0;
	for (int i = 0; i < tables->count; i++)
	{
		const KeysAndAttributes *table = ApiMapValue(tables, KeysAndAttributes, i);

		CapacityInit(&capacities[i], results[position].table);
		ApiWriteMemberOf(response, tables->keys[i].data, tables->keys[i].length);
		appendStringInfoChar(response, '[');
		for (int j = 0; j < table->keys.count && !is_full; j++)
		{
			const ItemResult *result = &results[position + j];
			uint64		size = result->old_item ? ItemSize(result->old_item) : 0;

			if (bytes + size > BATCH_GET_BYTES)
			{
				is_full = true;
				break;
			}
			bytes += size;
			processed[i]++;
			CapacityAddRead(&capacities[i], size, requests[position + j].charge);
			if (result->attributes != NULL)
			{
				ApiWriteElement(response);
				ApiWriteItem(response, result->attributes);
			}
		}
		appendStringInfoChar(response, ']');
		position += table->keys.count;
	}
	appendStringInfoChar(response, '}');

	ApiWriteMember(response, "UnprocessedKeys");
	appendStringInfoChar(response, '{');
	for (int i = 0; i < tables->count; i++)
	{
		const KeysAndAttributes *table = ApiMapValue(tables, KeysAndAttributes, i);

		if (processed[i] == table->keys.count)
			continue;
		ApiWriteMemberOf(response, tables->keys[i].data, tables->keys[i].length);
		write_unprocessed_keys(response, table, processed[i]);
	}
	appendStringInfoChar(response, '}');
	if (detail != API_CAPACITY_NONE)
		write_capacities(response, capacities, tables, detail);
	appendStringInfoChar(response, '}');
}

/* Steps 1 to 3 of BatchWriteItem.  Returns the number of requests. */
static int
check_write_members(BatchBody *body, ApiCapacityDetail *capacity, bool *collection_metrics)
{
	static const char constraint[] = "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
		"Member must have length greater than or equal to 1]";
	ApiConstraints constraints = {0};
	int			count = 0;

	if (body->request_items.count == 0)
		validation_error("The requestItems parameter is required for BatchWriteItem");
	*capacity = ApiCheckCapacityDetail(&constraints, &body->return_consumed_capacity);
	*collection_metrics = ApiCheckCollectionMetrics(&constraints, &body->return_item_collection_metrics);
	check_table_names(&constraints, &body->request_items);
	for (int i = 0; i < body->request_items.count; i++)
	{
		const ApiList *list = ApiMapValue(&body->request_items, ApiList, i);
		const char *name = body->request_items.keys[i].data;

		if (list->count == 0 || list->count > BATCH_WRITE_MAX)
			ApiConstraintFailText(&constraints, psprintf("Value '{%s=[%s]}' at 'requestItems' failed to satisfy constraint: %s",
														 name, list->count == 0 ? "" : "...", constraint));
		for (int j = 0; j < list->count; j++)
		{
			const WriteRequestBody *write = ApiListElement(list, WriteRequestBody, j);

			if (write->put.is_present)
				ApiCheckNotNull(&constraints, write->put.item.is_present,
								psprintf("requestItems.%s.member.%d.member.putRequest.item", name, j + 1));
			if (write->delete.is_present)
				ApiCheckNotNull(&constraints, write->delete.key.is_present,
								psprintf("requestItems.%s.member.%d.member.deleteRequest.key", name, j + 1));
		}
		count += list->count;
	}
	ApiConstraintsRaise(&constraints);
	if (count > BATCH_WRITE_MAX)
		validation_error("Too many items requested for the BatchWriteItem call");
	return count;
}

/* Steps 3 and 4 for one request. */
static void
prepare_write(const WriteRequestBody *body, ApiTable *table, bool measure, WriteRequest *write)
{
	if (body->put.is_present == body->delete.is_present)
		validation_error("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes");
	write->action = body->put.is_present ? WRITE_PUT : WRITE_DELETE;
	write->request.resolve_table = ApiTableResolve;
	write->request.resolve_state = table;
	write->request.read_old_item = measure;
	ApiItemCheck(&body->put.item);
	ApiItemCheck(&body->delete.key);
	write->request.item = body->put.item.item;
	write->request.key = body->delete.key.item;
	OperationCheckArguments((ItemAction) write->action, &write->request);
}

/* ItemCollectionMetrics: per table with a local index, an object per partition key; absent if there is no such table. */
static void
write_collection_metrics(StringInfo response, const ApiMap *tables, const WriteRequest *writes, const ItemResult *results)
{
	const SingletableItem *items[BATCH_WRITE_MAX];
	int			position = 0;
	bool		is_open = false;

	for (int i = 0; i < tables->count; i++)
	{
		const ApiList *list = ApiMapValue(tables, ApiList, i);
		const TableDescriptor *table = results[position].table;

		if (ApiHasLocalIndex(table))
		{
			for (int j = 0; j < list->count; j++)
			{
				const ItemRequest *write = &writes[position + j].request;

				items[j] = write->key ? write->key : write->item;
			}
			if (!is_open)
			{
				ApiWriteMember(response, "ItemCollectionMetrics");
				appendStringInfoChar(response, '{');
				is_open = true;
			}
			ApiWriteMemberOf(response, tables->keys[i].data, tables->keys[i].length);
			ApiWriteCollectionMetricsList(response, table, items, list->count);
		}
		position += list->count;
	}
	if (is_open)
		appendStringInfoChar(response, '}');
}

void
ApiBatchWriteItem(ApiRequest *request, StringInfo response)
{
	BatchBody  *body = request->bound;
	ApiMap	   *tables = &body->request_items;
	ApiCapacityDetail detail;
	bool		collection_metrics;
	int			count = check_write_members(body, &detail, &collection_metrics);
	WriteRequest *writes = palloc0(count * sizeof(WriteRequest));
	ItemResult *results = palloc0(count * sizeof(ItemResult));
	ApiTable   *names = palloc0(tables->count * sizeof(ApiTable));
	int			position = 0;

	for (int i = 0; i < tables->count; i++)
	{
		const ApiList *list = ApiMapValue(tables, ApiList, i);

		ApiUseTable(request, &tables->keys[i], &names[i]);
		for (int j = 0; j < list->count; j++)
			prepare_write(ApiListElement(list, WriteRequestBody, j), &names[i], detail != API_CAPACITY_NONE, &writes[position++]);
	}
	OperationBatchWriteItem(writes, count, results);

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "UnprocessedItems");
	appendStringInfoString(response, "{}");
	if (detail != API_CAPACITY_NONE)
	{
		Capacity   *capacities = palloc0(tables->count * sizeof(Capacity));

		position = 0;
		for (int i = 0; i < tables->count; i++)
		{
			const ApiList *list = ApiMapValue(tables, ApiList, i);

			CapacityInit(&capacities[i], results[position].table);
			for (int j = 0; j < list->count; j++, position++)
				CapacityAddWrite(&capacities[i], results[position].old_item, results[position].new_item, false);
		}
		write_capacities(response, capacities, tables, detail);
	}
	if (collection_metrics)
		write_collection_metrics(response, tables, writes, results);
	appendStringInfoChar(response, '}');
}
