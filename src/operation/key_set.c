/*
 * src/operation/key_set.c
 *		Keys of one request that acts on many items: duplicates, and the order of locking.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/hsearch.h"

#include "operation/operation_internal.h"

typedef struct KeySetEntry
{
	const TableDescriptor *table;
	const TableKey *key;
} KeySetEntry;

struct KeySet
{
	HTAB	   *entries;
};

/* Equal key values are equal bytes, numbers too: item.h. */
static uint32
hash_entry(const void *data, Size size)
{
	const KeySetEntry *entry = data;
	uint32		hash = hash_bytes_uint32(entry->table->relid);

	for (int i = 0; i < entry->table->key_count; i++)
	{
		const AttributeValue *value = &entry->key->attributes[i];

		hash = hash_combine(hash, hash_bytes((const unsigned char *) value->data, value->length));
	}
	return hash;
}

static int
compare_entries(const void *a_data, const void *b_data, Size size)
{
	const KeySetEntry *a = a_data;
	const KeySetEntry *b = b_data;

	if (a->table->relid != b->table->relid)
		return a->table->relid < b->table->relid ? -1 : 1;
	return TableKeyCompare(a->table, a->key, b->key);
}

KeySet *
KeySetCreate(int expected)
{
	KeySet	   *set = palloc(sizeof(KeySet));
	HASHCTL		control = {0};

	control.keysize = sizeof(KeySetEntry);
	control.entrysize = sizeof(KeySetEntry);
	control.hash = hash_entry;
	control.match = compare_entries;
	control.hcxt = CurrentMemoryContext;
	set->entries = hash_create("singletable keys", expected, &control,
							   HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
	return set;
}

bool
KeySetAdd(KeySet *set, const TableDescriptor *table, const TableKey *key)
{
	KeySetEntry entry = {table, key};
	bool		found;

	hash_search(set->entries, &entry, HASH_ENTER, &found);
	return !found;
}

static int
compare_operations(const void *a_data, const void *b_data)
{
	const ItemOperation *a = *(ItemOperation *const *) a_data;
	const ItemOperation *b = *(ItemOperation *const *) b_data;

	if (a->table->relid != b->table->relid)
		return a->table->relid < b->table->relid ? -1 : 1;
	return TableKeyCompare(a->table, &a->key, &b->key);
}

/*
 * ItemOperationsSort
 *		The operations in the order of their tables' OIDs and their keys.
 *
 * Whoever locks several items locks them in this order, so that two of them wait for each other never in a circle.
 * Result	a palloc'd array of pointers into operations
 */
ItemOperation **
ItemOperationsSort(ItemOperation *operations, int count)
{
	ItemOperation **sorted = palloc(sizeof(ItemOperation *) * count);

	for (int i = 0; i < count; i++)
		sorted[i] = &operations[i];
	qsort(sorted, count, sizeof(ItemOperation *), compare_operations);
	return sorted;
}
