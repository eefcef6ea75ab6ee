/*
 * src/endpoint/compression.c
 *		Content codings of bodies, and their checksum, by zlib.
 *
 * zlib allocates in the current memory context, so that an error that leaves in the middle leaks nothing: whoever catches it resets the
 * request's context.  Bodies live in palloc'd memory, hence are below 1 GB and fit zlib's 32-bit counts.
 */
#include "postgres.h"

#include <zlib.h>

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "endpoint/compression.h"

/* Bytes that come out between two looks for interrupts. */
#define COMPRESSION_PIECE (64 * 1024)

/* zlib's window size (as a power of two) for each coding; 16 more means gzip. */
#define WINDOW_BITS_ZLIB MAX_WBITS
#define WINDOW_BITS_GZIP (MAX_WBITS + 16)

/* zlib's allocator, by palloc. */
static void *
allocate(void *context, unsigned int count, unsigned int size)
{
	return palloc(mul_size(count, size));
}

static void
release(void *context, void *pointer)
{
	pfree(pointer);
}

/*
 * inflate_all
 *		Decode the stream's input to the end, appending to out; see CompressionDecode.
 */
static CompressionResult
inflate_all(z_stream *stream, size_t max, StringInfo out)
{
	size_t		produced = 0;
	int			status;

	for (;;)
	{
		size_t		room = Min(max - produced, COMPRESSION_PIECE);
		Bytef		beyond;

		CHECK_FOR_INTERRUPTS();
		enlargeStringInfo(out, (int) room);
		/* At the limit the stream may still have its end to tell, but not one byte more. */
		stream->next_out = room > 0 ? (Bytef *) out->data + out->len : &beyond;
		stream->avail_out = room > 0 ? (uInt) room : 1;
		status = inflate(stream, Z_NO_FLUSH);
		if (room == 0 && stream->avail_out == 0)
			return COMPRESSION_TOO_LARGE;
		if (room > 0)
		{
			out->len += (int) (room - stream->avail_out);
			out->data[out->len] = '\0';
			produced += room - stream->avail_out;
		}
		if (status == Z_STREAM_END)
			return stream->avail_in == 0 ? COMPRESSION_DONE : COMPRESSION_DAMAGED;
		/* Z_BUF_ERROR: the input is at its end, the stream is not. */
		if (status != Z_OK)
			return COMPRESSION_DAMAGED;
	}
}

CompressionResult
CompressionDecode(HttpCoding coding, const char *data, size_t length, size_t max, StringInfo out)
{
	z_stream	stream = {0};
	int			start = out->len;
	CompressionResult result;

	Assert(coding == HTTP_CODING_GZIP || coding == HTTP_CODING_DEFLATE);
	Assert(length <= MaxAllocSize);
	stream.zalloc = allocate;
	stream.zfree = release;
	stream.next_in = (Bytef *) unconstify(char *, data);
	stream.avail_in = (uInt) length;
	/* HTTP's deflate is zlib's format (RFC 9110, section 8.4.1.2). */
	if (inflateInit2(&stream, coding == HTTP_CODING_GZIP ? WINDOW_BITS_GZIP : WINDOW_BITS_ZLIB) != Z_OK)
		elog(ERROR, "could not begin to decompress: %s", stream.msg ? stream.msg : "unknown error");
	result = inflate_all(&stream, max, out);
	inflateEnd(&stream);
	if (result != COMPRESSION_DONE)
	{
		out->len = start;
		out->data[start] = '\0';
	}
	return result;
}

void
CompressionEncode(const char *data, size_t length, StringInfo out)
{
	z_stream	stream = {0};
	int			status;

	Assert(length <= MaxAllocSize);
	stream.zalloc = allocate;
	stream.zfree = release;
	/* JSON shrinks well at every level, and a worker's time is the database's. */
	if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS_GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		elog(ERROR, "could not begin to compress: %s", stream.msg ? stream.msg : "unknown error");
	stream.next_in = (Bytef *) unconstify(char *, data);
	stream.avail_in = (uInt) length;
	do
	{
		CHECK_FOR_INTERRUPTS();
		enlargeStringInfo(out, COMPRESSION_PIECE);
		stream.next_out = (Bytef *) out->data + out->len;
		stream.avail_out = COMPRESSION_PIECE;
		status = deflate(&stream, Z_FINISH);
		out->len += COMPRESSION_PIECE - (int) stream.avail_out;
		out->data[out->len] = '\0';
	} while (status == Z_OK);
	if (status != Z_STREAM_END)
		elog(ERROR, "could not compress: %s", stream.msg ? stream.msg : "unknown error");
	deflateEnd(&stream);
}

uint32
CompressionChecksum(const char *data, size_t length)
{
	return (uint32) crc32_z(crc32_z(0, NULL, 0), (const Bytef *) data, length);
}
