"""Signs 2,000 requests, as botocore does, for bench/run: bodies on standard input, one a line; a Lua table of whole requests on standard output.

    sign.py URL OPERATION       credentials from the environment; the signatures hold for 15 minutes
"""

import json
import sys
import urllib.parse

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.session import get_session

url, operation = sys.argv[1:]
signer = SigV4Auth(get_session().get_credentials(), "dynamodb", "us-east-1")
print("return {")
for body in sys.stdin.read().splitlines():
    request = AWSRequest("POST", url, data=body.encode(), headers={
        "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "Host": urllib.parse.urlparse(url).netloc})
    signer.add_auth(request)
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    print(json.dumps(f"POST / HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}") + ",")
print("}")
