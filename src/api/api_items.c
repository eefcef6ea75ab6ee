/*
 * src/api/api_items.c
 *		GetItem, PutItem, UpdateItem, DeleteItem.
 *
 * Source: reference/item-operations, whose section 3 is the order of the checks here.
 */
#include "postgres.h"

#include "api/api_request.h"

static const ApiMember get_members[] = {
	API_MEMBER(ApiItemRequest, table_name, "TableName", ApiStringType),
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	API_MEMBER(ApiItemRequest, consistent_read, "ConsistentRead", ApiBooleanType),
	API_MEMBER(ApiItemRequest, projection, "ProjectionExpression", ApiStringType),
	API_MEMBER(ApiItemRequest, names, "ExpressionAttributeNames", ApiStringMapType),
	API_MEMBER(ApiItemRequest, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType),
	API_MEMBER(ApiItemRequest, attributes_to_get, "AttributesToGet", ApiStringListType),
};
const ApiType ApiGetItemType = API_STRUCTURE_TYPE("GetItemInput", ApiItemRequest, get_members);

#define WRITE_MEMBERS \
	API_MEMBER(ApiItemRequest, table_name, "TableName", ApiStringType), \
	API_MEMBER(ApiItemRequest, condition, "ConditionExpression", ApiStringType), \
	API_MEMBER(ApiItemRequest, names, "ExpressionAttributeNames", ApiStringMapType), \
	API_MEMBER(ApiItemRequest, values, "ExpressionAttributeValues", ApiValueMapType), \
	API_MEMBER(ApiItemRequest, return_values, "ReturnValues", ApiStringType), \
	API_MEMBER(ApiItemRequest, return_values_on_failure, "ReturnValuesOnConditionCheckFailure", ApiStringType), \
	API_MEMBER(ApiItemRequest, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType), \
	API_MEMBER(ApiItemRequest, return_item_collection_metrics, "ReturnItemCollectionMetrics", ApiStringType), \
	API_MEMBER(ApiItemRequest, expected, "Expected", ApiExpectedMapType), \
	API_MEMBER(ApiItemRequest, conditional_operator, "ConditionalOperator", ApiStringType)

static const ApiMember put_members[] = {
	API_MEMBER(ApiItemRequest, item, "Item", ApiItemType),
	WRITE_MEMBERS,
};
const ApiType ApiPutItemType = API_STRUCTURE_TYPE("PutItemInput", ApiItemRequest, put_members);

static const ApiMember update_members[] = {
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	API_MEMBER(ApiItemRequest, update, "UpdateExpression", ApiStringType),
	API_MEMBER(ApiItemRequest, attribute_updates, "AttributeUpdates", ApiAttributeUpdateMapType),
	WRITE_MEMBERS,
};
const ApiType ApiUpdateItemType = API_STRUCTURE_TYPE("UpdateItemInput", ApiItemRequest, update_members);

static const ApiMember delete_members[] = {
	API_MEMBER(ApiItemRequest, key, "Key", ApiItemType),
	WRITE_MEMBERS,
};
const ApiType ApiDeleteItemType = API_STRUCTURE_TYPE("DeleteItemInput", ApiItemRequest, delete_members);

/* What a request says of its answer. */
typedef struct ResponseOptions
{
	ApiCapacityDetail capacity;
	bool		collection_metrics;
} ResponseOptions;

/* The positions of API_SET_RETURN_VALUES. */
static const ReturnValues return_values_of_position[] = {
	RETURN_ALL_NEW, RETURN_UPDATED_OLD, RETURN_ALL_OLD, RETURN_NONE, RETURN_UPDATED_NEW
};

/*
 * check_members
 *		Steps 2 and 3: the table's name alone, then the constraints of all other members together.
 */
static void
check_members(ApiItemRequest *body, ItemAction action, ItemRequest *request, ResponseOptions *options)
{
	ApiConstraints constraints = {0};
	int			position;

	ApiTableNameCheck(&body->table_name);

	options->capacity = ApiCheckCapacityDetail(&constraints, &body->return_consumed_capacity);
	if (action == ACTION_UPDATE)
		options->collection_metrics = ApiCheckCollectionMetrics(&constraints, &body->return_item_collection_metrics);
	if (action == ACTION_PUT)
		ApiCheckNotNull(&constraints, body->item.is_present, "item");
	if (action == ACTION_GET || action == ACTION_DELETE)
		ApiCheckNotNull(&constraints, body->key.is_present, "key");
	position = ApiCheckEnum(&constraints, &body->return_values, "returnValues", API_SET_RETURN_VALUES);
	request->return_values = position < 0 ? RETURN_NONE : return_values_of_position[position];
	if (action == ACTION_UPDATE)
		ApiCheckNotNull(&constraints, body->key.is_present, "key");
	else
		options->collection_metrics = ApiCheckCollectionMetrics(&constraints, &body->return_item_collection_metrics);
	request->return_old_on_failure = ApiCheckEnum(&constraints, &body->return_values_on_failure, "returnValuesOnConditionCheckFailure",
												  API_SET_RETURN_VALUES_ON_FAILURE) == 0;
	ApiCheckEnum(&constraints, &body->conditional_operator, "conditionalOperator", API_SET_CONDITIONAL_OPERATOR);
	ApiCheckConditionMap(&constraints, &body->expected, "expected", true);
	ApiCheckUpdateMap(&constraints, &body->attribute_updates);
	ApiCheckAttributesToGet(&constraints, &body->attributes_to_get, "attributesToGet");
	ApiConstraintsRaise(&constraints);
}

/*
 * check_mixing
 *		Step 4, of which the checks of placeholders without expressions are the operations layer's.
 */
static void
check_mixing(const ApiItemRequest *body, ItemAction action)
{
	if (action == ACTION_GET)
		ApiCheckMixing((ApiMemberPresence[]) {{"AttributesToGet", body->attributes_to_get.is_present}}, 1,
					   (ApiMemberPresence[]) {{"ProjectionExpression", body->projection.data != NULL}}, 1);
	else
		ApiCheckMixing((ApiMemberPresence[]) {{"AttributeUpdates", body->attribute_updates.is_present},
											  {"Expected", body->expected.is_present}}, 2,
					   (ApiMemberPresence[]) {{"UpdateExpression", body->update.data != NULL},
											  {"ConditionExpression", body->condition.data != NULL}}, 2);
}

/*
 * prepare_request
 *		Steps 2 to 9: all that needs no table, except for the expressions themselves.  Fills the operation's request.
 */
static void
prepare_request(ApiRequest *request, ItemAction action, ItemRequest *target, ApiTable *table, ResponseOptions *options)
{
	ApiItemRequest *body = request->bound;

	memset(target, 0, sizeof(ItemRequest));
	check_members(body, action, target, options);
	check_mixing(body, action);
	ApiSetItemRequest(request, body, table, target);
	target->read_old_item = options->capacity != API_CAPACITY_NONE;
	OperationCheckArguments(action, target);

	ApiLegacyProjection(&body->attributes_to_get, &target->projection);
	ApiLegacyUpdates(&body->attribute_updates, &target->update);
	ApiLegacyExpected(&body->expected, &body->conditional_operator, &target->condition);
	ApiCheckPlaceholders(&target->placeholders, &body->values);
}

/*
 * write_response
 *		Attributes (under the member's name), ConsumedCapacity, ItemCollectionMetrics.
 */
static void
write_response(StringInfo response, ApiItemRequest *body, const char *member, const ItemResult *result, const Capacity *capacity,
			   const ResponseOptions *options)
{
	appendStringInfoChar(response, '{');
	if (result->attributes != NULL)
	{
		ApiWriteMember(response, member);
		ApiWriteItem(response, result->attributes);
	}
	if (options->capacity != API_CAPACITY_NONE)
	{
		ApiWriteMember(response, "ConsumedCapacity");
		ApiWriteCapacity(response, capacity, body->table_name.data, options->capacity, API_CAPACITY_PLAIN);
	}
	if (options->collection_metrics && ApiHasLocalIndex(result->table))
	{
		ApiWriteMember(response, "ItemCollectionMetrics");
		ApiWriteCollectionMetrics(response, result->table, body->key.item ? body->key.item : body->item.item);
	}
	appendStringInfoChar(response, '}');
}

void
ApiGetItem(ApiRequest *request, StringInfo response)
{
	ApiItemRequest *body = request->bound;
	ItemRequest get;
	ItemResult	result = {0};
	ResponseOptions options = {0};
	ApiTable	table;
	Capacity	capacity;

	prepare_request(request, ACTION_GET, &get, &table, &options);
	get.charge = body->consistent_read.value ? READ_CHARGE_CONSISTENT : READ_CHARGE_EVENTUAL;
	OperationGetItem(&get, &result);
	if (options.capacity != API_CAPACITY_NONE)
	{
		CapacityInit(&capacity, result.table);
		CapacityAddRead(&capacity, result.old_item ? ItemSize(result.old_item) : 0, get.charge);
	}
	write_response(response, body, "Item", &result, &capacity, &options);
}

/* The three writes differ in the operation they call. */
static void
write_item(ApiRequest *request, StringInfo response, ItemAction action, void (*operation) (ItemRequest *request, ItemResult *result))
{
	ItemRequest write;
	ItemResult	result = {0};
	ResponseOptions options = {0};
	ApiTable	table;
	Capacity	capacity;

	prepare_request(request, action, &write, &table, &options);
	operation(&write, &result);
	if (options.capacity != API_CAPACITY_NONE)
	{
		CapacityInit(&capacity, result.table);
		CapacityAddWrite(&capacity, result.old_item, result.new_item, false);
	}
	write_response(response, request->bound, "Attributes", &result, &capacity, &options);
}

void
ApiPutItem(ApiRequest *request, StringInfo response)
{
	write_item(request, response, ACTION_PUT, OperationPutItem);
}

void
ApiUpdateItem(ApiRequest *request, StringInfo response)
{
	write_item(request, response, ACTION_UPDATE, OperationUpdateItem);
}

void
ApiDeleteItem(ApiRequest *request, StringInfo response)
{
	write_item(request, response, ACTION_DELETE, OperationDeleteItem);
}
