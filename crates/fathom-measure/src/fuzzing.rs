//! What must hold whatever bytes come. The fuzzer uses it, and tests that replay the fuzzer's corpus.
//! Ordinary builds do not have it.

use crate::recording::application;
use crate::{experiment, slurm};

/// The journal of a check, the files of a session on a cluster, and the output of Slurm's commands.
pub fn journal(bytes: &[u8]) {
    experiment::check_journal(bytes);
    slurm::check_files(bytes);
}

/// An answer of a program's server, and metrics in it.
pub fn http(bytes: &[u8]) {
    application::check_answer(bytes);
}

/// What a program prints, and the option that says what to look for.
pub fn printed(bytes: &[u8]) {
    application::check_lines(bytes);
}

#[cfg(test)]
mod tests {
    use fathom_testkit::corpus::replay;

    #[test]
    fn journals() {
        replay("journal", super::journal).unwrap();
    }

    #[test]
    fn answers() {
        replay("http", super::http).unwrap();
    }

    #[test]
    fn printed_lines() {
        replay("printed", super::printed).unwrap();
    }
}
