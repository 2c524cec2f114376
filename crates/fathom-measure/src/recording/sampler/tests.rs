use super::super::fake::{FakePace, FakeProbe, FakeSink};
use super::super::writer::{Writer, WriterTotals};
use super::*;
use fathom_record::trace::Values;
use std::sync::Mutex;
use std::sync::mpsc::channel;

const MS: Span = Span::from_milliseconds(1);

struct Sampled {
    rows: Vec<Rows>,
    report: SamplerReport,
    written: WriterTotals,
    live: Arc<Live>,
}

/// Samples once at the origin, once for each of these latenesses, and once at the end.
fn sampled(probes: Vec<FakeProbe>, late: &[Span], sink: FakeSink) -> Sampled {
    sampled_in_sight(probes, late, sink, &Arc::new(Live::default()))
}

fn sampled_in_sight(
    probes: Vec<FakeProbe>,
    late: &[Span],
    sink: FakeSink,
    live: &Arc<Live>,
) -> Sampled {
    let live = Arc::clone(live);
    let kept: Arc<Mutex<Vec<Rows>>> = Arc::clone(&sink.kept);
    let (outbox, writer) = Writer::start(Box::new(sink), Arc::clone(&live), None).unwrap();
    let open = |probe| OpenProbe { probe: Box::new(probe), awaits_exec: false };
    let probes = probes.into_iter().map(open).collect();
    let tree = ProcessTree::new(std::process::id());
    let origin = Timestamp::ZERO + MS.times(1000);
    let sampler = Sampler::new(probes, tree, (origin, MS.times(10)), outbox, Arc::clone(&live));
    let mut pace = FakePace { now: origin, late: late.iter().copied().collect() };
    let report = sampler.run(&mut pace, &mut || {});
    let written = writer.end();
    let rows = std::mem::take(&mut *kept.lock().unwrap());
    Sampled { rows, report, written, live }
}

#[test]
fn rows_start_where_the_one_before_ended() {
    let sampled =
        sampled(vec![FakeProbe::new("p", 2)], &[Span::ZERO, MS.times(3)], FakeSink::default());
    let ms = |times: &[Timestamp]| {
        times.iter().map(|time| time.nanoseconds() / 1_000_000).collect::<Vec<_>>()
    };
    // The last one is taken at the end, when no time has passed on this clock.
    assert_eq!(ms(sampled.rows[0].starts()), [0, 0, 10, 23]);
    assert_eq!(ms(sampled.rows[0].ends()), [0, 10, 23, 23]);
    assert_eq!(sampled.rows[0].columns().len(), 2);
    assert_eq!(sampled.written.rows, 4);
    assert_eq!(sampled.live.samples(), 4);
    assert_eq!(sampled.report.missed, 0);
    assert_eq!(sampled.report.lateness.map(|late| late[2]), Some(MS.times(3)));
    assert_eq!(sampled.report.probes[0].samples, 4);
    assert!(sampled.report.notes.is_empty());
}

#[test]
fn rows_are_handed_over_about_once_a_second() {
    let sampled = sampled(vec![FakeProbe::new("p", 1)], &[Span::ZERO; 250], FakeSink::default());
    let lengths: Vec<usize> = sampled.rows.iter().map(Rows::len).collect();
    assert_eq!(lengths, [100, 99, 53]);
    assert_eq!(sampled.live.cpu().whole_times(MS), 25);
}

#[test]
fn metrics_that_come_later_get_columns_behind_the_others() {
    let grown = FakeProbe { grows_at: vec![2], ..FakeProbe::new("a", 1) };
    let sampled =
        sampled(vec![grown, FakeProbe::new("b", 1)], &[Span::ZERO; 3], FakeSink::default());
    let names = |rows: &Rows| -> Vec<String> {
        rows.metrics().iter().map(|metric| metric.name.clone()).collect()
    };
    assert_eq!(names(&sampled.rows[0]), ["a.m0", "b.m0"]);
    assert_eq!(names(&sampled.rows[1]), ["a.m0", "b.m0", "a.m1"]);
    assert_eq!((sampled.rows[0].len(), sampled.rows[1].len()), (2, 3));
    let third = Values::Integers(vec![Some(2), Some(3), Some(4)]);
    assert!(sampled.rows[1].columns().iter().all(|column| *column == third));
    assert_eq!(sampled.rows[1].starts()[0], sampled.rows[0].ends()[1]);
    let shown: Vec<String> =
        sampled.live.take_metrics().into_iter().map(|metric| metric.name).collect();
    assert_eq!(shown, ["a.m0", "b.m0", "a.m1"]);
}

#[test]
fn a_fault_is_noted_once_and_its_values_are_missing() {
    let faulty = FakeProbe { fails_at: vec![1, 3], ..FakeProbe::new("a", 1) };
    let sampled =
        sampled(vec![faulty, FakeProbe::new("b", 1)], &[Span::ZERO; 4], FakeSink::default());
    assert_eq!(
        sampled.report.notes,
        ["a could not be read in 2 of 6 samples, first after 10 ms: /proc/it: vanished"]
    );
    let columns = sampled.rows[0].columns();
    assert_eq!(columns[0], Values::Integers(vec![Some(0), None, Some(2), None, Some(4), Some(5)]));
    assert_eq!(columns[1].reals().flatten().count(), 6);
}

#[test]
fn a_fault_at_the_end_is_the_end_of_the_program() {
    let faulty = FakeProbe { fails_at: vec![3, 4], ..FakeProbe::new("a", 1) };
    let sampled = sampled(vec![faulty], &[Span::ZERO; 2], FakeSink::default());
    assert!(sampled.report.notes.is_empty(), "{:?}", sampled.report.notes);
    // The last row would have had no value.
    assert_eq!(sampled.written.rows, 3);
}

#[test]
fn a_slow_writer_costs_samples_and_neither_time_nor_memory() {
    let (open, gate) = channel();
    let live = Arc::new(Live::default());
    let sink = FakeSink { gate: Some(gate), ..FakeSink::default() };
    // The disk stands still until all is sampled; only the last rows are waited for.
    let opening = std::thread::spawn({
        let live = Arc::clone(&live);
        move || {
            while live.samples() < 10_002 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            drop(open);
        }
    });
    // 100 s of samples in no time at all: one bundle is being written, some wait, the rest is lost.
    let sampled =
        sampled_in_sight(vec![FakeProbe::new("p", 1)], &[Span::ZERO; 10_000], sink, &live);
    opening.join().unwrap();
    let report = &sampled.report;
    assert!(report.missed > 9_000, "{}", report.missed);
    assert_eq!(sampled.written.rows + report.missed, 10_002);
    assert!(report.notes[0].contains("samples were lost because they could not be written"));
}

#[test]
fn many_metrics_are_handed_over_sooner() {
    // 20,000 values in a row: after 14 rows it is enough.
    let sampled =
        sampled(vec![FakeProbe::new("p", 20_000)], &[Span::ZERO; 30], FakeSink::default());
    assert!(sampled.rows.iter().all(|rows| rows.len() <= 14), "{}", sampled.rows[0].len());
    assert_eq!(sampled.written.rows, 32);
}

#[test]
fn sampling_ends_when_nothing_can_be_written() {
    let sink = FakeSink { room: Some(1), ..FakeSink::default() };
    let sampled = sampled(vec![FakeProbe::new("p", 1)], &[Span::ZERO; 100_000], sink);
    assert_eq!(sampled.live.trouble.reason().as_deref(), Some("no space is left"));
    assert_eq!(sampled.written.rows, 100);
}

#[test]
fn deadlines_that_passed_are_missed() {
    let sampled = sampled(
        vec![FakeProbe::new("p", 1)],
        &[Span::ZERO, MS.times(55), Span::ZERO],
        FakeSink::default(),
    );
    assert_eq!(sampled.report.missed, 5);
    let ends: Vec<i64> =
        sampled.rows[0].ends().iter().map(|time| time.nanoseconds() / 1_000_000).collect();
    assert_eq!(ends, [0, 10, 75, 80, 80]);
}
