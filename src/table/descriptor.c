/*
 * src/table/descriptor.c
 *		Item tables as descriptors, cached per relation.
 */
#include "postgres.h"

#include "table/table.h"

void
TableInit(void)
{
}
