//! The verdict of a comparison in words.

use crate::condition::how_sure;
use crate::layout::visible;
use crate::percent::percent;
use crate::percents::Percents;
use crate::quantiles_sentence::quantiles_sentence;
use crate::quantity::{Rounding, Scale};
use crate::shell_verdict::hidden_verdict;
use crate::statistic_sentence::statistic_sentence;
use fathom_analyze::Subject;
use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Design, GateOutcome, Layouts, Pairing, Verdict,
};
use fathom_record::Unit;
use fathom_stats::{Interval, RatioInterval};

/// How a metric is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity<'a> {
    /// Things are slower or faster.
    Time,
    /// Things are higher or lower in this.
    Other(&'a str),
}

impl<'a> Quantity<'a> {
    /// How the metric of a subject is described; without a subject it is time.
    #[must_use]
    pub fn of(subject: Option<&'a Subject>) -> Quantity<'a> {
        let Some(subject) = subject else { return Quantity::Time };
        match subject.series.metric() {
            _ if subject.series.is_wall_time() => Quantity::Time,
            Some(metric) => Quantity::Other(metric.strip_prefix("metric:").unwrap_or(metric)),
            None => Quantity::Other("value"),
        }
    }

    fn slower(self) -> String {
        match self {
            Quantity::Time => "slower".to_string(),
            Quantity::Other(name) => format!("higher in {name}"),
        }
    }
}

/// "./new is 1.2% slower than ./old (95% CI 0.8% to 1.6%)."
///
/// Where some blocks were set aside and all of them would give another answer, a second sentence
/// says so; and another where the code of a function is the same in both builds.
#[must_use]
pub fn sentence(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    if let Some(text) = hidden_verdict(comparison, quantity) {
        return text;
    }
    let mut text = match comparison.statistic {
        ComparedStatistic::Median => answer(comparison, quantity),
        ComparedStatistic::Quantiles => quantiles_sentence(comparison, quantity),
        _ => statistic_sentence(comparison, quantity),
    };
    for more in resting_on(comparison).into_iter().chain(of_unchanged_code(comparison)) {
        text.push(' ');
        text.push_str(&more);
    }
    text
}

/// That the code is the same, where the verdict could be read as one of the code.
fn of_unchanged_code(comparison: &Comparison) -> Option<String> {
    let layouts = match &comparison.builds {
        Some(builds) if comparison.is_code_unchanged() => &builds.layouts,
        _ => return None,
    };
    let rest = match (comparison.verdict, layouts) {
        (Verdict::Equivalent, _) => return None,
        (Verdict::Inconclusive, _) => "",
        (_, Layouts::One { .. }) => "; it may only have moved",
        // Many layouts are averaged, so that it moved explains nothing.
        (_, Layouts::Several { .. }) => ", so the cause is chance, its data or other load",
    };
    Some(format!("Its machine code is unchanged{rest}."))
}

fn answer(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    let subject = visible(&comparison.subject);
    let reference = visible(&comparison.reference);
    let Interval { lower, upper } = comparison.interval.ends();
    let words = Percents::of(comparison.ratio, comparison.interval);
    let sure = |ends: &str, has_both: bool| how_sure(comparison, ends, has_both);
    let signed = || sure(&words.signed_ends(), comparison.interval.is_finite());
    match comparison.verdict {
        Verdict::Slower | Verdict::Faster if is_large(comparison.interval) => {
            many_times(comparison, quantity, &subject, &reference)
        }
        Verdict::Slower => {
            let by = words.more(comparison.ratio, Rounding::Nearest);
            let least = words.more(lower, Rounding::Down);
            let ends = match upper.is_finite() {
                true => format!("{least} to {}", words.more(upper, Rounding::Up)),
                false => format!("at least {least}"),
            };
            let known = sure(&ends, upper.is_finite());
            format!("{subject} is {by} {} than {reference} ({known}).", quantity.slower())
        }
        Verdict::Faster => {
            let by = words.less(comparison.ratio, Rounding::Nearest);
            let least = words.less(upper, Rounding::Up);
            let ends = match lower.is_finite() {
                true => format!("{least} to {}", words.less(lower, Rounding::Down)),
                false => format!("at least {least}"),
            };
            let known = sure(&ends, lower.is_finite());
            match quantity {
                Quantity::Time => {
                    format!("{subject} is faster than {reference}: {by} less time ({known}).")
                }
                Quantity::Other(name) => {
                    format!("{subject} is {by} lower in {name} than {reference} ({known}).")
                }
            }
        }
        Verdict::Equivalent => {
            let what = match quantity {
                Quantity::Time => String::new(),
                Quantity::Other(name) => format!(" in {name}"),
            };
            let although = if comparison.is_measurable() {
                ", although a smaller difference is measurable"
            } else {
                ""
            };
            format!(
                "No difference{what} larger than {} between {reference} and {subject} \
                 ({}){although}.",
                percent(comparison.margin.get()),
                signed()
            )
        }
        // A gate that passed has its answer, although the verdict has none.
        Verdict::Inconclusive if passed_by_interval(comparison) => {
            format!(
                "{subject} is at most {} {} than {reference}, if at all ({}).",
                words.more(upper, Rounding::Up),
                quantity.slower(),
                signed()
            )
        }
        Verdict::Inconclusive if !lower.is_finite() || !upper.is_finite() => {
            let why = not_enough(comparison);
            format!("Inconclusive: {why}. {}", in_these(comparison, quantity, &subject, &reference))
        }
        Verdict::Inconclusive | Verdict::Mixed => {
            let change = |ratio: f64| match ratio < 1.0 {
                true => format!("{} less", words.less(ratio, Rounding::Down)),
                false => format!("{} more", words.more(ratio, Rounding::Up)),
            };
            let (kind, what) = match quantity {
                Quantity::Time => ("takes", "time"),
                Quantity::Other(name) => ("has", name),
            };
            let level = percent(comparison.confidence.get());
            format!(
                "Inconclusive: {subject} {kind} between {} and {} {what} than {reference} ({level} CI).",
                change(lower),
                change(upper),
            )
        }
    }
}

/// Whether all gates passed because of the interval, not because the code is unchanged.
pub(crate) fn passed_by_interval(comparison: &Comparison) -> bool {
    comparison.gated() == Some(GateOutcome::Passed)
        && comparison.interval.ends().upper.is_finite()
        && !comparison.gates.iter().any(|(gate, _)| comparison.is_excused(*gate))
}

/// "8 pairs are not enough data for a 95% CI".
pub(crate) fn not_enough(comparison: &Comparison) -> String {
    let level = percent(comparison.confidence.get());
    match &comparison.design {
        Design::Paired(paired) => {
            let are = if paired.pairs == 1 { "is" } else { "are" };
            let counted = counted_pairs(paired.pairs, paired.pairing);
            format!("{counted} {are} not enough data for a {level} CI")
        }
        Design::Unpaired { .. } => {
            format!("these samples are not enough data for a {level} CI")
        }
    }
}

/// "8 pairs", "1 pair of layouts".
pub(crate) fn counted_pairs(count: usize, pairing: Pairing) -> String {
    let what = pairs(pairing);
    match count {
        1 => format!("1 {}", what.replacen("pairs", "pair", 1)),
        count => format!("{count} {what}"),
    }
}

/// What stands side by side.
pub(crate) fn pairs(pairing: Pairing) -> &'static str {
    match pairing {
        Pairing::Runs | Pairing::SingleRuns => "pairs",
        Pairing::Batches => "pairs of batches",
        Pairing::Executions => "pairs of executions",
        Pairing::Layouts => "pairs of layouts",
    }
}

/// A verdict in a word or two.
fn short(verdict: Verdict, comparison: &Comparison) -> String {
    match verdict {
        Verdict::Faster => "\"faster\"".to_string(),
        Verdict::Slower => "\"slower\"".to_string(),
        Verdict::Equivalent => {
            format!("\"no difference larger than {}\"", percent(comparison.margin.get()))
        }
        Verdict::Inconclusive => "\"inconclusive\"".to_string(),
        Verdict::Mixed => "\"mixed\"".to_string(),
    }
}

/// That the answer rests on quiet blocks, where all of them would give another.
fn resting_on(comparison: &Comparison) -> Option<String> {
    let Design::Paired(paired) = &comparison.design else { return None };
    let other = comparison.verdict_of_all_blocks()?;
    Some(format!(
        "This is based on the {} of {} blocks without other load; with all blocks, the verdict would be \
         {}.",
        paired.used,
        paired.blocks,
        short(other, comparison)
    ))
}

/// What was observed, where nothing is known about the truth.
fn in_these(
    comparison: &Comparison,
    quantity: Quantity<'_>,
    subject: &str,
    reference: &str,
) -> String {
    let ratio = comparison.ratio;
    let (what, took, had) = match quantity {
        Quantity::Time => ("time", "took", "as long as"),
        Quantity::Other(name) => (name, "had", "as much as"),
    };
    let size = if (0.5..=2.0).contains(&ratio) {
        let (share, word) = if ratio < 1.0 { (1.0 - ratio, "less") } else { (ratio - 1.0, "more") };
        format!("{took} {:.1}% {word} {what} than", 100.0 * share)
    } else {
        format!("{took} {ratio:.3} times {had}")
    };
    format!("So far, {subject} {size} {reference}.")
}

/// Percentages are for small differences; ten times as fast is said as such.
pub(crate) fn is_large(interval: RatioInterval) -> bool {
    interval.lower() > 2.0 || interval.upper() < 0.5
}

fn many_times(
    comparison: &Comparison,
    quantity: Quantity<'_>,
    subject: &str,
    reference: &str,
) -> String {
    let Interval { lower, upper } = comparison.interval.ends();
    let is_less = upper < 1.0;
    let (ratio, ends) = if is_less {
        let most = if lower > 0.0 { 1.0 / lower } else { f64::INFINITY };
        (1.0 / comparison.ratio, Interval { lower: 1.0 / upper, upper: most })
    } else {
        (comparison.ratio, comparison.interval.ends())
    };
    let scale = Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(ends));
    let times = scale.number(ratio, Rounding::Nearest);
    let known = how_sure(comparison, &scale.ends(Some(ends), false), ends.is_finite());
    match (quantity, is_less) {
        (Quantity::Time, true) => {
            format!("{subject} is {times} times as fast as {reference} ({known}).")
        }
        (Quantity::Time, false) => {
            format!("{subject} takes {times} times as long as {reference} ({known}).")
        }
        (Quantity::Other(name), true) => format!(
            "{subject} is lower in {name} than {reference}, which is {times} times as high \
             ({known})."
        ),
        (Quantity::Other(name), false) => {
            format!("{subject} is {times} times as high in {name} as {reference} ({known}).")
        }
    }
}
