/*
 * src/operation/capacity.h
 *		Capacity units: what DynamoDB would charge for an operation.
 *
 * Units are counted in halves, as an eventually consistent read of one block costs half a unit.
 */
#ifndef SINGLETABLE_CAPACITY_H
#define SINGLETABLE_CAPACITY_H

#include "table/table.h"

#define READ_BLOCK 4096			/* bytes a read unit reads */
#define WRITE_BLOCK 1024		/* bytes a write unit writes */
#define INDEX_NAME_BYTES 255	/* of an API name */

/* How a read is charged; it is always consistent. */
typedef enum ReadCharge
{
	READ_CHARGE_EVENTUAL,		/* half a unit a block */
	READ_CHARGE_CONSISTENT,		/* a unit */
	READ_CHARGE_TRANSACTIONAL	/* two */
} ReadCharge;

/* One table's share of a request. */
typedef struct Capacity
{
	const TableDescriptor *table;
	uint64		table_halves;	/* half units */
	uint64	   *index_halves;	/* per table->indexes; 0: not charged */
} Capacity;

/* palloc's index_halves; table is borrowed. */
extern void CapacityInit(Capacity *capacity, const TableDescriptor *table);
/* Table and indexes. */
extern uint64 CapacityTotal(const Capacity *capacity);

/* One item read by its key; size 0 when it is absent.  bytes as ItemSize counts. */
extern void CapacityAddRead(Capacity *capacity, uint64 size, ReadCharge charge);
/*
 * A page of Query or Scan: sizes of what was evaluated, index NULL for the table.  fetched_bytes: of whole items that were fetched
 * for attributes that an LSI lacks, each rounded up to READ_BLOCK.
 */
extern void CapacityAddPage(Capacity *capacity, const SecondaryIndex *index, uint64 scanned_bytes, uint64 fetched_bytes,
							bool is_consistent);
/* A written item; NULL where there is none.  Transactions pay twice for the table, and once for its indexes. */
extern void CapacityAddWrite(Capacity *capacity, const SingletableItem *old_item, const SingletableItem *new_item, bool is_transactional);
/* A ConditionCheck, and an action of a transaction whose condition is false. */
extern void CapacityAddCheck(Capacity *capacity, const SingletableItem *item);
/* A write whose condition is false, for the item that is there; NULL for none. */
extern void CapacityAddFailedWrite(Capacity *capacity, const SingletableItem *item);

/* session_capacity.c: what the session's operations have consumed while singletable.track_capacity was on. */
typedef struct SessionCapacityKey
{
	Oid			table;			/* InvalidOid: what did not fit any more */
	Oid			index;			/* InvalidOid: the table itself */
} SessionCapacityKey;

typedef struct SessionCapacity
{
	SessionCapacityKey key;		/* must be first */
	char		index_name[INDEX_NAME_BYTES + 1];	/* API name when it was counted last; empty for the table */
	uint64		read_halves;	/* half units */
	uint64		write_halves;
} SessionCapacity;

extern void SessionCapacityAdd(const Capacity *capacity, bool is_write);
/* A palloc'd array in the order of OIDs; NULL and 0 if nothing was counted. */
extern SessionCapacity *SessionCapacityList(int *count);
extern void SessionCapacityReset(void);

#endif							/* SINGLETABLE_CAPACITY_H */
