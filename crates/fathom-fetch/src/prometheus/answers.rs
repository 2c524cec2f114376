//! The JSON of Prometheus' interface. Samples are read straight into columns, because there are
//! millions of them.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Labels of a series, its name among them.
pub(super) type Labels = BTreeMap<String, String>;

/// What every answer is wrapped in.
#[derive(Deserialize)]
pub(super) struct Envelope<Data> {
    #[serde(default)]
    pub(super) status: String,
    pub(super) data: Option<Data>,
    #[serde(rename = "errorType")]
    pub(super) error_type: Option<String>,
    pub(super) error: Option<String>,
    pub(super) warnings: Option<Vec<String>>,
}

/// Series over time.
#[derive(Deserialize)]
pub(super) struct Matrix {
    #[serde(rename = "resultType")]
    pub(super) result_type: String,
    #[serde(default)]
    pub(super) result: Vec<MatrixSeries>,
}

/// One of them.
#[derive(Deserialize)]
pub(super) struct MatrixSeries {
    pub(super) metric: Labels,
    #[serde(default)]
    pub(super) values: Points,
    /// Native histograms, which are no numbers.
    pub(super) histograms: Option<IgnoredAny>,
}

/// What is known of a metric's name.
#[derive(Deserialize)]
pub(super) struct MetadataEntry {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) help: String,
}

/// Samples in the order of time.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Points {
    /// Milliseconds since 1970.
    pub(super) times: Vec<i64>,
    /// Also infinite or not a number.
    pub(super) values: Vec<f64>,
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Points, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Points;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of samples")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Points, A::Error> {
                let mut points = Points::default();
                while let Some(Point(time, Number(value))) = from.next_element()? {
                    let time = (time * 1000.0).round();
                    // 2^53 milliseconds are 285,000 years.
                    if !(time.abs() < 9_007_199_254_740_992.0) {
                        return Err(A::Error::custom("a time is out of range"));
                    }
                    #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
                    points.times.push(time as i64);
                    points.values.push(value);
                }
                Ok(points)
            }
        }
        from.deserialize_seq(All)
    }
}

/// A time in seconds since 1970, and a number.
#[derive(Deserialize)]
struct Point(f64, Number);

/// A number as text.
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number as text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map(Number).map_err(|_| E::custom("a value is not a number"))
            }
        }
        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_into_columns() {
        let text = r#"{"status":"success","data":{"resultType":"matrix","result":[
            {"metric":{"__name__":"up","job":"a"},"values":[[1794793200.123,"1"],[1794793215,"-1.5e3"]]},
            {"metric":{},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"]]},
            {"metric":{},"histograms":[[1,{"count":"1"}]]}]},"warnings":["w"]}"#;
        let found: Envelope<Matrix> = serde_json::from_str(text).unwrap();
        let [up, odd, native] = found.data.unwrap().result.try_into().ok().unwrap();
        assert_eq!(up.values.times, [1_794_793_200_123, 1_794_793_215_000]);
        assert_eq!(up.values.values, [1.0, -1500.0]);
        assert!(odd.values.values.iter().all(|value| !value.is_finite()));
        assert!(native.histograms.is_some() && native.values == Points::default());
        assert_eq!(found.warnings.unwrap(), ["w"]);
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        for values in [
            "[[1]]",
            "[[1,2]]",
            "[[\"1\",\"2\"]]",
            "[[1e300,\"1\"]]",
            "[[1,\"x\"]]",
            "{}",
            "[[1,\"1\",3]]",
        ] {
            assert!(serde_json::from_str::<Points>(values).is_err(), "{values}");
        }
    }
}
