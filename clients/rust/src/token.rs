//! The token of a bot.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::environment::{Environment, file_reason, given};

/// The longest token that servers take along with a call.
const LONGEST_TOKEN_BYTES: usize = 8192;

/// Returns a token that can be sent, empty for none; or a complaint that does not show it.
pub(crate) fn settle(
    token: Option<String>,
    file: Option<OsString>,
    environment: Environment,
) -> Result<String, String> {
    if let Some(token) = token.filter(|token| !token.is_empty()) {
        return checked("--token", token);
    }
    if let Some((name, value)) = given(file, "token-file", environment) {
        let path = Path::new(&value);
        return read(path).map_err(|because| format!("{name}: {} cannot be used: {because}", path.display()));
    }
    match given(None::<OsString>, "token", environment) {
        Some((name, value)) => checked(&name, value.to_string_lossy().into_owned()),
        None => Ok(String::new()),
    }
}

fn checked(name: &str, token: String) -> Result<String, String> {
    if token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(token);
    }
    Err(format!("{name}: the token holds a character that no token has; was something else copied along with it?"))
}

fn read(path: &Path) -> Result<String, String> {
    let mut contents = Vec::new();
    // A byte more than a token has tells a longer file from one of just that length.
    File::open(path)
        .and_then(|file| file.take(LONGEST_TOKEN_BYTES as u64 + 1).read_to_end(&mut contents))
        .map_err(|error| file_reason(&error))?;
    Ok(token_in(&contents)?.to_owned())
}

/// Returns the token in the contents of a file, or the reason for which there is none.
fn token_in(contents: &[u8]) -> Result<&str, &'static str> {
    if contents.starts_with(b"\xff\xfe") || contents.starts_with(b"\xfe\xff") || contents.contains(&0) {
        return Err("it is in UTF-16");
    }
    if contents.starts_with(b"\xef\xbb\xbf") {
        return Err("it begins with a byte-order mark");
    }
    let is_space = |byte: &u8| b" \t\r\n".contains(byte);
    let begin = contents.iter().position(|byte| !is_space(byte)).ok_or("it has no token")?;
    let end = contents.iter().rposition(|byte| !is_space(byte)).unwrap_or(begin);
    if contents.len() > LONGEST_TOKEN_BYTES {
        return Err("it is longer than 8192 bytes");
    }
    let token = &contents[begin..=end];
    if token.iter().any(|byte| b"\r\n".contains(byte)) {
        return Err("it has more than one line");
    }
    let text = str::from_utf8(token).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic()));
    text.ok_or("it has a character that no token has")
}

/// Says in a sentence why a file cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {}", path.display(), file_reason(error))
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use serde_json::json;

    use super::*;
    use crate::vectors::cases;

    #[test]
    fn token_files_are_read_as_the_vectors_say() {
        for case in cases("token-files") {
            let bytes = BASE64_STANDARD.decode(case["bytes"].as_str().expect("a text")).expect("base64");
            let read = match token_in(&bytes) {
                Ok(token) => json!({"bytes": case["bytes"], "token": token}),
                Err(because) => json!({"bytes": case["bytes"], "because": because}),
            };
            assert_eq!(read, case, "{bytes:?}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_told_with_the_reason() {
        assert_eq!(read(Path::new("/nowhere")), Err("no such file or directory".into()));
        assert_eq!(read(Path::new("/")), Err("is a directory".into()));
    }
}
