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
ANALYZE;
