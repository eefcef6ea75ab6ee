/*
 * src/table/table.h
 *		Item tables: which columns hold which attributes, keys, indexes; items split into columns and composed again.
 *
 * Words: a promoted attribute is one that has a column of its own; the rest is what the item column holds.
 */
#ifndef SINGLETABLE_TABLE_H
#define SINGLETABLE_TABLE_H

#include "executor/tuptable.h"
#include "lib/ilist.h"
#include "storage/lockdefs.h"
#include "utils/rel.h"

#include "index/index.h"
#include "item/item.h"

#define TABLE_MAX_KEYS 2		/* partition key, sort key */
#define INDEX_MAX_PARTITION_KEYS 4
#define INDEX_MAX_SORT_KEYS 4
#define INDEX_MAX_COLUMNS (INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS + TABLE_MAX_KEYS)
#define KEY_MAX_PARTITION_BYTES 2048
#define KEY_MAX_SORT_BYTES 1024

typedef enum TableKind
{
	TABLE_PLAIN,				/* an ordinary table: may be read by the direct way */
	TABLE_PARTITIONED			/* the root of partitions: statements only */
} TableKind;

/* A column that holds an attribute. */
typedef struct PromotedAttribute
{
	char	   *name;			/* of the column and of the attribute */
	uint32		name_length;
	AttrNumber	attno;
	AttributeType type;			/* ATTRIBUTE_S, _N or _B */
	int			key_position;	/* 0 partition key, 1 sort key, -1 none */
	bool		is_index_key;	/* of a secondary index */
	uint32		max_key_bytes;	/* an index key: the longest value that all its indexes take; else 0 */
} PromotedAttribute;

typedef struct SecondaryIndex
{
	Oid			oid;
	char	   *name;			/* API name */
	uint32		name_length;
	char	   *relation_name;
	bool		is_local;
	bool		is_valid;		/* indisvalid: backfilled */
	IndexProjection projection;
	int			partition_count;
	int			sort_count;
	int			key_count;		/* key columns of the index in all, the trailing base key included */
	int			keys[INDEX_MAX_COLUMNS];	/* positions in attributes[] per index column */
	int			non_key_attribute_count;
	char	  **non_key_attributes;	/* in the order of the option */
	const char *defect;			/* why the operations cannot use it; NULL if they can */
} SecondaryIndex;

/*
 * Reference-counted, lives in its own context; only TableOpen and its callbacks change it.
 */
typedef struct TableDescriptor
{
	Oid			relid;
	TableKind	kind;
	char	   *name;			/* relation name, unqualified */
	char	   *qualified_name; /* quoted for statements */
	TupleDesc	tupdesc;		/* a copy, not reference-counted */
	Oid			row_type;		/* the composite type of its rows */
	AttrNumber	item_attno;
	char	   *item_column;
	Oid			item_type;
	int			column_count;	/* attributes of the relation, dropped ones too */
	int			attribute_count;
	PromotedAttribute *attributes;	/* sorted by name (bytewise) */
	bool		has_numbers;	/* is one of them of type N? */
	/* Writing a row is nothing but that: no triggers (of foreign keys neither), rules, CHECK or partition constraints, generated columns. */
	bool		is_plainly_written;
	bool		has_other_columns;	/* of neither an attribute nor the item: an INSERT gives them their defaults */
	bool		has_other_unique;	/* another index than the primary key refuses rows (or will, once it is built) */
	int			key_count;		/* 1 or 2 */
	int			keys[TABLE_MAX_KEYS];	/* positions in attributes[] */
	Oid			primary_key;	/* index */
	int			index_count;
	SecondaryIndex *indexes;	/* sorted by API name: the first that complains is the one to be named */
	void	   *plans;			/* the storage layer's kept plans */
	void		(*free_plans) (void *plans);
	/* private to descriptor.c */
	int			reference_count;
	bool		is_valid;
	bool		is_cached;		/* reachable by its relid, or only by those who pin it */
	dlist_node	recently_used;
	MemoryContext context;
} TableDescriptor;

#define TableKeyAttribute(table, position) (&(table)->attributes[(table)->keys[position]])
#define IndexKeyAttribute(table, index, position) (&(table)->attributes[(index)->keys[position]])

extern void TableInit(void);	/* for _PG_init: callbacks */
/*
 * The descriptor of an item table, pinned until the current memory context (the one at this call) is reset, so an error
 * releases it.  The table stays locked in lockmode until the transaction ends.  KV003 (Requested resource not found) with a DETAIL
 * of why when the relation is no item table, or a foreign table, or a shard.  The caller's privileges are not looked at.
 */
extern TableDescriptor *TableOpen(Oid relid, LOCKMODE lockmode);
/* NULL if it has none of that name; KV001 if it has one that the operations cannot use, with a DETAIL of why. */
extern const SecondaryIndex *TableFindIndex(const TableDescriptor *table, const char *name, uint32 length);
extern const PromotedAttribute *TableFindAttribute(const TableDescriptor *table, const char *name, uint32 length);
/* Can the attribute's column hold this value?  It must have the column's type; a text cannot hold U+0000. */
extern bool PromotedAttributeHolds(const PromotedAttribute *attribute, const AttributeValue *value);
/* Does what the index projects hold this attribute?  Its keys and the table's always. */
extern bool IndexProjects(const TableDescriptor *table, const SecondaryIndex *index, const char *name, uint32 length);

/*
 * compose.c: a whole item split into a row's values.  values and nulls have attribute_count + 1 members: the columns in the order of
 * attributes[], NULL where the item has no such attribute or one that the column cannot hold (another type, a string with U+0000: it
 * stays in the rest), then the rest.  The keys must have been checked (TableCheckKey, TableCheckIndexKeys).
 */
extern void TableSplitItem(const TableDescriptor *table, const SingletableItem *item, Datum *values, bool *nulls);
/* Would the two be stored with different values in any column but the item column? */
extern bool TableColumnsDiffer(const TableDescriptor *table, const SingletableItem *a, const SingletableItem *b);

/* A row as a source of attributes.  The slot's values are read lazily; free with the per-row context. */
typedef struct RowSource
{
	AttributeSource source;		/* must be first */
	const TableDescriptor *table;
	TupleTableSlot *slot;
	bool		is_result_row;	/* the slot has the columns of TableSplitItem, and not those of the table */
	MemoryContext context;		/* for what is detoasted or composed */
	const SecondaryIndex *visible_index;	/* not NULL: only what it projects is seen */
	bool		is_rest_open;
	AttributeContainer rest;
	bool		is_misplaced;	/* composing it found an attribute in the rest that belongs into its column */
	SingletableItem *item;		/* composed, once asked for */
	char	   *number_buffers; /* per promoted attribute */
} RowSource;

/* In the current context: room for the numbers of a row. */
extern void RowSourceInit(RowSource *source, const TableDescriptor *table, MemoryContext context);
/* Points it at the slot's row; forgets the last one. */
extern void RowSourceSet(RowSource *source, TupleTableSlot *slot);
/* The value of a promoted attribute's column; false if it is NULL.  22003 for NaN and the infinities. */
extern bool RowSourceColumn(RowSource *source, int position, AttributeValue *value);
/* The whole item of the row (what is visible of it), composed, in the source's context. */
extern SingletableItem *RowSourceItem(RowSource *source);

/* A primary key, as datums for scan keys and parameters. */
typedef struct TableKey
{
	Datum		values[TABLE_MAX_KEYS];
	AttributeValue attributes[TABLE_MAX_KEYS];	/* the same as values of an item */
} TableKey;

typedef enum KeyUse
{
	KEY_OF_ITEM,				/* PutItem: the item holds more than the key; its texts for missing and mistyped keys */
	KEY_OF_BATCH_ITEM,			/* BatchWriteItem put: more than the key, a mistyped one has the text of a Key */
	KEY_ALONE					/* Key: exactly the key attributes */
} KeyUse;

/*
 * key.c: checks presence, type, emptiness and size in schema order (KV001, reference/data-model section 8) and fills the key, whose
 * attributes point into map; its datums are palloc'd.
 */
extern void TableCheckKey(const TableDescriptor *table, const AttributeContainer *map, KeyUse use, TableKey *key);
/*
 * The index key checks alone, before anything is locked: type, emptiness and size of those index keys that the map holds, index by
 * index in the order of their names (KV001).  is_update picks the text for empty values: use it on the values of an update's SET.
 */
extern void TableCheckIndexKeys(const TableDescriptor *table, const AttributeContainer *map, bool is_update);
/* The same for the result of an update: only index keys that it changed; a wrong type has the text for what only the item reveals. */
extern void TableCheckUpdatedIndexKeys(const TableDescriptor *table, const AttributeContainer *old_map,
									   const AttributeContainer *new_map);
/* The item that holds just the key attributes. */
extern SingletableItem *TableKeyItem(const TableDescriptor *table, const TableKey *key);
/* Orders keys of one table: for locking in one order, and to find duplicates. */
extern int	TableKeyCompare(const TableDescriptor *table, const TableKey *a, const TableKey *b);

#endif							/* SINGLETABLE_TABLE_H */
