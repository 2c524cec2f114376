//! Which kind of dependence is named for which process.

use super::Effort;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use crate::process::Process;
use fathom_stats::dependence::DependenceKind;
use rand_distr::{Distribution, Open01, StandardNormal};
use std::collections::BTreeMap;

const SEED: u64 = 19_270_301;
const SIZES: [usize; 5] = [24, 50, 100, 200, 1000];

/// A kind that is planted, in unit normal noise where nothing else is said.
#[derive(Debug, Clone, Copy)]
enum Planted {
    Independent,
    Lognormal,
    /// About five distinct values.
    Coarse,
    Of(Process),
    /// One sample in a fixed number is this much higher.
    Every(usize, f64),
    /// A sine with this period and height.
    Wave(f64, f64),
    /// Low and high for half of this period each, by this much.
    Toggling(f64, f64),
    /// This much higher at the end.
    Trend(f64),
    /// A random walk without noise.
    Walk,
    /// A random walk that is as far off at the end as this many standard deviations of the noise.
    NoisyWalk(f64),
}

impl Planted {
    fn name(self) -> String {
        match self {
            Planted::Independent => "independent, normal".to_string(),
            Planted::Lognormal => "independent, lognormal".to_string(),
            Planted::Coarse => "independent, about five values".to_string(),
            Planted::Of(process) => process.name(),
            Planted::Every(period, height) => {
                let th = match period {
                    2 => "nd",
                    3 => "rd",
                    _ => "th",
                };
                format!("every {period}{th} sample +{height}")
            }
            Planted::Wave(period, height) => format!("wave of {height}, period {period}"),
            Planted::Toggling(period, height) => format!("toggling by {height}, period {period}"),
            Planted::Trend(height) => format!("trend of +{height}"),
            Planted::Walk => "random walk".to_string(),
            Planted::NoisyWalk(height) => format!("random walk of {height} in noise"),
        }
    }

    /// What it is called where it is clear.
    fn kind(self) -> &'static str {
        let kind = match self {
            Planted::Independent | Planted::Lognormal | Planted::Coarse => DependenceKind::NotSeen,
            Planted::Of(Process::Autoregressive(phi)) if phi < 0.0 => DependenceKind::Alternation,
            Planted::Of(_) => DependenceKind::ShortMemory(1.0),
            Planted::Every(2, _) => DependenceKind::Alternation,
            Planted::Every(..) | Planted::Wave(..) | Planted::Toggling(..) => {
                DependenceKind::Period(3.0)
            }
            Planted::Trend(_) => DependenceKind::Drift,
            Planted::Walk | Planted::NoisyWalk(_) => DependenceKind::SlowWandering,
        };
        kind.name()
    }

    fn series(self, n: usize, rng: &mut Generator) -> Vec<f64> {
        let phase: f64 = Open01.sample(rng);
        let mut series = vec![0.0; n];
        Process::Autoregressive(0.0).fill(&mut series, rng);
        let place = |index: usize, period: f64| (index as f64 / period + phase).fract();
        let mut walked = 0.0;
        let mut step = |size: f64, rng: &mut Generator| {
            let z: f64 = StandardNormal.sample(rng);
            walked += size * z;
            walked
        };
        match self {
            Planted::Of(process) => process.fill(&mut series, rng),
            Planted::Walk => series.iter_mut().for_each(|x| *x = step(1.0, rng)),
            _ => {
                for (index, x) in series.iter_mut().enumerate() {
                    match self {
                        Planted::Lognormal => *x = x.exp(),
                        Planted::Coarse => *x = x.round(),
                        Planted::Every(period, height) if index % period == 0 => *x += height,
                        Planted::Wave(period, height) => {
                            *x += height * (std::f64::consts::TAU * place(index, period)).sin();
                        }
                        Planted::Toggling(period, height) if place(index, period) < 0.5 => {
                            *x += height;
                        }
                        Planted::Trend(height) => *x += height * index as f64 / n as f64,
                        Planted::NoisyWalk(height) => *x += step(height / (n as f64).sqrt(), rng),
                        _ => {}
                    }
                }
            }
        }
        series
    }
}

const PLANTED: [Planted; 20] = [
    Planted::Independent,
    Planted::Lognormal,
    Planted::Coarse,
    Planted::Of(Process::Autoregressive(0.3)),
    Planted::Of(Process::Autoregressive(0.5)),
    Planted::Of(Process::Autoregressive(0.8)),
    Planted::Of(Process::Autoregressive(0.9)),
    Planted::Of(Process::TwoStates { dwell: 5.0 }),
    Planted::Of(Process::Autoregressive(-0.3)),
    Planted::Of(Process::Autoregressive(-0.5)),
    Planted::Every(2, 1.5),
    Planted::Every(3, 2.0),
    Planted::Every(7, 2.0),
    Planted::Every(20, 4.0),
    Planted::Wave(10.4, 1.0),
    Planted::Toggling(25.9, 1.5),
    Planted::Trend(2.0),
    Planted::Trend(4.0),
    Planted::Walk,
    Planted::NoisyWalk(4.0),
];

/// At most this share of independent series may be called something else.
const FALSE: f64 = 0.05;

/// The section, or what breaks the promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let trials = effort.trials.div_ceil(5);
    let cells = parallel::map(PLANTED.len() * SIZES.len(), |task| {
        let (planted, n) = (PLANTED[task / SIZES.len()], SIZES[task % SIZES.len()]);
        let mut rng = generator(SEED, task as u64);
        let mut named = BTreeMap::<&'static str, usize>::new();
        for _ in 0..trials {
            let kind = DependenceKind::of(&planted.series(n, &mut rng));
            *named.entry(kind.map_or("cannot tell", DependenceKind::name)).or_default() += 1;
        }
        named
    });
    let share = |count: usize| count as f64 / trials as f64;
    let of = |place: usize, name: &str| share(cells[place].get(name).copied().unwrap_or(0));
    let chance = 3.0 * (FALSE * (1.0 - FALSE) / trials as f64).sqrt();
    let mut worst = 0.0_f64;
    for place in 0..3 * SIZES.len() {
        let wrong = 1.0 - of(place, "not_seen");
        worst = worst.max(wrong);
        if wrong > FALSE + chance {
            let name = PLANTED[place / SIZES.len()].name();
            return Err(format!("{name}, n={}: {wrong:.4} named", SIZES[place % SIZES.len()]));
        }
    }
    let columns = SIZES.map(|n| format!("n = {n}"));
    let head = ["process".to_string(), "kind".to_string()].into_iter().chain(columns);
    let mut table = MarkdownTable::new(head);
    for (row, planted) in PLANTED.into_iter().enumerate() {
        let entries = (0..SIZES.len()).map(|column| {
            let place = row * SIZES.len() + column;
            let mut others: Vec<(usize, &str)> =
                cells[place].iter().map(|(name, count)| (*count, *name)).collect();
            others.retain(|(count, name)| *name != planted.kind() && share(*count) >= 0.05);
            others.sort_unstable_by_key(|(count, name)| (std::cmp::Reverse(*count), *name));
            let others = others
                .into_iter()
                .map(|(count, name)| format!("; {name} {:.0}", 100.0 * share(count)));
            let right = of(place, planted.kind());
            format!("{:.1}{}", 100.0 * right, others.collect::<String>())
        });
        table.row([planted.name(), planted.kind().to_string()].into_iter().chain(entries));
    }
    Ok(format!(
        "\n## Which kind of dependence is named\n\n\
         Share of series, in %, for which Fathom names the kind of the second column, and after it \
         each other kind that is named for at least 5% ({trials} series per cell). Noise is normal \
         with a standard deviation of 1. Goal: at most 5% of independent series are called anything \
         but `not_seen`; the most is {:.1}%. A memory that is as long as the series is \
         `slow_wandering` whatever the process: AR(1) with φ = 0.9 has an effective size of 3 among \
         50 samples.\n\n{}",
        100.0 * worst,
        table.render()
    ))
}
