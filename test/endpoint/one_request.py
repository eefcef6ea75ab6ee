"""One signed GetItem with the access key of the environment: prints what came of it as one word, the exception or the value that was read."""

from botocore.exceptions import ClientError

from sdk import connect

try:
    print(connect().get_item(TableName="Kept", Key={"pk": {"S": "a"}}).get("Item", {}).get("value", {}).get("S", "nothing"))
except ClientError as error:
    print(error.response["Error"]["Code"])
