/*
 * src/index/validate.c
 *		Checks an operator class of gsi or lsi: what nbtree demands, and ^@ as the sixth strategy.
 */
#include "postgres.h"

#include "access/amvalidate.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "index/index_internal.h"

/* Every operator is one of the six, (type, type) to boolean, and for search only. */
static bool
check_operators(CatCList *operators, Oid type)
{
	bool		result = true;
	uint32		found = 0;

	for (int i = 0; i < operators->n_members; i++)
	{
		Form_pg_amop member = (Form_pg_amop) GETSTRUCT(&operators->members[i]->tuple);

		if (member->amopstrategy < 1 || member->amopstrategy > PREFIX_STRATEGY_NUMBER ||
			member->amoppurpose != AMOP_SEARCH ||
			!check_amop_signature(member->amopopr, BOOLOID, member->amoplefttype, member->amoprighttype))
		{
			ereport(INFO,
					(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
					 errmsg("operator %s with strategy number %d is no operator that gsi and lsi know",
							format_operator(member->amopopr), member->amopstrategy)));
			result = false;
		}
		else if (member->amoplefttype == type && member->amoprighttype == type)
			found |= 1 << member->amopstrategy;
	}

	/* 1 to 5; the prefix operator makes no sense for numbers. */
	if ((found & 0x3E) != 0x3E)
	{
		ereport(INFO,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("operators <, <=, =, >= and > are not all there for type %s", format_type_be(type))));
		result = false;
	}
	return result;
}

/* Support functions have nbtree's numbers and signatures; the first is there. */
static bool
check_functions(CatCList *functions, Oid type)
{
	bool		result = true;
	bool		has_comparison = false;

	for (int i = 0; i < functions->n_members; i++)
	{
		Form_pg_amproc member = (Form_pg_amproc) GETSTRUCT(&functions->members[i]->tuple);
		bool		is_right;

		switch (member->amprocnum)
		{
			case BTORDER_PROC:
				is_right = check_amproc_signature(member->amproc, INT4OID, true, 2, 2,
												  member->amproclefttype, member->amprocrighttype);
				if (member->amproclefttype == type && member->amprocrighttype == type)
					has_comparison = true;
				break;
			case BTSORTSUPPORT_PROC:
				is_right = check_amproc_signature(member->amproc, VOIDOID, true, 1, 1, INTERNALOID);
				break;
			case BTEQUALIMAGE_PROC:
				is_right = check_amproc_signature(member->amproc, BOOLOID, true, 1, 1, OIDOID);
				break;
			case BTOPTIONS_PROC:
				is_right = check_amoptsproc_signature(member->amproc);
				break;
			default:
				is_right = member->amprocnum > BTOPTIONS_PROC && member->amprocnum <= BTNProcs;
				break;
		}
		if (!is_right)
		{
			ereport(INFO,
					(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
					 errmsg("function %s with support number %d is no support function that gsi and lsi know",
							format_procedure(member->amproc), member->amprocnum)));
			result = false;
		}
	}

	if (!has_comparison)
	{
		ereport(INFO,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("there is no comparison function for type %s", format_type_be(type))));
		result = false;
	}
	return result;
}

bool
gsivalidate(Oid opclass)
{
	HeapTuple	tuple;
	Oid			family;
	Oid			type;
	CatCList   *operators;
	CatCList   *functions;
	bool		result;

	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator class %u", opclass);
	family = ((Form_pg_opclass) GETSTRUCT(tuple))->opcfamily;
	type = ((Form_pg_opclass) GETSTRUCT(tuple))->opcintype;
	ReleaseSysCache(tuple);

	operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(family));
	functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(family));
	result = check_operators(operators, type);
	result = check_functions(functions, type) && result;
	ReleaseCatCacheList(functions);
	ReleaseCatCacheList(operators);
	return result;
}
