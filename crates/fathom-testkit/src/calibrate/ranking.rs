//! `calibration/ranking.md`: how soon the combined rank names the cause, in made-up worlds and on the
//! PetShop data set.

mod draw;
mod graph;
mod habit;
mod panel;
mod petshop;
mod profile;
mod rules;
mod scoring;
mod shop;
mod worlds;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_explain::{Correlator, Sequence};
use panel::{Panel, scores};
use rules::RULES;
use scoring::{Hits, average, hits, interval, mean};
use std::fmt::Write;
use worlds::Kind;

/// The rule was chosen on worlds of another seed; these were drawn after it stood.
const SEED: u64 = 20_261_116;

/// Single correlators next to the rules.
const ALONE: [Correlator; 4] =
    [Correlator::Pearson, Correlator::NSigma, Correlator::KsLevels, Correlator::Baro];

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Worlds of each kind.
    pub worlds: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { worlds: 400 };
}

/// What each rule and correlator got, world by world.
struct Results {
    /// By kind, then by row of the tables.
    hits: Vec<Vec<Vec<Hits>>>,
}

impl Results {
    fn of(&self, kind: usize, row: usize) -> &[Hits] {
        &self.hits[kind][row]
    }

    fn average(&self, kind: usize, row: usize) -> f64 {
        average(&mean(self.of(kind, row)))
    }

    /// The kind in which a row does worst, and how badly.
    fn worst(&self, row: usize) -> (f64, &'static str) {
        let kinds = Kind::ALL.iter().enumerate();
        let all = kinds.map(|(number, kind)| (self.average(number, row), kind.name()));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, ""))
    }
}

fn names() -> Vec<String> {
    let alone = ALONE.iter().map(ToString::to_string);
    RULES.iter().map(|(name, _)| (*name).to_string()).chain(alone).collect()
}

/// Simulates and writes the page. The error says what could not be read.
pub fn page(effort: Effort) -> Result<String, String> {
    let results = simulate(effort)?;
    let shop = shop::section()?;
    let mut text = head(effort, &results, &shop);
    worlds_section(&mut text, effort, &results);
    text.push_str(&shop.text);
    Ok(text)
}

fn simulate(effort: Effort) -> Result<Results, String> {
    let kinds = Kind::ALL.len();
    let cells = parallel::map(kinds * effort.worlds, |cell| -> Result<Vec<Hits>, String> {
        let world = Kind::ALL[cell % kinds].draw(&mut generator(SEED, cell as u64));
        let question = world.question()?;
        let metrics: Vec<Sequence> =
            world.metrics.iter().map(|metric| Sequence::from(metric.values.clone())).collect();
        let panel = Panel::of(&question, &metrics);
        let is_cause = |index: usize| world.metrics[index].is_cause;
        let rules = RULES.iter().map(|(_, rule)| hits(&rule(&panel), is_cause));
        // A correlator without an answer knows no order.
        let alone = ALONE.iter().map(|&correlator| {
            let none = vec![None; metrics.len()];
            hits(&scores(correlator, &question, &metrics).unwrap_or(none), is_cause)
        });
        Ok(rules.chain(alone).collect())
    });
    let mut by_kind = vec![vec![Vec::new(); RULES.len() + ALONE.len()]; kinds];
    for (cell, rows) in cells.into_iter().enumerate() {
        for (row, hits) in rows?.into_iter().enumerate() {
            by_kind[cell % kinds][row].push(hits);
        }
    }
    Ok(Results { hits: by_kind })
}

/// Two digits, without the zero before the point.
fn share(share: f64) -> String {
    format!("{share:.2}").trim_start_matches('0').to_string()
}

fn head(effort: Effort, results: &Results, shop: &shop::Section) -> String {
    let names = names();
    let (worst, kind) = results.worst(0);
    let others: Vec<String> = (1..RULES.len())
        .map(|row| {
            let (worst, kind) = results.worst(row);
            format!("{}: {} ({kind})", names[row], share(worst))
        })
        .collect();
    let behind: Vec<String> = Kind::ALL
        .iter()
        .enumerate()
        .filter_map(|(number, kind)| {
            let best = (1..RULES.len()).max_by(|&a, &b| {
                results.average(number, a).total_cmp(&results.average(number, b))
            })?;
            let (mine, theirs) = (results.average(number, 0), results.average(number, best));
            (theirs > mine + 0.01).then(|| {
                format!(
                    "{}: {} gets {}, it gets {}",
                    kind.name(),
                    names[best],
                    share(theirs),
                    share(mine)
                )
            })
        })
        .collect();
    let mut text = format!(
        "# Ranking: how soon the cause is listed\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate ranking` (seed {SEED}, {} \
         worlds of each kind). The rule is in `docs/methods/ranking.md`. A world is a simulated \
         system with a known cause. AC@k is the share of worlds in which a metric of the cause is \
         among the first k; Avg@5 is the mean of AC@1 to AC@5. Ties are broken at random. Rules \
         are judged by the kind of world in which they do worst. The rule was chosen on worlds of \
         other seeds, and these were drawn afterwards.\n\n\
         Where it does worst, the chosen rule has an Avg@5 of {} ({kind}). The others: {}.\n",
        effort.worlds,
        share(worst),
        others.join("; "),
    );
    if behind.is_empty() {
        text.push_str("\nNo other rule does better in any kind of world.\n");
    } else {
        let _ = write!(
            text,
            "\nThis has a price where one kind of evidence would have been enough: {}.\n",
            behind.join("; ")
        );
    }
    let _ = write!(text, "\n{}\n", shop.said);
    text
}

fn worlds_section(text: &mut String, effort: Effort, results: &Results) {
    let kinds = || Kind::ALL.iter().map(|kind| kind.name().to_string());
    let _ = write!(
        text,
        "\n## Worlds\n\n\
         Avg@5, with its 95% bootstrap interval over the {} worlds.\n\n",
        effort.worlds
    );
    let mut table = MarkdownTable::new(
        ["rule".to_string()].into_iter().chain(kinds()).chain(["worst".to_string()]),
    );
    for (row, name) in names().into_iter().enumerate() {
        let cells = (0..Kind::ALL.len()).map(|kind| {
            let (low, high) = interval(results.of(kind, row), SEED);
            format!("{} [{}, {}]", share(results.average(kind, row)), share(low), share(high))
        });
        let worst = share(results.worst(row).0);
        table.row([name].into_iter().chain(cells).chain([worst]));
    }
    text.push_str(&table.render());
    text.push_str("\nAC@1 / AC@3 / AC@5:\n\n");
    let mut table = MarkdownTable::new(["rule".to_string()].into_iter().chain(kinds()));
    for (row, name) in names().into_iter().enumerate() {
        let cells = (0..Kind::ALL.len()).map(|kind| {
            let mean = mean(results.of(kind, row));
            [mean[0], mean[2], mean[4]].map(share).join(" / ")
        });
        table.row([name].into_iter().chain(cells));
    }
    text.push_str(&table.render());
    text.push_str(
        "\nFaults: a node of a service graph fails, its own metrics change most, callers are \
         slower and later. Propagation: latencies only, callers wait for what they call, many \
         others moved a little. Availability: shares of requests, nearly always 100. Patterns: \
         shapes at an unchanged level. Confounders: the load changed and most metrics with it. \
         Windows have 5 to 500 rows, histories 30 to 8000.\n",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_few_worlds_the_chosen_rule_has_no_bad_kind() {
        let effort = Effort { worlds: 24 };
        let results = simulate(effort).unwrap();
        let (worst, kind) = results.worst(0);
        assert!(worst > 0.6, "{worst} {kind}");
        // Single families do collapse somewhere, where the rule does not.
        for row in [4, 5] {
            let alone = results.worst(row);
            assert!(alone.0 < 0.5 && alone.0 + 0.15 < worst, "{row} {alone:?} against {worst}");
        }
    }

    #[test]
    fn a_small_page_is_whole() {
        let page = page(Effort { worlds: 3 }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
        assert!(page.contains("| combined"), "{page}");
    }
}
