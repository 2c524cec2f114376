//! How wide the terminal is: not known here.

/// The columns of the terminal that standard output goes to; `None` if they are not known.
#[must_use]
pub fn columns() -> Option<usize> {
    None
}

/// The columns of the terminal that standard error goes to; `None` if they are not known.
#[must_use]
pub fn columns_of_error() -> Option<usize> {
    None
}

/// Whether terminals understand escape sequences. The old console of Windows does not, and says
/// nothing about itself; those that do set one of these variables.
#[must_use]
pub fn takes_escapes() -> bool {
    ["TERM", "WT_SESSION", "ConEmuANSI"].iter().any(|name| std::env::var_os(name).is_some())
}
