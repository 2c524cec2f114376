//! Data in a page.

use serde::Serialize;

/// JSON that can stand in a script element: nothing in it can end the element, or begin a comment.
///
/// These letters are in strings only, where JSON has another way to write them.
pub(super) fn embedded(data: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(data)?;
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            letter => text.push(letter),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_the_script() {
        let hostile = [
            "</script><script>alert(1)</script>",
            "<!--<script>",
            "]]>",
            "\u{2028}\u{2029}",
            "\"\\\u{0}&lt;",
            "\u{202e}",
        ];
        let text = embedded(&hostile).unwrap();
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\0']), "{text}");
        let back: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, hostile);
    }
}
