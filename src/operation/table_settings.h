/*
 * src/operation/table_settings.h
 *		What the JSON API says of a table and PostgreSQL has no place for: one row a table in item_table_settings.
 *
 * Words: a table's settings are that row, or the defaults of a table that has none (plain DDL and create_item_table() write none).
 * The API name of a table is its relation's name, or else the settings hold it (names of more than 63 bytes, and names that
 * an index or a type of the schema has already).
 */
#ifndef SINGLETABLE_TABLE_SETTINGS_H
#define SINGLETABLE_TABLE_SETTINGS_H

#include "datatype/timestamp.h"
#include "utils/uuid.h"

#include "item/item.h"

/* Of a table or a global secondary index.  Stored and shown, never enforced. */
typedef struct ThroughputSettings
{
	int64		read_units;		/* ProvisionedThroughput, units per second; 0 on demand */
	int64		write_units;
	TimestampTz last_increase;	/* 0 = never */
	TimestampTz last_decrease;
	int64		decreases;		/* on the UTC day of last_decrease */
	int64		max_read_units; /* OnDemandThroughput; 0 = not set */
	int64		max_write_units;
	int64		warm_read_units;	/* WarmThroughput; 0 = not set */
	int64		warm_write_units;
} ThroughputSettings;

typedef struct IndexSettings
{
	char	   *name;			/* API name */
	int64		position;		/* indexes are listed in the order they were made: ascending, with gaps */
	ThroughputSettings throughput;
} IndexSettings;

typedef struct TableTag
{
	char	   *key;
	char	   *value;
} TableTag;

typedef struct TableSettings
{
	Oid			relid;
	bool		is_stored;		/* false: there is no row, these are the defaults */
	char	   *name;			/* API name where the relation has another; else NULL */
	pg_uuid_t	table_id;
	TimestampTz created;		/* 0 = not known, the table was made by plain DDL */
	bool		is_on_demand;	/* BillingMode PAY_PER_REQUEST */
	TimestampTz on_demand_since;	/* LastUpdateToPayPerRequestDateTime; 0 = it never was on demand */
	ThroughputSettings throughput;
	char	   *stream_view_type;	/* NULL: no stream is enabled */
	TimestampTz stream_created; /* of the last stream, which gives its label; 0 = never had one */
	bool		deletion_protection;
	char	   *table_class;	/* NULL: was never set */
	TimestampTz table_class_changed;	/* 0 = since it was created */
	char	   *encryption_key; /* ARN, NULL: no KMS encryption */
	char	   *ttl_attribute;	/* NULL: time to live is off */
	TimestampTz ttl_changed;	/* 0 = never */
	int			tag_count;
	TableTag   *tags;			/* sorted by key */
	int			index_count;
	IndexSettings *indexes;		/* in no order; may name indexes that are gone, and need not name every one */
} TableSettings;

/* The schema that the extension was created in. */
extern Oid	ExtensionNamespace(void);

/* The settings of a relation, palloc'd in the current context.  The caller's privileges are not looked at. */
extern TableSettings *TableSettingsRead(Oid relid);
/*
 * The same for a change: the relation is locked against other changes of its settings until the transaction ends.
 * Result	NULL when the relation is gone
 * Errors	42501 unless the current user owns the relation; 25006 in a read-only transaction
 */
extern TableSettings *TableSettingsLock(Oid relid);
/* Inserts or replaces the row.  The settings come from TableSettingsLock, or the relation was made by this transaction. */
extern void TableSettingsWrite(TableSettings *settings);
extern void TableSettingsDelete(Oid relid);
/* Drops the rows of relations that are gone (SQL dropped them), unless another session is doing so. */
extern void TableSettingsClean(void);

/* Finds an index's settings by API name; NULL if it has none. */
extern IndexSettings *TableSettingsFindIndex(const TableSettings *settings, const char *name);
/* Finds or adds; a new one gets the next position and no throughput. */
extern IndexSettings *TableSettingsAddIndex(TableSettings *settings, const char *name);
extern void TableSettingsRemoveIndex(TableSettings *settings, const char *name);

/* Relations whose time to live is on and which still exist, as a list of OIDs. */
extern struct List *TableSettingsExpiring(void);

/* API name to relation, for names that are not their relation's: the first in the order of search_path, or InvalidOid. */
extern Oid	ItemTableNamed(const char *name, uint32 length);
/* The API name that the settings hold for a relation, palloc'd; NULL: the relation's own name is the API name. */
extern char *ItemTableMappedName(Oid relid);

typedef struct MappedName
{
	Oid			relid;
	char	   *name;			/* in the API */
} MappedName;

/* All relations that have such a name, sorted by OID, palloc'd. */
extern MappedName *ItemTableMappedNames(int *count);
/* One of them; NULL if the relation's own name is the API name. */
extern char *MappedNameFind(const MappedName *names, int count, Oid relid);

#endif							/* SINGLETABLE_TABLE_SETTINGS_H */
