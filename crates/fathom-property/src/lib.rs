//! Does it keep its promise? The property language, the monitor that judges executions by it, and
//! the tests that decide whether enough executions satisfy it.

mod caveat;
pub mod decide;
mod demands;
mod document;
mod expectation;
mod formula;
mod judgement;
mod language;
mod mentioned;
mod monitor;
mod report;
mod value_at_share;

pub use caveat::{Caveat, CaveatKind};
pub use demands::Demands;
pub use document::CheckDocument;
pub use expectation::{CheckExpectation, CheckPlan};
pub use formula::{
    Aggregate, Arithmetic, Edge, EventAttribute, Formula, Happening, NumberComparison, Occurrence,
    QualifiedName, Relation, RunIndex, Term, Window,
};
pub use judgement::{Bounds, Decider, Judgement, Note, Truth};
pub use language::{
    Catalogue, CatalogueError, DeclaredRun, Expression, NameMeaning, ParsedText, Property,
    PropertyError, Resolved, ResolvedExpression, RunRole, parse_frequency,
};
pub use mentioned::Mentioned;
pub use monitor::{Evaluated, judge, value};
pub use report::{
    CheckReport, CheckStopReason, ConditionCount, Judged, JudgedAs, PropertyAnswer, Tally,
};
pub use value_at_share::{ValueAnswer, ValueMethod, ValueQuestion};

/// The example in the README is one that works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
