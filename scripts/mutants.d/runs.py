"""Runs tests: once without mutants to see what each reaches, then against each mutant."""

import collections
import concurrent.futures
import os
import re
import select
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
# The same for processor time: an endless loop need not run for long.
WORK_LEAST = 10
# Tests of one program that take less than this, in seconds of a processor, run together in one process,
# as many as take so long in all.
QUICK = 0.3
TOGETHER = 1.0


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
        # What they take one after the other, by the clock and of a processor.
        self.seconds = sum(test.seconds for test in tests)
        self.work = sum(test.work for test in tests)
        self.is_new = any(test.is_new for test in tests)

    def __str__(self):
        if len(self.tests) == 1:
            return str(self.tests[0])
        return f"{str(self.tests[0]).split('::')[0]}::{len(self.tests)} tests"

    def singly(self):
        return [Batch([test]) for test in self.tests]


class Ran:
    """What became of a batch."""

    def __init__(self, passed, seconds, work, failed):
        self.passed = passed
        # By the clock, and of a processor.
        self.seconds = seconds
        self.work = work
        # The names of the tests that failed, as far as the program lived to say them.
        self.failed = failed


def batches(tests, closeness):
    """The quick tests of each program together, the closest to the mutant first; the others each by itself."""
    quick = collections.defaultdict(list)
    found = []
    for test in tests:
        if test.work < QUICK and test.name and not test.is_of_macros:
            quick[test.program].append(test)
        else:
            found.append(Batch([test]))
    for of_program in quick.values():
        group = []
        for test in sorted(of_program, key=lambda test: (not test.is_new, -closeness(test), test.work)):
            if group and sum(one.work for one in group) + test.work > TOGETHER:
                found.append(Batch(group))
                group = []
            group.append(test)
        found.append(Batch(group))
    return found


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
        # Not in the repository: cargo and git would take its folder for a part of it.
        self.scratch = tempfile.mkdtemp(prefix="fathom-mutants-")
        self.built = os.path.join(self.scratch, "built")

    def run(self, batch, environment, patience, work=None):
        """Runs the tests for so many seconds at most, of a processor, too. Whatever they started is gone afterwards."""
        place = tempfile.mkdtemp(dir=self.scratch)
        if batch.is_of_macros:
            # Cargo does not know of the choice: what compiled with one mutant would count as built with the next. What
            # does not depend on it is copied; trybuild's project is another one in another folder.
            target = os.path.join(place, "target")
            if os.path.exists(self.built):
                subprocess.run(["cp", "-a", self.built, target])
            environment = dict(environment, CARGO_TARGET_DIR=target)
        chosen = ["--exact", "-q", "--test-threads", str(min(4, len(batch.names))), *batch.names] if batch.names else []
        limit = ["prlimit", f"--cpu={int(work)}"] if work and shutil.which("prlimit") else []
        started = time.monotonic()
        with open(os.path.join(self.scratch, os.path.basename(place) + ".said"), "w+b") as said:
            os.unlink(said.name)
            process = subprocess.Popen(
                self.shield + limit + [batch.program, *chosen],
                cwd=batch.folder,
                env=dict(
                    self.workshop.test_environment,
                    TMPDIR=place,
                    CARGO_MANIFEST_DIR=batch.folder,
                    **environment,
                ),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            ended = os.pidfd_open(process.pid)
            is_late = not select.select([ended], [], [], patience)[0]
            os.close(ended)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            failed = failures(said.read().decode(errors="replace"))
        seconds = time.monotonic() - started
        with self.lock:
            if batch.is_of_macros and process.returncode == 0 and not os.path.exists(self.built):
                if os.path.exists(target):
                    os.rename(target, self.built)
        shutil.rmtree(place, ignore_errors=True)
        # What was killed with its children has not told what they used.
        spent = seconds if is_late else used.ru_utime + used.ru_stime
        return Ran(not is_late and process.returncode == 0, seconds, spent, failed & set(batch.names))

    def passes(self, batch):
        """Whether the tests pass without a mutant."""
        return self.run(batch, {"FATHOM_MUTANT": "0"}, 600)

    def baseline(self):
        """Runs every test without a mutant. Those that fail here say nothing, and are left out. A test keeps what an
        earlier build found while nothing in the folder of its crate changes."""
        commit = self.workshop.commit
        traces = tempfile.mkdtemp(dir=self.scratch)
        done = 0

        def run(numbered):
            nonlocal done
            number, test = numbered
            trace = os.path.join(traces, str(number))
            test.seconds, test.work, test.is_new = 0, 0, False
            ran = self.run(Batch([test]), {"FATHOM_MUTANT_TRACE": trace}, 600)
            reaches = []
            if os.path.exists(trace):
                with open(trace) as numbers:
                    reaches = sorted({int(number) for number in numbers.read().split()})
            with self.lock:
                done += 1
                self.journal.add(
                    test=test.key(),
                    name=str(test),
                    version=test.version,
                    commit=commit,
                    seconds=ran.seconds if ran.passed else None,
                    work=ran.work,
                    reaches=reaches,
                )
                progress("tests without mutants", done, len(waiting))

        def found(test):
            known = self.journal.tests.get(test.key()) or self.journal.versions.get(test.versioned())
            return known if known and known["seconds"] is not None else None

        waiting = [test for test in self.tests if not found(test)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(run, enumerate(waiting)))
        passed = []
        for test in self.tests:
            known = found(test)
            if not known:
                print(f"left out, since it fails without a mutant: {test}", flush=True)
                continue
            test.seconds, test.work, test.reaches = known["seconds"], known["work"], set(known["reaches"])
            test.is_new = self.journal.seen[str(test)] == {commit}
            passed.append(test)
        self.tests = passed

    def judge(self, mutants, budget, own, some):
        """Writes the outcome of each mutant into the journal, and whether only some of the crates' tests were asked."""
        done = 0

        def one(mutant):
            nonlocal done
            before = self.journal.outcomes.get(mutant.key, {}).get("passed", [])
            kind, test, passed, reaching = self.outcome(mutant, budget, own, set(before))
            # Tests that are not asked now may reach it.
            kind = "survived" if before and kind == "unreached" else kind
            with self.lock:
                done += 1
                self.journal.add(
                    mutant=mutant.key,
                    place=mutant.name,
                    package=mutant.package,
                    commit=self.workshop.commit,
                    budget=budget,
                    some=some,
                    kind=kind,
                    test=str(test) if test else None,
                    # Not tried again while they stay as they are.
                    passed=[] if kind == "caught" else before + passed,
                    tried=len(before) + len(passed),
                    reaching=reaching,
                )
                if kind != "caught":
                    print(f"{kind}: {mutant.name}", flush=True)
                progress("mutants", done, len(mutants))

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, mutants))

    def outcome(self, mutant, budget, own, before):
        """Caught, survived, or unreached by any test; by which test; those that passed; how many reach it."""
        reaching = [test for test in self.tests if mutant.number in test.reaches]
        if own:
            reaching = [test for test in reaching if test.package == mutant.package]
        about = words(mutant.name)

        def closeness(test):
            return len(words(str(test)) & about)

        def urgency(batch):
            """New tests first, then the crate's own, those that share words with the mutant, and the quick ones."""
            shared = max(map(closeness, batch.tests))
            return (not batch.is_new, batch.work * (1 if batch.package == mutant.package else 3) / (1 + shared))

        untried = [test for test in reaching if test.versioned() not in before]
        passed = []
        spent = 0
        for batch in sorted(batches(untried, closeness), key=urgency):
            if spent >= budget:
                break
            ran = self.with_mutant(batch, mutant)
            spent += ran.work
            passed += [test.versioned() for test in batch.tests]
            if ran.passed:
                continue
            failed = [test for test in batch.tests if test.name in ran.failed]
            # Where the program did not live to say which, any may be it.
            suspects = [Batch([test]) for test in failed[:3]] or [batch]
            if not failed and len(batch.tests) > 1:
                suspects += batch.singly()
            for suspect in suspects:
                # A test that load has spoiled must not count.
                without = self.passes(suspect)
                again = self.with_mutant(suspect, mutant) if without.passed else None
                spent += without.work + (again.work if again else 0)
                if again and not again.passed:
                    return "caught", suspect, passed, len(reaching)
        return "survived" if reaching else "unreached", None, passed, len(reaching)

    def with_mutant(self, batch, mutant):
        patience = max(PATIENCE_LEAST, PATIENCE_FACTOR * batch.seconds)
        work = max(WORK_LEAST, PATIENCE_FACTOR * batch.work)
        return self.run(batch, {"FATHOM_MUTANT": str(mutant.number)}, patience, work)


def failures(said):
    """The names of failed tests, from what a test program says at its end."""
    _, _, last = said.rpartition("\nfailures:\n")
    return {line.strip() for line in last.splitlines() if line.startswith("    ")}


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
