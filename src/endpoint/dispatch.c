/*
 * src/endpoint/dispatch.c
 *		What is asked for?  The checks before an operation, in the service's order.
 *
 * Source: reference/errors, section 3; the numbers in the comments are its rows.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#include "api/api.h"
#include "base/compat.h"
#include "endpoint/compression.h"
#include "endpoint/endpoint_internal.h"

#define TARGET_PREFIX "DynamoDB_20120810."
#define HEALTH_TEXT "healthy: dynamodb." API_REGION ".amazonaws.com "

/* The content type of a request to be answered with, NULL if it is none that the API knows. */
static const char *
find_content_type(const HttpRequest *request)
{
	static const char *const types[] = {"application/x-amz-json-1.0", "application/json", "application/x-amz-json-1.1"};
	HttpText	value = HttpFindHeader(request, "Content-Type", NULL);
	const char *end;

	if (value.data == NULL)
		return NULL;
	end = memchr(value.data, ';', value.length);
	if (end != NULL)
		value.length = end - value.data;
	while (value.length > 0 && (value.data[value.length - 1] == ' ' || value.data[value.length - 1] == '\t'))
		value.length--;
	for (int i = 0; i < lengthof(types); i++)
		if (HttpTextIs(value, types[i]))
			return types[i];
	return NULL;
}

/*
 * host_is_local
 *		Does the request name this machine's loopback?
 *
 * Without signatures a page in the user's browser could reach the endpoint under a name of its own that resolves to a loopback address (DNS
 * rebinding); the browser then sends that name.
 */
static bool
host_is_local(const HttpRequest *request)
{
	HttpText	host = HttpFindHeader(request, "Host", NULL);
	const char *colon;

	if (host.data == NULL)
		return request->minor_version == 0;
	for (colon = host.data + host.length; colon > host.data && colon[-1] >= '0' && colon[-1] <= '9'; colon--)
		;
	if (colon > host.data && colon[-1] == ':')
		host.length = colon - 1 - host.data;
	return HttpTextIs(host, "localhost") || HttpTextIs(host, "[::1]") ||
		(host.length >= 4 && memcmp(host.data, "127.", 4) == 0 &&
		 strspn(pnstrdup(host.data, host.length), "0123456789.") == host.length);
}

/* The operation of the target header: a number of api.h, or -1. */
static int
find_operation(const HttpRequest *request)
{
	HttpText	target = HttpFindHeader(request, "X-Amz-Target", NULL);

	if (target.data == NULL || target.length <= strlen(TARGET_PREFIX) || memcmp(target.data, TARGET_PREFIX, strlen(TARGET_PREFIX)) != 0)
		return -1;
	return ApiFindOperation(target.data + strlen(TARGET_PREFIX), target.length - strlen(TARGET_PREFIX));
}

static void
answer_health(Answer *answer)
{
	answer->content_type = "text/plain";
	appendStringInfoString(&answer->body, HEALTH_TEXT);
}

static void
answer_unknown(Answer *answer)
{
	answer->status = 404;
	appendStringInfoString(&answer->body, "<UnknownOperationException/>\n");
}

/*
 * decode_body
 *		The body without its content coding, in the request's context; an answer of 400 or 413 where that is not possible.
 */
static bool
decode_body(const HttpRequest *request, HttpText *body, Answer *answer)
{
	StringInfoData decoded;

	*body = request->body;
	if (request->content_coding == HTTP_CODING_IDENTITY || request->body.length == 0)
		return true;
	initStringInfo(&decoded);
	switch (request->content_coding == HTTP_CODING_UNKNOWN ? COMPRESSION_DAMAGED :
			CompressionDecode(request->content_coding, request->body.data, request->body.length, (size_t) endpoint_max_body_size * 1024, &decoded))
	{
		case COMPRESSION_DONE:
			body->data = decoded.data;
			body->length = decoded.len;
			return true;
		case COMPRESSION_TOO_LARGE:
			answer->status = 413;
			answer->content_type = NULL;
			return false;
		case COMPRESSION_DAMAGED:
		default:
			AnswerException(answer, "SerializationException", NULL, NULL);
			return false;
	}
}

static void
answer_request(const HttpRequest *request, Answer *answer)
{
	HttpText	body;
	int			operation;

	if (HttpTextEquals(request->method, "GET"))	/* 1 */
	{
		answer_health(answer);
		return;
	}
	if (EndpointIsAnonymous() && !host_is_local(request))
	{
		answer->content_type = "application/x-amz-json-1.0";
		AnswerException(answer, "AccessDeniedException",
						"An endpoint without authentication answers only requests whose Host is localhost or a loopback address", NULL);
		return;
	}
	if (HttpTextEquals(request->method, "OPTIONS") && AnswerOrigin() != NULL && HttpFindHeader(request, "Origin", NULL).data != NULL)	/* 2 */
		return;
	answer->content_type = find_content_type(request);
	if (!HttpTextEquals(request->method, "POST") || (request->body.length > 0 && answer->content_type == NULL))	/* 3 */
	{
		answer->content_type = NULL;
		answer_unknown(answer);
		return;
	}
	if (answer->content_type == NULL)
		answer->content_type = "application/x-amz-json-1.0";
	if (!decode_body(request, &body, answer))	/* 4, and half of 5 */
		return;
	if (body.length > 0 && !pg_verify_mbstr(PG_UTF8, body.data, (int) body.length, true))
	{
		AnswerException(answer, "SerializationException", NULL, NULL);
		return;
	}
	operation = find_operation(request);
	if (operation >= 0)
		answer->operation = operation;
	ExecuteRequest(request, body, operation, answer);	/* 5 to 10 */
}

/*
 * DispatchRequest
 *		Answer one whole request; its texts lie in the connection's input or in the shared buffer until then.
 */
void
DispatchRequest(Connection *connection, const HttpRequest *request)
{
	int64		started = EndpointNow();
	MemoryContext previous = MemoryContextSwitchTo(request_context);
	Answer		answer;

	MemoryContextReset(request_context);
	initStringInfo(&answer.body);
	AnswerInit(&answer, 200);
	answer.operation = ApiOperationCount();
	answer_request(request, &answer);
	MemoryContextSwitchTo(previous);
	if (connection->fd != PGINVALID_SOCKET)
		AnswerWrite(connection, request, &answer, started);
	MemoryContextReset(request_context);
}
