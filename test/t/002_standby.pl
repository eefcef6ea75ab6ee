# A streaming standby answers reads of items, through the table and through its indexes, refuses writes, and can be promoted.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $primary = start_node('primary', allows_streaming => 1, conf => "max_connections = 20\nshared_buffers = 16MB\n");
$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

$primary->safe_psql('postgres', <<'SQL');
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'by_status', 'status', 'at', projection => 'KEYS_ONLY');
SELECT create_item_index('shop', 'by_price', 'pk', 'price', sort_key_type => 'N', local => true);
SELECT count(put_item('shop', jsonb_build_object('pk', 'C#' || i % 7, 'sk', 'O#' || i, 'price', i % 13)::item
       || CASE WHEN i % 3 = 0 THEN jsonb_build_object('status', 'OPEN', 'at', '2026-01-' || lpad((i % 28 + 1)::text, 2, '0'))
               ELSE '{}'::jsonb END::item))
FROM generate_series(1, 1000) i;
SELECT count(update_item('shop', item_key('shop', full_item(s)), 'REMOVE price'))
FROM shop s WHERE sk ^@ 'O#99';
SELECT count(delete_item('shop', jsonb_build_object('pk', 'C#' || i % 7, 'sk', 'O#' || i)::item)) FROM generate_series(1, 1000, 50) i;
SQL
$primary->wait_for_catchup($standby);

# Each of these must answer the same on both.
my @reads = (
	[ 'get_item', q{SELECT get_item('shop', '{"pk": "C#3", "sk": "O#10"}')} ],
	[ 'query_items', q{SELECT query_items('shop', 'pk = :p AND begins_with(sk, :s)', '{":p": "C#3", ":s": "O#1"}', forward => false)} ],
	[ 'query_items by gsi', q{SELECT query_items('shop', '#s = :s AND #a >= :a', '{":s": "OPEN", ":a": "2026-01-15"}',
		'{"#s": "status", "#a": "at"}', index => 'by_status')} ],
	[ 'query_items by lsi', q{SELECT query_items('shop', 'pk = :p AND price BETWEEN :l AND :h', '{":p": "C#2", ":l": 3, ":h": 5}', index => 'by_price')} ],
	[ 'scan_items', q{SELECT * FROM (SELECT scan_items('shop', 'price > :p', '{":p": 10}') AS item) i ORDER BY item} ],
	[ 'scan_items by gsi', q{SELECT * FROM (SELECT scan_items('shop', index => 'by_status') AS item) i ORDER BY item} ],
	[ 'batch_get_items', q{SELECT item FROM batch_get_items('{"shop": {"Keys": [{"pk": "C#3", "sk": "O#10"}, {"pk": "C#4", "sk": "O#11"}]}}') ORDER BY item} ],
	[ 'transact_get_items', q{SELECT transact_get_items('[{"Get": {"TableName": "shop", "Key": {"pk": "C#3", "sk": "O#10"}}}]')} ],
	[ 'the design tools', q{SELECT name, operation, items_read, verdict FROM check_access_patterns('shop', '[{"name": "a", "by": {"pk": "C#3"}, "order_by": "sk"}, {"name": "b", "by": {"price": 5}}]');
		SELECT partition_key, items, share FROM partition_report('shop', sample_size => 10, max_partitions => NULL) ORDER BY 1;
		SELECT sort_key, items FROM entity_map('shop', exact => true)} ],
	[ 'session_capacity', q{SET singletable.track_capacity = on; SELECT count(*) FROM query_items('shop', 'pk = :p', '{":p": "C#3"}'); SELECT * FROM session_capacity()} ],
	[ 'SQL', q{SELECT full_item(s) FROM shop s WHERE status = 'OPEN' AND "at" ^@ '2026-01-0' ORDER BY status, "at", pk, sk} ]);

for my $setting ('off', 'on')
{
	for my $read (@reads)
	{
		my ($name, $query) = @$read;
		my $sql = "SET singletable.force_statements = $setting; $query";
		my $expected = $primary->safe_psql('postgres', $sql);
		isnt($expected, '', "$name has rows (force_statements $setting)");
		is($standby->safe_psql('postgres', $sql), $expected, "$name on the standby (force_statements $setting)");
	}
}
like(plan_of($standby, q{SELECT full_item(s) FROM shop s WHERE status = 'OPEN' AND "at" ^@ '2026-01-0'}),
	qr/Index Scan using \w*by_status/, 'SQL on the standby uses the gsi index');

my @writes = (
	q{put_item('shop', '{"pk": "x", "sk": "x"}')},
	q{put_item('shop', '{"pk": "x", "sk": "x"}', condition => 'attribute_not_exists(pk)')},
	q{update_item('shop', '{"pk": "x", "sk": "x"}', 'SET a = :v', attribute_values => '{":v": 1}')},
	q{delete_item('shop', '{"pk": "x", "sk": "x"}')},
	q{check_item('shop', '{"pk": "x", "sk": "x"}', 'attribute_not_exists(pk)')},
	q{batch_write_items('{"shop": [{"PutRequest": {"Item": {"pk": "x", "sk": "x"}}}]}')},
	q{transact_write_items('[{"Put": {"TableName": "shop", "Item": {"pk": "x", "sk": "x"}}}]')},
	q{fan_out_update('shop', 'pk = :p', 'SET a = :p', 'attribute_exists(pk)', '{":p": "C#3"}')},
	q{name FROM check_access_patterns('shop', '[{"name": "a", "put": {"pk": "x", "sk": "x"}}]')},
	q{create_item_table('other', 'pk')});
for my $write (@writes)
{
	my ($name) = $write =~ /^(\w+)/;
	sqlstate_is($standby, "SELECT $write", '25006', "$name is refused on the standby");
}
verify_indexes($standby, 'standby');

$primary->stop;
$standby->promote;
is($standby->safe_psql('postgres', q{SELECT put_item('shop', '{"pk": "x", "sk": "x", "status": "NEW", "at": "2026"}');
	SELECT query_items('shop', '#s = :s', '{":s": "NEW"}', '{"#s": "status"}', index => 'by_status')}),
	"\n" . item_text(at => '2026', pk => 'x', sk => 'x', status => 'NEW'), 'a promoted standby writes');
verify_indexes($standby, 'promoted');

$standby->stop;
done_testing();
