//! A run: one execution of one command, and what it cost.

use crate::{Span, Timestamp};
use std::time::Duration;

/// One execution of one command, as it is kept.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// Which of the session's subjects, from 0.
    pub subject: usize,
    /// Whether it counts.
    pub phase: Phase,
    /// Its place in the order of a comparison.
    pub place: Option<BlockSlot>,
    /// When it began, counted from the start of the session.
    #[cfg_attr(feature = "commands", serde(rename = "began_ns"))]
    pub began: Timestamp,
    /// How it ended.
    pub ending: Ending,
    /// What it cost.
    pub usage: Usage,
    /// Counters, and what the program printed, by name.
    pub readings: Vec<Reading>,
}

impl Run {
    /// When it ended, counted from the start of the session.
    #[must_use]
    pub fn ended(&self) -> Timestamp {
        self.began + self.usage.wall
    }
}

/// Whether a run counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "commands", serde(rename_all = "snake_case"))]
pub enum Phase {
    /// Before measuring, to fill caches and to see how long runs take.
    Warmup,
    /// A measurement.
    Measured,
    /// The shell without a command, alternating with the subject's runs under `-S`.
    EmptyShell,
}

/// Where a run stands in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockSlot {
    /// The block, from 0.
    pub block: usize,
    /// The place in the block, from 0.
    pub slot: usize,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "commands", serde(rename_all = "snake_case"))]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// This signal killed it.
    Signalled(i32),
    /// It took longer than it was allowed to, and was killed.
    TimedOut,
}

impl Ending {
    /// Whether it exited with status 0.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Ending::Exited(0)
    }

    /// How it ended, after the program's name: "exited with status 3". `timeout` is the limit that it
    /// had, if it is known.
    #[must_use]
    pub fn in_words(self, timeout: Option<Duration>) -> String {
        match self {
            Ending::Exited(code) => format!("exited with status {code}"),
            Ending::Signalled(signal) => {
                format!("was killed by signal {signal}{}", signal_name(signal))
            }
            Ending::TimedOut => {
                let limit = timeout.map_or(String::new(), |limit| format!(" of {limit:?}"));
                format!("exceeded its time limit{limit} and was killed")
            }
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        2 => " (SIGINT)",
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL; out of memory?)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

/// What one execution cost, as the kernel accounts for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
pub struct Usage {
    /// From the start of the program to its end.
    #[cfg_attr(feature = "commands", serde(rename = "wall_ns"))]
    pub wall: Span,
    /// Processor time in the program and its children.
    #[cfg_attr(feature = "commands", serde(rename = "user_ns"))]
    pub user: Span,
    /// Processor time in the kernel on their behalf.
    #[cfg_attr(feature = "commands", serde(rename = "system_ns"))]
    pub system: Span,
    /// The most memory it held at once, in bytes.
    pub peak_memory: u64,
    /// Page faults that needed no disk.
    pub minor_faults: u64,
    /// Page faults that did.
    pub major_faults: u64,
    /// How often it waited for something.
    pub voluntary_switches: u64,
    /// How often it was made to wait for others.
    pub involuntary_switches: u64,
}

/// A named number that a run gave.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "commands", derive(serde::Serialize, serde::Deserialize))]
pub struct Reading {
    /// "instructions", "requests".
    pub name: String,
    /// The number; finite.
    pub value: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals and results of cluster nodes hold them, also those of earlier versions.
    #[test]
    fn times_are_integers_under_names_that_say_the_unit() {
        let text = r#"{"subject":1,"phase":"measured","place":null,"began_ns":7,"ending":{"exited":0},"usage":{"wall_ns":3,"user_ns":2,"system_ns":18446744073709551615,"peak_memory":0,"minor_faults":0,"major_faults":0,"voluntary_switches":0,"involuntary_switches":0},"readings":[]}"#;
        let run: Run = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&run).unwrap(), text);
        assert_eq!(run.began, Timestamp::from_nanoseconds(7));
        let [wall, user] = [3, 2].map(Span::from_nanoseconds);
        assert_eq!((run.usage.wall, run.usage.user, run.usage.system), (wall, user, Span::MAX));
        assert_eq!(run.ended(), Timestamp::from_nanoseconds(10));
    }
}
