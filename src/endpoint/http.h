/*
 * src/endpoint/http.h
 *		A parser of HTTP/1.1 requests that knows nothing of PostgreSQL: bytes in, one request out.
 *
 * It allocates nothing and never reads beyond what it is given, so that it can be fuzzed alone (test/http/) and called on any
 * buffer.  A message is one contiguous piece of memory that the caller lets grow; a chunked body is decoded in place.
 *
 * Strict where two readers could see two messages (RFC 9112, sections 2.2, 3, 5.1, 6.3, 11): bare LF, obs-fold, blanks before a colon,
 * a length beside a transfer coding, two lengths, signs in a length, codings other than chunked, control bytes, no Host or two.
 */
#ifndef SINGLETABLE_HTTP_H
#define SINGLETABLE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#define HTTP_MAX_HEADERS 64
#define HTTP_MAX_HEAD_SIZE (16 * 1024)	/* default limit: bytes of request line and headers */

/* A piece of the message; not terminated. */
typedef struct HttpText
{
	const char *data;			/* NULL when absent */
	size_t		length;
} HttpText;

typedef struct HttpHeader
{
	HttpText	name;			/* as sent: compare with HttpTextIs */
	HttpText	value;			/* without the blanks around it */
} HttpHeader;

typedef enum HttpCoding
{
	HTTP_CODING_IDENTITY,
	HTTP_CODING_GZIP,			/* gzip, x-gzip */
	HTTP_CODING_DEFLATE,
	HTTP_CODING_UNKNOWN			/* several codings too */
} HttpCoding;

typedef struct HttpRequest
{
	HttpText	method;			/* case-sensitive */
	HttpText	path;			/* before the question mark, still percent-encoded; begins with '/', or is "*" */
	HttpText	query;			/* behind the question mark, still percent-encoded; absent without one */
	HttpText	authority;		/* of an absolute target (http://authority/path), the same as Host; absent otherwise */
	int			minor_version;	/* 0 or 1 */
	int			header_count;
	HttpHeader	headers[HTTP_MAX_HEADERS];	/* in the order of the message */
	bool		keep_alive;		/* by version and Connection header */
	bool		expects_continue;	/* Expect: 100-continue */
	bool		accepts_gzip;	/* Accept-Encoding names gzip, with q above 0 */
	HttpCoding	content_coding; /* of the body, still applied */
	bool		has_body;		/* a length above 0, or chunked */
	HttpText	body;			/* chunks put together; absent until complete */
} HttpRequest;

typedef enum HttpResult
{
	HTTP_INCOMPLETE,			/* more bytes are needed; nothing is known yet */
	HTTP_HEAD,					/* the head is complete, more bytes of the body are needed */
	HTTP_COMPLETE,				/* parser->consumed bytes of the buffer are one whole request */
	HTTP_BAD,					/* no HTTP: answer 400 and close */
	HTTP_HEAD_TOO_LARGE,		/* more than max_head bytes of head (or of chunk extensions and trailers), or than HTTP_MAX_HEADERS
								 * headers: answer 400 (as the service does) and close */
	HTTP_BODY_TOO_LARGE,		/* known before the body is read where there is a length: answer 413 and close */
	HTTP_EXPECTATION_FAILED,	/* an Expect other than 100-continue: answer 417 and close */
	HTTP_NOT_IMPLEMENTED,		/* a transfer coding other than chunked: answer 501 and close */
	HTTP_VERSION				/* not HTTP/1.0 or 1.1: answer 505 and close */
} HttpResult;

typedef struct HttpLimits
{
	size_t		max_head;		/* bytes */
	size_t		max_body;		/* bytes, as sent, chunks put together */
} HttpLimits;

/*
 * State between two calls for one message; all zero (HttpParserReset) before the first.  Offsets only, so that the buffer may move or be
 * copied between calls; what was looked at is not looked at again, so that a message which comes byte by byte costs no more.
 */
typedef struct HttpParser
{
	size_t		position;		/* bytes that need no second look */
	size_t		head_start;		/* offset of the request line: empty lines are before it */
	size_t		line_start;		/* offset of the line of the head that is being looked at */
	size_t		head_length;	/* all before the body: empty lines, request line, headers and blank line; 0 until known */
	size_t		body_length;	/* bytes of body that are decoded, or the Content-Length */
	size_t		consumed;		/* of a complete request: bytes of the buffer that were its message */
	bool		is_chunked;
	int			chunk_state;	/* http.c's own */
	size_t		chunk_remaining;	/* bytes of the current chunk that are still to come */
	size_t		framing_length; /* bytes of extensions, trailers and leading zeros so far */
} HttpParser;

extern void HttpParserReset(HttpParser *parser);

/*
 * HttpParse
 *		Look for one request at the start of a buffer.
 *
 * buffer may be written to (chunks are moved together) but never beyond length.  request is filled when the head becomes known, that is
 * with the first HTTP_HEAD (then all but body), and with HTTP_COMPLETE; its texts point into the buffer.  A later HTTP_HEAD leaves it
 * alone.  Called again with the same or more bytes until the result is none of INCOMPLETE and HEAD; limits may change in between, what
 * was accepted then stays so.  Empty lines before the request
 * line are skipped (RFC 9112, section 2.2) and count as part of the head.
 */
extern HttpResult HttpParse(HttpParser *parser, char *buffer, size_t length, const HttpLimits *limits, HttpRequest *request);

/*
 * HttpParserCompact
 *		After HTTP_HEAD: close the gap that decoded chunks left behind, so that a message of many small chunks needs no more memory than its
 *		body.
 *
 * Result	the new length of the buffer's contents
 */
extern size_t HttpParserCompact(HttpParser *parser, char *buffer, size_t length);

/* The value of the first header of that name (compared without case), an absent text if there is none; count, if not NULL: how many there are. */
extern HttpText HttpFindHeader(const HttpRequest *request, const char *name, int *count);

/* Is the text this string, without case? */
extern bool HttpTextIs(HttpText text, const char *string);

/* Is the text this string, to the letter? */
extern bool HttpTextEquals(HttpText text, const char *string);

/* The value of a hexadecimal digit, -1 if the byte is none. */
extern int	HttpHexDigit(char byte);

#endif							/* SINGLETABLE_HTTP_H */
