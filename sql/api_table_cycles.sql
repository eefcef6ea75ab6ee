-- Tables are cheap: 500 cycles of CreateTable (two GSIs), DescribeTable, ListTables and DeleteTable leave no more behind in the session
-- than the server's own DDL does.
CREATE PROCEDURE pg_temp.cycles(count integer) LANGUAGE plpgsql AS $$
DECLARE
	name text;
	answer json;
BEGIN
	FOR i IN 1 .. count LOOP
		name := 'cycle' || i;
		answer := dynamodb('CreateTable', replace('{"TableName": "NAME", "BillingMode": "PAY_PER_REQUEST",
			"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
				{"AttributeName": "gsi1pk", "AttributeType": "S"}, {"AttributeName": "gsi2pk", "AttributeType": "N"}],
			"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
			"GlobalSecondaryIndexes": [
				{"IndexName": "gsi1", "KeySchema": [{"AttributeName": "gsi1pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
					"Projection": {"ProjectionType": "ALL"}},
				{"IndexName": "gsi2", "KeySchema": [{"AttributeName": "gsi2pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}]}',
			'NAME', name));
		COMMIT;
		answer := dynamodb('DescribeTable', json_build_object('TableName', name)::text);
		IF answer #>> '{Table,TableStatus}' IS DISTINCT FROM 'ACTIVE' OR json_array_length(answer #> '{Table,GlobalSecondaryIndexes}') <> 2 THEN
			RAISE EXCEPTION 'unexpected description: %', answer;
		END IF;
		answer := dynamodb('ListTables', '{}');
		IF answer #>> '{TableNames,0}' IS DISTINCT FROM name THEN
			RAISE EXCEPTION 'unexpected list: %', answer;
		END IF;
		answer := dynamodb('DeleteTable', json_build_object('TableName', name)::text);
		COMMIT;
	END LOOP;
END $$;

-- The same by hand.
CREATE PROCEDURE pg_temp.plain_cycles(count integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. count LOOP
		EXECUTE format('CREATE TABLE plain%s (pk text COLLATE "C", sk text COLLATE "C", gsi1pk text COLLATE "C", gsi2pk numeric, item jsonb,
			PRIMARY KEY (pk, sk))', i);
		EXECUTE format('CREATE INDEX ON plain%s (gsi1pk, sk, pk)', i);
		EXECUTE format('CREATE INDEX ON plain%s (gsi2pk, pk, sk)', i);
		COMMIT;
		EXECUTE format('DROP TABLE plain%s', i);
		COMMIT;
	END LOOP;
END $$;

CALL pg_temp.cycles(50);
CALL pg_temp.plain_cycles(50);
SELECT sum(used_bytes) AS before FROM pg_backend_memory_contexts \gset
CALL pg_temp.cycles(450);
SELECT sum(used_bytes) AS between FROM pg_backend_memory_contexts \gset
CALL pg_temp.plain_cycles(150);
SELECT sum(used_bytes) AS after FROM pg_backend_memory_contexts \gset
SELECT :between - :before <= 1.25 * 3 * (:after - :between) + 65536 AS bounded;
SELECT dynamodb('ListTables', '{}');
SELECT count(*) FROM item_table_settings;
