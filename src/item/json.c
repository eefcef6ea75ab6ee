/*
 * src/item/json.c
 *		Reading JSON by steps, and writing it.
 *
 * The tokens come from PostgreSQL's lexer, which keeps one token ahead: lex->token_type is the next one.  Its own unescaping is not
 * used, as it refuses U+0000.
 */
#include "postgres.h"

#include "common/base64.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/error.h"
#include "item/item_internal.h"
#include "item/json.h"

/* Levels of JSON (two per level of a typed value) that no item and no request comes near. */
#define JSON_MAX_DEPTH 256

static void
report_malformed(JsonReader *reader, const char *detail)
{
	if (reader->failed)
		return;
	reader->failed = true;
	errsave(reader->escontext,
			(errcode(ERRCODE_KV_SERIALIZATION), errmsg("malformed JSON"), errdetail_internal("%s", detail)));
}

static void
report_lexer_error(JsonReader *reader, JsonParseErrorType error)
{
	if (!reader->failed)
		report_malformed(reader, json_errdetail(error, reader->lex));
}

/* The next token is not the one expected. */
static void
report_unexpected(JsonReader *reader, JsonParseErrorType error)
{
	report_lexer_error(reader, reader->lex->token_type == JSON_TOKEN_END ? JSON_EXPECTED_MORE : error);
}

/* On to the next token. */
static inline void
advance(JsonReader *reader)
{
	JsonParseErrorType error;

	if (reader->failed)
		return;
	error = json_lex(reader->lex);
	if (error != JSON_SUCCESS)
		report_lexer_error(reader, error);
}

/* Past a token that must come now. */
static inline void
expect(JsonReader *reader, JsonTokenType token, JsonParseErrorType error)
{
	if (reader->lex->token_type == token)
		advance(reader);
	else
		report_unexpected(reader, error);
}

/*
 * JsonReaderInit
 *		Begin reading text, which must outlive the reader and is UTF-8 where the database guarantees it.
 *
 * What the reader needs is palloc'd in the current context.
 */
void
JsonReaderInit(JsonReader *reader, const char *text, uint32 length, struct Node *escontext)
{
	memset(reader, 0, sizeof(JsonReader));
	reader->lex = MakeJsonLexContext(text, length, PG_UTF8);
	reader->escontext = escontext;
	initStringInfo(&reader->string);
	reader->builder = ItemBuilderCreate();
	advance(reader);
}

/*
 * JsonReaderPeek
 *		What the next value is; consumes nothing.
 */
JsonKind
JsonReaderPeek(JsonReader *reader)
{
	JsonLexContext *lex = reader->lex;

	if (reader->failed)
		return JSON_KIND_NULL;
	switch (lex->token_type)
	{
		case JSON_TOKEN_STRING:
			return JSON_KIND_STRING;
		case JSON_TOKEN_NUMBER:
			for (const char *position = lex->token_start; position < lex->token_terminator; position++)
				if (*position == '.' || *position == 'e' || *position == 'E')
					return JSON_KIND_FRACTION;
			return JSON_KIND_INTEGER;
		case JSON_TOKEN_OBJECT_START:
			return JSON_KIND_OBJECT;
		case JSON_TOKEN_ARRAY_START:
			return JSON_KIND_ARRAY;
		case JSON_TOKEN_TRUE:
			return JSON_KIND_TRUE;
		case JSON_TOKEN_FALSE:
			return JSON_KIND_FALSE;
		case JSON_TOKEN_NULL:
			return JSON_KIND_NULL;
		default:
			report_unexpected(reader, JSON_EXPECTED_JSON);
			return JSON_KIND_NULL;
	}
}

/*
 * JsonReaderSkip
 *		Read past any value, checking its syntax.  Overwrites reader->string.
 *
 * Errors	KV011; KV001 nesting text beyond a depth that no request has
 */
void
JsonReaderSkip(JsonReader *reader)
{
	bool		is_object[JSON_MAX_DEPTH];
	bool		first[JSON_MAX_DEPTH];
	int			depth = 0;

	do
	{
		JsonKind	kind;

		if (depth > 0 &&
			!(is_object[depth - 1] ? JsonReaderNextMember(reader, &first[depth - 1]) : JsonReaderNextElement(reader, &first[depth - 1])))
		{
			depth--;
			continue;
		}
		kind = JsonReaderPeek(reader);
		if (kind == JSON_KIND_OBJECT || kind == JSON_KIND_ARRAY)
		{
			if (depth == JSON_MAX_DEPTH)
			{
				JsonReaderReportNesting(reader);
				return;
			}
			is_object[depth] = kind == JSON_KIND_OBJECT;
			first[depth] = true;
			depth++;
		}
		advance(reader);
	} while (depth > 0 && !reader->failed);
}

/*
 * JsonReaderReportNesting
 *		KV001: nested too deep.
 */
void
JsonReaderReportNesting(JsonReader *reader)
{
	if (reader->failed)
		return;
	reader->failed = true;
	errsave(reader->escontext, (errcode(ERRCODE_KV_VALIDATION), errmsg(MESSAGE_NESTING)));
}

/* The value of four hexadecimal digits, which the lexer has checked. */
static pg_wchar
read_hex(const char *digits)
{
	pg_wchar	result = 0;

	for (int i = 0; i < 4; i++)
	{
		char		digit = digits[i];

		result = result << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
	}
	return result;
}

/*
 * append_escape
 *		Append the character that an escape stands for; position is behind the backslash.  Returns the end of the escape.
 */
static const char *
append_escape(JsonReader *reader, const char *position, const char *end)
{
	unsigned char utf8[8];
	pg_wchar	character;

	switch (*position++)
	{
		case 'b':
			appendStringInfoChar(&reader->string, '\b');
			return position;
		case 'f':
			appendStringInfoChar(&reader->string, '\f');
			return position;
		case 'n':
			appendStringInfoChar(&reader->string, '\n');
			return position;
		case 'r':
			appendStringInfoChar(&reader->string, '\r');
			return position;
		case 't':
			appendStringInfoChar(&reader->string, '\t');
			return position;
		case 'u':
			break;
		default:				/* one of " \ and / */
			appendStringInfoChar(&reader->string, position[-1]);
			return position;
	}

	character = read_hex(position);
	position += 4;
	if (is_utf16_surrogate_second(character))
	{
		report_lexer_error(reader, JSON_UNICODE_LOW_SURROGATE);
		return end;
	}
	if (is_utf16_surrogate_first(character))
	{
		pg_wchar	second = end - position >= 6 && position[0] == '\\' && position[1] == 'u' ? read_hex(position + 2) : 0;

		if (!is_utf16_surrogate_second(second))
		{
			report_lexer_error(reader, JSON_UNICODE_LOW_SURROGATE);
			return end;
		}
		character = surrogate_pair_to_codepoint(character, second);
		position += 6;
	}
	unicode_to_utf8(character, utf8);
	appendBinaryStringInfo(&reader->string, (const char *) utf8, pg_utf_mblen(utf8));
	return position;
}

/*
 * JsonReaderString
 *		The next value, a string, is left in reader->string; it may hold U+0000.
 */
void
JsonReaderString(JsonReader *reader)
{
	const char *position;
	const char *end;

	resetStringInfo(&reader->string);
	if (reader->failed)
		return;
	Assert(reader->lex->token_type == JSON_TOKEN_STRING);
	position = reader->lex->token_start + 1;
	end = reader->lex->token_terminator - 1;
	while (position < end)
	{
		const char *escape = memchr(position, '\\', end - position);

		if (escape == NULL)
			escape = end;
		appendBinaryStringInfo(&reader->string, position, escape - position);
		position = escape == end ? end : append_escape(reader, escape + 1, end);
	}

	/* A database that checks no encoding lets other bytes in. */
	if (GetDatabaseEncoding() != PG_UTF8 && !StringIsValid(reader->string.data, reader->string.len))
		report_malformed(reader, "A string is not valid UTF-8.");
	advance(reader);
}

/*
 * JsonReaderNumber
 *		The text of the next value, a number, is left in reader->string.
 */
void
JsonReaderNumber(JsonReader *reader)
{
	resetStringInfo(&reader->string);
	if (reader->failed)
		return;
	Assert(reader->lex->token_type == JSON_TOKEN_NUMBER);
	appendBinaryStringInfo(&reader->string, reader->lex->token_start, reader->lex->token_terminator - reader->lex->token_start);
	advance(reader);
}

/*
 * JsonReaderBoolean
 *		The next value, which is true or false.
 */
bool
JsonReaderBoolean(JsonReader *reader)
{
	bool		result = reader->lex->token_type == JSON_TOKEN_TRUE;

	Assert(reader->failed || result || reader->lex->token_type == JSON_TOKEN_FALSE);
	advance(reader);
	return result;
}

/*
 * JsonReaderEnterObject
 *		The next value must be an object: enter it.  Then call JsonReaderNextMember until it is false.
 */
void
JsonReaderEnterObject(JsonReader *reader)
{
	expect(reader, JSON_TOKEN_OBJECT_START, JSON_EXPECTED_JSON);
}

/*
 * JsonReaderNextMember
 *		Read the next member's name into reader->string, its value comes next; false at the end of the object, which is consumed.
 *
 * first	true before the first call for an object
 */
bool
JsonReaderNextMember(JsonReader *reader, bool *first)
{
	JsonLexContext *lex = reader->lex;

	CHECK_FOR_INTERRUPTS();
	if (reader->failed)
		return false;
	if (lex->token_type == JSON_TOKEN_OBJECT_END)
	{
		advance(reader);
		return false;
	}
	if (!*first)
		expect(reader, JSON_TOKEN_COMMA, JSON_EXPECTED_OBJECT_NEXT);
	if (!reader->failed && lex->token_type != JSON_TOKEN_STRING)
		report_unexpected(reader, *first ? JSON_EXPECTED_OBJECT_FIRST : JSON_EXPECTED_STRING);
	*first = false;
	JsonReaderString(reader);
	if (!reader->failed)
		expect(reader, JSON_TOKEN_COLON, JSON_EXPECTED_COLON);
	return !reader->failed;
}

/*
 * JsonReaderEnterArray
 *		The next value must be an array: enter it.  Then call JsonReaderNextElement until it is false.
 */
void
JsonReaderEnterArray(JsonReader *reader)
{
	expect(reader, JSON_TOKEN_ARRAY_START, JSON_EXPECTED_JSON);
}

/*
 * JsonReaderNextElement
 *		Does another element come?  False at the end of the array, which is consumed.
 *
 * first	true before the first call for an array
 */
bool
JsonReaderNextElement(JsonReader *reader, bool *first)
{
	CHECK_FOR_INTERRUPTS();
	if (reader->failed)
		return false;
	if (reader->lex->token_type == JSON_TOKEN_ARRAY_END)
	{
		advance(reader);
		return false;
	}
	if (!*first)
	{
		expect(reader, JSON_TOKEN_COMMA, JSON_EXPECTED_ARRAY_NEXT);
		if (!reader->failed && reader->lex->token_type == JSON_TOKEN_ARRAY_END)
			report_unexpected(reader, JSON_EXPECTED_JSON);
	}
	*first = false;
	return !reader->failed;
}

/*
 * JsonReaderFinish
 *		Nothing but white space may follow.
 */
void
JsonReaderFinish(JsonReader *reader)
{
	if (!reader->failed && reader->lex->token_type != JSON_TOKEN_END)
		report_lexer_error(reader, JSON_EXPECTED_END);
}

/* Is any of the eight bytes one that a JSON string escapes: below 0x20, a quote, a backslash? */
static inline bool
needs_escape(const char *data)
{
	const uint64 ones = UINT64CONST(0x0101010101010101);
	const uint64 high = UINT64CONST(0x8080808080808080);
	uint64		bytes;
	uint64		quote;
	uint64		backslash;

	memcpy(&bytes, data, sizeof(bytes));
	quote = bytes ^ (ones * '"');
	backslash = bytes ^ (ones * '\\');
	/* The bytewise (x - n) & ~x of "Bit Twiddling Hacks": true for some byte exactly if one is below n. */
	return ((((bytes - ones * ' ') & ~bytes) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & high) != 0;
}

/*
 * JsonWriteString
 *		Append a JSON string with its quotes: control characters escaped, the rest raw UTF-8.
 */
void
JsonWriteString(StringInfo out, const char *data, uint32 length)
{
	static const char hex[] = "0123456789abcdef";
	const char *end = data + length;
	const char *clean = data;	/* start of what is not yet written */

	appendStringInfoChar(out, '"');
	for (const char *position = data; position < end; position++)
	{
		unsigned char character = (unsigned char) *position;
		char		escape[6] = {'\\', 'u', '0', '0'};
		int			escape_length = 2;

		if (likely(character >= ' ' && character != '"' && character != '\\'))
		{
			while (end - position > sizeof(uint64) && !needs_escape(position + 1))
				position += sizeof(uint64);
			continue;
		}
		switch (character)
		{
			case '"':
			case '\\':
				escape[1] = (char) character;
				break;
			case '\b':
				escape[1] = 'b';
				break;
			case '\f':
				escape[1] = 'f';
				break;
			case '\n':
				escape[1] = 'n';
				break;
			case '\r':
				escape[1] = 'r';
				break;
			case '\t':
				escape[1] = 't';
				break;
			default:
				escape[4] = hex[character >> 4];
				escape[5] = hex[character & 0xF];
				escape_length = 6;
		}
		appendBinaryStringInfo(out, clean, position - clean);
		appendBinaryStringInfo(out, escape, escape_length);
		clean = position + 1;
	}
	appendBinaryStringInfo(out, clean, end - clean);
	appendStringInfoChar(out, '"');
}

/*
 * JsonWriteBase64
 *		Append bytes in base64, padded, without quotes.
 */
void
JsonWriteBase64(StringInfo out, const char *data, uint32 length)
{
	int			room = pg_b64_enc_len((int) length);
	int			written;

	enlargeStringInfo(out, room);
	written = pg_b64_encode((const void *) data, (int) length, out->data + out->len, room);
	if (written < 0)
		elog(ERROR, "could not encode base64");
	out->len += written;
	out->data[out->len] = '\0';
}

static void
write_number(StringInfo out, const char *data, uint32 length)
{
	enlargeStringInfo(out, ITEM_NUMBER_TEXT_MAX);
	out->len += ItemNumberToText(data, length, out->data + out->len);
}

/* Appends a string literal. */
#define write_literal(out, literal) appendBinaryStringInfo(out, literal, sizeof(literal) - 1)

/* The JSON value of a scalar; N is quoted in the typed form. */
static void
write_scalar(StringInfo out, const AttributeValue *value, bool is_typed)
{
	bool		is_quoted = value->type == ATTRIBUTE_B || (is_typed && value->type == ATTRIBUTE_N);

	if (is_quoted)
		appendStringInfoChar(out, '"');
	switch (value->type)
	{
		case ATTRIBUTE_S:
			JsonWriteString(out, value->data, value->length);
			break;
		case ATTRIBUTE_N:
			write_number(out, value->data, value->length);
			break;
		case ATTRIBUTE_B:
			JsonWriteBase64(out, value->data, value->length);
			break;
		case ATTRIBUTE_BOOL:
			if (value->data[0] != 0)
				write_literal(out, "true");
			else
				write_literal(out, "false");
			break;
		default:
			/* DynamoDB's NULL has the value true. */
			if (is_typed)
				write_literal(out, "true");
			else
				write_literal(out, "null");
	}
	if (is_quoted)
		appendStringInfoChar(out, '"');
}

static void write_value(StringInfo out, const AttributeValue *value, bool is_typed);

static void
write_map(StringInfo out, const AttributeContainer *map, bool is_typed)
{
	appendStringInfoChar(out, '{');
	for (uint32 i = 0; i < map->count; i++)
	{
		Attribute	attribute;

		if (i > 0)
			write_literal(out, ", ");
		AttributeMapGet(map, i, &attribute);
		JsonWriteString(out, attribute.name, attribute.name_length);
		write_literal(out, ": ");
		write_value(out, &attribute.value, is_typed);
	}
	appendStringInfoChar(out, '}');
}

static void
write_value(StringInfo out, const AttributeValue *value, bool is_typed)
{
	AttributeContainer container;

	if (is_typed)
	{
		write_literal(out, "{\"");
		appendStringInfoString(out, AttributeTypeName(value->type));
		write_literal(out, "\": ");
	}

	if (value->type < ATTRIBUTE_NS)
		write_scalar(out, value, is_typed);
	else
	{
		check_stack_depth();
		AttributeContainerOpen(value, &container);
		if (container.type == ATTRIBUTE_M)
			write_map(out, &container, is_typed);
		else
		{
			appendStringInfoChar(out, '[');
			for (uint32 i = 0; i < container.count; i++)
			{
				AttributeValue entry;

				if (i > 0)
					write_literal(out, ", ");
				AttributeContainerGet(&container, i, &entry);
				if (container.type == ATTRIBUTE_L)
					write_value(out, &entry, is_typed);
				else
					write_scalar(out, &entry, is_typed);
			}
			appendStringInfoChar(out, ']');
		}
	}

	if (is_typed)
		appendStringInfoChar(out, '}');
}

/*
 * JsonWriteItem
 *		Append a map as DynamoDB JSON: {"age": {"N": "31"}}
 */
void
JsonWriteItem(StringInfo out, const AttributeContainer *map)
{
	write_map(out, map, true);
}

/*
 * JsonWriteValue
 *		Append a value as DynamoDB JSON: {"N": "31"}
 */
void
JsonWriteValue(StringInfo out, const AttributeValue *value)
{
	write_value(out, value, true);
}

/*
 * JsonWritePlainItem
 *		Append a map as plain JSON: {"age": 31}
 */
void
JsonWritePlainItem(StringInfo out, const AttributeContainer *map)
{
	write_map(out, map, false);
}

/*
 * JsonWritePlainValue
 *		Append a value as plain JSON: sets are arrays, B is base64, numbers are numbers.
 */
void
JsonWritePlainValue(StringInfo out, const AttributeValue *value)
{
	write_value(out, value, false);
}
