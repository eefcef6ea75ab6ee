/*
 * test/http/table.c
 *		The table of messages, each given to the parser in all ways (replay.h), alone and with another message behind it; and messages at
 *		the limits, which are made here.
 *
 * Prints "ok - name" or "not ok - name" for each, comments before it; exit status 1 if one failed.
 */
#include "replay.h"
#include "table.h"

static const HttpLimits limits = {TABLE_MAX_HEAD, TABLE_MAX_BODY};
static int	failures;			/* of the current case */
static int	failed_cases;

static void
report_failure(const char *format, ...)
{
	va_list		arguments;

	if (failures++ > 5)
		return;
	va_start(arguments, format);
	fputs("# ", stdout);
	vprintf(format, arguments);
	fputs("\n", stdout);
	va_end(arguments);
}

/* One message: what it must come to, and that what follows it changes nothing. */
static void
check_case(const char *name, const char *message, size_t length, const char *expected, size_t known_after)
{
	static const char next[] = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
	size_t		every = length > 1000 ? 97 : 1;
	const Outcome *outcome = replay_all(message, length, &limits, every);
	const char *description = outcome->description.data;
	size_t		line = strlen(expected);
	bool		is_final = outcome->result != HTTP_INCOMPLETE && outcome->result != HTTP_HEAD;
	Text		pipeline = {NULL, 0, 0};
	Text		kept = {NULL, 0, 0};

	if (strncmp(description, expected, line) != 0)
		report_failure("expected: %s\n# found: %s", expected, description);
	if (outcome->result == HTTP_COMPLETE && outcome->consumed != length)
		report_failure("consumed %zu bytes of %zu", outcome->consumed, length);
	if (known_after != 0 && outcome->known_after != known_after)
		report_failure("known after %zu bytes, expected after %zu", outcome->known_after, known_after);

	/* Another request, or garbage, behind it; only a complete message leaves it for the next parse. */
	if (is_final)
	{
		append_bytes(&kept, outcome->description.data, outcome->description.length);
		append_bytes(&pipeline, message, length);
		append_bytes(&pipeline, next, sizeof(next) - 1);
		append_bytes(&pipeline, "\0\n", 2);
		outcome = replay_all(pipeline.data, pipeline.length, &limits, every);
		if (outcome->description.length != kept.length || memcmp(outcome->description.data, kept.data, kept.length) != 0)
			report_failure("alone: %s\n# with another behind it: %s", kept.data, outcome->description.data);
		if (outcome->result == HTTP_COMPLETE)
		{
			if (outcome->consumed != length)
				report_failure("consumed %zu bytes of %zu with another behind it", outcome->consumed, length);
			outcome = replay_all(pipeline.data + length, pipeline.length - length, &limits, 1);
			if (strncmp(outcome->description.data, "complete GET /next 1.1 keep\n", 28) != 0)
				report_failure("the next: %s", outcome->description.data);
			outcome = replay_all(pipeline.data + length + sizeof(next) - 1, 2, &limits, 1);
			if (outcome->result != HTTP_BAD)
				report_failure("garbage behind: %s", outcome->description.data);
		}
	}

	printf("%s - %s\n", failures == 0 ? "ok" : "not ok", name);
	if (failures > 0)
		failed_cases++;
	failures = 0;
	free(pipeline.data);
	free(kept.data);
}

static void
append_repeated(Text *text, const char *piece, int count)
{
	while (count-- > 0)
		append_bytes(text, piece, strlen(piece));
}

/* A head of exactly that many bytes. */
static void
make_head(Text *text, size_t length)
{
	clear_text(text);
	append_bytes(text, GET "Host: a\r\nX: ", 28);
	append_repeated(text, "x", (int) (length - 28 - 4));
	append_bytes(text, "\r\n\r\n", 4);
}

static void
make_headers(Text *text, int count)
{
	clear_text(text);
	append_bytes(text, GET "Host: a\r\n", 25);
	append_repeated(text, "X: y\r\n", count - 1);
	append_bytes(text, "\r\n", 2);
}

/* Chunks of one byte each, with an extension. */
static void
make_chunks(Text *text, int count, const char *extension)
{
	clear_text(text);
	append_bytes(text, CHUNKED, sizeof(CHUNKED) - 1);
	while (count-- > 0)
	{
		append_format(text, "1%s\r\n", extension);
		append_bytes(text, "x\r\n", 3);
	}
	append_bytes(text, "0\r\n\r\n", 5);
}

static void
check_limits(void)
{
	Text		text = {NULL, 0, 0};
	HttpLimits	largest = {TABLE_MAX_HEAD, (size_t) -1 / 2};
	const Outcome *outcome;

	make_head(&text, TABLE_MAX_HEAD);
	check_case("head at the limit", text.data, text.length, "complete GET / 1.1 keep", 0);
	make_head(&text, TABLE_MAX_HEAD + 1);
	check_case("head over the limit", text.data, text.length, "head too large", TABLE_MAX_HEAD);
	clear_text(&text);
	append_repeated(&text, "x", TABLE_MAX_HEAD + 10);
	check_case("request line over the limit", text.data, text.length, "head too large", TABLE_MAX_HEAD);
	clear_text(&text);
	append_repeated(&text, "\r\n", TABLE_MAX_HEAD);
	check_case("empty lines over the limit", text.data, text.length, "head too large", TABLE_MAX_HEAD);

	make_headers(&text, HTTP_MAX_HEADERS);
	check_case("64 headers", text.data, text.length, "complete GET / 1.1 keep", 0);
	make_headers(&text, HTTP_MAX_HEADERS + 1);
	check_case("65 headers", text.data, text.length, "head too large", 0);

	make_chunks(&text, TABLE_MAX_BODY, "");
	check_case("1000 chunks of a byte", text.data, text.length, "complete POST / 1.1 keep body=xxx", 0);
	make_chunks(&text, TABLE_MAX_BODY + 1, "");
	check_case("1001 chunks of a byte", text.data, text.length, "body too large", 0);
	make_chunks(&text, TABLE_MAX_BODY, ";2345678901234\r");
	check_case("bare CR in an extension", text.data, text.length, "bad", 0);
	make_chunks(&text, TABLE_MAX_BODY, ";2345678901234");
	check_case("extensions at the limit", text.data, text.length, "complete POST / 1.1 keep body=xxx", 0);
	make_chunks(&text, TABLE_MAX_BODY, ";23456789012345678");
	check_case("extensions over the limit", text.data, text.length, "head too large", 0);
	clear_text(&text);
	append_bytes(&text, CHUNKED, sizeof(CHUNKED) - 1);
	append_repeated(&text, "0", TABLE_MAX_HEAD + 1);
	check_case("zeros over the limit", text.data, text.length, "head too large", sizeof(CHUNKED) - 1 + TABLE_MAX_HEAD + 1);
	clear_text(&text);
	append_bytes(&text, CHUNKED "0\r\n", sizeof(CHUNKED) - 1 + 3);
	append_repeated(&text, "X: y\r\n", TABLE_MAX_HEAD / 4);
	check_case("trailers over the limit", text.data, text.length, "head too large", 0);

	/* The largest limit does not overflow. */
	clear_text(&text);
	append_bytes(&text, CHUNKED "3\r\nabc\r\nfffffffffffffffff", sizeof(CHUNKED) - 1 + 8 + 17);
	outcome = replay_all(text.data, text.length, &largest, 1);
	if (outcome->result != HTTP_BODY_TOO_LARGE)
		report_failure("%s", outcome->description.data);
	printf("%s - no overflow at the largest limit\n", failures == 0 ? "ok" : "not ok");
	failed_cases += failures > 0;
	failures = 0;
	free(text.data);
}

/* Limits that are lowered while a message comes, by a reload. */
static void
check_lower_limits(void)
{
	static const char message[] = CHUNKED "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
	const HttpLimits lower = {10, 2};
	const size_t chunk_end = sizeof(CHUNKED) - 1 + 8;
	HttpParser	parser;
	HttpRequest request;
	size_t		given;

	for (given = 0; given < sizeof(message) - 1; given++)
	{
		char	   *buffer = malloc(given + 1);
		HttpResult	result;
		/* What an earlier limit let in stays: the head, or the size of the second chunk. */
		HttpResult	expected = given < sizeof(CHUNKED) - 1 ? HTTP_HEAD_TOO_LARGE : given <= chunk_end ? HTTP_BODY_TOO_LARGE : HTTP_COMPLETE;

		if (buffer == NULL)
			abort();
		memcpy(buffer, message, given);
		HttpParserReset(&parser);
		(void) HttpParse(&parser, buffer, given, &limits, &request);
		buffer = realloc(buffer, sizeof(message) - 1);
		if (buffer == NULL)
			abort();
		memcpy(buffer + given, message + given, sizeof(message) - 1 - given);
		result = HttpParse(&parser, buffer, sizeof(message) - 1, &lower, &request);
		if (result != expected)
			report_failure("after %zu bytes: %s", given, result_names[result]);
		free(buffer);
	}
	printf("%s - lower limits\n", failures == 0 ? "ok" : "not ok");
	failed_cases += failures > 0;
	failures = 0;
}

/* What the header promises of the two functions for callers. */
static void
check_functions(void)
{
	char		message[] = GET "Host: a\r\nX-B: 1\r\nx-b: 2\r\nX-BC: 3\r\n\r\n";
	HttpParser	parser;
	HttpRequest request;
	HttpText	found;
	int			count = -1;

	HttpParserReset(&parser);
	if (HttpParse(&parser, message, sizeof(message) - 1, &limits, &request) != HTTP_COMPLETE)
		report_failure("not complete");
	found = HttpFindHeader(&request, "X-b", &count);
	if (count != 2 || found.length != 1 || found.data[0] != '1')
		report_failure("X-b: %d times", count);
	found = HttpFindHeader(&request, "x-", &count);
	if (count != 0 || found.data != NULL || found.length != 0)
		report_failure("x-: %d times", count);
	if (!HttpTextIs(request.method, "get") || HttpTextIs(request.method, "ge") || HttpTextIs(request.method, "gets") ||
		!HttpTextIs(found, "") || HttpTextIs(found, "x"))
		report_failure("HttpTextIs");
	printf("%s - functions for callers\n", failures == 0 ? "ok" : "not ok");
	failed_cases += failures > 0;
	failures = 0;
}

int
main(void)
{
	int			i;

	for (i = 0; i < CASE_COUNT; i++)
		check_case(cases[i].name, cases[i].message, cases[i].length, cases[i].expected, cases[i].known_after);
	check_limits();
	check_lower_limits();
	check_functions();
	free(whole_outcome.description.data);
	free(other_outcome.description.data);
	return failed_cases > 0;
}
