/*
 * src/api/api_table.h
 *		The control plane of the JSON API: its requests as they are bound, and what its files share.  Only for this folder.
 *
 * api_table_read.c says how requests are bound, api_table_check.c what is wrong with them, api_table.c acts on tables,
 * api_table_describe.c writes descriptions, api_tag.c and api_time_to_live.c hold the small operations.
 */
#ifndef SINGLETABLE_API_TABLE_H
#define SINGLETABLE_API_TABLE_H

#include "api/api_internal.h"
#include "operation/table_settings.h"
#include "table/table.h"

/* "One or more parameter values were invalid", as most semantic errors begin. */
#define MESSAGE_PARAMETERS "One or more parameter values were invalid: "

/* Limits of reference/limits, sections 4 and 5. */
#define API_MAX_LOCAL_INDEXES 5
#define API_MAX_GLOBAL_INDEXES 20
#define API_MAX_NON_KEY_ATTRIBUTES 100	/* over all indexes of a table */
#define API_MAX_THROUGHPUT INT64CONST(1000000000000)	/* units per second */
#define API_ACCOUNT_THROUGHPUT 80000
#define API_TABLE_THROUGHPUT 40000
#define API_ON_DEMAND_READ_UNITS 12000	/* WarmThroughput of a new table on demand */
#define API_ON_DEMAND_WRITE_UNITS 4000

/* ---------------------------------------------------------------------------------------------------------------------
 * Requests
 */

typedef struct ApiKeySchemaElement
{
	bool		is_present;
	ApiString	attribute_name;
	ApiString	key_type;
} ApiKeySchemaElement;

typedef struct ApiAttributeDefinition
{
	bool		is_present;
	ApiString	attribute_name;
	ApiString	attribute_type;
} ApiAttributeDefinition;

typedef struct ApiProjection
{
	bool		is_present;
	ApiString	projection_type;
	ApiList		non_key_attributes; /* ApiString */
} ApiProjection;

/* ProvisionedThroughput, OnDemandThroughput or WarmThroughput, which name their two members differently. */
typedef struct ApiThroughput
{
	bool		is_present;
	ApiInteger	read;
	ApiInteger	write;
} ApiThroughput;

/* An index of CreateTable, or of a Create, Update or Delete of UpdateTable. */
typedef struct ApiIndex
{
	bool		is_present;
	ApiString	index_name;
	ApiList		key_schema;		/* ApiKeySchemaElement */
	ApiProjection projection;
	ApiThroughput provisioned;
	ApiThroughput on_demand;
	ApiThroughput warm;
} ApiIndex;

typedef struct ApiIndexUpdate
{
	bool		is_present;
	ApiIndex	create;
	ApiIndex	update;
	ApiIndex	drop;
} ApiIndexUpdate;

typedef struct ApiStream
{
	bool		is_present;
	ApiBoolean	enabled;
	ApiString	view_type;
} ApiStream;

typedef struct ApiEncryption
{
	bool		is_present;
	ApiBoolean	enabled;
	ApiString	type;
	ApiString	key;
} ApiEncryption;

typedef struct ApiTag
{
	bool		is_present;
	ApiString	key;
	ApiString	value;
} ApiTag;

typedef struct ApiTimeToLive
{
	bool		is_present;
	ApiBoolean	enabled;
	ApiString	attribute_name;
} ApiTimeToLive;

/* The request of CreateTable and of UpdateTable, and (its table_name) of all operations that take just a table. */
typedef struct ApiTableRequest
{
	bool		is_present;
	ApiString	table_name;
	ApiList		attribute_definitions;	/* ApiAttributeDefinition */
	ApiList		key_schema;		/* ApiKeySchemaElement */
	ApiString	billing_mode;
	ApiThroughput provisioned;
	ApiList		local_indexes;	/* ApiIndex */
	ApiList		global_indexes; /* ApiIndex */
	ApiList		index_updates;	/* ApiIndexUpdate */
	ApiStream	stream;
	ApiEncryption encryption;
	ApiList		tags;			/* ApiTag */
	ApiString	table_class;
	ApiBoolean	deletion_protection;
	ApiThroughput on_demand;
	ApiThroughput warm;
	ApiList		replica_updates;	/* refused */
	ApiString	consistency;	/* MultiRegionConsistency, refused */
	ApiTimeToLive time_to_live; /* UpdateTimeToLive */
} ApiTableRequest;

typedef struct ApiListTablesRequest
{
	bool		is_present;
	ApiString	start_name;
	ApiInteger	limit;
} ApiListTablesRequest;

typedef struct ApiTagRequest
{
	bool		is_present;
	ApiString	resource_arn;
	ApiList		tags;			/* ApiTag */
	ApiList		tag_keys;		/* ApiString */
	ApiString	next_token;
} ApiTagRequest;

typedef struct ApiEmptyRequest
{
	bool		is_present;
} ApiEmptyRequest;

/* ---------------------------------------------------------------------------------------------------------------------
 * Checks (api_table_check.c): KV001 with the texts and in the order of reference/tables-and-indexes, sections 1, 2 and 8.
 */

#define DefinitionAt(list, i) ApiListElement(list, ApiAttributeDefinition, i)
#define KeyElementAt(list, i) ApiListElement(list, ApiKeySchemaElement, i)
#define IndexAt(list, i) ApiListElement(list, ApiIndex, i)
#define IndexUpdateAt(list, i) ApiListElement(list, ApiIndexUpdate, i)
#define StringAt(list, i) ApiListElement(list, ApiString, i)
#define TagAt(list, i) ApiListElement(list, ApiTag, i)

#define ApiStringIs(string, text) ((string)->length == strlen(text) && memcmp((string)->data, text, strlen(text)) == 0)
#define ApiStringsEqual(a, b) ((a)->length == (b)->length && memcmp((a)->data, (b)->data, (a)->length) == 0)

/* Presence, pattern and length of the name of CreateTable and UpdateTable; of all others (LENGTH_OLD: another text for the length). */
typedef enum TableNameLength
{
	LENGTH_CONSTRAINT,
	LENGTH_OLD
} TableNameLength;

extern void ApiCheckControlTableName(const ApiString *name, TableNameLength form);
/* All of CreateTable's rules that need no look at what there is. */
extern void ApiCheckCreateTable(const ApiTableRequest *request);
/* UpdateTable's shape, that it changes anything, and which changes may be together. */
extern void ApiCheckUpdateTable(const ApiTableRequest *request);
/* A new index of UpdateTable: its key schema and projection. */
extern void ApiCheckNewIndex(const ApiTableRequest *request, const ApiIndex *index);
/* At most API_MAX_NON_KEY_ATTRIBUTES over the indexes that the table has and this one (NULL: none). */
extern void ApiCheckNonKeyAttributes(int count);
/* The bounds of OnDemandThroughput and WarmThroughput; index_name NULL: of the table. */
extern void ApiCheckOnDemand(const ApiThroughput *on_demand, bool is_on_demand, const char *index_name, bool is_update);
extern void ApiCheckWarm(const ApiThroughput *warm, int64 read_units, int64 write_units, bool is_on_demand, const char *index_name);
/* LimitExceededException above the table's maximum. */
extern void ApiCheckThroughputLimit(const ApiThroughput *provisioned);
/* The tags of CreateTable and TagResource, each and the keys against each other; api_tag.c. */
extern void ApiCheckTags(const ApiList *tags);
/* Adds them to the settings, overwriting equal keys; the limit of 50. */
extern void ApiAddTags(TableSettings *settings, const ApiList *tags);

/* ---------------------------------------------------------------------------------------------------------------------
 * Tables
 */

typedef enum TableAccess
{
	ACCESS_DESCRIBE,			/* needs SELECT on the table */
	ACCESS_CHANGE				/* needs its owner, which the settings' lock checks */
} TableAccess;

/*
 * The item table of this API name, and its name noted in the request.  KV003 with the control plane's text if there is none; 42501
 * without the access.
 */
extern Oid	ApiControlTable(ApiRequest *request, const ApiString *name, TableAccess access);
/* The item table of this API name or InvalidOid; the name is noted in the request. */
extern Oid	ApiFindItemTable(ApiRequest *request, const ApiString *name);
/* 42501 unless the current user may SELECT from it. */
extern void ApiRequireSelect(Oid relid, const char *name);
/* TableSettingsLock with the control plane's error when the table vanishes. */
extern TableSettings *ApiLockSettings(Oid relid, const char *name);

typedef struct TableDescription
{
	Oid			relid;
	const char *name;
	TableSettings *settings;
	const char *table_status;
	bool		is_create;		/* CreateTable's answer: indexes CREATING, no WarmThroughput */
	bool		is_delete;		/* DeleteTable's answer: the short form */
	bool		hide_protection;	/* CreateTable without DeletionProtectionEnabled */
	const ApiList *index_updates;	/* UpdateTable's answer: indexes with a status of their own; else NULL */
} TableDescription;

extern void ApiWriteTableDescription(StringInfo out, const TableDescription *description);
/* Seconds since 1970 with milliseconds, as a JSON number. */
extern void ApiWriteTime(StringInfo out, const char *member, TimestampTz time);
extern void ApiWriteInteger(StringInfo out, const char *member, int64 value);
/* Decreases of the throughput on the UTC day of now. */
extern int64 ApiDecreasesToday(const ThroughputSettings *throughput, TimestampTz now);
extern int64 ApiUtcDay(TimestampTz time);

#endif							/* SINGLETABLE_API_TABLE_H */
