"""What the trials came to, as text and as the tables of docs/reliability.md."""

import os
import platform
import re

BEGIN = "<!-- scripts/torture --markdown writes from here -->"
END = "<!-- to here -->"


def lost(outcome):
    return str(len(outcome.failures)) if outcome.failures else "nothing"


def text(outcomes):
    lines = []
    for outcome in outcomes:
        state = f"skipped: {outcome.unable}" if outcome.unable else f"{outcome.times} times, {lost(outcome)} lost"
        notes = f" ({outcome.notes})" if str(outcome.notes) else ""
        lines.append(f"{outcome.trial.name}: {state}{notes}")
    return "\n".join(lines)


def markdown(outcomes, options, seconds):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    times = sum(outcome.times for outcome in outcomes)
    failures = sum(len(outcome.failures) for outcome in outcomes)
    parts = [
        f"{times} trials in {seconds / 60:.0f} minutes, {options.jobs} at a time, seed {options.seed}, on Linux "
        f"{platform.release().split('-')[0]} with {os.cpu_count()} CPUs and {memory:.0f} GiB. "
        f"{'None' if failures == 0 else failures} failed."
    ]
    for group in dict.fromkeys(outcome.trial.group for outcome in outcomes):
        rows = [outcome for outcome in outcomes if outcome.trial.group == group]
        parts.append(f"### {group}\n\n| trial | times | lost | remark |\n| --- | --- | --- | --- |")
        for one in rows:
            remark = f"skipped: {one.unable}" if one.unable else str(one.notes)
            parts[-1] += f"\n| {one.trial.name} | {one.times} | {'' if one.unable else lost(one)} | {remark} |"
    return "\n\n".join(parts)


def write(path, outcomes, options, seconds):
    """Replaces what is between the marks, or writes a new file."""
    new = f"{BEGIN}\n\n{markdown(outcomes, options, seconds)}\n\n{END}"
    try:
        with open(path) as file:
            old = file.read()
    except FileNotFoundError:
        old = f"{BEGIN}{END}\n"
    replaced = re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: new, old, flags=re.S)
    with open(path, "w") as file:
        file.write(replaced)
