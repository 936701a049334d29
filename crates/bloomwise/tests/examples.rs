//! The examples run, and do what they say.
#![cfg(feature = "mmap")]

#[path = "../examples/block_list.rs"]
mod block_list;
#[path = "../examples/deduplicate.rs"]
#[expect(dead_code, reason = "its `main` reads the standard input")]
mod deduplicate;
#[path = "../examples/read_path.rs"]
mod read_path;
#[path = "../examples/sorted_tables.rs"]
mod sorted_tables;

#[test]
fn block_list_is_replaced_without_a_wrong_answer() {
    block_list::main().expect("it asserts what it promises");
}

#[test]
fn read_path_finds_every_key() {
    read_path::main().expect("it asserts what it promises");
}

#[test]
fn sorted_tables_waste_no_reads_on_what_they_have_learned() {
    sorted_tables::main().expect("it asserts what it promises");
}

#[test]
fn deduplicated_stream_has_each_line_once() {
    let lines: String = (0..50_000)
        .map(|n| format!("line {}\n", n % 20_000))
        .collect();
    let mut kept = Vec::new();
    let (read, dropped) = deduplicate::deduplicate(lines.as_bytes(), &mut kept).expect("memory");
    let kept = kept.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!((read, kept + dropped), (50_000, 50_000));
    // At one in 10,000, few new lines are dropped.
    assert!((30_000..30_020).contains(&dropped), "{dropped}");
}
