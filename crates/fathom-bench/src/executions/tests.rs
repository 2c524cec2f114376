//! What is decided from what executions gave, without any execution.

use super::*;
use crate::executions::part::CodeSettings;
use crate::measure::example_settings;
use fathom_stats::Confidence;

const SECOND: Duration = Duration::from_secs(1);

fn executions(settings: &Settings) -> Executions<'_> {
    Executions {
        wanted: WantedExecutions::AsTimeAllows,
        settings,
        has_confidence: true,
        instrument: Instrument::from_bits([1.0_f64, 20.0, 0.3, 0.0].map(f64::to_bits)),
        interrupt: None,
        is_in_order: true,
        word: None,
    }
}

fn record(name: &str, plan: Option<Plan>) -> FunctionRecord {
    FunctionRecord { plan, ..FunctionRecord::new(name, 0) }
}

fn several(count: usize, time: Duration) -> Option<Plan> {
    Some(Plan::Several { count, time })
}

fn one() -> Option<Plan> {
    Some(Plan::One { why: "slow".to_string() })
}

/// As many batches, nearly alike.
fn batches(count: usize) -> Vec<f64> {
    (0..count).map(|i| 1e-6 * (1.0 + 1e-4 * (i * 3 % 7) as f64)).collect()
}

/// As many batches that say little.
fn wide(count: usize) -> Vec<f64> {
    (0..count).map(|i| 1e-6 * (1.0 + (i * 3 % 7) as f64)).collect()
}

#[test]
fn the_command_line_wins_over_the_code() {
    let settings = example_settings();
    let asked = CodeSettings {
        max_time: Some(7 * SECOND),
        confidence: Confidence::new(0.8).ok(),
        ..CodeSettings::default()
    };
    let mut coded = record("f", None);
    coded.first.asked = asked;
    let mut all = executions(&settings);
    assert_eq!(all.time(&coded), 7 * SECOND);
    assert_eq!(all.time(&record("f", None)), TIME_ALONE);
    assert_eq!(all.settings_of(&coded).confidence, Confidence::DEFAULT, "the user's word");
    all.has_confidence = false;
    assert_eq!(all.settings_of(&coded).confidence.get(), 0.8);
    assert_eq!(all.settings_of(&record("f", None)).confidence, Confidence::DEFAULT);
    let settings = Settings { max_time: Some(3 * SECOND), ..example_settings() };
    assert_eq!(executions(&settings).time(&coded), 3 * SECOND);
}

#[test]
fn an_execution_measures_what_is_open_in_an_order_of_its_own() {
    let settings = example_settings();
    let mut all = executions(&settings);
    let mut records: Vec<FunctionRecord> =
        (0..6).map(|n| record(&format!("f{n}"), several(n + 1, SECOND))).collect();
    assert_eq!(all.order(&records, 0), [0, 1, 2, 3, 4, 5]);
    assert_eq!(all.order(&records, 3), [3, 4, 5]);
    records[4].broken = Some(Broken::Empty);
    records[5].plan = one();
    assert_eq!(all.order(&records, 3), [3]);
    records[4].broken = None;
    records[5].plan = None;
    all.is_in_order = false;
    let orders: Vec<Vec<usize>> = (0..20).map(|_| all.order(&records, 0)).collect();
    assert!(orders.windows(2).all(|pair| pair[0] == pair[1]), "the seed decides");
    let mut sorted = orders[0].clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
    // Other executions have other orders, and another seed has other ones.
    let open: Vec<FunctionRecord> = (0..6).map(|_| record("f", None)).collect();
    let of_seed = |seed| {
        let settings = Settings { seed, ..example_settings() };
        let all = Executions { is_in_order: false, ..executions(&settings) };
        (0..10).map(|number| all.order(&open, number)).collect::<Vec<_>>()
    };
    let orders = of_seed(7);
    assert!(orders.iter().any(|order| *order != orders[0]));
    assert_ne!(of_seed(8), orders);
}

#[test]
fn an_execution_has_its_share_of_the_time() {
    let settings = Settings { max_time: Some(6 * SECOND), ..example_settings() };
    let all = executions(&settings);
    // Until the first has shown what it costs, as if there were as many as there can be.
    assert_eq!(all.extent(&record("f", None)), (6 * SECOND / 12, FEWEST_BATCHES));
    let planned = record("f", several(4, Duration::from_millis(70)));
    assert_eq!(all.extent(&planned), (Duration::from_millis(70), FEWEST_BATCHES));
    assert_eq!(all.extent(&record("f", one())), (6 * SECOND, FEWEST_ALONE));
    assert_eq!(all.limit(&planned, true), 600 * SECOND + PATIENCE_AT_FIRST);
    assert_eq!(all.limit(&planned, false), 600 * SECOND);
    let brief = Settings { max_time: Some(Duration::from_millis(1)), ..example_settings() };
    let all = executions(&brief);
    assert_eq!(all.limit(&planned, false), PATIENCE_LATER);
    assert_eq!(all.limit(&planned, true), Duration::from_millis(100) + PATIENCE_AT_FIRST);
}

#[test]
fn an_execution_ends_when_it_is_precise_or_over() {
    let settings = example_settings();
    let all = executions(&settings);
    let of_several = record("f", several(4, SECOND));
    let alone = record("f", one());
    let stopped = |record: &FunctionRecord, values: &[f64], measured: Duration, look: usize| {
        let mut next = look;
        let stopped = all.stopped(record, values, measured, Instant::now(), &mut next);
        (stopped, next)
    };
    let (half, early) = (SECOND / 2, SECOND / 10);
    // The time is over, and there are as many batches as it takes.
    assert_eq!(stopped(&of_several, &wide(2), SECOND, 0).0, Some(StopReason::Fixed));
    assert_eq!(stopped(&of_several, &wide(1), SECOND, 0).0, None);
    assert_eq!(stopped(&alone, &wide(20), SECOND, 0).0, Some(StopReason::MaxTime));
    assert_eq!(stopped(&alone, &wide(19), SECOND, 0).0, None);
    // Precise before that, but not too early, and not between looks.
    assert_eq!(stopped(&of_several, &batches(100), half, 0), (Some(StopReason::Fixed), 125));
    assert_eq!(stopped(&alone, &batches(100), half, 0), (Some(StopReason::Precision), 125));
    assert_eq!(stopped(&alone, &batches(100), early, 0), (None, 0));
    assert_eq!(stopped(&alone, &batches(100), half, 101), (None, 101));
    assert_eq!(stopped(&alone, &batches(100), half, 100), (Some(StopReason::Precision), 125));
    assert_eq!(stopped(&alone, &wide(100), half, 0), (None, 125), "and looks again later");
    // One that waits for its batches for too long ends with fewer.
    let Some(long_ago) = Instant::now().checked_sub(6 * SECOND) else { return };
    let late = all.stopped(&alone, &wide(2), early, long_ago, &mut 0);
    assert_eq!(late, Some(StopReason::MaxTime));
    assert_eq!(all.stopped(&of_several, &wide(2), early, long_ago, &mut 0), None);
}

#[test]
fn progress_says_which_execution_of_how_many() {
    let settings = example_settings();
    let all = executions(&settings);
    assert_eq!(all.progress(&record("f", several(4, SECOND)), 1), "execution 2 of 4: f");
    assert_eq!(all.progress(&record("f", None), 0), "execution 1 of 12: f");
}

#[test]
fn what_broke_and_what_was_found_are_told_apart() {
    let settings = example_settings();
    let all = executions(&settings);
    let mut good = record("good", several(12, SECOND));
    good.executions = (0..12).map(|_| batches(30)).collect();
    good.first.calls = 4;
    good.first.asked.without_effect = vec!["sample_size".to_string()];
    let mut bad = record("bad", None);
    bad.broken = Some(Broken::Elsewhere("it hangs".to_string()));
    bad.first.asked.without_effect = vec!["nresamples".to_string()];
    let none = record("none", None);
    let over = all.concluded(OverExecutions::default(), &[good, bad, none], Disturbance::default());
    assert_eq!(over.found.keys().collect::<Vec<_>>(), ["good"]);
    assert_eq!(over.failures.len(), 1);
    assert_eq!(over.failures[0].0, "bad");
    assert_eq!(over.without_effect, ["sample_size", "nresamples"]);
}
