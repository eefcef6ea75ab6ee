-- The same 200,000 records twice: as an item table, and as (pk, sk, jsonb), each 2,000 partitions of 100.
CREATE EXTENSION singletable;
ALTER DATABASE bench SET jit = off;
SELECT create_item_table('bench_item', 'pk', 'sk');
CREATE TABLE bench_jsonb (
	pk text COLLATE "C" NOT NULL,
	sk text COLLATE "C" NOT NULL,
	doc jsonb NOT NULL,
	PRIMARY KEY (pk, sk)
);
ALTER TABLE bench_item SET (autovacuum_enabled = off, fillfactor = 80);
ALTER TABLE bench_jsonb SET (autovacuum_enabled = off, fillfactor = 80);

CREATE FUNCTION record(partition int, number int) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object(
		'name', 'customer ' || partition || ' order ' || number,
		'email', 'customer' || partition || '@example.org',
		'status', (ARRAY['OPEN', 'PAID', 'SHIPPED', 'CLOSED'])[1 + (partition + number) % 4],
		'total', (partition * 7 + number * 13) % 1000 + 0.95,
		'visits', number,
		'tags', jsonb_build_array('t' || number % 5, 'u' || partition % 7, 'all'),
		'address', jsonb_build_object('street', number || ' Main Street', 'city', 'city ' || partition % 100, 'zip', lpad(partition::text, 5, '0')),
		'note', repeat('some words that nobody reads ', 3))
$$;
INSERT INTO bench_jsonb SELECT 'P#' || p, 'S#' || s, record(p, s) FROM generate_series(1, 2000) p, generate_series(1, 100) s;
-- By put_item, as an application fills it.
SELECT count(put_item('bench_item', (doc || jsonb_build_object('pk', pk, 'sk', sk))::item)) FROM bench_jsonb;

-- Keys to look up, in an order of no kind.
CREATE TABLE bench_key AS
SELECT 'P#' || p AS pk, 'S#' || s AS sk, jsonb_build_object('pk', 'P#' || p, 'sk', 'S#' || s)::item AS key
FROM (SELECT (hashint4(i) & 2147483647) % 2000 + 1 AS p, (hashint4(i + 1000000) & 2147483647) % 100 + 1 AS s FROM generate_series(1, 50000) i) k;

-- The logic of a conditional update by hand: the row is locked, an absent one made, a failed condition is an error.
CREATE FUNCTION plain_conditional_update(p text, s text, amount numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	old jsonb;
BEGIN
	LOOP
		SELECT doc INTO old FROM bench_jsonb WHERE pk = p AND sk = s FOR UPDATE;
		IF FOUND THEN
			IF NOT ((old ->> 'total')::numeric > 0 AND old ? 'status') THEN
				RAISE 'the conditional request failed';
			END IF;
			UPDATE bench_jsonb SET doc = jsonb_set(old, '{total}', to_jsonb((old ->> 'total')::numeric + amount)) || '{"status": "PAID"}'
			WHERE pk = p AND sk = s;
			RETURN;
		END IF;
		RAISE 'the conditional request failed';
	END LOOP;
END $$;

CREATE FUNCTION plain_partial_update(p text, s text, city text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	old jsonb;
BEGIN
	LOOP
		SELECT doc INTO old FROM bench_jsonb WHERE pk = p AND sk = s FOR UPDATE;
		IF FOUND THEN
			IF old -> 'address' IS NULL OR jsonb_typeof(old -> 'address') <> 'object' THEN
				RAISE 'the document path is invalid';
			END IF;
			UPDATE bench_jsonb SET doc = jsonb_set(jsonb_set(old, '{address,city}', to_jsonb(city)), '{visits}',
				to_jsonb(coalesce((old ->> 'visits')::numeric, 0) + 1)) WHERE pk = p AND sk = s;
			RETURN;
		END IF;
		RAISE 'the document path is invalid';
	END LOOP;
END $$;

-- For the JSON API: 20,000 items of 1 KB in 200 partitions, the same as documents, and a request of each kind for 5,000 of them.
SELECT create_item_table('bench_kilobyte', 'pk', 'sk');
CREATE TABLE bench_kilobyte_jsonb (
	pk text COLLATE "C" NOT NULL,
	sk text COLLATE "C" NOT NULL,
	doc jsonb NOT NULL,
	PRIMARY KEY (pk, sk)
);
ALTER TABLE bench_kilobyte SET (autovacuum_enabled = off, fillfactor = 80);
ALTER TABLE bench_kilobyte_jsonb SET (autovacuum_enabled = off, fillfactor = 80);
INSERT INTO bench_kilobyte_jsonb SELECT 'P#' || p, 'S#' || lpad(s::text, 3, '0'),
	record(p, s) || jsonb_build_object('payload', repeat('more of what nobody reads ', 24))
FROM generate_series(1, 200) p, generate_series(1, 100) s;
SELECT count(put_item('bench_kilobyte', (doc || jsonb_build_object('pk', pk, 'sk', sk))::item)) FROM bench_kilobyte_jsonb;

CREATE TABLE bench_request AS
SELECT number, k.pk, k.sk, key, item, doc::text AS doc,
	format('{"TableName": "bench_kilobyte", "Key": %s}', typed_key) AS get_request,
	format('{"TableName": "bench_kilobyte", "Item": %s}', item_to_dynamodb_json(item::item)) AS put_request,
	format('{"TableName": "bench_kilobyte", "Key": %s, "UpdateExpression": "SET #t = #t + :x", "ConditionExpression": "#t > :zero AND attribute_exists(#s)", "ExpressionAttributeNames": {"#t": "total", "#s": "status"}, "ExpressionAttributeValues": {":x": {"N": "1"}, ":zero": {"N": "0"}}}', typed_key) AS update_request,
	format('{"TableName": "bench_kilobyte", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "%s"}}}', k.pk) AS query_request
FROM (SELECT pk, sk, doc, (doc || jsonb_build_object('pk', pk, 'sk', sk))::text AS item, jsonb_build_object('pk', pk, 'sk', sk)::text AS key,
		jsonb_build_object('pk', jsonb_build_object('S', pk), 'sk', jsonb_build_object('S', sk)) AS typed_key, row_number() OVER (ORDER BY md5(pk || sk)) AS number
	FROM bench_kilobyte_jsonb) k
WHERE number <= 5000;
ALTER TABLE bench_request ADD PRIMARY KEY (number);

-- The logic of the same conditional update by hand.
CREATE FUNCTION plain_kilobyte_update(p text, s text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	old jsonb;
BEGIN
	SELECT doc INTO old FROM bench_kilobyte_jsonb WHERE pk = p AND sk = s FOR UPDATE;
	IF NOT FOUND OR NOT ((old ->> 'total')::numeric > 0 AND old ? 'status') THEN
		RAISE 'the conditional request failed';
	END IF;
	UPDATE bench_kilobyte_jsonb SET doc = jsonb_set(old, '{total}', to_jsonb((old ->> 'total')::numeric + 1)) WHERE pk = p AND sk = s;
END $$;

-- A million items for the design tools; one in a thousand is in the index.
SELECT create_item_table('bench_million', 'pk', 'sk');
SELECT create_item_index('bench_million', 'by_status', 'status', 'sk');
INSERT INTO bench_million (pk, sk, status, item)
SELECT CASE n % 3 WHEN 0 THEN 'USER#' || n % 5000 ELSE 'PRODUCT#' || n % 7000 END, 'E#' || n, CASE WHEN n % 1000 = 0 THEN 'S#' || n % 50000 END,
	'{"total": 5, "name": "some name here", "tags": ["a", "b"]}'
FROM generate_series(1, 1000000) n;
VACUUM bench_million;
ANALYZE;
