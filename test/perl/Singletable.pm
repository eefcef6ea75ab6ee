# What the TAP tests share: nodes with the extension, and the checks that every one of them ends with.
package Singletable;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(create_node start_node verify_indexes sqlstate_is sqlstate_of plan_of item_text kill_server);

# A node that is not started yet.  Options are those of PostgreSQL::Test::Cluster::init, and conf: text for postgresql.conf.
sub create_node
{
	my ($name, %options) = @_;
	my $conf = delete $options{conf} // '';
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(%options, extra => [ '--encoding=UTF8', '--locale=C' ]);
	$node->append_conf('postgresql.conf', "log_statement = none\nmax_connections = 40\nlc_messages = 'C'\n$conf");
	return $node;
}

# A running node whose database postgres has the extension.
sub start_node
{
	my $node = create_node(@_);
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION singletable; CREATE EXTENSION amcheck;');
	return $node;
}

# The SQLSTATE that a script ends with, '' if it succeeds.  Options: role, database.
sub sqlstate_of
{
	my ($node, $sql, %options) = @_;
	my @role = $options{role} ? ('-U', $options{role}) : ();
	my ($status, $stdout, $stderr) = $node->psql($options{database} // 'postgres', $sql,
		extra_params => [ '-v', 'VERBOSITY=sqlstate', @role ]);

	return '' if $status == 0;
	return $stderr =~ /(?:ERROR|FATAL):  (\w{5})\b/ ? $1 : $stderr;
}

sub sqlstate_is
{
	my ($node, $sql, $sqlstate, $name, %options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	is(sqlstate_of($node, $sql, %options), $sqlstate, $name);
}

sub plan_of
{
	my ($node, $sql) = @_;
	return $node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $sql");
}

# Every primary key passes amcheck, every gsi and lsi index passes check_item_index and yields exactly the rows that a scan of
# its table finds with no NULL in the key, in the same order.
sub verify_indexes
{
	my ($node, $when, %options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $database = $options{database} // 'postgres';
	my $indexes = $node->safe_psql($database, <<'SQL', extra_params => [ '-F', "\t" ]);
SELECT i.indexrelid::regclass, i.indrelid::regclass, m.amname,
       (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
        FROM pg_attribute a WHERE a.attrelid = i.indexrelid AND a.attnum <= i.indnkeyatts)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
WHERE (m.amname IN ('gsi', 'lsi') OR i.indisprimary) AND i.indisvalid AND c.relkind = 'i' AND c.relnamespace >= 16384
   OR (m.amname IN ('gsi', 'lsi') OR i.indisprimary) AND i.indisvalid AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace
ORDER BY 1
SQL

	for my $line (split /\n/, $indexes)
	{
		my ($index, $table, $method, $columns) = split /\t/, $line;
		(my $literal = $index) =~ s/'/''/g;
		if ($method eq 'btree')
		{
			is(sqlstate_of($node, "SELECT bt_index_check('$literal', true)", database => $database),
				'', "$when: $index is sound");
			next;
		}
		is(sqlstate_of($node, "SELECT check_item_index('$literal')", database => $database), '', "$when: $index is sound");

		my $present = join ' AND ', map { "$_ IS NOT NULL" } split /, /, $columns;
		my $rows = "SELECT $columns FROM $table WHERE $present ORDER BY $columns";
		my $by_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_incremental_sort = off;';
		my $by_scan = 'SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;';
		# The name is shown without its schema and with quotes where it needs them.
		my ($relation) = $index =~ /((?:"(?:[^"]|"")+")|[^.]+)$/;
		like($node->safe_psql($database, "$by_index EXPLAIN (COSTS OFF) $rows"),
			qr/Index (?:Only )?Scan using \Q$relation\E/, "$when: $index is used");
		my $expected = $node->safe_psql($database, "$by_scan $rows");
		my $found = $node->safe_psql($database, "$by_index $rows");
		ok($found eq $expected, "$when: $index yields the rows of $table");
		if ($found ne $expected)
		{
			my %in_index = map { $_ => 1 } split /\n/, $found;
			my %in_table = map { $_ => 1 } split /\n/, $expected;
			my @missing = grep { !$in_index{$_} } sort keys %in_table;
			my @surplus = grep { !$in_table{$_} } sort keys %in_index;
			diag(scalar(@missing) . " missing, first: " . ($missing[0] // '') . "; " . scalar(@surplus) . " surplus, first: " . ($surplus[0] // ''));
		}
	}
}

# Attributes of types S and N as the text of an item: '=' in front of a value makes it a number.
sub item_text
{
	my (%attributes) = @_;
	my @members;
	for my $name (sort keys %attributes)
	{
		my $value = $attributes{$name};
		push @members, $value =~ /^=(.*)/ ? qq("$name": {"N": "$1"}) : qq("$name": {"S": "$value"});
	}
	return '{' . join(', ', @members) . '}';
}

sub children
{
	my ($parent) = @_;
	my @found;
	for my $path (glob '/proc/[0-9]*/stat')
	{
		open(my $handle, '<', $path) or next;
		my $line = <$handle> // '';
		push @found, $1 if $line =~ /^(\d+) \(.*\) \S (\d+)/ && $2 == $parent;
	}
	return @found;
}

# Kills the postmaster and its children, all at once as far as one can, or the postmaster alone; until all of them are gone.  False if
# some stay for half a minute: they are killed then.  Dead is not yet gone: the next postmaster takes a process as alive that its parent has
# not waited for.
sub kill_server
{
	my ($node, %options) = @_;
	my $postmaster = $node->{_pid};
	my @children = children($postmaster);
	kill 'KILL', $postmaster;
	kill 'KILL', @children unless $options{postmaster_alone};
	$node->{_pid} = undef;
	for (1 .. 600)
	{
		return 1 unless grep { kill 0, $_ } $postmaster, @children;
		usleep(50_000);
	}
	kill 'KILL', @children;
	return 0;
}

1;
