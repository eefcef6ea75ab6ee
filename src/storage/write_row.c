/*
 * src/storage/write_row.c
 *		Writes: chooses the way.
 *
 * The direct way is asked first.  It declines what only the executor can do right, and whatever another writer is doing at the same
 * time; the statement way does that, as a command of its own that begins anew.
 */
#include "postgres.h"

#include "storage/storage_internal.h"

SingletableItem *
StorageLock(TableDescriptor *table, const TableKey *key, StorageRow *row)
{
	SingletableItem *item;
	TupleTableSlot *slot = NULL;

	if (!DirectLock(table, key, &slot, &item))
		item = StatementLock(table, key);
	if (row != NULL)
		row->slot = slot;
	return item;
}

bool
StorageInsert(TableDescriptor *table, const SingletableItem *item)
{
	return DirectInsert(table, item) || StatementInsert(table, item);
}

void
StorageUpsert(TableDescriptor *table, const TableKey *key, const SingletableItem *item)
{
	if (!DirectUpsert(table, key, item))
		StatementUpsert(table, item);
}

bool
StorageUpdate(TableDescriptor *table, const TableKey *key, const StorageRow *row, const SingletableItem *old_item,
			  const SingletableItem *new_item)
{
	if (row->slot == NULL)
		return StatementUpdate(table, key, old_item, new_item, false);
	/* It declines only if a column changes, to nothing where there must be something. */
	return DirectUpdate(table, row->slot, new_item) || StatementUpdate(table, key, old_item, new_item, true);
}

bool
StorageDelete(TableDescriptor *table, const TableKey *key, const StorageRow *row)
{
	bool		deleted;

	if (DirectDelete(table, key, row != NULL ? row->slot : NULL, &deleted))
		return deleted;
	return StatementDelete(table, key);
}

bool
StorageLockAbsent(TableDescriptor *table, const TableKey *key)
{
	return StatementLockAbsent(table, key);
}
