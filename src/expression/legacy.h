/*
 * src/expression/legacy.h
 *		Conditions, updates and projections of the API from before expressions, as prepared expressions.
 *
 * They know top-level attributes only, and no placeholders: names and values are borrowed, and must live as long as what is made
 * of them.  Arguments are checked by the caller; nothing here raises errors of its own.
 * Source: reference/legacy, section 10.
 */
#ifndef SINGLETABLE_LEGACY_H
#define SINGLETABLE_LEGACY_H

#include "expression/expression.h"

typedef enum LegacyOperator
{
	LEGACY_EQ,
	LEGACY_NE,
	LEGACY_LT,
	LEGACY_LE,
	LEGACY_GT,
	LEGACY_GE,
	LEGACY_BETWEEN,
	LEGACY_IN,
	LEGACY_BEGINS_WITH,
	LEGACY_CONTAINS,
	LEGACY_NOT_CONTAINS,
	LEGACY_NULL,
	LEGACY_NOT_NULL
} LegacyOperator;

typedef struct LegacyName
{
	const char *data;			/* not NUL-terminated */
	uint32		length;
} LegacyName;

typedef struct LegacyCondition
{
	LegacyName	name;
	LegacyOperator op;
	uint32		value_count;	/* as many as the operator takes */
	const AttributeValue *values;
} LegacyCondition;

typedef struct LegacyUpdate
{
	UpdateClause clause;		/* PUT is SET; DELETE without value is REMOVE */
	LegacyName	name;
	const AttributeValue *value;	/* NULL: REMOVE */
} LegacyUpdate;

/* CONDITION or FILTER: all of them, or (is_or) one of them. */
extern PreparedExpression *LegacyConditionPrepare(ExpressionKind kind, const LegacyCondition *conditions, uint32 count, bool is_or);
/* KEY_CONDITION; operators that no key takes become KEY_NOT_INDEXABLE. */
extern PreparedExpression *LegacyKeyConditionPrepare(const LegacyCondition *conditions, uint32 count);
/* PROJECTION; the names are distinct. */
extern PreparedExpression *LegacyProjectionPrepare(const LegacyName *names, uint32 count);
/* UPDATE; the names are distinct.  ADD takes lists too, which are appended. */
extern PreparedExpression *LegacyUpdatePrepare(const LegacyUpdate *updates, uint32 count);

#endif							/* SINGLETABLE_LEGACY_H */
