//! The log of a bot: one line for each thing, on the standard error.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use log::{LevelFilter, Log, Metadata, Record};

/// Writes what is logged to the standard error.
struct StandardError;

/// Begins to log, unless the program that the bot is part of does so in its own way.
pub(crate) fn begin(verbose: bool) {
    if log::set_logger(&StandardError).is_ok() {
        log::set_max_level(if verbose { LevelFilter::Debug } else { LevelFilter::Info });
    }
}

impl Log for StandardError {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let line = format!("{} {} {}\n", time_of_day(since.as_millis()), record.level(), in_one_line(record.args()));
        let _ = io::stderr().write_all(line.as_bytes()); // Where nobody listens there is nobody to tell that.
    }

    fn flush(&self) {}
}

/// The time of the day, by the world's clock.
fn time_of_day(milliseconds: u128) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{:03}", seconds % 60, milliseconds % 1000)
}

/// Writes out what would control a terminal or begin another line: sentences come from the server.
fn in_one_line(words: impl ToString) -> String {
    let mut line = String::new();
    for character in words.to_string().chars() {
        if character.is_control() || turns_writing(character) {
            line.extend(character.escape_unicode());
        } else {
            line.push(character);
        }
    }
    line
}

fn turns_writing(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_sentence_stays_in_its_line() {
        assert_eq!(in_one_line("a\nb\x1b[2J\u{202e}é"), r"a\u{a}b\u{1b}[2J\u{202e}é");
    }

    #[test]
    fn the_time_is_that_of_the_day() {
        assert_eq!(time_of_day(1_763_830_565_042), "16:56:05.042");
    }
}
