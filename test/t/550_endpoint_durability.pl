# What the endpoint has answered survives: workers and whole servers are killed under load, and then every put that was acknowledged is
# there, and so is everything that any read has shown.
#
# A killed process loses what it had not yet handed to the kernel: the WAL in shared memory, and that is where an answer would be given too
# early.  What the kernel has is not lost by a kill, so fsync is off here; that fsync is called is PostgreSQL's XLogFlush.  For reads of what
# another worker has not flushed yet the time between its commit and its flush is made long by commit_delay (which needs fsync).
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

my $writers = 8;				# connections
my $readers = 3;
my $rounds = 6;
my $enough = 1500;				# acknowledged puts before a kill, and between two

my $node = start_endpoint_node('main', settings => { active_workers => 2 }, conf => "fsync = off\nrestart_after_crash = on\nwal_writer_delay = 10s\nautovacuum = off\n");
my $directory = PostgreSQL::Test::Utils::tempdir();

request_is($node, 'CreateTable', {
	TableName => 'Load', BillingMode => 'PAY_PER_REQUEST',
	KeySchema => [ { AttributeName => 'pk', KeyType => 'HASH' }, { AttributeName => 'sk', KeyType => 'RANGE' } ],
	AttributeDefinitions => [ { AttributeName => 'pk', AttributeType => 'S' }, { AttributeName => 'sk', AttributeType => 'N' } ] },
	undef, 'the table is made');

sub start_load
{
	my ($name, $writers, $readers) = @_;
	local %ENV = (%ENV, python_environment($node));
	my ($stdout, $stderr) = ('', '');
	my $run = IPC::Run::start([ '/usr/bin/python3', "$FindBin::RealBin/../endpoint/load.py", $directory, $name, $writers, $readers ],
		'>', \$stdout, '2>', \$stderr);
	return { name => $name, writers => $writers, run => $run, stdout => \$stdout, stderr => \$stderr };
}

# What the load has noted, by writer: { acknowledged => { number => 1 }, shown => { number => 1 } }.
sub noted
{
	my ($load) = @_;
	my $name = $load->{name};
	my @noted = map { { acknowledged => {}, shown => {} } } 1 .. $load->{writers};
	for my $writer (0 .. $#noted)
	{
		my $path = "$directory/$name.put.$writer";
		$noted[$writer]->{acknowledged}->{$_} = 1 for -f $path ? split(/\n/, slurp_file($path)) : ();
	}
	for my $path (glob "$directory/$name.seen.*")
	{
		/^(\d+) (\d+)$/ && ($noted[$1]->{shown}->{$2} = 1) for split /\n/, slurp_file($path);
	}
	return @noted;
}

sub count_acknowledged
{
	my $sum = 0;
	$sum += keys %{ $_->{acknowledged} } for noted(@_);
	return $sum;
}

# Until $more puts were acknowledged beyond $before.
sub wait_for_puts
{
	my ($load, $before, $more) = @_;
	for (1 .. 1200)
	{
		return if count_acknowledged($load) >= $before + $more;
		usleep(50_000);
	}
	stop_load($load);
	die "the load makes no progress: ${ $load->{stderr} }";
}

sub stop_load
{
	my ($load) = @_;
	append_to_file("$directory/$load->{name}.stop", '');
	$load->{run}->finish;
	unlike(${ $load->{stdout} } . ${ $load->{stderr} }, qr/error|Traceback/i, "$load->{name}: no request was refused");
}

# Nothing that was acknowledged or shown is missing.
sub check_load
{
	my ($load) = @_;
	my ($name, $lost, $vanished, $acknowledged, $shown) = ($load->{name}, 0, 0, 0, 0);
	my @noted = noted($load);
	for my $writer (0 .. $#noted)
	{
		my %stored = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', qq(SELECT sk FROM "Load" WHERE pk = '$name#$writer'));
		my ($puts, $reads) = @{ $noted[$writer] }{qw(acknowledged shown)};
		$acknowledged += keys %$puts;
		$shown += keys %$reads;
		$lost += grep { !$stored{$_} } keys %$puts;
		$vanished += grep { !$stored{$_} } keys %$reads;
	}
	note("$name: $acknowledged acknowledged, $shown shown");
	is($lost, 0, "$name: no acknowledged put is lost");
	is($vanished, 0, "$name: nothing that a read has shown is lost");
	cmp_ok($shown, '>', 0, "$name: reads have shown something");
}

# A worker dies: PostgreSQL restarts all of its processes, the clients go on.
my $load = start_load('worker', $writers, $readers);
wait_for_puts($load, 0, $enough);
for my $round (1 .. $rounds)
{
	my @workers = workers_of($node);
	cmp_ok(scalar(@workers), '>', 1, "there are workers to kill in round $round");
	kill 'KILL', $workers[ $round % @workers ];
	# What was acknowledged until the kill, and a little after it, must not count as progress.
	usleep(300_000);
	wait_for_endpoint($node);
	wait_for_puts($load, count_acknowledged($load), $enough);
}
stop_load($load);
check_load($load);

# An SDK hides all of that from its program: workers that crash, and workers that are ended.
{
	local %ENV = (%ENV, python_environment($node));
	my ($progress, $stop, $output) = ("$directory/retry.progress", "$directory/retry.stop", '');
	my $program = IPC::Run::start([ '/usr/bin/python3', "$FindBin::RealBin/../endpoint/boto3_retry.py", $progress, $stop ], '>', \$output, '2>&1');
	my $answered = sub { -s $progress // 0 };
	my $wait = sub { my $before = $answered->(); for (1 .. 1200) { last if $answered->() >= $before + 200; usleep(50_000); } };

	$wait->();
	for my $round (1 .. 3)
	{
		my @workers = workers_of($node);
		kill 'KILL', $workers[ $round % @workers ];
		$wait->();
		$node->poll_query_until('postgres', 'SELECT count(pg_terminate_backend(pid)) > 0 FROM endpoint_workers()');
		$wait->();
	}
	append_to_file($stop, '');
	$program->finish;
	like($output, qr/\A\d+ puts, [1-9]\d* retried\n\z/, 'a program with an SDK notices nothing of workers that end') or diag($output);
	is($node->safe_psql('postgres', q{SELECT count(*) FROM "Load" WHERE pk LIKE 'retry#%'}), $answered->(), 'and each of its puts is there');
}

# The server dies with all that is in its memory.
sub kill_under_load
{
	my ($name, $more, @connections) = @_;
	my $load = start_load($name, @connections);
	wait_for_puts($load, 0, $more);
	kill_server($node);
	$node->start;
	wait_for_endpoint($node);
	wait_for_puts($load, count_acknowledged($load), $more);
	stop_load($load);
	check_load($load);
}

kill_under_load("server$_", $enough, $writers, $readers) for 1 .. $rounds;
$node->append_conf('postgresql.conf', 'singletable.endpoint_commit = each');
$node->reload;
kill_under_load('each', $enough, $writers, $readers);
$node->append_conf('postgresql.conf', 'singletable.endpoint_commit = batch');

# One writer and one reader: each has a worker of its own, so the reader's answers are not behind the flush of a put.
$node->append_conf('postgresql.conf', "fsync = on\ncommit_delay = 50000\ncommit_siblings = 0\n");
$node->reload;
kill_under_load("delayed$_", 20, 1, 1) for 1 .. $rounds;
verify_indexes($node, 'after the crashes');

# Who asks for less gets it, as with PostgreSQL: with synchronous_commit off some puts may be lost, and how many is only told.
$node->safe_psql('postgres', 'ALTER ROLE endpoint SET synchronous_commit = off');
$node->restart;
wait_for_endpoint($node);
$load = start_load('off', $writers, $readers);
wait_for_puts($load, 0, $enough);
kill_server($node);
$node->start;
wait_for_endpoint($node);
stop_load($load);
my $stored = $node->safe_psql('postgres', q{SELECT count(*) FROM "Load" WHERE pk LIKE 'off#%'});
note('with synchronous_commit off ' . (count_acknowledged($load) - $stored) . ' of ' . count_acknowledged($load) . ' were lost');
request_is($node, 'GetItem', { TableName => 'Load', Key => { pk => { S => 'off#0' }, sk => { N => '0' } } }, {}, 'the endpoint serves');

$node->stop;
done_testing();
