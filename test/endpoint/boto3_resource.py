"""boto3's resource API: Table, batch_writer, the builders of conditions, Decimal, Binary, sets; many threads on one client."""

import threading
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from sdk import check, check_equal, check_error, connect, connect_resource, run

database = connect_resource()
movies = None


def test_create():
    global movies
    movies = database.create_table(
        TableName="Movies", KeySchema=[{"AttributeName": "year", "KeyType": "HASH"}, {"AttributeName": "title", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": "year", "AttributeType": "N"}, {"AttributeName": "title", "AttributeType": "S"},
                              {"AttributeName": "genre", "AttributeType": "S"}],
        GlobalSecondaryIndexes=[{"IndexName": "genre", "KeySchema": [{"AttributeName": "genre", "KeyType": "HASH"},
                                                                     {"AttributeName": "year", "KeyType": "RANGE"}],
                                 "Projection": {"ProjectionType": "ALL"}}], BillingMode="PAY_PER_REQUEST")
    movies.wait_until_exists()
    movies.reload()
    check_equal((movies.table_status, [entry["AttributeName"] for entry in movies.key_schema]), ("ACTIVE", ["year", "title"]),
                "a Table made, waited for and loaded")
    check("Movies" in [table.name for table in database.tables.all()], "and in the collection of tables")


def test_types():
    item = {"year": 2013, "title": "Rush", "rating": Decimal("8.3"), "precise": Decimal("1.2345678901234567890123456789012345678"),
            "cast": ["Daniel Br\u00fchl", {"role": "Hunt", "lines": [1, 2, Decimal("3.5")]}], "tags": {"sport", "drama"}, "scores": {1, Decimal("2.5")},
            "raw": Binary(b"\x00\xff"), "raws": {Binary(b"a"), Binary(b"b")}, "none": None, "seen": False, "empty": "", "nothing": {}}
    movies.put_item(Item=item)
    check_equal(movies.get_item(Key={"year": 2013, "title": "Rush"}, ConsistentRead=True)["Item"], item,
                "numbers, sets, binaries and nested values return as Python's")


def test_batch_writer():
    with movies.batch_writer() as batch:
        for number in range(130):
            batch.put_item(Item={"year": 1900 + number % 13, "title": f"Title {number:03}", "genre": ("comedy", "drama", "western")[number % 3],
                                 "info": {"rank": number, "rating": Decimal(number) / 4}})
        for number in range(130, 140):
            batch.delete_item(Key={"year": 1900 + number % 13, "title": f"Title {number:03}"})
    with movies.batch_writer(overwrite_by_pkeys=["year", "title"]) as batch:
        for _ in range(3):
            batch.put_item(Item={"year": 2013, "title": "Rush"})
    check_equal(movies.scan(Select="COUNT")["Count"], 131, "batch_writer writes all items, in batches of 25")


def test_conditions():
    def titles(numbers):
        return [f"Title {number:03}" for number in numbers]

    response = movies.query(KeyConditionExpression=Key("year").eq(1901) & Key("title").begins_with("Title 0"))
    check_equal([one["title"] for one in response["Items"]], titles(range(1, 100, 13)), "Key conditions")
    response = movies.query(KeyConditionExpression=Key("year").eq(1901) & Key("title").between("Title 020", "Title 060"), ScanIndexForward=False)
    check_equal([one["title"] for one in response["Items"]], titles([53, 40, 27]), "between, backward")
    response = movies.query(IndexName="genre", KeyConditionExpression=Key("genre").eq("drama") & Key("year").gte(1911),
                            FilterExpression=Attr("info.rank").lt(60) & ~Attr("title").contains("5"))
    check_equal(sorted(one["title"] for one in response["Items"]),
                titles(n for n in range(130) if n % 3 == 1 and n % 13 >= 11 and n < 60 and "5" not in f"{n:03}"), "an index and a filter")
    response = movies.scan(FilterExpression=(Attr("info.rating").gt(Decimal("30")) | Attr("info.rank").is_in([1, 2])) & Attr("genre").exists() &
                           Attr("genre").ne("western") & Attr("info").attribute_type("M") & Attr("title").size().eq(9),
                           ProjectionExpression="title, info.#r", ExpressionAttributeNames={"#r": "rank"})
    check_equal(sorted(one["info"]["rank"] for one in response["Items"]), [n for n in range(130) if (n > 120 or n in (1, 2)) and n % 3 != 2],
                "Attr conditions with every operator")
    check_equal({name for one in response["Items"] for name in one}, {"title", "info"}, "and a projection")


def test_update():
    key = {"year": 1900, "title": "Title 000"}
    response = movies.update_item(Key=key, UpdateExpression="SET info.rating = info.rating + :r, info.actors = :a",
                                  ConditionExpression=Attr("info.rating").eq(0),
                                  ExpressionAttributeValues={":r": Decimal("0.1"), ":a": ["Ann"]}, ReturnValues="UPDATED_NEW")
    check_equal(response["Attributes"], {"info": {"rating": Decimal("0.1"), "actors": ["Ann"]}}, "update_item of nested attributes")
    failed = database.meta.client.exceptions.ConditionalCheckFailedException
    check_error("ConditionalCheckFailedException", lambda: movies.delete_item(Key=key, ConditionExpression=Attr("info.rating").gt(5)),
                "delete_item whose condition fails", kind=failed)
    check_equal(movies.delete_item(Key=key, ReturnValues="ALL_OLD")["Attributes"]["info"]["rank"], 0, "delete_item returns the item")
    check("Item" not in movies.get_item(Key=key), "which is gone then")
    found = database.batch_get_item(RequestItems={"Movies": {"Keys": [{"year": 1901, "title": "Title 001"}, key]}})
    check_equal([one["title"] for one in found["Responses"]["Movies"]], ["Title 001"], "batch_get_item of the resource")


def test_threads():
    """One client in eight threads, as programs have it: counters lose nothing."""
    client = connect()
    errors = []

    def count():
        try:
            for _ in range(25):
                client.update_item(TableName="Movies", Key={"year": {"N": "1"}, "title": {"S": "counter"}}, UpdateExpression="ADD n :one",
                                   ExpressionAttributeValues={":one": {"N": "1"}})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check_equal(errors, [], "eight threads share a client without errors")
    check_equal(movies.get_item(Key={"year": 1, "title": "counter"}, ConsistentRead=True)["Item"]["n"], 200, "and each of their counts is kept")


def test_delete():
    movies.delete()
    movies.wait_until_not_exists()
    check("Movies" not in [table.name for table in database.tables.all()], "a deleted Table is gone")


run(test_create, test_types, test_batch_writer, test_conditions, test_update, test_threads, test_delete)
