/*
 * src/item/json_item.c
 *		JSON to items: DynamoDB JSON, plain JSON, and both mixed.
 *
 * Two kinds of errors.  The JSON may have the wrong shape for what it should be bound to: SerializationException, raised where it is
 * met.  Or it has the right shape and a value that is no value, like a number of letters: ValidationException.  DynamoDB has
 * bound all of a request before it looks at values, so such a text is only remembered, the first one, until reading is done;
 * something is built in the place of a value that is none, so that building can go on.
 *
 * Source	reference/data-model, sections 1 to 7
 */
#include "postgres.h"

#include "common/base64.h"
#include "miscadmin.h"

#include "base/error.h"
#include "item/item_internal.h"
#include "item/json.h"

#define MESSAGE_NO_TYPE "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
#define MESSAGE_MANY_TYPES "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
#define MESSAGE_UNEXPECTED_OBJECT "Start of structure or map found where not expected"
#define MESSAGE_INVALID "One or more parameter values were invalid: "

#define CLASS_VALUE "class com.amazonaws.dynamodb.v20120810.AttributeValue"

/* What the JSON is. */
typedef enum JsonForm
{
	FORM_TYPED,
	FORM_PLAIN,
	FORM_MIXED
} JsonForm;

/* The text of what is wrong with a value; NULL if nothing is. */
typedef const char *Failure;

static Failure read_value(JsonReader *reader, JsonForm form, int level);

/* Only the first failure counts. */
static inline void
keep_first(Failure *first, Failure next)
{
	if (*first == NULL)
		*first = next;
}

static void
report_unbindable(JsonReader *reader, const char *text)
{
	if (reader->failed)
		return;
	reader->failed = true;
	errsave(reader->escontext, (errcode(ERRCODE_KV_SERIALIZATION), errmsg("%s", text)));
}

/* Is the next value a string?  Otherwise reports what DynamoDB says where it wants one. */
static bool
check_string(JsonReader *reader)
{
	switch (JsonReaderPeek(reader))
	{
		case JSON_KIND_STRING:
			return true;
		case JSON_KIND_TRUE:
			report_unbindable(reader, "TRUE_VALUE cannot be converted to String");
			break;
		case JSON_KIND_FALSE:
			report_unbindable(reader, "FALSE_VALUE cannot be converted to String");
			break;
		case JSON_KIND_INTEGER:
			report_unbindable(reader, "NUMBER_VALUE cannot be converted to String");
			break;
		case JSON_KIND_FRACTION:
			report_unbindable(reader, "DECIMAL_VALUE cannot be converted to String");
			break;
		case JSON_KIND_ARRAY:
			report_unbindable(reader, "Unrecognized collection type class java.lang.String");
			break;
		case JSON_KIND_OBJECT:
			report_unbindable(reader, MESSAGE_UNEXPECTED_OBJECT);
			break;
		case JSON_KIND_NULL:
			break;				/* callers have looked: only after a failure */
	}
	return false;
}

/* Is the next value a string, where DynamoDB wants bytes? */
static bool
check_base64_string(JsonReader *reader)
{
	switch (JsonReaderPeek(reader))
	{
		case JSON_KIND_STRING:
			return true;
		case JSON_KIND_ARRAY:
			report_unbindable(reader, "Unrecognized collection type class java.nio.ByteBuffer");
			break;
		case JSON_KIND_OBJECT:
			report_unbindable(reader, MESSAGE_UNEXPECTED_OBJECT);
			break;
		case JSON_KIND_NULL:
			break;
		default:
			report_unbindable(reader, "only base-64-encoded strings are convertible to bytes");
	}
	return false;
}

/* Is the next value an array? */
static bool
check_array(JsonReader *reader)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_ARRAY)
		return true;
	report_unbindable(reader, kind == JSON_KIND_OBJECT ? MESSAGE_UNEXPECTED_OBJECT : "Unexpected field type");
	return false;
}

/* Is the next value an object that holds attributes? */
static bool
check_map(JsonReader *reader)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_OBJECT)
		return true;
	report_unbindable(reader, kind == JSON_KIND_ARRAY ? MESSAGE_ARRAY_FOR_MAP : MESSAGE_NO_MAP);
	return false;
}

/*
 * decode_base64
 *		Replace the base64 text in reader->string by the bytes it stands for.
 *
 * The server's decoder looks neither at what follows the padding nor at the spare bits of the last character.
 */
static bool
decode_base64(JsonReader *reader)
{
	StringInfo	string = &reader->string;
	int			length = string->len;
	int			room = pg_b64_dec_len(length);
	char		spare[5];
	const char *padding;
	char	   *decoded;
	int			count;

	if (reader->failed)
		return false;
	if (length == 0)
		return true;
	if (length % 4 != 0)
	{
		report_unbindable(reader, psprintf("Base64 encoded length is expected a multiple of 4 bytes but found: %d", length));
		return false;
	}

	padding = memchr(string->data, '=', length);
	decoded = palloc(room);
	count = pg_b64_decode(string->data, length, (void *) decoded, room);
	if (count < 0 ||
		(padding != NULL && (padding < string->data + length - 2 || string->data[length - 1] != '=')) ||
		(count % 3 != 0 && (pg_b64_encode((const void *) (decoded + count - count % 3), count % 3, spare, sizeof(spare)) != 4 ||
							memcmp(spare, string->data + length - 4, 4) != 0)))
	{
		report_unbindable(reader, "Invalid last non-pad Base64 character dectected");
		return false;
	}
	memcpy(string->data, decoded, count);
	string->data[count] = '\0';
	string->len = count;
	pfree(decoded);
	return true;
}

/* The next value as a boolean. */
static bool
read_boolean(JsonReader *reader)
{
	static const char *const texts[] = {"false", "true", "0", "1", "no", "yes"};

	switch (JsonReaderPeek(reader))
	{
		case JSON_KIND_TRUE:
		case JSON_KIND_FALSE:
			return JsonReaderBoolean(reader);
		case JSON_KIND_STRING:
			JsonReaderString(reader);
			for (int i = 0; i < lengthof(texts); i++)
				if (pg_strcasecmp(reader->string.data, texts[i]) == 0 && strlen(texts[i]) == reader->string.len)
					return i % 2 == 1;
			report_unbindable(reader, "Unexpected token received from parser");
			break;
		case JSON_KIND_INTEGER:
			report_unbindable(reader, "NUMBER_VALUE cannot be converted to Boolean");
			break;
		case JSON_KIND_FRACTION:
			report_unbindable(reader, "DECIMAL_VALUE cannot be converted to Boolean");
			break;
		case JSON_KIND_ARRAY:
			report_unbindable(reader, "Unrecognized collection type class java.lang.Boolean");
			break;
		case JSON_KIND_OBJECT:
			report_unbindable(reader, MESSAGE_UNEXPECTED_OBJECT);
			break;
		case JSON_KIND_NULL:
			break;
	}
	return false;
}

/* The number in reader->string, as a value or a member of a set; 0 for what is none. */
static Failure
build_number(JsonReader *reader)
{
	char		number[ITEM_NUMBER_MAX];
	uint32		length;
	Failure		failure = NumberParse(reader->string.data, reader->string.len, number, &length);

	if (failure != NULL)
		length = ItemNumberFromInt64(0, number);
	ItemBuilderScalar(reader->builder, ATTRIBUTE_N, number, length);
	return failure;
}

/* The string, number or binary that comes next, as a value or a member of a set. */
static Failure
read_text_scalar(JsonReader *reader, AttributeType type)
{
	if (!(type == ATTRIBUTE_B ? check_base64_string(reader) : check_string(reader)))
		return NULL;
	JsonReaderString(reader);
	if (type == ATTRIBUTE_N)
		return build_number(reader);
	if (type == ATTRIBUTE_S || decode_base64(reader))
		ItemBuilderScalar(reader->builder, type, reader->string.data, reader->string.len);
	return NULL;
}

/* The text for a set whose members, given as written, are not distinct. */
static Failure
describe_duplicates(AttributeType type, const StringInfoData *members)
{
	if (type == ATTRIBUTE_NS)
		return "Input collection contains duplicates";
	return psprintf(MESSAGE_INVALID "Input collection [%s]%s contains duplicates.",
					members->data, type == ATTRIBUTE_BS ? "of type BS" : "");
}

/*
 * read_set
 *		The array that comes next, as a set.  Sets *step to the check that failed.
 */
static Failure
read_set(JsonReader *reader, AttributeType type, int *step)
{
	JsonLexContext beginning;
	Failure		failure = NULL;
	bool		first = true;

	*step = 6;
	if (!check_array(reader))
		return NULL;
	beginning = *reader->lex;
	JsonReaderEnterArray(reader);
	ItemBuilderBegin(reader->builder, type);
	while (JsonReaderNextElement(reader, &first))
	{
		if (JsonReaderPeek(reader) == JSON_KIND_NULL)
		{
			JsonReaderSkip(reader);
			keep_first(&failure, MESSAGE_NO_TYPE);
		}
		else
			keep_first(&failure, read_text_scalar(reader, member_type(type)));
	}
	if (reader->failed)
		return NULL;

	if (failure == NULL && ItemBuilderCount(reader->builder) == 0)
	{
		*step = 5;
		if (type == ATTRIBUTE_BS)
			failure = MESSAGE_INVALID "Binary sets should not be empty";
		else
			failure = type == ATTRIBUTE_SS ? MESSAGE_INVALID "An string set  may not be empty" :
				MESSAGE_INVALID "An number set  may not be empty";
	}
	else if (failure == NULL && !ItemBuilderIsDistinct(reader->builder))
	{
		StringInfoData members;
		JsonLexContext behind = *reader->lex;
		bool		is_first = true;

		/* The text shows the members as they were written: read them again. */
		*step = 7;
		initStringInfo(&members);
		*reader->lex = beginning;
		JsonReaderEnterArray(reader);
		first = true;
		while (JsonReaderNextElement(reader, &first))
		{
			if (!is_first)
				appendStringInfoString(&members, ", ");
			is_first = false;
			JsonReaderString(reader);
			for (int i = 0; i < reader->string.len; i++)
				if (reader->string.data[i] != '\0') /* no message can hold it */
					appendStringInfoChar(&members, reader->string.data[i]);
		}
		*reader->lex = behind;
		failure = describe_duplicates(type, &members);
	}
	ItemBuilderEnd(reader->builder);
	return failure;
}

/* The array that comes next, as a list. */
static Failure
read_list(JsonReader *reader, JsonForm form, int level)
{
	Failure		failure = NULL;
	bool		first = true;

	if (!check_array(reader))
		return NULL;
	JsonReaderEnterArray(reader);
	ItemBuilderBegin(reader->builder, ATTRIBUTE_L);
	while (JsonReaderNextElement(reader, &first))
		keep_first(&failure, read_value(reader, form, level + 1));
	if (!reader->failed)
		ItemBuilderEnd(reader->builder);
	return failure;
}

/* The attribute whose name has been read into reader->string. */
static Failure
read_attribute(JsonReader *reader, JsonForm form, int level)
{
	Failure		failure = NULL;

	if (reader->string.len == 0)
		failure = MESSAGE_EMPTY_NAME;
	else if (reader->string.len > ITEM_NAME_MAX)
		failure = MESSAGE_LONG_NAME;
	ItemBuilderName(reader->builder, reader->string.data, reader->string.len);
	keep_first(&failure, read_value(reader, form, level));
	return failure;
}

/* The object that comes next, as a map whose values are on this level. */
static Failure
read_map(JsonReader *reader, JsonForm form, int level)
{
	Failure		failure = NULL;
	bool		first = true;

	if (!check_map(reader))
		return NULL;
	JsonReaderEnterObject(reader);
	ItemBuilderBegin(reader->builder, ATTRIBUTE_M);
	while (JsonReaderNextMember(reader, &first))
		keep_first(&failure, read_attribute(reader, form, level));
	if (!reader->failed)
		ItemBuilderEnd(reader->builder);
	return failure;
}

/* The JSON value of a tag.  Sets *step to the place of a failure in DynamoDB's order of checks. */
static Failure
read_tagged(JsonReader *reader, AttributeType type, int level, int *step)
{
	bool		boolean;
	char		byte;

	switch (type)
	{
		case ATTRIBUTE_S:
		case ATTRIBUTE_N:
		case ATTRIBUTE_B:
			*step = 3;
			return read_text_scalar(reader, type);
		case ATTRIBUTE_BOOL:
			byte = read_boolean(reader);
			ItemBuilderScalar(reader->builder, ATTRIBUTE_BOOL, &byte, 1);
			return NULL;
		case ATTRIBUTE_NULL:
			*step = 4;
			boolean = read_boolean(reader);
			ItemBuilderScalar(reader->builder, ATTRIBUTE_NULL, NULL, 0);
			return boolean ? NULL : MESSAGE_INVALID "Null attribute value types must have the value of true";
		case ATTRIBUTE_SS:
		case ATTRIBUTE_NS:
		case ATTRIBUTE_BS:
			return read_set(reader, type, step);
		case ATTRIBUTE_L:
			*step = 8;
			return read_list(reader, FORM_TYPED, level);
		case ATTRIBUTE_M:
			*step = 8;
			return read_map(reader, FORM_TYPED, level + 1);
	}
	return NULL;				/* keep the compiler quiet */
}

/*
 * read_typed
 *		The typed value that comes next, on this level.
 *
 * Members that are no tag, and null, are as if absent.  Checks run in DynamoDB's order whatever the order of the members.
 * Source	reference/data-model, section 2
 */
static Failure
read_typed(JsonReader *reader, int level)
{
	Failure		failure = NULL;
	int			failed_step = 0;
	AttributeType failed_type = 0;
	uint32		tags = 0;		/* a bit per type */
	bool		first = true;

	switch (JsonReaderPeek(reader))
	{
		case JSON_KIND_OBJECT:
			break;
		case JSON_KIND_NULL:
			JsonReaderSkip(reader);
			ItemBuilderScalar(reader->builder, ATTRIBUTE_NULL, NULL, 0);
			return MESSAGE_NO_TYPE;
		case JSON_KIND_ARRAY:
			report_unbindable(reader, "Unrecognized collection type " CLASS_VALUE);
			return NULL;
		default:
			report_unbindable(reader, "Unexpected value type in payload");
			return NULL;
	}

	JsonReaderEnterObject(reader);
	while (JsonReaderNextMember(reader, &first))
	{
		AttributeType type;
		Failure		next;
		int			step = 0;

		if (!AttributeTypeFromName(reader->string.data, reader->string.len, &type) || JsonReaderPeek(reader) == JSON_KIND_NULL)
		{
			JsonReaderSkip(reader);
			continue;
		}
		if (tags != 0)
			ItemBuilderUndo(reader->builder);
		/* Of a repeated member the last one counts. */
		if (failed_type == type)
			failure = NULL;
		tags |= 1 << type;
		next = read_tagged(reader, type, level, &step);
		if (next != NULL && (failure == NULL || step < failed_step))
		{
			failure = next;
			failed_step = step;
			failed_type = type;
		}
	}
	if (reader->failed)
		return NULL;

	if (tags == 0)
	{
		ItemBuilderScalar(reader->builder, ATTRIBUTE_NULL, NULL, 0);
		failure = MESSAGE_NO_TYPE;
	}
	else if ((tags & (tags - 1)) != 0)
		keep_first(&failure, MESSAGE_MANY_TYPES);
	return failure;
}

/*
 * enter_typed
 *		In mixed JSON: if the object that comes next is a typed value, enter it, up to the value of its tag.
 *
 * It is one if it has exactly one member, named as a type.  If not, nothing is consumed: this reads ahead and goes back, in the
 * usual case by the last brace only.
 */
static bool
enter_typed(JsonReader *reader, AttributeType *type)
{
	JsonLexContext beginning = *reader->lex;
	bool		first = true;
	bool		is_typed = false;

	JsonReaderEnterObject(reader);
	if (JsonReaderNextMember(reader, &first) && AttributeTypeFromName(reader->string.data, reader->string.len, type))
	{
		JsonLexContext value = *reader->lex;

		JsonReaderSkip(reader);
		is_typed = !reader->failed && reader->lex->token_type == JSON_TOKEN_OBJECT_END;
		if (is_typed)
			*reader->lex = value;
	}
	if (!is_typed && !reader->failed)
		*reader->lex = beginning;
	return is_typed;
}

/* The rest of a typed value that enter_typed has entered. */
static Failure
read_entered(JsonReader *reader, AttributeType type, int level)
{
	Failure		failure = MESSAGE_NO_TYPE;
	int			step;
	bool		first = false;

	if (JsonReaderPeek(reader) == JSON_KIND_NULL)
	{
		JsonReaderSkip(reader);
		ItemBuilderScalar(reader->builder, ATTRIBUTE_NULL, NULL, 0);
	}
	else
		failure = read_tagged(reader, type, level, &step);
	JsonReaderNextMember(reader, &first);
	return failure;
}

/*
 * read_value
 *		The value that comes next, on this level, into the builder.
 *
 * This and all the functions that it calls build exactly one value, unless reader->failed is set.
 */
static Failure
read_value(JsonReader *reader, JsonForm form, int level)
{
	JsonKind	kind;
	AttributeType type;
	char		byte;

	if (level > ITEM_MAX_NESTING)
	{
		JsonReaderReportNesting(reader);
		return NULL;
	}
	check_stack_depth();

	if (form == FORM_TYPED)
		return read_typed(reader, level);
	kind = JsonReaderPeek(reader);
	switch (kind)
	{
		case JSON_KIND_STRING:
			return read_text_scalar(reader, ATTRIBUTE_S);
		case JSON_KIND_INTEGER:
		case JSON_KIND_FRACTION:
			JsonReaderNumber(reader);
			return build_number(reader);
		case JSON_KIND_TRUE:
		case JSON_KIND_FALSE:
			byte = JsonReaderBoolean(reader);
			ItemBuilderScalar(reader->builder, ATTRIBUTE_BOOL, &byte, 1);
			return NULL;
		case JSON_KIND_NULL:
			JsonReaderSkip(reader);
			ItemBuilderScalar(reader->builder, ATTRIBUTE_NULL, NULL, 0);
			return NULL;
		case JSON_KIND_ARRAY:
			return read_list(reader, form, level);
		case JSON_KIND_OBJECT:
			if (form == FORM_MIXED && enter_typed(reader, &type))
				return read_entered(reader, type, level);
			return read_map(reader, form, level + 1);
	}
	return NULL;				/* keep the compiler quiet */
}

/* Remembers a failure, or raises it. */
static void
settle(JsonReader *reader, Failure failure)
{
	if (reader->failed)
		return;
	keep_first(&reader->invalid, failure);
	if (!reader->defer)
		JsonReaderRaiseInvalid(reader);
}

/*
 * JsonReaderRaiseInvalid
 *		Raise the KV001 that was deferred, if there is one.
 */
void
JsonReaderRaiseInvalid(JsonReader *reader)
{
	if (reader->failed || reader->invalid == NULL)
		return;
	reader->failed = true;
	errsave(reader->escontext, (errcode(ERRCODE_KV_VALIDATION), errmsg("%s", reader->invalid)));
}

static SingletableItem *
read_item(JsonReader *reader, JsonForm form)
{
	Failure		failure;

	ItemBuilderReset(reader->builder);
	failure = read_map(reader, form, 1);
	settle(reader, failure);
	if (failure != NULL || reader->failed)
		return NULL;
	return ItemBuilderFinishItem(reader->builder);
}

/*
 * JsonReadTypedItem
 *		An item in DynamoDB JSON: {"name": {"S": "Ann"}}
 */
SingletableItem *
JsonReadTypedItem(JsonReader *reader)
{
	return read_item(reader, FORM_TYPED);
}

/*
 * JsonReadItem
 *		An item in DynamoDB JSON or plain JSON, decided value by value.
 */
SingletableItem *
JsonReadItem(JsonReader *reader)
{
	return read_item(reader, FORM_MIXED);
}

/*
 * JsonReadPlainItem
 *		An item in plain JSON: {"name": "Ann"}
 */
SingletableItem *
JsonReadPlainItem(JsonReader *reader)
{
	return read_item(reader, FORM_PLAIN);
}

/*
 * JsonReadTypedValue
 *		One typed value, on level 1, as the next value of the reader's builder.
 */
void
JsonReadTypedValue(JsonReader *reader)
{
	settle(reader, read_value(reader, FORM_TYPED, 1));
}
