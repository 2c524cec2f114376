//! Real objects, made by the compiler that compiles Rust: two builds of a program with functions
//! that changed, moved, or did neither.

use super::*;
use crate::duel::relink::{Arrangement, CargoBench, LinkRecipe};
use std::path::PathBuf;

/// A program and its functions: `entry_0`, `entry_1` and so on are looked at.
struct Built {
    recipe: LinkRecipe,
    executable: PathBuf,
    _scratch: tempfile::TempDir,
}

fn built(source: &str) -> Built {
    let scratch = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = scratch.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n\
         [[bench]]\nname = \"speed\"\nharness = false\n",
    );
    write("src/lib.rs", "");
    write("benches/speed.rs", source);
    let bench = CargoBench {
        cargo: vec![std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())],
        folder: scratch.path().to_path_buf(),
        package: "tiny".to_string(),
        target: "speed".to_string(),
        words: Vec::new(),
        target_folder: Some(scratch.path().join("target")),
    };
    let recipe = bench.capture(&scratch.path().join("capture")).unwrap();
    let executable = scratch.path().join("linked");
    recipe.link(Arrangement::Padding, 3, &executable).unwrap();
    Built { recipe, executable, _scratch: scratch }
}

impl Built {
    /// The code of the functions whose names begin with `entry_`, in order.
    fn code(&self) -> BuildCode {
        use object::{Object, ObjectSymbol};
        let bytes = std::fs::read(&self.executable).unwrap();
        let file = object::File::parse(bytes.as_slice()).unwrap();
        let mut addresses = Vec::new();
        for number in 0..8 {
            let name = format!("entry_{number}");
            let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name.as_str()));
            addresses.extend(symbol.map(|symbol| Some(symbol.address())));
        }
        assert!(!addresses.is_empty(), "no functions were found");
        BuildCode::read(&self.recipe, &self.executable, &addresses).unwrap()
    }
}

fn compared(old: &str, new: &str) -> Vec<Option<bool>> {
    let [old, new] = [built(old), built(new)];
    let [old, new] = [old.code(), new.code()];
    let pairs: Vec<[usize; 2]> = (0..old.entries.len()).map(|number| [number; 2]).collect();
    unchanged([&old, &new], &pairs)
}

/// Four functions: one by itself, one that calls another, one that reads a table, and one that
/// calls through a pointer.
fn program(first: &str, callee: &str, table: &str, by_pointer: &str, more: &str) -> String {
    format!(
        r#"
{more}
use std::hint::black_box;
#[no_mangle] #[inline(never)] pub fn entry_0(x: u64) -> u64 {{ {first} }}
#[inline(never)] fn callee(x: u64) -> u64 {{ {callee} }}
#[no_mangle] #[inline(never)] pub fn entry_1(x: u64) -> u64 {{ callee(x) + 1 }}
static TABLE: [u64; 8] = {table};
#[no_mangle] #[inline(never)] pub fn entry_2(x: usize) -> u64 {{ TABLE[x % 8] + TABLE[(x + 3) % 8] }}
trait Work {{ fn work(&self, x: u64) -> u64; }}
struct Worker(u64);
impl Work for Worker {{ #[inline(never)] fn work(&self, x: u64) -> u64 {{ {by_pointer} }} }}
#[no_mangle] #[inline(never)] pub fn entry_3(worker: &dyn Work, x: u64) -> u64 {{ worker.work(x) ^ 5 }}
#[no_mangle] #[inline(never)] pub fn entry_4(x: &[u64]) -> u64 {{ x[black_box(2)] }}
fn main() {{
    let worker: Box<dyn Work> = black_box(Box::new(Worker(3)));
    let sum = entry_0(black_box(1)) + entry_1(black_box(2)) + entry_2(black_box(3))
        + entry_3(&*worker, black_box(4)) + entry_4(black_box(&[1, 2, 3]));
    std::process::exit((black_box(sum) % 2) as i32);
}}
"#
    )
}

fn usual(more: &str) -> String {
    program("x * 3", "x ^ 77", "[3, 1, 4, 1, 5, 9, 2, 6]", "x + self.0", more)
}

#[test]
fn code_that_moved_is_unchanged() {
    let moved = usual(
        "#[inline(never)] #[no_mangle] pub fn other(x: &str) -> usize { x.len() * 17 }\n\
         #[used] static KEPT: fn(&str) -> usize = other;",
    );
    let same = vec![Some(true); 5];
    assert_eq!(compared(&usual(""), &usual("")), same);
    // Lines of panics differ, and an unrelated function is there.
    assert_eq!(compared(&usual(""), &moved), same);
}

#[test]
fn changes_are_found_where_they_are() {
    let old = usual("");
    let table = "[3, 1, 4, 1, 5, 9, 2, 6]";
    let of = |new: String| compared(&old, &new);
    let [yes, no] = [Some(true), Some(false)];
    let found = of(program("x * 5", "x ^ 77", table, "x + self.0", ""));
    assert_eq!(found, [no, yes, yes, yes, yes], "the function itself");
    let found = of(program("x * 3", "x ^ 78", table, "x + self.0", ""));
    assert_eq!(found, [yes, no, yes, yes, yes], "what it calls");
    let found = of(program("x * 3", "x ^ 77", "[3, 1, 4, 1, 5, 9, 2, 7]", "x + self.0", ""));
    assert_eq!(found, [yes, yes, no, yes, yes], "a table that it reads");
    let found = of(program("x * 3", "x ^ 77", table, "x + 2 * self.0", ""));
    assert_eq!(found, [yes, yes, yes, None, yes], "what it calls through a pointer");
}

#[test]
fn addresses_of_this_process_are_found_in_its_file() {
    let function = addresses_of_this_process_are_found_in_its_file as fn() as usize;
    let address = linked_address(function).unwrap();
    let executable = std::env::current_exe().unwrap();
    let names = inputs::names_at(&executable, &[Some(address), None]).unwrap();
    let name = names[0].as_deref().unwrap();
    assert!(name.contains("addresses_of_this_process_are_found_in_its_file"), "{name}");
    assert_eq!(names[1], None);
    assert_eq!(linked_address(8), None);
}
