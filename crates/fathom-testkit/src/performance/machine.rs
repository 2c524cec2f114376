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

/// A machine with more load than this is not quiet.
const QUIET: f64 = 0.5;

/// The load average of the last minute, where the machine tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Load(pub(super) Option<f64>);

impl Load {
    /// As it is now.
    pub(super) fn now() -> Load {
        let text = std::fs::read_to_string("/proc/loadavg").ok();
        Load(text.and_then(|text| text.split(' ').next()?.parse().ok()))
    }

    /// What to say before a study on a busy machine.
    pub(super) fn warning(self) -> Option<String> {
        let load = self.0.filter(|&load| load > QUIET)?;
        Some(format!("the load average is {load}: \"quiet\" trials will not be quiet"))
    }

    /// ", with a load average of 0.3 at the start".
    pub(super) fn in_words(self) -> String {
        self.0.map_or(String::new(), |load| {
            let is_busy = if load > QUIET { ", which is not a quiet machine" } else { "" };
            format!(", with a load average of {load} at the start{is_busy}")
        })
    }
}

fn model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::Load;

    #[test]
    fn a_load_is_told_and_a_high_one_warned_of() {
        assert_eq!(Load(Some(0.1)).in_words(), ", with a load average of 0.1 at the start");
        assert!(Load(Some(2.0)).in_words().ends_with("not a quiet machine"));
        assert_eq!(Load(None).in_words(), "");
        assert!(Load(Some(2.0)).warning().is_some() && Load(Some(0.1)).warning().is_none());
    }

    #[test]
    fn the_model_is_what_follows_the_colon() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n";
        assert_eq!(super::model(text).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(super::model("nothing"), None);
    }
}
