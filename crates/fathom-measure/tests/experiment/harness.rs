//! A `main` for tests whose own program is the spawner.

use fathom_measure::Local;
use fathom_measure::experiment::{
    Fleet, LocalFleet, Performed, Recipe, Scratch, System, Ticket, perform, seed_of,
};
use fathom_sys::spawner::serve_if_asked;
pub(crate) use fathom_testkit::cases::{self, Case};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the cases that were asked for, unless the program plays a command.
pub(crate) fn main(all: &[Case], play: fn(&[String])) {
    serve_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("__play", rest)) = arguments.split_first().map(|(first, rest)| (&**first, rest)) {
        play(rest);
        return;
    }
    cases::run(all, &arguments);
}

pub(crate) fn this_program() -> &'static Path {
    Path::new("/proc/self/exe")
}

/// A recipe in which a shell runs a text in a folder.
pub(crate) fn recipe(folder: &Path, text: &str) -> Recipe {
    let words = ["sh", "-c", text].map(str::to_string).to_vec();
    Recipe {
        systems: vec![System { name: "it".to_string(), words, prepare: None }],
        folder: folder.to_path_buf(),
        ..Recipe::default()
    }
}

pub(crate) fn ticket(number: u64) -> Ticket {
    Ticket { number, system: 0, seed: seed_of(7, number) }
}

/// Performs the first execution of a recipe, with its scratch in `scratch`.
pub(crate) fn once(recipe: &Recipe, scratch: &Scratch) -> Performed {
    let mut laboratory = Local::start(this_program(), &recipe.folder).unwrap();
    perform(recipe, ticket(0), scratch, &mut laboratory).unwrap()
}

/// A fleet of this machine, its scratch in the recipe's folder.
pub(crate) fn fleet(recipe: &Recipe, width: usize) -> LocalFleet {
    let scratch = Scratch::temporary(recipe.folder.join("scratch"));
    LocalFleet::new(recipe.clone(), this_program(), width, scratch).unwrap()
}

/// All that is under way, as it ends.
pub(crate) fn all(fleet: &mut LocalFleet) -> Vec<Performed> {
    std::iter::from_fn(|| fleet.next(None, &mut |_| {}).unwrap()).collect()
}

/// Waits until it is so; tests never assert how long something takes, but must end.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(20), "not within 20 s: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process runs. A zombie does not.
pub(crate) fn runs(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit(')').next().unwrap().trim().chars().next();
        !matches!(state, Some('Z' | 'X'))
    })
}

/// Children of this process, the dead included.
pub(crate) fn children() -> Vec<String> {
    let of_task = |task: std::fs::DirEntry| {
        std::fs::read_to_string(task.path().join("children")).unwrap_or_default()
    };
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten().map(of_task);
    tasks.flat_map(|text| text.split_whitespace().map(str::to_string).collect::<Vec<_>>()).collect()
}
