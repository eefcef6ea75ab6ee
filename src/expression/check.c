/*
 * src/expression/check.c
 *		What is wrong with an expression once its names and values are known, but before any item is.
 *
 * Conditions are checked one after the other, left to right, updates and projections as a whole; the order of the rules is the
 * reference's.  Source: reference/expressions, sections 5 (rows 8 to 17), 8 (rows 6 to 11) and 10.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/error.h"
#include "expression/expression_internal.h"
#include "item/json.h"

#define TYPE_BIT(type) (1 << (type))
#define ORDERED_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_N) | TYPE_BIT(ATTRIBUTE_B))
#define PREFIX_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_B))
#define SET_TYPES (TYPE_BIT(ATTRIBUTE_SS) | TYPE_BIT(ATTRIBUTE_NS) | TYPE_BIT(ATTRIBUTE_BS))
#define CONTAINER_TYPES (PREFIX_TYPES | SET_TYPES | TYPE_BIT(ATTRIBUTE_L))
#define SIZED_TYPES (CONTAINER_TYPES | TYPE_BIT(ATTRIBUTE_M))

/* The brace lists of the service, in its order. */
#define ATTRIBUTE_TYPE_OPERANDS "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
#define ATTRIBUTE_TYPE_NAMES "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"

/* An operand's type as far as it shows before there is an item. */
static bool
find_static_type(const PreparedExpression *prepared, const Operand *operand, AttributeType *type)
{
	switch (operand->type)
	{
		case OPERAND_VALUE:
			*type = prepared->values[operand->index].type;
			return true;
		case OPERAND_CALL:
			*type = ATTRIBUTE_N;
			return operand->function == FUNCTION_SIZE;
		default:
			return false;
	}
}

static const char *
get_kind_name(const PreparedExpression *prepared)
{
	return ExpressionKindName(prepared->expression->key.kind);
}

static void
report_operand_type(const PreparedExpression *prepared, const char *name, const char *type)
{
	validation_error(INVALID_EXPRESSION "Incorrect operand type for operator or function; operator or function: %s, operand type: %s",
					 get_kind_name(prepared), name, type);
}

static void
check_static_type(const PreparedExpression *prepared, const char *name, const Operand *operand, int allowed)
{
	AttributeType type;

	if (find_static_type(prepared, operand, &type) && (TYPE_BIT(type) & allowed) == 0)
		report_operand_type(prepared, name, AttributeTypeName(type));
}

static void
check_operand_count(const PreparedExpression *prepared, const char *name, const OperandList *operands, uint32 expected)
{
	if (operands->count != expected)
		validation_error(INVALID_EXPRESSION
						 "Incorrect number of operands for operator or function; operator or function: %s, number of operands: %u",
						 get_kind_name(prepared), name, operands->count);
}

static void
check_is_path(const PreparedExpression *prepared, const char *name, const Operand *operand)
{
	if (operand->type != OPERAND_PATH)
		validation_error(INVALID_EXPRESSION "Operator or function requires a document path; operator or function: %s",
						 get_kind_name(prepared), name);
}

/*
 * A path as messages show it: [ab, bc, [1], a].
 */
static char *
format_path(const DocumentPath *path)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoChar(&text, '[');
	for (uint32 i = 0; i < path->step_count; i++)
	{
		const PathStep *step = &path->steps[i];

		if (i > 0)
			appendStringInfoString(&text, ", ");
		if (step->is_index)
			appendStringInfo(&text, "[%u]", step->index);
		else
			appendBinaryStringInfo(&text, step->name, step->name_length);
	}
	appendStringInfoChar(&text, ']');
	return text.data;
}

/*
 * A bound of BETWEEN (S, N or B) as messages show it: {N:1}.
 */
static char *
format_value(const AttributeValue *value)
{
	StringInfoData text;
	StringInfoData binary;
	char		number[ITEM_NUMBER_TEXT_MAX];

	initStringInfo(&text);
	appendStringInfo(&text, "{%s:", AttributeTypeName(value->type));
	switch (value->type)
	{
		case ATTRIBUTE_N:
			appendBinaryStringInfo(&text, number, ItemNumberToText(value->data, value->length, number));
			break;
		case ATTRIBUTE_B:
			/* Base64, without the quotes. */
			initStringInfo(&binary);
			JsonWritePlainValue(&binary, value);
			appendBinaryStringInfo(&text, binary.data + 1, binary.len - 2);
			break;
		default:
			appendBinaryStringInfo(&text, value->data, value->length);
			break;
	}
	appendStringInfoChar(&text, '}');
	return text.data;
}

/* ---- conditions ---- */

/*
 * size() inside the operands: the number of its operands.
 */
static void
check_nested_counts(const PreparedExpression *prepared, const OperandList *operands)
{
	check_stack_depth();
	for (const Operand *operand = operands->first; operand != NULL; operand = operand->next)
		if (operand->type == OPERAND_CALL)
		{
			check_nested_counts(prepared, &operand->arguments);
			check_operand_count(prepared, "size", &operand->arguments, 1);
		}
}

/*
 * size() inside the operands: the type of its operand.
 */
static void
check_nested_types(const PreparedExpression *prepared, const OperandList *operands)
{
	check_stack_depth();
	for (const Operand *operand = operands->first; operand != NULL; operand = operand->next)
		if (operand->type == OPERAND_CALL)
		{
			check_nested_types(prepared, &operand->arguments);
			check_static_type(prepared, "size", operand->arguments.first, SIZED_TYPES);
		}
}

static void
check_path_depth(const PreparedExpression *prepared, const DocumentPath *path)
{
	if (path->step_count > EXPRESSION_MAX_STEPS)
		validation_error(INVALID_EXPRESSION "The document path has too many nesting levels; nesting levels: %u",
						 get_kind_name(prepared), path->step_count);
}

static void
check_nested_depth(const PreparedExpression *prepared, const OperandList *operands)
{
	check_stack_depth();
	for (const Operand *operand = operands->first; operand != NULL; operand = operand->next)
	{
		if (operand->type == OPERAND_PATH)
			check_path_depth(prepared, &prepared->paths[operand->index]);
		else
			check_nested_depth(prepared, &operand->arguments);
	}
}

static void
check_operand_counts(const PreparedExpression *prepared, const Predicate *predicate)
{
	const char *name = PredicateName(predicate->type);

	check_nested_counts(prepared, &predicate->operands);
	switch (predicate->type)
	{
		case PREDICATE_ATTRIBUTE_EXISTS:
		case PREDICATE_ATTRIBUTE_NOT_EXISTS:
			check_operand_count(prepared, name, &predicate->operands, 1);
			break;
		case PREDICATE_ATTRIBUTE_TYPE:
		case PREDICATE_BEGINS_WITH:
		case PREDICATE_CONTAINS:
			check_operand_count(prepared, name, &predicate->operands, 2);
			break;
		default:
			/* The grammar counts those of operators. */
			break;
	}
}

/*
 * The first operand is a path that is given again.
 */
static void
check_distinct_paths(const PreparedExpression *prepared, const Predicate *predicate)
{
	const Operand *first = predicate->operands.first;

	if (first->type != OPERAND_PATH)
		return;
	for (const Operand *other = first->next; other != NULL; other = other->next)
		if (other->type == OPERAND_PATH &&
			DocumentPathCompare(&prepared->paths[first->index], &prepared->paths[other->index]) == 0)
			validation_error(INVALID_EXPRESSION
							 "The first operand must be distinct from the remaining operands for this operator or function; "
							 "operator: %s, first operand: %s",
							 get_kind_name(prepared), PredicateName(predicate->type),
							 format_path(&prepared->paths[first->index]));
}

static void
check_operand_types(const PreparedExpression *prepared, const Predicate *predicate)
{
	const char *name = PredicateName(predicate->type);
	const Operand *first = predicate->operands.first;
	const Operand *second = first->next;

	check_nested_types(prepared, &predicate->operands);
	switch (predicate->type)
	{
		case PREDICATE_LESS:
		case PREDICATE_LESS_OR_EQUAL:
		case PREDICATE_GREATER:
		case PREDICATE_GREATER_OR_EQUAL:
		case PREDICATE_BETWEEN:
			for (const Operand *operand = first; operand != NULL; operand = operand->next)
				check_static_type(prepared, name, operand, ORDERED_TYPES);
			break;
		case PREDICATE_BEGINS_WITH:
			check_static_type(prepared, name, first, PREFIX_TYPES);
			check_static_type(prepared, name, second, PREFIX_TYPES);
			break;
		case PREDICATE_CONTAINS:
			check_static_type(prepared, name, first, CONTAINER_TYPES);
			break;
		case PREDICATE_ATTRIBUTE_TYPE:
			if (second->type == OPERAND_PATH)
				report_operand_type(prepared, name, ATTRIBUTE_TYPE_OPERANDS);
			check_static_type(prepared, name, second, TYPE_BIT(ATTRIBUTE_S));
			break;
		default:
			break;
	}
}

static void
check_type_name(const PreparedExpression *prepared, const Predicate *predicate)
{
	const AttributeValue *value = OperandGetValue(prepared, predicate->operands.last);
	AttributeType type;

	if (!AttributeTypeFromName(value->data, value->length, &type))
		validation_error(INVALID_EXPRESSION "Invalid attribute type name found; type: %.*s, valid types: " ATTRIBUTE_TYPE_NAMES,
						 get_kind_name(prepared), (int) value->length, value->data);
}

/*
 * Bounds of BETWEEN that are both given as values: one type, and in order.
 */
static void
check_bounds(const PreparedExpression *prepared, const Predicate *predicate)
{
	const AttributeValue *lower = OperandGetValue(prepared, predicate->operands.first->next);
	const AttributeValue *upper = OperandGetValue(prepared, predicate->operands.last);

	if (lower == NULL || upper == NULL)
		return;
	if (lower->type != upper->type)
		validation_error(INVALID_EXPRESSION
						 "The BETWEEN operator requires same data type for lower and upper bounds; "
						 "lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
						 get_kind_name(prepared), format_value(lower), format_value(upper));
	if (AttributeValueCompare(lower, upper) > 0)
		validation_error(INVALID_EXPRESSION
						 "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
						 "lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
						 get_kind_name(prepared), format_value(lower), format_value(upper));
}

static void
check_operator_count(const PreparedExpression *prepared, uint32 count)
{
	/* The service stops counting at the first one too many. */
	if (count > EXPRESSION_MAX_OPERATORS)
		validation_error(INVALID_EXPRESSION "The expression contains too many operators; operator count: %d",
						 get_kind_name(prepared), EXPRESSION_MAX_OPERATORS + 1);
}

/*
 * PredicateCheck
 *		One comparison or function of a condition, its placeholders resolved.
 */
void
PredicateCheck(const PreparedExpression *prepared, const Predicate *predicate)
{
	check_operand_counts(prepared, predicate);
	switch (predicate->type)
	{
		case PREDICATE_ATTRIBUTE_EXISTS:
		case PREDICATE_ATTRIBUTE_NOT_EXISTS:
			check_is_path(prepared, PredicateName(predicate->type), predicate->operands.first);
			break;
		case PREDICATE_ATTRIBUTE_TYPE:
			check_distinct_paths(prepared, predicate);
			check_is_path(prepared, PredicateName(predicate->type), predicate->operands.first);
			break;
		default:
			check_distinct_paths(prepared, predicate);
			break;
	}
	check_operand_types(prepared, predicate);
	if (predicate->type == PREDICATE_ATTRIBUTE_TYPE)
		check_type_name(prepared, predicate);
	if (predicate->type == PREDICATE_BETWEEN)
		check_bounds(prepared, predicate);
	if (predicate->type == PREDICATE_IN && predicate->operands.count - 1 > EXPRESSION_MAX_IN_OPERANDS)
		validation_error(INVALID_EXPRESSION "The IN operator is provided with too many operands; number of operands: %u",
						 get_kind_name(prepared), predicate->operands.count - 1);
	check_operator_count(prepared, predicate->operator_count);
	check_nested_depth(prepared, &predicate->operands);
}

/* ---- updates ---- */

void
UpdateOperatorsCheck(const PreparedExpression *prepared)
{
	check_operator_count(prepared, prepared->expression->operator_count);
}

/*
 * The long name of a type, which only ADD and DELETE use; they take the sets.
 */
static const char *
get_long_type_name(AttributeType type)
{
	switch (type)
	{
		case ATTRIBUTE_S:
			return "STRING";
		case ATTRIBUTE_N:
			return "NUMBER";
		case ATTRIBUTE_B:
			return "BINARY";
		case ATTRIBUTE_BOOL:
			return "BOOLEAN";
		case ATTRIBUTE_L:
			return "LIST";
		case ATTRIBUTE_M:
			return "MAP";
		default:
			return AttributeTypeName(type);
	}
}

static void
check_clause_types(const PreparedExpression *prepared, UpdateClause clause, const char *name, int allowed)
{
	for (uint32 i = 0; i < prepared->expression->action_count; i++)
	{
		const UpdateTarget *target = &prepared->targets[i];

		if (target->clause == clause && (TYPE_BIT(target->value->type) & allowed) == 0)
			validation_error(INVALID_EXPRESSION
							 "Incorrect operand type for operator or function; operator: %s, operand type: %s",
							 get_kind_name(prepared), name, get_long_type_name(target->value->type));
	}
}

static void
check_argument_types(const PreparedExpression *prepared, const char *name, const Operand *operand, AttributeType allowed)
{
	for (const Operand *argument = operand->arguments.first; argument != NULL; argument = argument->next)
		check_static_type(prepared, name, argument, TYPE_BIT(allowed));
}

/*
 * UpdateOperandsCheck
 *		The operands of all actions.
 */
void
UpdateOperandsCheck(const PreparedExpression *prepared)
{
	const Operand *operands = prepared->expression->operands;
	uint32		count = prepared->expression->operand_count;

	check_clause_types(prepared, UPDATE_ADD, "ADD", TYPE_BIT(ATTRIBUTE_N) | SET_TYPES);
	check_clause_types(prepared, UPDATE_DELETE, "DELETE", SET_TYPES);

	for (uint32 i = 0; i < count; i++)
		if (operands[i].type == OPERAND_CALL)
			check_operand_count(prepared, operands[i].function == FUNCTION_LIST_APPEND ? "list_append" : "if_not_exists",
								&operands[i].arguments, 2);

	for (uint32 i = 0; i < count; i++)
		if (operands[i].type == OPERAND_CALL && operands[i].function == FUNCTION_IF_NOT_EXISTS)
			check_is_path(prepared, "if_not_exists", operands[i].arguments.first);

	for (uint32 i = 0; i < count; i++)
	{
		if (operands[i].type == OPERAND_PLUS || operands[i].type == OPERAND_MINUS)
			check_argument_types(prepared, operands[i].type == OPERAND_PLUS ? "+" : "-", &operands[i], ATTRIBUTE_N);
		else if (operands[i].type == OPERAND_CALL && operands[i].function == FUNCTION_LIST_APPEND)
			check_argument_types(prepared, "list_append", &operands[i], ATTRIBUTE_L);
	}
}

/* ---- paths ---- */

void
PathsCheckDepth(const PreparedExpression *prepared)
{
	for (uint32 i = 0; i < prepared->expression->path_count; i++)
		check_path_depth(prepared, &prepared->paths[i]);
}

/*
 * The step where two paths part: the length of the shorter one if that is where.
 */
static uint32
count_common_steps(const DocumentPath *a, const DocumentPath *b)
{
	uint32		count = Min(a->step_count, b->step_count);

	for (uint32 i = 0; i < count; i++)
		if (!PathStepEqual(&a->steps[i], &b->steps[i]))
			return i;
	return count;
}

/*
 * PathsCheckOverlap
 *		No path is a prefix of another, and no two ask for a map and for a list in one place.
 *
 * If that holds for every two neighbours in the order of the steps, it holds for all: what lies between a path and its
 * extension in that order extends the path too, and list steps stand before map steps in one place.
 */
void
PathsCheckOverlap(const PreparedExpression *prepared, uint32 count)
{
	for (uint32 i = 0; i + 1 < count; i++)
	{
		const DocumentPath *a = OrderedPath(prepared, i);
		const DocumentPath *b = OrderedPath(prepared, i + 1);

		if (count_common_steps(a, b) == Min(a->step_count, b->step_count))
		{
			bool		is_swapped = prepared->path_order[i] > prepared->path_order[i + 1];

			validation_error(INVALID_EXPRESSION
							 "Two document paths overlap with each other; must remove or rewrite one of these paths; "
							 "path one: %s, path two: %s",
							 get_kind_name(prepared), format_path(is_swapped ? b : a), format_path(is_swapped ? a : b));
		}
	}
	for (uint32 i = 0; i + 1 < count; i++)
	{
		const DocumentPath *a = OrderedPath(prepared, i);
		const DocumentPath *b = OrderedPath(prepared, i + 1);
		uint32		common = count_common_steps(a, b);

		if (a->steps[common].is_index != b->steps[common].is_index)
		{
			bool		is_swapped = prepared->path_order[i] > prepared->path_order[i + 1];

			validation_error(INVALID_EXPRESSION
							 "Two document paths conflict with each other; must remove or rewrite one of these paths; "
							 "path one: %s, path two: %s",
							 get_kind_name(prepared), format_path(is_swapped ? b : a), format_path(is_swapped ? a : b));
		}
	}
}
