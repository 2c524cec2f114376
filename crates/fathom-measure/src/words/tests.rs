use super::*;
use proptest::prelude::*;
use std::process::Command;

fn words(command: &str) -> Vec<String> {
    split(command).unwrap().iter().map(|word| word.text().to_string()).collect()
}

fn error(command: &str) -> String {
    split(command).unwrap_err().to_string()
}

/// The arguments as `sh` sees them.
fn of_sh(arguments: &str) -> Vec<String> {
    let script = format!("each() {{ for a; do printf '%s\\0' \"$a\"; done; }}; each {arguments}");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "sh does not take {arguments:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split_terminator('\0').map(str::to_string).collect()
}

fn split_arguments(arguments: &str) -> Vec<String> {
    words(&format!("printf {arguments}")).into_iter().skip(1).collect()
}

#[test]
fn quotes_backslashes_and_comments_are_those_of_a_shell() {
    for (command, expected) in [
        ("sleep 0.1", vec!["sleep", "0.1"]),
        ("  a\t b  ", vec!["a", "b"]),
        ("a 'b c' \"d e\" f\\ g", vec!["a", "b c", "d e", "f g"]),
        ("a b'c'\"d\"e", vec!["a", "bcde"]),
        ("a '' \"\"", vec!["a", "", ""]),
        (r#"a "\a\\\"\$\`" '\a\\'"#, vec!["a", "\\a\\\"$`", r"\a\\"]),
        ("a \"b\\\nc\" d\\\ne \\\n f", vec!["a", "bc", "de", "f"]),
        ("a # b 'c | d", vec!["a"]),
        ("a b#c '#d' \\#e", vec!["a", "b#c", "#d", "#e"]),
        ("# first\n\n  a b # c\n# last\n \\\n", vec!["a", "b"]),
        ("find . -exec cat {} \\;", vec!["find", ".", "-exec", "cat", "{}", ";"]),
        ("awk '{print $1, $2}' f", vec!["awk", "{print $1, $2}", "f"]),
        ("grep '^a*[bc]?$' x", vec!["grep", "^a*[bc]?$", "x"]),
        ("grep \"a$\" b$ $", vec!["grep", "a$", "b$", "$"]),
        ("[ -f a ]", vec!["[", "-f", "a", "]"]),
        ("a [] ][ ! {x} {} }{ a=b a~ x:~", {
            vec!["a", "[]", "][", "!", "{x}", "{}", "}{", "a=b", "a~", "x:~"]
        }),
        ("./cd x", vec!["./cd", "x"]),
        ("'time' -v a", vec!["time", "-v", "a"]),
        ("env A=1 b", vec!["env", "A=1", "b"]),
        ("1A=2", vec!["1A=2"]),
        ("'A'=2", vec!["A=2"]),
        ("A\\=2", vec!["A=2"]),
        ("größe 'ä ö'", vec!["größe", "ä ö"]),
        ("a 2 '2'", vec!["a", "2", "2"]),
    ] {
        assert_eq!(words(command), expected, "{command}");
    }
}

#[test]
fn the_words_are_those_of_sh() {
    for arguments in [
        r#"a 'b c' "d e" f\ g b'c'"d"e '' """#,
        r#""\a\\\"\$\`" '\a\\' "a$" b$ $ "a$ b""#,
        "\"b\\\nc\" d\\\ne \\\n f 'x\ny' # z",
        "b#c '#d' \\#e \\# \"#\" # no",
        "[] ][ ! {x} {} }{ a=b a~ x:~ [ ]",
        "if cd time { } A=1",
    ] {
        assert_eq!(split_arguments(arguments), of_sh(arguments), "{arguments}");
    }
}

#[test]
fn what_needs_a_shell_is_named_with_its_place() {
    let operator = |what: &str, column: usize| {
        format!("\"{what}\" at column {column} needs a shell. Add -S sh (or -S bash), or quote it.")
    };
    for (command, what, column) in [
        ("sleep 1 | cat", "|", 9),
        ("a||b", "||", 2),
        ("a &", "&", 3),
        ("a && b", "&&", 3),
        ("a; b", ";", 2),
        ("a 2>&1", "2>&1", 3),
        ("a 2>/dev/null", "2>", 3),
        ("a >&2", ">&2", 3),
        ("a x2>&1", ">&1", 5),
        ("a '2'>&1", ">&1", 6),
        ("a << END", "<<", 3),
        ("(a)", "(", 1),
        ("a )", ")", 3),
        ("echo $HOME/x", "$HOME", 6),
        ("echo $(date)", "$(", 6),
        ("echo ${x}", "${", 6),
        ("echo $12", "$1", 6),
        ("echo $\\\nHOME", "$HOME", 6),
        ("echo $?", "$?", 6),
        ("echo $'a'", "$'", 6),
        ("echo `date`", "`", 6),
        ("cat *.txt", "*", 5),
        ("cat 'a'b?", "?", 9),
        ("cat 'a b'[0-9].txt", "[", 10),
        ("ls ~/x", "~", 4),
        ("ls ~", "~", 4),
        ("ä '|ö' |", "|", 8),
    ] {
        assert_eq!(error(command), operator(what, column), "{command}");
    }
    for (command, what) in [("a > b", ">"), ("a >> b", ">>"), ("a 1> b", "1>")] {
        assert_eq!(
            error(command),
            operator(what, 3)
                + " To save what a command prints without a shell, use --stdout FILE."
        );
    }
    assert_eq!(
        error("a <b"),
        operator("<", 3) + " To set a command's standard input without a shell, use --input FILE."
    );
    for (command, what) in [
        ("a <(b)", "<("),
        ("a &> b", "&>"),
        ("a |& b", "|&"),
        ("a <<< b", "<<<"),
        ("a {b,c}", "{b,c}"),
        ("a {1..3}", "{1..3}"),
        ("a {b,{x}}d", "{b,{x}}"),
    ] {
        let expected = format!("\"{what}\" at column 3 needs bash. Add -S bash, or quote it.");
        assert_eq!(error(command), expected, "{command}");
    }
    assert_eq!(
        error("echo \"a $HOME\""),
        "\"$HOME\" at column 9 needs a shell, even inside double quotes. Add -S sh (or -S bash), \
         or use single quotes."
    );
    assert!(error("echo \"`date`\"").starts_with("\"`\" at column 7 needs a shell, even inside"));
}

#[test]
fn the_first_word_is_a_program() {
    for keyword in ["if a", "for x", "while a", "{ a", "!", "case x"] {
        let word = keyword.split(' ').next().unwrap();
        assert_eq!(
            error(keyword),
            format!(
                "\"{word}\" at column 1 is a shell keyword. Add -S sh (or -S bash), or quote it \
                 if it is a program."
            )
        );
    }
    for keyword in ["[[ -f a ]]", "time ls"] {
        assert!(error(keyword).contains(" at column 1 is a bash keyword. Add -S bash, or quote"));
    }
    for builtin in ["cd", "exit", "export", ".", "ulimit", "set", "eval", "'cd'", "\\exec"] {
        let message = error(&format!(" {builtin} x && y"));
        assert!(message.contains(" at column 2 is a shell builtin. Add -S sh (or"), "{message}");
    }
    assert_eq!(
        error("source x"),
        "\"source\" at column 1 is a bash builtin. Add -S bash, or write its path if it is a \
         program."
    );
    assert_eq!(
        error("A=1 B='x y' make"),
        "\"A=1\" at column 1 sets a variable, which needs a shell. Add -S sh (or -S bash), or \
         write \"env A=1 ...\"."
    );
    assert!(error("B='x y' make").contains("write \"env B='x y' ...\""));
    assert_eq!(words("echo cd if A=1 time"), ["echo", "cd", "if", "A=1", "time"]);
}

#[test]
fn commands_that_end_too_early_say_where() {
    for empty in ["", "  \t", "\n\n", "# only", "\\\n"] {
        assert_eq!(split(empty), Err(WordsError::Empty), "{empty:?}");
    }
    assert_eq!(words("''"), [""]);
    assert_eq!(
        error("echo 'a b"),
        "the quote ' at column 6 is not closed. Close it, or write \\' for a literal quote."
    );
    assert!(error("echo \"it's\n \"'x\"").starts_with("the quote ' at line 2, column 3 is not"));
    assert!(error("echo \"a\\\"").starts_with("the quote \" at column 6 is not closed"));
    assert!(error("a \\").starts_with("nothing follows the backslash at column 3."));
    for nul in ["a \0", "a '\0'", "a \"\0\"", "a \\\0"] {
        assert!(error(nul).starts_with("there is a NUL character at column "), "{nul:?}");
    }
    assert_eq!(
        error("make\n\n  make install\n"),
        "a second command begins at line 3, column 3, which needs a shell. Add -S sh (or -S bash)."
    );
}

#[test]
fn words_know_what_was_side_by_side() {
    let words = split(r#"a{x}b "{x}" {"x"} \{x\} \{x}"#).unwrap();
    let verbatim: Vec<bool> = words
        .iter()
        .map(|word| {
            let at = word.text().find("{x}").unwrap();
            word.is_verbatim(at..at + 3)
        })
        .collect();
    assert_eq!(verbatim, [true, true, false, false, true]);
}

/// Text of what splitting is about, without what needs a shell, and without line continuations,
/// which shlex turns into empty words.
fn plain() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "a", "b", " ", "\t", "'", "\"", "\\", "#", "ä", "=", "-", "]", "}", "!", ":", "%", "' '",
        "\"#\"", "\\\\",
    ]);
    proptest::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn plain_words_are_those_of_shlex(text in plain()) {
        let command = format!("run {text}");
        let ours = split(&command);
        let ours = ours.ok().map(|words| words.iter().map(|word| word.text.clone()).collect());
        prop_assert_eq!(ours, shlex::split(&command));
    }

    #[test]
    fn whatever_shlex_quotes_comes_back(
        arguments in proptest::collection::vec("[^\0]{0,12}", 0..6)
    ) {
        let quoted = shlex::try_join(arguments.iter().map(String::as_str)).unwrap();
        let words = split(&format!("run {quoted}")).unwrap();
        prop_assert_eq!(words.arguments(), arguments);
    }

    #[test]
    fn nothing_panics_and_words_are_made_of_the_command(command in any::<String>()) {
        if let Ok(words) = split(&command) {
            for word in words.iter() {
                prop_assert_eq!(word.text.len(), word.origins.len());
                for (byte, origin) in word.text.bytes().zip(&word.origins) {
                    prop_assert_eq!(Some(&byte), command.as_bytes().get(origin.at));
                }
            }
        }
    }

    #[test]
    fn special_characters_never_panic(command in r#"[a-c1=$`'"\\|&;<>(){},.*?~!\[\]# \n\t]{0,30}"#) {
        if let Err(error) = split(&command) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whatever passes means the same to a shell: nothing special slips through.
    #[test]
    fn what_passes_means_the_same_to_sh(
        text in r#"([a-c1=$'"\\{},.*?~!\[\]# :^-]|\\\$|\\\n|'[ $*|\n]'){0,12}"#
    ) {
        if let Ok(words) = split(&format!("each {text}")) {
            prop_assert_eq!(words.arguments(), of_sh(&text), "{:?}", text);
        }
    }
}
