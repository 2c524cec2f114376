//! Whether executions are different ones. A simulator that ignores its seed makes the same
//! execution again and again, and repeating it says no more than once.

use fathom_measure::experiment::built_in_names;
use fathom_property::{Caveat, CaveatKind, JudgedAs, Mentioned};
use fathom_record::{Observation, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// So few may agree by chance.
const ENOUGH: usize = 5;
/// To say that few are different there must be this many.
const MANY: usize = 20;
/// An integer from here on counts something finely, such as ticks, cycles or bytes.
const FINE: f64 = 1e6;
/// A signal or event with this many different values or times is not a constant.
const VARIED: usize = 8;

/// What was seen so far of how different executions are.
#[derive(Debug, Default)]
pub(super) struct Sameness {
    /// How often each execution was there, by what was seen of it.
    times: BTreeMap<u64, usize>,
    /// What was judged first, as long as all are the same.
    first: Option<JudgedAs>,
    results_differ: bool,
    /// Whether anything was seen besides what Fathom itself measures.
    has_own: bool,
    /// Whether what the property reads would not agree by chance.
    is_fine: bool,
    /// Whether it reads any number but 0 and 1: no errors in any execution is what users hope for.
    is_telling: bool,
}

/// Where executions come from, for what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Commands with a `{seed}`.
    Seeded,
    /// Commands, one of them without a seed.
    Unseeded,
    /// Files.
    Files,
}

impl Sameness {
    /// Takes one execution, or tuple. `costs` are names of what it cost the host, by execution.
    pub(super) fn take(
        &mut self,
        seen: &[Observation],
        costs: &[BTreeSet<&'static str>],
        mentioned: &Mentioned,
        result: &JudgedAs,
    ) {
        let none = BTreeSet::new();
        let mut print = Fingerprint::default();
        for (run, seen) in seen.iter().enumerate() {
            let costs = costs.get(run).unwrap_or(&none);
            self.has_own |= print.add(seen, costs);
            self.is_fine = self.is_fine || is_fine(seen, run, mentioned);
            self.is_telling = self.is_telling || is_telling(seen, run, mentioned);
        }
        *self.times.entry(print.0).or_insert(0) += 1;
        match &self.first {
            None => self.first = Some(result.clone()),
            Some(first) => self.results_differ |= first != result,
        }
    }

    fn total(&self) -> usize {
        self.times.values().sum()
    }

    /// Whether all of them count as the same execution: what the property reads would not agree by
    /// chance, or each had a seed of its own and nothing that was read shows it.
    pub(super) fn is_one(&self, origin: Origin) -> bool {
        self.are_alike() && (self.is_fine || (origin == Origin::Seeded && self.is_telling))
    }

    fn are_alike(&self) -> bool {
        self.times.len() == 1 && self.total() >= ENOUGH && !self.results_differ && self.has_own
    }

    /// What to say about it.
    pub(super) fn caveat(&self, origin: Origin, many: &str) -> Option<Caveat> {
        let total = self.total();
        let what_to_do = match origin {
            Origin::Seeded => {
                "Each had a {seed} of its own: does the program use it? If it does, read another \
                 number that shows it (--metric)."
            }
            Origin::Unseeded => {
                "The command has no {seed}: pass it one, as in ./sim --seed {seed}."
            }
            Origin::Files => "Make executions with different seeds.",
        };
        if self.is_one(origin) {
            return Some(Caveat::new(
                CaveatKind::Identical,
                format!("All {total} {many} are identical, so they count as one. {what_to_do}"),
            ));
        }
        if self.are_alike() && self.is_telling {
            return Some(Caveat::new(
                CaveatKind::Alike,
                format!(
                    "But all {total} {many} gave exactly the same numbers: if they are one and the \
                     same execution, this is not sure. {what_to_do}"
                ),
            ));
        }
        let different = self.times.len();
        let are_repeated = self.times.values().all(|&times| times > 1);
        if self.is_fine && total >= MANY && different > 1 && are_repeated && self.has_own {
            return Some(Caveat::new(
                CaveatKind::FewDifferent,
                format!(
                    "Only {different} of the {total} {many} are different, and each of them was \
                     there several times. If the program makes no more than {different} different \
                     ones, the answer is about these only."
                ),
            ));
        }
        None
    }
}

/// Whether a name is of what a simulation cost the host, by gem5's names.
fn is_cost(name: &str) -> bool {
    let gem5 = ["hostSeconds", "hostTickRate", "hostMemory", "hostInstRate", "hostOpRate"];
    gem5.contains(&name) || (name.starts_with("host_") && !name.contains('.'))
}

/// Whether the property reads a number of an execution that is not 0 or 1.
fn is_telling(seen: &Observation, run: usize, mentioned: &Mentioned) -> bool {
    let of_run = mentioned.names.iter().filter(|(of, _)| *of == run);
    let values = of_run.filter_map(|(_, name)| seen.scalars().get(name));
    values.map(|scalar| scalar.value).any(|value| value != 0.0 && value != 1.0)
}

/// Whether what the property reads of an execution is so fine that executions do not agree in it
/// by chance.
fn is_fine(seen: &Observation, run: usize, mentioned: &Mentioned) -> bool {
    let is_fine = |value: f64| {
        value.is_finite()
            && (value.fract() != 0.0 || value.abs() >= FINE && !mentioned.has_equality)
    };
    let varied = |values: &[f64]| {
        let mut different = BTreeSet::new();
        values.iter().any(|value| {
            different.insert(value.to_bits());
            different.len() >= VARIED
        })
    };
    mentioned.names.iter().filter(|(of, _)| *of == run).any(|(_, name)| {
        if let Some(scalar) = seen.scalars().get(name) {
            // A time or a power is not a count, even if it is a whole number.
            let is_physical = matches!(scalar.unit, Unit::Time(_))
                || ["W", "mW", "J", "mJ", "uJ", "nJ", "V", "mV", "degC", "cycles", "ticks"]
                    .contains(&scalar.unit.symbol());
            let is_telling = is_physical && scalar.value != 0.0 && !mentioned.has_equality;
            return (is_fine(scalar.value) || is_telling) && !is_cost(name);
        }
        if let Some(signal) = seen.signals().get(name) {
            return signal.values().iter().any(|&value| is_fine(value)) || varied(signal.values());
        }
        seen.events().get(name).is_some_and(|events| {
            events.times().iter().any(|&time| is_fine(time)) || varied(events.times())
        })
    })
}

/// What was seen of executions, as one number: FNV-1a over all of it but what it cost the host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fingerprint(pub(super) u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds an execution; whether there was anything but what every execution has.
    pub(super) fn add(&mut self, seen: &Observation, costs: &BTreeSet<&'static str>) -> bool {
        let mut has_own = !seen.signals().is_empty() || !seen.events().is_empty();
        for (name, scalar) in seen.scalars() {
            if costs.contains(name.as_str()) || is_cost(name) {
                continue;
            }
            has_own |= name != "exit_code";
            self.text(name);
            self.number(scalar.value);
        }
        self.over_time(seen);
        has_own
    }

    /// Adds an execution with what it cost; whether that is known.
    pub(super) fn add_with_costs(&mut self, seen: &Observation) -> bool {
        let costs = costs_of_given(seen);
        for (name, scalar) in seen.scalars() {
            self.text(name);
            self.number(scalar.value);
        }
        self.over_time(seen);
        !costs.is_empty() || seen.scalars().keys().any(|name| is_cost(name))
    }

    fn over_time(&mut self, seen: &Observation) {
        for (name, signal) in seen.signals() {
            self.text(name);
            signal.times().iter().chain(signal.values()).for_each(|&value| self.number(value));
        }
        for (name, events) in seen.events() {
            self.text(name);
            events.times().iter().for_each(|&time| self.number(time));
            for (name, attribute) in events.attributes() {
                self.text(name);
                attribute.values.iter().for_each(|&value| self.number(value));
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }

    fn number(&mut self, number: f64) {
        self.bytes(&number.to_bits().to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The costs in an execution of a journal: it has all that Fathom measures.
pub(super) fn costs_of_given(seen: &Observation) -> BTreeSet<&'static str> {
    let names = built_in_names();
    let is_ours = names.iter().all(|name| seen.scalars().contains_key(*name));
    names.iter().copied().filter(|name| is_ours && *name != "exit_code").collect()
}
