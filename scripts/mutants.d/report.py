"""The table of docs/reliability.md, and the survivors to be read."""

import collections

BEGIN = "<!-- scripts/mutants --markdown writes from here -->"
END = "<!-- to here: scripts/mutants -->"


HEAD = ["| crate | mutants | caught | survived | reached by no test | caught, % | sample of |", "|---|---:|---:|---:|---:|---:|---|"]


def table(outcomes, seed, commit, page=None):
    """A line for each crate, and where the sample is from. Crates without an outcome keep their line on the page."""
    crates = rows_of(page) if page else {}
    for crate in {outcome["package"] for outcome in outcomes}:
        crates[crate] = (collections.Counter(), commit[:9])
    for outcome in outcomes:
        crates[outcome["package"]][0][outcome["kind"]] += 1
    lines = list(HEAD)
    whole = collections.Counter()
    for crate, (count, drawn) in sorted(crates.items()):
        lines.append(row(crate, count, drawn))
        whole += count
    if len(crates) > 1:
        lines.append(row("all", whole, ""))
    budgets = " or ".join(f"{budget:g}" for budget in sorted({outcome["budget"] for outcome in outcomes}))
    origin = f"Seed {seed}, drawn from the commit in the last column. The last run, from {commit[:9]}, took at most {budgets} "
    origin += "processor seconds of tests for each mutant."
    later = sorted({outcome["commit"][:9] for outcome in outcomes} - {commit[:9]})
    if later:
        origin += f" Survivors were judged again at {', '.join(later)}."
    some = sum(outcome["some"] and outcome["kind"] != "caught" for outcome in outcomes)
    if some:
        origin += f" {some} survivors met only the tests of their own crate, or of some crates."
    return "\n".join(lines + ["", origin])


def rows_of(page):
    """The lines of crates that an earlier run has written: what it counted, and the commit of its sample."""
    crates = {}
    with open(page, encoding="utf-8") as file:
        written = file.read().split(BEGIN, 1)[1].split(END, 1)[0]
    for line in written.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("fathom-"):
            caught, survived, unreached = (int(cell) for cell in cells[2:5])
            crates[cells[0]] = (collections.Counter(caught=caught, survived=survived, unreached=unreached), cells[6])
    return crates


def row(crate, count, drawn):
    total = sum(count.values())
    share = 100 * count["caught"] // total
    return f"| {crate} | {total} | {count['caught']} | {count['survived']} | {count['unreached']} | {share} | {drawn} |"


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
