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


class Outcome:
    """What became of one mutant: caught, survived, or unreached by any test."""

    def __init__(self, mutant, kind, test=None, tried=0):
        self.mutant = mutant
        self.kind = kind
        self.test = test
        self.tried = tried


class Bench:
    def __init__(self, workshop, tests, jobs):
        self.workshop = workshop
        self.tests = tests
        self.jobs = jobs
        self.shield = shield()
        self.lock = threading.Lock()
        self.scratch = os.path.join(workshop.folder, "scratch")
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

    def passes(self, test, environment, patience):
        """Whether the test passes within so many seconds. Whatever it started is gone afterwards."""
        place = tempfile.mkdtemp(dir=self.scratch)
        chosen = ["--exact", test.name, "--test-threads", "1", "-q"] if test.name else []
        command = self.shield + [test.program, *chosen]
        process = subprocess.Popen(
            command,
            cwd=test.folder,
            env=dict(
                self.workshop.environment,
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
        traces = tempfile.mkdtemp(dir=self.scratch)
        done = 0

        def run(numbered):
            nonlocal done
            number, test = numbered
            trace = os.path.join(traces, str(number))
            started = time.monotonic()
            passed = self.passes(test, {"FATHOM_MUTANT_TRACE": trace}, 600)
            test.seconds = time.monotonic() - started if passed else None
            if os.path.exists(trace):
                with open(trace) as numbers:
                    test.reaches = {int(number) for number in numbers.read().split()}
            with self.lock:
                done += 1
                progress(f"tests without mutants: {done} of {len(self.tests)}")

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(run, enumerate(self.tests)))
        failed = [test for test in self.tests if test.seconds is None]
        for test in failed:
            print(f"left out, since it fails without a mutant: {test}", flush=True)
        self.tests = [test for test in self.tests if test.seconds is not None]

    def judge(self, mutants):
        """The outcome of each mutant, in their order."""
        done = 0
        counted = {"caught": 0, "survived": 0, "unreached": 0}

        def one(mutant):
            nonlocal done
            outcome = self.outcome(mutant)
            with self.lock:
                done += 1
                counted[outcome.kind] += 1
                if outcome.kind != "caught":
                    print(f"{outcome.kind}: {mutant.name}", flush=True)
                progress(f"mutants: {done} of {len(mutants)}, {counted['caught']} caught")
            return outcome

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(one, mutants))

    def outcome(self, mutant):
        reaching = [test for test in self.tests if mutant.number in test.reaches]
        # The crate's own tests first, and the quick ones before the slow ones.
        reaching.sort(key=lambda test: test.seconds * (1 if test.package == mutant.package else 3))
        for tried, test in enumerate(reaching):
            if not self.fails(test, mutant):
                continue
            # A test that load has spoiled must not count.
            if self.passes(test, {"FATHOM_MUTANT": "0"}, 600) and self.fails(test, mutant):
                return Outcome(mutant, "caught", test, tried + 1)
        return Outcome(mutant, "survived" if reaching else "unreached", tried=len(reaching))

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


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
