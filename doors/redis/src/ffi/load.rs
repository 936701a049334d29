//! Loading the module.

use super::data_type::TYPE;
use super::{command, log_line};
use crate::{COMMANDS, configuration, info};
use std::ffi::c_int;
use valkey_module::{Context, InfoContext, ModuleOptions, ValkeyString, decode_args, raw};

/// The name of the module, under which `MODULE LIST`, `INFO` and `CONFIG` have it.
const NAME: &std::ffi::CStr = c"bloomwise";

/// The version of the module for the server: 100 for 0.1.0.
const VERSION: c_int = 100;

/// The server calls this when it loads the module.
///
/// # Safety
///
/// The server calls it with its context and the arguments of `--loadmodule`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RedisModule_OnLoad(
    context: *mut raw::RedisModuleCtx,
    strings: *mut *mut raw::RedisModuleString,
    count: c_int,
) -> c_int {
    let ok = raw::REDISMODULE_OK as c_int;
    // SAFETY: the server calls with its context. Nothing was allocated so far: the allocator works from here on.
    let initialized = unsafe {
        let version = raw::REDISMODULE_APIVER_1 as c_int;
        raw::Export_RedisModule_Init(context, NAME.as_ptr(), VERSION, version)
    };
    if initialized != ok {
        return initialized;
    }
    let arguments = decode_args(context, strings, count);
    let arguments: Vec<_> = arguments.iter().map(ValkeyString::as_slice).collect();
    let context = Context::new(context);
    match load(&context, &arguments) {
        Ok(()) => ok,
        Err(text) => {
            context.log_warning(&log_line(&text));
            raw::REDISMODULE_ERR as c_int
        }
    }
}

/// Registers everything.
fn load(context: &Context, arguments: &[&[u8]]) -> Result<(), String> {
    // A short read while loading is our error and not the server's end. Nothing outside of the keys knows what is in them.
    context.set_module_options(
        ModuleOptions::HANDLE_IO_ERRORS | ModuleOptions::HANDLE_REPL_ASYNC_LOAD,
    );
    TYPE.create_data_type(context.ctx)
        .map_err(ToString::to_string)?;
    command::register(context, &COMMANDS)?;
    configuration::register(context, arguments)?;
    raw::register_info_function(context.ctx, Some(report));
    // SAFETY: the function pointer was set when the module was initialized.
    match unsafe { raw::RedisModule_LoadConfigs.map(|load| load(context.ctx)) } {
        Some(0) => Ok(()),
        _ => Err("a bloomwise setting of the configuration file is wrong; mend the one that the line above names".to_string()),
    }
}

/// The server calls this for `INFO`.
extern "C" fn report(context: *mut raw::RedisModuleInfoCtx, _for_crash_report: c_int) {
    // There is nobody to tell that a field is missing.
    _ = info::report(&InfoContext::new(context));
}
