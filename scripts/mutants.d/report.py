"""The table of docs/reliability.md, and the survivors to be read."""

import collections

BEGIN = "<!-- scripts/mutants --markdown writes from here -->"
END = "<!-- to here: scripts/mutants -->"


def table(outcomes, seed, commit):
    """A line for each crate, and where the sample is from."""
    crates = collections.defaultdict(collections.Counter)
    for outcome in outcomes:
        crates[outcome["package"]][outcome["kind"]] += 1
    lines = ["| crate | mutants | caught | survived | reached by no test | caught, % |", "|---|---:|---:|---:|---:|---:|"]
    whole = collections.Counter()
    for crate, count in sorted(crates.items()):
        lines.append(row(crate, count))
        whole += count
    if len(crates) > 1:
        lines.append(row("all", whole))
    budgets = " or ".join(f"{budget:g}" for budget in sorted({outcome["budget"] for outcome in outcomes}))
    origin = f"Seed {seed}, drawn from commit {commit[:9]}; {budgets} processor seconds of tests for each mutant."
    later = sorted({outcome["commit"][:9] for outcome in outcomes} - {commit[:9]})
    if later:
        origin += f" Survivors were judged again at {', '.join(later)}."
    some = sum(outcome["some"] and outcome["kind"] != "caught" for outcome in outcomes)
    if some:
        origin += f" {some} survivors met only the tests of their own crate, or of some crates."
    return "\n".join(lines + ["", origin])


def row(crate, count):
    total = sum(count.values())
    share = 100 * count["caught"] // total
    return f"| {crate} | {total} | {count['caught']} | {count['survived']} | {count['unreached']} | {share} |"


def summary(outcomes):
    crates = ", ".join(sorted({outcome["package"] for outcome in outcomes}))
    survived = sum(outcome["kind"] != "caught" for outcome in outcomes)
    return f"{survived} of {len(outcomes)} mutants survived in {crates}"


def write(outcomes, path):
    """The mutants that no test noticed, crate by crate."""
    with open(path, "w", encoding="utf-8") as file:
        for outcome in sorted(outcomes, key=lambda outcome: outcome["place"]):
            if outcome["kind"] != "caught":
                why = f"survived {outcome['tried']} tests" if outcome["tried"] else "no test reaches it"
                file.write(f"- `{outcome['place']}`: {why}\n")


def into(path, text):
    """Replaces what is between the markers."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
