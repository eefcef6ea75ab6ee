/*
 * src/index/handler.c
 *		The access methods gsi and lsi: nbtree's routine with some callbacks replaced, and the sparse rule.
 *
 * Storage, WAL, concurrency, vacuum, uniqueness of entries and crash safety are nbtree's: an index of ours is a btree in every byte.
 * What differs is what goes in (a row with NULL in any key column does not: SparsePredicate), what can be asked (^@, index_scan.c)
 * and what the planner is told (planner.c).
 *
 * nbtree asks in a few places whether the index is of "btree" by its OID.  There, and only there, the relcache entry says so for
 * the length of one call (with_btree_relam).
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "nodes/execnodes.h"
#include "nodes/makefuncs.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index/index_internal.h"

/*
 * SparsePredicate
 *		The list of IS NOT NULL tests of an index's key columns, in the order of the columns.
 *
 * A column that is NOT NULL needs no test, and must not get one: a query that names only the index's own attributes could not
 * prove it for the base key, which trails every index.  INCLUDE columns do not count.
 *
 * A transaction whose snapshot is older than an ALTER TABLE ... SET NOT NULL may see versions of rows from before it, NULL and all, and not
 * find them through the index: like other forms of ALTER TABLE this one is not MVCC-safe (PostgreSQL 17 drops IS NULL tests alike).
 */
List *
SparsePredicate(Relation table, Relation index, Index varno)
{
	TupleDesc	descriptor = RelationGetDescr(table);
	List	   *expressions = RelationGetIndexExpressions(index);
	ListCell   *next_expression = list_head(expressions);
	List	   *predicate = NIL;

	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
	{
		AttrNumber	attno = index->rd_index->indkey.values[i];
		NullTest   *test;
		Node	   *column;

		if (attno == 0)
		{
			if (next_expression == NULL)
				elog(ERROR, "too few entries in indexprs list");
			column = (Node *) lfirst(next_expression);
			next_expression = lnext(expressions, next_expression);
			if (varno != 1)
				ChangeVarNodes(column, 1, varno, 0);
		}
		else
		{
			Form_pg_attribute attribute;

			/* System columns are never NULL (and nbtree's opclasses of ours have none). */
			if (attno < 0 || ColumnIsNotNull(descriptor, attno))
				continue;
			attribute = TupleDescAttr(descriptor, attno - 1);
			column = (Node *) makeVar(varno, attno, attribute->atttypid, attribute->atttypmod, attribute->attcollation, 0);
		}

		test = makeNode(NullTest);
		test->arg = (Expr *) column;
		test->nulltesttype = IS_NOT_NULL;
		test->argisrow = false;
		test->location = -1;
		predicate = lappend(predicate, test);
	}
	return predicate;
}

/*
 * check_definition
 *		Refuses an index that could not keep its promises.
 *
 * Nothing here may depend on the table's primary key: pg_restore may build the index before it adds the constraint.
 */
static void
check_definition(Relation index)
{
	int			key_count = IndexRelationGetNumberOfKeyAttributes(index);
	ItemIndexOptions *options = (ItemIndexOptions *) index->rd_options;

	for (int i = 0; i < key_count; i++)
	{
		Oid			collation = index->rd_indcollation[i];

		if (OidIsValid(collation) && !CollationIsC(collation))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("key column \"%s\" of index \"%s\" must have collation \"C\"",
							NameStr(TupleDescAttr(RelationGetDescr(index), i)->attname), RelationGetRelationName(index)),
					 errdetail("Keys are ordered by their bytes; the collation of this column is \"%s\".",
							   get_collation_name(collation)),
					 errhint("Declare the column as text COLLATE \"C\", or write COLLATE \"C\" behind it in CREATE INDEX.")));
	}

	/* ALTER INDEX cannot be stopped from saying so; then the index must still be rebuilt, truncated, restored from its table. */
	if (options && options->partition_keys + Max(options->sort_keys, 0) > key_count)
		ereport(ReindexIsProcessingIndex(RelationGetRelid(index)) ? WARNING : ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("index \"%s\" has fewer key columns (%d) than its options partition_keys and sort_keys say (%d)",
						RelationGetRelationName(index), key_count,
						options->partition_keys + Max(options->sort_keys, 0))));
}

/*
 * build_index
 *		btbuild() of the rows that are in the index.
 */
static IndexBuildResult *
build_index(Relation table, Relation index, IndexInfo *info)
{
	List	   *catalog_predicate = info->ii_Predicate;
	IndexBuildResult *result;

	check_definition(index);

	info->ii_Predicate = list_concat_copy(catalog_predicate, SparsePredicate(table, index, 1));
	info->ii_PredicateState = NULL;

	if (NBTREE_BUILD_LOOKS_AT_RELAM)
	{
		Oid			relam = index->rd_rel->relam;

		index->rd_rel->relam = BTREE_AM_OID;
		/* The relcache entry outlives an error: it must not stay a btree. */
		PG_TRY();
		{
			result = btbuild(table, index, info);
		}
		PG_FINALLY();
		{
			index->rd_rel->relam = relam;
		}
		PG_END_TRY();
	}
	else
		result = btbuild(table, index, info);

	info->ii_Predicate = catalog_predicate;
	info->ii_PredicateState = NULL;
	return result;
}

/* Two functions, so that the relcache's copy of the routine shows which of the two it is: see ItemIndexGetKind. */
static IndexBuildResult *
gsibuild(Relation table, Relation index, IndexInfo *info)
{
	return build_index(table, index, info);
}

static IndexBuildResult *
lsibuild(Relation table, Relation index, IndexInfo *info)
{
	return build_index(table, index, info);
}

/*
 * gsiinsert
 *		btinsert() unless a key column is NULL.
 */
static bool
gsiinsert(Relation index, Datum *values, bool *isnull, ItemPointer tid, Relation table, IndexUniqueCheck check_unique,
		  bool index_unchanged, IndexInfo *info)
{
	int			key_count = IndexRelationGetNumberOfKeyAttributes(index);
	bool		result;

	for (int i = 0; i < key_count; i++)
		if (isnull[i])
			return false;

#ifdef USE_ASSERT_CHECKING
	{
		Oid			relam = index->rd_rel->relam;

		/* Assertions of BTGetFillFactor and BTGetDeduplicateItems look at it. */
		index->rd_rel->relam = BTREE_AM_OID;
		PG_TRY();
		{
			result = btinsert(index, values, isnull, tid, table, check_unique, index_unchanged, info);
		}
		PG_FINALLY();
		{
			index->rd_rel->relam = relam;
		}
		PG_END_TRY();
	}
#else
	result = btinsert(index, values, isnull, tid, table, check_unique, index_unchanged, info);
#endif
	return result;
}

/*
 * make_routine
 *		A copy of nbtree's routine, so that fields of newer servers come along, with ours in it.
 *
 * palloc'd: core frees it when it drops the relcache entry.
 */
static IndexAmRoutine *
make_routine(void)
{
	IndexAmRoutine *routine = GetIndexAmRoutine(F_BTHANDLER);

	routine->amstrategies = PREFIX_STRATEGY_NUMBER;
	routine->amsupport = BTNProcs;
	routine->amoptsprocnum = BTOPTIONS_PROC;
	routine->amcanunique = false;
	/*
	 * A scan without any key is not the whole table.  It is still allowed: without it the planner would keep proved IS NOT NULL
	 * conditions as filters and could not use the index for order alone; the sparse predicate makes it safe.
	 */
	routine->amoptionalkey = true;
	routine->amsearchnulls = false;
	/* CLUSTER reads the whole index without keys: it would lose every row that is not in it. */
	routine->amclusterable = false;

	routine->aminsert = gsiinsert;
	routine->amcostestimate = gsicostestimate;
	routine->amoptions = gsioptions;
	routine->amvalidate = gsivalidate;
	/* nbtree's looks its families up as btree's. */
	routine->amadjustmembers = NULL;
	routine->ambeginscan = gsibeginscan;
	routine->amrescan = gsirescan;
	routine->amgettuple = gsigettuple;
	routine->amgetbitmap = gsigetbitmap;
	routine->amendscan = gsiendscan;
	routine->ammarkpos = gsimarkpos;
	routine->amrestrpos = gsirestrpos;
	IndexAmRoutineAdapt(routine);
	return routine;
}

SQL_FUNCTION(singletable_gsi_handler);
Datum
singletable_gsi_handler(PG_FUNCTION_ARGS)
{
	IndexAmRoutine *routine = make_routine();

	routine->ambuild = gsibuild;
	PG_RETURN_POINTER(routine);
}

SQL_FUNCTION(singletable_lsi_handler);
Datum
singletable_lsi_handler(PG_FUNCTION_ARGS)
{
	IndexAmRoutine *routine = make_routine();

	routine->ambuild = lsibuild;
	PG_RETURN_POINTER(routine);
}

ItemIndexKind
ItemIndexGetKind(Relation index)
{
	if (index->rd_indam == NULL)
		return ITEM_INDEX_NONE;
	if (index->rd_indam->ambuild == gsibuild)
		return ITEM_INDEX_GLOBAL;
	if (index->rd_indam->ambuild == lsibuild)
		return ITEM_INDEX_LOCAL;
	return ITEM_INDEX_NONE;
}

void
ItemIndexInit(void)
{
	IndexOptionsInit();
	PlannerHookInit();
}
