//! Events of real programs are counted: theirs, those of their threads and of their children.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]

mod harness;

use fathom_record::trace::{Kind, Layer, Value};
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{Moment, Probe, ProcessTree, Source, SourceFamily, Target, sources};
use fathom_sys::spawner::{Order, Wait};
use fathom_sys::{clock, cpu_time};
use harness::{Case, played, script, spawner, this_program};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

fn main() {
    let cases: &[Case] = &[
        ("sources_come_in_their_order", order_of_sources),
        ("a_commands_page_faults_are_counted", page_faults),
        ("a_commands_time_is_counted", task_clock),
        ("a_commands_switches_are_counted", switches),
        ("threads_are_followed", threads_are_followed),
        ("children_are_followed_when_they_are_gone", children_are_followed),
        ("what_happens_before_exec_is_not_counted", before_exec),
        ("a_running_program_is_attached_to", attach),
        ("many_threads_are_attached_to", attach_to_many),
        ("a_program_that_starts_threads_all_the_time_is_attached_to", attach_to_restless),
        ("nobody_is_said_to_be_nobody", nobody),
        ("a_trial_gives_the_metrics_and_the_cost", trial),
        ("the_cost_of_a_sample_is_printed", cost),
    ];
    harness::main(cases, play);
}

/// Commands that this program plays.
fn play(name: &str, arguments: &[String]) {
    let number = |n: usize| arguments.get(n).map_or(0, |text| text.parse().unwrap());
    match name {
        "touch" => touch(number(0)),
        "touch-in-threads" => {
            let pages = number(1);
            in_threads(number(0), move || touch(pages));
        }
        "busy" => {
            let began = cpu_time::process();
            let enough = Span::from_milliseconds(number(0) as u64);
            while cpu_time::process() - began < enough {
                black_box(0);
            }
        }
        "doze" => (0..number(0)).for_each(|_| thread::sleep(Duration::from_micros(100))),
        "obey" => on_every_line(|| touch(number(0))),
        "restless" => restless(),
        "lead" => lead(number(0), number(1)),
        _ => panic!("unknown play {name}"),
    }
}

/// Touches this many pages that were never touched before, each a fault of its own.
#[allow(unsafe_code, reason = "std has no memory that is surely new")]
fn touch(pages: usize) {
    if pages == 0 {
        return;
    }
    // SAFETY: a plain question.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
    // SAFETY: new memory, private to us; the advice against large pages changes no contents; every
    // page written to is within it; nobody has it when it is given back.
    unsafe {
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let memory = libc::mmap(std::ptr::null_mut(), pages * page, protection, flags, -1, 0);
        assert_ne!(memory, libc::MAP_FAILED);
        libc::madvise(memory, pages * page, libc::MADV_NOHUGEPAGE);
        for number in 0..pages {
            memory.cast::<u8>().add(number * page).write_volatile(1);
        }
        libc::munmap(memory, pages * page);
    }
}

fn in_threads(count: usize, work: impl Fn() + Clone + Send + 'static) {
    let threads: Vec<_> = (0..count).map(|_| thread::spawn(work.clone())).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Does something whenever it is told to, and says when it is done.
fn on_every_line(mut work: impl FnMut()) {
    println!("ready");
    for line in std::io::stdin().lines() {
        line.unwrap();
        work();
        println!("done");
    }
}

/// Starts threads until nobody listens any more.
fn restless() {
    println!("ready");
    let until = thread::spawn(|| std::io::stdin().lines().count());
    while !until.is_finished() {
        in_threads(4, || touch(5));
    }
}

/// Has threads and a child that wait. When told to, all of them touch pages, and so do new threads
/// and a new child.
fn lead(threads: usize, pages: usize) {
    touch(BEFORE);
    let mut follower = Obedient::start(&["obey", &pages.to_string()]);
    let (go, done) = (Arc::new(Barrier::new(threads + 1)), Arc::new(Barrier::new(threads + 1)));
    for _ in 0..threads {
        let (go, done) = (go.clone(), done.clone());
        thread::spawn(move || {
            loop {
                go.wait();
                touch(pages);
                done.wait();
            }
        });
    }
    on_every_line(|| {
        go.wait();
        done.wait();
        follower.obey();
        in_threads(2, move || touch(pages));
        let newcomer =
            Command::new(this_program()).args(["__play", "touch", &pages.to_string()]).status();
        assert!(newcomer.unwrap().success());
    });
}

/// Pages that are touched before anybody looks.
const BEFORE: usize = 20_000;

/// A program that does something when it is told to.
struct Obedient {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Obedient {
    fn start(arguments: &[&str]) -> Obedient {
        let mut child = Command::new(this_program())
            .arg("__play")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut obedient = Obedient { child, orders, answers };
        obedient.hear("ready");
        obedient
    }

    fn hear(&mut self, word: &str) {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), word);
    }

    fn obey(&mut self) {
        self.orders.as_mut().unwrap().write_all(b"go\n").unwrap();
        self.hear("done");
    }

    /// It ends when nobody can tell it anything any more.
    fn end(&mut self) {
        drop(self.orders.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Obedient {
    fn drop(&mut self) {
        self.end();
    }
}

/// The kernel's own counters, unless they are not permitted, which the test then says.
fn software() -> Option<Box<dyn Source>> {
    let source = sources().into_iter().find(|source| source.name() == "perf.software").unwrap();
    match source.open(Target::Running(std::process::id())) {
        Ok(_) => Some(source),
        Err(why) => {
            println!("not tested here: perf.software: {why}");
            None
        }
    }
}

/// Its values by name.
fn sample(probe: &mut dyn Probe, pid: u32) -> Values {
    let tree = ProcessTree::new(pid);
    let mut values = vec![Value::Missing; probe.metrics().len()];
    probe.sample(&Moment { now: clock::monotonic(), tree: &tree }, &mut values).unwrap();
    let names = probe.metrics().iter().map(|metric| metric.name.clone());
    Values(names.zip(values).collect())
}

#[derive(Debug)]
struct Values(Vec<(String, Value)>);

impl Values {
    /// `None` if it may not be counted here.
    fn get(&self, name: &str) -> Option<i64> {
        let name = format!("perf.software.{name}");
        let (_, value) = self.0.iter().find(|(one, _)| *one == name)?;
        Some(value.integer().unwrap_or_else(|| panic!("{name} is missing: {self:?}")))
    }

    fn faults(&self) -> i64 {
        self.get("page-faults").unwrap()
    }
}

/// What a command's counters say before its exec and after its end.
fn counted(order: &Order) -> Option<(Values, Values)> {
    let source = software()?;
    let mut opened = None;
    let mut on_start = |pid| {
        let mut probe = source.open(Target::Awaiting(pid)).unwrap();
        let first = sample(&mut *probe, pid);
        opened = Some((pid, probe, first));
    };
    let finished =
        spawner().execute_announced(order, None, &mut on_start, &mut |_| Wait::Continue).unwrap();
    assert!(finished.ending.is_success(), "{finished:?}");
    let (pid, mut probe, first) = opened.unwrap();
    let last = sample(&mut *probe, pid);
    // It is over, so nothing changes any more.
    assert_eq!(sample(&mut *probe, pid).0, last.0);
    Some((first, last))
}

fn order_of_sources() {
    let sources = sources();
    let place = |name: &str| sources.iter().position(|source| source.name() == name).unwrap();
    assert_eq!(place("perf.software"), 0);
    assert_eq!(place("perf.hardware-1"), 1);
    assert!(place("jvm") > 1);
    assert_eq!(sources[0].family(), SourceFamily::Perf);
    assert_eq!(sources[0].layer(), Layer::Os);
    assert_eq!(sources[1].family(), SourceFamily::Hardware(1));
    assert_eq!(sources[1].layer(), Layer::Hardware);
    for source in &sources[..2] {
        match source.open(Target::Running(std::process::id())) {
            Ok(probe) => println!("{}: {} metrics", source.name(), probe.metrics().len()),
            Err(why) => println!("{}: {why}", source.name()),
        }
    }
}

fn page_faults() {
    let Some((_, few)) = counted(&played(&["touch", "0"])) else { return };
    let Some((_, many)) = counted(&played(&["touch", "3000"])) else { return };
    let more = many.faults() - few.faults();
    // Programs begin with a few more or less.
    assert!((2900..3500).contains(&more), "{more}");
    assert!(many.faults() >= 3000, "{many:?}");
    let kinds = many.get("minor-faults").unwrap() + many.get("major-faults").unwrap();
    assert_eq!(kinds, many.faults());
}

fn task_clock() {
    let Some((_, values)) = counted(&played(&["busy", "30"])) else { return };
    let time = values.get("task-clock").unwrap();
    assert!(time >= 30_000_000, "{time}");
}

fn switches() {
    let Some((_, values)) = counted(&played(&["doze", "100"])) else { return };
    match values.get("context-switches") {
        Some(switches) => assert!(switches >= 100, "{switches}"),
        None => println!("not tested here: context-switches may not be counted"),
    }
}

fn threads_are_followed() {
    let Some((_, values)) = counted(&played(&["touch-in-threads", "8", "1000"])) else { return };
    assert!(values.faults() >= 8000, "{values:?}");
}

fn children_are_followed() {
    let program = this_program();
    let program = program.to_str().unwrap();
    let text = format!(
        "'{program}' __play touch 2000; '{program}' __play touch-in-threads 2 1000 & \
         (('{program}' __play touch 2000)); wait"
    );
    let Some((_, values)) = counted(&script(&text)) else { return };
    assert!(values.faults() >= 6000, "{values:?}");
}

fn before_exec() {
    let Some((first, _)) = counted(&played(&["touch", "10"])) else { return };
    let is_nothing = |values: &Values| values.0.iter().all(|(_, one)| *one == Value::Integer(0));
    assert!(is_nothing(&first), "{first:?}");
    // A process whose exec fails did something, but none of it as the command.
    let Some(source) = software() else { return };
    let mut opened = None;
    let mut on_start = |pid| opened = Some((pid, source.open(Target::Awaiting(pid)).unwrap()));
    let missing = Order::new("/no/such/program", vec!["missing".into()]);
    let end = spawner().execute_announced(&missing, None, &mut on_start, &mut |_| Wait::Continue);
    assert!(end.is_err(), "{end:?}");
    let (pid, mut probe) = opened.unwrap();
    let last = sample(&mut *probe, pid);
    assert!(is_nothing(&last), "{last:?}");
}

fn attach() {
    let Some(source) = software() else { return };
    const THREADS: i64 = 5;
    let mut leader = Obedient::start(&["lead", &THREADS.to_string(), "1000"]);
    let pid = leader.child.id();
    let mut probe = source.open(Target::Running(pid)).unwrap();
    assert!(probe.metrics().iter().all(|metric| metric.kind == Kind::Counter));
    let first = sample(&mut *probe, pid);
    assert!(first.faults() < BEFORE as i64, "what happened before is not in it: {first:?}");
    // Its threads, its child, two new threads, and a new child.
    let expected = (THREADS + 1 + 2 + 1) * 1000;
    let mut before = first.faults();
    for _ in 0..3 {
        leader.obey();
        let now = sample(&mut *probe, pid).faults();
        let grown = now - before;
        // Nothing is counted twice: the programs' own beginnings are some hundred faults.
        assert!((expected..expected + 1500).contains(&grown), "{grown}");
        before = now;
    }
    leader.end();
    assert!(sample(&mut *probe, pid).faults() >= before, "what ended stays counted");
}

fn attach_to_many() {
    let Some(source) = software() else { return };
    const THREADS: i64 = 200;
    let mut leader = Obedient::start(&["lead", &THREADS.to_string(), "10"]);
    let pid = leader.child.id();
    let mut probe = match source.open(Target::Running(pid)) {
        Ok(probe) => probe,
        Err(why) => {
            // A small limit of open files is not a failure, but it must be reported.
            assert!(why.to_string().contains("ulimit -n"), "{why}");
            println!("not tested here: {why}");
            return;
        }
    };
    let before = sample(&mut *probe, pid).faults();
    leader.obey();
    let grown = sample(&mut *probe, pid).faults() - before;
    assert!(grown >= (THREADS + 4) * 10, "{grown}");
    print_cost(&format!("perf.software, attached to {THREADS} threads"), &mut *probe, pid);
}

fn attach_to_restless() {
    let Some(source) = software() else { return };
    let restless = Obedient::start(&["restless"]);
    let pid = restless.child.id();
    for _ in 0..50 {
        let mut probe = source.open(Target::Running(pid)).unwrap();
        let before = sample(&mut *probe, pid).faults();
        harness::eventually("new threads are counted", || {
            sample(&mut *probe, pid).faults() > before
        });
    }
}

fn nobody() {
    let Some(source) = software() else { return };
    let mut gone = Command::new(this_program()).args(["__play", "touch", "0"]).spawn().unwrap();
    gone.wait().unwrap();
    for target in [Target::Running(gone.id()), Target::Awaiting(gone.id())] {
        let why = source.open(target).unwrap_err().to_string();
        assert!(why.contains(&format!("there is no process {}", gone.id())), "{why}");
    }
}

fn trial() {
    let Some(source) = software() else { return };
    let trial = fathom_sys::probes::trial(&*source).unwrap();
    assert!(trial.metrics.iter().any(|metric| metric.name == "perf.software.task-clock"));
    assert!(trial.cpu_per_sample > Span::ZERO);
}

fn cost() {
    let Some(source) = software() else { return };
    let order = played(&["doze", "300"]);
    let mut opened = None;
    let mut on_start = |pid| opened = Some((pid, source.open(Target::Awaiting(pid)).unwrap()));
    spawner().execute_announced(&order, None, &mut on_start, &mut |_| Wait::Continue).unwrap();
    let (pid, mut probe) = opened.unwrap();
    print_cost("perf.software, a command that ended", &mut *probe, pid);
    let mut obedient = Obedient::start(&["obey", "0"]);
    let mut probe = source.open(Target::Running(obedient.child.id())).unwrap();
    print_cost("perf.software, a program that waits", &mut *probe, pid);
    obedient.obey();
    let mut busy = Command::new(this_program()).args(["__play", "busy", "400"]).spawn().unwrap();
    let mut probe = source.open(Target::Running(busy.id())).unwrap();
    print_cost("perf.software, a program that computes", &mut *probe, busy.id());
    busy.wait().unwrap();
}

fn print_cost(what: &str, probe: &mut dyn Probe, pid: u32) {
    const SAMPLES: u64 = 500;
    let tree = ProcessTree::new(pid);
    let mut values = vec![Value::Missing; probe.metrics().len()];
    let began = cpu_time::thread();
    for _ in 0..SAMPLES {
        let moment = Moment { now: Timestamp::ZERO, tree: &tree };
        probe.refresh(&moment);
        probe.sample(&moment, &mut values).unwrap();
    }
    let cost = (cpu_time::thread() - began).divided_by(SAMPLES).nanoseconds();
    println!("{what}: {cost} ns per sample");
}
