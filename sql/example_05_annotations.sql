-- The example of this name, from the top of the source tree.
\i examples/05_annotations.sql
