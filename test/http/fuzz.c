/*
 * test/http/fuzz.c
 *		The parser, given what nobody would write.
 *
 *	fuzz COUNT SEED		COUNT messages from the seed's random numbers, the same on every machine; exit status 1 at the first fault
 *
 * Every other one is a well-formed request put together at random, of which is known what the parser must find (make_request); the rest
 * are messages of the table, mutated and joined (mutate).  For all holds what replay.h checks; of an accepted one, that what was read,
 * written down again, is read the same.
 *
 *	fuzz --seeds DIRECTORY	the table as files, for a fuzzer that looks for new paths through the code:
 *
 *	clang -g -O1 -DFUZZ_LIBRARY -fsanitize=fuzzer,address,undefined -Isrc test/http/fuzz.c src/endpoint/http.c -o fuzz_library
 *	fuzz_library -max_len=400 DIRECTORY
 *
 * There LLVMFuzzerTestOneInput stands for main; it takes two bytes that choose limits, then a message.
 */
#include <stdint.h>

#include "replay.h"
#include "table.h"

static const char *current_message;	/* for the report */
static size_t current_length;

static void
print_escaped(const char *data, size_t length)
{
	size_t		i;

	for (i = 0; i < length; i++)
	{
		unsigned char c = (unsigned char) data[i];

		if (c == '\r')
			fputs("\\r", stdout);
		else if (c == '\n')
			fputs("\\n", stdout);
		else if (c >= 0x20 && c < 0x7F)
			putchar(c);
		else
			printf("\\%03o", c);
	}
	putchar('\n');
}

static void
report_failure(const char *format, ...)
{
	va_list		arguments;

	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	fputs("\nmessage: ", stdout);
	print_escaped(current_message, current_length);
	fflush(stdout);
	abort();
}

/* A generator of random numbers that is the same everywhere (Marsaglia's xorshift64*). */
static uint64_t random_state = 1;

static uint32_t
random_below(uint32_t limit)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (uint32_t) ((random_state * 0x2545F4914F6CDD1DULL) >> 33) % limit;
}

/* Bytes of the characters of a string. */
static void
append_random(Text *text, const char *characters, uint32_t least, uint32_t most)
{
	uint32_t	count = least + random_below(most - least + 1);

	while (count-- > 0)
		append_bytes(text, characters + random_below((uint32_t) strlen(characters)), 1);
}

/* As HttpTextIs compares, each letter is sometimes a capital. */
static void
append_any_case(Text *text, const char *string)
{
	for (; *string != '\0'; string++)
	{
		char		c = *string;

		if (c >= 'a' && c <= 'z' && random_below(4) == 0)
			c = (char) (c - 'a' + 'A');
		append_bytes(text, &c, 1);
	}
}

static void
append_blanks(Text *text)
{
	append_random(text, " \t", 0, random_below(3) == 0 ? 3 : 0);
}

/*
 * make_request
 *		A well-formed request, and the description that the parser must give it (names and known values in lower case).
 */
static void
make_request(Text *message, Text *expected, const HttpLimits *limits)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789!#$%&'*+-.^_`|~";
	static const char target[] = "abcXYZ0189-._~%!$&'()*+,;=:@/?";
	static const char visible[] = "abcXYZ019 \t!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~\\\303\251\377";
	Text		headers = {NULL, 0, 0};
	Text		body = {NULL, 0, 0};
	int			version = random_below(4) > 0;
	int			framing = (int) random_below(version ? 3 : 2);	/* none, length, chunked */
	int			plain = (int) random_below(6);
	int			closes = random_below(4) == 0;
	int			continues = random_below(4) == 0;
	int			gzip = random_below(3) == 0;
	int			place = (int) random_below((uint32_t) plain + 1);
	size_t		path;
	int			i;

	clear_text(message);
	clear_text(expected);
	clear_text(&headers);
	clear_text(&body);
	for (i = random_below(5) == 0 ? 2 : 0; i > 0; i--)
		append_bytes(message, "\r\n", 2);

	append_bytes(expected, "complete ", 9);
	path = message->length;
	append_random(message, token, 1, 7);
	append_bytes(message, " /", 2);
	append_random(message, target, 0, 12);
	append_bytes(expected, message->data + path, message->length - path);
	append_format(message, " HTTP/1.%d\r\n", version);
	append_format(expected, " 1.%d %s%s%s", version, version && !closes ? "keep" : "close", continues && version ? " continue" : "",
				  gzip ? " gzip" : "");

	for (i = 0; i <= plain; i++)
	{
		size_t		start;

		if (i == place)
		{
			/* What the message says about itself, somewhere among the others. */
			size_t		length = random_below(4) == 0 ? random_below(300) : random_below(20);

			append_any_case(message, "host");
			append_bytes(message, ":", 1);
			append_blanks(message);
			append_bytes(message, "a.b:1\r\n", 7);
			append_format(&headers, "host=a.b:1\n");
			if (closes)
			{
				append_any_case(message, "connection: x, close\r\n");
				append_format(&headers, "connection=x, close\n");
			}
			if (continues)
			{
				append_any_case(message, "expect: 100-continue\r\n");
				append_format(&headers, "expect=100-continue\n");
			}
			if (gzip)
			{
				append_any_case(message, "accept-encoding: deflate, gzip;q=0.5\r\n");
				append_format(&headers, "accept-encoding=deflate, gzip;q=0.5\n");
			}
			if (length > limits->max_body)
				length = limits->max_body;
			if (framing > 0)
				while (body.length < length)
				{
					char		c = (char) random_below(256);

					append_bytes(&body, &c, 1);
				}
			if (framing == 1)
			{
				append_any_case(message, "content-length");
				append_format(message, ": %zu\r\n", body.length);
				append_format(&headers, "content-length=%zu\n", body.length);
			}
			if (framing == 2)
			{
				append_any_case(message, "transfer-encoding: chunked\r\n");
				append_format(&headers, "transfer-encoding=chunked\n");
			}
		}
		if (i == plain)
			break;
		start = message->length;
		append_format(message, "X-%d", i);
		append_random(message, token, 0, 10);
		append_bytes(&headers, message->data + start, message->length - start);
		append_bytes(&headers, "=", 1);
		append_bytes(message, ":", 1);
		append_blanks(message);
		start = message->length;
		if (random_below(5) > 0)
		{
			append_bytes(message, "v", 1);
			append_random(message, visible, 0, 20);
			append_bytes(message, "v", 1);
		}
		append_bytes(&headers, message->data + start, message->length - start);
		append_bytes(&headers, "\n", 1);
		append_blanks(message);
		append_bytes(message, "\r\n", 2);
	}
	append_bytes(message, "\r\n", 2);

	if (framing == 1)
		append_bytes(message, body.data, body.length);
	else if (framing == 2)
	{
		size_t		sent = 0;

		for (;;)
		{
			size_t		piece = random_below(3) == 0 ? 1 : 1 + random_below(100);

			if (piece > body.length - sent)
				piece = body.length - sent;
			append_random(message, "0", 0, random_below(3) == 0 ? 3 : 0);
			append_format(message, random_below(2) ? "%zx" : "%zX", piece);
			if (random_below(4) == 0)
			{
				append_bytes(message, ";", 1);
				append_random(message, visible, 0, 8);
			}
			append_bytes(message, "\r\n", 2);
			if (piece == 0)
				break;
			append_bytes(message, body.data + sent, piece);
			append_bytes(message, "\r\n", 2);
			sent += piece;
		}
		for (i = (int) random_below(3); i > 0; i--)
		{
			append_random(message, token, 1, 10);
			append_bytes(message, ":", 1);
			append_random(message, visible, 0, 10);
			append_bytes(message, "\r\n", 2);
		}
		append_bytes(message, "\r\n", 2);
	}

	if (framing == 2 || body.length > 0)
	{
		append_format(expected, " body=");
		append_bytes(expected, body.data, body.length);
	}
	append_bytes(expected, "\n", 1);
	append_bytes(expected, headers.data, headers.length);
	free(headers.data);
	free(body.data);
}

/*
 * mutate
 *		Change a message in a few places: bits, bytes, pieces lost, doubled, or of another message of the table; sometimes cut, or joined
 *		with another.
 */
static void
mutate(Text *message)
{
	static const char *const pieces[] = {
		"\r\n", "\n", "\r", "\r\n\r\n", "\0", " ", "\t", ":", ";", ",", "0\r\n\r\n", "0", "ffffffffffffffff", "18446744073709551616",
		"HTTP/1.1", "HTTP/1.0", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "Connection: close\r\n",
		"Expect: 100-continue\r\n", " x\r\n", "http://a", "*", "/", "?", "\377", "-", "+", "1\r\nx\r\n"
	};
	uint32_t	changes = 1 + random_below(random_below(4) == 0 ? 8 : 2);

	while (changes-- > 0)
	{
		Text		result = {NULL, 0, 0};
		size_t		at = random_below((uint32_t) message->length + 1);
		size_t		rest = message->length - at;
		size_t		count = rest == 0 ? 0 : 1 + random_below((uint32_t) (rest < 16 ? rest : 16));
		const char *piece = pieces[random_below(sizeof(pieces) / sizeof(pieces[0]))];
		const Case *other = &cases[random_below((uint32_t) CASE_COUNT)];

		clear_text(&result);
		append_bytes(&result, message->data, at);
		switch (random_below(8))
		{
			case 0:				/* a bit */
			case 1:				/* a byte */
				append_bytes(&result, message->data + at, rest);
				if (rest > 0 && random_below(2))
					result.data[at] ^= (char) (1 << random_below(8));
				else if (rest > 0)
					result.data[at] = (char) random_below(256);
				break;
			case 2:				/* lost */
				append_bytes(&result, message->data + at + count, rest - count);
				break;
			case 3:				/* doubled */
				append_bytes(&result, message->data + at, count);
				append_bytes(&result, message->data + at, rest);
				break;
			case 4:				/* inserted */
			case 5:
				append_bytes(&result, piece, piece[0] == '\0' ? 1 : strlen(piece));
				append_bytes(&result, message->data + at, rest);
				break;
			case 6:				/* from there another message */
				if (other->length > 0)
				{
					at = random_below((uint32_t) other->length);
					append_bytes(&result, other->message + at, other->length - at);
				}
				break;
			case 7:				/* joined, cut */
				if (random_below(2))
				{
					append_bytes(&result, message->data + at, rest);
					append_bytes(&result, other->message, other->length);
				}
				break;
		}
		free(message->data);
		*message = result;
	}
}

/*
 * write_again
 *		Write down a request that was read, its body with a length.
 */
static void
write_again(Text *text, const HttpRequest *request)
{
	int			i;

	clear_text(text);
	append_bytes(text, request->method.data, request->method.length);
	append_bytes(text, " ", 1);
	if (request->authority.data != NULL)
	{
		append_bytes(text, "http://", 7);
		append_bytes(text, request->authority.data, request->authority.length);
	}
	append_bytes(text, request->path.data, request->path.length);
	if (request->query.data != NULL)
	{
		append_bytes(text, "?", 1);
		append_bytes(text, request->query.data, request->query.length);
	}
	append_format(text, " HTTP/1.%d\r\n", request->minor_version);
	for (i = 0; i < request->header_count; i++)
	{
		const HttpHeader *header = &request->headers[i];

		if (HttpTextIs(header->name, "content-length") || HttpTextIs(header->name, "transfer-encoding"))
		{
			append_format(text, "Content-Length: %zu\r\n", request->body.length);
			continue;
		}
		append_bytes(text, header->name.data, header->name.length);
		append_bytes(text, ":", 1);
		append_bytes(text, header->value.data, header->value.length);
		append_bytes(text, "\r\n", 2);
	}
	append_bytes(text, "\r\n", 2);
	append_bytes(text, request->body.data, request->body.length);
}

/* The first line of a description, its end included, but for what a body of no bytes changes. */
static size_t
first_line(const Text *description, const HttpRequest *request)
{
	const char *end = memchr(description->data, '\n', description->length);

	if (request->has_body && request->body.length == 0)
		return (size_t) (end - description->data) - strlen(" body=");
	return (size_t) (end - description->data);
}

static void
check_round_trip(const char *message, size_t length, const HttpLimits *limits)
{
	static Text first,
				second,
				again;
	char	   *copy = malloc(length > 0 ? length : 1);
	HttpParser	parser;
	HttpRequest request;
	HttpRequest read_again;
	HttpResult	result;
	HttpLimits	wide = {TABLE_MAX_HEAD * 2, limits->max_body};
	size_t		line;

	if (copy == NULL)
		abort();
	memcpy(copy, message, length);
	HttpParserReset(&parser);
	if (HttpParse(&parser, copy, length, limits, &request) == HTTP_COMPLETE)
	{
		describe(&first, HTTP_COMPLETE, &request);
		line = first_line(&first, &request);
		write_again(&again, &request);
		HttpParserReset(&parser);
		result = HttpParse(&parser, again.data, again.length, &wide, &read_again);
		describe(&second, result, &read_again);
		if (result != HTTP_COMPLETE || read_again.header_count != request.header_count || second.length < line ||
			memcmp(first.data, second.data, line) != 0)
			report_failure("read: %s\nwritten again and read: %s", first.data, second.data);
	}
	free(copy);
}

/* All that must hold for any bytes. */
static const Outcome *
check_message(const char *message, size_t length, const HttpLimits *limits)
{
	current_message = message;
	current_length = length;
	check_round_trip(message, length, limits);
	return replay_all(message, length, limits, 1 + length / 40);
}

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t heads[] = {TABLE_MAX_HEAD, 40, 100, 200};
	static const size_t bodies[] = {TABLE_MAX_BODY, 0, 5, 20};
	HttpLimits	limits;

	if (size < 2)
		return 0;
	limits.max_head = heads[data[0] % 4];
	limits.max_body = bodies[data[1] % 4];
	check_message((const char *) data + 2, size - 2, &limits);
	return 0;
}

#ifndef FUZZ_LIBRARY

/* Writes the table as files that LLVMFuzzerTestOneInput understands. */
static void
write_seeds(const char *directory)
{
	int			i;

	for (i = 0; i < CASE_COUNT; i++)
	{
		char		path[1024];
		FILE	   *file;

		snprintf(path, sizeof(path), "%s/%d", directory, i);
		file = fopen(path, "wb");
		if (file == NULL || fwrite("\0\0", 1, 2, file) != 2 || fwrite(cases[i].message, 1, cases[i].length, file) != cases[i].length ||
			fclose(file) != 0)
		{
			perror(path);
			exit(1);
		}
	}
}

int
main(int argc, char **argv)
{
	HttpLimits	limits = {TABLE_MAX_HEAD, TABLE_MAX_BODY};
	Text		message = {NULL, 0, 0};
	Text		expected = {NULL, 0, 0};
	long		counts[HTTP_VERSION + 1] = {0};
	long		i;

	if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
	{
		write_seeds(argv[2]);
		return 0;
	}
	if (argc != 3)
	{
		fputs("usage: fuzz COUNT SEED\n", stderr);
		return 2;
	}
	random_state = strtoull(argv[2], NULL, 10) * 2 + 1;
	for (i = 0; i < 10; i++)
		(void) random_below(2);

	for (i = 0; i < atol(argv[1]); i++)
	{
		const Outcome *outcome;
		Text		description;

		limits.max_head = TABLE_MAX_HEAD;
		make_request(&message, &expected, &limits);
		if (i % 2 == 0)
		{
			outcome = check_message(message.data, message.length, &limits);
			if (outcome->result != HTTP_COMPLETE || outcome->consumed != message.length)
				report_failure("%s, consumed %zu of %zu", outcome->description.data, outcome->consumed, message.length);
			description = outcome->description;
			/* Names are written in any case: compare in lower case. */
			if (description.length != expected.length)
				report_failure("found: %s\nexpected: %s", description.data, expected.data);
			for (size_t k = 0; k < expected.length; k++)
			{
				char		found = description.data[k];
				char		wanted = expected.data[k];

				if (found != wanted && !(found >= 'A' && found <= 'Z' && found + ('a' - 'A') == wanted))
					report_failure("found: %s\nexpected: %s", description.data, expected.data);
			}
		}
		else
		{
			if (random_below(2))
			{
				const Case *start = &cases[random_below((uint32_t) CASE_COUNT)];

				clear_text(&message);
				append_bytes(&message, start->message, start->length);
			}
			mutate(&message);
			if (random_below(8) == 0)
				limits.max_head = 20 + random_below(100);
			outcome = check_message(message.data, message.length, &limits);
		}
		counts[outcome->result]++;
	}
	for (i = 0; i <= HTTP_VERSION; i++)
		printf("%-20s %ld\n", result_names[i], counts[i]);
	free(message.data);
	free(expected.data);
	return 0;
}

#endif							/* !FUZZ_LIBRARY */
