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
