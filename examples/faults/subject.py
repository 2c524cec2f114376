"""A program under load with a fault in it: what all faults have in common.

A client in this process asks a real server (or works itself) in a closed loop. Every 50 ms one line of JSON
says how many operations per second were done and how long one took. From AT on, for LENGTH seconds, the
fault is there. When it began and ended, on the monotonic clock, is written to a file, which `score.py`
compares with the answers; nothing that Fathom records says so.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

REPORT_EVERY = 0.05


class Subject:
    """One fault in one program. `causes` is a regular expression of metrics that name the cause."""

    causes = ""
    #: Packages of Debian, and the programs that they bring.
    needs = {}

    def __init__(self, folder):
        self.folder = folder
        self.children = []

    def start(self):
        """Starts servers, connects."""

    def step(self):
        """One operation."""

    def begin(self):
        """Begins the fault; must not wait."""

    def end(self):
        """Ends it."""

    # What faults are made of.

    def run(self, *words, **options):
        """A child that is ended with the subject."""
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        child = subprocess.Popen(words, **{**quiet, **options})
        self.children.append(child)
        return child

    def python(self, code, *words):
        return self.run(sys.executable, "-c", code, *map(str, words))

    def stop(self, child):
        child.terminate()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def path(self, name):
        return os.path.join(self.folder, name)

    def written(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(port, within=10.0):
    """A connection to a server that is starting."""
    until = time.monotonic() + within
    while True:
        try:
            link = socket.create_connection(("127.0.0.1", port), timeout=30)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def answer(link, size):
    """Reads so many bytes."""
    while size > 0:
        part = link.recv(min(size, 1 << 16))
        if not part:
            raise ConnectionError("the server closed the connection")
        size -= len(part)


def answer_to(link, mark):
    """Reads until this mark was seen at the end."""
    seen = b""
    while not seen.endswith(mark):
        part = link.recv(1 << 16)
        if not part:
            raise ConnectionError("the server closed the connection")
        seen = (seen + part)[-len(mark) :]


def http(link, path):
    """A request on a connection that stays open."""
    link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        part = link.recv(1 << 16)
        if not part:
            raise ConnectionError("the server closed the connection")
        head += part
    head, body = head.split(b"\r\n\r\n", 1)
    size = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    answer(link, size - len(body))


class Reporter:
    """Says every 50 ms what was done; also if nothing was."""

    def __init__(self):
        self.lock = threading.Lock()
        self.done, self.spent = 0, 0.0
        threading.Thread(target=self.report, daemon=True).start()

    def count(self, seconds):
        with self.lock:
            self.done += 1
            self.spent += seconds

    def report(self):
        last = time.monotonic()
        while True:
            time.sleep(REPORT_EVERY)
            now = time.monotonic()
            with self.lock:
                done, spent, self.done, self.spent = self.done, self.spent, 0, 0.0
            line = {"ops": round(done / (now - last), 1)}
            if done:
                line["latency_ms"] = round(1000 * spent / done, 4)
            last = now
            try:
                print(json.dumps(line), flush=True)
            except BrokenPipeError:
                os._exit(0)


def main(subjects):
    name, told, seconds, at, length = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:6])
    with tempfile.TemporaryDirectory(prefix="faults.") as folder:
        subject = subjects[name](folder)
        try:
            subject.start()
            reporter = Reporter()
            origin = time.monotonic()
            threading.Thread(target=strike, args=(subject, origin, at, length, told), daemon=True).start()
            while (begun := time.monotonic()) < origin + seconds:
                subject.step()
                reporter.count(time.monotonic() - begun)
        finally:
            for child in subject.children:
                if child.poll() is None:
                    subject.stop(child)


def strike(subject, origin, at, length, told):
    time.sleep(max(0.0, origin + at - time.monotonic()))
    begun = time.monotonic_ns()
    subject.begin()
    time.sleep(length)
    subject.end()
    with open(told, "w") as file:
        json.dump({"begun_ns": begun, "ended_ns": time.monotonic_ns()}, file)
