//! What the attribute refuses, and in which words. To write the `.stderr` files again:
//! `TRYBUILD=overwrite cargo test -p fathom-bench-macros --test refused`.

#[test]
fn refusals_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
