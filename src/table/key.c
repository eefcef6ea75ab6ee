/*
 * src/table/key.c
 *		Keys of tables and indexes: their checks with DynamoDB's texts, their order, and the item that is just a key.
 *
 * Source of all texts: reference/data-model, section 8.
 */
#include "postgres.h"

#include "base/error.h"
#include "table/table.h"

#define MESSAGE_PARTITION_KEY_SIZE \
	"One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
#define MESSAGE_SORT_KEY_SIZE \
	"One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"

/* What a text in a column cannot hold, though an attribute of type S can. */
static bool
has_nul_character(const AttributeValue *value)
{
	return value->type == ATTRIBUTE_S && memchr(value->data, '\0', value->length) != NULL;
}

static const char *
empty_value_name(AttributeType type)
{
	return type == ATTRIBUTE_S ? "empty string" : "empty binary";
}

static void
check_size(const AttributeValue *value, bool is_partition_key)
{
	if (value->type == ATTRIBUTE_N)
		return;
	if (is_partition_key && value->length > KEY_MAX_PARTITION_BYTES)
		validation_error(MESSAGE_PARTITION_KEY_SIZE);
	if (!is_partition_key && value->length > KEY_MAX_SORT_BYTES)
		validation_error(MESSAGE_SORT_KEY_SIZE);
}

void
TableCheckKey(const TableDescriptor *table, const AttributeContainer *map, KeyUse use, TableKey *key)
{
	if (use == KEY_ALONE && map->count != table->key_count)
		validation_error(MESSAGE_KEY_SCHEMA);

	for (int i = 0; i < table->key_count; i++)
	{
		const PromotedAttribute *attribute = TableKeyAttribute(table, i);
		AttributeValue *value = &key->attributes[i];

		if (!AttributeMapFind(map, attribute->name, attribute->name_length, value))
		{
			if (use == KEY_ALONE)
				validation_error(MESSAGE_KEY_SCHEMA);
			validation_error("One or more parameter values were invalid: Missing the key %s in the item", attribute->name);
		}
		if (value->type != attribute->type)
		{
			if (use != KEY_OF_ITEM)
				validation_error(MESSAGE_KEY_SCHEMA);
			validation_error("One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s",
							 attribute->name, AttributeTypeName(attribute->type), AttributeTypeName(value->type));
		}
		if (value->length == 0)
			validation_error("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
							 "%s value. Key: %s", empty_value_name(value->type), attribute->name);
		check_size(value, i == 0);
		if (has_nul_character(value))
			validation_error("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
							 "the character U+0000. Key: %s", attribute->name);
		key->values[i] = AttributeValueGetDatum(value);
	}
}

typedef enum IndexKeyUse
{
	INDEX_KEY_OF_PUT,			/* in the item of a put */
	INDEX_KEY_OF_UPDATE_VALUE,	/* a value that an update expression sets */
	INDEX_KEY_OF_UPDATED_ITEM	/* in the result of an update */
} IndexKeyUse;

static void
check_index_key(const SecondaryIndex *index, const PromotedAttribute *attribute, bool is_partition_key, IndexKeyUse use,
				const AttributeValue *value)
{
	if (value->type != attribute->type)
	{
		if (use == INDEX_KEY_OF_UPDATED_ITEM)
			validation_error("The update expression attempted to update the secondary index key to unsupported type");
		validation_error("One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s "
						 "IndexName: %s", attribute->name, AttributeTypeName(attribute->type), AttributeTypeName(value->type),
						 index->name);
	}
	if (value->length == 0)
	{
		if (use == INDEX_KEY_OF_PUT)
			validation_error("One or more parameter values are not valid. A value specified for a secondary index key is not "
							 "supported. The AttributeValue for a key attribute cannot contain an %s value. IndexName: %s, "
							 "IndexKey: %s", empty_value_name(value->type), index->name, attribute->name);
		validation_error("One or more parameter values are not valid. The update expression attempted to update a secondary index "
						 "key to a value that is not supported. The AttributeValue for a key attribute cannot contain an %s value.",
						 empty_value_name(value->type));
	}
	check_size(value, is_partition_key);
	if (has_nul_character(value))
		validation_error("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain the "
						 "character U+0000. IndexName: %s, IndexKey: %s", index->name, attribute->name);
}

/*
 * Checks the keys of all indexes that map holds; with old_map, only those that differ from it.
 */
static void
check_index_keys(const TableDescriptor *table, const AttributeContainer *old_map, const AttributeContainer *map, IndexKeyUse use)
{
	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		if (index->defect != NULL)
			continue;
		for (int j = 0; j < index->partition_count + index->sort_count; j++)
		{
			const PromotedAttribute *attribute = IndexKeyAttribute(table, index, j);
			AttributeValue value;
			AttributeValue old_value;

			if (!AttributeMapFind(map, attribute->name, attribute->name_length, &value))
				continue;
			if (old_map != NULL && AttributeMapFind(old_map, attribute->name, attribute->name_length, &old_value) &&
				AttributeValueEqual(&old_value, &value))
				continue;
			check_index_key(index, attribute, j < index->partition_count, use, &value);
		}
	}
}

void
TableCheckIndexKeys(const TableDescriptor *table, const AttributeContainer *map, bool is_update)
{
	check_index_keys(table, NULL, map, is_update ? INDEX_KEY_OF_UPDATE_VALUE : INDEX_KEY_OF_PUT);
}

void
TableCheckUpdatedIndexKeys(const TableDescriptor *table, const AttributeContainer *old_map, const AttributeContainer *new_map)
{
	check_index_keys(table, old_map, new_map, INDEX_KEY_OF_UPDATED_ITEM);
}

SingletableItem *
TableKeyItem(const TableDescriptor *table, const TableKey *key)
{
	Attribute	attributes[TABLE_MAX_KEYS];

	for (int i = 0; i < table->key_count; i++)
	{
		attributes[i].name = TableKeyAttribute(table, i)->name;
		attributes[i].name_length = TableKeyAttribute(table, i)->name_length;
		attributes[i].value = key->attributes[i];
	}
	return ItemFromAttributes(attributes, AttributesSort(attributes, table->key_count));
}

int
TableKeyCompare(const TableDescriptor *table, const TableKey *a, const TableKey *b)
{
	for (int i = 0; i < table->key_count; i++)
	{
		int			comparison = AttributeValueCompare(&a->attributes[i], &b->attributes[i]);

		if (comparison != 0)
			return comparison;
	}
	return 0;
}
