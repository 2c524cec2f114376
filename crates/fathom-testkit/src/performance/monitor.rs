//! How fast formulas are judged, at any width of their windows, and compared with rtamt.

use super::figures::{count, ratio, time, verdict};
use super::marked::Part;
use super::peers::Peers;
use super::{Say, as_it_is, machine, stopwatch};
use crate::markdown::MarkdownTable;
use crate::population::generator;
use fathom_property::{Formula, NumberComparison, QualifiedName, Relation, Term, Window, judge};
use fathom_record::{Observation, Shape, Signal, Unit};
use rand_distr::{Distribution, Open01};

/// Samples of each signal, and widths of windows in samples.
const N: usize = 1_000_000;
const WIDTHS: [usize; 3] = [10, 1000, 100_000];
/// As many as rtamt judges in seconds.
const N_OF_PEER: usize = 10_000;
const WIDTHS_OF_PEER: [usize; 3] = [10, 100, 1000];
const RUNS: usize = 10;
const RUNS_OF_PEER: usize = 3;
const LEAST_POINTS: f64 = 10e6;
const LEAST_RATIO: f64 = 20.0;
/// A window may cost no more than this many times what the narrowest costs.
const MOST_GROWTH: f64 = 1.5;

/// What is judged, as its name is in the peer's script, as text, and how many signals it has.
const FORMULAS: [(&str, &str, usize); 3] = [
    ("always", "G[0,w] x<c", 1),
    ("response", "G[0,w](x<c -> F[0,w] y>c)", 2),
    ("until", "x<c U[0,w] y>c", 2),
];

/// Measures and writes the part of the page.
///
/// # Errors
/// Python or rtamt is missing, or rtamt judges otherwise.
pub fn page(say: Say<'_>) -> Result<String, String> {
    let peers = Peers::find()?;
    let load = machine::Load::now();
    let (table, is_fast, is_even) = alone(say)?;
    let (beside, least) = beside_rtamt(&peers, say)?;
    let part = format!(
        "## Judging temporal formulas\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance monitor` on {}{}. Step \
         signals of uniform values, one for each unit of time, c = 0.5: truth and robustness at \
         all times, from an observation in memory to a judgement, on one core; the best of {RUNS} \
         runs. Points are samples of all the signals of a formula.\n\n\
         Goal: at least {} million points a second: {}. Goal: time independent of the window's \
         width (no width takes more than {MOST_GROWTH} times what the narrowest takes): {}. \
         Narrow windows take the longest, because their result changes most often.\n\n\
         {table}\n\
         Compared with rtamt, in Python (its package has no compiled monitor for whole traces), \
         the faster of its discrete and dense time, on the first {} samples; the best of \
         {RUNS_OF_PEER} runs, of the evaluation alone. rtamt's discrete until takes time in the \
         square of the width, so it is measured for the narrowest window only. All give the same \
         judgements, except that rtamt's dense until has other semantics. Goal: at least \
         {LEAST_RATIO} times as fast. The smallest ratio is {}: {}.\n\n\
         {beside}",
        machine::in_words(),
        load.in_words(),
        LEAST_POINTS / 1e6,
        verdict(is_fast),
        verdict(is_even),
        count(N_OF_PEER),
        ratio(least),
        verdict(least >= LEAST_RATIO),
    );
    Ok(Part::MONITOR.replaced(&as_it_is()?, &part))
}

/// The table of points a second, whether all are enough, and whether widths cost alike.
fn alone(say: Say<'_>) -> Result<(String, bool, bool), String> {
    let seen = observation(N)?;
    let heads = WIDTHS.map(|width| format!("w = {}", count(width)));
    let mut table = MarkdownTable::new(std::iter::once("formula".to_string()).chain(heads));
    let (mut is_fast, mut is_even) = (true, true);
    for (name, text, signals) in FORMULAS {
        let mut row = vec![format!("`{text}`")];
        let mut narrowest = f64::INFINITY;
        for width in WIDTHS {
            say(&format!("{text}, w = {width}"));
            let seconds = seconds(&formula(name, width), &seen, RUNS);
            let points = (signals * N) as f64 / seconds;
            is_fast &= points >= LEAST_POINTS;
            is_even &= seconds <= MOST_GROWTH * narrowest;
            narrowest = narrowest.min(seconds);
            row.push(format!("{:.1} million/s", points / 1e6));
        }
        table.row(row);
    }
    Ok((table.render(), is_fast, is_even))
}

/// The table of ratios, and the least of them.
fn beside_rtamt(peers: &Peers, say: Say<'_>) -> Result<(String, f64), String> {
    let seen = observation(N_OF_PEER)?;
    let values: Vec<f64> =
        seen.signals().values().flat_map(|signal| signal.values().iter().copied()).collect();
    let mut table = MarkdownTable::new(["formula", "w", "Fathom", "rtamt", "its time", "ratio"]);
    let mut least = f64::INFINITY;
    for (name, text, _) in FORMULAS {
        for width in WIDTHS_OF_PEER {
            say(&format!("{text}, w = {width}, beside rtamt"));
            let formula = formula(name, width);
            let expected = judge(&formula, &[&seen]).robustness.low;
            let before = seconds(&formula, &seen, RUNS);
            let (width, expected) = (width.to_string(), format!("--expect={expected}"));
            let runs = RUNS_OF_PEER.to_string();
            let words = ["--formula", name, "--width", &width, &expected, "--runs", &runs];
            let measured = peers.measure_on(&values, "monitor.py", &words)?;
            let peer = measured
                .into_iter()
                .min_by(|a, b| a.seconds.total_cmp(&b.seconds))
                .ok_or("monitor.py printed nothing")?;
            let own = before.min(seconds(&formula, &seen, RUNS));
            let faster = peer.seconds / own;
            least = least.min(faster);
            let text = format!("`{text}`");
            table.row([&text, &width, &time(own), &time(peer.seconds), &peer.peer, &ratio(faster)]);
        }
    }
    Ok((table.render(), least))
}

fn seconds(formula: &Formula, seen: &Observation, runs: usize) -> f64 {
    stopwatch::best_of(runs, || (), |()| judge(formula, &[seen]))
}

/// Two step signals, x and y, of this many uniform values.
fn observation(n: usize) -> Result<Observation, String> {
    let mut seen = Observation::new();
    for (stream, name) in [(0, "x"), (1, "y")] {
        let mut rng = generator(6, stream);
        let values = (0..n).map(|_| Open01.sample(&mut rng)).collect();
        let times = (0..n).map(|i| i as f64).collect();
        let signal = Signal::new(Unit::Unknown, Shape::Step, times, values);
        let signal = signal.map_err(|error| error.to_string())?;
        seen.set_signal(name, signal).map_err(|error| error.to_string())?;
    }
    seen.set_end((n - 1) as f64).map_err(|error| error.to_string())?;
    Ok(seen)
}

fn formula(name: &str, width: usize) -> Formula {
    let compare = |name: &str, relation| {
        let source = QualifiedName { run: 0, name: name.to_string() };
        let (left, right) = (Term::Metric(source), Term::Number(0.5));
        let (unit, span) = (String::new(), 0..1);
        Box::new(Formula::Compare(NumberComparison { left, relation, right, unit, span }))
    };
    let (x, y) = (compare("x", Relation::Less), compare("y", Relation::Greater));
    let window = Window { from: 0.0, to: width as f64, includes_from: true, includes_to: true };
    match name {
        "always" => Formula::Always(window, x),
        "response" => {
            let soon = Box::new(Formula::Eventually(window, y));
            Formula::Always(window, Box::new(Formula::Implies(x, soon)))
        }
        _ => Formula::Until { left: x, right: y, window, is_weak: false },
    }
}
