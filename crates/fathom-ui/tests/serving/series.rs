//! Lines to draw.

use super::made_up::MadeUp;
use super::running::Running;
use fathom_record::Unit;
use fathom_record::trace::Kind;
use serde_json::Value;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

fn running() -> Running {
    let made_up = MadeUp::new(&["run-1"], &["level", "total", "pause"], 1000)
        .kind("total", Kind::Counter, Unit::Bytes)
        .kind("pause", Kind::Event, Unit::Other("ms".to_string()));
    Running::traces(made_up.opened())
}

#[test]
fn the_run_that_is_looked_at_is_read_ahead() {
    let names: Vec<String> = (0..30).map(|n| format!("m{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let made_up = MadeUp::new(&["run-1", "run-2"], &names, 100);
    let reads = made_up.reads();
    let running = Running::traces(made_up.opened());
    running.get("api/overview");
    let asked = Instant::now();
    while reads.load(Ordering::Relaxed) < 30 {
        assert!(asked.elapsed() < Duration::from_secs(20), "it is not read");
        std::thread::sleep(Duration::from_millis(5));
    }
    for name in &names {
        let series = running.get(&format!("api/series?run=run-1&metric={name}&columns=10"));
        assert_eq!(series.status, 200);
    }
    assert_eq!(reads.load(Ordering::Relaxed), 30, "what is known is not read again");
    running.get("api/series?run=run-2&metric=m0&columns=10");
    assert_eq!(reads.load(Ordering::Relaxed), 31);
}

fn numbers(values: &Value) -> Vec<Option<f64>> {
    values.as_array().unwrap().iter().map(Value::as_f64).collect()
}

#[test]
fn a_line_has_no_more_points_than_columns() {
    let running = running();
    let whole = running.get("api/series?run=run-1&metric=level&columns=2000").json();
    assert_eq!(whole["thinned"], false);
    assert_eq!(whole.get("low"), None);
    assert_eq!((&whole["start"], &whole["end"]), (&0.0.into(), &999.0.into()));
    let all = numbers(&whole["values"]);
    assert_eq!(all.len(), 1000);
    let thin = running.get("api/series?run=run-1&metric=level&columns=100").json();
    assert_eq!((&thin["thinned"], &thin["rows"]), (&true.into(), &1000.into()));
    for (column, rows) in all.chunks(10).enumerate() {
        let rows: Vec<f64> = rows.iter().copied().map(Option::unwrap).collect();
        let (low, high) = (numbers(&thin["low"])[column], numbers(&thin["high"])[column]);
        assert_eq!(low, rows.iter().copied().reduce(f64::min));
        assert_eq!(high, rows.iter().copied().reduce(f64::max));
        let mean = rows.iter().sum::<f64>() / 10.0;
        assert!((numbers(&thin["values"])[column].unwrap() - mean).abs() < 1e-9);
        let middle = column as f64 * 10.0 + 4.5;
        assert!((numbers(&thin["time"])[column].unwrap() - middle).abs() < 1e-9);
    }
}

#[test]
fn a_part_is_finer_and_has_its_neighbours() {
    let part = running().get("api/series?run=run-1&metric=level&columns=50&from=100&to=120").json();
    assert_eq!(part["thinned"], false);
    let time = numbers(&part["time"]);
    assert_eq!((time[0], *time.last().unwrap(), time.len()), (Some(99.0), Some(121.0), 23));
    assert_eq!(part["rows"], 1000);
    let open = running().get("api/series?run=run-1&metric=level&columns=50&from=990").json();
    assert_eq!(numbers(&open["time"]).len(), 11);
}

#[test]
fn counters_and_events_are_per_second() {
    let running = running();
    let total = running.get("api/series?run=run-1&metric=total&columns=2000").json();
    assert_eq!(total["unit"], "B/s");
    let values = numbers(&total["values"]);
    assert_eq!((values.len(), values[0], values[6]), (999, Some(11.0), Some(4.0)));
    let pause = running.get("api/series?run=run-1&metric=pause&columns=10").json();
    assert_eq!((&pause["unit"], &pause["thinned"]), (&"ms/s".into(), &true.into()));
    assert_eq!(numbers(&pause["time"]).len(), 10);
}
