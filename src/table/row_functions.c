/*
 * src/table/row_functions.c
 *		SQL functions over rows of item tables: a row as its whole item, and the keys of an item.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "base/error.h"
#include "table/table.h"

/* What full_item remembers from call to call: the relation of the rows it is given. */
typedef struct RowType
{
	Oid			type;
	Oid			relid;
} RowType;

/*
 * The relation whose rows have this type.
 * Errors	42804 when the row is of no named relation: ROW(..), or a subquery's or a join's own row
 */
static Oid
find_relation_of_row(FunctionCallInfo fcinfo, Oid type)
{
	RowType    *remembered = fcinfo->flinfo->fn_extra;

	if (remembered == NULL)
		remembered = fcinfo->flinfo->fn_extra = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(RowType));
	if (remembered->type != type)
	{
		Oid			relid = get_typ_typrelid(type);

		if (!OidIsValid(relid))
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("row is of type %s, not of the type of a table", format_type_be(type)),
					 errhint("Name the item table whose row it is, as in full_item(t) for FROM shop t.")));
		remembered->type = type;
		remembered->relid = relid;
	}
	return remembered->relid;
}

/*
 * full_item(record)
 *		The whole item of a row: promoted attributes and rest.
 */
SQL_FUNCTION(singletable_full_item);
Datum
singletable_full_item(PG_FUNCTION_ARGS)
{
	HeapTupleHeader header = PG_GETARG_HEAPTUPLEHEADER(0);
	TableDescriptor *table = TableOpen(find_relation_of_row(fcinfo, HeapTupleHeaderGetTypeId(header)), AccessShareLock);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(table->tupdesc, &TTSOpsHeapTuple);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_tableOid = InvalidOid, .t_data = header};
	RowSource	source;

	ItemPointerSetInvalid(&tuple.t_self);
	ExecStoreHeapTuple(&tuple, slot, false);
	RowSourceInit(&source, table, CurrentMemoryContext);
	RowSourceSet(&source, slot);
	PG_RETURN_ITEM(RowSourceItem(&source));
}

/*
 * item_key(regclass, item, text)
 *		The key attributes of an item in its table, or in an index of it and in its table.
 */
SQL_FUNCTION(singletable_item_key);
Datum
singletable_item_key(PG_FUNCTION_ARGS)
{
	TableDescriptor *table;
	AttributeContainer map;
	TableKey	key;
	Attribute	attributes[INDEX_MAX_COLUMNS];
	text	   *name;
	const SecondaryIndex *index;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	table = TableOpen(PG_GETARG_OID(0), AccessShareLock);
	ItemOpen(PG_GETARG_ITEM(1), &map);
	TableCheckKey(table, &map, KEY_OF_ITEM, &key);
	if (PG_ARGISNULL(2))
		PG_RETURN_ITEM(TableKeyItem(table, &key));

	name = PG_GETARG_TEXT_PP(2);
	index = TableFindIndex(table, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	if (index == NULL)
		validation_error("The table does not have the specified index: %s", text_to_cstring(name));
	for (int i = 0; i < index->key_count; i++)
	{
		const PromotedAttribute *column = IndexKeyAttribute(table, index, i);

		attributes[i].name = column->name;
		attributes[i].name_length = column->name_length;
		if (!AttributeMapFind(&map, column->name, column->name_length, &attributes[i].value) ||
			!PromotedAttributeHolds(column, &attributes[i].value))
			PG_RETURN_NULL();
	}
	PG_RETURN_ITEM(ItemFromAttributes(attributes, AttributesSort(attributes, index->key_count)));
}
