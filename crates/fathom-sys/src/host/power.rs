//! Battery or mains.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// What feeds the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Power {
    /// It has no battery.
    NoBattery,
    /// It has one and is plugged in.
    Mains,
    /// It runs on its battery.
    Battery {
        /// How full it is.
        percent: Option<u8>,
    },
    /// The host does not say.
    Unknown,
}

impl Power {
    pub(crate) fn read(tree: Tree<'_>) -> Power {
        const FOLDER: &str = "sys/class/power_supply";
        let Some(supplies) = tree.names(FOLDER) else { return Power::Unknown };
        let mut has_battery = false;
        let mut status_known = false;
        let mut on_mains = None;
        let mut discharging = None;
        for supply in supplies {
            let file = |name: &str| tree.line(&format!("{FOLDER}/{supply}/{name}"));
            // Batteries of mice and keyboards.
            if file("scope").as_deref() == Some("Device") {
                continue;
            }
            match file("type").as_deref() {
                Some("Mains") => {
                    let online = tree.switch(&format!("{FOLDER}/{supply}/online"));
                    on_mains = if on_mains == Some(true) { on_mains } else { online.or(on_mains) };
                }
                // A socket for USB is not asked: it may feed the machine or be fed by it.
                Some("Battery") => {
                    has_battery = true;
                    match file("status").as_deref() {
                        Some("Discharging") => {
                            let percent: Option<u8> =
                                tree.number(&format!("{FOLDER}/{supply}/capacity"));
                            discharging = Some(percent.filter(|&percent| percent <= 100));
                        }
                        Some("Charging" | "Full" | "Not charging") => status_known = true,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        match (on_mains, discharging) {
            _ if !has_battery => Power::NoBattery,
            // With a weak charger a battery may empty while plugged in; that is still mains.
            (Some(true), _) => Power::Mains,
            (_, Some(percent)) => Power::Battery { percent },
            (Some(false), None) if !status_known => Power::Battery { percent: None },
            _ if status_known => Power::Mains,
            _ => Power::Unknown,
        }
    }

    pub(crate) fn finding(self) -> Finding {
        let topic = Topic::Battery;
        match self {
            Power::NoBattery => Finding::new(
                topic,
                Level::Good,
                "the machine has no battery",
                "no power saving hidden from the kernel",
            ),
            Power::Mains => Finding::new(
                topic,
                Level::Good,
                "the machine is plugged in",
                "most laptops run slower on battery",
            ),
            Power::Battery { percent } => Finding::new(
                topic,
                Level::Spoils,
                match percent {
                    Some(percent) => format!("the machine runs on battery ({percent}% full)"),
                    None => "the machine runs on battery".to_string(),
                },
                "laptops run slower on battery, and even slower as it empties",
            )
            .remedy("plug it in"),
            Power::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether the machine runs on battery",
                "laptops run slower on battery",
            ),
        }
    }
}
