# Many connections move amounts between items with transact_write_items; the sum stays what it was, in every snapshot, and none
# of them sees a deadlock.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $seconds = 8;
my $node = start_node('main');

$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('account', 'id');
SELECT create_item_table('pot', 'name', 'part');
SELECT count(put_item('account', jsonb_build_object('id', 'A' || i, 'balance', 100)::item)) FROM generate_series(1, 10) i;
SELECT count(put_item('pot', jsonb_build_object('name', 'P', 'part', i::text, 'balance', 100)::item)) FROM generate_series(1, 5) i;

CREATE FUNCTION change_of(number int, amount int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('Update', jsonb_build_object(
		'TableName', CASE WHEN number <= 10 THEN 'account' ELSE 'pot' END,
		'Key', CASE WHEN number <= 10 THEN jsonb_build_object('id', 'A' || number)
			ELSE jsonb_build_object('name', 'P', 'part', (number - 10)::text) END,
		'UpdateExpression', 'SET balance = balance + :x',
		'ConditionExpression', 'balance >= :least',
		'ExpressionAttributeValues', jsonb_build_object(':x', amount, ':least', CASE WHEN amount < 0 THEN -amount ELSE 0 END)))
$$;

-- From one place to two others, in the order in which the numbers come: locks must be taken in an order of their own.
CREATE FUNCTION move(source int, target int, other int, amount int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM transact_write_items(jsonb_build_array(change_of(source, -2 * amount), change_of(target, amount), change_of(other, amount))::json);
	RETURN 'moved';
EXCEPTION
	WHEN SQLSTATE 'KV005' THEN RETURN 'cancelled';
END $$;

CREATE FUNCTION total_of_items() RETURNS numeric LANGUAGE sql AS $$
	SELECT sum((item ->> 'balance')::numeric) FROM transact_get_items((
		SELECT json_agg(json_build_object('Get', json_build_object('TableName', 'account', 'Key', json_build_object('id', 'A' || i))))
		FROM generate_series(1, 10) i)) AS item
$$;

-- One snapshot, both tables.
CREATE FUNCTION check_total() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	total numeric;
	gets json;
BEGIN
	SELECT json_agg(get) INTO gets FROM (
		SELECT json_build_object('Get', json_build_object('TableName', 'account', 'Key', json_build_object('id', 'A' || i))) AS get
		FROM generate_series(1, 10) i
		UNION ALL
		SELECT json_build_object('Get', json_build_object('TableName', 'pot', 'Key', json_build_object('name', 'P', 'part', i::text)))
		FROM generate_series(1, 5) i) g;
	SELECT sum((item ->> 'balance')::numeric) INTO total FROM transact_get_items(gets) AS item;
	IF total IS DISTINCT FROM 1500 THEN
		RAISE 'the total is %', total;
	END IF;
END $$;
SQL

# Three different places out of 15.
my $move = <<'SQL';
\set a random(0, 14)
\set b (:a + random(1, 7)) % 15
\set c (:a + random(8, 14)) % 15
\set amount random(1, 30)
SELECT move(:a + 1, :b + 1, :c + 1, :amount);
SQL

$node->pgbench(
	"--no-vacuum --client=8 --jobs=2 --time=$seconds",
	0,
	[qr{actually processed}],
	[qr{^(?!.*(?:ERROR|deadlock|aborted))}s],
	'transactions move amounts, readers see one total',
	{ '201_move@8' => $move, '201_total@2' => 'SELECT check_total();' });

is($node->safe_psql('postgres', q{SELECT sum((item ->> 'balance')::numeric) FROM (SELECT item FROM account UNION ALL SELECT item FROM pot) i}),
	'1500', 'the sum was kept');
is($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT item FROM account UNION ALL SELECT item FROM pot) i WHERE (item ->> 'balance')::numeric < 0}),
	'0', 'no condition was violated');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT item FROM account UNION ALL SELECT item FROM pot) i WHERE (item ->> 'balance')::numeric <> 100}),
	'>', 5, 'amounts were moved');
unlike(slurp_file($node->logfile), qr/deadlock detected/, 'no deadlock in the log');

# The counters of many connections: nothing is lost, also where several statements make one SQL transaction.
$node->safe_psql('postgres', q{CREATE FUNCTION count_up(id text) RETURNS void LANGUAGE sql AS
	$$ SELECT update_item('account', jsonb_build_object('id', id)::item, 'ADD n :one', attribute_values => '{":one": 1}') $$;});
$node->pgbench(
	'--no-vacuum --client=8 --jobs=2 --transactions=250',
	0,
	[qr{actually processed: 2000/2000}],
	[qr{^(?!.*(?:ERROR|aborted))}s],
	'counters',
	{ '201_count' => "BEGIN;\nSELECT count_up('one');\nSELECT count_up('two');\nCOMMIT;\n" });
is($node->safe_psql('postgres', q{SELECT string_agg(item ->> 'n', ' ') FROM account WHERE id IN ('one', 'two')}), '2000 2000', 'every count was kept');

$node->stop;
done_testing();
