//! What `--help` says, and the options that there are.

/// What `--help` says.
pub(crate) const HELP: &str = "\
Time functions and compare them, in a bench built with fathom-bench.

Usage: cargo bench [--bench NAME] -- [FILTER]... [OPTIONS]

What to measure:
  FILTER               Measure only names that match one of these regular
                       expressions
      --exact          Treat filters as whole names, not regular expressions
      --skip FILTER    Skip names that match; may be repeated
      --ignored        Measure only benches marked as ignored
      --include-ignored  Measure ignored benches too
      --list           List the names and measure nothing

Time and precision:
      --max-time TIME  Time limit for each bench and comparison: 500ms, 2s
                       [default: 1s, and 2s for comparisons]
      --executions N   Start this program N times, and make the interval of a
                       bench one over executions; 1 measures this execution
                       only [default: 12, or fewer if starting and setting up
                       take long]
      --precision P    Stop a bench when its interval is within ±P, in each
                       execution [default: 0.5%]
      --confidence C   Confidence level [default: 95%]
      --margin M       Treat smaller differences as no difference [default: that
                       of a gate; else 0.5%, and 1% with --baseline]
      --statistic S    What comparisons compare: median, mean, min, p99, p99.9,
                       quantiles (all at once; not with --baseline). It is of
                       batches of calls [default: median]
      --seed N         Seed of random numbers [default: random, reported]

Instead of time:
      --instructions   Count instructions per call, with the processor's counter
                       or valgrind; works with --baseline and gates
      --profile-time TIME  Call each function for this long, for a profiler;
                       measure nothing

Results over time:
      --save NAME      Save the results and this executable under a name
      --baseline NAME  Compare side by side with a saved result: the saved
                       executable runs again, alternating with this one
      --layouts N      Link both builds N times, each time in another random
                       order; 1 compares these two executables only
                       [default: as many as the time allows]
      --fail-if-slower M      Exit 1 if something is slower by more than M, 3 if
                              a slowdown of twice that cannot be ruled out
      --require-equivalent M  Exit 0 only if every difference is within M
      --gate-unchanged        Let gates fail for unchanged machine code, too
      --allow-inconclusive    Exit 0 also if a gate is inconclusive
      --no-results     Do not write the results to target/fathom

Output:
      --format FORMAT  human, json, csv, markdown, bencher (JSON for
                       bencher.dev) or libtest (lines of Rust's own benches)
                       [default: human]
      --include-values Include every value in the JSON of --format json
      --export-json FILE  Also write JSON with every value; - is standard output
      --report[=FILE]  Make a page of the results with charts, and open it in a
                       browser; needs the program fathom
                       [default: target/fathom/SUITE/report.html]
  -u, --time-unit UNIT ns, us, ms or s
      --color WHEN     auto, always or never
  -q, --quiet          Show only the answers
  -v, --verbose        Show more: batches, calls, warnings of every bench
  -h, --help           Show this text

Without --bench, which cargo bench adds, every function is called once, as a
test. Exit codes: 0 done and every gate passed, 1 a gate failed, 2 wrong usage,
3 a gate is inconclusive (unless --allow-inconclusive), 4 a bench panicked,
130 interrupted.

Without Linux, --baseline, --layouts and --gate-unchanged are refused.
";

/// The options that there are.
pub(crate) const OPTIONS: &[&str] = &[
    "--exact",
    "--skip",
    "--ignored",
    "--include-ignored",
    "--list",
    "--max-time",
    "--precision",
    "--confidence",
    "--margin",
    "--statistic",
    "--seed",
    "--save",
    "--baseline",
    "--layouts",
    "--executions",
    "--fail-if-slower",
    "--require-equivalent",
    "--gate-unchanged",
    "--allow-inconclusive",
    "--instructions",
    "--profile-time",
    "--no-results",
    "--format",
    "--include-values",
    "--export-json",
    "--report",
    "--time-unit",
    "--color",
    "--quiet",
    "--verbose",
    "--help",
];
