/*
 * src/operation/expire.c
 *		Time to live: deleting the items whose time has passed.
 *
 * An item has expired when its table's TTL attribute is a number N with now - 5 years <= N < now, in seconds since 1970.  Anything else in
 * that attribute (another type, milliseconds, 0) never expires.
 *
 * A cursor finds expired rows and locks them, SKIP LOCKED: a row that a writer holds is left for the next sweep, and a row that changed
 * since the cursor's snapshot is looked at again in its newest version before it is locked.  So whoever raises the time, or
 * replaces the item, before the sweep comes to it keeps the item, and the sweep waits for nobody.  Rows are fetched in batches, which
 * bounds memory, and each is deleted by its key by the storage layer's kept statement: triggers, row-level security and foreign keys hold.
 *
 * Source: reference/streams-and-ttl, section 10
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "operation/expire.h"
#include "operation/table_catalog.h"
#include "operation/table_settings.h"
#include "storage/storage.h"

#define BATCH_SIZE 1000			/* rows fetched at once */
#define HORIZON (INT64CONST(5) * 365 * 86400)	/* seconds: what is older is taken for a wrong unit */

/*
 * expired_query
 *		SELECT of the keys of expired rows, locked.  $1 is now, $2 the horizon, both numeric.
 *
 * The attribute is a literal, so that an index on item_numeric(item, 'attribute') may serve.
 */
static char *
expired_query(const TableDescriptor *table, const char *attribute)
{
	const PromotedAttribute *column = TableFindAttribute(table, attribute, strlen(attribute));
	StringInfoData query;
	char	   *value;

	if (column != NULL && column->type == ATTRIBUTE_N)
		value = psprintf("t.%s", quote_identifier(column->name));
	else
		value = psprintf("%s(t.%s, %s)", quote_qualified_identifier(get_namespace_name(ExtensionNamespace()), "item_numeric"),
						 quote_identifier(table->item_column), quote_literal_cstr(attribute));

	initStringInfo(&query);
	appendStringInfoString(&query, "SELECT ");
	for (int i = 0; i < table->key_count; i++)
		appendStringInfo(&query, "%st.%s", i == 0 ? "" : ", ", quote_identifier(TableKeyAttribute(table, i)->name));
	appendStringInfo(&query, " FROM %s t WHERE %s OPERATOR(pg_catalog.<) $1 AND %s OPERATOR(pg_catalog.>=) $2 "
					 "FOR UPDATE OF t SKIP LOCKED", table->qualified_name, value, value);
	return query.data;
}

/*
 * delete_row
 *		Delete the row whose key a tuple of the cursor holds; false if a trigger or policy kept it.
 */
static bool
delete_row(TableDescriptor *table, HeapTuple tuple, TupleDesc tupdesc)
{
	TableKey	key;
	char		number_buffers[TABLE_MAX_KEYS][ITEM_NUMBER_MAX];
	bool		is_null;

	for (int i = 0; i < table->key_count; i++)
	{
		key.values[i] = SPI_getbinval(tuple, tupdesc, i + 1, &is_null);
		AttributeValueFromDatum(key.values[i], TableKeyAttribute(table, i)->type, number_buffers[i], &key.attributes[i]);
	}
	return StorageDelete(table, &key, NULL);
}

int64
ItemTableExpire(Oid relid, int64 max_items)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "time to live", ALLOCSET_DEFAULT_SIZES);
	MemoryContext row_context = AllocSetContextCreate(context, "time to live, row", ALLOCSET_SMALL_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	TableDescriptor *table = TableOpen(relid, RowExclusiveLock);
	TableSettings *settings = TableSettingsRead(relid);
	int64		now = (GetCurrentTimestamp() / USECS_PER_SEC) + (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
	Oid			types[2] = {NUMERICOID, NUMERICOID};
	Datum		values[2];
	char	   *query;
	Portal		portal;
	int64		deleted = 0;

	if (settings->ttl_attribute != NULL)
	{
		query = expired_query(table, settings->ttl_attribute);
		values[0] = NumericGetDatum(int64_to_numeric(now));
		values[1] = NumericGetDatum(int64_to_numeric(now - HORIZON));

		SPI_connect();
		portal = SPI_cursor_open_with_args(NULL, query, 2, types, values, NULL, false, CURSOR_OPT_NO_SCROLL);
		for (;;)
		{
			int64		wanted = max_items > 0 ? Min(BATCH_SIZE, max_items - deleted) : BATCH_SIZE;
			SPITupleTable *batch;

			if (wanted == 0)
				break;
			SPI_cursor_fetch(portal, true, wanted);
			batch = SPI_tuptable;
			if (SPI_processed == 0)
				break;
			for (uint64 i = 0; i < batch->numvals; i++)
			{
				CHECK_FOR_INTERRUPTS();
				MemoryContextSwitchTo(row_context);
				deleted += delete_row(table, batch->vals[i], batch->tupdesc);
				MemoryContextReset(row_context);
			}
			SPI_freetuptable(batch);
		}
		SPI_cursor_close(portal);
		SPI_finish();
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	return deleted;
}

/*
 * may_sweep
 *		Does the relation exist, is it (still) an item table and this session's to touch, and has the current user the privileges?
 */
static bool
may_sweep(Oid relid)
{
	/* What a DeleteTable under way leaves of it is seen once it has ended. */
	LockRelationOid(relid, RowExclusiveLock);
	return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relid)) &&
		!isOtherTempNamespace(get_rel_namespace(relid)) &&
		RelationIsItemTable(relid) &&
		pg_class_aclmask(relid, GetUserId(), ACL_SELECT | ACL_UPDATE | ACL_DELETE, ACLMASK_ALL) ==
		(ACL_SELECT | ACL_UPDATE | ACL_DELETE);
}

int64
ItemTablesExpire(int64 max_items)
{
	List	   *relids = TableSettingsExpiring();
	ListCell   *cell;
	int64		deleted = 0;

	foreach(cell, relids)
	{
		if (max_items > 0 && deleted >= max_items)
			break;
		if (may_sweep(lfirst_oid(cell)))
			deleted += ItemTableExpire(lfirst_oid(cell), max_items > 0 ? max_items - deleted : 0);
	}
	return deleted;
}
