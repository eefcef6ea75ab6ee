/*
 * src/api/api_table.c
 *		CreateTable, UpdateTable, DeleteTable: requests that have been checked become DDL and settings.
 *
 * DDL is transactional here and done when the operation returns; the answer still shows the status that clients wait to see end
 * (CREATING, UPDATING, DELETING).  Throughput, billing mode, table class, encryption and streams are stored and shown, and change nothing.
 *
 * Source: reference/tables-and-indexes, sections 2 and 6 to 9.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "api/api_table.h"
#include "operation/table_catalog.h"
#include "operation/table_operations.h"

#define FREE_DECREASES 4		/* decreases of throughput in a UTC day before each needs an hour's wait */
#define DECREASE_INTERVAL USECS_PER_HOUR
#define DEFAULT_ENCRYPTION_KEY "arn:aws:kms:" API_REGION ":" API_ACCOUNT ":alias/aws/dynamodb"

/* ---------------------------------------------------------------------------------------------------------------------
 * Requests as DDL
 */

static AttributeType
defined_type(const ApiList *definitions, const ApiString *name)
{
	AttributeType type;

	for (int i = 0; i < definitions->count; i++)
	{
		const ApiAttributeDefinition *definition = DefinitionAt(definitions, i);

		if (ApiStringsEqual(&definition->attribute_name, name) &&
			AttributeTypeFromName(definition->attribute_type.data, definition->attribute_type.length, &type))
			return type;
	}
	elog(ERROR, "key attribute %s is not defined", name->data);
}

static KeyDefinition *
key_definitions(const ApiList *schema, const ApiList *definitions)
{
	KeyDefinition *keys = palloc(schema->count * sizeof(KeyDefinition));

	for (int i = 0; i < schema->count; i++)
	{
		keys[i].name = KeyElementAt(schema, i)->attribute_name.data;
		keys[i].type = defined_type(definitions, &KeyElementAt(schema, i)->attribute_name);
	}
	return keys;
}

static void
create_index(Oid relid, const ApiIndex *index, const ApiList *definitions, bool is_local)
{
	CreateIndexRequest request = {.relid = relid,.name = index->index_name.data,.is_local = is_local,.has_projection = true};
	const ApiList *names = &index->projection.non_key_attributes;

	for (int i = 0; i < index->key_schema.count; i++)
		if (ApiStringIs(&KeyElementAt(&index->key_schema, i)->key_type, "HASH"))
			request.partition_count++;
	request.sort_count = index->key_schema.count - request.partition_count;
	request.keys = key_definitions(&index->key_schema, definitions);

	request.projection = ApiStringIs(&index->projection.projection_type, "ALL") ? PROJECTION_ALL :
		ApiStringIs(&index->projection.projection_type, "KEYS_ONLY") ? PROJECTION_KEYS_ONLY : PROJECTION_INCLUDE;
	request.non_key_attribute_count = names->count;
	request.non_key_attributes = palloc((names->count + 1) * sizeof(char *));
	for (int i = 0; i < names->count; i++)
		request.non_key_attributes[i] = StringAt(names, i)->data;
	(void) OperationCreateIndex(&request);
}

/*
 * free_item_name
 *		A key attribute of an index may be called like the item column, which then gets another name.
 */
static void
free_item_name(const ApiTableRequest *request, Oid relid)
{
	const TableDescriptor *table = TableOpen(relid, AccessShareLock);
	char	   *name = table->item_column;
	int			number = 1;

	for (int i = 0; i < request->attribute_definitions.count; i++)
		if (ApiStringIs(&DefinitionAt(&request->attribute_definitions, i)->attribute_name, name))
		{
			name = psprintf("item_%d", number++);
			i = -1;
		}
	if (name != table->item_column)
		RunStatement(psprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", table->qualified_name, quote_identifier(table->item_column), name));
}

/*
 * create_relation
 *		The table and its indexes; somebody else's table of the same name, made at the same moment, is DynamoDB's error.
 */
static Oid
create_relation(const ApiTableRequest *request, Oid namespace, char *relation_name)
{
	MemoryContext context = CurrentMemoryContext;
	CreateTableRequest table = {
		.relation = makeRangeVar(get_namespace_name(namespace), relation_name, -1),
		.extension_schema = ExtensionNamespace(),
		.key_count = request->key_schema.count
	};
	volatile Oid relid = InvalidOid;

	memcpy(table.keys, key_definitions(&request->key_schema, &request->attribute_definitions),
		   table.key_count * sizeof(KeyDefinition));
	PG_TRY();
	{
		relid = OperationCreateTable(&table);
	}
	PG_CATCH();
	{
		int			code = geterrcode();

		/* Its own check, which knows the relation's name alone; what the catalogs say when they waited for the other one. */
		if (code != ERRCODE_KV_RESOURCE_IN_USE && code != ERRCODE_DUPLICATE_TABLE && code != ERRCODE_UNIQUE_VIOLATION &&
			code != ERRCODE_DUPLICATE_OBJECT)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_IN_USE), errmsg("Table already exists: %s", request->table_name.data)));
	}
	PG_END_TRY();

	free_item_name(request, relid);
	for (int i = 0; i < request->local_indexes.count; i++)
		create_index(relid, IndexAt(&request->local_indexes, i), &request->attribute_definitions, true);
	for (int i = 0; i < request->global_indexes.count; i++)
		create_index(relid, IndexAt(&request->global_indexes, i), &request->attribute_definitions, false);
	return relid;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Settings
 */

TableSettings *
ApiLockSettings(Oid relid, const char *name)
{
	TableSettings *settings = TableSettingsLock(relid);

	if (settings == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_NOT_FOUND), errmsg("Requested resource not found: Table: %s not found", name)));
	return settings;
}

/* -1 takes the limit away. */
static void
set_on_demand(ThroughputSettings *throughput, const ApiThroughput *requested)
{
	if (requested->read.is_present)
		throughput->max_read_units = Max(requested->read.value, 0);
	if (requested->write.is_present)
		throughput->max_write_units = Max(requested->write.value, 0);
}

static void
set_warm(ThroughputSettings *throughput, const ApiThroughput *requested)
{
	if (requested->read.is_present)
		throughput->warm_read_units = requested->read.value;
	if (requested->write.is_present)
		throughput->warm_write_units = requested->write.value;
}

static void
set_throughput(ThroughputSettings *throughput, const ApiThroughput *provisioned, const ApiThroughput *on_demand,
			   const ApiThroughput *warm)
{
	throughput->read_units = provisioned->read.value;
	throughput->write_units = provisioned->write.value;
	set_on_demand(throughput, on_demand);
	set_warm(throughput, warm);
}

static void
set_encryption(TableSettings *settings, const ApiEncryption *encryption)
{
	if (!encryption->is_present)
		return;
	settings->encryption_key = !encryption->enabled.value ? NULL :
		encryption->key.data ? unconstify(char *, encryption->key.data) : DEFAULT_ENCRYPTION_KEY;
}

static TableSettings *
new_settings(const ApiTableRequest *request, Oid relid, const char *relation_name)
{
	TableSettings *settings = palloc0(sizeof(TableSettings));

	settings->relid = relid;
	if (strcmp(request->table_name.data, relation_name) != 0)
		settings->name = unconstify(char *, request->table_name.data);
	if (!pg_strong_random(settings->table_id.data, UUID_LEN))
		ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values")));
	/* The marks of a random UUID: version 4, RFC variant. */
	settings->table_id.data[6] = (settings->table_id.data[6] & 0x0f) | 0x40;
	settings->table_id.data[8] = (settings->table_id.data[8] & 0x3f) | 0x80;
	settings->created = GetCurrentTimestamp();
	settings->is_on_demand = ApiStringIs(&request->billing_mode, "PAY_PER_REQUEST");
	if (settings->is_on_demand)
		settings->on_demand_since = settings->created;
	set_throughput(&settings->throughput, &request->provisioned, &request->on_demand, &request->warm);
	if (request->stream.enabled.value)
	{
		settings->stream_view_type = unconstify(char *, request->stream.view_type.data);
		settings->stream_created = settings->created;
	}
	settings->deletion_protection = request->deletion_protection.value;
	settings->table_class = unconstify(char *, request->table_class.data);
	set_encryption(settings, &request->encryption);
	ApiAddTags(settings, &request->tags);

	/* All of them, for their order. */
	for (int i = 0; i < request->local_indexes.count; i++)
		(void) TableSettingsAddIndex(settings, IndexAt(&request->local_indexes, i)->index_name.data);
	for (int i = 0; i < request->global_indexes.count; i++)
	{
		const ApiIndex *index = IndexAt(&request->global_indexes, i);

		set_throughput(&TableSettingsAddIndex(settings, index->index_name.data)->throughput, &index->provisioned,
					   &index->on_demand, &index->warm);
	}
	return settings;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * CreateTable and DeleteTable
 */

static void
write_answer(StringInfo response, const TableDescription *description)
{
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "TableDescription");
	ApiWriteTableDescription(response, description);
	appendStringInfoChar(response, '}');
}

void
ApiCreateTable(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	const char *name = bound->table_name.data;
	TableDescription description = {.name = name,.table_status = "CREATING",.is_create = true};
	char	   *relation_name = NULL;
	Oid			namespace = InvalidOid;

	ApiCheckControlTableName(&bound->table_name, LENGTH_CONSTRAINT);
	ApiCheckCreateTable(bound);

	request->resource = name;
	/* search_path is one namespace to the API: a table that another schema of it has would hide this one, or be hidden. */
	if (!OidIsValid(ApiTableLookup(name, bound->table_name.length)))
	{
		namespace = RangeVarGetCreationNamespace(makeRangeVar(NULL, unconstify(char *, name), -1));
		relation_name = ItemTableChooseName(name, namespace);
	}
	if (relation_name == NULL)
		ereport(ERROR, (errcode(ERRCODE_KV_RESOURCE_IN_USE), errmsg("Table already exists: %s", name)));
	ApiCheckThroughputLimit(&bound->provisioned);
	for (int i = 0; i < bound->global_indexes.count; i++)
		ApiCheckThroughputLimit(&IndexAt(&bound->global_indexes, i)->provisioned);

	description.relid = create_relation(bound, namespace, relation_name);
	description.settings = new_settings(bound, description.relid, relation_name);
	TableSettingsWrite(description.settings);
	TableSettingsClean();
	description.hide_protection = !bound->deletion_protection.is_present;
	write_answer(response, &description);
}

void
ApiDeleteTable(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	TableDescription description = {.table_status = "DELETING",.is_delete = true};

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_OLD);
	description.name = bound->table_name.data;
	description.relid = ApiControlTable(request, &bound->table_name, ACCESS_CHANGE);
	description.settings = ApiLockSettings(description.relid, description.name);
	if (description.settings->deletion_protection)
		validation_error("Resource cannot be deleted as it is currently protected against deletion. "
						 "Disable deletion protection first.");

	write_answer(response, &description);
	ItemTableDrop(description.relid);
	TableSettingsDelete(description.relid);
	TableSettingsClean();
}

/* ---------------------------------------------------------------------------------------------------------------------
 * UpdateTable
 */

/* The table as it is, and as it shall be. */
typedef struct TableUpdate
{
	const ApiTableRequest *request;
	const char *name;
	Oid			relid;
	TableDescriptor *table;
	TableSettings *settings;	/* changed step by step */
	bool		is_on_demand;	/* after the update */
	bool		is_switch;		/* of the billing mode */
	TimestampTz now;
} TableUpdate;

/* "Wednesday, July 25, 2012 8:59:59 PM UTC" */
static char *
decrease_time(TimestampTz time)
{
	Datum		utc = DirectFunctionCall2(timestamptz_zone, CStringGetTextDatum("UTC"), TimestampTzGetDatum(time));

	return TextDatumGetCString(DirectFunctionCall2(timestamp_to_char, utc,
												   CStringGetTextDatum("FMDay, FMMonth FMDD, YYYY FMHH12:MI:SS AM \"UTC\"")));
}

/*
 * change_throughput
 *		A new ProvisionedThroughput of the table (index_name NULL) or an index.
 */
static void
change_throughput(const TableUpdate *update, ThroughputSettings *throughput, const ApiThroughput *requested, const char *index_name)
{
	int64		old_read = throughput->read_units;
	int64		old_write = throughput->write_units;
	int64		new_read = requested->read.value;
	int64		new_write = requested->write.value;
	int64		decreases = ApiDecreasesToday(throughput, update->now);

	ApiCheckThroughputLimit(requested);
	if (!update->is_switch && new_read == old_read && new_write == old_write)
	{
		const char *target = index_name ? psprintf("index %s", index_name) : "the table";

		validation_error("The provisioned throughput for %s will not change. The requested value equals the current value. "
						 "Current ReadCapacityUnits provisioned for %s: " INT64_FORMAT ". "
						 "Requested ReadCapacityUnits: " INT64_FORMAT ". "
						 "Current WriteCapacityUnits provisioned for %s: " INT64_FORMAT ". "
						 "Requested WriteCapacityUnits: " INT64_FORMAT ". "
						 "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
						 index_name ? psprintf("the index %s", index_name) : target, target, old_read, new_read,
						 target, old_write, new_write);
	}
	if (!update->is_switch && (new_read < old_read || new_write < old_write))
	{
		if (decreases >= FREE_DECREASES && update->now - throughput->last_decrease < DECREASE_INTERVAL)
			ereport(ERROR,
					(errcode(ERRCODE_KV_LIMIT_EXCEEDED),
					 errmsg("Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "
							"After the first %d decreases, each subsequent decrease in the same UTC day can be performed "
							"at most once every 3600 seconds. Number of decreases today: " INT64_FORMAT ". Last decrease at %s",
							FREE_DECREASES, decreases, decrease_time(throughput->last_decrease))));
		throughput->decreases = decreases + 1;
		throughput->last_decrease = update->now;
	}
	if (!update->is_switch && (new_read > old_read || new_write > old_write))
		throughput->last_increase = update->now;

	/* WarmThroughput never falls. */
	throughput->warm_read_units = Max(throughput->warm_read_units, Max(old_read, new_read));
	throughput->warm_write_units = Max(throughput->warm_write_units, Max(old_write, new_write));
	throughput->read_units = new_read;
	throughput->write_units = new_write;
}

/* What leaves the provisioned mode, or enters it. */
static void
switch_throughput(ThroughputSettings *throughput, bool is_on_demand)
{
	throughput->warm_read_units = Max(throughput->warm_read_units, is_on_demand ? throughput->read_units : API_ON_DEMAND_READ_UNITS);
	throughput->warm_write_units = Max(throughput->warm_write_units,
									   is_on_demand ? throughput->write_units : API_ON_DEMAND_WRITE_UNITS);
	throughput->read_units = 0;
	throughput->write_units = 0;
	throughput->max_read_units = 0;
	throughput->max_write_units = 0;
}

static const ApiIndex *
find_index_update(const ApiTableRequest *request, const char *name)
{
	for (int i = 0; i < request->index_updates.count; i++)
	{
		const ApiIndexUpdate *update = IndexUpdateAt(&request->index_updates, i);

		if (update->update.is_present && strcmp(update->update.index_name.data, name) == 0)
			return &update->update;
	}
	return NULL;
}

static void
change_billing_mode(TableUpdate *update)
{
	TableSettings *settings = update->settings;

	if (!update->is_switch)
		return;
	for (int i = 0; i < update->table->index_count; i++)
	{
		const SecondaryIndex *index = &update->table->indexes[i];
		const ApiIndex *index_update = find_index_update(update->request, index->name);

		if (index->is_local)
			continue;
		if (!update->is_on_demand && (index_update == NULL || !index_update->provisioned.is_present))
			validation_error(MESSAGE_PARAMETERS "ProvisionedThroughput must be specified for index: %s", index->name);
		switch_throughput(&TableSettingsAddIndex(settings, index->name)->throughput, update->is_on_demand);
	}
	switch_throughput(&settings->throughput, update->is_on_demand);
	settings->is_on_demand = update->is_on_demand;
	if (update->is_on_demand)
		settings->on_demand_since = update->now;
}

static void
change_warm(const TableUpdate *update, ThroughputSettings *throughput, const ApiThroughput *requested, const char *index_name)
{
	int64		read_units = Max(throughput->warm_read_units,
								 update->is_on_demand ? API_ON_DEMAND_READ_UNITS : throughput->read_units);
	int64		write_units = Max(throughput->warm_write_units,
								  update->is_on_demand ? API_ON_DEMAND_WRITE_UNITS : throughput->write_units);
	const char *target = index_name ? psprintf("index : %s", index_name) : "table";

	if (requested->read.is_present && requested->read.value < read_units)
		validation_error(MESSAGE_PARAMETERS "Requested ReadUnitsPerSecond for WarmThroughput for %s is lower than current "
						 "WarmThroughput, decreasing WarmThroughput is not supported", target);
	if (requested->write.is_present && requested->write.value < write_units)
		validation_error(MESSAGE_PARAMETERS "Requested WriteUnitsPerSecond for WarmThroughput for %s is lower than current "
						 "WarmThroughput, decreasing WarmThroughput is not supported", target);
	set_warm(throughput, requested);
}

static void
change_table_throughput(TableUpdate *update)
{
	const ApiTableRequest *request = update->request;
	ThroughputSettings *throughput = &update->settings->throughput;

	if (request->provisioned.is_present)
	{
		if (update->is_on_demand)
			validation_error(MESSAGE_PARAMETERS "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
							 "when BillingMode is PAY_PER_REQUEST");
		change_throughput(update, throughput, &request->provisioned, NULL);
	}
	ApiCheckOnDemand(&request->on_demand, update->is_on_demand, NULL, true);
	set_on_demand(throughput, &request->on_demand);
	if (request->warm.is_present)
		change_warm(update, throughput, &request->warm, NULL);
}

static const SecondaryIndex *
global_index(const TableUpdate *update, const ApiIndex *index, const char *action)
{
	const SecondaryIndex *found = TableFindIndex(update->table, index->index_name.data, index->index_name.length);

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_NOT_FOUND),
				 errmsg("Requested resource not found: Index %s for table %s", index->index_name.data, update->name)));
	if (found->is_local)
		validation_error("Cannot %s an index that is not a GlobalSecondaryIndex: %s", action, index->index_name.data);
	return found;
}

static void
update_index(TableUpdate *update, const ApiIndex *index)
{
	const char *name = global_index(update, index, "update")->name;
	ThroughputSettings *throughput = &TableSettingsAddIndex(update->settings, name)->throughput;

	if (index->provisioned.is_present)
	{
		if (update->is_on_demand)
			validation_error(MESSAGE_PARAMETERS "The only Updates for index: %s when TableThroughputMode is PAY_PER_REQUEST "
							 "can be to OnDemandThroughput, WarmThroughput", name);
		change_throughput(update, throughput, &index->provisioned, name);
	}
	ApiCheckOnDemand(&index->on_demand, update->is_on_demand, name, true);
	set_on_demand(throughput, &index->on_demand);
	if (index->warm.is_present)
		change_warm(update, throughput, &index->warm, name);
}

/* "Schema:[SchemaElement: key{x:S:HASH}]" */
static void
append_schema_element(StringInfo text, const char *name, AttributeType type, bool is_hash)
{
	appendStringInfo(text, "%sSchemaElement: key{%s:%s:%s}", text->len == 0 ? "" : ", ", name, AttributeTypeName(type),
					 is_hash ? "HASH" : "RANGE");
}

static char *
existing_schema(const TableDescriptor *table, const int *keys, int hash_count, int range_count)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < hash_count + range_count; i++)
		append_schema_element(&text, table->attributes[keys[i]].name, table->attributes[keys[i]].type, i < hash_count);
	return text.data;
}

/*
 * find_schema
 *		The key schema of the table or one of its indexes that this attribute is in, as a message prints it; NULL if there is none.
 */
static char *
find_schema(const TableDescriptor *table, const PromotedAttribute *attribute)
{
	for (int i = 0; i < table->key_count; i++)
		if (TableKeyAttribute(table, i) == attribute)
			return existing_schema(table, table->keys, 1, table->key_count - 1);
	for (int i = 0; i < table->index_count; i++)
	{
		const SecondaryIndex *index = &table->indexes[i];

		for (int j = 0; j < index->partition_count + index->sort_count; j++)
			if (&table->attributes[index->keys[j]] == attribute)
				return existing_schema(table, index->keys, index->partition_count, index->sort_count);
	}
	return NULL;
}

/*
 * check_redefinition
 *		An attribute has one type in all keys of a table.
 */
static void
check_redefinition(const TableUpdate *update, const ApiIndex *index)
{
	StringInfoData requested;
	char	   *existing = NULL;

	initStringInfo(&requested);
	for (int i = 0; i < index->key_schema.count; i++)
	{
		const ApiKeySchemaElement *element = KeyElementAt(&index->key_schema, i);
		const PromotedAttribute *attribute = TableFindAttribute(update->table, element->attribute_name.data,
																element->attribute_name.length);
		AttributeType type = defined_type(&update->request->attribute_definitions, &element->attribute_name);

		append_schema_element(&requested, element->attribute_name.data, type, ApiStringIs(&element->key_type, "HASH"));
		if (existing == NULL && attribute != NULL && attribute->type != type)
			existing = find_schema(update->table, attribute);
	}
	if (existing != NULL)
		validation_error(MESSAGE_PARAMETERS "Attributes cannot be redefined. Please check that your attribute has the same type "
						 "as previously defined. Existing schema: Schema:[%s] New schema: Schema:[%s]", existing, requested.data);
}

/*
 * check_create_index
 *		A new index against what the table has.
 */
static void
check_create_index(const TableUpdate *update, const ApiIndex *index)
{
	const char *name = index->index_name.data;
	int			global_count = 0;
	int			non_key_attribute_count = index->projection.non_key_attributes.count;

	ApiCheckNewIndex(update->request, index);
	check_redefinition(update, index);
	if (TableFindIndex(update->table, name, index->index_name.length) != NULL)
		validation_error("Attempting to create an index which already exists");
	for (int i = 0; i < update->table->index_count; i++)
	{
		global_count += !update->table->indexes[i].is_local;
		non_key_attribute_count += update->table->indexes[i].non_key_attribute_count;
	}
	if (global_count >= API_MAX_GLOBAL_INDEXES)
		ereport(ERROR,
				(errcode(ERRCODE_KV_LIMIT_EXCEEDED),
				 errmsg("Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of %d",
						API_MAX_GLOBAL_INDEXES)));
	if (!update->is_on_demand && !index->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: %s", name);
	if (update->is_on_demand && index->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: %s "
						 "when BillingMode is PAY_PER_REQUEST", name);
	ApiCheckThroughputLimit(&index->provisioned);
	ApiCheckOnDemand(&index->on_demand, update->is_on_demand, name, true);
	ApiCheckWarm(&index->warm, index->provisioned.read.value, index->provisioned.write.value, update->is_on_demand, name);
	ApiCheckNonKeyAttributes(non_key_attribute_count);
}

/*
 * demote_attributes
 *		An attribute that was a key of a deleted index has its column still; with another type it gets a new one.
 *
 * Only in a table that the API made: in one of SQL's a column may be wanted for its own sake, and OperationCreateIndex refuses.
 */
static void
demote_attributes(const TableUpdate *update, const ApiIndex *index)
{
	for (int i = 0; i < index->key_schema.count; i++)
	{
		const ApiString *name = &KeyElementAt(&index->key_schema, i)->attribute_name;
		const PromotedAttribute *attribute = TableFindAttribute(update->table, name->data, name->length);

		if (attribute != NULL && attribute->key_position < 0 && !attribute->is_index_key && update->settings->created != 0 &&
			attribute->type != defined_type(&update->request->attribute_definitions, name))
			ItemTableDemote(update->table, attribute);
	}
}

static void
change_stream(TableUpdate *update)
{
	const ApiStream *stream = &update->request->stream;
	TableSettings *settings = update->settings;

	if (!stream->is_present)
		return;
	if (stream->enabled.value && settings->stream_view_type != NULL)
		validation_error("Table already has an enabled stream: TableName: %s", update->name);
	if (!stream->enabled.value && settings->stream_view_type == NULL)
		validation_error("Table has no stream to disable: TableName: %s", update->name);
	settings->stream_view_type = unconstify(char *, stream->view_type.data);
	if (stream->enabled.value)
		settings->stream_created = update->now;
}

/*
 * copy_for_answer
 *		The settings with the throughput that was there before: an answer shows it, while the status says UPDATING.
 */
static TableSettings *
copy_for_answer(const TableSettings *settings, const TableSettings *old)
{
	TableSettings *copy = palloc(sizeof(TableSettings));

	*copy = *settings;
	copy->throughput = old->throughput;
	copy->indexes = palloc((settings->index_count + 1) * sizeof(IndexSettings));
	for (int i = 0; i < settings->index_count; i++)
	{
		const IndexSettings *old_index = TableSettingsFindIndex(old, settings->indexes[i].name);

		copy->indexes[i] = old_index ? *old_index : settings->indexes[i];
	}
	return copy;
}

void
ApiUpdateTable(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	TableUpdate update = {.request = bound};
	TableDescription description = {.table_status = "UPDATING"};
	TableSettings *old;
	const ApiIndex *created = NULL;
	const ApiIndex *dropped = NULL;

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_CONSTRAINT);
	ApiCheckUpdateTable(bound);

	update.name = bound->table_name.data;
	update.relid = ApiControlTable(request, &bound->table_name, ACCESS_CHANGE);
	update.settings = ApiLockSettings(update.relid, update.name);
	old = TableSettingsRead(update.relid);
	update.table = TableOpen(update.relid, AccessShareLock);
	update.is_on_demand = bound->billing_mode.data ? ApiStringIs(&bound->billing_mode, "PAY_PER_REQUEST") : old->is_on_demand;
	update.is_switch = update.is_on_demand != old->is_on_demand;
	update.now = GetCurrentTimestamp();

	change_billing_mode(&update);
	change_table_throughput(&update);
	for (int i = 0; i < bound->index_updates.count; i++)
	{
		const ApiIndexUpdate *index_update = IndexUpdateAt(&bound->index_updates, i);

		if (index_update->create.is_present)
		{
			created = &index_update->create;
			check_create_index(&update, created);
		}
		else if (index_update->drop.is_present)
		{
			dropped = &index_update->drop;
			(void) global_index(&update, dropped, "delete");
		}
		else
			update_index(&update, &index_update->update);
	}
	change_stream(&update);
	if (bound->deletion_protection.is_present)
		update.settings->deletion_protection = bound->deletion_protection.value;
	if (bound->table_class.data != NULL)
	{
		update.settings->table_class = unconstify(char *, bound->table_class.data);
		update.settings->table_class_changed = update.now;
	}
	set_encryption(update.settings, &bound->encryption);

	description.relid = update.relid;
	description.name = update.name;
	if (created != NULL)
	{
		demote_attributes(&update, created);
		create_index(update.relid, created, &bound->attribute_definitions, false);
		set_throughput(&TableSettingsAddIndex(update.settings, created->index_name.data)->throughput, &created->provisioned,
					   &created->on_demand, &created->warm);
	}
	description.index_updates = &bound->index_updates;
	description.settings = copy_for_answer(update.settings, old);
	write_answer(response, &description);
	if (dropped != NULL)
	{
		/* After the answer, which still shows it. */
		ItemIndexDrop(global_index(&update, dropped, "delete")->oid);
		TableSettingsRemoveIndex(update.settings, dropped->index_name.data);
	}
	TableSettingsWrite(update.settings);
}
