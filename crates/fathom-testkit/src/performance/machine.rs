//! What was measured on, without naming it.

use std::env::consts::{ARCH, OS};

/// "2 cores of an AMD EPYC (x86_64, linux)".
pub(super) fn in_words() -> String {
    let cores = match std::thread::available_parallelism().map(usize::from) {
        Ok(1) => "one core".to_string(),
        Ok(cores) => format!("{cores} cores"),
        Err(_) => "an unknown number of cores".to_string(),
    };
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model(&text));
    let processor = processor.unwrap_or_else(|| "processor of unknown model".to_string());
    format!("a machine with {cores} (processor \"{processor}\", {ARCH}, {OS})")
}

fn model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_model_is_what_follows_the_colon() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n";
        assert_eq!(super::model(text).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(super::model("nothing"), None);
    }
}
