//! Prediction of branches by two-bit counters.

/// How a branch finds its counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// By its address alone.
    Bimodal,
    /// By its address and the outcomes of the branches before it (McFarling 1993).
    Gshare,
}

impl Scheme {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Bimodal => "bimodal",
            Scheme::Gshare => "gshare",
        }
    }
}

const INDEX_BITS: u32 = 12;
/// How many outcomes gshare looks back on.
const HISTORY_BITS: u32 = 8;

/// A table of counters from 0, surely not taken, to 3, surely taken.
#[derive(Debug, Clone)]
pub struct Predictor {
    scheme: Scheme,
    counters: Vec<u8>,
    history: u32,
}

impl Predictor {
    /// One that has seen nothing: every counter says weakly not taken.
    pub fn new(scheme: Scheme) -> Predictor {
        Predictor { scheme, counters: vec![1; 1 << INDEX_BITS], history: 0 }
    }

    /// Predicts a branch, learns its outcome, and says whether the prediction was right.
    pub fn predict(&mut self, pc: u32, taken: bool) -> bool {
        let history = match self.scheme {
            Scheme::Bimodal => 0,
            Scheme::Gshare => self.history,
        };
        // Instructions are four bytes long: the low two bits of an address say nothing.
        let index = ((pc >> 2) ^ history) & ((1 << INDEX_BITS) - 1);
        let counter = &mut self.counters[index as usize];
        let predicted = *counter >= 2;
        *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        self.history = ((self.history << 1) | u32::from(taken)) & ((1 << HISTORY_BITS) - 1);
        predicted == taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The share of right predictions of one branch, once it had time to learn.
    fn accuracy(scheme: Scheme, mut outcome: impl FnMut(u32) -> bool) -> f64 {
        let mut predictor = Predictor::new(scheme);
        (0..1_000).for_each(|i| _ = predictor.predict(0x40, outcome(i)));
        let right = (1_000..2_000).filter(|&i| predictor.predict(0x40, outcome(i))).count();
        right as f64 / 1_000.0
    }

    #[test]
    fn gshare_learns_a_pattern_and_bimodal_does_not() {
        // A loop of six rounds: taken five times, then not.
        let pattern = |i: u32| i % 6 != 5;
        assert_eq!(accuracy(Scheme::Gshare, pattern), 1.0);
        let share = accuracy(Scheme::Bimodal, pattern);
        assert!((share - 5.0 / 6.0).abs() < 0.002, "{share}");
        assert_eq!(accuracy(Scheme::Gshare, |i| i % 2 == 0), 1.0);
    }

    #[test]
    fn chance_cannot_be_learnt() {
        let mut random = Random::new(11, 0);
        let share = accuracy(Scheme::Gshare, |_| random.below(2) == 0);
        assert!((0.4..0.6).contains(&share), "{share}");
    }
}
