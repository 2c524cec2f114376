//! What two builds measure, if it is not time.

use super::dialogue::MeasuredUnit;
use super::opponent::Opponent;
use super::{DuelError, DuelResult};
use fathom_record::Unit;

impl MeasuredUnit {
    /// What both measure; `None` if that is time. Refuses builds that measure different things.
    pub(super) fn of_both(
        opponents: &[Opponent; 2],
        labels: [&str; 2],
    ) -> Result<Option<MeasuredUnit>, DuelError> {
        let [old, new] = opponents.each_ref().map(|opponent| opponent.measured.as_ref());
        if old == new {
            return Ok(old.cloned());
        }
        let said = |measured: Option<&MeasuredUnit>| {
            measured.map_or("time".to_string(), |MeasuredUnit { name, unit }| {
                format!("{name} ({unit})")
            })
        };
        let [of_old, of_new] = labels;
        Err(DuelError::Nothing(format!(
            "{of_old} measures {} and {of_new} measures {}; compare builds with the same \
             `with_measurement`",
            said(old),
            said(new)
        )))
    }

    /// Results in what was measured, if that is not time. Times are seconds already.
    pub(super) fn named_in(mut result: DuelResult, measured: Option<MeasuredUnit>) -> DuelResult {
        let Some(MeasuredUnit { name, unit }) = measured else { return result };
        let unit = match Unit::parse(&unit) {
            Unit::Time(_) => Unit::SECONDS,
            unit => unit,
        };
        for subject in &mut result.subjects {
            let series = subject.series.clone().with_unit(unit.clone());
            subject.series = series.with_metric(name.clone());
        }
        result
    }
}
