//! What the derive writes is what serde's own derive writes, byte by byte.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

/// The same struct with both derives.
macro_rules! both {
    ($(#[$meta:meta])* $name:ident $(<$life:lifetime>)? { $($body:tt)* }) => {
        mod ours {
            #[allow(unused_imports, reason = "not every struct needs them")]
            use super::*;
            #[derive(fathom_derive::Serialize)]
            $(#[$meta])*
            pub(super) struct $name $(<$life>)? { $($body)* }
        }
        mod theirs {
            #[allow(unused_imports, reason = "not every struct needs them")]
            use super::*;
            #[derive(serde::Serialize)]
            $(#[$meta])*
            pub(super) struct $name $(<$life>)? { $($body)* }
        }
    };
}

/// One value of both, as indented text.
macro_rules! written {
    ($name:ident { $($fields:tt)* }) => {
        [
            serde_json::to_string_pretty(&ours::$name { $($fields)* }).unwrap(),
            serde_json::to_string_pretty(&theirs::$name { $($fields)* }).unwrap(),
        ]
    };
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

both! {
    /// Types with commas, arrows and brackets; raw names; visibility; attributes of others.
    Everything<'a> {
        /// A name.
        pub(super) name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(super) r#type: Option<&'a str>,
        pub(super) pairs: BTreeMap<String, Vec<(u8, [f64; 2])>>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub(super) none: BTreeMap<&'a str, Option<u8>>,
        #[serde(skip_serializing_if = "<[usize]>::is_empty")]
        pub(super) list: &'a [usize],
        #[allow(dead_code)]
        #[serde(skip_serializing_if = "super::is_zero")]
        pub(super) count: u64,
        pub(super) nested: Option<Result<u8, Box<str>>>,
        pub(super) phantom: std::marker::PhantomData<fn(u8) -> Box<u8>>,
        pub(super) last: bool
    }
}

#[test]
fn every_field_is_written_as_serde_writes_it() {
    for (kind, list, count) in [(None, &[][..], 0), (Some("k\"\n"), &[1, 2][..], 7)] {
        let pairs = || BTreeMap::from([("a".to_string(), vec![(1, [0.5, -0.0])])]);
        let [ours, theirs] = written!(Everything {
            name: "n",
            r#type: kind,
            pairs: pairs(),
            none: BTreeMap::new(),
            list,
            count,
            nested: Some(Err("x".into())),
            phantom: std::marker::PhantomData,
            last: true,
        });
        assert_eq!(ours, theirs);
        assert_eq!(ours.contains("\"type\""), kind.is_some(), "{ours}");
        assert_eq!(ours.contains("\"count\""), count > 0, "{ours}");
    }
}

mod without_fields {
    both! { Empty {} }

    #[test]
    fn a_struct_without_fields_is_an_empty_object() {
        let [ours, theirs] = written!(Empty {});
        assert_eq!((ours.as_str(), theirs.as_str()), ("{}", "{}"));
    }
}

/// Formats other than JSON rely on the number of fields that is announced.
#[test]
fn fields_that_are_left_out_are_not_counted() {
    let value = |list| ours::Everything {
        name: "n",
        r#type: None,
        pairs: BTreeMap::new(),
        none: BTreeMap::new(),
        list,
        count: 0,
        nested: None,
        phantom: std::marker::PhantomData,
        last: false,
    };
    assert_eq!(announced(&value(&[])), 5);
    assert_eq!(announced(&value(&[3])), 6);
}

/// The number that is announced to a serializer. `serde_json` ignores it, so a formatter of serde's, which
/// prints names only, cannot be used either: this one fails after it has read the number.
fn announced(value: &impl serde_core::Serialize) -> usize {
    value.serialize(CountOnly).unwrap_err().0
}

struct CountOnly;

#[derive(Debug)]
struct Count(usize);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Count {}

impl serde_core::ser::Error for Count {
    fn custom<T: std::fmt::Display>(_: T) -> Count {
        Count(usize::MAX)
    }
}

type Never = serde_core::ser::Impossible<(), Count>;

macro_rules! refused {
    ($($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $($argument: $type),*) -> Result<$result, Count> {
            $(let _ = $argument;)*
            Err(Count(usize::MAX))
        })*
    };
}

impl serde_core::Serializer for CountOnly {
    type Ok = ();
    type Error = Count;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Never, Count> {
        assert_eq!(name, "Everything");
        Err(Count(len))
    }

    fn serialize_some<T: ?Sized + serde_core::Serialize>(self, _: &T) -> Result<(), Count> {
        Err(Count(usize::MAX))
    }

    fn serialize_newtype_struct<T: ?Sized + serde_core::Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), Count> {
        Err(Count(usize::MAX))
    }

    fn serialize_newtype_variant<T: ?Sized + serde_core::Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Count> {
        Err(Count(usize::MAX))
    }

    refused! {
        serialize_bool(v: bool) -> ();
        serialize_i8(v: i8) -> ();
        serialize_i16(v: i16) -> ();
        serialize_i32(v: i32) -> ();
        serialize_i64(v: i64) -> ();
        serialize_u8(v: u8) -> ();
        serialize_u16(v: u16) -> ();
        serialize_u32(v: u32) -> ();
        serialize_u64(v: u64) -> ();
        serialize_f32(v: f32) -> ();
        serialize_f64(v: f64) -> ();
        serialize_char(v: char) -> ();
        serialize_str(v: &str) -> ();
        serialize_bytes(v: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(len: Option<usize>) -> Never;
        serialize_tuple(len: usize) -> Never;
        serialize_tuple_struct(name: &'static str, len: usize) -> Never;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> Never;
        serialize_map(len: Option<usize>) -> Never;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> Never;
    }
}
