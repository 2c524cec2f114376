//! The data outside a window.

/// How much there is outside the window, in lengths of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub(super) before: usize,
    pub(super) after: usize,
}

impl Beside {
    pub(super) const fn new(before: usize, after: usize) -> Beside {
        Beside { before, after }
    }

    pub(super) fn name(self) -> String {
        match self {
            Beside { before, after: 0 } => format!("{before} w"),
            Beside { before, after } => format!("{before} w and {after} w after"),
        }
    }
}
