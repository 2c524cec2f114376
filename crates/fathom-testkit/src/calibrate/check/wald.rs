//! Wald's limits and ours.

use super::{CONFIDENCES, Effort, SCENES, claim, percent};
use crate::markdown::MarkdownTable;
use fathom_stats::proportion::{Horizon, Rule};

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let mut table = MarkdownTable::new([
        "F",
        "D",
        "C",
        "limit",
        "at F − D",
        "at F + D",
        "samples at F − D",
        "samples at F + D",
        "\"true\" just below F",
    ]);
    for scene in &SCENES {
        let (f, d) = (scene.proportion, scene.indifference);
        for c in CONFIDENCES {
            let claim = claim(f, c)?;
            let rules =
                [("ln(1/α)", Rule::wald(claim, d)), ("Wald's", Rule::wald_approximate(claim, d))];
            for (name, rule) in rules {
                let rule = rule.map_err(|error| error.to_string())?;
                let horizon = Horizon::new(rule, effort.horizon);
                // The very shares that the test is for: 0.9 − 0.02, not 0.88.
                let (low, high) = (horizon.operating(f - d), horizon.operating(f + d));
                let errors = [low.positive, high.negative];
                if name == "ln(1/α)" && errors.iter().any(|&error| error > 1.0 - c) {
                    return Err(format!("Wald's test at F = {f}, C = {c} errs with {errors:?}"));
                }
                table.row([
                    f.to_string(),
                    d.to_string(),
                    c.to_string(),
                    name.to_string(),
                    percent(low.positive),
                    percent(high.negative),
                    format!("{:.0}", low.samples),
                    format!("{:.0}", high.samples),
                    percent(horizon.operating(f).positive),
                ]);
            }
        }
    }
    Ok(format!(
        "\n## Wald's limits\n\n\
         Wald stops at ln((1 − β)/α), which guarantees only an error of (1 − C)/C; Fathom stops \
         at ln(1/α), which guarantees 1 − C. Exact errors, in %, and mean numbers of samples. The \
         last column is within the region of indifference, where neither promises anything.\n\n\
         {}",
        table.render()
    ))
}
