# Answers belong to their requests: connections with pipelined requests, which come in pieces, wander from worker to worker because rows are
# locked, workers are ended, and the table changes.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use IPC::Run;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

my $seconds = 10;
my $node = start_endpoint_node('main', settings => { workers => 5, active_workers => 2 });

$node->safe_psql('postgres', q{SET ROLE app; CREATE TABLE "Pipe" (pk text COLLATE "C" PRIMARY KEY, item item NOT NULL)});

my ($stdout, $stderr) = ('', '');
my $run;
{
	local %ENV = (%ENV, python_environment($node));
	$run = IPC::Run::start([ '/usr/bin/python3', "$FindBin::RealBin/../endpoint/pipelines.py", $seconds, 8 ], '>', \$stdout, '2>', \$stderr);
}

my @disturbances = (
	q{BEGIN; SELECT FROM "Pipe" WHERE hashtext(pk) % 3 = 0 FOR UPDATE; SELECT pg_sleep(0.3); COMMIT},
	q{BEGIN; SELECT FROM "Pipe" WHERE pk = 'all' FOR UPDATE; SELECT pg_sleep(0.2); COMMIT},
	q{SELECT pg_terminate_backend(pid) FROM endpoint_workers() ORDER BY random() LIMIT 1},
	q{BEGIN; LOCK TABLE "Pipe"; SELECT pg_sleep(0.2); COMMIT},
	q{SELECT pg_reload_conf()},
	q{ALTER TABLE "Pipe" ADD other text COLLATE "C"; ALTER TABLE "Pipe" DROP other});
my $terminated = 0;
my $until = time + $seconds - 2;
for (my $i = 0; time < $until; $i++)
{
	my $sql = $disturbances[ $i % @disturbances ];
	$terminated++ if $sql =~ /terminate/;
	$node->safe_psql('postgres', $sql);
	usleep(100_000);
}
$run->finish;

like($stdout, qr/^ok - /m, 'each answer is that of its request, and nothing that was acknowledged is lost') or diag("$stdout$stderr");
my $counts = decode_json($stdout =~ /^counts (.*)/m ? $1 : '{}');
cmp_ok($counts->{answers}, '>', 100, 'there were many');
cmp_ok($terminated, '>', 0, 'workers were ended');
my $sum = $node->safe_psql('postgres', q{SELECT coalesce(item ->> 'n', '0') FROM "Pipe" WHERE pk = 'all'});
cmp_ok($sum, '>=', $counts->{added}, 'every addition that was acknowledged is in the sum');
cmp_ok($sum, '<=', $counts->{added} + $counts->{unanswered}, 'and no other');
unlike(slurp_file($node->logfile), qr/TRAP|PANIC|WARNING|terminated by signal/, 'the server is well');
verify_indexes($node, 'after the disturbances');
$node->stop;
done_testing();
