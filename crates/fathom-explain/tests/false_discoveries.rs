//! A little of `calibration/discoveries.md`: how often something is discovered where nothing is, and where
//! something is. Here metrics may also have a load in common.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::change::ChangeJudge;
use fathom_explain::shape::ShapeJudge;
use fathom_explain::significance::{Beside, Past, PastChanges, Pool, chance, q_values};
use fathom_explain::{Grid, Question, Segments, Sequence};
use fathom_record::Span;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;

const METRICS: usize = 60;
const WINDOW: usize = 20;

/// What a metric does by itself.
#[derive(Debug, Clone, Copy)]
enum Nature {
    Autoregressive(f64),
    Walk,
    /// Student's t with 2 degrees of freedom.
    Heavy,
    /// A burst as long as the window in one of so many windows, each metric at its own times.
    Bursts(f64),
    /// The same times for all metrics, each with its own height.
    CommonLoad(f64),
    /// 0, and a count of 1 now and then.
    RareCounts(f64),
    /// 0 until some time.
    LateStarter,
    /// It jumps all the time, by heights of its own.
    Jumpy,
}

const NATURES: [Nature; 11] = [
    Nature::Autoregressive(0.0),
    Nature::Autoregressive(0.9),
    Nature::Walk,
    Nature::Heavy,
    Nature::Bursts(200.0),
    Nature::Bursts(20.0),
    Nature::CommonLoad(20.0),
    Nature::CommonLoad(8.0),
    Nature::RareCounts(30.0),
    Nature::LateStarter,
    Nature::Jumpy,
];

struct Source(Xoshiro256PlusPlus);

impl Source {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// 1 within bursts of about a window, 0 elsewhere.
    fn bursts(&mut self, rows: usize, windows: f64) -> Vec<f64> {
        let mut is_on = false;
        let mut next = |_| {
            let u = self.uniform();
            is_on =
                u < if is_on { 1.0 - 1.0 / WINDOW as f64 } else { 1.0 / (WINDOW as f64 * windows) };
            f64::from(u8::from(is_on))
        };
        (0..rows).map(&mut next).collect()
    }
}

impl Nature {
    fn draw(self, rows: usize, common: &[f64], source: &mut Source) -> Vec<f64> {
        let mut last = 0.0;
        let mut value = |row: usize, source: &mut Source| match self {
            Nature::Autoregressive(phi) => {
                last = phi * last + source.normal();
                last
            }
            Nature::Walk => {
                last += source.normal();
                last
            }
            Nature::Heavy => {
                let squares = source.normal().powi(2) + source.normal().powi(2);
                source.normal() / (0.5 * squares).sqrt()
            }
            Nature::RareCounts(windows) => {
                f64::from(u8::from(source.uniform() < 1.0 / (WINDOW as f64 * windows)))
            }
            Nature::Jumpy => {
                if source.uniform() < 1.0 / WINDOW as f64 {
                    last = 6.0 * source.normal();
                }
                last + source.normal()
            }
            Nature::Bursts(_) | Nature::CommonLoad(_) | Nature::LateStarter => {
                let _ = row;
                source.normal()
            }
        };
        let mut values: Vec<f64> = (0..rows).map(|row| value(row, source)).collect();
        match self {
            Nature::Bursts(windows) => {
                let bursts = source.bursts(rows, windows);
                values.iter_mut().zip(bursts).for_each(|(value, on)| *value += 13.0 * on);
            }
            Nature::CommonLoad(_) => {
                let by = 12.0 * (source.uniform() - 0.3);
                values.iter_mut().zip(common).for_each(|(value, on)| *value += by * on);
            }
            Nature::LateStarter => {
                let asleep = (source.uniform() * rows as f64) as usize;
                values.iter_mut().take(asleep).for_each(|value| *value = 0.0);
            }
            _ => {}
        }
        values
    }
}

/// How many metrics of a data set have a q below .05, of those that are planted and of the others. The
/// planted ones are higher by so many deviations in the window.
fn discovered(
    nature: Nature,
    [before, after]: [usize; 2],
    [planted, by]: [usize; 2],
    source: &mut Source,
) -> [usize; 2] {
    let rows = (before + 1 + after) * WINDOW;
    let window = before * WINDOW..(before + 1) * WINDOW;
    let mut target = Nature::Autoregressive(0.5).draw(rows, &[], source);
    target[window.clone()].iter_mut().for_each(|value| *value += 6.0);
    let question = Question {
        grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
        target: Sequence::from(target),
        windows: std::iter::once(window.clone()).collect(),
        baseline: Some(0..window.start),
        segments: Segments::Auto,
        pattern: None,
    };
    let common = match nature {
        Nature::CommonLoad(windows) => source.bursts(rows, windows),
        _ => Vec::new(),
    };
    let change = ChangeJudge::new(&question).unwrap();
    let shape = ShapeJudge::new(&question).unwrap();
    let past_changes = PastChanges::new(&question);
    let evidence = |number: usize| {
        let mut values = nature.draw(rows, &common, source);
        if number < planted {
            values[window.clone()].iter_mut().for_each(|value| *value += by as f64);
        }
        let metric = Sequence::from(values);
        let change = change.evidence(&metric);
        let (shape, shapes) = shape.weigh(&metric).unzip();
        let changes = change.as_ref().map(|change| past_changes.of(&metric, change));
        (change, shape, changes.into_iter().chain(shapes).reduce(Past::and))
    };
    let all: Vec<_> = (0..METRICS).map(evidence).collect();
    let pasts: Vec<Past> = all.iter().filter_map(|(_, _, past)| past.clone()).collect();
    let pool = Pool::new(&pasts, METRICS, Beside::of(&question).places());
    let chances: Vec<_> = all
        .iter()
        .map(|(change, shape, past)| chance(change.as_ref(), shape.as_ref(), past.as_ref(), &pool))
        .collect();
    let mut found = [0; 2];
    for (number, q) in q_values(&chances).into_iter().enumerate() {
        found[usize::from(number >= planted)] += usize::from(q.is_some_and(|q| q < 0.05));
    }
    found
}

/// Sets are `FATHOM_SETS`, or few.
fn sets() -> usize {
    std::env::var("FATHOM_SETS").ok().and_then(|text| text.parse().ok()).unwrap_or(30)
}

#[test]
fn nothing_is_discovered_where_nothing_is() {
    let sets = sets();
    let mut table = String::new();
    let (mut alarms, mut all, mut worst) = (0, 0, 0.0_f64);
    for (place, nature) in NATURES.into_iter().enumerate() {
        let _ = write!(table, "\n{nature:?}:");
        for (column, beside) in
            [[10, 0], [20, 0], [7, 7], [10, 10], [3, 30]].into_iter().enumerate()
        {
            let seed = (place * 10 + column) as u64;
            let mut source = Source(Xoshiro256PlusPlus::seed_from_u64(20_261_119 + seed));
            let is_alarm = |_: &usize| discovered(nature, beside, [0, 0], &mut source)[1] > 0;
            let count = (0..sets).filter(is_alarm).count();
            let _ = write!(table, " {count}");
            alarms += count;
            all += sets;
            let error = (0.05 * 0.95 * sets as f64).sqrt();
            worst = worst.max((count as f64 - 0.05 * sets as f64) / error);
        }
    }
    println!("of {sets}:{table}\n{alarms} of {all}");
    assert!(worst <= 4.0, "of {sets}:{table}");
    assert!(20 * alarms <= all, "{alarms} of {all}:{table}");
}

#[test]
fn what_is_plain_is_discovered_with_ten_windows_on_each_side() {
    let sets = sets();
    let mut table = String::new();
    let mut found = |nature: Nature, beside: [usize; 2], plant: [usize; 2]| {
        let mut source = Source(Xoshiro256PlusPlus::seed_from_u64(71));
        let share = |_| discovered(nature, beside, plant, &mut source)[0] as f64 / plant[0] as f64;
        let share = (0..sets).map(share).sum::<f64>() / sets as f64;
        let _ = writeln!(table, "{nature:?} {beside:?} {plant:?}: {share:.2}");
        share
    };
    // A fault of 2 s in the middle of 40 s.
    let amid = [10, 9];
    let calm = found(Nature::Autoregressive(0.5), amid, [5, 8]);
    let one = found(Nature::Autoregressive(0.5), amid, [1, 8]);
    let slight = found(Nature::Autoregressive(0.5), amid, [5, 4]);
    let jumpy = found(Nature::Jumpy, amid, [5, 60]);
    let early = found(Nature::Autoregressive(0.5), [4, 15], [1, 8]);
    println!("{table}");
    assert!(calm > 0.9 && one > 0.9 && slight > 0.5 && jumpy > 0.5 && early > 0.8, "{table}");
}
