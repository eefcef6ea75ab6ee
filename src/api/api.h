/*
 * src/api/api.h
 *		The JSON API of DynamoDB: the name of an operation and the text of a request in, the text of a response out.
 *
 * The door of this folder, for dynamodb() and for whoever else serves the wire protocol.  What the files of the folder share is in
 * api_internal.h.
 */
#ifndef SINGLETABLE_API_H
#define SINGLETABLE_API_H

#include "lib/stringinfo.h"

#define API_MESSAGE_MALFORMED "malformed JSON"	/* KV011; also from the reader of item/json.h */
#define API_MESSAGE_UNKNOWN_OPERATION "unknown operation"	/* KV012 */

/* Names in ARNs. */
#define API_REGION "us-east-1"
#define API_ACCOUNT "000000000000"

/* The operations: numbers from 0 in the order of their names. */
extern int	ApiOperationCount(void);
extern const char *ApiOperationName(int number);

/* The number of the operation of that name (case-sensitive), -1 if there is none. */
extern int	ApiFindOperation(const char *name, uint32 length);

/* KV011 unless the text is one JSON object; needs no transaction. */
extern void ApiCheckObject(const char *text, uint32 length);

/*
 * ApiExecute
 *		Run one operation inside the current transaction; appends the body of the response.
 *
 * number	as ApiFindOperation gives it; -1 is KV012, but KV011 first if the text is no JSON object
 * Errors	DynamoDB's exceptions as SQLSTATEs of class KV (base/error.h) with its message.  DETAIL of KV002 and KV005 is a JSON
 *			object of the further members (Item, CancellationReasons).  The two messages above stand for none at all on the wire.
 *			40001 and 40P01 become KV006, 42501 KV013, 42P01 KV003, the server's text being their DETAIL; every other error of the
 *			server passes through as it is.
 * Source	reference/errors
 */
extern void ApiExecute(int number, const char *text, uint32 text_length, StringInfo response);

#endif							/* SINGLETABLE_API_H */
