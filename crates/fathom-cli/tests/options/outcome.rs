//! What a command line leads to: exit code, both outputs, files.

use crate::harness::fathom;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) struct Outcome {
    pub(crate) text: String,
}

impl Outcome {
    pub(crate) fn of(command: &str, words: &[String], folder: &Path) -> Outcome {
        let words: Vec<&str> =
            command.split_whitespace().chain(words.iter().map(String::as_str)).collect();
        let mut process = prepared(&words, folder);
        let mut text = if command == "ui" { served(&mut process) } else { finished(&mut process) };
        text += &sessions(folder);
        listed(folder, folder, &mut text);
        // That the option was typed is not what it changes.
        let lines = text.lines().filter(|line| !line.contains("\"command_line\""));
        Outcome { text: lines.map(|line| format!("{line}\n")).collect() }
    }

    /// Without what depends on the machine and the hour: other load, the time of an import.
    pub(crate) fn steady(&self) -> Vec<&str> {
        const OF_THE_HOUR: [&str; 2] = ["warning:", "\"started\":"];
        let is_of_the_hour = |line: &&str| OF_THE_HOUR.iter().any(|start| line.starts_with(start));
        self.text.lines().map(str::trim_start).filter(|line| !is_of_the_hour(line)).collect()
    }

    pub(crate) fn needs_page(&self) -> bool {
        self.text.contains("Node")
    }
}

/// The program in a folder that has everything: no session, browser or repository of the user.
fn prepared(words: &[&str], folder: &Path) -> Command {
    let mut process = fathom(words);
    process
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("home"))
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        // A browser that only tells that it was opened.
        .env("PATH", format!("{}:/usr/bin:/bin", folder.join("bin").display()))
        .stdin(Stdio::null());
    process
}

/// How many sessions there are, and their names.
fn sessions(folder: &Path) -> String {
    let output = prepared(&["list", "--format", "json"], folder).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = list["sessions"].as_array().unwrap();
    let names: Vec<&str> = all.iter().filter_map(|one| one["name"].as_str()).collect();
    format!("sessions: {} {}\n", all.len(), names.join(" "))
}

/// Exit code and outputs of a command that ends.
fn finished(process: &mut Command) -> String {
    let output = process.output().unwrap();
    format!(
        "exit {:?}\n{}\n{}\n",
        output.status.code(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// What the page is told, of a server that starts; else exit code and outputs.
fn served(process: &mut Command) -> String {
    let mut child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let mut text = String::new();
    if let Some((host, place)) =
        address.trim().strip_prefix("http://").and_then(|rest| rest.split_once('/'))
    {
        let port = host.rsplit(':').next().unwrap();
        // By its address, and by a name that --host can allow.
        for (name, path) in
            [("127.0.0.1", "overview"), ("127.0.0.1", "labels"), ("fathom.test", "overview")]
        {
            let answer = asked(port, name, &format!("/{place}api/{path}"));
            text += &without_command(&answer.replace(port, "PORT"));
            text += "\n";
        }
        text += if port == crate::cases::PORT { "the chosen port\n" } else { "" };
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    }
    let code = child.wait().unwrap().code();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    text + &format!("exit {code:?}\n{errors}\n")
}

fn asked(port: &str, name: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    // Not the other headers: the length of the answer, the hour.
    let (headers, body) = answer.split_once("\r\n\r\n").unwrap();
    format!("{}\n{body}", headers.lines().next().unwrap())
}

/// An answer without the command line that leads to it.
fn without_command(answer: &str) -> String {
    let Some((before, rest)) = answer.split_once("\"opens\":\"") else {
        return answer.to_string();
    };
    // No name in the cases has a quotation mark.
    let (_, after) = rest.split_once('"').unwrap();
    format!("{before}{after}")
}

/// The files of the folder, with their text; not the sessions, which tell the time.
fn listed(folder: &Path, top: &Path, text: &mut String) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.strip_prefix(top).unwrap();
        if path.is_dir() {
            if !["home", "bin", "s"].contains(&name.to_str().unwrap()) {
                listed(&path, top, text);
            } else if name == Path::new("s") {
                *text += "== s/\n";
            }
        } else if name != Path::new("big.csv") {
            let content = std::fs::read(&path).unwrap();
            let content = String::from_utf8(content).unwrap_or_default();
            *text += &format!("== {}\n{content}\n", name.display());
        }
    }
}
