//! Obtains data: runs commands and reads what they print.
