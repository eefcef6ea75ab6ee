"""Who asks: signatures in both forms, access keys, the role of a request.  The signer is botocore's, not ours.

Its own SQL goes through psql (PGHOST, PGPORT, PGDATABASE); the access keys are made by it.
"""

import calendar
import datetime
import http.client
import json
import random
import re
import subprocess
import time
from unittest import mock
from urllib.parse import unquote, urlsplit

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.credentials

from sdk import check, check_equal, check_error, configuration, endpoint, run

address = urlsplit(endpoint).netloc
target = "DynamoDB_20120810."
no_match = ("The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and "
            "signing method. Consult the service documentation for details.")
unknown_key = "The security token included in the request is invalid."


def sql(text):
    done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return done.stdout.decode().rstrip("\n")


def create_key(role):
    return tuple(sql(f"SELECT * FROM create_access_key('{role}')").split("|"))


def connect_as(key, **options):
    session = boto3.session.Session(key[0], key[1], region_name=options.pop("region", "us-east-1"), **options)
    return session.client("dynamodb", endpoint_url=endpoint, config=configuration())


# --- requests that botocore signs and we send

def sign(key, operation="ListTables", body=b"{}", when=None, headers=None, path="/", host=None, token=None, expires=None, region="us-east-1",
         service="dynamodb", method="POST"):
    """Method, path with query, list of headers, body."""
    when = when or datetime.datetime.utcnow()

    class Clock(datetime.datetime):
        @classmethod
        def utcnow(cls):
            return when

        @classmethod
        def now(cls, tz=None):
            return when.replace(tzinfo=tz)

    given = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": target + operation, **(headers or {})}
    # botocore makes parameters of a presigned request's body: its hash is put in place of the body.
    request = botocore.awsrequest.AWSRequest(method=method, url=f"http://{host or address}{path}", headers=given,
                                             data=None if expires is not None else body)
    credentials = botocore.credentials.Credentials(key[0], key[1], token)
    kind = botocore.auth.SigV4Auth if expires is None else botocore.auth.SigV4QueryAuth
    signer = kind(credentials, service, region) if expires is None else kind(credentials, service, region, expires=expires)
    signer.payload = lambda request: botocore.auth.sha256(body).hexdigest()
    with mock.patch.object(botocore.auth, "datetime", mock.Mock(datetime=Clock)):
        signer.add_auth(request)
    url = urlsplit(request.url)
    result = [("Host", url.netloc)]
    result += [(name, value.decode() if isinstance(value, bytes) else value) for name, value in request.headers.items()]
    return [method, url.path + ("?" + url.query if url.query else ""), result, body]


def change(signed, name, value):
    """The request with another value of a header, or without it."""
    method, path, headers, body = signed
    return [method, path, [(n, value if n.lower() == name.lower() else v) for n, v in headers
                           if value is not None or n.lower() != name.lower()], body]


def authorization(signed):
    return dict(signed[2])["Authorization"]


def send(signed, connection=None):
    """Status, name of the exception, message (or the answer)."""
    method, path, headers, body = signed
    own = connection or http.client.HTTPConnection(address, timeout=60)
    own.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        own.putheader(name, value)
    own.putheader("Content-Length", str(len(body)))
    own.endheaders(body)
    response = own.getresponse()
    answer = response.read().decode()
    if connection is None:
        own.close()
    if not answer.startswith("{"):
        return response.status, "", answer
    answer = json.loads(answer)
    if "__type" not in answer:
        return response.status, "", answer
    prefix, name = answer["__type"].split("#")
    if name != "ValidationException" and prefix != "com.amazon.coral.service":
        name = answer["__type"]
    return response.status, name, answer.get("message")


def check_fault(signed, name, message, what):
    check_equal(send(signed), (400, name, message), what)


def check_good(signed, what):
    found = send(signed)
    check(found[0] == 200, what, found)


# --- tests

app = create_key("app")


def test_missing():
    bare = ["POST", "/", [("Host", address), ("Content-Type", "application/x-amz-json-1.0"), ("X-Amz-Target", target + "ListTables")], b"{}"]
    missing = "MissingAuthenticationTokenException", "Request is missing Authentication Token"
    check_fault(bare, *missing, "nothing")

    def with_header(value, *more):
        return [bare[0], bare[1], bare[2] + [("Authorization", value), *more], bare[3]]

    for value in "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "AWS app:abc", "AWS4", "aws4-hmac-sha256 Credential=a", "":
        check_fault(with_header(value), *missing, f"Authorization {value!r} is none")
    parts = {
        "Credential": "Authorization header requires 'Credential' parameter. ",
        "Signature": "Authorization header requires 'Signature' parameter. ",
        "SignedHeaders": "Authorization header requires 'SignedHeaders' parameter. "}
    date = "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    for chosen in range(16):
        given = [f"{name}=x" for i, name in enumerate(parts) if chosen & 1 << i]
        value = "AWS4-HMAC-SHA256 " + ", ".join(given)
        value = value.strip()
        has_date = chosen & 8
        sentences = "".join(text for i, text in enumerate(parts.values()) if not chosen & 1 << i) + ("" if has_date else date)
        if sentences:
            check_fault(with_header(value, *([("X-Amz-Date", "20130609T100015Z")] if has_date else [])), "IncompleteSignatureException",
                        sentences + "Authorization=" + value, f"header of {', '.join(given) or 'nothing'}, {'a' if has_date else 'no'} date")
    value = "AWS4-HMAC-SHA256 Credential=,Signature=,SignedHeaders="
    check_fault(with_header(value), "IncompleteSignatureException", "".join(parts.values()) + date + "Authorization=" + value, "empty parts")
    value = "AWS4-"
    check_fault(with_header(value), "IncompleteSignatureException", "".join(parts.values()) + date + "Authorization=" + value, "AWS4- alone")

    both = [bare[0], "/?X-Amz-Algorithm=AWS4-HMAC-SHA256", with_header("AWS4-HMAC-SHA256 Credential=a")[2], b"{}"]
    check_fault(both, "InvalidSignatureException",
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.", "both forms")
    names = "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"
    for chosen in range(31):
        query = "&".join(f"{name}={'x' if chosen & 1 << i else ''}" for i, name in enumerate(names) if i == 0 or chosen & 1 << i)
        sentences = "".join(f"AWS query-string parameters must include '{name}'. " for i, name in enumerate(names) if not chosen & 1 << i)
        check_fault([bare[0], "/?" + query, bare[2], b"{}"], "IncompleteSignatureException",
                    sentences + "Re-examine the query-string parameters.", f"query {query}")
    # What comes before the signature.
    check_equal(send(["POST", "/", bare[2][:2], b"{}"])[:2], (400, "UnknownOperationException"), "the target is looked at first")
    check_equal(send([*bare[:3], b"nothing"])[:2], (400, "SerializationException"), "and the JSON")
    check_fault([*bare[:3], b""], *missing, "but an empty body is not")


def test_good():
    check_good(sign(app), "a signed request")
    check_good(sign(app, region="eu-central-1"), "of another region")
    check_good(sign(app, region="local"), "of a region that is none")
    check_good(sign(app, headers={"X-Amz-Meta": "  a   b\tc ", "X-Empty": "", "X-List": "a,  b"}), "more headers, with blanks")
    check_good(sign(app, path="/a//b/../%20x/./%C3%A9~?z=2&z=1&a=%2F%20&b=&~=-"), "a path and a query")
    check_good(sign(app, body=b'{"Limit": 10}' + b" " * 100000), "a large body")
    check_good(sign(app, headers={"Date": "Thu, 01 Jan 1970 00:00:00 GMT"}), "a Date header, which botocore writes as mail has it")
    check_good(sign(app, when=datetime.datetime.utcnow() - datetime.timedelta(minutes=14)), "14 minutes old")
    check_good(sign(app, when=datetime.datetime.utcnow() + datetime.timedelta(minutes=14)), "14 minutes ahead")
    signed = sign(app, headers={"X-Twice": "a,b"})
    check_good([signed[0], signed[1], [h for h in signed[2] if h[0] != "X-Twice"] + [("X-Twice", "a"), ("x-twice", "b")], signed[3]],
               "a header in two lines")
    check_good([signed[0], signed[1], list(reversed(signed[2])), signed[3]], "headers in another order")
    signed = sign(app, headers={"X-Amz-Content-SHA256": botocore.auth.sha256(b"{}").hexdigest()})
    check_good(signed, "a declared hash of the body")
    # Blanks between the parts are of no importance, nor is their order.
    signed = sign(app)
    scheme, credential, headers, signature = authorization(signed).replace(",", "").split(" ")
    check_good(change(signed, "Authorization", f"{scheme}   {signature},{headers},  ,{credential}"), "parts in another order")
    check_good([signed[0], signed[1], signed[2] + [("X-Unsigned", "1"), ("Accept", "*/*")], signed[3]], "headers that are not signed")


def test_changed():
    signed = sign(app, "ListTables", b'{"Limit": 1}', headers={"X-Amz-Meta": "a"})
    method, path, headers, body = signed
    fault = "InvalidSignatureException", no_match
    check_good(signed, "as it was signed")
    check_fault([method, path, headers, b'{"Limit": 2}'], *fault, "another body")
    check_fault([method, path, headers, body + b" "], *fault, "a longer body")
    check_fault([method, path + "x", headers, body], *fault, "another path")
    check_fault([method, path + "?a=b", headers, body], *fault, "another query")
    check_fault(change(signed, "X-Amz-Target", target + "DeleteTable"), *fault, "another operation")
    check_fault(change(signed, "X-Amz-Meta", "b"), *fault, "another header")
    check_fault(change(signed, "X-Amz-Meta", None), *fault, "a header less")
    check_fault([method, path, headers + [("x-amz-meta", "b")], body], *fault, "a header twice")
    check_fault(change(signed, "Content-Type", "application/json"), *fault, "another content type")
    check_fault(change(signed, "Host", "example.com"), *fault, "another host")
    later = datetime.datetime.utcnow() + datetime.timedelta(seconds=1)
    check_fault(change(signed, "X-Amz-Date", later.strftime("%Y%m%dT%H%M%SZ")), *fault, "another date")
    value = authorization(signed)
    for old, new, what in ((value[-1], "0" if value[-1] != "0" else "1", "last digit"), (value[-64], "0" if value[-64] != "0" else "1", "first digit")):
        position = len(value) - 1 if what == "last digit" else len(value) - 64
        check_fault(change(signed, "Authorization", value[:position] + new + value[position + 1:]), *fault, f"another {what} of the signature")
    check_fault(change(signed, "Authorization", value[:-1]), *fault, "a shorter signature")
    check_fault(change(signed, "Authorization", value + "0"), *fault, "a longer signature")
    check_fault(change(signed, "Authorization", value[:-64] + value[-64:].upper()), *fault, "a signature in upper case")
    check_fault(change(signed, "Authorization", value.replace("us-east-1", "us-east-2")), *fault, "another region")
    check_fault(change(signed, "Authorization", value.replace("x-amz-meta;", "")), *fault, "a signed header less")
    long = sign(app, headers={"L": "x" * 6000})
    check_good(long, "a long header")
    check_good(change(long, "Authorization", authorization(long).replace(";l;", ";l" * 3000 + ";")), "named 3,000 times, which is once")
    check_fault(change(long, "Authorization", authorization(long).replace(";l;", ";l;m;")), *fault, "a signed header that is not there")
    check_fault(sign((app[0], app[1][:-1] + ("x" if app[1][-1] != "x" else "y"))), *fault, "another secret")
    check_fault(sign((app[0], "")), *fault, "an empty secret")
    check_fault(sign((app[0], other[1])), *fault, "the secret of another key")
    for declared in "UNSIGNED-PAYLOAD", botocore.auth.sha256(b"other").hexdigest(), "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "":
        check_fault(sign(app, headers={"X-Amz-Content-SHA256": declared}), *fault, f"a declared hash {declared[:20]!r}")


def test_claims():
    signed = sign(app)
    value = authorization(signed)
    now = dict(signed[2])["X-Amz-Date"]
    day = now[:8]

    def claim(old, new):
        return change(signed, "Authorization", value.replace(old, new))

    for date in "201", "x", "20130609T100015", "2013-06-09T10:00:15Z", "20131309T100015Z", "20130229T100015Z", "20130609T240015Z", "20130609T100015ZZ":
        check_fault(change(signed, "X-Amz-Date", date), "IncompleteSignatureException",
                    f"Date must be in ISO-8601 'basic format'. Got '{date}'. See http://en.wikipedia.org/wiki/ISO_8601", f"date {date}")
    check_fault(change(signed, "X-Amz-Date", "\u00e9"), "IncompleteSignatureException",
                "Date must be in ISO-8601 'basic format'. Got '?'. See http://en.wikipedia.org/wiki/ISO_8601", "a date that is no ASCII")
    check_fault(claim("host;", ""), "InvalidSignatureException", "'Host' must be a 'SignedHeader' in the AWS Authorization.", "Host is not signed")
    check_fault(claim(";x-amz-target", ""), "InvalidSignatureException", "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.",
                "X-Amz-Target is not signed")
    check_fault(claim("AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA25 "), "IncompleteSignatureException",
                "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ", "another algorithm")
    scope = f"{app[0]}/{day}/us-east-1/dynamodb/aws4_request"
    for credential in "a/b/c/d", "a", "a/b/c/d/e/f", "/":
        check_fault(claim(scope, credential), "IncompleteSignatureException",
                    f"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{credential}'",
                    f"credential {credential}")
    region = "Credential should be scoped to a valid region, not 'c'. "
    service = "Credential should be scoped to correct service: 'dynamodb'. "
    terminator = "Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. "
    date = f"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: 'b' != '{day}', from '{now}'. "
    for credential, message in ((f"a/{day}/c/d/e", region + service + terminator), (f"a/{day}/c/dynamodb/aws4_request", region),
                                (f"a/{day}/us-east-1/s3/aws4_request", service), (f"a/{day}/us-east-1/dynamodb/e", terminator),
                                ("a/b/us-east-1/dynamodb/aws4_request", date), ("a/b/c/d/e", region + service + terminator + date)):
        check_fault(claim(scope, credential), "InvalidSignatureException", message, f"scope {credential.replace(day, 'day')}")
    yesterday = datetime.datetime.utcnow() - datetime.timedelta(days=1)
    old = authorization(sign(app, when=yesterday))
    check_fault(change(signed, "Authorization", old), "InvalidSignatureException",
                date.replace("'b'", f"'{yesterday:%Y%m%d}'"), "the scope of yesterday")
    for key_id in "AKIANOBODY", "x", "a" * 128, "a" * 129, "a" * 4000, "%41", "a'b", app[0].lower(), "\u00e9", "":
        found = claim(app[0], key_id)
        if key_id:
            check_fault(found, "UnrecognizedClientException", unknown_key, f"unknown key {key_id[:20]!a}")
    check_fault(claim(scope, scope[len(app[0]):]), "UnrecognizedClientException", unknown_key, "an empty key")
    check_fault(sign(app, token="AQoDYXdzEJr"), "UnrecognizedClientException", "The security token included in the request is invalid", "a session token")
    check_fault(sign((app[0], "wrong"), token="AQoDYXdzEJr"), "InvalidSignatureException", no_match, "the signature is checked before the token")


def test_age():
    def check_age(minutes, pattern, sign_of_limit, what):
        when = datetime.datetime.utcnow() + datetime.timedelta(minutes=minutes)
        status, name, message = send(sign(app, when=when))
        match = re.fullmatch(pattern, message or "")
        seconds = [calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ")) for text in match.groups()] if match else []
        check(match and (status, name) == (400, "InvalidSignatureException") and match.group(1) == f"{when:%Y%m%dT%H%M%SZ}" and
              seconds[1] == seconds[2] + sign_of_limit * 900 and abs(seconds[2] - time.time()) < 60, what, (status, name, message))

    date = r"(\d{8}T\d{6}Z)"
    expired = rf"Signature expired: {date} is now earlier than {date} \({date} - 15 min\.\)"
    early = rf"Signature not yet current: {date} is still later than {date} \({date} \+ 15 min\.\)"
    check_age(-16, expired, -1, "16 minutes old")
    check_age(-60 * 24 * 365 * 10, expired, -1, "ten years old")
    check_age(16, early, 1, "16 minutes ahead")


def test_presigned():
    fault = "InvalidSignatureException", no_match
    for body in b"{}", b'{"Limit": 5}':
        check_good(sign(app, expires=60, body=body), f"a presigned request with body {body.decode()}")
    signed = sign(app, expires=60, path="/?b=2&a=1&a=0&c=%20%2B")
    check_good(signed, "with parameters of its own")
    method, path, headers, body = signed
    head, query = path.split("?")
    check_good([method, head + "?" + "&".join(reversed(query.split("&"))), headers, body], "parameters in another order")
    check_good([method, path.replace("X-Amz-Date", "X-Amz-%44ate"), headers, body], "a name that is encoded")
    check_fault([method, path.replace("a=1", "a=2"), headers, body], *fault, "another parameter")
    check_fault([method, path, headers, b'{"Limit": 1}'], *fault, "another body")
    check_fault([method, path.replace("X-Amz-Expires=60", "X-Amz-Expires=600"), headers, body], *fault, "a longer life")
    check_fault(change(signed, "X-Amz-Target", target + "DeleteTable"), *fault, "another operation")
    check_fault([method, re.sub("X-Amz-Credential=[^%]*", "X-Amz-Credential=AKIANOBODY", path), headers, body], "UnrecognizedClientException",
                unknown_key, "unknown key")
    check_fault([method, re.sub("SignedHeaders=[^&]*", "SignedHeaders=x-amz-target", path), headers, body], "InvalidSignatureException",
                "'Host' must be a 'SignedHeader' in the AWS Authorization.", "Host is not signed")
    check_fault([method, re.sub("X-Amz-Date=[^&]*", "X-Amz-Date=201", path), headers, body], "IncompleteSignatureException",
                "Date must be in ISO-8601 'basic format'. Got '201'. See http://en.wikipedia.org/wiki/ISO_8601", "date")
    check_fault([method, path.replace("X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Algorithm=AWS4-ECDSA"), headers, body],
                "IncompleteSignatureException", "Unsupported AWS 'algorithm': 'AWS4-ECDSA' (only AWS4-HMAC-SHA256 for now). ", "another algorithm")
    for text in "x", "-1", "", "1e3", "9999999999":
        check_fault([method, path.replace("X-Amz-Expires=60", "X-Amz-Expires=" + text), headers, body], "IncompleteSignatureException",
                    "X-Amz-Expires should be a number", f"X-Amz-Expires {text!r}")
    check_fault(sign(app, expires=604801), "IncompleteSignatureException",
                "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds",
                "longer than a week")
    check_fault(sign(app, expires=60, token="AQoDYXdzEJr"), "UnrecognizedClientException", "The security token included in the request is invalid",
                "a session token")
    ago = datetime.datetime.utcnow() - datetime.timedelta(hours=2)
    check_good(sign(app, expires=3 * 3600, when=ago), "two hours old, for three")
    status, name, message = send(sign(app, expires=90, when=datetime.datetime.utcnow() - datetime.timedelta(seconds=100)))
    check(name == "InvalidSignatureException" and re.fullmatch(r"Signature expired: \S+ is now earlier than \S+ \(\S+ - 90 sec\.\)", message),
          "100 seconds old, for 90", (status, name, message))
    check_equal(send(sign(app, expires=3600, when=datetime.datetime.utcnow() + datetime.timedelta(hours=1)))[1], "InvalidSignatureException",
                "an hour ahead")


def test_mutations():
    """One byte of the signature's header or of the query changed, taken out or added: never a request that is served."""
    chance = random.Random(6)
    faults = "MissingAuthenticationTokenException", "IncompleteSignatureException", "InvalidSignatureException", "UnrecognizedClientException"
    wrong = []
    for presigned in False, True:
        for _ in range(300):
            signed = sign(app, expires=60 if presigned else None)
            text = signed[1] if presigned else authorization(signed)
            position = chance.randrange(2, len(text))
            other = chance.choice([c for c in "0aZ/=&;%-.~x\u00e9" if c.lower() != text[position].lower() and (not presigned or c < "~")])
            changed = text[:position] + chance.choice((other, "", other + text[position])) + text[position + 1:]
            # Separators may be doubled, and a sign may be written as it is or encoded.
            if re.sub("[ ,&]+", ",", unquote(changed)) == re.sub("[ ,&]+", ",", unquote(text)):
                continue
            if presigned:
                found = send([signed[0], changed, *signed[2:]])
            else:
                found = send(change(signed, "Authorization", changed))
            if found[0] != 400 or found[1] not in faults:
                wrong.append((changed, found))
    check_equal(wrong, [], "600 mutations")


def test_curl():
    def curl(key):
        done = subprocess.run(
            ["curl", "-s", "--aws-sigv4", "aws:amz:us-east-1:dynamodb", "--user", ":".join(key), "-H", "X-Amz-Target: DynamoDB_20120810.ListTables",
             "-H", "Content-Type: application/x-amz-json-1.0", "-d", "{}", endpoint], stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    check("TableNames" in curl(app), "curl --aws-sigv4")
    check_equal(curl((app[0], "wrong")).get("__type"), "com.amazon.coral.service#InvalidSignatureException", "curl with another secret")


def test_revoke():
    client = connect_as(other)
    client.list_tables()
    listed = sql(f"SELECT role, status FROM list_access_keys() WHERE access_key_id = '{other[0]}'")
    check_equal(listed, "other|active", "the key is listed")
    sql(f"SELECT revoke_access_key('{other[0]}')")
    # Every worker has heard of it: more tries than there are workers, on connections of their own.
    for _ in range(8):
        check_fault(sign(other), "UnrecognizedClientException", unknown_key, "a revoked key, on a new connection")
    check_error("UnrecognizedClientException", client.list_tables, "and on an old one", unknown_key)
    third = create_key("other")
    check_good(sign(third), "a new key of the role")
    sql("BEGIN; SELECT revoke_access_key('%s'); ROLLBACK" % third[0])
    check_good(sign(third), "a revocation that was rolled back")
    # The owner's own statements.
    sql(f"UPDATE singletable_access_key SET secret = 'short' WHERE key_id = '{third[0]}'")
    check_good(sign((third[0], "short")), "a secret that was changed by UPDATE")
    check_fault(sign(third), "InvalidSignatureException", no_match, "its old one")
    sql(f"DELETE FROM singletable_access_key WHERE key_id = '{third[0]}'")
    check_fault(sign((third[0], "short")), "UnrecognizedClientException", unknown_key, "a key that was deleted")
    sql(f"INSERT INTO singletable_access_key VALUES ('my-own', 'choice', 'other'::regrole, 'other', NULL, now(), 'postgres')")
    check_good(sign(("my-own", "choice")), "a key of one's own choice")
    sql("TRUNCATE singletable_access_key")
    check_fault(sign(("my-own", "choice")), "UnrecognizedClientException", unknown_key, "the table is empty")


def test_roles():
    """A key is good as long as its role could log in to the database."""
    global app
    app = create_key("app")
    key = create_key("visitor")
    connection = http.client.HTTPConnection(address, timeout=60)

    def check_void(statement, undo, what):
        check_equal(send(sign(key), connection)[0], 200, f"before: {what}")
        sql(statement)
        check_equal(send(sign(key), connection)[1:], ("UnrecognizedClientException", unknown_key), what)
        if undo:
            sql(undo)
            check_equal(send(sign(key), connection)[0], 200, f"no more: {what}")

    check_void("ALTER ROLE visitor NOLOGIN", "ALTER ROLE visitor LOGIN", "the role may not log in")
    check_void("ALTER ROLE visitor VALID UNTIL '2020-01-01'", "ALTER ROLE visitor VALID UNTIL 'infinity'", "the role has expired")
    check_void("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC; GRANT CONNECT ON DATABASE postgres TO endpoint",
               "GRANT CONNECT ON DATABASE postgres TO PUBLIC", "the role may not connect to the database")
    check_void("ALTER ROLE visitor RENAME TO guest", "ALTER ROLE guest RENAME TO visitor", "the role was renamed")
    sql(f"ALTER ROLE visitor VALID UNTIL '{datetime.datetime.utcnow() + datetime.timedelta(seconds=2):%Y-%m-%d %H:%M:%S.%f}+0'")
    check_equal(send(sign(key), connection)[0], 200, "the role expires soon")
    time.sleep(2.1)
    check_equal(send(sign(key), connection)[1], "UnrecognizedClientException", "time has passed")
    sql("ALTER ROLE visitor VALID UNTIL 'infinity'")
    check_void("DROP ROLE visitor", None, "the role was dropped")
    sql("CREATE ROLE visitor LOGIN")
    check_fault(sign(key), "UnrecognizedClientException", unknown_key, "a new role of that name")


def test_privileges():
    """The role's privileges decide."""
    names = "owner", "reader", "nobody"
    keys = {name: create_key(name) for name in names}
    owner, reader, nobody = (connect_as(keys[name]) for name in names)
    owner.put_item(TableName="Shared", Item={"pk": {"S": "a"}})
    check_equal(reader.get_item(TableName="Shared", Key={"pk": {"S": "a"}})["Item"], {"pk": {"S": "a"}}, "SELECT reads")
    requests = {
        "GetItem": lambda client: client.get_item(TableName="Shared", Key={"pk": {"S": "a"}}),
        "Query": lambda client: client.query(TableName="Shared", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "a"}}),
        "Scan": lambda client: client.scan(TableName="Shared"),
        "BatchGetItem": lambda client: client.batch_get_item(RequestItems={"Shared": {"Keys": [{"pk": {"S": "a"}}]}}),
        "TransactGetItems": lambda client: client.transact_get_items(TransactItems=[{"Get": {"TableName": "Shared", "Key": {"pk": {"S": "a"}}}}]),
        "PutItem": lambda client: client.put_item(TableName="Shared", Item={"pk": {"S": "b"}}),
        "UpdateItem": lambda client: client.update_item(TableName="Shared", Key={"pk": {"S": "a"}}, UpdateExpression="SET x = pk"),
        "DeleteItem": lambda client: client.delete_item(TableName="Shared", Key={"pk": {"S": "a"}}),
        "BatchWriteItem": lambda client: client.batch_write_item(RequestItems={"Shared": [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]}),
        "TransactWriteItems": lambda client: client.transact_write_items(TransactItems=[{"Put": {"TableName": "Shared", "Item": {"pk": {"S": "b"}}}}]),
        "DeleteTable": lambda client: client.delete_table(TableName="Shared"),
        "UpdateTable": lambda client: client.update_table(TableName="Shared", BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}),
    }
    reads = "GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"
    for name, request in requests.items():
        for role, client in ("reader", reader), ("nobody", nobody):
            if role == "reader" and name in reads:
                request(client)
                check(True, f"{role}: {name}")
                continue
            response = check_error("AccessDeniedException", lambda: request(client), f"{role}: {name}")
            message = response.get("Error", {}).get("Message", "")
            check(re.match(rf"User: \S+:user/{role} is not authorized to perform: dynamodb:{name} on resource: ", message),
                  f"{role}: {name}, message", message)
    check_equal(owner.scan(TableName="Shared")["Count"], 1, "nothing was changed")
    check_error("AccessDeniedException",
                lambda: nobody.create_table(TableName="Mine", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST",
                                            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}]), "CREATE on no schema")

    # On one connection, so that what a worker keeps of one role is there when the next one asks.
    connection = http.client.HTTPConnection(address, timeout=60)
    key = {"Key": {"pk": {"S": "b"}}}
    requests = [("PutItem", {"Item": key["Key"]}), ("PutItem", {"Item": key["Key"], "ConditionExpression": "attribute_exists(pk)"}),
                ("UpdateItem", {**key, "UpdateExpression": "SET x = pk"}), ("GetItem", key), ("DeleteItem", key), ("Scan", {})]
    found, expected = [], []
    for _ in range(6):
        for operation, members in requests:
            for name in names:
                body = json.dumps({"TableName": "Shared", **members}).encode()
                found.append((name, operation, send(sign(keys[name], operation, body), connection)[1]))
                may = name == "owner" or name == "reader" and operation in reads
                expected.append((name, operation, "" if may else "AccessDeniedException"))
    check_equal(found, expected, "three roles on one connection have their own privileges")
    sql("REVOKE SELECT ON \"Shared\" FROM reader")
    check_equal(send(sign(keys["reader"], "GetItem", json.dumps({"TableName": "Shared", **key}).encode()), connection)[1], "AccessDeniedException",
                "a privilege that was revoked")


def test_leading_keys():
    """Row-level security by the leading key: what IAM's dynamodb:LeadingKeys does."""
    keys = {name: create_key(name) for name in ("ann", "ben")}
    ann, ben = connect_as(keys["ann"]), connect_as(keys["ben"])

    def key(text):
        return {"pk": {"S": text}, "sk": {"S": "1"}}

    for name, client in ("ann", ann), ("ben", ben):
        client.put_item(TableName="Notes", Item={**key(f"{name}#1"), "by": {"S": name}})
    check_equal(ann.get_item(TableName="Notes", Key=key("ann#1"))["Item"], {**key("ann#1"), "by": {"S": "ann"}}, "one's own item")
    check("Item" not in ann.get_item(TableName="Notes", Key=key("ben#1")), "GetItem of another's")
    check_equal([i["pk"]["S"] for i in ann.scan(TableName="Notes")["Items"]], ["ann#1"], "Scan")
    check_equal(ann.query(TableName="Notes", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "ben#1"}})["Count"], 0,
                "Query of another's partition")
    check_equal([i["pk"]["S"] for i in ben.query(TableName="Notes", IndexName="ByAuthor", KeyConditionExpression="#b = :b",
                                                 ExpressionAttributeNames={"#b": "by"}, ExpressionAttributeValues={":b": {"S": "ben"}})["Items"]],
                ["ben#1"], "Query of an index")
    check_equal(ben.query(TableName="Notes", IndexName="ByAuthor", KeyConditionExpression="#b = :b", ExpressionAttributeNames={"#b": "by"},
                          ExpressionAttributeValues={":b": {"S": "ann"}})["Count"], 0, "Query of an index for another's")
    check_equal(ann.batch_get_item(RequestItems={"Notes": {"Keys": [key("ann#1"), key("ben#1")]}})["Responses"]["Notes"],
                [{**key("ann#1"), "by": {"S": "ann"}}], "BatchGetItem")
    check_error("AccessDeniedException", lambda: ann.put_item(TableName="Notes", Item=key("ben#2")), "PutItem for another")
    check_error("AccessDeniedException", lambda: ann.put_item(TableName="Notes", Item=key("ben#1")), "PutItem over another's")
    check_error("AccessDeniedException", lambda: ann.update_item(TableName="Notes", Key=key("ben#3"), UpdateExpression="SET x = sk"),
                "UpdateItem for another")
    check_error("AccessDeniedException", lambda: ann.batch_write_item(RequestItems={"Notes": [
        {"PutRequest": {"Item": key("ann#4")}}, {"PutRequest": {"Item": key("ben#4")}}]}), "BatchWriteItem for another")
    check_error("AccessDeniedException", lambda: ann.transact_write_items(TransactItems=[
        {"Put": {"TableName": "Notes", "Item": key("ann#4")}}, {"Put": {"TableName": "Notes", "Item": key("ben#4")}}]), "TransactWriteItems for another")
    check_equal(ann.transact_get_items(TransactItems=[{"Get": {"TableName": "Notes", "Key": key(name + "#1")}} for name in ("ann", "ben")])["Responses"],
                [{"Item": {**key("ann#1"), "by": {"S": "ann"}}}, {}], "TransactGetItems")
    check_equal(sql("SELECT string_agg(pk, ' ' ORDER BY pk) FROM \"Notes\""), "ann#1 ben#1", "nothing of them was written")
    ann.delete_item(TableName="Notes", Key=key("ben#1"))
    check("Item" in ben.get_item(TableName="Notes", Key=key("ben#1")), "DeleteItem of another's deletes nothing")

    # Two roles take turns on one connection, so one worker serves both.
    connection = http.client.HTTPConnection(address, timeout=60)
    seen = set()
    for i in range(40):
        name = ("ann", "ben")[i % 2]
        answer = send(sign(keys[name], "Scan", b'{"TableName": "Notes"}'), connection)[2]
        seen.add((name, tuple(sorted(item["pk"]["S"] for item in answer["Items"]))))
    check_equal(seen, {("ann", ("ann#1",)), ("ben", ("ben#1",))}, "two roles on one connection see their own")
    seen = set()
    for i in range(40):
        name = ("ann", "ben", "nobody")[i % 3]
        if name == "nobody":
            signed = sign((keys["ann"][0], "wrong"), "Scan", b'{"TableName": "Notes"}')
        else:
            signed = sign(keys[name], "GetItem", json.dumps({"TableName": "Notes", "Key": key("ann#1")}).encode())
        status, exception, answer = send(signed, connection)
        seen.add((name, exception or tuple(answer)))
    check_equal(seen, {("ann", ("Item",)), ("ben", ()), ("nobody", "InvalidSignatureException")}, "and a wrong signature between them sees nothing")


def test_schemas():
    """Each role finds the tables of its own search_path, also on one connection."""
    keys = {name: create_key(name) for name in ("ann", "ben")}
    connection = http.client.HTTPConnection(address, timeout=60)
    seen = []
    for i in range(6):
        name = ("ann", "ben")[i % 2]
        request = {"TableName": "Own", "Item": {"pk": {"S": str(i)}}}
        seen.append(send(sign(keys[name], "PutItem", json.dumps(request).encode()), connection)[0])
    check_equal(seen, [200] * 6, "both write to a table of the same name")
    check_equal([sql(f"SELECT string_agg(pk, ' ' ORDER BY pk) FROM {name}.\"Own\"") for name in keys], ["0 2 4", "1 3 5"], "each to its own")
    counts = [send(sign(keys[name], "Scan", b'{"TableName": "Own"}'), connection)[2]["Items"] for name in ("ann", "ben", "ann")]
    check_equal([[item["pk"]["S"] for item in items] for items in counts], [["0", "2", "4"], ["1", "3", "5"], ["0", "2", "4"]], "and reads it")
    check_equal([send(sign(keys[name], "ListTables"), connection)[2]["TableNames"].count("Own") for name in keys], [1, 1], "ListTables has one of them")


def test_hostile():
    """A trigger cannot leave its role, nor leave anything behind for the next request, whoever sends it."""
    keys = {name: create_key(name) for name in ("ann", "ben")}
    connection = http.client.HTTPConnection(address, timeout=60)

    def put(name, operation, pk):
        return send(sign(keys[name], "PutItem", json.dumps({"TableName": operation, "Item": {"pk": {"S": pk}}}).encode()), connection)

    for kind in "row", "deferred":
        sql("DELETE FROM attempt; UPDATE hostile_kind SET kind = '%s'" % kind)
        check_equal(put("ann", "Hostile", f"{kind}1")[0], 200, f"{kind} trigger: the write that runs it")
        attempts = sql("SELECT command, outcome FROM attempt ORDER BY id")
        for line in attempts.split("\n"):
            command, outcome = line.split("|")
            if command in ("RESET ROLE", "SET ROLE postgres", "SET ROLE NONE", "SET SESSION AUTHORIZATION postgres", "RESET SESSION AUTHORIZATION",
                           "SET SESSION AUTHORIZATION DEFAULT", "SELECT set_config('role', 'postgres', false)"):
                check(outcome != "done", f"{kind} trigger: {command} is refused", outcome)
        check_equal(sql("SELECT string_agg(DISTINCT who, ',') FROM attempt"), "ann", f"{kind} trigger: it ran as the role")
        check(len(attempts.split("\n")) > 8, f"{kind} trigger: it tried", attempts)
        # The same connection, so the same worker.
        check_equal(put("ben", "Watched", f"{kind}2")[0], 200, f"{kind} trigger: another role's request")
        check_equal(sql("SELECT who, path, note, locks, temp, channels FROM seen ORDER BY id DESC LIMIT 1"),
                    'ben|"$user", public||0||0', f"{kind} trigger: finds nothing of it")
    # A cursor WITH HOLD would be read to its end by the commit.
    sql("DELETE FROM attempt")
    check_equal(put("ann", "Holding", "1")[0], 200, "a trigger that leaves a cursor for the commit")
    check_equal(sql("SELECT string_agg(DISTINCT who, ',') FROM attempt"), "ann", "it runs as the role, if at all")
    check_equal(put("ben", "Watched", "cursor")[0], 200, "another role's request")
    check_equal(sql("SELECT who, path, note, locks, temp, channels FROM seen ORDER BY id DESC LIMIT 1"), 'ben|"$user", public||0||0', "finds nothing of it")
    check_equal(put("ann", "Failing", "1"), (400, "ValidationException", "division by zero"), "a trigger that fails")
    check_equal(put("ben", "Watched", "3")[0], 200, "and the request after it")
    check_equal(sql("SELECT who, locks FROM seen ORDER BY id DESC LIMIT 1"), "ben|0", "runs as its own role")


sql("CREATE ROLE other LOGIN; CREATE ROLE visitor LOGIN; CREATE ROLE owner LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE nobody LOGIN; "
    "CREATE ROLE ann LOGIN; CREATE ROLE ben LOGIN")
other = create_key("other")
sql("""
SELECT create_item_table('"Shared"', 'pk');
GRANT SELECT, INSERT, UPDATE, DELETE ON "Shared" TO owner;
GRANT SELECT ON "Shared" TO reader;

SELECT create_item_table('"Notes"', 'pk', 'sk');
SELECT create_item_index('"Notes"', 'ByAuthor', 'by', 'sk');
GRANT SELECT, INSERT, UPDATE, DELETE ON "Notes" TO ann, ben;
ALTER TABLE "Notes" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON "Notes" USING (starts_with(pk, current_user || '#'));

CREATE SCHEMA AUTHORIZATION ann;
CREATE SCHEMA AUTHORIZATION ben;
SELECT create_item_table('ann."Own"', 'pk'), create_item_table('ben."Own"', 'pk');
GRANT ALL ON ann."Own" TO ann;
GRANT ALL ON ben."Own" TO ben;

CREATE TABLE attempt (id serial, who name DEFAULT current_user, command text, outcome text);
CREATE TABLE hostile_kind AS SELECT 'row' AS kind;
CREATE TABLE seen (id serial, who name DEFAULT current_user, path text, note text, locks bigint, temp text, channels bigint);
GRANT ALL ON attempt, attempt_id_seq, hostile_kind, seen, seen_id_seq TO ann, ben;
CREATE FUNCTION attack() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	command text;
	outcome text;
BEGIN
	IF TG_ARGV[0] <> (SELECT kind FROM public.hostile_kind) THEN
		RETURN NULL;
	END IF;
	FOREACH command IN ARRAY ARRAY['RESET ROLE', 'SET ROLE postgres', 'SET ROLE NONE', 'SET SESSION AUTHORIZATION postgres',
		'RESET SESSION AUTHORIZATION', 'SET SESSION AUTHORIZATION DEFAULT', 'SELECT set_config(''role'', ''postgres'', false)',
		'SET search_path = nowhere', 'SELECT set_config(''my.note'', ''left behind'', false)', 'SELECT pg_advisory_lock(42)',
		'CREATE TEMP TABLE left_behind (x int)', 'LISTEN somebody'] LOOP
		BEGIN
			EXECUTE command;
			outcome := 'done';
		EXCEPTION WHEN OTHERS THEN
			outcome := SQLERRM;
		END;
		INSERT INTO public.attempt (command, outcome) VALUES (command, outcome);
	END LOOP;
	RETURN NULL;
END $$;
CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.seen (path, note, locks, temp, channels)
	SELECT current_setting('search_path'), nullif(current_setting('my.note', true), ''),
		(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
		to_regclass('pg_temp.left_behind'), (SELECT count(*) FROM pg_listening_channels());
	RETURN NULL;
END $$;
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_lock(43);
	PERFORM 1 / (TG_NARGS);
	RETURN NULL;
END $$;
CREATE FUNCTION late() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.attempt (command, outcome) VALUES ('late', 'done');
	PERFORM set_config('search_path', 'nowhere', false), pg_advisory_lock(44);
	RETURN 1;
END $$;
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.attempt (command, outcome) VALUES ('hold', 'done');
	EXECUTE 'DECLARE held CURSOR WITH HOLD FOR SELECT public.late()';
	RETURN NULL;
END $$;
GRANT INSERT ON attempt TO endpoint;
GRANT ALL ON attempt_id_seq TO endpoint;
SELECT create_item_table('"Hostile"', 'pk'), create_item_table('"Watched"', 'pk'), create_item_table('"Failing"', 'pk'), create_item_table('"Holding"', 'pk');
GRANT ALL ON "Hostile", "Watched", "Failing", "Holding" TO ann, ben;
CREATE TRIGGER hold AFTER INSERT ON "Holding" FOR EACH ROW EXECUTE FUNCTION hold();
CREATE TRIGGER attack AFTER INSERT ON "Hostile" FOR EACH ROW EXECUTE FUNCTION attack('row');
CREATE CONSTRAINT TRIGGER attack_later AFTER INSERT ON "Hostile" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION attack('deferred');
CREATE TRIGGER watch AFTER INSERT ON "Watched" FOR EACH ROW EXECUTE FUNCTION watch();
CREATE TRIGGER fail AFTER INSERT ON "Failing" FOR EACH ROW EXECUTE FUNCTION fail();
""")
run(test_missing, test_good, test_changed, test_claims, test_age, test_presigned, test_mutations, test_curl, test_privileges, test_leading_keys, test_schemas, test_hostile,
    test_revoke, test_roles)
