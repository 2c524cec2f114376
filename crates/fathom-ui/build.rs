//! Embeds the page: the prebuilt one of a published package, or one that Node builds.
//!
//! `FATHOM_WEB=skip` leaves it out on purpose; `FATHOM_WEB=require` makes it an error if there is none.
//! The sources are copied first: nothing is written into the source tree.
//!
//! A clone has no prebuilt page. `scripts/package` compiles this file alone, runs it, and copies
//! `page.html` and `page.digests` from `OUT_DIR` to `prebuilt/`, which goes into the package. The
//! digests say which sources the page was built from, so a stale page is never embedded.
#![allow(clippy::print_stdout, reason = "it is how a build script speaks to cargo")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// What the page is made from. `node_modules` and `dist` of whoever works on it are not.
const SOURCES: [&str; 8] = [
    ".npmrc",
    "index.html",
    "package-lock.json",
    "package.json",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// Where a published package has its page.
const PREBUILT: &str = "prebuilt";

/// What Vite needs.
const OLDEST_NODE: (u32, u32) = (20, 19);

enum Wanted {
    IfPossible,
    Never,
    Always,
}

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FATHOM_WEB");
    println!("cargo::rerun-if-changed={PREBUILT}");
    for source in SOURCES {
        println!("cargo::rerun-if-changed=web/{source}");
    }
    match embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("cargo::error={problem}");
            ExitCode::FAILURE
        }
    }
}

/// Leaves the page in `page.html`, which is empty if there is none, and its digests next to it.
fn embed() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    let page = match wanted()? {
        Wanted::Never => String::new(),
        Wanted::Always => page(&out).map_err(|problem| format!("FATHOM_WEB=require: {problem}"))?,
        Wanted::IfPossible => page(&out).unwrap_or_else(|problem| {
            println!("cargo::warning=fathom is built without its page: {problem}");
            String::new()
        }),
    };
    let digests = digests(&page)?;
    for (name, text) in [("page.html", &page), ("page.digests", &digests)] {
        let path = out.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn wanted() -> Result<Wanted, String> {
    match env::var("FATHOM_WEB").as_deref() {
        Err(_) | Ok("") => Ok(Wanted::IfPossible),
        Ok("skip") => Ok(Wanted::Never),
        Ok("require") => Ok(Wanted::Always),
        Ok(other) => {
            Err(format!("FATHOM_WEB is \"{other}\"; use skip, require, or leave it unset"))
        }
    }
}

/// The page, or why there is none.
fn page(out: &Path) -> Result<String, String> {
    match prebuilt()? {
        Prebuilt::Page(page) => Ok(page),
        Prebuilt::Missing => made(out),
        Prebuilt::Stale => made(out).map_err(|problem| {
            format!("the page in {PREBUILT}/ was built from other sources, and {problem}")
        }),
    }
}

enum Prebuilt {
    Page(String),
    Missing,
    Stale,
}

/// The page that the package came with. It counts only if both digests fit.
fn prebuilt() -> Result<Prebuilt, String> {
    let folder = Path::new(PREBUILT);
    let Ok(page) = fs::read_to_string(folder.join("page.html")) else {
        return Ok(Prebuilt::Missing);
    };
    let expected = fs::read_to_string(folder.join("page.digests")).unwrap_or_default();
    Ok(if expected == digests(&page)? { Prebuilt::Page(page) } else { Prebuilt::Stale })
}

/// The digests of the page's sources and of the page.
fn digests(page: &str) -> Result<String, String> {
    let mut sources = Digest::new();
    for name in SOURCES {
        add(&mut sources, &Path::new("web").join(name))
            .map_err(|error| format!("web/{name} cannot be read: {error}"))?;
    }
    let mut whole = Digest::new();
    whole.add(page.as_bytes());
    Ok(format!("sources {:016x}\npage {:016x}\n", sources.0, whole.0))
}

/// Adds a file, or a folder with all that is in it in the order of names. Tests and their data are
/// left out: the page does not contain them, and neither does the package.
fn add(digest: &mut Digest, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == "fixtures" || name.ends_with(".test.ts") {
        return Ok(());
    }
    digest.add(name.as_bytes());
    if !path.is_dir() {
        digest.add(&fs::read(path)?);
        return Ok(());
    }
    let mut inside = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| add(digest, path))
}

/// FNV-1a. It notices accidents, and a build script without dependencies builds fast.
struct Digest(u64);

impl Digest {
    fn new() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    /// The length goes first: "ab", "c" is not "a", "bc".
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The page as Node builds it.
fn made(out: &Path) -> Result<String, String> {
    check_node()?;
    let web = out.join("web");
    let sources = Path::new("web");
    let copied = SOURCES.iter().try_for_each(|name| copy(&sources.join(name), &web.join(name)));
    copied.map_err(|error| format!("the page's sources cannot be copied: {error}"))?;
    install(&web)?;
    let dist = out.join("dist");
    run(Command::new("npm").args(["run", "build"]).env("FATHOM_WEB_OUT", &dist), &web)?;
    let page = dist.join("index.html");
    fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))
}

/// Whether there is Node, recent enough.
fn check_node() -> Result<(), String> {
    let (major, minor) = OLDEST_NODE;
    let remedy = format!("install Node {major}.{minor} or later with npm");
    let said = Command::new("node").arg("--version").output();
    let said = said.map_err(|error| format!("node cannot be started ({error}); {remedy}"))?;
    let said = String::from_utf8_lossy(&said.stdout).trim().to_string();
    let mut numbers = said.trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(its_major)), Some(Ok(its_minor))) if (its_major, its_minor) >= OLDEST_NODE => {
            Ok(())
        }
        _ => Err(format!("node says its version is \"{said}\"; {remedy}")),
    }
}

/// Fetches what the page is made with, unless that was done for the same list.
fn install(web: &Path) -> Result<(), String> {
    let installed = web.join("node_modules").join(".installed-for");
    let list = fs::read(web.join("package-lock.json")).map_err(|error| error.to_string())?;
    if fs::read(&installed).is_ok_and(|before| before == list) {
        return Ok(());
    }
    run(
        Command::new("npm").args([
            "ci",
            "--omit=dev",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]),
        web,
    )?;
    fs::write(&installed, list).map_err(|error| format!("{}: {error}", installed.display()))
}

fn run(command: &mut Command, folder: &Path) -> Result<(), String> {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let words = words.join(" ");
    let output = command.current_dir(folder).output();
    let output = output.map_err(|error| format!("`{words}` cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    // A warning is one line.
    let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Err(format!("`{words}` failed: {}", said.join(" | ")))
}

/// Copies a file, or a folder with all that is in it; what is no longer there goes.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        // Written again and not copied: the copy of a file that is read-only could not be replaced.
        return fs::write(to, fs::read(from)?);
    }
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
