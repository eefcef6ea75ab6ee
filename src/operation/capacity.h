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
extern void CapacityAddRead(Capacity *capacity, uint64 size, bool is_consistent);
extern void CapacityAddTransactionalRead(Capacity *capacity, uint64 size);
/*
 * A page of Query or Scan: sizes of what was evaluated, index NULL for the table.  fetched_bytes: of whole items that were fetched
 * for attributes that an LSI lacks, each rounded up to READ_BLOCK.
 */
extern void CapacityAddPage(Capacity *capacity, const SecondaryIndex *index, uint64 scanned_bytes, uint64 fetched_bytes,
							bool is_consistent);
/* A written item; NULL where there is none.  Transactions pay twice for the table, and once for its indexes. */
extern void CapacityAddWrite(Capacity *capacity, const SingletableItem *old_item, const SingletableItem *new_item, bool is_transactional);
/* A ConditionCheck. */
extern void CapacityAddCheck(Capacity *capacity, const SingletableItem *item);

#endif							/* SINGLETABLE_CAPACITY_H */
