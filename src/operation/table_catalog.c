/*
 * src/operation/table_catalog.c
 *		Item tables in the server's catalogs: listing, names, estimates, removal.
 *
 * A table is found to be an item table by its dependency on the type: pg_depend has one entry per column of type item, and its index
 * finds all of them at once, however many other tables the database has.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "operation/table_catalog.h"
#include "operation/table_operations.h"
#include "operation/table_settings.h"

#define HASH_DIGITS 16			/* hexadecimal digits of a 64-bit hash */

static Oid
item_type(void)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("item"), ObjectIdGetDatum(ExtensionNamespace()));
}

/*
 * has_item_table_shape
 *		All of the rules but that on the column of type item.
 */
static bool
has_item_table_shape(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;
	Bitmapset  *key;
	Oid			constraint;
	int			attno = -1;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	result = (form->relkind == RELKIND_RELATION || form->relkind == RELKIND_PARTITIONED_TABLE) && !form->relispartition;
	ReleaseSysCache(tuple);
	if (!result)
		return false;

	key = get_primary_key_attnos(relid, false, &constraint);
	result = bms_num_members(key) >= 1 && bms_num_members(key) <= TABLE_MAX_KEYS;
	while (result && (attno = bms_next_member(key, attno)) >= 0)
	{
		Oid			type;
		int32		typmod;
		Oid			collation;

		get_atttypetypmodcoll(relid, attno + FirstLowInvalidHeapAttributeNumber, &type, &typmod, &collation);
		result = type == NUMERICOID || type == BYTEAOID || (type == TEXTOID && CollationIsC(collation));
	}
	bms_free(key);
	return result;
}

bool
RelationIsItemTable(Oid relid)
{
	Oid			type = item_type();
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	int			item_columns = 0;

	ScanKeyInit(&keys[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	ScanKeyInit(&keys[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relid));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (form->refclassid == TypeRelationId && form->refobjid == type && form->objsubid > 0)
			item_columns++;
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return item_columns == 1 && has_item_table_shape(relid);
}

/*
 * relations_with_items
 *		OIDs of the relations that have a column of type item; of one with several, as often.
 */
static List *
relations_with_items(void)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	List	   *relids = NIL;

	ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(TypeRelationId));
	ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(item_type()));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (form->classid == RelationRelationId && form->objsubid > 0)
			relids = lappend_oid(relids, form->objid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	list_sort(relids, list_oid_cmp);
	return relids;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

char **
ItemTableList(int *count)
{
	List	   *relids = relations_with_items();
	int			length = list_length(relids);
	char	  **names = palloc((length + 1) * sizeof(char *));
	int			name_count = 0;
	int			mapped_count;
	MappedName *mapped = ItemTableMappedNames(&mapped_count);

	for (int i = 0; i < length; i++)
	{
		Oid			relid = list_nth_oid(relids, i);
		bool		is_repeated = (i > 0 && list_nth_oid(relids, i - 1) == relid) ||
			(i + 1 < length && list_nth_oid(relids, i + 1) == relid);
		char	   *name;

		CHECK_FOR_INTERRUPTS();
		if (is_repeated || !RelationIsVisible(relid) || !has_item_table_shape(relid) ||
			pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
			continue;
		name = MappedNameFind(mapped, mapped_count, relid);
		if (name == NULL)
			name = get_rel_name(relid);
		if (name != NULL)
			names[name_count++] = name;
	}

	qsort(names, name_count, sizeof(char *), compare_names);
	*count = 0;
	for (int i = 0; i < name_count; i++)
		if (*count == 0 || strcmp(names[*count - 1], names[i]) != 0)
			names[(*count)++] = names[i];
	return names;
}

char *
ItemTableChooseName(const char *api_name, Oid namespace)
{
	size_t		length = strlen(api_name);
	Oid			relid = get_relname_relid(api_name, namespace);
	int			kept;

	if (OidIsValid(relid))
	{
		char		relkind = get_rel_relkind(relid);

		if (relkind != RELKIND_INDEX && relkind != RELKIND_PARTITIONED_INDEX && relkind != RELKIND_COMPOSITE_TYPE)
			return NULL;
	}
	else if (length < NAMEDATALEN &&
			 !SearchSysCacheExists2(TYPENAMENSP, CStringGetDatum(api_name), ObjectIdGetDatum(namespace)))
		return pstrdup(api_name);

	/* The same for everybody who asks at once, so that the second of two creators fails instead of making a second table. */
	kept = pg_mbcliplen(api_name, length, NAMEDATALEN - 1 - 1 - HASH_DIGITS);
	return psprintf("%.*s_%016llx", kept, api_name,
					(unsigned long long) hash_bytes_extended((const unsigned char *) api_name, length, 0));
}

/*
 * drop_relation
 *		Drop a relation as the caller would; nothing if it is gone.
 */
static void
drop_relation(const char *command, Oid relid)
{
	char	   *name = get_rel_name(relid);

	if (name != NULL)
		RunStatement(psprintf("%s %s", command,
							  quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)), name)));
}

void
ItemTableDrop(Oid relid)
{
	drop_relation("DROP TABLE", relid);
}

void
ItemIndexDrop(Oid index)
{
	drop_relation("DROP INDEX", index);
}

void
ItemTableDemote(const TableDescriptor *table, const PromotedAttribute *attribute)
{
	const char *schema = quote_identifier(get_namespace_name(ExtensionNamespace()));
	const char *item = quote_identifier(table->item_column);
	const char *column = quote_identifier(attribute->name);
	/* encode() breaks lines. */
	const char *value = attribute->type == ATTRIBUTE_B ?
		psprintf("pg_catalog.replace(pg_catalog.encode(t.%s, 'base64'), E'\\n', '')", column) :
		psprintf("t.%s::pg_catalog.text", column);

	LockRelationOid(table->relid, AccessExclusiveLock);
	RunStatement(psprintf("UPDATE %s AS t SET %s = %s.item_merge(t.%s, %s.item_from_dynamodb_json("
						  "pg_catalog.json_build_object(%s, pg_catalog.json_build_object('%s', %s)))) WHERE t.%s IS NOT NULL",
						  table->qualified_name, item, schema, item, schema,
						  quote_literal_cstr(attribute->name), AttributeTypeName(attribute->type), value, column));
	RunStatement(psprintf("ALTER TABLE %s DROP COLUMN %s", table->qualified_name, column));
}

static void
add_estimate(Oid relid, int64 *tuples, int64 *bytes, Oid *toast)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;

	*toast = InvalidOid;
	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_class) GETSTRUCT(tuple);
	/* -1 is "never counted". */
	if (tuples != NULL)
		*tuples += (int64) Max(form->reltuples, 0);
	*bytes += (int64) Max(form->relpages, 0) * BLCKSZ;
	*toast = form->reltoastrelid;
	ReleaseSysCache(tuple);
}

void
ItemTableEstimate(Oid relid, int64 *tuples, int64 *bytes)
{
	Oid			toast;

	*tuples = 0;
	*bytes = 0;
	add_estimate(relid, tuples, bytes, &toast);
	if (OidIsValid(toast))
		add_estimate(toast, NULL, bytes, &toast);
}

void
ItemIndexEstimate(const TableDescriptor *table, const SecondaryIndex *index, int64 *tuples, int64 *bytes)
{
	int64		table_tuples;
	int64		table_bytes;
	Oid			toast;

	*tuples = 0;
	*bytes = 0;
	add_estimate(index->oid, tuples, bytes, &toast);
	ItemTableEstimate(table->relid, &table_tuples, &table_bytes);
	if (table_tuples == 0)
		*tuples = 0;			/* do not look for statistics: the cache would remember for ever that there are none */
	if (*tuples > 0)
	{
		Relation	relation = index_open(index->oid, AccessShareLock);

		*tuples = Min(*tuples, (int64) rint(ItemIndexEstimateEntries(relation, table_tuples)));
		index_close(relation, NoLock);
	}
	/* An index without entries has a page of its own, which is none of its content. */
	if (*tuples == 0)
		*bytes = 0;
}
