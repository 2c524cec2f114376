//! How a time grows with the size of the input: in words, and as a line over the sizes.

use crate::layout::visible;
use crate::percent::percent;
use crate::plot::Plot;
use crate::quantity::{Rounding, Scale, quick};
use fathom_analyze::{Growth, GrowthPoint};
use fathom_record::Unit;
use fathom_stats::Interval;
use fathom_stats::growth::{
    FEWEST_SIZES, GrowthCandidate, GrowthError, GrowthExponent, GrowthFit, GrowthLaw, LinearRate,
};

/// What the times say of growth, as a sentence, and the rate where they may grow like n.
#[must_use]
pub fn sentence(growth: &Growth) -> String {
    let law = sentence_of_law(growth);
    match growth.found.as_ref().ok().and_then(|found| rate(growth, found)) {
        Some(rate) => format!("{law} {rate}"),
        None => law,
    }
}

/// "It does 1.024 G n/s (95% CI 1.021 to 1.028), after 12.3 ns of set-up."
fn rate(growth: &Growth, found: &GrowthFit) -> Option<String> {
    let rate = found.rate.as_ref()?;
    let unit = Unit::Other("n/s".to_string());
    let scale =
        Scale::prefixed(&unit, rate.rate, None).for_interval(rate.rate, Some(rate.rate_interval));
    let does = if found.possible().count() > 1 { "If it grows like n, it does" } else { "It does" };
    let average = if rate.is_straight { "" } else { " on average" };
    let value = scale.with_unit(rate.rate, Rounding::Nearest);
    let ends = scale.ends(Some(rate.rate_interval), false);
    let confidence = percent(growth.confidence.get());
    let known = match rate.rate_interval.is_finite() {
        true => format!("{confidence} CI {ends}"),
        false => format!("{ends} with {confidence} confidence"),
    };
    Some(format!("{does} {value}{average} ({known}){}.", after(rate)))
}

/// ", after 12.3 ns of set-up"; of a fixed cost that may be zero the most it can be.
fn after(rate: &LinearRate) -> String {
    let Interval { lower, upper } = rate.setup_interval;
    let scale = |typical: f64| {
        Scale::new(&Unit::SECONDS, typical, None)
            .for_interval(rate.setup, Some(rate.setup_interval))
    };
    if lower > 0.0 {
        let setup = scale(rate.setup).with_unit(rate.setup, Rounding::Nearest);
        format!(", after {setup} of set-up")
    } else if upper > 0.0 {
        format!(", after at most {} of set-up", scale(upper).with_unit(upper, Rounding::Up))
    } else {
        String::new()
    }
}

fn sentence_of_law(growth: &Growth) -> String {
    let name = visible(&growth.name);
    let found = match &growth.found {
        Ok(found) => found,
        Err(GrowthError::TooFewSizes { sizes }) if growth.sizes() > *sizes => {
            return format!(
                "{name}: its growth cannot be judged. It needs {FEWEST_SIZES} sizes with an \
                 interval, and {sizes} of {} have one. Measure longer.",
                growth.sizes()
            );
        }
        Err(error) => return format!("{name}: {error}."),
    };
    let confidence = percent(growth.confidence.get());
    let laws: Vec<GrowthLaw> = found.possible().map(|one| one.law).collect();
    let exponent = exponent_text(&found.exponent, &confidence);
    match laws.as_slice() {
        [] => none_fits(&name, found),
        [GrowthLaw::Constant] => {
            format!("{name} takes constant time ({confidence} confidence; {exponent}).")
        }
        [law] => {
            format!("{name} grows like {} ({confidence} confidence; {exponent}).", law.symbol())
        }
        laws => {
            let sizes: Vec<f64> = growth.used().map(|one| one.size).collect();
            let ends = [sizes.first(), sizes.last()]
                .map(|end| end.map_or(String::new(), |end| size_text(*end)));
            let advice = match found.size_to_tell {
                Some(size) => format!("Measure larger sizes, up to about {}", size_text(size)),
                None => "Measure a wider range of sizes".to_string(),
            };
            format!(
                "{name} {}: sizes {} to {} cannot tell {} apart ({confidence} confidence; \
                 {exponent}). {advice}.",
                one_of(laws),
                ends[0],
                ends[1],
                if laws.len() == 2 { "the two" } else { "them" },
            )
        }
    }
}

/// "grows like n or n log n", "is constant or grows like log n".
fn one_of(laws: &[GrowthLaw]) -> String {
    let growing: Vec<&str> =
        laws.iter().filter(|law| **law != GrowthLaw::Constant).map(|law| law.symbol()).collect();
    let listed = match growing.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        one => one.concat(),
    };
    let constant = if growing.len() < laws.len() { "is constant or " } else { "" };
    format!("{constant}grows like {listed}")
}

fn none_fits(name: &str, found: &GrowthFit) -> String {
    let [first, last] = [&found.first_exponent, &found.exponent];
    let all: Vec<&str> = GrowthLaw::ALL.iter().map(|law| law.symbol()).collect();
    let ends = [first, last].map(|one| {
        format!(
            "{} ({} to {})",
            exponent_number(one.value, one),
            size_text(one.from),
            size_text(one.to)
        )
    });
    let course = if last.interval.lower > first.interval.upper {
        format!(
            "rises from {} to {}; caches that overflow or a fixed cost can cause this",
            ends[0], ends[1]
        )
    } else if last.interval.upper < first.interval.lower {
        format!("falls from {} to {}", ends[0], ends[1])
    } else {
        format!("is {} and {}", ends[0], ends[1])
    };
    format!("None of the laws {} fits {name}: its exponent {course}.", all.join(", "))
}

/// "exponent from 1000 to 10000: 1.08, 95% CI 1.05 to 1.11".
fn exponent_text(exponent: &GrowthExponent, confidence: &str) -> String {
    let number = |value: f64| exponent_number(value, exponent);
    format!(
        "exponent from {} to {}: {}, {confidence} CI {} to {}",
        size_text(exponent.from),
        size_text(exponent.to),
        number(exponent.value),
        number(exponent.interval.lower),
        number(exponent.interval.upper),
    )
}

fn exponent_number(value: f64, exponent: &GrowthExponent) -> String {
    // Nobody needs the fourth digit of an exponent.
    let decimals = if exponent.interval.width() < 0.01 { 3 } else { 2 };
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|c| "-0.".contains(c));
    if is_zero { text.trim_start_matches('-').to_string() } else { text }
}

/// "1000", "0.5", "1e21".
#[must_use]
pub fn size_text(size: f64) -> String {
    if size.abs() >= 1e15 { format!("{size:e}") } else { size.to_string() }
}

/// How many sizes were left out, if any were.
#[must_use]
pub fn left_out(growth: &Growth) -> Option<String> {
    let count = growth.points.len() - growth.used().count();
    (count > 0).then(|| {
        format!(
            "{count} of {} sizes cannot be used: below 1, optimized away, or without an interval",
            growth.points.len()
        )
    })
}

/// Which sizes were left out, and what each law would need.
#[must_use]
pub fn notes(growth: &Growth) -> Vec<String> {
    let mut notes: Vec<String> = left_out(growth).into_iter().collect();
    let Ok(found) = &growth.found else { return notes };
    notes.extend(found.candidates.iter().map(|one| {
        let outcome = if one.is_possible { "possible" } else { "rejected" };
        format!(
            "{} ({outcome}): the cost per unit rises by a factor of {} and falls by {}",
            one.law.symbol(),
            factor_text(one.rise),
            factor_text(one.fall)
        )
    }));
    notes
}

/// "up to 1.73", "up to 62", "more than 1000": the factors of 2ⁿ have hundreds of digits.
fn factor_text(factor: f64) -> String {
    const MANY: f64 = 1000.0;
    if factor < 10.0 {
        format!("up to {factor:.2}")
    } else if factor <= MANY {
        format!("up to {factor:.0}")
    } else {
        format!("more than {MANY}")
    }
}

/// The possible law that is nearest to the times.
#[must_use]
pub fn nearest_law(found: &GrowthFit) -> Option<&GrowthCandidate> {
    let off = |one: &GrowthCandidate| one.rise * one.fall;
    found.possible().min_by(|one, other| off(one).total_cmp(&off(other)))
}

/// A line over the sizes, both axes logarithmic: `●` the medians, `·` the nearest possible law, or the
/// line from median to median. Empty where nothing can be drawn.
#[must_use]
pub fn plot(growth: &Growth, width: usize) -> Vec<String> {
    let points: Vec<&GrowthPoint> = growth.used().collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let times = points.iter().map(|one| one.time);
    let (shortest, longest) =
        times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(t), high.max(t)));
    let [low, high] = [shortest, longest].map(f64::ln);
    let [left, right] = [first.size.ln(), last.size.ln()];
    if right <= left {
        return Vec::new();
    }
    let span = if high > low { high - low } else { 1.0 };
    let height_of = |log_time: f64| (log_time - low) / span;
    let law =
        growth.found.as_ref().ok().and_then(|found| Some((nearest_law(found)?, found.largest)));
    let curve = |share: f64| {
        let log_size = left + (right - left) * share;
        let log_time = match law {
            Some((law, largest)) => Some(law.at(log_size.exp(), largest).ln()),
            None => between(&points, log_size),
        };
        log_time.map(height_of)
    };
    let marks: Vec<(f64, f64)> = points
        .iter()
        .map(|one| ((one.size.ln() - left) / (right - left), height_of(one.time.ln())))
        .collect();
    Plot {
        heights: [longest, shortest].map(|end| quick(end, &Unit::SECONDS)),
        widths: [first, last].map(|end| size_text(end.size)),
    }
    .lines(&curve, &marks, width)
}

/// The line from median to median.
fn between(points: &[&GrowthPoint], log_size: f64) -> Option<f64> {
    let pair = points.windows(2).find(|pair| log_size <= pair[1].size.ln() + 1e-9)?;
    let [one, other] = pair else { return None };
    let [from, to] = [one.size.ln(), other.size.ln()];
    let share = if to > from { ((log_size - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
    Some(one.time.ln() + share * (other.time.ln() - one.time.ln()))
}
