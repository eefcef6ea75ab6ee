/*
 * src/operation/operation_internal.h
 *		What the files of this folder share: one item's request on its way, sets of keys, checks of paths against a table's keys.
 */
#ifndef SINGLETABLE_OPERATION_INTERNAL_H
#define SINGLETABLE_OPERATION_INTERNAL_H

#include "operation/operation.h"

/* A request on one item: made by ItemOperationPrepare, completed step by step in the order of the functions below. */
typedef struct ItemOperation
{
	ItemAction	action;
	ItemRequest *request;
	PreparedExpression *condition;	/* NULL: none */
	PreparedExpression *update;
	PreparedExpression *projection;
	TableDescriptor *table;
	TableKey	key;
	KeyUse		key_use;
	bool		is_in_transaction;	/* one action of several: see ItemOperationWrite */
} ItemOperation;

typedef enum WriteOutcome
{
	OUTCOME_DONE,
	OUTCOME_CONDITION_FAILED,
	OUTCOME_INVALID				/* the update does not fit the item */
} WriteOutcome;

typedef struct WriteResult
{
	SingletableItem *old_item;	/* NULL: there was none */
	const SingletableItem *new_item;	/* NULL: there is none */
	const char *message;		/* OUTCOME_INVALID: why */
} WriteResult;

/* NULL when the expression was not given. */
extern PreparedExpression *RequestPrepareExpression(ExpressionKind kind, const ExpressionText *text, Placeholders *placeholders);
extern Oid	RequestResolveTable(Oid relid, Oid (*resolve_table) (void *state), void *state);

extern void ItemOperationPrepare(ItemOperation *operation, ItemAction action, ItemRequest *request);
extern LOCKMODE ActionLockMode(ItemAction action);
extern void ItemOperationOpenTable(ItemOperation *operation);
extern void ItemOperationCheckKey(ItemOperation *operation);
extern void ItemOperationCheckSchema(ItemOperation *operation);
extern WriteOutcome ItemOperationWrite(ItemOperation *operation, bool keep_absent, bool decide_only, WriteResult *result);

/* Adds the read of one item to the session's total; NULL when there is none. */
extern void ItemOperationCountRead(const ItemOperation *operation, const SingletableItem *item);

/* Reads the items of operations whose keys are checked; those of one table that stand together, by one scan. */
extern void ItemOperationsGet(ItemOperation *operations, int count, ItemResult *results);

/* Paths into key attributes: KV001. */
extern void TableCheckPaths(const TableDescriptor *table, const PreparedExpression *expression);
extern bool PathStartsAt(const DocumentPath *path, const PromotedAttribute *attribute);

/* A copy in the current context. */
static inline SingletableItem *
ItemCopy(const SingletableItem *item)
{
	Size		size = VARSIZE_ANY(item);

	return memcpy(palloc(size), item, size);
}

/* Runs a step that only computes, and gives back the message of its KV001 instead of raising it; NULL when it went well. */
extern const char *ValidationErrorCatch(void (*step) (void *state), void *state);

/* Keys seen so far, of any tables. */
typedef struct KeySet KeySet;
extern KeySet *KeySetCreate(int expected);
/* False when the key is in the set already.  The key is borrowed. */
extern bool KeySetAdd(KeySet *set, const TableDescriptor *table, const TableKey *key);

/* Operations in the order of their tables and keys: the one order in which everybody locks. */
extern ItemOperation **ItemOperationsSort(ItemOperation *operations, int count);

#endif							/* SINGLETABLE_OPERATION_INTERNAL_H */
