# Every acknowledged write is there after the server was killed under load, no half of a transaction is, and the indexes agree
# with their tables.
#
# Each client writes to a partition of its own, one step after the other, and notes each step that the server has acknowledged
# in a file of its own.  What the steps do is known, so after a crash the partition must be exactly what it was after the last
# acknowledged step, or after the one that was under way.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;
use Time::HiRes qw(usleep);

my $clients = 4;
my $rounds = 3;
my $steps = 50000;				# more than a round can do
my $enough = 60;				# acknowledged steps of each client before the server is killed

my $node = start_node('main', conf => "fsync = on\nsynchronous_commit = on\ncheckpoint_timeout = 30s\n");
my $directory = PostgreSQL::Test::Utils::tempdir();

$node->safe_psql('postgres', <<'SQL');
SELECT create_item_table('shop', 'pk', 'sk');
SELECT create_item_index('shop', 'inverted', 'sk', 'pk');
SELECT create_item_index('shop', 'by_status', 'status', 'n', sort_key_type => 'N');
SELECT create_item_index('shop', 'by_number', 'pk', 'n', sort_key_type => 'N', local => true);
SELECT create_item_table('ledger', 'id');
SQL

# What step number i of a client does: a statement, and the change that it makes to the client's items (sk or ledger id -> item).
sub step
{
	my ($client, $i) = @_;
	my $pk = "CLIENT#$client";
	my $old = $i - 3;
	my %key = (pk => $pk);

	if ($i % 5 == 0)
	{
		my %item = (pk => $pk, sk => "PUT#$i", n => "=$i", status => 'OPEN');
		return ("SELECT put_item('shop', '" . item_text(%item) . "')", sub { $_[0]->{"PUT#$i"} = {%item} });
	}
	if ($i % 5 == 1)
	{
		return (
			"SELECT update_item('shop', '" . item_text(pk => $pk, sk => 'COUNTER') . "', 'ADD n :one SET seen = :i', "
			  . "attribute_values => '{\":one\": 1, \":i\": $i}')",
			sub {
				my $counter = $_[0]->{COUNTER} //= { pk => $pk, sk => 'COUNTER', n => '=0' };
				$counter->{n} = '=' . (substr($counter->{n}, 1) + 1);
				$counter->{seen} = "=$i";
			});
	}
	if ($i % 5 == 2)
	{
		my %item = (pk => $pk, sk => "BOTH#$i", n => "=$i");
		my %entry = (id => "$client#$i", n => "=$i");
		return (
			"SELECT transact_write_items('["
			  . '{"Put": {"TableName": "shop", "Item": ' . item_text(%item) . '}}, '
			  . '{"Put": {"TableName": "ledger", "Item": ' . item_text(%entry) . "}}]')",
			sub { $_[0]->{"BOTH#$i"} = {%item}; $_[0]->{"$client#$i"} = {%entry}; });
	}
	if ($i % 5 == 3)
	{
		# Out of the sparse index, for the put three steps ago.
		return (
			"SELECT update_item('shop', '" . item_text(pk => $pk, sk => "PUT#$old") . "', 'REMOVE #s SET n = n + :i', "
			  . "attribute_values => '{\":i\": $i}', attribute_names => '{\"#s\": \"status\"}')",
			sub { my $item = $_[0]->{"PUT#$old"}; delete $item->{status}; $item->{n} = '=' . ($old + $i); }
		) if $old > 0;
		return ('SELECT 1', sub { });
	}
	my $deleted = $i - 19;
	return ('SELECT 1', sub { }) if $deleted <= 0 || $i % 10 == 4;
	return ("SELECT delete_item('shop', '" . item_text(pk => $pk, sk => "PUT#$deleted") . "')", sub { delete $_[0]->{"PUT#$deleted"} });
}

sub acknowledged
{
	my ($path) = @_;
	my @lines = split /\n/, slurp_file($path);
	my $last = 0;
	/^ack (\d+)$/ && ($last = $1) for @lines;
	return $last;
}

sub stored_items
{
	my ($client) = @_;
	return [
		sort split /\n/,
		$node->safe_psql('postgres',
			"SELECT full_item(s) FROM shop s WHERE pk = 'CLIENT#$client' "
			  . "UNION ALL SELECT full_item(l) FROM ledger l WHERE id ^@ '$client#'") ];
}

sub model_items
{
	my ($items) = @_;
	return [ sort map { item_text(%$_) } values %$items ];
}

my @done = (0) x $clients;				# steps known to be stored
my @items = map { {} } 1 .. $clients;	# and what they left

for my $round (1 .. $rounds)
{
	my @runs;
	for my $client (0 .. $clients - 1)
	{
		my $script = '';
		for my $i ($done[$client] + 1 .. $done[$client] + $steps)
		{
			my ($statement) = step($client, $i);
			$script .= "$statement \\g /dev/null\n\\echo ack $i\n";
			last if $i - $done[$client] > 5000;
		}
		append_to_file("$directory/$round.$client.sql", $script);
		push @runs,
		  IPC::Run::start(
			[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f', "$directory/$round.$client.sql" ],
			'>', "$directory/$round.$client.out", '2>', "$directory/$round.$client.err");
	}
	# Beside them, what moves tuples and pages.
	append_to_file("$directory/$round.upkeep.sql", "VACUUM shop; CHECKPOINT; VACUUM ledger;\n\\watch 0.3\n");
	push @runs,
	  IPC::Run::start([ 'psql', '-X', '-q', '-d', $node->connstr('postgres'), '-f', "$directory/$round.upkeep.sql" ],
		'>', '/dev/null', '2>', '/dev/null');

	# psql's output is buffered: progress is seen in the table.
	$node->poll_query_until('postgres',
		"SELECT count(*) = $clients FROM shop WHERE sk = 'COUNTER' AND n >= "
		  . int(($round * $enough) / 5), 't')
	  or die 'the clients make no progress';
	usleep(300_000);

	kill_server($node);
	$_->finish for @runs;
	$node->start;

	for my $client (0 .. $clients - 1)
	{
		my $acknowledged = acknowledged("$directory/$round.$client.out");
		$acknowledged = $done[$client] if $acknowledged < $done[$client];
		cmp_ok($acknowledged, '>', $done[$client], "round $round: client $client was acknowledged");
		for my $i ($done[$client] + 1 .. $acknowledged)
		{
			my (undef, $apply) = step($client, $i);
			$apply->($items[$client]);
		}
		my $stored = stored_items($client);
		my $is_last = "@$stored" eq "@{ model_items($items[$client]) }";
		if (!$is_last)
		{
			# The step that was under way may have been committed without the client having heard of it.
			my (undef, $apply) = step($client, $acknowledged + 1);
			$apply->($items[$client]);
			$acknowledged++;
		}
		is_deeply($stored, model_items($items[$client]),
			"round $round: client $client finds every one of its $acknowledged writes");
		$done[$client] = $acknowledged;
	}
	verify_indexes($node, "round $round");
}

$node->stop;
done_testing();
