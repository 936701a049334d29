//! Keys as text. A key is any bytes; shown to people it is one short line that does not control the terminal.

/// How many characters of a key are shown.
const LENGTH: usize = 48;

/// A key as text on one line, shortened if it is long.
pub fn shown(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(&key[..key.len().min(4 * LENGTH)]);
    let mut shown: String = text
        .chars()
        .take(LENGTH)
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect::<Vec<_>>()
            } else {
                vec![c]
            }
        })
        .collect();
    if text.chars().count() > LENGTH || key.len() > 4 * LENGTH {
        shown.push('…');
    }
    shown
}
