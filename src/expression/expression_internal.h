/*
 * src/expression/expression_internal.h
 *		What the files of this folder share: tokens, the parsed expression, the prepared one.
 *
 * TEXT TO RESULT
 *
 *	scan.c			text -> tokens
 *	parse.c			tokens -> Expression; syntax errors and the other checks that need nothing but the text
 *	construct.c		the pieces of an Expression; a front without expressions in its requests can use them too
 *	cache.c			Expressions by kind and text
 *	prepare.c		Expression + Placeholders -> PreparedExpression
 *	check.c			the checks that need names and values
 *	key_condition.c	the rules of key conditions
 *	evaluate.c, project.c, update.c		PreparedExpression + item -> result
 *
 * A condition is kept as a list of predicates (comparisons and boolean functions) in the order written.  Each knows which
 * predicate is to be looked at next when it holds and when it does not: AND, OR, NOT and parentheses are in these jumps, so
 * that neither checking nor evaluating recurses, however deep the parentheses were.
 *
 * Example: NOT a = :x AND (b = :y OR c = :z)
 *
 *		0	a = :x		holds: false	else: 1
 *		1	b = :y		holds: true		else: 2
 *		2	c = :z		holds: true		else: false
 */
#ifndef SINGLETABLE_EXPRESSION_INTERNAL_H
#define SINGLETABLE_EXPRESSION_INTERNAL_H

#include "lib/ilist.h"

#include "expression/expression.h"

#define EXPRESSION_MAX_LENGTH 4096	/* bytes of UTF-8 */
#define EXPRESSION_MAX_OPERATORS 300
#define EXPRESSION_MAX_IN_OPERANDS 100
#define EXPRESSION_MAX_STEPS 32 /* of one path */
#define PLACEHOLDER_MAX_LENGTH 255	/* bytes, with its # or : */

/* What most messages begin with; the argument is ExpressionKindName. */
#define INVALID_EXPRESSION "Invalid %s: "

/* A stretch of an expression's text. */
typedef struct TextSpan
{
	const char *data;			/* NULL: none */
	uint32		length;
} TextSpan;

/* ---- tokens ---- */

typedef enum TokenType
{
	TOKEN_END,
	TOKEN_BAD,					/* one character that begins no token */
	TOKEN_IDENTIFIER,
	TOKEN_NAME_PLACEHOLDER,
	TOKEN_VALUE_PLACEHOLDER,
	TOKEN_INTEGER,
	TOKEN_AND,
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_BETWEEN,
	TOKEN_IN,
	TOKEN_SET,
	TOKEN_REMOVE,
	TOKEN_ADD,
	TOKEN_DELETE,
	TOKEN_EQUAL,
	TOKEN_NOT_EQUAL,
	TOKEN_LESS,
	TOKEN_LESS_OR_EQUAL,
	TOKEN_GREATER,
	TOKEN_GREATER_OR_EQUAL,
	TOKEN_PLUS,
	TOKEN_MINUS,
	TOKEN_OPEN_PARENTHESIS,
	TOKEN_CLOSE_PARENTHESIS,
	TOKEN_OPEN_BRACKET,
	TOKEN_CLOSE_BRACKET,
	TOKEN_COMMA,
	TOKEN_DOT
} TokenType;

#define TOKEN_TYPES (TOKEN_DOT + 1)

typedef struct Token
{
	TokenType	type;
	uint32		start;			/* bytes from the start of the text */
	uint32		length;			/* bytes; 0 of the end */
} Token;

/* The token that begins at or after position; white space before it is skipped. */
extern void TokenScan(const char *text, uint32 length, uint32 position, Token *token);

/* Is this one of the 573 words that stand for no attribute (without case)? */
extern bool ReservedWordMatches(const char *word, uint32 length);

/* ---- the parsed expression ---- */

typedef enum ExpressionFunction
{
	FUNCTION_UNKNOWN,
	FUNCTION_ATTRIBUTE_EXISTS,
	FUNCTION_ATTRIBUTE_NOT_EXISTS,
	FUNCTION_ATTRIBUTE_TYPE,
	FUNCTION_BEGINS_WITH,
	FUNCTION_CONTAINS,
	FUNCTION_SIZE,
	FUNCTION_IF_NOT_EXISTS,
	FUNCTION_LIST_APPEND
} ExpressionFunction;

typedef enum OperandType
{
	OPERAND_PATH,
	OPERAND_VALUE,
	OPERAND_CALL,
	OPERAND_PLUS,				/* the right side of a SET action only, as OPERAND_MINUS */
	OPERAND_MINUS
} OperandType;

typedef struct Operand Operand;

typedef struct OperandList
{
	Operand    *first;
	Operand    *last;
	uint32		count;
} OperandList;

struct Operand
{
	OperandType type;
	uint32		index;			/* PATH: of Expression.paths, VALUE: of Expression.values */
	ExpressionFunction function;	/* CALL */
	TextSpan	name;			/* CALL: the function's, as written */
	OperandList arguments;		/* CALL, PLUS, MINUS */
	Operand    *next;			/* in the list it belongs to */
};

typedef enum PredicateType
{
	PREDICATE_EQUAL,
	PREDICATE_NOT_EQUAL,
	PREDICATE_LESS,
	PREDICATE_LESS_OR_EQUAL,
	PREDICATE_GREATER,
	PREDICATE_GREATER_OR_EQUAL,
	PREDICATE_BETWEEN,
	PREDICATE_IN,
	PREDICATE_ATTRIBUTE_EXISTS,
	PREDICATE_ATTRIBUTE_NOT_EXISTS,
	PREDICATE_ATTRIBUTE_TYPE,
	PREDICATE_BEGINS_WITH,
	PREDICATE_CONTAINS
} PredicateType;

/* Where a jump of a condition ends. */
#define JUMP_TRUE (-1)
#define JUMP_FALSE (-2)

typedef struct Predicate
{
	PredicateType type;
	int16		if_true;		/* the predicate to look at next, or JUMP_TRUE, JUMP_FALSE */
	int16		if_false;
	uint16		operator_count; /* operators of the text up to here, AND, OR and NOT included */
	OperandList operands;
} Predicate;

typedef struct UpdateAction
{
	UpdateClause clause;
	uint32		path;			/* the target: of Expression.paths */
	Operand    *operand;		/* SET: the right side; ADD, DELETE: the value; REMOVE: NULL */
} UpdateAction;

typedef struct ExpressionKey
{
	ExpressionKind kind;
	uint32		length;
	const char *text;			/* NUL-terminated in an Expression */
} ExpressionKey;

typedef struct Expression
{
	ExpressionKey key;
	uint32		path_count;
	DocumentPath *paths;		/* in order of appearance; a name that is a placeholder begins with # */
	uint32		step_count;		/* of all paths */
	PathStep   *steps;
	uint32		value_count;
	TextSpan   *values;			/* value placeholders in order of appearance, with their : */
	uint32		operator_count;
	uint32		operand_count;
	Operand    *operands;
	bool		has_name_placeholders;
	bool		is_legacy;		/* made of pre-expression parameters (legacy.c), of which errors have their own texts */

	/* conditions; the first predicate is where evaluation begins */
	uint32		predicate_count;
	Predicate  *predicates;
	const char *forbidden_connective;	/* for key conditions: the first OR or NOT, */
	uint32		forbidden_position; /* and how many predicates stand before it */

	/* updates */
	uint32		action_count;
	UpdateAction *actions;

	/* cache.c */
	MemoryContext context;
	int			pin_count;		/* prepared expressions that use it */
	dlist_node	unpinned;		/* in the list of those without pins */
} Expression;

/*
 * A condition under construction: its first predicate, and the jumps that nobody has directed yet.  Open jumps are chained
 * through the jump fields themselves; a reference to one is the predicate's number * 2, + 1 for if_false; NO_JUMP ends a chain.
 */
typedef struct Condition
{
	int16		first;
	int16		open_true;
	int16		open_false;
} Condition;

#define NO_JUMP (-3)

/* How many pieces an expression can have at most; its arrays have room for so many. */
typedef struct ExpressionBounds
{
	uint32		paths;
	uint32		steps;
	uint32		values;
	uint32		operands;
	uint32		predicates;
	uint32		actions;
} ExpressionBounds;

/* construct.c.  Everything is allocated by the first, in the current context. */
extern Expression *ExpressionConstruct(ExpressionKind kind, const char *text, uint32 length, const ExpressionBounds *bounds);
extern uint32 ExpressionAddPath(Expression *expression);
extern void ExpressionAddName(Expression *expression, const char *name, uint32 length);	/* a step of the last path */
extern void ExpressionAddIndex(Expression *expression, uint32 index);
extern Operand *ExpressionAddOperand(Expression *expression, OperandType type);
extern Operand *ExpressionAddValue(Expression *expression, const char *placeholder, uint32 length);
extern void OperandListAppend(OperandList *list, Operand *operand);
extern Condition ExpressionAddPredicate(Expression *expression, PredicateType type, const OperandList *operands);
extern Condition ConditionNot(Condition condition);
extern Condition ConditionAnd(Expression *expression, Condition left, Condition right);
extern Condition ConditionOr(Expression *expression, Condition left, Condition right);
extern void ExpressionSetCondition(Expression *expression, Condition condition);	/* the finished one */
extern UpdateAction *ExpressionAddAction(Expression *expression, UpdateClause clause, uint32 path);
extern const char *ExpressionKindName(ExpressionKind kind);
extern ExpressionFunction ExpressionFunctionFind(const char *name, uint32 length);
extern const char *PredicateName(PredicateType type);	/* as the messages call it */

/* parse.c: KV001 for what is wrong with the text alone.  In the current context. */
extern Expression *ExpressionParse(ExpressionKind kind, const char *text, uint32 length);

/* cache.c: an expression stays until the next ExpressionFind, or as long as it is pinned. */
extern Expression *ExpressionFind(ExpressionKind kind, const char *text, uint32 length);
extern void ExpressionPin(Expression *expression);	/* does not fail */
extern void ExpressionUnpin(Expression *expression);

/* ---- the prepared expression ---- */

struct PreparedExpression
{
	Expression *expression;		/* pinned */
	DocumentPath *paths;		/* those of the expression, names resolved */
	AttributeValue *values;		/* of the expression's value placeholders */
	uint16	   *path_order;		/* PROJECTION: paths, UPDATE: targets, in the order of their steps (DocumentPathCompare) */
	UpdateTarget *targets;		/* UPDATE: one per action */
	KeyCondition *key_conditions;	/* KEY_CONDITION: one per predicate */
	MemoryContextCallback callback; /* unpins the expression */
};

/* A literal value among the operands, or NULL. */
static inline const AttributeValue *
OperandGetValue(const PreparedExpression *prepared, const Operand *operand)
{
	return operand->type == OPERAND_VALUE ? &prepared->values[operand->index] : NULL;
}

/* placeholders.c: the entry of that key, or NULL.  Sorted by PlaceholdersCheck. */
extern Placeholder *PlaceholderFind(Placeholder *entries, uint32 count, const char *key, uint32 length);

/* check.c */
extern void PredicateCheck(const PreparedExpression *prepared, const Predicate *predicate);
extern void UpdateOperatorsCheck(const PreparedExpression *prepared);
extern void UpdateOperandsCheck(const PreparedExpression *prepared);
extern void PathsCheckDepth(const PreparedExpression *prepared);
/* Overlap and conflict of the count paths that path_order has sorted. */
extern void PathsCheckOverlap(const PreparedExpression *prepared, uint32 count);

/* key_condition.c: the rules of key conditions; fills key_conditions. */
extern void KeyConditionPrepare(PreparedExpression *prepared);

/* evaluate.c */
extern int	DocumentPathCompare(const DocumentPath *a, const DocumentPath *b);	/* list steps before map steps, prefix first */
extern bool PathStepEqual(const PathStep *a, const PathStep *b);
extern bool PathStepFind(const PathStep *step, const AttributeValue *parent, AttributeValue *value);

/* project.c: what count paths of path_order select; NULL when nothing. */
extern SingletableItem *PathsProject(const PreparedExpression *prepared, uint32 count, AttributeSource *source);

/* Number and path of the i-th entry of path_order. */
static inline const DocumentPath *
OrderedPath(const PreparedExpression *prepared, uint32 i)
{
	uint32		number = prepared->path_order[i];

	return prepared->targets != NULL ? &prepared->targets[number].path : &prepared->paths[number];
}

#endif							/* SINGLETABLE_EXPRESSION_INTERNAL_H */
