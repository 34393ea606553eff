"""What an engine does with requests, whether Darkroom sends them or not. Each probe returns what the engine lacks."""
import base64
import concurrent.futures
import hashlib
import re
import statistics
import time
import urllib.parse
import xml.etree.ElementTree

from .s3 import Client

FOLDER = "darkroom/probes/"
BODY = bytes(range(256)) * 120
RULE = b"""<LifecycleConfiguration><Rule><ID>r</ID><Filter><Prefix>probes/</Prefix></Filter><Status>Enabled</Status>\
<Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>"""


def conditional_put(client):
    """Returns which conditions of a PUT are ignored or refused."""
    name = FOLDER + "condition"
    tag = client.send("PUT", name, b"1").headers.get("etag", "")
    cases = [
        ("`If-None-Match: *`", {"if-none-match": "*"}, name, 412),
        ("`If-Match` of another tag", {"if-match": '"0123456789abcdef0123456789abcdef"'}, name, 412),
        ("`If-Match` of the tag", {"if-match": tag}, name, 200)]
    failures = {}
    for condition, headers, key, expected in cases:
        status = client.send("PUT", key, b"2", headers=headers).status
        if status != expected:
            failures.setdefault("ignores" if status == 200 else f"responds {status} to", []).append(condition)
    return [f"{verb} {', '.join(conditions)}" for verb, conditions in failures.items()]


def racing_puts(client):
    """Returns how many of 16 writers succeed that create one object on the condition that there is none."""

    def write(number):
        return Client(f"http://{client.host}").send(
            "PUT", FOLDER + "race", bytes([number]), headers={"if-none-match": "*"}).succeeded

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        winners = sum(pool.map(write, range(16)))
    return [f"{winners} of 16 concurrent writers succeed"] if winners > 1 else []


def content_hash(client):
    """Returns whether the hash is verified that every signed request has."""
    return refusal(client, {}, hashlib.sha256(b"other").hexdigest())


def checksum(client):
    """Returns whether the checksum is verified that newer clients of AWS add."""
    return refusal(client, {"x-amz-checksum-sha256": base64.b64encode(hashlib.sha256(b"other").digest()).decode()}, None)


def refusal(client, headers, payload_hash):
    name = FOLDER + "hash"
    client.send("DELETE", name)
    if client.send("PUT", name, BODY, headers=headers, payload_hash=payload_hash).succeeded:
        return ["not verified"]
    return ["refused, but stored"] if client.send("GET", name).succeeded else []


def lifecycle(client):
    headers = {"content-md5": base64.b64encode(hashlib.md5(RULE).digest()).decode()}
    status = client.send("PUT", "darkroom", RULE, "lifecycle=", headers).status
    if status // 100 != 2:
        return [f"none (status {status})"]
    stored = client.send("GET", "darkroom", query="lifecycle=")
    return [] if b"<Days>30</Days>" in stored.body else ["forgets lifecycle rules"]


def removal_of_several(client):
    names = [FOLDER + "several/" + name for name in "ab"]
    for name in names:
        client.send("PUT", name, b"1")
    objects = "".join(f"<Object><Key>{name.removeprefix('darkroom/')}</Key></Object>" for name in names)
    body = f"<Delete>{objects}</Delete>".encode()
    headers = {"content-md5": base64.b64encode(hashlib.md5(body).digest()).decode()}
    status = client.send("POST", "darkroom", body, "delete=", headers).status
    if any(client.send("GET", name).succeeded for name in names):
        return [f"none (status {status})"]
    return []


def listing(client):
    """Returns what is wrong with pages of a list."""
    folder = FOLDER + "list/"
    names = ["a", "a-b", "a.b", "aB", "ab", "b/1", "b/2", "b-1", "B", "1", "10", "2"]
    for name in names:
        client.send("PUT", folder + name, b"1")
    prefix = folder.removeprefix("darkroom/")
    found, token, pages = [], "", 0
    while pages < 20:
        pages += 1
        items = [("continuation-token", token)] if token else []
        keys, token = list_page(client, [*items, ("list-type", "2"), ("max-keys", "5"), ("prefix", prefix)])
        found += [key.removeprefix(prefix) for key in keys]
        if not token:
            break
    lacks = []
    if sorted(found) != sorted(names):
        lacks.append(f"lists {len(found)} of {len(names)} objects in {pages} pages")
    elif found != sorted(names):
        lacks.append("not in the order of bytes")
    if pages == 1:
        lacks.append("ignores max-keys")
    keys, _ = list_page(client, [("list-type", "2"), ("prefix", prefix), ("start-after", prefix + "ab")])
    if any(key <= prefix + "ab" for key in keys):
        lacks.append("ignores start-after")
    return lacks


def list_page(client, items):
    quote = lambda text: urllib.parse.quote(text, safe="-._~")
    response = client.send("GET", "darkroom", query="&".join(f"{name}={quote(value)}" for name, value in items))
    if not response.succeeded:
        return [], ""
    root = xml.etree.ElementTree.fromstring(re.sub(rb' xmlns="[^"]*"', b"", response.body))
    return [element.text for element in root.iterfind("Contents/Key")], root.findtext("NextContinuationToken") or ""


def names(client):
    """Returns which keys cannot be stored, or not beside others."""
    lacks = []
    for name in ("a b", "a+b", "é", "?&=", "100%", "%41", "a\\b", "a:b", ".hidden", "x" * 250, "x" * 300):
        content = name.encode()
        client.send("PUT", FOLDER + "names/" + name, content)
        response = client.send("GET", FOLDER + "names/" + name)
        if not response.succeeded or response.body != content:
            lacks.append(f"no names of {len(name)} bytes between slashes" if len(name) > 200 else f"no `{name}` in keys")
    for name in ("file", "file/below"):
        client.send("PUT", FOLDER + name, name.encode())
    if any(client.send("GET", FOLDER + name).body != name.encode() for name in ("file", "file/below")):
        lacks.append("no object `a` beside `a/b`")
    return lacks


def freshness(client):
    """Returns which fields about the time of an object are missing."""
    name = FOLDER + "fresh"
    client.send("PUT", name, b"1")
    headers = client.send("GET", name).headers
    lacks = [f"no `{field}`" for field in ("Date", "Last-Modified", "ETag", "Age") if field.lower() not in headers]
    tag, date = headers.get("etag", ""), headers.get("last-modified", "")
    for field, value in (("If-None-Match", tag), ("If-Modified-Since", date)):
        status = client.send("GET", name, headers={field.lower(): value}).status
        if status != 304:
            lacks.append(f"responds {status} to `{field}` of a GET")
    return lacks


def failures(client):
    """Returns which failures have no status or code of their own."""
    lacks = []
    cases = [
        ("a missing object", client.send("GET", FOLDER + "none"), 404, b"NoSuchKey"),
        ("the removal of a missing object", client.send("DELETE", FOLDER + "none"), 204, b""),
        ("a missing bucket", client.send("GET", "missing-bucket/a"), 404, b"NoSuchBucket"),
        ("the list of a missing bucket", client.send("GET", "missing-bucket", query="list-type=2"), 404, b"NoSuchBucket")]
    other = Client(f"http://{client.host}")
    other.secret = "wrong"
    cases.append(("a wrong secret", other.send("GET", FOLDER + "fresh"), 403, b"SignatureDoesNotMatch"))
    other = Client(f"http://{client.host}", clock=3600)
    cases.append(("a clock that is wrong by an hour", other.send("GET", FOLDER + "fresh"), 403, b"RequestTimeTooSkewed"))
    for circumstances, response, status, code in cases:
        if response.status != status or code not in response.body:
            found = re.search(rb"<Code>(\w+)</Code>", response.body)
            text = f" ({found[1].decode()})" if found else ""
            lacks.append(f"responds {response.status}{text} to {circumstances}")
    other = Client(f"http://{client.host}", region="eu-central-1")
    if not other.send("GET", FOLDER + "fresh").succeeded:
        lacks.append("requires its own region")
    return lacks


PROBES = {
    "conditional PUT": [conditional_put, racing_puts],
    "`x-amz-content-sha256`": [content_hash], "`x-amz-checksum-sha256`": [checksum], "lifecycle rules": [lifecycle],
    "removal of several objects": [removal_of_several], "lists": [listing], "keys": [names],
    "dates and validators": [freshness], "errors": [failures]}


def latencies(client, count=300):
    """Returns the median times of a hit, a miss and a store of 30 KB over one connection, in milliseconds."""

    def median(method, name, body=b"", statuses=(200, 204)):
        times = []
        for number in range(count):
            start = time.perf_counter()
            response = client.send(method, f"{FOLDER}{name}/{number}", body)
            times.append((time.perf_counter() - start) * 1e3)
            if response.status not in statuses:
                raise OSError(f"status {response.status}")
        return statistics.median(times)

    body = (BODY * 2)[:30_000]
    put = median("PUT", "timing", body)
    return {"GET hit": median("GET", "timing"), "GET miss": median("GET", "none", statuses=(404,)), "PUT of 30 KB": put}
