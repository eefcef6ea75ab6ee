/*
 * src/endpoint/endpoint.c
 *		The endpoint in the postmaster: settings, shared memory, the listening sockets and the workers' registration.
 *
 * Sockets are opened in shmem_startup_hook and not in _PG_init, which also runs for "postgres -C" beside a live server.  The hook runs again
 * after a crash; the sockets are kept then, so that clients wait in the kernel's queue instead of being refused.
 */
#include "postgres.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/postmaster.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/varlena.h"

#include "base/compat.h"
#include "endpoint/endpoint.h"
#include "endpoint/endpoint_internal.h"

#define RESTART_SECONDS 2		/* between the end of a worker and its next start */

int			endpoint_port = 0;
char	   *endpoint_listen_addresses;
bool		endpoint_network_is_protected = false;
char	   *endpoint_database;
char	   *endpoint_role;
int			endpoint_workers = 8;
int			endpoint_active_workers = 0;
int			endpoint_authentication = ENDPOINT_SIGNATURE;
char	   *endpoint_anonymous_role;
int			endpoint_commit = ENDPOINT_COMMIT_BATCH;
int			endpoint_max_connections = 1000;
int			endpoint_header_timeout = 10000;
int			endpoint_idle_timeout = 120000;
int			endpoint_body_timeout = 60000;
int			endpoint_max_header_size = HTTP_MAX_HEAD_SIZE / 1024;
int			endpoint_max_body_size = 16384;
char	   *endpoint_cors_origin;

EndpointShared *endpoint_shared = NULL;
int			endpoint_listeners[ENDPOINT_MAX_LISTENERS];
int			endpoint_listener_count = 0;
int			endpoint_mailboxes[ENDPOINT_MAX_WORKERS][2];

static bool mailboxes_are_open = false;
static bool listens_on_loopback_only = false;
static int	registered_workers = 0;

#if HAVE_SHMEM_REQUEST_HOOK
static shmem_request_hook_type previous_shmem_request_hook = NULL;
#endif
static shmem_startup_hook_type previous_shmem_startup_hook = NULL;

static const struct config_enum_entry authentication_options[] = {
	{"signature", ENDPOINT_SIGNATURE, false},
	{"none", ENDPOINT_NO_AUTHENTICATION, false},
	{NULL, 0, false}
};

static const struct config_enum_entry commit_options[] = {
	{"batch", ENDPOINT_COMMIT_BATCH, false},
	{"each", ENDPOINT_COMMIT_EACH, false},
	{NULL, 0, false}
};

bool
EndpointIsAnonymous(void)
{
	return endpoint_authentication == ENDPOINT_NO_AUTHENTICATION && listens_on_loopback_only;
}

int
EndpointWorkerCount(void)
{
	return registered_workers;
}

int
EndpointActiveWorkers(void)
{
	int			active = endpoint_active_workers;

	if (active == 0)
	{
		static int	processors = 0;

		if (processors == 0)
			processors = Max((int) sysconf(_SC_NPROCESSORS_ONLN), 1);
		active = processors;
	}
	return Min(active, registered_workers);
}

int64
EndpointNow(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * 1000000 + now.tv_nsec / 1000 + 1;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Settings
 */

/* An origin is sent as it stands, so it must not be able to end a header. */
static bool
check_cors_origin(char **newval, void **extra, GucSource source)
{
	for (const char *c = *newval; *c != '\0'; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == ',')
		{
			GUC_check_errdetail("It is one origin, like https://example.com, or \"*\".");
			return false;
		}
	return true;
}

static bool
check_role(char **newval, void **extra, GucSource source)
{
	if (strlen(*newval) >= NAMEDATALEN)
	{
		GUC_check_errdetail("The name of a role or database has less than %d bytes.", NAMEDATALEN);
		return false;
	}
	return true;
}

static void
define_settings(void)
{
	/* A library that is loaded later may not define settings of the postmaster; there they only exist. */
	GucContext	at_start = process_shared_preload_libraries_in_progress ? PGC_POSTMASTER : PGC_SIGHUP;

	DefineCustomIntVariable("singletable.endpoint_port",
							"Port of the HTTP endpoint; 0 for none.",
							NULL, &endpoint_port, 0, 0, 65535, at_start, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("singletable.endpoint_listen_addresses",
							   "Host names or addresses that the HTTP endpoint listens on, separated by commas.",
							   NULL, &endpoint_listen_addresses, "localhost", at_start, GUC_LIST_INPUT, NULL, NULL, NULL);
	DefineCustomBoolVariable("singletable.endpoint_network_is_protected",
							 "Lets the HTTP endpoint listen on other than loopback addresses, without TLS.",
							 "Nothing but a protected network then keeps others from reading what is sent.",
							 &endpoint_network_is_protected, false, at_start, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("singletable.endpoint_database",
							   "Database that the HTTP endpoint serves.",
							   NULL, &endpoint_database, "postgres", at_start, 0, check_role, NULL, NULL);
	DefineCustomStringVariable("singletable.endpoint_role",
							   "Role that the workers of the HTTP endpoint log in as.",
							   NULL, &endpoint_role, "", at_start, 0, check_role, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_workers",
							"Number of workers of the HTTP endpoint.",
							NULL, &endpoint_workers, 8, 1, ENDPOINT_MAX_WORKERS, at_start, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_active_workers",
							"Number of workers that own connections; the others take those of workers that wait. 0 for the number of processors.",
							NULL, &endpoint_active_workers, 0, 0, ENDPOINT_MAX_WORKERS, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("singletable.endpoint_authentication",
							 "How the HTTP endpoint knows who asks.",
							 "\"none\" works on loopback addresses only.",
							 &endpoint_authentication, ENDPOINT_SIGNATURE, authentication_options, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("singletable.endpoint_anonymous_role",
							   "Role that requests run as without authentication; empty for that of the workers.",
							   NULL, &endpoint_anonymous_role, "", PGC_SIGHUP, 0, check_role, NULL, NULL);
	DefineCustomEnumVariable("singletable.endpoint_commit",
							 "Whether requests that a worker finishes together share one flush of the WAL.",
							 NULL, &endpoint_commit, ENDPOINT_COMMIT_BATCH, commit_options, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_max_connections",
							"Most connections of the HTTP endpoint, in all workers together.",
							NULL, &endpoint_max_connections, 1000, 1, 100000, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_header_timeout",
							"Time in which the head of a request must be complete.",
							NULL, &endpoint_header_timeout, 10000, 100, 3600000, PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_idle_timeout",
							"Time after which an idle connection is closed.",
							NULL, &endpoint_idle_timeout, 120000, 100, 86400000, PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_body_timeout",
							"Time in which a body must be complete, and an answer read, plus one second for each kB.",
							NULL, &endpoint_body_timeout, 60000, 100, 3600000, PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_max_header_size",
							"Largest request line and headers of a request.",
							NULL, &endpoint_max_header_size, HTTP_MAX_HEAD_SIZE / 1024, 1, 64, PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("singletable.endpoint_max_body_size",
							"Largest body of a request, as sent and as unpacked.",
							NULL, &endpoint_max_body_size, 16384, 1, 65536, PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomStringVariable("singletable.endpoint_cors_origin",
							   "Origin whose scripts browsers let read answers; empty for any with signatures and none without.",
							   NULL, &endpoint_cors_origin, "", PGC_SIGHUP, 0, check_cors_origin, NULL, NULL);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Listening
 */

/* Non-blocking, and closed in programs that the server starts (archive_command, COPY PROGRAM). */
static bool
prepare_descriptor(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && pg_set_noblock(fd);
}

static bool
is_loopback(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return (ntohl(((const struct sockaddr_in *) address)->sin_addr.s_addr) >> 24) == 127;
	if (address->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *) address)->sin6_addr);
	return false;
}

static void
close_listeners(void)
{
	for (int i = 0; i < endpoint_listener_count; i++)
		close(endpoint_listeners[i]);
	endpoint_listener_count = 0;
}

/*
 * listen_on
 *		Open one socket and append its address to the text for the log.
 *
 * Result	false when the endpoint cannot start; a warning has said why.  An address that this machine does not have is no such reason.
 */
static bool
listen_on(const struct addrinfo *address, StringInfo listening)
{
	char		name[NI_MAXHOST] = "?";
	int			fd;
	int			on = 1;
	bool		port_is_taken;
	const char *step = "create a socket";

	getnameinfo(address->ai_addr, address->ai_addrlen, name, sizeof(name), NULL, 0, NI_NUMERICHOST);
	if (!is_loopback(address->ai_addr))
	{
		if (!endpoint_network_is_protected)
		{
			ereport(WARNING,
					(errmsg(ENDPOINT_NAME " does not listen: %s is no loopback address", name),
					 errdetail("What is sent over HTTP can be read on the way."),
					 errhint("Put a reverse proxy with TLS in front of it, or set singletable.endpoint_network_is_protected.")));
			return false;
		}
		if (endpoint_authentication == ENDPOINT_NO_AUTHENTICATION)
		{
			ereport(WARNING,
					(errmsg(ENDPOINT_NAME " does not listen: %s is no loopback address", name),
					 errdetail("singletable.endpoint_authentication is \"none\", so anybody who reaches it could use it.")));
			return false;
		}
		listens_on_loopback_only = false;
	}
	if (endpoint_listener_count == ENDPOINT_MAX_LISTENERS)
	{
		ereport(WARNING, (errmsg(ENDPOINT_NAME " does not listen on %s: more than %d addresses", name, ENDPOINT_MAX_LISTENERS)));
		return true;
	}

	fd = socket(address->ai_family, SOCK_STREAM, 0);
	if (fd >= 0)
	{
		endpoint_listeners[endpoint_listener_count] = fd;
		step = "prepare the socket";
		if (prepare_descriptor(fd) && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
			(address->ai_family != AF_INET6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) == 0))
		{
			step = "bind to the address";
			if (bind(fd, address->ai_addr, address->ai_addrlen) == 0)
			{
				step = "listen";
				if (listen(fd, SOMAXCONN) == 0)
				{
					endpoint_listener_count++;
					appendStringInfo(listening, "%s%s", listening->len > 0 ? ", " : "", name);
					return true;
				}
			}
		}
	}

	port_is_taken = errno == EADDRINUSE;
	if (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)
	{
		ereport(DEBUG1, (errmsg(ENDPOINT_NAME " does not listen on %s: %m", name)));
		if (fd >= 0)
			close(fd);
		return true;
	}
	ereport(WARNING,
			(errmsg(ENDPOINT_NAME " does not listen: could not %s for %s, port %d: %m", step, name, endpoint_port),
			 port_is_taken ? errhint("Is another server running on port %d? If not, wait a few seconds and restart.", endpoint_port) : 0));
	if (fd >= 0)
		close(fd);
	return false;
}

/* Opens the listening sockets and tells the log about it, or why there are none. */
static void
open_listeners(void)
{
	char	   *text = pstrdup(endpoint_listen_addresses);
	char		port[16];
	List	   *names;
	ListCell   *cell;
	StringInfoData listening;
	bool		refused = false;

	if (endpoint_role[0] == '\0')
	{
		ereport(WARNING,
				(errmsg(ENDPOINT_NAME " does not listen: singletable.endpoint_role is not set"),
				 errhint("Create a role for it: CREATE ROLE endpoint LOGIN.")));
		return;
	}
	if (!SplitGUCList(text, ',', &names) || names == NIL)
	{
		ereport(WARNING, (errmsg(ENDPOINT_NAME " does not listen: singletable.endpoint_listen_addresses is no list of addresses")));
		return;
	}

	listens_on_loopback_only = true;
	initStringInfo(&listening);
	snprintf(port, sizeof(port), "%d", endpoint_port);
	foreach(cell, names)
	{
		const char *name = lfirst(cell);
		struct addrinfo hint = {.ai_flags = AI_PASSIVE, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
		struct addrinfo *addresses = NULL;
		int			result = getaddrinfo(strcmp(name, "*") == 0 ? NULL : name, port, &hint, &addresses);

		if (result != 0)
		{
			ereport(WARNING, (errmsg(ENDPOINT_NAME " does not listen on \"%s\": %s", name, gai_strerror(result))));
			continue;
		}
		for (struct addrinfo *address = addresses; address != NULL && !refused; address = address->ai_next)
			if (address->ai_family == AF_INET || address->ai_family == AF_INET6)
				refused = !listen_on(address, &listening);
		freeaddrinfo(addresses);
		if (refused)
			break;
	}

	if (refused)
		close_listeners();
	else if (endpoint_listener_count == 0)
		ereport(WARNING, (errmsg(ENDPOINT_NAME " does not listen: no address to listen on")));
	else
		ereport(LOG,
				(errmsg(ENDPOINT_NAME " listens on %s, port %d", listening.data, endpoint_port),
				 errdetail("Database \"%s\", %d workers, authentication by %s.", endpoint_database, registered_workers,
						   endpoint_authentication == ENDPOINT_SIGNATURE ? "signature" : "nothing")));
	pfree(listening.data);
	list_free(names);
	pfree(text);
}

/* The socketpairs by which connections go from worker to worker; connections that a crash has left in them are closed. */
static bool
open_mailboxes(void)
{
	for (int i = 0; i < registered_workers; i++)
	{
		if (socketpair(AF_UNIX, SOCK_DGRAM, 0, endpoint_mailboxes[i]) != 0 ||
			!prepare_descriptor(endpoint_mailboxes[i][0]) || !prepare_descriptor(endpoint_mailboxes[i][1]))
		{
			ereport(WARNING, (errmsg(ENDPOINT_NAME " does not listen: could not create a pair of sockets: %m")));
			return false;
		}
	}
	return true;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Shared memory
 */

static void
request_shared_memory(void)
{
#if HAVE_SHMEM_REQUEST_HOOK
	if (previous_shmem_request_hook != NULL)
		previous_shmem_request_hook();
#endif
	RequestAddinShmemSpace(StatisticsSize());
}

static void
initialize_shared_memory(EndpointShared *shared)
{
	for (int i = 0; i < ENDPOINT_MAX_WORKERS; i++)
	{
		EndpointWorkerState *state = &shared->workers[i].state;

		pg_atomic_init_u32(&state->is_serving, 0);
		pg_atomic_init_u32(&state->pid, 0);
		pg_atomic_init_u64(&state->busy_since, 0);
		pg_atomic_init_u32(&state->owned, 0);
		pg_atomic_init_u32(&state->sent, 0);
		pg_atomic_init_u32(&state->received, 0);
		pg_atomic_init_u32(&state->failed_starts, 0);
		pg_atomic_init_u64(&state->unflushed, 0);
	}
	StatisticsInit(shared);
}

static void
start_shared_memory(void)
{
	bool		found;
	bool		is_restart = mailboxes_are_open;

	if (previous_shmem_startup_hook != NULL)
		previous_shmem_startup_hook();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	endpoint_shared = ShmemInitStruct("singletable endpoint", StatisticsSize(), &found);
	if (!found)
		initialize_shared_memory(endpoint_shared);
	LWLockRelease(AddinShmemInitLock);

	if (!IsPostmasterEnvironment || IsUnderPostmaster || IsBinaryUpgrade || endpoint_port == 0)
		return;
	if (is_restart)
	{
		HandoverForget();
		return;
	}
	if (registered_workers > 0 && registered_workers < endpoint_workers)
		ereport(WARNING,
				(errmsg(ENDPOINT_NAME " has %d workers instead of %d: max_worker_processes is %d",
						registered_workers, endpoint_workers, max_worker_processes),
				 errhint("Set max_worker_processes to singletable.endpoint_workers plus what else the server needs.")));
	if (registered_workers == 0 && endpoint_role[0] != '\0')
		ereport(WARNING,
				(errmsg(ENDPOINT_NAME " does not listen: max_worker_processes is %d", max_worker_processes)));
	else if (open_mailboxes())
	{
		mailboxes_are_open = true;
		open_listeners();
	}
}

/*
 * register_workers
 *		As many as fit.
 *
 * The logical replication launcher has one of max_worker_processes already; the server itself tells the log when other libraries leave too few.
 */
static void
register_workers(void)
{
	BackgroundWorker worker = {0};

	registered_workers = Max(Min(endpoint_workers, max_worker_processes - 1), 0);
	worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_ConsistentState;
	worker.bgw_restart_time = RESTART_SECONDS;
	strlcpy(worker.bgw_library_name, "singletable", sizeof(worker.bgw_library_name));
	strlcpy(worker.bgw_function_name, "EndpointWorkerMain", sizeof(worker.bgw_function_name));
	strlcpy(worker.bgw_type, ENDPOINT_NAME, sizeof(worker.bgw_type));
	for (int i = 0; i < registered_workers; i++)
	{
		snprintf(worker.bgw_name, sizeof(worker.bgw_name), ENDPOINT_NAME " %d", i + 1);
		worker.bgw_main_arg = Int32GetDatum(i);
		RegisterBackgroundWorker(&worker);
	}
}

void
EndpointInit(void)
{
	define_settings();
	if (!process_shared_preload_libraries_in_progress)
		return;

	previous_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = start_shared_memory;
#if HAVE_SHMEM_REQUEST_HOOK
	previous_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_shared_memory;
#else
	request_shared_memory();
#endif
	if (endpoint_port != 0 && endpoint_role[0] != '\0' && !IsBinaryUpgrade)
		register_workers();
}
