//! Two builds: every execution has a layout of its own.

use super::{Effort, chance};
use crate::calibrate::compare::{Count, Said, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_analyze::compare::{Course, Margin, Verdict};
use fathom_stats::Confidence;
use fathom_stats::paired::{Block, Choice, LookStage, locate};
use rand_distr::{Distribution, Exp1, Open01, StandardNormal};

const SEED: u64 = 20_130_620;
const RATIOS: [f64; 4] = [1.0, 1.01, 1.02, 1.05];
const CHUNKS: usize = 8;
/// Pairs of executions in two seconds.
const ROUNDS: usize = 20;
/// What is left to chance in the ratio of one pair of executions.
const WITHIN: f64 = 0.001;
/// Functions of a suite.
const FAMILY: usize = 12;
/// Blocks of batches in one pair of executions, for the design with only one pair.
const BLOCKS: usize = 200;

/// How the layout of an execution changes its speed, in the logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Layout {
    /// Normal with this standard deviation.
    Normal(f64),
    /// One execution of three is slower by this much.
    TwoStates(f64),
    /// Exponential with this mean: some executions are much slower.
    Skewed(f64),
}

impl Layout {
    pub(super) fn name(self) -> String {
        match self {
            Layout::Normal(sd) => format!("normal, σ {sd}"),
            Layout::TwoStates(step) => format!("two states, {step} apart"),
            Layout::Skewed(mean) => format!("exponential, mean {mean}"),
        }
    }

    /// One execution's, less the pseudo-median of the distribution, so that one execution alone is
    /// compared with the true value.
    pub(super) fn drawn(self, rng: &mut Generator) -> f64 {
        match self {
            Layout::Normal(sd) => {
                let normal: f64 = StandardNormal.sample(rng);
                sd * normal
            }
            Layout::TwoStates(step) => {
                let uniform: f64 = Open01.sample(rng);
                if uniform < 1.0 / 3.0 { step } else { 0.0 }
            }
            Layout::Skewed(mean) => {
                let exponential: f64 = Exp1.sample(rng);
                mean * exponential + self.shift()
            }
        }
    }

    /// What is added so that the pseudo-median is 0.
    pub(super) fn shift(self) -> f64 {
        /// Where (1 + 2x)·exp(−2x) is a half: the median of the mean of two.
        const OF_EXPONENTIAL: f64 = 0.839_173_494_3;
        match self {
            Layout::Normal(_) | Layout::TwoStates(_) => 0.0,
            Layout::Skewed(mean) => -mean * OF_EXPONENTIAL,
        }
    }
}

/// What scatters.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scatter {
    layout: Layout,
    /// Whether the old build scatters as the new one does, or not at all.
    is_shared: bool,
}

impl Scatter {
    fn name(self) -> String {
        let who = if self.is_shared { "both builds" } else { "the new build only" };
        format!("{}, {who}", self.layout.name())
    }

    /// The true log-ratio of one pair of executions.
    fn drawn(self, ratio: f64, rng: &mut Generator) -> f64 {
        let old = if self.is_shared { self.layout.drawn(rng) } else { 0.0 };
        ratio.ln() + self.layout.drawn(rng) - old
    }

    /// What is measured of it.
    fn measured(self, ratio: f64, rng: &mut Generator) -> f64 {
        let noise: f64 = StandardNormal.sample(rng);
        self.drawn(ratio, rng) + WITHIN * noise
    }
}

fn scatters() -> Vec<Scatter> {
    let shared = |layout| Scatter { layout, is_shared: true };
    let alone = |layout| Scatter { layout, is_shared: false };
    vec![
        shared(Layout::Normal(0.0)),
        shared(Layout::Normal(0.005)),
        shared(Layout::Normal(0.02)),
        shared(Layout::TwoStates(0.03)),
        shared(Layout::Skewed(0.01)),
        alone(Layout::Normal(0.02)),
        alone(Layout::Skewed(0.01)),
    ]
}

/// A comparison of builds as `duel` makes it, of one function or several.
fn duel(scatter: Scatter, ratios: &[f64], rng: &mut Generator) -> Vec<Said> {
    let margin = Margin::DEFAULT;
    let mut course =
        Course::new(ratios.len(), ROUNDS, Confidence::DEFAULT, margin, Vec::new(), 0.0);
    loop {
        let blocks: Vec<(usize, Block)> = course
            .open()
            .into_iter()
            .map(|index| {
                let log_ratio = scatter.measured(ratios[index], rng);
                (index, Block { log_ratio, log_total: 0.0 })
            })
            .collect();
        if course.take(&blocks) {
            break;
        }
    }
    let said = |subject: &fathom_analyze::compare::CourseSubject| Said {
        interval: subject.interval(),
        verdict: Verdict::of(subject.interval(), margin),
        blocks: subject.blocks().len(),
    };
    course.subjects().iter().map(said).collect()
}

/// What one pair of executions says, whose batches are taken for all there is.
fn pooled(scatter: Scatter, ratio: f64, rng: &mut Generator) -> Said {
    let truth = scatter.drawn(ratio, rng);
    let blocks: Vec<Block> = (0..BLOCKS)
        .map(|_| {
            let noise: f64 = StandardNormal.sample(rng);
            let log_ratio = truth + WITHIN * (BLOCKS as f64).sqrt() * noise;
            Block { log_ratio, log_total: 0.0 }
        })
        .collect();
    let alpha = Confidence::DEFAULT.alpha();
    let found = locate(&blocks, Choice::All, alpha, LookStage::Last, 0.0);
    let interval = found.map_or(fathom_stats::LogRatioInterval::EVERYTHING, |found| found.interval);
    Said { interval, verdict: Verdict::of(interval, Margin::DEFAULT), blocks: 1 }
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    builds: [Count; RATIOS.len()],
    pooled: Count,
    families: u64,
    wrong_families: u64,
}

impl Cell {
    fn simulated(scatter: Scatter, trials: usize, stream: u64) -> Cell {
        let mut rng = generator(SEED, stream);
        let mut cell = Cell::default();
        for (ratio, count) in RATIOS.into_iter().zip(&mut cell.builds) {
            for _ in 0..trials {
                for said in duel(scatter, &[ratio], &mut rng) {
                    count.add(&said, ratio.ln());
                }
            }
        }
        for _ in 0..trials {
            cell.pooled.add(&pooled(scatter, 1.0, &mut rng), 0.0);
        }
        for _ in 0..trials.div_ceil(4) {
            let said = duel(scatter, &[1.0; FAMILY], &mut rng);
            let is_wrong = |said: &Said| matches!(said.verdict, Verdict::Faster | Verdict::Slower);
            cell.families += 1;
            cell.wrong_families += u64::from(said.iter().any(is_wrong));
        }
        cell
    }

    fn merge(&mut self, other: &Cell) {
        self.builds.iter_mut().zip(&other.builds).for_each(|(sum, part)| sum.merge(part));
        self.pooled.merge(&other.pooled);
        self.families += other.families;
        self.wrong_families += other.wrong_families;
    }

    fn wrong_families(&self) -> f64 {
        self.wrong_families as f64 / self.families as f64
    }

    fn covers(&self) -> f64 {
        self.builds.iter().map(Count::coverage).fold(1.0, f64::min)
    }
}

/// The table, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let scatters = scatters();
    let parts = parallel::map(scatters.len() * CHUNKS, |task| {
        let trials = effort.executions.div_ceil(CHUNKS);
        Cell::simulated(scatters[task / CHUNKS], trials, task as u64)
    });
    let mut table = MarkdownTable::new([
        "layout",
        "A/A false",
        "A/A equivalent",
        "finds 1%",
        "finds 2%",
        "finds 5%",
        "covers",
        "12 functions: any false",
        "one pair of executions: A/A false",
        "covers",
    ]);
    let mut broken = Vec::new();
    for (scatter, chunks) in scatters.iter().zip(parts.chunks(CHUNKS)) {
        let mut cell = Cell::default();
        chunks.iter().for_each(|chunk| cell.merge(chunk));
        let [same, one, two, five] = &cell.builds;
        let name = scatter.name();
        if same.different() > 0.05 + chance(same.trials) {
            broken.push(format!("{name}: {:.4} false verdicts", same.different()));
        }
        if cell.wrong_families() > 0.05 + chance(cell.families) {
            broken.push(format!("{name}: {:.4} families with one", cell.wrong_families()));
        }
        // Where only one build scatters, and skewed at that, the signs are not symmetric.
        let is_symmetric = scatter.is_shared || !matches!(scatter.layout, Layout::Skewed(_));
        if is_symmetric && cell.covers() < 0.95 - chance(same.trials) {
            broken.push(format!("{name}: covers {:.4}", cell.covers()));
        }
        table.row([
            name,
            percent(same.different()),
            percent(same.equivalent()),
            percent(one.different()),
            percent(two.different()),
            percent(five.different()),
            percent(cell.covers()),
            percent(cell.wrong_families()),
            percent(cell.pooled.different()),
            percent(cell.pooled.coverage()),
        ]);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Two builds\n\n\
         Every execution of a build has a random layout, which makes it faster or slower by the \
         given distribution; 20 pairs of executions, whose own ratios are known to ±{:.1}%, \
         margin 1%. *12 functions* is a suite in which nothing has changed: at most 5% have any \
         false verdict. *One pair of executions* uses only the batches of one execution of each \
         build, in a single look. The last layout breaks an assumption: only the new build \
         varies, with a skew; its truth is the pseudo-median.\n\n\
         {}",
        100.0 * WITHIN,
        table.render()
    ))
}
