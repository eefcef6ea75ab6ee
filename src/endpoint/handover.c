/*
 * src/endpoint/handover.c
 *		Connections that go from worker to worker: balance, and away from a worker that is stuck in a request.
 *
 * A connection is a descriptor in a datagram of the receiver's mailbox, a socketpair.  What a client has sent and nobody has read yet stays in the
 * kernel and goes along; the beginning of a request that was read already goes in the datagram.  So any connection that waits for its client can be
 * passed at any time, also from a signal handler.
 *
 * While a request is executed a timer runs.  Its handler runs inside the signal, in the middle of anything: it uses atomics, clock_gettime, sendmsg,
 * recvmsg and close, and what it reads of the connections stands still as long as is_executing is set.
 */
#include "postgres.h"

#include <sys/socket.h>
#include <unistd.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "storage/fd.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "endpoint/endpoint_internal.h"

#define HANDOVER_PERIOD 5		/* ms: how soon, and how often, a request's worker looks for connections to give away */
#define STUCK_AFTER 2000		/* us: who executes a request for longer gets no connections */
#define LONG_COMPUTATION 4000	/* us of processor time */
#define BALANCE_PERIOD 10000	/* us */
#define STOP_PATIENCE 1000000	/* us: a request that does not end although the worker was told to stop */
#define MAX_PASSED_INPUT (48 * 1024)	/* bytes of a request that go along */
#define RECEIVE_AT_ONCE 64		/* connections */

/* recvmsg marks what it receives where the system knows how; elsewhere programs that the server starts inherit it. */
#ifdef MSG_CMSG_CLOEXEC
#define RECEIVE_CLOSE_ON_EXEC MSG_CMSG_CLOEXEC
#else
#define RECEIVE_CLOSE_ON_EXEC 0
#endif

volatile sig_atomic_t is_executing = false;

/* What a datagram begins with; the input follows, as much as its length tells. */
typedef struct HandoverState
{
	HttpParser	parser;
	ConnectionPhase phase;
	int64		since;			/* us */
	size_t		progress;
} HandoverState;

static int	own_number = -1;
static EndpointWorkerState *own_state;
static TimeoutId handover_timeout;
/* One at a time: the handler runs only while nobody else receives. */
static HandoverState received_state;
static char received_input[MAX_PASSED_INPUT];

static int64 stop_noticed = 0;	/* us: the first tick after the worker was told to stop */
static int64 processor_time_begun;	/* us, at the first tick of the request's timer; 0 before */

/* ---------------------------------------------------------------------------------------------------------------------
 * Sending and receiving; async-signal-safe
 */

static bool
send_message(int target, pgsocket fd, const HandoverState *state, const char *input, size_t input_length)
{
	union
	{
		struct cmsghdr header;
		char		space[CMSG_SPACE(sizeof(int))];
	}			control;
	struct iovec vectors[2] = {
		{.iov_base = unconstify(HandoverState *, state), .iov_len = sizeof(HandoverState)},
		{.iov_base = unconstify(char *, input), .iov_len = input_length}
	};
	struct msghdr datagram;
	struct cmsghdr *header;

	memset(&control, 0, sizeof(control));
	memset(&datagram, 0, sizeof(datagram));
	datagram.msg_iov = vectors;
	datagram.msg_iovlen = input_length > 0 ? 2 : 1;
	datagram.msg_control = control.space;
	datagram.msg_controllen = sizeof(control.space);
	header = CMSG_FIRSTHDR(&datagram);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(int));
	return sendmsg(endpoint_mailboxes[target][1], &datagram, MSG_DONTWAIT) >= 0;
}

/* The next connection of a mailbox, PGINVALID_SOCKET if there is none; what goes along is in received_state and received_input. */
static pgsocket
receive_message(int mailbox, size_t *input_length)
{
	union
	{
		struct cmsghdr header;
		char		space[CMSG_SPACE(sizeof(int))];
	}			control;
	struct iovec vectors[2] = {
		{.iov_base = &received_state, .iov_len = sizeof(received_state)},
		{.iov_base = received_input, .iov_len = sizeof(received_input)}
	};
	struct msghdr datagram;
	ssize_t		length;

	memset(&datagram, 0, sizeof(datagram));
	datagram.msg_iov = vectors;
	datagram.msg_iovlen = 2;
	datagram.msg_control = control.space;
	datagram.msg_controllen = sizeof(control.space);
	length = recvmsg(endpoint_mailboxes[mailbox][0], &datagram, MSG_DONTWAIT | RECEIVE_CLOSE_ON_EXEC);
	if (length < (ssize_t) sizeof(received_state))
		return PGINVALID_SOCKET;
	*input_length = length - sizeof(received_state);
	for (struct cmsghdr *header = CMSG_FIRSTHDR(&datagram); header != NULL; header = CMSG_NXTHDR(&datagram, header))
		if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
		{
			pgsocket	fd;

			memcpy(&fd, CMSG_DATA(header), sizeof(int));
			return fd;
		}
	return PGINVALID_SOCKET;
}

/*
 * HandoverForget
 *		After a crash, in the postmaster: the counters begin anew, so nothing may be left in the mailboxes.
 */
void
HandoverForget(void)
{
	pgsocket	fd;
	size_t		input_length;

	for (int i = 0; i < ENDPOINT_MAX_WORKERS && endpoint_mailboxes[i][0] > 0; i++)
		while ((fd = receive_message(i, &input_length)) != PGINVALID_SOCKET)
			close(fd);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Whom to send to; async-signal-safe
 */

/* The connections of a worker and those on their way to it. */
int32
HandoverLoad(EndpointWorkerState *state)
{
	return (int32) (pg_atomic_read_u32(&state->owned) + pg_atomic_read_u32(&state->sent) - pg_atomic_read_u32(&state->received));
}

static bool
worker_is_free(EndpointWorkerState *state, int64 now)
{
	int64		busy_since = (int64) pg_atomic_read_u64(&state->busy_since);

	return pg_atomic_read_u32(&state->is_serving) != 0 && (busy_since == 0 || now - busy_since < STUCK_AFTER) &&
		HandoverLoad(state) < ConnectionCapacity();
}

/* The least loaded free worker of a range, -1 if there is none. */
static int
least_loaded(int begin, int end, int except, int64 now)
{
	int			best = -1;
	int32		best_load = 0;

	for (int i = begin; i < end; i++)
	{
		EndpointWorkerState *state = WorkerState(i);
		int32		load;

		if (i == except || !worker_is_free(state, now))
			continue;
		load = HandoverLoad(state);
		if (best < 0 || load < best_load)
		{
			best = i;
			best_load = load;
		}
	}
	return best;
}

/*
 * HandoverChooseTarget
 *		The worker to give a connection to: a free one, of the active ones if possible; -1 if there is none.
 */
int
HandoverChooseTarget(bool or_self)
{
	int64		now = EndpointNow();
	int			active = EndpointActiveWorkers();
	int			except = or_self ? -1 : own_number;
	int			target = least_loaded(0, active, except, now);

	return target >= 0 ? target : least_loaded(active, EndpointWorkerCount(), except, now);
}

/* Passes a connection on; the caller closes its own descriptor if that succeeds. */
static bool
pass_on(int target, pgsocket fd, const HandoverState *state, const char *input, size_t input_length)
{
	pg_atomic_uint32 *sent = &WorkerState(target)->sent;

	/* Counted before it is sent, so that the difference to those received is never negative. */
	pg_atomic_fetch_add_u32(sent, 1);
	if (send_message(target, fd, state, input, input_length))
		return true;
	pg_atomic_fetch_sub_u32(sent, 1);
	return false;
}

/* Passes a new connection on. */
bool
HandoverSend(int target, pgsocket fd)
{
	static const HandoverState state = {.phase = CONNECTION_IDLE};

	return pass_on(target, fd, &state, NULL, 0);
}

/* May this connection leave?  If it waits for its client, and not too much of a request has come. */
static bool
can_leave(const Connection *connection)
{
	return connection->fd != PGINVALID_SOCKET && connection != current_connection && !connection->in_turn && !connection->close_when_sent &&
		connection->phase <= CONNECTION_REQUEST && connection->input_length <= MAX_PASSED_INPUT && connection->output.data == NULL;
}

static bool
give_away(Connection *connection, int target)
{
	HandoverState state;

	memset(&state, 0, sizeof(state));
	state.parser = connection->parser;
	state.phase = connection->phase;
	state.since = connection->since;
	state.progress = connection->progress;
	if (!pass_on(target, connection->fd, &state, connection->input, connection->input_length))
		return false;
	close(connection->fd);
	connection->fd = PGINVALID_SOCKET;
	connections_changed = true;
	pg_atomic_fetch_sub_u32(&own_state->owned, 1);
	return true;
}

/* Gives away what can be given, as long as somebody is free; what is still in the mailbox goes first. */
static void
give_all_away(void)
{
	dlist_iter	iter;
	int			target;
	pgsocket	fd;
	size_t		input_length;

	while ((target = HandoverChooseTarget(false)) >= 0 && (fd = receive_message(own_number, &input_length)) != PGINVALID_SOCKET)
	{
		pg_atomic_fetch_add_u32(&own_state->received, 1);
		/* Back into our own mailbox if the other one is full. */
		if (!pass_on(target, fd, &received_state, received_input, input_length))
		{
			(void) pass_on(own_number, fd, &received_state, received_input, input_length);
			close(fd);
			return;
		}
		close(fd);
	}
	dlist_foreach(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);

		if (!can_leave(connection))
			continue;
		target = HandoverChooseTarget(false);
		if (target < 0 || !give_away(connection, target))
			return;
	}
}

/* ---------------------------------------------------------------------------------------------------------------------
 * The timer
 */

/* Processor time of this process, us. */
static int64
processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/*
 * is_stuck
 *		Does the request wait for something, or compute for long?
 *
 * A process that was only kept from running by others goes on right behind this signal: giving its connections away would help nobody, and on
 * a busy machine it would do so all the time.
 */
static bool
is_stuck(void)
{
	return *my_wait_event_info != 0 || processor_time() - processor_time_begun >= LONG_COMPUTATION;
}

static void
handle_timeout(void)
{
	int			save_errno = errno;

	if (is_executing)
	{
		int64		now = EndpointNow();
		int64		busy_since = (int64) pg_atomic_read_u64(&own_state->busy_since);

		if (processor_time_begun == 0)
			processor_time_begun = processor_time();
		if (busy_since != 0 && now - busy_since >= STUCK_AFTER && is_stuck())
			give_all_away();
		/* The request was cancelled when the worker was told to stop; one that caught it must not hold up the server's shutdown. */
		if (stop_requested && stop_noticed == 0)
			stop_noticed = now;
		if (stop_requested && now - stop_noticed >= STOP_PATIENCE)
		{
			InterruptPending = true;
			ProcDiePending = true;
		}
		TimeoutEveryRearm(handover_timeout, HANDOVER_PERIOD);
	}
	errno = save_errno;
}

/* A request begins: others see that we are busy, and the timer runs. */
void
HandoverBegin(int64 now)
{
	pg_atomic_write_u64(&own_state->busy_since, (uint64) now);
	processor_time_begun = 0;
	is_executing = true;
	/* The signal may have come just before. */
	if (stop_requested)
	{
		QueryCancelPending = true;
		InterruptPending = true;
	}
	EnableTimeoutEvery(handover_timeout, HANDOVER_PERIOD);
}

void
HandoverEnd(void)
{
	disable_timeout(handover_timeout, false);
	is_executing = false;
	/* A cancel that came too late must not hit what is not a request. */
	QueryCancelPending = false;
	pg_atomic_write_u64(&own_state->busy_since, 0);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Between requests
 */

/* Takes the connections out of our mailbox. */
void
HandoverReceive(void)
{
	for (int i = 0; i < RECEIVE_AT_ONCE; i++)
	{
		size_t		input_length;
		pgsocket	fd = receive_message(own_number, &input_length);
		Connection *connection;

		if (fd == PGINVALID_SOCKET)
			break;
		/* Owned before it counts as received: a reader in between sees one too many, not one too few. */
		connection = ConnectionAdopt(fd);
		if (input_length > 0)
			ConnectionResume(connection, &received_state.parser, received_state.phase, received_state.since, received_state.progress,
							 received_input, input_length);
		pg_atomic_fetch_add_u32(&own_state->received, 1);
	}
}

/* Gives that many connections to free active workers, if there are so many that can leave. */
static void
give_some_away(int active, int count)
{
	dlist_iter	iter;

	dlist_foreach(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);
		int			target;

		if (count <= 0)
			return;
		if (!can_leave(connection))
			continue;
		target = least_loaded(0, active, own_number, EndpointNow());
		if (target < 0 || !give_away(connection, target))
			return;
		count--;
	}
}

/*
 * HandoverReturn
 *		A worker of the reserve gives all back to free active workers; an active one gives what it has more than another.
 */
void
HandoverReturn(void)
{
	static int64 balanced = 0;	/* us */
	int			active = EndpointActiveWorkers();
	int			target;
	int64		now;

	if (ConnectionCount() == 0)
		return;
	if (own_number >= active)
	{
		give_some_away(active, INT_MAX);
		return;
	}
	if (active == 1)
		return;
	now = EndpointNow();
	if (now - balanced < BALANCE_PERIOD)
		return;
	balanced = now;
	target = least_loaded(0, active, own_number, now);
	if (target >= 0)
		give_some_away(active, (HandoverLoad(own_state) - HandoverLoad(WorkerState(target))) / 2);
}

/* The worker ends: others go on with its connections, if there are any. */
void
HandoverLeave(void)
{
	give_all_away();
}

void
HandoverInit(int worker)
{
	own_number = worker;
	/* The handler must not be the first to count the processors. */
	(void) EndpointActiveWorkers();
	own_state = WorkerState(worker);
	handover_timeout = RegisterTimeout(USER_TIMEOUT, handle_timeout);
}
