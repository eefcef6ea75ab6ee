# README.md is true: every ```sql block runs, in order, and prints what the ```text block after it shows.
#
# A ```text block that directly follows is the block's whole output.  Without one the block may print what it likes, but no error.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Test::More;

my $top = "$FindBin::RealBin/../..";
my $readme = slurp_file("$top/README.md");
my $node = create_node('main');
my $directory = PostgreSQL::Test::Utils::tempdir();

$node->start;

# The blocks with their line numbers.
my @blocks;
while ($readme =~ /^```sql\n(.*?)^```\n(?:\s*```text\n(.*?)^```\n)?/gms)
{
	my ($sql, $expected) = ($1, $2);
	my $line = 1 + (substr($readme, 0, $-[0]) =~ tr/\n//);
	push @blocks, { sql => $sql, expected => $expected, line => $line };
}

# One session for all of them, as a reader has; a marker before each.
my $script = "\\set QUIET on\n\\pset pager off\n";
$script .= "\\echo === $_\n$blocks[$_]->{sql}\n" for 0 .. $#blocks;
append_to_file("$directory/readme.sql", $script);
my $connection = $node->connstr('postgres');
system(qq(psql -X -d "$connection" -f "$directory/readme.sql" > "$directory/output" 2>&1));
my %output;
my $current = '';
for my $line (split /\n/, slurp_file("$directory/output"))
{
	if ($line =~ /^=== (\d+)$/)
	{
		$current = $1;
		next;
	}
	# psql -f names the file in front of errors, which a session at the keyboard does not.
	$line =~ s/^psql:\S+?:\d+: //;
	$output{$current} .= "$line\n";
}

sub tidy
{
	my ($text) = @_;
	$text =~ s/[ \t]+$//mg;
	$text =~ s/\n{2,}/\n/g;
	$text =~ s/^\n+|\n+$//g;
	return $text;
}

cmp_ok(scalar(@blocks), '>', 5, 'there are examples');
for my $number (0 .. $#blocks)
{
	my $block = $blocks[$number];
	my $output = tidy($output{$number} // '');
	if (defined $block->{expected})
	{
		is($output, tidy($block->{expected}), "README.md line $block->{line}");
	}
	else
	{
		unlike($output, qr/^(?:ERROR|FATAL|WARNING): /m, "README.md line $block->{line}");
	}
}
verify_indexes($node, 'README') if $node->safe_psql('postgres', q{CREATE EXTENSION IF NOT EXISTS amcheck; SELECT 1}) eq '1';

# The two commands it begins with are those of the Makefile.
my ($makefile) = slurp_file("$top/Makefile");
for my $target ($readme =~ /^make (\w+)/mg)
{
	next if $target eq 'install';
	like($makefile, qr/^\.PHONY:.*\b$target\b/m, "make $target is there");
}

$node->stop;
done_testing();
