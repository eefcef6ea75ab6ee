/*
 * test/http/table.h
 *		Messages, and what the parser must make of them; the limits are a head of 16 kB and a body of 1000 bytes.
 *
 * expected is the first line of describe (replay.h).  known_after: after how many bytes a refusal must be known, 0 for as many as there are.
 */
#ifndef SINGLETABLE_TEST_TABLE_H
#define SINGLETABLE_TEST_TABLE_H

#define TABLE_MAX_HEAD (16 * 1024)
#define TABLE_MAX_BODY 1000

typedef struct Case
{
	const char *name;
	const char *message;
	size_t		length;
	const char *expected;
	size_t		known_after;
} Case;

/* A message may hold NUL bytes. */
#define MESSAGE(text) text, sizeof(text) - 1
#define GET "GET / HTTP/1.1\r\n"
#define POST "POST / HTTP/1.1\r\nHost: a\r\n"
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"

static const Case cases[] = {
	/* Request lines */
	{"get", MESSAGE(GET "Host: a\r\n\r\n"), "complete GET / 1.1 keep"},
	{"query", MESSAGE("GET /a/b?c=d&e?f HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET /a/b?c=d&e?f 1.1 keep"},
	{"empty query", MESSAGE("GET /? HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET /? 1.1 keep"},
	{"encoded path", MESSAGE("GET /%2F%00/.. HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET /%2F%00/.. 1.1 keep"},
	{"empty lines before", MESSAGE("\r\n\r\n" GET "Host: a\r\n\r\n"), "complete GET / 1.1 keep"},
	{"only empty lines", MESSAGE("\r\n\r\n\r\n"), "incomplete"},
	{"nothing", MESSAGE(""), "incomplete"},
	{"half a line", MESSAGE("GET / HT"), "incomplete"},
	{"half a head", MESSAGE(GET "Host: a\r\n"), "incomplete"},
	{"half a head end", MESSAGE(GET "Host: a\r\n\r"), "incomplete"},
	{"strange method", MESSAGE("a!#$%&'*+-.^_`|~9 / HTTP/1.1\r\nHost: a\r\n\r\n"), "complete a!#$%&'*+-.^_`|~9 / 1.1 keep"},
	{"method in lower case", MESSAGE("post / HTTP/1.1\r\nHost: a\r\n\r\n"), "complete post / 1.1 keep"},
	{"no method", MESSAGE(" / HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 13},
	{"method with a separator", MESSAGE("GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 17},
	{"method beyond ASCII", MESSAGE("G\303\211T / HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 17},
	{"no target", MESSAGE("GET  HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 15},
	{"target without slash", MESSAGE("GET a HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"target beyond ASCII", MESSAGE("GET /\303\251 HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 18},
	{"tab in the target", MESSAGE("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 19},
	{"host and port as target", MESSAGE("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 23},
	{"two blanks", MESSAGE("GET /  HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 17},
	{"blank in the target", MESSAGE("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 19},
	{"blank at the end of the line", MESSAGE("GET / HTTP/1.1 \r\nHost: a\r\n\r\n"), "bad", 17},
	{"tab for a blank", MESSAGE("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"blank before the method", MESSAGE("\r\n GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 19},
	{"words", MESSAGE("hello\r\n"), "bad", 7},
	{"version 0.9", MESSAGE("GET /\r\n"), "bad", 7},
	{"asterisk", MESSAGE("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"), "complete OPTIONS * 1.1 keep"},
	{"asterisk of another method", MESSAGE("GET * HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"asterisk and more", MESSAGE("OPTIONS *a HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 21},
	{"absolute", MESSAGE("GET http://a/b?c HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET /b?c at a 1.1 keep"},
	{"absolute, https and port", MESSAGE("GET HTTPS://a:8/b HTTP/1.1\r\nHost: a:8\r\n\r\n"), "complete GET /b at a:8 1.1 keep"},
	{"absolute without path", MESSAGE("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET / at a 1.1 keep"},
	{"absolute with query only", MESSAGE("GET http://a?b/c HTTP/1.1\r\nHost: a\r\n\r\n"), "complete GET /?b/c at a 1.1 keep"},
	{"absolute to another host", MESSAGE("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"), "bad"},
	{"absolute to no host", MESSAGE("GET http:/// HTTP/1.1\r\nHost: \r\n\r\n"), "bad", 23},
	{"absolute of another scheme", MESSAGE("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 23},

	/* Versions */
	{"version 1.0", MESSAGE("GET / HTTP/1.0\r\n\r\n"), "complete GET / 1.0 close"},
	{"version 1.0 with host", MESSAGE("GET / HTTP/1.0\r\nHost: a\r\n\r\n"), "complete GET / 1.0 close"},
	{"version 1.2", MESSAGE("GET / HTTP/1.2\r\nHost: a\r\n\r\n"), "version", 16},
	{"version 2", MESSAGE("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "bad", 16},
	{"version 2 with a path", MESSAGE("GET / HTTP/2.0\r\n\r\n"), "version", 16},
	{"version 0.9 by name", MESSAGE("GET / HTTP/0.9\r\n\r\n"), "version", 16},
	{"version in lower case", MESSAGE("GET / http/1.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"version of two digits", MESSAGE("GET / HTTP/1.10\r\nHost: a\r\n\r\n"), "bad", 17},
	{"version of one number", MESSAGE("GET / HTTP/1\r\nHost: a\r\n\r\n"), "bad", 14},
	{"version without number", MESSAGE("GET / HTTP/x.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"another protocol", MESSAGE("GET / ICAP/1.1\r\nHost: a\r\n\r\n"), "bad", 16},
	{"TLS", MESSAGE("\026\003\001\002\000\001\000\001\374\003\003"), "bad", 1},
	{"PostgreSQL", MESSAGE("\000\000\000\010\004\322\026\057"), "bad", 1},

	/* Line ends */
	{"bare LF after the request line", MESSAGE("GET / HTTP/1.1\nHost: a\n\n"), "bad", 15},
	{"bare LF after a header", MESSAGE(GET "Host: a\nX: b\r\n\r\n"), "bad", 24},
	{"bare LF at the end of the head", MESSAGE(GET "Host: a\r\n\n"), "bad", 26},
	{"bare LF before", MESSAGE("\n" GET "Host: a\r\n\r\n"), "bad", 1},
	{"bare CR in a value", MESSAGE(GET "Host: a\rX: b\r\n\r\n"), "bad", 25},
	{"two CR", MESSAGE(GET "Host: a\r\r\n\r\n"), "bad", 25},
	{"bare CR before", MESSAGE("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"), "bad", 2},

	/* Headers */
	{"no blank behind the colon", MESSAGE(GET "Host:a\r\n\r\n"), "complete GET / 1.1 keep"},
	{"blanks around the value", MESSAGE(GET "Host: \t a\t \r\nX:\t\r\n\r\n"), "complete GET / 1.1 keep"},
	{"empty value", MESSAGE(GET "Host: a\r\nX:\r\n\r\n"), "complete GET / 1.1 keep"},
	{"value beyond ASCII", MESSAGE(GET "Host: a\r\nX: \303\251\377\r\n\r\n"), "complete GET / 1.1 keep"},
	{"colons in the value", MESSAGE(GET "Host: a:80\r\nX: :b:\r\n\r\n"), "complete GET / 1.1 keep"},
	{"folded line", MESSAGE(GET "Host: a\r\nX: b\r\n c\r\n\r\n"), "bad"},
	{"line folded with a tab", MESSAGE(GET "Host: a\r\nX: b\r\n\tc: d\r\n\r\n"), "bad"},
	{"first header folded", MESSAGE(GET " Host: a\r\n\r\n"), "bad"},
	{"folded nothing", MESSAGE(GET "Host: a\r\n \r\n\r\n"), "bad"},
	{"blank before the colon", MESSAGE(GET "Host : a\r\n\r\n"), "bad"},
	{"tab before the colon", MESSAGE(GET "Host\t: a\r\n\r\n"), "bad"},
	{"blank in the name", MESSAGE(GET "Ho st: a\r\nHost: a\r\n\r\n"), "bad"},
	{"separator in the name", MESSAGE(GET "Host: a\r\nX(Y): a\r\n\r\n"), "bad"},
	{"name beyond ASCII", MESSAGE(GET "Host: a\r\n\303\251: a\r\n\r\n"), "bad"},
	{"no colon", MESSAGE(GET "Host: a\r\nX\r\n\r\n"), "bad"},
	{"no name", MESSAGE(GET "Host: a\r\n: b\r\n\r\n"), "bad"},
	{"NUL in a value", MESSAGE(GET "Host: a\0b\r\n\r\n"), "bad", 24},
	{"NUL in a name", MESSAGE(GET "Ho\0st: a\r\n\r\n"), "bad", 19},
	{"NUL in the target", MESSAGE("GET /\0 HTTP/1.1\r\n"), "bad", 6},
	{"escape in a value", MESSAGE(GET "Host: a\r\nX: \033[m\r\n\r\n"), "bad", 29},
	{"DEL in a value", MESSAGE(GET "Host: a\r\nX: \177\r\n\r\n"), "bad", 29},
	{"vertical tab", MESSAGE(GET "Host: a\r\nX:\013b\r\n\r\n"), "bad", 28},

	/* Host */
	{"no host", MESSAGE(GET "X: b\r\n\r\n"), "bad"},
	{"no header", MESSAGE(GET "\r\n"), "bad"},
	{"two hosts", MESSAGE(GET "Host: a\r\nHost: b\r\n\r\n"), "bad"},
	{"two equal hosts", MESSAGE(GET "Host: a\r\nhost: a\r\n\r\n"), "bad"},
	{"two hosts in 1.0", MESSAGE("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"), "bad"},
	{"hosts in a list", MESSAGE(GET "Host: a, b\r\n\r\n"), "bad"},
	{"hosts in a list without blank", MESSAGE(GET "Host: a,b\r\n\r\n"), "bad"},
	{"host with a path", MESSAGE(GET "Host: a/b\r\n\r\n"), "bad"},
	{"host with a user", MESSAGE(GET "Host: a@b\r\n\r\n"), "bad"},
	{"host with a blank", MESSAGE(GET "Host: a b\r\n\r\n"), "bad"},
	{"host of IPv6", MESSAGE(GET "Host: [::1]:8000\r\n\r\n"), "complete GET / 1.1 keep"},
	{"empty host", MESSAGE(GET "Host:\r\n\r\n"), "complete GET / 1.1 keep"},

	/* Connection */
	{"close", MESSAGE(GET "Host: a\r\nConnection: close\r\n\r\n"), "complete GET / 1.1 close"},
	{"close in a list", MESSAGE(GET "Host: a\r\nConnection: x ,\tClose\r\n\r\n"), "complete GET / 1.1 close"},
	{"close in another header", MESSAGE(GET "Host: a\r\nConnection: x\r\nConnection: close\r\n\r\n"), "complete GET / 1.1 close"},
	{"close and keep-alive", MESSAGE(GET "Host: a\r\nConnection: close, keep-alive\r\n\r\n"), "complete GET / 1.1 close"},
	{"not quite close", MESSAGE(GET "Host: a\r\nConnection: closed, xclose, close;\r\n\r\n"), "complete GET / 1.1 keep"},
	{"keep-alive of 1.0", MESSAGE("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"), "complete GET / 1.0 keep"},

	/* Content-Length */
	{"length", MESSAGE(POST "Content-Length: 3\r\n\r\nabc"), "complete POST / 1.1 keep body=abc"},
	{"length of zero", MESSAGE(POST "Content-Length: 0\r\n\r\n"), "complete POST / 1.1 keep"},
	{"length with zeros before", MESSAGE(POST "content-length: 0003\r\n\r\nabc"), "complete POST / 1.1 keep body=abc"},
	{"body with any byte", MESSAGE(POST "Content-Length: 5\r\n\r\n\0\r\n\n\377"), "complete POST / 1.1 keep body="},
	{"body of a get", MESSAGE(GET "Host: a\r\nContent-Length: 1\r\n\r\nx"), "complete GET / 1.1 keep body=x"},
	{"body of 1.0", MESSAGE("POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.0 close body=x"},
	{"half a body", MESSAGE(POST "Content-Length: 3\r\n\r\nab"), "head"},
	{"no body yet", MESSAGE(POST "Content-Length: 3\r\n\r\n"), "head"},
	{"length with plus", MESSAGE(POST "Content-Length: +3\r\n\r\nabc"), "bad"},
	{"length with minus", MESSAGE(POST "Content-Length: -3\r\n\r\nabc"), "bad"},
	{"hexadecimal length", MESSAGE(POST "Content-Length: 0x3\r\n\r\nabc"), "bad"},
	{"length with a fraction", MESSAGE(POST "Content-Length: 3.0\r\n\r\nabc"), "bad"},
	{"length with a blank", MESSAGE(POST "Content-Length: 1 1\r\n\r\nabc"), "bad"},
	{"length without digits", MESSAGE(POST "Content-Length:\r\n\r\n"), "bad"},
	{"length in a list", MESSAGE(POST "Content-Length: 3, 3\r\n\r\nabc"), "bad"},
	{"two lengths", MESSAGE(POST "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), "bad"},
	{"two equal lengths", MESSAGE(POST "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), "bad"},
	{"length at the limit", MESSAGE(POST "Content-Length: 1000\r\n\r\n"), "head"},
	{"length over the limit", MESSAGE(POST "Content-Length: 1001\r\n\r\n"), "body too large"},
	{"length of 2^64 + 3", MESSAGE(POST "Content-Length: 18446744073709551619\r\n\r\nabc"), "body too large"},
	{"length of 2^64 - 1", MESSAGE(POST "Content-Length: 18446744073709551615\r\n\r\nabc"), "body too large"},
	{"length of many digits", MESSAGE(POST "Content-Length: 100000000000000000000000000000000000000000\r\n\r\n"), "body too large"},

	/* Transfer-Encoding */
	{"chunked", MESSAGE(CHUNKED "3\r\nabc\r\n0\r\n\r\n"), "complete POST / 1.1 keep body=abc"},
	{"chunks", MESSAGE(CHUNKED "3\r\nabc\r\nA\r\n0123456789\r\n00b\r\n0123456789d\r\n0\r\n\r\n"),
	"complete POST / 1.1 keep body=abc01234567890123456789d"},
	{"chunks that look like chunks", MESSAGE(CHUNKED "5\r\n0\r\n\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n"), "complete POST / 1.1 keep body=0\r\n\r\n\r\n"},
	{"no chunk", MESSAGE(CHUNKED "0\r\n\r\n"), "complete POST / 1.1 keep body="},
	{"chunked in capitals", MESSAGE(POST "TRANSFER-ENCODING: CHUNKED\r\n\r\n1\r\na\r\n0\r\n\r\n"), "complete POST / 1.1 keep body=a"},
	{"extension", MESSAGE(CHUNKED "3;a=b;c=\"d e\"\r\nabc\r\n0;x\r\n\r\n"), "complete POST / 1.1 keep body=abc"},
	{"trailer", MESSAGE(CHUNKED "3\r\nabc\r\n0\r\nX-Y: z\r\nHost: b\r\nContent-Length: 9\r\n\r\n"), "complete POST / 1.1 keep body=abc"},
	{"half a size", MESSAGE(CHUNKED "3"), "head"},
	{"half a chunk", MESSAGE(CHUNKED "3\r\na"), "head"},
	{"half an end", MESSAGE(CHUNKED "3\r\nabc\r\n0\r\n"), "head"},
	{"half a trailer", MESSAGE(CHUNKED "3\r\nabc\r\n0\r\nX: y\r\n"), "head"},
	{"bare LF behind a size", MESSAGE(CHUNKED "3\nabc\r\n0\r\n\r\n"), "bad", 58},
	{"bare LF behind a chunk", MESSAGE(CHUNKED "3\r\nabc\n0\r\n\r\n"), "bad", 63},
	{"bare LF in an extension", MESSAGE(CHUNKED "3;a\nabc\r\n0\r\n\r\n"), "bad", 60},
	{"bare LF at the end", MESSAGE(CHUNKED "0\r\n\n"), "bad", 60},
	{"bare CR behind a size", MESSAGE(CHUNKED "3\rabc\r\n0\r\n\r\n"), "bad", 59},
	{"bare CR at the end", MESSAGE(CHUNKED "0\r\n\rX"), "bad", 61},
	{"chunk longer than its size", MESSAGE(CHUNKED "2\r\nabc\r\n0\r\n\r\n"), "bad", 62},
	{"chunk shorter than its size", MESSAGE(CHUNKED "4\r\nabc\r\n0\r\n\r\n"), "bad", 64},
	{"size with a blank", MESSAGE(CHUNKED "3 \r\nabc\r\n0\r\n\r\n"), "bad", 58},
	{"blank before the size", MESSAGE(CHUNKED " 3\r\nabc\r\n0\r\n\r\n"), "bad", 57},
	{"blank before the extension", MESSAGE(CHUNKED "3 ;a\r\nabc\r\n0\r\n\r\n"), "bad", 58},
	{"size with plus", MESSAGE(CHUNKED "+3\r\nabc\r\n0\r\n\r\n"), "bad", 57},
	{"size with minus", MESSAGE(CHUNKED "-3\r\nabc\r\n0\r\n\r\n"), "bad", 57},
	{"size with 0x", MESSAGE(CHUNKED "0x3\r\nabc\r\n0\r\n\r\n"), "bad", 58},
	{"size with an underscore", MESSAGE(CHUNKED "0_3\r\nabc\r\n0\r\n\r\n"), "bad", 58},
	{"no size", MESSAGE(CHUNKED "\r\nabc\r\n0\r\n\r\n"), "bad", 57},
	{"only an extension", MESSAGE(CHUNKED ";a\r\nabc\r\n0\r\n\r\n"), "bad", 57},
	{"NUL in an extension", MESSAGE(CHUNKED "3;\0\r\nabc\r\n0\r\n\r\n"), "bad", 59},
	{"size at the limit", MESSAGE(CHUNKED "3e8\r\n"), "head"},
	{"size over the limit", MESSAGE(CHUNKED "3e9\r\n"), "body too large", 59},
	{"sizes over the limit", MESSAGE(CHUNKED "3\r\nabc\r\n3e6\r\n"), "body too large", 67},
	{"size of 2^64 + 3", MESSAGE(CHUNKED "10000000000000003\r\nabc\r\n"), "body too large", 60},
	{"size of 2^64 - 1", MESSAGE(CHUNKED "ffffffffffffffff\r\nabc\r\n"), "body too large", 59},
	{"folded trailer", MESSAGE(CHUNKED "0\r\nX: y\r\n z\r\n\r\n"), "bad", 66},
	{"trailer without name", MESSAGE(CHUNKED "0\r\n: y\r\n\r\n"), "bad", 60},
	{"trailer with a blank before the colon", MESSAGE(CHUNKED "0\r\nX : y\r\n\r\n"), "bad", 61},
	{"bare LF in a trailer", MESSAGE(CHUNKED "0\r\nX: y\n\r\n"), "bad", 64},
	{"length and chunked", MESSAGE(POST "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "bad"},
	{"chunked and length", MESSAGE(POST "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n"), "bad"},
	{"chunked twice", MESSAGE(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "bad"},
	{"chunked in 1.0", MESSAGE("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "bad"},
	{"gzip, chunked", MESSAGE(POST "Transfer-Encoding: gzip, chunked\r\n\r\n"), "not implemented"},
	{"chunked, identity", MESSAGE(POST "Transfer-Encoding: chunked, identity\r\n\r\n"), "not implemented"},
	{"identity", MESSAGE(POST "Transfer-Encoding: identity\r\n\r\n"), "not implemented"},
	{"not quite chunked", MESSAGE(POST "Transfer-Encoding: xchunked\r\n\r\n"), "not implemented"},
	{"chunked in quotes", MESSAGE(POST "Transfer-Encoding: \"chunked\"\r\n\r\n"), "not implemented"},
	{"empty transfer coding", MESSAGE(POST "Transfer-Encoding:\r\n\r\n"), "not implemented"},

	/* Expect */
	{"expect", MESSAGE(POST "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep continue body=x"},
	{"expect in capitals", MESSAGE(POST "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\n"), "head"},
	{"expect of 1.0", MESSAGE("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.0 close body=x"},
	{"expect something else", MESSAGE(POST "Expect: a miracle\r\n\r\n"), "expectation failed"},
	{"expect nothing", MESSAGE(POST "Expect:\r\n\r\n"), "expectation failed"},

	/* Codings of contents */
	{"gzip body", MESSAGE(POST "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep coding=gzip body=x"},
	{"x-gzip body", MESSAGE(POST "Content-Encoding: X-Gzip\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep coding=gzip body=x"},
	{"deflate body", MESSAGE(POST "Content-Encoding: deflate\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep coding=deflate body=x"},
	{"identity body", MESSAGE(POST "Content-Encoding: identity\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep body=x"},
	{"unknown coding", MESSAGE(POST "Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep coding=unknown body=x"},
	{"two codings", MESSAGE(POST "Content-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\nx"), "complete POST / 1.1 keep coding=unknown body=x"},
	{"two coding headers", MESSAGE(POST "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
	"complete POST / 1.1 keep coding=unknown body=x"},
	{"accept gzip", MESSAGE(GET "Host: a\r\nAccept-Encoding: gzip\r\n\r\n"), "complete GET / 1.1 keep gzip"},
	{"accept gzip among others", MESSAGE(GET "Host: a\r\nAccept-Encoding: deflate , GZIP;q=0.001, br\r\n\r\n"), "complete GET / 1.1 keep gzip"},
	{"accept gzip with blanks", MESSAGE(GET "Host: a\r\nAccept-Encoding: gzip ; q=1\r\n\r\n"), "complete GET / 1.1 keep gzip"},
	{"accept no gzip", MESSAGE(GET "Host: a\r\nAccept-Encoding: gzip;q=0.000, *\r\n\r\n"), "complete GET / 1.1 keep"},
	{"accept identity", MESSAGE(GET "Host: a\r\nAccept-Encoding: identity\r\n\r\n"), "complete GET / 1.1 keep"},
	{"accept not quite gzip", MESSAGE(GET "Host: a\r\nAccept-Encoding: gzipped, agzip, gzip;level=1\r\n\r\n"), "complete GET / 1.1 keep"},
};

#define CASE_COUNT ((int) (sizeof(cases) / sizeof(cases[0])))

#endif							/* SINGLETABLE_TEST_TABLE_H */
