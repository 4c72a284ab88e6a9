//! A look at a server after the first connection failed: TLS that cannot work is not tried again.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, CertificateError, ClientConfig, RootCertStore};

use crate::address::Address;

const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// The beginning of every HTTP/2 connection, and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const FRAME_HEAD_BYTES: usize = 9;
const SETTINGS: u8 = 4;
const NOT_TRUSTED: &str = "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
const SELF_SIGNED: &str = "has a certificate of an authority as its own: it needs one that is signed by that";
/// The error of webpki for a self-signed certificate as `openssl req -x509` makes them.
const OWN_AUTHORITY: &str = "CaUsedAsEndEntity";

/// Looks at what listens at an address. Returns why the connection cannot work, to be put behind "the server at …";
/// `None` if the look finds nothing of the kind. It sends neither token nor certificate.
pub(crate) async fn look(address: &Address, has_tls: bool) -> Option<String> {
    let host = host_of(address);
    let look = async {
        match address {
            Address::Host(_, port) => find(TcpStream::connect((host, *port)).await?, host, has_tls).await,
            #[cfg(unix)]
            Address::Unix(path) => find(tokio::net::UnixStream::connect(path).await?, host, has_tls).await,
            #[cfg(windows)]
            Address::Unix(_) => Ok(None),
        }
    };
    let found: io::Result<_> = time::timeout(LONGEST_LOOK, look).await.ok()?;
    found.ok()?.map(str::to_owned)
}

async fn find<S>(stream: S, host: &str, has_tls: bool) -> io::Result<Option<&'static str>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    Ok(if has_tls {
        speaks_http2(stream).await?.then_some("does not speak TLS: connect without --tls")
    } else {
        let words = "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
        speaks_tls(stream, host).await.then_some(words)
    })
}

async fn speaks_http2(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<bool> {
    stream.write_all(PREFACE).await?;
    let mut head = [0; FRAME_HEAD_BYTES];
    stream.read_exact(&mut head).await?;
    Ok(head[3] == SETTINGS && head[5..] == [0; 4])
}

/// Whether a server completes or refuses a TLS handshake. Nothing is trusted, so a refusal may also be the client's.
async fn speaks_tls(stream: impl AsyncRead + AsyncWrite + Unpin, host: &str) -> bool {
    let Ok(name) = ServerName::try_from(host.to_owned()) else {
        return false;
    };
    match TlsConnector::from(Arc::new(trusting_nobody())).connect(name, stream).await {
        Ok(_) => true,
        Err(error) => matches!(
            tls_error(&error),
            Some(
                rustls::Error::InvalidCertificate(_)
                    | rustls::Error::AlertReceived(_)
                    | rustls::Error::PeerIncompatible(_)
            )
        ),
    }
}

fn trusting_nobody() -> ClientConfig {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("ring has them all");
    let mut config = builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    config.alpn_protocols.push(b"h2".to_vec());
    config
}

/// Returns why the certificate of a server is refused for good, to be put behind "the server at …".
pub(crate) fn refusal(error: &rustls::Error, address: &Address, names_authorities: bool) -> Option<String> {
    let rustls::Error::InvalidCertificate(error) = error else {
        return None;
    };
    let words = match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has a certificate that has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "has a certificate that is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            return Some(format!("has a certificate for other names than {}", host_of(address)));
        }
        // rustls takes no certificate of an authority as that of a server, even if it is named.
        CertificateError::Other(error) if error.to_string() == OWN_AUTHORITY && names_authorities => SELF_SIGNED,
        CertificateError::Other(error) if error.to_string() == OWN_AUTHORITY => NOT_TRUSTED,
        // The signature is bad if a trusted authority has the same name, but another key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => NOT_TRUSTED,
        _ => return None,
    };
    Some(words.into())
}

fn host_of(address: &Address) -> &str {
    match address {
        Address::Host(host, _) => host,
        Address::Unix(_) => "localhost",
    }
}

/// The error of TLS among the causes of an error.
pub(crate) fn tls_error_in(error: &(dyn Error + 'static)) -> Option<rustls::Error> {
    let mut next = Some(error);
    while let Some(cause) = next {
        // `source` skips the error that an `io::Error` wraps.
        if let Some(error) = cause.downcast_ref().and_then(tls_error) {
            return Some(error.clone());
        }
        next = cause.source();
    }
    None
}

fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

#[cfg(test)]
mod tests;
