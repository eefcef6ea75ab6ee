# AWS's SDK for Python (Debian's python3-boto3), unchanged but for its endpoint URL, drives every operation.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Endpoint;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $node = start_endpoint_node('main', settings => { authentication => 'signature' });
my ($key_id, $secret) = split /\|/, $node->safe_psql('postgres', q{SELECT * FROM create_access_key('app')});

for my $program (qw(boto3_tables.py boto3_items.py boto3_reads.py boto3_batches.py boto3_resource.py))
{
	run_python($node, $program, key_id => $key_id, secret => $secret);
}
$node->stop;
done_testing();
