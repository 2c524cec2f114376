//! Comparisons for people: the verdict in words, and a page around it.

#[cfg(feature = "pages")]
pub use crate::verdict_page::{Circumstances, render};
pub use crate::verdict_sentence::{Quantity, sentence};
