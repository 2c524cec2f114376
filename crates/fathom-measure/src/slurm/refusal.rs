//! What to do when sbatch refuses a job.

/// What sbatch says, in small letters, and what to do about it. The first that fits counts.
const ADVICE: &[(&str, &str)] = &[
    ("unrecognized option", "correct or leave out that --slurm-option"),
    ("invalid option", "correct or leave out that --slurm-option"),
    ("ambiguous", "write that --slurm-option in full"),
    ("qos", "choose another by --slurm-option=--qos=NAME, or lower --slurm-width if it is a limit"),
    ("submit limit", "lower --slurm-width"),
    ("policy", "lower --slurm-width, --slurm-time or --slurm-memory to what your account may use"),
    ("partition", "correct --slurm-partition; `sinfo` lists the partitions"),
    ("time limit", "lower --slurm-time; `sinfo` lists the limits"),
    ("--time", "correct --slurm-time"),
    ("memory", "lower --slurm-memory; `sinfo -o '%n %m'` lists what nodes have"),
    ("--mem", "correct --slurm-memory"),
    ("account", "correct --slurm-account"),
    ("feature", "correct --slurm-option=--constraint=..."),
    ("node configuration", "ask for less; `scontrol show nodes` lists what there is"),
    ("array", "lower --slurm-width"),
];

/// The sentence for the user.
pub(super) fn explain(said: &str) -> String {
    let small = said.to_lowercase();
    match ADVICE.iter().find(|(part, _)| small.contains(part)) {
        Some((_, advice)) => format!("Slurm refused the job: {said}; {advice}"),
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
