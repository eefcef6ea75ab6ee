# Access keys in copies of a server: a standby, a server that pg_upgrade made, a crash, and no other way out.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $primary = start_endpoint_node(
	'primary',
	allows_streaming => 1,
	settings => { authentication => 'signature', anonymous_role => undef, workers => 2 },
	sql => <<'SQL');
SELECT create_item_table('"Kept"', 'pk');
SELECT put_item('"Kept"', '{"pk": "a", "value": "kept"}');
GRANT SELECT ON "Kept" TO app;
CREATE ROLE gone LOGIN; CREATE ROLE later LOGIN;
GRANT SELECT ON "Kept" TO later;
SQL

sub create_key
{
	my ($node, $role) = @_;
	return [ split /\|/, $node->safe_psql('postgres', "SELECT * FROM create_access_key('$role')") ];
}

# What one request with this key brings.
sub result_of
{
	my ($node, $key) = @_;
	local %ENV = (%ENV, python_environment($node, @$key));
	my ($output) = run_command([ '/usr/bin/python3', "$FindBin::RealBin/../endpoint/one_request.py" ]);
	return $output;
}

my $key = create_key($primary, 'app');
my $revoked = create_key($primary, 'app');
my $of_dropped_role = create_key($primary, 'gone');
is(result_of($primary, $key), 'kept', 'a key');

# --- standby

$primary->backup('backup');
my $standby = start_endpoint_standby($primary, 'backup');
is(result_of($standby, $_), 'kept', 'a key on a standby') for $key, $revoked;
$primary->safe_psql('postgres', "SELECT revoke_access_key('$revoked->[0]'); DROP ROLE gone");
my $later = create_key($primary, 'later');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
is(result_of($standby, $revoked), 'UnrecognizedClientException', 'revoked on the primary, void on the standby');
is(result_of($standby, $of_dropped_role), 'UnrecognizedClientException', 'so is that of a role that was dropped');
is(result_of($standby, $later), 'kept', 'made on the primary, good on the standby');
sqlstate_is($standby, $_, '25006', "$_ on the standby") for "SELECT create_access_key('app')", "SELECT revoke_access_key('$key->[0]')";
is($standby->safe_psql('postgres', q{SELECT string_agg(status, ', ' ORDER BY created) FROM list_access_keys()}),
	'active, revoked, role dropped, active', 'the list on the standby');
$standby->promote;
$standby->safe_psql('postgres', "SELECT revoke_access_key('$later->[0]')");
is(result_of($standby, $later), 'UnrecognizedClientException', 'revoked after the promotion');
is(result_of($primary, $later), 'kept', 'which is another server now');
$standby->stop;

# --- crash

$primary->stop('immediate');
$primary->start;
wait_for_endpoint($primary);
is(result_of($primary, $key), 'kept', 'a key after a crash');
is(result_of($primary, $revoked), 'UnrecognizedClientException', 'a revoked key after a crash');

# --- pg_upgrade

$primary->stop;
my $upgraded = PostgreSQL::Test::Cluster->new('upgraded');
$upgraded->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
my ($bin) = grep { -x "$_/postgres" } split /:/, $ENV{PATH};
chdir PostgreSQL::Test::Utils::tempdir();
command_ok(
	[
		'pg_upgrade', '--no-sync', '-d', $primary->data_dir, '-D', $upgraded->data_dir, '-b', $bin, '-B', $bin,
		'-s', $primary->host, '-p', $primary->port, '-P', $upgraded->port, '-j', 1
	],
	'pg_upgrade');
$upgraded->{endpoint_port} = PostgreSQL::Test::Cluster::get_free_port();
$upgraded->append_conf('postgresql.conf',
	endpoint_conf($upgraded->{endpoint_port}, authentication => 'signature', anonymous_role => undef, workers => 2));
$upgraded->start;
wait_for_endpoint($upgraded);
is(result_of($upgraded, $key), 'kept', 'a key after pg_upgrade');
is(result_of($upgraded, $revoked), 'UnrecognizedClientException', 'a revoked key after pg_upgrade');
$upgraded->stop;
done_testing();
