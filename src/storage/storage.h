/*
 * src/storage/storage.h
 *		Reading and writing rows of item tables: through the access methods where that is all, by kept statements everywhere else.
 *
 * Reads see the active snapshot.  Writes are commands with a snapshot of their own.  Statements are run through SPI (the functions
 * connect and disconnect themselves): the executor does privileges, row-level security, triggers, constraints, foreign keys, partitions.
 * Errors of the server (42501, 40001, 40P01, 23xxx) pass through with their SQLSTATE; a key that is too long for the server's btree
 * becomes KV001.
 */
#ifndef SINGLETABLE_STORAGE_H
#define SINGLETABLE_STORAGE_H

#include "table/table.h"

/*
 * read one row by primary key.
 * Result	the source, pointed at the row (valid until the context that was current is reset), or NULL
 * Errors	42501 without SELECT privilege
 */
extern RowSource *StorageGet(TableDescriptor *table, const TableKey *key);

/*
 * Many keys of one table with one scan; calls back per key, source NULL where there is no row.  The source is valid in the callback
 * only, which runs in the caller's memory context.
 */
typedef void (*StorageGetCallback) (void *state, int position, RowSource *source);
extern void StorageGetMany(TableDescriptor *table, const TableKey *keys, int key_count, StorageGetCallback callback, void *state);

/* A range of the table's key or of an index: equality on leading key columns, then at most one range, from a start position on. */
typedef struct StorageRange
{
	const SecondaryIndex *index;	/* NULL: the table's primary key */
	int			equal_count;	/* leading key columns that are bound */
	AttributeValue equal[INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS];
	/* The range on column number equal_count; NULL where open. */
	const AttributeValue *lower;
	bool		lower_inclusive;
	const AttributeValue *upper;
	bool		upper_inclusive;
	const AttributeValue *prefix;	/* begins_with, instead of the two */
	/* Start after this position: values of all key columns of what is read; NULL from the beginning (in scan direction). */
	const AttributeValue *start;
	bool		is_forward;
	/* Parallel scan: only rows whose hash of the partition key columns of what is read, modulo total_segments, is segment. */
	int			segment;
	int			total_segments; /* 0: all */
	/* Only key columns are wanted (a KEYS_ONLY index): the heap is visited for visibility alone. */
	bool		keys_only;
} StorageRange;

typedef struct StorageScan StorageScan;

/*
 * Opens a scan in the current context; the relations, the scan and its snapshot are released by StorageEndScan, by the reset of that
 * context, or by the end of the (sub)transaction's resource owner on error.  What range points to is not needed any more afterwards,
 * but the descriptor must stay pinned as long as the scan.
 */
extern StorageScan *StorageBeginScan(TableDescriptor *table, const StorageRange *range);
/* The next row, or NULL at the end.  Valid until the next call. */
extern RowSource *StorageNext(StorageScan *scan);
/* Key column values of the current row, one per key column of what is read; valid until the next StorageNext. */
extern void StorageScanPosition(StorageScan *scan, AttributeValue *position);
extern void StorageEndScan(StorageScan *scan);

/* The hash that assigns a partition key to a segment (modulo their number): stable over sessions and versions. */
extern uint32 StorageSegmentHash(const AttributeValue *partition_key, int count);

/* A row that StorageLock has locked, for the write that follows. */
typedef struct StorageRow
{
	TupleTableSlot *slot;		/* the row as it is stored, or NULL: it is written by a statement */
} StorageRow;

/*
 * Lock and read: the latest version of the row, locked until the transaction ends against every other writer (FOR NO KEY UPDATE, as an
 * UPDATE locks: foreign key checks of others need not wait).
 * row	what is needed to write it (palloc'd); may be NULL
 * Result	the whole old item, palloc'd in the current context, or NULL when no row is there to be locked
 * Errors	42501; 40001 in REPEATABLE READ and above when the row changed since the snapshot
 */
extern SingletableItem *StorageLock(TableDescriptor *table, const TableKey *key, StorageRow *row);
/*
 * Inserts; false (and nothing done) when a row with that key is there: the caller locks it and starts again.
 * Errors	23505 when the row that is in the way is hidden from the user by row-level security
 */
extern bool StorageInsert(TableDescriptor *table, const SingletableItem *item);
/* Inserts or replaces the item of that key. */
extern void StorageUpsert(TableDescriptor *table, const TableKey *key, const SingletableItem *item);
/*
 * Replaces a row that StorageLock returned, through the same descriptor and before anything else is written; unless a column differs from
 * old_item only the item column is written.  False if a trigger or rule kept it.
 */
extern bool StorageUpdate(TableDescriptor *table, const TableKey *key, const StorageRow *row, const SingletableItem *old_item,
						  const SingletableItem *new_item);
/* Deletes the row of a key, row being what StorageLock gave, or NULL; false when there is none, or a trigger or rule kept it. */
extern bool StorageDelete(TableDescriptor *table, const TableKey *key, const StorageRow *row);
/* Keeps the absent key absent until the transaction ends; false when a row is there after all.  Errors as StorageInsert. */
extern bool StorageLockAbsent(TableDescriptor *table, const TableKey *key);

#endif							/* SINGLETABLE_STORAGE_H */
