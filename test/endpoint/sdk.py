"""What the boto3 tests share: clients of the endpoint that ENDPOINT_URL names, and checks that print one TAP line each.

Credentials and region come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION).  Retries are off, so
that an answer which a client would hide by asking again is seen; the CRC of each answer is verified, as botocore always does.
"""

import os
import sys
import traceback

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint = os.environ["ENDPOINT_URL"]


def configuration(**options):
    options = {"retries": {"total_max_attempts": 1}, "read_timeout": 120, "max_pool_connections": 50, **options}
    return Config(**options)


def connect(**options):
    return boto3.session.Session().client("dynamodb", endpoint_url=endpoint, config=configuration(**options))


def connect_resource():
    return boto3.session.Session().resource("dynamodb", endpoint_url=endpoint, config=configuration())


def say(text):
    for line in str(text).splitlines():
        print("#", line.encode("ascii", "backslashreplace").decode()[:1000], flush=True)


def check(condition, name, detail=None):
    print("ok -" if condition else "not ok -", name, flush=True)
    if not condition and detail is not None:
        say(detail)


def check_equal(found, expected, name):
    check(found == expected, name, f"found    {found!r}\nexpected {expected!r}")


def check_error(code, function, name, message=None, kind=ClientError):
    """The call must fail with this exception, of this class and, where given, with this message; returns its response."""
    try:
        result = function()
    except kind as error:
        response = error.response
        found = response["Error"]["Code"], response["Error"].get("Message", "")
        check(found[0] == code and (message is None or found[1] == message) and
              response["ResponseMetadata"]["HTTPStatusCode"] == 400, name, f"found    {found!r}\nexpected {(code, message)!r}")
        return response
    except Exception:
        check(False, name, traceback.format_exc())
    else:
        check(False, name, f"no error but {result!r}")
    return {}


def create_table(client, name, keys, indexes=(), local_indexes=(), **options):
    """A table with keys "pk:S" or "pk:S sk:N", and indexes (name, keys, projection)."""
    attributes = {}

    def schema(text):
        result = []
        for position, part in enumerate(text.split()):
            attribute, kind = part.split(":")
            attributes[attribute] = kind
            result.append({"AttributeName": attribute, "KeyType": "RANGE" if position else "HASH"})
        return result

    def projection(text):
        kind, *names = text.split()
        return {"ProjectionType": kind, **({"NonKeyAttributes": names} if names else {})}

    request = {"TableName": name, "KeySchema": schema(keys), "BillingMode": "PAY_PER_REQUEST", **options}
    for member, given in ("GlobalSecondaryIndexes", indexes), ("LocalSecondaryIndexes", local_indexes):
        if given:
            request[member] = [{"IndexName": index, "KeySchema": schema(text), "Projection": projection(kind)}
                               for index, text, kind in given]
    request["AttributeDefinitions"] = [{"AttributeName": attribute, "AttributeType": kind} for attribute, kind in attributes.items()]
    response = client.create_table(**request)
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    return response["TableDescription"]


def run(*tests):
    """Runs each function; an exception is a failed check of that function's name.  The last line tells that all were run."""
    for test in tests:
        try:
            test()
        except Exception:
            check(False, f"{test.__name__} ran to its end", traceback.format_exc())
    print("# done", flush=True)
    sys.stdout.flush()
