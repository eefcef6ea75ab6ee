/*
 * src/api/api_table_check.c
 *		What is wrong with a CreateTable or UpdateTable request, as far as the request alone tells.
 *
 * First the shape: constraints on single members, collected and raised together.  Then the meaning: the first rule that is broken
 * raises.  The order of both is the service's: reference/tables-and-indexes, sections 2.1 to 2.3 and 8.
 *
 * Lists have no limit of their own before they are looked at one by one (a body may hold 16 MB of attribute definitions), so
 * names are found by binary search.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "api/api_table.h"
#include "operation/table_operations.h"

#define NAME_MIN_LENGTH 3
#define NAME_MAX_LENGTH 255
#define TABLE_KEY_MAX 2
#define MAX_INDEX_NON_KEY_ATTRIBUTES 20

/* AttributeDefinitions, to be found by name. */
typedef struct Definitions
{
	const ApiList *list;
	const ApiAttributeDefinition **sorted;
	bool	   *is_used;		/* beside sorted */
} Definitions;

/* ---------------------------------------------------------------------------------------------------------------------
 * Shape
 */

/* The message has no room for more: whatever else a list of thousands holds need not be looked at. */
#define ListIsFull(constraints) ((constraints)->count >= 10)

static char *
join_path(const char *path, const char *member)
{
	return path[0] == '\0' ? pstrdup(member) : psprintf("%s.%s", path, member);
}

static char *
element_path(const char *path, int position)
{
	return psprintf("%s.%d.member", path, position + 1);
}

/*
 * check_name_shape
 *		Table and index names.  An empty one breaks the rule on its length alone.
 */
static void
check_name_shape(ApiConstraints *constraints, const ApiString *name, const char *path)
{
	ApiCheckNotNull(constraints, name->data != NULL, path);
	if (name->length > 0)
		ApiCheckPattern(constraints, name, path);
	ApiCheckLength(constraints, name, path, NAME_MIN_LENGTH, NAME_MAX_LENGTH);
}

static void
check_list_length(ApiConstraints *constraints, int count, const char *rendering, const char *path, int minimum, int maximum)
{
	ApiString	value = {rendering, strlen(rendering)};

	if (count < minimum)
		ApiConstraintFail(constraints, &value, path, psprintf("Member must have length greater than or equal to %d", minimum));
	else if (count > maximum)
		ApiConstraintFail(constraints, &value, path, psprintf("Member must have length less than or equal to %d", maximum));
}

static void
check_throughput_shape(ApiConstraints *constraints, const ApiThroughput *throughput, const char *path)
{
	char	   *read_path = join_path(path, "readCapacityUnits");
	char	   *write_path = join_path(path, "writeCapacityUnits");

	if (!throughput->is_present)
		return;
	ApiCheckNotNull(constraints, throughput->write.is_present, write_path);
	ApiCheckMinimum(constraints, &throughput->write, write_path, 1);
	ApiCheckNotNull(constraints, throughput->read.is_present, read_path);
	ApiCheckMinimum(constraints, &throughput->read, read_path, 1);
}

static void
check_attribute_name_shape(ApiConstraints *constraints, const ApiString *name, const char *path)
{
	ApiCheckNotNull(constraints, name->data != NULL, path);
	ApiCheckLength(constraints, name, path, 1, NAME_MAX_LENGTH);
}

static void
check_key_schema_shape(ApiConstraints *constraints, const ApiList *schema, const char *path, int maximum)
{
	StringInfoData rendering;

	ApiCheckNotNull(constraints, schema->is_present, path);
	if (!schema->is_present)
		return;

	if (schema->count == 0 || schema->count > maximum)
	{
		initStringInfo(&rendering);
		for (int i = 0; i < schema->count; i++)
			appendStringInfo(&rendering, "%sKeySchemaElement(attributeName=%s, keyType=%s)", i == 0 ? "" : ", ",
							 KeyElementAt(schema, i)->attribute_name.data ? KeyElementAt(schema, i)->attribute_name.data : "null",
							 KeyElementAt(schema, i)->key_type.data ? KeyElementAt(schema, i)->key_type.data : "null");
		check_list_length(constraints, schema->count, psprintf("[%s]", rendering.data), path, 1, maximum);
	}
	for (int i = 0; i < schema->count && !ListIsFull(constraints); i++)
	{
		const ApiKeySchemaElement *element = KeyElementAt(schema, i);
		char	   *position = element_path(path, i);

		CHECK_FOR_INTERRUPTS();
		check_attribute_name_shape(constraints, &element->attribute_name, join_path(position, "attributeName"));
		ApiCheckNotNull(constraints, element->key_type.data != NULL, join_path(position, "keyType"));
		ApiCheckEnum(constraints, &element->key_type, join_path(position, "keyType"), "[HASH, RANGE]");
	}
}

static void
check_definitions_shape(ApiConstraints *constraints, const ApiList *definitions)
{
	for (int i = 0; i < definitions->count && !ListIsFull(constraints); i++)
	{
		const ApiAttributeDefinition *definition = DefinitionAt(definitions, i);
		char	   *position = element_path("attributeDefinitions", i);

		CHECK_FOR_INTERRUPTS();
		check_attribute_name_shape(constraints, &definition->attribute_name, join_path(position, "attributeName"));
		ApiCheckNotNull(constraints, definition->attribute_type.data != NULL, join_path(position, "attributeType"));
		ApiCheckEnum(constraints, &definition->attribute_type, join_path(position, "attributeType"), "[B, N, S]");
	}
}

static void
check_projection_shape(ApiConstraints *constraints, const ApiProjection *projection, const char *path)
{
	const ApiList *names = &projection->non_key_attributes;
	char	   *names_path = join_path(path, "nonKeyAttributes");
	StringInfoData rendering;
	bool		is_valid = true;

	ApiCheckNotNull(constraints, projection->is_present, path);
	if (!projection->is_present)
		return;
	ApiCheckEnum(constraints, &projection->projection_type, join_path(path, "projectionType"), "[ALL, INCLUDE, KEYS_ONLY]");
	if (!names->is_present)
		return;

	initStringInfo(&rendering);
	for (int i = 0; i < names->count; i++)
	{
		const ApiString *name = StringAt(names, i);

		appendStringInfo(&rendering, "%s%s", i == 0 ? "" : ", ", name->data ? name->data : "null");
		if (name->length < 1 || name->length > NAME_MAX_LENGTH)
			is_valid = false;
	}
	check_list_length(constraints, names->count, psprintf("[%s]", rendering.data), names_path, 1, MAX_INDEX_NON_KEY_ATTRIBUTES);
	if (!is_valid)
	{
		ApiString	value;

		value.data = psprintf("[%s]", rendering.data);
		value.length = strlen(value.data);
		ApiConstraintFail(constraints, &value, names_path,
						  "Member must satisfy constraint: [Member must have length less than or equal to 255, "
						  "Member must have length greater than or equal to 1]");
	}
}

/* key_maximum: elements of its key schema; 0 for the actions that have neither key nor projection. */
static void
check_index_shape(ApiConstraints *constraints, const ApiIndex *index, const char *path, int key_maximum)
{
	check_name_shape(constraints, &index->index_name, join_path(path, "indexName"));
	if (key_maximum > 0)
	{
		check_key_schema_shape(constraints, &index->key_schema, join_path(path, "keySchema"), key_maximum);
		check_projection_shape(constraints, &index->projection, join_path(path, "projection"));
	}
	check_throughput_shape(constraints, &index->provisioned, join_path(path, "provisionedThroughput"));
}

static void
check_indexes_shape(ApiConstraints *constraints, const ApiList *indexes, const char *path, int key_maximum)
{
	for (int i = 0; i < indexes->count && !ListIsFull(constraints); i++)
	{
		CHECK_FOR_INTERRUPTS();
		check_index_shape(constraints, IndexAt(indexes, i), element_path(path, i), key_maximum);
	}
}

static void
check_stream_shape(ApiConstraints *constraints, const ApiTableRequest *request)
{
	if (request->stream.is_present)
	{
		ApiCheckNotNull(constraints, request->stream.enabled.is_present, "streamSpecification.streamEnabled");
		ApiCheckEnum(constraints, &request->stream.view_type, "streamSpecification.streamViewType",
					 "[NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]");
	}
	if (request->encryption.is_present)
		ApiCheckEnum(constraints, &request->encryption.type, "sSESpecification.sSEType", "[AES256, KMS]");
}

void
ApiCheckControlTableName(const ApiString *name, TableNameLength form)
{
	ApiConstraints constraints = {0};

	if (name->data == NULL)
		validation_error("The parameter 'TableName' is required but was not present in the request");
	if (form == LENGTH_CONSTRAINT)
		check_name_shape(&constraints, name, "tableName");
	else
	{
		if (name->length > 0)
			ApiCheckPattern(&constraints, name, "tableName");
		if (constraints.count == 0 && (name->length < NAME_MIN_LENGTH || name->length > NAME_MAX_LENGTH))
			validation_error("TableName must be at least 3 characters long and at most 255 characters long");
	}
	ApiConstraintsRaise(&constraints);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Names
 */

static int
compare_strings(const ApiString *a, const ApiString *b)
{
	return AttributeNameCompare(a->data, a->length, b->data, b->length);
}

static int
compare_definitions(const void *a, const void *b)
{
	return compare_strings(&(*(const ApiAttributeDefinition *const *) a)->attribute_name,
						   &(*(const ApiAttributeDefinition *const *) b)->attribute_name);
}

static int
compare_names(const void *a, const void *b)
{
	return compare_strings(*(const ApiString *const *) a, *(const ApiString *const *) b);
}

/*
 * find_duplicate
 *		A name that is among them twice, or NULL.  Sorts the array.
 */
static const ApiString *
find_duplicate(const ApiString **names, int count)
{
	qsort(names, count, sizeof(names[0]), compare_names);
	for (int i = 1; i < count; i++)
		if (compare_strings(names[i - 1], names[i]) == 0)
			return names[i];
	return NULL;
}

static void
open_definitions(Definitions *definitions, const ApiList *list)
{
	definitions->list = list;
	definitions->sorted = palloc((list->count + 1) * sizeof(definitions->sorted[0]));
	definitions->is_used = palloc0((list->count + 1) * sizeof(bool));
	for (int i = 0; i < list->count; i++)
		definitions->sorted[i] = DefinitionAt(list, i);
	qsort(definitions->sorted, list->count, sizeof(definitions->sorted[0]), compare_definitions);
}

/* Marks it as used. */
static bool
find_definition(Definitions *definitions, const ApiString *name)
{
	int			low = 0;
	int			high = definitions->list->count - 1;

	while (low <= high)
	{
		int			middle = low + (high - low) / 2;
		int			order = compare_strings(name, &definitions->sorted[middle]->attribute_name);

		if (order == 0)
		{
			definitions->is_used[middle] = true;
			return true;
		}
		if (order < 0)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return false;
}

static void
append_name(StringInfo names, const ApiString *name)
{
	appendStringInfo(names, "%s%s", names->len == 0 ? "" : ", ", name->data);
}

static char *
key_names(const ApiList *schema)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < schema->count; i++)
		append_name(&names, &KeyElementAt(schema, i)->attribute_name);
	return names.data;
}

static char *
definition_names(const ApiList *list)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < list->count; i++)
		append_name(&names, &DefinitionAt(list, i)->attribute_name);
	return names.data;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Meaning
 */

/* index_name NULL: of the table. */
static void
check_throughput_bounds(const ApiThroughput *throughput, const char *index_name)
{
	const char *suffix = index_name ? psprintf(" for index %s", index_name) : "";

	if (!throughput->is_present)
		return;
	if (throughput->read.value > API_MAX_THROUGHPUT)
		validation_error("Given value " INT64_FORMAT " for ReadCapacityUnits is out of bounds%s", throughput->read.value, suffix);
	if (throughput->write.value > API_MAX_THROUGHPUT)
		validation_error("Given value " INT64_FORMAT " for WriteCapacityUnits is out of bounds%s", throughput->write.value, suffix);
}

/*
 * check_global_key_order
 *		A GSI's key of several attributes: up to four HASH, then up to four RANGE.
 */
static void
check_global_key_order(const ApiList *schema)
{
	int			hash_count = 0;
	bool		is_mixed = false;
	const ApiString **names = palloc(schema->count * sizeof(names[0]));

	for (int i = 0; i < schema->count; i++)
	{
		if (ApiStringIs(&KeyElementAt(schema, i)->key_type, "HASH"))
		{
			is_mixed |= hash_count < i;
			hash_count++;
		}
		names[i] = &KeyElementAt(schema, i)->attribute_name;
	}
	if (hash_count > INDEX_MAX_PARTITION_KEYS)
		validation_error(MESSAGE_PARAMETERS "The KeySchema exceeds the maximum allowed number of HASH key attributes");
	if (schema->count - hash_count > INDEX_MAX_SORT_KEYS)
		validation_error(MESSAGE_PARAMETERS "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
	if (is_mixed)
		validation_error(MESSAGE_PARAMETERS "All HASH key attributes must precede RANGE key attributes in the KeySchema");
	if (find_duplicate(names, schema->count) != NULL)
		validation_error("The KeySchema contains multiple key attributes with the same name");
}

static void
check_key_schema(const ApiList *schema, Definitions *definitions, bool is_global_index)
{
	const ApiKeySchemaElement *first = KeyElementAt(schema, 0);
	const ApiKeySchemaElement *second = KeyElementAt(schema, 1);
	bool		is_classic;
	bool		is_defined = true;

	if (schema->count > definitions->list->count)
		validation_error("Invalid KeySchema: Some index key attribute have no definition");
	for (int i = 0; i < schema->count; i++)
		is_defined &= find_definition(definitions, &KeyElementAt(schema, i)->attribute_name);
	if (!is_defined)
		validation_error(MESSAGE_PARAMETERS "Some index key attributes are not defined in AttributeDefinitions. "
						 "Keys: [%s], AttributeDefinitions: [%s]", key_names(schema), definition_names(definitions->list));

	is_classic = schema->count == 1 || (schema->count == 2 && (!is_global_index || ApiStringIs(&second->key_type, "RANGE")));
	if (is_classic && schema->count == 2 && ApiStringsEqual(&first->attribute_name, &second->attribute_name))
		validation_error("Both the Hash Key and the Range Key element in the KeySchema have the same name");
	if (!ApiStringIs(&first->key_type, "HASH"))
		validation_error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
	if (!is_classic)
		check_global_key_order(schema);
	else if (schema->count == 2 && !ApiStringIs(&second->key_type, "RANGE"))
		validation_error("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");

	/* Ours: a key attribute is a column. */
	for (int i = 0; i < schema->count; i++)
	{
		const ApiString *name = &KeyElementAt(schema, i)->attribute_name;

		if (strlen(name->data) != name->length)
			ereport(ERROR,
					(errcode(ERRCODE_KV_VALIDATION),
					 errmsg(MESSAGE_PARAMETERS "Attribute %s cannot be a key", name->data),
					 errdetail("A key attribute is a column, and the name of a column has no U+0000.")));
		CheckKeyColumnName(name->data);
	}
}

static void
check_projection(const ApiProjection *projection)
{
	const ApiList *list = &projection->non_key_attributes;
	const ApiString **names = palloc(Max(list->count, 1) * sizeof(names[0]));
	const ApiString *duplicate;

	if (projection->projection_type.data == NULL)
		validation_error(MESSAGE_PARAMETERS "Unknown ProjectionType: null");
	if (!ApiStringIs(&projection->projection_type, "INCLUDE"))
	{
		if (list->is_present)
			validation_error(MESSAGE_PARAMETERS "ProjectionType is %s, but NonKeyAttributes is specified",
							 projection->projection_type.data);
		return;
	}
	if (!list->is_present)
		validation_error(MESSAGE_PARAMETERS "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
	for (int i = 0; i < list->count; i++)
	{
		names[i] = StringAt(list, i);
		if (strlen(names[i]->data) != names[i]->length)
			validation_error(MESSAGE_PARAMETERS "NonKeyAttributes must not contain U+0000");
	}
	duplicate = find_duplicate(names, list->count);
	if (duplicate != NULL)
		validation_error(MESSAGE_PARAMETERS "Duplicate element in NonKeyAttributes: %s", duplicate->data);
}

static void
check_local_indexes(const ApiTableRequest *request, Definitions *definitions)
{
	const ApiString *table_hash = &KeyElementAt(&request->key_schema, 0)->attribute_name;

	if (!request->local_indexes.is_present)
		return;
	if (request->local_indexes.count == 0)
		validation_error(MESSAGE_PARAMETERS "List of LocalSecondaryIndexes is empty");
	if (request->key_schema.count < 2)
		validation_error(MESSAGE_PARAMETERS "Table KeySchema does not have a range key, "
						 "which is required when specifying a LocalSecondaryIndex");
	for (int i = 0; i < request->local_indexes.count; i++)
	{
		const ApiIndex *index = IndexAt(&request->local_indexes, i);
		const ApiString *hash = &KeyElementAt(&index->key_schema, 0)->attribute_name;

		CHECK_FOR_INTERRUPTS();
		check_key_schema(&index->key_schema, definitions, false);
		if (index->key_schema.count < 2)
			validation_error(MESSAGE_PARAMETERS "Index KeySchema does not have a range key for index: %s", index->index_name.data);
		if (!ApiStringsEqual(hash, table_hash))
			validation_error(MESSAGE_PARAMETERS "Index KeySchema does not have the same leading hash key as table KeySchema "
							 "for index: %s. index hash key: %s, table hash key: %s",
							 index->index_name.data, hash->data, table_hash->data);
		check_projection(&index->projection);
	}
}

static void
check_global_indexes(const ApiTableRequest *request, Definitions *definitions)
{
	if (!request->global_indexes.is_present)
		return;
	if (request->global_indexes.count == 0)
		validation_error(MESSAGE_PARAMETERS "List of GlobalSecondaryIndexes is empty");
	for (int i = 0; i < request->global_indexes.count; i++)
	{
		const ApiIndex *index = IndexAt(&request->global_indexes, i);

		CHECK_FOR_INTERRUPTS();
		check_key_schema(&index->key_schema, definitions, true);
		check_projection(&index->projection);
	}
}

/*
 * check_index_names
 *		Names are unique over both kinds; of both lists, or (global_indexes NULL) the local ones alone.
 */
static void
check_index_names(const ApiList *local_indexes, const ApiList *global_indexes)
{
	int			count = 0;
	const ApiString **names = palloc((local_indexes->count + (global_indexes ? global_indexes->count : 0) + 1) * sizeof(names[0]));
	const ApiString *duplicate;

	for (int i = 0; i < local_indexes->count; i++)
		names[count++] = &IndexAt(local_indexes, i)->index_name;
	if (global_indexes != NULL)
		for (int i = 0; i < global_indexes->count; i++)
			names[count++] = &IndexAt(global_indexes, i)->index_name;
	duplicate = find_duplicate(names, count);
	if (duplicate != NULL)
		validation_error(MESSAGE_PARAMETERS "Duplicate index name: %s", duplicate->data);
}

/*
 * check_definitions_used
 *		Every definition is that of some key.
 */
static void
check_definitions_used(const ApiTableRequest *request, Definitions *definitions)
{
	StringInfoData names;
	const ApiList *indexes[2] = {&request->local_indexes, &request->global_indexes};
	bool		are_all_used = true;

	for (int list = 0; list < 2; list++)
		for (int i = 0; i < indexes[list]->count; i++)
			for (int j = 0; j < IndexAt(indexes[list], i)->key_schema.count; j++)
				(void) find_definition(definitions, &KeyElementAt(&IndexAt(indexes[list], i)->key_schema, j)->attribute_name);
	for (int i = 0; i < definitions->list->count; i++)
		are_all_used &= definitions->is_used[i];
	if (are_all_used)
		return;

	if (!request->local_indexes.is_present && !request->global_indexes.is_present)
		validation_error(MESSAGE_PARAMETERS "Number of attributes in KeySchema does not exactly match "
						 "number of attributes defined in AttributeDefinitions");
	initStringInfo(&names);
	for (int i = 0; i < definitions->list->count; i++)
		if (definitions->is_used[i])
			append_name(&names, &definitions->sorted[i]->attribute_name);
	validation_error(MESSAGE_PARAMETERS "Some AttributeDefinitions are not used. AttributeDefinitions: [%s], keys used: [%s]",
					 definition_names(definitions->list), names.data);
}

static void
check_table_class(const ApiString *table_class)
{
	if (table_class->data != NULL && !ApiStringIs(table_class, "STANDARD") && !ApiStringIs(table_class, "STANDARD_INFREQUENT_ACCESS"))
		validation_error("Invalid table-class parameter provided. Please try again with a valid table-class value: "
						 "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

static void
check_encryption(const ApiEncryption *encryption)
{
	if (!encryption->is_present)
		return;
	if (!encryption->enabled.value)
	{
		if (encryption->type.data != NULL)
			validation_error(MESSAGE_PARAMETERS "SSEType can not be specified if Enabled is false");
		if (encryption->key.data != NULL)
			validation_error(MESSAGE_PARAMETERS "KMSMasterKeyId can not be specified if Enabled is false");
	}
	if (encryption->key.data != NULL && encryption->type.data == NULL)
		validation_error(MESSAGE_PARAMETERS "SSEType KMS is required if KMSMasterKeyId is specified");
	if (ApiStringIs(&encryption->type, "AES256"))
		validation_error(MESSAGE_PARAMETERS "SSEType AES256 is not supported");
	if (encryption->key.data != NULL && strlen(encryption->key.data) != encryption->key.length)
		validation_error(MESSAGE_PARAMETERS "KMSMasterKeyId must not contain U+0000");
}

void
ApiCheckOnDemand(const ApiThroughput *on_demand, bool is_on_demand, const char *index_name, bool is_update)
{
	const struct
	{
		const ApiInteger *units;
		const char *name;
	}			members[] = {
		{&on_demand->read, "MaxReadRequestUnits"},
		{&on_demand->write, "MaxWriteRequestUnits"},
	};

	if (!on_demand->is_present)
		return;
	for (int i = 0; i < lengthof(members); i++)
	{
		if (!members[i].units->is_present)
			continue;
		/* The two operations differ by a word and a full stop. */
		if (!is_on_demand && is_update)
			validation_error(MESSAGE_PARAMETERS "%s for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
							 members[i].name);
		if (!is_on_demand)
			validation_error(MESSAGE_PARAMETERS "%s for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
							 members[i].name);
		/* -1 takes the limit away. */
		if (members[i].units->value < 1 && members[i].units->value != -1)
			validation_error(MESSAGE_PARAMETERS "Requested %s for OnDemandThroughput for %s is outside of valid range",
							 members[i].name, index_name ? psprintf("index : %s", index_name) : "table");
	}
}

void
ApiCheckWarm(const ApiThroughput *warm, int64 read_units, int64 write_units, bool is_on_demand, const char *index_name)
{
	const char *target = index_name ? psprintf("index : %s", index_name) : "table";

	if (!warm->is_present)
		return;
	if (warm->read.is_present && warm->read.value < (is_on_demand ? API_ON_DEMAND_READ_UNITS : read_units))
		validation_error(MESSAGE_PARAMETERS "Requested ReadUnitsPerSecond for WarmThroughput for %s is lower than %s", target,
						 is_on_demand ? "initial throughput for OnDemand." : "ReadCapacityUnits of ProvisionedThroughput");
	if (warm->write.is_present && warm->write.value < (is_on_demand ? API_ON_DEMAND_WRITE_UNITS : write_units))
		validation_error(MESSAGE_PARAMETERS "Requested WriteUnitsPerSecond for WarmThroughput for %s is lower than %s", target,
						 is_on_demand ? "initial throughput for OnDemand." : "WriteCapacityUnits of ProvisionedThroughput");
}

void
ApiCheckThroughputLimit(const ApiThroughput *provisioned)
{
	const struct
	{
		const ApiInteger *units;
		const char *name;
	}			members[] = {
		{&provisioned->read, "ReadCapacityUnits"},
		{&provisioned->write, "WriteCapacityUnits"},
	};

	if (!provisioned->is_present)
		return;
	for (int i = 0; i < lengthof(members); i++)
		if (members[i].units->value > API_TABLE_THROUGHPUT)
			ereport(ERROR,
					(errcode(ERRCODE_KV_LIMIT_EXCEEDED),
					 errmsg("The requested %s, " INT64_FORMAT ", is above the per table maximum for the account in %s. "
							"Per table maximum: %d. Refer to the Amazon DynamoDB Developer Guide for current limits "
							"and how to request higher limits.",
							members[i].name, members[i].units->value, API_REGION, API_TABLE_THROUGHPUT)));
}

void
ApiCheckNonKeyAttributes(int count)
{
	if (count > API_MAX_NON_KEY_ATTRIBUTES)
		validation_error(MESSAGE_PARAMETERS "Number of NonKeyAttributes of all indexes exceeds the per-table limit of %d",
						 API_MAX_NON_KEY_ATTRIBUTES);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * CreateTable
 */

static void
check_create_shape(const ApiTableRequest *request)
{
	ApiConstraints constraints = {0};

	ApiCheckEnum(&constraints, &request->billing_mode, "billingMode", "[PROVISIONED, PAY_PER_REQUEST]");
	check_throughput_shape(&constraints, &request->provisioned, "provisionedThroughput");
	check_key_schema_shape(&constraints, &request->key_schema, "keySchema", TABLE_KEY_MAX);
	ApiCheckNotNull(&constraints, request->attribute_definitions.is_present, "attributeDefinitions");
	check_definitions_shape(&constraints, &request->attribute_definitions);
	check_indexes_shape(&constraints, &request->local_indexes, "localSecondaryIndexes", TABLE_KEY_MAX);
	check_indexes_shape(&constraints, &request->global_indexes, "globalSecondaryIndexes",
						INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS);
	check_stream_shape(&constraints, request);
	ApiConstraintsRaise(&constraints);
}

/* Throughput of a GSI that comes with its table; CreateTable's texts. */
static void
check_index_throughput(const ApiIndex *index, bool is_on_demand)
{
	const char *name = index->index_name.data;

	if (is_on_demand && index->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "ProvisionedThroughput should not be specified for index: %s "
						 "when BillingMode is PAY_PER_REQUEST", name);
	if (!is_on_demand && !index->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "ProvisionedThroughput is not specified for index: %s", name);
	check_throughput_bounds(&index->provisioned, name);
	ApiCheckOnDemand(&index->on_demand, is_on_demand, name, false);
	ApiCheckWarm(&index->warm, index->provisioned.read.value, index->provisioned.write.value, is_on_demand, name);
}

static void
check_create_stream(const ApiStream *stream)
{
	if (!stream->is_present)
		return;
	if (stream->enabled.value && stream->view_type.data == NULL)
		validation_error(MESSAGE_PARAMETERS "Table is being created with a stream enabled, UpdateViewType is required");
	if (!stream->enabled.value && stream->view_type.data != NULL)
		validation_error(MESSAGE_PARAMETERS "Table is being created with a stream disabled, UpdateViewType should not be specified");
}

void
ApiCheckCreateTable(const ApiTableRequest *request)
{
	bool		is_on_demand;
	Definitions definitions;
	int			non_key_attribute_count = 0;

	check_create_shape(request);

	is_on_demand = ApiStringIs(&request->billing_mode, "PAY_PER_REQUEST");
	if (is_on_demand && request->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
						 "when BillingMode is PAY_PER_REQUEST");
	if (!is_on_demand && !request->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "ReadCapacityUnits and WriteCapacityUnits must both be specified "
						 "when BillingMode is PROVISIONED");
	check_throughput_bounds(&request->provisioned, NULL);

	open_definitions(&definitions, &request->attribute_definitions);
	check_key_schema(&request->key_schema, &definitions, false);
	for (int i = 1; i < request->attribute_definitions.count; i++)
		if (compare_definitions(&definitions.sorted[i - 1], &definitions.sorted[i]) == 0)
			validation_error("Attribute Name is duplicated: %s", definitions.sorted[i]->attribute_name.data);
	check_definitions_used(request, &definitions);

	check_local_indexes(request, &definitions);
	check_index_names(&request->local_indexes, NULL);
	if (request->local_indexes.count > API_MAX_LOCAL_INDEXES)
		validation_error(MESSAGE_PARAMETERS "Number of LocalSecondaryIndexes exceeds per-table limit of %d", API_MAX_LOCAL_INDEXES);

	check_global_indexes(request, &definitions);
	check_index_names(&request->local_indexes, &request->global_indexes);
	if (request->global_indexes.count > API_MAX_GLOBAL_INDEXES)
		validation_error(MESSAGE_PARAMETERS "GlobalSecondaryIndex count exceeds the per-table limit of %d", API_MAX_GLOBAL_INDEXES);
	for (int i = 0; i < request->global_indexes.count; i++)
		check_index_throughput(IndexAt(&request->global_indexes, i), is_on_demand);
	for (int i = 0; i < request->local_indexes.count; i++)
		non_key_attribute_count += IndexAt(&request->local_indexes, i)->projection.non_key_attributes.count;
	for (int i = 0; i < request->global_indexes.count; i++)
		non_key_attribute_count += IndexAt(&request->global_indexes, i)->projection.non_key_attributes.count;
	ApiCheckNonKeyAttributes(non_key_attribute_count);

	check_create_stream(&request->stream);
	check_encryption(&request->encryption);
	check_table_class(&request->table_class);
	ApiCheckOnDemand(&request->on_demand, is_on_demand, NULL, false);
	ApiCheckWarm(&request->warm, request->provisioned.read.value, request->provisioned.write.value, is_on_demand, NULL);
	ApiCheckTags(&request->tags);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * UpdateTable
 */

static void
check_update_shape(const ApiTableRequest *request)
{
	ApiConstraints constraints = {0};

	ApiCheckEnum(&constraints, &request->billing_mode, "billingMode", "[PROVISIONED, PAY_PER_REQUEST]");
	check_throughput_shape(&constraints, &request->provisioned, "provisionedThroughput");
	check_definitions_shape(&constraints, &request->attribute_definitions);
	for (int i = 0; i < request->index_updates.count && !ListIsFull(&constraints); i++)
	{
		const ApiIndexUpdate *update = IndexUpdateAt(&request->index_updates, i);
		char	   *path = element_path("globalSecondaryIndexUpdates", i);

		CHECK_FOR_INTERRUPTS();
		if (update->create.is_present)
			check_index_shape(&constraints, &update->create, join_path(path, "create"), INDEX_MAX_PARTITION_KEYS + INDEX_MAX_SORT_KEYS);
		if (update->update.is_present)
			check_index_shape(&constraints, &update->update, join_path(path, "update"), 0);
		if (update->drop.is_present)
			check_index_shape(&constraints, &update->drop, join_path(path, "delete"), 0);
	}
	check_stream_shape(&constraints, request);
	ApiConstraintsRaise(&constraints);
}

/*
 * check_index_updates
 *		Every element holds one action, every index is named once, and one index at most is created or deleted.
 */
static void
check_index_updates(const ApiList *updates, int *build_count)
{
	const ApiString **names = palloc((updates->count + 1) * sizeof(names[0]));
	const ApiString *duplicate;

	*build_count = 0;
	if (updates->is_present && updates->count == 0)
		validation_error(MESSAGE_PARAMETERS "List of GlobalSecondaryIndexUpdates is empty");
	for (int i = 0; i < updates->count; i++)
	{
		const ApiIndexUpdate *update = IndexUpdateAt(updates, i);
		int			action_count = update->create.is_present + update->update.is_present + update->drop.is_present;

		if (action_count == 0)
			validation_error(MESSAGE_PARAMETERS "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
							 "GlobalSecondaryIndexUpdate.Delete must not be null");
		if (action_count > 1)
			validation_error(MESSAGE_PARAMETERS "Only one global secondary index action is allowed per "
							 "GlobalSecondaryIndexUpdate object");
		*build_count += update->create.is_present + update->drop.is_present;
		names[i] = update->create.is_present ? &update->create.index_name :
			update->update.is_present ? &update->update.index_name : &update->drop.index_name;
	}
	duplicate = find_duplicate(names, updates->count);
	if (duplicate != NULL)
		validation_error(MESSAGE_PARAMETERS "Only one global secondary index update per index is allowed simultaneously. Index: %s",
						 duplicate->data);
}

void
ApiCheckUpdateTable(const ApiTableRequest *request)
{
	int			change_count;
	int			build_count;
	bool		has_consistency = request->consistency.data != NULL;
	bool		has_class = request->table_class.data != NULL;

	check_update_shape(request);

	change_count = (request->provisioned.is_present || request->billing_mode.data != NULL) + (request->index_updates.count > 0) +
		request->stream.is_present + request->encryption.is_present + (request->replica_updates.count > 0) + has_consistency +
		request->deletion_protection.is_present + request->on_demand.is_present + request->warm.is_present + has_class;
	if (change_count == 0)
		validation_error("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
						 "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
						 "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
						 "is required");
	check_index_updates(&request->index_updates, &build_count);

	if (request->encryption.is_present && change_count > 1)
		validation_error(MESSAGE_PARAMETERS "Server-Side Encryption modification must be the only operation in the request");
	if (has_class && change_count > 1)
		validation_error(MESSAGE_PARAMETERS "TableClass modification must be the only operation in the request");
	if (request->deletion_protection.is_present && change_count > 1)
		validation_error(MESSAGE_PARAMETERS "DeletionProtection modification must be the only operation in the request");
	if (request->warm.is_present && change_count > 1)
		validation_error(MESSAGE_PARAMETERS "WarmThroughput must be the only operation in the request");
	if (request->on_demand.is_present && (change_count > 2 || (change_count == 2 && request->billing_mode.data == NULL)))
		validation_error(MESSAGE_PARAMETERS "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
	if (request->provisioned.is_present && build_count > 0)
		validation_error(MESSAGE_PARAMETERS "You cannot create or delete index while updating table IOPS");
	if (request->provisioned.is_present && request->stream.is_present)
		validation_error(MESSAGE_PARAMETERS "You cannot modify stream status while updating table IOPS");
	if (request->stream.is_present && build_count > 0)
		validation_error(MESSAGE_PARAMETERS "You cannot create or delete index while changing stream status");
	if (build_count > 1)
		ereport(ERROR,
				(errcode(ERRCODE_KV_LIMIT_EXCEEDED),
				 errmsg("Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")));
	/* Ours: there is one region. */
	if (request->replica_updates.count > 0 || has_consistency)
		validation_error(MESSAGE_PARAMETERS "global tables are not supported");

	if (ApiStringIs(&request->billing_mode, "PAY_PER_REQUEST") && request->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
						 "when BillingMode is PAY_PER_REQUEST");
	if (ApiStringIs(&request->billing_mode, "PROVISIONED") && !request->provisioned.is_present)
		validation_error(MESSAGE_PARAMETERS "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
	check_throughput_bounds(&request->provisioned, NULL);
	for (int i = 0; i < request->index_updates.count; i++)
	{
		const ApiIndexUpdate *update = IndexUpdateAt(&request->index_updates, i);
		const ApiIndex *index = update->create.is_present ? &update->create : &update->update;

		check_throughput_bounds(&index->provisioned, index->index_name.data);
	}

	if (request->stream.is_present && request->stream.enabled.value && request->stream.view_type.data == NULL)
		validation_error(MESSAGE_PARAMETERS "If stream is being enabled then UpdateViewType is required");
	if (request->stream.is_present && !request->stream.enabled.value && request->stream.view_type.data != NULL)
		validation_error(MESSAGE_PARAMETERS "If stream is being disabled, then UpdateViewType must not be specified");
	check_encryption(&request->encryption);
	check_table_class(&request->table_class);
}

void
ApiCheckNewIndex(const ApiTableRequest *request, const ApiIndex *index)
{
	Definitions definitions;

	if (!request->attribute_definitions.is_present)
		validation_error(MESSAGE_PARAMETERS "AttributeDefinitions is not specified for index: %s", index->index_name.data);
	open_definitions(&definitions, &request->attribute_definitions);
	check_key_schema(&index->key_schema, &definitions, true);
	check_projection(&index->projection);
}
