/*
 * src/index/handler.c
 *		The access methods gsi and lsi over nbtree.
 */
#include "postgres.h"

#include "index/index.h"

void
ItemIndexInit(void)
{
}
