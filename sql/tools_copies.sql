-- fan_out_update and drift_report: copies of a value; shard_key and query_sharded_items: a key in shards.
\pset format unaligned
\pset null '(null)'
\set VERBOSITY terse

CREATE SCHEMA tools;
SELECT create_item_table('tools.blog', 'pk', 'sk');
SELECT create_item_index('tools.blog', 'by_author', 'authorId', 'pk', projection => 'KEYS_ONLY');
SELECT put_item('tools.blog', '{"pk": "USER#12", "sk": "PROFILE", "name": "Mara", "version": 1}');
SELECT count(put_item('tools.blog', jsonb_build_object('pk', 'POST#' || n, 'sk', 'META', 'authorId', 'USER#12', 'authorName', 'Mara')::item, return_values => 'ALL_OLD')) FROM generate_series(1, 7) AS n;
SELECT put_item('tools.blog', '{"pk": "POST#8", "sk": "META", "authorId": "USER#12"}'), put_item('tools.blog', '{"pk": "POST#9", "sk": "META", "authorId": "USER#88", "authorName": "Mara"}');
UPDATE tools.blog SET item = item || '{"authorName": "M. V."}' WHERE pk = 'POST#3';

-- Copies that differ from their source: by value, missing, of another type; not the copies of others.
SELECT * FROM drift_report('tools.blog', '{"pk": "USER#12", "sk": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
SELECT pk, item ->> 'authorName' FROM tools.blog WHERE "authorId" = 'USER#12' AND item ->> 'authorName' IS DISTINCT FROM 'Mara' ORDER BY pk;
UPDATE tools.blog SET item = item || '{"authorName": ["Mara"]}' WHERE pk = 'POST#4';
SELECT copy_value FROM drift_report('tools.blog', '{"pk": "USER#12", "sk": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
UPDATE tools.blog SET item = item || '{"authorName": "Mara"}' WHERE pk = 'POST#4';
-- A name that changed at its source makes all copies differ; copies of a source that is gone are orphans.
SELECT update_item('tools.blog', '{"pk": "USER#12", "sk": "PROFILE"}', 'SET #n = :n ADD version :one', attribute_values => '{":n": "Mara V.", ":one": 1}', attribute_names => '{"#n": "name"}');
SELECT count(*) FROM drift_report('tools.blog', '{"pk": "USER#12", "sk": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
SELECT source_value, copy FROM drift_report('tools.blog', '{"pk": "USER#88", "sk": "PROFILE"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#88"}', index => 'by_author');
SELECT * FROM drift_report('tools.blog', '{"pk": "USER#12"}', 'name', 'authorName', 'authorId = :a', '{":a": "USER#88"}', index => 'by_author');

-- Many sources in one call: those that a condition finds; an item without the attribute that leads to its copies is none.
SELECT create_item_table('tools.user', 'pk', 'sk');
SELECT create_item_index('tools.user', 'by_type', 'type', 'n', sort_key_type => 'N', projection => 'KEYS_ONLY');
SELECT create_item_index('tools.user', 'of_owner', 'owner', 'pk', owner_type, projection => 'KEYS_ONLY') FROM (VALUES ('B')) AS x(owner_type);
SELECT count(put_item('tools.user', i::item, return_values => 'ALL_OLD')) FROM unnest(ARRAY[
	'{"pk": "U1", "sk": "P", "type": "USER", "n": 1, "id": {"B": "AQ=="}, "name": "Ann"}', '{"pk": "U2", "sk": "P", "type": "USER", "n": 2, "id": {"B": "Ag=="}, "name": "Bob"}',
	'{"pk": "U3", "sk": "P", "type": "USER", "n": 3, "id": {"B": "Aw=="}}', '{"pk": "U4", "sk": "P", "type": "USER", "n": 4, "name": "Dan"}',
	'{"pk": "C1", "sk": "x", "owner": {"B": "AQ=="}, "ownerName": "Ann"}', '{"pk": "C2", "sk": "x", "owner": {"B": "AQ=="}, "ownerName": "An"}', '{"pk": "C3", "sk": "x", "owner": {"B": "Ag=="}}',
	'{"pk": "C4", "sk": "x", "owner": {"B": "Aw=="}, "ownerName": "Cy"}', '{"pk": "C5", "sk": "x", "owner": {"B": "/w=="}, "ownerName": "Nobody"}']) AS i;
SELECT * FROM drift_report('tools.user', NULL, 'name', 'ownerName', '#o = :o', '{":t": "USER"}', '{"#o": "owner", "#t": "type"}', 'of_owner', '#t = :t', 'by_type', '{":o": "id"}');
-- The same by SQL.
SELECT u.pk, c.pk, u.item ->> 'name', c.item ->> 'ownerName' FROM tools.user u JOIN tools.user c ON c.owner = item_bytea(u.item, 'id')
WHERE u.type = 'USER' AND (u.item ->> 'name') IS DISTINCT FROM (c.item ->> 'ownerName') ORDER BY 1, 2;
SELECT copy ->> 'pk' AS copy FROM drift_report('tools.user', NULL, 'name', 'ownerName', '#o = :o AND pk < :to', '{":t": "USER", ":two": 2, ":to": "C3"}', '{"#o": "owner", "#t": "type"}', 'of_owner', '#t = :t AND n < :two', 'by_type', '{":o": "id"}');
-- One source by its key, with its values; sources of the table itself.
SELECT copy FROM drift_report('tools.user', '{"pk": "U1", "sk": "P"}', 'name', 'ownerName', '#o = :o', NULL, '{"#o": "owner"}', 'of_owner', source_values => '{":o": "id"}');
SELECT source ->> 'pk' AS source, copy ->> 'pk' AS copy FROM drift_report('tools.user', NULL, 'name', 'ownerName', '#o = :o', '{":p": "U2"}', '{"#o": "owner"}', 'of_owner', 'pk = :p', source_values => '{":o": "id"}');
SELECT * FROM drift_report('tools.user', NULL, 'name', 'ownerName', '#o = :o', NULL, '{"#o": "owner"}', 'of_owner');
SELECT * FROM drift_report('tools.user', '{"pk": "U1", "sk": "P"}', 'name', 'ownerName', '#o = :o', NULL, '{"#o": "owner"}', 'of_owner', 'pk = :p');
SELECT * FROM drift_report('tools.user', NULL, 'name', 'ownerName', '#o = :o', '{":p": "U2"}', '{"#o": "owner"}', 'of_owner', 'sk = :p', source_values => '{":o": "id"}');

-- Some now, the others later; the copy that has another name is skipped, and so is everything the second time.
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "Mara"}', index => 'by_author', max_items => 4);
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "Mara"}', index => 'by_author',
	max_items => 4, start_key => '{"authorId": "USER#12", "pk": "POST#4", "sk": "META"}');
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET authorName = :new', 'authorName = :old', '{":a": "USER#12", ":new": "Mara V.", ":old": "Mara"}', index => 'by_author');
SELECT pk, item ->> 'authorName' FROM tools.blog WHERE sk = 'META' ORDER BY pk;
-- Drift is repaired by a guard on what the report shows.
SELECT f.updated, f.skipped FROM fan_out_update('tools.blog', '#a = :a', 'SET authorName = :new', 'attribute_not_exists(authorName) OR authorName <> :new', '{":a": "USER#12", ":new": "Mara V."}',
	'{"#a": "authorId"}', 'by_author') AS f;
SELECT count(*) FROM drift_report('tools.blog', '{"pk": "USER#12", "sk": "PROFILE"}', 'name', 'authorName', '#a = :a', '{":a": "USER#12"}', '{"#a": "authorId"}', 'by_author');
-- Triggers of the table mean names as the caller does.
SET search_path = tools, public;
CREATE TABLE renamed (pk text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO renamed VALUES (NEW.pk); RETURN NEW; END $$;
CREATE TRIGGER note AFTER UPDATE ON blog FOR EACH ROW EXECUTE FUNCTION note();
SELECT updated, skipped FROM fan_out_update('blog', 'authorId = :a', 'SET seen = :s', 'pk < :p', '{":a": "USER#12", ":s": 1, ":p": "POST#3"}', index => 'by_author');
SELECT pk FROM renamed ORDER BY pk;
DROP TRIGGER note ON blog;
RESET search_path;
-- No copies; no guard; wrong ones; an update of the index that is read: each copy is met once.
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET x = :a', 'attribute_exists(pk)', '{":a": "nobody"}', index => 'by_author');
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET x = :a', NULL, '{":a": "USER#12"}', index => 'by_author');
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET x = :a', 'y = :missing', '{":a": "USER#12"}', index => 'by_author');
SELECT * FROM fan_out_update('tools.blog', 'pk = :a', 'SET x = :a', 'y = :a', '{":a": "USER#12"}', index => 'by_author');
SELECT * FROM fan_out_update('tools.blog', 'authorId = :a', 'SET pk = :a', 'authorId = :a', '{":a": "USER#12"}', index => 'by_author');
SELECT updated, skipped FROM fan_out_update('tools.blog', 'authorId = :a', 'SET authorId = :b', 'authorId = :a', '{":a": "USER#12", ":b": "USER#99"}', index => 'by_author');
SELECT count(*) FROM query_items('tools.blog', 'authorId = :a', '{":a": "USER#99"}', index => 'by_author');

-- Placeholders are divided among expressions.
SELECT expression_values('{":a": 1, ":ab": 2, ":c": 3}', 'x = :a AND y < :c', NULL), expression_values('{":a": 1}', 'a = b') AS none, expression_values(NULL, ':a') AS null,
	expression_values('{":a": 1}', NULL) AS no_text, expression_names('{"#a": "x", "#ab": "y"}', '#ab.#c') AS names, expression_names('{"#a": "x"}', 'a') AS no_names;

-- Shards: the number follows from the id, as any program can compute it.
SELECT shard_key('TENANT#1', 10, 'order-17') = 'TENANT#1#' || ('x' || left(encode(sha256('order-17'), 'hex'), 8))::bit(32)::bigint % 10 AS equal, shard_key('x', 1, 'y'), shard_key('x', NULL, 'y');
SELECT shard_key('x', 0, 'y');
SELECT count(*) AS shards, min(n) > 80 AS spread FROM (SELECT count(*) AS n FROM generate_series(1, 1000) AS i GROUP BY shard_key('k', 8, i::text)) AS x;
SELECT create_item_table('tools.log', 'pk', 'sk');
SELECT create_item_index('tools.log', 'board', 'board', 'score', sort_key_type => 'N');
SELECT count(put_item('tools.log', jsonb_build_object('pk', shard_key('LOG', 4, n::text), 'sk', 'E#' || lpad((n * 7919 % 1000)::text, 4, '0'), 'n', n, 'board', shard_key('GAME', 3, n::text), 'score', n * 31 % 40)::item,
	return_values => 'ALL_OLD')) FROM generate_series(1, 100) AS n;
SELECT array_agg(i ORDER BY o) = (SELECT array_agg(full_item(l) ORDER BY sk COLLATE "C") FROM tools.log l) AS equal FROM query_sharded_items('tools.log', 'LOG', 4) WITH ORDINALITY AS q(i, o);
SELECT array_agg(i ->> 'sk' ORDER BY o) = (SELECT array_agg(sk ORDER BY sk COLLATE "C" DESC) FROM (SELECT sk FROM tools.log WHERE sk < 'E#0500' ORDER BY sk COLLATE "C" DESC LIMIT 7) AS x) AS equal
FROM query_sharded_items('tools.log', 'LOG', 4, 'sk < :to', '{":to": "E#0500"}', forward => false, max_items => 7) WITH ORDINALITY AS q(i, o);
SELECT query_sharded_items('tools.log', 'GAME', 3, '#s >= :from', '{":from": 36, ":n": 50}', '{"#s": "score", "#n": "n"}', 'board', '#n > :n', '#n, #s', false);
SELECT (item ->> 'n')::int, score FROM tools.log WHERE score >= 36 AND (item ->> 'n')::int > 50 ORDER BY score DESC, 1;
SELECT count(*) FROM query_sharded_items('tools.log', 'nosuch', 4);
SELECT query_sharded_items('tools.log', 'LOG', 4, index => 'nosuch');
SELECT query_sharded_items('tools.log', 'LOG', 4, 'nosuch = :a', '{":a": 1}');

DROP SCHEMA tools CASCADE;
