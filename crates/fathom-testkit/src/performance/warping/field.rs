//! One pair of series that several align, round by round, and what came out.

use super::super::reading::median;
use super::alone::Aligned;
use super::contestants::{Contestant, Cost, Stage};
use super::pairs::{Pair, Written, written};

/// Sums in another order differ by rounding; what is worse than this is another path.
const ROUNDING: f64 = 1e-9;

/// How a contestant fared.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    /// What it said, once a round.
    Aligned(Vec<Aligned>),
    /// It was not asked, because it needs this many bytes and there are fewer.
    TooLarge(f64),
    /// It failed, in these words.
    Failed(String),
}

/// Contestants that align the same pairs of series.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) length: usize,
    /// How many pairs of series there are.
    pub(super) count: usize,
    /// What the best paths cost, for both costs, by the definition; none if that takes too long.
    least: Option<[Vec<f64>; 2]>,
    pub(super) entries: Vec<(Contestant, Entry)>,
    file: Option<Written>,
}

impl Field {
    /// A field whose best paths are known.
    pub(super) fn new(pairs: &[Pair], who: &[Contestant]) -> Result<Field, String> {
        let least = |cost: Cost| pairs.iter().map(|pair| pair.least(cost.of())).collect();
        let mut field = Field::without_truth(pairs, who)?;
        field.least = Some(Cost::BOTH.map(least));
        Ok(field)
    }

    /// A field whose best paths are not computed by the definition.
    pub(super) fn without_truth(pairs: &[Pair], who: &[Contestant]) -> Result<Field, String> {
        let length = pairs.first().map_or(0, |pair| pair.x.len());
        let file = written(&format!("{}x{length}", pairs.len()), pairs)?;
        let entries = who.iter().map(|&one| (one, Entry::Aligned(Vec::new()))).collect();
        let count = pairs.len();
        Ok(Field { length, count, least: None, entries, file: Some(file) })
    }

    /// Lets everyone align once, beginning with another in every round.
    ///
    /// # Errors
    /// Fathom fails. A peer may.
    pub(super) fn round(&mut self, stage: &Stage, round: usize) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let count = self.entries.len();
        for place in 0..count {
            let Some((one, entry)) = self.entries.get_mut((round + place) % count.max(1)) else {
                continue;
            };
            let Entry::Aligned(said) = entry else { continue };
            let needed = one.needs(self.length);
            if available().is_some_and(|there| needed > there) {
                *entry = Entry::TooLarge(needed);
                continue;
            }
            match stage.aligned(*one, file.path(), self.length) {
                Ok(aligned) => said.push(aligned),
                Err(error) if one.is_peer() => *entry = Entry::Failed(error),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(super) fn said(&self, who: Contestant) -> Option<&[Aligned]> {
        self.entries.iter().find_map(|(one, entry)| match entry {
            Entry::Aligned(said) if *one == who && !said.is_empty() => Some(said.as_slice()),
            _ => None,
        })
    }

    fn median(&self, who: Contestant, what: impl Fn(&Aligned) -> Option<f64>) -> Option<f64> {
        let values: Option<Vec<f64>> = self.said(who)?.iter().map(what).collect();
        Some(median(&values?))
    }

    /// Cells of the matrices, of all pairs.
    pub(super) fn cells(&self) -> f64 {
        self.count as f64 * (self.length as f64).powi(2)
    }

    pub(super) fn seconds(&self, who: Contestant) -> Option<f64> {
        self.median(who, |said| Some(said.seconds))
    }

    /// Cells per second.
    pub(super) fn rate(&self, who: Contestant) -> Option<f64> {
        Some(self.cells() / self.seconds(who)?)
    }

    /// By how many bytes aligning made the process grow.
    pub(super) fn grown(&self, who: Contestant) -> Option<f64> {
        self.median(who, |said| Some(said.after? - said.before?))
    }

    /// The most bytes that the process held.
    pub(super) fn whole(&self, who: Contestant) -> Option<f64> {
        self.median(who, |said| said.after)
    }

    /// How many times as long one takes as another, in the same rounds.
    pub(super) fn ratio(&self, slow: Contestant, fast: Contestant) -> Option<f64> {
        let both = self.said(slow)?.iter().zip(self.said(fast)?);
        let ratios: Vec<f64> = both.map(|(slow, fast)| slow.seconds / fast.seconds).collect();
        Some(median(&ratios))
    }

    /// In how many pairs one has found the least cost, and by which share its worst path costs more.
    /// None if the least is not known, or one has aligned nothing.
    pub(super) fn exactness(&self, who: Contestant) -> Option<(usize, f64)> {
        let [absolute, squares] = self.least.as_ref()?;
        let least = if who.cost() == Cost::Absolute { absolute } else { squares };
        let mut excess = vec![0.0_f64; least.len()];
        for said in self.said(who)? {
            let costs = if who.cost() == Cost::Absolute { &said.absolute } else { &said.squares };
            for (index, (excess, least)) in excess.iter_mut().zip(least).enumerate() {
                let cost = costs.get(index).copied().unwrap_or(f64::INFINITY);
                *excess = excess.max(cost / least - 1.0);
            }
        }
        let hits = excess.iter().filter(|&&excess| excess <= ROUNDING).count();
        Some((hits, excess.into_iter().fold(0.0, f64::max)))
    }

    /// Whether one has always found the least cost; of what it did not align, nothing is said.
    pub(super) fn is_exact(&self, who: Contestant) -> bool {
        self.exactness(who).is_none_or(|(hits, _)| hits == self.count)
    }

    /// Fathom's own paths must cost the least, and the same by every kernel.
    pub(super) fn check(&self) -> Result<(), String> {
        let own: Vec<Contestant> =
            self.entries.iter().map(|(one, _)| *one).filter(|one| !one.is_peer()).collect();
        let first = own.first().and_then(|&one| self.said(one)?.first());
        for who in own {
            let same = |said: &Aligned| {
                first.is_none_or(|first| {
                    (&first.absolute, first.pairs) == (&said.absolute, said.pairs)
                })
            };
            if !self.said(who).unwrap_or_default().iter().all(same) {
                return Err(format!("{} finds another path than the other kernels", who.name()));
            }
            if !self.is_exact(who) {
                return Err(format!("{} does not find the least cost", who.name()));
            }
        }
        Ok(())
    }
}

/// The memory that programs can have, in bytes, where Linux says so.
fn available() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kibibytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::pairs::walks;
    use super::*;
    use fathom_dtw::Kernel;

    /// A process's result for a field's pairs: its costs this much above the least.
    pub(in super::super) fn said(field: &Field, seconds: f64, grown: f64, excess: f64) -> Aligned {
        let costs = |index: usize| {
            let least = field.least.as_ref().map_or(&[1.0][..], |least| &least[index]);
            least.iter().map(|cost| cost * (1.0 + excess)).collect()
        };
        Aligned {
            seconds,
            runs: 1,
            absolute: costs(0),
            squares: costs(1),
            pairs: 10,
            before: Some(1e7),
            after: Some(1e7 + grown),
        }
    }

    fn field() -> Field {
        let who = [Contestant::Fathom(Kernel::Scalar), Contestant::Frugal, Contestant::DtwRs];
        Field::new(&walks(2, 30), &who).unwrap()
    }

    fn add(field: &mut Field, index: usize, said: Aligned) {
        let Entry::Aligned(all) = &mut field.entries[index].1 else { panic!("it failed") };
        all.push(said);
    }

    #[test]
    fn medians_and_ratios_are_of_the_same_rounds() {
        let mut field = field();
        for (own, peer) in [(1.0, 30.0), (10.0, 500.0), (2.0, 80.0)] {
            let (own, peer) = (said(&field, own, 4e6, 0.0), said(&field, peer, 8e7, 0.0));
            add(&mut field, 0, own);
            add(&mut field, 2, peer);
        }
        let own = Contestant::Fathom(Kernel::Scalar);
        assert_eq!(field.rate(own), Some(2.0 * 900.0 / 2.0));
        assert_eq!(field.ratio(Contestant::DtwRs, own), Some(40.0));
        assert_eq!(field.grown(Contestant::DtwRs), Some(8e7));
        assert_eq!(field.whole(own), Some(1.4e7));
        assert_eq!(field.rate(Contestant::Tslearn), None);
        assert_eq!(field.ratio(Contestant::Tslearn, own), None);
        assert_eq!(field.check(), Ok(()));
    }

    #[test]
    fn another_path_is_seen() {
        let mut field = field();
        for index in 0..3 {
            let said = said(&field, 1.0, 0.0, if index == 2 { 1e-3 } else { 1e-14 });
            add(&mut field, index, said);
        }
        assert_eq!(field.check(), Ok(()));
        let (hits, worst) = field.exactness(Contestant::DtwRs).unwrap();
        assert!(hits == 0 && (worst - 1e-3).abs() < 1e-9 && !field.is_exact(Contestant::DtwRs));
        let worse = said(&field, 1.0, 0.0, 1e-6);
        field.entries[1].1 = Entry::Aligned(vec![worse.clone()]);
        assert!(field.check().unwrap_err().contains("another path"));
        field.entries[0].1 = Entry::Aligned(vec![worse]);
        assert!(field.check().unwrap_err().contains("the least cost"));
    }
}
