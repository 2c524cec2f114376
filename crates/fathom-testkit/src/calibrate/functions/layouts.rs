//! Two builds whose code may lie anywhere: layouts, and executions within each.

use super::executions::Layout;
use super::{Effort, chance};
use crate::calibrate::compare::{Count, Said, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_analyze::compare::{Course, Margin, Verdict};
use fathom_stats::Confidence;
use fathom_stats::paired::Block;
use rand_distr::{Distribution, StandardNormal};

const SEED: u64 = 20_090_307;
const RATIOS: [f64; 4] = [1.0, 1.01, 1.02, 1.05];
const CHUNKS: usize = 8;
/// Pairs of executions, however many layouts they are of; or one for each layout.
const EXECUTIONS: usize = 20;
/// The standard deviation of executions of one layout, from where their data lie.
const OF_EXECUTIONS: f64 = 0.003;
/// Numbers of layouts of each build.
const COUNTS: [usize; 8] = [1, 2, 4, 8, 12, 16, 20, 32];

/// How layouts scatter; 1% to 2% is common for functions of some hundred nanoseconds.
const LAYOUTS: [Layout; 4] =
    [Layout::Normal(0.003), Layout::Normal(0.02), Layout::TwoStates(0.05), Layout::Skewed(0.02)];

/// A comparison as `duel` makes it. With one layout, executions are all that varies, and the
/// answer is taken for one about the code.
fn compared(layout: Layout, count: usize, ratio: f64, rng: &mut Generator) -> Said {
    let margin = Margin::DEFAULT;
    let executions = (EXECUTIONS / count).max(1);
    let units = if count == 1 { EXECUTIONS } else { count };
    let mut course = Course::new(1, units, Confidence::DEFAULT, margin, Vec::new(), 0.0);
    let drawn = |rng: &mut Generator| layout.drawn(rng) - layout.drawn(rng);
    let only = drawn(rng);
    loop {
        let (of_layout, executions) = if count == 1 { (only, 1) } else { (drawn(rng), executions) };
        let mean: f64 = (0..executions)
            .map(|_| {
                let [new, old]: [f64; 2] = [StandardNormal.sample(rng), StandardNormal.sample(rng)];
                OF_EXECUTIONS * (new - old) / executions as f64
            })
            .sum();
        let log_ratio = ratio.ln() + of_layout + mean;
        if course.take(&[(0, Block { log_ratio, log_total: 0.0 })]) {
            break;
        }
    }
    let subject = &course.subjects()[0];
    Said {
        interval: subject.interval(),
        verdict: Verdict::of(subject.interval(), margin),
        blocks: subject.blocks().len(),
    }
}

/// The table, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let rows: Vec<(Layout, usize)> =
        LAYOUTS.iter().flat_map(|layout| COUNTS.map(|count| (*layout, count))).collect();
    let parts = parallel::map(rows.len() * CHUNKS, |task| {
        let (layout, count) = rows[task / CHUNKS];
        let mut rng = generator(SEED, task as u64);
        let mut cell = [Count::default(); RATIOS.len()];
        for (ratio, counted) in RATIOS.into_iter().zip(&mut cell) {
            for _ in 0..effort.executions.div_ceil(CHUNKS) {
                counted.add(&compared(layout, count, ratio, &mut rng), ratio.ln());
            }
        }
        cell
    });
    let mut table = MarkdownTable::new([
        "layouts scatter",
        "layouts",
        "A/A false",
        "A/A equivalent",
        "finds 1%",
        "finds 2%",
        "finds 5%",
        "covers",
    ]);
    let mut broken = Vec::new();
    for ((layout, count), chunks) in rows.iter().zip(parts.chunks(CHUNKS)) {
        let mut cell = [Count::default(); RATIOS.len()];
        for chunk in chunks {
            cell.iter_mut().zip(chunk).for_each(|(sum, part)| sum.merge(part));
        }
        let [same, one, two, five] = &cell;
        let covers = cell.iter().map(Count::coverage).fold(1.0, f64::min);
        let name = layout.name();
        // One layout is there to show what it does.
        if *count > 1 && same.different() > 0.05 + chance(same.trials) {
            broken.push(format!("{name}, {count}: {:.4} false verdicts", same.different()));
        }
        if *count > 1 && covers < 0.95 - chance(same.trials) {
            broken.push(format!("{name}, {count}: covers {covers:.4}"));
        }
        table.row([
            name,
            if *count == 1 { "this one only".to_string() } else { count.to_string() },
            percent(same.different()),
            percent(same.equivalent()),
            percent(one.different()),
            percent(two.different()),
            percent(five.different()),
            percent(covers),
        ]);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Layouts of two builds\n\n\
         Each layout of a build makes its code faster or slower by the given distribution, and each \
         execution of it by another {:.1}% (standard deviation). {EXECUTIONS} pairs of executions \
         are spread over the layouts, or more where there are more layouts. *This one only* is \
         `--layouts 1`, with its answer taken for one about the code: its interval covers the ratio \
         of two executables, not that of the code. 2 and 4 layouts have no finite interval at 95%, so \
         they decide nothing; at least 6 are needed.\n\n\
         {}",
        100.0 * OF_EXECUTIONS,
        table.render()
    ))
}
