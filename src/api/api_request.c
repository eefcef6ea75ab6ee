/*
 * src/api/api_request.c
 *		Members that many requests have, made ready for the operations layer.
 */
#include "postgres.h"

#include "api/api_request.h"

ApiCapacityDetail
ApiCheckCapacityDetail(ApiConstraints *constraints, const ApiString *value)
{
	int			position = ApiCheckEnum(constraints, value, "returnConsumedCapacity", API_SET_RETURN_CONSUMED_CAPACITY);

	return position < 0 ? API_CAPACITY_NONE : (ApiCapacityDetail) position;
}

bool
ApiCheckCollectionMetrics(ApiConstraints *constraints, const ApiString *value)
{
	return ApiCheckEnum(constraints, value, "returnItemCollectionMetrics", API_SET_RETURN_ITEM_COLLECTION_METRICS) == 0;
}

void
ApiUseTable(ApiRequest *request, const ApiString *name, ApiTable *table)
{
	table->request = request;
	table->name = name->data;
	table->length = name->length;
}

void
ApiSetText(ExpressionText *target, const ApiString *text)
{
	target->data = text->data;
	target->length = text->length;
}

void
ApiSetPlaceholders(Placeholders *target, const ApiMap *names, const ApiMap *values)
{
	memset(target, 0, sizeof(Placeholders));
	target->has_names = names->is_present;
	target->has_values = values->is_present;
	target->name_count = names->count;
	target->value_count = values->count;
	if (names->count > 0)
		target->names = palloc0(names->count * sizeof(Placeholder));
	if (values->count > 0)
		target->values = palloc0(values->count * sizeof(Placeholder));
	for (int i = 0; i < names->count; i++)
	{
		Placeholder *placeholder = &target->names[i];
		const ApiString *name = ApiMapValue(names, ApiString, i);

		placeholder->key = names->keys[i].data;
		placeholder->key_length = names->keys[i].length;
		placeholder->name = name->data;
		placeholder->name_length = name->length;
	}
	for (int i = 0; i < values->count; i++)
	{
		Placeholder *placeholder = &target->values[i];
		const ApiValue *value = ApiMapValue(values, ApiValue, i);

		placeholder->key = values->keys[i].data;
		placeholder->key_length = values->keys[i].length;
		if (value->invalid == NULL)
			placeholder->value = value->value;
		else
			/* Never looked at: ApiCheckPlaceholders raises first. */
			placeholder->value.type = ATTRIBUTE_NULL;
	}
}

void
ApiSetItemRequest(ApiRequest *request, const ApiItemRequest *body, ApiTable *table, ItemRequest *target)
{
	ApiItemCheck(&body->key);
	ApiItemCheck(&body->item);
	ApiUseTable(request, &body->table_name, table);
	target->resolve_table = ApiTableResolve;
	target->resolve_state = table;
	target->key = body->key.item;
	target->item = body->item.item;
	ApiSetText(&target->condition, &body->condition);
	ApiSetText(&target->update, &body->update);
	ApiSetText(&target->projection, &body->projection);
	ApiSetPlaceholders(&target->placeholders, &body->names, &body->values);
}

void
ApiCheckPlaceholders(Placeholders *target, const ApiMap *values)
{
	PlaceholdersCheck(target);
	for (int i = 0; i < values->count; i++)
	{
		const char *invalid = ApiMapValue(values, ApiValue, i)->invalid;

		if (invalid != NULL)
			validation_error("ExpressionAttributeValues contains invalid value: %s for key %s", invalid, values->keys[i].data);
	}
}
