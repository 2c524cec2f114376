//! Distribution functions and their inverses, accurate in both tails.

pub mod beta;
pub mod binomial;
mod concave_root;
pub mod normal;
mod saddle_point;
pub mod student_t;
