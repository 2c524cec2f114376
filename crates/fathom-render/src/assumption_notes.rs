//! What a comparison's blocks say about its assumptions, in numbers, for `--verbose`.

use crate::layout::visible;
use fathom_analyze::compare::Comparison;
use fathom_stats::paired::{
    BlockSkew, CarryOver, NoiseKind, PairingGain, RunNoise, SpeedDependence,
};

/// A line for each check, and one for those that have too few blocks.
#[must_use]
pub fn assumption_notes(comparison: &Comparison) -> Vec<String> {
    let Some(found) = comparison.assumptions() else { return Vec::new() };
    let mut untold = Vec::new();
    let mut lines = Vec::new();
    let checks = [
        ("carry-over", found.carry_over.map(|found| carry_over(&found, comparison))),
        ("slow against fast blocks", found.speed.map(|found| speed(&found))),
        ("skew", found.skew.map(|found| skew(&found))),
        ("noise", found.noise.map(|found| noise(&found))),
        ("pairing", found.gain.map(|found| gain(&found))),
    ];
    for (name, line) in checks {
        match line {
            Some(line) => lines.push(format!("{name}: {line}")),
            None => untold.push(name),
        }
    }
    if !untold.is_empty() {
        let untold = untold.join(", ");
        lines.push(match found.blocks {
            // Single pairs are no blocks.
            0 => format!("not checked, because that needs blocks of two runs of each: {untold}"),
            1 => format!("not enough data in 1 block to check: {untold}"),
            blocks => format!("not enough data in {blocks} blocks to check: {untold}"),
        });
    }
    lines
}

fn carry_over(found: &CarryOver, comparison: &Comparison) -> String {
    let p = p_value(found.p_value);
    match found.of_each() {
        Some([reference, subject]) => format!(
            "after the other command, {} takes {} and {} {} more than after itself ({p})",
            visible(&comparison.reference),
            signed(reference.exp_m1()),
            visible(&comparison.subject),
            signed(subject.exp_m1())
        ),
        None => format!(
            "running after another command costs {} {} more than it costs {} ({p})",
            visible(&comparison.subject),
            signed(found.difference.exp_m1()),
            visible(&comparison.reference)
        ),
    }
}

fn speed(found: &SpeedDependence) -> String {
    let [quick, slow] = found.log_ratios.map(f64::exp);
    let kind = match found.kind() {
        NoiseKind::Multiplicative => "; other load multiplies both times",
        NoiseKind::Additive => "; other load adds the same time to both",
        NoiseKind::Neither => "; neither the ratio nor the difference in time stays the same",
        NoiseKind::Unknown => "",
    };
    format!(
        "ratio {quick:.4} in the faster half of the blocks, {slow:.4} in the slower half ({}){kind}",
        p_value(found.p_of_ratio)
    )
}

fn skew(found: &BlockSkew) -> String {
    format!(
        "mean of log-ratios {:.4}, their pseudo-median {:.4} ({})",
        found.mean.exp(),
        found.centre.exp(),
        p_value(found.p_value)
    )
}

fn noise(found: &RunNoise) -> String {
    let each = found.of_each.map_or(String::new(), |[reference, subject]| {
        format!(" (reference {}, subject {})", share(reference), share(subject))
    });
    let [first, second] = found.halves;
    format!(
        "single runs ±{}{each}, the machine's drift ±{}; single runs ±{} in the first half, ±{} in \
         the second ({})",
        share(found.of_runs),
        share(found.of_machine),
        share(first),
        share(second),
        p_value(found.p_value)
    )
}

fn gain(found: &PairingGain) -> String {
    if found.factor >= 1.0 {
        format!("the interval is {:.1} times as narrow as from separate runs", found.factor)
    } else {
        format!(
            "the interval is {:.1} times as wide as from separate runs ({})",
            1.0 / found.factor,
            p_value(found.p_value)
        )
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "p < .001".to_string() } else { format!("p = {p:.3}") }
}

/// "+0.3%", "-1.2%", "0.0%".
fn signed(share: f64) -> String {
    // Adding zero turns -0 into 0.
    let percent = (1000.0 * share).round() / 10.0 + 0.0;
    if percent == 0.0 { "0.0%".to_string() } else { format!("{percent:+.1}%") }
}

fn share(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_a_sign_unless_they_are_none() {
        assert_eq!(signed(0.0312), "+3.1%");
        assert_eq!(signed(-0.0312), "-3.1%");
        assert_eq!(signed(-0.0001), "0.0%");
        assert_eq!(p_value(0.0), "p < .001");
    }
}
