//! What a course knows of one of its subjects.

use fathom_stats::paired::{Block, Located};
use fathom_stats::tails::{BlockRuns, Shortage};
use fathom_stats::{LogRatioInterval, Probability, quantile};

/// One subject's way.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSubject {
    blocks: Vec<Block>,
    /// Every run of the blocks, where a statistic of runs is compared.
    runs: Vec<BlockRuns>,
    /// One, or of many quantiles one for each that a look could say something about.
    tracks: Vec<Track>,
    settled: bool,
    p_value: f64,
}

impl Default for ComparedSubject {
    fn default() -> ComparedSubject {
        ComparedSubject {
            blocks: Vec::new(),
            runs: Vec::new(),
            tracks: Vec::new(),
            settled: false,
            p_value: 1.0,
        }
    }
}

/// What the looks at one ratio found together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Track {
    /// Which quantile, where many are compared.
    level: Option<Probability>,
    interval: LogRatioInterval,
    look: Option<Look>,
    contradicted: bool,
}

/// Whether the intervals of earlier looks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookMemory {
    /// All looks are about the same ratio, so the truth lies in all of their intervals.
    AllLooks,
    /// Each look is about the runs up to it. What their tail is changes with what the machine does,
    /// so the last look alone says what it was for all of them.
    LastLook,
}

/// The last look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) located: Located,
    pub(super) shortage: Option<Shortage>,
    pub(super) blocks: usize,
    pub(super) alpha: f64,
}

/// What a look says of one ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Finding {
    /// Which quantile, where many are compared.
    pub(super) level: Option<Probability>,
    pub(super) located: Located,
    /// Why the interval lacks an end, where the rule says so.
    pub(super) shortage: Option<Shortage>,
    /// The part of the error that its interval had.
    pub(super) alpha: f64,
}

impl Track {
    pub(super) fn level(&self) -> Option<Probability> {
        self.level
    }

    pub(super) fn interval(&self) -> LogRatioInterval {
        self.interval
    }

    pub(super) fn look(&self) -> Option<Look> {
        self.look
    }

    /// The estimate; `None` before the first look.
    pub(super) fn log_ratio(&self) -> Option<f64> {
        let log_ratio = self.look?.located.log_ratio;
        // An earlier look may have narrowed the interval more than this one.
        Some(log_ratio.clamp(self.interval.lower, self.interval.upper))
    }

    fn see(&mut self, look: Look, memory: LookMemory) {
        let seen = look.located.interval;
        let lower = self.interval.lower.max(seen.lower);
        let upper = self.interval.upper.min(seen.upper);
        // Intervals of several looks that exclude each other say that the ratio itself changed.
        self.contradicted |= lower > upper;
        let common = LogRatioInterval { lower, upper };
        let is_common = memory == LookMemory::AllLooks && lower <= upper;
        self.interval = if is_common { common } else { seen };
        self.look = Some(look);
    }
}

impl ComparedSubject {
    pub(super) fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    pub(super) fn push_runs(&mut self, runs: BlockRuns) {
        let ends = |runs: &[f64]| Some([*runs.first()?, *runs.last()?]);
        let sides = ends(runs.subject()).zip(ends(runs.reference()));
        // There is one: runs of a block are above zero.
        self.blocks.extend(sides.and_then(|(subject, reference)| Block::of(subject, reference)));
        self.runs.push(runs);
    }

    /// Takes what a look after this number of blocks found.
    pub(super) fn see(&mut self, findings: &[Finding], blocks: usize, memory: LookMemory) {
        for found in findings {
            let Finding { level, located, shortage, alpha } = *found;
            let place = self.tracks.iter().position(|track| track.level == level);
            let place = place.unwrap_or_else(|| {
                let interval = LogRatioInterval::EVERYTHING;
                self.tracks.push(Track { level, interval, look: None, contradicted: false });
                self.tracks.len() - 1
            });
            self.tracks[place].see(Look { located, shortage, blocks, alpha }, memory);
        }
        let at = |track: &Track| track.level.map_or(0.0, Probability::get);
        self.tracks.sort_by(|one, other| at(one).total_cmp(&at(other)));
    }

    pub(super) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The only ratio, or that of the quantile in the middle.
    fn main(&self) -> Option<&Track> {
        let from_middle = |track: &Track| track.level.map_or(0.0, |p| (p.get() - 0.5).abs());
        self.tracks.iter().min_by(|one, other| from_middle(one).total_cmp(&from_middle(other)))
    }

    pub(super) fn look(&self) -> Option<Look> {
        self.main()?.look
    }

    pub(super) fn settle(&mut self) {
        self.settled = true;
    }

    /// Takes a p-value of a look that holds over all looks and subjects.
    pub(super) fn adjust_p_value(&mut self, p_value: f64, memory: LookMemory) {
        self.p_value = match memory {
            LookMemory::AllLooks => self.p_value.min(p_value),
            LookMemory::LastLook => p_value.min(1.0),
        };
    }

    /// Its blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The runs of its blocks, where the course was given them.
    #[must_use]
    pub fn runs(&self) -> &[BlockRuns] {
        &self.runs
    }

    /// The quantile of the reference's runs and of its own, the reference's first; `None` without runs.
    pub(super) fn sides(&self, p: Probability) -> Option<[f64; 2]> {
        let of = |side: fn(&BlockRuns) -> &[f64]| {
            let mut runs: Vec<f64> = self.runs.iter().flat_map(side).copied().collect();
            quantile::of_unsorted(&mut runs, p)
        };
        Some([of(BlockRuns::reference)?, of(BlockRuns::subject)?])
    }

    /// Where its log-ratio lies; of many quantiles, that of the one in the middle.
    #[must_use]
    pub fn interval(&self) -> LogRatioInterval {
        self.main().map_or(LogRatioInterval::EVERYTHING, Track::interval)
    }

    /// The estimate of its log-ratio; `None` before the first look.
    #[must_use]
    pub fn log_ratio(&self) -> Option<f64> {
        self.main()?.log_ratio()
    }

    /// The last look at it.
    #[must_use]
    pub fn last_look(&self) -> Option<Located> {
        self.look().map(|look| look.located)
    }

    /// Valid over all looks and subjects.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        self.p_value
    }

    /// Whether looks at different times excluded each other.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.tracks.iter().any(|track| track.contradicted)
    }

    /// Whether it was settled before the blocks ran out.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.settled
    }
}
