//! From scores to an order worth reading.
