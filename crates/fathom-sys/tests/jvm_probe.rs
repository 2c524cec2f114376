//! Counters of real Java machines are found, followed and read.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "what was not tested is to be seen, and what it costs")]

use fathom_record::trace::{Kind, Layer, Value};
use fathom_record::{TimeUnit, Unit};
use fathom_sys::probes::{Moment, Probe, ProcessTree, Source, SourceFamily, Target, sources};
use fathom_sys::{clock, cpu_time};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Does as it is told, line by line.
const PROGRAM: &str = r#"
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Obedient {
    public static class Loaded {}

    static Object kept;
    static long sum;

    static long mix(long x, long n) {
        return (x ^ n) * 31 + (x >>> 7);
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ");
            int count = Integer.parseInt(words[1]);
            for (int n = 0; n < count; n++) {
                switch (words[0]) {
                    case "collect" -> System.gc();
                    case "allocate" -> kept = new byte[1 << 20];
                    case "load" -> load(arguments[0]);
                    case "compute" -> { for (int m = 0; m < 100_000; m++) sum = mix(sum, m); }
                    default -> throw new Exception(line);
                }
            }
            System.out.println("done");
        }
    }

    static void load(String folder) throws Exception {
        URL[] places = {Path.of(folder).toUri().toURL()};
        new URLClassLoader(places, null).loadClass("Obedient$Loaded");
    }
}
"#;

/// The compiled program, or `None` where there is no Java, which the test then says.
fn compiled(test: &str) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Obedient.java"), PROGRAM).unwrap();
    let compiler = Command::new("javac")
        .args(["-d", ".", "Obedient.java"])
        .current_dir(folder.path())
        .status();
    let has_java = compiler.is_ok() && Command::new("java").arg("-version").output().is_ok();
    if has_java {
        assert!(compiler.unwrap().success());
        return Some(folder);
    }
    println!("not tested here, as there is no java and javac: {test}");
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{test} needs java and javac");
    None
}

/// A program, a tree of it, and the probe that follows it.
struct Followed {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    tree: ProcessTree,
    probe: Box<dyn Probe>,
}

const OPTIONS: &str = "-XX:+UseSerialGC -Xmx64m -Xmn8m -cp . Obedient .";

impl Followed {
    /// Starts a shell script in the program's folder.
    fn start(folder: &Path, script: &str) -> Followed {
        let mut child = Command::new("/bin/sh")
            .args(["-c", script])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let tree = ProcessTree::new(child.id());
        let probe = source().open(Target::Running(child.id())).unwrap();
        Followed { child, orders, answers, tree, probe }
    }

    fn hear(&mut self, word: &str) {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), word);
    }

    fn order(&mut self, order: &str) {
        writeln!(self.orders.as_mut().unwrap(), "{order}").unwrap();
        self.hear("done");
    }

    fn sample(&mut self) -> Vec<Value> {
        let now = clock::monotonic();
        self.tree.refresh(now);
        let moment = Moment { now, tree: &self.tree };
        self.probe.refresh(&moment);
        let mut values = vec![Value::Missing; self.probe.metrics().len()];
        self.probe.sample(&moment, &mut values).unwrap();
        values
    }

    /// The value now; `None` if it is missing or unknown.
    fn get(&mut self, name: &str) -> Option<i64> {
        let values = self.sample();
        let place = self.probe.metrics().iter().position(|metric| metric.name == name)?;
        values[place].integer()
    }

    fn has(&self, name: &str) -> bool {
        self.probe.metrics().iter().any(|metric| metric.name == name)
    }

    /// Samples until it is so; that takes as long as it takes, but not forever.
    fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Followed) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn until_found(&mut self, name: &str) {
        self.until(name, |followed| followed.get(name).is_some());
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        // Without orders all of them end.
        drop(self.orders.take());
        let _ = self.child.wait();
    }
}

fn source() -> Box<dyn Source> {
    sources().into_iter().find(|source| source.name() == "jvm").unwrap()
}

const COLLECTIONS: &str = "jvm.sun.gc.collector.1.invocations";

#[test]
fn the_source_is_there_without_java() {
    let source = source();
    assert_eq!((source.family(), source.layer()), (SourceFamily::Process, Layer::Vm));
    let mut followed = Followed::start(&std::env::temp_dir(), "read word");
    assert_eq!(followed.sample(), []);
    print_cost("jvm, no machine", &mut followed);
}

#[test]
fn collections_safepoints_classes_and_compilations_are_counted() {
    let Some(folder) = compiled("collections_safepoints_classes_and_compilations") else { return };
    let mut followed = Followed::start(folder.path(), &format!("exec java {OPTIONS}"));
    followed.hear("ready");
    followed.until_found(COLLECTIONS);
    assert!(followed.probe.metrics().len() > 100, "{}", followed.probe.metrics().len());

    let grows = |followed: &mut Followed, name: &str, order: &str, least: i64| {
        let before = followed.get(name).unwrap();
        followed.order(order);
        let grown = followed.get(name).unwrap() - before;
        assert!(grown >= least, "{name} grew by {grown} upon {order}");
    };
    grows(&mut followed, COLLECTIONS, "collect 7", 7);
    grows(&mut followed, "jvm.sun.rt.safepoints", "collect 5", 5);
    grows(&mut followed, "jvm.sun.gc.collector.1.time", "collect 5", 1);
    grows(&mut followed, "jvm.sun.gc.collector.0.invocations", "allocate 100", 5);
    grows(&mut followed, "jvm.java.cls.loadedClasses", "load 40", 40);

    // Compilers work on their own.
    let compiled = followed.get("jvm.sun.ci.totalCompiles").unwrap();
    followed.order("compute 100");
    followed.until("compilations", |followed| {
        followed.get("jvm.sun.ci.totalCompiles").unwrap() > compiled
    });

    let of = |name: &str| {
        followed.probe.metrics().iter().find(|metric| metric.name == name).unwrap().clone()
    };
    assert_eq!(of(COLLECTIONS).kind, Kind::Counter);
    assert_eq!(of("jvm.sun.gc.collector.1.time").unit, Unit::Time(TimeUnit::Nanoseconds));
    let used = of("jvm.sun.gc.generation.0.space.0.used");
    assert_eq!((used.kind, used.unit, used.layer), (Kind::Gauge, Unit::Bytes, Layer::Vm));
    assert!(!followed.has("jvm.sun.os.hrt.frequency"), "constants are no metrics");
    print_cost("jvm, one machine", &mut followed);
}

#[test]
fn entries_that_appear_later_become_metrics() {
    let Some(folder) = compiled("entries_that_appear_later") else { return };
    let mut followed = Followed::start(folder.path(), &format!("exec java {OPTIONS}"));
    followed.hear("ready");
    followed.until_found(COLLECTIONS);
    let before = followed.probe.metrics().to_vec();
    // Java's own classes make these when they are first needed.
    const LATER: &str = "jvm.sun.urlClassLoader.readClassBytesTime";
    assert!(!followed.has(LATER), "{LATER}");
    followed.order("load 1");
    followed.until_found(LATER);
    assert_eq!(followed.probe.metrics()[..before.len()], before[..], "the others stay");
    assert!(followed.get(LATER).unwrap() > 0);
}

#[test]
fn a_machine_that_a_script_starts_later_is_found() {
    let Some(folder) = compiled("a_machine_that_a_script_starts_later") else { return };
    let script = format!("read word; java {OPTIONS}; echo after; read word");
    let mut followed = Followed::start(folder.path(), &script);
    for _ in 0..5 {
        assert_eq!(followed.sample(), []);
    }
    writeln!(followed.orders.as_mut().unwrap(), "begin").unwrap();
    followed.hear("ready");
    followed.until_found(COLLECTIONS);
    followed.order("collect 2");
    assert!(followed.get(COLLECTIONS).unwrap() >= 2);
}

#[test]
fn a_machine_that_ended_has_no_values_any_more() {
    let Some(folder) = compiled("a_machine_that_ended") else { return };
    // It ends when its input does, and the script goes on.
    let script = format!("echo 'collect 3' | java {OPTIONS}; echo after; read word");
    let mut followed = Followed::start(folder.path(), &script);
    followed.until("the machine", |followed| !followed.sample().is_empty());
    for word in ["ready", "done", "after"] {
        followed.hear(word);
    }
    let values = followed.sample();
    assert!(values.len() > 100 && values.iter().all(|value| *value == Value::Missing));
}

#[test]
fn several_machines_have_names_of_their_own() {
    let Some(folder) = compiled("several_machines") else { return };
    let wait = "while sleep 0.05; test ! -e stop; do :; done";
    let script = format!(
        "(echo 'collect 3'; {wait}) | java {OPTIONS} & (echo 'collect 1'; {wait}) | java {OPTIONS} & \
         read word; touch stop; wait"
    );
    let mut followed = Followed::start(folder.path(), &script);
    const SECOND: &str = "jvm.2.sun.gc.collector.1.invocations";
    followed.until_found(COLLECTIONS);
    followed.until_found(SECOND);
    followed.until("collections", |followed| {
        let mut both = [followed.get(COLLECTIONS), followed.get(SECOND)];
        both.sort_unstable();
        matches!(both, [Some(1..=2), Some(3..)])
    });
    assert!(!followed.has("jvm.3.sun.gc.collector.1.invocations"));
    print_cost("jvm, two machines", &mut followed);
}

#[test]
fn a_machine_without_counters_has_no_metrics() {
    let Some(folder) = compiled("a_machine_without_counters") else { return };
    let script = format!("exec java -XX:-UsePerfData {OPTIONS}");
    let mut followed = Followed::start(folder.path(), &script);
    followed.hear("ready");
    for _ in 0..10 {
        assert_eq!(followed.sample(), []);
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn print_cost(what: &str, followed: &mut Followed) {
    const SAMPLES: u64 = 1000;
    let Followed { probe, tree, .. } = followed;
    let mut values = vec![Value::Missing; probe.metrics().len()];
    let began = cpu_time::thread();
    for _ in 0..SAMPLES {
        let moment = Moment { now: clock::monotonic(), tree };
        probe.refresh(&moment);
        probe.sample(&moment, &mut values).unwrap();
    }
    let cost = (cpu_time::thread() - began).divided_by(SAMPLES).nanoseconds();
    println!("{what}: {cost} ns per sample of {} metrics", values.len());
}
