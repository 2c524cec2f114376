"""A signal at a random moment of a command, and what every command must then hold to."""

import os
import signal
import threading
import time
from random import Random

from bench import Trial, demand

INTERRUPTED = 130


class Kill(Trial):
    """A command that is killed, and what must hold afterwards. Subclasses are the commands."""

    group = "Signals at a random moment"
    command = ""
    # Whether it shows progress on a terminal.
    shows_progress = False
    # What it is told about style on a terminal.
    style = ("--style", "full")

    def __init__(self, number):
        self.number = number
        self.family = self.command
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
        style = self.style if on_terminal else ()
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
