//! What part of the samples is at most so large.

use fathom_stats::band::Band;
use serde::Serialize;

/// About how many steps are drawn of a long series.
const DRAWN: usize = 512;

/// The distribution function of samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ecdf {
    /// Values at which it rises.
    pub x: Vec<f64>,
    /// What part of the samples is at most so large.
    pub p: Vec<f64>,
    /// Contains all of the true one; `None` where that is unknown.
    pub band: Option<EcdfBand>,
}

/// The band from each value to the next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EcdfBand {
    /// Its lower edge.
    pub lower: Vec<f64>,
    /// Its upper edge.
    pub upper: Vec<f64>,
}

impl Ecdf {
    /// The steps of sorted samples, or about 512 of them.
    pub(super) fn of(sorted: &[f64], band: Option<&Band>) -> Ecdf {
        let n = sorted.len();
        let rises: Vec<usize> =
            (1..=n).filter(|&count| count == n || sorted[count - 1] < sorted[count]).collect();
        let shown = shown(&rises);
        let places: Vec<usize> = shown.iter().map(|&step| rises[step]).collect();
        // A step that is left out may rise above the band at the one before: there the band is that
        // of the last of them.
        let until: Vec<usize> = shown
            .iter()
            .enumerate()
            .map(|(place, _)| match shown.get(place + 1) {
                Some(&next) => rises[next - 1],
                None => n,
            })
            .collect();
        Ecdf {
            x: places.iter().map(|&count| sorted[count - 1]).collect(),
            p: places.iter().map(|&count| count as f64 / n as f64).collect(),
            band: band.map(|band| EcdfBand {
                lower: places.iter().map(|&count| band.at(count).lower).collect(),
                upper: until.iter().map(|&count| band.at(count).upper).collect(),
            }),
        }
    }
}

/// Which of the rises are drawn: the same number of samples apart, and all near the ends, where one
/// sample is a long way.
fn shown(rises: &[usize]) -> Vec<usize> {
    const AT_THE_ENDS: usize = 32;
    if rises.len() <= DRAWN {
        return (0..rises.len()).collect();
    }
    let last = rises.len() - 1;
    let between = DRAWN - 2 * AT_THE_ENDS;
    let mut shown: Vec<usize> = (0..AT_THE_ENDS).chain(last - AT_THE_ENDS..=last).collect();
    let n = rises[last];
    shown.extend((1..between).map(|part| {
        let count = (part as f64 / between as f64 * n as f64) as usize;
        rises.partition_point(|&rise| rise < count).min(last)
    }));
    shown.sort_unstable();
    shown.dedup();
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::Confidence;

    fn ecdf(sorted: &[f64]) -> (Ecdf, EcdfBand) {
        let band = Band::of_independent(sorted.len(), Confidence::DEFAULT);
        let found = Ecdf::of(sorted, Some(&band));
        let alone = Ecdf::of(sorted, None);
        assert_eq!(alone, Ecdf { band: None, ..found.clone() }, "the curve is the same without");
        let band = found.band.clone().unwrap();
        (found, band)
    }

    #[test]
    fn one_sample() {
        // One sample U: between 0.025 and 0.975 with 95%.
        let (found, band) = ecdf(&[7.0]);
        assert_eq!((found.x, found.p), (vec![7.0], vec![1.0]));
        assert!((band.lower[0] - 0.025).abs() < 1e-12, "{:?}", band.lower);
        assert_eq!(band.upper[0], 1.0);
    }

    #[test]
    fn ties_are_one_step() {
        let (found, drawn) = ecdf(&[1.0, 1.0, 1.0, 2.0, 3.0, 3.0]);
        let band = Band::of_independent(6, Confidence::DEFAULT);
        assert_eq!(found.x, [1.0, 2.0, 3.0]);
        assert_eq!(found.p, [0.5, 4.0 / 6.0, 1.0]);
        assert_eq!(drawn.lower, [3, 4, 6].map(|count| band.at(count).lower));
        assert_eq!(drawn.upper, [3, 4, 6].map(|count| band.at(count).upper));
    }

    #[test]
    fn what_is_left_out_stays_within() {
        let values: Vec<f64> = (0..20_000).map(|i| f64::from(i).sqrt()).collect();
        let (found, drawn) = ecdf(&values);
        assert!(found.x.len() <= 520 && found.x.len() > 400, "{}", found.x.len());
        assert_eq!((found.x[0], found.x.last()), (0.0, values.last()));
        let band = Band::of_independent(20_000, Confidence::DEFAULT);
        for count in (1..20_000).step_by(97) {
            let step = found.x.partition_point(|x| *x <= values[count - 1]) - 1;
            let all = band.at(count);
            assert!(drawn.lower[step] <= all.lower && all.upper <= drawn.upper[step], "{count}");
        }
    }

    #[test]
    fn the_band_holds_the_samples() {
        let (found, band) = ecdf(&(0..100).map(f64::from).collect::<Vec<_>>());
        for (p, (lower, upper)) in found.p.iter().zip(band.lower.iter().zip(&band.upper)) {
            assert!(lower <= p && p <= upper);
        }
        assert!(band.lower.is_sorted() && band.upper.is_sorted());
    }
}
