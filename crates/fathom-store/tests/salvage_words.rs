//! What is said after a damaged store was salvaged.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_store::SalvageReport;

fn said(sessions: u64, runs: u64, lost_runs: u64, unknown_sessions: u64) -> String {
    let kept_as = "/data/sessions.db.damaged-1".into();
    let report = SalvageReport { kept_as, sessions, unknown_sessions, runs, lost_runs };
    let text = report.to_string();
    let (first, second) = text.split_once('\n').unwrap();
    let kept = "the session store was damaged; the damaged file is kept as \
                /data/sessions.db.damaged-1";
    assert_eq!(first, kept);
    second.to_string()
}

#[test]
fn what_was_salvaged_and_lost_is_counted() {
    assert_eq!(said(0, 0, 0, 0), "Salvaged 0 runs of 0 sessions; no gaps were found");
    assert_eq!(said(1, 1, 0, 0), "Salvaged 1 run of 1 session; no gaps were found");
    assert_eq!(said(2, 30, 1, 0), "Salvaged 30 runs of 2 sessions; at least 1 run lost");
    assert_eq!(said(2, 30, 4, 0), "Salvaged 30 runs of 2 sessions; at least 4 runs lost");
    let unknown = "Salvaged 30 runs of 2 sessions; no gaps were found; what 1 session measured is \
                   unknown";
    assert_eq!(said(2, 30, 0, 1), unknown);
    assert!(
        said(3, 30, 5, 2).ends_with("at least 5 runs lost; what 2 sessions measured is unknown")
    );
}
