/*
 * src/endpoint/execute.c
 *		One request, one transaction: who asks, as that role, and nothing of it stays in the session.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "commands/extension.h"
#include "commands/prepare.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/catcache.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "api/api.h"
#include "base/compat.h"
#include "base/error.h"
#include "endpoint/credential.h"
#include "endpoint/endpoint_internal.h"
#include "endpoint/signature.h"

#define IMPATIENT_LOCK_TIMEOUT 2	/* ms */
#define TABLE_NAME_SEARCH (16 * 1024)	/* bytes of a body that are searched for the name of a table */
#define MAX_ACTIVITY 320		/* bytes */
#define MAX_MISSES 1000			/* failed requests after which the catalog caches begin anew */

MemoryContext endpoint_context;
MemoryContext request_context;

/* ---------------------------------------------------------------------------------------------------------------------
 * Who asks
 */

static bool
find_secret(HttpText key_id, const char **secret, size_t *secret_length, void *argument)
{
	const Credential *credential = CredentialFind(key_id);

	if (credential == NULL)
		return false;
	*secret = credential->secret;
	*secret_length = credential->secret_length;
	*(Oid *) argument = credential->role;
	return true;
}

/*
 * authenticate
 *		The role of a request; InvalidOid and an answer if there is none.
 *
 * A body that is no JSON comes first in the service's order, but is looked at only here, where there is another fault: the API reads it anyway.
 */
static Oid
authenticate(const HttpRequest *request, HttpText body, Answer *answer)
{
	SignatureFault fault = {0};
	Oid			role = InvalidOid;

	if (EndpointIsAnonymous())
	{
		const char *name = endpoint_anonymous_role[0] != '\0' ? endpoint_anonymous_role : endpoint_role;

		role = get_role_oid(name, true);
		if (OidIsValid(role))
			return role;
		fault.exception = "AccessDeniedException";
		fault.message = psprintf("role \"%s\" does not exist", name);
	}
	else
		fault = SignatureVerify(request, GetCurrentTimestamp(), find_secret, &role);
	if (fault.exception == NULL)
		return role;

	if (body.length > 0)
		ApiCheckObject(body.data, (uint32) body.length);
	AnswerException(answer, fault.exception, fault.message, NULL);
	return InvalidOid;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * What is done
 */

/*
 * describe_activity
 *		"GetItem shop", for pg_stat_activity: the table is found by a glance at the body.
 */
static void
describe_activity(char *text, size_t size, int operation, HttpText body)
{
	static const char member[] = "\"TableName\"";
	const char *end = body.data + Min(body.length, TABLE_NAME_SEARCH);
	const char *at = body.length > 0 ? body.data : end;
	size_t		length = strlcpy(text, ApiOperationName(operation), size);

	while ((at = memchr(at, '"', end - at)) != NULL)
	{
		if (end - at > sizeof(member) && memcmp(at, member, sizeof(member) - 1) == 0)
			break;
		at++;
	}
	if (at == NULL)
		return;
	at += sizeof(member) - 1;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == ':'))
		at++;
	if (at == end || *at != '"')
		return;
	text[length++] = ' ';
	for (at++; at < end && length < size - 1 && (isalnum((unsigned char) *at) || strchr("_.-:/", *at) != NULL); at++)
		text[length++] = *at;
	text[length] = '\0';
}

/*
 * end_transaction
 *		Run what is deferred, as the role and with its settings; then commit, which calls nothing of a user's any more.
 *
 * Result	has a temporary table been used?
 */
static bool
end_transaction(Oid saved_user, int saved_context, int nest_level)
{
	bool		used_temporary;

	AfterTriggerFireDeferred();
	/* The commit would read cursors WITH HOLD to their ends, as another role. */
	PortalHashTableDeleteAll();
	SetUserIdAndSecContext(saved_user, saved_context);
	AtEOXact_GUC(false, nest_level);
	used_temporary = (MyXactFlags & XACT_FLAGS_ACCESSEDTEMPNAMESPACE) != 0;
	TurnCommitTransaction();
	return used_temporary;
}

/* Runs the operation in a transaction of its own; errors are the caller's. */
static bool
run_transaction(const HttpRequest *request, HttpText body, int operation, Answer *answer)
{
	int			nest_level;
	Oid			saved_user;
	int			saved_context;
	Oid			role;

	StartTransactionCommand();
	if (StatementTimeout > 0)
		enable_timeout_after(STATEMENT_TIMEOUT, StatementTimeout);
	MemoryContextSwitchTo(request_context);
	role = authenticate(request, body, answer);
	if (!OidIsValid(role))
	{
		TurnCommitTransaction();
		return false;
	}
	/* 7b: an empty body passes all checks before. */
	if (body.length == 0)
		ereport(ERROR, (errcode(ERRCODE_KV_SERIALIZATION), errmsg(API_MESSAGE_MALFORMED)));

	/* SECURITY_LOCAL_USERID_CHANGE forbids SET ROLE, RESET ROLE and SET SESSION AUTHORIZATION. */
	GetUserIdAndSecContext(&saved_user, &saved_context);
	SetUserIdAndSecContext(role, saved_context | SECURITY_LOCAL_USERID_CHANGE);
	nest_level = NewGUCNestLevel();
	ApiExecute(operation, body.data, (uint32) body.length, &answer->body);
	return end_transaction(saved_user, saved_context, nest_level);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * What must not stay
 */

static void
remove_temporary_tables(void)
{
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	ResetTempTableNamespace();
	PopActiveSnapshot();
	TurnCommitTransaction();
}

/*
 * clean_session
 *		Take away what a trigger can leave in a session; settings and the role went with the transaction.
 *
 * LISTEN is refused by the server in background processes.
 */
static void
clean_session(bool used_temporary)
{
	LockReleaseSession(USER_LOCKMETHOD);
	PortalHashTableDeleteAll();
	DropAllPreparedStatements();
	if (used_temporary)
		remove_temporary_tables();
}

/* Without the extension's objects no operation can succeed: say that instead of what was missing first. */
static void
explain_missing_extension(Answer *answer)
{
	bool		is_missing;

	StartTransactionCommand();
	is_missing = !OidIsValid(get_extension_oid("singletable", true));
	CommitTransactionCommand();
	MemoryContextSwitchTo(request_context);
	if (is_missing)
	{
		answer->status = 400;
		AnswerException(answer, "ValidationException",
						psprintf("The extension singletable is not installed in database \"%s\"", endpoint_database), NULL);
	}
}

/*
 * forget_misses
 *		Forget, now and then, what was looked up and is not there.
 *
 * The server's catalog caches keep also each name that was not found, as long as the session lives.  A worker lives as long as the server,
 * and clients can ask it for ever new tables.
 */
static void
forget_misses(void)
{
	static int	miss_count = 0;

	if (++miss_count < MAX_MISSES)
		return;
	ResetCatalogCaches();
	miss_count = 0;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * A request
 */

/* The request is over; a cancel that comes now is for nobody. */
static void
end_timers(void)
{
	disable_timeout(STATEMENT_TIMEOUT, false);
	HandoverEnd();
}

/*
 * execute
 *		Answer a request of an operation.
 *
 * impatient: do not wait for locks, since finished answers wait for us
 * Result	false when a lock would have been waited for: nothing was done
 */
static bool
execute(const HttpRequest *request, HttpText body, int operation, bool impatient, Answer *answer)
{
	char		activity[MAX_ACTIVITY];
	int			lock_timeout = LockTimeout;
	volatile bool used_temporary = false;
	volatile bool done = true;
	volatile bool check_extension = false;

	impatient = impatient && (lock_timeout == 0 || lock_timeout > IMPATIENT_LOCK_TIMEOUT);
	describe_activity(activity, sizeof(activity), operation, body);
	debug_query_string = activity;
	SetCurrentStatementStartTimestamp();
	pgstat_report_activity(STATE_RUNNING, activity);
	PG_TRY();
	{
		HandoverBegin(EndpointNow());
		if (impatient)
			LockTimeout = IMPATIENT_LOCK_TIMEOUT;
		used_temporary = run_transaction(request, body, operation, answer);
		end_timers();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		HOLD_INTERRUPTS();
		end_timers();
		MemoryContextSwitchTo(request_context);
		error = CopyErrorData();
		if (impatient && error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE)
			done = false;
		else
		{
			if (!AnswerError(answer, error))
				EmitErrorReport();
			check_extension = ExceptionName(error->sqlerrcode) == NULL || error->sqlerrcode == ERRCODE_KV_RESOURCE_NOT_FOUND;
		}
		AbortCurrentTransaction();
		FlushErrorState();
		RESUME_INTERRUPTS();
	}
	PG_END_TRY();

	LockTimeout = lock_timeout;
	MemoryContextSwitchTo(request_context);
	clean_session(used_temporary);
	if (check_extension)
	{
		explain_missing_extension(answer);
		forget_misses();
	}
	debug_query_string = NULL;
	MemoryContextSwitchTo(request_context);
	return done;
}

/*
 * may_take_long
 *		Is it not worth letting finished answers wait for this operation?  Scans, and what is done to tables.
 */
static bool
may_take_long(int operation)
{
	const char *name = ApiOperationName(operation);

	return strcmp(name, "Scan") == 0 || strstr(name, "Table") != NULL || strcmp(name, "UpdateTimeToLive") == 0;
}

/* An operation that there is not: only whether the body is JSON matters. */
static void
answer_unknown_operation(HttpText body, Answer *answer)
{
	PG_TRY();
	{
		if (body.length > 0)
			ApiCheckObject(body.data, (uint32) body.length);
		AnswerException(answer, "UnknownOperationException", NULL, NULL);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(request_context);
		error = CopyErrorData();
		if (!AnswerError(answer, error))
			EmitErrorReport();
		FlushErrorState();
	}
	PG_END_TRY();
}

/*
 * ExecuteRequest
 *		Rows 5 to 10 of reference/errors, section 3: the body, the operation, who asks, and the operation itself.
 *
 * operation is a number of api.h, or -1.  Called in request_context; the answer is built there.
 */
void
ExecuteRequest(const HttpRequest *request, HttpText body, int operation, Answer *answer)
{
	if (operation < 0)
	{
		answer_unknown_operation(body, answer);
		return;
	}
	if (may_take_long(operation))
		TurnFinish();
	if (!execute(request, body, operation, TurnAnswerCount() > 0, answer))
	{
		TurnFinish();
		resetStringInfo(&answer->body);
		execute(request, body, operation, false, answer);
	}
}
