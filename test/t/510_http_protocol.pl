# HTTP on raw sockets: what is answered before an operation runs, messages in all forms that are allowed and some that are not, and clients that
# are slow, rude or mad.  At the end the workers are the ones of the beginning: none of it made one of them begin anew.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../perl";

use Compress::Zlib ();
use Endpoint;
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Singletable;
use Socket qw(IPPROTO_TCP SOL_SOCKET SO_LINGER SO_RCVBUF TCP_NODELAY MSG_NOSIGNAL inet_aton pack_sockaddr_in);
use Test::More;
use Time::HiRes qw(usleep);

$SIG{PIPE} = 'IGNORE';
my $node = start_endpoint_node('main',
	settings => { workers => 4, active_workers => 2, cors_origin => '*' },
	conf => "log_line_prefix = '%b: '\n");
$node->safe_psql('postgres', q{SET ROLE app; SELECT create_item_table('shop', 'pk')});
my @workers = workers_of($node);
my $json = JSON::PP->new->canonical->utf8;

# Checksums of bodies that the reference names.
my %checksums = (
	health => 3128867991,
	not_found => 3552371480,
	malformed => 3948637019,
	unknown => 1368724161);
my $type = "Content-Type: application/x-amz-json-1.0\r\n";
my $host = "Host: localhost\r\n";

sub target
{
	return "X-Amz-Target: DynamoDB_20120810.$_[0]\r\n";
}

# A request with a body; headers is text.
sub message
{
	my ($headers, $body, $first) = @_;
	return ($first // 'POST / HTTP/1.1') . "\r\n$host$headers" . (defined $body ? 'Content-Length: ' . length($body) . "\r\n\r\n$body" : "\r\n");
}

sub operation
{
	my ($name, $body, $headers) = @_;
	return message($type . target($name) . ($headers // ''), ref $body ? $json->encode($body) : $body);
}

sub health
{
	return "GET / HTTP/1.1\r\n$host\r\n";
}

sub get
{
	return operation('GetItem', { TableName => 'shop', Key => { pk => { S => $_[0] } } }, $_[1]);
}

sub put
{
	my ($pk, $value) = @_;
	return { TableName => 'shop', Item => { pk => { S => $pk }, value => { S => "$value" } } };
}

sub value_of
{
	my ($pk) = @_;
	my ($status, $answer) = request($node, 'GetItem', { TableName => 'shop', Key => { pk => { S => $pk } } });
	return $answer->{Item}->{value}->{S};
}

# Writes all of a text and reads that many answers meanwhile, so that neither side waits for the other.
sub converse
{
	my ($socket, $text, $count) = @_;
	my @answers;
	my $writer = fork();
	die "fork: $!" unless defined $writer;
	if ($writer == 0)
	{
		my $sent = 0;
		while ($sent < length $text)
		{
			my $bytes = syswrite($socket, $text, 100_000, $sent);
			last unless $bytes;
			$sent += $bytes;
		}
		require POSIX;
		POSIX::_exit(0);
	}
	while (@answers < $count)
	{
		my $answer = read_answer($socket) or last;
		push @answers, $answer;
	}
	waitpid($writer, 0);
	return @answers;
}

# One message on a new connection, and its only answer.
sub ask
{
	my ($message) = @_;
	my $socket = open_connection($node);
	my ($answer) = converse($socket, $message, 1);
	close $socket;
	return $answer // { status => 'none', content => '', headers => {} };
}

# "status checksum" or "status" of an answer without a body; the checksum must be that of the bytes.
sub summary
{
	my ($answer) = @_;
	my $sum = $answer->{headers}->{'x-amz-crc32'};
	my $expected = length $answer->{content} ? Compress::Zlib::crc32($answer->{content}) : '';
	return "$answer->{status} wrong checksum" if ($sum // '') ne $expected;
	return defined $sum ? "$answer->{status} $sum" : $answer->{status};
}

# The connection is closed by the other side, after that many answers.
sub closed_after
{
	my ($socket, $count, $seconds) = @_;
	my $answers = 0;
	$answers++ while read_answer($socket, $seconds // 60);
	return $answers == $count && defined $! && $! == 0 && eof_of($socket) ? 'closed' : "open, $answers answers";
}

# No more to read: the end, or a reset.
sub eof_of
{
	my ($socket) = @_;
	return 0 unless IO::Select->new($socket)->can_read(0);
	my $bytes = sysread($socket, my $text, 1);
	return !$bytes;
}

# --- the checks before an operation (reference/errors, section 3)

is(summary(ask("GET $_ HTTP/1.1\r\n$host\r\n")), "200 $checksums{health}", "health: $_") for '/', '/healthy?x=y';
my $answer = ask(health());
is($answer->{content}, 'healthy: dynamodb.us-east-1.amazonaws.com ', 'its text');
is($answer->{headers}->{'content-length'}, 42, 'its length');
like($answer->{headers}->{'x-amzn-requestid'}, qr/^[0-9A-Z]{52}$/, 'a request id');
isnt(ask(health())->{headers}->{'x-amzn-requestid'}, $answer->{headers}->{'x-amzn-requestid'}, 'another one for another request');
like($answer->{headers}->{date}, qr/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/, 'a date');

$answer = ask("OPTIONS / HTTP/1.1\r\n${host}Origin: http://a\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-y\r\n\r\n");
is(summary($answer), '200', 'OPTIONS with an origin: no body');
is_deeply({ map { $_ => $answer->{headers}->{$_} } grep { /^access-control/ } keys %{ $answer->{headers} } }, {
		'access-control-allow-origin' => '*',
		'access-control-max-age' => '172800',
		'access-control-allow-headers' => 'x-y',
		'access-control-allow-methods' => 'POST',
		'access-control-expose-headers' => 'x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date' },
	'its headers');

is(summary(ask("OPTIONS / HTTP/1.1\r\n$host\r\n")), "404 $checksums{not_found}", 'OPTIONS without an origin');
$answer = ask("DELETE / HTTP/1.1\r\n$host\r\n");
is(summary($answer), "404 $checksums{not_found}", 'another method');
is($answer->{content}, "<UnknownOperationException/>\n", 'its text');
is(summary(ask(message("Content-Type: text/plain\r\n" . target('ListTables'), '{}'))), "404 $checksums{not_found}", 'another content type');
is(summary(ask(message(target('ListTables'), '{}'))), "404 $checksums{not_found}", 'no content type');
for my $good ('application/json', 'application/x-amz-json-1.0', 'application/x-amz-json-1.1', 'Application/JSON; charset=UTF-8')
{
	$answer = ask(message("Content-Type: $good\r\n" . target('ListTables'), '{}'));
	is($answer->{status}, 200, "content type $good");
	(my $bare = lc $good) =~ s/;.*//;
	is($answer->{headers}->{'content-type'}, $bare, '... is that of the answer');
}
is(summary(ask(message(target('ListTables'), ''))), "400 $checksums{malformed}", 'no content type and no body: the body is missed');
is(summary(ask(message('', ''))), "400 $checksums{unknown}", 'after the target');
is(summary(ask(message('', undef))), "400 $checksums{unknown}", 'without a length');

is(summary(ask(operation('ListTables', $_))), "400 $checksums{malformed}", "malformed body $_") for '{', '[]', '"{}"', 'x', '{}}', ' ';
is(summary(ask(message("$type$_", '{}'))), "400 $checksums{unknown}", 'target ' . ($_ =~ s/\r\n//r || 'missing'))
  for '', target('listTables'), target(''), target('ListTables '  . 'x'), "X-Amz-Target: ListTables\r\n",
  "X-Amz-Target: DynamoDB_20111205.ListTables\r\n", "X-Amz-Target: DynamoDBStreams_20120810.ListStreams\r\n";
is(summary(ask(message($type . target('Nothing'), '{'))), "400 $checksums{malformed}", 'a malformed body comes before the target');
is(ask(message($type . (target('ListTables') =~ s/X-Amz-Target/x-AMZ-tARGET/r), '{}'))->{status}, 200, 'names of headers in any case');

$answer = ask(message($type . target('ListTables') . "Content-Length: 16777217\r\n", undef));
is(summary($answer), '413', 'a body over 16 MiB is refused before it comes');
is($answer->{headers}->{connection}, 'close', '... and the connection closed');
my $largest = '{' . ' ' x (16 * 1024 * 1024 - 2) . '}';
is(ask(operation('ListTables', $largest))->{status}, 200, 'a body of 16 MiB');
my $chunk = sprintf("%x\r\n%s\r\n", 1024 * 1024, ' ' x (1024 * 1024));
is(ask(message($type . target('ListTables') . "Transfer-Encoding: chunked\r\n", undef) . "1\r\n{\r\n" . $chunk x 15 . "FFFFE\r\n" . ' ' x 0xFFFFE
	  . "\r\n1\r\n}\r\n0\r\n\r\n")->{status}, 200, 'chunks of 16 MiB');
is(ask(message($type . target('ListTables') . "Transfer-Encoding: chunked\r\n", undef) . $chunk x 16 . "1\r\n}\r\n0\r\n\r\n")->{status}, 413, 'one byte more');

# --- connections

my $socket = open_connection($node);
for my $number (1 .. 3)
{
	is((converse($socket, operation('PutItem', put("keep$number", $number)), 1))[0]->{status}, 200, "request $number of a connection");
}
is((converse($socket, get('keep2', "Connection: close\r\n"), 1))[0]->{headers}->{connection}, 'close', 'the client wants to close');
is(closed_after($socket, 0), 'closed', '... and the server does');

$socket = open_connection($node);
is((converse($socket, "GET / HTTP/1.0\r\n\r\n", 1))[0]->{headers}->{connection}, 'close', 'version 1.0');
is(closed_after($socket, 0), 'closed', '... is closed');
$socket = open_connection($node);
is((converse($socket, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 1))[0]->{headers}->{connection}, 'keep-alive', '... unless the client asks for more')
  for 1 .. 2;
close $socket;
is(ask("\r\n\r\n" . health())->{status}, 200, 'empty lines before a request');
is(ask("GET http://localhost/ HTTP/1.1\r\n$host\r\n")->{status}, 200, 'an absolute target');
$socket = open_connection($node);
syswrite($socket, "HEAD / HTTP/1.1\r\n${host}Connection: close\r\n\r\n");
my $text = '';
while (sysread($socket, $text, 65536, length $text)) {}
like($text, qr/^HTTP\/1\.1 404 .*\r\nContent-Length: 29\r\n.*\r\n\r\n\z/s, 'HEAD: no body');
close $socket;

# --- pipelines

$socket = open_connection($node);
my @answers = converse($socket, join('', map { $_ % 3 == 0 ? get("keep" . $_ % 9) : $_ % 3 == 1 ? health() : operation('Nothing', '{}') } 1 .. 600), 600);
is(join('', map { $_->{status} == 400 ? 'u' : $_->{content} =~ /^healthy/ ? 'h' : $_->{json} ? 'g' : '?' } @answers), 'hug' x 200, '600 requests in one go, answered in order');
is_deeply([ map { $answers[$_]->{json}->{Item}->{value}->{S} } grep { $_ % 9 == 2 } 0 .. 599 ], [ ('3') x 67 ], '... each its own answer');
@answers = converse($socket, operation('PutItem', put('order', 'first')) . get('order') . operation('PutItem', put('order', 'second')) . get('order')
	  . get('order', "Connection: close\r\n") . operation('PutItem', put('order', 'after close')), 6);
is(join(' ', map { $_->{json}->{Item}->{value}->{S} // $_->{status} } @answers), '200 first 200 second second', 'requests see those before them, and none is read after a close');
is(closed_after($socket, 0), 'closed', '... then it is closed');
is(value_of('order'), 'second', '... what came later was not done');

$socket = open_connection($node);
my $slow_pipeline = get('keep1') . health() . get('keep3');
@answers = ();
for my $byte (split //, $slow_pipeline)
{
	syswrite($socket, $byte);
}
push @answers, read_answer($socket) for 1 .. 3;
is(join(' ', map { $_->{json} ? $_->{json}->{Item}->{value}->{S} : $_->{status} } @answers), '1 200 3', 'a pipeline byte by byte');

# --- Expect

$socket = open_connection($node);
my $body = $json->encode(put('expected', 'yes'));
syswrite($socket, message($type . target('PutItem') . "Expect: 100-continue\r\nContent-Length: " . length($body) . "\r\n", undef));
$answer = read_answer($socket);
is("$answer->{status} " . join(' ', keys %{ $answer->{headers} }), '100 ', '100 Continue, without headers');
syswrite($socket, $body);
is(read_answer($socket)->{status}, 200, '... then the answer');
is(value_of('expected'), 'yes', '... of what was done');
syswrite($socket, get('expected') . message($type . target('ListTables') . "Expect: 100-continue\r\nContent-Length: 2\r\n", undef));
is(read_answer($socket)->{json}->{Item}->{value}->{S}, 'yes', 'in a pipeline the earlier answer comes first');
is(read_answer($socket)->{status}, 100, '... then 100');
syswrite($socket, '{}');
is(read_answer($socket)->{status}, 200, '... then the answer');
is((converse($socket, operation('ListTables', '{}', "Expect: 100-continue\r\n"), 1))[0]->{status}, 200, 'no 100 for a body that is there');
close $socket;
$socket = open_connection($node);
syswrite($socket, message($type . target('PutItem') . "Expect: 100-continue\r\nContent-Length: 99999999\r\n", undef));
is(read_answer($socket)->{status}, 413, 'no 100 for a body that is too large');
is(closed_after($socket, 0), 'closed', '... but an end');
is(ask(operation('ListTables', '{}', "Expect: something\r\n"))->{status}, 417, 'an unknown expectation');

# --- bodies in pieces, and packed

sub chunked
{
	my ($body, $size) = @_;
	my $text = '';
	for (my $at = 0; $at < length $body; $at += $size)
	{
		my $piece = substr($body, $at, $size);
		# Extensions are bounded like headers.
		$text .= sprintf("%X%s\r\n%s\r\n", length $piece, $at < 1000 ? ';name="value"' : '', $piece);
	}
	return "${text}0\r\nX-Trailer: x\r\n\r\n";
}

my $chunks = $type . target('PutItem') . "Transfer-Encoding: chunked\r\n";
my $long = join('', map { "$_," } 1 .. 5000);
for my $size (1, 7, 4096, 100_000)
{
	is(ask(message($chunks, undef) . chunked($json->encode(put("chunks$size", $long)), $size))->{status}, 200, "chunks of $size bytes");
	ok(value_of("chunks$size") eq $long, '... are put together');
}
$socket = open_connection($node);
$body = message($chunks, undef) . chunked($json->encode(put('slow', 'chunks')), 3);
syswrite($socket, $_) for split //, $body;
is(read_answer($socket)->{status}, 200, 'chunks byte by byte');
is(value_of('slow'), 'chunks', '... are put together');
close $socket;

my %packed = (
	gzip => Compress::Zlib::memGzip($json->encode(put('gzip', $long))),
	'x-gzip' => Compress::Zlib::memGzip($json->encode(put('x-gzip', $long))),
	deflate => Compress::Zlib::compress($json->encode(put('deflate', $long))));
for my $coding (sort keys %packed)
{
	my $headers = $type . target('PutItem') . "Content-Encoding: $coding\r\n";
	is(ask(message($headers, $packed{$coding}))->{status}, 200, "a body packed with $coding");
	ok(value_of($coding) eq $long, '... is unpacked');
	is(ask(message("${headers}Transfer-Encoding: chunked\r\n", undef) . chunked($packed{$coding}, 100))->{status}, 200, '... in chunks too');
}

$socket = open_connection($node);
my $gzip = $packed{gzip};
(my $flipped = $gzip) =~ s/(.)(.{7})\z/chr(ord($1) ^ 1) . $2/se;
my %damaged = (
	'cut short' => [ 'gzip', substr($gzip, 0, -1) ],
	'half' => [ 'gzip', substr($gzip, 0, length($gzip) / 2) ],
	'with a wrong checksum' => [ 'gzip', $flipped ],
	'with something behind it' => [ 'gzip', "$gzip " ],
	'twice' => [ 'gzip', "$gzip$gzip" ],
	'that is none' => [ 'gzip', '{}' ],
	'of another kind' => [ 'deflate', $gzip ],
	'of an unknown kind' => [ 'br', $gzip ],
	'of two kinds' => [ 'gzip, gzip', Compress::Zlib::memGzip($gzip) ]);
for my $name (sort keys %damaged)
{
	my ($coding, $content) = @{ $damaged{$name} };
	is(summary((converse($socket, message($type . target('PutItem') . "Content-Encoding: $coding\r\n", $content), 1))[0] // {}),
		"400 $checksums{malformed}", "a packed body $name");
}
my $bomb = Compress::Zlib::memGzip(' ' x (64 * 1024 * 1024));
cmp_ok(length($bomb), '<', 100_000, 'a bomb of 64 MiB is small');
is(summary((converse($socket, message($type . target('PutItem') . "Content-Encoding: gzip\r\n", $bomb), 1))[0]), '413', '... and refused');
is(summary((converse($socket, message($type . target('ListTables') . "Content-Encoding: gzip\r\n", Compress::Zlib::memGzip("$largest ")), 1))[0]),
	'413', 'one byte over 16 MiB');
is((converse($socket, message($type . target('ListTables') . "Content-Encoding: gzip\r\n", Compress::Zlib::memGzip($largest)), 1))[0]->{status},
	200, '16 MiB, on the connection of all these');
close $socket;

# --- packed answers

my $big = 'x' x 100_000;
is(ask(operation('PutItem', put('big', $big)))->{status}, 200, 'a big item');
my $plain = ask(get('big'));
like(summary($plain), qr/^200 \d+$/, 'its answer');
is($plain->{headers}->{'content-encoding'}, undef, '... plain where nothing is asked for');
for my $accepted ('gzip', 'deflate, GZIP;q=0.1', 'x-gzip')
{
	$answer = ask(get('big', "Accept-Encoding: $accepted\r\n"));
	is($answer->{headers}->{'content-encoding'}, 'gzip', "packed for $accepted");
	like(summary($answer), qr/^200 \d+$/, '... with the checksum of what was sent');
	cmp_ok(length $answer->{content}, '<', 5000, '... which is small');
	ok(Compress::Zlib::memGunzip(my $copy = $answer->{content}) eq $plain->{content}, '... and unpacks to the same');
}
for my $refused ('identity', 'gzip;q=0', 'br, *;q=0')
{
	is(ask(get('big', "Accept-Encoding: $refused\r\n"))->{headers}->{'content-encoding'}, undef, "plain for $refused");
}
$answer = ask(get('keep1', "Accept-Encoding: gzip\r\n"));
is($answer->{headers}->{'content-encoding'}, undef, 'a small answer stays plain');

# --- what is refused, with a request behind it that must not be answered

my $behind = operation('PutItem', put('smuggled', 'yes'));
my @smuggling = (
	[ 400, 'bare LF', "GET / HTTP/1.1\n$host\n" ],
	[ 400, 'bare CR', "GET / HTTP/1.1\r\n${host}X: a\rY: b\r\n\r\n" ],
	[ 400, 'a folded line', "GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n" ],
	[ 400, 'a blank before the colon', "POST / HTTP/1.1\r\n${host}Content-Length : 5\r\n\r\nhello" ],
	[ 400, 'a length and chunks', "POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" ],
	[ 400, 'chunks and a length', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" ],
	[ 400, 'two lengths', "POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello" ],
	[ 400, 'lengths in a list', "POST / HTTP/1.1\r\n${host}Content-Length: 5, 5\r\n\r\nhello" ],
	[ 400, 'a signed length', "POST / HTTP/1.1\r\n${host}Content-Length: +5\r\n\r\nhello" ],
	[ 400, 'chunks in 1.0', "POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" ],
	[ 400, 'chunked twice', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" ],
	[ 501, 'another transfer coding', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" ],
	[ 501, 'a transfer coding in disguise', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" ],
	[ 400, 'a blank behind a chunk size', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n" ],
	[ 400, 'a chunk size with 0x', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n" ],
	[ 400, 'a chunk longer than its size', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n" ],
	[ 413, 'a chunk size of 2^64', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n0\r\n\r\n" ],
	[ 400, 'NUL in a header', "GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n" ],
	[ 400, 'no host', "GET / HTTP/1.1\r\n\r\n" ],
	[ 400, 'two hosts', "GET / HTTP/1.1\r\n${host}Host: localhost\r\n\r\n" ],
	[ 400, 'another host in the target', "GET http://other/ HTTP/1.1\r\n$host\r\n" ],
	[ 400, 'no version', "GET /\r\n" ],
	[ 505, 'version 2.0', "GET / HTTP/2.0\r\n$host\r\n" ],
	[ 400, 'the beginning of HTTP/2', "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" ],
	[ 400, 'CONNECT', "CONNECT localhost:80 HTTP/1.1\r\n$host\r\n" ],
	[ 400, 'TLS', "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" ],
	[ 400, "PostgreSQL's protocol", pack('NN', 8, 80877103) ],
	[ 400, 'garbage', join('', map { chr(128 + $_ % 7 * 3) . chr($_ % 32) } 1 .. 5000) ],
	[ 400, 'headers over 16 kB', "GET / HTTP/1.1\r\n${host}X: " . 'x' x 16384 . "\r\n\r\n" ],
	[ 400, 'a line without an end', 'A' x 1_000_000 ],
	[ 400, '65 headers', "GET / HTTP/1.1\r\n$host" . "X: y\r\n" x 64 . "\r\n" ],
	[ 400, 'endless chunk extensions', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n1;" . 'x' x 100_000 ],
	[ 400, 'endless trailers', "POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n" . "X: y\r\n" x 5000 ]);
for my $case (@smuggling)
{
	my ($status, $name, $message) = @$case;
	$socket = open_connection($node);
	my @got = converse($socket, "$message$behind", 2);
	is(join(' ', map { summary($_) } @got) . ' ' . ($got[0] ? $got[0]->{headers}->{connection} // '' : ''), "$status close", "refused: $name");
	close $socket;
	$socket = open_connection($node);
	@got = converse($socket, health() . $message . $behind, 3);
	is(join(' ', map { $_->{status} } @got), "200 $status", '... after the answer to the request before it');
	close $socket;
}
is(value_of('smuggled'), undef, 'none of the requests behind was done');
is(ask("GET / HTTP/1.1\r\n${host}X: " . 'x' x (16384 - 43) . "\r\n\r\n")->{status}, 200, 'headers of 16 kB');
is(ask("GET / HTTP/1.1\r\n$host" . "X: y\r\n" x 63 . "\r\n")->{status}, 200, '64 headers');

# --- half requests

for my $message (operation('PutItem', put('half', 'yes')), message($chunks, undef) . chunked($json->encode(put('half', 'yes')), 10))
{
	for my $part (map { int(length($message) * $_ / 12) } 1 .. 11)
	{
		$socket = open_connection($node);
		syswrite($socket, substr($message, 0, $part));
		shutdown($socket, 1) if $part % 2;
		close $socket;
	}
}
is(ask(health())->{status}, 200, 'clients that leave in the middle of a request do no harm');
is(value_of('half'), undef, '... and nothing of it is done');
$socket = open_connection($node);
syswrite($socket, get('keep1') . get('keep2') . get('keep3'));
shutdown($socket, 1);
is(join(' ', map { my $got = read_answer($socket); $got ? $got->{json}->{Item}->{value}->{S} : 'none' } 1 .. 3), '1 2 3', 'a client that only closes its own side is answered');

# --- a client that reads slowly, or never

is(ask(operation('PutItem', put("big$_", 'x' x 390_000)))->{status}, 200, "a very big item ($_)") for 1 .. 40;
my $batch = operation('BatchGetItem', { RequestItems => { shop => { Keys => [ map { { pk => { S => "big$_" } } } 1 .. 40 ] } } });
my @slow = map { open_connection($node) } 1 .. 4;
syswrite($_, $batch) for @slow;
my @never = map { open_connection($node) } 1 .. 2;
syswrite($_, $batch x 30) for @never;
my $fast = 0;
$socket = open_connection($node);
for (1 .. 200)
{
	$fast++ if (converse($socket, get('keep1'), 1))[0]->{json}->{Item}->{value}->{S} eq '1';
}
is($fast, 200, 'others are answered while clients do not read answers of 16 MB');
my $requests = $node->safe_psql('postgres', q{SELECT requests FROM endpoint_statistics WHERE operation = 'BatchGetItem'});
cmp_ok($requests, '<=', 12, '... of whose requests few are begun');
for my $number (0 .. $#slow)
{
	$answer = read_answer($slow[$number], 120);
	is(length($answer->{content} // '') > 15_000_000 && summary($answer) =~ /^200 \d+$/, 1, "... and client $number gets its answer whole");
}
close $_ for @slow, @never;
is((converse($socket, get('keep2'), 1))[0]->{json}->{Item}->{value}->{S}, '2', 'a client that never reads is forgotten when it goes');

# --- clients that send slowly

sub set_timeouts
{
	my ($header, $body) = @_;
	$node->append_conf('postgresql.conf', "singletable.endpoint_header_timeout = $header\nsingletable.endpoint_body_timeout = $body\n");
	$node->reload;
	$node->poll_query_until('postgres', "SELECT current_setting('singletable.endpoint_header_timeout') = '$header'") or die 'no reload';
}

# A piece again and again until the other side closes; the number of pieces, or undef if it never does.
sub trickle
{
	my ($begin, $piece, $most) = @_;
	my $client = open_connection($node);
	syswrite($client, $begin);
	for my $number (1 .. $most)
	{
		usleep(100_000);
		return $number if !defined send($client, $piece, MSG_NOSIGNAL) || eof_of($client);
	}
	return undef;
}

set_timeouts('500ms', '500ms');
my $patient = open_connection($node);
is((converse($patient, health(), 1))[0]->{status}, 200, 'a connection that then is idle');
ok(trickle("GET / HTTP/1.1\r\n$host", "X: y\r\n", 600), 'a head line by line is not waited for');
ok(trickle('', 'G', 600), '... nor is one byte by byte');
ok(trickle("GET / HTTP/1.1\r\n$host", '', 600), '... nor one of which nothing comes');
ok(trickle(message($type . target('PutItem') . "Content-Length: 100000\r\n", undef), ' ', 600), '... nor a body byte by byte');
ok(trickle(message($chunks, undef), "1\r\n \r\n", 600), '... nor one in chunks of a byte');
ok(trickle(operation('PutItem', put('half', 'yes')) . 'POST', 'T', 600), '... nor what is behind a request');
is((converse($patient, health(), 1))[0]->{status}, 200, 'an idle connection may wait longer');
close $patient;
set_timeouts('10s', '1min');

# --- thousands of connections

SKIP:
{
	skip 'no /proc here', 1 unless -d "/proc/$workers[0]/fd";
	is(ask(health())->{status}, 200, 'before thousands of connections');

	sub sockets_of_workers
	{
		my $count = 0;
		for my $pid (@workers)
		{
			$count += grep { (readlink($_) // '') =~ /^socket:/ } glob("/proc/$pid/fd/*");
		}
		return $count;
	}
	close $socket;
	$node->poll_query_until('postgres', 'SELECT sum(connections) = 0 FROM endpoint_workers()') or die 'connections are left';
	my $before = sockets_of_workers();
	my @kinds = ('', 'GET', health(), get('big'), message($type . target('PutItem') . "Content-Length: 1000\r\n", undef), "\x16\x03");
	my $opened = 0;
	for my $round (1 .. 60)
	{
		my @many;
		for my $number (1 .. 50)
		{
			my $client = eval { open_connection($node) } or next;
			$opened++;
			my $kind = $kinds[ ($round + $number) % @kinds ];
			send($client, $kind, MSG_NOSIGNAL) if length $kind;
			push @many, $client;
		}
		for my $number (0 .. $#many)
		{
			# Some are reset.
			setsockopt($many[$number], SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)) if $number % 3 == 0;
			close $many[$number];
		}
	}
	is($opened, 3000, '3000 connections opened and dropped');
	is(ask(health())->{status}, 200, '... and the server answers');
	$node->poll_query_until('postgres', 'SELECT sum(connections) = 0 FROM endpoint_workers()') or die 'connections are left';
	my $after;
	for (1 .. 100)
	{
		$after = sockets_of_workers();
		last if $after == $before;
		usleep(100_000);
	}
	is($after, $before, '... and has kept no descriptor');
}

# --- more connections than are allowed

$node->append_conf('postgresql.conf', 'singletable.endpoint_max_connections = 20');
$node->reload;
$node->poll_query_until('postgres', q{SELECT current_setting('singletable.endpoint_max_connections') = '20'});
# Nothing tells when all workers have read it too.
usleep(1_000_000);
is(ask(health())->{status}, 200, 'a limit of 20 connections');
$node->poll_query_until('postgres', 'SELECT sum(connections) = 0 FROM endpoint_workers()') or die 'connections are left';
my @crowd = map { my $client = open_connection($node); syswrite($client, health()); $client } 1 .. 40;
my @served = grep { read_answer($_, 60) } @crowd[ 0 .. 9 ];
is(scalar @served, 10, 'the first are served');
$node->poll_query_until('postgres', 'SELECT sum(connections) >= 20 FROM endpoint_workers()') or die 'the limit is not reached';
# Workers that accept at the same moment do not see each other's.
cmp_ok($node->safe_psql('postgres', 'SELECT sum(connections) FROM endpoint_workers()'), '<=', 20 + @workers, 'the limit holds');
my $queued = 0;
for my $client (@crowd[ 10 .. 39 ])
{
	close shift @served if @served;
	$queued++ if read_answer($client, 60);
	push @served, $client;
}
is($queued, 30, 'the others are served when some are closed');
close $_ for @crowd;
$node->append_conf('postgresql.conf', 'singletable.endpoint_max_connections = 1000');
$node->reload;

# --- requests that nobody would write; the same in each run

srand(20261121);
my @corpus = (
	health(), get('keep1'), get('big', "Accept-Encoding: gzip\r\n"), operation('PutItem', put('fuzz', 'x')),
	operation('UpdateItem', { TableName => 'shop', Key => { pk => { S => 'fuzz' } }, UpdateExpression => 'SET #a.b[0] = :v + :v', ConditionExpression => 'size(#a) < :v OR NOT attribute_exists(#a)',
			ExpressionAttributeNames => { '#a' => 'value' }, ExpressionAttributeValues => { ':v' => { N => '1' } } }),
	operation('Query', { TableName => 'shop', KeyConditionExpression => 'pk = :p', ExpressionAttributeValues => { ':p' => { S => 'fuzz' } } }),
	operation('Scan', { TableName => 'shop', Limit => 2, FilterExpression => 'contains(pk, :p)', ExpressionAttributeValues => { ':p' => { S => 'f' } } }),
	operation('BatchGetItem', { RequestItems => { shop => { Keys => [ { pk => { S => 'fuzz' } } ] } } }),
	operation('TransactWriteItems', { TransactItems => [ { Put => put('fuzz', 'y') } ] }), operation('DescribeTable', { TableName => 'shop' }),
	message($chunks, undef) . chunked($json->encode(put('fuzz', 'chunks')), 5),
	message($type . target('PutItem') . "Content-Encoding: gzip\r\n", Compress::Zlib::memGzip($json->encode(put('fuzz', 'gzip')))),
	message($type . target('ListTables') . "Expect: 100-continue\r\n", '{}'),
	"OPTIONS / HTTP/1.1\r\n${host}Origin: http://a\r\n\r\n", map { $_->[2] } grep { length $_->[2] < 1000 } @smuggling);
my @pieces = ("\r\n", "\n", "\r", "\0", ' ', ':', ';', ',', '"', '\\', '{', '}', '[', ']', "0\r\n\r\n", 'Content-Length: 5', "Transfer-Encoding: chunked\r\n", "\xff", "\xed\xa0\x80",
	'\\ud800', '1e999', '-', 'null', '{"S":"x"}', '{"M":' x 40, '%', '/', 'POST / HTTP/1.1');

sub mutate
{
	my ($message) = @_;
	for (1 .. 1 + int(rand(2)))
	{
		# More often in the body.
		my $begin = rand(3) > 1 ? index($message, "\r\n\r\n") + 4 : 0;
		my $at = $begin + int(rand(length($message) - $begin + 1));
		my $kind = int(rand(6));
		if ($kind == 0) { substr($message, $at, 1) = chr(int(rand(256))) if $at < length $message; }
		elsif ($kind == 1) { substr($message, $at, 0) = $pieces[ rand @pieces ]; }
		elsif ($kind == 2) { substr($message, $at, 1 + int(rand(10))) = '' if $at < length $message; }
		elsif ($kind == 3) { my $other = $corpus[ rand @corpus ]; substr($message, $at) = substr($other, int(rand(length $other))); }
		elsif ($kind == 4) { $message .= $corpus[ rand @corpus ]; }
		else { substr($message, $at, 0) = substr($message, $at, int(rand(20))); }
	}
	# The length is mended, more often than not.
	$message =~ s/^(Content-Length: )\d+\r\n((?:[^\r\n]+\r\n)*)\r\n(.*)\z/$1 . length($3) . "\r\n$2\r\n$3"/mse if rand(4) > 1;
	return $message;
}

my (%statuses, @strange);
for my $number (1 .. 1500)
{
	# More of those that reach an operation.
	my $message = mutate($corpus[ rand(rand(4) > 1 ? 13 : @corpus) ]);
	my $client = open_connection($node);
	send($client, $message, MSG_NOSIGNAL);
	shutdown($client, 1);
	my $got = '';
	while (1)
	{
		if (!IO::Select->new($client)->can_read(60))
		{
			push @strange, "no end: $message";
			last;
		}
		last unless sysread($client, $got, 65536, length $got);
	}
	close $client;
	next if $got eq '';
	if ($got !~ /\AHTTP\/1\.1 (\d\d\d) /)
	{
		push @strange, "no HTTP: $message";
		next;
	}
	$statuses{$_}++ for $got =~ /^HTTP\/1\.1 (\d\d\d) /mg;
	push @strange, "$1: $message" if $got =~ /^HTTP\/1\.1 (?!100|200|400|404|413|417|501|505)(\d\d\d) /m;
}
is_deeply(\@strange, [], '1500 mutated messages: an answer that is expected, or none, and an end');
cmp_ok($statuses{200} // 0, '>', 100, '... many of them requests');
cmp_ok($statuses{400} // 0, '>', 100, '... many not');
note(join(', ', map { "$_: $statuses{$_}" } sort keys %statuses));

# --- afterwards

is(summary(ask(health())), "200 $checksums{health}", 'the server answers');
is_deeply([ workers_of($node) ], \@workers, 'the workers are those of the beginning');
my $log = slurp_file($node->logfile);
unlike($log, qr/PANIC|TRAP:|terminated by signal|^singletable endpoint[^:]*: (?:ERROR|FATAL|WARNING)/m, 'nothing in the log');
verify_indexes($node, 'at the end');
$node->stop;
done_testing();
