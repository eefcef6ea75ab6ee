"""The table of examples/demo.sql from a program that was written for DynamoDB: only the endpoint's URL is ours.

    make demo                                       in a throw-away cluster
    AWS_ENDPOINT_URL=http://localhost:8000 AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... python3 examples/demo.py

Needs boto3 (Debian: python3-boto3), and an access key of a role that may SELECT, INSERT and UPDATE in the tables world and passport.
"""

import os

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

database = boto3.resource("dynamodb", endpoint_url=os.environ["AWS_ENDPOINT_URL"])
client = database.meta.client
world = database.Table("world")

print(f"== 11. The same tables over HTTP: boto3 {boto3.__version__} at {client.meta.endpoint_url}")
print(client.list_tables()["TableNames"])
print([index["IndexName"] for index in client.describe_table(TableName="world")["Table"]["GlobalSecondaryIndexes"]])

print("\n== 12. A country, and its first subdivisions")
print(world.get_item(Key={"pk": "COUNTRY#DE", "sk": "COUNTRY"})["Item"])
response = world.query(KeyConditionExpression=Key("pk").eq("COUNTRY#DE") & Key("sk").begins_with("SUBDIVISION#"), Limit=4)
for item in response["Items"]:
    print(f"{item['code']:6} {item['name']}")

print("\n== 13. All of them, page by page, and an index: what was withdrawn since 1990")
pages = client.get_paginator("query").paginate(
    TableName="world", KeyConditionExpression=Key("pk").eq("COUNTRY#FR") & Key("sk").begins_with("SUBDIVISION#"),
    PaginationConfig={"PageSize": 40})
counts = [page["Count"] for page in pages]
print(f"{sum(counts)} subdivisions of France in {len(counts)} pages")
response = world.query(IndexName="withdrawn", KeyConditionExpression=Key("status").eq("WITHDRAWN") & Key("withdrawal_date").gte("1990"),
                       ScanIndexForward=False, Limit=3)
for item in response["Items"]:
    print(f"{item['withdrawal_date']:10} {item['name']}")

print("\n== 14. A conditional update that succeeds, and one that fails")
for capital in "Vienna", "Graz":
    try:
        response = world.update_item(
            Key={"pk": "COUNTRY#AT", "sk": "COUNTRY"}, UpdateExpression="SET capital = :c ADD visits :one",
            ConditionExpression=Attr("capital").not_exists(), ExpressionAttributeValues={":c": capital, ":one": 1},
            ReturnValues="UPDATED_NEW")
        print(response["Attributes"])
    except client.exceptions.ConditionalCheckFailedException as error:
        print(f"{capital}: {error}")

print("\n== 15. A transaction over two tables: a stamp for a country that there is, and for one that there is not")
for country in "AT", "ZZ":
    try:
        client.transact_write_items(TransactItems=[
            {"Update": {"TableName": "world", "Key": {"pk": f"COUNTRY#{country}", "sk": "COUNTRY"}, "UpdateExpression": "ADD visits :one",
                        "ConditionExpression": "attribute_exists(pk)", "ExpressionAttributeValues": {":one": 1}}},
            {"Put": {"TableName": "passport", "Item": {"holder": "Ben", "stamp": f"2026-04-01#{country}"},
                     "ConditionExpression": "attribute_not_exists(holder)"}}])
        print(f"{country}: stamped")
    except ClientError as error:
        print(f"{country}: {error.response['Error']['Code']}, {[reason['Code'] for reason in error.response['CancellationReasons']]}")
print(database.Table("passport").query(KeyConditionExpression=Key("holder").eq("Ben"))["Items"])

print("\n== 16. The program runs as the role of its access key: what that may not do, the program may not")
try:
    world.delete_item(Key={"pk": "COUNTRY#AT", "sk": "COUNTRY"})
except ClientError as error:
    print(error)
