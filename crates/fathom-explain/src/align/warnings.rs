//! What makes an alignment doubtful, in words.

use super::phrase::{about, quoted, seconds};
use super::quality::{Costs, Fit, Quality};
use super::track::Track;
use super::uncertainty::Uncertainty;
use super::warped::{Warped, mean_and_deviation};
use fathom_dtw::{MatchedStretch, WhichSeries};
use fathom_record::Timestamp;

/// What is known of one run.
pub(super) struct RunAlignment<'a> {
    pub(super) warped: &'a Warped,
    pub(super) costs: &'a Costs,
    pub(super) uncertainty: &'a Uncertainty,
    /// The longest of them.
    pub(super) stretch: Option<&'a MatchedStretch>,
}

/// The warnings of a run that was aligned with the reference.
pub(super) fn of_run(
    found: &RunAlignment<'_>,
    quality: &Quality,
    common: &str,
    windows: &[(Timestamp, Timestamp)],
) -> Vec<String> {
    let mut warnings = Vec::new();
    let (uncertainty, common) = (found.uncertainty, quoted(common));
    let remedy = format!("try --penalty {}", rounded(uncertainty.penalty));
    if found.costs.whole.deviation <= 0.0 {
        warnings.push(format!(
            "{common} never changes, here or in the reference, so it cannot align the runs; choose \
             another metric with --common"
        ));
    } else if uncertainty.is_window_elsewhere {
        warnings.push(format!(
            "a slightly stiffer alignment moves the window: {}{common} may match another repetition \
             of the same pattern (global incorrectness); {remedy}",
            stretch_words(found)
        ));
    } else if let Some(samples) = &uncertainty.elsewhere {
        let time =
            |n: usize| found.warped.x.edges().get(n).copied().map_or_else(String::new, seconds);
        warnings.push(format!(
            "from {} to {} of the reference, {common} may match another repetition of the same \
             pattern (global incorrectness): {}a slightly stiffer alignment does not; {remedy}",
            time(*samples.start()),
            time(*samples.end() + 1),
            stretch_words(found)
        ));
    }
    if uncertainty.are_ends_uncertain && !uncertainty.is_window_elsewhere {
        warnings.push(format!(
            "the ends of the window may be off by {}: {common} changes too little around them to \
             match moments (local incorrectness); choose window ends where {common} changes, or \
             {remedy}",
            about(uncertainty.ends)
        ));
    }
    if quality.fit == Fit::Poor
        && found.costs.whole.deviation > 0.0
        && !uncertainty.is_window_elsewhere
    {
        warnings.push(poor(found.costs, &common));
    }
    warnings.extend(lengths(found.warped, &common));
    let (first, last) = found.warped.x.span();
    if windows.iter().any(|window| window.1 <= first || window.0 >= last) {
        warnings.push(format!(
            "{common} has no values in the reference's window, so the window is mapped by time alone"
        ));
    }
    warnings
}

fn poor(costs: &Costs, common: &str) -> String {
    let share = |share: f64| format!("{:.0}%", share * 100.0);
    let relative = costs.whole.relative().unwrap_or_default();
    let in_window = costs.relative_in_window().unwrap_or(relative);
    match costs.whole.against_chance {
        Some(chance) if chance > 0.8 => format!(
            "after alignment, {common} still differs by {} of its standard deviation, {} of what \
             shuffled samples would give: the runs may not have done the same work",
            share(relative),
            share(chance)
        ),
        _ => format!(
            "after alignment, {common} still differs by {} of its standard deviation, and by {} \
             within the window: the runs may not have done the same work there",
            share(relative),
            share(in_window)
        ),
    }
}

/// Runs of very different lengths.
fn lengths(warped: &Warped, common: &str) -> Option<String> {
    let length = |track: &Track| track.span().1 - track.span().0;
    let (here, there) = (length(&warped.x), length(&warped.y));
    let word = if there.times(2) < here {
        "less than half"
    } else if there > here.times(2) {
        "more than twice"
    } else {
        return None;
    };
    Some(format!(
        "the run is {word} as long as the reference ({common} lasts {}, there {}): it may have \
         stopped early or done other work",
        about(there),
        about(here)
    ))
}

/// Of the reference: windows in which the common metric tells nothing.
pub(super) fn of_reference(
    track: &Track,
    windows: &[(Timestamp, Timestamp)],
    common: &str,
) -> Vec<String> {
    let whole = mean_and_deviation(track.values()).1;
    let mut warnings = Vec::new();
    for &(start, end) in windows {
        let Some(samples) = track.overlapped(start, end) else { continue };
        let values = track.values().get(samples).unwrap_or_default();
        let inside = mean_and_deviation(values).1;
        if values.len() < 3 || inside <= 0.1 * whole {
            let what = if values.len() < 3 {
                format!("has only {} in", super::phrase::counted(values.len(), "sample"))
            } else if inside <= 0.0 {
                "never changes in".to_string()
            } else {
                "hardly changes in".to_string()
            };
            warnings.push(format!(
                "{} {what} the window from {} to {}, so only the window's ends align other runs \
                 with it",
                quoted(common),
                seconds(start),
                seconds(end)
            ));
        }
    }
    warnings
}

fn stretch_words(found: &RunAlignment<'_>) -> String {
    let Some(stretch) = found.stretch else { return String::new() };
    let (many, one, whose, other) = match stretch.single {
        WhichSeries::X => (&found.warped.y, &found.warped.x, "this run", "the reference"),
        WhichSeries::Y => (&found.warped.x, &found.warped.y, "the reference", "this run"),
    };
    let time =
        |track: &Track, n: usize| track.edges().get(n).copied().map_or_else(String::new, seconds);
    format!(
        "{} samples of {whose} from {} to {} match a single sample of {other} at {}; ",
        stretch.len(),
        time(many, *stretch.matched.start()),
        time(many, *stretch.matched.end() + 1),
        time(one, stretch.index + 1)
    )
}

/// Two digits are enough for a penalty.
fn rounded(number: f64) -> String {
    let text = format!("{number:.1e}");
    text.parse::<f64>().map_or(text, |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::quality::WholeCosts;
    use super::*;

    fn costs(per_step: f64, against_chance: Option<f64>, in_window: Option<f64>) -> Costs {
        Costs { whole: WholeCosts { per_step, deviation: 2.0, against_chance }, in_window }
    }

    #[test]
    fn a_poor_fit_says_how_poor_and_where() {
        let told = poor(&costs(1.0, Some(0.81), Some(1.5)), "ipc");
        assert!(told.starts_with(
            "after alignment, ipc still differs by 50% of its standard deviation, 81%"
        ));
        assert!(told.ends_with("would give: the runs may not have done the same work"), "{told}");
        for chance in [Some(0.8), None] {
            let told = poor(&costs(1.0, chance, Some(1.5)), "ipc");
            assert!(
                told.contains("by 50% of its standard deviation, and by 75% within the window"),
                "{told}"
            );
        }
        assert!(poor(&costs(1.0, None, None), "ipc").contains("and by 50% within the window"));
    }

    #[test]
    fn a_fit_is_as_good_as_its_distance_and_what_chance_gives() {
        let fit = |per_step: f64, chance: Option<f64>| costs(per_step, chance, None).fit();
        assert_eq!(fit(0.5, Some(0.5)), Fit::Good);
        assert_eq!(fit(0.5, Some(0.51)), Fit::Fair);
        assert_eq!(fit(0.52, Some(0.5)), Fit::Fair);
        assert_eq!(fit(0.4, None), Fit::Fair);
        assert_eq!(fit(0.42, None), Fit::Poor);
        assert_eq!(fit(0.42, Some(0.8)), Fit::Fair);
        assert_eq!(fit(0.42, Some(0.81)), Fit::Poor);
        // A window that fits much worse than the rest.
        let there = |in_window: f64| costs(0.4, Some(0.1), Some(in_window)).fit();
        assert_eq!((there(0.5), there(0.8), there(0.82)), (Fit::Good, Fit::Good, Fit::Fair));
        let poor = costs(0.42, Some(0.8), Some(2.0)).fit();
        assert_eq!(poor, Fit::Poor);
    }
}
