//! The part of the page: tables, goals, and sentences that follow from the numbers.

use super::super::figures::{count, ratio, time, verdict};
use super::contestants::Contestant;
use super::field::{Entry, Field};
use crate::markdown::MarkdownTable;
use fathom_dtw::Kernel;

/// Cells per second with path that a kernel should reach.
const LEAST_RATES: [(Kernel, f64); 2] = [(Kernel::Avx512, 3e9), (Kernel::Avx2, 1.5e9)];
/// How many times as fast as the best peer.
const LEAST_RATIO: f64 = 30.0;
/// How many times as much memory the best peer takes.
const LEAST_SAVING: f64 = 20.0;
/// In bytes, for the long series.
const MOST_MEMORY: f64 = 2e9;

/// Everything that was found out.
#[derive(Debug)]
pub(super) struct Found {
    /// Where Fathom and its peers align, the longest last.
    pub(super) compared: Vec<Field>,
    /// Where only Fathom does.
    pub(super) long: Field,
    /// Random walks, which show whether the least path is always found.
    pub(super) walks: Field,
}

impl Found {
    pub(super) fn in_words(&self) -> String {
        let mut text = String::new();
        for field in &self.compared {
            text += &format!("{}\n", self.table(field));
        }
        text += &format!("{}\n{}\n{}", self.table(&self.long), self.goals(), self.remarks());
        text
    }

    /// Whether a contestant's paths were all the best ones.
    fn is_exact(&self, who: Contestant) -> bool {
        self.compared.iter().chain([&self.walks]).all(|field| field.is_exact(who))
    }

    /// The fastest peer that always finds the best path, where the longest series are compared.
    fn best_peer(&self) -> Option<(&Field, Contestant)> {
        let field = self.compared.last()?;
        let candidates = Contestant::PEERS.into_iter().filter(|&peer| self.is_exact(peer));
        let timed = candidates.filter_map(|peer| Some((field.seconds(peer)?, peer)));
        let best = timed.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((field, best.1))
    }

    fn table(&self, field: &Field) -> String {
        let head = format!("{0} x {0}", count(field.length));
        let mut table =
            MarkdownTable::new([&head, "time", "cells/s", "ratio", "memory", "of the process"]);
        for (who, entry) in &field.entries {
            let mut row = vec![who.name()];
            match entry {
                Entry::Aligned(_) => row.extend([
                    field.seconds(*who).map_or_else(missing, time),
                    field.rate(*who).map_or_else(missing, rate),
                    field.ratio(*who, Contestant::fathom()).map_or_else(missing, ratio),
                    field.grown(*who).map_or_else(missing, bytes),
                    field.whole(*who).map_or_else(missing, bytes),
                ]),
                Entry::TooLarge(needed) => {
                    row.push(format!("not measured: it needs {}", bytes(*needed)));
                }
                Entry::Failed(_) => row.push("failed".to_string()),
            }
            table.row(row);
        }
        table.render()
    }

    fn goals(&self) -> String {
        let mut table = MarkdownTable::new(["goal", "reached", ""]);
        let mut goal = |goal: String, reached: Option<String>, is_met: bool| {
            let verdict = if reached.is_some() { verdict(is_met) } else { "not measured" };
            table.row([goal, reached.unwrap_or_else(missing), verdict.to_string()]);
        };
        for (kernel, least) in LEAST_RATES {
            let rates = self.compared.iter().map(|field| field.rate(Contestant::Fathom(kernel)));
            let lowest = rates.flatten().reduce(f64::min);
            goal(
                format!("`{kernel}` with path: at least {} cells/s", rate(least)),
                lowest.map(rate),
                lowest.is_some_and(|lowest| lowest >= least),
            );
        }
        let best = self.best_peer();
        let length = self.compared.last().map_or(0, |field| field.length);
        let name = best.map_or("the best peer".to_string(), |(_, peer)| peer.name());
        let of_time = best.and_then(|(field, peer)| field.ratio(peer, Contestant::fathom()));
        goal(
            format!("{LEAST_RATIO} times as fast as {name} at {}", count(length)),
            of_time.map(ratio),
            of_time.is_some_and(|found| found >= LEAST_RATIO),
        );
        let of_memory = best.and_then(|(field, peer)| saving(field, peer, Contestant::fathom()));
        goal(
            format!("1/{LEAST_SAVING} of its memory"),
            of_memory.map(|saving| format!("1/{saving:.0}")),
            of_memory.is_some_and(|saving| saving >= LEAST_SAVING),
        );
        let whole = self.long.whole(Contestant::fathom());
        goal(
            format!(
                "{0} x {0} with path in {1} or less",
                count(self.long.length),
                bytes(MOST_MEMORY)
            ),
            whole.map(bytes),
            whole.is_some_and(|whole| whole <= MOST_MEMORY),
        );
        table.render()
    }

    /// What the tables do not say by themselves.
    fn remarks(&self) -> String {
        let mut text = String::new();
        for peer in Contestant::PEERS {
            if let Some((hits, worst)) = self.walks.exactness(peer)
                && !self.is_exact(peer)
            {
                text += &self.inexact(peer, hits, worst);
            }
            for field in &self.compared {
                let failure = field.entries.iter().find_map(|(who, entry)| match entry {
                    Entry::Failed(error) if *who == peer => Some(error),
                    _ => None,
                });
                if let Some(error) = failure {
                    let last = error.lines().last().unwrap_or_default();
                    let length = count(field.length);
                    text += &format!("{} fails at {length}: {last}\n\n", peer.name());
                }
            }
        }
        let exact = Contestant::PEERS.into_iter().filter(|&peer| self.is_exact(peer));
        let exact: Vec<String> = exact.map(Contestant::name).collect();
        text += &format!(
            "The least cost was found in every pair of series by Fathom, the same to the last bit by \
             all kernels and within any memory, and by {}.\n",
            if exact.is_empty() { "no peer".to_string() } else { exact.join(", ") }
        );
        text
    }

    /// A peer whose path is not always the best one.
    fn inexact(&self, peer: Contestant, hits: usize, worst: f64) -> String {
        let walks = &self.walks;
        let beside = self.compared.last().and_then(|field| {
            let faster = field.ratio(peer, Contestant::fathom())?;
            let [usual, frugal] = [Contestant::fathom(), Contestant::Frugal]
                .map(|own| field.grown(own).map_or_else(missing, bytes));
            let its = field.grown(peer).map_or_else(missing, bytes);
            Some(format!(
                " At {} it takes {} the time of Fathom and {its}, where Fathom takes {usual}, or \
                 {frugal} with the least memory.",
                count(field.length),
                ratio(faster),
            ))
        });
        format!(
            "{} is not exact, so it does not count as the best peer: of {} pairs of random walks \
             of {} samples it finds the best path of {hits}; its worst costs {:.2}% too \
             much.{}\n\n",
            peer.name(),
            walks.count,
            count(walks.length),
            100.0 * worst,
            beside.unwrap_or_default()
        )
    }
}

/// How many times as much memory one takes as another.
fn saving(field: &Field, much: Contestant, little: Contestant) -> Option<f64> {
    Some(field.grown(much)? / field.grown(little)?.max(1.0))
}

fn missing() -> String {
    "-".to_string()
}

/// "5.30e9".
fn rate(cells: f64) -> String {
    format!("{cells:.2e}")
}

/// "217 MB".
fn bytes(bytes: f64) -> String {
    match bytes {
        ..10e6 => format!("{:.1} MB", bytes / 1e6),
        10e6..1e9 => format!("{:.0} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::tests::said;
    use super::super::pairs::{made, walks};
    use super::*;

    fn field(length: usize, seconds: &[(Contestant, f64, f64, f64)]) -> Field {
        let who: Vec<Contestant> = seconds.iter().map(|(who, ..)| *who).collect();
        let mut field = Field::new(&[made(length)], &who).unwrap();
        for (index, (_, seconds, grown, excess)) in seconds.iter().enumerate() {
            let said = said(&field, *seconds, *grown, *excess);
            field.entries[index].1 = Entry::Aligned(vec![said]);
        }
        field
    }

    fn found(speed: f64) -> Found {
        let own = Contestant::fathom();
        let compared = field(
            100,
            &[
                (own, 1e-6, 2e6, 0.0),
                (Contestant::DtwRs, speed * 1e-6, 100e6, 0.0),
                (Contestant::DtaidistanceLowMemory, 2e-6, 3e6, 0.0),
            ],
        );
        let long = field(200, &[(own, 1e-5, 3e9, 0.0)]);
        let mut walks = Field::new(&walks(2, 20), &[Contestant::DtaidistanceLowMemory]).unwrap();
        let mut half = said(&walks, 1.0, 0.0, 0.0);
        half.squares[1] *= 1.005;
        walks.entries[0].1 = Entry::Aligned(vec![half]);
        Found { compared: vec![compared], long, walks }
    }

    #[test]
    fn goals_are_judged_by_the_best_exact_peer() {
        let text = found(31.0).in_words();
        assert!(text.contains("as fast as dtw_rs at 100") && text.contains("31.0x"), "{text}");
        assert!(text.contains("1/50"), "{text}");
        // Only the long series takes too much, and kernels are measured that the machine has.
        assert_eq!(text.matches("| not met").count(), 1, "{text}");
        assert!(
            text.contains("of 2 pairs of random walks of 20 samples it finds the best path of 1;")
        );
        assert!(text.contains("costs 0.50% too much. At 100 it takes 2.00x the time"), "{text}");
        assert_eq!(found(29.0).in_words().matches("| not met").count(), 2);
    }

    #[test]
    fn what_was_not_measured_is_said() {
        let mut found = found(31.0);
        found.compared[0].entries[1].1 = Entry::TooLarge(7.9e9);
        found.compared[0].entries[2].1 = Entry::Failed("it: exit 1\nno such module".to_string());
        let text = found.in_words();
        assert!(text.contains("not measured: it needs 7.9 GB"), "{text}");
        assert!(text.contains("use_lowmem` fails at 100: no such module"), "{text}");
        assert!(text.contains("30 times as fast as the best peer at 100"), "{text}");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!([3.21e6, 217e6, 7.05e9].map(bytes), ["3.2 MB", "217 MB", "7.0 GB"]);
        assert_eq!(rate(5.3e9), "5.30e9");
    }
}
