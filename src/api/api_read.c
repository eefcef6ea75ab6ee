/*
 * src/api/api_read.c
 *		Request bodies bound to structs.
 */
#include "postgres.h"

#include "api/api_internal.h"

void *
ApiBind(const ApiType *type, const char *text, uint32 length)
{
	return palloc0(type->size);
}
