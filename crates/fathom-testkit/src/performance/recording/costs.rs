//! What each probe costs, and the process set at two intervals.

use super::{Peers, Study, percent, ratio, share, time, verdict};
use crate::markdown::MarkdownTable;
use fathom_record::trace::{Manifest, ProbeCost};

/// The most that the process set may take of a core, and at which interval.
const GOALS: [(&str, f64); 2] = [("1ms", 0.05), ("10ms", 0.01)];
/// Rounds of work: some ten seconds.
const ROUNDS: u32 = 2000;

pub(super) struct Costs {
    table: MarkdownTable,
    shares: Vec<f64>,
    /// Seconds per sample of the process set, and of psutil.
    ours: f64,
    psutil: f64,
}

pub(super) fn measured(study: &Study<'_>, peers: &Peers) -> Result<Costs, String> {
    let work = Study::work(ROUNDS);
    (study.say)("recording with every probe");
    let (all, _) = study.record("all", &["--runs", "1", "--every", "10ms"], &work)?;
    let mut shares = Vec::new();
    let mut ours = f64::NAN;
    for (interval, _) in GOALS {
        (study.say)(&format!("recording the process every {interval}"));
        let options = ["--runs", "1", "--every", interval, "--probe", "process"];
        let (manifest, _) = study.record("process", &options, &work)?;
        shares.push(share(&manifest));
        ours = fast_set(&manifest);
    }
    let psutil = peers.measure("psutil_sampling.py", &[])?;
    let psutil = psutil.first().map(|measured| measured.seconds).ok_or("psutil said nothing")?;
    Ok(Costs { table: table(&all), shares, ours, psutil })
}

/// Seconds per sample of what psutil reads as well: all of the process but its memory maps.
fn fast_set(manifest: &Manifest) -> f64 {
    let wanted =
        |cost: &&ProbeCost| cost.probe.starts_with("process.") && cost.probe != "process.smaps";
    probes(manifest).filter(wanted).map(|cost| cost.ns_per_sample * 1e-9).sum()
}

fn probes(manifest: &Manifest) -> impl Iterator<Item = &ProbeCost> {
    manifest.runs.iter().flat_map(|run| &run.samplers).flat_map(|sampler| &sampler.probes)
}

fn table(manifest: &Manifest) -> MarkdownTable {
    let heads = ["probe", "metrics", "per sample", "of a core"];
    let mut table = MarkdownTable::new(heads.map(str::to_string));
    for cost in probes(manifest) {
        let metrics = manifest.metrics.iter().filter(|metric| metric.probe == cost.probe).count();
        table.row([
            format!("`{}`", cost.probe),
            metrics.to_string(),
            time(cost.ns_per_sample * 1e-9),
            percent(cost.cpu_share),
        ]);
    }
    table
}

impl Costs {
    pub(super) fn in_words(&self) -> String {
        let goals: Vec<String> = GOALS
            .iter()
            .zip(&self.shares)
            .map(|((interval, most), share)| {
                format!(
                    "every {interval} it takes {} of a core (goal: below {}: {})",
                    percent(*share),
                    percent(*most),
                    verdict(share < most)
                )
            })
            .collect();
        format!(
            "Processor time per sample with files kept open, every 10 ms, `process.smaps` once a \
             second:\n\n\
             {}\n\
             The whole recorder with all probes of the process (`--probe process`), including \
             writing: {}. The process probes without `process.smaps` take {} per sample; psutil \
             takes {} for fewer metrics, {} as much.\n",
            self.table.render(),
            goals.join("; "),
            time(self.ours),
            time(self.psutil),
            ratio(self.psutil / self.ours),
        )
    }
}
