//! Passwords: argon2id, so many at a time that memory stays small, and as long for a name that does not exist.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};

use crate::words;

/// Letters a password has at least.
pub(crate) const SHORTEST: usize = 10;
/// Bytes it has at most: hashing costs more the longer it is.
pub(crate) const LONGEST: usize = 1024;

/// The hash of a password nobody has: checked where there is no user, so that the time says nothing.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash("the password of nobody at all").unwrap_or_default());

/// Hashes a password; the sentence says what is wrong with it.
pub(crate) fn hash(password: &str) -> Result<String, &'static str> {
    if password.chars().count() < SHORTEST {
        return Err(words::PASSWORD_SHORT);
    }
    if password.len() > LONGEST {
        return Err(words::PASSWORD_LONG);
    }
    let hash: PasswordHash =
        Argon2::default().hash_password(password.as_bytes()).map_err(|_| "the password could not be hashed")?;
    Ok(hash.to_string())
}

/// Is it the password with this hash? Without one it is not, after the same time.
pub(crate) fn is_right(password: &str, kept: Option<&str>) -> bool {
    if password.len() > LONGEST {
        return false;
    }
    let against = kept.unwrap_or(&NOBODY);
    let Ok(parsed) = PasswordHash::new(against) else { return false };
    let fits = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    fits && kept.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_password_fits_and_no_other() {
        let kept = hash("correct horse battery").unwrap();
        assert!(kept.starts_with("$argon2id$"), "{kept}");
        assert!(is_right("correct horse battery", Some(&kept)));
        for wrong in ["correct horse batter", "", "Correct horse battery", &"x".repeat(5000)] {
            assert!(!is_right(wrong, Some(&kept)), "{wrong}");
        }
        assert!(!is_right("the password of nobody at all", None));
        assert_ne!(hash("correct horse battery").unwrap(), kept, "salted");
    }

    #[test]
    fn bad_passwords_are_refused_with_a_reason() {
        assert_eq!(hash("short"), Err(words::PASSWORD_SHORT));
        assert_eq!(hash(&"x".repeat(2000)), Err(words::PASSWORD_LONG));
    }
}
