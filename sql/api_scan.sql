-- Scan: request and whole response, parallel scans, and every message that belongs to it.
-- An error shows as its exception, message and further members.
CREATE FUNCTION pg_temp.try(operation text, request text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text;
BEGIN
    RETURN dynamodb(operation, request);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(E'\n    ', coalesce((SELECT exception FROM dynamodb_exceptions() e WHERE e.sqlstate = state), state) || ': ' || message, nullif(detail, ''));
END $$;
\pset format unaligned
\pset tuples_only on

CREATE TABLE scan_table (pk text COLLATE "C" NOT NULL, sk numeric NOT NULL, g text COLLATE "C", item item NOT NULL DEFAULT '{}', PRIMARY KEY (pk, sk));
CREATE INDEX scan_gsi ON scan_table USING gsi (g, pk, sk) WITH (projection = 'KEYS_ONLY');
INSERT INTO scan_table SELECT 'p' || i, 1, CASE WHEN i > 5 THEN 'x' END, jsonb_build_object('v', i)::text::item FROM generate_series(1, 7) i;

SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "FilterExpression": "v < :v", "ExpressionAttributeValues": {":v": {"N": "3"}}}')::jsonb - 'Items';
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "Select": "COUNT", "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "IndexName": "scan_gsi", "ReturnConsumedCapacity": "INDEXES"}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "FilterExpression": "pk = :v", "ExpressionAttributeValues": {":v": {"S": "p3"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "ScanFilter": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "p3"}]}}, "AttributesToGet": ["v"], "ConsistentRead": true, "ReturnConsumedCapacity": "TOTAL"}');
-- all pages together are the table, whatever the limit; with Limit the last page may be empty
CREATE FUNCTION pg_temp.pages(request jsonb) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
DECLARE
    page jsonb;
BEGIN
    LOOP
        page := dynamodb('Scan', request::text)::jsonb;
        RETURN NEXT page;
        EXIT WHEN NOT page ? 'LastEvaluatedKey';
        request := request || jsonb_build_object('ExclusiveStartKey', page -> 'LastEvaluatedKey');
    END LOOP;
END $$;
SELECT page_limit, index_name, count(*) AS pages, sum((page ->> 'Count')::int) AS items, string_agg((SELECT string_agg(i #>> '{pk,S}', ' ') FROM jsonb_array_elements(page -> 'Items') i), ' | ')
FROM unnest(ARRAY[1, 3, 7, 100]) page_limit, unnest(ARRAY[NULL, 'scan_gsi']) index_name,
	pg_temp.pages(jsonb_strip_nulls(jsonb_build_object('TableName', 'scan_table', 'Limit', page_limit, 'IndexName', index_name))) page
GROUP BY page_limit, index_name ORDER BY page_limit, index_name NULLS FIRST;
-- segments: each item in exactly one
SELECT total, sum((page ->> 'Count')::int) AS items, count(DISTINCT i #>> '{pk,S}') AS distinct_items
FROM unnest(ARRAY[1, 2, 5]) total, generate_series(0, total - 1) segment,
	pg_temp.pages(jsonb_build_object('TableName', 'scan_table', 'Segment', segment, 'TotalSegments', total)) page
	LEFT JOIN LATERAL jsonb_array_elements(page -> 'Items') i ON false
GROUP BY total ORDER BY total;
SELECT total, count(*) AS items, count(DISTINCT i #>> '{pk,S}') AS distinct_items
FROM unnest(ARRAY[1, 2, 5]) total, generate_series(0, total - 1) segment,
	pg_temp.pages(jsonb_build_object('TableName', 'scan_table', 'Segment', segment, 'TotalSegments', total, 'Limit', 2)) page,
	jsonb_array_elements(page -> 'Items') i
GROUP BY total ORDER BY total;

-- messages
SELECT pg_temp.try('Scan', '{"TableName": "none", "Select": "x", "IndexName": "ab", "TotalSegments": 0, "ReturnConsumedCapacity": "x", "ConditionalOperator": "x", "ScanFilter": {"a": {}}, "Segment": -1, "Limit": 0, "AttributesToGet": []}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "TotalSegments": 1000001, "Segment": 1000000}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "TotalSegments": 1e30, "Segment": 1.9}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "AttributesToGet": ["a"], "ScanFilter": {}, "ConditionalOperator": "AND", "ProjectionExpression": "", "FilterExpression": ""}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "ConditionalOperator": "AND"}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "ScanFilter": {}, "ConditionalOperator": "AND"}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "ExpressionAttributeValues": {}}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "Segment": 0}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "TotalSegments": 1}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "Segment": 5, "TotalSegments": 5}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "Select": "SPECIFIC_ATTRIBUTES"}');
SELECT pg_temp.try('Scan', '{"TableName": "none", "FilterExpression": "a", "ProjectionExpression": "a,"}');
SELECT pg_temp.try('Scan', '{"TableName": "none"}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "IndexName": "none"}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "IndexName": "scan_gsi", "ConsistentRead": true}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "ExclusiveStartKey": {"pk": {"S": "a"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "a"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "IndexName": "scan_gsi", "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "1"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "ExclusiveStartKey": {"pk": {"S": "p1"}, "sk": {"N": "1"}}, "Segment": 0, "TotalSegments": 2}') = pg_temp.try('Scan', '{"TableName": "scan_table", "ExclusiveStartKey": {"pk": {"S": "p1"}, "sk": {"N": "1"}}, "Segment": 1, "TotalSegments": 2}') AS both_segments_take_one_key;
SELECT pg_temp.try('Scan', '{"TableName": "scan_table", "FilterExpression": "pk.a = pk"}');

DROP TABLE scan_table;
