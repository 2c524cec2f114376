//! Whether executions are different ones. A simulator that ignores its seed makes the same
//! execution again and again, and repeating it says no more than once.

use fathom_measure::experiment::built_in_names;
use fathom_property::{Caveat, CaveatKind, JudgedAs, Mentioned};
use fathom_record::{Observation, Unit};
use std::collections::BTreeSet;

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
    /// What was seen of each execution, as a number.
    prints: Vec<u64>,
    /// Whether two of these differ.
    prints_differ: bool,
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
        seen: &[&Observation],
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
        self.prints_differ |= self.prints.last().is_some_and(|&last| last != print.0);
        self.prints.push(print.0);
        match &self.first {
            None => self.first = Some(result.clone()),
            Some(first) => self.results_differ |= first != result,
        }
    }

    fn total(&self) -> usize {
        self.prints.len()
    }

    /// Whether all of them count as the same execution: what the property reads would not agree by
    /// chance, or each had a seed of its own and nothing that was read shows it.
    pub(super) fn is_one(&self, origin: Origin) -> bool {
        self.are_alike() && (self.is_fine || (origin == Origin::Seeded && self.is_telling))
    }

    fn are_alike(&self) -> bool {
        !self.prints_differ && self.total() >= ENOUGH && !self.results_differ && self.has_own
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
        let mut sorted = self.prints.clone();
        sorted.sort_unstable();
        let different = sorted.chunk_by(|a, b| a == b).count();
        let are_repeated = sorted.chunk_by(|a, b| a == b).all(|same| same.len() > 1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Scalar;

    fn seen(name: &str, value: f64, unit: Unit) -> Observation {
        let mut seen = Observation::new();
        seen.set_scalar(name, Scalar::new(value, unit)).unwrap();
        seen
    }

    fn mentioned(name: &str) -> Mentioned {
        Mentioned { names: [(0, name.to_string())].into(), ..Mentioned::default() }
    }

    #[test]
    fn what_is_fine_does_not_agree_by_chance() {
        let fine = |value: f64, unit: Unit| is_fine(&seen("x", value, unit), 0, &mentioned("x"));
        assert!(fine(1.5, Unit::Unknown) && !fine(2.0, Unit::Unknown));
        assert!(fine(1e6, Unit::Unknown) && !fine(999_999.0, Unit::Unknown));
        assert!(fine(2.0, Unit::SECONDS) && !fine(0.0, Unit::SECONDS));
        let equality = Mentioned { has_equality: true, ..mentioned("x") };
        let compared = |value: f64, unit: Unit| is_fine(&seen("x", value, unit), 0, &equality);
        assert!(!compared(1e6, Unit::Unknown) && !compared(2.0, Unit::SECONDS));
        assert!(compared(1.5, Unit::Unknown));
        // Of another execution, another name, or what the host spent.
        assert!(!is_fine(&seen("x", 1.5, Unit::Unknown), 1, &mentioned("x")));
        assert!(!is_fine(&seen("x", 1.5, Unit::Unknown), 0, &mentioned("y")));
        for cost in ["hostSeconds", "host_time"] {
            assert!(!is_fine(&seen(cost, 1.5, Unit::Unknown), 0, &mentioned(cost)));
        }
        assert!(is_cost("host_x") && !is_cost("host_x.y") && !is_cost("hostess"));
        let telling = |value: f64| is_telling(&seen("x", value, Unit::Unknown), 0, &mentioned("x"));
        assert!(telling(2.0) && !telling(0.0) && !telling(1.0));
    }

    /// What there is to say of executions with these numbers.
    fn said(values: impl IntoIterator<Item = f64>, origin: Origin) -> (bool, Option<CaveatKind>) {
        let mut sameness = Sameness::default();
        for value in values {
            let seen = seen("x", value, Unit::Unknown);
            let result = JudgedAs::Failed("x".to_string());
            sameness.take(&[&seen], &[BTreeSet::new()], &mentioned("x"), &result);
        }
        let caveat = sameness.caveat(origin, "executions");
        (sameness.is_one(origin), caveat.map(|caveat| caveat.kind))
    }

    #[test]
    fn executions_that_are_alike_are_told() {
        let repeated = |value: f64, times: usize| std::iter::repeat_n(value, times);
        let identical = (true, Some(CaveatKind::Identical));
        for origin in [Origin::Seeded, Origin::Unseeded, Origin::Files] {
            assert_eq!(said(repeated(1.5, 5), origin), identical);
            assert_eq!(said(repeated(1.5, 4), origin), (false, None));
            assert_eq!(said(repeated(1.0, 9), origin), (false, None), "no errors, in none of them");
        }
        // A count may agree by chance, unless each execution had a seed of its own.
        assert_eq!(said(repeated(3.0, 9), Origin::Seeded), identical);
        assert_eq!(said(repeated(3.0, 9), Origin::Files), (false, Some(CaveatKind::Alike)));
        // Few different ones, each several times.
        let few =
            |different: usize, total: usize| (0..total).map(move |n| (n % different) as f64 + 0.5);
        let told = (false, Some(CaveatKind::FewDifferent));
        assert_eq!(said(few(4, 20), Origin::Seeded), told);
        assert_eq!(said(few(4, 19), Origin::Seeded), (false, None));
        assert_eq!(said(few(10, 20), Origin::Files), told);
        assert_eq!(said(few(11, 21), Origin::Files), (false, None), "one of them only once");
    }
}
