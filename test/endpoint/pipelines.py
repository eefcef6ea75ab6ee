"""Pipelined requests, cut into pieces, over connections that wander between workers: each answer belongs to its request.

    pipelines.py SECONDS CONNECTIONS

Each connection writes keys of its own and knows what they hold, so that it sees whether an answer is that of another request, and whether a
write that was acknowledged is there.  What was not answered when a connection broke may have been done or not.
"""

import json
import os
import random
import socket
import sys
import threading
import time
import urllib.parse
import zlib

seconds, connection_count = float(sys.argv[1]), int(sys.argv[2])
address = urllib.parse.urlparse(os.environ["ENDPOINT_URL"])
until = time.time() + seconds
keys_of_connection = 20
mistakes = []
counts = {"answers": 0, "unanswered": 0, "added": 0}
lock = threading.Lock()


class Connection:
    def __init__(self, chance):
        self.chance = chance
        self.socket = socket.create_connection((address.hostname, address.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def send(self, requests):
        text = b""
        for operation, body in requests:
            content = json.dumps(body).encode()
            text += (f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
                     f"X-Amz-Target: DynamoDB_20120810.{operation}\r\nContent-Length: {len(content)}\r\n\r\n").encode() + content
        while text:
            length = self.chance.choice((1, 7, 60, 400, 3000, 20000))
            self.socket.sendall(text[:length])
            text = text[length:]
            if self.chance.random() < 0.2:
                time.sleep(self.chance.choice((0.001, 0.004, 0.02)))

    def receive(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise ConnectionError
        self.rest += piece

    def read(self):
        """Status and body of the next answer."""
        while b"\r\n\r\n" not in self.rest:
            self.receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        while len(self.rest) < int(headers["content-length"]):
            self.receive()
        content, self.rest = self.rest[:int(headers["content-length"])], self.rest[int(headers["content-length"]):]
        if int(headers["x-amz-crc32"]) != zlib.crc32(content):
            mistakes.append(f"{head!r} {content!r} has another CRC")
        return int(status.split()[1]), json.loads(content)


def make_request(chance, key, tag):
    """(operation, body, kind); kinds: put, add, get, query, fail."""
    name = {"TableName": "Pipe", "Key": {"pk": {"S": key}}}
    kind = chance.choice(("put", "put", "add", "get", "get", "query", "fail"))
    if kind == "put":
        size = chance.choice((1, 10, 300, 5000, 60000))
        return "PutItem", {"TableName": "Pipe", "Item": {"pk": {"S": key}, "tag": {"S": tag}, "text": {"S": "x" * size}}}, kind
    if kind == "add":
        return "UpdateItem", {"TableName": "Pipe", "Key": {"pk": {"S": "all"}}, "UpdateExpression": "ADD n :one SET tag = :t", "ReturnValues": "ALL_NEW",
                              "ExpressionAttributeValues": {":one": {"N": "1"}, ":t": {"S": tag}}}, kind
    if kind == "get":
        return "GetItem", {**name, "ConsistentRead": True}, kind
    if kind == "query":
        return "Query", {"TableName": "Pipe", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": key}}}, kind
    return "UpdateItem", {**name, "ConditionExpression": "tag = :t", "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                          "ExpressionAttributeValues": {":t": {"S": "never"}}}, kind


def look(request, status, body, key, tag, known):
    """Is this the answer?  known: the tags that each key may have."""
    operation, _, kind = request
    if status != (400 if kind == "fail" else 200):
        mistakes.append(f"{operation} {key}: {status} {body}")
    elif kind == "put":
        known[key] = {tag}
    elif kind == "add":
        counts["added"] += 1
        if body["Attributes"]["tag"]["S"] != tag:
            mistakes.append(f"{operation} {tag}: {body}")
    else:
        item = body["Items"][0] if body.get("Items") else body.get("Item")
        found = item and item["tag"]["S"]
        if item and item["pk"]["S"] != key or found not in known.get(key, {None}):
            mistakes.append(f"{operation} {key}: {found} and not {known.get(key)}")


def run(number):
    chance = random.Random(number)
    connection = None
    known = {}
    count = 0
    while time.time() < until:
        requests = []
        for _ in range(chance.choice((1, 1, 2, 5, 12))):
            count += 1
            key, tag = f"{number}#{chance.randrange(keys_of_connection)}", f"{number}-{count}"
            requests.append((make_request(chance, key, tag), key, tag))
        answered = 0
        try:
            connection = connection or Connection(chance)
            connection.send([request[:2] for request, _, _ in requests])
            for request, key, tag in requests:
                status, body = connection.read()
                if status == 503:
                    break
                answered += 1
                with lock:
                    counts["answers"] += 1
                    look(request, status, body, key, tag, known)
        except OSError as error:
            if isinstance(error, socket.timeout):
                mistakes.append("no answer came")
        if answered < len(requests):
            connection = None
            counts["unanswered"] += len(requests) - answered
            for (_, _, kind), key, tag in requests[answered:]:
                if kind == "put":
                    known[key] = known.get(key, {None}) | {tag}
            time.sleep(0.05)


threads = [threading.Thread(target=run, args=(number,)) for number in range(connection_count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for mistake in mistakes[:10]:
    print("#", mistake[:500])
print("ok -" if not mistakes else "not ok -", "each answer is that of its request, and nothing that was acknowledged is lost")
print("counts", json.dumps(counts))
