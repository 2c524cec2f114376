//! Samples in time order.

use fathom_analyze::clean::{Labelled, Steadiness};
use fathom_render::human;
use fathom_stats::outliers::OutlierKind;
use serde::Serialize;

/// About how many points are drawn of a long series.
const DRAWN: usize = 4000;

/// Samples in time order; of long series every N-th, and all unusual ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSamples {
    /// Their places, from 0.
    pub index: Vec<usize>,
    /// Their values.
    pub values: Vec<f64>,
    /// What cleaning found.
    pub label: Vec<Label>,
    /// How the outliers lie to the other samples, in time order.
    pub outlying: Vec<PageOutlying>,
    /// What those before the steady state are, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<&'static str>,
    /// The first places of new levels.
    pub change_points: Vec<usize>,
    /// How many there are in all.
    pub n: usize,
    /// Whether some are not here.
    pub thinned: bool,
}

/// What cleaning found of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Nothing special.
    Counts,
    /// It comes before the steady state.
    Warmup,
    /// It does not belong.
    Outlier,
}

/// How an outlier lies to the other samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PageOutlying {
    /// Its place, from 0.
    pub index: usize,
    /// "standalone" or "clustered", where the rule has clusters.
    pub kind: Option<&'static str>,
    /// Its local outlier factor.
    pub factor: f64,
}

impl PageOutlying {
    fn all(labelled: &Labelled) -> Vec<PageOutlying> {
        let Some(flagged) = &labelled.flagged else { return Vec::new() };
        let each = flagged.found.indices.iter().zip(&flagged.outlying);
        each.map(|(&index, outlying)| PageOutlying {
            index,
            kind: outlying.kind().map(OutlierKind::name),
            factor: outlying.factor,
        })
        .collect()
    }
}

impl PageSamples {
    /// All samples with their labels, or about 4000 of them.
    pub(super) fn of(samples: &[f64], labelled: Option<&Labelled>) -> PageSamples {
        let n = samples.len();
        let start = labelled.map_or(0, Labelled::start);
        let change_points: Vec<usize> = match labelled.map(|labelled| &labelled.steadiness) {
            Some(Steadiness::Found(state)) => state.change_points.clone(),
            _ => Vec::new(),
        };
        let mut label: Vec<Label> =
            (0..n).map(|place| if place < start { Label::Warmup } else { Label::Counts }).collect();
        for &place in labelled.map_or(&[][..], Labelled::outliers) {
            if let Some(label) = label.get_mut(place) {
                *label = Label::Outlier;
            }
        }
        let index = shown(&label, start, &change_points);
        PageSamples {
            values: index.iter().map(|&place| samples[place]).collect(),
            label: index.iter().map(|&place| label[place]).collect(),
            outlying: labelled.map_or(Vec::new(), PageOutlying::all),
            left_out: labelled.and_then(human::left_out).filter(|_| start > 0),
            thinned: index.len() < n,
            index,
            change_points,
            n,
        }
    }
}

/// The places to draw: one of every N, and always the ends, outliers and first ones of levels.
fn shown(label: &[Label], start: usize, change_points: &[usize]) -> Vec<usize> {
    let n = label.len();
    if n <= DRAWN {
        return (0..n).collect();
    }
    let mut is_shown: Vec<bool> = label.iter().map(|label| *label == Label::Outlier).collect();
    for part in 0..DRAWN {
        let [first, end] = [part, part + 1].map(|part| part * n / DRAWN);
        is_shown[first + anywhere(part, end - first)] = true;
    }
    for &place in [0, n - 1, start].iter().chain(change_points) {
        if let Some(is_shown) = is_shown.get_mut(place) {
            *is_shown = true;
        }
    }
    (0..n).filter(|&place| is_shown[place]).collect()
}

/// A place among this many, another for each part: a fixed step would meet what repeats always at
/// the same moment.
fn anywhere(part: usize, among: usize) -> usize {
    let mixed = (part as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    mixed as usize % among.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::{EstimateRequest, analyze};
    use fathom_record::{Series, Unit};

    fn of(values: Vec<f64>) -> PageSamples {
        let subject =
            analyze(Series::new("x", Unit::SECONDS, values).unwrap(), &EstimateRequest::default());
        PageSamples::of(subject.series.values(), subject.labelled.as_ref())
    }

    /// Steady noise with a slow beginning, and a spike here and there.
    fn noisy(n: usize, warm_up: usize, spikes: &[usize]) -> Vec<f64> {
        let mut values: Vec<f64> = (0..n)
            .map(|i| 1.0 + 0.01 * ((i * 7919 % 1009) as f64 / 1009.0))
            .enumerate()
            .map(|(i, value)| if i < warm_up { value + 0.5 } else { value })
            .collect();
        for &spike in spikes {
            values[spike] = 9.0;
        }
        values
    }

    #[test]
    fn short_series_are_all_there() {
        let found = of(noisy(300, 60, &[200]));
        assert_eq!((found.n, found.index.len(), found.thinned), (300, 300, false));
        assert_eq!(found.label[..60], [Label::Warmup; 60]);
        assert_eq!((found.label[200], found.label[201]), (Label::Outlier, Label::Counts));
        let [outlying] = found.outlying[..] else { panic!("{:?}", found.outlying) };
        assert_eq!((outlying.index, outlying.kind), (200, Some("standalone")));
        assert!(outlying.factor > 10.0, "{outlying:?}");
        assert!(found.change_points.contains(&60));
    }

    #[test]
    fn thinning_keeps_what_matters() {
        let spikes: Vec<usize> = (0..37).map(|i| 7001 + 1009 * i).collect();
        let found = of(noisy(50_000, 6000, &spikes));
        assert!(found.thinned && found.n == 50_000);
        assert!((4000..4100).contains(&found.index.len()), "{}", found.index.len());
        assert_eq!((found.index[0], found.index.last()), (0, Some(&49_999)));
        assert!(found.index.is_sorted() && found.index.windows(2).all(|pair| pair[0] < pair[1]));
        for place in spikes.iter().chain(&found.change_points) {
            assert!(found.index.contains(place), "{place}");
        }
        assert_eq!(found.label.iter().filter(|label| **label == Label::Outlier).count(), 37);
        assert!(found.index.windows(2).all(|pair| pair[1] - pair[0] < 26), "no gap is wide");
    }

    #[test]
    fn thinning_does_not_meet_a_rhythm() {
        // 48,000 samples that alternate in a rhythm of 12, the step that a fixed one would take.
        let values: Vec<f64> = (0..48_000).map(|i| if i % 12 == 0 { 2.0 } else { 1.0 }).collect();
        let found = PageSamples::of(&values, None);
        let high = found.values.iter().filter(|value| **value > 1.5).count();
        assert!((250..420).contains(&high), "{high} of {}", found.values.len());
    }

    #[test]
    fn nothing_and_one() {
        assert_eq!(PageSamples::of(&[], None).n, 0);
        let one = of(vec![3.0]);
        assert_eq!((one.values, one.label, one.thinned), (vec![3.0], vec![Label::Counts], false));
    }
}
