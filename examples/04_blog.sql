-- A blog: the author is embedded in the post and also duplicated by name; a rename reaches the copies by a guarded fan-out.
--
--	item		PK			SK			indexes
--	author		USER#12		PROFILE
--	post		POST#9f3	META		by_author (authorId, PK), by_type (type, createdAt)
--
--	psql -f examples/04_blog.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS blog CASCADE;
CREATE SCHEMA blog;
SET search_path = blog, public;

SELECT create_item_table('blog', 'PK', 'SK');
SELECT create_item_index('blog', 'by_author', 'authorId', 'PK', projection => 'INCLUDE', non_key_attributes => '{authorName,title}');
SELECT create_item_index('blog', 'by_type', 'type', 'createdAt');
SELECT batch_write_items('{"blog": [
	{"PutRequest": {"Item": {"PK": "USER#12", "SK": "PROFILE", "name": "Mara Vance", "version": 1}}},
	{"PutRequest": {"Item": {"PK": "POST#9f3", "SK": "META", "type": "POST", "createdAt": "2026-05-01", "authorId": "USER#12", "authorName": "Mara Vance", "title": "Modeling 1:N",
		"author": {"id": "USER#12", "name": "Mara Vance"}, "tags": ["dynamodb", "aws"]}}},
	{"PutRequest": {"Item": {"PK": "POST#a71", "SK": "META", "type": "POST", "createdAt": "2026-05-09", "authorId": "USER#12", "authorName": "Mara Vance", "title": "Sparse GSIs"}}},
	{"PutRequest": {"Item": {"PK": "POST#c00", "SK": "META", "type": "POST", "createdAt": "2026-05-11", "authorId": "USER#12", "authorName": "M. Vance", "title": "Copied long ago"}}},
	{"PutRequest": {"Item": {"PK": "POST#b04", "SK": "META", "type": "POST", "createdAt": "2026-05-10", "authorId": "USER#88", "authorName": "Lio Tan", "title": "Query vs Scan"}}}]}') AS items;

\echo '-- a post with its author in one read; the newest posts'
SELECT get_item('blog', '{"PK": "POST#9f3", "SK": "META"}', 'author, tags')::jsonb;
SELECT i ->> 'createdAt' AS day, i ->> 'authorName' AS author FROM query_items('blog', '#t = :t', '{":t": "POST"}', '{"#t": "type"}', 'by_type', forward => false, max_items => 2) AS i;
\echo '-- the author is renamed: first the one item that counts, if nobody else has changed it'
SELECT update_item('blog', '{"PK": "USER#12", "SK": "PROFILE"}', 'SET #n = :n, version = version + :one', 'version = :v', '{":n": "Mara V.", ":one": 1, ":v": 1}', '{"#n": "name"}', 'UPDATED_NEW')::jsonb;
\echo '-- then the copies that have the old name; another call finds nothing to do'
SELECT * FROM fan_out_update('blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "Mara Vance"}', index => 'by_author');
SELECT * FROM fan_out_update('blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "Mara Vance"}', index => 'by_author');
\echo '-- one copy has drifted before; what the report shows is the guard of its repair'
SELECT source_value, copy ->> 'PK' AS copy, copy_value FROM drift_report('blog', '{"PK": "USER#12", "SK": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
SELECT * FROM fan_out_update('blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "M. Vance"}', index => 'by_author');
SELECT count(*) AS drifted FROM drift_report('blog', '{"PK": "USER#12", "SK": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
\echo '-- all authors in one call: they are found by an index of their own'
SELECT update_item('blog', '{"PK": "USER#12", "SK": "PROFILE"}', 'SET #t = :t, createdAt = :d', attribute_values => '{":t": "AUTHOR", ":d": "2026-01-01"}', attribute_names => '{"#t": "type"}');
SELECT put_item('blog', '{"PK": "USER#88", "SK": "PROFILE", "type": "AUTHOR", "createdAt": "2026-02-01", "name": "Leo Tan", "version": 2}');
SELECT source ->> 'PK' AS author, source_value, copy ->> 'PK' AS copy, copy_value
FROM drift_report('blog', NULL, 'name', 'authorName', 'authorId = :a', '{":t": "AUTHOR"}', '{"#t": "type"}', 'by_author', source_condition => '#t = :t', source_index => 'by_type', source_values => '{":a": "PK"}');
\echo '-- the embedded copy is found in the same way'
SELECT * FROM fan_out_update('blog', 'authorId = :a', 'SET author.#n = :new', 'attribute_exists(author.#n) AND author.#n <> :new', '{":a": "USER#12", ":new": "Mara V."}', '{"#n": "name"}', 'by_author');

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('blog', '[
	{"name": "one post", "by": {"PK": "POST#9f3", "SK": "META"}},
	{"name": "post with comments", "by": {"PK": "POST#9f3"}},
	{"name": "newest posts", "by": {"type": "POST"}, "order_by": "createdAt", "forward": false, "max_items": 10},
	{"name": "posts of an author", "by": {"authorId": "USER#12"}, "projection": "PK, authorName, title"},
	{"name": "rename an author", "key": {"PK": "USER#12", "SK": "PROFILE"}, "update": "SET #n = :n, version = version + :one", "condition": "version = :v", "attribute_names": {"#n": "name"},
		"attribute_values": {":n": "M. V.", ":one": 1, ":v": 2}},
	{"name": "rename a copy", "key": {"PK": "POST#9f3", "SK": "META"}, "update": "SET authorName = :new", "condition": "authorName = :old", "attribute_values": {":new": "M. V.", ":old": "Mara V."}},
	{"name": "all posts by prefix", "by": {"PK": {"begins_with": "POST#"}}}]');
