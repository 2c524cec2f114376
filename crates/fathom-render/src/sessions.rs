//! What `fathom list` shows: saved sessions, and results of benches.

use crate::layout::{FAINT, Side, columns, padded, shortened, visible, widths};
use crate::plural;
use fathom_record::{ListedSession, SavedResult, shell};
use std::fmt::Write;

/// A line per session, the newest last, `now` in seconds since 1970; then the results of benches.
#[must_use]
pub fn render(listed: &[ListedSession], benches: &[SavedResult], now: u64, width: usize) -> String {
    if listed.is_empty() && benches.is_empty() {
        return "No sessions yet. `fathom run` and `fathom compare` save one each time.\n"
            .to_string();
    }
    let gap = if listed.is_empty() || benches.is_empty() { "" } else { "\n" };
    format!("{}{gap}{}", of_sessions(listed, now, width), of_benches(benches, now))
}

/// That a session was deleted: `Deleted session 3 [main]: fathom run './work input' (25 runs)`.
#[must_use]
pub fn deleted(one: &ListedSession) -> String {
    let session = &one.session;
    let name = session.name.as_ref().map_or(String::new(), |name| format!(" [{name}]"));
    let words = session.arguments.iter().map(String::as_str);
    let command = shell::line(std::iter::once("fathom").chain(words));
    let line = format!("Deleted session {}{name}: {command} ({})", one.id, plural(one.runs, "run"));
    visible(&line) + "\n"
}

/// That results of a bench were deleted: "Deleted parser@main".
#[must_use]
pub fn deleted_results(saved: &SavedResult) -> String {
    format!("Deleted {}\n", visible(&saved.address()))
}

/// A line per suite and name.
fn of_benches(benches: &[SavedResult], now: u64) -> String {
    let mut text = String::new();
    let addresses: Vec<String> = benches.iter().map(|kept| visible(&kept.address())).collect();
    let widest = addresses.iter().map(|address| columns(address)).max().unwrap_or(0);
    for (kept, address) in benches.iter().zip(&addresses) {
        let _ = writeln!(
            text,
            "{}  {FAINT}{}{FAINT:#}",
            padded(address, widest, Side::Left),
            ago(now.saturating_sub(kept.written))
        );
    }
    text
}

fn of_sessions(listed: &[ListedSession], now: u64, width: usize) -> String {
    let rows: Vec<[String; 4]> = listed.iter().map(|one| row(one, now)).collect();
    let widths = widths(&rows);
    let mut text = String::new();
    for (row, one) in rows.iter().zip(listed) {
        let used = widths.iter().sum::<usize>() + 8;
        let words: Vec<&str> = one.session.arguments.iter().map(String::as_str).collect();
        let name = one.session.name.as_ref().map_or(String::new(), |name| format!("[{name}] "));
        let command = visible(&format!("{name}{}", words.join(" ")));
        let _ = writeln!(
            text,
            "{}  {FAINT}{}{FAINT:#}  {}  {}  {}",
            padded(&row[0], widths[0], Side::Right),
            padded(&row[1], widths[1], Side::Left),
            padded(&row[2], widths[2], Side::Right),
            padded(&row[3], widths[3], Side::Left),
            shortened(&command, width.saturating_sub(used).max(20)),
        );
    }
    text
}

fn row(one: &ListedSession, now: u64) -> [String; 4] {
    let state = match (&one.finished, one.live) {
        (Some(_), _) => "done",
        (None, Some(_)) => "running",
        (None, None) => "unfinished",
    };
    [
        one.id.0.to_string(),
        ago(now.saturating_sub(one.session.started)),
        plural(one.runs, "run"),
        state.to_string(),
    ]
}

/// "3 min ago".
fn ago(seconds: u64) -> String {
    match seconds {
        s if s < 60 => "just now".to_string(),
        s if s < 3600 => format!("{} min ago", s / 60),
        s if s < 86_400 => format!("{} h ago", s / 3600),
        s if s < 2 * 86_400 => "yesterday".to_string(),
        s => format!("{} days ago", s / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_rough() {
        assert_eq!(ago(5), "just now");
        assert_eq!(ago(200), "3 min ago");
        assert_eq!(ago(90_000), "yesterday");
        assert_eq!(ago(400_000), "4 days ago");
    }
}
