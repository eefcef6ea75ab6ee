# The endpoint through the life of servers: standbys and their promotion, synchronous replication, databases and extensions that go and
# come back, workers that are ended, and servers that are stopped under load.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

my $directory = PostgreSQL::Test::Utils::tempdir();
my %table = (
	TableName => 'Load', BillingMode => 'PAY_PER_REQUEST',
	KeySchema => [ { AttributeName => 'pk', KeyType => 'HASH' }, { AttributeName => 'sk', KeyType => 'RANGE' } ],
	AttributeDefinitions => [ { AttributeName => 'pk', AttributeType => 'S' }, { AttributeName => 'sk', AttributeType => 'N' } ]);

sub key
{
	my ($name) = @_;
	return { pk => { S => $name }, sk => { N => '1' } };
}

sub put_is
{
	my ($node, $item, $expected, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	request_is($node, 'PutItem', { TableName => 'Load', Item => key($item) }, $expected, $name);
}

sub get_is
{
	my ($node, $item, $expected, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	request_is($node, 'GetItem', { TableName => 'Load', Key => key($item) }, $expected, $name);
}

# A request whose answer is awaited later, as a socket.
sub begin_request
{
	my ($node, $operation, $item) = @_;
	my $socket = open_connection($node);
	send_request($socket, $operation, { TableName => 'Load', ($operation eq 'PutItem' ? 'Item' : 'Key') => key($item) });
	return $socket;
}

sub start_load
{
	my ($node, $name) = @_;
	local %ENV = (%ENV, python_environment($node));
	my $output = '';
	my $run = IPC::Run::start([ '/usr/bin/python3', "$FindBin::RealBin/../endpoint/load.py", $directory, $name, 4, 2 ], '>', \$output, '2>&1');
	return { name => $name, run => $run, output => \$output };
}

sub count_puts
{
	my ($load) = @_;
	my $count = 0;
	for my $path (glob "$directory/$load->{name}.put.*")
	{
		$count += () = slurp_file($path) =~ /\n/g;
	}
	return $count;
}

# Until the load goes on.
sub progress_ok
{
	my ($load, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $before = count_puts($load);
	my $now = $before;
	for (1 .. 600)
	{
		last if ($now = count_puts($load)) >= $before + 50;
		usleep(100_000);
	}
	cmp_ok($now, '>', $before, $name);
}

sub stop_load
{
	my ($load) = @_;
	append_to_file("$directory/$load->{name}.stop", '');
	$load->{run}->finish;
	return ${ $load->{output} };
}

# --- a standby ---------------------------------------------------------------------------------------------------------------

my $primary = start_endpoint_node('primary', allows_streaming => 1, conf => "restart_after_crash = on\n");
request_is($primary, 'CreateTable', \%table, undef, 'the primary makes a table');
put_is($primary, 'first', {}, 'and stores an item');
$primary->backup('base');
my $standby = start_endpoint_standby($primary, 'base');
put_is($primary, 'second', {}, 'the primary stores another item');
$primary->wait_for_catchup($standby);
get_is($standby, 'second', { Item => key('second') }, 'the standby serves reads of it');
request_is($standby, 'Scan', { TableName => 'Load', Select => 'COUNT' }, { Count => 2, ScannedCount => 2 }, 'and scans');
request_is($standby, 'ListTables', {}, { TableNames => ['Load'] }, 'and lists tables');
for my $write ([ 'PutItem', { TableName => 'Load', Item => key('third') } ],
	[ 'UpdateItem', { TableName => 'Load', Key => key('first'), UpdateExpression => 'SET a = pk' } ],
	[ 'DeleteItem', { TableName => 'Load', Key => key('first') } ],
	[ 'TransactWriteItems', { TransactItems => [ { Delete => { TableName => 'Load', Key => key('first') } } ] } ],
	[ 'CreateTable', { %table, TableName => 'Other' } ])
{
	my ($operation, $body) = @$write;
	my ($status, $answer) = request($standby, $operation, $body);
	is($status, 400, "$operation is refused by the standby");
	like(ref $answer ? $answer->{message} // $answer->{Message} // '' : $answer, qr/read-only|standby|recovery/i, "and $operation is told why");
}

# --- a synchronous standby ---------------------------------------------------------------------------------------------------

$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'\n");
$primary->reload;
$primary->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'})
  or die 'the standby does not become synchronous';
put_is($primary, 'with standby', {}, 'a put with a synchronous standby');
get_is($standby, 'with standby', { Item => key('with standby') }, 'is on the standby');
$standby->stop;
my $put = begin_request($primary, 'PutItem', 'waits');
$primary->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'})
  or die 'the put does not wait for the standby';
is(read_answer($put, 0.3), undef, 'a put waits while the synchronous standby is stopped');
my @gets = map { begin_request($primary, 'GetItem', 'waits') } 1 .. 4;
for my $get (@gets)
{
	my $answer = read_answer($get, 0.1);
	ok(!defined $answer || !exists $answer->{json}->{Item}, 'and no read shows what the standby does not have');
}
$primary->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
$primary->reload;
is(read_answer($put, 120)->{status}, 200, 'it is answered when synchronous_standby_names is emptied');
is_deeply(read_answer($_, 120)->{json}, { Item => key('waits') }, 'and then reads show it') for @gets;

# --- promotion ---------------------------------------------------------------------------------------------------------------

$standby->start;
wait_for_endpoint($standby);
$primary->wait_for_catchup($standby);
$primary->stop;
$standby->promote;
put_is($standby, 'promoted', {}, 'a promoted standby takes writes, without a restart');
get_is($standby, 'waits', { Item => key('waits') }, 'and has what was written before');
$standby->stop;

# --- extensions and databases that go and come back ---------------------------------------------------------------------------

my $node = $primary;
$node->append_conf('postgresql.conf', "singletable.endpoint_database = 'application'\n");
my $create = q{CREATE EXTENSION singletable; GRANT CREATE ON SCHEMA public TO app;};
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE application');
$node->safe_psql('application', $create);
wait_for_endpoint($node);
request_is($node, 'CreateTable', \%table, undef, 'a database that is made after the start is served');
my $load = start_load($node, 'extension');
progress_ok($load, 'clients write');
$node->safe_psql('application', 'DROP EXTENSION singletable CASCADE');
my ($status) = request($node, 'GetItem', { TableName => 'Load', Key => key('x') });
cmp_ok($status, '>=', 400, 'without the extension requests are refused');
$node->safe_psql('application', "DROP TABLE IF EXISTS \"Load\"; $create");
request_is($node, 'CreateTable', \%table, undef, 'with the extension back they are served');
progress_ok($load, 'and the clients go on');
$node->safe_psql('postgres', 'DROP DATABASE application WITH (FORCE)');
$node->safe_psql('postgres', 'CREATE DATABASE application');
$node->safe_psql('application', $create);
wait_for_endpoint($node);
for (1 .. 300)
{
	($status) = request($node, 'CreateTable', \%table);
	last if $status == 200;
	usleep(100_000);
}
is($status, 200, 'a database that was dropped and made again is served again');
progress_ok($load, 'and the clients go on');

# --- the end of workers and servers -------------------------------------------------------------------------------------------

for my $worker (workers_of($node))
{
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($worker)");
}
wait_for_endpoint($node);
progress_ok($load, 'after each worker was terminated the clients go on');
for my $mode ('fast', 'immediate')
{
	$node->stop($mode);
	ok(!defined $node->{_pid}, "stop $mode under load");
	$node->start;
	wait_for_endpoint($node);
	progress_ok($load, "and after the start the clients go on ($mode)");
}
ok(kill_server($node, postmaster_alone => 1), 'without a postmaster the workers end, under load too');
$node->start;
wait_for_endpoint($node);
progress_ok($load, 'and after the start the clients go on');
# Smart: while a session is left, the endpoint serves on.
my $input = '';
my $session = IPC::Run::start([ 'psql', '-X', '-d', $node->connstr('postgres') . ' application_name=last' ], '<', \$input, '>', '/dev/null');
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'last'}) or die 'no session';
IPC::Run::run([ 'pg_ctl', '-D', $node->data_dir, '-m', 'smart', '-W', 'stop' ], '>', '/dev/null');
progress_ok($load, 'smart shutdown serves on while a session is left');
$session->finish;
for (1 .. 600)
{
	last unless -f $node->data_dir . '/postmaster.pid';
	usleep(100_000);
}
ok(!-f $node->data_dir . '/postmaster.pid', 'and ends with the last session, whatever HTTP clients do');
$node->_update_pid(0);
$node->start;
wait_for_endpoint($node);
progress_ok($load, 'the clients have waited for it');
stop_load($load);
$node->stop;
done_testing();
