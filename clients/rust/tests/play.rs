//! A session as a future.

use ordago::{Answer, Bot, BotError, Client, Decision, Error, Options};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

struct Idle;

impl Bot for Idle {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        Ok(decision.default_answer())
    }
}

fn at(address: &str) -> Options {
    let mut options = Options::default();
    options.address = Some(address.into());
    options
}

#[test]
fn the_licence_is_that_of_the_project() {
    assert_eq!(include_str!("../LICENSE"), include_str!("../../../LICENSE"));
}

#[tokio::test]
async fn a_wrong_option_is_an_error() {
    let error = Client::new("idle", "1.0").play(at("host"), |_| Idle).await.expect_err("it is wrong");
    assert!(
        matches!(&error, Error::Settings(sentence) if sentence.starts_with("--address: 'host' is not ")),
        "{error}"
    );
    assert_eq!(error.exit_code(), 2);
}

#[tokio::test]
async fn a_session_that_nobody_waits_for_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let mut stream = tokio::select! {
        ended = Client::new("idle", "1.0").threads(1).play(at(&address), |_| Idle) => panic!("{ended:?}"),
        accepted = listener.accept() => accepted.expect("a connection").0,
    };
    // The bot sends the beginning of HTTP/2, and then it leaves.
    let mut sent = Vec::new();
    stream.read_to_end(&mut sent).await.expect("it ends");
    assert!(sent.is_empty() || sent.starts_with(b"PRI * HTTP/2.0"), "{sent:?}");
}
