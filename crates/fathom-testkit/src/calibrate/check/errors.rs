//! Exact errors: at the worst share, and around F.

use super::{CONFIDENCES, Effort, SCENES, claim, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use fathom_stats::proportion::{Decision, ErrorBracket, Horizon, Operating, Rule};

/// The numbers of samples at which one look is taken.
const LOOKS: [usize; 3] = [22, 100, 1000];

/// One question, followed by every rule.
pub(super) struct Followed {
    proportion: f64,
    confidence: f64,
    default: Horizon,
    paper: Horizon,
    wald: Horizon,
    exact: Vec<Horizon>,
}

pub(super) fn followed(effort: Effort) -> Result<Vec<Followed>, String> {
    let questions: Vec<_> =
        SCENES.iter().flat_map(|scene| CONFIDENCES.map(|c| (scene, c))).collect();
    parallel::map(questions.len(), |cell| {
        let (scene, confidence) = questions[cell];
        let claim = claim(scene.proportion, confidence)?;
        let wald = Rule::wald(claim, scene.indifference).map_err(|error| error.to_string())?;
        Ok(Followed {
            proportion: scene.proportion,
            confidence,
            default: Horizon::new(Rule::anytime(claim), effort.horizon),
            paper: Horizon::new(Rule::spa(claim), effort.horizon),
            wald: Horizon::new(wald, effort.horizon),
            exact: LOOKS.map(|n| Horizon::new(Rule::exact(claim, n), n)).into(),
        })
    })
    .into_iter()
    .collect()
}

/// An error that may still grow.
fn bracket(error: ErrorBracket) -> String {
    let (low, high) = (percent(error.by_horizon), percent(error.ever));
    if low == high { low } else { format!("{low} to {high}") }
}

fn earliest(horizon: &Horizon) -> String {
    let at = |n: Option<usize>| n.map_or("-".to_string(), |n| n.to_string());
    format!("{} / {}", at(horizon.earliest_positive()), at(horizon.earliest_negative()))
}

/// The worst share for either error, for which all others follow.
pub(super) fn worst(effort: Effort, followed: &[Followed]) -> Result<String, String> {
    let mut table = MarkdownTable::new([
        "F",
        "C",
        "rule",
        "earliest true / false",
        "wrong \"true\", p → F",
        "wrong \"false\", p = F",
    ]);
    let mut highest = (0.0_f64, String::new());
    let mut papers = (0.0_f64, String::new());
    for question in followed {
        let (f, c) = (question.proportion, question.confidence);
        for (name, horizon) in [("default", &question.default), ("paper", &question.paper)] {
            let positive = horizon.worst_error(Decision::Positive);
            let negative = horizon.worst_error(Decision::Negative);
            let most = positive.ever.max(negative.ever);
            if name == "default" {
                if most > 1.0 - c {
                    return Err(format!("the default at F = {f}, C = {c} errs with {most}"));
                }
                // As a part of what is allowed.
                if most / (1.0 - c) > highest.0 {
                    let at = format!("{:.3}% at F = {f}, C = {c}", 100.0 * most);
                    highest = (most / (1.0 - c), at);
                }
            } else {
                let least = positive.by_horizon.max(negative.by_horizon);
                if least > papers.0 {
                    let side = if least > positive.by_horizon { "false" } else { "true" };
                    papers = (least, format!("{}, \"{side}\", F = {f}, C = {c}", percent(least)));
                }
            }
            table.row([
                f.to_string(),
                c.to_string(),
                name.to_string(),
                earliest(horizon),
                bracket(positive),
                bracket(negative),
            ]);
        }
    }
    Ok(format!(
        "\n## The worst share\n\n\
         One more success never makes \"true\" less likely, whatever the sequence. So a wrong \
         \"true\" is most likely as p approaches F from below, and a wrong \"false\" at p = F: \
         these two numbers bound the error for every p. The earliest decisions occur when all \
         executions satisfy, or all violate, the property.\n\n\
         {}\n\
         The default never errs more often than 1 − C. The closest it comes: {}.\n\
         The paper's rule errs up to ({} samples, worst share): {}.\n",
        table.render(),
        highest.1,
        effort.horizon,
        papers.1,
    ))
}

/// Errors, and what they cost, at several shares.
pub(super) fn around(effort: Effort, followed: &[Followed]) -> Result<String, String> {
    let mut text = format!(
        "\n## Around F\n\n\
         Error in % / mean number of samples (≥: up to {} samples only, if more than one check in \
         a thousand is still undecided). For exact: error / undecided, in %. Wald promises \
         nothing for shares between F − D and F + D; those errors are in brackets.\n",
        effort.horizon
    );
    let mut worst = (0.0_f64, String::new());
    for scene in &SCENES {
        let mut table = MarkdownTable::new(
            ["C", "p", "default", "paper", "Wald"]
                .map(str::to_string)
                .into_iter()
                .chain(LOOKS.map(|n| format!("exact, n = {n}"))),
        );
        let questions: Vec<&Followed> =
            followed.iter().filter(|question| question.proportion == scene.proportion).collect();
        let cells: Vec<(&Followed, f64)> = questions
            .iter()
            .flat_map(|&question| scene.shares.iter().map(move |&share| (question, share)))
            .collect();
        let rows = parallel::map(cells.len(), |cell| row(scene, cells[cell].0, cells[cell].1));
        for (row, (question, share)) in rows.into_iter().zip(&cells) {
            let row = row?;
            if row.paper > worst.0 {
                let at = format!(
                    "{} at F = {}, C = {}, p = {share}",
                    percent(row.paper),
                    question.proportion,
                    question.confidence
                );
                worst = (row.paper, at);
            }
            table.row(row.cells);
        }
        text += &format!(
            "\n### F = {}, Wald with D = {}\n\n{}",
            scene.proportion,
            scene.indifference,
            table.render()
        );
    }
    text += &format!("\nThe highest error of the paper's rule in these tables: {}.\n", worst.1);
    Ok(text)
}

struct Row {
    cells: Vec<String>,
    paper: f64,
}

fn row(scene: &super::Scene, question: &Followed, share: f64) -> Result<Row, String> {
    let (f, c) = (question.proportion, question.confidence);
    let promised = 1.0 - c;
    let cost = |operating: Operating| {
        let sign = if operating.undecided > 1e-3 { "≥ " } else { "" };
        format!("{sign}{:.0}", operating.samples)
    };
    let kept = |name: &str, error: ErrorBracket, slack: f64| {
        if error.ever > promised + slack {
            return Err(format!("{name} at F = {f}, C = {c}, p = {share} errs with {error:?}"));
        }
        Ok(())
    };
    // Rounding: 0.9 − 0.02 is not the double 0.88.
    let is_outside = (share - f).abs() >= scene.indifference - 1e-9;
    let mut cells = vec![c.to_string(), share.to_string()];
    let mut paper = 0.0;
    for (name, horizon) in
        [("default", &question.default), ("paper", &question.paper), ("Wald", &question.wald)]
    {
        let error = horizon.error(share);
        let cost = cost(horizon.operating(share));
        match name {
            "default" => kept("the default", error, 0.0)?,
            "Wald" if is_outside => kept("Wald's test", error, 1e-9)?,
            "paper" => paper = error.by_horizon,
            _ => {}
        }
        let error = bracket(error);
        let is_promised = name != "Wald" || is_outside;
        cells.push(if is_promised {
            format!("{error} / {cost}")
        } else {
            format!("({error}) / {cost}")
        });
    }
    for horizon in &question.exact {
        let error = horizon.error(share);
        kept("exact", error, 1e-12)?;
        let undecided = 100.0 * horizon.operating(share).undecided;
        cells.push(format!("{} / {undecided:.0}", percent(error.by_horizon)));
    }
    Ok(Row { cells, paper })
}
