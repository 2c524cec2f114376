//! Does it keep its promise? The property language, the monitor that judges executions by it, and
//! the tests that say of how many executions it is true.

mod formula;
mod judgement;

pub use formula::{
    Arithmetic, Attributed, Comparison, Edge, Formula, Happening, Occurrence, Relation, Run,
    Source, Summary, Term, Window,
};
pub use judgement::{Bounds, Decider, Judgement, Note, Truth};
