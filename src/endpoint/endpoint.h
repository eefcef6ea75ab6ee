/*
 * src/endpoint/endpoint.h
 *		The HTTP endpoint: DynamoDB's wire protocol served by background workers of the preloaded library.
 *
 * The door of this folder: src/module.c calls EndpointInit.  What its files share is in endpoint_internal.h, http.h (the parser),
 * signature.h and credential.h (who asks), compression.h.
 */
#ifndef SINGLETABLE_ENDPOINT_H
#define SINGLETABLE_ENDPOINT_H

/*
 * EndpointInit
 *		Define the settings singletable.endpoint_*; while the postmaster loads its libraries and a port is set, register the workers.
 *
 * Called from _PG_init, in every process that loads the library, before MarkGUCPrefixReserved.
 */
extern void EndpointInit(void);

#endif							/* SINGLETABLE_ENDPOINT_H */
