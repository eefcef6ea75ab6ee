/*
 * src/index/index_check.c
 *		check_item_index(): is an index what its table says?
 *
 * Two checks that do not know of each other:
 *
 *	structure	amcheck's bt_index_check() with heapallindexed, where that extension is installed and the caller may use it.  It takes
 *				btrees only, so for the length of the call the relcache entry of a gsi or lsi index says that it is one, with the
 *				sparse rule as its predicate.
 *	rows		one snapshot, two scans.  The index scan fetches the row of every entry, computes the row's key again and compares
 *				it with the entry's, and the entry's with the one before.  The scan of the table finds the rows that should be in
 *				the index.  The positions of both are sorted (on disk, if they are many) and must be the same set without
 *				repetition.
 *
 * Entries of rows that the snapshot does not see are skipped: vacuum will remove them, or their transaction is still running.
 * Like amcheck, the functions of expressions and predicates run as the table's owner.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/executor.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/tuplesort.h"

#include "base/compat.h"
#include "index/index_internal.h"

typedef struct IndexCheck
{
	Relation	table;
	Relation	index;
	bool		is_sparse;
	int			key_count;
	int			column_count;	/* key columns and INCLUDE columns */
	IndexInfo  *info;
	EState	   *estate;
	ExprState  *predicate;
	TupleTableSlot *slot;
	Snapshot	snapshot;
} IndexCheck;

#define report_corruption(check, ...) \
	ereport(ERROR, \
			(errcode(ERRCODE_INDEX_CORRUPTED), \
			 errmsg("index \"%s\" does not agree with table \"%s\"", RelationGetRelationName((check)->index), \
					RelationGetRelationName((check)->table)), \
			 errdetail(__VA_ARGS__), \
			 errhint("Find out what broke it, then REINDEX it."), \
			 errtableconstraint((check)->table, RelationGetRelationName((check)->index))))

/*
 * find_amcheck_function
 *		bt_index_check(regclass, boolean) of the extension amcheck; InvalidOid if that is not installed.
 */
static Oid
find_amcheck_function(void)
{
	Oid			extension = get_extension_oid("amcheck", true);
	CatCList   *candidates;
	Oid			result = InvalidOid;

	if (!OidIsValid(extension))
		return InvalidOid;

	/* Not by search_path: anybody may have a function of this name. */
	candidates = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum("bt_index_check"));
	for (int i = 0; i < candidates->n_members; i++)
	{
		Form_pg_proc function = (Form_pg_proc) GETSTRUCT(&candidates->members[i]->tuple);

		if (function->pronargs == 2 && function->proargtypes.values[0] == REGCLASSOID &&
			function->proargtypes.values[1] == BOOLOID &&
			getExtensionOfObject(ProcedureRelationId, function->oid) == extension)
			result = function->oid;
	}
	ReleaseSysCacheList(candidates);
	return result;
}

/* The transaction that created the index; invalid if every snapshot may use it. */
static TransactionId
get_index_xmin(Relation index)
{
	return index->rd_index->indcheckxmin ? HeapTupleHeaderGetXmin(index->rd_indextuple->t_data) : InvalidTransactionId;
}

static void
check_structure(Relation table, Relation index, Oid function)
{
	Oid			relam = index->rd_rel->relam;
	List	   *predicate = index->rd_indpred;
	TransactionId xmin = get_index_xmin(index);
	Snapshot	snapshot = RegisterSnapshot(GetTransactionSnapshot());
	/* amcheck would raise an error as long as an older transaction is running; then our own check of the rows must do. */
	bool		heapallindexed = !TransactionIdIsValid(xmin) || TransactionIdPrecedes(xmin, snapshot->xmin);

	UnregisterSnapshot(snapshot);

	/* Both are locked, so no invalidation is processed on the way that could undo it. */
	if (ItemIndexGetKind(index) != ITEM_INDEX_NONE)
	{
		index->rd_indpred = list_concat(RelationGetIndexPredicate(index), SparsePredicate(table, index, 1));
		index->rd_rel->relam = BTREE_AM_OID;
	}
	PG_TRY();
	{
		OidFunctionCall2(function, ObjectIdGetDatum(RelationGetRelid(index)), BoolGetDatum(heapallindexed));
	}
	PG_FINALLY();
	{
		index->rd_rel->relam = relam;
		index->rd_indpred = predicate;
	}
	PG_END_TRY();
}

/*
 * compute_entry
 *		The index's values for the row in the slot; false if the row does not belong into the index.
 */
static bool
compute_entry(IndexCheck *check, Datum *values, bool *isnull)
{
	ExprContext *econtext = GetPerTupleExprContext(check->estate);

	ResetPerTupleExprContext(check->estate);
	econtext->ecxt_scantuple = check->slot;
	if (!ExecQual(check->predicate, econtext))
		return false;
	FormIndexDatum(check->info, check->slot, check->estate, values, isnull);
	if (check->is_sparse)
		for (int i = 0; i < check->key_count; i++)
			if (isnull[i])
				return false;
	return true;
}

/* The order of two entries by their keys, as the index has them: <0, 0, >0. */
static int
compare_entries(IndexCheck *check, IndexTuple a, IndexTuple b)
{
	TupleDesc	descriptor = RelationGetDescr(check->index);

	for (int i = 0; i < check->key_count; i++)
	{
		int16		option = check->index->rd_indoption[i];
		bool		a_null;
		bool		b_null;
		Datum		a_value = index_getattr(a, i + 1, descriptor, &a_null);
		Datum		b_value = index_getattr(b, i + 1, descriptor, &b_null);
		int			result;

		if (a_null || b_null)
		{
			if (a_null && b_null)
				continue;
			result = (option & INDOPTION_NULLS_FIRST) ? -1 : 1;
			return a_null ? result : -result;
		}
		result = DatumGetInt32(FunctionCall2Coll(index_getprocinfo(check->index, i + 1, BTORDER_PROC),
												 check->index->rd_indcollation[i], a_value, b_value));
		if (result != 0)
		{
			if (option & INDOPTION_DESC)
				INVERT_COMPARE_RESULT(result);
			return result;
		}
	}
	return 0;
}

static Tuplesortstate *
begin_position_sort(void)
{
	return tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid, false, maintenance_work_mem / 2, NULL, 0);
}

/*
 * scan_index
 *		Checks every entry against its row and against the entry before; adds the rows' positions to the sort.
 */
static int64
scan_index(IndexCheck *check, Tuplesortstate *positions)
{
	TupleDesc	descriptor = RelationGetDescr(check->index);
	IndexScanDesc scan = IndexBeginScan(check->table, check->index, check->snapshot, 0);
	IndexTuple	previous = NULL;
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];
	int64		count = 0;

	scan->xs_want_itup = true;
	index_rescan(scan, NULL, 0, NULL, 0);
	while (index_getnext_slot(scan, ForwardScanDirection, check->slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (!compute_entry(check, values, isnull))
			report_corruption(check, "The row at %s does not belong into the index, but has an entry.",
							  DatumGetCString(DirectFunctionCall1(tidout, PointerGetDatum(&check->slot->tts_tid))));
		for (int i = 0; i < check->column_count; i++)
		{
			Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
			bool		entry_isnull;
			Datum		value = index_getattr(scan->xs_itup, i + 1, descriptor, &entry_isnull);

			if (entry_isnull != isnull[i] ||
				(!entry_isnull && !datum_image_eq(value, values[i], attribute->attbyval, attribute->attlen)))
				report_corruption(check, "The entry of the row at %s has another value in column \"%s\" than the row.",
								  DatumGetCString(DirectFunctionCall1(tidout, PointerGetDatum(&check->slot->tts_tid))),
								  NameStr(attribute->attname));
		}

		if (previous)
		{
			if (compare_entries(check, previous, scan->xs_itup) > 0)
				report_corruption(check, "The entry of the row at %s is less than the entry before it.",
								  DatumGetCString(DirectFunctionCall1(tidout, PointerGetDatum(&check->slot->tts_tid))));
			pfree(previous);
		}
		previous = CopyIndexTuple(scan->xs_itup);
		tuplesort_putdatum(positions, Int64GetDatum(itemptr_encode(&check->slot->tts_tid)), false);
		count++;
	}
	index_endscan(scan);
	ExecClearTuple(check->slot);
	return count;
}

/*
 * scan_table
 *		Adds the positions of the rows that belong into the index to the sort; returns the number of all rows.
 */
static int64
scan_table(IndexCheck *check, Tuplesortstate *positions)
{
	TableScanDesc scan = table_beginscan_strat(check->table, check->snapshot, 0, NULL, true, false);
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];
	int64		count = 0;

	while (table_scan_getnextslot(scan, ForwardScanDirection, check->slot))
	{
		CHECK_FOR_INTERRUPTS();
		count++;
		if (compute_entry(check, values, isnull))
			tuplesort_putdatum(positions, Int64GetDatum(itemptr_encode(&check->slot->tts_tid)), false);
	}
	table_endscan(scan);
	ExecClearTuple(check->slot);
	return count;
}

/* A sorted position as text. */
static char *
format_position(int64 position)
{
	ItemPointerData tid;

	itemptr_decode(&tid, position);
	return DatumGetCString(DirectFunctionCall1(tidout, PointerGetDatum(&tid)));
}

/*
 * compare_positions
 *		Are both sorts, already performed, the same set, each member once?
 */
static void
compare_positions(IndexCheck *check, Tuplesortstate *in_index, Tuplesortstate *in_table)
{
	bool		has_index;
	bool		has_table;
	int64		previous = -1;

	for (;;)
	{
		Datum		index_datum;
		Datum		table_datum;
		bool		isnull;
		int64		index_position = 0;
		int64		table_position = 0;

		CHECK_FOR_INTERRUPTS();
		has_index = TuplesortGetDatum(in_index, &index_datum, &isnull);
		if (has_index)
		{
			index_position = DatumGetInt64(index_datum);
			if (index_position == previous)
				report_corruption(check, "The row at %s has more than one entry.", format_position(index_position));
		}
		has_table = TuplesortGetDatum(in_table, &table_datum, &isnull);
		if (has_table)
			table_position = DatumGetInt64(table_datum);
		if (!has_index && !has_table)
			break;

		if (has_table && (!has_index || table_position < index_position))
			report_corruption(check, "The row at %s has no entry.", format_position(table_position));
		if (has_index && (!has_table || index_position < table_position))
			report_corruption(check, "The row at %s has an entry, but the table scan does not find it.", format_position(index_position));
		previous = index_position;
	}
}

static void
check_rows(Relation table, Relation index, int64 *index_tuples, int64 *table_rows)
{
	IndexCheck	check = {0};
	Tuplesortstate *in_index = begin_position_sort();
	Tuplesortstate *in_table = begin_position_sort();
	TransactionId xmin;

	check.table = table;
	check.index = index;
	check.is_sparse = ItemIndexGetKind(index) != ITEM_INDEX_NONE;
	check.key_count = IndexRelationGetNumberOfKeyAttributes(index);
	check.column_count = IndexRelationGetNumberOfAttributes(index);
	check.info = BuildIndexInfo(index);
	check.estate = CreateExecutorState();
	check.predicate = ExecPrepareQual(check.info->ii_Predicate, check.estate);
	check.slot = table_slot_create(table, NULL);
	check.snapshot = RegisterSnapshot(GetTransactionSnapshot());

	/*
	 * Of a row that was updated in place before the index was built only the last version has an entry, so a snapshot from before must
	 * not use it.  (The planner, which does not know when its plans will run, waits until no such snapshot can be there.)
	 */
	xmin = get_index_xmin(index);
	if (TransactionIdIsValid(xmin) && !TransactionIdIsCurrentTransactionId(xmin) && XidInMVCCSnapshot(xmin, check.snapshot))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("index \"%s\" cannot be verified using transaction snapshot", RelationGetRelationName(index))));

	*index_tuples = scan_index(&check, in_index);
	*table_rows = scan_table(&check, in_table);
	tuplesort_performsort(in_index);
	tuplesort_performsort(in_table);
	compare_positions(&check, in_index, in_table);

	tuplesort_end(in_table);
	tuplesort_end(in_index);
	UnregisterSnapshot(check.snapshot);
	ExecDropSingleTupleTableSlot(check.slot);
	/* The expressions' states go with their executor state. */
	check.info->ii_ExpressionsState = NIL;
	check.info->ii_PredicateState = NULL;
	FreeExecutorState(check.estate);
}

/*
 * open_index
 *		Opens index and table, and refuses what cannot be checked.
 */
static Relation
open_index(Oid relid, Relation *table)
{
	char		relkind = get_rel_relkind(relid);
	Oid			table_oid;
	Relation	index;

	if (relkind == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("index with OID %u does not exist", relid)));
	if (relkind != RELKIND_INDEX)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an index that can be checked", get_rel_name(relid)),
				 relkind == RELKIND_PARTITIONED_INDEX ? errdetail("It is a partitioned index; check the indexes of its partitions.") : 0));

	table_oid = IndexGetRelation(relid, false);
	if (!RelationIsOwnedBy(table_oid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(table_oid));
	/* The table first, as everybody does. */
	*table = table_open(table_oid, AccessShareLock);
	index = index_open(relid, AccessShareLock);

	if (ItemIndexGetKind(index) == ITEM_INDEX_NONE && index->rd_rel->relam != BTREE_AM_OID)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not an index that can be checked", RelationGetRelationName(index)),
				 errdetail("Only gsi, lsi and btree indexes are.")));
	if (RELATION_IS_OTHER_TEMP(index))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary tables of other sessions")));
	if (!index->rd_index->indisvalid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" is not valid", RelationGetRelationName(index)),
				 errdetail("CREATE INDEX CONCURRENTLY is still building it, or has failed.")));
	return index;
}

SQL_FUNCTION(singletable_check_item_index);
Datum
singletable_check_item_index(PG_FUNCTION_ARGS)
{
	Oid			caller = GetUserId();
	Oid			save_userid;
	int			save_sec_context;
	int			save_nestlevel;
	Oid			amcheck_function;
	Relation	table;
	Relation	index;
	TupleDesc	descriptor;
	int64		index_tuples;
	int64		table_rows;
	Datum		values[3];
	bool		nulls[3] = {false, false, false};

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	descriptor = BlessTupleDesc(descriptor);

	index = open_index(PG_GETARG_OID(0), &table);
	amcheck_function = find_amcheck_function();
	if (OidIsValid(amcheck_function) && !FunctionIsExecutableBy(amcheck_function, caller))
		amcheck_function = InvalidOid;

	/* A superuser who checks must not run what the owner has put into an index. */
	GetUserIdAndSecContext(&save_userid, &save_sec_context);
	SetUserIdAndSecContext(table->rd_rel->relowner, save_sec_context | SECURITY_RESTRICTED_OPERATION);
	save_nestlevel = NewGUCNestLevel();

	if (OidIsValid(amcheck_function))
		check_structure(table, index, amcheck_function);
	check_rows(table, index, &index_tuples, &table_rows);

	AtEOXact_GUC(false, save_nestlevel);
	SetUserIdAndSecContext(save_userid, save_sec_context);
	index_close(index, AccessShareLock);
	table_close(table, AccessShareLock);

	values[0] = Int64GetDatum(index_tuples);
	values[1] = Int64GetDatum(table_rows);
	values[2] = BoolGetDatum(OidIsValid(amcheck_function));
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(descriptor, values, nulls)));
}
