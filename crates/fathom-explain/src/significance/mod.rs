//! How sure it is that a metric stands out.
