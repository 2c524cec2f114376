//! A long range in slices, each with about as many samples as a store answers at once.

/// Samples in a slice, about: 30 MB of JSON.
const WANTED: f64 = 1_000_000.0;

/// How often series are usually scraped, in milliseconds, until it is known.
const USUAL_INTERVAL: f64 = 15_000.0;

/// No slice is shorter, in milliseconds.
const SHORTEST: i64 = 10_000;

/// Where the next slice begins, and how long it is; in milliseconds.
#[derive(Debug)]
pub(super) struct Slices {
    next: i64,
    end: i64,
    length: i64,
}

impl Slices {
    /// Of a range, for so many series.
    pub(super) fn new(start: i64, end: i64, series: usize) -> Slices {
        let rows = WANTED / f64_of(series.max(1));
        let mut slices = Slices { next: start, end, length: SHORTEST };
        slices.set_length(rows * USUAL_INTERVAL);
        slices
    }

    /// The next slice, with its start outside and its end inside; `None` when all was asked for.
    pub(super) fn next(&self) -> Option<(i64, i64)> {
        let end = self.next.saturating_add(self.length).min(self.end);
        (self.next < self.end).then_some((self.next, end))
    }

    /// The slice was answered with so many samples.
    pub(super) fn done(&mut self, samples: usize) {
        if let Some((_, end)) = self.next() {
            self.done_until(end, samples);
        }
    }

    /// The slice was answered up to a moment, with so many samples.
    pub(super) fn done_until(&mut self, end: i64, samples: usize) {
        let length = f64_of_length((end - self.next).max(1));
        self.next = end;
        // A slice without samples says little about the next one.
        let fits = length * WANTED / f64_of(samples.max(1));
        self.set_length(fits.clamp(length * 0.5, length * 3.0));
    }

    /// The slice was too much; `false` if it cannot be shorter.
    pub(super) fn halve(&mut self) -> bool {
        let Some((start, end)) = self.next() else { return false };
        if end - start <= SHORTEST {
            return false;
        }
        self.length = ((end - start) / 2).max(SHORTEST);
        true
    }

    #[allow(clippy::cast_possible_truncation, reason = "between the shortest slice and the range")]
    fn set_length(&mut self, length: f64) {
        let longest = f64_of_length((self.end - self.next).max(SHORTEST));
        self.length = length.clamp(f64_of_length(SHORTEST), longest) as i64;
    }
}

#[allow(clippy::cast_precision_loss, reason = "numbers of samples and series are small")]
fn f64_of(count: usize) -> f64 {
    count as f64
}

#[allow(clippy::cast_precision_loss, reason = "milliseconds of some days")]
fn f64_of_length(milliseconds: i64) -> f64 {
    milliseconds as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cover_the_range_once_and_grow_to_what_is_wanted() {
        // 10,000 series every 15 s for 6 hours.
        let (mut slices, mut at, mut count) = (Slices::new(0, 21_600_000, 10_000), 0, 0);
        while let Some((start, end)) = slices.next() {
            assert!(start == at && end > start);
            let samples = usize::try_from((end - start) / 15_000).unwrap() * 10_000;
            assert!(samples <= 1_000_000, "{samples}");
            (at, count) = (end, count + 1);
            slices.done(samples);
        }
        assert_eq!((at, count), (21_600_000, 15));
        // One every minute: longer slices.
        let mut slices = Slices::new(0, 86_400_000, 10_000);
        slices.done(250_000);
        assert_eq!(slices.next(), Some((1_500_000, 6_000_000)));
        // None at all.
        let mut slices = Slices::new(0, 3_600_000, 10_000);
        slices.done(0);
        assert_eq!(slices.next(), Some((1_500_000, 3_600_000)));
    }

    #[test]
    fn what_is_too_much_is_halved_until_it_cannot_be() {
        let mut slices = Slices::new(0, 100_000, 1);
        assert_eq!(slices.next(), Some((0, 100_000)));
        assert!(slices.halve());
        assert_eq!(slices.next(), Some((0, 50_000)));
        assert!(slices.halve() && slices.halve() && slices.halve());
        assert_eq!(slices.next(), Some((0, 10_000)));
        assert!(!slices.halve());
        let mut last = Slices::new(0, 4_000, 1);
        assert_eq!(last.next(), Some((0, 4_000)));
        assert!(!last.halve());
        last.done(3);
        assert_eq!(last.next(), None);
    }
}
