/*
 * src/api/api.c
 *		dynamodb(): dispatch of operations, and the server's errors as DynamoDB's.
 *
 * Errors are mapped without a subtransaction: the statement fails in any case, only the SQLSTATE and the message that the client
 * sees are exchanged.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "api/api_internal.h"
#include "base/compat.h"

typedef struct Operation
{
	const char *name;
	const ApiType *type;		/* of the request */
	ApiHandler	handler;
} Operation;

#define X(name, type, handler) {name, &type, handler},
static const Operation operations[] = {API_OPERATIONS(X)};
#undef X

/* Bytewise, a prefix first. */
static int
compare_names(const char *name, uint32 length, const char *candidate)
{
	size_t		candidate_length = strlen(candidate);
	int			order = memcmp(name, candidate, Min(length, candidate_length));

	if (order == 0 && length != candidate_length)
		order = length < candidate_length ? -1 : 1;
	return order;
}

int
ApiFindOperation(const char *name, uint32 length)
{
	int			low = 0;
	int			high = lengthof(operations) - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;
		const char *candidate = operations[middle].name;
		int			order = compare_names(name, length, candidate);

		if (order == 0)
			return middle;
		if (order < 0)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return -1;
}

int
ApiOperationCount(void)
{
	return lengthof(operations);
}

const char *
ApiOperationName(int number)
{
	return operations[number].name;
}

void
ApiCheckObject(const char *text, uint32 length)
{
	ApiCheckBody(NULL, text, length);
}

/*
 * translate_error
 *		Give an error of the server the exception that DynamoDB has for it, if any.
 *
 * The server's own text becomes the detail, for whoever reads the log.
 * Source	issue 4, item 5; reference/errors, section 2
 */
static void
translate_error(ErrorData *error, const ApiRequest *request)
{
	char	   *message;
	int			code;

	switch (error->sqlerrcode)
	{
		case ERRCODE_T_R_SERIALIZATION_FAILURE:
		case ERRCODE_T_R_DEADLOCK_DETECTED:
			code = ERRCODE_KV_TRANSACTION_CONFLICT;
			message = pstrdup(MESSAGE_TRANSACTION_CONFLICT);
			break;
		case ERRCODE_INSUFFICIENT_PRIVILEGE:
			code = ERRCODE_KV_ACCESS_DENIED;
			message = psprintf("User: arn:aws:iam::%s:user/%s is not authorized to perform: dynamodb:%s on resource: "
							   "arn:aws:dynamodb:%s:%s:table/%s",
							   API_ACCOUNT, GetUserNameFromId(request->user, false), request->operation, API_REGION, API_ACCOUNT,
							   request->resource ? request->resource : "*");
			break;
		case ERRCODE_UNDEFINED_TABLE:
			code = ERRCODE_KV_RESOURCE_NOT_FOUND;
			message = pstrdup(MESSAGE_NO_TABLE);
			break;
		default:
			return;
	}
	error->sqlerrcode = code;
	error->detail = error->message;
	error->message = message;
	error->hint = NULL;
}

void
ApiExecute(int number, const char *text, uint32 text_length, StringInfo response)
{
	const Operation *operation;
	ApiRequest	request = {0};
	MemoryContext context = CurrentMemoryContext;

	/* A body that is no JSON comes before an unknown operation: reference/errors, section 3. */
	if (number < 0)
	{
		ApiCheckBody(NULL, text, text_length);
		ereport(ERROR, (errcode(ERRCODE_KV_UNKNOWN_OPERATION), errmsg(API_MESSAGE_UNKNOWN_OPERATION)));
	}

	operation = &operations[number];
	request.operation = operation->name;
	request.user = GetUserId();
	request.text = text;
	request.text_length = text_length;
	request.bound = ApiBind(operation->type, text, text_length);

	PG_TRY();
	{
		/* A request sees what those before it did, also when one statement sends several. */
		CommandCounterIncrement();
		PushActiveSnapshot(GetTransactionSnapshot());
		operation->handler(&request, response);
		PopActiveSnapshot();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		translate_error(error, &request);
		ReThrowError(error);
	}
	PG_END_TRY();
}

/*
 * dynamodb(operation, request)
 *		Both declarations, text and json: the bytes of the two types are the same.
 */
SQL_FUNCTION(singletable_dynamodb);
Datum
singletable_dynamodb(PG_FUNCTION_ARGS)
{
	text	   *operation = PG_GETARG_TEXT_PP(0);
	text	   *request = PG_GETARG_TEXT_PP(1);
	StringInfoData response;

	/* The response grows in place behind room for its varlena header. */
	initStringInfo(&response);
	appendStringInfoSpaces(&response, VARHDRSZ);
	ApiExecute(ApiFindOperation(VARDATA_ANY(operation), VARSIZE_ANY_EXHDR(operation)),
			   VARDATA_ANY(request), VARSIZE_ANY_EXHDR(request), &response);
	SET_VARSIZE(response.data, response.len);
	PG_RETURN_POINTER(response.data);
}
