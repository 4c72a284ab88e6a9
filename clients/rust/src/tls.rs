//! The options for TLS.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

use crate::environment::{Environment, Given, given, is_on};
use crate::token::cannot_read;

/// Long enough for a server that is busy with others.
const LONGEST_HANDSHAKE: Duration = Duration::from_secs(10);

/// The options for TLS. Each of the files asks for it, too.
#[derive(Default)]
pub(crate) struct TlsOptions {
    pub(crate) tls: bool,
    pub(crate) authorities: Option<OsString>,
    pub(crate) certificate: Option<OsString>,
    pub(crate) key: Option<OsString>,
}

/// The settings of a connection over TLS.
pub(crate) struct Tls {
    pub(crate) config: ClientTlsConfig,
    /// Whether the authorities to trust were named.
    pub(crate) names_authorities: bool,
}

impl TlsOptions {
    /// Returns the settings of TLS, `None` for a connection in the clear, or a complaint.
    pub(crate) fn settle(self, environment: Environment) -> Result<Option<Tls>, String> {
        let is_wanted = self.tls || is_on("ORDAGO_TLS", environment)?;
        let authorities = given(self.authorities, "tls-ca", environment);
        let certificate = given(self.certificate, "tls-cert", environment);
        let identity = match (certificate, given(self.key, "tls-key", environment)) {
            (Some(certificate), Some(key)) => Some(identity(&certificate, &key)?),
            (None, None) => None,
            _ => return Err("--tls-cert and --tls-key belong together".into()),
        };
        if !is_wanted && authorities.is_none() && identity.is_none() {
            return Ok(None);
        }
        let names_authorities = authorities.is_some();
        let config = ClientTlsConfig::new().timeout(LONGEST_HANDSHAKE);
        let config = match authorities {
            Some(file) => config.ca_certificate(certificates(&file)?),
            None => config.with_native_roots(),
        };
        let config = identity.into_iter().fold(config, ClientTlsConfig::identity);
        Ok(Some(Tls { config, names_authorities }))
    }
}

fn certificates(file: &Given) -> Result<Certificate, String> {
    let contents = read(file)?;
    let mut certificates = CertificateDer::pem_slice_iter(&contents);
    if !certificates.any(|certificate| certificate.is_ok()) {
        return Err(format!("{}: {} holds no certificates, as PEM", file.0, Path::new(&file.1).display()));
    }
    Ok(Certificate::from_pem(contents))
}

fn identity(certificate: &Given, key: &Given) -> Result<Identity, String> {
    let identity = Identity::from_pem(read(certificate)?, read(key)?);
    // tonic reads it only when an endpoint takes it; any endpoint will do.
    let trial = ClientTlsConfig::new().identity(identity.clone());
    match Endpoint::from_static("https://localhost").tls_config(trial) {
        Ok(_) => Ok(identity),
        Err(_) => Err(format!(
            "{}, {}: {} and {} are no certificate and its key, as PEM and without a password",
            certificate.0,
            key.0,
            Path::new(&certificate.1).display(),
            Path::new(&key.1).display()
        )),
    }
}

fn read((name, path): &Given) -> Result<Vec<u8>, String> {
    let path = Path::new(path);
    fs::read(path).map_err(|error| format!("{name}: {}", cannot_read(path, &error)))
}
