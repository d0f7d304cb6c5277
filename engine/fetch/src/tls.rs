//! Secure connections: whom do we trust, and which protocol was agreed on?
//!
//! Roots are the system's own (SSL_CERT_FILE and SSL_CERT_DIR are honoured), or Mozilla's list where the system has none.
//! They are read at the first secure connection, since reading them costs more than a small survey of a plain site.

use std::sync::{Arc, OnceLock};

use groma_model::Failure;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_rustls::TlsConnector;

use crate::fault;
use crate::wire::Wire;

pub(crate) struct Tls {
    insecure: bool,
    /// For servers, which may speak HTTP/2; and for proxies, which are spoken to in HTTP/1.1.
    configs: OnceLock<Result<[Arc<ClientConfig>; 2], String>>,
}

impl Tls {
    pub(crate) fn new(insecure: bool) -> Tls {
        Tls { insecure, configs: OnceLock::new() }
    }

    /// Makes a connection to a server secure; true if it chose HTTP/2.
    pub(crate) async fn to_server(&self, wire: Wire, host: &str) -> Result<(Wire, bool), Failure> {
        self.secure(wire, host, 0).await
    }

    /// Makes a connection to a proxy secure.
    pub(crate) async fn to_proxy(&self, wire: Wire, host: &str) -> Result<Wire, Failure> {
        self.secure(wire, host, 1).await.map(|(wire, _)| wire)
    }

    async fn secure(&self, wire: Wire, host: &str, whom: usize) -> Result<(Wire, bool), Failure> {
        let configs = self.configs.get_or_init(|| configs(self.insecure).map_err(|e| e.to_string()));
        let configs = configs.as_ref().map_err(|e| Failure::Tls(e.clone()))?;
        let name = ServerName::try_from(host.to_owned()).map_err(|e| Failure::Tls(format!("{host}: {e}")))?;
        let connector = TlsConnector::from(configs[whom].clone());
        let stream = connector.connect(name, wire).await.map_err(|e| fault::of_tls(&e))?;
        let two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok((Wire::Tls(Box::new(stream)), two))
    }
}

fn configs(insecure: bool) -> Result<[Arc<ClientConfig>; 2], Error> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    let mut server = if insecure {
        builder.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider))).with_no_client_auth()
    } else {
        builder.with_root_certificates(roots()).with_no_client_auth()
    };
    let mut proxy = server.clone();
    server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    proxy.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok([Arc::new(server), Arc::new(proxy)])
}

fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A certificate that cannot be read is one root fewer, which shows where it matters: at the site it vouches for.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// Trusts any certificate (`-k`). Signatures are still checked: whoever answers holds the key of what was shown.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
