"""Disks that are full, folders that cannot be written, and stores that are locked, newer or damaged."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from bench import LEAVE_S, Trial, Unable, demand
from kill import fixtures

GROUP = "Disks and stores"
COULD_NOT = 5


class Small:
    """A file system of a few pages, or what comes closest here."""

    def __init__(self, place, bytes_):
        self.folder = place.path("small")
        os.mkdir(self.folder)
        self.is_mounted = False
        self.limit = bytes_
        if os.getuid() == 0 and shutil.which("mount"):
            words = ["mount", "-t", "tmpfs", "-o", f"size={bytes_},mode=777", "torture", self.folder]
            self.is_mounted = subprocess.run(words, capture_output=True).returncode == 0
        place.notes.count("on a tmpfs" if self.is_mounted else "with a limit on the size of files")

    def __enter__(self):
        return self

    def options(self):
        """For starting Fathom: the limit, where nothing could be mounted."""
        if self.is_mounted:
            return {}
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (self.limit, self.limit))
        return {"preexec_fn": limit}

    def free(self):
        """Makes room."""
        if self.is_mounted:
            subprocess.run(["mount", "-o", "remount,size=64m", self.folder], check=True)

    def __exit__(self, *_):
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)


def measured(place, store, runs=12):
    place.expect(0, "run", "-r", str(runs), "--session-dir", store, "true")


def says(ended, *words):
    for word in words:
        demand(word in ended.err, f"the error does not say {word!r}")


class FullStore(Trial):
    name = "the disk fills up during run"

    def once(self, place):
        with Small(place, place.random.randrange(40, 120) * 1024) as small:
            store = os.path.join(small.folder, "store")
            ended = place.run("run", "-r", "3000", "--session-dir", store, "true", **small.options())
            demand(ended.code == COULD_NOT, f"the disk is full, and the status is {ended.code}")
            demand("full" in ended.err or "No space left" in ended.err, "the error does not say that the disk is full")
            small.free()
            place.store = store
            sessions = place.sessions()
            if not sessions:
                place.notes.count("full before the first run")
                return
            demand("true takes" in ended.out or sessions[0]["runs"] < 6, "the answer so far is not printed")
            demand(sessions[0]["lost_runs"] == 0, "runs are missing between others")
            saved = sessions[0]["runs"]
            words = ["resume", "--session-dir", store, "last"]
            resumed = place.start(*words)
            until = time.monotonic() + LEAVE_S
            while place.sessions()[0]["runs"] <= saved and resumed.running() and time.monotonic() < until:
                time.sleep(0.02)
            resumed.signal(signal.SIGTERM)
            resumed.finish()
            demand(place.sessions()[0]["runs"] > saved, "resume adds no run after room was made")


class FullTarget(Trial):
    name = "the disk is full when the answer is written"
    most = 10

    def once(self, place):
        fixtures(place)
        kind = place.random.choice(["analyze", "report", "import", "export"])
        with Small(place, 64 * 1024) as small:
            target = os.path.join(small.folder, "target")
            if kind in ("analyze", "report"):
                with open(target, "w") as file:
                    file.write("old")
            words = {
                "analyze": ["analyze", "../fixtures/values-1.csv", "--export-json", target],
                "report": ["report", "../fixtures/traces", "--target", "m0", "--window", "10..11", "-o", target],
                "import": ["import", "../fixtures/run0.csv", "-o", target],
                "export": ["export", "../fixtures/traces", "-o", target],
            }[kind]
            ended = place.run(*words, **small.options())
            demand(ended.code == COULD_NOT, f"the disk is full, and the status of {kind} is {ended.code}")
            demand(ended.err.startswith("error: ") or "\nerror: " in ended.err, "there is no error")
            place.demand_no_temporaries(small.folder)
            if kind == "analyze":
                demand("median" in ended.out, "the answer is not printed")
            if kind in ("analyze", "report"):
                demand(open(target).read() == "old", "the old file is not whole")
            place.notes.count(kind)


class FullRecording(Trial):
    name = "the disk fills up during record"
    most = 5

    def once(self, place):
        with Small(place, 24 * 1024) as small:
            traces = os.path.join(small.folder, "traces")
            finished = place.path("finished")
            words = ["record", "-o", traces, "--every", "2ms", "--probe", "process", "--runs", "1", "--"]
            words += ["sh", "-c", f"sleep 3; echo x >{finished}"]
            ended = place.run(*words, **small.options())
            demand(ended.code == COULD_NOT, f"the disk is full, and the status is {ended.code}")
            demand(os.path.exists(finished), "the command was not left to finish")
            if os.path.exists(os.path.join(traces, "manifest.json")):
                small.free()
                place.run("show", traces)


class ReadOnlyFolder(Trial):
    name = "another user may not write the folder"
    most = 5

    def once(self, place):
        if os.getuid() != 0 or not shutil.which("setpriv"):
            raise Unable("needs root and setpriv, to be another user")
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        os.chmod(place.folder, 0o755)
        fathom = place.path("fathom")
        shutil.copy(place.fathom, fathom)
        if subprocess.run([*nobody, fathom, "--version"], capture_output=True).returncode != 0:
            raise Unable("another user cannot reach the scratch folder")
        place.fathom = fathom
        measured(place, place.store)
        subprocess.run(["chmod", "-R", "a+rX,go-w", place.store], check=True)
        before = place.sessions()
        refused = place.run("run", "-r", "3", "--session-dir", place.store, "true", prefix=nobody)
        demand(refused.code == COULD_NOT, f"the store cannot be written, and the status is {refused.code}")
        says(refused, "--session-dir", "--no-save")
        shown = place.run("show", "--session-dir", place.store, "last", prefix=nobody)
        demand(shown.code == 0 and "true takes" in shown.out, "a store that may be read is not shown")
        for words in (["analyze", "-", "--export-json"], ["report", "last", "--session-dir", place.store, "-o"]):
            ended = place.run(*words, place.path("target"), prefix=nobody)
            demand(ended.code in (2, COULD_NOT), f"the folder cannot be written, and the status is {ended.code}")
            says(ended, "target")
        subprocess.run(["chmod", "-R", "go-rwx", place.store], check=True)
        hidden = place.run("list", "--session-dir", place.store, prefix=nobody)
        demand(hidden.code in (2, COULD_NOT), f"the store cannot be read, and the status is {hidden.code}")
        demand(place.sessions() == before, "sessions have changed")


class LockedSession(Trial):
    name = "a session that another Fathom measures is resumed"
    most = 5

    def once(self, place):
        live = place.start("run", "-r", "100000", "--session-dir", place.store, "sleep 0.01")
        until = time.monotonic() + LEAVE_S
        while time.monotonic() < until:
            if os.path.exists(os.path.join(place.store, "sessions.db")) and place.sessions():
                break
            time.sleep(0.05)
        refused = place.run("resume", "--session-dir", place.store, "last")
        demand(refused.code == COULD_NOT, f"the session is live, and the status is {refused.code}")
        says(refused, str(live.child.pid))
        live.signal(signal.SIGTERM)
        live.finish()
        demand(place.sessions()[0]["lost_runs"] == 0, "runs are missing")


class LockedStore(Trial):
    name = "another program keeps the store locked"
    most = 2

    def once(self, place):
        measured(place, place.store)
        holder = sqlite3.connect(os.path.join(place.store, "sessions.db"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        try:
            ended = place.run("run", "-r", "3", "--session-dir", place.store, "true")
        finally:
            holder.execute("ROLLBACK")
            holder.close()
        demand(ended.code == COULD_NOT, f"the store is locked, and the status is {ended.code}")
        says(ended, "busy")
        measured(place, place.store, 5)
        demand([one["runs"] for one in place.sessions()] == [12, 5], "the store is not as it was")


class NewerStore(Trial):
    name = "the store is from a newer version"
    most = 3

    def once(self, place):
        measured(place, place.store)
        database = os.path.join(place.store, "sessions.db")
        with sqlite3.connect(database) as connection:
            connection.execute("ALTER TABLE runs ADD COLUMN more INTEGER")
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        with open(database, "rb") as file:
            before = file.read()
        for words in (["list"], ["show", "last"], ["run", "-r", "3", "true"], ["resume"]):
            ended = place.run(*words, "--session-dir", place.store)
            demand(ended.code in (2, COULD_NOT), f"the store is newer, and the status is {ended.code}")
            says(ended, "newer", "Update Fathom")
        with open(database, "rb") as file:
            demand(file.read() == before, "a newer store was changed")


class DamagedStore(Trial):
    """Random bytes in the database, or its end cut off: what can be read is salvaged, the rest is kept."""

    name = "the store is damaged"

    def once(self, place):
        for runs in (30, 20, 40):
            measured(place, place.store, runs)
        database = os.path.join(place.store, "sessions.db")
        with open(database, "rb") as file:
            whole = file.read()
        damaged = bytearray(whole)
        if place.random.random() < 0.3:
            damaged = damaged[: place.random.randrange(len(damaged))]
            place.notes.count("cut off")
        else:
            for _ in range(place.random.choice([1, 4, 40])):
                at = place.random.randrange(len(damaged))
                part = place.random.randbytes(place.random.choice([1, 16, 512]))
                damaged[at : at + len(part)] = part
            damaged = damaged[: len(whole)]
            place.notes.count("overwritten")
        with open(database, "wb") as file:
            file.write(damaged)
        ended = place.run("list", "--session-dir", place.store)
        demand(ended.code == 0, f"the store is damaged, and the status is {ended.code}")
        kept = [name for name in os.listdir(place.store) if ".damaged-" in name and not name.endswith(("-wal", "-shm"))]
        if kept:
            says(ended, "damaged", "Salvaged")
            with open(os.path.join(place.store, kept[0]), "rb") as file:
                demand(file.read() == bytes(damaged), "the damaged file is not kept as it was")
            place.notes.count("salvaged")
        else:
            # The damage hit nothing that means anything.
            demand([one["runs"] for one in place.sessions()] == [30, 20, 40], "damage went unnoticed")
            place.notes.count("harmless")
        for session in place.sessions():
            demand(session["runs"] <= 40, "there are more runs than were measured")
            place.run("show", "--session-dir", place.store, str(session["id"]))
        measured(place, place.store, 5)
        demand(place.sessions()[-1]["runs"] == 5, "nothing can be saved afterwards")


def trials():
    kinds = [
        FullStore, FullTarget, FullRecording, ReadOnlyFolder, LockedSession, LockedStore, NewerStore, DamagedStore,
    ]
    for kind in kinds:
        kind.group = GROUP
    return [kind() for kind in kinds]
