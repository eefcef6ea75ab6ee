-- Mutated bodies for dynamodb(): psql -v count=N -v seed=N -f test/fuzz/api.sql
--
-- A body is taken from the list below and damaged a few times: pieces are cut, doubled, exchanged, replaced by other JSON or by
-- pieces of another body.  Whatever comes of it, the answer is JSON or an error of class KV; an error changes no data; and the
-- session's memory does not grow with the number of requests.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
SELECT setseed((:seed % 1000000) / 1000000.0) \g /dev/null
SET singletable.expression_cache_size = 20;
SET statement_timeout = '60s';

CREATE TABLE fuzz_table (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, g text COLLATE "C", n numeric, item item NOT NULL DEFAULT '{}',
	PRIMARY KEY (pk, sk));
CREATE INDEX fuzz_gsi ON fuzz_table USING gsi (g, n, pk, sk) WITH (projection = 'INCLUDE', non_key_attributes = '["v"]');
CREATE INDEX fuzz_lsi ON fuzz_table USING lsi (pk, n, sk);
CREATE TABLE fuzz_single (pk text COLLATE "C" NOT NULL PRIMARY KEY, item item NOT NULL DEFAULT '{}');
INSERT INTO fuzz_table SELECT 'p' || i % 3, i, CASE WHEN i % 2 = 0 THEN 'g' END, i, ('{"v": ' || i || ', "l": [1, 2], "m": {"x": 1}, "ss": {"SS": ["a"]}}')::item
	FROM generate_series(1, 30) i;
INSERT INTO fuzz_single SELECT 'p' || i, ('{"v": ' || i || '}')::item FROM generate_series(1, 5) i;

CREATE TABLE fuzz_body (id serial PRIMARY KEY, operation text NOT NULL, body text NOT NULL);
INSERT INTO fuzz_body (operation, body) VALUES
('GetItem', '{"TableName": "fuzz_table", "Key": {"pk": {"S": "p1"}, "sk": {"N": "1"}}, "ProjectionExpression": "#v, l[1], m.x", "ExpressionAttributeNames": {"#v": "v"}, "ConsistentRead": true, "ReturnConsumedCapacity": "INDEXES"}'),
('GetItem', '{"TableName": "fuzz_single", "Key": {"pk": {"S": "p1"}}, "AttributesToGet": ["v", "pk"]}'),
('PutItem', '{"TableName": "fuzz_table", "Item": {"pk": {"S": "p1"}, "sk": {"N": "-1.5e3"}, "g": {"S": "g"}, "a": {"L": [{"NULL": true}, {"BOOL": false}, {"B": "AQID"}, {"SS": ["x", "y"]}, {"NS": ["1", "2.5"]}, {"BS": ["AQ=="]}, {"M": {"k": {"S": "\u0000\ud834\udd1e"}}}]}}, "ConditionExpression": "attribute_not_exists(pk) OR v < :v", "ExpressionAttributeValues": {":v": {"N": "5"}}, "ReturnValues": "ALL_OLD", "ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}'),
('PutItem', '{"TableName": "fuzz_single", "Item": {"pk": {"S": "p2"}}, "Expected": {"v": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}, {"N": "9"}]}, "w": {"Exists": false}}, "ConditionalOperator": "OR"}'),
('UpdateItem', '{"TableName": "fuzz_table", "Key": {"pk": {"S": "p2"}, "sk": {"N": "2"}}, "UpdateExpression": "SET v = if_not_exists(v, :z) + :v, l = list_append(l, :l), m.y = :v REMOVE l[0] ADD n :v DELETE ss :s", "ConditionExpression": "size(l) < :big AND contains(ss, :a)", "ExpressionAttributeValues": {":z": {"N": "0"}, ":v": {"N": "1"}, ":l": {"L": [{"N": "1"}]}, ":s": {"SS": ["b"]}, ":big": {"N": "1000"}, ":a": {"S": "a"}}, "ReturnValues": "UPDATED_NEW"}'),
('UpdateItem', '{"TableName": "fuzz_single", "Key": {"pk": {"S": "p3"}}, "AttributeUpdates": {"v": {"Action": "ADD", "Value": {"N": "1"}}, "l": {"Action": "ADD", "Value": {"L": []}}, "x": {"Action": "DELETE"}, "y": {"Action": "DELETE", "Value": {"SS": ["a"]}}}, "Expected": {"v": {"Value": {"N": "3"}, "Exists": true}}, "ReturnValues": "ALL_NEW"}'),
('DeleteItem', '{"TableName": "fuzz_table", "Key": {"pk": {"S": "p0"}, "sk": {"N": "3"}}, "ConditionExpression": "begins_with(#g, :g) AND NOT v IN (:a, :b)", "ExpressionAttributeNames": {"#g": "g"}, "ExpressionAttributeValues": {":g": {"S": "g"}, ":a": {"N": "1"}, ":b": {"S": "x"}}, "ReturnValues": "ALL_OLD"}'),
('Query', '{"TableName": "fuzz_table", "KeyConditionExpression": "pk = :p AND sk BETWEEN :a AND :b", "FilterExpression": "attribute_exists(v) AND v <> :a", "ProjectionExpression": "pk, v", "ExpressionAttributeValues": {":p": {"S": "p1"}, ":a": {"N": "1"}, ":b": {"N": "20"}}, "Limit": 5, "ScanIndexForward": false, "ExclusiveStartKey": {"pk": {"S": "p1"}, "sk": {"N": "16"}}, "ReturnConsumedCapacity": "INDEXES"}'),
('Query', '{"TableName": "fuzz_table", "IndexName": "fuzz_gsi", "KeyConditions": {"g": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "g"}]}, "n": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "3"}]}}, "QueryFilter": {"v": {"ComparisonOperator": "NOT_NULL"}}, "Select": "ALL_PROJECTED_ATTRIBUTES", "ExclusiveStartKey": {"g": {"S": "g"}, "n": {"N": "6"}, "pk": {"S": "p0"}, "sk": {"N": "6"}}}'),
('Query', '{"TableName": "fuzz_table", "IndexName": "fuzz_lsi", "KeyConditionExpression": "pk = :p AND n > :n", "ExpressionAttributeValues": {":p": {"S": "p1"}, ":n": {"N": "3"}}, "Select": "COUNT", "ConsistentRead": true}'),
('Scan', '{"TableName": "fuzz_table", "IndexName": "fuzz_gsi", "FilterExpression": "size(g) = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "Segment": 1, "TotalSegments": 3, "Limit": 2}'),
('Scan', '{"TableName": "fuzz_single", "ScanFilter": {"v": {"ComparisonOperator": "IN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]}, "pk": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "9"}]}}, "ExclusiveStartKey": {"pk": {"S": "p1"}}}'),
('BatchGetItem', '{"RequestItems": {"fuzz_table": {"Keys": [{"pk": {"S": "p1"}, "sk": {"N": "1"}}, {"pk": {"S": "p2"}, "sk": {"N": "2"}}], "ProjectionExpression": "v, #p", "ExpressionAttributeNames": {"#p": "pk"}}, "fuzz_single": {"Keys": [{"pk": {"S": "p1"}}], "AttributesToGet": ["v"], "ConsistentRead": true}}, "ReturnConsumedCapacity": "TOTAL"}'),
('BatchWriteItem', '{"RequestItems": {"fuzz_table": [{"PutRequest": {"Item": {"pk": {"S": "p9"}, "sk": {"N": "9"}, "g": {"S": "g"}, "n": {"N": "1"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "p1"}, "sk": {"N": "4"}}}}], "fuzz_single": [{"PutRequest": {"Item": {"pk": {"S": "p9"}}}}]}, "ReturnItemCollectionMetrics": "SIZE"}'),
('TransactGetItems', '{"TransactItems": [{"Get": {"TableName": "fuzz_table", "Key": {"pk": {"S": "p1"}, "sk": {"N": "1"}}, "ProjectionExpression": "v"}}, {"Get": {"TableName": "fuzz_single", "Key": {"pk": {"S": "p1"}}}}], "ReturnConsumedCapacity": "TOTAL"}'),
('TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": "fuzz_single", "Item": {"pk": {"S": "p4"}, "v": {"N": "4"}}, "ConditionExpression": "attribute_exists(v)"}}, {"Update": {"TableName": "fuzz_table", "Key": {"pk": {"S": "p1"}, "sk": {"N": "7"}}, "UpdateExpression": "ADD v :one", "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}, {"Delete": {"TableName": "fuzz_single", "Key": {"pk": {"S": "p5"}}}}, {"ConditionCheck": {"TableName": "fuzz_table", "Key": {"pk": {"S": "none"}, "sk": {"N": "0"}}, "ConditionExpression": "attribute_not_exists(pk)"}}], "ClientRequestToken": "token", "ReturnConsumedCapacity": "INDEXES"}');

-- Other JSON to put in place of a piece.
CREATE FUNCTION fuzz_fragment() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT (ARRAY['null', 'true', 'false', '0', '-1', '1.7', '1e400', '99999999999999999999', '""', '"x"', '"\u0000"', '"\ud800"', '"\x"', '[]', '{}', '[null]', '{"S": null}',
		'{"S": "", "N": "x"}', '{"N": "1e126"}', '{"N": "-0"}', '{"SS": []}', '{"NS": ["1", "1.0"]}', '{"B": "A"}', '{"NULL": false}', '{"M": {"": {"S": "x"}}}', '{"L": [{"L": [{"L": []}]}]}',
		'"ALL_OLD"', '"TOTAL"', '"SET a = :a"', '"a = :v AND"', '"((a = :v))"', '":v"', '"#n"', '"fuzz_single"', '"fuzz_gsi"', '"arn:aws:dynamodb:x:1:table/fuzz_single"', ',', ':', '}', ']', '{', '[', '"', '\',
		' ', E'\n', E'\x01', 'é', '𝄞', repeat('[', 300), repeat('{"a":', 300), repeat('{"L": [', 40), repeat('x', 5000), '"' || repeat('k', 2100) || '"'])[1 + floor(random() * CASE WHEN random() < 0.8 THEN 36 ELSE 54 END)::int]
$$;

-- A body with one more piece of damage.
CREATE FUNCTION fuzz_damage(body text, other text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    at int := floor(random() * (length(body) + 1));
    len int := floor(random() ^ 3 * 40);
    tokens text[];
    places int[];
    one int;
    two int;
    swapped text;
BEGIN
    CASE floor(random() * 24)::int
        WHEN 0 THEN RETURN left(body, at) || substr(body, at + len + 1);
        WHEN 1 THEN RETURN left(body, at) || fuzz_fragment() || substr(body, at + 1);
        WHEN 2 THEN RETURN left(body, at) || substr(body, at + 1, len) || substr(body, at + 1);
        WHEN 3 THEN RETURN left(body, at);
        WHEN 4 THEN RETURN left(body, at) || substr(other, floor(random() * length(other))::int, len) || substr(body, at + len);
        WHEN 5 THEN RETURN overlay(body placing chr(1 + floor(random() * 126)::int) from greatest(at, 1) for 1);
        ELSE
            -- whole tokens, mostly names and values: the result is JSON more often
            tokens := ARRAY(SELECT m[1] FROM regexp_matches(body, '("(?:[^"\\]|\\.)*"|[-0-9.eE+]+|[a-z]+|\s+|.)', 'g') m);
            places := ARRAY(SELECT i FROM generate_subscripts(tokens, 1) i WHERE tokens[i] ~ '^["0-9a-z]' OR random() < 0.01);
            IF places = '{}' THEN
                RETURN fuzz_fragment();
            END IF;
            one := places[1 + floor(random() * cardinality(places))];
            two := places[1 + floor(random() * cardinality(places))];
            IF random() < 0.5 THEN
                tokens[one] := fuzz_fragment();
            ELSE
                swapped := tokens[one];
                tokens[one] := tokens[two];
                tokens[two] := swapped;
            END IF;
            RETURN array_to_string(tokens, '');
    END CASE;
END $$;

CREATE FUNCTION fuzz_content() RETURNS text LANGUAGE sql AS $$
	SELECT md5(coalesce((SELECT string_agg(t::text, ',' ORDER BY pk, sk) FROM fuzz_table t), '') || coalesce((SELECT string_agg(t::text, ',' ORDER BY pk) FROM fuzz_single t), ''))
$$;

CREATE TABLE fuzz_outcome (outcome text PRIMARY KEY, times bigint NOT NULL);

CREATE PROCEDURE fuzz_run(count int) LANGUAGE plpgsql AS $$
DECLARE
    operations text[] := ARRAY(SELECT operation FROM fuzz_body ORDER BY id);
    bodies text[] := ARRAY(SELECT b.body FROM fuzz_body b ORDER BY id);
    chosen int;
    operation text;
    body text;
    state text;
    message text;
    before text;
    response json;
BEGIN
    FOR i IN 1..count LOOP
        chosen := 1 + floor(random() * cardinality(bodies));
        operation := operations[chosen];
        body := bodies[chosen];
        FOR j IN 1..floor(random() * 4)::int LOOP
            body := fuzz_damage(body, bodies[1 + floor(random() * cardinality(bodies))::int]);
        END LOOP;
        before := CASE WHEN i % 50 = 0 THEN fuzz_content() END;
        BEGIN
            response := dynamodb(operation, body);
            state := 'success';
            -- json_in reads all of it, and unlike json's other functions allows U+0000
            IF json_typeof(response::text::json) <> 'object' THEN
                RAISE EXCEPTION 'the answer is no object: %', response;
            END IF;
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
            IF state !~ '^KV' THEN
                RAISE EXCEPTION '% % of % %', state, message, operation, body;
            END IF;
            IF before <> fuzz_content() THEN
                RAISE EXCEPTION 'data changed by a failed % %', operation, body;
            END IF;
        END;
        INSERT INTO fuzz_outcome VALUES (state, 1) ON CONFLICT (outcome) DO UPDATE SET times = fuzz_outcome.times + 1;
        -- Tables that are empty or full find little.
        IF i % 500 = 0 THEN
            TRUNCATE fuzz_table, fuzz_single;
            INSERT INTO fuzz_table SELECT 'p' || n % 3, n, CASE WHEN n % 2 = 0 THEN 'g' END, n, ('{"v": ' || n || ', "l": [1, 2], "m": {"x": 1}, "ss": {"SS": ["a"]}}')::item
                FROM generate_series(1, 30) n;
            INSERT INTO fuzz_single SELECT 'p' || n, ('{"v": ' || n || '}')::item FROM generate_series(1, 5) n;
            COMMIT;
        END IF;
    END LOOP;
END $$;

CALL fuzz_run(:count / 2);
SELECT sum(total_bytes) AS bytes FROM pg_backend_memory_contexts \gset
CALL fuzz_run(:count / 2);
SELECT sum(total_bytes) - :bytes AS growth FROM pg_backend_memory_contexts \gset

SELECT set_config('fuzz.growth', :'growth', false) \g /dev/null
DO $$
BEGIN
    IF current_setting('fuzz.growth')::bigint > 2 * 1024 * 1024 THEN
        RAISE EXCEPTION 'the session grew by % bytes', current_setting('fuzz.growth');
    END IF;
    IF NOT EXISTS (SELECT FROM fuzz_outcome WHERE outcome = 'success') OR NOT EXISTS (SELECT FROM fuzz_outcome WHERE outcome = 'KV001') OR
        NOT EXISTS (SELECT FROM fuzz_outcome WHERE outcome = 'KV011') THEN
        RAISE EXCEPTION 'the damage is not varied: %', (SELECT string_agg(outcome || ' ' || times, ', ') FROM fuzz_outcome);
    END IF;
END $$;
