"""Signed requests to an S3-compatible engine.

    python3 Scripts/engines/s3.py URL METHOD PATH [BODY]     sends one request, and fails unless it succeeds
"""
import datetime
import hashlib
import hmac
import http.client
import os
import sys
import urllib.parse
from dataclasses import dataclass


@dataclass
class Response:
    status: int
    """The names are in lowercase."""
    headers: dict
    body: bytes

    @property
    def succeeded(self):
        return 200 <= self.status < 300


class Client:
    """A client with one connection, which is opened again after an error."""

    def __init__(self, url, region="us-east-1", clock=0, timeout=5):
        """Creates a client whose clock is ahead by `clock` seconds."""
        self.host = urllib.parse.urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=timeout)
        self.region, self.clock = region, datetime.timedelta(seconds=clock)
        self.key, self.secret = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]

    def send(self, method, path, body=b"", query="", headers={}, payload_hash=None):
        """Returns the response to a request, whose query must be sorted. `payload_hash` is that of the body by default."""
        path = "/" + urllib.parse.quote(path, safe="/-._~")
        now = (datetime.datetime.now(datetime.timezone.utc) + self.clock).strftime("%Y%m%dT%H%M%SZ")
        fields = {
            "host": self.host, "x-amz-content-sha256": payload_hash or hashlib.sha256(body).hexdigest(),
            "x-amz-date": now, **headers}
        fields["authorization"] = self.authorization(method, path, query, fields)
        try:
            self.connection.request(method, path + ("?" + query if query else ""), body=body, headers=fields)
            response = self.connection.getresponse()
            return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def authorization(self, method, path, query, fields):
        names = ";".join(sorted(fields))
        lines = "".join(f"{name}:{fields[name]}\n" for name in sorted(fields))
        request = "\n".join([method, path, query, lines, names, fields["x-amz-content-sha256"]])
        scope = [fields["x-amz-date"][:8], self.region, "s3", "aws4_request"]
        text = "\n".join([
            "AWS4-HMAC-SHA256", fields["x-amz-date"], "/".join(scope), hashlib.sha256(request.encode()).hexdigest()])
        key = b"AWS4" + self.secret.encode()
        for part in [*scope, text]:
            key = hmac.digest(key, part.encode(), "sha256")
        return f"AWS4-HMAC-SHA256 Credential={self.key}/{'/'.join(scope)}, SignedHeaders={names}, Signature={key.hex()}"


if __name__ == "__main__":
    url, method, path, body = [*sys.argv[1:], ""][:4]
    try:
        sys.exit(0 if Client(url).send(method, path, body.encode()).succeeded else 1)
    except (OSError, http.client.HTTPException):
        sys.exit(1)
