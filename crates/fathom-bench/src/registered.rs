//! Functions that an attribute has registered.

use crate::Suite;

/// What the attribute `bench` leaves in the program.
#[derive(Debug)]
pub struct Attributed {
    /// Where the function is: "crate::module".
    pub module: &'static str,
    /// In which line.
    pub line: u32,
    /// Line and column of its name, where that was written: they tell apart the functions that one
    /// call of a macro wrote, which have one line.
    pub written: (u32, u32),
    /// Adds it to a suite.
    pub register: fn(&mut Suite<'static>),
}

inventory::collect!(Attributed);

impl Attributed {
    /// All of the program, by module and line: the linker has an order of its own.
    pub(crate) fn all() -> Vec<&'static Attributed> {
        let mut all: Vec<&Attributed> = inventory::iter::<Attributed>.into_iter().collect();
        all.sort_by_key(|one| (one.module, one.line, one.written));
        all
    }

    /// The modules inside the bench's crate, as a group; `None` at the top.
    pub(crate) fn group(&self) -> Option<String> {
        let (_crate, modules) = self.module.split_once("::")?;
        Some(modules.replace("::", "/"))
    }
}
