/*
 * src/expression/placeholders.c
 *		The two maps that go with expressions: names for #placeholders and values for :placeholders.
 *
 * Source: reference/expressions, section 4, rows 4 to 10, 13 and 14; reference/data-model, sections 6 and 7.
 */
#include "postgres.h"

#include "base/error.h"
#include "expression/expression_internal.h"

static bool
is_placeholder(const Placeholder *entry, TokenType type)
{
	Token		token;

	TokenScan(entry->key, entry->key_length, 0, &token);
	return token.type == type && token.start == 0 && token.length == entry->key_length;
}

static int
compare_entries(const void *a, const void *b)
{
	const Placeholder *one = a;
	const Placeholder *two = b;

	return AttributeNameCompare(one->key, one->key_length, two->key, two->key_length);
}

static void
check_names(const Placeholder *names, uint32 count)
{
	if (count == 0)
		validation_error("ExpressionAttributeNames must not be empty");
	for (uint32 i = 0; i < count; i++)
		if (names[i].key_length > PLACEHOLDER_MAX_LENGTH)
			validation_error("ExpressionAttributeNames contains invalid key: "
							 "The expression attribute map contains a key that is too long; size of key: %u", names[i].key_length);
	for (uint32 i = 0; i < count; i++)
		if (!is_placeholder(&names[i], TOKEN_NAME_PLACEHOLDER))
			validation_error("ExpressionAttributeNames contains invalid key: Syntax error; key: \"%.*s\"",
							 (int) names[i].key_length, names[i].key);
	for (uint32 i = 0; i < count; i++)
	{
		if (names[i].name_length == 0)
			validation_error("ExpressionAttributeNames contains invalid value: Empty attribute name for key %.*s",
							 (int) names[i].key_length, names[i].key);
		if (names[i].name_length > ITEM_NAME_MAX)
			validation_error("Attribute name is too large, must be less than %d bytes", ITEM_NAME_MAX + 1);
	}
}

static void
check_values(const Placeholder *values, uint32 count)
{
	if (count == 0)
		validation_error("ExpressionAttributeValues must not be empty");
	for (uint32 i = 0; i < count; i++)
		if (values[i].key_length > PLACEHOLDER_MAX_LENGTH)
			validation_error("ExpressionAttributeValues contains invalid key: "
							 "The expression attribute map contains a key that is too long;");
	for (uint32 i = 0; i < count; i++)
		if (!is_placeholder(&values[i], TOKEN_VALUE_PLACEHOLDER))
			validation_error("ExpressionAttributeValues contains invalid key: Syntax error; key: \"%.*s\"",
							 (int) values[i].key_length, values[i].key);
	for (uint32 i = 0; i < count; i++)
		if (AttributeValueNesting(&values[i].value) > ITEM_MAX_NESTING)
			validation_error("Nesting Levels have exceeded supported limits: "
							 "Attributes in the item have nested levels beyond supported limit");
}

/*
 * PlaceholdersCheck
 *		What is wrong with the maps themselves.  Sorts their entries.
 */
void
PlaceholdersCheck(Placeholders *placeholders)
{
	if (placeholders->has_names)
		check_names(placeholders->names, placeholders->name_count);
	if (placeholders->has_values)
		check_values(placeholders->values, placeholders->value_count);
	if (placeholders->name_count > 1)
		qsort(placeholders->names, placeholders->name_count, sizeof(Placeholder), compare_entries);
	if (placeholders->value_count > 1)
		qsort(placeholders->values, placeholders->value_count, sizeof(Placeholder), compare_entries);
}

Placeholder *
PlaceholderFind(Placeholder *entries, uint32 count, const char *key, uint32 length)
{
	uint32		low = 0;

	while (low < count)
	{
		uint32		middle = low + (count - low) / 2;
		int			order = AttributeNameCompare(key, length, entries[middle].key, entries[middle].key_length);

		if (order == 0)
			return &entries[middle];
		if (order < 0)
			count = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static void
check_unused(const Placeholder *entries, uint32 count, const char *map)
{
	StringInfoData keys;

	for (uint32 i = 0;; i++)
	{
		if (i == count)
			return;
		if (!entries[i].is_used)
			break;
	}
	initStringInfo(&keys);
	for (uint32 i = 0; i < count; i++)
		if (!entries[i].is_used)
		{
			if (keys.len > 0)
				appendStringInfoString(&keys, ", ");
			appendBinaryStringInfo(&keys, entries[i].key, entries[i].key_length);
		}
	validation_error("Value provided in %s unused in expressions: keys: {%s}", map, keys.data);
}

void
PlaceholdersCheckUnused(const Placeholders *placeholders)
{
	check_unused(placeholders->names, placeholders->name_count, "ExpressionAttributeNames");
	check_unused(placeholders->values, placeholders->value_count, "ExpressionAttributeValues");
}

static void
read_names(Placeholders *placeholders, Jsonb *names)
{
	JsonbIterator *iterator;
	JsonbValue	member;
	JsonbIteratorToken token;
	Placeholder *entry;

	if (!JB_ROOT_IS_OBJECT(names))
		validation_error("attribute_names must be a JSON object of strings");
	placeholders->has_names = true;
	placeholders->names = entry = palloc0(sizeof(Placeholder) * JB_ROOT_COUNT(names));

	iterator = JsonbIteratorInit(&names->root);
	while ((token = JsonbIteratorNext(&iterator, &member, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
		{
			entry->key = member.val.string.val;
			entry->key_length = member.val.string.len;
		}
		else if (token == WJB_VALUE)
		{
			if (member.type != jbvString)
				ereport(ERROR,
						(errcode(ERRCODE_KV_VALIDATION),
						 errmsg("attribute_names must be a JSON object of strings"),
						 errdetail("The member \"%.*s\" is no string.", (int) entry->key_length, entry->key)));
			entry->name = member.val.string.val;
			entry->name_length = member.val.string.len;
			entry++;
		}
	}
	placeholders->name_count = entry - placeholders->names;
}

static void
read_values(Placeholders *placeholders, const SingletableItem *values)
{
	AttributeContainer map;
	Attribute	attribute;

	ItemOpen(values, &map);
	placeholders->has_values = true;
	placeholders->value_count = map.count;
	placeholders->values = palloc0(sizeof(Placeholder) * map.count);
	for (uint32 i = 0; i < map.count; i++)
	{
		AttributeMapGet(&map, i, &attribute);
		placeholders->values[i].key = attribute.name;
		placeholders->values[i].key_length = attribute.name_length;
		placeholders->values[i].value = attribute.value;
	}
}

void
PlaceholdersFromSql(Placeholders *placeholders, Jsonb *names, const SingletableItem *values)
{
	memset(placeholders, 0, sizeof(Placeholders));
	if (names != NULL)
		read_names(placeholders, names);
	if (values != NULL)
		read_values(placeholders, values);
	PlaceholdersCheck(placeholders);
}
