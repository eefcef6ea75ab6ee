/*
 * src/endpoint/answer.c
 *		Answers: DynamoDB's error bodies, and the head of a response.
 *
 * Source: reference/errors, sections 1 to 4
 */
#include "postgres.h"

#include <time.h>

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/json.h"
#include "utils/memutils.h"

#include "api/api.h"
#include "base/compat.h"
#include "base/error.h"
#include "endpoint/compression.h"
#include "endpoint/endpoint_internal.h"

#define REQUEST_ID_LENGTH 52
#define UNKNOWN_ERROR_MESSAGE "The request processing has failed because of an unknown error, exception or failure."

/* Exceptions that are not DynamoDB's own but of the frameworks before it. */
static const char *const service_exceptions[] = {
	"SerializationException", "UnknownOperationException", "MissingAuthenticationTokenException", "IncompleteSignatureException",
	"InvalidSignatureException", "UnrecognizedClientException", "AccessDeniedException", "ExpiredTokenException"
};

static const char *
exception_prefix(const char *name)
{
	if (strcmp(name, "ValidationException") == 0)
		return "com.amazon.coral.validate#";
	for (int i = 0; i < lengthof(service_exceptions); i++)
		if (strcmp(name, service_exceptions[i]) == 0)
			return "com.amazon.coral.service#";
	return "com.amazonaws.dynamodb.v20120810#";
}

/* An answer without a body, in the request's context. */
void
AnswerInit(Answer *answer, int status)
{
	answer->status = status;
	answer->content_type = NULL;
	answer->close = false;
	resetStringInfo(&answer->body);
}

/*
 * AnswerException
 *		Make the body of an exception; the status is set to 400 unless it is one already.
 *
 * message is NULL where the service sends none; members is NULL or a JSON object whose members are added.
 */
void
AnswerException(Answer *answer, const char *name, const char *message, const char *members)
{
	StringInfo	body = &answer->body;

	if (answer->status < 400)
		answer->status = 400;
	resetStringInfo(body);
	appendStringInfo(body, "{\"__type\":\"%s%s\"", exception_prefix(name), name);
	if (message != NULL)
	{
		bool		capital = strcmp(name, "SerializationException") == 0 || strcmp(name, "TransactionCanceledException") == 0;

		appendStringInfoString(body, capital ? ",\"Message\":" : ",\"message\":");
		escape_json(body, message);
	}
	if (members != NULL)
	{
		const char *begin = strchr(members, '{');
		const char *end = strrchr(members, '}');

		if (begin != NULL && end != NULL && end - begin > 1)
		{
			appendStringInfoChar(body, ',');
			appendBinaryStringInfo(body, begin + 1, end - begin - 1);
		}
	}
	appendStringInfoChar(body, '}');
}

/*
 * AnswerError
 *		The exception for an error of the API or of the server.
 *
 * Errors that a table's own rules raise (constraints, triggers, bad values) are the client's to mend: a status of 500 would make it send the same
 * request again.  What is unexpected is 500, its text is for the log alone.
 * Result	false if the log should have it
 * Source	reference/errors, section 2
 */
bool
AnswerError(Answer *answer, const ErrorData *error)
{
	const char *name = ExceptionName(error->sqlerrcode);
	const char *message = error->message;
	const char *members = NULL;

	if (name != NULL)
	{
		answer->status = ExceptionStatus(error->sqlerrcode);
		if (error->sqlerrcode == ERRCODE_KV_CONDITIONAL_CHECK_FAILED || error->sqlerrcode == ERRCODE_KV_TRANSACTION_CANCELED)
			members = error->detail;
		else if (error->sqlerrcode == ERRCODE_KV_UNKNOWN_OPERATION ||
				 (error->sqlerrcode == ERRCODE_KV_SERIALIZATION && strcmp(message, API_MESSAGE_MALFORMED) == 0))
			message = NULL;
		AnswerException(answer, name, message, members);
		return answer->status < 500;
	}

	switch (error->sqlerrcode)
	{
		case ERRCODE_T_R_SERIALIZATION_FAILURE:
		case ERRCODE_T_R_DEADLOCK_DETECTED:
		case ERRCODE_LOCK_NOT_AVAILABLE:
			AnswerException(answer, "TransactionConflictException", MESSAGE_TRANSACTION_CONFLICT, NULL);
			return true;
		case ERRCODE_INSUFFICIENT_PRIVILEGE:
			AnswerException(answer, "AccessDeniedException", message, NULL);
			return true;
		case ERRCODE_READ_ONLY_SQL_TRANSACTION:
			AnswerException(answer, "ValidationException",
							RecoveryInProgress() ? "This endpoint is a read-only standby: send writes to the primary server" : message, NULL);
			return true;
		case ERRCODE_QUERY_CANCELED:
			if (stop_requested)
			{
				answer->status = 503;
				AnswerException(answer, "ServiceUnavailable", "The server is shutting down", NULL);
				return true;
			}
			answer->status = 500;
			AnswerException(answer, "InternalServerError", "The request was cancelled or took longer than statement_timeout", NULL);
			return false;
		case ERRCODE_RAISE_EXCEPTION:
			AnswerException(answer, "ValidationException", message, NULL);
			return true;
		default:
			break;
	}
	switch (ERRCODE_TO_CATEGORY(error->sqlerrcode))
	{
		case ERRCODE_DATA_EXCEPTION:
		case ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION:
		case ERRCODE_WITH_CHECK_OPTION_VIOLATION:
			AnswerException(answer, "ValidationException", message, NULL);
			return true;
		case ERRCODE_INSUFFICIENT_RESOURCES:
			answer->status = 503;
			AnswerException(answer, "ServiceUnavailable", "The service is currently unavailable or busy.", NULL);
			return false;
		default:
			answer->status = 500;
			AnswerException(answer, "InternalServerError", UNKNOWN_ERROR_MESSAGE, NULL);
			return false;
	}
}

/* ---------------------------------------------------------------------------------------------------------------------
 * The head
 */

static const char *
reason_phrase(int status)
{
	switch (status)
	{
		case 200:
			return "OK";
		case 400:
			return "Bad Request";
		case 404:
			return "Not Found";
		case 413:
			return "Content Too Large";
		case 417:
			return "Expectation Failed";
		case 500:
			return "Internal Server Error";
		case 501:
			return "Not Implemented";
		case 503:
			return "Service Unavailable";
		case 505:
			return "HTTP Version Not Supported";
		default:
			return "";
	}
}

/* 52 characters that nobody needs to be unable to guess. */
static void
append_request_id(StringInfo out)
{
	static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char		id[REQUEST_ID_LENGTH];
	uint64		random = 0;

	for (int i = 0; i < REQUEST_ID_LENGTH; i++)
	{
		/* 36^12 < 2^64 */
		if (i % 12 == 0)
			random = RandomUint64();
		id[i] = characters[random % 36];
		random /= 36;
	}
	appendBinaryStringInfo(out, id, REQUEST_ID_LENGTH);
}

/* The date as HTTP writes it; SDKs correct their clock by it. */
static const char *
http_date(void)
{
	static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	static time_t last = 0;
	static char text[64];
	time_t		now = time(NULL);

	if (now != last)
	{
		struct tm	parts;

		gmtime_r(&now, &parts);
		snprintf(text, sizeof(text), "%s, %02d %s %04d %02d:%02d:%02d GMT", days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon],
				 parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
		last = now;
	}
	return text;
}

/* The origin whose scripts may read answers, NULL if none may. */
const char *
AnswerOrigin(void)
{
	if (endpoint_cors_origin[0] != '\0')
		return endpoint_cors_origin;
	return EndpointIsAnonymous() ? NULL : "*";
}

/* Values of a header come from the parser without control bytes. */
static void
append_echo(StringInfo out, const HttpRequest *request, const char *asked, const char *name)
{
	HttpText	value = HttpFindHeader(request, asked, NULL);

	if (value.data == NULL)
		return;
	appendStringInfo(out, "%s: ", name);
	appendBinaryStringInfo(out, value.data, value.length);
	appendStringInfoString(out, "\r\n");
}

static void
append_origin(StringInfo out, const HttpRequest *request)
{
	const char *origin = AnswerOrigin();

	if (origin == NULL || HttpFindHeader(request, "Origin", NULL).data == NULL)
		return;
	appendStringInfo(out, "access-control-allow-origin: %s\r\n", origin);
	if (strcmp(origin, "*") != 0)
		appendStringInfoString(out, "vary: Origin\r\n");
	appendStringInfoString(out, "access-control-expose-headers: x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,"
						   "x-amzn-ErrorMessage,Date\r\n");
	if (HttpTextEquals(request->method, "OPTIONS"))
	{
		appendStringInfoString(out, "access-control-max-age: 172800\r\n");
		append_echo(out, request, "Access-Control-Request-Headers", "access-control-allow-headers");
		append_echo(out, request, "Access-Control-Request-Method", "access-control-allow-methods");
	}
}

/*
 * AnswerWrite
 *		Append the answer to the connection's output; it leaves when the turn is finished.
 *
 * request is NULL when none could be read.  started: when the request was there, us.
 */
void
AnswerWrite(Connection *connection, const HttpRequest *request, Answer *answer, int64 started)
{
	StringInfo	body = &answer->body;
	StringInfoData packed;
	bool		is_packed = false;
	bool		is_head = request != NULL && HttpTextEquals(request->method, "HEAD");
	StringInfo	out;

	if (request == NULL || !request->keep_alive || answer->close || stop_requested)
		connection->close_when_sent = true;
	if (body->len >= COMPRESSION_THRESHOLD && request != NULL && request->accepts_gzip)
	{
		MemoryContext previous = MemoryContextSwitchTo(request_context);

		initStringInfo(&packed);
		CompressionEncode(body->data, body->len, &packed);
		MemoryContextSwitchTo(previous);
		body = &packed;
		is_packed = true;
	}

	out = ConnectionOutput(connection);
	appendStringInfo(out, "HTTP/1.1 %d %s\r\nDate: %s\r\nx-amzn-RequestId: ", answer->status, reason_phrase(answer->status), http_date());
	append_request_id(out);
	if (body->len > 0)
		appendStringInfo(out, "\r\nx-amz-crc32: %u", CompressionChecksum(body->data, body->len));
	if (answer->content_type != NULL)
		appendStringInfo(out, "\r\nContent-Type: %s", answer->content_type);
	if (is_packed)
		appendStringInfoString(out, "\r\nContent-Encoding: gzip");
	appendStringInfo(out, "\r\nContent-Length: %d\r\n", body->len);
	if (request != NULL)
		append_origin(out, request);
	if (connection->close_when_sent)
		appendStringInfoString(out, "Connection: close\r\n");
	else if (request->minor_version == 0)
		appendStringInfoString(out, "Connection: keep-alive\r\n");
	appendStringInfoString(out, "\r\n");
	if (!is_head)
		appendBinaryStringInfo(out, body->data, body->len);
	TurnAddAnswer(connection, answer->operation, answer->status, started);
}

/*
 * AnswerFault
 *		Answer what is no request, or too large; nothing more is read.
 */
void
AnswerFault(Connection *connection, HttpResult fault, int64 started)
{
	Answer		answer;

	MemoryContextReset(request_context);
	answer.body.data = MemoryContextAlloc(request_context, 1);
	answer.body.len = 0;
	answer.operation = ApiOperationCount();
	answer.close = true;
	answer.content_type = NULL;
	switch ((int) fault)
	{
		case HTTP_BODY_TOO_LARGE:
			answer.status = 413;
			break;
		case HTTP_EXPECTATION_FAILED:
			answer.status = 417;
			break;
		case HTTP_NOT_IMPLEMENTED:
			answer.status = 501;
			break;
		case HTTP_OUT_OF_MEMORY:
			answer.status = 503;
			break;
		case HTTP_VERSION:
			answer.status = 505;
			break;
		default:
			answer.status = 400;
			break;
	}
	AnswerWrite(connection, NULL, &answer, started);
}
