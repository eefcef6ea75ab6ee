-- Parameters from before expressions: each operator, each form, each message.
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

CREATE TABLE legacy_table (pk text COLLATE "C" NOT NULL PRIMARY KEY, g text COLLATE "C", item item NOT NULL DEFAULT '{}');
CREATE INDEX legacy_gsi ON legacy_table USING gsi (g, pk);
INSERT INTO legacy_table VALUES
	('binary', NULL, '{"a": {"B": "AQID"}}'), ('list', NULL, '{"a": [1, "x", {"B": "AQ=="}, [1]]}'), ('map', NULL, '{"a": {"x": 1}}'),
	('none', NULL, '{"b": 1}'), ('null', NULL, '{"a": null}'), ('number', NULL, '{"a": 5}'), ('numbers', NULL, '{"a": {"NS": ["1", "5"]}}'),
	('string', NULL, '{"a": "abc"}'), ('strings', NULL, '{"a": {"SS": ["abc", "x"]}}'), ('true', NULL, '{"a": true}');

-- which items a condition finds, beside the expression that the reference names as its equal
CREATE FUNCTION pg_temp.find(operator text, arguments text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(i #>> '{pk,S}', ' ' ORDER BY i #>> '{pk,S}')
	FROM jsonb_array_elements(dynamodb('Scan', format('{"TableName": "legacy_table", "ScanFilter": {"a": {"ComparisonOperator": "%s"%s}}}',
		operator, ', "AttributeValueList": ' || arguments))::jsonb -> 'Items') i
$$;
CREATE FUNCTION pg_temp.find_expression(expression text, placeholders text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(i #>> '{pk,S}', ' ' ORDER BY i #>> '{pk,S}')
	FROM jsonb_array_elements(dynamodb('Scan', format('{"TableName": "legacy_table", "FilterExpression": "%s"%s}',
		expression, ', "ExpressionAttributeValues": ' || placeholders))::jsonb -> 'Items') i
$$;
SELECT operator, arguments, pg_temp.find(operator, '[' || arguments || ']') AS legacy,
	pg_temp.find(operator, '[' || arguments || ']') IS NOT DISTINCT FROM pg_temp.find_expression(expression, '{":v": ' || arguments || '}') AS same
FROM (VALUES ('EQ', 'a = :v'), ('NE', 'a <> :v'), ('LT', 'a < :v'), ('LE', 'a <= :v'), ('GT', 'a > :v'), ('GE', 'a >= :v'), ('IN', 'a IN (:v)'),
		('CONTAINS', 'contains(a, :v)'), ('NOT_CONTAINS', 'attribute_exists(a) AND NOT contains(a, :v)')) o(operator, expression),
	(VALUES ('{"S": "abc"}'), ('{"S": "x"}'), ('{"N": "5.0"}'), ('{"N": "1"}'), ('{"B": "AQ=="}')) v(arguments) ORDER BY operator COLLATE "C", arguments COLLATE "C";
SELECT arguments, pg_temp.find('EQ', '[' || arguments || ']'), pg_temp.find('NE', '[' || arguments || ']')
FROM (VALUES ('{"SS": ["x", "abc"]}'), ('{"NS": ["5", "1.0"]}'), ('{"BOOL": true}'), ('{"NULL": true}'), ('{"M": {"x": {"N": "1"}}}'), ('{"L": []}')) v(arguments) ORDER BY arguments COLLATE "C";
SELECT operator, pg_temp.find(operator, NULL), pg_temp.find(operator, '[]') FROM (VALUES ('NULL'), ('NOT_NULL')) o(operator) ORDER BY operator COLLATE "C";
SELECT pg_temp.find('BETWEEN', '[{"N": "4"}, {"N": "5"}]'), pg_temp.find('BETWEEN', '[{"S": "abc"}, {"S": "abd"}]'), pg_temp.find('BETWEEN', '[{"B": "AQID"}, {"B": "AQID"}]');
SELECT pg_temp.find('BEGINS_WITH', '[{"S": "ab"}]'), pg_temp.find('BEGINS_WITH', '[{"B": "AQI="}]');
SELECT pg_temp.find('IN', '[{"N": "4"}, {"N": "5"}, {"N": "6"}]'), pg_temp.find('IN', '[{"S": "abc"}]');
-- names are no paths and no placeholders
INSERT INTO legacy_table VALUES ('odd', NULL, '{"a.b": 1, "#a": 2, "a[0]": 3, "status": 4}');
SELECT pg_temp.try('Scan', '{"TableName": "legacy_table", "ScanFilter": {"a.b": {"ComparisonOperator": "NOT_NULL"}, "#a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "2"}]}}, "AttributesToGet": ["#a", "a.b", "a[0]", "status", "pk"]}');
-- conditions joined
SELECT pg_temp.try('Scan', '{"TableName": "legacy_table", "Select": "COUNT", "ScanFilter": {"a": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "x"}]}, "pk": {"ComparisonOperator": "GE", "AttributeValueList": [{"S": "n"}]}, "b": {"ComparisonOperator": "NULL"}}}');
SELECT pg_temp.try('Scan', '{"TableName": "legacy_table", "Select": "COUNT", "ScanFilter": {"a": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "x"}]}, "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "none"}]}, "b": {"ComparisonOperator": "NOT_NULL"}}, "ConditionalOperator": "OR"}');

-- Expected: its forms, on an item and where there is none
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "number"}, "a": {"N": "5"}}, "Expected": {"pk": {"Exists": false}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "new"}, "a": {"N": "5"}}, "Expected": {"pk": {"Exists": false}, "a": {"ComparisonOperator": "NE", "AttributeValueList": [{"N": "5"}]}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "new"}, "a": {"N": "6"}}, "Expected": {"a": {"Value": {"N": "5.0"}, "Exists": true}, "b": {"ComparisonOperator": "NULL"}}}');
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "new"}, "a": {"N": "7"}}, "Expected": {"a": {"ComparisonOperator": "LT", "Value": {"N": "6"}}, "pk": {"Value": {"S": "new"}}}, "ConditionalOperator": "AND"}');
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "new"}, "a": {"N": "7"}}, "Expected": {"a": {"ComparisonOperator": "LT", "Value": {"N": "6"}}, "pk": {"Value": {"S": "new"}}}, "ConditionalOperator": "OR"}');
SELECT pg_temp.try('PutItem', '{"TableName": "legacy_table", "Item": {"pk": {"S": "new"}, "a": {"N": "8"}}, "Expected": {}}');

-- AttributeUpdates
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"n": {"Action": "ADD", "Value": {"N": "5"}}, "l": {"Action": "ADD", "Value": {"L": [{"N": "1"}]}}, "s": {"Action": "ADD", "Value": {"SS": ["a", "b"]}}, "p": {"Value": {"M": {}}}, "d": {"Action": "DELETE"}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"n": {"Action": "ADD", "Value": {"N": "-7"}}, "l": {"Action": "ADD", "Value": {"L": [{"N": "2"}, {"S": "x"}]}}, "s": {"Action": "DELETE", "Value": {"SS": ["b", "c"]}}, "p": {"Action": "DELETE"}, "q.r": {"Action": "PUT", "Value": {"BOOL": false}}}, "ReturnValues": "UPDATED_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"s": {"Action": "DELETE", "Value": {"SS": ["a"]}}, "n": {"Action": "DELETE"}, "z": {"Action": "DELETE", "Value": {"NS": ["1"]}}}, "ReturnValues": "UPDATED_OLD"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"l": {"Action": "PUT", "Value": {"N": "1"}}}, "Expected": {"l": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"N": "2"}]}}, "ReturnValues": "ALL_OLD"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"l": {"Action": "PUT", "Value": {"N": "1"}}}, "Expected": {"l": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"N": "2"}]}}, "ReturnValues": "ALL_OLD"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {}, "ReturnValues": "UPDATED_NEW"}');
-- only DELETE makes no item; nothing and {} make one
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u1"}}, "AttributeUpdates": {"a": {"Action": "DELETE"}, "b": {"Action": "DELETE", "Value": {"SS": ["a"]}}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u2"}}, "AttributeUpdates": {}, "ReturnValues": "ALL_NEW"}');
SELECT pk, g, item FROM legacy_table WHERE pk LIKE 'u%' ORDER BY pk;

-- messages of AttributeUpdates
SELECT action, value, pg_temp.try('UpdateItem', format('{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"a": {"Action": "%s"%s}}}', action, ', "Value": ' || value))
FROM (VALUES ('PUT', NULL), ('ADD', NULL), ('DELETE', '{"S": "a"}'), ('DELETE', '{"N": "1"}'), ('DELETE', '{"L": []}'), ('ADD', '{"S": "a"}'), ('ADD', '{"B": ""}'), ('ADD', '{"BOOL": true}'), ('ADD', '{"NULL": true}'), ('ADD', '{"M": {}}'),
	('PUT', '{}'), ('PUT', '{"NS": []}'), ('DOG', NULL)) v(action, value) ORDER BY action COLLATE "C", value COLLATE "C";
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"a": {}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"a": {"Value": {"S": "a"}}}, "Expected": {"a": {}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"a": {"Value": {"S": "a"}}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"pk": {"Value": {"S": "a"}}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"g": {"Value": {"N": "1"}}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "string"}}, "AttributeUpdates": {"a": {"Action": "ADD", "Value": {"N": "1"}}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "string"}}, "AttributeUpdates": {"a": {"Action": "DELETE", "Value": {"SS": ["abc"]}}}}');
SELECT pg_temp.try('UpdateItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "number"}}, "AttributeUpdates": {"a": {"Action": "ADD", "Value": {"N": "9e125"}}, "b": {"Value": {"S": "x"}}}}');

-- messages of Expected
SELECT condition, pg_temp.try('DeleteItem', format('{"TableName": "none", "Key": {"pk": {"S": "u"}}, "Expected": {"a": %s}}', condition))
FROM (VALUES ('{}'), ('{"Exists": true}'), ('{"Exists": false, "Value": {"S": "a"}}'), ('{"Exists": false, "ComparisonOperator": "NULL"}'), ('{"Value": {"S": "a"}, "AttributeValueList": []}'),
	('{"ComparisonOperator": "LT"}'), ('{"AttributeValueList": [{"S": "a"}]}'), ('{"ComparisonOperator": "NULL", "AttributeValueList": [{"S": "a"}]}'), ('{"ComparisonOperator": "EQ", "AttributeValueList": []}'),
	('{"ComparisonOperator": "BETWEEN", "Value": {"S": "a"}}'), ('{"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "a"}, {"N": "1"}]}'), ('{"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "b"}, {"S": "a"}]}'),
	('{"ComparisonOperator": "IN", "AttributeValueList": [{"S": "b"}, {"N": "1"}]}'), ('{"ComparisonOperator": "IN", "AttributeValueList": [{"SS": ["b"]}]}'), ('{"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"N": "1"}]}'),
	('{"ComparisonOperator": "LT", "AttributeValueList": [{"SS": ["a"]}]}'), ('{"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"L": []}]}'), ('{"ComparisonOperator": "DOG"}'), ('{"Value": {}}'), ('{"Value": {"N": "x"}}'),
	('{"ComparisonOperator": "EQ", "AttributeValueList": [null]}')) v(condition) ORDER BY condition COLLATE "C";
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "ConditionalOperator": "OR"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "Expected": {}, "ConditionalOperator": "OR"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "Expected": {"a": {"Exists": false}}, "ConditionalOperator": "XOR"}');
SELECT pg_temp.try('DeleteItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "Expected": {"a": {"Exists": false}}, "ConditionalOperator": "OR"}');
-- names: too many, too long, empty
SELECT pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributesToGet": [""]}');
SELECT pg_temp.try('GetItem', format('{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributesToGet": ["%s"]}', repeat('x', 65536)));
SELECT right(pg_temp.try('GetItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributesToGet": [' || string_agg('"x' || i || '"', ',') || ']}'), 110) FROM generate_series(1, 256) i;
SELECT pg_temp.try('GetItem', '{"TableName": "legacy_table", "Key": {"pk": {"S": "number"}}, "AttributesToGet": [' || string_agg('"' || chr(96 + i % 26) || CASE WHEN i > 26 THEN i::text ELSE '' END || '"', ',') || ']}') FROM generate_series(1, 255) i;
SELECT pg_temp.try('UpdateItem', '{"TableName": "none", "Key": {"pk": {"S": "u"}}, "AttributeUpdates": {"": {"Value": {"S": "a"}}}}');
-- more conditions than an expression may have
SELECT pg_temp.try('Scan', '{"TableName": "legacy_table", "Select": "COUNT", "ScanFilter": {' || string_agg(format('"x%s": {"ComparisonOperator": "NULL"}', i), ',') || '}}') FROM generate_series(1, 1000) i;
SELECT pg_temp.try('Scan', '{"TableName": "legacy_table", "Select": "COUNT", "ScanFilter": {' || string_agg(format('"x%s": {"ComparisonOperator": "NULL"}', i), ',') || '}}') FROM generate_series(1, 5000) i;

DROP TABLE legacy_table;
