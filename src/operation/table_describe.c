/*
 * src/operation/table_describe.c
 *		Describing an item table as DynamoDB does.
 *
 * Sizes and numbers of items are the server's statistics, as of the last VACUUM, ANALYZE or CREATE INDEX; DynamoDB's are hours old too.
 * Attributes are those that are keys; that another has a column is nobody's business but SQL's.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "storage/lockdefs.h"
#include "utils/json.h"
#include "utils/syscache.h"

#include "operation/table_operations.h"

typedef struct Statistics
{
	double		rows;
	int64		bytes;
} Statistics;

/* Adds what pg_class says of one relation, and of its TOAST table. */
static void
add_relation(Statistics *statistics, Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;

	/* Dropped in this moment. */
	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_class) GETSTRUCT(tuple);
	if (RELKIND_HAS_STORAGE(form->relkind))
	{
		/* -1: never counted */
		if (form->relkind != RELKIND_TOASTVALUE)
			statistics->rows += Max(form->reltuples, 0);
		statistics->bytes += (int64) form->relpages * BLCKSZ;
	}
	if (OidIsValid(form->reltoastrelid))
		add_relation(statistics, form->reltoastrelid);
	ReleaseSysCache(tuple);
}

/* Of a relation and, if it is partitioned, of its partitions. */
static Statistics
read_statistics(Oid relid)
{
	Statistics	statistics = {0, 0};
	ListCell   *cell;

	foreach(cell, find_all_inheritors(relid, NoLock, NULL))
		add_relation(&statistics, lfirst_oid(cell));
	return statistics;
}

static void
append_string_member(StringInfo json, const char *name, const char *value)
{
	appendStringInfo(json, "\"%s\": ", name);
	escape_json(json, value);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static void
append_key_element(StringInfo json, const char *name, bool is_partition_key)
{
	appendStringInfoChar(json, '{');
	append_string_member(json, "AttributeName", name);
	appendStringInfo(json, ", \"KeyType\": \"%s\"}", is_partition_key ? "HASH" : "RANGE");
}

static void
append_projection(StringInfo json, const SecondaryIndex *index)
{
	static const char *const types[] = {
		[PROJECTION_ALL] = "ALL",[PROJECTION_KEYS_ONLY] = "KEYS_ONLY",[PROJECTION_INCLUDE] = "INCLUDE"
	};

	appendStringInfo(json, "\"Projection\": {\"ProjectionType\": \"%s\"", types[index->projection]);
	if (index->projection == PROJECTION_INCLUDE)
	{
		int			count = index->non_key_attribute_count;
		char	  **names = palloc(Max(count, 1) * sizeof(char *));

		if (count > 0)
			memcpy(names, index->non_key_attributes, count * sizeof(char *));
		qsort(names, count, sizeof(char *), compare_names);
		appendStringInfoString(json, ", \"NonKeyAttributes\": [");
		for (int i = 0; i < count; i++)
		{
			if (i > 0)
				appendStringInfoString(json, ", ");
			escape_json(json, names[i]);
		}
		appendStringInfoChar(json, ']');
	}
	appendStringInfoChar(json, '}');
}

static void
append_index(StringInfo json, const TableDescriptor *table, const SecondaryIndex *index, double table_rows)
{
	Statistics	statistics = read_statistics(index->oid);
	Relation	relation = index_open(index->oid, AccessShareLock);
	/* CREATE INDEX and VACUUM count the entries; ANALYZE stores the table's rows, but knows how many are NULL. */
	double		rows = Min(statistics.rows, ItemIndexEstimateEntries(relation, table_rows));

	index_close(relation, NoLock);
	appendStringInfoChar(json, '{');
	append_string_member(json, "IndexName", index->name);
	appendStringInfoString(json, ", \"KeySchema\": [");
	for (int i = 0; i < index->partition_count + index->sort_count; i++)
	{
		if (i > 0)
			appendStringInfoString(json, ", ");
		append_key_element(json, IndexKeyAttribute(table, index, i)->name, i < index->partition_count);
	}
	appendStringInfoString(json, "], ");
	append_projection(json, index);
	if (!index->is_local)
		appendStringInfo(json, ", \"IndexStatus\": \"%s\"", index->is_valid ? "ACTIVE" : "CREATING");
	if (!index->is_local && !index->is_valid)
		appendStringInfoString(json, ", \"Backfilling\": true");
	appendStringInfo(json, ", \"IndexSizeBytes\": " INT64_FORMAT ", \"ItemCount\": %.0f}", statistics.bytes,
					 index->is_valid ? rows : 0.0);
}

/* The list of local or of global indexes, if there are any. */
static void
append_indexes(StringInfo json, const TableDescriptor *table, bool is_local, double table_rows)
{
	const SecondaryIndex *previous = NULL;

	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		/* REINDEX CONCURRENTLY has two of one name for a time; the first is the one that is used. */
		if (index->is_local != is_local || index->defect != NULL ||
			(previous != NULL && strcmp(previous->name, index->name) == 0))
			continue;
		appendStringInfoString(json, previous != NULL ? ", " :
							   is_local ? ", \"LocalSecondaryIndexes\": [" : ", \"GlobalSecondaryIndexes\": [");
		append_index(json, table, index, table_rows);
		previous = index;
	}
	if (previous != NULL)
		appendStringInfoChar(json, ']');
}

void
OperationDescribeTable(Oid relid, StringInfo json)
{
	const TableDescriptor *table = TableOpen(relid, AccessShareLock);
	Statistics	statistics = read_statistics(relid);
	bool		is_first = true;

	append_string_member(json, "TableName", table->name);
	appendStringInfo(json, ", \"TableStatus\": \"ACTIVE\", \"TableSizeBytes\": " INT64_FORMAT ", \"ItemCount\": %.0f, "
					 "\"AttributeDefinitions\": [", statistics.bytes, statistics.rows);
	for (int i = 0; i < table->attribute_count; i++)
	{
		const PromotedAttribute *attribute = &table->attributes[i];

		if (attribute->key_position < 0 && !attribute->is_index_key)
			continue;
		appendStringInfoString(json, is_first ? "{" : ", {");
		append_string_member(json, "AttributeName", attribute->name);
		appendStringInfo(json, ", \"AttributeType\": \"%s\"}", AttributeTypeName(attribute->type));
		is_first = false;
	}
	appendStringInfoString(json, "], \"KeySchema\": [");
	for (int i = 0; i < table->key_count; i++)
	{
		if (i > 0)
			appendStringInfoString(json, ", ");
		append_key_element(json, TableKeyAttribute(table, i)->name, i == 0);
	}
	appendStringInfoChar(json, ']');
	append_indexes(json, table, true, statistics.rows);
	append_indexes(json, table, false, statistics.rows);
}
