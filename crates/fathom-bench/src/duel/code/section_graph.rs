//! Sections as nodes, references as edges.

use super::by_pointer::ByPointer;
use super::inputs::{Inputs, Place, merged_size};
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget,
    SectionKind,
};
use std::collections::{BTreeSet, HashMap};

/// What both builds reach.
#[derive(Default)]
pub(super) struct SectionGraph {
    pub(super) nodes: Vec<Node>,
    known: HashMap<(usize, NodeKey), usize>,
}

/// A section, or one of the constants in it.
pub(super) struct Node {
    pub(super) content: Content,
    /// In the order of the references.
    pub(super) targets: Vec<usize>,
    pub(super) is_code: bool,
    /// How it may go on somewhere that it does not name.
    pub(super) by_pointer: ByPointer,
    /// Nodes whose address it takes rather than calling them.
    pub(super) address_of: Vec<usize>,
}

/// What tells nodes apart, whatever they refer to.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// Bytes without those that the linker fills in, and the references' places, kinds and offsets.
    Section(Vec<u8>, Vec<(u64, u32, i64)>),
    /// Something that is not in the objects, by its name: a function of the C library.
    External(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum NodeKey {
    Section(usize, object::SectionIndex),
    Constant(usize, object::SectionIndex, u64),
    External(String),
}

/// Code that only runs when something went wrong. Both ways of mangling names hold these texts.
const PANICS: &[&str] = &[
    "4core9panicking",
    "3std9panicking",
    "4core6option13unwrap_failed",
    "4core6option13expect_failed",
    "4core6result13unwrap_failed",
    "4core5slice5index",
    "4core3str16slice_error_fail",
    "4core4cell",
    "5alloc7raw_vec12handle_error",
    "5alloc7raw_vec17capacity_overflow",
    "5alloc5alloc18handle_alloc_error",
    "3std5alloc8rust_oom",
    "_Unwind_Resume",
    "rust_eh_personality",
];

/// How the harness reads the clock or a meter before and after a batch. That is not the function's
/// code, and its calls of a meter through a pointer would hide that a function is unchanged.
const GAUGE: &str = "12fathom_bench5gauge";

impl SectionGraph {
    /// Adds what is at a place and all that it reaches; its node. `None` where something cannot be
    /// read.
    pub(super) fn add(&mut self, side: usize, inputs: &Inputs, place: Place) -> Option<usize> {
        let first = self.node(side, key(inputs, place)?);
        let mut open = vec![first.0];
        let mut keys: HashMap<usize, NodeKey> = HashMap::new();
        keys.insert(first.0, first.1.clone());
        if !first.2 {
            return Some(first.0);
        }
        while let Some(number) = open.pop() {
            let Some(key) = keys.remove(&number) else { continue };
            let found = read(inputs, &key)?;
            let mut targets = Vec::new();
            let mut address_of = Vec::new();
            for (target, is_call) in found.targets {
                let (node, key, is_new) = self.node(side, target);
                if is_new {
                    keys.insert(node, key);
                    open.push(node);
                }
                targets.push(node);
                if !is_call {
                    address_of.push(node);
                }
            }
            let node = &mut self.nodes[number];
            node.content = found.content;
            node.targets = targets;
            node.address_of = address_of;
            node.is_code = found.is_code;
            node.by_pointer = found.by_pointer;
        }
        Some(first.0)
    }

    /// The number of a node, and whether it is new.
    fn node(&mut self, side: usize, key: NodeKey) -> (usize, NodeKey, bool) {
        if let Some(number) = self.known.get(&(side, key.clone())) {
            return (*number, key, false);
        }
        let number = self.nodes.len();
        self.known.insert((side, key.clone()), number);
        self.nodes.push(Node {
            content: Content::External(String::new()),
            targets: Vec::new(),
            is_code: false,
            by_pointer: ByPointer::default(),
            address_of: Vec::new(),
        });
        (number, key, true)
    }

    /// Whether all that a node reaches calls only what it names.
    pub(super) fn is_static(&self, root: usize) -> bool {
        self.reached(root).into_iter().all(|number| {
            let node = &self.nodes[number];
            let has_table =
                || node.address_of.iter().any(|table| self.nodes[*table].targets.contains(&number));
            !node.by_pointer.calls && (!node.by_pointer.jumps || has_table())
        })
    }

    /// The functions whose address the program takes somewhere: what a pointer may lead to. The
    /// tables of the benches' own functions are not looked at: only the harness calls through them.
    pub(super) fn address_taken(&self, program: usize, benches: &BTreeSet<usize>) -> Vec<usize> {
        let is_bench_table = |node: &Node| {
            !node.is_code && node.targets.iter().any(|target| benches.contains(target))
        };
        let taken = self
            .reached(program)
            .into_iter()
            .filter(|number| !is_bench_table(&self.nodes[*number]))
            .flat_map(|number| self.nodes[number].address_of.iter().copied())
            .filter(|target| self.nodes[*target].is_code);
        let taken: BTreeSet<usize> = taken.collect();
        // What leads to a bench is part of the harness or of `main`, which no bench calls.
        taken.into_iter().filter(|target| self.reached(*target).is_disjoint(benches)).collect()
    }

    fn reached(&self, root: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            for target in &self.nodes[node].targets {
                if reached.insert(*target) {
                    open.push(*target);
                }
            }
        }
        reached
    }
}

/// What is read of a section.
struct Found {
    content: Content,
    /// With whether it is called there.
    targets: Vec<(NodeKey, bool)>,
    is_code: bool,
    by_pointer: ByPointer,
}

impl Found {
    fn external(name: &str) -> Found {
        Found {
            content: Content::External(name.to_string()),
            targets: Vec::new(),
            is_code: false,
            by_pointer: ByPointer::default(),
        }
    }
}

/// Which node a place belongs to.
fn key(inputs: &Inputs, place: Place) -> Option<NodeKey> {
    let object = inputs.object(place.object)?;
    let section = object.section_by_index(place.section).ok()?;
    Some(match merged_size(&object, &section) {
        Some(0) => NodeKey::Constant(place.object, place.section, place.offset),
        Some(size) => {
            let first = place.offset.div_ceil(size) * size;
            NodeKey::Constant(place.object, place.section, first)
        }
        None => NodeKey::Section(place.object, place.section),
    })
}

fn read(inputs: &Inputs, key: &NodeKey) -> Option<Found> {
    match key {
        NodeKey::External(name) => Some(Found::external(name)),
        NodeKey::Constant(object, section, offset) => {
            let object = inputs.object(*object)?;
            let section = object.section_by_index(*section).ok()?;
            let rest = section.data().ok()?.get(*offset as usize..)?;
            let end = match merged_size(&object, &section)? {
                0 => rest.iter().position(|byte| *byte == 0).map_or(rest.len(), |at| at + 1),
                size => rest.len().min(size as usize),
            };
            let content = Content::Section(rest[..end].to_vec(), Vec::new());
            Some(Found { content, ..Found::external("") })
        }
        NodeKey::Section(object, section) => read_section(inputs, *object, *section),
    }
}

fn read_section(inputs: &Inputs, number: usize, index: object::SectionIndex) -> Option<Found> {
    let object = inputs.object(number)?;
    let section = object.section_by_index(index).ok()?;
    let is_code = section.kind() == SectionKind::Text;
    let mut bytes = match section.kind() {
        SectionKind::UninitializedData | SectionKind::UninitializedTls => {
            section.size().to_le_bytes().to_vec()
        }
        _ => section.data().ok()?.to_vec(),
    };
    let mut references = Vec::new();
    let mut targets = Vec::new();
    let mut relocated: Vec<(u64, object::Relocation)> = section.relocations().collect();
    relocated.sort_by_key(|(offset, _)| *offset);
    for (offset, relocation) in &relocated {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { return None };
        let RelocationTarget::Symbol(symbol) = relocation.target() else {
            references.push((*offset, r_type.0, relocation.addend()));
            continue;
        };
        let symbol = object.symbol_by_index(symbol).ok()?;
        let name = symbol.name().unwrap_or_default();
        let addend = relocation.addend();
        let is_call = is_code && is_call(object.architecture(), r_type, &bytes, *offset);
        let place = match symbol.section_index() {
            Some(section) => Some(Place { object: number, section, offset: symbol.address() }),
            None => inputs.global(name),
        };
        let is_left_out = name.contains(GAUGE) || PANICS.iter().any(|panic| name.contains(panic));
        let (target, distance) = match place {
            Some(place) if !is_left_out => {
                // In code, a distance counts from the end of the field, which is four bytes long;
                // an operand of up to four bytes may follow. In a table it counts from the table.
                let base = if is_code { -4 } else { *offset as i64 };
                to_place(inputs, place, &Reference { kind: r_type, addend }, base)?
            }
            _ => (NodeKey::External(without_hash(name).to_string()), addend),
        };
        references.push((*offset, r_type.0, distance));
        targets.push((target, is_call));
    }
    // What the linker fills in says nothing yet.
    for (offset, relocation) in &relocated {
        let size = usize::from(relocation.size() / 8);
        if let Some(field) = bytes.get_mut(*offset as usize..*offset as usize + size) {
            field.fill(0);
        }
    }
    if !is_code && is_source_position(inputs, &bytes, &references, &targets) {
        bytes[16..24].fill(0);
    }
    let places: BTreeSet<u64> = relocated.iter().map(|(offset, _)| *offset).collect();
    let by_pointer = if is_code {
        ByPointer::of(object.architecture(), &bytes, &places)
    } else {
        ByPointer::default()
    };
    Some(Found { content: Content::Section(bytes, references), targets, is_code, by_pointer })
}

/// The node that a reference to a place leads to, and the distance that is left. `base` is what a
/// relative reference counts from.
fn to_place(
    inputs: &Inputs,
    place: Place,
    reference: &Reference,
    base: i64,
) -> Option<(NodeKey, i64)> {
    let object = inputs.object(place.object)?;
    let section = object.section_by_index(place.section).ok()?;
    let distance = place.offset as i64 + reference.addend;
    let whole = (NodeKey::Section(place.object, place.section), distance);
    if merged_size(&object, &section).is_none() {
        return Some(whole);
    }
    let is_relative = object.architecture() == Architecture::X86_64
        && reference.kind == object::elf::R_X86_64_PC32;
    let offset = u64::try_from(if is_relative { distance - base } else { distance });
    let Ok(offset) = offset else { return Some(whole) };
    match key(inputs, Place { offset, ..place })? {
        NodeKey::Constant(object, index, first) if first < section.size() => {
            let left = distance - first as i64;
            Some((NodeKey::Constant(object, index, first), left))
        }
        // A way to compute addresses that is not known here: all constants of the section count.
        _ => Some(whole),
    }
}

/// What a relocation says.
struct Reference {
    kind: object::elf::RelocationType,
    addend: i64,
}

/// A legacy name without its hash, which differs from build to build.
fn without_hash(name: &str) -> &str {
    const LENGTH: usize = "17h0123456789abcdefE".len();
    match name.len().checked_sub(LENGTH) {
        Some(end) if name[..].is_char_boundary(end) && name[end..].starts_with("17h") => {
            &name[..end]
        }
        _ => name,
    }
}

/// Whether a reference is the operand of a call or jump.
fn is_call(
    architecture: Architecture,
    r_type: object::elf::RelocationType,
    bytes: &[u8],
    offset: u64,
) -> bool {
    let before = |distance: usize| {
        (offset as usize).checked_sub(distance).and_then(|at| bytes.get(at)).copied()
    };
    match architecture {
        Architecture::X86_64 => {
            // Direct calls and jumps, conditional jumps, and calls through the linker's table.
            matches!(before(1), Some(0xe8 | 0xe9))
                || before(2) == Some(0x0f) && matches!(before(1), Some(0x80..=0x8f))
                || before(2) == Some(0xff) && matches!(before(1), Some(0x15 | 0x25))
        }
        Architecture::Aarch64 => {
            r_type == object::elf::R_AARCH64_CALL26 || r_type == object::elf::R_AARCH64_JUMP26
        }
        _ => false,
    }
}

/// Whether data are the position in the source that a panic would name: a text that ends in ".rs",
/// a line and a column. An edit above a function changes its lines and nothing else.
fn is_source_position(
    inputs: &Inputs,
    bytes: &[u8],
    references: &[(u64, u32, i64)],
    targets: &[(NodeKey, bool)],
) -> bool {
    let ([(0, _, distance)], [(target, _)]) = (references, targets) else { return false };
    if bytes.len() != 24 {
        return false;
    }
    let number = |range: std::ops::Range<usize>| {
        bytes[range].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let length = number(8..16) as usize;
    let (object, section, first) = match target {
        NodeKey::Section(object, section) => (object, section, 0),
        NodeKey::Constant(object, section, first) => (object, section, *first),
        NodeKey::External(_) => return false,
    };
    let start = usize::try_from(first as i64 + distance).ok();
    let is_name = || {
        let object = inputs.object(*object)?;
        let data = object.section_by_index(*section).ok()?.data().ok()?;
        let start = start?;
        Some(data.get(start..start.checked_add(length)?)?.ends_with(b".rs"))
    };
    number(16..20) > 0 && number(20..24) > 0 && is_name() == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legacy_name_is_the_same_in_every_build() {
        let named = |hash: &str| format!("_ZN4core3fmt5write17h{hash}E");
        for hash in ["0123456789abcdef", "fedcba9876543210"] {
            assert_eq!(without_hash(&named(hash)), "_ZN4core3fmt5write");
        }
        assert_eq!(without_hash("17h0123456789abcdefE"), "");
        for name in
            ["main", "_RNvC6_123foo3bar", "", "é17h0123456789abcde", "_ZN4core18h0123456789abcdefE"]
        {
            assert_eq!(without_hash(name), name);
        }
    }
}
