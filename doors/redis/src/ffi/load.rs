//! Loading the module.

#[cfg(debug_assertions)]
use super::Entry;
use super::border::{contain, log_panics};
use super::data_type::TYPE;
use super::{command, log_line};
use crate::{COMMANDS, configuration, info};
use std::ffi::c_int;
use valkey_module::{Context, InfoContext, ModuleOptions, ValkeyString, decode_args, raw};

/// The name of the module, under which `MODULE LIST`, `INFO` and `CONFIG` have it.
const NAME: &std::ffi::CStr = c"bloomwise";

/// The version of the module for the server, from that of the package: 203 for 0.2.3.
const VERSION: c_int = 10_000 * number(env!("CARGO_PKG_VERSION_MAJOR"))
    + 100 * number(env!("CARGO_PKG_VERSION_MINOR"))
    + number(env!("CARGO_PKG_VERSION_PATCH"));

/// A part of the package's version.
const fn number(text: &str) -> c_int {
    match c_int::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("Cargo has checked it"),
    }
}

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
    log_panics();
    let failed = raw::REDISMODULE_ERR as c_int;
    let load = || {
        let arguments = decode_args(context, strings, count);
        let arguments: Vec<_> = arguments.iter().map(ValkeyString::as_slice).collect();
        let context = Context::new(context);
        match load(&context, &arguments) {
            Ok(()) => ok,
            Err(text) => {
                context.log_warning(&log_line(&text));
                failed
            }
        }
    };
    contain("load", || failed, load)
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
    #[cfg(debug_assertions)]
    command::register(context, &[Entry::of::<crate::fault::Fault>()])?;
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
    let report = || _ = info::report(&InfoContext::new(context));
    contain("info", || (), report);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_that_of_the_package() {
        let (major, minor, patch) = (VERSION / 10_000, VERSION / 100 % 100, VERSION % 100);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(format!("{major}.{minor}.{patch}"), version);
    }
}
