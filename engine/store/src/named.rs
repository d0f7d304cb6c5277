//! Kinds and states that stores keep as numbers, and people and programs see as words.

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $( $(#[$vdoc:meta])* $variant:ident = $code:literal, $word:literal; )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $( $(#[$vdoc])* $variant = $code, )* }

        impl $name {
            /// In the order of their codes.
            pub const ALL: &'static [$name] = &[ $( $name::$variant, )* ];

            /// The number the store keeps.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// What a number stands for.
            pub fn from_code(code: u8) -> Option<$name> {
                match code { $( $code => Some($name::$variant), )* _ => None }
            }

            /// The word people and programs see.
            pub fn name(self) -> &'static str {
                match self { $( $name::$variant => $word, )* }
            }

            /// What a word stands for.
            pub fn named(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|one| one.name() == word)
            }
        }
    };
}

pub(crate) use named;
