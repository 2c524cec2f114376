//! Whether the p-value of "clustered in time" is one.

use super::{SEED, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_stats::outliers::InTime;
use rand_core::Rng;

const LABELLED: [usize; 6] = [2, 3, 5, 10, 50, 300];
const SAMPLES: usize = 1000;
const TRIALS: usize = 20_000;

pub(super) fn section() -> String {
    let found = parallel::map(LABELLED.len(), |cell| {
        let labelled = LABELLED[cell];
        let mut rng = generator(SEED + 3, cell as u64);
        // Spread over everything; half of them in a burst; all of them in a burst.
        [0, labelled.div_ceil(2), labelled].map(|in_burst| {
            let noticed = (0..TRIALS).filter(|_| {
                let indices = draw(labelled, in_burst, &mut rng);
                InTime::of(&indices, SAMPLES).is_some_and(|time| time.p_value <= 0.05)
            });
            noticed.count() as f64 / TRIALS as f64
        })
    });
    let mut table =
        MarkdownTable::new(["labelled", "at random", "half in a burst", "all in a burst"]);
    for (labelled, shares) in LABELLED.iter().zip(found) {
        let [random, half, all] = shares.map(percent);
        table.row([labelled.to_string(), random, half, all]);
    }
    format!(
        "## Clustered in time\n\n\
         How often the p-value is at most 0.05, in %, for labels among {SAMPLES} samples: at random, \
         which must not exceed 5; and with half or all of them in a burst, where at least every \
         other sample is labelled. Two labels are never enough.\n\n{}",
        table.render()
    )
}

fn draw(labelled: usize, in_burst: usize, rng: &mut Generator) -> Vec<usize> {
    let mut below = |limit: usize| (rng.next_u64() % limit as u64) as usize;
    let mut is_labelled = vec![false; SAMPLES];
    let start = below(SAMPLES - 2 * in_burst + 1);
    for number in 0..labelled {
        let place = loop {
            let place =
                if number < in_burst { start + below(2 * in_burst) } else { below(SAMPLES) };
            if !is_labelled[place] {
                break place;
            }
        };
        is_labelled[place] = true;
    }
    (0..SAMPLES).filter(|&i| is_labelled[i]).collect()
}
