/*
 * src/endpoint/connection.c
 *		Connections of a worker: reading requests, sending answers, limits and time-outs.
 *
 * The usual request comes whole in one read.  It is parsed and executed where it lies, in a buffer that all connections share; a connection has
 * memory of its own only while a message is incomplete, more than one request has come, or an answer is not sent yet.
 */
#include "postgres.h"

#include <sys/socket.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "endpoint/endpoint_internal.h"

#define READ_SIZE (64 * 1024)	/* bytes that are read at once */
/* A server process ignores SIGPIPE; where there is a flag it costs nothing. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define LINGER_TIME 1000000		/* us */
#define LINGER_BYTES (4 * 1024 * 1024)	/* that are read and dropped at most */
#define MAX_BUFFERED ((size_t) 256 * 1024 * 1024)	/* bytes of all incomplete requests and unsent answers of a worker */

dlist_head	connections = DLIST_STATIC_INIT(connections);
bool		connections_changed = true;
bool		connections_touched = true;
bool		requests_are_waiting = false;
Connection *current_connection = NULL;

static EndpointWorkerState *own_state;
static int	connection_count = 0;	/* structs in the list */
static int	capacity;
static char *read_buffer;
static size_t buffered = 0;		/* bytes */
static HttpRequest current_request;

int
ConnectionCount(void)
{
	return connection_count;
}

/* How many connections a worker can have: half of its descriptors, fd.c has the others. */
int
ConnectionCapacity(void)
{
	return capacity;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Phases and their time-outs
 */

static void
set_deadline(Connection *connection)
{
	int64		allowed;

	switch (connection->phase)
	{
		case CONNECTION_IDLE:
			allowed = (int64) endpoint_idle_timeout * 1000;
			break;
		case CONNECTION_HEAD:
			allowed = (int64) endpoint_header_timeout * 1000;
			break;
		case CONNECTION_BODY:
		case CONNECTION_SENDING:
			allowed = (int64) endpoint_body_timeout * 1000 + (int64) (connection->progress / 1024) * 1000000;
			break;
		case CONNECTION_LINGERING:
			allowed = LINGER_TIME;
			break;
		case CONNECTION_REQUEST:
		default:
			connection->deadline = PG_INT64_MAX;
			return;
	}
	connection->deadline = connection->since + allowed;
}

/* Enter a phase, or go on in it with some more bytes. */
static void
set_phase(Connection *connection, ConnectionPhase phase, size_t bytes)
{
	if (connection->phase != phase)
	{
		if (phase == CONNECTION_SENDING || connection->phase == CONNECTION_SENDING)
			connections_touched = true;
		connection->phase = phase;
		connection->since = EndpointNow();
		connection->progress = 0;
	}
	else if (phase == CONNECTION_IDLE)
		connection->since = EndpointNow();
	if (phase == CONNECTION_REQUEST)
		requests_are_waiting = true;
	connection->progress += bytes;
	set_deadline(connection);
}

/*
 * ConnectionCheckDeadlines
 *		Close what is overdue.
 *
 * Result	the earliest of the other deadlines, PG_INT64_MAX if there is none
 */
int64
ConnectionCheckDeadlines(int64 now)
{
	int64		earliest = PG_INT64_MAX;
	dlist_iter	iter;

	dlist_foreach(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);

		if (connection->fd == PGINVALID_SOCKET)
			continue;
		/* The settings may have changed. */
		set_deadline(connection);
		if (connection->deadline <= now)
			ConnectionClose(connection);
		else
			earliest = Min(earliest, connection->deadline);
	}
	return earliest;
}

/* What the loop waits for. */
uint32
ConnectionEvents(const Connection *connection)
{
	return connection->phase == CONNECTION_SENDING ? WL_SOCKET_WRITEABLE : WL_SOCKET_READABLE;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Begin and end
 */

/* A descriptor becomes a connection of this worker. */
Connection *
ConnectionAdopt(pgsocket fd)
{
	Connection *connection = MemoryContextAllocZero(endpoint_context, sizeof(Connection));

	connection->fd = fd;
	connection->event_position = -1;
	connection->phase = CONNECTION_IDLE;
	connection->since = EndpointNow();
	set_deadline(connection);
	dlist_push_tail(&connections, &connection->node);
	connection_count++;
	connections_touched = true;
	pg_atomic_fetch_add_u32(&own_state->owned, 1);
	return connection;
}

/* The struct stays until ConnectionSweep, since a turn or an event may still name it. */
void
ConnectionClose(Connection *connection)
{
	if (connection->fd == PGINVALID_SOCKET)
		return;
	close(connection->fd);
	connection->fd = PGINVALID_SOCKET;
	connections_changed = true;
	pg_atomic_fetch_sub_u32(&own_state->owned, 1);
}

static void
free_input(Connection *connection)
{
	if (connection->input != NULL)
	{
		pfree(connection->input);
		buffered -= connection->input_size;
	}
	connection->input = NULL;
	connection->input_length = 0;
	connection->input_size = 0;
}

static void
free_output(Connection *connection)
{
	if (connection->output.data != NULL)
	{
		pfree(connection->output.data);
		buffered -= connection->output_counted;
	}
	connection->output.data = NULL;
	connection->output_sent = 0;
	connection->output_counted = 0;
}

/* Frees connections that are closed or were given away.  None with an answer in the turn is: ConnectionRead is not called for it. */
void
ConnectionSweep(void)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &connections)
	{
		Connection *connection = dlist_container(Connection, node, iter.cur);

		if (connection->fd != PGINVALID_SOCKET)
			continue;
		Assert(!connection->in_turn);
		dlist_delete(&connection->node);
		connection_count--;
		free_input(connection);
		free_output(connection);
		pfree(connection);
	}
}

void
ConnectionInit(int worker)
{
	own_state = WorkerState(worker);
	pg_atomic_write_u32(&own_state->owned, 0);
	/* AcquireExternalFD is made for a few: of all it grants a third, and then a wait event set could not be made. */
	capacity = Max(max_safe_fds / 2, 1);
	max_safe_fds -= capacity;
	read_buffer = MemoryContextAlloc(endpoint_context, READ_SIZE);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Sending
 */

/* The text to append answers to. */
StringInfo
ConnectionOutput(Connection *connection)
{
	if (connection->output.data == NULL)
	{
		MemoryContext previous = MemoryContextSwitchTo(endpoint_context);

		initStringInfo(&connection->output);
		connection->output_sent = 0;
		MemoryContextSwitchTo(previous);
	}
	return &connection->output;
}

/*
 * ConnectionSend
 *		Send what is in the output as far as the kernel takes it.
 *
 * Nothing of a turn that is not finished may be in it.  The connection may be closed by it.
 */
void
ConnectionSend(Connection *connection)
{
	size_t		bytes = 0;

	if (connection->fd == PGINVALID_SOCKET || connection->output.data == NULL)
		return;
	while (connection->output_sent < connection->output.len)
	{
		ssize_t		sent = send(connection->fd, connection->output.data + connection->output_sent,
								connection->output.len - connection->output_sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0)
		{
			if (errno == EINTR)
				continue;
			if (errno != EAGAIN && errno != EWOULDBLOCK)
			{
				ConnectionClose(connection);
				return;
			}
			/* The rest later; only what waits longer than a turn is counted. */
			buffered += connection->output.maxlen - connection->output_counted;
			connection->output_counted = connection->output.maxlen;
			set_phase(connection, CONNECTION_SENDING, bytes);
			return;
		}
		connection->output_sent += sent;
		bytes += sent;
	}
	free_output(connection);

	if (connection->close_when_sent)
	{
		free_input(connection);
		shutdown(connection->fd, SHUT_WR);
		set_phase(connection, CONNECTION_LINGERING, 0);
	}
	else if (connection->phase == CONNECTION_SENDING)
		set_phase(connection, connection->input_length > 0 ? CONNECTION_REQUEST : CONNECTION_IDLE, 0);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Reading
 */

/* Keeps bytes of a message that goes on, in that much memory; false when there is none for them. */
static bool
keep_input(Connection *connection, const char *data, size_t length, size_t size)
{
	char	   *input;

	if (size != connection->input_size)
	{
		if (buffered - connection->input_size + size > MAX_BUFFERED)
			return false;
		input = MemoryContextAllocExtended(endpoint_context, size, MCXT_ALLOC_NO_OOM);
		if (input == NULL)
			return false;
		memcpy(input, data, length);
		free_input(connection);
		connection->input = input;
		connection->input_size = size;
		buffered += size;
	}
	else if (length > 0)
		memmove(connection->input, data, length);
	connection->input_length = length;
	return true;
}

/* How much memory to have for the message that goes on. */
static size_t
wanted_size(const Connection *connection, size_t length)
{
	const HttpParser *parser = &connection->parser;
	size_t		size = connection->input_size;

	if (length < size)
		return size;
	size = Max(length * 2, 4096);
	/* Not more than is known to come. */
	if (parser->head_length > 0 && !parser->is_chunked && parser->head_length + parser->body_length > length)
		size = Min(size, parser->head_length + parser->body_length);
	return size;
}

/*
 * wanted_bytes
 *		How much to read into the connection's input: the rest of a body whose length is known, otherwise not too much.
 *
 * What is behind a message is moved once for each request in it, so a long pipeline in a large buffer would cost its square.
 */
static size_t
wanted_bytes(const Connection *connection)
{
	const HttpParser *parser = &connection->parser;
	size_t		wanted = READ_SIZE;

	if (parser->head_length > 0 && !parser->is_chunked)
		wanted = parser->head_length + parser->body_length - connection->input_length;
	return Min(wanted, connection->input_size - connection->input_length);
}

/*
 * ConnectionResume
 *		Another worker has read the beginning of a request: go on where it was.
 */
void
ConnectionResume(Connection *connection, const HttpParser *parser, ConnectionPhase phase, int64 since, size_t progress,
				 const char *input, size_t length)
{
	connection->parser = *parser;
	if (!keep_input(connection, input, length, Max(length, 4096)))
	{
		ConnectionClose(connection);
		return;
	}
	set_phase(connection, phase, progress);
	connection->since = since;
	set_deadline(connection);
}

static void
refuse(Connection *connection, HttpResult fault)
{
	AnswerFault(connection, fault, EndpointNow());
	free_input(connection);
}

static void
send_continue(Connection *connection)
{
	/* Not before the answers to earlier requests. */
	if (connection->in_turn)
		TurnFinish();
	if (connection->fd == PGINVALID_SOCKET)
		return;
	appendStringInfoString(ConnectionOutput(connection), "HTTP/1.1 100 Continue\r\n\r\n");
	ConnectionSend(connection);
}

/*
 * take_request
 *		Look for a request at the start of the buffer, and execute it if it is whole.  What is behind it waits for the next turn.
 */
static void
take_request(Connection *connection, char *buffer, size_t length, size_t bytes)
{
	HttpLimits	limits = {.max_head = (size_t) endpoint_max_header_size * 1024, .max_body = (size_t) endpoint_max_body_size * 1024};
	bool		head_is_known = connection->parser.head_length > 0;
	HttpResult	result = HttpParse(&connection->parser, buffer, length, &limits, &current_request);
	size_t		consumed;
	size_t		rest;

	switch (result)
	{
		case HTTP_HEAD:
			if (!head_is_known && current_request.expects_continue)
				send_continue(connection);
			if (connection->fd == PGINVALID_SOCKET)
				return;
			length = HttpParserCompact(&connection->parser, buffer, length);
			/* FALLTHROUGH */
		case HTTP_INCOMPLETE:
			if (!keep_input(connection, buffer, length, wanted_size(connection, length)))
			{
				refuse(connection, HTTP_OUT_OF_MEMORY);
				return;
			}
			if (connection->phase != CONNECTION_SENDING)
				set_phase(connection, result == HTTP_HEAD ? CONNECTION_BODY : CONNECTION_HEAD, bytes);
			return;
		case HTTP_COMPLETE:
			break;
		default:
			refuse(connection, result);
			return;
	}

	consumed = connection->parser.consumed;
	current_connection = connection;
	if (buffered > MAX_BUFFERED)
		AnswerFault(connection, HTTP_OUT_OF_MEMORY, EndpointNow());
	else
		DispatchRequest(connection, &current_request);
	current_connection = NULL;
	HttpParserReset(&connection->parser);
	if (connection->fd == PGINVALID_SOCKET)
		return;

	/* A large body's memory is not kept for small requests behind it. */
	rest = length - consumed;
	if (connection->close_when_sent || rest == 0)
	{
		free_input(connection);
		set_phase(connection, CONNECTION_IDLE, 0);
	}
	else if (keep_input(connection, buffer + consumed, rest, connection->input_size > READ_SIZE ? rest : Max(connection->input_size, rest)))
		set_phase(connection, CONNECTION_REQUEST, 0);
	else
		ConnectionClose(connection);
}

/* Reads on after the last answer, so that the client gets it, and not a reset. */
static void
read_and_drop(Connection *connection)
{
	ssize_t		bytes = recv(connection->fd, read_buffer, READ_SIZE, MSG_DONTWAIT);

	if (bytes > 0)
		connection->progress += bytes;
	else if (bytes == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
		ConnectionClose(connection);
	if (connection->progress > LINGER_BYTES)
		ConnectionClose(connection);
}

/*
 * ConnectionRead
 *		The client has sent something, or has closed: one read, at most one request.
 */
void
ConnectionRead(Connection *connection)
{
	ssize_t		bytes;

	switch (connection->phase)
	{
		case CONNECTION_LINGERING:
			read_and_drop(connection);
			return;
		case CONNECTION_SENDING:
		case CONNECTION_REQUEST:
			return;
		default:
			break;
	}

	if (connection->input_length == 0)
		bytes = recv(connection->fd, read_buffer, READ_SIZE, MSG_DONTWAIT);
	else
	{
		if (connection->input_length == connection->input_size &&
			!keep_input(connection, connection->input, connection->input_length, wanted_size(connection, connection->input_length)))
		{
			refuse(connection, HTTP_OUT_OF_MEMORY);
			return;
		}
		bytes = recv(connection->fd, connection->input + connection->input_length, wanted_bytes(connection), MSG_DONTWAIT);
	}
	if (bytes <= 0)
	{
		if (bytes == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
			ConnectionClose(connection);
	}
	else if (connection->input_length == 0)
		take_request(connection, read_buffer, bytes, bytes);
	else
	{
		connection->input_length += bytes;
		take_request(connection, connection->input, connection->input_length, bytes);
	}
}

/* The next request of a connection that had sent more than one. */
void
ConnectionContinue(Connection *connection)
{
	if (connection->phase == CONNECTION_REQUEST)
		take_request(connection, connection->input, connection->input_length, 0);
}
