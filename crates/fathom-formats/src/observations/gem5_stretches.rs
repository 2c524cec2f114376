//! Which stretch of time each dump of gem5 covers.
//!
//! `finalTick` counts from the start of the simulation and is never reset; `simTicks` and
//! `simSeconds` count from the last reset. Times are taken from ticks where there are any, because
//! seconds are printed with few digits. They count from the beginning of what the first dump
//! covers, so that the way to a checkpoint or a warm-up before the first reset is not part of it.

use fathom_record::Unit;

use crate::error::Flaw;

/// The dumps' statistics of time, a value per dump each; NaN where one is missing.
pub(super) struct Clock {
    final_tick: Option<Vec<f64>>,
    ticks: Option<Vec<f64>>,
    seconds: Option<Vec<f64>>,
    /// Ticks in a second.
    frequency: Option<f64>,
}

/// The stretches of all dumps that cover some time, one after the other.
#[derive(Debug, PartialEq)]
pub(super) struct Stretches {
    pub(super) all: Vec<Stretch>,
    pub(super) unit: Unit,
}

/// What a dump covers and no dump before it does.
#[derive(Debug, PartialEq)]
pub(super) struct Stretch {
    /// From 0.
    pub(super) dump: usize,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Clock {
    /// The clock of a file, from a function that gives a statistic's values.
    pub(super) fn of(statistic: impl Fn(&str) -> Option<Vec<f64>>) -> Clock {
        let either = |new: &str, old: &str| statistic(new).or_else(|| statistic(old));
        let frequency = either("simFreq", "sim_freq").and_then(|all| all.first().copied());
        Clock {
            final_tick: either("finalTick", "final_tick"),
            ticks: either("simTicks", "sim_ticks"),
            seconds: either("simSeconds", "sim_seconds"),
            frequency: frequency.filter(|&hertz| hertz.is_finite() && hertz > 0.0),
        }
    }

    /// How long the first dump lasted, and in what.
    pub(super) fn length(&self) -> Option<(f64, Unit)> {
        let first = |all: &Option<Vec<f64>>| {
            let value = all.as_ref().and_then(|all| all.first().copied());
            value.filter(|&value| value.is_finite() && value >= 0.0)
        };
        match (first(&self.ticks), self.frequency, first(&self.seconds)) {
            (Some(ticks), Some(frequency), _) => Some((ticks / frequency, Unit::SECONDS)),
            (_, _, Some(seconds)) => Some((seconds, Unit::SECONDS)),
            (Some(ticks), None, None) => Some((ticks, ticks_unit())),
            (None, _, None) => None,
        }
    }

    /// What each of several dumps covers.
    pub(super) fn stretches(&self, dumps: usize) -> Result<Stretches, Flaw> {
        let (in_ticks, unit_of_length) = match (&self.final_tick, &self.ticks, &self.seconds) {
            (Some(ends), lengths, _) => (between(ends, lengths.as_deref())?, None),
            (None, Some(lengths), _) => (cumulated(lengths, "simTicks")?, None),
            (None, None, Some(lengths)) => (cumulated(lengths, "simSeconds")?, Some(Unit::SECONDS)),
            (None, None, None) => {
                return Err(Flaw::new(
                    format!("the {dumps} dumps do not record when they were written"),
                    "keep finalTick and simFreq in the file, or put each dump in its own file",
                ));
            }
        };
        let mut all = in_ticks;
        if all.is_empty() {
            return Err(Flaw::new("the dumps cover no time", "run the simulation again"));
        }
        let unit = match (unit_of_length, self.frequency) {
            (Some(unit), _) => unit,
            (None, None) => ticks_unit(),
            (None, Some(frequency)) => {
                for stretch in &mut all {
                    stretch.from /= frequency;
                    stretch.to /= frequency;
                }
                Unit::SECONDS
            }
        };
        Ok(Stretches { all, unit })
    }
}

/// From the ends of the dumps, and how long ago the statistics were reset at each.
fn between(ends: &[f64], lengths: Option<&[f64]>) -> Result<Vec<Stretch>, Flaw> {
    let length = |dump: usize| lengths.and_then(|all| all.get(dump)).copied();
    let mut all = Vec::with_capacity(ends.len());
    let mut origin = None;
    let mut before = f64::NEG_INFINITY;
    for (dump, &end) in ends.iter().enumerate() {
        if end.is_nan() {
            return Err(untimed(dump, "finalTick"));
        }
        if end < before {
            return Err(Flaw::new(
                format!(
                    "dump {} ends at tick {end}, before dump {dump}, which ends at {before}",
                    dump + 1
                ),
                "use the dumps of one simulation only, in order",
            ));
        }
        let reset = length(dump).filter(|length| *length >= 0.0).map(|length| end - length);
        let origin = *origin.get_or_insert(reset.unwrap_or(0.0).max(0.0));
        let from = reset.unwrap_or(before).max(before).max(origin);
        if from < end {
            all.push(Stretch { dump, from: from - origin, to: end - origin });
        }
        before = end;
    }
    Ok(all)
}

/// Without `finalTick`: dumps that follow each other, if they were reset.
fn cumulated(lengths: &[f64], name: &str) -> Result<Vec<Stretch>, Flaw> {
    let mut all = Vec::with_capacity(lengths.len());
    let mut from = 0.0;
    for (dump, &length) in lengths.iter().enumerate() {
        if length.is_nan() || length < 0.0 {
            return Err(untimed(dump, name));
        }
        if length > 0.0 {
            all.push(Stretch { dump, from, to: from + length });
        }
        from += length;
    }
    let is_growing = |pair: &[f64]| matches!(pair, [a, b] if a < b);
    if lengths.windows(2).all(is_growing) {
        return Err(Flaw::new(
            format!(
                "{name} grows from dump to dump, and without finalTick it may count from the \
                 start or from the previous dump"
            ),
            "keep finalTick in the file, or put each dump in its own file",
        ));
    }
    Ok(all)
}

fn untimed(dump: usize, name: &str) -> Flaw {
    Flaw::new(
        format!("dump {} has no {name}, so its time is unknown", dump + 1),
        "remove that dump, or run the simulation again",
    )
}

fn ticks_unit() -> Unit {
    Unit::Other("ticks".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(ends: &[f64], lengths: &[f64], seconds: &[f64], frequency: Option<f64>) -> Clock {
        let given = |all: &[f64]| (!all.is_empty()).then(|| all.to_vec());
        let (final_tick, ticks, seconds) = (given(ends), given(lengths), given(seconds));
        Clock { final_tick, ticks, seconds, frequency }
    }

    fn ranges(clock: &Clock) -> Vec<(usize, f64, f64)> {
        let stretches = clock.stretches(3).unwrap();
        stretches.all.iter().map(|stretch| (stretch.dump, stretch.from, stretch.to)).collect()
    }

    #[test]
    fn resets_with_every_dump() {
        let clock = clock(&[100.0, 300.0, 350.0], &[100.0, 200.0, 50.0], &[], Some(10.0));
        assert_eq!(ranges(&clock), [(0, 0.0, 10.0), (1, 10.0, 30.0), (2, 30.0, 35.0)]);
        assert_eq!(clock.stretches(3).unwrap().unit, Unit::SECONDS);
    }

    #[test]
    fn no_resets_and_a_dump_at_exit() {
        let clock = clock(&[100.0, 300.0, 300.0], &[100.0, 300.0, 300.0], &[], None);
        assert_eq!(ranges(&clock), [(0, 0.0, 100.0), (1, 100.0, 300.0)]);
        assert_eq!(clock.stretches(3).unwrap().unit, ticks_unit());
    }

    #[test]
    fn a_warm_up_before_the_first_reset_is_not_part_and_one_in_between_is_unknown() {
        let clock = clock(&[1100.0, 1300.0, 1500.0], &[100.0, 150.0, 200.0], &[], None);
        assert_eq!(ranges(&clock), [(0, 0.0, 100.0), (1, 150.0, 300.0), (2, 300.0, 500.0)]);
    }

    #[test]
    fn without_final_ticks_lengths_add_up_if_that_is_sure() {
        assert_eq!(
            ranges(&clock(&[], &[], &[2.0, 1.0, 4.0], None)),
            [(0, 0.0, 2.0), (1, 2.0, 3.0), (2, 3.0, 7.0)]
        );
        assert!(clock(&[], &[1.0, 2.0, 3.0], &[], None).stretches(3).is_err());
        assert!(clock(&[], &[], &[], None).stretches(3).is_err());
        assert!(clock(&[5.0, 4.0], &[], &[], None).stretches(2).is_err());
        assert!(clock(&[5.0, f64::NAN], &[], &[], None).stretches(2).is_err());
    }

    #[test]
    fn one_dump_has_a_length() {
        assert_eq!(clock(&[9.0], &[5.0], &[0.5], Some(8.0)).length(), Some((0.625, Unit::SECONDS)));
        assert_eq!(clock(&[9.0], &[5.0], &[0.5], None).length(), Some((0.5, Unit::SECONDS)));
        assert_eq!(clock(&[9.0], &[5.0], &[], None).length(), Some((5.0, ticks_unit())));
        assert_eq!(clock(&[], &[], &[], None).length(), None);
    }
}
