/*
 * src/api/api_request.h
 *		What the operations on items share: the members of their requests, from there to the operations layer, and the response's
 *		common members.
 */
#ifndef SINGLETABLE_API_REQUEST_H
#define SINGLETABLE_API_REQUEST_H

#include "api/api_internal.h"
#include "operation/capacity.h"
#include "operation/operation.h"

/* Members of GetItem, PutItem, UpdateItem and DeleteItem, and of the actions of transactions, each of which binds some of them. */
typedef struct ApiItemRequest
{
	bool		is_present;
	ApiString	table_name;
	ApiItem		key;
	ApiItem		item;
	ApiBoolean	consistent_read;
	ApiString	projection;
	ApiString	update;
	ApiString	condition;
	ApiMap		names;			/* of ApiString */
	ApiMap		values;			/* of ApiValue */
	ApiString	return_values;
	ApiString	return_values_on_failure;
	ApiString	return_consumed_capacity;
	ApiString	return_item_collection_metrics;
	/* legacy */
	ApiList		attributes_to_get;	/* of ApiString */
	ApiMap		attribute_updates;	/* of ApiAttributeUpdate */
	ApiMap		expected;		/* of ApiCondition */
	ApiString	conditional_operator;
} ApiItemRequest;

/* Condition and ExpectedAttributeValue: the former has only the first two members. */
typedef struct ApiCondition
{
	bool		is_present;
	ApiString	comparison_operator;
	ApiList		values;			/* AttributeValueList, of ApiValue */
	ApiValue	value;
	ApiBoolean	exists;
} ApiCondition;

typedef struct ApiAttributeUpdate
{
	bool		is_present;
	ApiString	action;
	ApiValue	value;
} ApiAttributeUpdate;

extern const ApiType ApiExpectedMapType;
extern const ApiType ApiConditionMapType;
extern const ApiType ApiAttributeUpdateMapType;

/* ReturnConsumedCapacity, in the order of its set. */
typedef enum ApiCapacityDetail
{
	API_CAPACITY_INDEXES,
	API_CAPACITY_TOTAL,
	API_CAPACITY_NONE
} ApiCapacityDetail;

/* Constraint of a ReturnConsumedCapacity; absent is NONE. */
extern ApiCapacityDetail ApiCheckCapacityDetail(ApiConstraints *constraints, const ApiString *value);
/* Constraint of a ReturnItemCollectionMetrics: is it SIZE? */
extern bool ApiCheckCollectionMetrics(ApiConstraints *constraints, const ApiString *value);

/* api_request.c */

/* Names the request's table for the operations layer; table must live as long as target. */
extern void ApiUseTable(ApiRequest *request, const ApiString *name, ApiTable *table);
extern void ApiSetText(ExpressionText *target, const ApiString *text);
/* The two maps as they are, unchecked. */
extern void ApiSetPlaceholders(Placeholders *target, const ApiMap *names, const ApiMap *values);
/*
 * What single requests and actions of transactions have in common: the table, key or item (KV001 with the first wrong value in it), texts and
 * placeholders, unchecked.  table must live as long as target, of which nothing else is changed.
 */
extern void ApiSetItemRequest(ApiRequest *request, const ApiItemRequest *body, ApiTable *table, ItemRequest *target);
/* reference/expressions section 4, rows 4 to 11: the maps' keys and values; wrong values are raised with their key. */
extern void ApiCheckPlaceholders(Placeholders *target, const ApiMap *values);

/* api_legacy.c: parameters from before expressions. */

/* A member that may stand in a request, for the check of mixing. */
typedef struct ApiMemberPresence
{
	const char *name;
	bool		is_present;
} ApiMemberPresence;

/* KV001 if both a legacy parameter and an expression are there. */
extern void ApiCheckMixing(const ApiMemberPresence *legacy, int legacy_count, const ApiMemberPresence *expressions, int expression_count);
/* Constraints of a map of conditions: path is "expected", "queryFilter", ...; may the operator be absent? */
extern void ApiCheckConditionMap(ApiConstraints *constraints, const ApiMap *conditions, const char *path, bool operator_is_optional);
extern void ApiCheckUpdateMap(ApiConstraints *constraints, const ApiMap *updates);
extern void ApiCheckAttributesToGet(ApiConstraints *constraints, const ApiList *names, const char *path);
/*
 * Contents of the legacy parameters, as expressions that the operations take in place of a text.  Each leaves target alone when its
 * parameter is absent (or, of conditions and updates, empty).  KV001 with the texts of reference/legacy.
 */
extern void ApiLegacyProjection(const ApiList *attributes_to_get, ExpressionText *target);
extern void ApiLegacyExpected(const ApiMap *expected, const ApiString *conditional_operator, ExpressionText *target);
extern void ApiLegacyFilter(const ApiMap *filter, const ApiString *conditional_operator, ExpressionText *target);
extern void ApiLegacyKeyConditions(const ApiMap *conditions, ExpressionText *target);
extern void ApiLegacyUpdates(const ApiMap *updates, ExpressionText *target);

/* api_token.c */

/* Claims a token; true if its transaction was carried out already.  KV007, KV008. */
extern bool ApiTokenBegin(const char *token, const WriteRequest *writes, int count);
extern void ApiTokenEnd(const char *token, const WriteRequest *writes, int count);

/* api_write.c */

typedef enum ApiCapacityKind
{
	API_CAPACITY_PLAIN,			/* CapacityUnits alone */
	API_CAPACITY_TRANSACTION_READ,	/* and ReadCapacityUnits */
	API_CAPACITY_TRANSACTION_WRITE	/* and WriteCapacityUnits */
} ApiCapacityKind;

/* One ConsumedCapacity object, without the member's name. */
extern void ApiWriteCapacity(StringInfo out, const Capacity *capacity, const char *table_name, ApiCapacityDetail detail,
							 ApiCapacityKind kind);
/* One ItemCollectionMetrics object: of the partition that holds this item or key. */
extern void ApiWriteCollectionMetrics(StringInfo out, const TableDescriptor *table, const SingletableItem *item);
/* A list of them: of each partition once. */
extern void ApiWriteCollectionMetricsList(StringInfo out, const TableDescriptor *table, const SingletableItem *const *items, int count);
extern bool ApiHasLocalIndex(const TableDescriptor *table);

#endif							/* SINGLETABLE_API_REQUEST_H */
