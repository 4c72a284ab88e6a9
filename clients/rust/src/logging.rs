//! The log of a bot: a line for each event, on standard error.

use std::io::{self, Write};
use std::process;
use std::sync::LazyLock;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime};

use log::{Level, LevelFilter, Log, Metadata, Record};
use prost_types::Timestamp;

use crate::environment::visible;

/// Enough for all that a bot of many matches logs at once. More are waiting only if nobody reads them.
const WAITING_LINES: usize = 4096;
/// A reader that is alive takes the last lines in less.
const LONGEST_FLUSH: Duration = Duration::from_secs(1);

enum Job {
    Write(String),
    Flush(SyncSender<()>),
}

/// A thread that writes to standard error, which may be a pipe that nobody reads: the bot itself must not wait for it.
static WRITER: LazyLock<SyncSender<Job>> = LazyLock::new(|| {
    let (sender, jobs) = sync_channel(WAITING_LINES);
    let write = move || {
        for job in jobs {
            match job {
                // Without a reader there is nobody to tell of the error.
                Job::Write(text) => drop(io::stderr().write_all(text.as_bytes())),
                Job::Flush(done) => drop(done.send(())),
            }
        }
    };
    // If no thread can be started, lines are lost, and the bot says so when it starts its own.
    drop(thread::Builder::new().name("log".into()).spawn(write));
    sender
});

/// Writes to standard error, unless too much waits there already.
pub(crate) fn write(text: String) {
    drop(WRITER.try_send(Job::Write(text)));
}

/// Ends the process when its last lines are written.
pub(crate) fn exit(code: i32) -> ! {
    flush();
    process::exit(code)
}

fn flush() {
    let (done, written) = sync_channel(1);
    if WRITER.try_send(Job::Flush(done)).is_ok() {
        let _ = written.recv_timeout(LONGEST_FLUSH); // Without a reader the lines are lost.
    }
}

/// Writes log records to standard error.
struct StandardError;

/// Begins to log, unless the program that the bot is part of has a logger of its own.
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
        let sentence = visible(&record.args().to_string());
        write(format!("{} {} {sentence}\n", utc(SystemTime::now()), level_name(record.level())));
    }

    fn flush(&self) {
        flush();
    }
}

fn level_name(level: Level) -> &'static str {
    if level == Level::Warn { "WARNING" } else { level.as_str() }
}

/// Returns a time in UTC, with milliseconds.
fn utc(time: SystemTime) -> String {
    let Timestamp { seconds, nanos } = time.into();
    // `Timestamp` would leave out a fraction of zero.
    let second = Timestamp { seconds, nanos: 0 }.to_string();
    format!("{}.{:03}Z", second.trim_end_matches('Z'), nanos / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds_and_are_in_utc() {
        for (milliseconds, text) in [(1_778_349_765_215, "2026-05-09T18:02:45.215Z"), (0, "1970-01-01T00:00:00.000Z")] {
            assert_eq!(utc(SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds)), text);
        }
    }

    #[test]
    fn levels_have_the_names_of_all_sdks() {
        let levels = [Level::Error, Level::Warn, Level::Info, Level::Debug];
        assert_eq!(levels.map(level_name), ["ERROR", "WARNING", "INFO", "DEBUG"]);
    }
}
