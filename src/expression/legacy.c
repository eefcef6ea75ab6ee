/*
 * src/expression/legacy.c
 *		Conditions, updates and projections of the API from before expressions, as prepared expressions.
 *
 * Nothing is parsed, so that the limits of an expression's text (its length, its number of operators) do not apply; what is made is
 * in nobody's cache, and lives in the current context.  Translation: reference/legacy, section 10.
 */
#include "postgres.h"

#include "base/error.h"
#include "expression/expression_internal.h"
#include "expression/legacy.h"

/* Positions in conditions and paths are 16 bits wide. */
#define LEGACY_MAX_ENTRIES 4096

static void
check_count(uint32 count)
{
	if (count > LEGACY_MAX_ENTRIES)
		validation_error("One or more parameter values were invalid: Too many attributes: %u", count);
}

static Expression *
construct(ExpressionKind kind, uint32 path_count, uint32 value_count, uint32 predicate_count, uint32 action_count)
{
	ExpressionBounds bounds = {
		.paths = path_count,
		.steps = path_count,
		.values = value_count,
		.operands = path_count + value_count,
		.predicates = predicate_count,
		.actions = action_count
	};
	Expression *expression = ExpressionConstruct(kind, "", 0, &bounds);

	expression->is_legacy = true;
	return expression;
}

static uint32
add_path(Expression *expression, const LegacyName *name)
{
	uint32		path = ExpressionAddPath(expression);

	ExpressionAddName(expression, name->data, name->length);
	return path;
}

static Operand *
add_path_operand(Expression *expression, const LegacyName *name)
{
	Operand    *operand = ExpressionAddOperand(expression, OPERAND_PATH);

	operand->index = add_path(expression, name);
	return operand;
}

/*
 * prepare
 *		The prepared form of an expression whose values are these.
 */
static PreparedExpression *
prepare(Expression *expression, AttributeValue *values, uint32 order_count)
{
	PreparedExpression *prepared = palloc0(sizeof(PreparedExpression));

	/* A name that begins with # is a name here, not a placeholder. */
	expression->has_name_placeholders = false;
	prepared->expression = expression;
	prepared->paths = expression->paths;
	prepared->values = values;
	prepared->path_order = palloc(sizeof(uint16) * Max(order_count, 1));
	for (uint32 i = 0; i < order_count; i++)
		prepared->path_order[i] = i;
	return prepared;
}

static int
compare_ordered_paths(const void *a, const void *b, void *argument)
{
	const Expression *expression = argument;

	return DocumentPathCompare(&expression->paths[*(const uint16 *) a], &expression->paths[*(const uint16 *) b]);
}

/* ---- conditions ---- */

static PredicateType
get_predicate_type(LegacyOperator op)
{
	switch (op)
	{
		case LEGACY_EQ:
			return PREDICATE_EQUAL;
		case LEGACY_NE:
			return PREDICATE_NOT_EQUAL;
		case LEGACY_LT:
			return PREDICATE_LESS;
		case LEGACY_LE:
			return PREDICATE_LESS_OR_EQUAL;
		case LEGACY_GT:
			return PREDICATE_GREATER;
		case LEGACY_GE:
			return PREDICATE_GREATER_OR_EQUAL;
		case LEGACY_BETWEEN:
			return PREDICATE_BETWEEN;
		case LEGACY_IN:
			return PREDICATE_IN;
		case LEGACY_BEGINS_WITH:
			return PREDICATE_BEGINS_WITH;
		case LEGACY_CONTAINS:
		case LEGACY_NOT_CONTAINS:
			return PREDICATE_CONTAINS;
		case LEGACY_NULL:
			return PREDICATE_ATTRIBUTE_NOT_EXISTS;
		case LEGACY_NOT_NULL:
			return PREDICATE_ATTRIBUTE_EXISTS;
	}
	return PREDICATE_EQUAL;
}

/* One predicate on the attribute; the values' operands take the next free positions. */
static Condition
add_predicate(Expression *expression, const LegacyCondition *condition, PredicateType type, AttributeValue *values)
{
	OperandList operands = {0};

	OperandListAppend(&operands, add_path_operand(expression, &condition->name));
	if (type != PREDICATE_ATTRIBUTE_EXISTS && type != PREDICATE_ATTRIBUTE_NOT_EXISTS)
		for (uint32 i = 0; i < condition->value_count; i++)
		{
			Operand    *operand = ExpressionAddValue(expression, "", 0);

			values[operand->index] = condition->values[i];
			OperandListAppend(&operands, operand);
		}
	return ExpressionAddPredicate(expression, type, &operands);
}

/* NOT_CONTAINS is: attribute_exists(a) AND NOT contains(a, :v). */
static Condition
add_condition(Expression *expression, const LegacyCondition *condition, AttributeValue *values)
{
	PredicateType type = get_predicate_type(condition->op);
	Condition	exists;
	Condition	contains;

	if (condition->op != LEGACY_NOT_CONTAINS)
		return add_predicate(expression, condition, type, values);
	exists = add_predicate(expression, condition, PREDICATE_ATTRIBUTE_EXISTS, values);
	contains = add_predicate(expression, condition, PREDICATE_CONTAINS, values);
	return ConditionAnd(expression, exists, ConditionNot(contains));
}

PreparedExpression *
LegacyConditionPrepare(ExpressionKind kind, const LegacyCondition *conditions, uint32 count, bool is_or)
{
	uint32		predicate_count = 0;
	uint32		value_count = 0;
	Expression *expression;
	AttributeValue *values;
	Condition	whole;

	check_count(count);
	for (uint32 i = 0; i < count; i++)
	{
		predicate_count += conditions[i].op == LEGACY_NOT_CONTAINS ? 2 : 1;
		value_count += conditions[i].value_count;
	}
	expression = construct(kind, predicate_count, value_count, predicate_count, 0);
	values = palloc(sizeof(AttributeValue) * Max(value_count, 1));

	whole = add_condition(expression, &conditions[0], values);
	for (uint32 i = 1; i < count; i++)
	{
		Condition	next = add_condition(expression, &conditions[i], values);

		whole = is_or ? ConditionOr(expression, whole, next) : ConditionAnd(expression, whole, next);
	}
	ExpressionSetCondition(expression, whole);
	return prepare(expression, values, 0);
}

/* ---- key conditions ---- */

static KeyOperator
get_key_operator(LegacyOperator op)
{
	switch (op)
	{
		case LEGACY_EQ:
			return KEY_EQUAL;
		case LEGACY_LT:
			return KEY_LESS;
		case LEGACY_LE:
			return KEY_LESS_OR_EQUAL;
		case LEGACY_GT:
			return KEY_GREATER;
		case LEGACY_GE:
			return KEY_GREATER_OR_EQUAL;
		case LEGACY_BETWEEN:
			return KEY_BETWEEN;
		case LEGACY_BEGINS_WITH:
			return KEY_BEGINS_WITH;
		default:
			return KEY_NOT_INDEXABLE;
	}
}

PreparedExpression *
LegacyKeyConditionPrepare(const LegacyCondition *conditions, uint32 count)
{
	PreparedExpression *prepared = LegacyConditionPrepare(EXPRESSION_KEY_CONDITION, conditions, count, false);

	prepared->key_conditions = palloc0(sizeof(KeyCondition) * count);
	/* One predicate each is what readers count by: NOT_CONTAINS, which has two, is refused whatever its values. */
	prepared->expression->predicate_count = count;
	for (uint32 i = 0; i < count; i++)
	{
		KeyCondition *key = &prepared->key_conditions[i];

		key->name = conditions[i].name.data;
		key->name_length = conditions[i].name.length;
		key->op = get_key_operator(conditions[i].op);
		if (conditions[i].value_count > 0)
			key->value = conditions[i].values[0];
		if (key->op == KEY_BETWEEN)
			key->upper = conditions[i].values[1];
	}
	return prepared;
}

/* ---- projections ---- */

PreparedExpression *
LegacyProjectionPrepare(const LegacyName *names, uint32 count)
{
	Expression *expression = construct(EXPRESSION_PROJECTION, count, 0, 0, 0);
	PreparedExpression *prepared;

	check_count(count);
	for (uint32 i = 0; i < count; i++)
		add_path(expression, &names[i]);
	prepared = prepare(expression, NULL, count);
	qsort_arg(prepared->path_order, count, sizeof(uint16), compare_ordered_paths, expression);
	return prepared;
}

/* ---- updates ---- */

PreparedExpression *
LegacyUpdatePrepare(const LegacyUpdate *updates, uint32 count)
{
	Expression *expression;
	AttributeValue *values = palloc(sizeof(AttributeValue) * count);
	PreparedExpression *prepared;

	check_count(count);
	expression = construct(EXPRESSION_UPDATE, count, count, 0, count);
	for (uint32 i = 0; i < count; i++)
	{
		UpdateAction *action = ExpressionAddAction(expression, updates[i].clause, add_path(expression, &updates[i].name));

		if (updates[i].value != NULL)
		{
			action->operand = ExpressionAddValue(expression, "", 0);
			values[action->operand->index] = *updates[i].value;
		}
	}

	prepared = prepare(expression, values, count);
	prepared->targets = palloc0(sizeof(UpdateTarget) * count);
	for (uint32 i = 0; i < count; i++)
	{
		prepared->targets[i].clause = updates[i].clause;
		prepared->targets[i].path = expression->paths[i];
		prepared->targets[i].value = updates[i].value;
	}
	/* Paths and targets have the same numbers. */
	qsort_arg(prepared->path_order, count, sizeof(uint16), compare_ordered_paths, expression);
	return prepared;
}
