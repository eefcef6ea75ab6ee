/*
 * src/item/operators.c
 *		What SQL does with items: comparison, and the values of attributes as datums.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/compat.h"
#include "base/error.h"
#include "item/item_internal.h"

/*
 * AttributeValueGetDatum
 *		The datum of a value of type S, N or B: text, numeric, bytea; palloc'd.
 *
 * Errors	22P05 for a string with U+0000, which text cannot hold
 */
Datum
AttributeValueGetDatum(const AttributeValue *value)
{
	switch (value->type)
	{
		case ATTRIBUTE_S:
			CheckStringIsText(value->data, value->length);
			return PointerGetDatum(cstring_to_text_with_len(value->data, (int) value->length));
		case ATTRIBUTE_B:
			/* A bytea is built as a text is. */
			return PointerGetDatum(cstring_to_text_with_len(value->data, (int) value->length));
		case ATTRIBUTE_N:
			return NumericGetDatum(ItemNumberToNumeric(value->data, value->length));
		default:
			elog(ERROR, "attribute type %d has no type in SQL", value->type);
	}
	return (Datum) 0;
}

/*
 * AttributeValueFromDatum
 *		The value of a datum of type text (type S), numeric (N) or bytea (B).
 *
 * The view points into the datum (detoasted in the current context if need be); of a numeric into number_buffer, which has
 * ITEM_NUMBER_MAX bytes.
 */
void
AttributeValueFromDatum(Datum datum, AttributeType type, char *number_buffer, AttributeValue *value)
{
	value->type = type;
	if (type == ATTRIBUTE_N)
	{
		value->data = number_buffer;
		value->length = ItemNumberFromNumeric(DatumGetNumeric(datum), number_buffer);
	}
	else
	{
		struct varlena *bytes = PG_DETOAST_DATUM_PACKED(datum);

		Assert(type == ATTRIBUTE_S || type == ATTRIBUTE_B);
		value->data = VARDATA_ANY(bytes);
		value->length = VARSIZE_ANY_EXHDR(bytes);
	}
}

/*
 * CheckStringIsText
 *		22P05 if a string of an item holds U+0000, which neither text nor jsonb can.
 */
void
CheckStringIsText(const char *data, uint32 length)
{
	if (memchr(data, '\0', length) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNTRANSLATABLE_CHARACTER),
				 errmsg("U+0000 cannot be converted to text"),
				 errhint("item_to_dynamodb_json() shows the whole item.")));
}
