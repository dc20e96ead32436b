"""What programs do with boto3 and its defaults; prints one JSON object of what they saw."""

import hashlib
import io
import json
import sys

import boto3
from botocore.exceptions import ClientError

BUCKET = "boto3-session"
LARGE = bytes(range(256)) * 4096 * 20

s3 = boto3.client("s3")
seen = {}


def code_of(call, **kwargs):
    try:
        call(**kwargs)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


s3.create_bucket(Bucket=BUCKET)
s3.upload_fileobj(io.BytesIO(LARGE), BUCKET, "large")
body = io.BytesIO()
s3.download_fileobj(BUCKET, "large", body)
seen["large"] = hashlib.sha256(body.getvalue()).hexdigest() == hashlib.sha256(LARGE).hexdigest()

s3.put_object(Bucket=BUCKET, Key="a/ü ☃?#&=+%", Body=b"x" * 100, Metadata={"colour": "red"})
head = s3.head_object(Bucket=BUCKET, Key="a/ü ☃?#&=+%")
seen["metadata"] = head["Metadata"]
part = s3.get_object(Bucket=BUCKET, Key="a/ü ☃?#&=+%", Range="bytes=10-19")
seen["range"] = [part["ContentRange"], part["Body"].read().decode()]

for number in range(25):
    s3.put_object(Bucket=BUCKET, Key=f"many/{number:02}/key", Body=b"")
pages = s3.get_paginator("list_objects_v2").paginate(
    Bucket=BUCKET, Prefix="many/", Delimiter="/", PaginationConfig={"PageSize": 10}
)
prefixes = [one["Prefix"] for page in pages for one in page.get("CommonPrefixes", [])]
seen["prefixes"] = [len(prefixes), prefixes[0], prefixes[-1]]

seen["codes"] = [
    code_of(s3.get_object, Bucket=BUCKET, Key="nothing"),
    code_of(s3.get_object, Bucket="boto3-no-such", Key="nothing"),
    code_of(s3.put_object, Bucket=BUCKET, Key="large", Body=b"", IfNoneMatch="*"),
    code_of(s3.put_object, Bucket=BUCKET, Key="wrong", Body=b"x", ContentMD5="1B2M2Y8AsgTpgAmY7PhCfg=="),
    code_of(s3.delete_bucket, Bucket=BUCKET),
]

bucket = boto3.resource("s3").Bucket(BUCKET)
bucket.objects.all().delete()
bucket.delete()
seen["left"] = [one["Name"] for one in s3.list_buckets()["Buckets"] if one["Name"] == BUCKET]
json.dump(seen, sys.stdout)
