//! The verdict about a statistic of runs other than the typical ratio: "The p99 of b is 12% longer than
//! that of a (95% CI 8% to 17%)."

use crate::condition::how_sure;
use crate::layout::visible;
use crate::percent::percent;
use crate::percents::Percents;
use crate::quantity::{Rounding, Scale};
use crate::verdict_sentence::{Quantity, is_large, not_enough, passed_by_interval};
use fathom_analyze::compare::{ComparedStatistic, Comparison, Verdict, percentile};
use fathom_record::Unit;
use fathom_stats::Interval;

/// What is compared, as sentences call it: "p99", "mean", "minimum".
pub(crate) fn named(statistic: ComparedStatistic) -> String {
    match statistic {
        ComparedStatistic::Median => "median".to_string(),
        ComparedStatistic::Quantile(p) => percentile(p),
        ComparedStatistic::Mean => "mean".to_string(),
        ComparedStatistic::Minimum => "minimum".to_string(),
        ComparedStatistic::Quantiles => "quantiles".to_string(),
    }
}

/// "longer" and "shorter", or "higher" and "lower".
pub(crate) fn more_and_less(quantity: Quantity<'_>) -> [&'static str; 2] {
    match quantity {
        Quantity::Time => ["longer", "shorter"],
        Quantity::Other(_) => ["higher", "lower"],
    }
}

/// The answer in words.
pub(crate) fn statistic_sentence(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    let statistic = named(comparison.statistic);
    let [subject, reference] = [visible(&comparison.subject), visible(&comparison.reference)];
    let what = match quantity {
        Quantity::Time => String::new(),
        Quantity::Other(name) => format!(" in {name}"),
    };
    let [more, less] = more_and_less(quantity);
    let whose = format!("the {statistic} of {subject}{what}");
    let than = format!("that of {reference}");
    let Interval { lower, upper } = comparison.interval.ends();
    let words = Percents::of(comparison.ratio, comparison.interval);
    let sure = |ends: &str, has_both: bool| how_sure(comparison, ends, has_both);
    let signed = || sure(&words.signed_ends(), comparison.interval.is_finite());
    let sentence = match comparison.verdict {
        Verdict::Slower | Verdict::Faster if is_large(comparison.interval) => {
            many_times(comparison, &statistic, [&subject, &reference], &what)
        }
        Verdict::Slower => {
            let by = words.more(comparison.ratio, Rounding::Nearest);
            let least = words.more(lower, Rounding::Down);
            let ends = match upper.is_finite() {
                true => format!("{least} to {}", words.more(upper, Rounding::Up)),
                false => format!("at least {least}"),
            };
            format!("{whose} is {by} {more} than {than} ({}).", sure(&ends, upper.is_finite()))
        }
        Verdict::Faster => {
            let by = words.less(comparison.ratio, Rounding::Nearest);
            let least = words.less(upper, Rounding::Up);
            let ends = match lower.is_finite() {
                true => format!("{least} to {}", words.less(lower, Rounding::Down)),
                false => format!("at least {least}"),
            };
            format!("{whose} is {by} {less} than {than} ({}).", sure(&ends, lower.is_finite()))
        }
        Verdict::Equivalent => {
            let although = match comparison.is_measurable() {
                true => ", although a smaller difference is measurable",
                false => "",
            };
            let margin = percent(comparison.margin.get());
            format!(
                "no difference larger than {margin} between the {statistic} of {reference} and that \
                 of {subject}{what} ({}){although}.",
                signed()
            )
        }
        // A gate that passed has its answer, although the verdict has none.
        Verdict::Inconclusive if passed_by_interval(comparison) => format!(
            "{whose} is at most {} {more} than {than}, if at all ({}).",
            words.more(upper, Rounding::Up),
            signed()
        ),
        Verdict::Inconclusive if !comparison.interval.is_finite() => {
            let so_far = so_far(comparison.ratio, &whose, &than, [more, less]);
            let not_enough = not_enough(comparison);
            format!("Inconclusive: {not_enough} of the {statistic}. {so_far}")
        }
        Verdict::Inconclusive | Verdict::Mixed => {
            let change = |ratio: f64| match ratio < 1.0 {
                true => format!("{} {less}", words.less(ratio, Rounding::Down)),
                false => format!("{} {more}", words.more(ratio, Rounding::Up)),
            };
            let level = percent(comparison.confidence.get());
            format!(
                "Inconclusive: {whose} is between {} and {} than {than} ({level} CI).",
                change(lower),
                change(upper)
            )
        }
    };
    capitalized(&sentence)
}

/// What was observed, where nothing is known about the truth.
fn so_far(ratio: f64, whose: &str, than: &str, [more, less]: [&str; 2]) -> String {
    match ratio {
        ratio if !(0.5..=2.0).contains(&ratio) => {
            format!("So far, {whose} is {ratio:.3} times {than}.")
        }
        ratio if ratio < 1.0 => {
            format!("So far, {whose} is {:.1}% {less} than {than}.", 100.0 * (1.0 - ratio))
        }
        ratio => format!("So far, {whose} is {:.1}% {more} than {than}.", 100.0 * (ratio - 1.0)),
    }
}

/// "The p99 of b is 3.1 times that of a (95% CI 2.5 to 3.6)."
fn many_times(
    comparison: &Comparison,
    statistic: &str,
    [subject, reference]: [&str; 2],
    what: &str,
) -> String {
    let Interval { lower, upper } = comparison.interval.ends();
    let is_less = upper < 1.0;
    let (ratio, ends) = if is_less {
        let most = if lower > 0.0 { 1.0 / lower } else { f64::INFINITY };
        (1.0 / comparison.ratio, Interval { lower: 1.0 / upper, upper: most })
    } else {
        (comparison.ratio, comparison.interval.ends())
    };
    let [larger, smaller] = if is_less { [reference, subject] } else { [subject, reference] };
    let scale = Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(ends));
    let times = scale.number(ratio, Rounding::Nearest);
    let known = how_sure(comparison, &scale.ends(Some(ends), false), ends.is_finite());
    format!("the {statistic} of {larger}{what} is {times} times that of {smaller} ({known}).")
}

/// With a capital at its beginning.
fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
