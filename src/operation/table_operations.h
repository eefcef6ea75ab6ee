/*
 * src/operation/table_operations.h
 *		Operations on tables: create a table or an index, describe a table.
 *
 * They are DDL, run as the caller through SPI: privileges, event triggers, dependencies and locks are the server's.  A front checks the
 * shape of a request (what must be there, lengths, enums), the operation its meaning.
 */
#ifndef SINGLETABLE_TABLE_OPERATIONS_H
#define SINGLETABLE_TABLE_OPERATIONS_H

#include "lib/stringinfo.h"
#include "nodes/primnodes.h"

#include "table/table.h"

typedef struct KeyDefinition
{
	const char *name;
	AttributeType type;			/* S, N or B; 0 for an index: what the table says, S if it says nothing */
} KeyDefinition;

typedef struct CreateTableRequest
{
	RangeVar   *relation;		/* without a schema: the first of search_path */
	Oid			extension_schema;	/* where the type item is */
	int			key_count;		/* 1 or 2 */
	KeyDefinition keys[TABLE_MAX_KEYS];
} CreateTableRequest;

/*
 * Creates an item table; returns its OID.
 * Errors	KV001 for attributes that cannot be key columns; KV004 if there is a relation of that name; the server's for the rest
 */
extern Oid	OperationCreateTable(const CreateTableRequest *request);

typedef struct CreateIndexRequest
{
	Oid			relid;
	const char *name;			/* API name */
	bool		is_local;
	int			partition_count;	/* at least 1 */
	int			sort_count;
	const KeyDefinition *keys;	/* partition keys, then sort keys */
	bool		has_projection; /* false: Unknown ProjectionType */
	IndexProjection projection;
	int			non_key_attribute_count;
	const char **non_key_attributes;
} CreateIndexRequest;

/*
 * Creates an index, with the columns that it needs and what existing items have in them; returns its OID.  The table is locked
 * against writers (against everybody, if it gets a new column) until the transaction ends.
 * Errors	KV001 with DynamoDB's texts; KV003 if relid is no item table; 42501 unless the caller owns it; the server's for the rest
 */
extern Oid	OperationCreateIndex(const CreateIndexRequest *request);

/*
 * Appends the members of a TableDescription as JSON text, without braces: those that the database knows.
 * Source	reference/tables-and-indexes, section 6
 */
extern void OperationDescribeTable(Oid relid, StringInfo json);

/* Is an attribute of this name no possible column?  KV001 then. */
extern void CheckKeyColumnName(const char *name);
/* Runs DDL or DML that needs no parameters. */
extern void RunStatement(const char *statement);
/* "name type" of a key column, for CREATE TABLE and ADD COLUMN. */
extern void AppendKeyColumn(StringInfo statement, const char *name, AttributeType type);

#endif							/* SINGLETABLE_TABLE_OPERATIONS_H */
