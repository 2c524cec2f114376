//! A report read back from its document.
//!
//! Estimates are made again from the values; what the values do not tell, such as the looks of a
//! sequential comparison, is taken as it was written.

mod assumptions;
mod instructions;
mod work;

use crate::clean::SteadyStatePolicy;
use crate::compare::{
    ComparedStatistic, Comparison, Design, Further, Gate, GateOutcome, LayoutArrangement, Layouts,
    Margin, Paired, Pairing, QuantileRatio, TwoBuilds,
};
use crate::compare::{RatioAside, ShellShare, Tests, Verdict, analyze_counted, counted_in};
use crate::report::{
    AllocationsPerCall, CallTiming, Function, Harness, MeasuredExecutions, Report, StopReason,
    Subject,
};
use crate::{EstimateRequest, InputSize, MeasuredTime, Method, Statistic, Warning, analyze};
use fathom_record::{Environment, Throughput, own_json};
use fathom_stats::paired::{mean_ln, sign_test};
use fathom_stats::{Confidence, Interval, Probability, RatioInterval};
use serde_json::Value;

/// Reads a report with its values; what is wrong with the text, if it is none.
pub(super) fn report(text: &str) -> Result<Report, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let instructions = instructions::read(&document["instructions"]);
    // Where instructions were counted, no time was measured.
    let series = match &instructions {
        Some(_) if array(&document["subjects"]).is_empty() => Vec::new(),
        _ => own_json::read(text).map_err(|error| error.to_string())?,
    };
    let comparisons = match &document["comparisons"] {
        Value::Array(entries) => Some(
            entries
                .iter()
                .map(|entry| comparison(entry).ok_or("a comparison is incomplete".to_string()))
                .collect::<Result<Vec<_>, _>>()?,
        ),
        _ => None,
    };
    let of_all: Vec<(&str, &[f64])> =
        series.iter().map(|series| (series.name(), series.values())).collect();
    // The medians use the same samples as the comparisons.
    let counted: Vec<Option<Vec<usize>>> = series
        .iter()
        .map(|one| counted_in(one.name(), comparisons.as_deref().unwrap_or_default(), &of_all))
        .collect();
    let mut subjects = Vec::new();
    let entries = array(&document["subjects"]);
    for ((series, counted), entry) in series.into_iter().zip(counted).zip(entries) {
        let confidence = entry["estimates"][0]["confidence"].as_f64();
        let confidence = confidence.and_then(|share| Confidence::new(share).ok());
        let seed = document["seed"].as_u64().unwrap_or(1);
        let confidence = confidence.unwrap_or(Confidence::DEFAULT);
        let mut request = EstimateRequest { confidence, seed, ..EstimateRequest::default() };
        estimated(&mut request, array(&entry["estimates"]));
        if entry["function"].is_object() {
            // Benches warm functions up before they measure them, and then count every batch.
            request.steady_state = SteadyStatePolicy::Off;
        }
        let mut subject = match (work::read(&series, entry), counted) {
            (Some(of_work), _) => of_work,
            (None, Some(counted)) => analyze_counted(series, &counted, &request),
            (None, None) => analyze(series, &request),
        };
        subject.function = function(&entry["function"]);
        set_measured_time(&mut subject, &document["growth"]);
        subject.stopped = stopped(&entry["stopped"]);
        subject.warnings = warnings(entry);
        subjects.push(subject);
    }
    let environment = serde_json::from_value(document["environment"].clone());
    Ok(Report {
        command_line: document["command_line"].as_str().unwrap_or_default().to_string(),
        seed: document["seed"].as_u64().unwrap_or(1),
        environment: environment.unwrap_or_else(|_| Environment::of_this_build()),
        session: None,
        overhead_per_run: None,
        harness: harness(&document["harness"]),
        instructions,
        subjects,
        comparisons,
        warnings: warnings(&document),
    })
}

/// Asks for what was estimated, by the methods that were chosen.
fn estimated(request: &mut EstimateRequest, estimates: &[Value]) {
    let (mut statistics, mut methods) = (Vec::new(), Vec::new());
    let mut is_chosen = false;
    for one in estimates {
        let statistic = one["statistic"].as_str().and_then(|name| Statistic::parse(name).ok());
        let Some(statistic) = statistic else { continue };
        if !statistics.contains(&statistic) {
            statistics.push(statistic);
        }
        let Some(method) = named(Method::ALL, Method::name, &one["method"]) else { continue };
        is_chosen |= method != Method::default_for(statistic);
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    if !statistics.is_empty() {
        request.statistics = statistics;
    }
    if is_chosen {
        request.method = methods.first().copied();
        request.other_methods = methods.into_iter().skip(1).collect();
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn strings(value: &Value) -> Vec<String> {
    array(value).iter().filter_map(|text| text.as_str().map(String::from)).collect()
}

/// Warnings as they were written, what to do included.
fn warnings(entry: &Value) -> Vec<Warning> {
    strings(&entry["warnings"]).into_iter().map(Warning::from).collect()
}

/// An end of an interval: infinities are strings.
fn end(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) if text == "inf" => Some(f64::INFINITY),
        Value::String(text) if text == "-inf" => Some(f64::NEG_INFINITY),
        other => other.as_f64(),
    }
}

fn interval(entry: &Value) -> Option<RatioInterval> {
    Some(Interval { lower: end(&entry["lower"])?, upper: end(&entry["upper"])? }.into())
}

fn count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The one of `all` whose name is written there.
fn named<T: Copy, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    value: &Value,
) -> Option<T> {
    all.into_iter().find(|one| value.as_str() == Some(name(*one)))
}

fn stopped(value: &Value) -> StopReason {
    named(StopReason::ALL, StopReason::name, value).unwrap_or(StopReason::Fixed)
}

fn harness(entry: &Value) -> Option<Harness> {
    Some(Harness {
        clock_grain: entry["clock_grain"].as_f64()?,
        clock_cost: entry["clock_cost"].as_f64()?,
        loop_floor: entry["loop_floor"].as_f64()?,
        loop_overhead: entry["loop_overhead"].as_f64()?,
    })
}

fn function(entry: &Value) -> Option<Function> {
    let throughput = &entry["throughput"];
    let per_call = throughput["per_call"].as_u64();
    let allocations = &entry["allocations"];
    Some(Function {
        calls_per_batch: entry["calls_per_batch"].as_u64()?,
        is_zero: entry["zero_measurement"].as_bool()?,
        timing: named(CallTiming::ALL, CallTiming::name, &entry["timing"]),
        executions: executions(entry),
        throughput: per_call.and_then(|per_call| {
            let all = Throughput::ALL.map(|of| of(per_call));
            named(all, Throughput::name, &throughput["unit"])
        }),
        input: input(&entry["input"]),
        allocations: allocations["per_call"]
            .as_f64()
            .zip(allocations["bytes_per_call"].as_f64())
            .map(|(count, bytes)| {
                let calls = allocations["calls"].as_u64();
                AllocationsPerCall { count, bytes, calls }
            }),
        stolen: entry["stolen"].as_f64(),
        others: entry["other_programs"].as_f64(),
    })
}

fn executions(entry: &Value) -> Option<MeasuredExecutions> {
    Some(match count(&entry["executions"])? {
        1 => {
            let why = entry["one_execution_because"].as_str().map(str::to_string);
            MeasuredExecutions::One { why }
        }
        count => MeasuredExecutions::Several { count },
    })
}

fn input(entry: &Value) -> Option<InputSize> {
    Some(InputSize::new(entry["family"].as_str()?, entry["size"].as_f64()?))
}

/// Growth is that of the times which were judged, and not of those that the values give now.
fn set_measured_time(subject: &mut Subject, growth: &Value) {
    let name = subject.series.name();
    let found = array(growth).iter().find_map(|one| {
        let point = array(&one["points"]).iter().find(|point| point["subject"] == name)?;
        let ends = Interval { lower: end(&point["lower"])?, upper: end(&point["upper"])? };
        Some(MeasuredTime {
            value: point["value"].as_f64()?,
            interval: Some(ends).filter(|ends| *ends != Interval::EVERYTHING),
            confidence: Confidence::new(one["confidence"].as_f64()?).ok()?,
        })
    });
    let input = subject.function.as_mut().and_then(|function| function.input.as_mut());
    if let Some(input) = input {
        input.measured = found;
    }
}

fn comparison(entry: &Value) -> Option<Comparison> {
    let confidence = Confidence::new(entry["confidence"].as_f64()?).ok()?;
    let statistic = match entry["statistic"].as_str() {
        Some(name) => ComparedStatistic::parse(name).ok()?,
        None => ComparedStatistic::Median,
    };
    let sides = &entry[if statistic.is_median() { "medians" } else { "values" }];
    let margin = Margin::new(entry["margin"].as_f64()?).ok()?;
    let design = match entry["samples"].as_array() {
        Some(samples) => {
            Design::Unpaired { samples: [count(samples.first()?)?, count(samples.get(1)?)?] }
        }
        None => Design::Paired(Box::new(paired(entry, confidence)?)),
    };
    Some(Comparison {
        reference: entry["reference"].as_str()?.to_string(),
        subject: entry["subject"].as_str()?.to_string(),
        statistic,
        ratio: entry["ratio"].as_f64()?,
        interval: interval(entry)?,
        quantiles: array(&entry["quantiles"])
            .iter()
            .map(|one| quantile(one, margin))
            .collect::<Option<Vec<_>>>()?,
        confidence,
        if_independent: entry["if_independent"].as_bool().unwrap_or(false),
        verdict: named(Verdict::ALL, Verdict::name, &entry["verdict"])?,
        margin,
        sides: sides["reference"]
            .as_f64()
            .zip(sides["subject"].as_f64())
            .map(|(reference, subject)| [reference, subject]),
        p_value: entry["p_value"].as_f64(),
        further: further(entry),
        gates: array(&entry["gates"]).iter().filter_map(gate).collect(),
        design,
        shell: shell(entry),
        builds: builds(&entry["builds"]),
        warnings: warnings(entry),
    })
}

/// A quantile among many; its verdict follows from its interval.
fn quantile(entry: &Value, margin: Margin) -> Option<QuantileRatio> {
    let p = Probability::new(entry["p"].as_f64()?).ok()?;
    let sides = [entry["reference"].as_f64()?, entry["subject"].as_f64()?];
    let (ratio, interval) = (entry["ratio"].as_f64()?, interval(entry)?);
    let verdict = Verdict::of(interval.log(), margin);
    Some(QuantileRatio { p, ratio, interval, sides, verdict })
}

/// What would settle a comparison. Until 2026-11 it was in three fields of the comparison itself.
fn further(entry: &Value) -> Option<Further> {
    let more = &entry["more_needed"];
    let counts = [
        &more["pairs"],
        &more["samples"],
        &entry["more_pairs_needed"],
        &entry["more_samples_needed"],
    ];
    let pairs = counts.into_iter().find_map(count)?;
    let seconds = more["seconds"].as_f64().or(entry["more_seconds_needed"].as_f64());
    Some(Further { pairs, seconds })
}

fn shell(entry: &Value) -> Option<ShellShare> {
    let shell = &entry["shell"];
    let aside = |entry: &Value| {
        Some(RatioAside { ratio: entry["ratio"].as_f64()?, interval: interval(entry)? })
    };
    let cannot_be_told = strings(&shell["cannot_be_told"]);
    let is_hidden = |side: &str| {
        entry[side].as_str().is_some_and(|name| cannot_be_told.iter().any(|one| one == name))
    };
    Some(ShellShare {
        share: aside(&shell["share_of_reference"]),
        whole: aside(&shell["with_startup"])?,
        hidden: [is_hidden("reference"), is_hidden("subject")],
    })
}

fn builds(entry: &Value) -> Option<TwoBuilds> {
    let layouts = match (count(&entry["layouts"])?, count(&entry["executions_of_each"])) {
        (layouts, Some(executions)) => Layouts::Several {
            count: layouts,
            executions,
            arrangement: named(
                LayoutArrangement::ALL,
                LayoutArrangement::name,
                &entry["arrangement"],
            )?,
        },
        _ => Layouts::One { why: entry["one_layout_because"].as_str().map(str::to_string) },
    };
    Some(TwoBuilds { layouts, is_code_unchanged: entry["code_unchanged"].as_bool() })
}

fn paired(entry: &Value, confidence: Confidence) -> Option<Paired> {
    let blocks = &entry["blocks"];
    let pairing = named(Pairing::ALL, Pairing::name, &entry["paired"]);
    let log_ratios: Vec<f64> =
        array(&blocks["log_ratios"]).iter().filter_map(Value::as_f64).collect();
    let with_all = &blocks["with_all_blocks"];
    let with_all = with_all["ratio"].as_f64().zip(interval(with_all));
    let set_aside: Vec<usize> = array(&blocks["set_aside"]).iter().filter_map(count).collect();
    // The single looks are of the blocks that count.
    let mut counts = vec![true; log_ratios.len()];
    for &block in &set_aside {
        if let Some(counts) = counts.get_mut(block) {
            *counts = false;
        }
    }
    let kept: Vec<f64> =
        log_ratios.iter().zip(counts).filter(|(_, counts)| *counts).map(|(d, _)| *d).collect();
    Some(Paired {
        pairing: pairing.unwrap_or(Pairing::Runs),
        pairs: count(&entry["pairs"])?,
        blocks: count(&blocks["measured"])?,
        used: count(&blocks["used"])?,
        set_aside,
        planned: count(&blocks["planned"])?,
        lag1: blocks["lag1"].as_f64()?,
        widened_by: blocks["widened_by"].as_f64()?,
        with_all_blocks: with_all.map(|(ratio, interval)| RatioAside { ratio, interval }),
        drift: blocks["drift"].as_f64()?,
        assumptions: assumptions::read(&entry["assumptions"]),
        tests: Tests {
            signed_rank_p: entry["tests"]["signed_rank"]["p_value"].as_f64(),
            mean_ln: mean_ln(&kept, confidence),
            sign: sign_test(&kept),
        },
        log_ratios,
    })
}

fn gate(entry: &Value) -> Option<(Gate, GateOutcome)> {
    let margin = Margin::new(entry["margin"].as_f64()?).ok()?;
    let gate = named(Gate::ALL.map(|of| of(margin)), Gate::name, &entry["gate"])?;
    let outcome = match entry["outcome"].as_str()? {
        // Until 2026-11 it was called open.
        "open" => GateOutcome::Inconclusive,
        _ => named(GateOutcome::ALL, GateOutcome::name, &entry["outcome"])?,
    };
    Some((gate, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Course;
    use crate::{ComparedCounts, CountedFunction, Document, InstructionCounter, InstructionReport};
    use fathom_record::{Series, Unit};
    use fathom_stats::paired::Block;

    fn counted() -> InstructionReport {
        let of = |name: &str, counts: &[f64]| CountedFunction::new(name, 64, counts.to_vec());
        let functions = [of("a", &[210.0, 210.0]), of("b", &[211.5, 214.0])].map(Option::unwrap);
        let gates = [Gate::NotSlower(Margin::DEFAULT)];
        let comparisons = vec![ComparedCounts::of(&functions[0], &functions[1], &gates).unwrap()];
        let counter = InstructionCounter::Valgrind;
        InstructionReport { counter, functions: functions.to_vec(), comparisons }
    }

    fn example() -> Report {
        let gates = vec![Gate::NotSlower(Margin::DEFAULT)];
        let mut course = Course::new(1, 40, Confidence::DEFAULT, Margin::DEFAULT, gates, 0.0);
        for i in 0..40_usize {
            let log_ratio = 0.05 + 0.01 * ((i * 7 % 10) as f64 - 4.5);
            course.take(&[(0, Block { log_ratio, log_total: 0.0 })]);
        }
        let names = ["old", "new"];
        let comparison =
            Comparison::of(&course, 0, names, Pairing::Batches, 0.001).expect("there are blocks");
        let subjects = names.map(|name| {
            let values = (0..50).map(|i| 1e-6 + 1e-9 * f64::from(i % 7)).collect();
            let series = Series::new(name, Unit::SECONDS, values).expect("values are finite");
            let request = EstimateRequest {
                seed: 7,
                steady_state: SteadyStatePolicy::Off,
                ..EstimateRequest::default()
            };
            let mut subject = analyze(series, &request);
            subject.stopped = StopReason::Verdict;
            subject.function = Some(Function {
                calls_per_batch: 12,
                is_zero: false,
                timing: Some(CallTiming::Latency),
                executions: Some(MeasuredExecutions::One { why: Some("slow".to_string()) }),
                throughput: Some(Throughput::Items(5)),
                input: InputSize::of_name("sort/1000"),
                allocations: Some(AllocationsPerCall { count: 1.5, bytes: 48.0, calls: Some(400) }),
                stolen: Some(0.0),
                others: None,
            });
            subject
        });
        Report {
            command_line: "cargo bench".to_string(),
            seed: 7,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: Some(Harness {
                clock_grain: 1e-9,
                clock_cost: 2e-8,
                loop_floor: 3e-10,
                loop_overhead: 0.0,
            }),
            instructions: Some(counted()),
            subjects: subjects.to_vec(),
            comparisons: Some(vec![comparison]),
            warnings: vec!["the machine is busy".to_string().into()],
        }
    }

    #[test]
    fn what_was_written_is_read_back() {
        let mut report = example();
        let whole = RatioAside { ratio: 1.25, interval: RatioInterval::EVERYTHING };
        let share = Some(RatioAside { ratio: 0.5, ..whole });
        let shell = Some(ShellShare { share, whole, hidden: [false, true] });
        report.comparisons.as_mut().unwrap()[0].shell = shell;
        let text = Document::of(&report, true).to_json().unwrap();
        let mut read = Document::read(&text).unwrap();
        // One is of the blocks that count, the other of all; here all count.
        assert_eq!(read, report);
        read.comparisons = None;
        assert_ne!(read, report);
    }

    #[test]
    fn executions_are_read_back_with_their_interval() {
        let mut report = example();
        report.comparisons = None;
        let subject = &mut report.subjects[0];
        let series = subject.series.clone().with_executions(vec![8, 6, 6, 6, 6, 6, 6, 6]).unwrap();
        let request = EstimateRequest {
            seed: 7,
            steady_state: SteadyStatePolicy::Off,
            ..EstimateRequest::default()
        };
        let function = subject.function.clone().map(|function| Function {
            executions: Some(MeasuredExecutions::Several { count: 8 }),
            ..function
        });
        *subject = crate::Subject { function, ..analyze(series, &request) };
        let text = Document::of(&report, true).to_json().unwrap();
        let read = Document::read(&text).unwrap();
        assert_eq!(read.subjects[0].levels, crate::Levels::Executions { executions: 8 });
        assert_eq!(read.subjects[0].estimates, report.subjects[0].estimates);
        assert_eq!(read.subjects[0].function, report.subjects[0].function);
    }

    /// What several methods estimated is estimated by the same again.
    #[test]
    fn methods_are_read_back() {
        let mut report = example();
        report.comparisons = None;
        let series = report.subjects[0].series.clone();
        for methods in [&[Method::Bca][..], &[Method::Exact, Method::Bca, Method::Sign]] {
            let request = EstimateRequest {
                seed: 7,
                steady_state: SteadyStatePolicy::Off,
                method: methods.first().copied(),
                other_methods: methods[1..].to_vec(),
                ..EstimateRequest::default()
            };
            let function = report.subjects[0].function.clone();
            report.subjects[0] = crate::Subject { function, ..analyze(series.clone(), &request) };
            let text = Document::of(&report, true).to_json().unwrap();
            let read = Document::read(&text).unwrap();
            let found: Vec<Method> =
                read.subjects[0].estimates.iter().map(|one| one.method).collect();
            assert_eq!(found, methods);
        }
    }

    /// The growth that is shown later is that of the times as they were judged.
    #[test]
    fn growth_is_read_back_as_it_was_judged() {
        let mut report = example();
        report.comparisons = None;
        let subject = |size: usize| {
            let mut subject = report.subjects[0].clone();
            let name = format!("sort/{size}");
            let values = (0..50).map(|i| 1e-9 * size as f64 + 1e-12 * f64::from(i % 7)).collect();
            subject.series = Series::new(&name, Unit::SECONDS, values).unwrap();
            // Judged in another way than the one that reading uses.
            let request = EstimateRequest {
                seed: 7,
                steady_state: crate::clean::SteadyStatePolicy::Off,
                confidence: Confidence::new(0.99).unwrap(),
                ..EstimateRequest::default()
            };
            subject.estimates = analyze(subject.series.clone(), &request).estimates;
            let function = subject.function.as_mut().unwrap();
            function.input = InputSize::of_name(&name);
            subject
        };
        report.subjects = [10, 100, 1000, 10_000].map(subject).to_vec();
        let growth = report.growth();
        assert!(growth[0].found.is_ok() && growth[0].confidence.get() == 0.99);
        let text = Document::of(&report, true).to_json().unwrap();
        let read = Document::read(&text).unwrap();
        assert_eq!(read.growth(), growth);
        assert_eq!(
            Document::of(&read, true).to_json().unwrap().matches("n log n").count(),
            text.matches("n log n").count()
        );
    }

    /// A ratio has no end below 0, but a lower end that is unknown is still written as -inf.
    #[test]
    fn an_unknown_end_of_a_ratio_is_written_and_read_as_infinite() {
        let mut report = example();
        let comparisons = report.comparisons.as_mut().unwrap();
        comparisons[0].interval = RatioInterval::EVERYTHING;
        let text = Document::of(&report, true).to_json().unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        let comparison = &written["comparisons"][0];
        assert_eq!((&comparison["lower"], &comparison["upper"]), (&"-inf".into(), &"inf".into()));
        assert_eq!(Document::read(&text).unwrap(), report);
    }

    /// A warning that was written has its remedies in its text.
    #[test]
    fn warnings_are_read_back_as_they_were_said() {
        let mut report = example();
        report.warnings = vec![Warning::RatioChanged];
        report.subjects[0].warnings = vec![Warning::LongBeginning { start: 9, n: 12 }];
        let text = Document::of(&report, true).to_json().unwrap();
        let read = Document::read(&text).unwrap();
        assert_eq!(read.warnings, [Warning::RatioChanged.to_string().into()]);
        let (was, is) = (&report.subjects[0].warnings[0], &read.subjects[0].warnings[0]);
        assert_eq!(was.to_string(), is.to_string());
        assert!(was.to_string().ends_with("include them with --steady-state off"));
        assert_eq!(text, Document::of(&read, true).to_json().unwrap());
        // Another front end leaves out what it does not have.
        let front_end = fathom_record::FrontEnd::with(|_| false);
        let text = Document::for_front_end(&report, true, front_end).to_json().unwrap();
        assert!(text.contains("such as other load; measure again\"") && !text.contains("--steady"));
    }

    #[test]
    fn what_was_needed_is_read_in_its_old_fields_too() {
        let read = |text: &str| further(&serde_json::from_str(text).unwrap());
        let expected = Some(Further { pairs: 300, seconds: Some(12.0) });
        assert_eq!(read(r#"{"more_needed":{"pairs":300,"seconds":12.0}}"#), expected);
        assert_eq!(read(r#"{"more_pairs_needed":300,"more_seconds_needed":12.0}"#), expected);
        let expected = Some(Further { pairs: 937, seconds: None });
        assert_eq!(read(r#"{"more_needed":{"samples":937}}"#), expected);
        let old =
            r#"{"more_pairs_needed":null,"more_seconds_needed":null,"more_samples_needed":937}"#;
        assert_eq!(read(old), expected);
        assert_eq!(read(r#"{"more_needed":null}"#), None);
    }

    #[test]
    fn what_is_incomplete_is_refused() {
        assert!(Document::read("{}").is_err());
        let text = Document::of(&example(), true).to_json().unwrap();
        let broken = text.replace("\"verdict\": \"slower\"", "\"verdict\": \"odd\"");
        assert_eq!(Document::read(&broken).unwrap_err(), "a comparison is incomplete");
    }
}
