//! What else uses the machine while functions are timed: not known here, which is said once.

use fathom_record::{Advice, Remedy, Span};

/// What this system does not tell.
#[must_use]
pub fn warnings() -> Vec<Advice> {
    let system = match std::env::consts::OS {
        "linux" => "this build for tests",
        "macos" => "macOS",
        "windows" => "Windows",
        "freebsd" => "FreeBSD",
        other => other,
    };
    let what = format!(
        "{system} has reduced mode only. Times and comparisons are measured as on Linux, but Fathom does \
         not see what could disturb them: other programs, CPU quotas, power settings. --baseline is \
         missing"
    );
    vec![Advice::new(what).or(Remedy::new("use Linux if you need these")).in_two_sentences()]
}

/// The machine before a measurement.
#[derive(Debug)]
pub struct Surroundings(());

/// Shares of the machine's time, where they are known: nowhere here.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Disturbance {
    /// Taken by the hypervisor.
    pub stolen: Option<f64>,
    /// Used by other programs.
    pub others: Option<f64>,
}

impl Surroundings {
    /// Looks at the machine now.
    #[must_use]
    pub fn look() -> Surroundings {
        Surroundings(())
    }

    /// What happened since.
    #[must_use]
    pub fn disturbance(&self) -> Disturbance {
        Disturbance::default()
    }

    /// The same, where processes of our own used that much CPU time.
    #[must_use]
    pub fn disturbance_besides(&self, _workers: Span) -> Disturbance {
        Disturbance::default()
    }
}
