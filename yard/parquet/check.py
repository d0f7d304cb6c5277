"""Reads exports back with the programs people use, and writes them to S3. Run by `check` beside it; ends with 0 if all holds."""

import http.server
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

import boto3
import duckdb
import pandas
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet
from moto.server import ThreadedMotoServer

GROMA = sys.argv[1]
SPARK = "--spark" in sys.argv
failed = 0


def check(what, found, wanted):
    global failed
    good = found == wanted
    failed += not good
    print(f"{'ok    ' if good else 'BROKEN'} {what}" + ("" if good else f": {found!r}, wanted {wanted!r}"))


def groma(*words, env=None):
    done = subprocess.run([GROMA, *words], capture_output=True, text=True, env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def rows(*words):
    code, out, err = groma(*words, "-f", "json")
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def survey(folder):
    """The demonstration site, and a graph large enough to be caught in the middle: their stores."""
    store = f"{folder}/demo.groma"
    assert groma("demo", "--store", store, "-q")[0] == 0
    edges = folder / "edges.txt"
    chance = random.Random(1)
    with open(edges, "w") as out:
        for page in range(100_000):
            for _ in range(20):
                out.write(f"https://h{page % 300}.example/{page} https://h{chance.randrange(300)}.example/x{chance.randrange(5000)}\n")
    large = f"{folder}/large.groma"
    assert groma("import", "graph", "-q", "--edges", str(edges), "--store", large)[0] == 0
    return store, large


def by_duckdb(out, pages, links):
    sql = duckdb.connect()
    sql.execute(f"create view pages as from read_parquet('{out}/pages/*/*.parquet', hive_partitioning = true)")
    sql.execute(f"create view links as from read_parquet('{out}/links/*/*.parquet', hive_partitioning = true)")
    found = sql.execute("select url, state, reason, title from pages").fetchall()
    wanted = [(p["url"], p["state"], p["reason"], p.get("title") or None) for p in pages]
    check("DuckDB: addresses, states, reasons, titles", sorted(found, key=str), sorted(wanted, key=str))
    found = sql.execute(
        "select s.url, t.url, l.kind, l.anchor, l.block, coalesce(l.rel, '') from links l"
        " join pages s on s.id = l.source join pages t on t.id = l.target"
    ).fetchall()
    wanted = [(link["from"], link["to"], link["kind"], link["anchor"], link["block"], " ".join(link["rel"])) for link in links]
    # A page may link twice with the same words: lists are compared, not sets.
    check("DuckDB: links by address, kind, text, block, rel", sorted(found), sorted(wanted))
    check("DuckDB: no number without an address", sql.execute(
        "select count(*) from links where source not in (select id from pages) or target not in (select id from pages)"
    ).fetchone()[0], 0)
    check("DuckDB: a host is in one part", sql.execute(
        "select count(*) from (select host from pages group by host having count(distinct part) > 1)"
    ).fetchone()[0], 0)


def by_pandas(out, pages, links):
    frame = pandas.read_parquet(f"{out}/pages")
    check("pandas: addresses", sorted(frame["url"]), sorted(page["url"] for page in pages))
    check("pandas: time has its zone", str(frame["since"].dt.tz), "UTC")
    texts = pandas.read_parquet(f"{out}/texts")
    check("pandas: every text is of a page", set(texts["id"]) <= set(frame["id"]), True)
    check("pandas: links", len(pandas.read_parquet(f"{out}/links")), len(links))


def by_spark(out, pages, links):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.read.parquet(f"{out}/pages").createOrReplaceTempView("pages")
    spark.read.parquet(f"{out}/links").createOrReplaceTempView("links")
    check("Spark: pages", spark.table("pages").count(), len(pages))
    check("Spark: links", spark.table("links").count(), len(links))
    parts = json.loads((pathlib.Path(out) / "manifest.json").read_text())["parts"]
    wrong = spark.sql(f"select count(*) from pages where host is not null and part != pmod(xxhash64(host), {parts})")
    check("Spark: parts are pmod(xxhash64(host), parts)", wrong.first()[0], 0)
    spark.stop()


class Site(http.server.BaseHTTPRequestHandler):
    """Pages that nobody can compress: 60 of 2.4 MB each, so that their archive is sent to a store in several pieces."""

    def do_GET(self):
        if self.path == "/robots.txt":
            return self.send_error(404)
        noise = random.Random(self.path).randbytes(1_200_000).hex() if self.path != "/" else ""
        links = "".join(f"<a href='/{page}'>{page}</a> " for page in range(60))
        body = f"<title>{self.path}</title>{links}<!-- {noise} -->".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def archive(folder):
    """The store of a crawl that kept every exchange."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    store = f"{folder}/archive.groma"
    code, _, err = groma("crawl", f"http://127.0.0.1:{server.server_port}/", "-q", "--delay", "0", "--store", store, "--warc", f"{folder}/warc")
    server.shutdown()
    assert code == 0, err
    return store


def archives_on_s3(folder, env, client, names):
    """One WARC and one WACZ file, as objects."""
    store = archive(folder)
    for kind in ("warc", "wacz"):
        local = pathlib.Path(f"{folder}/one.{kind}")
        assert groma("export", kind, "-q", "--store", store, "-o", str(local))[0] == 0
        code, _, err = groma("export", kind, "-q", "--store", store, "-o", f"s3://surveys/archives/one.{kind}", env=env)
        check(f"S3: a {kind} of {local.stat().st_size / 1e6:.0f} MB {err.strip()}", code, 0)
        sent = client.get_object(Bucket="surveys", Key=f"archives/one.{kind}")["Body"].read()
        if kind == "warc":
            check("S3: the warc is the same to the byte", sent == local.read_bytes(), True)
            pieces = client.head_object(Bucket="surveys", Key="archives/one.warc")["ETag"].strip('"').rpartition("-")[2]
            check("S3: it was sent in two pieces or more", pieces.isdigit() and int(pieces) > 1, True)
        # A WACZ says when it was made: what is in it counts.
        back, there = f"{folder}/back.{kind}", f"{folder}/back-{kind}.groma"
        pathlib.Path(back).write_bytes(sent)
        code, _, err = groma("import", "warc", "-q", back, "--store", there)
        check(f"S3: a survey of the {kind} that lies there {err.strip()}", code, 0)
        titles = [[(page["url"], page.get("title")) for page in rows("pages", "--store", which)] for which in (store, there)]
        check(f"S3: has the pages of the {kind}", sorted(titles[1]), sorted(titles[0]))
    before = client.get_object(Bucket="surveys", Key="archives/one.warc")["ETag"]
    bare = f"{folder}/demo.groma"
    code, _, err = groma("export", "wacz", "-q", "--store", bare, "-o", "s3://surveys/archives/one.warc", env=env)
    after = client.get_object(Bucket="surveys", Key="archives/one.warc")["ETag"]
    check("S3: an export that fails leaves what was there", (code, after), (2, before))
    for wrong in ("s3://surveys", "s3://surveys/", "s3://surveys/archives/"):
        code, _, err = groma("export", "warc", "-q", "--store", store, "-o", wrong, env=env)
        check(f"S3: {wrong} is no name for a file", (code, "no place" in err), (2, True))
    code, _, err = groma("export", "warc", "-q", "--store", store, "-o", "s3://absent-bucket/x.warc", env=env)
    check(f"S3: a bucket that is not there is told ({err.splitlines()[0] if err else ''})", (code, "absent-bucket" in err), (2, True))
    check("S3: nothing else was left", names("archives/"), ["one.wacz", "one.warc"])
    check("S3: no upload was left unfinished", client.list_multipart_uploads(Bucket="surveys").get("Uploads", []), [])


def on_s3(folder, store, large):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    # No keys of anybody's: the server takes any.
    env = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true",
    }
    client = boto3.client(
        "s3", endpoint_url=env["AWS_ENDPOINT_URL"], region_name="us-east-1",
        aws_access_key_id="test", aws_secret_access_key="test",
    )
    client.create_bucket(Bucket="surveys")

    def names(prefix):
        found = client.get_paginator("list_objects_v2").paginate(Bucket="surveys", Prefix=prefix)
        return sorted(item["Key"][len(prefix):] for page in found for item in page.get("Contents", []))

    def export(store, to, *words):
        return groma("export", "parquet", "-q", "--store", store, "--to", f"s3://surveys/{to}", *words, env=env)

    try:
        code, _, err = export(store, "a/demo", "--with-text")
        check(f"S3: an export ({err.strip()})", code, 0)
        local = f"{folder}/local"
        assert groma("export", "parquet", "-q", "--store", store, "--to", local, "--with-text")[0] == 0
        files = sorted(str(path.relative_to(local)) for path in pathlib.Path(local).rglob("*") if path.is_file())
        check("S3: the same objects as in a folder", names("a/demo/"), files)
        same = all(
            client.get_object(Bucket="surveys", Key=f"a/demo/{name}")["Body"].read() == (pathlib.Path(local) / name).read_bytes()
            for name in files
        )
        check("S3: each the same to the byte", same, True)
        store_fs = pyarrow.fs.S3FileSystem(
            endpoint_override=f"{host}:{port}", scheme="http", access_key="test", secret_key="test", region="us-east-1"
        )
        table = pyarrow.dataset.dataset("surveys/a/demo/links", filesystem=store_fs, format="parquet", partitioning="hive").to_table()
        check("S3: pyarrow reads the links there", table.num_rows, pyarrow.dataset.dataset(
            f"{local}/links", format="parquet", partitioning="hive").to_table().num_rows)

        code, _, err = export(store, "a/demo", "--parts", "1")
        check(f"S3: an earlier export is replaced ({err.strip()})", (code, "texts" in str(names("a/demo/"))), (0, False))
        client.put_object(Bucket="surveys", Key="a/demo/notes.txt", Body=b"mine")
        before = names("a/demo/")
        code, _, err = export(store, "a/demo")
        check("S3: objects of others are not touched", (code, names("a/demo/")), (2, before))
        check("S3: and that is told", "no export" in err, True)
        code, _, err = groma("export", "parquet", "-q", "--store", store, "--to", "s3://absent-bucket/x", env=env)
        check(f"S3: a bucket that is not there is told ({err.splitlines()[0] if err else ''})", code, 2)

        archives_on_s3(folder, env, client, names)

        # Many parts of a large survey: objects beyond one piece are sent in pieces.
        begun = time.time()
        code, told, err = export(large, "large", "--parts", "1", "-f", "json")
        usual = time.time() - begun
        told = json.loads(told or "{}")
        check(f"S3: a large survey ({told.get('links', {}).get('rows')} links, {usual:.1f} s) {err.strip()}", code, 0)
        whole = names("large/")
        largest = max(item["Size"] for item in client.list_objects_v2(Bucket="surveys", Prefix="large/")["Contents"])
        print(f"       largest object: {largest / 1e6:.1f} MB")
        marks = 0
        for share in (0.2, 0.5, 0.8, 0.95):
            words = ["export", "parquet", "-q", "--store", large, "--to", "s3://surveys/large", "--parts", "1"]
            child = subprocess.Popen([GROMA, *words], env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(usual * share)
            child.kill()
            child.wait()
            # The mark is there only if everything else is.
            if "_SUCCESS" in names("large/"):
                marks += 1
                check(f"S3: killed at {share:.0%}, it says whole and is", names("large/"), whole)
        print(f"       killed 4 times: {marks} times the mark was there")
        code, _, err = export(large, "large", "--parts", "1")
        check("S3: after the kills, a whole one again", (code, names("large/")), (0, whole))
    finally:
        server.stop()


with tempfile.TemporaryDirectory() as made:
    folder = pathlib.Path(made)
    store, large = survey(folder)
    out = f"{folder}/out"
    assert groma("export", "parquet", "-q", "--store", store, "--to", out, "--with-text", "--with-rank", "--parts", "4")[0] == 0
    pages, links = rows("pages", "--store", store), rows("links", "--store", store)
    by_duckdb(out, pages, links)
    by_pandas(out, pages, links)
    if SPARK:
        by_spark(out, pages, links)
    if "built without" in groma("export", "parquet", "--store", store, "--to", "s3://surveys/x")[2]:
        print("left out: S3; this groma was built without object stores (--features cloud)")
    else:
        on_s3(folder, store, large)
print("all holds" if not failed else f"{failed} checks are broken")
sys.exit(1 if failed else 0)
