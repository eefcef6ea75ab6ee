-- The example of this name, from the top of the source tree.
\i examples/11_unique.sql
