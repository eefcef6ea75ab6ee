/*
 * src/api/api_legacy.c
 *		Parameters from before expressions: AttributesToGet, Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter.
 *
 * Their contents are checked here, with their own messages, and become prepared expressions (expression/legacy.c), so that the
 * operations know one form of condition, update and projection only.
 *
 * Source: reference/legacy.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "api/api_request.h"
#include "expression/legacy.h"

#define INVALID_PARAMETERS "One or more parameter values were invalid: "
#define ATTRIBUTES_TO_GET_MAX 255	/* names */

static const ApiMember condition_members[] = {
	API_MEMBER(ApiCondition, comparison_operator, "ComparisonOperator", ApiStringType),
	API_MEMBER(ApiCondition, values, "AttributeValueList", ApiValueListType),
};
static const ApiType condition_type = API_STRUCTURE_TYPE("Condition", ApiCondition, condition_members);
const ApiType ApiConditionMapType = API_MAP_TYPE(condition_type);

static const ApiMember expected_members[] = {
	API_MEMBER(ApiCondition, comparison_operator, "ComparisonOperator", ApiStringType),
	API_MEMBER(ApiCondition, values, "AttributeValueList", ApiValueListType),
	API_MEMBER(ApiCondition, value, "Value", ApiValueType),
	API_MEMBER(ApiCondition, exists, "Exists", ApiBooleanType),
};
static const ApiType expected_type = API_STRUCTURE_TYPE("ExpectedAttributeValue", ApiCondition, expected_members);
const ApiType ApiExpectedMapType = API_MAP_TYPE(expected_type);

static const ApiMember update_members[] = {
	API_MEMBER(ApiAttributeUpdate, action, "Action", ApiStringType),
	API_MEMBER(ApiAttributeUpdate, value, "Value", ApiValueType),
};
static const ApiType update_type = API_STRUCTURE_TYPE("AttributeValueUpdate", ApiAttributeUpdate, update_members);
const ApiType ApiAttributeUpdateMapType = API_MAP_TYPE(update_type);

/* Positions of API_SET_COMPARISON_OPERATOR. */
static const struct
{
	const char *name;
	LegacyOperator op;
	int			minimum;		/* arguments */
	int			maximum;		/* -1: any number */
	const char *types;			/* of arguments, each followed by a blank; NULL: all */
}			operators[] =
{
	{"IN", LEGACY_IN, 1, -1, "S N B "},
	{"NULL", LEGACY_NULL, 0, 0, NULL},
	{"BETWEEN", LEGACY_BETWEEN, 2, 2, "S N B "},
	{"LT", LEGACY_LT, 1, 1, "S N B "},
	{"NOT_CONTAINS", LEGACY_NOT_CONTAINS, 1, 1, "S N B "},
	{"EQ", LEGACY_EQ, 1, 1, NULL},
	{"GT", LEGACY_GT, 1, 1, "S N B "},
	{"NOT_NULL", LEGACY_NOT_NULL, 0, 0, NULL},
	{"NE", LEGACY_NE, 1, 1, NULL},
	{"LE", LEGACY_LE, 1, 1, "S N B "},
	{"BEGINS_WITH", LEGACY_BEGINS_WITH, 1, 1, "S B "},
	{"GE", LEGACY_GE, 1, 1, "S N B "},
	{"CONTAINS", LEGACY_CONTAINS, 1, 1, "S N B "},
};

/* Of AttributeUpdates. */
static const UpdateClause clause_of_position[] = {UPDATE_ADD, UPDATE_SET, UPDATE_DELETE};

#define API_SET_ACTION "[ADD, PUT, DELETE]"

/* Names of the members that are there, as the message about mixing lists them. */
static char *
list_present(const ApiMemberPresence *members, int count)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < count; i++)
		if (members[i].is_present)
			appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", members[i].name);
	return list.data;
}

void
ApiCheckMixing(const ApiMemberPresence *legacy, int legacy_count, const ApiMemberPresence *expressions, int expression_count)
{
	bool		has_legacy = false;
	bool		has_expression = false;

	for (int i = 0; i < legacy_count; i++)
		has_legacy |= legacy[i].is_present;
	for (int i = 0; i < expression_count; i++)
		has_expression |= expressions[i].is_present;
	if (has_legacy && has_expression)
		validation_error("Can not use both expression and non-expression parameters in the same request: "
						 "Non-expression parameters: {%s} Expression parameters: {%s}",
						 list_present(legacy, legacy_count), list_present(expressions, expression_count));
}

void
ApiCheckConditionMap(ApiConstraints *constraints, const ApiMap *conditions, const char *path, bool operator_is_optional)
{
	for (int i = 0; i < conditions->count; i++)
	{
		const ApiCondition *condition = ApiMapValue(conditions, ApiCondition, i);
		char	   *member = psprintf("%s.%s.member.comparisonOperator", path, conditions->keys[i].data);

		if (condition->comparison_operator.data == NULL && !operator_is_optional)
			ApiCheckNotNull(constraints, false, member);
		ApiCheckEnum(constraints, &condition->comparison_operator, member, API_SET_COMPARISON_OPERATOR);
	}
}

void
ApiCheckUpdateMap(ApiConstraints *constraints, const ApiMap *updates)
{
	for (int i = 0; i < updates->count; i++)
		ApiCheckEnum(constraints, &ApiMapValue(updates, ApiAttributeUpdate, i)->action,
					 psprintf("attributeUpdates.%s.member.action", updates->keys[i].data), API_SET_ACTION);
}

void
ApiCheckAttributesToGet(ApiConstraints *constraints, const ApiList *names, const char *path)
{
	if (names->is_present && names->count == 0)
		ApiConstraintFail(constraints, &(ApiString) {"[]", 2}, path, "Member must have length greater than or equal to 1");
	if (names->count > ATTRIBUTES_TO_GET_MAX)
	{
		StringInfoData list;

		initStringInfo(&list);
		for (int i = 0; i < names->count; i++)
		{
			const ApiString *name = ApiListElement(names, ApiString, i);

			appendStringInfo(&list, "%s%s", i > 0 ? ", " : "[", name->data ? name->data : "null");
		}
		appendStringInfoChar(&list, ']');
		ApiConstraintFail(constraints, &(ApiString) {list.data, list.len}, path,
						  psprintf("Member must have length less than or equal to %d", ATTRIBUTES_TO_GET_MAX));
	}
}

/* Errors of a top-level attribute's name. */
static void
check_attribute_name(const ApiString *name)
{
	if (name->length == 0)
		validation_error(INVALID_PARAMETERS "Empty attribute name");
	if (name->length > ITEM_NAME_MAX)
		validation_error("Attribute name is too large, must be less than 65536 bytes");
}

void
ApiLegacyProjection(const ApiList *attributes_to_get, ExpressionText *target)
{
	LegacyName *names;

	if (!attributes_to_get->is_present)
		return;
	names = palloc0(attributes_to_get->count * sizeof(LegacyName));
	for (int i = 0; i < attributes_to_get->count; i++)
	{
		const ApiString *name = ApiListElement(attributes_to_get, ApiString, i);

		check_attribute_name(name);
		for (int j = 0; j < i; j++)
			if (names[j].length == name->length && memcmp(names[j].data, name->data, name->length) == 0)
				validation_error(INVALID_PARAMETERS "Duplicate value in attribute name: %s", name->data);
		names[i].data = name->data;
		names[i].length = name->length;
	}
	target->prepared = LegacyProjectionPrepare(names, attributes_to_get->count);
}

/*
 * check_arguments
 *		Arguments of a comparison operator: reference/legacy, section 3, steps 3 to 6.
 */
static void
check_arguments(int position, const AttributeValue *values, int count)
{
	const char *name = operators[position].name;

	if (count < operators[position].minimum || (operators[position].maximum >= 0 && count > operators[position].maximum))
		validation_error(INVALID_PARAMETERS "Invalid number of argument(s) for the %s ComparisonOperator", name);
	for (int i = 1; i < count; i++)
		if (values[i].type != values[0].type)
			validation_error(INVALID_PARAMETERS "AttributeValues inside AttributeValueList must be of same type");
	for (int i = 0; i < count; i++)
	{
		const char *type = AttributeTypeName(values[i].type);

		if (operators[position].types != NULL && strstr(operators[position].types, psprintf("%s ", type)) == NULL)
			validation_error(INVALID_PARAMETERS "ComparisonOperator %s is not valid for %s AttributeValue type", name, type);
	}
	if (operators[position].op == LEGACY_BETWEEN && AttributeValueCompare(&values[0], &values[1]) > 0)
		validation_error("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
}

/*
 * fill_condition
 *		A condition with an operator.  value, if not NULL, stands in place of the list.
 */
static void
fill_condition(LegacyCondition *target, const ApiCondition *condition, const ApiValue *value)
{
	ApiConstraints constraints = {0};
	int			position = ApiCheckEnum(&constraints, &condition->comparison_operator, "", API_SET_COMPARISON_OPERATOR);
	int			count = value ? 1 : condition->values.count;
	AttributeValue *values = palloc(Max(count, 1) * sizeof(AttributeValue));

	for (int i = 0; i < count; i++)
	{
		const ApiValue *argument = value ? value : ApiListElement(&condition->values, ApiValue, i);

		ApiValueCheck(argument);
		values[i] = argument->value;
	}
	check_arguments(position, values, count);
	target->op = operators[position].op;
	target->value_count = count;
	target->values = values;
}

/*
 * fill_expected
 *		A condition of Expected, in one of its two forms.
 *
 * Source	reference/legacy, section 5
 */
static void
fill_expected(LegacyCondition *target, const ApiCondition *condition, const char *name)
{
	bool		has_operator = condition->comparison_operator.data != NULL;
	bool		has_value = condition->value.is_present;

	if (has_value && condition->values.is_present)
		validation_error(INVALID_PARAMETERS "Value and AttributeValueList cannot be used together for Attribute: %s", name);
	if (condition->exists.is_present && has_operator)
		validation_error(INVALID_PARAMETERS "Exists and ComparisonOperator cannot be used together for Attribute: %s", name);
	if (has_operator)
	{
		if (!has_value && !condition->values.is_present &&
			strcmp(condition->comparison_operator.data, "NULL") != 0 && strcmp(condition->comparison_operator.data, "NOT_NULL") != 0)
			validation_error(INVALID_PARAMETERS "Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s",
							 condition->comparison_operator.data, name);
		fill_condition(target, condition, has_value ? &condition->value : NULL);
		return;
	}
	if (condition->values.is_present)
		validation_error(INVALID_PARAMETERS "AttributeValueList can only be used with a ComparisonOperator for Attribute: %s", name);
	if (condition->exists.is_present && !condition->exists.value)
	{
		if (has_value)
			validation_error(INVALID_PARAMETERS "Value cannot be used when Exists is false for Attribute: %s", name);
		target->op = LEGACY_NULL;
		return;
	}
	if (!has_value)
		validation_error(INVALID_PARAMETERS "Value must be provided when Exists is %s for Attribute: %s",
						 condition->exists.is_present ? "true" : "null", name);
	ApiValueCheck(&condition->value);
	target->op = LEGACY_EQ;
	target->value_count = 1;
	target->values = &condition->value.value;
}

/* All conditions of a map, palloc'd. */
static LegacyCondition *
fill_conditions(const ApiMap *map, bool is_expected)
{
	LegacyCondition *conditions = palloc0(Max(map->count, 1) * sizeof(LegacyCondition));

	for (int i = 0; i < map->count; i++)
	{
		const ApiCondition *condition = ApiMapValue(map, ApiCondition, i);

		conditions[i].name.data = map->keys[i].data;
		conditions[i].name.length = map->keys[i].length;
		if (is_expected)
			fill_expected(&conditions[i], condition, map->keys[i].data);
		else
			fill_condition(&conditions[i], condition, NULL);
	}
	return conditions;
}

/* Expected and filters: the conditions joined by ConditionalOperator. */
static void
prepare_conditions(ExpressionKind kind, const ApiMap *map, const ApiString *conditional_operator, ExpressionText *target)
{
	if (map->count == 0)
	{
		if (conditional_operator->data != NULL)
			validation_error("ConditionalOperator cannot be used without Filter or Expected");
		return;
	}
	target->prepared = LegacyConditionPrepare(kind, fill_conditions(map, kind == EXPRESSION_CONDITION), map->count,
											  conditional_operator->data != NULL && strcmp(conditional_operator->data, "OR") == 0);
}

void
ApiLegacyExpected(const ApiMap *expected, const ApiString *conditional_operator, ExpressionText *target)
{
	prepare_conditions(EXPRESSION_CONDITION, expected, conditional_operator, target);
}

void
ApiLegacyFilter(const ApiMap *filter, const ApiString *conditional_operator, ExpressionText *target)
{
	prepare_conditions(EXPRESSION_FILTER, filter, conditional_operator, target);
}

void
ApiLegacyKeyConditions(const ApiMap *conditions, ExpressionText *target)
{
	LegacyCondition *filled;

	if (!conditions->is_present)
		return;
	filled = fill_conditions(conditions, false);
	if (conditions->count < 1 || conditions->count > 2)
		validation_error("Conditions can be of length 1 or 2 only");
	target->prepared = LegacyKeyConditionPrepare(filled, conditions->count);
}

/*
 * ApiLegacyUpdates
 *		AttributeUpdates.  Source: reference/legacy, section 6.
 */
void
ApiLegacyUpdates(const ApiMap *updates, ExpressionText *target)
{
	LegacyUpdate *filled;

	if (updates->count == 0)
		return;
	filled = palloc0(updates->count * sizeof(LegacyUpdate));
	for (int i = 0; i < updates->count; i++)
	{
		const ApiAttributeUpdate *update = ApiMapValue(updates, ApiAttributeUpdate, i);
		ApiConstraints constraints = {0};
		int			position = ApiCheckEnum(&constraints, &update->action, "", API_SET_ACTION);
		UpdateClause clause = position < 0 ? UPDATE_SET : clause_of_position[position];
		AttributeType type = update->value.value.type;

		check_attribute_name(&updates->keys[i]);
		filled[i].name.data = updates->keys[i].data;
		filled[i].name.length = updates->keys[i].length;
		if (!update->value.is_present)
		{
			if (clause != UPDATE_DELETE)
				validation_error(INVALID_PARAMETERS "Only DELETE action is allowed when no attribute value is specified");
			filled[i].clause = UPDATE_REMOVE;
			continue;
		}
		ApiValueCheck(&update->value);
		if (clause == UPDATE_DELETE && !AttributeTypeIsSet(type))
			validation_error(INVALID_PARAMETERS "DELETE action with value is not supported for the type %s", AttributeTypeName(type));
		if (clause == UPDATE_ADD && type != ATTRIBUTE_N && type != ATTRIBUTE_L && !AttributeTypeIsSet(type))
			validation_error(INVALID_PARAMETERS "ADD action is not supported for the type %s", AttributeTypeName(type));
		filled[i].clause = clause;
		filled[i].value = &update->value.value;
	}
	target->prepared = LegacyUpdatePrepare(filled, updates->count);
}
