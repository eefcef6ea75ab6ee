/*
 * src/base/compat.h
 *		Differences between PostgreSQL 14 and 18: the only place with PG_VERSION_NUM.
 *
 * The newest server's name wins; older servers get a shim of that name.
 */
#ifndef SINGLETABLE_COMPAT_H
#define SINGLETABLE_COMPAT_H

#include "access/amapi.h"
#include "access/nbtree.h"
#include "access/tupdesc.h"
#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "catalog/pg_proc.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "parser/parse_type.h"
#include "pgstat.h"
#include "utils/acl.h"
#include "utils/pg_locale.h"
#include "utils/tuplesort.h"

#if PG_VERSION_NUM < 140000 || PG_VERSION_NUM >= 190000
#error "singletable supports PostgreSQL 14 to 18"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
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

/* Came with 16 (and a late minor release of 15). */
#ifndef palloc_object
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (count)))
#define palloc0_array(type, count) ((type *) palloc0(sizeof(type) * (count)))
#endif

/* A lexer of JSON that leaves escapes to its caller: 17 can be handed the memory, and takes the length as a size_t. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonLexContext(text, length, encoding) makeJsonLexContextCstringLen(NULL, text, length, encoding, false)
#else
#define MakeJsonLexContext(text, length, encoding) makeJsonLexContextCstringLen(unconstify(char *, text), (int) (length), encoding, false)
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

/* ^@ for text; 15 gave it a name. */
#if PG_VERSION_NUM < 150000
#define TextPrefixOperator 3877
#endif

/* Is this column known to hold no NULL?  Since 18 a NOT NULL constraint may be NOT VALID. */
static inline bool
ColumnIsNotNull(TupleDesc descriptor, AttrNumber attno)
{
#if PG_VERSION_NUM >= 180000
	return TupleDescCompactAttr(descriptor, attno - 1)->attnullability == ATTNULLABLE_VALID;
#else
	return TupleDescAttr(descriptor, attno - 1)->attnotnull;
#endif
}

/* Up to 17 the sort of an index build, and in every version assertions, demand that an index of nbtree is of "btree" by OID. */
#if PG_VERSION_NUM < 180000 || defined(USE_ASSERT_CHECKING)
#define NBTREE_BUILD_LOOKS_AT_RELAM 1
#else
#define NBTREE_BUILD_LOOKS_AT_RELAM 0
#endif

/* An access method's routine is nbtree's own: what newer servers ask it, and a wrapper must answer otherwise. */
#if PG_VERSION_NUM >= 180000
static inline Size
estimate_doubled_parallel_scan(Relation index, int nkeys, int norderbys)
{
	return btestimateparallelscan(index, 2 * nkeys, norderbys);
}
#elif PG_VERSION_NUM >= 170000
static inline Size
estimate_doubled_parallel_scan(int nkeys, int norderbys)
{
	return btestimateparallelscan(2 * nkeys, norderbys);
}
#endif

static inline void
IndexAmRoutineAdapt(IndexAmRoutine *routine)
{
#if PG_VERSION_NUM >= 170000
	/* Workers would take their predicate from the catalog, where the sparse rule is not. */
	routine->amcanbuildparallel = false;
	/* A prefix becomes two keys of nbtree's. */
	routine->amestimateparallelscan = estimate_doubled_parallel_scan;
#endif
#if PG_VERSION_NUM >= 180000
	/* Our operator families must not define what "=" and "<" of a type mean elsewhere; the order itself is nbtree's. */
	routine->amconsistentequality = false;
	routine->amconsistentordering = false;
	routine->amtranslatestrategy = NULL;
#endif
}

static inline bool
RelationIsOwnedBy(Oid relid, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(RelationRelationId, relid, role);
#else
	return pg_class_ownercheck(relid, role);
#endif
}

static inline bool
FunctionIsExecutableBy(Oid function, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE) == ACLCHECK_OK;
#else
	return pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK;
#endif
}

static inline bool
DatabaseIsConnectableBy(Oid database, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_aclcheck(DatabaseRelationId, database, role, ACL_CONNECT) == ACLCHECK_OK;
#else
	return pg_database_aclcheck(database, role, ACL_CONNECT) == ACLCHECK_OK;
#endif
}

/* Raises an error for what is no type; 16 could report that softly. */
static inline void
ParseTypeString(const char *text, Oid *type, int32 *modifier)
{
#if PG_VERSION_NUM >= 160000
	(void) parseTypeString(text, type, modifier, NULL);
#else
	parseTypeString(text, type, modifier, false);
#endif
}

/* The next datum of a sort of values that are passed by value. */
static inline bool
TuplesortGetDatum(Tuplesortstate *sort, Datum *value, bool *is_null)
{
#if PG_VERSION_NUM >= 160000
	return tuplesort_getdatum(sort, true, false, value, is_null, NULL);
#else
	return tuplesort_getdatum(sort, true, value, is_null, NULL);
#endif
}

/* The next rows of a query that may be asked for more. */
#if PG_VERSION_NUM >= 180000
#define ExecutorFetch(query, count) ExecutorRun(query, ForwardScanDirection, count)
#else
#define ExecutorFetch(query, count) ExecutorRun(query, ForwardScanDirection, count, false)
#endif

/*
 * The index entries of a row, as the executor inserts them: with conflict, a violation of arbiters is told there and is no error.
 * keys_are_old is a hint for a version without a list of changed columns: no index has another key for it than for the last one.  Which
 * indexes a new version of a row needs entries in is a flag up to 15; 16 tells those that only summarize.
 */
#if PG_VERSION_NUM >= 160000
#define IndexUpdates TU_UpdateIndexes
#define INDEX_UPDATES_NONE TU_None
#define INDEX_UPDATES_ALL TU_All
#define InsertIndexEntries(result_relation, slot, estate, keys_are_old, updates, conflict, arbiters) \
	ExecInsertIndexTuples(result_relation, slot, estate, keys_are_old, (conflict) != NULL, conflict, arbiters, (updates) == TU_Summarizing)
#else
#define IndexUpdates bool
#define INDEX_UPDATES_NONE false
#define INDEX_UPDATES_ALL true
#define InsertIndexEntries(result_relation, slot, estate, keys_are_old, updates, conflict, arbiters) \
	ExecInsertIndexTuples(result_relation, slot, estate, keys_are_old, (conflict) != NULL, conflict, arbiters)
#endif

/* ---------------------------------------------------------------------------------------------------------------------
 * The endpoint's: hooks of shared memory, wait events, timers, statistics, random numbers
 */

/* Shared memory is asked for in a hook since 15. */
#if PG_VERSION_NUM >= 150000
#define HAVE_SHMEM_REQUEST_HOOK 1
#else
#define HAVE_SHMEM_REQUEST_HOOK 0
#endif

/* A wait event set that lives as long as the process, unless it is freed. */
#if PG_VERSION_NUM >= 170000
#define CreateSessionWaitEventSet(size) CreateWaitEventSet(NULL, size)
#define NewWaitEvent(name) WaitEventExtensionNew(name)
#else
#define CreateSessionWaitEventSet(size) CreateWaitEventSet(TopMemoryContext, size)
#define NewWaitEvent(name) PG_WAIT_EXTENSION
#endif

/* Periodic timers came with 15: before, the handler asks for its next call. */
#if PG_VERSION_NUM >= 150000
#define EnableTimeoutEvery(id, milliseconds) \
	enable_timeout_every(id, TimestampTzPlusMilliseconds(GetCurrentTimestamp(), milliseconds), milliseconds)
#define TimeoutEveryRearm(id, milliseconds) ((void) 0)
#else
#define EnableTimeoutEvery(id, milliseconds) enable_timeout_after(id, milliseconds)
#define TimeoutEveryRearm(id, milliseconds) enable_timeout_after(id, milliseconds)
#endif

/* Sends counters of past transactions where it is time to; milliseconds until it is, 0 if nothing is left. */
#if PG_VERSION_NUM >= 150000
#define ReportStatistics() pgstat_report_stat(false)
#else
#define ReportStatistics() (pgstat_report_stat(false), 0L)
#endif

#if PG_VERSION_NUM >= 150000
#include "common/pg_prng.h"
#define RandomUint64() pg_prng_uint64(&pg_global_prng_state)
#else
#define RandomUint64() (((uint64) random() << 62) ^ ((uint64) random() << 31) ^ (uint64) random())
#endif

#endif							/* SINGLETABLE_COMPAT_H */
