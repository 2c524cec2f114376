//! Figure 14: how wide intervals of the median become as more confidence is asked for.

use super::{DRAWN, SEED, draw, read};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::bca::{self, Resampling};
use fathom_stats::distribution::normal;
use fathom_stats::mean::Moments;
use fathom_stats::quantile::spa::{self, Direction};
use fathom_stats::{Confidence, Interval, Probability, Sides, quantile};
use rand_core::Rng;

const FILES: [&str; 5] = ["l1miss1k", "runtime", "l2miss1k", "maxload", "tlbwritemiss1k"];
const CONFIDENCES: [f64; 5] = [0.9, 0.95, 0.99, 0.995, 0.999];
const TRIALS: usize = 300;
const METHODS: [&str; 5] = ["ranks", "exact", "sign", "BCa", "z"];

/// The part of the page.
pub(super) fn section() -> Result<String, String> {
    let mut text = format!(
        "\n## Figure 14: width against confidence\n\nMean widths of the median's interval over the truth, \
         in %, as the mean of the five files of ferret; {TRIALS} trials each. **sign** is the symmetric \
         pair of ranks. An interval without an end is left out of the mean, with its share of trials \
         after it.\n\n"
    );
    let mut table = MarkdownTable::new(["confidence"].into_iter().chain(METHODS));
    for (number, confidence) in CONFIDENCES.into_iter().enumerate() {
        let widths =
            parallel::map(FILES.len(), |file| of_file(FILES[file], confidence, number, file));
        let widths = widths.into_iter().collect::<Result<Vec<_>, String>>()?;
        let cell = |method: usize| {
            let sum = |of: fn(&(f64, f64)) -> f64| -> f64 {
                widths.iter().map(|file| of(&file[method])).sum::<f64>() / FILES.len() as f64
            };
            let (width, open) = (100.0 * sum(|one| one.0), 100.0 * sum(|one| one.1));
            if open > 0.0 { format!("{width:.2} ({open:.1}% none)") } else { format!("{width:.2}") }
        };
        let cells = (0..METHODS.len()).map(cell);
        table.row(std::iter::once(format!("{}%", 100.0 * confidence)).chain(cells));
    }
    text.push_str(&table.render());
    Ok(text)
}

/// Of each method the mean width over the truth, and the share of trials without both ends.
fn of_file(
    file: &str,
    confidence: f64,
    number: usize,
    place: usize,
) -> Result<[(f64, f64); 5], String> {
    let level = |error: fathom_stats::LevelError| error.to_string();
    let mut population = read(&format!("ferret_3mb_{file}.csv"))?;
    population.sort_unstable_by(f64::total_cmp);
    let truth = quantile::of_sorted(&population, Probability::HALF).ok_or("an empty file")?;
    let rng = &mut generator(SEED, (1400 + 10 * number + place) as u64);
    let asked = Confidence::new(confidence).map_err(level)?;
    let half = Probability::HALF;
    let spa_ranks = spa::interval(DRAWN, half, asked, Direction::Above);
    let exact_ranks = quantile::exact(DRAWN, half, asked, Sides::Both);
    let sign_ranks = quantile::sign_test(DRAWN, asked);
    let z = normal::quantile(0.5 + 0.5 * confidence);
    let mut sums = [(0.0, 0.0); 5];
    for _ in 0..TRIALS {
        draw(&mut population, DRAWN, rng);
        let mut sample = population[..DRAWN].to_vec();
        sample.sort_unstable_by(f64::total_cmp);
        let resampling = Resampling { resamples: 2_999, seed: rng.next_u64() };
        let statistic = bca::BootstrapStatistic::Quantile(half);
        let boot = bca::interval(&sample, statistic, asked, Sides::Both, resampling).ok();
        let normal = Moments::of(&sample).map(|moments| Interval {
            lower: moments.mean - z * moments.sd,
            upper: moments.mean + z * moments.sd,
        });
        let all = [
            Some(spa_ranks.of_sorted(&sample)),
            Some(exact_ranks.of_sorted(&sample)),
            Some(sign_ranks.of_sorted(&sample)),
            boot,
            normal,
        ];
        for ((width, open), interval) in sums.iter_mut().zip(all) {
            match interval.filter(Interval::is_finite) {
                Some(interval) => *width += interval.width() / truth,
                None => *open += 1.0,
            }
        }
    }
    let trials = TRIALS as f64;
    Ok(sums.map(|(width, open)| (width / (trials - open).max(1.0), open / trials)))
}
