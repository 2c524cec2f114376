//! Types by their short names.

/// The name of a type without the paths: "`Vec<String>`".
///
/// ```
/// assert_eq!(fathom_bench::type_name::<Vec<Option<std::path::PathBuf>>>(), "Vec<Option<PathBuf>>");
/// assert_eq!(fathom_bench::type_name::<&[u8]>(), "&[u8]");
/// ```
#[must_use]
pub fn type_name<T: ?Sized>() -> String {
    let full = std::any::type_name::<T>();
    let mut short = String::new();
    let mut word = String::new();
    for c in full.chars() {
        if c.is_alphanumeric() || c == '_' || c == ':' {
            word.push(c);
        } else {
            short.push_str(last_part(&word));
            word.clear();
            short.push(c);
        }
    }
    short.push_str(last_part(&word));
    short
}

fn last_part(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
