//! Work per time, read back.

use super::end;
use crate::report::Subject;
use crate::{EstimateRequest, analyze_work};
use fathom_record::{Series, Unit};
use fathom_stats::{Confidence, Interval, Sides};
use serde_json::Value;

/// The subject of a document that has amounts for its values, fitted again; `None` if it has none.
pub(super) fn read(series: &Series, entry: &Value) -> Option<Subject> {
    let work = &entry["work"];
    let amounts: Option<Vec<f64>> = work["amounts"].as_array()?.iter().map(Value::as_f64).collect();
    let amounts = amounts.filter(|amounts| amounts.len() == series.len())?;
    let amounts = Series::new(work["work"].as_str()?, Unit::Unknown, amounts).ok()?;
    let sides = Sides::ALL.into_iter().find(|sides| work["sides"] == sides.name());
    let request = EstimateRequest {
        confidence: Confidence::new(work["confidence"].as_f64()?).ok()?,
        sides: sides.unwrap_or(Sides::Both),
        ..EstimateRequest::default()
    };
    let mut subject = analyze_work(&amounts, series.clone(), &request);
    // What was assumed is not told, so the intervals are the ones that were written.
    if let Some(Ok(found)) = subject.work.as_mut().map(|work| work.found.as_mut()) {
        let written = |lower: &str, upper: &str| {
            Some(Interval { lower: end(&work[lower])?, upper: end(&work[upper])? })
        };
        found.rate_interval = written("lower", "upper").unwrap_or(found.rate_interval);
        found.setup_interval =
            written("setup_lower", "setup_upper").unwrap_or(found.setup_interval);
        found.effective = work["effective_n"].as_f64().unwrap_or(found.effective);
        found.setup_needs = work["setup_needs"].as_u64().map(|needed| needed as usize);
        found.curvature_p = work["curvature_p"].as_f64();
        found.if_independent = work["if_independent"].as_bool().unwrap_or(false);
        if found.rate_interval != Interval::EVERYTHING {
            found.unknown = None;
        }
    }
    Some(subject)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Report};
    use fathom_record::Environment;

    fn report(assume_independent: bool, slope: f64) -> Report {
        let amounts: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 10 + 1)).collect();
        let noise = |i: usize| 0.05 * ((i * i * 13) % 17) as f64;
        let times =
            amounts.iter().enumerate().map(|(i, amount)| 2.0 + slope * amount + noise(i)).collect();
        let request = EstimateRequest {
            assume_independent,
            confidence: Confidence::new(0.9).unwrap(),
            ..EstimateRequest::default()
        };
        let work = Series::new("blocks", Unit::Unknown, amounts).unwrap();
        let times = Series::new("copy", Unit::SECONDS, times).unwrap();
        Report {
            command_line: String::new(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![analyze_work(&work, times, &request)],
            comparisons: None,
            warnings: Vec::new(),
        }
    }

    #[test]
    fn a_line_is_read_back_with_its_amounts() {
        for report in [report(false, 0.5), report(true, 0.5), report(false, -0.5)] {
            let text = Document::of(&report, true).to_json().unwrap();
            let read = Document::read(&text).unwrap();
            assert_eq!(read.subjects[0].work, report.subjects[0].work);
            assert_eq!(Document::of(&read, true).to_json().unwrap(), text);
        }
    }

    /// Without a rate there is a reason, and no number that would be taken for one.
    #[test]
    fn what_cannot_be_told_is_null() {
        let report = report(false, -0.5);
        let document = Document::of(&report, false).to_json().unwrap();
        let document: Value = serde_json::from_str(&document).unwrap();
        let work = &document["subjects"][0]["work"];
        assert!(work["rate"].is_null() && work["setup"].is_null() && work["effective_n"].is_null());
        assert_eq!((&work["lower"], &work["upper"]), (&"-inf".into(), &"inf".into()));
        assert!(work["declined"].as_str().unwrap().starts_with("more work does not take more"));
        assert_eq!(work["points"].as_array().unwrap().len(), 10);
    }
}
