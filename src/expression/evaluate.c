/*
 * src/expression/evaluate.c
 *		Paths and conditions of an item.
 *
 * A path that leads nowhere yields nothing, silently.  Logic has two values: a comparison with nothing is false, and its
 * negation true.  Nothing here allocates, and no condition fails.  Source: reference/expressions, sections 6 and 12.
 */
#include "postgres.h"

#include "expression/expression_internal.h"

/* Room for what an operand yields, where it is not there already. */
typedef struct OperandResult
{
	AttributeValue value;
	char		number[ITEM_NUMBER_MAX];	/* payload of what size() computes */
} OperandResult;

/* ---- paths ---- */

int
DocumentPathCompare(const DocumentPath *a, const DocumentPath *b)
{
	uint32		count = Min(a->step_count, b->step_count);

	for (uint32 i = 0; i < count; i++)
	{
		const PathStep *one = &a->steps[i];
		const PathStep *two = &b->steps[i];
		int			order;

		if (one->is_index != two->is_index)
			return one->is_index ? -1 : 1;
		if (one->is_index)
			order = one->index < two->index ? -1 : one->index > two->index;
		else
			order = AttributeNameCompare(one->name, one->name_length, two->name, two->name_length);
		if (order != 0)
			return order;
	}
	return a->step_count < b->step_count ? -1 : a->step_count > b->step_count;
}

bool
PathStepEqual(const PathStep *a, const PathStep *b)
{
	if (a->is_index || b->is_index)
		return a->is_index == b->is_index && a->index == b->index;
	return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

/*
 * PathStepFind
 *		One step into a value; parent and value may be the same variable.
 */
bool
PathStepFind(const PathStep *step, const AttributeValue *parent, AttributeValue *value)
{
	AttributeContainer container;

	if (parent->type != (step->is_index ? ATTRIBUTE_L : ATTRIBUTE_M))
		return false;
	AttributeContainerOpen(parent, &container);
	if (!step->is_index)
		return AttributeMapFind(&container, step->name, step->name_length, value);
	if (step->index >= container.count)
		return false;
	AttributeContainerGet(&container, step->index, value);
	return true;
}

bool
DocumentPathFind(const DocumentPath *path, AttributeSource *source, AttributeValue *value)
{
	if (!source->find(source, path->steps[0].name, path->steps[0].name_length, value))
		return false;
	for (uint32 i = 1; i < path->step_count; i++)
		if (!PathStepFind(&path->steps[i], value, value))
			return false;
	return true;
}

/* ---- operands ---- */

/*
 * UTF-16 code units of a string: one per character, two beyond U+FFFF.
 */
static int64
count_code_units(const AttributeValue *string)
{
	int64		units = 0;

	for (uint32 i = 0; i < string->length; i++)
	{
		unsigned char c = string->data[i];

		/* Bytes 10xxxxxx continue a character, 11110xxx begin one of four bytes. */
		units += (c & 0xC0) != 0x80;
		units += c >= 0xF0;
	}
	return units;
}

/*
 * What size() yields for a value; false if nothing.
 */
static bool
find_size(const AttributeValue *value, int64 *size)
{
	AttributeContainer container;

	switch (value->type)
	{
		case ATTRIBUTE_S:
			*size = count_code_units(value);
			return true;
		case ATTRIBUTE_B:
			*size = value->length;
			return true;
		case ATTRIBUTE_NS:
		case ATTRIBUTE_SS:
		case ATTRIBUTE_BS:
		case ATTRIBUTE_L:
		case ATTRIBUTE_M:
			AttributeContainerOpen(value, &container);
			*size = container.count;
			return true;
		default:
			return false;
	}
}

/* The value of a path or of a placeholder, or NULL if there is none.  It may be in room. */
static inline const AttributeValue *
find_value(const PreparedExpression *prepared, const Operand *operand, AttributeSource *source, OperandResult *room)
{
	if (operand->type == OPERAND_VALUE)
		return &prepared->values[operand->index];
	return DocumentPathFind(&prepared->paths[operand->index], source, &room->value) ? &room->value : NULL;
}

/*
 * What size() yields, whose argument is a path or a value: a number has no size, which PredicateCheck has seen.
 */
static const AttributeValue *
evaluate_size(const PreparedExpression *prepared, const Operand *argument, AttributeSource *source, OperandResult *room)
{
	const AttributeValue *value = find_value(prepared, argument, source, room);
	int64		size;

	Assert(argument->type != OPERAND_CALL);
	if (value == NULL || !find_size(value, &size))
		return NULL;
	room->value.type = ATTRIBUTE_N;
	room->value.length = ItemNumberFromInt64(size, room->number);
	room->value.data = room->number;
	return &room->value;
}

/* The value of any operand of a condition, in the same way. */
static inline const AttributeValue *
evaluate_operand(const PreparedExpression *prepared, const Operand *operand, AttributeSource *source, OperandResult *room)
{
	Assert(operand->type != OPERAND_CALL || operand->function == FUNCTION_SIZE);
	if (likely(operand->type != OPERAND_CALL))
		return find_value(prepared, operand, source, room);
	return evaluate_size(prepared, operand->arguments.first, source, room);
}

/* ---- predicates ---- */

/*
 * Are both of one type that has an order?  Then *order is <0, 0 or >0.
 */
static bool
find_order(const AttributeValue *a, const AttributeValue *b, int *order)
{
	if (a->type != b->type || (a->type != ATTRIBUTE_S && a->type != ATTRIBUTE_N && a->type != ATTRIBUTE_B))
		return false;
	*order = AttributeValueCompare(a, b);
	return true;
}

static bool
compare_values(PredicateType type, const AttributeValue *a, const AttributeValue *b)
{
	int			order;

	if (!find_order(a, b, &order))
		return false;
	switch (type)
	{
		case PREDICATE_LESS:
			return order < 0;
		case PREDICATE_LESS_OR_EQUAL:
			return order <= 0;
		case PREDICATE_GREATER:
			return order > 0;
		default:
			return order >= 0;
	}
}

static bool
begins_with(const AttributeValue *value, const AttributeValue *prefix)
{
	return value->type == prefix->type && (value->type == ATTRIBUTE_S || value->type == ATTRIBUTE_B) &&
		value->length >= prefix->length && memcmp(value->data, prefix->data, prefix->length) == 0;
}

static bool
list_contains(const AttributeValue *list, const AttributeValue *member)
{
	AttributeContainer container;
	AttributeValue element;

	AttributeContainerOpen(list, &container);
	for (uint32 i = 0; i < container.count; i++)
	{
		AttributeContainerGet(&container, i, &element);
		if (AttributeValueEqual(&element, member))
			return true;
	}
	return false;
}

static bool
set_contains(const AttributeValue *set, const AttributeValue *member, AttributeType member_type)
{
	AttributeContainer container;

	if (member->type != member_type)
		return false;
	AttributeContainerOpen(set, &container);
	return AttributeSetContains(&container, member->data, member->length);
}

static bool
contains(const AttributeValue *value, const AttributeValue *member)
{
	switch (value->type)
	{
		case ATTRIBUTE_S:
		case ATTRIBUTE_B:
			return member->type == value->type && memmem(value->data, value->length, member->data, member->length) != NULL;
		case ATTRIBUTE_SS:
			return set_contains(value, member, ATTRIBUTE_S);
		case ATTRIBUTE_NS:
			return set_contains(value, member, ATTRIBUTE_N);
		case ATTRIBUTE_BS:
			return set_contains(value, member, ATTRIBUTE_B);
		case ATTRIBUTE_L:
			return list_contains(value, member);
		default:
			return false;
	}
}

/*
 * The predicates whose second operand is a list of values or bounds.
 */
static bool
is_in(const PreparedExpression *prepared, const Operand *others, AttributeSource *source, const AttributeValue *value)
{
	OperandResult room;

	for (; others != NULL; others = others->next)
	{
		const AttributeValue *other = evaluate_operand(prepared, others, source, &room);

		if (other != NULL && AttributeValueEqual(value, other))
			return true;
	}
	return false;
}

static bool
is_between(const PreparedExpression *prepared, const Operand *bounds, AttributeSource *source, const AttributeValue *value)
{
	OperandResult room;
	const AttributeValue *bound = evaluate_operand(prepared, bounds, source, &room);

	if (bound == NULL || !compare_values(PREDICATE_GREATER_OR_EQUAL, value, bound))
		return false;
	bound = evaluate_operand(prepared, bounds->next, source, &room);
	return bound != NULL && compare_values(PREDICATE_LESS_OR_EQUAL, value, bound);
}

static bool
has_type(const AttributeValue *value, const AttributeValue *type_name)
{
	AttributeType type;

	return AttributeTypeFromName(type_name->data, type_name->length, &type) && value->type == type;
}

static bool
predicate_holds(const PreparedExpression *prepared, const Predicate *predicate, AttributeSource *source)
{
	const Operand *operand = predicate->operands.first;
	OperandResult first_room;
	OperandResult second_room;
	const AttributeValue *first = evaluate_operand(prepared, operand, source, &first_room);
	const AttributeValue *second;

	/* Nothing as first operand: false, but for what is the negation of something. */
	if (first == NULL)
		return predicate->type == PREDICATE_NOT_EQUAL || predicate->type == PREDICATE_ATTRIBUTE_NOT_EXISTS;

	switch (predicate->type)
	{
		case PREDICATE_ATTRIBUTE_EXISTS:
			return true;
		case PREDICATE_ATTRIBUTE_NOT_EXISTS:
			return false;
		case PREDICATE_BETWEEN:
			return is_between(prepared, operand->next, source, first);
		case PREDICATE_IN:
			return is_in(prepared, operand->next, source, first);
		default:
			break;
	}

	second = evaluate_operand(prepared, operand->next, source, &second_room);
	if (second == NULL)
		return predicate->type == PREDICATE_NOT_EQUAL;

	switch (predicate->type)
	{
		case PREDICATE_EQUAL:
			return AttributeValueEqual(first, second);
		case PREDICATE_NOT_EQUAL:
			return !AttributeValueEqual(first, second);
		case PREDICATE_ATTRIBUTE_TYPE:
			return has_type(first, second);
		case PREDICATE_BEGINS_WITH:
			return begins_with(first, second);
		case PREDICATE_CONTAINS:
			return contains(first, second);
		default:
			return compare_values(predicate->type, first, second);
	}
}

/*
 * ExpressionMatches
 *		Does a condition or filter hold?
 */
bool
ExpressionMatches(const PreparedExpression *expression, AttributeSource *source)
{
	int			position = 0;

	while (position >= 0)
	{
		const Predicate *predicate = &expression->expression->predicates[position];

		position = predicate_holds(expression, predicate, source) ? predicate->if_true : predicate->if_false;
	}
	return position == JUMP_TRUE;
}
