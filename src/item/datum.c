/*
 * src/item/datum.c
 *		Finding one attribute in an item as it is stored, without fetching the rest of a large one.
 *
 * The head of an item is its offsets; with them a name, and then the value, is a range of bytes.  What is stored out of line and not
 * compressed (ALTER TABLE ... SET STORAGE EXTERNAL) is read range by range, each a chunk or two of the TOAST table, so a binary
 * search and a short value in an item of 400 kB cost some five chunks of two hundred.  What is compressed can only be read from its
 * start: decompression stops behind the last byte needed.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"

#include "item/item_internal.h"

/* Up to this many bytes it is cheaper to fetch everything at once. */
#define SMALL_ITEM (4 * TOAST_MAX_CHUNK_SIZE)

typedef struct ItemWindow
{
	struct varlena *stored;
	uint32		total;			/* bytes of the item, decompressed, without its varlena header */
	bool		is_prefix_only; /* compressed: read from the start */
	char	   *head;			/* the first head_length bytes */
	uint32		head_length;
	char	   *range;			/* the bytes from range_start to range_end, or NULL */
	uint32		range_start;
	uint32		range_end;
} ItemWindow;

static char *
fetch_slice(const ItemWindow *window, uint32 start, uint32 end)
{
	struct varlena *slice = PG_DETOAST_DATUM_SLICE(PointerGetDatum(window->stored), start, end - start);

	if (VARSIZE_ANY_EXHDR(slice) != end - start)
		elog(ERROR, "stored item is shorter than expected");
	return VARDATA_ANY(slice);
}

/* The bytes from start to end; valid until the next call. */
static const char *
read_window(ItemWindow *window, uint32 start, uint32 end)
{
	if (end > window->total)
		elog(ERROR, "stored item is shorter than expected");

	if (end <= window->head_length)
		return window->head + start;
	if (window->is_prefix_only)
	{
		/* Each time it is decompressed from the start again: ask for much more than needed. */
		uint64		wanted = Max((uint64) end, (uint64) window->head_length * 4);

		window->head_length = wanted > window->total / 2 ? window->total : (uint32) wanted;
		window->head = fetch_slice(window, 0, window->head_length);
		return window->head + start;
	}
	if (window->range == NULL || start < window->range_start || end > window->range_end)
	{
		window->range_start = start - start % TOAST_MAX_CHUNK_SIZE;
		window->range_end = Min(window->total, (end / TOAST_MAX_CHUNK_SIZE + 1) * TOAST_MAX_CHUNK_SIZE);
		window->range = fetch_slice(window, window->range_start, window->range_end);
	}
	return window->range + (start - window->range_start);
}

/*
 * open_window
 *		Begin reading a large stored item; false if the datum is better detoasted as a whole.
 */
static bool
open_window(ItemWindow *window, struct varlena *stored)
{
	if (VARATT_IS_EXTERNAL_ONDISK(stored))
	{
		struct varatt_external pointer;

		VARATT_EXTERNAL_GET_POINTER(pointer, stored);
		window->is_prefix_only = VARATT_EXTERNAL_IS_COMPRESSED(pointer);
	}
	else if (VARATT_IS_COMPRESSED(stored))
		window->is_prefix_only = true;
	else
		return false;

	window->total = toast_raw_datum_size(PointerGetDatum(stored)) - VARHDRSZ;
	if (window->total <= SMALL_ITEM)
		return false;
	window->stored = stored;
	window->head_length = TOAST_MAX_CHUNK_SIZE;
	window->head = fetch_slice(window, 0, window->head_length);
	window->range = NULL;
	return true;
}

/*
 * find_stored
 *		The attribute's type, and, where value is not NULL, its value.
 */
static bool
find_stored(Datum datum, const char *name, uint32 name_length, AttributeType *type, AttributeValue *value)
{
	ItemWindow	window;
	uint8		width;
	uint32		count;
	uint64		header;			/* bytes before the data, from the start of the item */
	uint32		low = 0;
	uint32		high;

	if (!open_window(&window, (struct varlena *) DatumGetPointer(datum)))
	{
		AttributeContainer map;
		AttributeValue found;

		ItemOpen(DatumGetItem(datum), &map);
		if (!AttributeMapFind(&map, name, name_length, &found))
			return false;
		*type = found.type;
		if (value != NULL)
			*value = found;
		return true;
	}

	width = (uint8) window.head[1];
	count = load_integer(window.head + 2, width);
	header = 1 + measure_header(ATTRIBUTE_M, width, count);
	if (header > window.total)
		elog(ERROR, "stored item is shorter than its offsets");
	if (header > window.head_length)
	{
		window.head_length = (uint32) header;
		window.head = fetch_slice(&window, 0, window.head_length);
	}

	high = count;
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		const char *entry = window.head + 2 + width + (size_t) middle * 2 * width;
		uint32		start = header + (middle == 0 ? 0 : load_integer(entry - width, width));
		uint32		name_end = header + load_integer(entry, width);
		uint32		end = header + load_integer(entry + width, width);
		const char *candidate = read_window(&window, start, name_end + 1);	/* and the type behind it */
		int			order = AttributeNameCompare(name, name_length, candidate, name_end - start);

		if (order == 0)
		{
			*type = (AttributeType) (uint8) candidate[name_end - start];
			if (value != NULL)
			{
				value->type = *type;
				value->length = end - name_end - 1;
				value->data = read_window(&window, name_end + 1, end);
			}
			return true;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

/*
 * ItemDatumFind
 *		Find a top-level attribute of an item as it is stored; false if there is none.
 */
bool
ItemDatumFind(Datum datum, const char *name, uint32 name_length, AttributeValue *value)
{
	AttributeType type;

	return find_stored(datum, name, name_length, &type, value);
}

/*
 * ItemDatumFindType
 *		The type of a top-level attribute, without fetching its value.
 */
bool
ItemDatumFindType(Datum datum, const char *name, uint32 name_length, AttributeType *type)
{
	return find_stored(datum, name, name_length, type, NULL);
}
