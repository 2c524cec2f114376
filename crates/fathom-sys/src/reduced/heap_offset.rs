//! A heap that begins elsewhere: nothing moves it here.

/// The environment variable that says by how many bytes the heap is moved.
pub const VARIABLE: &str = "FATHOM_HEAP_OFFSET";
