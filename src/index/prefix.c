/*
 * src/index/prefix.c
 *		begins_with(key, prefix), the end of a prefix's range, and how the planner makes index conditions of them.
 *
 *		index						condition for begins_with(key, prefix)
 *		gsi, lsi					key ^@ prefix
 *		btree (text "C", bytea)		key >= prefix AND key < prefix_end(prefix)
 *
 * The prefix may be anything that does not change during the scan: a constant, a parameter, a column of another table.
 *
 * The end of a range in a btree must be a value of the key's type.  For bytea the last byte that is not 0xFF is incremented and the rest
 * cut.  For text the same is done with characters, since a text must stay valid in the server's encoding, and under collation "C"
 * the order of UTF-8's bytes is the order of the characters: after U+D7FF comes U+E000, after U+10FFFF nothing.
 *
 * Where nothing comes after the prefix (it is empty, or made of last characters only), the range has no end.  For a constant
 * the second condition is left out.  For anything else there must be a value for it, and prefix_end() gives one that is greater than
 * every key that can be in an index: BEYOND_KEYS_BYTES bytes of last characters.  An index entry is smaller than a page, and
 * its values are compressed at most 1 : 255 (lz4; pglz less), so no key in an index is that long.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/stratnum.h"
#include "catalog/namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "index/index_internal.h"

#define BEYOND_KEYS_BYTES (BLCKSZ * 256)

#define LAST_CHARACTER "\xF4\x8F\xBF\xBF"	/* U+10FFFF */
#define LAST_CHARACTER_BYTES 4

/*
 * begins_with(key, prefix), text or bytea
 *		Are the first bytes of key those of prefix?  Of a long key no more than these is detoasted.
 */
SQL_FUNCTION(singletable_begins_with);
Datum
singletable_begins_with(PG_FUNCTION_ARGS)
{
	struct varlena *prefix = PG_GETARG_VARLENA_PP(1);
	Size		length = VARSIZE_ANY_EXHDR(prefix);
	struct varlena *key;
	bool		result;

	if (toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ < length)
		result = false;
	else
	{
		key = PG_DETOAST_DATUM_SLICE(PG_GETARG_DATUM(0), 0, length);
		result = memcmp(VARDATA_ANY(key), VARDATA_ANY(prefix), length) == 0;
		if ((Pointer) key != DatumGetPointer(PG_GETARG_DATUM(0)))
			pfree(key);
	}

	PG_FREE_IF_COPY(prefix, 1);
	PG_RETURN_BOOL(result);
}

/*
 * increment_last_character
 *		The smallest text greater than all with this prefix, in place: the last character that is not U+10FFFF gives way to
 *		the next one, the rest is cut.
 *
 * text has room for one byte more than length (U+007F is followed by two bytes).  Returns the new length, 0 if there is no such text.
 */
static uint32
increment_last_character(char *text, uint32 length)
{
	while (length > 0)
	{
		uint32		start = length - 1;
		pg_wchar	character;

		while (start > 0 && IS_HIGHBIT_SET(text[start]) && (text[start] & 0xC0) == 0x80)
			start--;
		character = utf8_to_unicode((unsigned char *) text + start);
		if (character < 0x10FFFF)
		{
			/* Surrogates are no characters. */
			character = character == 0xD7FF ? 0xE000 : character + 1;
			unicode_to_utf8(character, (unsigned char *) text + start);
			return start + pg_utf_mblen((unsigned char *) text + start);
		}
		length = start;
	}
	return 0;
}

/*
 * make_prefix_end
 *		The end of the range of a prefix, palloc'd; NULL if the range has none.
 */
static struct varlena *
make_prefix_end(struct varlena *prefix, Oid type)
{
	uint32		length = VARSIZE_ANY_EXHDR(prefix);
	struct varlena *result = palloc(VARHDRSZ + length + 1);

	if (type == TEXTOID && GetDatabaseEncoding() == PG_UTF8)
	{
		memcpy(VARDATA(result), VARDATA_ANY(prefix), length);
		length = increment_last_character(VARDATA(result), length);
	}
	else
		length = PrefixUpperBound(VARDATA_ANY(prefix), length, VARDATA(result));
	if (length == 0)
	{
		pfree(result);
		return NULL;
	}
	SET_VARSIZE(result, VARHDRSZ + length);
	return result;
}

/* A value greater than every key that can be in an index. */
static struct varlena *
make_value_beyond_keys(Oid type)
{
	struct varlena *result = palloc(VARHDRSZ + BEYOND_KEYS_BYTES);

	if (type == TEXTOID && GetDatabaseEncoding() == PG_UTF8)
	{
		for (uint32 i = 0; i < BEYOND_KEYS_BYTES; i += LAST_CHARACTER_BYTES)
			memcpy(VARDATA(result) + i, LAST_CHARACTER, LAST_CHARACTER_BYTES);
	}
	else
		memset(VARDATA(result), 0xFF, BEYOND_KEYS_BYTES);
	SET_VARSIZE(result, VARHDRSZ + BEYOND_KEYS_BYTES);
	return result;
}

static Datum
get_prefix_end(struct varlena *prefix, Oid type)
{
	struct varlena *result = make_prefix_end(prefix, type);

	return PointerGetDatum(result ? result : make_value_beyond_keys(type));
}

/* prefix_end(prefix text) */
SQL_FUNCTION(singletable_prefix_end_text);
Datum
singletable_prefix_end_text(PG_FUNCTION_ARGS)
{
	return get_prefix_end(PG_GETARG_VARLENA_PP(0), TEXTOID);
}

/* prefix_end(prefix bytea) */
SQL_FUNCTION(singletable_prefix_end_bytea);
Datum
singletable_prefix_end_bytea(PG_FUNCTION_ARGS)
{
	return get_prefix_end(PG_GETARG_VARLENA_PP(0), BYTEAOID);
}

/* The operator ^@ for a type; InvalidOid if it cannot be found.  function is one of this extension, in whose schema ours is. */
static Oid
find_prefix_operator(Oid type, Oid function)
{
	if (type == TEXTOID)
		return TextPrefixOperator;
	return GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, PointerGetDatum("^@"), ObjectIdGetDatum(type),
						   ObjectIdGetDatum(type), ObjectIdGetDatum(get_func_namespace(function)));
}

/* column operator value */
static Expr *
make_condition(Oid operator, Node *column, Node *value, Oid collation)
{
	return make_opclause(operator, BOOLOID, false, (Expr *) column, (Expr *) value, InvalidOid, collation);
}

/*
 * make_btree_conditions
 *		key >= prefix AND key < prefix_end(prefix), as far as the family's order is that of the bytes.
 */
static List *
make_btree_conditions(SupportRequestIndexCondition *request, Oid type, Node *column, Node *prefix)
{
	Oid			greater_equal;
	Oid			less;
	List	   *conditions;

	if (!((request->opfamily == TEXT_BTREE_FAM_OID && CollationIsC(request->indexcollation)) ||
		  request->opfamily == TEXT_PATTERN_BTREE_FAM_OID || request->opfamily == BYTEA_BTREE_FAM_OID))
		return NIL;
	greater_equal = get_opfamily_member(request->opfamily, type, type, BTGreaterEqualStrategyNumber);
	less = get_opfamily_member(request->opfamily, type, type, BTLessStrategyNumber);
	if (!OidIsValid(greater_equal) || !OidIsValid(less))
		return NIL;

	conditions = list_make1(make_condition(greater_equal, column, prefix, request->indexcollation));
	if (IsA(prefix, Const))
	{
		struct varlena *end;

		if (((Const *) prefix)->constisnull)
			return conditions;
		end = make_prefix_end(PG_DETOAST_DATUM_PACKED(((Const *) prefix)->constvalue), type);
		if (end)
		{
			Const	   *value = makeConst(type, -1, ((Const *) prefix)->constcollid, -1, PointerGetDatum(end), false, false);

			conditions = lappend(conditions, make_condition(less, column, (Node *) value, request->indexcollation));
		}
	}
	else
	{
		List	   *name = list_make2(makeString(get_namespace_name(get_func_namespace(request->funcid))),
									  makeString("prefix_end"));
		Oid			function = LookupFuncName(name, 1, &type, true);
		FuncExpr   *end;

		if (!OidIsValid(function))
			return NIL;
		end = makeFuncExpr(function, type, list_make1(copyObject(prefix)), type == TEXTOID ? exprCollation(prefix) : InvalidOid,
						   type == TEXTOID ? exprCollation(prefix) : InvalidOid, COERCE_EXPLICIT_CALL);
		conditions = lappend(conditions, make_condition(less, column, (Node *) end, request->indexcollation));
	}
	return conditions;
}

static List *
make_index_conditions(SupportRequestIndexCondition *request)
{
	List	   *arguments;
	Node	   *column;
	Node	   *prefix;
	Oid			type;

	if (!is_funcclause(request->node))
		return NIL;
	arguments = ((FuncExpr *) request->node)->args;
	if (list_length(arguments) != 2 || request->indexarg != 0)
		return NIL;
	column = (Node *) linitial(arguments);
	prefix = (Node *) lsecond(arguments);
	type = exprType(prefix);
	if ((type != TEXTOID && type != BYTEAOID) || !is_pseudo_constant_for_index(request->root, prefix, request->index))
		return NIL;

	/* Either way the condition says all that the function does. */
	request->lossy = false;
	if (IndexInfoIsOurs(request->index))
	{
		Oid			operator = get_opfamily_member(request->opfamily, type, type, PREFIX_STRATEGY_NUMBER);

		return OidIsValid(operator) ? list_make1(make_condition(operator, column, prefix, request->indexcollation)) : NIL;
	}
	return make_btree_conditions(request, type, column, prefix);
}

/*
 * singletable_begins_with_support
 *		Planner support of begins_with: index conditions, and the selectivity of ^@.
 */
SQL_FUNCTION(singletable_begins_with_support);
Datum
singletable_begins_with_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);

	if (IsA(node, SupportRequestIndexCondition))
		PG_RETURN_POINTER(make_index_conditions((SupportRequestIndexCondition *) node));

	if (IsA(node, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *request = (SupportRequestSelectivity *) node;
		Oid			operator = find_prefix_operator(exprType(llast(request->args)), request->funcid);

		if (!OidIsValid(operator))
			PG_RETURN_POINTER(NULL);
		if (request->is_join)
			request->selectivity = join_selectivity(request->root, operator, request->args, request->inputcollid,
													request->jointype, request->sjinfo);
		else
			request->selectivity = restriction_selectivity(request->root, operator, request->args, request->inputcollid,
														   request->varRelid);
		PG_RETURN_POINTER(request);
	}

	PG_RETURN_POINTER(NULL);
}
