//! Input that no alignment exists for is an error that says why; extreme input is not.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    reason = "a test fails by panicking, and distances are equal to the last bit"
)]

use fathom_dtw::{Kernel, Warp, WarpError, WhichSeries};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn values_that_are_not_finite_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut x = vec![1.0; 100];
        x[77] = bad;
        let good = [1.0, 2.0];
        let error = Warp::new().align(&good, &x).unwrap_err();
        let WarpError::NotFinite { series: WhichSeries::Y, index: 77, value } = error else {
            panic!("{error}");
        };
        assert_eq!(value.to_bits(), bad.to_bits());
        let error = Warp::new().distance(&x, &good).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("series x has {bad} at index 77: only finite values can be aligned")
        );
        assert!(Warp::new().find(&x, &good).is_err());
        assert!(Warp::new().find_distance(&good, &x).is_err());
    }
}

#[test]
fn empty_series_are_refused() {
    let empty = |series| Err(WarpError::Empty { series });
    assert_eq!(Warp::new().distance(&[], &[1.0]), empty(WhichSeries::X));
    assert_eq!(Warp::new().distance(&[1.0], &[]), empty(WhichSeries::Y));
    assert_eq!(
        Warp::new().align(&[], &[]).unwrap_err(),
        WarpError::Empty { series: WhichSeries::X }
    );
    assert!(Warp::new().find(&[1.0], &[]).is_err());
}

#[test]
fn options_without_a_meaning_are_refused() {
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let error = Warp::new().penalty(penalty).distance(&[1.0], &[1.0]).unwrap_err();
        assert!(matches!(error, WarpError::Penalty { .. }), "{error}");
    }
    assert_eq!(Warp::new().penalty(-0.0).distance(&[1.0, 3.0], &[1.0]), Ok(2.0));
    let narrow = Warp::new().band(0);
    let error = WarpError::NoPath { radius: 0, x_len: 3, y_len: 2 };
    assert_eq!(narrow.distance(&[1.0; 3], &[1.0; 2]), Err(error.clone()));
    assert_eq!(narrow.align(&[1.0; 3], &[1.0; 2]), Err(error));
    assert_eq!(narrow.find(&[1.0], &[1.0]), Err(WarpError::BandInSearch));
    let error = Warp::new().memory(1000).align(&[1.0; 500], &[1.0; 500]).unwrap_err();
    assert!(error.to_string().contains("the limit is 1000"), "{error}");
}

#[test]
fn sums_that_overflow_are_an_error_and_others_are_not() {
    for kernel in Kernel::available() {
        let warp = Warp::new().kernel(kernel);
        assert_eq!(warp.distance(&[f64::MAX], &[-f64::MAX]), Err(WarpError::Overflow));
        assert_eq!(warp.align(&[f64::MAX; 60], &[0.0; 70]), Err(WarpError::Overflow));
        assert_eq!(warp.find(&[f64::MAX; 3], &[0.0; 3]), Err(WarpError::Overflow));
        assert_eq!(warp.penalty(f64::MAX).distance(&[0.0; 4], &[0.0]), Err(WarpError::Overflow));
        // Cells of wrong paths overflow, but the right one does not.
        let x = [f64::MAX, -f64::MAX, f64::MAX];
        let aligned = warp.align(&x, &x).unwrap();
        assert_eq!((aligned.distance, aligned.path.len()), (0.0, 3));
        assert_eq!(warp.distance(&[f64::MAX], &[0.0]), Ok(f64::MAX));
    }
}

#[test]
fn the_smallest_numbers_count() {
    let tiny = f64::from_bits(1);
    for kernel in Kernel::available() {
        let warp = Warp::new().kernel(kernel);
        let distance = warp.distance(&[tiny; 50], &[-tiny; 50]).unwrap();
        assert_eq!(distance, 100.0 * tiny);
        assert_eq!(warp.distance(&[0.0; 50], &[-0.0; 50]).unwrap().to_bits(), 0);
    }
}

#[test]
fn a_watcher_sees_progress_and_can_stop() {
    let x: Vec<f64> = (0..3000_u32).map(|i| f64::from(i % 17)).collect();
    let y: Vec<f64> = (0..2500_u32).map(|i| f64::from(i % 13)).collect();
    for kernel in Kernel::available() {
        for band in [None, Some(50)] {
            let warp = Warp::new().kernel(kernel);
            let warp = band.map_or(warp, |radius| warp.band(radius));
            let seen = Mutex::new(Vec::new());
            let watcher = |progress| {
                seen.lock().unwrap().push(progress);
                ControlFlow::Continue(())
            };
            let watched = warp.watch(&watcher).align(&x, &y).unwrap();
            assert_eq!(watched, warp.align(&x, &y).unwrap());
            let seen = seen.into_inner().unwrap();
            let last = seen.last().unwrap();
            assert_eq!(last.done, last.total);
            assert!(seen.is_sorted_by_key(|progress| progress.done));
            assert!(seen[0].done < last.total);
            if band.is_none() {
                assert_eq!(last.total, 3000 * 2500);
            }
            // It can stop at any time, also while the path is followed.
            for stop in [0, 1, seen.len() / 2, seen.len() - 1] {
                let calls = AtomicUsize::new(0);
                let watcher = |_| match calls.fetch_add(1, Ordering::Relaxed) == stop {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let result = warp.watch(&watcher).align(&x, &y);
                assert_eq!(result, Err(WarpError::Stopped));
                assert_eq!(calls.into_inner(), stop + 1);
            }
        }
    }
}
