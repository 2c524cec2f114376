//! Work per second, in words: "1.24 GB/s", "81.2 M/s".

use fathom_analyze::Subject;
use fathom_record::Throughput;

/// The rate of a function whose calls are known to do something; `None` where nothing is known.
pub(crate) fn rate_of(subject: &Subject) -> Option<String> {
    let function = subject.function.as_ref().filter(|function| !function.is_zero)?;
    if !subject.series.is_wall_time() {
        return None;
    }
    let throughput = function.throughput?;
    let per_second = throughput.per_second(subject.estimates.first()?.value)?;
    Some(match throughput {
        Throughput::Bytes(_) => rate(per_second, "B"),
        Throughput::Items(_) => rate(per_second, ""),
    })
}

fn rate(per_second: f64, of: &str) -> String {
    const STEPS: [(f64, &str); 5] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let (size, prefix) =
        STEPS.into_iter().find(|(size, _)| per_second >= *size).unwrap_or((1.0, ""));
    let number = per_second / size;
    let decimals = match number {
        n if n >= 100.0 => 0,
        n if n >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.decimals$} {prefix}{of}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        assert_eq!(rate(1_234_000_000.0, "B"), "1.23 GB/s");
        assert_eq!(rate(81_200_000.0, ""), "81.2 M/s");
        assert_eq!(rate(5.0, ""), "5.00 /s");
        assert_eq!(rate(0.2, "B"), "0.20 B/s");
        assert_eq!(rate(2.5e15, "B"), "2500 TB/s");
    }
}
