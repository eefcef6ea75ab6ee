/*
 * src/endpoint/credential.h
 *		Access keys: which role is behind an access key id, and with which secret.
 *
 * They are rows of the table singletable_access_key of the extension's schema, on which nobody but the extension's owner (and superusers) has rights;
 * the endpoint reads it without asking for privileges, the owner of a role makes and revokes its keys with functions
 * (create_access_key, list_access_keys, revoke_access_key).  A worker keeps what it has read until the table changes.
 */
#ifndef SINGLETABLE_CREDENTIAL_H
#define SINGLETABLE_CREDENTIAL_H

#include "endpoint/http.h"

typedef struct Credential
{
	Oid			role;
	const char *secret;			/* in clear, since an HMAC needs it */
	size_t		secret_length;
} Credential;

/*
 * CredentialFind
 *		The credential of an access key id, or NULL: no such key, revoked, or its role could not log in to this database.
 *
 * Inside a transaction (syscache and the table are read on a miss).  The result lives in the cache or in the current memory context: until the
 * next call, at most as long as that context.  Misses are not cached: unknown ids come from outside.
 */
extern const Credential *CredentialFind(HttpText key_id);

/* Registers the callbacks that drop the cache; once in a process. */
extern void CredentialInit(void);

#endif							/* SINGLETABLE_CREDENTIAL_H */
