//! How long tasks waited for what they needed, as the kernel accounts for it.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// The percentage of the last ten seconds in which some task waited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressure {
    /// For a CPU.
    pub cpu: Option<f64>,
    /// For memory.
    pub memory: Option<f64>,
    /// For a disk.
    pub io: Option<f64>,
}

impl Pressure {
    pub(crate) fn read(tree: Tree<'_>) -> Pressure {
        let some = |what: &str| {
            let text = tree.text(&format!("proc/pressure/{what}"))?;
            let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
            let field = line.split_whitespace().find_map(|field| field.strip_prefix("avg10="))?;
            let percent: f64 = field.parse().ok()?;
            (0.0..=100.0).contains(&percent).then_some(percent)
        };
        Pressure { cpu: some("cpu"), memory: some("memory"), io: some("io") }
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::Pressure;
        let (Some(memory), Some(io)) = (self.memory, self.io) else {
            return Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell how long programs wait for memory and disks",
                "a program that waits for either is slow because of the machine",
            );
        };
        if memory >= 1.0 {
            return Finding::new(
                topic,
                if memory >= 5.0 { Level::Spoils } else { Level::Note },
                format!("programs waited for memory {memory:.0}% of the last 10 s"),
                "the kernel evicts pages and reads them back while programs run",
            )
            .remedy("close the programs that `ps aux --sort=-rss | head` shows");
        }
        if io >= 10.0 {
            return Finding::new(
                topic,
                Level::Note,
                format!("programs waited for disks {io:.0}% of the last 10 s"),
                "programs that read or write files wait longer",
            )
            .remedy("wait until it is over; `sudo iotop -o` shows which programs cause it");
        }
        Finding::new(
            topic,
            Level::Good,
            "programs hardly wait for memory or disks",
            "the machine has enough of both",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_named() {
        let judged =
            |memory, io| Pressure { cpu: None, memory: Some(memory), io: Some(io) }.finding().level;
        assert_eq!(judged(0.0, 9.0), Level::Good);
        assert_eq!(judged(0.0, 10.0), Level::Note);
        assert_eq!(judged(1.0, 0.0), Level::Note);
        assert_eq!(judged(5.0, 90.0), Level::Spoils);
    }
}
