//! Encrypted connections: what `sslmode` and `sslrootcert` of an address ask for, with the meanings that libpq gives them.
//!
//! | `sslmode` | encrypted | the server's certificate |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer` (unless told otherwise) | if the server offers it | not looked at |
//! | `require` | yes | not looked at, unless `sslrootcert` is given: then as `verify-ca` |
//! | `verify-ca` | yes | signed by somebody we trust |
//! | `verify-full` | yes | the same, and made out to the host of the address |
//!
//! Trusted are the certificates in the PEM file `sslrootcert`, or those of the system (`system`, or none named). Not spoken: certificates of
//! clients (`sslcert`), lists of revoked ones, binding of the password to the channel.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

/// How connections are encrypted, if they are.
#[derive(Clone)]
pub(super) struct Tls {
    config: Arc<ClientConfig>,
    pub(super) mode: SslMode,
}

impl Tls {
    /// What the two parameters of an address ask for. Told in words if it cannot be had.
    pub(super) fn asked(sslmode: Option<&str>, sslrootcert: Option<&str>) -> Result<Tls, String> {
        let (mode, trust) = match sslmode.unwrap_or("prefer") {
            "disable" => (SslMode::Disable, Trust::Anybody),
            "prefer" => (SslMode::Prefer, Trust::Anybody),
            "require" if sslrootcert.is_none() => (SslMode::Require, Trust::Anybody),
            "require" | "verify-ca" => (SslMode::Require, Trust::Signed(roots(sslrootcert)?)),
            "verify-full" => (SslMode::Require, Trust::Named(roots(sslrootcert)?)),
            _ => return Err("sslmode is disable, prefer, require, verify-ca or verify-full".into()),
        };
        let provider = Arc::new(ring::default_provider());
        let failed = |error: &dyn fmt::Display| format!("encryption is not available: {error}");
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?;
        let verifier: Arc<dyn ServerCertVerifier> = match trust {
            Trust::Named(roots) => WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
                .build()
                .map_err(|error| failed(&error))?,
            Trust::Signed(roots) => Arc::new(Lenient { roots: Some(roots), provider }),
            Trust::Anybody => Arc::new(Lenient { roots: None, provider }),
        };
        let config = config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
        Ok(Tls { config: Arc::new(config), mode })
    }
}

enum Trust {
    Anybody,
    Signed(RootCertStore),
    Named(RootCertStore),
}

/// The certificates of a file, or those of the system.
fn roots(file: Option<&str>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match file {
        None | Some("system") => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(file) => {
            let wrong = |why: &dyn fmt::Display| format!("sslrootcert {file}: {why}");
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))? {
                let certificate = certificate.map_err(|error| wrong(&error))?;
                roots.add(certificate).map_err(|error| wrong(&error))?;
            }
        }
    }
    if roots.is_empty() {
        return Err(format!("there is no certificate in {}", file.unwrap_or("the system's own list")));
    }
    Ok(roots)
}

/// Looks at who signed a certificate, or not even at that; never at the name in it. That whoever sent it has its key is seen to all the same.
#[derive(Debug)]
struct Lenient {
    roots: Option<RootCertStore>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let parsed = ParsedCertificate::try_from(certificate)?;
            let known = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, roots, between, now, known)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Self::Error> {
        Ok(Handshake { config: Arc::clone(&self.config), host: ServerName::try_from(host)?.to_owned() })
    }
}

/// A handshake that is about to be made.
pub(super) struct Handshake {
    config: Arc<ClientConfig>,
    host: ServerName<'static>,
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Stream<S>, Self::Error>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let connector = tokio_rustls::TlsConnector::from(self.config);
            match connector.connect(self.host, stream).await {
                Ok(stream) => Ok(Stream(stream)),
                // A certificate that is refused will be refused again; a connection that broke may stand the next time.
                Err(error) => Err(match error.downcast::<rustls::Error>() {
                    Ok(refused) => refused.into(),
                    Err(broken) => broken.into(),
                }),
            }
        })
    }
}

pub(super) struct Stream<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Stream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_read(cx, room)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(cx)
    }
}
