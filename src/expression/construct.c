/*
 * src/expression/construct.c
 *		The pieces of an Expression, put together by the parser.
 *
 * A condition is built as a compiler builds the jumps of a short-circuit expression: every predicate starts with two open jumps,
 * and AND, OR and NOT direct or rename them.  What is open at the end leads to true or false.
 */
#include "postgres.h"

#include "expression/expression_internal.h"

/* In the order of ExpressionKind. */
static const char *const kind_names[] = {
	"ConditionExpression",
	"FilterExpression",
	"KeyConditionExpression",
	"UpdateExpression",
	"ProjectionExpression",
};

/* In the order of ExpressionFunction. */
static const char *const function_names[] = {
	NULL,
	"attribute_exists",
	"attribute_not_exists",
	"attribute_type",
	"begins_with",
	"contains",
	"size",
	"if_not_exists",
	"list_append",
};

/* In the order of PredicateType. */
static const char *const predicate_names[] = {
	"=",
	"<>",
	"<",
	"<=",
	">",
	">=",
	"BETWEEN",
	"IN",
	"attribute_exists",
	"attribute_not_exists",
	"attribute_type",
	"begins_with",
	"contains",
};

const char *
ExpressionKindName(ExpressionKind kind)
{
	return kind_names[kind];
}

const char *
PredicateName(PredicateType type)
{
	return predicate_names[type];
}

/*
 * Names of functions are matched with their case.
 */
ExpressionFunction
ExpressionFunctionFind(const char *name, uint32 length)
{
	for (int i = FUNCTION_UNKNOWN + 1; i < lengthof(function_names); i++)
		if (strlen(function_names[i]) == length && memcmp(function_names[i], name, length) == 0)
			return (ExpressionFunction) i;
	return FUNCTION_UNKNOWN;
}

/*
 * ExpressionConstruct
 *		An expression without content, with a copy of its text and room for what the bounds say.
 */
Expression *
ExpressionConstruct(ExpressionKind kind, const char *text, uint32 length, const ExpressionBounds *bounds)
{
	Expression *expression = palloc0(sizeof(Expression));

	expression->key.kind = kind;
	expression->key.length = length;
	expression->key.text = pnstrdup(text, length);
	expression->paths = palloc(sizeof(DocumentPath) * bounds->paths);
	expression->steps = palloc(sizeof(PathStep) * bounds->steps);
	expression->values = palloc(sizeof(TextSpan) * bounds->values);
	expression->operands = palloc(sizeof(Operand) * bounds->operands);
	expression->predicates = palloc(sizeof(Predicate) * bounds->predicates);
	expression->actions = palloc(sizeof(UpdateAction) * bounds->actions);
	return expression;
}

/*
 * Begins a path; its steps follow.  Returns its number.
 */
uint32
ExpressionAddPath(Expression *expression)
{
	DocumentPath *path = &expression->paths[expression->path_count];

	path->step_count = 0;
	path->steps = &expression->steps[expression->step_count];
	return expression->path_count++;
}

static PathStep *
add_step(Expression *expression)
{
	expression->paths[expression->path_count - 1].step_count++;
	return memset(&expression->steps[expression->step_count++], 0, sizeof(PathStep));
}

/*
 * The name must live as long as the expression.
 */
void
ExpressionAddName(Expression *expression, const char *name, uint32 length)
{
	PathStep   *step = add_step(expression);

	step->name = name;
	step->name_length = length;
	if (*name == '#')
		expression->has_name_placeholders = true;
}

void
ExpressionAddIndex(Expression *expression, uint32 index)
{
	PathStep   *step = add_step(expression);

	step->is_index = true;
	step->index = index;
}

Operand *
ExpressionAddOperand(Expression *expression, OperandType type)
{
	Operand    *operand = memset(&expression->operands[expression->operand_count++], 0, sizeof(Operand));

	operand->type = type;
	return operand;
}

/*
 * The placeholder's text must live as long as the expression.
 */
Operand *
ExpressionAddValue(Expression *expression, const char *placeholder, uint32 length)
{
	Operand    *operand = ExpressionAddOperand(expression, OPERAND_VALUE);
	TextSpan   *value = &expression->values[expression->value_count];

	value->data = placeholder;
	value->length = length;
	operand->index = expression->value_count++;
	return operand;
}

void
OperandListAppend(OperandList *list, Operand *operand)
{
	operand->next = NULL;
	if (list->last == NULL)
		list->first = operand;
	else
		list->last->next = operand;
	list->last = operand;
	list->count++;
}

/*
 * A condition of one predicate, both jumps open.
 */
Condition
ExpressionAddPredicate(Expression *expression, PredicateType type, const OperandList *operands)
{
	int16		number = expression->predicate_count++;
	Predicate  *predicate = &expression->predicates[number];
	Condition	condition;

	predicate->type = type;
	predicate->if_true = NO_JUMP;
	predicate->if_false = NO_JUMP;
	predicate->operator_count = expression->operator_count;
	predicate->operands = *operands;

	condition.first = number;
	condition.open_true = number * 2;
	condition.open_false = number * 2 + 1;
	return condition;
}

static int16 *
get_jump(Expression *expression, int16 reference)
{
	Predicate  *predicate = &expression->predicates[reference / 2];

	return reference % 2 == 0 ? &predicate->if_true : &predicate->if_false;
}

/*
 * Lets the open jumps of a chain lead to a predicate or to JUMP_TRUE, JUMP_FALSE.
 */
static void
direct_jumps(Expression *expression, int16 chain, int16 destination)
{
	while (chain != NO_JUMP)
	{
		int16	   *jump = get_jump(expression, chain);

		chain = *jump;
		*jump = destination;
	}
}

/*
 * One chain of two.  The first is walked to its end: let it be the shorter one.
 */
static int16
join_jumps(Expression *expression, int16 first, int16 second)
{
	int16	   *jump = get_jump(expression, first);

	while (*jump != NO_JUMP)
		jump = get_jump(expression, *jump);
	*jump = second;
	return first;
}

Condition
ConditionNot(Condition condition)
{
	Condition	result;

	result.first = condition.first;
	result.open_true = condition.open_false;
	result.open_false = condition.open_true;
	return result;
}

Condition
ConditionAnd(Expression *expression, Condition left, Condition right)
{
	Condition	result;

	direct_jumps(expression, left.open_true, right.first);
	result.first = left.first;
	result.open_true = right.open_true;
	result.open_false = join_jumps(expression, right.open_false, left.open_false);
	return result;
}

Condition
ConditionOr(Expression *expression, Condition left, Condition right)
{
	return ConditionNot(ConditionAnd(expression, ConditionNot(left), ConditionNot(right)));
}

void
ExpressionSetCondition(Expression *expression, Condition condition)
{
	Assert(condition.first == 0);
	direct_jumps(expression, condition.open_true, JUMP_TRUE);
	direct_jumps(expression, condition.open_false, JUMP_FALSE);
}

UpdateAction *
ExpressionAddAction(Expression *expression, UpdateClause clause, uint32 path)
{
	UpdateAction *action = &expression->actions[expression->action_count++];

	action->clause = clause;
	action->path = path;
	action->operand = NULL;
	return action;
}
