//! The part of the page that this command owns, between two marks.

const BEGIN: &str = "<!-- begin: written by `performance commands` -->\n";
const END: &str = "<!-- end: written by `performance commands` -->\n";

/// The page with its marked part replaced, or added at the end.
pub(super) fn replaced(page: &str, part: &str) -> String {
    let (before, after) = match bounds(page) {
        Some((begin, end)) => (&page[..begin], &page[end..]),
        None => (page, ""),
    };
    let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    format!("{before}{gap}{BEGIN}\n{part}\n{END}{after}")
}

/// The marked part with its marks; empty if the page has none.
pub(in crate::performance) fn kept_from(page: &str) -> &str {
    bounds(page).map_or("", |(begin, end)| &page[begin..end])
}

fn bounds(page: &str) -> Option<(usize, usize)> {
    let begin = page.find(BEGIN)?;
    let end = begin + page[begin..].find(END)? + END.len();
    Some((begin, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_page_stays() {
        let first = replaced("# Title\n\nText.\n", "## Part\n");
        assert_eq!(first, format!("# Title\n\nText.\n\n{BEGIN}\n## Part\n\n{END}"));
        let longer = format!("{first}\n## Later\n");
        let second = replaced(&longer, "## Other\n");
        assert_eq!(second, format!("# Title\n\nText.\n\n{BEGIN}\n## Other\n\n{END}\n## Later\n"));
        assert_eq!(replaced(&second, "## Other\n"), second);
    }

    #[test]
    fn what_is_kept_is_what_was_written() {
        let page = replaced("# Title\n", "## Part\n");
        assert_eq!(format!("# Title\n\n{}", kept_from(&page)), page);
        assert_eq!(kept_from("# Title\n"), "");
        assert_eq!(kept_from(END), "");
    }
}
