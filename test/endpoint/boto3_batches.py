"""BatchGetItem, BatchWriteItem, TransactGetItems and TransactWriteItems, with cancellation reasons and request tokens."""

import uuid

from sdk import check, check_equal, check_error, connect, create_table, run

client = connect()


def key(number):
    return {"pk": {"S": f"k{number}"}}


def value(number, **more):
    return {**key(number), "n": {"N": str(number)}, **more}


def stored(table="Batch"):
    return sorted((one["pk"]["S"], one.get("n", {}).get("N")) for one in client.scan(TableName=table, ConsistentRead=True)["Items"])


def transact(*actions, **options):
    return client.transact_write_items(TransactItems=list(actions), **options)


def test_batch_write():
    response = client.batch_write_item(RequestItems={
        "Batch": [{"PutRequest": {"Item": value(number)}} for number in range(20)],
        "Other": [{"PutRequest": {"Item": value(number)}} for number in range(5)]})
    check_equal(response["UnprocessedItems"], {}, "BatchWriteItem leaves nothing unprocessed")
    client.batch_write_item(RequestItems={"Batch": [{"DeleteRequest": {"Key": key(3)}}, {"DeleteRequest": {"Key": key(99)}},
                                                    {"PutRequest": {"Item": value(4, more={"S": "new"})}}]})
    check_equal(stored(), sorted((f"k{number}", str(number)) for number in range(20) if number != 3), "its puts and deletes are done")
    check_equal(len(stored("Other")), 5, "in both tables")
    check_error("ValidationException", lambda: client.batch_write_item(RequestItems={"Batch": [
        {"PutRequest": {"Item": value(1)}}, {"DeleteRequest": {"Key": key(1)}}]}), "one key twice in a batch",
                "Provided list of item keys contains duplicates")
    check_error("ValidationException", lambda: client.batch_write_item(RequestItems={
        "Batch": [{"PutRequest": {"Item": value(number)}} for number in range(26)]}), "26 requests in a batch")


def test_batch_get():
    response = client.batch_get_item(RequestItems={
        "Batch": {"Keys": [key(number) for number in (0, 3, 4, 19, 77)], "ConsistentRead": True},
        "Other": {"Keys": [key(2)], "ProjectionExpression": "#n", "ExpressionAttributeNames": {"#n": "n"}}})
    check_equal(sorted(one["pk"]["S"] for one in response["Responses"]["Batch"]), ["k0", "k19", "k4"], "BatchGetItem finds what is there")
    check_equal(response["Responses"]["Other"], [{"n": {"N": "2"}}], "with the projection of each table")
    check_equal(response["UnprocessedKeys"], {}, "and leaves nothing unprocessed")
    check_error("ValidationException", lambda: client.batch_get_item(RequestItems={"Batch": {"Keys": [key(1), key(1)]}}),
                "one key twice", "Provided list of item keys contains duplicates")
    check_error("ResourceNotFoundException", lambda: client.batch_get_item(RequestItems={"Nowhere": {"Keys": [key(1)]}}),
                "a table that is not there", kind=client.exceptions.ResourceNotFoundException)


def test_large_batch():
    """More than one page of answers: what does not fit is unprocessed, and is read by asking again."""
    create_table(client, "Large", "pk:S")
    for start in range(0, 48, 6):
        client.batch_write_item(RequestItems={"Large": [
            {"PutRequest": {"Item": {**key(number), "data": {"B": bytes([number]) * 390000}}}} for number in range(start, start + 6)]})
    wanted, found, calls = {"Large": {"Keys": [key(number) for number in range(48)]}}, {}, 0
    while wanted and calls < 10:
        response = client.batch_get_item(RequestItems=wanted)
        for one in response["Responses"].get("Large", []):
            found[one["pk"]["S"]] = one["data"]["B"]
        wanted = response["UnprocessedKeys"]
        calls += 1
    check_equal(found, {f"k{number}": bytes([number]) * 390000 for number in range(48)}, "18 MB of items come in several answers")
    check(calls > 1, "since an answer has at most 16 MB", calls)
    client.delete_table(TableName="Large")


def test_transact_write():
    transact({"Put": {"TableName": "Batch", "Item": value(100), "ConditionExpression": "attribute_not_exists(pk)"}},
             {"Update": {"TableName": "Other", "Key": key(0), "UpdateExpression": "ADD n :x", "ExpressionAttributeValues": {":x": {"N": "7"}}}},
             {"Delete": {"TableName": "Batch", "Key": key(0)}},
             {"ConditionCheck": {"TableName": "Batch", "Key": key(1), "ConditionExpression": "n = :one",
                                 "ExpressionAttributeValues": {":one": {"N": "1"}}}})
    found = dict(stored())
    check_equal((found.get("k100"), "k0" in found, dict(stored("Other"))["k0"]), ("100", False, "7"), "a transaction of all four actions")


def test_cancellation():
    before = stored()
    response = check_error("TransactionCanceledException", lambda: transact(
        {"Put": {"TableName": "Batch", "Item": value(200)}},
        {"Delete": {"TableName": "Batch", "Key": key(1), "ConditionExpression": "n = :two", "ExpressionAttributeValues": {":two": {"N": "2"}},
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
        {"ConditionCheck": {"TableName": "Batch", "Key": key(555), "ConditionExpression": "attribute_exists(pk)"}}),
        "a transaction with conditions that fail",
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]",
        client.exceptions.TransactionCanceledException)
    check_equal(response.get("CancellationReasons"), [
        {"Code": "None"}, {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": value(1)},
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}], "has a reason for each action, with the item asked for")
    check_equal(stored(), before, "and changes nothing")
    response = check_error("TransactionCanceledException", lambda: transact(
        {"Update": {"TableName": "Batch", "Key": key(1), "UpdateExpression": "SET n = n + :s", "ExpressionAttributeValues": {":s": {"N": "1"}}}},
        {"Update": {"TableName": "Batch", "Key": key(2), "UpdateExpression": "SET x = pk + :s", "ExpressionAttributeValues": {":s": {"N": "1"}}}},
        {"Update": {"TableName": "Batch", "Key": {"pk": {"N": "5"}}, "UpdateExpression": "SET x = :s",
                    "ExpressionAttributeValues": {":s": {"S": "text"}}}}), "a transaction with an update that cannot be")
    check_equal([reason["Code"] for reason in response.get("CancellationReasons", [])].count("ValidationError"), 1, "has one ValidationError")
    check_equal(stored(), before, "and changes nothing either")
    check_error("ValidationException", lambda: transact({"Delete": {"TableName": "Batch", "Key": key(1)}},
                                                        {"Put": {"TableName": "Batch", "Item": value(1)}}), "two actions on one item",
                "Transaction request cannot include multiple operations on one item")


def test_token():
    token = str(uuid.uuid4())
    action = {"Update": {"TableName": "Other", "Key": key(1), "UpdateExpression": "ADD n :x", "ExpressionAttributeValues": {":x": {"N": "1"}}}}
    for _ in range(3):
        transact(action, ClientRequestToken=token)
    check_equal(dict(stored("Other"))["k1"], "2", "a request with one token is done once")
    other = {"Update": {**action["Update"], "Key": key(2)}}
    check_error("IdempotentParameterMismatchException", lambda: transact(other, ClientRequestToken=token),
                "another request with its token", kind=client.exceptions.IdempotentParameterMismatchException)


def test_transact_get():
    response = client.transact_get_items(TransactItems=[
        {"Get": {"TableName": "Batch", "Key": key(1)}}, {"Get": {"TableName": "Batch", "Key": key(12345)}},
        {"Get": {"TableName": "Other", "Key": key(4), "ProjectionExpression": "n"}}])
    check_equal(response["Responses"], [{"Item": value(1)}, {}, {"Item": {"n": {"N": "4"}}}], "TransactGetItems answers in order")


def test_hundred():
    transact(*[{"Put": {"TableName": "Batch", "Item": value(1000 + number)}} for number in range(100)])
    response = client.transact_get_items(TransactItems=[{"Get": {"TableName": "Batch", "Key": key(1000 + number)}} for number in range(100)])
    check_equal([one["Item"] for one in response["Responses"]], [value(1000 + number) for number in range(100)], "100 actions in a transaction")
    check_error("ValidationException", lambda: transact(*[{"Put": {"TableName": "Batch", "Item": value(number)}} for number in range(101)]),
                "101 are too many")


create_table(client, "Batch", "pk:S")
create_table(client, "Other", "pk:S")
run(test_batch_write, test_batch_get, test_large_batch, test_transact_write, test_cancellation, test_token, test_transact_get, test_hundred)
client.delete_table(TableName="Batch")
client.delete_table(TableName="Other")
