//! The wire under a player: one stream of `BotService.Play`, taken up again when it breaks.

use std::error::Error;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::{task, time};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint, Uri};
use tonic::{Code, Request, Status};

use crate::launch::Told;
use crate::v1::bot_service_client::BotServiceClient;
use crate::v1::game_service_client::GameServiceClient;
use crate::v1::{DescribeEventRequest, DescribeEventResponse, PlayRequest, PlayResponse};
use crate::{Bot, Ending, Next, Player};

// A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed.
const PING_EVERY: Duration = Duration::from_secs(25);
const LONGEST_PONG: Duration = Duration::from_secs(10);
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// How long a Goodbye may take to get through.
const PARTING: Duration = Duration::from_secs(1);
/// How many frames may have come while the bot thinks about one before them.
const FRAMES_AHEAD: usize = 256;
/// A frame of the server may hold any number of decisions. This is far beyond what an honest one sends, 4 MiB.
const LARGEST_FRAME_BYTES: usize = 16 << 20;
/// Where a server says, beside a status, when to come back.
const RETRY_AFTER: &str = "retry-after-ms";
const FAREWELL: &str = "the bot was told to stop";

/// Where to play.
pub(crate) struct Server {
    pub(crate) address: String,
    endpoint: Endpoint,
    metadata: MetadataMap,
    event: String,
}

impl Server {
    /// Prepares to connect, or complains of what cannot be. An empty token or event is none.
    pub(crate) fn new(
        address: String,
        token: &str,
        event: String,
        tls: Option<ClientTlsConfig>,
    ) -> Result<Self, String> {
        let endpoint = endpoint(&address, tls)?
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
        Ok(Self { address, endpoint, metadata, event })
    }

    fn request<T>(&self, message: T) -> Request<T> {
        Request::from_parts(self.metadata.clone(), tonic::Extensions::default(), message)
    }
}

fn endpoint(address: &str, tls: Option<ClientTlsConfig>) -> Result<Endpoint, String> {
    let complain = |reason: &dyn Error| format!("--address: {address} is no HOST:PORT and no unix:PATH ({reason})");
    if address.starts_with("unix:") {
        return Endpoint::from_shared(address.to_owned()).map_err(|error| complain(&error));
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    let uri = format!("{scheme}://{address}").parse::<Uri>().map_err(|error| complain(&error))?;
    if uri.port().is_none() || uri.path() != "/" {
        return Err(format!("--address: {address} is no HOST:PORT and no unix:PATH"));
    }
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let endpoint = Endpoint::from(uri);
    let Some(tls) = tls else { return Ok(endpoint) };
    endpoint.tls_config(tls.domain_name(host)).map_err(|error| format!("TLS cannot be used: {}", with_causes(&error)))
}

fn value_of(text: &str) -> Result<MetadataValue<tonic::metadata::Ascii>, String> {
    MetadataValue::try_from(text).map_err(|_| "what comes along with the call cannot be sent".into())
}

/// How a connection ended.
struct End {
    status: Code,
    sentence: String,
    retry_after: Duration,
}

impl From<Status> for End {
    fn from(status: Status) -> Self {
        let cause = status.source().map(with_causes);
        let sentence = match (status.message(), cause) {
            (message, Some(cause)) if !message.is_empty() && !cause.contains(message) => format!("{message}: {cause}"),
            (_, Some(cause)) => cause,
            (message, None) => message.to_owned(),
        };
        Self { status: status.code(), sentence, retry_after: retry_after(status.metadata()) }
    }
}

impl From<tonic::transport::Error> for End {
    fn from(error: tonic::transport::Error) -> Self {
        Self { status: Code::Unavailable, sentence: with_causes(&error), retry_after: Duration::ZERO }
    }
}

/// An error in one sentence: the first words of a library seldom say what is wrong.
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

/// A frame and when it came, or how the stream ended.
enum Arrival {
    Frame(PlayResponse, Instant),
    End(End),
}

/// Plays until the session is over, and returns why; `None` if the bot left before, as it was told. A connection that
/// breaks is taken up again as the player says.
pub(crate) async fn play<B: Bot>(
    player: &mut Player<B>,
    server: &Server,
    began: Instant,
    mut told: watch::Receiver<Told>,
) -> Option<Ending> {
    loop {
        let end = Connection { player, server, began, told: &mut told }.play().await?;
        match player.lost(end.status, &end.sentence, end.retry_after, rand::random()) {
            Next::Over(ending) => return Some(ending),
            Next::Pause(pause) => {
                let reason = if end.sentence.is_empty() { "the stream ended" } else { &end.sentence };
                log::info!("the connection broke ({reason}); trying again in {:.2} s", pause.as_secs_f64());
                // While it is not connected, whatever it is told makes the bot leave.
                time::timeout(pause, told.changed()).await.err()?;
            }
        }
    }
}

/// One connection of a player.
struct Connection<'a, B> {
    player: &'a mut Player<B>,
    server: &'a Server,
    began: Instant,
    told: &'a mut watch::Receiver<Told>,
}

impl<B: Bot> Connection<'_, B> {
    /// Plays until the connection ends, and returns how; `None` if the bot left.
    async fn play(&mut self) -> Option<End> {
        let opened = tokio::select! {
            opened = open(self.server, self.player.keeps_receipts()) => opened,
            _ = self.told.changed() => return None,
        };
        let (channel, described) = match opened {
            Ok(opened) => opened,
            Err(end) => return Some(end),
        };
        self.player.learn(&described);
        let (outbox, requests) = mpsc::unbounded_channel();
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
                _ = self.told.changed() => {
                    if *self.told.borrow_and_update() == Told::Leave || !self.player.is_open() {
                        self.leave(outbox, inbox).await;
                        return None;
                    }
                    self.retire(&outbox);
                }
            }
        }
    }

    /// Lets the player think. It may take long, so everything else goes on elsewhere.
    fn answer(&mut self, frame: PlayResponse, at: Instant, outbox: &mpsc::UnboundedSender<PlayRequest>) {
        let arrived = at.saturating_duration_since(self.began);
        if let Some(reply) = task::block_in_place(|| self.player.receive(frame, arrived)) {
            let _ = outbox.send(reply); // Where the stream is over, its end says why.
        }
    }

    fn retire(&mut self, outbox: &mpsc::UnboundedSender<PlayRequest>) {
        if let Some(retire) = self.player.retire() {
            let _ = outbox.send(retire);
        }
        log::info!("told to stop: running matches are played to their end; once more to leave at once");
    }

    /// Says goodbye, and waits for a moment until it got through.
    async fn leave(&mut self, outbox: mpsc::UnboundedSender<PlayRequest>, mut inbox: mpsc::Receiver<Arrival>) {
        if let Some(goodbye) = self.player.leave(FAREWELL) {
            let _ = outbox.send(goodbye);
            drop(outbox);
            let _ = time::timeout(PARTING, async { while inbox.recv().await.is_some() {} }).await;
        }
    }
}

/// Connects, and asks for the event that the bot comes in for, if it wants to know. A server that does not know the
/// question plays none.
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

/// Notes when each frame comes, even while the bot thinks about one before it, and how the stream ends.
async fn read(
    channel: Channel,
    request: Request<UnboundedReceiverStream<PlayRequest>>,
    arrivals: mpsc::Sender<Arrival>,
) {
    let end = match read_frames(channel, request, &arrivals).await {
        Ok(retry_after) => End { status: Code::Ok, sentence: String::new(), retry_after },
        Err(status) => status.into(),
    };
    let _ = arrivals.send(Arrival::End(end)).await; // Nobody listens any more where the bot has left.
}

/// Hands over frames until the stream ends in good order, and returns how long the server wants to be left alone.
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
    use super::*;

    fn complaint(address: &str) -> String {
        Server::new(address.into(), "", String::new(), None).err().unwrap_or_default()
    }

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
    fn an_address_is_a_host_with_a_port_or_a_socket() {
        for address in ["127.0.0.1:7447", "play.example.org:443", "[::1]:7447", "unix:/tmp/socket", "unix:socket"] {
            assert_eq!(complaint(address), "", "{address}");
        }
        for address in ["localhost", "a b:1", "here:1/path", "http://here:1", ""] {
            assert!(complaint(address).contains("is no HOST:PORT and no unix:PATH"), "{address}");
        }
    }

    #[test]
    fn over_tls_an_address_in_brackets_is_an_address_too() {
        let tls = Some(ClientTlsConfig::new());
        assert!(Server::new("[::1]:7447".into(), "", String::new(), tls).is_ok());
    }

    #[test]
    fn a_token_is_not_shown_among_the_metadata() {
        let server = Server::new("here:1".into(), "secret", "friday".into(), None).expect("it is right");
        assert!(!format!("{:?}", server.metadata).contains("secret"));
    }
}
