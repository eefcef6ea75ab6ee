-- Every exception of the API has one SQLSTATE of class KV.
SELECT * FROM dynamodb_exceptions() ORDER BY sqlstate;
-- No two share a state or a name.
SELECT count(*) = count(DISTINCT sqlstate) AND count(*) = count(DISTINCT exception) AS distinct_entries FROM dynamodb_exceptions();
