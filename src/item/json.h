/*
 * src/item/json.h
 *		Items as JSON: the reader that items and requests share, and the writer.
 *
 * The reader is PostgreSQL's JSON lexer (common/jsonapi.h) with our own descent: the server's parser recurses without DynamoDB's
 * limit, reports its own errors, and refuses \u0000.  Strings are unescaped here.  A repeated member: the last one wins.
 */
#ifndef SINGLETABLE_JSON_H
#define SINGLETABLE_JSON_H

#include "common/jsonapi.h"

#include "item/item.h"

typedef struct JsonReader
{
	JsonLexContext *lex;
	struct Node *escontext;		/* soft errors where the server has them; NULL to raise */
	StringInfoData string;		/* the current string or member name, unescaped, NUL-terminated beside its length */
	ItemBuilder *builder;		/* for values that are read into items */
	bool		failed;			/* a soft error was saved: unwind */
	bool		defer;			/* set by callers: do not raise KV001 texts of values, keep the first one in invalid */
	const char *invalid;		/* palloc'd or static; NULL while every value read was valid */
} JsonReader;

typedef enum JsonKind
{
	JSON_KIND_NULL,
	JSON_KIND_TRUE,
	JSON_KIND_FALSE,
	JSON_KIND_INTEGER,			/* a number without fraction and exponent */
	JSON_KIND_FRACTION,			/* any other number */
	JSON_KIND_STRING,
	JSON_KIND_ARRAY,
	JSON_KIND_OBJECT
} JsonKind;

/* Begins reading text; malformed JSON, found anywhere, is KV011 SerializationException with the lexer's reason as detail. */
extern void JsonReaderInit(JsonReader *reader, const char *text, uint32 length, struct Node *escontext);
/* What the next value is.  Consumes nothing. */
extern JsonKind JsonReaderPeek(JsonReader *reader);
/* Reads past any value, checking its syntax; KV001 nesting text beyond a depth that no request has. */
extern void JsonReaderSkip(JsonReader *reader);
/* What JsonReaderSkip raises: nested too deep. */
extern void JsonReaderReportNesting(JsonReader *reader);
/* The next value must be a string (resp. number): leaves it in reader->string (a number: its text). */
extern void JsonReaderString(JsonReader *reader);
extern void JsonReaderNumber(JsonReader *reader);
extern bool JsonReaderBoolean(JsonReader *reader);
/* { and [: enter, then Next until it returns false (which has consumed the closing bracket).  Next of an object leaves the
 * member's name in reader->string. */
extern void JsonReaderEnterObject(JsonReader *reader);
extern bool JsonReaderNextMember(JsonReader *reader, bool *first);
extern void JsonReaderEnterArray(JsonReader *reader);
extern bool JsonReaderNextElement(JsonReader *reader, bool *first);
/* Nothing but white space may follow. */
extern void JsonReaderFinish(JsonReader *reader);

/*
 * An item in DynamoDB JSON: an object of typed values.  KV011 for wrong JSON kinds, KV001 for wrong values, texts and order of
 * reference/data-model.
 *
 * DynamoDB binds a whole request before it looks at values, so a KV011 anywhere wins over a KV001 before it.  Within what one call
 * reads this holds by itself: the first KV001 waits for the end.  A caller that goes on binding, or wraps the text, sets
 * reader->defer and then looks at reader->invalid (and clears it, to go on); the result is NULL (of JsonReadTypedValue: of no
 * meaning) when it is set.  Nesting beyond the limit is raised at once, never deferred, as DynamoDB never wraps it.
 *
 * With soft errors (escontext) the result is NULL and reader->failed is set.
 */
extern SingletableItem *JsonReadTypedItem(JsonReader *reader);
/* One typed value, into the reader's builder. */
extern void JsonReadTypedValue(JsonReader *reader);
/* An item in either form, decided per value (design section 2). */
extern SingletableItem *JsonReadItem(JsonReader *reader);
/* Raises the KV001 that was deferred, if there is one. */
extern void JsonReaderRaiseInvalid(JsonReader *reader);
/* An item in plain JSON: no object is a typed value. */
extern SingletableItem *JsonReadPlainItem(JsonReader *reader);

/* Typed JSON, no white space beyond one blank after ':' and ','. */
extern void JsonWriteItem(StringInfo out, const AttributeContainer *map);
extern void JsonWriteValue(StringInfo out, const AttributeValue *value);
/* A JSON string with its quotes; control characters and U+0000 escaped, the rest raw UTF-8. */
extern void JsonWriteString(StringInfo out, const char *data, uint32 length);
/* Base64 with padding, without quotes. */
extern void JsonWriteBase64(StringInfo out, const char *data, uint32 length);
/* Plain JSON: sets are arrays, B is base64, numbers are numbers. */
extern void JsonWritePlainItem(StringInfo out, const AttributeContainer *map);
extern void JsonWritePlainValue(StringInfo out, const AttributeValue *value);

#endif							/* SINGLETABLE_JSON_H */
