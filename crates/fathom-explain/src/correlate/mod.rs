//! Correlators of shape: the paper's eight, and what it left to others.
