//! What pages of comparisons say, case by case: every verdict, gate, remedy and note.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Design, Further, Gate, GateOutcome, LayoutArrangement, Layouts,
    Margin, Paired, Pairing, RatioAside, ShellShare, Tests, TwoBuilds, Verdict,
};
use fathom_analyze::{EstimateRequest, Report, StopReason, analyze};
use fathom_record::{Environment, FrontEnd, Series, Unit};
use fathom_render::comparison_notes::{
    Spent, gate_line, how_measured, of_builds, settle, single_looks,
};
use fathom_render::layout::plain;
use fathom_render::verdict::{self, Circumstances, Quantity, sentence};
use fathom_render::{Detail, View, comparisons};
use fathom_stats::paired::{MeanLn, SignTest};
use fathom_stats::{Confidence, LogRatioInterval, RatioInterval};
use std::fmt::Write;

fn tests() -> Tests {
    let interval = LogRatioInterval { lower: 0.01, upper: 0.03 };
    Tests {
        signed_rank_p: Some(0.0312),
        mean_ln: Some(MeanLn {
            mean: 0.02,
            interval,
            t: Some(2.5),
            degrees: 9,
            p_value: Some(0.0004),
        }),
        sign: SignTest { slower: 8, faster: 2, p_value: 0.109 },
    }
}

fn paired() -> Paired {
    Paired {
        pairing: Pairing::Runs,
        pairs: 40,
        blocks: 20,
        used: 20,
        set_aside: Vec::new(),
        planned: 100,
        lag1: 0.0,
        widened_by: 1.0,
        with_all_blocks: None,
        drift: 0.0,
        assumptions: None,
        tests: tests(),
        log_ratios: Vec::new(),
    }
}

/// With the verdict that its interval gives.
fn found(ratio: f64, lower: f64, upper: f64) -> Comparison {
    let interval = RatioInterval::new(lower, upper);
    Comparison {
        reference: "old".to_string(),
        subject: "new".to_string(),
        ratio,
        interval,
        confidence: Confidence::DEFAULT,
        if_independent: false,
        verdict: Verdict::of(interval.log(), Margin::DEFAULT),
        margin: Margin::DEFAULT,
        sides: None,
        statistic: ComparedStatistic::Median,
        quantiles: Vec::new(),
        p_value: Some(0.04),
        further: None,
        gates: Vec::new(),
        design: Design::Paired(Box::new(paired())),
        shell: None,
        builds: None,
        warnings: Vec::new(),
    }
}

fn with(design: Paired, found: Comparison) -> Comparison {
    Comparison { design: Design::Paired(Box::new(design)), ..found }
}

fn unpaired(found: Comparison) -> Comparison {
    Comparison { design: Design::Unpaired { samples: [30, 25] }, ..found }
}

fn margin(share: f64) -> Margin {
    Margin::new(share).unwrap()
}

/// A front end without options.
fn bare() -> FrontEnd {
    FrontEnd::with(|_| false)
}

const OPEN: f64 = f64::INFINITY;

#[test]
fn verdicts_in_words() {
    let cases = [
        found(1.016, 1.008, 1.024),
        found(1.5, 1.2, OPEN),
        found(1.000_31, 1.000_21, 1.02),
        found(0.984, 0.976, 0.992),
        found(0.8, 0.0, 0.9),
        found(4.0, 3.5, 4.5),
        found(4.0, 3.5, OPEN),
        found(0.25, 0.2, 0.3),
        found(0.25, 0.0, 0.3),
        found(2.5, 2.0, 3.0),
        found(0.5, 0.4, 0.5),
        found(1.001, 0.996, 1.005),
        found(0.997, 0.995, 0.999),
        found(1.02, 0.98, 1.06),
        found(1.02, 1.0, 1.06),
        found(0.95, 0.9, 1.0),
        found(1.02, 0.98, OPEN),
        found(0.9, 0.0, OPEN),
        found(0.4, 0.0, 1.5),
        found(3.2, 0.5, OPEN),
        found(1.0, 0.0, OPEN),
    ];
    let mut text = String::new();
    for case in &cases {
        let interval = case.interval.ends();
        let _ = writeln!(
            text,
            "{} ({} to {}), {}",
            case.ratio,
            interval.lower,
            interval.upper,
            case.verdict.name()
        );
        let _ = writeln!(text, "  {}", sentence(case, Quantity::Time));
        let _ = writeln!(text, "  {}", sentence(case, Quantity::Other("faults")));
        let conditional = Comparison { if_independent: true, ..unpaired(case.clone()) };
        let _ = writeln!(text, "  {}", sentence(&conditional, Quantity::Time));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_a_verdict_rests_on_is_said_beside_it() {
    let aside =
        |lower, upper| Some(RatioAside { ratio: 1.01, interval: RatioInterval::new(lower, upper) });
    let slower = || found(1.016, 1.008, 1.024);
    let of_quiet = |aside| with(Paired { used: 15, with_all_blocks: aside, ..paired() }, slower());
    let unchanged_in = |layouts, found: Comparison| Comparison {
        builds: Some(TwoBuilds { layouts, is_code_unchanged: Some(true) }),
        ..found
    };
    let unchanged = |found| unchanged_in(Layouts::One { why: None }, found);
    let several =
        || Layouts::Several { count: 5, executions: 1, arrangement: LayoutArrangement::Shuffled };
    let excused = |found| Comparison {
        gates: vec![(Gate::NotSlower(margin(0.02)), GateOutcome::Passed)],
        ..unchanged_in(several(), found)
    };
    let mut text = String::new();
    for case in [
        of_quiet(aside(0.99, 1.03)),
        of_quiet(aside(0.95, 0.99)),
        of_quiet(aside(0.995, 1.005)),
        of_quiet(aside(1.001, 1.03)),
        unchanged(slower()),
        unchanged(found(1.001, 0.996, 1.005)),
        unchanged(found(0.9, 0.8, 0.95)),
        unchanged_in(several(), slower()),
        // A gate that passes because the code is unchanged says nothing of the interval.
        excused(found(1.02, 0.98, 1.3)),
        excused(with(
            Paired { pairing: Pairing::Layouts, pairs: 5, ..paired() },
            found(1.2, 0.0, OPEN),
        )),
    ] {
        let _ = writeln!(text, "{}", sentence(&case, Quantity::Time));
    }
    for pairing in Pairing::ALL {
        let open = with(Paired { pairing, pairs: 3, ..paired() }, found(1.2, 0.0, OPEN));
        let _ = writeln!(text, "{}", sentence(&open, Quantity::Time));
    }
    // A gate that passed is an answer, although the verdict has none.
    let passed = Comparison {
        gates: vec![(Gate::NotSlower(margin(0.1)), GateOutcome::Passed)],
        ..found(1.02, 0.98, 1.06)
    };
    let _ = writeln!(text, "{}", sentence(&passed, Quantity::Time));
    let _ = writeln!(text, "{}", sentence(&passed, Quantity::Other("faults")));
    insta::assert_snapshot!(text);
}

#[test]
fn what_would_settle_it() {
    let open = |pairs, seconds| Comparison {
        further: Some(Further { pairs, seconds }),
        ..found(1.02, 0.98, 1.06)
    };
    let spent = |seconds, stopped| Spent { seconds: Some(seconds), stopped: Some(stopped) };
    let default = spent(8.2, StopReason::MaxTime);
    let said = |found: &Comparison, spent| {
        let page =
            |front_end| settle(found, spent, front_end).unwrap_or_else(|| "nothing".to_string());
        let (fathom, bare) = (page(FrontEnd::FATHOM), page(bare()));
        if fathom == bare {
            format!("{fathom}\n")
        } else {
            format!("{fathom}\n  without options: {bare}\n")
        }
    };
    let mut text = String::new();
    for pairs in [1, 9, 10, 87, 101, 1234] {
        text.push_str(&said(&open(pairs, Some(6.0)), default));
    }
    text.push_str(&said(&open(210, None), default));
    for stopped in StopReason::ALL {
        text.push_str(&said(&open(210, Some(6.0)), spent(8.2, stopped)));
    }
    text.push_str(&said(&open(210, Some(3591.0)), default));
    text.push_str(&said(&open(210, Some(3592.0)), default));
    text.push_str(&said(&open(210, Some(6.0)), Spent::default()));
    text.push_str(&said(&unpaired(open(210, None)), default));
    text.push_str(&said(
        &Comparison { interval: RatioInterval::new(0.0, OPEN), ..open(210, Some(6.0)) },
        default,
    ));
    // Without a guess: more would not help, or there is too little to guess from.
    text.push_str(&said(&found(1.02, 0.98, 1.06), default));
    text.push_str(&said(&unpaired(found(1.02, 0.98, 1.06)), default));
    for (pairing, blocks, pairs) in [
        (Pairing::Runs, 2, 4),
        (Pairing::Runs, 9, 18),
        (Pairing::Executions, 3, 3),
        (Pairing::Runs, 0, 0),
    ] {
        let few = with(Paired { pairing, pairs, blocks, ..paired() }, found(1.02, 0.0, OPEN));
        text.push_str(&said(&few, default));
        text.push_str(&said(&few, spent(8.2, StopReason::MaxRuns)));
    }
    // Gates decide what is open.
    let gated = |found: Comparison, outcome| Comparison {
        gates: vec![(Gate::NotSlower(margin(0.1)), outcome)],
        ..found
    };
    for outcome in GateOutcome::ALL {
        text.push_str(&said(&gated(open(210, Some(6.0)), outcome), default));
        let slower = Comparison { verdict: Verdict::Slower, ..open(210, Some(6.0)) };
        text.push_str(&said(&gated(slower, outcome), default));
    }
    text.push_str(&said(&found(1.016, 1.008, 1.024), default));
    insta::assert_snapshot!(text);
}

#[test]
fn gates_in_words() {
    let mut text = String::new();
    let mut say = |found: &Comparison, gate: Gate, outcome| {
        let line = gate_line(found, gate, outcome, FrontEnd::FATHOM);
        let _ = writeln!(text, "{line}");
    };
    let judged = [
        found(1.016, 1.008, 1.024),
        found(1.2, 1.15, 1.25),
        found(1.0, 0.95, 1.04),
        found(1.05, 0.99, 1.12),
        found(1.05, 0.9, 1.3),
        found(1.05, 0.0, OPEN),
        Comparison { if_independent: true, ..found(1.2, 1.15, 1.25) },
        with(
            Paired {
                with_all_blocks: Some(RatioAside {
                    ratio: 1.1,
                    interval: RatioInterval::new(0.9, 1.3),
                }),
                used: 12,
                ..paired()
            },
            found(1.01, 0.99, 1.03),
        ),
    ];
    for found in &judged {
        for gate in [
            Gate::NotSlower(margin(0.0)),
            Gate::NotSlower(margin(0.05)),
            Gate::Equivalent(margin(0.05)),
        ] {
            say(found, gate, gate.finally(found.interval.log()));
        }
    }
    let gate = Gate::NotSlower(margin(0.05));
    let moved = Comparison {
        builds: Some(TwoBuilds {
            layouts: Layouts::One { why: None },
            is_code_unchanged: Some(true),
        }),
        ..found(1.2, 1.15, 1.25)
    };
    say(&moved, gate, GateOutcome::Passed);
    let whole = RatioAside { ratio: 1.02, interval: RatioInterval::new(0.98, 1.06) };
    let hidden = Comparison {
        shell: Some(ShellShare { share: None, whole, hidden: [true, false] }),
        ..found(1.02, 0.98, 1.06)
    };
    say(&hidden, gate, GateOutcome::Inconclusive);
    let without = gate_line(&judged[4], gate, GateOutcome::Inconclusive, bare());
    let _ = writeln!(text, "without options: {without}");
    insta::assert_snapshot!(text);
}

#[test]
fn how_it_was_measured() {
    let mut text = String::new();
    let mut say = |found: &Comparison, seconds| {
        for line in how_measured(found, seconds) {
            let _ = writeln!(text, "{line}");
        }
    };
    for pairing in Pairing::ALL {
        let all = RatioAside { ratio: 1.05, interval: RatioInterval::new(0.99, 1.1) };
        let paired = Paired { pairing, used: 17, with_all_blocks: Some(all), ..paired() };
        say(&with(paired, found(1.016, 1.008, 1.024)), None);
    }
    for seconds in [0.04, 19.94, 20.0, 345.6] {
        say(&found(1.016, 1.008, 1.024), Some(seconds));
    }
    for drift in [0.02, 0.021, 0.37] {
        say(&with(Paired { drift, ..paired() }, found(1.016, 1.008, 1.024)), None);
    }
    for (lag1, widened_by) in [(0.4, 1.05), (0.4, 1.06), (0.5, 1.5), (0.43, 1.2)] {
        say(&with(Paired { lag1, widened_by, ..paired() }, found(1.016, 1.008, 1.024)), None);
    }
    say(&unpaired(found(1.016, 1.008, 1.024)), Some(3.0));
    let mut more = |found: &Comparison| {
        for line in single_looks(found).iter().chain(of_builds(found).iter()) {
            let _ = writeln!(text, "{line}");
        }
    };
    more(&found(1.016, 1.008, 1.024));
    let plain = Tests { signed_rank_p: None, mean_ln: None, ..tests() };
    more(&with(Paired { tests: plain, ..paired() }, found(1.016, 1.008, 1.024)));
    let no_p = MeanLn { p_value: None, ..tests().mean_ln.unwrap() };
    let no_p = Tests { mean_ln: Some(no_p), signed_rank_p: Some(0.001), ..tests() };
    more(&with(Paired { tests: no_p, ..paired() }, found(1.016, 1.008, 1.024)));
    more(&unpaired(found(1.016, 1.008, 1.024)));
    let several = |executions, arrangement| Layouts::Several { count: 12, executions, arrangement };
    for layouts in [
        Layouts::One { why: None },
        Layouts::One { why: Some("no \x1blinker".to_string()) },
        several(1, LayoutArrangement::Shuffled),
        several(3, LayoutArrangement::Padded),
    ] {
        let builds = Some(TwoBuilds { layouts, is_code_unchanged: None });
        more(&Comparison { builds, ..unpaired(found(1.016, 1.008, 1.024)) });
    }
    insta::assert_snapshot!(text);
}

/// Runs of a shell: what it hides, and how much of the runs it is.
#[test]
fn what_a_shell_hides_is_said() {
    let whole =
        |lower, upper| RatioAside { ratio: 1.02, interval: RatioInterval::new(lower, upper) };
    let share = RatioAside { ratio: 0.312, interval: RatioInterval::new(0.2987, 0.3254) };
    let unmeasured = RatioAside { interval: RatioInterval::new(0.0, OPEN), ..share };
    let mut text = String::new();
    for hidden in [[true, true], [true, false], [false, true]] {
        for share in [None, Some(share), Some(unmeasured)] {
            for (lower, upper) in [(1.01, 1.03), (0.97, 0.98), (0.98, 1.06), (0.0, OPEN)] {
                let shell = Some(ShellShare { share, whole: whole(lower, upper), hidden });
                let case = Comparison { shell, ..found(1.02, lower, upper) };
                let _ = writeln!(text, "{}", sentence(&case, Quantity::Time));
            }
        }
    }
    let shell = Some(ShellShare { share: None, whole: whole(1.01, 1.03), hidden: [true, true] });
    for case in [found(1.02, 1.01, 1.03), found(0.98, 0.97, 0.985), found(1.02, 0.98, 1.06)] {
        let case = Comparison { shell, ..case };
        let _ = writeln!(text, "{}", sentence(&case, Quantity::Other("faults")));
        let settled = settle(&case, Spent::default(), FrontEnd::FATHOM);
        let _ = writeln!(text, "  {settled:?}");
    }
    let told =
        Some(ShellShare { share: Some(share), whole: whole(1.01, 1.03), hidden: [false; 2] });
    let case = Comparison { shell: told, ..found(1.03, 1.01, 1.05) };
    text.extend(how_measured(&case, None).iter().map(|line| format!("{line}\n")));
    insta::assert_snapshot!(text);
}

/// A page of two subjects with times, and what it says of the session.
#[test]
fn whole_pages() {
    let subject = |name: &str, base: f64| {
        let values = (0..60_u32).map(|i| base + 1e-5 * f64::from(i * 7919 % 101)).collect();
        analyze(Series::new(name, Unit::SECONDS, values).unwrap(), &EstimateRequest::default())
    };
    let subjects = vec![subject("old", 0.010), subject("new", 0.0101), subject("third", 0.02)];
    let slower = Comparison {
        gates: vec![(Gate::NotSlower(margin(0.05)), GateOutcome::Passed)],
        further: Some(Further { pairs: 30, seconds: Some(2.0) }),
        sides: Some([0.0105, 0.0106]),
        ..found(1.2, 0.98, 1.3)
    };
    let third = Comparison { subject: "third".to_string(), ..found(1.95, 1.9, 2.0) };
    let found = vec![slower, third];
    let mut report = Report {
        command_line: "fathom".to_string(),
        seed: 7,
        environment: Environment::of_this_build(),
        session: Some(12),
        overhead_per_run: Some(0.0004),
        harness: None,
        instructions: None,
        subjects,
        comparisons: Some(found.clone()),
        warnings: vec!["the machine is busy".to_string().into()],
    };
    report.subjects[1].warnings =
        vec!["it is odd".to_string().into(), "it is late".to_string().into()];
    report.subjects[2].warnings = vec!["it is odd".to_string().into()];
    report.subjects[2].stopped = StopReason::Interrupted;
    let mut text = String::new();
    let now = Circumstances { seconds: Some(4.0) };
    for detail in [Detail::Answer, Detail::Usual, Detail::Everything] {
        let view = View { detail, ..View::default() };
        let _ = writeln!(text, "==== {detail:?}");
        text.push_str(&plain(&verdict::render(&report, &found, now, &view, 100)));
        let _ = writeln!(text, "==== {detail:?}, one");
        text.push_str(&plain(&verdict::render(
            &report,
            &found[..1],
            Circumstances::default(),
            &view,
            60,
        )));
    }
    let table = comparisons(&report, &found, None);
    for table in [table.csv(), table.markdown(), table.asciidoc(), table.orgmode()] {
        let _ = writeln!(text, "====\n{table}");
    }
    insta::assert_snapshot!(text);
}
