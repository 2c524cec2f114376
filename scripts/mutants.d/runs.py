"""Runs tests: once without mutants to see what each reaches, then against each mutant."""

import concurrent.futures
import os
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

    def passes(self, test, environment, patience):
        """Whether the test passes within so many seconds. Whatever it started is gone afterwards."""
        place = tempfile.mkdtemp(dir=self.scratch)
        if test.is_of_macros:
            # Cargo does not know of the choice: what compiled with one mutant would count as built with the next.
            environment = dict(environment, CARGO_TARGET_DIR=os.path.join(place, "target"))
        chosen = ["--exact", test.name, "--test-threads", "1", "-q"] if test.name else []
        command = self.shield + [test.program, *chosen]
        process = subprocess.Popen(
            command,
            cwd=test.folder,
            env=dict(
                self.workshop.test_environment,
                TMPDIR=place,
                CARGO_MANIFEST_DIR=test.folder,
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
            passed = self.passes(test, {"FATHOM_MUTANT_TRACE": trace}, 600)
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
        # New tests first, then the crate's own, and the quick ones before the slow ones.
        reaching.sort(key=lambda test: (not test.is_new, test.seconds * (1 if test.package == mutant.package else 3)))
        tried = 0
        spent = 0
        for test in reaching:
            if spent + test.seconds > budget and tried:
                break
            tried += 1
            spent += test.seconds
            # A test that load has spoiled must not count.
            if (
                self.fails(test, mutant)
                and self.passes(test, {"FATHOM_MUTANT": "0"}, 600)
                and self.fails(test, mutant)
            ):
                return "caught", test, tried, len(reaching)
        return "survived" if reaching else "unreached", None, tried, len(reaching)

    def fails(self, test, mutant):
        patience = max(PATIENCE_LEAST, PATIENCE_FACTOR * test.seconds)
        return not self.passes(test, {"FATHOM_MUTANT": str(mutant.number)}, patience)


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
