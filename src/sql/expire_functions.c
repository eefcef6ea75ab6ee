/*
 * src/sql/expire_functions.c
 *		expire_items(): time to live for SQL and for schedulers.
 */
#include "postgres.h"

#include "fmgr.h"

#include "base/compat.h"
#include "operation/expire.h"

/*
 * expire_items(tbl, max_items)
 */
SQL_FUNCTION(singletable_expire_items);
Datum
singletable_expire_items(PG_FUNCTION_ARGS)
{
	int64		max_items = 0;

	if (!PG_ARGISNULL(1))
	{
		max_items = PG_GETARG_INT64(1);
		if (max_items < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("max_items must be at least 1")));
	}
	PG_RETURN_INT64(PG_ARGISNULL(0) ? ItemTablesExpire(max_items) : ItemTableExpire(PG_GETARG_OID(0), max_items));
}
