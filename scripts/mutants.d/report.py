"""The table of docs/reliability.md, and the survivors to be read."""

import collections

BEGIN = "<!-- scripts/mutants --markdown writes from here -->"
END = "<!-- to here: scripts/mutants -->"


def table(outcomes):
    """A line for each crate."""
    crates = collections.defaultdict(collections.Counter)
    for outcome in outcomes:
        crates[outcome.mutant.package][outcome.kind] += 1
    lines = ["| crate | mutants | caught | survived | reached by no test | caught, % |", "|---|---:|---:|---:|---:|---:|"]
    for crate, count in sorted(crates.items()):
        total = sum(count.values())
        lines.append(
            f"| {crate} | {total} | {count['caught']} | {count['survived']} | {count['unreached']} "
            f"| {100 * count['caught'] // total} |"
        )
    return "\n".join(lines)


def write(outcomes, path):
    """The mutants that no test noticed, crate by crate."""
    with open(path, "w", encoding="utf-8") as file:
        for outcome in sorted(outcomes, key=lambda outcome: outcome.mutant.name):
            if outcome.kind != "caught":
                why = f"survived {outcome.tried} tests" if outcome.tried else "no test reaches it"
                file.write(f"- `{outcome.mutant.name}`: {why}\n")


def into(path, text):
    """Replaces what is between the markers."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
