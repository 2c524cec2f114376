//! What differs, in a sentence or two.

use super::{metrics, words};
use crate::layout::visible;
use fathom_explain::contrast::Contrast;

/// "bad (5 runs) differs from good (5 runs) in 3 of 41 metrics (p < .05 for all together). Most: pause
/// +50% in phase 2."
#[must_use]
pub fn sentence(contrast: &Contrast) -> String {
    let [first, second] = contrast.sizes();
    let name = |place: usize, count: usize| {
        let name = contrast.names.get(place).map_or(String::new(), |name| visible(name));
        format!("{name} ({count} {})", if count == 1 { "run" } else { "runs" })
    };
    let (one, other) = (name(0, first), name(1, second));
    let all = contrast.compared().count();
    let sure = contrast.compared().filter(|metric| metric.is_significant()).count();
    let largest = contrast.compared().next().map(|metric| words::short(contrast, metric));
    let largest = largest.map_or(String::new(), |what| format!(" Largest difference: {what}."));
    if all == 0 {
        return format!("{other} and {one} are equal in every metric.");
    }
    if sure > 0 {
        return format!(
            "{other} differs from {one} in {sure} of {all} {} (p < .05 for all together).{largest}",
            metrics(all)
        );
    }
    if contrast.is_enough() {
        return format!(
            "{other} does not differ from {one} by more than chance in any of {all} {}.{largest}",
            metrics(all)
        );
    }
    let [needed_first, needed_second] = contrast.sizes_needed;
    format!(
        "{other} and {one} are too few runs to tell a difference from chance: record at least \
         {needed_second} and {needed_first}.{largest}"
    )
}
