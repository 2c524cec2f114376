//! Values with one spelling: on the command line, and in stored requests.
//!
//! Every option's value is a [`OptionValue`]. The command line reads it with [`OptionValue::read`], requests store
//! it as [`OptionValue::text`], and command lines are printed with the same text, so the three agree.

mod json;
mod named;
mod numbers;
mod texts;

pub use json::{as_text, as_texts, as_texts_or_none, path, paths};
pub use named::Named;
pub(crate) use numbers::percentage;

/// A value that can be written and read back unchanged.
pub trait OptionValue: Sized {
    /// As it is written.
    fn text(&self) -> String;

    /// Reads what [`OptionValue::text`] wrote, and every other spelling that people use.
    ///
    /// # Errors
    /// What to write instead.
    fn read(text: &str) -> Result<Self, String>;
}
