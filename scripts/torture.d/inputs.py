"""Names and commands with newlines, escape codes, bytes that are not text, and great length."""

import os
import re

from bench import Broken, Trial, demand

ODD = {
    "a newline": b"a\nb",
    "an escape code": b"\x1b[31mred\x1b]0;title\x07",
    "bytes that are not text": b"\xff\xfe\x80bad",
    "a carriage return": b"safe\rerror: fake",
    "a change of direction": "abc\u202ecba".encode(),
    "the 8-bit escape code": "\u009b31m".encode(),
    "a backspace": b"abc\x08\x08\x08x",
    "a leading dash": b"-rf",
    "braces": b"{seed}{",
    "a quote": b"it's \"quoted\"",
}
# What Fathom itself may send to a terminal: colours, erasing the line, moving the cursor up.
OWN = re.compile(r"\x1b\[(?:[0-9;]*m|[02]?[KJ]|[0-9]*A|\?25[lh])")
STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")


def demand_tame(ended):
    """Nothing foreign steers the terminal."""
    for text in (ended.out, ended.err):
        rest = OWN.sub("", text)
        found = STEERING.search(rest)
        if found:
            raise Broken(f"a raw {found[0]!r} reaches the terminal: {rest[max(0, found.start() - 60) : found.end() + 60]!r}")


class OddName(Trial):
    """Files, folders, commands and metrics of this name; the answer or an error, and no panic."""

    group = "Names and inputs"
    family = "names"
    most = 3

    def __init__(self, what):
        self.what = ODD[what]
        self.name = f"names with {what}"

    def once(self, place):
        odd = self.what
        folder = os.path.join(os.fsencode(place.folder), b"in-" + odd)
        os.makedirs(folder)
        table = os.path.join(folder, odd + b".csv")
        with open(table, "wb") as file:
            file.write(b"time_s,m," + odd.replace(b"\n", b" ").replace(b'"', b"'").replace(b"\r", b" ") + b"\n")
            file.writelines(b"%d,%d,%d\n" % (n, n * 7 % 5, n * 3 % 4) for n in range(60))
        program = os.path.join(folder, odd)
        with open(program, "wb") as file:
            file.write(b"#!/bin/sh\nexit 0\n")
        os.chmod(program, 0o755)
        traces = os.path.join(folder, b"t-" + odd)
        report = os.path.join(folder, b"r-" + odd)
        store = os.path.join(folder, b"s-" + odd)
        none = os.path.join(folder, b"none-" + odd)
        on_terminal = place.random.random() < 0.5
        for words in (
            ["analyze", table, "--column", "m"], ["analyze", none], ["analyze", table, "--column", odd],
            ["import", table, "-o", traces], ["show", traces], ["export", traces],
            ["explain", traces, "--target", "m", "--window", "20..25"], ["explain", traces, "--target", odd],
            ["report", traces, "-o", report], ["report", none, "-o", report],
            ["run", "-r", "3", "--session-dir", store, "--", b"'" + program.replace(b"'", b"'\\''") + b"'"],
            ["run", "-r", "3", "--session-dir", store, "--save", odd, "-n", odd, "true"],
            ["run", "-r", "3", "--no-save", "--export-json", report, "true"],
            ["run", "-r", "3", "--no-save", b"sh -c 'echo " + odd.replace(b"'", b"") + b" >&2; exit 9'"],
            ["list", "--session-dir", store], ["show", "--session-dir", store, odd],
            ["compare", "--files", table, none], ["compare", "-r", "4", "--no-save", "true", program],
            ["check", odd, "--no-save", "--", "true"], ["check", "runtime < 9 s", "-r", "3", "--no-save", "--", program],
            ["record", "-o", traces, "--force", "--probe", "process", "--runs", "1", "--", program], ["resume", odd],
            ["ui", none, "--no-open"], [odd],
        ):
            self.try_(place, words, on_terminal)

    def try_(self, place, words, on_terminal):
        ended = place.run(*words, on_terminal=on_terminal)
        demand(0 <= ended.code <= 5, f"the status is {ended.code}")
        # A CSV table is data: whoever prints it to a terminal sees it as it is.
        if words[0] != "export":
            demand_tame(ended)
        place.notes.count("commands")


class LongPath(OddName):
    family = "paths"

    def __init__(self, length):
        self.length = length
        self.name = f"paths of {length} bytes"

    def once(self, place):
        path = place.folder
        while len(path) < self.length:
            path = os.path.join(path, "d" * min(200, max(1, self.length - len(path) - 1)))
        path = path[: self.length]
        for words in (
            ["analyze", path], ["import", path, "-o", path], ["show", path], ["export", path], ["explain", path, "--target", "m"],
            ["report", path, "-o", path], ["run", "-r", "2", "--no-save", path], ["run", "-r", "2", "--session-dir", path, "true"],
            ["list", "--session-dir", path], ["check", "runtime < 9 s", "-r", "2", "--no-save", "--", path],
            ["record", "-o", path, "--runs", "1", "--probe", "process", "--", "true"], ["compare", "--files", path, path],
        ):
            self.try_(place, words, False)


def trials():
    return [*(OddName(what) for what in ODD), LongPath(4095), LongPath(4096), LongPath(100_000)]
