"""Signals while Fathom computes, writes and serves: files are whole, and nothing is left behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request

from bench import Broken, Unable, demand
from kill import Kill, Undisturbed, fixtures


class KillWriting(Kill):
    """Commands that write a file: afterwards it is the old one whole, or the new one whole."""

    target = "target"
    old = "the old content\n"

    def prepare(self, place):
        fixtures(place)
        place.write(self.target, self.old)

    def forget(self, place):
        return self.read(place)

    def read(self, place):
        with open(place.path(self.target), "rb") as file:
            found = file.read()
        # The command line is in the file, and only some trials are on a terminal. A report has its date.
        found = found.replace(b"--style full ", b"")
        return re.sub(rb"\d{4}-\d\d-\d\d \d\d:\d\d UTC", b"DATE", found)

    def demand_status(self, place, ended):
        # Nothing is measured here; ending by the signal is as good as saying 130.
        if ended.code != -self.number:
            super().demand_status(place, ended)

    def check(self, place, ended, was_killed, moment):
        found = self.read(place)
        is_new = found == Undisturbed.of(self, place).wrote
        if not is_new and found != self.old.encode():
            with open(place.path("expected"), "wb") as file:
                file.write(Undisturbed.of(self, place).wrote)
            raise Broken(f"{self.target} is neither the old nor the new file, which is in \"expected\"")
        place.notes.count("new file" if is_new else "old file")


class KillFiles(KillWriting):
    command = "compare --files"

    def words(self, place):
        files = [f"../fixtures/values-{n}.csv" for n in (1, 2)]
        return ["compare", "--files", *files, "--export-csv", self.target]


class KillAnalyze(KillWriting):
    command = "analyze"

    def words(self, place):
        return ["analyze", "../fixtures/values-1.csv", "--export-json", self.target]


class KillExplain(KillWriting):
    command = "explain"
    shows_progress = True

    def words(self, place):
        words = ["explain", "../fixtures/traces", "--target", "m0", "--window", "10..11"]
        return [*words, "--export-json", self.target]


class KillReport(KillWriting):
    command = "report"

    def words(self, place):
        words = ["report", "../fixtures/traces", "--target", "m0", "--window", "10..11"]
        return [*words, "-o", self.target]


class KillFolder(Kill):
    """Commands that write a folder: every file in it is whole, and the command can be repeated."""

    def prepare(self, place):
        fixtures(place)

    def forget(self, place):
        shutil.rmtree(place.path("target"), ignore_errors=True)

    def demand_status(self, place, ended):
        if ended.code != -self.number:
            super().demand_status(place, ended)

    def contents(self, folder):
        if not os.path.isdir(folder):
            return {}
        found = {}
        for name in os.listdir(folder):
            # A kill may leave these; every reader ignores them.
            if not (name.startswith(".fathom-") and name.endswith(".tmp")):
                with open(os.path.join(folder, name), "rb") as file:
                    found[name] = file.read()
        return found


class KillImport(KillFolder):
    """The folder is whole or not there, and the import can be repeated."""

    command = "import"
    over_old = False

    def words(self, place):
        files = [f"../fixtures/run{n}.csv" for n in range(2)]
        return ["import", *files, "-o", place.path("target"), "--force"]

    def prepare(self, place):
        super().prepare(place)
        if self.over_old:
            place.expect(0, *self.words(place))

    def check(self, place, ended, was_killed, moment):
        target = place.path("target")
        if self.over_old:
            demand(os.path.exists(target), "the earlier traces are gone")
        if os.path.exists(target):
            shown = place.expect(0, "show", target)
            demand("m0" in shown.out or "m9" in shown.out, "the folder has a manifest and no metrics")
            place.notes.count("whole folder")
        place.expect(0, *self.words(place))
        place.demand_no_temporaries(target)
        exported = place.expect(0, "export", target, "--run", "run0")
        demand(exported.out.count("\n") > 1000, "the folder that was imported again has too few rows")


class KillImportAgain(KillImport):
    """Over earlier traces, which stay until the new ones are complete."""

    command = "import --force"
    over_old = True


class KillExport(KillFolder):
    command = "export"

    def words(self, place):
        return ["export", "../fixtures/traces", "-o", place.path("target")]

    def check(self, place, ended, was_killed, moment):
        place.expect(0, *self.words(place)[:-1], place.path("again"))
        whole = self.contents(place.path("again"))
        for name, content in self.contents(place.path("target")).items():
            demand(content == whole.get(name), f"{name} is not whole")


class KillBench(Kill):
    """Two builds of a bench. The result is written in the end: it is whole, the earlier one or a new one."""

    command = "compare --bench"
    shows_progress = True
    # It refuses --style, and shows progress on a terminal anyway.
    style = ()

    def prepare(self, place):
        bench = os.path.join(os.path.dirname(place.fathom), "examples", "which_is_faster")
        if not os.path.exists(bench):
            raise Unable(f"{os.path.basename(bench)} is not next to Fathom; cargo build -p fathom-bench --examples")
        # Results go next to what cargo built, which it marks.
        os.makedirs(place.path("target"), exist_ok=True)
        place.write("target/CACHEDIR.TAG", "")
        script = place.write("bench.sh", f'#!/bin/sh\n: >started\nexec "{bench}" "$@"\n')
        for name in ("old", "new"):
            # By another process: a file that this one writes may be open in a child of another trial, and then
            # it cannot be executed.
            subprocess.run(["install", "-m", "755", script, place.path("target", name)], check=True)
        os.makedirs(place.path("target", "fathom", "new"), exist_ok=True)
        place.write("target/fathom/new/compared.json", "{}")

    def words(self, place):
        return ["compare", "--bench", "target/old", "target/new", "--max-time", "1s"]

    def takes(self, place):
        # Interrupted in its second half, it has an answer to write.
        return 4.0

    def has_begun(self, place):
        return os.path.exists(place.path("started"))

    def check(self, place, ended, was_killed, moment):
        with open(place.path("target", "fathom", "new", "compared.json")) as file:
            found = json.load(file)
        place.notes.count("new file" if found else "old file")
        if not was_killed:
            demand(found, "it came to its end, and the result is the old one")
        left = os.listdir(place.path("target", "fathom", "new"))
        if self.number != signal.SIGKILL:
            demand(left == ["compared.json"], f"files are left next to the result: {left}")


class KillUi(Kill):
    command = "ui"

    def prepare(self, place):
        fixtures(place)

    def words(self, place):
        return ["ui", "../fixtures/traces", "--no-open"]

    def takes(self, place):
        return 1.0

    def completed(self, place, code):
        # It serves until a signal ends it, so no status means that the signal came too late.
        return False

    def has_begun(self, place):
        return hasattr(place, "address")

    def demand_status(self, place, ended):
        # A signal is how it is meant to end.
        if self.number == signal.SIGKILL or ended.code != 0:
            super().demand_status(place, ended)

    def wait(self, place, fathom, delay):
        """Asks for the page all the time, so that requests are under way."""
        until = time.monotonic() + delay
        while fathom.running() and time.monotonic() < until:
            address = re.search(r"http://\S+", open(fathom.out_path).read())
            if address is None:
                time.sleep(0.005)
                continue
            place.address = address[0]
            threading.Thread(target=self.ask, args=(address[0],), daemon=True).start()
            time.sleep(0.02)

    @staticmethod
    def ask(address):
        try:
            urllib.request.urlopen(address, timeout=5).read()
        except OSError:
            pass
        except Exception:  # A reply that is cut off, by whatever name.
            pass

    def check(self, place, ended, was_killed, moment):
        demand(was_killed, "it ended before the signal")
        if not self.has_begun(place):
            return
        place.notes.count("while it served")
        try:
            urllib.request.urlopen(place.address, timeout=1).read()
        except OSError:
            return
        raise Broken(f"{place.address} still answers")
