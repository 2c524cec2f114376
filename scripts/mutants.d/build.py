"""A copy of the code in which every mutant of the sample can be switched on."""

import collections
import json
import os
import shutil
import subprocess
import sys
import tarfile

import rust

# How many mutants are built for each that is wanted: some do not compile, and replacing them takes a build. Those that
# are not needed stay in the code, where nothing switches them on: taking them out would take another one.
SPARE = 1.35

# Goes into every crate. `on` must be quick, since it may be in the innermost loop. In a trace, the numbers of
# the mutants that were reached go into a file, each once for each process.
SWITCH = """
#[doc(hidden)]
#[allow(warnings, clippy::all)]
pub(crate) mod mutation_switch {
    use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

    const UNREAD: u32 = u32::MAX;
    const TRACE: u32 = u32::MAX - 1;
    static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
    // More than there are mutants. It does not depend on the sample, so that crates are not compiled again.
    static REACHED: [AtomicU8; 1 << 16] = [const { AtomicU8::new(0) }; 1 << 16];

    pub(crate) fn on(number: u32) -> bool {
        let chosen = CHOSEN.load(Relaxed);
        if chosen < TRACE {
            return chosen == number;
        }
        slowly(number)
    }

    #[cold]
    fn slowly(number: u32) -> bool {
        let mut chosen = CHOSEN.load(Relaxed);
        if chosen == UNREAD {
            // Reading allocates, and the allocator may hold a mutant.
            CHOSEN.store(0, Relaxed);
            chosen = match std::env::var_os("FATHOM_MUTANT_TRACE") {
                Some(_) => TRACE,
                None => std::env::var("FATHOM_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0),
            };
            CHOSEN.store(chosen, Relaxed);
        }
        if chosen == TRACE && REACHED[number as usize].swap(1, Relaxed) == 0 {
            if let Some(file) = std::env::var_os("FATHOM_MUTANT_TRACE") {
                if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(file) {
                    let _ = std::io::Write::write_all(&mut file, format!("{number}\\n").as_bytes());
                }
            }
        }
        chosen == number
    }
}
"""


# Fathom starts its helper process with an empty environment; the choice of the mutant has to reach it, too.
PASSED_ON = ('name.starts_with(b"LD_")', 'name.starts_with(b"LD_") || name.starts_with(b"FATHOM_MUTANT")')
HELPER = "crates/fathom-sys/src/spawner/client.rs"


class Copy:
    """One mutant's copy of a function's body: where it is in the written file, by lines."""

    def __init__(self, mutant, first, last):
        self.mutant = mutant
        self.first = first
        self.last = last


class Test:
    """One test function of one test program."""

    def __init__(self, program, package, folder, name, version):
        self.program = program
        self.package = package
        self.folder = folder
        self.name = name
        # Changes with any file of its crate.
        self.version = version
        # The mutants of macros act in the compiler, which the test starts.
        self.is_of_macros = is_of_macros(folder)
        # Set by the run without mutants.
        self.seconds = None
        self.work = None
        self.reaches = set()

    def __str__(self):
        return f"{os.path.basename(self.program).rsplit('-', 1)[0]}::{self.name or 'all'}"

    def key(self):
        """Another one after the program was built again."""
        file = os.stat(self.program)
        return f"{os.path.basename(self.program)} {file.st_mtime_ns} {file.st_size} {self.name}"

    def versioned(self):
        """The same after other crates changed."""
        return f"{self} {self.version}"


class Workshop:
    """The folder with the copy and what is built of it."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        # The commit as it is, and the copy with the mutants in it.
        self.plain = os.path.join(folder, "commit")
        self.code = os.path.join(folder, "code")
        # Whose tests are built: all, if none is named.
        self.packages = []
        # The text of each file, by name.
        self.original = {}
        # Where cargo builds is not for tests that start cargo themselves.
        self.test_environment = dict(
            os.environ,
            INSTA_UPDATE="no",
            RUST_BACKTRACE="0",
            # Tests of macros are linked to the compiler's libraries.
            LD_LIBRARY_PATH=library_folder(),
        )
        self.environment = dict(
            self.test_environment,
            CARGO_TARGET_DIR=os.path.join(folder, "target"),
            CARGO_INCREMENTAL="1",
            CARGO_PROFILE_DEV_DEBUG="0",
            FATHOM_WEB=os.environ.get("FATHOM_WEB", "skip"),
        )

    def refresh(self):
        """Writes the last commit into the folder."""
        named = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.root, stdout=subprocess.PIPE, text=True)
        self.commit = named.stdout.strip()
        shutil.rmtree(self.plain, ignore_errors=True)
        os.makedirs(self.plain)
        archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=self.root, stdout=subprocess.PIPE)
        with tarfile.open(fileobj=archive.stdout, mode="r|") as files:
            files.extractall(self.plain, filter="tar")
        if archive.wait() != 0:
            sys.exit("scripts/mutants: git archive failed; run it in a clone")

    def build(self, sample, per_package, journal):
        """Chooses the first `per_package` mutants of each crate that compile, and builds them; gives the spare ones, too."""
        waiting = collections.defaultdict(collections.deque)
        for mutant in sample:
            if mutant.key not in journal.broken:
                waiting[mutant.package].append(mutant)
        wanted = {package: per_package or len(queue) for package, queue in waiting.items()}
        alive = {package: [] for package in waiting}
        number = 1
        while True:
            for package, queue in waiting.items():
                goal = int(wanted[package] * SPARE) if not alive[package] else wanted[package]
                while queue and len(alive[package]) < goal:
                    mutant = queue.popleft()
                    if self.fits(mutant) and not any(is_nested(mutant, other) for other in alive[package]):
                        mutant.number = number
                        number += 1
                        alive[package].append(mutant)
            self.write([mutant for mutants in alive.values() for mutant in mutants])
            broken = self.broken()
            if not broken and all(
                len(alive[package]) >= wanted[package] or not waiting[package] for package in waiting
            ):
                break
            journal.add(broken=sorted(mutant.key for mutant in broken))
            for package in alive:
                alive[package] = [mutant for mutant in alive[package] if mutant not in broken]
            print(f"{len(broken)} mutants do not compile", flush=True)
        chosen = [mutant for package in alive for mutant in alive[package][: wanted[package]]]
        spare = [mutant for package in alive for mutant in alive[package][wanted[package] :]]
        return chosen, spare

    def rebuild(self, mutants):
        """Builds the mutants of an earlier run, and says which of them still compile."""
        mutants = [mutant for mutant in mutants if self.fits(mutant)]
        while True:
            self.write(mutants)
            broken = self.broken()
            if not broken:
                return mutants
            mutants = [mutant for mutant in mutants if mutant not in broken]

    def text(self, file):
        if file not in self.original:
            with open(os.path.join(self.plain, file), encoding="utf-8") as source:
                self.original[file] = source.read()
        return self.original[file]

    def fits(self, mutant):
        """Finds the body that the mutant is in. False where it has none, or none that can be switched."""
        text = self.text(mutant.file)
        lines = rust.Lines(text)
        mutant.body = rust.body(text, *(lines.offset(end) for end in mutant.function))
        if mutant.body is None:
            return False
        mutant.start, mutant.end = (lines.offset(end) for end in mutant.span)
        return mutant.body[0] <= mutant.start and mutant.end <= mutant.body[1] + 1

    def write(self, everyone):
        """Writes the copy. Files that are as they were keep their time, for cargo."""
        by_file = collections.defaultdict(list)
        for mutant in everyone:
            by_file[mutant.file].append(mutant)
        roots = set()
        for mutant in everyone:
            folder = os.path.join(*mutant.file.split("/")[:2], "src")
            roots |= {os.path.join(folder, name) for name in ("lib.rs", "main.rs")}
        roots = {file for file in roots if os.path.exists(os.path.join(self.plain, file))}
        changed = {}
        self.copies = {}
        for file in set(by_file) | roots | {HELPER}:
            text, copies = switched(self.text(file), by_file.get(file, []))
            text = text.replace(*PASSED_ON)
            if file in roots:
                text += SWITCH
            self.copies[file] = copies
            changed[file] = text.encode()
        self.copy(changed)

    def copy(self, changed):
        """The commit with the changed files in their places."""
        kept = set()
        for folder, _, names in os.walk(self.plain):
            inside = os.path.relpath(folder, self.plain)
            os.makedirs(os.path.join(self.code, inside), exist_ok=True)
            for name in names:
                file = os.path.normpath(os.path.join(inside, name))
                source, target = os.path.join(self.plain, file), os.path.join(self.code, file)
                kept.add(target)
                if os.path.islink(source):
                    if not os.path.islink(target):
                        os.symlink(os.readlink(source), target)
                    continue
                content = changed.get(file)
                if content is None:
                    with open(source, "rb") as opened:
                        content = opened.read()
                write_if_new(target, content)
                shutil.copymode(source, target)
        for folder, folders, names in os.walk(self.code):
            folders[:] = [name for name in folders if name != ".git"]
            for name in names:
                if os.path.join(folder, name) not in kept:
                    os.remove(os.path.join(folder, name))
        # Tests ask git about the tree that they are in.
        if not os.path.isdir(os.path.join(self.code, ".git")):
            subprocess.run(["git", "init", "-q"], cwd=self.code, check=True)

    def broken(self):
        """The mutants that the compiler rejects."""
        # The tests, since they are wanted; a crate with mutants that do not compile keeps only those above it waiting.
        command = ["cargo", "build", *self.wanted(), "--lib", "--bins", "--tests", "--keep-going"]
        command += ["--message-format=json", "-q"]
        answer = subprocess.run(
            command, cwd=self.code, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        if answer.returncode == 0:
            return set()
        found = set()
        messages = []
        for line in answer.stdout.splitlines():
            message = json.loads(line).get("message")
            if not message or message.get("level") != "error":
                continue
            messages.append(message["rendered"])
            for span in message["spans"]:
                found |= self.at(span["file_name"], span["line_start"], span["line_end"])
        if not found:
            sys.exit("scripts/mutants: the copy does not compile:\n" + "\n".join(messages or [answer.stderr.decode()]))
        return found

    def wanted(self):
        """What cargo builds."""
        named = [word for package in self.packages for word in ("-p", package)]
        return named or ["--workspace"]

    def at(self, file, first, last):
        """The mutant whose copy is at these lines; all of a function's where its original is."""
        copies = self.copies.get(file, [])
        exact = {copy.mutant for copy in copies if copy.first <= first and last <= copy.last and copy.mutant}
        if exact:
            return exact
        return {copy.mutant for copy in copies for whole in [copy.whole] if whole[0] <= first <= whole[1]}

    def tests(self):
        """Builds the test programs and asks them for their tests: what `Test` is made from."""
        command = ["cargo", "test", *self.wanted(), "--lib", "--bins", "--tests", "--no-run", "-q"]
        answer = subprocess.run(
            command + ["--message-format=json"], cwd=self.code, env=self.environment, stdout=subprocess.PIPE
        )
        if answer.returncode != 0:
            sys.exit("scripts/mutants: the tests do not build")
        tests = []
        for line in answer.stdout.splitlines():
            built = json.loads(line)
            if built.get("reason") != "compiler-artifact" or not built.get("executable"):
                continue
            if not built["profile"]["test"]:
                continue
            folder = os.path.dirname(built["manifest_path"])
            program, version = built["executable"], self.version(folder)
            names = self.listed(program, folder, []) - self.listed(program, folder, ["--ignored"])
            # A program without the usual harness is one test.
            for name in sorted(names) or [None]:
                tests.append((program, os.path.basename(folder), folder, name, version))
        return tests

    def version(self, folder):
        """The hash of the crate in this folder of the copy."""
        inside = os.path.relpath(folder, self.code)
        command = ["git", "rev-parse", "--short=12", f"{self.commit}:{inside}"]
        return subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()

    def listed(self, program, folder, options):
        """The names of a program's tests."""
        answer = subprocess.run(
            [program, "--list", "--format", "terse", *options],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            text=True,
        ).stdout
        end = ": test"
        return {line[: -len(end)] for line in answer.splitlines() if line.endswith(end)}


def is_of_macros(folder):
    """Whether the crate in this folder has procedural macros."""
    with open(os.path.join(folder, "Cargo.toml"), encoding="utf-8") as manifest:
        return any(line.replace(" ", "").startswith("proc-macro=true") for line in manifest)


def is_nested(mutant, other):
    """Whether one is in a function inside the other's: their copies would get into each other's way."""
    if mutant.file != other.file or mutant.body == other.body:
        return False
    return mutant.body[0] < other.body[1] and other.body[0] < mutant.body[1]


def switched(text, mutants):
    """The file with each body followed by its mutants, and where each copy is."""
    bodies = collections.defaultdict(list)
    for mutant in mutants:
        bodies[mutant.body].append(mutant)
    parts = []
    copies = []
    line = 1
    at = 0

    def add(part):
        nonlocal line
        parts.append(part)
        line += part.count("\n")

    for opening, closing in sorted(bodies):
        add(text[at : opening + 1])
        first = line
        of_body = []
        for mutant in bodies[(opening, closing)]:
            add(f" if crate::mutation_switch::on({mutant.number}) {{\n")
            start = line
            add(mutated(text, mutant, opening, closing))
            of_body.append(Copy(mutant, start, line))
            add("\n} else")
        add(" {\n" + text[opening + 1 : closing] + "\n} ")
        for copy in of_body:
            copy.whole = (first, line)
        copies += of_body
        at = closing
    add(text[at:])
    return "".join(parts), copies


def mutated(text, mutant, opening, closing):
    """The inside of the body, changed."""
    replacement = mutant.replacement
    if mutant.start == opening:
        # The whole body with its braces.
        return replacement.strip().removeprefix("{").removesuffix("}") if replacement.strip()[:1] == "{" else replacement
    return text[opening + 1 : mutant.start] + replacement + text[mutant.end : closing]


def library_folder():
    command = ["rustc", "--print", "target-libdir"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def write_if_new(path, content):
    """Leaves a file alone that has this content, so that cargo does not compile it again."""
    if os.path.exists(path):
        with open(path, "rb") as source:
            if source.read() == content:
                return
    with open(path, "wb") as source:
        source.write(content)
