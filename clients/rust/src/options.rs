//! The command line of a bot, and the environment that stands in for it.

use std::ffi::OsString;
use std::path::Path;

use tonic::transport::ClientTlsConfig;

use crate::receipts::Receipts;
use crate::tls::TlsOptions;
use crate::token::TokenOptions;
use crate::v1::{Hello, Software};

const DEFAULT_ADDRESS: &str = "127.0.0.1:7447";
const LONGEST_EVENT: usize = 64;
/// As few as the contract allows, which is 16 to 64: nobody guesses 128 bits.
const NONCE_BYTES: usize = 16;
const MOST_NONCE_BYTES: usize = 64;

/// The environment: the value of a variable, unless that is empty.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What every bot understands on its command line.
///
/// A bot with options of its own takes these in (`#[command(flatten)]`) and hands them to [`run_with`](crate::run_with).
#[derive(clap::Args)]
pub struct Options {
    /// HOST:PORT of the server, or unix:PATH; default: $ORDAGO_ADDRESS, or 127.0.0.1:7447
    #[arg(long)]
    address: Option<String>,

    #[command(flatten)]
    token: TokenOptions,

    /// The event to come in for; default: $ORDAGO_EVENT, or what the server plays at all times
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    #[command(flatten)]
    tls: TlsOptions,

    /// How the bot is called where its token does not say it
    #[arg(long)]
    name: Option<String>,

    /// A game to play; may be repeated; default: all that the bot plays
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,

    /// How many matches to play at once; 0: no limit
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    matches: u32,

    /// After how many matches to take no more, and end when all are over; 0: never
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    matches_in_all: u32,

    /// How many decisions to take at once; 0: no limit
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    decisions: u32,

    /// 16 to 64 bytes in hexadecimal that are mixed into the deals; default: $ORDAGO_NONCE, or chance
    #[arg(long, value_name = "HEXADECIMAL")]
    nonce: Option<String>,

    /// Append what the server says of its event, to hold it to that later; default: $ORDAGO_RECEIPTS
    #[arg(long, value_name = "FILE")]
    receipts: Option<OsString>,

    /// Show every message that comes and goes
    #[arg(long, short)]
    verbose: bool,
}

/// What options and environment come to.
pub(crate) struct Settings {
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) event: String,
    pub(crate) tls: Option<ClientTlsConfig>,
    pub(crate) hello: Hello,
    pub(crate) receipts: Option<Receipts>,
    pub(crate) is_verbose: bool,
    /// Whether a runner started this, with which it is to end.
    pub(crate) is_launched: bool,
}

impl Options {
    /// Returns what they come to for a bot that plays some games, all if none are named; or a complaint.
    pub(crate) fn settle(self, bot: Software, games: &[&str], environment: Environment) -> Result<Settings, String> {
        let or_variable = |given: Option<String>, name| given.or_else(|| environment(name)).unwrap_or_default();
        let path = self.receipts.or_else(|| environment("ORDAGO_RECEIPTS").map(OsString::from));
        let address = or_variable(self.address, "ORDAGO_ADDRESS");
        let hello = Hello {
            bot: Some(Software { name: self.name.unwrap_or(bot.name), ..bot }),
            nonce: nonce_of(&or_variable(self.nonce, "ORDAGO_NONCE"))?,
            games: chosen(self.games, games)?,
            max_matches: self.matches,
            max_open_decisions: self.decisions,
            matches_in_all: self.matches_in_all,
            ..Default::default()
        };
        Ok(Settings {
            address: if address.is_empty() { DEFAULT_ADDRESS.into() } else { address },
            token: self.token.settle(environment)?,
            event: event_of(or_variable(self.event, "ORDAGO_EVENT"))?,
            tls: self.tls.settle(environment)?,
            hello,
            receipts: path.map(receipts_in).transpose()?,
            is_verbose: self.verbose,
            is_launched: environment("ORDAGO_LAUNCHED").is_some(),
        })
    }
}

/// The games that were asked for, if the bot plays them; all that it plays, if none were.
fn chosen(asked: Vec<String>, played: &[&str]) -> Result<Vec<String>, String> {
    if let Some(game) = asked.iter().find(|game| !played.is_empty() && !played.contains(&game.as_str())) {
        return Err(format!("--game: this bot does not play {game}, only {}", played.join(", ")));
    }
    Ok(if asked.is_empty() { played.iter().map(ToString::to_string).collect() } else { asked })
}

fn event_of(name: String) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.len() <= LONGEST_EVENT && name.bytes().all(fits) && !name.starts_with('-') {
        return Ok(name);
    }
    Err(format!("--event: {name:?} is no event: its name has small letters, digits and hyphens"))
}

fn nonce_of(text: &str) -> Result<Vec<u8>, String> {
    if text.is_empty() {
        return Ok(rand::random::<[u8; NONCE_BYTES]>().to_vec());
    }
    let byte = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
    let is_whole = text.len().is_multiple_of(2) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let nonce = text.as_bytes().chunks(2).map(byte).collect::<Option<Vec<_>>>().filter(|_| is_whole);
    nonce
        .filter(|nonce| (NONCE_BYTES..=MOST_NONCE_BYTES).contains(&nonce.len()))
        .ok_or_else(|| format!("--nonce: 16 to 64 bytes are written in hexadecimal, not {text:?}"))
}

fn receipts_in(path: OsString) -> Result<Receipts, String> {
    Receipts::open(Path::new(&path))
        .map_err(|error| format!("--receipts: cannot write to {}: {error}", Path::new(&path).display()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        options: Options,
    }

    fn settled(words: &[&str], variables: &[(&str, &str)], games: &[&str]) -> Result<Settings, String> {
        let options =
            CommandLine::try_parse_from([&["bot"], words].concat()).map_err(|error| error.to_string())?.options;
        let value = |name: &str| variables.iter().find(|variable| variable.0 == name).map(|it| it.1.to_owned());
        options.settle(Software { name: "own".into(), ..Default::default() }, games, &value)
    }

    fn complaint(words: &[&str], games: &[&str]) -> String {
        settled(words, &[], games).err().expect("it is wrong")
    }

    #[test]
    fn options_count_for_more_than_variables() {
        let variables = [
            ("ORDAGO_ADDRESS", "there:1"),
            ("ORDAGO_EVENT", "friday"),
            ("ORDAGO_NONCE", "cd"),
            ("ORDAGO_LAUNCHED", "1"),
        ];
        let words = ["--address", "here:1", "--nonce", &"ab".repeat(16), "--event", "monday"];
        let settings = settled(&words, &variables, &[]).expect("it is right");
        assert_eq!((settings.address.as_str(), settings.event.as_str()), ("here:1", "monday"));
        assert_eq!(settings.hello.nonce, [0xab; 16]);
        let by_variables = settled(&words[2..4], &variables, &[]).expect("it is right");
        assert_eq!((by_variables.address.as_str(), by_variables.event.as_str()), ("there:1", "friday"));
        assert!(by_variables.is_launched);
    }

    #[test]
    fn without_options_a_bot_plays_its_own_games_under_its_own_name() {
        let settings = settled(&[], &[], &["mittlere"]).expect("it is right");
        assert_eq!((settings.address.as_str(), settings.hello.games), (DEFAULT_ADDRESS, vec!["mittlere".to_owned()]));
        assert_eq!(settings.hello.bot.map(|bot| bot.name), Some("own".into()));
        assert_eq!(settings.hello.nonce.len(), NONCE_BYTES);
        assert!(settings.tls.is_none() && settings.receipts.is_none() && !settings.is_launched);
    }

    #[test]
    fn what_cannot_be_is_told() {
        assert_eq!(complaint(&["--game", "mus"], &["mittlere"]), "--game: this bot does not play mus, only mittlere");
        for nonce in ["zz", "abc", "ab", &"ab".repeat(65), "+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a"] {
            assert!(complaint(&["--nonce", nonce], &[]).contains("in hexadecimal, not"), "{nonce}");
        }
        assert!(complaint(&["--event", "a\nb"], &[]).contains("is no event"));
        assert!(complaint(&["--receipts", "/nowhere/at/all"], &[]).contains("cannot write to /nowhere/at/all"));
        assert!(complaint(&["--matches", "4294967296"], &[]).contains("--matches"));
    }

    #[test]
    fn the_token_in_a_file_counts_for_more_than_the_variable() {
        let file = std::env::temp_dir().join(format!("ordago-token-{}", std::process::id()));
        std::fs::write(&file, "from-file\n").expect("there is a place for it");
        let name = file.to_str().expect("a path");
        let variables = [("ORDAGO_TOKEN", "from-variable"), ("ORDAGO_TOKEN_FILE", name)];
        let token = |words: &[&str]| settled(words, &variables, &[]).map(|settings| settings.token);
        let (by_variable, by_option) = (token(&[]), token(&["--token", "given"]));
        std::fs::remove_file(&file).expect("it is there");
        assert_eq!((by_variable.as_deref(), by_option.as_deref()), (Ok("from-file"), Ok("given")));
    }
}
