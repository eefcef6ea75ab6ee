/*
 * src/item/item.c
 *		Reading items: find, compare, measure, verify.
 *
 * The format is described in item.h.  Everything here reads in place and allocates nothing; views that it returns live as long as
 * the item's bytes.  What is passed in has been verified when it came into the database (item_in builds canonical bytes, item_recv
 * refuses any other), so readers trust it, except ItemFindDefect, which trusts nothing.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/error.h"
#include "item/item_internal.h"

static const char *const type_names[] = {
	[ATTRIBUTE_NULL] = "NULL",
	[ATTRIBUTE_BOOL] = "BOOL",
	[ATTRIBUTE_N] = "N",
	[ATTRIBUTE_S] = "S",
	[ATTRIBUTE_B] = "B",
	[ATTRIBUTE_NS] = "NS",
	[ATTRIBUTE_SS] = "SS",
	[ATTRIBUTE_BS] = "BS",
	[ATTRIBUTE_L] = "L",
	[ATTRIBUTE_M] = "M",
};

static const char *find_value_defect(const char *data, uint64 length, int level);

/*
 * AttributeTypeName
 *		DynamoDB's tag of a type: "S", "N", ...
 */
const char *
AttributeTypeName(AttributeType type)
{
	Assert(type >= ATTRIBUTE_TYPE_FIRST && type <= ATTRIBUTE_TYPE_LAST);
	return type_names[type];
}

/*
 * AttributeTypeFromName
 *		The type of a tag; false if it is none.  Tags are case-sensitive.
 */
bool
AttributeTypeFromName(const char *name, uint32 length, AttributeType *type)
{
	AttributeType candidate;

	/* First byte and length leave one candidate: this is asked for every member of every JSON object. */
	if (length < 1 || length > 4)
		return false;
	switch (name[0])
	{
		case 'S':
			candidate = length == 1 ? ATTRIBUTE_S : ATTRIBUTE_SS;
			break;
		case 'N':
			candidate = length == 1 ? ATTRIBUTE_N : (length == 2 ? ATTRIBUTE_NS : ATTRIBUTE_NULL);
			break;
		case 'B':
			candidate = length == 1 ? ATTRIBUTE_B : (length == 2 ? ATTRIBUTE_BS : ATTRIBUTE_BOOL);
			break;
		case 'M':
			candidate = ATTRIBUTE_M;
			break;
		case 'L':
			candidate = ATTRIBUTE_L;
			break;
		default:
			return false;
	}
	if (strlen(type_names[candidate]) != length || memcmp(name, type_names[candidate], length) != 0)
		return false;
	*type = candidate;
	return true;
}

/*
 * BodyOpen
 *		Read the header of a map, list or set body.
 */
void
BodyOpen(AttributeType type, const char *body, AttributeContainer *container)
{
	uint8		width = (uint8) body[0];

	container->type = type;
	container->width = width;
	container->count = load_integer(body + 1, width);
	container->offsets = body + 1 + width;
	container->data = body + measure_header(type, width, container->count);
}

/*
 * ItemOpen
 *		The attributes of an item, which is detoasted (packed or not).
 */
void
ItemOpen(const SingletableItem *item, AttributeContainer *map)
{
	BodyOpen(ATTRIBUTE_M, VARDATA_ANY(item) + 1, map);
}

/*
 * AttributeContainerOpen
 *		The entries of a value of type M, L, SS, NS or BS.
 */
void
AttributeContainerOpen(const AttributeValue *value, AttributeContainer *container)
{
	Assert(value->type == ATTRIBUTE_M || value->type == ATTRIBUTE_L || AttributeTypeIsSet(value->type));
	BodyOpen(value->type, value->data, container);
}

/* The view of an encoded value. */
static inline void
read_value(const char *encoded, uint32 length, AttributeValue *value)
{
	value->type = (AttributeType) (uint8) encoded[0];
	value->length = length - 1;
	value->data = encoded + 1;
}

/*
 * AttributeMapGet
 *		The name and value at a position of a map, in the order of the names.
 */
void
AttributeMapGet(const AttributeContainer *map, uint32 index, Attribute *attribute)
{
	const char *entry = map->offsets + (size_t) index * 2 * map->width;
	uint32		start = index == 0 ? 0 : load_integer(entry - map->width, map->width);
	uint32		name_end = load_integer(entry, map->width);
	uint32		end = load_integer(entry + map->width, map->width);

	Assert(map->type == ATTRIBUTE_M && index < map->count);
	attribute->name = map->data + start;
	attribute->name_length = name_end - start;
	read_value(map->data + name_end, end - name_end, &attribute->value);
}

/*
 * AttributeContainerGet
 *		The value at a position: of a map's attribute, of a list's element, or a set's member as a value of type S, N or B.
 */
void
AttributeContainerGet(const AttributeContainer *container, uint32 index, AttributeValue *value)
{
	uint8		width = container->width;
	const char *entry;
	uint32		start;
	uint32		end;

	Assert(index < container->count);
	if (container->type == ATTRIBUTE_M)
	{
		Attribute	attribute;

		AttributeMapGet(container, index, &attribute);
		*value = attribute.value;
		return;
	}

	entry = container->offsets + (size_t) index * width;
	start = index == 0 ? 0 : load_integer(entry - width, width);
	end = load_integer(entry, width);
	if (container->type == ATTRIBUTE_L)
		read_value(container->data + start, end - start, value);
	else
	{
		value->type = member_type(container->type);
		value->length = end - start;
		value->data = container->data + start;
	}
}

/*
 * AttributeNameCompare
 *		Bytewise order, a prefix first: of names, of members of sets, and of values of type S, N and B.
 */
int
AttributeNameCompare(const char *a, uint32 a_length, const char *b, uint32 b_length)
{
	int			result = memcmp(a, b, Min(a_length, b_length));

	if (result != 0)
		return result;
	return a_length < b_length ? -1 : a_length > b_length;
}

/* Where an attribute of a map stands. */
typedef struct MapEntry
{
	uint32		position;
	uint32		value_start;	/* in the map's data */
	uint32		value_end;
} MapEntry;

/*
 * The search for a name, which the compiler makes once for each width of the offsets.
 */
static pg_attribute_always_inline bool
find_entry(const AttributeContainer *map, const char *name, uint32 name_length, uint8 width, MapEntry *found)
{
	uint32		low = 0;
	uint32		high = map->count;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		const char *entry = map->offsets + (size_t) middle * 2 * width;
		uint32		start = middle == 0 ? 0 : load_integer(entry - width, width);
		uint32		name_end = load_integer(entry, width);
		const char *candidate = map->data + start;
		/* Names are not empty, and most differ in their first byte. */
		int			order = (unsigned char) *name - (unsigned char) *candidate;

		if (order == 0)
			order = AttributeNameCompare(name, name_length, candidate, name_end - start);
		if (order == 0)
		{
			found->position = middle;
			found->value_start = name_end;
			found->value_end = load_integer(entry + width, width);
			return true;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static inline bool
find_name(const AttributeContainer *map, const char *name, uint32 name_length, MapEntry *found)
{
	/* An empty name has no first byte to compare, and no map has one. */
	if (name_length == 0)
		return false;
	switch (map->width)
	{
		case 1:
			return find_entry(map, name, name_length, 1, found);
		case 2:
			return find_entry(map, name, name_length, 2, found);
		default:
			return find_entry(map, name, name_length, 4, found);
	}
}

/*
 * MapFindPosition
 *		The position of an attribute in a map; false if there is none of that name.
 */
bool
MapFindPosition(const AttributeContainer *map, const char *name, uint32 name_length, uint32 *position)
{
	MapEntry	found;

	if (!find_name(map, name, name_length, &found))
		return false;
	*position = found.position;
	return true;
}

/*
 * AttributeMapFind
 *		Find an attribute of a map by its name; false if there is none.
 */
bool
AttributeMapFind(const AttributeContainer *map, const char *name, uint32 name_length, AttributeValue *value)
{
	MapEntry	found;

	if (!find_name(map, name, name_length, &found))
		return false;
	read_value(map->data + found.value_start, found.value_end - found.value_start, value);
	return true;
}

/*
 * AttributeSetContains
 *		Is there a member with this payload?
 */
bool
AttributeSetContains(const AttributeContainer *set, const char *data, uint32 length)
{
	uint32		low = 0;
	uint32		high = set->count;

	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		AttributeValue member;
		int			order;

		AttributeContainerGet(set, middle, &member);
		order = AttributeNameCompare(data, length, member.data, member.length);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

/*
 * AttributeValueEqual
 *		Equality as DynamoDB defines it.  Equal values are equal bytes.
 *
 * Source	reference/data-model, section 9
 */
bool
AttributeValueEqual(const AttributeValue *a, const AttributeValue *b)
{
	return a->type == b->type && a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static int
compare_containers(const AttributeContainer *a, const AttributeContainer *b)
{
	uint32		count = Min(a->count, b->count);

	for (uint32 i = 0; i < count; i++)
	{
		Attribute	a_entry;
		Attribute	b_entry;
		int			result;

		if (a->type == ATTRIBUTE_M)
		{
			AttributeMapGet(a, i, &a_entry);
			AttributeMapGet(b, i, &b_entry);
			result = AttributeNameCompare(a_entry.name, a_entry.name_length, b_entry.name, b_entry.name_length);
			if (result != 0)
				return result;
		}
		else
		{
			AttributeContainerGet(a, i, &a_entry.value);
			AttributeContainerGet(b, i, &b_entry.value);
		}
		result = AttributeValueCompare(&a_entry.value, &b_entry.value);
		if (result != 0)
			return result;
	}
	return a->count < b->count ? -1 : a->count > b->count;
}

/*
 * AttributeValueCompare
 *		Total order: by type, then S, B and N by value, containers entry by entry (of a map name, then value), a prefix first.
 */
int
AttributeValueCompare(const AttributeValue *a, const AttributeValue *b)
{
	AttributeContainer a_container;
	AttributeContainer b_container;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->type < ATTRIBUTE_NS)
		return AttributeNameCompare(a->data, a->length, b->data, b->length);

	check_stack_depth();
	AttributeContainerOpen(a, &a_container);
	AttributeContainerOpen(b, &b_container);
	return compare_containers(&a_container, &b_container);
}

/*
 * ItemCompare
 *		The same order of items, as maps.
 */
int
ItemCompare(const SingletableItem *a, const SingletableItem *b)
{
	AttributeContainer a_map;
	AttributeContainer b_map;

	ItemOpen(a, &a_map);
	ItemOpen(b, &b_map);
	return compare_containers(&a_map, &b_map);
}

/*
 * AttributeValueSize
 *		What DynamoDB counts for a value, bytes.
 *
 * Source	reference/data-model, section 11
 */
uint64
AttributeValueSize(const AttributeValue *value)
{
	AttributeContainer container;
	uint64		size;

	switch (value->type)
	{
		case ATTRIBUTE_NULL:
		case ATTRIBUTE_BOOL:
			return 1;
		case ATTRIBUTE_N:
			return ItemNumberSize(value->data, value->length);
		case ATTRIBUTE_S:
		case ATTRIBUTE_B:
			return value->length;
		default:
			break;
	}

	check_stack_depth();
	AttributeContainerOpen(value, &container);
	if (container.type == ATTRIBUTE_M)
		return 3 + (uint64) container.count + AttributeMapSize(&container);

	size = container.type == ATTRIBUTE_L ? 3 + (uint64) container.count : 0;
	for (uint32 i = 0; i < container.count; i++)
	{
		AttributeValue entry;

		AttributeContainerGet(&container, i, &entry);
		size += AttributeValueSize(&entry);
	}
	return size;
}

/*
 * AttributeMapSize
 *		Names and values of a map, without what DynamoDB adds for a map that is a value.
 */
uint64
AttributeMapSize(const AttributeContainer *map)
{
	uint64		size = 0;

	for (uint32 i = 0; i < map->count; i++)
	{
		Attribute	attribute;

		AttributeMapGet(map, i, &attribute);
		size += attribute.name_length + AttributeValueSize(&attribute.value);
	}
	return size;
}

/*
 * ItemSize
 *		DynamoDB's size of an item, bytes.
 */
uint64
ItemSize(const SingletableItem *item)
{
	AttributeContainer map;

	ItemOpen(item, &map);
	return AttributeMapSize(&map);
}

/*
 * AttributeValueNesting
 *		Levels of a value: 1 for a scalar, a set, an empty map or list.
 */
int
AttributeValueNesting(const AttributeValue *value)
{
	AttributeContainer container;
	int			deepest = 0;

	if (value->type < ATTRIBUTE_L)
		return 1;

	check_stack_depth();
	AttributeContainerOpen(value, &container);
	for (uint32 i = 0; i < container.count; i++)
	{
		AttributeValue entry;
		int			levels;

		AttributeContainerGet(&container, i, &entry);
		levels = AttributeValueNesting(&entry);
		deepest = Max(deepest, levels);
	}
	return 1 + deepest;
}

/*
 * ItemCheckNesting
 *		KV001 if a value of the item is on a level beyond ITEM_MAX_NESTING.
 *
 * Source	reference/data-model, section 6
 */
void
ItemCheckNesting(const SingletableItem *item)
{
	AttributeContainer map;

	ItemOpen(item, &map);
	for (uint32 i = 0; i < map.count; i++)
	{
		AttributeValue value;

		AttributeContainerGet(&map, i, &value);
		if (AttributeValueNesting(&value) > ITEM_MAX_NESTING)
			validation_error(MESSAGE_NESTING);
	}
}

/*
 * ItemCheckSize
 *		KV001 if the item is larger than singletable.max_item_size.
 *
 * Source	reference/data-model, section 11
 */
void
ItemCheckSize(const SingletableItem *item, bool is_update)
{
	if (ItemSize(item) > ItemSizeLimit())
		ereport(ERROR,
				(errcode(ERRCODE_KV_VALIDATION), errmsg("%s", is_update ? MESSAGE_UPDATE_SIZE : MESSAGE_ITEM_SIZE)));
}

/*
 * StringIsValid
 *		Is this UTF-8?  U+0000 is a character as any other, which the server's own check does not think.
 */
bool
StringIsValid(const char *data, uint32 length)
{
	while (length > 0)
	{
		int			valid = pg_encoding_verifymbstr(PG_UTF8, data, length);

		if ((uint32) valid == length)
			return true;
		if (data[valid] != '\0')
			return false;
		data += valid + 1;
		length -= valid + 1;
	}
	return true;
}

/* Is this the payload of a scalar?  Also for members of sets. */
static const char *
find_scalar_defect(AttributeType type, const char *data, uint64 length)
{
	switch (type)
	{
		case ATTRIBUTE_NULL:
			return length == 0 ? NULL : "a NULL has a payload";
		case ATTRIBUTE_BOOL:
			return length == 1 && (data[0] == 0 || data[0] == 1) ? NULL : "a BOOL is neither 0 nor 1";
		case ATTRIBUTE_N:
			return length <= ITEM_NUMBER_MAX && ItemNumberIsValid(data, length) ? NULL : "a number is not in normal form";
		case ATTRIBUTE_S:
			return StringIsValid(data, length) ? NULL : "a string is not valid UTF-8";
		default:
			return NULL;
	}
}

/*
 * find_body_defect
 *		Is this the canonical body of a map, list or set?  NULL, or what is wrong.
 *
 * Bodies end where their last entry ends, so every byte belongs to exactly one entry, and equal values have equal bytes.
 */
static const char *
find_body_defect(AttributeType type, const char *body, uint64 length, int level)
{
	AttributeContainer container;
	uint64		header;
	uint64		data_length;
	uint32		integers;
	uint32		end = 0;
	const char *previous = NULL;
	uint32		previous_length = 0;

	check_stack_depth();

	if (length < 2 || (body[0] != 1 && body[0] != 2 && body[0] != 4) || length < 1 + (uint64) body[0])
		return "a container has a bad width";
	header = measure_header(type, (uint8) body[0], load_integer(body + 1, (uint8) body[0]));
	if (header > length)
		return "a container is shorter than its offsets";
	BodyOpen(type, body, &container);
	data_length = length - header;
	if (choose_width((uint32) Max(container.count, data_length)) != container.width)
		return "the offsets of a container are wider than need be";
	if (AttributeTypeIsSet(type) && container.count == 0)
		return "a set is empty";

	/* All offsets first: from then on it is safe to use the ordinary readers. */
	integers = container.count * entry_integers(type);
	for (uint32 i = 0; i < integers; i++)
	{
		uint32		next = load_integer(container.offsets + (size_t) i * container.width, container.width);

		/* An encoded value has a byte at least. */
		if (next > data_length || next < end ||
			(next == end && (type == ATTRIBUTE_L || (type == ATTRIBUTE_M && i % 2 == 1))))
			return "the offsets of a container are out of order";
		end = next;
	}
	if (end != data_length)
		return "a container does not end where its last entry ends";

	for (uint32 i = 0; i < container.count; i++)
	{
		AttributeValue value;
		const char *key = NULL;
		uint32		key_length = 0;
		const char *defect;

		CHECK_FOR_INTERRUPTS();
		if (type == ATTRIBUTE_M)
		{
			Attribute	attribute;

			AttributeMapGet(&container, i, &attribute);
			value = attribute.value;
			key = attribute.name;
			key_length = attribute.name_length;
			if (key_length < 1 || key_length > ITEM_NAME_MAX)
				return "the length of an attribute's name is not 1 to 65535";
			if (!StringIsValid(key, key_length))
				return "an attribute's name is not valid UTF-8";
		}
		else
		{
			AttributeContainerGet(&container, i, &value);
			if (type != ATTRIBUTE_L)
			{
				key = value.data;
				key_length = value.length;
			}
		}

		if (key != NULL)
		{
			if (previous != NULL && AttributeNameCompare(previous, previous_length, key, key_length) >= 0)
				return type == ATTRIBUTE_M ? "attributes are not in the order of their names" : "members of a set are not in order";
			previous = key;
			previous_length = key_length;
		}

		if (AttributeTypeIsSet(type))
			defect = find_scalar_defect(value.type, value.data, value.length);
		else
			defect = find_value_defect(value.data - 1, (uint64) value.length + 1, level);
		if (defect != NULL)
			return defect;
	}
	return NULL;
}

/* Is this an encoded value, on this level?  At least one byte is there. */
static const char *
find_value_defect(const char *data, uint64 length, int level)
{
	uint8		type = (uint8) data[0];

	if (level > ITEM_MAX_NESTING)
		return "values are nested too deep";
	if (type < ATTRIBUTE_TYPE_FIRST || type > ATTRIBUTE_TYPE_LAST)
		return "a value has an unknown type";
	if (type < ATTRIBUTE_NS)
		return find_scalar_defect(type, data + 1, length - 1);
	return find_body_defect(type, data + 1, length - 1, level + 1);
}

const char *
ItemFindDefect(const char *data, uint64 length)
{
	if (length > ITEM_MAX_BYTES)
		return "it is too long";
	if (length < 1 || (uint8) data[0] != ITEM_FORMAT_VERSION << 4)
		return "its format version is unknown";
	return find_body_defect(ATTRIBUTE_M, data + 1, length - 1, 1);
}

/*
 * ItemVerify
 *		Raises ERRCODE_DATA_CORRUPTED unless these are the canonical bytes of an item.
 */
void
ItemVerify(const SingletableItem *item)
{
	const char *defect = ItemFindDefect(VARDATA_ANY(item), VARSIZE_ANY_EXHDR(item));

	if (defect != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED), errmsg("invalid item"), errdetail_internal("The bytes are not an item's: %s.", defect)));
}

static bool
find_in_item(AttributeSource *source, const char *name, uint32 name_length, AttributeValue *value)
{
	return AttributeMapFind(&((ItemSource *) source)->attributes, name, name_length, value);
}

static void
get_item_map(AttributeSource *source, AttributeContainer *map)
{
	*map = ((ItemSource *) source)->attributes;
}

/*
 * ItemSourceInit
 *		A source of the attributes of this item, which is detoasted and must outlive the source.
 */
void
ItemSourceInit(ItemSource *source, const SingletableItem *item)
{
	source->source.find = find_in_item;
	source->source.map = get_item_map;
	ItemOpen(item, &source->attributes);
}

/*
 * ItemSourceInitEmpty
 *		A source without attributes: the item that is not there.
 */
void
ItemSourceInitEmpty(ItemSource *source)
{
	static const char empty_body[] = {1, 0};

	source->source.find = find_in_item;
	source->source.map = get_item_map;
	BodyOpen(ATTRIBUTE_M, empty_body, &source->attributes);
}
