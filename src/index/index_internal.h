/*
 * src/index/index_internal.h
 *		What the files of this folder share: the callbacks of the access methods, and the sparse rule.
 */
#ifndef SINGLETABLE_INDEX_INTERNAL_H
#define SINGLETABLE_INDEX_INTERNAL_H

#include "index/index.h"
#include "nodes/pathnodes.h"

/* handler.c */

/*
 * The tests that a row must pass to be in the index: IS NOT NULL for every key column that may be NULL.  varno is the range
 * table index that the tests' columns get.  The table and the index are open and locked.
 */
extern List *SparsePredicate(Relation table, Relation index, Index varno);

/* options.c */
extern void IndexOptionsInit(void);
extern bytea *gsioptions(Datum options, bool validate);

/* index_scan.c */
extern IndexScanDesc gsibeginscan(Relation index, int nkeys, int norderbys);
extern void gsirescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys, int norderbys);
extern bool gsigettuple(IndexScanDesc scan, ScanDirection direction);
extern int64 gsigetbitmap(IndexScanDesc scan, TIDBitmap *bitmap);
extern void gsiendscan(IndexScanDesc scan);
extern void gsimarkpos(IndexScanDesc scan);
extern void gsirestrpos(IndexScanDesc scan);

/* planner.c */
extern void PlannerHookInit(void);
/* What the access methods publish: the planner hook replaces it, so an error shows that the hook has been bypassed. */
extern void gsicostestimate(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup_cost, Cost *total_cost,
							Selectivity *selectivity, double *correlation, double *pages);
/* Is this the planner's view of a gsi or lsi index, after the hook has seen it? */
extern bool IndexInfoIsOurs(const IndexOptInfo *info);

/* validate.c */
extern bool gsivalidate(Oid opclass);

#endif							/* SINGLETABLE_INDEX_INTERNAL_H */
