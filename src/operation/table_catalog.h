/*
 * src/operation/table_catalog.h
 *		Which item tables there are, what they are called, and the DDL that removes them.
 */
#ifndef SINGLETABLE_TABLE_CATALOG_H
#define SINGLETABLE_TABLE_CATALOG_H

#include "table/table.h"

/* Is it an item table (design section 1) that is no partition of another?  Takes no lock and raises nothing. */
extern bool RelationIsItemTable(Oid relid);

/*
 * The API names of all item tables that search_path finds and the current user may SELECT from, sorted bytewise, each once.
 * Result	an array of count strings, palloc'd
 */
extern char **ItemTableList(int *count);

/*
 * The name that the relation of a new table gets: the API name if it fits and is free, else a shortened one with a hash (an index
 * or a type may have the name: neither is a table to the API).
 * Result	palloc'd, or NULL when a table, view or sequence of the schema has the name
 */
extern char *ItemTableChooseName(const char *api_name, Oid namespace);

/* DROP TABLE, DROP INDEX with the caller's privileges; 2BP01 where other objects depend on them. */
extern void ItemTableDrop(Oid relid);
extern void ItemIndexDrop(Oid index);

/*
 * Moves the values of a promoted attribute that is no key back into the item column and drops its column: for an attribute that shall
 * be a key of another type.  Locks the table against everybody.  2BP01 where other objects depend on the column.
 */
extern void ItemTableDemote(const TableDescriptor *table, const PromotedAttribute *attribute);

/* Rows and bytes of the table (with its TOAST table) or one of its indexes, as of the last VACUUM or ANALYZE.  0 and 0 before. */
extern void ItemTableEstimate(Oid relid, int64 *tuples, int64 *bytes);
extern void ItemIndexEstimate(const TableDescriptor *table, const SecondaryIndex *index, int64 *tuples, int64 *bytes);

#endif							/* SINGLETABLE_TABLE_CATALOG_H */
