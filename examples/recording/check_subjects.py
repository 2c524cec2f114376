#!/usr/bin/env python3
"""Checks what `fathom record` made of a subject, by its manifest and by what `fathom export` prints.

usage: check_subjects.py FATHOM (hsqldb|pgbench|postmaster|compression) FOLDER

Nothing here depends on how fast or how busy the machine is. Prints a line for what it saw; at the
first thing that is wrong it says so and exits with status 1.
"""
import csv
import json
import os
import re
import subprocess
import sys


class Wrong(Exception):
    pass


def must(is_so, otherwise):
    if not is_so:
        raise Wrong(otherwise)


def called(fathom, *arguments):
    done = subprocess.run([fathom, *arguments], text=True, capture_output=True)
    must(done.returncode == 0, f"fathom {' '.join(arguments)} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


class Table:
    """What one sampler of one run saw: intervals, and a column for each metric, None where missing."""

    def __init__(self, text, where):
        must(text, f"{where}: nothing was exported")
        header, *rows = csv.reader(text.splitlines())
        must(header[:2] == ["start_ns", "end_ns"], f"{where}: the columns begin with {header[:2]}")
        must(all(len(row) == len(header) for row in rows), f"{where}: rows differ in length")
        self.where = where
        self.starts = [int(row[0]) for row in rows]
        self.ends = [int(row[1]) for row in rows]
        self.columns = {name: [number(row[i], f"{where}, {name}") for row in rows]
                        for i, name in enumerate(header) if i >= 2}

    def seen(self, name):
        return [value for value in self.columns.get(name, []) if value is not None]


def number(text, where):
    if text == "":
        return None
    must(re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text), f"{where}: {text!r} is not a number")
    return float(text) if re.search(r"[.eE]", text) else int(text)


class Recording:
    def __init__(self, fathom, folder):
        with open(os.path.join(folder, "manifest.json")) as file:
            self.manifest = json.load(file)
        must(self.manifest["schema"] == "fathom-trace/1", f"the schema is {self.manifest['schema']}")
        self.metrics = {metric["name"]: metric for metric in self.manifest["metrics"]}
        self.runs = self.manifest["runs"]
        must(self.runs, "there are no runs")
        self.tables = {}
        for run in self.runs:
            for sampler in run["samplers"]:
                key = run["id"], sampler["name"]
                text = called(fathom, "export", folder, "--run", key[0], "--sampler", key[1])
                self.tables[key] = Table(text, " ".join(key))
        self.shown = called(fathom, "show", folder)

    def of_run(self, run, name):
        """The values of a metric in a run, in their order; empty if the run does not have it."""
        return [value for (owner, _), table in self.tables.items() if owner == run["id"]
                for value in table.seen(name)]

    def named(self, pattern, layer=None):
        """The metrics whose whole name matches."""
        return [name for name, metric in self.metrics.items()
                if re.fullmatch(pattern, name) and layer in (None, metric["layer"])]

    def application(self, name):
        """The program's own metric of that name."""
        found = self.named(r"(.*\.)?" + re.escape(name), "application")
        must(len(found) == 1, f"the program says {name}, and the metrics of that name are {found}")
        return found[0]

    def varied(self):
        """The metrics with more than one value in some run."""
        return {name for name in self.metrics
                if any(len(set(self.of_run(run, name))) > 1 for run in self.runs)}


def sound(recording, is_interrupted=False):
    """What holds of every recording."""
    common = recording.manifest["common"]
    must(common in recording.metrics, f"the common metric is {common}")
    named = {name for table in recording.tables.values() for name in table.columns}
    must(named == set(recording.metrics),
         f"only in the manifest or only in the tables: {sorted(named ^ set(recording.metrics))}")
    for run in recording.runs:
        where = run["id"]
        must(run["ended_ns"], f"{where} did not come to its end")
        must(run["clock"], f"{where} does not say when it began")
        if not is_interrupted:
            must(run["ending"] == {"exited": 0}, f"{where} ended with {run['ending']}; {run.get('notes')}")
        must(len(recording.of_run(run, common)) >= 2, f"{where} has no {common}")
        must(where in recording.shown, f"fathom show does not name {where}")
        for sampler in run["samplers"]:
            of_sampler(recording, run, sampler)


def of_sampler(recording, run, sampler):
    table = recording.tables[run["id"], sampler["name"]]
    where = table.where
    must(sampler["rows"] == len(table.ends), f"{where}: {sampler['rows']} rows said, {len(table.ends)} there")
    times(table, run, is_scheduled=sampler["interval_ns"] is not None)
    for name in table.columns:
        if recording.metrics[name]["kind"] == "counter":
            never_back(table, name)
    if sampler["interval_ns"] is None:
        return
    must(sampler["rows"] > 0, f"{where}: there are no rows")
    costs = {cost["probe"]: cost for cost in sampler["probes"]}
    probes = {recording.metrics[name]["probe"] for name in table.columns}
    must(probes <= set(costs), f"{where}: no cost is said of {sorted(probes - set(costs))}")
    for cost in costs.values():
        must(cost["samples"] > 0 and cost["ns_per_sample"] > 0 and 0 <= cost["cpu_share"] < 1,
             f"{where}: an odd cost, {cost}")
    must(sampler["cpu_share"] > 0, f"{where}: sampling cost {sampler['cpu_share']} of a processor")
    # Otherwise somebody else paid.
    probing = sum(cost["cpu_share"] for cost in costs.values())
    must(probing <= sampler["cpu_share"] * 1.01 + 1e-6,
         f"{where}: the probes cost {probing}, all of it {sampler['cpu_share']}")


def times(table, run, is_scheduled):
    where = table.where
    for i, (start, end) in enumerate(zip(table.starts, table.ends)):
        # The first row is a moment, and so is what a program says.
        must(start <= end, f"{where}, row {i}: from {start} to {end}")
        if i == 0:
            continue
        before = table.ends[i - 1]
        if is_scheduled:
            must(start == before < end, f"{where}, row {i}: from {start} to {end}, and before that to {before}")
        else:
            must(end >= before, f"{where}, row {i}: goes back from {before} to {end}")
    if table.ends:
        must(0 <= table.starts[0] and table.ends[-1] <= run["ended_ns"],
             f"{where}: {table.starts[0]} to {table.ends[-1]} is not within the run, which ended at {run['ended_ns']}")


# "The value of iowait field in /proc/stat will decrease in certain conditions": the kernel's proc.rst.
MAY_GO_BACK = {"system.stat.iowait"}


def never_back(table, name):
    if name in MAY_GO_BACK:
        return
    before = None
    for i, value in enumerate(table.columns[name]):
        if value is None:
            continue
        must(before is None or value >= before, f"{table.where}, row {i}: {name} goes back from {before} to {value}")
        before = value


def hsqldb(recording):
    varied = recording.varied()
    layers = {recording.metrics[name]["layer"] for name in varied}
    must(len(varied) >= 100, f"only {len(varied)} metrics vary")
    must({"os", "vm", "application"} <= layers, f"what varies is of the layers {sorted(layers)} only")
    collections = recording.named(r"jvm\..*collector\.\d+\.invocations", "vm")
    must(collections, "there is no counter of the collectors' invocations")
    with_machine = 0
    for run in recording.runs:
        phases = recording.of_run(run, recording.application("phase"))
        order = [phase for i, phase in enumerate(phases) if i == 0 or phases[i - 1] != phase]
        must(order == [1, 2, 3, 4], f"{run['id']}: the phases were {order}")
        for name in ("rows", "tx", "indexes", "scanned", "collected"):
            values = recording.of_run(run, recording.application(name))
            must(values == sorted(values), f"{run['id']}: {name} goes back")
            first = recording.of_run(recording.runs[0], recording.application(name))
            must(values[-1] == first[-1] > 0, f"{run['id']}: {name} ended at {values[-1]}, in the first run at {first[-1]}")
        asked = recording.of_run(run, recording.application("collected"))[-1]
        counted = [recording.of_run(run, name) for name in collections]
        if any(counted):
            with_machine += 1
            total = sum(values[-1] for values in counted if values)
            must(total >= asked, f"{run['id']}: {total} collections counted, {asked} were asked for")
    must(with_machine > 0, "no run has the virtual machine's counters")
    return f"{len(recording.metrics)} metrics, {len(varied)} of them vary, of the layers {', '.join(sorted(layers))}"


def pgbench(recording):
    said = {name: recording.application(name) for name in ("elapsed", "tps", "latency", "transactions")}
    for run in recording.runs:
        of = {name: recording.of_run(run, metric) for name, metric in said.items()}
        must(len(of["transactions"]) == 1, f"{run['id']}: transactions are {of['transactions']}")
        must(len(of["elapsed"]) == len(of["tps"]) == len(of["latency"]) > 0, f"{run['id']}: {of}")
        must(all(latency > 0 for latency in of["latency"]), f"{run['id']}: {of}")
        lengths = [end - start for start, end in zip([0, *of["elapsed"]], of["elapsed"])]
        reported = sum(tps * seconds for tps, seconds in zip(of["tps"], lengths))
        # What comes after the last full second is reported only at the end. Times are to 0.1 s.
        total = of["transactions"][0]
        must(0 < reported <= total * 1.1 + 50, f"{run['id']}: {reported} transactions reported, {total} at the end")
    return f"{recording.of_run(recording.runs[0], said['transactions'])[0]} transactions in the first run"


def postmaster(recording):
    counts = recording.named(r"process\..*processes")
    must(counts, "nothing counts processes")
    most = max((value for run in recording.runs for name in counts for value in recording.of_run(run, name)), default=0)
    # The server has five helpers of its own, and one process for each of the four clients.
    must(most >= 6, f"at most {most} processes were seen, of a server with four clients")
    return f"up to {most} processes"


def compression(recording):
    seconds = None
    for run in recording.runs:
        steps = recording.of_run(run, recording.application("step"))
        must(steps == [1, 2, 3, 4], f"{run['id']}: the steps were {steps}")
        truth = recording.of_run(run, recording.application("cpu_s"))[-1]
        for name, table, used in processor_times(recording, run):
            # It is sampled, so whatever ran after the last row is not in it; and the kernel counts
            # some processes in ticks of 10 ms.
            unseen = (run["ended_ns"] - table.ends[-1]) / 1e9 * (os.cpu_count() or 1)
            must(truth * 0.95 - unseen - 0.1 <= used <= truth * 1.05 + 0.1,
                 f"{run['id']}: {name} ended at {used:.3f} s, {unseen:.3f} s before the end; the shell says {truth:.3f} s")
            seconds = used
    must(seconds is not None, "no run has a metric of processor time")
    return f"{seconds:.2f} s of processor time, as the shell says"


def processor_times(recording, run):
    """(name, table, seconds) of what adds up the processor time of the run's processes."""
    found = []
    for names in (["perf.software.task-clock"], ["process.stat.utime", "process.stat.stime"]):
        for (owner, _), table in recording.tables.items():
            parts = [table.seen(name) for name in names]
            if owner == run["id"] and all(parts):
                must(all(recording.metrics[name]["unit"] == "ns" for name in names), f"{names} are not in ns")
                found.append((" and ".join(names), table, sum(values[-1] for values in parts) / 1e9))
    return found


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("hsqldb", "pgbench", "postmaster", "compression"):
        sys.exit(__doc__)
    fathom, subject, folder = sys.argv[1:]
    try:
        recording = Recording(fathom, folder)
        sound(recording, is_interrupted=subject == "postmaster")
        told = {"hsqldb": hsqldb, "pgbench": pgbench, "postmaster": postmaster, "compression": compression}[subject](recording)
    except Wrong as wrong:
        sys.exit(f"{subject}: {wrong}")
    rows = sum(len(table.ends) for table in recording.tables.values())
    print(f"{subject}: {told}; {len(recording.runs)} runs, {rows} rows")


main()
