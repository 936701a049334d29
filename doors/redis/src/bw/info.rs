//! `BW.INFO key [FULL]` and `BW.LIST`

use super::NOT_FOUND;
use crate::arguments::is;
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use crate::value::Value;
use bloomwise::settings::Setting;
use bloomwise::{Family, Filter, Operation};
use valkey_module::ValkeyError;

/// What a filter is like.
pub struct Info;

impl Command for Info {
    const META: Meta = Meta {
        name: "bw.info",
        arity: -2,
        access: Access::Read,
        fast: false,
        summary: "What a filter is like; FULL scans its cells, too",
        complexity: "O(1), O(bytes) with FULL",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let full = match call.rest() {
            [] => false,
            [word] if is(word, "FULL") => true,
            _ => return Err(ValkeyError::Str("ERR give FULL or nothing after the key")),
        };
        call.read(|value| {
            let value = value.ok_or(NOT_FOUND)?;
            value.check()?;
            Ok(describe(value, full))
        })
    }
}

/// All about a key. `full` scans the cells.
fn describe(value: &Value, full: bool) -> Reply {
    let mut fields = Vec::new();
    if let Some(filter) = value.arrived() {
        let bytes = filter.size_in_bits() / 8;
        let per_key = match filter.len() {
            0 => Reply::Null,
            keys => Reply::Real(8.0 * bytes as f64 / keys as f64),
        };
        fields.extend([
            ("kind", Reply::text(filter.family().name())),
            ("keys", Reply::Whole(filter.len())),
            (
                "capacity",
                filter.capacity().map_or(Reply::Null, Reply::Whole),
            ),
            ("bytes", Reply::Whole(bytes)),
            ("bits_per_key", per_key),
            ("predicted_fpr", Reply::Real(filter.rate())),
            ("hash", Reply::text(filter.hashing())),
        ]);
        if full {
            let info = filter.info();
            let parameters = info.parameters.into_iter();
            let parameters = parameters.map(|parameter| (parameter.name, number(&parameter.value)));
            fields.extend([
                ("fill", Reply::Real(info.fill)),
                ("scanned_fpr", Reply::Real(info.predicted_fpr)),
                (
                    "target_fpr",
                    info.target_rate.map_or(Reply::Null, Reply::Real),
                ),
                ("parameters", Reply::Map(parameters.collect())),
            ]);
        }
    }
    fields.push(("memory", Reply::Whole(value.memory())));
    if let Some(incoming) = value.incoming() {
        let loading = vec![
            ("received", Reply::Whole(incoming.received())),
            ("total", Reply::Whole(incoming.total())),
        ];
        fields.push(("loading", Reply::Map(loading)));
    }
    Reply::Map(fields)
}

/// The value of a parameter.
fn number(value: &bloomwise::info::Value) -> Reply {
    match value {
        bloomwise::info::Value::Whole(number) => Reply::Whole(*number),
        bloomwise::info::Value::Real(number) => Reply::Real(*number),
        bloomwise::info::Value::Word(word) => Reply::text(word),
    }
}

/// The kinds of filters.
pub struct List;

impl Command for List {
    const META: Meta = Meta {
        name: "bw.list",
        arity: 1,
        access: Access::None,
        fast: true,
        summary: "The kinds of filters, and what each can do",
        complexity: "O(1)",
    };

    fn run(_: &Call<'_>) -> Result<Reply, ValkeyError> {
        Ok(Reply::List(Family::ALL.into_iter().map(kind).collect()))
    }
}

/// All about a kind.
fn kind(family: Family) -> Reply {
    let commands = [
        (Operation::Insert, "BW.CREATE"),
        (Operation::Insert, "BW.ADD"),
        (Operation::Remove, "BW.REM"),
        (Operation::Guard, "BW.GUARD"),
        (Operation::Guard, "BW.MISS"),
    ];
    let can = commands
        .into_iter()
        .filter(|(operation, _)| family.can(*operation));
    let settings = Setting::of(family);
    Reply::Map(vec![
        ("kind", Reply::text(family.name())),
        ("about", Reply::text(family.about())),
        (
            "commands",
            Reply::List(can.map(|(_, name)| Reply::text(name)).collect()),
        ),
        (
            "settings",
            Reply::List(settings.map(|setting| Reply::text(setting.name)).collect()),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Size, Spec};

    /// The value of a field.
    fn field(reply: &Reply, wanted: &str) -> Option<Reply> {
        match reply {
            Reply::Map(fields) => {
                let found = fields.iter().find(|(name, _)| *name == wanted);
                found.map(|(_, value)| value.clone())
            }
            _ => None,
        }
    }

    #[test]
    fn filter_says_what_it_is() {
        let spec = Spec::new(Family::Cuckoo)
            .size(Size::BitsPerKey(12.0))
            .capacity(1000);
        let mut filter = spec.create().expect("sound");
        let empty = describe(&Value::new(Some(filter.clone()), None), false);
        assert_eq!(field(&empty, "bits_per_key"), Some(Reply::Null));
        filter.insert("a").expect("room");
        let value = Value::new(Some(filter), None);
        let info = describe(&value, false);
        assert_eq!(field(&info, "kind"), Some(Reply::text("cuckoo")));
        assert_eq!(field(&info, "keys"), Some(Reply::Whole(1)));
        assert_eq!(field(&info, "capacity"), Some(Reply::Whole(1000)));
        assert_eq!(field(&info, "parameters"), None);
        let full = describe(&value, true);
        let parameters = field(&full, "parameters").expect("scanned");
        assert_eq!(field(&parameters, "exceptions"), Some(Reply::Whole(0)));
    }

    #[test]
    fn list_has_every_kind() {
        assert_eq!(
            field(&kind(Family::Guarded), "commands"),
            Some(Reply::List(Vec::new()))
        );
        let commands = field(&kind(Family::Cuckoo), "commands").expect("some");
        assert!(matches!(commands, Reply::List(commands) if commands.len() == 5));
    }
}
