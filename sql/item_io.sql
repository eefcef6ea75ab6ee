-- Text input in both forms, canonical text output.
SELECT item '{}';
SELECT item '{"name": "Ann", "age": 31, "gone": null, "tags": ["a", 2.50, true, [], {}], "address": {"zip": "1"}}';
SELECT item '{"z": {"M": {"a": {"L": [{"N": "1"}, {"BOOL": false}, {"NULL": true}]}}}, "n": {"NS": ["10", "-2.50", "1e3"]},
  "b": {"B": "aGVsbG8="}, "s": {"SS": ["b", "", "a"]}, "bs": {"BS": ["Yg==", ""]}}';
-- Of a repeated name the last value stays.
SELECT item '{"a": 1, "a": 2, "b": 3, "a": 4}';
