//! The main program of a bot.

use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;
use std::{env, process};

use clap::Parser;
use tokio::runtime::{Builder, Runtime};

use crate::launch::{EXIT_INTERRUPTED, end_with_standard_input, listen};
use crate::options::Settings;
use crate::transport::{Server, play};
use crate::v1::Software;
use crate::{Bot, Match, Options, Player, logging};

const EXIT_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;

const EPILOG: &str = "\
A token belongs into a file: other programs can read command lines and environments. With ORDAGO_LAUNCHED=1 the bot ends
when its standard input does, as bots do that another program started.

Told to stop, by Ctrl-C or SIGTERM, a bot takes no more seats, plays its running matches to their end, and then ends.
Told once more it leaves at once, as it does while it is not connected, or where it was launched.

Exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line is wrong; 3 the server cannot be reached, or
ended the session otherwise; 130 stopped by the user.";

/// Connects to an Ordago server and plays.
#[derive(Parser)]
#[command(after_help = EPILOG)]
struct CommandLine {
    #[command(flatten)]
    options: Options,
}

/// Plays with the bots that a factory makes, one for each match, until the session is over: the whole main program of a
/// bot. It never returns; the exit codes are those of docs/protocol.md.
///
/// The bot is called `name` where neither its token nor the command line say it.
pub fn run<B: Bot>(factory: impl FnMut(Match) -> B + 'static, name: &str, version: &str) -> ! {
    run_with(CommandLine::parse().options, factory, name, version)
}

/// Plays like [`run`], with options that were parsed along with others.
///
/// ```no_run
/// use clap::Parser;
/// use ordago::{Answer, Bot, Decision, Options, run_with};
///
/// #[derive(Parser)]
/// struct CommandLine {
///     #[command(flatten)]
///     options: Options,
///     /// Which of the legal actions to take
///     #[arg(long, default_value_t = 0)]
///     place: usize,
/// }
///
/// struct Stubborn(usize);
///
/// impl Bot for Stubborn {
///     fn choose(&mut self, decision: &Decision) -> Answer {
///         decision.actions.get(self.0).map_or_else(|| decision.default_answer(), Answer::from)
///     }
/// }
///
/// fn main() {
///     let CommandLine { options, place } = CommandLine::parse();
///     run_with(options, move |_| Stubborn(place), "stubborn", "1.0")
/// }
/// ```
pub fn run_with<B: Bot>(options: Options, factory: impl FnMut(Match) -> B + 'static, name: &str, version: &str) -> ! {
    panic::set_hook(Box::new(|panicked| eprintln!("{panicked}\n{}", Backtrace::force_capture())));
    let bot = Software { name: name.into(), version: version.into(), ..Default::default() };
    let run = || start(options, bot, factory).unwrap_or_else(|complaint| complain(&complaint));
    process::exit(panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(EXIT_FAILED))
}

/// Says what is wrong with what the bot was told.
fn complain(complaint: &str) -> i32 {
    logging::begin(false);
    log::error!("{complaint}");
    EXIT_USAGE
}

/// Plays until the session is over, and returns the exit code, or a complaint about what the bot was told.
fn start<B: Bot>(options: Options, bot: Software, factory: impl FnMut(Match) -> B + 'static) -> Result<i32, String> {
    let settings = options.settle(bot, B::games(), &variable)?;
    let Settings { address, token, event, tls, hello, receipts, is_verbose, is_launched } = settings;
    let server = Server::new(address, &token, event, tls)?;
    logging::begin(is_verbose);
    if is_launched {
        end_with_standard_input();
    }
    let began = Instant::now();
    let mut player = Player::new(factory, hello, move || began.elapsed()).keeping(receipts);
    let ending = runtime()?.block_on(async {
        let told = listen(is_launched).map_err(|error| format!("signals cannot be heard: {error}"))?;
        Ok::<_, String>(play(&mut player, &server, began, told).await)
    })?;
    let Some(ending) = ending else {
        return Ok(EXIT_INTERRUPTED);
    };
    match ending.exit_code() {
        0 => log::info!("{}", ending.sentence(&server.address)),
        _ => log::error!("{}", ending.sentence(&server.address)),
    }
    Ok(ending.exit_code().into())
}

/// The player, and so the bot, stays on the main thread; a thread beside it does everything else.
fn runtime() -> Result<Runtime, String> {
    let built = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    built.map_err(|error| format!("no thread can be started: {error}"))
}

/// The value of a variable, unless that is empty.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}
