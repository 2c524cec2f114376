//! What a machine can show: a program compared with itself.

use fathom_stats::RatioInterval;
use fathom_stats::paired::{Block, Choice, Located, LookStage, detectable, locate};

/// What blocks of a program against itself show about a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseFloor {
    look: Located,
    blocks: usize,
    seconds_per_block: f64,
}

/// The floor is looked at once.
const ALPHA: f64 = 0.05;
/// What a look of a comparison may spend, about.
const LOOK: f64 = 0.005;

impl NoiseFloor {
    /// From blocks that took `seconds` in all; `None` without any.
    #[must_use]
    pub fn of(blocks: &[Block], seconds: f64) -> Option<NoiseFloor> {
        let look = locate(blocks, Choice::Quiet, ALPHA, LookStage::Last, 0.0)?;
        let seconds_per_block = seconds / blocks.len() as f64;
        Some(NoiseFloor { look, blocks: blocks.len(), seconds_per_block })
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// How many of them ran under other load and do not count.
    #[must_use]
    pub fn set_aside(&self) -> usize {
        self.blocks - self.look.used
    }

    /// The ratio, which is 1 but for noise.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.look.log_ratio.exp()
    }

    /// Of the ratio, at 95%.
    #[must_use]
    pub fn interval(&self) -> RatioInterval {
        self.look.interval.ratio()
    }

    /// The smallest difference, as a share, that comparisons of this many seconds show in four of
    /// five tries; `None` if the blocks are too few to tell.
    #[must_use]
    pub fn smallest_difference(&self, seconds: f64) -> Option<f64> {
        let blocks = seconds / self.seconds_per_block;
        Some(detectable(&self.look, self.blocks, ALPHA, LOOK, blocks)?.exp_m1())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(count: usize) -> Vec<Block> {
        let noise = |i: usize| 0.01 * ((i * 7 % 10) as f64 - 4.5);
        (0..count).map(|i| Block { log_ratio: noise(i), log_total: 0.0 }).collect()
    }

    #[test]
    fn a_longer_comparison_shows_less() {
        let floor = NoiseFloor::of(&blocks(40), 4.0).unwrap();
        assert_eq!((floor.blocks(), floor.set_aside()), (40, 0));
        assert!(floor.interval().contains(1.0) && floor.interval().contains(floor.ratio()));
        let [short, long] = [10.0, 40.0].map(|s| floor.smallest_difference(s).unwrap().ln_1p());
        assert!((short / long - 2.0).abs() < 1e-12);
    }

    #[test]
    fn too_few_blocks_tell_nothing() {
        assert!(NoiseFloor::of(&[], 1.0).is_none());
        assert_eq!(NoiseFloor::of(&blocks(3), 1.0).unwrap().smallest_difference(10.0), None);
    }
}
