/*
 * src/operation/session_capacity.c
 *		Capacity units that the session's operations have consumed, by table and index.
 *
 * They are counted while singletable.track_capacity is on, in the memory of the session and not of its transactions: DynamoDB
 * charges a write whose condition is false, and a transaction that it cancels, so what is rolled back here stays counted too.
 *
 * Each entry is a table's own share or that of one of its indexes.  Beyond MAX_ENTRIES of them everything is added to one entry
 * that names no table, so that no session's total is wrong and none grows without end.
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "operation/capacity.h"

#define MAX_ENTRIES 1000

static HTAB *entries = NULL;
static MemoryContext entries_context = NULL;

/*
 * find_entry
 *		The entry of a table (index NULL) or index, made if it is not there.
 */
static SessionCapacity *
find_entry(const TableDescriptor *table, const SecondaryIndex *index)
{
	SessionCapacityKey key = {table->relid, index != NULL ? index->oid : InvalidOid};
	SessionCapacity *entry;
	bool		found;

	if (entries == NULL)
	{
		HASHCTL		control = {0};

		if (entries_context == NULL)
			entries_context = AllocSetContextCreate(TopMemoryContext, "singletable session capacity", ALLOCSET_SMALL_SIZES);
		control.keysize = sizeof(SessionCapacityKey);
		control.entrysize = sizeof(SessionCapacity);
		control.hcxt = entries_context;
		entries = hash_create("singletable session capacity", 16, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}

	entry = hash_search(entries, &key, HASH_FIND, NULL);
	if (entry == NULL)
	{
		if (hash_get_num_entries(entries) >= MAX_ENTRIES)
		{
			key.table = key.index = InvalidOid;
			index = NULL;
		}
		entry = hash_search(entries, &key, HASH_ENTER, &found);
		if (!found)
		{
			entry->index_name[0] = '\0';
			entry->read_halves = entry->write_halves = 0;
		}
	}
	/* Each time: it may have been renamed. */
	if (index != NULL)
		strlcpy(entry->index_name, index->name, sizeof(entry->index_name));
	return entry;
}

/*
 * SessionCapacityAdd
 *		Adds what a request has consumed of a table and its indexes; an arm without units makes no entry.
 */
void
SessionCapacityAdd(const Capacity *capacity, bool is_write)
{
	for (int i = -1; i < capacity->table->index_count; i++)
	{
		uint64		halves = i < 0 ? capacity->table_halves : capacity->index_halves[i];
		SessionCapacity *entry;

		if (halves == 0)
			continue;
		entry = find_entry(capacity->table, i < 0 ? NULL : &capacity->table->indexes[i]);
		if (is_write)
			entry->write_halves += halves;
		else
			entry->read_halves += halves;
	}
}

static int
compare_entries(const void *a, const void *b)
{
	const SessionCapacityKey *first = &((const SessionCapacity *) a)->key;
	const SessionCapacityKey *second = &((const SessionCapacity *) b)->key;

	if (first->table != second->table)
		return first->table < second->table ? -1 : 1;
	return first->index < second->index ? -1 : first->index > second->index;
}

/*
 * SessionCapacityList
 *		A copy of all entries, in the order of their OIDs, in the current context.
 */
SessionCapacity *
SessionCapacityList(int *count)
{
	SessionCapacity *list;
	SessionCapacity *entry;
	HASH_SEQ_STATUS scan;

	*count = 0;
	if (entries == NULL)
		return NULL;
	list = palloc(sizeof(SessionCapacity) * Max(hash_get_num_entries(entries), 1));
	hash_seq_init(&scan, entries);
	while ((entry = hash_seq_search(&scan)) != NULL)
		list[(*count)++] = *entry;
	qsort(list, *count, sizeof(SessionCapacity), compare_entries);
	return list;
}

/*
 * SessionCapacityReset
 *		Forgets all entries and frees their memory.
 */
void
SessionCapacityReset(void)
{
	entries = NULL;
	if (entries_context != NULL)
		MemoryContextReset(entries_context);
}
