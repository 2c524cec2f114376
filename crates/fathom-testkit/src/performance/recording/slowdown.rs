//! What recording does to the program, by `fathom compare` with and without it.

use super::super::reading::{document, number, text};
use super::{Study, output_of, percent, verdict};
use std::process::Command;

/// Rounds of work: half a second, many times.
const ROUNDS: u32 = 100;
const MOST: f64 = 0.01;
const MAX_TIME: &str = "240s";

pub(super) struct Slowdown {
    ratio: [f64; 3],
    verdict: String,
    pairs: f64,
}

pub(super) fn measured(study: &Study<'_>) -> Result<Slowdown, String> {
    (study.say)("comparing the program with and without recording, 4 minutes");
    let alone = Study::work(ROUNDS).join(" ");
    let traces = study.folder.join("compared");
    let recorded = format!(
        "{} record --quiet --force --runs 1 --every 10ms --show-output -o {} -- {alone}",
        study.fathom.display(),
        traces.display(),
    );
    let mut command = Command::new(&study.fathom);
    command
        .args(["compare", &alone, &recorded, "--metric", r"work[s]=seconds=([0-9.]+)"])
        .args(["--on", "metric:work", "--margin", "1%", "--max-time", MAX_TIME])
        .args(["--format", "json", "--no-save"]);
    let printed = document(&output_of(&mut command)?.text)?;
    let at = |field: &str| number(&printed, &format!("/comparisons/0/{field}"));
    Ok(Slowdown {
        ratio: [at("ratio")?, at("lower")?, at("upper")?],
        verdict: text(&printed, "/comparisons/0/verdict")?.to_string(),
        pairs: at("pairs")?,
    })
}

impl Slowdown {
    pub(super) fn in_words(&self) -> String {
        let [ratio, lower, upper] = self.ratio.map(|ratio| percent(ratio - 1.0));
        format!(
            "The program's own time with every probe in one run, every 10 ms, against its time \
             without, by `fathom compare`: {ratio} longer (95% CI {lower} to {upper}; {} pairs, \
             {}). Goal: below {}: {}.\n",
            self.pairs,
            self.verdict,
            percent(MOST),
            verdict(self.ratio[2] < 1.0 + MOST),
        )
    }
}
