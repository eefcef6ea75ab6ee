/*
 * src/sql/batch_functions.c
 *		batch_get_items, batch_write_items, transact_get_items, transact_write_items.
 *
 * Each takes the JSON of the API's list, with values in plain or typed form, and reads it straight into requests.  Members that the
 * API knows and that mean nothing here (ConsistentRead) are accepted; any other is refused, since a misspelled
 * ConditionExpression must not become a write without condition.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "base/error.h"
#include "sql/sql_functions.h"

#define ActionBit(action) (1 << (action))
#define ALL_WRITES (ActionBit(ACTION_PUT) | ActionBit(ACTION_UPDATE) | ActionBit(ACTION_DELETE) | ActionBit(ACTION_CHECK))
#define ALL_ACTIONS (ALL_WRITES | ActionBit(ACTION_GET))

/* A growing array of requests. */
typedef struct WriteList
{
	WriteRequest *writes;
	int			count;
	int			allocated;
} WriteList;

/* The requests of one table in a RequestItems map. */
typedef struct TableRequests
{
	TableName  *table;
	WriteList	list;
} TableRequests;

/* The members of an action, and which actions have them. */
typedef enum MemberKind
{
	MEMBER_TABLE_NAME,
	MEMBER_ITEM,
	MEMBER_KEY,
	MEMBER_UPDATE,
	MEMBER_CONDITION,
	MEMBER_PROJECTION,
	MEMBER_NAMES,
	MEMBER_VALUES,
	MEMBER_RETURN_VALUES_ON_FAILURE
} MemberKind;

static const struct
{
	const char *name;
	MemberKind	kind;
	int			actions;
}			action_members[] =
{
	{"TableName", MEMBER_TABLE_NAME, ALL_ACTIONS},
	{"Item", MEMBER_ITEM, ActionBit(ACTION_PUT)},
	{"Key", MEMBER_KEY, ALL_ACTIONS & ~ActionBit(ACTION_PUT)},
	{"UpdateExpression", MEMBER_UPDATE, ActionBit(ACTION_UPDATE)},
	{"ConditionExpression", MEMBER_CONDITION, ALL_WRITES},
	{"ProjectionExpression", MEMBER_PROJECTION, ActionBit(ACTION_GET)},
	{"ExpressionAttributeNames", MEMBER_NAMES, ALL_ACTIONS},
	{"ExpressionAttributeValues", MEMBER_VALUES, ALL_WRITES},
	{"ReturnValuesOnConditionCheckFailure", MEMBER_RETURN_VALUES_ON_FAILURE, ALL_WRITES}
};

/* The actions of a transaction's element: the member's name, its type, its name in constraint errors. */
static const struct
{
	const char *member;
	const char *path;
	ItemAction	action;
}			transaction_actions[] =
{
	{"Put", "put", ACTION_PUT},
	{"Update", "update", ACTION_UPDATE},
	{"Delete", "delete", ACTION_DELETE},
	{"ConditionCheck", "conditionCheck", ACTION_CHECK},
	{"Get", "get", ACTION_GET}
};

static inline bool
name_is(const JsonReader *reader, const char *name)
{
	return strlen(name) == reader->string.len && memcmp(name, reader->string.data, reader->string.len) == 0;
}

static void
report_unknown_member(const JsonReader *reader, const char *structure)
{
	validation_error("unrecognized member \"%s\" of %s", pnstrdup(reader->string.data, reader->string.len), structure);
}

static void
begin_reading(JsonReader *reader, text *json)
{
	JsonReaderInit(reader, VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), NULL);
}

static WriteRequest *
append_write(WriteList *list, ItemAction action)
{
	WriteRequest *write;

	if (list->count == list->allocated)
	{
		list->allocated = Max(list->allocated * 2, 16);
		list->writes = list->writes == NULL ? palloc(sizeof(WriteRequest) * list->allocated) :
			repalloc(list->writes, sizeof(WriteRequest) * list->allocated);
	}
	write = &list->writes[list->count++];
	memset(write, 0, sizeof(WriteRequest));
	write->action = (WriteAction) action;
	return write;
}

static TableName *
make_table_name(const char *name, uint32 length)
{
	TableName  *table = palloc(sizeof(TableName));

	table->name = pnstrdup(name, length);
	table->length = length;
	return table;
}

static void
set_table(ItemRequest *request, TableName *table)
{
	request->relid = InvalidOid;
	request->resolve_table = TableNameResolve;
	request->resolve_state = table;
}

static ExpressionText
read_expression(JsonReader *reader)
{
	ExpressionText result = {0};

	result.data = JsonStringMember(reader, &result.length);
	return result;
}

/*
 * Reads the members of one action, whose name has been read.
 * position		of the element, from 1, for messages
 */
static void
read_action(JsonReader *reader, int action_number, int position, ItemRequest *request, ConstraintErrors *errors)
{
	const char *structure = transaction_actions[action_number].member;
	const char *path = transaction_actions[action_number].path;
	ItemAction	action = transaction_actions[action_number].action;
	bool		first = true;

	memset(request, 0, sizeof(ItemRequest));
	JsonEnterStructure(reader, structure, false);
	while (JsonReaderNextMember(reader, &first))
	{
		int			member = 0;
		uint32		length;
		char	   *string;

		while (member < lengthof(action_members) &&
			   !(name_is(reader, action_members[member].name) && (action_members[member].actions & ActionBit(action)) != 0))
			member++;
		if (member == lengthof(action_members))
			report_unknown_member(reader, structure);
		if (JsonSkipNull(reader))
			continue;
		switch (action_members[member].kind)
		{
			case MEMBER_TABLE_NAME:
				string = JsonStringMember(reader, &length);
				set_table(request, make_table_name(string, length));
				break;
			case MEMBER_ITEM:
				request->item = JsonReadItem(reader);
				break;
			case MEMBER_KEY:
				request->key = JsonReadItem(reader);
				break;
			case MEMBER_UPDATE:
				request->update = read_expression(reader);
				break;
			case MEMBER_CONDITION:
				request->condition = read_expression(reader);
				break;
			case MEMBER_PROJECTION:
				request->projection = read_expression(reader);
				break;
			case MEMBER_NAMES:
				JsonReadNames(reader, &request->placeholders);
				break;
			case MEMBER_VALUES:
				JsonReadValues(reader, &request->placeholders);
				break;
			case MEMBER_RETURN_VALUES_ON_FAILURE:
				string = JsonStringMember(reader, &length);
				request->return_old_on_failure = strcmp(string, "ALL_OLD") == 0;
				if (!request->return_old_on_failure && strcmp(string, "NONE") != 0)
					ConstraintErrorsAdd(errors, "Value '%s' at 'transactItems.%d.member.%s.returnValuesOnConditionCheckFailure' "
										"failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]",
										string, position, path);
				break;
		}
	}

#define require(is_there, member) \
	do { \
		if (!(is_there)) \
			ConstraintErrorsAdd(errors, "Value null at 'transactItems.%d.member.%s." member "' failed to satisfy constraint: " \
								"Member must not be null", position, path); \
	} while (0)

	if (action == ACTION_PUT)
		require(request->item != NULL, "item");
	else
		require(request->key != NULL, "key");
	require(request->resolve_table != NULL, "tableName");
	if (action == ACTION_UPDATE)
		require(request->update.data != NULL, "updateExpression");
	if (action == ACTION_CHECK)
		require(request->condition.data != NULL, "conditionExpression");
#undef require
}

/*
 * Reads a TransactItems list.
 * is_get	the list is one of Get elements, else of the writing actions
 * Errors	KV001, KV011; reference/batch-and-transactions, section 4.1, rows 1 and 2
 */
static void
read_transact_items(text *json, bool is_get, WriteList *list)
{
	JsonReader	reader;
	ConstraintErrors errors;
	bool		first_element = true;
	bool		several_actions = false;
	bool		no_action = false;

	memset(list, 0, sizeof(WriteList));
	ConstraintErrorsInit(&errors);
	begin_reading(&reader, json);
	if (JsonSkipNull(&reader))
		validation_error("1 validation error detected: Value null at 'transactItems' failed to satisfy constraint: "
						 "Member must not be null");
	JsonEnterList(&reader);
	while (JsonReaderNextElement(&reader, &first_element))
	{
		int			position = list->count + 1;
		int			actions = 0;
		bool		first_member = true;
		WriteRequest *write;

		CHECK_FOR_INTERRUPTS();
		write = append_write(list, ACTION_GET);
		JsonEnterStructure(&reader, is_get ? "TransactGetItem" : "TransactWriteItem", true);
		while (JsonReaderNextMember(&reader, &first_member))
		{
			int			number = 0;

			while (number < lengthof(transaction_actions) &&
				   !(name_is(&reader, transaction_actions[number].member) &&
					 is_get == (transaction_actions[number].action == ACTION_GET)))
				number++;
			if (number == lengthof(transaction_actions))
				report_unknown_member(&reader, is_get ? "TransactGetItem" : "TransactWriteItem");
			if (JsonSkipNull(&reader))
				continue;
			actions |= ActionBit(transaction_actions[number].action);
			write->action = (WriteAction) transaction_actions[number].action;
			read_action(&reader, number, position, &write->request, &errors);
		}
		several_actions = several_actions || (actions & (actions - 1)) != 0;
		no_action = no_action || actions == 0;
		if (is_get && actions == 0)
			ConstraintErrorsAdd(&errors, "Value null at 'transactItems.%d.member.get' failed to satisfy constraint: "
								"Member must not be null", position);
	}
	JsonReaderFinish(&reader);

	if (list->count == 0)
		validation_error("1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
						 "Member must have length greater than or equal to 1");
	ConstraintErrorsReport(&errors);
	if (several_actions)
		validation_error("TransactItems can only contain one of Check, Put, Update or Delete");
	if (no_action)
		validation_error("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
	for (int i = 0; i < list->count; i++)
	{
		ItemRequest *request = &list->writes[i].request;

		OperationCheckArguments((ItemAction) list->writes[i].action, request);
		PlaceholdersCheck(&request->placeholders);
	}
}

/*
 * Begins reading a RequestItems map.
 * Errors	KV001 when it is null
 */
static void
begin_request_items(JsonReader *reader, text *json, const char *type_name)
{
	begin_reading(reader, json);
	if (JsonSkipNull(reader))
		validation_error("1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: "
						 "Member must not be null");
	JsonEnterMap(reader, type_name);
}

/* The requests of the table whose name has been read; of a table that is named twice the later ones count. */
static TableRequests *
add_table(List **tables, const JsonReader *reader)
{
	TableRequests *requests;
	ListCell   *cell;

	foreach(cell, *tables)
	{
		requests = lfirst(cell);
		if (requests->table->length == reader->string.len &&
			memcmp(requests->table->name, reader->string.data, reader->string.len) == 0)
		{
			requests->list.count = 0;
			return requests;
		}
	}
	requests = palloc0(sizeof(TableRequests));
	requests->table = make_table_name(reader->string.data, reader->string.len);
	*tables = lappend(*tables, requests);
	return requests;
}

/* All requests, table by table. */
static void
join_requests(List *tables, WriteList *list)
{
	ListCell   *cell;

	memset(list, 0, sizeof(WriteList));
	foreach(cell, tables)
	{
		TableRequests *requests = lfirst(cell);

		for (int i = 0; i < requests->list.count; i++)
		{
			WriteRequest *write = append_write(list, (ItemAction) requests->list.writes[i].action);

			*write = requests->list.writes[i];
			set_table(&write->request, requests->table);
		}
	}
}

/* Reads {"Item": ...} or {"Key": ...}. */
static const SingletableItem *
read_single_member(JsonReader *reader, const char *structure, const char *member)
{
	const SingletableItem *item = NULL;
	bool		first = true;

	JsonEnterStructure(reader, structure, false);
	while (JsonReaderNextMember(reader, &first))
	{
		if (!name_is(reader, member))
			report_unknown_member(reader, structure);
		if (!JsonSkipNull(reader))
			item = JsonReadItem(reader);
	}
	return item;
}

/* Reads one element of a table's list in BatchWriteItem. */
static void
read_write_request(JsonReader *reader, TableRequests *requests, ConstraintErrors *errors, bool *is_malformed)
{
	bool		first = true;
	int			actions = 0;
	WriteRequest *write = append_write(&requests->list, ACTION_PUT);

	JsonEnterStructure(reader, "WriteRequest", true);
	while (JsonReaderNextMember(reader, &first))
	{
		bool		is_put = name_is(reader, "PutRequest");

		if (!is_put && !name_is(reader, "DeleteRequest"))
			report_unknown_member(reader, "WriteRequest");
		if (JsonSkipNull(reader))
			continue;
		actions |= ActionBit(is_put ? ACTION_PUT : ACTION_DELETE);
		write->action = is_put ? WRITE_PUT : WRITE_DELETE;
		if (is_put)
			write->request.item = read_single_member(reader, "PutRequest", "Item");
		else
			write->request.key = read_single_member(reader, "DeleteRequest", "Key");
		if (write->request.item == NULL && write->request.key == NULL)
			ConstraintErrorsAdd(errors, "Value null at 'requestItems.%s.member.%d.member.%s' failed to satisfy constraint: "
								"Member must not be null", requests->table->name, requests->list.count,
								is_put ? "putRequest.item" : "deleteRequest.key");
	}
	if (actions == 0 || (actions & (actions - 1)) != 0)
		*is_malformed = true;
}

/*
 * Reads the RequestItems of BatchWriteItem.
 * Errors	KV001, KV011; reference/batch-and-transactions, section 3, rows 1 to 4
 */
static void
read_write_items(text *json, WriteList *list)
{
	JsonReader	reader;
	ConstraintErrors errors;
	List	   *tables = NIL;
	bool		first_table = true;
	bool		is_malformed = false;

	ConstraintErrorsInit(&errors);
	begin_request_items(&reader, json, "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>");
	while (JsonReaderNextMember(&reader, &first_table))
	{
		TableRequests *requests = add_table(&tables, &reader);
		bool		first_request = true;

		if (!JsonSkipNull(&reader))
		{
			JsonEnterList(&reader);
			while (JsonReaderNextElement(&reader, &first_request))
			{
				CHECK_FOR_INTERRUPTS();
				read_write_request(&reader, requests, &errors, &is_malformed);
			}
		}
		if (requests->list.count == 0)
			ConstraintErrorsAdd(&errors, "Value '{%s=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy "
								"constraint: [Member must have length less than or equal to 25, Member must have length greater "
								"than or equal to 1]", requests->table->name);
	}
	JsonReaderFinish(&reader);

	if (tables == NIL)
		validation_error("The requestItems parameter is required for BatchWriteItem");
	ConstraintErrorsReport(&errors);
	if (is_malformed)
		validation_error("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
						 "datatypes");
	join_requests(tables, list);
	for (int i = 0; i < list->count; i++)
		OperationCheckArguments((ItemAction) list->writes[i].action, &list->writes[i].request);
}

/* Reads one table's entry in BatchGetItem: options of the table, then a request for each key. */
static void
read_keys_and_attributes(JsonReader *reader, TableRequests *requests, ConstraintErrors *errors)
{
	ItemRequest options = {0};
	bool		has_keys = false;
	bool		first_member = true;
	bool		is_null = JsonSkipNull(reader);

	if (!is_null)
		JsonEnterStructure(reader, "KeysAndAttributes", false);
	while (!is_null && JsonReaderNextMember(reader, &first_member))
	{
		bool		first_key = true;

		if (name_is(reader, "Keys"))
		{
			if (JsonSkipNull(reader))
				continue;
			has_keys = true;
			requests->list.count = 0;
			JsonEnterList(reader);
			while (JsonReaderNextElement(reader, &first_key))
			{
				CHECK_FOR_INTERRUPTS();
				append_write(&requests->list, ACTION_GET)->request.key = JsonReadItem(reader);
			}
		}
		else if (name_is(reader, "ConsistentRead"))
			JsonReaderSkip(reader);
		else if (name_is(reader, "ProjectionExpression"))
		{
			if (!JsonSkipNull(reader))
				options.projection = read_expression(reader);
		}
		else if (name_is(reader, "ExpressionAttributeNames"))
		{
			if (!JsonSkipNull(reader))
				JsonReadNames(reader, &options.placeholders);
		}
		else
			report_unknown_member(reader, "KeysAndAttributes");
	}

	if (!has_keys)
		ConstraintErrorsAdd(errors, "Value null at 'requestItems.%s.member.keys' failed to satisfy constraint: "
							"Member must not be null", requests->table->name);
	else if (requests->list.count == 0)
		ConstraintErrorsAdd(errors, "Value at 'requestItems.%s.member.keys' failed to satisfy constraint: "
							"Member must have length greater than or equal to 1", requests->table->name);
	for (int i = 0; i < requests->list.count; i++)
	{
		const SingletableItem *key = requests->list.writes[i].request.key;

		requests->list.writes[i].request = options;
		requests->list.writes[i].request.key = key;
	}
}

/*
 * Reads the RequestItems of BatchGetItem.
 * Errors	KV001, KV011; reference/batch-and-transactions, section 2, rows 1 to 4
 */
static void
read_get_items(text *json, WriteList *list)
{
	JsonReader	reader;
	ConstraintErrors errors;
	List	   *tables = NIL;
	bool		first_table = true;

	ConstraintErrorsInit(&errors);
	begin_request_items(&reader, json, "com.amazonaws.dynamodb.v20120810.KeysAndAttributes");
	while (JsonReaderNextMember(&reader, &first_table))
	{
		TableRequests *requests = add_table(&tables, &reader);

		read_keys_and_attributes(&reader, requests, &errors);
	}
	JsonReaderFinish(&reader);

	if (tables == NIL)
		validation_error("The requestItems parameter is required for BatchGetItem");
	ConstraintErrorsReport(&errors);
	join_requests(tables, list);
	for (int i = 0; i < list->count; i++)
	{
		ItemRequest *request = &list->writes[i].request;

		OperationCheckArguments(ACTION_GET, request);
		PlaceholdersCheck(&request->placeholders);
	}
}

/* The requests of a list of gets. */
static ItemRequest *
get_item_requests(const WriteList *list)
{
	ItemRequest *requests = palloc(sizeof(ItemRequest) * Max(list->count, 1));

	for (int i = 0; i < list->count; i++)
		requests[i] = list->writes[i].request;
	return requests;
}

/* The argument, which must be there. */
static text *
get_json_argument(FunctionCallInfo fcinfo, const char *member)
{
	if (PG_ARGISNULL(0))
		validation_error("1 validation error detected: Value null at '%s' failed to satisfy constraint: "
						 "Member must not be null", member);
	return PG_GETARG_TEXT_PP(0);
}

/* What the reading functions hand out, row by row. */
typedef struct ReadResults
{
	ItemResult *results;
	int			count;
	int			next;
} ReadResults;

static ReadResults *
make_results(const WriteList *list)
{
	ReadResults *results = palloc0(sizeof(ReadResults));

	results->count = list->count;
	results->results = palloc0(sizeof(ItemResult) * Max(list->count, 1));
	return results;
}

SQL_FUNCTION(singletable_batch_get_items);
Datum
singletable_batch_get_items(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	ReadResults *results;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;
		TupleDesc	tupdesc;
		WriteList	list;

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		funcctx->tuple_desc = BlessTupleDesc(tupdesc);
		read_get_items(get_json_argument(fcinfo, "requestItems"), &list);
		funcctx->user_fctx = results = make_results(&list);
		OperationBatchGetItem(get_item_requests(&list), list.count, results->results);
		MemoryContextSwitchTo(old_context);
	}

	funcctx = SRF_PERCALL_SETUP();
	results = funcctx->user_fctx;
	while (results->next < results->count)
	{
		const ItemResult *result = &results->results[results->next++];
		Datum		values[2];
		bool		nulls[2] = {false, false};

		if (result->attributes == NULL)
			continue;
		values[0] = ObjectIdGetDatum(result->table->relid);
		values[1] = PointerGetDatum(result->attributes);
		SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
	}
	SRF_RETURN_DONE(funcctx);
}

SQL_FUNCTION(singletable_batch_write_items);
Datum
singletable_batch_write_items(PG_FUNCTION_ARGS)
{
	WriteList	list;

	read_write_items(get_json_argument(fcinfo, "requestItems"), &list);
	OperationBatchWriteItem(list.writes, list.count, NULL);
	PG_RETURN_INT64(list.count);
}

SQL_FUNCTION(singletable_transact_get_items);
Datum
singletable_transact_get_items(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	ReadResults *results;
	const ItemResult *result;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;
		WriteList	list;

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		read_transact_items(get_json_argument(fcinfo, "transactItems"), true, &list);
		funcctx->user_fctx = results = make_results(&list);
		OperationTransactGetItems(get_item_requests(&list), list.count, results->results);
		MemoryContextSwitchTo(old_context);
	}

	funcctx = SRF_PERCALL_SETUP();
	results = funcctx->user_fctx;
	if (results->next >= results->count)
		SRF_RETURN_DONE(funcctx);
	result = &results->results[results->next++];
	if (result->attributes == NULL)
		SRF_RETURN_NEXT_NULL(funcctx);
	SRF_RETURN_NEXT(funcctx, PointerGetDatum(result->attributes));
}

SQL_FUNCTION(singletable_transact_write_items);
Datum
singletable_transact_write_items(PG_FUNCTION_ARGS)
{
	WriteList	list;

	read_transact_items(get_json_argument(fcinfo, "transactItems"), false, &list);
	OperationTransactWriteItems(list.writes, list.count, false, NULL);
	PG_RETURN_VOID();
}
