//! Executions that are given twice: a file under two names, a seed in two journals. Each counts
//! once, or the answer would be surer than its data.

use super::sameness::{Fingerprint, costs_of_given};
use crate::EngineError;
use fathom_formats::{Attempt, AttemptSlot, Attempts, FileAttempts};
use fathom_property::{Caveat, CaveatKind};
use fathom_record::Observation;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Copies of a file are told from files that agree by chance by this many different numbers that
/// are not whole, or that many of any kind.
const FRACTIONS: usize = 4;
const NUMBERS: usize = 20;

/// What was given so far.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// By file as the system knows it: the system it was given for, as it was written.
    files: BTreeMap<PathBuf, (String, PathBuf)>,
    /// By content.
    contents: BTreeMap<u64, (String, PathBuf)>,
    /// By system and seed of a journal.
    journal_seeds: BTreeSet<(String, u32)>,
    /// By system and value of `seed`: what was seen of executions with it.
    seeds: BTreeMap<(String, u64), BTreeSet<u64>>,
    found: RepeatCounts,
}

/// What was found, each with an example.
#[derive(Debug, Default)]
struct RepeatCounts {
    same_files: CountWithExample,
    copies: CountWithExample,
    alike: CountWithExample,
    journal_seeds: CountWithExample,
    same_seeds: CountWithExample,
    other_results: CountWithExample,
}

/// How many there were, and the first.
#[derive(Debug, Default)]
struct CountWithExample {
    count: usize,
    first: String,
}

impl CountWithExample {
    fn add(&mut self, first: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = first();
        }
        self.count += 1;
    }

    fn of(&self, one: &str, many: &str) -> Option<String> {
        let noun = if self.count == 1 { one } else { many };
        (self.count > 0).then(|| format!("{} {noun}", self.count))
    }
}

impl Repeats {
    /// The places of a file's executions that were not given before.
    ///
    /// # Errors
    /// Another system has the same file: comparing it with itself says nothing.
    pub(super) fn new_in(
        &mut self,
        system: &str,
        file: &FileAttempts,
    ) -> Result<Vec<usize>, EngineError> {
        let FileAttempts { path, attempts, seeds, .. } = file;
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if let Some((other, as_given)) = self.files.get(&canonical) {
            refuse_other(system, path, other, as_given, "are the same file")?;
            self.found.same_files.add(|| path.display().to_string());
            return Ok(Vec::new());
        }
        self.files.insert(canonical, (system.to_string(), path.clone()));
        let content = Content::of(attempts);
        if let Some((other, as_given)) = content.print.and_then(|print| self.contents.get(&print)) {
            if content.is_unique {
                refuse_other(system, path, other, as_given, "have the same content")?;
                let of = as_given.display().to_string();
                self.found.copies.add(|| format!("{} of {of}", path.display()));
                return Ok(Vec::new());
            }
            if other == system {
                self.found.alike.add(|| path.display().to_string());
            }
        }
        if let Some(print) = content.print {
            self.contents.entry(print).or_insert((system.to_string(), path.clone()));
        }
        let mut new = Vec::new();
        let mut slot = AttemptSlot::default();
        for place in 0..attempts.len() {
            attempts.read_into(place, &mut slot);
            if self.is_new(system, slot.attempt(), seeds.get(place).copied()) {
                new.push(place);
            }
        }
        Ok(new)
    }

    fn is_new(&mut self, system: &str, attempt: &Attempt, journal_seed: Option<u32>) -> bool {
        if let Some(seed) = journal_seed {
            let is_new = self.journal_seeds.insert((system.to_string(), seed));
            if !is_new {
                self.found.journal_seeds.add(|| format!("seed {seed}"));
            }
            return is_new;
        }
        let Ok(seen) = attempt else { return true };
        let Some(seed) = seed_of(seen) else { return true };
        let print = print_of(seen);
        let known = self.seeds.entry((system.to_string(), seed.to_bits())).or_default();
        if known.is_empty() {
            known.insert(print);
            return true;
        }
        if known.insert(print) {
            self.found.other_results.add(|| format!("seed {seed}"));
            return true;
        }
        self.found.same_seeds.add(|| format!("seed {seed}"));
        false
    }

    /// What to say about it.
    pub(super) fn caveats(&self) -> Vec<Caveat> {
        use CaveatKind::{RepeatedFiles, RepeatedSeeds};
        let RepeatCounts { same_files, copies, alike, journal_seeds, same_seeds, other_results } =
            &self.found;
        let mut caveats = Vec::new();
        let mut say = |kind, text: Option<String>| {
            caveats.extend(text.map(|text| Caveat::new(kind, text)));
        };
        let were = |counted: &CountWithExample| if counted.count == 1 { "was" } else { "were" };
        say(
            RepeatedFiles,
            same_files.of("file", "files").map(|files| {
                format!(
                    "{files} {} given more than once (the first: {}) and {} once.",
                    were(same_files),
                    same_files.first,
                    counts(same_files)
                )
            }),
        );
        say(
            RepeatedFiles,
            copies.of("file is a copy", "files are copies").map(|files| {
                format!("{files} of another ({}) and {} once.", copies.first, counts(copies))
            }),
        );
        say(
            RepeatedFiles,
            alike.of("file has", "files have").map(|files| {
                format!(
                    "{files} the same content as another (the first: {}). If they are copies, \
                     remove them: then the answer is less sure than it says.",
                    alike.first
                )
            }),
        );
        say(
            RepeatedSeeds,
            journal_seeds.of("execution has", "executions have").map(|executions| {
                format!(
                    "{executions} the seed of another one in the journals (the first: {}) and {} \
                     only once with it. Check with another --seed to have different ones.",
                    journal_seeds.first,
                    counts(journal_seeds)
                )
            }),
        );
        say(
            RepeatedSeeds,
            same_seeds.of("execution repeats", "executions repeat").map(|executions| {
                format!(
                    "{executions} the seed and the results of another one (the first: {}) and {} \
                     only once with it.",
                    same_seeds.first,
                    counts(same_seeds)
                )
            }),
        );
        say(
            RepeatedSeeds,
            other_results.of("execution has", "executions have").map(|executions| {
                format!(
                    "{executions} the seed of another one, with other results (the first: {}). If \
                     they are of the same system and input, they are not independent, and the \
                     answer is less sure than it says.",
                    other_results.first
                )
            }),
        );
        caveats
    }
}

fn counts(counted: &CountWithExample) -> &'static str {
    if counted.count == 1 { "counts" } else { "count" }
}

fn refuse_other(
    system: &str,
    path: &Path,
    other: &str,
    as_given: &Path,
    how: &str,
) -> Result<(), EngineError> {
    if other == system {
        return Ok(());
    }
    Err(EngineError::usage(format!(
        "{other}={} and {system}={} {how}: a system compared with itself says nothing; give each \
         system its own executions. Two executions of one system are metric@1 and metric@2",
        as_given.display(),
        path.display()
    )))
}

/// The seed that an execution says it had.
fn seed_of(seen: &Observation) -> Option<f64> {
    let named = |(name, _): &(&String, _)| name.eq_ignore_ascii_case("seed");
    seen.scalars().iter().find(named).map(|(_, scalar)| scalar.value).filter(|v| v.is_finite())
}

fn print_of(seen: &Observation) -> u64 {
    let mut print = Fingerprint::default();
    print.add(seen, &costs_of_given(seen));
    print.0
}

/// What a file holds.
struct Content {
    /// As one number; `None` if there is too little to tell files apart.
    print: Option<u64>,
    /// Whether no other file would hold the same, unless it is a copy. A simulation that takes few
    /// ways can end twice in the same way, but not in the same time on the host; and several
    /// executions in one file do not repeat one after the other.
    is_unique: bool,
}

impl Content {
    fn of(attempts: &Attempts) -> Content {
        let mut print = Fingerprint::default();
        let (mut numbers, mut fractions) = (BTreeSet::new(), 0);
        let mut has_costs = false;
        let mut slot = AttemptSlot::default();
        for place in 0..attempts.len() {
            attempts.read_into(place, &mut slot);
            let Ok(seen) = slot.attempt() else { continue };
            has_costs |= print.add_with_costs(seen);
            let scalars = seen.scalars().values().map(|scalar| scalar.value);
            let signals = seen.signals().values().flat_map(|s| s.times().iter().chain(s.values()));
            let events = seen.events().values().flat_map(|events| events.times());
            for value in scalars.chain(signals.chain(events).copied()) {
                if fractions >= FRACTIONS || numbers.len() >= NUMBERS {
                    break;
                }
                if numbers.insert(value.to_bits()) && value.fract() != 0.0 {
                    fractions += 1;
                }
            }
        }
        let is_rich = fractions >= FRACTIONS || numbers.len() >= NUMBERS;
        Content { print: is_rich.then_some(print.0), is_unique: attempts.len() > 1 || has_costs }
    }
}
