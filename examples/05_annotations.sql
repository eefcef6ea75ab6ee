-- Annotations of books: one composite partition key, no sort key; several devices update an item with optimistic locking.
--
--	psql -f examples/05_annotations.sql
\set QUIET on
\pset pager off
\pset format unaligned
\pset null ''
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS singletable;
DROP SCHEMA IF EXISTS annotations CASCADE;
CREATE SCHEMA annotations;
SET search_path = annotations, public;

SELECT create_item_table('annotation', 'id');
SELECT put_item('annotation', '{"id": "Cust1:Book1:pdf", "version": 1, "lastread": {"device": "iPad", "page": 100}, "highlights": []}');

-- A device that has read version v writes version v + 1, or hears that it must read again.
CREATE FUNCTION pg_temp.move_on(device text, page integer, read_version integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail json;
BEGIN
	PERFORM update_item('annotation', '{"id": "Cust1:Book1:pdf"}', 'SET lastread = :l, version = version + :one', 'version = :v',
		jsonb_build_object(':l', jsonb_build_object('device', device, 'page', page), ':one', 1, ':v', read_version)::item, return_values_on_condition_check_failure => 'ALL_OLD');
	RETURN device || ' is on page ' || page;
EXCEPTION WHEN SQLSTATE 'KV002' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN format('%s must read version %s first', device, detail -> 'Item' -> 'version' ->> 'N');
END $$;
\echo '-- both devices have read version 1; the second write is refused, until it is based on version 2'
SELECT pg_temp.move_on('phone', 120, 1);
SELECT pg_temp.move_on('iPad', 110, 1);
SELECT pg_temp.move_on('iPad', 130, 2);
\echo '-- a condition on the value itself needs no version: never back to an earlier page'
\set ON_ERROR_STOP off
SELECT update_item('annotation', '{"id": "Cust1:Book1:pdf"}', 'SET lastread.page = :p', 'lastread.page < :p', '{":p": 90}');
\set ON_ERROR_STOP on
\echo '-- highlights are appended, a hundred updates of one item'
SELECT count(update_item('annotation', '{"id": "Cust1:Book1:pdf"}', 'SET highlights = list_append(highlights, :h) ADD version :one', attribute_values => jsonb_build_object(':h', jsonb_build_array(n), ':one', 1)::item,
	return_values => 'UPDATED_NEW')) AS updates FROM generate_series(1, 100) AS n;
SELECT jsonb_array_length(i -> 'highlights') AS highlights, i -> 'version' AS version, i -> 'lastread' AS lastread FROM get_item('annotation', '{"id": "Cust1:Book1:pdf"}') AS i;

\echo '-- the access patterns: each is one GetItem, Query or write; the last one is a Scan on purpose'
SELECT name, operation, index, items_read AS read, items_returned AS returned, capacity_units AS units, verdict
FROM check_access_patterns('annotation', '[
	{"name": "annotations of a book", "by": {"id": "Cust1:Book1:pdf"}},
	{"name": "last page", "key": {"id": "Cust1:Book1:pdf"}, "projection": "lastread", "consistent": true},
	{"name": "a device moves on", "key": {"id": "Cust1:Book1:pdf"}, "update": "SET lastread = :l, version = version + :one", "condition": "version = :v",
		"attribute_values": {":l": {"device": "phone", "page": 140}, ":one": 1, ":v": 103}},
	{"name": "books of a customer", "by": {"id": {"begins_with": "Cust1:"}}}]');
