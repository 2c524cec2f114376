//! `calibration/few_samples.md`: what the intervals of 6 to 25 samples cover, which hold if the samples
//! are independent as long as nothing shows whether they are; and what removing an outlier does to the interval of a clean series.

use super::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Population, generator};
use crate::process::Process;
use fathom_analyze::clean::OutlierPolicy;
use fathom_analyze::compare::{Margin, compare_unpaired};
use fathom_analyze::{EstimateRequest, Statistic, Subject, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::{Confidence, Interval, Probability, Sides, quantile};
use std::fmt::Write;

const SEED: u64 = 18_061_920;
const SIZES: [usize; 7] = [6, 8, 10, 12, 15, 17, 19];
const DEPENDENT: [Process; 4] = [
    Process::Autoregressive(0.0),
    Process::Autoregressive(0.3),
    Process::Autoregressive(0.5),
    Process::Autoregressive(0.8),
];
const JUDGED: [usize; 4] = [20, 22, 24, 25];
const REMOVED: [usize; 4] = [21, 25, 30, 50];

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Series per cell.
    pub trials: usize,
}

impl Effort {
    /// What the committed table was made with.
    pub const FULL: Effort = Effort { trials: 10_000 };
}

/// Simulates and writes the page; an error names cells whose promise does not hold.
pub fn page(effort: Effort) -> Result<String, String> {
    let mut text = format!(
        "# Coverage of 6 to 25 samples\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate few-samples` (seed {SEED}, \
         {} series per cell, C = 0.95).\n\n\
         So few samples do not show whether they depend on each other. Their interval is that of \
         independent samples, and it is marked: \"assuming independent runs; too few to check\". \
         Cells are the coverage in % of everything that `fathom analyze` does by default: steady \
         state, outliers flagged, estimate. The Monte-Carlo standard error of 95% is {:.2} \
         points. From 20 samples on Fathom judges dependence; the table for 20 to 25 samples \
         shows how often that is possible.\n",
        effort.trials,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt()
    );
    let mut short = Vec::new();
    text.push_str(
        "\n## The median, of independent samples\n\n\
         `exact` is the coverage by theory: the ranks' binomial probability. No simulated column \
         is more than 4 standard errors below it.\n\n",
    );
    let columns = ["n", "exact"].into_iter().chain(Population::ALL.map(Population::name));
    let mut table = MarkdownTable::new(columns.map(String::from));
    for n in SIZES {
        let exact = quantile::exact(n, Probability::HALF, Confidence::DEFAULT, Sides::Both);
        let mut row = vec![n.to_string(), percent(exact.coverage)];
        for (place, population) in Population::ALL.into_iter().enumerate() {
            let stream = (100 * n + place) as u64;
            let tally = counted(effort, stream, |rng, tally| {
                let mut values = vec![0.0; n];
                population.fill(&mut values, rng);
                tally.count(interval(&values, Statistic::MEDIAN), population.quantile(0.5));
            });
            if tally.coverage() < 0.95 - 4.0 * tally.standard_error(0.95) {
                short.push(format!("{n} of {}: {}", population.name(), tally.coverage()));
            }
            row.push(percent(tally.coverage()));
        }
        table.row(row);
    }
    text.push_str(&table.render());
    text.push_str(
        "\n## The mean, of independent samples\n\n\
         Student's t holds for the normal and falls short where samples are skewed, which Fathom \
         warns about.\n\n",
    );
    let columns = ["n"].into_iter().chain(Population::ALL.map(Population::name));
    let mut table = MarkdownTable::new(columns.map(String::from));
    for n in SIZES {
        let mut row = vec![n.to_string()];
        for (place, population) in Population::ALL.into_iter().enumerate() {
            let stream = (10_000 + 100 * n + place) as u64;
            let tally = counted(effort, stream, |rng, tally| {
                let mut values = vec![0.0; n];
                population.fill(&mut values, rng);
                tally.count(interval(&values, Statistic::Mean), population.mean());
            });
            row.push(percent(tally.coverage()));
        }
        table.row(row);
    }
    text.push_str(&table.render());
    text.push_str(
        "\n## What dependence does\n\n\
         AR(1) with a normal marginal; the median first, then the mean. This is why the intervals \
         are marked: nothing in so few samples would reveal the dependence.\n\n",
    );
    let columns = ["n".to_string()].into_iter().chain(DEPENDENT.map(Process::name));
    let mut table = MarkdownTable::new(columns);
    for n in SIZES {
        let mut row = vec![n.to_string()];
        for (place, process) in DEPENDENT.into_iter().enumerate() {
            let [median, mean] = [Statistic::MEDIAN, Statistic::Mean].map(|statistic| {
                let is_mean = statistic == Statistic::Mean;
                let stream = (20_000 + 100 * n + 10 * place + usize::from(is_mean)) as u64;
                let truth = if is_mean { process.mean() } else { process.median() };
                counted(effort, stream, |rng, tally| {
                    let mut values = vec![0.0; n];
                    process.fill(&mut values, rng);
                    tally.count(interval(&values, statistic), truth);
                })
            });
            row.push(format!("{} / {}", percent(median.coverage()), percent(mean.coverage())));
        }
        table.row(row);
    }
    text.push_str(&table.render());
    text.push_str(
        "\n## Two saved results\n\nThe ratio of two medians, n samples each, lognormal with σ = 0.1 and \
         a true ratio of 1.\n\n",
    );
    let mut table = MarkdownTable::new(["n", "coverage"].map(String::from));
    for n in SIZES {
        let tally = counted(effort, (30_000 + n) as u64, |rng, tally| {
            let mut side = || {
                let mut values = vec![0.0; n];
                Population::Normal.fill(&mut values, rng);
                values.iter().map(|value| (0.01 * value).exp()).collect::<Vec<f64>>()
            };
            let (a, b) = (side(), side());
            tally.count(ratio(a, b), 1.0);
        });
        if tally.coverage() < 0.95 - 4.0 * tally.standard_error(0.95) {
            short.push(format!("two results of {n}: {}", tally.coverage()));
        }
        table.row([n.to_string(), percent(tally.coverage())]);
    }
    text.push_str(&table.render());
    judged(&mut text, effort, &mut short);
    removal(&mut text, effort, &mut short);
    if short.is_empty() { Ok(text) } else { Err(short.join("\n")) }
}

/// Samples that are just enough to judge their dependence.
fn judged(text: &mut String, effort: Effort, short: &mut Vec<String>) {
    text.push_str(
        "\n## 20 to 25 samples\n\n\
         The median. Fathom judges the dependence. If the allowance for it leaves no interval \
         although the samples show no dependence, they get the interval of independent samples at \
         half the error, with the same mark. Cells are shares of series in % with the coverage of \
         their intervals in %: without the mark / with it / without an interval.\n\n",
    );
    let columns = ["n".to_string()].into_iter().chain(DEPENDENT.map(Process::name));
    let mut table = MarkdownTable::new(columns);
    for n in JUDGED {
        let mut row = vec![n.to_string()];
        for (place, process) in DEPENDENT.into_iter().enumerate() {
            let stream = (50_000 + 100 * n + place) as u64;
            let [plain, marked] = [false, true].map(|is_marked| {
                counted(effort, stream, |rng, tally| {
                    let mut values = vec![0.0; n];
                    process.fill(&mut values, rng);
                    let subject = analyzed(&values, &EstimateRequest::default());
                    tally.count(finite_if(&subject, is_marked), process.median());
                })
            });
            for (tally, which) in [(&plain, "plain"), (&marked, "marked")] {
                let nominal = 0.95 - 4.0 * tally.standard_error(0.95);
                if process == Process::Autoregressive(0.0) && tally.coverage() < nominal {
                    short.push(format!("{n} judged, {which}: {}", tally.coverage()));
                }
            }
            let cell = |tally: &Tally| match tally.printed_share() {
                0.0 => "0".to_string(),
                share => format!("{} ({})", percent(share), percent(tally.coverage())),
            };
            let none = 1.0 - plain.printed_share() - marked.printed_share();
            row.push(format!("{} / {} / {}", cell(&plain), cell(&marked), percent(none.max(0.0))));
        }
        table.row(row);
    }
    text.push_str(&table.render());
    other_levels(text, effort, short);
}

/// The same at other levels and of other quantiles, of independent samples.
fn other_levels(text: &mut String, effort: Effort, short: &mut Vec<String>) {
    const QUESTIONS: [(Population, f64, f64); 6] = [
        (Population::Normal, 0.5, 0.9),
        (Population::Normal, 0.5, 0.99),
        (Population::Lognormal, 0.5, 0.95),
        (Population::Normal, 0.25, 0.9),
        (Population::Normal, 0.25, 0.95),
        (Population::Lognormal, 0.75, 0.95),
    ];
    text.push_str(
        "\nIndependent samples with other levels C, other quantiles, and skewed samples. Cells \
         are the share of series in % with a marked interval, and its coverage in %.\n\n",
    );
    let name = |(population, p, level): (Population, f64, f64)| {
        format!("p{:.0}, {}, C = {level}", 100.0 * p, population.name())
    };
    let mut table = MarkdownTable::new(["n".to_string()].into_iter().chain(QUESTIONS.map(name)));
    for n in JUDGED {
        let mut row = vec![n.to_string()];
        for (place, question) in QUESTIONS.into_iter().enumerate() {
            let (population, p, level) = question;
            let (Ok(confidence), Ok(share)) = (Confidence::new(level), Probability::new(p)) else {
                continue;
            };
            let statistics = vec![Statistic::Quantile(share)];
            let request = EstimateRequest { confidence, statistics, ..EstimateRequest::default() };
            let tally = counted(effort, (60_000 + 100 * n + place) as u64, |rng, tally| {
                let mut values = vec![0.0; n];
                population.fill(&mut values, rng);
                let found = finite_if(&analyzed(&values, &request), true);
                tally.count(found, population.quantile(p));
            });
            if tally.coverage() < level - 4.0 * tally.standard_error(level) {
                short.push(format!("{n}, {}: {}", name(question), tally.coverage()));
            }
            row.push(match tally.printed_share() {
                0.0 => "0".to_string(),
                share => format!("{} ({})", percent(share), percent(tally.coverage())),
            });
        }
        table.row(row);
    }
    text.push_str(&table.render());
}

/// One sample is pushed far out, and removed again.
fn removal(text: &mut String, effort: Effort, short: &mut Vec<String>) {
    text.push_str(
        "\n## With an outlier removed\n\n\
         Normal samples, one of which is moved out by 50 standard deviations and removed by \
         `--outliers remove`. Dependence is judged on the whole series in time order. Cells are: \
         coverage in % of the median of the others / the same if no sample was moved / mean width \
         / share in % whose interval is wider than with the outlier counted. Marked intervals are \
         left out.\n\n",
    );
    let columns = ["n".to_string()].into_iter().chain(DEPENDENT.map(Process::name));
    let mut table = MarkdownTable::new(columns);
    for n in REMOVED {
        let mut row = vec![n.to_string()];
        for (place, process) in DEPENDENT.into_iter().enumerate() {
            let stream = (40_000 + 100 * n + place) as u64;
            let (mut wider, mut clean) = (Tally::default(), Tally::default());
            let merged = parallel::map(10, |chunk| {
                let mut rng = generator(SEED, 1_000 * stream + chunk as u64);
                let [mut tally, mut wider, mut clean] = std::array::from_fn(|_| Tally::default());
                for trial in 0..effort.trials.div_ceil(10) {
                    let mut values = vec![0.0; n];
                    process.fill(&mut values, &mut rng);
                    let untouched = analyzed(&values, &EstimateRequest::default());
                    clean.count(finite_if(&untouched, false), process.median());
                    values[trial % n] += 50.0;
                    let request = EstimateRequest {
                        outliers: OutlierPolicy::Remove,
                        ..EstimateRequest::default()
                    };
                    let removed = analyzed(&values, &request);
                    let kept = analyzed(&values, &EstimateRequest::default());
                    let found = finite_if(&removed, false);
                    tally.count(found, process.median());
                    // Counted as covered if it is wider than with the outlier.
                    let width =
                        |found: Option<Interval>| found.map_or(f64::INFINITY, |i| i.width());
                    let is_wider = width(found) > width(finite_if(&kept, false)) * (1.0 + 1e-9);
                    let truth = if is_wider { 0.0 } else { 1.0 };
                    wider.count(Some(Interval { lower: -0.5, upper: 0.5 }), truth);
                }
                (tally, wider, clean)
            });
            let mut tally = Tally::default();
            for (one, is_wider, is_clean) in &merged {
                tally.merge(one);
                wider.merge(is_wider);
                clean.merge(is_clean);
            }
            let nominal = 0.95 - 4.0 * tally.standard_error(0.95);
            if process == Process::Autoregressive(0.0) && tally.coverage() < nominal {
                short.push(format!("an outlier removed from {n}: {}", tally.coverage()));
            }
            row.push(format!(
                "{} / {} / {:.2} / {}",
                percent(tally.coverage()),
                percent(clean.coverage()),
                tally.width(),
                percent(wider.coverage())
            ));
        }
        table.row(row);
    }
    let _ = write!(text, "{}", table.render());
}

fn counted(
    effort: Effort,
    stream: u64,
    trial: impl Fn(&mut crate::population::Generator, &mut Tally) + Sync,
) -> Tally {
    const CHUNKS: usize = 10;
    let parts = parallel::map(CHUNKS, |chunk| {
        let mut rng = generator(SEED, stream * CHUNKS as u64 + chunk as u64);
        let mut tally = Tally::default();
        for _ in 0..effort.trials.div_ceil(CHUNKS) {
            trial(&mut rng, &mut tally);
        }
        tally
    });
    let mut tally = Tally::default();
    parts.iter().for_each(|part| tally.merge(part));
    tally
}

fn analyzed(values: &[f64], request: &EstimateRequest) -> Option<Subject> {
    let series = Series::new("x", Unit::Unknown, values.to_vec()).ok()?;
    Some(analyze(series, request))
}

fn finite(subject: &Option<Subject>) -> Option<Interval> {
    subject.as_ref()?.estimates.first()?.interval().filter(Interval::is_finite)
}

/// The interval, if it is on condition or not as given.
fn finite_if(subject: &Option<Subject>, if_independent: bool) -> Option<Interval> {
    let estimate = subject.as_ref()?.estimates.first()?;
    finite(subject).filter(|_| estimate.if_independent == if_independent)
}

fn interval(values: &[f64], statistic: Statistic) -> Option<Interval> {
    let request = EstimateRequest { statistics: vec![statistic], ..EstimateRequest::default() };
    finite(&analyzed(values, &request))
}

fn ratio(reference: Vec<f64>, subject: Vec<f64>) -> Option<Interval> {
    let request = EstimateRequest::default();
    let side =
        |values: Vec<f64>| Some(analyze(Series::new("x", Unit::SECONDS, values).ok()?, &request));
    let (reference, subject) = (side(reference)?, side(subject)?);
    let found = compare_unpaired(&reference, &subject, &request, Margin::DEFAULT, &[]).ok()?;
    Some(found.interval.ends()).filter(Interval::is_finite)
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
