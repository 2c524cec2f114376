//! Checks as they are looked at: answers, and the figures behind them.
//!
//! [`CheckView`] holds words from `fathom-render` and [`Figure`](crate::figure::Figure)s. Its JSON is
//! what `web/src/contract.ts` says.

mod comparisons;
mod fineness;
mod grid;
mod margins;
mod methods;
mod opened;
mod signals;
mod thresholds;
mod view;

pub use fineness::Fineness;
pub use opened::OpenedCheck;
pub use view::{CheckView, QuestionView};

#[cfg(test)]
mod made_checks;
#[cfg(test)]
mod tests;
