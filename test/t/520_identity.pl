# Who asks over HTTP: signatures, access keys and roles; and the local mode, which asks nobody and serves this machine alone.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use IO::Socket::INET;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $node = start_endpoint_node('main', settings => { authentication => 'signature', anonymous_role => undef, workers => 2 });

{
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres', PGUSER => $node->safe_psql('postgres', 'SELECT session_user'));
	run_python($node, 'identity.py');
}

# No secret is in the log, nor in a dump.
my ($key_id, $secret) = split /\|/, $node->safe_psql('postgres', q{SELECT * FROM create_access_key('app')});
unlike(slurp_file($node->logfile), qr/\Q$secret\E/, 'no secret in the log');
my ($dump) = run_command([ 'pg_dump', '-d', $node->connstr('postgres') ]);
unlike($dump, qr/\Q$secret\E/, 'no secret in a dump');
like($dump, qr/CREATE EXTENSION/, 'which has the extension');

# --- local mode

# Restarts with these settings; the log since then.
sub restart_with
{
	my (%settings) = @_;
	my $offset = -s $node->logfile;

	$node->append_conf('postgresql.conf', join '', map { "singletable.endpoint_$_ = '$settings{$_}'\n" } sort keys %settings);
	$node->restart;
	return slurp_file($node->logfile, $offset);
}

# What the endpoint answers to ListTables; '' if nobody listens.
sub list_tables
{
	my (%headers) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $node->{endpoint_port}, Timeout => 30) or return '';
	my %all = (Host => 'localhost', 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.ListTables',
		'Content-Length' => 2, Connection => 'close', %headers);

	print $socket "POST / HTTP/1.1\r\n", (map { "$_: $all{$_}\r\n" } sort keys %all), "\r\n{}";
	local $/;
	my $answer = <$socket> // '';
	$answer =~ s/.*?\r\n\r\n//s;
	return $answer;
}

my $port = $node->{endpoint_port};
my $tables = qr/^\{"TableNames": *\[/;
like(restart_with(authentication => 'none', anonymous_role => 'app'), qr/singletable endpoint listens on .*port $port/, 'local mode listens');
wait_for_endpoint($node);
like(list_tables(), $tables, 'local mode needs no signature');
like(list_tables(Authorization => 'AWS4-HMAC-SHA256 Credential=a/20130609/b/c/d, SignedHeaders=host, Signature=e', 'X-Amz-Date' => 'x'),
	$tables, 'and looks at none');
for my $host ('localhost', "localhost:$port", 'LOCALHOST', '127.0.0.1', "127.0.0.1:$port", '[::1]', "[::1]:$port")
{
	like(list_tables(Host => $host), $tables, "local mode answers host $host");
}
for my $host ('example.com', "localhost.example.com:$port", '192.168.0.1', '127.0.0.1.example.com', 'localhost.', '0.0.0.0', '[::]', "x:localhost")
{
	unlike(list_tables(Host => $host), $tables, "but not host $host: a name of somebody else's may mean this machine");
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM create_access_key('app')}), 1, 'keys can be made all the same');

# Roles: privileges decide here too.
$node->safe_psql('postgres', q{ALTER SYSTEM SET singletable.endpoint_anonymous_role = 'nobody'});
$node->reload;
my $answer;
for (1 .. 100)
{
	(undef, $answer) = request($node, 'GetItem', { TableName => 'Shared', Key => { pk => { S => 'a' } } });
	last if ($answer->{message} // '') =~ m{user/nobody};
	select(undef, undef, undef, 0.1);
}
like($answer->{message} // '', qr{^User: \S+:user/nobody is not authorized to perform: dynamodb:GetItem}, 'another role after a reload, which has no privileges');
$node->safe_psql('postgres', q{ALTER SYSTEM RESET singletable.endpoint_anonymous_role});

# --- where it refuses to listen

for my $addresses ('*', '0.0.0.0', 'localhost, 0.0.0.0', '::')
{
	# A machine may have no IPv6.
	next if $addresses eq '::' && !-e '/proc/net/if_inet6';
	my $log = restart_with(authentication => 'none', listen_addresses => $addresses, network_is_protected => 'off');
	like($log, qr/singletable endpoint does not listen: \S+ is no loopback address/, "local mode does not listen on $addresses");
	is(list_tables(), '', 'not even on its loopback addresses');
	is($node->safe_psql('postgres', 'SELECT 1'), 1, 'the server itself is up');
	$log = restart_with(network_is_protected => 'on');
	like($log, qr/singletable endpoint does not listen: \S+ is no loopback address/, "nor if the network is protected");
	is(list_tables(), '', 'and nobody listens');
	$log = restart_with(authentication => 'signature', network_is_protected => 'off');
	like($log, qr/singletable endpoint does not listen: \S+ is no loopback address/, "with signatures it does not listen on $addresses either");
}
like(restart_with(listen_addresses => '0.0.0.0', network_is_protected => 'on'), qr/singletable endpoint listens on 0\.0\.0\.0, port $port/,
	'but on a network that is said to be protected');
wait_for_endpoint($node);
like(list_tables(), qr/MissingAuthenticationTokenException/, 'with signatures');
# The mode cannot be changed under way to one that would not have started.
$node->append_conf('postgresql.conf', "singletable.endpoint_authentication = 'none'\n");
$node->reload;
sleep 1;
like(list_tables(), qr/MissingAuthenticationTokenException/, 'which a reload does not switch off');
$node->stop;
done_testing();
