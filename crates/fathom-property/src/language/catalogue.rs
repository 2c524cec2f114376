//! What the data have: the names that a property may use.

mod merging;

use fathom_record::{Observation, Shape, Unit, nearest};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub use merging::CatalogueError;
use merging::{same_unit, unite};

/// What the executions of one system have: names, what they are, and how their time is counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalogue {
    names: BTreeMap<String, NameMeaning>,
    /// `None` while nothing is known of time.
    time_unit: Option<Unit>,
    clock: Clock,
}

/// What a name is.
#[derive(Debug, Clone, PartialEq)]
pub enum NameMeaning {
    /// A number that holds for a whole execution.
    Scalar {
        /// What it is in.
        unit: Unit,
    },
    /// A number over time.
    Signal {
        /// What it is in.
        unit: Unit,
        /// What it does between its times.
        shape: Shape,
    },
    /// Something that happens.
    Event {
        /// What is known of each occurrence, and what that is in.
        attributes: BTreeMap<String, Unit>,
    },
}

/// The frequency that converts cycles to seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Clock {
    #[default]
    Unknown,
    Hertz(f64),
    /// Two executions have different ones.
    Differs(f64, f64),
}

impl NameMeaning {
    fn noun(&self) -> &'static str {
        match self {
            NameMeaning::Scalar { .. } => "a scalar",
            NameMeaning::Signal { .. } => "a signal",
            NameMeaning::Event { .. } => "an event",
        }
    }
}

impl Catalogue {
    /// Nothing.
    #[must_use]
    pub fn new() -> Catalogue {
        Catalogue::default()
    }

    /// What one execution has.
    #[must_use]
    pub fn of(seen: &Observation) -> Catalogue {
        let mut names = BTreeMap::new();
        for (name, scalar) in seen.scalars() {
            names.insert(name.clone(), NameMeaning::Scalar { unit: scalar.unit.clone() });
        }
        for (name, signal) in seen.signals() {
            let named = NameMeaning::Signal { unit: signal.unit().clone(), shape: signal.shape() };
            names.insert(name.clone(), named);
        }
        for (name, events) in seen.events() {
            let attributes = events.attributes().iter();
            let attributes = attributes.map(|(name, known)| (name.clone(), known.unit.clone()));
            names.insert(name.clone(), NameMeaning::Event { attributes: attributes.collect() });
        }
        let is_timeless = seen.end().is_none()
            && *seen.time_unit() == Unit::Unknown
            && seen.signals().is_empty()
            && seen.events().is_empty();
        Catalogue {
            names,
            time_unit: (!is_timeless).then(|| seen.time_unit().clone()),
            clock: seen.clock_hz().map_or(Clock::Unknown, Clock::Hertz),
        }
    }

    /// Adds a name, in place of one of the same name.
    pub fn insert(&mut self, name: impl Into<String>, named: NameMeaning) {
        self.names.insert(name.into(), named);
    }

    /// The name of the time that a simulator simulated, where it is known: gem5 calls it
    /// `simSeconds`, and `runtime` would be how long the simulator itself took.
    #[must_use]
    pub fn simulated_time(&self) -> Option<&str> {
        const NAMES: [&str; 6] =
            ["simSeconds", "sim_seconds", "simTicks", "sim_ticks", "sim_time", "simulated_time"];
        let known = |name: &&str| self.names.contains_key(*name);
        NAMES.into_iter().find(known)
    }

    /// The names and what they are.
    #[must_use]
    pub fn names(&self) -> &BTreeMap<String, NameMeaning> {
        &self.names
    }

    /// What times are in.
    #[must_use]
    pub fn time_unit(&self) -> &Unit {
        self.time_unit.as_ref().unwrap_or(&Unit::Unknown)
    }

    /// Says what times are in.
    pub fn set_time_unit(&mut self, unit: Unit) {
        self.time_unit = Some(unit);
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Says how many cycles a second has, whatever the data say.
    pub fn set_clock_hz(&mut self, hertz: f64) {
        self.clock = Clock::Hertz(hertz);
    }

    /// Says what a metric is in, whatever the data say: `name` is that of a scalar or signal, or
    /// `event.attribute`, or `time` for all times. Returns whether there is such a name. To be
    /// used before [`merge`](Catalogue::merge), which refuses to mix units.
    pub fn set_unit(&mut self, name: &str, unit: &Unit) -> bool {
        match self.names.get_mut(name) {
            Some(NameMeaning::Scalar { unit: old } | NameMeaning::Signal { unit: old, .. }) => {
                *old = unit.clone();
                return true;
            }
            Some(NameMeaning::Event { .. }) => return false,
            None => {}
        }
        if name == "time" {
            self.time_unit = Some(unit.clone());
            return true;
        }
        let of_event = |(event, attribute): (&str, &str)| match self.names.get_mut(event) {
            Some(NameMeaning::Event { attributes }) => match attributes.get_mut(attribute) {
                Some(old) => {
                    *old = unit.clone();
                    true
                }
                None => false,
            },
            _ => false,
        };
        name.rsplit_once('.').is_some_and(of_event)
    }

    /// Adds what another execution of the same system has. A name may be missing in some.
    ///
    /// # Errors
    /// A name is one thing here and another there, or in different units.
    pub fn merge(&mut self, other: &Catalogue) -> Result<(), CatalogueError> {
        for (name, named) in &other.names {
            match self.names.entry(name.clone()) {
                Entry::Vacant(free) => {
                    free.insert(named.clone());
                }
                Entry::Occupied(mut known) => unite(name, known.get_mut(), named)?,
            }
        }
        match (&self.time_unit, &other.time_unit) {
            (Some(first), Some(second)) => same_unit("time", first, second)?,
            (None, unit) => self.time_unit.clone_from(unit),
            (Some(_), None) => {}
        }
        self.clock = match (self.clock, other.clock) {
            (Clock::Unknown, clock) | (clock, Clock::Unknown) => clock,
            (Clock::Hertz(a), Clock::Hertz(b)) if a.total_cmp(&b).is_ne() => Clock::Differs(a, b),
            (_, Clock::Differs(a, b)) => Clock::Differs(a, b),
            (clock, Clock::Hertz(_)) => clock,
        };
        Ok(())
    }

    /// The events.
    pub(crate) fn events(&self) -> Vec<&str> {
        let is_event =
            |(_, named): &(&String, &NameMeaning)| matches!(named, NameMeaning::Event { .. });
        self.names.iter().filter(is_event).map(|(name, _)| name.as_str()).collect()
    }
}

/// "did you mean", and what there is.
pub(crate) fn suggestion(wanted: &str, names: &[&str]) -> String {
    const MOST: usize = 8;
    if names.is_empty() {
        return "the data contain nothing that fits here".to_string();
    }
    let near = match nearest(wanted, names).as_slice() {
        [] => String::new(),
        near => format!("did you mean {}? ", listed(near, " or ")),
    };
    let mut all = listed(names.get(..MOST).unwrap_or(names), ", ");
    if names.len() > MOST {
        all = format!("{all} and {} more", names.len() - MOST);
    }
    format!("{near}{} {all}", if near.is_empty() { "the data contain" } else { "The data contain" })
}

fn listed(names: &[&str], between: &str) -> String {
    let names: Vec<String> =
        names.iter().map(|name| format!("`{}`", super::print::name(name))).collect();
    names.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::{Attribute, Events, Scalar, Signal};

    fn scalar(unit: &str) -> NameMeaning {
        NameMeaning::Scalar { unit: Unit::parse(unit) }
    }

    fn with(name: &str, named: NameMeaning) -> Catalogue {
        let mut catalogue = Catalogue::new();
        catalogue.insert(name, named);
        catalogue
    }

    #[test]
    fn an_execution_is_catalogued() {
        let mut seen = Observation::new();
        seen.set_scalar("ipc", Scalar::new(1.0, Unit::Unknown)).unwrap();
        assert_eq!(Catalogue::of(&seen).time_unit, None);
        let signal = Signal::new(Unit::parse("degC"), Shape::Linear, vec![0.0], vec![1.0]).unwrap();
        seen.set_signal("temp", signal).unwrap();
        let latency = Attribute { unit: Unit::parse("ns"), values: vec![3.0] };
        let events = Events::new(vec![1.0], [("latency".to_string(), latency)].into()).unwrap();
        seen.set_events("R", events).unwrap();
        seen.set_clock_hz(2e9).unwrap();
        let catalogue = Catalogue::of(&seen);
        assert_eq!(catalogue.names().len(), 3);
        assert_eq!(catalogue.clock(), Clock::Hertz(2e9));
        assert_eq!(catalogue.time_unit, Some(Unit::Unknown));
        let event =
            NameMeaning::Event { attributes: [("latency".into(), Unit::parse("ns"))].into() };
        assert_eq!(catalogue.names()["R"], event);
    }

    #[test]
    fn executions_of_a_system_are_merged() {
        let mut all = with("a", scalar("ms"));
        all.merge(&with("b", scalar(""))).unwrap();
        assert_eq!(all.names().len(), 2);
        let error = all.merge(&with("a", NameMeaning::Event { attributes: BTreeMap::new() }));
        assert_eq!(
            error.unwrap_err().to_string(),
            "\"a\" is a scalar in one execution and an event in another. Rename one of them, so \
             that each name has one meaning."
        );
        let error = all.merge(&with("b", scalar("W"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"b\" is without a unit in one execution and in W in another. Add the unit to all of \
             them or, if all are in W, set it with --unit b=W."
        );
        let signal = |shape| NameMeaning::Signal { unit: Unit::Unknown, shape };
        let mut step = with("s", signal(Shape::Step));
        step.merge(&with("s", signal(Shape::Linear))).unwrap();
        assert_eq!(step.names()["s"], signal(Shape::Linear));
    }

    #[test]
    fn clocks_that_differ_are_no_clock() {
        let mut all = Catalogue::new();
        let clock = |hertz| {
            let mut catalogue = Catalogue::new();
            catalogue.set_clock_hz(hertz);
            catalogue
        };
        all.merge(&clock(1.0)).unwrap();
        all.merge(&Catalogue::new()).unwrap();
        all.merge(&clock(1.0)).unwrap();
        assert_eq!(all.clock(), Clock::Hertz(1.0));
        all.merge(&clock(2.0)).unwrap();
        all.merge(&clock(1.0)).unwrap();
        assert_eq!(all.clock(), Clock::Differs(1.0, 2.0));
        all.set_clock_hz(3.0);
        assert_eq!(all.clock(), Clock::Hertz(3.0));
    }

    #[test]
    fn units_can_be_said() {
        let mut all = with("p", scalar(""));
        all.insert(
            "R",
            NameMeaning::Event { attributes: [("latency".into(), Unit::Unknown)].into() },
        );
        let watts = Unit::parse("W");
        assert!(all.set_unit("p", &watts) && all.set_unit("R.latency", &watts));
        assert!(all.set_unit("time", &watts));
        assert!(!all.set_unit("q", &watts) && !all.set_unit("R", &watts));
        assert!(!all.set_unit("R.size", &watts));
        assert_eq!(all.names()["p"], scalar("W"));
        assert_eq!(all.time_unit(), &watts);
    }

    #[test]
    fn a_long_list_is_cut() {
        let names: Vec<String> = (0..20).map(|i| format!("n{i:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            suggestion("other", &names),
            "the data contain `n00`, `n01`, `n02`, `n03`, `n04`, `n05`, `n06`, `n07` and 12 more"
        );
        assert_eq!(
            suggestion("a-c", &["a-b"]),
            "did you mean `\"a-b\"`? The data contain `\"a-b\"`"
        );
    }
}
