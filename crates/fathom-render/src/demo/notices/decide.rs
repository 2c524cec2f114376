//! Did it change? The verdict, against what is known.

use crate::demo::DemoTruth;
use crate::percent::percent;
use fathom_analyze::compare::{Comparison, Design, Verdict};

/// Of a version that does more work than the other.
pub(super) fn of_difference(found: &Comparison, truth: &DemoTruth) -> Vec<String> {
    let planted = truth.more_work();
    let share = format!("{:.0}%", 100.0 * planted);
    let level = percent(found.confidence.get());
    let ends = found.interval.ends();
    let mut notices = vec![match found.verdict {
        Verdict::Slower if ends.lower <= 1.0 + planted && 1.0 + planted <= ends.upper => format!(
            "That is right: the range includes the {share} more work that the second command does. \
             Starting the process costs both the same, so expect slightly less."
        ),
        Verdict::Slower if ends.upper < 1.0 + planted => format!(
            "It is slower, as it should be. The range stays below {share} because starting the process \
             costs both the same: {share} more work is less than {share} more time."
        ),
        Verdict::Slower => format!(
            "It is slower, as it should be, but the range is above the {share} more work that it does: \
             other programs slowed it more than the first command, or this is one of the {} of answers \
             that a {level} interval misses.",
            percent(1.0 - found.confidence.get())
        ),
        Verdict::Inconclusive | Verdict::Mixed => format!(
            "Fathom does not claim a difference yet, although the second command does {share} more \
             work. Inconclusive means not enough data for this much noise; it does not mean equal."
        ),
        Verdict::Equivalent | Verdict::Faster => format!(
            "This is wrong: the second command does {share} more work. At {level} confidence about one \
             answer in twenty may be wrong, more often where other programs disturb one command more \
             than the other. Measure again."
        ),
    }];
    if found.verdict == Verdict::Inconclusive && found.further.is_some() {
        notices.push(
            "The line below the answer says how many more pairs would settle it.".to_string(),
        );
    }
    notices.extend(of_pairing(found));
    notices
}

/// Of a command against itself.
pub(super) fn of_same(found: &Comparison) -> Vec<String> {
    let margin = percent(found.margin.get());
    let level = percent(found.confidence.get());
    vec![match found.verdict {
        Verdict::Equivalent => format!(
            "No false alarm. \"No difference larger than {margin}\" is a claim of its own: the whole \
             range is within ±{margin}. --margin sets what counts as a difference."
        ),
        Verdict::Inconclusive | Verdict::Mixed => format!(
            "No false alarm: the range includes no difference. It is not yet within ±{margin}, so \
             Fathom does not claim that they are equal either."
        ),
        Verdict::Slower | Verdict::Faster => format!(
            "This is a false alarm: both commands are the same. {level} confidence allows for about one \
             in twenty. Where that is too many, use --confidence 99%, or measure on a quieter machine."
        ),
    }]
}

fn of_pairing(found: &Comparison) -> Option<String> {
    let Design::Paired(paired) = &found.design else { return None };
    let drift = match paired.drift {
        drift if drift.is_finite() && drift.abs() >= 0.01 => {
            format!(
                ", so the drift of {:.0}% over the session affects both alike",
                100.0 * drift.abs()
            )
        }
        _ => ", so what changes over time affects both alike".to_string(),
    };
    Some(format!("Fathom alternates both in random order{drift}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::truth::EXAMPLE;
    use fathom_analyze::compare::{Margin, compare_unpaired};
    use fathom_analyze::{EstimateRequest, analyze};
    use fathom_record::{Series, Unit};

    /// A comparison of samples whose medians have this ratio, with so much noise.
    fn found(ratio: f64, noise: f64) -> Comparison {
        let subject = |name: &str, level: f64, shift: usize| {
            let wave = |i: usize| (((31 * i * i + 37 * i + shift) % 101) as f64 - 50.0) / 50.0;
            let values = (0..200).map(|i| level * (1.0 + noise * wave(i))).collect();
            let request =
                EstimateRequest { assume_independent: true, ..EstimateRequest::default() };
            analyze(Series::new(name, Unit::SECONDS, values).unwrap(), &request)
        };
        let request = EstimateRequest { assume_independent: true, ..EstimateRequest::default() };
        let (old, new) = (subject("old", 1.0, 0), subject("new", ratio, 5));
        compare_unpaired(&old, &new, &request, Margin::DEFAULT, &[]).unwrap()
    }

    #[test]
    fn every_verdict_on_a_difference_has_its_words() {
        let cases = [
            (1.05, 0.03, Verdict::Slower, "That is right"),
            (1.03, 0.005, Verdict::Slower, "stays below 5%"),
            (1.20, 0.01, Verdict::Slower, "is above the 5%"),
            (1.001, 0.30, Verdict::Inconclusive, "does not claim a difference yet"),
            (1.0, 0.001, Verdict::Equivalent, "This is wrong"),
            (0.90, 0.01, Verdict::Faster, "This is wrong"),
        ];
        for (ratio, noise, verdict, words) in cases {
            let found = found(ratio, noise);
            assert_eq!(found.verdict, verdict, "{ratio} {noise}: {:?}", found.interval);
            let notices = of_difference(&found, &EXAMPLE);
            assert!(notices[0].contains(words), "{ratio} {noise}: {notices:?}");
            // Nothing is said about pairs that there are not.
            assert!(notices.iter().all(|notice| !notice.contains("alternates")), "{notices:?}");
            let is_settled = !notices.iter().any(|notice| notice.contains("would settle"));
            assert!(is_settled || found.further.is_some(), "{notices:?}");
        }
    }

    #[test]
    fn every_verdict_on_the_same_has_its_words() {
        let cases = [
            (1.0, 0.001, Verdict::Equivalent, "No false alarm. \"No difference larger than 1%\""),
            (1.001, 0.30, Verdict::Inconclusive, "not yet within ±1%"),
            (1.10, 0.01, Verdict::Slower, "This is a false alarm"),
            (0.90, 0.01, Verdict::Faster, "This is a false alarm"),
        ];
        for (ratio, noise, verdict, words) in cases {
            let found = found(ratio, noise);
            assert_eq!(found.verdict, verdict, "{ratio} {noise}: {:?}", found.interval);
            let notices = of_same(&found);
            assert!(notices[0].contains(words), "{ratio} {noise}: {notices:?}");
        }
    }
}
