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

-- The order that is wanted: served by the index, or not.
SELECT name, operation, index, key_condition, items_read AS n, verdict, reason, hint FROM check_access_patterns('tools."Shop"', '[
	{"name": "newest orders", "by": {"pk": "CUSTOMER#1", "sk": {"begins_with": "ORDER#"}}, "order_by": "sk", "forward": false, "max_items": 3},
	{"name": "biggest orders", "by": {"pk": "CUSTOMER#1"}, "order_by": "total", "forward": false, "max_items": 3},
	{"name": "newest open ones", "by": {"status": "OPEN"}, "order_by": "day", "forward": false, "max_items": 1},
	{"name": "biggest open ones", "by": {"status": "OPEN"}, "order_by": "total"},
	{"name": "of one status, in any order", "by": {"status": "OPEN"}, "order_by": "status"},
	{"name": "one item", "by": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "order_by": "total"},
	{"name": "street by street", "by": {"country": "DE", "city": "Bonn"}, "order_by": "street"},
	{"name": "by number in a street", "by": {"country": "DE", "city": "Bonn", "street": "Am Hof"}, "order_by": "number"},
	{"name": "by number in a city", "by": {"country": "DE", "city": "Bonn"}, "order_by": "number"},
	{"name": "open of a customer by amount", "by": {"pk": "CUSTOMER#1", "status": "OPEN"}, "order_by": "total"},
	{"name": "written out, served", "key_condition": "#s = :s", "index": "by_status", "attribute_values": {":s": "OPEN"}, "attribute_names": {"#s": "status"}, "order_by": "day"},
	{"name": "written out, not served", "key_condition": "pk = :p", "attribute_values": {":p": "CUSTOMER#1"}, "order_by": "day"},
	{"name": "written out, by the second", "key_condition": "country=:c AND city=:b AND street=:s", "index": "by_place", "attribute_values": {":c": "DE", ":b": "Bonn", ":s": "Am Hof"}, "order_by": "number"},
	{"name": "no order at all", "filter": "attribute_exists(#t)", "attribute_names": {"#t": "total"}, "order_by": "total"},
	{"name": "no index at all", "by": {"name": "Ann"}, "order_by": "born"}]');

-- Several keys; writes and transactions, done and undone.
SET search_path = tools, public;
SELECT create_item_table('stock', 'sku');
SELECT put_item('stock', '{"sku": "s1", "left": 5}');
CREATE TABLE before AS SELECT full_item(s) AS i FROM "Shop" s UNION ALL SELECT full_item(s) FROM stock s;
SELECT name, operation, key_condition, items_read AS read, items_returned AS returned, capacity_units AS units, verdict, reason, hint FROM check_access_patterns('"Shop"', ('[
	{"name": "two keys", "keys": [{"pk": "CUSTOMER#1", "sk": "PROFILE"}, {"pk": "CUSTOMER#1", "sk": "none"}]},
	{"name": "two keys, strong", "keys": [{"pk": "CUSTOMER#1", "sk": "PROFILE"}, {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-01"}], "consistent": true, "projection": "#n", "attribute_names": {"#n": "name"}},
	{"name": "twice the same", "keys": [{"pk": "CUSTOMER#1", "sk": "PROFILE"}, {"pk": "CUSTOMER#1", "sk": "PROFILE"}]},
	{"name": "half a key", "keys": [{"pk": "CUSTOMER#1"}]},
	{"name": "101 keys", "keys": ' || (SELECT json_agg(json_build_object('pk', 'CUSTOMER#1', 'sk', n::text)) FROM generate_series(1, 101) AS n) || '},
	{"name": "new customer", "put": {"pk": "CUSTOMER#9", "sk": "PROFILE", "country": "DE", "city": "Bonn", "street": "x", "number": 1}, "condition": "attribute_not_exists(pk)"},
	{"name": "customer again", "put": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "condition": "attribute_not_exists(pk)"},
	{"name": "overwritten", "put": {"pk": "CUSTOMER#1", "sk": "PROFILE"}},
	{"name": "put without its key", "put": {"pk": "CUSTOMER#1"}},
	{"name": "put of a bad index key", "put": {"pk": "CUSTOMER#1", "sk": "x", "status": 5}},
	{"name": "ship", "key": {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-10"}, "update": "SET #s = :new", "condition": "#s = :old", "attribute_names": {"#s": "status"}, "attribute_values": {":new": "SHIPPED", ":old": "OPEN"}},
	{"name": "ship again", "key": {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-09"}, "update": "SET #s = :new", "condition": "#s = :old", "attribute_names": {"#s": "status"}, "attribute_values": {":new": "SHIPPED", ":old": "OPEN"}},
	{"name": "created by an update", "key": {"pk": "CUSTOMER#9", "sk": "COUNT"}, "update": "ADD n :one", "attribute_values": {":one": 1}},
	{"name": "update of all orders", "key": {"pk": "CUSTOMER#1"}, "update": "SET a = :a", "attribute_values": {":a": 1}},
	{"name": "update of a key", "key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "update": "SET sk = :a", "attribute_values": {":a": "1"}},
	{"name": "update of what is no number", "key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "update": "ADD #n :a", "attribute_values": {":a": 1}, "attribute_names": {"#n": "name"}},
	{"name": "cancel", "delete": {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-10"}},
	{"name": "cancel what is not there", "delete": {"pk": "CUSTOMER#1", "sk": "none"}},
	{"name": "order", "transact": [
		{"Put": {"Item": {"pk": "CUSTOMER#1", "sk": "ORDER#new", "total": 1}, "ConditionExpression": "attribute_not_exists(pk)"}},
		{"Update": {"TableName": "stock", "Key": {"sku": "s1"}, "UpdateExpression": "ADD #l :m", "ConditionExpression": "#l > :z", "ExpressionAttributeNames": {"#l": "left"}, "ExpressionAttributeValues": {":m": -1, ":z": 0}}},
		{"ConditionCheck": {"TableName": "Shop", "Key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "ConditionExpression": "attribute_exists(pk)"}}]},
	{"name": "order more", "transact": [
		{"Put": {"Item": {"pk": "CUSTOMER#1", "sk": "ORDER#new", "total": 1}, "ConditionExpression": "attribute_not_exists(pk)"}},
		{"Update": {"TableName": "stock", "Key": {"sku": "s1"}, "UpdateExpression": "ADD #l :m", "ConditionExpression": "#l > :z", "ExpressionAttributeNames": {"#l": "left"}, "ExpressionAttributeValues": {":m": -6, ":z": 5}}}]},
	{"name": "bad update in a transaction", "transact": [{"Update": {"Key": {"pk": "CUSTOMER#1", "sk": "PROFILE"}, "UpdateExpression": "ADD #n :m", "ExpressionAttributeNames": {"#n": "name"}, "ExpressionAttributeValues": {":m": -1}}}]},
	{"name": "unknown table", "transact": [{"Delete": {"TableName": "nosuch", "Key": {"sku": "s1"}}}]},
	{"name": "one item twice", "transact": [{"Delete": {"TableName": "stock", "Key": {"sku": "s1"}}}, {"Delete": {"TableName": "tools.stock", "Key": {"sku": "s1"}}}]},
	{"name": "unknown member", "transact": [{"Delete": {"TableName": "stock", "Key": {"sku": "s1"}, "Condition": "x = y"}}]},
	{"name": "101 actions", "transact": ' || (SELECT json_agg(json_build_object('Delete', json_build_object('Key', json_build_object('pk', 'CUSTOMER#1', 'sk', n::text)))) FROM generate_series(1, 101) AS n) || '}]')::json);
SELECT * FROM check_access_patterns('"Shop"', '[{"name": "no list", "transact": {"Delete": {"TableName": "stock", "Key": {"sku": "s1"}}}}]');
SELECT * FROM check_access_patterns('"Shop"', '[{"name": "no action", "transact": [1]}]');
SELECT count(*) AS changed FROM (SELECT full_item(s) AS i FROM "Shop" s UNION ALL SELECT full_item(s) FROM stock s) AS now FULL JOIN before USING (i) WHERE now.i IS NULL OR before.i IS NULL;
SHOW search_path;
-- A table without a sort key has no order.
SELECT verdict, reason, hint FROM check_access_patterns('stock', '[{"name": "a", "key_condition": "sku = :s", "attribute_values": {":s": "s1"}, "order_by": "left"}]');
-- The units of these writes are those of the API.
SELECT p.capacity_units = (SELECT sum(c.capacity_units) FROM capacity_units('UpdateItem', '{"TableName": "Shop", "Key": {"pk": {"S": "CUSTOMER#1"}, "sk": {"S": "ORDER#2026-06-10"}}, "UpdateExpression": "REMOVE #s",
	"ExpressionAttributeNames": {"#s": "status"}}') AS c) AS equal
FROM check_access_patterns('"Shop"', '[{"name": "a", "key": {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-10"}, "update": "REMOVE #s", "attribute_names": {"#s": "status"}}]') AS p;
SELECT p.capacity_units = (SELECT sum(c.capacity_units) FROM capacity_units('TransactWriteItems', '{"TransactItems": [{"Delete": {"TableName": "Shop", "Key": {"pk": {"S": "CUSTOMER#1"}, "sk": {"S": "ORDER#2026-06-10"}}}},
	{"Put": {"TableName": "stock", "Item": {"sku": {"S": "s2"}}}}]}') AS c) AS equal
FROM check_access_patterns('"Shop"', '[{"name": "a", "transact": [{"Delete": {"Key": {"pk": "CUSTOMER#1", "sk": "ORDER#2026-06-10"}}}, {"Put": {"TableName": "stock", "Item": {"sku": "s2"}}}]}]') AS p;
-- Reads are checked in a read-only transaction, too.
BEGIN READ ONLY;
SELECT name, verdict FROM check_access_patterns('"Shop"', '[{"name": "a", "by": {"pk": "CUSTOMER#1"}}, {"name": "b"}]');
SELECT name, verdict FROM check_access_patterns('"Shop"', '[{"name": "a", "delete": {"pk": "CUSTOMER#1", "sk": "x"}}]');
ROLLBACK;
RESET search_path;

-- Wrong arguments.
SELECT * FROM check_access_patterns('tools."Shop"', '{}');
SELECT * FROM check_access_patterns('tools."Shop"', '[1]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "keycondition": "x"}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "by": ["pk"]}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "by": {"pk": "x"}, "key_condition": "pk = :p"}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "by": {"pk": "x"}, "update": "SET a = :a"}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "delete": {"pk": "x", "sk": "y"}, "key": {"pk": "x", "sk": "y"}}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "key_condition": "pk = :p", "attribute_values": {":p": "x"}, "forward": "no"}]');
SELECT * FROM check_access_patterns('tools."Shop"', '[{"name": "a", "keys": {"pk": "x"}}]');
SELECT name, operation, verdict, reason FROM check_access_patterns('tools."Shop"', '[{"name": null, "key": null, "by": { }}, {"name": "update of nothing", "update": "SET a = :a", "attribute_values": {":a": null}}, {"name": "no keys", "keys": []}, {"name": "no actions", "transact": []},
	{"name": "null", "by": {"pk": null}}, {"name": "two conditions", "by": {"pk": "a", "sk": {">": "b", "<": "c"}}}, {"name": "empty", "transact": [{}]}]');
SELECT * FROM check_access_patterns('pg_class', '[]');
SELECT * FROM check_access_patterns('tools."Shop"', '[]');

-- Whatever is given, in any combination: as many items as plain SQL finds, by whichever way.
SET search_path = tools, public;
SELECT create_item_table('t', 'a', 'b');
SELECT create_item_index('t', 'one', 'c', 'd', sort_key_type => 'N'), create_item_index('t', 'two', ARRAY['c', 'e'], ARRAY['b', 'd'], ARRAY['S', 'S'], ARRAY['S', 'N']),
	create_item_index('t', 'local', 'a', 'd', sort_key_type => 'N', local => true, projection => 'KEYS_ONLY'), create_item_index('t', 'inverted', 'b', 'a', projection => 'INCLUDE', non_key_attributes => '{f}');
SELECT count(put_item('t', jsonb_build_object('a', 'a' || n % 5, 'b', 'b' || n, 'c', 'c' || n % 3, 'd', n % 7, 'e', 'e' || n % 2, 'f', 'f' || n % 4)::item, return_values => 'ALL_OLD')) FROM generate_series(1, 200) AS n;
CREATE FUNCTION compare(patterns integer, OUT wrong integer) LANGUAGE plpgsql AS $$
DECLARE
	given jsonb;
	attribute text;
	value jsonb;
	pattern jsonb;
	answer record;
	truth bigint;
	condition text;
BEGIN
	PERFORM setseed(0.5);
	wrong := 0;
	FOR i IN 1 .. patterns LOOP
		given := '{}';
		condition := 'true';
		FOREACH attribute IN ARRAY ARRAY['a', 'b', 'c', 'd', 'e', 'f'] LOOP
			CONTINUE WHEN random() < 0.55;
			value := CASE WHEN attribute = 'd' THEN to_jsonb(floor(random() * 7)) ELSE to_jsonb(attribute || floor(random() * CASE attribute WHEN 'b' THEN 200 ELSE 3 END)) END;
			IF random() < 0.6 THEN
				condition := condition || format(' AND full_item(t) ->> %L = %L', attribute, value #>> '{}');
			ELSIF random() < 0.5 THEN
				condition := condition || format(CASE WHEN attribute = 'd' THEN ' AND (full_item(t) ->> %L)::numeric >= %L' ELSE ' AND full_item(t) ->> %L COLLATE "C" >= %L' END, attribute, value #>> '{}');
				value := jsonb_build_object('>=', value);
			ELSIF attribute = 'd' THEN
				condition := condition || ' AND (full_item(t) ->> ''d'')::numeric BETWEEN 1 AND 4';
				value := '{"BETWEEN": [1, 4]}';
			ELSE
				condition := condition || format(' AND full_item(t) ->> %L ^@ %L', attribute, value #>> '{}');
				value := jsonb_build_object('begins_with', value);
			END IF;
			given := given || jsonb_build_object(attribute, value);
		END LOOP;
		pattern := jsonb_build_object('name', 'x', 'by', given, 'consistent', random() < 0.2, 'forward', random() < 0.8);
		IF random() < 0.3 THEN
			pattern := pattern || jsonb_build_object('order_by', substr('abcdef', 1 + floor(random() * 6)::integer, 1));
		END IF;
		SELECT * INTO answer FROM check_access_patterns('t', json_build_array(pattern));
		EXECUTE 'SELECT count(*) FROM t WHERE ' || condition INTO truth;
		IF (CASE answer.verdict WHEN 'error' THEN answer.reason !~ 'does not project' ELSE answer.items_returned <> truth END) THEN
			wrong := wrong + 1;
			RAISE WARNING '%: % of % returned, there are %; %', pattern, answer.items_returned, answer.items_read, truth, answer.reason;
		END IF;
	END LOOP;
END $$;
SELECT * FROM compare(150);
RESET search_path;

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
