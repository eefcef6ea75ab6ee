/*
 * src/operation/transaction.c
 *		TransactGetItems and TransactWriteItems.
 *
 * Isolation of a write transaction comes from locks alone, at every isolation level.  Its actions lock their keys in one order,
 * that of the tables' OIDs and then of the keys, and hold the locks until the database transaction ends: a present row by FOR
 * UPDATE, an absent key by the row that is inserted there, or by keeping it absent.  A condition is evaluated on what was
 * locked.  So two transactions that share a key run one after the other, and cannot wait for each other in a circle.  The row of
 * a Put may be written before a later action's condition is known to be false: the error that ends the transaction takes it back.
 *
 * Source: reference/batch-and-transactions, sections 4 and 5.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "base/settings.h"
#include "item/json.h"
#include "operation/operation_internal.h"

#define MESSAGE_DUPLICATE_ACTION "Transaction request cannot include multiple operations on one item"

/* Why an action fails; all zero when it does not. */
typedef struct CancellationReason
{
	const char *code;			/* NULL: None */
	const char *message;
	const SingletableItem *item;	/* NULL: none to be shown */
} CancellationReason;

/*
 * Raises TransactionCanceledException.
 * Source	reference/batch-and-transactions, section 4.2
 */
static void
report_cancelled(const CancellationReason *reasons, int count)
{
	StringInfoData codes;
	StringInfoData detail;

	initStringInfo(&codes);
	initStringInfo(&detail);
	appendStringInfoString(&detail, "{\"CancellationReasons\": [");
	for (int i = 0; i < count; i++)
	{
		const CancellationReason *reason = &reasons[i];
		const char *code = reason->code != NULL ? reason->code : "None";

		if (i > 0)
		{
			appendStringInfoString(&codes, ", ");
			appendStringInfoString(&detail, ", ");
		}
		appendStringInfoString(&codes, code);
		appendStringInfo(&detail, "{\"Code\": \"%s\"", code);
		if (reason->message != NULL)
		{
			appendStringInfoString(&detail, ", \"Message\": ");
			JsonWriteString(&detail, reason->message, strlen(reason->message));
		}
		if (reason->item != NULL)
		{
			AttributeContainer map;

			ItemOpen(reason->item, &map);
			appendStringInfoString(&detail, ", \"Item\": ");
			JsonWriteItem(&detail, &map);
		}
		appendStringInfoChar(&detail, '}');
	}
	appendStringInfoString(&detail, "]}");
	ereport(ERROR,
			(errcode(ERRCODE_KV_TRANSACTION_CANCELED),
			 errmsg("Transaction cancelled, please refer cancellation reasons for specific reasons [%s]", codes.data),
			 errdetail_internal("%s", detail.data)));
}

static void
set_validation_error(CancellationReason *reason, const char *message)
{
	reason->code = "ValidationError";
	reason->message = message;
}

/* Tables of the operations; those of one relation share a descriptor, so that a transaction of any size pins each once. */
static void
open_tables(ItemOperation *operations, int count)
{
	List	   *tables = NIL;

	for (int i = 0; i < count; i++)
	{
		ItemRequest *request = operations[i].request;
		Oid			relid = RequestResolveTable(request->relid, request->resolve_table, request->resolve_state);
		ListCell   *cell;

		CHECK_FOR_INTERRUPTS();
		foreach(cell, tables)
		{
			TableDescriptor *table = lfirst(cell);

			if (table->relid == relid)
				operations[i].table = table;
		}
		if (operations[i].table == NULL)
		{
			operations[i].table = TableOpen(relid, ActionLockMode(operations[i].action));
			tables = lappend(tables, operations[i].table);
		}
	}
}

static void
run_key_step(void *state)
{
	ItemOperationCheckKey(state);
}

static void
run_schema_step(void *state)
{
	ItemOperationCheckSchema(state);
}

/* Is the first thing wrong with the key that a value is empty?  That is an error of the request, not a reason. */
static bool
key_is_empty(const ItemOperation *operation)
{
	AttributeContainer map;

	ItemOpen(operation->action == ACTION_PUT ? operation->request->item : operation->request->key, &map);
	if (operation->action != ACTION_PUT && map.count != operation->table->key_count)
		return false;
	for (int i = 0; i < operation->table->key_count; i++)
	{
		const PromotedAttribute *attribute = TableKeyAttribute(operation->table, i);
		AttributeValue value;

		if (!AttributeMapFind(&map, attribute->name, attribute->name_length, &value) || value.type != attribute->type)
			return false;
		if (value.length == 0)
			return true;
	}
	return false;
}

/*
 * Checks keys and what needs the schema, of all actions before anything is locked.  Of the failures only the first is reported;
 * what is wrong with the request as a whole is raised at once.
 */
static void
check_actions(ItemOperation *operations, int count, CancellationReason *reasons)
{
	KeySet	   *keys = KeySetCreate(count);
	ItemOperation *empty = NULL;
	bool		failed = false;

	for (int i = 0; i < count; i++)
	{
		ItemOperation *operation = &operations[i];
		const char *message = ValidationErrorCatch(run_key_step, operation);

		CHECK_FOR_INTERRUPTS();
		if (message == NULL && !KeySetAdd(keys, operation->table, &operation->key))
			validation_error(MESSAGE_DUPLICATE_ACTION);
		if (message != NULL && empty == NULL && key_is_empty(operation))
			empty = operation;
		if (message == NULL && !failed)
			message = ValidationErrorCatch(run_schema_step, operation);
		if (message != NULL && !failed)
		{
			set_validation_error(&reasons[i], message);
			failed = true;
		}
	}
	if (empty != NULL)
		ItemOperationCheckKey(empty);
	if (failed)
		report_cancelled(reasons, count);
}

/* What an action consumes, for the session's total. */
static void
measure_action(Capacity *capacity, const ItemOperation *operation, const WriteResult *write, WriteOutcome outcome)
{
	CapacityInit(capacity, operation->table);
	if (operation->action == ACTION_CHECK || outcome != OUTCOME_DONE)
		CapacityAddCheck(capacity, write->old_item);
	else
		CapacityAddWrite(capacity, write->old_item, write->new_item, true);
}

/* A cancelled transaction is charged too, but for its indexes, of which no entry was written. */
static void
count_actions(const Capacity *capacities, int count, bool failed)
{
	for (int i = 0; i < count; i++)
	{
		if (failed)
			memset(capacities[i].index_halves, 0, sizeof(uint64) * capacities[i].table->index_count);
		SessionCapacityAdd(&capacities[i], true);
	}
}

/* Is this what another writer of the item causes? */
static bool
is_conflict(int code)
{
	return code == ERRCODE_T_R_SERIALIZATION_FAILURE || code == ERRCODE_T_R_DEADLOCK_DETECTED || code == ERRCODE_KV_TRANSACTION_CONFLICT;
}

/*
 * Raises the error of the action at this position again, in PG_CATCH; a conflict as the reason why the transaction is cancelled.
 *
 * Nothing goes on after either, so no subtransaction is needed.  lock_timeout's error stays what it is: who sets that wants to know.
 */
static void
report_action_error(CancellationReason *reasons, int count, int position, MemoryContext context)
{
	MemoryContextSwitchTo(context);
	if (!is_conflict(geterrcode()))
		PG_RE_THROW();
	FlushErrorState();
	reasons[position].code = "TransactionConflict";
	reasons[position].message = MESSAGE_TRANSACTION_CONFLICT;
	report_cancelled(reasons, count);
}

/*
 * OperationTransactWriteItems
 *		All the actions, or TransactionCanceledException with the reason of each.
 *
 * conflicts_are_reasons	a conflict with another writer cancels the transaction, too: the JSON API's way.  SQL's is the server's error.
 * Errors	KV001, KV003 for the request as a whole; KV005; KV006, 40001 in REPEATABLE READ and above, and 40P01, unless they are reasons
 * Source	reference/errors, section 8
 */
void
OperationTransactWriteItems(WriteRequest *writes, int count, bool conflicts_are_reasons, ItemResult *results)
{
	ItemOperation *operations = palloc(sizeof(ItemOperation) * count);
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);
	ItemOperation **sorted;
	MemoryContext action_context;
	MemoryContext old_context = CurrentMemoryContext;
	Capacity   *capacities = singletable_track_capacity ? palloc(sizeof(Capacity) * count) : NULL;
	bool		failed = false;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ItemOperationPrepare(&operations[i], (ItemAction) writes[i].action, &writes[i].request);
		operations[i].is_in_transaction = true;
	}
	open_tables(operations, count);
	check_actions(operations, count, reasons);

	sorted = ItemOperationsSort(operations, count);
	action_context = AllocSetContextCreate(CurrentMemoryContext, "singletable transaction action", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < count; i++)
	{
		ItemOperation *operation = sorted[i];
		int			position = operation - operations;
		CancellationReason *reason = &reasons[position];
		WriteResult write;
		WriteOutcome outcome;

		/* What the action leaves is wanted for capacity, else for its reason only. */
		if (results == NULL)
			MemoryContextReset(action_context);
		MemoryContextSwitchTo(action_context);
		PG_TRY();
		{
			outcome = ItemOperationWrite(operation, true, failed, &write);
		}
		PG_CATCH();
		{
			if (!conflicts_are_reasons)
				PG_RE_THROW();
			report_action_error(reasons, count, position, old_context);
		}
		PG_END_TRY();
		MemoryContextSwitchTo(old_context);

		switch (outcome)
		{
			case OUTCOME_DONE:
				break;
			case OUTCOME_CONDITION_FAILED:
				reason->code = "ConditionalCheckFailed";
				reason->message = MESSAGE_CONDITION_FAILED;
				if (operation->request->return_old_on_failure && write.old_item != NULL)
					reason->item = ItemCopy(write.old_item);
				break;
			case OUTCOME_INVALID:
				set_validation_error(reason, pstrdup(write.message));
				break;
		}
		failed = failed || outcome != OUTCOME_DONE;
		if (capacities != NULL)
			measure_action(&capacities[i], operation, &write, outcome);
		if (results != NULL)
		{
			memset(&results[position], 0, sizeof(ItemResult));
			results[position].table = operation->table;
			results[position].old_item = write.old_item;
			results[position].new_item = write.new_item;
		}
	}
	if (capacities != NULL)
		count_actions(capacities, count, failed);
	if (failed)
		report_cancelled(reasons, count);
}

/*
 * OperationTransactGetItems
 *		Many items as of one moment: the snapshot of the calling statement.
 *
 * Result	attributes is NULL where there is no item, or the projection leaves nothing of it
 * Errors	KV001, KV003, KV005 for a key that does not fit; 42501 without SELECT privilege
 */
void
OperationTransactGetItems(ItemRequest *requests, int count, ItemResult *results)
{
	ItemOperation *operations = palloc(sizeof(ItemOperation) * count);
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);
	KeySet	   *keys = KeySetCreate(count);

	memset(results, 0, sizeof(ItemResult) * count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		requests[i].charge = READ_CHARGE_TRANSACTIONAL;
		ItemOperationPrepare(&operations[i], ACTION_GET, &requests[i]);
	}
	open_tables(operations, count);
	for (int i = 0; i < count; i++)
	{
		const char *message = ValidationErrorCatch(run_key_step, &operations[i]);

		CHECK_FOR_INTERRUPTS();
		if (message == NULL)
			message = ValidationErrorCatch(run_schema_step, &operations[i]);
		if (message != NULL)
		{
			/* An empty value is an error of the request: raised as it is. */
			if (key_is_empty(&operations[i]))
				ItemOperationCheckKey(&operations[i]);
			set_validation_error(&reasons[i], message);
			report_cancelled(reasons, count);
		}
	}
	for (int i = 0; i < count; i++)
		if (!KeySetAdd(keys, operations[i].table, &operations[i].key))
			validation_error(MESSAGE_DUPLICATE_ACTION);

	ItemOperationsGet(operations, count, results);
	for (int i = 0; i < count; i++)
	{
		AttributeContainer map;

		if (results[i].attributes == NULL)
			continue;
		ItemOpen(results[i].attributes, &map);
		if (map.count == 0)
			results[i].attributes = NULL;
	}
}
