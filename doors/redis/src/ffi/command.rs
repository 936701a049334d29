//! Commands: what the server knows about them, and how it calls them.

use super::Call;
use super::border::contain;
use crate::reply::{Reply, send_error};
use std::ffi::{CString, c_int};
use std::ptr;
use valkey_module::{Context, ValkeyError, raw};

/// A command.
pub trait Command {
    /// What the server knows about it.
    const META: Meta;

    /// Does it.
    ///
    /// # Errors
    ///
    /// The client gets the error as it is.
    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError>;
}

/// What a command does with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing: it has no key.
    None,
    /// Reads it.
    Read,
    /// Adds to it, and may allocate.
    Insert,
    /// Changes it, in the memory that it has.
    Update,
    /// Replaces it.
    Replace,
}

/// What the server knows about a command.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// Its name.
    pub name: &'static str,
    /// The number of its arguments, with its name; negative if there may be more.
    pub arity: i32,
    /// What it does with its key, which is the first argument.
    pub access: Access,
    /// Whether its time does not depend on the number of its arguments.
    pub fast: bool,
    /// What it does, in one line.
    pub summary: &'static str,
    /// How its time grows.
    pub complexity: &'static str,
}

/// A command in the table of commands.
pub struct Entry {
    /// What the server knows about it.
    meta: Meta,
    /// What the server calls.
    callback:
        extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int,
}

impl Entry {
    /// The entry of a command.
    pub const fn of<C: Command>() -> Self {
        Entry {
            meta: C::META,
            callback: run::<C>,
        }
    }
}

/// Runs a command and sends its answer.
extern "C" fn run<C: Command>(
    context: *mut raw::RedisModuleCtx,
    strings: *mut *mut raw::RedisModuleString,
    count: c_int,
) -> c_int {
    let failed = || {
        let text = "ERR the module has failed; please report what was called";
        Context::new(context).reply_error_string(text);
    };
    let run = || {
        // SAFETY: the server calls this function with the arguments of a command.
        let call = unsafe { Call::new(context, strings, count) };
        match C::run(&call) {
            Ok(reply) => reply.send(call.context()),
            Err(error) => send_error(call.context(), error),
        }
    };
    contain(C::META.name, failed, run);
    raw::REDISMODULE_OK as c_int
}

impl Meta {
    /// The flags of the command.
    fn flags(&self) -> String {
        let access = match self.access {
            Access::None | Access::Read => "readonly",
            Access::Insert | Access::Replace => "write deny-oom",
            Access::Update => "write",
        };
        let fast = if self.fast { " fast" } else { "" };
        format!("{access}{fast}")
    }

    /// What it does with its key, in the words of the server.
    fn key_flags(&self) -> u32 {
        match self.access {
            Access::None => 0,
            Access::Read => raw::REDISMODULE_CMD_KEY_RO | raw::REDISMODULE_CMD_KEY_ACCESS,
            Access::Insert => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_INSERT,
            Access::Update => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_UPDATE,
            Access::Replace => raw::REDISMODULE_CMD_KEY_OW | raw::REDISMODULE_CMD_KEY_UPDATE,
        }
    }

    /// The access control categories, where the server has them for modules.
    fn categories(&self) -> String {
        let access = match self.access {
            Access::None | Access::Read => "read",
            _ => "write",
        };
        let fast = if self.fast { " fast" } else { "" };
        format!("{access}{fast} {CATEGORY}")
    }
}

/// The access control category of all commands.
pub const CATEGORY: &str = "bloom";

/// Registers commands.
///
/// # Errors
///
/// The server refuses one: another module has it.
pub fn register(context: &Context, commands: &[Entry]) -> Result<(), String> {
    add_category(context);
    commands.iter().try_for_each(|entry| {
        register_one(context, entry).ok_or_else(|| {
            format!(
                "the command {} cannot be registered; is another module loaded that has it?",
                entry.meta.name
            )
        })
    })
}

/// Adds the access control category, if the server knows categories of modules.
fn add_category(context: &Context) {
    let name = CString::new(CATEGORY).unwrap_or_default();
    // SAFETY: the function pointer was set when the module was initialized; the name lives until the call returns.
    unsafe {
        if let Some(add) = raw::RedisModule_AddACLCategory {
            add(context.ctx, name.as_ptr());
        }
    }
}

/// Registers a command; `None` if the server refuses.
fn register_one(context: &Context, entry: &Entry) -> Option<()> {
    let meta = &entry.meta;
    let name = CString::new(meta.name).ok()?;
    let flags = CString::new(meta.flags()).ok()?;
    let categories = CString::new(meta.categories()).ok()?;
    let key = if meta.access == Access::None { 0 } else { 1 };
    let ok = raw::REDISMODULE_OK as c_int;
    // SAFETY: the function pointers were set when the module was initialized; all strings live until the calls return, which copy them.
    unsafe {
        let create = raw::RedisModule_CreateCommand?;
        let callback = Some(entry.callback as _);
        if create(
            context.ctx,
            name.as_ptr(),
            callback,
            flags.as_ptr(),
            key,
            key,
            key,
        ) != ok
        {
            return None;
        }
        let command = raw::RedisModule_GetCommand?(context.ctx, name.as_ptr());
        if let Some(set) = raw::RedisModule_SetCommandACLCategories {
            set(command, categories.as_ptr());
        }
        describe(command, meta)
    }
}

/// Tells the server arity, key and summary of a command.
///
/// # Safety
///
/// The command is one of the server's.
unsafe fn describe(command: *mut raw::RedisModuleCommand, meta: &Meta) -> Option<()> {
    let version = raw::RedisModuleCommandInfoVersion {
        version: 1,
        sizeof_historyentry: size_of::<raw::RedisModuleCommandHistoryEntry>(),
        sizeof_keyspec: size_of::<raw::RedisModuleCommandKeySpec>(),
        sizeof_arg: size_of::<raw::RedisModuleCommandArg>(),
    };
    let summary = CString::new(meta.summary).ok()?;
    let complexity = CString::new(meta.complexity).ok()?;
    let since = CString::new(env!("CARGO_PKG_VERSION")).ok()?;
    let key = raw::RedisModuleCommandKeySpec {
        notes: ptr::null(),
        flags: meta.key_flags().into(),
        begin_search_type: raw::RedisModuleKeySpecBeginSearchType_REDISMODULE_KSPEC_BS_INDEX,
        bs: raw::RedisModuleCommandKeySpec__bindgen_ty_1 {
            index: raw::RedisModuleCommandKeySpec__bindgen_ty_1__bindgen_ty_1 { pos: 1 },
        },
        find_keys_type: raw::RedisModuleKeySpecFindKeysType_REDISMODULE_KSPEC_FK_RANGE,
        fk: raw::RedisModuleCommandKeySpec__bindgen_ty_2 {
            range: raw::RedisModuleCommandKeySpec__bindgen_ty_2__bindgen_ty_1 {
                lastkey: 0,
                keystep: 1,
                limit: 0,
            },
        },
    };
    // SAFETY: zeros are a key specification that ends the list.
    let end = unsafe { std::mem::zeroed() };
    let mut keys = match meta.access {
        Access::None => vec![end],
        _ => vec![key, end],
    };
    let info = raw::RedisModuleCommandInfo {
        version: &version,
        summary: summary.as_ptr(),
        complexity: complexity.as_ptr(),
        since: since.as_ptr(),
        history: ptr::null_mut(),
        tips: ptr::null(),
        arity: meta.arity,
        key_specs: keys.as_mut_ptr(),
        args: ptr::null_mut(),
    };
    // SAFETY: the function pointer was set when the module was initialized. The server copies all that the description points to.
    let set = unsafe { raw::RedisModule_SetCommandInfo?(command, &info) };
    (set == raw::REDISMODULE_OK as c_int).then_some(())
}
