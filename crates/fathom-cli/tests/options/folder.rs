//! The folder that every command line of the cases starts from: small files of data, a saved
//! session, traces.

use crate::harness::{WORK, fathom, scratch, top};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

pub(crate) struct Template(PathBuf);

/// Small files, by name.
const FILES: [(&str, &str); 16] = [
    ("asked.txt", "# promises\nx > 1\npower: --estimate power\n"),
    (
        "study.toml",
        "command = \"echo {n}\"\n[parameters]\nn = [5, 6]\n[metrics]\nx = \"last-number\"\n\
         [properties]\nlow = \"x < 200\"\n",
    ),
    ("table.csv", "power,x\n3,1\n4,2\n5,0\n"),
    ("grouped.csv", "bench,x\nmcf,1\ngcc,2\nmcf,3\n"),
    ("cycles.csv", "cycle,temp\n0,0\n10,10\n20,10\n"),
    ("quiet.csv", "time,event,size\n1,other,3\n"),
    ("tool.csv", "a,b\n1,5\n2,6\n"),
    ("lapse.csv", "elapsed,x\n1,5\n2,6\n3,5\n4,6\n5,7\n"),
    ("waits.csv", "wait_ms\n5\n6\n"),
    ("comma.csv", "x;y\n1,5;2\n2,5;3\n"),
    ("ambiguous.txt", "1,500\n2,500\n3,500\n"),
    ("other.txt", "250\n251\n252\n253\n251\n252\n"),
    // Prints the next number of series.txt each time, and counts in n how often it ran.
    (
        "step",
        "n=0; [ -f n ] && read n < n; n=$((n+1)); echo $n > n; i=0\n\
         while [ $i -lt $n ]; do read x; i=$((i+1)); done < series.txt; echo $x\n",
    ),
    // Numbers as a server prints them, and ends.
    ("lines", "for i in 1 2 3; do echo \"tps=$i\"; echo \"{\\\"rps\\\": $i}\"; sleep 0.03; done\n"),
    ("input.txt", "71\n"),
    ("marks.json", "{\"schema\":\"fathom-labels/1\",\"labels\":{\"latency\":{\"queue\":\"yes\"}}}"),
];

impl Template {
    pub(crate) fn new() -> Template {
        let folder = scratch("options");
        for (name, text) in FILES {
            std::fs::write(folder.join(name), text).unwrap();
        }
        std::fs::write(folder.join("series.txt"), series()).unwrap();
        std::fs::copy(top().join(WORK), folder.join("work.csv")).unwrap();
        for (name, phase) in [("run-1.csv", 0), ("run-2.csv", 7), ("untimed.csv", 3)] {
            std::fs::write(folder.join(name), trace(phase)).unwrap();
        }
        std::fs::write(folder.join("big.csv"), big()).unwrap();
        std::fs::create_dir(folder.join("bin")).unwrap();
        let opener = folder.join("bin/xdg-open");
        std::fs::write(&opener, "#!/bin/sh\ntouch opened\n").unwrap();
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
        let prepare = |line: &str| {
            let words = shlex::split(line).unwrap();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let home = folder.join("home");
            let output =
                fathom(&words).current_dir(&folder).env("XDG_DATA_HOME", home).output().unwrap();
            // An open check is wanted: 3.
            assert!(matches!(output.status.code(), Some(0 | 3)), "{line}: {output:?}");
        };
        prepare("import run-1.csv run-2.csv -o traces -q --common load");
        prepare("run -q --seed 1 -r 30 --save timed true");
        prepare(
            "run -q --seed 1 -r 25 --metric 'x[ms]=last-number' --on metric:x --save saved 'sh step'",
        );
        prepare(
            "check -q --seed 1 -M 20 'x < 90ms' --metric 'x[ms]=last-number' -S sh --save open \
             -- 'echo $(( {seed} % 100 ))'",
        );
        std::fs::remove_file(folder.join("n")).unwrap();
        let program = folder.join("program");
        let write = |text: &str| {
            std::fs::write(&program, text).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        write("#!/bin/sh\necho $(( $1 % 100 ))\n");
        prepare(
            "check -q --seed 1 -M 20 'x < 90' --metric x=last-number --save changed \
             -- ./program {seed}",
        );
        write("#!/bin/sh\necho $(( $1 % 100 )) again\n");
        Template(folder)
    }

    /// A copy in which a command can be tried; the copy before it is gone.
    pub(crate) fn copied_for(&self, command: &str) -> PathBuf {
        let folder = self.0.with_file_name(format!("options-of-{command}"));
        let _ = std::fs::remove_dir_all(&folder);
        let status = Command::new("cp").arg("-a").arg(&self.0).arg(&folder).status().unwrap();
        assert!(status.success());
        folder
    }
}

/// Sixty numbers: five of a warm-up, then a level with a ripple and two outliers.
fn series() -> String {
    let mut text = String::new();
    for n in 0..60_u32 {
        let value = match n {
            0..=4 => 180 - 10 * n,
            30 | 45 => 400,
            _ => 100 + n * n % 7 + n % 3,
        };
        let _ = writeln!(text, "{value}");
    }
    text
}

/// More than a megabyte of data.
fn big() -> String {
    let mut text = "time,a,b\n".to_string();
    for n in 0..40_000_u32 {
        let _ = writeln!(text, "{n},{},{}", n * 7919 % 10_007, n * 104_729 % 10_009);
    }
    text
}

/// Three minutes of a load, a latency that rises for a while, and a metric that goes with it.
fn trace(phase: u32) -> String {
    let mut text = "time,load,latency,queue,total,memory\n".to_string();
    let mut total = 0;
    for n in 0..180_u32 {
        let load = 50 + (n + phase) / 3 * 7 % 40;
        let is_odd = (100..112).contains(&n);
        let latency = 10 + n * n % 5 + if is_odd { 30 + n % 4 } else { 0 };
        let queue = 3 + n * 7 % 4 + if is_odd { 9 } else { 0 };
        total += load;
        let _ = writeln!(text, "{n},{load},{latency},{queue},{total},{}", 500 + n * 3 % 11);
    }
    text
}
