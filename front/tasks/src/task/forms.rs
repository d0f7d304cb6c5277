//! The forms in which the result of a task can be kept as a file. Each task declares its own once: `forms!` of its folder.

use groma_model::wording::one_of;
use groma_settings::Fault;

use crate::export::wording::no_such_form;

/// A form as people and programs see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFormat {
    /// The word users write.
    pub name: &'static str,
    /// How the name of its file ends.
    pub ending: &'static str,
    pub media_type: &'static str,
    /// What it is good for.
    pub says: &'static str,
}

/// No form has this name.
pub(crate) fn no_such(name: &str, formats: &[FileFormat]) -> Fault {
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    Fault::new(no_such_form(name), one_of(&names))
}

/// Declares the forms of a result: name, ending, media type, what it is good for. The first is the usual one of a job.
macro_rules! forms {
    ($(#[$doc:meta])* $( $variant:ident, $name:literal, $ending:literal, $media_type:literal, $says:literal; )*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Form { $( #[doc = $says] $variant, )* }

        impl Form {
            /// All of them; the first is the usual one of a job.
            pub const ALL: &'static [Form] = &[ $( Form::$variant, )* ];
            /// The same, as people and programs see them.
            pub const FORMATS: &'static [$crate::task::FileFormat] = &[
                $( $crate::task::FileFormat { name: $name, ending: $ending, media_type: $media_type, says: $says }, )*
            ];

            /// As people and programs see it.
            pub fn format(self) -> &'static $crate::task::FileFormat {
                &Form::FORMATS[self as usize]
            }

            /// The form with this name; the usual one if nothing is said.
            pub fn chosen(name: &str) -> Result<Form, groma_settings::Fault> {
                let mut all = Form::ALL.iter().copied();
                let found = all.find(|form| name.is_empty() || form.format().name == name);
                found.ok_or_else(|| $crate::task::forms::no_such(name, Form::FORMATS))
            }
        }

        impl clap::ValueEnum for Form {
            fn value_variants<'a>() -> &'a [Form] {
                Form::ALL
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                let format = self.format();
                Some(clap::builder::PossibleValue::new(format.name).help(format.says))
            }
        }
    };
}

pub(crate) use forms;
