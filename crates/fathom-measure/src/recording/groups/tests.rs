use super::*;
use crate::recording::offer::OfferedMetrics;
use fathom_record::Unit;
use fathom_record::trace::{Kind, TraceMetric};
use fathom_sys::probes::Unavailable;

fn offer(name: &str, family: SourceFamily, metrics: &[&str], us: u64) -> Offer {
    let layer = match family {
        SourceFamily::Hardware(_) => Layer::Hardware,
        _ if name == "jvm" => Layer::Vm,
        _ => Layer::Os,
    };
    let metric =
        |thing: &&str| TraceMetric::integer(name, thing, layer, Kind::Counter, Unit::Unknown);
    Offer {
        name: name.to_string(),
        about: format!("about {name}"),
        family,
        layer,
        found: Ok(OfferedMetrics {
            metrics: metrics.iter().map(metric).collect(),
            cpu_per_sample: Span::from_nanoseconds(us * 1000),
            least_interval: Duration::ZERO,
        }),
    }
}

fn refused(name: &str, family: SourceFamily) -> Offer {
    let why = Unavailable("the kernel says no; set it to yes".to_string());
    Offer { found: Err(why), ..offer(name, family, &[], 0) }
}

/// A machine with two sets of counters.
fn machine() -> Vec<Offer> {
    let mut smaps = offer("process.smaps", SourceFamily::Process, &["pss"], 3000);
    if let Ok(found) = &mut smaps.found {
        found.least_interval = Duration::from_secs(1);
    }
    vec![
        offer("perf.software", SourceFamily::Perf, &["task-clock", "faults"], 2),
        offer("perf.hardware-1", SourceFamily::Hardware(1), &["cycles", "instructions"], 2),
        offer(
            "perf.hardware-2",
            SourceFamily::Hardware(2),
            &["cycles", "instructions", "misses"],
            2,
        ),
        offer("process.stat", SourceFamily::Process, &["utime", "stime"], 3),
        smaps,
        refused("process.io", SourceFamily::Process),
        offer("system.vmstat", SourceFamily::System, &["pgfault", "pgscan"], 20),
        offer("system.stat", SourceFamily::System, &["user"], 10),
        offer("jvm", SourceFamily::Process, &[], 1),
    ]
}

fn without_hardware() -> Vec<Offer> {
    let mut offers = machine();
    offers.retain(|offer| offer.name != "perf.hardware-2");
    offers[1] = refused("perf.hardware-1", SourceFamily::Hardware(1));
    offers
}

/// A plan in a few lines.
fn shown(plan: &RecordingPlan) -> String {
    let mut text = format!("common {}\n", plan.common.as_deref().unwrap_or("none"));
    for run in &plan.runs {
        text += &format!("{} {}:", run.id, run.group);
        for sampler in &run.samplers {
            let names: Vec<&str> = sampler.probes.iter().map(|one| one.name.as_str()).collect();
            text += &format!(" {} {:?} [{}]", sampler.name, sampler.interval, names.join(" "));
        }
        text += "\n";
    }
    for warning in &plan.warnings {
        text += &format!("! {warning}\n");
    }
    text
}

fn planned(offers: &[Offer], options: &RecordingOptions) -> String {
    shown(&plan(offers, options).unwrap())
}

fn refusal(offers: &[Offer], options: &RecordingOptions) -> String {
    plan(offers, options).unwrap_err().to_string()
}

fn options() -> RecordingOptions {
    RecordingOptions::default()
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn the_program_the_machine_and_each_set_of_counters_have_a_run() {
    assert_eq!(
        planned(&machine(), &options()),
        "common perf.software.task-clock\n\
         run-1 process: fast Some(10ms) [perf.software process.stat jvm] slow Some(1s) [process.smaps]\n\
         run-2 system: fast Some(10ms) [perf.software system.vmstat system.stat]\n\
         run-3 hardware-1: fast Some(10ms) [perf.software perf.hardware-1]\n\
         run-4 hardware-2: fast Some(10ms) [perf.software perf.hardware-2]\n"
    );
    let plan = plan(&machine(), &options()).unwrap();
    assert_eq!(plan.metrics_per_layer(), [(Layer::Hardware, 5), (Layer::Os, 8)]);
    assert_eq!(plan.runs[0].metrics(), 5);
    assert_eq!(plan.runs[0].layers(), [Layer::Os, Layer::Vm]);
    let why = "the kernel says no; set it to yes".to_string();
    assert_eq!(plan.unavailable, [("process.io".to_string(), why)]);
    // 2 + 3 + 1 us at 10 ms, 3 ms at 1 s.
    assert!((plan.runs[0].share() - 0.0036).abs() < 1e-9);
}

#[test]
fn a_single_set_of_counters_is_in_every_run_and_needs_none_of_its_own() {
    let mut offers = machine();
    offers.remove(2);
    assert_eq!(
        planned(&offers, &options()),
        "common perf.hardware-1.instructions\n\
         run-1 process: fast Some(10ms) [perf.software perf.hardware-1 process.stat jvm] slow Some(1s) [process.smaps]\n\
         run-2 system: fast Some(10ms) [perf.software perf.hardware-1 system.vmstat system.stat]\n"
    );
}

#[test]
fn fewer_runs_put_groups_together_and_more_repeat_them() {
    let offers = without_hardware();
    let runs = |runs| RecordingOptions { runs: Some(runs), ..options() };
    assert_eq!(
        planned(&offers, &runs(1)),
        "common perf.software.task-clock\n\
         run-1 process+system: fast Some(10ms) [perf.software process.stat system.vmstat system.stat jvm] \
         slow Some(1s) [process.smaps]\n"
    );
    let plan = plan(&offers, &runs(5)).unwrap();
    let groups: Vec<&str> = plan.runs.iter().map(|run| run.group.as_str()).collect();
    assert_eq!(groups, ["process", "system", "process", "system", "process"]);
    assert_eq!(plan.runs[4].id, "run-5");
    assert_eq!(refusal(&offers, &runs(0)), "0 runs record nothing. Use 1 or more.");
    // Four groups in three runs, and a warning for two sets of counters in one.
    let merged = planned(&machine(), &runs(3));
    assert!(merged.contains("run-3 hardware-1+hardware-2: "), "{merged}");
    assert!(merged.contains("! perf.hardware-1 and perf.hardware-2 share one run: "), "{merged}");
}

#[test]
fn names_select_what_is_below_them() {
    let only = |probes: &[&str]| RecordingOptions { probes: strings(probes), ..options() };
    assert_eq!(
        planned(&machine(), &only(&["process.stat", "system.*"])),
        // The first group has nothing that the second has not.
        "common process.stat.utime\n\
         run-1 system: fast Some(10ms) [process.stat system.vmstat system.stat]\n"
    );
    assert_eq!(
        planned(&without_hardware(), &only(&["perf"])),
        "common perf.software.task-clock\nrun-1 perf: fast Some(10ms) [perf.software]\n"
    );
    let slip = refusal(&machine(), &only(&["proces"]));
    assert!(slip.starts_with("there is no probe \"proces\" (did you mean process"), "{slip}");
    assert!(slip.ends_with("system.vmstat, system.stat, jvm."), "{slip}");
    let metric = refusal(&machine(), &only(&["system.vmstat.pgfault"]));
    assert!(metric.contains("(it is a metric of the probe system.vmstat)"), "{metric}");
    let io = refusal(&machine(), &only(&["process.stat", "process.io"]));
    assert_eq!(io, "cannot read the probe process.io here: the kernel says no; set it to yes");
    // All that a name selects is refused.
    let hardware = refusal(&without_hardware(), &only(&["perf.hardware-1"]));
    assert!(hardware.contains("cannot read the probe perf.hardware-1"), "{hardware}");
}

#[test]
fn groups_can_be_said() {
    let groups = |groups: &[&str]| RecordingOptions { groups: strings(groups), ..options() };
    assert_eq!(
        planned(&without_hardware(), &groups(&["process.stat, jvm", "system.stat"])),
        "common perf.software.task-clock\n\
         run-1 process.stat, jvm: fast Some(10ms) [perf.software process.stat jvm]\n\
         run-2 system.stat: fast Some(10ms) [perf.software system.stat]\n"
    );
    assert!(refusal(&machine(), &groups(&[" ,"])).contains("names no probe"));
    let both = RecordingOptions { probes: strings(&["jvm"]), ..groups(&["jvm"]) };
    assert_eq!(plan(&machine(), &both), Err(PlanError::BothChosen));
}

#[test]
fn the_common_metric_is_in_every_run() {
    let common = |name: &str| RecordingOptions { common: Some(name.to_string()), ..options() };
    let pgfault = plan(&without_hardware(), &common("system.vmstat.pgfault")).unwrap();
    assert_eq!(pgfault.common.as_deref(), Some("system.vmstat.pgfault"));
    for run in &pgfault.runs {
        assert!(run.probes().any(|(_, probe)| probe.name == "system.vmstat"), "{}", run.id);
    }
    let slip = refusal(&machine(), &common("system.vmstat.pgfalt"));
    assert!(slip.contains("did you mean system.vmstat.pgfault"), "{slip}");
    let io = refusal(&machine(), &common("process.io.read"));
    assert!(io.contains("the kernel says no"), "{io}");
    // Metrics that show only later.
    let later = plan(&machine(), &common("jvm.sun.gc.count")).unwrap();
    assert!(
        later.warnings[0].contains("exists only while the program runs"),
        "{:?}",
        later.warnings
    );
    assert!(later.runs.iter().all(|run| run.probes().any(|(_, probe)| probe.name == "jvm")));
    assert!(plan(&machine(), &common("app.tps")).is_err());
    let said = RecordingOptions { application: true, ..common("app.tps") };
    assert_eq!(plan(&machine(), &said).unwrap().common.as_deref(), Some("app.tps"));
    // A probe that was not chosen comes along if its metric is wished for.
    let chosen =
        RecordingOptions { probes: strings(&["system.stat"]), ..common("process.stat.utime") };
    assert_eq!(
        planned(&machine(), &chosen),
        "common process.stat.utime\nrun-1 system: fast Some(10ms) [process.stat system.stat]\n"
    );
}

#[test]
fn what_the_program_says_is_in_every_run() {
    let app = RecordingOptions { application: true, ..options() };
    let plan = plan(&without_hardware(), &app).unwrap();
    assert!(plan.runs.iter().all(|run| run.samplers.last().unwrap().name == "app"));
    let alone = RecordingOptions { probes: strings(&["app"]), ..app };
    assert_eq!(planned(&machine(), &alone), "common none\nrun-1 app: app None [app]\n");
    let nothing = [refused("process.io", SourceFamily::Process)];
    assert!(refusal(&nothing, &options()).contains("nothing to record"), "no probes");
}

#[test]
fn intervals_that_cannot_be_kept_are_refused_or_warned_of() {
    let every = |us| RecordingOptions { interval: Duration::from_micros(us), ..options() };
    assert!(refusal(&machine(), &every(99)).contains("The shortest possible is 100 us"));
    // The system's probes take 32 us.
    let dear = plan(&without_hardware(), &every(500)).unwrap();
    assert_eq!(
        dear.warnings,
        ["recording system as run-2 will use about 6.4% of a CPU, which may disturb the program. \
          Without system.vmstat it would use 2.4%; with --every 1ms, at most 5%."]
    );
    let mut slow = without_hardware();
    if let Ok(found) = &mut slow[5].found {
        found.cpu_per_sample = Span::from_nanoseconds(400_000);
    }
    let busy = refusal(&slow, &every(500));
    assert!(busy.contains("most of it for system.vmstat. Use at least 1 ms"), "{busy}");
    // Repeated groups are warned of once.
    let often = RecordingOptions { runs: Some(6), ..every(500) };
    assert_eq!(plan(&without_hardware(), &often).unwrap().warnings.len(), 1);
    // A large interval moves what is dear to the same sampler.
    let rare = plan(&machine(), &every(2_000_000)).unwrap();
    assert_eq!(rare.runs[0].samplers.len(), 1);
}
