//! When, where and with what numbers were measured, and which files they were read from.

use crate::measuring::programs::Programs;
use crate::measuring::session;
use fathom_record::{Environment, InputFile, Provenance, utc};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What is measured from now on, on this machine.
pub(crate) fn of_measurement(programs: &Programs, folder: &Path) -> Provenance {
    Provenance {
        at: utc(session::now()),
        host: fathom_sys::machine::host_name(),
        kernel: fathom_sys::machine::kernel_release(),
        folder: folder.display().to_string(),
        fathom: Environment::of_this_build().fathom,
        programs: programs.files(),
    }
}

/// Data from these files. `-` is standard input, which is gone by now: `standard_input` is the hash of
/// what it was.
pub(crate) fn of_files<P: AsRef<Path>>(
    files: impl IntoIterator<Item = P>,
    standard_input: Option<String>,
) -> Environment {
    let mut inputs: Vec<InputFile> = Vec::new();
    for file in files {
        let file = file.as_ref();
        let hash = match file == Path::new("-") {
            true => standard_input.clone(),
            false => sha256_of_file(file),
        };
        let input = InputFile { file: file.display().to_string(), hash };
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    Environment::of_files(inputs)
}

/// The hash of a file's content; `None` if it cannot be read, or never ends.
pub(crate) fn sha256_of_file(path: &Path) -> Option<String> {
    // A pipe or a device was read already, or waits for a writer.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(shown(hasher)),
            count => hasher.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}

/// The hash of bytes.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(bytes);
    shown(hasher)
}

fn shown(hasher: Sha256) -> String {
    let digits: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b.csv");
        std::fs::write(&file, "abc").unwrap();
        // FIPS 180-2, B.1.
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of_file(&file).as_deref(), Some(abc));
        assert_eq!(sha256_of(b"abc"), abc);
        assert_eq!(sha256_of_file(folder.path()), None);
        assert_eq!(sha256_of_file(&folder.path().join("missing")), None);
        assert_eq!(sha256_of_file(Path::new("/dev/zero")), None);
    }

    #[test]
    fn inputs_are_listed_once_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["b", "a"].map(|name| folder.path().join(name));
        names.iter().for_each(|file| std::fs::write(file, "1\n").unwrap());
        let given = [&names[0], &names[1], &names[0]].map(|file| file.as_path());
        let all = given.into_iter().chain([Path::new("-")]);
        let inputs = of_files(all, Some("sha256:0".to_string())).inputs.unwrap();
        let files: Vec<&str> = inputs.iter().map(|one| one.file.as_str()).collect();
        assert_eq!(files, [names[0].to_str().unwrap(), names[1].to_str().unwrap(), "-"]);
        assert_eq!(inputs[2].hash.as_deref(), Some("sha256:0"));
    }
}
