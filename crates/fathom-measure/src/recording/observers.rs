//! All observers of one run: its samplers, their writers, and the listeners to the program.

use super::application::{ApplicationRow, Heard, Listening, Prepared, ROOM};
use super::application_rows::{ApplicationRows, SaidReport};
use super::live::Live;
use super::pace::{MachinePace, Stop};
use super::sampler::{Sampler, SamplerReport, lost};
use super::slot::{OpenProbe, ProbeTime};
use super::writer::{Outbox, Sink, Writer};
use fathom_record::in_words::percent;
use fathom_record::trace::{Clock, PlannedRun, PlannedSampler, SamplerEntry, TraceMetric};
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{ProcessTree, Source, SourceFamily, Target};
use fathom_sys::{affinity, clock};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};

/// What observing a run needs in addition to its plan.
pub(crate) struct Setting<'a> {
    /// Where probes come from.
    pub(crate) sources: &'a [Box<dyn Source>],
    /// Whom to observe.
    pub(crate) target: Target,
    /// A processor to stay away from, if there are others.
    pub(crate) avoid: Option<usize>,
    /// Where each sampler's rows go, in the order of the plan.
    pub(crate) sinks: Vec<Box<dyn Sink>>,
    /// The program's own metrics.
    pub(crate) application: Option<Prepared>,
}

/// What a sampler reads, and where its rows go.
struct Work {
    probes: Vec<OpenProbe>,
    sink: Box<dyn Sink>,
}

/// All observers of a run.
#[derive(Debug)]
pub(crate) struct Observers {
    live: Arc<Live>,
    stop: Arc<Stop>,
    origin: Clock,
    observers: Vec<Observer>,
    listening: Option<Listening>,
    opened: usize,
    notes: Vec<String>,
}

#[derive(Debug)]
struct Observer {
    name: String,
    interval: Option<Span>,
    at_work: AtWork,
    writer: Writer,
}

#[derive(Debug)]
enum AtWork {
    Sampling(JoinHandle<SamplerReport>),
    Collecting(JoinHandle<SaidReport>),
}

/// What came of observing a run.
#[derive(Debug)]
pub(crate) struct Observed {
    /// An entry for each sampler; the file's name is still to be filled in.
    pub(crate) samplers: Vec<SamplerEntry>,
    /// What a reader should know.
    pub(crate) notes: Vec<String>,
    /// Metrics that were not known when it began.
    pub(crate) metrics: Vec<TraceMetric>,
    /// Why nothing more could be written.
    pub(crate) trouble: Option<String>,
    /// When the last row ends: the run is over, but its totals are read once more.
    pub(crate) last_end: Timestamp,
}

impl Observers {
    /// Opens the probes and starts all samplers. When it returns, each has taken its first sample.
    pub(crate) fn begin(run: &PlannedRun, setting: Setting<'_>) -> std::io::Result<Observers> {
        let Setting { sources, target, avoid, sinks, application } = setting;
        let live = Arc::new(Live::default());
        let stop = Arc::new(Stop::default());
        let mut notes = Vec::new();
        let work =
            |(planned, sink)| Work { probes: open(planned, sources, target, &mut notes), sink };
        let works: Vec<Work> = run.samplers.iter().zip(sinks).map(work).collect();
        let origin = Clock { monotonic: clock::monotonic(), wall: clock::wall() };
        let opened = works.iter().map(|work| work.probes.len()).sum();
        let (observers, listening) = (Vec::new(), None);
        let mut observers = Observers { live, stop, origin, observers, listening, opened, notes };
        // If one cannot be started those that run already must not go on for ever.
        let begun = observers.start_all(run, works, target, avoid, application);
        if let Err(error) = begun {
            observers.end(Span::ZERO);
            return Err(error);
        }
        Ok(observers)
    }

    fn start_all(
        &mut self,
        run: &PlannedRun,
        works: Vec<Work>,
        target: Target,
        avoid: Option<usize>,
        application: Option<Prepared>,
    ) -> std::io::Result<()> {
        let (begun, all_begun) = channel();
        let origin = self.origin.monotonic;
        let mut application = application;
        for (planned, Work { probes, sink }) in run.samplers.iter().zip(works) {
            let (outbox, writer) = Writer::start(sink, Arc::clone(&self.live), avoid)?;
            let interval = planned.interval.map(Span::from);
            let at_work = match (interval, application.take_if(|_| interval.is_none())) {
                (Some(interval), _) => {
                    let tree = match target {
                        Target::Awaiting(pid) => ProcessTree::spawned(pid),
                        Target::Running(pid) => ProcessTree::new(pid),
                    };
                    let times = (origin, interval);
                    let live = Arc::clone(&self.live);
                    let sampler = Sampler::new(probes, tree, times, outbox, live);
                    AtWork::Sampling(self.sample(&planned.name, sampler, avoid, begun.clone())?)
                }
                (None, Some(prepared)) => {
                    let (sender, said) = sync_channel(ROOM);
                    let at_work = self.collect(origin, outbox, said, avoid)?;
                    let listening = prepared.start(&sender);
                    self.listening = Some(listening.map_err(std::io::Error::other)?);
                    AtWork::Collecting(at_work)
                }
                (None, None) => continue,
            };
            self.observers.push(Observer { name: planned.name.clone(), interval, at_work, writer });
        }
        drop(begun);
        // Ends when every sampler has taken its first sample, or is gone.
        all_begun.iter().for_each(|()| {});
        Ok(())
    }

    fn sample(
        &self,
        name: &str,
        sampler: Sampler,
        avoid: Option<usize>,
        begun: Sender<()>,
    ) -> std::io::Result<JoinHandle<SamplerReport>> {
        let stop = Arc::clone(&self.stop);
        thread::Builder::new().name(format!("fathom-{name}")).spawn(move || {
            stay_away(avoid);
            let mut begun = Some(begun);
            // Dropped, it is not sent from any more: that is the sign.
            sampler.run(&mut MachinePace::new(stop), &mut || drop(begun.take()))
        })
    }

    fn collect(
        &self,
        origin: Timestamp,
        outbox: Outbox,
        said: Receiver<ApplicationRow>,
        avoid: Option<usize>,
    ) -> std::io::Result<JoinHandle<SaidReport>> {
        let live = Arc::clone(&self.live);
        thread::Builder::new().name("fathom-app".to_string()).spawn(move || {
            stay_away(avoid);
            ApplicationRows::new(origin, live).run(&said, outbox)
        })
    }

    /// The moment that times count from.
    pub(crate) fn origin(&self) -> Clock {
        self.origin
    }

    /// How many probes could be opened, and the notes about the others.
    pub(crate) fn opened(&self) -> (usize, &[String]) {
        (self.opened, &self.notes)
    }

    /// What can be seen of them while they work.
    pub(crate) fn live(&self) -> &Live {
        &self.live
    }

    /// Takes the last samples and stops all samplers. The run took this long.
    pub(crate) fn end(self, length: Span) -> Observed {
        self.stop.ask();
        for observer in &self.observers {
            if let AtWork::Sampling(thread) = &observer.at_work {
                Stop::wake(thread.thread());
            }
        }
        let heard = self.listening.map(Listening::finish).unwrap_or_default();
        let mut notes = self.notes;
        let mut last_end = Timestamp::ZERO;
        let mut samplers = Vec::new();
        for observer in self.observers {
            let (entry, last) = observer.end(length, &heard, &mut notes);
            samplers.push(entry);
            last_end = last_end.max(last);
        }
        Observed {
            last_end,
            samplers,
            notes,
            metrics: self.live.take_metrics(),
            trouble: self.live.trouble.reason(),
        }
    }
}

impl Observer {
    /// Its entry, and when its last row ends.
    fn end(
        self,
        length: Span,
        heard: &[Heard],
        notes: &mut Vec<String>,
    ) -> (SamplerEntry, Timestamp) {
        let mut entry = SamplerEntry {
            name: self.name,
            file: String::new(),
            interval: self.interval,
            rows: 0,
            missed: 0,
            lateness: None,
            cpu_share: None,
            probes: Vec::new(),
        };
        let (mut cpu, mut last_end) = (Span::ZERO, Timestamp::ZERO);
        // Rows that the writer was given.
        let (mut given, mut late) = (0, 0);
        match self.at_work {
            AtWork::Sampling(thread) => match thread.join() {
                Ok(report) => {
                    (cpu, last_end) = (report.cpu, report.last_end);
                    entry.missed = report.missed;
                    given = report.taken.saturating_sub(report.lost);
                    late = report.missed.saturating_sub(report.lost);
                    entry.lateness = report.lateness;
                    entry.probes =
                        report.probes.into_iter().map(|time| time.over(length)).collect();
                    notes.extend(report.notes);
                }
                Err(_) => notes.push(gave_up(&entry.name)),
            },
            AtWork::Collecting(thread) => match thread.join() {
                Ok(report) => {
                    last_end = report.last_end;
                    let listening: Span = heard.iter().map(|one| one.cpu).sum();
                    cpu = report.cpu + listening;
                    given = report.rows.saturating_sub(report.lost);
                    entry.missed = report.lost + heard.iter().map(|one| one.dropped).sum::<u64>();
                    let (probe, samples) = (entry.name.clone(), report.rows);
                    let time = ProbeTime { probe, samples, cpu_ns: cpu.nanoseconds_f64() };
                    entry.probes = vec![time.over(length)];
                    notes.extend(heard.iter().flat_map(|one| one.notes.iter().cloned()));
                    if report.lost > 0 {
                        notes.push(lost(report.lost));
                    }
                }
                Err(_) => notes.push(gave_up(&entry.name)),
            },
        }
        let written = self.writer.end();
        entry.rows = written.rows;
        let unwritten = given.saturating_sub(written.rows);
        if unwritten > 0 {
            entry.missed += unwritten;
            notes.push(format!(
                "the last {unwritten} samples of the sampler {} could not be written and are lost",
                entry.name
            ));
        }
        let share = (cpu + written.cpu).share_of(length);
        entry.cpu_share = Some(share);
        // Only samples that were not taken in time: those that were lost later have their own note.
        if late > entry.rows / 100 && entry.interval.is_some() {
            notes.push(format!(
                "the sampler {} missed {late} of {} samples: the machine was busy, or sampling \
                 was too slow for the interval (it used {} of a CPU)",
                entry.name,
                entry.missed + entry.rows,
                percent(share),
            ));
        }
        (entry, last_end)
    }
}

/// A thread that panicked; its rows up to then are written.
fn gave_up(name: &str) -> String {
    format!("the sampler {name} failed. This is a bug in Fathom; please report it.")
}

/// Not on the processor that the command is bound to, if there is another.
pub(super) fn stay_away(avoid: Option<usize>) {
    if let Some(cpu) = avoid {
        // Where it is refused sampling goes on where it can.
        let _ = affinity::avoid(cpu);
    }
}

fn open(
    planned: &PlannedSampler,
    sources: &[Box<dyn Source>],
    target: Target,
    notes: &mut Vec<String>,
) -> Vec<OpenProbe> {
    let mut probes = Vec::new();
    for wanted in &planned.probes {
        let Some(source) = sources.iter().find(|source| source.name() == wanted.name) else {
            continue;
        };
        match source.open(target) {
            Ok(probe) => {
                let of_program = matches!(source.family(), SourceFamily::Process);
                let awaits_exec = of_program && matches!(target, Target::Awaiting(_));
                probes.push(OpenProbe { probe, awaits_exec });
            }
            Err(why) => notes.push(format!("{} was not recorded: {why}", wanted.name)),
        }
    }
    probes
}
