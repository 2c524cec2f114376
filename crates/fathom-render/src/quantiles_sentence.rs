//! The verdict about many quantiles: "b is slower than a only above p95: p99 +12% (95% CI +8% to +17%)."

use crate::condition::how_sure;
use crate::layout::visible;
use crate::percent::percent;
use crate::percents::Percents;
use crate::quantity::Rounding;
use crate::verdict_sentence::{Quantity, not_enough};
use fathom_analyze::compare::{Comparison, QuantileRatio, Verdict, percentile};
use fathom_stats::{Interval, RatioInterval};

/// Neighbouring quantiles with the same answer.
struct Stretch<'a> {
    verdict: Verdict,
    quantiles: &'a [QuantileRatio],
    /// The quantile before it, and whether there is one behind it.
    before: Option<&'a QuantileRatio>,
    is_last: bool,
}

impl Stretch<'_> {
    /// "up to p90", "above p95", "from p25 to p75", "at p99".
    fn place(&self) -> String {
        let name = |one: &QuantileRatio| percentile(one.p);
        match (self.quantiles, self.before) {
            ([_, .., last], None) if !self.is_last => format!("up to {}", name(last)),
            ([_, ..], Some(before)) if self.is_last => format!("above {}", name(before)),
            ([only], _) => format!("at {}", name(only)),
            ([first, .., last], _) => format!("from {} to {}", name(first), name(last)),
            ([], _) => String::new(),
        }
    }

    /// The quantile that surely differs most.
    fn example(&self) -> Option<&QuantileRatio> {
        self.quantiles
            .iter()
            .max_by(|one, other| one.least_difference().total_cmp(&other.least_difference()))
    }
}

fn stretches(quantiles: &[QuantileRatio]) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut start = 0_usize;
    for part in quantiles.chunk_by(|one, next| one.verdict == next.verdict) {
        let Some(first) = part.first() else { continue };
        found.push(Stretch {
            verdict: first.verdict,
            quantiles: part,
            before: start.checked_sub(1).and_then(|before| quantiles.get(before)),
            is_last: start + part.len() == quantiles.len(),
        });
        start += part.len();
    }
    found
}

/// The answer in words.
pub(crate) fn quantiles_sentence(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    let [subject, reference] = [visible(&comparison.subject), visible(&comparison.reference)];
    let quantiles = comparison.quantiles.as_slice();
    let is_known = |one: &QuantileRatio| one.interval != RatioInterval::EVERYTHING;
    let ends = quantiles.first().zip(quantiles.last());
    let Some((first, last)) = ends.filter(|_| quantiles.iter().any(is_known)) else {
        return format!("Inconclusive: {} of any quantile.", not_enough(comparison));
    };
    let found = stretches(quantiles);
    let of = |verdict: Verdict| found.iter().filter(move |one| one.verdict == verdict);
    let places = |verdict: Verdict| {
        let places: Vec<String> = of(verdict).map(Stretch::place).collect();
        listed(&places)
    };
    let margin = percent(comparison.margin.get());
    let no_difference = || {
        let within = quantiles.iter().filter(|one| one.verdict == Verdict::Equivalent);
        let hull = within.map(|one| one.interval).reduce(hull);
        let ends = hull.map(|hull| Percents::of(1.0, hull).signed_ends()).unwrap_or_default();
        how_sure(comparison, &ends, true)
    };
    let differing: Vec<&Stretch<'_>> =
        found.iter().filter(|one| is_difference(one.verdict)).collect();
    let has = |verdict: Verdict| of(verdict).next().is_some();
    let (is_open, is_partly_same) = (has(Verdict::Inconclusive), has(Verdict::Equivalent));
    if differing.is_empty() {
        let what = match quantity {
            Quantity::Time => String::new(),
            Quantity::Other(name) => format!(" in {name}"),
        };
        let between = format!("between {reference} and {subject}{what}");
        return match (is_partly_same, is_open) {
            (true, false) => format!(
                "No difference larger than {margin} {between} at any quantile from {} to {} ({}).",
                percentile(first.p),
                percentile(last.p),
                no_difference()
            ),
            (true, true) => format!(
                "No difference larger than {margin} {between} {} ({}); inconclusive {}.",
                places(Verdict::Equivalent),
                no_difference(),
                places(Verdict::Inconclusive)
            ),
            _ => format!(
                "Inconclusive: {between}, no quantile from {} to {} shows a difference, and none is \
                 known to be within {margin}.",
                percentile(first.p),
                percentile(last.p)
            ),
        };
    }
    let is_everywhere = differing.len() == 1
        && differing[0].quantiles.len() == quantiles.len()
        && quantiles.len() > 1;
    let is_only = is_partly_same && !is_open && differing.len() == 1;
    let only = if is_only { "only " } else { "" };
    let kinds: Vec<String> = [Verdict::Faster, Verdict::Slower]
        .into_iter()
        .filter(|verdict| has(*verdict))
        .map(|verdict| {
            let place = match is_everywhere {
                true => {
                    let ends = [first, last].map(|one| percentile(one.p));
                    format!("at every quantile from {} to {}", ends[0], ends[1])
                }
                false => format!("{only}{}", places(verdict)),
            };
            (word(verdict, quantity), place)
        })
        .enumerate()
        .map(|(number, (word, place))| match number {
            0 => format!("{word} than {reference} {place}"),
            _ => format!("{word} {place}"),
        })
        .collect();
    let examples: Vec<String> = differing
        .iter()
        .filter_map(|one| one.example())
        .map(|one| {
            let words = Percents::of(one.ratio, one.interval);
            let by = words.signed(one.ratio, Rounding::Nearest);
            let known = how_sure(comparison, &words.signed_ends(), one.interval.is_finite());
            format!("{} {by} ({known})", percentile(one.p))
        })
        .collect();
    let mut text = format!("{subject} is {}: {}", kinds.join(" and "), examples.join(", "));
    if is_open {
        text.push_str(&format!("; inconclusive {}", places(Verdict::Inconclusive)));
        if is_partly_same {
            let places = places(Verdict::Equivalent);
            text.push_str(&format!("; no difference larger than {margin} {places}"));
        }
    }
    text + "."
}

fn is_difference(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Slower | Verdict::Faster)
}

/// "slower", "lower in peak-memory".
fn word(verdict: Verdict, quantity: Quantity<'_>) -> String {
    match (quantity, verdict == Verdict::Slower) {
        (Quantity::Time, true) => "slower".to_string(),
        (Quantity::Time, false) => "faster".to_string(),
        (Quantity::Other(name), true) => format!("higher in {name}"),
        (Quantity::Other(name), false) => format!("lower in {name}"),
    }
}

fn hull(one: RatioInterval, other: RatioInterval) -> RatioInterval {
    let Interval { lower, upper } = one.ends();
    let ends = other.ends();
    RatioInterval::new(lower.min(ends.lower), upper.max(ends.upper))
}

pub(crate) fn listed(places: &[String]) -> String {
    match places {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
