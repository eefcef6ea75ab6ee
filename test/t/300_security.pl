# The functions do what the calling role may do and no more: privileges of tables and columns, row-level security, both ways of
# reading; and names that need quoting are quoted.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $node = start_node('main');

$node->safe_psql('postgres', <<'SQL');
CREATE ROLE nobody LOGIN;
CREATE ROLE reader LOGIN;
CREATE ROLE writer LOGIN;
CREATE ROLE key_reader LOGIN;
CREATE ROLE ann LOGIN;
CREATE ROLE ben LOGIN;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'by_status', 'status', 'pk');
SELECT put_item('shop', '{"pk": "a", "sk": "1", "status": "OPEN", "secret": 42}');
GRANT SELECT ON shop TO reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON shop TO writer;
GRANT SELECT (pk, sk, status) ON shop TO key_reader;
SQL

my $key = q{'{"pk": "a", "sk": "1"}'};
my %reads = (
	get_item => qq{get_item('shop', $key)},
	query_items => q{query_items('shop', 'pk = :p', '{":p": "a"}')},
	'query_items by gsi' => q{query_items('shop', '#s = :s', '{":s": "OPEN"}', '{"#s": "status"}', index => 'by_status')},
	scan_items => q{scan_items('shop')},
	'scan_items by gsi' => q{scan_items('shop', index => 'by_status')},
	batch_get_items => qq{batch_get_items('{"shop": {"Keys": [{"pk": "a", "sk": "1"}]}}')},
	transact_get_items => qq{transact_get_items('[{"Get": {"TableName": "shop", "Key": {"pk": "a", "sk": "1"}}}]')});
my %writes = (
	put_item => q{put_item('shop', '{"pk": "b", "sk": "1", "status": "OPEN"}')},
	'put_item with a condition' => q{put_item('shop', '{"pk": "b", "sk": "1"}', condition => 'attribute_exists(pk)')},
	update_item => qq{update_item('shop', $key, 'SET x = :x', attribute_values => '{":x": 1}')},
	delete_item => q{delete_item('shop', '{"pk": "b", "sk": "1"}')},
	check_item => qq{check_item('shop', $key, 'attribute_exists(pk)')},
	'check_item of an absent key' => q{check_item('shop', '{"pk": "none", "sk": "1"}', 'attribute_not_exists(pk)')},
	'batch_write_items, put' => q{batch_write_items('{"shop": [{"PutRequest": {"Item": {"pk": "c", "sk": "1"}}}]}')},
	'batch_write_items, delete' => q{batch_write_items('{"shop": [{"DeleteRequest": {"Key": {"pk": "c", "sk": "1"}}}]}')},
	'transact_write_items, Put' => q{transact_write_items('[{"Put": {"TableName": "shop", "Item": {"pk": "d", "sk": "1"}}}]')},
	'transact_write_items, Update' => qq{transact_write_items('[{"Update": {"TableName": "shop", "Key": {"pk": "a", "sk": "1"}, "UpdateExpression": "REMOVE x"}}]')},
	'transact_write_items, Delete' => q{transact_write_items('[{"Delete": {"TableName": "shop", "Key": {"pk": "d", "sk": "1"}}}]')},
	'transact_write_items, ConditionCheck' => qq{transact_write_items('[{"ConditionCheck": {"TableName": "shop", "Key": {"pk": "a", "sk": "1"}, "ConditionExpression": "attribute_exists(pk)"}}]')});
my %definitions = (
	create_item_table => q{create_item_table('mine', 'pk')},
	create_item_index => q{create_item_index('shop', 'another', 'other')});

# --- privileges of a table

for my $setting ('off', 'on')
{
	my $set = "SET singletable.force_statements = $setting;";
	for my $name (sort keys %reads)
	{
		sqlstate_is($node, "$set SELECT $reads{$name}", '42501', "$name without a privilege (force_statements $setting)", role => 'nobody');
		sqlstate_is($node, "$set SELECT $reads{$name}", '', "$name with SELECT (force_statements $setting)", role => 'reader');
		sqlstate_is($node, "$set SELECT $reads{$name}", '42501', "$name with SELECT on the keys alone (force_statements $setting)",
			role => 'key_reader');
	}
}
for my $name (sort keys %writes)
{
	sqlstate_is($node, "SELECT $writes{$name}", '42501', "$name without a privilege", role => 'nobody');
	# The conditional put of an absent item is no exception: it needs its privileges before it looks.
	sqlstate_is($node, "SELECT $writes{$name}", '42501', "$name with SELECT", role => 'reader');
	my $sqlstate = sqlstate_of($node, "SELECT $writes{$name}", role => 'writer');
	ok($sqlstate eq '' || $sqlstate eq 'KV002', "$name with all privileges") or diag($sqlstate);
}
for my $name (sort keys %definitions)
{
	sqlstate_is($node, "SELECT $definitions{$name}", '42501', "$name without the right", role => 'writer');
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM shop WHERE pk NOT IN ('a', 'b', 'c', 'd')}), '0', 'nothing else was written');

# --- row-level security by the leading key, for both ways of reading

$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('notes', 'pk', 'sk');
SELECT create_item_index('notes', 'by_tag', 'tag', 'pk');
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO ann, ben;
SELECT count(put_item('notes', jsonb_build_object('pk', who || '#' || i, 'sk', 'note', 'tag', 'T', 'owner', who, 'n', 0)::item))
FROM unnest(ARRAY['ann', 'ben']) who, generate_series(1, 3) i;
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON notes USING (begins_with(pk, current_user || '#')) WITH CHECK (begins_with(pk, current_user || '#'));
SQL

for my $setting ('off', 'on')
{
	my $set = "SET singletable.force_statements = $setting;";
	for my $role ('ann', 'ben')
	{
		my $other = $role eq 'ann' ? 'ben' : 'ann';
		my %counts = (
			'get_item, own' => [ 1, qq{SELECT count(get_item('notes', '{"pk": "$role#1", "sk": "note"}'))} ],
			'get_item, other' => [ 0, qq{SELECT count(get_item('notes', '{"pk": "$other#1", "sk": "note"}'))} ],
			'query_items, own' => [ 1, qq{SELECT count(*) FROM query_items('notes', 'pk = :p', '{":p": "$role#1"}')} ],
			'query_items, other' => [ 0, qq{SELECT count(*) FROM query_items('notes', 'pk = :p', '{":p": "$other#1"}')} ],
			'query_items by gsi' => [ 3, q{SELECT count(*) FROM query_items('notes', 'tag = :t', '{":t": "T"}', index => 'by_tag')} ],
			'scan_items' => [ 3, q{SELECT count(*) FROM scan_items('notes')} ],
			'scan_items by gsi' => [ 3, q{SELECT count(*) FROM scan_items('notes', index => 'by_tag')} ],
			'scan_items in segments' =>
			  [ 3, q{SELECT count(*) FROM generate_series(0, 3) g, scan_items('notes', segment => g, total_segments => 4)} ],
			'batch_get_items' =>
			  [ 1, q{SELECT count(*) FROM batch_get_items('{"notes": {"Keys": [{"pk": "ann#1", "sk": "note"}, {"pk": "ben#1", "sk": "note"}]}}')} ],
			'transact_get_items' => [ 1,
				q{SELECT count(i) FROM transact_get_items('[{"Get": {"TableName": "notes", "Key": {"pk": "ann#1", "sk": "note"}}},
					{"Get": {"TableName": "notes", "Key": {"pk": "ben#1", "sk": "note"}}}]') i} ],
			'SQL' => [ 3, 'SELECT count(full_item(n)) FROM notes n' ]);
		for my $name (sort keys %counts)
		{
			my ($expected, $query) = @{ $counts{$name} };
			my (undef, $found) = $node->psql('postgres', "$set $query", extra_params => [ '-U', $role ]);
			is($found, $expected, "$name: $role sees own items only (force_statements $setting)");
		}
	}
}

# What another's rows would have been changed by is refused or finds nothing; the rows stay as they are.
my $before = $node->safe_psql('postgres', q{SELECT full_item(n) FROM notes n WHERE pk ^@ 'ben#' ORDER BY pk});
sqlstate_is($node, q{SELECT put_item('notes', '{"pk": "ben#9", "sk": "note"}')}, '42501', 'put_item of a row of another', role => 'ann');
my %attempts = (
	put_item => q{put_item('notes', '{"pk": "ben#1", "sk": "note", "n": 1}')},
	'put_item with a condition' => q{put_item('notes', '{"pk": "ben#1", "sk": "note", "n": 1}', condition => 'attribute_not_exists(pk)')},
	update_item => q{update_item('notes', '{"pk": "ben#1", "sk": "note"}', 'SET n = :n', attribute_values => '{":n": 1}')},
	delete_item => q{delete_item('notes', '{"pk": "ben#1", "sk": "note"}')},
	batch_write_items => q{batch_write_items('{"notes": [{"PutRequest": {"Item": {"pk": "ben#1", "sk": "note"}}}]}')},
	transact_write_items => q{transact_write_items('[{"Put": {"TableName": "notes", "Item": {"pk": "ben#1", "sk": "note"}}}]')});
for my $name (sort keys %attempts)
{
	my $sqlstate = sqlstate_of($node, "SELECT $attempts{$name}", role => 'ann');
	like($sqlstate, $name eq 'delete_item' ? qr/^$/ : qr/^(?:42501|KV\d+)$/, "$name of another's row is refused");
}
is($node->safe_psql('postgres', q{SELECT full_item(n) FROM notes n WHERE pk ^@ 'ben#' ORDER BY pk}), $before, "another's rows are as they were");
sqlstate_is($node, q{SELECT update_item('notes', '{"pk": "ann#1", "sk": "note"}', 'SET n = :n', attribute_values => '{":n": 1}')}, '',
	'an own row can be updated', role => 'ann');

# A session that changes its role gets plans and rows of the new one.
is($node->safe_psql('postgres', <<'SQL'), "3\n3\n6", 'the cached descriptor knows nothing of roles');
SET ROLE ann;
SELECT count(*) FROM scan_items('notes');
SET ROLE ben;
SELECT count(*) FROM scan_items('notes');
RESET ROLE;
SELECT count(*) FROM scan_items('notes');
SQL
is($node->safe_psql('postgres', <<'SQL'), "\nf\nt", 'nor do the kept plans of writes');
SELECT put_item('notes', '{"pk": "root#1", "sk": "note"}');
SET ROLE ann;
SELECT get_item('notes', '{"pk": "root#1", "sk": "note"}') IS NOT NULL;
SELECT update_item('notes', '{"pk": "ann#2", "sk": "note"}', 'SET n = :n', attribute_values => '{":n": 1}', return_values => 'ALL_NEW') ->> 'n' = '1';
SQL

# --- names that need quoting

my @names = ('select', 'With Blank', q{it''s}, q{dou""ble}, 'a;DROP TABLE shop;--', 'ünïcode', '$1', 'back\\slash', '%s', 'pk', q{x'' || pg_sleep(9) || ''});
my $number = 0;
for my $name (@names)
{
	$number++;
	(my $unquoted = $name) =~ s/""/"/g;
	(my $json = $unquoted) =~ s/''/'/g;
	$json =~ s/(["\\])/\\$1/g;
	(my $literal = $json) =~ s/'/''/g;
	(my $plain = $unquoted) =~ s/''/'/g;
	(my $sql_literal = $plain) =~ s/'/''/g;
	my $result = $node->safe_psql('postgres', <<"SQL");
CREATE SCHEMA schema_$number;
SET search_path = schema_$number, public;
SELECT create_item_table(format('%I', '$sql_literal'), '$sql_literal', 'k$number') IS NOT NULL;
SELECT create_item_index(format('%I', '$sql_literal'), 'index-$number', 'g $sql_literal', '$sql_literal') IS NOT NULL;
SELECT put_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s", "g $literal": "g", "v": 1}');
SELECT put_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s", "g $literal": "g", "v": 2}', condition => 'v = :one', attribute_values => '{":one": 1}');
SELECT update_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s"}', 'ADD v :one', attribute_values => '{":one": 1}');
SELECT check_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s"}', 'v = :v', '{":v": 3}');
SELECT check_item(format('%I', '$sql_literal'), '{"$literal": "none", "k$number": "s"}', 'attribute_not_exists(v)');
SELECT get_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s"}') ->> 'v';
SELECT query_items(format('%I', '$sql_literal'), '#g = :g', '{":g": "g"}', '{"#g": "g $literal"}', index => 'index-$number') ->> 'v';
SELECT scan_items(format('%I', '$sql_literal')) ->> 'v';
SET singletable.force_statements = on;
SELECT get_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s"}') ->> 'v';
SELECT query_items(format('%I', '$sql_literal'), '#g = :g', '{":g": "g"}', '{"#g": "g $literal"}', index => 'index-$number') ->> 'v';
SELECT scan_items(format('%I', '$sql_literal')) ->> 'v';
SELECT delete_item(format('%I', '$sql_literal'), '{"$literal": "p", "k$number": "s"}', return_values => 'ALL_OLD') ->> 'v';
SELECT count(*) FROM scan_items(format('%I', '$sql_literal'));
SQL
	$result =~ s/^\n+//mg;
	is($result, join("\n", 't', 't', (3) x 7, 0), "every operation on names like $name");
}
is($node->safe_psql('postgres', 'SELECT count(*) > 0 FROM shop'), 't', 'nothing was injected');

verify_indexes($node, 'at the end');
$node->stop;
done_testing();
