# Clients of dynamodb() on concurrent connections: counters, optimistic locking, transactions and their tokens, batches, pages and
# parallel scans beside writers.  What each must keep is checked while they run and at the end.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seconds = 4;
my $node = PostgreSQL::Test::Cluster->new('main');

$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "max_connections = 40\nlc_messages = 'C'\ndeadlock_timeout = 50ms\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION singletable; CREATE EXTENSION amcheck;');
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE counter (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
CREATE TABLE account (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE TABLE stock (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, g text COLLATE "C", n numeric, item item NOT NULL DEFAULT '{}',
	PRIMARY KEY (pk, sk));
CREATE INDEX stock_gsi ON stock USING gsi (g, n, pk, sk);

-- What a client sees of a request: ok, or the exception.
CREATE FUNCTION try(operation text, request text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
BEGIN
	PERFORM dynamodb(operation, request);
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	state := SQLSTATE;
	RETURN coalesce((SELECT exception FROM dynamodb_exceptions() e WHERE e.sqlstate = state), state || ': ' || SQLERRM);
END $$;

CREATE TABLE outcome (test text, result text);
CREATE FUNCTION results(test text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(result, ' ' ORDER BY result COLLATE "C") FROM (SELECT DISTINCT result FROM outcome o WHERE o.test = results.test) r
$$;

INSERT INTO account SELECT 'a', i, '{"balance": 100}' FROM generate_series(1, 10) i;
INSERT INTO stock SELECT 's' || i % 40, i, 'all', i % 7, ('{"v": 0, "pad": "' || repeat('x', 200) || '"}')::item FROM generate_series(1, 1200) i;
INSERT INTO counter VALUES ('doc1', '{"version": 0}'), ('doc2', '{"version": 0}'), ('doc3', '{"version": 0}');
SQL

# The variables of pgbench stand for themselves inside strings too; :one and :v, which are none, are left alone.
sub run_clients
{
	my ($name, $options, %scripts) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	$node->pgbench("--no-vacuum --jobs=2 $options", 0, [qr{actually processed}], [qr{^(?!.*(?:ERROR|aborted))}s], $name, \%scripts);
}

sub query
{
	return $node->safe_psql('postgres', shift);
}

# Counters: nothing is lost.
run_clients('counters', '--client=8 --transactions=150', '210_count' => <<'SQL');
\set key random(1, 3)
SELECT dynamodb('UpdateItem', '{"TableName": "counter", "Key": {"pk": {"S": "count:key"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}');
SQL
is(query(q{SELECT sum((item ->> 'n')::int) FROM counter WHERE pk LIKE 'count%'}), '1200', 'every count was kept');

# Optimistic locking: read the version, write if it is still there.  Who fails reads again.
run_clients('optimistic locking', '--client=8 --transactions=100', '210_version' => <<'SQL');
\set key random(1, 3)
SELECT dynamodb('GetItem', '{"TableName": "counter", "Key": {"pk": {"S": "doc:key"}}}') #>> '{Item,version,N}' AS version \gset
\set next :version + 1
SELECT try('UpdateItem', '{"TableName": "counter", "Key": {"pk": {"S": "doc:key"}}, "UpdateExpression": "SET version = :new ADD edits :one", "ConditionExpression": "version = :old", "ExpressionAttributeValues": {":new": {"N": ":next"}, ":old": {"N": ":version"}, ":one": {"N": "1"}}}') AS result \gset
INSERT INTO outcome VALUES ('version', ':result');
SQL
is(query(q{SELECT results('version')}), 'ConditionalCheckFailedException ok', 'some writers were late');
is(query(q{SELECT bool_and(item ->> 'version' = item ->> 'edits') FROM counter WHERE pk LIKE 'doc%'}), 't', 'no version was written twice');
is(query(q{SELECT sum((item ->> 'edits')::int) FROM counter WHERE pk LIKE 'doc%'}),
	query(q{SELECT count(*) FROM outcome WHERE test = 'version' AND result = 'ok'}), 'each success is one edit');

# In REPEATABLE READ the loser of a race gets TransactionConflictException, and so does the victim of a deadlock.
run_clients('serialization failures', '--client=8 --transactions=60', '210_serialize' => <<'SQL');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT dynamodb('GetItem', '{"TableName": "counter", "Key": {"pk": {"S": "serial"}}}') \gset
SELECT try('UpdateItem', '{"TableName": "counter", "Key": {"pk": {"S": "serial"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}') AS result \gset
END;
INSERT INTO outcome VALUES ('serial', ':result');
SQL
like(query(q{SELECT results('serial')}), qr/^(TransactionConflictException )?ok$/, 'the loser of a race is told of a conflict');
is(query(q{SELECT item ->> 'n' FROM counter WHERE pk = 'serial'}), query(q{SELECT count(*) FROM outcome WHERE test = 'serial' AND result = 'ok'}),
	'the winners have counted');

run_clients('deadlocks', '--client=6 --transactions=15', '210_deadlock' => <<'SQL');
\set left random(1, 2)
\set right 3 - :left
BEGIN;
SELECT try('UpdateItem', '{"TableName": "counter", "Key": {"pk": {"S": "dead:left"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}') AS first \gset
\sleep 2 ms
SELECT try('UpdateItem', '{"TableName": "counter", "Key": {"pk": {"S": "dead:right"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}') AS second \gset
END;
INSERT INTO outcome VALUES ('dead', ':first'), ('dead', ':second');
SQL
like(query(q{SELECT results('dead')}), qr/^(TransactionConflictException )?ok$/, 'the victim of a deadlock is told of a conflict');
is(query(q{SELECT sum((item ->> 'n')::int) FROM counter WHERE pk LIKE 'dead%'}),
	query(q{SELECT count(*) FROM outcome WHERE test = 'dead' AND result = 'ok'}), 'the others have counted');

# Transactions move amounts between three accounts; every TransactGetItems sees one total.
query(<<'SQL');
CREATE FUNCTION check_total() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	response json := dynamodb('TransactGetItems', (SELECT json_build_object('TransactItems', json_agg(json_build_object('Get',
		json_build_object('TableName', 'account', 'Key', format('{"pk": {"S": "a"}, "sk": {"N": "%s"}}', i)::json)))) FROM generate_series(1, 10) i)::text);
	total numeric := (SELECT sum((r #>> '{Item,balance,N}')::numeric) FROM json_array_elements(response -> 'Responses') r);
BEGIN
	IF total IS DISTINCT FROM 1000 THEN
		RAISE 'the total is %', total;
	END IF;
END $$;
SQL
run_clients('transactions and readers', "--client=8 --time=$seconds", '210_move@6' => <<'SQL', '210_total@2' => 'SELECT check_total();');
\set a random(0, 9)
\set b (:a + random(1, 4)) % 10
\set c (:a + random(5, 9)) % 10
\set source :a + 1
\set target :b + 1
\set other :c + 1
\set amount random(1, 30)
\set twice -2 * :amount
\set least 2 * :amount
SELECT try('TransactWriteItems', '{"TransactItems": [
	{"Update": {"TableName": "account", "Key": {"pk": {"S": "a"}, "sk": {"N": ":source"}}, "UpdateExpression": "ADD balance :x", "ConditionExpression": "balance >= :l", "ExpressionAttributeValues": {":x": {"N": ":twice"}, ":l": {"N": ":least"}}}},
	{"Update": {"TableName": "account", "Key": {"pk": {"S": "a"}, "sk": {"N": ":target"}}, "UpdateExpression": "ADD balance :x", "ExpressionAttributeValues": {":x": {"N": ":amount"}}}},
	{"Update": {"TableName": "account", "Key": {"pk": {"S": "a"}, "sk": {"N": ":other"}}, "UpdateExpression": "ADD balance :x", "ExpressionAttributeValues": {":x": {"N": ":amount"}}}}]}') AS result \gset
INSERT INTO outcome VALUES ('move', ':result');
SQL
like(query(q{SELECT results('move')}), qr/^(TransactionCanceledException )?ok$/, 'transactions are done or cancelled');
is(query(q{SELECT sum((item ->> 'balance')::int) || ' ' || (min((item ->> 'balance')::int) >= 0) FROM account}), '1000 true', 'the total was kept');

# Tokens: six clients send each of 100 transactions, under one token each; each is done once.
run_clients('tokens', '--client=6 --transactions=100', '210_token' => <<'SQL');
SELECT count(*) % 100 AS number FROM outcome WHERE test = 'token' \gset
SELECT try('TransactWriteItems', '{"ClientRequestToken": "token-:number", "TransactItems": [{"Update": {"TableName": "counter", "Key": {"pk": {"S": "token"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}, {"Update": {"TableName": "counter", "Key": {"pk": {"S": "token-:number"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}]}') AS result \gset
INSERT INTO outcome VALUES ('token', ':result');
SQL
like(query(q{SELECT results('token')}), qr/^(TransactionInProgressException )?ok$/, 'a repeated transaction succeeds or is in progress');
is(query(q{SELECT count(*) || ' ' || max((item ->> 'n')::int) FROM counter WHERE pk LIKE 'token-%'}), '100 1', 'each transaction was done once');
is(query(q{SELECT item ->> 'n' FROM counter WHERE pk = 'token'}), '100', 'none was done in part');

# Batches of ten puts by each client, over one another's keys.
run_clients('batches', '--client=6 --transactions=60', '210_batch' => <<'SQL');
\set start random(1, 40)
SELECT try('BatchWriteItem', (SELECT json_build_object('RequestItems', json_build_object('counter', json_agg(json_build_object('PutRequest',
	json_build_object('Item', format('{"pk": {"S": "batch%s"}, "writer": {"N": ":client_id"}}', i)::json)))))::text FROM generate_series(:start, :start + 9) i)) AS result \gset
INSERT INTO outcome VALUES ('batch', ':result');
SQL
is(query(q{SELECT results('batch')}), 'ok', 'batches do not lock each other out');
cmp_ok(query(q{SELECT count(*) FROM counter WHERE pk LIKE 'batch%' AND item ->> 'writer' IS NOT NULL}), '>=', 40, 'batches were written');

# Pages and parallel scans return each of the 1,200 items that stay exactly once, while others come and go and all of them change.
query(<<'SQL');
CREATE FUNCTION check_pages(operation text, request jsonb, expected text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	page json;
	seen int[] := '{}';
	sought int[] := ARRAY(SELECT i FROM generate_series(1, 1200) i WHERE expected IS NULL OR 's' || i % 40 = expected ORDER BY i);
BEGIN
	LOOP
		page := dynamodb(operation, request::text);
		seen := seen || ARRAY(SELECT (i #>> '{sk,N}')::int FROM json_array_elements(page -> 'Items') i);
		EXIT WHEN page -> 'LastEvaluatedKey' IS NULL;
		request := jsonb_set(request, '{ExclusiveStartKey}', (page -> 'LastEvaluatedKey')::jsonb);
	END LOOP;
	IF ARRAY(SELECT i FROM unnest(seen) i WHERE i <= 1200 ORDER BY i) <> sought THEN
		RAISE '% saw % items of %', operation, cardinality(seen), cardinality(sought);
	END IF;
END $$;

CREATE FUNCTION check_segments(total int, page_limit int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	page json;
	request jsonb;
	seen int[] := '{}';
BEGIN
	FOR segment IN 0..total - 1 LOOP
		request := jsonb_build_object('TableName', 'stock', 'Segment', segment, 'TotalSegments', total, 'Limit', page_limit);
		LOOP
			page := dynamodb('Scan', request::text);
			seen := seen || ARRAY(SELECT (i #>> '{sk,N}')::int FROM json_array_elements(page -> 'Items') i);
			EXIT WHEN page -> 'LastEvaluatedKey' IS NULL;
			request := jsonb_set(request, '{ExclusiveStartKey}', (page -> 'LastEvaluatedKey')::jsonb);
		END LOOP;
	END LOOP;
	IF ARRAY(SELECT i FROM unnest(seen) i WHERE i <= 1200 ORDER BY i) <> ARRAY(SELECT generate_series(1, 1200)) THEN
		RAISE '% segments saw % items', total, cardinality(seen);
	END IF;
END $$;
SQL
my $change = <<'SQL';
\set key random(1, 1200)
\set part :key % 40
\set new random(2000, 2400)
SELECT dynamodb('UpdateItem', '{"TableName": "stock", "Key": {"pk": {"S": "s:part"}, "sk": {"N": ":key"}}, "UpdateExpression": "ADD v :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}');
SELECT dynamodb('PutItem', '{"TableName": "stock", "Item": {"pk": {"S": "s:part"}, "sk": {"N": ":new"}, "g": {"S": "all"}, "n": {"N": "3"}}}');
SELECT dynamodb('DeleteItem', '{"TableName": "stock", "Key": {"pk": {"S": "s:part"}, "sk": {"N": ":new"}}}');
SQL
run_clients('pages, segments and writers', "--client=8 --time=$seconds", '210_change@4' => $change, '210_pages@4' => <<'SQL');
\set part random(0, 39)
\set limit random(1, 20)
\set total random(1, 9)
SELECT check_pages('Query', '{"TableName": "stock", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "s:part"}}, "Limit": :limit, "ScanIndexForward": false}', 's:part');
SELECT check_pages('Query', '{"TableName": "stock", "IndexName": "stock_gsi", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "all"}}, "ProjectionExpression": "sk", "Limit": 50}', NULL);
SELECT check_segments(:total, 100);
SQL
cmp_ok(query(q{SELECT sum((item ->> 'v')::int) FROM stock WHERE sk <= 1200}), '>', 0, 'items changed meanwhile');

# What a program gets with an error: SQLSTATE, message, and the further members in DETAIL.
my ($status, $stdout, $stderr) = $node->psql('postgres',
	q{SELECT dynamodb('PutItem', '{"TableName": "counter", "Item": {"pk": {"S": "doc1"}}, "ConditionExpression": "version < :v", "ExpressionAttributeValues": {":v": {"N": "0"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}')},
	extra_params => [ '-v', 'VERBOSITY=verbose' ]);
like($stderr, qr/ERROR:  KV002: The conditional request failed\nDETAIL:  \{"Item": \{.*"version": \{"N": "\d+"\}/, 'a failed condition carries the item');

for my $index ('stock_gsi', 'stock_pkey', 'counter_pkey', 'account_pkey', 'dynamodb_request_token_pkey')
{
	my $check = $index =~ /gsi/ ? 'check_item_index' : 'bt_index_check';
	is(query("SELECT count(*) FROM $check('$index') c"), '1', "$index is sound");
}
is(query(q{SET enable_seqscan = off; SELECT count(*) FROM stock WHERE g = 'all'}),
	query(q{SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off; SELECT count(*) FROM stock WHERE g = 'all' AND n IS NOT NULL}),
	'the index yields the rows of the table');
$node->stop;
done_testing();
