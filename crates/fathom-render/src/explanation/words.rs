//! The description of a metric.

use super::time_words;
use crate::layout::visible;
use fathom_explain::align::Fit;
use fathom_explain::change::ChangeEvidence;
use fathom_explain::onset::{Lead, OrderBy};
use fathom_explain::shape::ShapeEvidence;
use fathom_explain::{Explanation, Ranked};
use fathom_record::{TimeUnit, Timestamp};
use std::cmp::Ordering;

/// From here on it is worth a word that the level changed, or that the shape is followed.
const WORTH_A_WORD: f64 = 1.0;

/// "rose 38%, 12 sigma; follows the shape (r -.93, 0.3 s earlier, .41 by chance)".
#[must_use]
pub fn says(metric: &Ranked, explanation: &Explanation, unit: Option<TimeUnit>) -> String {
    let change = metric.change.as_ref().filter(|change| change.z >= WORTH_A_WORD).map(changed);
    let shape = metric.shape.as_ref().filter(|shape| shape.z >= WORTH_A_WORD);
    let shape = shape.map(|shape| follows(shape, metric.lag, unit));
    let is_change_first =
        metric.change.map_or(0.0, |change| change.z) > metric.shape.map_or(0.0, |shape| shape.z);
    let mut parts: Vec<String> = match is_change_first {
        true => change.into_iter().chain(shape).collect(),
        false => shape.into_iter().chain(change).collect(),
    };
    if parts.is_empty() {
        parts.push("no notable change, and does not follow the shape".to_string());
    }
    let is_wanted = |lead: &Lead| lead.is_clear() || explanation.request.order == OrderBy::Onset;
    if let Some(lead) = metric.lead.as_ref().filter(|lead| is_wanted(lead)) {
        parts.push(moved(lead, unit));
    }
    if let Some(derived) = &metric.derived {
        parts.push(derived.to_string());
    }
    if metric.is_random_walk {
        parts.push("looks like a random walk".to_string());
    }
    if metric.scored_in > 1 {
        parts.push(format!("consistent in {} of {} runs", metric.agreeing, metric.scored_in));
    } else if explanation.runs.len() > 1 && metric.run != explanation.reference {
        parts.extend(explanation.runs.get(metric.run).map(|run| {
            let is_poor = run.aligned.quality.as_ref().is_some_and(|one| one.fit == Fit::Poor);
            let doubt = if is_poor { ", which is poorly aligned" } else { "" };
            format!("in {}{doubt}", visible(&run.aligned.run))
        }));
    }
    parts.join("; ")
}

/// "moved 0.35 s (0.3 to 0.4 s) before the target".
pub(super) fn moved(lead: &Lead, unit: Option<TimeUnit>) -> String {
    let words = |seconds: f64| time_words(rounded(seconds) * 1e9, unit);
    if !lead.is_clear() {
        let (before, after) = (words(lead.high.max(0.0)), words((-lead.low).max(0.0)));
        return format!("moved with the target (at most {before} before or {after} after it)");
    }
    let (side, [low, high]) = match lead.low > 0.0 {
        true => ("before", [lead.low, lead.high]),
        false => ("after", [-lead.high, -lead.low]),
    };
    let at = words(lead.seconds.abs());
    format!("moved {at} ({} to {}) {side} the target", words(low), words(high))
}

/// To two digits: an interval is known to no more.
fn rounded(seconds: f64) -> f64 {
    if seconds == 0.0 || !seconds.is_finite() {
        return 0.0;
    }
    let digits = 10_f64.powf(1.0 - seconds.abs().log10().floor());
    (seconds * digits).round() / digits
}

/// What the target does: "falls 51%"; with its sigma if that is no more than usual.
pub(super) fn does(change: &ChangeEvidence) -> String {
    /// A smaller share that is no more than usual is none.
    const NOTHING: f64 = 0.05;
    if change.constant_before.is_some() {
        return "changes for the first time".to_string();
    }
    let verb = if change.shift < 0.0 { "falls" } else { "rises" };
    let share = by_share(change);
    if change.z >= WORTH_A_WORD {
        return format!("{verb}{share}");
    }
    match change.relative.map(f64::abs) {
        Some(relative) if relative >= NOTHING => {
            format!("{verb}{share}, within its usual variation ({}),", sigmas(change.z))
        }
        _ => "stays level".to_string(),
    }
}

/// Whether it rises by more than it usually varies.
pub(crate) fn rises(change: &ChangeEvidence) -> bool {
    change.constant_before.is_none() && change.shift > 0.0 && change.z >= WORTH_A_WORD
}

/// "rose 38%, 12 sigma".
pub(super) fn changed(change: &ChangeEvidence) -> String {
    if let Some(rows) = change.constant_before {
        return format!("was constant for {rows} rows and changes for the first time");
    }
    let verb = if change.shift < 0.0 { "fell" } else { "rose" };
    format!("{verb}{}, {}", by_share(change), sigmas(change.z))
}

/// " 38%", " 4.2 times"; nothing where the level was 0.
pub(super) fn by_share(change: &ChangeEvidence) -> String {
    let Some(share) = change.relative.map(f64::abs).filter(|share| share.is_finite()) else {
        return String::new();
    };
    match share * 100.0 {
        percent if percent < 0.05 => " by less than 0.1%".to_string(),
        percent if percent < 9.95 => format!(" {percent:.1}%"),
        percent if percent < 1000.0 => format!(" {percent:.0}%"),
        _ => " more than tenfold".to_string(),
    }
}

/// "12 sigma"; what is beyond a hundred is not told apart.
pub(super) fn sigmas(z: f64) -> String {
    match z {
        z if z > 100.0 => "over 100 sigma".to_string(),
        z if z < 9.95 => format!("{z:.1} sigma"),
        z => format!("{z:.0} sigma"),
    }
}

fn follows(shape: &ShapeEvidence, lag: Option<Timestamp>, unit: Option<TimeUnit>) -> String {
    let verb = if shape.r < 0.0 { "mirrors" } else { "follows" };
    let lag = lag.unwrap_or_default();
    let apart = time_words(lag.abs_diff(Timestamp::ZERO).nanoseconds_f64(), unit);
    let lag = match lag.cmp(&Timestamp::ZERO) {
        Ordering::Equal => String::new(),
        Ordering::Less => format!(", {apart} earlier"),
        Ordering::Greater => format!(", {apart} later"),
    };
    let often = match shape.occurrences {
        0 | 1 => String::new(),
        times => format!(" in {times} places"),
    };
    let chance = coefficient(shape.chance);
    format!("{verb} the shape{often} (r {}{lag}, {chance} by chance)", coefficient(shape.r))
}

/// ".93", "-.93", "1.00".
pub(super) fn coefficient(r: f64) -> String {
    let text = format!("{r:.2}");
    match (text.strip_prefix("0."), text.strip_prefix("-0.")) {
        (Some(digits), _) => format!(".{digits}"),
        (_, Some("00")) => ".00".to_string(),
        (_, Some(digits)) => format!("-.{digits}"),
        _ => text,
    }
}

/// "<.001", ".034", "1".
#[must_use]
pub fn q_value(q: Option<f64>) -> String {
    match q {
        None => "-".to_string(),
        Some(q) if q < 0.001 => "<.001".to_string(),
        Some(q) if q > 0.995 => "1".to_string(),
        Some(q) if q < 0.0995 => format!("{q:.3}").replacen('0', "", 1),
        Some(q) => format!("{q:.2}").replacen('0', "", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [-0.934, 0.934, 1.0, -0.001, -1.0, 0.999].map(coefficient),
            ["-.93", ".93", "1.00", ".00", "-1.00", "1.00"]
        );
        let q = [None, Some(0.0), Some(0.0344), Some(0.5), Some(1.0), Some(0.0999)].map(q_value);
        assert_eq!(q, ["-", "<.001", ".034", ".50", "1", ".10"]);
        assert_eq!(
            [1.04, 11.6, 1e9, f64::INFINITY].map(sigmas),
            ["1.0 sigma", "12 sigma", "over 100 sigma", "over 100 sigma"]
        );
    }

    /// A level that moves by this share and this many sigma.
    fn moved(share: f64, z: f64) -> ChangeEvidence {
        ChangeEvidence {
            shift: share,
            relative: Some(share),
            z,
            degrees: 9.0,
            constant_before: None,
        }
    }

    #[test]
    fn changes_have_a_direction_and_a_size() {
        for (change, target, metric) in [
            (moved(0.5, 3.0), "rises 50%", "rose 50%, 3.0 sigma"),
            (moved(-0.5, 3.0), "falls 50%", "fell 50%, 3.0 sigma"),
            (moved(0.0, 1.0), "rises by less than 0.1%", "rose by less than 0.1%, 1.0 sigma"),
            (moved(0.02, 0.5), "stays level", "rose 2.0%, 0.5 sigma"),
            (
                moved(-0.05, 0.5),
                "falls 5.0%, within its usual variation (0.5 sigma),",
                "fell 5.0%, 0.5 sigma",
            ),
        ] {
            assert_eq!(does(&change), target);
            assert_eq!(changed(&change), metric);
        }
        let first = ChangeEvidence { constant_before: Some(7), ..moved(0.5, 3.0) };
        assert_eq!(does(&first), "changes for the first time");
        assert_eq!(changed(&first), "was constant for 7 rows and changes for the first time");
        let none = ChangeEvidence { relative: None, ..moved(-0.5, 0.5) };
        assert_eq!(does(&none), "stays level");
    }

    #[test]
    fn a_lead_has_a_side_and_an_interval() {
        let moved =
            |seconds: f64, low: f64, high: f64| super::moved(&Lead { seconds, low, high }, None);
        assert_eq!(moved(0.351, 0.301, 0.449), "moved 350 ms (300 ms to 450 ms) before the target");
        assert_eq!(moved(-2.0, -2.5, -1.5), "moved 2 s (1.5 s to 2.5 s) after the target");
        let with = "moved with the target (at most 50 ms before or 100 ms after it)";
        assert_eq!(moved(0.0, -0.1, 0.05), with);
    }

    #[test]
    fn what_rises_rises_by_more_than_it_varies() {
        assert!(rises(&moved(0.5, 1.0)));
        for other in [moved(0.5, 0.99), moved(0.0, 3.0), moved(-0.5, 3.0)] {
            assert!(!rises(&other), "{other:?}");
        }
        let first = ChangeEvidence { constant_before: Some(7), ..moved(0.5, 3.0) };
        assert!(!rises(&first));
    }
}
