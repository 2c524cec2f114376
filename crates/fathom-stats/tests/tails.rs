//! Ratios of quantiles, means and minima against their definition, and what must hold of any of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::paired::LookStage;
use fathom_stats::tails::{
    BlockRuns, RatioOf, Shortage, TailLook, TailRatio, UnpairedRuns, fewest_tail_blocks,
    mean_ratio_by_coins, shift_levels, tail_ratio, tail_ratio_unpaired, tail_shift,
};
use fathom_stats::{LogRatioInterval, Probability};
use fathom_testkit::vectors::load;
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Debug, Deserialize)]
struct NamedBlocks {
    name: String,
    blocks: Vec<Runs>,
}

#[derive(Debug, Deserialize)]
struct Runs {
    subject: Vec<f64>,
    reference: Vec<f64>,
}

fn block(runs: &Runs) -> BlockRuns {
    match (runs.subject.as_slice(), runs.reference.as_slice()) {
        (&[a, b], &[c, d]) => BlockRuns::of([a, b], [c, d]).unwrap(),
        (&[a], &[b]) => BlockRuns::of_pair(a, b).unwrap(),
        _ => panic!("{runs:?} is no block"),
    }
}

fn named_blocks() -> HashMap<String, Vec<BlockRuns>> {
    let sets = load::<NamedBlocks>("tails/blocks.json");
    sets.into_iter().map(|set| (set.name, set.blocks.iter().map(block).collect())).collect()
}

fn look(alpha: f64) -> TailLook {
    TailLook { alpha, stage: LookStage::Last, tick: 0.0, seed: 7 }
}

fn quantile(p: f64) -> RatioOf {
    RatioOf::Quantile(Probability::new(p).unwrap())
}

fn ratio_of(name: &str, p: Option<f64>) -> RatioOf {
    match (name, p) {
        ("quantile", Some(p)) => quantile(p),
        ("mean", None) => RatioOf::Mean,
        ("minimum", None) => RatioOf::Minimum,
        _ => panic!("unknown statistic {name}"),
    }
}

/// What the coins alone say.
fn by_coins(blocks: &[BlockRuns], of: RatioOf, look: TailLook) -> TailRatio {
    let found = match of {
        RatioOf::Mean => mean_ratio_by_coins(blocks, look),
        of => tail_ratio(blocks, of, look),
    };
    found.unwrap()
}

fn is_near(found: f64, expected: Option<f64>, if_none: f64) -> bool {
    match expected {
        Some(expected) => (found - expected).abs() < 1e-9,
        None => found == if_none,
    }
}

#[derive(Debug, Deserialize)]
struct Expected {
    name: String,
    of: String,
    p: Option<f64>,
    alpha: f64,
    log_ratio: f64,
    lower: Option<f64>,
    upper: Option<f64>,
    thinness: f64,
    shape: f64,
}

#[test]
fn looks_are_those_of_the_definition() {
    let sets = named_blocks();
    for case in load::<Expected>("tails/look.json") {
        let of = ratio_of(&case.of, case.p);
        let found = by_coins(&sets[&case.name], of, look(case.alpha));
        assert!((found.log_ratio - case.log_ratio).abs() < 1e-9, "{case:?}\n{found:?}");
        assert!((found.thinness - case.thinness).abs() < 1e-9, "{case:?}\n{found:?}");
        assert!((found.shape - case.shape).abs() < 1e-9, "{case:?}\n{found:?}");
        let LogRatioInterval { lower, upper } = found.interval;
        assert!(is_near(lower, case.lower, f64::NEG_INFINITY), "{case:?}\n{found:?}");
        assert!(is_near(upper, case.upper, f64::INFINITY), "{case:?}\n{found:?}");
        assert_eq!(found.shortage.is_none(), found.interval.is_finite(), "{found:?}");
    }
}

#[derive(Debug, Deserialize)]
struct Values {
    sizes: [usize; 2],
    subject: Vec<f64>,
    reference: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct ExpectedUnpaired {
    sizes: [usize; 2],
    effective: [f64; 2],
    of: String,
    p: Option<f64>,
    alpha: f64,
    log_ratio: f64,
    lower: Option<f64>,
    upper: Option<f64>,
}

#[test]
fn separate_results_are_those_of_counted_ranks() {
    let values = load::<Values>("tails/values.json");
    for case in load::<ExpectedUnpaired>("tails/unpaired.json") {
        let sides = values.iter().find(|values| values.sizes == case.sizes).unwrap();
        let subject = UnpairedRuns::worth(&sides.subject, case.effective[0]).unwrap();
        let reference = UnpairedRuns::worth(&sides.reference, case.effective[1]).unwrap();
        let of = ratio_of(&case.of, case.p);
        let found = tail_ratio_unpaired(subject, reference, of, case.alpha, 0.0);
        assert!((found.log_ratio - case.log_ratio).abs() < 1e-9, "{case:?}\n{found:?}");
        let LogRatioInterval { lower, upper } = found.interval;
        assert!(is_near(lower, case.lower, f64::NEG_INFINITY), "{case:?}\n{found:?}");
        assert!(is_near(upper, case.upper, f64::INFINITY), "{case:?}\n{found:?}");
    }
}

#[derive(Debug, Deserialize)]
struct Joint {
    name: String,
    levels: Vec<f64>,
    smallest: Vec<(f64, f64)>,
}

/// Coins that are drawn leave the level of each as large as all coins would, but for chance.
#[test]
fn levels_of_a_shift_hold_together() {
    let sets = named_blocks();
    for case in load::<Joint>("tails/joint.json") {
        let levels: Vec<Probability> =
            case.levels.iter().map(|&level| Probability::new(level).unwrap()).collect();
        for alpha in [0.05, 0.1, 0.3] {
            let found = tail_shift(&sets[&case.name], &levels, look(alpha)).unwrap();
            let share_up_to = |limit: f64| -> f64 {
                let rejected = case.smallest.iter().filter(|(p_value, _)| *p_value <= limit);
                rejected.map(|(_, probability)| probability).sum()
            };
            // Three standard errors of five thousand draws.
            let chance = 3.0 * (alpha * (1.0 - alpha) / 5000.0).sqrt();
            let least = alpha / levels.len() as f64;
            assert!(found.alpha_of_each >= least && found.alpha_of_each <= alpha, "{found:?}");
            let spent = share_up_to(found.alpha_of_each * (1.0 - 1e-12));
            assert!(spent <= alpha + chance, "{}: {spent} of {alpha}", case.name);
            // The next p-value would be too much, but for chance, and for shapes that differ.
            let widest = found.at.iter().map(|at| at.ratio.shape).fold(1.0, f64::max);
            let limit = (found.alpha_of_each * widest * widest * (1.0 + 1e-9)).max(least);
            let next = case.smallest.iter().map(|found| found.0);
            let next = next.filter(|&p_value| p_value > limit).fold(1.0, f64::min);
            assert!(share_up_to(next) > alpha - chance || next > alpha, "{}: {next}", case.name);
        }
    }
}

/// Noise without a generator: high bits of a congruence.
fn noise(seed: u64, count: usize) -> Vec<f64> {
    (0..count as u64)
        .map(|place| (fathom_stats::drawn_number(seed, place) >> 11) as f64 / (1_u64 << 53) as f64)
        .collect()
}

fn noisy_blocks(n: usize, seed: u64, ratio: f64) -> Vec<BlockRuns> {
    let runs: Vec<f64> = noise(seed, 4 * n).iter().map(|noise| 1.0 + noise * noise).collect();
    runs.chunks(4)
        .map(|runs| BlockRuns::of([ratio * runs[0], ratio * runs[1]], [runs[2], runs[3]]).unwrap())
        .collect()
}

const STATISTICS: [fn() -> RatioOf; 5] =
    [|| quantile(0.9), || quantile(0.5), || quantile(0.2), || RatioOf::Mean, || RatioOf::Minimum];

/// The smallest case that the coins settle: six pairs, all in the same order.
#[test]
fn six_pairs_that_agree_are_enough_and_five_are_not() {
    for n in [5, 6] {
        let blocks: Vec<BlockRuns> = (0..n)
            .map(f64::from)
            .map(|i| BlockRuns::of_pair(2.0 + i / 1e2, 1.0 - i / 1e3))
            .collect::<Option<_>>()
            .unwrap();
        for of in [quantile(0.5), RatioOf::Mean, RatioOf::Minimum] {
            let found = by_coins(&blocks, of, look(0.05));
            assert_eq!(found.interval.is_finite(), n == 6, "{n} {of:?} {found:?}");
            if n == 5 {
                assert!(found.shortage.unwrap().needed() >= 6, "{found:?}");
            }
        }
    }
}

/// The promise itself, without chance: whatever the slots are like, of all ways in which the coins may
/// fall at most a share α has an interval that misses.
#[test]
fn of_all_coins_few_enough_miss() {
    const BLOCKS: usize = 10;
    let d = 0.3_f64;
    let slots = noise(5, 4 * BLOCKS);
    // Drift, one burst, and a few slots that are all alike.
    let slot = |place: usize| match place {
        0..8 => 1.0,
        20..24 => 3.0 + slots[place],
        _ => 1.0 + slots[place] + 0.05 * place as f64,
    };
    for is_pair in [true, false] {
        for of in STATISTICS {
            for alpha in [0.05, 0.3] {
                let misses = (0..1_usize << BLOCKS).filter(|coins| {
                    let blocks: Vec<BlockRuns> = (0..BLOCKS)
                        .map(|block| {
                            let at = |k: usize| slot(4 * block + k);
                            let slow = |k: usize| d.exp() * at(k);
                            match (is_pair, coins >> block & 1 == 1) {
                                (true, true) => BlockRuns::of_pair(slow(0), at(1)),
                                (true, false) => BlockRuns::of_pair(slow(1), at(0)),
                                (false, true) => BlockRuns::of([slow(0), slow(3)], [at(1), at(2)]),
                                (false, false) => BlockRuns::of([slow(1), slow(2)], [at(0), at(3)]),
                            }
                            .unwrap()
                        })
                        .collect();
                    // Rounding may put an end beside the truth.
                    let look = TailLook { tick: 1e-12, ..look(alpha) };
                    !by_coins(&blocks, of(), look).interval.contains(d)
                });
                let share = misses.count() as f64 / (1_usize << BLOCKS) as f64;
                assert!(share <= alpha, "{:?} pairs {is_pair} alpha {alpha}: {share}", of());
            }
        }
    }
}

#[test]
fn too_few_runs_beyond_say_how_many_would_do() {
    let p99 = quantile(0.99);
    let found = tail_ratio(&noisy_blocks(100, 3, 1.0), p99, look(0.05)).unwrap();
    let Some(Shortage::RunsBeyond { beyond, needed }) = found.shortage else { panic!("{found:?}") };
    assert_eq!(beyond, 4);
    assert!(needed >= 150, "{found:?}");
    let enough = tail_ratio(&noisy_blocks(needed.max(250), 3, 1.0), p99, look(0.05)).unwrap();
    assert!(enough.interval.is_finite(), "{enough:?}");
    assert_eq!(found.blocks_to_clear(100, 0.01, 0.05, 0.05).unwrap().blocks, needed);
    assert_eq!(fewest_tail_blocks(p99, 0.05, 2), 150);
    assert_eq!(fewest_tail_blocks(p99, 0.05, 1), 300);
    assert_eq!(fewest_tail_blocks(quantile(0.01), 0.05, 2), 150);
}

/// Two coins are never enough, however many runs are beyond the median.
#[test]
fn too_few_coins_say_how_many_would_do() {
    let found = tail_ratio(&noisy_blocks(2, 3, 1.0), quantile(0.5), look(0.05)).unwrap();
    assert_eq!(found.shortage.unwrap().needed(), fewest_tail_blocks(quantile(0.5), 0.05, 2));
}

/// Shapes that cannot be more different: no number of blocks that anybody could count.
#[test]
fn what_is_needed_stays_countable() {
    let blocks: Vec<BlockRuns> = (0..50)
        .map(|i| BlockRuns::of([1e6, 2e6 + f64::from(i % 3)], [1e6; 2]).unwrap())
        .chain((0..3).map(|_| BlockRuns::of([1e6; 2], [2e6, 1e6]).unwrap()))
        .collect();
    for p in [0.05, 0.25, 0.5, 0.75, 0.9, 0.95] {
        let found = tail_ratio(&blocks, quantile(p), look(0.05 / 9.0)).unwrap();
        let needed = found.shortage.map_or(0, Shortage::needed);
        assert!(needed < 1_000_000, "{p}: {found:?}");
    }
}

/// A stall of one run in ten may be missing among few runs, so their mean has no interval.
#[test]
fn a_mean_needs_runs_that_show_what_is_rare() {
    for (n, is_pair) in [(31, false), (32, false), (63, true), (64, true)] {
        let pair = |block: &BlockRuns| BlockRuns::of_pair(block.subject()[0], block.reference()[0]);
        let mut blocks = noisy_blocks(n, 3, 1.2);
        if is_pair {
            blocks = blocks.iter().filter_map(pair).collect();
        }
        let found = tail_ratio(&blocks, RatioOf::Mean, look(0.05)).unwrap();
        let runs = if is_pair { n } else { 2 * n };
        assert_eq!(found.interval.is_finite(), runs >= 64, "{n} {found:?}");
        if runs < 64 {
            assert_eq!(found.shortage, Some(Shortage::RareRuns { needed: n + 1 }));
            assert!(found.p_value > 0.05, "{found:?}");
        }
        assert_eq!(
            fewest_tail_blocks(RatioOf::Mean, 0.05, 1 + usize::from(!is_pair)),
            n.max(if is_pair { 64 } else { 32 })
        );
    }
    let side = noise(5, 63);
    let sides = |n: usize| UnpairedRuns::independent(&side[..n.min(63)]).unwrap();
    let found = tail_ratio_unpaired(sides(63), sides(60), RatioOf::Mean, 0.05, 0.0);
    assert_eq!(found.shortage, Some(Shortage::RareRuns { needed: 64 }));
    assert!(found.p_value > 0.05, "{found:?}");
}

/// Where a few long runs decide the ratio, the interval allows for longer ones, on their side.
#[test]
fn few_long_runs_widen_a_mean_on_their_side() {
    let stalled = |is_subject: bool| -> Vec<BlockRuns> {
        let stall = |(place, block): (usize, BlockRuns)| {
            let (mut slow, quick) = match is_subject {
                true => ([block.subject()[0], block.subject()[1]], block.reference()),
                false => ([block.reference()[0], block.reference()[1]], block.subject()),
            };
            if place % 20 == 7 {
                slow[0] *= 5.0;
            }
            let quick = [quick[0], quick[1]];
            if is_subject { BlockRuns::of(slow, quick) } else { BlockRuns::of(quick, slow) }
        };
        noisy_blocks(60, 3, 1.0).into_iter().enumerate().filter_map(stall).collect()
    };
    for is_subject in [true, false] {
        let blocks = stalled(is_subject);
        let alone = mean_ratio_by_coins(&blocks, look(0.05)).unwrap().interval;
        let found = tail_ratio(&blocks, RatioOf::Mean, look(0.05)).unwrap().interval;
        let [short, long] = match is_subject {
            true => [alone.lower - found.lower, found.upper - alone.upper],
            false => [found.upper - alone.upper, alone.lower - found.lower],
        };
        assert!(long > 0.3 * alone.width(), "{is_subject}: {alone:?} {found:?}");
        assert!((0.0..0.5 * long).contains(&short), "{is_subject}: {alone:?} {found:?}");
        // Separate results do the same.
        let side = |of: fn(&BlockRuns) -> &[f64]| -> Vec<f64> {
            blocks.iter().flat_map(|block| of(block).to_vec()).collect()
        };
        let runs = [side(BlockRuns::subject), side(BlockRuns::reference)];
        let [subject, reference] =
            runs.each_ref().map(|runs| UnpairedRuns::independent(runs).unwrap());
        let separate = tail_ratio_unpaired(subject, reference, RatioOf::Mean, 0.05, 0.0).interval;
        let reach = if is_subject { separate.upper } else { -separate.lower };
        let of_coins = if is_subject { alone.upper } else { -alone.lower };
        assert!(reach > of_coins + 0.2 * alone.width(), "{is_subject}: {separate:?} {alone:?}");
    }
    // Even runs are as the coins say.
    let even = noisy_blocks(60, 3, 1.0);
    let found = tail_ratio(&even, RatioOf::Mean, look(0.05)).unwrap().interval;
    assert_eq!(found, mean_ratio_by_coins(&even, look(0.05)).unwrap().interval);
}

#[test]
fn constants_are_a_point_and_a_tick_widens_it() {
    let blocks: Vec<BlockRuns> =
        (0..40).map(|_| BlockRuns::of([3.0; 2], [2.0; 2]).unwrap()).collect();
    for of in STATISTICS {
        let found = tail_ratio(&blocks, of(), look(0.05)).unwrap();
        assert!((found.log_ratio - 1.5_f64.ln()).abs() < 1e-12, "{found:?}");
        assert!(found.interval.width() < 1e-9 && found.p_value < 0.05, "{:?} {found:?}", of());
        let coarse = TailLook { tick: 0.5, ..look(0.05) };
        let found = tail_ratio(&blocks, of(), coarse).unwrap();
        assert!((found.interval.width() - 1.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.p_value, 1.0);
    }
    assert!(tail_ratio(&[], RatioOf::Mean, look(0.05)).is_none());
}

/// Times of any size a computer can hold, all at once.
#[test]
fn extreme_sizes_give_numbers() {
    let blocks: Vec<BlockRuns> = (0..30)
        .map(|i| {
            let runs = [f64::MIN_POSITIVE, 1e-300, 1.0, 1e300, f64::MAX];
            BlockRuns::of([runs[i % 5], runs[(i + 1) % 5]], [runs[(i + 2) % 5], runs[(i + 3) % 5]])
                .unwrap()
        })
        .collect();
    for of in STATISTICS {
        let found = tail_ratio(&blocks, of(), look(0.05)).unwrap();
        let numbers = [found.log_ratio, found.interval.lower, found.interval.upper, found.p_value];
        assert!(numbers.iter().all(|number| !number.is_nan()), "{:?} {found:?}", of());
        let all: Vec<f64> = blocks.iter().flat_map(|block| block.subject().to_vec()).collect();
        let side = UnpairedRuns::judged(&all, of()).unwrap();
        let found = tail_ratio_unpaired(side, side, of(), 0.05, 0.0);
        let numbers = [found.log_ratio, found.interval.lower, found.interval.upper, found.p_value];
        assert!(numbers.iter().all(|number| !number.is_nan()), "{:?} {found:?}", of());
    }
}

/// A tail that is stretched above the 95% quantile: the shift says where the difference begins.
#[test]
fn a_shift_finds_where_the_difference_begins() {
    let stretched = |noise: f64| {
        let run = 1.0 + 0.1 * noise;
        if noise > 0.95 { run * 1.3 } else { run }
    };
    let noise = noise(11, 12_000);
    let blocks: Vec<BlockRuns> = noise
        .chunks(4)
        .map(|noise| {
            let plain = |noise: f64| 1.0 + 0.1 * noise;
            BlockRuns::of(
                [stretched(noise[0]), stretched(noise[1])],
                [plain(noise[2]), plain(noise[3])],
            )
            .unwrap()
        })
        .collect();
    let levels = shift_levels(blocks.len(), 2, 0.05);
    assert_eq!(levels.len(), 9);
    let shift = tail_shift(&blocks, &levels, look(0.05)).unwrap();
    for at in &shift.at {
        let interval = at.ratio.interval;
        if at.level.get() < 0.9 {
            assert!(interval.contains(0.0) && interval.upper < 0.02, "{at:?}");
        }
        if at.level.get() > 0.96 && at.level.get() < 0.995 {
            assert!(interval.lower > 0.02, "{at:?}");
        }
    }
    assert!(shift.alpha_of_each > 0.05 / 9.0, "neighbouring quantiles share runs: {shift:?}");
}

fn blocks_strategy() -> impl Strategy<Value = Vec<BlockRuns>> {
    let run = prop_oneof![4 => 0.5..2.0_f64, 1 => (1..6_u8).prop_map(f64::from)];
    let four = prop::array::uniform4(run);
    let of_four = |runs: [f64; 4], is_pair: bool| match is_pair {
        true => BlockRuns::of_pair(runs[0], runs[2]).unwrap(),
        false => BlockRuns::of([runs[0], runs[1]], [runs[2], runs[3]]).unwrap(),
    };
    let block = (four, prop::bool::weighted(0.1)).prop_map(move |(runs, pair)| of_four(runs, pair));
    prop::collection::vec(block, 1..60)
}

fn statistic_strategy() -> impl Strategy<Value = RatioOf> {
    prop_oneof![(0.02..0.98_f64).prop_map(quantile), Just(RatioOf::Mean), Just(RatioOf::Minimum),]
}

fn swapped(blocks: &[BlockRuns]) -> Vec<BlockRuns> {
    scaled(blocks, 1.0)
        .into_iter()
        .map(|(subject, reference)| rebuilt(reference, subject))
        .collect()
}

fn scaled(blocks: &[BlockRuns], factor: f64) -> Vec<(Vec<f64>, Vec<f64>)> {
    let times = |runs: &[f64]| runs.iter().map(|run| factor * run).collect();
    blocks.iter().map(|block| (times(block.subject()), block.reference().to_vec())).collect()
}

fn rebuilt(subject: Vec<f64>, reference: Vec<f64>) -> BlockRuns {
    block(&Runs { subject, reference })
}

fn same(found: f64, expected: f64) -> bool {
    found == expected || (found - expected).abs() < 1e-9
}

fn is_sound(found: &TailRatio, alpha: f64) -> bool {
    let is_left_out = !found.interval.contains(0.0);
    found.interval.contains(found.log_ratio)
        && found.thinness >= 1.0
        && found.shape >= 1.0
        && found.shortage.is_none() == found.interval.is_finite()
        && is_left_out == (found.p_value <= alpha * (1.0 + 1e-9))
}

proptest! {
    #[test]
    fn estimate_interval_and_p_value_agree(
        blocks in blocks_strategy(), of in statistic_strategy(), alpha in 0.001..0.4_f64,
        tick in prop_oneof![Just(0.0), 0.0..0.1_f64],
    ) {
        let look = TailLook { tick, ..look(alpha) };
        let found = tail_ratio(&blocks, of, look).unwrap();
        prop_assert!(is_sound(&found, alpha), "{:?}", found);
        prop_assert_eq!(tail_ratio(&blocks, of, look).unwrap(), found, "not the same bytes");
    }

    #[test]
    fn a_smaller_error_gives_a_wider_interval(
        blocks in blocks_strategy(), of in statistic_strategy(), alpha in 0.01..0.4_f64,
    ) {
        let [narrow, wide] = [alpha, 0.3 * alpha].map(|alpha| {
            tail_ratio(&blocks, of, look(alpha)).unwrap().interval
        });
        // The mean of many blocks draws more coins for a smaller error.
        prop_assume!(of != RatioOf::Mean || blocks.len() <= 12);
        prop_assert!(wide.lower <= narrow.lower + 1e-12 && wide.upper >= narrow.upper - 1e-12);
    }

    /// Twice as slow is twice the ratio. (Powers of two, so that equal runs stay equal.)
    #[test]
    fn a_factor_moves_the_interval(blocks in blocks_strategy(), of in statistic_strategy()) {
        let moved: Vec<BlockRuns> =
            scaled(&blocks, 2.0).into_iter().map(|(s, r)| rebuilt(s, r)).collect();
        let [before, after] = [&blocks, &moved].map(|blocks| tail_ratio(blocks, of, look(0.1)).unwrap());
        let log = 2.0_f64.ln();
        prop_assert!(same(after.log_ratio, before.log_ratio + log));
        prop_assert!(same(after.interval.lower, before.interval.lower + log), "{before:?} {after:?}");
        prop_assert!(same(after.interval.upper, before.interval.upper + log), "{before:?} {after:?}");
    }

    /// The reverse comparison says the reverse.
    #[test]
    fn swapped_sides_say_the_reverse(blocks in blocks_strategy(), of in statistic_strategy()) {
        let turned = swapped(&blocks);
        let [one, other] = [&blocks, &turned].map(|blocks| tail_ratio(blocks, of, look(0.1)).unwrap());
        prop_assert!(same(one.log_ratio, -other.log_ratio));
        // Where equal runs straddle the quantile, which of them is beyond is a convention.
        if same(one.shape, other.shape) && same(one.thinness, other.thinness) {
            prop_assert!(same(one.interval.lower, -other.interval.upper), "{one:?} {other:?}");
            prop_assert!(same(one.interval.upper, -other.interval.lower), "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_shift_is_never_narrower_than_one_quantile(blocks in blocks_strategy()) {
        let levels = [0.25, 0.5, 0.75].map(|level| Probability::new(level).unwrap());
        let shift = tail_shift(&blocks, &levels, look(0.1)).unwrap();
        for at in shift.at {
            let alone = tail_ratio(&blocks, RatioOf::Quantile(at.level), look(0.1)).unwrap();
            prop_assert!(at.ratio.interval.lower <= alone.interval.lower);
            prop_assert!(at.ratio.interval.upper >= alone.interval.upper);
        }
    }

    #[test]
    fn separate_results_agree_with_themselves(
        subject in prop::collection::vec(0.5..2.0_f64, 1..80),
        reference in prop::collection::vec(0.5..2.0_f64, 1..80),
        of in statistic_strategy(), alpha in 0.001..0.4_f64,
    ) {
        let sides = [&subject, &reference].map(|side| UnpairedRuns::judged(side, of).unwrap());
        let found = tail_ratio_unpaired(sides[0], sides[1], of, alpha, 0.0);
        prop_assert!(found.interval.contains(found.log_ratio), "{found:?}");
        let reverse = tail_ratio_unpaired(sides[1], sides[0], of, alpha, 0.0);
        prop_assert!(same(found.interval.lower, -reverse.interval.upper), "{found:?} {reverse:?}");
        prop_assert!(same(found.interval.upper, -reverse.interval.lower), "{found:?} {reverse:?}");
        if (found.p_value / alpha - 1.0).abs() > 0.01 {
            prop_assert_eq!(!found.interval.contains(0.0), found.p_value <= alpha, "{:?}", found);
        }
    }
}
