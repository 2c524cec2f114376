//! Columns that tables for programs have about a subject besides its estimates: how its values spread, and
//! its parameters.

use fathom_analyze::{Report, Subject};

/// The columns of a report's tables.
pub(crate) struct SubjectColumns {
    /// The names of all parameters, in the order in which they appear.
    parameters: Vec<String>,
}

const SPREAD: [&str; 4] = ["mean", "stddev", "min", "max"];

impl SubjectColumns {
    pub(crate) fn of(report: &Report) -> SubjectColumns {
        let mut parameters: Vec<String> = Vec::new();
        for (name, _) in report.subjects.iter().flat_map(|subject| &subject.parameters) {
            if !parameters.contains(name) {
                parameters.push(name.clone());
            }
        }
        SubjectColumns { parameters }
    }

    /// "mean", "stddev", "min", "max", then "parameter_x" for each parameter, as hyperfine calls them.
    pub(crate) fn head(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|name| format!("parameter_{name}"));
        SPREAD.into_iter().map(String::from).chain(parameters).collect()
    }

    /// The fields of a subject, empty where something is not known.
    pub(crate) fn record(&self, subject: Option<&Subject>) -> Vec<String> {
        let value = |name: &String| {
            let of_subject = subject.map_or(&[][..], |subject| &subject.parameters);
            let found = of_subject.iter().find(|(parameter, _)| parameter == name);
            found.map_or(String::new(), |(_, value)| value.clone())
        };
        let parameters = self.parameters.iter().map(value);
        spread(subject).into_iter().chain(parameters).collect()
    }
}

/// "reference_mean" and so on.
pub(crate) fn spread_head(of: &str) -> Vec<String> {
    SPREAD.map(|name| format!("{of}_{name}")).to_vec()
}

/// The mean, the standard deviation and the range of all values, whether they count or not.
pub(crate) fn spread(subject: Option<&Subject>) -> Vec<String> {
    let Some((subject, found)) = subject.and_then(|one| Some((one, one.spread?))) else {
        return vec![String::new(); SPREAD.len()];
    };
    // A single value has no deviation.
    let sd = if subject.series.len() > 1 { found.sd.to_string() } else { String::new() };
    vec![found.mean.to_string(), sd, found.smallest.to_string(), found.largest.to_string()]
}
