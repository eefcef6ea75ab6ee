/*
 * src/endpoint/credential.c
 *		Access keys: the table singletable_access_key, the functions that change it, and the endpoint's cache of it.
 *
 * Signature Version 4 needs the secret itself, so the table has it in clear and nobody may read it but its owner and superusers, whatever is
 * granted (the table has row-level security and no policy).  All others come to it through this file, which reads and writes the table as the
 * server does its catalogs: no statement, no privilege of the caller's, no search_path.  The functions look first whether the caller has
 * the privileges of the key's role.  A secret leaves the table for the HMAC of the endpoint, and once, in the result of create_access_key.
 *
 * A key stands for a role as long as the role could log in to this database: LOGIN, VALID UNTIL, CONNECT.  It names its role by OID and by name, and
 * both must be right.  An OID alone could be another role's: it may be given again after the role was dropped, and rows may have been
 * copied from another cluster.  So a renamed role's keys are void (as an MD5 password is), until it has its old name again.
 *
 * A worker keeps what it has read.  Every change of the table (also by SQL, through a trigger) invalidates the relcache entry of the table, and
 * with it goes the cache; changes of roles, memberships and databases do the same.  Ids that are not there are not kept: they come from outside.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid.h"
#include "commands/trigger.h"
#include "common/base64.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "endpoint/credential.h"
#include "operation/table_settings.h"

#define ACCESS_KEY_TABLE "singletable_access_key"

/* What a key id looks like: AKIA and 80 random bits in base32. */
#define KEY_ID_PREFIX "AKIA"
#define KEY_ID_RANDOM 16		/* characters */
#define MAX_KEY_ID_LENGTH 128	/* bytes; as the table's constraint has it */

/* A secret is 240 random bits, 40 characters of base64. */
#define SECRET_RANDOM 30		/* bytes */
#define SECRET_LENGTH 40		/* characters */

/* Keys of one role, the revoked ones included: whoever may make keys cannot fill the disk with them. */
#define MAX_KEYS_PER_ROLE 100

/* Credentials that a worker keeps; when there are more, it begins anew. */
#define MAX_CACHED_CREDENTIALS 1000

/* Columns of the table, in the order of the SQL script. */
enum
{
	COLUMN_KEY_ID,
	COLUMN_SECRET,
	COLUMN_ROLE,
	COLUMN_ROLE_NAME,
	COLUMN_DESCRIPTION,
	COLUMN_CREATED,
	COLUMN_CREATED_BY,
	COLUMN_REVOKED,
	COLUMN_COUNT
};

typedef struct AccessKeyTable
{
	Relation	rel;
	Oid			primary_key;
	Oid			role_index;
} AccessKeyTable;

typedef struct CachedCredential
{
	char		key_id[MAX_KEY_ID_LENGTH + 1];	/* hash key, must be first */
	Credential	credential;
	TimestampTz valid_until;	/* of the role */
} CachedCredential;

static HTAB *credentials;
static MemoryContext credential_context;	/* of the texts, and of the hash table */
static bool credentials_are_valid;
static uint64 invalidation_count;
static Oid	cached_table = InvalidOid;	/* which the credentials are from */

/* ---------------------------------------------------------------------------------------------------------------------
 * The table
 */

/* False if the database does not have the extension. */
static bool
open_access_keys(AccessKeyTable *table, LOCKMODE lockmode)
{
	Oid			namespace = ExtensionNamespace();
	Oid			relid = OidIsValid(namespace) ? get_relname_relid(ACCESS_KEY_TABLE, namespace) : InvalidOid;

	if (!OidIsValid(relid))
		return false;
	table->primary_key = get_relname_relid(ACCESS_KEY_TABLE "_pkey", namespace);
	table->role_index = get_relname_relid(ACCESS_KEY_TABLE "_role", namespace);
	if (!OidIsValid(table->primary_key) || !OidIsValid(table->role_index))
		elog(ERROR, "extension singletable has no indexes of table %s", ACCESS_KEY_TABLE);
	table->rel = table_open(relid, lockmode);
	return true;
}

static void
require_access_keys(AccessKeyTable *table, LOCKMODE lockmode)
{
	if (!open_access_keys(table, lockmode))
		elog(ERROR, "extension singletable has no table %s", ACCESS_KEY_TABLE);
}

static SysScanDesc
begin_scan_of_key(const AccessKeyTable *table, const char *key_id, size_t length)
{
	ScanKeyData key;

	ScanKeyInit(&key, COLUMN_KEY_ID + 1, BTEqualStrategyNumber, F_TEXTEQ, PointerGetDatum(cstring_to_text_with_len(key_id, length)));
	return systable_beginscan(table->rel, table->primary_key, true, NULL, 1, &key);
}

/* Valid as long as the row: by-reference values point into it. */
static void
read_columns(const AccessKeyTable *table, HeapTuple row, Datum *values, bool *nulls)
{
	heap_deform_tuple(row, RelationGetDescr(table->rel), values, nulls);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Is a key good?
 */

/*
 * describe_status
 *		"active", or why the key is void.
 *
 * valid_until, if not NULL, becomes the time at which an active key stops to be (DT_NOEND: never).
 */
static const char *
describe_status(const Datum *values, const bool *nulls, TimestampTz *valid_until)
{
	Oid			role = DatumGetObjectId(values[COLUMN_ROLE]);
	HeapTuple	tuple;
	Form_pg_authid form;
	Datum		until;
	bool		is_null;
	TimestampTz end = DT_NOEND;
	const char *status = "active";

	if (!nulls[COLUMN_REVOKED])
		return "revoked";
	tuple = SearchSysCache1(AUTHOID, ObjectIdGetDatum(role));
	if (!HeapTupleIsValid(tuple))
		return "role dropped";
	form = (Form_pg_authid) GETSTRUCT(tuple);
	until = SysCacheGetAttr(AUTHOID, tuple, Anum_pg_authid_rolvaliduntil, &is_null);
	if (!is_null)
		end = DatumGetTimestampTz(until);
	if (strcmp(NameStr(form->rolname), NameStr(*DatumGetName(values[COLUMN_ROLE_NAME]))) != 0)
		status = "role renamed";
	else if (!form->rolcanlogin)
		status = "role may not log in";
	else if (end <= GetCurrentTimestamp())
		status = "role expired";
	else if (!DatabaseIsConnectableBy(MyDatabaseId, role))
		status = "role may not connect";
	ReleaseSysCache(tuple);
	if (valid_until != NULL)
		*valid_until = end;
	return status;
}

/* May the current user make, see and revoke keys of this role?  Who could act as the role by SQL, and who could read the table. */
static bool
may_manage_keys(const AccessKeyTable *table, Oid role)
{
	return has_privs_of_role(GetUserId(), role) || has_privs_of_role(GetUserId(), table->rel->rd_rel->relowner);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * The cache
 */

static void
invalidate_by_relcache(Datum argument, Oid relid)
{
	if (relid != InvalidOid && relid != cached_table)
		return;
	invalidation_count++;
	credentials_are_valid = false;
}

static void
invalidate_by_syscache(Datum argument, int cache, uint32 hash_value)
{
	invalidation_count++;
	credentials_are_valid = false;
}

void
CredentialInit(void)
{
	CacheRegisterRelcacheCallback(invalidate_by_relcache, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHOID, invalidate_by_syscache, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHMEMROLEMEM, invalidate_by_syscache, (Datum) 0);
	CacheRegisterSyscacheCallback(DATABASEOID, invalidate_by_syscache, (Datum) 0);
}

/* An empty cache: never in a callback, since the caller may still look at a credential then. */
static void
reset_credentials(void)
{
	HASHCTL		control = {0};

	if (credential_context == NULL)
		credential_context = AllocSetContextCreate(TopMemoryContext, "singletable credentials", ALLOCSET_SMALL_SIZES);
	credentials_are_valid = false;
	MemoryContextReset(credential_context);
	control.keysize = sizeof(((CachedCredential *) NULL)->key_id);
	control.entrysize = sizeof(CachedCredential);
	control.hcxt = credential_context;
	credentials = hash_create("singletable credentials", 32, &control, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	credentials_are_valid = true;
}

/*
 * read_credential
 *		Look into the table; NULL if the key is not there or void.  palloc'd in the current context.
 */
static CachedCredential *
read_credential(const char *key_id)
{
	AccessKeyTable table;
	SysScanDesc scan;
	HeapTuple	row;
	CachedCredential *found = NULL;

	if (!open_access_keys(&table, AccessShareLock))
		return NULL;
	cached_table = RelationGetRelid(table.rel);
	scan = begin_scan_of_key(&table, key_id, strlen(key_id));
	row = systable_getnext(scan);
	if (HeapTupleIsValid(row))
	{
		Datum		values[COLUMN_COUNT];
		bool		nulls[COLUMN_COUNT];
		TimestampTz valid_until = DT_NOEND;

		read_columns(&table, row, values, nulls);
		if (strcmp(describe_status(values, nulls, &valid_until), "active") == 0)
		{
			found = palloc0_object(CachedCredential);
			found->credential.role = DatumGetObjectId(values[COLUMN_ROLE]);
			found->credential.secret = TextDatumGetCString(values[COLUMN_SECRET]);
			found->credential.secret_length = strlen(found->credential.secret);
			found->valid_until = valid_until;
		}
	}
	systable_endscan(scan);
	table_close(table.rel, AccessShareLock);
	return found;
}

const Credential *
CredentialFind(HttpText key_id)
{
	char		name[MAX_KEY_ID_LENGTH + 1];
	CachedCredential *cached;
	CachedCredential *found;
	Credential	kept;
	uint64		count;

	if (key_id.length == 0 || key_id.length > MAX_KEY_ID_LENGTH)
		return NULL;
	/* As the table's constraint has it; other bytes may be no text at all. */
	for (size_t i = 0; i < key_id.length; i++)
		if (key_id.data[i] <= ' ' || key_id.data[i] > '~')
			return NULL;
	memcpy(name, key_id.data, key_id.length);
	name[key_id.length] = '\0';

	if (!credentials_are_valid)
		reset_credentials();
	cached = hash_search(credentials, name, HASH_FIND, NULL);
	if (cached != NULL)
	{
		if (cached->valid_until > GetCurrentTimestamp())
			return &cached->credential;
		return NULL;
	}

	count = invalidation_count;
	found = read_credential(name);
	if (found == NULL)
		return NULL;
	/* What changed while it was read must not stay in the cache as it was. */
	if (count != invalidation_count)
		return &found->credential;

	if (hash_get_num_entries(credentials) >= MAX_CACHED_CREDENTIALS)
		reset_credentials();
	kept = found->credential;
	kept.secret = MemoryContextStrdup(credential_context, kept.secret);
	cached = hash_search(credentials, name, HASH_ENTER, NULL);
	cached->credential = kept;
	cached->valid_until = found->valid_until;
	return &cached->credential;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * SQL functions
 */

static void
fill_random(void *target, size_t length)
{
	if (!pg_strong_random(target, length))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
}

static char *
make_key_id(void)
{
	static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	uint8		random[KEY_ID_RANDOM];
	StringInfoData key_id;

	fill_random(random, sizeof(random));
	initStringInfo(&key_id);
	appendStringInfoString(&key_id, KEY_ID_PREFIX);
	for (int i = 0; i < KEY_ID_RANDOM; i++)
		appendStringInfoChar(&key_id, base32[random[i] % 32]);
	return key_id.data;
}

static char *
make_secret(void)
{
	uint8		random[SECRET_RANDOM];
	char	   *secret = palloc0(SECRET_LENGTH + 1);

	fill_random(random, sizeof(random));
	if (pg_b64_encode((const void *) random, sizeof(random), secret, SECRET_LENGTH) != SECRET_LENGTH)
		elog(ERROR, "could not encode a secret");
	return secret;
}

/* 42704, 42501 or 28000 unless a key of the role would be good and the caller's to make.  Returns the role's name, palloc'd. */
static char *
require_role(const AccessKeyTable *table, Oid role)
{
	HeapTuple	tuple = SearchSysCache1(AUTHOID, ObjectIdGetDatum(role));
	Form_pg_authid form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("role with OID %u does not exist", role)));
	form = (Form_pg_authid) GETSTRUCT(tuple);
	name = pstrdup(NameStr(form->rolname));
	if (!may_manage_keys(table, role))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to create an access key of role \"%s\"", name),
				 errdetail("Only roles that have the privileges of role \"%s\" may create its access keys.", name)));
	if (!form->rolcanlogin)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_AUTHORIZATION_SPECIFICATION),
				 errmsg("role \"%s\" is not permitted to log in", name),
				 errhint("Access keys are for roles that may log in: ALTER ROLE %s LOGIN.", quote_identifier(name))));
	ReleaseSysCache(tuple);
	return name;
}

/*
 * make_room
 *		Where a role has as many keys as it may, delete the one that was revoked first.
 */
static void
make_room(const AccessKeyTable *table, Oid role, const char *role_name)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	ItemPointerData oldest;
	TimestampTz oldest_revoked = DT_NOEND;
	int			count = 0;

	ScanKeyInit(&key, COLUMN_ROLE + 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(role));
	scan = systable_beginscan(table->rel, table->role_index, true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Datum		values[COLUMN_COUNT];
		bool		nulls[COLUMN_COUNT];

		count++;
		read_columns(table, row, values, nulls);
		if (!nulls[COLUMN_REVOKED] && DatumGetTimestampTz(values[COLUMN_REVOKED]) < oldest_revoked)
		{
			oldest = row->t_self;
			oldest_revoked = DatumGetTimestampTz(values[COLUMN_REVOKED]);
		}
	}
	systable_endscan(scan);
	if (count < MAX_KEYS_PER_ROLE)
		return;
	if (oldest_revoked == DT_NOEND)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("role \"%s\" has %d access keys already", role_name, count),
				 errhint("Revoke those that are not used any more: revoke_access_key().")));
	CatalogTupleDelete(table->rel, &oldest);
}

/*
 * create_access_key(role, description)
 *		A new key of a role, and its secret, which is not shown again.
 */
SQL_FUNCTION(singletable_create_access_key);
Datum
singletable_create_access_key(PG_FUNCTION_ARGS)
{
	AccessKeyTable table;
	Oid			role;
	char	   *role_name;
	char	   *key_id;
	char	   *secret;
	NameData	role_name_data;
	NameData	creator;
	Datum		values[COLUMN_COUNT] = {0};
	bool		nulls[COLUMN_COUNT] = {0};
	TupleDesc	tupdesc;
	Datum		result[2];
	bool		result_nulls[2] = {false, false};

	PreventCommandIfReadOnly("create_access_key()");
	PreventCommandIfParallelMode("create_access_key()");
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("role must not be null")));
	role = PG_GETARG_OID(0);

	require_access_keys(&table, RowExclusiveLock);
	(void) require_role(&table, role);
	/* It excludes DROP ROLE, and another key of this role: two of them would make room by deleting the same row. */
	LockSharedObject(AuthIdRelationId, role, 0, ShareUpdateExclusiveLock);
	role_name = require_role(&table, role);
	make_room(&table, role, role_name);

	key_id = make_key_id();
	secret = make_secret();
	namestrcpy(&role_name_data, role_name);
	namestrcpy(&creator, GetUserNameFromId(GetUserId(), false));
	values[COLUMN_KEY_ID] = CStringGetTextDatum(key_id);
	values[COLUMN_SECRET] = CStringGetTextDatum(secret);
	values[COLUMN_ROLE] = ObjectIdGetDatum(role);
	values[COLUMN_ROLE_NAME] = NameGetDatum(&role_name_data);
	if (PG_ARGISNULL(1))
		nulls[COLUMN_DESCRIPTION] = true;
	else
		values[COLUMN_DESCRIPTION] = PG_GETARG_DATUM(1);
	values[COLUMN_CREATED] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[COLUMN_CREATED_BY] = NameGetDatum(&creator);
	nulls[COLUMN_REVOKED] = true;
	CatalogTupleInsert(table.rel, heap_form_tuple(RelationGetDescr(table.rel), values, nulls));
	CacheInvalidateRelcache(table.rel);
	table_close(table.rel, NoLock);
	CommandCounterIncrement();

	result[0] = values[COLUMN_KEY_ID];
	result[1] = values[COLUMN_SECRET];
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), result, result_nulls)));
}

/*
 * revoke_access_key(key_id)
 *		Void a key from the end of the transaction on.
 */
SQL_FUNCTION(singletable_revoke_access_key);
Datum
singletable_revoke_access_key(PG_FUNCTION_ARGS)
{
	char	   *key_id = text_to_cstring(PG_GETARG_TEXT_PP(0));
	AccessKeyTable table;
	Oid			role = InvalidOid;
	Datum		values[COLUMN_COUNT];
	bool		nulls[COLUMN_COUNT];
	bool		replace[COLUMN_COUNT] = {false};
	SysScanDesc scan;
	HeapTuple	row;

	PreventCommandIfReadOnly("revoke_access_key()");
	PreventCommandIfParallelMode("revoke_access_key()");
	require_access_keys(&table, RowExclusiveLock);

	/* Twice: whose key it is must be known before its role is locked, and the row may change until then. */
	for (int pass = 0; pass < 2; pass++)
	{
		scan = begin_scan_of_key(&table, key_id, strlen(key_id));
		row = systable_getnext(scan);
		if (HeapTupleIsValid(row))
		{
			row = heap_copytuple(row);
			read_columns(&table, row, values, nulls);
			role = DatumGetObjectId(values[COLUMN_ROLE]);
		}
		systable_endscan(scan);
		/* Keys of others are not known: an answer would tell who has which. */
		if (!HeapTupleIsValid(row) || !may_manage_keys(&table, role))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("access key \"%s\" does not exist", key_id)));
		if (pass == 0)
			LockSharedObject(AuthIdRelationId, role, 0, ShareUpdateExclusiveLock);
	}

	if (nulls[COLUMN_REVOKED])
	{
		values[COLUMN_REVOKED] = TimestampTzGetDatum(GetCurrentTimestamp());
		nulls[COLUMN_REVOKED] = false;
		replace[COLUMN_REVOKED] = true;
		CatalogTupleUpdate(table.rel, &row->t_self, heap_modify_tuple(row, RelationGetDescr(table.rel), values, nulls, replace));
		CacheInvalidateRelcache(table.rel);
	}
	table_close(table.rel, NoLock);
	CommandCounterIncrement();
	PG_RETURN_VOID();
}

/*
 * list_access_keys()
 *		A row for each key that the caller may revoke, without secrets, in the order of their making.
 */
typedef struct ListedKey
{
	TimestampTz created;
	HeapTuple	row;			/* of the result */
} ListedKey;

static int
compare_listed_keys(const void *a, const void *b)
{
	const ListedKey *first = a;
	const ListedKey *second = b;

	return first->created < second->created ? -1 : first->created > second->created;
}

SQL_FUNCTION(singletable_list_access_keys);
Datum
singletable_list_access_keys(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	ListedKey  *keys;
	HeapTuple	result_row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext oldcontext;
		TupleDesc	tupdesc;
		AccessKeyTable table;
		SysScanDesc scan;
		HeapTuple	row;
		int			capacity = 16;
		int			count = 0;

		funcctx = SRF_FIRSTCALL_INIT();
		oldcontext = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		tupdesc = BlessTupleDesc(tupdesc);
		keys = palloc_array(ListedKey, capacity);

		require_access_keys(&table, AccessShareLock);
		scan = systable_beginscan(table.rel, InvalidOid, false, NULL, 0, NULL);
		while (HeapTupleIsValid(row = systable_getnext(scan)))
		{
			Datum		values[COLUMN_COUNT];
			bool		nulls[COLUMN_COUNT];
			Datum		result[7];
			bool		result_nulls[7] = {false};

			CHECK_FOR_INTERRUPTS();
			read_columns(&table, row, values, nulls);
			if (!may_manage_keys(&table, DatumGetObjectId(values[COLUMN_ROLE])))
				continue;
			result[0] = values[COLUMN_KEY_ID];
			result[1] = values[COLUMN_ROLE_NAME];
			result[2] = CStringGetTextDatum(describe_status(values, nulls, NULL));
			result[3] = values[COLUMN_DESCRIPTION];
			result_nulls[3] = nulls[COLUMN_DESCRIPTION];
			result[4] = values[COLUMN_CREATED];
			result[5] = values[COLUMN_CREATED_BY];
			result[6] = values[COLUMN_REVOKED];
			result_nulls[6] = nulls[COLUMN_REVOKED];
			if (count == capacity)
				keys = repalloc_huge(keys, (capacity *= 2) * sizeof(ListedKey));
			keys[count].created = DatumGetTimestampTz(values[COLUMN_CREATED]);
			keys[count++].row = heap_form_tuple(tupdesc, result, result_nulls);
		}
		systable_endscan(scan);
		table_close(table.rel, AccessShareLock);
		qsort(keys, count, sizeof(ListedKey), compare_listed_keys);
		funcctx->user_fctx = keys;
		funcctx->max_calls = count;
		MemoryContextSwitchTo(oldcontext);
	}

	funcctx = SRF_PERCALL_SETUP();
	keys = funcctx->user_fctx;
	if (funcctx->call_cntr >= funcctx->max_calls)
		SRF_RETURN_DONE(funcctx);
	result_row = keys[funcctx->call_cntr].row;	/* the macro counts before it looks at its argument */
	SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(result_row));
}

/*
 * access_key_changed()
 *		The trigger of the table, for its owner's own statements: workers forget what they have read.
 */
SQL_FUNCTION(singletable_access_key_changed);
Datum
singletable_access_key_changed(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("access_key_changed() must be called as a trigger")));
	CacheInvalidateRelcache(((TriggerData *) fcinfo->context)->tg_relation);
	return PointerGetDatum(NULL);
}
