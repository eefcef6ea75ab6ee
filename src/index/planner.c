/*
 * src/index/planner.c
 *		What the planner is told about gsi and lsi indexes: that they are sparse, how high and how large they are.
 *
 * The planner takes an index for complete unless it has a predicate, and the predicate in the catalog knows nothing of the sparse
 * rule.  So our hook adds the rule's IS NOT NULL tests to the predicate in the planner's own description of the index, before it
 * proves which queries imply it.
 *
 * Is the hook always there?  The planner opens the index first; that calls the access method's handler, which loads this library,
 * whose _PG_init sets the hook.  And if another library replaces it without calling it, the description still has the cost
 * function that the handler published, which only raises an error: no plan, rather than a plan that misses rows.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/table.h"
#include "catalog/pg_statistic.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "utils/index_selfuncs.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "index/index_internal.h"

static get_relation_info_hook_type previous_relation_info_hook = NULL;

void
gsicostestimate(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup_cost, Cost *total_cost,
				Selectivity *selectivity, double *correlation, double *pages)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the planner hook of singletable has been bypassed"),
			 errdetail("Without it the planner does not know that gsi and lsi indexes leave rows out."),
			 errhint("Another library has replaced get_relation_info_hook without calling the previous one.")));
}

/* Stands for btcostestimate, so that ours can be told from nbtree's indexes. */
static void
estimate_cost(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup_cost, Cost *total_cost,
			  Selectivity *selectivity, double *correlation, double *pages)
{
	btcostestimate(root, path, loop_count, startup_cost, total_cost, selectivity, correlation, pages);
}

bool
IndexInfoIsOurs(const IndexOptInfo *info)
{
	return info->amcostestimate == estimate_cost;
}

/*
 * estimate_null_fraction
 *		The fraction of the table's rows that are not in the index because of a NULL, from the statistics of its columns.
 *
 * Keys of one index are mostly set together, so it is the largest and not the product.
 */
static double
estimate_null_fraction(Relation index)
{
	double		result = 0;

	for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); i++)
	{
		AttrNumber	attno = index->rd_index->indkey.values[i];
		/* ANALYZE keeps statistics of expressions under the index. */
		bool		is_expression = attno == 0;
		HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
											ObjectIdGetDatum(is_expression ? RelationGetRelid(index) : index->rd_index->indrelid),
											Int16GetDatum(is_expression ? i + 1 : attno),
											BoolGetDatum(false));

		if (HeapTupleIsValid(tuple))
		{
			result = Max(result, ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac);
			ReleaseSysCache(tuple);
		}
	}
	return Min(result, 1.0);
}

double
ItemIndexEstimateEntries(Relation index, double table_rows)
{
	/* pg_class is of no use here: ANALYZE, which sees no predicate, stores the table's number of rows. */
	return table_rows * (1.0 - estimate_null_fraction(index));
}

static void
describe_indexes(PlannerInfo *root, Oid relid, bool inhparent, RelOptInfo *rel)
{
	ListCell   *cell;
	Relation	table = NULL;

	if (previous_relation_info_hook)
		previous_relation_info_hook(root, relid, inhparent, rel);

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *info = lfirst_node(IndexOptInfo, cell);
		Relation	index;

		if (info->amcostestimate != gsicostestimate)
			continue;

		/* The caller has locked both. */
		if (table == NULL)
			table = table_open(relid, NoLock);
		index = index_open(info->indexoid, NoLock);
		info->indpred = list_concat_copy(info->indpred, SparsePredicate(table, index, rel->relid));
		info->predOK = false;
		info->tree_height = _bt_getrootheight(index);
		info->tuples = clamp_row_est(Min(info->tuples, ItemIndexEstimateEntries(index, rel->tuples)));
		info->amcostestimate = estimate_cost;
		index_close(index, NoLock);
	}

	if (table)
		table_close(table, NoLock);
}

void
PlannerHookInit(void)
{
	previous_relation_info_hook = get_relation_info_hook;
	get_relation_info_hook = describe_indexes;
}
