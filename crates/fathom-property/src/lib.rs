//! Does it keep its promise? The property language, the monitor that judges executions by it, and
//! the tests that decide whether enough executions satisfy it.

mod abnormal;
mod caveat;
mod compared;
mod data_source;
pub mod decide;
mod demands;
mod document;
mod expectation;
mod formula;
mod joint_report;
mod judgement;
mod language;
mod mentioned;
mod monitor;
mod per_row;
mod question_details;
mod report;
mod study;
mod threshold;
mod value_at_share;

pub use abnormal::{AbnormalExecution, AbnormalExecutions, AbnormalKind};
pub use caveat::{Caveat, CaveatKind};
pub use compared::compared_with;
pub use data_source::DataSource;
pub use demands::Demands;
pub use document::CheckDocument;
pub use expectation::{CheckCost, CheckExpectation, CheckPlan, FewestForTrue};
pub use formula::{
    Aggregate, Arithmetic, Edge, EventAttribute, Formula, Happening, NumberComparison,
    NumberFunction, Occurrence, QualifiedName, Relation, RunIndex, Term, Window,
};
pub use joint_report::{AnswerCounts, JointReport, RecordedExecutions};
pub use judgement::{Bounds, Decider, Judgement, Note, Truth};
pub use language::{
    Catalogue, CatalogueError, DeclaredRun, Expression, NameMeaning, ParsedText, Property,
    PropertyError, Resolved, ResolvedExpression, RunRole, parse_frequency,
};
pub use mentioned::Mentioned;
pub use monitor::{Evaluated, TimeStretch, judge, value, violated};
pub use per_row::{DeriveError, DerivedMetric, ResolvedMetric, ResolvedRowCondition, RowCondition};
pub use question_details::{QuestionDetails, ShownExecution, ShownRun, ShownSignal};
pub use report::{
    CheckReport, CheckStopReason, ConditionCount, Judged, JudgedAs, PropertyAnswer, Tally,
};
pub use study::{
    CellFailure, CellRatio, CellSystem, ComparisonMethod, PlannedCell, Study, StudyAxis, StudyCell,
    StudyComparison, StudyCost, StudyPlan,
};
pub use threshold::{Threshold, ThresholdSide};
pub use value_at_share::{ValueAnswer, ValueMethod, ValueQuestion};

/// The example in the README is one that works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
