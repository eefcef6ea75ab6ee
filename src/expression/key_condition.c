/*
 * src/expression/key_condition.c
 *		What a key condition may say: comparisons of top-level attributes with values, AND between them.
 *
 * Which of the attributes are keys is not known here.  Source: reference/expressions, section 7, rows 2 to 8.
 */
#include "postgres.h"

#include "base/error.h"
#include "expression/expression_internal.h"

static bool
is_key_operator(PredicateType type)
{
	switch (type)
	{
		case PREDICATE_EQUAL:
		case PREDICATE_LESS:
		case PREDICATE_LESS_OR_EQUAL:
		case PREDICATE_GREATER:
		case PREDICATE_GREATER_OR_EQUAL:
		case PREDICATE_BETWEEN:
		case PREDICATE_BEGINS_WITH:
			return true;
		default:
			return false;
	}
}

/*
 * The first operator in the text that key conditions do not know.
 */
static void
check_operators(const Expression *expression)
{
	for (uint32 i = 0; i < expression->predicate_count; i++)
	{
		if (expression->forbidden_connective != NULL && expression->forbidden_position <= i)
			break;
		if (!is_key_operator(expression->predicates[i].type))
			validation_error("Invalid operator used in KeyConditionExpression: %s", PredicateName(expression->predicates[i].type));
	}
	if (expression->forbidden_connective != NULL)
		validation_error("Invalid operator used in KeyConditionExpression: %s", expression->forbidden_connective);
}

static void
check_nested_operations(const Expression *expression)
{
	for (uint32 i = 0; i < expression->operand_count; i++)
		if (expression->operands[i].type == OPERAND_CALL && expression->operands[i].function == FUNCTION_SIZE)
			validation_error("KeyConditionExpressions cannot contain nested operations");
}

/*
 * BETWEEN and begins_with cannot be turned round.
 */
static void
check_first_operands(const Expression *expression)
{
	for (uint32 i = 0; i < expression->predicate_count; i++)
	{
		const Predicate *predicate = &expression->predicates[i];

		if ((predicate->type == PREDICATE_BETWEEN || predicate->type == PREDICATE_BEGINS_WITH) &&
			predicate->operands.first->type != OPERAND_PATH)
			validation_error("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand",
							 PredicateName(predicate->type));
	}
}

static uint32
count_paths(const Predicate *predicate)
{
	uint32		count = 0;

	for (const Operand *operand = predicate->operands.first; operand != NULL; operand = operand->next)
		if (operand->type == OPERAND_PATH)
			count++;
	return count;
}

/*
 * Each condition has one path, and that of one step.
 */
static void
check_paths(const PreparedExpression *prepared)
{
	const Expression *expression = prepared->expression;

	for (uint32 i = 0; i < expression->predicate_count; i++)
		if (count_paths(&expression->predicates[i]) > 1)
			validation_error("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
	for (uint32 i = 0; i < expression->path_count; i++)
		if (prepared->paths[i].step_count > 1)
			validation_error("KeyConditionExpressions cannot have conditions on nested attributes");
	for (uint32 i = 0; i < expression->predicate_count; i++)
		if (count_paths(&expression->predicates[i]) == 0)
			validation_error("Invalid condition in KeyConditionExpression: No key attribute specified");
}

/*
 * The operator as if the attribute stood on the left.
 */
static KeyOperator
get_key_operator(PredicateType type, bool is_swapped)
{
	switch (type)
	{
		case PREDICATE_LESS:
			return is_swapped ? KEY_GREATER : KEY_LESS;
		case PREDICATE_LESS_OR_EQUAL:
			return is_swapped ? KEY_GREATER_OR_EQUAL : KEY_LESS_OR_EQUAL;
		case PREDICATE_GREATER:
			return is_swapped ? KEY_LESS : KEY_GREATER;
		case PREDICATE_GREATER_OR_EQUAL:
			return is_swapped ? KEY_LESS_OR_EQUAL : KEY_GREATER_OR_EQUAL;
		case PREDICATE_BETWEEN:
			return KEY_BETWEEN;
		case PREDICATE_BEGINS_WITH:
			return KEY_BEGINS_WITH;
		default:
			return KEY_EQUAL;
	}
}

static void
fill_key_condition(const PreparedExpression *prepared, const Predicate *predicate, KeyCondition *condition)
{
	const Operand *first = predicate->operands.first;
	const Operand *second = first->next;
	bool		is_swapped = first->type != OPERAND_PATH;
	const PathStep *step = prepared->paths[(is_swapped ? second : first)->index].steps;

	condition->name = step->name;
	condition->name_length = step->name_length;
	condition->op = get_key_operator(predicate->type, is_swapped);
	condition->value = *OperandGetValue(prepared, is_swapped ? first : second);
	if (predicate->type == PREDICATE_BETWEEN)
		condition->upper = *OperandGetValue(prepared, predicate->operands.last);
}

void
KeyConditionPrepare(PreparedExpression *prepared)
{
	const Expression *expression = prepared->expression;

	check_operators(expression);
	check_nested_operations(expression);
	check_first_operands(expression);
	check_paths(prepared);
	for (uint32 i = 0; i < expression->predicate_count; i++)
	{
		KeyCondition *condition = &prepared->key_conditions[i];

		fill_key_condition(prepared, &expression->predicates[i], condition);
		for (uint32 j = 0; j < i; j++)
			if (AttributeNameCompare(condition->name, condition->name_length,
									 prepared->key_conditions[j].name, prepared->key_conditions[j].name_length) == 0)
				validation_error("KeyConditionExpressions must only contain one condition per key");
	}
}

const KeyCondition *
ExpressionKeyConditions(const PreparedExpression *expression, uint32 *count)
{
	*count = expression->expression->predicate_count;
	return expression->key_conditions;
}
