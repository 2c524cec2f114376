"""Signals while Fathom computes, writes and serves: files are whole, and nothing is left behind."""

import os
import re
import shutil
import signal
import threading
import time
import urllib.request

from bench import Broken, demand
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
        return ["compare", "--files", *files, "--seed", "1", "--export-csv", self.target]


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


class KillUi(Kill):
    command = "ui"

    def prepare(self, place):
        fixtures(place)

    def words(self, place):
        return ["ui", "../fixtures/traces", "--no-open"]

    def takes(self, place):
        return 1.0

    def completed(self, place, code):
        return code == 0 and self.number != signal.SIGKILL

    def demand_status(self, place, ended):
        if ended.code != -self.number:
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
        address = getattr(place, "address", None)
        if address is None:
            return
        try:
            urllib.request.urlopen(address, timeout=1).read()
        except OSError:
            return
        raise Broken(f"{address} still answers")
