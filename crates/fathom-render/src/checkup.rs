//! What `fathom doctor` found, for people.

use crate::layout::{FAINT, STRONG, WARNING, push_wrapped};
use crate::quantity::quick;
use fathom_analyze::checkup::{Checkup, NoiseFloorReport};
use fathom_record::Unit;
use fathom_record::finding::{Finding, Level};
use std::fmt::Write;

/// The page of a checkup in `width` columns.
#[must_use]
pub fn render(checkup: &Checkup, width: usize) -> String {
    let mut text = String::new();
    push_wrapped(&mut text, &answer(checkup), "", STRONG, width);
    text.push('\n');
    let mut sorted: Vec<&Finding> = checkup.findings.iter().collect();
    sorted.sort_by_key(|finding| match finding.level {
        Level::Spoils => 0,
        Level::Note => 1,
        Level::Good => 2,
        Level::Unknown => 3,
    });
    for finding in sorted {
        let (mark, style) = match finding.level {
            Level::Spoils => ("bad", WARNING),
            Level::Note => ("note", STRONG),
            Level::Good => ("good", FAINT),
            Level::Unknown => ("?", FAINT),
        };
        let _ = write!(text, "  {style}{mark:<7}{style:#}");
        let mut body = String::new();
        push_wrapped(&mut body, &finding.says, "         ", anstyle::Style::new(), width);
        text.push_str(body.trim_start());
        // What is good needs no explanation.
        if matches!(finding.level, Level::Spoils | Level::Note) {
            push_wrapped(&mut text, &finding.why, "         ", FAINT, width);
            if let Some(remedy) = &finding.remedy {
                push_wrapped(&mut text, &format!("-> {remedy}"), "         ", FAINT, width);
            }
        }
    }
    if let Some(floor) = &checkup.floor {
        text.push('\n');
        for line in floor_lines(floor) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    text
}

fn answer(checkup: &Checkup) -> String {
    let spoils = checkup.findings.iter().filter(|one| one.level == Level::Spoils).count();
    let machine = match spoils {
        0 => "No serious source of noise found".to_string(),
        1 => "1 serious source of noise found".to_string(),
        n => format!("{n} serious sources of noise found"),
    };
    match checkup.floor.as_ref().and_then(|floor| floor.smallest.first()) {
        Some(smallest) => format!(
            "{machine}. This machine can detect differences of {} or more in {:.0} s.",
            share(smallest.share),
            smallest.seconds
        ),
        None => format!("{machine}."),
    }
}

fn floor_lines(floor: &NoiseFloorReport) -> Vec<String> {
    let run = quick(floor.run_seconds, &Unit::SECONDS);
    let mut lines = vec![format!(
        "noise floor: a {run} program compared with itself, {} pairs in {:.0} s: ratio {:.4} ({:.4} \
         to {:.4})",
        floor.pairs, floor.seconds, floor.ratio, floor.lower, floor.upper
    )];
    if floor.set_aside > 0 {
        lines.push(format!(
            "{} of {} blocks ran under other load and were excluded",
            floor.set_aside, floor.blocks
        ));
    }
    let budgets: Vec<String> = floor
        .smallest
        .iter()
        .map(|one| {
            let time = if one.seconds < 100.0 {
                format!("{:.0} s", one.seconds)
            } else {
                format!("{:.0} min", one.seconds / 60.0)
            };
            format!("{} in {time}", share(one.share))
        })
        .collect();
    lines.push(format!(
        "smallest difference that `fathom compare` detects four times in five: {}; programs that \
         wait or use a lot of memory need longer",
        budgets.join(", ")
    ));
    lines
}

/// Two digits of a percentage.
fn share(share: f64) -> String {
    let percents = 100.0 * share;
    let decimals = (1.0 - percents.abs().max(1e-9).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{percents:.decimals$}%")
}
