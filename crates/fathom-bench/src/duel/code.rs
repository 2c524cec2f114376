//! Is the machine code that a function reaches the same in two builds?
//!
//! What the linker is given answers that without a disassembler: compilers put every function into
//! a section of its own and list every reference to another one. Two functions are the same if
//! their bytes are the same where no reference is, and if their references lead to sections that
//! are the same in turn. Addresses never enter, so code that only moved is unchanged.
//!
//! Constants, tables and the functions of dynamic calls count as code. Panics do not: a bench that
//! panics has no time. Nor do the line numbers in their messages.

mod by_pointer;
mod equivalence;
mod inputs;
mod section_graph;
mod x86_instruction;

use super::relink::LinkRecipe;
use equivalence::classes;
use inputs::Inputs;
use section_graph::SectionGraph;
use std::collections::BTreeSet;
use std::path::Path;

/// The code of one build.
pub(super) struct BuildCode {
    inputs: Inputs,
    /// Each function's name in the linker's sense, by its number in the build; `None` where it is
    /// not known.
    entries: Vec<Option<String>>,
}

impl BuildCode {
    /// Reads what was linked. `addresses` are those of the functions in `executable`, which was
    /// linked from it.
    pub(super) fn read(
        recipe: &LinkRecipe,
        executable: &Path,
        addresses: &[Option<u64>],
    ) -> Option<BuildCode> {
        let inputs = Inputs::read(recipe)?;
        let names = inputs::names_at(executable, addresses)?;
        Some(BuildCode { inputs, entries: names })
    }
}

/// For each pair of functions, numbered as in their builds: whether the code is the same; `None`
/// where that is not known.
pub(super) fn unchanged(builds: [&BuildCode; 2], pairs: &[[usize; 2]]) -> Vec<Option<bool>> {
    let mut graph = SectionGraph::default();
    let mut roots = Vec::new();
    let mut programs = Vec::new();
    for (side, build) in builds.into_iter().enumerate() {
        let mut node = |name: &str| {
            let place = build.inputs.function(name)?;
            graph.add(side, &build.inputs, place)
        };
        let all: Vec<Option<usize>> =
            build.entries.iter().map(|name| node(name.as_deref()?)).collect();
        programs.push(node("main"));
        roots.push(all);
    }
    let classes = classes(&graph.nodes);
    // What a dynamic call may lead to, apart from the benches themselves.
    let callable: Vec<Option<BTreeSet<usize>>> = (0..2)
        .map(|side| {
            let entries: BTreeSet<usize> = roots[side].iter().flatten().copied().collect();
            let found = graph.address_taken(programs[side]?, &entries);
            Some(found.into_iter().map(|node| classes[node]).collect())
        })
        .collect();
    let is_same_program = callable[0].is_some() && callable[0] == callable[1];
    pairs
        .iter()
        .map(|[old, new]| {
            let [old, new] = [*roots[0].get(*old)?, *roots[1].get(*new)?];
            let (old, new) = (old?, new?);
            if classes[old] != classes[new] {
                return Some(false);
            }
            // The same instructions may call different functions through a pointer.
            let is_static = graph.is_static(old) && graph.is_static(new);
            (is_static || is_same_program).then_some(true)
        })
        .collect()
}

/// Where in an executable the machine code of a function is, however it was loaded: its address as
/// the linker chose it.
pub(crate) fn linked_address(address: usize) -> Option<u64> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let executable = std::env::current_exe().ok()?;
    let bytes = std::fs::read(&executable).ok()?;
    let mut mapped = maps.lines().filter_map(Mapping::read);
    let executable = executable.to_str()?;
    let mapping = mapped.find(|one| one.file == executable && one.contains(address as u64))?;
    inputs::address_of_offset(&bytes, address as u64 - mapping.start + mapping.offset)
}

/// A line of `/proc/self/maps`.
struct Mapping<'a> {
    start: u64,
    end: u64,
    offset: u64,
    file: &'a str,
}

impl Mapping<'_> {
    fn read(line: &str) -> Option<Mapping<'_>> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
        Some(Mapping {
            start: hexadecimal(start)?,
            end: hexadecimal(end)?,
            offset: hexadecimal(words.nth(1)?)?,
            file: words.nth(2)?.trim_start(),
        })
    }

    fn contains(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }
}

#[cfg(test)]
mod tests;
