/*
 * src/item/build.c
 *		Writing items: canonical bytes from attributes, and from nested values as they are met.
 *
 * A builder has one buffer for all levels.  Entries of the open container lie one behind the other where its data will be; closing
 * it brings them into order, moves them up by the length of the header, and writes the header in the gap.  So each byte is moved at
 * most once per level, and nothing is allocated per value.
 */
#include "postgres.h"

#include "base/error.h"
#include "item/item_internal.h"

/* An entry of an open container; places are counted from the start of the buffer. */
typedef struct BuilderEntry
{
	uint32		start;			/* of the name, or of the value where there are no names */
	uint32		key_length;		/* bytes from start that order the entry: its name, or all of a member of a set */
	uint32		end;
} BuilderEntry;

typedef struct BuilderFrame
{
	AttributeType type;
	uint32		start;			/* of the data in the buffer */
	uint32		first_entry;
	bool		is_sorted;		/* so far the entries are in order and distinct */
} BuilderFrame;

struct ItemBuilder
{
	MemoryContext context;
	char	   *buffer;
	uint32		length;
	uint32		allocated;
	BuilderEntry *entries;
	uint32		entry_count;
	uint32		entries_allocated;
	BuilderFrame *frames;
	int			depth;
	int			frames_allocated;
};

#define open_frame(builder) (&(builder)->frames[(builder)->depth - 1])

/* Refuses what no limit of singletable.max_item_size could allow, before memory is asked for. */
static inline void
check_total(uint64 total)
{
	if (total > ITEM_MAX_BYTES)
		validation_error(MESSAGE_ITEM_SIZE);
}

/* An item of this many bytes of map body. */
static SingletableItem *
allocate_item(uint32 body_length, char **body)
{
	SingletableItem *item = palloc(VARHDRSZ + 1 + body_length);

	SET_VARSIZE(item, VARHDRSZ + 1 + body_length);
	*VARDATA(item) = (char) (ITEM_FORMAT_VERSION << 4);
	*body = VARDATA(item) + 1;
	return item;
}

/* Writes width and count; returns where the offsets begin. */
static inline char *
write_header(char *body, uint8 width, uint32 count)
{
	body[0] = (char) width;
	store_integer(body + 1, width, count);
	return body + 1 + width;
}

/*
 * ItemFromAttributes
 *		The item of these attributes, sorted by name and distinct; count may be 0.
 */
SingletableItem *
ItemFromAttributes(const Attribute *attributes, uint32 count)
{
	SingletableItem *item;
	uint64		data_length = 0;
	uint64		header;
	uint8		width;
	char	   *body;
	char	   *offset;
	char	   *data;
	uint32		end = 0;

	for (uint32 i = 0; i < count; i++)
		data_length += (uint64) attributes[i].name_length + 1 + attributes[i].value.length;
	check_total(data_length);
	width = choose_width((uint32) Max(data_length, count));
	header = measure_header(ATTRIBUTE_M, width, count);
	check_total(header + data_length);

	item = allocate_item((uint32) (header + data_length), &body);
	offset = write_header(body, width, count);
	data = body + header;
	for (uint32 i = 0; i < count; i++)
	{
		const Attribute *attribute = &attributes[i];

		Assert(i == 0 || AttributeNameCompare(attribute[-1].name, attribute[-1].name_length,
											  attribute->name, attribute->name_length) < 0);
		memcpy(data + end, attribute->name, attribute->name_length);
		end += attribute->name_length;
		store_integer(offset, width, end);
		data[end++] = (char) attribute->value.type;
		if (attribute->value.length > 0)
			memcpy(data + end, attribute->value.data, attribute->value.length);
		end += attribute->value.length;
		store_integer(offset + width, width, end);
		offset += 2 * width;
	}
	return item;
}

/* The last of equal names must stay the last. */
static int
compare_attributes(const void *a, const void *b, void *arg)
{
	const uint32 *a_index = a;
	const uint32 *b_index = b;
	const Attribute *attributes = arg;
	int			result = AttributeNameCompare(attributes[*a_index].name, attributes[*a_index].name_length,
											  attributes[*b_index].name, attributes[*b_index].name_length);

	if (result != 0)
		return result;
	return *a_index < *b_index ? -1 : 1;
}

/*
 * AttributesSort
 *		Sort attributes by name, in place; of equal names the last one stays.  Returns the new count.
 */
uint32
AttributesSort(Attribute *attributes, uint32 count)
{
	uint32	   *order;
	Attribute  *sorted;
	uint32		kept = 0;
	uint32		first = 1;

	/* Mostly they are sorted already. */
	while (first < count && AttributeNameCompare(attributes[first - 1].name, attributes[first - 1].name_length,
												 attributes[first].name, attributes[first].name_length) < 0)
		first++;
	if (first >= count)
		return count;

	order = palloc_array(uint32, count);
	for (uint32 i = 0; i < count; i++)
		order[i] = i;
	qsort_arg(order, count, sizeof(uint32), compare_attributes, attributes);
	sorted = palloc_array(Attribute, count);
	for (uint32 i = 0; i < count; i++)
	{
		const Attribute *attribute = &attributes[order[i]];

		if (kept > 0 && AttributeNameCompare(sorted[kept - 1].name, sorted[kept - 1].name_length,
											 attribute->name, attribute->name_length) == 0)
			kept--;
		sorted[kept++] = *attribute;
	}
	memcpy(attributes, sorted, kept * sizeof(Attribute));
	pfree(sorted);
	pfree(order);
	return kept;
}

/*
 * ItemEmpty
 *		The item without attributes.
 */
SingletableItem *
ItemEmpty(void)
{
	return ItemFromAttributes(NULL, 0);
}

/*
 * ItemMerge
 *		An item with the attributes of both; where both have one, the second's.
 */
SingletableItem *
ItemMerge(const SingletableItem *first, const SingletableItem *second)
{
	AttributeContainer a;
	AttributeContainer b;
	Attribute  *merged;
	SingletableItem *result;
	uint32		count = 0;
	uint32		i = 0;
	uint32		j = 0;

	ItemOpen(first, &a);
	ItemOpen(second, &b);
	merged = palloc_array(Attribute, (Size) a.count + b.count + 1);
	while (i < a.count || j < b.count)
	{
		Attribute	a_attribute;
		Attribute	b_attribute;
		int			order = i == a.count ? 1 : -1;

		if (i < a.count)
			AttributeMapGet(&a, i, &a_attribute);
		if (j < b.count)
			AttributeMapGet(&b, j, &b_attribute);
		if (i < a.count && j < b.count)
			order = AttributeNameCompare(a_attribute.name, a_attribute.name_length, b_attribute.name, b_attribute.name_length);
		merged[count++] = order < 0 ? a_attribute : b_attribute;
		i += order <= 0;
		j += order >= 0;
	}
	result = ItemFromAttributes(merged, count);
	pfree(merged);
	return result;
}

/*
 * ItemBuilderCreate
 *		A builder in the current memory context.
 */
ItemBuilder *
ItemBuilderCreate(void)
{
	ItemBuilder *builder = palloc0_object(ItemBuilder);

	builder->context = CurrentMemoryContext;
	return builder;
}

/*
 * ItemBuilderReset
 *		Forget what was built, for the next value; the memory is kept.
 */
void
ItemBuilderReset(ItemBuilder *builder)
{
	builder->length = 0;
	builder->entry_count = 0;
	builder->depth = 0;
}

/* Room for so many bytes more. */
static inline void
reserve_bytes(ItemBuilder *builder, uint64 more)
{
	uint64		needed = builder->length + more;
	uint64		allocated;

	if (likely(needed <= builder->allocated))
		return;
	check_total(needed);
	allocated = Max(256, builder->allocated);
	while (allocated < needed)
		allocated *= 2;
	if (builder->buffer == NULL)
		builder->buffer = MemoryContextAlloc(builder->context, allocated);
	else
		builder->buffer = repalloc(builder->buffer, allocated);
	builder->allocated = allocated;
}

static void
append_bytes(ItemBuilder *builder, const char *data, uint32 length)
{
	reserve_bytes(builder, length);
	if (length > 0)
		memcpy(builder->buffer + builder->length, data, length);
	builder->length += length;
}

static BuilderEntry *
add_entry(ItemBuilder *builder)
{
	if (builder->entry_count == builder->entries_allocated)
	{
		uint32		allocated = Max(32, builder->entries_allocated * 2);

		if (builder->entries == NULL)
			builder->entries = MemoryContextAlloc(builder->context, allocated * sizeof(BuilderEntry));
		else
			builder->entries = repalloc_huge(builder->entries, (Size) allocated * sizeof(BuilderEntry));
		builder->entries_allocated = allocated;
	}
	builder->entries[builder->entry_count].start = builder->length;
	builder->entries[builder->entry_count].key_length = 0;
	return &builder->entries[builder->entry_count++];
}

/* Is the last entry of the open container behind the one before it? */
static void
check_order(ItemBuilder *builder)
{
	BuilderFrame *frame = open_frame(builder);
	const BuilderEntry *entry = &builder->entries[builder->entry_count - 1];

	if (frame->is_sorted && builder->entry_count - frame->first_entry > 1 &&
		AttributeNameCompare(builder->buffer + entry[-1].start, entry[-1].key_length,
							 builder->buffer + entry->start, entry->key_length) >= 0)
		frame->is_sorted = false;
}

/* A value begins here: an attribute's entry was made by its name, any other container's is made now. */
static void
begin_value(ItemBuilder *builder, AttributeType type)
{
	bool		in_set = false;

	if (builder->depth == 0)
		Assert(builder->length == 0);
	else
	{
		AttributeType container = open_frame(builder)->type;

		in_set = AttributeTypeIsSet(container);
		if (container != ATTRIBUTE_M)
			add_entry(builder);
	}
	if (!in_set)
	{
		char		tag = (char) type;

		append_bytes(builder, &tag, 1);
	}
}

/* A value ends here. */
static void
end_value(ItemBuilder *builder)
{
	BuilderEntry *entry;

	if (builder->depth == 0)
		return;
	entry = &builder->entries[builder->entry_count - 1];
	entry->end = builder->length;
	if (AttributeTypeIsSet(open_frame(builder)->type))
	{
		entry->key_length = entry->end - entry->start;
		check_order(builder);
	}
}

/*
 * ItemBuilderBegin
 *		Open a container: the value, or the next value of the open container.
 */
void
ItemBuilderBegin(ItemBuilder *builder, AttributeType type)
{
	BuilderFrame *frame;

	Assert(type == ATTRIBUTE_M || type == ATTRIBUTE_L || AttributeTypeIsSet(type));
	begin_value(builder, type);
	if (builder->depth == builder->frames_allocated)
	{
		int			allocated = Max(8, builder->frames_allocated * 2);

		if (builder->frames == NULL)
			builder->frames = MemoryContextAlloc(builder->context, allocated * sizeof(BuilderFrame));
		else
			builder->frames = repalloc(builder->frames, allocated * sizeof(BuilderFrame));
		builder->frames_allocated = allocated;
	}
	builder->depth++;
	frame = open_frame(builder);
	frame->type = type;
	frame->start = builder->length;
	frame->first_entry = builder->entry_count;
	frame->is_sorted = true;
}

/*
 * ItemBuilderName
 *		The name of the next value of the open map.
 */
void
ItemBuilderName(ItemBuilder *builder, const char *name, uint32 name_length)
{
	BuilderEntry *entry;

	Assert(builder->depth > 0 && open_frame(builder)->type == ATTRIBUTE_M);
	entry = add_entry(builder);
	entry->key_length = name_length;
	append_bytes(builder, name, name_length);
	check_order(builder);
}

/*
 * ItemBuilderScalar
 *		The next value is a scalar, or a member of the open set.
 */
void
ItemBuilderScalar(ItemBuilder *builder, AttributeType type, const char *data, uint32 length)
{
	begin_value(builder, type);
	append_bytes(builder, data, length);
	end_value(builder);
}

/*
 * ItemBuilderValue
 *		The next value, of any type, copied as it is.
 */
void
ItemBuilderValue(ItemBuilder *builder, const AttributeValue *value)
{
	ItemBuilderScalar(builder, value->type, value->data, value->length);
}

/*
 * ItemBuilderUndo
 *		Take back the last value of the open container, so that another can take its place (in a map: after the same name).
 */
void
ItemBuilderUndo(ItemBuilder *builder)
{
	if (builder->depth == 0)
		builder->length = 0;
	else if (open_frame(builder)->type == ATTRIBUTE_M)
		builder->length = builder->entries[builder->entry_count - 1].start + builder->entries[builder->entry_count - 1].key_length;
	else
		builder->length = builder->entries[--builder->entry_count].start;
}

/*
 * ItemBuilderCount
 *		Entries of the open container so far, equal ones counted each.
 */
uint32
ItemBuilderCount(const ItemBuilder *builder)
{
	return builder->depth == 0 ? 0 : builder->entry_count - open_frame(builder)->first_entry;
}

/* By key; the last of equal keys must stay the last. */
static int
compare_entries(const void *a, const void *b, void *arg)
{
	const BuilderEntry *a_entry = a;
	const BuilderEntry *b_entry = b;
	const char *buffer = arg;
	int			result = AttributeNameCompare(buffer + a_entry->start, a_entry->key_length,
											  buffer + b_entry->start, b_entry->key_length);

	if (result != 0)
		return result;
	return a_entry->start < b_entry->start ? -1 : a_entry->start > b_entry->start;
}

/*
 * ItemBuilderIsDistinct
 *		Have all names of the open map, or all members of the open set, been different so far?
 */
bool
ItemBuilderIsDistinct(ItemBuilder *builder)
{
	const BuilderFrame *frame = open_frame(builder);
	uint32		count = ItemBuilderCount(builder);
	BuilderEntry *sorted;
	bool		result = true;

	if (frame->is_sorted)
		return true;
	sorted = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(BuilderEntry));
	memcpy(sorted, &builder->entries[frame->first_entry], count * sizeof(BuilderEntry));
	qsort_arg(sorted, count, sizeof(BuilderEntry), compare_entries, builder->buffer);
	for (uint32 i = 1; i < count && result; i++)
		result = AttributeNameCompare(builder->buffer + sorted[i - 1].start, sorted[i - 1].key_length,
									  builder->buffer + sorted[i].start, sorted[i].key_length) != 0;
	pfree(sorted);
	return result;
}

/*
 * sort_frame
 *		Bring the entries of the open container into order, here and in the buffer, and drop all but the last of equal ones.
 */
static void
sort_frame(ItemBuilder *builder, const BuilderFrame *frame)
{
	BuilderEntry *entries = &builder->entries[frame->first_entry];
	uint32		count = builder->entry_count - frame->first_entry;
	uint32		data_length = builder->length - frame->start;
	uint32		kept = 0;
	uint32		length = 0;
	char	   *unsorted;

	qsort_arg(entries, count, sizeof(BuilderEntry), compare_entries, builder->buffer);
	for (uint32 i = 0; i < count; i++)
	{
		if (kept > 0 && AttributeNameCompare(builder->buffer + entries[kept - 1].start, entries[kept - 1].key_length,
											 builder->buffer + entries[i].start, entries[i].key_length) == 0)
			kept--;
		entries[kept++] = entries[i];
	}
	builder->entry_count = frame->first_entry + kept;

	unsorted = palloc(data_length);
	memcpy(unsorted, builder->buffer + frame->start, data_length);
	for (uint32 i = 0; i < kept; i++)
	{
		uint32		entry_length = entries[i].end - entries[i].start;

		memcpy(builder->buffer + frame->start + length, unsorted + (entries[i].start - frame->start), entry_length);
		entries[i].start = frame->start + length;
		length += entry_length;
		entries[i].end = frame->start + length;
	}
	builder->length = frame->start + length;
	pfree(unsorted);
}

/*
 * ItemBuilderEnd
 *		Close the open container.  Of equal names the last stays; equal members of a set become one.
 */
void
ItemBuilderEnd(ItemBuilder *builder)
{
	BuilderFrame frame;
	const BuilderEntry *entries;
	uint32		count;
	uint32		data_length;
	uint64		header;
	uint8		width;
	char	   *offset;

	Assert(builder->depth > 0);
	frame = *open_frame(builder);
	if (!frame.is_sorted)
		sort_frame(builder, &frame);
	entries = &builder->entries[frame.first_entry];
	count = builder->entry_count - frame.first_entry;
	data_length = builder->length - frame.start;

	width = choose_width(Max(data_length, count));
	header = measure_header(frame.type, width, count);
	reserve_bytes(builder, header);
	memmove(builder->buffer + frame.start + header, builder->buffer + frame.start, data_length);
	offset = write_header(builder->buffer + frame.start, width, count);
	for (uint32 i = 0; i < count; i++)
	{
		if (frame.type == ATTRIBUTE_M)
		{
			store_integer(offset, width, entries[i].start + entries[i].key_length - frame.start);
			offset += width;
		}
		store_integer(offset, width, entries[i].end - frame.start);
		offset += width;
	}

	builder->length += header;
	builder->entry_count = frame.first_entry;
	builder->depth--;
	end_value(builder);
}

/*
 * ItemBuilderFinish
 *		The finished value; its payload is palloc'd in the current context.
 */
void
ItemBuilderFinish(ItemBuilder *builder, AttributeValue *value)
{
	char	   *data;

	Assert(builder->depth == 0 && builder->length > 0);
	value->type = (AttributeType) builder->buffer[0];
	value->length = builder->length - 1;
	data = palloc(Max(value->length, 1));
	memcpy(data, builder->buffer + 1, value->length);
	value->data = data;
}

/*
 * ItemBuilderFinishItem
 *		The finished value, a map, as an item; palloc'd in the current context.
 */
SingletableItem *
ItemBuilderFinishItem(ItemBuilder *builder)
{
	SingletableItem *item;
	char	   *body;

	Assert(builder->depth == 0 && builder->length > 0 && builder->buffer[0] == ATTRIBUTE_M);
	item = allocate_item(builder->length - 1, &body);
	memcpy(body, builder->buffer + 1, builder->length - 1);
	return item;
}
