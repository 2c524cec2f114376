"""Signals while Fathom measures or records: no run that was acknowledged is lost."""

import csv
import json
import os
import shutil
import signal
import subprocess
import time

from bench import LEAVE_S, Unable, demand
from kill import Kill

RUNS = 16

# The measured command: it says that it starts, works for a moment, and says that it has finished.
CHILD = 'echo x >>"$1.started"; sleep 0.01; echo x >>"$1.finished"\n'


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
        place.before = self.started(place) - self.session(place)["runs"]

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
        super().demand_runs(place, session, started - place.before, finished - place.before)

    def completed(self, place, code):
        return code in (0, 2)


class KillSlurm(KillMeasuring):
    command = "check --executor slurm"
    most = 10
    at_once = RUNS

    def prepare(self, place):
        ready = shutil.which("sbatch") and shutil.which("scontrol")
        if not ready or b"UP" not in subprocess.run(["scontrol", "ping"], capture_output=True).stdout:
            raise Unable("no Slurm answers; use scripts/slurm-loopback run scripts/torture ...")
        # Long enough that some run and others wait when the signal comes.
        place.write("child.sh", CHILD.replace("sleep 0.01", "sleep 0.5"))
        os.chmod(place.folder, 0o755)

    def demand_complete(self, place):
        super().demand_complete(place)
        # Jobs outlive a killed Fathom, and `resume` submits nothing twice.
        if self.number == signal.SIGKILL:
            started = self.started(place)
            demand(started == self.total, f"{started} executions ran, not {self.total}")

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
