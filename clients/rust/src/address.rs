//! Addresses of servers, as `clients/vectors` has them.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The most that a Unix socket has room for.
const LONGEST_PATH_BYTES: usize = 107;
/// The limits of the domain name system.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;
const NO_PORT: &str = "it has no port";

/// The address of a server. Nothing in it is trimmed, decoded or guessed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Address {
    /// A name, an IPv4 address, or an IPv6 address without its brackets; and a port.
    Host(String, u16),
    /// The path of a Unix socket.
    Unix(String),
}

impl Address {
    /// Reads an address, or returns the reason for which it is none.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("it is empty");
        }
        if let Some(path) = text.strip_prefix("unix:") {
            return check_path(path).map(|()| Self::Unix(path.into()));
        }
        if text.contains("://") {
            return Err("it is a URL");
        }
        if let Some(rest) = text.strip_prefix('[') {
            return in_brackets(rest);
        }
        match text.split_once(':') {
            None => Err(NO_PORT),
            Some((_, port)) if port.contains(':') => Err("only an IPv6 address has more than one colon, in brackets"),
            Some((host, port)) => {
                let port = parse_port(port)?;
                check_host(host).map(|()| Self::Host(host.into(), port))
            }
        }
    }
}

/// Writes it as it was read.
impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(host, port) if host.contains(':') => write!(formatter, "[{host}]:{port}"),
            Self::Host(host, port) => write!(formatter, "{host}:{port}"),
            Self::Unix(path) => write!(formatter, "unix:{path}"),
        }
    }
}

fn check_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("the path is empty");
    }
    // Some libraries read `//` as the beginning of a URL, and `@` as a socket without a file.
    if path.starts_with("//") || path.starts_with('@') {
        return Err("the path begins with // or @");
    }
    if path.contains(['\0', '\n', '\r']) {
        return Err("the path has a NUL or a line end");
    }
    if path.len() > LONGEST_PATH_BYTES {
        return Err("the path is longer than 107 bytes");
    }
    Ok(())
}

/// Reads an address behind its opening bracket.
fn in_brackets(rest: &str) -> Result<Address, &'static str> {
    let (host, rest) = rest
        .split_once(']')
        .filter(|(host, _)| host.parse::<Ipv6Addr>().is_ok())
        .ok_or("the brackets do not hold an IPv6 address")?;
    let port = parse_port(rest.strip_prefix(':').ok_or(NO_PORT)?)?;
    Ok(Address::Host(host.into(), port))
}

fn parse_port(text: &str) -> Result<u16, &'static str> {
    if text.is_empty() {
        return Err(NO_PORT);
    }
    // `parse` alone would take a sign and leading zeros.
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit()) && !text.starts_with('0');
    let port = text.parse().ok().filter(|_| is_number);
    port.ok_or("the port is not a number from 1 to 65535")
}

fn check_host(host: &str) -> Result<(), &'static str> {
    let is_label = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let ends_in_number = host.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    let is_name = host.len() <= LONGEST_NAME && host.split('.').all(is_label) && !ends_in_number;
    if is_name || host.parse::<Ipv4Addr>().is_ok() {
        return Ok(());
    }
    Err("the host is neither a name nor an IPv4 address")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::vectors::cases;

    fn read(text: &str) -> Value {
        match Address::parse(text) {
            Ok(Address::Host(host, port)) => json!({"address": text, "host": host, "port": port}),
            Ok(Address::Unix(path)) => json!({"address": text, "path": path}),
            Err(because) => json!({"address": text, "because": because}),
        }
    }

    #[test]
    fn addresses_are_read_as_the_vectors_say() {
        for case in cases("addresses") {
            assert_eq!(read(case["address"].as_str().expect("a text")), case);
        }
    }

    #[test]
    fn an_address_is_written_as_it_was_read() {
        for case in cases("addresses") {
            let text = case["address"].as_str().expect("a text");
            assert!(
                Address::parse(text).is_ok_and(|address| address.to_string() == text) || case["because"].is_string()
            );
        }
    }
}
