//! The log of a bot: a line for each event, on standard error.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process;
use std::sync::LazyLock;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime};

use log::kv::{self, Key, Source, VisitSource};
use log::{Level, LevelFilter, Log, Metadata, Record};
use prost_types::Timestamp;
use serde_json::{Value, json};

use crate::environment::visible;

/// The target of all events of the SDK.
const TARGET: &str = "ordago";
/// What a record is called that has no `event`, such as those of the bot itself.
const NOTE: &str = "note";
/// The fields that a text shows below its line.
const BELOW: [(&str, &str); 2] = [("trace", ""), ("asked", "the decision: ")];

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

/// Waits until all lines are written, a moment at most.
pub(crate) fn flush() {
    let (done, written) = sync_channel(1);
    if WRITER.try_send(Job::Flush(done)).is_ok() {
        let _ = written.recv_timeout(LONGEST_FLUSH); // Without a reader the lines are lost.
    }
}

/// Logs an event with its fields.
pub(crate) fn tell(level: Level, event: &'static str, sentence: String, mut fields: Vec<(&'static str, Value)>) {
    fields.insert(0, ("event", event.into()));
    let record = format_args!("{sentence}");
    log::logger().log(&Record::builder().level(level).target(TARGET).args(record).key_values(&Fields(fields)).build());
}

/// The fields of an event as those of a record: texts and whole numbers as such, everything else in JSON.
struct Fields(Vec<(&'static str, Value)>);

impl Source for Fields {
    fn visit<'kvs>(&'kvs self, visitor: &mut dyn VisitSource<'kvs>) -> Result<(), kv::Error> {
        for (key, value) in &self.0 {
            let value = match value {
                Value::String(text) => kv::Value::from(text.as_str()),
                Value::Number(number) if number.is_u64() => kv::Value::from(number.as_u64().unwrap_or_default()),
                other => kv::Value::from_display(other),
            };
            visitor.visit_pair(Key::from_str(key), value)?;
        }
        Ok(())
    }
}

/// The fields of a record.
#[derive(Default)]
struct Collected(Vec<(String, Value)>);

impl<'kvs> VisitSource<'kvs> for Collected {
    fn visit_pair(&mut self, key: Key<'kvs>, value: kv::Value<'kvs>) -> Result<(), kv::Error> {
        let json = match (value.to_borrowed_str(), value.to_u64()) {
            (Some(text), _) => text.into(),
            (_, Some(number)) => number.into(),
            _ => serde_json::from_str(&value.to_string()).unwrap_or_else(|_| value.to_string().into()),
        };
        self.0.push((key.to_string(), json));
        Ok(())
    }
}

/// The fields of a record, in their order.
pub(crate) fn fields_of(record: &Record) -> Vec<(String, Value)> {
    let mut fields = Collected::default();
    let _ = record.key_values().visit(&mut fields); // This visitor never fails.
    fields.0
}

/// How standard error is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Writes log records to standard error.
struct StandardError(Format);

/// Begins to log, unless the program that the bot is part of has a logger of its own.
pub(crate) fn begin(format: Format, verbose: bool) {
    if log::set_boxed_logger(Box::new(StandardError(format))).is_ok() {
        log::set_max_level(if verbose { LevelFilter::Debug } else { LevelFilter::Info });
    }
}

impl Log for StandardError {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            let line = if self.0 == Format::Text { as_text } else { as_json };
            write(line(record, &fields_of(record), &utc(SystemTime::now())));
        }
    }

    fn flush(&self) {
        flush();
    }
}

fn as_text(record: &Record, fields: &[(String, Value)], time: &str) -> String {
    let mut text = format!("{time} {} {}\n", level_name(record.level()), visible(&record.args().to_string()));
    for (name, before) in BELOW {
        if let Some((_, value)) = fields.iter().find(|(key, _)| key == name) {
            let shown = value.as_str().map_or_else(|| value.to_string(), Into::into);
            for line in shown.lines() {
                let _ = writeln!(text, "{before}{}", visible(line)); // A `String` takes all that is written.
            }
        }
    }
    text
}

/// A line of JSON. Its keys keep their order, which a map of `serde_json` would not.
fn as_json(record: &Record, fields: &[(String, Value)], time: &str) -> String {
    let (events, fields): (Vec<_>, Vec<_>) = fields.iter().partition(|(key, _)| key == "event");
    let event = events.first().map_or_else(|| NOTE.into(), |(_, event)| event.clone());
    let mut line = format!("{{\"time\": {}, \"level\": {}", json!(time), json!(level_name(record.level())));
    let head = [("event", &event), ("message", &json!(record.args().to_string()))];
    for (key, value) in head.into_iter().chain(fields.into_iter().map(|(key, value)| (key.as_str(), value))) {
        let _ = write!(line, ", {}: {value}", json!(key)); // A `String` takes all that is written.
    }
    line + "}\n"
}

/// The name of a level in all SDKs.
pub(crate) fn level_name(level: Level) -> &'static str {
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

    /// A record in both formats, read back from what the logging crate makes of its fields.
    fn lines(level: Level, sentence: &str, fields: Vec<(&'static str, Value)>) -> (String, String) {
        let (arguments, fields) = (format_args!("{sentence}"), Fields(fields));
        let record = Record::builder().level(level).args(arguments).key_values(&fields).build();
        let fields = fields_of(&record);
        (as_text(&record, &fields, "NOW"), as_json(&record, &fields, "NOW"))
    }

    #[test]
    fn fields_keep_their_kind_and_order() {
        let fields = vec![
            ("event", json!("failed")),
            ("decision", json!(7)),
            ("seconds", json!(0.25)),
            ("games", json!(["mus"])),
        ];
        let (text, line) = lines(Level::Warn, "a\nb", fields);
        assert_eq!(text, "NOW WARNING a\\nb\n");
        let wanted = r#"{"time": "NOW", "level": "WARNING", "event": "failed", "message": "a\nb", "decision": 7, "seconds": 0.25, "games": ["mus"]}"#;
        assert_eq!(line, format!("{wanted}\n"));
    }

    #[test]
    fn a_trace_and_a_decision_stand_below_the_line() {
        let fields = vec![("trace", json!("here\nthere\u{1b}\n")), ("asked", json!({"number": 3}))];
        let (text, _) = lines(Level::Error, "it failed", fields);
        assert_eq!(text, "NOW ERROR it failed\nhere\nthere\\x1b\nthe decision: {\"number\":3}\n");
    }

    #[test]
    fn a_record_without_an_event_is_a_note() {
        let (_, line) = lines(Level::Info, "thinking", Vec::new());
        assert_eq!(line, "{\"time\": \"NOW\", \"level\": \"INFO\", \"event\": \"note\", \"message\": \"thinking\"}\n");
    }

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
