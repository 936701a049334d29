//! `BF.DEBUG key`: a line for the filter, and one for each layer.

use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use bloomwise::info::Value;
use bloomwise::{AnyFilter, Bloom, Filter};
use valkey_module::ValkeyError;

/// What the layers of a filter are like.
pub struct Debug;

impl Command for Debug {
    const META: Meta = Meta {
        name: "bf.debug",
        arity: 2,
        access: Access::Read,
        fast: false,
        summary: "What the layers of a Bloom filter are like",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        call.read(|value| {
            let value = value.ok_or(ValkeyError::Str("ERR not found"))?;
            let filter = value.filter()?;
            let layers = match filter {
                AnyFilter::Growing(filter) => filter.chain(),
                AnyFilter::Bloom(filter) => std::slice::from_ref(filter),
                _ => &[],
            };
            let first = Reply::text(format!("size:{}", filter.len()));
            let layers = layers.iter().map(|layer| Reply::text(line(layer)));
            Ok(Reply::List(std::iter::once(first).chain(layers).collect()))
        })
    }
}

/// The line of a layer.
fn line(layer: &Bloom) -> String {
    let bits = layer.size_in_bits();
    let (bytes, info) = (bits / 8, layer.info());
    let functions = info.parameter("k").and_then(Value::as_u64).unwrap_or(0);
    let (capacity, size) = (layer.capacity().unwrap_or(0), layer.len());
    let ratio = six_digits(info.target_rate.unwrap_or(0.0));
    format!(
        "bytes:{bytes} bits:{bits} hashes:{functions} hashwidth:64 capacity:{capacity} size:{size} ratio:{ratio}"
    )
}

/// A number as C's `%g` writes it: six digits, without zeros at the end.
fn six_digits(number: f64) -> String {
    let scientific = format!("{number:.5e}");
    let exponent = scientific
        .split_once('e')
        .map_or("0", |(_, exponent)| exponent);
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=5) => {
            let decimals = usize::try_from(5 - exponent).unwrap_or(0);
            trimmed(&format!("{number:.decimals$}")).to_string()
        }
        Ok(exponent) => {
            let digits = scientific.split_once('e').map_or("", |(digits, _)| digits);
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
        }
        Err(_) => scientific,
    }
}

/// A decimal number without zeros at its end.
fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Insert, Size};

    #[test]
    fn numbers_have_six_digits() {
        let cases = [
            (0.0005, "0.0005"),
            (0.005, "0.005"),
            (0.25, "0.25"),
            (1.0, "1"),
            (0.0, "0"),
            (6.25e-5, "6.25e-05"),
            (1.5625e-5, "1.5625e-05"),
            (1e-10, "1e-10"),
            (0.000_123_456_7, "0.000123457"),
        ];
        for (number, text) in cases {
            assert_eq!(six_digits(number), text);
        }
    }

    #[test]
    fn line_says_what_a_layer_is_like() {
        let layer = Bloom::builder(Size::Rate(0.0005)).capacity(50_000);
        let mut layer = layer.create().expect("sound");
        layer.insert("a");
        let line = line(&layer);
        assert!(
            line.ends_with("hashwidth:64 capacity:50000 size:1 ratio:0.0005"),
            "{line}"
        );
        assert!(
            line.starts_with(&format!("bytes:{} ", layer.size_in_bits() / 8)),
            "{line}"
        );
    }
}
