/*
 * src/api/api_table_read.c
 *		How the requests of the control plane are bound: which members they have, of which types.
 *
 * Source: reference/tables-and-indexes, sections 2 and 8 to 12.
 */
#include "postgres.h"

#include "api/api_table.h"

#define MEMBERS(name) static const ApiMember name[]

MEMBERS(key_schema_element_members) = {
	API_MEMBER(ApiKeySchemaElement, attribute_name, "AttributeName", ApiStringType),
	API_MEMBER(ApiKeySchemaElement, key_type, "KeyType", ApiStringType),
};
static const ApiType key_schema_element_type = API_STRUCTURE_TYPE("KeySchemaElement", ApiKeySchemaElement, key_schema_element_members);
static const ApiType key_schema_type = API_LIST_TYPE(key_schema_element_type);

MEMBERS(attribute_definition_members) = {
	API_MEMBER(ApiAttributeDefinition, attribute_name, "AttributeName", ApiStringType),
	API_MEMBER(ApiAttributeDefinition, attribute_type, "AttributeType", ApiStringType),
};
static const ApiType attribute_definition_type =
	API_STRUCTURE_TYPE("AttributeDefinition", ApiAttributeDefinition, attribute_definition_members);
static const ApiType attribute_definitions_type = API_LIST_TYPE(attribute_definition_type);

MEMBERS(projection_members) = {
	API_MEMBER(ApiProjection, projection_type, "ProjectionType", ApiStringType),
	API_MEMBER(ApiProjection, non_key_attributes, "NonKeyAttributes", ApiStringListType),
};
static const ApiType projection_type = API_STRUCTURE_TYPE("Projection", ApiProjection, projection_members);

MEMBERS(provisioned_members) = {
	API_MEMBER(ApiThroughput, read, "ReadCapacityUnits", ApiLongType),
	API_MEMBER(ApiThroughput, write, "WriteCapacityUnits", ApiLongType),
};
static const ApiType provisioned_type = API_STRUCTURE_TYPE("ProvisionedThroughput", ApiThroughput, provisioned_members);

MEMBERS(on_demand_members) = {
	API_MEMBER(ApiThroughput, read, "MaxReadRequestUnits", ApiLongType),
	API_MEMBER(ApiThroughput, write, "MaxWriteRequestUnits", ApiLongType),
};
static const ApiType on_demand_type = API_STRUCTURE_TYPE("OnDemandThroughput", ApiThroughput, on_demand_members);

MEMBERS(warm_members) = {
	API_MEMBER(ApiThroughput, read, "ReadUnitsPerSecond", ApiLongType),
	API_MEMBER(ApiThroughput, write, "WriteUnitsPerSecond", ApiLongType),
};
static const ApiType warm_type = API_STRUCTURE_TYPE("WarmThroughput", ApiThroughput, warm_members);

/* The structures that are indexes differ in their names alone; a member that one of them lacks in the API is ignored here. */
MEMBERS(local_index_members) = {
	API_MEMBER(ApiIndex, index_name, "IndexName", ApiStringType),
	API_MEMBER(ApiIndex, key_schema, "KeySchema", key_schema_type),
	API_MEMBER(ApiIndex, projection, "Projection", projection_type),
};
static const ApiType local_index_type = API_STRUCTURE_TYPE("LocalSecondaryIndex", ApiIndex, local_index_members);
static const ApiType local_indexes_type = API_LIST_TYPE(local_index_type);

MEMBERS(global_index_members) = {
	API_MEMBER(ApiIndex, index_name, "IndexName", ApiStringType),
	API_MEMBER(ApiIndex, key_schema, "KeySchema", key_schema_type),
	API_MEMBER(ApiIndex, projection, "Projection", projection_type),
	API_MEMBER(ApiIndex, provisioned, "ProvisionedThroughput", provisioned_type),
	API_MEMBER(ApiIndex, on_demand, "OnDemandThroughput", on_demand_type),
	API_MEMBER(ApiIndex, warm, "WarmThroughput", warm_type),
};
static const ApiType global_index_type = API_STRUCTURE_TYPE("GlobalSecondaryIndex", ApiIndex, global_index_members);
static const ApiType global_indexes_type = API_LIST_TYPE(global_index_type);

static const ApiType create_index_type = API_STRUCTURE_TYPE("CreateGlobalSecondaryIndexAction", ApiIndex, global_index_members);

MEMBERS(update_index_members) = {
	API_MEMBER(ApiIndex, index_name, "IndexName", ApiStringType),
	API_MEMBER(ApiIndex, provisioned, "ProvisionedThroughput", provisioned_type),
	API_MEMBER(ApiIndex, on_demand, "OnDemandThroughput", on_demand_type),
	API_MEMBER(ApiIndex, warm, "WarmThroughput", warm_type),
};
static const ApiType update_index_type = API_STRUCTURE_TYPE("UpdateGlobalSecondaryIndexAction", ApiIndex, update_index_members);

MEMBERS(delete_index_members) = {
	API_MEMBER(ApiIndex, index_name, "IndexName", ApiStringType),
};
static const ApiType delete_index_type = API_STRUCTURE_TYPE("DeleteGlobalSecondaryIndexAction", ApiIndex, delete_index_members);

MEMBERS(index_update_members) = {
	API_MEMBER(ApiIndexUpdate, create, "Create", create_index_type),
	API_MEMBER(ApiIndexUpdate, update, "Update", update_index_type),
	API_MEMBER(ApiIndexUpdate, drop, "Delete", delete_index_type),
};
static const ApiType index_update_type = API_STRUCTURE_TYPE("GlobalSecondaryIndexUpdate", ApiIndexUpdate, index_update_members);
static const ApiType index_updates_type = API_LIST_TYPE(index_update_type);

MEMBERS(stream_members) = {
	API_MEMBER(ApiStream, enabled, "StreamEnabled", ApiBooleanType),
	API_MEMBER(ApiStream, view_type, "StreamViewType", ApiStringType),
};
static const ApiType stream_type = API_STRUCTURE_TYPE("StreamSpecification", ApiStream, stream_members);

MEMBERS(encryption_members) = {
	API_MEMBER(ApiEncryption, enabled, "Enabled", ApiBooleanType),
	API_MEMBER(ApiEncryption, type, "SSEType", ApiStringType),
	API_MEMBER(ApiEncryption, key, "KMSMasterKeyId", ApiStringType),
};
static const ApiType encryption_type = API_STRUCTURE_TYPE("SSESpecification", ApiEncryption, encryption_members);

MEMBERS(tag_members) = {
	API_MEMBER(ApiTag, key, "Key", ApiStringType),
	API_MEMBER(ApiTag, value, "Value", ApiStringType),
};
static const ApiType tag_type = API_STRUCTURE_TYPE("Tag", ApiTag, tag_members);
static const ApiType tags_type = API_LIST_TYPE(tag_type);

static const ApiType replica_update_type = {
	.kind = API_STRUCTURE,.java_name = "ReplicationGroupUpdate",.size = sizeof(ApiEmptyRequest)
};
static const ApiType replica_updates_type = API_LIST_TYPE(replica_update_type);

MEMBERS(create_table_members) = {
	API_MEMBER(ApiTableRequest, table_name, "TableName", ApiStringType),
	API_MEMBER(ApiTableRequest, attribute_definitions, "AttributeDefinitions", attribute_definitions_type),
	API_MEMBER(ApiTableRequest, key_schema, "KeySchema", key_schema_type),
	API_MEMBER(ApiTableRequest, billing_mode, "BillingMode", ApiStringType),
	API_MEMBER(ApiTableRequest, provisioned, "ProvisionedThroughput", provisioned_type),
	API_MEMBER(ApiTableRequest, local_indexes, "LocalSecondaryIndexes", local_indexes_type),
	API_MEMBER(ApiTableRequest, global_indexes, "GlobalSecondaryIndexes", global_indexes_type),
	API_MEMBER(ApiTableRequest, stream, "StreamSpecification", stream_type),
	API_MEMBER(ApiTableRequest, encryption, "SSESpecification", encryption_type),
	API_MEMBER(ApiTableRequest, tags, "Tags", tags_type),
	API_MEMBER(ApiTableRequest, table_class, "TableClass", ApiStringType),
	API_MEMBER(ApiTableRequest, deletion_protection, "DeletionProtectionEnabled", ApiBooleanType),
	API_MEMBER(ApiTableRequest, on_demand, "OnDemandThroughput", on_demand_type),
	API_MEMBER(ApiTableRequest, warm, "WarmThroughput", warm_type),
};
const ApiType ApiCreateTableType = API_STRUCTURE_TYPE("CreateTableInput", ApiTableRequest, create_table_members);

MEMBERS(update_table_members) = {
	API_MEMBER(ApiTableRequest, table_name, "TableName", ApiStringType),
	API_MEMBER(ApiTableRequest, attribute_definitions, "AttributeDefinitions", attribute_definitions_type),
	API_MEMBER(ApiTableRequest, billing_mode, "BillingMode", ApiStringType),
	API_MEMBER(ApiTableRequest, provisioned, "ProvisionedThroughput", provisioned_type),
	API_MEMBER(ApiTableRequest, index_updates, "GlobalSecondaryIndexUpdates", index_updates_type),
	API_MEMBER(ApiTableRequest, stream, "StreamSpecification", stream_type),
	API_MEMBER(ApiTableRequest, encryption, "SSESpecification", encryption_type),
	API_MEMBER(ApiTableRequest, replica_updates, "ReplicaUpdates", replica_updates_type),
	API_MEMBER(ApiTableRequest, table_class, "TableClass", ApiStringType),
	API_MEMBER(ApiTableRequest, deletion_protection, "DeletionProtectionEnabled", ApiBooleanType),
	API_MEMBER(ApiTableRequest, on_demand, "OnDemandThroughput", on_demand_type),
	API_MEMBER(ApiTableRequest, warm, "WarmThroughput", warm_type),
	API_MEMBER(ApiTableRequest, consistency, "MultiRegionConsistency", ApiStringType),
};
const ApiType ApiUpdateTableType = API_STRUCTURE_TYPE("UpdateTableInput", ApiTableRequest, update_table_members);

/* DeleteTable and the Describe operations. */
MEMBERS(table_name_members) = {
	API_MEMBER(ApiTableRequest, table_name, "TableName", ApiStringType),
};
const ApiType ApiTableNameType = API_STRUCTURE_TYPE("TableNameInput", ApiTableRequest, table_name_members);

MEMBERS(time_to_live_members) = {
	API_MEMBER(ApiTimeToLive, enabled, "Enabled", ApiBooleanType),
	API_MEMBER(ApiTimeToLive, attribute_name, "AttributeName", ApiStringType),
};
static const ApiType time_to_live_type = API_STRUCTURE_TYPE("TimeToLiveSpecification", ApiTimeToLive, time_to_live_members);

MEMBERS(update_time_to_live_members) = {
	API_MEMBER(ApiTableRequest, table_name, "TableName", ApiStringType),
	API_MEMBER(ApiTableRequest, time_to_live, "TimeToLiveSpecification", time_to_live_type),
};
const ApiType ApiUpdateTimeToLiveType = API_STRUCTURE_TYPE("UpdateTimeToLiveInput", ApiTableRequest, update_time_to_live_members);

MEMBERS(list_tables_members) = {
	API_MEMBER(ApiListTablesRequest, start_name, "ExclusiveStartTableName", ApiStringType),
	API_MEMBER(ApiListTablesRequest, limit, "Limit", ApiIntegerType),
};
const ApiType ApiListTablesType = API_STRUCTURE_TYPE("ListTablesInput", ApiListTablesRequest, list_tables_members);

MEMBERS(tag_request_members) = {
	API_MEMBER(ApiTagRequest, resource_arn, "ResourceArn", ApiStringType),
	API_MEMBER(ApiTagRequest, tags, "Tags", tags_type),
	API_MEMBER(ApiTagRequest, tag_keys, "TagKeys", ApiStringListType),
	API_MEMBER(ApiTagRequest, next_token, "NextToken", ApiStringType),
};
const ApiType ApiTagRequestType = API_STRUCTURE_TYPE("TagResourceInput", ApiTagRequest, tag_request_members);

/* DescribeLimits, DescribeEndpoints. */
const ApiType ApiEmptyRequestType = {
	.kind = API_STRUCTURE,.java_name = "EmptyInput",.size = sizeof(ApiEmptyRequest)
};
