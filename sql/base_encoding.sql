-- Another encoding than UTF8 is refused.
\set VERBOSITY terse
SELECT current_database() AS own \gset
CREATE DATABASE singletable_regress_latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C';
\c singletable_regress_latin
CREATE EXTENSION singletable;
\c :own
DROP DATABASE singletable_regress_latin;
