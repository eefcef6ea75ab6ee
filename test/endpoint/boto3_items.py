"""PutItem, GetItem, UpdateItem and DeleteItem: every type of value, conditions, return values, exceptions, sizes, the older parameters."""

import random
import zlib

from botocore.exceptions import ClientError

from sdk import check, check_equal, check_error, connect, create_table, run

client = connect()
table = "Item"

item = {
    "pk": {"S": "types"}, "sk": {"N": "1"},
    "string": {"S": "a \"quoted\" \\ line\nand \u0000 too"}, "empty": {"S": ""},
    "unicode": {"S": "gr\u00fc\u00df \u4f60\u597d \U0001f9ea e\u0301 \u202e \uffff"},
    "number": {"N": "12345678901234567890.123456789012345678"}, "small": {"N": "-0.0000001"},
    "binary": {"B": bytes(range(256))}, "empty binary": {"B": b""},
    "true": {"BOOL": True}, "null": {"NULL": True},
    "list": {"L": [{"S": "x"}, {"N": "1"}, {"L": []}, {"M": {}}]},
    "map": {"M": {"a.b": {"S": "dot"}, "\u00fc": {"M": {"deep": {"L": [{"BOOL": False}]}}}}},
    "strings": {"SS": ["a", "b", "\u00fc"]}, "numbers": {"NS": ["-1", "2", "3.5"]}, "binaries": {"BS": [b"\x00", b"\x00\x01", b"\xff"]},
}
key = {name: item[name] for name in ("pk", "sk")}


def put(**options):
    return client.put_item(TableName=table, **options)


def get(key, **options):
    return client.get_item(TableName=table, Key=key, **options).get("Item")


def update(key, expression=None, **options):
    options = {"ReturnValues": "ALL_NEW", **options}
    if expression:
        options["UpdateExpression"] = expression
    return client.update_item(TableName=table, Key=key, **options).get("Attributes")


def key_of(name, number=0):
    return {"pk": {"S": name}, "sk": {"N": str(number)}}


def normal(value):
    """Sets have no order."""
    if isinstance(value, dict):
        return {name: sorted(member) if name in ("SS", "NS", "BS") and isinstance(member, list) else normal(member)
                for name, member in value.items()}
    return [normal(member) for member in value] if isinstance(value, list) else value


def test_types():
    put(Item=item)
    found = normal(get(key, ConsistentRead=True))
    for name in item:
        check_equal(found.get(name), normal(item[name]), f"an item returns as it was stored: {name}")
    check_equal(sorted(found), sorted(item), "and has no other attributes")


def test_projection():
    check_equal(get(key, ProjectionExpression="#l[1], #m.#u.deep[0], pk",
                    ExpressionAttributeNames={"#l": "list", "#m": "map", "#u": "\u00fc"}),
                {"pk": {"S": "types"}, "list": {"L": [{"N": "1"}]},
                 "map": {"M": {"\u00fc": {"M": {"deep": {"L": [{"BOOL": False}]}}}}}}, "a projection of nested paths")
    response = client.get_item(TableName=table, Key=key_of("nobody"))
    check("Item" not in response, "an item that is not there has no Item")


def test_return_values():
    check("Attributes" not in put(Item={**key_of("r"), "a": {"N": "1"}, "b": {"N": "2"}}, ReturnValues="ALL_OLD"),
          "PutItem ALL_OLD of a new item has no Attributes")
    check_equal(put(Item={**key_of("r"), "a": {"N": "3"}, "b": {"N": "2"}}, ReturnValues="ALL_OLD")["Attributes"],
                {**key_of("r"), "a": {"N": "1"}, "b": {"N": "2"}}, "PutItem ALL_OLD")
    values = {":x": {"N": "1"}}
    for kind, before, expected in (
            ("NONE", "3", None), ("UPDATED_OLD", "4", {"a": {"N": "4"}}), ("UPDATED_NEW", "5", {"a": {"N": "6"}}),
            ("ALL_OLD", "6", {**key_of("r"), "a": {"N": "6"}, "b": {"N": "2"}}),
            ("ALL_NEW", "7", {**key_of("r"), "a": {"N": "8"}, "b": {"N": "2"}})):
        check_equal(get(key_of("r"))["a"], {"N": before}, f"the update before UpdateItem {kind} was done")
        check_equal(update(key_of("r"), "SET a = a + :x", ExpressionAttributeValues=values, ReturnValues=kind), expected,
                    f"UpdateItem {kind}")
    check_equal(client.delete_item(TableName=table, Key=key_of("r"), ReturnValues="ALL_OLD")["Attributes"]["a"], {"N": "8"},
                "DeleteItem ALL_OLD")
    check_equal(get(key_of("r")), None, "and the item is gone")
    check("Attributes" not in client.delete_item(TableName=table, Key=key_of("r"), ReturnValues="ALL_OLD"),
          "DeleteItem of an item that is not there succeeds")


def test_update_expressions():
    update(key_of("u"), "SET l = :l, k = :k, m = :m, n = :n ADD s :s", ExpressionAttributeValues={
        ":l": {"L": [{"N": "1"}]}, ":k": {"L": [{"N": "2"}, {"N": "3"}]}, ":m": {"M": {"x": {"S": "y"}}}, ":n": {"N": "10"}, ":s": {"SS": ["a", "b"]}})
    check_equal(normal(update(key_of("u"),
                              "SET l = list_append(l, :l), m.z = if_not_exists(m.q, :n), n = n - :n REMOVE m.x, k[0] ADD c :n DELETE s :s",
                              ExpressionAttributeValues={":l": {"L": [{"S": "end"}]}, ":n": {"N": "2.5"}, ":s": {"SS": ["a"]}})),
                {**key_of("u"), "l": {"L": [{"N": "1"}, {"S": "end"}]}, "k": {"L": [{"N": "3"}]}, "m": {"M": {"z": {"N": "2.5"}}}, "n": {"N": "7.5"},
                 "c": {"N": "2.5"}, "s": {"SS": ["b"]}}, "SET, REMOVE, ADD and DELETE in one expression")
    check_equal(update(key_of("upsert")), key_of("upsert"), "UpdateItem without an expression creates the item")
    check_error("ValidationException", lambda: update(key_of("u"), "SET n = :n", ExpressionAttributeValues={
        ":n": {"N": "1"}, ":unused": {"N": "1"}}), "a value that is not used",
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}")
    check_error("ValidationException", lambda: update(key_of("u"), "SET n = m + :n", ExpressionAttributeValues={":n": {"N": "1"}}),
                "an operand of the wrong type", "An operand in the update expression has an incorrect data type")


def test_conditions():
    put(Item={**key_of("c"), "v": {"N": "1"}, "tags": {"SS": ["a", "b"]}, "name": {"S": "Ann"}})
    held = (
        "attribute_exists(pk)", "attribute_not_exists(nothing)", "v = :one", "v <> :two", "v < :two", "v BETWEEN :one AND :two",
        "v IN (:two, :one)", "contains(tags, :a)", "begins_with(#n, :prefix)", "attribute_type(tags, :ss)", "size(#n) = :three",
        "NOT (v = :two) AND (v = :two OR contains(#n, :letter))")
    values = {":one": {"N": "1"}, ":two": {"N": "2"}, ":three": {"N": "3"}, ":a": {"S": "a"}, ":prefix": {"S": "An"}, ":ss": {"S": "SS"},
              ":letter": {"S": "n"}}

    def options(condition):
        used = {name: value for name, value in values.items() if name in condition.replace("(", " ").replace(")", " ").replace(
            ",", " ").split()}
        return {"ConditionExpression": condition, **({"ExpressionAttributeValues": used} if used else {}),
                **({"ExpressionAttributeNames": {"#n": "name"}} if "#n" in condition else {})}

    for condition in held:
        client.update_item(TableName=table, Key=key_of("c"), **options(condition))
        check(True, f"holds: {condition}")
        check_error("ConditionalCheckFailedException", lambda: client.delete_item(
            TableName=table, Key=key_of("c"), **options(f"NOT ({condition})" if "OR" not in condition else "v = :two")),
                    f"fails when negated: {condition}", "The conditional request failed", client.exceptions.ConditionalCheckFailedException)
    check_error("ConditionalCheckFailedException", lambda: put(Item=key_of("c"), ConditionExpression="attribute_not_exists(pk)"),
                "PutItem of an item that must not be there", kind=client.exceptions.ConditionalCheckFailedException)
    check_equal(get(key_of("c"))["v"], {"N": "1"}, "a failed condition writes nothing")


def test_old_item_of_failure():
    """ReturnValuesOnConditionCheckFailure is younger than Debian's botocore, so the parameter is put into the body on the way."""
    stored = {**key_of("f"), "v": {"N": "1"}, "b": {"B": b"\x00\x01"}}
    put(Item=stored)
    with_old = connect()
    with_old.meta.events.register("before-call.dynamodb.PutItem", lambda params, **_: params.update(
        body=params["body"][:-1] + b', "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}'))
    answers = []
    with_old.meta.events.register("after-call.dynamodb.PutItem", lambda http_response, **_: answers.append(http_response.content))
    check_error("ConditionalCheckFailedException", lambda: with_old.put_item(
        TableName=table, Item=key_of("f"), ConditionExpression="attribute_not_exists(pk)"), "a failed condition that asks for the item",
                "The conditional request failed")
    check(answers and b'"Item"' in answers[0] and b'"AAE="' in answers[0], "has the item in its answer", answers)


def test_older_parameters():
    put(Item={**key_of("o"), "a": {"N": "1"}})
    check_equal(update(key_of("o"), AttributeUpdates={"a": {"Action": "ADD", "Value": {"N": "5"}}, "b": {"Value": {"S": "new"}}},
                       Expected={"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}}),
                {**key_of("o"), "a": {"N": "6"}, "b": {"S": "new"}}, "AttributeUpdates and Expected")
    check_error("ConditionalCheckFailedException", lambda: update(key_of("o"), AttributeUpdates={"b": {"Action": "DELETE"}},
                                                                  Expected={"a": {"Exists": False}}), "Expected that fails")
    check_equal(get(key_of("o"), AttributesToGet=["b"]), {"b": {"S": "new"}}, "AttributesToGet")


def test_exceptions():
    nowhere = client.exceptions.ResourceNotFoundException
    check_error("ResourceNotFoundException", lambda: client.get_item(TableName="Nowhere", Key=key_of("x")), "GetItem without a table",
                "Requested resource not found", nowhere)
    check_error("ResourceNotFoundException", lambda: client.put_item(TableName="Nowhere", Item=key_of("x")), "PutItem without a table",
                "Requested resource not found", nowhere)
    check_error("ValidationException", lambda: get({"pk": {"S": "x"}}), "a key without its sort key",
                "The provided key element does not match the schema")
    check_error("ValidationException", lambda: put(Item={"pk": {"S": "x"}, "sk": {"S": "y"}}), "a key of the wrong type",
                "One or more parameter values were invalid: Type mismatch for key sk expected: N actual: S")
    check_error("ValidationException", lambda: put(Item={**key_of("x"), "n": {"N": "1e999"}}), "a number that is too large",
                "Number overflow. Attempting to store a number with magnitude larger than supported range")
    check_error("ValidationException", lambda: put(Item={**key_of("x"), "s": {"SS": []}}), "an empty set",
                "One or more parameter values were invalid: An string set  may not be empty")
    check_error("ValidationException", lambda: update(key_of("x"), "SET name = :n", ExpressionAttributeValues={":n": {"S": ""}}),
                "a reserved word", "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name")
    check_error("ValidationException", lambda: update(key_of("x"), "SET"), "a syntax error",
                'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"')


def test_sizes():
    # Name and value of every attribute count: 409,600 bytes are the most.
    base = {**key_of("size"), "data": {"S": ""}}
    for kind in "S", "B":
        empty = "" if kind == "S" else b""
        fill = "x" if kind == "S" else b"\xa5"
        low, high = 409000, 409700
        while high - low > 1:
            middle = (low + high) // 2
            try:
                put(Item={**base, "data": {kind: fill * middle}})
                low = middle
            except ClientError as error:
                message = error.response["Error"]["Message"]
                high = middle
        check_equal(message, "Item size has exceeded the maximum allowed size", f"an item of type {kind} may become too large")
        # pk, 4; sk, a number of one digit: 1 or 2 bytes; data
        check(409600 - (2 + 4 + 2 + 2 + 4) <= low <= 409600 - (2 + 4 + 2 + 1 + 4), f"at 409,600 bytes ({kind})", low)
        check_equal(get(key_of("size"))["data"][kind].strip(fill), empty, f"the item returns whole ({kind})")
    text = "".join(random.Random(1).choices("a\u00fc\u4f60\U0001f9ea\"\\\n\t", k=60000))
    put(Item={**base, "data": {"S": text}})
    check(get(key_of("size"))["data"]["S"] == text, "60,000 random characters return as they were")


def test_many_attributes():
    many = {f"attribute {number}": {"N": str(number)} for number in range(2000)}
    put(Item={**key_of("many"), **many})
    check_equal(len(get(key_of("many"))), 2002, "an item with 2,000 attributes")
    deep = {"S": "bottom"}
    for number in range(31):
        deep = {"M": {"d": deep}} if number % 2 else {"L": [deep]}
    put(Item={**key_of("deep"), "deep": deep})
    check_equal(get(key_of("deep"))["deep"], deep, "31 levels of nesting")


def test_capacity():
    response = put(Item=item, ReturnConsumedCapacity="TOTAL")
    check_equal(response["ConsumedCapacity"]["TableName"], table, "ConsumedCapacity names the table")
    check(response["ConsumedCapacity"]["CapacityUnits"] >= 1, "and counts units")
    response = client.get_item(TableName=table, Key=key, ReturnConsumedCapacity="TOTAL")
    check_equal(response["ConsumedCapacity"]["CapacityUnits"], 0.5, "half a unit for a read that need not be consistent")
    check("ConsumedCapacity" not in client.get_item(TableName=table, Key=key), "none without being asked")


def test_answers():
    bodies = []
    looking = connect()
    looking.meta.events.register("after-call.dynamodb.GetItem", lambda http_response, **_: bodies.append(http_response.content))
    response = looking.get_item(TableName=table, Key=key)
    headers = response["ResponseMetadata"]["HTTPHeaders"]
    check_equal([str(zlib.crc32(body)) for body in bodies], [headers.get("x-amz-crc32")], "an answer has its checksum, which botocore verifies")
    check_equal(len(headers["x-amzn-requestid"]), 52, "and an id of 52 characters")
    check_equal(headers["content-type"], "application/x-amz-json-1.0", "and the content type of the request")
    check(response["ResponseMetadata"]["RetryAttempts"] == 0, "and came at once")


create_table(client, table, "pk:S sk:N")
run(test_types, test_projection, test_return_values, test_update_expressions, test_conditions, test_old_item_of_failure,
    test_older_parameters, test_exceptions, test_sizes, test_many_attributes, test_capacity, test_answers)
client.delete_table(TableName=table)
