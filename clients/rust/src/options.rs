//! The command line of a bot, and the environment that stands in for it.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::address::Address;
use crate::decision_log::DecisionLog;
#[cfg(feature = "cli")]
use crate::environment::in_utf8;
use crate::environment::{Environment, Given, file_reason, given, is_on, text_of, visible};
use crate::logging::Format;
use crate::player::PlayerSettings;
use crate::receipts::{self, Receipts};
use crate::tls::{Tls, TlsOptions};
use crate::token;
use crate::v1::{Hello, Software};

const DEFAULT_ADDRESS: &str = "127.0.0.1:7447";
const LONGEST_EVENT: usize = 64;
/// The fewest that the contract allows (16 to 64): 128 bits are too many to guess.
const NONCE_BYTES: usize = 16;
const MOST_NONCE_BYTES: usize = 64;

/// The options of every bot. A variable stands in for an option that is not given: see `--help`.
///
/// A bot with options of its own flattens these into its command line (`#[command(flatten)]`, feature `cli`) and passes
/// them to [`Client::run_with`](crate::Client::run_with). Programs set them by name:
///
/// ```
/// let mut options = ordago::Options::default();
/// options.address = Some("play.example.org:7447".into());
/// options.tls = true;
/// ```
#[derive(Clone, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(args_override_self = true))]
#[non_exhaustive]
pub struct Options {
    /// HOST:PORT of the server, or unix:PATH [$ORDAGO_ADDRESS; default: 127.0.0.1:7447]
    #[cfg_attr(feature = "cli", arg(long, value_parser = in_utf8()))]
    pub address: Option<String>,

    /// file that holds the bot's token; read once [$ORDAGO_TOKEN_FILE]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub token_file: Option<OsString>,

    /// the token itself; other programs can see it here [$ORDAGO_TOKEN]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TOKEN", value_parser = in_utf8()))]
    pub token: Option<String>,

    /// event to enter; default: the server's ladder, or its only event [$ORDAGO_EVENT]
    #[cfg_attr(feature = "cli", arg(long, value_parser = in_utf8()))]
    pub event: Option<String>,

    /// connect over TLS [$ORDAGO_TLS=1]
    #[cfg_attr(feature = "cli", arg(long))]
    pub tls: bool,

    /// PEM file of the authorities to trust; default: the usual ones [$ORDAGO_TLS_CA]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub tls_ca: Option<OsString>,

    /// PEM file of the bot's own certificate, if the server asks for one [$ORDAGO_TLS_CERT]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub tls_cert: Option<OsString>,

    /// PEM file of its private key [$ORDAGO_TLS_KEY]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub tls_key: Option<OsString>,

    /// name of the bot, unless its token has one
    #[cfg_attr(feature = "cli", arg(long, value_parser = in_utf8()))]
    pub name: Option<String>,

    /// game to play; repeatable; default: all that it can play
    #[cfg_attr(feature = "cli", arg(long = "game", value_name = "GAME", value_parser = in_utf8()))]
    pub games: Vec<String>,

    /// matches to play at once; 0: no limit
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value = "0", value_parser = count, allow_negative_numbers = true))]
    pub matches: u32,

    /// matches after which to take no more; 0: never
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value = "0", value_parser = count, allow_negative_numbers = true))]
    pub matches_in_all: u32,

    /// decisions to take at once; 0: no limit
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value = "0", value_parser = count, allow_negative_numbers = true))]
    pub decisions: u32,

    /// 16 to 64 bytes in hexadecimal, mixed into the deals; default: random [$ORDAGO_NONCE]
    #[cfg_attr(feature = "cli", arg(long, value_name = "HEXADECIMAL", value_parser = in_utf8()))]
    pub nonce: Option<String>,

    /// append receipts of what the server says about its event to this file [$ORDAGO_RECEIPTS]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub receipts: Option<OsString>,

    /// append each decision and its answer to this file, in JSON [$ORDAGO_LOG_DECISIONS]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub log_decisions: Option<OsString>,

    /// what to do if the bot fails: stop, or take the default answer [$ORDAGO_ON_ERROR; default: stop]
    #[cfg_attr(feature = "cli", arg(long, value_name = "stop|default", value_parser = in_utf8()))]
    pub on_error: Option<String>,

    /// end with exit code 1 after any refusal, fault or failure, for tests
    #[cfg_attr(feature = "cli", arg(long))]
    pub strict: bool,

    /// show every message
    #[cfg_attr(feature = "cli", arg(long, short))]
    pub verbose: bool,

    /// show the versions of the bot and of its SDK, and end
    #[cfg_attr(feature = "cli", arg(long))]
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only a main program shows it"))]
    pub(crate) version: bool,
}

impl fmt::Debug for Options {
    /// Shows no token.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Options").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The settings that options and environment make up.
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only a main program is strict, or launched"))]
pub(crate) struct Settings {
    pub(crate) address: Address,
    pub(crate) token: String,
    pub(crate) event: String,
    pub(crate) tls: Option<Tls>,
    pub(crate) player: PlayerSettings,
    pub(crate) log: Format,
    pub(crate) is_strict: bool,
    /// Whether a runner started the bot, which ends with it.
    pub(crate) is_launched: bool,
}

impl Options {
    /// Returns the settings of a bot that plays some games, all if none are named; or a complaint.
    pub(crate) fn settle(self, bot: Software, games: &[&str], environment: Environment) -> Result<Settings, String> {
        let hello = Hello {
            bot: Some(Software { name: self.name.unwrap_or(bot.name), ..bot }),
            nonce: nonce_of(given(self.nonce, "nonce", environment))?,
            games: chosen(self.games, games)?,
            max_matches: self.matches,
            max_open_decisions: self.decisions,
            matches_in_all: self.matches_in_all,
            ..Default::default()
        };
        let on_error = given(self.on_error, "on-error", environment);
        let log = environment("ORDAGO_LOG").map(|value| ("ORDAGO_LOG".into(), value));
        let tls = TlsOptions { tls: self.tls, authorities: self.tls_ca, certificate: self.tls_cert, key: self.tls_key };
        let mut settings = Settings {
            address: address_of(given(self.address, "address", environment))?,
            token: token::settle(self.token, self.token_file, environment)?,
            event: event_of(given(self.event, "event", environment))?,
            tls: tls.settle(environment)?,
            player: PlayerSettings {
                hello,
                takes_defaults: one_of(on_error, [("stop", false), ("default", true)])?,
                is_verbose: self.verbose,
                ..Default::default()
            },
            log: one_of(log, [("text", Format::Text), ("json", Format::Json)])?,
            is_strict: self.strict,
            is_launched: is_on("ORDAGO_LAUNCHED", environment)?,
        };
        // Files are made only if all else is right.
        settings.player.receipts = given(self.receipts, "receipts", environment).map(receipts_in).transpose()?;
        settings.player.decisions =
            given(self.log_decisions, "log-decisions", environment).map(decisions_in).transpose()?;
        Ok(settings)
    }
}

/// Returns what a word stands for, the first one if none is given.
fn one_of<T: Copy>(given: Option<Given>, choices: [(&str, T); 2]) -> Result<T, String> {
    let Some((name, value)) = given else {
        return Ok(choices[0].1);
    };
    let word = value.to_string_lossy();
    let chosen = choices.iter().find(|(choice, _)| *choice == word);
    let complain = || format!("{name}: '{}' is neither {} nor {}", visible(&word), choices[0].0, choices[1].0);
    chosen.map(|(_, chosen)| *chosen).ok_or_else(complain)
}

fn receipts_in(given: Given) -> Result<Receipts, String> {
    receipts::check(Path::new(&given.1)).map_err(|error| cannot_write(&given, &error))?;
    append_to(given).map(Receipts::new)
}

fn decisions_in(given: Given) -> Result<DecisionLog, String> {
    let name = Path::new(&given.1).display().to_string();
    Ok(DecisionLog::new(append_to(given)?, name))
}

/// Opens a file to append to, or creates it, readable by its owner alone. Several processes may write to it at once.
fn append_to(given: Given) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(Path::new(&given.1)).map_err(|error| cannot_write(&given, &error))
}

fn cannot_write((name, path): &Given, error: &io::Error) -> String {
    format!("{name}: cannot write to {}: {}", Path::new(path).display(), file_reason(error))
}

/// Parses a count. The parser of the standard library would take a sign.
#[cfg(feature = "cli")]
fn count(text: &str) -> Result<u32, String> {
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| is_number).ok_or_else(|| format!("it is not a number from 0 to {}", u32::MAX))
}

fn address_of(given: Option<Given>) -> Result<Address, String> {
    let given = given.unwrap_or_else(|| ("--address".into(), DEFAULT_ADDRESS.into()));
    let text = text_of(&given)?;
    let complain = |because| {
        let (name, text) = (&given.0, visible(text));
        format!("{name}: '{text}' is not HOST:PORT, [IPv6]:PORT or unix:PATH: {because}")
    };
    Address::parse(text).map_err(complain)
}

/// Returns the games that were asked for, if the bot plays them; all that it plays, if none were.
fn chosen(asked: Vec<String>, played: &[&str]) -> Result<Vec<String>, String> {
    if let Some(game) = asked.iter().find(|game| !played.is_empty() && !played.contains(&game.as_str())) {
        return Err(format!("--game: this bot does not play '{}', only {}", visible(game), played.join(", ")));
    }
    Ok(if asked.is_empty() { played.iter().map(ToString::to_string).collect() } else { asked })
}

fn event_of(given: Option<Given>) -> Result<String, String> {
    let given = given.unwrap_or_default();
    let name = text_of(&given)?;
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.len() <= LONGEST_EVENT && name.bytes().all(fits) && !name.starts_with('-') {
        return Ok(name.into());
    }
    Err(format!("{}: '{}' is no event: its name has small letters, digits and hyphens", given.0, visible(name)))
}

fn nonce_of(given: Option<Given>) -> Result<Vec<u8>, String> {
    let given = given.unwrap_or_default();
    let text = text_of(&given)?;
    if text.is_empty() {
        return Ok(rand::random::<[u8; NONCE_BYTES]>().to_vec());
    }
    let byte = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
    let is_whole = text.len().is_multiple_of(2) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let nonce = text.as_bytes().chunks(2).map(byte).collect::<Option<Vec<_>>>().filter(|_| is_whole);
    nonce
        .filter(|nonce| (NONCE_BYTES..=MOST_NONCE_BYTES).contains(&nonce.len()))
        .ok_or_else(|| format!("{}: '{}' is not 16 to 64 bytes in hexadecimal", given.0, visible(text)))
}

#[cfg(all(test, feature = "cli"))]
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
        let value = |name: &str| variables.iter().find(|variable| variable.0 == name).map(|it| it.1.into());
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
        assert_eq!((settings.address.to_string().as_str(), settings.event.as_str()), ("here:1", "monday"));
        assert_eq!(settings.player.hello.nonce, [0xab; 16]);
        let by_variables = settled(&words[2..4], &variables, &[]).expect("it is right");
        assert_eq!((by_variables.address.to_string().as_str(), by_variables.event.as_str()), ("there:1", "friday"));
        assert!(by_variables.is_launched);
    }

    #[test]
    fn without_options_a_bot_plays_its_own_games_under_its_own_name() {
        let settings = settled(&[], &[], &["mittlere"]).expect("it is right");
        assert_eq!(settings.address.to_string(), DEFAULT_ADDRESS);
        assert_eq!(settings.player.hello.games, ["mittlere"]);
        assert_eq!(settings.player.hello.bot.map(|bot| bot.name), Some("own".into()));
        assert_eq!(settings.player.hello.nonce.len(), NONCE_BYTES);
        assert!(settings.tls.is_none() && settings.player.receipts.is_none() && !settings.is_launched);
    }

    #[test]
    fn failures_and_the_log_are_chosen_by_words() {
        let variables = [("ORDAGO_ON_ERROR", "default"), ("ORDAGO_LOG", "json")];
        let settings = |words: &[&str], variables| {
            settled(words, variables, &[]).map(|it| (it.player.takes_defaults, it.log, it.is_strict))
        };
        assert_eq!(settings(&[], &[]), Ok((false, Format::Text, false)));
        assert_eq!(settings(&["--strict"], &variables), Ok((true, Format::Json, true)));
        assert_eq!(settings(&["--on-error", "stop"], &variables[..1]), Ok((false, Format::Text, false)));
        let wrong = |words, variables| settings(words, variables).expect_err("it is wrong");
        assert_eq!(wrong(&["--on-error="], &[]), "--on-error: '' is neither stop nor default");
        assert_eq!(wrong(&[], &[("ORDAGO_ON_ERROR", "Stop")]), "ORDAGO_ON_ERROR: 'Stop' is neither stop nor default");
        assert_eq!(wrong(&[], &[("ORDAGO_LOG", "xml")]), "ORDAGO_LOG: 'xml' is neither text nor json");
    }

    #[test]
    fn the_last_option_counts_and_games_add_up() {
        let words = ["--matches=3", "--address", "a:1", "--game=mus", "--matches", "4", "--game", "taihe", "-v", "-v"];
        let settings = settled(&[&words[..], &["--address=b:2"]].concat(), &[], &[]).expect("it is right");
        assert_eq!((settings.address.to_string().as_str(), settings.player.hello.max_matches), ("b:2", 4));
        assert_eq!(settings.player.hello.games, ["mus", "taihe"]);
    }

    #[test]
    fn complaints_name_the_option_or_its_variable() {
        assert_eq!(complaint(&["--game", "mus"], &["mittlere"]), "--game: this bot does not play 'mus', only mittlere");
        for nonce in ["zz", "abc", "ab", &"ab".repeat(65), "+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a"] {
            let told = format!("--nonce: '{nonce}' is not 16 to 64 bytes in hexadecimal");
            assert_eq!(complaint(&["--nonce", nonce], &[]), told);
        }
        assert!(complaint(&["--event", "a\nb"], &[]).starts_with(r"--event: 'a\nb' is no event"));
        for option in ["--receipts", "--log-decisions"] {
            let nowhere = format!("{option}: cannot write to /nowhere/at/all: no such file or directory");
            assert_eq!(complaint(&[option, "/nowhere/at/all"], &[]), nowhere);
            let path = std::env::temp_dir().join(format!("ordago-unmade-{}", std::process::id()));
            complaint(&[option, path.to_str().expect("a path"), "--address", "here"], &[]);
            assert!(!path.exists(), "{option} made a file");
        }
        assert_eq!(
            complaint(&["--address", "a\tb:1"], &[]),
            r"--address: 'a\tb:1' is not HOST:PORT, [IPv6]:PORT or unix:PATH: the host is neither a name nor an IPv4 address"
        );
        let by_variable = settled(&[], &[("ORDAGO_ADDRESS", "here")], &[]).err().expect("it is wrong");
        assert!(by_variable.starts_with("ORDAGO_ADDRESS: 'here' is not") && by_variable.ends_with("it has no port"));
        let by_variable = settled(&[], &[("ORDAGO_TLS_CA", "none")], &[]).err();
        assert_eq!(by_variable.as_deref(), Some("ORDAGO_TLS_CA: cannot read none: no such file or directory"));
        assert!(complaint(&["--address="], &[]).ends_with("it is empty"));
    }

    #[test]
    fn counts_are_digits_alone() {
        assert_eq!(
            settled(&["--decisions", "4294967295"], &[], &[]).map(|it| it.player.hello.max_open_decisions),
            Ok(u32::MAX)
        );
        for wrong in ["4294967296", "+1", "-1", "1e3", "", " 1", "٣"] {
            let told = complaint(&["--matches", wrong], &[]);
            assert!(told.contains("'--matches <NUMBER>'"), "{wrong}: {told}");
        }
    }

    #[test]
    fn options_are_not_abbreviated() {
        assert!(complaint(&["--addr", "here:1"], &[]).contains("'--addr'"));
        assert!(complaint(&["-address", "here:1"], &[]).contains("'-a'"));
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
