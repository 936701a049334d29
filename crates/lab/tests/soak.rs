//! The soak finds nothing in a sound library.

use std::process::Command;

#[test]
fn sound_library_passes_a_short_soak() {
    let arguments = [
        "soak",
        "--operations",
        "5000",
        "--seed",
        "7",
        "--threads",
        "2",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_bloomwise-lab"))
        .args(arguments)
        .output();
    let output = output.expect("runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("seed 0x0000000000000007, 2 lives at a time\n"),
        "{text}"
    );
    let last = text.lines().last().expect("prints a summary");
    let operations = last
        .strip_suffix(" operations, 0 findings")
        .expect("the sum");
    let operations: u64 = operations.replace(',', "").parse().expect("a number");
    assert!(operations >= 5000, "{text}");
}
