//! The words in a picture of a terminal.

/// The lines of text in an SVG that `scripts/pictures` made: one element a word, the same `y` on a line.
pub(crate) fn lines(svg: &str) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for element in svg.split("<text ").skip(1) {
        let Some((attributes, rest)) = element.split_once('>') else { continue };
        let word = rest.split("</text>").next().unwrap_or_default();
        let height = attributes.split("y=\"").nth(1).and_then(|rest| rest.split('"').next());
        let height = height.unwrap_or_default();
        match lines.last_mut() {
            Some((last, line)) if *last == height => *line = format!("{line} {}", unescaped(word)),
            _ => lines.push((height, unescaped(word))),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

fn unescaped(word: &str) -> String {
    word.replace("&#x27;", "'")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_height_are_a_line() {
        let svg = "<svg><text x=\"1\" y=\"2\">$</text>\n<text x=\"2\" y=\"2\" class=\"b\">a&amp;b</text>\
                   <text x=\"1\" y=\"9\">c</text></svg>";
        assert_eq!(lines(svg), ["$ a&b", "c"]);
    }
}
