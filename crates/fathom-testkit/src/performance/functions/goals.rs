//! The goals, and what was reached.

use super::super::figures::verdict;
use super::super::share::Share;
use super::super::trials::{Condition, Effect};
use super::judge::Judge;
use super::tables::{CLOSE, Found, close};
use super::tools::Tool;
use super::work::Size;
use crate::markdown::MarkdownTable;

/// At most this share of comparisons of one function with itself may find a difference.
const FALSE_POSITIVES: f64 = 0.05;
/// At least this share of intervals is to cover the true ratio.
const COVERAGE: f64 = 0.93;
/// At least this share of the times of the tiny function, quiet, should be close to the reference.
const CLOSE_ONES: f64 = 0.95;

/// At least this share of the smallest differences should be found.
fn to_be_found(condition: Condition) -> f64 {
    match condition {
        Condition::Quiet => 0.95,
        Condition::Noisy => 0.8,
    }
}

/// A row for each goal and condition; nothing if Fathom took no part.
pub(super) fn table(found: Found<'_>) -> Option<String> {
    if !found.tools.contains(&Tool::Fathom) {
        return None;
    }
    let mut table = MarkdownTable::new(["goal for fathom-bench", "", "reached", ""]);
    for size in Size::COMPARED {
        for condition in Condition::BOTH {
            let cell = found.cell(Judge::Fathom, size, condition);
            let one = cell.found(Effect::ONE);
            let goals = [
                (
                    format!("at most {} false positives", percent(FALSE_POSITIVES)),
                    cell.false_positives(),
                    few(cell.false_positives()),
                ),
                (
                    format!("+1% found in {} or more", percent(to_be_found(condition))),
                    one,
                    one.value() >= to_be_found(condition),
                ),
                (
                    format!("the interval covers in {} or more", percent(COVERAGE)),
                    cell.coverage(),
                    cell.coverage().value() >= COVERAGE,
                ),
            ];
            let place = format!("{}, {}", size.name(), condition.name());
            for (goal, share, is_met) in goals {
                let is_met = verdict(is_met).to_string();
                table.row([goal, place.clone(), share.in_words(), is_met]);
            }
        }
    }
    let (errors, _) = found.timings(Tool::Fathom, Condition::Quiet);
    let share = close(&errors);
    table.row([
        format!("within {} of the reference loop", percent(CLOSE)),
        format!("{}, {}", Size::Tiny.name(), Condition::Quiet.name()),
        share.in_words(),
        verdict(share.value() >= CLOSE_ONES).to_string(),
    ]);
    Some(format!(
        "The goals. False positives are few enough if Wilson's interval of their share reaches \
         below {}; the other shares count as they are; the time is close enough if it is close in \
         {} of the trials.\n\n\
         {}",
        percent(FALSE_POSITIVES),
        percent(CLOSE_ONES),
        table.render()
    ))
}

/// Whether the share may be as small as required. No trials at all are no evidence.
fn few(share: Share) -> bool {
    share.of > 0 && share.wilson().lower < FALSE_POSITIVES
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_false_positives_are_those_that_five_percent_explains() {
        let few = |hits| few(Share { hits, of: 30 });
        assert_eq!([0, 1, 3, 4, 30].map(few), [true, true, true, false, false]);
        assert!(!super::few(Share::default()));
    }
}
