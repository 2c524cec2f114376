//! A trace can be read while it is written: readers see a beginning of it, and never an error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use trace_kit::{begin, checked_rows, metrics, rows};

#[test]
fn readers_see_all_that_was_appended_before_they_began() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "run-1.fast.parquet");
    let (saved, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let looks = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut looks = 0;
                    loop {
                        let was_over = is_over.load(Ordering::SeqCst);
                        let before = saved.load(Ordering::SeqCst);
                        let read = checked_rows(&path, "run-1");
                        assert!(read >= before, "{read} rows read, {before} were there");
                        looks += 1;
                        if was_over {
                            return looks;
                        }
                    }
                })
            })
            .collect();
        let metrics = metrics();
        for n in 0..800 {
            writer.append(&rows(&metrics, n * 3, 3)).unwrap();
            saved.store((n + 1) * 3, Ordering::SeqCst);
        }
        writer.finish().unwrap();
        is_over.store(true, Ordering::SeqCst);
        readers.into_iter().map(|reader| reader.join().unwrap()).collect::<Vec<u32>>()
    });
    assert!(looks.iter().all(|&looks| looks > 1), "{looks:?}");
    assert_eq!(checked_rows(&path, "run-1"), 2400);
}
