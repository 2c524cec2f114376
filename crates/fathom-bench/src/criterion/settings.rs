//! What a bench sets in its code.

use fathom_analyze::compare::Margin;
use fathom_stats::Confidence;
use std::collections::BTreeSet;
use std::time::Duration;

/// Settings of a [`Criterion`](super::Criterion) or of a group, as far as they mean something here.
/// The command line outranks them.
#[derive(Debug, Clone, Default)]
pub(super) struct BenchSettings {
    /// The time limit.
    pub(super) measurement_time: Option<Duration>,
    /// What counts as no difference.
    pub(super) margin: Option<Margin>,
    pub(super) confidence: Option<Confidence>,
    /// Settings that were accepted and change nothing, for `-v`.
    pub(super) without_effect: BTreeSet<&'static str>,
}

impl BenchSettings {
    pub(super) fn measurement_time(&mut self, time: Duration) {
        if !time.is_zero() {
            self.measurement_time = Some(time);
        }
    }

    pub(super) fn noise_threshold(&mut self, threshold: f64) {
        match Margin::new(threshold) {
            Ok(margin) => self.margin = Some(margin),
            Err(_) => self.without_effect("noise_threshold of 10 or more"),
        }
    }

    pub(super) fn confidence_level(&mut self, level: f64) {
        match Confidence::new(level) {
            Ok(confidence) => self.confidence = Some(confidence),
            Err(_) => self.without_effect("confidence_level below 0.5"),
        }
    }

    pub(super) fn without_effect(&mut self, setting: &'static str) {
        self.without_effect.insert(setting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fathom_cannot_do_is_kept_for_verbose_pages() {
        let mut settings = BenchSettings::default();
        settings.confidence_level(0.99);
        settings.noise_threshold(0.02);
        assert!(settings.without_effect.is_empty());
        settings.confidence_level(0.2);
        settings.noise_threshold(20.0);
        settings.measurement_time(Duration::ZERO);
        assert_eq!(settings.confidence.map(Confidence::get), Some(0.99));
        assert_eq!(settings.margin.map(Margin::get), Some(0.02));
        assert_eq!(settings.measurement_time, None);
        assert_eq!(settings.without_effect.len(), 2);
    }
}
