-- The grammar: what is a sentence of it, and the error for what is none.  Source: reference/expressions, sections 1 to 3.
\pset format unaligned
\pset fieldsep ' -> '
\pset footer off

-- "accepted", or the error.  What comes behind syntax (undefined placeholders and so on) is "accepted" here, with its text.
CREATE FUNCTION try(sql text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE sql;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- Every placeholder of these maps exists, and an error is no reason to look at the unused ones.
CREATE FUNCTION condition(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(try(format('SELECT item_matches(%L, %L)', '{}', expression)),
				   'KV001 Invalid ConditionExpression: ', '');
$$;
CREATE FUNCTION update_text(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(try(format('SELECT item_update(%L, %L)', '{}', expression)),
				   'KV001 Invalid UpdateExpression: ', '');
$$;
CREATE FUNCTION projection(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(try(format('SELECT item_project(%L, %L)', '{}', expression)),
				   'KV001 Invalid ProjectionExpression: ', '');
$$;

-- The whole message, once per kind.
SELECT try($$SELECT item_matches('{}', 'foo')$$);
SELECT try($$SELECT item_update('{}', 'foo')$$);
SELECT try($$SELECT item_project('{}', 'foo bar')$$);

-- Empty and too long: the bytes are counted before the text is looked at.
SELECT condition(''), update_text(''), projection('');
SELECT condition('   '), update_text(E'\t\n'), projection(' ');
SELECT projection(repeat('a', 4096)) AS longest, projection(repeat('a', 4097)) AS too_long;
SELECT condition(repeat('!', 4213)), update_text(repeat('(', 5000)), projection(repeat('é', 2049));
SELECT projection('a' || repeat(' ', 4095)), projection('a' || repeat(' ', 4096));

-- The table of the reference.
SELECT update_text('INVALID SYNTAX HERE');
SELECT condition('!!! INVALID !!!');
SELECT condition('foo');
SELECT condition('attribute_not_exists(');
SELECT update_text('ADD hits : incr');
SELECT update_text('SET _123 = :v');
SELECT condition('a = :a AND __');
SELECT condition('a = :v extra');

-- Tokens.
SELECT to_json(t.expression) AS expression, condition(t.expression) FROM (VALUES
	(1, 'a != :b'), (2, 'a == :b'), (3, 'a = = :b'), (4, 'a <> = :b'), (5, 'a < = :b'), (6, 'a * :b = :c'), (7, 'a = b / c'),
	(8, 'a = :b && c = :d'), (9, 'a = :b; c'), (10, 'a = "b"'), (11, 'a = ''b'''), (12, 'a = 5'), (13, 'a = -5'), (14, 'a = true'),
	(15, '_a = :b'), (16, '1a = :b'), (17, '# = :b'), (18, '#a# = :b'), (19, 'a = :'), (20, 'a = ::b'), (21, 'a = :b-c'),
	(22, 'é = :b'), (23, 'a = :é'), (24, 'aé = :b'), (25, 'a = $b'), (26, 'a.b.c = @'), (27, 'a /* comment */ = :b'),
	(28, 'a = :b -- comment'), (29, '𝄞'), (30, E'a\u00a0= :b'), (31, E'a\x0b= :b'), (32, E'a\x0c= :b')
	) AS t (number, expression) ORDER BY t.number;
-- Placeholders may begin with a digit or _; white space may be anywhere between tokens.
SELECT to_json(t.expression) AS expression, try(format('SELECT item_matches(%L, %L, %L, %L)', '{}', t.expression, t.attribute_values, t.attribute_names))
FROM (VALUES
	(1, 'a=:b', '{":b": 1}', NULL),
	(2, '#1a = :1b', '{":1b": 1}', '{"#1a": "a"}'),
	(3, '#_ = :_', '{":_": 1}', '{"#_": "a"}'),
	(4, '#__1 <> :9_', '{":9_": 1}', '{"#__1": "a"}'),
	(5, E' \t\r\na \t\r\n. \t\r\nb \t\r\n[ \t\r\n0 \t\r\n] \t\r\n= \t\r\n:b \t\r\n', '{":b": 1}', NULL),
	(6, 'a BETWEEN:b AND:c', '{":b": 1, ":c": 2}', NULL),
	(7, 'a IN(:b)or(a=:b)And nOt(a=:b)', '{":b": 1}', NULL),
	(8, 'a between :b and :c', '{":b": 1, ":c": 2}', NULL),
	(9, 'a In (:b)', '{":b": 1}', NULL),
	(10, 'size ( a ) = :b', '{":b": 1}', NULL),
	(11, 'a[0][1].b.#c[2] = :b', '{":b": 1}', '{"#c": "c"}'),
	(12, 'a[2147483647] = :b', '{":b": 1}', NULL),
	(13, 'NOT NOT a = :b', '{":b": 1}', NULL),
	(14, 'NOT NOT NOT NOT (NOT a = :b)', '{":b": 1}', NULL),
	(15, '(a = :b)', '{":b": 1}', NULL),
	(16, '(a) = :b', '{":b": 1}', NULL),
	(17, '(a) = (:b)', '{":b": 1}', NULL),
	(18, '((a) = (:b))', '{":b": 1}', NULL),
	(19, '((a = :b) AND c = :b)', '{":b": 1}', NULL),
	(20, '((a = :b) AND (c = :b)) OR (NOT (d = :b))', '{":b": 1}', NULL),
	(21, 'contains(a, :b)', '{":b": 1}', NULL),
	(22, '(contains(a, :b))', '{":b": 1}', NULL),
	(23, 'contains((a), (:b))', '{":b": 1}', NULL),
	(24, '(size(a)) > (:b)', '{":b": 1}', NULL),
	(25, '(size((a)) > :b)', '{":b": 1}', NULL),
	(26, '(a) BETWEEN (:b) AND (size(a))', '{":b": 1}', NULL),
	(27, '(a) IN ((:b), (c), size(d))', '{":b": 1}', NULL),
	(28, 'contains(:b, a)', '{":b": "x"}', NULL),
	(29, ':b = :b', '{":b": 1}', NULL),
	(30, 'attribute_exists(a) AND attribute_not_exists(b) OR begins_with(c, :b)', '{":b": "x"}', NULL)
	) AS t (number, expression, attribute_values, attribute_names) ORDER BY t.number;

-- What is no condition.
SELECT to_json(t.expression) AS expression, condition(t.expression) FROM (VALUES
	(1, ':v'), (2, '(a)'), (3, '((a))'), (4, 'a AND b = :c'), (5, 'a = :b AND'), (6, 'AND a = :b'), (7, 'a = :b AND AND c = :d'),
	(8, 'a = :b OR'), (9, 'NOT'), (10, 'NOT a'), (11, 'NOT (a)'), (12, 'a NOT = :b'), (13, 'a = NOT :b'), (14, 'a = (NOT b)'),
	(15, 'a NOT IN (:b)'), (16, 'a NOT BETWEEN :b AND :c'), (17, 'a IN ()'), (18, 'a IN :b'), (19, 'a IN (:b,)'), (20, 'a IN (:b :c)'),
	(21, 'a IN (:b'), (22, 'a IN (,:b)'), (23, 'a BETWEEN :b'), (24, 'a BETWEEN :b AND'), (25, 'a BETWEEN :b OR :c'), (26, 'a BETWEEN (:b AND :c)'),
	(27, 'f()'), (28, 'f(,a)'), (29, 'f(a,)'), (30, 'f(a'), (31, 'f(a b)'), (32, 'f(a = :b)'), (33, 'f((a = :b))'), (34, 'f(a AND b)'), (35, 'f(NOT a)'),
	(36, 'size(a).b = :c'), (37, 'size(a)[0] = :c'), (38, 'a[:i] = :b'), (39, 'a[#i] = :b'), (40, 'a[-1] = :b'), (41, 'a[] = :b'), (42, 'a[b] = :c'),
	(43, 'a[01] = :b'), (44, 'a[1.5] = :b'), (45, 'a[1 2] = :b'), (46, 'a[0 = :b'), (47, 'a]0] = :b'), (48, 'a. = :b'), (49, '.a = :b'), (50, 'a..b = :c'),
	(51, 'a.[0] = :b'), (52, 'a.0 = :b'), (53, 'a.:b = :c'), (54, '[0] = :b'), (55, ':b.c = :d'), (56, ':b[0] = :d'), (57, '(a).b = :c'), (58, '(a)[0] = :c'),
	(59, 'a = :b = :c'), (60, '(a = :b) = :c'), (61, 'a < :b < :c'), (62, 'a + b = :c'), (63, 'a = :b - :c'), (64, 'a = :b)'), (65, '(a = :b'), (66, '()'), (67, '() = :a'),
	(68, ')'), (69, 'a = :b (c = :d)'), (70, 'a = :b c = :d'), (71, 'a = :b, c = :d'), (72, 'a b'), (73, 'a ='), (74, '= :b'), (75, 'a :b'), (76, 'SET a = :b'), (77, 'a = :b SET c = :d'),
	(78, '(a, b) = :c'), (79, '(a = :b, c = :d)'), (80, 'a.b(c)'), (81, '#f(a)'), (82, ':f(a)'), (83, 'a(b)(c)'), (84, '(f)(a)'), (85, '(a = :b) c'), (86, '(a = :b) AND'), (87, '(a = :b) NOT c = :d')
	) AS t (number, expression) ORDER BY t.number;
-- Keywords are no names, whatever their case.
SELECT to_json(t.expression) AS expression, condition(t.expression) FROM (VALUES
	(1, 'AND = :b'), (2, 'a.or = :b'), (3, 'not = :b'), (4, 'Between = :b'), (5, 'a.IN = :b'), (6, 'set = :b'), (7, 'a.remove = :b'), (8, 'add = :b'), (9, 'a = delete')
	) AS t (number, expression) ORDER BY t.number;
SELECT projection('set'), projection('a, remove'), projection('a.And');

-- Updates: clauses.
SELECT to_json(t.expression) AS expression, update_text(t.expression) FROM (VALUES
	(1, 'a = :b'), (2, 'SET'), (3, 'SET a'), (4, 'SET a ='), (5, 'SET a = :b,'), (6, 'SET a = :b, SET c = :d'), (7, 'SET , a = :b'), (8, 'SET a = :b c = :d'), (9, 'SET a = :b; REMOVE c'),
	(10, 'SET :a = :b'), (11, 'SET (a) = :b'), (12, 'SET size(a) = :b'), (13, 'SET a == :b'), (14, 'SET a <> :b'), (15, 'SET a = :b AND c = :d'), (16, 'SET a = b = c'),
	(17, 'REMOVE'), (18, 'REMOVE a b'), (19, 'REMOVE a,'), (20, 'REMOVE :a'), (21, 'REMOVE a = :b'), (22, 'REMOVE a :b'),
	(23, 'ADD a'), (24, 'ADD a, b'), (25, 'ADD a = :b'), (26, 'ADD a b'), (27, 'ADD a :b c :d'), (28, 'ADD :a :b'), (29, 'ADD a (:b)'), (30, 'ADD a :b + :c'),
	(31, 'DELETE a'), (32, 'DELETE a b'), (33, 'DELETE a :b,'), (34, 'DELETE a = :b'), (35, 'UPDATE a = :b'), (36, 'SET a = :b WHERE c = :d'), (37, 'SET a.set = :b'),
	(38, 'SET add = :b'), (39, 'REMOVE remove'), (40, 'a')
	) AS t (number, expression) ORDER BY t.number;
-- Right sides.
SELECT to_json(t.expression) AS expression, update_text(t.expression) FROM (VALUES
	(1, 'SET a = b + c + d'), (2, 'SET a = b + c - :d'), (3, 'SET a = f(x, a + b)'), (4, 'SET a = b +'), (5, 'SET a = + b'), (6, 'SET a = -:b'), (7, 'SET a = b * c'), (8, 'SET a = (b'), (9, 'SET a = b)'),
	(10, 'SET a = ()'), (11, 'SET a = (b + :c) + :d'), (12, 'SET a = b + (c + d)'), (13, 'SET a = (b + c) REMOVE'), (14, 'SET a = f()'), (15, 'SET a = f(b,)'), (16, 'SET a = f(b'), (17, 'SET a = f(b = c)'),
	(18, 'SET a = NOT b'), (19, 'SET a = (NOT b)'), (20, 'SET a = b OR c'), (21, 'SET a = f(b).c'), (22, 'SET a = (b).c'), (23, 'SET a = (b)[0]'), (24, 'SET a = b c'), (25, 'SET a = :b.c'), (26, 'SET a = 5'),
	(27, 'SET a = b IN (c)'), (28, 'SET a = f(NOT b)'), (29, 'SET a = ((b + c) + d)')
	) AS t (number, expression) ORDER BY t.number;
-- Accepted ones; the item makes every path exist.
SELECT to_json(t.expression) AS expression, try(format('SELECT item_update(%L, %L, %L, %L)',
	'{"a": 1, "b": 2, "c": 3, "l": [1, 2], "m": {"x": 1}}', t.expression, t.attribute_values, t.attribute_names))
FROM (VALUES
	(1, 'SET a = :v', '{":v": 1}', NULL),
	(2, 'set a = :v', '{":v": 1}', NULL),
	(3, 'SET a=:v,b=c REMOVE l[0],m.x', '{":v": 1}', NULL),
	(4, 'REMOVE a SET b = c ADD n :v', '{":v": 1}', NULL),
	(5, 'Remove a Add n :v Delete s :s sEt b=c', '{":v": 1, ":s": {"SS": ["x"]}}', NULL),
	(6, 'SET a = :v - b', '{":v": 1}', NULL),
	(7, 'SET a = (b + :v)', '{":v": 1}', NULL),
	(8, 'SET a = (b) + (:v)', '{":v": 1}', NULL),
	(9, 'SET a = ((b) + :v)', '{":v": 1}', NULL),
	(10, 'SET a = (b)', NULL, NULL),
	(11, 'SET a = if_not_exists(a, :v) + if_not_exists(b, :v)', '{":v": 1}', NULL),
	(12, 'SET a = (if_not_exists(a, :v)) - (if_not_exists((b), (:v)))', '{":v": 1}', NULL),
	(13, 'SET a = list_append(l, :l), #b = list_append(:l, if_not_exists(n, :l))', '{":l": [3]}', '{"#b": "b"}'),
	(14, 'SET l[0] = l[1], l[1] = l[0]', NULL, NULL),
	(15, E'SET\ta\n=\r:v', '{":v": 1}', NULL),
	(16, 'SET m . x = m.x + :v', '{":v": 1}', NULL)
	) AS t (number, expression, attribute_values, attribute_names) ORDER BY t.number;

-- Projections.
SELECT to_json(t.expression) AS expression, projection(t.expression) FROM (VALUES
	(1, 'a,'), (2, ',a'), (3, 'a b'), (4, 'a;b'), (5, '(a)'), (6, ':a'), (7, 'a = :b'), (8, 'a,,b'), (9, 'a.b.'), (10, 'a[0'), (11, 'size(a)'), (12, '*'), (13, 'a.*'), (14, '(a).b'), (15, 'a AND b'),
	(16, 'a'), (17, 'a.b, a.c[0], a.c[1].d, b'), (18, E' a\n,\tb ')
	) AS t (number, expression) ORDER BY t.number;

-- Redundant parentheses: a group that holds only another group.
SELECT to_json(t.expression) AS expression, condition(t.expression) FROM (VALUES
	(1, '((a = :b))'), (2, '((a)) = :b'), (3, 'a = ((:b))'), (4, 'NOT ((a = :b))'), (5, '(((a = :b) AND c = :d))'), (6, 'contains(((a)), :b)'), (7, 'a IN (((:b)))'),
	(8, '((contains(a, :b)))'), (9, '(( a = :b ) )')
	) AS t (number, expression) ORDER BY t.number;
SELECT update_text('SET a = ((:b))'), update_text('SET a = ((b + c))'), update_text('SET a = f(((b)))');

-- Reserved words: all of them, in any case, at every step of a path and in every kind; not as a placeholder's name.
CREATE TABLE reserved (word text COLLATE "C");
INSERT INTO reserved SELECT regexp_split_to_table(
'ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE ARRAY AS ASC ASCII ASENSITIVE
ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH AUTHORIZATION AUTHORIZE AUTO AVG BACK BACKUP BASE BATCH BEFORE BEGIN
BETWEEN BIGINT BINARY BIT BLOB BLOCK BOOLEAN BOTH BREADTH BUCKET BULK BY BYTE CALL CALLED CALLING CAPACITY CASCADE CASCADED
CASE CAST CATALOG CHAR CHARACTER CHECK CLASS CLOB CLOSE CLUSTER CLUSTERED CLUSTERING CLUSTERS COALESCE COLLATE COLLATION
COLLECTION COLUMN COLUMNS COMBINE COMMENT COMMIT COMPACT COMPILE COMPRESS CONDITION CONFLICT CONNECT CONNECTION CONSISTENCY
CONSISTENT CONSTRAINT CONSTRAINTS CONSTRUCTOR CONSUMED CONTINUE CONVERT COPY CORRESPONDING COUNT COUNTER CREATE CROSS CUBE
CURRENT CURSOR CYCLE DATA DATABASE DATE DATETIME DAY DEALLOCATE DEC DECIMAL DECLARE DEFAULT DEFERRABLE DEFERRED DEFINE
DEFINED DEFINITION DELETE DELIMITED DEPTH DEREF DESC DESCRIBE DESCRIPTOR DETACH DETERMINISTIC DIAGNOSTICS DIRECTORIES DISABLE
DISCONNECT DISTINCT DISTRIBUTE DO DOMAIN DOUBLE DROP DUMP DURATION DYNAMIC EACH ELEMENT ELSE ELSEIF EMPTY ENABLE END EQUAL
EQUALS ERROR ESCAPE ESCAPED EVAL EVALUATE EXCEEDED EXCEPT EXCEPTION EXCEPTIONS EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN
EXPLODE EXPORT EXPRESSION EXTENDED EXTERNAL EXTRACT FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL FINISH FIRST
FIXED FLATTERN FLOAT FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION FUNCTIONS GENERAL GENERATE GET GLOB
GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE HAVING HEAP HIDDEN HOLD HOUR IDENTIFIED IDENTITY IF IGNORE
IMMEDIATE IMPORT IN INCLUDING INCLUSIVE INCREMENT INCREMENTAL INDEX INDEXED INDEXES INDICATOR INFINITE INITIALLY INLINE INNER
INNTER INOUT INPUT INSENSITIVE INSERT INSTEAD INT INTEGER INTERSECT INTERVAL INTO INVALIDATE IS ISOLATION ITEM ITEMS ITERATE
JOIN KEY KEYS LAG LANGUAGE LARGE LAST LATERAL LEAD LEADING LEAVE LEFT LENGTH LESS LEVEL LIKE LIMIT LIMITED LINES LIST LOAD
LOCAL LOCALTIME LOCALTIMESTAMP LOCATION LOCATOR LOCK LOCKS LOG LOGED LONG LOOP LOWER MAP MATCH MATERIALIZED MAX MAXLEN MEMBER
MERGE METHOD METRICS MIN MINUS MINUTE MISSING MOD MODE MODIFIES MODIFY MODULE MONTH MULTI MULTISET NAME NAMES NATIONAL
NATURAL NCHAR NCLOB NEW NEXT NO NONE NOT NULL NULLIF NUMBER NUMERIC OBJECT OF OFFLINE OFFSET OLD ON ONLINE ONLY OPAQUE OPEN
OPERATOR OPTION OR ORDER ORDINALITY OTHER OTHERS OUT OUTER OUTPUT OVER OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER
PARAMETERS PARTIAL PARTITION PARTITIONED PARTITIONS PATH PERCENT PERCENTILE PERMISSION PERMISSIONS PIPE PIPELINED PLAN POOL
POSITION PRECISION PREPARE PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES PROCEDURE PROCESSED PROJECT PROJECTION PROPERTY
PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE RANDOM RANGE RANK RAW READ READS REAL REBUILD RECORD RECURSIVE REDUCE REF
REFERENCE REFERENCES REFERENCING REGEXP REGION REINDEX RELATIVE RELEASE REMAINDER RENAME REPEAT REPLACE REQUEST RESET
RESIGNAL RESOURCE RESPONSE RESTORE RESTRICT RESULT RETURN RETURNING RETURNS REVERSE REVOKE RIGHT ROLE ROLES ROLLBACK ROLLUP
ROUTINE ROW ROWS RULE RULES SAMPLE SATISFIES SAVE SAVEPOINT SCAN SCHEMA SCOPE SCROLL SEARCH SECOND SECTION SEGMENT SEGMENTS
SELECT SELF SEMI SENSITIVE SEPARATE SEQUENCE SERIALIZABLE SESSION SET SETS SHARD SHARE SHARED SHORT SHOW SIGNAL SIMILAR SIZE
SKEWED SMALLINT SNAPSHOT SOME SOURCE SPACE SPACES SPARSE SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR SQLEXCEPTION
SQLSTATE SQLWARNING START STATE STATIC STATUS STORAGE STORE STORED STREAM STRING STRUCT STYLE SUB SUBMULTISET SUBPARTITION
SUBSTRING SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM TABLE TABLESAMPLE TEMP TEMPORARY TERMINATED TEXT THAN THEN THROUGHPUT
TIME TIMESTAMP TIMEZONE TINYINT TO TOKEN TOTAL TOUCH TRAILING TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT TRIGGER TRIM
TRUE TRUNCATE TTL TUPLE TYPE UNDER UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST UNPROCESSED UNSIGNED UNTIL UPDATE UPPER URL
USAGE USE USER USERS USING UUID VACUUM VALUE VALUED VALUES VARCHAR VARIABLE VARIANCE VARINT VARYING VIEW VIEWS VIRTUAL VOID
WAIT WHEN WHENEVER WHERE WHILE WINDOW WITH WITHIN WITHOUT WORK WRAPPED WRITE YEAR ZONE',
'\s+');
SELECT count(*), count(DISTINCT word) FROM reserved;
-- Keywords are syntax errors, all others the reserved-word error, spelled as in the expression.
SELECT word FROM reserved
WHERE projection(word) <> 'Attribute name is a reserved keyword; reserved keyword: ' || word ORDER BY 1;
SELECT count(*) FROM reserved
WHERE projection('a.' || initcap(word)) = 'Attribute name is a reserved keyword; reserved keyword: ' || initcap(word)
  AND condition('x[0].' || lower(word) || '.z = :b') = 'Attribute name is a reserved keyword; reserved keyword: ' || lower(word)
  AND update_text('SET a = ' || lower(word)) = 'Attribute name is a reserved keyword; reserved keyword: ' || lower(word)
  AND projection(word || 'X') = 'accepted' AND projection('X' || word) = 'accepted';
SELECT condition('abOrt = :b AND Status = :c'), condition('a.Status = :c'), update_text('REMOVE Status'), projection('a, b.Status');
SELECT item_matches('{"Status": 1}', '#s = :s AND size(#c) = :s', '{":s": 1}', '{"#s": "Status", "#c": "Count"}'),
	item_matches('{"keyword": "ABORT"}', 'size(keyword) = :Status', '{":Status": 5}'),
	item_matches('{"status": 1}', '#STATUS = :s', '{":s": 1}', '{"#STATUS": "status"}');
DROP TABLE reserved;
DROP FUNCTION try, condition, update_text, projection;
