//! Main program of a bot.

use std::backtrace::Backtrace;
use std::env;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::Instant;

use clap::Parser;
use tokio::runtime::{Builder, Runtime};

use crate::environment::{unused_proxy, variable};
use crate::launch::{EXIT_INTERRUPTED, end_with_standard_input, listen};
use crate::options::Settings;
use crate::player::{SDK_NAME, SDK_VERSION};
use crate::transport::{Server, play};
use crate::v1::Software;
use crate::{Bot, Ending, Match, Options, Player, logging};

const EXIT_OK: i32 = 0;
const EXIT_FAILED: i32 = 1;
const EXIT_USAGE: i32 = 2;

const EPILOG: &str = "\
A variable in brackets stands in for its option. Keep the token in a file: other programs can read command lines and
environments. With ORDAGO_LAUNCHED=1 the bot ends when its standard input does, as bots do that a runner started.

Told to stop by Ctrl-C, SIGTERM or the end of its terminal, a bot takes no more seats, plays its running matches to their
end, and ends. Told again by Ctrl-C or SIGTERM it leaves at once, as it does while it is not connected, or if a runner
started it.

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
/// The bot is called `name`, unless its token or the command line has another name.
pub fn run<B: Bot>(factory: impl FnMut(Match) -> B + 'static, name: &str, version: &str) -> ! {
    run_with(CommandLine::parse().options, factory, name, version)
}

/// Plays like [`run`], with options that were parsed along with others. `--version` is one of them.
///
/// ```no_run
/// use clap::Parser;
/// use ordago::{Answer, Bot, Decision, Options, run_with};
///
/// #[derive(Parser)]
/// struct CommandLine {
///     #[command(flatten)]
///     options: Options,
///     /// place of the legal action to take
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
    panic::set_hook(Box::new(|panicked| logging::write(format!("{panicked}\n{}\n", Backtrace::force_capture()))));
    if options.version {
        // The exit code does not depend on the output.
        let _ = writeln!(io::stdout(), "{name} {version} ({SDK_NAME} {SDK_VERSION})");
        logging::exit(EXIT_OK);
    }
    let bot = Software { name: name.into(), version: version.into(), ..Default::default() };
    let run = || start(options, bot, factory).unwrap_or_else(|complaint| complain(&complaint));
    logging::exit(panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(EXIT_FAILED))
}

/// Prints the usage and a complaint about command line or environment, and returns the exit code.
fn complain(complaint: &str) -> i32 {
    let path = env::args_os().next().unwrap_or_default();
    let program = Path::new(&path).file_name().unwrap_or(&path).display();
    logging::write(format!("Usage: {program} [OPTIONS]; --help lists them\nerror: {complaint}\n"));
    EXIT_USAGE
}

/// Plays until the session is over, and returns the exit code, or a complaint about command line or environment.
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
        let orders = listen(is_launched).map_err(|error| format!("signals cannot be received: {error}"))?;
        Ok::<_, String>(play(&mut player, &server, began, orders).await)
    })?;
    Ok(ending.map_or(EXIT_INTERRUPTED, |ending| conclude(&ending, &server)))
}

/// Logs the end of the session, and returns the exit code.
fn conclude(ending: &Ending, server: &Server) -> i32 {
    let sentence = ending.sentence(&server.address.to_string());
    match (ending, unused_proxy(&variable)) {
        (Ending::Goodbye(_), _) => log::info!("{sentence}"),
        (Ending::NoAnswer(_), Some(name)) => log::error!("{sentence}; the proxy in {name} is not used"),
        _ => log::error!("{sentence}"),
    }
    ending.exit_code().into()
}

/// Runs the player, and so the bot, on the main thread, and everything else in a thread beside it.
fn runtime() -> Result<Runtime, String> {
    let built = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    built.map_err(|error| format!("no thread can be started: {error}"))
}
