/*
 * src/table/table.h
 *		Item tables: which columns hold which attributes, keys, indexes; items split into columns and composed again.
 *
 * Words: a promoted attribute is one that has a column of its own; the rest is what the item column holds.
 */
#ifndef SINGLETABLE_TABLE_H
#define SINGLETABLE_TABLE_H

#include "executor/tuptable.h"
#include "utils/rel.h"

#include "index/index.h"
#include "item/item.h"

#define TABLE_MAX_KEYS 2		/* partition key, sort key */
#define INDEX_MAX_PARTITION_KEYS 4
#define INDEX_MAX_SORT_KEYS 4
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
} PromotedAttribute;

typedef struct SecondaryIndex
{
	Oid			oid;
	char	   *name;			/* API name */
	char	   *relation_name;
	bool		is_local;
	bool		is_valid;		/* indisvalid: backfilled */
	IndexProjection projection;
	int			partition_count;
	int			sort_count;
	int			key_count;		/* key columns of the index in all, the trailing base key included */
	int			keys[INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS + TABLE_MAX_KEYS]; /* positions in attributes[] per index column */
	int			non_key_attribute_count;
	char	  **non_key_attributes;
} SecondaryIndex;

/* Reference-counted, lives in its own context; only TableOpen, TableClose and the invalidation callback change it. */
typedef struct TableDescriptor
{
	Oid			relid;
	TableKind	kind;
	char	   *name;			/* relation name, unqualified */
	char	   *qualified_name; /* quoted for statements */
	AttrNumber	item_attno;
	char	   *item_column;
	int			column_count;	/* attributes of the relation, dropped ones too */
	int			attribute_count;
	PromotedAttribute *attributes;	/* sorted by name (bytewise) */
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
	MemoryContext context;
} TableDescriptor;

#define TableKeyAttribute(table, position) (&(table)->attributes[(table)->keys[position]])

extern void TableInit(void);	/* for _PG_init: callbacks */
/*
 * The descriptor of an item table, pinned until the current memory context (the one at this call) is reset, so an error
 * releases it.  KV003 (Requested resource not found) with a DETAIL of why when the relation is no item table, or a foreign table,
 * or a shard.  The caller's privileges are not looked at.
 */
extern TableDescriptor *TableOpen(Oid relid);
/* NULL if it has none of that name. */
extern const SecondaryIndex *TableFindIndex(const TableDescriptor *table, const char *name, uint32 length);
extern const PromotedAttribute *TableFindAttribute(const TableDescriptor *table, const char *name, uint32 length);
extern void TableCacheStatistics(int64 *entries, int64 *bytes);

/*
 * compose.c: a whole item split into a row's values.  values and nulls have column_count members; columns that hold no attribute are
 * left as they were.  The rest goes into the item column.  KV001 for index keys of wrong type, empty, or too long (is_update picks
 * the text); the table's own key must have been checked (TableCheckKey).
 */
extern void TableSplitItem(const TableDescriptor *table, const SingletableItem *item, Datum *values, bool *nulls);
/* The index key checks alone, before anything is locked: reference/data-model section 8. */
extern void TableCheckIndexKeys(const TableDescriptor *table, const AttributeContainer *map, bool is_update);

/* A row as a source of attributes.  The slot's values are read lazily; free with the per-row context. */
typedef struct RowSource
{
	AttributeSource source;		/* must be first */
	const TableDescriptor *table;
	TupleTableSlot *slot;
	MemoryContext context;		/* for what is detoasted or composed */
	const SecondaryIndex *visible_index;	/* not NULL: only what it projects is seen */
	bool		is_rest_open;
	AttributeContainer rest;
	SingletableItem *item;		/* composed, once asked for */
	char	   *number_buffers; /* per promoted attribute */
} RowSource;

extern void RowSourceInit(RowSource *source, const TableDescriptor *table, MemoryContext context);
/* Points it at the slot's row; forgets the last one. */
extern void RowSourceSet(RowSource *source, TupleTableSlot *slot);
/* The whole item of the row (what is visible of it), composed. */
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
	KEY_OF_BATCH_ITEM,			/* BatchWriteItem put: more than the key, the texts of a Key */
	KEY_ALONE					/* Key: exactly the key attributes */
} KeyUse;

/* Checks presence, type, emptiness and size in schema order (KV001, reference/data-model section 8) and fills the key. */
extern void TableCheckKey(const TableDescriptor *table, const AttributeContainer *map, KeyUse use, TableKey *key);
/* The item that holds just the key attributes. */
extern SingletableItem *TableKeyItem(const TableDescriptor *table, const TableKey *key);
/* Orders keys of one table: for locking in one order, and to find duplicates. */
extern int	TableKeyCompare(const TableDescriptor *table, const TableKey *a, const TableKey *b);

#endif							/* SINGLETABLE_TABLE_H */
