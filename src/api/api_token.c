/*
 * src/api/api_token.c
 *		ClientRequestToken: a transaction that is sent twice is done once.
 *
 * The token of a transaction that was carried out is kept for ten minutes, with a digest of what determines the transaction, in
 * the extension's table dynamodb_request_token.  The row is written by the transaction itself, so it is there exactly when the
 * transaction's effects are: through a crash, on a standby, and not after a rollback.  Tokens are of one role each.
 *
 * While a transaction with a token runs it holds an advisory lock of a class of its own, so that a second call need not wait for the
 * outcome of the first to know its answer: TransactionInProgressException.
 *
 * The table belongs to the extension's owner, and no one else may touch it: its statements run as that owner, as those of foreign
 * keys run as the owner of the referenced table.  It is not dumped: when a dump is restored, its tokens are of another time.
 *
 * Source: reference/batch-and-transactions, section 4.3.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "common/cryptohash.h"
#include "common/hashfn.h"
#include "common/sha2.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "api/api_request.h"

#define TOKEN_TABLE "dynamodb_request_token"

/* The advisory locks of SQL have 1 and 2 here. */
#define TOKEN_LOCK_CLASS 4

/* Rows that are past their time are removed by whoever adds one: more of them than are added, so that they never pile up. */
#define REMOVED_PER_TOKEN "4"

/* What is done with the table. */
typedef enum TokenStatement
{
	TOKEN_FIND,
	TOKEN_ADD,
	TOKEN_REMOVE_OLD
} TokenStatement;

static const char *const statements[] = {
	[TOKEN_FIND] = "SELECT digest FROM %s WHERE role = $1 AND token = $2 AND finished > clock_timestamp() - interval '10 minutes'",
	[TOKEN_ADD] = "INSERT INTO %s (role, token, digest, finished) VALUES ($1, $2, $3, clock_timestamp()) "
	"ON CONFLICT (role, token) DO UPDATE SET digest = EXCLUDED.digest, finished = EXCLUDED.finished",
	[TOKEN_REMOVE_OLD] = "DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s "
	"WHERE finished < clock_timestamp() - interval '10 minutes' ORDER BY finished LIMIT " REMOVED_PER_TOKEN " FOR UPDATE SKIP LOCKED))",
};

/* Kept plans, of the table with this OID. */
static SPIPlanPtr plans[lengthof(statements)];
static Oid	planned_table = InvalidOid;

/* The table of the extension: wherever its schema is. */
static Oid
find_token_table(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			namespace = InvalidOid;
	Oid			relid;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum("singletable"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		namespace = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);

	relid = OidIsValid(namespace) ? get_relname_relid(TOKEN_TABLE, namespace) : InvalidOid;
	if (!OidIsValid(relid))
		elog(ERROR, "table %s of extension singletable is missing", TOKEN_TABLE);
	return relid;
}

static SPIPlanPtr
get_plan(TokenStatement statement, Oid table)
{
	Oid			argument_types[] = {OIDOID, TEXTOID, BYTEAOID};
	int			argument_count = statement == TOKEN_FIND ? 2 : statement == TOKEN_ADD ? 3 : 0;

	if (planned_table != table)
	{
		for (int i = 0; i < lengthof(plans); i++)
		{
			if (plans[i] != NULL)
				SPI_freeplan(plans[i]);
			plans[i] = NULL;
		}
		planned_table = table;
	}
	if (plans[statement] == NULL)
	{
		char	   *name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(table)), get_rel_name(table));
		char	   *text = psprintf(statements[statement], name);
		SPIPlanPtr	plan = SPI_prepare(text, argument_count, argument_types);

		if (plan == NULL)
			elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
		if (SPI_keepplan(plan) != 0)
			elog(ERROR, "SPI_keepplan failed");
		plans[statement] = plan;
	}
	return plans[statement];
}

/*
 * execute
 *		Run a statement as the table's owner, seeing what is committed now.
 *
 * Result	the digest that was found, palloc'd in the current context, or NULL
 */
static bytea *
execute(TokenStatement statement, const char *token, const uint8 *digest)
{
	Oid			table = find_token_table();
	Oid			role = GetUserId();
	MemoryContext context = CurrentMemoryContext;
	bytea	   *found = NULL;
	bytea	   *digest_bytea = palloc(VARHDRSZ + PG_SHA256_DIGEST_LENGTH);
	Relation	rel;
	Oid			saved_user;
	int			saved_context;
	Datum		arguments[3];
	int			result;

	SET_VARSIZE(digest_bytea, VARHDRSZ + PG_SHA256_DIGEST_LENGTH);
	if (digest != NULL)
		memcpy(VARDATA(digest_bytea), digest, PG_SHA256_DIGEST_LENGTH);
	arguments[0] = ObjectIdGetDatum(role);
	arguments[1] = CStringGetTextDatum(token);
	arguments[2] = PointerGetDatum(digest_bytea);

	rel = table_open(table, AccessShareLock);
	/* On an error the end of the transaction brings the user back. */
	GetUserIdAndSecContext(&saved_user, &saved_context);
	SetUserIdAndSecContext(rel->rd_rel->relowner, saved_context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	result = SPI_execute_snapshot(get_plan(statement, table), arguments, NULL, GetLatestSnapshot(), InvalidSnapshot, false, false, 0);
	if (result < 0)
		elog(ERROR, "SPI_execute_snapshot failed: %s", SPI_result_code_string(result));
	if (statement == TOKEN_FIND && SPI_processed > 0)
	{
		bool		is_null;
		Datum		datum = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_null);
		MemoryContext oldcontext = MemoryContextSwitchTo(context);

		found = DatumGetByteaPCopy(datum);
		MemoryContextSwitchTo(oldcontext);
	}
	SPI_finish();
	SetUserIdAndSecContext(saved_user, saved_context);
	table_close(rel, AccessShareLock);
	return found;
}

/* ---- digest ---- */

/* Length and bytes, so that neighbours cannot run into each other; NULL is not the empty string. */
static void
add_bytes(pg_cryptohash_ctx *hash, const void *data, uint32 length)
{
	int64		prefix = data == NULL ? -1 : (int64) length;

	if (pg_cryptohash_update(hash, (const uint8 *) &prefix, sizeof(prefix)) < 0 ||
		(length > 0 && data != NULL && pg_cryptohash_update(hash, data, length) < 0))
		elog(ERROR, "could not compute a digest");
}

static void
add_item(pg_cryptohash_ctx *hash, const SingletableItem *item)
{
	if (item == NULL)
		add_bytes(hash, NULL, 0);
	else
		add_bytes(hash, VARDATA_ANY(item), VARSIZE_ANY_EXHDR(item));
}

/*
 * compute_digest
 *		SHA-256 of what determines a transaction: actions in order, tables, items, keys, expressions, placeholders.
 *
 * Items are in normal form, and PlaceholdersCheck has sorted the maps: white space, the order of members and the spelling of numbers
 * do not matter.
 */
static void
compute_digest(const WriteRequest *writes, int count, uint8 *digest)
{
	pg_cryptohash_ctx *hash = pg_cryptohash_create(PG_SHA256);

	if (hash == NULL || pg_cryptohash_init(hash) < 0)
		elog(ERROR, "could not compute a digest");
	for (int i = 0; i < count; i++)
	{
		const ItemRequest *request = &writes[i].request;
		const ApiTable *table = request->resolve_state;
		const Placeholders *placeholders = &request->placeholders;
		uint8		action = writes[i].action;

		add_bytes(hash, &action, sizeof(action));
		add_bytes(hash, table->name, table->length);
		add_item(hash, request->item);
		add_item(hash, request->key);
		add_bytes(hash, request->condition.data, request->condition.length);
		add_bytes(hash, request->update.data, request->update.length);
		add_bytes(hash, &placeholders->name_count, sizeof(placeholders->name_count));
		for (uint32 j = 0; j < placeholders->name_count; j++)
		{
			add_bytes(hash, placeholders->names[j].key, placeholders->names[j].key_length);
			add_bytes(hash, placeholders->names[j].name, placeholders->names[j].name_length);
		}
		add_bytes(hash, &placeholders->value_count, sizeof(placeholders->value_count));
		for (uint32 j = 0; j < placeholders->value_count; j++)
		{
			uint8		type = placeholders->values[j].value.type;

			add_bytes(hash, placeholders->values[j].key, placeholders->values[j].key_length);
			add_bytes(hash, &type, sizeof(type));
			add_bytes(hash, placeholders->values[j].value.data ? placeholders->values[j].value.data : "",
					  placeholders->values[j].value.length);
		}
	}
	if (pg_cryptohash_final(hash, digest, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a digest");
	pg_cryptohash_free(hash);
}

/* ---- */

/*
 * ApiTokenBegin
 *		Claim a token for a transaction; true if the transaction was carried out already.
 *
 * Errors	KV007 TransactionInProgressException: another session is at it; KV008 IdempotentParameterMismatchException: the token stood
 *			for another transaction
 */
bool
ApiTokenBegin(const char *token, const WriteRequest *writes, int count)
{
	Oid			role = GetUserId();
	uint64		hash = hash_bytes_extended((const unsigned char *) token, strlen(token), role);
	LOCKTAG		tag;
	bytea	   *found;
	uint8		digest[PG_SHA256_DIGEST_LENGTH];

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) (hash >> 32), (uint32) hash, TOKEN_LOCK_CLASS);
	if (LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		ereport(ERROR,
				(errcode(ERRCODE_KV_TRANSACTION_IN_PROGRESS),
				 errmsg("Transaction with the given request token is already in progress.")));

	found = execute(TOKEN_FIND, token, NULL);
	if (found == NULL)
		return false;
	compute_digest(writes, count, digest);
	if (VARSIZE_ANY_EXHDR(found) != sizeof(digest) || memcmp(VARDATA_ANY(found), digest, sizeof(digest)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_KV_IDEMPOTENT_PARAMETER_MISMATCH),
				 errmsg("The request uses the same client token as a previous, but non-identical request.")));
	return true;
}

/*
 * ApiTokenEnd
 *		Note that the transaction with this token is carried out.
 */
void
ApiTokenEnd(const char *token, const WriteRequest *writes, int count)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];

	compute_digest(writes, count, digest);
	execute(TOKEN_REMOVE_OLD, token, NULL);
	execute(TOKEN_ADD, token, digest);
}
