"""See `check`: warcio, surt and pywb read what groma wrote."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

GROMA, BIN = sys.argv[1], sys.argv[2]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def get(url):
    try:
        with OPENER.open(url, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        try:
            return get(url)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    sys.exit(f"{url} does not answer")


def run(*words, **more):
    subprocess.run([str(word) for word in words], check=True, **more)


def main():
    from surt import surt
    from warcio.archiveiterator import ArchiveIterator

    work = tempfile.mkdtemp(prefix="groma-archives-")
    children = []
    try:
        port = free_port()
        children.append(subprocess.Popen([GROMA, "demo", "--serve", "--port", str(port)], cwd=work,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        site = f"http://127.0.0.1:{port}/"
        wait_for(site)
        crawl = [GROMA, "crawl", site, "--store", "s.groma", "--delay", "0", "-q", "--assets"]
        run(*crawl, "--warc", "w", cwd=work, stdout=subprocess.DEVNULL)
        run(GROMA, "update", "--store", "s.groma", "-q", cwd=work, stdout=subprocess.DEVNULL)
        folder = os.path.join(work, "w")
        files = sorted(name for name in os.listdir(folder) if name.endswith(".warc.gz"))
        assert len(files) >= 2 and not [name for name in os.listdir(folder) if name.endswith(".open")]
        kinds = {}
        for name in files:
            run(os.path.join(BIN, "warcio"), "check", os.path.join(folder, name))
            with open(os.path.join(folder, name), "rb") as stream:
                for record in ArchiveIterator(stream):
                    kinds[record.rec_type] = kinds.get(record.rec_type, 0) + 1
                    record.content_stream().read()
        print("records:", kinds)

        entries = []
        with open(os.path.join(folder, "index.cdxj")) as lines:
            text = lines.read().splitlines()
        assert text == sorted(text), "the index is not sorted"
        for line in text:
            key, stamp, fields = line.split(" ", 2)
            fields = json.loads(fields)
            assert key == surt(fields["url"]), (key, surt(fields["url"]))
            entries.append((stamp, fields))
        print("index:", len(entries), "lines, keys as surt makes them")

        run(os.path.join(BIN, "wb-manager"), "init", "c", cwd=work, stdout=subprocess.DEVNULL)
        place = os.path.join(work, "collections", "c")
        for name in files:
            shutil.copy(os.path.join(folder, name), os.path.join(place, "archive"))
        shutil.copy(os.path.join(folder, "index.cdxj"), os.path.join(place, "indexes"))
        replay = free_port()
        children.append(subprocess.Popen([os.path.join(BIN, "wayback"), "-b", "127.0.0.1", "-p", str(replay)], cwd=work,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        wait_for(f"http://127.0.0.1:{replay}/")
        compared = 0
        for stamp, fields in entries:
            if fields["status"] != "200":
                continue
            status, body = get(f"http://127.0.0.1:{replay}/c/{stamp}id_/{fields['url']}")
            live_status, live = get(fields["url"])
            assert (status, live_status) == (200, 200), (fields["url"], status)
            assert hashlib.sha1(body).digest() == hashlib.sha1(live).digest(), fields["url"]
            compared += 1
        print("replayed by pywb and compared with the server:", compared)

        run(GROMA, "export", "wacz", "--store", "s.groma", "-o", "s.wacz", "-q", cwd=work)
        with zipfile.ZipFile(os.path.join(work, "s.wacz")) as wacz:
            assert wacz.testzip() is None
            told = json.loads(wacz.read("datapackage.json"))
            for resource in told["resources"]:
                data = wacz.read(resource["path"])
                assert len(data) == resource["bytes"]
                assert resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest()
            digest = json.loads(wacz.read("datapackage-digest.json"))
            assert digest["hash"] == "sha256:" + hashlib.sha256(wacz.read("datapackage.json")).hexdigest()
            print("wacz:", len(told["resources"]), "resources with right digests")
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.wait()
        shutil.rmtree(work, ignore_errors=True)


main()
