//! The kernel's way to write sets of CPUs: "0-3,8".

/// More CPUs than any kernel has (`CONFIG_NR_CPUS` is at most 8192).
const MOST: usize = 1 << 16;

/// Reads a list; empty text is the empty set, anything that is not a list is `None`.
pub(crate) fn parse(text: &str) -> Option<Vec<u32>> {
    let text = text.trim();
    // Some kernels print a null pointer where a list was never made.
    if text.is_empty() || text == "(null)" {
        return Some(Vec::new());
    }
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        let count = usize::try_from(last.checked_sub(first)?).ok()?.checked_add(1)?;
        if cpus.len().saturating_add(count) > MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

/// Writes a set the same way.
pub(crate) fn written(cpus: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cpu) => *last = cpu,
            _ => ranges.push((cpu, cpu)),
        }
    }
    let written = ranges.into_iter().map(|(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    written.collect::<Vec<String>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_kernel_writes() {
        assert_eq!(parse("0-3,8\n"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(parse("5"), Some(vec![5]));
        assert_eq!(parse("\n"), Some(vec![]));
        assert_eq!(parse("(null)\n"), Some(vec![]));
        for odd in ["3-1", "0-", "a", "0-4294967295", "1,,2", "-1"] {
            assert_eq!(parse(odd), None, "{odd}");
        }
        for list in ["0-3,8", "1,3,5-6", ""] {
            assert_eq!(written(&parse(list).unwrap()), list);
        }
    }
}
