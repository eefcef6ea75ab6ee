# Reads and writes go on without a failure while tables are vacuumed, reindexed and given new indexes; afterwards every index
# agrees with its table.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $seconds = 12;
my $node = start_node('main', conf => "autovacuum_naptime = 1s\n");

# The statements are functions, since pgbench would take the placeholders of expressions for its own variables.
$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'by_status', 'status', 'at', sort_key_type => 'N');
SELECT create_item_index('shop', 'inverted', 'sk', 'pk', projection => 'KEYS_ONLY');

CREATE FUNCTION write_one(k int, n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	key item := jsonb_build_object('pk', 'C#' || k % 20, 'sk', 'O#' || k);
BEGIN
	CASE n % 5
	WHEN 0 THEN
		PERFORM put_item('shop', key || jsonb_build_object('status', 'S' || n % 7, 'at', n, 'n', n, 'filler', repeat('x', n % 300))::item);
	WHEN 1 THEN
		PERFORM put_item('shop', key || jsonb_build_object('n', n)::item);
	WHEN 2 THEN
		PERFORM update_item('shop', key, 'SET #s = :s, #a = :a ADD changes :one', attribute_values =>
			jsonb_build_object(':s', 'S' || n % 7, ':a', n, ':one', 1)::item, attribute_names => '{"#s": "status", "#a": "at"}');
	WHEN 3 THEN
		PERFORM update_item('shop', key, 'REMOVE #s ADD changes :one', attribute_values => '{":one": 1}', attribute_names => '{"#s": "status"}');
	ELSE
		PERFORM delete_item('shop', key);
	END CASE;
END $$;

-- What a query returns must satisfy its conditions, in order.  One read a call, since a transaction that reads by one index and then by
-- another deadlocks with REINDEX TABLE, as with plain SQL.
CREATE FUNCTION read_some(k int, n int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found item;
	last numeric := -1;
	rows bigint := 0;
BEGIN
	CASE n % 3
	WHEN 0 THEN
		FOR found IN SELECT query_items('shop', '#s = :s AND #a >= :a', jsonb_build_object(':s', 'S' || n % 7, ':a', n % 100)::item,
			'{"#s": "status", "#a": "at"}', index => 'by_status')
		LOOP
			IF found ->> 'status' <> 'S' || n % 7 OR (found ->> 'at')::numeric < last THEN
				RAISE 'query_items returned %', found;
			END IF;
			last := (found ->> 'at')::numeric;
			rows := rows + 1;
		END LOOP;
	WHEN 1 THEN
		FOR found IN SELECT query_items('shop', 'pk = :p AND begins_with(sk, :o)', jsonb_build_object(':p', 'C#' || k % 20, ':o', 'O#1')::item)
		LOOP
			IF found ->> 'pk' <> 'C#' || k % 20 OR NOT (found ->> 'sk') ^@ 'O#1' THEN
				RAISE 'query_items returned %', found;
			END IF;
			rows := rows + 1;
		END LOOP;
	ELSE
		rows := count(get_item('shop', jsonb_build_object('pk', 'C#' || k % 20, 'sk', 'O#' || k)::item));
	END CASE;
	RETURN rows;
END $$;
SELECT count(write_one(i, i * 5)) FROM generate_series(1, 3000) i;
SQL

my $write = PostgreSQL::Test::Utils::tempdir() . '/write';
my $read = PostgreSQL::Test::Utils::tempdir() . '/read';
append_to_file($write, "\\set k random(1, 3000)\n\\set n random(0, 1000000)\nSELECT write_one(:k, :n);\n");
append_to_file($read, "\\set k random(1, 3000)\n\\set n random(0, 1000000)\nSELECT read_some(:k, :n);\n");

my $log = PostgreSQL::Test::Utils::tempdir() . '/pgbench';
my $load = IPC::Run::start(
	[ 'pgbench', '-n', '-c', 6, '-j', 2, '-T', $seconds, '-f', "$write\@4", '-f', "$read\@1", '-h', $node->host, '-p', $node->port, 'postgres' ],
	'>', "$log.out", '2>', "$log.err");
my $end = time + $seconds - 1;

my @maintenance = (
	'VACUUM shop',
	'REINDEX INDEX CONCURRENTLY shop_by_status',
	'CREATE INDEX CONCURRENTLY by_hand ON shop USING gsi ("at", status, pk, sk) WITH (name = \'by_hand\')',
	q{SELECT create_item_index('shop', 'by_change', 'changes', 'pk', partition_key_type => 'N')},
	'VACUUM (INDEX_CLEANUP ON) shop',
	'DROP INDEX CONCURRENTLY by_hand',
	'REINDEX TABLE CONCURRENTLY shop',
	'ANALYZE shop',
	'REINDEX TABLE shop',
	'CREATE INDEX shop_whole ON shop USING gsi (pk, status, sk)');
my $statement = 0;
my $during = 0;
my $status = '';
while (time < $end || $statement < @maintenance)
{
	my $sql = $maintenance[ $statement % @maintenance ];
	# Each index is created once: later rounds do the rest.
	if ($statement < @maintenance || $sql !~ /^SELECT|by_hand|CREATE INDEX/)
	{
		my $result = sqlstate_of($node, $sql);
		$status .= "$sql: $result\n" if $result ne '';
		$during++ if time < $end;
	}
	$statement++;
	select(undef, undef, undef, 0.2);
}
$load->finish;
my ($output, $errors) = (slurp_file("$log.out"), slurp_file("$log.err"));
is($load->result(0), 0, 'no client failed') or diag($errors);
unlike($errors, qr/ERROR|aborted/, 'no statement failed');
is($status, '', 'no maintenance statement failed');
cmp_ok($during, '>=', scalar(@maintenance) - 1, 'the maintenance was done under load');
my ($transactions) = $output =~ /number of transactions actually processed: (\d+)/;
cmp_ok($transactions // 0, '>', 100, 'the clients were busy');
verify_indexes($node, 'after the load');
sqlstate_is($node, 'VACUUM FULL shop', '', 'VACUUM FULL');
verify_indexes($node, 'after VACUUM FULL');

$node->stop;
done_testing();
