# Every file of examples/ runs from an empty database, and a second time with the same output; demo.sql with the data of iso-codes.
use strict;
use warnings;

use File::Basename;
use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $node = create_node('main');
$node->start;

for my $path (sort glob "$FindBin::RealBin/../../examples/*.sql")
{
	my $name = basename($path, '.sql');
	$node->safe_psql('postgres', qq(CREATE DATABASE "$name"));
	# The errors that a file means to show, it shows with ON_ERROR_STOP off around them.
	my @command = ('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($name), '-f', $path);
	$node->command_ok(\@command, "examples/$name.sql");
	my ($first) = run_command(\@command);
	my ($second) = run_command(\@command);
	is($second, $first, "examples/$name.sql: the same again");
	$node->safe_psql($name, 'CREATE EXTENSION IF NOT EXISTS amcheck');
	verify_indexes($node, "examples/$name.sql", database => $name);
}
pass('all of them were run');

$node->stop;
done_testing();
