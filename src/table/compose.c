/*
 * src/table/compose.c
 *		A whole item split into a row's values, and a row as a source of attributes or as a whole item.
 *
 * Worked example: in the table (pk, sk, gsi1pk, item) the item {pk: S, sk: S, gsi1pk: N 5, n: 1} has NULL in gsi1pk, which cannot hold
 * a number, and the rest {gsi1pk: N 5, n: 1}.  Reading looks at the column first and then at the rest, so both ways to store an
 * attribute read alike; also where an attribute is still in the rest because its column was added later.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "table/table.h"

bool
PromotedAttributeHolds(const PromotedAttribute *attribute, const AttributeValue *value)
{
	if (value->type != attribute->type)
		return false;
	/* A value that was there before the index and is none of its keys stays in the rest; writes of such values are refused. */
	if (attribute->is_index_key && attribute->key_position < 0 && (value->length == 0 || value->length > attribute->max_key_bytes))
		return false;
	/* A text must not hold a zero byte. */
	return value->type != ATTRIBUTE_S || memchr(value->data, '\0', value->length) == NULL;
}

void
TableSplitItem(const TableDescriptor *table, const SingletableItem *item, Datum *values, bool *nulls)
{
	AttributeContainer map;
	Attribute  *rest;
	uint32		rest_count = 0;
	int			position = 0;

	ItemOpen(item, &map);
	rest = palloc(Max(map.count, 1) * sizeof(Attribute));
	memset(nulls, true, table->attribute_count * sizeof(bool));

	/* Both lists are in the order of the names. */
	for (uint32 i = 0; i < map.count; i++)
	{
		Attribute  *attribute = &rest[rest_count];
		const PromotedAttribute *column = NULL;

		AttributeMapGet(&map, i, attribute);
		while (position < table->attribute_count)
		{
			int			comparison = AttributeNameCompare(table->attributes[position].name, table->attributes[position].name_length,
														  attribute->name, attribute->name_length);

			if (comparison == 0)
				column = &table->attributes[position];
			if (comparison >= 0)
				break;
			position++;
		}
		if (column != NULL && PromotedAttributeHolds(column, &attribute->value))
		{
			values[position] = AttributeValueGetDatum(&attribute->value);
			nulls[position] = false;
		}
		else
			rest_count++;
	}
	values[table->attribute_count] = PointerGetDatum(ItemFromAttributes(rest, rest_count));
	nulls[table->attribute_count] = false;
	pfree(rest);
}

/* The value of an item's attribute that goes into its column; false if none does. */
static bool
find_column_value(const PromotedAttribute *attribute, const AttributeContainer *map, AttributeValue *value)
{
	return AttributeMapFind(map, attribute->name, attribute->name_length, value) && PromotedAttributeHolds(attribute, value);
}

bool
TableColumnsDiffer(const TableDescriptor *table, const SingletableItem *a, const SingletableItem *b)
{
	AttributeContainer a_map;
	AttributeContainer b_map;

	ItemOpen(a, &a_map);
	ItemOpen(b, &b_map);
	for (int i = 0; i < table->attribute_count; i++)
	{
		AttributeValue a_value;
		AttributeValue b_value;
		bool		a_found = find_column_value(&table->attributes[i], &a_map, &a_value);
		bool		b_found = find_column_value(&table->attributes[i], &b_map, &b_value);

		if (a_found != b_found || (a_found && !AttributeValueEqual(&a_value, &b_value)))
			return true;
		/* What no index may have as its key is in the column all the same if it was there before the index. */
		if (!a_found && AttributeMapFind(&a_map, table->attributes[i].name, table->attributes[i].name_length, &a_value) &&
			a_value.type == table->attributes[i].type)
			return true;
	}
	return false;
}

/*
 * A numeric column may hold what is no number; plain SQL may have put it there.
 */
static void
check_finite(const TableDescriptor *table, const PromotedAttribute *attribute, Datum datum)
{
	Numeric		number = DatumGetNumeric(datum);

	if (numeric_is_nan(number) || numeric_is_inf(number))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("column \"%s\" of table \"%s\" holds %s, which is no number of an item",
						attribute->name, table->name, numeric_is_nan(number) ? "NaN" : "an infinity")));
}

bool
RowSourceColumn(RowSource *source, int position, AttributeValue *value)
{
	const PromotedAttribute *attribute = &source->table->attributes[position];
	MemoryContext old_context;
	bool		is_null;
	Datum		datum = slot_getattr(source->slot, source->is_result_row ? position + 1 : attribute->attno, &is_null);

	if (is_null)
		return false;
	/* Detoasting allocates. */
	old_context = MemoryContextSwitchTo(source->context);
	if (attribute->type == ATTRIBUTE_N)
	{
		datum = NumericGetDatum(DatumGetNumeric(datum));
		check_finite(source->table, attribute, datum);
	}
	AttributeValueFromDatum(datum, attribute->type,
							source->number_buffers == NULL ? NULL : source->number_buffers + position * ITEM_NUMBER_MAX, value);
	MemoryContextSwitchTo(old_context);
	return true;
}

static void
open_rest(RowSource *source)
{
	const TableDescriptor *table = source->table;
	bool		is_null;
	Datum		datum;

	if (source->is_rest_open)
		return;
	datum = slot_getattr(source->slot, source->is_result_row ? table->attribute_count + 1 : table->item_attno, &is_null);
	if (is_null)
		source->rest = (AttributeContainer) {.type = ATTRIBUTE_M, .width = 1};
	else
	{
		MemoryContext old_context = MemoryContextSwitchTo(source->context);

		ItemOpen(DatumGetItem(datum), &source->rest);
		MemoryContextSwitchTo(old_context);
	}
	source->is_rest_open = true;
}

static bool
find_in_row(AttributeSource *attribute_source, const char *name, uint32 name_length, AttributeValue *value)
{
	RowSource  *source = (RowSource *) attribute_source;
	const TableDescriptor *table = source->table;
	const PromotedAttribute *attribute;

	if (source->visible_index != NULL && !IndexProjects(table, source->visible_index, name, name_length))
		return false;
	attribute = TableFindAttribute(table, name, name_length);
	if (attribute != NULL && RowSourceColumn(source, attribute - table->attributes, value))
		return true;
	open_rest(source);
	return AttributeMapFind(&source->rest, name, name_length, value);
}

static void
map_row(AttributeSource *attribute_source, AttributeContainer *map)
{
	ItemOpen(RowSourceItem((RowSource *) attribute_source), map);
}

void
RowSourceInit(RowSource *source, const TableDescriptor *table, MemoryContext context)
{
	memset(source, 0, sizeof(RowSource));
	source->source.find = find_in_row;
	source->source.map = map_row;
	source->table = table;
	source->context = context;
	if (table->has_numbers)
		source->number_buffers = palloc(table->attribute_count * ITEM_NUMBER_MAX);
}

void
RowSourceSet(RowSource *source, TupleTableSlot *slot)
{
	source->slot = slot;
	source->is_rest_open = false;
	source->is_misplaced = false;
	source->item = NULL;
}

/* Adds an attribute to what is composed, if it can be seen. */
static void
append_attribute(RowSource *source, Attribute *attributes, uint32 *count, const Attribute *attribute)
{
	if (source->visible_index == NULL ||
		IndexProjects(source->table, source->visible_index, attribute->name, attribute->name_length))
		attributes[(*count)++] = *attribute;
}

SingletableItem *
RowSourceItem(RowSource *source)
{
	const TableDescriptor *table = source->table;
	MemoryContext old_context;
	Attribute  *attributes;
	uint32		count = 0;
	uint32		rest_position = 0;
	int			position = 0;

	if (source->item != NULL)
		return source->item;

	open_rest(source);
	old_context = MemoryContextSwitchTo(source->context);
	attributes = palloc(Max(table->attribute_count + source->rest.count, 1) * sizeof(Attribute));

	/* Merge columns and rest, both in the order of the names. */
	while (position < table->attribute_count || rest_position < source->rest.count)
	{
		const PromotedAttribute *promoted = NULL;
		Attribute	column;
		Attribute	rest;
		int			comparison;

		if (position < table->attribute_count)
		{
			promoted = &table->attributes[position];
			column.name = promoted->name;
			column.name_length = promoted->name_length;
		}
		if (rest_position < source->rest.count)
			AttributeMapGet(&source->rest, rest_position, &rest);
		if (promoted == NULL)
			comparison = 1;
		else if (rest_position >= source->rest.count)
			comparison = -1;
		else
			comparison = AttributeNameCompare(column.name, column.name_length, rest.name, rest.name_length);

		if (comparison > 0)
			append_attribute(source, attributes, &count, &rest);
		else if (RowSourceColumn(source, position, &column.value))
			append_attribute(source, attributes, &count, &column);
		else if (comparison == 0)
		{
			source->is_misplaced |= PromotedAttributeHolds(promoted, &rest.value);
			append_attribute(source, attributes, &count, &rest);
		}
		if (comparison <= 0)
			position++;
		if (comparison >= 0)
			rest_position++;
	}
	source->item = ItemFromAttributes(attributes, count);
	pfree(attributes);
	MemoryContextSwitchTo(old_context);
	return source->item;
}
