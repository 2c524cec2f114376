//! How much is discovered of what is there.

use super::beside::Beside;
use super::trial::{METRICS, Outcome, Plant, Scene};
use super::world::{Anomaly, Nature};
use super::{Effort, WINDOW, percent, play};
use crate::markdown::MarkdownTable;

const PLANTS: [Plant; 7] = [
    Plant::Follow(0.5),
    Plant::Follow(0.7),
    Plant::Follow(0.9),
    Plant::Follow(0.95),
    Plant::Shift(1.0),
    Plant::Shift(2.0),
    Plant::Shift(4.0),
];
/// Metrics that have to do with the target, where any have.
const PLANTED: usize = 5;
/// What the target does there: of all that it may, what has a shape.
const SHAPES: [Anomaly; 4] = [Anomaly::Step, Anomaly::Dip, Anomaly::Ramp, Anomaly::Dips];

/// Where something is planted.
const PLANTED_IN: [Nature; 3] =
    [Nature::Autoregressive(0.0), Nature::Autoregressive(0.5), Nature::Autoregressive(0.9)];
const PLANTED_AMID: [Beside; 3] = [Beside::new(10, 0), Beside::new(10, 30), Beside::new(40, 0)];
/// What a single metric does, and where.
const LONE: [Plant; 5] =
    [Plant::Follow(0.9), Plant::Shift(2.0), Plant::Shift(4.0), Plant::Shift(8.0), Plant::Wake];
const LONE_IN: Nature = Nature::Autoregressive(0.5);
const LONE_AMID: [Beside; 5] = [
    Beside::new(10, 0),
    Beside::new(14, 0),
    Beside::new(20, 0),
    Beside::new(40, 0),
    Beside::new(10, 10),
];
const GROUNDS: usize = PLANTED_IN.len() * PLANTED_AMID.len();

fn ground(number: usize) -> (Nature, Beside) {
    (PLANTED_IN[number / PLANTED_AMID.len()], PLANTED_AMID[number % PLANTED_AMID.len()])
}

/// What was found.
pub(super) struct Power {
    pub(super) several: Vec<Outcome>,
    lone: Vec<Outcome>,
}

impl Power {
    pub(super) fn simulate(effort: Effort) -> Power {
        let several = play(4, effort.sets.div_ceil(3), PLANTS.len() * GROUNDS, |cell, set| {
            let (nature, beside) = ground(cell % GROUNDS);
            let anomaly = SHAPES[set % SHAPES.len()];
            let plant = PLANTS[cell / GROUNDS];
            let [before, after] = [beside.before, beside.after].map(|lengths| lengths * WINDOW);
            Scene { nature, anomaly, before, window: WINDOW, after, plant, planted: PLANTED }
        });
        let lone = play(6, effort.sets.div_ceil(3), LONE.len() * LONE_AMID.len(), |cell, set| {
            let beside = LONE_AMID[cell % LONE_AMID.len()];
            let anomaly = SHAPES[set % SHAPES.len()];
            let [before, after] = [beside.before, beside.after].map(|lengths| lengths * WINDOW);
            let plant = LONE[cell / LONE_AMID.len()];
            Scene { nature: LONE_IN, anomaly, before, window: WINDOW, after, plant, planted: 1 }
        });
        Power { several, lone }
    }

    pub(super) fn render(&self) -> String {
        format!("{}\n{}", found(&self.several), found_alone(&self.lone))
    }
}

fn found(power: &[Outcome]) -> String {
    let grounds = (0..GROUNDS).map(ground);
    let grounds = grounds.map(|(nature, beside)| format!("{}, {}", nature.name(), beside.name()));
    let table = shares_found(&PLANTS, grounds.collect(), power);
    format!(
        "## Something to discover\n\n\
         The share of {PLANTED} planted metrics among {METRICS} that is discovered, in percent. A \
         window of {WINDOW} rows; steps, dips, ramps and periodic dips, alternating. The columns \
         show how the metrics behave otherwise, and how much data there is outside the window. r \
         is the correlation with the target's own rows in the window; a shift changes the \
         window's level, in standard deviations of the metric.\n\n\
         {table}",
    )
}

fn found_alone(lone: &[Outcome]) -> String {
    let table = shares_found(&LONE, LONE_AMID.map(Beside::name).to_vec(), lone);
    format!(
        "## A single metric to discover\n\n\
         How often a single planted metric of {METRICS} is discovered, in percent, where all are \
         {}; the rest as above.\n\n\
         {table}",
        LONE_IN.name()
    )
}

/// A row for each plant, a column for each ground.
fn shares_found(plants: &[Plant], grounds: Vec<String>, outcomes: &[Outcome]) -> String {
    let columns = grounds.len();
    let mut table = MarkdownTable::new(std::iter::once("planted".to_string()).chain(grounds));
    for (plant, outcomes) in plants.iter().zip(outcomes.chunks(columns)) {
        let name = match plant {
            Plant::Nothing => "nothing".to_string(),
            Plant::Follow(r) => format!("follows, r = {r}"),
            Plant::Shift(deviations) => format!("shift of {deviations} deviations"),
            Plant::Wake => "wakes up".to_string(),
        };
        let cells = outcomes.iter().map(|o| percent(o.found, o.planted));
        table.row(std::iter::once(name).chain(cells));
    }
    table.render()
}
