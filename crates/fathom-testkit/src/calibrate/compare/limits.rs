//! Where the promise does not hold.

use super::Effort;
use super::count::{Count, percent};
use super::machines::{LONG, SHORT};
use super::session::{Effect, Order, paired};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Neighbour, Noise};
use crate::parallel;
use crate::population::generator;

const SEED: u64 = 19_530_115;

pub(super) fn section(effort: Effort) -> String {
    let wandering = [0.0, 0.5, 0.8, 0.95].map(|phi| {
        (format!("ratio remembers {phi}"), Noise::luck(Luck::Normal(0.005)), Effect::Wandering(phi))
    });
    let sturdier = [0.001, 0.05, 0.5, 5.0].map(|mean| {
        let name = format!("bursts of {} ms, reference × 2, subject × 1.5", 1e3 * mean);
        (name, Noise::neighbour(Neighbour::Exponential(mean), 0.005), Effect::Sturdier)
    });
    let rows: Vec<(String, Noise, Effect)> = wandering.into_iter().chain(sturdier).collect();
    let budgets = [(SHORT, effort.short), (LONG, effort.long)];
    let counts = parallel::map(2 * rows.len(), |task| {
        let (_, noise, effect) = rows[task / 2];
        let (most, trials) = budgets[task % 2];
        let mut rng = generator(SEED, task as u64);
        let mut count = Count::default();
        for _ in 0..trials {
            count.add(&paired(noise, most, effect, Order::Coin, &mut rng), 0.0);
        }
        count
    });
    let mut table = MarkdownTable::new([
        "what",
        "42 blocks: \"faster\" or \"slower\"",
        "misses 1",
        "400 blocks: \"faster\" or \"slower\"",
        "misses 1",
    ]);
    for ((name, ..), pair) in rows.iter().zip(counts.chunks(2)) {
        let cells = pair
            .iter()
            .flat_map(|count| [percent(count.different()), percent(1.0 - count.coverage())]);
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    format!(
        "\n## Where it does not hold\n\n\
         The coin makes noise in the slots harmless. It cannot help where the **difference \
         itself** changes over time, because then there is no single ratio.\n\n\
         - *Ratio remembers φ*: the log-ratio of the subject is 0 on average over all times, but \
         drifts from block to block with a standard deviation of .02. A short session sees part \
         of the drift and reports that part. The guard widens the interval by the autocorrelation \
         of the blocks, which helps but is not enough.\n\
         - *Reference × 2, subject × 1.5*: both do the same work, but other load slows the \
         reference to half its speed and the subject to two thirds. On a quiet machine the ratio \
         is 1, under the load .75. With bursts as long as blocks or longer, the quiet blocks are \
         mostly recognised, and the answer is that of the quiet machine, if the session has \
         enough of them. With bursts shorter than a run every run is slowed, and \"faster\" is \
         true under that load.\n\n\
         The remedy is time: spread the comparison over many periods of whatever changes.\n\n\
         {}",
        table.render()
    )
}
