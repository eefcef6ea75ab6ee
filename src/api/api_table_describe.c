/*
 * src/api/api_table_describe.c
 *		What the JSON API tells of tables: TableDescription, DescribeTable, ListTables, and the operations that describe the service.
 *
 * Members are written in the order of the service's model.  Source: reference/tables-and-indexes, sections 6, 9 and 12.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "api/api_table.h"
#include "operation/table_catalog.h"

#define LIST_TABLES_LIMIT 100
#define ENDPOINT_CACHE_MINUTES 1440

/* An index and its settings, in the order of the answer. */
typedef struct ListedIndex
{
	const SecondaryIndex *index;
	const IndexSettings *settings;	/* NULL: made by SQL */
} ListedIndex;

/* ---------------------------------------------------------------------------------------------------------------------
 * Values
 */

void
ApiWriteInteger(StringInfo out, const char *member, int64 value)
{
	ApiWriteMember(out, member);
	appendStringInfo(out, INT64_FORMAT, value);
}

void
ApiWriteTime(StringInfo out, const char *member, TimestampTz time)
{
	int64		microseconds = time + (int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY;

	/* 0 is "not known", which the API has no word for: the beginning of its time. */
	if (time == 0)
		microseconds = 0;
	ApiWriteMember(out, member);
	appendStringInfo(out, INT64_FORMAT ".%03d", microseconds / USECS_PER_SEC, (int) (microseconds % USECS_PER_SEC / 1000));
}

static void
write_text_member(StringInfo out, const char *member, const char *text)
{
	ApiWriteMember(out, member);
	ApiWriteText(out, text);
}

static void
write_boolean(StringInfo out, const char *member, bool value)
{
	ApiWriteMember(out, member);
	appendStringInfoString(out, value ? "true" : "false");
}

/* The moment a stream was enabled, in UTC and milliseconds: 2015-05-11T21:21:33.291. */
static char *
stream_label(TimestampTz created)
{
	int64		day = ApiUtcDay(created);
	int64		milliseconds = (created - day * USECS_PER_DAY) / 1000;
	int			year;
	int			month;
	int			month_day;

	j2date((int) day + POSTGRES_EPOCH_JDATE, &year, &month, &month_day);
	return psprintf("%04d-%02d-%02dT%02d:%02d:%02d.%03d", year, month, month_day, (int) (milliseconds / 3600000),
					(int) (milliseconds / 60000 % 60), (int) (milliseconds / 1000 % 60), (int) (milliseconds % 1000));
}

/* Days since 2000-01-01. */
int64
ApiUtcDay(TimestampTz time)
{
	int64		day = time / USECS_PER_DAY;

	return time < day * USECS_PER_DAY ? day - 1 : day;
}

int64
ApiDecreasesToday(const ThroughputSettings *throughput, TimestampTz now)
{
	return throughput->last_decrease != 0 && ApiUtcDay(throughput->last_decrease) == ApiUtcDay(now) ? throughput->decreases : 0;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Parts of a description
 */

static void
write_throughput(StringInfo out, const ThroughputSettings *throughput)
{
	ApiWriteMember(out, "ProvisionedThroughput");
	appendStringInfoChar(out, '{');
	if (throughput->last_increase != 0)
		ApiWriteTime(out, "LastIncreaseDateTime", throughput->last_increase);
	if (throughput->last_decrease != 0)
		ApiWriteTime(out, "LastDecreaseDateTime", throughput->last_decrease);
	/* On demand it is 0 too, though the day's count goes on when the table is provisioned again. */
	ApiWriteInteger(out, "NumberOfDecreasesToday",
					throughput->read_units == 0 ? 0 : ApiDecreasesToday(throughput, GetCurrentTimestamp()));
	ApiWriteInteger(out, "ReadCapacityUnits", throughput->read_units);
	ApiWriteInteger(out, "WriteCapacityUnits", throughput->write_units);
	appendStringInfoChar(out, '}');
}

static void
write_on_demand(StringInfo out, const ThroughputSettings *throughput)
{
	if (throughput->max_read_units == 0 && throughput->max_write_units == 0)
		return;
	ApiWriteMember(out, "OnDemandThroughput");
	appendStringInfoChar(out, '{');
	if (throughput->max_read_units != 0)
		ApiWriteInteger(out, "MaxReadRequestUnits", throughput->max_read_units);
	if (throughput->max_write_units != 0)
		ApiWriteInteger(out, "MaxWriteRequestUnits", throughput->max_write_units);
	appendStringInfoChar(out, '}');
}

/*
 * write_warm
 *		What the table can serve at once: at least what its billing mode gives, and never less than it once was.
 */
static void
write_warm(StringInfo out, const ThroughputSettings *throughput, bool is_on_demand)
{
	ApiWriteMember(out, "WarmThroughput");
	appendStringInfoChar(out, '{');
	ApiWriteInteger(out, "ReadUnitsPerSecond",
					Max(throughput->warm_read_units, is_on_demand ? API_ON_DEMAND_READ_UNITS : throughput->read_units));
	ApiWriteInteger(out, "WriteUnitsPerSecond",
					Max(throughput->warm_write_units, is_on_demand ? API_ON_DEMAND_WRITE_UNITS : throughput->write_units));
	write_text_member(out, "Status", "ACTIVE");
	appendStringInfoChar(out, '}');
}

static void
write_key_schema(StringInfo out, const TableDescriptor *table, const int *keys, int hash_count, int range_count)
{
	ApiWriteMember(out, "KeySchema");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < hash_count + range_count; i++)
	{
		ApiWriteElement(out);
		appendStringInfoChar(out, '{');
		write_text_member(out, "AttributeName", table->attributes[keys[i]].name);
		write_text_member(out, "KeyType", i < hash_count ? "HASH" : "RANGE");
		appendStringInfoChar(out, '}');
	}
	appendStringInfoChar(out, ']');
}

static void
write_definitions(StringInfo out, const TableDescriptor *table)
{
	ApiWriteMember(out, "AttributeDefinitions");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < table->attribute_count; i++)
	{
		const PromotedAttribute *attribute = &table->attributes[i];

		if (attribute->key_position < 0 && !attribute->is_index_key)
			continue;
		ApiWriteElement(out);
		appendStringInfoChar(out, '{');
		write_text_member(out, "AttributeName", attribute->name);
		write_text_member(out, "AttributeType", AttributeTypeName(attribute->type));
		appendStringInfoChar(out, '}');
	}
	appendStringInfoChar(out, ']');
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

static void
write_projection(StringInfo out, const SecondaryIndex *index)
{
	static const char *const names[] = {
		[PROJECTION_ALL] = "ALL",
		[PROJECTION_KEYS_ONLY] = "KEYS_ONLY",
		[PROJECTION_INCLUDE] = "INCLUDE",
	};

	ApiWriteMember(out, "Projection");
	appendStringInfoChar(out, '{');
	write_text_member(out, "ProjectionType", names[index->projection]);
	if (index->projection == PROJECTION_INCLUDE)
	{
		char	  **sorted = palloc((index->non_key_attribute_count + 1) * sizeof(char *));

		memcpy(sorted, index->non_key_attributes, index->non_key_attribute_count * sizeof(char *));
		qsort(sorted, index->non_key_attribute_count, sizeof(char *), compare_texts);
		ApiWriteMember(out, "NonKeyAttributes");
		appendStringInfoChar(out, '[');
		for (int i = 0; i < index->non_key_attribute_count; i++)
		{
			ApiWriteElement(out);
			ApiWriteText(out, sorted[i]);
		}
		appendStringInfoChar(out, ']');
	}
	appendStringInfoChar(out, '}');
}

/* The order in which they were made, as the settings know it; then those that SQL made, by name. */
static int
compare_listed(const void *a, const void *b)
{
	const ListedIndex *first = a;
	const ListedIndex *second = b;

	if (first->settings != NULL && second->settings != NULL)
		return first->settings->position < second->settings->position ? -1 : 1;
	if (first->settings != NULL || second->settings != NULL)
		return first->settings != NULL ? -1 : 1;
	return strcmp(first->index->name, second->index->name);
}

static void
write_index_sizes(StringInfo out, const TableDescriptor *table, const SecondaryIndex *index, const char *table_name)
{
	int64		tuples;
	int64		bytes;

	ItemIndexEstimate(table, index, &tuples, &bytes);
	ApiWriteInteger(out, "IndexSizeBytes", bytes);
	ApiWriteInteger(out, "ItemCount", tuples);
	ApiWriteMember(out, "IndexArn");
	appendStringInfoChar(out, '"');
	ApiWriteTableArn(out, table_name);
	appendStringInfo(out, "/index/%s\"", index->name);
}

/*
 * write_index_status
 *		What an answer of CreateTable or UpdateTable shows of the change that it has made; else ACTIVE.
 */
static void
write_index_status(StringInfo out, const TableDescription *description, const SecondaryIndex *index)
{
	/* An index that CREATE INDEX CONCURRENTLY is building is CREATING for everybody. */
	const char *status = description->is_create || !index->is_valid ? "CREATING" : "ACTIVE";
	bool		is_added = !index->is_valid;

	for (int i = 0; description->index_updates != NULL && i < description->index_updates->count; i++)
	{
		const ApiIndexUpdate *update = IndexUpdateAt(description->index_updates, i);

		if (update->create.is_present && strcmp(update->create.index_name.data, index->name) == 0)
		{
			status = "CREATING";
			is_added = true;
		}
		else if (update->drop.is_present && strcmp(update->drop.index_name.data, index->name) == 0)
			status = "DELETING";
		else if (update->update.is_present && strcmp(update->update.index_name.data, index->name) == 0)
			status = "UPDATING";
	}
	write_text_member(out, "IndexStatus", status);
	if (is_added)
		write_boolean(out, "Backfilling", !index->is_valid);
}

static void
write_index(StringInfo out, const TableDescription *description, const TableDescriptor *table, const ListedIndex *listed)
{
	static const ThroughputSettings none = {0};
	const SecondaryIndex *index = listed->index;
	const ThroughputSettings *throughput = listed->settings ? &listed->settings->throughput : &none;

	ApiWriteElement(out);
	appendStringInfoChar(out, '{');
	write_text_member(out, "IndexName", index->name);
	write_key_schema(out, table, index->keys, index->partition_count, index->sort_count);
	write_projection(out, index);
	if (!index->is_local)
	{
		write_index_status(out, description, index);
		write_throughput(out, throughput);
	}
	write_index_sizes(out, table, index, description->name);
	if (!index->is_local)
	{
		write_on_demand(out, throughput);
		if (!description->is_create)
			write_warm(out, throughput, description->settings->is_on_demand);
	}
	appendStringInfoChar(out, '}');
}

static void
write_indexes(StringInfo out, const TableDescription *description, const TableDescriptor *table, bool is_local)
{
	ListedIndex *listed = palloc((table->index_count + 1) * sizeof(ListedIndex));
	int			count = 0;

	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		/* REINDEX CONCURRENTLY has two of one name for a time; the first is the one that is used. */
		if (index->is_local != is_local || index->defect != NULL ||
			(count > 0 && strcmp(listed[count - 1].index->name, index->name) == 0))
			continue;
		listed[count].index = index;
		listed[count].settings = TableSettingsFindIndex(description->settings, index->name);
		count++;
	}
	if (count == 0)
		return;

	qsort(listed, count, sizeof(listed[0]), compare_listed);
	ApiWriteMember(out, is_local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < count; i++)
		write_index(out, description, table, &listed[i]);
	appendStringInfoChar(out, ']');
}

static void
write_billing_mode(StringInfo out, const TableDescription *description)
{
	const TableSettings *settings = description->settings;

	if (!settings->is_on_demand && settings->on_demand_since == 0)
		return;
	ApiWriteMember(out, "BillingModeSummary");
	appendStringInfoChar(out, '{');
	write_text_member(out, "BillingMode", settings->is_on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
	if (settings->on_demand_since != 0 && !description->is_create)
		ApiWriteTime(out, "LastUpdateToPayPerRequestDateTime", settings->on_demand_since);
	appendStringInfoChar(out, '}');
}

static void
write_stream(StringInfo out, const TableDescription *description)
{
	const TableSettings *settings = description->settings;

	if (settings->stream_view_type != NULL)
	{
		ApiWriteMember(out, "StreamSpecification");
		appendStringInfoChar(out, '{');
		write_boolean(out, "StreamEnabled", true);
		write_text_member(out, "StreamViewType", settings->stream_view_type);
		appendStringInfoChar(out, '}');
	}
	if (settings->stream_created != 0)
	{
		write_text_member(out, "LatestStreamLabel", stream_label(settings->stream_created));
		ApiWriteMember(out, "LatestStreamArn");
		appendStringInfoChar(out, '"');
		ApiWriteTableArn(out, description->name);
		appendStringInfo(out, "/stream/%s\"", stream_label(settings->stream_created));
	}
}

static void
write_encryption(StringInfo out, const TableSettings *settings)
{
	if (settings->encryption_key == NULL)
		return;
	ApiWriteMember(out, "SSEDescription");
	appendStringInfoChar(out, '{');
	write_text_member(out, "Status", "ENABLED");
	write_text_member(out, "SSEType", "KMS");
	write_text_member(out, "KMSMasterKeyArn", settings->encryption_key);
	appendStringInfoChar(out, '}');
}

static void
write_table_class(StringInfo out, const TableSettings *settings)
{
	if (settings->table_class == NULL)
		return;
	ApiWriteMember(out, "TableClassSummary");
	appendStringInfoChar(out, '{');
	write_text_member(out, "TableClass", settings->table_class);
	if (settings->table_class_changed != 0)
		ApiWriteTime(out, "LastUpdateDateTime", settings->table_class_changed);
	appendStringInfoChar(out, '}');
}

void
ApiWriteTableDescription(StringInfo out, const TableDescription *description)
{
	const TableSettings *settings = description->settings;
	TableDescriptor *table = TableOpen(description->relid, AccessShareLock);
	int64		tuples;
	int64		bytes;

	ItemTableEstimate(description->relid, &tuples, &bytes);
	appendStringInfoChar(out, '{');
	if (!description->is_delete)
		write_definitions(out, table);
	write_text_member(out, "TableName", description->name);
	if (!description->is_delete)
		write_key_schema(out, table, table->keys, 1, table->key_count - 1);
	write_text_member(out, "TableStatus", description->table_status);
	if (!description->is_delete)
		ApiWriteTime(out, "CreationDateTime", settings->created);
	write_throughput(out, &settings->throughput);
	ApiWriteInteger(out, "TableSizeBytes", bytes);
	ApiWriteInteger(out, "ItemCount", tuples);
	ApiWriteMember(out, "TableArn");
	appendStringInfoChar(out, '"');
	ApiWriteTableArn(out, description->name);
	appendStringInfoChar(out, '"');
	write_text_member(out, "TableId", DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&settings->table_id))));
	write_billing_mode(out, description);
	if (!description->is_delete)
	{
		write_indexes(out, description, table, true);
		write_indexes(out, description, table, false);
	}
	write_stream(out, description);
	write_encryption(out, settings);
	write_table_class(out, settings);
	if (!description->hide_protection)
		write_boolean(out, "DeletionProtectionEnabled", settings->deletion_protection);
	write_on_demand(out, &settings->throughput);
	if (!description->is_create)
		write_warm(out, &settings->throughput, settings->is_on_demand);
	appendStringInfoChar(out, '}');
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Operations
 */

void
ApiRequireSelect(Oid relid, const char *name)
{
	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, get_relkind_objtype(get_rel_relkind(relid)), name);
}

Oid
ApiFindItemTable(ApiRequest *request, const ApiString *name)
{
	Oid			relid;

	request->resource = name->data;
	relid = ApiTableLookup(name->data, name->length);
	return OidIsValid(relid) && RelationIsItemTable(relid) ? relid : InvalidOid;
}

Oid
ApiControlTable(ApiRequest *request, const ApiString *name, TableAccess access)
{
	Oid			relid = ApiFindItemTable(request, name);

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_NOT_FOUND),
				 errmsg("Requested resource not found: Table: %s not found", name->data)));
	if (access == ACCESS_DESCRIBE)
		ApiRequireSelect(relid, name->data);
	return relid;
}

void
ApiDescribeTable(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	TableDescription description = {.table_status = "ACTIVE"};

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_OLD);
	description.relid = ApiControlTable(request, &bound->table_name, ACCESS_DESCRIBE);
	description.name = bound->table_name.data;
	description.settings = TableSettingsRead(description.relid);

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Table");
	ApiWriteTableDescription(response, &description);
	appendStringInfoChar(response, '}');
}

void
ApiListTables(ApiRequest *request, StringInfo response)
{
	ApiListTablesRequest *bound = request->bound;
	ApiConstraints constraints = {0};
	char	  **names;
	int			count;
	int			limit;
	int			listed = 0;
	const char *last = NULL;
	bool		has_more = false;

	if (bound->start_name.length > 0)
		ApiCheckPattern(&constraints, &bound->start_name, "exclusiveStartTableName");
	ApiCheckLength(&constraints, &bound->start_name, "exclusiveStartTableName", 3, 255);
	ApiCheckMinimum(&constraints, &bound->limit, "limit", 1);
	ApiCheckMaximum(&constraints, &bound->limit, "limit", LIST_TABLES_LIMIT);
	ApiConstraintsRaise(&constraints);

	limit = bound->limit.is_present ? (int) bound->limit.value : LIST_TABLES_LIMIT;
	names = ItemTableList(&count);
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "TableNames");
	appendStringInfoChar(response, '[');
	for (int i = 0; i < count; i++)
	{
		if (bound->start_name.data != NULL && strcmp(names[i], bound->start_name.data) <= 0)
			continue;
		if ((has_more = listed == limit))
			break;
		ApiWriteElement(response);
		ApiWriteText(response, names[i]);
		last = names[i];
		listed++;
	}
	appendStringInfoChar(response, ']');
	if (has_more)
		write_text_member(response, "LastEvaluatedTableName", last);
	appendStringInfoChar(response, '}');
}

void
ApiDescribeLimits(ApiRequest *request, StringInfo response)
{
	appendStringInfoChar(response, '{');
	ApiWriteInteger(response, "AccountMaxReadCapacityUnits", API_ACCOUNT_THROUGHPUT);
	ApiWriteInteger(response, "AccountMaxWriteCapacityUnits", API_ACCOUNT_THROUGHPUT);
	ApiWriteInteger(response, "TableMaxReadCapacityUnits", API_TABLE_THROUGHPUT);
	ApiWriteInteger(response, "TableMaxWriteCapacityUnits", API_TABLE_THROUGHPUT);
	appendStringInfoChar(response, '}');
}

void
ApiDescribeEndpoints(ApiRequest *request, StringInfo response)
{
	appendStringInfo(response, "{\"Endpoints\":[{\"Address\":\"dynamodb.%s.amazonaws.com\",\"CachePeriodInMinutes\":%d}]}",
					 API_REGION, ENDPOINT_CACHE_MINUTES);
}

/*
 * ApiDescribeContinuousBackups
 *		Always off: the server's own backups are not the API's.
 */
void
ApiDescribeContinuousBackups(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	Oid			relid;

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_OLD);
	relid = ApiFindItemTable(request, &bound->table_name);
	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_KV_TABLE_NOT_FOUND), errmsg("Table not found: %s", bound->table_name.data)));
	ApiRequireSelect(relid, bound->table_name.data);
	appendStringInfoString(response, "{\"ContinuousBackupsDescription\":{\"ContinuousBackupsStatus\":\"ENABLED\","
						   "\"PointInTimeRecoveryDescription\":{\"PointInTimeRecoveryStatus\":\"DISABLED\"}}}");
}
