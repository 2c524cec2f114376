//! `calibration/onset.md`: how often the interval of an onset contains the true row, and that of a lead
//! the true lead.

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use crate::process::Process;
use fathom_explain::onset::OnsetRows;
use fathom_explain::{Grid, Question, Segments, Sequence};
use fathom_record::Span;

const SEED: u64 = 20_261_119;
/// The window is a tenth of the run, in its middle.
const RUN: usize = 10;
const WINDOWS: [usize; 3] = [10, 40, 200];
/// Heights of the change, in standard deviations of a row.
const HEIGHTS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
const DEPENDENCE: [f64; 4] = [0.0, 0.5, 0.9, 0.98];
/// The least share of intervals that contain the truth.
const PROMISED: f64 = 0.975;
/// Fewer onsets than this share of trials say nothing of a promise.
const ENOUGH: f64 = 0.2;

/// How much is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Runs in a cell.
    pub trials: usize,
}

impl Effort {
    /// What the committed page has.
    pub const FULL: Effort = Effort { trials: 1000 };
}

/// What a change looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// It stays.
    Step,
    /// It is over before the window is.
    Pulse,
    /// It climbs over a fifth of the window; the truth is its middle.
    Ramp,
}

const FORMS: [(Form, &str); 3] = [
    (Form::Step, "step"),
    (Form::Pulse, "pulse"),
    (Form::Ramp, "climb over a fifth of the window"),
];

/// What became of the runs of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    trials: f64,
    given: f64,
    covered: f64,
    rows: f64,
    leads: f64,
    leads_covered: f64,
}

impl Outcome {
    fn add(&mut self, other: &Outcome) {
        self.trials += other.trials;
        self.given += other.given;
        self.covered += other.covered;
        self.rows += other.rows;
        self.leads += other.leads;
        self.leads_covered += other.leads_covered;
    }

    /// "given / covered / rows".
    fn cell(&self) -> String {
        if self.given < ENOUGH * self.trials {
            return format!("{:.0} / - / -", 100.0 * self.given / self.trials);
        }
        let percent = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
        let (given, covered) =
            (percent(self.given, self.trials), percent(self.covered, self.given));
        format!("{given:.0} / {covered:.1} / {:.1}", self.rows / self.given)
    }
}

/// A run in which two metrics change, one some rows after the other.
struct Trial {
    form: Form,
    window: usize,
    height: f64,
    phi: f64,
}

impl Trial {
    fn play(&self, rng: &mut Generator) -> Outcome {
        let rows = RUN * self.window;
        let start = rows / 2;
        // The metric moves when the window begins, the other one a tenth of it later.
        let truths = [start, start + self.window / 10];
        let Some(grid) = Grid::even(rows, Span::from_nanoseconds(1)) else {
            return Outcome::default();
        };
        let question = Question {
            grid,
            target: Sequence::from(vec![0.0; rows]),
            windows: std::iter::once(start..start + self.window).collect(),
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        let mut found = truths.map(|truth| {
            let mut values = vec![0.0; rows];
            Process::Autoregressive(self.phi).fill(&mut values, rng);
            for (row, value) in values.iter_mut().enumerate() {
                *value += self.height * self.share(row as f64 - truth as f64, rows - truth);
            }
            OnsetRows::of(&question, &Sequence::from(values))
        });
        let mut outcome = Outcome { trials: 1.0, ..Outcome::default() };
        if let Some(one) = &found[0] {
            outcome.given = 1.0;
            outcome.covered = f64::from(u8::from((one.first..=one.last).contains(&truths[0])));
            outcome.rows = (one.last - one.first) as f64 + 1.0;
        }
        if let [Some(one), Some(other)] = &mut found {
            let lead = truths[1] - truths[0];
            let low = other.first as isize - one.last as isize;
            let high = other.last as isize - one.first as isize;
            outcome.leads = 1.0;
            outcome.leads_covered = f64::from(u8::from((low..=high).contains(&(lead as isize))));
        }
        outcome
    }

    /// How much of the height there is so many rows after the onset.
    fn share(&self, after: f64, left: usize) -> f64 {
        let window = self.window as f64;
        match self.form {
            Form::Step => f64::from(u8::from(after >= 0.0)),
            Form::Pulse => f64::from(u8::from((0.0..0.6 * window).contains(&after))),
            Form::Ramp if left > 0 => (after / (0.2 * window) + 0.5).clamp(0.0, 1.0),
            Form::Ramp => 0.0,
        }
    }
}

/// Simulates and writes the page.
///
/// # Errors
/// If the intervals of steps and pulses cover less than they promise in a cell of noise with a lag-1
/// correlation of .5 or less, by more than 3 standard errors.
pub fn page(effort: Effort) -> Result<String, String> {
    let mut page = format!(
        "# Onset\n\n\
         Written by `cargo run --release -p fathom-testkit -- calibrate onset`. See \
         `docs/methods/onset.md`.\n\n\
         Two metrics change within a window in the middle of a run of {RUN} windows, the second a \
         tenth of the window after the first. A cell has {} runs: in how many percent the first one \
         has an onset / in how many percent of these the 97.5% interval contains the true row / how \
         many rows the interval has on average. Heights are in standard deviations of a row. A dash: \
         fewer than a fifth have one.\n\n",
        effort.trials
    );
    let mut errors = Vec::new();
    let mut leads = Outcome::default();
    for (form, name) in FORMS {
        page += &format!("## {}\n\n", capitalised(name));
        let heads = ["metrics", "window"].map(str::to_string);
        let mut table = MarkdownTable::new(
            heads.into_iter().chain(HEIGHTS.map(|height| format!("{height} sd"))),
        );
        for (number, phi) in DEPENDENCE.into_iter().enumerate() {
            for window in WINDOWS {
                let cells = HEIGHTS.map(|height| {
                    let trial = Trial { form, window, height, phi };
                    let cell = (number * 1000 + window) as u64 + height as u64;
                    let outcome = simulate(&trial, effort, cell);
                    let exact = form != Form::Ramp && phi <= 0.5;
                    if exact {
                        errors.extend(missed(&outcome, name, &trial));
                        leads.add(&outcome);
                    }
                    outcome.cell()
                });
                let heads = [format!("AR(1) φ = {phi}"), window.to_string()];
                table.row(heads.into_iter().chain(cells));
            }
        }
        page += &table.render();
        page.push('\n');
    }
    let share = 100.0 * leads.leads_covered / leads.leads.max(1.0);
    page += &format!(
        "Of {} leads of steps and pulses with φ up to .5, {share:.1}% of the 95% intervals contain the \
         true one.\n",
        leads.leads
    );
    if share < 95.0 {
        errors.push(format!("{share:.1}% of the leads are covered"));
    }
    if errors.is_empty() { Ok(page) } else { Err(errors.join("\n")) }
}

fn simulate(trial: &Trial, effort: Effort, cell: u64) -> Outcome {
    const PARTS: usize = 8;
    let parts = parallel::map(PARTS, |part| {
        let mut rng = generator(SEED + cell, part as u64);
        let mut outcome = Outcome::default();
        for _ in (part..effort.trials).step_by(PARTS) {
            outcome.add(&trial.play(&mut rng));
        }
        outcome
    });
    let mut outcome = Outcome::default();
    parts.iter().for_each(|part| outcome.add(part));
    outcome
}

fn missed(outcome: &Outcome, name: &str, trial: &Trial) -> Option<String> {
    let share = outcome.covered / outcome.given.max(1.0);
    let error = (PROMISED * (1.0 - PROMISED) / outcome.given.max(1.0)).sqrt();
    let is_missed = outcome.given >= ENOUGH * outcome.trials && share < PROMISED - 3.0 * error;
    is_missed.then(|| {
        let Trial { window, height, phi, .. } = trial;
        format!("{name}, window {window}, {height} sd, φ = {phi}: {:.1}% covered", 100.0 * share)
    })
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A little of the page.
    #[test]
    fn intervals_contain_the_truth() {
        for (form, height) in [(Form::Step, 4.0), (Form::Pulse, 2.0)] {
            let trial = Trial { form, window: 40, height, phi: 0.5 };
            let outcome = simulate(&trial, Effort { trials: 200 }, 7);
            assert!(outcome.given >= 0.3 * outcome.trials, "{outcome:?}");
            assert!(outcome.covered >= 0.95 * outcome.given, "{outcome:?}");
            assert!(outcome.leads_covered >= 0.93 * outcome.leads, "{outcome:?}");
        }
    }
}
