/*
 * src/api/api_write.c
 *		Response bodies.
 */
#include "postgres.h"

#include "api/api_request.h"

/* A separator unless the last byte opens an object or a list. */
static void
write_comma(StringInfo out)
{
	char		last = out->data[out->len - 1];

	if (last != '{' && last != '[')
		appendStringInfoString(out, ", ");
}

void
ApiWriteMember(StringInfo out, const char *name)
{
	write_comma(out);
	appendStringInfoChar(out, '"');
	appendStringInfoString(out, name);
	appendStringInfoString(out, "\": ");
}

void
ApiWriteMemberOf(StringInfo out, const char *name, uint32 length)
{
	write_comma(out);
	JsonWriteString(out, name, length);
	appendStringInfoString(out, ": ");
}

void
ApiWriteElement(StringInfo out)
{
	write_comma(out);
}

void
ApiWriteText(StringInfo out, const char *text)
{
	JsonWriteString(out, text, strlen(text));
}

void
ApiWriteItem(StringInfo out, const SingletableItem *item)
{
	AttributeContainer map;

	ItemOpen(item, &map);
	JsonWriteItem(out, &map);
}

/* "CapacityUnits": 1.5, and in transactions the same number once more. */
static void
write_units(StringInfo out, uint64 halves, ApiCapacityKind kind)
{
	char	   *number = psprintf(UINT64_FORMAT ".%d", halves / 2, halves % 2 ? 5 : 0);

	ApiWriteMember(out, "CapacityUnits");
	appendStringInfoString(out, number);
	if (kind == API_CAPACITY_PLAIN)
		return;
	ApiWriteMember(out, kind == API_CAPACITY_TRANSACTION_READ ? "ReadCapacityUnits" : "WriteCapacityUnits");
	appendStringInfoString(out, number);
}

/* The map of the charged indexes of one sort; nothing if there are none. */
static void
write_index_units(StringInfo out, const Capacity *capacity, bool is_local, ApiCapacityKind kind)
{
	const TableDescriptor *table = capacity->table;
	bool		is_open = false;

	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		if (index->is_local != is_local || capacity->index_halves[i] == 0)
			continue;
		if (!is_open)
		{
			ApiWriteMember(out, is_local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
			appendStringInfoChar(out, '{');
			is_open = true;
		}
		ApiWriteMemberOf(out, index->name, strlen(index->name));
		appendStringInfoChar(out, '{');
		write_units(out, capacity->index_halves[i], kind);
		appendStringInfoChar(out, '}');
	}
	if (is_open)
		appendStringInfoChar(out, '}');
}

void
ApiWriteCapacity(StringInfo out, const Capacity *capacity, const char *table_name, ApiCapacityDetail detail, ApiCapacityKind kind)
{
	appendStringInfoChar(out, '{');
	ApiWriteMember(out, "TableName");
	ApiWriteText(out, table_name);
	write_units(out, CapacityTotal(capacity), kind);
	if (detail == API_CAPACITY_INDEXES)
	{
		ApiWriteMember(out, "Table");
		appendStringInfoChar(out, '{');
		write_units(out, capacity->table_halves, kind);
		appendStringInfoChar(out, '}');
		write_index_units(out, capacity, false, kind);
		write_index_units(out, capacity, true, kind);
	}
	appendStringInfoChar(out, '}');
}

bool
ApiHasLocalIndex(const TableDescriptor *table)
{
	for (int i = 0; i < table->index_count; i++)
		if (table->indexes[i].is_local)
			return true;
	return false;
}

/* The partition key of an item or a key. */
static AttributeValue
get_partition_key(const TableDescriptor *table, const SingletableItem *item)
{
	const PromotedAttribute *attribute = TableKeyAttribute(table, 0);
	AttributeContainer map;
	AttributeValue value;

	ItemOpen(item, &map);
	if (!AttributeMapFind(&map, attribute->name, attribute->name_length, &value))
		elog(ERROR, "item without partition key");
	return value;
}

void
ApiWriteCollectionMetrics(StringInfo out, const TableDescriptor *table, const SingletableItem *item)
{
	const PromotedAttribute *attribute = TableKeyAttribute(table, 0);
	AttributeValue value = get_partition_key(table, item);

	appendStringInfoString(out, "{\"ItemCollectionKey\": {");
	ApiWriteMemberOf(out, attribute->name, attribute->name_length);
	JsonWriteValue(out, &value);
	/* Collections are far from the gigabytes at which a finer estimate would tell anybody something. */
	appendStringInfoString(out, "}, \"SizeEstimateRangeGB\": [0.0, 1.0]}");
}

void
ApiWriteCollectionMetricsList(StringInfo out, const TableDescriptor *table, const SingletableItem *const *items, int count)
{
	appendStringInfoChar(out, '[');
	for (int i = 0; i < count; i++)
	{
		AttributeValue value = get_partition_key(table, items[i]);
		bool		is_repeated = false;

		for (int j = 0; j < i && !is_repeated; j++)
		{
			AttributeValue other = get_partition_key(table, items[j]);

			is_repeated = AttributeValueEqual(&value, &other);
		}
		if (is_repeated)
			continue;
		ApiWriteElement(out);
		ApiWriteCollectionMetrics(out, table, items[i]);
	}
	appendStringInfoChar(out, ']');
}
