//! What the tests of the store share.
#![allow(dead_code, reason = "each test uses some of it")]
#![allow(clippy::print_stderr, reason = "the seed, shown when a test fails")]

pub(crate) mod stores;

use fathom_record::{
    BlockSlot, Ending, Environment, Phase, Reading, Run, Session, Span, Timestamp, Usage,
};
use fathom_store::{SessionId, Store};
use std::path::Path;
use std::process::Command;

/// SplitMix64: small, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A seed from the environment, to repeat a failure, or the given one; printed either way.
pub(crate) fn seed(default: u64) -> u64 {
    let seed = std::env::var("FATHOM_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(default);
    eprintln!("FATHOM_TEST_SEED={seed}");
    seed
}

pub(crate) fn session(name: Option<&str>) -> Session {
    Session {
        arguments: ["compare", "./old input", "./new input"].map(String::from).to_vec(),
        request: Some(r#"{"version":1,"question":"compare"}"#.to_string()),
        folder: "/home/me/work".into(),
        name: name.map(String::from),
        started: 1_763_222_400,
        seed: u64::MAX - 3,
        environment: Environment::of_this_build(),
        subjects: vec!["./old input".into(), "./new input".into()],
    }
}

/// The run that belongs to a session and a number: tests can tell from it whether it is the right
/// one. Some have long readings, which SQLite spreads over several pages.
pub(crate) fn run(session: i64, number: u64) -> Run {
    let mut random = Random((session as u64) << 32 | number);
    let mut any = || random.next() >> 20;
    let [wall, user, system] = [any(), any(), any()].map(Span::from_nanoseconds);
    let usage = Usage {
        wall,
        user,
        system,
        peak_memory: any(),
        minor_faults: any(),
        major_faults: 0,
        voluntary_switches: 1,
        involuntary_switches: any() & 0xff,
    };
    let readings = match number % 40 {
        0 => 300,
        n if n % 3 == 0 => 2,
        _ => 0,
    };
    let reading = |n: u64| Reading { name: format!("counter:{n}"), value: n as f64 / 3.0 };
    Run {
        subject: (number % 2) as usize,
        phase: if number < 3 { Phase::Warmup } else { Phase::Measured },
        place: (!number.is_multiple_of(5))
            .then_some(BlockSlot { block: (number / 4) as usize, slot: (number % 4) as usize }),
        began: Timestamp::from_seconds(number as f64),
        ending: match number % 17 {
            0 => Ending::Signalled(9),
            1 => Ending::TimedOut,
            n => Ending::Exited(i32::from(n == 2)),
        },
        usage,
        readings: (0..readings).map(|n| reading(number + n)).collect(),
    }
}

/// Appends runs `1..=count` of the scheme of [`run`].
pub(crate) fn fill(store: &mut Store, id: SessionId, count: u64) {
    for number in 1..=count {
        assert_eq!(store.append(id, &run(id.0, number)).unwrap().0, number);
    }
}

pub(crate) fn open(folder: &Path) -> Store {
    let opened = Store::open(folder).unwrap();
    assert_eq!(opened.salvage, None);
    opened.store
}

/// Runs one test of the calling test binary in a process of its own, as a child that does
/// something to the store in `folder`. The test must return at once without [`child_folder`].
pub(crate) fn child(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(CHILD, folder);
    command
}

const CHILD: &str = "FATHOM_TEST_CHILD";

/// The folder that [`child`] was told, in the child.
pub(crate) fn child_folder() -> Option<std::path::PathBuf> {
    std::env::var_os(CHILD).map(Into::into)
}
