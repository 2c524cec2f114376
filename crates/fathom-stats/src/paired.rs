//! Paired comparison of two subjects under noise that changes with time.
//!
//! The subjects run next to each other in blocks of ABBA or BAAB, a fair coin deciding which. What
//! slows both cancels in the block's log-ratio, and what slows one slot affects either subject with
//! equal probability. Given the noise of all slots, the log-ratios are then independent and
//! symmetric about the truth, so the signed-rank law is exact whatever the drift, the bursts or the
//! dependence of the slots. See `docs/methods/compare.md` and `calibration/compare.md`.

mod assumptions;
mod block;
mod classic;
mod further_blocks;
mod guard;
mod hodges_lehmann;
mod looks;
mod order;
mod quiet;
mod signed_rank;
mod walsh;

pub use assumptions::{
    Assumptions, BlockSkew, CarryOver, NoiseKind, PairingGain, RunNoise, SlotSide, SlottedBlock,
    SpeedDependence,
};
pub use block::Block;
pub use classic::{MeanLn, SignTest, mean_ln, sign_test, wilcoxon};
pub use further_blocks::{FurtherBlocks, blocks_to_clear, detectable, further_blocks};
pub use guard::{Guard, guard};
pub use hodges_lehmann::{Choice, Located, LookStage, locate};
pub use looks::{FEWEST_BLOCKS, Looks, advised_blocks, fewest_blocks};
pub use order::block_order;
pub use quiet::quiet_blocks;
pub use signed_rank::{at_most, rank};
pub use walsh::{kth_walsh, median_walsh};
