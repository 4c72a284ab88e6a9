//! What a bot comes in with.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::options::Environment;

/// More than a server takes along with a call.
const LONGEST_TOKEN_BYTES: u64 = 8192;

#[derive(clap::Args)]
pub(crate) struct TokenOptions {
    /// The file that holds the token to come in with; default: $ORDAGO_TOKEN_FILE
    #[arg(long, value_name = "FILE")]
    token_file: Option<OsString>,

    /// The token itself, which other programs can see here; default: $ORDAGO_TOKEN
    #[arg(long)]
    token: Option<String>,
}

impl TokenOptions {
    /// Returns a token that can be sent, or a complaint that does not show it.
    pub(crate) fn settle(self, environment: Environment) -> Result<String, String> {
        let file = self.token_file.or_else(|| environment("ORDAGO_TOKEN_FILE").map(OsString::from));
        let given = self.token.filter(|token| !token.is_empty());
        let token = match (given, file) {
            (Some(token), _) => token,
            (None, Some(path)) => token_in(Path::new(&path))?,
            (None, None) => environment("ORDAGO_TOKEN").unwrap_or_default(),
        };
        if token.chars().all(|character| (' '..='~').contains(&character)) {
            return Ok(token);
        }
        Err("the token holds a character that no token has; was something else copied along with it?".into())
    }
}

fn token_in(path: &Path) -> Result<String, String> {
    let mut contents = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST_TOKEN_BYTES).read_to_end(&mut contents))
        .map_err(|error| format!("--token-file: {}", cannot_read(path, &error)))?;
    let token = String::from_utf8_lossy(&contents).trim().to_owned();
    if token.is_empty() {
        let path = path.display();
        return Err(format!("--token-file: {path} holds no token; that of a runner can be read only once"));
    }
    Ok(token)
}

/// Says in a sentence why a file cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> String {
    let reason = match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::PermissionDenied => "that is not allowed".to_owned(),
        _ => error.to_string(),
    };
    format!("cannot read {}: {reason}", path.display())
}
