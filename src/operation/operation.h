/*
 * src/operation/operation.h
 *		DynamoDB's operations on items: from a request struct to a result, for any front (SQL functions, JSON API, a worker).
 *
 * A front fills a request, borrowed pointers all; the operation validates in the service's order (reference/item-operations section
 * 3), acts, and returns a result that lives in the current context.  Errors are raised: exception by SQLSTATE, extra members as
 * JSON in DETAIL.
 */
#ifndef SINGLETABLE_OPERATION_H
#define SINGLETABLE_OPERATION_H

#include "expression/expression.h"
#include "operation/capacity.h"
#include "storage/storage.h"

/*
 * An expression, absent when all is zero: its text, or (parameters from before expressions, or one expression for many requests) what
 * is made of it already, which then counts.
 */
typedef struct ExpressionText
{
	const char *data;
	uint32		length;
	PreparedExpression *prepared;
} ExpressionText;

typedef enum ReturnValues
{
	RETURN_NONE,
	RETURN_ALL_OLD,
	RETURN_UPDATED_OLD,
	RETURN_ALL_NEW,
	RETURN_UPDATED_NEW
} ReturnValues;

/* False when the text is none of them. */
extern bool ReturnValuesParse(const char *text, uint32 length, ReturnValues *return_values);
/* KV001 with the enum's constraint text. */
extern ReturnValues ReturnValuesFromText(const char *text, uint32 length);

/* What is done to one item. */
typedef enum ItemAction
{
	ACTION_GET,
	ACTION_PUT,
	ACTION_UPDATE,
	ACTION_DELETE,
	ACTION_CHECK
} ItemAction;

/*
 * What get, put, update, delete and check have in common.  The table is resolved late (after the checks that need none), so a
 * front that has a name instead of an OID gives resolve_table.
 */
typedef struct ItemRequest
{
	Oid			relid;			/* InvalidOid: call resolve_table */
	Oid			(*resolve_table) (void *state);
	void	   *resolve_state;
	const SingletableItem *key; /* get, update, delete, check: the Key */
	const SingletableItem *item;	/* put: the Item */
	ExpressionText condition;
	ExpressionText update;
	ExpressionText projection;
	Placeholders placeholders;	/* checked by PlaceholdersFromSql or PlaceholdersCheck */
	ReturnValues return_values;
	bool		return_old_on_failure;	/* ReturnValuesOnConditionCheckFailure ALL_OLD: Item in DETAIL */
	bool		read_old_item;	/* capacity is asked for: a write reads the old item even where nothing else needs it */
	ReadCharge	charge;			/* reads: what the session's total is charged */
	bool		arguments_checked;	/* by OperationCheckArguments */
} ItemRequest;

typedef struct ItemResult
{
	SingletableItem *attributes;	/* Item or Attributes; NULL for none */
	/* For capacity: */
	TableDescriptor *table;
	const SingletableItem *old_item;	/* NULL: none, or (unconditional put returning nothing) not read */
	const SingletableItem *new_item;
} ItemResult;

/*
 * Steps 4, 6 and 7: placeholders without expression, ReturnValues, size of an Item.  They come before the placeholder maps
 * themselves (step 9), so a front calls this before PlaceholdersCheck or PlaceholdersFromSql with has_names and has_values set;
 * the operations call it for those that did not.
 */
extern void OperationCheckArguments(ItemAction action, ItemRequest *request);

extern void OperationGetItem(ItemRequest *request, ItemResult *result);
extern void OperationPutItem(ItemRequest *request, ItemResult *result);
extern void OperationUpdateItem(ItemRequest *request, ItemResult *result);
extern void OperationDeleteItem(ItemRequest *request, ItemResult *result);
/* Locks the key, present or absent, and raises KV002 unless the condition holds. */
extern void OperationCheckItem(ItemRequest *request, ItemResult *result);

/* Query and Scan. */
typedef struct QueryRequest
{
	Oid			relid;
	Oid			(*resolve_table) (void *state);
	void	   *resolve_state;
	bool		is_scan;
	const char *index_name;		/* NULL: the table */
	uint32		index_name_length;
	ExpressionText key_condition;	/* query only */
	ExpressionText filter;
	ExpressionText projection;
	Placeholders placeholders;
	bool		is_backward;
	bool		is_consistent;	/* ConsistentRead: refused on a GSI */
	int			segment;		/* scan; with total_segments > 0 */
	int			total_segments;
	int64		limit;			/* items evaluated; 0 = no limit */
	int64		max_items;		/* items returned; 0 = no limit; -1 = none */
	uint64		page_bytes;		/* stop after the item that reaches this many bytes; 0 = never */
	const SingletableItem *start_key;	/* ExclusiveStartKey or NULL */
	enum
	{
		SELECT_DEFAULT, SELECT_ALL_ATTRIBUTES, SELECT_ALL_PROJECTED_ATTRIBUTES, SELECT_SPECIFIC_ATTRIBUTES, SELECT_COUNT
	}			select;
	bool		measure_sizes;	/* add up DynamoDB's sizes of what is evaluated, for capacity */
	bool		is_legacy_filter;	/* the filter stands for a QueryFilter: messages say so */
	bool		arguments_checked;	/* by OperationCheckQueryArguments */
} QueryRequest;

typedef struct QueryState
{
	/* Read by fronts. */
	TableDescriptor *table;
	const SecondaryIndex *index;
	int64		count;			/* returned so far */
	int64		scanned_count;	/* evaluated so far */
	uint64		scanned_bytes;	/* with measure_sizes or page_bytes; of index entries when an index is read */
	uint64		fetched_bytes;	/* the same, of whole items fetched for attributes that an LSI lacks, each rounded up to 4096 */
	bool		is_at_end;		/* of the range: no LastEvaluatedKey */
	struct QueryPrivate *private;
} QueryState;

/* The checks of section 3 that come before the placeholder maps, as OperationCheckArguments. */
extern void OperationCheckQueryArguments(QueryRequest *request);
/* Validates and opens; lives in the current context.  The request's texts, placeholders and start key must live as long. */
extern QueryState *OperationQueryBegin(QueryRequest *request);
/* The next item that passes the filter, projected, palloc'd in the current context; NULL at the end of the page. */
extern SingletableItem *OperationQueryNext(QueryState *state);
/* After Next returned NULL: the LastEvaluatedKey, or NULL when the range was read to its end. */
extern SingletableItem *OperationQueryLastKey(QueryState *state);
extern void OperationQueryEnd(QueryState *state);

/*
 * Batches: a list of requests over any tables.  Limits on their number are the JSON front's.  Requests on one table that are
 * known by a name share their resolve_state and stand next to each other.  results may be NULL where nobody looks at them.
 */
typedef enum WriteAction
{
	WRITE_PUT = ACTION_PUT,
	WRITE_UPDATE = ACTION_UPDATE,
	WRITE_DELETE = ACTION_DELETE,
	WRITE_CHECK = ACTION_CHECK
} WriteAction;

typedef struct WriteRequest
{
	WriteAction action;
	ItemRequest request;
} WriteRequest;

/* All or nothing here, unlike DynamoDB: one transaction.  Duplicate keys are refused as there. */
extern void OperationBatchWriteItem(WriteRequest *writes, int count, ItemResult *results);
/* results[i].attributes is NULL where there is no item.  Duplicate keys are refused. */
extern void OperationBatchGetItem(ItemRequest *requests, int count, ItemResult *results);
/* KV005 TransactionCanceledException with CancellationReasons in DETAIL; are conflicts with other writers among the reasons? */
extern void OperationTransactWriteItems(WriteRequest *writes, int count, bool conflicts_are_reasons, ItemResult *results);
extern void OperationTransactGetItems(ItemRequest *requests, int count, ItemResult *results);

#endif							/* SINGLETABLE_OPERATION_H */
