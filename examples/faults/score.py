#!/usr/bin/env python3
"""Records faults in real programs, asks Fathom about them, and counts what it gets right.

usage: score.py FATHOM FOLDER [--runs N] [--seconds S] [--markdown FILE] [--again] [NAME...]

--again asks about recordings that FOLDER already has.
"""
import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = "app.ops"
#: Of another name, or the target's own.
OWN = r"app\..*"
AT, LENGTH = 20.0, 2.0
GROUP = "/sys/fs/cgroup/cpu/fathom-faults"


def called(*words):
    done = subprocess.run(words, text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def subjects():
    for line in called(sys.executable, f"{HERE}/faults.py", "--list").splitlines():
        name, _, causes = line.split("\t")
        yield name, causes


def record(fathom, name, folder, seconds):
    told = f"{folder}.json"
    words = [fathom, "record", "-q", "--runs", "1", "--app-json", "-o", folder, "--"]
    words += [sys.executable, f"{HERE}/faults.py", name, told, str(seconds), str(AT), str(LENGTH)]
    if name == "throttled":
        os.makedirs(GROUP, exist_ok=True)
        words = ["sh", "-c", f'echo $$ > {GROUP}/cgroup.procs; exec "$@"', "sh", *words]
    load = [os.getloadavg()[0]]
    called(*words)
    load.append(os.getloadavg()[0])
    kept = json.load(open(told))
    with open(told, "w") as file:
        json.dump({**kept, "load": load}, file)


def overlap(one, two):
    """The length of what is in both, as a share of what is in either."""
    both = sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in one for b in two)
    length = sum(b - a for a, b in one) + sum(b - a for a, b in two)
    return both / (length - both) if both else 0.0


def judged(fathom, folder, causes):
    told = json.load(open(f"{folder}.json"))
    run = json.load(open(f"{folder}/manifest.json"))["runs"][0]
    begun, ended = (told[key] - run["clock"]["monotonic_ns"] for key in ("begun_ns", "ended_ns"))
    answer = json.loads(
        called(fathom, "explain", folder, "--target", TARGET, "--window", f"{begun}ns..{ended}ns", "--format", "json")
    )
    shown = [one for one in answer["ranking"] if one["copy_of"] is None and not re.fullmatch(OWN, one["metric"])]
    copies = {}
    for one in answer["ranking"]:
        copies.setdefault(one["copy_of"] or one["metric"], []).append(one["metric"])

    def is_cause(one):
        return any(re.fullmatch(causes, metric) for metric in [one["metric"], *copies.get(one["metric"], [])])

    place = next((n for n, one in enumerate(shown, 1) if is_cause(one)), None)
    first = shown[:3]
    sure = [one for one in first if is_cause(one) and one["q_value"] is not None and one["q_value"] < 0.05]
    least = min((one["q_value"] for one in shown if one["q_value"] is not None), default=None)
    found = json.loads(called(fathom, "explain", folder, "--target", TARGET, "--suggest", "--format", "json"))
    overlaps = [
        overlap([(part["start"], part["end"]) for part in one["windows"]], [(begun / 1e9, ended / 1e9)])
        for one in found["suggestions"]
    ]
    return {
        "load": sum(told["load"]) / len(told["load"]),
        "place": place,
        "sure": bool(sure),
        "least_q": least,
        "first": [(one["metric"], one["q_value"]) for one in first],
        "overlap": max(overlaps[:1], default=0.0),
        "best_overlap": max(overlaps[:3], default=0.0),
    }


def number(q):
    return "-" if q is None else f"{q:.2g}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--markdown")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    rows = []
    for name, causes in subjects():
        if asked.names and name not in asked.names:
            continue
        for run in range(1, asked.runs + 1):
            folder = f"{asked.folder}/{name}-{run}"
            if not asked.again or not os.path.exists(f"{folder}.json"):
                subprocess.run(["rm", "-rf", folder], check=True)
                record(asked.fathom, name, folder, asked.seconds)
            found = judged(asked.fathom, folder, causes)
            rows.append((name, found))
            first = ", ".join(f"{metric} ({number(q)})" for metric, q in found["first"])
            print(
                f"{name}: load {found['load']:.1f}, cause at {found['place']}, sure {found['sure']}, "
                f"overlap {found['overlap']:.2f} ({found['best_overlap']:.2f}); {first}",
                flush=True,
            )
    count = len(rows)
    named = sum(found["place"] is not None and found["place"] <= 3 for _, found in rows)
    sure = sum(found["sure"] for _, found in rows)
    windows = sum(found["best_overlap"] >= 0.5 for _, found in rows)
    print(f"of {count}: named {named}, sure {sure}, window {windows}")
    if asked.markdown:
        with open(asked.markdown, "w") as file:
            file.write(page(rows, asked.seconds, named, sure, windows))


def page(rows, seconds, named, sure, windows):
    loads = [found["load"] for _, found in rows]
    lines = [
        "# Faults in real programs",
        "",
        "Written by `scripts/explain-subjects FATHOM faults --markdown calibration/faults.md`. See `examples/faults`.",
        "",
        f"Each trace has {seconds:.0f} s and a fault of {LENGTH:.0f} s. The target is operations per second as a client",
        "counts them. A line is right if its metric, or a near copy that is folded into it, is one that names the cause;",
        "which those are was written down before the first recording. The other metrics of the client do not count.",
        "Some faults were made stronger once, since they did not change the target.",
        f"The load of the machine (two cores) was {min(loads):.0f} to {max(loads):.0f} while recording.",
        "",
        f"Of {len(rows)} faults, the cause is in the first three lines in **{named}**, one of these is sure (q < .05) in",
        f"**{sure}**, and one of the first three suggested windows shares at least half of its time with the fault in",
        f"**{windows}**.",
        "",
        "| fault | load | first right line | sure | first three lines (q) | window: first, best of three |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, found in rows:
        first = ", ".join(f"{metric} ({number(q)})" for metric, q in found["first"])
        lines.append(
            f"| {name} | {found['load']:.0f} | {found['place'] or '-'} | {'yes' if found['sure'] else 'no'} | {first} "
            f"| {found['overlap']:.2f}, {found['best_overlap']:.2f} |"
        )
    return "\n".join(lines) + "\n"


main()
