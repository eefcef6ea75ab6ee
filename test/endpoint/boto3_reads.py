"""Query and Scan: conditions, order, pages and paginators, filters, projections, indexes, counts, segments; what Python computes from the
same items is what they must return."""

import itertools
import threading

from sdk import check, check_equal, check_error, connect, create_table, run

client = connect()
table = "Read"

# 3 partitions of 70 items; a third of the items is in the sparse index by_status.
items = []
for partition, number in itertools.product(range(3), range(70)):
    one = {"pk": {"S": f"p{partition}"}, "sk": {"S": f"{'A' if number % 2 else 'B'}#{number:03}"}, "n": {"N": str(number)},
           "text": {"S": "x" * number}, "even": {"BOOL": number % 2 == 0}}
    if number % 3 == 0:
        one["status"] = {"S": "OPEN" if number % 2 else "DONE"}
    items.append(one)


def by_key(found):
    return sorted(found, key=lambda one: (one["pk"]["S"], one["sk"]["S"]))


def query(condition, values, **options):
    return client.query(TableName=table, KeyConditionExpression=condition, ExpressionAttributeValues=values, **options)


def test_load():
    for start in range(0, len(items), 25):
        response = client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": one}} for one in items[start:start + 25]]})
        check_equal(response["UnprocessedItems"], {}, f"BatchWriteItem stores the items from {start}")


def test_query():
    values = {":p": {"S": "p1"}, ":a": {"S": "A#"}, ":b": {"S": "A#020"}, ":c": {"S": "B#010"}}
    for condition, holds in (
            ("pk = :p", lambda sk: True),
            ("pk = :p AND begins_with(sk, :a)", lambda sk: sk.startswith("A#")),
            ("pk = :p AND sk = :c", lambda sk: sk == "B#010"),
            ("pk = :p AND sk > :b", lambda sk: sk > "A#020"),
            ("pk = :p AND sk <= :b", lambda sk: sk <= "A#020"),
            ("pk = :p AND sk BETWEEN :b AND :c", lambda sk: "A#020" <= sk <= "B#010")):
        used = {name: value for name, value in values.items() if name in condition}
        expected = [one for one in by_key(items) if one["pk"]["S"] == "p1" and holds(one["sk"]["S"])]
        response = query(condition, used)
        check_equal(response["Items"], expected, f"Query {condition}")
        check_equal((response["Count"], response["ScannedCount"], "LastEvaluatedKey" in response), (len(expected), len(expected), False),
                    "with its counts, and no further page")
        check_equal(query(condition, used, ScanIndexForward=False)["Items"], expected[::-1], "and backward")
    check_equal(query("pk = :p", {":p": {"S": "nobody"}})["Items"], [], "Query of a partition without items")


def test_filter_and_projection():
    condition, values = "pk = :p", {":p": {"S": "p2"}, ":n": {"N": "40"}, ":true": {"BOOL": True}}
    expected = [one for one in by_key(items) if one["pk"]["S"] == "p2" and int(one["n"]["N"]) > 40 and one["even"]["BOOL"]]
    response = query(condition, values, FilterExpression="n > :n AND even = :true", ProjectionExpression="sk, #t",
                     ExpressionAttributeNames={"#t": "text"})
    check_equal(response["Items"], [{"sk": one["sk"], "text": one["text"]} for one in expected], "a filter and a projection")
    check_equal((response["Count"], response["ScannedCount"]), (len(expected), 70), "Count is after the filter, ScannedCount before it")
    response = query(condition, values, FilterExpression="n > :n AND even = :true", Select="COUNT")
    check_equal((response["Count"], "Items" in response), (len(expected), False), "Select COUNT has no Items")


def test_pages():
    expected = [one for one in by_key(items) if one["pk"]["S"] == "p0"]
    for forward, limit in itertools.product((True, False), (1, 7, 70, 1000)):
        found, start, pages = [], {}, 0
        while True:
            response = query("pk = :p", {":p": {"S": "p0"}}, Limit=limit, ScanIndexForward=forward, **start)
            found += response["Items"]
            pages += 1
            if "LastEvaluatedKey" not in response:
                break
            check_equal(sorted(response["LastEvaluatedKey"]), ["pk", "sk"], "LastEvaluatedKey is a key") if pages == 1 else None
            start = {"ExclusiveStartKey": response["LastEvaluatedKey"]}
        check_equal(found, expected if forward else expected[::-1], f"pages of {limit}, {'forward' if forward else 'backward'}")
    pages = list(client.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p0"}},
        PaginationConfig={"PageSize": 9}))
    check_equal(([one for page in pages for one in page["Items"]], len(pages)), (expected, 8), "the paginator of Query")
    total = client.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p0"}, ":n": {"N": "66"}},
        FilterExpression="n >= :n", PaginationConfig={"PageSize": 9}).build_full_result()
    check_equal((total["Count"], total["ScannedCount"]), (4, 70), "build_full_result sums the counts")
    limited = client.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p0"}},
        PaginationConfig={"PageSize": 9, "MaxItems": 20}).build_full_result()
    check_equal(limited["Items"], expected[:20], "MaxItems of the paginator")
    again = client.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p0"}},
        PaginationConfig={"PageSize": 9, "StartingToken": limited["NextToken"]}).build_full_result()
    check_equal(again["Items"], expected[20:], "and its token goes on behind them")


def test_indexes():
    expected = sorted((one for one in items if one.get("status", {}).get("S") == "OPEN"),
                      key=lambda one: (int(one["n"]["N"]), one["pk"]["S"]))
    pages = list(client.get_paginator("query").paginate(
        TableName=table, IndexName="by_status", KeyConditionExpression="#s = :s", ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": {"S": "OPEN"}}, PaginationConfig={"PageSize": 4}))
    found = [one for page in pages for one in page["Items"]]
    check_equal(by_key(found), by_key(expected), "a query of a sparse index finds each item once")
    check_equal([one["n"] for one in found], [one["n"] for one in expected], "in the order of its sort key")
    check_equal(sorted(pages[0]["LastEvaluatedKey"]), ["n", "pk", "sk", "status"], "its LastEvaluatedKey is the key of both")
    local = query("pk = :p AND n BETWEEN :a AND :b", {":p": {"S": "p1"}, ":a": {"N": "9"}, ":b": {"N": "11"}}, IndexName="by_number",
                  ConsistentRead=True)
    check_equal(local["Items"], [{name: one[name] for name in ("pk", "sk", "n")} for one in items[70 + 9:70 + 12]],
                "a consistent query of a local index that projects keys only")
    scanned = client.scan(TableName=table, IndexName="by_status")["Items"]
    check_equal(by_key(scanned), by_key(one for one in items if "status" in one), "a scan of a sparse index")
    check_error("ValidationException", lambda: query("pk = :p", {":p": {"S": "p"}}, IndexName="nothing"), "an index that is not there",
                "The table does not have the specified index: nothing")
    check_error("ValidationException", lambda: client.query(
        TableName=table, IndexName="by_status", KeyConditionExpression="#s = :s", ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": {"S": "OPEN"}}, ConsistentRead=True), "a consistent read of a global index",
                "Consistent reads are not supported on global secondary indexes")
    check_error("ValidationException", lambda: query("sk = :s", {":s": {"S": "x"}}), "a query without the partition key",
                "Query condition missed key schema element: pk")


def test_scan():
    check_equal(by_key(client.scan(TableName=table)["Items"]), by_key(items), "Scan finds all items")
    pages = list(client.get_paginator("scan").paginate(TableName=table, PaginationConfig={"PageSize": 32}))
    check_equal((by_key(one for page in pages for one in page["Items"]), len(pages)), (by_key(items), 7), "the paginator of Scan")
    response = client.scan(TableName=table, FilterExpression="attribute_exists(#s) AND contains(#t, :x)",
                           ExpressionAttributeNames={"#s": "status", "#t": "text"}, ExpressionAttributeValues={":x": {"S": "x" * 40}})
    check_equal(by_key(response["Items"]), by_key(one for one in items if "status" in one and len(one["text"]["S"]) >= 40),
                "a filter of Scan")
    check_equal(response["ScannedCount"], 210, "is counted after the scan")
    check_error("ResourceNotFoundException", lambda: client.scan(TableName="Nowhere"), "Scan without a table",
                kind=client.exceptions.ResourceNotFoundException)


def test_segments():
    for total in 1, 4, 13:
        found, threads = [], []

        def read(segment):
            for page in client.get_paginator("scan").paginate(TableName=table, Segment=segment, TotalSegments=total,
                                                              PaginationConfig={"PageSize": 10}):
                found.extend(page["Items"])

        for segment in range(total):
            threads.append(threading.Thread(target=read, args=(segment,)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        check_equal(by_key(found), by_key(items), f"{total} segments read in parallel find each item once")


def test_page_of_a_megabyte():
    create_table(client, "Large", "pk:S sk:N")
    for number in range(12):
        client.put_item(TableName="Large", Item={"pk": {"S": "p"}, "sk": {"N": str(number)}, "data": {"B": bytes([number]) * 200000}})
    pages = list(client.get_paginator("query").paginate(TableName="Large", KeyConditionExpression="pk = :p",
                                                        ExpressionAttributeValues={":p": {"S": "p"}}))
    check_equal([int(one["sk"]["N"]) for page in pages for one in page["Items"]], list(range(12)), "pages end at a megabyte, nothing is lost")
    check_equal([len(page["Items"]) for page in pages], [6, 6] if "LastEvaluatedKey" not in pages[1] else [6, 6, 0],
                "the item that goes over it is the last of its page")
    check(all(one["data"]["B"] == bytes([int(one["sk"]["N"])]) * 200000 for page in pages for one in page["Items"]), "each with its bytes")
    client.delete_table(TableName="Large")


def test_older_parameters():
    response = client.query(TableName=table, KeyConditions={
        "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "p0"}]},
        "sk": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": "B#00"}]}},
        QueryFilter={"n": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "3"}]}}, AttributesToGet=["n"])
    check_equal(response["Items"], [{"n": {"N": "4"}}, {"n": {"N": "6"}}, {"n": {"N": "8"}}], "KeyConditions, QueryFilter, AttributesToGet")
    response = client.scan(TableName=table, ScanFilter={"status": {"ComparisonOperator": "NOT_NULL"}}, Select="COUNT")
    check_equal(response["Count"], 72, "ScanFilter")


create_table(client, table, "pk:S sk:S", indexes=[("by_status", "status:S n:N", "ALL")], local_indexes=[("by_number", "pk:S n:N", "KEYS_ONLY")])
run(test_load, test_query, test_filter_and_projection, test_pages, test_indexes, test_scan, test_segments, test_page_of_a_megabyte,
    test_older_parameters)
client.delete_table(TableName=table)
