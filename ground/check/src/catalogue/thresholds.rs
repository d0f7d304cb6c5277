//! Where checks draw the line: numbers that people may set.

macro_rules! thresholds {
    ($( $name:ident = $value:literal, $help:literal; )*) => {
        /// Where checks draw the line.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Thresholds { $( #[doc = $help] pub $name: u64, )* }

        impl Default for Thresholds {
            fn default() -> Thresholds {
                Thresholds { $( $name: $value, )* }
            }
        }

        impl Thresholds {
            /// Name, value unless something is said, and meaning of each.
            pub const TABLE: &'static [(&'static str, u64, &'static str)] = &[ $( (stringify!($name), $value, $help), )* ];

            /// Sets one by its name; false if there is none of that name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $( stringify!($name) => self.$name = value, )*
                    _ => return false,
                }
                true
            }

            /// The value of one by its name.
            pub fn get(&self, name: &str) -> Option<u64> {
                match name {
                    $( stringify!($name) => Some(self.$name), )*
                    _ => None,
                }
            }
        }
    };
}

thresholds! {
    title_chars = 65, "Characters of a title that is not too long.";
    title_pixels = 600, "Width of a title that is not too wide, in pixels of Arial 20.";
    title_chars_least = 5, "Characters of a title that is not too short.";
    description_chars = 320, "Characters of a description that is not too long.";
    description_chars_least = 50, "Characters of a description that is not too short.";
    h1_chars = 100, "Characters of a main heading that is not too long.";
    alt_chars = 250, "Characters of a text for an image that is not too long.";
    url_chars = 200, "Characters of a URL that is not too long.";
    thin_words = 50, "Words of a page that is not thin.";
    page_links = 1000, "Links of a page that does not have too many.";
    depth = 7, "Clicks from the start page to a page that is not too deep.";
    answer_ms = 1500, "Milliseconds of an answer that is not slow.";
    html_bytes = 500000, "Bytes of a page that is not too large.";
    image_bytes = 500000, "Bytes of an image that is not too large.";
    elements = 3000, "Elements of a page that does not have too many.";
    blocking_scripts = 3, "Scripts in the head that a page may wait for.";
    compressible_bytes = 5000, "Bytes from which an answer should be compressed.";
    hsts_seconds = 15552000, "Seconds for which a server should ask for encryption.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_is_found_by_its_name() {
        let mut thresholds = Thresholds::default();
        for (name, value, help) in Thresholds::TABLE {
            assert_eq!(thresholds.get(name), Some(*value));
            assert!(thresholds.set(name, value + 1) && thresholds.get(name) == Some(value + 1) && help.ends_with('.'));
        }
        assert!(!thresholds.set("none", 1) && thresholds.get("none").is_none());
    }
}
