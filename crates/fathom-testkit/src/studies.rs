//! The parts of the performance page that are measured on their own: `fathom-testkit performance NAME`.

use fathom_testkit::performance::{
    builds, checks, commands, explain, explorer, functions, monitor, recording, warping,
};

/// One of them.
pub(crate) struct Study {
    pub(crate) name: &'static str,
    /// Its options, as the usage shows them.
    pub(crate) options: &'static str,
    pub(crate) conduct: fn(&[&str]) -> Studied,
}

/// What came of it.
pub(crate) enum Studied {
    /// The whole page with the new part, or why there is none.
    Page(Result<String, String>),
    /// A rehearsal went well; it shows its part and writes nothing.
    Rehearsed,
    /// Options that it does not have, with what is wrong where it knows.
    WrongUsage(Option<String>),
}

/// All of them.
pub(crate) const STUDIES: &[Study] = &[
    Study { name: "commands", options: "[--trials N]", conduct: study_commands },
    Study { name: "builds", options: "", conduct: study_builds },
    Study { name: "functions", options: "[OPTION...]", conduct: study_functions },
    Study { name: "monitor", options: "", conduct: study_monitor },
    Study { name: "checks", options: "[--rehearse]", conduct: study_checks },
    Study { name: "recording", options: "[--seconds N]", conduct: study_recording },
    Study { name: "warping", options: "[--rehearse]", conduct: study_warping },
    Study { name: "explain", options: "[--rehearse]", conduct: study_explain },
    Study { name: "explorer", options: "[--rehearse]", conduct: study_explorer },
];

fn say(line: &str) {
    eprintln!("{line}");
}

fn study_commands(words: &[&str]) -> Studied {
    let trials = match words {
        [] => commands::TRIALS,
        ["--trials", trials] => match trials.parse() {
            Ok(trials) if trials > 0 => trials,
            _ => return Studied::WrongUsage(None),
        },
        _ => return Studied::WrongUsage(None),
    };
    Studied::Page(commands::page(trials, &say))
}

fn study_builds(words: &[&str]) -> Studied {
    match words {
        [] => Studied::Page(builds::page(&say)),
        _ => Studied::WrongUsage(None),
    }
}

fn study_functions(words: &[&str]) -> Studied {
    let options = match functions::Options::read(words) {
        Ok(options) => options,
        Err(error) => return Studied::WrongUsage(Some(error)),
    };
    shown(options.rehearse, functions::part(&options, &say), functions::page_with)
}

fn study_monitor(words: &[&str]) -> Studied {
    match words {
        [] => Studied::Page(monitor::page(&say)),
        _ => Studied::WrongUsage(None),
    }
}

fn study_checks(words: &[&str]) -> Studied {
    match words {
        [] => shown(false, checks::part(checks::Effort::FULL, &say), checks::page_with),
        ["--rehearse"] => {
            shown(true, checks::part(checks::Effort::REHEARSAL, &say), checks::page_with)
        }
        _ => Studied::WrongUsage(None),
    }
}

fn study_recording(words: &[&str]) -> Studied {
    let seconds = match words {
        [] => recording::SECONDS,
        ["--seconds", seconds] => match seconds.parse() {
            Ok(seconds) if seconds > 0 => seconds,
            _ => return Studied::WrongUsage(None),
        },
        _ => return Studied::WrongUsage(None),
    };
    Studied::Page(recording::page(seconds, &say))
}

fn study_warping(words: &[&str]) -> Studied {
    match words {
        [] => shown(false, warping::part(warping::Effort::FULL, &say), warping::page_with),
        ["--rehearse"] => {
            shown(true, warping::part(warping::Effort::REHEARSAL, &say), warping::page_with)
        }
        _ => Studied::WrongUsage(None),
    }
}

fn study_explain(words: &[&str]) -> Studied {
    match words {
        [] => shown(false, explain::part(explain::Effort::FULL, &say), explain::page_with),
        ["--rehearse"] => {
            shown(true, explain::part(explain::Effort::REHEARSAL, &say), explain::page_with)
        }
        _ => Studied::WrongUsage(None),
    }
}

fn study_explorer(words: &[&str]) -> Studied {
    match words {
        [] => shown(false, explorer::part(explorer::Effort::FULL, &say), explorer::page_with),
        ["--rehearse"] => {
            shown(true, explorer::part(explorer::Effort::REHEARSAL, &say), explorer::page_with)
        }
        _ => Studied::WrongUsage(None),
    }
}

/// Prints a part; then the page with it, unless it is a rehearsal.
fn shown(
    is_rehearsal: bool,
    part: Result<String, String>,
    page_with: fn(&str) -> Result<String, String>,
) -> Studied {
    match part {
        Ok(part) => {
            println!("{part}");
            if is_rehearsal { Studied::Rehearsed } else { Studied::Page(page_with(&part)) }
        }
        Err(error) => Studied::Page(Err(error)),
    }
}
