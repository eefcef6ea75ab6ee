/*
 * src/operation/table_settings.c
 *		The rows of item_table_settings, read and written as the server reads and writes its catalogs.
 *
 * Rows are read by everybody (like comments and index options) and written by this file alone: no role but the extension's owner has
 * a privilege to write the table, and the C code writes it without asking for one, after it has asked whether the caller owns the relation
 * that the row is about.  That is the rule of COMMENT ON, and needs neither SECURITY DEFINER nor row-level security (which would stop
 * an ordinary role's pg_dump); no SQL text runs here, so no search_path matters.  Reads see the newest committed state, as DDL does.
 *
 * The key is a regclass: it follows a renamed table, and a dump holds its name.  A row whose table was dropped by SQL stays until
 * the next CreateTable or DeleteTable (TableSettingsClean); dumps leave it out.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_extension.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "storage/lmgr.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "base/error.h"
#include "operation/table_settings.h"

/* Columns of item_table_settings, in the order of the SQL script. */
enum
{
	COLUMN_TBL,
	COLUMN_NAME,
	COLUMN_TABLE_ID,
	COLUMN_CREATED,
	COLUMN_BILLING_MODE,
	COLUMN_ON_DEMAND_SINCE,
	COLUMN_THROUGHPUT,
	COLUMN_STREAM_VIEW_TYPE,
	COLUMN_STREAM_CREATED,
	COLUMN_DELETION_PROTECTION,
	COLUMN_TABLE_CLASS,
	COLUMN_TABLE_CLASS_CHANGED,
	COLUMN_ENCRYPTION_KEY,
	COLUMN_TTL_ATTRIBUTE,
	COLUMN_TTL_CHANGED,
	COLUMN_TAGS,
	COLUMN_INDEXES,
	COLUMN_COUNT
};

#define BILLING_ON_DEMAND "PAY_PER_REQUEST"
#define BILLING_PROVISIONED "PROVISIONED"

/* The members of a ThroughputSettings in an item, each an N.  Times are PostgreSQL's microseconds since 2000-01-01 UTC. */
static const struct
{
	const char *name;
	size_t		offset;
} throughput_members[] = {
	{"read_units", offsetof(ThroughputSettings, read_units)},
	{"write_units", offsetof(ThroughputSettings, write_units)},
	{"last_increase", offsetof(ThroughputSettings, last_increase)},
	{"last_decrease", offsetof(ThroughputSettings, last_decrease)},
	{"decreases", offsetof(ThroughputSettings, decreases)},
	{"max_read_units", offsetof(ThroughputSettings, max_read_units)},
	{"max_write_units", offsetof(ThroughputSettings, max_write_units)},
	{"warm_read_units", offsetof(ThroughputSettings, warm_read_units)},
	{"warm_write_units", offsetof(ThroughputSettings, warm_write_units)},
};

#define ThroughputMember(throughput, i) (*(int64 *) ((char *) (throughput) + throughput_members[i].offset))

typedef struct SettingsTable
{
	Relation	rel;
	Oid			primary_key;
	Oid			name_index;
} SettingsTable;

Oid
ExtensionNamespace(void)
{
	Relation	extensions;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			namespace = InvalidOid;

	extensions = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum("singletable"));
	scan = systable_beginscan(extensions, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		namespace = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(extensions, AccessShareLock);
	return namespace;
}

static void
open_settings(SettingsTable *table, LOCKMODE lockmode)
{
	Oid			namespace = ExtensionNamespace();

	table->primary_key = get_relname_relid("item_table_settings_pkey", namespace);
	table->name_index = get_relname_relid("item_table_settings_name", namespace);
	if (!OidIsValid(table->primary_key) || !OidIsValid(table->name_index))
		elog(ERROR, "extension singletable has no table item_table_settings");
	table->rel = table_open(get_relname_relid("item_table_settings", namespace), lockmode);
}

static SysScanDesc
begin_scan_of_relation(const SettingsTable *table, Oid relid)
{
	ScanKeyData key;

	ScanKeyInit(&key, COLUMN_TBL + 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relid));
	return systable_beginscan(table->rel, table->primary_key, true, NULL, 1, &key);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Items of a row and back
 */

/* The members of a map that are known; all others are left as they are. */
static void
read_throughput(const AttributeContainer *map, ThroughputSettings *throughput)
{
	AttributeValue value;

	for (int i = 0; i < lengthof(throughput_members); i++)
		if (AttributeMapFind(map, throughput_members[i].name, strlen(throughput_members[i].name), &value) &&
			value.type == ATTRIBUTE_N)
			(void) ItemNumberToInt64(value.data, value.length, &ThroughputMember(throughput, i));
}

static void
write_number(ItemBuilder *builder, const char *name, int64 number)
{
	char		buffer[ITEM_NUMBER_MAX];
	uint32		length = ItemNumberFromInt64(number, buffer);

	ItemBuilderName(builder, name, strlen(name));
	ItemBuilderScalar(builder, ATTRIBUTE_N, buffer, length);
}

static void
write_throughput(ItemBuilder *builder, const ThroughputSettings *throughput)
{
	for (int i = 0; i < lengthof(throughput_members); i++)
		if (ThroughputMember(throughput, i) != 0)
			write_number(builder, throughput_members[i].name, ThroughputMember(throughput, i));
}

static void
read_indexes(const SingletableItem *item, TableSettings *settings)
{
	AttributeContainer map;
	AttributeContainer members;
	Attribute	attribute;
	AttributeValue position;

	ItemOpen(item, &map);
	settings->indexes = palloc0((map.count + 1) * sizeof(IndexSettings));	/* room for one more */
	for (uint32 i = 0; i < map.count; i++)
	{
		IndexSettings *index = &settings->indexes[settings->index_count];

		AttributeMapGet(&map, i, &attribute);
		if (attribute.value.type != ATTRIBUTE_M)
			continue;
		AttributeContainerOpen(&attribute.value, &members);
		index->name = pnstrdup(attribute.name, attribute.name_length);
		if (AttributeMapFind(&members, "position", strlen("position"), &position) && position.type == ATTRIBUTE_N)
			(void) ItemNumberToInt64(position.data, position.length, &index->position);
		read_throughput(&members, &index->throughput);
		settings->index_count++;
	}
}

static SingletableItem *
write_indexes(const TableSettings *settings)
{
	ItemBuilder *builder = ItemBuilderCreate();

	ItemBuilderBegin(builder, ATTRIBUTE_M);
	for (int i = 0; i < settings->index_count; i++)
	{
		ItemBuilderName(builder, settings->indexes[i].name, strlen(settings->indexes[i].name));
		ItemBuilderBegin(builder, ATTRIBUTE_M);
		write_number(builder, "position", settings->indexes[i].position);
		write_throughput(builder, &settings->indexes[i].throughput);
		ItemBuilderEnd(builder);
	}
	ItemBuilderEnd(builder);
	return ItemBuilderFinishItem(builder);
}

static void
read_tags(const SingletableItem *item, TableSettings *settings)
{
	AttributeContainer map;
	Attribute	attribute;

	ItemOpen(item, &map);
	settings->tag_count = map.count;
	settings->tags = palloc0(map.count * sizeof(TableTag));
	for (uint32 i = 0; i < map.count; i++)
	{
		AttributeMapGet(&map, i, &attribute);
		settings->tags[i].key = pnstrdup(attribute.name, attribute.name_length);
		settings->tags[i].value = pnstrdup(attribute.value.data, attribute.value.length);
	}
}

static SingletableItem *
write_tags(const TableSettings *settings)
{
	ItemBuilder *builder = ItemBuilderCreate();

	ItemBuilderBegin(builder, ATTRIBUTE_M);
	for (int i = 0; i < settings->tag_count; i++)
	{
		ItemBuilderName(builder, settings->tags[i].key, strlen(settings->tags[i].key));
		ItemBuilderScalar(builder, ATTRIBUTE_S, settings->tags[i].value, strlen(settings->tags[i].value));
	}
	ItemBuilderEnd(builder);
	return ItemBuilderFinishItem(builder);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Rows
 */

/*
 * set_default_id
 *		The TableId of a table without a row: the same whenever it is asked for, and another one for a table made anew.
 */
static void
set_default_id(TableSettings *settings)
{
	uint64		source[3] = {GetSystemIdentifier(), MyDatabaseId, settings->relid};
	uint64		hash;

	for (int half = 0; half < 2; half++)
	{
		hash = hash_bytes_extended((unsigned char *) source, sizeof(source), half + 1);
		memcpy(settings->table_id.data + half * sizeof(hash), &hash, sizeof(hash));
	}
	/* The marks of a random UUID: version 4, RFC variant. */
	settings->table_id.data[6] = (settings->table_id.data[6] & 0x0f) | 0x40;
	settings->table_id.data[8] = (settings->table_id.data[8] & 0x3f) | 0x80;
}

static TableSettings *
settings_from_row(const SettingsTable *table, Oid relid, HeapTuple tuple)
{
	TableSettings *settings = palloc0(sizeof(TableSettings));
	Datum		values[COLUMN_COUNT];
	bool		nulls[COLUMN_COUNT];
	AttributeContainer map;

#define TextColumn(column) (nulls[column] ? NULL : TextDatumGetCString(values[column]))
#define TimeColumn(column) (nulls[column] ? 0 : DatumGetTimestampTz(values[column]))

	settings->relid = relid;
	if (!HeapTupleIsValid(tuple))
	{
		settings->is_on_demand = true;
		set_default_id(settings);
		return settings;
	}

	heap_deform_tuple(tuple, RelationGetDescr(table->rel), values, nulls);
	settings->is_stored = true;
	settings->name = TextColumn(COLUMN_NAME);
	settings->table_id = *DatumGetUUIDP(values[COLUMN_TABLE_ID]);
	settings->created = TimeColumn(COLUMN_CREATED);
	settings->is_on_demand = strcmp(TextDatumGetCString(values[COLUMN_BILLING_MODE]), BILLING_ON_DEMAND) == 0;
	settings->on_demand_since = TimeColumn(COLUMN_ON_DEMAND_SINCE);
	if (!nulls[COLUMN_THROUGHPUT])
	{
		ItemOpen(DatumGetItem(values[COLUMN_THROUGHPUT]), &map);
		read_throughput(&map, &settings->throughput);
	}
	settings->stream_view_type = TextColumn(COLUMN_STREAM_VIEW_TYPE);
	settings->stream_created = TimeColumn(COLUMN_STREAM_CREATED);
	settings->deletion_protection = DatumGetBool(values[COLUMN_DELETION_PROTECTION]);
	settings->table_class = TextColumn(COLUMN_TABLE_CLASS);
	settings->table_class_changed = TimeColumn(COLUMN_TABLE_CLASS_CHANGED);
	settings->encryption_key = TextColumn(COLUMN_ENCRYPTION_KEY);
	settings->ttl_attribute = TextColumn(COLUMN_TTL_ATTRIBUTE);
	settings->ttl_changed = TimeColumn(COLUMN_TTL_CHANGED);
	if (!nulls[COLUMN_TAGS])
		read_tags(DatumGetItem(values[COLUMN_TAGS]), settings);
	if (!nulls[COLUMN_INDEXES])
		read_indexes(DatumGetItem(values[COLUMN_INDEXES]), settings);
	return settings;
}

static HeapTuple
settings_to_row(const SettingsTable *table, const TableSettings *settings)
{
	Datum		values[COLUMN_COUNT] = {0};
	bool		nulls[COLUMN_COUNT] = {0};
	ItemBuilder *builder;

#define SetText(column, text) \
	do { \
		if ((nulls[column] = ((text) == NULL)) == false) \
			values[column] = CStringGetTextDatum(text); \
	} while (0)
#define SetTime(column, time) \
	do { \
		nulls[column] = ((time) == 0); \
		values[column] = TimestampTzGetDatum(time); \
	} while (0)

	values[COLUMN_TBL] = ObjectIdGetDatum(settings->relid);
	SetText(COLUMN_NAME, settings->name);
	values[COLUMN_TABLE_ID] = UUIDPGetDatum(&settings->table_id);
	SetTime(COLUMN_CREATED, settings->created);
	SetText(COLUMN_BILLING_MODE, settings->is_on_demand ? BILLING_ON_DEMAND : BILLING_PROVISIONED);
	SetTime(COLUMN_ON_DEMAND_SINCE, settings->on_demand_since);
	builder = ItemBuilderCreate();
	ItemBuilderBegin(builder, ATTRIBUTE_M);
	write_throughput(builder, &settings->throughput);
	nulls[COLUMN_THROUGHPUT] = ItemBuilderCount(builder) == 0;
	ItemBuilderEnd(builder);
	values[COLUMN_THROUGHPUT] = PointerGetDatum(ItemBuilderFinishItem(builder));
	SetText(COLUMN_STREAM_VIEW_TYPE, settings->stream_view_type);
	SetTime(COLUMN_STREAM_CREATED, settings->stream_created);
	values[COLUMN_DELETION_PROTECTION] = BoolGetDatum(settings->deletion_protection);
	SetText(COLUMN_TABLE_CLASS, settings->table_class);
	SetTime(COLUMN_TABLE_CLASS_CHANGED, settings->table_class_changed);
	SetText(COLUMN_ENCRYPTION_KEY, settings->encryption_key);
	SetText(COLUMN_TTL_ATTRIBUTE, settings->ttl_attribute);
	SetTime(COLUMN_TTL_CHANGED, settings->ttl_changed);
	if ((nulls[COLUMN_TAGS] = settings->tag_count == 0) == false)
		values[COLUMN_TAGS] = PointerGetDatum(write_tags(settings));
	if ((nulls[COLUMN_INDEXES] = settings->index_count == 0) == false)
		values[COLUMN_INDEXES] = PointerGetDatum(write_indexes(settings));
	return heap_form_tuple(RelationGetDescr(table->rel), values, nulls);
}

TableSettings *
TableSettingsRead(Oid relid)
{
	SettingsTable table;
	SysScanDesc scan;
	TableSettings *settings;

	open_settings(&table, AccessShareLock);
	scan = begin_scan_of_relation(&table, relid);
	settings = settings_from_row(&table, relid, systable_getnext(scan));
	systable_endscan(scan);
	table_close(table.rel, AccessShareLock);
	return settings;
}

/*
 * require_owner
 *		42501 unless the current user owns the relation; false if it is gone.
 */
static bool
require_owner(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	if (!has_privs_of_role(GetUserId(), form->relowner))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(form->relkind), NameStr(form->relname));
	ReleaseSysCache(tuple);
	return true;
}

TableSettings *
TableSettingsLock(Oid relid)
{
	PreventCommandIfReadOnly("a change of an item table");
	PreventCommandIfParallelMode("a change of an item table");

	/* Who may not change it must not lock it; and it may have changed hands meanwhile. */
	if (!require_owner(relid))
		return NULL;
	/* As COMMENT ON and CREATE STATISTICS do: it excludes itself, and neither reads nor writes of items. */
	LockRelationOid(relid, ShareUpdateExclusiveLock);
	return require_owner(relid) ? TableSettingsRead(relid) : NULL;
}

void
TableSettingsWrite(TableSettings *settings)
{
	SettingsTable table;
	SysScanDesc scan;
	HeapTuple	row;
	HeapTuple	old_row;

	open_settings(&table, RowExclusiveLock);
	row = settings_to_row(&table, settings);
	scan = begin_scan_of_relation(&table, settings->relid);
	old_row = systable_getnext(scan);
	if (HeapTupleIsValid(old_row))
		CatalogTupleUpdate(table.rel, &old_row->t_self, row);
	else
		CatalogTupleInsert(table.rel, row);
	systable_endscan(scan);
	table_close(table.rel, NoLock);
	settings->is_stored = true;
	CommandCounterIncrement();
}

void
TableSettingsDelete(Oid relid)
{
	SettingsTable table;
	SysScanDesc scan;
	HeapTuple	row;

	open_settings(&table, RowExclusiveLock);
	scan = begin_scan_of_relation(&table, relid);
	row = systable_getnext(scan);
	if (HeapTupleIsValid(row))
		CatalogTupleDelete(table.rel, &row->t_self);
	systable_endscan(scan);
	table_close(table.rel, NoLock);
	CommandCounterIncrement();
}

static Oid
row_relation(const SettingsTable *table, HeapTuple row)
{
	bool		is_null;

	return DatumGetObjectId(heap_getattr(row, COLUMN_TBL + 1, RelationGetDescr(table->rel), &is_null));
}

void
TableSettingsClean(void)
{
	SettingsTable table;
	SysScanDesc scan;
	HeapTuple	row;

	open_settings(&table, RowExclusiveLock);
	/* Two sessions must not delete the same row; nobody else changes rows of relations that are gone. */
	if (ConditionalLockRelation(table.rel, ShareUpdateExclusiveLock))
	{
		scan = systable_beginscan(table.rel, InvalidOid, false, NULL, 0, NULL);
		while (HeapTupleIsValid(row = systable_getnext(scan)))
		{
			CHECK_FOR_INTERRUPTS();
			if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(row_relation(&table, row))))
				CatalogTupleDelete(table.rel, &row->t_self);
		}
		systable_endscan(scan);
	}
	table_close(table.rel, NoLock);
}

List *
TableSettingsExpiring(void)
{
	SettingsTable table;
	SysScanDesc scan;
	HeapTuple	row;
	List	   *relids = NIL;

	open_settings(&table, AccessShareLock);
	scan = systable_beginscan(table.rel, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Oid			relid = row_relation(&table, row);

		CHECK_FOR_INTERRUPTS();
		if (!heap_attisnull(row, COLUMN_TTL_ATTRIBUTE + 1, RelationGetDescr(table.rel)) &&
			SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relid)))
			relids = lappend_oid(relids, relid);
	}
	systable_endscan(scan);
	table_close(table.rel, AccessShareLock);
	return relids;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Indexes of a table
 */

IndexSettings *
TableSettingsFindIndex(const TableSettings *settings, const char *name)
{
	for (int i = 0; i < settings->index_count; i++)
		if (strcmp(settings->indexes[i].name, name) == 0)
			return &settings->indexes[i];
	return NULL;
}

IndexSettings *
TableSettingsAddIndex(TableSettings *settings, const char *name)
{
	IndexSettings *index = TableSettingsFindIndex(settings, name);
	int64		position = 0;

	if (index != NULL)
		return index;
	for (int i = 0; i < settings->index_count; i++)
		position = Max(position, settings->indexes[i].position);
	if (settings->indexes == NULL)
		settings->indexes = palloc0(sizeof(IndexSettings));
	else
		settings->indexes = repalloc(settings->indexes, (settings->index_count + 1) * sizeof(IndexSettings));
	index = &settings->indexes[settings->index_count++];
	memset(index, 0, sizeof(*index));
	index->name = pstrdup(name);
	index->position = position + 1;
	return index;
}

void
TableSettingsRemoveIndex(TableSettings *settings, const char *name)
{
	IndexSettings *index = TableSettingsFindIndex(settings, name);

	if (index == NULL)
		return;
	settings->index_count--;
	memmove(index, index + 1, (settings->indexes + settings->index_count - index) * sizeof(IndexSettings));
}

/* ---------------------------------------------------------------------------------------------------------------------
 * API names
 */

Oid
ItemTableNamed(const char *name, uint32 length)
{
	SettingsTable table;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	List	   *search_path = fetch_search_path(false);
	int			best = list_length(search_path);
	Oid			result = InvalidOid;

	open_settings(&table, AccessShareLock);
	ScanKeyInit(&key, COLUMN_NAME + 1, BTEqualStrategyNumber, F_TEXTEQ,
				PointerGetDatum(cstring_to_text_with_len(name, length)));
	scan = systable_beginscan(table.rel, table.name_index, true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Oid			relid = row_relation(&table, row);
		Oid			namespace = get_rel_namespace(relid);	/* InvalidOid: it is gone */
		ListCell   *cell;

		foreach(cell, search_path)
			if (lfirst_oid(cell) == namespace && foreach_current_index(cell) < best)
			{
				best = foreach_current_index(cell);
				result = relid;
			}
	}
	systable_endscan(scan);
	table_close(table.rel, AccessShareLock);
	list_free(search_path);
	return result;
}

char *
ItemTableMappedName(Oid relid)
{
	return TableSettingsRead(relid)->name;
}

static int
compare_relations(const void *a, const void *b)
{
	Oid			first = ((const MappedName *) a)->relid;
	Oid			second = ((const MappedName *) b)->relid;

	return first < second ? -1 : first > second;
}

MappedName *
ItemTableMappedNames(int *count)
{
	SettingsTable table;
	SysScanDesc scan;
	HeapTuple	row;
	int			capacity = 16;
	MappedName *names = palloc(capacity * sizeof(MappedName));

	*count = 0;
	open_settings(&table, AccessShareLock);
	scan = systable_beginscan(table.rel, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		is_null;
		Datum		name = heap_getattr(row, COLUMN_NAME + 1, RelationGetDescr(table.rel), &is_null);

		if (is_null)
			continue;
		if (*count == capacity)
			names = repalloc(names, (capacity *= 2) * sizeof(MappedName));
		names[*count].relid = row_relation(&table, row);
		names[*count].name = TextDatumGetCString(name);
		(*count)++;
	}
	systable_endscan(scan);
	table_close(table.rel, AccessShareLock);
	qsort(names, *count, sizeof(MappedName), compare_relations);
	return names;
}

char *
MappedNameFind(const MappedName *names, int count, Oid relid)
{
	MappedName	key = {.relid = relid};
	MappedName *found = count > 0 ? bsearch(&key, names, count, sizeof(MappedName), compare_relations) : NULL;

	return found ? found->name : NULL;
}
