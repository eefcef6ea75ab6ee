/*
 * src/endpoint/compression.h
 *		Content codings of bodies, and their checksum, by zlib.
 */
#ifndef SINGLETABLE_COMPRESSION_H
#define SINGLETABLE_COMPRESSION_H

#include "lib/stringinfo.h"

#include "endpoint/http.h"

/* Bodies of answers below this are sent as they are, in bytes. */
#define COMPRESSION_THRESHOLD 4096

typedef enum CompressionResult
{
	COMPRESSION_DONE,
	COMPRESSION_DAMAGED,		/* no such stream, cut short, or bytes behind its end */
	COMPRESSION_TOO_LARGE		/* more than max bytes would come out */
} CompressionResult;

/* Appends the decoded body to out, at most max bytes of it, with CHECK_FOR_INTERRUPTS; zlib's memory is freed whatever happens. */
extern CompressionResult CompressionDecode(HttpCoding coding, const char *data, size_t length, size_t max, StringInfo out);

/* Appends data as gzip. */
extern void CompressionEncode(const char *data, size_t length, StringInfo out);

/* CRC-32 (IEEE) as x-amz-crc32 has it: of the bytes as sent.  Source: reference/errors, section 1 */
extern uint32 CompressionChecksum(const char *data, size_t length);

#endif							/* SINGLETABLE_COMPRESSION_H */
