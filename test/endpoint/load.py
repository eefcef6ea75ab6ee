"""Writers and readers over plain keep-alive connections, which go on when a connection breaks, until they are told to stop.

    load.py DIRECTORY NAME WRITERS READERS

Writer w puts the items pk = NAME#w, sk = 1, 2, 3, ... into the table "Load", one after the other, and notes each number whose put was
answered with 200 in DIRECTORY/NAME.put.w.  A put without an answer may or may not have been done: the writer goes on with the next number.
Reader r asks for the newest item of each writer in turn, and for the one after it, and notes what it was shown in DIRECTORY/NAME.seen.r
as "w number".  Nothing is buffered here: what was noted is in the file even if this program is killed.  Lines "tries w number" at the end
of the output tell how far each writer came.

Ends when DIRECTORY/NAME.stop is there or the test that has started it is gone, or after so many puts of each writer that only a mistake
of the test leads there.
"""

import http.client
import json
import os
import sys
import threading
import time
import urllib.parse

directory, name, writers, readers = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
address = urllib.parse.urlparse(os.environ["ENDPOINT_URL"]).netloc
stop = os.path.join(directory, f"{name}.stop")
parent = os.getppid()
most = 50000
tries = [0] * writers
errors = []


def is_over():
    return os.path.exists(stop) or os.getppid() != parent


class Connection:
    """One connection, made again when it is needed; an answer is (status, body), or (None, None) if none came."""

    def __init__(self):
        self.connection = None

    def ask(self, operation, body):
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(address, timeout=120)
            self.connection.request("POST", "/", json.dumps(body), {
                "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}"})
            answer = self.connection.getresponse()
            content = answer.read()
            if answer.will_close:
                self.connection.close()
                self.connection = None
            return answer.status, json.loads(content)
        except (OSError, http.client.HTTPException, ValueError):
            if self.connection:
                self.connection.close()
            self.connection = None
            time.sleep(0.02)
            return None, None


def note(file, text):
    os.write(file, f"{text}\n".encode())


def key(writer, number):
    return {"pk": {"S": f"{name}#{writer}"}, "sk": {"N": str(number)}}


def write(writer):
    connection = Connection()
    file = os.open(os.path.join(directory, f"{name}.put.{writer}"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in range(1, most):
        if is_over():
            break
        tries[writer] = number
        status, body = connection.ask("PutItem", {"TableName": "Load", "Item": {**key(writer, number), "text": {"S": "x" * (number % 300)}}})
        if status == 200:
            note(file, number)
        elif status is not None and status < 500:
            errors.append(f"put: {status} {body}")


def read(reader):
    connection = Connection()
    file = os.open(os.path.join(directory, f"{name}.seen.{reader}"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for turn in range(most):
        if is_over():
            break
        writer = turn % writers
        status, body = connection.ask("Query", {
            "TableName": "Load", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": key(writer, 0)["pk"]},
            "ScanIndexForward": False, "Limit": 1, "ConsistentRead": True})
        if status is not None and status != 200 and status < 500:
            errors.append(f"query: {status} {body}")
        if status == 200 and body["Items"]:
            number = int(body["Items"][0]["sk"]["N"])
            note(file, f"{writer} {number}")
            status, body = connection.ask("GetItem", {"TableName": "Load", "Key": key(writer, number + 1)})
            if status == 200 and "Item" in body:
                note(file, f"{writer} {number + 1}")


threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
threads += [threading.Thread(target=read, args=(number,)) for number in range(readers)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for writer in range(writers):
    print("tries", writer, tries[writer])
for error in errors[:5]:
    print("error", error)
