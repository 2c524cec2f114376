//! How often the checks of a comparison's assumptions raise a false alarm, and what they find.

use super::Effort;
use super::count::percent;
use super::machines::{LONG, SHORT, noises};
use super::session::{Effect, checked};
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use fathom_analyze::compare::{Assumption, AssumptionOutcome, Margin};
use fathom_stats::paired::{Assumptions, Looks};
use std::fmt::Write;

const SEED: u64 = 19_820_617;
const CHECKS: usize = Assumption::ALL.len();
const TITLES: [&str; CHECKS] = ["carry-over", "speed", "skew", "noise", "pairing"];

/// A share of 1%, and five of them.
const OF_ONE: f64 = 0.01;
const OF_ALL: f64 = 0.05;

/// With `-r`: every block is measured, and there is one look.
const FIXED: [usize; 3] = [40, 100, 400];

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    trials: u64,
    /// p-values below 1%, whatever the amount.
    surprising: [u64; CHECKS],
    broken: [u64; CHECKS],
    untold: [u64; CHECKS],
    any: u64,
}

impl Cell {
    fn add(&mut self, found: &Assumptions) {
        self.trials += 1;
        let outcomes = Assumption::ALL.map(|one| one.judge(found, Margin::DEFAULT));
        for (check, outcome) in outcomes.into_iter().enumerate() {
            self.surprising[check] += u64::from(p_values(found)[check].is_some_and(|p| p < OF_ONE));
            self.broken[check] += u64::from(outcome == AssumptionOutcome::Broken);
            self.untold[check] += u64::from(outcome == AssumptionOutcome::CannotTell);
        }
        self.any += u64::from(outcomes.contains(&AssumptionOutcome::Broken));
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.trials as f64
    }

    /// Whether this is more than chance makes of a true share: three standard errors, and a little
    /// for the few trials of a test.
    fn is_too_often(&self, count: u64, share: f64) -> bool {
        let expected = share * self.trials as f64;
        count as f64 > expected + 3.0 * expected.sqrt() + 2.0
    }
}

/// In the order of the checks.
fn p_values(found: &Assumptions) -> [Option<f64>; CHECKS] {
    [
        found.carry_over.map(|found| found.p_value),
        found.speed.map(|found| found.p_of_ratio),
        found.skew.map(|found| found.p_value),
        found.noise.map(|found| found.p_value),
        found.gain.map(|found| found.p_value),
    ]
}

fn simulate(
    noise: Noise,
    (most, looks): (usize, &Looks),
    effect: Effect,
    trials: usize,
    stream: u64,
) -> Cell {
    let mut rng = generator(SEED, stream);
    let mut cell = Cell::default();
    for _ in 0..trials {
        cell.add(&checked(noise, (most, looks.clone()), effect, &mut rng));
    }
    cell
}

/// The share of false warnings that is allowed; `None` where the machine breaks the assumption, so
/// that a warning is right.
fn allowed(noise: &Noise, assumption: Assumption) -> Option<f64> {
    let is_in_step = noise.smooth == Smooth::Wave(BLOCK);
    match assumption {
        // While the outer slots of a block are slow, the inner ones are fast; and by how much
        // neighbours differ goes up and down.
        Assumption::PairingGains | Assumption::SteadyNoise if is_in_step => None,
        Assumption::SteadyNoise if noise.luck == Luck::Growing => None,
        // Log-ratios of nearly only two values, which the coins make more or less often: what the
        // triples test takes for skew.
        Assumption::SymmetricBlocks if is_in_step => Some(0.03),
        _ => Some(OF_ONE),
    }
}

/// What breaks an assumption, and which.
fn breaches() -> Vec<(String, Noise, Effect, Assumption)> {
    let quiet = Noise::luck(Luck::Normal(0.02));
    let slow = Noise { luck: Luck::Normal(0.005), ..Noise::smooth(Smooth::Walk(0.1)) };
    let toggling = Noise::neighbour(Neighbour::Toggling(3.0), 0.005);
    let percents = |values: [f64; 2]| values.map(|value| format!("{:.0}%", 100.0 * value));
    let mut rows = Vec::new();
    for carried in [[0.0, 0.02], [0.0, 0.05], [0.05, 0.05]] {
        let [reference, subject] = percents(carried);
        let name = format!("after the other, reference +{reference}, subject +{subject}");
        rows.push((name, quiet, Effect::Carried(carried), Assumption::NoCarryOver));
    }
    for (name, noise) in [("random walk of 10%", slow), ("load of 3 s", toggling)] {
        let name = format!("added time, ratio 1.3, {name}");
        rows.push((name, noise, Effect::Added(1.3), Assumption::SameRatioAtAnySpeed));
    }
    for mean in [0.05, 0.2] {
        let name = format!("a quarter of the subject's runs stall, by {:.0}%", 100.0 * mean);
        rows.push((name, quiet, Effect::Stalling(mean), Assumption::SymmetricBlocks));
    }
    let growing = Noise::luck(Luck::Growing);
    let constant = Effect::Constant(1.0);
    rows.push((growing.name(), growing, constant, Assumption::SteadyNoise));
    for share in [0.02, 0.05] {
        let name = format!("one takes {:.0}% from the other", 100.0 * share);
        rows.push((name, quiet, Effect::Taking(share), Assumption::PairingGains));
    }
    rows
}

/// The tables, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let noises = noises();
    let plans = [
        (SHORT, Looks::plan(SHORT), effort.families),
        (LONG, Looks::plan(LONG), effort.long.div_ceil(4)),
        (100, Looks::once(100), effort.long.div_ceil(4)),
    ];
    let ratios = [1.0, 1.02];
    let cells = plans.len() * noises.len() * ratios.len();
    let alarms = parallel::map(cells, |task| {
        let (plan, rest) =
            (task / (noises.len() * ratios.len()), task % (noises.len() * ratios.len()));
        let (noise, ratio) = (noises[rest / ratios.len()], ratios[rest % ratios.len()]);
        let (most, looks, trials) = &plans[plan];
        simulate(noise, (*most, looks), Effect::Constant(ratio), *trials, task as u64)
    });
    let breaches = breaches();
    let found = parallel::map(breaches.len() * FIXED.len(), |task| {
        let (_, noise, effect, _) = &breaches[task / FIXED.len()];
        let most = FIXED[task % FIXED.len()];
        simulate(
            *noise,
            (most, &Looks::once(most)),
            *effect,
            effort.long.div_ceil(4),
            (cells + task) as u64,
        )
    });
    let mut broken = Vec::new();
    let mut worst = ([0.0_f64; CHECKS], 0.0_f64);
    for (place, cell) in alarms.iter().enumerate() {
        let noise = &noises[place / ratios.len() % noises.len()];
        let limits = Assumption::ALL.map(|one| allowed(noise, one));
        for (check, title) in TITLES.iter().enumerate() {
            let Some(limit) = limits[check] else { continue };
            let share = cell.share(cell.broken[check]);
            worst.0[check] = worst.0[check].max(share);
            if cell.is_too_often(cell.broken[check], limit) {
                broken.push(format!("{}: false alarm of {title} {share:.4}", noise.name()));
            }
        }
        let any = cell.share(cell.any);
        if limits.contains(&None) {
            continue;
        }
        worst.1 = worst.1.max(any);
        if cell.is_too_often(cell.any, OF_ALL) {
            broken.push(format!("{}: false alarm of any check {any:.4}", noise.name()));
        }
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(render(&noises, &ratios, &alarms, worst, &breaches, &found))
}

type Breach = (String, Noise, Effect, Assumption);

fn render(
    noises: &[Noise],
    ratios: &[f64],
    alarms: &[Cell],
    (worst, any): ([f64; CHECKS], f64),
    breaches: &[Breach],
    found: &[Cell],
) -> String {
    let worst = worst.map(percent).join(", ");
    let mut text = format!(
        "\n## The checks of its assumptions\n\n\
         What `docs/methods/assumptions.md` describes: carry-over, a ratio that depends on the \
         machine's speed, skewed blocks, noise that changes, pairing that costs. A check warns at a \
         p-value below 1% if the amount matters; all five together may warn falsely in 5%. Cells \
         are \"share with a p-value below 1% / share with a warning\", in %; the share of \
         comparisons with too few blocks to tell is in brackets where it is above 5%. Growing \
         noise breaks the assumption of steady noise, and a wave with the period of a block makes \
         pairing cost and neighbours differ by more or less: those alarms are right. In that wave the \
         log-ratios have nearly two values, and skew warns falsely in up to 3%.\n\n\
         Most false warnings by check: {worst} ({}); by any of them: {}.\n",
        TITLES.join(", "),
        percent(any)
    );
    let titles = ["Two seconds", "Nineteen seconds", "100 blocks, one look (`-r 200`)"];
    let each = noises.len() * ratios.len();
    for (title, cells) in titles.iter().zip(alarms.chunks(each)) {
        let head = ["machine", "ratio"].into_iter().chain(TITLES).chain(["any warning"]);
        let mut table = MarkdownTable::new(head);
        for (place, cell) in cells.iter().enumerate() {
            let checks = (0..CHECKS).map(|check| {
                let untold = cell.share(cell.untold[check]);
                let few =
                    if untold > 0.05 { format!(" ({:.0})", 100.0 * untold) } else { String::new() };
                let shares = [cell.surprising[check], cell.broken[check]].map(|n| cell.share(n));
                format!("{}{few}", shares.map(percent).join(" / "))
            });
            let name = noises[place / ratios.len()].name();
            let ratio = ratios[place % ratios.len()].to_string();
            let any = percent(cell.share(cell.any));
            table.row([name, ratio].into_iter().chain(checks).chain([any]));
        }
        let _ = write!(text, "\n### False alarms: {}\n\n{}", title, table.render());
    }
    let columns = FIXED.map(|blocks| format!("{blocks} blocks: found, others"));
    let head = ["what is planted".to_string(), "check".to_string()].into_iter().chain(columns);
    let mut table = MarkdownTable::new(head);
    for ((name, _, _, wanted), cells) in breaches.iter().zip(found.chunks(FIXED.len())) {
        let check = Assumption::ALL.iter().position(|one| one == wanted).unwrap_or(0);
        let shares = cells.iter().map(|cell| {
            let others: u64 =
                (0..CHECKS).filter(|one| *one != check).map(|one| cell.broken[one]).sum();
            format!("{}, {}", percent(cell.share(cell.broken[check])), percent(cell.share(others)))
        });
        table.row([name.clone(), TITLES[check].to_string()].into_iter().chain(shares));
    }
    let _ = write!(
        text,
        "\n### What the checks find\n\nShare of comparisons with the warning that is due, and \
         warnings of the other checks per comparison, in %. σ is 2% unless the row says otherwise.\n\n{}",
        table.render()
    );
    text
}
