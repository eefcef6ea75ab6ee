/*
 * src/item/io.c
 *		The type item: text and binary input and output.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "base/error.h"
#include "item/item_internal.h"
#include "item/json.h"

/* How the JSON of an item is read. */
typedef SingletableItem *(*ItemReader) (JsonReader *reader);

/*
 * read_text
 *		The item in a JSON text; NULL after a soft error.
 *
 * A wrong shape or malformed JSON anywhere wins over an invalid value, as in a request.
 */
static SingletableItem *
read_text(const char *text, uint32 length, ItemReader read, struct Node *escontext)
{
	JsonReader	reader;
	SingletableItem *item;

	JsonReaderInit(&reader, text, length, escontext);
	reader.defer = true;
	item = read(&reader);
	JsonReaderFinish(&reader);
	JsonReaderRaiseInvalid(&reader);
	if (reader.failed)
		return NULL;
	if (ItemSize(item) > ItemSizeLimit())
		ereturn(escontext, NULL, (errcode(ERRCODE_KV_VALIDATION), errmsg(MESSAGE_ITEM_SIZE)));
	return item;
}

/*
 * item_in
 *		Text input: DynamoDB JSON, plain JSON, or both mixed.
 */
SQL_FUNCTION(item_in);
Datum
item_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	SingletableItem *item = read_text(text, strlen(text), JsonReadItem, FUNCTION_ERROR_CONTEXT(fcinfo));

	if (item == NULL)
		PG_RETURN_NULL();
	PG_RETURN_ITEM(item);
}

/*
 * item_out
 *		Text output: DynamoDB JSON in one canonical form.
 */
SQL_FUNCTION(item_out);
Datum
item_out(PG_FUNCTION_ARGS)
{
	AttributeContainer map;
	StringInfoData out;

	ItemOpen(PG_GETARG_ITEM(0), &map);
	initStringInfo(&out);
	JsonWriteItem(&out, &map);
	PG_RETURN_CSTRING(out.data);
}
