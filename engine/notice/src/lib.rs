//! Telling people what is new: mail and signed webhooks.
