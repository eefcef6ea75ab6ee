/*
 * src/endpoint/endpoint_internal.h
 *		What the files of the endpoint share: settings, shared memory, connections, turns and answers.
 *
 * The words.  A worker is a background worker that owns connections.  A turn is one round of its loop: requests are executed and their answers
 * collected, then the turn is finished: WAL is flushed, and the answers are sent.  The first workers are active, the others are a reserve
 * that takes connections of workers which are stuck in a request.  src/README, "The endpoint", says why it is safe.
 */
#ifndef SINGLETABLE_ENDPOINT_INTERNAL_H
#define SINGLETABLE_ENDPOINT_INTERNAL_H

#include "access/xlogdefs.h"
#include "lib/ilist.h"
#include "lib/stringinfo.h"
#include "port.h"
#include "port/atomics.h"
#include "storage/latch.h"

#include "endpoint/http.h"

#define ENDPOINT_NAME "singletable endpoint"	/* of the workers in pg_stat_activity, and in the log */

/* ---------------------------------------------------------------------------------------------------------------------
 * Settings (endpoint.c): README, "Settings"
 */

#define ENDPOINT_MAX_WORKERS 64
#define ENDPOINT_MAX_LISTENERS 16

typedef enum EndpointAuthentication
{
	ENDPOINT_SIGNATURE,
	ENDPOINT_NO_AUTHENTICATION
} EndpointAuthentication;

typedef enum EndpointCommit
{
	ENDPOINT_COMMIT_BATCH,
	ENDPOINT_COMMIT_EACH
} EndpointCommit;

extern int	endpoint_port;
extern char *endpoint_listen_addresses;
extern bool endpoint_network_is_protected;
extern char *endpoint_database;
extern char *endpoint_role;
extern int	endpoint_workers;
extern int	endpoint_active_workers;	/* 0: as many as there are processors */
extern int	endpoint_authentication;
extern char *endpoint_anonymous_role;	/* "": endpoint_role */
extern int	endpoint_commit;
extern int	endpoint_max_connections;	/* in all workers */
extern int	endpoint_header_timeout;	/* ms */
extern int	endpoint_idle_timeout;	/* ms */
extern int	endpoint_body_timeout;	/* ms */
extern int	endpoint_max_header_size;	/* kB */
extern int	endpoint_max_body_size; /* kB */
extern char *endpoint_cors_origin;	/* "": "*" where signatures are verified, else none */

/* May requests go without a signature?  Only while every listening address is a loopback address. */
extern bool EndpointIsAnonymous(void);

/* How many workers there are. */
extern int	EndpointWorkerCount(void);

/* How many of the workers own connections while nothing is stuck. */
extern int	EndpointActiveWorkers(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * Shared memory and inherited descriptors (endpoint.c)
 */

/* A transaction of that worker is about to become visible, its LSN is not known yet. */
#define ENDPOINT_LSN_PENDING PG_UINT64_MAX

/* Written by its worker alone, but for sent. */
typedef struct EndpointWorkerState
{
	pg_atomic_uint32 is_serving;	/* it takes connections */
	pg_atomic_uint32 pid;
	pg_atomic_uint64 busy_since;	/* monotonic time in us at which its request began, 0 between requests */
	pg_atomic_uint32 owned;		/* connections in its hands */
	pg_atomic_uint32 sent;		/* connections ever passed to it, modulo 2^32 ... */
	pg_atomic_uint32 received;	/* ... and those it took: the difference is on its way */
	pg_atomic_uint32 failed_starts; /* in a row */
	pg_atomic_uint64 unflushed; /* where its visible but perhaps not durable commits end; 0 or ENDPOINT_LSN_PENDING */
} EndpointWorkerState;

typedef union EndpointWorkerSlot
{
	EndpointWorkerState state;
	char		padding[PG_CACHE_LINE_SIZE];
} EndpointWorkerSlot;

/* Latencies: four classes in each power of two of microseconds. */
#define ENDPOINT_LATENCY_CLASSES 112

typedef struct EndpointOperationCounts
{
	pg_atomic_uint64 requests;
	pg_atomic_uint64 client_errors; /* status 4xx */
	pg_atomic_uint64 server_errors; /* status 5xx */
	pg_atomic_uint64 total_time;	/* us */
	pg_atomic_uint64 max_time;	/* us */
	pg_atomic_uint64 latencies[ENDPOINT_LATENCY_CLASSES];
} EndpointOperationCounts;

typedef struct EndpointShared
{
	EndpointWorkerSlot workers[ENDPOINT_MAX_WORKERS];
	pg_atomic_uint64 statistics_since;	/* TimestampTz */
	EndpointOperationCounts counts[FLEXIBLE_ARRAY_MEMBER];	/* by operation, then one for what came to none */
} EndpointShared;

extern EndpointShared *endpoint_shared; /* NULL: the library was not preloaded */
extern int	endpoint_listeners[ENDPOINT_MAX_LISTENERS];
extern int	endpoint_listener_count;	/* 0: the endpoint does not listen */
extern int	endpoint_mailboxes[ENDPOINT_MAX_WORKERS][2];	/* datagram socketpairs: [0] the worker reads, [1] others write */

/* One more than the parser's results: too much is buffered already. */
#define HTTP_OUT_OF_MEMORY ((HttpResult) (HTTP_VERSION + 1))

#define WorkerState(number) (&endpoint_shared->workers[number].state)

/* ---------------------------------------------------------------------------------------------------------------------
 * Connections (connection.c)
 */

/* In the first four the connection can be given to another worker. */
typedef enum ConnectionPhase
{
	CONNECTION_IDLE,			/* no byte of a request has come */
	CONNECTION_HEAD,			/* part of a head */
	CONNECTION_BODY,			/* the head, part of a body */
	CONNECTION_REQUEST,			/* more than one request came: the next one is waiting in input */
	CONNECTION_SENDING,			/* the client does not read as fast as we answer: nothing is read meanwhile */
	CONNECTION_LINGERING		/* all is said; what the client still sends is read and dropped, or a reset might eat the answer */
} ConnectionPhase;

typedef struct Connection
{
	dlist_node	node;			/* in the list of all */
	volatile pgsocket fd;		/* PGINVALID_SOCKET once it is closed or was given away; the struct is freed between turns */
	int			event_position; /* in the wait event set; -1 if it is not in it yet */
	uint32		watched;		/* events it is in there for */
	ConnectionPhase phase;
	bool		close_when_sent;
	bool		in_turn;		/* has answers that wait for the end of the turn */
	int64		since;			/* when the phase began, us */
	size_t		progress;		/* bytes that came or went in this phase */
	int64		deadline;		/* us */
	HttpParser	parser;
	char	   *input;			/* of incomplete messages only */
	size_t		input_length;
	size_t		input_size;
	StringInfoData output;		/* data NULL when there is none */
	size_t		output_sent;
	size_t		output_counted; /* bytes of it in the worker's sum of buffers */
} Connection;

extern dlist_head connections;	/* changes never while a request is executed */
extern bool connections_changed;	/* some are closed or were given away: the wait event set must be made anew */
extern bool connections_touched;	/* some are new, or wait for something else */
extern bool requests_are_waiting;	/* there are connections in CONNECTION_REQUEST */
extern Connection *current_connection;	/* whose request is being looked at */

extern void ConnectionInit(int worker);
extern Connection *ConnectionAdopt(pgsocket fd);
extern void ConnectionResume(Connection *connection, const HttpParser *parser, ConnectionPhase phase, int64 since, size_t progress,
							 const char *input, size_t length);
extern void ConnectionRead(Connection *connection);
extern void ConnectionContinue(Connection *connection);
extern StringInfo ConnectionOutput(Connection *connection);
extern void ConnectionSend(Connection *connection);
extern void ConnectionClose(Connection *connection);
extern void ConnectionSweep(void);
extern int64 ConnectionCheckDeadlines(int64 now);
extern int	ConnectionCount(void);
extern int	ConnectionCapacity(void);
extern uint32 ConnectionEvents(const Connection *connection);

/* ---------------------------------------------------------------------------------------------------------------------
 * Answers (answer.c, dispatch.c)
 */

typedef struct Answer
{
	int			status;
	const char *content_type;	/* NULL for none */
	StringInfoData body;
	bool		close;			/* the connection, behind it */
	int			operation;		/* whom it counts for: a number of api.h, or the number of operations */
} Answer;

extern void AnswerInit(Answer *answer, int status);
extern void AnswerException(Answer *answer, const char *name, const char *message, const char *members);
extern bool AnswerError(Answer *answer, const ErrorData *error);
extern const char *AnswerOrigin(void);
extern void AnswerWrite(Connection *connection, const HttpRequest *request, Answer *answer, int64 started);
extern void AnswerFault(Connection *connection, HttpResult fault, int64 started);

extern void DispatchRequest(Connection *connection, const HttpRequest *request);

/* ---------------------------------------------------------------------------------------------------------------------
 * Execution and turns (execute.c, turn.c)
 */

extern MemoryContext endpoint_context;	/* of what lives longer than a request */
extern MemoryContext request_context;	/* reset before each request */

extern void ExecuteRequest(const HttpRequest *request, HttpText body, int operation, Answer *answer);

extern void TurnInit(int worker);
extern int	TurnAnswerCount(void);
extern bool TurnIsFull(void);
extern bool TurnNeedsFlush(void);
extern void TurnAddAnswer(Connection *connection, int operation, int status, int64 started);
extern void TurnFinish(void);
extern void TurnCommitTransaction(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * Hand-over (handover.c)
 */

extern volatile sig_atomic_t stop_requested;	/* worker.c */
extern volatile sig_atomic_t is_executing;	/* a request, so that the list of connections stands still */

extern volatile sig_atomic_t is_waiting_for_standby;	/* turn.c: in TurnFinish */

extern void HandoverForget(void);
extern void HandoverInit(int worker);
extern void HandoverBegin(int64 now);
extern void HandoverEnd(void);
extern int32 HandoverLoad(EndpointWorkerState *state);
extern int	HandoverChooseTarget(bool or_self);
extern bool HandoverSend(int target, pgsocket fd);
extern void HandoverReceive(void);
extern void HandoverReturn(void);
extern void HandoverLeave(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * The rest
 */

extern void StatisticsCount(int operation, int status, int64 microseconds);
extern Size StatisticsSize(void);
extern void StatisticsInit(EndpointShared *shared);
extern void StatisticsReset(EndpointShared *shared);

/* Monotonic time, us; never 0.  Callable from a signal handler. */
extern int64 EndpointNow(void);

#endif							/* SINGLETABLE_ENDPOINT_INTERNAL_H */
