//! Means of resamples, fast: the inner loop of the bootstrap of a mean.

use super::Resampling;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Mutex;

/// Means of resamples, on all cores where that pays.
pub(super) fn resampled_means(values: &[f64], resampling: Resampling) -> Vec<f64> {
    // Every block has its own generator, so the result does not depend on how many cores share
    // the work.
    const BLOCK: usize = 250;
    const WORTH_A_THREAD: usize = 1_000_000;
    let mut means = vec![0.0; resampling.resamples];
    let blocks = Mutex::new(means.chunks_mut(BLOCK).enumerate());
    let sampler = Resampler::new(values);
    let work = || {
        while let Ok(Some((number, block))) = blocks.lock().map(|mut left| left.next()) {
            let seed = resampling.seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95);
            sampler.means(block, &mut Xoshiro256Plus::seed_from_u64(seed));
        }
    };
    let draws = values.len().saturating_mul(resampling.resamples);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..cores.min(draws / WORTH_A_THREAD) {
            // Where the system gives no more threads, fewer do it all.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    means
}

/// Draws with replacement, most of them from 16 random bits each.
///
/// bits · n / 2¹⁶ is an index. The few bits that would favour some indices (Lemire, "Fast random
/// integer generation in an interval", 2019) become an index that adds nothing, and those draws
/// are made again from 64 bits. So an index's probability is 1 / n exactly in the first case and
/// to within 2⁻⁶⁴ in the second.
struct Resampler {
    n: usize,
    /// The values over n, because the sum of large values could overflow; then zeros, up to
    /// [`NOTHING`] at least.
    shares: Vec<f64>,
}

/// Eight draws: random bits that become indices.
type Lanes = [u16; 8];

/// The index that adds nothing: those of values are below n ≤ 65535.
const NOTHING: u16 = u16::MAX;

/// With as many shares as 16 bits can index the compiler needs no bounds checks.
const INDEXABLE: usize = NOTHING as usize + 1;

impl Resampler {
    fn new(values: &[f64]) -> Resampler {
        let n = values.len();
        let mut shares = vec![0.0; n.max(INDEXABLE)];
        shares.iter_mut().zip(values).for_each(|(share, value)| *share = value / n as f64);
        Resampler { n, shares }
    }

    fn means(&self, means: &mut [f64], rng: &mut impl Rng) {
        // Where 16 bits cannot tell all values apart there are no lanes, and all draws take 64.
        let n = u16::try_from(self.n).unwrap_or(1);
        let mut lanes: Vec<Lanes> = (0..n / 8).map(|_| random_lanes(rng)).collect();
        for mean in means {
            let chosen = choose(lanes.as_flattened_mut(), n);
            *mean = self.sum_and_refill(&mut lanes, rng);
            for _ in chosen..self.n {
                let product = u128::from(rng.next_u64()) * self.n as u128;
                *mean += self.shares[(product >> 64) as usize];
            }
            // n shares of the largest number may round to more than it.
            *mean = mean.clamp(f64::MIN, f64::MAX);
        }
    }

    /// Adds up the values at the indices and leaves new bits in their place. Both in one loop,
    /// because the one keeps the processor's loads busy and the other its arithmetic.
    fn sum_and_refill(&self, lanes: &mut [Lanes], rng: &mut impl Rng) -> f64 {
        let Some(shares) = self.shares.first_chunk::<INDEXABLE>() else {
            return 0.0;
        };
        // Separate accumulators, because an addition waits for the one before it.
        let mut parts = [0.0; 8];
        for group in lanes {
            for (part, index) in parts.iter_mut().zip(*group) {
                *part += shares[usize::from(index)];
            }
            *group = random_lanes(rng);
        }
        parts.iter().sum()
    }
}

/// Turns random bits into indices below n or [`NOTHING`]; how many indices there are.
fn choose(lanes: &mut [u16], n: u16) -> usize {
    let favoured = (INDEXABLE % usize::from(n)) as u16;
    // All in 16 bits, so that the compiler takes eight lanes at a time.
    let mut nothing = 0;
    for lane in lanes.iter_mut() {
        let product = u32::from(*lane) * u32::from(n);
        let again = (product as u16) < favoured;
        *lane = (product >> 16) as u16 | if again { NOTHING } else { 0 };
        nothing += u16::from(again);
    }
    lanes.len() - usize::from(nothing)
}

fn random_lanes(rng: &mut impl Rng) -> Lanes {
    let (a, b) = (rng.next_u64(), rng.next_u64());
    let lane = |word: u64, number: u32| (word >> (16 * number)) as u16;
    [lane(a, 0), lane(a, 1), lane(a, 2), lane(a, 3), lane(b, 0), lane(b, 1), lane(b, 2), lane(b, 3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean::Moments;

    /// Around every switch: no lanes, a remainder next to the lanes, one group, too many to index.
    const SIZES: [usize; 14] =
        [2, 3, 7, 8, 9, 22, 1000, 1023, 1024, 32_769, 65_528, 65_535, 65_536, 70_001];

    #[test]
    fn over_all_bits_every_index_comes_equally_often() {
        for n in SIZES.into_iter().filter_map(|n| u16::try_from(n).ok()) {
            let mut lanes: Vec<u16> = (0..=u16::MAX).collect();
            let chosen = choose(&mut lanes, n);
            let mut counts = vec![0; INDEXABLE];
            lanes.iter().for_each(|&index| counts[usize::from(index)] += 1);
            let (indices, others) = counts.split_at(usize::from(n));
            assert!(indices.iter().all(|&count| count == INDEXABLE / usize::from(n)), "{n}");
            assert_eq!(others[others.len() - 1], INDEXABLE % usize::from(n), "{n}");
            assert_eq!(chosen, indices.iter().sum(), "{n}");
        }
    }

    #[test]
    fn every_resample_has_n_draws() {
        for n in SIZES {
            for mean in resampled_means(&vec![3.0; n], Resampling { resamples: 20, seed: 1 }) {
                assert!((mean - 3.0).abs() < 1e-9, "{n}: {mean}");
            }
        }
    }

    /// How often each of ten values comes can be read off the mean of powers of 16.
    #[test]
    fn counts_are_multinomial() {
        const N: usize = 10;
        for seed in 0..5 {
            let resampling = Resampling { resamples: 40_000, seed };
            let powers: [f64; N] = std::array::from_fn(|i| 16_f64.powi(i as i32));
            let mut sums = [0.0; N];
            let mut products = [[0.0; N]; N];
            for mean in resampled_means(&powers, resampling) {
                let digits = (mean * N as f64).round() as u64;
                let counts: [f64; N] = std::array::from_fn(|i| (digits >> (4 * i) & 15) as f64);
                for i in 0..N {
                    sums[i] += counts[i];
                    (0..N).for_each(|j| products[i][j] += (counts[i] - 1.0) * (counts[j] - 1.0));
                }
            }
            let resamples = resampling.resamples as f64;
            // 9 degrees of freedom: above 34 once in 10⁴.
            let chi_square: f64 =
                sums.iter().map(|sum| (sum - resamples).powi(2) / resamples).sum();
            assert!(chi_square < 34.0, "seed {seed}: {chi_square} {sums:?}");
            for (i, row) in products.iter().enumerate() {
                for (j, product) in row.iter().enumerate() {
                    // Variance 1 − 1/n, covariance −1/n; the standard error is about 0.006.
                    let expected = f64::from(u8::from(i == j)) - 0.1;
                    let found = product / resamples;
                    assert!((found - expected).abs() < 0.035, "seed {seed}: {i} {j} {found}");
                }
            }
        }
    }

    #[test]
    fn means_have_the_mean_and_variance_of_theory_and_do_not_depend_on_each_other() {
        for (n, resamples) in [(22, 50_000), (1000, 20_000), (40_000, 1000), (70_001, 1000)] {
            let values: Vec<f64> =
                (1..=n).map(|i| -(f64::from(i) / f64::from(n + 1)).ln()).collect();
            let seed = 11;
            let means = resampled_means(&values, Resampling { resamples, seed });
            let moments = Moments::of(&values).unwrap();
            let n = f64::from(n);
            let error = moments.sd * ((n - 1.0) / n).sqrt() / n.sqrt();
            let z: Vec<f64> = means.iter().map(|mean| (mean - moments.mean) / error).collect();
            let average =
                |terms: &mut dyn Iterator<Item = f64>| terms.sum::<f64>() / resamples as f64;
            let unit = 1.0 / (resamples as f64).sqrt();
            let mean = average(&mut z.iter().copied());
            assert!(mean.abs() < 4.0 * unit, "n {n}, seed {seed}: mean {mean}");
            let variance = average(&mut z.iter().map(|z| z * z));
            assert!((variance - 1.0).abs() < 6.0 * unit, "n {n}, seed {seed}: variance {variance}");
            // Bits that are not replaced would show between neighbours.
            let neighbours = average(&mut z.windows(2).map(|pair| pair[0] * pair[1]));
            assert!(neighbours.abs() < 4.0 * unit, "n {n}, seed {seed}: lag one {neighbours}");
        }
    }

    #[test]
    fn threads_change_nothing() {
        let values: Vec<f64> = (0..1000).map(f64::from).map(f64::sqrt).collect();
        let run = |resamples| resampled_means(&values, Resampling { resamples, seed: 5 });
        // Too few draws for a second thread, then enough.
        assert_eq!(run(750), run(6000)[..750]);
    }

    #[test]
    fn means_of_the_largest_numbers_are_finite() {
        let means = resampled_means(&[f64::MAX; 999], Resampling { resamples: 99, seed: 1 });
        assert!(means.iter().all(|mean| mean.is_finite()));
    }
}
