//! Independent cells on all cores, results in the order of the cells: every cell has its own generator.

pub use fathom_explain::parallel::map;
