//! Commands at a terminal: they can read from it, and Ctrl-C reaches everyone.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]
#![allow(unsafe_code, reason = "std cannot make a terminal")]

mod harness;

use fathom_record::Ending;
use fathom_sys::signals::Interrupt;
use fathom_sys::spawner::{ExecuteError, StandardInput, Stream, Wait};
use harness::{Case, Folder, eventually, runs, script, spawner, this_program, words};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command};

fn main() {
    let cases: &[Case] = &[
        ("a_command_reads_from_the_terminal", reads_from_the_terminal),
        ("ctrl_c_ends_a_command_at_the_terminal", || ctrl_c("terminal")),
        ("ctrl_c_ends_a_command_away_from_the_terminal", || ctrl_c("away")),
        ("a_stopped_client_does_not_stop_the_command", stopped_client),
    ];
    harness::main(cases, play);
}

/// A client at a terminal: runs a script there and tells how it went by its exit status.
fn play(name: &str, arguments: &[String]) {
    let interrupt = Interrupt::install().unwrap();
    let mut order = script(&arguments[0]);
    if name == "terminal" {
        order.input = StandardInput::Inherit;
        order.output = Stream::Inherit;
    }
    let result = spawner().execute(&order, None, &mut |_| {
        if interrupt.requested() { Wait::Abort } else { Wait::Continue }
    });
    std::process::exit(match result {
        Ok(finished) if finished.ending == Ending::Exited(0) => 0,
        Err(ExecuteError::Interrupted) => 130,
        other => panic!("{other:?}"),
    });
}

/// A terminal, seen from the keyboard, with a client at it.
struct Terminal {
    keyboard: File,
    client: Child,
}

impl Terminal {
    fn open(play: &str, text: &str) -> Terminal {
        let (mut ours, mut theirs) = (-1, -1);
        let nothing = std::ptr::null_mut();
        // SAFETY: the kernel fills in two new descriptors, which are then ours alone.
        let (keyboard, terminal) = unsafe {
            let made = libc::openpty(
                &raw mut ours,
                &raw mut theirs,
                nothing,
                nothing.cast(),
                nothing.cast(),
            );
            assert_eq!(made, 0);
            libc::fcntl(ours, libc::F_SETFD, libc::FD_CLOEXEC);
            libc::fcntl(theirs, libc::F_SETFD, libc::FD_CLOEXEC);
            (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
        };
        let mut command = Command::new(this_program());
        fathom_sys::signals::at_default(&mut command)
            .args(["__play", play, text])
            .stdin(terminal.try_clone().unwrap())
            .stdout(terminal.try_clone().unwrap())
            .stderr(terminal);
        // SAFETY: two system calls, which may be made between fork and exec: a session of its own,
        // with this terminal.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        Terminal { keyboard, client: command.spawn().unwrap() }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// The client's exit status, once it ended.
    fn status(&mut self) -> Option<i32> {
        let mut status = None;
        eventually("the client ends", || {
            status = self.client.try_wait().unwrap();
            status.is_some()
        });
        let status = status.unwrap();
        if status.code().is_some_and(|code| code == 101) || status.signal().is_some() {
            let mut screen = [0; 4096];
            let count = self.keyboard.read(&mut screen).unwrap_or(0);
            println!("{}", String::from_utf8_lossy(&screen[..count]));
        }
        status.code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

fn saying(text: &str, out: &Path) -> String {
    text.replace("OUT", out.to_str().unwrap())
}

fn reads_from_the_terminal() {
    let folder = Folder::new("terminal");
    let out = folder.file("out");
    let text = saying("echo $$ >OUT; read line; echo \"$line\" >>OUT", &out);
    let mut terminal = Terminal::open("terminal", &text);
    words(&out, 1);
    terminal.press("hello\n");
    assert_eq!(terminal.status(), Some(0));
    assert_eq!(words(&out, 2)[1], "hello");
}

fn ctrl_c(place: &str) {
    let folder = Folder::new("ctrl-c");
    let out = folder.file("out");
    let text = saying("sleep 1000 & echo $$ $! >OUT; wait; wait", &out);
    let mut terminal = Terminal::open(place, &text);
    let pids = words(&out, 2);
    terminal.press("\x03");
    assert_eq!(terminal.status(), Some(130));
    for pid in pids {
        assert!(!runs(&pid));
    }
}

fn stopped_client() {
    let folder = Folder::new("stopped");
    let out = folder.file("out");
    // The command goes on while the client is stopped, and its parent, the server, sees its end.
    let text =
        saying("echo $$ >OUT; while [ ! -e OUT.go ]; do sleep 0.01; done; echo done >>OUT", &out);
    // A terminal sends the signal to the group. In ours the client would not be alone, and in a
    // session of its own it would have no parent to wake it, so the kernel would not stop it.
    let mut client = Command::new(this_program());
    let mut client = client.args(["__play", "away", &text]).process_group(0).spawn().unwrap();
    let group = i32::try_from(client.id()).unwrap();
    let command = words(&out, 1)[0].clone();
    // SAFETY: a plain system call; the client was not waited for, so the group is its.
    let signal = |signal| unsafe { libc::kill(-group, signal) };
    signal(libc::SIGTSTP);
    let is_stopped = || {
        let stat = std::fs::read_to_string(format!("/proc/{group}/stat")).unwrap();
        stat.rsplit(')').next().unwrap().trim().starts_with('T')
    };
    eventually("the client is stopped", is_stopped);
    File::create(folder.file("out.go")).unwrap();
    assert_eq!(words(&out, 2)[1], "done");
    eventually("the server waits for the command", || {
        !Path::new(&format!("/proc/{command}")).exists()
    });
    assert!(is_stopped());
    signal(libc::SIGCONT);
    assert_eq!(client.wait().unwrap().code(), Some(0));
}
