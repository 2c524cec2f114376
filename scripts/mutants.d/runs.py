"""Runs tests: once without mutants to see what each reaches, then against each mutant."""

import collections
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# A test that takes so much longer than without the mutant has noticed it.
PATIENCE_FACTOR = 8
PATIENCE_LEAST = 30
# Tests of one program that take less than this, in seconds, run together in one process.
QUICK = 0.3


class Batch:
    """Tests of one program, run together as `cargo test` runs them: one process, several threads."""

    def __init__(self, tests):
        first = tests[0]
        self.tests = tests
        self.program = first.program
        self.package = first.package
        self.folder = first.folder
        self.is_of_macros = first.is_of_macros
        self.names = [test.name for test in tests if test.name]
        # What they take one after the other.
        self.seconds = sum(test.seconds for test in tests)
        self.is_new = any(test.is_new for test in tests)

    def __str__(self):
        if len(self.tests) == 1:
            return str(self.tests[0])
        return f"{str(self.tests[0]).split('::')[0]}::{len(self.tests)} tests"

    def singly(self):
        return [Batch([test]) for test in self.tests]


def batches(tests):
    """The quick tests of each program together, the others each by itself."""
    quick = collections.defaultdict(list)
    found = []
    for test in tests:
        if test.seconds < QUICK and test.name and not test.is_of_macros:
            quick[test.program].append(test)
        else:
            found.append(Batch([test]))
    return found + [Batch(group) for group in quick.values()]


def words(text):
    """The words of a name or path, as far as they say what it is about."""
    return {word for word in re.split(r"[^a-z]+", text.lower()) if len(word) > 3} - {"fathom", "crates", "tests", "with", "replace"}


class Bench:
    def __init__(self, workshop, tests, jobs, journal):
        self.workshop = workshop
        self.tests = tests
        self.jobs = jobs
        self.journal = journal
        self.shield = shield()
        self.lock = threading.Lock()
        self.scratch = os.path.join(workshop.folder, "scratch")
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

    def passes(self, batch, environment, patience):
        """Whether the tests pass within so many seconds. Whatever they started is gone afterwards."""
        place = tempfile.mkdtemp(dir=self.scratch)
        if batch.is_of_macros:
            # Cargo does not know of the choice: what compiled with one mutant would count as built with the next.
            environment = dict(environment, CARGO_TARGET_DIR=os.path.join(place, "target"))
        chosen = ["--exact", "-q", "--test-threads", str(min(4, len(batch.names))), *batch.names] if batch.names else []
        command = self.shield + [batch.program, *chosen]
        process = subprocess.Popen(
            command,
            cwd=batch.folder,
            env=dict(
                self.workshop.test_environment,
                TMPDIR=place,
                CARGO_MANIFEST_DIR=batch.folder,
                **environment,
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        shutil.rmtree(place, ignore_errors=True)
        return code == 0

    def baseline(self):
        """Runs every test without a mutant. Those that fail here say nothing, and are left out."""
        commit = self.workshop.commit
        traces = tempfile.mkdtemp(dir=self.scratch)
        done = 0

        def run(numbered):
            nonlocal done
            number, test = numbered
            trace = os.path.join(traces, str(number))
            started = time.monotonic()
            test.seconds, test.is_new = 0, False
            passed = self.passes(Batch([test]), {"FATHOM_MUTANT_TRACE": trace}, 600)
            seconds = time.monotonic() - started if passed else None
            reaches = []
            if os.path.exists(trace):
                with open(trace) as numbers:
                    reaches = sorted({int(number) for number in numbers.read().split()})
            with self.lock:
                done += 1
                key = test.key()
                self.journal.add(test=key, name=str(test), commit=commit, seconds=seconds, reaches=reaches)
                progress("tests without mutants", done, len(waiting))

        passed = {key for key, found in self.journal.tests.items() if found["seconds"] is not None}
        waiting = [test for test in self.tests if test.key() not in passed]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(run, enumerate(waiting)))
        for test in self.tests:
            found = self.journal.tests[test.key()]
            test.seconds = found["seconds"]
            test.reaches = set(found["reaches"])
            test.is_new = self.journal.seen[str(test)] == {commit}
            if test.seconds is None:
                print(f"left out, since it fails without a mutant: {test}", flush=True)
        self.tests = [test for test in self.tests if test.seconds is not None]

    def judge(self, mutants, budget):
        """Writes the outcome of each mutant into the journal."""
        done = 0

        def one(mutant):
            nonlocal done
            kind, test, tried, reaching = self.outcome(mutant, budget)
            with self.lock:
                done += 1
                self.journal.add(
                    mutant=mutant.key,
                    place=mutant.name,
                    package=mutant.package,
                    commit=self.workshop.commit,
                    budget=budget,
                    kind=kind,
                    test=str(test) if test else None,
                    tried=tried,
                    reaching=reaching,
                )
                if kind != "caught":
                    print(f"{kind}: {mutant.name}", flush=True)
                progress("mutants", done, len(mutants))

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, mutants))

    def outcome(self, mutant, budget):
        """Caught, survived, or unreached by any test; by which test, after how many of those that reach it."""
        reaching = [test for test in self.tests if mutant.number in test.reaches]
        about = words(mutant.name)

        def urgency(batch):
            """New tests first, then the crate's own, those that share words with the mutant, and the quick ones."""
            shared = max(len(words(str(test)) & about) for test in batch.tests)
            return (not batch.is_new, batch.seconds * (1 if batch.package == mutant.package else 3) / (1 + shared))

        waiting = sorted(batches(reaching), key=urgency)
        tried = 0
        spent = 0
        while waiting and spent < budget:
            batch = waiting.pop(0)
            started = time.monotonic()
            failed = self.fails(batch, mutant)
            spent += time.monotonic() - started
            tried += len(batch.tests)
            if not failed:
                continue
            # A test that load has spoiled must not count.
            if self.passes(batch, {"FATHOM_MUTANT": "0"}, 600):
                if self.fails(batch, mutant):
                    return "caught", batch, tried, len(reaching)
            elif len(batch.tests) > 1:
                # They disturb each other.
                tried -= len(batch.tests)
                waiting = batch.singly() + waiting
        return "survived" if reaching else "unreached", None, tried, len(reaching)

    def fails(self, batch, mutant):
        patience = max(PATIENCE_LEAST, PATIENCE_FACTOR * batch.seconds)
        return not self.passes(batch, {"FATHOM_MUTANT": str(mutant.number)}, patience)


def shield():
    """A command that keeps a test among its own processes, where that is allowed."""
    for command in (["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"],
                    ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"]):
        try:
            if subprocess.run(command + ["true"], stderr=subprocess.DEVNULL).returncode == 0:
                return command
        except OSError:
            break
    print("scripts/mutants: unshare is not allowed here, so a mutant may kill processes of yours", file=sys.stderr)
    return []


def progress(what, done, total):
    """On a terminal one line that changes; in a log now and then a new one."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}: {done} of {total}", end="", file=sys.stderr, flush=True)
    elif done % 50 == 0 or done == total:
        print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)
