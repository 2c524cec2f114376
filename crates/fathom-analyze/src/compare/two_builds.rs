//! What is known of two builds of a function besides its ratio.

/// Where its code lay, and whether it is the same code.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoBuilds {
    /// In which layouts of memory it was measured.
    pub layouts: Layouts,
    /// Whether the machine code that the function reaches is the same in both builds. `None` where
    /// that is not known.
    pub is_code_unchanged: Option<bool>,
}

/// The layouts of memory in which two builds were measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Layouts {
    /// One of each build: the ratio holds for these two executables, not for the code wherever it
    /// lies.
    One {
        /// Why there are no others, if nobody asked for one alone.
        why: Option<String>,
    },
    /// Several of each build, drawn at random.
    Several {
        /// How many of each build.
        count: usize,
        /// How often each was executed.
        executions: usize,
        /// How they were made.
        arrangement: LayoutArrangement,
    },
}

/// How the linker made another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutArrangement {
    /// Every function and every datum got another place.
    Shuffled,
    /// Everything moved by the same number of bytes.
    Padded,
}

impl LayoutArrangement {
    /// All of them.
    pub const ALL: [LayoutArrangement; 2] =
        [LayoutArrangement::Shuffled, LayoutArrangement::Padded];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LayoutArrangement::Shuffled => "shuffled",
            LayoutArrangement::Padded => "padded",
        }
    }
}
