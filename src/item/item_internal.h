/*
 * src/item/item_internal.h
 *		How the integers of the item format are read and written; for the files of src/item only.
 */
#ifndef SINGLETABLE_ITEM_INTERNAL_H
#define SINGLETABLE_ITEM_INTERNAL_H

#include "mb/pg_wchar.h"
#include "utils/jsonb.h"

#include "base/compat.h"
#include "base/settings.h"
#include "item/item.h"

/*
 * Most bytes that a value may take in our format.  What DynamoDB counts as 1 byte (an empty string in a list) takes at most 5 bytes
 * here (its offset and its type), so this is above every item that singletable.max_item_size can allow; and it is below what
 * palloc and 32-bit offsets can take.
 */
#define ITEM_MAX_BYTES (MAX_ITEM_SIZE_LIMIT * UINT64CONST(1024) * 8)

#define MESSAGE_NESTING \
	"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
#define MESSAGE_NO_MAP "Unexpected field type"
#define MESSAGE_ARRAY_FOR_MAP \
	"Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"
#define MESSAGE_EMPTY_NAME "Empty attribute name"
#define MESSAGE_LONG_NAME "Attribute name is too large, must be less than 65536 bytes"

/* The smallest width that holds this integer. */
static inline uint8
choose_width(uint32 largest)
{
	if (largest <= 0xFF)
		return 1;
	return largest <= 0xFFFF ? 2 : 4;
}

static inline uint32
load_integer(const char *source, uint8 width)
{
	const unsigned char *bytes = (const unsigned char *) source;

	if (width == 1)
		return bytes[0];
	if (width == 2)
		return bytes[0] | (uint32) bytes[1] << 8;
	return bytes[0] | (uint32) bytes[1] << 8 | (uint32) bytes[2] << 16 | (uint32) bytes[3] << 24;
}

static inline void
store_integer(char *target, uint8 width, uint32 integer)
{
	for (int i = 0; i < width; i++)
		target[i] = (char) (integer >> (8 * i));
}

/* Integers per entry of a body: a map has the ends of name and value, lists and sets have one end. */
static inline uint32
entry_integers(AttributeType type)
{
	return type == ATTRIBUTE_M ? 2 : 1;
}

/* The type of a set's members. */
static inline AttributeType
member_type(AttributeType type)
{
	if (type == ATTRIBUTE_SS)
		return ATTRIBUTE_S;
	return type == ATTRIBUTE_NS ? ATTRIBUTE_N : ATTRIBUTE_B;
}

/* Bytes of a body before its data. */
static inline uint64
measure_header(AttributeType type, uint8 width, uint32 count)
{
	return 1 + width + (uint64) count * entry_integers(type) * width;
}

/* item.c */
extern void BodyOpen(AttributeType type, const char *body, AttributeContainer *container);
/* The position of an attribute in a map. */
extern bool MapFindPosition(const AttributeContainer *map, const char *name, uint32 name_length, uint32 *position);
/* UTF-8, U+0000 included? */
extern bool StringIsValid(const char *data, uint32 length);
/* NULL when these are the canonical bytes of an item (after its varlena header), or else what is wrong. */
extern const char *ItemFindDefect(const char *data, uint64 length);

/* io.c: plain JSON, palloc'd; 22P05 for U+0000 in a string or name. */
extern Jsonb *AttributeValueToJsonb(const AttributeValue *value);

/* Strings that come from SQL: a database that checks no encoding (SQL_ASCII) lets other bytes in than UTF-8; 22021. */
static inline void
check_sql_string(const char *data, uint32 length)
{
	if (unlikely(GetDatabaseEncoding() != PG_UTF8))
		pg_verify_mbstr(PG_UTF8, data, (int) length, false);
}

/* operators.c: 22P05 for U+0000. */
extern void CheckStringIsText(const char *data, uint32 length);

/* number.c: NULL and the bytes written, or else the text of the error, palloc'd where it shows the input. */
extern const char *NumberParse(const char *text, uint32 length, char *target, uint32 *target_length);

#endif							/* SINGLETABLE_ITEM_INTERNAL_H */
