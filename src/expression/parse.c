/*
 * src/expression/parse.c
 *		The grammar: tokens to an Expression.
 *
 * The parser never goes back: it stops at the first token that can continue no sentence of the grammar, which is the furthest
 * token that any alternative reaches, and names it.  Whether a parenthesis holds a condition or an operand shows only behind
 * it, so both are read the same way: what is open is kept on a stack of frames, and a value that has just been read is given
 * to the innermost frame.  The stack is an array, not recursion: 4096 parentheses cost no stack of the process.
 *
 * Example: (a) = :x AND NOT b IN (:y)
 *
 *		(		GROUP
 *		a )		the group gives the operand a
 *		=		COMPARISON a =
 *		:x		the comparison is complete: a condition
 *		AND		AND, the condition on its left
 *		NOT		AND NOT
 *		b IN (	AND NOT IN
 *		:y )	a condition; NOT is complete, then AND
 *
 * Syntax comes first.  What else is wrong with the text alone is noted on the way and reported at the end, in the order that
 * the reference gives.  Source: reference/expressions, sections 2, 3, 5 (rows 1 to 5) and 8 (rows 1 to 4).
 */
#include "postgres.h"

#include "base/error.h"
#include "expression/expression_internal.h"

typedef enum FrameType
{
	FRAME_GROUP,
	FRAME_CALL,
	FRAME_COMPARISON,
	FRAME_BETWEEN,
	FRAME_IN,
	FRAME_NOT,
	FRAME_AND,
	FRAME_OR,
	FRAME_ARITHMETIC
} FrameType;

/* Something that has begun and waits for its next part. */
typedef struct Frame
{
	FrameType	type;
	bool		operands_only;	/* GROUP: it cannot hold a condition, nor + and - */
	PredicateType predicate;	/* COMPARISON, BETWEEN, IN */
	OperandList operands;		/* of them, so far */
	Operand    *operand;		/* CALL, ARITHMETIC */
	Condition	left;			/* AND, OR */
} Frame;

/* What has just been read. */
typedef struct ParsedValue
{
	bool		is_condition;
	bool		is_group;		/* directly inside parentheses */
	Operand    *operand;
	Condition	condition;
} ParsedValue;

typedef struct Parser
{
	ExpressionKind kind;
	const char *text;
	uint32		length;
	bool		has_previous;
	Token		previous;
	Token		current;
	Token		next;
	Expression *expression;
	Frame	   *frames;
	uint32		frame_count;

	/* What is wrong with the text; the first of each in the text. */
	bool		has_redundant_parentheses;
	TextSpan	unknown_function;
	TextSpan	misused_function;	/* a boolean function as operand, size() as condition */
	TextSpan	foreign_function;	/* of an update in a condition, and the other way round */
	TextSpan	nested_list_append;
	TextSpan	reserved_word;
	TextSpan	bad_index;
	uint32		clauses;		/* bits of UpdateClause */
	const char *repeated_clause;
} Parser;

/* In the order of UpdateClause. */
static const char *const clause_names[] = {"SET", "REMOVE", "ADD", "DELETE"};

static void
report_syntax_error(Parser *parser)
{
	const Token *first = parser->has_previous ? &parser->previous : &parser->current;
	const Token *last = &parser->current;

	if (last->type == TOKEN_END)
		last = first;
	else if (parser->next.type != TOKEN_END)
		last = &parser->next;

	validation_error(INVALID_EXPRESSION "Syntax error; token: \"%.*s\", near: \"%.*s\"",
					 ExpressionKindName(parser->kind),
					 parser->current.type == TOKEN_END ? 5 : (int) parser->current.length,
					 parser->current.type == TOKEN_END ? "<EOF>" : parser->text + parser->current.start,
					 (int) (last->start + last->length - first->start), parser->text + first->start);
}

static void
advance(Parser *parser)
{
	parser->has_previous = true;
	parser->previous = parser->current;
	parser->current = parser->next;
	TokenScan(parser->text, parser->length, parser->current.start + parser->current.length, &parser->next);
}

static void
expect(Parser *parser, TokenType type)
{
	if (parser->current.type != type)
		report_syntax_error(parser);
	advance(parser);
}

static const char *
get_token_text(const Parser *parser)
{
	return parser->text + parser->current.start;
}

/*
 * Keeps the first of its kind in the text.
 */
static void
note_first(TextSpan *span, const char *data, uint32 length)
{
	if (span->data == NULL || data < span->data)
	{
		span->data = data;
		span->length = length;
	}
}

static void
note_forbidden_connective(Expression *expression, const char *name)
{
	if (expression->forbidden_connective == NULL)
	{
		expression->forbidden_connective = name;
		expression->forbidden_position = expression->predicate_count;
	}
}

static Frame *
get_top(Parser *parser)
{
	return parser->frame_count > 0 ? &parser->frames[parser->frame_count - 1] : NULL;
}

static Frame *
push_frame(Parser *parser, FrameType type)
{
	Frame	   *frame = memset(&parser->frames[parser->frame_count++], 0, sizeof(Frame));

	frame->type = type;
	return frame;
}

/*
 * May a whole condition, or a right side with + or -, begin or end here?  Otherwise only an operand.
 */
static bool
is_open_context(const Frame *top)
{
	return top == NULL || (top->type == FRAME_GROUP && !top->operands_only) ||
		top->type == FRAME_NOT || top->type == FRAME_AND || top->type == FRAME_OR;
}

static bool
is_boolean_function(ExpressionFunction function)
{
	return function >= FUNCTION_ATTRIBUTE_EXISTS && function <= FUNCTION_CONTAINS;
}

static bool
is_update_function(ExpressionFunction function)
{
	return function == FUNCTION_IF_NOT_EXISTS || function == FUNCTION_LIST_APPEND;
}

/* ---- paths and operands ---- */

static void
read_name(Parser *parser)
{
	const char *name = get_token_text(parser);
	uint32		length = parser->current.length;

	if (parser->current.type == TOKEN_IDENTIFIER)
	{
		if (ReservedWordMatches(name, length))
			note_first(&parser->reserved_word, name, length);
	}
	else if (parser->current.type != TOKEN_NAME_PLACEHOLDER)
		report_syntax_error(parser);
	ExpressionAddName(parser->expression, name, length);
	advance(parser);
}

static void
read_index(Parser *parser)
{
	const char *digits = get_token_text(parser);
	uint64		index = 0;

	if (parser->current.type != TOKEN_INTEGER)
		report_syntax_error(parser);
	for (uint32 i = 0; i < parser->current.length && index <= PG_INT32_MAX; i++)
		index = index * 10 + (digits[i] - '0');
	if (index > PG_INT32_MAX)
		note_first(&parser->bad_index, digits, parser->current.length);
	ExpressionAddIndex(parser->expression, (uint32) Min(index, PG_INT32_MAX));
	advance(parser);
}

/*
 * Reads a path; returns its number.
 */
static uint32
read_path(Parser *parser)
{
	uint32		path = ExpressionAddPath(parser->expression);

	read_name(parser);
	for (;;)
	{
		if (parser->current.type == TOKEN_DOT)
		{
			advance(parser);
			read_name(parser);
		}
		else if (parser->current.type == TOKEN_OPEN_BRACKET)
		{
			advance(parser);
			read_index(parser);
			expect(parser, TOKEN_CLOSE_BRACKET);
		}
		else
			return path;
	}
}

static Operand *
read_value(Parser *parser)
{
	Operand    *operand;

	if (parser->current.type != TOKEN_VALUE_PLACEHOLDER)
		report_syntax_error(parser);
	operand = ExpressionAddValue(parser->expression, get_token_text(parser), parser->current.length);
	advance(parser);
	return operand;
}

/*
 * A function's name and its parenthesis.
 */
static void
begin_call(Parser *parser)
{
	Frame	   *frame = push_frame(parser, FRAME_CALL);
	Operand    *call = ExpressionAddOperand(parser->expression, OPERAND_CALL);

	call->name.data = get_token_text(parser);
	call->name.length = parser->current.length;
	call->function = ExpressionFunctionFind(call->name.data, call->name.length);
	if (call->function == FUNCTION_UNKNOWN)
		note_first(&parser->unknown_function, call->name.data, call->name.length);
	else if (is_update_function(call->function) != (parser->kind == EXPRESSION_UPDATE))
		note_first(&parser->foreign_function, call->name.data, call->name.length);
	frame->operand = call;
	advance(parser);
	advance(parser);
}

/*
 * Reads up to the end of the next path or value, opening frames for what stands before it.
 */
static void
read_operand(Parser *parser, ParsedValue *value)
{
	memset(value, 0, sizeof(ParsedValue));
	for (;;)
	{
		bool		is_open = is_open_context(get_top(parser));

		switch (parser->current.type)
		{
			case TOKEN_OPEN_PARENTHESIS:
				push_frame(parser, FRAME_GROUP)->operands_only = !is_open;
				advance(parser);
				break;
			case TOKEN_NOT:
				if (!is_open || parser->kind == EXPRESSION_UPDATE)
					report_syntax_error(parser);
				note_forbidden_connective(parser->expression, "NOT");
				parser->expression->operator_count++;
				push_frame(parser, FRAME_NOT);
				advance(parser);
				break;
			case TOKEN_VALUE_PLACEHOLDER:
				value->operand = read_value(parser);
				return;
			case TOKEN_IDENTIFIER:
				if (parser->next.type == TOKEN_OPEN_PARENTHESIS)
				{
					begin_call(parser);
					break;
				}
				/* FALLTHROUGH */
			case TOKEN_NAME_PLACEHOLDER:
				value->operand = ExpressionAddOperand(parser->expression, OPERAND_PATH);
				value->operand->index = read_path(parser);
				return;
			default:
				report_syntax_error(parser);
		}
	}
}

/*
 * An operand finds its place in a predicate or call.
 */
static void
append_operand(Parser *parser, OperandList *list, const Operand *call, Operand *operand)
{
	if (operand->type == OPERAND_CALL)
	{
		if (is_boolean_function(operand->function))
			note_first(&parser->misused_function, operand->name.data, operand->name.length);
		if (call != NULL && call->function == FUNCTION_LIST_APPEND && operand->function == FUNCTION_LIST_APPEND)
			note_first(&parser->nested_list_append, operand->name.data, operand->name.length);
	}
	OperandListAppend(list, operand);
}

static void
close_group(Parser *parser, ParsedValue *value)
{
	if (parser->current.type != TOKEN_CLOSE_PARENTHESIS)
		report_syntax_error(parser);
	advance(parser);
	parser->frame_count--;
	if (value->is_group)
		parser->has_redundant_parentheses = true;
	value->is_group = true;
}

/*
 * Gives an operand to the innermost call.  Returns true if another operand must follow; otherwise the call is complete.
 */
static bool
continue_call(Parser *parser, ParsedValue *value)
{
	Operand    *call = get_top(parser)->operand;
	bool		has_more = parser->current.type == TOKEN_COMMA;

	if (!has_more && parser->current.type != TOKEN_CLOSE_PARENTHESIS)
		report_syntax_error(parser);
	append_operand(parser, &call->arguments, call, value->operand);
	advance(parser);
	if (has_more)
		return true;
	parser->frame_count--;
	value->operand = call;
	value->is_group = false;
	return false;
}

/* ---- conditions ---- */

static void
set_condition(ParsedValue *value, Condition condition)
{
	value->is_condition = true;
	value->is_group = false;
	value->operand = NULL;
	value->condition = condition;
}

/*
 * The innermost frame has its last operand: a predicate.
 */
static void
complete_predicate(Parser *parser, ParsedValue *value)
{
	Frame	   *top = get_top(parser);

	parser->frame_count--;
	set_condition(value, ExpressionAddPredicate(parser->expression, top->predicate, &top->operands));
}

/*
 * A call that stands as a condition.
 */
static void
convert_call(Parser *parser, ParsedValue *value)
{
	static const PredicateType predicates[] = {
		[FUNCTION_ATTRIBUTE_EXISTS] = PREDICATE_ATTRIBUTE_EXISTS,
		[FUNCTION_ATTRIBUTE_NOT_EXISTS] = PREDICATE_ATTRIBUTE_NOT_EXISTS,
		[FUNCTION_ATTRIBUTE_TYPE] = PREDICATE_ATTRIBUTE_TYPE,
		[FUNCTION_BEGINS_WITH] = PREDICATE_BEGINS_WITH,
		[FUNCTION_CONTAINS] = PREDICATE_CONTAINS,
	};
	const Operand *call = value->operand;
	PredicateType type = PREDICATE_ATTRIBUTE_EXISTS;
	bool		is_group = value->is_group;

	if (call->function == FUNCTION_SIZE)
		note_first(&parser->misused_function, call->name.data, call->name.length);
	/* Of a function that is wrong here, any predicate will do: the expression is refused. */
	if (is_boolean_function(call->function))
		type = predicates[call->function];
	set_condition(value, ExpressionAddPredicate(parser->expression, type, &call->arguments));
	value->is_group = is_group;
}

/*
 * An operator that has its left operand.
 */
static void
begin_predicate(Parser *parser, FrameType type, PredicateType predicate, ParsedValue *value)
{
	Frame	   *frame = push_frame(parser, type);

	frame->predicate = predicate;
	append_operand(parser, &frame->operands, NULL, value->operand);
	parser->expression->operator_count++;
	advance(parser);
	if (type == FRAME_IN)
		expect(parser, TOKEN_OPEN_PARENTHESIS);
}

/*
 * Gives an operand to the innermost frame.  Returns true if an operand must follow.
 */
static bool
continue_operand(Parser *parser, ParsedValue *value)
{
	Frame	   *top = get_top(parser);
	TokenType	token = parser->current.type;

	if (!is_open_context(top))
	{
		switch (top->type)
		{
			case FRAME_CALL:
				return continue_call(parser, value);
			case FRAME_GROUP:
				close_group(parser, value);
				return false;
			case FRAME_IN:
				if (token != TOKEN_COMMA && token != TOKEN_CLOSE_PARENTHESIS)
					report_syntax_error(parser);
				append_operand(parser, &top->operands, NULL, value->operand);
				advance(parser);
				if (token == TOKEN_COMMA)
					return true;
				break;
			case FRAME_BETWEEN:
				append_operand(parser, &top->operands, NULL, value->operand);
				if (top->operands.count == 2)
				{
					expect(parser, TOKEN_AND);
					return true;
				}
				break;
			default:
				append_operand(parser, &top->operands, NULL, value->operand);
				break;
		}
		complete_predicate(parser, value);
		return false;
	}

	switch (token)
	{
		case TOKEN_EQUAL:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_EQUAL, value);
			return true;
		case TOKEN_NOT_EQUAL:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_NOT_EQUAL, value);
			return true;
		case TOKEN_LESS:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_LESS, value);
			return true;
		case TOKEN_LESS_OR_EQUAL:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_LESS_OR_EQUAL, value);
			return true;
		case TOKEN_GREATER:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_GREATER, value);
			return true;
		case TOKEN_GREATER_OR_EQUAL:
			begin_predicate(parser, FRAME_COMPARISON, PREDICATE_GREATER_OR_EQUAL, value);
			return true;
		case TOKEN_BETWEEN:
			begin_predicate(parser, FRAME_BETWEEN, PREDICATE_BETWEEN, value);
			return true;
		case TOKEN_IN:
			begin_predicate(parser, FRAME_IN, PREDICATE_IN, value);
			return true;
		case TOKEN_CLOSE_PARENTHESIS:
			/* A group of one operand: whether a call in it is a condition shows behind it. */
			if (top != NULL && top->type == FRAME_GROUP)
			{
				close_group(parser, value);
				return false;
			}
			break;
		default:
			break;
	}

	if (value->operand->type != OPERAND_CALL)
		report_syntax_error(parser);
	convert_call(parser, value);
	return false;
}

/*
 * A condition meets AND or OR.
 */
static void
begin_connective(Parser *parser, FrameType type, const ParsedValue *value)
{
	Expression *expression = parser->expression;

	if (type == FRAME_OR)
		note_forbidden_connective(expression, "OR");
	push_frame(parser, type)->left = value->condition;
	expression->operator_count++;
	advance(parser);
}

/*
 * Gives a condition to the innermost frame, the tightest operator first.  Returns true if an operand must follow, false with
 * is_complete set if nothing does.
 */
static bool
continue_condition(Parser *parser, ParsedValue *value, bool *is_complete)
{
	Frame	   *top = get_top(parser);

	if (top != NULL && top->type == FRAME_NOT)
	{
		parser->frame_count--;
		set_condition(value, ConditionNot(value->condition));
	}
	else if (top != NULL && top->type == FRAME_AND)
	{
		parser->frame_count--;
		set_condition(value, ConditionAnd(parser->expression, top->left, value->condition));
	}
	else if (parser->current.type == TOKEN_AND)
	{
		begin_connective(parser, FRAME_AND, value);
		return true;
	}
	else if (top != NULL && top->type == FRAME_OR)
	{
		parser->frame_count--;
		set_condition(value, ConditionOr(parser->expression, top->left, value->condition));
	}
	else if (parser->current.type == TOKEN_OR)
	{
		begin_connective(parser, FRAME_OR, value);
		return true;
	}
	else if (top != NULL)
		close_group(parser, value);
	else if (parser->current.type == TOKEN_END)
		*is_complete = true;
	else
		report_syntax_error(parser);
	return false;
}

static void
parse_condition(Parser *parser)
{
	ParsedValue value;
	bool		is_complete = false;
	bool		wants_operand = true;

	while (!is_complete)
	{
		if (wants_operand)
		{
			read_operand(parser, &value);
			wants_operand = false;
		}
		else if (value.is_condition)
			wants_operand = continue_condition(parser, &value, &is_complete);
		else
			wants_operand = continue_operand(parser, &value);
	}
	ExpressionSetCondition(parser->expression, value.condition);
}

/* ---- updates ---- */

/*
 * Gives a term of a right side to the innermost frame.  Returns true if an operand must follow, false with is_complete set if
 * the right side ends here.
 */
static bool
continue_right_side(Parser *parser, ParsedValue *value, bool *is_complete)
{
	Frame	   *top = get_top(parser);
	TokenType	token = parser->current.type;

	if (top != NULL && top->type == FRAME_CALL)
		return continue_call(parser, value);
	if (top != NULL && top->type == FRAME_ARITHMETIC)
	{
		append_operand(parser, &top->operand->arguments, NULL, value->operand);
		parser->frame_count--;
		value->operand = top->operand;
		value->is_group = false;
		return false;
	}
	if (is_open_context(top) && (token == TOKEN_PLUS || token == TOKEN_MINUS) &&
		value->operand->type != OPERAND_PLUS && value->operand->type != OPERAND_MINUS)
	{
		Frame	   *frame = push_frame(parser, FRAME_ARITHMETIC);

		frame->operand = ExpressionAddOperand(parser->expression, token == TOKEN_PLUS ? OPERAND_PLUS : OPERAND_MINUS);
		append_operand(parser, &frame->operand->arguments, NULL, value->operand);
		parser->expression->operator_count++;
		advance(parser);
		return true;
	}
	if (top != NULL)
		close_group(parser, value);
	else
		*is_complete = true;
	return false;
}

static Operand *
parse_right_side(Parser *parser)
{
	ParsedValue value;
	bool		is_complete = false;
	bool		wants_operand = true;

	while (!is_complete)
	{
		if (wants_operand)
		{
			read_operand(parser, &value);
			wants_operand = false;
		}
		else
			wants_operand = continue_right_side(parser, &value, &is_complete);
	}
	return value.operand;
}

static void
parse_action(Parser *parser, UpdateClause clause)
{
	UpdateAction *action = ExpressionAddAction(parser->expression, clause, read_path(parser));

	switch (clause)
	{
		case UPDATE_SET:
			expect(parser, TOKEN_EQUAL);
			action->operand = parse_right_side(parser);
			break;
		case UPDATE_REMOVE:
			break;
		case UPDATE_ADD:
		case UPDATE_DELETE:
			action->operand = read_value(parser);
			break;
	}
}

static UpdateClause
read_clause(Parser *parser)
{
	UpdateClause clause = UPDATE_SET;

	switch (parser->current.type)
	{
		case TOKEN_SET:
			clause = UPDATE_SET;
			break;
		case TOKEN_REMOVE:
			clause = UPDATE_REMOVE;
			break;
		case TOKEN_ADD:
			clause = UPDATE_ADD;
			break;
		case TOKEN_DELETE:
			clause = UPDATE_DELETE;
			break;
		default:
			report_syntax_error(parser);
	}
	if ((parser->clauses & (1 << clause)) != 0 && parser->repeated_clause == NULL)
		parser->repeated_clause = clause_names[clause];
	parser->clauses |= 1 << clause;
	advance(parser);
	return clause;
}

static void
parse_update(Parser *parser)
{
	do
	{
		UpdateClause clause = read_clause(parser);

		parse_action(parser, clause);
		while (parser->current.type == TOKEN_COMMA)
		{
			advance(parser);
			parse_action(parser, clause);
		}
	} while (parser->current.type != TOKEN_END);
}

/* ---- projections ---- */

static void
parse_projection(Parser *parser)
{
	read_path(parser);
	while (parser->current.type == TOKEN_COMMA)
	{
		advance(parser);
		read_path(parser);
	}
	if (parser->current.type != TOKEN_END)
		report_syntax_error(parser);
}

/* ---- what the text alone shows to be wrong ---- */

static void
report_redundant_parentheses(const Parser *parser)
{
	if (parser->has_redundant_parentheses)
		validation_error(INVALID_EXPRESSION "The expression has redundant parentheses;", ExpressionKindName(parser->kind));
}

static void
report_unknown_function(const Parser *parser)
{
	if (parser->unknown_function.data != NULL)
		validation_error(INVALID_EXPRESSION "Invalid function name; function: %.*s", ExpressionKindName(parser->kind),
						 (int) parser->unknown_function.length, parser->unknown_function.data);
}

static void
report_misused_function(const Parser *parser, const TextSpan *function)
{
	if (function->data != NULL)
		validation_error(INVALID_EXPRESSION "The function is not allowed to be used this way in an expression; function: %.*s",
						 ExpressionKindName(parser->kind), (int) function->length, function->data);
}

static void
report_foreign_function(const Parser *parser)
{
	const char *kind = "a condition";

	if (parser->foreign_function.data == NULL)
		return;
	if (parser->kind == EXPRESSION_UPDATE)
		kind = "an update";
	else if (parser->kind == EXPRESSION_FILTER)
		kind = "a filter";
	validation_error(INVALID_EXPRESSION "The function is not allowed in %s expression; function: %.*s",
					 ExpressionKindName(parser->kind), kind,
					 (int) parser->foreign_function.length, parser->foreign_function.data);
}

static void
report_reserved_word(const Parser *parser)
{
	if (parser->reserved_word.data != NULL)
		validation_error(INVALID_EXPRESSION "Attribute name is a reserved keyword; reserved keyword: %.*s",
						 ExpressionKindName(parser->kind),
						 (int) parser->reserved_word.length, parser->reserved_word.data);
}

static void
report_repeated_clause(const Parser *parser)
{
	if (parser->repeated_clause != NULL)
		validation_error(INVALID_EXPRESSION "The \"%s\" section can only be used once in an update expression;",
						 ExpressionKindName(parser->kind), parser->repeated_clause);
}

static void
report_bad_index(const Parser *parser)
{
	if (parser->bad_index.data != NULL)
		validation_error(INVALID_EXPRESSION "List index is not within the allowable range; index: [%.*s]",
						 ExpressionKindName(parser->kind), (int) parser->bad_index.length, parser->bad_index.data);
}

/*
 * How many pieces the text can have: every piece takes at least one token of its own.
 */
static void
count_pieces(Parser *parser, ExpressionBounds *bounds, uint32 *frames)
{
	uint32		counts[TOKEN_TYPES] = {0};
	uint32		names;
	uint32		operators = 0;
	Token		token = {0};

	for (;;)
	{
		TokenScan(parser->text, parser->length, token.start + token.length, &token);
		if (token.type == TOKEN_END)
			break;
		counts[token.type]++;
	}

	names = counts[TOKEN_IDENTIFIER] + counts[TOKEN_NAME_PLACEHOLDER];
	for (TokenType type = TOKEN_EQUAL; type <= TOKEN_GREATER_OR_EQUAL; type++)
		operators += counts[type];
	operators += counts[TOKEN_BETWEEN] + counts[TOKEN_IN];

	memset(bounds, 0, sizeof(ExpressionBounds));
	bounds->paths = names;
	bounds->steps = names + counts[TOKEN_INTEGER];
	bounds->values = counts[TOKEN_VALUE_PLACEHOLDER];
	if (parser->kind == EXPRESSION_UPDATE)
		bounds->actions = names;
	else if (parser->kind != EXPRESSION_PROJECTION)
		bounds->predicates = operators + counts[TOKEN_OPEN_PARENTHESIS];
	if (parser->kind != EXPRESSION_PROJECTION)
		bounds->operands = names + counts[TOKEN_VALUE_PLACEHOLDER] + counts[TOKEN_PLUS] + counts[TOKEN_MINUS];
	*frames = operators + counts[TOKEN_OPEN_PARENTHESIS] + counts[TOKEN_NOT] + counts[TOKEN_AND] + counts[TOKEN_OR] +
		counts[TOKEN_PLUS] + counts[TOKEN_MINUS];
}

/*
 * ExpressionParse
 *		The expression that a text of at most EXPRESSION_MAX_LENGTH bytes says.
 *
 * Result	allocated in the current context, with a copy of the text
 * Errors	KV001: syntax, and what else needs neither names nor values to be seen
 */
Expression *
ExpressionParse(ExpressionKind kind, const char *text, uint32 length)
{
	Parser		parser = {0};
	ExpressionBounds bounds;
	uint32		frames;

	parser.kind = kind;
	parser.text = text;
	parser.length = length;
	count_pieces(&parser, &bounds, &frames);
	parser.expression = ExpressionConstruct(kind, text, length, &bounds);
	parser.frames = palloc(sizeof(Frame) * frames);
	/* The pieces point into the expression's own copy. */
	parser.text = parser.expression->key.text;
	TokenScan(parser.text, length, 0, &parser.current);
	TokenScan(parser.text, length, parser.current.start + parser.current.length, &parser.next);

	switch (kind)
	{
		case EXPRESSION_CONDITION:
		case EXPRESSION_FILTER:
		case EXPRESSION_KEY_CONDITION:
			parse_condition(&parser);
			report_redundant_parentheses(&parser);
			report_unknown_function(&parser);
			report_misused_function(&parser, &parser.misused_function);
			report_foreign_function(&parser);
			report_reserved_word(&parser);
			report_bad_index(&parser);
			break;
		case EXPRESSION_UPDATE:
			parse_update(&parser);
			report_redundant_parentheses(&parser);
			report_reserved_word(&parser);
			report_unknown_function(&parser);
			report_foreign_function(&parser);
			report_misused_function(&parser, &parser.nested_list_append);
			report_repeated_clause(&parser);
			report_bad_index(&parser);
			break;
		case EXPRESSION_PROJECTION:
			parse_projection(&parser);
			report_reserved_word(&parser);
			report_bad_index(&parser);
			break;
	}
	pfree(parser.frames);
	return parser.expression;
}
