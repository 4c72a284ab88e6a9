//! Each trouble with TLS, at a server with certificates of its own.

use std::sync::Arc;
use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tonic::transport::{Certificate, ClientTlsConfig};

use super::*;
use crate::coming_back::Ending;
use crate::launch::Order;
use crate::player::{Player, PlayerSettings};
use crate::threads::Threads;
use crate::tls::Tls;
use crate::transport::{Server, play};
use crate::{Answer, Bot, BotError, Decision};

struct Idle;

impl Bot for Idle {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        Ok(decision.default_answer())
    }
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate")
}

/// Settings that trust an authority.
fn trusting(authority: &CertifiedIssuer<KeyPair>) -> Tls {
    let text = BASE64_STANDARD.encode(authority.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    Tls { config: ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)), names_authorities: true }
}

fn for_localhost() -> CertificateParams {
    CertificateParams::new(["localhost".to_owned()]).expect("a name")
}

/// Listens with a certificate, and returns the port.
async fn listen_with(params: CertificateParams, authority: &CertifiedIssuer<'static, KeyPair>) -> u16 {
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, authority).expect("a certificate").der().clone();
    listen_with_tls(certificate, &key).await
}

async fn listen_with_tls(certificate: CertificateDer<'static>, key: &KeyPair) -> u16 {
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    let mut config = builder.with_single_cert(vec![certificate], key).expect("they fit");
    config.alpn_protocols.push(b"h2".to_vec());
    let acceptor = TlsAcceptor::from(Arc::new(config));
    listen(move |stream| {
        let acceptor = acceptor.clone();
        async move { drop(acceptor.accept(stream).await) }
    })
    .await
}

/// Listens, and answers the first bytes of each connection that begin so; it closes all others.
async fn listen_for(beginning: &'static [u8], answer: &'static [u8]) -> u16 {
    listen(move |mut stream| async move {
        let mut bytes = vec![0; beginning.len()];
        if stream.read_exact(&mut bytes).await.is_ok() && bytes == beginning {
            stream.write_all(answer).await.expect("it listens");
            while stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {}
        }
    })
    .await
}

async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> u16
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("localhost:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    port
}

/// Plays at a port of this host, and returns the words behind "the server at …" with which the bot ends at once.
async fn trouble(port: u16, tls: Option<Tls>) -> String {
    let address = Address::Host("localhost".into(), port);
    let server = Server::new(address, "secret", String::new(), tls).expect("it is right");
    let mut player = Player::new(|_| Idle, PlayerSettings::default(), || Duration::ZERO);
    let (_sender, orders) = watch::channel(Order::None);
    let threads = Threads::start(0).expect("none");
    match play(&mut player, &server, Instant::now(), orders, threads).await {
        Some(Ending::TlsFailed(words)) => words,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_tls_is_told_without_it() {
    let words = "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
    assert_eq!(trouble(listen_with(for_localhost(), &authority()).await, None).await, words);
    let refusing = listen_for(b"\x16\x03\x01", b"\x15\x03\x03\0\x02\x02\x28").await; // handshake_failure
    assert_eq!(trouble(refusing, None).await, words);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_tls_is_told_with_it() {
    let port = listen_for(b"PRI * HTTP/2.0\r\n", b"\0\0\0\x04\0\0\0\0\0").await;
    assert_eq!(trouble(port, Some(trusting(&authority()))).await, "does not speak TLS: connect without --tls");
}

#[tokio::test(flavor = "multi_thread")]
async fn times_and_names_of_a_certificate_are_told() {
    let authority = authority();
    let mut expired = for_localhost();
    expired.not_after = date_time_ymd(2020, 1, 1);
    let mut early = for_localhost();
    early.not_before = date_time_ymd(3000, 1, 1);
    let other = CertificateParams::new(["example.org".to_owned()]).expect("a name");
    for (params, words) in [
        (expired, "has a certificate that has expired"),
        (early, "has a certificate that is not valid yet"),
        (other, "has a certificate for other names than localhost"),
    ] {
        let port = listen_with(params, &authority).await;
        assert_eq!(trouble(port, Some(trusting(&authority))).await, words);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_is_not_trusted_is_told() {
    let words = "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
    let (trusted, stranger) = (authority(), authority());
    // Both have the same name, but not the same key.
    let port = listen_with(for_localhost(), &stranger).await;
    assert_eq!(trouble(port, Some(trusting(&trusted))).await, words);
    let key = KeyPair::generate().expect("a key");
    let alone = for_localhost().self_signed(&key).expect("a certificate").der().clone();
    assert_eq!(trouble(listen_with_tls(alone, &key).await, Some(trusting(&trusted))).await, words);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_an_authority_is_no_server_s() {
    let mut params = for_localhost();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let own = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate");
    let port = listen_with_tls(own.der().clone(), own.key()).await;
    let usual = Tls { config: ClientTlsConfig::new(), names_authorities: false };
    assert!(trouble(port, Some(usual)).await.contains("is not trusted here"));
    assert!(trouble(port, Some(trusting(&own))).await.contains("it needs one that is signed by that"));
}

#[tokio::test]
async fn a_look_finds_nothing_where_nothing_is_wrong() {
    let at = |port| Address::Host("localhost".into(), port);
    let web = listen_for(b"PRI", b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let talker = listen(|mut stream| async move { drop(stream.write_all(b"220 localhost ESMTP\r\n").await) }).await;
    let mute = listen(|stream| async move { drop(stream) }).await;
    for port in [web, talker, mute] {
        assert_eq!((look(&at(port), false).await, look(&at(port), true).await), (None, None));
    }
    let free = TcpListener::bind("localhost:0").await.expect("a port").local_addr().expect("an address").port();
    assert_eq!(look(&at(free), true).await, None);
}
