# Nodes with the HTTP endpoint, requests to it, and Python programs that drive it.
package Endpoint;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use HTTP::Tiny;
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(start_endpoint_node endpoint_conf wait_for_endpoint request request_is run_python python_environment workers_of
  start_endpoint_standby open_connection send_request read_answer lock_row unlock_row);

# Proxies of the machine are not for us.
delete @ENV{qw(http_proxy HTTP_PROXY https_proxy HTTPS_PROXY all_proxy ALL_PROXY)};

my $json = JSON::PP->new->canonical->utf8;

# Text for postgresql.conf.  Requests run as the role app, with any signature or none, unless options say otherwise:
# members of options are settings without "singletable.endpoint_".
sub endpoint_conf
{
	my ($port, %options) = @_;
	my %settings = (
		port => $port,
		database => 'postgres',
		role => 'endpoint',
		authentication => 'none',
		anonymous_role => 'app',
		workers => 4,
		%options);
	return "shared_preload_libraries = 'singletable'\nmax_worker_processes = 20\n"
	  . join('', map { "singletable.endpoint_$_ = '$settings{$_}'\n" } grep { defined $settings{$_} } sort keys %settings);
}

# A running node that serves at $node->{endpoint_port}.  Options: those of Singletable::create_node, and settings => {...} for endpoint_conf,
# sql => what is run before it serves.  Database postgres has the extension, and the role app may create tables in it.
sub start_endpoint_node
{
	my ($name, %options) = @_;
	my %settings = %{ delete $options{settings} // {} };
	my $sql = delete $options{sql} // '';
	my $node = create_node($name, %options);

	$node->{endpoint_port} = PostgreSQL::Test::Cluster::get_free_port();
	$node->start;
	$node->safe_psql('postgres', "CREATE EXTENSION singletable; CREATE EXTENSION amcheck;
		CREATE ROLE endpoint LOGIN; CREATE ROLE app LOGIN; GRANT CREATE ON SCHEMA public TO app; $sql");
	$node->append_conf('postgresql.conf', endpoint_conf($node->{endpoint_port}, %settings));
	$node->restart;
	wait_for_endpoint($node);
	return $node;
}

# Until a request is answered: workers start, and start again after a crash, a little later than the server.
sub wait_for_endpoint
{
	my ($node) = @_;
	my $http = HTTP::Tiny->new(timeout => 10);
	for (1 .. 600)
	{
		my $answer = $http->get("http://127.0.0.1:$node->{endpoint_port}/");
		return if $answer->{status} == 200;
		usleep(100_000);
	}
	die 'the endpoint does not answer';
}

# Status and decoded body of an operation.  Status 599 means that no answer came.
sub request
{
	my ($node, $operation, $body) = @_;
	my $answer = HTTP::Tiny->new(timeout => 180)->post(
		"http://127.0.0.1:$node->{endpoint_port}/",
		{
			headers => { 'content-type' => 'application/x-amz-json-1.0', 'x-amz-target' => "DynamoDB_20120810.$operation" },
			content => ref $body ? $json->encode($body) : $body
		});
	my $content = $answer->{content};
	return ($answer->{status}, $content =~ /^\{/ ? $json->decode($content) : $content);
}

# The operation is answered with status 200 and, where given, this body; or with an error of this name.
sub request_is
{
	my ($node, $operation, $body, $expected, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($status, $answer) = request($node, $operation, $body);

	if (!defined $expected || ref $expected)
	{
		is_deeply([ $status, defined $expected ? $answer : undef ], [ 200, $expected ], $name)
		  or diag(ref $answer ? $json->encode($answer) : $answer);
		return;
	}
	my $type = ref $answer ? $answer->{__type} // '' : $answer;
	$type =~ s/.*#//;
	is("$status $type", "400 $expected", $name) or diag(ref $answer ? $json->encode($answer) : $answer);
}

# Process ids of the endpoint's workers.
sub workers_of
{
	my ($node) = @_;
	return split /\n/,
	  $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'singletable endpoint%' ORDER BY backend_start, pid});
}

# A connection to send requests on, one after the other or several at once.
sub open_connection
{
	my ($node) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $node->{endpoint_port}, Proto => 'tcp')
	  or die "connect: $!";
	$socket->autoflush(1);
	return $socket;
}

# Sends the request of an operation; further headers as pairs.
sub send_request
{
	my ($socket, $operation, $body, @headers) = @_;
	my $content = ref $body ? $json->encode($body) : $body;
	my $head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.$operation\r\n"
	  . 'Content-Length: ' . length($content) . "\r\n";
	$head .= shift(@headers) . ': ' . shift(@headers) . "\r\n" while @headers;
	print $socket "$head\r\n$content";
}

# The next answer of a connection: {status, headers (names in lower case), content, json}.  undef if none comes in that many seconds, or
# the connection is closed; $! is then 0.
sub read_answer
{
	my ($socket, $seconds) = @_;
	my $until = time + ($seconds // 60);
	my $text = delete ${*$socket}{singletable_rest} // '';

	for (;;)
	{
		if ($text =~ /^(.*?\r\n)\r\n/s)
		{
			my ($first, @lines) = split /\r\n/, $1;
			my $begin = $+[0];
			my %headers = map { /^([^:]+): *(.*)$/ ? (lc $1 => $2) : () } @lines;
			my $length = $headers{'content-length'} // 0;
			if (length($text) >= $begin + $length)
			{
				my $content = substr($text, $begin, $length);
				${*$socket}{singletable_rest} = substr($text, $begin + $length);
				my ($status) = $first =~ /^HTTP\/1\.1 (\d+)/;
				return {
					status => $status,
					headers => \%headers,
					content => $content,
					json => $content =~ /^\{/ && !$headers{'content-encoding'} ? $json->decode($content) : undef
				};
			}
		}
		my $rest = $until - time;
		${*$socket}{singletable_rest} = $text;
		$! = 0;
		return undef if $rest <= 0 || !IO::Select->new($socket)->can_read($rest);
		my $count = sysread($socket, $text, 65536, length $text);
		return undef unless $count;
	}
}

# Locks a row of a table until unlock_row, without a session: the row is updated by a prepared transaction.
sub lock_row
{
	my ($node, $table, $key, %options) = @_;
	$node->safe_psql('postgres', "BEGIN; UPDATE $table SET pk = pk WHERE pk = '$key'; PREPARE TRANSACTION '$table/$key'");
}

sub unlock_row
{
	my ($node, $table, $key) = @_;
	$node->safe_psql('postgres', "ROLLBACK PREPARED '$table/$key'");
}

# A running standby of a node that serves (and has a backup of that name), with an endpoint of its own.
sub start_endpoint_standby
{
	my ($primary, $backup) = @_;
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($primary, $backup, has_streaming => 1);
	$standby->{endpoint_port} = PostgreSQL::Test::Cluster::get_free_port();
	$standby->append_conf('postgresql.conf', "singletable.endpoint_port = $standby->{endpoint_port}\n");
	$standby->start;
	wait_for_endpoint($standby);
	return $standby;
}

# What botocore and our programs read; credentials if given.
sub python_environment
{
	my ($node, $key_id, $secret) = @_;
	return (
		ENDPOINT_URL => "http://127.0.0.1:$node->{endpoint_port}",
		AWS_ACCESS_KEY_ID => $key_id // 'any',
		AWS_SECRET_ACCESS_KEY => $secret // 'any',
		AWS_DEFAULT_REGION => 'us-east-1',
		AWS_CONFIG_FILE => '/dev/null',
		AWS_SHARED_CREDENTIALS_FILE => '/dev/null',
		AWS_EC2_METADATA_DISABLED => 'true',
		PYTHONDONTWRITEBYTECODE => 1,
		PYTHONIOENCODING => 'utf-8');
}

# Runs test/endpoint/NAME with Debian's Python (options: key_id, secret, url, arguments); each line "ok - ..." or "not ok - ..." that it prints is an assertion.
sub run_python
{
	my ($node, $program, %options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	local %ENV = (%ENV, python_environment($node, $options{key_id}, $options{secret}));
	$ENV{ENDPOINT_URL} = $options{url} if defined $options{url};
	my $path = $program =~ m{/} ? $program : "$FindBin::RealBin/../endpoint/$program";
	my $is_complete = 0;

	open(my $output, '-|', '/usr/bin/python3', $path, @{ $options{arguments} // [] }) or die "python3: $!";
	while (my $line = <$output>)
	{
		chomp $line;
		if ($line =~ /^(not )?ok - (.*)/)
		{
			ok(!$1, "$program: $2");
		}
		elsif ($line eq '# done')
		{
			$is_complete = 1;
		}
		else
		{
			diag($line);
		}
	}
	close $output;
	is($?, 0, "$program: exit status");
	ok($is_complete, "$program: ran to its end");
}

1;
