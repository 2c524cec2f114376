"""The mutants that cargo-mutants finds, and the functions that they are in."""

import collections
import json
import os
import re
import subprocess
import sys

# Code that only tests use.
NOT_PRODUCT = {"fathom-testkit"}


class Mutant:
    """One change to one function."""

    def __init__(self, found):
        self.package = found["package"]
        self.file = found["file"]
        self.name = found["name"]
        self.replacement = found["replacement"]
        self.span = place(found["span"])
        self.function = place(found["function"]["span"])
        # Set when all are listed: its name with its rank among its like instead of its line, which may change.
        self.key = None
        # Set when it is built.
        self.number = None

    def __repr__(self):
        return self.name


def place(span):
    """((line, column), (line, column)), both from 1; the end is not part of it."""
    return tuple((span[end]["line"], span[end]["column"]) for end in ("start", "end"))


def listed(code, commit, folder):
    """Every mutant of product code in a function, in a fixed order. The list of a commit is kept: it takes a minute."""
    kept = os.path.join(folder, f"list-{commit}.json")
    if not os.path.exists(kept):
        command = ["cargo", "mutants", "--list", "--json", "--workspace"]
        try:
            answer = subprocess.run(command, cwd=code, stdout=subprocess.PIPE, check=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            sys.exit(f"scripts/mutants: {problem}\nInstall it with: cargo install --locked cargo-mutants")
        with open(kept, "wb") as file:
            file.write(answer.stdout)
    with open(kept, "rb") as file:
        found = [mutant for mutant in json.load(file) if mutant["function"]]
    mutants = [Mutant(mutant) for mutant in found if mutant["package"] not in NOT_PRODUCT]
    seen = collections.Counter()
    for mutant in mutants:
        alike = re.sub(r"^(\S+?):\d+:\d+: ", r"\1: ", mutant.name)
        seen[alike] += 1
        mutant.key = f"{alike} #{seen[alike]}"
    return mutants
