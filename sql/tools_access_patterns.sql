-- check_access_patterns: what each pattern needs, what it reads and costs; capacity_units: what a request costs.
\pset format unaligned
\pset null '(null)'
\set VERBOSITY terse

CREATE SCHEMA tools;
SELECT create_item_table('tools."Shop"', 'pk', 'sk');
SELECT create_item_index('tools."Shop"', 'by_status', 'status', 'day', projection => 'INCLUDE', non_key_attributes => '{total}');
SELECT create_item_index('tools."Shop"', 'by_total', 'pk', 'total', sort_key_type => 'N', local => true, projection => 'KEYS_ONLY');
SELECT create_item_index('tools."Shop"', 'by_place', ARRAY['country', 'city'], ARRAY['street', 'number'], NULL, ARRAY['S', 'N']);
SELECT put_item('tools."Shop"', '{"pk": "CUSTOMER#1", "sk": "PROFILE", "name": "Ann", "country": "DE", "city": "Bonn", "street": "Am Hof", "number": 3}');
SELECT count(put_item('tools."Shop"', jsonb_build_object('pk', 'CUSTOMER#1', 'sk', 'ORDER#2026-06-' || lpad(n::text, 2, '0'), 'day', '2026-06-' || lpad(n::text, 2, '0'), 'total', n,
	'status', CASE WHEN n % 10 = 0 THEN 'OPEN' ELSE 'SHIPPED' END, 'note', repeat('x', 400))::item, return_values => 'ALL_OLD')) FROM generate_series(1, 30) AS n;

-- Written out: as the operations take them.
SELECT name, operation, index, items_read, items_returned, filter_efficiency, capacity_units, verdict, reason, hint FROM check_access_patterns('tools."Shop"', '[
	{"name": "customer", "key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}},
	{"name": "customer, strong", "key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "consistent": true, "projection": "#n", "attribute_names": {"#n": "name"}},
	{"name": "no customer", "key": {"pk": "CUSTOMER#2", "sk": "PROFILE"}},
	{"name": "everything of a customer", "key_condition": "pk = :p", "attribute_values": {":p": "CUSTOMER#1"}},
	{"name": "orders", "key_condition": "pk = :p AND begins_with(sk, :o)", "attribute_values": {":p": "CUSTOMER#1", ":o": "ORDER#"}, "consistent": true},
	{"name": "newest orders", "key_condition": "pk = :p AND begins_with(sk, :o)", "attribute_values": {":p": "CUSTOMER#1", ":o": "ORDER#"}, "forward": false, "max_items": 2},
	{"name": "open ones", "key_condition": "pk = :p", "filter": "#s = :s", "attribute_values": {":p": "CUSTOMER#1", ":s": "OPEN"}, "attribute_names": {"#s": "status"}},
	{"name": "shipped ones", "key_condition": "pk = :p", "filter": "#s = :s", "attribute_values": {":p": "CUSTOMER#1", ":s": "SHIPPED"}, "attribute_names": {"#s": "status"}},
	{"name": "cheap ones", "key_condition": "pk = :p", "filter": "size(note) > :n", "index": "by_status", "attribute_values": {":p": "CUSTOMER#1", ":n": 1}},
	{"name": "few, filtered", "key_condition": "#s = :s", "filter": "#t > :t", "index": "by_status", "attribute_values": {":s": "OPEN", ":t": 25}, "attribute_names": {"#s": "status", "#t": "total"}},
	{"name": "open by day", "key_condition": "#s = :s AND #d > :d", "index": "by_status", "attribute_values": {":s": "OPEN", ":d": "2026-06-15"}, "attribute_names": {"#s": "status", "#d": "day"}},
	{"name": "not projected", "key_condition": "#s = :s", "index": "by_status", "projection": "note", "attribute_values": {":s": "OPEN"}, "attribute_names": {"#s": "status"}},
	{"name": "strong on a global index", "key_condition": "#s = :s", "index": "by_status", "consistent": true, "attribute_values": {":s": "OPEN"}, "attribute_names": {"#s": "status"}},
	{"name": "expensive ones", "key_condition": "pk = :p AND #t >= :t", "index": "by_total", "consistent": true, "attribute_values": {":p": "CUSTOMER#1", ":t": 29}, "attribute_names": {"#t": "total"}},
	{"name": "expensive ones with notes", "key_condition": "pk = :p AND #t >= :t", "index": "by_total", "projection": "note", "consistent": true, "attribute_values": {":p": "CUSTOMER#1", ":t": 29},
		"attribute_names": {"#t": "total"}},
	{"name": "begins_with on a partition key", "key_condition": "begins_with(pk, :p)", "attribute_values": {":p": "CUSTOMER#"}},
	{"name": "no partition key", "key_condition": "sk = :p", "attribute_values": {":p": "PROFILE"}},
	{"name": "no such index", "key_condition": "sk = :p", "index": "nosuch", "attribute_values": {":p": "PROFILE"}},
	{"name": "by name", "filter": "#n = :n", "attribute_values": {":n": "Ann"}, "attribute_names": {"#n": "name"}},
	{"name": "all"},
	{"name": "all of an index", "index": "by_status"}]');

-- What is given: the tool finds the way.
SELECT name, operation, index, key_condition, items_returned AS n, verdict, reason, hint FROM check_access_patterns('tools."Shop"', '[
	{"name": "customer", "by": {"sk": "PROFILE", "pk": "CUSTOMER#1"}},
	{"name": "orders of June", "by": {"pk": "CUSTOMER#1", "sk": {"begins_with": "ORDER#2026-06"}}},
	{"name": "orders of a week", "by": {"pk": "CUSTOMER#1", "sk": {"BETWEEN": ["ORDER#2026-06-01", "ORDER#2026-06-07"]}}},
	{"name": "open since", "by": {"day": {">=": "2026-06-15"}, "status": "OPEN"}},
	{"name": "open of a customer", "by": {"pk": "CUSTOMER#1", "status": "OPEN"}},
	{"name": "by total", "by": {"pk": "CUSTOMER#1", "total": {"<": 3}}, "consistent": true},
	{"name": "address", "by": {"country": "DE", "city": "Bonn", "street": "Am Hof", "number": {">": {"N": "1"}}}},
	{"name": "city", "by": {"city": "Bonn", "country": "DE"}},
	{"name": "country only", "by": {"country": "DE"}},
	{"name": "street skipped", "by": {"country": "DE", "city": "Bonn", "number": 3}},
	{"name": "with a filter of its own", "by": {"pk": "CUSTOMER#1"}, "filter": "contains(note, :x)", "attribute_values": {":x": "y"}},
	{"name": "all customers", "by": {"pk": {"begins_with": "CUSTOMER#"}}},
	{"name": "by name and age", "by": {"name": "Ann", "age": {">": 17}}},
	{"name": "strong by status", "by": {"status": "OPEN"}, "consistent": true},
	{"name": "wrong type", "by": {"pk": 1}}]');

-- Against plain SQL and the API.
SELECT p.items_read = s.n AND p.capacity_units = ceil(s.bytes / 4096.0) / 2 AS equal
FROM check_access_patterns('tools."Shop"', '[{"name": "a", "by": {"pk": "CUSTOMER#1"}}]') AS p,
	(SELECT count(*) AS n, sum(item_size(full_item(s))) AS bytes FROM tools."Shop" s WHERE pk = 'CUSTOMER#1') AS s;
SELECT p.items_read = s.n AND p.capacity_units = ceil(s.bytes / 4096.0) / 2 AS equal
FROM check_access_patterns('tools."Shop"', '[{"name": "a"}]') AS p, (SELECT count(*) AS n, sum(item_size(full_item(s))) AS bytes FROM tools."Shop" s) AS s;
SELECT operation, items_read, verdict, reason FROM check_access_patterns('tools."Shop"', '[{"name": "a", "by": {"pk": "CUSTOMER#1"}}, {"name": "b"}]', max_read => 10);
ANALYZE tools."Shop";
SELECT operation, items_read, items_returned, verdict FROM check_access_patterns('tools."Shop"', '[{"name": "b"}]', max_read => 10);

-- Wrong arguments.
SELECT * FROM check_access_patterns('tools."Shop"', '{}');
SELECT * FROM check_access_patterns('tools."Shop"', '[1]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "keycondition": "x"}]');
SELECT * FROM check_access_patterns('pg_class', '[]');
SELECT * FROM check_access_patterns('tools."Shop"', '[]');

-- Units of a request, nothing being written.
SET search_path = tools, public;
SELECT * FROM public.capacity_units('Query', '{"TableName": "Shop", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "CUSTOMER#1"}}}');
SELECT * FROM capacity_units('Query', '{"TableName": "Shop", "IndexName": "by_total", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "CUSTOMER#1"}}, "ConsistentRead": true}');
SELECT * FROM capacity_units('PutItem', '{"TableName": "Shop", "Item": {"pk": {"S": "CUSTOMER#3"}, "sk": {"S": "ORDER#1"}, "status": {"S": "OPEN"}, "day": {"S": "2026-07-01"}}}');
SELECT * FROM capacity_units('TransactWriteItems', '{"TransactItems": [{"Delete": {"TableName": "Shop", "Key": {"pk": {"S": "CUSTOMER#1"}, "sk": {"S": "PROFILE"}}}}]}');
SELECT * FROM capacity_units('GetItem', '{"TableName": "nosuch", "Key": {}}');
SELECT count(*) FROM "Shop";
RESET search_path;

DROP SCHEMA tools CASCADE;
