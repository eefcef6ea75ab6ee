"""Requests through the reverse proxy of README.md: ENDPOINT_URL is https, AWS_CA_BUNDLE is its certificate."""

import http.client
import json
import os
import ssl
from urllib.parse import urlsplit

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.credentials
from botocore.exceptions import SSLError

from sdk import check, check_equal, check_error, configuration, connect, create_table, endpoint, run

client = connect()


def test_operations():
    create_table(client, "Secure", "pk:S sk:N")
    client.put_item(TableName="Secure", Item={"pk": {"S": "a"}, "sk": {"N": "1"}, "large": {"S": "\u00fc" * 150000}})
    for i in range(2, 30):
        client.put_item(TableName="Secure", Item={"pk": {"S": "a"}, "sk": {"N": str(i)}, "b": {"B": bytes(range(256))}})
    pages = client.get_paginator("query").paginate(TableName="Secure", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "a"}},
                                                   PaginationConfig={"PageSize": 7})
    items = [item for page in pages for item in page["Items"]]
    check_equal([item["sk"]["N"] for item in items], [str(i) for i in range(1, 30)], "items are written and read in pages")
    check_equal(items[0]["large"]["S"], "\u00fc" * 150000, "a large item")
    check_equal(items[1]["b"]["B"], bytes(range(256)), "a binary value")
    check_error("ConditionalCheckFailedException", lambda: client.put_item(
        TableName="Secure", Item={"pk": {"S": "a"}, "sk": {"N": "1"}}, ConditionExpression="attribute_not_exists(pk)"), "an error comes through",
        "The conditional request failed")


def test_wrong_key():
    session = boto3.session.Session(os.environ["AWS_ACCESS_KEY_ID"], "wrong")
    wrong = session.client("dynamodb", endpoint_url=endpoint, config=configuration())
    check_error("InvalidSignatureException", wrong.list_tables, "a wrong secret")
    session = boto3.session.Session("AKIANOBODY", "wrong")
    unknown = session.client("dynamodb", endpoint_url=endpoint, config=configuration())
    check_error("UnrecognizedClientException", unknown.list_tables, "an unknown key")


def test_certificate():
    trusting = boto3.session.Session().client("dynamodb", endpoint_url=endpoint, config=configuration(), verify="/etc/ssl/certs/ca-certificates.crt"
                                              if os.path.exists("/etc/ssl/certs/ca-certificates.crt") else True)
    try:
        trusting.list_tables()
        check(False, "a certificate that is not trusted")
    except SSLError:
        check(True, "a certificate that is not trusted")


def test_raw():
    """Path and query reach the endpoint as they were signed; one connection serves many requests."""
    connection = http.client.HTTPSConnection(urlsplit(endpoint).netloc, context=ssl.create_default_context(cafile=os.environ["AWS_CA_BUNDLE"]))
    credentials = botocore.credentials.Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])
    for path in "/", "/a/b%20c", "/a//b/./c", "/?x=%2F&a=1", "/%C3%A9?q=%20":
        request = botocore.awsrequest.AWSRequest(method="POST", url=endpoint + path, data=b"{}", headers={
            "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.ListTables"})
        botocore.auth.SigV4Auth(credentials, "dynamodb", "us-east-1").add_auth(request)
        connection.request("POST", path, b"{}", dict(request.headers))
        response = connection.getresponse()
        check_equal((response.status, json.loads(response.read())), (200, {"TableNames": ["Secure"]}), f"path {path}")
    connection.request("POST", "/", b"x" * (17 * 1024 * 1024), {"Content-Type": "application/x-amz-json-1.0"})
    check_equal(connection.getresponse().status, 413, "a body over 16 MB")


run(test_operations, test_wrong_key, test_certificate, test_raw)
