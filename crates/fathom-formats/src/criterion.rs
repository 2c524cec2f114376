//! criterion's `sample.json`: total nanoseconds and iterations of each sample, as an object since
//! version 0.3, as two lists before. A value is the time per iteration.

use fathom_record::{Series, TimeUnit, Unit};
use serde::Deserialize;

use crate::error::Flaw;
use crate::read::Request;
use crate::{json, metrics};

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    metrics::refuse_columns(request.columns, "criterion")?;
    let sample = if text.trim_ascii_start().starts_with('[') {
        let (iters, times): (Vec<f64>, Vec<f64>) = json::parse(text)?;
        Sample { iters, times }
    } else {
        json::parse(text)?
    };
    Ok(vec![series(&sample, request.stem())?])
}

fn series(sample: &Sample, name: String) -> Result<Series, Flaw> {
    const AGAIN: &str = "run the benchmark again to rewrite the file";
    let (iters, times) = (sample.iters.len(), sample.times.len());
    if iters != times {
        return Err(Flaw::new(format!("the file has {iters} iters but {times} times"), AGAIN));
    }
    let mut values = Vec::with_capacity(times);
    for ((&iters, &time), number) in sample.iters.iter().zip(&sample.times).zip(1..) {
        if iters <= 0.0 {
            return Err(Flaw::new(format!("sample {number} has {iters} iterations"), AGAIN));
        }
        values.push(time / iters);
    }
    Series::new(name, Unit::Time(TimeUnit::Nanoseconds), values)
        .map_err(|error| Flaw::new(error.to_string(), AGAIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_give_the_time_per_iteration() {
        let old = "[[1.0,2.0],[10.0,30.0]]";
        let new = r#"{"sampling_mode":"Linear","iters":[1.0,2.0],"times":[10.0,30.0]}"#;
        for text in [old, new] {
            let series =
                read(text, &Request { source: "sample.json", columns: &[], ..Request::default() })
                    .unwrap();
            assert_eq!(series[0].values(), [10.0, 15.0]);
            assert_eq!(series[0].unit().symbol(), "ns");
        }
    }
}
