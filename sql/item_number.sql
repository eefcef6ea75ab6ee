-- Numbers: what is accepted, normal form, order and limits; numeric is the oracle.
CREATE FUNCTION pg_temp.number(text text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN json_build_object('a', json_build_object('N', text))::text::item ->> 'a';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- reference/data-model, section 4: accepted and rejected.
SELECT text AS accepted, pg_temp.number(text) AS number
FROM unnest(ARRAY['3', '-7.1234', '+3', '.123', '5.', '-.5', '0001.23', '1e+5', '-17.4E37', '1E-130']) WITH ORDINALITY AS c(text, n) ORDER BY n;
SELECT text AS rejected, pg_temp.number(text) AS error
FROM unnest(ARRAY['', ' 1', '1 ', 'NaN', 'Infinity', '-Infinity', 'dog', '1_000', '1e', '.', '+e2', '1+2', '1.2.3', '++5', '0x10',
  '+', '-', '-.', 'e5', '1e+', '1e-', '1e5.5', '1e5e5', '1,5', '٣', '1f', '--1', E'1\n', 'nan', 'inf', '1e 5', 'é']) WITH ORDINALITY AS c(text, n) ORDER BY n;
SELECT pg_temp.number(E'1\\u00002') AS escaped_in_json, item_from_dynamodb_json('{"a": {"N": "1e\u0031"}}') AS unescaped_first;
-- Normal form.
SELECT text AS given, pg_temp.number(text) AS returned
FROM unnest(ARRAY['007', '+7', '7.0', '7.', '-0', '-0.0', '0e5', '00', '1e3', '1.0E+3', '1.5e2', '1e125', '1.10', '.5', '5e-1', '-.5', '123e-2', '1E-130',
  '-1e125', '-1E-130', '0.1', '10', '100', '1000', '10.01', '-10.01', '0.010', '99', '100.0', '-99.99', '0.0e126', '0e126', '0e-131', '0e999999999999999999999',
  '0.00000000000000000000e-100000000000000000000']) WITH ORDINALITY AS c(text, n) ORDER BY n;
-- Limits.
SELECT what, pg_temp.number(text) AS result, pg_temp.number('-' || text) = '-' || pg_temp.number(text) AS same_below_zero
FROM (VALUES
  ('largest', '9.9999999999999999999999999999999999999E+125'), ('largest, all digits', repeat('9', 38) || repeat('0', 88)),
  ('one more', '1E+126'), ('one more, all digits', '1' || repeat('0', 126)), ('written exponent does not matter', '0.1e126'), ('nor here', '11e125'), ('nor here', '0.9e-130'),
  ('nor here', '10e-131'), ('nor here', '0.000000000001e138'), ('smallest', '1E-130'), ('smaller', '9.9E-131'), ('smaller', '1e-131'), ('precise and small', '1.2345678901234567890123456789012345678E-130'),
  ('38 digits', '12345678901234567890123456789012345678'), ('39 digits', '123456789012345678901234567890123456789'), ('39 digits, one a zero', '123456789012345678901234567890123456780'),
  ('38 digits around the point', '1234567890123456789.0123456789012345678'), ('39 digits around the point', '1234567890123456789.01234567890123456789'), ('39 places', '0.123456789012345678901234567890123456789'),
  ('38 digits far apart', '1' || repeat('0', 36) || '1'), ('39 digits far apart', '1' || repeat('0', 37) || '1'), ('one digit', '1' || repeat('0', 125)), ('one digit', '0.' || repeat('0', 129) || '1'),
  ('leading zeros', repeat('0', 1000) || '42'), ('trailing zeros', '42.' || repeat('0', 1000)), ('39 digits and too large: range first', '1' || repeat('0', 125) || '1' || repeat('0', 30)),
  ('huge exponent', '1.0e100000000'), ('huge exponent', '1e99999999999999999999999999'), ('huge negative exponent', '1e-99999999999999999999999999'), ('huge mantissa, small exponent', '1' || repeat('0', 1000) || 'e-1000'),
  ('small mantissa, huge exponent', '0.' || repeat('0', 999) || '1e1000')) AS v(what, text);
SELECT pg_temp.number('-9.9999999999999999999999999999999999999E+125') AS smallest_of_all, pg_temp.number('-1e126') AS less;
-- Numbers of plain JSON, of casts, and members of number sets follow the same rules.
SELECT item '{"a": 9.9999999999999999999999999999999999999E+125, "b": -0.00, "c": 1E-130, "d": 100e-2}' = item '{"a": {"N": "9.9999999999999999999999999999999999999E+125"}, "b": {"N": "0"}, "c": {"N": "1E-130"}, "d": {"N": "1"}}' AS plain;
SELECT item '{"a": 1E126}';
SELECT item '{"a": 1E-131}';
SELECT item '{"a": 123456789012345678901234567890123456789}';
SELECT item '{"a": {"NS": ["1", "1E126"]}}';
SELECT item '{"a": {"NS": ["1", ""]}}';
SELECT item '{"a": {"NS": ["1", "x"]}}';

-- A few thousand numbers: all lengths, all exponents, both signs, digits that carry over from byte to byte.
CREATE TEMP TABLE number AS
SELECT n, text, text::numeric AS number, json_build_object('a', json_build_object('N', text))::text::item AS item
FROM (SELECT n, CASE WHEN n % 3 = 0 THEN '-' ELSE '' END || CASE n % 7 WHEN 0 THEN '0' WHEN 1 THEN '000' ELSE '' END ||
    -- 1 to 38 digits, the point anywhere
    left(digits, point) || '.' || substr(digits, point + 1) || CASE WHEN n % 5 > 0 THEN 'e' || exponent - point ELSE '' END AS text
  FROM (SELECT n, CASE n % 4 WHEN 0 THEN repeat('9', 1 + n % 38) WHEN 1 THEN rpad('1', 1 + n % 38, '0') ELSE
      left(translate(md5(n::text) || md5(n || 'x'), 'abcdef', '012900'), 1 + n % 38) END AS digits, (n * 7) % (1 + n % 38 + 1) AS point,
      (n * 31) % 250 - 127 AS exponent FROM generate_series(0, 4999) AS n) AS parts) AS texts
WHERE CASE WHEN text::numeric = 0 THEN true ELSE abs(text::numeric) BETWEEN 1e-130 AND 9.9999999999999999999999999999999999999e125 END;
INSERT INTO number SELECT -n, number::text, number, json_build_object('a', number)::text::item
FROM generate_series(1, 600) AS n, LATERAL (SELECT CASE WHEN n <= 300 THEN n - 150 ELSE (n - 450) / 100.0 END AS number) AS v;
INSERT INTO number SELECT -1000 - row_number() OVER (), number::text, number, json_build_object('a', number)::text::item
FROM unnest('{32767,32768,2147483647,2147483648,-2147483648,9223372036854775807,-9223372036854775808,9223372036854775808,-9223372036854775809,9223372036854775806,
  99999999999999999999,100000000000000000000,18446744073709551616,1000000000000000000,-1000000000000000000,92233720368547758070}'::numeric[]) AS number;
SELECT count(*) > 4000 AS enough, count(DISTINCT number) > 3500 AS different, min(number) < -1e120 AS very_small, max(number) > 1e120 AS very_large,
  min(abs(number)) FILTER (WHERE number <> 0) < 1e-120 AS very_near_zero FROM number;
SELECT count(*) FILTER (WHERE item ->> 'a' IS DISTINCT FROM trim_scale(number)::text) AS text_differs,
  count(*) FILTER (WHERE item_numeric(item, 'a') IS DISTINCT FROM number) AS numeric_differs,
  count(*) FILTER (WHERE item_numeric(item, 'a')::text IS DISTINCT FROM trim_scale(number)::text) AS numeric_scale_differs,
  count(*) FILTER (WHERE item -> 'a' IS DISTINCT FROM to_jsonb(number)) AS jsonb_differs,
  count(*) FILTER (WHERE jsonb_build_object('a', number)::item <> item) AS from_numeric_differs,
  count(*) FILTER (WHERE item::text::item <> item) AS round_trip_differs
FROM number;
-- What numeric calls equal is equal bytes, and the orders are one.
SELECT count(*) AS order_differs
FROM (SELECT rank() OVER (ORDER BY item) AS item_rank, rank() OVER (ORDER BY number) AS number_rank FROM number) AS r WHERE item_rank <> number_rank;
SELECT count(*) AS pairs, count(*) FILTER (WHERE (a.item < b.item) <> (a.number < b.number) OR (a.item = b.item) <> (a.number = b.number)) AS differ
FROM number AS a, number AS b WHERE a.n % 11 = 3 AND b.n % 13 = 5;
-- A set sorts its members by value.
SELECT array_agg(member::numeric ORDER BY n) = (SELECT array_agg(DISTINCT number) FROM number WHERE n % 7 = 3) AS set_is_sorted
FROM jsonb_array_elements_text((SELECT ('{"a": {"NS": ' || jsonb_agg(DISTINCT trim_scale(number)::text)::text || '}}')::item -> 'a' FROM number WHERE n % 7 = 3)) WITH ORDINALITY AS m(member, n);
-- Size: 1, one per two significant digits on either side of the point, and one for a minus.
SELECT count(*) AS size_differs FROM number, LATERAL (SELECT trim_scale(abs(number))::text AS t) AS t,
  LATERAL (SELECT trim('0' FROM split_part(t, '.', 1)) AS whole, split_part(t, '.', 2) AS fraction) AS p,
  LATERAL (SELECT CASE WHEN fraction = '' THEN length(whole) ELSE length(ltrim(split_part(t, '.', 1), '0')) END AS i,
    CASE WHEN ltrim(split_part(t, '.', 1), '0') = '' THEN length(ltrim(fraction, '0')) ELSE length(fraction) END AS f) AS d
WHERE item_size(item) - 1 <> 1 + (i + 1) / 2 + (f + 1) / 2 + (number < 0)::int;
-- Numbers of jsonb that DynamoDB has not are refused by the cast.
SELECT jsonb_build_object('a', 1e126)::item;
SELECT jsonb_build_object('a', -1e-131)::item;
SELECT jsonb_build_object('a', 1e38 + 1)::item;

-- Addition and subtraction, by which updates calculate: exact, and an overflow when 38 digits do not suffice.
CREATE FUNCTION pg_temp.calculate(a text, operator text, b text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN item_update(json_build_object('a', json_build_object('N', a))::text::item, format('SET r = a %s :b', operator), json_build_object(':b', json_build_object('N', b))::text::item) ->> 'r';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT a, operator, b, pg_temp.calculate(a, operator, b) AS result FROM (VALUES
  ('0', '+', '0'), ('1', '-', '1'), ('0.1', '+', '0.2'), ('9223372036854775807', '+', '1'), ('-9223372036854775808', '-', '1'), ('9223372036854775807', '-', '-1'), ('-1', '-', '-9223372036854775808'),
  ('99999999999999999999999999999999999999', '+', '1'), ('99999999999999999999999999999999999999', '+', '0.1'), ('1e50', '+', '1'), ('1e50', '-', '1e12'), ('1e50', '-', '1e13'), ('1e125', '+', '1e125'), ('9.9999999999999999999999999999999999999e125', '+', '1e88'),
  ('9e125', '+', '1e125'), ('-9e125', '-', '1e125'), ('9e125', '-', '1e125'), ('1e-130', '+', '1e-130'), ('1.5e-130', '-', '1e-130'), ('1.5e-130', '-', '1.5e-130'), ('1e-130', '-', '1e-92'), ('1e-130', '-', '1e-93'), ('-1e-130', '+', '1'), ('1e125', '-', '1e125'),
  ('123456789012345678901234567890.12345678', '-', '123456789012345678901234567890'), ('0.5', '+', '0.5'), ('1e18', '+', '1e18'), ('9e18', '+', '9e18')) AS v(a, operator, b);
SELECT count(*) AS sums, count(*) FILTER (WHERE exact) AS exact, count(*) FILTER (WHERE CASE WHEN exact THEN result IS DISTINCT FROM trim_scale(expected)::text
    ELSE result IS DISTINCT FROM 'KV001 Number overflow. Attempting to store a number with magnitude larger than supported range' END) AS wrong
FROM (SELECT result, expected, abs(expected) < 1e126 AND length(trim(trim('0' FROM replace(trim_scale(abs(expected))::text, '.', '')))) <= 38 AS exact
  FROM (SELECT pg_temp.calculate(a.number::text, operator, b.number::text) AS result, CASE operator WHEN '+' THEN a.number + b.number ELSE a.number - b.number END AS expected
    FROM number AS a, number AS b, unnest('{+,-}'::text[]) AS operator WHERE a.n % 97 = 3 AND b.n % 41 = 5 AND abs(a.number) + abs(b.number) < 1e60 AND least(abs(a.number), abs(b.number)) > 1e-60) AS s) AS t;
