//! `calibration/growth.md`: how often the true law of growth is rejected, and how often it is named.

mod truth;

use super::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::growth::{GrowthLaw, LARGEST_FALL, LARGEST_RISE, SizedTime, growth};
use fathom_stats::{Confidence, Interval};
use std::fmt::Write;
use truth::{BEYOND, COSTS, Costs, NOISES, SIZES, Sizes, draw};

const SEED: u64 = 18_940_512;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Functions per law, sizes, costs and noise.
    pub trials: usize,
}

impl Effort {
    /// What the committed table was made with.
    pub const FULL: Effort = Effort { trials: 100 };
}

/// What became of many functions.
#[derive(Debug, Clone, Default)]
struct Outcomes {
    trials: u64,
    /// The true law was rejected.
    wrong: u64,
    /// One law was left, and it was the true one.
    named: u64,
    /// One law was left, and it was another.
    misnamed: u64,
    exponent: Tally,
    /// Where the law n is true.
    rate: Tally,
    setup: Tally,
}

impl Outcomes {
    fn merge(&mut self, other: &Outcomes) {
        self.trials += other.trials;
        self.wrong += other.wrong;
        self.named += other.named;
        self.misnamed += other.misnamed;
        self.exponent.merge(&other.exponent);
        self.rate.merge(&other.rate);
        self.setup.merge(&other.setup);
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.trials.max(1) as f64
    }

    /// "wrong / named".
    fn cell(&self) -> String {
        format!("{} / {}", percent(self.share(self.wrong)), percent(self.share(self.named)))
    }
}

/// What is simulated: a law, sizes, costs, and a noise.
#[derive(Debug, Clone, Copy)]
struct Case {
    law: GrowthLaw,
    sizes: &'static Sizes,
    costs: Costs,
    noise: f64,
}

/// Simulates and writes the page; an error names what breaks the promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let cases = cases();
    let outcomes = parallel::map(cases.len(), |place| simulated(cases[place], place, effort));
    let all: Vec<(Case, Outcomes)> = cases.into_iter().zip(outcomes).collect();
    let pooled = |which: &dyn Fn(&Case) -> bool| {
        let mut pooled = Outcomes::default();
        all.iter().filter(|(case, _)| which(case)).for_each(|(_, one)| pooled.merge(one));
        pooled
    };
    let promised = |costs: Costs| COSTS.contains(&costs);
    let mut broken = Vec::new();
    let mut text = head(effort, &pooled(&|case| promised(case.costs)));
    let _ = write!(
        text,
        "\n## By law and sizes\n\nCells are *wrong* / *named*, over all noises. The promise is that \
         *wrong* is at most 5. `fixed` adds a fixed cost of half the growing part at the middle \
         size; `step` raises the cost per unit by 30% at a random size, `steps` by {LARGEST_RISE} in \
         two steps; `uneven` multiplies each time by a factor from 0.9 to 1.1.\n\n"
    );
    let columns = ["law", "sizes"].into_iter().chain(COSTS.map(Costs::name));
    let mut table = MarkdownTable::new(columns);
    for law in GrowthLaw::ALL {
        for sizes in &SIZES {
            let mut row = vec![law.symbol().to_string(), sizes.name.to_string()];
            for costs in COSTS {
                let one =
                    pooled(&|case| case.law == law && case.sizes == sizes && case.costs == costs);
                if one.share(one.wrong) > 0.05 + chance(one.trials) {
                    broken.push(format!(
                        "{}, {}, {}: {}",
                        law.name(),
                        sizes.name,
                        costs.name(),
                        one.cell()
                    ));
                }
                row.push(one.cell());
            }
            table.row(row);
        }
    }
    text.push_str(&table.render());

    text.push_str("\n## By noise\n\nAll laws and costs above. *Exponent*, *rate* and *set-up* are coverages: of the exponent's interval, and of those of the line if the law n is true. The line's truth is the line through the true times.\n\n");
    let mut table = MarkdownTable::new([
        "noise",
        "sizes",
        "wrong",
        "named",
        "named another law",
        "exponent",
        "rate",
        "set-up",
    ]);
    for noise in NOISES {
        for sizes in &SIZES {
            let one =
                pooled(&|case| promised(case.costs) && case.noise == noise && case.sizes == sizes);
            let tallies =
                [("exponent", &one.exponent), ("rate", &one.rate), ("set-up", &one.setup)];
            for (what, tally) in tallies {
                let covers = tally.coverage();
                if covers < 0.95 - 4.0 * tally.standard_error(0.95) {
                    broken.push(format!("{what}, {noise}, {}: covers {covers}", sizes.name));
                }
            }
            table.row([
                percent(noise),
                sizes.name.to_string(),
                percent(one.share(one.wrong)),
                percent(one.share(one.named)),
                percent(one.share(one.misnamed)),
                percent(one.exponent.coverage()),
                percent(one.rate.coverage()),
                percent(one.setup.coverage()),
            ]);
        }
    }
    text.push_str(&table.render());

    let _ = write!(
        text,
        "\n## Beyond the promise\n\nCosts per unit that rise by more than {LARGEST_RISE} in two steps, \
         as they do where data leave the caches. Cells are *wrong* / *named another law*.\n\n"
    );
    let columns = ["law", "sizes"].into_iter().chain(BEYOND.map(Costs::name));
    let mut table = MarkdownTable::new(columns);
    for law in GrowthLaw::ALL {
        for sizes in &SIZES {
            let mut row = vec![law.symbol().to_string(), sizes.name.to_string()];
            for costs in BEYOND {
                let one =
                    pooled(&|case| case.law == law && case.sizes == sizes && case.costs == costs);
                row.push(format!(
                    "{} / {}",
                    percent(one.share(one.wrong)),
                    percent(one.share(one.misnamed))
                ));
            }
            table.row(row);
        }
    }
    text.push_str(&table.render());
    if broken.is_empty() { Ok(text) } else { Err(broken.join("\n")) }
}

fn head(effort: Effort, all: &Outcomes) -> String {
    format!(
        "# Growth\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate growth` (seed {SEED}, {} \
         functions per law, sizes, costs and noise; 95% confidence).\n\n\
         The method is in `docs/methods/growth.md`. Each size has 30 normal samples, whose standard \
         deviation is the noise; the times are their medians with their exact intervals. All numbers \
         are in %. *Wrong*: the true law is rejected. *Named*: the true law is the only one that is \
         not. In the remaining cases several laws are left, and Fathom says so.\n\n\
         Within the promise (the cost per unit rises by at most {LARGEST_RISE} and falls by at most \
         {LARGEST_FALL}; the fixed cost is at most the growing part at the middle size), over \
         everything: wrong {}, named {}, another law named {}; the exponent's interval covers {}.\n",
        effort.trials,
        percent(all.share(all.wrong)),
        percent(all.share(all.named)),
        percent(all.share(all.misnamed)),
        percent(all.exponent.coverage()),
    )
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for law in GrowthLaw::ALL {
        for sizes in &SIZES {
            for costs in COSTS.into_iter().chain(BEYOND) {
                cases.extend(NOISES.map(|noise| Case { law, sizes, costs, noise }));
            }
        }
    }
    cases
}

fn simulated(case: Case, place: usize, effort: Effort) -> Outcomes {
    let mut rng = generator(SEED, place as u64);
    let mut outcomes = Outcomes::default();
    for _ in 0..effort.trials {
        let drawn = draw(case.law, case.sizes.of(case.law), case.costs, case.noise, &mut rng);
        outcomes.trials += 1;
        let Ok(found) = growth(&drawn.times, Confidence::DEFAULT) else {
            outcomes.wrong += 1;
            continue;
        };
        let laws: Vec<GrowthLaw> = found.possible().map(|one| one.law).collect();
        let is_right = laws.contains(&case.law);
        outcomes.wrong += u64::from(!is_right);
        outcomes.named += u64::from(is_right && laws.len() == 1);
        outcomes.misnamed += u64::from(!is_right && laws.len() == 1);
        if case.law == GrowthLaw::Linear {
            let exact: Vec<SizedTime> = drawn
                .times
                .iter()
                .zip(&drawn.truths)
                .map(|(one, time)| SizedTime {
                    time: *time,
                    interval: Interval { lower: *time, upper: *time },
                    ..*one
                })
                .collect();
            let truth = growth(&exact, Confidence::DEFAULT).ok().and_then(|found| found.rate);
            if let (Some(found), Some(truth)) = (found.rate, truth) {
                outcomes.rate.count(Some(found.rate_interval), truth.rate);
                outcomes.setup.count(Some(found.setup_interval), truth.setup);
            }
        }
        let true_time = |size: f64| {
            let at = drawn.times.iter().position(|one| one.size == size);
            at.map_or(1.0, |at| drawn.truths[at])
        };
        let exponent = found.exponent;
        let truth = (true_time(exponent.to) / true_time(exponent.from)).ln()
            / (exponent.to / exponent.from).ln();
        let Interval { lower, upper } = exponent.interval;
        outcomes.exponent.count(Some(Interval { lower, upper }), truth);
    }
    outcomes
}

/// Three standard errors of a share of 5%.
fn chance(trials: u64) -> f64 {
    3.0 * (0.05 * 0.95 / trials.max(1) as f64).sqrt()
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 1 }).unwrap();
        assert_eq!(page, super::page(Effort { trials: 1 }).unwrap());
        assert!(!page.contains("NaN"), "{page}");
    }
}
