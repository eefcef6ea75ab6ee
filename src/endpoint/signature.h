/*
 * src/endpoint/signature.h
 *		AWS Signature Version 4: who sent a request?
 *
 * Form, order of checks and texts are those of reference/errors, section 4.  Works on a parsed request and on the function that finds a
 * secret; knows neither tables nor connections.
 */
#ifndef SINGLETABLE_SIGNATURE_H
#define SINGLETABLE_SIGNATURE_H

#include "datatype/timestamp.h"

#include "endpoint/http.h"

/* What a check found wrong; exception NULL if nothing. */
typedef struct SignatureFault
{
	const char *exception;		/* "InvalidSignatureException": DynamoDB's name, under com.amazon.coral.service# */
	const char *message;		/* palloc'd in the current context; NULL for none */
} SignatureFault;

/* A secret by its access key id, false if there is none; secret is valid until the next call.  Runs inside a transaction. */
typedef bool (*SignatureFindSecret) (HttpText key_id, const char **secret, size_t *secret_length, void *argument);

/*
 * SignatureInit
 *		Make the HMAC contexts and the cache of signing keys, once in a process, outside of transactions.
 *
 * They belong to a ResourceOwner of their own: contexts that belong to a transaction's die with it.
 */
extern void SignatureInit(void);

/*
 * SignatureVerify
 *		All checks, in the order of reference/errors, section 4.  The hash of the body is that of request->body, as it was sent.
 *
 * now is the time to compare dates with (GetCurrentTimestamp()).  Comparison of signatures takes the same time wherever they differ.
 * A signing key (4 HMACs) is kept by key id, secret and scope, so that usual requests cost one HMAC and two hashes.
 */
extern SignatureFault SignatureVerify(const HttpRequest *request, TimestampTz now, SignatureFindSecret find_secret, void *argument);

#endif							/* SINGLETABLE_SIGNATURE_H */
