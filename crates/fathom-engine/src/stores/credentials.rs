//! Tokens, passwords and secret headers: from files and the environment into the client, and nowhere
//! else. No message repeats one.

use crate::EngineError;
use fathom_fetch::http::{Client, basic_authentication};
use fathom_request::StoreAccess;
use std::path::Path;

/// Names of headers that hold secrets, or parts of such names.
const SECRET: [&str; 8] =
    ["auth", "cookie", "token", "secret", "password", "api-key", "apikey", "credential"];

/// Gives a client what a request says of credentials and headers. Whether there are secrets among them.
pub(super) fn put_into(client: &mut Client, access: &StoreAccess) -> Result<bool, EngineError> {
    let token = secret(
        ("--token-file", access.token_file.as_deref()),
        ("--token-env", access.token_env.as_deref()),
    )?;
    let password = secret(
        ("--password-file", access.password_file.as_deref()),
        ("--password-env", access.password_env.as_deref()),
    )?;
    let mut has_secrets = true;
    match (token, &access.user, password) {
        (Some(token), None, None) => client.header("Authorization", &format!("Bearer {token}")),
        (None, Some(user), Some(_)) if user.contains(':') => {
            return Err(EngineError::usage("--user: a user name cannot contain a colon"));
        }
        (None, Some(user), Some(password)) => {
            client.header("Authorization", &basic_authentication(user, &password));
        }
        (None, None, None) => has_secrets = false,
        (Some(_), _, _) => {
            return Err(EngineError::usage("use either a token or --user with a password"));
        }
        (None, Some(_), None) => {
            return Err(EngineError::usage(
                "--user needs its password: --password-file FILE or --password-env VARIABLE",
            ));
        }
        (None, None, Some(_)) => {
            return Err(EngineError::usage("a password needs its user: --user NAME"));
        }
    }
    for header in &access.headers {
        let (name, value) = parsed(header).ok_or_else(|| {
            EngineError::usage("--header takes a name and a value, such as 'X-Scope-OrgID: TENANT'")
        })?;
        let lower = name.to_ascii_lowercase();
        if SECRET.iter().any(|part| lower.contains(part)) {
            return Err(EngineError::usage(format!(
                "--header {name}: its value would be shown and stored. Use --token-file FILE or --user \
                 NAME, or write the header into a file and use --header-file FILE"
            )));
        }
        client.header(name, value);
    }
    if let Some(file) = &access.header_file {
        let text = contents("--header-file", file)?;
        let lines = text.lines().enumerate();
        for (n, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let (name, value) = parsed(line).ok_or_else(|| {
                EngineError::usage(format!(
                    "{}:{}: expected NAME: VALUE, a header in each line",
                    file.display(),
                    n + 1
                ))
            })?;
            client.header(name, value);
            has_secrets = true;
        }
    }
    Ok(has_secrets)
}

/// A secret from a file or from the environment.
fn secret(
    (file_option, file): (&str, Option<&Path>),
    (variable_option, variable): (&str, Option<&str>),
) -> Result<Option<String>, EngineError> {
    let (text, option) = match (file, variable) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            let message = format!("use {file_option} or {variable_option}, not both");
            return Err(EngineError::usage(message));
        }
        (Some(file), None) => (contents(file_option, file)?, file_option),
        (None, Some(name)) => {
            // What is no name may be the secret itself, typed in the wrong place.
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                return Err(EngineError::usage(format!(
                    "{variable_option} takes the name of an environment variable, not its value"
                )));
            }
            let text = std::env::var(name).map_err(|_| {
                EngineError::usage(format!(
                    "{variable_option}: the environment has no variable of this name. Export it, or use \
                     {file_option} FILE"
                ))
            })?;
            (text, variable_option)
        }
    };
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_control) {
        return Err(EngineError::usage(format!(
            "{option}: it has to hold one line, and it does not"
        )));
    }
    Ok(Some(text.to_string()))
}

fn contents(option: &str, file: &Path) -> Result<String, EngineError> {
    std::fs::read_to_string(file)
        .map_err(|error| EngineError::file(format!("{option} {}: {error}", file.display()), error))
}

/// The name and the value of a header.
fn parsed(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let (name, value) = (name.trim(), value.trim());
    let is_sane =
        !name.is_empty() && name.chars().all(is_name) && !value.contains(char::is_control);
    is_sane.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_fetch::http::HttpAddress;
    use std::time::Duration;

    fn given(access: &StoreAccess) -> Result<bool, String> {
        let address = HttpAddress::parse("http://localhost:9090").unwrap();
        let mut client = Client::new(address, Duration::from_secs(1));
        put_into(&mut client, access).map_err(|error| error.to_string())
    }

    #[test]
    fn wrong_credentials_say_what_to_do_and_are_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Some(path)
        };
        let none = StoreAccess::default;
        let (token, empty) = (file("token", "s3cret\n"), file("empty", "\n"));
        let two = file("two", "s3cret\ns3cret\n");
        let user = Some("me".to_string());
        for (access, found) in [
            (none(), Ok(false)),
            (StoreAccess { token_file: token.clone(), ..none() }, Ok(true)),
            (StoreAccess { user: user.clone(), password_file: token.clone(), ..none() }, Ok(true)),
            (StoreAccess { headers: vec!["X-Scope-OrgID: a".into()], ..none() }, Ok(false)),
            (
                StoreAccess { header_file: file("h", "# x\n\nX-Api-Key: s3cret\n"), ..none() },
                Ok(true),
            ),
            (StoreAccess { token_file: empty, ..none() }, Err("has to hold one line")),
            (StoreAccess { token_file: two, ..none() }, Err("has to hold one line")),
            (
                StoreAccess { token_file: Some("missing".into()), ..none() },
                Err("--token-file missing"),
            ),
            (
                StoreAccess { token_file: token.clone(), user: user.clone(), ..none() },
                Err("either a token or --user"),
            ),
            (
                StoreAccess { token_file: token.clone(), token_env: Some("A".into()), ..none() },
                Err("--token-file or --token-env, not both"),
            ),
            (StoreAccess { user, ..none() }, Err("--user needs its password")),
            (StoreAccess { password_file: token, ..none() }, Err("a password needs its user")),
            (
                StoreAccess { token_env: Some("s3cret.s3cret".into()), ..none() },
                Err("takes the name of an environment variable"),
            ),
            (
                StoreAccess { token_env: Some("FATHOM_NO_SUCH_VARIABLE".into()), ..none() },
                Err("has no variable of this name"),
            ),
            (
                StoreAccess { headers: vec!["Authorization: Bearer s3cret".into()], ..none() },
                Err("--header Authorization: its value would be shown"),
            ),
            (
                StoreAccess { headers: vec!["s3cret".into()], ..none() },
                Err("--header takes a name"),
            ),
            (
                StoreAccess { header_file: file("bad", "a: b\ns3cret\n"), ..none() },
                Err(":2: expected NAME: VALUE"),
            ),
        ] {
            match (given(&access), found) {
                (Ok(has), Ok(expected)) => assert_eq!(has, expected, "{access:?}"),
                (Err(text), Err(part)) => {
                    assert!(text.contains(part) && !text.contains("s3cret"), "{text}");
                }
                (now, expected) => panic!("{access:?}: {now:?}, not {expected:?}"),
            }
        }
    }
}
