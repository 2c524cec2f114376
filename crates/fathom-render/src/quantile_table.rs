//! Many quantiles of two subjects, a line each, over one axis of ratios.

use crate::layout::{FAINT, Side, columns, padded, shortened, styled, visible, widths};
use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use crate::ratio::{RatioAxis, ratio_ends, ratio_text};
use crate::short_names::shortened_apart;
use crate::statistic_sentence::more_and_less;
use crate::verdict_sentence::Quantity;
use fathom_analyze::compare::{Comparison, Verdict, percentile};
use fathom_record::{TimeUnit, Unit};

/// Names are not cut to fewer columns than this.
const SHORTEST: usize = 8;
/// Nor shown in more.
const LONGEST: usize = 16;
/// An axis in fewer columns shows nothing.
const NARROWEST: usize = 13;
const WIDEST: usize = 36;

/// The table, in `width` columns; empty unless many quantiles are compared.
#[must_use]
pub fn quantile_table(
    comparison: &Comparison,
    unit: &Unit,
    quantity: Quantity<'_>,
    time_unit: Option<TimeUnit>,
    width: usize,
) -> String {
    let quantiles = comparison.quantiles.as_slice();
    if quantiles.is_empty() {
        return String::new();
    }
    let values: Vec<f64> = quantiles.iter().flat_map(|one| one.sides).collect();
    let column = Scale::for_column(unit, &values, time_unit);
    let level = percent(comparison.confidence.get());
    let names = [&comparison.reference, &comparison.subject].map(|name| visible(name));
    let names = shortened_apart(&names, LONGEST);
    let names = names.iter().map(|name| shortened(name, LONGEST.max(SHORTEST)));
    let mut names = names.collect::<Vec<_>>().into_iter();
    let mut name = || names.next().unwrap_or_default();
    let mut rows = vec![[
        String::new(),
        name(),
        name(),
        "ratio".to_string(),
        format!("{level} CI, all together"),
        String::new(),
    ]];
    for one in quantiles {
        let value = |value: f64| column.with_unit(value, Rounding::Nearest);
        rows.push([
            percentile(one.p),
            value(one.sides[0]),
            value(one.sides[1]),
            ratio_text(one.ratio, one.interval),
            ratio_ends(one.ratio, one.interval),
            word(one.verdict, quantity).to_string(),
        ]);
    }
    let wide = widths(&rows);
    let used = 2 + wide.iter().map(|column| column + 2).sum::<usize>();
    let room = width.saturating_sub(used).min(WIDEST);
    let axis =
        RatioAxis::of(quantiles.iter().map(|one| one.interval), room).filter(|_| room >= NARROWEST);
    const SIDES: [Side; 6] =
        [Side::Left, Side::Right, Side::Right, Side::Right, Side::Left, Side::Left];
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(wide).zip(SIDES);
        let cells: Vec<String> =
            cells.map(|((cell, width), side)| padded(cell, width, side)).collect();
        let line = format!("  {}", cells.join("  "));
        let picture = place.checked_sub(1).and_then(|place| quantiles.get(place)).zip(axis);
        let picture = picture.map(|(one, axis)| axis.line(one.ratio, one.interval));
        let line = match (place, picture) {
            (0, _) => styled(line.trim_end(), FAINT),
            (_, Some(picture)) => format!("{line}  {picture}").trim_end().to_string(),
            (_, None) => line.trim_end().to_string(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    if let Some(axis) = axis {
        let indent = " ".repeat(used.max(columns("")));
        text.push_str(&styled(&format!("{indent}{}", axis.legend()), FAINT));
        text.push('\n');
    }
    text
}

/// A verdict in a cell.
pub(crate) fn word(verdict: Verdict, quantity: Quantity<'_>) -> &'static str {
    let [more, less] = more_and_less(quantity);
    match verdict {
        Verdict::Slower => more,
        Verdict::Faster => less,
        Verdict::Equivalent => "same",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Mixed => "mixed",
    }
}
