/*
 * src/operation/capacity.c
 *		Capacity units of reads and writes, for tables and their indexes.
 *
 * Example: an item of 1,500 bytes is replaced by one of 300 bytes that has the keys of a KEYS_ONLY index, which the old one had
 * not.  The table is charged the larger, 2 write units; the index gains an entry of, say, 60 bytes, 1 unit.
 *
 * Source: reference/item-operations, section 8; reference/query-and-scan, section 10; reference/batch-and-transactions, section 4.4.
 */
#include "postgres.h"

#include "operation/capacity.h"

/* Blocks of that many bytes, at least one. */
static uint64
count_blocks(uint64 size, uint64 block)
{
	return Max((size + block - 1) / block, 1);
}

void
CapacityInit(Capacity *capacity, const TableDescriptor *table)
{
	capacity->table = table;
	capacity->table_halves = 0;
	capacity->index_halves = palloc0(Max(table->index_count, 1) * sizeof(uint64));
}

uint64
CapacityTotal(const Capacity *capacity)
{
	uint64		total = capacity->table_halves;

	for (int i = 0; i < capacity->table->index_count; i++)
		total += capacity->index_halves[i];
	return total;
}

void
CapacityAddRead(Capacity *capacity, uint64 size, ReadCharge charge)
{
	uint64		factor = charge == READ_CHARGE_TRANSACTIONAL ? 4 : charge == READ_CHARGE_CONSISTENT ? 2 : 1;

	capacity->table_halves += count_blocks(size, READ_BLOCK) * factor;
}

void
CapacityAddPage(Capacity *capacity, const SecondaryIndex *index, uint64 scanned_bytes, uint64 fetched_bytes, bool is_consistent)
{
	uint64		factor = is_consistent ? 2 : 1;
	uint64		scanned = count_blocks(scanned_bytes, READ_BLOCK) * factor;

	if (index == NULL)
		capacity->table_halves += scanned;
	else
		capacity->index_halves[index - capacity->table->indexes] += scanned;
	capacity->table_halves += fetched_bytes / READ_BLOCK * factor;
}

/*
 * has_entry
 *		Does the item have an entry in the index: are all of the index's key attributes there, with the types of their columns?
 */
static bool
has_entry(const TableDescriptor *table, const SecondaryIndex *index, const AttributeContainer *map)
{
	for (int i = 0; i < index->key_count; i++)
	{
		const PromotedAttribute *attribute = &table->attributes[index->keys[i]];
		AttributeValue value;

		if (!AttributeMapFind(map, attribute->name, attribute->name_length, &value) || value.type != attribute->type)
			return false;
	}
	return true;
}

typedef struct ProjectedName
{
	const char *data;			/* NULL behind the last */
	uint32		length;
} ProjectedName;

/* Names of what an index projects, when that is not ALL: its key attributes, then the non-key attributes, maybe one twice. */
static ProjectedName
get_projected_name(const TableDescriptor *table, const SecondaryIndex *index, int position)
{
	ProjectedName name = {NULL, 0};

	if (position < index->key_count)
	{
		const PromotedAttribute *attribute = &table->attributes[index->keys[position]];

		name.data = attribute->name;
		name.length = attribute->name_length;
	}
	else if (index->projection == PROJECTION_INCLUDE && position - index->key_count < index->non_key_attribute_count)
	{
		name.data = index->non_key_attributes[position - index->key_count];
		name.length = strlen(name.data);
	}
	return name;
}

/* Is the attribute at this position there already, further to the front? */
static bool
is_repeated(const TableDescriptor *table, const SecondaryIndex *index, int position)
{
	ProjectedName name = get_projected_name(table, index, position);

	for (int i = 0; i < position; i++)
	{
		ProjectedName other = get_projected_name(table, index, i);

		if (name.length == other.length && memcmp(name.data, other.data, name.length) == 0)
			return true;
	}
	return false;
}

/* Bytes of an item's entry: of its projected attributes. */
static uint64
measure_entry(const TableDescriptor *table, const SecondaryIndex *index, const AttributeContainer *map)
{
	uint64		size = 0;
	ProjectedName name;

	if (index->projection == PROJECTION_ALL)
		return AttributeMapSize(map);
	for (int i = 0; (name = get_projected_name(table, index, i)).data != NULL; i++)
	{
		AttributeValue value;

		if (!is_repeated(table, index, i) && AttributeMapFind(map, name.data, name.length, &value))
			size += name.length + AttributeValueSize(&value);
	}
	return size;
}

/* Is an attribute the same in both items, or absent in both? */
static bool
is_same(const AttributeContainer *old_map, const AttributeContainer *new_map, const char *name, uint32 length)
{
	AttributeValue old_value;
	AttributeValue new_value;
	bool		in_old = AttributeMapFind(old_map, name, length, &old_value);
	bool		in_new = AttributeMapFind(new_map, name, length, &new_value);

	return in_old == in_new && (!in_old || AttributeValueEqual(&old_value, &new_value));
}

/*
 * measure_index_write
 *		Write units of one index when an item changes.
 */
static uint64
measure_index_write(const TableDescriptor *table, const SecondaryIndex *index, const AttributeContainer *old_map,
					const AttributeContainer *new_map)
{
	bool		in_old = old_map != NULL && has_entry(table, index, old_map);
	bool		in_new = new_map != NULL && has_entry(table, index, new_map);
	uint64		old_size;
	uint64		new_size;
	ProjectedName name;

	if (!in_old && !in_new)
		return 0;
	if (!in_old)
		return count_blocks(measure_entry(table, index, new_map), WRITE_BLOCK);
	if (!in_new)
		return count_blocks(measure_entry(table, index, old_map), WRITE_BLOCK);

	old_size = measure_entry(table, index, old_map);
	new_size = measure_entry(table, index, new_map);
	for (int i = 0; i < index->key_count; i++)
	{
		name = get_projected_name(table, index, i);
		if (!is_same(old_map, new_map, name.data, name.length))
			return count_blocks(old_size, WRITE_BLOCK) + count_blocks(new_size, WRITE_BLOCK);
	}
	if (index->projection == PROJECTION_ALL)
	{
		bool		is_equal = old_map->count == new_map->count;

		for (uint32 i = 0; is_equal && i < new_map->count; i++)
		{
			Attribute	attribute;

			AttributeMapGet(new_map, i, &attribute);
			is_equal = is_same(old_map, new_map, attribute.name, attribute.name_length);
		}
		return is_equal ? 0 : count_blocks(Max(old_size, new_size), WRITE_BLOCK);
	}
	for (int i = index->key_count; (name = get_projected_name(table, index, i)).data != NULL; i++)
		if (!is_same(old_map, new_map, name.data, name.length))
			return count_blocks(Max(old_size, new_size), WRITE_BLOCK);
	return 0;
}

void
CapacityAddWrite(Capacity *capacity, const SingletableItem *old_item, const SingletableItem *new_item, bool is_transactional)
{
	AttributeContainer old_map;
	AttributeContainer new_map;
	uint64		old_size = 0;
	uint64		new_size = 0;

	if (old_item != NULL)
	{
		ItemOpen(old_item, &old_map);
		old_size = AttributeMapSize(&old_map);
	}
	if (new_item != NULL)
	{
		ItemOpen(new_item, &new_map);
		new_size = AttributeMapSize(&new_map);
	}
	capacity->table_halves += count_blocks(Max(old_size, new_size), WRITE_BLOCK) * (is_transactional ? 4 : 2);
	for (int i = 0; i < capacity->table->index_count; i++)
		capacity->index_halves[i] += 2 * measure_index_write(capacity->table, &capacity->table->indexes[i],
															 old_item ? &old_map : NULL, new_item ? &new_map : NULL);
}

void
CapacityAddCheck(Capacity *capacity, const SingletableItem *item)
{
	capacity->table_halves += count_blocks(item ? ItemSize(item) : 0, WRITE_BLOCK) * 4;
}

void
CapacityAddFailedWrite(Capacity *capacity, const SingletableItem *item)
{
	capacity->table_halves += count_blocks(item ? ItemSize(item) : 0, WRITE_BLOCK) * 2;
}
