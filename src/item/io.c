/*
 * src/item/io.c
 *		The type item: text and binary input and output, and its casts.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

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

/*
 * item_recv
 *		Binary input: the canonical bytes of an item, verified one by one.
 *
 * Errors	22P03 for any other bytes; KV001 for an item that is too large
 */
SQL_FUNCTION(item_recv);
Datum
item_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buffer = (StringInfo) PG_GETARG_POINTER(0);
	int			length = buffer->len - buffer->cursor;
	const char *data = pq_getmsgbytes(buffer, length);
	const char *defect = ItemFindDefect(data, length);
	SingletableItem *item;

	if (defect != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid binary representation of an item"),
				 errdetail_internal("The bytes are not an item's: %s.", defect)));
	item = (SingletableItem *) cstring_to_text_with_len(data, length);
	ItemCheckSize(item, false);
	PG_RETURN_ITEM(item);
}

/*
 * item_send
 *		Binary output: the bytes as they are stored, which begin with the version of the format.
 */
SQL_FUNCTION(item_send);
Datum
item_send(PG_FUNCTION_ARGS)
{
	SingletableItem *item = PG_GETARG_ITEM(0);

	PG_RETURN_BYTEA_P((bytea *) cstring_to_text_with_len(VARDATA_ANY(item), VARSIZE_ANY_EXHDR(item)));
}

static SingletableItem *
read_json_argument(FunctionCallInfo fcinfo, ItemReader read)
{
	text	   *json = PG_GETARG_TEXT_PP(0);

	return read_text(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json), read, NULL);
}

/*
 * item_from_dynamodb_json
 *		The item in DynamoDB JSON.
 */
SQL_FUNCTION(item_from_dynamodb_json);
Datum
item_from_dynamodb_json(PG_FUNCTION_ARGS)
{
	PG_RETURN_ITEM(read_json_argument(fcinfo, JsonReadTypedItem));
}

/*
 * item_to_dynamodb_json
 *		The item as DynamoDB JSON.
 */
SQL_FUNCTION(item_to_dynamodb_json);
Datum
item_to_dynamodb_json(PG_FUNCTION_ARGS)
{
	AttributeContainer map;
	StringInfoData out;

	ItemOpen(PG_GETARG_ITEM(0), &map);
	initStringInfo(&out);
	JsonWriteItem(&out, &map);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(out.data, out.len));
}

/*
 * item_from_json
 *		The item in plain JSON; no object in it is a typed value.
 */
SQL_FUNCTION(item_from_json);
Datum
item_from_json(PG_FUNCTION_ARGS)
{
	PG_RETURN_ITEM(read_json_argument(fcinfo, JsonReadPlainItem));
}

/*
 * item_to_json
 *		The item as plain JSON.
 */
SQL_FUNCTION(item_to_json);
Datum
item_to_json(PG_FUNCTION_ARGS)
{
	AttributeContainer map;
	StringInfoData out;

	ItemOpen(PG_GETARG_ITEM(0), &map);
	initStringInfo(&out);
	JsonWritePlainItem(&out, &map);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(out.data, out.len));
}

/*
 * item_from_jsonb
 *		The item in plain JSON; no object in it is a typed value.
 */
SQL_FUNCTION(item_from_jsonb);
Datum
item_from_jsonb(PG_FUNCTION_ARGS)
{
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	ItemBuilder *builder = ItemBuilderCreate();
	SingletableItem *item;
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	value;
	int			level = 0;
	char		number[ITEM_NUMBER_MAX];

	if (!JB_ROOT_IS_OBJECT(jsonb))
		serialization_error("%s", JB_ROOT_IS_SCALAR(jsonb) ? MESSAGE_NO_MAP : MESSAGE_ARRAY_FOR_MAP);

	iterator = JsonbIteratorInit(&jsonb->root);
	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		/* The top-level map is no value and has level 0. */
		if ((token == WJB_BEGIN_OBJECT || token == WJB_BEGIN_ARRAY || token == WJB_VALUE || token == WJB_ELEM) &&
			level > ITEM_MAX_NESTING)
			validation_error(MESSAGE_NESTING);
		switch (token)
		{
			case WJB_BEGIN_OBJECT:
			case WJB_BEGIN_ARRAY:
				ItemBuilderBegin(builder, token == WJB_BEGIN_OBJECT ? ATTRIBUTE_M : ATTRIBUTE_L);
				level++;
				break;
			case WJB_END_OBJECT:
			case WJB_END_ARRAY:
				ItemBuilderEnd(builder);
				level--;
				break;
			case WJB_KEY:
				if (value.val.string.len == 0)
					validation_error(MESSAGE_EMPTY_NAME);
				if (value.val.string.len > ITEM_NAME_MAX)
					validation_error(MESSAGE_LONG_NAME);
				check_sql_string(value.val.string.val, value.val.string.len);
				ItemBuilderName(builder, value.val.string.val, value.val.string.len);
				break;
			default:
				switch (value.type)
				{
					case jbvString:
						check_sql_string(value.val.string.val, value.val.string.len);
						ItemBuilderScalar(builder, ATTRIBUTE_S, value.val.string.val, value.val.string.len);
						break;
					case jbvNumeric:
						ItemBuilderScalar(builder, ATTRIBUTE_N, number, ItemNumberFromNumeric(value.val.numeric, number));
						break;
					case jbvBool:
						number[0] = value.val.boolean;
						ItemBuilderScalar(builder, ATTRIBUTE_BOOL, number, 1);
						break;
					case jbvNull:
						ItemBuilderScalar(builder, ATTRIBUTE_NULL, NULL, 0);
						break;
					default:
						elog(ERROR, "unexpected jsonb value type %d", (int) value.type);
				}
		}
	}
	item = ItemBuilderFinishItem(builder);
	ItemCheckSize(item, false);
	PG_RETURN_ITEM(item);
}

static void
set_jsonb_string(JsonbValue *target, char *data, int length)
{
	target->type = jbvString;
	target->val.string.val = data;
	target->val.string.len = length;
}

/* The jsonb scalar of a scalar. */
static void
set_jsonb_scalar(JsonbValue *target, const AttributeValue *value)
{
	StringInfoData base64;

	switch (value->type)
	{
		case ATTRIBUTE_S:
			CheckStringIsText(value->data, value->length);
			set_jsonb_string(target, unconstify(char *, value->data), value->length);
			break;
		case ATTRIBUTE_N:
			target->type = jbvNumeric;
			target->val.numeric = ItemNumberToNumeric(value->data, value->length);
			break;
		case ATTRIBUTE_B:
			initStringInfo(&base64);
			JsonWriteBase64(&base64, value->data, value->length);
			set_jsonb_string(target, base64.data, base64.len);
			break;
		case ATTRIBUTE_BOOL:
			target->type = jbvBool;
			target->val.boolean = value->data[0] != 0;
			break;
		default:
			target->type = jbvNull;
	}
}

/*
 * push_container
 *		Add a map, list or set to the jsonb that is being built, as an object or array.
 */
static JsonbValue *
push_container(JsonbParseState **state, const AttributeContainer *container)
{
	bool		is_map = container->type == ATTRIBUTE_M;

	check_stack_depth();
	pushJsonbValue(state, is_map ? WJB_BEGIN_OBJECT : WJB_BEGIN_ARRAY, NULL);
	for (uint32 i = 0; i < container->count; i++)
	{
		Attribute	entry;
		AttributeContainer child;
		JsonbValue	scalar;

		CHECK_FOR_INTERRUPTS();
		if (is_map)
		{
			AttributeMapGet(container, i, &entry);
			CheckStringIsText(entry.name, entry.name_length);
			set_jsonb_string(&scalar, unconstify(char *, entry.name), entry.name_length);
			pushJsonbValue(state, WJB_KEY, &scalar);
		}
		else
			AttributeContainerGet(container, i, &entry.value);

		if (entry.value.type < ATTRIBUTE_NS)
		{
			set_jsonb_scalar(&scalar, &entry.value);
			pushJsonbValue(state, is_map ? WJB_VALUE : WJB_ELEM, &scalar);
		}
		else
		{
			AttributeContainerOpen(&entry.value, &child);
			push_container(state, &child);
		}
	}
	return pushJsonbValue(state, is_map ? WJB_END_OBJECT : WJB_END_ARRAY, NULL);
}

/*
 * AttributeValueToJsonb
 *		A value as plain JSON: sets are arrays, B is base64.
 *
 * Errors	22P05 for a string or name with U+0000
 */
Jsonb *
AttributeValueToJsonb(const AttributeValue *value)
{
	AttributeContainer container;
	JsonbParseState *state = NULL;
	JsonbValue	scalar;

	if (value->type < ATTRIBUTE_NS)
	{
		set_jsonb_scalar(&scalar, value);
		return JsonbValueToJsonb(&scalar);
	}
	AttributeContainerOpen(value, &container);
	return JsonbValueToJsonb(push_container(&state, &container));
}

/*
 * item_to_jsonb
 *		The item as plain JSON.
 */
SQL_FUNCTION(item_to_jsonb);
Datum
item_to_jsonb(PG_FUNCTION_ARGS)
{
	AttributeContainer map;
	JsonbParseState *state = NULL;

	ItemOpen(PG_GETARG_ITEM(0), &map);
	PG_RETURN_JSONB_P(JsonbValueToJsonb(push_container(&state, &map)));
}
