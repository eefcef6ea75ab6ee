/*
 * src/expression/expression.h
 *		Condition, filter, key-condition, update and projection expressions.
 *
 * A request goes: PlaceholdersCheck for the two maps, ExpressionPrepare for each expression in the service's order,
 * PlaceholdersCheckUnused; all of that before any table is looked up.  Then the prepared expressions are evaluated, as often
 * as needed.  All errors are KV001 with the texts of reference/expressions.
 *
 * An Expression is the parsed text, which knows nothing of names and values: cached by kind and text for the session, bounded by
 * singletable.expression_cache_size (memory contexts "singletable expression").  A PreparedExpression is an Expression with its
 * placeholders resolved: it belongs to the memory context it was made in and pins its Expression until that context is reset.
 */
#ifndef SINGLETABLE_EXPRESSION_H
#define SINGLETABLE_EXPRESSION_H

#include "utils/jsonb.h"

#include "item/item.h"

typedef enum ExpressionKind
{
	EXPRESSION_CONDITION,
	EXPRESSION_FILTER,
	EXPRESSION_KEY_CONDITION,
	EXPRESSION_UPDATE,
	EXPRESSION_PROJECTION
} ExpressionKind;

typedef struct PreparedExpression PreparedExpression;

/* One entry of ExpressionAttributeNames or ExpressionAttributeValues. */
typedef struct Placeholder
{
	const char *key;			/* with its # or :, not NUL-terminated */
	uint32		key_length;
	bool		is_used;		/* by an expression prepared with it */
	const char *name;			/* of a name: the attribute's name */
	uint32		name_length;
	AttributeValue value;		/* of a value */
} Placeholder;

typedef struct Placeholders
{
	bool		has_names;		/* given at all? an empty map that was given is an error */
	bool		has_values;
	uint32		name_count;
	uint32		value_count;
	Placeholder *names;
	Placeholder *values;
} Placeholders;

/* reference/expressions section 4, rows 4 to 10, and the nesting of the values.  names and values are borrowed. */
extern void PlaceholdersCheck(Placeholders *placeholders);
/* Rows 13 and 14. */
extern void PlaceholdersCheckUnused(const Placeholders *placeholders);
/*
 * Fills the struct from what SQL functions take: attribute_names (a jsonb object of strings) and attribute_values (an item);
 * NULL for what is not given.  Does PlaceholdersCheck.  Palloc'd in the current context.
 */
extern void PlaceholdersFromSql(Placeholders *placeholders, Jsonb *names, const SingletableItem *values);

/* Parses (or finds) the expression and resolves its placeholders, which are marked as used.  Row 12: all static checks. */
extern PreparedExpression *ExpressionPrepare(ExpressionKind kind, const char *text, uint32 length, Placeholders *placeholders);

/* A document path with its names resolved. */
typedef struct PathStep
{
	bool		is_index;
	uint32		index;			/* of a list element */
	const char *name;			/* not NUL-terminated */
	uint32		name_length;
} PathStep;

typedef struct DocumentPath
{
	uint32		step_count;		/* at least 1; the first is a name */
	PathStep   *steps;
} DocumentPath;

/* The value at a path, or false. */
extern bool DocumentPathFind(const DocumentPath *path, AttributeSource *source, AttributeValue *value);

/*
 * Every path of the expression, in order of appearance, targets of an update included: for the checks against a table's keys and
 * an index's projection, which the operations do.
 */
extern const DocumentPath *ExpressionPaths(const PreparedExpression *expression, uint32 *count);

/* CONDITION, FILTER: does it hold?  An absent item is an empty source. */
extern bool ExpressionMatches(const PreparedExpression *expression, AttributeSource *source);

/* PROJECTION: what is left of the item; never NULL, maybe empty. */
extern SingletableItem *ExpressionProject(const PreparedExpression *expression, AttributeSource *source);

/* KEY_CONDITION: one or more conditions on top-level attributes, AND between them, in the order written. */
typedef enum KeyOperator
{
	KEY_EQUAL,
	KEY_LESS,
	KEY_LESS_OR_EQUAL,
	KEY_GREATER,
	KEY_GREATER_OR_EQUAL,
	KEY_BETWEEN,
	KEY_BEGINS_WITH,
	KEY_NOT_INDEXABLE			/* legacy operators that no key takes: the operation refuses them when it knows the keys */
} KeyOperator;

typedef struct KeyCondition
{
	const char *name;			/* the attribute, resolved */
	uint32		name_length;
	KeyOperator op;				/* turned round if the value stood on the left */
	AttributeValue value;
	AttributeValue upper;		/* BETWEEN only */
} KeyCondition;

extern const KeyCondition *ExpressionKeyConditions(const PreparedExpression *expression, uint32 *count);

/* UPDATE */
typedef enum UpdateClause
{
	UPDATE_SET,
	UPDATE_REMOVE,
	UPDATE_ADD,
	UPDATE_DELETE
} UpdateClause;

typedef struct UpdateTarget
{
	UpdateClause clause;
	DocumentPath path;
	const AttributeValue *value;	/* when the right side is just a value placeholder (SET; ADD and DELETE always), else NULL */
} UpdateTarget;

extern const UpdateTarget *ExpressionTargets(const PreparedExpression *expression, uint32 *count);
/* Does it hold SET or ADD, so that an absent item is created? */
extern bool ExpressionCreatesItem(const PreparedExpression *expression);
/*
 * The updated item.  source: the old item; of an absent one the key attributes alone, with item_exists false.  Nesting and
 * numbers of the result are checked; its size and keys are the caller's.  Numbers of ADD and + are exact.
 */
extern SingletableItem *ExpressionUpdate(const PreparedExpression *expression, AttributeSource *source, bool item_exists);
/* UPDATED_OLD / UPDATED_NEW: the item reduced to the target paths; NULL when nothing is left. */
extern SingletableItem *ExpressionProjectTargets(const PreparedExpression *expression, AttributeSource *source);

#endif							/* SINGLETABLE_EXPRESSION_H */
