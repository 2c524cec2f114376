//! Two functions in one process: batches of 20 µs on noisy machines.

use super::{Effort, chance};
use crate::calibrate::compare::{Count, Said, percent};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Machine, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_analyze::compare::{Course, Margin, Verdict};
use fathom_stats::Confidence;
use fathom_stats::paired::{Block, Looks};

const SEED: u64 = 20_261_115;
const RATIOS: [f64; 3] = [1.0, 1.01, 1.02];
const CHUNKS: usize = 8;
/// A batch, and what passes between two of them.
const BATCH: f64 = 20e-6;
const BETWEEN: f64 = 1e-6;
/// As fathom-bench has them.
const BUDGET: f64 = 2.0;
const MARGIN: f64 = 0.005;
const EARLIEST: f64 = 0.1;

fn noises() -> Vec<Noise> {
    vec![
        Noise::luck(Luck::Normal(0.005)),
        Noise::luck(Luck::Normal(0.05)),
        Noise::luck(Luck::HeavyTailed(0.02)),
        Noise::luck(Luck::Remembering(0.8)),
        Noise::luck(Luck::Growing),
        Noise::smooth(Smooth::Drift(0.06)),
        Noise::smooth(Smooth::Wave(4.0 * (BATCH + BETWEEN))),
        Noise::smooth(Smooth::Wave(0.05)),
        Noise::smooth(Smooth::Walk(0.3)),
        Noise::neighbour(Neighbour::Exponential(0.0001), 0.005),
        Noise::neighbour(Neighbour::Exponential(0.05), 0.005),
        Noise::neighbour(Neighbour::Toggling(0.3), 0.005),
        Noise::neighbour(Neighbour::TakingTurns(0.3), 0.005),
    ]
}

/// A comparison as `fathom-bench` runs it.
fn compared(noise: Noise, ratio: f64, rng: &mut Generator) -> Said {
    // Fixed by the quickest batches of the warm-up.
    let most = (BUDGET / (4.0 * (BATCH + BETWEEN))) as usize;
    let margin = Margin::new(MARGIN).unwrap_or(Margin::DEFAULT);
    let looks = Looks::plan(most).not_before((EARLIEST * most as f64) as usize);
    let mut course =
        Course::new(1, most, Confidence::DEFAULT, margin, Vec::new(), 0.0).with_looks(looks);
    let mut machine = Machine::new(noise, BUDGET, rng).with_runs_of(BATCH, BETWEEN);
    loop {
        let subject_first = machine.coin();
        let mut run = |is_subject: bool| machine.run(if is_subject { ratio } else { 1.0 });
        let [outer, inner, inner_again, outer_again] =
            [subject_first, !subject_first, !subject_first, subject_first].map(&mut run);
        let (first, second) = ([outer, outer_again], [inner, inner_again]);
        let block = if subject_first { Block::of(first, second) } else { Block::of(second, first) };
        if block.is_some_and(|block| course.take(&[(0, block)])) {
            break;
        }
        if machine.clock() >= BUDGET {
            course.end();
            break;
        }
    }
    let subject = &course.subjects()[0];
    let interval = subject.interval();
    Said { interval, verdict: Verdict::of(interval, margin), blocks: subject.blocks().len() }
}

/// The table, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let noises = noises();
    let parts = parallel::map(noises.len() * CHUNKS, |task| {
        let noise = noises[task / CHUNKS];
        let mut rng = generator(SEED, task as u64);
        RATIOS.map(|ratio| {
            let mut count = Count::default();
            for _ in 0..effort.batches.div_ceil(CHUNKS) {
                count.add(&compared(noise, ratio, &mut rng), ratio.ln());
            }
            count
        })
    });
    let mut table = MarkdownTable::new([
        "machine",
        "A/A false",
        "A/A equivalent",
        "finds 1%",
        "finds 2%",
        "covers",
        "blocks A/A, 1%, 2%",
    ]);
    let mut broken = Vec::new();
    for (noise, chunks) in noises.iter().zip(parts.chunks(CHUNKS)) {
        let mut counts = [Count::default(); RATIOS.len()];
        for chunk in chunks {
            counts.iter_mut().zip(chunk).for_each(|(sum, part)| sum.merge(part));
        }
        let [same, one, two] = &counts;
        let covers = counts.iter().map(Count::coverage).fold(1.0, f64::min);
        if same.different() > 0.05 + chance(same.trials) {
            broken.push(format!("{}: {:.4} false verdicts", noise.name(), same.different()));
        }
        if covers < 0.95 - chance(same.trials) {
            broken.push(format!("{}: covers {covers:.4}", noise.name()));
        }
        table.row([
            name(noise),
            percent(same.different()),
            percent(same.equivalent()),
            percent(one.different()),
            percent(two.different()),
            percent(covers),
            counts.map(|count| format!("{:.0}", count.blocks())).join(", "),
        ]);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Two functions in one process\n\n\
         Batches of 20 µs with 1 µs between them, for 2 s, margin 0.5%, no look before a tenth of \
         the blocks; the machines of `fathom-testkit/src/noise.rs`, where other load lasts as \
         long as it does for commands. The standard error of a share of 5% is {:.1} points.\n\n\
         {}",
        100.0 * (0.05 * 0.95 / effort.batches as f64).sqrt(),
        table.render()
    ))
}

/// A wave as long as a block is named so.
fn name(noise: &Noise) -> String {
    let block = 4.0 * (BATCH + BETWEEN);
    noise.name().replace(&format!("wave, {block} s"), "wave, one block")
}
