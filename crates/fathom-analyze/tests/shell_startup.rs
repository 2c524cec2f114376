//! Commands that a shell runs, simulated with known truth: how often the intervals without the
//! shell cover it. `docs/methods/shell-startup.md` has the table;
//! `FATHOM_TRIALS=4000 cargo test -p fathom-analyze --test shell_startup -- --nocapture` prints it.

use fathom_analyze::compare::{Comparison, Course, Margin, Pairing, compare_unpaired};
use fathom_analyze::{EstimateRequest, analyze};
use fathom_record::{Series, Startup, Unit};
use fathom_stats::Confidence;
use fathom_stats::paired::Block;

/// What the empty shell takes, in the middle.
const SHELL: f64 = 1.0;

/// Normal numbers, the same for every run of the test.
struct Normal {
    state: u64,
}

impl Normal {
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Times with this median: lognormal, so skewed, each with this much of the one before.
struct Times {
    median: f64,
    spread: f64,
    memory: f64,
    last: f64,
}

impl Times {
    fn new(median: f64, spread: f64, memory: f64, noise: &mut Normal) -> Times {
        Times { median, spread, memory, last: noise.next() }
    }

    fn next(&mut self, noise: &mut Normal) -> f64 {
        let fresh = (1.0 - self.memory * self.memory).sqrt();
        self.last = self.memory * self.last + fresh * noise.next();
        self.median * (self.spread * self.last).exp()
    }
}

fn trials() -> usize {
    let asked = std::env::var("FATHOM_TRIALS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(300)
}

/// The share of trials that `covers`, which says nothing where there is no interval.
fn share(mut covers: impl FnMut(u64) -> Option<bool>) -> f64 {
    let found: Vec<bool> = (0..trials() as u64).filter_map(&mut covers).collect();
    assert!(found.len() * 2 > trials(), "most trials have an interval");
    found.iter().filter(|covers| **covers).count() as f64 / found.len() as f64
}

/// Five standard deviations of a share of 95% below it.
fn least() -> f64 {
    0.95 - 5.0 * (0.95 * 0.05 / trials() as f64).sqrt()
}

#[test]
fn the_interval_of_a_command_covers() {
    for own in [0.0, 0.05, 1.0, 20.0] {
        for (spread, memory) in [(0.05, 0.0), (0.3, 0.0), (0.1, 0.5)] {
            for n in [30, 100] {
                let mut told = 0;
                let covered = share(|trial| {
                    let mut noise = Normal { state: 1000 * trial + 17 };
                    let mut whole = Times::new(SHELL + own, spread, memory, &mut noise);
                    let mut shell = Times::new(SHELL, spread, memory, &mut noise);
                    let (mut wholes, mut shells) = (Vec::new(), Vec::new());
                    for _ in 0..n {
                        wholes.push(whole.next(&mut noise));
                        shells.push(shell.next(&mut noise));
                    }
                    let series = Series::new("x", Unit::SECONDS, wholes).unwrap();
                    let series = series.with_startup(Startup::new(shells, 0.0).unwrap());
                    let subject = analyze(series, &EstimateRequest::default());
                    let interval = subject.estimates[0].interval()?;
                    if interval.is_finite() && subject.is_told_from_shell(&subject.estimates[0]) {
                        told += 1;
                    }
                    Some(interval.contains(own))
                });
                println!(
                    "| {own} | {spread} | {memory} | {n} | {:.1}% | {:.1}% |",
                    100.0 * covered,
                    100.0 * f64::from(told) / trials() as f64
                );
                assert!(covered >= least(), "{own} {spread} {memory} {n}: {covered}");
                // No command: at most half of the error says that there is one.
                assert!(own > 0.0 || f64::from(told) / (trials() as f64) < 0.06, "{told}");
            }
        }
    }
}

#[test]
fn the_ratio_of_a_comparison_covers() {
    // What the two take without the shell.
    for [reference, subject] in [[1.0, 1.0], [1.0, 1.1], [0.2, 0.3], [10.0, 9.0], [0.05, 0.5]] {
        let mut told = 0;
        let covered = share(|trial| {
            let mut noise = Normal { state: 7000 * trial + 5 };
            let mut course =
                Course::new(1, 100, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0)
                    .with_shell();
            loop {
                // A machine that drifts does so for all.
                let drift = 1.0 + 0.3 * (course.blocks() as f64 / 20.0).sin();
                let mut two =
                    |own: f64| [0; 2].map(|_| drift * (SHELL + own) * (0.05 * noise.next()).exp());
                let (of, base, shell) = (two(subject), two(reference), two(0.0));
                course.take_shell(Block::of(shell, base).unwrap());
                if course.take(&[(0, Block::of(of, base).unwrap())]) {
                    break;
                }
            }
            let found = Comparison::of(&course, 0, ["old", "new"], Pairing::Runs, 1.0).unwrap();
            let shell = found.shell.unwrap();
            let truth = if shell.is_hidden() {
                (SHELL + subject) / (SHELL + reference)
            } else {
                told += 1;
                subject / reference
            };
            Some(found.interval.contains(truth))
        });
        println!(
            "| {reference} | {subject} | {:.1}% | {:.1}% |",
            100.0 * covered,
            100.0 * f64::from(told) / trials() as f64
        );
        assert!(covered >= least(), "{reference} {subject}: {covered}");
    }
}

/// A command against a shell that takes as long: the shell's noise never decides which is faster.
#[test]
fn nothing_against_nothing_has_no_ratio() {
    let subject = |name: &str, seed: u64| {
        let mut noise = Normal { state: seed };
        let mut times = Times::new(SHELL, 0.1, 0.0, &mut noise);
        let whole = (0..60).map(|_| times.next(&mut noise)).collect();
        let shell = (0..60).map(|_| times.next(&mut noise)).collect();
        let series = Series::new(name, Unit::SECONDS, whole).unwrap();
        analyze(series.with_startup(Startup::new(shell, 0.0).unwrap()), &EstimateRequest::default())
    };
    let found = compare_unpaired(
        &subject("old", 1),
        &subject("new", 2),
        &EstimateRequest::default(),
        Margin::DEFAULT,
        &[],
    )
    .unwrap();
    assert_eq!(found.verdict.name(), "inconclusive");
    assert_eq!(found.shell.unwrap().hidden, [true, true]);
    assert!(found.ratio.is_finite() && !found.interval.is_finite());
}
