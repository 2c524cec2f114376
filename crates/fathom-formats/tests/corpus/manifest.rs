//! Any text is a manifest, which can be written again, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/manifest.rs`.

use fathom_record::foreign_text::is_steering;
use fathom_record::trace::Manifest;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Manifest::read(text) {
        Ok(manifest) => {
            let written = manifest.write().expect("what was read can be written");
            let again = Manifest::read(&written).expect("our own manifest reads back");
            assert_eq!(again, manifest);
            for sampler in manifest.runs.iter().flat_map(|run| &run.samplers) {
                assert!(!sampler.file.contains(['/', '\0']), "{:?}", sampler.file);
                assert!(sampler.cpu_share.is_none_or(f64::is_finite));
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
        }
    }
}
