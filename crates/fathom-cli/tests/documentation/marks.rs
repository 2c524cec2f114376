//! Comments before a block of commands, which say how to run it.

/// What the comments before a block say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    /// `exit N`: the status of the block's last command. 0 if absent; other commands end with 0.
    pub(crate) exit: i32,
    /// `exact`: the output is the same on every machine.
    pub(crate) is_exact: bool,
    /// `not run: REASON`.
    pub(crate) not_run: Option<String>,
}

impl Marks {
    pub(crate) fn of(comments: &[String]) -> Result<Marks, String> {
        let mut marks = Marks { exit: 0, is_exact: false, not_run: None };
        for comment in comments {
            if comment == "exact" {
                marks.is_exact = true;
            } else if let Some(code) = comment.strip_prefix("exit ") {
                marks.exit = code.parse().map_err(|_| format!("not an exit code: {code:?}"))?;
            } else if let Some(reason) = comment.strip_prefix("not run: ") {
                marks.not_run = Some(reason.trim().to_string());
            } else {
                return Err(format!(
                    "unknown comment {comment:?}; expected `exact`, `exit N` or `not run: REASON`"
                ));
            }
        }
        Ok(marks)
    }
}

#[test]
fn marks_are_read() {
    let of = |comments: &[&str]| {
        Marks::of(&comments.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(of(&[]), Ok(Marks { exit: 0, is_exact: false, not_run: None }));
    assert_eq!(of(&["exact", "exit 3"]), Ok(Marks { exit: 3, is_exact: true, not_run: None }));
    assert_eq!(of(&["not run: needs Slurm"]).unwrap().not_run.unwrap(), "needs Slurm");
    for wrong in ["exit three", "not run", "excat"] {
        assert!(of(&[wrong]).is_err(), "{wrong}");
    }
}
