/*
 * src/endpoint/turn.c
 *		A turn of a worker: transactions commit without waiting for the disk, one flush serves them all, then the answers leave.
 *
 * The rule: no answer, of a read either, shows what a crash could take back.  For the worker's own commits the order flush, then send, is enough.
 * Another worker's commit is visible before it is durable, so that worker announces it before: EndpointWorkerState.unflushed is
 * ENDPOINT_LSN_PENDING from before the commit record exists until its position is known, then that position until it is flushed.  Who
 * finishes a turn reads all of them after its snapshots were taken, and flushes up to the highest.  src/README has the argument.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "miscadmin.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "storage/ipc.h"

#include "base/compat.h"
#include "endpoint/endpoint_internal.h"

#define TURN_MAX_ANSWERS 16		/* ... or the first answers wait for the last request */
#define TURN_MAX_TIME 1000		/* us */

typedef struct TurnAnswer
{
	Connection *connection;
	int			operation;
	int			status;
	int64		started;		/* us */
} TurnAnswer;

/* In SyncRepWaitForLSN: handle_stop looks at it. */
volatile sig_atomic_t is_waiting_for_standby = false;

static EndpointWorkerState *own_state;
static TurnAnswer answers[TURN_MAX_ANSWERS];
static int	answer_count = 0;

static XLogRecPtr turn_lsn = InvalidXLogRecPtr; /* own commits are visible up to here, and perhaps not durable */
static XLogRecPtr flushed_lsn = InvalidXLogRecPtr;	/* all up to here is durable */
static bool announce_commit = false;	/* the transaction will commit without a flush of its own */

/* ---------------------------------------------------------------------------------------------------------------------
 * Commit
 */

/* Runs before the commit record is written.  Transactions that wrote nothing become visible to nobody. */
static void
announce(XactEvent event, void *argument)
{
	if (event == XACT_EVENT_PRE_COMMIT && announce_commit && TransactionIdIsValid(GetTopTransactionIdIfAny()))
		pg_atomic_write_u64(&own_state->unflushed, ENDPOINT_LSN_PENDING);
}

/* Replaces the announcement by what is known, also after an error. */
static void
announce_position(void)
{
	announce_commit = false;
	if (pg_atomic_read_u64(&own_state->unflushed) != ENDPOINT_LSN_PENDING)
		return;
	turn_lsn = Max(turn_lsn, XactLastCommitEnd);
	pg_atomic_write_u64(&own_state->unflushed, turn_lsn > flushed_lsn ? turn_lsn : 0);
}

/*
 * TurnCommitTransaction
 *		Commit; in batch mode TurnFinish makes it durable.
 *
 * The variable is assigned and not the setting, so that SyncRepWaitForLSN in TurnFinish waits for what the setting asks for.
 */
void
TurnCommitTransaction(void)
{
	int			configured = synchronous_commit;

	if (endpoint_commit == ENDPOINT_COMMIT_EACH || configured == SYNCHRONOUS_COMMIT_OFF)
	{
		CommitTransactionCommand();
		return;
	}
	PG_TRY();
	{
		announce_commit = true;
		synchronous_commit = SYNCHRONOUS_COMMIT_OFF;
		CommitTransactionCommand();
	}
	PG_FINALLY();
	{
		synchronous_commit = configured;
		announce_position();
	}
	PG_END_TRY();
}

/*
 * insert_position
 *		A position up to which WAL can be flushed, and not below any commit record that was written before.
 *
 * GetXLogInsertRecPtr names the place of the next record, behind a page's header where a page is full: no WAL ends there yet.
 */
static XLogRecPtr
insert_position(void)
{
	XLogRecPtr	position = GetXLogInsertRecPtr();

	if (XLogSegmentOffset(position, wal_segment_size) == SizeOfXLogLongPHD)
		return position - SizeOfXLogLongPHD;
	if (position % XLOG_BLCKSZ == SizeOfXLogShortPHD)
		return position - SizeOfXLogShortPHD;
	return position;
}

/*
 * wait_for_standbys
 *		Wait as synchronous_commit asks for.  A worker that is told to stop meanwhile ends at once: what the standbys have is not known, so
 *		nothing may be answered.
 */
static void
wait_for_standbys(XLogRecPtr target)
{
	/* SyncRepWaitForLSN demands it. */
	HOLD_INTERRUPTS();
	is_waiting_for_standby = true;
	if (stop_requested)
		ProcDiePending = true;
	SyncRepWaitForLSN(target, true);
	is_waiting_for_standby = false;
	RESUME_INTERRUPTS();
	if (ProcDiePending)
		proc_exit(1);
}

/* Makes durable all that the answers of this turn may have seen. */
static void
flush_commits(void)
{
	XLogRecPtr	target = turn_lsn;
	bool		is_pending = false;

	/* All snapshots of this turn were taken before. */
	pg_memory_barrier();
	for (int i = 0; i < EndpointWorkerCount(); i++)
	{
		uint64		unflushed = pg_atomic_read_u64(&WorkerState(i)->unflushed);

		if (unflushed == ENDPOINT_LSN_PENDING)
			is_pending = true;
		else
			target = Max(target, (XLogRecPtr) unflushed);
	}
	if (is_pending)
		target = Max(target, insert_position());
	if (target > flushed_lsn)
	{
		XLogFlush(target);
		if (SyncRepRequested() && SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0')
			wait_for_standbys(target);
		flushed_lsn = target;
	}
	pg_atomic_write_u64(&own_state->unflushed, 0);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Answers
 */

int
TurnAnswerCount(void)
{
	return answer_count;
}

/* Is it time to send what there is? */
bool
TurnIsFull(void)
{
	return answer_count == TURN_MAX_ANSWERS || (answer_count > 0 && EndpointNow() - answers[0].started >= TURN_MAX_TIME);
}

/* Must the answers wait for the disk? */
bool
TurnNeedsFlush(void)
{
	return answer_count > 0 && turn_lsn > flushed_lsn;
}

/* The connection has an answer more; to be called where the turn is not full. */
void
TurnAddAnswer(Connection *connection, int operation, int status, int64 started)
{
	Assert(answer_count < TURN_MAX_ANSWERS);
	answers[answer_count].connection = connection;
	answers[answer_count].operation = operation;
	answers[answer_count].status = status;
	answers[answer_count].started = started;
	answer_count++;
	connection->in_turn = true;
}

/*
 * TurnFinish
 *		Make durable what was done and seen, send the answers, count them.
 *
 * Connections may be closed by it; they are freed by ConnectionSweep only.
 */
void
TurnFinish(void)
{
	int			count = answer_count;
	int64		now;

	if (count == 0)
		return;
	flush_commits();
	answer_count = 0;
	for (int i = 0; i < count; i++)
	{
		Connection *connection = answers[i].connection;

		if (connection->in_turn)
		{
			connection->in_turn = false;
			ConnectionSend(connection);
		}
	}
	now = EndpointNow();
	for (int i = 0; i < count; i++)
		StatisticsCount(answers[i].operation, answers[i].status, now - answers[i].started);
}

/*
 * TurnInit
 *		A worker that ended before it had flushed has left its announcement: its successor makes good for it.
 */
void
TurnInit(int worker)
{
	uint64		unflushed;

	own_state = WorkerState(worker);
	unflushed = pg_atomic_read_u64(&own_state->unflushed);
	if (unflushed != 0)
		flush_commits();
	RegisterXactCallback(announce, NULL);
}
