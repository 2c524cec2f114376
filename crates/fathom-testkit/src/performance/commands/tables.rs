//! The part of the page about commands.

use super::super::confined::CORE;
use super::super::figures::{time, verdict};
use super::super::machine::Load;
use super::super::neighbour::TURN;
use super::super::reading::{mean, median, milliseconds};
use super::super::said::Said;
use super::super::trials::{Condition, Effect};
use super::judge::Judge;
use super::spawning::Spawning;
use super::tools::Tool;
use super::trial::Outcome;
use super::{BUDGET, Study};
use crate::markdown::MarkdownTable;

/// At most this share of comparisons of identical commands may find a difference.
const FALSE_ALARMS: f64 = 0.05;
/// At least this share of the smallest differences should be found, quiet and noisy.
const FINDS: [f64; 2] = [0.9, 0.8];
/// How far the time of `true` may be from that of a bare loop.
const SPAWNING: f64 = 25e-6;
/// Fathom's margin of equivalence unless it is asked for another.
const MARGIN: f64 = 1.01;

/// Everything that is told.
pub(super) struct Found<'a> {
    pub(super) machine: String,
    pub(super) load: Load,
    pub(super) seed: u64,
    pub(super) study: &'a Study<'a>,
    pub(super) outcomes: &'a [Outcome],
    pub(super) spawning: &'a Spawning,
}

/// All of it.
pub(super) fn section(found: &Found<'_>) -> String {
    let [quiet, noisy] = Condition::BOTH.map(|condition| verdicts(found, condition));
    format!(
        "## Commands\n\n{}\n{}\n{quiet}\n{noisy}\n{}\n{}",
        introduction(found),
        goals(found),
        in_detail(found),
        spawning(found.spawning),
    )
}

fn introduction(found: &Found<'_>) -> String {
    let study = found.study;
    let ratios: Vec<String> =
        Effect::ALL[1..].iter().map(|e| format!("{:.4}", study.program.ratio(*e))).collect();
    let load = found.load.in_words();
    let [quiet, noisy] = study.runs_of_hyperfine;
    let mut peers = String::new();
    if study.tools.kinds().contains(&Tool::Hyperfine) {
        peers.push_str(&format!(
            " {}: `taskset -c {CORE} hyperfine -N --runs {quiet}` ({noisy} with the load), which \
             takes the same time; read in three ways.",
            Tool::Hyperfine.with_version()
        ));
    }
    if study.tools.kinds().contains(&Tool::Cbdr) {
        peers.push_str(&format!(
            " {}: `taskset -c {CORE} cbdr sample --timeout`, then `cbdr analyze`; it starts each \
             run through a shell.",
            Tool::Cbdr.with_version()
        ));
    }
    for tool in &study.tools.missing {
        peers.push_str(&format!(" {} did not install.", tool.with_version()));
    }
    format!(
        "This part is made by `cargo run --release -p fathom-testkit -- performance commands`, \
         here on {}{load}; without its last word that command leaves this part alone. A program \
         that takes {} is compared with itself, and with a version that takes 1, 2 and 5% longer: \
         true ratios {}. The order of the two is random, and so is the order of all trials of all \
         tools (seed {}). All commands run on one core; in the noisy trials another program on \
         this core works for {turn} ms, then sleeps for {turn} ms, and so on. Each comparison may \
         take {} s of wall time. Fathom: `fathom compare --max-time {}ms --cpu {CORE}`.{peers}\n",
        found.machine,
        study.program.in_words(),
        ratios.join(", "),
        found.seed,
        BUDGET.as_secs_f64(),
        milliseconds(BUDGET),
        turn = milliseconds(TURN),
    )
}

fn goals(found: &Found<'_>) -> String {
    let tally = |condition, effect| Tally::of(found, Judge::Fathom, condition, effect);
    let mut text = format!("Goal: at most {:.0}% false alarms.", 100.0 * FALSE_ALARMS);
    for condition in Condition::BOTH {
        let Tally { wrong, trials, .. } = tally(condition, Effect::NONE);
        let is_met = wrong as f64 <= FALSE_ALARMS * trials as f64;
        let name = condition.title();
        text.push_str(&format!(" {name}: {wrong} of {trials}, {}.", verdict(is_met)));
    }
    let [quiet, noisy] = FINDS.map(|share| format!("{:.0}%", 100.0 * share));
    text.push_str(&format!(
        " Goal: {} found in at least {quiet} of quiet and {noisy} of noisy trials.",
        Effect::ONE.name()
    ));
    for (condition, share) in Condition::BOTH.into_iter().zip(FINDS) {
        let Tally { right, trials, .. } = tally(condition, Effect::ONE);
        let is_met = right as f64 >= share * trials as f64;
        let name = condition.title();
        text.push_str(&format!(" {name}: {right} of {trials}, {}.", verdict(is_met)));
    }
    text.push_str(
        "\n\n\
         Cells are right / wrong / none of the trials. Right: the tool says that the slower \
         command is slower, or that identical commands are equivalent, which only Fathom can say. \
         Wrong: a difference between identical commands, the opposite of the true one, or \
         equivalence within 1% where there is none. None: the tool gives no answer, or says that \
         the difference is below 1%, which it is.\n",
    );
    text
}

/// How often a judge was right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    right: usize,
    wrong: usize,
    trials: usize,
}

impl Tally {
    fn of(found: &Found<'_>, judge: Judge, condition: Condition, effect: Effect) -> Tally {
        let ratio = found.study.program.ratio(effect);
        let mut tally = Tally::default();
        for outcome in such(found, condition, effect) {
            for (_, said) in outcome.said.iter().filter(|(who, _)| *who == judge) {
                tally.count(*said, effect, ratio);
            }
        }
        tally
    }

    fn count(&mut self, said: Said, effect: Effect, ratio: f64) {
        self.trials += 1;
        let is_same = effect == Effect::NONE;
        match said {
            Said::Slower if !is_same => self.right += 1,
            Said::Equivalent if is_same => self.right += 1,
            Said::Equivalent if ratio < MARGIN => {}
            Said::Nothing => {}
            Said::Slower | Said::Faster | Said::Equivalent => self.wrong += 1,
        }
    }

    fn cell(self) -> String {
        let none = self.trials - self.right - self.wrong;
        format!("{} / {} / {none}", self.right, self.wrong)
    }
}

fn such<'a>(
    found: &'a Found<'_>,
    condition: Condition,
    effect: Effect,
) -> impl Iterator<Item = &'a Outcome> {
    let outcomes = found.outcomes.iter();
    outcomes.filter(move |o| (o.plan.condition, o.plan.effect) == (condition, effect))
}

fn verdicts(found: &Found<'_>, condition: Condition) -> String {
    let effects = Effect::ALL.map(Effect::name);
    let head = [condition.name()].into_iter().chain(effects.iter().map(String::as_str));
    let mut table = MarkdownTable::new(head.chain(["mean time"]));
    for tool in found.study.tools.kinds() {
        let of_tool = |o: &&Outcome| o.plan.tool == tool && o.plan.condition == condition;
        let taken: Vec<f64> = found.outcomes.iter().filter(of_tool).map(|o| o.seconds).collect();
        for &judge in Judge::of(tool) {
            let cells = Effect::ALL.map(|effect| Tally::of(found, judge, condition, effect).cell());
            let row = [judge.name().to_string()].into_iter().chain(cells);
            table.row(row.chain([time(mean(&taken))]));
        }
    }
    table.render()
}

fn in_detail(found: &Found<'_>) -> String {
    let mut table = MarkdownTable::new([
        "Fathom",
        "",
        "true ratio",
        "slower",
        "faster",
        "equivalent",
        "inconclusive",
        "interval covers",
        "half width",
        "pairs",
        "time",
    ]);
    let (mut covered, mut all) = (0, 0);
    for condition in Condition::BOTH {
        for effect in Effect::ALL {
            let ratio = found.study.program.ratio(effect);
            let own: Vec<&Outcome> = such(found, condition, effect)
                .filter(|outcome| outcome.plan.tool == Tool::Fathom)
                .collect();
            let said = |said: Said| {
                own.iter().filter(|outcome| outcome.said.contains(&(Judge::Fathom, said))).count()
            };
            let intervals: Vec<_> = own.iter().filter_map(|outcome| outcome.interval).collect();
            let covers = intervals.iter().filter(|interval| interval.contains(ratio)).count();
            covered += covers;
            all += own.len();
            let halves: Vec<f64> =
                intervals.iter().map(|interval| 0.5 * (interval.upper - interval.lower)).collect();
            let pairs: Vec<f64> = own.iter().filter_map(|outcome| outcome.pairs).collect();
            let taken: Vec<f64> = own.iter().map(|outcome| outcome.seconds).collect();
            table.row([
                condition.name().to_string(),
                effect.name(),
                format!("{ratio:.4}"),
                said(Said::Slower).to_string(),
                said(Said::Faster).to_string(),
                said(Said::Equivalent).to_string(),
                said(Said::Nothing).to_string(),
                format!("{covers} of {}", own.len()),
                format!("{:.2}%", 100.0 * median(&halves)),
                format!("{:.0}", mean(&pairs)),
                time(mean(&taken)),
            ]);
        }
    }
    format!(
        "Fathom's verdicts, how often its interval of the ratio covers the true one ({covered} of \
         {all} together), the median half width of the interval, and the mean number of pairs and \
         time until it stopped:\n\n{}",
        table.render()
    )
}

fn spawning(spawning: &Spawning) -> String {
    let microseconds = |seconds: f64| format!("{:.0} µs", 1e6 * seconds);
    let mut table = MarkdownTable::new(["`true`", "time", "above the bare loop"]);
    table.row([
        "a loop of posix_spawn and wait4".to_string(),
        microseconds(spawning.bare),
        String::new(),
    ]);
    for (reader, above) in &spawning.readers {
        let time = microseconds(spawning.bare + above);
        table.row([reader.name(), time, format!("{:+.0} µs", 1e6 * above)]);
    }
    let worst = spawning.worst_of_fathom();
    format!(
        "What measuring adds to a command: {} of `true`, alternating between the tools, on core \
         {CORE}. Goal: within {} of a bare loop. Fathom is within {}: {}.\n\n\
         {}",
        Spawning::effort(),
        microseconds(SPAWNING),
        microseconds(worst),
        verdict(worst <= SPAWNING),
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_right() {
        let count = |said, effect, ratio| {
            let mut tally = Tally::default();
            tally.count(said, effect, ratio);
            tally.cell()
        };
        let (right, wrong, none) = ("1 / 0 / 0", "0 / 1 / 0", "0 / 0 / 1");
        for said in [Said::Slower, Said::Faster] {
            assert_eq!(count(said, Effect::NONE, 1.0), wrong);
        }
        assert_eq!(count(Said::Equivalent, Effect::NONE, 1.0), right);
        assert_eq!(count(Said::Nothing, Effect::NONE, 1.0), none);
        assert_eq!(count(Said::Slower, Effect::ONE, 1.0095), right);
        assert_eq!(count(Said::Faster, Effect::ONE, 1.0095), wrong);
        assert_eq!(count(Said::Equivalent, Effect::ONE, 1.0095), none);
        assert_eq!(count(Said::Equivalent, Effect(2), 1.019), wrong);
        assert_eq!(count(Said::Nothing, Effect(2), 1.019), none);
    }
}
