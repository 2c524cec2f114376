//! How fast series are aligned with their path, in how much memory, and compared with other
//! libraries.

mod alone;
mod contestants;
mod field;
mod pairs;
mod tables;

use super::figures::count;
use super::machine::{self, Load};
use super::marked::Part;
use super::{Say, as_it_is};
use contestants::{Contestant, Stage};
use fathom_dtw::Kernel;
use field::Field;
use tables::Found;

pub use alone::{COMMAND, answer};

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Lengths of the series that everyone aligns.
    compared: [usize; 2],
    /// The length of those that only Fathom aligns.
    long: usize,
    rounds: usize,
    /// How many random walks, and how long.
    walks: (u64, usize),
}

impl Effort {
    /// What the page is made with.
    pub const FULL: Effort =
        Effort { compared: [10_000, 30_000], long: 200_000, rounds: 3, walks: (12, 4000) };
    /// To see whether everything works.
    pub const REHEARSAL: Effort =
        Effort { compared: [1000, 2000], long: 5000, rounds: 2, walks: (6, 2000) };
}

/// Measures, and writes the part of the page.
///
/// # Errors
/// A peer cannot be built or installed, or Fathom does not find the best path.
pub fn part(effort: Effort, say: &dyn Fn(&str)) -> Result<String, String> {
    let stage = Stage::set_up(say)?;
    let versions = stage.versions()?;
    let load = Load::now();
    if let Some(warning) = load.warning() {
        say(&warning);
    }
    let found = measured(effort, &stage, say)?;
    Ok(format!(
        "## Time warping\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance warping` on {}{}. Exact \
         dynamic time warping of two series, distance and path, on one core: periods with noise, \
         at an uneven pace. Peers: {versions} (`scripts/peers/warping.py`, `peers/warping`). \
         Fathom and dtw_rs minimise the sum of |x - y|; tslearn and dtaidistance that of squares, \
         which is as much work (dtaidistance's `warping_path_fast` takes \
         `inner_dist=\"euclidean\"` but does not pass it on). Each aligns in its own process, in \
         {} alternating rounds; a process aligns for a second or longer. Times are medians over \
         processes. The cost of a path is compared with the least cost by the definition, cell by \
         cell, except for the longest series, where kernels are compared with each other. Ratio: \
         the time divided by Fathom's default. Memory: how much the process grows while aligning; \
         the whole process is shown next to it.\n\n\
         {}",
        machine::in_words(),
        load.in_words(),
        effort.rounds,
        found.in_words()
    ))
}

/// The page with this part, and the rest as it was.
///
/// # Errors
/// The page cannot be read.
pub fn page_with(part: &str) -> Result<String, String> {
    Ok(Part::WARPING.replaced(&as_it_is()?, part))
}

fn measured(effort: Effort, stage: &Stage, say: Say<'_>) -> Result<Found, String> {
    let everyone = Contestant::all();
    let (walks, length) = effort.walks;
    say("the least costs by the definition");
    let mut walks = Field::new(&pairs::walks(walks, length), &everyone)?;
    let compared = effort.compared.map(|length| Field::new(&[pairs::made(length)], &everyone));
    let mut compared: Vec<Field> = compared.into_iter().collect::<Result<_, _>>()?;
    // A second kernel shows that the first is right.
    let two: Vec<Contestant> = Kernel::available().map(Contestant::Fathom).collect();
    let two = two.get(two.len().saturating_sub(2)..).unwrap_or_default();
    let mut long = Field::without_truth(&[pairs::made(effort.long)], two)?;
    say("random walks");
    walks.round(stage, 0)?;
    for round in 0..effort.rounds {
        for field in compared.iter_mut().chain([&mut long]) {
            let (number, length) = (round + 1, count(field.length));
            say(&format!("round {number} of {}: {length} x {length}", effort.rounds));
            field.round(stage, round)?;
        }
    }
    compared.iter().chain([&long, &walks]).try_for_each(Field::check)?;
    Ok(Found { compared, long, walks })
}
