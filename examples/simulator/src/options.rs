//! The command line.

use crate::predictor::Scheme;

/// What `--help` prints.
pub const HELP: &str = "\
Simulates two small cores that share a cache; everything follows from the seed.

Usage: toycore --seed N [OPTIONS]

Options:
  --seed N            what the random latencies and errors follow from
  --l2 SIZE           the second-level cache: 64kB to 16MB, a power of two, kB = 1024 bytes as in
                      gem5 [default: 512kB]
  --predictor KIND    gshare or bimodal [default: gshare]
  --instructions N    how much the program has to do, 1 to 100000000 [default: 500000]
  --trace FILE        writes signals and events as fathom-execution/1; - for standard output, in
                      place of the summary
  --stats FILE        writes statistics in the format of gem5's stats.txt
  --dump-every CYCLES how often --stats dumps them [default: once, at the end]
  --help              prints this
";

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    pub seed: u64,
    pub l2_bytes: u64,
    pub scheme: Scheme,
    pub instructions: u64,
    pub trace: Option<String>,
    pub stats: Option<String>,
    pub dump_every: Option<u64>,
}

/// Reads the arguments after the program's name; `None` if help was asked for.
///
/// # Errors
/// What is wrong with them and what to write instead.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Option<Options>, String> {
    let mut seed = None;
    let mut options = Options {
        seed: 0,
        l2_bytes: 512 << 10,
        scheme: Scheme::Gshare,
        instructions: 500_000,
        trace: None,
        stats: None,
        dump_every: None,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--help" || argument == "-h" {
            return Ok(None);
        }
        // Both `--seed 1` and `--seed=1`.
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (argument.as_str(), None),
        };
        let known = [
            "--seed",
            "--l2",
            "--predictor",
            "--instructions",
            "--trace",
            "--stats",
            "--dump-every",
        ];
        if !known.contains(&name) {
            return Err(format!("there is no option {name}; --help lists them"));
        }
        let value = attached.or_else(|| arguments.next());
        let value = value.ok_or_else(|| format!("{name} needs a value; --help tells which"))?;
        match name {
            "--seed" => seed = Some(number(name, &value, 0, u64::MAX)?),
            "--l2" => options.l2_bytes = size(&value)?,
            "--predictor" => options.scheme = scheme(&value)?,
            "--instructions" => options.instructions = number(name, &value, 1, 100_000_000)?,
            "--trace" => options.trace = Some(value),
            "--stats" => options.stats = Some(value),
            _ => options.dump_every = Some(number(name, &value, 1, u64::MAX)?),
        }
    }
    options.seed = seed.ok_or("the run needs a seed; give one with --seed N")?;
    if options.dump_every.is_some() && options.stats.is_none() {
        return Err("--dump-every has no effect without --stats FILE; give both".to_string());
    }
    Ok(Some(options))
}

fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        format!("{name} {text} cannot be; give a whole number from {least} to {most}")
    })
}

fn size(text: &str) -> Result<u64, String> {
    let units = [("kB", 1 << 10), ("KiB", 1 << 10), ("MB", 1 << 20), ("MiB", 1 << 20)];
    let bytes = units.iter().find_map(|(unit, bytes)| {
        text.strip_suffix(unit)?.trim_end().parse::<u64>().ok()?.checked_mul(*bytes)
    });
    let fits = |bytes: &u64| bytes.is_power_of_two() && (64 << 10..=16 << 20).contains(bytes);
    bytes.filter(fits).ok_or_else(|| {
        format!("--l2 {text} cannot be; give a power of two from 64kB to 16MB, as in --l2 1MB")
    })
}

fn scheme(text: &str) -> Result<Scheme, String> {
    let known = [Scheme::Gshare, Scheme::Bimodal].into_iter().find(|known| known.name() == text);
    known.ok_or_else(|| format!("there is no predictor {text}; give gshare or bimodal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Options>, String> {
        parse(line.split_whitespace().map(str::to_string))
    }

    #[test]
    fn options_are_read() {
        let line = "--seed 7 --l2=1MB --predictor bimodal --trace - --stats s.txt --dump-every 500";
        let options = read(line).unwrap().unwrap();
        assert_eq!((options.seed, options.l2_bytes), (7, 1 << 20));
        assert_eq!(options.scheme, Scheme::Bimodal);
        assert_eq!(options.trace.as_deref(), Some("-"));
        assert_eq!((options.stats.as_deref(), options.dump_every), (Some("s.txt"), Some(500)));
        assert_eq!(read("--seed 7 --help"), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, part) in [
            ("", "needs a seed"),
            ("--seed", "--seed needs a value"),
            ("--seed -1", "--seed -1 cannot be"),
            ("--seed 1 --l2 500kB", "a power of two"),
            ("--seed 1 --l2 512", "--l2 512 cannot be"),
            ("--seed 1 --l2 32MB", "from 64kB to 16MB"),
            ("--seed 1 --l2 18446744073709551615MB", "cannot be"),
            ("--seed 1 --predictor tage", "gshare or bimodal"),
            ("--seed 1 --sed 2", "there is no option --sed"),
            ("--seed 1 --dump-every 5", "no effect without --stats"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
