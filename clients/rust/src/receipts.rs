//! Receipts of what a server says about its event, so that it can be held to it later (docs/proof.md).

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Value, json};

use crate::v1::{DescribeEventResponse, MatchEnd, MatchStart};

const KINDS: [&str; 3] = ["event", "match_start", "match_end"];
/// The longest receipt, which names all entrants of an event, is shorter.
const MOST_BYTES: u64 = 1 << 20;

/// Refuses a file that is neither empty nor begins with a receipt. Only a regular file can be spoilt.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    if !fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0) {
        return Ok(());
    }
    let mut line = Vec::new();
    BufReader::new(File::open(path)?.take(MOST_BYTES)).read_until(b'\n', &mut line)?;
    let first: Value = serde_json::from_slice(&line).unwrap_or_default();
    match first["kind"].as_str() {
        Some(kind) if KINDS.contains(&kind) => Ok(()),
        _ => Err(io::Error::other("it is there and holds no receipts")),
    }
}

/// Writer of receipts, a line of JSON each, over all connections.
pub(crate) struct Receipts<W = File> {
    file: W,
    event: String,
    commitment: String,
}

impl<W: io::Write> Receipts<W> {
    pub(crate) fn new(file: W) -> Self {
        Self { file, event: String::new(), commitment: String::new() }
    }

    /// Writes the description of the event, before the server gets the nonce of the bot. There may be no event.
    pub(crate) fn describe(&mut self, described: &DescribeEventResponse, nonce: &[u8]) {
        self.event.clone_from(&described.event);
        self.commitment = hexadecimal(&described.commitment);
        if self.event.is_empty() {
            return;
        }
        let beacon = described.beacon.as_ref();
        self.keep(json!({
            "kind": "event",
            "secret_digest": hexadecimal(&described.secret_digest),
            "settings_digest": hexadecimal(&described.settings_digest),
            "entrants": described.entrants,
            "beacon": beacon.map(|it| json!({"source": it.source, "round": it.round, "value": hexadecimal(&it.value)})),
            "nonce": hexadecimal(nonce),
        }));
    }

    /// Writes the head of the ledger at the beginning of a match, if it belongs to an event.
    pub(crate) fn begin(&mut self, start: &MatchStart) {
        if start.ledger_length > 0 {
            let name = start.players.get(start.seat as usize).map_or("", |player| &player.name);
            let receipt = json!({"kind": "match_start", "match_id": start.match_id, "name": name});
            self.keep_head(receipt, start.ledger_length, &start.ledger_head);
        }
    }

    /// Writes the end of a match of an event. The digest of a void one is empty.
    pub(crate) fn end(&mut self, start: &MatchStart, end: &MatchEnd) {
        if end.ledger_length > 0 {
            let digest = hexadecimal(&end.record_digest);
            let receipt = json!({"kind": "match_end", "match_id": start.match_id, "record_digest": digest});
            self.keep_head(receipt, end.ledger_length, &end.ledger_head);
        }
    }

    fn keep_head(&mut self, mut receipt: Value, length: u32, head: &[u8]) {
        receipt["length"] = length.into();
        receipt["head"] = hexadecimal(head).into();
        self.keep(receipt);
    }

    /// Appends a receipt by a single system call, so that lines of several processes never mix.
    fn keep(&mut self, mut receipt: Value) {
        if !self.event.is_empty() {
            receipt["event"] = self.event.as_str().into();
            receipt["commitment"] = self.commitment.as_str().into();
        }
        if let Err(error) = self.file.write_all(format!("{receipt}\n").as_bytes()) {
            log::error!("a receipt could not be written: {error}");
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // A `String` takes all that is written.
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{Beacon, Player};

    fn lines(receipts: Receipts<Vec<u8>>) -> Vec<String> {
        String::from_utf8(receipts.file).expect("JSON").lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_a_server_says_of_its_event_is_kept_line_by_line() {
        let mut receipts = Receipts::new(Vec::new());
        let beacon = Some(Beacon { source: "drand".into(), round: 7, value: vec![9] });
        let (event, entrants) = ("friday".into(), vec!["ana\n".into()]);
        let described = DescribeEventResponse { event, commitment: vec![1], entrants, beacon, ..Default::default() };
        receipts.describe(&described, &[0xab]);
        let players = vec![Player { name: "ana".into(), ..Default::default() }];
        let start =
            MatchStart { match_id: "m".into(), players, ledger_length: 2, ledger_head: vec![3], ..Default::default() };
        receipts.begin(&start);
        receipts.end(&start, &MatchEnd { ledger_length: 5, ..Default::default() });
        assert_eq!(
            lines(receipts),
            [
                r#"{"beacon":{"round":7,"source":"drand","value":"09"},"commitment":"01","entrants":["ana\n"],"event":"friday","kind":"event","nonce":"ab","secret_digest":"","settings_digest":""}"#,
                r#"{"commitment":"01","event":"friday","head":"03","kind":"match_start","length":2,"match_id":"m","name":"ana"}"#,
                r#"{"commitment":"01","event":"friday","head":"","kind":"match_end","length":5,"match_id":"m","record_digest":""}"#,
            ]
        );
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let path = std::env::temp_dir().join(format!("ordago-receipts-{}", std::process::id()));
        let is_taken = |contents: &str| {
            fs::write(&path, contents).expect("there is a place for it");
            check(&path).is_ok()
        };
        let wrong = ["root:x:0:0\n", "[]\n", "null", "{\"kind\": 1}\n", "{\"start\": {}}\n"].map(is_taken);
        let right = ["", "{\"kind\": \"match_end\"}\n{", "{\"kind\": \"event\"}"].map(is_taken);
        fs::remove_file(&path).expect("it is there");
        assert_eq!((wrong, right), ([false; 5], [true; 3]));
        assert!(check(&path).is_ok() && check(Path::new("/dev/null")).is_ok());
    }

    #[test]
    fn of_a_server_without_an_event_nothing_is_kept() {
        let mut receipts = Receipts::new(Vec::new());
        receipts.describe(&DescribeEventResponse::default(), &[]);
        receipts.begin(&MatchStart { seat: 9, ..Default::default() });
        receipts.end(&MatchStart::default(), &MatchEnd::default());
        assert!(lines(receipts).is_empty());
    }
}
