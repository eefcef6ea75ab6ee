/*
 * src/item/operators.c
 *		What SQL does with items: operators, typed extraction, operator classes.
 *
 * Functions of one attribute take the item as it is stored and fetch only what they need of it, see datum.c.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "base/error.h"
#include "item/item_internal.h"
#include "item/json.h"

static bool value_contains(const AttributeValue *a, const AttributeValue *b);

/*
 * CheckStringIsText
 *		22P05 if a string of an item holds U+0000, which neither text nor jsonb can.
 */
void
CheckStringIsText(const char *data, uint32 length)
{
	if (memchr(data, '\0', length) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNTRANSLATABLE_CHARACTER),
				 errmsg("U+0000 cannot be converted to text"),
				 errhint("item_to_dynamodb_json() shows the whole item.")));
}

/*
 * AttributeValueGetDatum
 *		The datum of a value of type S, N or B: text, numeric, bytea; palloc'd.
 *
 * Errors	22P05 for a string with U+0000, which text cannot hold
 */
Datum
AttributeValueGetDatum(const AttributeValue *value)
{
	switch (value->type)
	{
		case ATTRIBUTE_S:
			CheckStringIsText(value->data, value->length);
			return PointerGetDatum(cstring_to_text_with_len(value->data, (int) value->length));
		case ATTRIBUTE_B:
			/* A bytea is built as a text is. */
			return PointerGetDatum(cstring_to_text_with_len(value->data, (int) value->length));
		case ATTRIBUTE_N:
			return NumericGetDatum(ItemNumberToNumeric(value->data, value->length));
		default:
			elog(ERROR, "attribute type %d has no type in SQL", value->type);
	}
	return (Datum) 0;
}

/*
 * AttributeValueFromDatum
 *		The value of a datum of type text (type S), numeric (N) or bytea (B).
 *
 * The view points into the datum (detoasted in the current context if need be); of a numeric into number_buffer, which has
 * ITEM_NUMBER_MAX bytes.
 */
void
AttributeValueFromDatum(Datum datum, AttributeType type, char *number_buffer, AttributeValue *value)
{
	value->type = type;
	if (type == ATTRIBUTE_N)
	{
		value->data = number_buffer;
		value->length = ItemNumberFromNumeric(DatumGetNumeric(datum), number_buffer);
	}
	else
	{
		struct varlena *bytes = PG_DETOAST_DATUM_PACKED(datum);

		Assert(type == ATTRIBUTE_S || type == ATTRIBUTE_B);
		value->data = VARDATA_ANY(bytes);
		value->length = VARSIZE_ANY_EXHDR(bytes);
		if (type == ATTRIBUTE_S)
			check_sql_string(value->data, value->length);
	}
}

/* The attribute of the item in argument 0 whose name is argument 1. */
static bool
find_argument(FunctionCallInfo fcinfo, AttributeValue *value)
{
	text	   *name = PG_GETARG_TEXT_PP(1);

	return ItemDatumFind(PG_GETARG_DATUM(0), VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), value);
}

static bool
has_argument(FunctionCallInfo fcinfo, AttributeType *type)
{
	text	   *name = PG_GETARG_TEXT_PP(1);

	return ItemDatumFindType(PG_GETARG_DATUM(0), VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), type);
}

/*
 * item_attribute
 *		item -> name: the attribute as plain JSON.
 */
SQL_FUNCTION(item_attribute);
Datum
item_attribute(PG_FUNCTION_ARGS)
{
	AttributeValue value;

	if (!find_argument(fcinfo, &value))
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(AttributeValueToJsonb(&value));
}

/*
 * item_attribute_text
 *		item ->> name: the attribute as text, a string without quotes; of the type NULL it is NULL.
 */
SQL_FUNCTION(item_attribute_text);
Datum
item_attribute_text(PG_FUNCTION_ARGS)
{
	AttributeValue value;
	StringInfoData out;
	char		number[ITEM_NUMBER_TEXT_MAX];

	if (!find_argument(fcinfo, &value))
		PG_RETURN_NULL();
	switch (value.type)
	{
		case ATTRIBUTE_NULL:
			PG_RETURN_NULL();
		case ATTRIBUTE_S:
			PG_RETURN_DATUM(AttributeValueGetDatum(&value));
		case ATTRIBUTE_N:
			PG_RETURN_TEXT_P(cstring_to_text_with_len(number, ItemNumberToText(value.data, value.length, number)));
		case ATTRIBUTE_B:
			initStringInfo(&out);
			JsonWriteBase64(&out, value.data, value.length);
			break;
		default:
			initStringInfo(&out);
			JsonWritePlainValue(&out, &value);
	}
	PG_RETURN_TEXT_P(cstring_to_text_with_len(out.data, out.len));
}

/* The datum of the attribute if it is of this type, or else NULL. */
static Datum
extract_argument(FunctionCallInfo fcinfo, AttributeType type)
{
	AttributeValue value;

	if (!find_argument(fcinfo, &value) || value.type != type)
		PG_RETURN_NULL();
	return AttributeValueGetDatum(&value);
}

/*
 * item_text
 *		The string of an attribute of type S.
 */
SQL_FUNCTION(item_text);
Datum
item_text(PG_FUNCTION_ARGS)
{
	return extract_argument(fcinfo, ATTRIBUTE_S);
}

/*
 * item_numeric
 *		The number of an attribute of type N.
 */
SQL_FUNCTION(item_numeric);
Datum
item_numeric(PG_FUNCTION_ARGS)
{
	return extract_argument(fcinfo, ATTRIBUTE_N);
}

/*
 * item_bytea
 *		The bytes of an attribute of type B.
 */
SQL_FUNCTION(item_bytea);
Datum
item_bytea(PG_FUNCTION_ARGS)
{
	return extract_argument(fcinfo, ATTRIBUTE_B);
}

/*
 * item_boolean
 *		The truth value of an attribute of type BOOL.
 */
SQL_FUNCTION(item_boolean);
Datum
item_boolean(PG_FUNCTION_ARGS)
{
	AttributeValue value;

	if (!find_argument(fcinfo, &value) || value.type != ATTRIBUTE_BOOL)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(value.data[0] != 0);
}

/*
 * item_type
 *		The type of an attribute: S, N, B, BOOL, NULL, M, L, SS, NS or BS.
 */
SQL_FUNCTION(item_type);
Datum
item_type(PG_FUNCTION_ARGS)
{
	AttributeType type;

	if (!has_argument(fcinfo, &type))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(AttributeTypeName(type)));
}

/*
 * item_exists
 *		item ? name
 */
SQL_FUNCTION(item_exists);
Datum
item_exists(PG_FUNCTION_ARGS)
{
	AttributeType type;

	PG_RETURN_BOOL(has_argument(fcinfo, &type));
}

/* The names in the array of argument 1, of which NULLs are left out. */
static uint32
get_names(FunctionCallInfo fcinfo, Datum **names)
{
	bool	   *nulls;
	int			count;
	uint32		kept = 0;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false, TYPALIGN_INT, names, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			(*names)[kept++] = (*names)[i];
	return kept;
}

/* How many of the names does the item have?  Stops at the first that is there (or not). */
static bool
exists_in_array(FunctionCallInfo fcinfo, bool all)
{
	SingletableItem *item = PG_GETARG_ITEM(0);
	AttributeContainer map;
	Datum	   *names;
	uint32		count = get_names(fcinfo, &names);

	ItemOpen(item, &map);
	for (uint32 i = 0; i < count; i++)
	{
		text	   *name = DatumGetTextPP(names[i]);
		uint32		position;

		if (MapFindPosition(&map, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), &position) != all)
			return !all;
	}
	return all;
}

/*
 * item_exists_any
 *		item ?| names
 */
SQL_FUNCTION(item_exists_any);
Datum
item_exists_any(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(exists_in_array(fcinfo, false));
}

/*
 * item_exists_all
 *		item ?& names
 */
SQL_FUNCTION(item_exists_all);
Datum
item_exists_all(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(exists_in_array(fcinfo, true));
}

/*
 * item_merge
 *		item || item: the attributes of both, the second's win.
 *
 * Its size is checked, so that whatever is stored can be dumped and restored.
 */
SQL_FUNCTION(item_merge);
Datum
item_merge(PG_FUNCTION_ARGS)
{
	SingletableItem *result = ItemMerge(PG_GETARG_ITEM(0), PG_GETARG_ITEM(1));

	ItemCheckSize(result, false);
	PG_RETURN_ITEM(result);
}

/* The item without these attributes. */
static SingletableItem *
remove_attributes(SingletableItem *item, const Datum *names, uint32 name_count)
{
	AttributeContainer map;
	Attribute  *kept;
	bool	   *is_removed;
	uint32		count = 0;

	ItemOpen(item, &map);
	is_removed = palloc0(map.count + 1);
	for (uint32 i = 0; i < name_count; i++)
	{
		text	   *name = DatumGetTextPP(names[i]);
		uint32		position;

		if (MapFindPosition(&map, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), &position))
			is_removed[position] = true;
	}
	kept = palloc_array(Attribute, map.count + 1);
	for (uint32 i = 0; i < map.count; i++)
		if (!is_removed[i])
			AttributeMapGet(&map, i, &kept[count++]);
	return ItemFromAttributes(kept, count);
}

/*
 * item_remove
 *		item - name
 */
SQL_FUNCTION(item_remove);
Datum
item_remove(PG_FUNCTION_ARGS)
{
	Datum		name = PG_GETARG_DATUM(1);

	PG_RETURN_ITEM(remove_attributes(PG_GETARG_ITEM(0), &name, 1));
}

/*
 * item_remove_array
 *		item - names
 */
SQL_FUNCTION(item_remove_array);
Datum
item_remove_array(PG_FUNCTION_ARGS)
{
	Datum	   *names;
	uint32		count = get_names(fcinfo, &names);

	PG_RETURN_ITEM(remove_attributes(PG_GETARG_ITEM(0), names, count));
}

/* Does map a have every attribute of b, each containing b's? */
static bool
map_contains(const AttributeContainer *a, const AttributeContainer *b)
{
	if (a->count < b->count)
		return false;
	for (uint32 i = 0; i < b->count; i++)
	{
		Attribute	wanted;
		AttributeValue value;

		AttributeMapGet(b, i, &wanted);
		if (!AttributeMapFind(a, wanted.name, wanted.name_length, &value) || !value_contains(&value, &wanted.value))
			return false;
	}
	return true;
}

/*
 * value_contains
 *		Does a contain b?
 *
 * A value contains only values of its own type.  A map contains a map whose every member it has, containing that member; a list
 * contains a list of whose every element some element of it contains (order and repetition do not count, as in jsonb); a set
 * contains its subsets; a scalar contains its equal.
 */
static bool
value_contains(const AttributeValue *a, const AttributeValue *b)
{
	AttributeContainer a_container;
	AttributeContainer b_container;

	if (AttributeValueEqual(a, b))
		return true;
	if (a->type != b->type || a->type < ATTRIBUTE_NS)
		return false;

	check_stack_depth();
	AttributeContainerOpen(a, &a_container);
	AttributeContainerOpen(b, &b_container);
	if (a->type == ATTRIBUTE_M)
		return map_contains(&a_container, &b_container);

	for (uint32 i = 0; i < b_container.count; i++)
	{
		AttributeValue wanted;
		bool		found = false;

		CHECK_FOR_INTERRUPTS();
		AttributeContainerGet(&b_container, i, &wanted);
		if (a->type != ATTRIBUTE_L)
			found = AttributeSetContains(&a_container, wanted.data, wanted.length);
		for (uint32 j = 0; a->type == ATTRIBUTE_L && j < a_container.count && !found; j++)
		{
			AttributeValue element;

			AttributeContainerGet(&a_container, j, &element);
			found = value_contains(&element, &wanted);
		}
		if (!found)
			return false;
	}
	return true;
}

static bool
item_datum_contains(Datum a, Datum b)
{
	AttributeContainer a_map;
	AttributeContainer b_map;

	ItemOpen(DatumGetItem(a), &a_map);
	ItemOpen(DatumGetItem(b), &b_map);
	return map_contains(&a_map, &b_map);
}

/*
 * item_contains
 *		item @> item
 */
SQL_FUNCTION(item_contains);
Datum
item_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(item_datum_contains(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}

/*
 * item_contained
 *		item <@ item
 */
SQL_FUNCTION(item_contained);
Datum
item_contained(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(item_datum_contains(PG_GETARG_DATUM(1), PG_GETARG_DATUM(0)));
}

/* Equal items are equal bytes; items of different length need not be fetched. */
static bool
arguments_equal(FunctionCallInfo fcinfo)
{
	SingletableItem *a;
	SingletableItem *b;
	bool		result;

	if (toast_raw_datum_size(PG_GETARG_DATUM(0)) != toast_raw_datum_size(PG_GETARG_DATUM(1)))
		return false;
	a = PG_GETARG_ITEM(0);
	b = PG_GETARG_ITEM(1);
	result = memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	return result;
}

static int
compare_arguments(FunctionCallInfo fcinfo)
{
	SingletableItem *a = PG_GETARG_ITEM(0);
	SingletableItem *b = PG_GETARG_ITEM(1);
	int			result = ItemCompare(a, b);

	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	return result;
}

#define COMPARISON(name, expression) \
	SQL_FUNCTION(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_BOOL(expression); \
	}

COMPARISON(item_eq, arguments_equal(fcinfo))
COMPARISON(item_ne, !arguments_equal(fcinfo))
COMPARISON(item_lt, compare_arguments(fcinfo) < 0)
COMPARISON(item_le, compare_arguments(fcinfo) <= 0)
COMPARISON(item_gt, compare_arguments(fcinfo) > 0)
COMPARISON(item_ge, compare_arguments(fcinfo) >= 0)

/*
 * item_cmp
 *		Order of items: as maps, see AttributeValueCompare.
 */
SQL_FUNCTION(item_cmp);
Datum
item_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_arguments(fcinfo));
}

/*
 * item_hash
 *		Hash of an item's bytes.
 */
SQL_FUNCTION(item_hash);
Datum
item_hash(PG_FUNCTION_ARGS)
{
	SingletableItem *item = PG_GETARG_ITEM(0);
	Datum		result = hash_any((unsigned char *) VARDATA_ANY(item), VARSIZE_ANY_EXHDR(item));

	PG_FREE_IF_COPY(item, 0);
	return result;
}

/*
 * item_hash_extended
 *		Hash of an item's bytes with a seed, 64 bits.
 */
SQL_FUNCTION(item_hash_extended);
Datum
item_hash_extended(PG_FUNCTION_ARGS)
{
	SingletableItem *item = PG_GETARG_ITEM(0);
	Datum		result = hash_any_extended((unsigned char *) VARDATA_ANY(item), VARSIZE_ANY_EXHDR(item), PG_GETARG_INT64(1));

	PG_FREE_IF_COPY(item, 0);
	return result;
}

/*
 * item_size
 *		DynamoDB's size of an item, bytes.
 */
SQL_FUNCTION(item_size);
Datum
item_size(PG_FUNCTION_ARGS)
{
	/* The format's limit keeps it far below 2^31. */
	PG_RETURN_INT32((int32) ItemSize(PG_GETARG_ITEM(0)));
}

/*
 * item_attributes
 *		One row an attribute: name, type, value as plain JSON; in the order of the names' bytes.
 */
SQL_FUNCTION(item_attributes);
Datum
item_attributes(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	AttributeContainer *map;
	Attribute	attribute;
	Datum		values[3];
	bool		nulls[3] = {false, false, false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext oldcontext;
		TupleDesc	tupdesc;

		funcctx = SRF_FIRSTCALL_INIT();
		oldcontext = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		funcctx->tuple_desc = BlessTupleDesc(tupdesc);
		map = palloc_object(AttributeContainer);
		ItemOpen((SingletableItem *) PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0)), map);
		funcctx->max_calls = map->count;
		funcctx->user_fctx = map;
		MemoryContextSwitchTo(oldcontext);
	}

	funcctx = SRF_PERCALL_SETUP();
	if (funcctx->call_cntr >= funcctx->max_calls)
		SRF_RETURN_DONE(funcctx);

	map = funcctx->user_fctx;
	AttributeMapGet(map, (uint32) funcctx->call_cntr, &attribute);
	CheckStringIsText(attribute.name, attribute.name_length);
	values[0] = PointerGetDatum(cstring_to_text_with_len(attribute.name, (int) attribute.name_length));
	values[1] = CStringGetTextDatum(AttributeTypeName(attribute.value.type));
	values[2] = JsonbPGetDatum(AttributeValueToJsonb(&attribute.value));
	SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(heap_form_tuple(funcctx->tuple_desc, values, nulls)));
}
