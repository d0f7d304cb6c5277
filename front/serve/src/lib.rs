//! The web interface and the API.
