//! What to do when sbatch refuses a job.

/// What sbatch prints, in lower case, and what to do. The first match counts.
const ADVICE: &[(&str, &str)] = &[
    ("unrecognized option", "Correct or remove that --slurm-option."),
    ("invalid option", "Correct or remove that --slurm-option."),
    ("ambiguous", "Write that --slurm-option in full."),
    (
        "qos",
        "Choose another with --slurm-option=--qos=NAME, or lower --slurm-width if it is a limit.",
    ),
    ("submit limit", "Lower --slurm-width."),
    ("policy", "Lower --slurm-width, --slurm-time or --slurm-memory to what your account may use."),
    ("partition", "Correct --slurm-partition; `sinfo` lists the partitions."),
    ("time limit", "Lower --slurm-time; `sinfo` lists the limits."),
    ("--time", "Correct --slurm-time."),
    ("memory", "Lower --slurm-memory; `sinfo -o '%n %m'` lists the memory of each node."),
    ("--mem", "Correct --slurm-memory."),
    ("account", "Correct --slurm-account."),
    ("feature", "Correct --slurm-option=--constraint=..."),
    ("node configuration", "Request less; `scontrol show nodes` lists what is available."),
    ("array", "Lower --slurm-width."),
];

/// The sentence for the user.
pub(super) fn explain(said: &str) -> String {
    let small = said.to_lowercase();
    match ADVICE.iter().find(|(part, _)| small.contains(part)) {
        Some((_, advice)) => format!("Slurm refused the job: {said}. {advice}"),
        None => format!("Slurm refused the job: {said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_names_the_option() {
        let told = |said: &str, part: &str| {
            let text = explain(said);
            assert!(text.contains(said) && text.contains(part), "{text}");
        };
        told("sbatch: error: invalid partition specified: nope", "--slurm-partition");
        told("sbatch: error: Invalid --time specification", "--slurm-time");
        told("sbatch: error: Memory specification can not be satisfied", "--slurm-memory");
        told("sbatch: unrecognized option '--foo'", "--slurm-option");
        told(
            "Batch job submission failed: Invalid account or account/partition combination",
            "acc",
        );
        told("Requested time limit is invalid (missing or exceeds some limit)", "--slurm-time");
        told("Batch job submission failed: Invalid feature specification", "--constraint");
        assert_eq!(explain("because"), "Slurm refused the job: because");
    }
}
