//! The code that is written.

use crate::failure::Failure;
use crate::structure::Structure;
use proc_macro::{Span, TokenStream};
use std::fmt::Write;

/// The implementation, as serde's derive writes it: fields in their order, counted first.
pub(crate) fn expand(structure: &Structure) -> Result<TokenStream, Failure> {
    let Structure { name, lifetimes, fields } = structure;
    let always = fields.iter().filter(|field| field.skipped_if.is_none()).count();
    let mut count = always.to_string();
    let mut written = String::new();
    for field in fields {
        let (ident, key) = (&field.ident, field.key());
        let write = format!("__Fields::serialize_field(&mut __fields, {key:?}, &self.{ident})?;");
        // Writing to a string does not fail.
        let _ = match &field.skipped_if {
            None => writeln!(written, "{write}"),
            Some(path) => {
                let _ = write!(count, " + usize::from(!{path}(&self.{ident}))");
                writeln!(written, "if !{path}(&self.{ident}) {{ {write} }}")
            }
        };
    }
    let key = name.to_string();
    let code = format!(
        "#[automatically_derived]
        impl<{lifetimes}> ::serde_core::Serialize for {name}<{lifetimes}> {{
            fn serialize<__S: ::serde_core::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {{
                use ::serde_core::ser::SerializeStruct as __Fields;
                let mut __fields =
                    ::serde_core::Serializer::serialize_struct(__serializer, {key:?}, {count})?;
                {written}
                __Fields::end(__fields)
            }}
        }}"
    );
    code.parse().map_err(|error| {
        let message =
            format!("fathom_derive wrote code that is none ({error}): please report this");
        Failure::at(Span::call_site(), message)
    })
}
