"""Signals at random moments of every command that takes long."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request
from random import Random

from bench import LEAVE_S, Broken, Trial, Unable, demand

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
INTERRUPTED = 130
RUNS = 16

# The measured command: it says that it starts, works for a moment, and says that it has finished.
CHILD = 'echo x >>"$1.started"; sleep 0.01; echo x >>"$1.finished"\n'


class Kill(Trial):
    """A command that is killed, and what must hold afterwards. Subclasses are the commands."""

    group = "Signals at a random moment"
    command = ""
    # Whether it shows progress on a terminal.
    shows_progress = False

    def __init__(self, number):
        self.number = number
        self.name = f"kill {self.command} with {number.name.removeprefix('SIG')}"

    # ---- What a subclass says.

    def prepare(self, place):
        """Makes what the command needs."""

    def words(self, place):
        raise NotImplementedError

    def takes(self, place):
        """About how long the command takes, in seconds."""
        return Undisturbed.of(self, place).seconds

    def forget(self, place):
        """Removes what the command made, and says what that was, if it is a file."""

    answers = (0,)

    def completed(self, place, code):
        """Whether this status is that of a command that came to its end."""
        return code in self.answers

    def check(self, place, ended, was_killed, moment):
        """What must hold after it has ended."""

    # ---- The trial.

    def once(self, place):
        self.prepare(place)
        delay = place.random.uniform(0, self.takes(place))
        on_terminal = self.shows_progress and place.random.random() < 0.5
        # Ctrl-C and a closed terminal reach the whole group.
        whole_group = self.number in (signal.SIGINT, signal.SIGHUP) and place.random.random() < 0.5
        style = ["--style", "full"] if on_terminal else []
        command, *words = self.words(place)
        fathom = place.start(command, *style, *words, on_terminal=on_terminal)
        self.wait(place, fathom, delay)
        was_running = fathom.running()
        moment = fathom.signal(self.number, whole_group)
        ended = fathom.finish()
        was_killed = was_running and not self.completed(place, ended.code)
        place.notes.count("hit it running" if was_killed else "came too late")
        if was_killed:
            self.demand_status(place, ended)
        place.demand_nobody_left()
        if self.number != signal.SIGKILL:
            place.demand_no_temporaries()
            if on_terminal:
                place.notes.count("on a terminal")
                fathom.terminal.demand_as_found()
        self.check(place, ended, was_killed, moment)

    def wait(self, place, fathom, delay):
        until = time.monotonic() + delay
        while fathom.running() and time.monotonic() < until:
            time.sleep(min(0.005, max(0, until - time.monotonic())))

    def demand_status(self, place, ended):
        if self.number == signal.SIGKILL:
            demand(ended.code == -signal.SIGKILL, f"killed, but the status is {ended.code}")
        elif ended.code == -self.number:
            # Before Fathom could ask for the signal it had begun nothing.
            demand(not self.has_begun(place), "it ended by the signal, not with status 130")
            place.notes.count("before it began")
        else:
            demand(ended.code == INTERRUPTED, f"interrupted, but the status is {ended.code}")

    def has_begun(self, place):
        return True


class Undisturbed:
    """What a command does if nothing happens to it: found out once for all trials of its kind."""

    kinds = {}
    lock = threading.Lock()

    @classmethod
    def of(cls, trial, place):
        with cls.lock:
            if type(trial) not in cls.kinds:
                cls.kinds[type(trial)] = cls(trial, place)
                trial.prepare(place)
            return cls.kinds[type(trial)]

    def __init__(self, trial, place):
        began = time.monotonic()
        place.expect(trial.answers, *trial.words(place))
        self.seconds = time.monotonic() - began
        self.wrote = trial.forget(place)


def line_count(path):
    try:
        with open(path) as file:
            return sum(1 for _ in file)
    except FileNotFoundError:
        return 0


class KillMeasuring(Kill):
    """Commands that measure: no run that was acknowledged is lost, and `resume` finishes the rest.

    Fathom saves every run before it starts the next. So a command that has started for the n-th time
    proves that n - 1 runs were saved, less those that ran at the same time."""

    shows_progress = True
    at_once = 1
    total = RUNS
    # Whether warm-up runs and a block that was cut are performed again.
    repeats = False

    def prepare(self, place):
        place.write("child.sh", CHILD)

    def forget(self, place):
        shutil.rmtree(place.store, ignore_errors=True)
        for name in ("ledger.started", "ledger.finished"):
            if os.path.exists(place.path(name)):
                os.remove(place.path(name))

    def started(self, place):
        return line_count(place.path("ledger.started"))

    def has_begun(self, place):
        return self.started(place) > 0

    def session(self, place):
        """The session of this trial, the last one, if there is one."""
        sessions = [one for one in place.sessions() if one["name"] != "base"]
        return sessions[-1] if sessions else None

    def check(self, place, ended, was_killed, moment):
        started, finished = self.started(place), line_count(place.path("ledger.finished"))
        session = self.session(place)
        if session is None:
            demand(started == 0, f"{started} runs started, and there is no session")
            return
        self.demand_runs(place, session, started, finished)
        if session["finished"]:
            return
        place.notes.count("resumed")
        resumed = place.expect(self.answers, "resume", "--session-dir", place.store, str(session["id"]))
        demand(resumed.out.strip(), "resume ends without an answer")
        self.demand_complete(place)

    def demand_runs(self, place, session, started, finished):
        saved = session["runs"]
        least = max(finished, started) - self.at_once
        demand(saved >= least, f"{saved} runs are saved, {started} had started and {finished} finished")
        demand(saved <= started, f"{saved} runs are saved, but only {started} had started")
        demand(session["lost_runs"] == 0, f"{session['lost_runs']} runs are missing between others")
        demand(not session["live"], "the session counts as live")

    def demand_complete(self, place):
        session = self.session(place)
        demand(session["finished"], "the session is not finished after resume")
        is_complete = session["runs"] >= self.total if self.repeats else session["runs"] == self.total
        demand(is_complete, f"{session['runs']} runs after resume, not {self.total}")
        shown = place.expect(self.answers, "show", "--session-dir", place.store, str(session["id"]))
        demand(shown.out.strip(), "show prints nothing")
        place.demand_nobody_left()


class KillRun(KillMeasuring):
    command = "run"

    def words(self, place):
        return ["run", "-r", str(RUNS), "--session-dir", place.store, "sh child.sh ledger"]


class KillCompare(KillMeasuring):
    command = "compare"
    repeats = True

    def words(self, place):
        words = ["compare", "-r", str(RUNS // 2), "--session-dir", place.store]
        return [*words, "sh child.sh ledger a", "sh child.sh ledger b"]


class KillBaseline(KillMeasuring):
    command = "compare --baseline"

    def prepare(self, place):
        super().prepare(place)
        place.expect(0, "run", "-r", "6", "--session-dir", place.store, "--save", "base", "true")

    def words(self, place):
        words = ["compare", "--baseline", "base", "-r", str(RUNS), "--session-dir", place.store]
        return [*words, "sh child.sh ledger"]


class KillCheck(KillMeasuring):
    command = "check -j 2"
    at_once = 2
    total = 30
    # On a busy machine executions can be correlated, and then 30 are too few.
    answers = (0, 3)

    def words(self, place):
        words = ["check", "runtime < 1000 s", "-r", str(self.total), "-j", "2", "--session-dir", place.store]
        return [*words, "--", "sh", "child.sh", place.path("ledger")]

    def once(self, place):
        super().once(place)
        left = os.path.join(place.store, "check-1", "scratch")
        demand(not os.path.isdir(left) or not os.listdir(left), "folders of executions are left")


class KillResume(KillRun):
    command = "resume"

    def prepare(self, place):
        super().prepare(place)
        fathom = place.start(*super().words(place))
        until = time.monotonic() + LEAVE_S
        while self.started(place) < 3 and fathom.running() and time.monotonic() < until:
            time.sleep(0.002)
        fathom.signal(signal.SIGKILL)
        fathom.finish()
        place.demand_nobody_left()
        demand(self.session(place), "no session to resume")
        self.before = self.started(place) - self.session(place)["runs"]

    def words(self, place):
        return ["resume", "--session-dir", place.store, "last"]

    def has_begun(self, place):
        return True

    def demand_status(self, place, ended):
        # Nothing of the resumed session shows whether it has begun.
        if self.number != signal.SIGKILL and ended.code == -self.number:
            place.notes.count("before it began")
            return
        super().demand_status(place, ended)

    def demand_runs(self, place, session, started, finished):
        # The run that the first kill cost has started, too.
        super().demand_runs(place, session, started - self.before, finished - self.before)

    def completed(self, place, code):
        return code in (0, 2)


class KillSlurm(KillMeasuring):
    command = "check --executor slurm"
    most = 5
    at_once = RUNS

    def prepare(self, place):
        ready = shutil.which("sbatch") and shutil.which("scontrol")
        if not ready or b"UP" not in subprocess.run(["scontrol", "ping"], capture_output=True).stdout:
            raise Unable("no Slurm answers; use scripts/slurm-loopback run scripts/torture ...")
        super().prepare(place)
        os.chmod(place.folder, 0o755)

    def takes(self, place):
        return 8

    def words(self, place):
        words = ["check", "runtime < 1000 s", "-r", str(RUNS), "--probability", "0.5"]
        words += ["--executor", "slurm", "--session-dir", place.store]
        return [*words, "--", "sh", place.path("child.sh"), place.path("ledger")]


class KillRecord(Kill):
    command = "record"
    shows_progress = True
    # What docs/recording.md promises, and room for a busy machine.
    lost_s = 1.0
    slack_s = 3.0

    def words(self, place):
        words = ["record", "-o", place.path("traces"), "--every", "5ms", "--probe", "process", "--runs", "1"]
        return [*words, "--", "sh", "-c", "i=0; while [ $i -lt 150 ]; do sleep 0.02; i=$((i+1)); done"]

    def takes(self, place):
        return 3.2

    def has_begun(self, place):
        return os.path.exists(place.path("traces", "manifest.json"))

    def check(self, place, ended, was_killed, moment):
        traces = place.path("traces")
        if not self.has_begun(place):
            demand(was_killed, "it recorded, and there is no manifest")
            return
        with open(os.path.join(traces, "manifest.json")) as file:
            manifest = json.load(file)
        if not manifest["runs"]:
            return
        place.expect(0, "show", traces)
        clock = manifest["runs"][0]["clock"]["monotonic_ns"]
        ran_s = (moment - clock) / 1e9
        rows = self.rows(place, traces)
        demand(rows == sorted(rows), "samples are out of order")
        if was_killed and (rows or ran_s > self.lost_s + self.slack_s):
            lost_s = ran_s - (rows[-1] / 1e9 if rows else 0)
            demand(lost_s < self.lost_s + self.slack_s, f"the last {lost_s:.2f} s are missing")
            place.notes.at_most("missing before the signal", lost_s)
        if was_killed and self.number != signal.SIGKILL:
            demand(rows, "interrupted, and nothing was kept")
        # The folder can be used again.
        words = ["record", "-o", traces, "--force", "--every", "5ms", "--probe", "process", "--runs", "1"]
        place.expect(0, *words, "--", "sleep", "0.05")
        place.demand_no_temporaries(traces)
        left = sorted(name for name in os.listdir(traces) if ".rows-" in name)
        demand(not left, f"parts of the earlier recording are left: {left}")

    def rows(self, place, traces):
        """The ends of all samples of the fast sampler."""
        words = ["export", traces, "--run", "run-1", "--sampler", "fast"]
        exported = place.run(*words)
        if exported.code != 0:
            demand("no " in exported.err or "nothing" in exported.err, "the traces cannot be exported")
            return []
        rows = csv.DictReader(exported.out.splitlines())
        # What `export` prints is longer than what a trial keeps of it, so the last line may be cut.
        return [int(row["end_ns"]) for row in rows if row["end_ns"]]


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
            # The command line is in the file, and only some trials are on a terminal.
            return file.read().replace(b"--style full ", b"")

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
    command = "import"

    def words(self, place):
        files = [f"../fixtures/run{n}.csv" for n in range(2)]
        return ["import", *files, "-o", place.path("target"), "--force"]

    def prepare(self, place):
        super().prepare(place)
        if place.random.random() < 0.5:
            place.expect(0, *self.words(place))

    def check(self, place, ended, was_killed, moment):
        target = place.path("target")
        if os.path.exists(os.path.join(target, "manifest.json")):
            shown = place.expect(0, "show", target)
            demand("m0" in shown.out, "the folder has a manifest and no metrics")
            place.notes.count("whole folder")
        place.expect(0, *self.words(place))
        place.demand_no_temporaries(target)
        exported = place.expect(0, "export", target, "--run", "run0")
        demand(exported.out.count("\n") > 1000, "the folder that was imported again has too few rows")


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
            self.address = address[0]
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
        address = getattr(self, "address", None)
        if address is None:
            return
        try:
            urllib.request.urlopen(address, timeout=1).read()
        except OSError:
            return
        raise Broken(f"{address} still answers")


FIXTURES = threading.Lock()


def fixtures(place):
    """Traces and values that every trial reads and none writes."""
    folder = place.path("..", "fixtures")
    with FIXTURES:
        if os.path.isdir(folder):
            return
        made = place.path("fixtures")
        os.mkdir(made)
        random = Random(1)
        for number in (1, 2):
            with open(os.path.join(made, f"values-{number}.csv"), "w") as file:
                file.write("time_ms\n")
                file.writelines(f"{random.gauss(100, 3):.5f}\n" for _ in range(150_000))
        for number in range(2):
            with open(os.path.join(made, f"run{number}.csv"), "w") as file:
                file.write("time_s," + ",".join(f"m{n}" for n in range(30)) + "\n")
                for row in range(3000):
                    bump = 5 if 1000 <= row < 1100 else 0
                    values = (f"{random.gauss(100, 3) + (bump if n < 4 else 0):.4f}" for n in range(30))
                    file.write(f"{row / 100:.2f}," + ",".join(values) + "\n")
        runs = [os.path.join(made, f"run{number}.csv") for number in range(2)]
        place.expect(0, "import", *runs, "-o", os.path.join(made, "traces"))
        os.rename(made, folder)


KINDS = [
    KillRun, KillCompare, KillBaseline, KillFiles, KillCheck, KillSlurm, KillRecord, KillResume,
    KillImport, KillExport, KillExplain, KillReport, KillUi, KillAnalyze,
]


def trials():
    return [kind(number) for kind in KINDS for number in SIGNALS]
