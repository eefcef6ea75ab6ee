# The endpoint as a server: settings that are refused, listening, connections and their balance, hand-over from workers that wait, what a request
# leaves behind, statistics, reload and stop.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use IO::Socket::INET;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

my $node = start_endpoint_node('main',
	settings => { workers => 6, active_workers => 2 },
	conf => "max_prepared_transactions = 10\n",
	sql => q{
		CREATE ROLE other LOGIN;
		CREATE EXTENSION IF NOT EXISTS plpgsql;
		SET ROLE app;
		CREATE FUNCTION hostile() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF NEW.pk IN ('set role', 'reset role', 'session') THEN
				EXECUTE CASE NEW.pk WHEN 'set role' THEN 'SET ROLE other' WHEN 'reset role' THEN 'RESET ROLE'
					ELSE 'SET SESSION AUTHORIZATION DEFAULT' END;
			ELSIF NEW.pk = 'listen' THEN
				EXECUTE 'LISTEN something';
			ELSIF NEW.pk = 'state' THEN
				PERFORM set_config('search_path', 'nowhere', false);
				EXECUTE 'SET SESSION statement_timeout = ''5min''';
				PERFORM pg_advisory_lock(4711);
				EXECUTE 'CREATE TEMP TABLE left_behind (x int)';
				EXECUTE 'PREPARE left_behind AS SELECT 1';
				EXECUTE 'DECLARE left_behind CURSOR WITH HOLD FOR SELECT generate_series(1, 100000)';
			ELSIF NEW.pk = 'failing state' THEN
				PERFORM pg_advisory_lock(4711);
				RAISE EXCEPTION 'no % here', NEW.pk;
			ELSIF NEW.pk = 'look' THEN
				NEW.item := jsonb_build_object('path', current_setting('search_path'), 'timeout', current_setting('statement_timeout'),
					'temp', coalesce(to_regclass('pg_temp.left_behind')::text, 'none'),
					'prepared', (SELECT count(*) FROM pg_prepared_statements), 'cursors', (SELECT count(*) FROM pg_cursors WHERE is_holdable), 'user', current_user, 'session', session_user)::text::item;
			END IF;
			RETURN NEW;
		END $$;
		RESET ROLE;
	});
my $log_position = 0;

# What the log says since the last call.
sub new_log
{
	my $text = slurp_file($node->logfile);
	my $new = substr($text, $log_position);
	$log_position = length $text;
	return $new;
}

# Restarts with these settings and returns what the log says.
sub restart_with
{
	my ($conf) = @_;
	new_log();
	$node->append_conf('postgresql.conf', $conf);
	$node->restart;
	return new_log();
}

sub item
{
	my (%values) = @_;
	return { map { $_ => { S => $values{$_} } } keys %values };
}

# --- what it says and answers

like(new_log(), qr/LOG:  singletable endpoint listens on 127\.0\.0\.1(?:, ::1)?, port $node->{endpoint_port}/, 'the log says where it listens');
is(scalar workers_of($node), 6, 'all workers are there');

my $socket = open_connection($node);
print $socket "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
my $answer = read_answer($socket);
is($answer->{content}, 'healthy: dynamodb.us-east-1.amazonaws.com ', 'health');
is($answer->{headers}->{'x-amz-crc32'}, '3128867991', 'its checksum');
like($answer->{headers}->{'x-amzn-requestid'}, qr/^[0-9A-Z]{52}$/, 'a request id');

request_is($node, 'CreateTable', {
		TableName => 'shop',
		KeySchema => [ { AttributeName => 'pk', KeyType => 'HASH' } ],
		AttributeDefinitions => [ { AttributeName => 'pk', AttributeType => 'S' } ],
		BillingMode => 'PAY_PER_REQUEST' },
	undef, 'CreateTable');
is($node->safe_psql('postgres', q{SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'shop'::regclass}), 'app', 'as the anonymous role');

send_request($socket, 'PutItem', { TableName => 'shop', Item => item(pk => 'a', name => 'first') });
is(read_answer($socket)->{status}, 200, 'PutItem on the same connection');
send_request($socket, 'GetItem', { TableName => 'shop', Key => item(pk => 'a') });
is_deeply(read_answer($socket)->{json}, { Item => item(pk => 'a', name => 'first') }, 'GetItem');

for my $number (1 .. 40)
{
	send_request($socket, 'UpdateItem', { TableName => 'shop', Key => item(pk => 'pipeline'), ReturnValues => 'UPDATED_NEW',
			UpdateExpression => 'ADD n :one', ExpressionAttributeValues => { ':one' => { N => '1' } } });
}
is_deeply([ map { read_answer($socket)->{json}->{Attributes}->{n}->{N} } 1 .. 40 ], [ 1 .. 40 ], '40 pipelined requests, answered in order');

send_request($socket, 'GetItem', '{"TableName": "nothing", "Key": {"pk": {"S": "a"}}}');
is(read_answer($socket)->{json}->{__type}, 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', 'an unknown table');
send_request($socket, 'Nothing', '{}');
$answer = read_answer($socket);
is("$answer->{status} $answer->{content}", '400 {"__type":"com.amazon.coral.service#UnknownOperationException"}', 'an unknown operation');
send_request($socket, 'Nothing', '{"x": ');
is(read_answer($socket)->{headers}->{'x-amz-crc32'}, '3948637019', 'a body that is no JSON comes before it');
send_request($socket, 'Nothing', '[' x 1_000_000);
is(read_answer($socket)->{headers}->{'x-amz-crc32'}, '3948637019', '... however deep it nests');
send_request($socket, 'GetItem', '{"x": ' . "\"\xff\"}");
is(read_answer($socket)->{headers}->{'x-amz-crc32'}, '3948637019', 'so does one that is no UTF-8');
send_request($socket, 'ListTables', '');
is(read_answer($socket)->{headers}->{'x-amz-crc32'}, '3948637019', 'an empty body');

# A worker says that it is idle, and counts a request, a moment after its answer.
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity LEFT JOIN pg_locks USING (pid)
	WHERE backend_type LIKE 'singletable endpoint%'
	AND (state <> 'idle' OR xact_start IS NOT NULL OR backend_xmin IS NOT NULL OR locktype IS NOT NULL)}),
	'between requests there is no transaction, snapshot or lock');

# --- browsers

send_request($socket, 'ListTables', '{}', 'Host' => 'evil.example');
is(read_answer($socket, 5)->{status}, 400, 'two hosts are refused by the parser');
$socket = open_connection($node);
print $socket "POST / HTTP/1.1\r\nHost: evil.example:8000\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 2\r\n"
  . "X-Amz-Target: DynamoDB_20120810.ListTables\r\n\r\n{}";
like(read_answer($socket)->{content}, qr/AccessDeniedException/, 'without authentication another Host than this machine is refused');
print $socket "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n";
$answer = read_answer($socket);
is($answer->{status}, 404, 'without authentication scripts of other origins are not let in');
is($answer->{headers}->{'access-control-allow-origin'}, undef, '... by no header');
$node->append_conf('postgresql.conf', "singletable.endpoint_cors_origin = 'http://localhost:3000'");
$node->reload;
for (1 .. 100)
{
	print $socket "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\nAccess-Control-Request-Method: POST\r\n"
	  . "Access-Control-Request-Headers: content-type,x-amz-target\r\n\r\n";
	$answer = read_answer($socket);
	last if $answer->{status} == 200;
	usleep(50_000);
}
is($answer->{headers}->{'access-control-allow-origin'}, 'http://localhost:3000', 'unless a setting names one');
is($answer->{headers}->{'access-control-allow-headers'}, 'content-type,x-amz-target', 'the headers that it asked for');
is($answer->{headers}->{'access-control-max-age'}, '172800', 'for two days');

# --- balance of connections

close $socket;
sub connections
{
	my $result = '';
	# The workers notice closed connections, and settings, in their own time.
	for (1 .. 400)
	{
		$result = $node->safe_psql('postgres', q{SELECT string_agg(connections::text, ' ' ORDER BY worker) FROM endpoint_workers()});
		last if $result eq $_[0];
		usleep(50_000);
	}
	return $result;
}
is(connections('0 0 0 0 0 0'), '0 0 0 0 0 0', 'no connections are left');
my @sockets = map { open_connection($node) } 1 .. 16;
is(connections('8 8 0 0 0 0'), '8 8 0 0 0 0', '16 connections on two active workers');
$node->append_conf('postgresql.conf', 'singletable.endpoint_active_workers = 4');
$node->reload;
push @sockets, map { usleep(20_000); open_connection($node) } 1 .. 8;
is(connections('6 6 6 6 0 0'), '6 6 6 6 0 0', 'more workers become active: they get their share');
$node->append_conf('postgresql.conf', 'singletable.endpoint_active_workers = 2');
$node->reload;
is(connections('12 12 0 0 0 0'), '12 12 0 0 0 0', 'fewer: they give their connections back');

# --- a request that waits for a lock

send_request($_, 'PutItem', { TableName => 'shop', Item => item(pk => 'locked') }) for $sockets[0];
is(read_answer($sockets[0])->{status}, 200, 'an item');
for my $stuck (1, 5)
{
	lock_row($node, 'shop', 'locked');
	my $half = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
	  . "Content-Length: 2\r\n\r\n{}";
	print { $sockets[-1] } substr($half, 0, 50);
	usleep(100_000);
	send_request($sockets[$_], 'UpdateItem', { TableName => 'shop', Key => item(pk => 'locked'), UpdateExpression => 'ADD n :one',
			ExpressionAttributeValues => { ':one' => { N => '1' } } }) for 0 .. $stuck - 1;
	$node->poll_query_until('postgres', "SELECT count(*) = $stuck FROM pg_locks WHERE NOT granted")
	  or die 'nobody waits';
	# The beginning of a request may have been read already when its worker gets stuck.
	my $rest = substr($half, 50);
	print { $sockets[-1] } $rest;
	my $got = read_answer($sockets[-1], 10);
	is($got && $got->{status}, 200, "$stuck requests wait for a lock: one of which half had come is answered");
	my $answered = 0;
	for my $round (1 .. 5)
	{
		send_request($_, 'PutItem', { TableName => 'shop', Item => item(pk => "free$round") }) for @sockets[ $stuck .. $#sockets ];
		$answered += grep { my $got = read_answer($_, 10); $got && $got->{status} == 200 } @sockets[ $stuck .. $#sockets ];
	}
	is($answered, 5 * (@sockets - $stuck), "$stuck requests wait for a lock: all others are answered meanwhile");
	my $late = open_connection($node);
	send_request($late, 'GetItem', { TableName => 'shop', Key => item(pk => 'a') });
	is(read_answer($late, 10)->{status}, 200, '... so are new connections');
	is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks WHERE NOT granted}), $stuck, '... while they still wait');
	is($node->safe_psql('postgres', q{SELECT string_agg(DISTINCT query, ', ') FROM pg_stat_activity WHERE backend_type LIKE 'singletable%' AND wait_event_type = 'Lock'}),
		'UpdateItem shop', '... and pg_stat_activity shows which request waits') if $stuck == 1;
	unlock_row($node, 'shop', 'locked');
	is(scalar(grep { my $got = read_answer($sockets[$_], 60); $got && $got->{status} == 200 } 0 .. $stuck - 1), $stuck, '... then they are answered');
	close $late;
}
is(connections('12 12 0 0 0 0'), '12 12 0 0 0 0', 'the connections are back with the active workers');

# --- the limit of connections

close $_ for @sockets;
is(connections('0 0 0 0 0 0'), '0 0 0 0 0 0', 'all connections are closed');
$node->append_conf('postgresql.conf', "singletable.endpoint_max_connections = 4\nsingletable.endpoint_commit = each");
$node->reload;
my ($answered, $waiting);
for (1 .. 30)
{
	@sockets = map { open_connection($node) } 1 .. 6;
	send_request($_, 'PutItem', { TableName => 'shop', Item => item(pk => 'limit') }) for @sockets;
	$answered = grep { my $got = read_answer($_, 10); $got && $got->{status} == 200 } @sockets[ 0 .. 3 ];
	$waiting = grep { !defined read_answer($_, 0.5) } @sockets[ 4, 5 ];
	last if $waiting == 2;
	# Not every worker has read the setting yet.
	close $_ for @sockets;
	sleep 1;
}
is($answered, 4, 'as many as may connect are answered');
is($waiting, 2, '... the others wait');
close $_ for @sockets[ 0 .. 3 ];
is(scalar(grep { my $got = read_answer($_, 30); $got && $got->{status} == 200 } @sockets[ 4, 5 ]), 2, '... until connections end');
$node->append_conf('postgresql.conf', "singletable.endpoint_max_connections = 1000\nsingletable.endpoint_commit = batch");

lock_row($node, 'shop', 'locked');
$node->safe_psql('postgres', q{ALTER ROLE endpoint SET lock_timeout = '100ms'});
$node->restart;
wait_for_endpoint($node);
request_is($node, 'UpdateItem', { TableName => 'shop', Key => item(pk => 'locked'), UpdateExpression => 'SET x = :x',
		ExpressionAttributeValues => { ':x' => { N => '1' } } },
	'TransactionConflictException', 'a lock that is not got in lock_timeout is a conflict');
unlock_row($node, 'shop', 'locked');
$node->safe_psql('postgres', q{ALTER ROLE endpoint RESET lock_timeout; ALTER ROLE endpoint SET statement_timeout = '200ms'});

# --- what a request leaves behind

$node->safe_psql('postgres', 'CREATE TRIGGER hostile BEFORE INSERT ON shop FOR EACH ROW EXECUTE FUNCTION hostile()');
$node->append_conf('postgresql.conf', "singletable.endpoint_active_workers = 1\nsingletable.endpoint_workers = 1");
$node->restart;
wait_for_endpoint($node);
$socket = open_connection($node);

sub put
{
	my ($pk) = @_;
	send_request($socket, 'PutItem', { TableName => 'shop', Item => item(pk => $pk) });
	return read_answer($socket);
}

for my $pk ('set role', 'reset role', 'session', 'listen')
{
	isnt(put($pk)->{status}, 200, "a trigger is refused: $pk");
}
sub advisory_locks
{
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'});
}
is(put('state')->{status}, 200, 'a trigger changes the state of its session');
is(advisory_locks(), 0, 'its lock is gone');
is(put('look')->{status}, 200, 'another request');
send_request($socket, 'GetItem', { TableName => 'shop', Key => item(pk => 'look') });
is_deeply(read_answer($socket)->{json}->{Item}, {
		pk => { S => 'look' }, path => { S => '"$user", public' }, timeout => { S => '200ms' }, temp => { S => 'none' }, prepared => { N => '0' },
		cursors => { N => '0' }, user => { S => 'app' }, session => { S => 'endpoint' } }, 'sees nothing of it');
$answer = put('failing state');
is($answer->{content}, '{"__type":"com.amazon.coral.validate#ValidationException","message":"no failing state here"}', 'an error of a trigger');
is(advisory_locks(), 0, 'its lock is gone too');

# Deferred triggers run as the role, and what they set is gone as well.
$node->safe_psql('postgres', q{
	CREATE TABLE seen (who text);
	GRANT INSERT ON seen TO app;
	CREATE FUNCTION deferred() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO seen VALUES (current_user);
		PERFORM set_config('search_path', 'nowhere', false);
		RETURN NULL;
	END $$;
	CREATE CONSTRAINT TRIGGER deferred AFTER INSERT ON shop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
		WHEN (NEW.pk = 'deferred') EXECUTE FUNCTION deferred()});
is(put('deferred')->{status}, 200, 'a deferred trigger');
is($node->safe_psql('postgres', 'SELECT who FROM seen'), 'app', 'runs as the role');
is(put('after')->{status}, 200, 'and what it set is gone');

$node->safe_psql('postgres', q{ALTER TABLE shop ADD CHECK (pk <> 'forbidden')});
like(put('forbidden')->{content}, qr/ValidationException.*violates check constraint/, 'a constraint');
new_log();
lock_row($node, 'shop', 'a');
send_request($socket, 'UpdateItem', { TableName => 'shop', Key => item(pk => 'a'), UpdateExpression => 'REMOVE x' });
$answer = read_answer($socket);
is("$answer->{status} $answer->{json}->{__type}", '500 com.amazonaws.dynamodb.v20120810#InternalServerError', 'statement_timeout');
unlock_row($node, 'shop', 'a');
like(new_log(), qr/ERROR:  canceling statement due to statement timeout.*STATEMENT:  UpdateItem shop/s, 'is in the log');

# Names of tables that there are not: the server's caches keep them for the life of a session, a worker forgets them.
sub memory_of_workers
{
	my $count = workers_of($node);
	new_log();
	$node->safe_psql('postgres', 'SELECT pg_log_backend_memory_contexts(pid) FROM endpoint_workers()');
	my ($text, @used) = ('');
	for (1 .. 200)
	{
		$text .= new_log();
		@used = $text =~ /Grand total: .*; (\d+) used$/mg;
		last if @used == $count;
		usleep(50_000);
	}
	is(scalar(@used), $count, 'each worker tells the memory it uses');
	my $sum = 0;
	$sum += $_ for @used;
	return $sum;
}

sub ask_for_nothing
{
	my ($name, $count) = @_;
	my $found = 0;
	for my $from (map { 50 * $_ } 1 .. $count / 50)
	{
		send_request($socket, 'GetItem', { TableName => "$name.$_", Key => item(pk => 'a') }) for $from .. $from + 49;
		$found += grep { (read_answer($socket) // {})->{content} !~ /ResourceNotFoundException/ } 1 .. 50;
	}
	is($found, 0, "no table of $count is there");
}

ask_for_nothing('first', 1000);
my $memory = memory_of_workers();
ask_for_nothing('second', 5000);
cmp_ok(memory_of_workers() - $memory, '<', 1_000_000, 'names of missing tables are forgotten');

# --- statistics

$node->safe_psql('postgres', 'SELECT reset_endpoint_statistics()');
put("s$_") for 1 .. 5;
send_request($socket, 'GetItem', { TableName => 'nothing', Key => item(pk => 'a') });
read_answer($socket);
print $socket "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
read_answer($socket);
ok($node->poll_query_until('postgres', q{SELECT string_agg(concat_ws('|', operation, requests, client_errors, server_errors), ' ' ORDER BY operation COLLATE "C")
	FROM endpoint_statistics}, '(none)|1|0|0 GetItem|1|1|0 PutItem|5|0|0'), 'counts by operation');
is($node->safe_psql('postgres', q{SELECT bool_and(mean_time > 0 AND median_time > 0 AND median_time <= p99_time AND p99_time <= max_time
	AND max_time <= total_time AND since < now()) FROM endpoint_statistics}), 't', 'latencies');
is(sqlstate_of($node, 'SELECT reset_endpoint_statistics()', role => 'other'), '42501', 'not everybody resets them');

# --- another encoding

$node->safe_psql('postgres', q{CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'});
is(sqlstate_of($node, 'CREATE EXTENSION singletable', database => 'latin'), '0A000', 'a preloaded library still refuses other encodings than UTF8');

# --- the extension goes

$node->safe_psql('postgres', 'DROP EXTENSION singletable CASCADE');
like(put('x')->{content}, qr/The extension singletable is not installed in database \\"postgres\\"/, 'without the extension it says so');
$node->safe_psql('postgres', 'CREATE EXTENSION singletable');
send_request($socket, 'ListTables', '{}');
is(read_answer($socket)->{content}, '{"TableNames": []}', 'and goes on when it is back');

# --- stop

$node->safe_psql('postgres', 'ALTER ROLE endpoint RESET statement_timeout');
$node->append_conf('postgresql.conf', "singletable.endpoint_workers = 4\nsingletable.endpoint_active_workers = 2");
$node->restart;
wait_for_endpoint($node);
$node->safe_psql('postgres', 'DROP TABLE shop; SET ROLE app; SELECT create_item_table(\'shop\', \'pk\')');
$socket = open_connection($node);
is(put('a')->{status}, 200, 'a connection before a worker ends');
my ($pid) = $node->safe_psql('postgres', 'SELECT pid FROM endpoint_workers() WHERE connections > 0');
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
is(put('a')->{status}, 200, 'another worker goes on with its connections');
$node->poll_query_until('postgres', 'SELECT count(*) = 4 FROM endpoint_workers()') or die 'it did not come back';
pass('and the worker comes back');
$socket = open_connection($node);

lock_row($node, 'shop', 'a');
send_request($socket, 'UpdateItem', { TableName => 'shop', Key => item(pk => 'a'), UpdateExpression => 'REMOVE x' });
# For longer than a worker has patience with a request after the signal.
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_locks WHERE NOT granted AND waitstart < clock_timestamp() - interval '1.2 s'}) or die 'it does not wait';
my $idle = open_connection($node);
print $idle "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
is(read_answer($idle)->{status}, 200, 'an idle connection');
$node->stop('fast');
$answer = read_answer($socket, 10);
is($answer && "$answer->{status} $answer->{headers}->{connection}", '503 close', 'stop fast: a request that waits is answered with 503');
is(read_answer($idle, 10), undef, '... and idle connections are closed');
$node->start;
unlock_row($node, 'shop', 'a');
wait_for_endpoint($node);
$socket = open_connection($node);
is(put('b')->{status}, 200, 'a connection');
$node->stop('smart');
pass('stop smart does not wait for it');

$node->start;
wait_for_endpoint($node);
$node->safe_psql('postgres', q{
	CREATE TABLE stubborn (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL DEFAULT '{}');
	GRANT ALL ON stubborn TO app;
	CREATE FUNCTION stubborn() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		LOOP
			BEGIN
				PERFORM pg_sleep(100);
			EXCEPTION WHEN query_canceled THEN
			END;
		END LOOP;
	END $$;
	CREATE TRIGGER stubborn BEFORE INSERT ON stubborn FOR EACH ROW EXECUTE FUNCTION stubborn()});
$socket = open_connection($node);
send_request($socket, 'PutItem', { TableName => 'stubborn', Item => item(pk => 'a') });
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'}) or die 'it does not sleep';
$node->stop('fast', timeout => 20);
is(read_answer($socket, 1), undef, 'stop fast: a request that catches its cancellation does not hold it up');

# --- what keeps it from listening

my $taken = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $node->{endpoint_port}, Listen => 1, ReuseAddr => 1) or die "listen: $!";
new_log();
$node->start;
like(new_log(), qr/WARNING:  singletable endpoint does not listen: could not bind to the address for 127.0.0.1, port $node->{endpoint_port}: Address already in use/,
	'the port is taken: the server starts, and says so');
is($node->safe_psql('postgres', 'SELECT count(*) FROM endpoint_workers()'), 0, '... without workers');
close $taken;
like(restart_with("singletable.endpoint_role = ''\n"), qr/does not listen: singletable\.endpoint_role is not set/, 'no role');
like(restart_with("singletable.endpoint_role = 'endpoint'\nsingletable.endpoint_listen_addresses = '0.0.0.0'\n"),
	qr/does not listen: 0\.0\.0\.0 is no loopback address/, 'an open network');
like(restart_with("singletable.endpoint_network_is_protected = on\n"),
	qr/does not listen: 0\.0\.0\.0 is no loopback address.*"none"/s, 'never without authentication, protected or not');
like(restart_with("singletable.endpoint_authentication = signature\n"), qr/listens on 0\.0\.0\.0, port/, 'with signatures and a protected network it does');
wait_for_endpoint($node);
new_log();
$node->append_conf('postgresql.conf', 'singletable.endpoint_authentication = none');
$node->reload;
for (1 .. 100)
{
	last if slurp_file($node->logfile) =~ /singletable endpoint goes on to verify signatures/;
	usleep(50_000);
}
like(new_log(), qr/WARNING:  singletable endpoint goes on to verify signatures/, 'nor does a reload open it');
my ($status, $error) = request($node, 'ListTables', '{}');
is($error->{message}, 'Request is missing Authentication Token', '... signatures are demanded on');

my ($stdout, $stderr);
IPC::Run::run([ 'postgres', '-D', $node->data_dir, '-C', 'shared_memory_size' ], '>', \$stdout, '2>', \$stderr);
unlike($stderr, qr/singletable endpoint/, 'postgres -C loads the library beside the running server, which it disturbs in nothing');
wait_for_endpoint($node);
pass('... and the endpoint still answers');

like(restart_with("singletable.endpoint_listen_addresses = 'localhost'\nsingletable.endpoint_workers = 8\nmax_worker_processes = 4\n"),
	qr/singletable endpoint has 3 workers instead of 8: max_worker_processes is 4/, 'too few worker processes');
wait_for_endpoint($node);
is($node->safe_psql('postgres', 'SELECT count(*) FROM endpoint_workers()'), 3, '... it serves with those');
$node->stop;
IPC::Run::run([ 'postgres', '-D', $node->data_dir, '-C', 'shared_memory_size' ], '>', \$stdout, '2>', \$stderr);
like($stdout, qr/^\d+$/, 'postgres -C of the stopped server');

done_testing();
