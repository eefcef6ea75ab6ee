/*
 * src/index/index.h
 *		The index access methods gsi and lsi: sparse, prefix-searchable nbtrees.
 *
 * How and why: ../../shared/index-am.md's findings are kept in src/README.  A row with NULL in any key column is not in the index.
 */
#ifndef SINGLETABLE_INDEX_H
#define SINGLETABLE_INDEX_H

#include "access/nbtree.h"
#include "utils/rel.h"

/* Strategies 1 to 5 are nbtree's. */
#define PREFIX_STRATEGY_NUMBER 6	/* ^@ */

typedef enum IndexProjection
{
	PROJECTION_ALL,
	PROJECTION_KEYS_ONLY,
	PROJECTION_INCLUDE
} IndexProjection;

/* rd_options of a gsi or lsi index; nbtree reads the prefix.  Offsets are from the start of the struct, 0 = not set. */
typedef struct ItemIndexOptions
{
	BTOptions	btree;
	int			partition_keys; /* columns; default 1 */
	int			sort_keys;		/* columns; -1 = not set: derived from the table's key */
	int			projection;		/* IndexProjection */
	int			name_offset;	/* API name */
	int			non_key_attributes_offset;	/* JSON array of strings, as text */
} ItemIndexOptions;

typedef enum ItemIndexKind
{
	ITEM_INDEX_NONE,			/* not one of ours */
	ITEM_INDEX_GLOBAL,
	ITEM_INDEX_LOCAL
} ItemIndexKind;

/* For _PG_init: reloption kind, planner hook. */
extern void ItemIndexInit(void);
extern ItemIndexKind ItemIndexGetKind(Relation index);

/* Options with the defaults filled in; strings are palloc'd or NULL. */
typedef struct ItemIndexDefinition
{
	const char *name;			/* API name: option name, else the relation's */
	int			partition_keys;
	int			sort_keys;		/* -1 = to be derived from the table's key by the caller */
	IndexProjection projection;
	int			non_key_attribute_count;
	const char **non_key_attributes;
} ItemIndexDefinition;

extern void ItemIndexGetDefinition(Relation index, ItemIndexDefinition *definition);

/* How many of the table's rows are in the index, by the statistics of its columns. */
extern double ItemIndexEstimateEntries(Relation index, double table_rows);

/*
 * The smallest byte string that is greater than every string with this prefix: last byte that is not 0xFF incremented, the rest
 * cut.  Returns its length in target (room for length bytes); 0 when there is none (empty, or all bytes 0xFF).
 */
extern uint32 PrefixUpperBound(const char *prefix, uint32 length, char *target);

#endif							/* SINGLETABLE_INDEX_H */
