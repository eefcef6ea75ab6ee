/*
 * src/endpoint/worker.c
 *		A worker: its start, its loop, its end.
 */
#include "postgres.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "access/xact.h"
#include "libpq/pqsignal.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "replication/syncrep.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/sinval.h"
#include "tcop/tcopprot.h"
#include "utils/backend_status.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "endpoint/credential.h"
#include "endpoint/endpoint_internal.h"
#include "endpoint/signature.h"

#define EVENTS_AT_ONCE 64
#define ACCEPT_AT_ONCE 16
#define CHECK_PERIOD 1000000	/* us: deadlines of connections, and the limit of connections */
#define MAX_START_DELAY 10		/* s */
#define SPARE_EVENTS 16			/* room in the wait event set for connections that come */

volatile sig_atomic_t stop_requested = false;

PGDLLEXPORT void EndpointWorkerMain(Datum argument);

static int	own_number;
static EndpointWorkerState *own_state;
static WaitEventSet *wait_set = NULL;
static int	wait_set_room = 0;
static bool watches_listeners = false;
static int64 listeners_paused_until = 0;	/* us */
static uint32 wait_event;

/* What an event of the set is for: a connection, or one of these. */
static char mailbox_marker;
static char listener_markers[ENDPOINT_MAX_LISTENERS];

/* ---------------------------------------------------------------------------------------------------------------------
 * Signals
 */

/* pg_cancel_backend, and the server's time-outs: only a request can be cancelled. */
static void
handle_cancel(SIGNAL_ARGS)
{
	if (is_executing)
		StatementCancelHandler(postgres_signal_arg);
}

/*
 * handle_stop
 *		The worker shall end: after this turn, without the request that is being executed.
 *
 * Who waits for a standby dies instead, for its answers may not be sent.
 */
static void
handle_stop(SIGNAL_ARGS)
{
	int			save_errno = errno;

	stop_requested = true;
	pg_atomic_write_u32(&own_state->is_serving, 0);
	if (is_waiting_for_standby || (is_executing && MyProc->syncRepState == SYNC_REP_WAITING))
	{
		ProcDiePending = true;
		InterruptPending = true;
	}
	else if (is_executing)
	{
		QueryCancelPending = true;
		InterruptPending = true;
	}
	SetLatch(MyLatch);
	errno = save_errno;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * New connections
 */

/* All workers' connections, and those on their way. */
static int
total_connections(void)
{
	int			total = 0;

	for (int i = 0; i < EndpointWorkerCount(); i++)
		total += HandoverLoad(WorkerState(i));
	return total;
}

/* At a limit new clients wait in the kernel's queue. */
static bool
may_accept(int64 now)
{
	return now >= listeners_paused_until && ConnectionCount() < ConnectionCapacity() && total_connections() < endpoint_max_connections;
}

/*
 * accept_connections
 *		Take new connections, and give each to the worker with the fewest.
 */
static void
accept_connections(int listener)
{
	for (int i = 0; i < ACCEPT_AT_ONCE && may_accept(EndpointNow()); i++)
	{
		int			on = 1;
		int			target;
		pgsocket	fd = accept(listener, NULL, NULL);

		if (fd == PGINVALID_SOCKET)
		{
			if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			{
				ereport(LOG, (errmsg(ENDPOINT_NAME " could not accept a connection: %m")));
				listeners_paused_until = EndpointNow() + CHECK_PERIOD;
				connections_changed = true;
			}
			return;
		}
		if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !pg_set_noblock(fd) ||
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0)
		{
			close(fd);
			continue;
		}
		target = HandoverChooseTarget(true);
		if (target >= 0 && WorkerState(target) != own_state && HandoverSend(target, fd))
			close(fd);
		else
			ConnectionAdopt(fd);
	}
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Waiting
 */

static void
watch_connection(Connection *connection)
{
	connection->watched = ConnectionEvents(connection);
	connection->event_position = AddWaitEventToSet(wait_set, connection->watched, connection->fd, NULL, connection);
	wait_set_room--;
}

/* A set has no way to remove something, so it is made anew, at most once a turn. */
static void
make_wait_set(int64 now)
{
	dlist_iter	iter;
	int			size;

	ConnectionSweep();
	if (wait_set != NULL)
	{
		FreeWaitEventSet(wait_set);
		wait_set = NULL;
	}
	size = ConnectionCount() * 2 + SPARE_EVENTS;
	wait_set = CreateSessionWaitEventSet(size + endpoint_listener_count + 3);
	wait_set_room = size;
	AddWaitEventToSet(wait_set, WL_LATCH_SET, PGINVALID_SOCKET, MyLatch, NULL);
	AddWaitEventToSet(wait_set, WL_EXIT_ON_PM_DEATH, PGINVALID_SOCKET, NULL, NULL);
	AddWaitEventToSet(wait_set, WL_SOCKET_READABLE, endpoint_mailboxes[own_number][0], NULL, &mailbox_marker);
	watches_listeners = may_accept(now);
	for (int i = 0; watches_listeners && i < endpoint_listener_count; i++)
		AddWaitEventToSet(wait_set, WL_SOCKET_READABLE, endpoint_listeners[i], NULL, &listener_markers[i]);
	dlist_foreach(iter, &connections)
		watch_connection(dlist_container(Connection, node, iter.cur));
	connections_changed = false;
	connections_touched = false;
}

/* Brings the set up to date: new connections, and what each waits for. */
static void
update_wait_set(int64 now)
{
	dlist_iter	iter;

	if (wait_set == NULL || connections_changed || may_accept(now) != watches_listeners)
	{
		make_wait_set(now);
		return;
	}
	if (!connections_touched)
		return;
	connections_touched = false;
	dlist_foreach(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);

		if (connection->event_position < 0)
		{
			if (wait_set_room == 0)
			{
				make_wait_set(now);
				return;
			}
			watch_connection(connection);
		}
		else if (connection->watched != ConnectionEvents(connection))
		{
			connection->watched = ConnectionEvents(connection);
			ModifyWaitEvent(wait_set, connection->event_position, connection->watched, NULL);
		}
	}
}

/*
 * wait_for_events
 *		What has happened; waits only where nothing has.
 *
 * Before it waits it reports that it is idle, which a busy worker need not do.
 */
static int
wait_for_events(WaitEvent *events, bool may_wait)
{
	static int64 next_check = 0;	/* us */
	static bool is_idle = false;
	int64		now = EndpointNow();
	int			count;
	int64		timeout;
	long		statistics_timeout;

	if (now >= next_check)
	{
		int64		earliest = ConnectionCheckDeadlines(now);

		next_check = Max(Min(earliest, now + CHECK_PERIOD), now + 10000);
	}
	update_wait_set(now);
	count = WaitEventSetWait(wait_set, 0, events, EVENTS_AT_ONCE, wait_event);
	if (count > 0 || !may_wait)
	{
		is_idle = is_idle && count == 0;
		return count;
	}

	if (!is_idle)
		pgstat_report_activity(STATE_IDLE, NULL);
	is_idle = true;
	statistics_timeout = ReportStatistics();
	/* Without connections, and with the listeners watched, there is nothing to look after. */
	timeout = ConnectionCount() == 0 && watches_listeners ? -1 : Max((next_check - now) / 1000, 1);
	if (statistics_timeout > 0 && (timeout < 0 || statistics_timeout < timeout))
		timeout = statistics_timeout;
	count = WaitEventSetWait(wait_set, (long) timeout, events, EVENTS_AT_ONCE, wait_event);
	if (count > 0)
		is_idle = false;
	return count;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * The loop
 */

static void
reload_if_asked(void)
{
	static bool warned = false;

	if (!ConfigReloadPending)
		return;
	ConfigReloadPending = false;
	ProcessConfigFile(PGC_SIGHUP);
	if (own_number == 0 && endpoint_authentication == ENDPOINT_NO_AUTHENTICATION && !EndpointIsAnonymous())
	{
		if (!warned)
			ereport(WARNING,
					(errmsg(ENDPOINT_NAME " goes on to verify signatures"),
					 errdetail("singletable.endpoint_authentication \"none\" works on loopback addresses only.")));
		warned = true;
	}
	else
		warned = false;
	connections_changed = true;
}

/* A request more may have been executed. */
static void
finish_full_turn(void)
{
	if (TurnIsFull())
		TurnFinish();
}

/* Connections whose next request came with an earlier one: one request of each. */
static void
take_waiting_requests(void)
{
	dlist_iter	iter;

	if (!requests_are_waiting)
		return;
	requests_are_waiting = false;
	dlist_foreach(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);

		if (connection->fd == PGINVALID_SOCKET)
			continue;
		ConnectionContinue(connection);
		finish_full_turn();
	}
}

/*
 * handle_event
 *		Do what an event asks for.
 *
 * Result	may there be more to do before the turn is finished?
 */
static bool
handle_event(const WaitEvent *event)
{
	if (event->events & WL_LATCH_SET)
	{
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	else if (event->user_data == &mailbox_marker)
		HandoverReceive();
	else if ((char *) event->user_data >= listener_markers && (char *) event->user_data < listener_markers + ENDPOINT_MAX_LISTENERS)
		accept_connections(event->fd);
	else if (event->events & (WL_SOCKET_READABLE | WL_SOCKET_WRITEABLE))
	{
		Connection *connection = event->user_data;

		/* It may have been closed or given away since the wait.  Its end may be what there is to read: not before it has its answer. */
		if (connection->fd == PGINVALID_SOCKET || connection->in_turn)
			return false;
		if (connection->phase == CONNECTION_SENDING)
			ConnectionSend(connection);
		else
			ConnectionRead(connection);
		finish_full_turn();
	}
	return true;
}

static void
serve(void)
{
	WaitEvent	events[EVENTS_AT_ONCE];

	while (!stop_requested)
	{
		int			count;
		bool		go_on = false;

		reload_if_asked();
		/* A cancel that came too late is for nobody. */
		QueryCancelPending = false;
		CHECK_FOR_INTERRUPTS();
		if (catchupInterruptPending)
			ProcessCatchupInterrupt();
		count = wait_for_events(events, !requests_are_waiting && TurnAnswerCount() == 0);
		for (int i = 0; i < count; i++)
			go_on |= handle_event(&events[i]);
		take_waiting_requests();
		/* Requests that came meanwhile shall share the flush; where all connections have answers none can come. */
		go_on = go_on && TurnAnswerCount() < ConnectionCount();
		if ((go_on || requests_are_waiting) && TurnNeedsFlush() && !TurnIsFull())
			continue;
		TurnFinish();
		HandoverReturn();
	}
	TurnFinish();
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Begin and end
 */

/* Others take over the connections that wait for their clients; the kernel closes the rest. */
static void
leave(int code, Datum argument)
{
	/* The timer may still run. */
	is_executing = false;
	pg_atomic_write_u32(&own_state->is_serving, 0);
	pg_atomic_write_u32(&own_state->pid, 0);
	HandoverLeave();
	pg_atomic_write_u32(&own_state->owned, 0);
	pg_atomic_write_u64(&own_state->busy_since, 0);
}

/*
 * connect_to_database
 *		Become a session.  Where that fails (no such database or role) the process ends; each try waits longer, for the sake of the log.
 */
static void
connect_to_database(void)
{
	uint32		failed = pg_atomic_fetch_add_u32(&own_state->failed_starts, 1);

	if (failed > 0)
	{
		int64		until = EndpointNow() + Min(INT64CONST(1) << Min(failed, 10), MAX_START_DELAY) * 1000000;
		int64		rest;

		while ((rest = until - EndpointNow()) > 0)
		{
			WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, (long) (rest / 1000 + 1), PG_WAIT_EXTENSION);
			ResetLatch(MyLatch);
			CHECK_FOR_INTERRUPTS();
		}
	}
	BackgroundWorkerInitializeConnection(endpoint_database, endpoint_role, 0);
	pg_atomic_write_u32(&own_state->failed_starts, 0);
}

void
EndpointWorkerMain(Datum argument)
{
	sigjmp_buf	local_sigjmp_buf;

	own_number = DatumGetInt32(argument);
	own_state = WorkerState(own_number);
	/* The log has said why. */
	if (endpoint_listener_count == 0)
		proc_exit(0);

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	connect_to_database();

	endpoint_context = AllocSetContextCreate(TopMemoryContext, "singletable endpoint", ALLOCSET_DEFAULT_SIZES);
	request_context = AllocSetContextCreate(TopMemoryContext, "singletable endpoint request", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(endpoint_context);
	wait_event = NewWaitEvent("SingletableEndpoint");
	ConnectionInit(own_number);
	HandoverInit(own_number);
	TurnInit(own_number);
	SignatureInit();
	CredentialInit();
	before_shmem_exit(leave, (Datum) 0);
	pqsignal(SIGINT, handle_cancel);
	pqsignal(SIGTERM, handle_stop);

	/* An error outside of requests: the worker begins anew, its successor with a clean memory. */
	if (sigsetjmp(local_sigjmp_buf, 1) != 0)
	{
		error_context_stack = NULL;
		HOLD_INTERRUPTS();
		EmitErrorReport();
		proc_exit(1);
	}
	PG_exception_stack = &local_sigjmp_buf;

	pg_atomic_write_u32(&own_state->pid, (uint32) MyProcPid);
	pg_atomic_write_u32(&own_state->is_serving, 1);
	serve();
	ereport(DEBUG1, (errmsg(ENDPOINT_NAME " %d stops", own_number + 1)));
	proc_exit(1);
}
