//! An SVG drawing, and text in it.

use std::fmt::{self, Display, Write};

/// Text with all special characters escaped.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                control if control.is_control() => write!(f, "{}", control.escape_default())?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// An SVG drawing with a title and a size; `write` writes its content.
pub fn svg(
    title: &str,
    (width, height): (f64, f64),
    write: impl FnOnce(&mut String) -> fmt::Result,
) -> String {
    let title = Escaped(title);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"chart\"><title>{title}</title>\n"
    );
    // Writing to a string cannot fail.
    let _ = write(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        let text = Escaped("<b a='1' c=\"2\">&\u{1b}[1m\n").to_string();
        assert_eq!(
            text,
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;\\u{1b}[1m\\n"
        );
    }
}
