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

/* A piece of the item, fetched. */
typedef struct ItemSlice
{
	struct varlena *bytes;		/* NULL if there is none */
	uint32		start;
	uint32		end;
} ItemSlice;

typedef struct ItemWindow
{
	struct varlena *stored;
	uint32		total;			/* bytes of the item, decompressed, without its varlena header */
	bool		is_prefix_only; /* compressed: read from the start */
	ItemSlice	head;			/* begins with the item, holds its offsets at least */
	ItemSlice	range;
} ItemWindow;

/* Gives up what a slice held first: large memory that is allocated again and again costs more than what is read. */
static void
fetch_slice(ItemWindow *window, ItemSlice *slice, uint32 start, uint32 end)
{
	if (slice->bytes != NULL)
		pfree(slice->bytes);
	if (start == 0 && end == window->total)
		slice->bytes = PG_DETOAST_DATUM(PointerGetDatum(window->stored));
	else
		slice->bytes = PG_DETOAST_DATUM_SLICE(PointerGetDatum(window->stored), start, end - start);
	if (VARSIZE_ANY_EXHDR(slice->bytes) != end - start)
		elog(ERROR, "stored item is shorter than expected");
	slice->start = start;
	slice->end = end;
}

/* The bytes from start to end; valid until the next call. */
static const char *
read_window(ItemWindow *window, uint32 start, uint32 end)
{
	ItemSlice  *slice = &window->range;

	if (end > window->total)
		elog(ERROR, "stored item is shorter than expected");

	if (end <= window->head.end)
		slice = &window->head;
	else if (window->is_prefix_only)
	{
		/* Each time it is decompressed from the start again: ask for much more than needed. */
		uint64		wanted = Max((uint64) end, (uint64) window->head.end * 4);

		slice = &window->head;
		fetch_slice(window, slice, 0, wanted > window->total / 4 ? window->total : (uint32) wanted);
	}
	else if (slice->bytes == NULL || start < slice->start || end > slice->end)
		fetch_slice(window, slice, start - start % TOAST_MAX_CHUNK_SIZE,
					Min(window->total, (end / TOAST_MAX_CHUNK_SIZE + 1) * TOAST_MAX_CHUNK_SIZE));
	return VARDATA_ANY(slice->bytes) + (start - slice->start);
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
	window->head.bytes = NULL;
	window->range.bytes = NULL;
	fetch_slice(window, &window->head, 0, TOAST_MAX_CHUNK_SIZE);
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
	const char *head;
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

	head = VARDATA_ANY(window.head.bytes);
	width = (uint8) head[1];
	count = load_integer(head + 2, width);
	header = 1 + measure_header(ATTRIBUTE_M, width, count);
	if (header > window.total)
		elog(ERROR, "stored item is shorter than its offsets");
	if (header > window.head.end)
		fetch_slice(&window, &window.head, 0, (uint32) header);

	high = count;
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		const char *entry = VARDATA_ANY(window.head.bytes) + 2 + width + (size_t) middle * 2 * width;
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
