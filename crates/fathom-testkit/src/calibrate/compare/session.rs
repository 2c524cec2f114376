//! One comparison on a noisy machine: Fathom's, and what others do in the same time.

use crate::noise::{BETWEEN, BLOCK, Machine, Noise, RUN};
use crate::population::Generator;
use fathom_analyze::compare::{Course, Gate, Margin, Verdict};
use fathom_stats::distribution::student_t;
use fathom_stats::mean::Moments;
use fathom_stats::paired::{Assumptions, Block, Looks, SlottedBlock, quiet_blocks};
use fathom_stats::{Confidence, LogRatioInterval};

/// Which goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// A fair coin for every block, as `fathom compare` does.
    Coin,
    /// Always the reference: ABBA.
    Fixed,
}

/// What happens where the plan ends before the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// The last look is there.
    Final,
    /// It goes on, as `fathom compare` does.
    GoesOn,
}

/// How the subject differs from the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Effect {
    /// It takes this many times as long, always.
    Constant(f64),
    /// The logarithm of its ratio remembers this share from block to block, with a standard
    /// deviation of .02 about 0.
    Wandering(f64),
    /// The same work, but under the load the reference goes at half speed and the subject at two
    /// thirds.
    Sturdier,
    /// This ratio, and what slows the machine adds the same time to both instead of multiplying it.
    Added(f64),
    /// Reference and subject take this much longer after the other than after themselves, as
    /// log-ratios.
    Carried([f64; 2]),
    /// A quarter of the subject's runs stall: they take this much longer on average, as log-ratios.
    Stalling(f64),
    /// In each block one of the two, by coin, takes this much longer, and the other that much less.
    Taking(f64),
}

/// What a comparison said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::calibrate) struct Said {
    /// Where the log-ratio lies.
    pub(in crate::calibrate) interval: LogRatioInterval,
    /// The verdict.
    pub(in crate::calibrate) verdict: Verdict,
    /// How many blocks it took.
    pub(in crate::calibrate) blocks: usize,
}

/// The seconds that `most` blocks take on a quiet machine: the budget from which `most` follows.
pub(super) fn budget(most: usize) -> f64 {
    most as f64 * BLOCK
}

/// A comparison as `fathom compare` runs it: by blocks, to the last look or the end of the time.
pub(super) fn paired(
    noise: Noise,
    most: usize,
    effect: Effect,
    order: Order,
    rng: &mut Generator,
) -> Said {
    let margin = Margin::DEFAULT;
    let course = Course::new(1, most, Confidence::DEFAULT, margin, Vec::new(), 0.0);
    let (course, _) = run(course, noise, (budget(most), Plan::Final), effect, order, rng);
    let subject = &course.subjects()[0];
    let interval = subject.interval();
    Said { interval, verdict: Verdict::of(interval, margin), blocks: subject.blocks().len() }
}

/// A comparison with gates. `planned` blocks are less than fit into the time of `most`, where blocks
/// turn out to be shorter than the plan took them for; then it goes on.
pub(super) fn gated(
    noise: Noise,
    [planned, most]: [usize; 2],
    ratio: f64,
    gate: Gate,
    rng: &mut Generator,
) -> Said {
    let margin = gate.margin();
    let course = Course::new(1, planned, Confidence::DEFAULT, margin, vec![gate], 0.0);
    let time = (budget(most), Plan::GoesOn);
    let (course, _) = run(course, noise, time, Effect::Constant(ratio), Order::Coin, rng);
    let subject = &course.subjects()[0];
    let interval = subject.interval();
    Said { interval, verdict: Verdict::of(interval, margin), blocks: subject.blocks().len() }
}

/// A comparison as `fathom compare` runs it, or with `-r` all blocks and one look; and what its
/// blocks say about its assumptions.
pub(super) fn checked(
    noise: Noise,
    (most, looks): (usize, Looks),
    effect: Effect,
    rng: &mut Generator,
) -> Assumptions {
    let margin = Margin::DEFAULT;
    let course = Course::new(1, most, Confidence::DEFAULT, margin, Vec::new(), 0.0);
    // All blocks are measured, however long they take.
    let time = if looks.at().len() == 1 { f64::INFINITY } else { budget(most) };
    let course = course.with_looks(looks);
    let (course, slotted) = run(course, noise, (time, Plan::Final), effect, Order::Coin, rng);
    let quiet = quiet_blocks(course.subjects()[0].blocks());
    let mut counts = vec![false; slotted.len()];
    quiet.into_iter().for_each(|place| counts[place] = true);
    Assumptions::of(&slotted, &counts)
}

/// Runs a course to its last look or the end of the time.
fn run(
    mut course: Course,
    noise: Noise,
    (budget, plan): (f64, Plan),
    effect: Effect,
    order: Order,
    rng: &mut Generator,
) -> (Course, Vec<SlottedBlock>) {
    // The length of the session says how fast the machine drifts.
    let session = if budget.is_finite() { budget } else { self::budget(course.looks().most()) };
    let mut machine = Machine::new(noise, session, rng);
    let mut wandered = machine.normal();
    let mut slotted = Vec::new();
    let mut before = None;
    let is_done = loop {
        let (ratio, beside) = match effect {
            Effect::Constant(ratio) => (ratio, 0.5),
            Effect::Wandering(phi) => {
                wandered = phi * wandered + (1.0 - phi * phi).sqrt() * machine.normal();
                ((0.02 * wandered).exp(), 0.5)
            }
            Effect::Sturdier => (1.0, 2.0 / 3.0),
            Effect::Added(_) | Effect::Carried(_) | Effect::Stalling(_) | Effect::Taking(_) => {
                (1.0, 0.5)
            }
        };
        let taken = match effect {
            Effect::Taking(share) if machine.coin() => share,
            Effect::Taking(share) => -share,
            _ => 0.0,
        };
        let most = course.looks().most();
        if plan == Plan::GoesOn && course.blocks() + 1 == most {
            // As `fathom compare`: what is left of the time is used, if it is worth another look.
            let further = (budget - machine.clock()) / BLOCK - 1.0;
            if further >= (0.05 * most as f64).max(1.0) {
                course.extend(most + further as usize);
            }
        }
        let subject_first = order == Order::Coin && machine.coin();
        let begins_after = before;
        let mut run = |is_subject: bool| {
            let last = before.replace(usize::from(is_subject));
            let follows_other = last.is_some_and(|last| last != usize::from(is_subject));
            match effect {
                Effect::Added(ratio) if is_subject => machine.run(1.0) + (ratio - 1.0) * RUN,
                Effect::Carried(carried) if follows_other => {
                    machine.run(carried[usize::from(is_subject)].exp())
                }
                Effect::Stalling(mean) if is_subject && machine.coin() && machine.coin() => {
                    let stall = machine.normal().powi(2);
                    machine.run((mean * stall).exp())
                }
                Effect::Taking(_) => machine.run(if is_subject { taken } else { -taken }.exp()),
                _ if is_subject => machine.run_beside(ratio, beside),
                _ => machine.run(1.0),
            }
        };
        let slots = [subject_first, !subject_first, !subject_first, subject_first];
        let times @ [outer, inner, inner_again, outer_again] = slots.map(&mut run);
        let runs: Vec<(usize, f64)> = slots.map(usize::from).into_iter().zip(times).collect();
        slotted.extend(SlottedBlock::of(&runs, [0, 1], begins_after));
        let (first, second) = ([outer, outer_again], [inner, inner_again]);
        let block = if subject_first { Block::of(first, second) } else { Block::of(second, first) };
        if block.is_some_and(|block| course.take(&[(0, block)])) {
            break true;
        }
        if machine.clock() >= budget {
            break false;
        }
    };
    if !is_done {
        course.end();
    }
    (course, slotted)
}

/// hyperfine's design in the same time: first the one, then the other, and Welch's t test on the
/// logarithms. The interval is that of the log-ratio.
pub(super) fn one_after_the_other(
    noise: Noise,
    most: usize,
    ratio: f64,
    rng: &mut Generator,
) -> LogRatioInterval {
    let budget = budget(most);
    let mut machine = Machine::new(noise, budget, rng);
    let mut side = |ratio: f64, until: f64| {
        let mut logs = Vec::with_capacity(2 * most);
        while logs.len() < 2 || (logs.len() < 2 * most && machine.clock() < until) {
            logs.push(machine.run(ratio).ln());
        }
        Moments::of(&logs)
    };
    let (Some(reference), Some(subject)) = (side(1.0, 0.5 * budget), side(ratio, budget)) else {
        return LogRatioInterval::EVERYTHING;
    };
    let error = |side: Moments| side.sd * side.sd / side.n as f64;
    let (a, b) = (error(reference), error(subject));
    let degrees =
        (a + b).powi(2) / (a * a / (reference.n as f64 - 1.0) + b * b / (subject.n as f64 - 1.0));
    let alpha = Confidence::DEFAULT.alpha();
    let half = -student_t::quantile(degrees, 0.5 * alpha) * (a + b).sqrt();
    let difference = subject.mean - reference.mean;
    LogRatioInterval { lower: difference - half, upper: difference + half }
}

/// What a round has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// All subjects and the reference in a random order, then the same backwards: two runs of each.
    Mirrored,
    /// The random order alone, as where runs take long: one run of each.
    Single,
}

/// What is measured in rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rounds {
    /// What disturbs it.
    pub(super) noise: Noise,
    /// What a run of the reference takes on a quiet machine, in seconds.
    pub(super) run: f64,
    /// What a round has.
    pub(super) round: Round,
    /// How many rounds there are at most.
    pub(super) most: usize,
    /// After every run is a random pause of up to this many seconds.
    pub(super) pause: f64,
}

/// Several subjects against one reference, in the order of `fathom compare`.
pub(super) fn family(noise: Noise, most: usize, ratios: &[f64], rng: &mut Generator) -> Vec<Said> {
    let effects: Vec<Effect> = ratios.iter().copied().map(Effect::Constant).collect();
    rounds(Rounds { noise, run: RUN, round: Round::Mirrored, most, pause: 0.0 }, &effects, rng)
}

/// Rounds of the reference and all subjects that are open, to the last look or the end of the time.
pub(super) fn rounds(asked: Rounds, effects: &[Effect], rng: &mut Generator) -> Vec<Said> {
    let Rounds { noise, run, round, most, pause } = asked;
    let runs_of_each = if round == Round::Single { 1.0 } else { 2.0 };
    let runs = runs_of_each * (most * (effects.len() + 1)) as f64;
    let budget = runs * (run + BETWEEN + 0.5 * pause);
    let margin = Margin::DEFAULT;
    let mut machine = Machine::new(noise, budget, rng).with_runs_of(run, BETWEEN);
    let course = Course::new(effects.len(), most, Confidence::DEFAULT, margin, Vec::new(), 0.0);
    let mut course = match round {
        Round::Mirrored => course,
        Round::Single => {
            let looks = Looks::of_single_pairs(most, course.level_of_one());
            course.with_looks(looks)
        }
    };
    let mut wandered: Vec<f64> = effects
        .iter()
        .map(|effect| match effect {
            Effect::Wandering(_) => machine.normal(),
            _ => 0.0,
        })
        .collect();
    loop {
        let open = course.open();
        // The last place is the reference.
        let mut order: Vec<Option<usize>> = open.iter().copied().map(Some).collect();
        order.push(None);
        machine.shuffle(&mut order);
        let now: Vec<(f64, f64)> = effects
            .iter()
            .zip(&mut wandered)
            .map(|(effect, wandered)| match effect {
                Effect::Constant(ratio) => (*ratio, 0.5),
                Effect::Wandering(phi) => {
                    *wandered = phi * *wandered + (1.0 - phi * phi).sqrt() * machine.normal();
                    ((0.02 * *wandered).exp(), 0.5)
                }
                Effect::Sturdier => (1.0, 2.0 / 3.0),
                of_slots => unreachable!("{of_slots:?} is of the slots of a pair"),
            })
            .collect();
        let mut times = vec![[0.0; 2]; effects.len()];
        let mut reference = [0.0; 2];
        let mirror: &[usize] = if round == Round::Single { &[] } else { &[1] };
        let back = mirror.iter().flat_map(|_| order.iter().rev().map(|who| (who, 1)));
        for (who, pass) in order.iter().map(|who| (who, 0)).chain(back) {
            match who {
                Some(index) => {
                    let (ratio, beside) = now[*index];
                    times[*index][pass] = machine.run_beside(ratio, beside);
                }
                None => reference[pass] = machine.run(1.0),
            }
            if pause > 0.0 {
                machine.pause(pause);
            }
        }
        let block = |index: usize| match round {
            Round::Mirrored => Block::of(times[index], reference),
            Round::Single => Block::of_pair(times[index][0], reference[0]),
        };
        let blocks: Vec<(usize, Block)> =
            open.into_iter().filter_map(|index| Some((index, block(index)?))).collect();
        if course.take(&blocks) {
            break;
        }
        if machine.clock() >= budget {
            course.end();
            break;
        }
    }
    let said = |subject: &fathom_analyze::compare::CourseSubject| Said {
        interval: subject.interval(),
        verdict: Verdict::of(subject.interval(), margin),
        blocks: subject.blocks().len(),
    };
    course.subjects().iter().map(said).collect()
}
