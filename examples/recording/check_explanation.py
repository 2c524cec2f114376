#!/usr/bin/env python3
"""Checks that `fathom explain` names what was planted in HSQLDB among its first metrics.

usage: check_explanation.py FATHOM (collect|lock|checkpoint) FOLDER

The program says how many transactions it has done, and the anomaly is from one half of them to
six tenths: that is the window. It is compared with the transactions before it.
"""
import csv
import json
import re
import subprocess
import sys

FIRST = 5
TRANSACTIONS = 200_000
TARGET = "app.us_per_op"
# What tells which one it was: all that the anomaly itself does, and nothing that any slow stretch does.
CAUSES = {
    # Full collections, which stop the program.
    "collect": r"jvm\.sun\.gc\.collector\.1\..*|jvm\.sun\.rt\.safepoint(Sync)?Time|jvm\.sun\.threads\.vmOperationTime",
    # Another thread, and one that waits for it.
    "lock": r"jvm\.java\.threads\..*|process\.(stat|status)\.threads|jvm\.sun\.rt\._sync_.*"
            r"|process\.status\.voluntary_ctxt_switches|perf\.software\.context-switches",
    # The database is written out.
    "checkpoint": r"process\.io\.(wchar|syscw|write_bytes)|system\.disks\..*"
                  r"|system\.(vmstat\.nr_|meminfo\.|cgroup\.memory\.stat\.)([dD]irt|[wW]riteback).*"
                  r"|system\.(vmstat\.pgpgout|pressure\.io\..*)",
}


class Wrong(Exception):
    pass


def called(*arguments):
    done = subprocess.run(arguments, text=True, capture_output=True)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(arguments)} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def moments(fathom, folder, run):
    """When so many transactions were done, in nanoseconds."""
    header, *rows = csv.reader(called(fathom, "export", folder, "--run", run, "--sampler", "app").splitlines())
    end, phase, done = (header.index(name) for name in ("end_ns", "app.phase", "app.tx"))
    found = {}
    for row in rows:
        if row[phase] and float(row[phase]) == 2:
            found.setdefault(int(float(row[done])), int(row[end]))
    if not {0, TRANSACTIONS // 2, TRANSACTIONS * 6 // 10} <= set(found):
        raise Wrong(f"{run} does not say when the anomaly began and ended: {sorted(found)[:5]} ... transactions")
    return found


def main():
    fathom, anomaly, folder = sys.argv[1:]
    run = json.load(open(f"{folder}/manifest.json"))["runs"][0]["id"]
    at = moments(fathom, folder, run)
    begin, end = at[TRANSACTIONS // 2], at[TRANSACTIONS * 6 // 10]
    # Both ends of a window count: the line at its beginning is still of what was before.
    words = [fathom, "explain", folder, "--run", run, "--target", TARGET,
             "--window", f"{begin + 1}ns..{end}ns", "--against", f"{at[0] + 1}ns..{begin}ns"]
    ranking = json.loads(called(*words, "--format", "json"))["ranking"]
    of_cause = [entry for entry in ranking if re.fullmatch(CAUSES[anomaly], entry["metric"])]
    if not of_cause:
        raise Wrong("nothing that tells was ranked")
    best = of_cause[0]
    first = ", ".join(entry["metric"] for entry in ranking[:FIRST])
    if best["rank"] > FIRST:
        raise Wrong(f"the first that tells, {best['metric']}, has rank {best['rank']}; the first {FIRST} are {first}\n"
                    f"  {' '.join(words)}")
    print(f"{anomaly}: {best['metric']} has rank {best['rank']} of {len(ranking)}; the first {FIRST} are {first}")


try:
    main()
except Wrong as wrong:
    print(f"{sys.argv[2]}: {wrong}", file=sys.stderr)
    sys.exit(1)
