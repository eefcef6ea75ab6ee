/*
 * src/index/index_scan.c
 *		Scans of gsi and lsi indexes: nbtree's, with key prefixes rewritten into bounds.
 *
 * nbtree knows five strategies.  The sixth, ^@, is given to it as two: key ^@ 'ORDER#' becomes key >= 'ORDER#' AND key < 'ORDER$'.
 * The bounds are byte strings (PrefixUpperBound); collation "C" compares bytes, so it does not matter that the upper one may be
 * no valid text.
 *
 *		in						out
 *		key ^@ p				key >= p AND key < next(p); without the second part if p is empty or all bytes are 0xFF
 *		key ^@ NULL				key >= NULL (nbtree finds nothing)
 *		key ^@ ANY (ps)			the envelope: key >= smallest p AND key < largest next(p); rows are rechecked
 *
 * nbtree reads scan->keyData and scan->numberOfKeys not only at rescan but later too, and core checks that numberOfKeys is what the
 * executor said.  So keyData points to an array of ours with room for twice the keys, and numberOfKeys is nbtree's during
 * nbtree's calls and the executor's at all other times.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/nbtree.h"
#include "access/relscan.h"
#include "access/table.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index/index_internal.h"

/* Stands in front of the array that scan->keyData points to. */
typedef struct PrefixScan
{
	ScanKey		core_keys;		/* the array that core allocated, and that index_endscan frees */
	int			core_count;		/* keys as the executor counts them */
	int			btree_count;	/* keys as nbtree is to see them */
	bool		recheck;		/* the rewritten keys let more through than the original ones */
	MemoryContext bounds;		/* values of the rewritten keys, for one rescan; NULL as long as there was none */
	ScanKeyData keys[FLEXIBLE_ARRAY_MEMBER];
} PrefixScan;

#define ScanGetPrefixScan(scan) ((PrefixScan *) ((char *) (scan)->keyData - offsetof(PrefixScan, keys)))

uint32
PrefixUpperBound(const char *prefix, uint32 length, char *target)
{
	while (length > 0 && (unsigned char) prefix[length - 1] == 0xFF)
		length--;
	if (length > 0)
	{
		memcpy(target, prefix, length);
		target[length - 1]++;
	}
	return length;
}

/* The upper bound of a prefix as a datum in the current context; NULL if there is none. */
static struct varlena *
make_upper_bound(struct varlena *prefix)
{
	uint32		length = VARSIZE_ANY_EXHDR(prefix);
	struct varlena *bound = palloc(VARHDRSZ + length);

	length = PrefixUpperBound(VARDATA_ANY(prefix), length, VARDATA(bound));
	if (length == 0)
		return NULL;
	SET_VARSIZE(bound, VARHDRSZ + length);
	return bound;
}

/* Bytewise, a prefix first. */
static int
compare_strings(struct varlena *a, struct varlena *b)
{
	uint32		a_length = VARSIZE_ANY_EXHDR(a);
	uint32		b_length = VARSIZE_ANY_EXHDR(b);
	int			result = memcmp(VARDATA_ANY(a), VARDATA_ANY(b), Min(a_length, b_length));

	if (result != 0)
		return result;
	return a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

/* The bounds that enclose all prefixes of an array; false if it has no member that is not NULL. */
static bool
find_envelope(ArrayType *prefixes, Oid type, struct varlena **lower, struct varlena **upper, int *count)
{
	Datum	   *members;
	bool	   *nulls;
	int			member_count;
	bool		is_open = false;

	*lower = *upper = NULL;
	*count = 0;
	deconstruct_array(prefixes, type, -1, false, TYPALIGN_INT, &members, &nulls, &member_count);
	for (int i = 0; i < member_count; i++)
	{
		struct varlena *prefix;
		struct varlena *bound;

		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		(*count)++;
		prefix = PG_DETOAST_DATUM_PACKED(members[i]);
		if (*lower == NULL || compare_strings(prefix, *lower) < 0)
			*lower = prefix;
		if (is_open)
			continue;
		bound = make_upper_bound(prefix);
		if (bound == NULL)
		{
			is_open = true;
			*upper = NULL;
		}
		else if (*upper == NULL || compare_strings(bound, *upper) > 0)
			*upper = bound;
	}
	return *count > 0;
}

/*
 * rewrite_prefix
 *		Puts the bounds that stand for a key with ^@ into target, room for two; returns how many they are.
 */
static int
rewrite_prefix(IndexScanDesc scan, PrefixScan *state, ScanKey key, ScanKey target)
{
	Oid			type = scan->indexRelation->rd_opcintype[key->sk_attno - 1];
	RegProcedure greater_equal = type == BYTEAOID ? F_BYTEAGE : F_TEXT_GE;
	RegProcedure less = type == BYTEAOID ? F_BYTEALT : F_TEXT_LT;
	struct varlena *lower = NULL;
	struct varlena *upper = NULL;

	if (type != TEXTOID && type != BYTEAOID)
		elog(ERROR, "operator class for type %u of index \"%s\" has a prefix operator",
			 type, RelationGetRelationName(scan->indexRelation));

	if (!(key->sk_flags & SK_ISNULL))
	{
		MemoryContext oldcontext;

		if (state->bounds == NULL)
			state->bounds = AllocSetContextCreate(GetMemoryChunkContext(state), "key prefix bounds", ALLOCSET_SMALL_SIZES);
		oldcontext = MemoryContextSwitchTo(state->bounds);
		if (key->sk_flags & SK_SEARCHARRAY)
		{
			int			prefix_count;

			if (find_envelope(DatumGetArrayTypeP(key->sk_argument), type, &lower, &upper, &prefix_count) && prefix_count > 1)
				state->recheck = true;
		}
		else
		{
			lower = PG_DETOAST_DATUM_PACKED(key->sk_argument);
			upper = make_upper_bound(lower);
		}
		MemoryContextSwitchTo(oldcontext);
	}

	ScanKeyEntryInitialize(&target[0],
						   (key->sk_flags & ~(SK_SEARCHARRAY | SK_ISNULL)) | (lower == NULL ? SK_ISNULL : 0),
						   key->sk_attno, BTGreaterEqualStrategyNumber, key->sk_subtype, key->sk_collation,
						   greater_equal, PointerGetDatum(lower));
	if (upper == NULL)
		return 1;
	ScanKeyEntryInitialize(&target[1], key->sk_flags & ~SK_SEARCHARRAY, key->sk_attno, BTLessStrategyNumber,
						   key->sk_subtype, key->sk_collation, less, PointerGetDatum(upper));
	return 2;
}

IndexScanDesc
gsibeginscan(Relation index, int nkeys, int norderbys)
{
	/* nbtree sizes its work space by this; every key may become two. */
	IndexScanDesc scan = btbeginscan(index, 2 * nkeys, norderbys);
	PrefixScan *state = palloc(offsetof(PrefixScan, keys) + sizeof(ScanKeyData) * (2 * nkeys + 1));

	state->core_keys = scan->keyData;
	state->core_count = nkeys;
	state->btree_count = 0;
	state->recheck = false;
	state->bounds = NULL;
	scan->keyData = state->keys;
	scan->numberOfKeys = nkeys;
	return scan;
}

void
gsirescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys, int norderbys)
{
	PrefixScan *state = ScanGetPrefixScan(scan);

	/* No keys given means: the same again. */
	if (keys != NULL && nkeys > 0)
	{
		int			count = 0;

		if (state->bounds)
			MemoryContextReset(state->bounds);
		state->recheck = false;
		for (int i = 0; i < nkeys; i++)
		{
			if (!(keys[i].sk_flags & SK_ROW_HEADER) && keys[i].sk_strategy == PREFIX_STRATEGY_NUMBER)
				count += rewrite_prefix(scan, state, &keys[i], &state->keys[count]);
			else
				state->keys[count++] = keys[i];
		}
		state->btree_count = count;
	}

	scan->numberOfKeys = state->btree_count;
	btrescan(scan, NULL, 0, orderbys, norderbys);
	scan->numberOfKeys = state->core_count;
}

bool
gsigettuple(IndexScanDesc scan, ScanDirection direction)
{
	PrefixScan *state = ScanGetPrefixScan(scan);
	bool		found;

	scan->numberOfKeys = state->btree_count;
	found = btgettuple(scan, direction);
	scan->numberOfKeys = state->core_count;
	scan->xs_recheck = state->recheck;
	return found;
}

int64
gsigetbitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	PrefixScan *state = ScanGetPrefixScan(scan);
	int64		count = 0;

	scan->numberOfKeys = state->btree_count;
	if (!state->recheck)
		count = btgetbitmap(scan, bitmap);
	else
	{
		/* btgetbitmap would tell that no row needs a recheck. */
		Relation	table = table_open(scan->indexRelation->rd_index->indrelid, NoLock);

		/* btgettuple of newer servers wants to see a table; bitmap scans have none. */
		scan->heapRelation = table;
		while (btgettuple(scan, ForwardScanDirection))
		{
			CHECK_FOR_INTERRUPTS();
			tbm_add_tuples(bitmap, &scan->xs_heaptid, 1, true);
			count++;
		}
		scan->heapRelation = NULL;
		table_close(table, NoLock);
	}
	scan->numberOfKeys = state->core_count;
	return count;
}

void
gsimarkpos(IndexScanDesc scan)
{
	PrefixScan *state = ScanGetPrefixScan(scan);

	scan->numberOfKeys = state->btree_count;
	btmarkpos(scan);
	scan->numberOfKeys = state->core_count;
}

void
gsirestrpos(IndexScanDesc scan)
{
	PrefixScan *state = ScanGetPrefixScan(scan);

	/* With array keys nbtree preprocesses the keys anew. */
	scan->numberOfKeys = state->btree_count;
	btrestrpos(scan);
	scan->numberOfKeys = state->core_count;
}

void
gsiendscan(IndexScanDesc scan)
{
	PrefixScan *state = ScanGetPrefixScan(scan);

	scan->keyData = state->core_keys;
	btendscan(scan);
	if (state->bounds)
		MemoryContextDelete(state->bounds);
	pfree(state);
}
