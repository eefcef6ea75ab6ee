-- Every object of the extension with its signature: a change of the interface shows up here.
CREATE EXTENSION singletable;
SELECT pg_describe_object(classid, objid, 0) AS object
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'singletable')
ORDER BY pg_describe_object(classid, objid, 0) COLLATE "C";
