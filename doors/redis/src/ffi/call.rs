//! One call of a command.

use super::data_type::TYPE;
use crate::limits::Budget;
use crate::value::Value;
use std::ffi::c_int;
use std::ptr::NonNull;
use std::slice;
use valkey_module::{Context, KeyType, NotifyEvent, ValkeyError, ValkeyString, raw};

/// What a command was called with.
pub struct Call<'a> {
    /// The server's context of the call.
    context: Context,
    /// The arguments after the name of the command.
    arguments: Vec<&'a [u8]>,
    /// The strings of the server that hold the name and the arguments.
    strings: &'a [*mut raw::RedisModuleString],
}

/// The value of a key that a command changes.
pub struct Target<'a> {
    /// The value.
    pub value: &'a mut Value,
    /// Whether the command has just created it.
    pub is_new: bool,
    /// What the command may still allocate.
    pub budget: &'a mut Budget,
}

impl<'a> Call<'a> {
    /// The call of these arguments.
    ///
    /// # Safety
    ///
    /// The server calls a command with these pointers, and the call is gone when the command returns.
    pub(super) unsafe fn new(
        context: *mut raw::RedisModuleCtx,
        strings: *mut *mut raw::RedisModuleString,
        count: c_int,
    ) -> Self {
        let strings: &[_] = match (NonNull::new(strings), usize::try_from(count)) {
            // SAFETY: the server gives as many strings, and keeps them until the command returns.
            (Some(strings), Ok(count)) => unsafe { slice::from_raw_parts(strings.as_ptr(), count) },
            _ => &[],
        };
        let arguments = strings.iter().skip(1);
        Call {
            context: Context::new(context),
            arguments: arguments
                .map(|&string| ValkeyString::string_as_slice(string))
                .collect(),
            strings,
        }
    }

    /// The server's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The arguments after the name of the command.
    pub fn arguments(&self) -> &[&'a [u8]] {
        &self.arguments
    }

    /// The arguments after the key.
    pub fn rest(&self) -> &[&'a [u8]] {
        self.arguments().get(1..).unwrap_or_default()
    }

    /// What the command may allocate.
    pub fn budget(&self) -> Budget {
        Budget::of(&self.context)
    }

    /// Reads the key. `None` stands for a key that does not exist.
    ///
    /// # Errors
    ///
    /// The key holds something else, or `read` has failed.
    pub fn read<T>(
        &self,
        read: impl FnOnce(Option<&Value>) -> Result<T, ValkeyError>,
    ) -> Result<T, ValkeyError> {
        let key = self.context.open_key(&self.key()?);
        if key.is_null() || key.key_type() == KeyType::Empty {
            return read(None);
        }
        let value = key.get_value(&TYPE).map_err(|_| ValkeyError::WrongType)?;
        read(value)
    }

    /// Changes the value of the key. If there is none, `create` makes it first. A key that has nothing left in it is removed. Both spend the
    /// same budget.
    ///
    /// # Errors
    ///
    /// The key holds something else, or `create` or `write` have failed.
    pub fn write_or<T>(
        &self,
        create: impl FnOnce(&mut Budget) -> Result<Value, ValkeyError>,
        write: impl FnOnce(Target<'_>) -> Result<T, ValkeyError>,
    ) -> Result<T, ValkeyError> {
        let key = self.context.open_key_writable(&self.key()?);
        let mut budget = self.budget();
        if key.is_empty() {
            let mut value = create(&mut budget)?;
            let result = write(Target {
                value: &mut value,
                is_new: true,
                budget: &mut budget,
            });
            if !value.is_empty() {
                key.set_value(&TYPE, value)?;
            }
            return result;
        }
        let value = key.get_value(&TYPE).map_err(|_| ValkeyError::WrongType)?;
        let Some(value) = value else {
            return Err(ValkeyError::WrongType);
        };
        let result = write(Target {
            value: &mut *value,
            is_new: false,
            budget: &mut budget,
        });
        if value.is_empty() {
            key.delete()?;
        }
        result
    }

    /// Replicates the call as it came, to replicas and to the append-only file.
    pub fn replicate(&self) {
        self.context.replicate_verbatim();
    }

    /// Replicates the items that were accepted, of `all` that the call has: the call as it came, or `command` with these items. A replica has no
    /// limits, so it would add what was refused here.
    pub fn replicate_items(&self, command: &str, accepted: &[&[u8]], all: usize) {
        if accepted.len() == all {
            return self.replicate();
        }
        self.replicate_as(command, accepted);
    }

    /// Replicates another command for the same key instead of the call, or before it.
    pub fn replicate_as(&self, command: &str, rest: &[&[u8]]) {
        let key = self.arguments.iter().take(1);
        let arguments: Vec<&[u8]> = key.chain(rest).copied().collect();
        self.context.replicate(command, &arguments[..]);
    }

    /// Tells subscribers what has happened to the key.
    pub fn notify(&self, event: &str) {
        if let Ok(key) = self.key() {
            self.context
                .notify_keyspace_event(NotifyEvent::MODULE, event, &key);
        }
    }

    /// The name of the key, the first argument.
    fn key(&self) -> Result<ValkeyString, ValkeyError> {
        let &name = self.strings.get(1).ok_or(ValkeyError::WrongArity)?;
        Ok(ValkeyString::new(NonNull::new(self.context.ctx), name))
    }
}
