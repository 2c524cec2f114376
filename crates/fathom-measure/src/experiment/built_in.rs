//! Numbers that are known of every execution without asking it.

use super::completeness::Completeness;
use fathom_record::{Certainty, Ending, Observation, Scalar, Unit, Usage};
use std::collections::BTreeSet;
use std::time::Duration;

/// Their names.
const NAMES: [&str; 10] = [
    "runtime",
    "user_time",
    "system_time",
    "cpu_time",
    "peak_memory",
    "minor_faults",
    "major_faults",
    "voluntary_switches",
    "involuntary_switches",
    "exit_code",
];

/// Those that only grow while an execution goes on: all but the exit code.
const GROWING: &[&str] = NAMES.split_at(NAMES.len() - 1).0;

/// The names of the numbers that every execution has: `runtime` (wall time), `user_time`,
/// `system_time` and `cpu_time` (both together) in seconds, `peak_memory` in bytes, `minor_faults`,
/// `major_faults`, `voluntary_switches`, `involuntary_switches`, and `exit_code`, which is 128 and
/// the signal's number for one that a signal killed, as shells have it. A metric or trace with one
/// of these names takes its place.
#[must_use]
pub fn built_in_names() -> &'static [&'static str] {
    &NAMES
}

/// Which of these numbers in an observation are Fathom's own, and not metrics of the user that took
/// their place. `exit_code` is left out: that is what the program did, not what it cost.
#[must_use]
pub fn costs_in(seen: &Observation, ending: Ending, usage: &Usage) -> BTreeSet<&'static str> {
    let mut own = Observation::new();
    add(&mut own, ending, usage, None);
    let is_own = |name: &&str| {
        let (Some(seen), Some(own)) = (seen.scalars().get(*name), own.scalars().get(*name)) else {
            return false;
        };
        // The run time of one that was cut off is its limit.
        seen.certainty == Certainty::AtLeast || seen.value.to_bits() == own.value.to_bits()
    };
    NAMES.into_iter().filter(|name| *name != "exit_code").filter(is_own).collect()
}

/// An execution with only these, all 0: what a property can refer to before the first execution.
#[must_use]
pub fn bare_observation() -> Observation {
    let mut seen = Observation::new();
    seen.set_time_unit(Unit::SECONDS);
    add(&mut seen, Ending::Exited(0), &Usage::default(), None);
    // 0 is a time, and nothing happens after it.
    let _ = seen.set_end(0.0);
    seen
}

/// How long it ran, in seconds. One that was cut off ran for its limit: what it did after it was
/// told to end is not its own time.
pub(super) fn runtime(ending: Ending, usage: &Usage, timeout: Option<Duration>) -> f64 {
    let wall = usage.wall.seconds();
    match (ending, timeout) {
        (Ending::TimedOut, Some(limit)) => wall.min(limit.as_secs_f64()),
        _ => wall,
    }
}

/// Adds those whose names are not taken.
pub(super) fn add(
    seen: &mut Observation,
    ending: Ending,
    usage: &Usage,
    timeout: Option<Duration>,
) {
    let certainty = match Completeness::of(ending) {
        // It would have gone on, and everything here only grows.
        Completeness::Cut => Certainty::AtLeast,
        Completeness::Whole | Completeness::Crashed => Certainty::Exactly,
    };
    let exit_code = match ending {
        Ending::Exited(code) => f64::from(code),
        Ending::Signalled(signal) => 128.0 + f64::from(signal),
        Ending::TimedOut => f64::NAN,
    };
    for name in NAMES {
        let (value, unit) = match name {
            "runtime" => (runtime(ending, usage, timeout), Unit::SECONDS),
            "user_time" => (usage.user.seconds(), Unit::SECONDS),
            "system_time" => (usage.system.seconds(), Unit::SECONDS),
            "cpu_time" => ((usage.user + usage.system).seconds(), Unit::SECONDS),
            "peak_memory" => (usage.peak_memory as f64, Unit::Bytes),
            "minor_faults" => (usage.minor_faults as f64, Unit::Unknown),
            "major_faults" => (usage.major_faults as f64, Unit::Unknown),
            "voluntary_switches" => (usage.voluntary_switches as f64, Unit::Unknown),
            "involuntary_switches" => (usage.involuntary_switches as f64, Unit::Unknown),
            _ => (exit_code, Unit::Unknown),
        };
        let certainty = if GROWING.contains(&name) { certainty } else { Certainty::Exactly };
        if !seen.scalars().contains_key(name) {
            // Refused only where a signal or an event has the name, which then goes first.
            let _ = seen.set_scalar(name, Scalar { value, unit, certainty });
        }
    }
}

/// What is known of an execution that was cut and whose file says more than that: a number of the
/// whole is unknown, and one that only grows is at least what was seen. Files of other programs
/// and journals of earlier versions say such numbers as if they were final.
pub fn know_no_more_than_was_seen(seen: &mut Observation) {
    if !seen.is_cut() {
        return;
    }
    let exact: Vec<(String, Scalar)> = seen
        .scalars()
        .iter()
        .filter(|(name, scalar)| scalar.certainty == Certainty::Exactly && *name != "exit_code")
        .map(|(name, scalar)| {
            let grows = GROWING.contains(&name.as_str()) && !scalar.value.is_nan();
            let scalar = match grows {
                true => Scalar { certainty: Certainty::AtLeast, ..scalar.clone() },
                false => Scalar { value: f64::NAN, ..scalar.clone() },
            };
            (name.clone(), scalar)
        })
        .collect();
    for (name, scalar) in exact {
        // The name is there already, as a number.
        let _ = seen.set_scalar(&name, scalar);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Events;
    use fathom_record::Span;

    fn usage() -> Usage {
        Usage {
            wall: Span::from_milliseconds(2_500),
            user: Span::from_milliseconds(1_000),
            system: Span::from_milliseconds(500),
            peak_memory: 4096,
            minor_faults: 1,
            major_faults: 2,
            voluntary_switches: 3,
            involuntary_switches: 4,
        }
    }

    #[test]
    fn all_are_there_under_their_names() {
        let mut seen = Observation::new();
        add(&mut seen, Ending::Exited(3), &usage(), None);
        let values = built_in_names().iter().map(|name| seen.scalars()[*name].value);
        let values: Vec<f64> = values.collect();
        assert_eq!(values, [2.5, 1.0, 0.5, 1.5, 4096.0, 1.0, 2.0, 3.0, 4.0, 3.0]);
        assert!(seen.scalars().values().all(|scalar| scalar.certainty == Certainty::Exactly));
        let mut seen = Observation::new();
        add(&mut seen, Ending::Signalled(9), &usage(), None);
        assert_eq!(seen.scalars()["exit_code"].value, 137.0);
    }

    #[test]
    fn one_that_was_cut_off_has_lower_bounds() {
        let mut seen = Observation::new();
        add(&mut seen, Ending::TimedOut, &usage(), Some(Duration::from_secs(2)));
        let runtime = &seen.scalars()["runtime"];
        assert_eq!((runtime.value, runtime.certainty), (2.0, Certainty::AtLeast));
        assert_eq!(seen.scalars()["peak_memory"].certainty, Certainty::AtLeast);
        assert!(seen.scalars()["exit_code"].value.is_nan());
        let mut killed = Observation::new();
        add(&mut killed, Ending::Signalled(9), &usage(), None);
        assert_eq!(killed.scalars()["runtime"].certainty, Certainty::AtLeast);
        assert_eq!(killed.scalars()["exit_code"], Scalar::new(137.0, Unit::Unknown));
    }

    #[test]
    fn what_a_file_says_of_a_cut_execution_is_not_final() {
        let mut seen = Observation::new();
        let at_least = Scalar { certainty: Certainty::AtLeast, ..Scalar::new(3.0, Unit::Unknown) };
        seen.set_scalar("x", Scalar::new(8.0, Unit::Unknown)).unwrap();
        seen.set_scalar("steps", at_least.clone()).unwrap();
        seen.set_scalar("runtime", Scalar::new(0.3, Unit::SECONDS)).unwrap();
        seen.set_scalar("exit_code", Scalar::new(137.0, Unit::Unknown)).unwrap();
        let whole = seen.clone();
        know_no_more_than_was_seen(&mut seen);
        assert_eq!(seen, whole);
        seen.set_cut(true);
        know_no_more_than_was_seen(&mut seen);
        assert!(seen.scalars()["x"].value.is_nan());
        assert_eq!(seen.scalars()["steps"], at_least);
        assert_eq!(seen.scalars()["runtime"].certainty, Certainty::AtLeast);
        assert_eq!(seen.scalars()["exit_code"].value, 137.0);
    }

    #[test]
    fn names_of_the_user_go_first() {
        let mut seen = Observation::new();
        seen.set_scalar("runtime", Scalar::new(7.0, Unit::Unknown)).unwrap();
        seen.set_events("exit_code", Events::default()).unwrap();
        add(&mut seen, Ending::Exited(0), &usage(), None);
        assert_eq!(seen.scalars()["runtime"], Scalar::new(7.0, Unit::Unknown));
        assert!(!seen.scalars().contains_key("exit_code"));
        assert!(seen.scalars().contains_key("user_time"));
    }
}
