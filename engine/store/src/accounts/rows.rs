//! The rows of the accounts, in the words of the house.

/// What is kept instead of a secret: its SHA-256, say. The store only compares.
pub type Hash = [u8; 32];

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Sees everything, changes nothing.
    Reader,
    /// Sees and changes everything.
    Admin,
}

impl Role {
    /// From the weakest to the strongest.
    pub const ALL: &'static [Role] = &[Role::Reader, Role::Admin];

    /// The word people, programs and the store see.
    pub fn name(self) -> &'static str {
        match self {
            Role::Reader => "reader",
            Role::Admin => "admin",
        }
    }

    /// What a word stands for.
    pub fn named(word: &str) -> Option<Role> {
        Role::ALL.iter().copied().find(|role| role.name() == word)
    }
}

/// Can somebody be called so? 1 to 64 letters, digits and `.`, `_`, `-`, `@`, of any script.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@');
    (1..=64).contains(&name.chars().count()) && name.chars().all(fits)
}

/// Somebody who can log in.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// By which they log in.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of the password with its parameters, as one string.
    pub password: String,
    /// When the user was added.
    pub made_at: i64,
}

/// A browser that is logged in.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    /// The hash of the secret in its cookie.
    pub key: Hash,
    /// Whose; empty for nobody by name.
    pub user: String,
    /// What its forms must bring along.
    pub csrf: String,
    /// Until when it lasts.
    pub expires_at: i64,
    /// When it was opened.
    pub made_at: i64,
    /// When it was last used.
    pub last_seen: i64,
}

/// The key of a program.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// Its number; 0 for a new one.
    pub id: u64,
    /// The hash of the secret.
    pub hash: Hash,
    /// What people call it.
    pub name: String,
    /// What its bearer may do.
    pub role: Role,
    /// When it was made.
    pub made_at: i64,
    /// When it was last used; 0 if never.
    pub last_used: i64,
    /// Until when it holds; `None`: for ever.
    pub expires_at: Option<i64>,
}

/// What is secret stays out of logs.
macro_rules! discreet {
    ($($row:ident: $($field:ident),+;)*) => { $(
        impl std::fmt::Debug for $row {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($row))$(.field(stringify!($field), &self.$field))+.finish_non_exhaustive()
            }
        }
    )* };
}

discreet! {
    User: name, role, made_at;
    Session: user, expires_at, made_at, last_seen;
    Token: id, name, role, made_at, last_used, expires_at;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_their_words() {
        for role in Role::ALL {
            assert_eq!(Role::named(role.name()), Some(*role));
        }
        assert_eq!(Role::named("Admin"), None);
        assert!(Role::Admin > Role::Reader, "an admin may do all a reader may");
    }

    #[test]
    fn names_are_plain() {
        for good in ["a", "jan.novák", "web-master_2", "me@example.org", &"x".repeat(64)] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", " ", "a b", "a\n", "<b>", "a/b", "\u{202e}x", &"x".repeat(65)] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let user = User { name: "ann".into(), role: Role::Admin, password: "$argon2id$x".into(), made_at: 1 };
        let session = Session {
            key: [7; 32],
            user: "ann".into(),
            csrf: "sesame".into(),
            expires_at: 9,
            made_at: 1,
            last_seen: 1,
        };
        let shown = format!("{user:?} {session:?}");
        assert!(shown.contains("ann") && !shown.contains("argon") && !shown.contains("sesame"), "{shown}");
        assert!(!shown.contains("7, 7"), "{shown}");
    }
}
