/*
 * src/storage/storage_internal.h
 *		What the files of this folder share: a range with its bounds settled, a scan, the kept statements of a table.
 */
#ifndef SINGLETABLE_STORAGE_INTERNAL_H
#define SINGLETABLE_STORAGE_INTERNAL_H

#include "executor/spi.h"
#include "utils/resowner.h"

#include "storage/storage.h"

/*
 * A StorageRange as the two ways need it: a prefix is two bounds, and a start position replaces the bound that it makes superfluous,
 * so that a scan begins at the position and not at the beginning of the range.
 */
typedef struct ScanBounds
{
	bool		is_empty;		/* nothing can follow the start position */
	int			column_count;	/* key columns of what is read */
	const int  *columns;		/* their positions in the table's attributes[] */
	int			partition_count;
	int			equal_count;
	AttributeValue equal[INDEX_MAX_COLUMNS];
	/* Bounds of column number equal_count. */
	bool		has_lower;
	bool		lower_inclusive;
	AttributeValue lower;
	bool		has_upper;
	bool		upper_inclusive;
	AttributeValue upper;
	/* The columns from number equal_count on must be greater than these (less than, backwards), as one row. */
	bool		has_start;
	AttributeValue start[INDEX_MAX_COLUMNS];	/* by column; those below equal_count are not used */
} ScanBounds;

typedef struct DirectScan DirectScan;
typedef struct StatementScan StatementScan;

struct StorageScan
{
	TableDescriptor *table;
	const SecondaryIndex *index;
	bool		is_forward;
	bool		keys_only;
	int			segment;
	int			total_segments;
	ScanBounds	bounds;
	MemoryContext context;		/* the scan and all it needs; its deletion ends the scan */
	MemoryContext row_context;	/* of the current row */
	RowSource	source;
	bool		has_row;
	DirectScan *direct;			/* one of the two, or neither: there is nothing to be read */
	StatementScan *statement;
	ResourceOwner owner;		/* of buffer pins, relations, snapshots; NULL once it has released them */
	dlist_node	open_scan;		/* in the list of open scans, while there is an owner */
};

/* Is this partition key in the scan's segment?  values: its columns. */
extern bool ScanSegmentContains(const StorageScan *scan, const AttributeValue *values);

extern Datum ScanValueGetDatum(const AttributeValue *value);

/* read_direct.c.  These decline: they return false when a statement must do it. */
extern bool DirectGet(TableDescriptor *table, const TableKey *key, RowSource **row);
extern bool DirectGetMany(TableDescriptor *table, const TableKey *keys, int key_count, StorageGetCallback callback, void *state);
/*
 * Must a statement touch this table?  privileges: what the user must have on all of it.  Of writes also what they do beside.
 */
extern bool DirectDeclines(const TableDescriptor *table, AclMode privileges);
/*
 * The row of a key that the active snapshot sees, into an empty slot of make DirectMakeSlot.  is_usable: false if the index cannot tell.
 */
extern bool DirectFindRow(const TableDescriptor *table, Relation heap, const TableKey *key, TupleTableSlot *slot, bool *is_usable);
extern TupleTableSlot *DirectMakeSlot(const TableDescriptor *table, Relation heap);
/* These run in the scan's context and with its resource owner. */
extern bool DirectBeginScan(StorageScan *scan);
/* The slot with the next row, or NULL. */
extern TupleTableSlot *DirectNext(StorageScan *scan);
extern void DirectEndScan(StorageScan *scan);

/* write_direct.c.  These decline, too, and have changed nothing then. */
extern bool DirectLock(TableDescriptor *table, const TableKey *key, TupleTableSlot **row, SingletableItem **item);
/* Of a row that DirectLock locked. */
extern bool DirectUpdate(TableDescriptor *table, TupleTableSlot *row, const SingletableItem *new_item);
extern bool DirectInsert(TableDescriptor *table, const SingletableItem *item);
extern bool DirectUpsert(TableDescriptor *table, const TableKey *key, const SingletableItem *item);
/* row: NULL, or the row that DirectLock locked. */
extern bool DirectDelete(TableDescriptor *table, const TableKey *key, TupleTableSlot *row, bool *deleted);

/* write_statement.c: as the functions of storage.h. */
extern SingletableItem *StatementLock(TableDescriptor *table, const TableKey *key);
extern bool StatementInsert(TableDescriptor *table, const SingletableItem *item);
extern void StatementUpsert(TableDescriptor *table, const SingletableItem *item);
/* columns_differ: known to; otherwise they are compared. */
extern bool StatementUpdate(TableDescriptor *table, const TableKey *key, const SingletableItem *old_item,
							const SingletableItem *new_item, bool columns_differ);
extern bool StatementDelete(TableDescriptor *table, const TableKey *key);
extern bool StatementLockAbsent(TableDescriptor *table, const TableKey *key);

/* read_statement.c */
extern RowSource *StatementGet(TableDescriptor *table, const TableKey *key);
extern void StatementBeginScan(StorageScan *scan);
extern TupleTableSlot *StatementNext(StorageScan *scan);
extern void StatementEndScan(StorageScan *scan);
/* Frees the memory of a scan whose resources its owner releases, or has released. */
extern void StatementAbandonScan(StorageScan *scan);

/*
 * statement.c: kept plans.  Parameters of type PARAMETERS_KEY are the key columns; of PARAMETERS_ROW the columns of attributes[] and
 * the item, as TableSplitItem gives them.
 */
typedef enum StatementKind
{
	STATEMENT_GET,				/* key */
	STATEMENT_EXISTS,			/* key */
	STATEMENT_LOCK,				/* key */
	STATEMENT_DELETE,			/* key */
	STATEMENT_UPDATE_ITEM,		/* key, then the item */
	STATEMENT_UPDATE_ROW,		/* row */
	STATEMENT_INSERT,			/* row */
	STATEMENT_INSERT_ABSENT,	/* row: ON CONFLICT DO NOTHING */
	STATEMENT_UPSERT			/* row */
} StatementKind;

#define STATEMENT_COUNT (STATEMENT_UPSERT + 1)

/* A kept plan of a range scan, found again by its text. */
typedef struct ScanPlan
{
	dlist_node	recently_used;
	char	   *text;
	SPIPlanPtr	plan;
} ScanPlan;

typedef struct KeptStatements
{
	SPIPlanPtr	plans[STATEMENT_COUNT];
	dlist_head	scans;			/* ScanPlan, the last used first */
	int			scan_count;
	TupleDesc	result_tupdesc; /* of the statements that read: the columns of TableSplitItem */
	bool		is_misplaced;	/* a row was locked that had a promoted attribute in its rest: see StorageUpdate */
} KeptStatements;

extern KeptStatements *StatementsOfTable(TableDescriptor *table);
/* Between SPI_connect and SPI_finish. */
extern SPIPlanPtr StatementPrepare(TableDescriptor *table, StatementKind kind);
extern SPIPlanPtr StatementPrepareScan(TableDescriptor *table, const char *text, int parameter_count, Oid *parameter_types);
/* Runs it; nulls may be NULL.  Result: the number of rows processed. */
extern uint64 StatementRun(SPIPlanPtr plan, Datum *values, const char *nulls, bool read_only);
/* In PG_CATCH: raises the error again, a key that is too long for an index as KV001. */
extern void StatementRaise(MemoryContext context) pg_attribute_noreturn();
/* SQL: the list of columns that statements select, each NULL unless it is wanted; only_keys NULL for all columns. */
extern void StatementAppendColumns(StringInfo sql, const TableDescriptor *table, const ScanBounds *only_keys);
extern Oid	StatementColumnType(const TableDescriptor *table, int position);

#endif							/* SINGLETABLE_STORAGE_INTERNAL_H */
