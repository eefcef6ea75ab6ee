# What README.md says of clients and containers is true: its commands are run in a private cluster, with the paths and the port of that.
#
# Commands that need root or the network are played: sudo, make, systemctl, and aws where the real one is not installed.  The program in
# JavaScript is run where node finds the SDK (NODE_PATH).
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my ($section) = slurp_file("$FindBin::RealBin/../../README.md") =~ /^## HTTP endpoint\n(.*?)^## /ms;
my $directory = PostgreSQL::Test::Utils::tempdir();

# The first block of a language.
sub block
{
	my ($language) = @_;
	$section =~ /^```$language\n(.*?)^```$/ms or die "README.md has no block of $language";
	return $1;
}

sub write_program
{
	my ($name, $text) = @_;
	append_to_file("$directory/$name", $text);
	chmod 0755, "$directory/$name";
}

# --- from nothing to a client -------------------------------------------------------------------------------------------------

my $node = create_node('main');
my $data = $node->data_dir;
$node->{endpoint_port} = PostgreSQL::Test::Cluster::get_free_port();
mkdir "$data/conf.d" or die;
$node->append_conf('postgresql.conf', "include_dir = 'conf.d'\nmax_worker_processes = 20\n");
$node->start;

write_program('make', "#!/bin/sh\ntrue\n");
write_program('sudo', "#!/bin/sh\n[ \"\$1\" != -u ] || shift 2\n[ \"\$1\" = make ] || exec \"\$@\"\n");
write_program('systemctl', "#!/bin/sh\n[ \"\$*\" = 'restart postgresql' ] && exec pg_ctl -D '$data' -w -l '$directory/log' restart >/dev/null\n");
write_program('aws', <<'PYTHON') if system('command -v aws >/dev/null 2>&1') != 0;
#!/usr/bin/python3
import json, sys, boto3
assert sys.argv[1:4] == ["dynamodb", "list-tables", "--endpoint-url"]
print(json.dumps({"TableNames": boto3.client("dynamodb", endpoint_url=sys.argv[4]).list_tables()["TableNames"]}))
PYTHON

my %blocks = map { $_ => block($_) } qw(sh python javascript dockerfile);
for my $language (qw(sh python javascript))
{
	$blocks{$language} =~ s/localhost:8000/localhost:$node->{endpoint_port}/g;
	append_to_file("$directory/block.$language", $blocks{$language});
}
$blocks{sh} =~ s{/etc/postgresql/15/main/conf.d}{$data/conf.d}g or die 'no path of the configuration';
$blocks{sh} =~ s/endpoint_port = 8000/endpoint_port = $node->{endpoint_port}/ or die 'no port';
my $has_sdk = system('node -e "require(\'@aws-sdk/lib-dynamodb\')" >/dev/null 2>&1') == 0;
append_to_file("$directory/script", <<"SH");
set -e
$blocks{sh}
echo '=== python'
/usr/bin/python3 $directory/block.python
echo '=== javascript'
@{[ $has_sdk ? "node $directory/block.javascript" : '' ]}
SH
{
	local %ENV = (%ENV, python_environment($node), $node->_get_env);
	local $ENV{PATH} = "$directory:$ENV{PATH}";
	local $ENV{no_proxy} = 'localhost';
	local $ENV{PGDATABASE} = 'postgres';
	delete @ENV{qw(AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_DEFAULT_REGION)};
	is(system("bash $directory/script >$directory/output 2>$directory/errors"), 0, 'the commands and programs run')
	  or diag(slurp_file("$directory/output") . slurp_file("$directory/errors"));
}
$node->_update_pid(1);
my %output = ('', split /^=== (\w+)\n/m, slurp_file("$directory/output"));
like($output{''}, qr/"TableNames": \[\]/, 'five lines lead to list-tables');
like($output{python}, qr/'song': 'One'/, 'the program in Python shows what it has written');
is_deeply([ $node->safe_psql('postgres', q{SELECT tableowner FROM pg_tables WHERE tablename = 'Music'}) ], ['app'], 'as the role of the access key');
SKIP:
{
	skip 'no SDK for JavaScript', 1 unless $has_sdk;
	like($output{javascript}, qr/song: 'Two'/, 'the program in JavaScript too');
}
$node->stop;

# --- the image ----------------------------------------------------------------------------------------------------------------

my ($sql) = $blocks{dockerfile} =~ /echo "([^"]+)"/;
(my $joined = $blocks{dockerfile}) =~ s/\\\n//g;
my ($command) = $joined =~ /^CMD (\[.*\])$/m;
my @command = @{ decode_json($command) };
is(shift @command, 'postgres', 'the image runs postgres');
my $image = create_node('image');
$image->{endpoint_port} = PostgreSQL::Test::Cluster::get_free_port();
while (my ($option, $setting) = splice @command, 0, 2)
{
	my ($name, $value) = $setting =~ /^([\w.]+)=(.*)$/;
	$value = $image->{endpoint_port} if $name eq 'singletable.endpoint_port';
	$image->append_conf('postgresql.conf', "$name = '$value'");
}
# As the entry point of the image does it: a server for the scripts first, then the one that stays.
$image->start;
$image->safe_psql('postgres', $sql);
$image->restart;
wait_for_endpoint($image);
my ($key_id, $secret) = split /\|/, $image->safe_psql('postgres', q{SELECT * FROM create_access_key('app')});
{
	local %ENV = (%ENV, python_environment($image, $key_id, $secret));
	like(`/usr/bin/python3 -c 'import boto3, os; print(boto3.client("dynamodb", endpoint_url=os.environ["ENDPOINT_URL"]).list_tables()["TableNames"])'`,
		qr/^\[\]$/, 'its server serves');
}
$image->stop;
done_testing();
