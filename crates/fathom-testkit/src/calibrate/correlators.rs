//! `calibration/correlators.md`: how well correlators rank metrics whose labels are known, by the
//! protocol of the paper's Figure 9.

mod agreement;
mod findings;
mod found;
mod labels;
mod methods;
mod shapes;

use crate::background::Background;
use crate::markdown::MarkdownTable;
use crate::parallel;
use fathom_explain::{Correlator, Family};
use findings::PAPER;
use found::{Found, short};
use labels::SHARES;
use methods::{Method, agreements};
use shapes::Shape;
use std::fmt::Write;

const SEED: u64 = 20_050_612;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Data sets of each shape.
    pub sets: usize,
    /// Metrics in each of them.
    pub metrics: usize,
}

impl Effort {
    /// What the committed page is made with.
    pub const FULL: Effort = Effort { sets: 20, metrics: 300 };
}

/// Simulates and writes the page. It has no goals that could be missed: it says what is so.
pub fn page(effort: Effort) -> Result<String, String> {
    let found = find(effort)?;
    let mut text = head(effort);
    made(&mut text);
    ranking(&mut text, &found);
    text.push_str("\n## The paper's findings\n\n");
    text.push_str(
        "In the paper, people labelled the metrics of four programs by eye; here the labels are \
         true and the noise is simulated. So orders and gaps can be compared with the paper, but \
         heights hardly. A difference counts by its sign, and where an interval is given, only if \
         the interval excludes 0.\n\n",
    );
    text.push_str(&findings::section(&findings::all(&found)));
    beyond(&mut text, &found);
    Ok(text)
}

/// All data sets, on all cores. The longest shapes first.
fn find(effort: Effort) -> Result<Found, String> {
    let sets = parallel::map(Shape::ALL.len() * effort.sets, |cell| {
        let shape = Shape::ALL[cell / effort.sets];
        agreements(shape, effort.metrics, (SEED, cell as u64))
            .ok_or_else(|| format!("{}: a data set without a question", shape.name()))
    });
    let sets = sets.into_iter().collect::<Result<Vec<_>, String>>()?;
    let by_shape = sets.chunks(effort.sets.max(1)).map(<[_]>::to_vec).collect();
    Ok(Found { methods: Method::all(), by_shape })
}

fn head(effort: Effort) -> String {
    format!(
        "# Correlators: do they rank as an expert would?\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate correlators` (seed {SEED}, \
         {} data sets of {} metrics per shape).\n\n\
         The protocol is that of Figure 9 in Hauswirth, Diwan, Sweeney and Mozer, \"Automating \
         vertical profiling\" (OOPSLA 2005): every metric has a label, yes, maybe or no, and a \
         correlator ranks the metrics. The numbers are Spearman's coefficient of the two on \
         mid-ranks, divided by its largest possible value: 1 if every yes comes before every \
         maybe and every maybe before every no, 0 by chance. Metrics without a score come last, \
         tied; a correlator without scores on a shape gets 0 there. Brackets are 95% intervals of \
         the mean over data sets, by the BCa bootstrap.\n\n",
        effort.sets, effort.metrics
    )
}

fn made(text: &mut String) {
    let kinds: Vec<String> = Background::ALL.iter().map(|kind| kind.name()).collect();
    let _ = write!(
        text,
        "## How the data are made\n\n\
         The choices were made before the first result was seen, and not changed since. The \
         target is a signal from 0 to 1, plus noise of .1 with a lag-1 correlation of .3.\n\n\
         - **J GI 1**: 1 − exp(−t/τ) over 3000 rows, all of them selected. **J GI 2**: the same \
         over 4000, with two windows of 800 without collections; elsewhere 2% of all rows are \
         spikes, as in J GI 1.\n\
         - **D SLP**: ten sines of 430 to 500 rows after a start of about 950; the ninth is \
         selected. **D FLP**: the first is selected, with .25 more noise and 3% spikes in it.\n\
         - **C SI**: a step of 4 to 10 rows' width in a window of 600 of 4000. **H PGD**: dips of \
         35 to 55 rows, about seven of them in 5000; the sixth is selected with 200 rows around \
         it.\n\
         - **D D**: a hump that rises at once and falls slowly, in a window of 400 of 4000 rows \
         where 8% are spikes of 2 to 6 times its height.\n\n\
         Spikes and added noise affect every metric, each at its own places; unless stated \
         otherwise, .5% of rows are spikes of 1 to 3 times the height. A quarter of the metrics \
         are read only once in 2 to 8 rows. Units range from a thousandth to a million, far from \
         0.\n\n\
         - **Yes** ({} of 100): the signal, up or down; six of ten linear, the others curved up, \
         down or at both ends; late or early by up to 2% of the window; noise of .05 to .35 with \
         a lag-1 correlation of 0, .5 or .9.\n\
         - **Maybe** ({} of 100): one of five. Noise of .6 to 1.2; only 40 to 70% of the window \
         follows; it takes 1.5 to 2 times as long or as short; late or early by 8 to 20% of the \
         window; an AR(1) with .98, as high as the signal, is added.\n\
         - **No** (the others): {}. A random walk that happens to rise with the target is also a \
         no, so no correlator can reach 1.\n\n\
         The drawn pattern has the signal's knots, rounded to 2% of the window and 10% of the \
         height, as a person who sees the shape would draw them. The number of segments fits the \
         shape: 3, 2 in each window, 3, 2, 3, 3, 4.\n\n",
        SHARES.0,
        SHARES.1,
        kinds.join(", ")
    );
}

fn ranking(text: &mut String, found: &Found) {
    text.push_str("## Agreement with the labels\n\n");
    let shapes = Shape::ALL.map(|shape| shape.name().to_string());
    let head = ["correlator".to_string()].into_iter().chain(shapes);
    let mut table =
        MarkdownTable::new(head.chain(["mean of seven".to_string(), "worst".to_string()]));
    for &method in &found.methods {
        let cell = |shape: Shape| {
            if found.answers(shape, method) {
                found.mean(shape, method).said()
            } else {
                "no answer".to_string()
            }
        };
        let (worst, lowest) = found.worst(method);
        let cells = [method.name()].into_iter().chain(Shape::ALL.map(cell));
        let last = [found.overall(method).said(), format!("{} {}", short(lowest), worst.name())];
        table.row(cells.chain(last));
    }
    text.push_str(&table.render());
    let same = Shape::ALL.into_iter().all(|shape| {
        let of = |one| found.values(shape, Method::Ours(one));
        of(Correlator::Pearson) == of(Correlator::Euclidean)
    });
    let column = if same {
        "is the same as Pearson's in every data set, as it must be: on z-scores the squared \
         distance is 2N(1 − |r|). Never count both."
    } else {
        "differs from Pearson's in some data set, which rounding alone can do: on z-scores the squared \
         distance is 2N(1 − |r|)."
    };
    let _ = writeln!(
        text,
        "\nEuclidean distance {column} The change family needs rows before the window, so it \
         gives no answer where the whole metric is selected."
    );
}

/// What the paper does not have.
fn beyond(text: &mut String, found: &Found) {
    let overall = |method: Method| found.overall(method);
    let ours = |correlator: Correlator| overall(Method::Ours(correlator)).said();
    let best = |methods: &mut dyn Iterator<Item = Correlator>| {
        let all = methods.map(|one| (one, overall(Method::Ours(one)).value));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(one, _)| one)
    };
    let name =
        |one: Option<Correlator>| one.map_or(String::new(), |one| format!("{one} {}", ours(one)));
    let of_paper = best(&mut PAPER.into_iter());
    let of_change =
        best(&mut Correlator::ALL.into_iter().filter(|one| one.family() == Family::Change));
    let of_all = best(&mut Correlator::ALL.into_iter());
    let on = |method: Method| found.mean(Shape::Distorted, method).said();
    let (shape, combined) = (Correlator::ShapeScore, Correlator::Combined);
    let low = |one: Correlator| {
        let (shape, lowest) = found.worst(Method::Ours(one));
        format!("{} at worst, on {}", short(lowest), shape.name())
    };
    let _ = write!(
        text,
        "\n## Beyond the paper\n\n\
         Means of seven, with intervals.\n\n\
         - Best of all: {}. Best of the paper's eight: {}. Best of the change family: {}; these \
         shapes are about form, and where the level does not change it has nothing to find.\n\
         - The shape score: {} ({}). The combined rank: {} ({}).\n\
         - An automatic pattern instead of the drawn one: {} against {}; metrics without their \
         spikes: {} against {}.\n\
         - On D D the manual pattern has {} and Spearman's coefficient {}. A drawn line cleans \
         the target, but here spikes affect the metrics too; without them it has {}.\n\
         - The largest coefficient over lags: {}, against {} without.\n\
         - Same splits by the inverse of the error, as in the paper, depends on the metric's \
         unit: {}. By R²: {}.\n",
        name(of_all),
        name(of_paper),
        name(of_change),
        ours(shape),
        low(shape),
        ours(combined),
        low(combined),
        ours(Correlator::AutoPattern),
        ours(Correlator::ManualPattern),
        overall(Method::AutoDespiked).said(),
        overall(Method::ManualDespiked).said(),
        on(Method::Ours(Correlator::ManualPattern)),
        on(Method::Ours(Correlator::Spearman)),
        on(Method::ManualDespiked),
        ours(Correlator::Lagged),
        ours(Correlator::Pearson),
        overall(Method::SameSplitsUnscaled).said(),
        ours(Correlator::SameSplits),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_study_has_its_gist() {
        let effort = Effort { sets: 2, metrics: 60 };
        let found = find(effort).unwrap();
        let overall = |one| found.overall(Method::Ours(one)).value;
        for correlator in [
            Correlator::Pearson,
            Correlator::Manhattan,
            Correlator::Warping,
            Correlator::ManualPattern,
            Correlator::ShapeScore,
            Correlator::Combined,
        ] {
            assert!(overall(correlator) > 0.4, "{correlator} {}", overall(correlator));
        }
        assert!(found.overall(Method::SameSplitsUnscaled).value < overall(Correlator::SameSplits));
        for shape in Shape::ALL {
            let of = |one| found.values(shape, Method::Ours(one));
            assert_eq!(of(Correlator::Euclidean), of(Correlator::Pearson), "{shape:?}");
        }
    }

    #[test]
    fn the_page_is_the_same_twice_and_has_only_numbers() {
        let effort = Effort { sets: 2, metrics: 20 };
        let first = page(effort).unwrap();
        assert!(!first.contains("NaN") && !first.contains("inf"), "{first}");
        assert_eq!(first.matches(" | yes ").count() + first.matches("**no**").count(), 13);
        assert_eq!(first, page(effort).unwrap());
    }
}
