# The reverse proxy of README.md, exactly as it stands there but for ports and paths, speaks HTTPS for the endpoint.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

my ($nginx) = grep { -x $_ } map { "$_/nginx" } split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin';
BAIL_OUT('nginx is not installed') unless defined $nginx;

my $readme = slurp_file("$FindBin::RealBin/../../README.md");
my ($configuration) = $readme =~ /^```nginx\n(.*?)^```/ms;
my $node = start_endpoint_node('main', settings => { authentication => 'signature', anonymous_role => undef });
my ($key_id, $secret) = split /\|/, $node->safe_psql('postgres', q{SELECT * FROM create_access_key('app')});
my $port = PostgreSQL::Test::Cluster::get_free_port();
my $directory = PostgreSQL::Test::Utils::tempdir();

run_command([ 'openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost',
	'-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', "$directory/tls.key", '-out', "$directory/tls.pem" ]);
my %replacements = (
	'127.0.0.1:8000' => "127.0.0.1:$node->{endpoint_port}",
	'listen 443 ssl' => "listen 127.0.0.1:$port ssl",
	'dynamodb.example.com;' => 'localhost;',
	'/etc/ssl/certs/dynamodb.example.com.pem' => "$directory/tls.pem",
	'/etc/ssl/private/dynamodb.example.com.key' => "$directory/tls.key");
for my $text (sort keys %replacements)
{
	is(scalar($configuration =~ s/\Q$text\E/$replacements{$text}/g), 1, "README has '$text' once");
}
unlike($configuration, qr{example|/etc/}, 'and nothing else that is to be replaced');

# What the package's own nginx.conf has around it; the temporary files of one that is not root.
my $temporary = join '', map { "${_}_temp_path $directory/$_;\n" } qw(client_body proxy fastcgi uwsgi scgi);
append_to_file("$directory/nginx.conf",
	"daemon off;\npid $directory/nginx.pid;\nerror_log $directory/error.log;\nevents {}\nhttp {\naccess_log off;\n$temporary$configuration}\n");
my $output = '';
my $proxy = IPC::Run::start([ $nginx, '-p', $directory, '-e', "$directory/error.log", '-c', "$directory/nginx.conf" ], '<', \undef, '>&', \$output);

END { $proxy->kill_kill if defined $proxy; }

for (1 .. 100)
{
	last if -e "$directory/nginx.pid" || !$proxy->pumpable;
	usleep(100_000);
}
{
	local %ENV = (%ENV, AWS_CA_BUNDLE => "$directory/tls.pem");
	run_python($node, 'tls.py', key_id => $key_id, secret => $secret, url => "https://localhost:$port");
}
my $errors = -e "$directory/error.log" ? slurp_file("$directory/error.log") : '';
unlike($errors, qr/\[(?:error|crit|alert|emerg)\](?!.*client intended to send too large body)/, 'nginx has nothing to complain of');
$proxy->kill_kill;
undef $proxy;
$node->stop;
done_testing();
