//! What looking after every sample does to an interval, exactly.

use crate::markdown::MarkdownTable;
use fathom_stats::quantile::{self, RankPair, sequence};
use fathom_stats::{Confidence, LevelError, Probability, Sides};

const LOOKS: [usize; 3] = [100, 1000, 10_000];

/// The section on optional stopping.
pub(super) fn section() -> Result<String, LevelError> {
    let confidence = Confidence::new(0.95)?;
    let mut table = MarkdownTable::new(["F", "method", "n ≤ 100", "n ≤ 1000", "n ≤ 10000"]);
    for level in [0.5, 0.9] {
        let p = Probability::new(level)?;
        type Rule<'a> = &'a dyn Fn(usize) -> RankPair;
        let methods: [(&str, Rule<'_>); 2] = [
            ("exact", &|n| quantile::exact(n, p, confidence, Sides::Both)),
            ("sequence", &|n| sequence::ranks(n, p, confidence, Sides::Both)),
        ];
        for (name, rule) in methods {
            let held = held_at_every_look(p, rule);
            let cells = held.iter().map(|held| format!("{:.1}", 100.0 * held));
            table.row([level.to_string(), name.to_string()].into_iter().chain(cells));
        }
    }
    Ok(format!(
        "\n## Looking after every sample\n\n\
         The probability, in %, that all intervals up to n cover (C = 0.95), exactly, by dynamic \
         programming over the number of samples below the quantile. Only the sequence allows a \
         look after every sample.\n\n\
         {}",
        table.render()
    ))
}

/// The probability that every interval so far covers, at each of the looks.
fn held_at_every_look(p: Probability, rule: &dyn Fn(usize) -> RankPair) -> Vec<f64> {
    let most = LOOKS.iter().copied().max().unwrap_or(0);
    // alive[s]: s samples lie below the quantile, and no interval has missed yet.
    let mut alive = vec![0.0; most + 2];
    alive[0] = 1.0;
    let mut held = Vec::new();
    for n in 1..=most {
        for s in (0..=n).rev() {
            let from_below = if s > 0 { alive[s - 1] * p.get() } else { 0.0 };
            alive[s] = alive[s] * (1.0 - p.get()) + from_below;
        }
        let RankPair { lower, upper, .. } = rule(n);
        alive[..lower.unwrap_or(0)].fill(0.0);
        if let Some(upper) = upper {
            alive[upper..=n].fill(0.0);
        }
        if LOOKS.contains(&n) {
            held.push(alive[..=n].iter().sum());
        }
    }
    held
}
