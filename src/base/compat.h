/*
 * src/base/compat.h
 *		Differences between PostgreSQL 14 and 18: the only place with PG_VERSION_NUM.
 *
 * The newest server's name wins; older servers get a shim of that name.
 */
#ifndef SINGLETABLE_COMPAT_H
#define SINGLETABLE_COMPAT_H

#include "access/amapi.h"
#include "fmgr.h"
#include "utils/pg_locale.h"

#if PG_VERSION_NUM < 140000 || PG_VERSION_NUM >= 190000
#error "singletable supports PostgreSQL 14 to 18"
#endif

/* Before 16 the server's own PGDLLEXPORT is empty, and -fvisibility=hidden would hide every function. */
#if PG_VERSION_NUM < 160000
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif

/* Declares a function that SQL calls: its prototype, exported, and the record fmgr looks for. */
#define SQL_FUNCTION(name) \
	PGDLLEXPORT Datum name(PG_FUNCTION_ARGS); \
	PG_FUNCTION_INFO_V1(name)

/* Soft errors of input functions came with 16: before, errsave is ereport, and ereturn never returns. */
#if PG_VERSION_NUM < 160000
struct Node;
#define errsave(escontext, ...) ereport(ERROR, __VA_ARGS__)
#define ereturn(escontext, dummy_value, ...) \
	do { \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#define SOFT_ERROR_OCCURRED(escontext) (false)
#define FUNCTION_ERROR_CONTEXT(fcinfo) ((struct Node *) NULL)
#else
#include "nodes/miscnodes.h"
#define FUNCTION_ERROR_CONTEXT(fcinfo) ((fcinfo)->context)
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

/* Does this collation compare strings byte by byte? */
static inline bool
CollationIsC(Oid collation)
{
#if PG_VERSION_NUM >= 180000
	return OidIsValid(collation) && pg_newlocale_from_collation(collation)->collate_is_c;
#else
	return OidIsValid(collation) && lc_collate_is_c(collation);
#endif
}

/* 18 publishes index_beginscan with the instrumentation of the executor; nobody here has one. */
#if PG_VERSION_NUM >= 180000
#define IndexBeginScan(heap, index, snapshot, nkeys) index_beginscan(heap, index, snapshot, NULL, nkeys, 0)
#else
#define IndexBeginScan(heap, index, snapshot, nkeys) index_beginscan(heap, index, snapshot, nkeys, 0)
#endif

#endif							/* SINGLETABLE_COMPAT_H */
