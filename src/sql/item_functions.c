/*
 * src/sql/item_functions.c
 *		get_item, put_item, update_item, delete_item, check_item.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "base/compat.h"
#include "base/error.h"
#include "sql/sql_functions.h"

#define NO_ARGUMENT (-1)

/* Positions of the arguments that not every function has, NO_ARGUMENT where it has none. */
typedef struct ArgumentPositions
{
	int			update;
	int			projection;
	int			condition;
	int			attribute_values;
	int			attribute_names;
	int			return_values;
	int			return_values_on_failure;
} ArgumentPositions;

static inline bool
is_given(FunctionCallInfo fcinfo, int position)
{
	return position != NO_ARGUMENT && !PG_ARGISNULL(position);
}

/*
 * Makes the request of a function's arguments; the first is the table, the second the key or item.
 * Errors	KV001: reference/item-operations, section 3, steps 2 to 9
 */
static void
read_arguments(FunctionCallInfo fcinfo, ItemAction action, const ArgumentPositions *positions, ItemRequest *request)
{
	ConstraintErrors errors;

	memset(request, 0, sizeof(ItemRequest));
	if (PG_ARGISNULL(0))
		validation_error("1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
						 "Member must not be null");
	request->relid = PG_GETARG_OID(0);

	ConstraintErrorsInit(&errors);
	if (is_given(fcinfo, positions->return_values))
	{
		const char *return_values = text_to_cstring(PG_GETARG_TEXT_PP(positions->return_values));

		if (!ReturnValuesParse(return_values, strlen(return_values), &request->return_values))
			ConstraintErrorsAdd(&errors, "Value '%s' at 'returnValues' failed to satisfy constraint: Member must satisfy enum "
								"value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]", return_values);
	}
	if (is_given(fcinfo, positions->return_values_on_failure))
	{
		const char *on_failure = text_to_cstring(PG_GETARG_TEXT_PP(positions->return_values_on_failure));

		request->return_old_on_failure = strcmp(on_failure, "ALL_OLD") == 0;
		if (!request->return_old_on_failure && strcmp(on_failure, "NONE") != 0)
			ConstraintErrorsAdd(&errors, "Value '%s' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: "
								"Member must satisfy enum value set: [ALL_OLD, NONE]", on_failure);
	}
	if (PG_ARGISNULL(1))
		ConstraintErrorsAdd(&errors, "Value null at '%s' failed to satisfy constraint: Member must not be null",
							action == ACTION_PUT ? "item" : "key");
	else if (action == ACTION_PUT)
		request->item = PG_GETARG_ITEM(1);
	else
		request->key = PG_GETARG_ITEM(1);
	if (action == ACTION_CHECK && PG_ARGISNULL(positions->condition))
		ConstraintErrorsAdd(&errors, "Value null at 'conditionExpression' failed to satisfy constraint: Member must not be null");
	ConstraintErrorsReport(&errors);

	if (positions->update != NO_ARGUMENT)
		request->update = ExpressionTextFromArgument(fcinfo, positions->update);
	if (positions->projection != NO_ARGUMENT)
		request->projection = ExpressionTextFromArgument(fcinfo, positions->projection);
	if (positions->condition != NO_ARGUMENT)
		request->condition = ExpressionTextFromArgument(fcinfo, positions->condition);
	request->placeholders.has_names = is_given(fcinfo, positions->attribute_names);
	request->placeholders.has_values = is_given(fcinfo, positions->attribute_values);
	OperationCheckArguments(action, request);
	if (request->placeholders.has_names || request->placeholders.has_values)
		PlaceholdersFromSql(&request->placeholders,
							request->placeholders.has_names ? PG_GETARG_JSONB_P(positions->attribute_names) : NULL,
							request->placeholders.has_values ? PG_GETARG_ITEM(positions->attribute_values) : NULL);
}

SQL_FUNCTION(singletable_get_item);
Datum
singletable_get_item(PG_FUNCTION_ARGS)
{
	static const ArgumentPositions positions = {
		.projection = 2, .attribute_names = 3,
		.update = NO_ARGUMENT, .condition = NO_ARGUMENT, .attribute_values = NO_ARGUMENT,
		.return_values = NO_ARGUMENT, .return_values_on_failure = NO_ARGUMENT
	};
	ItemRequest request;
	ItemResult	result;

	read_arguments(fcinfo, ACTION_GET, &positions, &request);
	OperationGetItem(&request, &result);
	if (result.attributes == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ITEM(result.attributes);
}

SQL_FUNCTION(singletable_put_item);
Datum
singletable_put_item(PG_FUNCTION_ARGS)
{
	static const ArgumentPositions positions = {
		.condition = 2, .attribute_values = 3, .attribute_names = 4, .return_values = 5, .return_values_on_failure = 6,
		.update = NO_ARGUMENT, .projection = NO_ARGUMENT
	};
	ItemRequest request;
	ItemResult	result;

	read_arguments(fcinfo, ACTION_PUT, &positions, &request);
	OperationPutItem(&request, &result);
	if (result.attributes == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ITEM(result.attributes);
}

SQL_FUNCTION(singletable_update_item);
Datum
singletable_update_item(PG_FUNCTION_ARGS)
{
	static const ArgumentPositions positions = {
		.update = 2, .condition = 3, .attribute_values = 4, .attribute_names = 5, .return_values = 6,
		.return_values_on_failure = 7, .projection = NO_ARGUMENT
	};
	ItemRequest request;
	ItemResult	result;

	read_arguments(fcinfo, ACTION_UPDATE, &positions, &request);
	OperationUpdateItem(&request, &result);
	if (result.attributes == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ITEM(result.attributes);
}

SQL_FUNCTION(singletable_delete_item);
Datum
singletable_delete_item(PG_FUNCTION_ARGS)
{
	static const ArgumentPositions positions = {
		.condition = 2, .attribute_values = 3, .attribute_names = 4, .return_values = 5, .return_values_on_failure = 6,
		.update = NO_ARGUMENT, .projection = NO_ARGUMENT
	};
	ItemRequest request;
	ItemResult	result;

	read_arguments(fcinfo, ACTION_DELETE, &positions, &request);
	OperationDeleteItem(&request, &result);
	if (result.attributes == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ITEM(result.attributes);
}

SQL_FUNCTION(singletable_check_item);
Datum
singletable_check_item(PG_FUNCTION_ARGS)
{
	static const ArgumentPositions positions = {
		.condition = 2, .attribute_values = 3, .attribute_names = 4, .return_values_on_failure = 5,
		.update = NO_ARGUMENT, .projection = NO_ARGUMENT, .return_values = NO_ARGUMENT
	};
	ItemRequest request;
	ItemResult	result;

	read_arguments(fcinfo, ACTION_CHECK, &positions, &request);
	OperationCheckItem(&request, &result);
	PG_RETURN_VOID();
}
