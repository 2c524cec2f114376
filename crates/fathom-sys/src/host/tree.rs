//! Reads the kernel's small files below a root folder. Whatever is missing, unreadable or odd is
//! `None`: a fact is unknown rather than made up.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// No file read here is longer on any real machine: `/proc/cpuinfo` of a thousand CPUs is 2 MB.
const LONGEST: u64 = 4 << 20;

/// A name or model is for one line of a terminal.
const LONGEST_LINE: usize = 120;

/// The files below a root folder: "/" of a real machine, or a made-up one in tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tree<'a> {
    root: &'a Path,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &'a Path) -> Tree<'a> {
        Tree { root }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The whole text. Bytes that are not text become marks, which no parser takes for a value.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        read_text(&self.path(path))
    }

    /// The first line, if it has something to show, fit for a terminal.
    pub(crate) fn line(&self, path: &str) -> Option<String> {
        shown(self.text(path)?.lines().next()?)
    }

    /// A name such as "powersave". Remedies repeat it in commands to be pasted into a shell, so
    /// anything but a plain word is unknown.
    pub(crate) fn word(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let word = text.trim();
        is_plain_word(word).then(|| word.to_string())
    }

    /// A number that is alone in its file.
    pub(crate) fn number<T: FromStr>(&self, path: &str) -> Option<T> {
        self.text(path)?.trim().parse().ok()
    }

    /// A switch: "1" or "0".
    pub(crate) fn switch(&self, path: &str) -> Option<bool> {
        match self.number::<u8>(path)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The names in a folder, in order; `None` if it cannot be read.
    pub(crate) fn names(&self, folder: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(self.path(folder)).ok()?;
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        Some(names)
    }

    /// The numbers of the CPUs that have a folder.
    pub(crate) fn cpus(&self) -> Vec<u32> {
        let names = self.names("sys/devices/system/cpu").unwrap_or_default();
        let mut cpus: Vec<u32> =
            names.iter().filter_map(|name| name.strip_prefix("cpu")?.parse().ok()).collect();
        cpus.sort_unstable();
        cpus.dedup();
        cpus
    }
}

/// The text of a regular file. Others are left alone: opening a pipe would wait for its writer.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text fit for a line of a terminal: nothing that steers it or turns the reading direction, no
/// marks of quoted commands, not endless; `None` if nothing is left.
pub(crate) fn shown(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| is_shown(*c)).take(LONGEST_LINE).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_string())
}

fn is_shown(c: char) -> bool {
    c == ' ' || c.is_alphanumeric() || (c.is_ascii_graphic() && c != '`')
}

/// Whether a word means nothing to a shell.
pub(crate) fn is_plain_word(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 64
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_plain_word_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let tree = Tree::new(folder.path());
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"powersave\n", Some("powersave")),
            (b"amd-pstate-epp", Some("amd-pstate-epp")),
            (b"x; rm -rf /\n", None),
            (b"\x1b[31mred", None),
            (b"--help", None),
            (b"\xff\xfe", None),
        ];
        for (bytes, word) in cases {
            std::fs::write(folder.path().join("file"), bytes).unwrap();
            assert_eq!(tree.word("file").as_deref(), word);
        }
        assert_eq!(tree.word("missing"), None);
    }

    #[test]
    fn lines_are_fit_for_a_terminal() {
        assert_eq!(shown("  AMD\u{1b}[2J \0EP\u{202e}Y`C \n").as_deref(), Some("AMD[2J EPYC"));
        assert_eq!(shown(" \n\0"), None);
        assert_eq!(shown(&"x".repeat(5000)).unwrap().len(), LONGEST_LINE);
    }
}
