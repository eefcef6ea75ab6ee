# What the JSON API stores of tables survives pg_dump and restore: the settings find their tables by name, whatever schema the
# extension is in, in plain and in parallel restores, and an ordinary role can make the dump.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('api_dump');
$node->init(extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE DATABASE source OWNER app');
my $long = 'long' x 60;

$node->safe_psql('source', 'CREATE SCHEMA dynamo; CREATE EXTENSION singletable SCHEMA dynamo; GRANT USAGE ON SCHEMA dynamo TO app;
	CREATE SCHEMA other AUTHORIZATION app; ALTER SCHEMA public OWNER TO app; ALTER DATABASE source SET search_path = public, dynamo');

# The API in SQL, as the application.
sub api
{
	my ($database, $operation, $request) = @_;
	return $node->safe_psql($database, "SELECT dynamodb('$operation', \$q\$$request\$q\$)", extra_params => [ '-U', 'app' ]);
}

my $keys = '"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]';
my $index = '"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "B\"c"]}';
my $definitions = '"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "N"}]';
my $throughput = '"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}';
for my $name ('Shop-1', $long, 'dropped', 'before')
{
	api('source', 'CreateTable', qq({"TableName": "$name", $keys, $definitions, $throughput, "DeletionProtectionEnabled": false,
		"GlobalSecondaryIndexes": [{"IndexName": "z", $index, $throughput}, {"IndexName": "a.b", $index, $throughput}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}, "TableClass": "STANDARD",
		"Tags": [{"Key": "a", "Value": "\\u00fc"}, {"Key": "b", "Value": ""}]}) =~ s/"z"/"zzz"/r);
	api('source', 'PutItem', qq({"TableName": "$name", "Item": {"pk": {"S": "1"}, "g": {"N": "2"}, "x": {"SS": ["a", "b"]}}}));
}
api('source', 'UpdateTable', qq({"TableName": "Shop-1", "ProvisionedThroughput": {"ReadCapacityUnits": 4, "WriteCapacityUnits": 7}}));
api('source', 'UpdateTimeToLive', qq({"TableName": "$long", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "it's"}}));
$node->safe_psql('source', q(
	CREATE TABLE plain (pk text COLLATE "C" PRIMARY KEY, item dynamo.item NOT NULL DEFAULT '{}');
	CREATE TABLE other.plain (LIKE plain INCLUDING ALL);
	DROP TABLE dropped;
	ALTER TABLE before RENAME TO after), extra_params => [ '-U', 'app' ]);

# All that the API tells of a database.
sub describe
{
	my ($database) = @_;
	$node->safe_psql($database, 'VACUUM ANALYZE');
	my $result = api($database, 'ListTables', '{}') . "\n";
	for my $name ('Shop-1', $long, 'after', 'plain')
	{
		# The TableId of a table without settings is made from its OID.
		$result .= api($database, 'DescribeTable', qq({"TableName": "$name"})) =~ s/("TableId":) "[^"]*"/$1/r if $name eq 'plain';
		$result .= api($database, 'DescribeTable', qq({"TableName": "$name"})) if $name ne 'plain';
		$result .= api($database, 'DescribeTimeToLive', qq({"TableName": "$name"}));
		$result .= api($database, 'ListTagsOfResource', qq({"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/$name"}));
		$result .= api($database, 'Scan', qq({"TableName": "$name"})) . "\n";
		$result .= api($database, 'Scan', qq({"TableName": "$name", "IndexName": "zzz"})) . "\n" if $name ne 'plain';
	}
	return $result =~ s/(SizeBytes": )\d+/$1/gr;
}

# The lines of a dump, sorted (the rows of the settings come in any order), without what newer versions of pg_dump make at random.
sub dump_lines
{
	my ($database) = @_;
	my ($text) = run_command([ 'pg_dump', '-U', 'app', '-h', $node->host, '-p', $node->port, $database ]);
	return join("\n", sort grep { !/^\\(un)?restrict / } split(/\n/, $text));
}

my $expected = describe('source');
like($expected, qr/"TableNames": \["Shop-1", "after", "$long", "plain"\]/, 'the source has its tables');
is($node->safe_psql('source', 'SELECT count(*) FROM item_table_settings'), '4', 'the settings have a row of a table that SQL has dropped');

my $file = "$PostgreSQL::Test::Utils::tmp_check/source";
$node->command_ok([ 'pg_dump', '-U', 'app', '-f', "$file.sql", 'source' ], 'an ordinary role dumps');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$file.dump", 'source' ], 'and a superuser');
my ($rows) = slurp_file("$file.sql") =~ /^COPY dynamo.item_table_settings .*?\n(.*?)^\\\.$/ms;
like($rows, qr/^public.after\t/m, 'the dump has the names of tables');
unlike($rows, qr/^\d/m, 'and no OID of one that is gone');

$node->safe_psql('postgres', 'CREATE DATABASE plain OWNER app; CREATE DATABASE parallel OWNER app');
$node->safe_psql('postgres', "ALTER DATABASE $_ SET search_path = public, dynamo") for ('plain', 'parallel');
$node->command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', 'plain', '-f', "$file.sql" ], 'plain restore');
$node->command_ok([ 'pg_restore', '-e', '-j', '2', '-d', 'parallel', "$file.dump" ], 'parallel restore');
for my $database ('plain', 'parallel')
{
	is(describe($database), $expected, "$database: the API tells the same");
	is($node->safe_psql($database, 'SELECT count(*) FROM item_table_settings'), '3', "$database: a row a table that there is");
	is(dump_lines($database), dump_lines('source'), "$database: a dump of it is the same");
	like(api($database, 'UpdateTable', qq({"TableName": "$long", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "zzz"}}]})),
		qr/"IndexStatus": "DELETING"/, "$database: the API goes on");
	like(api($database, 'DeleteTable', qq({"TableName": "$long"})), qr/"DELETING"/, "$database: to the end");
}

$node->stop;
done_testing();
