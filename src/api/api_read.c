/*
 * src/api/api_read.c
 *		Request bodies bound to structs.
 *
 * Binding is one pass: the reader's tokens go straight into the struct, typed values straight into items.  A wrong typed value is
 * no error yet, since the service looks at values only after names and constraints: its text is kept beside the value
 * (ApiItem.invalid).  When the pass raises, because a JSON value is of the wrong kind, the body is walked once more to find out which
 * error the service would report first: malformed JSON anywhere comes before all else, and in a structure the wrong kinds of its
 * nested members come before those of its scalars.
 *
 * Source: reference/errors, section 5; reference/data-model, section 3.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "api/api_internal.h"

/* Deeper than this, wrong kinds are not looked for: nothing that is bound nests so deep. */
#define MAX_CHECKED_DEPTH 100

/* Structures in one list: all real limits are far smaller, and a body of 16 MB could ask for gigabytes of them. */
#define LIST_MAX_STRUCTURES 1000

#define PARAMETERIZED_TYPE \
	"class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " \
	"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
#define NOT_EXPECTED "Start of structure or map found where not expected"
#define JAVA_PACKAGE "com.amazonaws.dynamodb.v20120810."

const ApiType ApiStringType = {.kind = API_STRING, .java_name = "String", .size = sizeof(ApiString)};
const ApiType ApiBooleanType = {.kind = API_BOOLEAN, .java_name = "Boolean", .size = sizeof(ApiBoolean)};
const ApiType ApiIntegerType = {.kind = API_INTEGER, .java_name = "Integer", .size = sizeof(ApiInteger)};
const ApiType ApiLongType = {.kind = API_LONG, .java_name = "Long", .size = sizeof(ApiInteger)};
const ApiType ApiValueType = {.kind = API_VALUE, .java_name = "AttributeValue", .size = sizeof(ApiValue)};
const ApiType ApiItemType = {.kind = API_ITEM, .size = sizeof(ApiItem), .element = &ApiValueType};
const ApiType ApiStringListType = API_LIST_TYPE(ApiStringType);
const ApiType ApiStringMapType = API_MAP_TYPE(ApiStringType);
const ApiType ApiValueListType = API_LIST_TYPE(ApiValueType);
const ApiType ApiValueMapType = API_MAP_TYPE(ApiValueType);
const ApiType ApiItemListType = API_LIST_TYPE(ApiItemType);

/* A typed value as the service declares it, for the check. */
static const ApiType blob_type = {.kind = API_BLOB, .java_name = "java.nio.ByteBuffer"};
static const ApiType blob_list_type = {.kind = API_LIST, .element = &blob_type};
static const ApiMember value_members[] = {
	{"S", 1, 0, &ApiStringType},
	{"N", 1, 0, &ApiStringType},
	{"B", 1, 0, &blob_type},
	{"BOOL", 4, 0, &ApiBooleanType},
	{"NULL", 4, 0, &ApiBooleanType},
	{"M", 1, 0, &ApiItemType},
	{"L", 1, 0, &ApiValueListType},
	{"SS", 2, 0, &ApiStringListType},
	{"NS", 2, 0, &ApiStringListType},
	{"BS", 2, 0, &blob_list_type},
};
static const ApiType value_structure = {.kind = API_STRUCTURE, .java_name = "AttributeValue",
.member_count = lengthof(value_members), .members = value_members};

static void bind_value(JsonReader *reader, const ApiType *type, void *target);
static char *check_value(JsonReader *reader, const ApiType *type, bool is_member, int depth);

static const ApiMember *
find_member(const ApiType *type, const StringInfoData *name)
{
	for (int i = 0; i < type->member_count; i++)
		if (type->members[i].name_length == name->len && memcmp(type->members[i].name, name->data, name->len) == 0)
			return &type->members[i];
	return NULL;
}

/*
 * parse_boolean_word
 *		Strings that count as booleans.  False if it is none of them.
 */
static bool
parse_boolean_word(const StringInfoData *word, bool *value)
{
	static const char *const words[] = {"false", "true", "0", "1", "no", "yes"};

	for (int i = 0; i < lengthof(words); i++)
		if (word->len == strlen(words[i]) && pg_strcasecmp(word->data, words[i]) == 0)
		{
			*value = i % 2;
			return true;
		}
	return false;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Check: which error comes first?
 */

/* The T of a map's java.util.Map<java.lang.String, T>. */
static char *
describe_map_value(const ApiType *type)
{
	switch (type->kind)
	{
		case API_STRING:
			return pstrdup("java.lang.String");
		case API_LIST:
			return psprintf("java.util.List<%s>", describe_map_value(type->element));
		default:
			return psprintf(JAVA_PACKAGE "%s", type->java_name);
	}
}

/*
 * describe_wrong_kind
 *		The text for a JSON value that cannot be bound to type; NULL if it can.  is_member: of a structure, not of a list or map.
 */
static char *
describe_wrong_kind(const ApiType *type, JsonKind kind, bool is_member)
{
	static const char *const value_names[] = {
		[JSON_KIND_TRUE] = "TRUE_VALUE",
		[JSON_KIND_FALSE] = "FALSE_VALUE",
		[JSON_KIND_INTEGER] = "NUMBER_VALUE",
		[JSON_KIND_FRACTION] = "DECIMAL_VALUE",
		[JSON_KIND_STRING] = "STRING_VALUE",
	};

	if (kind == JSON_KIND_NULL)
		return NULL;
	switch (type->kind)
	{
		case API_STRING:
		case API_BOOLEAN:
		case API_INTEGER:
		case API_LONG:
			if (kind == JSON_KIND_ARRAY)
				return psprintf("Unrecognized collection type class java.lang.%s", type->java_name);
			if (kind == JSON_KIND_OBJECT)
				return pstrdup(NOT_EXPECTED);
			if (type->kind == API_STRING ? kind == JSON_KIND_STRING :
				type->kind == API_BOOLEAN ? kind == JSON_KIND_STRING || kind == JSON_KIND_TRUE || kind == JSON_KIND_FALSE :
				kind == JSON_KIND_INTEGER || kind == JSON_KIND_FRACTION)
				return NULL;
			return psprintf("%s cannot be converted to %s", value_names[kind], type->java_name);

		case API_BLOB:
			if (kind == JSON_KIND_ARRAY)
				return psprintf("Unrecognized collection type class %s", type->java_name);
			if (kind == JSON_KIND_OBJECT)
				return pstrdup(NOT_EXPECTED);
			if (kind != JSON_KIND_STRING)
				return pstrdup("only base-64-encoded strings are convertible to bytes");
			return NULL;

		case API_LIST:
			if (kind == JSON_KIND_ARRAY)
				return NULL;
			if (kind == JSON_KIND_OBJECT)
				return pstrdup(NOT_EXPECTED);
			return pstrdup(is_member ? "Unexpected field type" : PARAMETERIZED_TYPE);

		case API_MAP:
		case API_ITEM:
			if (kind == JSON_KIND_OBJECT)
				return NULL;
			if (kind == JSON_KIND_ARRAY)
				return psprintf("Unrecognized collection type java.util.Map<java.lang.String, %s>", describe_map_value(type->element));
			return pstrdup(is_member ? "Unexpected field type" : PARAMETERIZED_TYPE);

		case API_VALUE:
		case API_STRUCTURE:
			if (kind == JSON_KIND_OBJECT)
				return NULL;
			if (kind == JSON_KIND_ARRAY)
				return psprintf("Unrecognized collection type class " JAVA_PACKAGE "%s", type->java_name);
			return pstrdup(is_member ? "Unexpected field type" : "Unexpected value type in payload");
	}
	return NULL;
}

/*
 * skip_checked
 *		Read past a value that nothing is bound to.  If it nests beyond all reason that is no matter of items: malformed.
 */
static void
skip_checked(JsonReader *reader)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		JsonReaderSkip(reader);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_KV_VALIDATION)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		serialization_error(API_MESSAGE_MALFORMED);
	}
	PG_END_TRY();
}

/*
 * check_value
 *		Read past a value; the text of the first wrong kind in it, palloc'd, or NULL.
 *
 * It reads on after a wrong kind, since malformed JSON behind it (raised by the reader) would come first.
 */
static char *
check_value(JsonReader *reader, const ApiType *type, bool is_member, int depth)
{
	JsonKind	kind = JsonReaderPeek(reader);
	char	   *wrong = describe_wrong_kind(type, kind, is_member);
	char	   *wrong_scalar = NULL;
	bool		first = true;

	check_stack_depth();
	if (depth > MAX_CHECKED_DEPTH)
	{
		JsonReaderSkip(reader);
		return wrong;
	}
	if (wrong != NULL || kind == JSON_KIND_NULL)
	{
		skip_checked(reader);
		return wrong;
	}
	switch (type->kind)
	{
		case API_BOOLEAN:
			if (kind == JSON_KIND_STRING)
			{
				bool		value;

				JsonReaderString(reader);
				if (!parse_boolean_word(&reader->string, &value))
					return pstrdup("Unexpected token received from parser");
				break;
			}
			JsonReaderSkip(reader);
			break;

		case API_LIST:
			JsonReaderEnterArray(reader);
			while (JsonReaderNextElement(reader, &first))
			{
				char	   *wrong_element = check_value(reader, type->element, false, depth + 1);

				if (wrong == NULL)
					wrong = wrong_element;
			}
			break;

		case API_MAP:
		case API_ITEM:
			JsonReaderEnterObject(reader);
			while (JsonReaderNextMember(reader, &first))
			{
				char	   *wrong_element = check_value(reader, type->element, false, depth + 1);

				if (wrong == NULL)
					wrong = wrong_element;
			}
			break;

		case API_VALUE:
			return check_value(reader, &value_structure, is_member, depth);

		case API_STRUCTURE:
			JsonReaderEnterObject(reader);
			while (JsonReaderNextMember(reader, &first))
			{
				const ApiMember *member = find_member(type, &reader->string);
				char	   *wrong_member;

				if (member == NULL)
				{
					skip_checked(reader);
					continue;
				}
				wrong_member = check_value(reader, member->type, true, depth + 1);
				if (member->type->kind < API_VALUE && wrong_scalar == NULL)
					wrong_scalar = wrong_member;
				else if (member->type->kind >= API_VALUE && wrong == NULL)
					wrong = wrong_member;
			}
			break;

		default:
			JsonReaderSkip(reader);
			break;
	}
	return wrong != NULL ? wrong : wrong_scalar;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Bind
 */

/* Something is wrong, the check will find out what: this text shows only if it does not. */
static void
report_wrong_kind(const ApiType *type, JsonKind kind)
{
	char	   *text = describe_wrong_kind(type, kind, true);

	serialization_error("%s", text ? text : "Unexpected token received from parser");
}

static void
bind_string(JsonReader *reader, ApiString *target)
{
	JsonReaderString(reader);
	/* Not pstrdup: U+0000 is a character as any other. */
	target->data = memcpy(palloc(reader->string.len + 1), reader->string.data, reader->string.len + 1);
	target->length = reader->string.len;
}

static void
bind_integer(JsonReader *reader, const ApiType *type, ApiInteger *target)
{
	int64		minimum = type->kind == API_LONG ? PG_INT64_MIN : PG_INT32_MIN;
	int64		maximum = type->kind == API_LONG ? PG_INT64_MAX : PG_INT32_MAX;
	char	   *end;
	int64		value;

	JsonReaderNumber(reader);
	target->is_present = true;
	errno = 0;
	value = strtoi64(reader->string.data, &end, 10);
	if (*end != '\0')
	{
		/* A fraction or an exponent: cut. */
		double		number = strtod(reader->string.data, NULL);

		if (number >= (double) maximum)
			value = maximum;
		else if (number <= (double) minimum)
			value = minimum;
		else
			value = (int64) trunc(number);
	}
	/* Beyond 64 bits strtoi64 has left the nearest bound. */
	target->value = Max(minimum, Min(maximum, value));
}

/* A typed value or a map of them. */
static void
bind_typed(JsonReader *reader, const ApiType *type, void *target)
{
	if (type->kind == API_ITEM)
	{
		ApiItem    *item = target;

		item->is_present = true;
		item->item = JsonReadTypedItem(reader);
		item->invalid = reader->invalid;
	}
	else
	{
		ApiValue   *value = target;

		value->is_present = true;
		ItemBuilderReset(reader->builder);
		JsonReadTypedValue(reader);
		value->invalid = reader->invalid;
		if (value->invalid == NULL)
			ItemBuilderFinish(reader->builder, &value->value);
	}
	reader->invalid = NULL;
}

/* Room for one element more in an array that grows by doubling; new room is zeroed by the caller element by element. */
static void *
grow_array(void *array, int count, size_t size)
{
	/* Powers of two from 4 on are the full ones. */
	if (array == NULL)
		return palloc(4 * size);
	if (count >= 4 && (count & (count - 1)) == 0)
		return repalloc_huge(array, (Size) count * 2 * size);
	return array;
}

static void
bind_list(JsonReader *reader, const ApiType *type, ApiList *list)
{
	size_t		size = type->element->size;
	bool		first = true;

	list->is_present = true;
	JsonReaderEnterArray(reader);
	while (JsonReaderNextElement(reader, &first))
	{
		char	   *element;

		if (list->count >= LIST_MAX_STRUCTURES && type->element->kind == API_STRUCTURE)
			validation_error("1 validation error detected: Value '[...]' failed to satisfy constraint: "
							 "Member must have length less than or equal to %d", LIST_MAX_STRUCTURES);
		list->elements = grow_array(list->elements, list->count, size);
		element = (char *) list->elements + list->count * size;
		memset(element, 0, size);
		bind_value(reader, type->element, element);
		list->count++;
	}
}

typedef struct MapPosition
{
	const ApiString *key;
	int			position;
} MapPosition;

static int
compare_positions(const void *a, const void *b)
{
	const MapPosition *x = a;
	const MapPosition *y = b;
	int			order = memcmp(x->key->data, y->key->data, Min(x->key->length, y->key->length));

	if (order == 0)
		order = (x->key->length > y->key->length) - (x->key->length < y->key->length);
	return order != 0 ? order : x->position - y->position;
}

/*
 * drop_entries
 *		Keep the last entry of each key, unless it is absent; the others stay in the order of the text.
 */
static void
drop_entries(ApiMap *map, size_t size, const bool *is_absent)
{
	MapPosition *sorted = palloc_extended(map->count * sizeof(MapPosition), MCXT_ALLOC_HUGE);
	bool	   *is_dropped = palloc_extended(map->count, MCXT_ALLOC_HUGE);
	int			kept = 0;

	for (int i = 0; i < map->count; i++)
		sorted[i] = (MapPosition) {&map->keys[i], i};
	qsort(sorted, map->count, sizeof(MapPosition), compare_positions);
	for (int i = 0; i < map->count; i++)
	{
		const MapPosition *next = i + 1 < map->count ? &sorted[i + 1] : NULL;

		is_dropped[sorted[i].position] = is_absent[sorted[i].position] ||
			(next != NULL && sorted[i].key->length == next->key->length &&
			 memcmp(sorted[i].key->data, next->key->data, next->key->length) == 0);
	}

	for (int i = 0; i < map->count; i++)
	{
		if (is_dropped[i])
			continue;
		if (kept != i)
		{
			map->keys[kept] = map->keys[i];
			memcpy((char *) map->values + kept * size, (char *) map->values + i * size, size);
		}
		kept++;
	}
	map->count = kept;
	pfree(sorted);
	pfree(is_dropped);
}

static void
bind_map(JsonReader *reader, const ApiType *type, ApiMap *map)
{
	size_t		size = type->element->size;
	bool	   *is_absent = NULL;
	bool		has_absent = false;
	bool		first = true;

	map->is_present = true;
	JsonReaderEnterObject(reader);
	while (JsonReaderNextMember(reader, &first))
	{
		ApiString  *key;
		char	   *value;

		map->keys = grow_array(map->keys, map->count, sizeof(ApiString));
		map->values = grow_array(map->values, map->count, size);
		is_absent = grow_array(is_absent, map->count, sizeof(bool));
		key = &map->keys[map->count];
		key->length = reader->string.len;
		key->data = memcpy(palloc(key->length + 1), reader->string.data, key->length + 1);
		value = (char *) map->values + map->count * size;
		memset(value, 0, size);
		is_absent[map->count] = JsonReaderPeek(reader) == JSON_KIND_NULL;
		has_absent |= is_absent[map->count];
		bind_value(reader, type->element, value);
		map->count++;
	}
	if (map->count > 1 || has_absent)
		drop_entries(map, size, is_absent);
}

static void
bind_structure(JsonReader *reader, const ApiType *type, void *target)
{
	bool		first = true;

	*(bool *) target = true;	/* is_present */
	JsonReaderEnterObject(reader);
	while (JsonReaderNextMember(reader, &first))
	{
		const ApiMember *member = find_member(type, &reader->string);

		if (member == NULL)
			JsonReaderSkip(reader);
		else
		{
			void	   *place = (char *) target + member->offset;

			/* Of a repeated member the last wins. */
			memset(place, 0, member->type->size);
			bind_value(reader, member->type, place);
		}
	}
}

/*
 * bind_value
 *		Read a value into target, which is zeroed.
 */
static void
bind_value(JsonReader *reader, const ApiType *type, void *target)
{
	JsonKind	kind = JsonReaderPeek(reader);

	if (kind == JSON_KIND_NULL)
	{
		JsonReaderSkip(reader);
		return;
	}
	switch (type->kind)
	{
		case API_STRING:
			if (kind != JSON_KIND_STRING)
				report_wrong_kind(type, kind);
			bind_string(reader, target);
			break;

		case API_BOOLEAN:
			if (kind == JSON_KIND_TRUE || kind == JSON_KIND_FALSE)
				((ApiBoolean *) target)->value = JsonReaderBoolean(reader);
			else
			{
				if (kind != JSON_KIND_STRING)
					report_wrong_kind(type, kind);
				JsonReaderString(reader);
				if (!parse_boolean_word(&reader->string, &((ApiBoolean *) target)->value))
					report_wrong_kind(type, kind);
			}
			((ApiBoolean *) target)->is_present = true;
			break;

		case API_INTEGER:
		case API_LONG:
			if (kind != JSON_KIND_INTEGER && kind != JSON_KIND_FRACTION)
				report_wrong_kind(type, kind);
			bind_integer(reader, type, target);
			break;

		case API_VALUE:
		case API_ITEM:
			if (kind != JSON_KIND_OBJECT)
				report_wrong_kind(type, kind);
			bind_typed(reader, type, target);
			break;

		case API_LIST:
			if (kind != JSON_KIND_ARRAY)
				report_wrong_kind(type, kind);
			bind_list(reader, type, target);
			break;

		case API_MAP:
			if (kind != JSON_KIND_OBJECT)
				report_wrong_kind(type, kind);
			bind_map(reader, type, target);
			break;

		case API_STRUCTURE:
			if (kind != JSON_KIND_OBJECT)
				report_wrong_kind(type, kind);
			bind_structure(reader, type, target);
			break;

		case API_BLOB:
			elog(ERROR, "a blob cannot be bound");
	}
}

static void *
bind_body(const ApiType *type, const char *text, uint32 length)
{
	void	   *bound = palloc0(type->size);
	JsonReader	reader;

	JsonReaderInit(&reader, text, length, NULL);
	reader.defer = true;
	if (JsonReaderPeek(&reader) != JSON_KIND_OBJECT)
		serialization_error(API_MESSAGE_MALFORMED);
	bind_structure(&reader, type, bound);
	JsonReaderFinish(&reader);
	return bound;
}

void
ApiCheckBody(const ApiType *type, const char *text, uint32 length)
{
	JsonReader	reader;
	JsonKind	kind;
	char	   *wrong = NULL;

	JsonReaderInit(&reader, text, length, NULL);
	kind = JsonReaderPeek(&reader);
	if (kind == JSON_KIND_OBJECT && type != NULL)
		wrong = check_value(&reader, type, true, 0);
	else
		skip_checked(&reader);
	JsonReaderFinish(&reader);
	if (kind != JSON_KIND_OBJECT)
		serialization_error(API_MESSAGE_MALFORMED);
	if (wrong != NULL)
		serialization_error("%s", wrong);
}

void *
ApiBind(const ApiType *type, const char *text, uint32 length)
{
	MemoryContext context = CurrentMemoryContext;
	void	   *bound;

	PG_TRY();
	{
		bound = bind_body(type, text, length);
	}
	PG_CATCH();
	{
		ErrorData  *error;
		int			code = geterrcode();

		if (code != ERRCODE_KV_VALIDATION && code != ERRCODE_KV_SERIALIZATION)
			PG_RE_THROW();

		/* Reading takes memory and nothing else, so that its error needs no subtransaction to be forgotten. */
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		ApiCheckBody(type, text, length);
		ReThrowError(error);
	}
	PG_END_TRY();
	return bound;
}

void
ApiItemCheck(const ApiItem *item)
{
	if (item->invalid != NULL)
		validation_error("%s", item->invalid);
}

void
ApiValueCheck(const ApiValue *value)
{
	if (!value->is_present)
		validation_error("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
	if (value->invalid != NULL)
		validation_error("%s", value->invalid);
}
