//! What can be switched.

use fathom_analyze::Statistic;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_stats::Confidence;
use fathom_stats::outliers::Method;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

/// How a session is analysed.
///
/// ```
/// use fathom_ui::session::SessionOptions;
/// let text = r#"{"confidence":0.99,"outliers":"remove","outlier_method":"full","steady_state":12,"statistic":"p90"}"#;
/// let options: SessionOptions = serde_json::from_str(text)?;
/// assert_eq!(serde_json::to_string(&options)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionOptions {
    /// How sure.
    #[serde(serialize_with = "write_confidence", deserialize_with = "read_confidence")]
    pub confidence: Confidence,
    /// What happens to outliers.
    #[serde(serialize_with = "write_outliers", deserialize_with = "read_outliers")]
    pub outliers: OutlierPolicy,
    /// The rule that finds them.
    #[serde(serialize_with = "write_outlier_method", deserialize_with = "read_outlier_method")]
    pub outlier_method: Method,
    /// Which samples are the steady state.
    #[serde(serialize_with = "write_steady_state", deserialize_with = "read_steady_state")]
    pub steady_state: SteadyStatePolicy,
    /// What is estimated.
    #[serde(serialize_with = "write_statistic", deserialize_with = "read_statistic")]
    pub statistic: Statistic,
}

const OUTLIERS: [(&str, OutlierPolicy); 3] = [
    ("flag", OutlierPolicy::Flag),
    ("remove", OutlierPolicy::Remove),
    ("keep", OutlierPolicy::Keep),
];

fn write_confidence<S: Serializer>(level: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(level.get())
}

fn read_confidence<'de, D: Deserializer<'de>>(from: D) -> Result<Confidence, D::Error> {
    Confidence::new(f64::deserialize(from)?)
        .map_err(|error| de::Error::custom(format!("{error}; use 0.95, or 0.99")))
}

fn write_outliers<S: Serializer>(policy: &OutlierPolicy, to: S) -> Result<S::Ok, S::Error> {
    let (name, _) = OUTLIERS.iter().find(|(_, one)| one == policy).unwrap_or(&OUTLIERS[0]);
    to.serialize_str(name)
}

fn read_outliers<'de, D: Deserializer<'de>>(from: D) -> Result<OutlierPolicy, D::Error> {
    let name = String::deserialize(from)?;
    let found = OUTLIERS.iter().find(|(one, _)| *one == name);
    found.map(|(_, policy)| *policy).ok_or_else(|| {
        de::Error::custom(format!(
            "outliers must be \"flag\", \"remove\" or \"keep\", not \"{name}\""
        ))
    })
}

fn write_outlier_method<S: Serializer>(method: &Method, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(method.name())
}

fn read_outlier_method<'de, D: Deserializer<'de>>(from: D) -> Result<Method, D::Error> {
    let name = String::deserialize(from)?;
    Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
        let names = Method::ALL.map(Method::name);
        de::Error::custom(format!(
            "outlier_method must be one of {}, not \"{name}\"",
            names.join(", ")
        ))
    })
}

/// "auto", "off", or how many samples to skip.
#[derive(Deserialize)]
#[serde(untagged)]
enum SteadyState {
    Skip(f64),
    Name(String),
}

fn write_steady_state<S: Serializer>(policy: &SteadyStatePolicy, to: S) -> Result<S::Ok, S::Error> {
    match policy {
        SteadyStatePolicy::Auto => to.serialize_str("auto"),
        SteadyStatePolicy::Off => to.serialize_str("off"),
        SteadyStatePolicy::Skip(skipped) => to.serialize_u64(*skipped as u64),
    }
}

fn read_steady_state<'de, D: Deserializer<'de>>(from: D) -> Result<SteadyStatePolicy, D::Error> {
    let wrong = |what: String| {
        de::Error::custom(format!(
            "the steady state must be \"auto\", \"off\" or the number of samples to skip, not {what}"
        ))
    };
    match SteadyState::deserialize(from).map_err(|_| wrong("that".to_string()))? {
        SteadyState::Name(name) if name == "auto" => Ok(SteadyStatePolicy::Auto),
        SteadyState::Name(name) if name == "off" => Ok(SteadyStatePolicy::Off),
        SteadyState::Name(name) => Err(wrong(format!("\"{name}\""))),
        SteadyState::Skip(count) if count >= 0.0 && count.fract() == 0.0 && count < 1e15 => {
            Ok(SteadyStatePolicy::Skip(count as usize))
        }
        SteadyState::Skip(count) => Err(wrong(count.to_string())),
    }
}

fn write_statistic<S: Serializer>(statistic: &Statistic, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(statistic)
}

fn read_statistic<'de, D: Deserializer<'de>>(from: D) -> Result<Statistic, D::Error> {
    Statistic::parse(&String::deserialize(from)?).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SessionOptions, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn with(field: &str, value: &str) -> Result<SessionOptions, String> {
        let fields = [
            ("confidence", "0.95"),
            ("outliers", "\"flag\""),
            ("outlier_method", "\"simplified\""),
            ("steady_state", "\"auto\""),
            ("statistic", "\"median\""),
        ];
        let given = fields.map(|(name, usual)| {
            format!("\"{name}\":{}", if name == field { value } else { usual })
        });
        read(&format!("{{{}}}", given.join(",")))
    }

    #[test]
    fn every_choice_reads_back() {
        for (field, values) in [
            ("confidence", &["0.5", "0.95", "0.999"][..]),
            ("outliers", &["\"flag\"", "\"remove\"", "\"keep\""]),
            ("outlier_method", &["\"simplified\"", "\"full\"", "\"adjusted-boxplot\""]),
            ("steady_state", &["\"auto\"", "\"off\"", "0", "120"]),
            ("statistic", &["\"median\"", "\"mean\"", "\"p90\"", "\"p99\""]),
        ] {
            for value in values {
                let options = with(field, value).unwrap();
                let text = serde_json::to_string(&options).unwrap();
                assert!(text.contains(&format!("\"{field}\":{value}")), "{text}");
                assert_eq!(read(&text).unwrap(), options);
            }
        }
    }

    #[test]
    fn bad_values_are_refused_in_words() {
        for (field, value, words) in [
            ("confidence", "1", "below 1; found 1"),
            ("confidence", "0.3", "use 0.95"),
            ("confidence", "null", "null"),
            ("outliers", "\"drop\"", "not \"drop\""),
            ("outlier_method", "\"grubbs\"", "not \"grubbs\""),
            ("steady_state", "\"later\"", "not \"later\""),
            ("steady_state", "-3", "not -3"),
            ("steady_state", "1.5", "not 1.5"),
            ("steady_state", "[]", "the number of samples to skip"),
            ("statistic", "\"mode\"", "unknown statistic"),
        ] {
            let error = with(field, value).unwrap_err();
            assert!(error.contains(words), "{field} {value}: {error}");
        }
        assert!(read("{}").unwrap_err().contains("confidence"));
        assert!(read(r#"{"confidence":0.95,"colour":"red"}"#).unwrap_err().contains("colour"));
    }
}
