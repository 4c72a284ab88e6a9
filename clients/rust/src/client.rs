//! A bot program: its options, its session, and its exit code.

use std::error;
use std::fmt;
use std::io;
use std::thread;
use std::time::Instant;

use log::Level;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{oneshot, watch};

use crate::coming_back::Ending;
use crate::environment::{unused_proxy, variable};
use crate::launch::{EXIT_INTERRUPTED, Order};
use crate::logging::{self, tell};
use crate::options::Settings;
use crate::player::{Player, PlayerSettings};
use crate::threads::Threads;
use crate::transport::{Server, play};
use crate::v1::Software;
use crate::words::reason_of;
use crate::{Bot, Failure, Match, Options, Outcome};

/// The reason why a session did not end well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An option or a variable is wrong, or the system refuses a thread: nothing was sent.
    Settings(String),
    /// The bot failed, and the options ask for no default answers.
    BotFailed(Failure),
    /// The server does not answer, or TLS with it cannot work.
    Unreachable(String),
    /// The server ended the session.
    Ended(String),
    /// The bot was told to leave.
    Stopped,
}

impl Error {
    /// The exit code of a bot that ends so.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Settings(_) => 2,
            Self::BotFailed(_) => 1,
            Self::Unreachable(_) | Self::Ended(_) => 3,
            Self::Stopped => EXIT_INTERRUPTED,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(sentence) | Self::Unreachable(sentence) | Self::Ended(sentence) => {
                formatter.write_str(sentence)
            }
            Self::BotFailed(failure) => failure.fmt(formatter),
            Self::Stopped => formatter.write_str("the bot was told to leave"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::BotFailed(failure) => Some(failure),
            _ => None,
        }
    }
}

/// A bot program, by its name and version.
///
/// The bot is called so unless its token or its options have another name.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) name: String,
    pub(crate) version: String,
    threads: usize,
}

impl Client {
    /// A program without threads for its bots.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), threads: 0 }
    }

    /// Lets so many threads think for the bots, so that as many matches think at once. With 0, the default, decisions are
    /// answered one after the other where frames arrive.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Plays with the bots that a factory makes, one for each match, until the session is over. The options are completed
    /// by the variables of the environment; `strict` is up to you: see [`Outcome::is_faultless`].
    ///
    /// The session has threads of its own, so any executor can wait for it. If the future is dropped, the bot leaves.
    ///
    /// ```no_run
    /// # use ordago::{Answer, Bot, BotError, Client, Decision, Options};
    /// # struct Default;
    /// # impl Bot for Default {
    /// #     fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> { Ok(decision.default_answer()) }
    /// # }
    /// # async fn example() -> Result<(), ordago::Error> {
    /// let mut options = Options::default();
    /// options.address = Some("play.example.org:7447".into());
    /// let outcome = Client::new("default", "1.0").play(options, |_| Default).await?;
    /// println!("{} matches", outcome.matches);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The session did not end by a goodbye of the server.
    pub async fn play<B: Bot>(
        self,
        options: Options,
        factory: impl FnMut(Match) -> B + Send + 'static,
    ) -> Result<Outcome, Error> {
        let settings = self.settings::<B>(options)?;
        let (leave, orders) = watch::channel(Order::None);
        let (sender, ended) = oneshot::channel();
        let session = move || drop(sender.send(self.session(settings, factory, || Ok(orders), |_| ())));
        thread::Builder::new().name("ordago".into()).spawn(session).map_err(no_thread)?;
        let _leave = LeaveOnDrop(leave);
        ended.await.unwrap_or_else(|_| Err(Error::Settings("the session panicked".into())))
    }

    /// The settings that options and environment make up.
    pub(crate) fn settings<B: Bot>(&self, options: Options) -> Result<Settings, Error> {
        let bot = Software { name: self.name.clone(), version: self.version.clone(), ..Default::default() };
        options.settle(bot, B::games(), &variable).map_err(Error::Settings)
    }

    /// Plays until the session is over, on this thread. A failure that ends it is shown before the summary, which is the
    /// last line.
    pub(crate) fn session<B: Bot>(
        &self,
        settings: Settings,
        factory: impl FnMut(Match) -> B + Send + 'static,
        orders: impl FnOnce() -> io::Result<watch::Receiver<Order>>,
        show: impl FnOnce(&Failure),
    ) -> Result<Outcome, Error> {
        let Settings { address, token, event, tls, player, log, .. } = settings;
        let server = Server::new(address, &token, event, tls).map_err(Error::Settings)?;
        logging::begin(log, player.is_verbose);
        let is_verbose = log::log_enabled!(Level::Debug);
        let threads = Threads::start(self.threads).map_err(no_thread)?;
        let began = Instant::now();
        let player = PlayerSettings { has_threads: self.threads > 0, is_verbose, ..player };
        let mut player = Player::new(factory, player, move || began.elapsed());
        let ending = runtime().map_err(no_thread)?.block_on(async {
            let orders = orders().map_err(|error| Error::Settings(format!("signals cannot be received: {error}")))?;
            Ok(play(&mut player, &server, began, orders, threads).await)
        })?;
        let ended = conclude(ending, &server.address.to_string());
        player.failure().map(show);
        player.outcome().tell();
        ended.map(|()| player.outcome().clone())
    }
}

/// Tells a session to leave when nobody waits for it any more.
struct LeaveOnDrop(watch::Sender<Order>);

impl Drop for LeaveOnDrop {
    fn drop(&mut self) {
        self.0.send_replace(Order::Leave);
    }
}

fn no_thread(error: io::Error) -> Error {
    Error::Settings(format!("no thread can be started: {error}"))
}

/// Runs the player, and the bots if they have no threads, on this thread, and everything else in a thread beside it.
fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

/// Logs the end of the session; `None` if the bot left.
pub(crate) fn conclude(ending: Option<Ending>, address: &str) -> Result<(), Error> {
    let server = format!("the server at {address}");
    match ending.ok_or(Error::Stopped)? {
        Ending::Goodbye(sentence) => {
            let words = format!("the server said goodbye: {sentence}");
            tell(Level::Info, "goodbye", words, vec![("sentence", json!(sentence))]);
            Ok(())
        }
        Ending::Ended(status, sentence) => {
            let words = format!("{server} ended the session ({status}): {}", reason_of(&sentence));
            let fields = vec![("address", json!(address)), ("status", json!(status)), ("sentence", json!(sentence))];
            tell(Level::Error, "session_ended", words.clone(), fields);
            Err(Error::Ended(words))
        }
        Ending::NoAnswer(reason) => {
            let proxy = unused_proxy(&variable).map(|name| format!("; the proxy in {name} is not used"));
            let words = format!("{server} does not answer ({reason}){}", proxy.unwrap_or_default());
            let fields = vec![("address", json!(address)), ("reason", json!(reason))];
            tell(Level::Error, "unreachable", words.clone(), fields);
            Err(Error::Unreachable(words))
        }
        Ending::TlsFailed(words) => {
            let words = format!("{server} {words}");
            tell(Level::Error, "note", words.clone(), Vec::new());
            Err(Error::Unreachable(words))
        }
        Ending::BotFailed(failure) => Err(Error::BotFailed(failure)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotError;

    #[test]
    fn endings_name_the_server_and_have_exit_codes() {
        let ended = |ending| conclude(Some(ending), "here:1").expect_err("it is no goodbye");
        let gone = ended(Ending::Ended("FAILED_PRECONDITION".into(), String::new()));
        let sentence = "the server at here:1 ended the session (FAILED_PRECONDITION): no reason was given";
        assert_eq!((gone.to_string().as_str(), gone.exit_code()), (sentence, 3));
        let silent = ended(Ending::NoAnswer("refused".into()));
        assert_eq!(
            (silent.to_string().as_str(), silent.exit_code()),
            ("the server at here:1 does not answer (refused)", 3)
        );
        let failed = ended(Ending::BotFailed(Failure::from(BotError::from("no card"))));
        assert_eq!((failed.to_string().as_str(), failed.exit_code()), ("the bot failed: no card", 1));
        assert_eq!(conclude(Some(Ending::Goodbye("bye".into())), "here:1"), Ok(()));
        assert_eq!(conclude(None, "here:1").map_err(|error| error.exit_code()), Err(130));
    }
}
