"""What every trial uses: a folder of its own, Fathom started in it, and what is left of it afterwards."""

import errno
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import tempfile
import termios
import threading
import time
import uuid

# No trial may hang. On a busy machine everything takes longer, so this is generous.
HANG_S = 120
# Processes that were told to end may take this long.
LEAVE_S = 30

# An environment variable with a value that only this trial has. Children inherit it, so /proc shows them.
MARKER = "FATHOM_TORTURE"


class Broken(Exception):
    """Fathom broke a promise."""


class Unable(Exception):
    """This machine lacks what the trial needs."""


def demand(holds, promise):
    """Fails the trial unless the promise holds."""
    if not holds:
        raise Broken(promise)


class Notes:
    """What a trial saw, summed up over all its repetitions."""

    def __init__(self):
        self.counts = {}
        self.largest = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def at_most(self, what, value):
        self.largest[what] = max(value, self.largest.get(what, value))

    def add(self, other):
        for what, times in other.counts.items():
            self.counts[what] = self.counts.get(what, 0) + times
        for what, value in other.largest.items():
            self.at_most(what, value)

    def __str__(self):
        parts = [f"{times} {what}" for what, times in sorted(self.counts.items())]
        parts += [f"{what} at most {value:.2f} s" for what, value in sorted(self.largest.items())]
        return "; ".join(parts)


class Trial:
    """One kind of trial. `once` performs it in a fresh `Place` and raises `Broken` or `Unable`."""

    group = ""
    name = ""
    # --brief performs one trial of each family.
    family = None
    # A trial without chance in it is repeated this often at most.
    most = None

    def once(self, place):
        raise NotImplementedError

    def times(self, trials):
        return trials if self.most is None else min(trials, self.most)


class Finished:
    """How a command ended and what it wrote."""

    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    def __str__(self):
        tail = lambda text: "".join(f"    {line}\n" for line in repr(text[-1500:]).split("\\n"))
        return f"  {self.words}\n  ended with {self.code}\n  stdout:\n{tail(self.out)}  stderr:\n{tail(self.err)}"


class Place:
    """A folder for one trial, with chance of its own."""

    def __init__(self, fathom, scratch, name, seed, index):
        self.fathom = fathom
        self.random = random.Random(f"{seed}/{name}/{index}")
        self.folder = tempfile.mkdtemp(prefix="trial-", dir=scratch)
        self.store = self.path("store")
        self.marker = uuid.uuid4().hex
        self.notes = Notes()
        # What ran, for the report of a failure.
        self.log = []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def environment(self, **more):
        kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "FAKETIME", MARKER)}
        home = {"HOME": self.folder, "XDG_DATA_HOME": self.path("data"), "LC_ALL": "C.UTF-8"}
        return {**kept, **home, MARKER: self.marker, **more}

    def start(self, *words, prefix=(), environment=None, on_terminal=False, **options):
        """Starts Fathom in a session of its own."""
        return Process(self, [*prefix, self.fathom, *words], environment or {}, on_terminal, options)

    def run(self, *words, **options):
        """Runs Fathom to its end."""
        return self.start(*words, **options).finish()

    def expect(self, code, *words, **options):
        """Runs Fathom, which must end with this status, or one of these."""
        ended = self.run(*words, **options)
        codes = code if isinstance(code, tuple) else (code,)
        demand(ended.code in codes, f"the status is {ended.code}, not {' or '.join(map(str, codes))}")
        return ended

    def json(self, *words):
        return json.loads(self.expect(0, *words, "--format", "json").out)

    def sessions(self):
        return self.json("list", "--session-dir", self.store)["sessions"]

    def marked(self):
        """The processes of this trial that still run, zombies excepted."""
        found = []
        wanted = f"{MARKER}={self.marker}".encode()
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if wanted not in file.read().split(b"\0"):
                        continue
                with open(f"/proc/{name}/stat") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        continue
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found.append((int(name), file.read().replace(b"\0", b" ").decode(errors="replace").strip()))
            except (OSError, IndexError):
                continue
        return found

    def demand_nobody_left(self):
        """Fails the trial if a process that Fathom started still runs after a grace."""
        until = time.monotonic() + LEAVE_S
        while (left := self.marked()) and time.monotonic() < until:
            time.sleep(0.05)
        demand(not left, f"processes are left running: {left}")

    def demand_no_temporaries(self, *folders):
        for folder in folders or (self.folder,):
            for path, _, names in os.walk(folder):
                left = [name for name in names if name.startswith(".fathom-") and name.endswith(".tmp")]
                demand(not left, f"temporary files are left in {path}: {left}")

    def clear(self):
        """Ends what still runs, by its number, and removes the folder."""
        for pid, _ in self.marked():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


class Process:
    """Fathom while it runs."""

    def __init__(self, place, words, environment, on_terminal, options):
        self.place = place
        self.words = words
        self.out_path, self.err_path = (place.path(f".{kind}-{uuid.uuid4().hex[:8]}") for kind in ("out", "err"))
        self.terminal = Terminal() if on_terminal else None
        streams = [subprocess.DEVNULL, open(self.out_path, "wb"), open(self.err_path, "wb")]
        if self.terminal:
            streams = [self.terminal.slave] * 3
        options = {"cwd": place.folder, "start_new_session": True, **options}
        names = ("stdin", "stdout", "stderr")
        environment = place.environment(**environment)
        self.child = subprocess.Popen(words, env=environment, **dict(zip(names, streams)), **options)
        for stream in streams[1:]:
            if not self.terminal:
                stream.close()
        if self.terminal:
            self.terminal.watch()

    def running(self):
        return self.child.poll() is None

    def signal(self, number, whole_group=False):
        """Sends the signal. Says when, on the monotonic clock."""
        try:
            (os.killpg if whole_group else os.kill)(self.child.pid, number)
        except ProcessLookupError:
            pass
        return time.monotonic_ns()

    def finish(self):
        try:
            code = self.child.wait(HANG_S)
        except subprocess.TimeoutExpired:
            stuck = [f"{pid} {name}" for pid, name in self.place.marked()]
            self.child.kill()
            self.child.wait()
            raise Broken(f"{self.shown()} still runs after {HANG_S} s; {stuck}") from None
        if self.terminal:
            out, err = self.terminal.end(), ""
        else:
            out, err = (read(path) for path in (self.out_path, self.err_path))
        ended = Finished(self.shown(), code, out, err)
        self.place.log.append(ended)
        for text in (ended.out, ended.err):
            demand("panicked" not in text, "Fathom panicked")
        return ended

    def shown(self):
        words = " ".join(word if re.fullmatch(r"[\w./=:,%@+-]+", word) else repr(word) for word in map(text_of, self.words))
        return words.replace(self.place.folder, "TRIAL").replace(self.place.fathom, "fathom")


def text_of(word):
    return os.fsdecode(word)


def read(path):
    with open(path, "rb") as file:
        # A flood is cut; its ends say enough.
        return file.read(1 << 20).decode(errors="surrogateescape")


class Terminal:
    """A pseudo terminal, and whether it is left as it was found."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.seen = bytearray()

    def watch(self):
        self.reader = threading.Thread(target=self.drain, daemon=True)
        self.reader.start()

    def drain(self):
        while True:
            try:
                part = os.read(self.master, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                return
            if not part:
                return
            self.seen += part

    def end(self):
        self.after = termios.tcgetattr(self.slave)
        os.close(self.slave)
        self.reader.join(LEAVE_S)
        os.close(self.master)
        return self.seen.decode(errors="surrogateescape")

    def demand_as_found(self):
        """Fails the trial if the next prompt would look wrong."""
        text = self.seen.decode(errors="replace")
        demand(self.before == self.after, "the terminal's modes have changed")
        demand(text.count("\x1b[?25l") <= text.count("\x1b[?25h"), "the cursor is left hidden")
        demand("\x1b[?1049h" not in text, "the other screen is left on")
        colours = re.findall(r"\x1b\[([0-9;]*)m", text)
        demand(not colours or colours[-1] in ("", "0", "39"), f"a colour is left on: {colours[-1:]}")
        # What was drawn after the last newline must have been erased.
        last = re.split(r"\r\n|\n", text)[-1]
        shown = re.split(r"\r?\x1b\[[02]?[KJ]|\r", last)[-1]
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
        demand(not shown.strip(), f"the last line is not ended: {last[-200:]!r}")
