# The memory of a session does not grow with what it has done: calls of every operation, different expressions, different tables.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $tables = 1000;
my $node = start_node('main', conf => "max_locks_per_transaction = 256\n");

$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'inverted', 'sk', 'pk');
CREATE TABLE parts (pk text COLLATE "C", sk text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk)) PARTITION BY HASH (pk);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);

-- Bytes in use in this session's contexts; those of this extension's names and of their children, or all.
CREATE FUNCTION memory(ours boolean) RETURNS bigint LANGUAGE sql AS $$
	SELECT coalesce(sum(used_bytes), 0)::bigint FROM pg_backend_memory_contexts
	WHERE NOT ours OR name ^@ 'singletable' OR parent ^@ 'singletable'
$$;

CREATE PROCEDURE use_everything(tbl regclass, first int, last int) LANGUAGE plpgsql AS $$
DECLARE
	name text := tbl::text;
	k item;
	found item;
BEGIN
	FOR i IN first .. last LOOP
		k := jsonb_build_object('pk', 'p' || i % 10, 'sk', 's' || i % 50);
		PERFORM put_item(tbl, k || jsonb_build_object('n', i, 'marks', jsonb_build_array(1, 2, i), 'filler', repeat('x', i % 5000))::item);
		PERFORM put_item(tbl, k || '{"n": 1}', condition => 'n >= :z', attribute_values => '{":z": 0}', return_values => 'ALL_OLD');
		PERFORM update_item(tbl, k, 'ADD n :o SET m = if_not_exists(m, :e)', attribute_values => '{":o": 1, ":e": {"M": {}}}', return_values => 'UPDATED_NEW');
		PERFORM get_item(tbl, k, projection => 'n, marks[1]');
		PERFORM check_item(tbl, k, 'attribute_exists(n)');
		FOR found IN SELECT query_items(tbl, 'pk = :p', jsonb_build_object(':p', 'p' || i % 10)::item, max_items => 3) LOOP
			NULL;
		END LOOP;
		PERFORM count(*) FROM scan_items(tbl, max_items => 5);
		PERFORM count(*) FROM batch_get_items(json_build_object(name, json_build_object('Keys', json_build_array(k::jsonb))));
		PERFORM batch_write_items(json_build_object(name, json_build_array(json_build_object('PutRequest', json_build_object('Item', k::jsonb)))));
		PERFORM transact_write_items(json_build_array(json_build_object('Update', json_build_object('TableName', name, 'Key', k::jsonb,
			'UpdateExpression', 'SET n = :v', 'ExpressionAttributeValues', json_build_object(':v', i)))));
		PERFORM count(*) FROM transact_get_items(json_build_array(json_build_object('Get', json_build_object('TableName', name, 'Key', k::jsonb))));
		PERFORM full_item(s), item_key('shop', full_item(s)), item_size(full_item(s)) FROM shop s WHERE pk = 'p1' AND sk = 's1';
		PERFORM describe_item_table(tbl);
		-- Errors, too.
		BEGIN
			PERFORM put_item(tbl, k, condition => 'attribute_not_exists(pk)');
		EXCEPTION WHEN SQLSTATE 'KV002' THEN NULL;
		END;
		BEGIN
			PERFORM update_item(tbl, k, 'SET a = :x)', attribute_values => '{":x": 1}');
		EXCEPTION WHEN SQLSTATE 'KV001' THEN NULL;
		END;
		BEGIN
			PERFORM item_matches(k, 'begins_with(pk, :x)', '{":x": 1}');
		EXCEPTION WHEN SQLSTATE 'KV001' THEN NULL;
		END;
		IF i % 3 = 0 THEN
			PERFORM delete_item(tbl, k);
		END IF;
	END LOOP;
END $$;
SQL

# Bytes before and after the second half of the same work, in one session.
sub growth
{
	my ($what, $first, $second, $ours, $limit) = @_;
	my $output = $node->safe_psql('postgres', "$first; SELECT memory($ours); $second; SELECT memory($ours);");
	my ($before, $after) = $output =~ /(\d+)\s+(\d+)\s*$/;
	cmp_ok($after - $before, '<', $limit, "$what: memory in use does not grow ($before, then $after bytes)");
}

growth('operations, each call a transaction of its own', "CALL use_everything('shop', 1, 300)", "CALL use_everything('shop', 301, 1500)", 'false', 100_000);
growth('operations in one transaction', "BEGIN; CALL use_everything('shop', 1, 300)", "CALL use_everything('shop', 301, 900)", 'true', 100_000);
growth('operations by statements', "SET singletable.force_statements = on; CALL use_everything('shop', 1, 300)", "CALL use_everything('shop', 301, 900)", 'false', 100_000);
growth('operations on partitions', "CALL use_everything('parts', 1, 300)", "CALL use_everything('parts', 301, 900)", 'false', 100_000);
growth('operations that count their capacity', "SET singletable.track_capacity = on; CALL use_everything('shop', 1, 300)", "CALL use_everything('shop', 301, 900)", 'false', 100_000);

# The design tools, which run statements and undo writes.
my $tools = <<'SQL';
DO $$ BEGIN
	FOR i IN 1 .. %d LOOP
		PERFORM check_access_patterns('shop', '[{"name": "a", "by": {"pk": "p1"}}, {"name": "b", "by": {"sk": "s1"}, "order_by": "pk"}, {"name": "c", "put": {"pk": "x", "sk": "y"}},
			{"name": "d", "transact": [{"Delete": {"Key": {"pk": "p1", "sk": "s1"}}}]}]');
		PERFORM partition_report('shop', exact => i %% 2 = 0, sample_size => 5);
		PERFORM entity_map('shop', sample_size => 5);
		PERFORM fan_out_update('shop', 'pk = :p', 'ADD n :n', 'attribute_exists(n)', '{":p": "p1", ":n": 1}');
		PERFORM drift_report('shop', '{"pk": "p1", "sk": "s1"}', 'n', NULL, 'pk = :p', '{":p": "p1"}');
		PERFORM query_sharded_items('shop', 'p', 2);
		COMMIT;
	END LOOP;
END $$
SQL
growth('design tools', sprintf($tools, 20), sprintf($tools, 100), 'false', 100_000);

# 10,000 expressions, all different, of each kind.
my $expressions = <<'SQL';
DO $$ BEGIN
	FOR i IN %d .. %d LOOP
		PERFORM item_matches('{"a": 1}', format('attribute_exists(a%s) OR a BETWEEN :l AND :h', i), '{":l": 1, ":h": 2}');
		PERFORM item_update('{"a": 1}', format('SET b%s = :l', i), '{":l": 1}');
		PERFORM item_project('{"a": 1}', format('c%s, a', i));
	END LOOP;
END $$
SQL
growth('10,000 different expressions', sprintf($expressions, 1, 3000), sprintf($expressions, 3001, 10000), 'false', 100_000);

# Descriptors: PostgreSQL's own caches of tables are not bounded, ours are.
$node->safe_psql('postgres', "SELECT create_item_table('t' || i, 'pk', 'sk') FROM generate_series(1, $tables) i");
my $descriptors = <<'SQL';
DO $$ BEGIN
	FOR i IN %d .. %d LOOP
		PERFORM put_item('t' || i, '{"pk": "p", "sk": "s", "n": 1}');
		PERFORM update_item('t' || i, '{"pk": "p", "sk": "s"}', 'ADD n :n', attribute_values => '{":n": 1}');
		PERFORM get_item('t' || i, '{"pk": "p", "sk": "s"}');
		COMMIT;
	END LOOP;
END $$
SQL
growth("descriptors of $tables tables", 'SET singletable.table_cache_size = 100; ' . sprintf($descriptors, 1, 400),
	sprintf($descriptors, 401, $tables), 'true', 100_000);

$node->stop;
done_testing();
