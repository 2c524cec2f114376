"""The wall clock jumps while Fathom measures and records."""

import csv
import glob
import json
import os
import subprocess
import time

from bench import Trial, Unable, demand

PLACES = ["/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1"]
# Nothing here takes as long as the clock jumps.
ABSURD_S = 600


def library():
    """libfaketime, a Debian package; FAKETIME_LIBRARY names it where it is elsewhere."""
    named = os.environ.get("FAKETIME_LIBRARY")
    found = [named] if named else [path for pattern in PLACES for path in glob.glob(pattern)]
    if not found or not os.path.exists(found[0]):
        raise Unable("libfaketime is missing; install it, or name it in FAKETIME_LIBRARY")
    return found[0]


class Jumps(Trial):
    """Starts Fathom under a wall clock that jumps by hours, back and forth."""

    group = "Clocks"

    def environment(self, place):
        place.shift = place.path("shift")
        self.jump(place, 0)
        return {
            "LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": place.shift, "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def jump(self, place, seconds):
        new = place.path("shift.new")
        with open(new, "w") as file:
            file.write(f"{seconds:+d}\n")
        os.rename(new, place.shift)

    def during(self, place, *words):
        """Runs Fathom, and lets the clock jump about thirty times a second."""
        environment = self.environment(place)
        self.jump(place, -86_400)
        shown = subprocess.run(["date", "+%s"], env={**os.environ, **environment}, capture_output=True, text=True).stdout
        if not shown or abs(time.time() - 86_400 - int(shown)) > 3600:
            raise Unable(f"{environment['LD_PRELOAD']} does not change the clock")
        fathom = place.start(*words, environment=environment)
        while fathom.running():
            self.jump(place, place.random.randrange(-90_000, 90_000))
            place.notes.count("jumps")
            time.sleep(place.random.uniform(0.005, 0.06))
        return fathom.finish()


class DuringRun(Jumps):
    name = "the clock jumps during run"

    def once(self, place):
        words = ["run", "-r", "25", "--session-dir", place.store, "--format", "json", "--include-values", "sleep 0.01"]
        ended = self.during(place, *words)
        demand(ended.code == 0, f"the status is {ended.code}")
        values = json.loads(ended.out)["subjects"][0]["values"]
        demand(len(values) == 25, f"{len(values)} values")
        demand(all(0.009 < value < ABSURD_S for value in values), f"absurd times: {min(values)} to {max(values)}")
        demand(place.sessions()[0]["runs"] == 25, "runs are missing")
        shown = place.expect(0, "show", "--session-dir", place.store, "last")
        demand("-" not in shown.out.split("takes")[1].split("(")[0], "a negative time is shown")


class DuringCheck(Jumps):
    name = "the clock jumps during check"

    def once(self, place):
        words = ["check", "runtime > 9 ms and runtime < 600 s", "-r", "20", "--session-dir", place.store, "--format", "json"]
        ended = self.during(place, *words, "--", "sleep", "0.01")
        demand(ended.code in (0, 3), f"the status is {ended.code}")
        found = json.loads(ended.out)
        demand(found["satisfied"] == 20, f"{found['satisfied']} of 20 took between 9 ms and 10 minutes")


class DuringRecord(Jumps):
    name = "the clock jumps during record"

    def once(self, place):
        traces = place.path("traces")
        words = ["record", "-o", traces, "--every", "5ms", "--probe", "process", "--runs", "1", "--", "sleep", "0.5"]
        ended = self.during(place, *words)
        demand(ended.code == 0, f"the status is {ended.code}")
        exported = place.expect(0, "export", traces, "--run", "run-1", "--sampler", "fast")
        rows = [(int(row["start_ns"]), int(row["end_ns"])) for row in csv.DictReader(exported.out.splitlines())]
        demand(rows, "no samples")
        demand(all(start <= end for start, end in rows), "a sample ends before it starts")
        demand(all(a[1] <= b[0] for a, b in zip(rows, rows[1:])), "samples overlap or are out of order")
        demand(0 <= rows[0][0] and rows[-1][1] < ABSURD_S * 1e9, f"absurd times: {rows[0]} to {rows[-1]}")


def trials():
    return [DuringRun(), DuringCheck(), DuringRecord()]
