/*
 * src/table/definition.c
 *		What the catalogs say of a table, as a descriptor: columns, primary key, secondary indexes.
 *
 * Everything is decided by what the catalogs hold, so a table made by plain DDL is as good as one of create_item_table().
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/error.h"
#include "table/table_internal.h"

/* The reason goes into DETAIL: DynamoDB's text says nothing of it. */
#define report_no_item_table(...) \
	ereport(ERROR, (errcode(ERRCODE_KV_RESOURCE_NOT_FOUND), errmsg(MESSAGE_NO_TABLE), errdetail(__VA_ARGS__)))

/* The type's input function, in src/item: a type is the item type if it is read by it. */
extern Datum item_in(PG_FUNCTION_ARGS);

/*
 * Is this the type item, whatever its name and schema?  The catalogs are asked each time: a remembered OID would outlive a DROP
 * EXTENSION.  The name of the C function is looked at first, so that no other type's library is loaded.
 */
static bool
is_item_type(Oid type)
{
	HeapTuple	tuple;
	Oid			input = InvalidOid;
	bool		may_be = false;

	if (type < FirstNormalObjectId)
		return false;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (HeapTupleIsValid(tuple))
	{
		Form_pg_type form = (Form_pg_type) GETSTRUCT(tuple);

		if (form->typtype == TYPTYPE_BASE && form->typlen == -1 && form->typisdefined)
			input = form->typinput;
		ReleaseSysCache(tuple);
	}
	if (!OidIsValid(input))
		return false;

	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(input));
	if (HeapTupleIsValid(tuple))
	{
		bool		is_null;
		Datum		source = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &is_null);

		may_be = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId && !is_null &&
			strcmp(TextDatumGetCString(source), "item_in") == 0;
		ReleaseSysCache(tuple);
	}
	if (may_be)
	{
		FmgrInfo	function;

		fmgr_info(input, &function);
		return function.fn_addr == item_in;
	}
	return false;
}

/*
 * Is the relation a shard of a distributed table?  Such a table looks like any other, but a write to it would misplace the row.
 * Citus tells by a function of its own; where there is none there are no shards.
 */
static bool
is_shard(Oid relid)
{
	Oid			argument_types[1] = {REGCLASSOID};
	Oid			function = LookupFuncName(list_make2(makeString("pg_catalog"), makeString("relation_is_a_known_shard")),
										  1, argument_types, true);

	return OidIsValid(function) && get_func_rettype(function) == BOOLOID &&
		DatumGetBool(OidFunctionCall1(function, ObjectIdGetDatum(relid)));
}

static const char *
describe_kind(char relkind)
{
	switch (relkind)
	{
		case RELKIND_FOREIGN_TABLE:
			return "a foreign table";
		case RELKIND_VIEW:
			return "a view";
		case RELKIND_MATVIEW:
			return "a materialized view";
		case RELKIND_INDEX:
		case RELKIND_PARTITIONED_INDEX:
			return "an index";
		case RELKIND_SEQUENCE:
			return "a sequence";
		case RELKIND_COMPOSITE_TYPE:
			return "a composite type";
		default:
			return "no table";
	}
}

static TableKind
check_kind(Relation relation)
{
	const char *name = RelationGetRelationName(relation);

	if (relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		return TABLE_PARTITIONED;
	if (relation->rd_rel->relkind != RELKIND_RELATION)
		report_no_item_table("\"%s\" is %s.", name, describe_kind(relation->rd_rel->relkind));
	if (RELATION_IS_OTHER_TEMP(relation))
		report_no_item_table("\"%s\" is a temporary table of another session.", name);
	/* A primary key does not reach over inheritance: there could be two rows of one key. */
	if (relation->rd_rel->relhassubclass && find_inheritance_children(RelationGetRelid(relation), NoLock) != NIL)
		report_no_item_table("Other tables inherit from \"%s\".", name);
	if (is_shard(RelationGetRelid(relation)))
		report_no_item_table("\"%s\" is a shard of a distributed table.", name);
	return TABLE_PLAIN;
}

/*
 * The attribute type that a column of this kind holds; false if it holds none.  A numeric with precision and scale would round what
 * it is given, and the server computes a generated column: both are left alone like columns of other types.
 */
static bool
get_attribute_type(Form_pg_attribute column, AttributeType *type)
{
	if (column->attisdropped || column->attgenerated != '\0')
		return false;
	if (column->atttypid == TEXTOID)
		*type = ATTRIBUTE_S;
	else if (column->atttypid == NUMERICOID && column->atttypmod == -1)
		*type = ATTRIBUTE_N;
	else if (column->atttypid == BYTEAOID)
		*type = ATTRIBUTE_B;
	else
		return false;
	return true;
}

static int
compare_attributes(const void *a, const void *b)
{
	const PromotedAttribute *first = a;
	const PromotedAttribute *second = b;

	return AttributeNameCompare(first->name, first->name_length, second->name, second->name_length);
}

static void
read_columns(TableDescriptor *table)
{
	TupleDesc	tupdesc = table->tupdesc;

	table->column_count = tupdesc->natts;
	table->attributes = palloc0(Max(tupdesc->natts, 1) * sizeof(PromotedAttribute));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(tupdesc, i);
		PromotedAttribute *attribute;
		AttributeType type;

		if (get_attribute_type(column, &type))
		{
			attribute = &table->attributes[table->attribute_count++];
			attribute->name = pstrdup(NameStr(column->attname));
			attribute->name_length = strlen(attribute->name);
			attribute->attno = column->attnum;
			attribute->type = type;
			attribute->key_position = -1;
			table->has_numbers |= (type == ATTRIBUTE_N);
		}
		else if (!column->attisdropped && is_item_type(column->atttypid))
		{
			if (table->item_attno != InvalidAttrNumber)
				report_no_item_table("Table \"%s\" has more than one column of type item.", table->name);
			if (column->attgenerated != '\0')
				report_no_item_table("Column \"%s\" of table \"%s\" is a generated column.",
									 NameStr(column->attname), table->name);
			table->item_attno = column->attnum;
			table->item_type = column->atttypid;
			table->item_column = pstrdup(NameStr(column->attname));
		}
		else
			table->has_other_columns |= !column->attisdropped;
	}
	if (table->item_attno == InvalidAttrNumber)
		report_no_item_table("Table \"%s\" has no column of type item.", table->name);
	qsort(table->attributes, table->attribute_count, sizeof(PromotedAttribute), compare_attributes);
}

/* Position in attributes[], or -1. */
static int
find_column(const TableDescriptor *table, AttrNumber attno)
{
	for (int i = 0; i < table->attribute_count; i++)
		if (table->attributes[i].attno == attno)
			return i;
	return -1;
}

/*
 * The primary key among the table's indexes.  A deferrable one is none: ON CONFLICT cannot use it.
 */
static HeapTuple
find_primary_key(List *indexes)
{
	ListCell   *cell;

	foreach(cell, indexes)
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));
		Form_pg_index form;

		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for index %u", lfirst_oid(cell));
		form = (Form_pg_index) GETSTRUCT(tuple);
		if (form->indisprimary && form->indisvalid && form->indimmediate)
			return tuple;
		ReleaseSysCache(tuple);
	}
	return NULL;
}

static void
read_primary_key(TableDescriptor *table, List *indexes)
{
	HeapTuple	tuple = find_primary_key(indexes);
	Form_pg_index form;

	if (tuple == NULL)
		report_no_item_table("Table \"%s\" has no primary key, or one that is deferrable.", table->name);
	form = (Form_pg_index) GETSTRUCT(tuple);
	if (form->indnkeyatts > TABLE_MAX_KEYS)
		report_no_item_table("The primary key of table \"%s\" has %d columns, more than a partition key and a sort key.",
							 table->name, form->indnkeyatts);
	table->primary_key = form->indexrelid;
	table->key_count = form->indnkeyatts;
	for (int i = 0; i < table->key_count; i++)
	{
		Form_pg_attribute column = TupleDescAttr(table->tupdesc, form->indkey.values[i] - 1);

		table->keys[i] = find_column(table, column->attnum);
		if (table->keys[i] < 0)
			report_no_item_table("Key column \"%s\" of table \"%s\" is not a plain column of type text, numeric (without precision) "
								 "or bytea.", NameStr(column->attname), table->name);
		if (column->atttypid == TEXTOID && !CollationIsC(column->attcollation))
			report_no_item_table("Key column \"%s\" of table \"%s\" does not have collation \"C\".",
								 NameStr(column->attname), table->name);
		table->attributes[table->keys[i]].key_position = i;
	}
	ReleaseSysCache(tuple);
}

/*
 * The table columns of a secondary index as positions in attributes[].
 * Result	NULL, or what keeps the operations from using the index
 */
static const char *
read_index_columns(TableDescriptor *table, SecondaryIndex *index, Relation relation)
{
	Form_pg_index form = relation->rd_index;

	if (form->indnkeyatts > INDEX_MAX_COLUMNS)
		return psprintf("Index \"%s\" has more than %d key columns.", index->relation_name, INDEX_MAX_COLUMNS);
	index->key_count = form->indnkeyatts;
	for (int i = 0; i < index->key_count; i++)
	{
		AttrNumber	attno = form->indkey.values[i];

		index->keys[i] = attno > 0 ? find_column(table, attno) : -1;
		if (index->keys[i] < 0)
			return psprintf("Column %d of index \"%s\" is not a plain column of type text, numeric (without precision) or bytea.",
							i + 1, index->relation_name);
		if (relation->rd_indoption[i] & INDOPTION_DESC)
			return psprintf("Column %d of index \"%s\" is descending.", i + 1, index->relation_name);
		for (int j = 0; j < i; j++)
			if (index->keys[j] == index->keys[i])
				return psprintf("Column \"%s\" is twice in index \"%s\".",
								IndexKeyAttribute(table, index, i)->name, index->relation_name);
	}
	for (int i = 0; i < table->key_count; i++)
	{
		bool		found = false;

		for (int j = 0; j < index->key_count; j++)
			found |= (index->keys[j] == table->keys[i]);
		if (!found)
			return psprintf("The key columns of index \"%s\" do not include column \"%s\" of the primary key.",
							index->relation_name, TableKeyAttribute(table, i)->name);
	}
	return NULL;
}

/*
 * How many of the index's columns are its sort key, when the option does not say it: the column after the partition key, unless
 * it is there as a part of the table's key only.  In an inverted index (sort key, partition key) all columns are the table's:
 * there it is meant.
 */
static int
derive_sort_count(const TableDescriptor *table, const SecondaryIndex *index)
{
	int			position = index->partition_count;

	if (position >= index->key_count)
		return 0;
	if (index->is_local || IndexKeyAttribute(table, index, position)->key_position < 0)
		return 1;
	for (int i = 0; i < index->partition_count; i++)
		if (IndexKeyAttribute(table, index, i)->key_position < 0)
			return 0;
	return 1;
}

static const char *
check_index_keys(TableDescriptor *table, SecondaryIndex *index, const ItemIndexDefinition *definition)
{
	index->partition_count = definition->partition_keys;
	if (index->partition_count > index->key_count)
		return psprintf("Index \"%s\" has fewer columns than its option partition_keys says.", index->relation_name);
	index->sort_count = definition->sort_keys >= 0 ? definition->sort_keys : derive_sort_count(table, index);
	if (index->partition_count + index->sort_count > index->key_count)
		return psprintf("Index \"%s\" has fewer columns than its options partition_keys and sort_keys say.", index->relation_name);
	for (int i = index->partition_count + index->sort_count; i < index->key_count; i++)
		if (IndexKeyAttribute(table, index, i)->key_position < 0)
			return psprintf("Column \"%s\" of index \"%s\" is neither a key of the index nor of the table.",
							IndexKeyAttribute(table, index, i)->name, index->relation_name);
	if (index->is_local && (index->partition_count != 1 || index->keys[0] != table->keys[0]))
		return psprintf("The first column of local index \"%s\" is not the partition key of the table.", index->relation_name);
	return NULL;
}

static void
read_index(TableDescriptor *table, SecondaryIndex *index, Relation relation)
{
	ItemIndexDefinition definition;

	ItemIndexGetDefinition(relation, &definition);
	index->oid = RelationGetRelid(relation);
	index->name = pstrdup(definition.name);
	index->name_length = strlen(index->name);
	index->relation_name = pstrdup(RelationGetRelationName(relation));
	index->is_local = (ItemIndexGetKind(relation) == ITEM_INDEX_LOCAL);
	index->is_valid = relation->rd_index->indisvalid;
	index->projection = definition.projection;
	index->non_key_attribute_count = definition.non_key_attribute_count;
	index->non_key_attributes = (char **) definition.non_key_attributes;

	index->defect = read_index_columns(table, index, relation);
	if (index->defect == NULL)
		index->defect = check_index_keys(table, index, &definition);
	if (index->defect == NULL)
		for (int i = 0; i < index->partition_count + index->sort_count; i++)
		{
			PromotedAttribute *attribute = IndexKeyAttribute(table, index, i);
			uint32		max_bytes = i < index->partition_count ? KEY_MAX_PARTITION_BYTES : KEY_MAX_SORT_BYTES;

			attribute->max_key_bytes = attribute->is_index_key ? Min(attribute->max_key_bytes, max_bytes) : max_bytes;
			attribute->is_index_key = true;
		}
}

/* By API name; of equal names the one that can be used comes first (REINDEX CONCURRENTLY makes a second one for a time). */
static int
compare_indexes(const void *a, const void *b)
{
	const SecondaryIndex *first = a;
	const SecondaryIndex *second = b;
	int			comparison = AttributeNameCompare(first->name, first->name_length, second->name, second->name_length);

	if (comparison == 0)
		comparison = (first->defect != NULL) - (second->defect != NULL);
	if (comparison == 0)
		comparison = second->is_valid - first->is_valid;
	if (comparison == 0)
		comparison = (first->oid > second->oid) - (first->oid < second->oid);
	return comparison;
}

static void
read_indexes(TableDescriptor *table, List *indexes)
{
	ListCell   *cell;

	table->indexes = palloc0(Max(list_length(indexes), 1) * sizeof(SecondaryIndex));
	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		if (ItemIndexGetKind(index) != ITEM_INDEX_NONE)
			read_index(table, &table->indexes[table->index_count++], index);
		table->has_other_unique |= index->rd_index->indexrelid != table->primary_key &&
			(index->rd_index->indisunique || index->rd_index->indisexclusion);
		index_close(index, NoLock);
	}
	qsort(table->indexes, table->index_count, sizeof(SecondaryIndex), compare_indexes);
}

/* Is to write a row nothing else than that, and its index entries? */
static bool
is_plainly_written(Relation relation)
{
	TupleDesc	tupdesc = RelationGetDescr(relation);

	if (relation->trigdesc != NULL || relation->rd_rules != NULL || (tupdesc->constr != NULL && tupdesc->constr->num_check > 0) ||
		relation->rd_rel->relispartition)
		return false;
	/* Those that are not stored may be in constraints all the same. */
	for (int i = 0; i < tupdesc->natts; i++)
		if (TupleDescAttr(tupdesc, i)->attgenerated != '\0')
			return false;
	return true;
}

TableDescriptor *
TableDefinitionRead(Oid relid)
{
	Relation	relation = OidIsValid(relid) ? try_relation_open(relid, NoLock) : NULL;
	TableDescriptor *table = palloc0(sizeof(TableDescriptor));
	List	   *indexes;

	if (relation == NULL)
		report_no_item_table("There is no relation with OID %u.", relid);
	table->relid = relid;
	table->kind = check_kind(relation);
	table->name = pstrdup(RelationGetRelationName(relation));
	table->qualified_name = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(relation)), table->name);
	/* With the constraints: the values of columns that were added later and are not in old rows are among them. */
	table->tupdesc = CreateTupleDescCopyConstr(RelationGetDescr(relation));
	table->row_type = relation->rd_rel->reltype;
	table->is_plainly_written = is_plainly_written(relation);
	read_columns(table);
	indexes = RelationGetIndexList(relation);
	read_primary_key(table, indexes);
	read_indexes(table, indexes);
	list_free(indexes);
	relation_close(relation, NoLock);
	return table;
}
