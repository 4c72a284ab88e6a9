//! Main program of a bot.

use std::backtrace::Backtrace;
use std::env;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::environment::visible;
use crate::launch::{end_with_standard_input, listen};
use crate::player::{SDK_NAME, SDK_VERSION};
use crate::{Bot, Client, Error, Failure, Match, Options, logging};

/// The bot failed, or `--strict` found a fault.
const EXIT_FAILED: u8 = 1;

const EPILOG: &str = "\
A variable in brackets stands in for its option. Keep the token in a file: other programs can read command lines and
environments. With ORDAGO_LAUNCHED=1 the bot ends when its standard input does, as bots do that a runner started. With
ORDAGO_LOG=json the log has a JSON object in each line.

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

impl Client {
    /// Plays like [`play`](Self::play) by the options of the command line: the whole main program of a bot. It returns the
    /// exit code, by docs/protocol.md.
    pub fn run<B: Bot>(self, factory: impl FnMut(Match) -> B + Send + 'static) -> ExitCode {
        match CommandLine::try_parse() {
            Ok(CommandLine { options }) => self.run_with(options, factory),
            Err(wrong) if wrong.use_stderr() => {
                let error = Error::Settings(sentence_of(&wrong));
                complain(&error.to_string());
                logging::flush();
                error.exit_code().into()
            }
            Err(help) => {
                let _ = help.print(); // The exit code does not depend on the output.
                ExitCode::SUCCESS
            }
        }
    }

    /// Plays like [`run`](Self::run), with options that were parsed along with others. `--version` is one of them.
    ///
    /// ```no_run
    /// use std::process::ExitCode;
    ///
    /// use clap::Parser;
    /// use ordago::{Answer, Bot, BotError, Client, Decision, Options};
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
    ///     fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
    ///         Ok(decision.actions.get(self.0).map_or_else(|| decision.default_answer(), Answer::from))
    ///     }
    /// }
    ///
    /// fn main() -> ExitCode {
    ///     let CommandLine { options, place } = CommandLine::parse();
    ///     Client::new("stubborn", "1.0").run_with(options, move |_| Stubborn(place))
    /// }
    /// ```
    pub fn run_with<B: Bot>(self, options: Options, factory: impl FnMut(Match) -> B + Send + 'static) -> ExitCode {
        panic::set_hook(Box::new(|panicked| logging::write(format!("{panicked}\n{}\n", Backtrace::force_capture()))));
        if options.version {
            let (name, version) = (&self.name, &self.version);
            let _ = writeln!(io::stdout(), "{name} {version} ({SDK_NAME} {SDK_VERSION})");
            return ExitCode::SUCCESS;
        }
        let code = panic::catch_unwind(AssertUnwindSafe(|| self.code(options, factory))).unwrap_or(EXIT_FAILED);
        logging::flush();
        code.into()
    }

    fn code<B: Bot>(&self, options: Options, factory: impl FnMut(Match) -> B + Send + 'static) -> u8 {
        let played = self.settings::<B>(options).and_then(|settings| {
            let (is_launched, is_strict) = (settings.is_launched, settings.is_strict);
            if is_launched {
                end_with_standard_input();
            }
            Ok((self.session(settings, factory, || listen(is_launched), show)?, is_strict))
        });
        match played {
            Ok((outcome, is_strict)) => u8::from(is_strict && !outcome.is_faultless()) * EXIT_FAILED,
            Err(error) => {
                if let Error::Settings(complaint) = &error {
                    complain(complaint);
                }
                error.exit_code()
            }
        }
    }
}

/// Shows a failure, as text under any `ORDAGO_LOG`. Its last line says all, since a runner shows only that one.
fn show(failure: &Failure) {
    let trace = failure.trace.lines().map(|line| visible(line) + "\n").collect::<String>();
    logging::write(format!("{trace}{}\n", visible(&failure.to_string())));
}

/// The sentence of an error, without the word before it and the hints behind it.
fn sentence_of(wrong: &clap::Error) -> String {
    let text = wrong.to_string();
    let lines = text.trim_start_matches("error: ").lines().take_while(|line| !line.is_empty());
    visible(&lines.map(str::trim).collect::<Vec<_>>().join(" "))
}

/// Prints the usage and a complaint about command line or environment.
fn complain(complaint: &str) {
    let path = env::args_os().next().unwrap_or_default();
    let program = Path::new(&path).file_name().unwrap_or(&path).display();
    logging::write(format!("usage: {program} [options]; --help lists them\nerror: {complaint}\n"));
}
