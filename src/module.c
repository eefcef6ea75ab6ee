/*
 * src/module.c
 *		The loaded library: magic, settings, start of the layers.  The only file that knows all of them.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/guc.h"

#include "base/compat.h"
#include "base/error.h"
#include "base/settings.h"
#include "endpoint/endpoint.h"
#include "index/index.h"
#include "table/table.h"

PG_MODULE_MAGIC;

int			singletable_max_item_size = 400;
int			singletable_expression_cache_size = 1000;
int			singletable_table_cache_size = 1000;
bool		singletable_track_capacity = false;
bool		singletable_force_statements = false;

PGDLLEXPORT void _PG_init(void);

/* Attribute values of type S are UTF-8 by definition: their sizes, order and prefixes are those of the bytes. */
static void
check_encoding(void)
{
	if (GetDatabaseEncoding() != PG_UTF8 && GetDatabaseEncoding() != PG_SQL_ASCII)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("singletable needs a database with encoding UTF8"),
				 errdetail("The encoding of this database is %s.", GetDatabaseEncodingName())));
}

/*
 * check_database_encoding()
 *		For CREATE EXTENSION, whose script calls it first.
 */
SQL_FUNCTION(singletable_check_database_encoding);
Datum
singletable_check_database_encoding(PG_FUNCTION_ARGS)
{
	check_encoding();
	PG_RETURN_VOID();
}

void
_PG_init(void)
{
	/* A preloaded library has no database yet; CREATE EXTENSION checks again. */
	if (!process_shared_preload_libraries_in_progress)
		check_encoding();

	DefineCustomIntVariable("singletable.max_item_size",
							"Largest size of an item, as DynamoDB counts it.",
							NULL, &singletable_max_item_size,
							400, 1, MAX_ITEM_SIZE_LIMIT, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.expression_cache_size",
							"Most compiled expressions that a session keeps.",
							NULL, &singletable_expression_cache_size,
							1000, 1, 100000, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.table_cache_size",
							"Most table descriptors, with their plans, that a session keeps.",
							NULL, &singletable_table_cache_size,
							1000, 1, 100000, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("singletable.track_capacity",
							 "Adds up the capacity units that the session's operations consume.",
							 NULL, &singletable_track_capacity,
							 false, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("singletable.force_statements",
							 "Reads and writes plain tables with SQL statements instead of the access methods, for tests.",
							 NULL, &singletable_force_statements,
							 false, PGC_USERSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	EndpointInit();
	MarkGUCPrefixReserved("singletable");

	ItemIndexInit();
	TableInit();
}
