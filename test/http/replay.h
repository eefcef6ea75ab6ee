/*
 * test/http/replay.h
 *		One message given to the parser in many ways, and what must be the same in all of them.
 *
 * The ways: whole; byte by byte, in a buffer that moves each time and ends where the bytes do, so that the address sanitizer sees a read
 * beyond; in two pieces, split at every place; and with what decoded chunks left behind closed up after each piece.  After every
 * call the bytes behind the length given must be as they were.
 *
 * A result is compared as text (describe).  A failed check calls report_failure, which whoever includes this file defines.
 */
#ifndef SINGLETABLE_TEST_REPLAY_H
#define SINGLETABLE_TEST_REPLAY_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endpoint/http.h"

static void report_failure(const char *format, ...);

/* Text that grows. */
typedef struct Text
{
	char	   *data;			/* terminated; may hold NUL bytes before its end */
	size_t		length;
	size_t		room;
} Text;

static void
append_bytes(Text *text, const char *data, size_t length)
{
	if (text->length + length + 1 > text->room)
	{
		text->room = (text->length + length + 1) * 2;
		text->data = realloc(text->data, text->room);
		if (text->data == NULL)
			abort();
	}
	if (length > 0)
		memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
}

static void
append_format(Text *text, const char *format, ...)
{
	char		piece[256];
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(piece, sizeof(piece), format, arguments);
	va_end(arguments);
	append_bytes(text, piece, strlen(piece));
}

static void
clear_text(Text *text)
{
	append_bytes(text, "", 0);
	text->length = 0;
	text->data[0] = '\0';
}

static const char *const result_names[] = {
	"incomplete", "head", "complete", "bad", "head too large", "body too large", "expectation failed", "not implemented", "version"
};

static const char *const coding_names[] = {"identity", "gzip", "deflate", "unknown"};

/*
 * describe
 *		The result of a parse and, where it is complete, all that the request says.
 *
 * The first line is for people and for the table of cases: "complete POST /path?query 1.1 keep [continue] [gzip] [coding=gzip]
 * [has_body] body=..."; then one line a header.
 */
static void
describe(Text *text, HttpResult result, const HttpRequest *request)
{
	int			i;

	clear_text(text);
	append_format(text, "%s", result_names[result]);
	if (result != HTTP_COMPLETE)
		return;
	append_bytes(text, " ", 1);
	append_bytes(text, request->method.data, request->method.length);
	append_bytes(text, " ", 1);
	append_bytes(text, request->path.data, request->path.length);
	if (request->query.data != NULL)
	{
		append_bytes(text, "?", 1);
		append_bytes(text, request->query.data, request->query.length);
	}
	if (request->authority.data != NULL)
	{
		append_bytes(text, " at ", 4);
		append_bytes(text, request->authority.data, request->authority.length);
	}
	append_format(text, " 1.%d %s", request->minor_version, request->keep_alive ? "keep" : "close");
	if (request->expects_continue)
		append_format(text, " continue");
	if (request->accepts_gzip)
		append_format(text, " gzip");
	if (request->content_coding != HTTP_CODING_IDENTITY)
		append_format(text, " coding=%s", coding_names[request->content_coding]);
	if (request->has_body)
	{
		append_format(text, " body=");
		append_bytes(text, request->body.data, request->body.length);
	}
	else if (request->body.data == NULL || request->body.length != 0)
		append_format(text, " wrong body");
	append_bytes(text, "\n", 1);
	for (i = 0; i < request->header_count; i++)
	{
		append_bytes(text, request->headers[i].name.data, request->headers[i].name.length);
		append_bytes(text, "=", 1);
		append_bytes(text, request->headers[i].value.data, request->headers[i].value.length);
		append_bytes(text, "\n", 1);
	}
}

/* What a parse in some way came to. */
typedef struct Outcome
{
	HttpResult	result;
	Text		description;
	size_t		consumed;		/* of the message as sent */
	size_t		known_after;	/* bytes given when the result was known */
} Outcome;

static void
check_text(const char *what, HttpText text, const char *buffer, size_t length)
{
	if (text.data != NULL && (text.data < buffer || text.data > buffer + length || text.length > (size_t) (buffer + length - text.data)))
		report_failure("%s is not inside the buffer", what);
}

/* What holds for every complete request, whatever its bytes; buffer as it is after parsing. */
static void
check_request(const HttpParser *parser, const HttpRequest *request, const char *buffer, size_t length, const HttpLimits *limits)
{
	int			i,
				lengths,
				codings,
				hosts;
	size_t		position;

	check_text("method", request->method, buffer, length);
	check_text("path", request->path, buffer, length);
	check_text("query", request->query, buffer, length);
	check_text("authority", request->authority, buffer, length);
	check_text("body", request->body, buffer, length);
	if (request->header_count < 0 || request->header_count > HTTP_MAX_HEADERS)
		report_failure("%d headers", request->header_count);
	for (i = 0; i < request->header_count; i++)
	{
		check_text("header name", request->headers[i].name, buffer, length);
		check_text("header value", request->headers[i].value, buffer, length);
	}
	if (parser->consumed > length || parser->consumed < parser->head_length + request->body.length)
		report_failure("consumed %zu of %zu, head %zu, body %zu", parser->consumed, length, parser->head_length, request->body.length);
	if (parser->head_length > limits->max_head || request->body.length > limits->max_body)
		report_failure("head of %zu or body of %zu over the limit", parser->head_length, request->body.length);
	if (request->path.length == 0 || (request->path.data[0] != '/' && (request->path.length != 1 || request->path.data[0] != '*')))
		report_failure("path does not begin with a slash");

	/* The head once more, by simpler means. */
	for (position = 0; position < parser->head_length; position++)
	{
		unsigned char c = (unsigned char) buffer[position];

		if (c == '\n' && (position == 0 || buffer[position - 1] != '\r'))
			report_failure("bare LF in an accepted head");
		if (c == '\r' && (position + 1 == parser->head_length || buffer[position + 1] != '\n'))
			report_failure("bare CR in an accepted head");
		if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7F)
			report_failure("control character in an accepted head");
		if (c == '\n' && position + 1 < parser->head_length && (buffer[position + 1] == ' ' || buffer[position + 1] == '\t'))
			report_failure("folded line in an accepted head");
	}
	HttpFindHeader(request, "HOST", &hosts);
	HttpFindHeader(request, "content-length", &lengths);
	HttpFindHeader(request, "Transfer-encoding", &codings);
	if (hosts > 1 || (hosts == 0 && request->minor_version == 1))
		report_failure("%d hosts in an accepted head", hosts);
	if (lengths + codings > 1)
		report_failure("%d lengths and %d transfer codings in an accepted head", lengths, codings);
	if (lengths + codings == 0 && (request->has_body || parser->consumed != parser->head_length))
		report_failure("a body out of nothing");
	if (lengths == 1 && parser->consumed != parser->head_length + request->body.length)
		report_failure("consumed %zu, but head %zu and body %zu", parser->consumed, parser->head_length, request->body.length);
	if (parser->is_chunked != (codings == 1))
		report_failure("chunked or not?");
}

/*
 * replay
 *		Parse a message that comes in pieces: the first of first bytes, then each of step bytes.
 *
 * moves: the buffer is a new one for each piece and ends where the bytes do; otherwise it is one that holds the whole message from
 * the start.  compacts: HttpParserCompact after each HTTP_HEAD (only with moves).
 */
static void
replay(Outcome *outcome, const char *message, size_t length, const HttpLimits *limits, size_t first, size_t step, bool moves, bool compacts)
{
	HttpParser	parser;
	HttpRequest request;
	char	   *buffer = malloc(length + 1);
	char	   *rest = malloc(length + 1);
	size_t		given = 0;		/* bytes of message in the buffer so far */
	size_t		removed = 0;	/* of them closed up */
	bool		is_first = true;
	bool		seen_head = false;

	if (buffer == NULL || rest == NULL)
		abort();
	memcpy(buffer, message, length);
	HttpParserReset(&parser);
	memset(&request, 0xA5, sizeof(request));
	for (;;)
	{
		size_t		upto = is_first ? first : given + step;

		is_first = false;
		if (upto > length)
			upto = length;
		if (moves)
		{
			char	   *moved = malloc(upto - removed > 0 ? upto - removed : 1);

			if (moved == NULL)
				abort();
			memcpy(moved, buffer, given - removed);
			memcpy(moved + given - removed, message + given, upto - given);
			free(buffer);
			buffer = moved;
		}
		else
			memcpy(rest, buffer + upto, length - upto);
		given = upto;
		outcome->result = HttpParse(&parser, buffer, given - removed, limits, &request);
		if (!moves && memcmp(rest, buffer + given, length - given) != 0)
			report_failure("written beyond the length of %zu", given);
		/* All but a CR was looked at, so a message that comes byte by byte costs no more. */
		if ((outcome->result == HTTP_INCOMPLETE && parser.position + 1 < given - removed) ||
			(outcome->result == HTTP_HEAD && parser.is_chunked && parser.position != given - removed))
			report_failure("%zu bytes were looked at, of %zu", parser.position, given - removed);
		if (outcome->result == HTTP_INCOMPLETE && seen_head)
			report_failure("incomplete after the head");
		if (outcome->result == HTTP_HEAD && !seen_head)
		{
			/* Filled now, but for the body. */
			check_text("method", request.method, buffer, given - removed);
			if (request.method.length == 0 || request.body.data != NULL || !request.has_body)
				report_failure("request is not filled with the head");
			seen_head = true;
		}
		if ((outcome->result != HTTP_INCOMPLETE && outcome->result != HTTP_HEAD) || given == length)
			break;
		if (compacts && outcome->result == HTTP_HEAD)
		{
			size_t		shorter = HttpParserCompact(&parser, buffer, given - removed);

			if (shorter > parser.head_length + limits->max_body + step)
				report_failure("%zu bytes are left after closing up", shorter);
			removed = given - shorter;
		}
	}
	if (outcome->result == HTTP_COMPLETE)
		check_request(&parser, &request, buffer, given - removed, limits);
	outcome->consumed = outcome->result == HTTP_COMPLETE ? parser.consumed + removed : 0;
	outcome->known_after = given;
	describe(&outcome->description, outcome->result, &request);
	free(buffer);
	free(rest);
}

/* Texts are kept from call to call: two of them are enough. */
static Outcome whole_outcome,
			other_outcome;

static void
compare_outcomes(const char *way, size_t where)
{
	if (whole_outcome.description.length != other_outcome.description.length ||
		memcmp(whole_outcome.description.data, other_outcome.description.data, whole_outcome.description.length) != 0)
		report_failure("whole: %s\n%s at %zu: %s", whole_outcome.description.data, way, where, other_outcome.description.data);
	if (whole_outcome.consumed != other_outcome.consumed)
		report_failure("whole consumed %zu, %s at %zu %zu", whole_outcome.consumed, way, where, other_outcome.consumed);
}

/*
 * replay_all
 *		Parse a message in all ways and compare; every: at each splits of that distance (1 is all).
 *
 * Result	what the whole message came to; valid until the next call
 */
static const Outcome *
replay_all(const char *message, size_t length, const HttpLimits *limits, size_t every)
{
	size_t		split;

	replay(&whole_outcome, message, length, limits, length, 1, true, false);
	replay(&other_outcome, message, length, limits, length, 1, false, false);
	compare_outcomes("in place", 0);
	for (split = 0; split <= length; split += every)
	{
		replay(&other_outcome, message, length, limits, split, length, false, false);
		compare_outcomes("split", split);
	}
	replay(&other_outcome, message, length, limits, 1, 7, true, true);
	compare_outcomes("closed up by 7", 0);
	replay(&other_outcome, message, length, limits, 1, 1, true, true);
	compare_outcomes("closed up", 0);
	replay(&other_outcome, message, length, limits, 1, 1, true, false);
	compare_outcomes("byte by byte", 0);
	/* As soon as that many bytes are there. */
	whole_outcome.known_after = other_outcome.known_after;
	return &whole_outcome;
}

#endif							/* SINGLETABLE_TEST_REPLAY_H */
