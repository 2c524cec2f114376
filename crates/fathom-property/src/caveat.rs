//! What limits an answer so much that the headline must say it.

/// Something that limits an answer so much that it is always shown with it, even with `--quiet`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caveat {
    /// What it is.
    pub kind: CaveatKind,
    /// Whole sentences: what was found, and what to do.
    pub text: String,
}

/// What limits an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaveatKind {
    /// All executions are identical and count as one.
    Identical,
    /// All executions gave the same numbers, which need not mean that they are the same.
    Alike,
    /// Only a few executions differ; each appears several times.
    FewDifferent,
    /// Files were named twice; each counts once.
    RepeatedFiles,
    /// Executions have the seed of another one.
    RepeatedSeeds,
    /// No execution tested the property.
    Untested,
    /// The answer rests on executions that did not test the property.
    BarelyTested,
    /// `runtime` is how long the simulator took, and simulated time is known.
    HostTime,
    /// The program changed between executions.
    ProgramChanged,
    /// Two systems run the same program.
    SameProgram,
}

impl Caveat {
    /// A caveat.
    pub fn new(kind: CaveatKind, text: impl Into<String>) -> Caveat {
        Caveat { kind, text: text.into() }
    }
}

impl CaveatKind {
    /// All of them.
    pub const ALL: [CaveatKind; 10] = [
        CaveatKind::Identical,
        CaveatKind::Alike,
        CaveatKind::FewDifferent,
        CaveatKind::RepeatedFiles,
        CaveatKind::RepeatedSeeds,
        CaveatKind::Untested,
        CaveatKind::BarelyTested,
        CaveatKind::HostTime,
        CaveatKind::ProgramChanged,
        CaveatKind::SameProgram,
    ];

    /// As it is written in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CaveatKind::Identical => "identical",
            CaveatKind::Alike => "alike",
            CaveatKind::FewDifferent => "few_different",
            CaveatKind::RepeatedFiles => "repeated_files",
            CaveatKind::RepeatedSeeds => "repeated_seeds",
            CaveatKind::Untested => "untested",
            CaveatKind::BarelyTested => "barely_tested",
            CaveatKind::HostTime => "host_time",
            CaveatKind::ProgramChanged => "program_changed",
            CaveatKind::SameProgram => "same_program",
        }
    }
}
