//! The judgement of a cut execution, or of one with missing values, holds for whatever it could
//! have become.

use crate::random::{Dice, Maker, Options, random_execution};
use fathom_property::{Truth, judge};
use fathom_record::{Attribute, Certainty, Events, Observation, Scalar, Signal};

/// One that goes on as it might have, with something for what is missing.
fn completed(seen: &Observation, dice: &mut Dice) -> Observation {
    let end = seen.end().unwrap();
    let until = if seen.is_cut() { end + dice.whole(0, 3) } else { end };
    let mut all = Observation::new();
    all.set_end(until).unwrap();
    let fill = |value: f64, dice: &mut Dice| if value.is_nan() { dice.whole(-3, 3) } else { value };
    for (name, scalar) in seen.scalars() {
        let more = if scalar.certainty == Certainty::AtLeast { dice.whole(0, 3) } else { 0.0 };
        let value = fill(scalar.value, dice) + more;
        all.set_scalar(name, Scalar { value, certainty: Certainty::Exactly, ..scalar.clone() })
            .unwrap();
    }
    for (name, signal) in seen.signals() {
        let (mut times, mut values) = (signal.times().to_vec(), signal.values().to_vec());
        values.iter_mut().for_each(|value| *value = fill(*value, dice));
        if times.first() != Some(&0.0) {
            times.insert(0, 0.0);
            values.insert(0, dice.whole(-3, 3));
        }
        for time in end as i64 + 1..=until as i64 {
            times.push(time as f64);
            values.push(if name == "s" { dice.whole(0, 1) } else { dice.whole(-3, 3) });
        }
        let signal = Signal::new(signal.unit().clone(), signal.shape(), times, values).unwrap();
        all.set_signal(name, signal).unwrap();
    }
    for (name, events) in seen.events() {
        let mut times = events.times().to_vec();
        for time in end as i64 + 1..=until as i64 {
            times.extend(dice.once_in(2).then_some(time as f64));
        }
        let attributes = events.attributes().iter().map(|(name, attribute)| {
            let mut values: Vec<f64> =
                attribute.values.iter().map(|&value| fill(value, dice)).collect();
            values.resize_with(times.len(), || dice.whole(-3, 3));
            (name.clone(), Attribute { unit: attribute.unit.clone(), values })
        });
        let attributes = attributes.collect();
        all.set_events(name, Events::new(times, attributes).unwrap()).unwrap();
    }
    all
}

#[test]
fn what_is_said_holds_for_every_completion() {
    let mut decided = 0;
    for seed in 0..4000 {
        let mut dice = Dice::new(1_000_000 + seed);
        let options =
            Options { runs: 1 + (seed % 2) as usize, has_unknowns: true, is_sloped: false };
        let runs: Vec<Observation> =
            (0..options.runs).map(|_| random_execution(&mut dice, &options)).collect();
        let formula = Maker { dice: &mut dice, options: &options }.body(3);
        let judged = judge(&formula, &runs.iter().collect::<Vec<_>>());
        decided += usize::from(judged.truth != Truth::Unknown);
        for _ in 0..5 {
            let whole: Vec<Observation> =
                runs.iter().map(|run| completed(run, &mut dice)).collect();
            let after = judge(&formula, &whole.iter().collect::<Vec<_>>());
            let is_consistent = match judged.truth {
                Truth::True => after.truth == Truth::True,
                Truth::False => after.truth == Truth::False,
                Truth::Vacuous => matches!(after.truth, Truth::Vacuous | Truth::True),
                Truth::Unknown => true,
            };
            let is_inside = judged.robustness.low <= after.robustness.low + 1e-9
                && after.robustness.high <= judged.robustness.high + 1e-9;
            assert!(
                is_consistent && is_inside,
                "seed {seed}: {formula:?}\n{judged:?}\n{after:?}\n{}\n{}",
                serde_json::to_string(&runs).unwrap(),
                serde_json::to_string(&whole).unwrap()
            );
        }
    }
    assert!(decided > 1500, "{decided}");
}
