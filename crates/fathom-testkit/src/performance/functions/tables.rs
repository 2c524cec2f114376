//! The part of the page about functions.

use super::super::confined::CORE;
use super::super::figures::time;
use super::super::machine::Load;
use super::super::neighbour::TURN;
use super::super::reading::{mean, median, milliseconds};
use super::super::share::Share;
use super::super::trials::{Condition, Effect};
use super::budget::{self, COMPARISON, ONE_FUNCTION};
use super::goals;
use super::judge::Judge;
use super::log::Facts;
use super::tally::Cell;
use super::tools::Tool;
use super::trial::Outcome;
use super::work::Size;
use crate::markdown::MarkdownTable;

/// How close to the reference loop a tool should be.
pub(super) const CLOSE: f64 = 0.05;

/// Everything that is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) facts: &'a Facts,
    pub(super) tools: &'a [Tool],
    pub(super) outcomes: &'a [Outcome],
}

impl<'a> Found<'a> {
    /// A reading of a tool at one size under one condition.
    pub(super) fn cell(self, judge: Judge, size: Size, condition: Condition) -> Cell<'a> {
        Cell { outcomes: self.outcomes, work: &self.facts.work, judge, size, condition }
    }

    /// How far a tool's times of the tiny function are from the reference, and the times.
    pub(super) fn timings(self, tool: Tool, condition: Condition) -> (Vec<f64>, Vec<f64>) {
        let is_it = |o: &&Outcome| o.plan.tool == tool && o.plan.condition == condition;
        let timings = self.outcomes.iter().filter(is_it).filter_map(|outcome| outcome.time);
        timings.map(|timing| (timing.error(), timing.said)).unzip()
    }
}

/// How many are close.
pub(super) fn close(errors: &[f64]) -> Share {
    Share::of(errors.iter().map(|&error| error <= CLOSE))
}

/// All of it.
pub(super) fn section(found: Found<'_>) -> String {
    let mut tables = String::new();
    for size in Size::COMPARED {
        for condition in Condition::BOTH {
            tables.push_str(&format!("\n{}", comparisons(found, size, condition)));
        }
    }
    format!(
        "## Functions\n\n{}\n{}\n{}{}{tables}\n{}",
        introduction(found),
        budgets(found),
        goals::table(found).map_or(String::new(), |goals| format!("{goals}\n")),
        legend(),
        timings(found),
    )
}

fn introduction(found: Found<'_>) -> String {
    let facts = found.facts;
    let work = &facts.work;
    let sizes = Size::COMPARED.map(|size| {
        let ratios = |of: &dyn Fn(Effect) -> f64| {
            Effect::ALL[1..].iter().map(|e| format!("{:.4}", of(*e))).collect::<Vec<_>>().join(", ")
        };
        let base = work.iterations(size, Effect::NONE);
        format!(
            "{} ({base} iterations; {} by the reference loop, {} of iterations)",
            time(work.seconds(size)),
            ratios(&|effect| work.ratio(size, effect)),
            ratios(&|effect| work.iterations(size, effect) as f64 / base as f64),
        )
    });
    format!(
        "This part is made by `scripts/peers-inprocess`, here on {} on {}{}. Versions: {}. A \
         function of dependent arithmetic is compared with itself, and with a version of 1, 2 and \
         5% more iterations. Its time and the true ratios, by which errors and coverage are \
         judged: {}. In half of the trials the slower one comes first and is the baseline; the \
         order of all trials of all tools is random (seed {}). Every tool runs only on core \
         {CORE}; in the noisy trials another program on this core works for {turn} ms, then \
         sleeps for {turn} ms, and so on.\n",
        facts.machine,
        facts.date,
        Load(facts.load).in_words(),
        facts.versions.join(", "),
        sizes.join("; "),
        facts.seed,
        turn = milliseconds(TURN),
    )
}

fn budgets(found: Found<'_>) -> String {
    let seconds = COMPARISON.as_secs();
    let side = budget::DIVAN_MEASURES;
    let mut text = format!(
        "Each comparison may take {seconds} s for both functions together. The settings of each \
         tool, and what counts as a reported difference:\n\n"
    );
    for &tool in found.tools {
        let how = match tool {
            Tool::Fathom => format!(
                "`--max-time {seconds}s`, which may end earlier. Its verdict is \"slower\" or \
                 \"faster\"; \"equivalent\" and \"inconclusive\" do not count."
            ),
            Tool::Criterion => format!(
                "one run with `--save-baseline`, one with `--baseline`, each with `--warm-up-time \
                 {}` and `--measurement-time {}`; its analysis takes extra time. Read in three \
                 ways: its p-value is below 0.05; it says that performance has regressed or \
                 improved, which also requires more than 1%; its interval of the change of the \
                 median excludes 0. The interval of the first is that of the mean.",
                budget::CRITERION_WARM_UP,
                budget::CRITERION_MEASURES
            ),
            Tool::Divan => format!(
                "both functions in one run with `--min-time {side} --max-time {side}`, which \
                 apply to each. It compares nothing: a difference is reported if the printed \
                 medians differ by at least 1%, rounded to whole percents."
            ),
            Tool::Tango => format!(
                "`compare --time {}`, which it applies to the longer of the two functions. It \
                 marks a difference with a star. This is the last version that measures in one \
                 process; later ones run two at once that wait for each other in a busy loop, \
                 which cannot be confined to one core.",
                budget::TANGO_MEASURES
            ),
            Tool::BenchDiff => format!(
                "a warm-up of {} ms, and as many executions as fill the rest, determined before \
                 the first trial for each size and condition. The p-value of its Welch test on \
                 logarithms is below 0.05; the interval is its own at 95%.",
                budget::WARM_UP.as_millis()
            ),
        };
        text.push_str(&format!("- {}: {how}\n", tool.name()));
    }
    text
}

fn legend() -> String {
    "Cells count trials, with Wilson's interval of the share at 95%. A/A: the tool reports a \
     difference where there is none. +1, +2, +5%: it reports the slower function as slower; \
     \"opposite\" counts trials where it reports it as faster. Error: the median distance of the \
     ratio from the true one. Covers: the interval of the ratio contains the true one, over all \
     trials; ±: half of its median width. Time: the mean of the whole tool's wall time.\n"
        .to_string()
}

fn comparisons(found: Found<'_>, size: Size, condition: Condition) -> String {
    let head = format!("{}, {}", size.name(), condition.name());
    let effects = Effect::ALL.map(Effect::name);
    let head = [head].into_iter().chain(effects);
    let mut table = MarkdownTable::new(
        head.chain(["error", "covers", "±", "time"].map(|text| text.to_string())),
    );
    for judge in found.tools.iter().flat_map(|tool| Judge::of(*tool)) {
        let cell = found.cell(judge, size, condition);
        let mut row = vec![judge.name().to_string(), cell.false_positives().in_words()];
        row.extend(Effect::ALL[1..].iter().map(|effect| detections(cell, *effect)));
        row.push(percent(cell.error()));
        row.push(cell.coverage().in_words());
        row.push(percent(cell.half_width()));
        row.push(format!("{:.2} s", mean(&cell.seconds())));
        table.row(row);
    }
    table.render()
}

fn detections(cell: Cell<'_>, effect: Effect) -> String {
    let found = cell.found(effect).in_words();
    match cell.opposite(effect) {
        0 => found,
        opposite => format!("{found}, opposite {opposite}"),
    }
}

/// "-" of what is not a number.
pub(super) fn percent(share: f64) -> String {
    if share.is_nan() { "-".to_string() } else { format!("{:.2}%", 100.0 * share) }
}

fn timings(found: Found<'_>) -> String {
    let head = ["5 ns", "", "median time", "median error", "worst error"].map(str::to_string);
    let within = format!("within {:.0}%", 100.0 * CLOSE);
    let mut table = MarkdownTable::new(head.into_iter().chain([within]));
    for &tool in found.tools {
        for condition in Condition::BOTH {
            let (errors, times) = found.timings(tool, condition);
            let worst = errors.iter().copied().fold(f64::NAN, f64::max);
            table.row([
                tool.name().to_string(),
                condition.name().to_string(),
                if times.is_empty() { "-".to_string() } else { time(median(&times)) },
                percent(median(&errors)),
                percent(worst),
                close(&errors).in_words(),
            ]);
        }
    }
    format!(
        "A function of {} ({} iterations) is timed, in {} s. The error is the distance from a \
         reference loop that runs without the load right before and right after each trial. The \
         times are: the estimate of fathom-bench, the time that criterion prints (the slope), the \
         median of divan and of bench_diff, which times single calls, and the mean of tango's \
         `solo`.\n\n\
         {}",
        time(found.facts.work.seconds(Size::Tiny)),
        found.facts.work.iterations(Size::Tiny, Effect::NONE),
        ONE_FUNCTION.as_secs(),
        table.render(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::said::Said;
    use super::super::judge::Finding;
    use super::super::plan::Task;
    use super::super::trial::Timing;
    use super::super::work::tests::example;
    use super::*;
    use fathom_stats::Interval;

    /// A study in which every tool is always right.
    #[test]
    fn the_part_has_all_tools_conditions_and_goals() {
        let facts = Facts {
            seed: 7,
            trials: 30,
            tools: Tool::ALL.map(|tool| tool.name().to_string()).to_vec(),
            versions: vec!["criterion 0.8.2".to_string()],
            machine: "a machine".to_string(),
            load: Some(0.25),
            date: "2026-01-01".to_string(),
            work: example(),
            executions: None,
        };
        let plans = facts.plans().unwrap();
        let outcomes: Vec<Outcome> = plans
            .into_iter()
            .map(|plan| {
                let mut outcome = Outcome { plan, findings: vec![], time: None, seconds: 2.0 };
                match plan.task {
                    Task::Time => {
                        outcome.time = Some(Timing { said: 5.1e-9, reference: 5e-9 });
                    }
                    Task::Compare { size, effect, .. } => {
                        let ratio = facts.work.ratio(size, effect);
                        let said = if ratio > 1.0 { Said::Slower } else { Said::Nothing };
                        let interval =
                            Some(Interval { lower: ratio - 0.001, upper: ratio + 0.001 });
                        let finding = |judge| Finding { judge, said, ratio, interval };
                        outcome.findings = Judge::of(plan.tool).map(finding).collect();
                    }
                }
                outcome
            })
            .collect();
        let text = section(Found { facts: &facts, tools: &Tool::ALL, outcomes: &outcomes });
        for size in Size::COMPARED {
            for condition in Condition::BOTH {
                assert!(
                    text.contains(&format!("| {}, {}", size.name(), condition.name())),
                    "{text}"
                );
            }
        }
        for judge in Tool::ALL.into_iter().flat_map(Judge::of) {
            assert_eq!(
                text.matches(&format!("\n| {} ", judge.name())).count(),
                match judge {
                    // Its time of the tiny function is in a table too, and its name is the tool's.
                    Judge::Fathom | Judge::Tango | Judge::BenchDiff => 6,
                    _ => 4,
                }
            );
        }
        assert!(text.contains("0/30 (0-11%)") && text.contains("20/20 (84-100%)"), "{text}");
        assert!(text.contains("90/90 (96-100%)") && text.contains("2.00%"), "{text}");
        assert!(!text.contains("not met") && text.contains("criterion 0.8.2"), "{text}");
        assert!(!text.contains("opposite 1") && text.contains("10/10 (72-100%)"), "{text}");
    }
}
