//! Estimates of one statistic by several methods, a line each, to see what a method costs.

use crate::layout::{FAINT, Side, columns, padded, shortened, styled, widths};
use crate::percent::percent;
use crate::picture::{Axis, whisker};
use crate::quantity::{Rounding, Scale};
use crate::view::View;
use fathom_analyze::{Estimate, IntervalOutcome, Subject};

/// A picture in fewer columns shows nothing.
const NARROWEST: usize = 13;
const WIDEST: usize = 36;

/// The table of every statistic that was estimated by several methods; empty if none was.
pub(crate) fn methods_table(subject: &Subject, view: &View, width: usize) -> String {
    let mut text = String::new();
    for first in firsts(&subject.estimates) {
        let alike: Vec<&Estimate> =
            subject.estimates.iter().filter(|one| one.statistic == first.statistic).collect();
        if alike.len() > 1 {
            text.push('\n');
            text.push_str(&of_statistic(&alike, subject, view, width));
        }
    }
    text
}

/// The first estimate of each statistic, which is what sentences are about.
pub(crate) fn firsts(estimates: &[Estimate]) -> impl Iterator<Item = &Estimate> {
    estimates.iter().enumerate().filter_map(move |(place, one)| {
        let is_first = |other: &Estimate| other.statistic == one.statistic;
        (estimates.iter().position(is_first) == Some(place)).then_some(one)
    })
}

fn of_statistic(alike: &[&Estimate], subject: &Subject, view: &View, width: usize) -> String {
    let ends = alike.iter().filter_map(|one| one.interval());
    let ends: Vec<f64> =
        ends.flat_map(|ends| [ends.lower, ends.upper]).filter(|end| end.is_finite()).collect();
    let confidence = alike.first().map_or(0.0, |one| one.confidence.get());
    let mut rows = vec![[
        alike.first().map_or_else(String::new, |one| one.statistic.to_string()),
        "value".to_string(),
        format!("{} CI", percent(confidence)),
        "covers".to_string(),
        String::new(),
    ]];
    for one in alike {
        let scale = Scale::new(subject.series.unit(), one.value, view.time_unit)
            .for_interval(one.value, one.interval());
        let coverage = match &one.outcome {
            IntervalOutcome::Interval { coverage: Some(coverage), .. } => {
                percent((coverage * 1e3).floor() / 1e3)
            }
            IntervalOutcome::Interval { coverage: None, .. } => String::new(),
            IntervalOutcome::Declined { .. } => String::new(),
        };
        rows.push([
            one.method.name().to_string(),
            scale.with_unit(one.value, Rounding::Nearest),
            scale.ends(one.interval(), true),
            coverage,
            String::new(),
        ]);
    }
    let wide = widths(&rows);
    let used = 2 + wide.iter().map(|column| column + 2).sum::<usize>();
    let room = width.saturating_sub(used).min(WIDEST);
    let mut sorted: Vec<f64> = alike.iter().map(|one| one.value).chain(ends).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let axis = Axis::of(&sorted, room).filter(|_| room >= NARROWEST);
    const SIDES: [Side; 5] = [Side::Left, Side::Right, Side::Right, Side::Right, Side::Left];
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(wide).zip(SIDES);
        let cells: Vec<String> =
            cells.map(|((cell, width), side)| padded(cell, width, side)).collect();
        let line = format!("  {}", cells.join("  "));
        let picture = place.checked_sub(1).and_then(|place| alike.get(place)).zip(axis);
        let picture = picture.map(|(one, axis)| whisker(one.value, one.interval(), axis));
        let line = match (place, picture) {
            (0, _) => styled(line.trim_end(), FAINT),
            (_, Some(picture)) => format!("{line}  {picture}").trim_end().to_string(),
            (_, None) => line.trim_end().to_string(),
        };
        text.push_str(&if columns(&line) > width && place > 0 {
            shortened(&line, width)
        } else {
            line
        });
        text.push('\n');
    }
    text
}
