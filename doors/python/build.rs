//! Tells the crate what the interpreter is like: `Py_GIL_DISABLED` for one without the interpreter lock.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
