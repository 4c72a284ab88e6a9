//! The network connection of a player: a stream of `BotService.Play`, opened again when it breaks.

use std::error::Error;
use std::mem;
use std::time::{Duration, Instant};

use log::Level;
use tokio::sync::{mpsc, watch};
use tokio::{task, time};
use tokio_rustls::rustls;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::address::Address;
use crate::calls::Thought;
use crate::coming_back::{Ending, Loss, Next};
use crate::launch::Order;
use crate::look::{look, refusal, tls_error_in};
use crate::player::Player;
use crate::threads::Threads;
use crate::tls::Tls;
use crate::v1::bot_service_client::BotServiceClient;
use crate::v1::game_service_client::GameServiceClient;
use crate::v1::{DescribeEventRequest, DescribeEventResponse, PlayRequest, PlayResponse};
use crate::{Bot, logging};

// A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed.
const PING_EVERY: Duration = Duration::from_secs(25);
const LONGEST_PONG: Duration = Duration::from_secs(10);
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// How long a Goodbye may take to reach the server.
const LONGEST_GOODBYE: Duration = Duration::from_secs(1);
/// How long bots that are called in threads may go on when the session is over.
const LONGEST_END: Duration = Duration::from_secs(1);
/// The frames that may wait while the bot thinks about one before them.
const FRAMES_AHEAD: usize = 256;
/// A frame may hold any number of decisions. Servers send 4 MiB at most; this leaves room for newer ones.
const LARGEST_FRAME_BYTES: usize = 16 << 20;
/// The metadata in which a server asks for a pause, beside a status.
const RETRY_AFTER: &str = "retry-after-ms";
const STOPPED: &str = "the bot was told to stop";

/// The server to play at.
pub(crate) struct Server {
    pub(crate) address: Address,
    tls: Option<Tls>,
    endpoint: Endpoint,
    metadata: MetadataMap,
    event: String,
}

impl Server {
    /// Prepares to connect, or returns a complaint. An empty token or event is none.
    pub(crate) fn new(address: Address, token: &str, event: String, tls: Option<Tls>) -> Result<Self, String> {
        let endpoint = endpoint(&address, tls.as_ref())?
            .connect_timeout(LONGEST_CONNECT)
            .http2_keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(LONGEST_PONG)
            .keep_alive_while_idle(true);
        let mut metadata = MetadataMap::new();
        if !token.is_empty() {
            let mut value = value_of(&format!("Bearer {token}"))?;
            value.set_sensitive(true);
            metadata.insert("authorization", value);
        }
        if !event.is_empty() {
            metadata.insert("ordago-event", value_of(&event)?);
        }
        Ok(Self { address, tls, endpoint, metadata, event })
    }

    /// Returns why no connection can work, after the first one failed; `None` if nothing of the kind is found.
    async fn look(&self, end: &End) -> Option<Ending> {
        let words = match &end.tls_error {
            // Only what does not speak TLS is sent something in the clear.
            None | Some(rustls::Error::InvalidMessage(_)) => look(&self.address, self.tls.is_some()).await,
            Some(error) => refusal(error, &self.address, self.tls.as_ref().is_some_and(|tls| tls.names_authorities)),
        };
        words.map(Ending::TlsFailed)
    }

    fn request<T>(&self, message: T) -> Request<T> {
        Request::from_parts(self.metadata.clone(), tonic::Extensions::default(), message)
    }
}

fn endpoint(address: &Address, tls: Option<&Tls>) -> Result<Endpoint, String> {
    // For tonic the rest of a text that begins with `unix:` is the path, with nothing to escape.
    let scheme = match (address, &tls) {
        (Address::Unix(_), _) => "",
        (Address::Host(..), None) => "http://",
        (Address::Host(..), Some(_)) => "https://",
    };
    let cannot = |error| format!("the server at {address} cannot be connected to: {}", with_causes(&error));
    let endpoint = Endpoint::from_shared(format!("{scheme}{address}")).map_err(cannot)?;
    match (address, tls) {
        (Address::Host(host, _), Some(tls)) => {
            endpoint.tls_config(tls.config.clone().domain_name(host)).map_err(cannot)
        }
        _ => Ok(endpoint),
    }
}

fn value_of(text: &str) -> Result<MetadataValue<tonic::metadata::Ascii>, String> {
    MetadataValue::try_from(text).map_err(|_| "the token or the event cannot be sent".into())
}

/// The end of a connection.
struct End {
    status: Code,
    sentence: String,
    retry_after: Duration,
    /// The error of a TLS handshake.
    tls_error: Option<rustls::Error>,
}

impl End {
    /// Whether the connection broke, or could not be opened, without a word of the server.
    fn is_of_library(&self) -> bool {
        Loss { status: self.status, sentence: &self.sentence }.is_broken() && self.retry_after.is_zero()
    }
}

impl From<Status> for End {
    fn from(status: Status) -> Self {
        let cause = status.source().map(with_causes);
        let sentence = match (status.message(), cause) {
            (message, Some(cause)) if !message.is_empty() && !cause.contains(message) => format!("{message}: {cause}"),
            (_, Some(cause)) => cause,
            (message, None) => message.to_owned(),
        };
        Self { status: status.code(), sentence, retry_after: retry_after(status.metadata()), tls_error: None }
    }
}

impl From<tonic::transport::Error> for End {
    fn from(error: tonic::transport::Error) -> Self {
        let tls_error = tls_error_in(&error);
        // tonic's own words are only "transport error".
        let sentence = error.source().map_or_else(|| error.to_string(), with_causes);
        Self { status: Code::Unavailable, sentence, retry_after: Duration::ZERO, tls_error }
    }
}

/// An error with its causes: the first words of a library seldom say what is wrong.
fn with_causes(error: &dyn Error) -> String {
    let mut words = vec![error.to_string()];
    let mut next = error.source();
    while let Some(cause) = next {
        words.push(cause.to_string());
        next = cause.source();
    }
    words.dedup();
    words.join(": ")
}

fn retry_after(metadata: &MetadataMap) -> Duration {
    let text = metadata.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    Duration::from_millis(text.and_then(|digits| digits.parse::<u32>().ok()).unwrap_or_default().into())
}

/// A frame with its time of arrival, or the end of the stream.
enum Arrival {
    Frame(PlayResponse, Instant),
    End(End),
}

/// Plays until the session is over and returns its ending; `None` if the bot left before, by order. A broken connection
/// is opened again as the player says. The threads think for the bots, if there are any.
pub(crate) async fn play<B: Bot>(
    player: &mut Player<B>,
    server: &Server,
    began: Instant,
    mut orders: watch::Receiver<Order>,
    mut threads: Threads<B>,
) -> Option<Ending> {
    let ending = connections(player, server, began, &mut orders, &mut threads).await;
    let _ = time::timeout(LONGEST_END, finish(player, &mut threads)).await;
    player.failure().cloned().map(Ending::BotFailed).or(ending)
}

/// Waits until no bot is called any more: those of matches that are over may have a last word to hear.
async fn finish<B: Bot>(player: &mut Player<B>, threads: &mut Threads<B>) {
    while player.failure().is_none() && threads.are_thinking() {
        let thought = threads.next().await;
        player.done(thought);
        threads.think(player.tasks());
    }
}

async fn connections<B: Bot>(
    player: &mut Player<B>,
    server: &Server,
    began: Instant,
    orders: &mut watch::Receiver<Order>,
    threads: &mut Threads<B>,
) -> Option<Ending> {
    let mut is_first = true;
    loop {
        let end = Connection { player, server, began, orders, threads }.play().await?;
        if mem::take(&mut is_first) && !player.is_heard() && end.is_of_library() {
            // While the bot is not connected, any order makes it leave.
            let found = tokio::select! {
                found = server.look(&end) => found,
                _ = orders.changed() => return None,
            };
            if found.is_some() {
                return found;
            }
        }
        match player.lost(end.status, &end.sentence, end.retry_after, rand::random()) {
            Next::Over(ending) => return Some(ending),
            Next::Pause(pause) => time::timeout(pause, orders.changed()).await.err()?,
        };
    }
}

/// One connection of a player.
struct Connection<'a, B> {
    player: &'a mut Player<B>,
    server: &'a Server,
    began: Instant,
    orders: &'a mut watch::Receiver<Order>,
    threads: &'a mut Threads<B>,
}

impl<B: Bot> Connection<'_, B> {
    /// Plays until the connection ends, and returns its end; `None` if the bot left, or failed.
    async fn play(&mut self) -> Option<End> {
        let opened = tokio::select! {
            opened = open(self.server, self.player.keeps_receipts()) => opened,
            _ = self.orders.changed() => return None,
        };
        let (channel, described) = match opened {
            Ok(opened) => opened,
            Err(end) => return Some(end),
        };
        self.player.learn(&described);
        let (outbox, requests) = mpsc::unbounded_channel();
        // First: the call below returns when the server's headers arrive, often with its answer to this.
        let _ = outbox.send(self.player.connect());
        let request = self.server.request(UnboundedReceiverStream::new(requests));
        let (arrivals, mut inbox) = mpsc::channel(FRAMES_AHEAD);
        tokio::spawn(read(channel, request, arrivals));
        loop {
            tokio::select! {
                arrival = inbox.recv() => match arrival? {
                    Arrival::Frame(frame, at) => self.answer(frame, at, &outbox),
                    Arrival::End(end) => return Some(end),
                },
                thought = self.threads.next() => self.take(thought, &outbox),
                _ = self.orders.changed() => {
                    if *self.orders.borrow_and_update() == Order::Leave || !self.player.is_open() {
                        self.leave(outbox, inbox).await;
                        return None;
                    }
                    self.retire(&outbox);
                }
            }
            if self.player.failure().is_some() {
                return None;
            }
        }
    }

    /// Lets the player answer a frame. It may take long, so the rest of the runtime goes on in another thread.
    fn answer(&mut self, frame: PlayResponse, at: Instant, outbox: &mpsc::UnboundedSender<PlayRequest>) {
        let arrived = at.saturating_duration_since(self.began);
        if let Some(reply) = task::block_in_place(|| self.player.receive(frame, arrived)) {
            let _ = outbox.send(reply); // If the stream is over, its end arrives next.
        }
        self.threads.think(self.player.tasks());
    }

    /// Lets the player take an answer of another thread.
    fn take(&mut self, thought: Thought<B>, outbox: &mpsc::UnboundedSender<PlayRequest>) {
        if let Some(reply) = self.player.done(thought) {
            let _ = outbox.send(reply);
        }
        self.threads.think(self.player.tasks());
    }

    fn retire(&mut self, outbox: &mpsc::UnboundedSender<PlayRequest>) {
        if let Some(retire) = self.player.retire() {
            let _ = outbox.send(retire);
        }
        let sentence = "told to stop: running matches are played to their end; once more to leave at once";
        logging::tell(Level::Info, "told_to_stop", sentence.into(), Vec::new());
    }

    /// Says goodbye, and waits a moment for it to reach the server.
    async fn leave(&mut self, outbox: mpsc::UnboundedSender<PlayRequest>, mut inbox: mpsc::Receiver<Arrival>) {
        if let Some(goodbye) = self.player.leave(STOPPED) {
            let _ = outbox.send(goodbye);
            drop(outbox);
            let _ = time::timeout(LONGEST_GOODBYE, async { while inbox.recv().await.is_some() {} }).await;
        }
    }
}

/// Connects, and asks for the description of the event if the bot keeps receipts. A server without this method has no
/// event.
async fn open(server: &Server, wants_event: bool) -> Result<(Channel, DescribeEventResponse), End> {
    let channel = server.endpoint.connect().await?;
    if !wants_event {
        return Ok((channel, DescribeEventResponse::default()));
    }
    let request = server.request(DescribeEventRequest { event: server.event.clone() });
    match GameServiceClient::new(channel.clone()).describe_event(request).await {
        Ok(described) => Ok((channel, described.into_inner())),
        Err(status) if status.code() == Code::Unimplemented => Ok((channel, DescribeEventResponse::default())),
        Err(status) => Err(status.into()),
    }
}

/// Notes the arrival time of each frame, even while the bot thinks about an earlier one, and the end of the stream.
async fn read(
    channel: Channel,
    request: Request<UnboundedReceiverStream<PlayRequest>>,
    arrivals: mpsc::Sender<Arrival>,
) {
    let end = match read_frames(channel, request, &arrivals).await {
        Ok(retry_after) => End { status: Code::Ok, sentence: String::new(), retry_after, tls_error: None },
        Err(status) => status.into(),
    };
    let _ = arrivals.send(Arrival::End(end)).await; // A bot that has left does not receive it.
}

/// Passes on frames until the stream ends regularly, and returns the pause that the server asked for.
async fn read_frames(
    channel: Channel,
    request: Request<UnboundedReceiverStream<PlayRequest>>,
    arrivals: &mpsc::Sender<Arrival>,
) -> Result<Duration, Status> {
    let mut client = BotServiceClient::new(channel).max_decoding_message_size(LARGEST_FRAME_BYTES);
    let mut stream = client.play(request).await?.into_inner();
    while let Some(frame) = stream.message().await? {
        let _ = arrivals.send(Arrival::Frame(frame, Instant::now())).await;
    }
    Ok(stream.trailers().await?.as_ref().map_or(Duration::ZERO, retry_after))
}

#[cfg(test)]
mod tests {
    use tonic::transport::ClientTlsConfig;

    use super::*;
    use crate::vectors::cases;

    #[test]
    fn the_time_to_come_back_stands_beside_the_status() {
        for (text, milliseconds) in [("1500", 1500), ("soon", 0), ("-1", 0), ("99999999999", 0)] {
            let mut metadata = MetadataMap::new();
            metadata.insert(RETRY_AFTER, text.parse().expect("ASCII"));
            assert_eq!(retry_after(&metadata), Duration::from_millis(milliseconds), "{text}");
        }
        assert_eq!(retry_after(&MetadataMap::new()), Duration::ZERO);
    }

    #[test]
    fn every_address_of_the_vectors_is_taken_by_the_library() {
        for case in cases("addresses").iter().filter(|case| case["because"].is_null()) {
            let address = Address::parse(case["address"].as_str().expect("a text")).expect("an address");
            for tls in [None, Some(Tls { config: ClientTlsConfig::new(), names_authorities: false })] {
                let complaint = Server::new(address.clone(), "", String::new(), tls).err();
                assert_eq!(complaint, None, "{address}");
            }
        }
    }

    #[test]
    fn the_metadata_do_not_show_a_token() {
        let server =
            Server::new(Address::Host("here".into(), 1), "secret", "friday".into(), None).expect("it is right");
        assert!(!format!("{:?}", server.metadata).contains("secret"));
    }
}
