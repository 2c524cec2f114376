//! Pages of `list`, `doctor`, `record`, `show` and `check`, from plain data: a front end without store,
//! probes or trace files prints them too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::checkup::{
    Checkup, ClockReading, CpuInterruptions, Interruptions, KernelCounts, NoiseFloorReport,
    SmallestDifference,
};
use fathom_property::{
    CheckCost, CheckExpectation, CheckPlan, FewestForTrue, ValueMethod, ValueQuestion,
};
use fathom_record::finding::{Finding, Level, Topic};
use fathom_record::trace::{Manifest, PlannedRun, Recording, RecordingPlan};
use fathom_record::{Environment, ListedSession, SavedResult, Session, SessionId};
use fathom_render::layout::plain;
use fathom_render::{Detail, check, checkup, sessions, traces};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability};
use std::path::PathBuf;
use std::time::Duration;

fn session(id: i64, started: u64, name: Option<&str>) -> ListedSession {
    let session = Session {
        arguments: ["run", "sort\x1b[2J"].map(String::from).to_vec(),
        request: None,
        folder: "/".to_string(),
        name: name.map(String::from),
        started,
        seed: 1,
        environment: Environment::of_this_build(),
        subjects: vec!["sort".to_string()],
    };
    let id = SessionId(id);
    ListedSession { id, session, runs: 1, lost: 0, finished: None, last_activity: 0, live: None }
}

#[test]
fn sessions_and_benches_are_listed() {
    assert!(sessions::render(&[], &[], 0, 80).starts_with("No sessions yet."));
    let running = ListedSession { live: Some(7), runs: 12, ..session(2, 99_940, Some("base")) };
    let done = ListedSession { finished: Some("precision".to_string()), ..session(1, 10, None) };
    let bench = SavedResult {
        suite: "parser".to_string(),
        name: "main".to_string(),
        file: PathBuf::from("main.json"),
        written: 92_800,
    };
    let page = sessions::render(&[done, running], &[bench], 100_000, 80);
    assert_eq!(
        plain(&page),
        "1  yesterday    1 run  done     run sort\u{fffd}[2J\n\
         2  1 min ago  12 runs  running  [base] run sort\u{fffd}[2J\n\
         \n\
         parser@main  2 h ago\n"
    );
}

#[test]
fn a_checkup_begins_with_its_answer_and_what_is_worst() {
    let good = Finding::new(Topic::Aslr, Level::Good, "the layout is fixed", "it is steady");
    let bad = Finding::new(Topic::Governor, Level::Spoils, "the governor is slow", "it waits")
        .remedy("set it to fast");
    let floor = NoiseFloorReport {
        pairs: 20,
        seconds: 5.0,
        run_seconds: 0.005,
        ratio: 1.0,
        lower: 0.999,
        upper: 1.001,
        blocks: 10,
        set_aside: 2,
        smallest: vec![SmallestDifference { seconds: 10.0, share: 0.0123 }],
    };
    let page = plain(&checkup::render(
        &Checkup {
            findings: vec![good.clone(), bad.clone()],
            floor: Some(floor),
            interruptions: None,
        },
        80,
    ));
    let lines: Vec<&str> = page.lines().map(str::trim_start).collect();
    assert_eq!(
        lines[..7],
        [
            "1 serious source of noise found. This machine can detect differences of 1.2% or",
            "more in 10 s.",
            "",
            "bad    the governor is slow",
            "it waits",
            "-> set it to fast",
            "good   the layout is fixed",
        ]
    );
    assert!(page.contains("2 of 10 blocks ran under other load"), "{page}");
    let settings = Checkup { findings: vec![good], floor: None, interruptions: None };
    let only_settings = checkup::render(&settings, 80);
    assert_eq!(plain(&only_settings).lines().next(), Some("No serious source of noise found."));
}

#[test]
fn a_checkup_says_what_interrupts_each_cpu() {
    let tick = ClockReading {
        seconds: 0.5,
        stalls: (0..125).map(|tick| [0.004 * f64::from(tick), 3e-6]).collect(),
        kernel: KernelCounts { timer_interrupts: Some(126), ..KernelCounts::default() },
        ..ClockReading::default()
    };
    let with = |stall: f64, kernel: KernelCounts| ClockReading {
        stalls: vec![[0.1, stall]],
        kernel,
        ..tick.clone()
    };
    let floor = |share: f64| NoiseFloorReport {
        pairs: 20,
        seconds: 5.0,
        run_seconds: 0.005,
        ratio: 1.0,
        lower: 0.999,
        upper: 1.001,
        blocks: 10,
        set_aside: 0,
        smallest: vec![SmallestDifference { seconds: 10.0, share }],
    };
    let counts = KernelCounts::default();
    let stolen = KernelCounts { stolen_seconds: Some(0.03), ..counts };
    let waited = KernelCounts { waited_seconds: Some(0.012), ..counts };
    let devices = KernelCounts { other_interrupts: Some(1), ..counts };
    let readings = [
        (tick.clone(), 0.0042),
        (with(0.031, stolen), 0.021),
        (with(0.0125, waited), 0.011),
        (with(0.000_02, devices), 0.0043),
        (with(0.000_5, counts), 0.0041),
        (ClockReading { seconds: 0.5, ..ClockReading::default() }, 0.0040),
    ];
    let cpus = readings.iter().enumerate();
    let cpus =
        cpus.map(|(cpu, (seen, share))| CpuInterruptions::of(cpu, seen, Some(floor(*share))));
    let page = |interruptions: Interruptions| {
        let interruptions = Some(interruptions);
        plain(&checkup::render(&Checkup { findings: Vec::new(), floor: None, interruptions }, 80))
    };
    let all = page(Interruptions::of(cpus.collect(), 12));
    let one = page(Interruptions::of(vec![CpuInterruptions::of(3, &tick, None)], 4));
    let alike = [0, 1].map(|cpu| CpuInterruptions::of(cpu, &tick, Some(floor(0.01))));
    insta::assert_snapshot!([all, one, page(Interruptions::of(alike.to_vec(), 2))].join("\n"));
}

/// The same program twice: an interval without 1 is a false one, and the page says so.
#[test]
fn a_floor_that_excludes_equality_is_no_secret() {
    let page = |lower: f64, upper: f64| {
        let floor = NoiseFloorReport {
            pairs: 20,
            seconds: 5.0,
            run_seconds: 0.005,
            ratio: 0.5 * (lower + upper),
            lower,
            upper,
            blocks: 10,
            set_aside: 0,
            smallest: vec![SmallestDifference { seconds: 10.0, share: 0.01 }],
        };
        let floor = Some(floor);
        plain(&checkup::render(&Checkup { findings: Vec::new(), floor, interruptions: None }, 80))
    };
    assert!(!page(0.99, 1.01).contains("excludes 1"), "{}", page(0.99, 1.01));
    for excluding in [page(0.99, 0.998), page(1.002, 1.01)] {
        assert!(excluding.contains("the interval excludes 1, although"), "{excluding}");
    }
}

#[test]
fn the_short_page_of_a_plan_is_its_first_sentence() {
    let run = |n: usize| PlannedRun {
        id: format!("run-{n}"),
        group: "process".to_string(),
        samplers: Vec::new(),
    };
    let plan = RecordingPlan {
        runs: vec![run(1), run(2)],
        common: Some("process.stat.utime".to_string()),
        interval: Duration::from_millis(10),
        unavailable: vec![("perf".to_string(), "no permission".to_string())],
        warnings: vec!["it costs a lot".to_string()],
    };
    let page = |detail| plain(&traces::render_plan(&plan, "sort", detail, 100));
    let short =
        "Would record 0 metrics of sort in 2 runs, every 10 ms, process.stat.utime in every run.\n";
    assert_eq!(page(Detail::Answer), short);
    let usual = page(Detail::Usual);
    assert_eq!(
        usual.strip_prefix(short),
        Some(
            "\nrun-1: process, 0.00% of a core\n\
             \nrun-2: process, 0.00% of a core, same as run-1\n\
             \n  not recorded: perf: no permission\n  warning: it costs a lot\n"
        )
    );

    let question = ValueQuestion {
        probability: Probability::new(0.9).unwrap(),
        confidence: Confidence::new(0.95).unwrap(),
        direction: Direction::AtMost,
        method: ValueMethod::Exact,
    };
    let expectation = Some(CheckExpectation::Estimate { question, budget: 100, is_fixed: true });
    let commands = vec!["sim 1".to_string()];
    let plan = CheckPlan { expectation, commands, guidance: Vec::new(), study: None };
    let short = check::render_plan(&plan, Detail::Answer);
    assert_eq!(short, "100 executions; a two-sided interval needs at least 29.\n");
    let usual = check::render_plan(&plan, Detail::Usual);
    assert_eq!(usual, format!("{short}\nThe first executions:\n  sim 1\n"));
    // Without an expectation, the commands are all there is to say.
    let unknown = CheckPlan { expectation: None, ..plan };
    assert!(check::render_plan(&unknown, Detail::Answer).contains("sim 1"));
    // What other shares would take, and why not all.
    let guided = CheckPlan { guidance: FewestForTrue::usual(), ..unknown };
    let page = check::render_plan(&guided, Detail::Usual);
    assert!(page.contains("  F = 90%          34       43       62\n"), "{page}");
    assert!(page.contains("F = 100% takes infinitely many"), "{page}");
}

#[test]
fn what_executions_will_cost() {
    let cost = CheckCost {
        each: Duration::from_millis(800),
        at_once: 1,
        fewest: Some(43),
        most: 1000,
        left: None,
    };
    assert_eq!(
        check::cost(&cost),
        "An execution takes about 800 ms: an answer takes at least about 34.4 s (43 executions), all \
         1000 that are allowed about 13 min."
    );
    let several = CheckCost { at_once: 4, left: Some(Duration::from_secs(8)), ..cost };
    assert_eq!(
        check::cost(&several),
        "An execution takes about 800 ms (4 at once): an answer takes at least about 8.8 s (43 \
         executions), all 1000 that are allowed about 3 min. --max-time leaves room for about 40 more, \
         too few for an answer."
    );
    let unknown = CheckCost { fewest: None, most: 100_000, each: Duration::from_secs(1), ..cost };
    assert_eq!(
        check::cost(&unknown),
        "An execution takes about 1 s, all 100000 that are allowed about 27.8 h."
    );
}

#[test]
fn a_recording_is_shown_from_its_manifest() {
    let manifest = Manifest::read(
        r#"{
            "schema": "fathom-trace/1", "command": ["sort"], "started": 0,
            "environment": { "fathom": "0", "os": "linux", "arch": "x86_64" }, "common": null,
            "metrics": [{ "name": "perf.faults", "probe": "perf", "layer": "os",
                "kind": "counter", "number": "integer", "unit": "" }],
            "runs": [{ "id": "run-1", "group": "process", "clock": null, "ended_ns": 2000000000,
                "ending": null, "notes": ["a probe failed"],
                "samplers": [{ "name": "fast", "file": "run-1.parquet", "interval_ns": 10000000,
                    "rows": 200, "missed": 3, "cpu_share": 0.003 }] }]
        }"#,
    )
    .unwrap();
    let recording =
        Recording { folder: PathBuf::from("traces"), manifest: manifest.clone(), outcomes: vec![] };
    let page = |detail| plain(&traces::render_recorded(&recording, detail, 100));
    let short = "Recorded 1 metric (1 os) of sort in 1 run to traces.\n";
    assert_eq!(page(Detail::Answer), short);
    assert_eq!(
        page(Detail::Usual).strip_prefix(short),
        Some(
            "\n  run-1: process, 2.000 s, 0.3% of a core\n    fast: 200 samples every 10 ms, 3 \
             missed, 0.3% of a core\n    note: a probe failed\n  `fathom show traces/` shows the \
             metrics\n"
        )
    );
    let imported = traces::render_imported(&manifest, &recording.folder, 100);
    assert!(plain(&imported).starts_with("Imported 1 metric in 1 run to traces, 200 rows.\n"));
    let nothing_shown = traces::render(&manifest, &[], Detail::Answer, None, 100);
    assert_eq!(plain(&nothing_shown), "1 metric of sort in 1 run, 0 of them shown: 1 os.\n");
}
