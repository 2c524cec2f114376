//! The map of time.

use super::super::time_map::TimeMap;
use super::super::track::Track;
use super::super::warped::warp;
use fathom_dtw::Warp;
use fathom_record::{Span, Timestamp};
use proptest::prelude::*;
use std::sync::Arc;

fn ns(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanoseconds(nanoseconds)
}

fn track(values: &[f64], lengths: &[i64], start: i64) -> Arc<Track> {
    let mut edges = vec![start];
    for (_, length) in values.iter().zip(lengths) {
        edges.push(edges[edges.len() - 1] + length);
    }
    let edges = edges.into_iter().map(ns).collect();
    Arc::new(Track::of(values.to_vec(), edges))
}

#[test]
fn pairs_share_the_time_of_their_samples() {
    let path = Warp::new().align(&[0.0, 5.0, 5.0, 1.0], &[0.0, 5.0, 1.0, 1.0]).unwrap().path;
    let pairs: Vec<_> = path.iter().collect();
    assert_eq!(pairs, [(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)]);
    let map = TimeMap::new(&path, &[100, 110, 120, 130, 140].map(ns), &[0, 10, 30, 40, 60].map(ns));
    // Two samples share the 20 ns of one; then one is divided among two.
    let known =
        [(100, 0), (105, 5), (110, 10), (115, 15), (120, 20), (130, 30), (135, 40), (140, 60)];
    for (here, there) in known {
        assert_eq!((map.there(ns(here)), map.here(ns(there))), (ns(there), ns(here)));
    }
    // Beyond the ends both go at the same pace.
    assert_eq!((map.there(ns(90)), map.there(ns(150))), (ns(-10), ns(70)));
    assert_eq!((map.here(ns(-10)), map.here(ns(70))), (ns(90), ns(150)));
    assert_eq!(map.there(Timestamp::MAX), ns(i64::MAX - 80));
    assert_eq!(map.here(Timestamp::MIN), ns(i64::MIN + 100));
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop::sample::select(vec![0.0, 1.0, 1.5, 4.0, 9.0]), 3..60)
}

proptest! {
    #[test]
    fn it_goes_forward_and_back(
        x in values(),
        y in values(),
        lengths in prop::collection::vec(1_000_i64..1_000_000, 70),
        start in -1_000_000_000_000_i64..1_000_000_000_000,
        moments in prop::collection::vec(0.0..1.0, 40),
    ) {
        let (x, y) = (track(&x, &lengths, start), track(&y, &lengths[7..], 0));
        let warped = warp(&x, &y, false, 0.0, Warp::new()).unwrap();
        let (first, last) = x.span();
        prop_assert_eq!((warped.map.there(first), warped.map.there(last)), y.span());
        let whole = (last - first).nanoseconds_f64();
        let part = |share: &f64| Span::from_nanoseconds((whole * share) as u64);
        let mut moments: Vec<Timestamp> = moments.iter().map(|share| first + part(share)).collect();
        moments.extend([first - Span::from_nanoseconds(5_000), last + Span::from_nanoseconds(5_000)]);
        moments.sort_unstable();
        moments.dedup();
        let there: Vec<Timestamp> = moments.iter().map(|&moment| warped.map.there(moment)).collect();
        for pair in there.windows(2) {
            prop_assert!(pair[0] <= pair[1]);
        }
        for (&moment, &there) in moments.iter().zip(&there) {
            // A nanosecond there may be many here: up to the steepest stretch.
            let nearby = warped.map.there(warped.map.here(there));
            prop_assert!(nearby.abs_diff(there).nanoseconds() <= 1 + 60, "{:?} {:?}", nearby, there);
            let off = warped.map.here(there).abs_diff(moment).nanoseconds();
            prop_assert!(off <= 1 + 60_000, "{:?}", moment);
        }
    }

    /// By time a window lies within what matches its samples, and reaches both ends of it but for
    /// samples that match others as well.
    #[test]
    fn windows_by_time_lie_within_the_papers(
        x in values(),
        y in values(),
        ends in (0_usize..60, 0_usize..60),
    ) {
        let lengths = [1_000; 60];
        let (x, y) = (track(&x, &lengths, 0), track(&y, &lengths, 500));
        let warped = warp(&x, &y, false, 0.0, Warp::new()).unwrap();
        let (a, b) = (ends.0 % x.len(), ends.1 % x.len());
        let (first, last) = (a.min(b), a.max(b));
        let span = (x.edges()[first], x.edges()[last + 1]);
        let paper = warped.carried(span);
        let matched = warped.path.window(first..=last).unwrap();
        prop_assert_eq!(paper, (y.edges()[*matched.start()], y.edges()[*matched.end() + 1]));
        let by_time = (warped.map.there(span.0), warped.map.there(span.1));
        prop_assert!(paper.0 <= by_time.0 && by_time.1 <= paper.1);
        let sample = Span::from_nanoseconds(1_000);
        prop_assert!(by_time.0 - paper.0 < sample && paper.1 - by_time.1 < sample);
        // Back again it has at least what was selected.
        let back = warp(&y, &x, false, 0.0, Warp::new()).unwrap();
        prop_assert_eq!(back.distance, warped.distance);
        let again = warped.path.inverse().window(matched).unwrap();
        prop_assert!(*again.start() <= first && last <= *again.end());
    }
}
