/*
 * src/table/table_internal.h
 *		What the files of this folder share.
 */
#ifndef SINGLETABLE_TABLE_INTERNAL_H
#define SINGLETABLE_TABLE_INTERNAL_H

#include "table/table.h"

/*
 * definition.c: reads the catalogs into a descriptor that lives in the current context.  The caller holds a lock on the relation.
 * KV003 with a DETAIL of why when it is no item table.
 */
extern TableDescriptor *TableDefinitionRead(Oid relid);

#endif							/* SINGLETABLE_TABLE_INTERNAL_H */
