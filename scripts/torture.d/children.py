"""Commands that misbehave while Fathom measures them."""

import os
import signal
import sys

from bench import Trial, demand

GROUP = "Commands that misbehave"
FAILED = 4

# Signals that do not end a program.
HARMLESS = {"SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"}


class Misbehaving(Trial):
    """A command, and the status that Fathom must end with."""

    group = GROUP
    most = 10

    def __init__(self, name, words, status=0, options=(), leaves=False, fronts=("run", "check", "record"), says=(), family=None):
        self.family = family or self.family
        self.name = f"the command {name}"
        self.command = words
        self.status = status
        self.options = options
        # Whether it is the command's intention that something stays.
        self.leaves = leaves
        self.fronts = fronts
        self.says = says

    def once(self, place):
        prepare(place)
        front = place.random.choice(self.fronts)
        command = [word.replace("TRIAL", place.folder) for word in self.command]
        words = {
            "run": ["run", "-r", "3", "--no-save", *self.options, quoted(command)],
            "check": ["check", "runtime < 1000 s", "-r", "3", "--no-save", *self.options, "--", *command],
            "record": ["record", "-o", place.path("traces"), "--probe", "process", "--runs", "1", *self.options, "--", *command],
        }[front]
        options = {}
        if "huge environment" in self.name:
            options["environment"] = {f"HUGE_{n}": "x" * 100_000 for n in range(8)}
        if "deletes" in self.name:
            os.mkdir(place.path("here"))
            options["cwd"] = place.path("here")
        ended = place.run(*words, **options)
        allowed = {self.status}
        if front == "check":
            # Three executions are too few for an answer.
            allowed.add(3)
        if front == "record" and "--timeout" in self.options or "deletes" in self.name:
            # What was recorded is kept, and that is all that was asked for. A folder that is gone prevents
            # further runs only.
            allowed = {0, self.status}
        demand(ended.code in allowed, f"the status is {ended.code}, not {self.status}")
        if ended.code == FAILED:
            # The error is wrapped to the width of the terminal.
            error = " ".join(ended.err.split())
            demand(os.path.basename(command[0]) in error, "the error does not name the command")
            for word in self.says:
                demand(word in error, f"the error does not say {word!r}")
        if not self.leaves:
            place.demand_nobody_left()
        elif any(name.startswith("sleep") for _, name in place.marked()):
            place.notes.count("left it running")
        place.notes.count(front)


def quoted(words):
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def sh(script):
    return ["sh", "-c", script]


def python(script):
    return [sys.executable, "-c", script]


FLOOD = "import os; b = b'x' * 99 + b'\\n'\nfor _ in range(1000): os.write({fd}, b * 1000)"
WRITES = "import os\nfor fd in range(3, 64):\n  try: os.write(fd, b'junk')\n  except OSError: pass"
ZOMBIES = "import os, time\nfor _ in range(200):\n  if os.fork() == 0: os._exit(0)\ntime.sleep(0.05)"


def trials():
    timed = ["--timeout", "700ms"]
    found = [
        Misbehaving("closes its standard streams", sh("exec <&- >&- 2>&-; sleep 0.01")),
        Misbehaving("floods standard output, 100 MB", python(FLOOD.format(fd=1)), family="floods"),
        Misbehaving(
            "floods a piped standard output, 100 MB", python(FLOOD.format(fd=1)), options=["--stdout", "pipe"],
            fronts=("run",), family="floods",
        ),
        Misbehaving("floods standard error, 100 MB", python(FLOOD.format(fd=2)), family="floods"),
        Misbehaving(
            "floods standard error and fails", python(FLOOD.format(fd=2) + "\nos._exit(7)"), FAILED, says=["7"],
            family="floods",
        ),
        Misbehaving("ignores TERM beyond --timeout", sh("trap '' TERM; while :; do sleep 0.1; done"), FAILED, timed),
        Misbehaving("stops itself beyond --timeout", sh("kill -STOP $$; sleep 60"), FAILED, timed),
        Misbehaving("leaves its process group beyond --timeout", ["setsid", "-w", "sleep", "300"], FAILED, timed),
        Misbehaving("runs in a process group of its own", ["setsid", "-w", "sleep", "0.02"]),
        Misbehaving("leaves a process in the background", sh("sleep 300 & exit 0"), leaves=True),
        Misbehaving("leaves a daemon with its streams", sh("setsid sleep 300 & exit 0"), leaves=True),
        Misbehaving("gets a huge environment", ["true"]),
        Misbehaving("deletes its working folder", sh("rm -rf TRIAL/here; exit 0"), FAILED),
        Misbehaving("writes to descriptors that it was not given", python(WRITES)),
        Misbehaving("makes 200 zombies", python(ZOMBIES)),
        Misbehaving("does nothing at all", ["true"]),
        Misbehaving("does not exist", ["no-such-program-xyz"], FAILED),
        Misbehaving("is a folder", ["TRIAL"], FAILED),
        Misbehaving("has an interpreter that does not exist", ["TRIAL/bad-interpreter"], FAILED),
        Misbehaving("may not be executed", ["TRIAL/no-permission"], FAILED),
        Misbehaving("exits with 255", sh("exit 255"), FAILED, says=["255"]),
    ]
    return [*found, *(DiesOf(one) for one in signal.Signals if one.name not in HARMLESS)]


class DiesOf(Misbehaving):
    most = 2
    family = "dies of a signal"

    def __init__(self, number):
        script = "import os, resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); "
        script += f"os.kill(os.getpid(), {int(number)}); os._exit(0)"
        if number == signal.SIGINT or number == signal.SIGPIPE or number == signal.SIGXFSZ:
            # Python handles or ignores them.
            script = f"import signal; signal.signal({int(number)}, signal.SIG_DFL); " + script
        super().__init__(f"dies of {number.name}", python(script), FAILED, says=[str(int(number))])


def prepare(place):
    """The files that some of the commands are."""
    with open(place.path("bad-interpreter"), "w") as file:
        file.write("#!/no/such/interpreter\n")
    with open(place.path("no-permission"), "w") as file:
        file.write("#!/bin/sh\n")
    os.chmod(place.path("bad-interpreter"), 0o755)
