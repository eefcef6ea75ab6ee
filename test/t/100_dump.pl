# pg_dump and pg_restore keep tables, indexes with their options, rows and results; the extension is dumped as one line.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $node = start_node('main');
my $directory = PostgreSQL::Test::Utils::tempdir();

$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'by_status', 'status', 'at', projection => 'INCLUDE', non_key_attributes => ARRAY['total', 'It''s "odd", \ ü']);
SELECT create_item_index('shop', 'inverted', 'sk', 'pk', projection => 'KEYS_ONLY');
SELECT create_item_index('shop', 'by_price', 'pk', 'price', sort_key_type => 'N', local => true);

-- Made by hand, with names that need quoting everywhere.
CREATE SCHEMA "Odd ""schema";
CREATE TABLE "Odd ""schema"."Table 1" (
	"Key's" bytea PRIMARY KEY,
	"select" numeric,
	"rest of it" item NOT NULL DEFAULT '{}',
	CHECK (item_matches("rest of it", 'attribute_not_exists(forbidden)'))
);
CREATE INDEX "Index ""1""" ON "Odd ""schema"."Table 1" USING gsi ("select", "Key's")
	WITH (name = 'GSI-1 "x"=\, ''y''', partition_keys = 1, sort_keys = 0, fillfactor = 70, projection = 'KEYS_ONLY');
CREATE VIEW "Odd ""schema".open_orders AS
	SELECT pk, sk, full_item(s) ->> 'total' AS total FROM shop s WHERE status = 'OPEN' AND begins_with(sk, 'O#');
SELECT create_entity_view('shop', '"Odd ""schema".orders', '{"pk": "C#*", "sk": "O#*"}', '{"total": "numeric(12, 3)", "note": "varchar(100)", "labels": "SS", "tags": "jsonb"}');

SELECT count(put_item('shop', jsonb_build_object('pk', 'C#' || i % 7, 'sk', 'O#' || i, 'price', i % 13, 'total', i * 1.10,
	'tags', jsonb_build_array('a', i, NULL, true), 'note', E'line\nü\\"' || i)::item
	|| CASE WHEN i % 3 = 0 THEN jsonb_build_object('status', 'OPEN', 'at', '2026-01-' || lpad((i % 28 + 1)::text, 2, '0'))
			ELSE '{}'::jsonb END::item))
FROM generate_series(1, 2000) i;
SELECT put_item('shop', '{"pk": {"S": "all"}, "sk": {"S": "types"}, "n": {"N": "-1.2E-100"}, "b": {"B": "AP8="}, "ss": {"SS": ["b", "a"]},
	"ns": {"NS": ["10", "9.50"]}, "bs": {"BS": ["AA==", ""]}, "l": {"L": []}, "m": {"M": {"x": {"NULL": true}}}, "t": {"BOOL": false}, "u": {"S": "a\u0000b"}}');
SELECT put_item('"Odd ""schema"."Table 1"', item_from_dynamodb_json(json_build_object(
	'Key''s', json_build_object('B', encode(decode(lpad(to_hex(i), 4, '0'), 'hex'), 'base64')),
	'select', json_build_object('N', (i % 10)::text), 'x', json_build_object('S', 'v' || i))))
FROM generate_series(1, 100) i;
SQL

my @results = (
	[ 'rows of shop', 'SELECT full_item(s) FROM shop s ORDER BY pk, sk' ],
	[ 'rows of a table made by hand', q{SELECT full_item(t) FROM "Odd ""schema"."Table 1" t ORDER BY "Key's"} ],
	[ 'query_items by gsi', q{SELECT query_items('shop', '#s = :s', '{":s": "OPEN"}', '{"#s": "status"}', index => 'by_status')} ],
	[ 'query_items by lsi', q{SELECT query_items('shop', 'pk = :p AND price > :n', '{":p": "C#2", ":n": 5}', index => 'by_price')} ],
	[ 'query_items by an index of odd name',
		q{SELECT query_items('"Odd ""schema"."Table 1"', '#s = :s', '{":s": 3}', '{"#s": "select"}', index => 'GSI-1 "x"=\, ''y''')} ],
	[ 'descriptions', q{SELECT describe_item_table('shop'), describe_item_table('"Odd ""schema"."Table 1"')} ],
	[ 'definitions', q{SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid IN ('shop'::regclass, '"Odd ""schema"."Table 1"'::regclass) ORDER BY 1} ],
	[ 'options', q{SELECT relname, unnest(reloptions) FROM pg_class WHERE relam IN (SELECT oid FROM pg_am WHERE amname IN ('gsi', 'lsi')) ORDER BY 1, 2} ],
	[ 'view', q{SELECT * FROM "Odd ""schema".open_orders ORDER BY pk, sk} ],
	[ 'entity view', q{SELECT * FROM "Odd ""schema".orders ORDER BY pk, sk} ],
	[ 'columns of the entity view', q{SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '"Odd ""schema".orders'::regclass ORDER BY attnum} ]);

# Sizes and dates of a table that was just loaded differ from those of one that grew, by right.
sub without_sizes
{
	my ($text) = @_;
	$text =~ s/"(\w*(?:Size|Bytes|DateTime|Arn|Id|ItemCount)\w*)": [^,}\]]+/"$1": -/g;
	return $text;
}

my %expected = map { $_->[0] => $node->safe_psql('postgres', $_->[1]) } @results;
isnt($expected{$_->[0]}, '', "$_->[0]: there are some") for @results;

sub compare
{
	my ($database, $how) = @_;
	for my $result (@results)
	{
		my ($name, $query) = @$result;
		is(without_sizes($node->safe_psql($database, $query)), without_sizes($expected{$name}), "$how: $name");
	}
	is($node->safe_psql($database, q{BEGIN; UPDATE "Odd ""schema".orders SET labels = '{b,a}', total = 1.2345 WHERE pk = 'C#1' AND sk = 'O#8';
		SELECT get_item('shop', '{"pk": "C#1", "sk": "O#8"}', 'labels, #t', '{"#t": "total"}'); ROLLBACK}), '{"labels": {"SS": ["a", "b"]}, "total": {"N": "1.235"}}',
		"$how: the entity view can be changed");
	sqlstate_is($node, q{INSERT INTO "Odd ""schema"."Table 1" VALUES ('\x99', 1, '{"forbidden": 1}')}, '23514',
		"$how: a check by item_matches holds", database => $database);
	$node->safe_psql($database, 'CREATE EXTENSION IF NOT EXISTS amcheck');
	verify_indexes($node, $how, database => $database);
}

$node->command_ok([ 'pg_dump', '-Fc', '-f', "$directory/custom", $node->connstr('postgres') ], 'pg_dump -Fc');
$node->safe_psql('postgres', 'CREATE DATABASE custom TEMPLATE template0');
$node->command_ok([ 'pg_restore', '-j2', '--exit-on-error', '-d', $node->connstr('custom'), "$directory/custom" ], 'pg_restore -j2');
compare('custom', 'custom format');

$node->command_ok([ 'pg_dump', '-f', "$directory/plain.sql", $node->connstr('postgres') ], 'pg_dump, plain');
my $dump = slurp_file("$directory/plain.sql");
like($dump, qr/^CREATE EXTENSION IF NOT EXISTS singletable /m, 'the extension is dumped');
unlike($dump, qr/^CREATE (?:FUNCTION|OPERATOR|TYPE|ACCESS METHOD|CAST)/m, 'its objects are not');
$node->safe_psql('postgres', 'CREATE DATABASE plain TEMPLATE template0');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-d', $node->connstr('plain'), '-f', "$directory/plain.sql" ],
	'psql restores it');
compare('plain', 'plain format');

# Rows as INSERT statements go through the type's text form, those of COPY BINARY through recv and send.
$node->command_ok([ 'pg_dump', '--inserts', '-f', "$directory/inserts.sql", $node->connstr('postgres') ], 'pg_dump --inserts');
$node->safe_psql('postgres', 'CREATE DATABASE inserts TEMPLATE template0');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-d', $node->connstr('inserts'), '-f', "$directory/inserts.sql" ],
	'psql restores it');
compare('inserts', 'inserts');

$node->safe_psql('postgres', "COPY shop TO '$directory/binary' (FORMAT binary)");
$node->safe_psql('inserts', "TRUNCATE shop; COPY shop FROM '$directory/binary' (FORMAT binary)");
compare('inserts', 'binary copy');

sqlstate_is($node, 'DROP EXTENSION singletable', '2BP01', 'the extension is not dropped while tables use it');

# In a schema of one's own, with a search_path that does not name it.
$node->safe_psql('postgres', 'CREATE DATABASE elsewhere TEMPLATE template0');
$node->safe_psql('elsewhere', <<'SQL');
CREATE SCHEMA kv;
CREATE EXTENSION singletable SCHEMA kv;
SELECT kv.create_item_table('shop', 'pk', 'sk');
SELECT kv.create_item_index('shop', 'inverted', 'sk', 'pk');
SELECT kv.put_item('shop', '{"pk": "a", "sk": "b", "n": 1}');
SQL
is($node->safe_psql('elsewhere', q{SELECT kv.query_items('shop', 'sk = :s', '{":s": "b"}', index => 'inverted')}),
	item_text(n => '=1', pk => 'a', sk => 'b'), 'the functions need no search_path');
is($node->safe_psql('elsewhere', q{SELECT kv.full_item(s) FROM shop s WHERE kv.begins_with(pk, 'a')}),
	item_text(n => '=1', pk => 'a', sk => 'b'), 'nor does SQL');

$node->stop;
done_testing();
