/*
 * src/item/item.h
 *		The item type: one map of typed attributes in canonical bytes.  This is the only installed header.
 *
 * An attribute value has a type (one of DynamoDB's ten) and a payload.  An item is a map of attributes.  Two equal items are
 * equal bytes: names sorted, sets sorted, numbers normalised, offsets as narrow as possible.  So equality is memcmp, and a
 * stored item needs no decoding to find one attribute, to compare it, or to copy it into another item.
 *
 * ON DISK
 *
 * All integers are little-endian and nothing is aligned; readers use memcpy (the helpers in item.c).
 *
 *	item		varlena header, then
 *				OFFSET	SIZE	DESCRIPTION
 *				  0		 1		format version in the high 4 bits (1), flags in the low 4; unused flags are 0
 *				  1		 .		a map body
 *
 *	map body	  0		 1		width w of the integers that follow: 1, 2 or 4, the smallest that holds both the count and the
 *								length of the data
 *				  1		 w		number of attributes n
 *				 1+w	2wn		per attribute, in the order of the names (bytewise, a prefix first): end of its name, end of its
 *								value, both counted from the start of the data
 *				  .		 .		data: per attribute the name, then the encoded value
 *
 *	list body	like a map body, without names: per element one end offset (w bytes), then the encoded values
 *	set body	like a list body, but the members are bare payloads, sorted bytewise (memcmp, a prefix first), distinct
 *
 *	encoded value	one byte of AttributeType, then the payload:
 *		S		the UTF-8 bytes (U+0000 allowed)
 *		N		number bytes, see below
 *		B		the bytes
 *		BOOL	one byte, 0 or 1
 *		NULL	nothing
 *		M, L, SS, NS, BS	a body as above
 *
 *	number bytes	one to 22 bytes that compare (memcmp, a prefix first) as the numbers do.  A number other than zero is
 *				+-0.D1D2D3... x 100^E with digits D of base 100, D1 not 0, the last digit not 0, E in -64 .. 63, which is exactly
 *				DynamoDB's range 1E-130 .. 9.9..E+125.
 *				zero		0x80
 *				positive	0x80 + (E + 64), then D + 1 per digit
 *				negative	0x7F - (E + 64), then 0xFF - (D + 1) per digit, then 0xFF
 *				Zero and a positive number with E = -64 share the first byte; zero has no digits and therefore sorts first.
 *
 * REJECTED
 *	lengths instead of end offsets (finding one attribute would be O(n)); offsets of fixed 4 bytes (an item of ten short
 *	attributes would grow by half); PostgreSQL's numeric inside an item (aligned, not comparable by bytes, 8 bytes and more for
 *	a small integer); names sorted by length first as jsonb does (a reader of the bytes, and btree order, expect bytes);
 *	jsonb itself (no binaries, no sets, no U+0000, numbers beyond the range).
 */
#ifndef SINGLETABLE_ITEM_H
#define SINGLETABLE_ITEM_H

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/numeric.h"

/* The varlena.  Readers take it packed (short header) or not; never stored compressed or external when passed to these functions. */
typedef struct varlena SingletableItem;

#define DatumGetItem(datum) ((SingletableItem *) PG_DETOAST_DATUM_PACKED(datum))
#define PG_GETARG_ITEM(n) DatumGetItem(PG_GETARG_DATUM(n))
#define PG_RETURN_ITEM(item) PG_RETURN_POINTER(item)

#define ITEM_FORMAT_VERSION 1

#define ITEM_MAX_NESTING 32		/* levels of values; the value of a top-level attribute is on level 1 */
#define ITEM_NUMBER_MAX 22		/* bytes of an encoded number */
#define ITEM_NUMBER_MAX_DIGITS 38	/* significant decimal digits */
#define ITEM_NUMBER_TEXT_MAX 192	/* bytes of a number's text with its terminating NUL (sign, 0., 130+38 digits) */
#define ITEM_NAME_MAX 65535		/* bytes of an attribute's name */

/* The values are stored, and their order is the order of values of different types in the btree opclass. */
typedef enum AttributeType
{
	ATTRIBUTE_NULL = 1,
	ATTRIBUTE_BOOL = 2,
	ATTRIBUTE_N = 3,
	ATTRIBUTE_S = 4,
	ATTRIBUTE_B = 5,
	ATTRIBUTE_NS = 6,
	ATTRIBUTE_SS = 7,
	ATTRIBUTE_BS = 8,
	ATTRIBUTE_L = 9,
	ATTRIBUTE_M = 10
} AttributeType;

#define ATTRIBUTE_TYPE_FIRST ATTRIBUTE_NULL
#define ATTRIBUTE_TYPE_LAST ATTRIBUTE_M
#define AttributeTypeIsSet(type) ((type) == ATTRIBUTE_SS || (type) == ATTRIBUTE_NS || (type) == ATTRIBUTE_BS)

/* A value: a view of payload bytes that somebody else owns (an item, a datum, a buffer). */
typedef struct AttributeValue
{
	AttributeType type;
	uint32		length;			/* bytes of payload */
	const char *data;			/* the payload, not NUL-terminated */
} AttributeValue;

/* A named value.  The name is a view too. */
typedef struct Attribute
{
	const char *name;
	uint32		name_length;	/* bytes */
	AttributeValue value;
} Attribute;

/* A map, list or set whose header has been read. */
typedef struct AttributeContainer
{
	AttributeType type;			/* ATTRIBUTE_M, _L, _SS, _NS or _BS */
	uint8		width;			/* bytes of each offset */
	uint32		count;			/* attributes, elements or members */
	const char *offsets;
	const char *data;
} AttributeContainer;

/*
 * Where top-level attributes come from: a whole item, or a table's row whose columns hold some of them.  Expressions read
 * attributes through it, so that a row need not be composed, nor its item column detoasted, to look at one attribute.
 */
typedef struct AttributeSource AttributeSource;
struct AttributeSource
{
	/* Finds a top-level attribute; the value stays valid as long as the source's row does. */
	bool		(*find) (AttributeSource *source, const char *name, uint32 name_length, AttributeValue *value);
	/* All of them as a map, composed when first asked for; same lifetime. */
	void		(*map) (AttributeSource *source, AttributeContainer *map);
};

typedef struct ItemSource
{
	AttributeSource source;		/* must be first */
	AttributeContainer attributes;
} ItemSource;

/* item.c: reading.  None of these allocates. */
extern const char *AttributeTypeName(AttributeType type);	/* "S", "N", ... */
extern bool AttributeTypeFromName(const char *name, uint32 length, AttributeType *type);
extern void ItemOpen(const SingletableItem *item, AttributeContainer *map);
extern void AttributeContainerOpen(const AttributeValue *value, AttributeContainer *container);
/* A map's name and value, a list's element, or a set's member (as a value of type S, N or B). */
extern void AttributeContainerGet(const AttributeContainer *container, uint32 index, AttributeValue *value);
extern void AttributeMapGet(const AttributeContainer *map, uint32 index, Attribute *attribute);
extern bool AttributeMapFind(const AttributeContainer *map, const char *name, uint32 name_length, AttributeValue *value);
extern bool AttributeSetContains(const AttributeContainer *set, const char *data, uint32 length);
extern bool AttributeValueEqual(const AttributeValue *a, const AttributeValue *b);
/* Total order: by type, then S, B and N by value, containers member by member, shorter first.  <0, 0, >0. */
extern int	AttributeValueCompare(const AttributeValue *a, const AttributeValue *b);
extern int	ItemCompare(const SingletableItem *a, const SingletableItem *b);
extern int	AttributeNameCompare(const char *a, uint32 a_length, const char *b, uint32 b_length);
/* DynamoDB's sizes, bytes. */
extern uint64 AttributeValueSize(const AttributeValue *value);
extern uint64 AttributeMapSize(const AttributeContainer *map);	/* as an item: names and values, no overhead */
extern uint64 ItemSize(const SingletableItem *item);
extern int	AttributeValueNesting(const AttributeValue *value); /* levels; 1 for a scalar, set, empty map or list */
/* Raises ERRCODE_DATA_CORRUPTED unless these are the canonical bytes of an item: for recv, and for whoever doubts. */
extern void ItemVerify(const SingletableItem *item);
extern void ItemSourceInit(ItemSource *source, const SingletableItem *item);
extern void ItemSourceInitEmpty(ItemSource *source);	/* an item without attributes */

/*
 * datum.c: one top-level attribute of an item as it is stored.  Of a large toasted item only the parts are fetched that are needed.
 * The value is a view into the datum, or palloc'd.
 */
extern bool ItemDatumFind(Datum datum, const char *name, uint32 name_length, AttributeValue *value);
/* The same without the value. */
extern bool ItemDatumFindType(Datum datum, const char *name, uint32 name_length, AttributeType *type);

/* build.c: writing.  Results are palloc'd in the current context. */

/* The item of these attributes, which are sorted by name and distinct.  count may be 0. */
extern SingletableItem *ItemFromAttributes(const Attribute *attributes, uint32 count);
/* Sorts by name; of equal names the last one stays.  Returns the new count. */
extern uint32 AttributesSort(Attribute *attributes, uint32 count);
extern SingletableItem *ItemEmpty(void);
/* An item with the attributes of both; the second's win. */
extern SingletableItem *ItemMerge(const SingletableItem *first, const SingletableItem *second);

/*
 * Builds nested values: calls nest as the value does, names before values inside a map, members may come unsorted.  Closing a
 * map keeps the last of equal names; closing a set with ItemBuilderEnd drops equal members, so whoever must refuse duplicates
 * looks before.  The buffer lives in the context that was current at ItemBuilderInit.
 */
typedef struct ItemBuilder ItemBuilder;
extern ItemBuilder *ItemBuilderCreate(void);
extern void ItemBuilderReset(ItemBuilder *builder); /* for the next value, keeping the memory */
extern void ItemBuilderBegin(ItemBuilder *builder, AttributeType type); /* M, L, SS, NS, BS */
extern void ItemBuilderName(ItemBuilder *builder, const char *name, uint32 name_length);
extern void ItemBuilderValue(ItemBuilder *builder, const AttributeValue *value);	/* of any type, copied as it is; a member in a set */
extern void ItemBuilderScalar(ItemBuilder *builder, AttributeType type, const char *data, uint32 length);
/* Takes back the last value of the open container, so that another takes its place (in a map: after the same name). */
extern void ItemBuilderUndo(ItemBuilder *builder);
extern uint32 ItemBuilderCount(const ItemBuilder *builder); /* entries of the open container so far */
extern bool ItemBuilderIsDistinct(ItemBuilder *builder);	/* are the names, or members, of the open map or set all different? */
extern void ItemBuilderEnd(ItemBuilder *builder);
/* The finished value, palloc'd payload; everything must be closed. */
extern void ItemBuilderFinish(ItemBuilder *builder, AttributeValue *value);
/* The same when the value is a map: as an item. */
extern SingletableItem *ItemBuilderFinishItem(ItemBuilder *builder);

/* number.c.  target has room for ITEM_NUMBER_MAX bytes; results are the bytes written. */

/* KV001 with DynamoDB's texts: not a number, overflow, underflow, more than 38 digits. */
extern uint32 ItemNumberFromText(const char *text, uint32 length, char *target);
extern uint32 ItemNumberFromNumeric(Numeric numeric, char *target);
extern uint32 ItemNumberFromInt64(int64 number, char *target);
extern Numeric ItemNumberToNumeric(const char *data, uint32 length);
/* Normal form, no exponent: text has room for ITEM_NUMBER_TEXT_MAX; returns the length without the NUL. */
extern uint32 ItemNumberToText(const char *data, uint32 length, char *text);
extern bool ItemNumberToInt64(const char *data, uint32 length, int64 *number);	/* false unless an integer in range */
extern uint32 ItemNumberSize(const char *data, uint32 length);	/* DynamoDB's bytes */
extern bool ItemNumberIsValid(const char *data, uint32 length); /* canonical? */
/* a + b or a - b exactly; KV001 overflow (also when more than 38 digits are needed) or underflow. */
extern uint32 ItemNumberAdd(const AttributeValue *a, const AttributeValue *b, bool subtract, char *target);

/* Nesting of a finished item against ITEM_MAX_NESTING, size against singletable.max_item_size: KV001, MESSAGE_ITEM_SIZE or is_update's. */
extern void ItemCheckNesting(const SingletableItem *item);
extern void ItemCheckSize(const SingletableItem *item, bool is_update);

/* operators.c: the datum of an attribute in a column of type text, numeric or bytea, and back. */
extern Datum AttributeValueGetDatum(const AttributeValue *value);	/* S text, N numeric, B bytea; palloc'd */
/* The view points into the detoasted datum, or, for a numeric, into number_buffer (ITEM_NUMBER_MAX bytes). */
extern void AttributeValueFromDatum(Datum datum, AttributeType type, char *number_buffer, AttributeValue *value);

#endif							/* SINGLETABLE_ITEM_H */
