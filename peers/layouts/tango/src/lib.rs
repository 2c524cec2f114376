//! Only its bench matters.
