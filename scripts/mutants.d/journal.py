"""What a run has found so far, a line each: an interrupted run continues, and --again starts from the survivors."""

import hashlib
import json
import os


class Journal:
    """The journal of one sample. Lines of JSON, each written at once; a torn last line is left out."""

    def __init__(self, folder, seed, sample, only, alone):
        asked = json.dumps([seed, sample, only] + ([alone] if alone else []))
        self.path = os.path.join(folder, f"run-{hashlib.sha256(asked.encode()).hexdigest()[:12]}.jsonl")
        self.forget()
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as lines:
                for line in lines:
                    if line.endswith("\n"):
                        self.learn(json.loads(line))

    def forget(self):
        # The commit whose mutants are the sample.
        self.commit = None
        # Mutants that do not compile, by key.
        self.broken = set()
        # Key and number of each mutant, once all compile, and of those that are built and not judged.
        self.sample = None
        self.spare = []
        # The tests that were built, by commit.
        self.programs = {}
        # What each test took and reached without a mutant, by its key, and by its name and version.
        self.tests = {}
        self.versions = {}
        # The commits at which there was a test of this name.
        self.seen = {}
        # The last outcome of each mutant, by key.
        self.outcomes = {}

    def learn(self, line):
        if "start" in line:
            self.commit = line["start"]
        elif "broken" in line:
            self.broken |= set(line["broken"])
        elif "sample" in line:
            self.sample = line["sample"]
            self.spare = line["spare"]
        elif "programs" in line:
            self.programs[line["commit"]] = line["programs"]
        elif "mutant" in line:
            # What was caught once is caught, whatever another run says of it.
            if self.outcomes.get(line["mutant"], {}).get("kind") != "caught":
                self.outcomes[line["mutant"]] = line
        elif "test" in line:
            self.tests[line["test"]] = line
            self.versions[f"{line['name']} {line['version']}"] = line
            self.seen.setdefault(line["name"], set()).add(line["commit"])

    def add(self, **line):
        self.learn(line)
        with open(self.path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")

    def restart(self, commit):
        """A new sample. The journal of the last one stays beside it."""
        if os.path.exists(self.path):
            os.replace(self.path, self.path + ".before")
        self.forget()
        self.add(start=commit)
