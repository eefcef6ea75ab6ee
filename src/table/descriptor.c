/*
 * src/table/descriptor.c
 *		The session's cache of table descriptors: one per item table, dropped by invalidation, bounded.
 *
 * An invalidation message may arrive in the middle of anything, so the callbacks only mark a descriptor.  TableOpen takes a lock on
 * the table first (which makes the server deliver the messages), then looks at the mark: a marked descriptor is replaced.  Who
 * has it pinned goes on with it: the lock keeps others from changing what it says of columns and keys, and a new index that it does
 * not know yet is none for a request that began before.
 *
 * A descriptor is freed in TableOpen only, never by a callback or by the end of a pin (which may be part of an abort): when a new one
 * is loaded, those that are marked or replaced go, and, when the cache is full, the least recently used; unless somebody has them pinned.
 */
#include "postgres.h"

#include "lib/ilist.h"
#include "storage/lmgr.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "base/error.h"
#include "base/settings.h"
#include "table/table_internal.h"

typedef struct TableEntry
{
	Oid			relid;			/* hash key */
	TableDescriptor *table;
} TableEntry;

/* Which table has this index: an ALTER INDEX sends a message for the index alone. */
typedef struct IndexEntry
{
	Oid			index;			/* hash key */
	Oid			relid;
} IndexEntry;

static HTAB *tables = NULL;
static HTAB *table_indexes = NULL;
static dlist_head recently_used = DLIST_STATIC_INIT(recently_used); /* cached descriptors, the last used first */
static dlist_head replaced = DLIST_STATIC_INIT(replaced);	/* no longer cached, maybe pinned */

/* Counts messages of any kind, so that a descriptor made while one arrived is not trusted a second time. */
static uint64 invalidation_count = 0;

static void
mark_invalid(Oid relid)
{
	TableEntry *entry = hash_search(tables, &relid, HASH_FIND, NULL);

	if (entry != NULL)
		entry->table->is_valid = false;
}

static void
mark_all_invalid(void)
{
	dlist_iter	iter;

	dlist_foreach(iter, &recently_used)
		dlist_container(TableDescriptor, recently_used, iter.cur)->is_valid = false;
}

/*
 * The callback of relation cache messages: a table, one of its indexes, or (InvalidOid) everything.
 */
static void
relation_changed(Datum arg, Oid relid)
{
	IndexEntry *index;

	invalidation_count++;
	if (tables == NULL)
		return;
	if (!OidIsValid(relid))
	{
		mark_all_invalid();
		return;
	}
	mark_invalid(relid);
	index = hash_search(table_indexes, &relid, HASH_FIND, NULL);
	if (index != NULL)
		mark_invalid(index->relid);
}

/*
 * The callback of changes of schemas: the renaming of one sends no message for its tables, but their qualified names change.
 */
static void
schema_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	invalidation_count++;
	mark_all_invalid();
}

void
TableInit(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	CacheRegisterSyscacheCallback(NAMESPACEOID, schema_changed, (Datum) 0);
}

static void
create_cache(void)
{
	HASHCTL		table_control = {.keysize = sizeof(Oid), .entrysize = sizeof(TableEntry)};
	HASHCTL		index_control = {.keysize = sizeof(Oid), .entrysize = sizeof(IndexEntry)};

	if (table_indexes == NULL)
		table_indexes = hash_create("singletable indexes", 64, &index_control, HASH_ELEM | HASH_BLOBS);
	tables = hash_create("singletable tables", 64, &table_control, HASH_ELEM | HASH_BLOBS);
}

static void
enter_index(Oid index, Oid relid)
{
	IndexEntry *entry = hash_search(table_indexes, &index, HASH_ENTER, NULL);

	entry->relid = relid;
}

static void
free_descriptor(TableDescriptor *table)
{
	Assert(table->reference_count == 0);
	dlist_delete(&table->recently_used);
	if (table->free_plans != NULL)
		table->free_plans(table->plans);
	MemoryContextDelete(table->context);
}

/*
 * Makes a cached descriptor unreachable.  It is freed by free_replaced, once nobody has it pinned.
 */
static void
replace_descriptor(TableDescriptor *table)
{
	hash_search(table_indexes, &table->primary_key, HASH_REMOVE, NULL);
	for (int i = 0; i < table->index_count; i++)
		hash_search(table_indexes, &table->indexes[i].oid, HASH_REMOVE, NULL);
	hash_search(tables, &table->relid, HASH_REMOVE, NULL);

	table->is_cached = false;
	dlist_delete(&table->recently_used);
	dlist_push_head(&replaced, &table->recently_used);
}

static void
free_replaced(void)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &replaced)
	{
		TableDescriptor *table = dlist_container(TableDescriptor, recently_used, iter.cur);

		if (table->reference_count == 0)
			free_descriptor(table);
	}
}

/*
 * Drops the marked ones: those of dropped tables, which nobody will ask for again, would stay until the cache is full.
 */
static void
drop_invalid_descriptors(void)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &recently_used)
	{
		TableDescriptor *table = dlist_container(TableDescriptor, recently_used, iter.cur);

		if (!table->is_valid && table->reference_count == 0)
			replace_descriptor(table);
	}
}

/*
 * Makes room for one more descriptor.  Pinned ones stay, and may be more than the setting allows.
 */
static void
evict_descriptors(void)
{
	dlist_node *node = dlist_is_empty(&recently_used) ? NULL : dlist_tail_node(&recently_used);

	while (node != NULL && hash_get_num_entries(tables) >= singletable_table_cache_size)
	{
		TableDescriptor *table = dlist_container(TableDescriptor, recently_used, node);

		node = dlist_has_prev(&recently_used, node) ? dlist_prev_node(&recently_used, node) : NULL;
		if (table->reference_count == 0)
			replace_descriptor(table);
	}
}

/*
 * Reads the catalogs, and puts the descriptor into the cache in place of an invalid one.  Nothing is left behind by an error.
 */
static TableDescriptor *
load_descriptor(Oid relid)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "singletable table", ALLOCSET_SMALL_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	uint64		old_invalidation_count = invalidation_count;
	TableDescriptor *table = TableDefinitionRead(relid);
	TableEntry *entry;

	MemoryContextSwitchTo(old_context);
	MemoryContextSetIdentifier(context, table->qualified_name);
	table->context = context;

	if (tables == NULL)
		create_cache();
	entry = hash_search(tables, &relid, HASH_FIND, NULL);
	if (entry != NULL)
		replace_descriptor(entry->table);
	drop_invalid_descriptors();
	evict_descriptors();
	free_replaced();

	enter_index(table->primary_key, relid);
	for (int i = 0; i < table->index_count; i++)
		enter_index(table->indexes[i].oid, relid);
	entry = hash_search(tables, &relid, HASH_ENTER, NULL);
	entry->table = table;
	MemoryContextSetParent(context, CacheMemoryContext);
	dlist_push_head(&recently_used, &table->recently_used);
	table->is_cached = true;
	table->is_valid = (invalidation_count == old_invalidation_count);
	return table;
}

static void
end_pin(void *arg)
{
	TableDescriptor *table = arg;

	Assert(table->reference_count > 0);
	table->reference_count--;
}

TableDescriptor *
TableOpen(Oid relid, LOCKMODE lockmode)
{
	TableDescriptor *table = NULL;
	MemoryContextCallback *pin;

	if (OidIsValid(relid))
		LockRelationOid(relid, lockmode);
	if (tables != NULL)
	{
		TableEntry *entry = hash_search(tables, &relid, HASH_FIND, NULL);

		if (entry != NULL)
			table = entry->table;
	}
	if (table == NULL || !table->is_valid)
		table = load_descriptor(relid);
	else
		dlist_move_head(&recently_used, &table->recently_used);

	pin = palloc(sizeof(MemoryContextCallback));
	pin->func = end_pin;
	pin->arg = table;
	table->reference_count++;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, pin);
	return table;
}

const PromotedAttribute *
TableFindAttribute(const TableDescriptor *table, const char *name, uint32 length)
{
	int			low = 0;
	int			high = table->attribute_count;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		const PromotedAttribute *attribute = &table->attributes[middle];
		int			comparison = AttributeNameCompare(name, length, attribute->name, attribute->name_length);

		if (comparison == 0)
			return attribute;
		if (comparison < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const SecondaryIndex *
TableFindIndex(const TableDescriptor *table, const char *name, uint32 length)
{
	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		if (index->name_length != length || memcmp(index->name, name, length) != 0)
			continue;
		if (index->defect != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_KV_VALIDATION),
					 errmsg("The table does not have the specified index: %s", index->name),
					 errdetail("%s", index->defect)));
		return index;
	}
	return NULL;
}

bool
IndexProjects(const TableDescriptor *table, const SecondaryIndex *index, const char *name, uint32 length)
{
	const PromotedAttribute *attribute;

	if (index->projection == PROJECTION_ALL)
		return true;
	attribute = TableFindAttribute(table, name, length);
	if (attribute != NULL)
	{
		/* The index's columns hold the table's key too. */
		for (int i = 0; i < index->key_count; i++)
			if (IndexKeyAttribute(table, index, i) == attribute)
				return true;
	}
	for (int i = 0; i < index->non_key_attribute_count; i++)
	{
		const char *projected = index->non_key_attributes[i];

		if (strlen(projected) == length && memcmp(projected, name, length) == 0)
			return true;
	}
	return false;
}
