-- The endpoint's view and functions in a server without the endpoint: no rows, no errors; test/t/500_endpoint.pl has them with one.
SELECT count(*) FROM endpoint_statistics;
SELECT count(*) FROM endpoint_operations();
SELECT count(*) FROM endpoint_workers();
SELECT reset_endpoint_statistics();
CREATE ROLE regress_endpoint_other;
SET ROLE regress_endpoint_other;
SELECT count(*) FROM endpoint_statistics;
SELECT count(*) FROM endpoint_workers();
SELECT reset_endpoint_statistics();
RESET ROLE;
DROP ROLE regress_endpoint_other;
