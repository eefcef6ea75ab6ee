/*
 * src/expression/prepare.c
 *		A parsed expression and its placeholders: a PreparedExpression.
 *
 * Everything that evaluation needs is in arrays by number, in one piece of memory.  Source: reference/expressions, sections 3,
 * 5 (rows 6 and 7), 8 (row 5) and 10.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/error.h"
#include "expression/expression_internal.h"

/* ---- memory ---- */

static void *
carve(char **position, Size size)
{
	char	   *piece = *position;

	*position += MAXALIGN(size);
	return piece;
}

static void
unpin_expression(void *argument)
{
	ExpressionUnpin((Expression *) argument);
}

/*
 * The struct with its arrays, pinning the expression until the current context is reset.
 */
static PreparedExpression *
allocate_prepared(Expression *expression)
{
	bool		has_targets = expression->key.kind == EXPRESSION_UPDATE;
	Size		order_size = sizeof(uint16) * (has_targets ? expression->action_count : expression->path_count);
	Size		path_size = expression->has_name_placeholders ? sizeof(DocumentPath) * expression->path_count : 0;
	Size		step_size = expression->has_name_placeholders ? sizeof(PathStep) * expression->step_count : 0;
	Size		value_size = sizeof(AttributeValue) * expression->value_count;
	Size		target_size = sizeof(UpdateTarget) * expression->action_count;
	Size		key_size = expression->key.kind == EXPRESSION_KEY_CONDITION ? sizeof(KeyCondition) * expression->predicate_count : 0;
	char	   *position;
	PreparedExpression *prepared;

	position = palloc(MAXALIGN(sizeof(PreparedExpression)) + MAXALIGN(order_size) + MAXALIGN(path_size) +
					  MAXALIGN(step_size) + MAXALIGN(value_size) + MAXALIGN(target_size) + MAXALIGN(key_size));
	prepared = carve(&position, sizeof(PreparedExpression));
	memset(prepared, 0, sizeof(PreparedExpression));
	prepared->expression = expression;
	prepared->values = carve(&position, value_size);
	prepared->path_order = carve(&position, order_size);
	if (has_targets)
		prepared->targets = carve(&position, target_size);
	if (key_size > 0)
		prepared->key_conditions = carve(&position, key_size);

	/* Paths without placeholders are used as they are. */
	prepared->paths = expression->paths;
	if (expression->has_name_placeholders)
	{
		PathStep   *steps;

		prepared->paths = carve(&position, path_size);
		steps = carve(&position, step_size);
		memcpy(steps, expression->steps, step_size);
		for (uint32 i = 0; i < expression->path_count; i++)
		{
			prepared->paths[i].step_count = expression->paths[i].step_count;
			prepared->paths[i].steps = steps + (expression->paths[i].steps - expression->steps);
		}
	}

	ExpressionPin(expression);
	prepared->callback.func = unpin_expression;
	prepared->callback.arg = expression;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &prepared->callback);
	return prepared;
}

/* ---- placeholders ---- */

static void
resolve_path(PreparedExpression *prepared, uint32 path, Placeholders *placeholders)
{
	if (!prepared->expression->has_name_placeholders)
		return;
	for (uint32 i = 0; i < prepared->paths[path].step_count; i++)
	{
		PathStep   *step = &prepared->paths[path].steps[i];
		Placeholder *entry;

		if (step->is_index || *step->name != '#')
			continue;
		entry = PlaceholderFind(placeholders->names, placeholders->name_count, step->name, step->name_length);
		if (entry == NULL)
			validation_error(INVALID_EXPRESSION
							 "An expression attribute name used in the document path is not defined; attribute name: %.*s",
							 ExpressionKindName(prepared->expression->key.kind), (int) step->name_length, step->name);
		entry->is_used = true;
		step->name = entry->name;
		step->name_length = entry->name_length;
	}
}

static void
resolve_value(PreparedExpression *prepared, uint32 number, Placeholders *placeholders)
{
	const TextSpan *key = &prepared->expression->values[number];
	Placeholder *entry = PlaceholderFind(placeholders->values, placeholders->value_count, key->data, key->length);

	if (entry == NULL)
		validation_error(INVALID_EXPRESSION "An expression attribute value used in expression is not defined; attribute value: %.*s",
						 ExpressionKindName(prepared->expression->key.kind), (int) key->length, key->data);
	entry->is_used = true;
	prepared->values[number] = entry->value;
}

static void
resolve_operands(PreparedExpression *prepared, const OperandList *operands, Placeholders *placeholders)
{
	check_stack_depth();
	for (const Operand *operand = operands->first; operand != NULL; operand = operand->next)
		switch (operand->type)
		{
			case OPERAND_PATH:
				resolve_path(prepared, operand->index, placeholders);
				break;
			case OPERAND_VALUE:
				resolve_value(prepared, operand->index, placeholders);
				break;
			default:
				resolve_operands(prepared, &operand->arguments, placeholders);
				break;
		}
}

/* ---- the kinds ---- */

static int
compare_ordered_paths(const void *a, const void *b, void *argument)
{
	const PreparedExpression *prepared = argument;
	uint16		one = *(const uint16 *) a;
	uint16		two = *(const uint16 *) b;

	if (prepared->targets != NULL)
		return DocumentPathCompare(&prepared->targets[one].path, &prepared->targets[two].path);
	return DocumentPathCompare(&prepared->paths[one], &prepared->paths[two]);
}

static void
sort_paths(PreparedExpression *prepared, uint32 count)
{
	for (uint32 i = 0; i < count; i++)
		prepared->path_order[i] = i;
	if (count > 1)
	{
		qsort_arg(prepared->path_order, count, sizeof(uint16), compare_ordered_paths, prepared);
		PathsCheckOverlap(prepared, count);
	}
}

static void
prepare_condition(PreparedExpression *prepared, Placeholders *placeholders)
{
	const Expression *expression = prepared->expression;

	for (uint32 i = 0; i < expression->predicate_count; i++)
	{
		resolve_operands(prepared, &expression->predicates[i].operands, placeholders);
		PredicateCheck(prepared, &expression->predicates[i]);
	}
	if (expression->key.kind == EXPRESSION_KEY_CONDITION)
		KeyConditionPrepare(prepared);
}

static void
prepare_update(PreparedExpression *prepared, Placeholders *placeholders)
{
	const Expression *expression = prepared->expression;

	for (uint32 i = 0; i < expression->path_count; i++)
		resolve_path(prepared, i, placeholders);
	for (uint32 i = 0; i < expression->value_count; i++)
		resolve_value(prepared, i, placeholders);
	UpdateOperatorsCheck(prepared);
	PathsCheckDepth(prepared);
	for (uint32 i = 0; i < expression->action_count; i++)
	{
		const UpdateAction *action = &expression->actions[i];
		UpdateTarget *target = &prepared->targets[i];

		target->clause = action->clause;
		target->path = prepared->paths[action->path];
		target->value = action->operand != NULL ? OperandGetValue(prepared, action->operand) : NULL;
	}
	sort_paths(prepared, expression->action_count);
	UpdateOperandsCheck(prepared);
}

static void
prepare_projection(PreparedExpression *prepared, Placeholders *placeholders)
{
	uint32		count = prepared->expression->path_count;

	for (uint32 i = 0; i < count; i++)
		resolve_path(prepared, i, placeholders);
	PathsCheckDepth(prepared);
	sort_paths(prepared, count);
}

/*
 * ExpressionPrepare
 *		Parses the text, or finds it parsed, and gives it names and values.
 *
 * Result	in the current context; borrows from the placeholders, which it marks as used
 * Errors	KV001
 */
PreparedExpression *
ExpressionPrepare(ExpressionKind kind, const char *text, uint32 length, Placeholders *placeholders)
{
	PreparedExpression *prepared;

	if (length == 0)
		validation_error(INVALID_EXPRESSION "The expression can not be empty;", ExpressionKindName(kind));
	if (length > EXPRESSION_MAX_LENGTH)
		validation_error(INVALID_EXPRESSION "Expression size has exceeded the maximum allowed size; expression size: %u",
						 ExpressionKindName(kind), length);

	prepared = allocate_prepared(ExpressionFind(kind, text, length));
	switch (kind)
	{
		case EXPRESSION_CONDITION:
		case EXPRESSION_FILTER:
		case EXPRESSION_KEY_CONDITION:
			prepare_condition(prepared, placeholders);
			break;
		case EXPRESSION_UPDATE:
			prepare_update(prepared, placeholders);
			break;
		case EXPRESSION_PROJECTION:
			prepare_projection(prepared, placeholders);
			break;
	}
	return prepared;
}

const DocumentPath *
ExpressionPaths(const PreparedExpression *expression, uint32 *count)
{
	*count = expression->expression->path_count;
	return expression->paths;
}

const UpdateTarget *
ExpressionTargets(const PreparedExpression *expression, uint32 *count)
{
	*count = expression->expression->action_count;
	return expression->targets;
}

bool
ExpressionCreatesItem(const PreparedExpression *expression)
{
	for (uint32 i = 0; i < expression->expression->action_count; i++)
	{
		UpdateClause clause = expression->targets[i].clause;

		if (clause == UPDATE_SET || clause == UPDATE_ADD)
			return true;
	}
	return false;
}
