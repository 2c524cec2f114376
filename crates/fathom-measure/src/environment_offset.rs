//! Variables that every run of a command finds in its environment.
//!
//! The environment lies above the stack, so its size decides how the stack is aligned, and with it
//! the speed of programs that have nothing to do with it: Mytkowicz et al., "Producing Wrong Data
//! Without Doing Anything Obviously Wrong" (2009), saw differences of 8% and more. A size that
//! varies from run to run makes a spread of what would be a bias.

/// The number of the run.
const RUN: &str = "FATHOM_RUN";
/// Makes up for the digits of the run's number.
const RUN_PADDING: &str = "FATHOM_RUN_PADDING";
/// Is as long as the offset.
const OFFSET: &str = "FATHOM_ENV_OFFSET";

/// Random offsets are below this: a page, beyond which alignments repeat.
const PAGE: usize = 4096;
/// Linux takes variables of up to 128 KiB, with their names.
const LONGEST: usize = 100_000;
/// Digits of the largest 64-bit number.
const MOST_DIGITS: usize = 20;

/// By how much the environment is made larger: `--env-offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentOffset {
    /// By as many bytes in every run.
    Fixed(usize),
    /// By 0 to 4095 bytes, chosen again for every run.
    Random,
}

/// Not an offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an offset. Use \"random\" or a number of bytes from 0 to {LONGEST}.")]
pub struct EnvironmentOffsetError {
    text: String,
}

impl EnvironmentOffset {
    /// Reads "random" or a number of bytes.
    ///
    /// ```
    /// use fathom_measure::EnvironmentOffset;
    /// assert_eq!(EnvironmentOffset::parse("random")?, EnvironmentOffset::Random);
    /// assert_eq!(EnvironmentOffset::parse("64")?, EnvironmentOffset::Fixed(64));
    /// assert!(EnvironmentOffset::parse("-1").is_err());
    /// # Ok::<(), fathom_measure::EnvironmentOffsetError>(())
    /// ```
    pub fn parse(text: &str) -> Result<EnvironmentOffset, EnvironmentOffsetError> {
        if text == "random" {
            return Ok(EnvironmentOffset::Random);
        }
        match text.parse::<usize>() {
            Ok(bytes) if bytes <= LONGEST => Ok(EnvironmentOffset::Fixed(bytes)),
            _ => Err(EnvironmentOffsetError { text: text.to_string() }),
        }
    }

    /// The bytes by which the environment of a run is larger: the same for the same seed and run.
    #[must_use]
    pub fn bytes(self, seed: u64, run: u64) -> usize {
        match self {
            EnvironmentOffset::Fixed(bytes) => bytes,
            EnvironmentOffset::Random => {
                // The run's number goes into a mixed seed, so that runs of neighbouring seeds are
                // not the same ones shifted.
                let mixed = SplitMix64 { state: seed }.next();
                let random = SplitMix64 { state: mixed.wrapping_add(run) }.next();
                usize::try_from(random % PAGE as u64).unwrap_or_default()
            }
        }
    }
}

/// The variables for a run: its number, from whatever the caller counts from, and the offset if
/// there is one.
///
/// "FATHOM_RUN=10" is a byte longer than "FATHOM_RUN=9", which would move the stack in the middle of
/// a measurement; a padding keeps the sum the same, so that the offset alone decides.
#[must_use]
pub fn run_variables(
    run: u64,
    offset: Option<EnvironmentOffset>,
    seed: u64,
) -> Vec<(&'static str, String)> {
    let number = run.to_string();
    let padding = "x".repeat(MOST_DIGITS.saturating_sub(number.len()));
    let mut variables = vec![(RUN, number), (RUN_PADDING, padding)];
    if let Some(offset) = offset {
        variables.push((OFFSET, "x".repeat(offset.bytes(seed, run))));
    }
    variables
}

/// Steele, Lea and Flood's generator (2014): enough for lengths, and a few lines long.
pub(crate) struct SplitMix64 {
    pub(crate) state: u64,
}

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The published first outputs for this seed.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = SplitMix64 { state: 1_234_567 };
        let first: Vec<u64> = (0..3).map(|_| generator.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn random_offsets_cover_the_page_evenly() {
        let runs = 40_960_u64;
        let mut parts = [0_u32; 16];
        let mut smallest = usize::MAX;
        let mut largest = 0;
        for run in 0..runs {
            let bytes = EnvironmentOffset::Random.bytes(7, run);
            parts[bytes / 256] += 1;
            smallest = smallest.min(bytes);
            largest = largest.max(bytes);
        }
        // 2560 are expected in each; five standard deviations are 245.
        assert!(parts.iter().all(|&count| (2315..=2805).contains(&count)), "{parts:?}");
        assert_eq!((smallest, largest), (0, PAGE - 1));
    }

    #[test]
    fn seeds_and_runs_decide_and_nothing_else() {
        let of = |seed| -> Vec<usize> {
            (0..100).map(|run| EnvironmentOffset::Random.bytes(seed, run)).collect()
        };
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert_ne!(of(1)[1..], of(2)[..99], "neighbouring seeds must not be shifted copies");
        assert_eq!(EnvironmentOffset::Fixed(64).bytes(1, 2), 64);
    }

    #[test]
    fn only_random_and_bytes_are_offsets() {
        assert_eq!(EnvironmentOffset::parse("0"), Ok(EnvironmentOffset::Fixed(0)));
        for bad in ["", "Random", "-1", "1.5", "100001", "64 ", "99999999999999999999999"] {
            assert_eq!(
                EnvironmentOffset::parse(bad).unwrap_err().to_string(),
                format!(
                    "{bad:?} is not an offset. Use \"random\" or a number of bytes from 0 to \
                     100000."
                )
            );
        }
    }

    proptest! {
        #[test]
        fn the_size_depends_on_the_offset_alone(
            run in any::<u64>(), seed in any::<u64>(), bytes in 0..=LONGEST
        ) {
            let size = |variables: &[(&str, String)]| -> usize {
                variables.iter().map(|(name, value)| name.len() + value.len()).sum()
            };
            prop_assert_eq!(size(&run_variables(run, None, seed)), size(&run_variables(0, None, 0)));
            let empty = size(&run_variables(0, Some(EnvironmentOffset::Fixed(0)), 0));
            let fixed = EnvironmentOffset::Fixed(bytes);
            prop_assert_eq!(size(&run_variables(run, Some(fixed), seed)), empty + bytes);
            let random = EnvironmentOffset::Random;
            let variables = run_variables(run, Some(random), seed);
            prop_assert_eq!(size(&variables), empty + random.bytes(seed, run));
            prop_assert_eq!(&variables[0], &("FATHOM_RUN", run.to_string()));
        }
    }
}
