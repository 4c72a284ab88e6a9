//! Values of the command line, and the variables that stand in for them.

use std::env;
use std::ffi::OsString;
use std::io;

#[cfg(feature = "cli")]
use clap::builder::{OsStringValueParser, TypedValueParser};

/// The variables that tell other programs of a proxy, in lower case and in upper case.
const PROXIES: [&str; 4] = ["grpc_proxy", "https_proxy", "http_proxy", "all_proxy"];
const NOT_UTF8: &str = "it is not UTF-8";

/// The environment: the value of a variable, unless that is empty.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The name of an option or variable, and its value.
pub(crate) type Given = (String, OsString);

/// The value of a variable of this process, unless that is empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the value of an option, or of its variable, with the name of the one that it comes from.
pub(crate) fn given<T: Into<OsString>>(option: Option<T>, name: &str, environment: Environment) -> Option<Given> {
    if let Some(value) = option {
        return Some((format!("--{name}"), value.into()));
    }
    let variable = format!("ORDAGO_{}", name.to_uppercase().replace('-', "_"));
    environment(&variable).map(|value| (variable, value))
}

/// Returns a value as a text; empty if there is none.
pub(crate) fn text_of((name, value): &Given) -> Result<&str, String> {
    value.to_str().ok_or_else(|| format!("{name}: {NOT_UTF8}"))
}

/// Parses a text of the command line.
#[cfg(feature = "cli")]
pub(crate) fn in_utf8() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|text| text.into_string().map_err(|_| NOT_UTF8))
}

/// Reads a variable that is 1 or 0; one that is not set is 0.
pub(crate) fn is_on(name: &str, environment: Environment) -> Result<bool, String> {
    let value = environment(name).unwrap_or_default();
    let text = value.to_string_lossy();
    parse_switch(&text).ok_or_else(|| format!("{name}: '{}' is neither 1 nor 0", visible(&text)))
}

fn parse_switch(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "" | "0" => Some(false),
        _ => None,
    }
}

/// The name of a variable that sets a proxy, which a bot does not use.
pub(crate) fn unused_proxy(environment: Environment) -> Option<String> {
    let mut names = PROXIES.iter().flat_map(|name| [(*name).to_owned(), name.to_uppercase()]);
    names.find(|name| environment(name).is_some())
}

/// The reason for an error with a file: the words of the system, without their number.
pub(crate) fn file_reason(error: &io::Error) -> String {
    error.to_string().split(" (os error ").next().unwrap_or_default().to_lowercase()
}

/// Writes out what would control a terminal or begin another line: sentences come from the server.
pub(crate) fn visible(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        if character.is_control() || is_invisible(character) {
            line.push_str(&escaped(character));
        } else {
            line.push(character);
        }
    }
    line
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The escape that Python writes, as all SDKs do.
fn escaped(character: char) -> String {
    match character {
        '\n' | '\r' | '\t' => character.escape_default().to_string(),
        '\0'..='\u{ff}' => format!("\\x{:02x}", u32::from(character)),
        _ => format!("\\u{:04x}", u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::vectors::cases;

    #[test]
    fn switches_are_read_as_the_vectors_say() {
        for case in cases("switches") {
            let text = case["text"].as_str().expect("a text");
            let read = match parse_switch(text) {
                Some(on) => json!({"text": text, "on": on}),
                None => json!({"text": text, "because": "it is neither 1 nor 0"}),
            };
            assert_eq!(read, case);
        }
    }

    #[test]
    fn a_switch_that_is_neither_is_shown() {
        let told = is_on("ORDAGO_TLS", &|_| Some("on\n".into()));
        assert_eq!(told, Err(r"ORDAGO_TLS: 'on\n' is neither 1 nor 0".into()));
    }

    #[test]
    fn a_hostile_sentence_stays_in_its_line() {
        assert_eq!(visible("a\nb\x1b[2J\u{202e}é\u{85}"), r"a\nb\x1b[2J\u202eé\x85");
    }

    #[test]
    fn a_proxy_is_named_as_its_variable_is_written() {
        assert_eq!(unused_proxy(&|name| (name == "HTTPS_PROXY").then(|| "there:1".into())), Some("HTTPS_PROXY".into()));
        assert_eq!(unused_proxy(&|_| None), None);
    }
}
