/*
 * src/endpoint/http.c
 *		A parser of HTTP/1.1 requests; without PostgreSQL, see http.h.
 *
 * The words: a head is the request line, the header lines and the empty line behind them; text is what may stand in a line (RFC 9110,
 * section 5.5): visible characters, blanks, tabs and bytes above 127, so no CR, LF, NUL or other control character.
 *
 * Two steps.  Bytes are looked at once as they come: for the end of the head, and for what can be no HTTP, which is refused without
 * waiting for more (find_head).  A complete head is then read into a request (read_head), and once more when its body is complete, since
 * neither request nor buffer need be the same as before.  Every refusal depends only on the bytes before it: the same message gets the
 * same result in whatever pieces it comes.
 *
 * This file includes nothing of PostgreSQL, so that test/http/ compiles it as it is.
 */
#include <stdint.h>
#include <string.h>

#include "endpoint/http.h"

/* HttpParser.chunk_state: what the next byte of a chunked body belongs to. */
typedef enum ChunkState
{
	CHUNK_SIZE_START,			/* the first digit of a size */
	CHUNK_SIZE,
	CHUNK_EXTENSION,			/* behind a semicolon; ignored */
	CHUNK_SIZE_LF,
	CHUNK_DATA,
	CHUNK_DATA_CR,
	CHUNK_DATA_LF,
	TRAILER_START,				/* the first byte of a line behind the last chunk */
	TRAILER_NAME,
	TRAILER_VALUE,
	TRAILER_LF,
	CHUNKED_LF					/* of the empty line that ends the message */
} ChunkState;

/* How long a body is, as the head says. */
typedef struct Framing
{
	bool		is_chunked;
	bool		has_length;
	size_t		length;			/* Content-Length; the largest size_t for all that is larger */
} Framing;

/* May the byte stand in a line?  Source: RFC 9110, section 5.5 */
static inline bool
is_text(char byte)
{
	unsigned char c = (unsigned char) byte;

	return (c >= 0x20 && c != 0x7F) || c == '\t';
}

/*
 * skip_text
 *		The position of the first byte at or behind this one that is no text, or end.
 *
 * Eight bytes are looked at together: subtracting 0x20 from each borrows from the highest bit of those below it, if it was not set before, and
 * subtracting 1 does so for those that were DEL.  Where there may be one, single bytes decide.
 */
static size_t
skip_text(const char *buffer, size_t position, size_t end)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	for (; position + sizeof(uint64_t) <= end; position += sizeof(uint64_t))
	{
		uint64_t	bytes;
		uint64_t	without_del;

		memcpy(&bytes, buffer + position, sizeof(uint64_t));
		without_del = bytes ^ (ones * 0x7F);
		if ((((bytes - ones * 0x20) & ~bytes) | ((without_del - ones) & ~without_del)) & (ones * 0x80))
			break;
	}
	while (position < end && is_text(buffer[position]))
		position++;
	return position;
}

/* May the byte stand in a method or in the name of a header?  Source: RFC 9110, section 5.6.2 */
static inline bool
is_token(char byte)
{
	static const unsigned int bits[8] = {0, 0x03FF6CFA, 0xC7FFFFFE, 0x57FFFFFF};
	unsigned char c = (unsigned char) byte;

	return (bits[c >> 5] >> (c & 31)) & 1;
}

/* The same letter in lower case, whatever the locale. */
static inline char
lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char) (byte + ('a' - 'A')) : byte;
}

/* Does the text begin with this string, without case? */
static bool
starts_with(HttpText text, const char *string)
{
	size_t		i;

	for (i = 0; string[i] != '\0'; i++)
		if (i == text.length || lower(text.data[i]) != lower(string[i]))
			return false;
	return true;
}

bool
HttpTextIs(HttpText text, const char *string)
{
	return text.length == strlen(string) && starts_with(text, string);
}

bool
HttpTextEquals(HttpText text, const char *string)
{
	return text.length == strlen(string) && memcmp(text.data, string, text.length) == 0;
}

int
HttpHexDigit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	byte = lower(byte);
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The text from start (inclusive) to end (exclusive) without blanks and tabs around it. */
static HttpText
trim_text(const char *start, const char *end)
{
	HttpText	text;

	while (start < end && (*start == ' ' || *start == '\t'))
		start++;
	while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	text.data = start;
	text.length = end - start;
	return text;
}

/* Takes the text before the next separator, or all, from the front of list, trimmed; false at the end of the list. */
static bool
next_element(HttpText *list, char separator, HttpText *element)
{
	const char *end;

	if (list->data == NULL)
		return false;
	end = memchr(list->data, separator, list->length);
	if (end == NULL)
	{
		*element = trim_text(list->data, list->data + list->length);
		list->data = NULL;
		list->length = 0;
	}
	else
	{
		*element = trim_text(list->data, end);
		list->length -= end + 1 - list->data;
		list->data = end + 1;
	}
	return true;
}

/*
 * read_target
 *		Split the target of a request line into authority, path and query.
 *
 * Result	false if it is none that a server has to understand: a host and a port (CONNECT), or no URI
 * Source	RFC 9112, section 3.2
 */
static bool
read_target(HttpText target, HttpRequest *request)
{
	const char *end = target.data + target.length;
	const char *position = target.data;
	size_t		i;

	for (i = 0; i < target.length; i++)
		if (target.data[i] <= ' ' || target.data[i] > '~')
			return false;
	memset(&request->authority, 0, sizeof(HttpText));
	memset(&request->query, 0, sizeof(HttpText));

	if (target.length == 1 && *position == '*')
	{
		request->path = target;
		return HttpTextEquals(request->method, "OPTIONS");
	}

	if (starts_with(target, "http://") || starts_with(target, "https://"))
	{
		const char *slash = memchr(position, '/', target.length);

		request->authority.data = slash + 2;
		for (position = slash + 2; position < end && *position != '/' && *position != '?'; position++)
			;
		request->authority.length = position - request->authority.data;
		if (request->authority.length == 0)
			return false;
		/* An absent path is "/": the first one at hand stands for it. */
		request->path.data = slash;
		request->path.length = 1;
	}
	else if (target.length == 0 || *position != '/')
		return false;

	if (position < end && *position == '/')
	{
		const char *mark = memchr(position, '?', end - position);

		request->path.data = position;
		request->path.length = (mark != NULL ? mark : end) - position;
		position += request->path.length;
	}
	if (position < end)
	{
		request->query.data = position + 1;
		request->query.length = end - position - 1;
	}
	return true;
}

/*
 * read_request_line
 *		Method, target and version, with exactly one blank between them.
 *
 * Result	HTTP_HEAD if the line is good; HTTP_BAD, HTTP_VERSION
 * Source	RFC 9112, section 3
 */
static HttpResult
read_request_line(HttpText line, HttpRequest *request)
{
	const char *end = line.data + line.length;
	const char *first_blank = memchr(line.data, ' ', line.length);
	const char *second_blank = first_blank == NULL ? NULL : memchr(first_blank + 1, ' ', end - first_blank - 1);
	const char *version;
	HttpText	target;
	size_t		i;

	if (second_blank == NULL)
		return HTTP_BAD;
	request->method.data = line.data;
	request->method.length = first_blank - line.data;
	if (request->method.length == 0)
		return HTTP_BAD;
	for (i = 0; i < request->method.length; i++)
		if (!is_token(request->method.data[i]))
			return HTTP_BAD;

	target.data = first_blank + 1;
	target.length = second_blank - target.data;
	if (!read_target(target, request))
		return HTTP_BAD;

	version = second_blank + 1;
	if (end - version != 8 || memcmp(version, "HTTP/", 5) != 0 || version[5] < '0' || version[5] > '9' || version[6] != '.' ||
		version[7] < '0' || version[7] > '9')
		return HTTP_BAD;
	if (version[5] != '1' || version[7] > '1')
		return HTTP_VERSION;
	request->minor_version = version[7] - '0';
	return HTTP_HEAD;
}

/*
 * find_head
 *		Look at bytes that were not looked at before, for the end of the head.
 *
 * Result	HTTP_HEAD when it was found (*head_length), HTTP_INCOMPLETE, HTTP_HEAD_TOO_LARGE, HTTP_BAD (a control character, a line end
 *			other than CRLF), or what is wrong with the request line
 */
static HttpResult
find_head(HttpParser *parser, const char *buffer, size_t length, const HttpLimits *limits, HttpRequest *request, size_t *head_length)
{
	size_t		end = length < limits->max_head ? length : limits->max_head;
	size_t		position = parser->position;

	for (;;)
	{
		HttpText	line;

		position = skip_text(buffer, position, end);
		/* A CR at the end is looked at again, with what follows it. */
		parser->position = position;
		if (position >= end || (buffer[position] == '\r' && position + 1 == end))
			return end == limits->max_head ? HTTP_HEAD_TOO_LARGE : HTTP_INCOMPLETE;
		if (buffer[position] != '\r' || buffer[position + 1] != '\n')
			return HTTP_BAD;

		line.data = buffer + parser->line_start;
		line.length = position - parser->line_start;
		if (line.length == 0 && parser->line_start > parser->head_start)
		{
			*head_length = position + 2;
			return HTTP_HEAD;
		}
		if (line.length == 0)
			parser->head_start = position + 2;
		else if (parser->line_start == parser->head_start)
		{
			HttpResult	result = read_request_line(line, request);

			if (result != HTTP_HEAD)
				return result;
		}
		position += 2;
		parser->line_start = position;
	}
}

/*
 * read_length
 *		The value of Content-Length: digits only, no sign, no list.
 *
 * Result	false if it is no such; a number that does not fit is the largest one that does, so above every limit
 * Source	RFC 9110, section 8.6
 */
static bool
read_length(HttpText value, size_t *length)
{
	size_t		i;

	*length = 0;
	for (i = 0; i < value.length; i++)
	{
		size_t		digit = value.data[i] - '0';

		if (value.data[i] < '0' || value.data[i] > '9')
			return false;
		*length = *length > ((size_t) -1 - digit) / 10 ? (size_t) -1 : *length * 10 + digit;
	}
	return value.length > 0;
}

/*
 * is_host
 *		Can this be a host and a port?  Only characters are checked that other readers take for the end of a host, or for two of them.
 *
 * Source	RFC 9112, section 3.2; RFC 3986, section 3.2.2
 */
static bool
is_host(HttpText value)
{
	size_t		i;

	for (i = 0; i < value.length; i++)
		if (value.data[i] <= ' ' || value.data[i] > '~' || strchr("/?#@\\,\"<>", value.data[i]) != NULL)
			return false;
	return true;
}

/* Does an element of Accept-Encoding name gzip, with no weight or one above 0?  Source: RFC 9110, sections 12.4.2 and 12.5.3 */
static bool
accepts_gzip(HttpText element)
{
	HttpText	part;
	size_t		i;

	if (!next_element(&element, ';', &part) || !(HttpTextIs(part, "gzip") || HttpTextIs(part, "x-gzip")))
		return false;
	if (!next_element(&element, ';', &part))
		return true;
	if (!starts_with(part, "q="))
		return false;
	for (i = 2; i < part.length; i++)
		if (part.data[i] >= '1' && part.data[i] <= '9')
			return true;
	return false;
}

/*
 * read_header
 *		Note what a header says about the message itself.
 *
 * host_count, close and framing gather over all headers.
 * Result	HTTP_HEAD if it is good
 */
static HttpResult
read_header(const HttpHeader *header, HttpRequest *request, Framing *framing, int *host_count, bool *closes)
{
	HttpText	name = header->name;
	HttpText	value = header->value;
	HttpText	element;

	switch (name.length)
	{
		case 4:
			if (!HttpTextIs(name, "host"))
				break;
			if (++*host_count > 1 || !is_host(value))
				return HTTP_BAD;
			if (request->authority.data != NULL &&
				(value.length != request->authority.length || memcmp(value.data, request->authority.data, value.length) != 0))
				return HTTP_BAD;
			break;
		case 6:
			if (!HttpTextIs(name, "expect"))
				break;
			if (!HttpTextIs(value, "100-continue"))
				return HTTP_EXPECTATION_FAILED;
			/* RFC 9110, section 10.1.1: clients of 1.0 do not know the interim answer. */
			request->expects_continue = request->minor_version > 0;
			break;
		case 10:
			if (!HttpTextIs(name, "connection"))
				break;
			while (next_element(&value, ',', &element))
			{
				if (HttpTextIs(element, "close"))
					*closes = true;
				else if (HttpTextIs(element, "keep-alive"))
					request->keep_alive = true;
			}
			break;
		case 14:
			if (!HttpTextIs(name, "content-length"))
				break;
			/* Two equal ones could be joined (RFC 9110, section 8.6), but no client of ours sends them. */
			if (framing->has_length || !read_length(value, &framing->length))
				return HTTP_BAD;
			framing->has_length = true;
			break;
		case 15:
			if (!HttpTextIs(name, "accept-encoding"))
				break;
			while (next_element(&value, ',', &element))
				if (accepts_gzip(element))
					request->accepts_gzip = true;
			break;
		case 16:
			if (!HttpTextIs(name, "content-encoding") || HttpTextIs(value, "identity") || value.length == 0)
				break;
			if (request->content_coding != HTTP_CODING_IDENTITY)
				request->content_coding = HTTP_CODING_UNKNOWN;
			else if (HttpTextIs(value, "gzip") || HttpTextIs(value, "x-gzip"))
				request->content_coding = HTTP_CODING_GZIP;
			else if (HttpTextIs(value, "deflate"))
				request->content_coding = HTTP_CODING_DEFLATE;
			else
				request->content_coding = HTTP_CODING_UNKNOWN;
			break;
		case 17:
			if (!HttpTextIs(name, "transfer-encoding"))
				break;
			/* RFC 9112, section 6.1: 1.0 has none, and a reader that does not know of it finds another end of the message. */
			if (framing->is_chunked || request->minor_version == 0)
				return HTTP_BAD;
			if (!HttpTextIs(value, "chunked"))
				return HTTP_NOT_IMPLEMENTED;
			framing->is_chunked = true;
			break;
	}
	return HTTP_HEAD;
}

/*
 * read_head
 *		Read a complete head, which consists of lines of text, into request.
 *
 * Of several faults a malformed line is told first, then what comes first in the message.
 * Result	HTTP_HEAD if it is good
 * Source	RFC 9112, sections 5 and 6
 */
static HttpResult
read_head(const HttpParser *parser, const char *buffer, size_t head_length, HttpRequest *request, Framing *framing)
{
	const char *position = buffer + parser->head_start;
	const char *end = buffer + head_length - 2;
	const char *line_end = memchr(position, '\r', end - position);
	HttpText	line;
	HttpResult	result;
	int			host_count = 0;
	bool		closes = false;
	int			i;

	line.data = position;
	line.length = line_end - position;
	result = read_request_line(line, request);
	if (result != HTTP_HEAD)
		return result;
	request->header_count = 0;
	request->keep_alive = request->minor_version > 0;
	request->expects_continue = false;
	request->accepts_gzip = false;
	request->content_coding = HTTP_CODING_IDENTITY;
	memset(&request->body, 0, sizeof(HttpText));
	memset(framing, 0, sizeof(Framing));

	for (position = line_end + 2; position < end; position = line_end + 2)
	{
		const char *colon = position;
		HttpHeader *header;

		line_end = memchr(position, '\r', end - position);
		/* A line that begins with a blank (obs-fold), and a blank before the colon, end here too. */
		while (colon < line_end && is_token(*colon))
			colon++;
		if (colon == position || colon == line_end || *colon != ':')
			return HTTP_BAD;
		if (request->header_count == HTTP_MAX_HEADERS)
			return HTTP_HEAD_TOO_LARGE;
		header = &request->headers[request->header_count++];
		header->name.data = position;
		header->name.length = colon - position;
		header->value = trim_text(colon + 1, line_end);
	}

	for (i = 0; i < request->header_count; i++)
	{
		result = read_header(&request->headers[i], request, framing, &host_count, &closes);
		if (result != HTTP_HEAD)
			return result;
	}
	if (closes)
		request->keep_alive = false;
	if (host_count == 0 && request->minor_version > 0)
		return HTTP_BAD;
	if (framing->is_chunked && framing->has_length)
		return HTTP_BAD;
	request->has_body = framing->is_chunked || framing->length > 0;
	return HTTP_HEAD;
}

/*
 * decode_chunks
 *		Move the data of chunks together behind the head, as far as they are there.
 *
 * What is decoded never is longer than what it is decoded from, so the place written to is always behind the place read.
 * Extensions and trailers are checked for their characters and dropped.
 *
 * Result	HTTP_COMPLETE (parser->consumed), HTTP_HEAD if more must come, HTTP_BAD, HTTP_BODY_TOO_LARGE, HTTP_HEAD_TOO_LARGE
 * Source	RFC 9112, section 7.1
 */
static HttpResult
decode_chunks(HttpParser *parser, char *buffer, size_t length, const HttpLimits *limits)
{
	while (parser->position < length)
	{
		char		byte = buffer[parser->position];
		int			digit;
		size_t		piece;
		size_t		room;

		switch ((ChunkState) parser->chunk_state)
		{
			case CHUNK_SIZE_START:
			case CHUNK_SIZE:
				digit = HttpHexDigit(byte);
				if (digit >= 0)
				{
					room = limits->max_body > parser->body_length ? limits->max_body - parser->body_length : 0;
					if ((size_t) digit > room || parser->chunk_remaining > (room - digit) / 16)
						return HTTP_BODY_TOO_LARGE;
					parser->chunk_remaining = parser->chunk_remaining * 16 + digit;
					if (parser->chunk_remaining == 0)
						parser->framing_length++;
					parser->chunk_state = CHUNK_SIZE;
				}
				else if (parser->chunk_state == CHUNK_SIZE_START)
					return HTTP_BAD;
				else if (byte == '\r')
					parser->chunk_state = CHUNK_SIZE_LF;
				else if (byte == ';')
					parser->chunk_state = CHUNK_EXTENSION;
				else
					return HTTP_BAD;
				break;

			case CHUNK_EXTENSION:
				parser->framing_length++;
				if (byte == '\r')
					parser->chunk_state = CHUNK_SIZE_LF;
				else if (!is_text(byte))
					return HTTP_BAD;
				break;

			case CHUNK_SIZE_LF:
				if (byte != '\n')
					return HTTP_BAD;
				parser->chunk_state = parser->chunk_remaining > 0 ? CHUNK_DATA : TRAILER_START;
				break;

			case CHUNK_DATA:
				piece = length - parser->position;
				if (piece > parser->chunk_remaining)
					piece = parser->chunk_remaining;
				memmove(buffer + parser->head_length + parser->body_length, buffer + parser->position, piece);
				parser->body_length += piece;
				parser->chunk_remaining -= piece;
				if (parser->chunk_remaining == 0)
					parser->chunk_state = CHUNK_DATA_CR;
				parser->position += piece;
				continue;

			case CHUNK_DATA_CR:
				if (byte != '\r')
					return HTTP_BAD;
				parser->chunk_state = CHUNK_DATA_LF;
				break;

			case CHUNK_DATA_LF:
				if (byte != '\n')
					return HTTP_BAD;
				parser->chunk_state = CHUNK_SIZE_START;
				break;

			case TRAILER_START:
				if (byte == '\r')
					parser->chunk_state = CHUNKED_LF;
				else if (is_token(byte))
					parser->chunk_state = TRAILER_NAME;
				else
					return HTTP_BAD;
				parser->framing_length++;
				break;

			case TRAILER_NAME:
				if (byte == ':')
					parser->chunk_state = TRAILER_VALUE;
				else if (!is_token(byte))
					return HTTP_BAD;
				parser->framing_length++;
				break;

			case TRAILER_VALUE:
				if (byte == '\r')
					parser->chunk_state = TRAILER_LF;
				else if (!is_text(byte))
					return HTTP_BAD;
				parser->framing_length++;
				break;

			case TRAILER_LF:
				if (byte != '\n')
					return HTTP_BAD;
				parser->chunk_state = TRAILER_START;
				break;

			case CHUNKED_LF:
				if (byte != '\n')
					return HTTP_BAD;
				parser->consumed = ++parser->position;
				return HTTP_COMPLETE;
		}
		if (parser->framing_length > limits->max_head)
			return HTTP_HEAD_TOO_LARGE;
		parser->position++;
	}
	return HTTP_HEAD;
}

void
HttpParserReset(HttpParser *parser)
{
	memset(parser, 0, sizeof(HttpParser));
}

HttpResult
HttpParse(HttpParser *parser, char *buffer, size_t length, const HttpLimits *limits, HttpRequest *request)
{
	bool		is_filled = false;
	size_t		head_length;
	Framing		framing;
	HttpResult	result;

	if (parser->head_length == 0)
	{
		result = find_head(parser, buffer, length, limits, request, &head_length);
		if (result == HTTP_HEAD)
			result = read_head(parser, buffer, head_length, request, &framing);
		if (result == HTTP_HEAD && framing.length > limits->max_body)
			result = HTTP_BODY_TOO_LARGE;
		if (result != HTTP_HEAD)
			return result;
		parser->head_length = head_length;
		parser->position = head_length;
		parser->is_chunked = framing.is_chunked;
		parser->body_length = framing.length;
		is_filled = true;
	}

	if (parser->is_chunked)
	{
		result = decode_chunks(parser, buffer, length, limits);
		if (result != HTTP_COMPLETE)
			return result;
	}
	else
	{
		if (length - parser->head_length < parser->body_length)
			return HTTP_HEAD;
		parser->consumed = parser->head_length + parser->body_length;
	}

	if (!is_filled)
		(void) read_head(parser, buffer, parser->head_length, request, &framing);
	request->body.data = buffer + parser->head_length;
	request->body.length = parser->body_length;
	return HTTP_COMPLETE;
}

size_t
HttpParserCompact(HttpParser *parser, char *buffer, size_t length)
{
	size_t		decoded = parser->head_length + parser->body_length;

	if (!parser->is_chunked || parser->position == decoded)
		return length;
	memmove(buffer + decoded, buffer + parser->position, length - parser->position);
	length -= parser->position - decoded;
	parser->position = decoded;
	return length;
}

HttpText
HttpFindHeader(const HttpRequest *request, const char *name, int *count)
{
	HttpText	found = {NULL, 0};
	int			i;

	if (count != NULL)
		*count = 0;
	for (i = 0; i < request->header_count; i++)
	{
		if (!HttpTextIs(request->headers[i].name, name))
			continue;
		if (found.data == NULL)
			found = request->headers[i].value;
		if (count == NULL)
			break;
		++*count;
	}
	return found;
}
