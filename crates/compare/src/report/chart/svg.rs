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

/// A drawing with a title. Displayed, it is a part of an HTML page, whose style sheet it uses.
pub struct Drawing {
    /// The title.
    title: String,
    /// Width and height.
    size: (f64, f64),
    /// The content, as SVG.
    content: String,
}

/// The height of the heading of a picture.
const HEADING: f64 = 26.0;

impl Drawing {
    /// A drawing whose content `write` writes.
    pub(super) fn new(
        title: &str,
        size: (f64, f64),
        write: impl FnOnce(&mut String) -> fmt::Result,
    ) -> Self {
        let (title, mut content) = (title.to_string(), String::new());
        // Writing to a string cannot fail.
        let _ = write(&mut content);
        Drawing {
            title,
            size,
            content,
        }
    }

    /// The drawing as a file of its own, with its title as a heading, a background and this style sheet.
    pub fn picture(&self, style: &str) -> String {
        let (title, (width, height)) = (Escaped(&self.title), self.size);
        let total = height + HEADING;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}\" height=\"{total}\">\n\
             <style>{style}</style>\n<rect width=\"{width}\" height=\"{total}\"/>\n\
             <text x=\"4\" y=\"17\" class=\"heading\">{title}</text>\n{inner}</svg>\n",
            inner = self.svg(&format!(
                "y=\"{HEADING}\" width=\"{width}\" height=\"{height}\" "
            )),
        )
    }

    /// The drawing with these attributes.
    fn svg(&self, attributes: &str) -> String {
        let (title, (width, height)) = (Escaped(&self.title), self.size);
        format!(
            "<svg {attributes}viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"chart\"><title>{title}</title>\n{}</svg>\n",
            self.content
        )
    }
}

impl Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.svg(""))
    }
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

    #[test]
    fn picture_stands_alone_and_has_the_drawing_below_its_heading() {
        let drawing = Drawing::new("a & b", (300.0, 100.0), |svg| svg.write_str("<path/>\n"));
        let inline = drawing.to_string();
        assert!(inline.starts_with("<svg viewBox=\"0 0 300 100\"") && inline.contains("<path/>"));
        let picture = drawing.picture("rect { fill: white }");
        for part in [
            "viewBox=\"0 0 300 126\" width=\"300\" height=\"126\"",
            "class=\"heading\">a &amp; b<",
            "<style>rect { fill: white }</style>",
            "<svg y=\"26\" width=\"300\" height=\"100\" viewBox=\"0 0 300 100\"",
        ] {
            assert!(picture.contains(part), "{part} is missing: {picture}");
        }
    }
}
