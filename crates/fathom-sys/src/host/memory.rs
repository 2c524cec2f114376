//! Memory: how much is left, and how much is on disk.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// Memory in bytes, swapping in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMemory {
    /// All there is.
    pub total: Option<u64>,
    /// What programs can get without swapping.
    pub available: Option<u64>,
    /// Room for swapped pages; 0 without swap.
    pub swap_total: Option<u64>,
    /// Of it in use.
    pub swap_used: Option<u64>,
    /// Pages brought in and out since the machine started.
    pub swapped_pages: Option<u64>,
}

impl HostMemory {
    pub(crate) fn read(tree: Tree<'_>) -> HostMemory {
        let meminfo = tree.text("proc/meminfo").unwrap_or_default();
        let bytes = |key: &str| {
            let line = meminfo.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            let kib: u64 = line?.trim().strip_suffix("kB")?.trim().parse().ok()?;
            kib.checked_mul(1024)
        };
        let vmstat = tree.text("proc/vmstat").unwrap_or_default();
        let pages = |key: &str| -> Option<u64> {
            let line = vmstat.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            line?.trim().parse().ok()
        };
        let (swap_total, swap_free) = (bytes("SwapTotal"), bytes("SwapFree"));
        HostMemory {
            total: bytes("MemTotal").filter(|&total| total > 0),
            available: bytes("MemAvailable"),
            swap_total,
            swap_used: swap_total.zip(swap_free).and_then(|(total, free)| total.checked_sub(free)),
            swapped_pages: pages("pswpin")
                .zip(pages("pswpout"))
                .and_then(|(pages_in, pages_out)| pages_in.checked_add(pages_out)),
        }
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::Swap;
        if let (Some(total), Some(available)) = (self.total, self.available)
            && available < total / 20
        {
            return Finding::new(
                topic,
                Level::Spoils,
                format!("only {} of {} of memory are free", size(available), size(total)),
                "the kernel drops file caches and swaps, so runs wait for disks",
            )
            .remedy("close the programs that `ps aux --sort=-rss | head` shows");
        }
        let (Some(swap), Some(used)) = (self.swap_total, self.swap_used) else {
            return Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot read the swap usage",
                "a run that waits for swapped pages takes many times as long",
            );
        };
        if swap == 0 || used == 0 {
            let says = if swap == 0 { "there is no swap" } else { "swap is not in use" };
            return Finding::new(topic, Level::Good, says, "no run waits for swapped pages");
        }
        let ever = match self.swapped_pages {
            Some(pages) => format!(" ({pages} pages moved since the machine started)"),
            None => String::new(),
        };
        let finding = Finding::new(
            topic,
            Level::Note,
            format!("{} of {} of swap are in use{ever}", size(used), size(swap)),
            "a run that touches a swapped page waits for the disk",
        );
        // Switching swap off fetches everything back, which must fit.
        if self.available.is_some_and(|available| available / 4 * 3 > used) {
            finding.remedy("`sudo swapoff -a`; undo with `sudo swapon -a`")
        } else {
            finding.remedy("close the programs that `ps aux --sort=-rss | head` shows")
        }
    }
}

/// "1.5 GiB".
fn size(bytes: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "for show")]
    let mib = bytes as f64 / f64::from(1 << 20);
    if mib < 1024.0 { format!("{mib:.0} MiB") } else { format!("{:.1} GiB", mib / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn memory(available: u64, swap_used: u64) -> HostMemory {
        HostMemory {
            total: Some(16 * GIB),
            available: Some(available),
            swap_total: Some(8 * GIB),
            swap_used: Some(swap_used),
            swapped_pages: Some(77),
        }
    }

    #[test]
    fn swapoff_is_advised_only_where_it_fits() {
        let remedy = |memory: HostMemory| memory.finding().remedy.unwrap();
        assert_eq!(remedy(memory(8 * GIB, GIB)), "`sudo swapoff -a`; undo with `sudo swapon -a`");
        assert_eq!(
            remedy(memory(2 * GIB, 2 * GIB)),
            "close the programs that `ps aux --sort=-rss | head` shows"
        );
        let finding = memory(8 * GIB, 3 * GIB / 2).finding();
        assert_eq!(
            finding.says,
            "1.5 GiB of 8.0 GiB of swap are in use (77 pages moved since the machine started)"
        );
    }

    #[test]
    fn little_memory_spoils() {
        let finding = memory(GIB / 2, 0).finding();
        assert_eq!(finding.level, Level::Spoils);
        assert_eq!(finding.says, "only 512 MiB of 16.0 GiB of memory are free");
        assert_eq!(memory(GIB, 0).finding().level, Level::Good);
    }
}
