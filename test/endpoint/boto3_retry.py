"""A program with boto3's usual retries, which must notice nothing of workers that end: boto3_retry.py PROGRESS STOP

Puts items in four threads until the file STOP is there or the test that has started it is gone; each answered put is a byte in the file
PROGRESS.  Prints every error that reached the program, then the number of puts, and of those that were sent more than once.
"""

import os
import sys
import threading

import boto3

progress = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
client = boto3.client("dynamodb", endpoint_url=os.environ["ENDPOINT_URL"])
answers = []
parent = os.getppid()


def put(thread):
    for number in range(100000):
        if os.path.exists(sys.argv[2]) or os.getppid() != parent:
            break
        try:
            response = client.put_item(TableName="Load", Item={"pk": {"S": f"retry#{thread}"}, "sk": {"N": str(number)}})
            answers.append(response["ResponseMetadata"]["RetryAttempts"])
            os.write(progress, b".")
        except Exception as error:
            print("error", repr(error), flush=True)
            break


threads = [threading.Thread(target=put, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(answers), "puts,", sum(1 for retries in answers if retries), "retried")
