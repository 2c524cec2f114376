//! The objects that a linker was given.

use super::super::relink::LinkRecipe;
use object::read::archive::ArchiveFile;
use object::read::elf::{ElfFile64, ElfSection64, SectionHeader};
use object::{Object, ObjectSegment, ObjectSymbol, SectionIndex};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// An object, or an executable.
pub(super) type ElfObject<'a> = ElfFile64<'a>;

/// All of them, and which of their sections has which function.
pub(super) struct Inputs {
    /// Whole files; archives hold several objects.
    files: Vec<Vec<u8>>,
    /// Each object's file and the bytes of it that are the object.
    objects: Vec<(usize, std::ops::Range<usize>)>,
    /// Symbols that other objects may refer to. The first definition counts, as for linkers.
    global: HashMap<String, Place>,
    /// Symbols of one object alone; `None` where several have that name.
    local: HashMap<String, Option<Place>>,
}

/// A byte of a section of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) object: usize,
    pub(super) section: SectionIndex,
    pub(super) offset: u64,
}

impl Inputs {
    pub(super) fn read(recipe: &LinkRecipe) -> Option<Inputs> {
        let paths: Vec<PathBuf> = recipe.inputs().collect();
        let files = paths.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>().ok()?;
        let mut inputs =
            Inputs { files, objects: Vec::new(), global: HashMap::new(), local: HashMap::new() };
        for number in 0..inputs.files.len() {
            inputs.objects.extend(objects_in(&inputs.files[number]).map(|range| (number, range)));
        }
        for object in 0..inputs.objects.len() {
            inputs.index(object);
        }
        Some(inputs)
    }

    /// One of the objects.
    pub(super) fn object(&self, number: usize) -> Option<ElfObject<'_>> {
        let (file, range) = self.objects.get(number)?;
        ElfObject::parse(self.files[*file].get(range.clone())?).ok()
    }

    /// Where a function is defined.
    pub(super) fn function(&self, name: &str) -> Option<Place> {
        self.global.get(name).copied().or_else(|| self.local.get(name).copied().flatten())
    }

    /// Where another object defines a symbol.
    pub(super) fn global(&self, name: &str) -> Option<Place> {
        self.global.get(name).copied()
    }

    fn index(&mut self, number: usize) {
        let mut found = Vec::new();
        if let Some(object) = self.object(number) {
            for symbol in object.symbols() {
                let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) else {
                    continue;
                };
                if !name.is_empty() {
                    let place = Place { object: number, section, offset: symbol.address() };
                    found.push((name.to_string(), symbol.is_global(), place));
                }
            }
        }
        for (name, is_global, place) in found {
            if is_global {
                self.global.entry(name).or_insert(place);
            } else {
                self.local.entry(name).and_modify(|known| *known = None).or_insert(Some(place));
            }
        }
    }
}

/// The parts of a file that are objects: all of it, or members of an archive.
fn objects_in(bytes: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    if let Ok(archive) = ArchiveFile::parse(bytes) {
        for member in archive.members().flatten() {
            let (start, length) = member.file_range();
            let range = start as usize..start.saturating_add(length) as usize;
            // Rust's libraries also hold the compiler's own data.
            if bytes.get(range.clone()).is_some_and(|object| object.starts_with(b"\x7fELF")) {
                ranges.push(range);
            }
        }
    } else if bytes.starts_with(b"\x7fELF") {
        ranges.push(0..bytes.len());
    }
    ranges.into_iter()
}

/// The names of the functions at these addresses of an executable.
pub(super) fn names_at(
    executable: &Path,
    addresses: &[Option<u64>],
) -> Option<Vec<Option<String>>> {
    let bytes = std::fs::read(executable).ok()?;
    let file = ElfObject::parse(bytes.as_slice()).ok()?;
    let mut names: HashMap<u64, String> = HashMap::new();
    for symbol in file.symbols() {
        if symbol.kind() == object::SymbolKind::Text
            && let Ok(name) = symbol.name()
        {
            names.entry(symbol.address()).or_insert_with(|| name.to_string());
        }
    }
    Some(addresses.iter().map(|address| names.get(&(*address)?).cloned()).collect())
}

/// The address that a linker gave to a byte of an executable.
pub(super) fn address_of_offset(bytes: &[u8], offset: u64) -> Option<u64> {
    let file = ElfObject::parse(bytes).ok()?;
    file.segments().find_map(|segment| {
        let (start, length) = segment.file_range();
        let inside = offset.checked_sub(start).filter(|inside| *inside < length)?;
        Some(segment.address() + inside)
    })
}

/// Whether a section is of constants that linkers merge, and how long each is; 0 for text.
pub(super) fn merged_size(object: &ElfObject<'_>, section: &ElfSection64<'_, '_>) -> Option<u64> {
    let header = section.elf_section_header();
    let flags = header.sh_flags(object.endian());
    let has = |flag: object::elf::SectionFlags| flags.0 & flag.0 != 0;
    let size = header.sh_entsize(object.endian()).max(1);
    has(object::elf::SHF_MERGE).then(|| if has(object::elf::SHF_STRINGS) { 0 } else { size })
}
